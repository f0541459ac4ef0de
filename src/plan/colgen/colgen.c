/* plan/colgen/colgen.c - two phases of one loop: master, induction at its multipliers, column; phase one minimises the shortfall,
 * phase two the regret.
 *
 *     bound = constant(lambda, nu, mu) - V(root),     ends when  master - bound <= MEET,  bound >= cutoff,  or no column improves
 *
 * Dantzig-Wolfe decomposition (Operations Research 8, 1960) with the Lagrangian bound in every round. Invariant: bounds come from
 * inductions alone, and hold for all policies with Pr(k) >= accepted(k) for every aim of the mixture.
 */
#include "plan/colgen/colgen.h"

#include "base/check.h"
#include "base/memory.h"

vouch_status generation_init(generation *x, const policy_space *space, bool needed)
{
    size_t K = (size_t)space->K;
    *x = (generation){.rounding = commitment_rounding(space->m->T), .most = INT_MAX, .lambda = MEM_ZERO(double, 3 * K)};
    if (!x->lambda) return VOUCH_ERROR_MEMORY;
    x->nu = x->lambda + K;
    x->mu = x->nu + K;
    return needed ? master_new(space->K, space->share, &space->averages, &x->program) : VOUCH_OK;
}

void generation_clear(generation *x)
{
    master_free(x->program);
    mem_free(x->lambda);
    mem_free(x->alpha);
    *x = (generation){0};
}

vouch_status generation_begin(generation *x, master_goal goal, const double p[], double cap, const double room[])
{
    x->feasible = false;
    x->value = INFINITY;
    return master_reset(x->program, goal, p, 0, cap, room);
}

vouch_status generation_add(generation *x, const double regret[], const double pr[])
{
    int number = x->program ? master_columns(x->program) : 0;
    if (MEM_RESERVE(&x->alpha, &x->capacity, number)) return VOUCH_ERROR_MEMORY;
    x->alpha[number] = 0;
    return x->program ? master_add(x->program, regret, pr) : VOUCH_OK;
}

bool generation_next(generation *x, vouch_status *status)
{
    bool ok = !*status, again = true;
    x->limited = false;
    while (ok && again && x->rounds++ < x->most) {
        master_optimum optimum = {0, x->lambda, x->nu, x->mu, x->alpha};
        x->limited = x->limit && deadline_expired(x->limit);
        if (x->limited) return false;
        double since = trace_start(x->trace);
        *status = master_solve(x->program, x->feasible, x->limit, &ok, &optimum);
        trace_stop(x->trace, KERNEL_master, since);
        ok = ok && !*status;
        x->value = optimum.value;
        again = ok && !x->feasible && x->value <= x->rounding;
        x->feasible |= again;
    }
    if (!ok) x->limited = x->limit && deadline_expired(x->limit);
    return ok && !again;
}

/* First and least length of a step; factors of growth, of reduction, and of growth after a policy that is not new. */
static const double FIRST_STEP = 0.5, LEAST_STEP = 0.1, LONGER = 2, SHORTER = 0.5, FURTHER = 4;

void smoothing_begin(smoothing *s, const double lambda[], bool priced)
{
    MEM_COPY(s->centre, lambda, s->count);
    s->length = priced ? FIRST_STEP : 0;
    s->better = true;
}

void smoothing_take(smoothing *s, double lambda[])
{
    MEM_COPY(s->aimed, lambda, s->count);
    for (int j = 0; j < s->count; j++) lambda[j] = s->centre[j] + s->length * (s->aimed[j] - s->centre[j]);
}

bool smoothing_fit(smoothing *s, const double lambda[], const double slope[], bool repeated)
{
    if (repeated && s->length >= 1) return false;
    double grows = 0;
    for (int j = 0; j < s->count; j++) grows += (s->aimed[j] - s->centre[j]) * slope[j];
    if (s->length <= 0)
        s->length = FIRST_STEP;
    else if (repeated)
        s->length = fmin(1, FURTHER * s->length);
    else
        s->length = fmax(LEAST_STEP, grows > 0 ? fmin(1, LONGER * s->length) : SHORTER * s->length);
    if (s->better) MEM_COPY(s->centre, lambda, s->count);
    return true;
}

