/* io/drn_directory.c - models as DRN files, one per environment, and their directories; see formats.h and drn.c. */
#define _DEFAULT_SOURCE /* scandir */
#include <dirent.h>
#include <errno.h>

#include "io/formats.h"
#include "mdp/model.h"
#include "io/json.h"

/* ---- index --------------------------------------------------------------------------------------------------------- */

/* Which file of a directory of DRN files is which environment; see formats.h.
 *
 *   { "vouch_index": 1, "environments": [ { "name": "current=0", "file": "current=0.drn" } ] }
 *
 * A file has the name of its environment, as far as every file system takes it: other letters become _, and where two names would
 * then be the same but for capitals, a number is added.
 */

static const char SAFE[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=,+-.";
static const char MARK[] = "vouch_index";
enum { LONGEST = 40 }; /* letters of an environment's name that its file has */

bool drn_index_is(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, DRN_INDEX) == 0;
}

/* Is it one of vouch? Others are no business of ours. */
static bool drn_index_speaks(const file_content *file) { return strstr(file->bytes, MARK) != NULL; }

/* The name made safe, into out. No letter that stands first hides a file or makes it an option. */
static void make_safe(const char *name, char out[LONGEST + 1])
{
    size_t n = 0;
    for (; n < LONGEST && name[n]; n++) out[n] = strchr(SAFE, name[n]) ? name[n] : '_';
    out[n] = '\0';
    if (out[0] == '.' || out[0] == '-') out[0] = '_';
}

vouch_status drn_index_files(names *file, const vouch_model *m, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    names taken = {0}; /* in small letters, for file systems that see no difference */
    for (int k = 0; k < vouch_model_environments(m) && !status; k++) {
        char safe[LONGEST + 1], name[OUTPUT_NAME], small[OUTPUT_NAME];
        make_safe(vouch_model_environment_name(m, k), safe);
        for (int again = 1;; again++) {
            if (again == 1 && safe[0])
                format_text(name, sizeof name, "%s.drn", safe);
            else
                format_text(name, sizeof name, "%s_%d.drn", safe, again == 1 ? k + 1 : again);
            for (size_t i = 0; i < sizeof small; i++) small[i] = (char)ascii_lower(name[i]);
            if (names_find(&taken, small) < 0) break;
        }
        if (names_add(&taken, small) < 0 || names_add(file, name) < 0) status = error_memory(error);
    }
    names_free(&taken);
    return status;
}

void drn_index_write(const vouch_model *m, const names *file, text *t)
{
    text_add(t, "{ \"%s\": 1, \"environments\": [", MARK);
    for (int k = 0; k < file->count; k++) {
        js_add(t, "%s\n  { \"name\": \"%s\", \"file\": \"%s\" }", k ? "," : "", vouch_model_environment_name(m, k),
               names_text(file, k));
    }
    text_add(t, " ] }\n");
}

typedef struct index_reading {
    js_doc doc;
    const file_content *index;
    names *env, *file;
} index_reading;

/* One environment of the list. */
static void read_entry(const index_reading *r, uint32_t at)
{
    static const js_field field[] = {{"name", STRING, true}, {"file", STRING, true}};
    const js_doc *doc = &r->doc;
    uint32_t value[2];
    js_fields(doc, at, field, 2, value);
    const char *name = js_string(doc, value[0]), *path = js_string(doc, value[1]);
    if (names_find(r->env, name) >= 0) js_fail(doc, value[0], "the environment is given twice");
    if (strchr(path, '/') || !path_ends_in(path, ".drn")) js_fail(doc, value[1], "expected the name of a .drn file");
    if (names_find(r->file, path) >= 0) js_fail(doc, value[1], "the file is given twice");
    must_count(doc->e, names_add(r->env, name));
    must_count(doc->e, names_add(r->file, path));
}

static void read_index(void *object)
{
    static const js_field field[] = {{MARK, NUMBER, true}, {"environments", ARRAY, true}};
    index_reading *r = object;
    js_doc *doc = &r->doc;
    uint32_t value[2];
    char *copy = MEM_NEW(char, r->index->length + 1);
    if (!copy) escape_memory(doc->e);
    memcpy(copy, r->index->bytes, r->index->length + 1);
    js_parse(doc, r->index->name, copy, r->index->length);
    js_fields(doc, 0, field, 2, value);
    js_int(doc, value[0], 1, 1);
    if (js_count(doc, value[1]) == 0) js_fail(doc, value[1], "there is no environment");
    for (uint32_t c = value[1] + 1; c < js_end(doc, value[1]); c = js_end(doc, c)) read_entry(r, c);
}

