/* io/jani.c - JANI models (jani-specification, version 1; C. Dehnert et al., TACAS 2017, "JANI: Quantitative model and tool
 * interaction") of type mdp or dtmc, as the arrays of a PRISM file (prism.h).
 *
 * An automaton becomes a module, an edge a command, a synchronisation vector a prism_sync. The location of an automaton with more
 * than one is a variable with its name. An array is one variable for each element, NAME_0 and so on. A transient variable is a
 * formula; its value as locations give it. A Boolean one is also a label, one of numbers a reward structure: what locations give is
 * paid by every step that begins there, what edges assign by the step.
 */

#include "io/prism.h"

enum { JANI_EXPR = STRING | OBJECT | TRUTH | NUMBER };

typedef enum jani_kind { JANI_NONE, JANI_CONSTANT, JANI_VARIABLE, JANI_FORMULA, JANI_FUNCTION, JANI_ARRAY } jani_kind;

typedef struct jani_symbol { /* the present meaning of a name */
    jani_kind kind;
    int index;          /* in the array of prism; of a function: its formula, of an array: its expression, once it is one, -1 */
    uint32_t node;      /* of a function: its declaration */
    int transient;      /* number of the transient variable, from 1; 0: none */
    int uses;           /* automata with a variable of this name, and global names */
    bool open;          /* a function whose body is being read */
    bool local;         /* declared in the automaton at hand */
    int home, location; /* 1 + the module that last had a location of the name, and its number */
    bool taken;         /* some constant, variable or formula of prism has the name */
} jani_symbol;

typedef struct jani_local { /* a name of the automaton at hand, and what it means outside */
    int name;
    jani_symbol outside;
} jani_local;

typedef struct jani_transient {
    int name, formula, rewards; /* rewards: -1, of a Boolean one */
    prism_type type;
    int value;   /* expression in the making */
    bool placed; /* do locations give it a value? */
    bool zero;   /* is it 0 where nothing gives it a value? */
    uint32_t node;
} jani_transient;

typedef struct jani_binding { /* of a function's parameter */
    int name, expr;
} jani_binding;

typedef struct jani_item { /* an item of a reward structure, gathered before the structures are laid out */
    int transient;
    prism_item item;
} jani_item;

typedef struct jani_target { /* of an assignment: a variable or an array, and a condition, -1: none */
    int when, expr;
} jani_target;

typedef struct jani_reader {
    prism *p;
    const js_doc *doc;
    escape *e;                           /* of p */
    ESCAPE_ARRAY(jani_symbol, symbol);   /* by name */
    ESCAPE_ARRAY(jani_binding, binding); /* of the functions being read, innermost last */
    ESCAPE_ARRAY(jani_transient, transient);
    ESCAPE_ARRAY(jani_item, item);
    ESCAPE_ARRAY(jani_local, local);   /* names declared in the automaton at hand */
    ESCAPE_ARRAY(int, pending);        /* elements of arrays in the making, innermost last */
    ESCAPE_ARRAY(jani_target, target); /* of the assignment at hand */
    prism_value *constant;             /* [constants]: values, where known; NULL: constants are still being read */
    unsigned char *known;
    size_t frame; /* the first binding of the innermost function */
    int depth;
    bool later;        /* in an assignment whose index is not the lowest of its destination */
    int initial;       /* conjunction of what restricts initial states, -1: none */
    uint32_t property; /* the node of the property at hand, and its expression */
    int property_expr;
    bool loose; /* does some variable or location have no single initial value? */
} jani_reader;

static inline uint32_t jani_next(const jani_reader *r, uint32_t child) { return js_end(r->doc, child); }
static int line_of(const jani_reader *r, uint32_t node) { return (int)r->doc->node[node].line; }

/* The number of a name; its symbol, made if new; both of the string at a node. */
static int jani_name(jani_reader *r, const char *text);
static jani_symbol *jani_symbol_at(jani_reader *r, uint32_t node);

/* An expression made here, blamed on a node. */
static int jani_make(jani_reader *r, uint32_t node, prism_op op, int a, int b, int c);
static int jani_make_whole(jani_reader *r, uint32_t node, prism_op op, int64_t whole);
/* The expression of a node; of an object {"exp": .., "comment": ..}. */
static int jani_expr(jani_reader *r, uint32_t node);
/* An expression that may stand on the left of several. */
static int jani_shared(jani_reader *r, uint32_t node, int x);

/* Arrays of JANI as lists of their elements.
 *
 * An array has as many elements as its first value; the reader writes each element as a variable of its own. So every expression of
 * an array is a list of expressions, one for each element. An access whose index is known when the file is read is that element;
 * any other access becomes an OP_SELECT. An assignment to an element whose index is not known becomes one assignment for each
 * element, with the condition that the index is equal. Arrays of arrays have to be rectangular.
 */

enum { ELEMENT_CAP = 1000000 }; /* of all arrays of a file together */

static bool jani_is_array(const jani_reader *r, int expr) { return expr >= 0 && r->p->expr[expr].op == OP_ARRAY; }

static int element(const jani_reader *r, int array, int i) { return r->p->element[r->p->expr[array].a + i]; }
static int length_of(const jani_reader *r, int array) { return r->p->expr[array].b; }

static void jani_close_constants(jani_reader *r)
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

/* An array whose elements are the pending ones from mark on, which it takes away. */
static int jani_make_array(jani_reader *r, uint32_t node, size_t mark)
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

/* choice[0] ? choice[1] : choice[2], arrays or not. */
static int jani_choose_array(jani_reader *r, uint32_t node, const int choice[3])
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
    static const js_field access_field[] = {{"op", STRING, true}, {"exp", JANI_EXPR, true}, {"index", JANI_EXPR, true}};
    uint32_t field[3];
    js_fields(r->doc, node, access_field, 3, field);
    int array = jani_expr(r, field[1]), index = jani_expr(r, field[2]);
    if (!jani_is_array(r, array)) js_fail(r->doc, field[1], "expected an array");
    if (jani_is_array(r, index)) js_fail(r->doc, field[2], "expected a whole number, found an array");
    return select_element(r, node, array, index);
}

