/* io/jani_automaton.c - automata of JANI as modules; see jani.h.
 *
 * Guards are joined with the edge's location. What destinations assign to transient variables becomes items of reward structures,
 * evaluated in the state in which the step begins.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "io/jani.h"

typedef struct place { /* the automaton at hand */
    int module;
    int variable;  /* of its location; -1: it has only one */
    uint32_t list; /* of locations */
    int locations;
} place;

static int line_of(const jani_reader *r, uint32_t node) { return (int)r->doc->node[node].line; }

/* ---- locations ----------------------------------------------------------------------------------------------- */

enum { L_NAME, L_PROGRESS, L_VALUES, L_COMMENT, LOCATION_FIELDS };
static const js_field location_field[LOCATION_FIELDS] = {{"name", JANI_TEXT, true},
                                                         {"time-progress", JANI_OBJECT, false},
                                                         {"transient-values", JANI_LIST, false},
                                                         {"comment", JANI_ANY, false}};

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
    static const js_field value_field[] = {{"ref", JANI_TEXT, true}, {"value", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[3];
    js_fields(r->doc, node, value_field, 3, field);
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
        js_expect(r->doc, c, JANI_TEXT);
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

enum { A_REF, A_VALUE, A_INDEX, A_COMMENT, ASSIGNMENT_FIELDS };
static const js_field assignment_field[ASSIGNMENT_FIELDS] = {{"ref", JANI_TEXT | JANI_OBJECT, true},
                                                             {"value", JANI_EXPR, true},
                                                             {"index", 1U << JS_NUMBER, false},
                                                             {"comment", JANI_ANY, false}};

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

enum { T_LOCATION, T_PROBABILITY, T_ASSIGNMENTS, T_COMMENT, DESTINATION_FIELDS };

/* every: the assignments that the edge has for all of its destinations. */
static void read_destination(jani_reader *r, uint32_t node, const place *at, int from, uint32_t every)
{
    static const js_field destination_field[DESTINATION_FIELDS] = {{"location", JANI_TEXT, true},
                                                                   {"probability", JANI_OBJECT, false},
                                                                   {"assignments", JANI_LIST, false},
                                                                   {"comment", JANI_ANY, false}};
    uint32_t field[DESTINATION_FIELDS];
    prism_update u = {.probability = -1, .first = (int)r->p->assignment_count};
    js_fields(r->doc, node, destination_field, DESTINATION_FIELDS, field);
    if (field[T_PROBABILITY]) u.probability = jani_wrapped(r, field[T_PROBABILITY]);
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

enum { E_LOCATION, E_ACTION, E_RATE, E_GUARD, E_DESTINATIONS, E_ASSIGNMENTS, E_COMMENT, EDGE_FIELDS };

static void read_edge(jani_reader *r, uint32_t node, const place *at)
{
    static const js_field edge_field[EDGE_FIELDS] = {{"location", JANI_TEXT, true},     {"action", JANI_TEXT, false},
                                                     {"rate", JANI_OBJECT, false},      {"guard", JANI_OBJECT, false},
                                                     {"destinations", JANI_LIST, true}, {"assignments", JANI_LIST, false},
                                                     {"comment", JANI_ANY, false}};
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

/* ---- the whole ----------------------------------------------------------------------------------------------- */

enum { M_NAME, M_VARIABLES, M_FUNCTIONS, M_RESTRICT, M_LOCATIONS, M_INITIAL, M_EDGES, M_COMMENT, AUTOMATON_FIELDS };

static void read_body(jani_reader *r, const uint32_t field[], place *at, const char *instance)
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

void jani_automaton(jani_reader *r, uint32_t node, const char *instance)
{
    static const js_field automaton_field[AUTOMATON_FIELDS] = {
        {"name", JANI_TEXT, true},       {"variables", JANI_LIST, false},
        {"functions", JANI_LIST, false}, {"restrict-initial", JANI_OBJECT, false},
        {"locations", JANI_LIST, true},  {"initial-locations", JANI_LIST, true},
        {"edges", JANI_LIST, true},      {"comment", JANI_ANY, false}};
    uint32_t field[AUTOMATON_FIELDS];
    js_fields(r->doc, node, automaton_field, AUTOMATON_FIELDS, field);
    place at = {.module = (int)r->p->module_count, .list = field[M_LOCATIONS]};
    int name = jani_name(r, instance);
    ESCAPE_PUSH(r->e, r->p, module, (prism_module){.name = name, .line = line_of(r, node), .column = (int)node});
    read_body(r, field, &at, instance);
    for (size_t i = 0; i < r->local_count; i++) { /* out of scope */
        jani_symbol *s = jani_symbol_of(r, r->local[i]);
        *s = (jani_symbol){.kind = JANI_NONE, .index = -1, .uses = s->uses, .taken = s->taken, .home = s->home};
    }
    r->local_count = 0;
}
