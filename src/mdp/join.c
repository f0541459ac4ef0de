/* mdp/join.c - see model.h. Breadth first from the start; O(joined states * actions * outcomes * (K + automata)). Invariant:
 * outcomes of one action are different in the joined model iff they are in the user's, since the memory is a function of the states
 * visited. */
#include "mdp/model.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

static const int JOINED_MOST = 20000000; /* states that fit in memory */

typedef enum memory_value { MEMORY_OPEN = 0, MEMORY_KEPT, MEMORY_BROKEN } memory_value;

const vouch_model *model_user(const vouch_model *m) { return m->join ? m->join->user : m; }

int promise_end(const vouch_model *user, int j) { return user->promise[j].to < 0 ? user->T : user->promise[j].to; }

static int promise_begin(const promise_data *p) { return p->from < 0 ? 0 : p->from; }

/* The last time at which the rule of promise j changes; 0: it never does. */
static int promise_last_change(const vouch_model *u, int j)
{
    int end = promise_end(u, j);
    if (end < u->T) return end;
    return vouch_promise_kind_is_window(u->promise[j].kind) ? promise_begin(&u->promise[j]) : 0;
}

static bool promise_remembers(const vouch_model *u, int j)
{
    return u->promise[j].kind != VOUCH_PROMISE_AT || promise_end(u, j) < u->T;
}

bool promise_is_in(const vouch_model *u, int j, int k, int s) { return u->promise[j].in[(size_t)k * (size_t)u->S + (size_t)s]; }

/* The memory after visiting s at time t of the user. */
static memory_value promise_remember(const vouch_model *u, const automaton *a, memory_value before, int t, int s)
{
    const promise_data *p = &u->promise[a->promise];
    int end = promise_end(u, a->promise);
    bool in = promise_is_in(u, a->promise, a->env, s) != (p->kind == VOUCH_PROMISE_AVOID);
    if (before != MEMORY_OPEN) return before;
    if (p->kind == VOUCH_PROMISE_AT) return t < end ? MEMORY_OPEN : in ? MEMORY_KEPT : MEMORY_BROKEN;
    bool astray = p->through && !p->through[(size_t)a->env * (size_t)u->S + (size_t)s];
    if (p->kind == VOUCH_PROMISE_BY) return in ? MEMORY_KEPT : astray || (t >= end && end < u->T) ? MEMORY_BROKEN : MEMORY_OPEN;
    if (t < promise_begin(p)) return MEMORY_OPEN;
    if (!in) return MEMORY_BROKEN;
    return t >= end && end < u->T ? MEMORY_KEPT : MEMORY_OPEN;
}

/* 1 if the promise is kept in environment k when the joined state at the horizon is s, else 0. */
static double joined_weight(const vouch_model *u, const joined_model *j, int promise, int k, int s)
{
    int a = j->watcher[(size_t)promise * (size_t)u->K + (size_t)k];
    if (j->base[s] < 0) return 0;
    if (a < 0) return promise_is_in(u, promise, k, j->base[s]);
    memory_value value = (memory_value)j->value[(size_t)s * (size_t)j->automata + (size_t)a];
    return value == MEMORY_KEPT || (value == MEMORY_OPEN && vouch_promise_kind_is_window(u->promise[promise].kind));
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

typedef struct words {
    char *data;
    size_t used, capacity;
    bool failed;
} words;

static void say(words *w, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i <= length && !w->failed; i++) {
        w->failed = mem_reserve((void **)&w->data, &w->capacity, w->used + i, 1) != 0;
        if (!w->failed) w->data[w->used + i] = text[i];
    }
    w->used += length;
}

static memory_value value_in(const vouch_model *u, const joined_model *j, int state, int promise, int k)
{
    int a = j->watcher[(size_t)promise * (size_t)u->K + (size_t)k];
    return a < 0 ? MEMORY_OPEN : (memory_value)j->value[(size_t)state * (size_t)j->automata + (size_t)a];
}