static int read_elements(jani_reader *r, uint32_t node)
{
    static const js_field value_field[] = {{"op", STRING, true}, {"elements", ARRAY, true}};
    uint32_t field[2];
    size_t mark = r->pending_count;
    js_fields(r->doc, node, value_field, 2, field);
    for (uint32_t c = field[1] + 1; c < js_end(r->doc, field[1]); c = jani_next(r, c)) {
        int made = jani_expr(r, c);
        ESCAPE_PUSH(r->e, r, pending, made);
    }
    return jani_make_array(r, node, mark);
}

static int read_constructor(jani_reader *r, uint32_t node)
{
    static const js_field constructor_field[] = {
        {"op", STRING, true}, {"var", STRING, true}, {"length", JANI_EXPR, true}, {"exp", JANI_EXPR, true}};
    uint32_t field[4];
    size_t mark = r->pending_count;
    int count = 0;
    js_fields(r->doc, node, constructor_field, 4, field);
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

/* The possible targets of an assignment with this ref: r->target. */
static void jani_targets(jani_reader *r, uint32_t node)
{
    static const js_field place_field[] = {{"op", STRING, true}, {"exp", STRING | OBJECT, true}, {"index", JANI_EXPR, true}};
    uint32_t field[3];
    if (js_kind_of(r->doc, node) == JS_STRING) {
        const jani_symbol *s = jani_symbol_at(r, node);
        if (s->kind != JANI_VARIABLE && s->kind != JANI_ARRAY)
            js_fail(r->doc, node, "there is no variable \"%.100s\" here", js_string(r->doc, node));
        int expr = s->kind == JANI_ARRAY ? s->index : jani_make(r, node, OP_VAR, s->index, -1, -1);
        r->target_count = 0;
        ESCAPE_PUSH(r->e, r, target, (jani_target){-1, expr});
        return;
    }
    js_fields(r->doc, node, place_field, 3, field);
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

/* Assigns like->expr to the targets. */
static void jani_assign(jani_reader *r, uint32_t node, const prism_assignment *like, prism_update *u)
{
    if (r->p->assignment_count + r->target_count > ELEMENT_CAP)
        escape_fail(r->e, VOUCH_ERROR_SIZE, "%.200s: assignments to arrays make too large a model", r->p->file);
    for (size_t t = 0; t < r->target_count; t++) {
        prism_assignment a = *like;
        a.when = r->target[t].when;
        assign_to(r, node, r->target[t].expr, &a, u);
    }
}

/* Expressions of JANI, and the calls of functions in them.
 *
 * A function without parameters becomes a formula when it is first called. One with parameters is read again at every call, with
 * the arguments in their place. The specification allows no recursion, so none is followed.
 */

/* Nesting, calls included: each takes up to 600 bytes of the stack. */
enum { DEPTH_CAP = 400, GROWTH_CAP = 64, EXPR_FREE = 100000 };
static const double WHOLE_CAP = 9007199254740992.0; /* 2^53: doubles from here on skip whole numbers */

/* ---- names --------------------------------------------------------------------------------------------------- */

static uint32_t jani_value_of(const jani_reader *r, uint32_t node, const char *name)
{
    if (js_kind_of(r->doc, node) != JS_OBJECT) return 0;
    for (uint32_t c = node + 1; c < js_end(r->doc, node); c = js_end(r->doc, c + 1))
        if (strcmp(js_string(r->doc, c), name) == 0) return c + 1;
    return 0;
}

static int jani_name(jani_reader *r, const char *word) { return prism_intern(r->p, word, strlen(word)); }

static jani_symbol *jani_symbol_of(jani_reader *r, int name)
{
    while (r->symbol_count <= (size_t)name) ESCAPE_PUSH(r->e, r, symbol, (jani_symbol){.kind = JANI_NONE, .index = -1});
    return &r->symbol[name];
}

static jani_symbol *jani_symbol_at(jani_reader *r, uint32_t node)
{
    return jani_symbol_of(r, jani_name(r, js_string(r->doc, node)));
}

/* Gives the name at `node` a meaning that it may not have had. */
static void jani_declare(jani_reader *r, uint32_t node, jani_symbol meaning)
{
    int name = jani_name(r, js_string(r->doc, node));
    jani_symbol *s = jani_symbol_of(r, name);
    const jani_local hidden = {name, *s};
    if (s->kind != JANI_NONE && (s->local || !meaning.local))
        js_fail(r->doc, node, "the name \"%.100s\" is declared twice", js_string(r->doc, node));
    meaning.uses = s->uses;
    meaning.taken = s->taken;
    meaning.home = s->home;
    meaning.location = s->location;
    *s = meaning;
    if (meaning.local) ESCAPE_PUSH(r->e, r, local, hidden);
}

/* `text`, or with `prefix` and "_" before it where something has that name already. */
static int jani_free_name(jani_reader *r, const char *prefix, const char *word, bool prefixed)
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

static int jani_make(jani_reader *r, uint32_t node, prism_op op, int a, int b, int c)
{
    prism *p = r->p;
    int at = ESCAPE_ADD(r->e, p, expr);
    p->expr[at] = (prism_expr){.op = op, .a = a, .b = b, .c = c, .line = line_of(r, node), .column = (int)node};
    if (a >= 0 && op > OP_DEADLOCK) p->expr[a].up = at;
    return at;
}

/* `up` has room for one, and is not used for a conditional. */
static int jani_shared(jani_reader *r, uint32_t node, int x)
{
    if (r->p->expr[x].op <= OP_IF) return x;
    return jani_make(r, node, OP_IF, jani_make_whole(r, node, OP_BOOL, 1), x, x);
}

static int jani_make_whole(jani_reader *r, uint32_t node, prism_op op, int64_t whole)
{
    int at = jani_make(r, node, op, -1, -1, -1);
    r->p->expr[at].u.whole = whole;
    return at;
}

/* a & b, either -1: the other. */
static int jani_and(jani_reader *r, uint32_t node, int a, int b)
{
    return b < 0 ? a : a < 0 ? b : jani_make(r, node, OP_AND, a, b, -1);
}

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

enum { F_OP, F_LEFT, F_RIGHT, F_EXP, F_IF, F_THEN, F_ELSE, F_FUNCTION, F_ARGS, F_CONSTANT, F_INDEX, F_ELEMENTS, F_VAR, F_LENGTH };
static const js_field expr_field[] = {{"op", STRING, false},         {"left", JANI_EXPR, false},  {"right", JANI_EXPR, false},
                                      {"exp", JANI_EXPR, false},     {"if", JANI_EXPR, false},    {"then", JANI_EXPR, false},
                                      {"else", JANI_EXPR, false},    {"function", STRING, false}, {"args", ARRAY, false},
                                      {"constant", ANYTHING, false}, {"index", JANI_EXPR, false}, {"elements", ARRAY, false},
                                      {"var", STRING, false},        {"length", JANI_EXPR, false}};
enum { EXPR_FIELDS = sizeof expr_field / sizeof *expr_field };

static const struct operator_word {
    const char *word;
    prism_op op;
} binary[] = {{"∨", OP_OR},  {"∧", OP_AND}, {"⇒", OP_IMPLIES}, {"=", OP_EQ},    {"≠", OP_NE},    {"<", OP_LT},
              {"≤", OP_LE},  {">", OP_GT},  {"≥", OP_GE},      {"+", OP_ADD},   {"-", OP_SUB},   {"*", OP_MUL},
              {"/", OP_DIV}, {"%", OP_MOD}, {"min", OP_MIN},   {"max", OP_MAX}, {"pow", OP_POW}, {"log", OP_LOG}},
  unary[] = {{"¬", OP_NOT}, {"floor", OP_FLOOR}, {"ceil", OP_CEIL}, {"abs", OP_MAX}, {"sgn", OP_IF}, {"trc", OP_IF}};

static const struct operator_word *find_word(const struct operator_word *list, size_t n, const char *word)
{
    while (n > 0 && strcmp(list[n - 1].word, word) != 0) n--;
    return n > 0 ? &list[n - 1] : NULL;
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

enum { D_NAME, D_TYPE, D_PARAMETERS, D_BODY, FUNCTION_FIELDS };
static const js_field function_field[FUNCTION_FIELDS] = {
    {"name", STRING, true}, {"type", STRING | OBJECT, true}, {"parameters", ARRAY, true}, {"body", JANI_EXPR, true}};

static void jani_functions(jani_reader *r, uint32_t list, bool local)
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
    static const js_field parameter_field[] = {{"name", STRING, true}, {"type", STRING | OBJECT, true}};
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
    ESCAPE_PUSH(r->e, r->p, formula, (prism_named){formula, expr, line_of(r, field[D_BODY]), (int)field[D_BODY]});
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

static int read_operator(jani_reader *r, uint32_t node)
{
    uint32_t field[EXPR_FIELDS];
    js_fields(r->doc, node, expr_field, EXPR_FIELDS, field);
    if (field[F_CONSTANT] && !field[F_OP]) return read_constant(r, node, field[F_CONSTANT]);
    if (!field[F_OP]) js_fail(r->doc, node, "the field \"op\" is missing");
    const char *word = js_string(r->doc, field[F_OP]);
    const struct operator_word *two = find_word(binary, sizeof binary / sizeof *binary, word);
    const struct operator_word *one = find_word(unary, sizeof unary / sizeof *unary, word);
    if (two && two->op == OP_SUB && field[F_EXP] && !field[F_LEFT] && !field[F_RIGHT])
        return jani_make(r, node, OP_MINUS, jani_expr(r, field[F_EXP]), -1, -1);
    if (two) {
        int a = read_part(r, node, field, F_LEFT), b = read_part(r, node, field, F_RIGHT);
        return jani_make(r, node, two->op, a, b, -1);
    }
    if (one) return read_unary(r, node, field, one);
    if (strcmp(word, "aa") == 0) return read_access(r, node);
    if (strcmp(word, "av") == 0) return read_elements(r, node);
    if (strcmp(word, "ac") == 0) return read_constructor(r, node);
    if (strcmp(word, "ite") == 0) {
        int condition = read_part(r, node, field, F_IF), yes = read_part(r, node, field, F_THEN);
        return jani_choose_array(r, node, (const int[]){condition, yes, read_part(r, node, field, F_ELSE)});
    }
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

static int jani_expr(jani_reader *r, uint32_t node)
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

static int jani_wrapped(jani_reader *r, uint32_t node)
{
    static const js_field wrapper[] = {{"exp", JANI_EXPR, true}};
    uint32_t field;
    js_fields(r->doc, node, wrapper, 1, &field);
    return jani_expr(r, field);
}

typedef struct jani_type {
    prism_type type;
    int low, high; /* expressions, -1: none */
    int levels;    /* arrays of arrays of ..: how many; 0: no array */
} jani_type;

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
    static const js_field type_field[] = {{"kind", STRING, true},
                                          {"base", STRING | OBJECT, true},
                                          {"lower-bound", JANI_EXPR, false},
                                          {"upper-bound", JANI_EXPR, false}};
    uint32_t field[4];
    *t = (jani_type){.low = -1, .high = -1};
    if (js_kind_of(r->doc, node) == JS_STRING) {
        read_basic(r, node, &t->type);
        return;
    }
    js_fields(r->doc, node, type_field, 4, field);
    if (strcmp(js_string(r->doc, field[0]), "array") == 0) {
        read_type(r, field[1], t); /* of its elements */
        t->levels++;
        return;
    }
    if (strcmp(js_string(r->doc, field[0]), "bounded") != 0)
        js_fail(r->doc, field[0], "the kind of type \"%.40s\" is not supported; expected bounded or array",
                js_string(r->doc, field[0]));
    js_expect(r->doc, field[1], STRING);
    read_basic(r, field[1], &t->type);
    if (t->type == TYPE_BOOL) js_fail(r->doc, field[1], "a bool has no bounds");
    if (field[2]) t->low = jani_expr(r, field[2]);
    if (field[3]) t->high = jani_expr(r, field[3]);
}

enum { C_NAME, C_TYPE, C_VALUE, CONSTANT_FIELDS };
static const js_field constant_field[CONSTANT_FIELDS] = {
    {"name", STRING, true}, {"type", STRING | OBJECT, true}, {"value", JANI_EXPR, false}};

static void jani_constants(jani_reader *r, uint32_t list)
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

enum { V_NAME, V_TYPE, V_TRANSIENT, V_INITIAL, VARIABLE_FIELDS };
static const js_field variable_field[VARIABLE_FIELDS] = {
    {"name", STRING, true}, {"type", STRING | OBJECT, true}, {"transient", TRUTH, false}, {"initial-value", JANI_EXPR, false}};

/* An initial state has to meet the expression too. */
static void jani_restrict(jani_reader *r, uint32_t node, int expr)
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

/* Of an automaton's instance or (NULL) the model's. */
static void jani_variables(jani_reader *r, uint32_t list, const char *instance)
{
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) read_variable(r, c, instance);
}

/* Automata of JANI as modules.
 *
 * Guards are joined with the edge's location. What destinations assign to transient variables becomes items of reward structures,
 * evaluated in the state in which the step begins.
 */

typedef struct place { /* the automaton at hand */
    int module;
    int variable;  /* of its location; -1: it has only one */
    uint32_t list; /* of locations */
    int locations;
} place;

/* ---- locations ----------------------------------------------------------------------------------------------- */

enum { L_NAME, L_PROGRESS, L_VALUES, LOCATION_FIELDS };
static const js_field location_field[LOCATION_FIELDS] = {
    {"name", STRING, true}, {"time-progress", OBJECT, false}, {"transient-values", ARRAY, false}};

static int find_location(jani_reader *r, const place *at, uint32_t node)
{
    const jani_symbol *s = jani_symbol_at(r, node);
    if (s->home != at->module + 1) js_fail(r->doc, node, "the automaton has no location \"%.100s\"", js_string(r->doc, node));
    return s->location;
}

static void name_locations(jani_reader *r, const place *at)
{
    int number = 0;
    for (uint32_t c = at->list + 1; c < js_end(r->doc, at->list); c = jani_next(r, c), number++) {
        uint32_t field[LOCATION_FIELDS];
        js_fields(r->doc, c, location_field, LOCATION_FIELDS, field);
        jani_symbol *s = jani_symbol_at(r, field[L_NAME]);
        if (s->home == at->module + 1) js_fail(r->doc, field[L_NAME], "the location is declared twice");
        s->home = at->module + 1;
        s->location = number;
    }
}

/* location = number; -1: there is only one. */
static int at_location(jani_reader *r, uint32_t node, const place *at, int number)
{
    if (at->variable < 0) return -1;
    int where = jani_make(r, node, OP_VAR, at->variable, -1, -1), which = jani_make_whole(r, node, OP_INT, number);
    return jani_make(r, node, OP_EQ, where, which, -1);
}

/* Where the automaton is in this location, the transient variable has this value. */
static void add_value(jani_reader *r, uint32_t node, const place *at, int location)
{
    static const js_field value_field[] = {{"ref", STRING, true}, {"value", JANI_EXPR, true}};
    uint32_t field[2];
    js_fields(r->doc, node, value_field, 2, field);
    int number = jani_symbol_at(r, field[0])->transient;
    if (number == 0) js_fail(r->doc, field[0], "there is no transient variable \"%.100s\"", js_string(r->doc, field[0]));
    int value = jani_expr(r, field[1]), here = at_location(r, node, at, location);
    jani_transient *t = &r->transient[number - 1];
    t->placed = true;
    t->value = here < 0 ? value : jani_make(r, node, OP_IF, here, value, t->value);
}

static void read_locations(jani_reader *r, const place *at)
{
    int number = 0;
    for (uint32_t c = at->list + 1; c < js_end(r->doc, at->list); c = jani_next(r, c), number++) {
        uint32_t field[LOCATION_FIELDS];
        js_fields(r->doc, c, location_field, LOCATION_FIELDS, field);
        if (field[L_PROGRESS]) js_fail(r->doc, field[L_PROGRESS], "time does not pass in models of type mdp and dtmc");
        uint32_t list = field[L_VALUES];
        for (uint32_t v = list + 1; list && v < js_end(r->doc, list); v = jani_next(r, v)) add_value(r, v, at, number);
    }
}

/* The variable of the location, and where it begins. */
static void declare_locations(jani_reader *r, place *at, uint32_t initial, const char *instance)
{
    prism *p = r->p;
    uint32_t count = js_count(r->doc, at->list);
    if (count == 0 || count > INT_MAX) js_fail(r->doc, at->list, "expected a location");
    if (js_count(r->doc, initial) == 0) js_fail(r->doc, initial, "expected an initial location");
    at->locations = (int)count;
    at->variable = -1;
    prism_variable v = {.module = at->module, .type = TYPE_INT, .line = line_of(r, at->list), .column = (int)at->list};
    v.low = jani_make_whole(r, at->list, OP_INT, 0);
    v.high = jani_make_whole(r, at->list, OP_INT, at->locations - 1);
    name_locations(r, at);
    if (count > 1) {
        v.name = jani_free_name(r, "location_of", instance, false);
        at->variable = (int)p->variable_count;
    }
    int any = -1;
    for (uint32_t c = initial + 1; c < js_end(r->doc, initial); c = jani_next(r, c)) {
        js_expect(r->doc, c, STRING);
        int number = find_location(r, at, c);
        if (any < 0) v.init = jani_make_whole(r, c, OP_INT, number);
        int here = at_location(r, c, at, number);
        if (here >= 0) any = any < 0 ? here : jani_make(r, c, OP_OR, any, here, -1);
    }
    if (js_count(r->doc, initial) > 1) r->loose = true;
    r->initial = jani_and(r, initial, r->initial, any);
    if (count > 1) ESCAPE_PUSH(r->e, p, variable, v);
}

/* ---- edges --------------------------------------------------------------------------------------------------- */

enum { A_REF, A_VALUE, A_INDEX, ASSIGNMENT_FIELDS };
static const js_field assignment_field[ASSIGNMENT_FIELDS] = {
    {"ref", STRING | OBJECT, true}, {"value", JANI_EXPR, true}, {"index", NUMBER, false}};

/* The rewards of the update. */
static void add_item(jani_reader *r, uint32_t node, int transient, int value)
{
    int always = jani_make_whole(r, node, OP_BOOL, 1);
    jani_item item = {.transient = transient - 1};
    item.item = (prism_item){.transition = true,
                             .label = -1,
                             .guard = always,
                             .value = value,
                             .command = (int)r->p->command_count,
                             .update = (int)r->p->update_count};
    if (r->transient[transient - 1].type == TYPE_BOOL) return;
    for (size_t i = r->item_count; i > 0 && r->item[i - 1].item.update == item.item.update; i--)
        if (r->item[i - 1].transient == item.transient) js_fail(r->doc, node, "the variable is assigned twice");
    ESCAPE_PUSH(r->e, r, item, item);
}

static void read_assignment(jani_reader *r, uint32_t node, int lowest, prism_update *u)
{
    uint32_t field[ASSIGNMENT_FIELDS];
    prism_assignment a = {.line = line_of(r, node), .column = (int)node};
    js_fields(r->doc, node, assignment_field, ASSIGNMENT_FIELDS, field);
    if (field[A_INDEX]) a.index = js_int(r->doc, field[A_INDEX], INT_MIN, INT_MAX);
    int transient = js_kind_of(r->doc, field[A_REF]) == JS_STRING ? jani_symbol_at(r, field[A_REF])->transient : 0;
    r->later = a.index > lowest;
    if (!transient) jani_targets(r, field[A_REF]);
    a.expr = jani_expr(r, field[A_VALUE]);
    r->later = false;
    if (transient && jani_is_array(r, a.expr))
        js_fail(r->doc, field[A_VALUE], "expected a number or a truth value, found an array");
    if (transient && a.index > lowest && r->p->expr[a.expr].op > OP_BOOL)
        js_fail(r->doc, node, "a transient variable can only have a number as value in an assignment of a higher index");
    if (transient)
        add_item(r, field[A_REF], transient, a.expr);
    else
        jani_assign(r, field[A_REF], &a, u);
}

/* The lowest index among assignments; 0 where one has none. */
static int lowest_index(const jani_reader *r, uint32_t list)
{
    double lowest = INT_MAX;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) {
        uint32_t index = jani_value_of(r, c, "index");
        lowest = fmin(lowest, index && js_kind_of(r->doc, index) == JS_NUMBER ? js_number(r->doc, index) : 0);
    }
    return lowest > INT_MIN ? (int)lowest : INT_MIN;
}

static void read_assignments(jani_reader *r, uint32_t list, int lowest, prism_update *u)
{
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) read_assignment(r, c, lowest, u);
}

