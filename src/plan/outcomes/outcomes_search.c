/* plan/outcomes/outcomes_search.c - see outcomes_search.h. */
#include "plan/outcomes/outcomes_search.h"

#include "base/memory.h"
#include "plan/bound/single_lagrangian.h"
#include "plan/heuristic/local_search.h"
#include "policy/parameters.h"

/* Bound on the loss of environment k by pairs, under allowed [options]. */
static double outcomes_loss_by_pairs(outcomes_state *s, int k, const unsigned char allowed[])
{
    return s->space->optimal[k] - pairs_solve(s->of[k], allowed, s->space->accepted[k]) - s->space->rounding;
}

double outcomes_bound(outcomes_state *s, const unsigned char allowed[])
{
    double bound = -INFINITY;
    for (int i = 0; i < s->rows && bound < s->cutoff; i++) {
        int k = s->row[i];
        bound = fmax(bound, lagrangian_loss(&(price_of){s->space, s->of[k], k}, &s->prices, allowed, s->cutoff, &s->mu[k]));
    }
    return bound < s->cutoff ? fmax(bound, outcomes_loss_by_pairs(s, s->hardest, allowed)) : bound;
}

void outcomes_set_cutoff(outcomes_state *s) { s->cutoff = fmin(s->target, incumbent_cutoff(s->inc, s->gap)); }

static long long all_work(const outcomes_state *s) { return s->prices.work + s->of[s->hardest]->pareto_front.work; }

/* Is a limit reached? Sets given_up. */
static bool outcomes_over(outcomes_state *s)
{
    if (all_work(s) > s->most_work || deadline_expired(s->limit)) s->given_up = true;
    return s->given_up;
}

/* Records the bound of a part that is cut off. */
static void outcomes_cut(outcomes_state *s, double bound) { s->cut = fmin(s->cut, bound); }

/* Number of allowed options of first .. first + count. */
static int allowed_of(const unsigned char allowed[], int first, int count)
{
    int n = 0;
    for (int i = first; i < first + count; i++) n += allowed[i];
    return n;
}

/* Is a choice allowed at node n that does not run (know/pairs.h)? */
static bool outcomes_decides(const outcomes_state *s, int n, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (allowed[c] && s->e->next[c] < 0) return true;
    return false;
}

/* Adds the maximising policy of environment k at its best price to s->mass. */
static void outcomes_trace_price(outcomes_state *s, int k, const unsigned char allowed[])
{
    const know_pairs *p = s->of[k];
    prices_solve(&s->prices, p, allowed, s->mu[k]);
    prices_trace(&s->prices, p);
    for (int i = 0; i < p->end; i++)
        if (s->prices.best[i] >= 0) s->mass[p->slot_option[s->prices.best[i]]] += s->prices.reach[i];
}

/* Probing: an option is ruled out if the policies that take it are no better than the cutoff.
 * Several options are tried independently in parallel, and the results merged in the order of options. Cost of a trial: the prices
 * of all environments once, and the sets above the options it forbids. */

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
    if (used <= OUTCOMES_USED || allowed_of(p->allowed, first, count) < 2) return;
    for (int o = first; o < first + count && p->left; o++) {
        if (!p->allowed[o] || s->own[o] > OUTCOMES_USED || outcomes_over(s) || !is_hopeful(s, o, p->known)) continue;
        p->trial[p->trials++] = (option_trial){.node = n, .first = first, .count = count, .option = o};
        if (p->trials == OUTCOMES_TOGETHER) try_all(p);
    }
}

/* After outcomes_bound returned `bound`: forbids options that the hardest environment cannot afford at nodes it reaches, and
 * consequences; *forbidden: number of the former. s->own: the options it uses. False: no policy is left. */
static bool outcomes_probe(outcomes_state *s, double bound, unsigned char allowed[], int *forbidden)
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

/* Offered policies: the choices used most; the best policy with one outcome exchanged, by the
 * first or the last way to it; and a walk from there. Many policies have nearly the same value, and the search ends soon only if
 * the best is known. The walk is threshold accepting (G. Dueck and T. Scheuer, J. Comput. Phys. 90, 1990). Cost of an exchange or a
 * draw: a local search. */

