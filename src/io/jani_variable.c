/* io/jani_variable.c - constants and variables of JANI; see jani_read.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/jani_read.h"

typedef struct jani_type {
    prism_type type;
    int low, high; /* expressions, -1: none */
    int levels;    /* arrays of arrays of ..: how many; 0: no array */
} jani_type;

static int line_of(const jani_reader *r, uint32_t node) { return (int)r->doc->node[node].line; }

static vouch_status read_basic(const jani_reader *r, uint32_t node, prism_type *type)
{
    const char *word = js_string(r->doc, node);
    if (strcmp(word, "bool") == 0)
        *type = TYPE_BOOL;
    else if (strcmp(word, "int") == 0)
        *type = TYPE_INT;
    else if (strcmp(word, "real") == 0)
        *type = TYPE_REAL;
    else
        return JANI_FAIL(r, node, "the type \"%.40s\" is not supported; expected bool, int, real or a bounded one", word);
    return VOUCH_OK;
}

static vouch_status read_type(jani_reader *r, uint32_t node, jani_type *t);

/* The type of an array's elements. */
static vouch_status read_base(jani_reader *r, uint32_t base, jani_type *t)
{
    vouch_status status = read_type(r, base, t);
    t->levels++;
    return status;
}

/* {"kind": "bounded", "base": "int", "lower-bound": .., "upper-bound": ..}, or a word */
static vouch_status read_type(jani_reader *r, uint32_t node, jani_type *t)
{
    static const js_field type_field[] = {{"kind", JANI_TEXT, true},
                                          {"base", JANI_TEXT | JANI_OBJECT, true},
                                          {"lower-bound", JANI_EXPR, false},
                                          {"upper-bound", JANI_EXPR, false},
                                          {"comment", JANI_ANY, false}};
    uint32_t field[5];
    *t = (jani_type){.low = -1, .high = -1};
    if (js_kind_of(r->doc, node) == JS_STRING) return read_basic(r, node, &t->type);
    vouch_status status = js_fields(r->doc, node, type_field, 5, field, r->error);
    if (status) return status;
    if (strcmp(js_string(r->doc, field[0]), "array") == 0) return read_base(r, field[1], t);
    if (strcmp(js_string(r->doc, field[0]), "bounded") != 0)
        return JANI_FAIL(r, field[0], "the kind of type \"%.40s\" is not supported; expected bounded or array",
                         js_string(r->doc, field[0]));
    status = js_expect(r->doc, field[1], JANI_TEXT, r->error);
    if (!status) status = read_basic(r, field[1], &t->type);
    if (!status && t->type == TYPE_BOOL) status = JANI_FAIL(r, field[1], "a bool has no bounds");
    if (!status && field[2]) status = jani_expr(r, field[2], &t->low);
    if (!status && field[3]) status = jani_expr(r, field[3], &t->high);
    return status;
}

/* ---- constants ----------------------------------------------------------------------------------------------- */

enum { C_NAME, C_TYPE, C_VALUE, C_COMMENT, CONSTANT_FIELDS };
static const js_field constant_field[CONSTANT_FIELDS] = {
    {"name", JANI_TEXT, true}, {"type", JANI_TEXT | JANI_OBJECT, true}, {"value", JANI_EXPR, false}, {"comment", JANI_ANY, false}};

vouch_status jani_constants(jani_reader *r, uint32_t list)
{
    prism *p = r->p;
    uint32_t field[CONSTANT_FIELDS];
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) { /* in any order: values come last */
        prism_constant made = {.expr = -1, .bound_of = -1, .low = -1, .high = -1, .line = line_of(r, c), .column = (int)c};
        vouch_status status = js_fields(r->doc, c, constant_field, CONSTANT_FIELDS, field, r->error);
        if (!status) status = jani_declare(r, field[C_NAME], (jani_symbol){.kind = JANI_CONSTANT, .index = (int)p->constant_count});
        if (!status) status = jani_free_name(r, "constant", js_string(r->doc, field[C_NAME]), false, &made.name);
        if (!status) status = PRISM_PUSH(p, constant, made);
        if (status) return status;
    }
    size_t i = 0;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c), i++) {
        jani_type type;
        int value = -1;
        vouch_status status = js_fields(r->doc, c, constant_field, CONSTANT_FIELDS, field, r->error);
        if (!status) status = read_type(r, field[C_TYPE], &type);
        if (!status && type.levels) status = JANI_FAIL(r, field[C_TYPE], "a constant is no array");
        if (!status && field[C_VALUE]) status = jani_expr(r, field[C_VALUE], &value);
        if (status) return status;
        p->constant[i].type = type.type;
        p->constant[i].expr = value;
        p->constant[i].low = type.low;
        p->constant[i].high = type.high;
    }
    return VOUCH_OK;
}

