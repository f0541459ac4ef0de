/* mip/cut_mir.c - mixed-integer rounding of single rows and of sums of a few.
 *
 * A row is rounded as it is; when that gives nothing, the continuous column furthest from its bounds is eliminated with another
 * row that contains it, and the sum is tried again. Source: Marchand and Wolsey as in mir.c, section 5 (path of aggregations).
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/scene.h"

enum { MOST_SUMS = 5 };

/* Distance of a continuous column from its nearest bound, variable bounds included. */
static double slackness(const cut_scene *c, int j)
{
    double x = c->x[j], gap = fmin(x - c->lower[j], c->upper[j] - x);
    if (c->above[j].z >= 0) gap = fmin(gap, c->above[j].factor * c->x[c->above[j].z] + c->above[j].constant - x);
    if (c->below[j].z >= 0) gap = fmin(gap, x - c->below[j].factor * c->x[c->below[j].z] - c->below[j].constant);
    return gap;
}

static int near_side(const cut_scene *c, int i)
{
    return c->row_upper[i] - c->activity[i] <= c->activity[i] - c->row_lower[i] ? 1 : -1;
}

/* The other row with column j that is nearest to being tight; -1: none. Rows are looked up in the relaxation's columns. */
static int partner(const cut_scene *c, const vouch_lp_data *d, int j, const bool *used, double *coefficient)
{
    int best = -1;
    double least = INFINITY;
    for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) {
        int i = d->index[k];
        if (used[i] || fabs(d->value[k]) < LEAST_ELIMINATION) continue;
        double slack = fmin(c->row_upper[i] - c->activity[i], c->activity[i] - c->row_lower[i]);
        double length = (double)(c->start[i + 1] - c->start[i]);
        double score = slack / (1 + fabs(c->activity[i])) + LENGTH_PRICE * length;
        if (score < least && slack <= NEARLY_TIGHT * (1 + fabs(c->activity[i])))
            least = score, best = i, *coefficient = d->value[k];
    }
    return best;
}

static void try_row(cut_scene *c, const vouch_lp_data *d, aggregate *sum, bool *used, int row, double sign)
{
    int list[MOST_SUMS + 1], count = 0;
    aggregate_clear(sum);
    aggregate_add(sum, c, row, sign, near_side(c, row));
    used[row] = true;
    list[count++] = row;
    for (int depth = 0;; depth++) {
        if (mir_separate(c, sum, false) || depth == MOST_SUMS) break;
        int eliminate = -1;
        double most = LEAST_SLACKNESS;
        for (int k = 0; k < sum->col_count; k++) {
            int j = sum->cols[k];
            if (c->model->integer[j] || fabs(sum->col[j]) < SUM_ZERO) continue;
            double gap = slackness(c, j);
            if (gap > most) most = gap, eliminate = j;
        }
        if (eliminate < 0) break;
        double coefficient = 0;
        int other = partner(c, d, eliminate, used, &coefficient);
        if (other < 0) break;
        CHECK(!used[other] && count <= MOST_SUMS);
        aggregate_add(sum, c, other, -sum->col[eliminate] / coefficient, near_side(c, other));
        sum->col[eliminate] = 0;
        used[other] = true;
        list[count++] = other;
    }
    for (int k = 0; k < count; k++) used[list[k]] = false;
}

void separate_mir(cut_scene *c)
{
    aggregate sum;
    vouch_lp_data d;
    bool *used = MEM_ZERO(bool, c->m);
    vouch_lp_view(c->lp, &d);
    if (!used || aggregate_init(&sum, c) != VOUCH_OK) goto done;
    for (int i = 0; i < c->model->m; i++) { /* own rows only: sums of cuts gain little and are dense */
        if (isinf(c->row_lower[i]) && isinf(c->row_upper[i])) continue;
        double slack = fmin(c->row_upper[i] - c->activity[i], c->activity[i] - c->row_lower[i]);
        if (slack > NEARLY_TIGHT * (1 + fabs(c->activity[i]))) continue;
        try_row(c, &d, &sum, used, i, 1);
        try_row(c, &d, &sum, used, i, -1);
    }
done:
    mem_free(used);
}
