/* io/model_json.c - reading the JSON model file.
 *
 *   { "vouch": 1, "name", "states", "actions", "initial", "horizon", "observe", "sense", "prior", "commitment": {"states",
 * "probability"}, "labels", "within", "transitions": [[s, a, s', p] or [s, a, s', [low, high]], ..], "rewards": [[s, a, r] or [s,
 * a, s', r],
 * ..], "environments": [{"name", "transitions", "rewards"}, ..] }
 *
 * Rows at the top hold for every environment; an environment's own rows of a pair (s, a) replace all the shared rows of that
 * pair, transitions and rewards each for themselves. Rows of the same (s, a, s') add up, rewards too: [s, a, r] is paid
 * whenever a is taken in s, [s, a, s', r] in addition when s' is reached.
 * An error of model_finish is reported at the row of the file that caused it.
 */
#include "io/json.h"

#include "mdp/model.h"

/* The rows [s, a, s', p], [s, a, r] and [s, a, s', r]. */

typedef struct json_row {
    uint32_t node;           /* 0: of rows that the document skimmed */
    int state, action, next; /* next -1: a reward that does not depend on the successor */
    int cell;                /* the number of (state, action) */
    double value;
    union {
        const char *decimal; /* where a reward stands in the file, if a double does not hold it; else NULL */
        double high;         /* the upper limit of a probability, of which the value is the lower one */
    };
} json_row;

typedef struct json_rows {
    json_row *row; /* [count] */
    size_t count;
} json_rows;

typedef struct rows_source {
    const js_doc *doc;
    names states, actions;
    intern cells;       /* (state, action) of all rows of the file */
    bool *long_numbers; /* of the document */
} rows_source;

/* The number of the name at a node in the table; `what` it names, for the message. */
static double json_probability(const js_doc *doc, uint32_t at);

/* ---- promises ------------------------------------------------------------------------------------------------------ */

/* Promises, labels, initial distribution, prior and kind of observation in model files. */

enum { P_NAME, P_KIND, P_STATES, P_THROUGH, P_TIME, P_FROM, P_TO, P_PROBABILITY, P_OVER, P_FIELDS };
static const js_field promise_field[P_FIELDS] = {{"name", STRING, true},
                                                 {"kind", STRING, true},
                                                 {"states", ARRAY | OBJECT, true},
                                                 {"through", ARRAY | OBJECT, false},
                                                 {"time", NUMBER, false},
                                                 {"from", NUMBER, false},
                                                 {"to", NUMBER, false},
                                                 {"probability", NUMBER | OBJECT, true},
                                                 {"over", STRING, false}};

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
        promise_add_rest(r->m, r->number, -1, js_number_rest(r->doc, at));
        return;
    }
    by_environment(r, at, value);
    for (int k = 0; k < r->m->K; k++) {
        vouch_model_set_promise_probability(r->m, r->number, k, json_probability(r->doc, value[k]));
        promise_add_rest(r->m, r->number, k, js_number_rest(r->doc, value[k]));
    }
}

/* A time, 0 .. horizon; -1 where the node is 0. */
static int read_time(const promise_reader *r, uint32_t at)
{
    int time = at ? js_int(r->doc, at, 0, INT_MAX) : -1;
    if (time > r->m->T) js_fail(r->doc, at, "time %d is after the horizon %d", time, r->m->T);
    return time;
}

/* "over": "prior" of promise j; 0: absent. probability: the node of its probability. */
static void read_over_json(const js_doc *doc, uint32_t at, uint32_t probability, int j, vouch_model *m)
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

/* "commitments": [{ "name", "kind", "states", "time" or "from" and "to", "probability", "over" }, ..] at a node; 0: there must be a
 * "commitment", at `one`, which the caller reads. */
static void read_promises_json(const js_doc *doc, uint32_t one, uint32_t at, const names *states, vouch_model *m)
{
    promise_reader r = {doc, states, m, 0};
    if (one && at) js_fail(doc, at, "expected either \"commitment\" or \"commitments\", found both");
    if (!one && !at) js_fail(doc, 0, "the field \"commitment\" is missing (or \"commitments\", a list of promises)");
    if (one) return;
    uint32_t *value = ESCAPE_NEW(doc->e, uint32_t, m->K);
    if (js_count(doc, at) == 0) js_fail(doc, at, "expected at least one promise");
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c), r.number++) read_promise(&r, c, value);
}

