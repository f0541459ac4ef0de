/* io/jani_array.c - arrays of JANI as lists of their elements; see jani_read.h.
 *
 * An array has as many elements as its first value; the reader writes each element as a variable of its own. So every expression of
 * an array is a list of expressions, one for each element. An access whose index is known when the file is read is that element;
 * any other access becomes an OP_SELECT. An assignment to an element whose index is not known becomes one assignment for each
 * element, done when the index is that of the element. Arrays of arrays have to be rectangular.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/jani_read.h"
#include "io/prism_family.h"

enum { ELEMENT_CAP = 1000000 }; /* of all arrays of a file together */

bool jani_is_array(const jani_reader *r, int expr) { return expr >= 0 && r->p->expr[expr].op == OP_ARRAY; }

static int element(const jani_reader *r, int array, int i) { return r->p->element[r->p->expr[array].a + i]; }
static int length_of(const jani_reader *r, int array) { return r->p->expr[array].b; }

/* ---- what is known when the file is read --------------------------------------------------------------------- */

vouch_status jani_close_constants(jani_reader *r)
{
    prism *p = r->p;
    r->constant = MEM_ZERO(prism_value, p->constant_count + 1);
    r->known = MEM_ZERO(unsigned char, p->constant_count + 1);
    if (!r->constant || !r->known) return error_memory(r->error);
    vouch_status status = p->source ? prism_single_constants(p, p->source, r->constant, r->known) : VOUCH_OK;
    return status ? status : prism_close_constants(p, r->constant, r->known, false);
}

/* The length is none that the reader can know. */
static vouch_status no_length(const jani_reader *r, uint32_t node)
{
    const prism *p = r->p;
    text open = {0};
    for (size_t i = 0; i < p->constant_count; i++)
        if (!r->known[i] && p->constant[i].expr < 0)
            text_add(&open, "%s--const %s=VALUE", open.length ? " or " : "", prism_name(p, p->constant[i].name));
    vouch_status status =
        open.failed ? error_memory(r->error)
        : open.data
            ? JANI_FAIL(r, node, "the length of an array must be the same in all environments: give %.300s, one value", open.data)
            : JANI_FAIL(r, node, "the length of an array must not depend on variables");
    text_free(&open);
    return status;
}

/* Is the value a whole number, and the same in all states and environments? */
static bool is_fixed(const jani_reader *r, int expr, int *value)
{
    const prism_expr *e = &r->p->expr[expr];
    prism_scope scope = {.p = r->p, .constant = r->constant, .known = r->known, .quiet = true};
    if (e->op != OP_INT && !r->constant) return false;
    return prism_eval_int(&scope, expr, value) == VOUCH_OK;
}

/* ---- making arrays ------------------------------------------------------------------------------------------- */

static bool same_shape(const jani_reader *r, int a, int b)
{
    if (!jani_is_array(r, a) || !jani_is_array(r, b)) return jani_is_array(r, a) == jani_is_array(r, b);
    return length_of(r, a) == length_of(r, b) && same_shape(r, element(r, a, 0), element(r, b, 0));
}

/* what: "the elements" */
static vouch_status expect_same_shape(const jani_reader *r, uint32_t node, int a, int b, const char *what)
{
    if (same_shape(r, a, b)) return VOUCH_OK;
    bool mixed = jani_is_array(r, a) != jani_is_array(r, b);
    return JANI_FAIL(r, node, mixed ? "%s are arrays in part; expected all or none" : "%s are arrays of different lengths", what);
}

vouch_status jani_make_array(jani_reader *r, uint32_t node, size_t mark, int *expr)
{
    prism *p = r->p;
    size_t count = r->pending_count - mark;
    if (count == 0) return JANI_FAIL(r, node, "an array needs an element");
    if (p->element_count + count > ELEMENT_CAP)
        return error_set(r->error, VOUCH_ERROR_SIZE, "%.200s: the arrays have more than a million elements", p->file);
    int first = (int)p->element_count;
    vouch_status status = VOUCH_OK;
    for (size_t i = mark; i < r->pending_count && !status; i++) {
        status = expect_same_shape(r, node, r->pending[mark], r->pending[i], "the elements");
        if (!status) status = PRISM_PUSH(p, element, r->pending[i]);
    }
    r->pending_count = mark;
    if (status) return status;
    *expr = jani_make(r, node, OP_ARRAY, first, (int)count, -1);
    return *expr < 0 ? error_memory(r->error) : VOUCH_OK;
}

