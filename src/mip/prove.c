/* mip/prove.c - vouch_lp_prove: a search tree whose every end is derived in rational arithmetic, as a file in the format VIPR.
 *
 * The search of its own knows a solution already and uses at its root what can be derived in a few lines each: bounds of columns
 * that rows imply, tighter rows and cuts by rounding; at its other nodes only bounds of columns. Two children are
 * joined by `uns`; a child whose proof does not need its bound closes its parent. Depth first, since the order of nodes does not
 * matter once the best value is known; columns are chosen by pseudo-costs with probes where these are not known yet (T. Achterberg,
 * T. Koch, A. Martin, Oper. Res. Letters 33, 2005). */
#include <math.h>

#include "base/memory.h"
#include "exact/vipr.h"
#include "mip/search.h"

/* ---- bounds of columns that rows imply, before the search that writes a proof ---------------------------------------------------
 *
 * Rows are gone through a few times: what a row says of a column is computed in doubles, and derived (exact/vipr.c) where it
 * is worth a line: an integer column's bound, or one where there was none, since cuts and the bound of a relaxation need one. */

enum { MOST_PASSES = 6, MOST_LINES = 4 }; /* lines for each column */

typedef struct tightener {
    vipr *proof;
    vouch_lp *node;
    mip_model *model; /* its bounds follow */
    long long lines;
} tightener;

/* Least activity of sign * row i, of what is finite; *infinite: how many terms are not. */
static double least_activity(const mip_model *p, int i, double sign, int *infinite)
{
    double sum = 0;
    *infinite = 0;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double a = sign * p->row_value[k], bound = a > 0 ? p->lower[p->row_col[k]] : p->upper[p->row_col[k]];
        if (isinf(bound))
            ++*infinite;
        else
            sum += a * bound;
    }
    return sum;
}

/* Is the bound worth a line? */
static bool worth(const mip_model *p, int j, bool upper, double bound)
{
    double now = upper ? p->upper[j] : p->lower[j];
    if (!isfinite(bound) || fabs(bound) > LARGEST_BOUND) return false;
    if (isinf(now)) return true;
    if (!p->integer[j]) return false;
    return upper ? floor(bound + IMPLIED_SLACK) < now - 0.5 : ceil(bound - IMPLIED_SLACK) > now + 0.5;
}

/* sign * row i <= right */
static vipr_end use_side(tightener *t, int i, double sign, double right, bool *moved)
{
    mip_model *p = t->model;
    int infinite;
    double activity = least_activity(p, i, sign, &infinite), value;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        double a = sign * p->row_value[k], own = a > 0 ? p->lower[j] : p->upper[j];
        if (a == 0 || infinite > 1 || (infinite == 1 && !isinf(own))) continue;
        if (!worth(p, j, a > 0, (right - (infinite ? activity : activity - a * own)) / a)) continue;
        vipr_end end = vipr_tighten(t->proof, i, sign > 0, j, &value);
        if (end == VIPR_OPEN) continue;
        if (end != VIPR_DONE) return end;
        *(a > 0 ? &p->upper[j] : &p->lower[j]) = value;
        vouch_lp_set_col_bounds(t->node, j, p->lower[j], p->upper[j]);
        t->lines++;
        *moved = true;
    }
    return VIPR_DONE;
}

/* Bounds of model's columns, and of node's, that rows imply. */
static vipr_end prove_bounds(vipr *proof, mip_model *model, vouch_lp *node)
{
    tightener t = {.proof = proof, .node = node, .model = model};
    bool moved = true;
    for (int pass = 0; pass < MOST_PASSES && moved && t.lines < (long long)MOST_LINES * model->n; pass++) {
        moved = false;
        for (int i = 0; i < model->m; i++)
            for (int side = 0; side < 2; side++) {
                double right = side ? -model->row_lower[i] : model->row_upper[i];
                vipr_end end = isinf(right) ? VIPR_DONE : use_side(&t, i, side ? -1 : 1, right, &moved);
                if (end != VIPR_DONE) return end;
            }
    }
    return VIPR_DONE;
}

/* ---- rounds of cutting planes before the search that writes a proof -------------------------------------------------------------
 *
 * Rows whose coefficients are larger than need be are made tighter first, as a presolve would (M. W. P. Savelsbergh, ORSA Journal
 * on Computing 6 (1994), section 1.2); this too is a rounding. The separators of the ordinary search find cuts in doubles on the
 * program as it was given; what was rounded, with which factors and from which bounds, is derived again in fractions
 * (exact/vipr.c), and the row that becomes part of the relaxation is the one derived. Cuts that are not made by rounding sums
 * of rows are left out. */

enum { MOST_ROUNDS = 40, MOST_STALLS = 6, CUTS_A_ROUND = 60 };
/* A round that moves the bound by less than this part of what was gained so far counts as stalled. */
static const double STALL = 1e-3;

