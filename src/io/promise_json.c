/* io/promise_json.c - promises, labels, initial distribution, prior and kind of observation in model files; see model_parts.h. */
#include "io/model_parts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mdp/join.h"

enum { NUMBER = 1U << JS_NUMBER, STRING = 1U << JS_STRING, ARRAY = 1U << JS_ARRAY, OBJECT = 1U << JS_OBJECT };

enum { P_NAME, P_KIND, P_STATES, P_THROUGH, P_TIME, P_FROM, P_TO, P_PROBABILITY, P_OVER, P_FIELDS };
static const js_field promise_field[P_FIELDS] = {
    [P_NAME] = {"name", STRING, true},
    [P_KIND] = {"kind", STRING, true},
    [P_STATES] = {"states", ARRAY | OBJECT, true},
    [P_THROUGH] = {"through", ARRAY | OBJECT, false},
    [P_TIME] = {"time", NUMBER, false},
    [P_FROM] = {"from", NUMBER, false},
    [P_TO] = {"to", NUMBER, false},
    [P_PROBABILITY] = {"probability", NUMBER | OBJECT, true},
    [P_OVER] = {"over", STRING, false},
};

typedef struct promise_reader {
    const js_doc *doc;
    const names *states;
    vouch_model *m;
    int number; /* of the promise at hand */
} promise_reader;

typedef vouch_status set_member(vouch_model *m, int promise, int environment, int state, int member);

static void read_set(const promise_reader *r, uint32_t list, int environment, set_member *set)
{
    bool *seen = ESCAPE_ZERO(r->doc->e, bool, r->m->S);
    for (uint32_t c = list + 1; c < js_end(r->doc, list); c = js_end(r->doc, c)) {
        js_expect(r->doc, c, STRING);
        int s = names_find(r->states, js_string(r->doc, c));
        if (s < 0) js_fail(r->doc, c, "there is no state \"%.100s\"", js_string(r->doc, c));
        if (seen[s]) js_fail(r->doc, c, "the state \"%.100s\" is named twice", js_string(r->doc, c));
        seen[s] = set(r->m, r->number, environment, s, 1) == VOUCH_OK;
    }
    escape_free(r->doc->e, seen);
}

/* The environments that the keys of an object name: value [K] is the node behind each; every one must be named. */
static void by_environment(const promise_reader *r, uint32_t at, uint32_t value[])
{
    const js_doc *doc = r->doc;
    memset(value, 0, (size_t)r->m->K * sizeof *value);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        int k = 0;
        while (k < r->m->K && strcmp(r->m->env_name[k], js_string(doc, c)) != 0) k++;
        if (k == r->m->K) js_fail(doc, c, "there is no environment \"%.100s\"", js_string(doc, c));
        if (value[k]) js_fail(doc, c, "the environment \"%.100s\" is named twice", js_string(doc, c));
        value[k] = c + 1;
    }
    for (int k = 0; k < r->m->K; k++)
        if (!value[k]) js_fail(doc, at, "the environment \"%.100s\" is not named", r->m->env_name[k]);
}

static void read_states(const promise_reader *r, uint32_t at, set_member *set, uint32_t value[])
{
    if (js_kind_of(r->doc, at) == JS_ARRAY) {
        read_set(r, at, -1, set);
        return;
    }
    by_environment(r, at, value);
    for (int k = 0; k < r->m->K; k++) {
        js_expect(r->doc, value[k], ARRAY);
        read_set(r, value[k], k, set);
    }
}

static void read_probabilities(const promise_reader *r, uint32_t at, uint32_t value[])
{
    if (js_kind_of(r->doc, at) == JS_NUMBER) {
        vouch_model_set_promise_probability(r->m, r->number, -1, json_probability(r->doc, at));
        return;
    }
    by_environment(r, at, value);
    for (int k = 0; k < r->m->K; k++) vouch_model_set_promise_probability(r->m, r->number, k, json_probability(r->doc, value[k]));
}

/* A time, 0 .. horizon; -1 where the node is 0. */
static int read_time(const promise_reader *r, uint32_t at)
{
    int time = at ? js_int(r->doc, at, 0, INT_MAX) : -1;
    if (time > r->m->T) js_fail(r->doc, at, "time %d is after the horizon %d", time, r->m->T);
    return time;
}