static void read_labels_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m)
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

/* { "port": ["A"], "far": { "k1": [] } } */
static void read_initial_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m)
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

/* "rewards" or "states"; an object with a number for each environment. at 0: absent, and the model stays as it is. */
static void read_observed_json(const js_doc *doc, uint32_t at, vouch_model *m)
{
    if (!at) return;
    int observed = vouch_observed_find(js_string(doc, at));
    if (observed < 0) js_fail(doc, at, "expected \"rewards\" or \"states\", found \"%.100s\"", js_string(doc, at));
    if (vouch_model_set_observed(m, (vouch_observed)observed)) escape_memory(doc->e);
}

static void read_sense_json(const js_doc *doc, uint32_t at, vouch_model *m)
{
    const char *word = at ? js_string(doc, at) : "max";
    bool costs = strcmp(word, "min") == 0;
    if (!costs && strcmp(word, "max") != 0)
        js_fail(doc, at, "expected \"max\" (rewards) or \"min\" (costs), found \"%.100s\"", word);
    if (vouch_model_set_sense(m, costs ? VOUCH_MINIMISE : VOUCH_MAXIMISE)) escape_memory(doc->e);
}

static void read_prior_json(const js_doc *doc, uint32_t at, vouch_model *m)
{
    if (!at) return;
    double *prior = ESCAPE_NEW(doc->e, double, m->K);
    for (int k = 0; k < m->K; k++) prior[k] = NAN;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        int k = 0;
        while (k < m->K && strcmp(m->env_name[k], js_string(doc, c)) != 0) k++;
        if (k == m->K) js_fail(doc, c, "there is no environment \"%.100s\"", js_string(doc, c));
        if (!isnan(prior[k])) js_fail(doc, c, "the environment \"%.100s\" is named twice", js_string(doc, c));
        js_expect(doc, c + 1, NUMBER);
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
        js_add(t, "\"%s\"", m->state_name[s]);
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
        js_add(t, "%s\"%s\": ", k ? ", " : "{ ", m->env_name[k]);
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
    for (int k = 0; k < m->K && !one_p; k++) js_add(t, "%s\"%s\": %G", k ? ", " : ", \"probability\": { ", m->env_name[k], p->p[k]);
    if (!one_p) text_add(t, " }");
    text_add(t, p->average ? ", \"over\": \"prior\" }" : " }");
}

static void add_promise(const vouch_model *m, const promise_data *p, text *t)
{
    bool window = vouch_promise_kind_is_window(p->kind);
    js_add(t, "{ \"name\": \"%s\", \"kind\": \"%s\", \"states\": ", p->name, vouch_promise_kind_text(p->kind));
    add_sets(m, p->in, t);
    if (p->through) {
        text_add(t, ", \"through\": ");
        add_sets(m, p->through, t);
    }
    if (p->from >= 0 && window) text_add(t, ", \"from\": %d", p->from);
    if (p->to >= 0) text_add(t, window ? ", \"to\": %d" : ", \"time\": %d", p->to);
    add_probability(m, p, t);
}

static void add_joined_promises_json(const vouch_model *m, text *t)
{
    const vouch_model *u = model_user(m);
    size_t cells = (size_t)m->K * (size_t)m->S;
    bool *in = MEM_NEW(bool, cells);
    if (!in) t->failed = true;
    text_add(t, "\"commitments\": [");
    for (int j = 0; j < m->J && in; j++) {
        for (size_t i = 0; i < cells; i++) in[i] = m->weight[i / (size_t)m->S * (size_t)m->J + (size_t)j][i % (size_t)m->S] > 0;
        js_add(t, "%s\"%s\", \"kind\": \"at\", \"states\": ", j ? ",\n    { \"name\": " : "\n    { \"name\": ", u->promise[j].name);
        add_sets(m, in, t);
        add_probability(m, &u->promise[j], t);
    }
    text_add(t, "]");
    mem_free(in);
}

