/* io/prism_expr.c - tokens one by one, and expressions.
 *
 * Expressions climb precedences, from weak to strong:  ?:  =>  <=>  |  &  !  = !=  < <= > >=  + -  * /  ^  unary -.
 * While a module is read again under other names, a formula is read in place of its name, so that names inside it are replaced too.
 */
#include "base/error.h"
#include "base/memory.h"
#include "io/prism_read.h"

/* Nesting, for a stack of 256 kB: a bracket takes up to 800 bytes of it, and counts twice; the rest of ?: counts once. */
enum { NEST_CAP = 480, BRACKET = 2, EXPR_CAP = 20000000 };

vouch_status prism_unexpected(const prism_reader *r, const char *wanted)
{
    static const char *const symbol_text[] = {[SYM_ARROW] = "->", [SYM_DOTS] = "..",    [SYM_LE] = "<=",  [SYM_GE] = ">=",
                                              [SYM_NE] = "!=",    [SYM_IMPLIES] = "=>", [SYM_IFF] = "<=>"};
    const prism_token *t = here(r);
    switch ((prism_symbol)t->symbol) {
    case SYM_END:
        return prism_fail(r->p, t->line, t->column, "expected %s, found the end of the file", wanted);
    case SYM_NAME:
        return prism_fail(r->p, t->line, t->column, "expected %s, found \"%.100s\"", wanted, prism_name(r->p, t->name));
    case SYM_STRING:
        return prism_fail(r->p, t->line, t->column, "expected %s, found the label \"%.100s\"", wanted, prism_name(r->p, t->name));
    case SYM_INT:
    case SYM_REAL:
        return prism_fail(r->p, t->line, t->column, "expected %s, found the number %.10g", wanted, t->number);
    case SYM_CHAR:
        return prism_fail(r->p, t->line, t->column, "expected %s, found \"%c\"", wanted, t->character);
    default:
        return prism_fail(r->p, t->line, t->column, "expected %s, found \"%s\"", wanted, symbol_text[t->symbol]);
    }
}

vouch_status prism_take_char(prism_reader *r, char c)
{
    char wanted[] = {'"', c, '"', '\0'};
    if (!at_char(r, c)) return prism_unexpected(r, wanted);
    step(r);
    return VOUCH_OK;
}

vouch_status prism_take_symbol(prism_reader *r, prism_symbol symbol, const char *wanted)
{
    if (here(r)->symbol != symbol) return prism_unexpected(r, wanted);
    step(r);
    return VOUCH_OK;
}

vouch_status prism_take_word(prism_reader *r, const char *word)
{
    if (!at_word(r, word)) return prism_unexpected(r, word);
    step(r);
    return VOUCH_OK;
}

static bool reserved(const char *word)
{
    static const char words[] =
        " A bool const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards endsystem false formula "
        "filter func F global G init invariant I int label max mdp min module X nondeterministic observable observables "
        "of Pmax Pmin P pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S stochastic system true U W ";
    size_t n = strlen(word);
    for (const char *at = words + 1; n > 0 && (at = strstr(at, word)); at++)
        if (at[-1] == ' ' && at[n] == ' ') return true;
    return false;
}

