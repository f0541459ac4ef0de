/* io/prism_expand.c - see prism_expand.h.
 *
 * Breadth first from the initial valuation. In a state a label is offered when every module that knows it has an enabled
 * command for it; each combination of such commands is one choice, whose outcomes are the products of their updates, all
 * evaluated in the old state. Commands without label are choices of their own.
 */
#include "io/prism_expand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"

static const double SUM_TOLERANCE = 1e-6; /* of a command's probabilities, as in model files */
enum { COMBINATION_CAP = 1000000, SEARCH_CAP = 5000000, PART_CAP = 1000, NEST_CAP = 1000, NO_STATE = -1, NO_MEMORY = -2 };

/* ---- the table of valuations --------------------------------------------------------------------------------- */

static size_t hash(const int *v, int n)
{
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < n; i++) h = (h ^ (uint32_t)v[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

static size_t slot_of(const prism_states *x, const int *v)
{
    size_t at = hash(v, x->V) & (x->slots - 1), bytes = (size_t)x->V * sizeof *v;
    while (x->slot[at] && memcmp(x->valuation + (x->slot[at] - 1) * (size_t)x->V, v, bytes) != 0) at = (at + 1) & (x->slots - 1);
    return at;
}

static int grow(prism_states *x)
{
    size_t slots = 2 * x->slots;
    uint32_t *slot = MEM_ZERO(uint32_t, slots);
    if (!slot) return -1;
    mem_free(x->slot);
    x->slot = slot;
    x->slots = slots;
    for (size_t i = 0; i < x->count; i++) x->slot[slot_of(x, x->valuation + i * (size_t)x->V)] = (uint32_t)i + 1;
    return 0;
}

/* The number of a valuation; NO_STATE: not known (and not to be made), NO_MEMORY. */
static int state_number(prism_states *x, const int *v, bool make)
{
    if (2 * (x->count + 1) > x->slots && grow(x)) return NO_MEMORY;
    size_t at = slot_of(x, v);
    if (x->slot[at]) return (int)x->slot[at] - 1;
    if (!make) return NO_STATE;
    if (mem_reserve((void **)&x->valuation, &x->capacity, x->count, (size_t)(x->V ? x->V : 1) * sizeof *v)) return NO_MEMORY;
    memcpy(x->valuation + x->count * (size_t)x->V, v, (size_t)x->V * sizeof *v);
    x->slot[at] = (uint32_t)++x->count;
    return (int)x->count - 1;
}

vouch_status prism_states_start(prism_states *x)
{
    x->V = (int)x->p->variable_count;
    x->slots = 64;
    x->slot = MEM_ZERO(uint32_t, x->slots);
    return x->slot ? VOUCH_OK : error_memory(x->p->error);
}

void prism_states_free(prism_states *x)
{
    names_free(&x->combos);
    mem_free(x->valuation);
    mem_free(x->slot);
    mem_free(x->choice);
    mem_free(x->outcome);
    *x = (prism_states){0};
}

static void add_state_name(const prism *p, const int *v, text *t)
{
    for (size_t i = 0; i < p->variable_count; i++) {
        text_add(t, "%s%s=", i ? "," : "", prism_name(p, p->variable[i].name));
        if (p->variable[i].type == TYPE_BOOL)
            text_add(t, "%s", v[i] ? "true" : "false");
        else
            text_add(t, "%d", v[i]);
    }
    if (p->variable_count == 0) text_add(t, "s0");
}

char *prism_state_name(const prism_states *x, int state)
{
    text t = {0};
    add_state_name(x->p, x->valuation + (size_t)state * (size_t)x->V, &t);
    if (t.failed) text_free(&t);
    return t.data;
}

/* ---- one environment ----------------------------------------------------------------------------------------- */

typedef struct explorer {
    prism_states *x;
    const prism *p;
    int env;
    const char *env_name;
    prism_scope scope;
    int *low, *high; /* owned, [V] */
    int *now, *next; /* owned, [V]: the state at hand and a successor in the making */
    int state;
    bool reached;
    bool *enabled; /* owned, [commands] */
    bool *knows;   /* owned, [modules * labels]: does the module know the label? */
    int *labels;   /* owned: names, in the order of the file */
    int label_count;
    int *chosen; /* owned, [modules]: one command each, of those that take part */
    int parts;
    vouch_status (*mark)(void *, int);
    void *context;
} explorer;

static vouch_status fail_in_state(const explorer *e, int line, int column, const char *what)
{
    if (!e->reached) return VOUCH_ERROR_INPUT;
    text t = {0};
    add_state_name(e->p, e->now, &t);
    vouch_status status =
        prism_fail(e->p, line, column, "%s, in state %.200s of environment %.100s", what, t.data ? t.data : "", e->env_name);
    text_free(&t);
    return status;
}

static vouch_status find_labels(explorer *e)
{
    const prism *p = e->p;
    size_t n = p->command_count;
    e->labels = MEM_NEW(int, n);
    int *number = MEM_NEW(int, p->names.count);
    if (!e->labels || !number) {
        mem_free(number);
        return error_memory(p->error);
    }
    for (int i = 0; i < p->names.count; i++) number[i] = -1;
    for (size_t i = 0; i < n; i++) {
        int label = p->command[i].label;
        if (label < 0 || number[label] >= 0) continue;
        number[label] = e->label_count;
        e->labels[e->label_count++] = label;
    }
    e->knows = MEM_ZERO(bool, p->module_count *(size_t)e->label_count);
    if (e->knows)
        for (size_t i = 0; i < n; i++)
            if (p->command[i].label >= 0)
                e->knows[(size_t)p->command[i].module * (size_t)e->label_count + (size_t)number[p->command[i].label]] = true;
    mem_free(number);
    return e->knows ? VOUCH_OK : error_memory(p->error);
}

static vouch_status find_ranges(explorer *e)
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
                              e->high[i], prism_name(p, v->name), e->env_name);
    }
    return VOUCH_OK;
}

