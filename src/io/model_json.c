/* io/model_json.c - reading the JSON model file.
 *
 *   { "vouch": 1, "name", "states", "actions", "initial", "horizon", "observe", "prior", "commitment": {"states", "probability"},
 *     "labels", "transitions": [[s, a, s', p], ..], "rewards": [[s, a, r] or [s, a, s', r], ..],
 *     "environments": [{"name", "transitions", "rewards"}, ..] }
 *
 * Rows at the top hold for every environment; an environment's own rows of a pair (s, a) replace all the shared rows of that
 * pair, transitions and rewards each for themselves. Rows of the same (s, a, s') add up, rewards too: [s, a, r] is paid
 * whenever a is taken in s, [s, a, s', r] in addition when s' is reached.
 * An error of model_finish is reported at the row of the file that caused it.
 */
#include "io/model_json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "io/model_parts.h"

/* States or actions given as a count, and their product: a slip of the keyboard must not eat the memory. */
enum { COUNT_CAP = 1000000 };

enum { NUMBER = 1U << JS_NUMBER, STRING = 1U << JS_STRING, ARRAY = 1U << JS_ARRAY, OBJECT = 1U << JS_OBJECT };

enum {
    TOP_VOUCH,
    TOP_NAME,
    TOP_STATES,
    TOP_ACTIONS,
    TOP_INITIAL,
    TOP_HORIZON,
    TOP_OBSERVE,
    TOP_PRIOR,
    TOP_COMMITMENT,
    TOP_COMMITMENTS,
    TOP_LABELS,
    TOP_TRANSITIONS,
    TOP_REWARDS,
    TOP_ENVIRONMENTS,
    TOP_FIELDS
};
static const js_field top_field[TOP_FIELDS] = {
    [TOP_VOUCH] = {"vouch", NUMBER, true},
    [TOP_NAME] = {"name", STRING, false},
    [TOP_STATES] = {"states", ARRAY | NUMBER, true},
    [TOP_ACTIONS] = {"actions", ARRAY | NUMBER, true},
    [TOP_INITIAL] = {"initial", STRING | OBJECT, true},
    [TOP_HORIZON] = {"horizon", NUMBER, true},
    [TOP_OBSERVE] = {"observe", STRING, false},
    [TOP_PRIOR] = {"prior", OBJECT, false},
    [TOP_COMMITMENT] = {"commitment", OBJECT, false},
    [TOP_COMMITMENTS] = {"commitments", ARRAY, false},
    [TOP_LABELS] = {"labels", OBJECT, false},
    [TOP_TRANSITIONS] = {"transitions", ARRAY, false},
    [TOP_REWARDS] = {"rewards", ARRAY, false},
    [TOP_ENVIRONMENTS] = {"environments", ARRAY, true},
};
enum { PHI_STATES, PHI_PROBABILITY, PHI_OVER, PHI_FIELDS };
static const js_field phi_field[PHI_FIELDS] = {{"states", ARRAY, true}, {"probability", NUMBER, true}, {"over", STRING, false}};
enum { ENV_NAME, ENV_TRANSITIONS, ENV_REWARDS, ENV_FIELDS };
static const js_field env_field[ENV_FIELDS] = {{"name", STRING, false}, {"transitions", ARRAY, false}, {"rewards", ARRAY, false}};

typedef struct loader {
    rows_source in;
    vouch_model *model;
    names env_names;
    uint32_t field[TOP_FIELDS];
    uint32_t *env;                          /* [K]: the environments' objects */
    json_rows transitions, rewards;         /* shared */
    json_rows own_transitions, own_rewards; /* of the environment at hand */
    unsigned char *replaced;                /* [cells] */
    double *paid;                           /* [cells]: rewards that do not depend on the successor */
    size_t replaced_capacity, paid_capacity;
    json_row *extra; /* rewards that do, sorted by (s, a, s') */
    size_t extra_count;
} loader;

