/* io/prism_expand.c - valuations, the states that environments reach, and their choices; see prism.h.
 *
 * In a state a synchronisation is offered when each of its partners has an enabled command for it; each combination of such
 * commands is one choice, whose outcomes are the products of their updates, all evaluated in the old state (JANI: higher indexes in
 * the state after the lower ones). Commands without label are choices of their own.
 */

#include "io/prism.h"
#include "io/formats.h"
#include "mdp/model.h"

/* ---- evaluation ---------------------------------------------------------------------------------------------------- */

/* Values of expressions; see prism.h.
 *
 * Types are checked as values are computed, by PRISM's rules: whole numbers turn into reals where a real is needed, never back; /
 * is always real division; min, max and pow stay whole for whole arguments. The number of steps and the depth of one evaluation are
 * bounded, since formulas may refer to formulas (or, wrongly, to themselves)
 */

enum { DEPTH_CAP = 900 }; /* of what nests to the right, in brackets and by formulas; for a stack of 256 kB */
static const long WORK_CAP = 10000000;
static const double WHOLE_MOST = 9223372036854775808.0; /* 2^63: reals from here on have no whole number */

static const char *const type_text[] = {"a whole number", "a number", "a truth value"};

static const char beyond_variables[] = "values of variables lie between -2147483647 and 2147483647";

static _Noreturn void fail(const prism_scope *c, const prism_expr *e, const char *what)
{
    if (c->quiet) escape_by(c->p->e, VOUCH_ERROR_INPUT);
    prism_fail(c->p, e->line, e->column, "%s", what);
}

static _Noreturn void wrong_type(const prism_scope *c, const prism_expr *e, prism_type wanted, const prism_value *v)
{
    if (c->quiet) escape_by(c->p->e, VOUCH_ERROR_INPUT);
    prism_fail(c->p, e->line, e->column, "expected %s, found %s", type_text[wanted], type_text[v->type]);
}

static prism_value whole(int64_t i) { return (prism_value){.type = TYPE_INT, .u.i = i}; }
static prism_value real(double d) { return (prism_value){.type = TYPE_REAL, .u.d = d}; }
static prism_value truth(bool b) { return (prism_value){.type = TYPE_BOOL, .u.i = b}; }
static double as_real(const prism_value *v) { return v->type == TYPE_REAL ? v->u.d : (double)v->u.i; }

/* a op b; false: it does not fit. */
static bool whole_arithmetic(prism_op op, int64_t a, int64_t b, int64_t *result)
{
    switch (op) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, result);
    case OP_SUB:
        return !__builtin_sub_overflow(a, b, result);
    case OP_MUL:
        return !__builtin_mul_overflow(a, b, result);
    case OP_MIN:
        *result = a < b ? a : b;
        return true;
    case OP_MAX:
        *result = a > b ? a : b;
        return true;
    default: /* a to the power b, b >= 0, by squaring */
        for (*result = 1; b > 0; b /= 2) {
            if (b % 2 && __builtin_mul_overflow(*result, a, result)) return false;
            if (b > 1 && __builtin_mul_overflow(a, a, &a)) return false;
        }
        return true;
    }
}

bool prism_eval_bool(prism_scope *c, int expr)
{
    prism_value v = prism_eval(c, expr);
    if (v.type != TYPE_BOOL) wrong_type(c, &c->p->expr[expr], TYPE_BOOL, &v);
    return v.u.i != 0;
}

static prism_value eval_number(prism_scope *c, int expr)
{
    prism_value v = prism_eval(c, expr);
    if (v.type == TYPE_BOOL) wrong_type(c, &c->p->expr[expr], TYPE_REAL, &v);
    return v;
}

/* The value of e, whose left side has the value v. */
static prism_value join_logic(prism_scope *c, const prism_expr *e, prism_value v)
{
    if (v.type != TYPE_BOOL) wrong_type(c, &c->p->expr[e->a], TYPE_BOOL, &v);
    bool a = v.u.i != 0;
    if ((e->op == OP_OR && a) || (e->op == OP_AND && !a) || (e->op == OP_IMPLIES && !a)) return truth(e->op != OP_AND);
    bool b = prism_eval_bool(c, e->b);
    return truth(e->op == OP_IFF ? a == b : b);
}

static prism_value eval_compare(prism_scope *c, const prism_expr *e)
{
    bool equality = e->op == OP_EQ || e->op == OP_NE;
    prism_value a = equality ? prism_eval(c, e->a) : eval_number(c, e->a);
    prism_value b = equality ? prism_eval(c, e->b) : eval_number(c, e->b);
    if ((a.type == TYPE_BOOL) != (b.type == TYPE_BOOL)) fail(c, e, "a truth value and a number cannot be compared");
    double x = as_real(&a), y = as_real(&b);
    if (a.type != TYPE_REAL && b.type != TYPE_REAL) { /* beyond 2^53 reals would be too coarse */
        x = (double)((a.u.i > b.u.i) - (a.u.i < b.u.i));
        y = 0;
    }
    bool less = e->op == OP_NE || e->op == OP_LT || e->op == OP_LE, more = e->op == OP_NE || e->op == OP_GT || e->op == OP_GE;
    bool equal = e->op == OP_EQ || e->op == OP_LE || e->op == OP_GE, incomparable = e->op == OP_NE;
    return truth(x < y ? less : x > y ? more : x == y ? equal : incomparable);
}