/* "commitment": {..} or "commitments": [..] of a user's model, and its "initial". */
static void add_promises_json(const vouch_model *m, text *t)
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

/* of a joined model: of kind at, about its states at the horizon */
static void add_labels_json(const vouch_model *m, text *t)
{
    size_t cells = (size_t)m->K * (size_t)m->S;
    bool *in = m->labels ? MEM_ZERO(bool, cells) : NULL;
    if (m->labels && !in) t->failed = true;
    for (int l = 0; l < m->labels && in; l++) {
        js_add(t, "%s\"%s\": ", l ? ",\n    " : ",\n  \"labels\": {\n    ", m->label[l].name);
        memset(in, 0, cells * sizeof *in);
        for (int k = 0; k < m->K; k++)
            for (int i = 0; i < m->label[l].in[k].count; i++)
                in[(size_t)k * (size_t)m->S + (size_t)m->label[l].in[k].state[i]] = true;
        add_sets(m, in, t);
    }
    if (in) text_add(t, " }");
    mem_free(in);
}

/* with a comma before; nothing where there are none */
static void add_initial_json(const vouch_model *m, text *t)
{
    if (!m->first) {
        js_add(t, "\"%s\"", m->state_name[m->s0]);
        return;
    }
    const char *before = "{ ";
    for (int s = 0; s < m->S; s++) {
        if (m->first[s] <= 0) continue;
        js_add(t, "%s\"%s\": %g", before, m->state_name[s], m->first[s]);
        before = ", ";
    }
    text_add(t, " }");
}

/* "prior" or "observe" and a comma; nothing for a model without a prior, or whose rewards are observed. */
static void add_prior_json(const vouch_model *m, text *t)
{
    for (int k = 0; k < m->K && vouch_model_has_prior(m); k++)
        js_add(t, "%s\"%s\": %g", k ? ", " : "\"prior\": { ", m->env_name[k], vouch_model_prior(m, k));
    if (vouch_model_has_prior(m)) text_add(t, " },\n  ");
}

/* A large model is rows and little else, and a node for each of their values would take more memory than the text. So rows are read
 * from the text itself, without positions; after any error the tree is parsed and gives the message. */

/* `before`: the row that was read before, most often of the same pair, or of the one that was numbered before. */
static void number_cell(rows_source *in, const json_row *before, json_row *r)
{
    if (before && before->state == r->state && before->action == r->action) {
        r->cell = before->cell;
        return;
    }
    const uint64_t key = (uint64_t)(unsigned)r->state << 32 | (unsigned)r->action;
    r->cell = before ? before->cell + 1 : 0;
    if (r->cell < in->cells.count && *intern_key(&in->cells, r->cell) == key) return;
    r->cell = must_count(in->doc->e, intern_add(&in->cells, &key, NULL));
}

/* ---- from the text -------------------------------------------------------------------------------------------- */

static const char *behind_blanks(const char *c)
{
    while (*c == ' ' || *c == '\n' || *c == '\t' || *c == '\r') c++;
    return c;
}

static bool take(const char **at, char wanted)
{
    const char *c = behind_blanks(*at);
    if (*c != wanted) return false;
    *at = c + 1;
    return true;
}

/* likely: the number of the row before; negative: there is none. */
static bool take_name(const char **at, const names *table, int likely, int *number)
{
    if (!take(at, '"')) return false;
    const char *name = *at, *same = likely >= 0 ? names_text(table, likely) : "", *c = name;
    while (*same && *c == *same) c++, same++;
    *number = likely;
    if (likely < 0 || *same || *c != '"') {
        while (*c && *c != '"') c++;
        if (!*c) return false; /* a zero byte in a name */
        *number = names_find_bytes(table, name, (size_t)(c - name));
    }
    *at = c + 1;
    return *number >= 0;
}

static bool take_number(const rows_source *in, const char **at, double *value)
{
    const char *c = behind_blanks(*at), *end = js_number_end(c);
    if (end) *value = js_decimal(c, end, in->long_numbers);
    *at = end;
    return end != NULL;
}

