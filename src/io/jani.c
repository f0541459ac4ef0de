/* io/jani.c - see jani.h. */
#include "io/jani.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/jani_read.h"
#include "io/prism_read.h"

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

static vouch_status read_model_type(jani_reader *r, uint32_t node)
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
    if (r->p->dtmc || strcmp(type, "mdp") == 0) return VOUCH_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(type, others[i][0]) == 0)
            return JANI_FAIL(r, node, "\"%s\" is %s; vouch plans for models of type mdp and dtmc", type, others[i][1]);
    return JANI_FAIL(r, node, "expected mdp or dtmc, found \"%.40s\"", type);
}

/* A type that is not read is what is wrong with the file, whatever else its fields are. */
static vouch_status check_type_first(jani_reader *r)
{
    vouch_status status = js_expect(r->doc, 0, 1U << JS_OBJECT, r->error);
    for (uint32_t c = 1; !status && c < js_end(r->doc, 0); c = js_end(r->doc, c + 1))
        if (strcmp(js_string(r->doc, c), "type") == 0 && !(status = js_expect(r->doc, c + 1, JANI_TEXT, r->error)))
            status = read_model_type(r, c + 1);
    return status;
}

/* ---- composition --------------------------------------------------------------------------------------------- */

static const js_field element_field[] = {
    {"automaton", JANI_TEXT, true}, {"input-enable", JANI_LIST, false}, {"comment", JANI_ANY, false}};

/* The automaton of that name. */
static vouch_status find_automaton(const jani_reader *r, uint32_t automata, uint32_t name, uint32_t *found)
{
    const char *wanted = js_string(r->doc, name);
    for (uint32_t c = automata + 1; c < js_end(r->doc, automata); c = jani_next(r, c)) {
        vouch_status status = js_expect(r->doc, c, JANI_OBJECT, r->error);
        if (status) return status;
        for (uint32_t f = c + 1; f < js_end(r->doc, c); f = js_end(r->doc, f + 1))
            if (strcmp(js_string(r->doc, f), "name") == 0 && js_kind_of(r->doc, f + 1) == JS_STRING &&
                strcmp(js_string(r->doc, f + 1), wanted) == 0) {
                *found = c;
                return VOUCH_OK;
            }
    }
    return JANI_FAIL(r, name, "there is no automaton \"%.100s\"", wanted);
}

/* Counts how many automata of the composition have a variable of each name. */
static vouch_status count_uses(jani_reader *r, uint32_t automaton)
{
    for (uint32_t f = automaton + 1; f < js_end(r->doc, automaton); f = js_end(r->doc, f + 1)) {
        if (strcmp(js_string(r->doc, f), "variables") != 0 || js_kind_of(r->doc, f + 1) != JS_ARRAY) continue;
        for (uint32_t v = f + 2; v < js_end(r->doc, f + 1); v = jani_next(r, v)) {
            if (js_kind_of(r->doc, v) != JS_OBJECT) continue;
            for (uint32_t g = v + 1; g < js_end(r->doc, v); g = js_end(r->doc, g + 1)) {
                if (strcmp(js_string(r->doc, g), "name") != 0 || js_kind_of(r->doc, g + 1) != JS_STRING) continue;
                int name = jani_name(r, js_string(r->doc, g + 1));
                jani_symbol *s = name < 0 ? NULL : jani_symbol_of(r, name);
                if (!s) return error_memory(r->error);
                s->uses++;
            }
        }
    }
    return VOUCH_OK;
}

/* Where no command of the last module has this label, one that changes nothing does. */
static vouch_status enable_input(jani_reader *r, uint32_t node, int label)
{
    prism *p = r->p;
    prism_module *m = &p->module[p->module_count - 1];
    int any = -1;
    for (int c = m->first; c < m->first + m->count; c++) {
        if (p->command[c].label != label) continue;
        any = any < 0 ? p->command[c].guard : jani_make(r, node, OP_OR, any, p->command[c].guard, -1);
        if (any < 0) return error_memory(r->error);
    }
    int guard = any < 0 ? jani_make_whole(r, node, OP_BOOL, 1) : jani_make(r, node, OP_NOT, any, -1, -1);
    prism_command idle = {(int)p->module_count - 1, label, guard, (int)p->update_count, 1, (int)r->doc->node[node].line, (int)node};
    vouch_status status =
        guard < 0 ? error_memory(r->error) : PRISM_PUSH(p, update, (prism_update){-1, (int)p->assignment_count, 0});
    m->count += !status;
    return status ? status : PRISM_PUSH(p, command, idle);
}

