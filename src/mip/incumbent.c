/* mip/incumbent.c - the best point so far, what it closes, and the bound that holds meanwhile.
 *
 * A node is closed when its bound reaches the cutoff: the incumbent's objective less a rounding error or,
 * when all objectives are multiples of a known number apart, the next better value plus one.
 */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/search.h"

/* What the incumbent's value is measured by: less what presolve added to all points alike. */
static double size_of(const mip_search *s, double value) { return fabs(value - s->model->offset); }

double mip_search_gap(const mip_search *s)
{
    return fmax(s->options->gap_absolute, s->options->gap_relative * fmax(1, size_of(s, s->best.value)));
}

double mip_search_bound(const mip_search *s)
{
    double bound = fmin(fmin(s->tree.closed, s->tree.elsewhere), node_queue_bound(&s->tree.open));
    if (s->tree.hot) bound = fmin(bound, s->tree.hot->bound);
    if (s->end.unproved) bound = fmin(bound, s->root.value);
    if (!s->end.complete && !s->tree.hot && s->tree.open.nodes.count == 0 && !s->best.found) bound = s->root.value;
    if (s->best.found && s->best.granularity > 0 && bound >= s->best.cutoff) bound = s->best.value;
    if (s->best.found && bound >= s->best.value - MIP_SAME_VALUE * (1 + fabs(s->best.value))) bound = s->best.value;
    CHECK(!isnan(bound));
    return fmin(bound, s->best.value);
}

/* The incumbent is a point of the model and is worth what is said of it, as far as the tolerances of a reduced model go. */
static void incumbent_check(const mip_search *s)
{
#ifdef VOUCH_DEBUG
    const mip_model *p = s->model;
    for (int j = 0; j < p->n; j++) {
        CHECK(isfinite(s->best.x[j]));
        if (p->integer[j]) CHECK_COMPARE(fabs(s->best.x[j] - round(s->best.x[j])), <=, s->options->integrality_tol);
    }
#else
    (void)s;
#endif
}

/* The largest objective below `value` that points can have. value may lie between two of them: the incumbent need not be a point of
 * the reduced model, whose nearest is x. Less than slack apart is the same. */
static double next_better(const mip_search *s, const double *x, double value, double slack)
{
    double step = s->best.granularity, above = value - mip_model_objective(s->model, x);
    above -= step * floor(above / step);
    return value - (above > slack ? above : step);
}

void mip_search_adopt(mip_search *s, const double *x, double value)
{
    if (!(value < s->best.value)) return;
    MEM_COPY(s->best.x, x, s->model->n);
    s->best.found = true;
    s->best.value = value;
    incumbent_check(s);
    s->best.cutoff = value - MIP_CUTOFF * (1 + size_of(s, value));
    if (s->best.granularity > 0) {
        double slack = fmin(0.1 * s->best.granularity, MIP_GRANULARITY * (1 + size_of(s, value)));
        s->best.cutoff = fmin(s->best.cutoff, next_better(s, x, value, slack) + slack);
    }
    CHECK_COMPARE(s->best.cutoff, <=, s->best.value);
    s->dom.objective_bound = s->best.cutoff - s->model->offset;
    s->root.news = true;
    s->tree.closed = fmin(s->tree.closed, node_queue_prune(&s->tree.open, s->best.cutoff));
    s->tree.next_report = 0;
}

void mip_search_require(mip_search *s, double value, double cutoff)
{
    s->best.value = value;
    s->best.cutoff = cutoff;
    s->dom.objective_bound = cutoff - s->model->offset;
}

/* The integer columns of x rounded; how far the furthest of them moved. */
static double round_integers(mip_search *s, const double *x)
{
    const mip_model *p = s->model;
    double furthest = 0;
    for (int j = 0; j < p->n; j++) {
        s->point[j] = p->integer[j] ? round(x[j]) : x[j];
        furthest = fmax(furthest, fabs(s->point[j] - x[j]));
    }
    return furthest;
}

/* Optimises the continuous columns for the integer ones of s->point; when RELAX_OPTIMAL, the result replaces s->point. */
static relax_end complete_point(mip_search *s)
{
    const mip_model *p = s->model;
    packed_basis *basis = relax_basis(&s->lp.relax);
    double *lower = MEM_NEW(double, 2 * (size_t)p->n);
    relax_end end = RELAX_STOPPED;
    if (basis && lower) {
        MEM_COPY(lower, s->lp.relax.lower, p->n);
        MEM_COPY(lower + p->n, s->lp.relax.upper, p->n);
        for (int j = 0; j < p->n; j++) {
            if (p->integer[j])
                relax_set_bound(&s->lp.relax, j, s->point[j], s->point[j]);
            else
                relax_set_bound(&s->lp.relax, j, p->lower[j], p->upper[j]);
        }
        end = relax_solve(&s->lp.relax, s->best.cutoff, 0);
        if (end == RELAX_OPTIMAL) round_integers(s, s->lp.relax.result.x);
        relax_set_bounds(&s->lp.relax, lower, lower + p->n);
        relax_set_basis(&s->lp.relax, basis);
    }
    packed_basis_free(basis);
    mem_free(lower);
    return end;
}

bool mip_search_offer(mip_search *s, const double *x)
{
    const mip_model *p = s->model;
    bool moved = round_integers(s, x) > MIP_MOVED;
    bool feasible = mip_model_feasible(p, s->point, 0);
    if (feasible && !(mip_model_objective(p, s->point) < s->best.value)) return false;
    if ((moved || !feasible) && mip_model_has_continuous(p) && !s->end.stopped) {
        /* the continuous columns belong to the unrounded point and may promise a value that no point has */
        relax_end end = complete_point(s);
        if (end == RELAX_CUTOFF) return false;
        if (end == RELAX_OPTIMAL && mip_model_feasible(p, s->point, 0))
            feasible = true;
        else if (feasible)
            round_integers(s, x);
    }
    double value;
    if (!feasible || !(mip_model_objective(p, s->point) < s->best.value)) return false;
    if (!s->owner->accept(s->owner->context, s->point, &value) || !(value < s->best.value)) return false;
    mip_search_adopt(s, s->point, value);
    return true;
}
