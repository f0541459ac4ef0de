/* mip/rins.c - relaxation induced neighbourhood search: a small search where incumbent and relaxation agree.
 *
 * Integer columns with the same value in the incumbent and in the relaxation's point are fixed there; what is left, if small
 * enough, is presolved and searched for something better under a limit of nodes. Source: E. Danna, E. Rothberg, C. Le Pape,
 * Exploring relaxation induced neighborhoods to improve MIP solutions, Mathematical Programming 102 (2005).
 */
#include "mip/rins.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/presolve.h"
#include "mip/parallel.h"

static const double LEAST_FIXED = 0.5; /* part of the integer columns that must agree: else it is no small search */
enum { NODES = 100 };

typedef struct inner {
    mip_search *outer;
    const mip_presolved *reduced;
    double *x; /* owned: [n] of the outer model */
    bool found;
} inner;

static bool accept_inner(void *context, const double *x, double *value)
{
    inner *in = context;
    mip_search *s = in->outer;
    mip_presolved_expand(in->reduced, x, in->x);
    if (!s->owner->accept(s->owner->context, in->x, value)) return false;
    mip_search_adopt(s, in->x, *value);
    in->found = true;
    return true;
}

void heuristic_rins(mip_search *s, long long iteration_budget)
{
    const mip_model *p = s->model;
    CHECK(s->best.found);
    mip_model sub = {0};
    mip_presolved reduced = {0};
    mip_search t = {0};
    inner in = {.outer = s, .reduced = &reduced, .x = MEM_NEW(double, p->n)};
    int integers = 0, agreed = 0;
    if (!in.x || mip_model_copy(&sub, p) != VOUCH_OK) goto done;
    for (int j = 0; j < p->n; j++) {
        if (!p->integer[j]) continue;
        sub.lower[j] = s->dom.lower[j];
        sub.upper[j] = s->dom.upper[j];
        integers++;
        if (fabs(s->lp.x[j] - s->best.x[j]) > s->options->integrality_tol || s->best.x[j] < sub.lower[j] ||
            s->best.x[j] > sub.upper[j])
            continue;
        sub.lower[j] = sub.upper[j] = s->best.x[j];
        agreed++;
    }
    CHECK_COMPARE(agreed, <=, integers);
    if (agreed < LEAST_FIXED * integers || agreed == integers) goto done;
    if (mip_presolve(&reduced, &sub, true, s->clock) != VOUCH_OK || reduced.infeasible) goto done;

    vouch_mip_options o = *s->options;
    o.limits.nodes = NODES;
    o.log = (vouch_log){0};
    o.trace = NULL;
    o.cuts = 1;
    o.symmetry = 0; /* it would pay in larger trees only */
    deadline clock = *s->clock;
    clock.limits.iterations = iteration_budget;
    if (s->clock->limits.iterations > 0 && s->clock->limits.iterations - s->lp.relax.iterations < iteration_budget)
        clock.limits.iterations =
            s->clock->limits.iterations > s->lp.relax.iterations ? s->clock->limits.iterations - s->lp.relax.iterations : 1;
    mip_owner owner = {.context = &in, .accept = accept_inner};
    if (mip_search_init(&t, &reduced.model, &o, &clock, &owner) != VOUCH_OK) goto done;
    mip_search_require(&t, s->best.value, s->best.cutoff);
    (void)mip_tree_search(&t);
    s->lp.relax.iterations += t.lp.relax.iterations;
    s->heuristic_iterations += t.lp.relax.iterations;
    mip_search_free(&t);
done:
    mip_model_free(&sub);
    mip_presolved_free(&reduced);
    mem_free(in.x);
}