/* Bound and mixture meet if closer than this, relative to 1 + value, or than this share of the gap. */
static const double MEET = 1e-8, MEET_SHARE = 0.1;
/* Shortfalls closer than this are equal: a tenth of the master program's tolerance. */
static const double SHORTFALL = 1e-11;
/* Shortfalls up to this may be rounding. More than SHORTFALL, so that an aim not proved impossible counts as reached. */
static const double REACHED = 2e-11;
/* Rounding of the sum of multipliers after they were clamped. */
static const double CLAMPED = 1e-12;
/* Limit on the policies generated at one node, reached only in numerical trouble. */
enum { MOST_ROUNDS = 5000 };
enum { FEW_ENVIRONMENTS = 2 }; /* multipliers converge in a few rounds without smoothing */

void column_release(column *c)
{
    if (c && atomic_fetch_sub(&c->refs, 1) == 1) mem_free(c);
}

/* One block: the struct, then regret, pr, mass, option. */
column *column_new(int K, int used)
{
    column *c = mem_alloc(1, sizeof *c + (2 * (size_t)K + (size_t)used) * sizeof(double) + (size_t)used * sizeof(int));
    if (!c) return NULL;
    double *numbers = (double *)(c + 1);
    *c = (column){.refs = 1, .used = used, .regret = numbers, .pr = numbers + K, .mass = numbers + 2 * K};
    c->option = (int *)(c->mass + used);
    return c;
}

vouch_status colgen_new(const policy_space *space, colgen **out)
{
    *out = NULL;
    colgen *cg = MEM_ZERO(colgen, 1);
    if (!cg) return VOUCH_ERROR_MEMORY;
    const know_classes *c = space->c;
    arena *a = &cg->memory;
    cg->space = space;
    cg->allowed = ARENA_NEW(a, unsigned char, c->options);
    cg->step = (smoothing){3 * space->K, ARENA_NEW(a, double, 3 * space->K), ARENA_NEW(a, double, 3 * space->K), 0, false};
    cg->slope = ARENA_ZERO(a, double, 3 * space->K);
    cg->peak = ARENA_ZERO(a, double, 3 * space->K);
    cg->aim = ARENA_NEW(a, double, space->promises);
    cg->room = space->floor ? ARENA_NEW(a, double, space->K) : NULL;
    reachable_init(&cg->live, c, a);
    cg->value = ARENA_NEW(a, double, c->classes);
    cg->used = ARENA_NEW(a, double, c->slots);
    cg->trial = ARENA_NEW(a, double, c->classes);
    cg->loss = ARENA_NEW(a, double, c->classes);
    cg->least = ARENA_NEW(a, double, c->classes);
    cg->option_loss = ARENA_NEW(a, double, c->options);
    cg->reach = ARENA_NEW(a, double, c->classes);
    cg->best = ARENA_NEW(a, int, c->classes);
    cg->mass = ARENA_ZERO(a, double, c->options > c->slots ? c->options : c->slots);
    cg->weight = ARENA_NEW(a, double, space->K);
    cg->U = ARENA_NEW(a, double, space->K);
    cg->Pr = ARENA_NEW(a, double, space->K);
    cg->direct = space->share && !cg->room && !space_may_bind(space);
    if (a->failed || generation_init(&cg->mix, space, !cg->direct)) {
        colgen_free(cg);
        return VOUCH_ERROR_MEMORY;
    }
    for (int k = 0; k < space->K && cg->room; k++) cg->room[k] = space->optimal[k] - space->floor[k] + floor_tolerance(space->m->T);
    cg->gap = INFINITY;
    cg->mix.most = MOST_ROUNDS;
    cg->smooth = space->K > FEW_ENVIRONMENTS && !space_may_bind(space);
    MEM_COPY(cg->aim, space->accepted, space->promises);
    memset(cg->allowed, 1, (size_t)c->options);
    colgen_set_goal(cg, MASTER_MAX_REGRET, 0);
    *out = cg;
    return VOUCH_OK;
}

static void release_columns(colgen *cg)
{
    for (int i = 0; i < cg->count; i++) column_release(cg->columns[i]);
    cg->count = 0;
}

void colgen_free(colgen *cg)
{
    if (!cg) return;
    release_columns(cg);
    mem_free(cg->columns);
    generation_clear(&cg->mix);
    ARENA_FREE(cg);
}

void colgen_set_goal(colgen *cg, master_goal goal, double cap)
{
    release_columns(cg);
    CHECK(goal == MASTER_MAX_REGRET || !isnan(cap));
    cg->goal = goal;
    cg->cap = cap;
    for (int k = 0; k < cg->space->K; k++) {
        cg->mix.lambda[k] = 1.0 / cg->space->K;
        cg->mix.nu[k] = cg->mix.mu[k] = 0;
    }
}

