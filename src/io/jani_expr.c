/* io/jani_expr.c - expressions of JANI, and the calls of functions in them; see jani.h.
 *
 * A function without parameters becomes a formula when it is first called. One with parameters is read again at every call, with
 * the arguments in their place. The specification allows no recursion, so none is followed.
 */
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "io/jani.h"

/* Nesting, calls included: each takes up to 600 bytes of the stack. */
enum { DEPTH_CAP = 400, GROWTH_CAP = 64, EXPR_FREE = 100000 };
static const double WHOLE_CAP = 9007199254740992.0; /* 2^53: doubles from here on skip whole numbers */

/* ---- names --------------------------------------------------------------------------------------------------- */

uint32_t jani_value_of(const jani_reader *r, uint32_t node, const char *name)
{
    if (node == 0 || js_kind_of(r->doc, node) != JS_OBJECT) return 0;
    for (uint32_t c = node + 1; c < js_end(r->doc, node); c = js_end(r->doc, c + 1))
        if (strcmp(js_string(r->doc, c), name) == 0) return c + 1;
    return 0;
}

int jani_name(jani_reader *r, const char *word) { return prism_intern(r->p, word, strlen(word)); }

jani_symbol *jani_symbol_of(jani_reader *r, int name)
{
    while (r->symbol_count <= (size_t)name) ESCAPE_PUSH(r->e, r, symbol, (jani_symbol){.kind = JANI_NONE, .index = -1});
    return &r->symbol[name];
}

jani_symbol *jani_symbol_at(jani_reader *r, uint32_t node) { return jani_symbol_of(r, jani_name(r, js_string(r->doc, node))); }

void jani_declare(jani_reader *r, uint32_t node, jani_symbol meaning)
{
    int name = jani_name(r, js_string(r->doc, node));
    jani_symbol *s = jani_symbol_of(r, name);
    if (s->kind != JANI_NONE) js_fail(r->doc, node, "the name \"%.100s\" is declared twice", js_string(r->doc, node));
    meaning.uses = s->uses;
    meaning.taken = s->taken;
    meaning.home = s->home;
    meaning.location = s->location;
    *s = meaning;
    if (meaning.local) ESCAPE_PUSH(r->e, r, local, name);
}

int jani_free_name(jani_reader *r, const char *prefix, const char *word, bool prefixed)
{
    for (int attempt = prefixed ? 1 : 0;; attempt++) {
        char word_made[300];
        if (attempt == 0)
            format_text(word_made, sizeof word_made, "%.120s", word);
        else if (attempt == 1)
            format_text(word_made, sizeof word_made, "%.120s_%.120s", prefix, word);
        else
            format_text(word_made, sizeof word_made, "%.120s_%.120s_%d", prefix, word, attempt);
        int name = jani_name(r, word_made);
        jani_symbol *s = jani_symbol_of(r, name);
        if (s->taken) continue;
        s->taken = true;
        return name;
    }
}

/* ---- making -------------------------------------------------------------------------------------------------- */

int jani_make(jani_reader *r, uint32_t node, prism_op op, int a, int b, int c)
{
    prism *p = r->p;
    int at = ESCAPE_ADD(r->e, p, expr);
    p->expr[at] = (prism_expr){.op = op, .a = a, .b = b, .c = c, .line = (int)r->doc->node[node].line, .column = (int)node};
    if (a >= 0 && op > OP_DEADLOCK) p->expr[a].up = at;
    return at;
}

/* `up` has room for one, and is not used for a conditional. */
int jani_shared(jani_reader *r, uint32_t node, int x)
{
    if (r->p->expr[x].op <= OP_IF) return x;
    return jani_make(r, node, OP_IF, jani_make_whole(r, node, OP_BOOL, 1), x, x);
}

int jani_make_whole(jani_reader *r, uint32_t node, prism_op op, int64_t whole)
{
    int at = jani_make(r, node, op, -1, -1, -1);
    r->p->expr[at].u.whole = whole;
    return at;
}

int jani_and(jani_reader *r, uint32_t node, int a, int b) { return b < 0 ? a : a < 0 ? b : jani_make(r, node, OP_AND, a, b, -1); }

/* ---- reading ------------------------------------------------------------------------------------------------- */

static int make_real(jani_reader *r, uint32_t node, double number)
{
    int at = jani_make(r, node, OP_REAL, -1, -1, -1);
    r->p->expr[at].u.number = number;
    return at;
}