/* The allowed choice used most; -1: none. */
static int heaviest_of(const outcomes_state *s, const unsigned char allowed[], int first, int count)
{
    int best = -1;
    for (int o = first; o < first + count; o++)
        if (allowed[o] && s->mass[o] > (best < 0 ? 0 : s->mass[best])) best = o;
    return best;
}

/* The choice at node n on the way to an outcome, whose mass passes to the next node. */
static int choice_to(outcomes_state *s, int n, int outcome, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    const know_outcomes *e = s->e;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        int m = allowed[c] ? e->next[c] : -1;
        for (int i = 1; m >= 0 && i < e->count[m]; i++) {
            if (!allowed[e->first[m] + i] || e->link[(size_t)c * OUTCOMES_MOST + (size_t)i] != outcome) continue;
            s->mass[e->first[m] + i] += s->mass[outcome];
            return c;
        }
    }
    return -1;
}

/* Offers the policy of the choices with most s->mass, passing the mass of outcomes on. */
static void outcomes_offer(outcomes_state *s, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    for (int n = 0; n < g->nodes; n++) s->pick[n] = s->inc->best[n];
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        int outcome = heaviest_of(s, allowed, s->e->first[n] + 1, s->e->count[n] - 1), c = heaviest_of(s, allowed, first, count);
        if (outcome >= 0 && (c < 0 || s->mass[outcome] > s->mass[c])) c = choice_to(s, n, outcome, allowed);
        for (int o = first; o < first + count && c < 0; o++)
            if (allowed[o] && (o == s->pick[n] || allowed_of(allowed, first, count) == 1)) c = o;
        if (c >= 0) s->pick[n] = c;
    }
    local_search_offer(s->inc, s->pick, OUTCOMES.offered_passes);
    outcomes_set_cutoff(s);
}

/* Writes the first or the last way to an outcome of node n to s->pick; false: none. */
static bool go_to(outcomes_state *s, int n, int outcome, bool last)
{
    const know_graph *g = s->space->g;
    const know_outcomes *e = s->e;
    while (n < g->time_start[g->T]) {
        int way = -1, below = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && (way < 0 || last); c++) {
            int m = e->next[c];
            for (int i = 1; m >= 0 && i < e->count[m]; i++) {
                if (e->link[(size_t)c * OUTCOMES_MOST + (size_t)i] != outcome) continue;
                way = c;
                below = e->first[m] + i;
            }
        }
        if (way < 0) return false;
        s->pick[n] = way;
        n = e->next[way];
        outcome = below;
    }
    return true;
}

/* Improves offered policy i, in parallel to the others. */
static void improve(void *context, int i, int thread)
{
    outcomes_state *s = context;
    outcomes_policy *o = &s->offer[i];
    incumbent *inc = s->room[thread].inc;
    incumbent_copy(inc, s->inc);
    o->better = local_search_offer(inc, o->pick, OUTCOMES.exchanged_passes);
    o->shortfall = inc->now.shortfall;
    o->regret = inc->now.max_regret;
    MEM_COPY(o->pick, o->better ? inc->best : inc->pick, s->space->g->nodes);
}

/* Improves the first `count` offers and adopts better ones. True: any. */
static bool improve_all(outcomes_state *s, int count)
{
    const know_graph *g = s->space->g;
    bool better = false;
    pool_run(s->threads, count, improve, s);
    for (int i = 0; i < count; i++) {
        s->prices.work += (long long)g->edges * g->K;
        if (s->offer[i].better) better = local_search_offer(s->inc, s->offer[i].pick, 0) || better;
    }
    return better;
}

/* Offers the best policy with one outcome exchanged. True: improved. */
static bool exchange_one(outcomes_state *s)
{
    const know_graph *g = s->space->g;
    const know_outcomes *e = s->e;
    bool better = false;
    int count = 0;
    for (int n = 0; n < g->time_start[g->T] && !outcomes_over(s); n++)
        for (int i = 2; i < 2 * e->count[n]; i++) {
            MEM_COPY(s->pick, s->inc->best, g->nodes);
            if (!go_to(s, n, e->first[n] + i / 2, i % 2)) continue;
            MEM_COPY(s->offer[count].pick, s->pick, g->nodes);
            if (++count < OUTCOMES_TOGETHER) continue;
            better = improve_all(s, count) || better;
            count = 0;
        }
    return improve_all(s, count) || better;
}