static bool column_allowed(const column *c, const unsigned char allowed[])
{
    for (int i = 0; i < c->used; i++)
        if (!allowed[c->option[i]]) return false;
    return true;
}

/* Does it keep the promise of a deterministic mixture? */
static bool column_deterministic(const colgen *cg, const column *c)
{
    return !cg->pure || c->pr[cg->pure_of] >= cg->space->accepted[cg->pure_of] - cg->pure->slack;
}

/* Owns one reference of c from now on. */
static vouch_status append(colgen *cg, column *c)
{
    CHECK(cg->by_slot || column_allowed(c, cg->allowed));
    CHECK(cg->direct || cg->count == master_columns(cg->mix.program));
    if (MEM_RESERVE(&cg->columns, &cg->capacity, cg->count) || generation_add(&cg->mix, c->regret, c->pr)) {
        column_release(c);
        return VOUCH_ERROR_MEMORY;
    }
    cg->columns[cg->count++] = c;
    return VOUCH_OK;
}

vouch_status colgen_start(colgen *cg, column *const columns[], int count)
{
    release_columns(cg);
    if (cg->direct) return VOUCH_OK;
    vouch_status status = generation_begin(&cg->mix, cg->goal, cg->aim, cg->cap, cg->room);
    for (int i = 0; i < count && !status; i++) {
        if (!column_allowed(columns[i], cg->allowed) || !column_deterministic(cg, columns[i])) continue;
        atomic_fetch_add(&columns[i]->refs, 1);
        status = append(cg, columns[i]);
    }
    return status;
}

vouch_status colgen_aim(colgen *cg, const double aim[])
{
    for (int k = 0; k < cg->space->promises; k++) CHECK_COMPARE(aim[k], >=, cg->space->accepted[k]);
    MEM_COPY(cg->aim, aim, cg->space->promises);
    if (cg->direct) return VOUCH_OK;
    return cg->count > 0 ? master_aim(cg->mix.program, aim) : colgen_start(cg, NULL, 0);
}

double colgen_induction(colgen *cg)
{
    const know_classes *c = cg->space->c;
    reachable_find(&cg->live, cg->allowed, c->g->T + 1);
#ifdef VOUCH_DEBUG /* values of unreachable classes must not be read */
    for (int i = 0; i < c->classes; i++) cg->value[i] = INFINITY;
#endif
    return induction_backward(&cg->live, cg->weight, cg->mix.mu, c->g->T + 1, cg->value, cg->best);
}

/* The largest value of a policy of the mixture at the current multipliers. */
static double most_worth(colgen *cg)
{
    const policy_space *space = cg->space;
    cg->inductions++;
    double since = trace_start(cg->mix.trace), worth;
    if (!cg->pure)
        worth = colgen_induction(cg);
    else {
        long long before = cg->pure->pareto_front.work;
        pairs_weigh(cg->pure, space->c, cg->weight, cg->mix.mu, cg->pure_of);
        worth = pairs_solve(cg->pure, cg->allowed, space->accepted[cg->pure_of]) + space->rounding;
        cg->inductions += (cg->pure->pareto_front.work - before) / (space->c->arcs + 1);
        cg->value[0] = worth;
    }
    trace_stop(cg->mix.trace, cg->pure ? KERNEL_pairs : KERNEL_induction, since);
    return worth;
}

/* Bound of the current multipliers, clamped, by one backward induction or by pairs. phase_one: on the shortfall. */
static double price(colgen *cg, bool phase_one)
{
    const policy_space *space = cg->space;
    double base = cg->goal == MASTER_TOTAL_REGRET && !phase_one ? 1 : 0, constant = 0, shares = 0;
    /* lambda must not sum to more than the price of z (1) or e. */
    double sum = 0, most = master_excess_price(cg->goal);
    for (int k = 0; k < cg->space->K; k++) {
        CHECK(cg->mix.lambda[k] >= 0 && cg->mix.nu[k] >= 0 && cg->mix.mu[k] >= 0);
        sum += cg->mix.lambda[k];
    }
    if (sum > most)
        for (int k = 0; k < cg->space->K; k++) cg->mix.lambda[k] *= most / sum;
    if (cg->pure) cg->mix.mu[cg->pure_of] = 0;
    for (int k = 0; k < space->K; k++) shares += cg->mix.lambda[k];
    for (int k = 0; k < space->K; k++) {
        double lambda = space->share ? shares * space->share[k] : cg->mix.lambda[k];
        cg->weight[k] = (phase_one ? 0 : base + lambda) + cg->mix.nu[k];
        constant += cg->weight[k] * space->optimal[k];
        if (cg->goal == MASTER_TOTAL_REGRET && !phase_one) constant -= cg->cap * cg->mix.lambda[k];
        if (cg->room) constant -= cg->mix.nu[k] * cg->room[k];
    }
    double worth = space_worth(space, cg->mix.mu, space->accepted);
    constant += worth;
    cg->ahead = fmax(0, space_worth(space, cg->mix.mu, cg->aim) - worth);
    CHECK_COMPARE(shares, <=, master_excess_price(cg->goal) * (1 + CLAMPED));
    cg->constant = constant;
    cg->priced = !phase_one && !cg->pure;
    return constant - most_worth(cg);
}