static int read_number(jani_reader *r, uint32_t node)
{
    double x = js_number(r->doc, node);
    if (x == floor(x) && fabs(x) < WHOLE_CAP) return jani_make_whole(r, node, OP_INT, (int64_t)x);
    return make_real(r, node, x);
}

static int read_identifier(jani_reader *r, uint32_t node)
{
    const char *word = js_string(r->doc, node);
    int name = jani_name(r, word);
    for (size_t i = r->binding_count; i > r->frame; i--)
        if (r->binding[i - 1].name == name) return r->binding[i - 1].expr;
    const jani_symbol *s = jani_symbol_of(r, name);
    if (s->transient && r->later)
        js_fail(r->doc, node, "the transient variable \"%.100s\" in an assignment of a higher index is not supported", word);
    if (s->kind == JANI_ARRAY && s->index >= 0) return s->index;
    if (s->kind != JANI_CONSTANT && s->kind != JANI_VARIABLE && s->kind != JANI_FORMULA)
        js_fail(r->doc, node, "there is no constant or variable \"%.100s\" here", word);
    prism_op op = s->kind == JANI_CONSTANT ? OP_CONST : s->kind == JANI_VARIABLE ? OP_VAR : OP_FORMULA;
    return jani_make(r, node, op, s->index, -1, -1);
}

enum {
    F_OP,
    F_LEFT,
    F_RIGHT,
    F_EXP,
    F_IF,
    F_THEN,
    F_ELSE,
    F_FUNCTION,
    F_ARGS,
    F_CONSTANT,
    F_INDEX,
    F_ELEMENTS,
    F_VAR,
    F_LENGTH,
    F_COMMENT,
    EXPR_FIELDS
};
static const js_field expr_field[EXPR_FIELDS] = {
    [F_OP] = {"op", JANI_TEXT, false},         [F_LEFT] = {"left", JANI_EXPR, false},
    [F_RIGHT] = {"right", JANI_EXPR, false},   [F_EXP] = {"exp", JANI_EXPR, false},
    [F_IF] = {"if", JANI_EXPR, false},         [F_THEN] = {"then", JANI_EXPR, false},
    [F_ELSE] = {"else", JANI_EXPR, false},     [F_FUNCTION] = {"function", JANI_TEXT, false},
    [F_ARGS] = {"args", JANI_LIST, false},     [F_CONSTANT] = {"constant", JANI_ANY, false},
    [F_INDEX] = {"index", JANI_EXPR, false},   [F_ELEMENTS] = {"elements", JANI_LIST, false},
    [F_VAR] = {"var", JANI_TEXT, false},       [F_LENGTH] = {"length", JANI_EXPR, false},

    [F_COMMENT] = {"comment", JANI_ANY, false}};

static const struct operator_word {
    const char *word;
    prism_op op;
} binary[] = {{"∨", OP_OR},  {"∧", OP_AND}, {"⇒", OP_IMPLIES}, {"=", OP_EQ},    {"≠", OP_NE},    {"<", OP_LT},
              {"≤", OP_LE},  {">", OP_GT},  {"≥", OP_GE},      {"+", OP_ADD},   {"-", OP_SUB},   {"*", OP_MUL},
              {"/", OP_DIV}, {"%", OP_MOD}, {"min", OP_MIN},   {"max", OP_MAX}, {"pow", OP_POW}, {"log", OP_LOG}},
  unary[] = {{"¬", OP_NOT}, {"floor", OP_FLOOR}, {"ceil", OP_CEIL}, {"abs", OP_MAX}, {"sgn", OP_IF}, {"trc", OP_IF}};

static const struct operator_word *find_word(const struct operator_word *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].word, word) == 0) return &list[i];
    return NULL;
}

static void need(const jani_reader *r, uint32_t node, const uint32_t field[], int which)
{
    if (!field[which])
        js_fail(r->doc, node, "the operator \"%.40s\" needs the field \"%s\"", js_string(r->doc, field[F_OP]),
                expr_field[which].name);
}

static int read_part(jani_reader *r, uint32_t node, const uint32_t field[], int which)
{
    need(r, node, field, which);
    return jani_expr(r, field[which]);
}

