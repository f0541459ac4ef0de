/* io/formats.c - the formats of model files: the reader and the writer for a path; see formats.h. */

#include "io/formats.h"
#include "mdp/model.h"
#include "io/json.h"

typedef vouch_status model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);

static vouch_status read_file(model_parse *parse, vouch_model **model, const char *path, const vouch_source *source,
                              vouch_error *error)
{
    file_content file;
    vouch_status status = file_load(&file, path, error);
    if (!status) status = parse(model, &file, source, error);
    file_unload(&file);
    return status;
}

#define READER(name)                                                                                                               \
    static vouch_status name##_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)   \
    {                                                                                                                              \
        return read_file(name##_model_parse, model, path, source, error);                                                          \
    }
READER(prism)
READER(jani)
READER(pomdp)
#undef READER

/* "NAME=P" into a finished model. */
static vouch_status set_probability(vouch_model *m, const char *given, const char *path, vouch_error *error)
{
    const char *name;
    size_t n;
    double p;
    if (!specification_probability(given, &name, &n, &p))
        return error_set(error, VOUCH_ERROR_INPUT, "-p: \"%.100s\" is not NAME=P with a number between 0 and 1", given);
    for (int j = 0; j < vouch_model_promises(m); j++) {
        vouch_promise made;
        vouch_model_get_promise(m, j, &made);
        if (strlen(made.name) == n && strncmp(made.name, name, n) == 0) return vouch_model_set_promise_probability(m, j, -1, p);
    }
    return error_set(error, VOUCH_ERROR_INPUT, "%s: -p: there is no promise \"%.*s\"", path, (int)(n < 100 ? n : 100), name);
}

static vouch_status set_horizon_failed(const vouch_model *m, int horizon, const char *path, vouch_error *error)
{
    for (int j = 0; j < vouch_model_promises(m); j++) {
        vouch_promise p;
        vouch_model_get_promise(m, j, &p);
        if (p.to > horizon && vouch_model_promise_has_end(m, j))
            return error_set(error, VOUCH_ERROR_INPUT, "%s: -T %d: time %d of the promise \"%.100s\" is after it", path, horizon,
                             p.to, p.name);
    }
    return error_set(error, VOUCH_ERROR_INPUT, "%s: -T %d: a state without actions can be reached before that time", path, horizon);
}

static vouch_status json_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    const struct {
        bool given;
        const char *name;
    } elsewhere[] = {{source->commit || source->commit_count, "--commit"},
                     {source->properties != NULL, "--prop"},
                     {source->initial_count > 0, "--initial"},
                     {source->reward != NULL, "--reward"},
                     {source->time_to != NULL, "--time-to"},
                     {source->constant_count > 0, "--const"},
                     {source->fix_deadlocks, "--fix-deadlocks"},
                     {source->merge_actions, "--merge-actions"},
                     {source->sample > 0, "--sample"},
                     {source->state_limit > 0, "--state-limit"}};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (elsewhere[i].given)
            return error_set(
                error, VOUCH_ERROR_INPUT,
                "%s: %s is for other formats than JSON; a JSON model holds it already (-T and -p may be given, or edit the file)",
                path, elsewhere[i].name);
    vouch_status status = vouch_model_read(model, path, error);
    if (!status && source->horizon > 0 && vouch_model_set_horizon(*model, source->horizon))
        status = set_horizon_failed(*model, source->horizon, path, error);
    if (!status && !isnan(source->probability) && vouch_model_set_probability(*model, source->probability))
        status = source->probability >= 0 && source->probability <= 1
                     ? error_set(error, VOUCH_ERROR_INPUT, "%s: -p: several promises are made; expected -p NAME=P", path)
                     : error_set(error, VOUCH_ERROR_INPUT, "%s: the commitment probability must lie between 0 and 1", path);
    for (size_t i = 0; i < source->probability_count && !status; i++)
        status = set_probability(*model, source->probabilities[i], path, error);
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

enum { STATE_LIMIT_DEFAULT = 10000000 };

/* endings: "one|another" */
static bool ends_in_one(const char *path, const char *endings)
{
    char ending[16];
    for (;; endings++) {
        size_t n = strcspn(endings, "|");
        format_text(ending, sizeof ending, "%.*s", (int)n, endings);
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

vouch_status recognise_path(const char *path, file_kind *kind, vouch_error *error)
{
    file_content file;
    *kind = FILE_UNKNOWN;
    if (path_is_directory(path)) {
        names list = {0};
        vouch_status status = drn_directory_files(&list, path, error);
        if (!status) *kind = FILE_DRN;
        for (int i = 0; i < list.count; i++)
            if (path_ends_in(names_text(&list, i), ".tra")) *kind = FILE_EXPLICIT;
        names_free(&list);
        return status;
    }
    vouch_status status = file_load(&file, path, error);
    if (!status) *kind = recognise(&file);
    file_unload(&file);
    return status;
}

/* What to do with a file that is no model; NULL: it can be read. */
static const char *advice(file_kind kind)
{
    switch (kind) {
    case FILE_POLICY:
        return "vouch show MODEL POLICY and vouch evaluate MODEL POLICY read it, after the model";
    case FILE_TREE:
        return "vouch tree draws it";
    case FILE_LP:
    case FILE_MPS:
    case FILE_GLP:
        return "vouch lp solves it";
    default:
        return NULL;
    }
}

/* The format that a kind of content is read as; NULL: none. */
static const struct model_format *format_of_kind(file_kind kind)
{
    static const char *const name[FILE_KINDS] = {
        [FILE_MODEL] = ".json",   [FILE_PRISM] = ".prism", [FILE_JANI] = ".jani",  [FILE_DRN] = ".drn",
        [FILE_EXPLICIT] = ".tra", [FILE_CSV] = ".csv",     [FILE_POMDP] = ".pomdp"};
    return name[kind] ? format_of(name[kind], false) : NULL;
}

/* If a file could not be read, and is of another kind than its name says, the message is about that. */
static void blame_kind(const char *path, const struct model_format *tried, vouch_error *error)
{
    file_kind kind;
    vouch_error none;
    if (path_is_directory(path) || recognise_path(path, &kind, &none)) return;
    const struct model_format *own = format_of_kind(kind);
    if (own && own != tried)
        error_set(error, VOUCH_ERROR_INPUT, "%.300s: this looks like %s; give it a name that ends in %.*s", path,
                  recognised_text(kind), own->endings[0] ? (int)strcspn(own->endings, "|") : 5,
                  own->endings[0] ? own->endings : ".json");
    else if (kind == FILE_MATHPROG)
        recognised_refuse_mathprog(path, error);
    else if (kind == FILE_PPDDL || kind == FILE_RDDL || kind == FILE_PROOF || kind == FILE_PAGE)
        error_set(error, VOUCH_ERROR_INPUT, "%.300s: this is %s", path, recognised_text(kind));
    else if (kind == FILE_BESIDE || ends_in_one(path, ".lab|.sta|.srew|.trew|.rew"))
        error_set(error, VOUCH_ERROR_INPUT, "%.300s: this is %s", path, recognised_text(FILE_BESIDE));
    else if (kind == FILE_UNKNOWN && !path_ends_in(path, ".json") && tried == &formats[FORMATS - 1])
        error_set(error, VOUCH_ERROR_INPUT,
                  "%.300s: this is no file that vouch knows: models are JSON, PRISM, JANI, DRN, CSV or POMDP", path);
    else if (advice(kind))
        error_set(error, VOUCH_ERROR_INPUT, "%.300s: this looks like %s; %s", path, recognised_text(kind), advice(kind));
}

vouch_status model_files(names *list, const char *path, vouch_error *error)
{
    const struct model_format *format = format_of(path, path_is_directory(path));
    if (format->files) return format->files(list, path, error);
    return names_add(list, path) < 0 ? error_memory(error) : VOUCH_OK;
}

void vouch_source_init(vouch_source *source)
{
    if (!source) return;
    *source = (vouch_source){.probability = NAN};
}

/* The latest time that the promises name, if all of them name one; 0: they do not, or are wrong. */
static int latest_time(const vouch_source *source, const char *path)
{
    vouch_source endless = *source;
    specifications list;
    escape e = {0};
    int latest = 0;
    endless.horizon = INT_MAX;
    bool all = specifications_open(&list, &e, &endless, path) == VOUCH_OK;
    for (size_t i = 0; i < list.item_count && all; i++) {
        all = list.item[i].to >= 0 && list.item[i].to < INT_MAX; /* T asks for the horizon */
        if (list.item[i].to > latest) latest = list.item[i].to;
    }
    escape_end(&e);
    return all ? latest : 0;
}

vouch_status vouch_model_import(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    if (model) *model = NULL;
    if (!model || !path) return error_null(error);
    vouch_source own;
    vouch_source_init(&own);
    if (source) own = *source;
    const struct model_format *format = format_of(path, path_is_directory(path));
    bool named = format != &formats[FORMATS - 1] || path_ends_in(path, ".json");
    file_kind kind;
    disk_hold();
    if (!named && !recognise_path(path, &kind, NULL) && format_of_kind(kind)) format = format_of_kind(kind);
    if (own.state_limit == 0 && format->read != json_model_read) own.state_limit = STATE_LIMIT_DEFAULT;
    if (own.horizon < 1 && format->read != json_model_read) own.horizon = latest_time(&own, path);
    vouch_status status =
        !format->constants && (own.constant_count || own.sample > 0)
            ? error_set(
                  error, VOUCH_ERROR_INPUT,
                  "%s: %s: only PRISM and JANI files have open constants (--const, --sample); of others L, T and p can be varied",
                  path, own.constant_count ? own.constants[0] : "--sample")
            : format->read(model, path, &own, error);
    if (status == VOUCH_ERROR_INPUT && error) blame_kind(path, format, error);
    const char *version = strstr(path, "-v");
    if (status == VOUCH_ERROR_IO && error && version && ascii_digit(version[2]) && !strchr(path, '.'))
        error_set(
            error, status,
            "%.200s: there is no such file; a Gymnasium environment is read in Python: vouch.Model.from_gym_p(env.unwrapped.P, ..)",
            path);
    if (!status && own.minimise && vouch_model_set_sense(*model, VOUCH_MINIMISE)) {
        vouch_model_free(*model);
        *model = NULL;
        status = error_memory(error);
    }
    disk_drop();
    return status;
}

vouch_status model_export(const vouch_model *model, const char *path, bool joined, vouch_error *error)
{
    size_t n = strlen(path);
    const struct model_format *format = format_of(path, n > 0 && path[n - 1] == '/');
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    bool named = strchr(base, '.') && !path_ends_in(path, ".json") && strcmp(path, "-") != 0;
    if (!format->write || (format == &formats[FORMATS - 1] && named))
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "%s: a model is not written in the format of this name; give OUT.json, OUT.csv, OUT.pomdp, or OUT/ for "
                         "Storm's .drn files",
                         path);
    if (joined && format->write && format->write != vouch_model_write)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "%s: a joined model is written as JSON", path);
    bool limits = format->write == drn_directory_write && vouch_model_within(model) == 0;
    if (vouch_model_has_error(model) && format->write && format->write != vouch_model_write && !limits)
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "%s: a model with limits of probabilities is written as JSON or, without \"within\", as .drn files", path);
    if (joined && vouch_model_within(model) > 0 && vouch_model_first_time(model) < 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "%s: a joined model begins with a step to its initial states, which \"within\" would apply to", path);
    if (joined) return model_json_write_joined(model, path, error);
    return format->write ? format->write(model, path, error) : vouch_model_write(model, path, error);
}
