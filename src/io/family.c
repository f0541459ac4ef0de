/* io/family.c - see family.h. Rows are sorted by state, so that one pass sees all environments' actions of a state together
 * and no table over states and actions is needed. */
#include "io/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/disk.h"
#include "io/json.h"

int family_action(mdp_family *f, const char *name) { return names_add(&f->actions, name); }

int family_add_row(mdp_family *f, model_row row)
{
    CHECK(row.env >= 0 && row.state >= 0 && row.action >= 0 && row.next >= 0);
    if (mem_reserve((void **)&f->rows, &f->row_capacity, f->row_count, sizeof *f->rows)) return -1;
    row.order = f->row_count;
    f->rows[f->row_count++] = row;
    return 0;
}

int family_expect_rows(mdp_family *f, size_t more)
{
    if (f->row_capacity - f->row_count >= more) return 0;
    if (MEM_RESIZE(&f->rows, f->row_count + more)) return -1;
    f->row_capacity = f->row_count + more;
    return 0;
}

int family_add_label(mdp_family *f, const char *name, int env, int state)
{
    int label = names_add(&f->labels, name);
    if (label < 0 || MEM_RESERVE(&f->label, &f->label_capacity, f->label_count)) return -1;
    f->label[f->label_count++] = (family_label){label, env, state};
    return 0;
}

void family_free(mdp_family *f)
{
    for (int s = 0; f->state_name && s < f->S; s++) mem_free(f->state_name[s]);
    for (int k = 0; f->env_name && k < f->K; k++) mem_free(f->env_name[k]);
    mem_free(f->state_name);
    mem_free(f->env_name);
    names_free(&f->actions);
    names_free(&f->states);
    names_free(&f->labels);
    mem_free(f->label);
    for (size_t j = 0; j < f->promised.count; j++) {
        if (f->in) mem_free(f->in[j]);
        if (f->through) mem_free(f->through[j]);
    }
    mem_free(f->in);
    mem_free(f->through);
    mem_free(f->first);
    specifications_free(&f->promised);
    mem_free(f->reached);
    mem_free(f->idle_reward);
    mem_free(f->rows);
    *f = (mdp_family){0};
}

vouch_status family_make_sets(mdp_family *f)
{
    size_t n = f->promised.count, cells = (size_t)f->K * (size_t)f->S;
    f->in = MEM_ZERO(bool *, n);
    f->through = MEM_ZERO(bool *, n);
    if (!f->in || !f->through) return error_memory(f->error);
    for (size_t j = 0; j < n; j++) {
        f->in[j] = MEM_ZERO(bool, cells);
        if (f->promised.item[j].through) f->through[j] = MEM_ZERO(bool, cells);
        if (!f->in[j] || (f->promised.item[j].through && !f->through[j])) return error_memory(f->error);
    }
    return VOUCH_OK;
}

/* The number of the state of this name; -1: none. */
static int find_state(mdp_family *f, const char *name, size_t length)
{
    while (f->states.count < f->S) {
        int s = f->states.count;
        if (names_add(&f->states, f->state_name[s]) != s) break; /* of the same name as another one, or memory: then one by one */
    }
    int found = length && !memchr(name, 0, length) ? names_find_bytes(&f->states, name, length) : -1;
    for (int s = f->states.count; s < f->S && found < 0; s++)
        if (strlen(f->state_name[s]) == length && strncmp(f->state_name[s], name, length) == 0) found = s;
    return found;
}

vouch_status family_name_states(mdp_family *f, const char *place, const char *list, bool set[])
{
    while (*list) {
        size_t n = strcspn(list, ",");
        int found = find_state(f, list, n);
        if (found < 0)
            return error_set(f->error, VOUCH_ERROR_INPUT, "%s: %s: there is no state or label \"%.*s\"", f->path, place,
                             (int)(n < 100 ? n : 100), list);
        for (int k = 0; k < f->K; k++) set[(size_t)k * (size_t)f->S + (size_t)found] = true;
        list += n + (list[n] == ',');
    }
    return VOUCH_OK;
}

void family_complete_set(const mdp_family *f, bool set[])
{
    size_t S = (size_t)f->S;
    for (size_t s = 0; s < S && f->reached; s++) {
        int first = 0;
        while (first < f->K && !f->reached[(size_t)first * S + s]) first++;
        for (int k = 0; k < f->K && first < f->K; k++)
            if (!f->reached[(size_t)k * S + s]) set[(size_t)k * S + s] = set[(size_t)first * S + s];
    }
}

