/* io/formats.c - the formats of model files: which reader and which writer a path asks for; see formats.h. */
#include "io/formats.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/family.h"

bool path_ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    if (n > 3 && strcmp(path + n - 3, ".gz") == 0) n -= 3;
    return n >= m && strncmp(path + n - m, ending, m) == 0;
}

bool path_is_directory(const char *path)
{
    struct stat about;
    return strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static vouch_status prism_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    char *content;
    file_content file = {.name = path};
    vouch_status status = file_read(path, FILE_CAP, &content, &file.length, error);
    if (status) return status;
    file.bytes = content;
    status = prism_model_parse(model, &file, source, error);
    mem_free(content);
    return status;
}

static vouch_status json_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    if (source->commit || source->reward || source->time_to || source->constant_count)
        return error_set(error, VOUCH_ERROR_INPUT,
                         "%s: --commit, --reward, --time-to and --const are for models that are no JSON files", path);
    vouch_status status = vouch_model_read(model, path, error);
    if (!status && source->horizon > 0 && vouch_model_set_horizon(*model, source->horizon))
        status = error_set(error, VOUCH_ERROR_INPUT, "%s: -T %d: a state without actions can be reached before that time", path,
                           source->horizon);
    if (!status && !isnan(source->probability) && vouch_model_set_probability(*model, source->probability))
        status = error_set(error, VOUCH_ERROR_INPUT, "%s: the commitment probability must lie between 0 and 1", path);
    if (status) {
        vouch_model_free(*model);
        *model = NULL;
    }
    return status;
}

/* One line a format. The first stands for directories, the last for every name that no other one claims. */
static const struct model_format {
    const char *ending[4]; /* of names, before .gz */
    bool constants;        /* are there any for --const to set? */
    vouch_status (*read)(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
    vouch_status (*write)(const vouch_model *model, const char *path, vouch_error *error); /* NULL: written as JSON */
} formats[] = {
    {{"/"}, false, drn_model_read, drn_directory_write},
    {{".drn"}, false, drn_model_read, NULL},
    {{".prism", ".nm", ".pm", ".templ"}, true, prism_model_read, NULL},
    {{".csv"}, false, csv_model_read, csv_model_export},
    {{""}, false, json_model_read, vouch_model_write},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const struct model_format *format_of(const char *path, bool directory)
{
    if (directory) return &formats[0];
    for (int i = 1; i < FORMATS; i++)
        for (int e = 0; e < 4 && formats[i].ending[e]; e++)
            if (path_ends_in(path, formats[i].ending[e])) return &formats[i];
    return &formats[FORMATS - 1];
}

void vouch_source_init(vouch_source *source) { *source = (vouch_source){.probability = NAN}; }

vouch_status vouch_model_import(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    vouch_source defaults;
    *model = NULL;
    if (!source) {
        vouch_source_init(&defaults);
        source = &defaults;
    }
    const struct model_format *format = format_of(path, path_is_directory(path));
    if (!format->constants && source->constant_count)
        return error_set(error, VOUCH_ERROR_INPUT, "%s: --const is for PRISM files", path);
    return format->read(model, path, source, error);
}

vouch_status model_export(const vouch_model *model, const char *path, vouch_error *error)
{
    size_t n = strlen(path);
    const struct model_format *format = format_of(path, n > 0 && path[n - 1] == '/');
    return format->write ? format->write(model, path, error) : vouch_model_write(model, path, error);
}