/* A probability, or [low, high]. */
static bool take_probability(const rows_source *in, const char **at, json_row *r)
{
    bool limits = take(at, '[');
    if (!take_number(in, at, &r->value)) return false;
    r->high = r->value;
    if (limits && !(take(at, ',') && take_number(in, at, &r->high) && take(at, ']'))) return false;
    return r->value >= 0 && r->value <= r->high && r->high <= 1;
}

/* A reward. Of one with more digits than a double has the place in the file is kept, unless they are many or it has an exponent. */
static bool take_reward(const rows_source *in, const char **at, json_row *r)
{
    const char *c = behind_blanks(*at), *end = js_number_end(c);
    bool more = false;
    *at = end;
    if (!end) return false;
    r->value = js_decimal(c, end, &more);
    if (!(fabs(r->value) <= MODEL_REWARD_MOST)) return false;
    size_t length = (size_t)(end - c);
    if (more && length < DECIMAL_TEXT && !memchr(c, 'e', length) && !memchr(c, 'E', length))
        r->decimal = c;
    else
        *in->long_numbers |= more;
    return true;
}

static bool take_row(const rows_source *in, const char **at, bool reward, const json_row *before, json_row *r)
{
    *r = (json_row){.next = -1};
    if (!take(at, '[') || !take_name(at, &in->states, before ? before->state : -1, &r->state) || !take(at, ',') ||
        !take_name(at, &in->actions, before ? before->action : -1, &r->action) || !take(at, ','))
        return false;
    bool next = !reward || *behind_blanks(*at) == '"';
    if (next && (!take_name(at, &in->states, -1, &r->next) || !take(at, ','))) return false;
    return (reward ? take_reward(in, at, r) : take_probability(in, at, r)) && take(at, ']');
}

static void read_skimmed(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    uint32_t count;
    const char *c = js_rows(in->doc, at, &count) + 1;
    list->row = ESCAPE_NEW(in->doc->e, json_row, count);
    bool good = count > 0;
    while (list->count < count && good) {
        json_row *r = &list->row[list->count], *before = list->count ? r - 1 : NULL;
        good = (!before || take(&c, ',')) && take_row(in, &c, reward, before, r);
        if (good) number_cell(in, before, r);
        list->count += good;
    }
    if (!good || !take(&c, ']')) escape_fail(in->doc->e, VOUCH_ERROR_INPUT, "%s: a row is wrong", in->doc->name);
}

/* ---- from the tree -------------------------------------------------------------------------------------------- */

static int json_name_find(const rows_source *in, uint32_t at, const names *table, const char *what)
{
    js_expect(in->doc, at, STRING);
    int number = names_find(table, js_string(in->doc, at));
    if (number < 0) js_fail(in->doc, at, "there is no %s \"%.100s\"", what, js_string(in->doc, at));
    return number;
}

static double json_probability(const js_doc *doc, uint32_t at)
{
    js_expect(doc, at, NUMBER);
    double value = js_number(doc, at);
    if (!(value >= 0 && value <= 1)) js_fail(doc, at, "a probability must lie between 0 and 1, found %.10g", value);
    return value;
}

/* A probability, or [low, high]. */
static void read_limits(const js_doc *doc, uint32_t at, double *low, double *high)
{
    bool limits = js_kind_of(doc, at) == JS_ARRAY;
    if (limits && js_count(doc, at) != 2) js_fail(doc, at, "expected a probability, or its limits [low, high]");
    *low = json_probability(doc, limits ? at + 1 : at);
    *high = limits ? json_probability(doc, js_end(doc, at + 1)) : *low;
    if (*low > *high) js_fail(doc, at, "the lower limit %.10g is above the upper limit %.10g", *low, *high);
}

