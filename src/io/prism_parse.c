/* io/prism_parse.c - tokens, expressions and declarations of PRISM models and sketches, by recursive descent; see prism.h.
 *
 * Keywords are names; the parser recognises their spelling. Expressions climb precedences, from weak to strong:
 *     ?:  =>  <=>  |  &  !  = !=  < <= > >=  + -  * /  ^  unary -
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/locale.h"
#include "io/prism.h"

_Noreturn void prism_fail(const prism *p, int line, int column, const char *format, ...)
{
    char what[640];
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    if (line >= 0 && p->json) js_fail(p->json, (uint32_t)column, "%s", what);
    if (line >= 0) escape_fail(p->e, VOUCH_ERROR_INPUT, "%.200s:%d:%d: %s", p->file, line, column, what);
    const prism_extra *extra = &p->extra[-1 - line];
    escape_fail(p->e, VOUCH_ERROR_INPUT, "%s \"%.100s\", character %d: %s", extra->option, extra->content, column, what);
}

const char *prism_name(const prism *p, int name) { return name < 0 ? "" : names_text(&p->names, name); }

int prism_intern(prism *p, const char *word, size_t length) { return must_count(p->e, names_add_bytes(&p->names, word, length)); }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Length of the number at s; *real: it has a point or an exponent. "0..3" is 0, then dots. */
static size_t number_length(const char *s, bool *real)
{
    size_t n = 0;
    *real = false;
    while (is_digit(s[n])) n++;
    if (s[n] == '.' && s[n + 1] != '.') {
        *real = true;
        n++;
        while (is_digit(s[n])) n++;
    }
    if (s[n] == 'e' || s[n] == 'E') {
        size_t m = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');
        if (is_digit(s[m])) {
            *real = true;
            n = m;
            while (is_digit(s[n])) n++;
        }
    }
    return n;
}

static prism_symbol long_symbol(const char *s, size_t *length)
{
    static const struct {
        const char *text;
        prism_symbol symbol;
    } list[] = {{"<=>", SYM_IFF}, {"->", SYM_ARROW}, {"..", SYM_DOTS},   {"<=", SYM_LE},
                {">=", SYM_GE},   {"!=", SYM_NE},    {"=>", SYM_IMPLIES}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        *length = strlen(list[i].text);
        if (strncmp(s, list[i].text, *length) == 0) return list[i].symbol;
    }
    *length = 1;
    return SYM_CHAR;
}

/* Fills in the token that begins at s; returns its length. */
static size_t lex_one(prism *p, const char *s, prism_token *t)
{
    size_t n = 1;
    if (is_letter(*s)) {
        while (is_letter(s[n]) || is_digit(s[n])) n++;
        t->symbol = SYM_NAME;
        t->name = prism_intern(p, s, n);
        return n;
    }
    if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) {
        bool real;
        n = number_length(s, &real);
        t->symbol = real ? SYM_REAL : SYM_INT;
        t->number = number_read(s, NULL);
        errno = 0;
        t->whole = real ? 0 : strtoll(s, NULL, 10);
        if (errno) prism_fail(p, t->line, t->column, "the whole number is larger than %" PRId64, INT64_MAX);
        if (!(t->number <= 1e300)) prism_fail(p, t->line, t->column, "the number is too large");
        return n;
    }
    if (*s == '"') {
        while (s[n] && s[n] != '"' && s[n] != '\n') n++;
        if (s[n] != '"') prism_fail(p, t->line, t->column, "the quotation mark is not closed");
        t->symbol = SYM_STRING;
        t->name = prism_intern(p, s + 1, n - 1);
        return n + 1;
    }
    if (s[0] == s[1] && (s[0] == '=' || s[0] == '&'))
        prism_fail(p, t->line, t->column, "there is no \"%c%c\" in PRISM's language; it is written %c", s[0], s[0], s[0]);
    t->symbol = (unsigned char)long_symbol(s, &n);
    t->character = *s;
    unsigned char c = (unsigned char)*s;
    if (t->symbol != SYM_CHAR || strchr("[](){}=<>+-*/^&|!?:;,'.", *s)) return n;
    if (c > 32 && c < 127) prism_fail(p, t->line, t->column, "the character \"%c\" does not belong here", c);
    prism_fail(p, t->line, t->column, "the byte %u does not belong here", c);
}

