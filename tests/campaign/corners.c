/* tests/campaign/corners.c - see corners.h. */
#include "campaign/corners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const corner_forgery_names[CORNER_FORGERIES] = {"corners", "weigh", "corners"};

enum { LEAVES = 150, CORNERS = 12, STEPS = 80, ROWS = WORLD_K * WORLD_J };

/* How multipliers and corners are forged. */
enum { NEVER_FIXED, OTHERS_AT_LEAVES, WEIGHED_AGAIN, WEIGHED_LAST, NO_MEAN, EMPTY_LEAVES, WEIGH_WAYS };
enum { LEFT_OUT, COPIED, MOVED_INWARDS, OTHER_NODE, CORNER_WAYS };

typedef double distribution[WORLD_A];

typedef struct draft {
    const truth *x;
    corner_forgery how;
    int way, subject;
    double bound;
    rng *r;
    FILE *out;
    forge_names names;
    distribution *chance, *low, *high; /* [places] decided so far, 0: not yet; ends of the box */
    double lambda[WORLD_K], mu[ROWS];
    int cases, leaves;
    bool large; /* it is not to be written: more than LEAVES somewhere, or nothing false is said */
} draft;

/* ---- truth ---- */

/* Lagrangian value of a policy for the fixed multipliers. */
static double lagrangian(const draft *d, const world_gain *g)
{
    const truth *x = d->x;
    double sum = 0;
    for (int k = 0; k < x->w.K; k++) {
        sum += d->lambda[k] * ((d->subject == SUBJECT_REGRET ? x->high[k] : 0) - g->u[k]);
        for (int j = 0; j < x->w.J; j++) sum += d->mu[k * x->w.J + j] * (x->w.p[j][k] - FORGE_ROUNDING - g->pr[j][k]);
    }
    return sum;
}

/* One of the places where something is decided. */
static int some_place(const draft *d)
{
    int place;
    do place = draw(d->r, d->x->tree.places);
    while (d->x->tree.place[place].t == d->x->w.T);
    return place;
}

static int follow(const draft *d, world_gain *g) { return world_follow(&d->x->w, d->x->L, &d->x->tree, d->chance, g); }

/* All options but one are at an end of the box, that one has the rest. */
static int corners_of(const draft *d, int place, distribution point[CORNERS])
{
    const double *low = d->low[place], *high = d->high[place];
    int A = d->x->w.A, count = 0;
    for (int loose = 0; loose < A; loose++)
        for (unsigned bits = 0; bits < 1u << A; bits++) {
            distribution x = {0};
            double rest = 1;
            bool known = bits >> loose & 1;
            for (int a = 0; a < A; a++) {
                if (a != loose) x[a] = (bits >> a & 1 ? high : low)[a];
                rest -= x[a];
            }
            x[loose] = rest;
            if (rest < low[loose] || rest > high[loose]) continue;
            for (int i = 0; i < count; i++) known = known || memcmp(point[i], x, sizeof x) == 0;
            if (!known) memcpy(point[count++], x, sizeof x);
        }
    return count;
}

/* The least of the Lagrangian at all that the corners from here on lead to. */
static double least_below(draft *d)
{
    world_gain g;
    distribution point[CORNERS];
    double least = INFINITY;
    int place = follow(d, &g);
    if (place < 0) {
        d->leaves++;
        return lagrangian(d, &g);
    }
    int count = corners_of(d, place, point);
    for (int i = 0; i < count && d->leaves <= LEAVES; i++) {
        memcpy(d->chance[place], point[i], sizeof point[i]);
        least = fmin(least, least_below(d));
    }
    memset(d->chance[place], 0, sizeof d->chance[place]);
    return least;
}

