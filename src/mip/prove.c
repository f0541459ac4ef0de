/* mip/prove.c - vouch_lp_prove: a search tree whose every end is derived in rational arithmetic, as a file in the format VIPR.
 *
 * The search of its own knows a solution already and uses at its root what can be derived in a few lines each: bounds of columns
 * that rows imply, tighter rows and cuts by rounding (prove_cuts.h); at its other nodes only bounds of columns. Two children are
 * joined by `uns`; a child whose proof does not need its bound closes its parent. Depth first, since the order of nodes does not
 * matter once the best value is known; columns are chosen by pseudo-costs with probes where these are not known yet (T. Achterberg,
 * T. Koch, A. Martin, Oper. Res. Letters 33, 2005).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vouch/mip.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "exact/vipr.h"
#include "mip/prove_cuts.h"

enum {
    DEPTH_MOST = 4000,
    SOLUTIONS_MOST = 20,   /* better ones that may be found on the way */
    PROBES_MOST = 8,       /* columns at a node */
    PROBE_ITERATIONS = 60, /* of the simplex method, each side */
    RELIABLE = 4,          /* observations, after which a pseudo-cost is believed */
    WEAK_MOST = 20         /* points that a cut's rounding makes look better than the solution, before cuts are given up */
};
/* A column this near to a whole number is not branched at before the relaxation was solved exactly. */
static const double NEARLY_WHOLE = 1e-6;

typedef enum prove_end { PROVED = 0, BETTER, STUCK, WEAK, OVER, NO_MEMORY } prove_end;

typedef struct prover {
    const vouch_lp *problem;
    vouch_lp *node;
    vouch_lp_options options;
    vipr *proof;
    deadline limit;
    arena arrays;
    int m, n; /* m: with the rows of cuts */
    bool maximize;
    double *x, *exact_x, *gain[2]; /* [n] sums of gains for each unit, down and up */
    int *count[2];
    unsigned char *status;        /* [m + n] */
    char *needed[DEPTH_MOST + 1]; /* [depth] which assumptions the constraint made at that depth needs */
    long long nodes;
    int rows, weak; /* of the program; points seen that are whole but for a cut's rounding */
    const char *why;
} prover;

static double *vector_of(prover *p) { return ARENA_ZERO(&p->arrays, double, p->n + 1); }

static bool start(prover *p)
{
    p->x = vector_of(p), p->exact_x = vector_of(p);
    for (int side = 0; side < 2; side++) {
        p->gain[side] = vector_of(p);
        p->count[side] = ARENA_ZERO(&p->arrays, int, p->n + 1);
    }
    p->proof = vipr_new(p->problem);
    return !p->arrays.failed && p->proof && vouch_lp_clone(&p->node, p->problem) == VOUCH_OK;
}

static prove_end of_vipr(prover *p, vipr_end end)
{
    if (end == VIPR_LIMIT) p->why = "a limit was reached";
    return end == VIPR_DONE ? PROVED : end == VIPR_LIMIT ? OVER : end == VIPR_MEMORY ? NO_MEMORY : STUCK;
}

/* ---- branching -------------------------------------------------------------------------------------------------------- */

static double fraction_of(double x) { return fabs(x - rint(x)); }

/* By how much the bound of the node rises when column j is moved to the next whole number; what is infeasible, very much. */
static double probe(prover *p, int j, int up, double x, double before)
{
    vouch_lp_data d;
    vouch_lp_result r;
    vouch_lp_options options = p->options;
    vouch_lp_view(p->node, &d);
    double low = d.col_lower[j], high = d.col_upper[j], gain = 0;
    options.limits.iterations = PROBE_ITERATIONS;
    vouch_lp_set_col_bounds(p->node, j, up ? ceil(x) : low, up ? high : floor(x));
    if (vouch_lp_solve(p->node, &options) == VOUCH_OK) {
        vouch_lp_get_result(p->node, &r);
        bool over = r.outcome == VOUCH_LP_INFEASIBLE || r.outcome == VOUCH_LP_CUTOFF;
        gain = over ? 1e3 * (1 + fabs(before)) : fabs(r.bound - before);
        if (!isfinite(gain)) gain = 0;
    }
    vouch_lp_set_col_bounds(p->node, j, low, high);
    vouch_lp_set_basis(p->node, p->status, p->status + p->m);
    return gain;
}

static double expected(const prover *p, int j, int up)
{
    if (p->count[up][j]) return p->gain[up][j] / p->count[up][j];
    double sum = 0, count = 0;
    for (int k = 0; k < p->n; k++) sum += p->gain[up][k], count += p->count[up][k];
    return count > 0 ? sum / count : 1;
}

static double score(double down, double up) { return fmax(down, 1e-6) * fmax(up, 1e-6); }

static double score_of(const prover *p, int j, const double x[])
{
    double f = x[j] - floor(x[j]);
    return score(f * expected(p, j, 0), (1 - f) * expected(p, j, 1));
}

