/* io/prism_model.c - a PRISM file or sketch as a model: one environment per combination of its open constants.
 *
 * States are the union over the environments of the valuations they reach up to the horizon, named by them. A choice is named by
 * its label; where one environment has several choices of the same label in a state they become a, a#2, .. (without label _1, _2,
 * ..) in the order of the file, counted over the choices of all environments there, so that the same commands have the same name
 * everywhere.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/family.h"
#include "io/file.h"
#include "io/jani.h"
#include "io/prism_expand.h"
#include "io/prism_family.h"
#include "io/prism_missing.h"
#include "io/prism_reach.h"
#include "io/prism_rewards.h"

typedef struct prism_builder {
    prism p;
    prism_family constants;
    prism_states x;
    mdp_family f;
    const vouch_source *source;
    prism_value **value; /* owned, [K] of [constant_count] */
    prism_reach reach;
    prism_standing *standing; /* owned, [K * S] */
    int *valuation;           /* owned, [variables]: the state that scope_of was asked for last */
    int rewards;              /* index, -1: none */
    int time_to;              /* expression, -1: none */
    int *wanted, *through;    /* owned, [f.promised.count] expressions of what is promised */
    prism_starts starts;      /* of --initial */
    vouch_error *error;
} prism_builder;

/* ---- options ------------------------------------------------------------------------------------------------- */

