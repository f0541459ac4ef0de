/* io/promise_json.c - see promise_json.h. */
#include "io/promise_json.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
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
    vouch_error *error;
    int number; /* of the promise at hand */
} promise_reader;

static vouch_status read_number(const promise_reader *r, uint32_t at, double *value)
{
    vouch_status status = js_expect(r->doc, at, NUMBER, r->error);
    if (status) return status;
    *value = js_number(r->doc, at);
    if (*value >= 0 && *value <= 1) return VOUCH_OK;
    return js_fail(r->doc, at, r->error, "a probability must lie between 0 and 1, found %.10g", *value);
}

typedef vouch_status set_member(vouch_model *m, int promise, int environment, int state, int member);

static vouch_status read_set(const promise_reader *r, uint32_t list, int environment, set_member *set)
{
    bool *seen = MEM_ZERO(bool, r->m->S);
    vouch_status status = seen ? VOUCH_OK : error_memory(r->error);
    for (uint32_t c = list + 1; c < js_end(r->doc, list) && !status; c = js_end(r->doc, c)) {
        status = js_expect(r->doc, c, STRING, r->error);
        if (status) break;
        int s = names_find(r->states, js_string(r->doc, c));
        if (s < 0)
            status = js_fail(r->doc, c, r->error, "there is no state \"%.100s\"", js_string(r->doc, c));
        else if (seen[s])
            status = js_fail(r->doc, c, r->error, "the state \"%.100s\" is named twice", js_string(r->doc, c));
        else
            seen[s] = set(r->m, r->number, environment, s, 1) == VOUCH_OK;
    }
    mem_free(seen);
    return status;
}

/* The environments that the keys of an object name: value [K] is the node behind each; every one must be named. */
static vouch_status by_environment(const promise_reader *r, uint32_t at, uint32_t value[])
{
    const js_doc *doc = r->doc;
    memset(value, 0, (size_t)r->m->K * sizeof *value);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        int k = 0;
        while (k < r->m->K && strcmp(r->m->env_name[k], js_string(doc, c)) != 0) k++;
        if (k == r->m->K) return js_fail(doc, c, r->error, "there is no environment \"%.100s\"", js_string(doc, c));
        if (value[k]) return js_fail(doc, c, r->error, "the environment \"%.100s\" is named twice", js_string(doc, c));
        value[k] = c + 1;
    }
    for (int k = 0; k < r->m->K; k++)
        if (!value[k]) return js_fail(doc, at, r->error, "the environment \"%.100s\" is not named", r->m->env_name[k]);
    return VOUCH_OK;
}

static vouch_status read_states(const promise_reader *r, uint32_t at, set_member *set, uint32_t value[])
{
    if (js_kind_of(r->doc, at) == JS_ARRAY) return read_set(r, at, -1, set);
    vouch_status status = by_environment(r, at, value);
    for (int k = 0; k < r->m->K && !status; k++) {
        status = js_expect(r->doc, value[k], ARRAY, r->error);
        if (!status) status = read_set(r, value[k], k, set);
    }
    return status;
}

static vouch_status read_probabilities(const promise_reader *r, uint32_t at, uint32_t value[])
{
    double p = 0;
    if (js_kind_of(r->doc, at) == JS_NUMBER) {
        vouch_status status = read_number(r, at, &p);
        if (!status) vouch_model_set_promise_probability(r->m, r->number, -1, p);
        return status;
    }
    vouch_status status = by_environment(r, at, value);
    for (int k = 0; k < r->m->K && !status; k++) {
        status = read_number(r, value[k], &p);
        if (!status) vouch_model_set_promise_probability(r->m, r->number, k, p);
    }
    return status;
}

/* A time, 0 .. horizon; -1 where the node is 0. */
static vouch_status read_time(const promise_reader *r, uint32_t at, int *time)
{
    *time = -1;
    vouch_status status = at ? js_int(r->doc, at, 0, INT_MAX, time, r->error) : VOUCH_OK;
    if (!status && *time > r->m->T) return js_fail(r->doc, at, r->error, "time %d is after the horizon %d", *time, r->m->T);
    return status;
}

vouch_status read_over_json(const js_doc *doc, uint32_t at, uint32_t probability, int j, vouch_model *m, vouch_error *error)
{
    if (!at) return VOUCH_OK;
    if (strcmp(js_string(doc, at), "prior") != 0)
        return js_fail(doc, at, error, "expected \"prior\", found \"%.100s\"", js_string(doc, at));
    if (js_kind_of(doc, probability) != JS_NUMBER)
        return js_fail(doc, probability, error, "a promise over the prior has one probability, not one by environment");
    return vouch_model_set_promise_average(m, j, 1) ? error_memory(error) : VOUCH_OK;
}

