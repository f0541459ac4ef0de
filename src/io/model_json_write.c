/* io/model_json_write.c - writing the JSON model file.
 *
 * Rows that are the same in all environments are at the top, the rest in each environment: a pair (s, a) whose rows are the same
 * everywhere is shared, and every other pair is written in full by each environment, as the reader replaces by pairs. Numbers are
 * the shortest text that reads back as the same double.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/json.h"
#include "io/model_json.h"
#include "io/model_parts.h"
#include "mdp/join.h"

static bool same_transitions(const vouch_model *m, int k, int q)
{
    const mdp *a = &m->env[0], *b = &m->env[k];
    int n = a->start[q + 1] - a->start[q];
    if (n != b->start[q + 1] - b->start[q]) return false;
    for (int i = 0; i < n; i++)
        if (a->next[a->start[q] + i] != b->next[b->start[q] + i] || a->prob[a->start[q] + i] != b->prob[b->start[q] + i])
            return false;
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

/* A list of transitions or of rewards, which add_row extends. */
typedef struct row_writer {
    const vouch_model *m;
    text *t;
    const char *indent;
    bool rewards, first;
} row_writer;

/* next < 0: none. */
static void add_row(row_writer *w, int s, int a, int next, double value)
{
    const vouch_model *m = w->m;
    text *t = w->t;
    char number[32];
    text_add(t, "%s\n%s[", w->first ? "" : ",", w->indent);
    w->first = false;
    js_add_string(t, m->state_name[s]);
    text_add(t, ", ");
    js_add_string(t, m->action_name[a]);
    text_add(t, ", ");
    if (next >= 0) {
        js_add_string(t, m->state_name[next]);
        text_add(t, ", ");
    }
    text_add(t, "%s]", text_number(value, number));
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
                if (r != 0) add_row(&w, s, a, -1, r);
                continue;
            }
            for (int o = e->start[q]; o < e->start[q + 1]; o++)
                if (!w.rewards || e->reward[o] != 0) add_row(&w, s, a, e->next[o], w.rewards ? e->reward[o] : e->prob[o]);
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
    for (int i = 0; i < count; i++) {
        text_add(t, i ? ", " : "[");
        js_add_string(t, name[i]);
    }
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
    text_add(t, "{ \"vouch\": 1,\n  \"name\": ");
    js_add_string(t, m->name);
    text_add(t, ",\n  \"states\": ");
    add_names(t, m->state_name, m->S, "s");
    text_add(t, ",\n  \"actions\": ");
    add_names(t, m->action_name, m->A, "a");
    text_add(t, ",\n  \"initial\": ");
    if (m->join)
        js_add_string(t, m->state_name[m->s0]);
    else
        add_initial_json(m, t);
    text_add(t, ", \"horizon\": %d,\n  ", m->T);
    add_observed_json(m, t);
    add_prior_json(model_user(m), t);
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
        text_add(t, "%s\n    { \"name\": ", k ? "," : "");
        js_add_string(t, m->env_name[k]);
        text_add(t, ",\n      \"transitions\": ");
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
