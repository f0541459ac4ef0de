/* nlp/descent.c - sequential linear programming with a trust region, and exact programs over single groups.
 *
 * The step of nlp/step.c is accepted when the merit max f + penalty * shortfall, evaluated exactly, falls by a fair part of the
 * decrease of the linear model. The trust region grows when the fall is close to the model's and shrinks when it is far off (R.
 * Fletcher, E. Sainz de la Maza, Mathematical Programming 43, 1989: exact penalty function). The penalty is raised when the model
 * prefers to leave a shortfall that it could repair. Where such steps get no further, one program for each group follows, which is
 * exact because the functions are linear in one group: it needs no trust region and never makes the merit worse.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "nlp/minimax.h"

static const double ACCEPT = 0.1;     /* part of the promised fall that must be real */
static const double KEPT_WELL = 0.75; /* part above which the trust region grows */
static const double SHRINK = 0.35, GROW = 2.5;
static const double PENALTY_GROWTH = 10;

struct minimax_descent {
    arena memory; /* of the arrays, itself included */
    const minimax *p;
    minimax_step *step, *slice;
    double *y, *f, *g, *fy, *gy; /* y [n]; the others [K] */
    double *df, *dg;             /* [n * K] */
};

void minimax_options_init(minimax_options *options)
{
    *options = (minimax_options){
        .steps = 60,
        .rounds = 8,
        .radius = 0.5,
        .radius_least = 1e-7,
        .better = 1e-9,
        .penalty = 20,
        .penalty_most = 1e7,
        .feasible = 1e-10,
        .good_enough = -INFINITY,
    };
}

minimax_value minimax_measure(const minimax *p, const double f[], const double g[])
{
    minimax_value v = {-INFINITY, 0};
    for (int k = 0; k < p->K; k++) {
        v.most = fmax(v.most, f[k]);
        v.shortfall += fmax(0, p->target[k] - g[k]);
    }
    return v;
}

vouch_status minimax_descent_new(const minimax *p, minimax_descent **out)
{
    *out = NULL;
    arena a = {0};
    minimax_descent *d = ARENA_ZERO(&a, minimax_descent, 1);
    if (!d) return VOUCH_ERROR_MEMORY;
    size_t n = (size_t)p->n, K = (size_t)p->K;
    d->p = p;
    d->y = ARENA_NEW(&a, double, n);
    d->f = ARENA_NEW(&a, double, 4 * K);
    d->df = ARENA_NEW(&a, double, n *K);
    d->dg = ARENA_NEW(&a, double, n *K);
    d->memory = a;
    if (a.failed || minimax_step_new(p, &d->step) || minimax_step_new(p, &d->slice)) {
        minimax_descent_free(d);
        return VOUCH_ERROR_MEMORY;
    }
    d->g = d->f + K;
    d->fy = d->g + K;
    d->gy = d->fy + K;
    *out = d;
    return VOUCH_OK;
}

void minimax_descent_free(minimax_descent *d)
{
    if (!d) return;
    minimax_step_free(d->step);
    minimax_step_free(d->slice);
    arena_free(&d->memory);
}

long long minimax_descent_work(const minimax_descent *d) { return minimax_step_work(d->step) + minimax_step_work(d->slice); }

static double merit(minimax_value v, double penalty) { return v.most + penalty * v.shortfall; }

static void take(minimax_descent *d, double x[], minimax_value *value, minimax_value fresh)
{
    CHECK(isfinite(fresh.most) && fresh.shortfall >= 0);
    memcpy(x, d->y, (size_t)d->p->n * sizeof *x);
    memcpy(d->f, d->fy, 2 * (size_t)d->p->K * sizeof *d->f);
    *value = fresh;
}

static bool done(const minimax_options *o, minimax_value v)
{
    return (v.shortfall <= o->feasible && v.most <= o->good_enough) || deadline_expired(o->limit);
}

/* Steps from x until the trust region is small or nothing is promised. */
static vouch_status descend_steps(minimax_descent *d, const minimax_options *o, double x[], minimax_value *value, double *penalty)
{
    const minimax *p = d->p;
    double radius = o->radius;
    const minimax_point at = {x, d->f, d->g, d->df, d->dg};
    minimax_trial trial = {.y = d->y};
    bool stale = true; /* gradient not at x */
    for (int i = 0; i < o->steps && radius >= o->radius_least && !done(o, *value); i++) {
        bool ok;
        const minimax_move move = {0, p->blocks, radius, *penalty};
        if (stale) {
            p->evaluate(p->context, x, d->f, d->g);
            p->gradient(p->context, d->df, d->dg);
            stale = false;
        }
        vouch_status status = minimax_step_solve(d->step, &at, &move, o->limit, &ok, &trial);
        if (status) return status;
        if (!ok) {
            radius *= SHRINK;
            continue;
        }
        double before = merit(*value, *penalty), promised = before - trial.model;
        if (promised <= o->better * (1 + fabs(before))) {
            if (value->shortfall <= o->feasible || *penalty >= o->penalty_most) return VOUCH_OK;
            *penalty *= PENALTY_GROWTH; /* stationary for this price, and still short */
            continue;
        }
        p->evaluate(p->context, d->y, d->fy, d->gy);
        minimax_value fresh = minimax_measure(p, d->fy, d->gy);
        double real = before - merit(fresh, *penalty);
        if (real >= ACCEPT * promised) {
            take(d, x, value, fresh);
            stale = true;
            if (real >= KEPT_WELL * promised) radius = fmin(1, GROW * radius);
        } else {
            radius *= SHRINK;
        }
    }
    return VOUCH_OK;
}

/* One exact program for each group, from the last to the first. */
static vouch_status descend_groups(minimax_descent *d, const minimax_options *o, double x[], minimax_value *value, double penalty)
{
    const minimax *p = d->p;
    const minimax_point at = {x, d->f, d->g, d->df, d->dg};
    minimax_trial trial = {.y = d->y};
    for (int group = p->groups - 1; group >= 0 && !done(o, *value); group--) {
        bool ok;
        const minimax_move move = {p->group_start[group], p->group_start[group + 1], 1, penalty};
        if (p->group_start[group] == p->group_start[group + 1]) continue;
        p->evaluate(p->context, x, d->f, d->g);
        p->gradient(p->context, d->df, d->dg);
        vouch_status status = minimax_step_solve(d->slice, &at, &move, o->limit, &ok, &trial);
        if (status) return status;
        if (!ok) continue;
        p->evaluate(p->context, d->y, d->fy, d->gy);
        minimax_value fresh = minimax_measure(p, d->fy, d->gy);
        if (merit(fresh, penalty) < merit(*value, penalty)) take(d, x, value, fresh);
    }
    return VOUCH_OK;
}

vouch_status minimax_descend(minimax_descent *d, const minimax_options *o, double x[], minimax_value *value)
{
    const minimax *p = d->p;
    double penalty = o->penalty;
    vouch_status status = VOUCH_OK;
    minimax_step_forget(d->step);
    minimax_step_forget(d->slice);
    p->evaluate(p->context, x, d->f, d->g);
    *value = minimax_measure(p, d->f, d->g);
    for (int round = 0; round < o->rounds && !status && !done(o, *value); round++) {
        double start = merit(*value, penalty), was = penalty;
        status = descend_steps(d, o, x, value, &penalty);
        double middle = merit(*value, penalty);
        if (!status) status = descend_groups(d, o, x, value, penalty);
        double end = merit(*value, penalty);
        if (middle - end <= o->better * (1 + fabs(end)) &&
            (round > 0 || penalty == was || start - end <= o->better * (1 + fabs(end))))
            break;
    }
    return status;
}
