/* io/prism_expand.c - see prism_expand.h.
 *
 * In a state a synchronisation is offered when each of its partners has an enabled command for it; each combination of such
 * commands is one choice, whose outcomes are the products of their updates, all evaluated in the old state (JANI: those of a higher
 * index in the state that the lower ones made). Commands without label are choices of their own.
 */
#include "io/prism_expand.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/prism_expansion.h"
#include "mdp/model.h"

enum { COMBINATION_CAP = 1000000 };

/* ---- one environment ----------------------------------------------------------------------------------------- */

/* An error at a place in the file, in the state at hand; without text where that is not reached. */
static vouch_status fail_in_state(const prism_expansion *e, int line, int column, const char *what)
{
    if (!e->reached) return VOUCH_ERROR_INPUT;
    text t = {0};
    prism_add_state_name(e->p, e->now, &t);
    vouch_status status =
        prism_fail(e->p, line, column, "%s, in state %.200s of environment %.100s", what, t.data ? t.data : "", e->env->name);
    text_free(&t);
    return status;
}

static vouch_status find_ranges(prism_expansion *e)
{
    const prism *p = e->p;
    prism_scope scope = {.p = p, .constant = e->scope.constant};
    for (size_t i = 0; i < p->variable_count; i++) {
        const prism_variable *v = &p->variable[i];
        e->low[i] = v->type == TYPE_BOOL ? 0 : -INT32_MAX;
        e->high[i] = v->type == TYPE_BOOL ? 1 : INT32_MAX;
        vouch_status status = v->low >= 0 ? prism_eval_bound(&scope, v->low, &e->low[i]) : VOUCH_OK;
        if (!status && v->high >= 0) status = prism_eval_bound(&scope, v->high, &e->high[i]);
        if (status) return status;
        if (e->low[i] > e->high[i])
            return prism_fail(p, v->line, v->column, "the range [%d..%d] of \"%.100s\" is empty in environment %.100s", e->low[i],
                              e->high[i], prism_name(p, v->name), e->env->name);
    }
    return VOUCH_OK;
}

/* ---- one choice ---------------------------------------------------------------------------------------------- */

static vouch_status assign(prism_expansion *e, const prism_assignment *a)
{
    const prism_variable *v = &e->p->variable[a->variable];
    int value;
    bool truth = false;
    vouch_status status;
    if (v->type == TYPE_BOOL) {
        status = prism_eval_bool(&e->scope, a->expr, &truth);
        value = truth;
    } else {
        status = prism_eval_int(&e->scope, a->expr, &value);
    }
    if (status) return status;
    if (value < e->low[a->variable] || value > e->high[a->variable]) {
        char what[256];
        format_text(what, sizeof what, "%.100s'=%d leaves the range [%d..%d]", prism_name(e->p, v->name), value,
                    e->low[a->variable], e->high[a->variable]);
        return fail_in_state(e, a->line, a->column, what);
    }
    e->next[a->variable] = value;
    return VOUCH_OK;
}

static vouch_status add_outcome(prism_expansion *e, double probability)
{
    CHECK(probability >= 0);
    prism_states *x = e->x;
    int next = prism_state_number(x, e->next, e->reached);
    if (next == PRISM_NO_MEMORY) return error_memory(e->p->error);
    if (next == PRISM_NO_STATE) return VOUCH_ERROR_INPUT;
    if ((long long)x->valuations.count > x->limit)
        return error_set(e->p->error, VOUCH_ERROR_SIZE,
                         "%s: more than %lld states are reached within the horizon (--state-limit); a smaller -T reaches fewer",
                         e->p->file, x->limit);
    vouch_status status = e->mark && e->reached ? e->mark(e->context, next) : VOUCH_OK;
    if (status) return status;
    int at = PRISM_ADD(x, outcome);
    if (at < 0) return error_memory(e->p->error);
    x->outcome[at] = (prism_outcome){next, probability};
    return VOUCH_OK;
}