static vouch_status read_promise(promise_reader *r, uint32_t at, uint32_t value[])
{
    const js_doc *doc = r->doc;
    uint32_t field[P_FIELDS];
    int from, to, time;
    vouch_status status = js_fields(doc, at, promise_field, P_FIELDS, field, r->error);
    if (status) return status;
    const char *name = js_string(doc, field[P_NAME]);
    int kind = vouch_promise_kind_find(js_string(doc, field[P_KIND]));
    if (kind < 0)
        return js_fail(doc, field[P_KIND], r->error, "expected " VOUCH_PROMISE_WORDS ", found \"%.100s\"",
                       js_string(doc, field[P_KIND]));
    if (!*name) return js_fail(doc, field[P_NAME], r->error, "expected a name, found an empty string");
    bool window = vouch_promise_kind_is_window((vouch_promise_kind)kind);
    uint32_t wrong = window ? field[P_TIME] : field[P_FROM] ? field[P_FROM] : field[P_TO];
    if (wrong)
        return js_fail(doc, wrong, r->error, "a promise of kind \"%s\" has %s", vouch_promise_kind_text((vouch_promise_kind)kind),
                       window ? "\"from\" and \"to\", and no \"time\"" : "a \"time\", and no \"from\" or \"to\"");
    status = read_time(r, field[P_FROM], &from);
    if (!status) status = read_time(r, field[P_TO], &to);
    if (!status) status = read_time(r, field[P_TIME], &time);
    if (status) return status;
    if (window && from >= 0 && to >= 0 && from > to)
        return js_fail(doc, field[P_FROM], r->error, "from %d to %d is no window; expected from <= to", from, to);
    status = vouch_model_add_promise(r->m, name, (vouch_promise_kind)kind, from, window ? to : time);
    if (status == VOUCH_ERROR_INPUT) return js_fail(doc, field[P_NAME], r->error, "the promise \"%.100s\" is made twice", name);
    if (status) return error_memory(r->error);
    status = read_states(r, field[P_STATES], vouch_model_set_promise_state, value);
    if (!status && field[P_THROUGH] && kind != VOUCH_PROMISE_BY)
        return js_fail(doc, field[P_THROUGH], r->error, "only a promise of kind \"by\" has \"through\"");
    if (!status && field[P_THROUGH]) {
        vouch_model_set_promise_through(r->m, r->number, -1, 0, 0);
        status = read_states(r, field[P_THROUGH], vouch_model_set_promise_through, value);
    }
    if (!status) status = read_probabilities(r, field[P_PROBABILITY], value);
    return status ? status : read_over_json(doc, field[P_OVER], field[P_PROBABILITY], r->number, r->m, r->error);
}

vouch_status read_promises_json(const js_doc *doc, uint32_t one, uint32_t at, const names *states, vouch_model *m,
                                vouch_error *error)
{
    promise_reader r = {doc, states, m, error, 0};
    if (one && at) return js_fail(doc, at, error, "expected either \"commitment\" or \"commitments\", found both");
    if (!one && !at) return js_fail(doc, 0, error, "the field \"commitment\" is missing (or \"commitments\", a list of promises)");
    if (one) return VOUCH_OK;
    uint32_t *value = MEM_NEW(uint32_t, m->K);
    vouch_status status = value ? VOUCH_OK : error_memory(error);
    if (!status && js_count(doc, at) == 0) status = js_fail(doc, at, error, "expected at least one promise");
    for (uint32_t c = at + 1; c < js_end(doc, at) && !status; c = js_end(doc, c), r.number++) status = read_promise(&r, c, value);
    mem_free(value);
    return status;
}

vouch_status read_labels_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m, vouch_error *error)
{
    promise_reader r = {doc, states, m, error, 0};
    uint32_t *value = MEM_NEW(uint32_t, m->K);
    vouch_status status = value ? VOUCH_OK : error_memory(error);
    for (uint32_t c = at + 1; c < js_end(doc, at) && !status; c = js_end(doc, c + 1), r.number++) {
        status = *js_string(doc, c) ? vouch_model_add_label(m, js_string(doc, c))
                                    : js_fail(doc, c, error, "expected the name of a label, found an empty string");
        if (status == VOUCH_ERROR_MEMORY) status = error_memory(error);
        if (status == VOUCH_ERROR_INPUT && *js_string(doc, c))
            status = js_fail(doc, c, error, "the label \"%.100s\" is given twice", js_string(doc, c));
        if (!status) status = js_expect(doc, c + 1, ARRAY | OBJECT, error);
        if (!status) status = read_states(&r, c + 1, vouch_model_set_label_state, value);
    }
    mem_free(value);
    return status;
}

vouch_status read_initial_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m, vouch_error *error)
{
    promise_reader r = {doc, states, m, error, 0};
    bool *seen = MEM_ZERO(bool, m->S);
    vouch_status status = seen ? VOUCH_OK : error_memory(error);
    double sum = 0;
    for (uint32_t c = at + 1; c < js_end(doc, at) && !status; c = js_end(doc, c + 1)) {
        double p = 0;
        int s = names_find(states, js_string(doc, c));
        if (s < 0)
            status = js_fail(doc, c, error, "there is no state \"%.100s\"", js_string(doc, c));
        else if (seen[s])
            status = js_fail(doc, c, error, "the state \"%.100s\" is named twice", js_string(doc, c));
        else
            status = read_number(&r, c + 1, &p);
        if (status) break;
        seen[s] = true;
        sum += p;
        if (vouch_model_set_initial_probability(m, -1, s, p)) status = error_memory(error);
    }
    if (!status && !(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
        status = js_fail(doc, at, error, "the initial probabilities sum to %.10g; expected 1", sum);
    mem_free(seen);
    return status;
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
