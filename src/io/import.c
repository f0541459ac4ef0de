/* io/import.c - which reader a path asks for. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/family.h"
#include "io/file.h"

void vouch_source_init(vouch_source *source) { *source = (vouch_source){.probability = NAN}; }

/* Does the path end so, with or without .gz behind? */
static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    if (n > 3 && strcmp(path + n - 3, ".gz") == 0) n -= 3;
    return n >= m && strncmp(path + n - m, ending, m) == 0;
}

typedef struct file_list {
    char **name, **content; /* owned, [count], each owned */
    size_t *length;
    size_t count, capacity;
} file_list;

static int by_text(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

static vouch_status list_directory(const char *path, file_list *list, vouch_error *error)
{
    DIR *dir = opendir(path);
    if (!dir) return error_set(error, VOUCH_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    vouch_status status = VOUCH_OK;
    for (struct dirent *entry; (entry = readdir(dir)) && !status;) {
        if (!ends_in(entry->d_name, ".drn")) continue;
        size_t n = strlen(path) + strlen(entry->d_name) + 2;
        char *full = mem_alloc(n, 1);
        if (!full || mem_reserve((void **)&list->name, &list->capacity, list->count, sizeof *list->name)) {
            mem_free(full);
            status = error_memory(error);
            break;
        }
        size_t length = strlen(path);
        snprintf(full, n, "%s%s%s", path, length && path[length - 1] == '/' ? "" : "/", entry->d_name);
        list->name[list->count++] = full;
    }
    closedir(dir);
    if (!status && list->count == 0)
        status = error_set(error, VOUCH_ERROR_INPUT, "%s: the directory holds no .drn files, one per environment", path);
    if (!status) qsort(list->name, list->count, sizeof *list->name, by_text);
    return status;
}

static vouch_status read_drn(vouch_model **model, const char *path, bool directory, const vouch_source *source, vouch_error *error)
{
    file_list list = {0};
    vouch_status status = VOUCH_OK;
    if (directory) {
        status = list_directory(path, &list, error);
    } else {
        list.name = MEM_NEW(char *, 1);
        char *copy = list.name ? mem_string(path) : NULL;
        if (copy)
            list.name[list.count++] = copy;
        else
            status = error_memory(error);
    }
    if (!status) {
        list.content = MEM_ZERO(char *, list.count);
        list.length = MEM_ZERO(size_t, list.count);
        if (!list.content || !list.length) status = error_memory(error);
    }
    for (size_t i = 0; i < list.count && !status; i++)
        status = file_read(list.name[i], FILE_CAP, &list.content[i], &list.length[i], error);
    if (!status)
        status = drn_model_parse(model, path, (int)list.count, (const char *const *)list.name, (const char *const *)list.content,
                                 list.length, source, error);
    for (size_t i = 0; i < list.count; i++) {
        mem_free(list.name[i]);
        if (list.content) mem_free(list.content[i]);
    }
    mem_free(list.name);
    mem_free(list.content);
    mem_free(list.length);
    return status;
}

static vouch_status import_json(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
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

/* The initial state of a CSV model: state 0 unless a companion names it. */
static vouch_status read_initial(const char *path, int *initial, vouch_error *error)
{
    text name = {0};
    char *content;
    size_t length;
    vouch_status status = VOUCH_OK;
    csv_initial_path(path, &name);
    if (name.failed) {
        status = error_memory(error);
    } else if (name.length > 0) {
        status = file_read(name.data, FILE_CAP, &content, &length, error);
        if (!status) {
            status = csv_initial_parse(initial, name.data, content, length, error);
            mem_free(content);
        }
    }
    text_free(&name);
    return status;
}

vouch_status vouch_model_import(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    vouch_source defaults;
    struct stat about;
    *model = NULL;
    if (!source) {
        vouch_source_init(&defaults);
        source = &defaults;
    }
    bool directory = strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    bool prism = ends_in(path, ".prism") || ends_in(path, ".nm") || ends_in(path, ".pm") || ends_in(path, ".templ");
    bool csv = ends_in(path, ".csv");
    if (!prism && source->constant_count) return error_set(error, VOUCH_ERROR_INPUT, "%s: --const is for PRISM files", path);
    if (directory || ends_in(path, ".drn")) return read_drn(model, path, directory, source, error);
    if (!prism && !csv) return import_json(model, path, source, error);
    char *content;
    size_t length;
    int initial = 0;
    vouch_status status = csv ? read_initial(path, &initial, error) : VOUCH_OK;
    if (!status) status = file_read(path, FILE_CAP, &content, &length, error);
    if (status) return status;
    if (prism)
        status = prism_model_parse(model, path, content, length, source, error);
    else
        status = csv_model_parse(model, path, content, length, initial, source, error);
    mem_free(content);
    return status;
}
