/* io/jani_expr.c - expressions of JANI, and the calls of functions in them; see jani_read.h.
 *
 * A function without parameters becomes a formula when it is first called. One with parameters is read again at every call, with
 * the arguments in their place. The specification allows no recursion, so none is followed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/jani_read.h"

/* Nesting, calls included: each takes up to 600 bytes of the stack. */
enum { DEPTH_CAP = 400, GROWTH_CAP = 64, EXPR_FREE = 100000 };
static const double WHOLE_CAP = 9007199254740992.0; /* 2^53: doubles from here on skip whole numbers */

/* ---- names --------------------------------------------------------------------------------------------------- */

int jani_name(jani_reader *r, const char *word) { return prism_intern(r->p, word, strlen(word)); }

jani_symbol *jani_symbol_of(jani_reader *r, int name)
{
    while (r->symbol_count <= (size_t)name) {
        int at = PRISM_ADD(r, symbol);
        if (at < 0) return NULL;
        r->symbol[at] = (jani_symbol){.kind = JANI_NONE, .index = -1};
    }
    return &r->symbol[name];
}

vouch_status jani_declare(jani_reader *r, uint32_t node, jani_symbol meaning)
{
    int name = jani_name(r, js_string(r->doc, node));
    jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
    if (!s) return error_memory(r->error);
    if (s->kind != JANI_NONE) return JANI_FAIL(r, node, "the name \"%.100s\" is declared twice", js_string(r->doc, node));
    meaning.uses = s->uses;
    meaning.taken = s->taken;
    meaning.home = s->home;
    meaning.location = s->location;
    *s = meaning;
    return meaning.local ? PRISM_PUSH(r, local, name) : VOUCH_OK;
}

vouch_status jani_free_name(jani_reader *r, const char *prefix, const char *word, bool prefixed, int *name)
{
    for (int attempt = prefixed ? 1 : 0;; attempt++) {
        char made[300];
        if (attempt == 0)
            format_text(made, sizeof made, "%.120s", word);
        else if (attempt == 1)
            format_text(made, sizeof made, "%.120s_%.120s", prefix, word);
        else
            format_text(made, sizeof made, "%.120s_%.120s_%d", prefix, word, attempt);
        *name = jani_name(r, made);
        jani_symbol *s = *name < 0 ? NULL : jani_symbol_of(r, *name);
        if (!s) return error_memory(r->error);
        if (s->taken) continue;
        s->taken = true;
        return VOUCH_OK;
    }
}

/* ---- making -------------------------------------------------------------------------------------------------- */

int jani_make(jani_reader *r, uint32_t node, prism_op op, int a, int b, int c)
{
    prism *p = r->p;
    int at = PRISM_ADD(p, expr);
    if (at >= 0)
        p->expr[at] = (prism_expr){.op = op, .a = a, .b = b, .c = c, .line = (int)r->doc->node[node].line, .column = (int)node};
    if (at >= 0 && a >= 0 && op > OP_DEADLOCK) p->expr[a].up = at;
    return at;
}

/* `up` has room for one, and is not asked of a conditional. */
int jani_shared(jani_reader *r, uint32_t node, int x)
{
    if (r->p->expr[x].op <= OP_IF) return x;
    int always = jani_make_whole(r, node, OP_BOOL, 1);
    return always < 0 ? -1 : jani_make(r, node, OP_IF, always, x, x);
}

int jani_make_whole(jani_reader *r, uint32_t node, prism_op op, int64_t whole)
{
    int at = jani_make(r, node, op, -1, -1, -1);
    if (at >= 0) r->p->expr[at].u.whole = whole;
    return at;
}

vouch_status jani_and(jani_reader *r, uint32_t node, int *a, int b)
{
    if (b < 0) return VOUCH_OK;
    *a = *a < 0 ? b : jani_make(r, node, OP_AND, *a, b, -1);
    return *a < 0 ? error_memory(r->error) : VOUCH_OK;
}

/* An index, or the failure to make it. */
static vouch_status made(const jani_reader *r, int expr) { return expr < 0 ? error_memory(r->error) : VOUCH_OK; }

/* ---- reading ------------------------------------------------------------------------------------------------- */