vouch_status family_initial(mdp_family *f, const vouch_source *source)
{
    size_t n = source->initial_count, S = (size_t)f->S;
    if (n == 0) return VOUCH_OK;
    double sum = 0;
    mem_free(f->first);
    f->first = MEM_ZERO(double, (size_t)f->K *S);
    if (!f->first) return error_memory(f->error);
    for (size_t i = 0; i < n; i++) {
        const char *given = source->initial[i], *name;
        size_t length = strlen(given);
        double p = 1 / (double)n;
        int s = find_state(f, given, length);
        if (s < 0 && specification_probability(given, &name, &length, &p) && length > 0) s = find_state(f, given, length);
        if (s < 0) return error_set(f->error, VOUCH_ERROR_INPUT, "%s: --initial: there is no state \"%.100s\"", f->path, given);
        sum += p;
        for (int k = 0; k < f->K; k++) f->first[(size_t)k * S + (size_t)s] += p;
        if (n > 1) continue;
        f->initial = s;
        mem_free(f->first);
        f->first = NULL;
    }
    if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
        return error_set(f->error, VOUCH_ERROR_INPUT, "%s: --initial: the probabilities sum to %.10g; expected 1", f->path, sum);
    return VOUCH_OK;
}

/* ---- the actions of a state ---------------------------------------------------------------------------------- */

static int by_state(const void *x, const void *y)
{
    const model_row *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->action != b->action) return a->action < b->action ? -1 : 1;
    if (a->env != b->env) return a->env < b->env ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool reached(const mdp_family *f, int k, int s) { return !f->reached || f->reached[(size_t)k * (size_t)f->S + (size_t)s]; }

static int add_loop(mdp_family *f, int k, int s, int a)
{
    CHECK(k >= 0 && k < f->K && s >= 0 && s < f->S);
    double reward = f->idle_reward ? f->idle_reward[(size_t)k * (size_t)f->S + (size_t)s] : 0;
    return family_add_row(f, (model_row){k, s, a, s, 1, reward, 0});
}

/* Rows first .. last-1 are those of one state and action, environments ascending. */
static vouch_status complete_action(mdp_family *f, size_t first, size_t last, int merge)
{
    CHECK(first < last && last <= f->row_count);
    int s = f->rows[first].state, a = f->rows[first].action, has = -1;
    size_t r = first;
    for (size_t i = first; i < last && has < 0; i++)
        if (reached(f, f->rows[i].env, s)) has = f->rows[i].env;
    if (has < 0) { /* only environments that never get here have it: no action of this state */
        for (size_t i = first; i < last; i++) f->rows[i].prob = -1;
        return VOUCH_OK;
    }
    for (int k = 0; k < f->K; k++) {
        bool present = r < last && f->rows[r].env == k;
        while (r < last && f->rows[r].env == k) r++;
        if (present) continue;
        if (reached(f, k, s) && !merge)
            return error_set(f->error, VOUCH_ERROR_INPUT,
                             "%s: state \"%.200s\": environment \"%.100s\" has the action \"%.60s\", environment \"%.100s\" has "
                             "not; the actions of a "
                             "state must be the same in all environments (--merge-actions makes a missing one a loop)",
                             f->path, f->state_name[s], f->env_name[has], names_text(&f->actions, a), f->env_name[k]);
        if (add_loop(f, k, s, a)) return error_memory(f->error);
    }
    return VOUCH_OK;
}

static void sort_by_state(mdp_family *f) /* a sorted list is left alone: qsort would copy it */
{
    size_t r = 1;
    while (r < f->row_count && by_state(&f->rows[r - 1], &f->rows[r]) < 0) r++;
    if (r < f->row_count) qsort(f->rows, f->row_count, sizeof *f->rows, by_state);
}

