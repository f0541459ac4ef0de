/* io/prism_initial.c - the states in which an environment begins; see prism_expansion.h.
 *
 * Either each variable has an initial value, or init .. endinit is a condition that valuations may meet. They are
 * searched for variable by variable: a part of the conjunction is looked at as soon as its last variable is set. --initial is
 * such a condition too, whose parts may say how likely they are.
 */
#include "io/prism_expansion.h"

#include "io/prism_expand.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/specification.h"
#include "mdp/model.h"

enum { SEARCH_CAP = 5000000, PART_CAP = 1000, NEST_CAP = 1000 };

/* The last variable that an expression refers to, -1: none. depth and work bound formulas that refer to formulas; beyond them all
 * count. */
static int last_variable(const prism *p, int expr, int depth, long *work)
{
    if (expr < 0) return -1;
    const prism_expr *e = &p->expr[expr];
    int last = -1, child[3], children = 0;
    if (depth > NEST_CAP || --*work < 0) return (int)p->variable_count - 1;
    switch (e->op) {
    case OP_INT:
    case OP_REAL:
    case OP_BOOL:
    case OP_CONST:
        return -1;
    case OP_VAR:
        return e->a;
    case OP_FORMULA:
        child[children++] = p->formula[e->a].expr;
        break;
    case OP_LABEL:
        child[children++] = p->label[e->b].expr;
        break;
    default:
        child[children++] = e->a;
        child[children++] = e->b;
        child[children++] = e->c;
        break;
    }
    for (int i = 0; i < children; i++) {
        int v = last_variable(p, child[i], depth + 1, work);
        last = v > last ? v : last;
    }
    return last;
}

/* init .. endinit as parts that all have to hold, each with its last variable. */
typedef struct conjunction {
    int *part, *last; /* owned, [count] */
    size_t count, part_capacity, last_capacity;
} conjunction;

static int add_parts(const prism *p, int expr, conjunction *c)
{
    for (; p->expr[expr].op == OP_AND; expr = p->expr[expr].a) /* a & b & c is (a & b) & c */
        if (add_parts(p, p->expr[expr].b, c)) return -1;
    if (mem_reserve((void **)&c->part, &c->part_capacity, c->count, sizeof *c->part) ||
        mem_reserve((void **)&c->last, &c->last_capacity, c->count, sizeof *c->last))
        return -1;
    long work = PART_CAP;
    c->part[c->count] = expr;
    c->last[c->count++] = last_variable(p, expr, 0, &work);
    return 0;
}

/* May the valuation, whose variables up to `variable` are set, still be allowed? An error says nothing yet. */
static bool may_be_allowed(prism_expansion *e, const conjunction *c, int variable)
{
    prism_scope scope = e->scope;
    bool holds;
    scope.quiet = true;
    for (size_t i = 0; i < c->count; i++) {
        if (c->last[i] != variable) continue;
        vouch_status status = prism_eval_bool(&scope, c->part[i], &holds);
        e->x->search_work += scope.work;
        scope.depth = 0;
        if (!status && !holds) return false;
    }
    return true;
}

/* init .. endinit: the valuations that it allows. Variables are set one after the other, as long as no part of the conjunction
 * is false. */
static vouch_status add_initial(prism_expansion *e, prism_initials *out, int *valuation)
{
    int state = prism_state_number(e->x, valuation, true);
    if (state < 0 || mem_reserve((void **)&out->state, &out->capacity, (size_t)out->count, sizeof *out->state))
        return error_memory(e->p->error);
    out->state[out->count++] = state;
    return VOUCH_OK;
}

static vouch_status search_initial(prism_expansion *e, const conjunction *c, prism_initials *out)
{
    CHECK(c->count > 0);
    const prism *p = e->p;
    const prism_expr *at = &p->expr[p->init];
    int V = e->x->V, v = 0;
    vouch_status status = VOUCH_OK;
    e->scope.state = e->now;
    for (int i = 0; i < V; i++) e->now[i] = e->low[i] - 1;
    while (v >= 0 && !status) {
        if (v == V) {
            bool here;
            status = prism_eval_bool(&e->scope, p->init, &here);
            if (!status && here) status = add_initial(e, out, e->now);
            v--;
        } else if (e->now[v] == e->high[v]) {
            e->now[v] = e->low[v] - 1;
            v--;
        } else {
            e->now[v]++;
            if (++e->x->search_work > SEARCH_CAP)
                return prism_fail(p, at->line, at->column,
                                  "init .. endinit: too many valuations to look at; use `init` of the variables");
            if (may_be_allowed(e, c, v)) v++;
        }
    }
    if (!status && out->count == 0)
        status = prism_fail(
            p, at->line, at->column,
            "no values of the variables within their ranges satisfy this in environment %.100s; expected an initial state",
            e->env->name);
    return status;
}

