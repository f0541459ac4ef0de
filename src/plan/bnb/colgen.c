/* plan/bnb/colgen.c - see colgen.h. */
#include "plan/bnb/colgen.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "know/induction.h"

/* Bound and mixture have met when closer than this, relative to 1 + value, or than this share of the gap. */
static const double MEET = 1e-8, MEET_SHARE = 0.1;
/* Two shortfalls closer than this are one: a tenth of what the master program may be off. */
static const double SHORTFALL = 1e-11;
/* A mixture short of its aim by less may be one that is not short at all. More than SHORTFALL, so that what is not proved impossible
 * is reached. */
static const double REACHED = 2e-11;
/* A bound must pass the cutoff by this, relative to 1 + its size, before it forbids an option: the rounding of an induction. */
static const double PASSES = 1e-9;
/* Policies generated at one node before its bound is taken as it is; only numerical trouble gets here. */
static const int MOST_ROUNDS = 5000;

void column_release(column *c)
{
    if (c && atomic_fetch_sub(&c->refs, 1) == 1) mem_free(c);
}

/* regret, pr and mass, then option, behind the head: one block. */
static column *column_new(int K, int used)
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
    colgen *r = MEM_ZERO(colgen, 1);
    if (!r) return VOUCH_ERROR_MEMORY;
    const know_classes *c = space->c;
    r->space = space;
    r->allowed = MEM_NEW(unsigned char, c->options);
    r->lambda = MEM_ZERO(double, 3 * space->K);
    r->aim = MEM_NEW(double, space->K);
    if (space->floor) r->room = MEM_NEW(double, space->K);
    r->value = MEM_NEW(double, c->classes);
    r->trial = MEM_NEW(double, c->classes);
    r->loss = MEM_NEW(double, c->classes);
    r->least = MEM_NEW(double, c->classes);
    r->option_loss = MEM_NEW(double, c->options);
    r->reach = MEM_NEW(double, c->classes);
    r->best = MEM_NEW(int, c->classes);
    r->mass = MEM_ZERO(double, c->options > c->slots ? c->options : c->slots);
    r->weight = MEM_NEW(double, space->K);
    r->U = MEM_NEW(double, space->K);
    r->Pr = MEM_NEW(double, space->K);
    if (!r->allowed || !r->lambda || (space->floor && !r->room) || !r->value || !r->trial || !r->loss || !r->least ||
        !r->option_loss || !r->reach || !r->best || !r->mass || !r->weight || !r->U || !r->Pr ||
        master_new(space->K, &r->program)) {
        colgen_free(r);
        return VOUCH_ERROR_MEMORY;
    }
    r->nu = r->lambda + space->K;
    r->mu = r->nu + space->K;
    for (int k = 0; k < space->K && r->room; k++)
        r->room[k] = space->optimal[k] - space->floor[k] + FLOOR_TOLERANCE * (1 + fabs(space->floor[k]));
    r->gap = INFINITY;
    colgen_set_aim(r, space->accepted);
    memset(r->allowed, 1, (size_t)c->options);
    colgen_set_goal(r, MASTER_MAX_REGRET, 0);
    *out = r;
    return VOUCH_OK;
}

static void release_columns(colgen *r)
{
    for (int i = 0; i < r->count; i++) column_release(r->columns[i]);
    r->count = 0;
}

void colgen_free(colgen *r)
{
    if (!r) return;
    release_columns(r);
    mem_free(r->columns);
    mem_free(r->alpha);
    mem_free(r->allowed);
    mem_free(r->lambda);
    mem_free(r->aim);
    mem_free(r->room);
    mem_free(r->value);
    mem_free(r->trial);
    mem_free(r->loss);
    mem_free(r->least);
    mem_free(r->option_loss);
    mem_free(r->reach);
    mem_free(r->best);
    mem_free(r->mass);
    mem_free(r->weight);
    mem_free(r->U);
    mem_free(r->Pr);
    master_free(r->program);
    mem_free(r);
}

void colgen_set_goal(colgen *r, master_goal goal, double cap)
{
    release_columns(r);
    r->goal = goal;
    r->cap = cap;
    for (int k = 0; k < r->space->K; k++) {
        r->lambda[k] = 1.0 / r->space->K;
        r->nu[k] = r->mu[k] = 0;
    }
}

void colgen_set_aim(colgen *r, const double aim[]) { MEM_COPY(r->aim, aim, r->space->K); }

vouch_status colgen_change_aim(colgen *r, const double aim[])
{
    colgen_set_aim(r, aim);
    return master_aim(r->program, aim);
}

static bool column_allowed(const column *c, const unsigned char allowed[])
{
    for (int i = 0; i < c->used; i++)
        if (!allowed[c->option[i]]) return false;
    return true;
}

