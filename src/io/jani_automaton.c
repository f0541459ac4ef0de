/* io/jani_automaton.c - automata of JANI as modules; see jani_read.h.
 *
 * Guards are joined with the edge's location. What destinations assign to transient variables becomes items of reward structures,
 * evaluated in the state in which the step begins.
 */
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/jani_read.h"

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

static vouch_status find_location(jani_reader *r, const place *at, uint32_t node, int *number)
{
    const char *wanted = js_string(r->doc, node);
    int name = jani_name(r, wanted);
    const jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
    if (!s) return error_memory(r->error);
    if (s->home != at->module + 1) return JANI_FAIL(r, node, "the automaton has no location \"%.100s\"", wanted);
    *number = s->location;
    return VOUCH_OK;
}

static vouch_status name_locations(jani_reader *r, const place *at)
{
    int number = 0;
    for (uint32_t c = at->list + 1; c < js_end(r->doc, at->list); c = jani_next(r, c), number++) {
        uint32_t field[LOCATION_FIELDS];
        vouch_status status = js_fields(r->doc, c, location_field, LOCATION_FIELDS, field, r->error);
        if (status) return status;
        int name = jani_name(r, js_string(r->doc, field[L_NAME]));
        jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
        if (!s) return error_memory(r->error);
        if (s->home == at->module + 1) return JANI_FAIL(r, field[L_NAME], "the location is declared twice");
        s->home = at->module + 1;
        s->location = number;
    }
    return VOUCH_OK;
}

/* location = number; -1: there is only one. */
static vouch_status at_location(jani_reader *r, uint32_t node, const place *at, int number, int *expr)
{
    *expr = -1;
    if (at->variable < 0) return VOUCH_OK;
    int where = jani_make(r, node, OP_VAR, at->variable, -1, -1), which = jani_make_whole(r, node, OP_INT, number);
    if (where >= 0 && which >= 0) *expr = jani_make(r, node, OP_EQ, where, which, -1);
    return *expr < 0 ? error_memory(r->error) : VOUCH_OK;
}

/* Where the automaton is in this location, the transient variable has this value. */
static vouch_status add_value(jani_reader *r, uint32_t node, const place *at, int location)
{
    static const js_field value_field[] = {{"ref", JANI_TEXT, true}, {"value", JANI_EXPR, true}, {"comment", JANI_ANY, false}};
    uint32_t field[3];
    int value, here;
    vouch_status status = js_fields(r->doc, node, value_field, 3, field, r->error);
    if (status) return status;
    int name = jani_name(r, js_string(r->doc, field[0]));
    const jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
    if (!s) return error_memory(r->error);
    int number = s->transient;
    if (number == 0) return JANI_FAIL(r, field[0], "there is no transient variable \"%.100s\"", js_string(r->doc, field[0]));
    status = jani_expr(r, field[1], &value);
    if (!status) status = at_location(r, node, at, location, &here);
    if (status) return status;
    jani_transient *t = &r->transient[number - 1];
    t->placed = true;
    t->value = here < 0 ? value : jani_make(r, node, OP_IF, here, value, t->value);
    return t->value < 0 ? error_memory(r->error) : VOUCH_OK;
}

static vouch_status read_locations(jani_reader *r, const place *at)
{
    int number = 0;
    for (uint32_t c = at->list + 1; c < js_end(r->doc, at->list); c = jani_next(r, c), number++) {
        uint32_t field[LOCATION_FIELDS];
        vouch_status status = js_fields(r->doc, c, location_field, LOCATION_FIELDS, field, r->error);
        if (status) return status;
        if (field[L_PROGRESS]) return JANI_FAIL(r, field[L_PROGRESS], "time does not pass in models of type mdp and dtmc");
        uint32_t list = field[L_VALUES];
        for (uint32_t v = list + 1; list && v < js_end(r->doc, list) && !status; v = jani_next(r, v))
            status = add_value(r, v, at, number);
        if (status) return status;
    }
    return VOUCH_OK;
}