enum { T_LOCATION, T_PROBABILITY, T_ASSIGNMENTS, DESTINATION_FIELDS };

/* every: the assignments that the edge has for all of its destinations. */
static void read_destination(jani_reader *r, uint32_t node, const place *at, int from, uint32_t every)
{
    static const js_field destination_field[DESTINATION_FIELDS] = {
        {"location", STRING, true}, {"probability", OBJECT, false}, {"assignments", ARRAY, false}};
    uint32_t field[DESTINATION_FIELDS];
    prism_update u = {.low = -1, .probability = -1, .first = (int)r->p->assignment_count};
    js_fields(r->doc, node, destination_field, DESTINATION_FIELDS, field);
    if (field[T_PROBABILITY]) u.probability = jani_wrapped(r, field[T_PROBABILITY]);
    u.low = u.probability;
    int to = find_location(r, at, field[T_LOCATION]);
    uint32_t own = field[T_ASSIGNMENTS];
    int lowest = lowest_index(r, own), shared = lowest_index(r, every);
    if (shared < lowest) lowest = shared;
    read_assignments(r, every, lowest, &u);
    read_assignments(r, own, lowest, &u);
    if (to != from) {
        prism_assignment a = {.variable = at->variable, .when = -1, .line = line_of(r, node), .column = (int)node};
        a.expr = jani_make_whole(r, node, OP_INT, to);
        u.count++;
        ESCAPE_PUSH(r->e, r->p, assignment, a);
    }
    ESCAPE_PUSH(r->e, r->p, update, u);
}