static void add_name(loader *l, names *table, uint32_t at, const char *name, const char *what)
{
    if (names_find(table, name) >= 0) js_fail(l->in.doc, at, "the %s \"%.100s\" is named twice", what, name);
    must_count(l->in.doc->e, names_add(table, name));
}

/* An array of names, or a count, which means prefix0, prefix1, .. */
static void read_names(loader *l, uint32_t at, names *table, const char *prefix, const char *what)
{
    const js_doc *doc = l->in.doc;
    if (js_kind_of(doc, at) == JS_NUMBER) {
        enum { WIDTH = 16 };
        int count = js_int(doc, at, 1, COUNT_CAP);
        for (int i = 0; i < count; i++) {
            char name[WIDTH];
            format_text(name, sizeof name, "%s%d", prefix, i);
            add_name(l, table, at, name, what);
        }
        return;
    }
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c)) {
        js_expect(doc, c, STRING);
        if (!*js_string(doc, c)) js_fail(doc, c, "expected a name, found an empty string");
        add_name(l, table, c, js_string(doc, c), what);
    }
    if (!table->count) js_fail(doc, at, "expected at least one %s", what);
}

/* ---- one environment ----------------------------------------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
    const json_row *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->action != b->action) return a->action < b->action ? -1 : 1;
    return (a->next > b->next) - (a->next < b->next);
}

static void mark_replaced(loader *l, const json_rows *own)
{
    memset(l->replaced, 0, (size_t)l->in.cells.count);
    for (size_t i = 0; i < own->count; i++) l->replaced[own->row[i].cell] = 1;
}

static void pay(loader *l, const json_row *r)
{
    if (r->next < 0)
        l->paid[r->cell] += r->value;
    else
        l->extra[l->extra_count++] = *r;
}

static void gather_rewards(loader *l)
{
    escape_free(l->in.doc->e, l->extra);
    l->extra_count = 0;
    l->extra = ESCAPE_NEW(l->in.doc->e, json_row, l->rewards.count + l->own_rewards.count);
    memset(l->paid, 0, (size_t)l->in.cells.count * sizeof *l->paid);
    mark_replaced(l, &l->own_rewards);
    for (size_t i = 0; i < l->rewards.count; i++)
        if (!l->replaced[l->rewards.row[i].cell]) pay(l, &l->rewards.row[i]);
    for (size_t i = 0; i < l->own_rewards.count; i++) pay(l, &l->own_rewards.row[i]);
    bool sorted = true;
    for (size_t i = 1; i < l->extra_count && sorted; i++) sorted = by_place(&l->extra[i - 1], &l->extra[i]) <= 0;
    if (!sorted) qsort(l->extra, l->extra_count, sizeof *l->extra, by_place);
}

static double reward_of(const loader *l, const json_row *r)
{
    double sum = l->paid[r->cell];
    size_t low = 0, high = l->extra_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_place(&l->extra[middle], r) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < l->extra_count && by_place(&l->extra[low], r) == 0; low++) sum += l->extra[low].value;
    return sum;
}

static void add_row(loader *l, int k, const json_row *r)
{
    vouch_status status = vouch_model_add(l->model, k, r->state, r->action, r->next, r->value, reward_of(l, r));
    if (status) escape_fail(l->in.doc->e, status, "%s: %s", l->in.doc->name, vouch_status_text(status));
}

/* Rewards are for actions that exist. `replaced` is used for marks. */
static void check_rewards(loader *l, const json_rows *rewards)
{
    for (size_t i = 0; i < rewards->count; i++)
        if (!l->replaced[rewards->row[i].cell])
            js_fail(l->in.doc, rewards->row[i].node, "a reward for an action without transitions in this state");
}