static void lex(prism *p, const char *content, size_t length)
{
    CHECK(content[length] == '\0');
    const char *s = content, *end = content + length, *line_start = content;
    if (!p->extra_count && strncmp(s, "\xEF\xBB\xBF", 3) == 0) line_start = s += 3; /* the mark of UTF-8 */
    int line = p->extra_count ? -(int)p->extra_count : 1, more = p->extra_count ? 0 : 1;
    for (;;) {
        while (s < end && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n')) {
            if (*s == '\n') {
                line += more;
                line_start = more ? s + 1 : line_start;
            }
            s++;
        }
        if (end - s >= 2 && s[0] == '/' && s[1] == '/') {
            while (s < end && *s != '\n') s++;
            continue;
        }
        PUSH(p, token, (prism_token){.symbol = SYM_END, .line = line, .column = (int)(s - line_start) + 1, .name = -1});
        if (s >= end) return;
        size_t n = lex_one(p, s, &p->token[p->token_count - 1]);
        CHECK(n > 0 && n <= (size_t)(end - s));
        s += n;
    }
}

/* Nesting, for a stack of 256 kB: a bracket takes up to 800 bytes of it, and counts twice; the rest of ?: counts once. */
enum { NEST_CAP = 480, BRACKET = 2, EXPR_CAP = 20000000 };

static _Noreturn void unexpected(const prism_reader *r, const char *wanted)
{
    static const char *const symbol_text[] = {[SYM_ARROW] = "->", [SYM_DOTS] = "..",    [SYM_LE] = "<=",  [SYM_GE] = ">=",
                                              [SYM_NE] = "!=",    [SYM_IMPLIES] = "=>", [SYM_IFF] = "<=>"};
    const prism_token *t = here(r);
    switch ((prism_symbol)t->symbol) {
    case SYM_END:
        prism_fail(r->p, t->line, t->column, "expected %s, found the end of the file", wanted);
    case SYM_NAME:
        prism_fail(r->p, t->line, t->column, "expected %s, found \"%.100s\"", wanted, prism_name(r->p, t->name));
    case SYM_STRING:
        prism_fail(r->p, t->line, t->column, "expected %s, found the label \"%.100s\"", wanted, prism_name(r->p, t->name));
    case SYM_INT:
    case SYM_REAL:
        prism_fail(r->p, t->line, t->column, "expected %s, found the number %.10g", wanted, t->number);
    case SYM_CHAR:
        prism_fail(r->p, t->line, t->column, "expected %s, found \"%c\"", wanted, t->character);
    default:
        prism_fail(r->p, t->line, t->column, "expected %s, found \"%s\"", wanted, symbol_text[t->symbol]);
    }
}

void prism_take_char(prism_reader *r, char c)
{
    char wanted[] = {'"', c, '"', '\0'};
    if (!at_char(r, c)) unexpected(r, wanted);
    step(r);
}

static void take_symbol(prism_reader *r, prism_symbol symbol, const char *wanted)
{
    if (here(r)->symbol != symbol) unexpected(r, wanted);
    step(r);
}