vouch_status prism_find_initial(prism_expansion *e, prism_initials *out)
{
    int *initial = e->next;
    const prism *p = e->p;
    if (p->init >= 0) {
        conjunction c = {0};
        vouch_status status = add_parts(p, p->init, &c) ? error_memory(p->error) : search_initial(e, &c, out);
        mem_free(c.part);
        mem_free(c.last);
        return status;
    }
    prism_scope scope = {.p = p, .constant = e->scope.constant};
    for (size_t i = 0; i < p->variable_count; i++) {
        const prism_variable *v = &p->variable[i];
        bool truth = false;
        vouch_status status = VOUCH_OK;
        initial[i] = v->low >= 0 ? e->low[i] : 0;
        if (v->init >= 0 && v->type == TYPE_BOOL) {
            status = prism_eval_bool(&scope, v->init, &truth);
            initial[i] = truth;
        } else if (v->init >= 0) {
            status = prism_eval_bound(&scope, v->init, &initial[i]);
        }
        if (status) return status;
        if (initial[i] < e->low[i] || initial[i] > e->high[i])
            return prism_fail(p, v->line, v->column, "the initial value %d of \"%.100s\" lies outside [%d..%d]", initial[i],
                              prism_name(p, v->name), e->low[i], e->high[i]);
    }
    return add_initial(e, out, initial);
}

/* ---- --initial -------------------------------------------------------------------------------------------------- */

void prism_starts_free(prism_starts *s)
{
    for (size_t i = 0; i < s->count; i++) text_free(&s->item[i].words);
    text_free(&s->all);
    mem_free(s->item);
    *s = (prism_starts){0};
}

/* The length of what it says of states: `x=1=0.2` ends in a probability, `x=1` does not. */
static size_t split_start(const char *given, double *p)
{
    const char *name;
    double probability;
    size_t length;
    int relations = 0; /* in the last part of a conjunction */
    for (const char *c = given; *c; c++)
        relations = strchr(",&|(", *c) ? 0 : relations + (strchr("!<=>", *c) && !(c > given && strchr("!<=>", c[-1])));
    if (!specification_probability(given, &name, &length, &probability) || length == 0) return strlen(given);
    if (relations < 2 && given[length - 1] != '"') return strlen(given);
    *p = probability;
    return length;
}

vouch_status prism_starts_read(prism_starts *s, prism *p, const vouch_source *source)
{
    size_t n = source->initial_count;
    double sum = 0;
    s->item = MEM_ZERO(prism_start, n);
    if (!s->item) return error_memory(p->error);
    for (s->count = 0; s->count < n; s->count++) {
        const char *given = source->initial[s->count];
        prism_start *start = &s->item[s->count];
        start->p = 1 / (double)n;
        size_t length = split_start(given, &start->p);
        s->probable = s->probable || given[length];
        sum += start->p;
        for (size_t i = 0; i < length; i++) text_add(&start->words, "%c", given[i] == ',' ? '&' : given[i]); /* names of states */
        text_add(&s->all, "%s(%s)", s->count ? " | " : "", start->words.data ? start->words.data : "");
        if (start->words.failed) s->all.failed = true;
    }
    if (s->all.failed) return error_memory(p->error);
    if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
        return error_set(p->error, VOUCH_ERROR_INPUT, "%.200s: --initial: the probabilities sum to %.10g; expected 1", p->file,
                         sum);
    vouch_status status = prism_parse_extra(p, "--initial", s->all.data, &p->init);
    for (size_t i = 0; i < n && s->probable && !status; i++)
        status = prism_parse_extra(p, "--initial", s->item[i].words.data, &s->item[i].expr);
    return status;
}

vouch_status prism_start_spread(const prism_start *start, const prism_states *x, const prism_initials *begin, prism_scope *scope,
                                int valuation[], double first[])
{
    vouch_status status = VOUCH_OK;
    int count = 0;
    for (int pass = 0; pass < 2 && !status; pass++)
        for (int i = 0; i < begin->count && !status; i++) {
            bool here = false;
            prism_valuation(x, begin->state[i], valuation);
            status = prism_eval_bool(scope, start->expr, &here);
            if (!status && here && pass > 0) first[begin->state[i]] += start->p / count;
            count += here && pass == 0;
        }
    return status || count > 0 || !(start->p > 0) ? status : VOUCH_ERROR_ARGUMENT;
}
