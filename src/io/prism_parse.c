/* io/prism_parse.c - tokens, expressions and declarations of PRISM models and sketches, by recursive descent; see prism.h.
 *
 * Keywords are names; the parser recognises their spelling. Expressions climb precedences, from weak to strong:
 *     ?:  =>  <=>  |  &  !  = !=  < <= > >=  + -  * /  ^  unary -
 */
#include <errno.h>
#include <inttypes.h>

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
    static const char *const logic[][2] = {{"and", "&"}, {"or", "|"}, {"not", "!"}, {"AND", "&"}, {"OR", "|"}, {"NOT", "!"}};
    const prism_token *t = here(r);
    switch ((prism_symbol)t->symbol) {
    case SYM_END:
        prism_fail(r->p, t->line, t->column, "expected %s, found the end%s", wanted, t->line < 0 ? "" : " of the file");
    case SYM_NAME:
        for (size_t i = 0; i < sizeof logic / sizeof *logic; i++)
            if (strcmp(prism_name(r->p, t->name), logic[i][0]) == 0)
                prism_fail(r->p, t->line, t->column, "there is no \"%s\" in PRISM's language; it is written %s", logic[i][0],
                           logic[i][1]);
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

static void prism_take_char(prism_reader *r, char c)
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

/* Steps over a token that has to be this one; over a name that is no reserved word. */
static int prism_take_name(prism_reader *r, const char *wanted)
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

/* Appends an expression; returns its index. */
static int prism_add_expr(prism *p, prism_expr e)
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
        prism_update u = {.low = -1, .probability = -1};
        bool bare = at_bare_update(r);
        if (!bare) {
            bool limits = at_char(r, '[');
            if (limits) step(r);
            u.low = u.probability = read_expr(r);
            if (limits) {
                prism_take_char(r, ',');
                u.probability = read_expr(r);
                prism_take_char(r, ']');
            }
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

static void prism_copy_module(prism *p, int source, int module);

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
    } else if (here(r)->symbol == SYM_NAME && !at_word(r, "endrewards")) {
        const prism_token *at = here(r), *after = at + (r->at + 1 < p->token_count);
        if (after->symbol == SYM_NAME || token_is(after, '['))
            prism_fail(p, at->line, at->column, "expected the name of the rewards in quotation marks: rewards \"%s\"",
                       names_text(&p->names, at->name));
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
                                                  {"ma", "a Markov automaton"}};
    static const struct {
        const char *word;
        void (*read)(prism_reader *r);
    } declared[] = {{"const", read_constant}, {"hole", read_hole},     {"formula", read_formula},
                    {"label", read_label},    {"module", read_module}, {"rewards", read_rewards},
                    {"init", read_init},      {"global", read_global}, {"system", pass_system}};
    bool chain = at_word(r, "dtmc") || at_word(r, "probabilistic") || at_word(r, "idtmc");
    if (chain || at_word(r, "mdp") || at_word(r, "nondeterministic") || at_word(r, "imdp")) {
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

static void prism_bind(prism *p, size_t first_expr, size_t first_assignment);
static void prism_check_owners(const prism *p);
static void prism_read_system(prism_reader *r);

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

/* From names to declarations. A PRISM file may use a name before it is declared, so this is done after all of it
 * has been read. */

int prism_find_label(const prism *p, const char *name)
{
    for (size_t i = 0; i < p->label_count; i++)
        if (strcmp(prism_name(p, p->label[i].name), name) == 0) return (int)i;
    return -1;
}

bool prism_uses_deadlock(const prism *p)
{
    for (size_t i = 0; i < p->expr_count; i++)
        if (p->expr[i].op == OP_DEADLOCK) return true;
    return false;
}

static void declare(const prism *p, prism_meaning *m, prism_op op, size_t index, const prism_named *n)
{
    if (m[n->name].op != OP_ID) prism_fail(p, n->line, n->column, "the name \"%.100s\" is declared twice", prism_name(p, n->name));
    m[n->name] = (prism_meaning){op, (int)index};
}

static void bind_expr(const prism *p, prism_expr *e, const prism_meaning m[], const int label[])
{
    const char *name = e->op == OP_ID || e->op == OP_LABEL ? prism_name(p, e->a) : "";
    if (e->op == OP_ID) {
        if (m[e->a].op == OP_ID) prism_fail(p, e->line, e->column, "there is no constant, variable or formula \"%.100s\"", name);
        e->op = m[e->a].op;
        e->a = m[e->a].index;
    } else if (e->op == OP_LABEL && (e->b = label[e->a]) < 0) {
        if (strcmp(name, "init") != 0 && strcmp(name, "deadlock") != 0)
            prism_fail(p, e->line, e->column, "there is no label \"%.100s\"", name);
        *e = (prism_expr){
            .op = name[0] == 'i' ? OP_INIT : OP_DEADLOCK, .a = -1, .b = -1, .c = -1, .line = e->line, .column = e->column};
    }
}

static void bind_renamings(prism *p, const prism_meaning meaning[]);

/* Binds names in expressions from first_expr on and in assignments from first_assignment on. */
static void prism_bind(prism *p, size_t first_expr, size_t first_assignment)
{
    prism_meaning *m = ESCAPE_NEW(p->e, prism_meaning, p->names.count);
    int *label = ESCAPE_NEW(p->e, int, p->names.count); /* of that name; -1: none */
    for (int i = 0; i < p->names.count; i++) {
        m[i] = (prism_meaning){OP_ID, -1};
        label[i] = -1;
    }
    for (size_t i = p->label_count; i-- > 0;) label[p->label[i].name] = (int)i;
    for (size_t i = 0; i < p->constant_count; i++) {
        const prism_constant *c = &p->constant[i];
        declare(p, m, OP_CONST, i, &(prism_named){c->name, -1, c->line, c->column});
    }
    for (size_t i = 0; i < p->variable_count; i++) {
        const prism_variable *v = &p->variable[i];
        declare(p, m, OP_VAR, i, &(prism_named){v->name, -1, v->line, v->column});
    }
    for (size_t i = 0; i < p->formula_count; i++) declare(p, m, OP_FORMULA, i, &p->formula[i]);
    for (size_t i = first_expr; i < p->expr_count; i++) bind_expr(p, &p->expr[i], m, label);
    for (size_t i = first_assignment; i < p->assignment_count; i++) {
        prism_assignment *a = &p->assignment[i];
        if (m[a->variable].op != OP_VAR)
            prism_fail(p, a->line, a->column, "there is no variable \"%.100s\"", prism_name(p, a->variable));
        a->variable = m[a->variable].index;
    }
    bind_renamings(p, m);
}

static void prism_check_owners(const prism *p)
{
    for (size_t i = 0; i < p->command_count; i++)
        for (int u = p->command[i].first; u < p->command[i].first + p->command[i].count; u++)
            for (int a = p->update[u].first; a < p->update[u].first + p->update[u].count; a++) {
                const prism_assignment *x = &p->assignment[a];
                const prism_variable *v = &p->variable[x->variable];
                if (v->module >= 0 && v->module != p->command[i].module)
                    prism_fail(p, x->line, x->column, "the variable \"%.100s\" belongs to another module", prism_name(p, v->name));
                for (int b = p->update[u].first; b < a; b++)
                    if (p->assignment[b].variable == x->variable)
                        prism_fail(p, x->line, x->column, "the variable \"%.100s\" is assigned twice", prism_name(p, v->name));
            }
}

/* ---- renamed modules ----------------------------------------------------------------------------------------- */

/* `module b = a [x=y, ..] endmodule`: the module a with names replaced, and formulas expanded before that. The declarations of a
 * are copied, but not its expressions, which are most of a file: an expression of b is OP_RENAMED of the one in a, and names are
 * looked up in the module's renamings when it is evaluated (prism_expand.c). A renamed module may be renamed again. */

static int renamed(const prism *p, const prism_module *m, int name)
{
    for (int i = m->rename; i < m->rename + m->renames; i++)
        if (p->renaming[i].old == name) return p->renaming[i].new;
    return name;
}

/* An expression as the module has it. -1 and numbers stay. */
static int share(prism *p, int module, int expr)
{
    if (expr < 0) return expr;
    prism_expr e = p->expr[expr];
    if (e.op == OP_INT || e.op == OP_REAL || e.op == OP_BOOL) return expr;
    return prism_add_expr(
        p, (prism_expr){.op = OP_RENAMED, .a = expr, .b = -1, .c = -1, .line = e.line, .column = e.column, .u.whole = module});
}

static void copy_variable(prism *p, prism_variable v, int module)
{
    v.name = renamed(p, &p->module[module], v.name);
    v.module = module;
    v.low = share(p, module, v.low);
    v.high = share(p, module, v.high);
    v.init = share(p, module, v.init);
    PUSH(p, variable, v);
}

static void copy_update(prism *p, prism_update u, int module)
{
    const int first = u.first;
    bool limits = u.low != u.probability;
    u.probability = share(p, module, u.probability);
    u.low = limits ? share(p, module, u.low) : u.probability;
    u.first = (int)p->assignment_count;
    for (int i = first; i < first + u.count; i++) {
        prism_assignment a = p->assignment[i];
        a.variable = renamed(p, &p->module[module], a.variable);
        a.expr = share(p, module, a.expr);
        PUSH(p, assignment, a);
    }
    PUSH(p, update, u);
}

static void copy_command(prism *p, prism_command c, int module)
{
    const int first = c.first;
    c.module = module;
    if (c.label >= 0) c.label = renamed(p, &p->module[module], c.label);
    c.guard = share(p, module, c.guard);
    c.first = (int)p->update_count;
    for (int i = first; i < first + c.count; i++) copy_update(p, p->update[i], module);
    PUSH(p, command, c);
}

/* Declares what `source` declares, as `module`, a renamed one, has it: commands and variables are copied, expressions shared. */
static void prism_copy_module(prism *p, int source, int module)
{
    const prism_module from = p->module[source];
    size_t variables = p->variable_count;
    for (size_t i = 0; i < variables; i++)
        if (p->variable[i].module == source) copy_variable(p, p->variable[i], module);
    p->module[module].first = (int)p->command_count;
    p->module[module].count = from.count;
    for (int i = from.first; i < from.first + from.count; i++) copy_command(p, p->command[i], module);
}

static int by_meaning(const void *x, const void *y)
{
    const prism_meaning a = ((const prism_renaming *)x)->from, b = ((const prism_renaming *)y)->from;
    return a.op != b.op ? (a.op > b.op) - (a.op < b.op) : (a.index > b.index) - (a.index < b.index);
}

static void bind_renamings(prism *p, const prism_meaning meaning[])
{
    for (size_t i = 0; i < p->renaming_count; i++) {
        prism_renaming *r = &p->renaming[i];
        r->from = meaning[r->old];
        r->to = meaning[r->new];
        if (r->from.op != OP_ID && r->to.op == OP_ID)
            prism_fail(p, r->line, r->column, "there is no constant, variable or formula \"%.100s\"", prism_name(p, r->new));
    }
    for (size_t m = 0; m < p->module_count; m++) {
        prism_renaming *own = p->renaming + p->module[m].rename;
        int count = p->module[m].renames;
        if (count > 0) qsort(own, (size_t)count, sizeof *own, by_meaning);
        for (int i = 1; i < count; i++)
            if (own[i].from.op != OP_ID && by_meaning(&own[i - 1], &own[i]) == 0)
                prism_fail(p, own[i].line, own[i].column, "the name \"%.100s\" is replaced twice", prism_name(p, own[i].old));
    }
}

static const prism_renaming *find(const prism *p, const prism_module *m, prism_meaning what)
{
    const prism_renaming key = {.from = what};
    return m->renames > 0 ? bsearch(&key, p->renaming + m->rename, (size_t)m->renames, sizeof key, by_meaning) : NULL;
}

const prism_under *prism_meant(const prism *p, const prism_under *under, prism_meaning *what)
{
    for (const prism_under *u = under; u; u = u->outer) {
        const prism_renaming *r = find(p, u->module, *what);
        if (!r) continue;
        *what = r->to;
        under = u->outer;
    }
    return under;
}

/* Which commands act together; see prism.h. */

typedef struct partaking { /* a command with a label */
    int module, label, command;
} partaking;

static int compare_partaking(const void *x, const void *y)
{
    const partaking *a = x, *b = y;
    if (a->module != b->module) return a->module < b->module ? -1 : 1;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    return (a->command > b->command) - (a->command < b->command);
}

/* The first of list [n] that is not before (module, label). */
static size_t first_from(const partaking *list, size_t n, int module, int label)
{
    size_t low = 0;
    const partaking wanted = {module, label, -1};
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (compare_partaking(&list[middle], &wanted) < 0)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

void prism_find_partaking(prism *p)
{
    size_t n = 0;
    partaking *list = ESCAPE_NEW(p->e, partaking, p->command_count);
    for (size_t c = 0; c < p->command_count; c++)
        if (p->command[c].label >= 0) list[n++] = (partaking){p->command[c].module, p->command[c].label, (int)c};
    if (n > 1) qsort(list, n, sizeof *list, compare_partaking);
    for (size_t i = 0; i < n; i++) PUSH(p, partaking, list[i].command);
    for (size_t i = 0; i < p->partner_count; i++) {
        prism_partner *side = &p->partner[i];
        side->first = (int)first_from(list, n, side->module, side->label);
        side->count = (int)first_from(list, n, side->module, side->label + 1) - side->first;
    }
}

/* Counts, for each label, the modules that have it; with next, adds them as partners. Commands of a module lie together, and last
 * [names] is the module that had the label last. */
static void each_partner(prism *p, int last[], int count[], const int next[])
{
    for (int i = 0; i < p->names.count; i++) last[i] = -1;
    for (size_t c = 0; c < p->command_count; c++) {
        int label = p->command[c].label, module = p->command[c].module;
        if (label < 0 || last[label] == module) continue;
        last[label] = module;
        if (next) p->partner[next[label] + count[label]] = (prism_partner){.module = module, .label = label};
        count[label]++;
    }
}

void prism_make_syncs(prism *p)
{
    size_t all = (size_t)p->names.count, partners = 0;
    int *last = ESCAPE_NEW(p->e, int, all), *count = ESCAPE_ZERO(p->e, int, all), *next = ESCAPE_NEW(p->e, int, all);
    each_partner(p, last, count, NULL);
    for (size_t c = 0; c < p->command_count; c++) { /* in the order of the file; count is left at 0 */
        int label = p->command[c].label;
        if (label < 0 || count[label] == 0) continue;
        next[label] = (int)partners;
        PUSH(p, sync, (prism_sync){label, next[label], count[label]});
        partners += (size_t)count[label];
        count[label] = 0;
    }
    for (size_t i = 0; i < partners; i++) PUSH(p, partner, (prism_partner){0});
    each_partner(p, last, count, next);
    prism_find_partaking(p);
}

/* The process algebra of PRISM as synchronisations.
 *
 * Each expression is read as the synchronisations it offers, in order, and its alphabet:
 *   M              each label of the module M, done by M alone
 *   P || Q         a label of both alphabets: each synchronisation of P that has it with each of Q; all others alone
 *   P |[a,b]| Q    the same with a and b as the labels done together;  P ||| Q: no label
 *   P / {a}        a is hidden: commands with this label have none
 *   P {a<-b}       a is renamed to b
 * The last two bind tightest, then |[ ]|, then |||, then ||. Source: the PRISM manual, "Process Algebra Operators".
 */

enum { SYNC_CAP = 100000 }; /* renaming several labels to one multiplies synchronisations */
enum { SYSTEM_NEST_CAP = 200 };
enum { IN_FIRST = 1, IN_SECOND = 2, IN_BOTH = IN_FIRST | IN_SECOND, LISTED = 4 };

typedef struct composed {
    ESCAPE_ARRAY(prism_sync, sync);
    ESCAPE_ARRAY(int, label); /* the alphabet */
} composed;

typedef struct composer {
    prism_reader *r;
    bool *used; /* [modules]: is in the expression already */
    int *mark;  /* [names]: 0 between uses */
} composer;

static _Noreturn void fail(const composer *c, const char *what)
{
    const prism_token *t = here(c->r);
    prism_fail(c->r->p, t->line, t->column, "in system .. endsystem: %s", what);
}

static void let_go(const composer *c, composed *s)
{
    escape_free(c->r->p->e, s->sync);
    escape_free(c->r->p->e, s->label);
    *s = (composed){0};
}

static void add_sync(const composer *c, composed *s, prism_sync sync)
{
    if (s->sync_count >= SYNC_CAP) fail(c, "too many combinations of actions");
    ESCAPE_PUSH(c->r->p->e, s, sync, sync);
}

static void add_label(const composer *c, composed *s, int label) { ESCAPE_PUSH(c->r->p->e, s, label, label); }

/* The number of bars at hand: || or |||; -1: |[. */
static int bars(const prism_reader *r)
{
    int n = 0;
    while (token_is(ahead(r, (size_t)n), '|')) n++;
    return n == 1 && token_is(ahead(r, 1), '[') ? -1 : n;
}

/* first and second in one step. */
static void add_pair(const composer *c, composed *s, const prism_sync *first, const prism_sync *second)
{
    prism *p = c->r->p;
    prism_sync both = {first->label, (int)p->partner_count, first->count + second->count};
    for (int i = 0; i < both.count; i++) {
        prism_partner side = p->partner[i < first->count ? first->first + i : second->first + i - first->count];
        PUSH(p, partner, side);
    }
    add_sync(c, s, both);
}

/* The labels with this mark are done together; s is empty. */
static void add_joined(const composer *c, composed *s, const composed *first, const composed *second, int together)
{
    for (size_t i = 0; i < first->sync_count; i++) {
        const prism_sync *one = &first->sync[i];
        if (one->label < 0 || (c->mark[one->label] & together) != together) {
            add_sync(c, s, *one);
            continue;
        }
        for (size_t j = 0; j < second->sync_count; j++)
            if (second->sync[j].label == one->label) add_pair(c, s, one, &second->sync[j]);
    }
    for (size_t j = 0; j < second->sync_count; j++) {
        int label = second->sync[j].label;
        if (label < 0 || (c->mark[label] & together) != together) add_sync(c, s, second->sync[j]);
    }
    for (size_t i = 0; i < first->label_count; i++) add_label(c, s, first->label[i]);
    for (size_t j = 0; j < second->label_count; j++)
        if (!(c->mark[second->label[j]] & IN_FIRST)) add_label(c, s, second->label[j]);
}

/* first becomes the composition of both, in which the labels are done together that have the mark; second becomes empty. */
static void join(const composer *c, composed *first, composed *second, int together)
{
    composed made = {0};
    for (size_t i = 0; i < first->label_count; i++) c->mark[first->label[i]] |= IN_FIRST;
    for (size_t j = 0; j < second->label_count; j++) c->mark[second->label[j]] |= IN_SECOND;
    add_joined(c, &made, first, second, together);
    for (size_t i = 0; i < first->label_count; i++) c->mark[first->label[i]] = 0;
    for (size_t j = 0; j < second->label_count; j++) c->mark[second->label[j]] = 0;
    let_go(c, first);
    let_go(c, second);
    *first = made;
}

/* `a` or `a<-b` before a comma or what ends the list; to is -1 where there is none. */
static void read_name(prism_reader *r, bool renames, int *from, int *to)
{
    *from = prism_take_name(r, "the name of an action");
    *to = -1;
    if (renames) prism_take_char(r, '<');
    if (renames) prism_take_char(r, '-');
    if (renames) *to = prism_take_name(r, "the name of an action");
    if (at_char(r, ',')) step(r);
}

/* {a,b}: these labels become -1;  {a<-b}: a becomes b; all at once. */
static void relabel(const composer *c, composed *s, bool renames)
{
    prism_reader *r = c->r;
    prism_take_char(r, '{');
    composed old = {0};
    for (size_t i = 0; i < s->label_count; i++) add_label(c, &old, s->label[i]);
    int *becomes = ESCAPE_NEW(c->r->p->e, int, r->p->names.count);
    for (int n = 0; n < r->p->names.count; n++) becomes[n] = n;
    while (!at_char(r, '}')) {
        int from, to;
        read_name(r, renames, &from, &to);
        becomes[from] = to;
    }
    for (size_t i = 0; i < s->sync_count; i++)
        if (s->sync[i].label >= 0) s->sync[i].label = becomes[s->sync[i].label];
    s->label_count = 0;
    for (size_t i = 0; i < old.label_count; i++) {
        int label = becomes[old.label[i]];
        if (label < 0 || c->mark[label]) continue;
        c->mark[label] = 1;
        add_label(c, s, label);
    }
    for (size_t i = 0; i < s->label_count; i++) c->mark[s->label[i]] = 0;
    let_go(c, &old);
    prism_take_char(r, '}');
}

/* ---- expressions ---------------------------------------------------------------------------------------------- */

static void read_joined(const composer *c, composed *s, int wanted);

/* The labels of a module, in the order of its commands. */
static void sync_read_module(const composer *c, composed *s)
{
    prism *p = c->r->p;
    size_t m = 0;
    while (m < p->module_count && p->module[m].name != here(c->r)->name) m++;
    if (m == p->module_count) fail(c, "there is no module of this name");
    if (c->used[m]) fail(c, "expected every module once");
    c->used[m] = true;
    for (int i = p->module[m].first; i < p->module[m].first + p->module[m].count; i++) {
        int label = p->command[i].label;
        if (label < 0 || c->mark[label]) continue;
        c->mark[label] = 1;
        add_label(c, s, label);
        add_sync(c, s, (prism_sync){label, (int)p->partner_count, 1});
        PUSH(p, partner, (prism_partner){.module = (int)m, .label = label});
    }
    for (size_t i = 0; i < s->label_count; i++) c->mark[s->label[i]] = 0;
    step(c->r);
}

/* M or (..), and what hides and renames behind it. */
static void read_atom(const composer *c, composed *s)
{
    prism_reader *r = c->r;
    if (at_char(r, '(')) {
        if (++r->nest > SYSTEM_NEST_CAP) fail(c, "the expression is nested too deeply");
        step(r);
        read_joined(c, s, 2);
        prism_take_char(r, ')');
        r->nest--;
    } else if (here(r)->symbol == SYM_NAME)
        sync_read_module(c, s);
    else
        fail(c, "expected the name of a module, or (");
    while (at_char(r, '/') || at_char(r, '{')) {
        bool hides = at_char(r, '/');
        if (hides) step(r);
        relabel(c, s, !hides);
    }
}

/* P, or P |[a,b]| Q */
static void read_listed(const composer *c, composed *s)
{
    prism_reader *r = c->r;
    composed second = {0}, listed = {0};
    int name, none;
    read_atom(c, s);
    if (bars(r) != -1) return;
    step(r);
    step(r);
    while (!at_char(r, ']')) {
        read_name(r, false, &name, &none);
        add_label(c, &listed, name);
    }
    step(r);
    prism_take_char(r, '|');
    read_atom(c, &second);
    for (size_t i = 0; i < listed.label_count; i++) c->mark[listed.label[i]] = LISTED;
    join(c, s, &second, LISTED);
    for (size_t i = 0; i < listed.label_count; i++) c->mark[listed.label[i]] = 0;
    let_go(c, &second);
}

/* P ||| Q ||| .. (wanted: 3 bars), P || Q || .. (2), whose operands are of the kind before */
static void read_joined(const composer *c, composed *s, int wanted)
{
    composed second = {0};
    for (composed *next = s;; next = &second) {
        if (wanted == 3)
            read_listed(c, next);
        else
            read_joined(c, next, 3);
        if (next == &second) join(c, s, &second, wanted == 3 ? LISTED : IN_BOTH);
        if (bars(c->r) != wanted) break;
        for (int i = 0; i < wanted; i++) step(c->r);
    }
    let_go(c, &second);
}

static void prism_read_system(prism_reader *r)
{
    prism *p = r->p;
    composed all = {0};
    composer c = {r, ESCAPE_ZERO(r->p->e, bool, p->module_count), ESCAPE_ZERO(r->p->e, int, p->names.count)};
    r->at = r->system_at;
    read_joined(&c, &all, 2);
    if (!at_word(r, "endsystem")) fail(&c, "expected ||, |||, |[, /, { or endsystem");
    for (size_t m = 0; m < p->module_count; m++)
        if (!c.used[m]) fail(&c, "expected every module once");
    for (size_t i = 0; i < all.sync_count; i++) PUSH(p, sync, all.sync[i]);
    prism_find_partaking(p);
}
