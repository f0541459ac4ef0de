/* io/drn.c - explicit models, one file per environment: those of PRISM (explicit.h) and Storm's, DRN.
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
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/drn_index.h"
#include "io/drn_read.h"
#include "io/explicit.h"
#include "io/disk.h"
#include "io/formats.h"
#include "io/family.h"

/* ---- all files together -------------------------------------------------------------------------------------- */

static vouch_status align_by_valuation(mdp_family *f, drn *files)
{
    names all = {0};
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < f->K && !status; k++)
        for (size_t s = 0; s < files[k].state_count && !status; s++) {
            drn_state *state = &files[k].state[s];
            state->index = names_add(&all, state->valuation);
            if (state->index < 0) status = error_memory(f->error);
        }
    f->S = (int)all.count;
    f->state_name = MEM_ZERO(char *, f->S);
    for (int s = 0; s < f->S && !status; s++)
        if (!f->state_name || !(f->state_name[s] = mem_string(names_text(&all, s)))) status = error_memory(f->error);
    names_free(&all);
    return status;
}

/* The same number of states, the same labels and actions in each. */
static vouch_status align_by_number(mdp_family *f, drn *files)
{
    f->S = (int)files[0].state_count;
    f->state_name = MEM_ZERO(char *, f->S);
    if (!f->state_name) return error_memory(f->error);
    for (int s = 0; s < f->S; s++) {
        char name[32];
        format_text(name, sizeof name, "%d", s);
        if (!(f->state_name[s] = mem_string(name))) return error_memory(f->error);
    }
    for (int k = 0; k < f->K; k++) {
        if (files[k].state_count != files[0].state_count)
            return error_set(
                f->error, VOUCH_ERROR_INPUT,
                "%s has %zu states, %s has %zu; without state valuations (--buildstateval) states are aligned by number",
                files[0].name, files[0].state_count, files[k].name, files[k].state_count);
        for (int s = 0; s < f->S; s++) {
            drn_state *a = &files[0].state[s], *b = &files[k].state[s];
            b->index = s;
            bool same = a->labels == b->labels;
            for (size_t l = 0; l < a->labels && same; l++) same = drn_has_label(b, a->label[l]);
            if (!same)
                return error_set(f->error, VOUCH_ERROR_INPUT,
                                 "state %d has other labels in %s than in %s; without state valuations (--buildstateval) states "
                                 "are aligned by number",
                                 s, files[k].name, files[0].name);
        }
    }
    return VOUCH_OK;
}

/* Several states labelled init are equally likely to be the initial state. */
static vouch_status find_initial(mdp_family *f, drn *files)
{
    bool several = false;
    f->initial = -1;
    f->first = MEM_ZERO(double, (size_t)f->K *(size_t)f->S);
    if (!f->first) return error_memory(f->error);
    for (int k = 0; k < f->K; k++) {
        double *first = f->first + (size_t)k * (size_t)f->S;
        int found = 0;
        for (size_t s = 0; s < files[k].state_count; s++) {
            if (!drn_has_label(&files[k].state[s], "init")) continue;
            found++;
            first[files[k].state[s].index] = 1;
            if (f->initial < 0) f->initial = files[k].state[s].index;
        }
        if (found == 0) return error_set(f->error, VOUCH_ERROR_INPUT, "%s: no state is labelled init", files[k].name);
        several = several || found > 1 || !(first[f->initial] > 0);
        for (int s = 0; s < f->S; s++) first[s] /= found;
    }
    if (several) return VOUCH_OK;
    mem_free(f->first);
    f->first = NULL;
    return VOUCH_OK;
}

static bool label_exists(const drn *d, const char *label)
{
    for (size_t s = 0; s < d->state_count; s++)
        if (drn_has_label(&d->state[s], label)) return true;
    return false;
}

/* The states of a label, of its negation, or named one by one, into set [K * S]. */
static vouch_status find_states(mdp_family *f, const drn *files, const specification *w, const char *what, bool set[])
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
    if (!any && !without) return family_name_states(f, w->place, what, set);
    if (!any) return error_set(f->error, VOUCH_ERROR_INPUT, "%s: %s: there is no label \"%.100s\"", f->path, w->place, label);
    for (int k = 0; k < f->K; k++)
        for (size_t i = 0; i < files[k].state_count; i++)
            set[(size_t)k * (size_t)f->S + (size_t)files[k].state[i].index] = drn_has_label(&files[k].state[i], label) != without;
    family_complete_set(f, set);
    return VOUCH_OK;
}