/* The user's name, followed by the decided promises in brackets. NULL: out of memory. */
static char *joined_state_name(const vouch_model *u, const joined_model *j, int state)
{
    static const char *const word[] = {"", " kept", " broken"};
    words w = {0};
    const char *before = " [";
    say(&w, u->state_name[j->base[state]]);
    for (int p = 0; p < u->promises; p++)
        for (memory_value value = MEMORY_KEPT; value <= MEMORY_BROKEN; value++) {
            int count = 0;
            for (int k = 0; k < u->K; k++) count += value_in(u, j, state, p, k) == value;
            if (count == 0) continue;
            say(&w, before);
            say(&w, u->promise[p].name);
            say(&w, word[value]);
            for (int k = 0, seen = 0; k < u->K && count < u->K; k++) {
                if (value_in(u, j, state, p, k) != value) continue;
                say(&w, seen++ ? "," : " in ");
                say(&w, u->env_name[k]);
            }
            before = ", ";
        }
    if (before[0] == ',') say(&w, "]");
    if (!w.failed) return w.data;
    mem_free(w.data);
    return NULL;
}

/* ---- joining ------------------------------------------------------------------------------------------------ */

typedef struct arcs { /* of one environment, growing */
    size_t start_capacity, next_capacity, prob_capacity, reward_capacity, seen_capacity, decimal_capacity, expected_capacity;
    size_t low_capacity, high_capacity;
    size_t count;
} arcs;

typedef struct joiner {
    const vouch_model *u;
    vouch_model *m; /* the joined model */
    joined_model *j;
    intern states;
    uint64_t *key;
    arcs *arcs; /* [K] */
    size_t base_capacity, when_capacity, value_capacity, pair_start_capacity, pair_action_capacity;
} joiner;

static bool same_sets(const promise_data *p, int k, int l, size_t S)
{
    const bool *set[] = {p->in, p->through};
    for (int i = 0; i < 2; i++)
        if (set[i] && memcmp(set[i] + (size_t)k * S, set[i] + (size_t)l * S, S * sizeof *set[i]) != 0) return false;
    return true;
}

/* One automaton for each promise with a memory and each set it has in some environment. */
static vouch_status make_automata(joiner *mk)
{
    const vouch_model *u = mk->u;
    joined_model *j = mk->j;
    size_t S = (size_t)u->S, K = (size_t)u->K;
    j->watcher = MEM_NEW(int, (size_t)u->promises *K + 1);
    j->automaton = MEM_NEW(automaton, (size_t)u->promises * K + 1);
    if (!j->watcher || !j->automaton) return VOUCH_ERROR_MEMORY;
    for (int p = 0; p < u->promises; p++) {
        int first = j->automata;
        for (int k = 0; k < u->K; k++) {
            int *watcher = &j->watcher[(size_t)p * K + (size_t)k], a = first;
            *watcher = -1;
            if (!promise_remembers(u, p)) continue;
            while (a < j->automata && !same_sets(&u->promise[p], j->automaton[a].env, k, S)) a++;
            if (a == j->automata) j->automaton[j->automata++] = (automaton){p, k};
            *watcher = a;
        }
        if (promise_remembers(u, p) && promise_last_change(u, p) > j->clock) j->clock = promise_last_change(u, p);
    }
    return VOUCH_OK;
}

/* The state of this base (-1: the start), time and memory [automata], made if new; -1: out of memory. */
static int intern_state(joiner *mk, int base, int when, const unsigned char value[])
{
    joined_model *j = mk->j;
    bool fresh;
    memset(mk->key, 0, (size_t)mk->states.words * sizeof *mk->key);
    mk->key[0] = (uint64_t)(base + 1) << 32 | (uint32_t)when;
    for (int a = 0; a < j->automata; a++) mk->key[1 + a / 32] |= (uint64_t)value[a] << (2 * (a % 32));
    int s = intern_add(&mk->states, mk->key, &fresh);
    if (s < 0 || !fresh) return s;
    size_t n = (size_t)s, width = (size_t)j->automata;
    if (MEM_RESERVE(&j->base, &mk->base_capacity, n) || MEM_RESERVE(&j->when, &mk->when_capacity, n) ||
        mem_reserve((void **)&j->value, &mk->value_capacity, (n + 1) * (width + 1), 1))
        return -1;
    j->base[n] = base;
    j->when[n] = when;
    memcpy(j->value + n * width, value, width);
    return s;
}