/* Takes over one reference. */
static vouch_status append(colgen *r, column *c)
{
    if (mem_reserve((void **)&r->columns, &r->capacity, (size_t)r->count, sizeof *r->columns) ||
        mem_reserve((void **)&r->alpha, &r->alpha_capacity, (size_t)r->count, sizeof *r->alpha) ||
        master_add(r->program, c->regret, c->pr)) {
        column_release(c);
        return VOUCH_ERROR_MEMORY;
    }
    r->alpha[r->count] = 0;
    r->columns[r->count++] = c;
    return VOUCH_OK;
}

vouch_status colgen_start(colgen *r, column *const columns[], int count)
{
    release_columns(r);
    vouch_status status = master_reset(r->program, r->goal, r->aim, r->space->lowest, r->cap, r->room);
    for (int i = 0; i < count && !status; i++) {
        if (!column_allowed(columns[i], r->allowed)) continue;
        atomic_fetch_add(&columns[i]->refs, 1);
        status = append(r, columns[i]);
    }
    return status;
}

/* Bound of the last multipliers by one backward induction. phase_one: of the shortfall alone. */
static double lagrangian(colgen *r, bool phase_one)
{
    int K = r->space->K;
    double base = r->goal == MASTER_TOTAL_REGRET && !phase_one ? 1 : 0, constant = 0, shares = 0;
    double *weight = r->weight;
    r->ahead = 0;
    for (int k = 0; k < K; k++) {
        weight[k] = (phase_one ? 0 : base + r->lambda[k]) + r->nu[k];
        constant += weight[k] * r->space->optimal[k] + r->mu[k] * r->space->accepted[k];
        r->ahead += r->mu[k] * (r->aim[k] - r->space->accepted[k]);
        shares += r->lambda[k];
        if (r->goal == MASTER_TOTAL_REGRET && !phase_one) constant -= r->cap * r->lambda[k];
        if (r->room) constant -= r->nu[k] * r->room[k];
    }
    if (r->goal == MASTER_MAX_REGRET && !phase_one) constant += fmax(0, 1 - shares) * r->space->lowest;
    r->constant = constant;
    double v = induction_backward(r->space->c, weight, r->mu, r->allowed, r->space->c->classes, r->value, r->best);
    r->inductions++;
    r->priced = !phase_one;
    return constant - v;
}

/* The policy of the last induction as a column. */
static vouch_status add_policy(colgen *r)
{
    const know_classes *c = r->space->c;
    int K = r->space->K, places = r->by_slot ? c->slots : c->options, used = 0;
    memset(r->mass, 0, (size_t)places * sizeof *r->mass);
    induction_forward(c, r->best, r->reach, r->U, r->Pr, r->mass, r->by_slot);
    for (int o = 0; o < places; o++) used += r->mass[o] > 0;
    column *col = column_new(K, used);
    if (!col) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < K; k++) {
        col->regret[k] = r->space->optimal[k] - r->U[k];
        col->pr[k] = r->Pr[k];
    }
    for (int o = 0, i = 0; o < places; o++)
        if (r->mass[o] > 0) {
            col->option[i] = o;
            col->mass[i++] = r->mass[o];
        }
    return append(r, col);
}

/* lambda must not sum to more than the price of z (1) or e. */
static void clamp_multipliers(colgen *r)
{
    double sum = 0, most = master_excess_price(r->program);
    for (int k = 0; k < r->space->K; k++) sum += r->lambda[k];
    if (sum > most)
        for (int k = 0; k < r->space->K; k++) r->lambda[k] *= most / sum;
}

/* Is the last column one that the master already had? Then no policy improves it, whatever its own rounding. */
static bool repeated(const colgen *r)
{
    const column *last = r->columns[r->count - 1];
    size_t bytes = 2 * (size_t)r->space->K * sizeof(double); /* regret and pr, in one block */
    for (int i = 0; i < r->count - 1; i++)
        if (memcmp(r->columns[i]->regret, last->regret, bytes) == 0) return true;
    return false;
}