/* Labels that say where one begins and ends. */
static bool is_own(const char *label) { return strcmp(label, "init") == 0 || strcmp(label, "deadlock") == 0; }

/* Labels that a file names, or says to hold in no state. */
static vouch_status find_empty_labels(mdp_family *f, const drn *files, const file_content file[])
{
    for (int k = 0; k < f->K; k++)
        for (int l = 0; l < files[k].declared.count; l++)
            if (!is_own(names_text(&files[k].declared, l)) && names_add(&f->labels, names_text(&files[k].declared, l)) < 0)
                return error_memory(f->error);
    for (int k = 0; k < f->K; k++)
        for (const char *line = file[k].bytes; *line == '/'; line += strcspn(line, "\n"), line += *line == '\n') {
            const char *end = line + strcspn(line, "\r\n"), *name = line + strlen(DRN_EMPTY_LABELS);
            if (strncmp(line, DRN_EMPTY_LABELS, strlen(DRN_EMPTY_LABELS)) != 0) continue;
            while ((name = memchr(name, '"', (size_t)(end - name)))) {
                name++;
                const char *last = memchr(name, '"', (size_t)(end - name));
                if (!last) break;
                if (last > name && names_add_bytes(&f->labels, name, (size_t)(last - name)) < 0) return error_memory(f->error);
                name = last + 1;
            }
        }
    return VOUCH_OK;
}

/* All but those that say where one begins and ends. Where an environment never is, a state has the labels that it has in the first
 * that gets there. */
static vouch_status find_labels(mdp_family *f, const drn *files)
{
    int *first = MEM_NEW(int, f->S);
    if (!first) return error_memory(f->error);
    for (int s = 0; s < f->S; s++) first[s] = -1;
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < f->K && !status; k++)
        for (size_t i = 0; i < files[k].state_count && !status; i++) {
            const drn_state *state = &files[k].state[i];
            if (first[state->index] < 0) first[state->index] = k;
            for (size_t l = 0; l < state->labels && !status; l++) {
                if (is_own(state->label[l])) continue;
                for (int j = 0; j < f->K && !status; j++) {
                    bool reached = f->reached[(size_t)j * (size_t)f->S + (size_t)state->index];
                    if (j != k && (reached || first[state->index] != k)) continue;
                    if (family_add_label(f, state->label[l], j, state->index)) status = error_memory(f->error);
                }
            }
        }
    mem_free(first);
    return status;
}

static vouch_status find_promises(mdp_family *f, const drn *files)
{
    vouch_status status = family_make_sets(f);
    for (size_t j = 0; j < f->promised.count && !status; j++) {
        const specification *w = &f->promised.item[j];
        status = find_states(f, files, w, w->what, f->in[j]);
        if (!status && w->through) status = find_states(f, files, w, w->through, f->through[j]);
    }
    return status;
}

static vouch_status add_rows(mdp_family *f, const drn *d, int k)
{
    CHECK(k >= 0 && k < f->K);
    const char *time_to = d->source->time_to;
    if (time_to && !label_exists(d, time_to))
        return error_set(f->error, VOUCH_ERROR_INPUT, "%s: --time-to: no state has the label \"%.100s\"", d->name, time_to);
    for (size_t s = 0; s < d->state_count; s++) {
        size_t at = (size_t)k * (size_t)f->S + (size_t)d->state[s].index;
        f->reached[at] = true;
        f->idle_reward[at] = time_to ? (drn_has_label(&d->state[s], time_to) ? 0 : -1) : d->state[s].reward;
    }
    for (size_t c = 0; c < d->choice_count; c++) {
        const drn_choice *choice = &d->choice[c];
        int from = d->state[choice->state].index, action = family_action(f, choice->name);
        if (action < 0) return error_memory(f->error);
        double reward = f->idle_reward[(size_t)k * (size_t)f->S + (size_t)from] + (time_to ? 0 : choice->reward);
        for (size_t i = choice->first; i < choice->first + choice->count; i++)
            if (family_add_row(f, (model_row){k, from, action, d->state[d->step[i].to].index, d->step[i].probability,
                                              reward + (time_to ? 0 : d->step[i].reward), 0}))
                return error_memory(f->error);
    }
    return VOUCH_OK;
}