/* before: the row read before; NULL: none. */
static void read_row(rows_source *in, uint32_t at, bool reward, const json_row *before, json_row *r)
{
    const js_doc *doc = in->doc;
    const char *form = reward ? "[state, action, reward] or [state, action, next state, reward]"
                              : "[state, action, next state, probability], the probability a number or [low, high]";
    if (js_kind_of(doc, at) != JS_ARRAY || js_count(doc, at) > 4 || js_count(doc, at) < (reward ? 3 : 4))
        js_fail(doc, at, "expected %s", form);
    *r = (json_row){.node = at, .next = -1};
    uint32_t c = at + 1;
    r->state = json_name_find(in, c, &in->states, "state");
    r->action = json_name_find(in, c = js_end(doc, c), &in->actions, "action");
    if (js_count(doc, at) == 4) r->next = json_name_find(in, c = js_end(doc, c), &in->states, "state");
    number_cell(in, before, r);
    c = js_end(doc, c);
    if (!reward) {
        read_limits(doc, c, &r->value, &r->high);
        return;
    }
    js_expect(doc, c, NUMBER);
    r->value = js_number(doc, c);
    if (!(fabs(r->value) <= MODEL_REWARD_MOST))
        js_fail(doc, c, "the reward %g is too large; expected at most %g in size, so that sums of rewards can be represented",
                r->value, MODEL_REWARD_MOST);
}

static void read_tree(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    list->row = ESCAPE_NEW(in->doc->e, json_row, js_count(in->doc, at));
    for (uint32_t c = at + 1; c < js_end(in->doc, at); c = js_end(in->doc, c)) {
        json_row *r = &list->row[list->count++];
        read_row(in, c, reward, list->count > 1 ? r - 1 : NULL, r);
    }
}

/* Replaces the list by the array at node `at` (0: there is none). An error in skimmed rows has no place: the document then has to
 * be parsed whole. */
static void json_rows_read(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    escape_free(in->doc->e, list->row);
    *list = (json_rows){0};
    if (!at) return;
    if (js_kind_of(in->doc, at) == JS_ROWS)
        read_skimmed(in, at, reward, list);
    else
        read_tree(in, at, reward, list);
}

/* States or actions given as a count, and their product: a slip of the keyboard must not eat the memory. */
enum { COUNT_CAP = 1000000 };

enum { TOP_VOUCH, TOP_NAME, TOP_STATES, TOP_ACTIONS, TOP_INITIAL, TOP_HORIZON, TOP_OBSERVE, TOP_SENSE, TOP_PRIOR, TOP_WITHIN };
enum { TOP_COMMITMENT = TOP_WITHIN + 1 };
enum { TOP_COMMITMENTS = TOP_COMMITMENT + 1, TOP_LABELS, TOP_TRANSITIONS, TOP_REWARDS, TOP_ENVIRONMENTS, TOP_FIELDS };
static const js_field top_field[TOP_FIELDS] = {{"vouch", NUMBER, true},
                                               {"name", STRING, false},
                                               {"states", ARRAY | NUMBER, true},
                                               {"actions", ARRAY | NUMBER, true},
                                               {"initial", STRING | OBJECT, true},
                                               {"horizon", NUMBER, true},
                                               {"observe", STRING, false},
                                               {"sense", STRING, false},
                                               {"prior", OBJECT, false},
                                               {"within", NUMBER, false},
                                               {"commitment", OBJECT, false},
                                               {"commitments", ARRAY, false},
                                               {"labels", OBJECT, false},
                                               {"transitions", ARRAY, false},
                                               {"rewards", ARRAY, false},
                                               {"environments", ARRAY, true}};
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
    const char **paid_decimal;              /* [cells] likewise */
    size_t replaced_capacity, paid_capacity, decimal_capacity;
    json_row *extra; /* rewards that do, sorted by (s, a, s') */
    size_t extra_count;
    bool summed; /* were two of its rewards added up? */
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

/* Of decimals as they stand in the file, if they have few digits; else the sum of doubles, which is no number of the file. */
static double added(loader *l, double sum, double more)
{
    static const double MOST = 1e15; /* decimals of so many units come back from their double */
    for (double unit = 1; sum != 0 && more != 0 && unit < MOST; unit *= 10) {
        double x = rint(sum * unit), y = rint(more * unit);
        if (!(fabs(x) < MOST && fabs(y) < MOST && fabs(x + y) < MOST)) break;
        if (x / unit == sum && y / unit == more) return (x + y) / unit;
    }
    l->summed |= sum != 0 && more != 0;
    return sum + more;
}

