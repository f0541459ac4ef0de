/* mip/prove_cuts.c - rounds of cutting planes before the search that writes a proof.
 *
 * Rows whose coefficients are larger than need be are made tighter first, as a presolve would (M. W. P. Savelsbergh, ORSA Journal
 * on Computing 6 (1994), section 1.2); this too is a rounding. The separators of the ordinary search find cuts in doubles on the
 * program as it was given; what was rounded, with which factors and from which bounds, is derived again in fractions
 * (exact/vipr.c), and the row that becomes part of the relaxation is the one derived. Cuts that are not made by rounding
 * sums of rows are left out.
 */
#include "mip/prove_cuts.h"

#include <math.h>

#include "base/memory.h"
#include "mip/scene.h"

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

static vipr_end start(cutter *c, const vouch_lp *problem)
{
    int n = vouch_lp_cols(problem);
    c->at_upper = ARENA_ZERO(&c->arrays, bool, n + 1);
    c->value = ARENA_NEW(&c->arrays, double, n + 1), c->x = ARENA_NEW(&c->arrays, double, n + 1);
    c->index = ARENA_NEW(&c->arrays, int, n + 1);
    return c->arrays.failed || mip_model_build(&c->model, problem) ? VIPR_MEMORY : VIPR_DONE;
}

/* The relaxation's point and value. OPEN: it has none that integers are missing in. */
static vipr_end relax(cutter *c, double *value)
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
    if (cut_scene_init(&scene, &c->model, c->node, c->model.lower, c->model.upper, c->x)) return VIPR_MEMORY;
    scene.recipes = true;
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
        for (int k = c->kept; k < c->count; k++) {
            if (status[m + k] == VOUCH_BASIC)
                rows[dropped++] = m + k;
            else
                c->number[kept++] = c->number[k];
        }
        c->count = kept;
        if (dropped > 0 && vouch_lp_delete_rows(c->node, dropped, rows)) end = VIPR_MEMORY;
        if (dropped > 0 && end == VIPR_DONE) end = vipr_use_rows(c->proof, c->node, c->number);
    }
    mem_free(rows);
    mem_free(status);
    return end;
}

static vipr_end rounds(cutter *c)
{
    int stalls = 0;
    vipr_end end = relax(c, &c->first);
    c->last = c->first;
    for (int k = 0; k < MOST_ROUNDS && stalls < MOST_STALLS && end == VIPR_DONE; k++) {
        double value;
        end = separate(c);
        if (end == VIPR_DONE) end = relax(c, &value);
        if (end != VIPR_DONE) break;
        stalls = value - c->last <= STALL * fmax(value - c->first, STALL * (1 + fabs(value))) ? stalls + 1 : 0;
        c->last = value;
        end = drop_rows(c);
        if (end == VIPR_DONE) end = relax(c, &value);
    }
    return end == VIPR_OPEN ? VIPR_DONE : end;
}

vipr_end prove_cuts(vipr *proof, const vouch_lp *problem, vouch_lp *node, const deadline *limit)
{
    cutter c = {.proof = proof, .node = node, .limit = limit};
    vouch_lp_options_init(&c.options);
    c.options.presolve = 0;
    vipr_end end = start(&c, problem);
    if (end == VIPR_DONE) end = prove_bounds(proof, &c.model, node);
    if (end == VIPR_DONE) end = saturate_rows(&c);
    if (end == VIPR_DONE) end = rounds(&c);
    mip_model_free(&c.model);
    arena_free(&c.arrays);
    mem_free(c.number);
    return end;
}

vipr_end prove_without_cuts(vipr *proof, int rows, vouch_lp *node)
{
    int count = vouch_lp_rows(node) - rows, *row = MEM_NEW(int, count + 1);
    if (!row) return VIPR_MEMORY;
    for (int k = 0; k < count; k++) row[k] = rows + k;
    vipr_end end = vouch_lp_delete_rows(node, count, row) ? VIPR_MEMORY : vipr_use_rows(proof, node, NULL);
    vouch_lp_forget_basis(node);
    mem_free(row);
    return end;
}