enum { E_LOCATION, E_ACTION, E_RATE, E_GUARD, E_DESTINATIONS, E_ASSIGNMENTS, EDGE_FIELDS };

static void read_edge(jani_reader *r, uint32_t node, const place *at)
{
    static const js_field edge_field[EDGE_FIELDS] = {{"location", STRING, true},    {"action", STRING, false},
                                                     {"rate", OBJECT, false},       {"guard", OBJECT, false},
                                                     {"destinations", ARRAY, true}, {"assignments", ARRAY, false}};
    uint32_t field[EDGE_FIELDS];
    prism_command c = {.module = at->module,
                       .label = -1,
                       .guard = -1,
                       .first = (int)r->p->update_count,
                       .line = line_of(r, node),
                       .column = (int)node};
    js_fields(r->doc, node, edge_field, EDGE_FIELDS, field);
    if (field[E_RATE]) js_fail(r->doc, field[E_RATE], "an edge of a model of type mdp or dtmc must not have a rate");
    if (field[E_ACTION]) c.label = jani_name(r, js_string(r->doc, field[E_ACTION]));
    int from = find_location(r, at, field[E_LOCATION]);
    c.guard = at_location(r, field[E_LOCATION], at, from);
    if (field[E_GUARD]) c.guard = jani_and(r, node, c.guard, jani_wrapped(r, field[E_GUARD]));
    if (c.guard < 0) c.guard = jani_make_whole(r, node, OP_BOOL, 1);
    uint32_t list = field[E_DESTINATIONS];
    if (js_count(r->doc, list) == 0) js_fail(r->doc, list, "expected a destination");
    for (uint32_t d = list + 1; d < js_end(r->doc, list); d = jani_next(r, d), c.count++)
        read_destination(r, d, at, from, field[E_ASSIGNMENTS]);
    ESCAPE_PUSH(r->e, r->p, command, c);
}