/* The policy of the last induction as a column. */
static vouch_status add_policy(colgen *cg)
{
    const know_classes *c = cg->space->c;
    int K = cg->space->K, places = cg->by_slot ? c->slots : c->options, used = 0;
    memset(cg->mass, 0, (size_t)places * sizeof *cg->mass);
    if (cg->pure) {
        memset(cg->used, 0, (size_t)c->slots * sizeof *cg->used);
        pairs_trace(cg->pure, cg->space->accepted[cg->pure_of], cg->used, true);
        induction_spread(c, cg->used, cg->reach, cg->U, cg->Pr, cg->mass);
    } else
        induction_forward(c, cg->best, cg->reach, cg->U, cg->Pr, cg->mass, cg->by_slot);
    for (int o = 0; o < places; o++) used += cg->mass[o] > 0;
    column *col = column_new(K, used);
    if (!col) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < K; k++) {
        col->regret[k] = cg->space->optimal[k] - cg->U[k];
        col->pr[k] = cg->Pr[k];
    }
    for (int o = 0, i = 0; o < places; o++)
        if (cg->mass[o] > 0) {
            CHECK_COMPARE(i, <, used);
            col->option[i] = o;
            col->mass[i++] = cg->mass[o];
        }
    return append(cg, col);
}

/* Is the last column a duplicate? Then no policy improves the master; the apparent gain is an error of the multipliers. */
static bool repeated(const colgen *cg)
{
    const column *last = cg->columns[cg->count - 1];
    size_t bytes = 2 * (size_t)cg->space->K * sizeof(double); /* regret and pr, in one block */
    for (int i = 0; i < cg->count - 1; i++)
        if (memcmp(cg->columns[i]->regret, last->regret, bytes) == 0) return true;
    return false;
}

/* Traces the last policy, with the value of the mixture and the bound before it. */
static void record_column(const colgen *cg, double value, double bound)
{
    long long key = cg->alone ? cg->count - 1 : cg->watched - 1;
    if (cg->watched == 0 || !trace_open(cg->mix.trace, TRACE_COLUMN, key, "column")) return;
    const column *last = cg->columns[cg->count - 1];
    trace_int(cg->mix.trace, "id", cg->watched);
    trace_real(cg->mix.trace, "value", value);
    trace_real(cg->mix.trace, "bound", bound);
    trace_reals(cg->mix.trace, "weight", cg->weight, cg->space->K);
    trace_reals(cg->mix.trace, "mu", cg->mix.mu, cg->space->K);
    trace_reals(cg->mix.trace, "regret", last->regret, cg->space->K);
    trace_reals(cg->mix.trace, "kept", last->pr, cg->space->K);
    trace_close(cg->mix.trace);
}

/* bound is that of the current multipliers. Is it the largest? */
static bool raise_bound(colgen *cg, double bound)
{
    if (!(bound > cg->bound)) return false;
    cg->bound = bound;
    MEM_COPY(cg->peak, cg->mix.lambda, 3 * cg->space->K);
    return true;
}

/* The first policy, at the current multipliers. *end changes only if its bound ends the node. */
static vouch_status add_first(colgen *cg, double cutoff, colgen_end *end)
{
    double bound = price(cg, false);
    if (cg->value[0] == -INFINITY) {
        *end = COLGEN_INFEASIBLE;
        return VOUCH_OK;
    }
    (void)raise_bound(cg, bound);
    if (cg->bound >= cutoff) *end = COLGEN_CUT;
    return add_policy(cg);
}

/* One run of colgen_solve. */
typedef struct colgen_run {
    double cutoff, patience;
    double top; /* the best bound on mixtures that reach the aim */
} colgen_run;

typedef enum colgen_step { STEP_COLUMN, STEP_PHASE_TWO, STEP_END } colgen_step;