static vouch_status update_probability(prism_expansion *e, const prism_update *update, double *own)
{
    const prism *p = e->p;
    *own = 1;
    if (update->probability < 0) return VOUCH_OK;
    vouch_status status = prism_eval_real(&e->scope, update->probability, own);
    if (status || (*own >= 0 && *own <= 1 + MODEL_SUM_TOLERANCE)) return status;
    char what[128];
    format_text(what, sizeof what, "a probability must lie between 0 and 1, found %.10g", *own);
    return fail_in_state(e, p->expr[update->probability].line, p->expr[update->probability].column, what);
}

static vouch_status check_sum(const prism_expansion *e, const prism_command *c, double sum)
{
    if (fabs(sum - 1) <= MODEL_SUM_TOLERANCE) return VOUCH_OK;
    char what[128];
    format_text(what, sizeof what, "the probabilities sum to %.10g; expected 1", sum);
    return fail_in_state(e, c->line, c->column, what);
}

/* Back, for the next update. */
static void take_back(prism_expansion *e, const prism_update *update)
{
    for (int a = update->first; a < update->first + update->count; a++)
        e->next[e->p->assignment[a].variable] = e->now[e->p->assignment[a].variable];
}

/* A part assigns; neither it nor another may have done so already. */
static vouch_status assign_once(prism_expansion *e, const prism_assignment *a, int part)
{
    int *owner = &e->owner[a->variable];
    if (*owner >= 0)
        return fail_in_state(e, a->line, a->column,
                             *owner == part ? "the variable is assigned twice"
                                            : "two automata assign the same variable in one step");
    *owner = part;
    return assign(e, a);
}

/* Assigns what an index does of the drawn updates, looking at e->seen. Two parts may not both assign a variable. */
static vouch_status assign_index(prism_expansion *e, int index)
{
    const prism *p = e->p;
    vouch_status status = VOUCH_OK;
    for (int pass = 0; pass < 2; pass++)
        for (int part = 0; part < e->parts; part++) {
            const prism_update *u = &p->update[e->part[part].update];
            for (int i = u->first; i < u->first + u->count; i++) {
                const prism_assignment *a = &p->assignment[i];
                if (a->index != index) continue;
                bool due = pass == 0 && !status;
                if (due && a->when >= 0) status = prism_eval_bool(&e->scope, a->when, &due);
                if (pass > 0) e->owner[a->variable] = -1;
                if (due && !status) status = assign_once(e, a, part);
            }
        }
    return status;
}

/* The drawn updates, the lowest index first. */
static vouch_status assign_in_order(prism_expansion *e)
{
    const prism *p = e->p;
    const int *before = e->scope.state;
    vouch_status status = VOUCH_OK;
    MEM_COPY(e->next, e->now, e->x->V);
    for (long last = LONG_MIN; !status;) {
        long index = LONG_MAX;
        for (int part = 0; part < e->parts; part++) {
            const prism_update *u = &p->update[e->part[part].update];
            for (const prism_assignment *a = p->assignment + u->first; a < p->assignment + u->first + u->count; a++)
                if (a->index > last && a->index < index) index = a->index;
        }
        if (index == LONG_MAX) break;
        MEM_COPY(e->seen, e->next, e->x->V);
        e->scope.state = e->seen;
        status = assign_index(e, (int)index);
        last = index;
    }
    e->scope.state = before;
    return status;
}

static void begin_part(prism_expansion *e, int part, double probability)
{
    e->part[part] = (prism_part){.update = part < e->parts ? e->p->command[e->chosen[part]].first : 0, .probability = probability};
}

