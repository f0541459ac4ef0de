/* plan/outcomes/outcomes_search.c - see outcomes_search.h. */
#include "plan/outcomes/outcomes_search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/outcomes/outcomes_state.h"
#include "policy/parameters.h"

/* A node all of whose choices run says less than the outcomes there. */
static const double RUNNING = 1e-9;
/* Work of what is tried at a node, in the mean, from which on threads share that and not the nodes: a millisecond. */
static const long long OUTCOMES_LONG = 200000;

/* ---- branching ----------------------------------------------------------------------------------------------------------------
 */

/* How much depends on a group: its mass, if more than one of its options is used; *heaviest: the one used most. */
static double weigh(const outcomes_state *s, int first, int count, int *heaviest)
{
    double sum = 0, top = 0;
    for (int o = first; o < first + count; o++) {
        sum += s->mass[o];
        if (s->mass[o] > top) {
            top = s->mass[o];
            *heaviest = o;
        }
    }
    return sum - top > OUTCOMES_USED ? sum : 0;
}

typedef struct group {
    int first, count, heaviest;
    bool outcomes;
} group;

/* Where the environments want different things, or one does at different arrivals. false: nowhere. */
static bool find_dispute(outcomes_state *s, const unsigned char allowed[], group *out)
{
    const know_graph *g = s->space->g;
    double most = 0;
    int heaviest = -1;
    for (int o = 0; o < s->e->options; o++) s->mass[o] = OUTCOMES.hardest * s->own[o];
    for (int i = 0; i < s->rows; i++)
        if (s->row[i] != s->hardest) outcomes_trace_price(s, s->row[i], allowed);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        double weight = weigh(s, s->e->first[n], s->e->count[n], &heaviest);
        if (weight > most) {
            most = weight;
            *out = (group){s->e->first[n], s->e->count[n], heaviest, true};
        }
        weight = weigh(s, first, count, &heaviest) * (outcomes_decides(s, n, allowed) ? 1 : RUNNING);
        if (weight <= most) continue;
        most = weight;
        *out = (group){first, count, heaviest, false};
    }
    return most > 0;
}

/* Does an environment that bounds are of come to node n? */
static bool concerns(const outcomes_state *s, int n)
{
    const know_graph *g = s->space->g;
    for (int i = 0; i < s->rows; i++)
        if (know_in_set(g, g->set[n], s->row[i])) return true;
    return false;
}

/* The first node that is come to and may do more than one thing: merged pairs, or outcomes that exclude each other, hide what is
 * disputed. */
static bool find_open(const outcomes_state *s, const unsigned char allowed[], group *out)
{
    const know_graph *g = s->space->g;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < g->time_start[g->T]; n++) {
            int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
            double used = 0;
            for (int o = first; o < first + count; o++) used += s->mass[o];
            for (int o = s->e->first[n]; o < s->e->first[n] + s->e->count[n]; o++) used += s->mass[o];
            if (!concerns(s, n) || (used <= OUTCOMES_USED && pass == 0) || outcomes_allowed_of(allowed, first, count) < 2) continue;
            *out = (group){first, count, first, false};
            return true;
        }
    return false;
}

/* Policies that are looked at: those of what is allowed. */
typedef struct outcomes_case {
    unsigned char *allowed; /* [options] */
    double bound;
    bool left, open; /* is something below the cutoff left, and is it more than one policy? Then they differ at the group */
    group at;
} outcomes_case;

typedef struct looked_at {
    outcomes_state *s;
    outcomes_case *one; /* [count], in the lane of its number */
    int count;
} looked_at;

/* Is something below the cutoff left of what is allowed? Less is, then. */
static bool look(outcomes_state *s, outcomes_case *c)
{
    c->bound = INFINITY;
    bool more = outcomes_propagate(s->e, -1, c->allowed);
    if (more) c->bound = outcomes_bound(s, c->allowed);
    while (more && c->bound < s->cutoff) {
        int forbidden;
        more = outcomes_probe(s, c->bound, c->allowed, &forbidden);
        if (forbidden == 0) return true;
        c->bound = more ? outcomes_bound(s, c->allowed) : INFINITY;
    }
    outcomes_cut(s, c->bound);
    return false;
}

static void look_at(void *context, int i, int thread)
{
    const looked_at *l = context;
    outcomes_state *lane = &l->s->lane[i];
    outcomes_case *c = &l->one[i];
    (void)thread;
    c->left = look(lane, c);
    if (!c->left) return;
    c->open = find_dispute(lane, c->allowed, &c->at) || find_open(lane, c->allowed, &c->at);
    outcomes_offer(lane, c->allowed);
}

/* Where what is tried takes long, threads share that; else the cases. Nothing but the time depends on it. */
static void look_at_all(looked_at *l)
{
    outcomes_state *s = l->s;
    bool apart = l->count > 1 && s->tried < OUTCOMES_LONG * s->nodes;
    for (int i = 0; i < l->count; i++) {
        outcomes_enter(s, &s->lane[i]);
        s->lane[i].threads = apart ? NULL : s->threads;
    }
    pool_run(apart ? s->threads : NULL, l->count, look_at, l);
    for (int i = 0; i < l->count; i++) outcomes_leave(s, &s->lane[i]);
    s->nodes += l->count;
}