/* After a master of the shortfall: the aim is reached, unreachable, or open. */
static colgen_step phase_one(colgen *cg, colgen_end *end)
{
    double value = cg->mix.value, bound = price(cg, true);
    if (bound > cg->mix.rounding * (1 + fabs(cg->constant))) {
        *end = COLGEN_INFEASIBLE;
        return STEP_END;
    }
    if (value - bound - cg->ahead > SHORTFALL) return STEP_COLUMN;
    return value > REACHED ? STEP_END : STEP_PHASE_TWO; /* no policy reduces the shortfall */
}

/* Was the last policy new, or may the next step find a new one? */
static bool can_improve(colgen *cg, bool feasible)
{
    const column *last = cg->columns[cg->count - 1];
    int K = cg->space->K;
    double least = cg->goal == MASTER_MAX_REGRET ? 0 : cg->cap;
    if (!feasible || !cg->smooth) return !repeated(cg);
    for (int k = 0; k < K; k++) {
        cg->slope[k] = last->regret[k] - least;
        if (cg->room) cg->slope[K + k] = last->regret[k] - cg->room[k];
        cg->slope[2 * K + k] = cg->space->accepted[k] - last->pr[k];
    }
    return smoothing_fit(&cg->step, cg->mix.lambda, cg->slope, repeated(cg));
}

/* After a master of the regret: ends if bound and mixture meet, or the bound reaches the cutoff. */
static colgen_step phase_two(colgen *cg, colgen_run *run, colgen_end *end)
{
    smoothing_take(&cg->step, cg->mix.lambda);
    double value = cg->mix.value, bound = price(cg, false),
           meet = fmin(MEET * (1 + fabs(value)), fmax(cg->space->rounding, MEET_SHARE * cg->gap));
    cg->mixture = value;
    cg->step.better = raise_bound(cg, bound);
    run->top = fmax(run->top, bound + cg->ahead);
    CHECK_COMPARE(bound, <=, run->top);
    if (cg->bound >= run->cutoff) {
        *end = COLGEN_CUT;
        return STEP_END;
    }
    bool met = value - run->top <= meet;
    if (met) *end = COLGEN_SOLVED;
    bool enough = run->patience > 0 && value < run->cutoff && value - cg->bound <= run->patience * (run->cutoff - cg->bound);
    if (!met && !enough) return STEP_COLUMN;
    if (!cg->step.better && !cg->passing && cg->smooth) { /* the induction of the best bound again: for probes and nodes below */
        MEM_COPY(cg->mix.lambda, cg->step.centre, cg->step.count);
        cg->bound = fmax(cg->bound, price(cg, false));
    }
    return STEP_END;
}

/* Without a master one induction gives the optimal policy, and its value is the bound. */
static vouch_status solve_direct(colgen *cg, double cutoff, colgen_end *end)
{
    memset(cg->mix.lambda, 0, 3 * (size_t)cg->space->K * sizeof *cg->mix.lambda);
    cg->mix.lambda[0] = 1;
    release_columns(cg);
    *end = COLGEN_SOLVED;
    vouch_status status = add_first(cg, cutoff, end);
    if (status || *end == COLGEN_INFEASIBLE) return status;
    cg->mixture = cg->bound;
    cg->mix.alpha[0] = 1;
    record_column(cg, cg->bound, cg->bound);
    return VOUCH_OK;
}

vouch_status colgen_solve(colgen *cg, double cutoff, double patience, const deadline *limit, colgen_end *end)
{
    CHECK_COMPARE(patience, >=, 0);
    CHECK(!isnan(cutoff) && (cg->direct || cg->count == master_columns(cg->mix.program)));
    generation *mix = &cg->mix;
    colgen_run run = {cutoff, patience, -INFINITY};
    vouch_status status = VOUCH_OK;
    smoothing_begin(&cg->step, mix->lambda, false);
    if (!cg->smooth) cg->step.length = 1;
    cg->bound = -INFINITY;
    cg->mixture = INFINITY;
    cg->priced = false;
    *end = COLGEN_STALLED;
    if (cg->direct && deadline_expired(limit)) *end = COLGEN_LIMIT;
    if (cg->direct) return *end == COLGEN_LIMIT ? VOUCH_OK : solve_direct(cg, cutoff, end);
    mix->feasible = master_feasible(mix->program); /* a resumed node is in phase two */
    mix->limit = limit;
    mix->rounds = 0;
    if (cg->count == 0) {
        status = add_first(cg, cutoff, end);
        if (!status && cg->count > 0) record_column(cg, INFINITY, cg->bound);
        if (cg->smooth) smoothing_begin(&cg->step, mix->lambda, true);
    }
    if (status || *end != COLGEN_STALLED) return status;
    long long most = cg->most > 0 ? cg->inductions + cg->most : LLONG_MAX;
    colgen_step next = STEP_COLUMN;
    while (next != STEP_END && generation_next(mix, &status)) {
        next = mix->feasible ? phase_two(cg, &run, end) : phase_one(cg, end);
        if (next == STEP_PHASE_TWO) mix->feasible = true;
        if (next != STEP_COLUMN) continue;
        status = add_policy(cg);
        if (!status) record_column(cg, mix->feasible ? mix->value : INFINITY, cg->bound);
        if (status || !can_improve(cg, mix->feasible)) return status;
        if (cg->inductions >= most) break;
    }
    if (next != STEP_END && (mix->limited || cg->inductions >= most)) *end = COLGEN_LIMIT;
    return status;
}