/* Of two rewards that are added. A sum of two has no digits of the file. */
static const char *decimal_of(loader *l, double sum, const char *one, double more, const char *other)
{
    if (sum != 0 && more != 0 && (one || other)) l->summed = true;
    return more != 0 ? other : one;
}

static void pay(loader *l, const json_row *r)
{
    if (r->next < 0) {
        l->paid_decimal[r->cell] = decimal_of(l, l->paid[r->cell], l->paid_decimal[r->cell], r->value, r->decimal);
        l->paid[r->cell] = added(l, l->paid[r->cell], r->value);
    } else
        l->extra[l->extra_count++] = *r;
}

static void gather_rewards(loader *l)
{
    escape_free(l->in.doc->e, l->extra);
    l->extra_count = 0;
    l->extra = ESCAPE_NEW(l->in.doc->e, json_row, l->rewards.count + l->own_rewards.count);
    memset(l->paid, 0, (size_t)l->in.cells.count * sizeof *l->paid);
    memset(l->paid_decimal, 0, (size_t)l->in.cells.count * sizeof *l->paid_decimal);
    mark_replaced(l, &l->own_rewards);
    for (size_t i = 0; i < l->rewards.count; i++)
        if (!l->replaced[l->rewards.row[i].cell]) pay(l, &l->rewards.row[i]);
    for (size_t i = 0; i < l->own_rewards.count; i++) pay(l, &l->own_rewards.row[i]);
    bool sorted = true;
    for (size_t i = 1; i < l->extra_count && sorted; i++) sorted = by_place(&l->extra[i - 1], &l->extra[i]) <= 0;
    if (!sorted) qsort(l->extra, l->extra_count, sizeof *l->extra, by_place);
}

static double reward_of(loader *l, const json_row *r, const char **decimal)
{
    double sum = l->paid[r->cell];
    *decimal = l->paid_decimal[r->cell];
    size_t low = 0, high = l->extra_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_place(&l->extra[middle], r) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (const json_row *x = l->extra + low; x < l->extra + l->extra_count && by_place(x, r) == 0; x++) {
        *decimal = decimal_of(l, sum, *decimal, x->value, x->decimal);
        sum = added(l, sum, x->value);
    }
    return sum;
}