/* a op b, numbers. */
static prism_value arithmetic(const prism_scope *c, const prism_expr *e, prism_value a, prism_value b)
{
    bool both = a.type == TYPE_INT && b.type == TYPE_INT;
    double x = as_real(&a), y = as_real(&b);
    if (both && e->op == OP_POW && b.u.i < 0)
        fail(c, e, "a whole number to a negative power is no whole number; write it as a real number");
    if (both && e->op != OP_DIV && e->op != OP_LOG && e->op != OP_MOD) {
        int64_t result;
        if (!whole_arithmetic(e->op, a.u.i, b.u.i, &result)) fail(c, e, "the result is too large for a whole number");
        return whole(result);
    }
    if (e->op == OP_MOD) {
        if (!both) fail(c, e, "mod needs two whole numbers");
        if (b.u.i <= 0) fail(c, e, "mod needs a positive second argument");
        int64_t rest = a.u.i % b.u.i;
        return whole(rest < 0 ? rest + b.u.i : rest);
    }
    return real(e->op == OP_ADD   ? x + y
                : e->op == OP_SUB ? x - y
                : e->op == OP_MUL ? x * y
                : e->op == OP_DIV ? x / y
                : e->op == OP_MIN ? (x < y ? x : y)
                : e->op == OP_MAX ? (x > y ? x : y)
                : e->op == OP_LOG ? log(x) / log(y)
                                  : pow(x, y));
}

static prism_value join_arithmetic(prism_scope *c, const prism_expr *e, prism_value a)
{
    if (a.type == TYPE_BOOL) wrong_type(c, &c->p->expr[e->a], TYPE_REAL, &a);
    return arithmetic(c, e, a, eval_number(c, e->b));
}

static bool is_chain(prism_op op) { return (op > OP_IF && op < OP_NOT) || op > OP_ROUND; }

/* a op b op c .., nested to the left for each operator: from the innermost left side up. */
static prism_value eval_chain(prism_scope *c, int expr)
{
    const prism_expr *all = c->p->expr;
    int at = expr;
    for (; is_chain(all[all[at].a].op); c->work++) at = all[at].a;
    prism_value v = prism_eval(c, all[at].a);
    for (;; at = all[at].up) {
        v = all[at].op < OP_NOT ? join_logic(c, &all[at], v) : join_arithmetic(c, &all[at], v);
        if (at == expr) return v;
    }
}

static prism_value eval_unary(prism_scope *c, const prism_expr *e)
{
    prism_value a = eval_number(c, e->a);
    double x = as_real(&a);
    if (e->op == OP_MINUS) {
        if (a.type == TYPE_INT && a.u.i == INT64_MIN) fail(c, e, "the result is too large for a whole number");
        return a.type == TYPE_INT ? whole(-a.u.i) : real(-x);
    }
    if (a.type == TYPE_INT) return a;
    double d = e->op == OP_FLOOR ? floor(x) : e->op == OP_CEIL ? ceil(x) : floor(x + 0.5);
    if (!(fabs(d) < WHOLE_MOST)) fail(c, e, "the result is too large for a whole number");
    return whole((int64_t)d);
}

static int prism_eval_int(prism_scope *scope, int expr);

static prism_value eval_select(prism_scope *c, const prism_expr *e)
{
    int index = prism_eval_int(c, e->a);
    if (index >= 0 && index < e->c) return prism_eval(c, c->p->element[e->b + index]);
    if (c->quiet) escape_by(c->p->e, VOUCH_ERROR_INPUT);
    prism_fail(c->p, e->line, e->column, "the index %d lies outside an array of %d elements", index, e->c);
}

/* Names in it are not replaced, except names in `under`. */
static prism_value eval_as_it_stands(prism_scope *c, const prism_under *under, int expr)
{
    const prism_under *before = c->under;
    c->under = under;
    prism_value v = prism_eval(c, expr);
    c->under = before;
    return v;
}

static prism_value eval_name(prism_scope *c, const prism_expr *e)
{
    prism_meaning is = {e->op, e->a};
    const prism_under *under = c->under ? prism_meant(c->p, c->under, &is) : NULL;
    if (is.op == OP_FORMULA) return eval_as_it_stands(c, under, c->p->formula[is.index].expr);
    if (is.op == OP_CONST && c->known && !c->known[is.index]) fail(c, e, "constants depend on each other in a circle");
    if (is.op == OP_CONST) return c->constant[is.index];
    if (!c->state) fail(c, e, "a variable cannot be used here");
    return c->p->variable[is.index].type == TYPE_BOOL ? truth(c->state[is.index] != 0) : whole(c->state[is.index]);
}

