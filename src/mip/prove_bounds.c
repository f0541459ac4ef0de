/* mip/prove_bounds.c - bounds of columns that rows imply, before the search that writes a proof; see prove_cuts.h.
 *
 * Rows are gone through a few times: what a row says of a column is computed in doubles, and derived (exact/vipr_bound.c) where
 * it is worth a line: an integer column's bound, or one where there was none, since cuts and the bound of a relaxation need one.
 */
#include <math.h>

#include "mip/model.h"
#include "mip/prove_cuts.h"

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

vipr_end prove_bounds(vipr *proof, mip_model *model, vouch_lp *node)
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
