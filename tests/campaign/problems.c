/* tests/campaign/problems.c - see problems.h. */
#include "campaign/problems.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vouch/lp_io.h>

/* Of the largest part of an objective: what adding it up may cost. */
static const double ROUNDINGS = 4;

problem *problem_new(int m, int n)
{
    problem *p = calloc(1, sizeof *p);
    if (!p || m > ROWS_MOST || n > COLS_MOST) abort();
    p->m = m;
    p->n = n;
    for (int i = 0; i < m; i++) p->rl[i] = -INFINITY, p->ru[i] = INFINITY;
    for (int j = 0; j < n; j++) p->cu[j] = INFINITY;
    return p;
}

void problem_anchor(rng *r, problem *p)
{
    double x[COLS_MOST];
    for (int j = 0; j < p->n; j++) {
        double low = p->integer[j] ? p->least[j] : p->cl[j], high = p->integer[j] ? p->most[j] : p->cu[j];
        x[j] = fmin(fmax(draw(r, 7) - 2, low), high);
    }
    for (int i = 0; i < p->sos; i++)
        if (i > 0) x[p->set[i]] = 0;
    for (int i = 0; i < p->m; i++) {
        double activity = 0;
        for (int j = 0; j < p->n; j++) activity += p->a[i][j] * x[j];
        if (p->rl[i] == p->ru[i]) p->rl[i] = p->ru[i] = activity;
        p->rl[i] = fmin(p->rl[i], activity);
        p->ru[i] = fmax(p->ru[i], activity);
    }
}

vouch_lp_data problem_data(problem *p)
{
    int entries = 0;
    for (int j = 0; j < p->n; j++) {
        p->start[j] = entries;
        for (int i = 0; i < p->m; i++)
            if (p->a[i][j] != 0) p->index[entries] = i, p->value[entries++] = p->a[i][j];
    }
    p->start[p->n] = entries;
    return (vouch_lp_data){p->m, p->n, p->start, p->index, p->value, p->cost, p->offset, p->maximize, p->cl, p->cu, p->rl, p->ru};
}

vouch_lp *problem_lp(problem *p)
{
    vouch_lp *lp;
    vouch_error error;
    vouch_lp_data d = problem_data(p);
    if (vouch_lp_new(&lp) || vouch_lp_load(lp, &d, &error)) abort();
    for (int j = 0; j < p->n; j++)
        if (p->integer[j] && vouch_lp_set_integer(lp, j, 1)) abort();
    if (p->sos > 0 && vouch_lp_add_sos1(lp, p->sos, p->set, NULL)) abort();
    return lp;
}

double problem_size(const problem *p, const double *x)
{
    double size = 1;
    for (int j = 0; j < p->n; j++)
        if (p->cl[j] < p->cu[j]) size += fabs(p->cost[j] * x[j]);
    return size;
}

double problem_slack(const problem *p, const double *x, double part)
{
    double size = problem_size(p, x), constant = fabs(p->offset);
    for (int j = 0; j < p->n; j++)
        if (p->cl[j] == p->cu[j]) constant += fabs(p->cost[j] * x[j]);
    return part * size + ROUNDINGS * DBL_EPSILON * (size + constant);
}

void problem_write(const campaign *c, const vouch_lp *lp, const char *family, const char *options)
{
    char model[512];
    vouch_error error;
    const char *path = campaign_file(c, ".mps");
    if (!path || vouch_lp_write(lp, path, VOUCH_FORMAT_MPS_FREE, &error)) return;
    snprintf(model, sizeof model, "%s", path);
    FILE *f = fopen(campaign_file(c, ".txt"), "w");
    if (!f) return;
    fprintf(f, "%s: %s\nvouch lp --freemps %s%s\n", family, c->reason, model, options);
    fclose(f);
}