/* Draws a node, and an outcome or a choice there, into s->pick. */
static void draw(outcomes_state *s, rng *r)
{
    const know_outcomes *e = s->e;
    const know_graph *g = s->space->g;
    int n = (int)rng_below(r, (uint64_t)g->time_start[g->T]), count = g->choice_start[n + 1] - g->choice_start[n];
    if (e->count[n] > 1 && rng_below(r, 2))
        go_to(s, n, e->first[n] + 1 + (int)rng_below(r, (uint64_t)e->count[n] - 1), rng_below(r, 2));
    else
        s->pick[n] = g->choice_twin[g->choice_start[n] + (int)rng_below(r, (uint64_t)count)];
}

/* Threshold accepting from the best policy by such draws, several in parallel. True: improved. */
static bool walk(outcomes_state *s, rng *r)
{
    const know_graph *g = s->space->g;
    double at = incumbent_value(s->inc), begun = at;
    MEM_COPY(s->walk, s->inc->best, g->nodes);
    for (int i = 0; i < OUTCOMES.drawn && !outcomes_over(s); i += OUTCOMES_TOGETHER) {
        double most = OUTCOMES.worse * (1 - (double)i / OUTCOMES.drawn) * fabs(begun);
        for (int k = 0; k < OUTCOMES_TOGETHER; k++) {
            MEM_COPY(s->pick, s->walk, g->nodes);
            for (int j = 0; j < 1 + (i + k) % 3; j++) draw(s, r);
            MEM_COPY(s->offer[k].pick, s->pick, g->nodes);
        }
        improve_all(s, OUTCOMES_TOGETHER);
        for (int k = 0; k < OUTCOMES_TOGETHER; k++) {
            const outcomes_policy *o = &s->offer[k];
            if (o->shortfall > 0 || o->regret > at + most) continue;
            at = o->regret;
            MEM_COPY(s->walk, o->pick, g->nodes);
        }
    }
    return incumbent_value(s->inc) < begun;
}

void outcomes_exchange(outcomes_state *s)
{
    rng r = rng_seed(1);
    long long whole = s->most_work;
    s->most_work = s->prices.work + (long long)(OUTCOMES.exchanging * (double)(whole - s->prices.work));
    while (!outcomes_over(s) && (exchange_one(s) || walk(s, &r))) {}
    s->most_work = whole;
    s->given_up = false;
    outcomes_set_cutoff(s);
}

static void make_queue(know_outcomes *e, arena *a)
{
    e->queue = ARENA_NEW(a, int, e->g->nodes);
    e->queued = ARENA_ZERO(a, unsigned char, e->g->nodes);
}

static vouch_status furnish(outcomes_state *s, outcomes_room *room)
{
    arena *a = &s->memory;
    room->e = *s->e;
    make_queue(&room->e, a);
    room->allowed = ARENA_NEW(a, unsigned char, s->e->options);
    prices_make(&room->prices, 2 * s->space->g->nodes, a);
    vouch_status status = pairs_new_trial(s->of[s->hardest], &room->trial);
    if (!status && s->inc) status = incumbent_new(s->space, &room->inc);
    if (!status && s->inc) room->inc->limit = s->inc->limit;
    return status;
}

static vouch_status make_rooms(outcomes_state *s)
{
    arena *a = &s->memory;
    int threads = pool_threads(s->threads);
    vouch_status status = VOUCH_OK;
    s->room = ARENA_ZERO(a, outcomes_room, threads);
    for (s->rooms = 0; s->rooms < threads && !a->failed && !status; s->rooms++) status = furnish(s, &s->room[s->rooms]);
    return !status && a->failed ? VOUCH_ERROR_MEMORY : status;
}

static vouch_status outcomes_make_arrays(outcomes_state *s)
{
    arena *a = &s->memory;
    int nodes = s->space->g->nodes, options = s->e->options;
    s->mu = ARENA_ZERO(a, double, s->K);
    prices_make(&s->prices, 2 * nodes, a);
    s->own = ARENA_ZERO(a, double, options);
    s->mass = ARENA_ZERO(a, double, options);
    s->raise = ARENA_NEW(a, double, options);
    s->pick = ARENA_ZERO(a, int, nodes);
    s->walk = ARENA_ZERO(a, int, nodes);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    for (int o = 0; o < options; o++) s->raise[o] = INFINITY;
    return VOUCH_OK;
}

