/* io/drn.c - explicit models, one file per environment, in the formats of PRISM (explicit.c) and of Storm (DRN).
 *
 *   @type: MDP  @reward_models  names  @nr_states  n  @model
 *   state 0 [r1, r2] init "a label"
 *       //[x=0 & y=1 & !b]
 *       action name [r1, r2]
 *           target : probability
 *
 * Storm numbers states in the order of exploration, so numbers differ between environments whose transitions differ. States are
 * therefore aligned by their valuations where every file has one for every state; otherwise by number, and then labels and actions
 * have to agree. A state that a file lacks is one that its environment cannot reach. Source: the writer and parser of Storm
 * (moves-rwth/storm, DirectEncodingExporter, DirectEncodingParser).
 */
#include <string.h>

#include "base/check.h"
#include "base/locale.h"
#include "io/drn_index.h"
#include "io/drn_read.h"
#include "io/disk.h"
#include "io/formats.h"
#include "io/family.h"

/* ---- all files together -------------------------------------------------------------------------------------- */

static void align_by_valuation(mdp_family *f, drn *files)
{
    names *all = ESCAPE_ZERO(f->e, names, 1);
    escape_names(f->e, all);
    for (int k = 0; k < f->K; k++)
        for (size_t s = 0; s < files[k].state_count; s++) {
            drn_state *state = &files[k].state[s];
            state->index = must_count(f->e, names_add(all, state->valuation));
        }
    f->S = (int)all->count;
    f->state_name = ESCAPE_ZERO(f->e, char *, f->S);
    for (int s = 0; s < f->S; s++) f->state_name[s] = escape_string(f->e, names_text(all, s));
    names_free(all);
}

/* The same number of states, the same labels and actions in each. */
static void align_by_number(mdp_family *f, drn *files)
{
    f->S = (int)files[0].state_count;
    f->state_name = ESCAPE_ZERO(f->e, char *, f->S);
    for (int s = 0; s < f->S; s++) {
        char name[32];
        format_text(name, sizeof name, "%d", s);
        f->state_name[s] = escape_string(f->e, name);
    }
    for (int k = 0; k < f->K; k++) {
        if (files[k].state_count != files[0].state_count)
            escape_fail(f->e, VOUCH_ERROR_INPUT,
                        "%s has %zu states, %s has %zu; without state valuations (--buildstateval) states are aligned by number",
                        files[0].name, files[0].state_count, files[k].name, files[k].state_count);
        for (int s = 0; s < f->S; s++) {
            drn_state *a = &files[0].state[s], *b = &files[k].state[s];
            b->index = s;
            bool same = a->label_count == b->label_count;
            for (size_t l = 0; l < a->label_count && same; l++) same = drn_has_label(b, a->label[l]);
            if (!same)
                escape_fail(f->e, VOUCH_ERROR_INPUT,
                            "state %d has other labels in %s than in %s; without state valuations (--buildstateval) states "
                            "are aligned by number",
                            s, files[k].name, files[0].name);
        }
    }
}

/* Several states labelled init are equally likely to be the initial state. */
static void find_initial(mdp_family *f, drn *files)
{
    bool several = false;
    f->initial = -1;
    f->first = ESCAPE_ZERO(f->e, double, (size_t)f->K *(size_t)f->S);
    for (int k = 0; k < f->K; k++) {
        double *first = f->first + (size_t)k * (size_t)f->S;
        int found = 0;
        for (size_t s = 0; s < files[k].state_count; s++) {
            if (!drn_has_label(&files[k].state[s], "init")) continue;
            found++;
            first[files[k].state[s].index] = 1;
            if (f->initial < 0) f->initial = files[k].state[s].index;
        }
        if (found == 0) escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: no state is labelled init", files[k].name);
        several = several || found > 1 || !(first[f->initial] > 0);
        for (int s = 0; s < f->S; s++) first[s] /= found;
    }
    if (several) return;
    f->first = NULL;
}

static bool label_exists(const drn *d, const char *label)
{
    for (size_t s = 0; s < d->state_count; s++)
        if (drn_has_label(&d->state[s], label)) return true;
    return false;
}

