/* io/formats.c - the formats of model files: which reader and which writer a path asks for; see formats.h. */
#include "io/formats.h"

#include <math.h>
#include <stdio.h>
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

static const struct model_format {
    const char *endings;
    bool constants;
    vouch_status (*read)(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
    vouch_status (*files)(names *list, const char *path, vouch_error *error);
    vouch_status (*write)(const vouch_model *model, const char *path, vouch_error *error);
} formats[] = {
#define FORMAT(endings, constants, read, files, write, help) {endings, constants, read, files, write},
    MODEL_FORMATS(FORMAT)
#undef FORMAT
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* endings: "one|another" */
static bool ends_in_one(const char *path, const char *endings)
{
    char ending[16];
    for (;; endings++) {
        size_t n = strcspn(endings, "|");
        snprintf(ending, sizeof ending, "%.*s", (int)n, endings);
        if (path_ends_in(path, ending)) return true;
        endings += n;
        if (!*endings) return false;
    }
}

static const struct model_format *format_of(const char *path, bool directory)
{
    int i = directory ? 0 : 1;
    while (!directory && i < FORMATS - 1 && !ends_in_one(path, formats[i].endings)) i++;
    return &formats[i];
}

vouch_status model_files(names *list, const char *path, vouch_error *error)
{
    const struct model_format *format = format_of(path, path_is_directory(path));
    if (format->files) return format->files(list, path, error);
    return names_add(list, path) < 0 ? error_memory(error) : VOUCH_OK;
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