void read_over_json(const js_doc *doc, uint32_t at, uint32_t probability, int j, vouch_model *m)
{
    if (!at) return;
    if (strcmp(js_string(doc, at), "prior") != 0) js_fail(doc, at, "expected \"prior\", found \"%.100s\"", js_string(doc, at));
    if (js_kind_of(doc, probability) != JS_NUMBER)
        js_fail(doc, probability, "a promise over the prior has one probability, not one by environment");
    if (vouch_model_set_promise_average(m, j, 1)) escape_memory(doc->e);
}

static void read_promise(promise_reader *r, uint32_t at, uint32_t value[])
{
    const js_doc *doc = r->doc;
    uint32_t field[P_FIELDS];
    js_fields(doc, at, promise_field, P_FIELDS, field);
    const char *name = js_string(doc, field[P_NAME]);
    int kind = vouch_promise_kind_find(js_string(doc, field[P_KIND]));
    if (kind < 0) js_fail(doc, field[P_KIND], "expected " VOUCH_PROMISE_WORDS ", found \"%.100s\"", js_string(doc, field[P_KIND]));
    if (!*name) js_fail(doc, field[P_NAME], "expected a name, found an empty string");
    bool window = vouch_promise_kind_is_window((vouch_promise_kind)kind);
    uint32_t wrong = window ? field[P_TIME] : field[P_FROM] ? field[P_FROM] : field[P_TO];
    if (wrong)
        js_fail(doc, wrong, "a promise of kind \"%s\" has %s", vouch_promise_kind_text((vouch_promise_kind)kind),
                window ? "\"from\" and \"to\", and no \"time\"" : "a \"time\", and no \"from\" or \"to\"");
    int from = read_time(r, field[P_FROM]), to = read_time(r, field[P_TO]), time = read_time(r, field[P_TIME]);
    if (window && from >= 0 && to >= 0 && from > to)
        js_fail(doc, field[P_FROM], "from %d to %d is no window; expected from <= to", from, to);
    vouch_status status = vouch_model_add_promise(r->m, name, (vouch_promise_kind)kind, from, window ? to : time);
    if (status == VOUCH_ERROR_MEMORY) escape_memory(doc->e);
    if (status) js_fail(doc, field[P_NAME], "the promise \"%.100s\" is made twice", name);
    read_states(r, field[P_STATES], vouch_model_set_promise_state, value);
    if (field[P_THROUGH] && kind != VOUCH_PROMISE_BY)
        js_fail(doc, field[P_THROUGH], "only a promise of kind \"by\" has \"through\"");
    if (field[P_THROUGH]) {
        vouch_model_set_promise_through(r->m, r->number, -1, 0, 0);
        read_states(r, field[P_THROUGH], vouch_model_set_promise_through, value);
    }
    read_probabilities(r, field[P_PROBABILITY], value);
    read_over_json(doc, field[P_OVER], field[P_PROBABILITY], r->number, r->m);
}

void read_promises_json(const js_doc *doc, uint32_t one, uint32_t at, const names *states, vouch_model *m)
{
    promise_reader r = {doc, states, m, 0};
    if (one && at) js_fail(doc, at, "expected either \"commitment\" or \"commitments\", found both");
    if (!one && !at) js_fail(doc, 0, "the field \"commitment\" is missing (or \"commitments\", a list of promises)");
    if (one) return;
    uint32_t *value = ESCAPE_NEW(doc->e, uint32_t, m->K);
    if (js_count(doc, at) == 0) js_fail(doc, at, "expected at least one promise");
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c), r.number++) read_promise(&r, c, value);
}

void read_labels_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m)
{
    promise_reader r = {doc, states, m, 0};
    uint32_t *value = ESCAPE_NEW(doc->e, uint32_t, m->K);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1), r.number++) {
        if (!*js_string(doc, c)) js_fail(doc, c, "expected the name of a label, found an empty string");
        vouch_status status = vouch_model_add_label(m, js_string(doc, c));
        if (status == VOUCH_ERROR_MEMORY) escape_memory(doc->e);
        if (status) js_fail(doc, c, "the label \"%.100s\" is given twice", js_string(doc, c));
        js_expect(doc, c + 1, ARRAY | OBJECT);
        read_states(&r, c + 1, vouch_model_set_label_state, value);
    }
}