/* What is left if policies take this option of the group; -1: any but the heaviest. NULL in allowed: no memory. */
static outcomes_case begin_case(const outcomes_state *s, const unsigned char from[], const group *at, int option)
{
    outcomes_case c = {.allowed = MEM_NEW(unsigned char, s->e->options)};
    if (!c.allowed) return c;
    memcpy(c.allowed, from, (size_t)s->e->options);
    if (at && option >= 0) memset(c.allowed + at->first, 0, (size_t)at->count);
    if (at) c.allowed[option >= 0 ? option : at->heaviest] = option >= 0;
    return c;
}

static vouch_status branch(outcomes_state *s, const outcomes_case *c, int depth);

/* The policies of `from` that take one of option [count] of the group, each case looked at with the others and then explored in
 * turn. */
static vouch_status explore(outcomes_state *s, const unsigned char from[], const group *at, const int option[], int count,
                            int depth)
{
    outcomes_case one[OUTCOMES_LANES];
    vouch_status status = VOUCH_OK;
    if (outcomes_over(s)) return VOUCH_OK;
    if (depth > OUTCOMES.deepest) {
        s->given_up = true;
        return VOUCH_OK;
    }
    for (int i = 0; i < count; i++) {
        one[i] = begin_case(s, from, at, option[i]);
        if (!one[i].allowed) status = VOUCH_ERROR_MEMORY;
    }
    if (!status) look_at_all(&(looked_at){s, one, count});
    for (int i = 0; i < count; i++) {
        bool left = !status && !s->given_up && one[i].left;
        if (left && one[i].bound >= s->cutoff)
            outcomes_cut(s, one[i].bound);
        else if (left)
            status = branch(s, &one[i], depth);
        mem_free(one[i].allowed);
    }
    return status;
}