/* The column to branch at; those that promise most are probed while their pseudo-costs are not believed. -1: all are whole. */
static int choose_column(prover *p, const double x[], double least, double before)
{
    int best = -1, tried[PROBES_MOST], count = 0;
    double most = -1;
    for (; count < PROBES_MOST; count++) {
        int next = -1;
        double promise = -1;
        for (int j = 0; j < p->n; j++) {
            if (!vouch_lp_is_integer(p->problem, j) || fraction_of(x[j]) <= least) continue;
            bool done = false;
            for (int k = 0; k < count; k++) done = done || tried[k] == j;
            double s = done ? -1 : score_of(p, j, x);
            if (s > promise) promise = s, next = j;
        }
        if (next < 0) break;
        tried[count] = next;
        double s = promise;
        if (p->count[0][next] < RELIABLE || p->count[1][next] < RELIABLE) {
            double f = x[next] - floor(x[next]), gain[2];
            for (int up = 0; up < 2; up++) {
                gain[up] = probe(p, next, up, x[next], before);
                p->gain[up][next] += gain[up] / (up ? 1 - f : f);
                p->count[up][next]++;
            }
            s = score(gain[0], gain[1]);
        }
        if (s > most) most = s, best = next;
    }
    return best;
}

/* ---- nodes -------------------------------------------------------------------------------------------------------------- */

static void note_needed(prover *p, int depth, const char *used)
{
    if (depth > 0) memcpy(p->needed[depth], used, (size_t)depth);
}

static prove_end close_exactly(prover *p, int depth, int *made, int *branch)
{
    vouch_lp_get_basis(p->node, p->status, p->status + p->m);
    vipr_end end = vipr_close_exactly(p->proof, p->status, &p->limit, p->exact_x, made);
    if (end == VIPR_DONE) note_needed(p, depth, vipr_used(p->proof));
    if (end != VIPR_OPEN) return of_vipr(p, end);
    double most = 0;
    for (int j = 0; j < p->n; j++) {
        if (!vouch_lp_is_integer(p->problem, j) || fraction_of(p->exact_x[j]) <= most) continue;
        most = fraction_of(p->exact_x[j]);
        *branch = j;
    }
    MEM_COPY(p->x, p->exact_x, p->n);
    return *branch >= 0 && most < NEARLY_WHOLE && p->m > p->rows && ++p->weak > WEAK_MOST ? WEAK : STUCK;
}

/* Closes the node by its relaxation, or says at which column to branch; neither: p->x is whole, and better than the solution. */
static prove_end close_node(prover *p, int depth, int *made, int *branch)
{
    vouch_lp_result r;
    *branch = -1;
    p->nodes++;
    p->options.cutoff = vipr_cutoff(p->proof);
    p->options.limits = deadline_time_left(&p->limit);
    if (vouch_lp_solve(p->node, &p->options)) return NO_MEMORY;
    vouch_lp_get_result(p->node, &r);
    if (r.outcome == VOUCH_LP_LIMIT || r.outcome == VOUCH_LP_INTERRUPTED || deadline_expired(&p->limit))
        return of_vipr(p, VIPR_LIMIT);
    vipr_end end = VIPR_OPEN;
    if (r.outcome == VOUCH_LP_INFEASIBLE && r.farkas) end = vipr_close(p->proof, r.farkas, true, made);
    if (r.outcome == VOUCH_LP_CUTOFF || r.outcome == VOUCH_LP_OPTIMAL) end = vipr_close(p->proof, r.row_dual, false, made);
    if (end == VIPR_DONE) note_needed(p, depth, vipr_used(p->proof));
    if (end != VIPR_OPEN) return of_vipr(p, end);
    if (r.outcome == VOUCH_LP_OPTIMAL) {
        MEM_COPY(p->x, r.x, p->n);
        vouch_lp_get_basis(p->node, p->status, p->status + p->m);
        bool below = isnan(p->options.cutoff) || (p->maximize ? r.objective > p->options.cutoff : r.objective < p->options.cutoff);
        *branch = below ? choose_column(p, p->x, NEARLY_WHOLE, r.objective) : -1;
        if (*branch >= 0) return STUCK;
    }
    return close_exactly(p, depth, made, branch);
}

static prove_end prove_node(prover *p, int depth, int *made);

/* One child. */
static prove_end prove_side(prover *p, int depth, int j, double bound, bool upper, int made[2])
{
    vouch_lp_data d;
    vouch_lp_view(p->node, &d);
    double low = d.col_lower[j], high = d.col_upper[j];
    made[1] = vipr_assume(p->proof, j, upper, bound);
    if (made[1] < 0) return NO_MEMORY;
    vouch_lp_set_col_bounds(p->node, j, upper ? low : bound, upper ? bound : high);
    prove_end end = prove_node(p, depth + 1, made);
    vouch_lp_set_col_bounds(p->node, j, low, high);
    vipr_take_back(p->proof);
    return end;
}