static void read_environment(loader *l, int k)
{
    const js_doc *doc = l->in.doc;
    uint32_t field[ENV_FIELDS];
    js_fields(doc, l->env[k], env_field, ENV_FIELDS, field);
    if (field[ENV_NAME]) {
        add_name(l, &l->env_names, field[ENV_NAME], js_string(doc, field[ENV_NAME]), "environment");
        if (vouch_model_set_environment_name(l->model, k, js_string(doc, field[ENV_NAME]))) escape_memory(doc->e);
    }
    json_rows_read(&l->in, field[ENV_TRANSITIONS], false, &l->own_transitions);
    json_rows_read(&l->in, field[ENV_REWARDS], true, &l->own_rewards);
    size_t cells = (size_t)l->in.cells.count;
    ESCAPE_GROW(doc->e, &l->replaced, &l->replaced_capacity, cells);
    ESCAPE_GROW(doc->e, &l->paid, &l->paid_capacity, cells);
    gather_rewards(l);
    mark_replaced(l, &l->own_transitions);
    for (size_t i = 0; i < l->transitions.count; i++)
        if (!l->replaced[l->transitions.row[i].cell]) add_row(l, k, &l->transitions.row[i]);
    for (size_t i = 0; i < l->own_transitions.count; i++) add_row(l, k, &l->own_transitions.row[i]);
    for (size_t i = 0; i < l->transitions.count; i++) l->replaced[l->transitions.row[i].cell] = 1;
    check_rewards(l, &l->own_rewards);
    check_rewards(l, &l->rewards);
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void name_everything(loader *l)
{
    vouch_model *m = l->model;
    uint32_t name = l->field[TOP_NAME];
    int failed = name && vouch_model_set_name(m, js_string(l->in.doc, name)) != VOUCH_OK;
    for (int s = 0; s < m->S && !failed; s++) failed = vouch_model_set_state_name(m, s, names_text(&l->in.states, s)) != VOUCH_OK;
    for (int a = 0; a < m->A && !failed; a++) failed = vouch_model_set_action_name(m, a, names_text(&l->in.actions, a)) != VOUCH_OK;
    if (failed) escape_memory(l->in.doc->e);
}

static void read_commitment(loader *l)
{
    const js_doc *doc = l->in.doc;
    uint32_t field[PHI_FIELDS];
    js_fields(doc, l->field[TOP_COMMITMENT], phi_field, PHI_FIELDS, field);
    vouch_model_set_probability(l->model, json_probability(doc, field[PHI_PROBABILITY]));
    for (uint32_t list = field[PHI_STATES], c = list + 1; c < js_end(doc, list); c = js_end(doc, c)) {
        int s = json_name_find(&l->in, c, &l->in.states, "state");
        if (l->model->terminal[s] > 0) js_fail(doc, c, "the state \"%.100s\" is named twice", js_string(doc, c));
        vouch_model_set_commitment(l->model, s, 1);
    }
    read_over_json(doc, field[PHI_OVER], field[PHI_PROBABILITY], 0, l->model);
}

/* The node behind a fault of model_finish: a row of the pair, the environment, or the state. */
static uint32_t blamed(loader *l, const vouch_model_fault *fault)
{
    uint32_t field[ENV_FIELDS], states = l->field[TOP_STATES];
    if (fault->action < 0 && fault->state >= 0 && js_kind_of(l->in.doc, states) == JS_ARRAY) {
        uint32_t c = states + 1;
        for (int s = 0; s < fault->state; s++) c = js_end(l->in.doc, c);
        return c;
    }
    if (fault->environment < 0) return 0;
    uint32_t env = l->env[fault->environment];
    js_fields(l->in.doc, env, env_field, ENV_FIELDS, field);
    json_rows_read(&l->in, field[ENV_TRANSITIONS], false, &l->own_transitions);
    const json_rows *lists[] = {&l->own_transitions, &l->transitions};
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; i < lists[which]->count; i++)
            if (lists[which]->row[i].state == fault->state && lists[which]->row[i].action == fault->action)
                return lists[which]->row[i].node;
    return env;
}

static void end_cells(void *object) { intern_free(object); }