enum { M_NAME, M_VARIABLES, M_FUNCTIONS, M_RESTRICT, M_LOCATIONS, M_INITIAL, M_EDGES, AUTOMATON_FIELDS };

static void automaton_read_body(jani_reader *r, const uint32_t field[], place *at, const char *instance)
{
    declare_locations(r, at, field[M_INITIAL], instance);
    jani_variables(r, field[M_VARIABLES], instance);
    jani_functions(r, field[M_FUNCTIONS], true);
    if (field[M_RESTRICT]) jani_restrict(r, field[M_RESTRICT], jani_wrapped(r, field[M_RESTRICT]));
    read_locations(r, at);
    prism_module *m = &r->p->module[at->module];
    m->first = (int)r->p->command_count;
    for (uint32_t c = field[M_EDGES] + 1; c < js_end(r->doc, field[M_EDGES]); c = jani_next(r, c)) read_edge(r, c, at);
    m->count = (int)r->p->command_count - m->first;
}

/* An automaton as the next module. */
static void jani_automaton(jani_reader *r, uint32_t node, const char *instance)
{
    static const js_field automaton_field[AUTOMATON_FIELDS] = {{"name", STRING, true},      {"variables", ARRAY, false},
                                                               {"functions", ARRAY, false}, {"restrict-initial", OBJECT, false},
                                                               {"locations", ARRAY, true},  {"initial-locations", ARRAY, true},
                                                               {"edges", ARRAY, true}};
    uint32_t field[AUTOMATON_FIELDS];
    js_fields(r->doc, node, automaton_field, AUTOMATON_FIELDS, field);
    place at = {.module = (int)r->p->module_count, .list = field[M_LOCATIONS]};
    int name = jani_name(r, instance);
    ESCAPE_PUSH(r->e, r->p, module, (prism_module){.name = name, .line = line_of(r, node), .column = (int)node});
    automaton_read_body(r, field, &at, instance);
    for (size_t i = 0; i < r->local_count; i++) { /* out of scope */
        jani_symbol *s = jani_symbol_of(r, r->local[i].name), outside = r->local[i].outside;
        outside.uses = s->uses;
        outside.taken = s->taken;
        outside.home = s->home;
        *s = outside;
    }
    r->local_count = 0;
}