/* max(x, -x); x > 0 ? 1 : x < 0 ? -1 : 0; x >= 0 ? floor(x) : ceil(x) */
static int make_derived(jani_reader *r, uint32_t node, const char *word, int x)
{
    int zero = jani_make_whole(r, node, OP_INT, 0);
    if (word[0] == 'a') return jani_make(r, node, OP_MAX, x, jani_make(r, node, OP_MINUS, x, -1, -1), -1);
    if (word[0] == 't') {
        int sign = jani_make(r, node, OP_GE, x, zero, -1), below = jani_make(r, node, OP_FLOOR, x, -1, -1);
        return jani_make(r, node, OP_IF, sign, below, jani_make(r, node, OP_CEIL, x, -1, -1));
    }
    int minus = jani_make_whole(r, node, OP_INT, -1), less = jani_make(r, node, OP_LT, x, zero, -1);
    int rest = jani_make(r, node, OP_IF, less, minus, zero), one = jani_make_whole(r, node, OP_INT, 1);
    return jani_make(r, node, OP_IF, jani_make(r, node, OP_GT, x, zero, -1), one, rest);
}

static int read_unary(jani_reader *r, uint32_t node, const uint32_t field[], const struct operator_word *o)
{
    int x = read_part(r, node, field, F_EXP);
    bool derived = o->op == OP_MAX || o->op == OP_IF;
    return derived ? make_derived(r, node, o->word, jani_shared(r, node, x)) : jani_make(r, node, o->op, x, -1, -1);
}

static int read_constant(jani_reader *r, uint32_t node, uint32_t value)
{
    const char *word = js_kind_of(r->doc, value) == JS_STRING ? js_string(r->doc, value) : "";
    if (strcmp(word, "e") != 0 && strcmp(word, "π") != 0) js_fail(r->doc, value, "expected \"e\" or \"π\"");
    return make_real(r, node, word[0] == 'e' ? exp(1) : acos(-1));
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

enum { D_NAME, D_TYPE, D_PARAMETERS, D_BODY, D_COMMENT, FUNCTION_FIELDS };
static const js_field function_field[FUNCTION_FIELDS] = {{"name", JANI_TEXT, true},
                                                         {"type", JANI_TEXT | JANI_OBJECT, true},
                                                         {"parameters", JANI_LIST, true},
                                                         {"body", JANI_EXPR, true},
                                                         {"comment", JANI_ANY, false}};

void jani_functions(jani_reader *r, uint32_t list, bool local)
{
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) {
        uint32_t field[FUNCTION_FIELDS];
        js_fields(r->doc, c, function_field, FUNCTION_FIELDS, field);
        jani_declare(r, field[D_NAME], (jani_symbol){.kind = JANI_FUNCTION, .index = -1, .node = c, .local = local});
    }
}

/* The arguments as bindings of the parameters, which begin a frame of their own. They have their names last, since arguments are
 * about the caller's. */
static void bind_arguments(jani_reader *r, uint32_t node, uint32_t parameters, uint32_t args)
{
    static const js_field parameter_field[] = {{"name", JANI_TEXT, true}, {"type", JANI_TEXT | JANI_OBJECT, true}};
    uint32_t given = args ? js_count(r->doc, args) : 0, field[2];
    size_t frame = r->binding_count;
    if (given != js_count(r->doc, parameters))
        js_fail(r->doc, node, "the function takes %u arguments, found %u", js_count(r->doc, parameters), given);
    for (uint32_t a = args + 1; given > 0 && a < js_end(r->doc, args); a = jani_next(r, a)) {
        int given_as = jani_shared(r, a, jani_expr(r, a));
        ESCAPE_PUSH(r->e, r, binding, (jani_binding){-1, given_as});
    }
    size_t i = frame;
    for (uint32_t c = parameters + 1; c < js_end(r->doc, parameters); c = jani_next(r, c)) {
        js_fields(r->doc, c, parameter_field, 2, field);
        r->binding[i++].name = jani_name(r, js_string(r->doc, field[0]));
    }
    r->frame = frame;
}

/* The body, with the bindings at hand. A function without parameters is a formula from now on. */
static int read_body(jani_reader *r, int name, const uint32_t field[])
{
    jani_symbol_of(r, name)->open = true;
    int expr = jani_expr(r, field[D_BODY]);
    jani_symbol_of(r, name)->open = false; /* may have moved */
    if (js_count(r->doc, field[D_PARAMETERS]) > 0 || r->later || jani_is_array(r, expr)) return expr;
    int formula = jani_free_name(r, "function", js_string(r->doc, field[D_NAME]), false);
    ESCAPE_PUSH(r->e, r->p, formula, (prism_named){formula, expr, (int)r->doc->node[field[D_BODY]].line, (int)field[D_BODY]});
    jani_symbol_of(r, name)->index = (int)r->p->formula_count - 1;
    return expr;
}