/* The score of a policy with coins that is no worse than the best one without, from which it is sought. */
static double coin_score(draft *d, int item)
{
    const truth *x = d->x;
    world_gain g;
    double best = INFINITY;
    for (int p = 0; p < x->tree.places; p++) d->chance[p][draw(d->r, x->w.A)] = 1;
    for (const world_case *all = x->tree.item; item > 0; item = all[item].parent) {
        memset(d->chance[all[all[item].parent].place], 0, sizeof(distribution));
        d->chance[all[all[item].parent].place][all[item].action] = 1;
    }
    for (int step = 0; step < STEPS; step++) {
        double *at = d->chance[draw(d->r, x->tree.places)];
        distribution before;
        memcpy(before, at, sizeof before);
        int from = draw(d->r, x->w.A), to = draw(d->r, x->w.A);
        double part = step == 0 ? 0 : at[from] * 0.125 * (1 + draw(d->r, 8));
        at[from] -= part;
        at[to] += part;
        (void)follow(d, &g);
        double score = forge_score(x, d->subject, &g, x->high, ~0u);
        if (score < best)
            best = score;
        else
            memcpy(at, before, sizeof before);
    }
    memset(d->chance, 0, (size_t)x->tree.places * sizeof *d->chance);
    return best;
}

/* ---- lines ---- */

static void write_multipliers(const draft *d, const double lambda[], const double mu[])
{
    for (int k = 0; k < d->x->w.K && d->subject != SUBJECT_WEIGHTED; k++)
        if (lambda[k] != 0) fprintf(d->out, " %d=%.17g", k, lambda[k]);
    fputs(" ;", d->out);
    for (int i = 0; i < d->x->w.K * d->x->w.J; i++)
        if (mu[i] != 0) fprintf(d->out, " %d=%.17g", i, mu[i]);
}

static void draw_multipliers(draft *d)
{
    int K = d->x->w.K, left = 8;
    for (int k = 0; k < K; k++) {
        int part = k + 1 == K ? left : draw(d->r, left + 1);
        left -= part;
        d->lambda[k] = d->subject == SUBJECT_WEIGHTED ? d->x->weight[k] : part / 8.0;
    }
    for (int i = 0; i < K * d->x->w.J; i++) d->mu[i] = chance(d->r, 0.7) ? 0 : ldexp(1 + draw(d->r, 7), draw(d->r, 4) - 2);
    for (int i = K * d->x->w.J; i-- > 0;) /* of a mean by the prior, as row 0 of the promise tells */
        if (d->x->w.average[i % d->x->w.J]) d->mu[i] = d->mu[i % d->x->w.J] * d->x->w.prior[i / d->x->w.J];
}

/* Multipliers that are no mean: as many times as show the bound. */
static double scale(draft *d, double least)
{
    double factor = least > 0 ? fmax(1.5, (d->bound + FORGE_CLEAR) / least) : 2;
    for (int k = 0; k < d->x->w.K; k++) d->lambda[k] *= factor;
    for (int i = 0; i < d->x->w.K * d->x->w.J; i++) d->mu[i] *= factor;
    return least * factor;
}

/* Multipliers whose bound is exact for this policy, or that refute its promise. */
static void write_own(const draft *d, const world_gain *g)
{
    const world *w = &d->x->w;
    double lambda[WORLD_K] = {0}, mu[ROWS] = {0}, most = -INFINITY;
    int worst = 0;
    for (int k = 0; k < w->K; k++) {
        double less = (d->subject == SUBJECT_REGRET ? d->x->high[k] : 0) - g->u[k];
        if (less > most) worst = k;
        most = fmax(most, less);
        for (int j = 0; j < w->J; j++)
            if (!w->average[j] && g->pr[j][k] < w->p[j][k] - FORGE_ROUNDING) mu[k * w->J + j] = 1e3 / (w->p[j][k] - g->pr[j][k]);
    }
    for (int i = 0; i < w->K * w->J && world_misses_means(w, g) > FORGE_ROUNDING; i++)
        if (w->average[i % w->J]) mu[i] = 1e3 / world_misses_means(w, g) * w->prior[i / w->J];
    lambda[worst] = 1;
    write_multipliers(d, lambda, mu);
}

