/* io/prism_parse.c - the grammar of PRISM models and sketches, by recursive descent; see prism.h.
 *
 * Expressions climb precedences, from weak to strong:  ?:  =>  <=>  |  &  !  = !=  < <= > >=  + -  * /  ^  unary -.
 * `module b = a [x=y] endmodule` reads the tokens of a again with names replaced; formulas are expanded while this goes
 * on, so that names inside them are replaced too. Names are bound to what they declare when everything has been read,
 * since PRISM lets a file use what it declares later.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/prism.h"

enum { NEST_CAP = 400, EXPR_CAP = 20000000 };

typedef struct rename {
    int old, new;
} rename;

typedef struct reader {
    prism *p;
    size_t at;
    int nest;
    rename *renames; /* owned; count 0: none in force */
    size_t rename_count, rename_capacity;
    int *formula_at; /* owned, [names]: token where the formula of that name begins, -1: none */
    size_t formula_names;
} reader;

/* ---- tokens -------------------------------------------------------------------------------------------------- */

static const prism_token *here(const reader *r) { return &r->p->token[r->at]; }
static const prism_token *ahead(const reader *r, size_t n)
{
    size_t last = r->p->token_count - 1;
    return &r->p->token[r->at + n < last ? r->at + n : last];
}
static void step(reader *r) { r->at += r->at + 1 < r->p->token_count; }

static bool token_is(const prism_token *t, char c) { return t->symbol == SYM_CHAR && t->character == c; }
static bool at_char(const reader *r, char c) { return token_is(here(r), c); }
static bool at_word(const reader *r, const char *word)
{
    return here(r)->symbol == SYM_NAME && strcmp(prism_name(r->p, here(r)->name), word) == 0;
}

static vouch_status unexpected(const reader *r, const char *wanted)
{
    static const char *const symbol_text[] = {[SYM_ARROW] = "->", [SYM_DOTS] = "..", [SYM_LE] = "<=", [SYM_GE] = ">=", [SYM_NE] = "!=", [SYM_IMPLIES] = "=>", [SYM_IFF] = "<=>"};
    const prism_token *t = here(r);
    switch ((prism_symbol)t->symbol) {
    case SYM_END: return prism_fail(r->p, t->line, t->column, "expected %s, found the end of the file", wanted);
    case SYM_NAME: return prism_fail(r->p, t->line, t->column, "expected %s, found \"%.100s\"", wanted, prism_name(r->p, t->name));
    case SYM_STRING: return prism_fail(r->p, t->line, t->column, "expected %s, found the label \"%.100s\"", wanted, prism_name(r->p, t->name));
    case SYM_INT:
    case SYM_REAL: return prism_fail(r->p, t->line, t->column, "expected %s, found the number %.10g", wanted, t->number);
    case SYM_CHAR: return prism_fail(r->p, t->line, t->column, "expected %s, found \"%c\"", wanted, t->character);
    default: return prism_fail(r->p, t->line, t->column, "expected %s, found \"%s\"", wanted, symbol_text[t->symbol]);
    }
}

static vouch_status take_char(reader *r, char c)
{
    char wanted[] = {'"', c, '"', '\0'};
    if (!at_char(r, c)) return unexpected(r, wanted);
    step(r);
    return VOUCH_OK;
}

static vouch_status take_symbol(reader *r, prism_symbol symbol, const char *wanted)
{
    if (here(r)->symbol != symbol) return unexpected(r, wanted);
    step(r);
    return VOUCH_OK;
}

static vouch_status take_word(reader *r, const char *word)
{
    if (!at_word(r, word)) return unexpected(r, word);
    step(r);
    return VOUCH_OK;
}

static int renamed(const reader *r, int name)
{
    for (size_t i = 0; i < r->rename_count; i++)
        if (r->renames[i].old == name) return r->renames[i].new;
    return name;
}