static prove_end branch_at(prover *p, int depth, int j, int *made)
{
    double down = floor(p->x[j]);
    bool up_first = p->x[j] - down > 0.5;
    int side[2][2], constraint[2], assumption[2];
    if (depth + 1 > DEPTH_MOST) {
        p->why = "the search tree is too deep";
        return STUCK;
    }
    if (!p->needed[depth + 1] && !(p->needed[depth + 1] = MEM_ZERO(char, (size_t)depth + 2))) return NO_MEMORY;
    for (int k = 0; k < 2; k++) {
        bool upper = (k == 0) != up_first;
        prove_end end = prove_side(p, depth, j, upper ? down : down + 1, upper, side[upper ? 0 : 1]);
        if (end != PROVED) return end;
        const char *needed = p->needed[depth + 1];
        if (!needed[depth]) { /* it holds without the bound */
            note_needed(p, depth, needed);
            *made = side[upper ? 0 : 1][0];
            return PROVED;
        }
        for (int i = 0; i < depth; i++) p->needed[depth][i] = (char)((k && p->needed[depth][i]) || needed[i]);
    }
    for (int k = 0; k < 2; k++) constraint[k] = side[k][0], assumption[k] = side[k][1];
    *made = vipr_join(p->proof, constraint, assumption);
    return *made < 0 ? NO_MEMORY : PROVED;
}

static prove_end prove_node(prover *p, int depth, int *made)
{
    int branch;
    prove_end end = close_node(p, depth, made, &branch);
    if (end != STUCK) return end;
    if (branch >= 0) return branch_at(p, depth, branch, made);
    return BETTER;
}

/* A whole point that is better than the solution takes its place, when all assumptions are taken back, and all is proved anew. */
static prove_end prove_tree(prover *p, int *made)
{
    for (int k = 0; k < SOLUTIONS_MOST; k++) {
        prove_end end = prove_node(p, 0, made);
        if (end != BETTER) return end;
        vipr_end better = vipr_solve_fixed(p->proof, p->x, &p->limit);
        if (better != VIPR_DONE) {
            p->why = "a relaxation has a whole point that no solution follows from";
            return of_vipr(p, better);
        }
    }
    p->why = "ever better solutions are found";
    return STUCK;
}

/* With cuts; their coefficients are rounded, by which they may miss the value of other optimal points by a hair. Where these are
 * many, without. */
static prove_end prove_with_cuts(prover *p, int *made)
{
    p->rows = vouch_lp_rows(p->node);
    prove_end end = of_vipr(p, prove_cuts(p->proof, p->problem, p->node, &p->limit));
    if (end != PROVED) return end;
    p->m = vouch_lp_rows(p->node);
    p->status = ARENA_NEW(&p->arrays, unsigned char, p->m + p->n + 1);
    if (p->arrays.failed) return NO_MEMORY;
    end = prove_tree(p, made);
    if (end != WEAK) return end;
    if (prove_without_cuts(p->proof, p->rows, p->node) != VIPR_DONE) return NO_MEMORY;
    p->m = p->rows;
    return prove_tree(p, made);
}

static prove_end prove(prover *p, const double *x, vouch_proof *out)
{
    int made = -1;
    if (!start(p)) return NO_MEMORY;
    vouch_lp_forget_basis(p->node);
    if (x) {
        vipr_end end = vipr_solve_fixed(p->proof, x, &p->limit);
        if (end == VIPR_OPEN) p->why = "the solution found is feasible within tolerances only";
        if (end != VIPR_DONE) return of_vipr(p, end);
    }
    prove_end end = prove_with_cuts(p, &made);
    if (end != PROVED) return end;
    out->feasible = vipr_has_solution(p->proof);
    out->text = vipr_text(p->proof, made, &out->length);
    out->derived = vipr_derived(p->proof);
    if (out->feasible) out->objective = vipr_objective(p->proof);
    return out->text ? PROVED : NO_MEMORY;
}

vouch_status vouch_lp_prove(const vouch_lp *problem, const double *x, const vouch_limits *limits, vouch_proof *out)
{
    if (out) *out = (vouch_proof){0};
    if (!problem || !limits || !out) return VOUCH_ERROR_ARGUMENT;
    if (vouch_lp_is_rewritten(problem) || vouch_lp_sos1_count(problem) > 0) {
        out->why = vouch_lp_is_rewritten(problem)
                       ? "indicators, SOS2 sets and semicontinuous columns have no place in the format VIPR"
                       : "SOS1 sets have no place in the format VIPR";
        return VOUCH_OK;
    }
    prover *p = MEM_ZERO(prover, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    p->problem = problem;
    p->n = vouch_lp_cols(problem);
    vouch_lp_data data;
    vouch_lp_view(problem, &data);
    p->maximize = data.maximize != 0;
    p->limit = deadline_start(limits);
    p->why = "a relaxation could not be settled";
    vouch_lp_options_init(&p->options);
    p->options.presolve = 0;
    prove_end end = prove(p, x, out);
    out->proved = end == PROVED;
    out->nodes = p->nodes;
    out->why = out->proved ? NULL : p->why;
    vipr_free(p->proof);
    vouch_lp_free(p->node);
    for (int k = 0; k <= DEPTH_MOST; k++) mem_free(p->needed[k]);
    arena_free(&p->arrays);
    mem_free(p);
    return end == NO_MEMORY ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

void vouch_proof_free(vouch_proof *proof)
{
    if (!proof) return;
    mem_free(proof->text);
    *proof = (vouch_proof){0};
}
