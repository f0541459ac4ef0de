/* io/prism_eval.c - values of expressions; see prism.h.
 *
 * Types are checked as values are computed, by PRISM's rules: whole numbers turn into reals where a real is needed, never back; /
 * is always real division; min, max and pow stay whole for whole arguments. The number of steps and the depth of one evaluation are
 * bounded, since formulas may refer to formulas (or, wrongly, to themselves).
 */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "io/prism.h"

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

int prism_eval_int(prism_scope *c, int expr)
{
    prism_value v = prism_eval(c, expr);
    if (v.type != TYPE_INT) wrong_type(c, &c->p->expr[expr], TYPE_INT, &v);
    if (v.u.i < -INT32_MAX || v.u.i > INT32_MAX) fail(c, &c->p->expr[expr], beyond_variables);
    return (int)v.u.i;
}

int prism_eval_bound(prism_scope *c, int expr)
{
    prism_value v = prism_eval(c, expr);
    double x = as_real(&v);
    if (v.type != TYPE_BOOL && fabs(x) > INT32_MAX) fail(c, &c->p->expr[expr], beyond_variables);
    if (v.type == TYPE_BOOL || !(fabs(x) <= INT32_MAX) || x != floor(x)) wrong_type(c, &c->p->expr[expr], TYPE_INT, &v);
    return (int)x;
}

double prism_eval_real(prism_scope *c, int expr)
{
    prism_value v = eval_number(c, expr);
    double value = as_real(&v);
    if (!isfinite(value)) fail(c, &c->p->expr[expr], "the value is no finite number");
    return value;
}