/* ---- variables ----------------------------------------------------------------------------------------------- */

enum { V_NAME, V_TYPE, V_TRANSIENT, V_INITIAL, V_COMMENT, VARIABLE_FIELDS };
static const js_field variable_field[VARIABLE_FIELDS] = {{"name", JANI_TEXT, true},
                                                         {"type", JANI_TEXT | JANI_OBJECT, true},
                                                         {"transient", JANI_TRUTH, false},
                                                         {"initial-value", JANI_EXPR, false},
                                                         {"comment", JANI_ANY, false}};

vouch_status jani_restrict(jani_reader *r, uint32_t node, int expr)
{
    const prism_expr *e = expr < 0 ? NULL : &r->p->expr[expr];
    if (!e || (e->op == OP_BOOL && e->u.whole)) return VOUCH_OK;
    r->loose = true;
    return jani_and(r, node, &r->initial, expr);
}

static vouch_status read_transient(jani_reader *r, const uint32_t field[], const jani_type *type, int name)
{
    prism *p = r->p;
    if (!field[V_INITIAL]) return JANI_FAIL(r, field[V_NAME], "a transient variable needs an initial value");
    jani_transient t = {.name = name, .rewards = -1, .type = type->type, .formula = (int)p->formula_count, .node = field[V_NAME]};
    vouch_status status = jani_expr(r, field[V_INITIAL], &t.value);
    if (status) return status;
    const prism_expr *e = &p->expr[t.value];
    t.zero = (e->op == OP_INT && e->u.whole == 0) || (e->op == OP_REAL && !(fabs(e->u.number) > 0));
    jani_symbol_of(r, jani_name(r, js_string(r->doc, field[V_NAME])))->transient = (int)r->transient_count + 1;
    status = PRISM_PUSH(p, formula, (prism_named){name, t.value, line_of(r, field[V_NAME]), (int)field[V_NAME]});
    return status ? status : PRISM_PUSH(r, transient, t);
}

/* variable = initial value, for the case that other variables have none. */
static vouch_status begin_at(jani_reader *r, uint32_t node, int variable, int init)
{
    int own = jani_make(r, node, OP_VAR, variable, -1, -1), equal = own < 0 ? -1 : jani_make(r, node, OP_EQ, own, init, -1);
    return equal < 0 ? error_memory(r->error) : jani_and(r, node, &r->initial, equal);
}

/* A variable that begins at init, or (-1) anywhere. */
static vouch_status add_variable(jani_reader *r, uint32_t node, const prism_variable *like, int init)
{
    prism_variable v = *like;
    int number = (int)r->p->variable_count;
    v.init = init;
    vouch_status status = PRISM_PUSH(r->p, variable, v);
    if (init < 0) r->loose = true;
    return status || init < 0 ? status : begin_at(r, node, number, init);
}

/* The elements of an array as variables NAME_0, NAME_1, ..: *expr is the array of these. */
static vouch_status add_elements(jani_reader *r, uint32_t node, const prism_variable *like, const int array[2], int *expr)
{
    const prism *p = r->p;
    int init = array[0], levels = array[1];
    size_t mark = r->pending_count;
    vouch_status status = VOUCH_OK;
    if (jani_is_array(r, init) != (levels > 0)) return JANI_FAIL(r, node, "the initial value does not fit the type");
    if (levels == 0) {
        *expr = jani_make(r, node, OP_VAR, (int)p->variable_count, -1, -1);
        return *expr < 0 ? error_memory(r->error) : add_variable(r, node, like, init);
    }
    for (int i = 0; i < p->expr[init].b && !status; i++) {
        prism_variable v = *like;
        char word[300];
        int made = -1;
        format_text(word, sizeof word, "%.250s_%d", prism_name(p, like->name), i);
        status = jani_free_name(r, "element", word, false, &v.name);
        if (!status) status = add_elements(r, node, &v, (const int[]){p->element[p->expr[init].a + i], levels - 1}, &made);
        if (!status) status = PRISM_PUSH(r, pending, made);
    }
    return status ? status : jani_make_array(r, node, mark, expr);
}