/* The variable of the location, and where it begins. */
static vouch_status declare_locations(jani_reader *r, place *at, uint32_t initial, const char *instance)
{
    prism *p = r->p;
    uint32_t count = js_count(r->doc, at->list);
    if (count == 0 || count > INT_MAX) return JANI_FAIL(r, at->list, "expected a location");
    if (js_count(r->doc, initial) == 0) return JANI_FAIL(r, initial, "expected an initial location");
    at->locations = (int)count;
    at->variable = -1;
    prism_variable v = {.module = at->module, .type = TYPE_INT, .line = line_of(r, at->list), .column = (int)at->list};
    v.low = jani_make_whole(r, at->list, OP_INT, 0);
    v.high = jani_make_whole(r, at->list, OP_INT, at->locations - 1);
    vouch_status status = v.low < 0 || v.high < 0 ? error_memory(r->error) : name_locations(r, at);
    if (count > 1) {
        if (!status) status = jani_free_name(r, "location_of", instance, false, &v.name);
        at->variable = (int)p->variable_count;
    }
    int any = -1;
    for (uint32_t c = initial + 1; c < js_end(r->doc, initial) && !status; c = jani_next(r, c)) {
        int number = 0, here = -1;
        status = js_expect(r->doc, c, JANI_TEXT, r->error);
        if (!status) status = find_location(r, at, c, &number);
        if (!status && any < 0) v.init = jani_make_whole(r, c, OP_INT, number);
        if (!status) status = at_location(r, c, at, number, &here);
        if (status || here < 0) continue;
        any = any < 0 ? here : jani_make(r, c, OP_OR, any, here, -1);
        if (v.init < 0 || any < 0) status = error_memory(r->error);
    }
    if (js_count(r->doc, initial) > 1) r->loose = true;
    if (!status) status = jani_and(r, initial, &r->initial, any);
    return status || count == 1 ? status : PRISM_PUSH(p, variable, v);
}

/* ---- edges --------------------------------------------------------------------------------------------------- */

enum { A_REF, A_VALUE, A_INDEX, A_COMMENT, ASSIGNMENT_FIELDS };
static const js_field assignment_field[ASSIGNMENT_FIELDS] = {{"ref", JANI_TEXT | JANI_OBJECT, true},
                                                             {"value", JANI_EXPR, true},
                                                             {"index", 1U << JS_NUMBER, false},
                                                             {"comment", JANI_ANY, false}};

/* What the update pays. */
static vouch_status add_item(jani_reader *r, uint32_t node, int transient, int value)
{
    int always = jani_make_whole(r, node, OP_BOOL, 1);
    jani_item item = {.transient = transient - 1};
    item.item = (prism_item){.transition = true,
                             .label = -1,
                             .guard = always,
                             .value = value,
                             .command = (int)r->p->command_count,
                             .update = (int)r->p->update_count};
    if (always < 0) return error_memory(r->error);
    if (r->transient[transient - 1].type == TYPE_BOOL) return VOUCH_OK;
    for (size_t i = r->item_count; i > 0 && r->item[i - 1].item.update == item.item.update; i--)
        if (r->item[i - 1].transient == item.transient) return JANI_FAIL(r, node, "the variable is assigned twice");
    return PRISM_PUSH(r, item, item);
}

static vouch_status read_assignment(jani_reader *r, uint32_t node, int lowest, prism_update *u)
{
    uint32_t field[ASSIGNMENT_FIELDS];
    prism_assignment a = {.line = line_of(r, node), .column = (int)node};
    vouch_status status = js_fields(r->doc, node, assignment_field, ASSIGNMENT_FIELDS, field, r->error);
    if (!status && field[A_INDEX]) status = js_int(r->doc, field[A_INDEX], INT_MIN, INT_MAX, &a.index, r->error);
    if (status) return status;
    int transient = 0;
    if (js_kind_of(r->doc, field[A_REF]) == JS_STRING) {
        int name = jani_name(r, js_string(r->doc, field[A_REF]));
        const jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
        if (!s) return error_memory(r->error);
        transient = s->transient;
    }
    r->later = a.index > lowest;
    status = transient ? VOUCH_OK : jani_targets(r, field[A_REF]);
    if (!status) status = jani_expr(r, field[A_VALUE], &a.expr);
    r->later = false;
    if (status) return status;
    if (transient && jani_is_array(r, a.expr))
        return JANI_FAIL(r, field[A_VALUE], "expected a number or a truth value, found an array");
    if (transient && a.index > lowest && r->p->expr[a.expr].op > OP_BOOL)
        return JANI_FAIL(r, node, "a transient variable can only have a number as value in an assignment of a higher index");
    return transient ? add_item(r, field[A_REF], transient, a.expr) : jani_assign(r, field[A_REF], &a, u);
}