void read_initial_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m)
{
    bool *seen = ESCAPE_ZERO(doc->e, bool, m->S);
    double sum = 0;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        int s = names_find(states, js_string(doc, c));
        if (s < 0) js_fail(doc, c, "there is no state \"%.100s\"", js_string(doc, c));
        if (seen[s]) js_fail(doc, c, "the state \"%.100s\" is named twice", js_string(doc, c));
        double p = json_probability(doc, c + 1);
        seen[s] = true;
        sum += p;
        if (vouch_model_set_initial_probability(m, -1, s, p)) escape_memory(doc->e);
    }
    if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE)) js_fail(doc, at, "the initial probabilities sum to %.10g; expected 1", sum);
}

void read_observed_json(const js_doc *doc, uint32_t at, vouch_model *m)
{
    if (!at) return;
    int observed = vouch_observed_find(js_string(doc, at));
    if (observed < 0) js_fail(doc, at, "expected \"rewards\" or \"states\", found \"%.100s\"", js_string(doc, at));
    if (vouch_model_set_observed(m, (vouch_observed)observed)) escape_memory(doc->e);
}

void read_prior_json(const js_doc *doc, uint32_t at, vouch_model *m)
{
    if (!at) return;
    double *prior = ESCAPE_NEW(doc->e, double, m->K);
    for (int k = 0; k < m->K; k++) prior[k] = NAN;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        int k = 0;
        while (k < m->K && strcmp(m->env_name[k], js_string(doc, c)) != 0) k++;
        if (k == m->K) js_fail(doc, c, "there is no environment \"%.100s\"", js_string(doc, c));
        if (!isnan(prior[k])) js_fail(doc, c, "the environment \"%.100s\" is named twice", js_string(doc, c));
        js_expect(doc, c + 1, 1U << JS_NUMBER);
        if (!((prior[k] = js_number(doc, c + 1)) >= 0)) js_fail(doc, c + 1, "a prior must not be negative, found %.10g", prior[k]);
    }
    for (int k = 0; k < m->K; k++)
        if (isnan(prior[k])) js_fail(doc, at, "the environment \"%.100s\" is not named", m->env_name[k]);
    vouch_status status = vouch_model_set_prior(m, prior);
    if (status == VOUCH_ERROR_INPUT) js_fail(doc, at, "the prior is 0 in every environment");
    if (status) escape_memory(doc->e);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Names of the states for which in(s) holds, [..]. */
static void add_set(const vouch_model *m, const bool *in, text *t)
{
    bool first = true;
    text_add(t, "[");
    for (int s = 0; s < m->S; s++) {
        if (!in[s]) continue;
        if (!first) text_add(t, ", ");
        first = false;
        js_add_string(t, m->state_name[s]);
    }
    text_add(t, "]");
}

/* One list, or one by environment. */
static void add_sets(const vouch_model *m, const bool *in, text *t)
{
    size_t S = (size_t)m->S;
    bool one = true;
    for (int k = 1; k < m->K; k++) one = one && memcmp(in, in + (size_t)k * S, S * sizeof *in) == 0;
    if (one) add_set(m, in, t);
    for (int k = 0; k < m->K && !one; k++) {
        text_add(t, k ? ", " : "{ ");
        js_add_string(t, m->env_name[k]);
        text_add(t, ": ");
        add_set(m, in + (size_t)k * S, t);
    }
    if (!one) text_add(t, " }");
}

/* The end of a promise: its probability, or those by environment. */
static void add_probability(const vouch_model *m, const promise_data *p, text *t)
{
    bool one_p = true;
    char number[32];
    for (int k = 1; k < m->K; k++) one_p = one_p && p->p[k] == p->p[0];
    if (one_p) text_add(t, ", \"probability\": %s", text_number(p->p[0], number));
    for (int k = 0; k < m->K && !one_p; k++) {
        text_add(t, k ? ", " : ", \"probability\": { ");
        js_add_string(t, m->env_name[k]);
        text_add(t, ": %s", text_number(p->p[k], number));
    }
    if (!one_p) text_add(t, " }");
    text_add(t, p->average ? ", \"over\": \"prior\" }" : " }");
}