static void write_leaf(draft *d, int id, const world_gain *g)
{
    const world *w = &d->x->w;
    int broken = -1;
    for (int i = 0; i < w->K * w->J; i++)
        if (!w->average[i % w->J] && g->pr[i % w->J][i / w->J] < w->p[i % w->J][i / w->J] - FORGE_ROUNDING) broken = i;
    bool own = d->how == CORNERS_WEIGH && d->way != NO_MEAN;
    if (own && d->way == EMPTY_LEAVES && broken >= 0) {
        fprintf(d->out, "empty %d %d=1\n", id, broken);
        return;
    }
    if (own && (d->way == WEIGHED_AGAIN || d->way == WEIGHED_LAST)) {
        fprintf(d->out, "weigh %d", id);
        write_own(d, g);
        fprintf(d->out, "\nleaf %d\n", id);
        return;
    }
    if (chance(d->r, 0.5))
        fprintf(d->out, "walk %d %d", id, draw(d->r, w->T + 1));
    else
        fprintf(d->out, "leaf %d", id);
    if (own && d->way != EMPTY_LEAVES) write_own(d, g);
    fputc('\n', d->out);
}

static void write_point(const draft *d, const double x[])
{
    for (int a = 0; a < d->x->w.A; a++)
        if (x[a] > 0) fprintf(d->out, " %d=%.17g", a, x[a]);
}

/* Drops or replaces the corners that lead to the refuting policy; returns the number left. */
static int spoil(draft *d, int place, distribution point[], int count)
{
    int good = -1, left = 0;
    bool bad[CORNERS];
    for (int i = 0; i < count; i++) {
        memcpy(d->chance[place], point[i], sizeof *point);
        bad[i] = least_below(d) < d->bound;
        if (!bad[i]) good = i;
    }
    memset(d->chance[place], 0, sizeof *point);
    for (int i = 0; i < count && good >= 0; i++) {
        if (bad[i] && d->way == LEFT_OUT) continue;
        for (int a = 0; a < d->x->w.A && bad[i] && d->way != OTHER_NODE; a++)
            point[i][a] = d->way == COPIED ? point[good][a] : (point[i][a] + point[good][a]) / 2;
        memmove(point[left++], point[i], sizeof *point);
    }
    return good < 0 ? count : left;
}

/* Case id, of fixed multipliers: all corners of the first place that is not decided, then those below. */
static void write_weighed(draft *d, int id)
{
    world_gain g;
    distribution point[CORNERS];
    int place = follow(d, &g);
    if (place < 0) {
        write_leaf(d, id, &g);
        return;
    }
    int count = corners_of(d, place, point), first = d->cases + 1;
    if (d->how == CORNERS_CORNERS) count = spoil(d, place, point, count);
    int other = d->how == CORNERS_CORNERS && d->way == OTHER_NODE ? some_place(d) : place;
    fprintf(d->out, "corners %d %d", id, forge_name(&d->names, other));
    for (int i = 0; i < count; i++) {
        if (i > 0) fputs(" ;", d->out);
        write_point(d, point[i]);
    }
    fputc('\n', d->out);
    d->cases += count;
    for (int i = 0; i < count; i++) {
        memcpy(d->chance[place], point[i], sizeof point[i]);
        write_weighed(d, first + i);
    }
    memset(d->chance[place], 0, sizeof d->chance[place]);
}

/* Two actions with the same effect in some environment? They may be one option with a box of its own. */
static bool twins(const world *w, int s)
{
    for (int k = 0; k < w->K; k++)
        for (int a = 0; a < w->A; a++)
            for (int b = 0; b < a; b++)
                if (memcmp(w->prob[k][s][a], w->prob[k][s][b], sizeof w->prob[k][s][a]) == 0) return true;
    return false;
}