vouch_status prism_take_name(prism_reader *r, const char *wanted, int *name)
{
    if (here(r)->symbol != SYM_NAME) return prism_unexpected(r, wanted);
    *name = here(r)->name;
    if (reserved(prism_name(r->p, *name)))
        return prism_fail(r->p, here(r)->line, here(r)->column, "expected %s, found the reserved word \"%s\"", wanted,
                          prism_name(r->p, *name));
    step(r);
    return VOUCH_OK;
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

static prism_expr operation(prism_op op, int a, int b, int c) { return (prism_expr){.op = op, .a = a, .b = b, .c = c}; }
static prism_expr literal(prism_op op, int64_t whole)
{
    return (prism_expr){.op = op, .a = -1, .b = -1, .c = -1, .u.whole = whole};
}
static prism_expr literal_real(double number) { return (prism_expr){.op = OP_REAL, .a = -1, .b = -1, .c = -1, .u.number = number}; }

vouch_status prism_add_expr(prism *p, prism_expr e, int *index)
{
    if (p->expr_count >= EXPR_CAP) return error_set(p->error, VOUCH_ERROR_SIZE, "%s: the expressions are too large", p->file);
    *index = PRISM_ADD(p, expr);
    if (*index < 0) return error_memory(p->error);
    p->expr[*index] = e;
    if (e.a >= 0 && e.op > OP_DEADLOCK) p->expr[e.a].up = *index;
    return VOUCH_OK;
}

/* The same of one that stands at t. */
static vouch_status add_expr(prism_reader *r, const prism_token *t, prism_expr e, int *index)
{
    e.line = t->line;
    e.column = t->column;
    return prism_add_expr(r->p, e, index);
}

typedef struct prism_function {
    const char *name;
    prism_op op;
    int least, most; /* arguments; most 0: any number */
} prism_function;

/* name(a), name(a, b), or min and max of any number */
static vouch_status read_call(prism_reader *r, const prism_function *f, int *expr)
{
    const prism_token *t = here(r);
    int a, b;
    bool by_func = at_word(r, "func"); /* func(name, a, b), as PRISM once wrote it */
    vouch_status status = VOUCH_OK;
    step(r);
    if (by_func) {
        step(r);
        step(r);
        status = prism_take_char(r, ',');
    } else {
        status = prism_take_char(r, '(');
    }
    if (!status) status = prism_read_expr(r, &a);
    int count = 1;
    for (; !status && at_char(r, ',') && (f->most == 0 || count < f->most); count++) {
        step(r);
        status = prism_read_expr(r, &b);
        if (!status) status = add_expr(r, t, operation(f->op, a, b, -1), &a);
    }
    if (!status && count < f->least) return prism_unexpected(r, "\",\" and another argument");
    if (!status) status = prism_take_char(r, ')');
    if (status) return status;
    if (f->most == 1) return add_expr(r, t, operation(f->op, a, -1, -1), expr);
    *expr = a;
    return VOUCH_OK;
}

/* The function called here; NULL: none. */
static const prism_function *at_call(const prism_reader *r)
{
    static const prism_function list[] = {{"min", OP_MIN, 1, 0},   {"max", OP_MAX, 1, 0},     {"floor", OP_FLOOR, 1, 1},
                                          {"ceil", OP_CEIL, 1, 1}, {"round", OP_ROUND, 1, 1}, {"pow", OP_POW, 2, 2},
                                          {"mod", OP_MOD, 2, 2},   {"log", OP_LOG, 2, 2}};
    if (here(r)->symbol != SYM_NAME || !token_is(ahead(r, 1), '(')) return NULL;
    const prism_token *name = at_word(r, "func") ? ahead(r, 2) : here(r);
    for (size_t i = 0; i < sizeof list / sizeof *list && name->symbol == SYM_NAME; i++)
        if (strcmp(prism_name(r->p, name->name), list[i].name) == 0) return &list[i];
    return NULL;
}

static vouch_status read_name_use(prism_reader *r, int *expr)
{
    const prism_token *t = here(r);
    if (reserved(prism_name(r->p, t->name))) return prism_unexpected(r, "an expression");
    step(r);
    return add_expr(r, t, operation(OP_ID, t->name, -1, -1), expr);
}

static vouch_status read_primary(prism_reader *r, int *expr)
{
    const prism_token *t = here(r);
    const prism_function *called = at_call(r);
    vouch_status status;
    switch ((prism_symbol)t->symbol) {
    case SYM_INT:
        step(r);
        return add_expr(r, t, literal(OP_INT, t->whole), expr);
    case SYM_REAL:
        step(r);
        return add_expr(r, t, literal_real(t->number), expr);
    case SYM_STRING:
        step(r);
        return add_expr(r, t, operation(OP_LABEL, t->name, -1, -1), expr);
    case SYM_NAME:
        if (at_word(r, "true") || at_word(r, "false")) {
            bool value = at_word(r, "true");
            step(r);
            return add_expr(r, t, literal(OP_BOOL, value), expr);
        }
        return called ? read_call(r, called, expr) : read_name_use(r, expr);
    default:
        if (!at_char(r, '(')) return prism_unexpected(r, "an expression");
        step(r);
        status = prism_read_expr(r, expr);
        return status ? status : prism_take_char(r, ')');
    }
}

enum { LEVEL_IMPLIES = 1, LEVEL_IFF, LEVEL_OR, LEVEL_AND, LEVEL_EQUAL, LEVEL_ORDER, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER };

typedef struct prism_operator {
    unsigned char symbol;
    char character;
    prism_op op;
    int level;
} prism_operator;

/* The operator here, if it is of at least `level`; NULL: none. */
static const prism_operator *at_operator(const prism_reader *r, int level)
{
    static const prism_operator list[] = {
        {SYM_IMPLIES, 0, OP_IMPLIES, LEVEL_IMPLIES},
        {SYM_IFF, 0, OP_IFF, LEVEL_IFF},
        {SYM_CHAR, '|', OP_OR, LEVEL_OR},
        {SYM_CHAR, '&', OP_AND, LEVEL_AND},
        {SYM_CHAR, '=', OP_EQ, LEVEL_EQUAL},
        {SYM_NE, 0, OP_NE, LEVEL_EQUAL},
        {SYM_CHAR, '<', OP_LT, LEVEL_ORDER},
        {SYM_CHAR, '>', OP_GT, LEVEL_ORDER},
        {SYM_LE, 0, OP_LE, LEVEL_ORDER},
        {SYM_GE, 0, OP_GE, LEVEL_ORDER},
        {SYM_CHAR, '+', OP_ADD, LEVEL_SUM},
        {SYM_CHAR, '-', OP_SUB, LEVEL_SUM},
        {SYM_CHAR, '*', OP_MUL, LEVEL_PRODUCT},
        {SYM_CHAR, '/', OP_DIV, LEVEL_PRODUCT},
        {SYM_CHAR, '^', OP_POW, LEVEL_POWER},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (here(r)->symbol == list[i].symbol && (list[i].symbol != SYM_CHAR || here(r)->character == list[i].character))
            return list[i].level >= level ? &list[i] : NULL;
    return NULL;
}

/* Operators of at least `level`. */
static vouch_status read_level(prism_reader *r, int level, int *expr)
{
    const prism_token *first = here(r);
    vouch_status status;
    int right;
    if ((r->nest += BRACKET) > NEST_CAP) return prism_fail(r->p, first->line, first->column, "the expression is nested too deeply");
    if (at_char(r, '!')) {
        step(r);
        status = read_level(r, LEVEL_EQUAL, expr);
        if (!status) status = add_expr(r, first, operation(OP_NOT, *expr, -1, -1), expr);
    } else if (at_char(r, '-')) {
        step(r);
        status = read_level(r, LEVEL_POWER + 1, expr);
        if (!status) status = add_expr(r, first, operation(OP_MINUS, *expr, -1, -1), expr);
    } else {
        status = read_primary(r, expr);
    }
    for (const prism_operator *o; !status && (o = at_operator(r, level));) {
        const prism_token *t = here(r);
        step(r);
        status = read_level(r, o->level + 1, &right);
        if (!status) status = add_expr(r, t, operation(o->op, *expr, right, -1), expr);
    }
    r->nest -= BRACKET;
    return status;
}

vouch_status prism_read_expr(prism_reader *r, int *expr)
{
    int yes, no;
    vouch_status status = read_level(r, LEVEL_IMPLIES, expr);
    if (status || !at_char(r, '?')) return status;
    const prism_token *t = here(r);
    if (++r->nest > NEST_CAP) return prism_fail(r->p, t->line, t->column, "the expression is nested too deeply");
    step(r);
    status = prism_read_expr(r, &yes);
    if (!status) status = prism_take_char(r, ':');
    if (!status) status = prism_read_expr(r, &no);
    r->nest--;
    return status ? status : add_expr(r, t, operation(OP_IF, *expr, yes, no), expr);
}