/* The states of a label, of its negation, or named one by one, into set [K * S]. */
static void find_states(mdp_family *f, const drn *files, const specification *w, const char *what, bool set[])
{
    bool without = what[0] == '!' && what[1];
    char label[256];
    what += without;
    format_text(label, sizeof label, "%s", what);
    size_t n = strlen(label);
    if (n > 2 && label[0] == '"' && label[n - 1] == '"') {
        label[n - 1] = '\0';
        memmove(label, label + 1, n - 1);
    }
    bool any = names_find(&f->labels, label) >= 0;
    for (int k = 0; k < f->K; k++) any = any || label_exists(&files[k], label);
    if (!any && !without) {
        family_name_states(f, w->place, what, set);
        return;
    }
    if (!any) escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: %s: there is no label \"%.100s\"", f->path, w->place, label);
    for (int k = 0; k < f->K; k++)
        for (size_t i = 0; i < files[k].state_count; i++)
            set[(size_t)k * (size_t)f->S + (size_t)files[k].state[i].index] = drn_has_label(&files[k].state[i], label) != without;
    family_complete_set(f, set);
}

/* Labels that say where one begins and ends. */
static bool is_own(const char *label) { return strcmp(label, "init") == 0 || strcmp(label, "deadlock") == 0; }

/* Labels that a file names, or says to hold in no state. */
static void find_empty_labels(mdp_family *f, const drn *files, const file_content file[])
{
    for (int k = 0; k < f->K; k++)
        for (int l = 0; l < files[k].declared.count; l++)
            if (!is_own(names_text(&files[k].declared, l)))
                must_count(f->e, names_add(&f->labels, names_text(&files[k].declared, l)));
    for (int k = 0; k < f->K; k++)
        for (const char *line = file[k].bytes; *line == '/'; line += strcspn(line, "\n"), line += *line == '\n') {
            const char *end = line + strcspn(line, "\r\n"), *name = line + strlen(DRN_EMPTY_LABELS);
            if (strncmp(line, DRN_EMPTY_LABELS, strlen(DRN_EMPTY_LABELS)) != 0) continue;
            while ((name = memchr(name, '"', (size_t)(end - name)))) {
                name++;
                const char *last = memchr(name, '"', (size_t)(end - name));
                if (!last) break;
                if (last > name) must_count(f->e, names_add_bytes(&f->labels, name, (size_t)(last - name)));
                name = last + 1;
            }
        }
}

/* All labels except beginnings and ends. If an environment cannot reach a state, the state has the labels of the first
 * environment that can. */
static void find_labels(mdp_family *f, const drn *files)
{
    int *first = ESCAPE_NEW(f->e, int, f->S);
    for (int s = 0; s < f->S; s++) first[s] = -1;
    for (int k = 0; k < f->K; k++)
        for (size_t i = 0; i < files[k].state_count; i++) {
            const drn_state *state = &files[k].state[i];
            if (first[state->index] < 0) first[state->index] = k;
            for (size_t l = 0; l < state->label_count; l++) {
                if (is_own(state->label[l])) continue;
                for (int j = 0; j < f->K; j++) {
                    bool reached = f->reached[(size_t)j * (size_t)f->S + (size_t)state->index];
                    if (j != k && (reached || first[state->index] != k)) continue;
                    family_add_label(f, state->label[l], j, state->index);
                }
            }
        }
}

static void find_promises(mdp_family *f, const drn *files)
{
    family_make_sets(f);
    for (size_t j = 0; j < f->promised.item_count; j++) {
        const specification *w = &f->promised.item[j];
        find_states(f, files, w, w->what, f->in[j]);
        if (w->through) find_states(f, files, w, w->through, f->through[j]);
    }
}

static void add_rows(mdp_family *f, const drn *d, int k)
{
    CHECK(k >= 0 && k < f->K);
    const char *time_to = d->source->time_to;
    if (time_to && !label_exists(d, time_to))
        escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: --time-to: no state has the label \"%.100s\"", d->name, time_to);
    for (size_t s = 0; s < d->state_count; s++) {
        size_t at = (size_t)k * (size_t)f->S + (size_t)d->state[s].index;
        f->reached[at] = true;
        f->idle_reward[at] = time_to ? (drn_has_label(&d->state[s], time_to) ? 0 : -1) : d->state[s].reward;
    }
    for (size_t c = 0; c < d->choice_count; c++) {
        const drn_choice *choice = &d->choice[c];
        int from = d->state[choice->state].index, action = family_action(f, choice->name);
        double reward = f->idle_reward[(size_t)k * (size_t)f->S + (size_t)from] + (time_to ? 0 : choice->reward);
        for (size_t i = choice->first; i < choice->first + choice->count; i++)
            family_add_row(f, (model_row){k, from, action, d->state[d->step[i].to].index, d->step[i].probability,
                                          reward + (time_to ? 0 : d->step[i].reward), 0});
    }
}

