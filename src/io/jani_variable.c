/* io/jani_variable.c - constants and variables of JANI; see jani.h. */
#include <math.h>
#include <string.h>

#include "base/locale.h"
#include "io/jani.h"

typedef struct jani_type {
    prism_type type;
    int low, high; /* expressions, -1: none */
    int levels;    /* arrays of arrays of ..: how many; 0: no array */
} jani_type;

static int line_of(const jani_reader *r, uint32_t node) { return (int)r->doc->node[node].line; }

static void read_basic(const jani_reader *r, uint32_t node, prism_type *type)
{
    const char *word = js_string(r->doc, node);
    if (strcmp(word, "bool") == 0)
        *type = TYPE_BOOL;
    else if (strcmp(word, "int") == 0)
        *type = TYPE_INT;
    else if (strcmp(word, "real") == 0)
        *type = TYPE_REAL;
    else
        js_fail(r->doc, node, "the type \"%.40s\" is not supported; expected bool, int, real or a bounded one", word);
}

/* {"kind": "bounded", "base": "int", "lower-bound": .., "upper-bound": ..}, or a word */
static void read_type(jani_reader *r, uint32_t node, jani_type *t)
{
    static const js_field type_field[] = {{"kind", JANI_TEXT, true},
                                          {"base", JANI_TEXT | JANI_OBJECT, true},
                                          {"lower-bound", JANI_EXPR, false},
                                          {"upper-bound", JANI_EXPR, false},
                                          {"comment", JANI_ANY, false}};
    uint32_t field[5];
    *t = (jani_type){.low = -1, .high = -1};
    if (js_kind_of(r->doc, node) == JS_STRING) {
        read_basic(r, node, &t->type);
        return;
    }
    js_fields(r->doc, node, type_field, 5, field);
    if (strcmp(js_string(r->doc, field[0]), "array") == 0) {
        read_type(r, field[1], t); /* of its elements */
        t->levels++;
        return;
    }
    if (strcmp(js_string(r->doc, field[0]), "bounded") != 0)
        js_fail(r->doc, field[0], "the kind of type \"%.40s\" is not supported; expected bounded or array",
                js_string(r->doc, field[0]));
    js_expect(r->doc, field[1], JANI_TEXT);
    read_basic(r, field[1], &t->type);
    if (t->type == TYPE_BOOL) js_fail(r->doc, field[1], "a bool has no bounds");
    if (field[2]) t->low = jani_expr(r, field[2]);
    if (field[3]) t->high = jani_expr(r, field[3]);
}

/* ---- constants ----------------------------------------------------------------------------------------------- */

enum { C_NAME, C_TYPE, C_VALUE, C_COMMENT, CONSTANT_FIELDS };
static const js_field constant_field[CONSTANT_FIELDS] = {
    {"name", JANI_TEXT, true}, {"type", JANI_TEXT | JANI_OBJECT, true}, {"value", JANI_EXPR, false}, {"comment", JANI_ANY, false}};

void jani_constants(jani_reader *r, uint32_t list)
{
    prism *p = r->p;
    uint32_t field[CONSTANT_FIELDS];
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) { /* in any order: values come last */
        prism_constant made = {.expr = -1, .bound_of = -1, .low = -1, .high = -1, .line = line_of(r, c), .column = (int)c};
        js_fields(r->doc, c, constant_field, CONSTANT_FIELDS, field);
        jani_declare(r, field[C_NAME], (jani_symbol){.kind = JANI_CONSTANT, .index = (int)p->constant_count});
        made.name = jani_free_name(r, "constant", js_string(r->doc, field[C_NAME]), false);
        ESCAPE_PUSH(r->e, p, constant, made);
    }
    size_t i = 0;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c), i++) {
        jani_type type;
        int value = -1;
        js_fields(r->doc, c, constant_field, CONSTANT_FIELDS, field);
        read_type(r, field[C_TYPE], &type);
        if (type.levels) js_fail(r->doc, field[C_TYPE], "a constant is no array");
        if (field[C_VALUE]) value = jani_expr(r, field[C_VALUE]);
        p->constant[i].type = type.type;
        p->constant[i].expr = value;
        p->constant[i].low = type.low;
        p->constant[i].high = type.high;
    }
}

/* ---- variables ----------------------------------------------------------------------------------------------- */

enum { V_NAME, V_TYPE, V_TRANSIENT, V_INITIAL, V_COMMENT, VARIABLE_FIELDS };
static const js_field variable_field[VARIABLE_FIELDS] = {{"name", JANI_TEXT, true},
                                                         {"type", JANI_TEXT | JANI_OBJECT, true},
                                                         {"transient", JANI_TRUTH, false},
                                                         {"initial-value", JANI_EXPR, false},
                                                         {"comment", JANI_ANY, false}};

void jani_restrict(jani_reader *r, uint32_t node, int expr)
{
    const prism_expr *e = expr < 0 ? NULL : &r->p->expr[expr];
    if (!e || (e->op == OP_BOOL && e->u.whole)) return;
    r->loose = true;
    r->initial = jani_and(r, node, r->initial, expr);
}

