/* tests/oracle/worlds.c - see worlds.h. */
#include "oracle/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/exact_lp.h"

enum { HERE = 64 }; /* most reached places of a time */

typedef struct layer {
    int count, place[HERE];
    double mass[HERE][WORLD_K];
} layer;

typedef struct search {
    const world *w;
    int L, most;
    layer at[WORLD_T + 1];
    double u[WORLD_K];
    world_tree *t;
    bool full;
} search;

static int place_number(search *s, world_place p)
{
    world_tree *t = s->t;
    for (int i = 0; i < t->places; i++)
        if (t->place[i].t == p.t && t->place[i].s == p.s && t->place[i].boundary == p.boundary && t->place[i].known == p.known)
            return i;
    t->place = realloc(t->place, ((size_t)t->places + 1) * sizeof *t->place);
    if (!t->place) abort();
    t->place[t->places] = p;
    return t->places++;
}

/* Environment k comes from a place with this mass to state `next`. */
static void arrive(search *s, int from, int action, int k, int next, double mass)
{
    const world *w = s->w;
    const world_place p = s->t->place[from];
    world_place to = {p.t + 1, next, p.t < s->L ? -1 : p.t == s->L ? from : p.boundary, p.known};
    layer *y = &s->at[to.t];
    int i = 0;
    for (int j = 0; j < w->K && p.t < s->L; j++)
        if (w->prob[j][p.s][action][next] == 0 || (!w->unseen && w->pay[j][p.s][action][next] != w->pay[k][p.s][action][next]))
            to.known &= ~(1u << j);
    int n = place_number(s, to);
    while (i < y->count && y->place[i] != n) i++;
    if (i == HERE) abort();
    if (i == y->count) {
        memset(y->mass[i], 0, sizeof y->mass[i]);
        y->place[y->count++] = n;
    }
    y->mass[i][k] += mass;
}

/* Takes this action at place i of time t with probability `part`. */
static void act(search *s, int t, int i, int action, double part)
{
    const world *w = s->w;
    const layer *x = &s->at[t];
    int state = s->t->place[x->place[i]].s;
    for (int k = 0; k < w->K; k++)
        for (int next = 0; next < w->S && x->mass[i][k] > 0; next++) {
            double mass = x->mass[i][k] * part * w->prob[k][state][action][next];
            if (mass == 0) continue;
            s->u[k] += mass * w->pay[k][state][action][next];
            arrive(s, x->place[i], action, k, next, mass);
        }
}

static int new_case(search *s, int parent, int action)
{
    world_tree *t = s->t;
    if (t->cases == s->most) {
        s->full = true;
        return 0;
    }
    world_case c = {.parent = parent, .action = action, .place = -1};
    t->item[t->cases] = c;
    if (parent >= 0) t->item[parent].child[action] = t->cases;
    return t->cases++;
}

static void begin(search *s, unsigned of)
{
    s->at[0].count = 1;
    s->at[0].place[0] = place_number(s, (world_place){0, 0, -1, (1u << s->w->K) - 1});
    for (int k = 0; k < s->w->K; k++) s->at[0].mass[0][k] = of >> k & 1;
}

/* The figures at the end. */
static void gained(const search *s, world_gain *g)
{
    const world *w = s->w;
    memcpy(g->u, s->u, sizeof g->u);
    memset(g->pr, 0, sizeof g->pr);
    for (int n = 0; n < s->at[w->T].count; n++)
        for (int j = 0; j < w->J; j++)
            for (int k = 0; k < w->K; k++)
                g->pr[j][k] += w->kept[j][k][s->t->place[s->at[w->T].place[n]].s] ? s->at[w->T].mass[n][k] : 0;
}

static void decide(search *s, int c, int t, int i)
{
    const world *w = s->w;
    while (t < w->T && i == s->at[t].count) {
        t++;
        i = 0;
    }
    if (s->full) return;
    if (t == w->T) {
        gained(s, &s->t->item[c].gain);
        return;
    }
    search *saved = malloc(sizeof *saved);
    if (!saved) abort();
    *saved = *s;
    s->t->item[c].place = s->at[t].place[i];
    for (int a = 0; a < w->A && !s->full; a++) {
        memcpy(s->at, saved->at, sizeof s->at);
        memcpy(s->u, saved->u, sizeof s->u);
        int child = new_case(s, c, a);
        act(s, t, i, a, 1);
        decide(s, child, t, i + 1);
    }
    memcpy(s->at, saved->at, sizeof s->at);
    free(saved);
}

bool world_tree_make(const world *w, int L, unsigned of, int most, world_tree *t)
{
    search *s = calloc(1, sizeof *s);
    *t = (world_tree){.item = calloc((size_t)most, sizeof *t->item)};
    if (!s || !t->item) abort();
    *s = (search){.w = w, .L = L, .most = most, .t = t};
    begin(s, of);
    decide(s, new_case(s, -1, 0), 0, 0);
    bool whole = !s->full;
    free(s);
    if (!whole) world_tree_free(t);
    return whole;
}

void world_tree_free(world_tree *t)
{
    free(t->place);
    free(t->item);
    *t = (world_tree){0};
}

/* ---- with coins ---- */

int world_follow(const world *w, int L, const world_tree *t, double (*const chance)[WORLD_A], world_gain *g)
{
    world_tree known = *t; /* it has all reachable places */
    search *s = calloc(1, sizeof *s);
    int undecided = -1;
    if (!s) abort();
    *s = (search){.w = w, .L = L, .t = &known};
    begin(s, (1u << w->K) - 1);
    for (int time = 0; time < w->T && undecided < 0; time++)
        for (int i = 0; i < s->at[time].count && undecided < 0; i++) {
            const double *here = chance[s->at[time].place[i]];
            double sum = 0;
            for (int a = 0; a < w->A; a++) sum += here[a];
            if (sum == 0) undecided = s->at[time].place[i];
            for (int a = 0; a < w->A; a++)
                if (here[a] > 0) act(s, time, i, a, here[a]);
        }
    if (undecided < 0) gained(s, g);
    if (known.places != t->places) abort();
    free(s);
    return undecided;
}

