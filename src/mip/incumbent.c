/* mip/incumbent.c - the best point so far, what it closes, and the bound that holds meanwhile.
 *
 * A node is closed when its bound reaches the cutoff: the incumbent's objective less a rounding error or,
 * when all objectives are multiples of a known number apart, the next better value plus one.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mip/search.h"

/* A bound this close to the incumbent, relative to 1 + |incumbent|, differs from it by the rounding of a sum only, and
 * is printed as equal to it. [1e-15, 1e-12] */
#define SAME_VALUE 1e-14
/* Integer columns moved by more than this ask for the continuous ones again. */
#define ROUNDING 1e-9
/* Of a granular objective: a bound must pass the next possible value by this part of 1 + |value| to close a
 * node. */
#define GRANULARITY_TOLERANCE 1e-6

double mip_search_gap(const mip_search *s)
{
    return fmax(s->options->gap_absolute, s->options->gap_relative * fmax(1, fabs(s->best_value)));
}

double mip_search_bound(const mip_search *s)
{
    double bound = fmin(s->closed, node_queue_bound(&s->open));
    if (s->hot) bound = fmin(bound, s->hot->bound);
    if (s->unproved) bound = fmin(bound, s->root_value);
    if (!s->complete && !s->hot && s->open.count == 0 && !s->has_best) bound = s->root_value;
    if (s->has_best && s->granularity > 0 && bound >= s->cutoff) bound = s->best_value;
    if (s->has_best && bound >= s->best_value - SAME_VALUE * (1 + fabs(s->best_value))) bound = s->best_value;
    return fmin(bound, s->best_value);
}

void mip_search_adopt(mip_search *s, const double *x, double value)
{
    if (!(value < s->best_value)) return;
    MEM_COPY(s->best, x, s->model->n);
    s->has_best = true;
    s->best_value = value;
    s->cutoff = value - MIP_CUTOFF * (1 + fabs(value));
    if (s->granularity > 0) {
        double slack = fmin(0.1 * s->granularity, GRANULARITY_TOLERANCE * (1 + fabs(value)));
        s->cutoff = fmin(s->cutoff, value - s->granularity + slack);
    }
    s->dom.objective_bound = s->cutoff - s->model->offset;
    s->root_news = true;
    s->improved_at = s->nodes;
    s->closed = fmin(s->closed, node_queue_prune(&s->open, s->cutoff));
    s->next_report = 0;
}

void mip_search_require(mip_search *s, double value, double cutoff)
{
    s->best_value = value;
    s->cutoff = cutoff;
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

static bool has_continuous(const mip_model *p)
{
    for (int j = 0; j < p->n; j++)
        if (!p->integer[j]) return true;
    return false;
}

/* Optimises the continuous columns for the integer ones of s->point; when RELAX_OPTIMAL, the result replaces s->point. */
static relax_end complete_point(mip_search *s)
{
    const mip_model *p = s->model;
    packed_basis *basis = relax_basis(&s->relax);
    double *lower = MEM_NEW(double, 2 * (size_t)p->n);
    relax_end end = RELAX_STOPPED;
    if (basis && lower) {
        MEM_COPY(lower, s->relax.lower, p->n);
        MEM_COPY(lower + p->n, s->relax.upper, p->n);
        for (int j = 0; j < p->n; j++) {
            if (p->integer[j])
                relax_set_bound(&s->relax, j, s->point[j], s->point[j]);
            else
                relax_set_bound(&s->relax, j, p->lower[j], p->upper[j]);
        }
        end = relax_solve(&s->relax, s->cutoff, 0);
        if (end == RELAX_OPTIMAL) round_integers(s, s->relax.result.x);
        relax_set_bounds(&s->relax, lower, lower + p->n);
        relax_set_basis(&s->relax, basis);
    }
    packed_basis_free(basis);
    mem_free(lower);
    return end;
}

bool mip_search_offer(mip_search *s, const double *x)
{
    const mip_model *p = s->model;
    bool moved = round_integers(s, x) > ROUNDING;
    bool feasible = mip_model_feasible(p, s->point, 0);
    if (feasible && !(mip_model_objective(p, s->point) < s->best_value)) return false;
    if ((moved || !feasible) && has_continuous(p) && !s->stopped) {
        /* the continuous columns belong to the unrounded point and may promise a value that no point has */
        relax_end end = complete_point(s);
        if (end == RELAX_CUTOFF) return false;
        if (end == RELAX_OPTIMAL && mip_model_feasible(p, s->point, 0))
            feasible = true;
        else if (feasible)
            round_integers(s, x);
    }
    double value;
    if (!feasible || !(mip_model_objective(p, s->point) < s->best_value)) return false;
    if (!s->owner->accept(s->owner->context, s->point, &value) || !(value < s->best_value)) return false;
    mip_search_adopt(s, s->point, value);
    return true;
}