static vouch_status enable_inputs(jani_reader *r, uint32_t list)
{
    vouch_status status = VOUCH_OK;
    for (uint32_t c = list + 1; c < js_end(r->doc, list) && !status; c = jani_next(r, c)) {
        status = js_expect(r->doc, c, JANI_TEXT, r->error);
        int label = status ? -1 : jani_name(r, js_string(r->doc, c));
        if (!status) status = label < 0 ? error_memory(r->error) : enable_input(r, c, label);
    }
    return status;
}

/* An element of the composition as a module; one that stands there twice is two. */
static vouch_status read_element(jani_reader *r, uint32_t node, uint32_t automata, bool count)
{
    uint32_t field[3], automaton = 0;
    int name;
    vouch_status status = js_fields(r->doc, node, element_field, 3, field, r->error);
    if (!status) status = find_automaton(r, automata, field[0], &automaton);
    if (status || count) return status ? status : count_uses(r, automaton);
    const char *word = js_string(r->doc, field[0]);
    char instance[128];
    format_text(instance, sizeof instance, "%.100s", word);
    for (size_t i = 0, copy = 2; i < r->p->module_count; i++) {
        if (strcmp(prism_name(r->p, r->p->module[i].name), instance) != 0) continue;
        format_text(instance, sizeof instance, "%.100s_%zu", word, copy++);
        i = (size_t)-1;
    }
    name = jani_name(r, instance);
    status = name < 0 ? error_memory(r->error) : jani_automaton(r, automaton, instance);
    return status || !field[1] ? status : enable_inputs(r, field[1]);
}

/* {"synchronise": ["a", null, "b"], "result": "c"} */
static vouch_status read_sync(jani_reader *r, uint32_t node)
{
    static const js_field sync_field[] = {
        {"synchronise", JANI_LIST, true}, {"result", JANI_TEXT | 1U << JS_NULL, false}, {"comment", JANI_ANY, false}};
    prism *p = r->p;
    uint32_t field[3];
    prism_sync sync = {.label = -1, .first = (int)p->partner_count};
    vouch_status status = js_fields(r->doc, node, sync_field, 3, field, r->error);
    if (status) return status;
    if (js_count(r->doc, field[0]) != p->module_count)
        return JANI_FAIL(r, field[0], "expected an action or null for each of the %zu automata, found %u", p->module_count,
                         js_count(r->doc, field[0]));
    int module = 0;
    for (uint32_t c = field[0] + 1; c < js_end(r->doc, field[0]) && !status; c = jani_next(r, c), module++) {
        status = js_expect(r->doc, c, JANI_TEXT | 1U << JS_NULL, r->error);
        if (status || js_kind_of(r->doc, c) == JS_NULL) continue;
        int label = jani_name(r, js_string(r->doc, c));
        status = label < 0 ? error_memory(r->error) : PRISM_PUSH(p, partner, (prism_partner){.module = module, .label = label});
    }
    sync.count = (int)p->partner_count - sync.first;
    if (!status && sync.count == 0) status = JANI_FAIL(r, field[0], "expected an action");
    if (!status && field[1] && js_kind_of(r->doc, field[1]) == JS_STRING) {
        sync.label = jani_name(r, js_string(r->doc, field[1]));
        if (sync.label < 0) status = error_memory(r->error);
    }
    for (size_t i = 0; i < p->sync_count && !status; i++)
        if (p->sync[i].label == sync.label && p->sync[i].count == sync.count &&
            memcmp(&p->partner[p->sync[i].first], &p->partner[sync.first], (size_t)sync.count * sizeof *p->partner) == 0)
            status = JANI_FAIL(r, node, "the same synchronisation is given twice");
    return status ? status : PRISM_PUSH(p, sync, sync);
}

enum { S_ELEMENTS, S_SYNCS, S_COMMENT, SYSTEM_FIELDS };

/* Without synchronisations a single automaton acts as it is, as in Storm. */
static vouch_status read_system(jani_reader *r, uint32_t node, uint32_t automata)
{
    static const js_field system_field[SYSTEM_FIELDS] = {
        {"elements", JANI_LIST, true}, {"syncs", JANI_LIST, false}, {"comment", JANI_ANY, false}};
    uint32_t field[SYSTEM_FIELDS];
    vouch_status status = js_fields(r->doc, node, system_field, SYSTEM_FIELDS, field, r->error);
    if (status) return status;
    if (js_count(r->doc, field[S_ELEMENTS]) == 0) return JANI_FAIL(r, field[S_ELEMENTS], "expected an automaton");
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = field[S_ELEMENTS] + 1; c < js_end(r->doc, field[S_ELEMENTS]) && !status; c = jani_next(r, c))
            status = read_element(r, c, automata, pass == 0);
    if (status) return status;
    if (r->p->module_count == 1 && (!field[S_SYNCS] || js_count(r->doc, field[S_SYNCS]) == 0)) return prism_make_syncs(r->p);
    for (uint32_t c = field[S_SYNCS] + 1; field[S_SYNCS] && c < js_end(r->doc, field[S_SYNCS]) && !status; c = jani_next(r, c))
        status = read_sync(r, c);
    return status ? status : prism_find_partaking(r->p);
}