static vouch_status complete_actions(mdp_family *f, const vouch_source *source)
{
    vouch_status status = VOUCH_OK;
    size_t given = f->row_count;
    bool *acts = MEM_ZERO(bool, f->S); /* has the state an action somewhere it is reached? */
    if (!acts) return error_memory(f->error);
    sort_by_state(f);
    for (size_t first = 0, last; first < given && !status; first = last) {
        for (last = first;
             last < given && f->rows[last].state == f->rows[first].state && f->rows[last].action == f->rows[first].action;)
            last++;
        status = complete_action(f, first, last, source->merge_actions);
        if (!status && f->rows[first].prob >= 0) acts[f->rows[first].state] = true;
    }
    for (int s = 0; s < f->S && !status && source->fix_deadlocks; s++) {
        bool anywhere = false;
        for (int k = 0; k < f->K && !anywhere; k++) anywhere = reached(f, k, s);
        if (acts[s] || !anywhere) continue;
        int loop = family_action(f, "_1");
        for (int k = 0; k < f->K && !status; k++)
            if (loop < 0 || add_loop(f, k, s, loop)) status = error_memory(f->error);
    }
    mem_free(acts);
    return status;
}

/* ---- the model ----------------------------------------------------------------------------------------------- */

static vouch_status name_model(const mdp_family *f, vouch_model *m)
{
    const char *base = disk_name(f->path);
    char name[128];
    size_t n = strcspn(base, ".");
    if (n == 0 || n >= sizeof name) n = strlen(base) < sizeof name ? strlen(base) : sizeof name - 1;
    memcpy(name, base, n);
    name[n] = '\0';
    vouch_status status = vouch_model_set_name(m, name);
    for (int s = 0; s < f->S && !status; s++) status = vouch_model_set_state_name(m, s, f->state_name[s]);
    for (int k = 0; k < f->K && !status; k++) status = vouch_model_set_environment_name(m, k, f->env_name[k]);
    for (int a = 0; a < f->actions.count && !status; a++) status = vouch_model_set_action_name(m, a, names_text(&f->actions, a));
    return status;
}

static bool same_everywhere(const mdp_family *f, const bool set[])
{
    for (int k = 1; k < f->K; k++)
        if (memcmp(set, set + (size_t)k * (size_t)f->S, (size_t)f->S * sizeof *set) != 0) return false;
    return true;
}

static vouch_status add_promise(const mdp_family *f, vouch_model *m, int j)
{
    const specification *w = &f->promised.item[j];
    size_t cells = (size_t)f->K * (size_t)f->S;
    vouch_status status = vouch_model_add_promise(m, w->name, w->kind, w->from, w->to);
    for (size_t i = 0; i < cells && !status; i++) {
        int k = (int)(i / (size_t)f->S), s = (int)(i % (size_t)f->S);
        if (f->in[j][i]) status = vouch_model_set_promise_state(m, j, k, s, 1);
        if (f->through[j] && !status) status = vouch_model_set_promise_through(m, j, k, s, f->through[j][i]);
    }
    if (!status) status = vouch_model_set_promise_probability(m, j, -1, w->p);
    return status ? status : vouch_model_set_promise_average(m, j, w->average);
}

/* One plain commitment to the same states in all environments is one without a list. */
static vouch_status add_promises(const mdp_family *f, vouch_model *m)
{
    vouch_status status = VOUCH_OK;
    if (f->promised.count != 1 || !f->promised.item[0].plain || !same_everywhere(f, f->in[0])) {
        for (size_t j = 0; j < f->promised.count && !status; j++) status = add_promise(f, m, (int)j);
        return status;
    }
    for (int s = 0; s < f->S && !status; s++)
        if (f->in[0][s]) status = vouch_model_set_commitment(m, s, 1);
    return status ? status : vouch_model_set_probability(m, f->promised.item[0].p);
}

static vouch_status check_name(const mdp_family *f, const char *kind, const char *name)
{
    if (js_utf8(name)) return VOUCH_OK;
    return error_set(f->error, VOUCH_ERROR_INPUT, "%s: the %s \"%.100s\" is not UTF-8", f->path, kind, name);
}

/* What is read here is written as JSON, too. */
static vouch_status check_names(const mdp_family *f)
{
    vouch_status status = VOUCH_OK;
    for (int s = 0; s < f->S && !status; s++) status = check_name(f, "state", f->state_name[s]);
    for (int k = 0; k < f->K && !status; k++) status = check_name(f, "environment", f->env_name[k]);
    for (int a = 0; a < f->actions.count && !status; a++) status = check_name(f, "action", names_text(&f->actions, a));
    for (int l = 0; l < f->labels.count && !status; l++) status = check_name(f, "label", names_text(&f->labels, l));
    return status;
}

/* The model takes over the block of rows and adds them one by one, each at its own place or before it, so that they never exist
 * twice. Rows of a negative probability have been replaced. */