/* An outcome for each combination of updates of the chosen commands, the last command's running fastest. */
static vouch_status combine_updates(prism_expansion *e)
{
    const prism *p = e->p;
    begin_part(e, 0, 1);
    for (int part = 0;;) {
        prism_part *at = &e->part[part];
        const prism_command *c = part < e->parts ? &p->command[e->chosen[part]] : NULL;
        vouch_status status = VOUCH_OK;
        if (!c || at->update == c->first + c->count) {
            if (!c && p->ordered) status = assign_in_order(e);
            if (!status) status = c ? check_sum(e, c, at->sum) : add_outcome(e, at->probability);
            if (status || part == 0) return status;
            part--;
            take_back(e, &p->update[e->part[part].update++]);
            continue;
        }
        const prism_update *update = &p->update[at->update];
        double own;
        status = update_probability(e, update, &own);
        if (status) return status;
        at->sum += own;
        if (own <= 0) {
            at->update++;
            continue;
        }
        for (int a = update->first; a < update->first + update->count && !status && !p->ordered; a++)
            status = assign(e, &p->assignment[a]);
        if (status) return status;
        begin_part(e, ++part, at->probability * own);
    }
}

/* Behind the assignments of a command, which lie together. */
static int last_assignment(const prism *p, const prism_command *c)
{
    const prism_update *u = &p->update[c->first + c->count - 1];
    return u->first + u->count;
}

/* Two modules may both be allowed to change a global variable, but not at once. */
static vouch_status check_conflicts(const prism_expansion *e)
{
    const prism *p = e->p;
    const prism_assignment *twice = NULL;
    int last = 0;
    for (; last < e->parts && !twice; last++) {
        const prism_command *c = &p->command[e->chosen[last]];
        for (int y = p->update[c->first].first; c->count && y < last_assignment(p, c); y++) {
            const prism_assignment *a = &p->assignment[y];
            if (p->variable[a->variable].module >= 0) continue;
            if (!twice && e->owner[a->variable] >= 0 && e->owner[a->variable] != last) twice = a;
            e->owner[a->variable] = last;
        }
    }
    while (last-- > 0) {
        const prism_command *c = &p->command[e->chosen[last]];
        for (int y = p->update[c->first].first; c->count && y < last_assignment(p, c); y++)
            e->owner[p->assignment[y].variable] = -1;
    }
    return twice ? fail_in_state(e, twice->line, twice->column, "two modules assign the same global variable in one step")
                 : VOUCH_OK;
}

static vouch_status make_choice(prism_expansion *e, int label)
{
    CHECK(e->parts >= 1 && (size_t)e->parts <= e->p->module_count);
    prism_states *x = e->x;
    size_t first = x->outcome_count;
    MEM_COPY(e->next, e->now, x->V);
    vouch_status status = e->parts > 1 && !e->p->ordered ? check_conflicts(e) : VOUCH_OK;
    if (!status) status = combine_updates(e);
    if (status == VOUCH_ERROR_INPUT && !e->reached) { /* makes no sense here, and need not */
        x->outcome_count = first;
        return VOUCH_OK;
    }
    if (status) return status;
    int combo = prism_combo_number(x, e->chosen, e->parts), at = combo < 0 ? -1 : PRISM_ADD(x, choice);
    if (at < 0) return error_memory(e->p->error);
    const int count = (int)(x->outcome_count - first);
    x->choice[at] = (prism_choice){first, count, e->env->number, e->state, label, combo, e->reached};
    return VOUCH_OK;
}

/* Has each partner an enabled command? */
static bool all_can(const prism_expansion *e, const prism_sync *sync)
{
    const prism *p = e->p;
    for (const prism_partner *side = &p->partner[sync->first]; side < &p->partner[sync->first] + sync->count; side++) {
        int i = side->first;
        while (i < side->first + side->count && !e->enabled[p->partaking[i]]) i++;
        if (i == side->first + side->count) return false;
    }
    return true;
}