vouch_status drn_index_read(names *env, names *file, const file_content *index, vouch_error *error)
{
    escape e = {.error = error};
    index_reading r = {{.e = &e}, index, env, file};
    return escape_run(&e, read_index, &r);
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

static int is_drn(const struct dirent *entry) { return path_ends_in(entry->d_name, ".drn") || path_ends_in(entry->d_name, ".tra"); }
static int is_member(const struct dirent *entry) { return is_drn(entry) || drn_index_is(entry->d_name); }
static int by_name(const struct dirent **x, const struct dirent **y) { return strcmp((*x)->d_name, (*y)->d_name); }

/* The names of its files and index, each with a zero byte behind it. */
static vouch_status look_through(const char *path, size_t cap, disk_bytes *out, vouch_error *error)
{
    struct dirent **entry;
    text all = {0};
    int count = scandir(path, &entry, is_member, by_name);
    (void)cap;
    if (count < 0) return error_system(error, errno, "%s: cannot open", path);
    text_add_bytes(&all, "", 0);
    for (int i = 0; i < count; i++) {
        text_add_bytes(&all, entry[i]->d_name, strlen(entry[i]->d_name) + 1);
        free(entry[i]);
    }
    free(entry);
    if (!all.failed) *out = (disk_bytes){all.data, all.length};
    if (all.failed) text_free(&all);
    return out->bytes ? VOUCH_OK : error_memory(error);
}

typedef struct directory {
    escape *e;
    const char *path;
    names *list, there, env, file; /* list: the result; env and file: of the index */
} directory;

static char *member(const directory *d, const char *file)
{
    text name = {0};
    size_t length = strlen(d->path);
    text_add(&name, "%s%s%s", d->path, length && d->path[length - 1] == '/' ? "" : "/", file);
    return escape_take(d->e, &name);
}

static void add_member(directory *d, const char *file) { must_count(d->e, names_add(d->list, member(d, file))); }

/* The files in the order of vouch's index, if the directory has one: the index, then the files in it. There may be no others. */
static void list_by_index(directory *d)
{
    const file_content *index = escape_load(d->e, member(d, DRN_INDEX));
    if (!drn_index_speaks(index)) return;
    must(d->e, drn_index_read(&d->env, &d->file, index, d->e->error));
    add_member(d, DRN_INDEX);
    for (int i = 0; i < d->file.count; i++) {
        const char *name = names_text(&d->file, i);
        if (names_find(&d->there, name) < 0)
            escape_fail(d->e, VOUCH_ERROR_INPUT, "%s: there is no file %.100s, which %s names", d->path, name, DRN_INDEX);
        add_member(d, name);
    }
    for (int i = 0; i < d->there.count; i++)
        if (!drn_index_is(names_text(&d->there, i)) && names_find(&d->file, names_text(&d->there, i)) < 0)
            escape_fail(d->e, VOUCH_ERROR_INPUT, "%s: %s does not name the file %.100s", d->path, DRN_INDEX,
                        names_text(&d->there, i));
}

static void list_directory(void *object)
{
    directory *d = object;
    disk_bytes found;
    int before = d->list->count;
    escape_names(d->e, &d->there);
    escape_names(d->e, &d->env);
    escape_names(d->e, &d->file);
    must(d->e, disk_ask("which files has ", look_through, d->path, 0, &found, d->e->error));
    escape_own(d->e, found.bytes);
    for (const char *file = found.bytes; file < found.bytes + found.length; file += strlen(file) + 1)
        must_count(d->e, names_add(&d->there, file));
    bool index = names_find(&d->there, DRN_INDEX) >= 0;
    if (d->there.count == index)
        escape_fail(d->e, VOUCH_ERROR_INPUT,
                    "%s: there are no .drn or .tra files in this directory; expected one for each environment", d->path);
    if (index) list_by_index(d);
    if (d->list->count > before) return;
    for (int i = 0; i < d->there.count; i++)
        if (!drn_index_is(names_text(&d->there, i))) add_member(d, names_text(&d->there, i));
}

vouch_status drn_directory_files(names *list, const char *path, vouch_error *error)
{
    escape e = {.error = error};
    directory d = {.e = &e, .path = path, .list = list};
    return escape_run(&e, list_directory, &d);
}

/* The files of a directory, or the path alone. */
static vouch_status list_files(names *list, const char *path, vouch_error *error)
{
    if (path_is_directory(path)) return drn_directory_files(list, path, error);
    return names_add(list, path) < 0 ? error_memory(error) : VOUCH_OK;
}

vouch_status drn_model_files(names *list, const char *path, vouch_error *error)
{
    int before = list->count;
    vouch_status status = list_files(list, path, error);
    for (int i = before, end = list->count; i < end && !status; i++)
        if (path_ends_in(names_text(list, i), ".tra")) {
            char *own = mem_string(names_text(list, i)); /* the list moves as it grows */
            status = own ? explicit_companions(list, own, error) : error_memory(error);
            mem_free(own);
        }
    return status;
}

vouch_status drn_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    names list = {0};
    vouch_status status = list_files(&list, path, error);
    file_content *file = MEM_ZERO(file_content, list.count);
    if (!status && !file) status = error_memory(error);
    for (int i = 0; i < list.count && !status; i++) status = file_load(&file[i], names_text(&list, i), error);
    if (!status) status = drn_model_parse(model, path, list.count, file, source, error);
    for (int i = 0; file && i < list.count; i++) file_unload(&file[i]);
    mem_free(file);
    names_free(&list);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

static bool has_control(const char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name < ' ' || *name == 127) return true;
    return false;
}