/* The environment in the first line, which vouch writes there; NULL: none. */
static const char *remarked_environment(const file_content *file, size_t *length)
{
    static const char mark[] = ", environment ";
    const char *name = NULL, *end = file->bytes + strcspn(file->bytes, "\r\n");
    if (strncmp(file->bytes, "// ", 3) != 0) return NULL;
    for (const char *at = file->bytes; (at = strstr(at, mark)) && at < end;) name = at += strlen(mark);
    *length = name ? (size_t)(end - name) : 0;
    return *length > 0 ? name : NULL;
}

/* In files of vouch the first line has the environment's name; otherwise the name is made from the file's. */
static void name_environments(mdp_family *f, const file_content file[])
{
    names *remarked = ESCAPE_ZERO(f->e, names, 1);
    size_t n = 0;
    bool all = true;
    escape_names(f->e, remarked);
    for (int k = 0; k < f->K && all; k++) {
        const char *name = remarked_environment(&file[k], &n);
        all = name && names_add_bytes(remarked, name, n) == k;
    }
    for (int k = 0; k < f->K; k++) {
        const char *base = disk_name(file[k].name);
        f->env_name[k] = all ? escape_string(f->e, names_text(remarked, k)) : escape_bytes(f->e, base, strcspn(base, "."));
    }
}

/* The names that an index gives. */
static void name_by_index(mdp_family *f, const file_content *index)
{
    names *env = ESCAPE_ZERO(f->e, names, 2);
    escape_names(f->e, &env[0]);
    escape_names(f->e, &env[1]);
    must(f->e, drn_index_read(&env[0], &env[1], index, f->e->error));
    if (env->count != f->K)
        escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: %d environments, but %d files", index->name, env->count, f->K);
    f->env_name = ESCAPE_ZERO(f->e, char *, f->K);
    for (int k = 0; k < f->K; k++) f->env_name[k] = escape_string(f->e, names_text(env, k));
}

typedef struct drn_reading {
    mdp_family f;
    const file_content *index, *file; /* file [K] */
} drn_reading;

static void read_files(void *object)
{
    drn_reading *r = object;
    mdp_family *f = &r->f;
    drn *files = ESCAPE_ZERO(f->e, drn, f->K);
    bool valued = true;
    if (r->index) name_by_index(f, r->index);
    if (f->source->reward && f->source->time_to) escape_fail(f->e, VOUCH_ERROR_INPUT, "--reward and --time-to exclude each other");
    for (int k = 0; k < f->K; k++) drn_read(&files[k], f->e, &r->file[k], f->source);
    for (int k = 0; k < f->K; k++)
        for (size_t s = 0; s < files[k].state_count; s++) valued = valued && files[k].state[s].valuation;
    (valued ? align_by_valuation : align_by_number)(f, files);
    f->reached = ESCAPE_ZERO(f->e, bool, (size_t)f->K *(size_t)f->S);
    f->idle_reward = ESCAPE_ZERO(f->e, double, (size_t)f->K *(size_t)f->S);
    find_initial(f, files);
    if (!f->env_name) {
        f->env_name = ESCAPE_ZERO(f->e, char *, f->K);
        name_environments(f, r->file);
    }
    for (int k = 0; k < f->K; k++) add_rows(f, &files[k], k);
    family_check_source(f);
    find_empty_labels(f, files, r->file);
    find_promises(f, files);
    find_labels(f, files);
    family_initial(f);
    family_finish(f);
}

vouch_status drn_model_parse(vouch_model **model, const char *name, int count, const file_content file[],
                             const vouch_source *source, vouch_error *error)
{
    bool indexed = count > 0 && drn_index_is(file[0].name);
    drn_reading r = {.f = {.path = name, .source = source, .K = count - indexed}, .file = file + indexed};
    if (indexed) r.index = file;
    return family_read(&r.f, read_files, &r, model, error);
}