static bool reserved(const char *word)
{
    static const char *const words[] = {
        "A", "bool", "const", "ctmc", "C", "double", "dtmc", "E", "endinit", "endinvariant", "endmodule", "endobservables", "endrewards",
        "endsystem", "false", "formula", "filter", "func", "F", "global", "G", "hole", "init", "invariant", "I", "int", "label", "max", "mdp", "min",
        "module", "X", "nondeterministic", "observable", "observables", "of", "Pmax", "Pmin", "P", "pomdp", "popta", "probabilistic", "prob",
        "pta", "rate", "rewards", "Rmax", "Rmin", "R", "S", "stochastic", "system", "true", "U", "W"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

static vouch_status take_name(reader *r, const char *wanted, int *name)
{
    if (here(r)->symbol != SYM_NAME) return unexpected(r, wanted);
    *name = renamed(r, here(r)->name);
    if (reserved(prism_name(r->p, *name)))
        return prism_fail(r->p, here(r)->line, here(r)->column, "expected %s, found the reserved word \"%s\"", wanted, prism_name(r->p, *name));
    step(r);
    return VOUCH_OK;
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

static vouch_status read_expr(reader *r, int *expr);

static vouch_status add_expr(reader *r, const prism_token *t, prism_op op, int a, int b, int c, double number, int *index)
{
    prism *p = r->p;
    if (p->expr_count >= EXPR_CAP) return error_set(p->error, VOUCH_ERROR_SIZE, "%s: the expressions are too large", p->file);
    *index = PRISM_ADD(p, expr);
    if (*index < 0) return error_memory(p->error);
    p->expr[*index] = (prism_expr){.op = op, .a = a, .b = b, .c = c, .line = t->line, .column = t->column, .number = number};
    return VOUCH_OK;
}

/* name(a), name(a, b), or min and max of any number */
static vouch_status read_call(reader *r, prism_op op, int least, int most, int *expr)
{
    prism_token t = *here(r);
    int a, b;
    step(r);
    vouch_status status = take_char(r, '(');
    if (!status) status = read_expr(r, &a);
    int count = 1;
    for (; !status && at_char(r, ',') && (most == 0 || count < most); count++) {
        step(r);
        status = read_expr(r, &b);
        if (!status) status = add_expr(r, &t, op, a, b, -1, 0, &a);
    }
    if (!status && count < least) return unexpected(r, "\",\" and another argument");
    if (!status) status = take_char(r, ')');
    if (status) return status;
    if (most == 1) return add_expr(r, &t, op, a, -1, -1, 0, expr);
    *expr = a;
    return VOUCH_OK;
}

static bool at_call(const reader *r, prism_op *op, int *least, int *most)
{
    static const struct {
        const char *name;
        prism_op op;
        int least, most;
    } list[] = {{"min", OP_MIN, 1, 0},     {"max", OP_MAX, 1, 0},     {"floor", OP_FLOOR, 1, 1}, {"ceil", OP_CEIL, 1, 1},
                {"round", OP_ROUND, 1, 1}, {"pow", OP_POW, 2, 2},     {"mod", OP_MOD, 2, 2},     {"log", OP_LOG, 2, 2}};
    if (here(r)->symbol != SYM_NAME || !token_is(ahead(r, 1), '(')) return false;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (at_word(r, list[i].name)) {
            *op = list[i].op;
            *least = list[i].least;
            *most = list[i].most;
            return true;
        }
    return false;
}

static vouch_status read_name_use(reader *r, int *expr)
{
    const prism_token t = *here(r);
    int original = t.name, name = renamed(r, original);
    if (r->rename_count && name == original && (size_t)name < r->formula_names && r->formula_at[name] >= 0) {
        size_t back = r->at + 1;
        r->at = (size_t)r->formula_at[name];
        vouch_status status = read_expr(r, expr);
        r->at = back;
        return status;
    }
    if (reserved(prism_name(r->p, name))) return unexpected(r, "an expression");
    step(r);
    return add_expr(r, &t, OP_ID, name, -1, -1, 0, expr);
}

static vouch_status read_primary(reader *r, int *expr)
{
    const prism_token t = *here(r);
    prism_op op;
    int least, most;
    vouch_status status;
    switch ((prism_symbol)t.symbol) {
    case SYM_INT:
    case SYM_REAL:
        step(r);
        return add_expr(r, &t, t.symbol == SYM_INT ? OP_INT : OP_REAL, -1, -1, -1, t.number, expr);
    case SYM_STRING:
        step(r);
        return add_expr(r, &t, OP_LABEL, t.name, -1, -1, 0, expr);
    case SYM_NAME:
        if (at_word(r, "true") || at_word(r, "false")) {
            double value = at_word(r, "true");
            step(r);
            return add_expr(r, &t, OP_BOOL, -1, -1, -1, value, expr);
        }
        if (at_call(r, &op, &least, &most)) return read_call(r, op, least, most, expr);
        return read_name_use(r, expr);
    default:
        if (!at_char(r, '(')) return unexpected(r, "an expression");
        step(r);
        status = read_expr(r, expr);
        return status ? status : take_char(r, ')');
    }
}

enum { LEVEL_IMPLIES = 1, LEVEL_IFF, LEVEL_OR, LEVEL_AND, LEVEL_EQUAL, LEVEL_ORDER, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER };

static bool at_operator(const reader *r, prism_op *op, int *level)
{
    static const struct {
        unsigned char symbol;
        char character;
        prism_op op;
        int level;
    } list[] = {
        {SYM_IMPLIES, 0, OP_IMPLIES, LEVEL_IMPLIES}, {SYM_IFF, 0, OP_IFF, LEVEL_IFF},   {SYM_CHAR, '|', OP_OR, LEVEL_OR},
        {SYM_CHAR, '&', OP_AND, LEVEL_AND},          {SYM_CHAR, '=', OP_EQ, LEVEL_EQUAL}, {SYM_NE, 0, OP_NE, LEVEL_EQUAL},
        {SYM_CHAR, '<', OP_LT, LEVEL_ORDER},         {SYM_CHAR, '>', OP_GT, LEVEL_ORDER}, {SYM_LE, 0, OP_LE, LEVEL_ORDER},
        {SYM_GE, 0, OP_GE, LEVEL_ORDER},             {SYM_CHAR, '+', OP_ADD, LEVEL_SUM},  {SYM_CHAR, '-', OP_SUB, LEVEL_SUM},
        {SYM_CHAR, '*', OP_MUL, LEVEL_PRODUCT},      {SYM_CHAR, '/', OP_DIV, LEVEL_PRODUCT}, {SYM_CHAR, '^', OP_POW, LEVEL_POWER},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (here(r)->symbol == list[i].symbol && (list[i].symbol != SYM_CHAR || here(r)->character == list[i].character)) {
            *op = list[i].op;
            *level = list[i].level;
            return true;
        }
    return false;
}

/* Operators of at least `level`. */
static vouch_status read_level(reader *r, int level, int *expr)
{
    const prism_token first = *here(r);
    vouch_status status;
    prism_op op;
    int found, right;
    if (++r->nest > NEST_CAP) return prism_fail(r->p, first.line, first.column, "the expression is nested too deeply");
    if (at_char(r, '!')) {
        step(r);
        status = read_level(r, LEVEL_EQUAL, expr);
        if (!status) status = add_expr(r, &first, OP_NOT, *expr, -1, -1, 0, expr);
    } else if (at_char(r, '-')) {
        step(r);
        status = read_level(r, LEVEL_POWER + 1, expr);
        if (!status) status = add_expr(r, &first, OP_MINUS, *expr, -1, -1, 0, expr);
    } else {
        status = read_primary(r, expr);
    }
    while (!status && at_operator(r, &op, &found) && found >= level) {
        const prism_token t = *here(r);
        step(r);
        status = read_level(r, found + 1, &right);
        if (!status) status = add_expr(r, &t, op, *expr, right, -1, 0, expr);
    }
    r->nest--;
    return status;
}

static vouch_status read_expr(reader *r, int *expr)
{
    int yes, no;
    vouch_status status = read_level(r, LEVEL_IMPLIES, expr);
    if (status || !at_char(r, '?')) return status;
    const prism_token t = *here(r);
    if (++r->nest > NEST_CAP) return prism_fail(r->p, t.line, t.column, "the expression is nested too deeply");
    step(r);
    status = read_expr(r, &yes);
    if (!status) status = take_char(r, ':');
    if (!status) status = read_expr(r, &no);
    r->nest--;
    return status ? status : add_expr(r, &t, OP_IF, *expr, yes, no, 0, expr);
}

/* ---- declarations -------------------------------------------------------------------------------------------- */

static vouch_status read_type(reader *r, prism_type *type)
{
    *type = TYPE_INT;
    if (at_word(r, "int")) *type = TYPE_INT;
    else if (at_word(r, "double") || at_word(r, "rate") || at_word(r, "prob")) *type = TYPE_REAL;
    else if (at_word(r, "bool")) *type = TYPE_BOOL;
    else return VOUCH_OK;
    step(r);
    return VOUCH_OK;
}

static vouch_status add_constant(reader *r, const prism_token *t, int name, prism_type type, prism_constant **constant)
{
    int at = PRISM_ADD(r->p, constant);
    if (at < 0) return error_memory(r->p->error);
    *constant = &r->p->constant[at];
    **constant = (prism_constant){.name = name, .type = type, .expr = -1, .bound_of = -1, .line = t->line, .column = t->column};
    return VOUCH_OK;
}

static vouch_status read_constant(reader *r)
{
    prism_type type;
    prism_constant *c;
    int name, expr = -1;
    step(r);
    vouch_status status = read_type(r, &type);
    const prism_token t = *here(r);
    if (!status) status = take_name(r, "the name of a constant", &name);
    if (!status && at_char(r, '=')) {
        step(r);
        status = read_expr(r, &expr);
    }
    if (!status) status = take_char(r, ';');
    if (!status) status = add_constant(r, &t, name, type, &c);
    if (!status) c->expr = expr;
    return status;
}

static vouch_status add_hole_value(reader *r)
{
    int expr;
    vouch_status status = read_expr(r, &expr);
    int at = status ? -1 : PRISM_ADD(r->p, hole_value);
    if (!status && at < 0) return error_memory(r->p->error);
    if (!status) r->p->hole_value[at] = expr;
    return status;
}

static vouch_status add_hole_bound(reader *r, const prism_token *t, int hole, const char *ending, int is_max)
{
    prism *p = r->p;
    char word[256];
    const char *name = prism_name(p, p->constant[hole].name);
    size_t n = strlen(name);
    if (n > sizeof word - 8) return prism_fail(p, t->line, t->column, "the name is too long");
    memcpy(word, name, n);
    memcpy(word + n, ending, strlen(ending) + 1);
    int full = prism_intern(p, word, n + strlen(ending));
    prism_constant *c;
    vouch_status status = full < 0 ? error_memory(p->error) : add_constant(r, t, full, p->constant[hole].type, &c);
    if (status) return status;
    c->bound_of = hole;
    c->is_max = is_max;
    return VOUCH_OK;
}

/* hole int NAME in { 1, 2, 3 };   hole int NAME in { lo .. hi : step }; */
static vouch_status read_hole(reader *r)
{
    prism *p = r->p;
    prism_type type;
    prism_constant *c;
    int name, first = (int)p->hole_value_count, count = 1;
    step(r);
    vouch_status status = read_type(r, &type);
    const prism_token t = *here(r);
    if (!status) status = take_name(r, "the name of a hole", &name);
    if (!status) status = take_word(r, "in");
    if (!status) status = take_char(r, '{');
    if (!status) status = add_hole_value(r);
    if (!status && here(r)->symbol == SYM_DOTS) {
        step(r);
        count = -1;
        status = add_hole_value(r);
        if (!status && at_char(r, ':')) {
            step(r);
            status = add_hole_value(r);
        } else if (!status) {
            int at = PRISM_ADD(p, hole_value);
            if (at < 0) return error_memory(p->error);
            p->hole_value[at] = -1;
        }
    }
    for (; !status && count > 0 && at_char(r, ','); count++) {
        step(r);
        status = add_hole_value(r);
    }
    if (!status) status = take_char(r, '}');
    if (!status) status = take_char(r, ';');
    if (!status) status = add_constant(r, &t, name, type, &c);
    if (status) return status;
    c->hole = true;
    c->first = first;
    c->count = count;
    int hole = (int)p->constant_count - 1;
    status = add_hole_bound(r, &t, hole, "_MIN", 0);
    return status ? status : add_hole_bound(r, &t, hole, "_MAX", 1);
}

static vouch_status read_formula(reader *r)
{
    const prism_token t = *ahead(r, 1);
    int name, expr;
    step(r);
    vouch_status status = take_name(r, "the name of a formula", &name);
    if (!status) status = take_char(r, '=');
    if (!status) status = read_expr(r, &expr);
    if (!status) status = take_char(r, ';');
    int at = status ? -1 : PRISM_ADD(r->p, formula);
    if (!status && at < 0) return error_memory(r->p->error);
    if (!status) r->p->formula[at] = (prism_named){name, expr, t.line, t.column};
    return status;
}

static vouch_status read_label(reader *r)
{
    step(r);
    const prism_token t = *here(r);
    int expr;
    vouch_status status = take_symbol(r, SYM_STRING, "the name of a label in quotation marks");
    if (!status) status = take_char(r, '=');
    if (!status) status = read_expr(r, &expr);
    if (!status) status = take_char(r, ';');
    if (status) return status;
    if (prism_find_label(r->p, prism_name(r->p, t.name)) >= 0)
        return prism_fail(r->p, t.line, t.column, "the label \"%.100s\" is declared twice", prism_name(r->p, t.name));
    int at = PRISM_ADD(r->p, label);
    if (at < 0) return error_memory(r->p->error);
    r->p->label[at] = (prism_named){t.name, expr, t.line, t.column};
    return VOUCH_OK;
}

/* x : [0..3] init 1;   b : bool;   n : int; */
static vouch_status read_variable(reader *r, int module)
{
    const prism_token t = *here(r);
    prism_variable v = {.module = module, .type = TYPE_INT, .low = -1, .high = -1, .init = -1, .line = t.line, .column = t.column};
    vouch_status status = take_name(r, "the name of a variable", &v.name);
    if (!status) status = take_char(r, ':');
    if (!status && at_char(r, '[')) {
        step(r);
        status = read_expr(r, &v.low);
        if (!status) status = take_symbol(r, SYM_DOTS, "\"..\"");
        if (!status) status = read_expr(r, &v.high);
        if (!status) status = take_char(r, ']');
    } else if (!status && (at_word(r, "bool") || at_word(r, "int"))) {
        v.type = at_word(r, "bool") ? TYPE_BOOL : TYPE_INT;
        step(r);
    } else if (!status) {
        status = unexpected(r, "a range [low..high], bool or int");
    }
    if (!status && at_word(r, "init")) {
        step(r);
        status = read_expr(r, &v.init);
    }
    if (!status) status = take_char(r, ';');
    int at = status ? -1 : PRISM_ADD(r->p, variable);
    if (!status && at < 0) return error_memory(r->p->error);
    if (!status) r->p->variable[at] = v;
    return status;
}

static vouch_status read_assignments(reader *r, prism_update *u)
{
    prism *p = r->p;
    u->first = (int)p->assignment_count;
    u->count = 0;
    if (at_word(r, "true")) {
        step(r);
        return VOUCH_OK;
    }
    for (;;) {
        prism_assignment a = {0};
        vouch_status status = take_char(r, '(');
        a.line = here(r)->line;
        a.column = here(r)->column;
        if (!status) status = take_name(r, "the name of a variable", &a.variable);
        if (!status) status = take_char(r, '\'');
        if (!status) status = take_char(r, '=');
        if (!status) status = read_expr(r, &a.expr);
        if (!status) status = take_char(r, ')');
        int at = status ? -1 : PRISM_ADD(p, assignment);
        if (status) return status;
        if (at < 0) return error_memory(p->error);
        p->assignment[at] = a;
        u->count++;
        if (!at_char(r, '&')) return VOUCH_OK;
        step(r);
    }
}

/* An update without a probability begins with (x'=  or is `true` alone. */
static bool at_bare_update(const reader *r)
{
    if (at_word(r, "true")) return !token_is(ahead(r, 1), ':');
    return at_char(r, '(') && ahead(r, 1)->symbol == SYM_NAME && token_is(ahead(r, 2), '\'');
}

static vouch_status read_command(reader *r, int module)
{
    prism *p = r->p;
    prism_command c = {.module = module, .label = -1, .line = here(r)->line, .column = here(r)->column, .first = (int)p->update_count};
    vouch_status status = take_char(r, '[');
    if (!status && !at_char(r, ']')) status = take_name(r, "the name of an action", &c.label);
    if (!status) status = take_char(r, ']');
    if (!status) status = read_expr(r, &c.guard);
    if (!status) status = take_symbol(r, SYM_ARROW, "\"->\"");
    for (bool more = true; more && !status; c.count++) {
        prism_update u = {.probability = -1};
        bool bare = at_bare_update(r);
        if (!bare) {
            status = read_expr(r, &u.probability);
            if (!status) status = take_char(r, ':');
        }
        if (!status) status = read_assignments(r, &u);
        int at = status ? -1 : PRISM_ADD(p, update);
        if (!status && at < 0) return error_memory(p->error);
        if (!status) p->update[at] = u;
        more = !status && !bare && at_char(r, '+');
        if (more) step(r);
    }
    if (!status) status = take_char(r, ';');
    int at = status ? -1 : PRISM_ADD(p, command);
    if (!status && at < 0) return error_memory(p->error);
    if (!status) p->command[at] = c;
    return status;
}

static vouch_status read_module_body(reader *r, int module)
{
    prism *p = r->p;
    vouch_status status = VOUCH_OK;
    p->module[module].first = (int)p->command_count;
    while (!status && !at_word(r, "endmodule")) {
        if (at_char(r, '[')) status = read_command(r, module);
        else if (at_word(r, "invariant")) status = prism_fail(p, here(r)->line, here(r)->column, "invariants are not supported: they belong to timed models");
        else if (token_is(ahead(r, 1), ':')) status = read_variable(r, module);
        else status = unexpected(r, "a variable, a command or endmodule");
    }
    p->module[module].count = (int)p->command_count - p->module[module].first;
    if (!status) step(r);
    return status;
}

/* [x=y, ..]: *count of them into r->renames, not yet in force. */
static vouch_status read_renames(reader *r, size_t *count)
{
    for (*count = 0;;) {
        rename one;
        vouch_status status = take_name(r, "the name to replace", &one.old);
        if (!status) status = take_char(r, '=');
        if (!status) status = take_name(r, "the name to put in its place", &one.new);
        if (status) return status;
        if (mem_reserve((void **)&r->renames, &r->rename_capacity, *count, sizeof *r->renames)) return error_memory(r->p->error);
        r->renames[(*count)++] = one;
        if (!at_char(r, ',')) return VOUCH_OK;
        step(r);
    }
}

static vouch_status read_module(reader *r)
{
    prism *p = r->p;
    step(r);
    const prism_token t = *here(r);
    int name, from_name;
    vouch_status status = take_name(r, "the name of a module", &name);
    if (status) return status;
    for (size_t i = 0; i < p->module_count; i++)
        if (p->module[i].name == name) return prism_fail(p, t.line, t.column, "the module \"%.100s\" is declared twice", prism_name(p, name));
    int module = PRISM_ADD(p, module);
    if (module < 0) return error_memory(p->error);
    p->module[module] = (prism_module){.name = name, .token = (int)r->at, .line = t.line, .column = t.column};
    if (!at_char(r, '=')) return read_module_body(r, module);
    step(r);
    p->module[module].token = -1;
    const prism_token from = *here(r);
    status = take_name(r, "the name of a module", &from_name);
    if (!status) status = take_char(r, '[');
    size_t count = 0;
    if (!status) status = read_renames(r, &count);
    if (!status) status = take_char(r, ']');
    if (!status) status = take_word(r, "endmodule");
    if (status) return status;
    int source = -1;
    for (int i = 0; i < module; i++)
        if (p->module[i].name == from_name && p->module[i].token >= 0) source = i;
    if (source < 0)
        return prism_fail(p, from.line, from.column, "there is no module \"%.100s\" above that could be renamed", prism_name(p, from_name));
    size_t back = r->at;
    r->at = (size_t)p->module[source].token;
    r->rename_count = count;
    status = read_module_body(r, module);
    r->rename_count = 0;
    r->at = back;
    return status;
}

static vouch_status read_rewards(reader *r)
{
    prism *p = r->p;
    prism_rewards rewards = {.name = -1, .first = (int)p->item_count};
    step(r);
    if (here(r)->symbol == SYM_STRING) {
        rewards.name = here(r)->name;
        step(r);
    }
    vouch_status status = VOUCH_OK;
    while (!status && !at_word(r, "endrewards")) {
        prism_item item = {.label = -1, .transition = at_char(r, '[')};
        if (item.transition) {
            step(r);
            if (!at_char(r, ']')) status = take_name(r, "the name of an action", &item.label);
            if (!status) status = take_char(r, ']');
        }
        if (!status) status = read_expr(r, &item.guard);
        if (!status) status = take_char(r, ':');
        if (!status) status = read_expr(r, &item.value);
        if (!status) status = take_char(r, ';');
        int at = status ? -1 : PRISM_ADD(p, item);
        if (!status && at < 0) return error_memory(p->error);
        if (!status) p->item[at] = item;
    }
    if (status) return status;
    step(r);
    rewards.count = (int)p->item_count - rewards.first;
    int at = PRISM_ADD(p, rewards);
    if (at < 0) return error_memory(p->error);
    p->rewards[at] = rewards;
    return VOUCH_OK;
}

static vouch_status read_init(reader *r)
{
    step(r);
    vouch_status status = r->p->init >= 0 ? prism_fail(r->p, here(r)->line, here(r)->column, "a second init .. endinit") : read_expr(r, &r->p->init);
    return status ? status : take_word(r, "endinit");
}

static vouch_status refuse(const reader *r, const char *what)
{
    return prism_fail(r->p, here(r)->line, here(r)->column, "\"%s\" is not supported: %s", prism_name(r->p, here(r)->name), what);
}

static vouch_status read_declaration(reader *r)
{
    static const char *const other_models[] = {"dtmc", "probabilistic", "ctmc", "stochastic", "pta", "popta", "pomdp", "smg", "csg", "tsg", "ma", "imdp", "idtmc"};
    if (at_word(r, "mdp") || at_word(r, "nondeterministic")) {
        step(r);
        return VOUCH_OK;
    }
    if (at_word(r, "const")) return read_constant(r);
    if (at_word(r, "hole")) return read_hole(r);
    if (at_word(r, "formula")) return read_formula(r);
    if (at_word(r, "label")) return read_label(r);
    if (at_word(r, "module")) return read_module(r);
    if (at_word(r, "rewards")) return read_rewards(r);
    if (at_word(r, "init")) return read_init(r);
    if (at_word(r, "global")) {
        step(r);
        return read_variable(r, -1);
    }
    for (size_t i = 0; i < sizeof other_models / sizeof *other_models; i++)
        if (at_word(r, other_models[i])) return refuse(r, "only models of type mdp can be planned for");
    if (at_word(r, "system")) return refuse(r, "modules are composed by their common actions");
    if (at_word(r, "observables") || at_word(r, "observable")) return refuse(r, "states are observed in full");
    return unexpected(r, "mdp, const, hole, formula, label, global, module, rewards or init");
}

/* ---- names --------------------------------------------------------------------------------------------------- */

int prism_find_label(const prism *p, const char *name)
{
    for (size_t i = 0; i < p->label_count; i++)
        if (strcmp(prism_name(p, p->label[i].name), name) == 0) return (int)i;
    return -1;
}

int prism_find_constant(const prism *p, int name)
{
    for (size_t i = 0; i < p->constant_count; i++)
        if (p->constant[i].name == name) return (int)i;
    return -1;
}

typedef struct meaning {
    prism_op op; /* OP_ID: none */
    int index;
} meaning;

static vouch_status declare(const prism *p, meaning *m, int name, prism_op op, int index, int line, int column)
{
    if (m[name].op != OP_ID) return prism_fail(p, line, column, "the name \"%.100s\" is declared twice", prism_name(p, name));
    m[name] = (meaning){op, index};
    return VOUCH_OK;
}

/* Binds expressions from `first_expr` on and assignments from `first_assignment` on. */
static vouch_status bind(prism *p, size_t first_expr, size_t first_assignment)
{
    vouch_status status = VOUCH_OK;
    meaning *m = MEM_NEW(meaning, p->names.count);
    if (!m) return error_memory(p->error);
    for (size_t i = 0; i < p->names.count; i++) m[i] = (meaning){OP_ID, -1};
    for (size_t i = 0; i < p->constant_count && !status; i++)
        status = declare(p, m, p->constant[i].name, OP_CONST, (int)i, p->constant[i].line, p->constant[i].column);
    for (size_t i = 0; i < p->variable_count && !status; i++)
        status = declare(p, m, p->variable[i].name, OP_VAR, (int)i, p->variable[i].line, p->variable[i].column);
    for (size_t i = 0; i < p->formula_count && !status; i++)
        status = declare(p, m, p->formula[i].name, OP_FORMULA, (int)i, p->formula[i].line, p->formula[i].column);
    for (size_t i = first_expr; i < p->expr_count && !status; i++) {
        prism_expr *e = &p->expr[i];
        if (e->op == OP_ID) {
            if (m[e->a].op == OP_ID) status = prism_fail(p, e->line, e->column, "there is no constant, variable or formula \"%.100s\"", prism_name(p, e->a));
            e->op = m[e->a].op;
            e->a = m[e->a].index;
        } else if (e->op == OP_LABEL) {
            e->b = prism_find_label(p, prism_name(p, e->a));
            if (e->b < 0) status = prism_fail(p, e->line, e->column, "there is no label \"%.100s\"", prism_name(p, e->a));
        }
    }
    for (size_t i = first_assignment; i < p->assignment_count && !status; i++) {
        prism_assignment *a = &p->assignment[i];
        if (m[a->variable].op != OP_VAR) status = prism_fail(p, a->line, a->column, "there is no variable \"%.100s\"", prism_name(p, a->variable));
        a->variable = m[a->variable].index;
    }
    mem_free(m);
    return status;
}

/* A module may change its own variables and global ones. */
static vouch_status check_owners(const prism *p)
{
    for (size_t i = 0; i < p->command_count; i++)
        for (int u = p->command[i].first; u < p->command[i].first + p->command[i].count; u++)
            for (int a = p->update[u].first; a < p->update[u].first + p->update[u].count; a++) {
                const prism_assignment *x = &p->assignment[a];
                const prism_variable *v = &p->variable[x->variable];
                if (v->module >= 0 && v->module != p->command[i].module)
                    return prism_fail(p, x->line, x->column, "the variable \"%.100s\" belongs to another module", prism_name(p, v->name));
                for (int b = p->update[u].first; b < a; b++)
                    if (p->assignment[b].variable == x->variable)
                        return prism_fail(p, x->line, x->column, "the variable \"%.100s\" is assigned twice", prism_name(p, v->name));
            }
    return VOUCH_OK;
}

static vouch_status find_formulas(reader *r)
{
    prism *p = r->p;
    r->formula_names = p->names.count;
    r->formula_at = MEM_NEW(int, r->formula_names);
    if (!r->formula_at) return error_memory(p->error);
    for (size_t i = 0; i < r->formula_names; i++) r->formula_at[i] = -1;
    for (r->at = 0; here(r)->symbol != SYM_END; step(r))
        if (at_word(r, "formula") && ahead(r, 1)->symbol == SYM_NAME && token_is(ahead(r, 2), '=')) r->formula_at[ahead(r, 1)->name] = (int)r->at + 3;
    r->at = 0;
    return VOUCH_OK;
}

vouch_status prism_parse(prism *p, const char *content, size_t length)
{
    reader r = {.p = p};
    p->init = -1;
    vouch_status status = prism_lex(p, content, length);
    if (!status && p->token_count == 1) status = prism_fail(p, 1, 1, "the file is empty; expected a PRISM model");
    if (!status) status = find_formulas(&r);
    while (!status && here(&r)->symbol != SYM_END) status = read_declaration(&r);
    if (!status && p->module_count == 0) status = prism_fail(p, here(&r)->line, here(&r)->column, "there is no module");
    if (!status) status = bind(p, 0, 0);
    if (!status) status = check_owners(p);
    mem_free(r.renames);
    mem_free(r.formula_at);
    return status;
}

vouch_status prism_parse_extra(prism *p, const char *what, const char *content, int *expr)
{
    const char *file = p->file;
    size_t first_expr = p->expr_count;
    reader r = {.p = p, .at = p->token_count};
    p->file = what;
    vouch_status status = prism_lex(p, content, strlen(content));
    if (!status) status = read_expr(&r, expr);
    if (!status && here(&r)->symbol != SYM_END) status = unexpected(&r, "the end of the expression");
    if (!status) status = bind(p, first_expr, p->assignment_count);
    p->file = file;
    return status;
}

void prism_free(prism *p)
{
    names_free(&p->names);
    mem_free(p->letters);
    mem_free(p->token);
    mem_free(p->expr);
    mem_free(p->constant);
    mem_free(p->hole_value);
    mem_free(p->variable);
    mem_free(p->formula);
    mem_free(p->label);
    mem_free(p->module);
    mem_free(p->command);
    mem_free(p->update);
    mem_free(p->assignment);
    mem_free(p->rewards);
    mem_free(p->item);
    *p = (prism){0};
}