static prism_value eval_leaf(prism_scope *c, const prism_expr *e)
{
    switch (e->op) {
    case OP_INT:
        return whole(e->u.whole);
    case OP_REAL:
        return real(e->u.number);
    case OP_BOOL:
        return truth(e->u.whole != 0);
    case OP_ID:
        fail(c, e, "this name is not declared");
    case OP_CONST:
    case OP_VAR:
    case OP_FORMULA:
        return eval_name(c, e);
    case OP_RENAMED: {
        const prism_under here = {&c->p->module[e->u.whole], c->under};
        c->under = &here;
        prism_value v = prism_eval(c, e->a);
        c->under = here.outer;
        return v;
    }
    case OP_ARRAY:
        fail(c, e, "an array is no value here");
    case OP_SELECT:
        return eval_select(c, e);
    case OP_INIT:
    case OP_DEADLOCK:
        if (!c->standing) fail(c, e, "the labels \"init\" and \"deadlock\" cannot be used in this expression");
        return truth(e->op == OP_INIT ? c->standing->initial : c->standing->deadlock);
    default:
        return eval_as_it_stands(c, NULL, c->p->label[e->b].expr);
    }
}

prism_value prism_eval(prism_scope *c, int expr)
{
    CHECK(expr >= 0 && (size_t)expr < c->p->expr_count);
    CHECK_COMPARE(c->depth, >=, 0);
    const prism_expr *e = &c->p->expr[expr];
    if (c->depth == 0) c->work = 0;
    if (c->depth >= DEPTH_CAP || c->work++ >= WORK_CAP)
        fail(c, e, "the expression is nested too deeply, or a formula refers to itself");
    c->depth++;
    prism_value v = e->op <= OP_DEADLOCK ? eval_leaf(c, e)
                    : e->op == OP_IF     ? prism_eval(c, prism_eval_bool(c, e->a) ? e->b : e->c)
                    : is_chain(e->op)    ? eval_chain(c, expr)
                    : e->op == OP_NOT    ? truth(!prism_eval_bool(c, e->a))
                    : e->op <= OP_GE     ? eval_compare(c, e)
                                         : eval_unary(c, e);
    c->depth--;
    return v;
}

typedef struct quiet_evaluation {
    prism_scope *scope;
    int expr;
    prism_value value;
} quiet_evaluation;

static void try_to_eval(void *object)
{
    quiet_evaluation *a = object;
    a->value = prism_eval(a->scope, a->expr);
}

bool prism_eval_quietly(prism_scope *scope, int expr, prism_value *value)
{
    prism_scope quiet = *scope;
    quiet.quiet = true;
    quiet_evaluation a = {&quiet, expr, {0}};
    bool good = !escape_try(scope->p->e, try_to_eval, &a);
    scope->work = quiet.work;
    *value = a.value;
    return good;
}

static int prism_eval_int(prism_scope *c, int expr)
{
    prism_value v = prism_eval(c, expr);
    if (v.type != TYPE_INT) wrong_type(c, &c->p->expr[expr], TYPE_INT, &v);
    if (v.u.i < -INT32_MAX || v.u.i > INT32_MAX) fail(c, &c->p->expr[expr], beyond_variables);
    return (int)v.u.i;
}

static int prism_eval_bound(prism_scope *c, int expr)
{
    prism_value v = prism_eval(c, expr);
    double x = as_real(&v);
    if (v.type != TYPE_BOOL && fabs(x) > INT32_MAX) fail(c, &c->p->expr[expr], beyond_variables);
    if (v.type == TYPE_BOOL || !(fabs(x) <= INT32_MAX) || x != floor(x)) wrong_type(c, &c->p->expr[expr], TYPE_INT, &v);
    return (int)x;
}

/* A bound of a range: also a real whose value is whole, since [0..N/2] is common and / is real division. */
static double prism_eval_real(prism_scope *c, int expr)
{
    prism_value v = eval_number(c, expr);
    double value = as_real(&v);
    if (!isfinite(value)) fail(c, &c->p->expr[expr], "the value is no finite number");
    return value;
}

/* ---- the table of valuations --------------------------------------------------------------------------------- */

/* The number of a valuation, made if that is wanted and it is new; -1: not known. */
static int state_number(prism_states *x, const int *v, bool make)
{
    for (int w = 0; w < x->valuations.words; w++) {
        uint64_t low = 2 * w < x->V ? (uint32_t)v[2 * w] : 0, high = 2 * w + 1 < x->V ? (uint32_t)v[2 * w + 1] : 0;
        x->key[w] = low | high << 32;
    }
    return make ? must_count(x->p->e, intern_add(&x->valuations, x->key, NULL)) : intern_find(&x->valuations, x->key);
}

void prism_valuation(const prism_states *x, int state, int v[])
{
    CHECK(state >= 0 && state < x->valuations.count);
    const uint64_t *key = intern_key(&x->valuations, state);
    for (int i = 0; i < x->V; i++) v[i] = (int)(int32_t)(uint32_t)(key[i / 2] >> (i % 2 ? 32 : 0));
}

static void end_valuations(void *object) { intern_free(object); }

void prism_states_start(prism_states *x)
{
    x->V = (int)x->p->variable_count;
    int words = x->V > 0 ? (x->V + 1) / 2 : 1;
    escape_names(x->p->e, &x->combos);
    escape_keep(x->p->e, end_valuations, &x->valuations);
    x->key = ESCAPE_NEW(x->p->e, uint64_t, words);
    must_count(x->p->e, intern_init(&x->valuations, words));
}

void prism_states_end(prism_states *x)
{
    names_free(&x->combos);
    intern_free(&x->valuations);
    escape_free(x->p->e, x->choice);
    escape_free(x->p->e, x->outcome);
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
    int *v = MEM_NEW(int, x->V);
    if (!v) escape_memory(x->p->e);
    prism_valuation(x, state, v);
    add_state_name(x->p, v, &t);
    mem_free(v);
    return escape_take(x->p->e, &t);
}