/* Splits a case at random; returns a bound that all parts prove. */
static double write_box(draft *d, int id, int depth)
{
    int place = some_place(d), a = draw(d->r, d->x->w.A);
    double x = 0.125 * draw(d->r, 9), low = d->low[place][a], high = d->high[place][a];
    if (depth > 0 && x > low && x < high && !twins(&d->x->w, d->x->tree.place[place].s)) {
        int first = d->cases + 1;
        fprintf(d->out, "part %d %d %d %g\n", id, forge_name(&d->names, place), a, x);
        d->cases += 2;
        d->high[place][a] = x;
        double least = write_box(d, first, depth - 1);
        d->high[place][a] = high;
        d->low[place][a] = x;
        least = fmin(least, write_box(d, first + 1, depth - 1));
        d->low[place][a] = low;
        return least;
    }
    draw_multipliers(d);
    d->leaves = 0;
    double least = least_below(d);
    d->large = d->large || d->leaves > LEAVES;
    if (d->large) return least;
    if (d->how == CORNERS_WEIGH && d->way == NO_MEAN) least = scale(d, least);
    if (d->how != CORNERS_WEIGH || (d->way != NEVER_FIXED && d->way != WEIGHED_LAST)) {
        fprintf(d->out, "weigh %d", id);
        write_multipliers(d, d->lambda, d->mu);
        fputc('\n', d->out);
    }
    write_weighed(d, id);
    return least;
}

/* The lines of the tree, and of the policy and its claim. */
static void write_lines(draft *d, int best)
{
    const truth *x = d->x;
    bool honest = d->how == CORNERS_HONEST;
    int item = honest ? best : forge_above(x, d->subject, d->bound, best, d->r);
    forge_head(x, "exact-ccl", d->subject, d->out);
    fprintf(d->out, "tree %s %d\n", d->subject == SUBJECT_REGRET ? "regret" : "value", 1 + draw(d->r, x->w.T + 1));
    double least = write_box(d, 1, draw(d->r, 3));
    double claimed = forge_score(x, d->subject, &x->tree.item[item].gain, x->high, ~0u);
    forge_policy(&d->names, item);
    forge_claim(d->subject, claimed + FORGE_ROUNDING, honest ? least - FORGE_CLEAR : d->bound, d->out);
}

char *corners_write(const truth *x, corner_forgery how, rng *r)
{
    static const int subjects[] = {SUBJECT_REGRET, SUBJECT_LEAST, SUBJECT_WEIGHTED};
    char *lines;
    size_t length, places = (size_t)x->tree.places;
    double score;
    draft d = {.x = x, .how = how, .subject = subjects[draw(r, 3)], .r = r, .cases = 1};
    d.way = draw(r, how == CORNERS_WEIGH ? WEIGH_WAYS : CORNER_WAYS);
    int best = forge_best(x, d.subject, &score);
    if (best < 0) return NULL;
    d.out = open_memstream(&lines, &length);
    d.chance = calloc(3 * places, sizeof *d.chance);
    if (!d.out || !d.chance) abort();
    d.low = d.chance + places;
    d.high = d.low + places;
    for (size_t p = 0; p < places; p++)
        for (int a = 0; a < x->w.A; a++) d.high[p][a] = 1;
    double coins = how == CORNERS_HONEST ? score : coin_score(&d, best);
    d.bound = fmax(score - FORGE_CLEAR, coins + FORGE_CLEAR); /* between the best with coins and without, if there is room */
    bool room = score > coins + 2 * FORGE_CLEAR, needed = how == CORNERS_WEIGH && d.way != NO_MEAN;
    d.large = needed && !room; /* leaves that each have their own multipliers show what holds without coins */
    forge_names_open(&d.names, x, d.out);
    if (!d.large) write_lines(&d, best);
    forge_names_close(&d.names);
    free(d.chance);
    fclose(d.out);
    if (d.large) free(lines);
    return d.large ? NULL : lines;
}