/* The children: each choice, or one outcome and all others. */
static vouch_status branch(outcomes_state *s, const outcomes_case *c, int depth)
{
    const group *at = &c->at;
    int option[OUTCOMES_LANES] = {at->heaviest, -1}, count = 0;
    if (!c->open && s->rows < s->K) { /* the others may regret more */
        s->given_up = s->at_ease = true;
        return VOUCH_OK;
    }
    if (!c->open) { /* of the only policy left the value is known */
        outcomes_cut(s, s->cutoff);
        return VOUCH_OK;
    }
    if (at->outcomes) return explore(s, c->allowed, at, option, 2, depth + 1);
    vouch_status status = VOUCH_OK;
    for (int o = at->first; o < at->first + at->count && !status && !s->given_up; o++) {
        if (c->allowed[o]) option[count++] = o;
        if (count < OUTCOMES_LANES && (o + 1 < at->first + at->count || count == 0)) continue;
        status = explore(s, c->allowed, at, option, count, depth + 1);
        count = 0;
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------------
 */

void outcomes_end(outcomes_state *s)
{
    outcomes_free_rooms(s);
    for (int k = 0; s->of && k < s->K; k++) pairs_free(s->of[k]);
    outcomes_free(s->e);
    arena_free(&s->memory);
}

vouch_status outcomes_make_pairs(outcomes_state *s, const unsigned char all[])
{
    double most = -INFINITY;
    for (int k = 0; k < s->K; k++) {
        vouch_status status = outcomes_pairs(s->e, k, OUTCOMES.coarse_pairs, &s->of[k]);
        if (status) return status;
        s->of[k]->most_work = s->most_work - s->prices.work;
        double loss = outcomes_loss_by_pairs(s, k, all);
        s->prices.work += s->of[k]->pareto_front.work;
        if (s->prices.work >= s->most_work) {
            s->given_up = true;
            return VOUCH_OK;
        }
        if (loss <= most) continue;
        most = loss;
        s->hardest = k;
    }
    pairs_free(s->of[s->hardest]);
    s->of[s->hardest] = NULL;
    vouch_status status = outcomes_pairs(s->e, s->hardest, OUTCOMES.fine_pairs, &s->of[s->hardest]);
    return status ? status : outcomes_make_rooms(s);
}

vouch_status outcomes_begin(outcomes_state *s)
{
    arena *a = &s->memory;
    s->K = s->space->K;
    s->of = ARENA_ZERO(a, know_pairs *, s->K);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    vouch_status status = outcomes_new(s->space->g, &s->e);
    if (status) return status;
    s->row = ARENA_ZERO(a, int, s->K);
    if (a->failed || outcomes_make_arrays(s)) return VOUCH_ERROR_MEMORY;
    for (s->rows = 0; s->rows < s->K; s->rows++) s->row[s->rows] = s->rows;
    return VOUCH_OK;
}

/* Is there memory for outcomes and all sets? */
static bool fits(const policy_space *space)
{
    size_t nodes = (size_t)space->g->nodes, K = (size_t)space->K;
    size_t pairs = (size_t)OUTCOMES.fine_pairs * (1 + OUTCOMES_LANES) + (size_t)OUTCOMES.coarse_pairs * K,
           of_node = 2 * pairs * sizeof(nondominated) + OUTCOMES_MOST * 2 * sizeof(double);
    return nodes * of_node + (size_t)space->g->choices * OUTCOMES_MOST * sizeof(int) < OUTCOMES.store_bytes;
}

/* Is nothing left below the target? *bound grows to that of what was cut off then. */
static vouch_status explore_below(outcomes_state *s, double target, const unsigned char all[], double *bound)
{
    s->target = target;
    s->cut = INFINITY;
    outcomes_set_cutoff(s);
    int any = -1;
    vouch_status status = explore(s, all, NULL, &any, 1, 0);
    if (!status && !s->given_up) *bound = fmax(*bound, fmin(s->cut, incumbent_value(s->inc)));
    return status;
}

vouch_status outcomes_explore_two(outcomes_state *s, const unsigned char all[], double *bound, long long *more)
{
    int second = s->hardest == 0;
    long long before = outcomes_worked(s), whole = s->most_work;
    const double *optimal = s->space->optimal, *U = s->inc->value.U;
    *more = 0;
    if (s->K <= 2 || (double)before > OUTCOMES.most_share * (double)whole) return VOUCH_OK;
    for (int k = 0; k < s->K; k++)
        if (k != s->hardest && optimal[k] - U[k] > optimal[second] - U[second]) second = k;
    s->row[0] = s->hardest;
    s->row[1] = second;
    s->rows = 2;
    s->most_work = before + (long long)(OUTCOMES.two_share * (double)whole);
    vouch_status status;
    double value;
    do {
        value = incumbent_value(s->inc);
        s->given_up = s->at_ease = false;
        status = explore_below(s, INFINITY, all, bound);
    } while (!status && s->at_ease && incumbent_value(s->inc) < value);
    for (s->rows = 0; s->rows < s->K; s->rows++) s->row[s->rows] = s->rows;
    s->most_work = whole;
    s->given_up = false;
    *more = outcomes_worked(s) - before;
    return status;
}

static vouch_status run(outcomes_state *s, double known, outcomes_result *result)
{
    unsigned char *all = MEM_NEW(unsigned char, s->e->options);
    if (!all) return VOUCH_ERROR_MEMORY;
    outcomes_allow_all(s->e, all);
    vouch_status status = outcomes_make_pairs(s, all);
    if (!status && !s->given_up) {
        long long whole = s->most_work, two;
        outcomes_exchange(s);
        status = outcomes_explore_two(s, all, &result->bound, &two);
        s->most_work = two + (long long)(OUTCOMES.most_share * (double)whole);
        if (!status && result->bound < s->cutoff) status = explore_below(s, INFINITY, all, &result->bound);
        s->most_work = two + whole;
        if (!status && s->given_up && isfinite(known)) {
            s->given_up = false;
            status = explore_below(s, known + OUTCOMES.nearer * (incumbent_value(s->inc) - known), all, &result->bound);
        }
    }
    mem_free(all);
    result->nodes = s->nodes;
    result->work = s->prices.work;
    if (s->of[s->hardest]) result->work += s->of[s->hardest]->pareto_front.work;
    return status;
}

long long outcomes_allowed(const outcomes_schedule *when, long long worked, const know_graph *g)
{
    double edges = (double)g->edges / g->choices; /* inductions count them, and they are most of the work where they are many */
    double few = fmin(1, OUTCOMES.few_edges / edges), uncounted = OUTCOMES.uncounted * few * few;
    if (g->K > OUTCOMES.few_environments) worked = (long long)(fmax(1, uncounted) * (double)worked);
    int doublings = when->better < OUTCOMES.most_doublings ? when->better : OUTCOMES.most_doublings;
    long long work = ((long long)OUTCOMES.share << doublings) * worked;
    return work >= OUTCOMES.in_vain * when->vain ? work : 0;
}

void outcomes_note(outcomes_schedule *when, const outcomes_result *result, long long work)
{
    when->better = result->better ? when->better + 1 : 0;
    if (result->better)
        when->vain = 0;
    else if (result->nodes > 0)
        when->vain = work; /* else it was too little to begin */
}

vouch_status outcomes_search(const policy_space *space, incumbent *inc, double gap, const outcomes_limits *limits,
                             outcomes_result *result)
{
    outcomes_state s = {.space = space,
                        .inc = inc,
                        .gap = gap,
                        .target = INFINITY,
                        .most_work = limits->work,
                        .limit = limits->time,
                        .threads = limits->threads};
    *result = (outcomes_result){.bound = -INFINITY};
    if (limits->work <= 0 || !fits(space)) return VOUCH_OK;
    double before = incumbent_value(inc);
    vouch_status status = outcomes_begin(&s);
    if (!status && s.e->options > space->g->choices) status = run(&s, limits->known, result);
    result->better = incumbent_value(inc) < before;
    outcomes_end(&s);
    return status;
}