typedef struct cutter {
    vipr *proof;
    vouch_lp *node;
    mip_model model;
    vouch_lp_options options;
    const deadline *limit;
    arena arrays;
    bool *at_upper;
    double *value, *x;
    int *index;
    int *number; /* of the rows of node beyond those of the program */
    size_t number_capacity;
    int count, kept; /* how many; kept: rows of the model, the others may go */
    double first, last;
} cutter;

/* The relaxation's point and value. OPEN: it has none that integers are missing in. */
static vipr_end solve_node(cutter *c, double *value)
{
    vouch_lp_result r;
    bool fractional = false;
    c->options.limits = deadline_time_left(c->limit);
    if (vouch_lp_solve(c->node, &c->options)) return VIPR_MEMORY;
    vouch_lp_get_result(c->node, &r);
    if (deadline_expired(c->limit)) return VIPR_LIMIT;
    if (r.outcome != VOUCH_LP_OPTIMAL) return VIPR_OPEN;
    MEM_COPY(c->x, r.x, c->model.n);
    *value = c->model.negated ? -r.objective : r.objective;
    for (int j = 0; j < c->model.n; j++)
        fractional = fractional || (c->model.integer[j] && fabs(r.x[j] - rint(r.x[j])) > CUT_FRACTION);
    return fractional ? VIPR_DONE : VIPR_OPEN;
}

/* A new row of node. */
static vipr_end derive(cutter *c, const vipr_rounding *how)
{
    vipr_cut made = {.index = c->index, .value = c->value};
    vipr_end end = vipr_round(c->proof, how, &made);
    if (end != VIPR_DONE) return end;
    int64_t entries[2] = {0, made.count};
    double lower = -INFINITY;
    if (MEM_RESERVE(&c->number, &c->number_capacity, c->count)) return VIPR_MEMORY;
    if (vouch_lp_add_rows(c->node, 1, entries, made.index, made.value, &lower, &made.upper)) return VIPR_MEMORY;
    c->number[c->count++] = made.number;
    return VIPR_DONE;
}

static vipr_end add_cut(cutter *c, const mip_cut *found)
{
    const cut_recipe *from = found->recipe;
    if (!from) return VIPR_OPEN;
    for (int k = 0; k < from->uppers; k++) c->at_upper[from->upper[k]] = true;
    vipr_end end = derive(c, &(vipr_rounding){from->rows, from->row, from->factor, from->side, c->at_upper, c->x});
    for (int k = 0; k < from->uppers; k++) c->at_upper[from->upper[k]] = false;
    return end;
}

/* sign * row <= right, with its columns measured from where it is largest, reads  sum_k |a_k| t_k >= d; where a coefficient of an
 * integer column is larger than d, rounding with the largest of them makes it d. OPEN: there is none. */
static vipr_end saturate(cutter *c, int i, double sign, double right)
{
    const mip_model *p = &c->model;
    double most = 0, d = -right;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        double a = sign * p->row_value[k];
        d += a * (a > 0 ? p->upper[j] : p->lower[j]);
        if (p->integer[j]) most = fmax(most, fabs(a));
    }
    if (!(d > 0 && most > d * (1 + LEAST_TIGHTENING))) return VIPR_OPEN; /* NAN: a bound is missing */
    double factor = sign / most;
    signed char side = p->row_lower[i] == p->row_upper[i] ? 0 : (signed char)sign;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) c->at_upper[p->row_col[k]] = sign * p->row_value[k] > 0;
    vipr_end end = derive(c, &(vipr_rounding){1, &i, &factor, &side, c->at_upper, NULL});
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) c->at_upper[p->row_col[k]] = false;
    return end;
}

/* Tighter rows, which stay, and are the separators' own from then on. */
static vipr_end saturate_rows(cutter *c)
{
    for (int i = 0; i < c->model.m; i++)
        for (int side = 0; side < 2; side++) {
            double right = side ? -c->model.row_lower[i] : c->model.row_upper[i];
            vipr_end end = isinf(right) ? VIPR_OPEN : saturate(c, i, side ? -1 : 1, right);
            if (end != VIPR_OPEN && end != VIPR_DONE) return end;
        }
    c->kept = c->count;
    if (c->count == 0) return VIPR_DONE;
    mip_model_free(&c->model);
    return mip_model_build(&c->model, c->node) ? VIPR_MEMORY : vipr_use_rows(c->proof, c->node, c->number);
}

