/* plan/outcomes/outcomes_probe.c - probing: an option is ruled out if the policies that take it are no better than the cutoff.
 * Several options are tried independently in parallel, and the results merged in the order of options. Cost of a trial: the prices
 * of all environments once, and the sets above the options it forbids. */
#include <math.h>
#include <string.h>

#include "plan/bound/single_lagrangian.h"
#include "plan/outcomes/outcomes_state.h"
#include "policy/parameters.h"

/* An option of node n instead of its group [first .. first + count). */
typedef struct option_trial {
    int node, first, count, option;
    double bound;
    long long work;
} option_trial;

typedef struct trials_at_once {
    outcomes_state *s;
    double known;           /* the bound of the options allowed */
    unsigned char *allowed; /* [options] */
    option_trial trial[OUTCOMES_TOGETHER];
    int trials, forbidden;
    bool left; /* a policy remains */
} trials_at_once;

double outcomes_bound_of_trial(const outcomes_state *s, outcomes_room *room)
{
    double bound = -INFINITY;
    int h = s->hardest;
    for (int i = 0; i < s->rows && bound < s->cutoff; i++) {
        int k = s->row[i];
        const price_of e = {s->space, s->of[k], k};
        bound = fmax(bound, lagrangian_loss_at(&e, &room->prices, room->allowed, s->mu[k], NULL));
    }
    if (bound >= s->cutoff) return bound;
    double most = pairs_try(room->trial, room->allowed, s->space->accepted[h]);
    return fmax(bound, s->space->optimal[h] - most - s->space->rounding);
}

static long long worked(const outcomes_room *room) { return room->prices.work + room->trial->pareto_front.work; }

static void try_option(void *context, int i, int thread)
{
    trials_at_once *p = context;
    option_trial *t = &p->trial[i];
    outcomes_room *room = &p->s->room[thread];
    long long before = worked(room);
    memcpy(room->allowed, p->allowed, (size_t)p->s->e->options);
    memset(room->allowed + t->first, 0, (size_t)t->count);
    room->allowed[t->option] = 1;
    t->bound = outcomes_propagate(&room->e, t->node, room->allowed) ? outcomes_bound_of_trial(p->s, room) : INFINITY;
    t->work = worked(room) - before;
}

/* Runs the waiting trials and forbids options ruled out. */
static void try_all(trials_at_once *p)
{
    outcomes_state *s = p->s;
    int before = p->forbidden;
    pool_run(s->threads, p->trials, try_option, p);
    for (int i = 0; i < p->trials && p->left; i++) {
        const option_trial *t = &p->trial[i];
        s->prices.work += t->work;
        s->tried += t->work;
        s->raise[t->option] = fmax(t->bound - p->known, OUTCOMES.least_raise * (s->cutoff - p->known));
        if (!(t->bound >= s->cutoff) || !p->allowed[t->option]) continue;
        outcomes_cut(s, t->bound);
        p->allowed[t->option] = 0;
        p->forbidden++;
        p->left = outcomes_propagate(s->e, t->node, p->allowed);
    }
    p->trials = 0;
    if (p->left && p->forbidden > before) pairs_solve(s->of[s->hardest], p->allowed, s->space->accepted[s->hardest]);
}

/* Is a trial worthwhile, by the rise of the bound in the last one? */
static bool is_hopeful(outcomes_state *s, int option, double bound)
{
    if (bound + OUTCOMES.hoped * s->raise[option] >= s->cutoff) return true;
    s->raise[option] *= OUTCOMES.ages;
    return false;
}

/* Tries the options of a group that the hardest environment does not use. */
static void probe_group(trials_at_once *p, int n, int first, int count)
{
    outcomes_state *s = p->s;
    double used = 0;
    for (int o = first; o < first + count; o++) used = fmax(used, s->own[o]);
    if (used <= OUTCOMES_USED || outcomes_allowed_of(p->allowed, first, count) < 2) return;
    for (int o = first; o < first + count && p->left; o++) {
        if (!p->allowed[o] || s->own[o] > OUTCOMES_USED || outcomes_over(s) || !is_hopeful(s, o, p->known)) continue;
        p->trial[p->trials++] = (option_trial){.node = n, .first = first, .count = count, .option = o};
        if (p->trials == OUTCOMES_TOGETHER) try_all(p);
    }
}

bool outcomes_probe(outcomes_state *s, double bound, unsigned char allowed[], int *forbidden)
{
    const know_graph *g = s->space->g;
    trials_at_once p = {.s = s, .known = bound, .allowed = allowed, .left = true};
    memset(s->own, 0, (size_t)s->e->options * sizeof *s->own);
    pairs_trace(s->of[s->hardest], s->space->accepted[s->hardest], s->own, false);
    for (int n = 0; n < g->time_start[g->T] && p.left; n++) {
        if (s->e->count[n] > 0) probe_group(&p, n, s->e->first[n], s->e->count[n]);
        if (p.left && outcomes_decides(s, n, allowed))
            probe_group(&p, n, g->choice_start[n], g->choice_start[n + 1] - g->choice_start[n]);
    }
    if (p.left && p.trials > 0) try_all(&p);
    *forbidden = p.forbidden;
    return p.left;
}