/* The number of a set of commands, made if new. */
static int combo_number(prism_states *x, const int *chosen, int parts)
{
    text t = {0};
    for (int i = 0; i < parts; i++) text_add(&t, "%s%d", i ? "," : "", chosen[i]);
    int number = t.failed ? -1 : names_add(&x->combos, t.data);
    text_free(&t);
    return must_count(x->p->e, number);
}

/* Commands in the order of the file: "3,17" against "3,2", number by number. */
static int compare_combos(const char *a, const char *b)
{
    for (;;) {
        char *end_a, *end_b;
        long x = strtol(a, &end_a, 10), y = strtol(b, &end_b, 10);
        if (x != y) return x < y ? -1 : 1;
        if (!*end_a || !*end_b) return (*end_a != 0) - (*end_b != 0);
        a = end_a + 1;
        b = end_b + 1;
    }
}

typedef struct numbered_combo {
    const char *text;
    int number;
} numbered_combo;

static int by_text(const void *x, const void *y)
{
    return compare_combos(((const numbered_combo *)x)->text, ((const numbered_combo *)y)->text);
}

void prism_combos_order(prism_states *x)
{
    int count = x->combos.count;
    numbered_combo *list = ESCAPE_NEW(x->p->e, numbered_combo, count);
    int *rank = ESCAPE_NEW(x->p->e, int, count);
    names ordered = {0};
    bool failed = false;
    for (int i = 0; i < count; i++) list[i] = (numbered_combo){names_text(&x->combos, i), i};
    qsort(list, (size_t)count, sizeof *list, by_text);
    for (int i = 0; i < count && !failed; i++) {
        rank[list[i].number] = i;
        failed = names_add(&ordered, list[i].text) != i;
    }
    names_free(&x->combos);
    x->combos = ordered;
    if (failed) escape_memory(x->p->e);
    for (size_t i = 0; i < x->choice_count; i++) x->choice[i].combo = rank[x->choice[i].combo];
}

typedef struct frontier { /* the states that one environment reaches */
    prism_reach *r;
    int k;
    ESCAPE_ARRAY(int, queue);
    size_t at, level_end;
    int steps;        /* left before the horizon */
    const bool *open; /* [opened]: can some environment be in the state before the horizon? */
    int opened, scanned;
} frontier;

typedef struct prism_part {
    int update;                    /* of its command, at hand */
    double sum[2], probability[2]; /* limits: of its present updates; of the updates of the parts before it */
} prism_part;

typedef struct prism_expansion { /* its states and choices in the making */
    prism_states *x;
    const prism *p;
    const prism_environment *env;
    prism_scope scope;
    frontier *f;     /* takes the states that are reached */
    int *low, *high; /* [V] */
    int *now, *next; /* [V]: the state at hand and a successor in the making */
    int state;
    bool reached;    /* false: only its choices that make sense and stay among the known states */
    bool *enabled;   /* [commands] */
    int *at_command; /* [modules + 1]: of the synchronisation at hand, where in prism.partaking each partner stands */
    int *chosen;     /* [modules]: the command chosen in each participating module */
    int parts;
    prism_part *part; /* [modules + 1]: of the combination of updates at hand */
    int *owner;       /* [V]: which part assigns a variable; -1 outside check_conflicts and assign_index */
    int *seen;        /* [V]: the state that assignments of the index at hand look at */
} prism_expansion;

/* Either each variable has an initial value, or init .. endinit is a condition that valuations may meet. The search sets one
 * variable after the other, and tests a part of the conjunction as soon as its last variable is set. --initial is such a condition
 * too, and its parts may have probabilities. */
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
typedef struct condition {
    int expr, last;
} condition;

typedef struct conjunction {
    ESCAPE_ARRAY(condition, part);
} conjunction;

static void add_parts(const prism *p, int expr, conjunction *c)
{
    for (; p->expr[expr].op == OP_AND; expr = p->expr[expr].a) add_parts(p, p->expr[expr].b, c); /* a & b & c is (a & b) & c */
    long work = PART_CAP;
    ESCAPE_PUSH(p->e, c, part, (condition){expr, last_variable(p, expr, 0, &work)});
}

/* May the valuation, whose variables up to `variable` are set, still be allowed? An error does not count yet. */
static bool may_be_allowed(prism_expansion *e, const conjunction *c, int variable)
{
    for (size_t i = 0; i < c->part_count; i++) {
        prism_value v;
        if (c->part[i].last != variable) continue;
        bool known = prism_eval_quietly(&e->scope, c->part[i].expr, &v);
        e->x->search_work += e->scope.work;
        if (known && v.type == TYPE_BOOL && !v.u.i) return false;
    }
    return true;
}

static void add_initial(prism_expansion *e, prism_initials *out, int *valuation)
{
    ESCAPE_PUSH(e->p->e, out, state, state_number(e->x, valuation, true));
}

/* The valuations that init .. endinit allows. Variables are set one after the other, as long as no part of the conjunction is
 * false. */