/* The lowest index among assignments; 0 where one has none. */
static int lowest_index(const jani_reader *r, uint32_t list)
{
    int lowest = INT_MAX;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) {
        uint32_t field[ASSIGNMENT_FIELDS];
        int index = 0;
        if (js_fields(r->doc, c, assignment_field, ASSIGNMENT_FIELDS, field, NULL)) return 0;
        if (field[A_INDEX] && js_int(r->doc, field[A_INDEX], INT_MIN, INT_MAX, &index, NULL)) return 0;
        lowest = index < lowest ? index : lowest;
    }
    return lowest;
}

static vouch_status read_assignments(jani_reader *r, uint32_t list, int lowest, prism_update *u)
{
    vouch_status status = VOUCH_OK;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list) && !status; c = jani_next(r, c))
        status = read_assignment(r, c, lowest, u);
    return status;
}

enum { T_LOCATION, T_PROBABILITY, T_ASSIGNMENTS, T_COMMENT, DESTINATION_FIELDS };

/* every: the assignments that the edge has for all of its destinations. */
static vouch_status read_destination(jani_reader *r, uint32_t node, const place *at, int from, uint32_t every)
{
    static const js_field destination_field[DESTINATION_FIELDS] = {{"location", JANI_TEXT, true},
                                                                   {"probability", JANI_OBJECT, false},
                                                                   {"assignments", JANI_LIST, false},
                                                                   {"comment", JANI_ANY, false}};
    uint32_t field[DESTINATION_FIELDS];
    prism_update u = {.probability = -1, .first = (int)r->p->assignment_count};
    int to = 0;
    vouch_status status = js_fields(r->doc, node, destination_field, DESTINATION_FIELDS, field, r->error);
    if (!status && field[T_PROBABILITY]) status = jani_wrapped(r, field[T_PROBABILITY], &u.probability);
    if (!status) status = find_location(r, at, field[T_LOCATION], &to);
    uint32_t own = status ? 0 : field[T_ASSIGNMENTS];
    int lowest = lowest_index(r, own), shared = lowest_index(r, every);
    if (shared < lowest) lowest = shared;
    if (!status) status = read_assignments(r, every, lowest, &u);
    if (!status) status = read_assignments(r, own, lowest, &u);
    if (!status && to != from) {
        prism_assignment a = {.variable = at->variable, .when = -1, .line = line_of(r, node), .column = (int)node};
        a.expr = jani_make_whole(r, node, OP_INT, to);
        u.count++;
        status = a.expr < 0 ? error_memory(r->error) : PRISM_PUSH(r->p, assignment, a);
    }
    return status ? status : PRISM_PUSH(r->p, update, u);
}

enum { E_LOCATION, E_ACTION, E_RATE, E_GUARD, E_DESTINATIONS, E_ASSIGNMENTS, E_COMMENT, EDGE_FIELDS };