static void load(void *object)
{
    loader *l = object;
    const js_doc *doc = l->in.doc;
    escape_names(doc->e, &l->in.states);
    escape_names(doc->e, &l->in.actions);
    escape_names(doc->e, &l->env_names);
    escape_keep(doc->e, end_cells, &l->in.cells);
    js_fields(doc, 0, top_field, TOP_FIELDS, l->field);
    js_int(doc, l->field[TOP_VOUCH], 1, 1);
    read_names(l, l->field[TOP_STATES], &l->in.states, "s", "state");
    read_names(l, l->field[TOP_ACTIONS], &l->in.actions, "a", "action");
    bool several = js_kind_of(doc, l->field[TOP_INITIAL]) == JS_OBJECT;
    int initial = several ? 0 : json_name_find(&l->in, l->field[TOP_INITIAL], &l->in.states, "state");
    int horizon = js_int(doc, l->field[TOP_HORIZON], 1, INT_MAX);
    uint32_t envs = l->field[TOP_ENVIRONMENTS], at = envs + 1;
    int K = (int)js_count(doc, envs);
    if (K < 1) js_fail(doc, envs, "expected at least one environment");
    if (vouch_model_new(&l->model, l->in.states.count, l->in.actions.count, K, horizon)) escape_memory(doc->e);
    l->env = ESCAPE_NEW(doc->e, uint32_t, K);
    must_count(doc->e, intern_init(&l->in.cells, 1));
    for (int k = 0; k < K; k++, at = js_end(doc, at)) l->env[k] = at;
    vouch_model_set_initial(l->model, initial);
    name_everything(l);
    read_observed_json(doc, l->field[TOP_OBSERVE], l->model);
    if (several) read_initial_json(doc, l->field[TOP_INITIAL], &l->in.states, l->model);
    if (l->field[TOP_COMMITMENT]) read_commitment(l);
    json_rows_read(&l->in, l->field[TOP_TRANSITIONS], false, &l->transitions);
    json_rows_read(&l->in, l->field[TOP_REWARDS], true, &l->rewards);
    for (int k = 0; k < K; k++) read_environment(l, k);
    read_prior_json(doc, l->field[TOP_PRIOR], l->model);
    read_promises_json(doc, l->field[TOP_COMMITMENT], l->field[TOP_COMMITMENTS], &l->in.states, l->model);
    if (l->field[TOP_LABELS]) read_labels_json(doc, l->field[TOP_LABELS], &l->in.states, l->model);
    vouch_model_fault fault;
    vouch_error why = {0};
    vouch_status status = vouch_model_finish(l->model, &fault, &why);
    if (status == VOUCH_ERROR_INPUT) js_fail(doc, blamed(l, &fault), "%s", why.text);
    if (status) escape_fail(doc->e, status, "%s", why.text);
}

typedef struct json_input {
    js_doc doc;
    const char *name;
    char *content;
    size_t length;
    loader skimming, whole; /* only the tree of the whole document knows lines and paths */
} json_input;

static void skim(void *object)
{
    json_input *in = object;
    js_parse(&in->doc, in->name, in->content, in->length);
    load(&in->skimming);
}

static void parse_whole(void *object)
{
    json_input *in = object;
    js_parse_whole(&in->doc);
    load(&in->whole);
}

vouch_status model_json_parse(vouch_model **model, const char *name, char *content, size_t length, vouch_error *error)
{
    escape e = {.error = error};
    json_input in = {.doc = {.e = &e, .skim = true}, .name = name, .content = content, .length = length};
    in.skimming.in.doc = in.whole.in.doc = &in.doc;
    vouch_status status = escape_try(&e, skim, &in);
    loader *last = &in.skimming;
    if (status == VOUCH_ERROR_INPUT) {
        vouch_model_free(last->model);
        last = &in.whole;
        status = escape_try(&e, parse_whole, &in);
    }
    if (status) vouch_model_free(last->model);
    *model = status ? NULL : last->model;
    escape_end(&e);
    return status;
}

vouch_status vouch_model_read(vouch_model **model, const char *path, vouch_error *error)
{
    if (model) *model = NULL;
    if (!model || !path) return error_null(error);
    char *content;
    size_t length;
    vouch_status status = file_read(path, FILE_CAP, &content, &length, error);
    return status ? status : model_json_parse(model, path, content, length, error);
}