static void search_initial(prism_expansion *e, const conjunction *c, prism_initials *out)
{
    CHECK(c->part_count > 0);
    const prism *p = e->p;
    const prism_expr *at = &p->expr[p->init];
    int V = e->x->V, v = 0;
    e->scope.state = e->now;
    for (int i = 0; i < V; i++) e->now[i] = e->low[i] - 1;
    while (v >= 0) {
        if (v == V) {
            if (prism_eval_bool(&e->scope, p->init)) add_initial(e, out, e->now);
            v--;
        } else if (e->now[v] == e->high[v]) {
            e->now[v] = e->low[v] - 1;
            v--;
        } else {
            e->now[v]++;
            if (++e->x->search_work > SEARCH_CAP)
                prism_fail(p, at->line, at->column, "init .. endinit: too many valuations to look at; use `init` of the variables");
            if (may_be_allowed(e, c, v)) v++;
        }
    }
    if (out->state_count == 0)
        prism_fail(p, at->line, at->column,
                   "no values of the variables within their ranges satisfy this in environment %.100s; expected an initial state",
                   e->env->name);
}

/* The states in which the environment may begin, into the empty list. */
static void find_initial(prism_expansion *e, prism_initials *out)
{
    int *initial = e->next;
    const prism *p = e->p;
    if (p->init >= 0) {
        conjunction c = {0};
        add_parts(p, p->init, &c);
        search_initial(e, &c, out);
        return;
    }
    prism_scope scope = {.p = p, .constant = e->scope.constant};
    for (size_t i = 0; i < p->variable_count; i++) {
        const prism_variable *v = &p->variable[i];
        initial[i] = v->low >= 0 ? e->low[i] : 0;
        if (v->init >= 0) initial[i] = v->type == TYPE_BOOL ? prism_eval_bool(&scope, v->init) : prism_eval_bound(&scope, v->init);
        if (initial[i] < e->low[i] || initial[i] > e->high[i])
            prism_fail(p, v->line, v->column, "the initial value %d of \"%.100s\" lies outside [%d..%d]", initial[i],
                       prism_name(p, v->name), e->low[i], e->high[i]);
    }
    add_initial(e, out, initial);
}

/* The length of its part about states: `x=1=0.2` ends in a probability, `x=1` does not. */
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

void prism_starts_read(prism_starts *s, prism *p, const vouch_source *source)
{
    size_t n = source->initial_count;
    double sum = 0;
    text *all = escape_text(p->e); /* in one of them */
    s->item = ESCAPE_ZERO(p->e, prism_start, n);
    for (s->count = 0; s->count < n; s->count++) {
        const char *given = source->initial[s->count];
        prism_start *start = &s->item[s->count];
        start->p = 1 / (double)n;
        size_t length = split_start(given, &start->p);
        s->probable = s->probable || given[length];
        sum += start->p;
        start->words = escape_bytes(p->e, given, length);
        for (char *c = start->words; *c; c++)
            if (*c == ',') *c = '&'; /* names of states */
        text_add(all, "%s(%s)", s->count ? " | " : "", start->words);
    }
    if (all->failed) escape_memory(p->e);
    if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
        escape_fail(p->e, VOUCH_ERROR_INPUT, "%.200s: --initial: the probabilities sum to %.10g; expected 1", p->file, sum);
    p->init = prism_parse_extra(p, "--initial", all->data);
    for (size_t i = 0; i < n && s->probable; i++) s->item[i].expr = prism_parse_extra(p, "--initial", s->item[i].words);
}

bool prism_start_spread(const prism_start *start, const prism_states *x, const prism_initials *begin, prism_scope *scope,
                        int valuation[], double first[])
{
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < begin->state_count; i++) {
            prism_valuation(x, begin->state[i], valuation);
            bool here = prism_eval_bool(scope, start->expr);
            if (here && pass > 0) first[begin->state[i]] += start->p / count;
            count += here && pass == 0;
        }
    return count > 0 || !(start->p > 0);
}

enum { COMBINATION_CAP = 1000000 };

/* An error at a place in the file, in the state at hand; without text where that is not reached. */
static _Noreturn void fail_in_state(const prism_expansion *e, int line, int column, const char *what)
{
    if (!e->reached) escape_by(e->p->e, VOUCH_ERROR_INPUT);
    text *t = escape_text(e->p->e);
    add_state_name(e->p, e->now, t);
    prism_fail(e->p, line, column, "%s, in state %.200s of environment %.100s", what, t->data ? t->data : "", e->env->name);
}

static void find_ranges(prism_expansion *e)
{
    const prism *p = e->p;
    prism_scope scope = {.p = p, .constant = e->scope.constant};
    for (size_t i = 0; i < p->variable_count; i++) {
        const prism_variable *v = &p->variable[i];
        e->low[i] = v->type == TYPE_BOOL ? 0 : -INT32_MAX;
        e->high[i] = v->type == TYPE_BOOL ? 1 : INT32_MAX;
        if (v->low >= 0) e->low[i] = prism_eval_bound(&scope, v->low);
        if (v->high >= 0) e->high[i] = prism_eval_bound(&scope, v->high);
        if (e->low[i] > e->high[i])
            prism_fail(p, v->line, v->column, "the range [%d..%d] of \"%.100s\" is empty in environment %.100s", e->low[i],
                       e->high[i], prism_name(p, v->name), e->env->name);
    }
}

/* ---- one choice ---------------------------------------------------------------------------------------------- */

