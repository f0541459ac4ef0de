/* plan/relax/scenarios.c - see scenarios.h. Cost: for most sets a local search over few environments, for the last ones a search.
 * Invariant: the environment of largest regret under the best known policy is in S, so a better policy for S is a new one.
 */
#include "plan/relax/scenarios.h"

#include "base/check.h"
#include "base/error.h"
#include "plan/heuristic/initial.h"
#include "plan/relax/levels.h"
#include "plan/search/proof_writer.h"
#include "policy/parameters.h"

/* Of the best policy for S. */
static const perturbation PERTURBATION = {.tries = 20, .changes = 3, .passes = 10};

typedef struct scenarios {
    plan_call *call;
    const policy_space *space;
    incumbent *inc;
    long long begun; /* iterations of call->policy at the start, or when S was last doubled */
    deadline limit;
    bool *taken; /* [K] is the row in S? */
    int *row;    /* [rows] of S, ascending; capacity K */
    int rows;
    int *pair, *pick;            /* [S], [nodes] scratch of carry */
    double *p, *floor, *optimal; /* [K] of the rows of S */
    dp_edge *edge;
    arena memory;
} scenarios;

/* The search over S. */
typedef struct part {
    vouch_model view;
    policy_space space;
    incumbent *inc;
} part;

static double cutoff(const scenarios *f) { return incumbent_cutoff(f->inc, f->call->options->gap); }

/* Adds the rows of the environment of row k to S. False: they are in S. */
static bool add_rows(scenarios *f, int k)
{
    int group = f->space->m->group;
    if (f->taken[k]) return false;
    for (int i = k - k % group; i < k - k % group + group; i++) f->taken[i] = true;
    f->rows = 0;
    for (int i = 0; i < f->space->K; i++)
        if (f->taken[i]) f->row[f->rows++] = i;
    return true;
}

/* The row of largest regret; fresh: outside S. -1: none. */
static int worst(const scenarios *f, const double U[], bool fresh)
{
    const double *optimal = f->space->optimal;
    int k = -1;
    for (int i = 0; i < f->space->K; i++)
        if (!(fresh && f->taken[i]) && (k < 0 || optimal[i] - U[i] > optimal[k] - U[k])) k = i;
    return k;
}

/* pick [nodes of `to`]: the choices of from [nodes of `of`] at the same time and state; -1 where not reached. */
static void carry(scenarios *f, const know_graph *of, const int from[], const know_graph *to, int pick[])
{
    int S = to->m->S;
    for (int t = 0; t < to->T; t++) {
        int *pair = f->pair;
        for (int s = 0; s < S; s++) pair[s] = -1;
        for (int n = of->time_start[t]; n < of->time_start[t + 1]; n++)
            if (from[n] >= 0) pair[of->state[n]] = of->choice_pair[from[n]];
        for (int n = to->time_start[t]; n < to->time_start[t + 1]; n++) {
            pick[n] = -1;
            for (int c = to->choice_start[n]; c < to->choice_start[n + 1]; c++)
                if (to->choice_pair[c] == pair[to->state[n]]) pick[n] = to->choice_twin[c];
        }
    }
    for (int n = to->time_start[to->T]; n < to->nodes; n++) pick[n] = -1;
}

/* Adds the environments of largest shortfall and of largest regret under these figures to S. False: they are in S. */
static bool add_worst(scenarios *f, const figures *now)
{
    const policy_space *space = f->space;
    double most = 0;
    int short_of = -1;
    for (int k = 0; k < space->K; k++) {
        double missing = space_missing(space, k, now->U[k], now->Pr[k]);
        if (missing <= most) continue;
        most = missing;
        short_of = k;
    }
    bool more = short_of >= 0 && add_rows(f, short_of);
    return add_rows(f, worst(f, now->U, false)) || more;
}

static void part_close(part *s)
{
    incumbent_free(s->inc);
    space_free(&s->space);
    model_view_free(&s->view);
    *s = (part){0};
}

/* The policies over S, with classes for a search, and the best known one. Empty on failure. */
static vouch_status part_open(scenarios *f, bool classes, part *s)
{
    const policy_space *all = f->space;
    const vouch_plan_options *o = f->call->options;
    *s = (part){0};
    for (int i = 0; i < f->rows; i++) {
        int k = f->row[i];
        f->p[i] = all->p[k];
        f->optimal[i] = all->optimal[k];
        if (all->floor) f->floor[i] = all->floor[k];
        if (all->known_edge) f->edge[i] = all->known_edge[k];
    }
    policy_space alike = {
        .K = f->rows, .objective = all->objective, .optimal = f->optimal, .known_edge = all->known_edge ? f->edge : NULL};
    alike.steep = all->steep;
    space_options so = space_options_for(0);
    so.objective = all->objective;
    so.p = f->p;
    so.floor = all->floor ? f->floor : NULL;
    so.tolerance = all->tolerance;
    so.alike = &alike;
    so.detail = &f->limit;
    so.classes = classes;
    so.for_root = f->call->proof != NULL;
    so.enough = all->enough;
    so.cutoff = all->cutoff;
    if (classes && !part_off(f->call->without, VOUCH_PART_PARETO_VECTORS)) so.pareto_cap = PARETO_CAP;
    if (!part_off(f->call->without, VOUCH_PART_LEVELS)) so.class_limit = LADDER_CLASSES;
    if (o->class_limit > 0) so.class_limit = o->class_limit;
    vouch_status status = model_view(all->m, all->m->s0, all->m->T, f->row, f->rows, &s->view);
    if (!status) status = space_make(&s->view, &so, &s->space, f->call->error);
    if (!status) status = incumbent_new(&s->space, &s->inc);
    if (status) {
        part_close(s);
        return status;
    }
    s->inc->limit = &f->limit;
    if (!f->inc->found) return VOUCH_OK;
    carry(f, all->g, f->inc->best, s->space.g, f->pick);
    local_search_offer(s->inc, f->pick, RELAX.scenario_passes);
    return VOUCH_OK;
}