/* What vouch writes into the first line; NULL: it says nothing. */
static const char *remarked_environment(const file_content *file, size_t *length)
{
    static const char mark[] = ", environment ";
    const char *name = NULL, *end = file->bytes + strcspn(file->bytes, "\r\n");
    if (strncmp(file->bytes, "// ", 3) != 0) return NULL;
    for (const char *at = file->bytes; (at = strstr(at, mark)) && at < end;) name = at += strlen(mark);
    *length = name ? (size_t)(end - name) : 0;
    return *length > 0 ? name : NULL;
}

/* Files that vouch wrote say what their environments are called; others have names of their own. */
static vouch_status name_environments(mdp_family *f, const file_content file[])
{
    names remarked = {0};
    size_t n = 0;
    bool all = true;
    for (int k = 0; k < f->K && all; k++) {
        const char *name = remarked_environment(&file[k], &n);
        all = name && names_add_bytes(&remarked, name, n) == k;
    }
    for (int k = 0; k < f->K; k++) {
        const char *base = disk_name(file[k].name);
        f->env_name[k] = mem_string(all ? names_text(&remarked, k) : base);
        if (!f->env_name[k]) break;
        if (!all) f->env_name[k][strcspn(base, ".")] = '\0';
    }
    names_free(&remarked);
    return f->K > 0 && f->env_name[f->K - 1] ? VOUCH_OK : error_memory(f->error);
}

/* The names that an index gives. */
static vouch_status name_by_index(mdp_family *f, const file_content *index)
{
    names env = {0}, file = {0};
    vouch_status status = drn_index_read(&env, &file, index, f->error);
    if (!status && env.count != f->K)
        status = error_set(f->error, VOUCH_ERROR_INPUT, "%s: %d environments, but %d files", index->name, env.count, f->K);
    f->env_name = status ? NULL : MEM_ZERO(char *, f->K);
    if (!status && !f->env_name) status = error_memory(f->error);
    for (int k = 0; k < f->K && !status; k++)
        if (!(f->env_name[k] = mem_string(names_text(&env, k)))) status = error_memory(f->error);
    names_free(&env);
    names_free(&file);
    return status;
}

static vouch_status assemble(mdp_family *f, drn *files, const file_content file[], const vouch_source *source, vouch_model **model)
{
    bool valued = true;
    for (int k = 0; k < f->K; k++)
        for (size_t s = 0; s < files[k].state_count; s++) valued = valued && files[k].state[s].valuation;
    vouch_status status = valued ? align_by_valuation(f, files) : align_by_number(f, files);
    if (status) return status;
    f->reached = MEM_ZERO(bool, (size_t)f->K *(size_t)f->S);
    f->idle_reward = MEM_ZERO(double, (size_t)f->K *(size_t)f->S);
    bool named = f->env_name != NULL;
    if (!named) f->env_name = MEM_ZERO(char *, f->K);
    if (!f->reached || !f->idle_reward || !f->env_name) return error_memory(f->error);
    status = find_initial(f, files);
    if (!status && !named) status = name_environments(f, file);
    for (int k = 0; k < f->K && !status; k++) status = add_rows(f, &files[k], k);
    if (!status) status = family_check_source(f, source);
    if (!status) status = find_empty_labels(f, files, file);
    if (!status) status = find_promises(f, files);
    if (!status) status = find_labels(f, files);
    if (!status) status = family_initial(f, source);
    return status ? status : family_finish(f, source, model);
}

vouch_status drn_read_any(drn *d, const file_content *file, const vouch_source *source, vouch_error *error)
{
    bool explicit = path_ends_in(file->name, ".tra") || recognise(file) == FILE_EXPLICIT;
    return explicit ? explicit_read(d, file, source, error) : drn_read(d, file, source, error);
}

vouch_status drn_model_parse(vouch_model **model, const char *name, int count, const file_content file[],
                             const vouch_source *source, vouch_error *error)
{
    *model = NULL;
    const file_content *index = count > 0 && drn_index_is(file[0].name) ? file++ : NULL;
    if (index) count--;
    mdp_family f = {.path = name, .error = error, .K = count};
    drn *files = MEM_ZERO(drn, count);
    vouch_status status = files ? VOUCH_OK : error_memory(error);
    if (!status && index) status = name_by_index(&f, index);
    if (!status && source->reward && source->time_to)
        status = error_set(error, VOUCH_ERROR_INPUT, "--reward and --time-to exclude each other");
    for (int k = 0; k < count && !status; k++) status = drn_read_any(&files[k], &file[k], source, error);
    if (!status) status = assemble(&f, files, file, source, model);
    for (int k = 0; files && k < count; k++) drn_free(&files[k]);
    mem_free(files);
    family_free(&f);
    return status;
}
