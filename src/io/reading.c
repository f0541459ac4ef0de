/* io/reading.c - see formats.h. */
#include "io/formats.h"

#include "mdp/model.h"

static const char PLAIN[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

static bool is_plain(const char *name) { return name[0] && name[strspn(name, PLAIN)] == '\0' && strlen(name) < READING_LABEL; }

static bool is_taken(const vouch_model *m, const char *name)
{
    bool taken = strcmp(name, "init") == 0 || strcmp(name, "deadlock") == 0;
    for (int l = 0; l < vouch_model_labels(m) && !taken; l++) taken = strcmp(vouch_model_label_name(m, l), name) == 0;
    return taken;
}

const char *reading_label(const vouch_model *m, int promise, char own[READING_LABEL])
{
    if (m->promises == 0) return "commit";
    const char *name = m->promise[promise].name;
    if (is_plain(name) && !is_taken(m, name)) return name;
    format_text(own, READING_LABEL, "promise%d", promise + 1);
    return own;
}

int reading_csv_state(const vouch_model *m, int state) { return state == m->s0 ? 0 : state < m->s0 ? state + 1 : state; }

static bool in_set(const vouch_model *m, int promise, int k, int state)
{
    return m->promises ? m->promise[promise].in[(size_t)k * (size_t)m->S + (size_t)state] : m->terminal[state] > 0;
}

/* The reason why no option can express the promise; NULL: one can. by_label: sets may differ by environment. */
static const char *unsayable(const vouch_model *m, int j, bool by_label)
{
    const promise_data *p = m->promises ? &m->promise[j] : NULL;
    bool empty = true;
    for (int k = 0; k < m->K; k++) {
        if (p && p->p[k] != p->p[0]) return "has a probability by environment";
        for (int s = 0; s < m->S; s++) {
            if (!by_label && in_set(m, j, k, s) != in_set(m, j, 0, s)) return "is about states by environment";
            empty = empty && !in_set(m, j, k, s);
        }
    }
    if (p && p->through) return "restricts the way";
    return empty ? "is about no state" : NULL;
}

/* The states, as the file names them. */
static void add_states(const vouch_model *m, int j, bool csv, text *t)
{
    char own[READING_LABEL];
    const char *before = "";
    if (!csv) text_add(t, "%s", reading_label(m, j, own));
    for (int n = 0; n < m->S && csv; n++) { /* in the order of the file's numbers */
        int s = n == 0 ? m->s0 : n <= m->s0 ? n - 1 : n;
        CHECK_COMPARE(reading_csv_state(m, s), ==, n);
        if (!in_set(m, j, 0, s)) continue;
        text_add(t, "%s%d", before, n);
        before = ",";
    }
}

static void add_promise(const vouch_model *m, int j, bool csv, text *t)
{
    char number[32], own[READING_LABEL];
    if (m->promises == 0) {
        text_add(t, " --commit ");
        add_states(m, j, csv, t);
        text_add(t, " -p %s", text_number(m->p, number));
        return;
    }
    const promise_data *p = &m->promise[j];
    vouch_promise times;
    vouch_model_get_promise(m, j, &times);
    text word = {0};
    text_add(&word, "%s:%s:", is_plain(p->name) ? p->name : reading_label(m, j, own), vouch_promise_kind_text(p->kind));
    add_states(m, j, csv, &word);
    if (vouch_promise_kind_is_window(p->kind))
        text_add(&word, "@%d..%d", times.from, times.to);
    else
        text_add(&word, "@%d", times.to);
    text_add(&word, p->average ? ">=%s~prior" : ">=%s", text_number(p->p[0], number));
    text_add(t, " --commit ");
    if (word.data) text_add_quoted(t, word.data);
    t->failed = t->failed || word.failed;
    text_free(&word);
}

/* For several initial states: nothing if they are equally likely, as the labels mean that. False: no option can express it. */
static bool add_first(const vouch_model *m, text *t)
{
    bool even = true, shared = true, named = drn_states_survive(m);
    int firsts = 0; /* a draw of one state is a step of its own, which labels do not say */
    for (int k = 0; k < m->K && m->first; k++) {
        const double *first = m->first + (size_t)k * (size_t)m->S;
        double one = 0;
        for (int s = 0; s < m->S; s++) {
            if (first[s] > 0 && one == 0) one = first[s];
            even = even && (first[s] == 0 || first[s] == one);
            shared = shared && first[s] == m->first[s];
            firsts += first[s] > 0;
        }
    }
    for (int s = 0; s < m->S && m->first && !even && shared; s++) {
        text word = {0};
        char number[32];
        if (!(m->first[s] > 0)) continue;
        if (named)
            text_add(&word, "%s=", m->state_name[s]);
        else
            text_add(&word, "%d=", s);
        text_add(&word, "%s", text_number(m->first[s], number));
        text_add(t, " --initial ");
        if (word.data) text_add_quoted(t, word.data);
        text_free(&word);
    }
    return (even || shared) && (!m->first || firsts > m->K);
}

static void add_numbers(const vouch_model *m, text *t)
{
    text_add(t, "states are numbered as in the model");
    if (m->s0 > 0) {
        text_add(t, ", but the initial one, \"%s\" (%d there), is 0, and ", m->state_name[m->s0], m->s0);
        text_add(t, m->s0 > 1 ? "0 .. %d are one higher" : "0 is 1", m->s0 - 1);
    }
    text_add(t, "\n");
}

/* Which states a POMDP file has: io/pomdp.c makes one of each arrival. there [S], 0 before. */
static void find_arrivals(const vouch_model *m, bool there[])
{
    there[m->s0] = true;
    for (int s = 0; s < m->S; s++) there[s] = there[s] || m->pair_start[s] == m->pair_start[s + 1];
    for (int k = 0; k < m->K; k++)
        for (int o = 0; o < m->env[k].start[m->pairs]; o++) there[m->env[k].next[o]] = true;
}

/* Promise j of a model whose states contain the state of the promises, by the names of the states that keep it; false: no option
 * can. */
static bool add_kept(const vouch_model *m, int j, const bool there[], text *t)
{
    text word = {0};
    vouch_promise p;
    char number[32];
    const char *before = "";
    vouch_model_get_promise(m, j, &p);
    text_add(&word, "%s:at:", is_plain(p.name) ? p.name : "promise");
    bool same = !(m->join && m->join->clock > 0); /* else names of states leave out the time that they are joined with */
    for (int k = 1; k < vouch_model_environments(m); k++)
        same = same && vouch_model_promise_probability(m, j, k) == vouch_model_promise_probability(m, j, 0);
    for (int s = 0; s < vouch_model_states(m) && same; s++) {
        bool kept = vouch_model_promise_holds(m, j, 0, s);
        for (int k = 1; k < vouch_model_environments(m); k++) same = same && vouch_model_promise_holds(m, j, k, s) == kept;
        if (!kept || !there[s]) continue;
        same = same && !strpbrk(vouch_model_state_name(m, s), ",@=|&!()\"");
        text_add(&word, "%s%s", before, vouch_model_state_name(m, s));
        before = ",";
    }
    text_add(&word, "@%d>=%s%s", vouch_model_horizon(m), text_number(vouch_model_promise_probability(m, j, 0), number),
             vouch_model_promise_is_average(m, j) ? "~prior" : "");
    same = same && before[0];
    if (same) text_add(t, " --commit ");
    if (same && word.data) text_add_quoted(t, word.data);
    t->failed = t->failed || word.failed;
    text_free(&word);
    return same;
}

static void add_pomdp(const vouch_model *m, text *t, text *options)
{
    bool *there = MEM_ZERO(bool, m->S);
    t->failed = t->failed || !there;
    if (there) find_arrivals(m, there);
    for (int j = 0; j < vouch_model_promises(m) && there; j++) {
        vouch_promise p;
        vouch_model_get_promise(m, j, &p);
        if (!add_kept(m, j, there, options)) text_add(t, "no option gives the promise \"%s\"; a JSON file holds it\n", p.name);
    }
    mem_free(there);
}

static void add_prior(const vouch_model *m, text *options)
{
    for (int k = 0; k < m->K && vouch_model_has_prior(m); k++) {
        char number[32];
        text_add(options, "%s%s", k ? "," : " --prior ", text_number(vouch_model_prior(m, k), number));
    }
}

void reading_add(const vouch_model *model, const char *path, int *states, int *actions, text *t)
{
    const vouch_model *m = model_user(model);
    size_t n = strlen(path);
    bool csv = path_ends_in(path, ".csv"), directory = n > 0 && path[n - 1] == '/';
    if (path_ends_in(path, ".pomdp")) {
        text options = {0};
        add_pomdp(model, t, &options);
        add_prior(m, &options);
        text_add(t, "to be read with -T %d%s\n", vouch_model_horizon(model), options.data ? options.data : "");
        t->failed = t->failed || options.failed;
        text_free(&options);
    }
    if (!csv && !directory) return;
    *states = m->S;
    *actions = m->A;
    if (csv) add_numbers(m, t);
    text options = {0};
    int T = vouch_model_horizon(model) + vouch_model_first_time(model);
    for (int j = 0; j < (m->promises ? m->promises : 1); j++) {
        const char *why = unsayable(m, j, directory);
        if (!why)
            add_promise(m, j, csv, &options);
        else if (m->promises)
            text_add(t, "no option gives the promise \"%s\", which %s; a JSON file holds it\n", m->promise[j].name, why);
    }
    if (!add_first(m, &options)) text_add(t, "no option gives the probability of each first state; a JSON file holds it\n");
    add_prior(m, &options);
    if (m->observed == VOUCH_OBSERVE_STATES) text_add(&options, " --observe states");
    if (m->sense == VOUCH_MINIMISE) text_add(&options, " --minimise");
    text_add(t, "to be read with -T %d%s\n", T, options.data ? options.data : "");
    t->failed = t->failed || options.failed;
    text_free(&options);
}