/* Value of call->limit.iterations at which the share of the searches over S ends. */
static long long share_ends(const scenarios *f)
{
    return f->begun + (long long)((double)RELAX.scenario_inductions * fmax(1, RELAX.scenario_small * f->space->K / f->rows));
}

/* Searches for the best policy for S and raises *bound. */
static vouch_status search_part(scenarios *f, part *s, double *bound)
{
    plan_call call = *f->call;
    vouch_plan_options quiet = *call.options;
    relaxation_levels levels = {.count = 0};
    search_options so;
    quiet.log = (vouch_log){0};
    quiet.progress = NULL;
    call.m = &s->view;
    call.options = &quiet;
    long long share = share_ends(f) - f->call->limit.iterations;
    call.limit = deadline_part(&f->call->limit, 0, share > 0 ? share : 1);
    call.limit.limits.seconds = f->limit.limits.seconds;
    levels_options(&so, &call);
    so.proof = call.proof;
    if (so.proof) proof_of_rows(so.proof, f->row);
    vouch_status status = levels_search(&levels, &call, &s->space, s->inc, &so);
    if (!status && levels.last->result.infeasible)
        *bound = INFINITY;
    else if (!status)
        *bound = fmax(*bound, fmin(fmax(levels.last->result.bound, levels.known), incumbent_value(f->inc)));
    levels_clear(&levels);
    deadline_use(&f->call->limit, call.limit.nodes, call.limit.iterations);
    if (so.proof) proof_leave_space(so.proof);
    return status;
}

/* Offers the best policy for S, improved, and adds the worst environments of it and of the best policy to S. False: no change. */
static bool extend(scenarios *f, const part *s)
{
    double before = incumbent_value(f->inc);
    if (incumbent_value(s->inc) >= cutoff(f)) return false;
    carry(f, s->space.g, s->inc->best, f->space->g, f->pick);
    local_search_offer(f->inc, f->pick, 0);
    bool more = add_worst(f, &f->inc->now);
    if (f->inc->found)
        local_search_offer(f->inc, f->pick, RELAX.scenario_passes); /* else the passes would go into broken promises */
    more |= add_worst(f, f->inc->found ? &f->inc->value : &f->inc->now);
    return more || incumbent_value(f->inc) < before;
}

/* When the searches over a small S have used their share, doubles S by the environments of largest regret under the best policy and
 * grants another share. False: no change. */
static bool widen(scenarios *f)
{
    int rows = 2 * f->rows;
    if (!f->inc->found || f->call->limit.iterations < share_ends(f) || f->rows > RELAX.scenario_small * f->space->K) return false;
    while (f->rows < rows) add_rows(f, worst(f, f->inc->value.U, true));
    log_line(&f->call->options->log, VOUCH_LOG_DETAIL, "few environments: %d now, since the search over fewer did not end",
             f->rows);
    f->begun = f->call->limit.iterations;
    return true;
}

/* *over: stop (bound sufficient or limit reached). */
static vouch_status next(scenarios *f, double *bound, bool *over)
{
    part s;
    rng random = rng_seed(f->call->options->seed);
    bool instead = false; /* a proof by vectors covers all environments */
    vouch_status status = part_open(f, false, &s);
    if (!status) status = initial_single_environments(s.inc, INITIAL_ENVIRONMENTS, &f->limit);
    if (!status && s.inc->found) local_search_perturb(s.inc, &random, &PERTURBATION);
    if (!status && (!s.inc->found || incumbent_value(s.inc) >= cutoff(f))) {
        part_close(&s);
        status = part_open(f, true, &s);
        instead = f->call->proof && s.space.f;
        if (!status && !instead) status = search_part(f, &s, bound);
    }
    *over = status || instead || !s.inc->found || *bound >= cutoff(f) || deadline_expired(&f->limit) ||
            deadline_used_up(&f->call->limit) || !(extend(f, &s) || widen(f));
    part_close(&s);
    return status;
}

vouch_status scenarios_search(plan_call *call, const policy_space *space, incumbent *inc, double *bound)
{
    int K = space->K, sets = 0;
    scenarios f = {.call = call,
                   .space = space,
                   .inc = inc,
                   .begun = call->limit.iterations,
                   .limit = deadline_share(&call->limit, TIME.scenarios)};
    arena *a = &f.memory;
    CHECK(space->g->L == 0 && !space->share && !space->late);
    f.taken = ARENA_ZERO(a, bool, K);
    f.row = ARENA_NEW(a, int, K);
    f.pair = ARENA_NEW(a, int, space->m->S);
    f.pick = ARENA_NEW(a, int, space->g->nodes);
    f.p = ARENA_NEW(a, double, K);
    f.floor = ARENA_NEW(a, double, K);
    f.optimal = ARENA_NEW(a, double, K);
    f.edge = ARENA_NEW(a, dp_edge, K);
    vouch_status status = a->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    bool over = status != VOUCH_OK;
    if (!over && !inc->found) local_search_feasible(inc, 1, 0); /* for a first set */
    if (!over) add_worst(&f, inc->found ? &inc->value : &inc->now);
    for (; !over && f.rows <= RELAX.scenario_share * K; sets++) status = next(&f, bound, &over);
    log_line(&call->options->log, VOUCH_LOG_INFO, "few environments: %d of %d after %d sets, regret %.10g, bound %.10g", f.rows, K,
             sets, call->m->scale.spread * inc->value.max_regret, call->m->scale.spread * *bound);
    arena_free(a);
    return status;
}