/* The state reached from s (-1: none) by moving to `base` at time t of the user. value: scratch [automata]. */
static int arrive(joiner *mk, int s, int base, int t, unsigned char value[])
{
    const joined_model *j = mk->j;
    for (int a = 0; a < j->automata; a++) {
        memory_value before = s < 0 ? MEMORY_OPEN : (memory_value)j->value[(size_t)s * (size_t)j->automata + (size_t)a];
        value[a] = (unsigned char)promise_remember(mk->u, &j->automaton[a], before, t, base);
    }
    return intern_state(mk, base, t < j->clock ? t : j->clock, value);
}

/* prob: of outcome o of the user's environment, or of a first state (from NULL). */
static int add_outcome(joiner *mk, int k, int next, double prob, const mdp *from, int o)
{
    mdp *e = &mk->m->env[k];
    arcs *a = &mk->arcs[k];
    size_t n = a->count;
    if (next < 0 || MEM_RESERVE(&e->next, &a->next_capacity, n) || MEM_RESERVE(&e->prob, &a->prob_capacity, n) ||
        MEM_RESERVE(&e->reward, &a->reward_capacity, n) || MEM_RESERVE(&e->seen, &a->seen_capacity, n) ||
        (mk->u->decimal_count > 0 && MEM_RESERVE(&e->decimal, &a->decimal_capacity, n)) ||
        (mk->u->env[k].low && (MEM_RESERVE(&e->low, &a->low_capacity, n) || MEM_RESERVE(&e->high, &a->high_capacity, n))))
        return -1;
    size_t at = n;
    for (; at > (size_t)e->start[mk->m->pairs] && e->next[at - 1] > next; at--) {
        e->next[at] = e->next[at - 1];
        e->prob[at] = e->prob[at - 1];
        e->reward[at] = e->reward[at - 1];
        e->seen[at] = e->seen[at - 1];
        if (e->decimal) e->decimal[at] = e->decimal[at - 1];
        if (e->low) e->low[at] = e->low[at - 1], e->high[at] = e->high[at - 1];
    }
    e->next[at] = next;
    e->prob[at] = prob;
    e->reward[at] = from ? from->reward[o] : 0;
    e->seen[at] = from ? from->seen[o] : 0;
    if (e->decimal) e->decimal[at] = from && from->decimal ? from->decimal[o] : NULL;
    if (e->low) e->low[at] = from ? from->low[o] : prob, e->high[at] = from ? from->high[o] : prob;
    a->count++;
    return 0;
}

/* Opens the next pair in every environment; close_pair ends it. */
static int open_pair(joiner *mk, int action)
{
    vouch_model *m = mk->m;
    size_t q = (size_t)m->pairs;
    if (mem_reserve((void **)&m->pair_action, &mk->pair_action_capacity, q, sizeof(int))) return -1;
    m->pair_action[q] = action;
    for (int k = 0; k < m->K; k++) {
        mdp *e = &m->env[k];
        if (MEM_RESERVE(&e->start, &mk->arcs[k].start_capacity, q + 1) ||
            MEM_RESERVE(&e->expected, &mk->arcs[k].expected_capacity, q))
            return -1;
        e->start[q] = (int)mk->arcs[k].count;
        e->expected[q] = 0;
    }
    return 0;
}