static void assign(prism_expansion *e, const prism_assignment *a)
{
    const prism_variable *v = &e->p->variable[a->variable];
    int value = v->type == TYPE_BOOL ? prism_eval_bool(&e->scope, a->expr) : prism_eval_int(&e->scope, a->expr);
    if (value < e->low[a->variable] || value > e->high[a->variable]) {
        char what[256];
        format_text(what, sizeof what, "%.100s'=%d leaves the range [%d..%d]", prism_name(e->p, v->name), value,
                    e->low[a->variable], e->high[a->variable]);
        fail_in_state(e, a->line, a->column, what);
    }
    e->next[a->variable] = value;
}

static unsigned char *flags(prism_reach *r, int k, int state) { return &r->seen[(size_t)state * (size_t)r->K + (size_t)k]; }

bool prism_reach_has(const prism_reach *r, int k, int state, int what)
{
    size_t at = (size_t)state * (size_t)r->K + (size_t)k;
    return at < r->capacity && (r->seen[at] & what);
}

static void mark_reached(escape *e, frontier *f, int state)
{
    prism_reach *r = f->r;
    size_t needed = ((size_t)state + 1) * (size_t)r->K, before = r->capacity;
    if (needed > before) {
        ESCAPE_GROW(e, &r->seen, &r->capacity, needed - 1);
        memset(r->seen + before, 0, r->capacity - before);
    }
    if (*flags(r, f->k, state)) return;
    *flags(r, f->k, state) = PRISM_REACHED;
    ESCAPE_PUSH(e, f, queue, state);
}

static void add_outcome(prism_expansion *e, const double probability[2])
{
    CHECK(probability[0] >= 0);
    prism_states *x = e->x;
    int next = state_number(x, e->next, e->reached);
    if (next < 0) escape_by(e->p->e, VOUCH_ERROR_INPUT);
    if ((long long)x->valuations.count > x->limit)
        escape_fail(e->p->e, VOUCH_ERROR_SIZE,
                    "%s: more than %lld states are reached within the horizon (--state-limit); a smaller -T reaches fewer",
                    e->p->file, x->limit);
    if (e->reached) mark_reached(e->p->e, e->f, next);
    ESCAPE_PUSH(e->p->e, x, outcome, (prism_outcome){next, probability[0], probability[1]});
}

/* The limits of its probability. */
static void update_probability(prism_expansion *e, const prism_update *update, double own[2])
{
    const prism_expr *at = &e->p->expr[update->probability < 0 ? 0 : update->probability];
    own[1] = update->probability < 0 ? 1 : prism_eval_real(&e->scope, update->probability);
    own[0] = update->low == update->probability ? own[1] : prism_eval_real(&e->scope, update->low);
    char words[LIMITS_WORDS];
    if (limits_wrong(own[0], own[1], words)) fail_in_state(e, at->line, at->column, words);
}

/* Back, for the next update. */
static void take_back(prism_expansion *e, const prism_update *update)
{
    for (int a = update->first; a < update->first + update->count; a++)
        e->next[e->p->assignment[a].variable] = e->now[e->p->assignment[a].variable];
}

/* A part assigns; neither it nor another may have done so already. */
static void assign_once(prism_expansion *e, const prism_assignment *a, int part)
{
    int *owner = &e->owner[a->variable];
    if (*owner >= 0)
        fail_in_state(e, a->line, a->column,
                      *owner == part ? "the variable is assigned twice" : "two automata assign the same variable in one step");
    *owner = part;
    assign(e, a);
}

/* Does the assignments of an index in the drawn updates, in the state e->seen. Two parts may not both assign a variable. */
static void assign_index(prism_expansion *e, int index)
{
    const prism *p = e->p;
    for (int pass = 0; pass < 2; pass++)
        for (int part = 0; part < e->parts; part++) {
            const prism_update *u = &p->update[e->part[part].update];
            for (int i = u->first; i < u->first + u->count; i++) {
                const prism_assignment *a = &p->assignment[i];
                if (a->index != index) continue;
                bool due = pass == 0;
                if (due && a->when >= 0) due = prism_eval_bool(&e->scope, a->when);
                if (pass > 0) e->owner[a->variable] = -1;
                if (due) assign_once(e, a, part);
            }
        }
}

/* The drawn updates, the lowest index first. */
static void assign_in_order(prism_expansion *e)
{
    const prism *p = e->p;
    const int *before = e->scope.state;
    MEM_COPY(e->next, e->now, e->x->V);
    for (long last = LONG_MIN;;) {
        long index = LONG_MAX;
        for (int part = 0; part < e->parts; part++) {
            const prism_update *u = &p->update[e->part[part].update];
            for (const prism_assignment *a = p->assignment + u->first; a < p->assignment + u->first + u->count; a++)
                if (a->index > last && a->index < index) index = a->index;
        }
        if (index == LONG_MAX) break;
        MEM_COPY(e->seen, e->next, e->x->V);
        e->scope.state = e->seen;
        assign_index(e, (int)index);
        last = index;
    }
    e->scope.state = before;
}

static void begin_part(prism_expansion *e, int part, double low, double high)
{
    e->part[part] = (prism_part){.update = part < e->parts ? e->p->command[e->chosen[part]].first : 0, .probability = {low, high}};
}