static void read_transient(jani_reader *r, const uint32_t field[], const jani_type *type, int name)
{
    prism *p = r->p;
    if (!field[V_INITIAL]) js_fail(r->doc, field[V_NAME], "a transient variable needs an initial value");
    jani_transient t = {.name = name, .rewards = -1, .type = type->type, .formula = (int)p->formula_count, .node = field[V_NAME]};
    t.value = jani_expr(r, field[V_INITIAL]);
    const prism_expr *e = &p->expr[t.value];
    t.zero = (e->op == OP_INT && e->u.whole == 0) || (e->op == OP_REAL && !(fabs(e->u.number) > 0));
    jani_symbol_at(r, field[V_NAME])->transient = (int)r->transient_count + 1;
    ESCAPE_PUSH(r->e, p, formula, (prism_named){name, t.value, line_of(r, field[V_NAME]), (int)field[V_NAME]});
    ESCAPE_PUSH(r->e, r, transient, t);
}

/* variable = initial value, for the case that other variables have none. */
static void begin_at(jani_reader *r, uint32_t node, int variable, int init)
{
    int own = jani_make(r, node, OP_VAR, variable, -1, -1);
    r->initial = jani_and(r, node, r->initial, jani_make(r, node, OP_EQ, own, init, -1));
}

/* A variable that begins at init, or (-1) anywhere. */
static void add_variable(jani_reader *r, uint32_t node, const prism_variable *like, int init)
{
    prism_variable v = *like;
    int number = (int)r->p->variable_count;
    v.init = init;
    ESCAPE_PUSH(r->e, r->p, variable, v);
    if (init < 0)
        r->loose = true;
    else
        begin_at(r, node, number, init);
}

/* The elements of an array as variables NAME_0, NAME_1, ..: *expr is the array of these. */
static int add_elements(jani_reader *r, uint32_t node, const prism_variable *like, const int array[2])
{
    const prism *p = r->p;
    int init = array[0], levels = array[1];
    size_t mark = r->pending_count;
    if (jani_is_array(r, init) != (levels > 0)) js_fail(r->doc, node, "the initial value does not fit the type");
    if (levels == 0) {
        int expr = jani_make(r, node, OP_VAR, (int)p->variable_count, -1, -1);
        add_variable(r, node, like, init);
        return expr;
    }
    for (int i = 0; i < p->expr[init].b; i++) {
        prism_variable v = *like;
        char word[300];
        format_text(word, sizeof word, "%.250s_%d", prism_name(p, like->name), i);
        v.name = jani_free_name(r, "element", word, false);
        int made = add_elements(r, node, &v, (const int[]){p->element[p->expr[init].a + i], levels - 1});
        ESCAPE_PUSH(r->e, r, pending, made);
    }
    return jani_make_array(r, node, mark);
}

static void read_array(jani_reader *r, const uint32_t field[], const prism_variable *like, int levels)
{
    if (!field[V_INITIAL]) js_fail(r->doc, field[V_NAME], "an array needs an initial value, which gives its length");
    int init = jani_expr(r, field[V_INITIAL]);
    int expr = add_elements(r, field[V_INITIAL], like, (const int[]){init, levels});
    jani_symbol *s = jani_symbol_at(r, field[V_NAME]);
    s->kind = JANI_ARRAY;
    s->index = expr;
}

static void read_lasting(jani_reader *r, const uint32_t field[], const prism_variable *v)
{
    if (v->type == TYPE_REAL)
        js_fail(r->doc, field[V_TYPE],
                "a variable of type real has to be transient; only whole numbers and truth values are part of a state");
    int init = field[V_INITIAL] ? jani_expr(r, field[V_INITIAL]) : -1;
    if (jani_is_array(r, init)) js_fail(r->doc, field[V_INITIAL], "the initial value does not fit the type");
    if (init < 0 && v->type == TYPE_INT && (v->low < 0 || v->high < 0))
        js_fail(r->doc, field[V_NAME], "a variable without an initial value needs both bounds");
    add_variable(r, field[V_NAME], v, init);
}

static void read_variable(jani_reader *r, uint32_t node, const char *instance)
{
    prism *p = r->p;
    uint32_t field[VARIABLE_FIELDS];
    jani_type type;
    js_fields(r->doc, node, variable_field, VARIABLE_FIELDS, field);
    read_type(r, field[V_TYPE], &type);
    const char *word = js_string(r->doc, field[V_NAME]);
    bool transient = field[V_TRANSIENT] && js_kind_of(r->doc, field[V_TRANSIENT]) == JS_TRUE;
    if (transient && type.levels) js_fail(r->doc, field[V_TYPE], "a transient variable that is an array is not supported");
    jani_symbol meaning = {.kind = transient ? JANI_FORMULA : type.levels ? JANI_ARRAY : JANI_VARIABLE, .local = instance != NULL};
    meaning.index = type.levels ? -1 : (int)(transient ? p->formula_count : p->variable_count);
    jani_declare(r, field[V_NAME], meaning);
    bool prefixed = instance && jani_symbol_at(r, field[V_NAME])->uses > 1;
    int name = jani_free_name(r, instance ? instance : "variable", word, prefixed);
    if (transient) {
        read_transient(r, field, &type, name);
        return;
    }
    const prism_variable v = {.name = name,
                              .module = instance ? (int)p->module_count - 1 : -1,
                              .type = type.type,
                              .low = type.low,
                              .high = type.high,
                              .line = line_of(r, field[V_NAME]),
                              .column = (int)field[V_NAME]};
    if (type.levels > 0 && v.type != TYPE_REAL)
        read_array(r, field, &v, type.levels);
    else
        read_lasting(r, field, &v);
}

void jani_variables(jani_reader *r, uint32_t list, const char *instance)
{
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) read_variable(r, c, instance);
}