static int close_pair(joiner *mk)
{
    vouch_model *m = mk->m;
    for (int k = 0; k < m->K; k++) {
        if (mk->arcs[k].count > INT32_MAX) return -1;
        m->env[k].start[m->pairs + 1] = (int)mk->arcs[k].count;
    }
    m->pairs++;
    return 0;
}

static int expand_start(joiner *mk, unsigned char value[])
{
    const vouch_model *u = mk->u;
    if (open_pair(mk, u->A)) return -1;
    for (int k = 0; k < u->K; k++)
        for (int s = 0; s < u->S; s++) {
            double p = u->first[(size_t)k * (size_t)u->S + (size_t)s];
            if (p > 0 && add_outcome(mk, k, arrive(mk, -1, s, 0, value), p, NULL, 0)) return -1;
        }
    return close_pair(mk);
}

/* t: first time, of the user, at which s is reached. */
static int expand_state(joiner *mk, int s, int t, unsigned char value[])
{
    const vouch_model *u = mk->u;
    int base = mk->j->base[s];
    for (int q = u->pair_start[base]; q < u->pair_start[base + 1]; q++) {
        if (open_pair(mk, u->pair_action[q])) return -1;
        for (int k = 0; k < u->K; k++) {
            const mdp *e = &u->env[k];
            for (int o = e->start[q]; o < e->start[q + 1]; o++)
                if (add_outcome(mk, k, arrive(mk, s, e->next[o], t + 1, value), e->prob[o], e, o)) return -1;
            mk->m->env[k].expected[mk->m->pairs] = e->expected[q];
        }
        if (close_pair(mk)) return -1;
    }
    return 0;
}

static vouch_status expand(joiner *mk, vouch_error *error)
{
    vouch_model *m = mk->m;
    const vouch_model *u = mk->u;
    unsigned char *value = MEM_ZERO(unsigned char, mk->j->automata + 1);
    bool failed = !value, large = false;
    if (!failed) failed = (u->first ? intern_state(mk, -1, 0, value) : arrive(mk, -1, u->s0, 0, value)) < 0;
    for (int s = 0, t = -mk->j->offset, layer = mk->states.count; s < mk->states.count && !failed && !large; s++) {
        if (s == layer) {
            layer = mk->states.count;
            t++;
        }
        failed = mem_reserve((void **)&m->pair_start, &mk->pair_start_capacity, (size_t)s + 1, sizeof(int)) != 0;
        if (failed) break;
        m->pair_start[s] = m->pairs;
        if (t < 0)
            failed = expand_start(mk, value) != 0;
        else if (t < u->T)
            failed = expand_state(mk, s, t, value) != 0;
        m->pair_start[s + 1] = m->pairs;
        large = mk->states.count > JOINED_MOST;
    }
    mem_free(value);
    m->S = mk->states.count;
    if (large) return error_set(error, VOUCH_ERROR_SIZE, "more than %d states with what the promises remember", JOINED_MOST);
    return failed ? error_memory(error) : VOUCH_OK;
}

/* True if promise p has the same set in environment k as in k - 1. */
static bool as_before(const vouch_model *u, const joined_model *j, int p, int k)
{
    size_t K = (size_t)u->K, S = (size_t)u->S;
    const promise_data *made = &u->promise[p];
    if (k == 0) return false;
    if (j && j->watcher[(size_t)p * K + (size_t)k] >= 0)
        return j->watcher[(size_t)p * K + (size_t)k] == j->watcher[(size_t)p * K + (size_t)k - 1];
    return same_sets(made, k, k - 1, S);
}