static vouch_status make_lane(outcomes_state *s, outcomes_state *lane)
{
    *lane = *s;
    lane->memory = (arena){0};
    lane->lane = NULL;
    lane->inc = NULL;
    lane->rooms = 0;
    arena *a = &lane->memory;
    lane->e = ARENA_NEW(a, know_outcomes, 1);
    lane->of = ARENA_NEW(a, know_pairs *, s->K);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    *lane->e = *s->e;
    make_queue(lane->e, a);
    MEM_COPY(lane->of, s->of, s->K);
    vouch_status status = outcomes_make_arrays(lane);
    if (!status) status = pairs_new_copy(s->of[s->hardest], &lane->of[s->hardest]);
    if (!status) status = make_rooms(lane);
    if (!status && s->inc) status = incumbent_new(s->space, &lane->inc);
    if (!status && s->inc) lane->inc->limit = s->inc->limit;
    return status;
}

/* Rooms and lanes, after the sets of the hardest environment; freed by outcomes_end. */
static vouch_status outcomes_make_rooms(outcomes_state *s)
{
    arena *a = &s->memory;
    s->offer = ARENA_ZERO(a, outcomes_policy, OUTCOMES_TOGETHER);
    s->lane = ARENA_ZERO(a, outcomes_state, OUTCOMES_LANES);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < OUTCOMES_TOGETHER; i++) s->offer[i].pick = ARENA_ZERO(a, int, s->space->g->nodes);
    vouch_status status = make_rooms(s);
    for (int i = 0; i < OUTCOMES_LANES && !status; i++) status = make_lane(s, &s->lane[i]);
    return status;
}

static void free_rooms(outcomes_state *s)
{
    for (int i = 0; i < s->rooms; i++) {
        pairs_free(s->room[i].trial);
        incumbent_free(s->room[i].inc);
    }
    s->rooms = 0;
}

/* Copies the state of s to a lane, and its result back. */
static void outcomes_enter(const outcomes_state *s, outcomes_state *lane)
{
    lane->prices.work = lane->of[s->hardest]->pareto_front.work = 0;
    lane->most_work = s->most_work - all_work(s);
    lane->rows = s->rows;
    lane->target = s->target;
    lane->cutoff = s->cutoff;
    lane->cut = INFINITY;
    lane->given_up = lane->at_ease = false;
    lane->tried = lane->nodes = 0;
    incumbent_copy(lane->inc, s->inc);
}

static void outcomes_leave(outcomes_state *s, outcomes_state *lane)
{
    s->prices.work += all_work(lane);
    s->tried += lane->tried;
    s->nodes += lane->nodes;
    s->cut = fmin(s->cut, lane->cut);
    s->given_up = s->given_up || lane->given_up;
    s->at_ease = s->at_ease || lane->at_ease;
    incumbent_merge(s->inc, lane->inc);
    outcomes_set_cutoff(s);
}

/* The tree of the search over outcomes: cases, branching, and explorers.
 *
 * Depth first. With two open cases, two explorers continue separately, each with its own cases; at intervals of work they exchange
 * better policies, and an explorer without cases gets the other's case nearest to the root. Their number is fixed, so results do
 * not depend on threads. Invariant: a case is open, was branched, or its bound is recorded (outcomes_cut), unless the search gives
 * up.
 */

/* A node all of whose choices run decides less than the outcomes there. */
static const double RUNNING = 1e-9;
/* Mean work of trials at a node above which threads share the trials instead of the cases: a millisecond. */
static const long long OUTCOMES_LONG = 200000;

/* Mass of a group if several of its options are used; *heaviest: the one used most. */
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

/* The group where environments, or arrivals of one environment, disagree most. False: none. */
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

/* Can an environment of the bounds reach node n? */
static bool concerns(const outcomes_state *s, int n)
{
    const know_graph *g = s->space->g;
    for (int i = 0; i < s->rows; i++)
        if (know_in_set(g, g->set[n], s->row[i])) return true;
    return false;
}

