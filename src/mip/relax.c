/* mip/relax.c - min c'x over the rows and the bounds of a node: warm by the dual simplex method, afresh where that fails or is
 * stuck.
 *
 * Invariant: what is called infeasible, cut off or optimal was certified by lp; a solve that certifies nothing is FAILED. Cost: a
 * few simplex iterations a node.
 */
#include "mip/relax.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/follow.h"
#include "mip/tolerance.h"

/* Exact work of one search on relaxations of which doubles say something: that they are within tolerances is enough for a bound. */
static const long long CONFIRMED_WORK = 30000000;
/* Iterations of one solve after which it counts as stuck and is started afresh: GUARD_BASE + GUARD_PART (rows + columns) */
enum { GUARD_BASE = 5000, GUARD_PART = 50 };

vouch_status relax_init(relax *r, const mip_model *model, const vouch_lp_options *options, const deadline *clock)
{
    *r = (relax){.model = model, .m = model->m, .n = model->n, .options = *options, .clock = clock};
    if (r->options.presolve > 1) r->options.presolve = 1; /* it is solved again and again */
    vouch_status status = mip_model_to_lp(model, &r->lp);
    if (status != VOUCH_OK) return status;
    lp_limit_confirmation(r->lp, CONFIRMED_WORK);
    r->lower = ARENA_NEW(&r->memory, double, r->n);
    r->upper = ARENA_NEW(&r->memory, double, r->n);
    r->col_status = ARENA_NEW(&r->memory, unsigned char, r->n);
    if (r->memory.failed || relax_rows_changed(r) != VOUCH_OK) {
        relax_free(r);
        return VOUCH_ERROR_MEMORY;
    }
    MEM_COPY(r->lower, model->lower, r->n);
    MEM_COPY(r->upper, model->upper, r->n);
    return VOUCH_OK;
}

vouch_status relax_copy(relax *r, const relax *from)
{
    vouch_lp *lp;
    vouch_status status = vouch_lp_clone(&lp, from->lp);
    if (status != VOUCH_OK) return status;
    vouch_lp_free(r->lp);
    r->lp = lp;
    lp_limit_confirmation(lp, CONFIRMED_WORK);
    MEM_COPY(r->lower, from->lower, r->n);
    MEM_COPY(r->upper, from->upper, r->n);
    return relax_rows_changed(r);
}

vouch_status relax_make_ready(relax *r) { return r->out_of_memory ? VOUCH_ERROR_MEMORY : lp_make_ready(r->lp); }

vouch_status relax_follow(relax *r, const relax *from)
{
    CHECK(r->model == from->model && r->m == from->m);
    MEM_COPY(r->lower, from->lower, r->n);
    MEM_COPY(r->upper, from->upper, r->n);
    r->iterations = from->iterations;
    r->solves = from->solves;
    return lp_follow(r->lp, from->lp);
}

void relax_free(relax *r)
{
    vouch_lp_free(r->lp);
    mem_free(r->row_status);
    arena_free(&r->memory);
    *r = (relax){0};
}

vouch_status relax_rows_changed(relax *r)
{
    r->m = vouch_lp_rows(r->lp);
    CHECK_COMPARE(r->m, >=, r->model->m); /* what is added may go, the model's own rows stay */
    if (r->row_status && r->m <= r->row_capacity) return VOUCH_OK;
    if (MEM_RESIZE(&r->row_status, r->m)) {
        r->out_of_memory = true;
        return VOUCH_ERROR_MEMORY;
    }
    r->row_capacity = r->m;
    return VOUCH_OK;
}

void relax_set_bound(relax *r, int col, double lower, double upper)
{
    CHECK(col >= 0 && col < r->n && !isnan(lower) && !isnan(upper));
    if (r->lower[col] == lower && r->upper[col] == upper) return;
    r->lower[col] = lower;
    r->upper[col] = upper;
    (void)vouch_lp_set_col_bounds(r->lp, col, lower, upper);
}