/* Blanks are nothing in a valuation, & separates variables. */
bool drn_states_survive(const vouch_model *m)
{
    for (int s = 0; s < m->S; s++)
        if (!m->state_name[s][0] || has_control(m->state_name[s]) || strpbrk(m->state_name[s], " &")) return false;
    return true;
}

static bool is_own_label(const char *name)
{
    return strcmp(name, "init") == 0 || strcmp(name, "commit") == 0 || strcmp(name, "deadlock") == 0;
}

/* May one begin in s? */
static bool is_first(const vouch_model *m, int k, int s)
{
    return m->first ? m->first[(size_t)k * (size_t)m->S + (size_t)s] > 0 : s == m->s0;
}

static bool is_promised(const vouch_model *m, int j, int k, int s)
{
    return m->promises ? m->promise[j].in[(size_t)k * (size_t)m->S + (size_t)s] : m->terminal[s] > 0;
}

static void add_labels(const vouch_model *m, int k, int s, text *t)
{
    char own[READING_LABEL];
    if (is_first(m, k, s)) text_add(t, " init");
    for (int j = 0; j < (m->promises ? m->promises : 1); j++)
        if (is_promised(m, j, k, s)) text_add(t, " %s", reading_label(m, j, own));
    for (int l = 0; l < vouch_model_labels(m); l++) {
        const char *name = vouch_model_label_name(m, l);
        bool plain = name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")] == '\0';
        if (vouch_model_has_label(m, l, k, s) && !is_own_label(name)) text_add(t, plain ? " %s" : " \"%s\"", name);
    }
}

/* Without names states are aligned by number, and their labels have to agree. */
static vouch_status check_sets(const vouch_model *m, vouch_error *error)
{
    bool differ = false;
    for (int s = 0; s < m->S; s++)
        for (int k = 1; k < m->K; k++) {
            differ = differ || is_first(m, k, s) != is_first(m, 0, s);
            for (int j = 0; j < (m->promises ? m->promises : 1); j++)
                differ = differ || is_promised(m, j, k, s) != is_promised(m, j, 0, s);
        }
    if (!differ || drn_states_survive(m)) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_INPUT,
                     "%s: the states of a promise, or those where it begins, differ by environment, and names of states with "
                     "blanks or & are nothing that DRN files can be aligned by; JSON files hold both",
                     has_control(m->name) ? "the model" : m->name);
}

/* DRN names labels at their states only; a label without states is written as a comment, which drn.c reads again. */
static void add_empty_labels(const vouch_model *m, int k, text *t)
{
    const char *before = DRN_EMPTY_LABELS;
    for (int l = 0; l < vouch_model_labels(m); l++) {
        const char *name = vouch_model_label_name(m, l);
        bool held = is_own_label(name);
        for (int s = 0; s < m->S && !held; s++) held = vouch_model_has_label(m, l, k, s);
        if (held) continue;
        text_add(t, "%s \"%s\"", before, name);
        before = ",";
    }
    if (before[0] == ',') text_add(t, "\n");
}