enum { ROWS = WORLD_K * (WORLD_J + 1) + 1 };

/* One column for each policy of the tree, in rows that `fill` writes, the last for their sum; and one more, z. */
typedef struct mixture {
    int rows, cols;
    int64_t *start;
    int *index;
    double *value, *cost, *low, *high, row_low[ROWS], row_high[ROWS];
} mixture;

static void mixture_open(mixture *x, int rows, int most)
{
    size_t n = (size_t)most + 1;
    *x = (mixture){.rows = rows,
                   .start = calloc(n + 1, sizeof(int64_t)),
                   .index = calloc(n * ROWS, sizeof(int)),
                   .value = calloc(n * ROWS, sizeof(double)),
                   .cost = calloc(n, sizeof(double)),
                   .low = calloc(n, sizeof(double)),
                   .high = calloc(n, sizeof(double))};
    if (!x->start || !x->index || !x->value || !x->cost || !x->low || !x->high) abort();
    for (int r = 0; r < rows; r++) x->row_low[r] = r + 1 < rows ? -INFINITY : 1;
    for (int r = 0; r < rows; r++) x->row_high[r] = r + 1 < rows ? INFINITY : 1;
}

static void mixture_add(mixture *x, const double entry[], double cost, double low)
{
    size_t at = (size_t)x->start[x->cols];
    for (int r = 0; r < x->rows; r++, at++) {
        x->index[at] = r;
        x->value[at] = entry[r];
    }
    x->cost[x->cols] = cost;
    x->low[x->cols] = low;
    x->high[x->cols++] = INFINITY;
    x->start[x->cols] = (int64_t)at;
}

/* The least cost; NAN: nothing is feasible. */
static double mixture_close(mixture *x)
{
    double least = NAN;
    vouch_lp_data d = {.rows = x->rows,
                       .cols = x->cols,
                       .start = x->start,
                       .index = x->index,
                       .value = x->value,
                       .cost = x->cost,
                       .col_lower = x->low,
                       .col_upper = x->high,
                       .row_lower = x->row_low,
                       .row_upper = x->row_high};
    if (exact_lp_solve(&d, NULL, &least) != EXACT_OPTIMAL) least = NAN;
    free(x->start);
    free(x->index);
    free(x->value);
    free(x->cost);
    free(x->low);
    free(x->high);
    return least;
}

double world_optimum(const world *w, int k, double less)
{
    enum { MOST = 1500 };
    world_tree t;
    mixture x;
    double entry[ROWS];
    if (!world_tree_make(w, 0, 1u << k, MOST, &t)) return INFINITY;
    mixture_open(&x, w->J + 1, t.cases);
    for (int j = 0; j < w->J; j++) x.row_low[j] = w->average[j] ? -less : w->p[j][k] - less;
    for (int c = 0; c < t.cases; c++) {
        if (t.item[c].place >= 0) continue;
        for (int j = 0; j < w->J; j++) entry[j] = t.item[c].gain.pr[j][k];
        entry[w->J] = 1;
        mixture_add(&x, entry, -t.item[c].gain.u[k], 0);
    }
    world_tree_free(&t);
    return -mixture_close(&x);
}

static double mean_of(const world *w, const world_gain *gain, int j)
{
    double mean = 0, sum = 0;
    for (int k = 0; k < w->K; k++) mean += w->prior[k] * gain->pr[j][k];
    for (int k = 0; k < w->K; k++) sum += w->prior[k];
    return mean / sum;
}

double world_mixed(const world *w, const world_tree *t, const double optimum[], const double weight[])
{
    mixture x;
    double entry[ROWS] = {0};
    int K = w->K, rows = K * (w->J + 1) + 1;
    mixture_open(&x, rows, t->cases);
    for (int k = 0; k < K; k++) x.row_low[k] = optimum[k];
    for (int i = 0; i < K * w->J; i++) x.row_low[K + i] = w->average[i / K] && i % K > 0 ? 0 : w->p[i / K][i % K];
    for (int c = 0; c < t->cases; c++) {
        double cost = 0;
        if (t->item[c].place >= 0) continue;
        for (int k = 0; k < K; k++) entry[k] = t->item[c].gain.u[k];
        for (int k = 0; k < K && weight; k++) cost += weight[k] * (optimum[k] - entry[k]);
        for (int i = 0; i < K * w->J; i++) /* the first row of a promise on average is its mean */
            entry[K + i] = w->average[i / K] && i % K == 0 ? mean_of(w, &t->item[c].gain, i / K) : t->item[c].gain.pr[i / K][i % K];
        entry[rows - 1] = 1;
        mixture_add(&x, entry, cost, 0);
    }
    for (int r = 0; r < rows; r++) entry[r] = r < K; /* U(k) + z >= optimum[k] */
    mixture_add(&x, entry, weight == 0, -INFINITY);
    double least = mixture_close(&x);
    return isnan(least) ? INFINITY : least;
}

double world_misses(const world *w, const world_gain *gain, int k)
{
    double most = 0;
    for (int j = 0; j < w->J; j++)
        if (!w->average[j]) most = fmax(most, w->p[j][k] - gain->pr[j][k]);
    return most;
}

double world_misses_means(const world *w, const world_gain *gain)
{
    double most = 0;
    for (int j = 0; j < w->J; j++)
        if (w->average[j]) most = fmax(most, w->p[j][0] - mean_of(w, gain, j));
    return most;
}