static vouch_status read_edge(jani_reader *r, uint32_t node, const place *at)
{
    static const js_field edge_field[EDGE_FIELDS] = {{"location", JANI_TEXT, true},     {"action", JANI_TEXT, false},
                                                     {"rate", JANI_OBJECT, false},      {"guard", JANI_OBJECT, false},
                                                     {"destinations", JANI_LIST, true}, {"assignments", JANI_LIST, false},
                                                     {"comment", JANI_ANY, false}};
    uint32_t field[EDGE_FIELDS];
    int from = 0, guard = -1;
    prism_command c = {.module = at->module,
                       .label = -1,
                       .guard = -1,
                       .first = (int)r->p->update_count,
                       .line = line_of(r, node),
                       .column = (int)node};
    vouch_status status = js_fields(r->doc, node, edge_field, EDGE_FIELDS, field, r->error);
    if (status) return status;
    if (field[E_RATE]) return JANI_FAIL(r, field[E_RATE], "an edge of a model of type mdp or dtmc must not have a rate");
    if (field[E_ACTION]) {
        c.label = jani_name(r, js_string(r->doc, field[E_ACTION]));
        if (c.label < 0) return error_memory(r->error);
    }
    status = find_location(r, at, field[E_LOCATION], &from);
    if (!status) status = at_location(r, field[E_LOCATION], at, from, &c.guard);
    if (!status && field[E_GUARD]) status = jani_wrapped(r, field[E_GUARD], &guard);
    if (!status) status = jani_and(r, node, &c.guard, guard);
    if (!status && c.guard < 0) {
        c.guard = jani_make_whole(r, node, OP_BOOL, 1);
        if (c.guard < 0) status = error_memory(r->error);
    }
    uint32_t list = field[E_DESTINATIONS];
    if (!status && js_count(r->doc, list) == 0) status = JANI_FAIL(r, list, "expected a destination");
    for (uint32_t d = list + 1; d < js_end(r->doc, list) && !status; d = jani_next(r, d), c.count++)
        status = read_destination(r, d, at, from, field[E_ASSIGNMENTS]);
    return status ? status : PRISM_PUSH(r->p, command, c);
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

enum { M_NAME, M_VARIABLES, M_FUNCTIONS, M_RESTRICT, M_LOCATIONS, M_INITIAL, M_EDGES, M_COMMENT, AUTOMATON_FIELDS };

static vouch_status read_body(jani_reader *r, const uint32_t field[], place *at, const char *instance)
{
    int restriction = -1;
    vouch_status status = declare_locations(r, at, field[M_INITIAL], instance);
    if (!status) status = jani_variables(r, field[M_VARIABLES], instance);
    if (!status) status = jani_functions(r, field[M_FUNCTIONS], true);
    if (!status && field[M_RESTRICT]) status = jani_wrapped(r, field[M_RESTRICT], &restriction);
    if (!status) status = jani_restrict(r, field[M_RESTRICT], restriction);
    if (!status) status = read_locations(r, at);
    prism_module *m = &r->p->module[at->module];
    m->first = (int)r->p->command_count;
    for (uint32_t c = field[M_EDGES] + 1; c < js_end(r->doc, field[M_EDGES]) && !status; c = jani_next(r, c))
        status = read_edge(r, c, at);
    m->count = (int)r->p->command_count - m->first;
    return status;
}

vouch_status jani_automaton(jani_reader *r, uint32_t node, const char *instance)
{
    static const js_field automaton_field[AUTOMATON_FIELDS] = {
        {"name", JANI_TEXT, true},       {"variables", JANI_LIST, false},
        {"functions", JANI_LIST, false}, {"restrict-initial", JANI_OBJECT, false},
        {"locations", JANI_LIST, true},  {"initial-locations", JANI_LIST, true},
        {"edges", JANI_LIST, true},      {"comment", JANI_ANY, false}};
    uint32_t field[AUTOMATON_FIELDS];
    vouch_status status = js_fields(r->doc, node, automaton_field, AUTOMATON_FIELDS, field, r->error);
    if (status) return status;
    place at = {.module = PRISM_ADD(r->p, module), .list = field[M_LOCATIONS]};
    int name = jani_name(r, instance);
    if (at.module < 0 || name < 0) return error_memory(r->error);
    r->p->module[at.module] = (prism_module){.name = name, .line = line_of(r, node), .column = (int)node};
    status = read_body(r, field, &at, instance);
    for (size_t i = 0; i < r->local_count; i++) { /* out of scope */
        jani_symbol *s = jani_symbol_of(r, r->local[i]);
        *s = (jani_symbol){.kind = JANI_NONE, .index = -1, .uses = s->uses, .taken = s->taken, .home = s->home};
    }
    r->local_count = 0;
    return status;
}
