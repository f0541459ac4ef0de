/* mip/fix.c - fixing by reduced costs.
 *
 * A column nonbasic at its lower bound l with reduced cost d > 0 in a relaxation of value z: moving it t up costs d t at least,
 *     x <= l + floor((cutoff - z) / d)     if integer,
 * and the mirror image at an upper bound. Source: H. Crowder, E. L. Johnson, M. Padberg, Solving large-scale zero-one linear
 * programming problems, Operations Research 31 (1983). Cost O(n), and what propagation follows.
 */
#include "mip/fix.h"

#include <math.h>

#include "base/check.h"

bool fix_by_root_costs(mip_search *s)
{
    CHECK_COMPARE(s->dom.trail, ==, 0);
    s->root.news = false;
    if (!s->root.solved || !s->best.found) return true;
    double gap = s->best.cutoff - s->root.value;
    bool alive = true;
    for (int j = 0; j < s->model->n && alive; j++) {
        double d = s->root.reduced[j];
        if (!s->model->integer[j] || fabs(d) < LEAST_REDUCED_COST) continue;
        double steps = floor(gap / fabs(d) + STEP_SLACK);
        if (d > 0 && s->root.x[j] <= s->model->lower[j] + AT_BOUND)
            alive = domain_set_upper(&s->dom, j, s->model->lower[j] + steps);
        if (d < 0 && s->root.x[j] >= s->model->upper[j] - AT_BOUND)
            alive = domain_set_lower(&s->dom, j, s->model->upper[j] - steps);
    }
    alive = alive && domain_propagate(&s->dom);
    s->dom.trail = 0; /* from now on this holds everywhere */
    return alive;
}

bool fix_by_costs(mip_search *s, int *fixed)
{
    double gap = s->best.cutoff - s->lp.value;
    *fixed = 0;
    if (!(gap < INFINITY)) return true;
    for (int j = 0; j < s->model->n; j++) {
        double d = s->lp.reduced[j], lower = s->dom.lower[j], upper = s->dom.upper[j];
        if (!s->model->integer[j] || fabs(d) < LEAST_REDUCED_COST || lower == upper) continue;
        double steps = floor(gap / fabs(d) + STEP_SLACK);
        if (steps >= upper - lower) continue;
        bool alive = true;
        if (d > 0 && s->lp.x[j] <= lower + AT_BOUND) alive = domain_set_upper(&s->dom, j, lower + steps), ++*fixed;
        if (d < 0 && s->lp.x[j] >= upper - AT_BOUND) alive = domain_set_lower(&s->dom, j, upper - steps), ++*fixed;
        if (!alive) return false;
    }
    return *fixed == 0 || domain_propagate(&s->dom);
}

bool fix_moved_point(const mip_search *s)
{
    for (int k = 0; k < s->lp.fractions; k++) {
        int j = s->lp.fractional[k];
        if (s->lp.x[j] < s->dom.lower[j] || s->lp.x[j] > s->dom.upper[j]) return true;
    }
    return false;
}