static vouch_status read_array(jani_reader *r, const uint32_t field[], const prism_variable *like, int levels)
{
    int init, expr;
    if (!field[V_INITIAL]) return JANI_FAIL(r, field[V_NAME], "an array needs an initial value, which says how long it is");
    vouch_status status = jani_expr(r, field[V_INITIAL], &init);
    if (!status) status = add_elements(r, field[V_INITIAL], like, (const int[]){init, levels}, &expr);
    if (status) return status;
    jani_symbol *s = jani_symbol_of(r, jani_name(r, js_string(r->doc, field[V_NAME])));
    s->kind = JANI_ARRAY;
    s->index = expr;
    return VOUCH_OK;
}

static vouch_status read_lasting(jani_reader *r, const uint32_t field[], const prism_variable *v, int levels)
{
    int init = -1;
    if (v->type == TYPE_REAL)
        return JANI_FAIL(r, field[V_TYPE],
                         "a variable of type real has to be transient; only whole numbers and truth values are part of a state");
    if (levels > 0) return read_array(r, field, v, levels);
    vouch_status status = field[V_INITIAL] ? jani_expr(r, field[V_INITIAL], &init) : VOUCH_OK;
    if (!status && jani_is_array(r, init)) status = JANI_FAIL(r, field[V_INITIAL], "the initial value does not fit the type");
    if (!status && init < 0 && v->type == TYPE_INT && (v->low < 0 || v->high < 0))
        status = JANI_FAIL(r, field[V_NAME], "a variable without an initial value needs both bounds");
    return status ? status : add_variable(r, field[V_NAME], v, init);
}

static vouch_status read_variable(jani_reader *r, uint32_t node, const char *instance)
{
    prism *p = r->p;
    uint32_t field[VARIABLE_FIELDS];
    jani_type type;
    int name;
    vouch_status status = js_fields(r->doc, node, variable_field, VARIABLE_FIELDS, field, r->error);
    if (!status) status = read_type(r, field[V_TYPE], &type);
    if (status) return status;
    const char *word = js_string(r->doc, field[V_NAME]);
    bool transient = field[V_TRANSIENT] && js_kind_of(r->doc, field[V_TRANSIENT]) == JS_TRUE;
    if (transient && type.levels) return JANI_FAIL(r, field[V_TYPE], "a transient variable that is an array is not supported");
    jani_symbol meaning = {.kind = transient ? JANI_FORMULA : type.levels ? JANI_ARRAY : JANI_VARIABLE, .local = instance != NULL};
    meaning.index = type.levels ? -1 : (int)(transient ? p->formula_count : p->variable_count);
    status = jani_declare(r, field[V_NAME], meaning);
    if (status) return status;
    bool prefixed = instance && jani_symbol_of(r, jani_name(r, word))->uses > 1;
    status = jani_free_name(r, instance ? instance : "variable", word, prefixed, &name);
    if (status || transient) return status ? status : read_transient(r, field, &type, name);
    const prism_variable v = {.name = name,
                              .module = instance ? (int)p->module_count - 1 : -1,
                              .type = type.type,
                              .low = type.low,
                              .high = type.high,
                              .line = line_of(r, field[V_NAME]),
                              .column = (int)field[V_NAME]};
    return read_lasting(r, field, &v, type.levels);
}

vouch_status jani_variables(jani_reader *r, uint32_t list, const char *instance)
{
    vouch_status status = VOUCH_OK;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list) && !status; c = jani_next(r, c))
        status = read_variable(r, c, instance);
    return status;
}