void colgen_mass(colgen *cg)
{
    memset(cg->mass, 0, (size_t)(cg->by_slot ? cg->space->c->slots : cg->space->c->options) * sizeof *cg->mass);
    for (int i = 0; i < cg->count; i++) {
        CHECK_COMPARE(cg->mix.alpha[i], >=, 0);
        if (cg->mix.alpha[i] <= 0) continue;
        const column *c = cg->columns[i];
        for (int j = 0; j < c->used; j++) cg->mass[c->option[j]] += cg->mix.alpha[i] * c->mass[j];
    }
}

double colgen_probe(colgen *cg, int time)
{
    const know_classes *c = cg->space->c;
    CHECK(time >= 0 && time < c->g->T);
    if (!cg->priced) return -INFINITY;
    int end = c->time_start[time + 1], last = c->time_start[time + 2];
    MEM_COPY(cg->trial + end, cg->value + end, last - end); /* arcs of the last layer end in the next one */
    cg->inductions++;
    double since = trace_start(cg->mix.trace);
    reachable_find(&cg->live, cg->allowed, time + 1);
    double v = induction_backward(&cg->live, cg->weight, cg->mix.mu, time + 1, cg->trial, NULL);
    trace_stop(cg->mix.trace, KERNEL_probe, since);
    return cg->constant - v;
}

/* Allowance for the rounding of an induction, relative to 1 + its size. */
static const double FIX_ROUNDING = 1e-9;

/* Reduced cost fixing (Dantzig, Fulkerson, Johnson 1954) with the reach of a decision: a policy that uses an option reaches it by
 * some path of classes, with at least the probability of that path, and loses there
 *
 *     loss(option) >= least reach of its class * (V(class) - value of the slot).        O(arcs) */
int colgen_fix(colgen *cg, double cutoff, int option[])
{
    const know_classes *c = cg->space->c;
    double base = cg->constant - cg->value[0], room = cutoff + FIX_ROUNDING * (1 + fabs(cutoff)) - base;
    if (!cg->priced || !isfinite(room)) return 0;
    for (int o = 0; o < c->options; o++) cg->option_loss[o] = 0; /* choices behind a Pareto set have no slot */
    for (int slot = 0; slot < c->slots; slot++) cg->option_loss[c->slot_option[slot]] = INFINITY;
    for (int i = 0; i < c->classes; i++) cg->loss[i] = cg->least[i] = INFINITY;
    cg->loss[0] = 0;
    cg->least[0] = 1;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        if (!(cg->loss[i] < room) || cg->value[i] == -INFINITY) continue;
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            int o = c->slot_option[slot];
            if (!cg->allowed[o]) continue;
            double short_of = cg->value[i] - induction_slot_value(c, i, slot, cg->weight, cg->mix.mu, cg->value);
            double loss = cg->loss[i] + cg->least[i] * fmax(0, short_of);
            cg->option_loss[o] = fmin(cg->option_loss[o], loss);
            if (!(loss < room)) continue;
            for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) {
                int child = c->arc_child[a];
                cg->loss[child] = fmin(cg->loss[child], loss);
                cg->least[child] = fmin(cg->least[child], cg->least[i] * c->arc_factor[a]);
            }
        }
    }
    int count = 0;
    for (int o = 0; o < c->options; o++)
        if (cg->allowed[o] && !(cg->option_loss[o] < room)) {
            cg->allowed[o] = 0;
            option[count++] = o;
        }
    return count;
}