vouch_status colgen_solve(colgen *r, double cutoff, double patience, const deadline *limit, colgen_end *end)
{
    vouch_status status = VOUCH_OK;
    bool feasible = master_feasible(r->program), ok = true; /* a node that is taken up again is in phase two */
    double rounding = commitment_rounding(r->space->m->T),
           top = -INFINITY; /* top: the best bound on mixtures that keep to the aim */
    r->bound = -INFINITY;
    r->mixture = INFINITY;
    r->priced = false;
    *end = COLGEN_STALLED;
    if (r->count == 0) { /* first policy: at the multipliers at hand */
        clamp_multipliers(r);
        double bound = lagrangian(r, false);
        if (r->value[0] == -INFINITY) {
            *end = COLGEN_INFEASIBLE;
            return VOUCH_OK;
        }
        r->bound = bound;
        status = add_policy(r);
        if (status) return status;
        if (r->bound >= cutoff) {
            *end = COLGEN_CUT;
            return VOUCH_OK;
        }
    }
    long long before = r->inductions;
    for (int round = 0; round < MOST_ROUNDS && !status; round++) {
        double value;
        bool near = false;
        if (deadline_expired(limit) || (r->most > 0 && r->inductions - before >= r->most)) {
            *end = COLGEN_LIMIT;
            return VOUCH_OK;
        }
        status = master_solve(r->program, feasible, limit, &ok, &value, r->lambda, r->nu, r->mu, r->alpha);
        if (!status && !ok && deadline_expired(limit)) *end = COLGEN_LIMIT;
        if (status || !ok) break;
        if (!feasible && value <= rounding) {
            feasible = true;
            continue;
        }
        clamp_multipliers(r);
        double bound = lagrangian(r, !feasible);
        if (!feasible) {
            if (bound > rounding * (1 + fabs(r->constant))) {
                *end = COLGEN_INFEASIBLE;
                return VOUCH_OK;
            }
            if (value - bound - r->ahead <= SHORTFALL) { /* no policy comes nearer */
                if (value > REACHED) break;
                feasible = true;
                continue;
            }
        } else {
            double meet = fmin(MEET * (1 + fabs(value)), fmax(r->space->rounding, MEET_SHARE * r->gap));
            r->mixture = value;
            r->bound = fmax(r->bound, bound);
            if (r->bound >= cutoff) {
                *end = COLGEN_CUT;
                return VOUCH_OK;
            }
            top = fmax(top, bound + r->ahead);
            if (value - top <= meet) {
                *end = COLGEN_SOLVED;
                return VOUCH_OK;
            }
            if (patience > 0 && value < cutoff && value - r->bound <= patience * (cutoff - r->bound)) break;
            near = value - bound - r->ahead <= MEET * (1 + fabs(value));
        }
        status = add_policy(r);
        if (near && !status && repeated(r)) break;
    }
    return status;
}

void colgen_mass(colgen *r)
{
    memset(r->mass, 0, (size_t)(r->by_slot ? r->space->c->slots : r->space->c->options) * sizeof *r->mass);
    for (int i = 0; i < r->count; i++) {
        if (r->alpha[i] <= 0) continue;
        const column *c = r->columns[i];
        for (int j = 0; j < c->used; j++) r->mass[c->option[j]] += r->alpha[i] * c->mass[j];
    }
}

double colgen_probe(colgen *r, int time)
{
    const know_classes *c = r->space->c;
    int end = c->time_start[time + 1];
    int last = time + 2 <= c->g->T + 1 ? c->time_start[time + 2] : c->classes;
    MEM_COPY(r->trial + end, r->value + end, last - end); /* arcs of the last layer done reach the next one only */
    r->inductions++;
    return r->constant - induction_backward(c, r->weight, r->mu, r->allowed, end, r->trial, NULL);
}

/* What a policy that uses an option must lose against the last induction: it gets there by some path of classes, is in each of them with
 * at least the probability of that path, and loses there that times what its slot is short of the best. This is reduced cost fixing
 * (Dantzig, Fulkerson, Johnson 1954) with the reach of a decision taken into account. */
int colgen_fix(colgen *r, double cutoff, int option[])
{
    const know_classes *c = r->space->c;
    double base = r->constant - r->value[0], room = cutoff + PASSES * (1 + fabs(cutoff)) - base;
    if (!r->priced || !isfinite(room)) return 0;
    for (int o = 0; o < c->options; o++) r->option_loss[o] = 0; /* choices behind a Pareto set have no slot, and stay */
    for (int slot = 0; slot < c->slots; slot++) r->option_loss[c->slot_option[slot]] = INFINITY;
    for (int i = 0; i < c->classes; i++) r->loss[i] = r->least[i] = INFINITY;
    r->loss[0] = 0;
    r->least[0] = 1;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        if (!(r->loss[i] < room) || r->value[i] == -INFINITY) continue;
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            int o = c->slot_option[slot];
            if (!r->allowed[o]) continue;
            double short_of = r->value[i] - induction_slot_value(c, i, slot, r->weight, r->mu, r->value);
            double loss = r->loss[i] + r->least[i] * fmax(0, short_of);
            r->option_loss[o] = fmin(r->option_loss[o], loss);
            if (!(loss < room)) continue;
            for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) {
                int child = c->arc_child[a];
                r->loss[child] = fmin(r->loss[child], loss);
                r->least[child] = fmin(r->least[child], r->least[i] * c->arc_factor[a]);
            }
        }
    }
    int count = 0;
    for (int o = 0; o < c->options; o++)
        if (r->allowed[o] && !(r->option_loss[o] < room)) {
            r->allowed[o] = 0;
            option[count++] = o;
        }
    return count;
}