/* Terminal weights of each promise in each environment, shared by neighbours of one set. */
static vouch_status weigh(const vouch_model *u, const joined_model *j, vouch_model *m)
{
    size_t S = (size_t)m->S, K = (size_t)u->K, J = (size_t)u->promises, rows = 0;
    for (int k = 0; k < u->K; k++)
        for (int p = 0; p < u->promises; p++) rows += !as_before(u, j, p, k);
    m->J = u->promises;
    m->weight = MEM_NEW(double *, K *J);
    m->weights = MEM_NEW(double, rows *S);
    if (!m->weight || !m->weights) return VOUCH_ERROR_MEMORY;
    double *w = m->weights;
    for (size_t k = 0; k < K; k++)
        for (size_t p = 0; p < J; p++) {
            if (as_before(u, j, (int)p, (int)k)) {
                m->weight[k * J + p] = m->weight[(k - 1) * J + p];
                continue;
            }
            m->weight[k * J + p] = w;
            for (int s = 0; s < m->S; s++) *w++ = j ? joined_weight(u, j, (int)p, (int)k, s) : promise_is_in(u, (int)p, (int)k, s);
        }
    if (!j) MEM_COPY(m->terminal, m->weights, m->S);
    for (size_t k = 0; k < K; k++) {
        m->env[k].terminal = m->weight[k * J];
        m->env[k].p = promise_alone(&u->promise[0], (int)k);
        m->env[k].p_rest = promise_rest(&u->promise[0], (int)k);
    }
    m->p = u->promise[0].p[0];
    return VOUCH_OK;
}

void joined_free(vouch_model *m)
{
    joined_model *j = m->join;
    MEM_FREE_ALL(m->weight, m->weights);
    m->weight = NULL;
    m->weights = NULL;
    if (!j) return;
    for (int k = 0; k < m->K && m->env; k++) mdp_free(&m->env[k]);
    MEM_FREE_ALL(m->env, m->pair_start, m->pair_action);
    for (int s = 0; s < m->S && m->state_name; s++) mem_free(m->state_name[s]);
    MEM_FREE_ALL(m->state_name, m->action_name, j->automaton, j->watcher, j->base, j->when, j->value, j->twin, j);
    m->join = NULL;
}

