/* io/jani_array.c - arrays of JANI as lists of their elements; see jani.h.
 *
 * An array has as many elements as its first value; the reader writes each element as a variable of its own. So every expression of
 * an array is a list of expressions, one for each element. An access whose index is known when the file is read is that element;
 * any other access becomes an OP_SELECT. An assignment to an element whose index is not known becomes one assignment for each
 * element, with the condition that the index is equal. Arrays of arrays have to be rectangular.
 */
#include <string.h>

#include "io/jani.h"

enum { ELEMENT_CAP = 1000000 }; /* of all arrays of a file together */

bool jani_is_array(const jani_reader *r, int expr) { return expr >= 0 && r->p->expr[expr].op == OP_ARRAY; }

static int element(const jani_reader *r, int array, int i) { return r->p->element[r->p->expr[array].a + i]; }
static int length_of(const jani_reader *r, int array) { return r->p->expr[array].b; }

/* ---- values known when the file is read --------------------------------------------------------------------- */

void jani_close_constants(jani_reader *r)
{
    prism *p = r->p;
    r->constant = ESCAPE_ZERO(r->e, prism_value, p->constant_count + 1);
    r->known = ESCAPE_ZERO(r->e, unsigned char, p->constant_count + 1);
    if (p->source) prism_single_constants(p, r->constant, r->known);
    prism_close_constants(p, r->constant, r->known, false);
}

/* The length is none that the reader can know. */
static _Noreturn void no_length(const jani_reader *r, uint32_t node)
{
    const prism *p = r->p;
    text *open = escape_text(r->e);
    for (size_t i = 0; i < p->constant_count; i++)
        if (!r->known[i] && p->constant[i].expr < 0)
            text_add(open, "%s--const %s=VALUE", open->length ? " or " : "", prism_name(p, p->constant[i].name));
    if (open->failed) escape_memory(r->e);
    if (open->data)
        js_fail(r->doc, node, "the length of an array must be the same in all environments: give %.300s, one value", open->data);
    js_fail(r->doc, node, "the length of an array must not depend on variables");
}

/* Is the value a whole number, and the same in all states and environments? */
static bool is_fixed(const jani_reader *r, int expr, int *value)
{
    const prism_expr *e = &r->p->expr[expr];
    prism_scope scope = {.p = r->p, .constant = r->constant, .known = r->known};
    prism_value v;
    if ((e->op != OP_INT && !r->constant) || !prism_eval_quietly(&scope, expr, &v)) return false;
    if (v.type != TYPE_INT || v.u.i < -INT32_MAX || v.u.i > INT32_MAX) return false;
    *value = (int)v.u.i;
    return true;
}

/* ---- making arrays ------------------------------------------------------------------------------------------- */

static bool same_shape(const jani_reader *r, int a, int b)
{
    if (!jani_is_array(r, a) || !jani_is_array(r, b)) return jani_is_array(r, a) == jani_is_array(r, b);
    return length_of(r, a) == length_of(r, b) && same_shape(r, element(r, a, 0), element(r, b, 0));
}

/* what: "the elements" */
static void expect_same_shape(const jani_reader *r, uint32_t node, int a, int b, const char *what)
{
    if (same_shape(r, a, b)) return;
    bool mixed = jani_is_array(r, a) != jani_is_array(r, b);
    js_fail(r->doc, node, mixed ? "%s are arrays in part; expected all or none" : "%s are arrays of different lengths", what);
}

int jani_make_array(jani_reader *r, uint32_t node, size_t mark)
{
    prism *p = r->p;
    size_t count = r->pending_count - mark;
    if (count == 0) js_fail(r->doc, node, "an array needs an element");
    if (p->element_count + count > ELEMENT_CAP)
        escape_fail(r->e, VOUCH_ERROR_SIZE, "%.200s: the arrays have more than a million elements", p->file);
    int first = (int)p->element_count;
    for (size_t i = mark; i < r->pending_count; i++) {
        expect_same_shape(r, node, r->pending[mark], r->pending[i], "the elements");
        ESCAPE_PUSH(r->e, p, element, r->pending[i]);
    }
    r->pending_count = mark;
    return jani_make(r, node, OP_ARRAY, first, (int)count, -1);
}

int jani_choose_array(jani_reader *r, uint32_t node, const int choice[3])
{
    size_t mark = r->pending_count;
    int yes = choice[1], no = choice[2];
    expect_same_shape(r, node, yes, no, "the two values");
    if (!jani_is_array(r, yes)) return jani_make(r, node, OP_IF, choice[0], yes, no);
    for (int i = 0; i < length_of(r, yes); i++) {
        int made = jani_choose_array(r, node, (const int[]){choice[0], element(r, yes, i), element(r, no, i)});
        ESCAPE_PUSH(r->e, r, pending, made);
    }
    return jani_make_array(r, node, mark);
}

