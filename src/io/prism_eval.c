/* io/prism_eval.c - values of expressions; see prism.h.
 *
 * Types are checked as values are computed, by PRISM's rules: whole numbers turn into reals where a real is
 * needed, never back; / is always real division; min, max and pow stay whole for whole arguments. The number of steps and the
 * depth of one evaluation are bounded, since formulas may refer to formulas (or, wrongly, to themselves).
 */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "io/prism_read.h"

enum { DEPTH_CAP = 900 }; /* of what nests to the right, in brackets and by formulas; for a stack of 256 kB */
static const long WORK_CAP = 10000000;
static const double WHOLE_MOST = 9223372036854775808.0; /* 2^63: reals from here on have no whole number */

static const char *const type_text[] = {"a whole number", "a number", "a truth value"};

static const char beyond_variables[] = "values of variables lie between -2147483647 and 2147483647";

static vouch_status fail(const prism_scope *c, const prism_expr *e, const char *what)
{
    if (c->quiet) return VOUCH_ERROR_INPUT;
    return prism_fail(c->p, e->line, e->column, "%s", what);
}

static vouch_status wrong_type(const prism_scope *c, const prism_expr *e, prism_type wanted, const prism_value *v)
{
    if (c->quiet) return VOUCH_ERROR_INPUT;
    return prism_fail(c->p, e->line, e->column, "expected %s, found %s", type_text[wanted], type_text[v->type]);
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

static vouch_status checked_whole(const prism_scope *c, const prism_expr *e, double d, prism_value *v)
{
    if (!(fabs(d) < WHOLE_MOST)) return fail(c, e, "the result is too large for a whole number");
    *v = whole((int64_t)d);
    return VOUCH_OK;
}

static vouch_status eval_bool_at(prism_scope *c, int expr, bool *value)
{
    prism_value v = {0};
    vouch_status status = prism_eval(c, expr, &v);
    if (status) return status;
    if (v.type != TYPE_BOOL) return wrong_type(c, &c->p->expr[expr], TYPE_BOOL, &v);
    *value = v.u.i != 0;
    return VOUCH_OK;
}

/* e, whose left side is *v. */
static vouch_status join_logic(prism_scope *c, const prism_expr *e, prism_value *v)
{
    if (v->type != TYPE_BOOL) return wrong_type(c, &c->p->expr[e->a], TYPE_BOOL, v);
    bool a = v->u.i != 0, b = false;
    bool decided = (e->op == OP_OR && a) || (e->op == OP_AND && !a) || (e->op == OP_IMPLIES && !a);
    if (decided) {
        *v = truth(e->op != OP_AND);
        return VOUCH_OK;
    }
    vouch_status status = eval_bool_at(c, e->b, &b);
    if (!status) *v = truth(e->op == OP_IFF ? a == b : b);
    return status;
}

/* Both arguments, numbers. */
static vouch_status eval_numbers(prism_scope *c, const prism_expr *e, prism_value *a, prism_value *b)
{
    vouch_status status = prism_eval(c, e->a, a);
    if (!status && a->type == TYPE_BOOL) status = wrong_type(c, &c->p->expr[e->a], TYPE_REAL, a);
    if (!status) status = prism_eval(c, e->b, b);
    if (!status && b->type == TYPE_BOOL) status = wrong_type(c, &c->p->expr[e->b], TYPE_REAL, b);
    return status;
}

static vouch_status eval_compare(prism_scope *c, const prism_expr *e, prism_value *v)
{
    prism_value a = {0}, b = {0};
    vouch_status status;
    if (e->op == OP_EQ || e->op == OP_NE) {
        status = prism_eval(c, e->a, &a);
        if (!status) status = prism_eval(c, e->b, &b);
        if (!status && (a.type == TYPE_BOOL) != (b.type == TYPE_BOOL))
            status = fail(c, e, "a truth value and a number cannot be compared");
    } else {
        status = eval_numbers(c, e, &a, &b);
    }
    if (status) return status;
    double x = as_real(&a), y = as_real(&b);
    if (a.type != TYPE_REAL && b.type != TYPE_REAL) { /* beyond 2^53 reals would be too coarse */
        x = (double)((a.u.i > b.u.i) - (a.u.i < b.u.i));
        y = 0;
    }
    bool less = e->op == OP_NE || e->op == OP_LT || e->op == OP_LE, more = e->op == OP_NE || e->op == OP_GT || e->op == OP_GE;
    bool equal = e->op == OP_EQ || e->op == OP_LE || e->op == OP_GE, incomparable = e->op == OP_NE;
    *v = truth(x < y ? less : x > y ? more : x == y ? equal : incomparable);
    return VOUCH_OK;
}

/* a op b, numbers. */
static vouch_status arithmetic(const prism_scope *c, const prism_expr *e, const prism_value *a, const prism_value *b,
                               prism_value *v)
{
    bool both = a->type == TYPE_INT && b->type == TYPE_INT;
    double x = as_real(a), y = as_real(b);
    if (both && e->op == OP_POW && b->u.i < 0)
        return fail(c, e, "a whole number to a negative power is no whole number; write it as a real number");
    if (both && e->op != OP_DIV && e->op != OP_LOG && e->op != OP_MOD) {
        int64_t result;
        if (!whole_arithmetic(e->op, a->u.i, b->u.i, &result)) return fail(c, e, "the result is too large for a whole number");
        *v = whole(result);
        return VOUCH_OK;
    }
    if (e->op == OP_MOD) {
        if (!both) return fail(c, e, "mod needs two whole numbers");
        if (b->u.i <= 0) return fail(c, e, "mod needs a positive second argument");
        int64_t rest = a->u.i % b->u.i;
        *v = whole(rest < 0 ? rest + b->u.i : rest);
        return VOUCH_OK;
    }
    *v = real(e->op == OP_ADD   ? x + y
              : e->op == OP_SUB ? x - y
              : e->op == OP_MUL ? x * y
              : e->op == OP_DIV ? x / y
              : e->op == OP_MIN ? (x < y ? x : y)
              : e->op == OP_MAX ? (x > y ? x : y)
              : e->op == OP_LOG ? log(x) / log(y)
                                : pow(x, y));
    return VOUCH_OK;
}

/* e, whose left side is *v. */
static vouch_status join_arithmetic(prism_scope *c, const prism_expr *e, prism_value *v)
{
    prism_value a = *v, b = {0};
    if (a.type == TYPE_BOOL) return wrong_type(c, &c->p->expr[e->a], TYPE_REAL, &a);
    vouch_status status = prism_eval(c, e->b, &b);
    if (!status && b.type == TYPE_BOOL) status = wrong_type(c, &c->p->expr[e->b], TYPE_REAL, &b);
    return status ? status : arithmetic(c, e, &a, &b, v);
}

static bool is_chain(prism_op op) { return (op > OP_IF && op < OP_NOT) || op > OP_ROUND; }

/* a op b op c .., which nests to the left as deep as it is long: from the innermost left side up. */
static vouch_status eval_chain(prism_scope *c, int expr, prism_value *v)
{
    const prism_expr *all = c->p->expr;
    int at = expr;
    for (; is_chain(all[all[at].a].op); c->work++) at = all[at].a;
    vouch_status status = prism_eval(c, all[at].a, v);
    for (; !status; at = all[at].up) {
        status = all[at].op < OP_NOT ? join_logic(c, &all[at], v) : join_arithmetic(c, &all[at], v);
        if (at == expr) break;
    }
    return status;
}

static vouch_status eval_not(prism_scope *c, const prism_expr *e, prism_value *v)
{
    bool a;
    vouch_status status = eval_bool_at(c, e->a, &a);
    if (!status) *v = truth(!a);
    return status;
}

static vouch_status eval_unary(prism_scope *c, const prism_expr *e, prism_value *v)
{
    prism_value a = {0};
    vouch_status status = prism_eval(c, e->a, &a);
    if (status) return status;
    if (a.type == TYPE_BOOL) return wrong_type(c, &c->p->expr[e->a], TYPE_REAL, &a);
    double x = as_real(&a);
    *v = a;
    if (e->op == OP_MINUS) {
        if (a.type == TYPE_INT && a.u.i == INT64_MIN) return fail(c, e, "the result is too large for a whole number");
        *v = a.type == TYPE_INT ? whole(-a.u.i) : real(-x);
        return VOUCH_OK;
    }
    if (a.type == TYPE_INT) return VOUCH_OK;
    return checked_whole(c, e, e->op == OP_FLOOR ? floor(x) : e->op == OP_CEIL ? ceil(x) : floor(x + 0.5), v);
}

static vouch_status eval_select(prism_scope *c, const prism_expr *e, prism_value *v)
{
    int index;
    vouch_status status = prism_eval_int(c, e->a, &index);
    if (status) return status;
    if (index >= 0 && index < e->c) return prism_eval(c, c->p->element[e->b + index], v);
    if (c->quiet) return VOUCH_ERROR_INPUT;
    return prism_fail(c->p, e->line, e->column, "the index %d lies outside an array of %d elements", index, e->c);
}

/* Names in it are not replaced, but for those of `under`. */
static vouch_status eval_as_it_stands(prism_scope *c, const prism_under *under, int expr, prism_value *v)
{
    const prism_under *before = c->under;
    c->under = under;
    vouch_status status = prism_eval(c, expr, v);
    c->under = before;
    return status;
}

static vouch_status eval_name(prism_scope *c, const prism_expr *e, prism_value *v)
{
    prism_meaning is = {e->op, e->a};
    const prism_under *under = c->under ? prism_meant(c->p, c->under, &is) : NULL;
    if (is.op == OP_FORMULA) return eval_as_it_stands(c, under, c->p->formula[is.index].expr, v);
    if (is.op == OP_CONST && c->known && !c->known[is.index]) return fail(c, e, "constants depend on each other in a circle");
    if (is.op == OP_CONST) {
        *v = c->constant[is.index];
        return VOUCH_OK;
    }
    if (!c->state) return fail(c, e, "a variable cannot be used here");
    *v = c->p->variable[is.index].type == TYPE_BOOL ? truth(c->state[is.index] != 0) : whole(c->state[is.index]);
    return VOUCH_OK;
}

static vouch_status eval_leaf(prism_scope *c, const prism_expr *e, prism_value *v)
{
    switch (e->op) {
    case OP_INT:
        *v = whole(e->u.whole);
        return VOUCH_OK;
    case OP_REAL:
        *v = real(e->u.number);
        return VOUCH_OK;
    case OP_BOOL:
        *v = truth(e->u.whole != 0);
        return VOUCH_OK;
    case OP_ID:
        return fail(c, e, "this name is not declared");
    case OP_CONST:
    case OP_VAR:
    case OP_FORMULA:
        return eval_name(c, e, v);
    case OP_RENAMED: {
        const prism_under here = {&c->p->module[e->u.whole], c->under};
        c->under = &here;
        vouch_status status = prism_eval(c, e->a, v);
        c->under = here.outer;
        return status;
    }
    case OP_ARRAY:
        return fail(c, e, "an array is no value here");
    case OP_SELECT:
        return eval_select(c, e, v);
    case OP_INIT:
    case OP_DEADLOCK:
        if (!c->standing) return fail(c, e, "the labels \"init\" and \"deadlock\" cannot be used in this expression");
        *v = truth(e->op == OP_INIT ? c->standing->initial : c->standing->deadlock);
        return VOUCH_OK;
    default:
        return eval_as_it_stands(c, NULL, c->p->label[e->b].expr, v);
    }
}

static vouch_status eval_if(prism_scope *c, const prism_expr *e, prism_value *v)
{
    bool condition;
    vouch_status status = eval_bool_at(c, e->a, &condition);
    return status ? status : prism_eval(c, condition ? e->b : e->c, v);
}

vouch_status prism_eval(prism_scope *c, int expr, prism_value *v)
{
    CHECK(expr >= 0 && (size_t)expr < c->p->expr_count);
    CHECK_COMPARE(c->depth, >=, 0);
    const prism_expr *e = &c->p->expr[expr];
    if (c->depth == 0) c->work = 0;
    if (c->depth >= DEPTH_CAP || c->work++ >= WORK_CAP)
        return fail(c, e, "the expression is nested too deeply, or a formula refers to itself");
    c->depth++;
    vouch_status status = e->op <= OP_DEADLOCK ? eval_leaf(c, e, v)
                          : e->op == OP_IF     ? eval_if(c, e, v)
                          : is_chain(e->op)    ? eval_chain(c, expr, v)
                          : e->op == OP_NOT    ? eval_not(c, e, v)
                          : e->op <= OP_GE     ? eval_compare(c, e, v)
                                               : eval_unary(c, e, v);
    c->depth--;
    return status;
}

vouch_status prism_eval_bool(prism_scope *c, int expr, bool *value) { return eval_bool_at(c, expr, value); }

vouch_status prism_eval_int(prism_scope *c, int expr, int *value)
{
    prism_value v = {0};
    vouch_status status = prism_eval(c, expr, &v);
    if (status) return status;
    if (v.type != TYPE_INT) return wrong_type(c, &c->p->expr[expr], TYPE_INT, &v);
    if (v.u.i < -INT32_MAX || v.u.i > INT32_MAX) return fail(c, &c->p->expr[expr], beyond_variables);
    *value = (int)v.u.i;
    return VOUCH_OK;
}

vouch_status prism_eval_bound(prism_scope *c, int expr, int *value)
{
    prism_value v = {0};
    vouch_status status = prism_eval(c, expr, &v);
    if (status) return status;
    double x = as_real(&v);
    if (v.type != TYPE_BOOL && fabs(x) > INT32_MAX) return fail(c, &c->p->expr[expr], beyond_variables);
    if (v.type == TYPE_BOOL || !(fabs(x) <= INT32_MAX) || x != floor(x)) return wrong_type(c, &c->p->expr[expr], TYPE_INT, &v);
    *value = (int)x;
    return VOUCH_OK;
}

vouch_status prism_eval_real(prism_scope *c, int expr, double *value)
{
    prism_value v = {0};
    vouch_status status = prism_eval(c, expr, &v);
    if (status) return status;
    if (v.type == TYPE_BOOL) return wrong_type(c, &c->p->expr[expr], TYPE_REAL, &v);
    *value = as_real(&v);
    return isfinite(*value) ? VOUCH_OK : fail(c, &c->p->expr[expr], "the value is no finite number");
}