/* Links the states of equal base and memory, by a second table over keys without time. */
static vouch_status link_twins(joiner *mk)
{
    joined_model *j = mk->j;
    intern table = {0};
    int *last = MEM_NEW(int, mk->m->S + 1);
    j->twin = MEM_NEW(int, mk->m->S + 1);
    bool failed = !last || !j->twin || intern_init(&table, mk->states.words);
    for (int s = 0; s < mk->m->S && !failed; s++) {
        bool fresh;
        MEM_COPY(mk->key, intern_key(&mk->states, s), mk->states.words);
        mk->key[0] &= ~(uint64_t)UINT32_MAX;
        int i = intern_add(&table, mk->key, &fresh);
        failed = i < 0;
        if (failed) break;
        j->twin[s] = fresh ? s : j->twin[last[i]];
        if (!fresh) j->twin[last[i]] = s;
        last[i] = s;
    }
    intern_free(&table);
    mem_free(last);
    return failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

static char *start_name(char *const name[], int count)
{
    static char *const choice[] = {"start", "(start)", "((start))"};
    for (size_t i = 0; i + 1 < sizeof choice / sizeof *choice; i++) {
        bool taken = false;
        for (int n = 0; n < count; n++) taken |= strcmp(name[n], choice[i]) == 0;
        if (!taken) return choice[i];
    }
    return choice[2];
}

static vouch_status name_all(vouch_model *m, const vouch_model *u, const joined_model *j)
{
    m->state_name = MEM_ZERO(char *, m->S);
    m->action_name = MEM_NEW(char *, m->A);
    if (!m->state_name || !m->action_name) return VOUCH_ERROR_MEMORY;
    MEM_COPY(m->action_name, u->action_name, u->A);
    if (j->offset) m->action_name[u->A] = start_name(u->action_name, u->A);
    for (int s = 0; s < m->S; s++) {
        m->state_name[s] = j->base[s] < 0 ? mem_string(start_name(u->state_name, u->S)) : joined_state_name(u, j, s);
        if (!m->state_name[s]) return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

static bool needs_joining(const vouch_model *u)
{
    bool needs = u->first != NULL;
    for (int j = 0; j < u->promises; j++) needs |= promise_remembers(u, j);
    return needs;
}

/* *out: a joined model of u, which it does not own yet. */
static vouch_status make_joined(const vouch_model *u, vouch_model *out, vouch_error *error)
{
    joiner mk = {.u = u, .m = out, .j = MEM_ZERO(joined_model, 1), .arcs = MEM_ZERO(arcs, u->K)};
    vouch_status status = VOUCH_ERROR_MEMORY;
    *out = *u;
    out->join = mk.j;
    out->S = out->pairs = 0;
    out->weight = NULL;
    out->weights = NULL;
    out->pair_start = out->pair_action = NULL;
    out->state_name = out->action_name = NULL;
    out->terminal = NULL;
    out->env = MEM_ZERO(mdp, u->K);
    if (mk.j && mk.arcs && out->env) {
        mk.j->offset = u->first != NULL;
        out->A += mk.j->offset;
        out->T += mk.j->offset;
        status = make_automata(&mk);
        if (!status && intern_init(&mk.states, 1 + (mk.j->automata + 31) / 32)) status = VOUCH_ERROR_MEMORY;
        mk.key = MEM_NEW(uint64_t, 1 + (mk.j->automata + 31) / 32);
        if (!mk.key) status = VOUCH_ERROR_MEMORY;
        if (!status) status = expand(&mk, error);
        if (!status) status = link_twins(&mk);
        if (!status) status = name_all(out, u, mk.j);
        if (!status) status = weigh(u, mk.j, out);
    }
    MEM_FREE_ALL(mk.key, mk.arcs);
    intern_free(&mk.states);
    out->s0 = 0;
    out->terminal = out->weights; /* of the first environment and promise */
    out->last_horizon = u->last_horizon + (u->last_horizon < INT32_MAX ? out->T - u->T : 0);
    if (status) joined_free(out);
    return status;
}

vouch_status model_join(vouch_model *m, vouch_error *error)
{
    vouch_model *u = m->join ? m->join->user : m, made;
    CHECK(m->finished && m->group == 1);
    if (u->promises == 0) {
        for (int k = 0; k < u->K; k++) {
            u->env[k].terminal = u->terminal;
            u->env[k].p = u->p;
            u->env[k].p_rest = u->p_rest;
        }
        return VOUCH_OK;
    }
    if (needs_joining(u)) {
        vouch_model *own = m->join ? u : MEM_NEW(vouch_model, 1);
        if (!own) return error_memory(error);
        vouch_status status = make_joined(u, &made, error);
        if (status) {
            if (own != u) mem_free(own);
            return status == VOUCH_ERROR_MEMORY ? error_memory(error) : status;
        }
        if (m->join)
            joined_free(m);
        else
            *own = *m;
        *m = made;
        m->join->user = own;
        return VOUCH_OK;
    }
    made = *u;
    vouch_status status = weigh(u, NULL, &made);
    if (status) {
        MEM_FREE_ALL(made.weight, made.weights);
        return error_memory(error);
    }
    bool joined = m->join != NULL;
    joined_free(m);
    *m = made;
    if (joined) mem_free(u);
    return VOUCH_OK;
}

int model_state_at(const vouch_model *m, int state, int time)
{
    if (!m->join) return state;
    const joined_model *j = m->join;
    int t = time - j->offset, when = t < j->clock ? t : j->clock, s = state;
    if (j->base[state] < 0) return state;
    do {
        if (j->when[s] == when) return s;
        s = j->twin[s];
    } while (s != state);
    return state;
}

int model_successor(const vouch_model *m, int q, int next)
{
    for (int k = 0; k < m->K; k++) {
        const mdp *e = &m->env[k];
        for (int o = e->start[q]; o < e->start[q + 1]; o++)
            if (e->next[o] == next || (m->join && m->join->base[e->next[o]] == m->join->base[next])) return e->next[o];
    }
    return -1;
}