enum { PROPERTY_NEST_CAP = 20 };
enum {
    G_VERSION,
    G_NAME,
    G_METADATA,
    G_TYPE,
    G_FEATURES,
    G_ACTIONS,
    G_CONSTANTS,
    G_VARIABLES,
    G_FUNCTIONS,
    G_RESTRICT,
    G_PROPERTIES
};
enum { G_AUTOMATA = G_PROPERTIES + 1, G_SYSTEM, MODEL_FIELDS };
static const js_field model_field[MODEL_FIELDS] = {{"jani-version", NUMBER, true}, {"name", STRING, true},
                                                   {"metadata", ANYTHING, false},  {"type", STRING, true},
                                                   {"features", ARRAY, false},     {"actions", ARRAY, false},
                                                   {"constants", ARRAY, false},    {"variables", ARRAY, false},
                                                   {"functions", ARRAY, false},    {"restrict-initial", OBJECT, false},
                                                   {"properties", ARRAY, false},   {"automata", ARRAY, true},
                                                   {"system", OBJECT, true}};

static void read_model_type(jani_reader *r, uint32_t node)
{
    js_expect(r->doc, node, STRING);
    static const char *const others[][2] = {{"ma", "a Markov automaton"},
                                            {"ctmc", "a continuous-time Markov chain"},
                                            {"ctmdp", "a continuous-time MDP"},
                                            {"lts", "a labelled transition system"},
                                            {"ta", "a timed automaton"},
                                            {"pta", "a probabilistic timed automaton"},
                                            {"sta", "a stochastic timed automaton"},
                                            {"ha", "a hybrid automaton"},
                                            {"pha", "a probabilistic hybrid automaton"},
                                            {"sha", "a stochastic hybrid automaton"}};
    const char *type = js_string(r->doc, node);
    r->p->dtmc = strcmp(type, "dtmc") == 0;
    if (r->p->dtmc || strcmp(type, "mdp") == 0) return;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(type, others[i][0]) == 0)
            js_fail(r->doc, node, "\"%s\" is %s; vouch plans for models of type mdp and dtmc", type, others[i][1]);
    js_fail(r->doc, node, "expected mdp or dtmc, found \"%.40s\"", type);
}

static const js_field element_field[] = {{"automaton", STRING, true}, {"input-enable", ARRAY, false}};

static bool is_string(const jani_reader *r, uint32_t node) { return node && js_kind_of(r->doc, node) == JS_STRING; }

/* The automaton of that name. */
static uint32_t find_automaton(const jani_reader *r, uint32_t automata, uint32_t name)
{
    const char *wanted = js_string(r->doc, name);
    for (uint32_t c = automata + 1; c < js_end(r->doc, automata); c = jani_next(r, c)) {
        js_expect(r->doc, c, OBJECT);
        uint32_t own = jani_value_of(r, c, "name");
        if (is_string(r, own) && strcmp(js_string(r->doc, own), wanted) == 0) return c;
    }
    js_fail(r->doc, name, "there is no automaton \"%.100s\"", wanted);
}