static vouch_status check_name(const vouch_model *m, const char *kind, int i, const char *name, vouch_error *error)
{
    enum { MOST = 200 };
    if (name[0] && !has_control(name) && !strchr(name, '"') && strlen(name) <= MOST) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_INPUT,
                     "%s: %s number %d has a name that a DRN file cannot hold: empty, longer than %d bytes, or with a "
                     "quotation mark or a control character",
                     has_control(m->name) ? "the model" : m->name, kind, i + 1, MOST);
}

vouch_status drn_model_write(const vouch_model *model, int k, text *t, vouch_error *error)
{
    const vouch_model *m = model_user(model);
    const mdp *e = &m->env[k];
    char number_text[32];
    bool named = drn_states_survive(m);
    vouch_status status = VOUCH_OK;
    for (int a = 0; a < m->A && !status; a++) status = check_name(m, "action", a, m->action_name[a], error);
    for (int l = 0; l < vouch_model_labels(m) && !status; l++)
        status = check_name(m, "label", l, vouch_model_label_name(m, l), error);
    if (!status) status = check_sets(m, error);
    if (status) return status;
    text_add(t, "// ");
    text_add_comment(t, m->name);
    text_add(t, ", environment ");
    text_add_comment(t, m->env_name[k]);
    text_add(t, "\n");
    add_empty_labels(m, k, t);
    text_add(t, "@type: MDP\n%s@parameters\n\n@reward_models\nreward\n@nr_states\n%d\n@nr_choices\n%d\n@model\n",
             e->low ? "@value_type: double-interval\n" : "", m->S, m->pairs);
    for (int s = 0; s < m->S; s++) {
        text_add(t, "state %d [0]", s);
        add_labels(m, k, s, t);
        text_add(t, "\n");
        if (named) text_add(t, "\t//[%s]\n", m->state_name[s]);
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
            const char *action = m->action_name[m->pair_action[q]];
            bool quote = strpbrk(action, " [") != NULL;
            text_add(t, "\taction %s%s%s [%s]\n", quote ? "\"" : "", action, quote ? "\"" : "",
                     text_number(model_given(m, e->reward[e->start[q]]), number_text));
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                if (e->reward[o] != e->reward[e->start[q]])
                    return error_set(error, VOUCH_ERROR_INPUT,
                                     "%s: the reward of state \"%.100s\", action \"%.100s\" depends on the next state, which a DRN "
                                     "file cannot say",
                                     m->name, m->state_name[s], action);
                prob_limits x = limits_given(e, o);
                text_add(t, "\t\t%d : %s", e->next[o], x.low < x.high ? "[" : "");
                if (x.low < x.high) text_add(t, "%s, ", text_number(x.low, number_text));
                text_add(t, "%s%s\n", text_number(x.high, number_text), x.low < x.high ? "]" : "");
            }
        }
    }
    return VOUCH_OK;
}

/* The model and the file of each environment. */
typedef struct drn_files {
    const vouch_model *m;
    names file;
} drn_files;

/* A .drn file left from another model would be read as one more environment. */
static vouch_status refuse_strangers(const drn_files *files, const char *path, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    DIR *dir = opendir(path);
    if (!dir && errno == ENOENT) return VOUCH_OK;
    if (!dir) return error_system(error, errno, "%s: cannot open", path);
    for (struct dirent *entry; (entry = readdir(dir)) && !status;)
        if (is_drn(entry) && names_find(&files->file, entry->d_name) < 0)
            status = error_set(error, VOUCH_ERROR_INPUT,
                               "%s: holds %.100s, which is no file of this model and would be read as an environment of it", path,
                               entry->d_name);
    closedir(dir);
    return status;
}

/* The environments, and behind them the index. */
static vouch_status make_file(const void *context, int k, char name[OUTPUT_NAME], text *content, vouch_error *error)
{
    const drn_files *files = context;
    format_text(name, OUTPUT_NAME, "%s", k < files->m->K ? names_text(&files->file, k) : DRN_INDEX);
    if (k < files->m->K) return drn_model_write(files->m, k, content, error);
    drn_index_write(files->m, &files->file, content);
    return VOUCH_OK;
}

vouch_status drn_directory_write(const vouch_model *m, const char *path, vouch_error *error)
{
    drn_files files = {.m = m};
    vouch_status status = drn_index_files(&files.file, m, error);
    if (!status) status = refuse_strangers(&files, path, error);
    if (!status) status = output_directory(path, m->K + 1, make_file, &files, error);
    names_free(&files.file);
    return status;
}
