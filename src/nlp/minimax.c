/* nlp/minimax.c - the linear program of one step.
 *
 *     min z + penalty * sum_k s_k
 *     z - sum_j df_k/dx_j d_j >= f_k                 every k
 *     s_k + sum_j dg_k/dx_j d_j >= target_k - g_k      every k
 *     sum of d over each moving block = 0,   max(-x_j, -radius) <= d_j <= min(1 - x_j, radius),   s >= 0
 *
 * A block in which every derivative is zero (a policy node that is not reached) stays where it is. Derivatives of one row may be
 * shifted by a constant over a block, since the block's moves sum to zero: the largest variable's entry is made zero, which leaves
 * small numbers small. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "nlp/minimax.h"

/* Feasibility and optimality of the program; far below what counts as a gain of the merit. */
static const double STEP_TOLERANCE = 1e-10;
enum { MOST_PIVOTS = 20 }; /* a row and column: a step that takes more is a failed one (functions of very different sizes) */

struct minimax_step {
    arena memory; /* of the arrays, itself included */
    const minimax *p;
    vouch_lp *lp;
    vouch_lp_options options;
    int64_t *start;
    int *index, *column; /* [entries], [n] variable of each column */
    double *value, *cost, *lower, *upper, *row_lower, *row_upper;
    unsigned char *row_status, *col_status;
    int last_rows, last_cols, last_first;
    long long work;
};