/* Counts how many automata of the composition have a variable of each name. */
static void count_uses(jani_reader *r, uint32_t automaton)
{
    uint32_t list = jani_value_of(r, automaton, "variables");
    if (!list || js_kind_of(r->doc, list) != JS_ARRAY) return;
    for (uint32_t v = list + 1; v < js_end(r->doc, list); v = jani_next(r, v)) {
        uint32_t name = jani_value_of(r, v, "name");
        if (is_string(r, name)) jani_symbol_at(r, name)->uses++;
    }
}

/* Where no command of the last module has this label, one that changes nothing does. */
static void enable_input(jani_reader *r, uint32_t node, int label)
{
    prism *p = r->p;
    prism_module *m = &p->module[p->module_count - 1];
    int any = -1;
    for (int c = m->first; c < m->first + m->count; c++) {
        if (p->command[c].label != label) continue;
        any = any < 0 ? p->command[c].guard : jani_make(r, node, OP_OR, any, p->command[c].guard, -1);
    }
    int guard = any < 0 ? jani_make_whole(r, node, OP_BOOL, 1) : jani_make(r, node, OP_NOT, any, -1, -1);
    prism_command idle = {(int)p->module_count - 1, label, guard, (int)p->update_count, 1, line_of(r, node), (int)node};
    ESCAPE_PUSH(r->e, p, update, (prism_update){-1, -1, (int)p->assignment_count, 0});
    ESCAPE_PUSH(r->e, p, command, idle);
    m->count++;
}

static void enable_inputs(jani_reader *r, uint32_t list)
{
    for (uint32_t c = list + 1; c < js_end(r->doc, list); c = jani_next(r, c)) {
        js_expect(r->doc, c, STRING);
        enable_input(r, c, jani_name(r, js_string(r->doc, c)));
    }
}

/* An element of the composition as a module; an automaton listed twice becomes two modules. */
static void read_element(jani_reader *r, uint32_t node, uint32_t automata, bool count)
{
    uint32_t field[2];
    js_fields(r->doc, node, element_field, 2, field);
    uint32_t automaton = find_automaton(r, automata, field[0]);
    if (count) {
        count_uses(r, automaton);
        return;
    }
    const char *word = js_string(r->doc, field[0]);
    char instance[128];
    format_text(instance, sizeof instance, "%.100s", word);
    for (size_t i = 0, copy = 2; i < r->p->module_count; i++) {
        if (strcmp(prism_name(r->p, r->p->module[i].name), instance) != 0) continue;
        format_text(instance, sizeof instance, "%.100s_%zu", word, copy++);
        i = (size_t)-1;
    }
    jani_automaton(r, automaton, instance);
    if (field[1]) enable_inputs(r, field[1]);
}

/* {"synchronise": ["a", null, "b"], "result": "c"} */
static void read_sync(jani_reader *r, uint32_t node)
{
    static const js_field sync_field[] = {{"synchronise", ARRAY, true}, {"result", STRING | 1U << JS_NULL, false}};
    prism *p = r->p;
    uint32_t field[2];
    prism_sync sync = {.label = -1, .first = (int)p->partner_count};
    js_fields(r->doc, node, sync_field, 2, field);
    if (js_count(r->doc, field[0]) != p->module_count)
        js_fail(r->doc, field[0], "expected an action or null for each of the %zu automata, found %u", p->module_count,
                js_count(r->doc, field[0]));
    int module = 0;
    for (uint32_t c = field[0] + 1; c < js_end(r->doc, field[0]); c = jani_next(r, c), module++) {
        js_expect(r->doc, c, STRING | 1U << JS_NULL);
        if (js_kind_of(r->doc, c) == JS_NULL) continue;
        int label = jani_name(r, js_string(r->doc, c));
        ESCAPE_PUSH(r->e, p, partner, (prism_partner){.module = module, .label = label});
    }
    sync.count = (int)p->partner_count - sync.first;
    if (sync.count == 0) js_fail(r->doc, field[0], "expected an action");
    if (field[1] && js_kind_of(r->doc, field[1]) == JS_STRING) sync.label = jani_name(r, js_string(r->doc, field[1]));
    for (size_t i = 0; i < p->sync_count; i++)
        if (p->sync[i].label == sync.label && p->sync[i].count == sync.count &&
            memcmp(&p->partner[p->sync[i].first], &p->partner[sync.first], (size_t)sync.count * sizeof *p->partner) == 0)
            js_fail(r->doc, node, "the same synchronisation is given twice");
    ESCAPE_PUSH(r->e, p, sync, sync);
}

enum { S_ELEMENTS, S_SYNCS, SYSTEM_FIELDS };

/* Without synchronisations a single automaton acts as it is, as in Storm. */
static void read_system(jani_reader *r, uint32_t node, uint32_t automata)
{
    static const js_field system_field[SYSTEM_FIELDS] = {{"elements", ARRAY, true}, {"syncs", ARRAY, false}};
    uint32_t field[SYSTEM_FIELDS];
    js_fields(r->doc, node, system_field, SYSTEM_FIELDS, field);
    if (js_count(r->doc, field[S_ELEMENTS]) == 0) js_fail(r->doc, field[S_ELEMENTS], "expected an automaton");
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = field[S_ELEMENTS] + 1; c < js_end(r->doc, field[S_ELEMENTS]); c = jani_next(r, c))
            read_element(r, c, automata, pass == 0);
    if (r->p->module_count == 1 && (!field[S_SYNCS] || js_count(r->doc, field[S_SYNCS]) == 0)) {
        prism_make_syncs(r->p);
        return;
    }
    for (uint32_t c = field[S_SYNCS] + 1; field[S_SYNCS] && c < js_end(r->doc, field[S_SYNCS]); c = jani_next(r, c))
        read_sync(r, c);
    prism_find_partaking(r->p);
}

