/* io/jani.c - see jani.h. */
#include "io/jani.h"

#include <limits.h>
#include <string.h>

#include "base/locale.h"
#include "io/jani.h"

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
    G_PROPERTIES,
    G_AUTOMATA,
    G_SYSTEM,
    G_COMMENT,
    MODEL_FIELDS
};
static const js_field model_field[MODEL_FIELDS] = {
    [G_VERSION] = {"jani-version", 1U << JS_NUMBER, true},
    [G_NAME] = {"name", JANI_TEXT, true},
    [G_METADATA] = {"metadata", JANI_ANY, false},
    [G_TYPE] = {"type", JANI_TEXT, true},
    [G_FEATURES] = {"features", JANI_LIST, false},
    [G_ACTIONS] = {"actions", JANI_LIST, false},
    [G_CONSTANTS] = {"constants", JANI_LIST, false},
    [G_VARIABLES] = {"variables", JANI_LIST, false},
    [G_FUNCTIONS] = {"functions", JANI_LIST, false},
    [G_RESTRICT] = {"restrict-initial", JANI_OBJECT, false},
    [G_PROPERTIES] = {"properties", JANI_LIST, false},
    [G_AUTOMATA] = {"automata", JANI_LIST, true},
    [G_SYSTEM] = {"system", JANI_OBJECT, true},
    [G_COMMENT] = {"comment", JANI_ANY, false},
};

/* ---- the type ------------------------------------------------------------------------------------------------ */

static void read_model_type(jani_reader *r, uint32_t node)
{
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

/* If the type is not supported, the message is about that and not about other fields. */
static void check_type_first(jani_reader *r)
{
    js_expect(r->doc, 0, 1U << JS_OBJECT);
    for (uint32_t c = 1; c < js_end(r->doc, 0); c = js_end(r->doc, c + 1))
        if (strcmp(js_string(r->doc, c), "type") == 0) {
            js_expect(r->doc, c + 1, JANI_TEXT);
            read_model_type(r, c + 1);
        }
}

/* ---- composition --------------------------------------------------------------------------------------------- */

static const js_field element_field[] = {
    {"automaton", JANI_TEXT, true}, {"input-enable", JANI_LIST, false}, {"comment", JANI_ANY, false}};

static bool is_string(const jani_reader *r, uint32_t node) { return node && js_kind_of(r->doc, node) == JS_STRING; }

/* The automaton of that name. */
static uint32_t find_automaton(const jani_reader *r, uint32_t automata, uint32_t name)
{
    const char *wanted = js_string(r->doc, name);
    for (uint32_t c = automata + 1; c < js_end(r->doc, automata); c = jani_next(r, c)) {
        js_expect(r->doc, c, JANI_OBJECT);
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
    prism_command idle = {(int)p->module_count - 1, label, guard, (int)p->update_count, 1, (int)r->doc->node[node].line, (int)node};
    ESCAPE_PUSH(r->e, p, update, (prism_update){-1, (int)p->assignment_count, 0});
    ESCAPE_PUSH(r->e, p, command, idle);
    m->count++;
}

static void enable_inputs(jani_reader *r, uint32_t list)
{
    for (uint32_t c = list + 1; c < js_end(r->doc, list); c = jani_next(r, c)) {
        js_expect(r->doc, c, JANI_TEXT);
        enable_input(r, c, jani_name(r, js_string(r->doc, c)));
    }
}

/* An element of the composition as a module; an automaton listed twice becomes two modules. */
static void read_element(jani_reader *r, uint32_t node, uint32_t automata, bool count)
{
    uint32_t field[3];
    js_fields(r->doc, node, element_field, 3, field);
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
    static const js_field sync_field[] = {
        {"synchronise", JANI_LIST, true}, {"result", JANI_TEXT | 1U << JS_NULL, false}, {"comment", JANI_ANY, false}};
    prism *p = r->p;
    uint32_t field[3];
    prism_sync sync = {.label = -1, .first = (int)p->partner_count};
    js_fields(r->doc, node, sync_field, 3, field);
    if (js_count(r->doc, field[0]) != p->module_count)
        js_fail(r->doc, field[0], "expected an action or null for each of the %zu automata, found %u", p->module_count,
                js_count(r->doc, field[0]));
    int module = 0;
    for (uint32_t c = field[0] + 1; c < js_end(r->doc, field[0]); c = jani_next(r, c), module++) {
        js_expect(r->doc, c, JANI_TEXT | 1U << JS_NULL);
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

enum { S_ELEMENTS, S_SYNCS, S_COMMENT, SYSTEM_FIELDS };

/* Without synchronisations a single automaton acts as it is, as in Storm. */
static void read_system(jani_reader *r, uint32_t node, uint32_t automata)
{
    static const js_field system_field[SYSTEM_FIELDS] = {
        {"elements", JANI_LIST, true}, {"syncs", JANI_LIST, false}, {"comment", JANI_ANY, false}};
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

/* ---- transient variables ------------------------------------------------------------------------------------- */

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
        ESCAPE_PUSH(r->e, p, label, (prism_named){t->name, expr, (int)r->doc->node[t->node].line, (int)t->node});
    }
}

/* ---- properties ---------------------------------------------------------------------------------------------- */

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

typedef struct property_reading {
    jani_reader *r;
    uint32_t node;
    int expr;
} property_reading;

static void read_property(void *object)
{
    property_reading *p = object;
    p->expr = jani_expr(p->r, p->node);
}

/* The expression of a node; -1: it cannot be read. Reading goes on as before. */
static int try_expr(jani_reader *r, uint32_t node)
{
    const jani_reader before = *r;
    vouch_error *error = r->e->error;
    property_reading p = {r, node, -1};
    r->e->error = NULL;
    vouch_status status = escape_try(r->e, read_property, &p);
    r->e->error = error;
    if (status && status != VOUCH_ERROR_INPUT) escape_memory(r->e);
    if (!status) return p.expr;
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
        if (expr >= 0) ESCAPE_PUSH(r->e, p, label, (prism_named){number, expr, (int)r->doc->node[name].line, (int)name});
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void read_model(jani_reader *r)
{
    uint32_t field[MODEL_FIELDS];
    check_type_first(r);
    js_fields(r->doc, 0, model_field, MODEL_FIELDS, field);
    read_model_type(r, field[G_TYPE]);
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