static vouch_status read_number(jani_reader *r, uint32_t node, int *expr)
{
    double x = js_number(r->doc, node);
    bool whole = x == floor(x) && fabs(x) < WHOLE_CAP;
    *expr = whole ? jani_make_whole(r, node, OP_INT, (int64_t)x) : jani_make(r, node, OP_REAL, -1, -1, -1);
    if (*expr >= 0 && !whole) r->p->expr[*expr].u.number = x;
    return made(r, *expr);
}

static vouch_status read_identifier(jani_reader *r, uint32_t node, int *expr)
{
    const char *word = js_string(r->doc, node);
    int name = jani_name(r, word);
    for (size_t i = r->binding_count; i > r->frame; i--)
        if (r->binding[i - 1].name == name) {
            *expr = r->binding[i - 1].expr;
            return VOUCH_OK;
        }
    const jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
    if (!s) return error_memory(r->error);
    if (s->transient && r->later)
        return JANI_FAIL(r, node, "the transient variable \"%.100s\" in an assignment of a higher index is not supported", word);
    if (s->kind == JANI_ARRAY && s->index >= 0) {
        *expr = s->index;
        return VOUCH_OK;
    }
    if (s->kind != JANI_CONSTANT && s->kind != JANI_VARIABLE && s->kind != JANI_FORMULA)
        return JANI_FAIL(r, node, "there is no constant or variable \"%.100s\" here", word);
    *expr = jani_make(r, node,
                      s->kind == JANI_CONSTANT   ? OP_CONST
                      : s->kind == JANI_VARIABLE ? OP_VAR
                                                 : OP_FORMULA,
                      s->index, -1, -1);
    return made(r, *expr);
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

static vouch_status need(const jani_reader *r, uint32_t node, const uint32_t field[], int which)
{
    return field[which] ? VOUCH_OK
                        : JANI_FAIL(r, node, "the operator \"%.40s\" needs the field \"%s\"", js_string(r->doc, field[F_OP]),
                                    expr_field[which].name);
}

static vouch_status read_part(jani_reader *r, uint32_t node, const uint32_t field[], int which, int *expr)
{
    vouch_status status = need(r, node, field, which);
    return status ? status : jani_expr(r, field[which], expr);
}

/* max(x, -x); x > 0 ? 1 : x < 0 ? -1 : 0; x >= 0 ? floor(x) : ceil(x) */
static int make_derived(jani_reader *r, uint32_t node, const char *word, int x)
{
    int zero = jani_make_whole(r, node, OP_INT, 0);
    if (word[0] == 'a') return zero < 0 ? -1 : jani_make(r, node, OP_MAX, x, jani_make(r, node, OP_MINUS, x, -1, -1), -1);
    if (word[0] == 't') {
        int sign = jani_make(r, node, OP_GE, x, zero, -1), below = jani_make(r, node, OP_FLOOR, x, -1, -1);
        return jani_make(r, node, OP_IF, sign, below, jani_make(r, node, OP_CEIL, x, -1, -1));
    }
    int minus = jani_make_whole(r, node, OP_INT, -1), less = jani_make(r, node, OP_LT, x, zero, -1);
    int rest = jani_make(r, node, OP_IF, less, minus, zero), one = jani_make_whole(r, node, OP_INT, 1);
    return jani_make(r, node, OP_IF, jani_make(r, node, OP_GT, x, zero, -1), one, rest);
}

static vouch_status read_unary(jani_reader *r, uint32_t node, const uint32_t field[], const struct operator_word *o, int *expr)
{
    int x;
    vouch_status status = read_part(r, node, field, F_EXP, &x);
    if (status) return status;
    bool derived = o->op == OP_MAX || o->op == OP_IF;
    if (derived && mem_reserve((void **)&r->p->expr, &r->p->expr_capacity, r->p->expr_count + 16, sizeof *r->p->expr))
        return error_memory(r->error);
    *expr = derived ? make_derived(r, node, o->word, jani_shared(r, node, x)) : jani_make(r, node, o->op, x, -1, -1);
    return made(r, *expr);
}

static vouch_status read_constant(jani_reader *r, uint32_t node, uint32_t value, int *expr)
{
    const char *word = js_kind_of(r->doc, value) == JS_STRING ? js_string(r->doc, value) : "";
    if (strcmp(word, "e") != 0 && strcmp(word, "π") != 0) return JANI_FAIL(r, value, "expected \"e\" or \"π\"");
    *expr = jani_make(r, node, OP_REAL, -1, -1, -1);
    if (*expr >= 0) r->p->expr[*expr].u.number = word[0] == 'e' ? exp(1) : acos(-1);
    return made(r, *expr);
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

enum { D_NAME, D_TYPE, D_PARAMETERS, D_BODY, D_COMMENT, FUNCTION_FIELDS };
static const js_field function_field[FUNCTION_FIELDS] = {{"name", JANI_TEXT, true},
                                                         {"type", JANI_TEXT | JANI_OBJECT, true},
                                                         {"parameters", JANI_LIST, true},
                                                         {"body", JANI_EXPR, true},
                                                         {"comment", JANI_ANY, false}};

vouch_status jani_functions(jani_reader *r, uint32_t list, bool local)
{
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) {
        uint32_t field[FUNCTION_FIELDS];
        vouch_status status = js_fields(r->doc, c, function_field, FUNCTION_FIELDS, field, r->error);
        if (!status)
            status = jani_declare(r, field[D_NAME], (jani_symbol){.kind = JANI_FUNCTION, .index = -1, .node = c, .local = local});
        if (status) return status;
    }
    return VOUCH_OK;
}

/* The arguments as bindings of the parameters, which begin a frame of their own. They have their names last, since arguments are
 * about the caller's. */
static vouch_status bind_arguments(jani_reader *r, uint32_t node, uint32_t parameters, uint32_t args)
{
    static const js_field parameter_field[] = {{"name", JANI_TEXT, true}, {"type", JANI_TEXT | JANI_OBJECT, true}};
    uint32_t given = args ? js_count(r->doc, args) : 0, field[2];
    size_t frame = r->binding_count;
    vouch_status status = VOUCH_OK;
    if (given != js_count(r->doc, parameters))
        return JANI_FAIL(r, node, "the function takes %u arguments, found %u", js_count(r->doc, parameters), given);
    for (uint32_t a = args + 1; given > 0 && a < js_end(r->doc, args) && !status; a = jani_next(r, a)) {
        jani_binding b = {.name = -1};
        status = jani_expr(r, a, &b.expr);
        if (!status) status = made(r, b.expr = jani_shared(r, a, b.expr));
        if (!status) status = PRISM_PUSH(r, binding, b);
    }
    size_t i = frame;
    for (uint32_t c = parameters + 1; c < js_end(r->doc, parameters) && !status; c = jani_next(r, c)) {
        status = js_fields(r->doc, c, parameter_field, 2, field, r->error);
        if (!status) r->binding[i++].name = jani_name(r, js_string(r->doc, field[0]));
    }
    r->frame = frame;
    return status;
}

/* The body, with the bindings at hand. A function without parameters is a formula from now on. */
static vouch_status read_body(jani_reader *r, int name, const uint32_t field[], int *expr)
{
    int formula;
    jani_symbol_of(r, name)->open = true;
    vouch_status status = jani_expr(r, field[D_BODY], expr);
    jani_symbol *s = jani_symbol_of(r, name); /* may have moved */
    s->open = false;
    if (status || js_count(r->doc, field[D_PARAMETERS]) > 0 || r->later || jani_is_array(r, *expr)) return status;
    status = jani_free_name(r, "function", js_string(r->doc, field[D_NAME]), false, &formula);
    if (!status)
        status =
            PRISM_PUSH(r->p, formula, (prism_named){formula, *expr, (int)r->doc->node[field[D_BODY]].line, (int)field[D_BODY]});
    if (!status) jani_symbol_of(r, name)->index = (int)r->p->formula_count - 1;
    return status;
}

static vouch_status read_call(jani_reader *r, uint32_t node, const uint32_t call[], int *expr)
{
    const char *word = js_string(r->doc, call[F_FUNCTION]);
    uint32_t field[FUNCTION_FIELDS];
    int name = jani_name(r, word);
    const jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
    if (!s) return error_memory(r->error);
    if (s->kind != JANI_FUNCTION) return JANI_FAIL(r, call[F_FUNCTION], "there is no function \"%.100s\"", word);
    if (s->open) return JANI_FAIL(r, call[F_FUNCTION], "the function \"%.100s\" calls itself", word);
    if (s->index >= 0 && !r->later) {
        *expr = jani_make(r, node, OP_FORMULA, s->index, -1, -1);
        return made(r, *expr);
    }
    vouch_status status = js_fields(r->doc, s->node, function_field, FUNCTION_FIELDS, field, r->error);
    size_t frame = r->frame, bindings = r->binding_count;
    if (!status) status = bind_arguments(r, node, field[D_PARAMETERS], call[F_ARGS]);
    if (!status) status = read_body(r, name, field, expr);
    r->frame = frame;
    r->binding_count = bindings;
    return status;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

static vouch_status read_binary(jani_reader *r, uint32_t node, const uint32_t field[], prism_op op, int *expr)
{
    int a, b;
    vouch_status status = read_part(r, node, field, F_LEFT, &a);
    if (!status) status = read_part(r, node, field, F_RIGHT, &b);
    if (status) return status;
    *expr = jani_make(r, node, op, a, b, -1);
    return made(r, *expr);
}

static vouch_status read_choice(jani_reader *r, uint32_t node, const uint32_t field[], int *expr)
{
    int condition, yes, no;
    vouch_status status = read_part(r, node, field, F_IF, &condition);
    if (!status) status = read_part(r, node, field, F_THEN, &yes);
    if (!status) status = read_part(r, node, field, F_ELSE, &no);
    if (status) return status;
    return jani_choose_array(r, node, (const int[]){condition, yes, no}, expr);
}

static vouch_status read_operator(jani_reader *r, uint32_t node, int *expr)
{
    uint32_t field[EXPR_FIELDS];
    vouch_status status = js_fields(r->doc, node, expr_field, EXPR_FIELDS, field, r->error);
    if (status) return status;
    if (field[F_CONSTANT] && !field[F_OP]) return read_constant(r, node, field[F_CONSTANT], expr);
    if (!field[F_OP]) return JANI_FAIL(r, node, "the field \"op\" is missing");
    const char *word = js_string(r->doc, field[F_OP]);
    const struct operator_word *two = find_word(binary, sizeof binary / sizeof *binary, word);
    const struct operator_word *one = find_word(unary, sizeof unary / sizeof *unary, word);
    if (two) return read_binary(r, node, field, two->op, expr);
    if (one) return read_unary(r, node, field, one, expr);
    if (strcmp(word, "aa") == 0 || strcmp(word, "av") == 0 || strcmp(word, "ac") == 0) return jani_array_expr(r, node, word, expr);
    if (strcmp(word, "ite") == 0) return read_choice(r, node, field, expr);
    if (strcmp(word, "call") == 0) {
        status = need(r, node, field, F_FUNCTION);
        return status ? status : read_call(r, node, field, expr);
    }
    if (strcmp(word, "initial") == 0 || strcmp(word, "deadlock") == 0) {
        *expr = jani_make(r, node, word[0] == 'i' ? OP_INIT : OP_DEADLOCK, -1, -1, -1);
        return made(r, *expr);
    }
    return JANI_FAIL(r, field[F_OP], "the operator \"%.60s\" is not supported", word);
}

vouch_status jani_expr(jani_reader *r, uint32_t node, int *expr)
{
    *expr = -1;
    if (r->depth >= DEPTH_CAP) return JANI_FAIL(r, node, "the expression is nested too deeply");
    if (r->p->expr_count > EXPR_FREE + GROWTH_CAP * r->doc->count)
        return error_set(r->error, VOUCH_ERROR_SIZE, "%.200s: calls of functions make too large a model", r->p->file);
    vouch_status status = js_expect(r->doc, node, JANI_EXPR, r->error);
    if (status) return status;
    r->depth++;
    switch (js_kind_of(r->doc, node)) {
    case JS_NUMBER:
        status = read_number(r, node, expr);
        break;
    case JS_STRING:
        status = read_identifier(r, node, expr);
        break;
    case JS_OBJECT:
        status = read_operator(r, node, expr);
        break;
    default:
        *expr = jani_make_whole(r, node, OP_BOOL, js_kind_of(r->doc, node) == JS_TRUE);
        status = made(r, *expr);
        break;
    }
    r->depth--;
    return status;
}

vouch_status jani_wrapped(jani_reader *r, uint32_t node, int *expr)
{
    static const js_field wrapper[] = {{"exp", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[2];
    vouch_status status = js_fields(r->doc, node, wrapper, 2, field, r->error);
    return status ? status : jani_expr(r, field[0], expr);
}