/* An outcome for each combination of updates of the chosen commands, the last command's running fastest. Limits are multiplied, as
 * PRISM does: nature may choose beyond products of rows. */
static void combine_updates(prism_expansion *e)
{
    const prism *p = e->p;
    double own[2];
    char words[LIMITS_WORDS];
    begin_part(e, 0, 1, 1);
    for (int part = 0;;) {
        prism_part *at = &e->part[part];
        const prism_command *c = part < e->parts ? &p->command[e->chosen[part]] : NULL;
        if (!c || at->update == c->first + c->count) {
            if (!c && p->ordered) assign_in_order(e);
            if (!c) add_outcome(e, at->probability);
            if (c && limit_sums_wrong(at->sum, words)) fail_in_state(e, c->line, c->column, words);
            if (part == 0) return;
            part--;
            take_back(e, &p->update[e->part[part].update++]);
            continue;
        }
        const prism_update *update = &p->update[at->update];
        update_probability(e, update, own);
        for (int i = 0; i < 2; i++) at->sum[i] += own[i];
        if (own[1] <= 0) {
            at->update++;
            continue;
        }
        for (int a = update->first; a < update->first + update->count && !p->ordered; a++) assign(e, &p->assignment[a]);
        begin_part(e, ++part, at->probability[0] * own[0], at->probability[1] * own[1]);
    }
}

/* Behind the assignments of a command, which lie together. */
static int last_assignment(const prism *p, const prism_command *c)
{
    const prism_update *u = &p->update[c->first + c->count - 1];
    return u->first + u->count;
}

/* Two modules may both be allowed to change a global variable, but not at once. */
static void check_conflicts(const prism_expansion *e)
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
    if (twice) fail_in_state(e, twice->line, twice->column, "two modules assign the same global variable in one step");
}

static void find_outcomes(void *object)
{
    prism_expansion *e = object;
    MEM_COPY(e->next, e->now, e->x->V);
    if (e->parts > 1 && !e->p->ordered) check_conflicts(e);
    combine_updates(e);
}

/* As find_outcomes; false: the choice makes no sense in a state that is not reached, and need not. */
static bool try_to_find_outcomes(prism_expansion *e)
{
    prism_scope before = e->scope;
    size_t first = e->x->outcome_count;
    vouch_status status = escape_try(e->p->e, find_outcomes, e);
    if (!status) return true;
    if (status != VOUCH_ERROR_INPUT) escape_by(e->p->e, status);
    e->scope = before;
    e->x->outcome_count = first;
    for (int v = 0; v < e->x->V; v++) e->owner[v] = -1;
    return false;
}

static void make_choice(prism_expansion *e, int label)
{
    CHECK(e->parts >= 1 && (size_t)e->parts <= e->p->module_count);
    prism_states *x = e->x;
    size_t first = x->outcome_count;
    if (e->reached)
        find_outcomes(e);
    else if (!try_to_find_outcomes(e))
        return;
    int combo = combo_number(x, e->chosen, e->parts);
    const int count = (int)(x->outcome_count - first);
    ESCAPE_PUSH(e->p->e, x, choice, (prism_choice){first, count, e->env->number, e->state, label, combo, e->reached});
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
static void combine_partners(prism_expansion *e, const prism_sync *sync)
{
    const prism *p = e->p;
    const prism_partner *side = &p->partner[sync->first];
    long combinations = 0;
    if (!all_can(e, sync)) return;
    e->at_command[0] = side[0].first - 1;
    for (int g = 0;;) {
        int at = e->at_command[g] + 1, end = side[g].first + side[g].count;
        while (at < end && !e->enabled[p->partaking[at]]) at++;
        if (at == end && g == 0) return;
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
            escape_fail(e->p->e, VOUCH_ERROR_SIZE, "%s: more than a million choices in one state", p->file);
        e->parts = sync->count;
        make_choice(e, sync->label);
    }
}

static void make_choices(prism_expansion *e, int state)
{
    CHECK(state >= 0 && state < e->x->valuations.count);
    const prism *p = e->p;
    e->state = state;
    prism_valuation(e->x, state, e->now);
    e->scope.state = e->now;
    e->scope.quiet = !e->reached;
    for (size_t c = 0; c < p->command_count; c++) {
        prism_value v;
        e->enabled[c] = e->reached ? prism_eval_bool(&e->scope, p->command[c].guard)
                                   : prism_eval_quietly(&e->scope, p->command[c].guard, &v) && v.type == TYPE_BOOL && v.u.i;
    }
    for (size_t i = 0; i < p->sync_count; i++) combine_partners(e, &p->sync[i]);
    for (size_t c = 0; c < p->command_count; c++) {
        if (!e->enabled[c] || p->command[c].label >= 0) continue;
        e->parts = 1;
        e->chosen[0] = (int)c;
        make_choice(e, -1);
    }
}

static void start(prism_expansion *e)
{
    const prism *p = e->p;
    size_t V = p->variable_count, modules = p->module_count;
    int **values[] = {&e->low, &e->high, &e->now, &e->next, &e->seen, &e->owner};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) *values[i] = ESCAPE_NEW(p->e, int, V);
    e->scope = (prism_scope){.p = p, .constant = e->env->constant};
    e->enabled = ESCAPE_NEW(p->e, bool, p->command_count);
    e->chosen = ESCAPE_NEW(p->e, int, modules + 1);
    e->at_command = ESCAPE_NEW(p->e, int, modules + 1);
    e->part = ESCAPE_NEW(p->e, prism_part, modules + 2);
    for (size_t v = 0; v < V; v++) e->owner[v] = -1;
    find_ranges(e);
}