/* A label or an expression. */
static vouch_status read_states(prism_builder *m, const char *option, const char *given, int *expr)
{
    int label = prism_find_label(&m->p, given);
    if (label >= 0) {
        *expr = m->p.label[label].expr;
        return VOUCH_OK;
    }
    if (strcmp(given, "init") == 0) given = "\"init\"";
    if (strcmp(given, "deadlock") == 0) given = "\"deadlock\"";
    vouch_status status = prism_parse_extra(&m->p, option, given, expr);
    bool word = given[strspn(given, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")] == '\0';
    return status == VOUCH_ERROR_INPUT && word ? prism_no_label(&m->p, option, given) : status;
}

static vouch_status read_options(prism_builder *m)
{
    const vouch_source *source = m->source;
    const prism *p = &m->p;
    vouch_status status = VOUCH_OK;
    m->time_to = m->rewards = -1;
    m->wanted = MEM_NEW(int, m->f.promised.count);
    m->through = MEM_NEW(int, m->f.promised.count);
    if (!m->wanted || !m->through) return error_memory(m->error);
    for (size_t j = 0; j < m->f.promised.count && !status; j++) {
        const specification *w = &m->f.promised.item[j];
        status = read_states(m, w->place, w->what, &m->wanted[j]);
        if (!status && w->through) status = read_states(m, w->place, w->through, &m->through[j]);
    }
    if (!status && source->initial_count > 0) status = prism_starts_read(&m->starts, &m->p, source);
    if (!status && source->time_to) status = read_states(m, "--time-to", source->time_to, &m->time_to);
    if (status) return status;
    if (source->reward && source->time_to)
        return error_set(m->error, VOUCH_ERROR_INPUT, "--reward and --time-to exclude each other");
    if (source->time_to) return VOUCH_OK;
    if (!source->reward) {
        m->rewards = p->rewards_count == 1 ? 0 : -1;
        return VOUCH_OK;
    }
    for (size_t i = 0; i < p->rewards_count; i++)
        if (strcmp(prism_name(p, p->rewards[i].name), source->reward) == 0) m->rewards = (int)i;
    if (m->rewards < 0) return prism_no_reward(p, source->reward);
    return VOUCH_OK;
}

/* ---- exploration --------------------------------------------------------------------------------------------- */

/* The environments, their states and their choices. */
static vouch_status explore(prism_builder *m)
{
    int K = m->f.K;
    vouch_status status = prism_states_start(&m->x);
    prism_environment *env = MEM_ZERO(prism_environment, K);
    m->valuation = MEM_NEW(int, m->x.V);
    if (!status && (!m->valuation || !env)) status = error_memory(m->error);
    for (int k = 0; k < K && !status; k++) {
        m->f.env_name[k] = prism_family_name(&m->constants, k);
        m->value[k] = MEM_NEW(prism_value, m->p.constant_count);
        status = m->f.env_name[k] && m->value[k] ? prism_family_constants(&m->constants, k, m->value[k]) : error_memory(m->error);
        env[k] = (prism_environment){k, m->f.env_name[k], m->value[k]};
    }
    int horizon = m->source->horizon; /* whether a state at the horizon is a deadlock, its choices tell */
    if (horizon < INT_MAX && prism_uses_deadlock(&m->p)) horizon++;
    if (!status) status = prism_reach_find(&m->reach, &m->x, K, env, horizon);
    mem_free(env);
    return status;
}

static vouch_status name_states(prism_builder *m)
{
    int K = m->f.K, S = m->f.S = m->x.valuations.count;
    m->f.initial = m->reach.initial < 0 ? 0 : m->reach.initial;
    m->f.reached = MEM_ZERO(bool, (size_t)K *(size_t)S);
    m->f.state_name = MEM_ZERO(char *, S);
    m->f.idle_reward = MEM_ZERO(double, (size_t)K *(size_t)S);
    if (!m->f.reached || !m->f.state_name || !m->f.idle_reward) return error_memory(m->error);
    for (int s = 0; s < S; s++) {
        m->f.state_name[s] = prism_state_name(&m->x, s);
        if (!m->f.state_name[s]) return error_memory(m->error);
        for (int k = 0; k < K; k++)
            m->f.reached[(size_t)k * (size_t)S + (size_t)s] = prism_reach_has(&m->reach, k, s, PRISM_EXPANDED);
    }
    return VOUCH_OK;
}

/* ---- rewards and commitment ---------------------------------------------------------------------------------- */

static prism_scope scope_of(const prism_builder *m, int k, int s)
{
    prism_valuation(&m->x, s, m->valuation);
    return (prism_scope){.p = &m->p,
                         .constant = m->value[k],
                         .state = m->valuation,
                         .standing = &m->standing[(size_t)k * (size_t)m->f.S + (size_t)s]};
}

static vouch_status find_standings(prism_builder *m)
{
    size_t S = (size_t)m->f.S, K = (size_t)m->f.K;
    m->standing = MEM_ZERO(prism_standing, K * S);
    if (!m->standing) return error_memory(m->error);
    for (size_t i = 0; i < K * S; i++) m->standing[i] = (prism_standing){.initial = false, .deadlock = m->f.reached[i]};
    for (size_t k = 0; k < K; k++)
        for (int i = 0; i < m->reach.begin[k].count; i++) m->standing[k * S + (size_t)m->reach.begin[k].state[i]].initial = true;
    for (size_t i = 0; i < m->x.choice_count; i++)
        m->standing[(size_t)m->x.choice[i].env * S + (size_t)m->x.choice[i].state].deadlock = false;
    return VOUCH_OK;
}

/* Rewards of the state itself, paid by every step that begins there. */
static vouch_status state_reward(const prism_builder *m, int k, int s, double *sum)
{
    prism_scope scope = scope_of(m, k, s);
    bool here = true;
    vouch_status status = VOUCH_OK;
    *sum = 0;
    if (m->time_to >= 0) {
        status = prism_eval_bool(&scope, m->time_to, &here);
        *sum = here ? 0 : -1;
    }
    return status ? status : prism_rewards_add(&m->x, m->rewards, &scope, NULL, sum);
}

static vouch_status choice_reward(const prism_builder *m, const prism_choice *c, double *sum)
{
    prism_scope scope = scope_of(m, c->env, c->state);
    *sum = m->f.idle_reward[(size_t)c->env * (size_t)m->f.S + (size_t)c->state];
    return prism_rewards_add(&m->x, m->rewards, &scope, c, sum);
}

/* The states of each environment that meet the expression, into set [K * S]. */
static vouch_status find_states(prism_builder *m, int expr, bool set[])
{
    vouch_status status = VOUCH_OK;
    for (int s = 0; s < m->f.S && !status; s++) {
        int first = -1;
        size_t S = (size_t)m->f.S, at = (size_t)s;
        for (int k = 0; k < m->f.K && !status; k++) {
            if (!prism_reach_has(&m->reach, k, s, PRISM_REACHED)) continue;
            prism_scope scope = scope_of(m, k, s);
            status = prism_eval_bool(&scope, expr, &set[(size_t)k * S + at]);
            if (first < 0) first = k;
        }
        for (int k = 0; k < m->f.K && first >= 0 && !status; k++) /* where an environment never is it has the set of one that is */
            if (!prism_reach_has(&m->reach, k, s, PRISM_REACHED)) set[(size_t)k * S + at] = set[(size_t)first * S + at];
    }
    return status;
}

static vouch_status find_promises(prism_builder *m)
{
    vouch_status status = family_make_sets(&m->f);
    for (size_t j = 0; j < m->f.promised.count && !status; j++) {
        status = find_states(m, m->wanted[j], m->f.in[j]);
        if (!status && m->f.through[j]) status = find_states(m, m->through[j], m->f.through[j]);
    }
    return status;
}

/* All labels of the file; one that cannot be evaluated somewhere is none. */
static vouch_status find_labels(prism_builder *m)
{
    size_t cells = (size_t)m->f.K * (size_t)m->f.S;
    bool *set = MEM_NEW(bool, cells);
    vouch_status status = set ? VOUCH_OK : error_memory(m->error);
    for (size_t l = 0; l < m->p.label_count && !status; l++) {
        const char *name = prism_name(&m->p, m->p.label[l].name);
        memset(set, 0, cells * sizeof *set);
        status = find_states(m, m->p.label[l].expr, set);
        bool evaluated = !status;
        if (status == VOUCH_ERROR_INPUT) status = VOUCH_OK;
        if (evaluated && names_add(&m->f.labels, name) < 0) status = error_memory(m->error);
        for (int i = 0; (size_t)i < cells && evaluated && !status; i++)
            if (set[i] && family_add_label(&m->f, name, i / m->f.S, i % m->f.S)) status = error_memory(m->error);
    }
    mem_free(set);
    return status;
}

/* Several initial states are equally likely unless --initial says otherwise. */
static vouch_status find_first(prism_builder *m)
{
    if (m->reach.initial >= 0 && !m->starts.probable) return VOUCH_OK;
    size_t S = (size_t)m->f.S;
    vouch_status status = VOUCH_OK;
    m->f.first = MEM_ZERO(double, (size_t)m->f.K *S);
    if (!m->f.first) return error_memory(m->error);
    for (int k = 0; k < m->f.K && !status; k++) {
        const prism_initials *b = &m->reach.begin[k];
        double *first = m->f.first + (size_t)k * S;
        for (int i = 0; i < b->count && !m->starts.probable; i++) first[b->state[i]] = 1.0 / b->count;
        for (size_t i = 0; i < m->starts.count && m->starts.probable && !status; i++) {
            prism_scope scope = {.p = &m->p, .constant = m->value[k], .state = m->valuation};
            status = prism_start_spread(&m->starts.item[i], &m->x, b, &scope, m->valuation, first);
            if (status == VOUCH_ERROR_ARGUMENT)
                status = error_set(m->error, VOUCH_ERROR_INPUT, "%.200s: --initial: environment %.100s has no initial state %.100s",
                                   m->p.file, m->f.env_name[k], m->starts.item[i].words.data);
        }
    }
    return status;
}

/* ---- names of choices ---------------------------------------------------------------------------------------- */

static int by_group(const void *x, const void *y)
{
    const prism_choice *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    if (a->combo != b->combo) return a->combo < b->combo ? -1 : 1;
    return (a->env > b->env) - (a->env < b->env);
}

static vouch_status add_choice(prism_builder *m, const prism_choice *c, int rank, bool numbered)
{
    text name = {0};
    text_add(&name, "%s", c->label < 0 ? "_" : prism_name(&m->p, c->label));
    if (c->label < 0 || (numbered && rank > 1)) text_add(&name, "%s%d", c->label < 0 ? "" : "#", rank);
    double reward = 0;
    int action = name.failed ? -1 : family_action(&m->f, name.data);
    text_free(&name);
    if (action < 0) return error_memory(m->error);
    vouch_status status = c->reached ? choice_reward(m, c, &reward) : VOUCH_OK;
    for (int i = 0; i < c->count && !status; i++) {
        const prism_outcome *o = &m->x.outcome[c->first + (size_t)i];
        if (family_add_row(&m->f, (model_row){c->env, c->state, action, o->next, o->probability, reward, 0}))
            status = error_memory(m->error);
    }
    return status;
}

/* Choices first .. last-1: one state, one label, by commands and environment. */
static vouch_status name_group(prism_builder *m, const prism_choice *list, size_t first, size_t last, int *per_env)
{
    bool numbered = false;
    memset(per_env, 0, (size_t)m->f.K * sizeof *per_env);
    for (size_t i = first; i < last; i++)
        if (list[i].reached && ++per_env[list[i].env] > 1) numbered = true;
    int rank = numbered ? 0 : 1;
    vouch_status status = VOUCH_OK;
    memset(per_env, 0, (size_t)m->f.K * sizeof *per_env);
    for (size_t i = first; i < last && !status; i++) {
        const prism_choice *c = &list[i];
        bool fresh = i == first || list[i - 1].combo != c->combo, anywhere = false;
        if (numbered && fresh) { /* commands enabled only where nobody comes do not count */
            for (size_t j = i; j < last && list[j].combo == c->combo; j++) anywhere = anywhere || list[j].reached;
            if (anywhere)
                rank++;
            else {
                while (i + 1 < last && list[i + 1].combo == c->combo) i++;
                continue;
            }
        }
        if (!c->reached && !numbered && per_env[c->env]++ > 0) continue; /* one of the name is enough where nobody comes */
        status = add_choice(m, c, rank, numbered);
    }
    return status;
}

/* In a DTMC the choices of a state are equally likely and make one action, which pays their mean. */
static vouch_status join_choices(prism_builder *m, const prism_choice *list, size_t first, size_t last)
{
    int action = family_action(&m->f, "_1");
    vouch_status status = action < 0 ? error_memory(m->error) : VOUCH_OK;
    for (int k = 0; k < m->f.K && !status; k++) {
        double choices = 0, sum = 0, reward = 0;
        for (size_t i = first; i < last && !status; i++) {
            if (list[i].env != k) continue;
            if (list[i].reached) status = choice_reward(m, &list[i], &reward);
            choices++, sum += reward;
        }
        for (size_t i = first; i < last && !status; i++)
            for (int o = 0; o < list[i].count && list[i].env == k; o++) {
                const prism_outcome x = m->x.outcome[list[i].first + (size_t)o];
                const model_row row = {k, list[i].state, action, x.next, x.probability / choices, sum / choices, 0};
                if (family_add_row(&m->f, row)) status = error_memory(m->error);
            }
    }
    return status;
}

static vouch_status name_choices(prism_builder *m)
{
    size_t n = m->x.choice_count;
    prism_choice *list = m->x.choice;
    int *per_env = MEM_NEW(int, m->f.K);
    vouch_status status = per_env ? VOUCH_OK : error_memory(m->error);
    if (!status && prism_combos_order(&m->x)) status = error_memory(m->error);
    size_t i = 1;
    while (i < n && by_group(&list[i - 1], &list[i]) <= 0) i++;
    if (i < n) qsort(list, n, sizeof *list, by_group); /* which may take as much memory again */
    if (!status && family_expect_rows(&m->f, m->x.outcome_count)) status = error_memory(m->error);
    for (size_t first = 0, last; first < n && !status; first = last) {
        for (last = first;
             last < n && list[last].state == list[first].state && (m->p.dtmc || list[last].label == list[first].label);)
            last++;
        status = m->p.dtmc ? join_choices(m, list, first, last) : name_group(m, list, first, last, per_env);
    }
    mem_free(per_env);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

typedef vouch_status (*text_parser)(prism *p, const char *content, size_t length);

static vouch_status make(prism_builder *m, text_parser parse, const file_content *file, vouch_model **model)
{
    vouch_status status = parse(&m->p, file->bytes, file->length);
    if (!status) status = prism_check_given(&m->p, m->source);
    if (!status) status = family_check_source(&m->f, m->source);
    if (!status) status = read_options(m);
    if (!status) {
        m->constants = (prism_family){.p = &m->p, .source = m->source};
        status = prism_family_make(&m->constants);
    }
    if (status) return status;
    int K = m->f.K = m->constants.K;
    m->f.env_name = MEM_ZERO(char *, K);
    m->value = MEM_ZERO(prism_value *, K);
    if (!m->f.env_name || !m->value) return error_memory(m->error);
    status = explore(m);
    if (!status) prism_states_trim(&m->x);
    if (!status) status = name_states(m);
    if (!status) status = find_standings(m);
    for (int k = 0; k < K && !status; k++)
        for (int s = 0; s < m->f.S && !status; s++) {
            size_t at = (size_t)k * (size_t)m->f.S + (size_t)s;
            if (m->f.reached[at]) status = state_reward(m, k, s, &m->f.idle_reward[at]);
        }
    if (!status) status = find_promises(m);
    if (!status) status = find_labels(m);
    if (!status) status = find_first(m);
    if (!status) intern_seal(&m->x.valuations);
    if (!status) status = name_choices(m);
    prism_states_free(&m->x); /* half of the memory that reading takes */
    return status ? status : family_finish(&m->f, m->source, model);
}

static vouch_status model_parse(vouch_model **model, text_parser parse, const file_content *file, const vouch_source *source,
                                vouch_error *error)
{
    *model = NULL;
    prism_builder m = {.p = {.file = file->name, .error = error, .source = source},
                       .f = {.path = file->name, .error = error},
                       .source = source,
                       .error = error};
    m.x = (prism_states){.p = &m.p, .limit = source->state_limit > 0 ? source->state_limit : INT_MAX};
    vouch_status status = make(&m, parse, file, model);
    for (int k = 0; m.value && k < m.f.K; k++) mem_free(m.value[k]);
    mem_free(m.value);
    prism_reach_free(&m.reach);
    mem_free(m.valuation);
    mem_free(m.standing);
    mem_free(m.wanted);
    prism_starts_free(&m.starts);
    mem_free(m.through);
    family_free(&m.f);
    prism_states_free(&m.x);
    prism_family_free(&m.constants);
    prism_free(&m.p);
    return status;
}

vouch_status prism_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error)
{
    return model_parse(model, prism_parse, file, source, error);
}

vouch_status jani_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error)
{
    return model_parse(model, jani_parse, file, source, error);
}