vouch_status jani_choose_array(jani_reader *r, uint32_t node, const int choice[3], int *expr)
{
    size_t mark = r->pending_count;
    int yes = choice[1], no = choice[2];
    vouch_status status = expect_same_shape(r, node, yes, no, "the two values");
    if (status) return status;
    if (!jani_is_array(r, yes)) {
        *expr = jani_make(r, node, OP_IF, choice[0], yes, no);
        return *expr < 0 ? error_memory(r->error) : VOUCH_OK;
    }
    for (int i = 0; i < length_of(r, yes) && !status; i++) {
        int made = -1;
        status = jani_choose_array(r, node, (const int[]){choice[0], element(r, yes, i), element(r, no, i)}, &made);
        if (!status) status = PRISM_PUSH(r, pending, made);
    }
    return status ? status : jani_make_array(r, node, mark, expr);
}

/* ---- access -------------------------------------------------------------------------------------------------- */

static vouch_status outside(const jani_reader *r, uint32_t node, int index, int array)
{
    return JANI_FAIL(r, node, "the index %d lies outside an array of %d elements", index, length_of(r, array));
}

static vouch_status select_element(jani_reader *r, uint32_t node, int array, int index, int *expr);

/* An array of arrays: that of the elements' elements. */
static vouch_status select_array(jani_reader *r, uint32_t node, int array, int index, int *expr)
{
    size_t mark = r->pending_count;
    int inner = length_of(r, element(r, array, 0));
    vouch_status status = VOUCH_OK;
    for (int j = 0; j < inner && !status; j++) {
        size_t start = r->pending_count;
        int column = -1, made = -1;
        for (int i = 0; i < length_of(r, array) && !status; i++) {
            int row = element(r, array, i);
            status = PRISM_PUSH(r, pending, element(r, row, j));
        }
        if (!status) status = jani_make_array(r, node, start, &column);
        if (!status) status = select_element(r, node, column, index, &made);
        if (!status) status = PRISM_PUSH(r, pending, made);
    }
    return status ? status : jani_make_array(r, node, mark, expr);
}