static void end(const prism_expansion *e)
{
    void *blocks[] = {e->low, e->high, e->now, e->next, e->seen, e->owner, e->enabled, e->chosen, e->at_command, e->part};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) escape_free(e->p->e, blocks[i]);
}

/* The choices in the states that next names, until it returns -1. */
static void expand(prism_states *x, const prism_environment *env, frontier *f, int (*next)(frontier *f), bool reached)
{
    prism_expansion e = {.x = x, .p = x->p, .env = env, .f = f, .reached = reached};
    start(&e);
    for (int state; (state = next(f)) >= 0;) make_choices(&e, state);
    end(&e);
}

/* Breadth first, a level a step. */
static int next_in_time(frontier *f)
{
    if (f->at == f->level_end) {
        f->steps--;
        f->level_end = f->queue_count;
    }
    if (f->steps < 0 || f->at == f->queue_count) return -1;
    int state = f->queue[f->at++];
    *flags(f->r, f->k, state) |= PRISM_EXPANDED;
    return state;
}

/* Any state that has choices elsewhere and is reached here, however late. */
static int next_late(frontier *f)
{
    while (f->at < f->queue_count) {
        int state = f->queue[f->at++];
        if (state >= f->opened || !f->open[state]) continue;
        *flags(f->r, f->k, state) |= PRISM_EXPANDED;
        return state;
    }
    return -1;
}

/* Any state that has choices elsewhere and is never reached here. */
static int next_missed(frontier *f)
{
    while (f->scanned < f->opened) {
        int state = f->scanned++;
        if (f->open[state] && !prism_reach_has(f->r, f->k, state, PRISM_EXPANDED)) return state;
    }
    return -1;
}

static void walk_in_time(frontier *f, prism_states *x, const prism_environment env[], int horizon)
{
    prism_initials *begin = &f->r->begin[f->k];
    prism_expansion e = {.x = x, .p = x->p, .env = &env[f->k], .f = f, .reached = true};
    start(&e);
    find_initial(&e, begin);
    end(&e);
    for (size_t i = 0; i < begin->state_count; i++) mark_reached(x->p->e, f, begin->state[i]);
    if (f->k == 0) f->r->initial = begin->state[0];
    if (begin->state_count != 1 || begin->state[0] != f->r->initial) f->r->initial = -1;
    f->steps = horizon;
    expand(x, &env[f->k], f, next_in_time, true);
}

void prism_reach_find(prism_reach *r, prism_states *x, int K, const prism_environment env[], int horizon)
{
    CHECK(K > 0 && horizon > 0);
    escape *e = x->p->e;
    frontier *f = ESCAPE_ZERO(e, frontier, K);
    r->K = K;
    r->begin = ESCAPE_ZERO(e, prism_initials, K);
    for (int k = 0; k < K; k++) {
        f[k].r = r;
        f[k].k = k;
        walk_in_time(&f[k], x, env, horizon);
    }
    int opened = x->valuations.count;
    bool *open = ESCAPE_ZERO(e, bool, opened);
    for (int s = 0; s < opened; s++)
        for (int k = 0; k < K && !open[s]; k++) open[s] = prism_reach_has(r, k, s, PRISM_EXPANDED);
    for (int k = 0; k < K; k++) {
        f[k].open = open;
        f[k].opened = opened;
        expand(x, &env[k], &f[k], next_late, true);
    }
    for (int k = 0; k < K; k++) expand(x, &env[k], &f[k], next_missed, false);
    for (int k = 0; k < K; k++) escape_free(e, f[k].queue);
    ESCAPE_TRIM(e, &x->choice, &x->choice_capacity, x->choice_count);
    ESCAPE_TRIM(e, &x->outcome, &x->outcome_capacity, x->outcome_count);
}

/* Is the command one of "3,17"? */
static bool takes_part(const char *combo, int command)
{
    char *end;
    for (const char *s = combo; *s; s = *end ? end + 1 : end)
        if (strtol(s, &end, 10) == command) return true;
    return false;
}

void prism_rewards_add(const prism_states *x, int rewards, prism_scope *scope, const prism_choice *choice, double *sum)
{
    const prism *p = x->p;
    const char *combo = choice ? names_text(&x->combos, choice->combo) : "";
    const prism_rewards *r = rewards < 0 ? &(prism_rewards){0} : &p->rewards[rewards];
    for (int i = r->first; i < r->first + r->count; i++) {
        const prism_item *item = &p->item[i];
        double value = 0, drawn = 1;
        if (item->transition != (choice != NULL)) continue;
        if (item->command >= 0 ? !takes_part(combo, item->command) : choice && item->label != choice->label) continue;
        if (!prism_eval_bool(scope, item->guard)) continue;
        if (item->update >= 0 && p->update[item->update].probability >= 0)
            drawn = prism_eval_real(scope, p->update[item->update].probability);
        if (drawn > 0) value = prism_eval_real(scope, item->value);
        *sum += drawn * value;
    }
}