static void take_word(prism_reader *r, const char *word)
{
    if (!at_word(r, word)) unexpected(r, word);
    step(r);
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

int prism_take_name(prism_reader *r, const char *wanted)
{
    if (here(r)->symbol != SYM_NAME) unexpected(r, wanted);
    int name = here(r)->name;
    if (reserved(prism_name(r->p, name)))
        prism_fail(r->p, here(r)->line, here(r)->column, "expected %s, found the reserved word \"%s\"", wanted,
                   prism_name(r->p, name));
    step(r);
    return name;
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

static prism_expr operation(prism_op op, int a, int b, int c) { return (prism_expr){.op = op, .a = a, .b = b, .c = c}; }
static prism_expr literal(prism_op op, int64_t whole)
{
    return (prism_expr){.op = op, .a = -1, .b = -1, .c = -1, .u.whole = whole};
}
static prism_expr literal_real(double number) { return (prism_expr){.op = OP_REAL, .a = -1, .b = -1, .c = -1, .u.number = number}; }

int prism_add_expr(prism *p, prism_expr e)
{
    if (p->expr_count >= EXPR_CAP) escape_fail(p->e, VOUCH_ERROR_SIZE, "%s: the expressions are too large", p->file);
    int index = ESCAPE_ADD(p->e, p, expr);
    p->expr[index] = e;
    if (e.a >= 0 && e.op > OP_DEADLOCK) p->expr[e.a].up = index;
    return index;
}

/* The same of one that stands at t. */
static int add_expr(prism_reader *r, const prism_token *t, prism_expr e)
{
    e.line = t->line;
    e.column = t->column;
    return prism_add_expr(r->p, e);
}

static int read_expr(prism_reader *r);

typedef struct prism_function {
    const char *name;
    prism_op op;
    int least, most; /* arguments; most 0: any number */
} prism_function;

/* name(a), name(a, b), or min and max of any number */
static int read_call(prism_reader *r, const prism_function *f)
{
    const prism_token *t = here(r);
    bool by_func = at_word(r, "func"); /* func(name, a, b), as PRISM once wrote it */
    for (int i = 0; i < (by_func ? 3 : 1); i++) step(r);
    prism_take_char(r, by_func ? ',' : '(');
    int a = read_expr(r), count = 1;
    for (; at_char(r, ',') && (f->most == 0 || count < f->most); count++) {
        step(r);
        int b = read_expr(r);
        a = add_expr(r, t, operation(f->op, a, b, -1));
    }
    if (count < f->least) unexpected(r, "\",\" and another argument");
    prism_take_char(r, ')');
    return f->most == 1 ? add_expr(r, t, operation(f->op, a, -1, -1)) : a;
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

static int read_name_use(prism_reader *r)
{
    const prism_token *t = here(r);
    if (reserved(prism_name(r->p, t->name))) unexpected(r, "an expression");
    step(r);
    return add_expr(r, t, operation(OP_ID, t->name, -1, -1));
}

static int read_primary(prism_reader *r)
{
    const prism_token *t = here(r);
    const prism_function *called = at_call(r);
    bool truth = at_word(r, "true");
    if (called) return read_call(r, called);
    if (at_char(r, '(')) {
        step(r);
        int expr = read_expr(r);
        prism_take_char(r, ')');
        return expr;
    }
    if (t->symbol == SYM_NAME && !truth && !at_word(r, "false")) return read_name_use(r);
    if (t->symbol != SYM_INT && t->symbol != SYM_REAL && t->symbol != SYM_STRING && t->symbol != SYM_NAME)
        unexpected(r, "an expression");
    step(r);
    return add_expr(r, t,
                    t->symbol == SYM_INT      ? literal(OP_INT, t->whole)
                    : t->symbol == SYM_REAL   ? literal_real(t->number)
                    : t->symbol == SYM_STRING ? operation(OP_LABEL, t->name, -1, -1)
                                              : literal(OP_BOOL, truth));
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
static int read_level(prism_reader *r, int level)
{
    const prism_token *first = here(r);
    int expr;
    if ((r->nest += BRACKET) > NEST_CAP) prism_fail(r->p, first->line, first->column, "the expression is nested too deeply");
    if (at_char(r, '!') || at_char(r, '-')) {
        bool negation = at_char(r, '!');
        step(r);
        expr = read_level(r, negation ? LEVEL_EQUAL : LEVEL_POWER + 1);
        expr = add_expr(r, first, operation(negation ? OP_NOT : OP_MINUS, expr, -1, -1));
    } else {
        expr = read_primary(r);
    }
    for (const prism_operator *o; (o = at_operator(r, level));) {
        const prism_token *t = here(r);
        step(r);
        int right = read_level(r, o->level + 1);
        expr = add_expr(r, t, operation(o->op, expr, right, -1));
    }
    r->nest -= BRACKET;
    return expr;
}

static int read_expr(prism_reader *r)
{
    int expr = read_level(r, LEVEL_IMPLIES);
    if (!at_char(r, '?')) return expr;
    const prism_token *t = here(r);
    if (++r->nest > NEST_CAP) prism_fail(r->p, t->line, t->column, "the expression is nested too deeply");
    step(r);
    int yes = read_expr(r);
    prism_take_char(r, ':');
    int no = read_expr(r);
    r->nest--;
    return add_expr(r, t, operation(OP_IF, expr, yes, no));
}

/* ---- constants and holes ------------------------------------------------------------------------------------- */

static prism_type read_type(prism_reader *r)
{
    prism_type type = TYPE_INT;
    if (at_word(r, "double") || at_word(r, "rate") || at_word(r, "prob"))
        type = TYPE_REAL;
    else if (at_word(r, "bool"))
        type = TYPE_BOOL;
    else if (!at_word(r, "int"))
        return type; /* none is given */
    step(r);
    return type;
}

static prism_constant *add_constant(prism_reader *r, const prism_token *t, int name, prism_type type)
{
    PUSH(r->p, constant, (prism_constant){.name = name, .type = type, .expr = -1, .bound_of = -1, .low = -1, .high = -1});
    prism_constant *c = &r->p->constant[r->p->constant_count - 1];
    c->line = t->line;
    c->column = t->column;
    return c;
}

static void read_constant(prism_reader *r)
{
    int expr = -1;
    step(r);
    prism_type type = read_type(r);
    const prism_token t = *here(r);
    int name = prism_take_name(r, "the name of a constant");
    if (at_char(r, '=')) {
        step(r);
        expr = read_expr(r);
    }
    prism_take_char(r, ';');
    add_constant(r, &t, name, type)->expr = expr;
}

static void add_hole_value(prism_reader *r)
{
    int expr = read_expr(r);
    PUSH(r->p, hole_value, expr);
}

static void add_hole_bound(prism_reader *r, const prism_token *t, int hole, const char *ending, int is_max)
{
    prism *p = r->p;
    char word[256];
    const char *name = prism_name(p, p->constant[hole].name);
    size_t n = strlen(name);
    if (n > sizeof word - 8) prism_fail(p, t->line, t->column, "the name is too long");
    memcpy(word, name, n);
    memcpy(word + n, ending, strlen(ending) + 1);
    prism_constant *c = add_constant(r, t, prism_intern(p, word, n + strlen(ending)), p->constant[hole].type);
    c->bound_of = hole;
    c->is_max = is_max;
}

/* hole int NAME in { 1, 2, 3 };   hole int NAME in { lo .. hi : step }; */
static void read_hole(prism_reader *r)
{
    prism *p = r->p;
    int first = (int)p->hole_value_count, count = 1;
    step(r);
    prism_type type = read_type(r);
    const prism_token t = *here(r);
    int name = prism_take_name(r, "the name of a hole");
    take_word(r, "in");
    prism_take_char(r, '{');
    add_hole_value(r);
    if (here(r)->symbol == SYM_DOTS) {
        step(r);
        count = -1;
        add_hole_value(r);
        if (at_char(r, ':')) {
            step(r);
            add_hole_value(r);
        } else
            PUSH(p, hole_value, -1);
    }
    for (; count > 0 && at_char(r, ','); count++) {
        step(r);
        add_hole_value(r);
    }
    prism_take_char(r, '}');
    prism_take_char(r, ';');
    prism_constant *c = add_constant(r, &t, name, type);
    c->hole = true;
    c->first = first;
    c->count = count;
    int hole = (int)p->constant_count - 1;
    add_hole_bound(r, &t, hole, "_MIN", 0);
    add_hole_bound(r, &t, hole, "_MAX", 1);
}

static void read_formula(prism_reader *r)
{
    const prism_token t = *ahead(r, 1);
    step(r);
    int name = prism_take_name(r, "the name of a formula");
    prism_take_char(r, '=');
    int expr = read_expr(r);
    prism_take_char(r, ';');
    PUSH(r->p, formula, (prism_named){name, expr, t.line, t.column});
}

static void read_label(prism_reader *r)
{
    step(r);
    const prism_token t = *here(r);
    take_symbol(r, SYM_STRING, "the name of a label in quotation marks");
    prism_take_char(r, '=');
    int expr = read_expr(r);
    prism_take_char(r, ';');
    if (r->label_known[t.name])
        prism_fail(r->p, t.line, t.column, "the label \"%.100s\" is declared twice", prism_name(r->p, t.name));
    r->label_known[t.name] = true;
    PUSH(r->p, label, (prism_named){t.name, expr, t.line, t.column});
}

/* x : [0..3] init 1;   b : bool;   n : int; */
static void read_variable(prism_reader *r, int module)
{
    const prism_token t = *here(r);
    prism_variable v = {.module = module, .type = TYPE_INT, .low = -1, .high = -1, .init = -1, .line = t.line, .column = t.column};
    v.name = prism_take_name(r, "the name of a variable");
    prism_take_char(r, ':');
    if (at_char(r, '[')) {
        step(r);
        v.low = read_expr(r);
        take_symbol(r, SYM_DOTS, "\"..\"");
        v.high = read_expr(r);
        prism_take_char(r, ']');
    } else if ((at_word(r, "bool") || at_word(r, "int"))) {
        v.type = at_word(r, "bool") ? TYPE_BOOL : TYPE_INT;
        step(r);
    } else
        unexpected(r, "a range [low..high], bool or int");
    if (at_word(r, "init")) {
        step(r);
        v.init = read_expr(r);
    }
    prism_take_char(r, ';');
    PUSH(r->p, variable, v);
}

static void read_assignments(prism_reader *r, prism_update *u)
{
    prism *p = r->p;
    u->first = (int)p->assignment_count;
    u->count = 0;
    if (at_word(r, "true")) {
        step(r);
        return;
    }
    for (;;) {
        prism_assignment a = {.when = -1};
        prism_take_char(r, '(');
        a.line = here(r)->line;
        a.column = here(r)->column;
        a.variable = prism_take_name(r, "the name of a variable");
        prism_take_char(r, '\'');
        prism_take_char(r, '=');
        a.expr = read_expr(r);
        prism_take_char(r, ')');
        PUSH(p, assignment, a);
        u->count++;
        if (!at_char(r, '&')) return;
        step(r);
    }
}

/* An update without a probability begins with (x'=  or is `true` alone. */
static bool at_bare_update(const prism_reader *r)
{
    if (at_word(r, "true")) return !token_is(ahead(r, 1), ':');
    return at_char(r, '(') && ahead(r, 1)->symbol == SYM_NAME && token_is(ahead(r, 2), '\'');
}

static void read_command(prism_reader *r, int module)
{
    prism *p = r->p;
    prism_command c = {
        .module = module, .label = -1, .line = here(r)->line, .column = here(r)->column, .first = (int)p->update_count};
    prism_take_char(r, '[');
    if (!at_char(r, ']')) c.label = prism_take_name(r, "the name of an action");
    prism_take_char(r, ']');
    c.guard = read_expr(r);
    take_symbol(r, SYM_ARROW, "\"->\"");
    for (bool more = true; more; c.count++) {
        prism_update u = {.probability = -1};
        bool bare = at_bare_update(r);
        if (!bare && at_char(r, '['))
            prism_fail(p, here(r)->line, here(r)->column,
                       "probabilities that are intervals are not supported; an open constant gives each environment its own");
        if (!bare) {
            u.probability = read_expr(r);
            prism_take_char(r, ':');
        }
        read_assignments(r, &u);
        PUSH(p, update, u);
        more = !bare && at_char(r, '+');
        if (more) step(r);
    }
    prism_take_char(r, ';');
    PUSH(p, command, c);
}

static void read_module_body(prism_reader *r, int module)
{
    prism *p = r->p;
    p->module[module].first = (int)p->command_count;
    while (!at_word(r, "endmodule")) {
        if (at_char(r, '['))
            read_command(r, module);
        else if (at_word(r, "invariant"))
            prism_fail(p, here(r)->line, here(r)->column, "invariants are not supported: they belong to timed models");
        else if (token_is(ahead(r, 1), ':'))
            read_variable(r, module);
        else
            unexpected(r, "a variable, a command or endmodule");
    }
    p->module[module].count = (int)p->command_count - p->module[module].first;
    step(r);
}

/* [x=y, ..] */
static void read_renamings(prism_reader *r, prism_module *m)
{
    prism_take_char(r, '[');
    m->rename = (int)r->p->renaming_count;
    for (bool more = true; more; m->renames++) {
        prism_renaming one = {.line = here(r)->line, .column = here(r)->column};
        one.old = prism_take_name(r, "the name to replace");
        prism_take_char(r, '=');
        one.new = prism_take_name(r, "the name to put in its place");
        PUSH(r->p, renaming, one);
        more = at_char(r, ',');
        if (more) step(r);
    }
    prism_take_char(r, ']');
}

static void read_module(prism_reader *r)
{
    prism *p = r->p;
    step(r);
    const prism_token t = *here(r);
    int name = prism_take_name(r, "the name of a module");
    if (r->module_at[name] >= 0) prism_fail(p, t.line, t.column, "the module \"%.100s\" is declared twice", prism_name(p, name));
    prism_module m = {.name = name, .line = t.line, .column = t.column};
    int module = r->module_at[name] = (int)p->module_count;
    PUSH(p, module, m);
    if (!at_char(r, '=')) {
        read_module_body(r, module);
        return;
    }
    step(r);
    const prism_token from = *here(r);
    int from_name = prism_take_name(r, "the name of a module");
    read_renamings(r, &m);
    take_word(r, "endmodule");
    p->module[module] = m;
    int source = r->module_at[from_name];
    if (source < 0 || source == module)
        prism_fail(p, from.line, from.column, "there is no module \"%.100s\" above that could be renamed",
                   prism_name(p, from_name));
    prism_copy_module(p, source, module);
}

static void read_rewards(prism_reader *r)
{
    prism *p = r->p;
    prism_rewards rewards = {.name = -1, .first = (int)p->item_count};
    step(r);
    if (here(r)->symbol == SYM_STRING) {
        rewards.name = here(r)->name;
        step(r);
    }
    while (!at_word(r, "endrewards")) {
        prism_item item = {.label = -1, .transition = at_char(r, '['), .command = -1, .update = -1};
        if (item.transition) {
            step(r);
            if (!at_char(r, ']')) item.label = prism_take_name(r, "the name of an action");
            prism_take_char(r, ']');
        }
        item.guard = read_expr(r);
        prism_take_char(r, ':');
        item.value = read_expr(r);
        prism_take_char(r, ';');
        PUSH(p, item, item);
    }
    step(r);
    rewards.count = (int)p->item_count - rewards.first;
    PUSH(p, rewards, rewards);
}

static void read_init(prism_reader *r)
{
    step(r);
    if (r->p->init >= 0) prism_fail(r->p, here(r)->line, here(r)->column, "a second init .. endinit");
    r->p->init = read_expr(r);
    take_word(r, "endinit");
}

static _Noreturn void refuse(const prism_reader *r, const char *what)
{
    prism_fail(r->p, here(r)->line, here(r)->column, "\"%s\" is not supported: %s", prism_name(r->p, here(r)->name), what);
}

/* system .. endsystem may stand before the modules that it names: prism_read_system reads it when all are known. */
static void pass_system(prism_reader *r)
{
    if (r->system_at) refuse(r, "there is one already");
    step(r);
    r->system_at = r->at;
    while (!at_word(r, "endsystem") && here(r)->symbol != SYM_END) step(r);
    take_word(r, "endsystem");
}

static void read_global(prism_reader *r)
{
    step(r);
    read_variable(r, -1);
}

static void read_declaration(prism_reader *r)
{
    static const char *const other_models[][2] = {{"ctmc", "a continuous-time Markov chain"},
                                                  {"stochastic", "a continuous-time Markov chain"},
                                                  {"pta", "a probabilistic timed automaton"},
                                                  {"popta", "a partially observable timed automaton"},
                                                  {"pomdp", "a POMDP, whose hidden part may move"},
                                                  {"smg", "a stochastic game, of PRISM-games"},
                                                  {"csg", "a concurrent game, of PRISM-games"},
                                                  {"tsg", "a turn-based game, of PRISM-games"},
                                                  {"ma", "a Markov automaton"},
                                                  {"imdp", "an interval MDP"},
                                                  {"idtmc", "an interval Markov chain"}};
    static const struct {
        const char *word;
        void (*read)(prism_reader *r);
    } declared[] = {{"const", read_constant}, {"hole", read_hole},     {"formula", read_formula},
                    {"label", read_label},    {"module", read_module}, {"rewards", read_rewards},
                    {"init", read_init},      {"global", read_global}, {"system", pass_system}};
    bool chain = at_word(r, "dtmc") || at_word(r, "probabilistic");
    if (chain || at_word(r, "mdp") || at_word(r, "nondeterministic")) {
        r->p->dtmc = chain;
        step(r);
        return;
    }
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        if (at_word(r, declared[i].word)) {
            declared[i].read(r);
            return;
        }
    for (size_t i = 0; i < sizeof other_models / sizeof *other_models; i++)
        if (at_word(r, other_models[i][0])) {
            char what[128];
            format_text(what, sizeof what, "%s; vouch plans for models of type mdp and dtmc", other_models[i][1]);
            refuse(r, what);
        }
    if (at_word(r, "observables") || at_word(r, "observable")) refuse(r, "states are observed in full");
    unexpected(r, "mdp, const, hole, formula, label, global, module, rewards or init");
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

void prism_parse(prism *p, const char *content, size_t length)
{
    prism_reader r = {.p = p};
    p->init = -1;
    escape_names(p->e, &p->names);
    lex(p, content, length);
    if (p->token_count == 1) prism_fail(p, 1, 1, "the file is empty; expected a PRISM model");
    size_t known = (size_t)p->names.count;
    r.module_at = ESCAPE_NEW(p->e, int, known);
    r.label_known = ESCAPE_ZERO(p->e, bool, known);
    for (size_t i = 0; i < known; i++) r.module_at[i] = -1;
    while (here(&r)->symbol != SYM_END) read_declaration(&r);
    if (p->module_count == 0) prism_fail(p, here(&r)->line, here(&r)->column, "there is no module");
    prism_bind(p, 0, 0);
    prism_check_owners(p);
    if (r.system_at)
        prism_read_system(&r);
    else
        prism_make_syncs(p);
}

int prism_parse_extra(prism *p, const char *option, const char *content)
{
    size_t first_expr = p->expr_count;
    prism_reader r = {.p = p, .at = p->token_count};
    PUSH(p, extra, (prism_extra){option, content});
    lex(p, content, strlen(content));
    int expr = read_expr(&r);
    if (here(&r)->symbol != SYM_END)
        unexpected(&r, at_char(&r, ':') ? "at, by, stay or avoid before \":\", or the end of the expression"
                                        : "the end of the expression");
    prism_bind(p, first_expr, p->assignment_count);
    return expr;
}