static void add_row(loader *l, int k, const json_row *r)
{
    const char *decimal;
    vouch_row row = {k, r->state, r->action, r->next, r->high, reward_of(l, r, &decimal)};
    vouch_status status = vouch_model_add_interval(l->model, &row, r->value);
    if (!status && decimal) status = model_keep_decimal(l->model, decimal, (size_t)(js_number_end(decimal) - decimal));
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
    ESCAPE_GROW(doc->e, &l->paid_decimal, &l->decimal_capacity, cells);
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
    promise_add_rest(l->model, 0, -1, js_number_rest(doc, field[PHI_PROBABILITY]));
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
    read_sense_json(doc, l->field[TOP_SENSE], l->model);
    if (several) read_initial_json(doc, l->field[TOP_INITIAL], &l->in.states, l->model);
    if (l->field[TOP_COMMITMENT]) read_commitment(l);
    json_rows_read(&l->in, l->field[TOP_TRANSITIONS], false, &l->transitions);
    json_rows_read(&l->in, l->field[TOP_REWARDS], true, &l->rewards);
    for (int k = 0; k < K; k++) read_environment(l, k);
    read_prior_json(doc, l->field[TOP_PRIOR], l->model);
    if (l->field[TOP_WITHIN]) vouch_model_set_within(l->model, json_probability(doc, l->field[TOP_WITHIN]));
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
    in.skimming.in.long_numbers = in.whole.in.long_numbers = &in.doc.long_numbers;
    vouch_status status = escape_try(&e, skim, &in);
    loader *last = &in.skimming;
    if (status == VOUCH_ERROR_INPUT) {
        vouch_model_free(last->model);
        last = &in.whole;
        status = escape_try(&e, parse_whole, &in);
    }
    if (status) vouch_model_free(last->model);
    *model = status ? NULL : last->model;
    if (!status) (*model)->short_numbers = !in.doc.long_numbers && !last->summed && !model_user(*model)->env->low;
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

/* ---- writing the file ---------------------------------------------------------------------------------------------- */

/* Writing the JSON model file.
 *
 * Rows that are the same in all environments are at the top, the rest in each environment: a pair (s, a) whose rows are the same
 * everywhere is shared, and every other pair is written in full by each environment, as the reader replaces by pairs. Numbers are
 * the shortest text that reads back as the same double.
 */

static bool same_transitions(const vouch_model *m, int k, int q)
{
    const mdp *a = &m->env[0], *b = &m->env[k];
    int n = a->start[q + 1] - a->start[q];
    if (n != b->start[q + 1] - b->start[q]) return false;
    for (int i = 0; i < n; i++) {
        int x = a->start[q] + i, y = b->start[q] + i;
        prob_limits of_a = limits_given(a, x), of_b = limits_given(b, y);
        if (a->next[x] != b->next[y] || a->prob[x] != b->prob[y] || of_a.low != of_b.low || of_a.high != of_b.high) return false;
    }
    return true;
}

/* Is the reward of the pair independent of the successor? */
static bool plain_reward(const mdp *e, int q)
{
    for (int o = e->start[q] + 1; o < e->start[q + 1]; o++)
        if (e->reward[o] != e->reward[e->start[q]]) return false;
    return true;
}

static bool same_rewards(const vouch_model *m, int k, int q)
{
    const mdp *a = &m->env[0], *b = &m->env[k];
    if (plain_reward(a, q) && plain_reward(b, q)) return a->reward[a->start[q]] == b->reward[b->start[q]];
    if (!same_transitions(m, k, q)) return false;
    for (int i = 0; i < a->start[q + 1] - a->start[q]; i++)
        if (a->reward[a->start[q] + i] != b->reward[b->start[q] + i]) return false;
    return true;
}

static bool shared(const vouch_model *m, int q, bool rewards)
{
    for (int k = 1; k < m->K; k++)
        if (!(rewards ? same_rewards(m, k, q) : same_transitions(m, k, q))) return false;
    return true;
}

/* A list of transitions or of rewards, which write_add_row extends. */
typedef struct row_writer {
    const vouch_model *m;
    text *t;
    const char *indent;
    bool rewards, first;
} row_writer;

/* next < 0: none. */
static void write_add_row(row_writer *w, int s, int a, int next, prob_limits value)
{
    const vouch_model *m = w->m;
    text *t = w->t;
    char number[32], upper[32];
    text_add(t, "%s\n%s[", w->first ? "" : ",", w->indent);
    w->first = false;
    js_add(t, "\"%s\", \"%s\", ", m->state_name[s], m->action_name[a]);
    if (next >= 0) js_add(t, "\"%s\", ", m->state_name[next]);
    if (value.low < value.high)
        text_add(t, "[%s, %s]]", text_number(value.low, number), text_number(value.high, upper));
    else
        text_add(t, "%s]", text_number(value.low, number));
}

/* The rows of environment k, of shared pairs (marks [pairs]) or of the others. */
static void add_rows(row_writer w, int k, const bool *marks, bool want_shared)
{
    const vouch_model *m = w.m;
    const mdp *e = &m->env[k];
    w.first = true;
    text_add(w.t, "[");
    for (int s = 0; s < m->S; s++)
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
            if (marks[q] != want_shared) continue;
            int a = m->pair_action[q];
            if (w.rewards && plain_reward(e, q)) {
                double r = e->reward[e->start[q]];
                if (r != 0) write_add_row(&w, s, a, -1, (prob_limits){model_given(m, r), model_given(m, r)});
                continue;
            }
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                prob_limits x =
                    w.rewards ? (prob_limits){model_given(m, e->reward[o]), model_given(m, e->reward[o])} : limits_given(e, o);
                if (!w.rewards || x.low != 0) write_add_row(&w, s, a, e->next[o], x);
            }
        }
    text_add(w.t, "]");
}