/* A choice for each combination of enabled commands, one of each partner; the last one's run fastest. */
static vouch_status combine_partners(prism_expansion *e, const prism_sync *sync)
{
    const prism *p = e->p;
    const prism_partner *side = &p->partner[sync->first];
    long combinations = 0;
    if (!all_can(e, sync)) return VOUCH_OK;
    e->at_command[0] = side[0].first - 1;
    for (int g = 0;;) {
        int at = e->at_command[g] + 1, end = side[g].first + side[g].count;
        while (at < end && !e->enabled[p->partaking[at]]) at++;
        if (at == end && g == 0) return VOUCH_OK;
        if (at == end) {
            g--;
            continue;
        }
        e->at_command[g] = at;
        e->chosen[g] = p->partaking[at];
        if (g + 1 < sync->count) {
            g++;
            e->at_command[g] = side[g].first - 1;
            continue;
        }
        if (++combinations > COMBINATION_CAP)
            return error_set(p->error, VOUCH_ERROR_SIZE, "%s: more than a million choices in one state", p->file);
        e->parts = sync->count;
        vouch_status status = make_choice(e, sync->label);
        if (status) return status;
    }
}

static vouch_status make_choices(prism_expansion *e, int state)
{
    CHECK(state >= 0 && state < e->x->valuations.count);
    const prism *p = e->p;
    vouch_status status = VOUCH_OK;
    e->state = state;
    prism_valuation(e->x, state, e->now);
    e->scope.state = e->now;
    e->scope.quiet = !e->reached;
    for (size_t c = 0; c < p->command_count; c++) {
        status = prism_eval_bool(&e->scope, p->command[c].guard, &e->enabled[c]);
        if (status == VOUCH_ERROR_INPUT && !e->reached)
            e->enabled[c] = false;
        else if (status)
            return status;
    }
    status = VOUCH_OK;
    for (size_t i = 0; i < p->sync_count && !status; i++) status = combine_partners(e, &p->sync[i]);
    for (size_t c = 0; c < p->command_count && !status; c++) {
        if (!e->enabled[c] || p->command[c].label >= 0) continue;
        e->parts = 1;
        e->chosen[0] = (int)c;
        status = make_choice(e, -1);
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static vouch_status start(prism_expansion *e)
{
    const prism *p = e->p;
    size_t V = p->variable_count;
    e->scope = (prism_scope){.p = p, .constant = e->scope.constant};
    e->low = ARENA_NEW(&e->memory, int, V);
    e->high = ARENA_NEW(&e->memory, int, V);
    e->now = ARENA_NEW(&e->memory, int, V);
    e->next = ARENA_NEW(&e->memory, int, V);
    e->seen = ARENA_NEW(&e->memory, int, V);
    e->enabled = ARENA_NEW(&e->memory, bool, p->command_count);
    e->chosen = ARENA_NEW(&e->memory, int, p->module_count + 1);
    e->at_command = ARENA_NEW(&e->memory, int, p->module_count + 1);
    e->part = ARENA_NEW(&e->memory, prism_part, p->module_count + 2);
    e->owner = ARENA_NEW(&e->memory, int, V);
    if (e->memory.failed) return error_memory(p->error);
    for (size_t v = 0; v < V; v++) e->owner[v] = -1;
    return find_ranges(e);
}

vouch_status prism_begin(prism_states *x, const prism_environment *env, prism_initials *initial)
{
    prism_expansion e = {.x = x, .p = x->p, .env = env, .scope = {.constant = env->constant}, .reached = true};
    vouch_status status = start(&e);
    if (!status) status = prism_find_initial(&e, initial);
    arena_free(&e.memory);
    return status;
}

vouch_status prism_expand(prism_states *x, const prism_environment *env, const prism_walk *walk)
{
    prism_expansion e = {.x = x,
                         .p = x->p,
                         .env = env,
                         .scope = {.constant = env->constant},
                         .reached = walk->mark != NULL,
                         .mark = walk->mark,
                         .context = walk->context};
    vouch_status status = start(&e);
    for (int state; !status && (state = walk->next(walk->context)) >= 0;) status = make_choices(&e, state);
    arena_free(&e.memory);
    return status;
}