/* The first reachable node with several allowed options: merged pairs, or exclusive outcomes, may hide the disagreement. */
static bool find_open(const outcomes_state *s, const unsigned char allowed[], group *out)
{
    const know_graph *g = s->space->g;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < g->time_start[g->T]; n++) {
            int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
            double used = 0;
            for (int o = first; o < first + count; o++) used += s->mass[o];
            for (int o = s->e->first[n]; o < s->e->first[n] + s->e->count[n]; o++) used += s->mass[o];
            if (!concerns(s, n) || (used <= OUTCOMES_USED && pass == 0) || allowed_of(allowed, first, count) < 2) continue;
            *out = (group){first, count, first, false};
            return true;
        }
    return false;
}

/* A set of policies, by allowed options. */
typedef struct outcomes_case {
    unsigned char *allowed; /* [options] */
    double bound;
    bool left, open; /* policies below the cutoff remain; they are several, and differ at the group */
    group at;
    int depth; /* number of decisions */
    int next;  /* the first option of the group not yet tried */
} outcomes_case;

typedef struct looked_at {
    outcomes_state *s;
    outcomes_case *one; /* [count], in the lane of its number */
    int count;
} looked_at;

/* Do policies below the cutoff remain? Reduces the options allowed. */
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

static void look_in(outcomes_state *lane, outcomes_case *c)
{
    lane->nodes++;
    c->left = look(lane, c);
    if (!c->left) return;
    c->open = find_dispute(lane, c->allowed, &c->at) || find_open(lane, c->allowed, &c->at);
    c->next = c->at.first;
    outcomes_offer(lane, c->allowed);
}

static void look_at(void *context, int i, int thread)
{
    const looked_at *l = context;
    (void)thread;
    look_in(&l->s->lane[i], &l->one[i]);
}

/* Threads share trials if these are long, else cases; only the time depends on it. */
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
}

/* The child that takes this option of the group; -1: all but the heaviest. NULL in allowed: no memory. */
static outcomes_case begin_case(const outcomes_state *s, const outcomes_case *from, int option)
{
    const group *at = &from->at;
    outcomes_case c = {.allowed = MEM_NEW(unsigned char, s->e->options), .depth = from->depth + 1};
    if (!c.allowed) return c;
    memcpy(c.allowed, from->allowed, (size_t)s->e->options);
    if (option >= 0) memset(c.allowed + at->first, 0, (size_t)at->count);
    c.allowed[option >= 0 ? option : at->heaviest] = option >= 0;
    return c;
}

/* The next children of c, at most one a lane: each choice, or one outcome and all others. Returns their number and advances
 * c->next. */
static int next_options(outcomes_case *c, int option[])
{
    const int end = c->at.first + c->at.count;
    int count = 0;
    if (c->at.outcomes) {
        option[count++] = c->at.heaviest;
        option[count++] = -1;
        c->next = end;
    }
    for (; c->next < end && count < OUTCOMES_LANES; c->next++)
        if (c->allowed[c->next]) option[count++] = c->next;
    while (c->next < end && !c->allowed[c->next]) c->next++;
    return count;
}

/* Open cases; the last is next. */
typedef struct explorer {
    outcomes_state *lane;
    outcomes_case *open;
    size_t count, capacity;
    vouch_status status;
} explorer;

static void drop(explorer *x) { mem_free(x->open[--x->count].allowed); }

/* Adds an evaluated case to the open ones, or frees it. s: the search, or a lane. */
static void keep(outcomes_state *s, explorer *x, outcomes_case *c)
{
    bool open = false;
    if (c->left && c->depth > OUTCOMES.deepest)
        s->given_up = true;
    else if (c->left && !c->open && s->rows < s->K) /* other environments may regret more */
        s->given_up = s->at_ease = true;
    else if (c->left && !c->open) /* the value of a single policy is known */
        outcomes_cut(s, s->cutoff);
    else if (c->left && MEM_RESERVE(&x->open, &x->capacity, x->count))
        x->status = VOUCH_ERROR_MEMORY;
    else
        open = c->left;
    if (open)
        x->open[x->count++] = *c;
    else
        mem_free(c->allowed);
}