/* ---- access -------------------------------------------------------------------------------------------------- */

static _Noreturn void outside(const jani_reader *r, uint32_t node, int index, int array)
{
    js_fail(r->doc, node, "the index %d lies outside an array of %d elements", index, length_of(r, array));
}

static int select_element(jani_reader *r, uint32_t node, int array, int index);

/* For an array of arrays: selects in the elements, too. */
static int select_array(jani_reader *r, uint32_t node, int array, int index)
{
    size_t mark = r->pending_count;
    int inner = length_of(r, element(r, array, 0));
    for (int j = 0; j < inner; j++) {
        size_t start = r->pending_count;
        for (int i = 0; i < length_of(r, array); i++) {
            int row = element(r, array, i);
            ESCAPE_PUSH(r->e, r, pending, element(r, row, j));
        }
        int made = select_element(r, node, jani_make_array(r, node, start), index);
        ESCAPE_PUSH(r->e, r, pending, made);
    }
    return jani_make_array(r, node, mark);
}

static int select_element(jani_reader *r, uint32_t node, int array, int index)
{
    int i;
    if (is_fixed(r, index, &i)) {
        if (i < 0 || i >= length_of(r, array)) outside(r, node, i, array);
        return jani_shared(r, node, element(r, array, i));
    }
    if (jani_is_array(r, element(r, array, 0))) return select_array(r, node, array, index);
    const prism_expr list = r->p->expr[array];
    return jani_make(r, node, OP_SELECT, index, list.a, list.b);
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

static int read_access(jani_reader *r, uint32_t node)
{
    static const js_field access_field[] = {
        {"op", JANI_TEXT, true}, {"exp", JANI_EXPR, true}, {"index", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[4];
    js_fields(r->doc, node, access_field, 4, field);
    int array = jani_expr(r, field[1]), index = jani_expr(r, field[2]);
    if (!jani_is_array(r, array)) js_fail(r->doc, field[1], "expected an array");
    if (jani_is_array(r, index)) js_fail(r->doc, field[2], "expected a whole number, found an array");
    return select_element(r, node, array, index);
}

static int read_elements(jani_reader *r, uint32_t node)
{
    static const js_field value_field[] = {{"op", JANI_TEXT, true}, {"elements", JANI_LIST, true}, {"comment", JANI_ANY, false}};
    uint32_t field[3];
    size_t mark = r->pending_count;
    js_fields(r->doc, node, value_field, 3, field);
    for (uint32_t c = field[1] + 1; c < js_end(r->doc, field[1]); c = jani_next(r, c)) {
        int made = jani_expr(r, c);
        ESCAPE_PUSH(r->e, r, pending, made);
    }
    return jani_make_array(r, node, mark);
}

static int read_constructor(jani_reader *r, uint32_t node)
{
    static const js_field constructor_field[] = {{"op", JANI_TEXT, true},
                                                 {"var", JANI_TEXT, true},
                                                 {"length", JANI_EXPR, true},
                                                 {"exp", JANI_EXPR, true},
                                                 {"comment", JANI_ANY, false}};
    uint32_t field[5];
    size_t mark = r->pending_count;
    int count = 0;
    js_fields(r->doc, node, constructor_field, 5, field);
    if (!is_fixed(r, jani_expr(r, field[2]), &count)) no_length(r, field[2]);
    if (count < 1 || count > ELEMENT_CAP) js_fail(r->doc, field[2], "the length of an array lies between 1 and a million");
    jani_binding b = {.name = jani_name(r, js_string(r->doc, field[1]))};
    for (int i = 0; i < count; i++) {
        b.expr = jani_make_whole(r, node, OP_INT, i);
        ESCAPE_PUSH(r->e, r, binding, b);
        int made = jani_expr(r, field[3]);
        r->binding_count--;
        ESCAPE_PUSH(r->e, r, pending, made);
    }
    return jani_make_array(r, node, mark);
}

int jani_array_expr(jani_reader *r, uint32_t node, const char *word)
{
    return word[1] == 'a' ? read_access(r, node) : word[1] == 'v' ? read_elements(r, node) : read_constructor(r, node);
}

/* ---- assignments --------------------------------------------------------------------------------------------- */

/* when, and index is i: a condition. `checked` is the index, found to lie in the array. */
static int when_index(jani_reader *r, uint32_t node, int when, int checked, int i)
{
    int equal = jani_make(r, node, OP_EQ, checked, jani_make_whole(r, node, OP_INT, i), -1);
    return when < 0 ? equal : jani_make(r, node, OP_IF, when, equal, jani_make_whole(r, node, OP_BOOL, 0));
}

/* An expression that is the index, and an error where it lies outside the array. */
static int check_index(jani_reader *r, uint32_t node, int index, int count)
{
    size_t mark = r->pending_count;
    for (int i = 0; i < count; i++) {
        int number = jani_make_whole(r, node, OP_INT, i);
        ESCAPE_PUSH(r->e, r, pending, number);
    }
    return select_element(r, node, jani_make_array(r, node, mark), index);
}

/* The elements of the targets so far that have the index. */
static void step_into(jani_reader *r, uint32_t node, int index)
{
    size_t before = r->target_count;
    int fixed = -1, count = length_of(r, r->target[0].expr);
    bool known = is_fixed(r, index, &fixed);
    if (known && (fixed < 0 || fixed >= count)) outside(r, node, fixed, r->target[0].expr);
    int checked = known ? -1 : check_index(r, node, index, count);
    if (!known && before * (size_t)count > ELEMENT_CAP) js_fail(r->doc, node, "an assignment to one of too many elements");
    for (size_t t = 0; t < before; t++) {
        const jani_target from = r->target[t];
        for (int i = known ? fixed : 0; i < (known ? fixed + 1 : count); i++) {
            jani_target to = {from.when, element(r, from.expr, i)};
            if (!known) to.when = when_index(r, node, from.when, checked, i);
            ESCAPE_PUSH(r->e, r, target, to);
        }
    }
    memmove(r->target, r->target + before, (r->target_count - before) * sizeof *r->target);
    r->target_count -= before;
}

void jani_targets(jani_reader *r, uint32_t node)
{
    static const js_field place_field[] = {
        {"op", JANI_TEXT, true}, {"exp", JANI_TEXT | JANI_OBJECT, true}, {"index", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[4];
    if (js_kind_of(r->doc, node) == JS_STRING) {
        const jani_symbol *s = jani_symbol_at(r, node);
        if (s->kind != JANI_VARIABLE && s->kind != JANI_ARRAY)
            js_fail(r->doc, node, "there is no variable \"%.100s\" here", js_string(r->doc, node));
        int expr = s->kind == JANI_ARRAY ? s->index : jani_make(r, node, OP_VAR, s->index, -1, -1);
        r->target_count = 0;
        ESCAPE_PUSH(r->e, r, target, (jani_target){-1, expr});
        return;
    }
    js_fields(r->doc, node, place_field, 4, field);
    if (strcmp(js_string(r->doc, field[0]), "aa") != 0) js_fail(r->doc, field[0], "expected \"aa\", an element of an array");
    jani_targets(r, field[1]);
    if (!jani_is_array(r, r->target[0].expr)) js_fail(r->doc, field[1], "expected an array");
    int index = jani_expr(r, field[2]);
    if (jani_is_array(r, index)) js_fail(r->doc, field[2], "expected a whole number, found an array");
    step_into(r, node, index);
}

/* One variable, or each element of an array. */
static void assign_to(jani_reader *r, uint32_t node, int target, const prism_assignment *like, prism_update *u)
{
    prism *p = r->p;
    prism_assignment a = *like;
    expect_same_shape(r, node, target, a.expr, "the variable and its value");
    if (jani_is_array(r, target)) {
        for (int i = 0; i < length_of(r, target); i++) {
            a.expr = element(r, like->expr, i);
            assign_to(r, node, element(r, target, i), &a, u);
        }
        return;
    }
    a.variable = p->expr[target].a;
    for (int i = u->first; i < u->first + u->count; i++) {
        const prism_assignment *b = &p->assignment[i];
        if (b->variable == a.variable && b->index == a.index && a.when < 0 && b->when < 0)
            js_fail(r->doc, node, "the variable is assigned twice");
    }
    p->ordered = p->ordered || a.index != 0 || a.when >= 0;
    u->count++;
    ESCAPE_PUSH(r->e, p, assignment, a);
}

void jani_assign(jani_reader *r, uint32_t node, const prism_assignment *like, prism_update *u)
{
    if (r->p->assignment_count + r->target_count > ELEMENT_CAP)
        escape_fail(r->e, VOUCH_ERROR_SIZE, "%.200s: assignments to arrays make too large a model", r->p->file);
    for (size_t t = 0; t < r->target_count; t++) {
        prism_assignment a = *like;
        a.when = r->target[t].when;
        assign_to(r, node, r->target[t].expr, &a, u);
    }
}