/* "states": 12 when the names are the default ones, else the list. */
static void add_names(text *t, char **name, int count, const char *prefix)
{
    bool numbered = true;
    for (int i = 0; i < count && numbered; i++) {
        char expected[32];
        format_text(expected, sizeof expected, "%s%d", prefix, i);
        numbered = strcmp(name[i], expected) == 0;
    }
    if (numbered && count > 3) {
        text_add(t, "%d", count);
        return;
    }
    for (int i = 0; i < count; i++) js_add(t, "%s\"%s\"", i ? ", " : "[", name[i]);
    text_add(t, "]");
}

/* m: a user's model or a joined one, as it stands. */
static void write(const vouch_model *m, text *t)
{
    bool *shared_rows = MEM_NEW(bool, m->pairs), *shared_rewards = MEM_NEW(bool, m->pairs);
    if (!shared_rows || !shared_rewards) {
        t->failed = true;
        goto done;
    }
    for (int q = 0; q < m->pairs; q++) {
        shared_rows[q] = shared(m, q, false);
        shared_rewards[q] = shared(m, q, true);
    }
    js_add(t, "{ \"vouch\": 1,\n  \"name\": \"%s\",\n  \"states\": ", m->name);
    add_names(t, m->state_name, m->S, "s");
    text_add(t, ",\n  \"actions\": ");
    add_names(t, m->action_name, m->A, "a");
    text_add(t, ",\n  \"initial\": ");
    if (m->join)
        js_add(t, "\"%s\"", m->state_name[m->s0]);
    else
        add_initial_json(m, t);
    text_add(t, ", \"horizon\": %d,\n  ", m->T);
    if (m->observed == VOUCH_OBSERVE_STATES) text_add(t, "\"observe\": \"states\",\n  ");
    if (m->sense == VOUCH_MINIMISE) text_add(t, "\"sense\": \"min\",\n  ");
    add_prior_json(model_user(m), t);
    if (vouch_model_within(m) > 0) js_add(t, "\"within\": %G,\n  ", vouch_model_within(m));
    if (m->join)
        add_joined_promises_json(m, t);
    else
        add_promises_json(m, t);
    if (!m->join) add_labels_json(m, t);
    text_add(t, ",\n  \"transitions\": ");
    add_rows((row_writer){m, t, "    ", false, true}, 0, shared_rows, true);
    text_add(t, ",\n  \"rewards\": ");
    add_rows((row_writer){m, t, "    ", true, true}, 0, shared_rewards, true);
    text_add(t, ",\n  \"environments\": [");
    for (int k = 0; k < m->K; k++) {
        js_add(t, "%s\n    { \"name\": \"%s\",\n      \"transitions\": ", k ? "," : "", m->env_name[k]);
        add_rows((row_writer){m, t, "        ", false, true}, k, shared_rows, false);
        text_add(t, ",\n      \"rewards\": ");
        add_rows((row_writer){m, t, "        ", true, true}, k, shared_rewards, false);
        text_add(t, " }");
    }
    text_add(t, "]\n}\n");
done:
    mem_free(shared_rows);
    mem_free(shared_rewards);
}

void model_json_write(const vouch_model *model, text *t) { write(model_user(model), t); }

vouch_status model_json_write_joined(const vouch_model *model, const char *path, vouch_error *error)
{
    const joined_model *j = model->join;
    vouch_model named = *model;
    text t = {0};
    vouch_status status = text_stream(&t, path, error);
    if (status) return status;
    named.state_name = MEM_ZERO(char *, model->S);
    t.failed = !named.state_name;
    for (int s = 0; s < model->S && !t.failed; s++) { /* the time as well, if two look alike */
        text name = {0};
        text_add(&name, j && j->twin[s] != s ? "%s @%d" : "%s", model->state_name[s], j ? j->when[s] : 0);
        t.failed = name.failed;
        named.state_name[s] = name.data;
    }
    if (!t.failed) write(&named, &t);
    for (int s = 0; s < model->S && named.state_name; s++) mem_free(named.state_name[s]);
    mem_free(named.state_name);
    return text_write(&t, path, error);
}

vouch_status vouch_model_write(const vouch_model *model, const char *path, vouch_error *error)
{
    if (!model || !path) return error_null(error);
    text t = {0};
    vouch_status status = text_stream(&t, path, error);
    if (status) return status;
    model_json_write(model, &t);
    return text_write(&t, path, error);
}