/* ---- transient variables ------------------------------------------------------------------------------------- */

static vouch_status lay_out_rewards(jani_reader *r, int number)
{
    prism *p = r->p;
    const jani_transient *t = &r->transient[number];
    prism_rewards rewards = {.name = t->name, .first = (int)p->item_count};
    vouch_status status = VOUCH_OK;
    if (t->placed) {
        prism_item item = {.label = -1, .command = -1, .update = -1};
        item.guard = jani_make_whole(r, t->node, OP_BOOL, 1);
        item.value = jani_make(r, t->node, OP_FORMULA, t->formula, -1, -1);
        status = item.guard < 0 || item.value < 0 ? error_memory(r->error) : PRISM_PUSH(p, item, item);
    }
    for (size_t i = 0; i < r->item_count && !status; i++)
        if (r->item[i].transient == number) status = PRISM_PUSH(p, item, r->item[i].item);
    rewards.count = (int)p->item_count - rewards.first;
    return status || rewards.count == 0 || !t->zero ? status : PRISM_PUSH(p, rewards, rewards);
}

static vouch_status finish_transients(jani_reader *r)
{
    prism *p = r->p;
    vouch_status status = VOUCH_OK;
    for (size_t i = 0; i < r->transient_count && !status; i++) {
        const jani_transient *t = &r->transient[i];
        p->formula[t->formula].expr = t->value;
        if (t->type != TYPE_BOOL) {
            status = lay_out_rewards(r, (int)i);
            continue;
        }
        int expr = jani_make(r, t->node, OP_FORMULA, t->formula, -1, -1);
        status = expr < 0 ? error_memory(r->error)
                          : PRISM_PUSH(p, label, (prism_named){t->name, expr, (int)r->doc->node[t->node].line, (int)t->node});
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static vouch_status read_model(jani_reader *r)
{
    uint32_t field[MODEL_FIELDS];
    int restriction = -1;
    vouch_status status = check_type_first(r);
    if (!status) status = js_fields(r->doc, 0, model_field, MODEL_FIELDS, field, r->error);
    if (!status) status = read_model_type(r, field[G_TYPE]);
    if (!status) status = jani_constants(r, field[G_CONSTANTS]);
    if (!status) status = jani_close_constants(r);
    if (!status) status = jani_functions(r, field[G_FUNCTIONS], false);
    if (!status) status = jani_variables(r, field[G_VARIABLES], NULL);
    if (!status && field[G_RESTRICT]) status = jani_wrapped(r, field[G_RESTRICT], &restriction);
    if (!status) status = jani_restrict(r, field[G_RESTRICT], restriction);
    if (!status) status = read_system(r, field[G_SYSTEM], field[G_AUTOMATA]);
    if (!status) status = finish_transients(r);
    if (!status) status = jani_properties(r, field[G_PROPERTIES]);
    if (!status && r->loose) r->p->init = r->initial;
    return status;
}

vouch_status jani_parse(prism *p, const char *content, size_t length)
{
    p->init = -1;
    p->json = MEM_ZERO(js_doc, 1);
    char *own = p->json ? mem_alloc(length + 1, 1) : NULL;
    if (!own) return error_memory(p->error);
    memcpy(own, content, length);
    own[length] = '\0';
    p->json->foreign = true;
    vouch_status status = js_parse(p->json, p->file, own, length, p->error);
    if (!status && p->json->count > INT_MAX) status = error_set(p->error, VOUCH_ERROR_SIZE, "%.200s: too many values", p->file);
    jani_reader r = {.p = p, .doc = p->json, .error = p->error, .initial = -1};
    if (!status) status = read_model(&r);
    mem_free(r.symbol);
    mem_free(r.binding);
    mem_free(r.transient);
    mem_free(r.item);
    mem_free(r.local);
    mem_free(r.pending);
    mem_free(r.target);
    mem_free(r.constant);
    mem_free(r.known);
    return status;
}
