/* plan/outcomes/outcomes_search.c - see outcomes_search.h. */
#include "plan/outcomes/outcomes_search.h"

#include <math.h>

#include "base/memory.h"
#include "plan/outcomes/outcomes_state.h"
#include "policy/parameters.h"

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
    s->apart = OUTCOMES.apart;
    s->of = ARENA_ZERO(a, know_pairs *, s->K);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    vouch_status status = outcomes_new(s->space->g, &s->e);
    if (status) return status;
    s->row = ARENA_ZERO(a, int, s->K);
    if (a->failed || outcomes_make_arrays(s)) return VOUCH_ERROR_MEMORY;
    for (s->rows = 0; s->rows < s->K; s->rows++) s->row[s->rows] = s->rows;
    return VOUCH_OK;
}

/* Do outcomes and all sets fit in memory? */
static bool fits(const policy_space *space)
{
    size_t nodes = (size_t)space->g->nodes, K = (size_t)space->K;
    size_t pairs = (size_t)OUTCOMES.fine_pairs * (1 + OUTCOMES_LANES) + (size_t)OUTCOMES.coarse_pairs * K,
           of_node = 2 * pairs * sizeof(nondominated) + OUTCOMES_MOST * 2 * sizeof(double);
    return nodes * of_node + (size_t)space->g->choices * OUTCOMES_MOST * sizeof(int) < OUTCOMES.store_bytes;
}

/* Is nothing left below the target? Then raises *bound to the least bound of the parts cut off. */
static vouch_status explore_below(outcomes_state *s, double target, const unsigned char all[], double *bound)
{
    s->target = target;
    s->cut = INFINITY;
    outcomes_set_cutoff(s);
    vouch_status status = outcomes_explore(s, all);
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
    double edges = (double)g->edges / g->choices; /* inductions count edges, which dominate the work if they are many */
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
        when->vain = work; /* else too little to begin */
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