static vouch_status move_rows(mdp_family *f, vouch_model *m)
{
    CHECK(!m->rows);
    m->rows = f->rows;
    m->row_capacity = f->row_capacity;
    f->rows = NULL;
    vouch_status status = VOUCH_OK;
    for (size_t i = 0; i < f->row_count && !status; i++) {
        const model_row r = m->rows[i];
        if (r.prob >= 0) status = vouch_model_add(m, r.env, r.state, r.action, r.next, r.prob, r.reward);
    }
    f->row_count = f->row_capacity = 0;
    return status;
}

static vouch_status build(mdp_family *f, vouch_model *m)
{
    vouch_status status = name_model(f, m);
    if (!status) status = vouch_model_set_initial(m, f->initial);
    if (!status) status = add_promises(f, m);
    for (int l = 0; l < f->labels.count && !status; l++) status = vouch_model_add_label(m, names_text(&f->labels, l));
    for (size_t i = 0; i < f->label_count && !status; i++)
        status = vouch_model_set_label_state(m, f->label[i].label, f->label[i].env, f->label[i].state, 1);
    for (size_t i = 0; f->first && i < (size_t)f->K * (size_t)f->S && !status; i++)
        if (f->first[i] > 0)
            status = vouch_model_set_initial_probability(m, (int)(i / (size_t)f->S), (int)(i % (size_t)f->S), fmin(1, f->first[i]));
    if (!status) status = move_rows(f, m);
    if (status) return error_set(f->error, status, "%s: %s", f->path, vouch_status_text(status));
    vouch_error why = {0};
    status = vouch_model_finish(m, NULL, &why);
    return status ? error_set(f->error, status, "%.200s: %s%s", f->path, why.text,
                              strstr(why.text, "has no action") ? " (--fix-deadlocks makes it a loop)" : "")
                  : VOUCH_OK;
}

/* Is this a property of the PRISM language, such as P>=0.9 [ F "port" ] or F "port", in the place of states? */
static bool is_property(const char *commit)
{
    size_t word = strspn(commit, "PRFGmaxin");
    const char *rest = commit + word + strspn(commit + word, " ");
    if (commit[0] == 'P' || commit[0] == 'R') return word > 0 && strchr("<>=", *rest) && strchr(rest, '[');
    return word == 1 && rest > commit + 1 && (*rest == '"' || *rest == '_' || ascii_alpha(*rest));
}

vouch_status family_check_source(mdp_family *f, const vouch_source *source)
{
    if (source->horizon < 1)
        return error_set(f->error, VOUCH_ERROR_INPUT, "%s: a file of this format has no horizon: give -T", f->path);
    if (source->commit && is_property(source->commit))
        return error_set(f->error, VOUCH_ERROR_INPUT,
                         "--commit \"%.100s\": this is a property of the PRISM language, which --prop FILE reads; --commit takes "
                         "states, as goal in by:goal>=0.9",
                         source->commit);
    if (source->probability < 0 || source->probability > 1)
        return error_set(f->error, VOUCH_ERROR_INPUT, "%s: the commitment probability must lie between 0 and 1", f->path);
    if (source->commit && isnan(source->probability))
        return error_set(f->error, VOUCH_ERROR_INPUT,
                         "%s: --commit needs the probability: give -p, as in -p 0.9, or write [NAME:]KIND:WHAT[@TIME]>=P with "
                         "KIND " VOUCH_PROMISE_WORDS,
                         f->path);
    if (!source->commit && !source->commit_count && !source->properties && source->probability > 0)
        return error_set(f->error, VOUCH_ERROR_INPUT, "%s: -p needs the states that it is about: give --commit", f->path);
    return specifications_read(&f->promised, source, f->path, f->error);
}

vouch_status family_finish(mdp_family *f, const vouch_source *source, vouch_model **model)
{
    CHECK(f->initial >= 0 && f->initial < f->S);
    CHECK(f->state_name && f->env_name && f->in);
    *model = NULL;
    vouch_status status = check_names(f);
    if (!status) status = complete_actions(f, source);
    if (status) return status;
    if (f->actions.count == 0) return error_set(f->error, VOUCH_ERROR_INPUT, "%s: no state has an action", f->path);
    vouch_model *m;
    if (vouch_model_new(&m, f->S, f->actions.count, f->K, source->horizon)) return error_memory(f->error);
    status = build(f, m);
    if (status)
        vouch_model_free(m);
    else
        *model = m;
    return status;
}