static void add_promise(const vouch_model *m, const promise_data *p, text *t)
{
    bool window = vouch_promise_kind_is_window(p->kind);
    text_add(t, "{ \"name\": ");
    js_add_string(t, p->name);
    text_add(t, ", \"kind\": \"%s\", \"states\": ", vouch_promise_kind_text(p->kind));
    add_sets(m, p->in, t);
    if (p->through) {
        text_add(t, ", \"through\": ");
        add_sets(m, p->through, t);
    }
    if (p->from >= 0 && window) text_add(t, ", \"from\": %d", p->from);
    if (p->to >= 0) text_add(t, window ? ", \"to\": %d" : ", \"time\": %d", p->to);
    add_probability(m, p, t);
}

void add_joined_promises_json(const vouch_model *m, text *t)
{
    const vouch_model *u = model_user(m);
    size_t cells = (size_t)m->K * (size_t)m->S;
    bool *in = MEM_NEW(bool, cells);
    if (!in) t->failed = true;
    text_add(t, "\"commitments\": [");
    for (int j = 0; j < m->J && in; j++) {
        for (size_t i = 0; i < cells; i++) in[i] = m->weight[i / (size_t)m->S * (size_t)m->J + (size_t)j][i % (size_t)m->S] > 0;
        text_add(t, j ? ",\n    { \"name\": " : "\n    { \"name\": ");
        js_add_string(t, u->promise[j].name);
        text_add(t, ", \"kind\": \"at\", \"states\": ");
        add_sets(m, in, t);
        add_probability(m, &u->promise[j], t);
    }
    text_add(t, "]");
    mem_free(in);
}

void add_promises_json(const vouch_model *m, text *t)
{
    char number[32];
    if (m->promises == 0) {
        bool *in = MEM_NEW(bool, m->S);
        if (!in) {
            t->failed = true;
            return;
        }
        for (int s = 0; s < m->S; s++) in[s] = m->terminal[s] > 0;
        text_add(t, "\"commitment\": { \"states\": ");
        add_set(m, in, t);
        text_add(t, ", \"probability\": %s }", text_number(m->p, number));
        mem_free(in);
        return;
    }
    text_add(t, "\"commitments\": [");
    for (int j = 0; j < m->promises; j++) {
        text_add(t, j ? ",\n    " : "\n    ");
        add_promise(m, &m->promise[j], t);
    }
    text_add(t, "]");
}

void add_labels_json(const vouch_model *m, text *t)
{
    size_t cells = (size_t)m->K * (size_t)m->S;
    bool *in = m->labels ? MEM_ZERO(bool, cells) : NULL;
    if (m->labels && !in) t->failed = true;
    for (int l = 0; l < m->labels && in; l++) {
        text_add(t, l ? ",\n    " : ",\n  \"labels\": {\n    ");
        js_add_string(t, m->label[l].name);
        text_add(t, ": ");
        memset(in, 0, cells * sizeof *in);
        for (int k = 0; k < m->K; k++)
            for (int i = 0; i < m->label[l].in[k].count; i++)
                in[(size_t)k * (size_t)m->S + (size_t)m->label[l].in[k].state[i]] = true;
        add_sets(m, in, t);
    }
    if (in) text_add(t, " }");
    mem_free(in);
}

void add_initial_json(const vouch_model *m, text *t)
{
    if (!m->first) {
        js_add_string(t, m->state_name[m->s0]);
        return;
    }
    const char *before = "{ ";
    for (int s = 0; s < m->S; s++) {
        if (m->first[s] <= 0) continue;
        text_add(t, "%s", before);
        js_add_string(t, m->state_name[s]);
        js_add_number(t, ": ", m->first[s]);
        before = ", ";
    }
    text_add(t, " }");
}

void add_observed_json(const vouch_model *m, text *t)
{
    if (m->observed == VOUCH_OBSERVE_STATES) text_add(t, "\"observe\": \"states\",\n  ");
}

void add_prior_json(const vouch_model *m, text *t)
{
    for (int k = 0; k < m->K && vouch_model_has_prior(m); k++) {
        text_add(t, k ? ", " : "\"prior\": { ");
        js_add_string(t, m->env_name[k]);
        js_add_number(t, ": ", vouch_model_prior(m, k));
    }
    if (vouch_model_has_prior(m)) text_add(t, " },\n  ");
}