static int read_call(jani_reader *r, uint32_t node, const uint32_t call[])
{
    const char *word = js_string(r->doc, call[F_FUNCTION]);
    uint32_t field[FUNCTION_FIELDS];
    int name = jani_name(r, word);
    const jani_symbol *s = jani_symbol_of(r, name);
    if (s->kind != JANI_FUNCTION) js_fail(r->doc, call[F_FUNCTION], "there is no function \"%.100s\"", word);
    if (s->open) js_fail(r->doc, call[F_FUNCTION], "the function \"%.100s\" calls itself", word);
    if (s->index >= 0 && !r->later) return jani_make(r, node, OP_FORMULA, s->index, -1, -1);
    js_fields(r->doc, s->node, function_field, FUNCTION_FIELDS, field);
    size_t frame = r->frame, bindings = r->binding_count;
    bind_arguments(r, node, field[D_PARAMETERS], call[F_ARGS]);
    int expr = read_body(r, name, field);
    r->frame = frame;
    r->binding_count = bindings;
    return expr;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

static int read_binary(jani_reader *r, uint32_t node, const uint32_t field[], prism_op op)
{
    int a = read_part(r, node, field, F_LEFT), b = read_part(r, node, field, F_RIGHT);
    return jani_make(r, node, op, a, b, -1);
}

static int read_choice(jani_reader *r, uint32_t node, const uint32_t field[])
{
    int condition = read_part(r, node, field, F_IF), yes = read_part(r, node, field, F_THEN);
    int no = read_part(r, node, field, F_ELSE);
    return jani_choose_array(r, node, (const int[]){condition, yes, no});
}

static int read_operator(jani_reader *r, uint32_t node)
{
    uint32_t field[EXPR_FIELDS];
    js_fields(r->doc, node, expr_field, EXPR_FIELDS, field);
    if (field[F_CONSTANT] && !field[F_OP]) return read_constant(r, node, field[F_CONSTANT]);
    if (!field[F_OP]) js_fail(r->doc, node, "the field \"op\" is missing");
    const char *word = js_string(r->doc, field[F_OP]);
    const struct operator_word *two = find_word(binary, sizeof binary / sizeof *binary, word);
    const struct operator_word *one = find_word(unary, sizeof unary / sizeof *unary, word);
    if (two) return read_binary(r, node, field, two->op);
    if (one) return read_unary(r, node, field, one);
    if (strcmp(word, "aa") == 0 || strcmp(word, "av") == 0 || strcmp(word, "ac") == 0) return jani_array_expr(r, node, word);
    if (strcmp(word, "ite") == 0) return read_choice(r, node, field);
    if (strcmp(word, "call") == 0) {
        need(r, node, field, F_FUNCTION);
        return read_call(r, node, field);
    }
    if (strcmp(word, "initial") == 0) return jani_make(r, node, OP_INIT, -1, -1, -1);
    if (strcmp(word, "deadlock") == 0) return jani_make(r, node, OP_DEADLOCK, -1, -1, -1);
    js_fail(r->doc, field[F_OP], "the operator \"%.60s\" is not supported", word);
}

static int read_kind(jani_reader *r, uint32_t node)
{
    switch (js_kind_of(r->doc, node)) {
    case JS_NUMBER:
        return read_number(r, node);
    case JS_STRING:
        return read_identifier(r, node);
    case JS_OBJECT:
        return read_operator(r, node);
    default:
        return jani_make_whole(r, node, OP_BOOL, js_kind_of(r->doc, node) == JS_TRUE);
    }
}

int jani_expr(jani_reader *r, uint32_t node)
{
    if (r->depth >= DEPTH_CAP) js_fail(r->doc, node, "the expression is nested too deeply");
    if (r->p->expr_count > EXPR_FREE + GROWTH_CAP * r->doc->count)
        escape_fail(r->e, VOUCH_ERROR_SIZE, "%.200s: calls of functions make too large a model", r->p->file);
    js_expect(r->doc, node, JANI_EXPR);
    r->depth++;
    int expr = read_kind(r, node);
    r->depth--;
    return expr;
}

int jani_wrapped(jani_reader *r, uint32_t node)
{
    static const js_field wrapper[] = {{"exp", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[2];
    js_fields(r->doc, node, wrapper, 2, field);
    return jani_expr(r, field[0]);
}