void relax_set_bounds(relax *r, const double *lower, const double *upper)
{
    for (int j = 0; j < r->n; j++) {
        bool pass = r->model->integer[j] || lower[j] == upper[j];
        relax_set_bound(r, j, pass ? lower[j] : r->model->lower[j], pass ? upper[j] : r->model->upper[j]);
    }
}

static vouch_lp_outcome solve_once(relax *r, double cutoff, long long iteration_limit, vouch_lp_method method)
{
    vouch_lp_options o = r->options;
    o.method = method;
    o.cutoff = cutoff < INFINITY ? cutoff : NAN;
    vouch_limits left = deadline_left(r->clock);
    o.limits = (vouch_limits){.seconds = left.seconds, .interrupt = left.interrupt, .iterations = iteration_limit};
    if (left.iterations > 0) {
        long long rest = left.iterations > r->iterations ? left.iterations - r->iterations : 1;
        if (iteration_limit == 0 || rest < iteration_limit) o.limits.iterations = rest;
    }
    r->solves++;
    vouch_lp_outcome outcome = VOUCH_LP_NUMERICAL;
    if (vouch_lp_solve(r->lp, &o) == VOUCH_OK) {
        vouch_lp_get_result(r->lp, &r->result);
        outcome = r->result.outcome;
        r->iterations += r->result.iterations;
    } else {
        r->out_of_memory = true;
    }
    return outcome;
}

double relax_value(const relax *r)
{
    double objective = r->result.objective, proved = r->result.bound;
    return isfinite(proved) && proved < objective - RELAX_SAME_VALUE * (1 + fabs(objective)) ? proved : objective;
}

relax_end relax_solve(relax *r, double cutoff, long long iteration_limit)
{
    for (int j = 0; j < r->n; j++)
        if (r->lower[j] > r->upper[j]) return RELAX_INFEASIBLE;
    long long guard = GUARD_BASE + GUARD_PART * ((long long)r->m + r->n);
    vouch_lp_outcome outcome = solve_once(r, cutoff, iteration_limit > 0 ? iteration_limit : guard,
                                          vouch_lp_has_basis(r->lp) ? VOUCH_LP_DUAL : r->options.method);
    bool stuck = outcome == VOUCH_LP_LIMIT && iteration_limit == 0 && r->result.iterations >= guard && !deadline_expired(r->clock);
    if (outcome == VOUCH_LP_NUMERICAL || stuck) {
        vouch_lp_forget_basis(r->lp);
        outcome = solve_once(r, INFINITY, 0, VOUCH_LP_AUTO);
    }
    if (outcome == VOUCH_LP_NUMERICAL) {
        vouch_lp_forget_basis(r->lp);
        outcome = solve_once(r, INFINITY, 0, VOUCH_LP_PRIMAL);
    }
    switch (outcome) {
    case VOUCH_LP_OPTIMAL:
        CHECK(isfinite(r->result.objective) && r->result.x);
        return relax_value(r) >= cutoff ? RELAX_CUTOFF : RELAX_OPTIMAL;
    case VOUCH_LP_INFEASIBLE:
        return RELAX_INFEASIBLE;
    case VOUCH_LP_CUTOFF:
        return RELAX_CUTOFF;
    case VOUCH_LP_UNBOUNDED:
        return RELAX_UNBOUNDED;
    case VOUCH_LP_INTERRUPTED:
        return RELAX_STOPPED;
    case VOUCH_LP_LIMIT:
        return deadline_expired(r->clock) || iteration_limit == 0 ? RELAX_STOPPED : RELAX_LIMIT;
    default:
        return RELAX_FAILED;
    }
}

packed_basis *relax_basis(relax *r)
{
    if (r->out_of_memory || !vouch_lp_has_basis(r->lp)) return NULL;
    vouch_lp_get_basis(r->lp, r->row_status, r->col_status);
    return packed_basis_new(r->m, r->n, r->row_status, r->col_status);
}

void relax_set_basis(relax *r, const packed_basis *b)
{
    if (!b || r->out_of_memory) return;
    CHECK_COMPARE(r->m, <=, r->row_capacity);
    packed_basis_unpack(b, r->row_status, r->col_status);
    (void)vouch_lp_set_basis(r->lp, r->row_status, r->col_status);
}