vouch_status minimax_step_new(const minimax *p, minimax_step **out)
{
    *out = NULL;
    arena a = {0};
    minimax_step *s = ARENA_ZERO(&a, minimax_step, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    size_t K = (size_t)p->K, cols = (size_t)p->n + 1 + K, rows = 2 * K + (size_t)p->blocks,
           entries = (size_t)p->n * (2 * K + 1) + 2 * K;
    s->p = p;
    s->start = ARENA_NEW(&a, int64_t, cols + 1);
    s->index = ARENA_NEW(&a, int, entries);
    s->value = ARENA_NEW(&a, double, entries);
    s->column = ARENA_NEW(&a, int, p->n);
    double **by_col[] = {&s->cost, &s->lower, &s->upper}, **by_row[] = {&s->row_lower, &s->row_upper};
    for (int i = 0; i < 3; i++) *by_col[i] = ARENA_NEW(&a, double, cols);
    for (int i = 0; i < 2; i++) *by_row[i] = ARENA_NEW(&a, double, rows);
    s->row_status = ARENA_NEW(&a, unsigned char, rows);
    s->col_status = ARENA_NEW(&a, unsigned char, cols);
    s->memory = a;
    s->last_rows = -1;
    vouch_lp_options_init(&s->options);
    s->options.presolve = 0;
    s->options.feasibility_tol = STEP_TOLERANCE;
    s->options.optimality_tol = STEP_TOLERANCE;
    if (a.failed || vouch_lp_new(&s->lp)) {
        minimax_step_free(s);
        return VOUCH_ERROR_MEMORY;
    }
    *out = s;
    return VOUCH_OK;
}

void minimax_step_free(minimax_step *s)
{
    if (!s) return;
    vouch_lp_free(s->lp);
    arena_free(&s->memory);
}

static void minimax_step_forget(minimax_step *s) { s->last_rows = -1; }

long long minimax_step_work(const minimax_step *s) { return s->work; }

static bool flat(const minimax *p, int block, const double df[], const double dg[])
{
    size_t first = (size_t)p->block_start[block] * (size_t)p->K, last = (size_t)p->block_start[block + 1] * (size_t)p->K;
    for (size_t i = first; i < last; i++)
        if (df[i] != 0 || dg[i] != 0) return false;
    return true;
}

static int heaviest(const double x[], int first, int last)
{
    int most = first;
    for (int j = first + 1; j < last; j++)
        if (x[j] > x[most]) most = j;
    return most;
}

/* Columns of the moving blocks, then z, then s. Returns the number of rows. */
static int write_program(minimax_step *s, const minimax_point *at, const minimax_move *move, int *cols)
{
    const minimax *p = s->p;
    const double *x = at->x;
    int K = p->K, rows = 2 * K, j = 0;
    int64_t e = 0;
    for (int k = 0; k < K; k++) {
        s->row_lower[k] = at->f[k];
        s->row_lower[K + k] = p->target[k] - at->g[k];
        s->row_upper[k] = s->row_upper[K + k] = INFINITY;
    }
    for (int b = move->first; b < move->last; b++) {
        bool still = flat(p, b, at->df, at->dg);
        size_t top = (size_t)heaviest(x, p->block_start[b], p->block_start[b + 1]) * (size_t)K;
        for (int v = p->block_start[b]; v < p->block_start[b + 1]; v++, j++) {
            s->start[j] = e;
            s->column[j] = v;
            s->cost[j] = 0;
            s->lower[j] = still ? 0 : fmax(-x[v], -move->radius);
            s->upper[j] = still ? 0 : fmin(1 - x[v], move->radius);
            for (int k = 0; k < 2 * K; k++) {
                const double *d = k < K ? at->df : at->dg;
                size_t i = (size_t)(k < K ? k : k - K);
                double entry = d[(size_t)v * (size_t)K + i] - d[top + i];
                if (entry == 0) continue;
                s->index[e] = k;
                s->value[e++] = k < K ? -entry : entry;
            }
            s->index[e] = rows;
            s->value[e++] = 1;
        }
        s->row_lower[rows] = s->row_upper[rows] = 0;
        rows++;
    }
    s->start[j] = e; /* z */
    for (int k = 0; k < K; k++) {
        s->index[e] = k;
        s->value[e++] = 1;
    }
    s->cost[j] = 1;
    s->lower[j] = -INFINITY;
    s->upper[j++] = INFINITY;
    for (int k = 0; k < K; k++, j++) {
        s->start[j] = e;
        s->index[e] = K + k;
        s->value[e++] = 1;
        s->cost[j] = move->penalty;
        s->lower[j] = 0;
        s->upper[j] = INFINITY;
    }
    s->start[j] = e;
    *cols = j;
    return rows;
}

vouch_status minimax_step_solve(minimax_step *s, const minimax_point *at, const minimax_move *move, const deadline *limit, bool *ok,
                                minimax_trial *trial)
{
    const minimax *p = s->p;
    CHECK(move->first >= 0 && move->first < move->last && move->last <= p->blocks);
    CHECK(move->radius > 0 && move->penalty >= 0);
    int cols, rows = write_program(s, at, move, &cols), moving = cols - 1 - p->K;
    CHECK_COMPARE(moving, ==, p->block_start[move->last] - p->block_start[move->first]);
    vouch_lp_data data = {.rows = rows,
                          .cols = cols,
                          .start = s->start,
                          .index = s->index,
                          .value = s->value,
                          .cost = s->cost,
                          .col_lower = s->lower,
                          .col_upper = s->upper,
                          .row_lower = s->row_lower,
                          .row_upper = s->row_upper};
    bool warm = s->last_rows == rows && s->last_cols == cols && s->last_first == move->first;
    *ok = false;
    if (warm) vouch_lp_get_basis(s->lp, s->row_status, s->col_status);
    vouch_status status = vouch_lp_load(s->lp, &data, NULL);
    if (!status && warm) status = vouch_lp_set_basis(s->lp, s->row_status, s->col_status);
    s->options.limits = deadline_time_left(limit);
    s->options.limits.iterations = MOST_PIVOTS * ((long long)rows + cols);
    if (!status) status = vouch_lp_solve(s->lp, &s->options);
    if (status) return status;
    vouch_lp_result result;
    vouch_lp_get_result(s->lp, &result);
    s->work += result.iterations;
    s->last_rows = result.outcome == VOUCH_LP_OPTIMAL ? rows : -1;
    s->last_cols = cols;
    s->last_first = move->first;
    if (result.outcome != VOUCH_LP_OPTIMAL) return VOUCH_OK;
    *ok = true;
    trial->model = result.objective;
    trial->missing = 0;
    for (int k = 0; k < p->K; k++) trial->missing += fmax(0, result.x[moving + 1 + k]);
    memcpy(trial->y, at->x, (size_t)p->n * sizeof *trial->y);
    for (int j = 0; j < moving; j++) trial->y[s->column[j]] += result.x[j];
    /* y back onto its simplices: tiny negatives to zero, sums to one. */
    for (int b = move->first; b < move->last; b++) {
        double sum = 0;
        for (int v = p->block_start[b]; v < p->block_start[b + 1]; v++) {
            if (!(trial->y[v] > STEP_TOLERANCE)) trial->y[v] = 0;
            sum += trial->y[v];
        }
        CHECK_COMPARE(sum, >, 0.5); /* a step keeps the sum but for rounding */
        for (int v = p->block_start[b]; v < p->block_start[b + 1]; v++) trial->y[v] /= sum;
    }
    return VOUCH_OK;
}

/* ---- sequential linear programming with a trust region, and exact programs over single groups -----------------------------------
 *
 * The step of nlp/minimax.c is accepted when the merit max f + penalty * shortfall, evaluated exactly, falls by a fair part of the
 * decrease of the linear model. The trust region grows when the fall is close to the model's and shrinks when it is far off (R.
 * Fletcher, E. Sainz de la Maza, Mathematical Programming 43, 1989: exact penalty function). The penalty is raised when the model
 * prefers to leave a shortfall that it could repair. Where such steps get no further, one program for each group follows, which is
 * exact because the functions are linear in one group: it needs no trust region and never makes the merit worse. */

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