static void lay_out_rewards(jani_reader *r, int number)
{
    prism *p = r->p;
    const jani_transient *t = &r->transient[number];
    prism_rewards rewards = {.name = t->name, .first = (int)p->item_count};
    if (t->placed) {
        prism_item item = {.label = -1, .command = -1, .update = -1};
        item.guard = jani_make_whole(r, t->node, OP_BOOL, 1);
        item.value = jani_make(r, t->node, OP_FORMULA, t->formula, -1, -1);
        ESCAPE_PUSH(r->e, p, item, item);
    }
    for (size_t i = 0; i < r->item_count; i++)
        if (r->item[i].transient == number) ESCAPE_PUSH(r->e, p, item, r->item[i].item);
    rewards.count = (int)p->item_count - rewards.first;
    if (rewards.count > 0 && t->zero) ESCAPE_PUSH(r->e, p, rewards, rewards);
}

static void finish_transients(jani_reader *r)
{
    prism *p = r->p;
    for (size_t i = 0; i < r->transient_count; i++) {
        const jani_transient *t = &r->transient[i];
        p->formula[t->formula].expr = t->value;
        if (t->type != TYPE_BOOL) {
            lay_out_rewards(r, (int)i);
            continue;
        }
        int expr = jani_make(r, t->node, OP_FORMULA, t->formula, -1, -1);
        ESCAPE_PUSH(r->e, p, label, (prism_named){t->name, expr, line_of(r, t->node), (int)t->node});
    }
}

/* Labels of the states that properties are about: the x of "how likely, or in how many steps, is F x, true U x, G x". Other
 * properties give no labels. */

static bool is_word(const jani_reader *r, uint32_t node, const char *list)
{
    if (!is_string(r, node)) return false;
    const char *word = js_string(r->doc, node), *at = strstr(list, word);
    return at && *word && !strchr(word, ' ') && (at == list || at[-1] == ' ') && strchr(" ", at[strlen(word)]);
}

/* The expression of states that a path property leads to; 0: none. */
static uint32_t target_of(const jani_reader *r, uint32_t path)
{
    uint32_t op = jani_value_of(r, path, "op"), left = jani_value_of(r, path, "left");
    if (is_word(r, op, "F G")) return jani_value_of(r, path, "exp");
    if (is_word(r, op, "U") && left && js_kind_of(r->doc, left) == JS_TRUE) return jani_value_of(r, path, "right");
    return 0;
}

static uint32_t states_of(const jani_reader *r, uint32_t expression)
{
    for (int i = 0; i < PROPERTY_NEST_CAP && expression; i++) {
        uint32_t op = jani_value_of(r, expression, "op");
        if (is_word(r, op, "filter"))
            expression = jani_value_of(r, expression, "values");
        else if (is_word(r, op, "Pmin Pmax"))
            return target_of(r, jani_value_of(r, expression, "exp"));
        else if (is_word(r, op, "Emin Emax"))
            return jani_value_of(r, expression, "reach");
        else if (is_word(r, op, "≥ ≤ < > ="))
            expression = jani_value_of(r, expression, "left");
        else
            return 0;
    }
    return 0;
}

static void read_property(void *object)
{
    jani_reader *r = object;
    r->property_expr = jani_expr(r, r->property);
}

/* The expression of a node; -1: it cannot be read. Reading goes on as before. */
static int try_expr(jani_reader *r, uint32_t node)
{
    const jani_reader before = *r;
    r->property = node;
    vouch_status status = escape_quietly(r->e, read_property, r);
    if (status && status != VOUCH_ERROR_INPUT) escape_memory(r->e);
    if (!status) return r->property_expr;
    r->depth = before.depth;
    r->frame = before.frame;
    r->binding_count = before.binding_count;
    r->pending_count = before.pending_count;
    for (size_t i = 0; i < r->symbol_count; i++) r->symbol[i].open = false;
    return -1;
}

static void read_properties(jani_reader *r, uint32_t list)
{
    prism *p = r->p;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) {
        uint32_t name = jani_value_of(r, c, "name"), states = states_of(r, jani_value_of(r, c, "expression"));
        if (!is_string(r, name) || !states) continue;
        const char *word = js_string(r->doc, name);
        if (!*word || prism_find_label(p, word) >= 0) continue;
        int number = jani_name(r, word), expr = try_expr(r, states);
        if (expr >= 0) ESCAPE_PUSH(r->e, p, label, (prism_named){number, expr, line_of(r, name), (int)name});
    }
}

static void read_model(jani_reader *r)
{
    uint32_t field[MODEL_FIELDS];
    js_expect(r->doc, 0, OBJECT);
    uint32_t type = jani_value_of(r, 0, "type");
    if (type) read_model_type(r, type); /* first: if it is not supported, the message is about that and not about other fields */
    js_fields(r->doc, 0, model_field, MODEL_FIELDS, field);
    jani_constants(r, field[G_CONSTANTS]);
    jani_close_constants(r);
    jani_functions(r, field[G_FUNCTIONS], false);
    jani_variables(r, field[G_VARIABLES], NULL);
    if (field[G_RESTRICT]) jani_restrict(r, field[G_RESTRICT], jani_wrapped(r, field[G_RESTRICT]));
    read_system(r, field[G_SYSTEM], field[G_AUTOMATA]);
    finish_transients(r);
    read_properties(r, field[G_PROPERTIES]);
    if (r->loose) r->p->init = r->initial;
}

void jani_parse(prism *p, const char *content, size_t length)
{
    p->init = -1;
    escape_names(p->e, &p->names);
    p->json = ESCAPE_ZERO(p->e, js_doc, 1);
    char *own = mem_alloc(length + 1, 1);
    if (!own) escape_memory(p->e);
    memcpy(own, content, length);
    own[length] = '\0';
    p->json->e = p->e;
    p->json->foreign = true;
    jani_reader r = {.p = p, .doc = p->json, .e = p->e, .initial = -1};
    js_parse(p->json, p->file, own, length);
    if (p->json->count > INT_MAX) escape_fail(p->e, VOUCH_ERROR_SIZE, "%.200s: too many values", p->file);
    read_model(&r);
}