/* OPEN: no cut was added. */
static vipr_end separate(cutter *c)
{
    cut_scene scene;
    int before = c->count;
    if (cut_scene_init(&scene, &c->model, c->node, (cut_request){c->model.lower, c->model.upper, c->x, true})) return VIPR_MEMORY;
    separate_cover(&scene);
    separate_mir(&scene);
    separate_gomory(&scene);
    size_t chosen = cut_list_choose(&scene.found, CUTS_A_ROUND + (size_t)c->model.m / 4);
    vipr_end end = VIPR_DONE;
    for (size_t k = 0; k < chosen && (end == VIPR_DONE || end == VIPR_OPEN); k++) {
        end = add_cut(c, &scene.found.item[k]);
        if (deadline_expired(c->limit)) end = VIPR_LIMIT;
    }
    cut_scene_free(&scene);
    if (end == VIPR_LIMIT || end == VIPR_MEMORY) return end;
    return c->count > before ? vipr_use_rows(c->proof, c->node, c->number) : VIPR_OPEN;
}

/* Rows of cuts whose slack is basic go. */
static vipr_end drop_rows(cutter *c)
{
    int m = c->model.m - c->kept, kept = c->kept, dropped = 0, *rows = MEM_NEW(int, c->count + 1);
    unsigned char *status = MEM_NEW(unsigned char, m + c->count + c->model.n + 1);
    vipr_end end = rows && status ? VIPR_DONE : VIPR_MEMORY;
    if (end == VIPR_DONE && vouch_lp_has_basis(c->node)) {
        vouch_lp_get_basis(c->node, status, status + m + c->count);
        for (int k = c->kept; k < c->count; k++)
            if (status[m + k] == VOUCH_BASIC)
                rows[dropped++] = m + k;
            else
                c->number[kept++] = c->number[k];
        c->count = kept;
        if (dropped > 0 && vouch_lp_delete_rows(c->node, dropped, rows)) end = VIPR_MEMORY;
        if (dropped > 0 && end == VIPR_DONE) end = vipr_use_rows(c->proof, c->node, c->number);
    }
    MEM_FREE_ALL(rows, status);
    return end;
}

static vipr_end rounds(cutter *c)
{
    int stalls = 0;
    vipr_end end = solve_node(c, &c->first);
    c->last = c->first;
    for (int k = 0; k < MOST_ROUNDS && stalls < MOST_STALLS && end == VIPR_DONE; k++) {
        double value;
        end = separate(c);
        if (end == VIPR_DONE) end = solve_node(c, &value);
        if (end != VIPR_DONE) break;
        stalls = value - c->last <= STALL * fmax(value - c->first, STALL * (1 + fabs(value))) ? stalls + 1 : 0;
        c->last = value;
        end = drop_rows(c);
        if (end == VIPR_DONE) end = solve_node(c, &value);
    }
    return end == VIPR_OPEN ? VIPR_DONE : end;
}

/* Rounds of cuts at the root: those that are derived in proof become rows of node, which is a copy of problem. DONE, whether there
 * are any or not, LIMIT or MEMORY. */
static vipr_end prove_cuts(vipr *proof, const vouch_lp *problem, vouch_lp *node, const deadline *limit)
{
    cutter c = {.proof = proof, .node = node, .limit = limit};
    vouch_lp_options_init(&c.options);
    c.options.presolve = 0;
    int n = vouch_lp_cols(problem);
    c.at_upper = ARENA_ZERO(&c.arrays, bool, n + 1);
    c.value = ARENA_NEW(&c.arrays, double, n + 1), c.x = ARENA_NEW(&c.arrays, double, n + 1);
    c.index = ARENA_NEW(&c.arrays, int, n + 1);
    vipr_end end = c.arrays.failed || mip_model_build(&c.model, problem) ? VIPR_MEMORY : VIPR_DONE;
    if (end == VIPR_DONE) end = prove_bounds(proof, &c.model, node);
    if (end == VIPR_DONE) end = saturate_rows(&c);
    if (end == VIPR_DONE) end = rounds(&c);
    mip_model_free(&c.model);
    arena_free(&c.arrays);
    mem_free(c.number);
    return end;
}

/* Takes the rows of cuts, those beyond the program's, out of node again, and its basis. */
static vipr_end prove_without_cuts(vipr *proof, int rows, vouch_lp *node)
{
    int count = vouch_lp_rows(node) - rows, *row = MEM_NEW(int, count + 1);
    if (!row) return VIPR_MEMORY;
    for (int k = 0; k < count; k++) row[k] = rows + k;
    vipr_end end = vouch_lp_delete_rows(node, count, row) ? VIPR_MEMORY : vipr_use_rows(proof, node, NULL);
    vouch_lp_forget_basis(node);
    mem_free(row);
    return end;
}

/* ---- vouch_lp_prove --------------------------------------------------------------------------------------------------------- */

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

static double off_whole(double x) { return fabs(x - rint(x)); }

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
            if (!vouch_lp_is_integer(p->problem, j) || off_whole(x[j]) <= least) continue;
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
        if (!vouch_lp_is_integer(p->problem, j) || off_whole(p->exact_x[j]) <= most) continue;
        most = off_whole(p->exact_x[j]);
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