/* The last variable that an expression refers to, -1: none. depth and work bound formulas that refer to formulas; beyond them all count. */
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
static bool may_be_allowed(explorer *e, const conjunction *c, int variable)
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

/* init .. endinit: the one valuation that it allows. Variables are set one after the other, as long as no part of the conjunction is false. */
static vouch_status search_initial(explorer *e, const conjunction *c, int *initial)
{
    const prism *p = e->p;
    const prism_expr *at = &p->expr[p->init];
    int found = 0, V = e->x->V, v = 0;
    vouch_status status = VOUCH_OK;
    e->scope.state = e->now;
    for (int i = 0; i < V; i++) e->now[i] = e->low[i] - 1;
    while (v >= 0 && found < 2 && !status) {
        if (v == V) {
            bool here;
            status = prism_eval_bool(&e->scope, p->init, &here);
            if (!status && here && found++ == 0) MEM_COPY(initial, e->now, V);
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
    if (!status && found != 1)
        status = prism_fail(p, at->line, at->column, "init .. endinit allows %s initial state in environment %.100s; expected one",
                            found ? "more than one" : "no", e->env_name);
    return status;
}

static vouch_status find_initial(explorer *e, int *initial)
{
    const prism *p = e->p;
    if (p->init >= 0) {
        conjunction c = {0};
        vouch_status status = add_parts(p, p->init, &c) ? error_memory(p->error) : search_initial(e, &c, initial);
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
    return VOUCH_OK;
}

/* ---- one choice ---------------------------------------------------------------------------------------------- */

static vouch_status assign(explorer *e, const prism_assignment *a)
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
        snprintf(what, sizeof what, "%.100s'=%d leaves the range [%d..%d]", prism_name(e->p, v->name), value, e->low[a->variable],
                 e->high[a->variable]);
        return fail_in_state(e, a->line, a->column, what);
    }
    e->next[a->variable] = value;
    return VOUCH_OK;
}

static vouch_status add_outcome(explorer *e, double probability)
{
    prism_states *x = e->x;
    int next = state_number(x, e->next, e->reached);
    if (next == NO_MEMORY) return error_memory(e->p->error);
    if (next == NO_STATE) return VOUCH_ERROR_INPUT;
    if ((long long)x->count > x->limit)
        return error_set(e->p->error, VOUCH_ERROR_SIZE, "%s: more than %lld states", e->p->file, x->limit);
    vouch_status status = e->mark && e->reached ? e->mark(e->context, next) : VOUCH_OK;
    if (status) return status;
    int at = PRISM_ADD(x, outcome);
    if (at < 0) return error_memory(e->p->error);
    x->outcome[at] = (prism_outcome){next, probability};
    return VOUCH_OK;
}

/* Does the update at `which` of the chosen commands' updates, then the rest of them. */
static vouch_status combine_updates(explorer *e, int part, double probability)
{
    const prism *p = e->p;
    if (part == e->parts) return add_outcome(e, probability);
    const prism_command *c = &p->command[e->chosen[part]];
    double sum = 0;
    vouch_status status = VOUCH_OK;
    for (int u = c->first; u < c->first + c->count && !status; u++) {
        const prism_update *update = &p->update[u];
        double own = 1;
        if (update->probability >= 0) {
            status = prism_eval_real(&e->scope, update->probability, &own);
            if (status) return status;
            if (!(own >= 0 && own <= 1 + SUM_TOLERANCE)) {
                char what[128];
                snprintf(what, sizeof what, "a probability must lie between 0 and 1, found %.10g", own);
                return fail_in_state(e, p->expr[update->probability].line, p->expr[update->probability].column, what);
            }
        }
        sum += own;
        if (own <= 0) continue;
        for (int a = update->first; a < update->first + update->count && !status; a++) status = assign(e, &p->assignment[a]);
        if (!status) status = combine_updates(e, part + 1, probability * own);
        for (int a = update->first; a < update->first + update->count; a++) /* back, for the next update */
            e->next[p->assignment[a].variable] = e->now[p->assignment[a].variable];
    }
    if (!status && !(fabs(sum - 1) <= SUM_TOLERANCE)) {
        char what[128];
        snprintf(what, sizeof what, "the probabilities sum to %.10g; expected 1", sum);
        status = fail_in_state(e, c->line, c->column, what);
    }
    return status;
}

/* Two modules may both be allowed to change a global variable, but not at once. */
static vouch_status check_conflicts(const explorer *e)
{
    const prism *p = e->p;
    for (int i = 1; i < e->parts; i++)
        for (int j = 0; j < i; j++) {
            const prism_command *a = &p->command[e->chosen[i]], *b = &p->command[e->chosen[j]];
            for (int u = a->first; u < a->first + a->count; u++)
                for (int y = p->update[u].first; y < p->update[u].first + p->update[u].count; y++) {
                    if (p->variable[p->assignment[y].variable].module >= 0) continue;
                    for (int w = b->first; w < b->first + b->count; w++)
                        for (int z = p->update[w].first; z < p->update[w].first + p->update[w].count; z++)
                            if (p->assignment[y].variable == p->assignment[z].variable)
                                return fail_in_state(e, p->assignment[y].line, p->assignment[y].column,
                                                     "two modules assign the same global variable in one step");
                }
        }
    return VOUCH_OK;
}

static int combo_number(prism_states *x, const int *chosen, int parts)
{
    text t = {0};
    for (int i = 0; i < parts; i++) text_add(&t, "%s%d", i ? "," : "", chosen[i]);
    int number = t.failed ? -1 : names_add(&x->combos, t.data);
    text_free(&t);
    return number;
}

static vouch_status make_choice(explorer *e, int label)
{
    prism_states *x = e->x;
    size_t first = x->outcome_count;
    MEM_COPY(e->next, e->now, x->V);
    vouch_status status = e->parts > 1 ? check_conflicts(e) : VOUCH_OK;
    if (!status) status = combine_updates(e, 0, 1);
    if (status == VOUCH_ERROR_INPUT && !e->reached) { /* makes no sense here, and need not */
        x->outcome_count = first;
        return VOUCH_OK;
    }
    if (status) return status;
    int combo = combo_number(x, e->chosen, e->parts), at = combo < 0 ? -1 : PRISM_ADD(x, choice);
    if (at < 0) return error_memory(e->p->error);
    x->choice[at] = (prism_choice){e->env, e->state, label, combo, e->reached, first, (int)(x->outcome_count - first)};
    return VOUCH_OK;
}

/* One enabled command of each module from `module` on that knows the label. */
static vouch_status combine_modules(explorer *e, int label_number, size_t module, long *combinations)
{
    const prism *p = e->p;
    size_t labels = (size_t)e->label_count;
    while (module < p->module_count && !e->knows[module * labels + (size_t)label_number]) module++;
    if (module == p->module_count) {
        if (++*combinations > COMBINATION_CAP)
            return error_set(p->error, VOUCH_ERROR_SIZE, "%s: more than a million choices in one state", p->file);
        return make_choice(e, e->labels[label_number]);
    }
    vouch_status status = VOUCH_OK;
    const prism_module *m = &p->module[module];
    for (int c = m->first; c < m->first + m->count && !status; c++) {
        if (!e->enabled[c] || p->command[c].label != e->labels[label_number]) continue;
        e->chosen[e->parts++] = c;
        status = combine_modules(e, label_number, module + 1, combinations);
        e->parts--;
    }
    return status;
}

static vouch_status make_choices(explorer *e, int state)
{
    const prism *p = e->p;
    vouch_status status = VOUCH_OK;
    e->state = state;
    MEM_COPY(e->now, e->x->valuation + (size_t)state * (size_t)e->x->V, e->x->V); /* a copy: the table may move */
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
    for (int l = 0; l < e->label_count && !status; l++) {
        long combinations = 0;
        e->parts = 0;
        status = combine_modules(e, l, 0, &combinations);
    }
    for (size_t c = 0; c < p->command_count && !status; c++) {
        if (!e->enabled[c] || p->command[c].label >= 0) continue;
        e->parts = 1;
        e->chosen[0] = (int)c;
        status = make_choice(e, -1);
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static vouch_status explorer_start(explorer *e)
{
    const prism *p = e->p;
    size_t V = p->variable_count;
    e->scope = (prism_scope){.p = p, .constant = e->scope.constant};
    e->low = MEM_NEW(int, V);
    e->high = MEM_NEW(int, V);
    e->now = MEM_NEW(int, V);
    e->next = MEM_NEW(int, V);
    e->enabled = MEM_NEW(bool, p->command_count);
    e->chosen = MEM_NEW(int, p->module_count + 1);
    if (!e->low || !e->high || !e->now || !e->next || !e->enabled || !e->chosen) return error_memory(p->error);
    vouch_status status = find_labels(e);
    return status ? status : find_ranges(e);
}

static void explorer_free(explorer *e)
{
    mem_free(e->low);
    mem_free(e->high);
    mem_free(e->now);
    mem_free(e->next);
    mem_free(e->enabled);
    mem_free(e->chosen);
    mem_free(e->labels);
    mem_free(e->knows);
}

typedef struct frontier { /* the states reached by one environment, in order */
    const prism *p;
    bool *seen; /* owned, [capacity] */
    int *queue; /* owned */
    size_t count, seen_capacity, queue_capacity;
    vouch_status (*mark)(void *, int);
    void *context;
} frontier;

static vouch_status reach(void *context, int state)
{
    frontier *f = context;
    if ((size_t)state >= f->seen_capacity) {
        size_t more = (size_t)state + (size_t)state / 2 + 64;
        bool *seen = mem_resize(f->seen, more, sizeof *seen);
        if (!seen) return error_memory(f->p->error);
        memset(seen + f->seen_capacity, 0, more - f->seen_capacity);
        f->seen = seen;
        f->seen_capacity = more;
    }
    if (f->seen[state]) return VOUCH_OK;
    if (mem_reserve((void **)&f->queue, &f->queue_capacity, f->count, sizeof *f->queue)) return error_memory(f->p->error);
    f->seen[state] = true;
    f->queue[f->count++] = state;
    return f->mark(f->context, state);
}

vouch_status prism_explore(prism_states *x, int env, const char *env_name, const prism_value *constant, int *initial,
                           vouch_status (*mark)(void *context, int state), void *context)
{
    frontier f = {.p = x->p, .mark = mark, .context = context};
    explorer e = {.x = x,
                  .p = x->p,
                  .env = env,
                  .env_name = env_name,
                  .scope = {.constant = constant},
                  .reached = true,
                  .mark = reach,
                  .context = &f};
    vouch_status status = explorer_start(&e);
    if (!status) status = find_initial(&e, e.next);
    if (!status) {
        *initial = state_number(x, e.next, true);
        status = *initial < 0 ? error_memory(x->p->error) : reach(&f, *initial);
    }
    for (size_t i = 0; i < f.count && !status; i++) status = make_choices(&e, f.queue[i]);
    explorer_free(&e);
    mem_free(f.seen);
    mem_free(f.queue);
    return status;
}

vouch_status prism_explore_unreached(prism_states *x, int env, const prism_value *constant, int state)
{
    explorer e = {.x = x, .p = x->p, .env = env, .env_name = "", .scope = {.constant = constant}, .reached = false};
    vouch_status status = explorer_start(&e);
    if (!status) status = make_choices(&e, state);
    explorer_free(&e);
    return status;
}