/* The next children one [OUTCOMES_LANES] of the last open case, which is removed after its last child; 0: it is cut off. */
static int next_cases(outcomes_state *s, explorer *x, outcomes_case one[])
{
    outcomes_case *c = &x->open[x->count - 1];
    int option[OUTCOMES_LANES], count = c->bound < s->cutoff ? next_options(c, option) : 0;
    for (int i = 0; i < count; i++) {
        one[i] = begin_case(s, c, option[i]);
        if (!one[i].allowed) x->status = VOUCH_ERROR_MEMORY;
    }
    if (count == 0) outcomes_cut(s, c->bound);
    if (count == 0 || c->next >= c->at.first + c->at.count) drop(x);
    return count;
}

static void keep_all(outcomes_state *s, explorer *x, outcomes_case one[], int count)
{
    for (int i = count - 1; i >= 0; i--) keep(s, x, &one[i]);
}

/* One case, whose children are evaluated in parallel. */
static void explore_together(outcomes_state *s, explorer *x)
{
    outcomes_case one[OUTCOMES_LANES];
    int count = next_cases(s, x, one);
    if (!x->status) look_at_all(&(looked_at){s, one, count});
    keep_all(s, x, one, count);
}

/* An explorer's own cases, for a while, in a lane. */
static void explore_alone(void *explorers, int i, int thread)
{
    explorer *x = (explorer *)explorers + i;
    outcomes_state *lane = x->lane;
    (void)thread;
    while (x->count > 0 && !x->status && !outcomes_over(lane) && all_work(lane) < lane->apart) {
        outcomes_case one[OUTCOMES_LANES];
        int count = next_cases(lane, x, one);
        for (int j = 0; j < count && !x->status; j++) look_in(lane, &one[j]);
        keep_all(lane, x, one, count);
    }
}

static void explore_apart(outcomes_state *s, explorer x[])
{
    for (int i = 0; i < OUTCOMES_LANES; i++) {
        outcomes_enter(s, x[i].lane);
        x[i].lane->threads = NULL;
    }
    pool_run(s->threads, OUTCOMES_LANES, explore_alone, x);
    for (int i = 0; i < OUTCOMES_LANES; i++) outcomes_leave(s, x[i].lane);
}

/* Moves the case nearest to the root, with the largest subtree, to an explorer without cases. */
static void give(explorer *from, explorer *to)
{
    if (from->count < 2 || to->count > 0) return;
    if (MEM_RESERVE(&to->open, &to->capacity, 0)) {
        to->status = VOUCH_ERROR_MEMORY;
        return;
    }
    to->open[to->count++] = from->open[0];
    memmove(from->open, from->open + 1, --from->count * sizeof *from->open);
}

vouch_status outcomes_explore(outcomes_state *s, const unsigned char all[])
{
    explorer x[OUTCOMES_LANES] = {{.lane = &s->lane[0]}, {.lane = &s->lane[1]}};
    outcomes_case whole = {.allowed = MEM_NEW(unsigned char, s->e->options)};
    if (!whole.allowed) return VOUCH_ERROR_MEMORY;
    memcpy(whole.allowed, all, (size_t)s->e->options);
    if (!outcomes_over(s)) look_at_all(&(looked_at){s, &whole, 1});
    keep(s, &x[0], &whole);
    while (x[0].count + x[1].count > 0 && !x[0].status && !x[1].status && !outcomes_over(s)) {
        give(&x[0], &x[1]);
        give(&x[1], &x[0]);
        if (x[0].count > 0 && x[1].count > 0)
            explore_apart(s, x);
        else
            explore_together(s, x[0].count > 0 ? &x[0] : &x[1]);
    }
    for (int i = 0; i < OUTCOMES_LANES; i++) {
        while (x[i].count > 0) drop(&x[i]);
        mem_free(x[i].open);
    }
    return x[0].status ? x[0].status : x[1].status;
}

void outcomes_end(outcomes_state *s)
{
    free_rooms(s);
    for (int i = 0; i < OUTCOMES_LANES && s->lane; i++) {
        outcomes_state *lane = &s->lane[i];
        free_rooms(lane);
        incumbent_free(lane->inc);
        if (lane->of && lane->of[s->hardest] != s->of[s->hardest]) pairs_free(lane->of[s->hardest]);
        arena_free(&lane->memory);
    }
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
    long long before = all_work(s), whole = s->most_work;
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
    *more = all_work(s) - before;
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
    if (edges > OUTCOMES.most_edges) return 0;
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