static vouch_status select_element(jani_reader *r, uint32_t node, int array, int index, int *expr)
{
    int i;
    if (is_fixed(r, index, &i)) {
        if (i < 0 || i >= length_of(r, array)) return outside(r, node, i, array);
        *expr = jani_shared(r, node, element(r, array, i));
    } else if (jani_is_array(r, element(r, array, 0))) {
        return select_array(r, node, array, index, expr);
    } else {
        const prism_expr list = r->p->expr[array];
        *expr = jani_make(r, node, OP_SELECT, index, list.a, list.b);
    }
    return *expr < 0 ? error_memory(r->error) : VOUCH_OK;
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

static vouch_status read_access(jani_reader *r, uint32_t node, int *expr)
{
    static const js_field access_field[] = {
        {"op", JANI_TEXT, true}, {"exp", JANI_EXPR, true}, {"index", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[4];
    int array, index;
    vouch_status status = js_fields(r->doc, node, access_field, 4, field, r->error);
    if (!status) status = jani_expr(r, field[1], &array);
    if (!status) status = jani_expr(r, field[2], &index);
    if (status) return status;
    if (!jani_is_array(r, array)) return JANI_FAIL(r, field[1], "expected an array");
    if (jani_is_array(r, index)) return JANI_FAIL(r, field[2], "expected a whole number, found an array");
    return select_element(r, node, array, index, expr);
}

static vouch_status read_elements(jani_reader *r, uint32_t node, int *expr)
{
    static const js_field value_field[] = {{"op", JANI_TEXT, true}, {"elements", JANI_LIST, true}, {"comment", JANI_ANY, false}};
    uint32_t field[3];
    size_t mark = r->pending_count;
    vouch_status status = js_fields(r->doc, node, value_field, 3, field, r->error);
    for (uint32_t c = field[1] + 1; !status && c < js_end(r->doc, field[1]); c = jani_next(r, c)) {
        int made = -1;
        status = jani_expr(r, c, &made);
        if (!status) status = PRISM_PUSH(r, pending, made);
    }
    return status ? status : jani_make_array(r, node, mark, expr);
}

static vouch_status read_constructor(jani_reader *r, uint32_t node, int *expr)
{
    static const js_field constructor_field[] = {{"op", JANI_TEXT, true},
                                                 {"var", JANI_TEXT, true},
                                                 {"length", JANI_EXPR, true},
                                                 {"exp", JANI_EXPR, true},
                                                 {"comment", JANI_ANY, false}};
    uint32_t field[5];
    size_t mark = r->pending_count;
    int length = -1, count = 0;
    vouch_status status = js_fields(r->doc, node, constructor_field, 5, field, r->error);
    if (!status) status = jani_expr(r, field[2], &length);
    if (status) return status;
    if (!is_fixed(r, length, &count)) return no_length(r, field[2]);
    if (count < 1 || count > ELEMENT_CAP) return JANI_FAIL(r, field[2], "the length of an array lies between 1 and a million");
    jani_binding b = {.name = jani_name(r, js_string(r->doc, field[1]))};
    for (int i = 0; i < count && !status; i++) {
        int made = -1;
        b.expr = b.name < 0 ? -1 : jani_make_whole(r, node, OP_INT, i);
        status = b.expr < 0 ? error_memory(r->error) : PRISM_PUSH(r, binding, b);
        if (status) break;
        status = jani_expr(r, field[3], &made);
        r->binding_count--;
        if (!status) status = PRISM_PUSH(r, pending, made);
    }
    return status ? status : jani_make_array(r, node, mark, expr);
}

vouch_status jani_array_expr(jani_reader *r, uint32_t node, const char *word, int *expr)
{
    return word[1] == 'a'   ? read_access(r, node, expr)
           : word[1] == 'v' ? read_elements(r, node, expr)
                            : read_constructor(r, node, expr);
}

/* ---- assignments --------------------------------------------------------------------------------------------- */

/* when, and index is i: a condition. `checked` is the index, found to lie in the array. */
static int when_index(jani_reader *r, uint32_t node, int when, int checked, int i)
{
    int which = jani_make_whole(r, node, OP_INT, i), equal = which < 0 ? -1 : jani_make(r, node, OP_EQ, checked, which, -1);
    int never = equal < 0 || when < 0 ? -1 : jani_make_whole(r, node, OP_BOOL, 0);
    return when < 0 ? equal : never < 0 ? -1 : jani_make(r, node, OP_IF, when, equal, never);
}

/* An expression that is the index, and an error where it lies outside the array. */
static vouch_status check_index(jani_reader *r, uint32_t node, int index, int count, int *checked)
{
    size_t mark = r->pending_count;
    int numbers = -1;
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < count && !status; i++) {
        int number = jani_make_whole(r, node, OP_INT, i);
        status = number < 0 ? error_memory(r->error) : PRISM_PUSH(r, pending, number);
    }
    if (!status) status = jani_make_array(r, node, mark, &numbers);
    return status ? status : select_element(r, node, numbers, index, checked);
}

/* The elements of the targets so far that have the index. */
static vouch_status step_into(jani_reader *r, uint32_t node, int index)
{
    size_t before = r->target_count;
    int fixed = -1, checked = -1, count = length_of(r, r->target[0].expr);
    bool known = is_fixed(r, index, &fixed);
    if (known && (fixed < 0 || fixed >= count)) return outside(r, node, fixed, r->target[0].expr);
    vouch_status status = known ? VOUCH_OK : check_index(r, node, index, count, &checked);
    if (!known && before * (size_t)count > ELEMENT_CAP) return JANI_FAIL(r, node, "an assignment to one of too many elements");
    for (size_t t = 0; t < before && !status; t++) {
        const jani_target from = r->target[t];
        for (int i = known ? fixed : 0; i < (known ? fixed + 1 : count) && !status; i++) {
            jani_target to = {from.when, element(r, from.expr, i)};
            if (!known) to.when = when_index(r, node, from.when, checked, i);
            status = !known && to.when < 0 ? error_memory(r->error) : PRISM_PUSH(r, target, to);
        }
    }
    if (status) return status;
    memmove(r->target, r->target + before, (r->target_count - before) * sizeof *r->target);
    r->target_count -= before;
    return VOUCH_OK;
}

vouch_status jani_targets(jani_reader *r, uint32_t node)
{
    static const js_field place_field[] = {
        {"op", JANI_TEXT, true}, {"exp", JANI_TEXT | JANI_OBJECT, true}, {"index", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[4];
    if (js_kind_of(r->doc, node) == JS_STRING) {
        int name = jani_name(r, js_string(r->doc, node)), expr;
        const jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
        if (!s) return error_memory(r->error);
        if (s->kind != JANI_VARIABLE && s->kind != JANI_ARRAY)
            return JANI_FAIL(r, node, "there is no variable \"%.100s\" here", js_string(r->doc, node));
        expr = s->kind == JANI_ARRAY ? s->index : jani_make(r, node, OP_VAR, s->index, -1, -1);
        r->target_count = 0;
        return expr < 0 ? error_memory(r->error) : PRISM_PUSH(r, target, (jani_target){-1, expr});
    }
    vouch_status status = js_fields(r->doc, node, place_field, 4, field, r->error);
    if (!status && strcmp(js_string(r->doc, field[0]), "aa") != 0)
        status = JANI_FAIL(r, field[0], "expected \"aa\", an element of an array");
    if (!status) status = jani_targets(r, field[1]);
    if (!status && !jani_is_array(r, r->target[0].expr)) status = JANI_FAIL(r, field[1], "expected an array");
    int index = -1;
    if (!status) status = jani_expr(r, field[2], &index);
    if (!status && jani_is_array(r, index)) status = JANI_FAIL(r, field[2], "expected a whole number, found an array");
    return status ? status : step_into(r, node, index);
}

/* One variable, or each element of an array. */
static vouch_status assign_to(jani_reader *r, uint32_t node, int target, const prism_assignment *like, prism_update *u)
{
    prism *p = r->p;
    prism_assignment a = *like;
    vouch_status status = expect_same_shape(r, node, target, a.expr, "the variable and its value");
    if (status) return status;
    if (jani_is_array(r, target)) {
        for (int i = 0; i < length_of(r, target) && !status; i++) {
            a.expr = element(r, like->expr, i);
            status = assign_to(r, node, element(r, target, i), &a, u);
        }
        return status;
    }
    a.variable = p->expr[target].a;
    for (int i = u->first; i < u->first + u->count; i++) {
        const prism_assignment *b = &p->assignment[i];
        if (b->variable == a.variable && b->index == a.index && a.when < 0 && b->when < 0)
            return JANI_FAIL(r, node, "the variable is assigned twice");
    }
    p->ordered = p->ordered || a.index != 0 || a.when >= 0;
    u->count++;
    return PRISM_PUSH(p, assignment, a);
}

vouch_status jani_assign(jani_reader *r, uint32_t node, const prism_assignment *like, prism_update *u)
{
    vouch_status status = VOUCH_OK;
    if (r->p->assignment_count + r->target_count > ELEMENT_CAP)
        return error_set(r->error, VOUCH_ERROR_SIZE, "%.200s: assignments to arrays make too large a model", r->p->file);
    for (size_t t = 0; t < r->target_count && !status; t++) {
        prism_assignment a = *like;
        a.when = r->target[t].when;
        status = assign_to(r, node, r->target[t].expr, &a, u);
    }
    return status;
}
