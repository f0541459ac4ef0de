/* tests/campaign/forge.c - see forge.h. */
#include "campaign/forge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const forgery_names[FORGERIES] = {"honest tree",    "leaf",          "empty", "pairs", "vectors",
                                              "give",           "child missing", "drop",  "few",   "branch",
                                              "case left open", "line moved",    "cap",   "policy"};

typedef struct draft {
    const truth *x;
    forgery how;
    int subject;
    double bound, cap;
    unsigned of; /* environments that the tree is about */
    rng *r;
    FILE *out;
    bool *good; /* [cases] some policy of it is below the bound */
    forge_names names;
    int cases, last;
    bool done; /* the forged line has been written */
} draft;

static bool of_all(const world *w, unsigned of)
{
    unsigned all = (1u << w->K) - 1;
    return (of & all) == all;
}

double forge_score(const truth *x, int subject, const world_gain *g, const double optimum[], unsigned of)
{
    const world *w = &x->w;
    double most = -INFINITY, sum = 0;
    for (int k = 0; k < w->K; k++) {
        if (!(of >> k & 1)) continue;
        double less = (subject >= SUBJECT_LEAST ? 0 : optimum[k]) - g->u[k];
        most = fmax(most, less);
        sum += less * (subject == SUBJECT_WEIGHTED ? x->weight[k] : 1);
        if (world_misses(w, g, k) > 1e-9) return INFINITY;
    }
    if (of_all(w, of) && world_misses_means(w, g) > 1e-9) return INFINITY; /* a mean is of all environments */
    return subject == SUBJECT_REGRET || subject == SUBJECT_LEAST ? most : sum;
}

static bool is_sum(const draft *d) { return d->subject == SUBJECT_TOTAL || d->subject == SUBJECT_WEIGHTED; }

static bool below(const draft *d, const world_gain *g)
{
    if (d->subject == SUBJECT_TOTAL && forge_score(d->x, SUBJECT_REGRET, g, d->x->high, d->of) > d->cap) return false;
    return forge_score(d->x, d->subject, g, d->x->high, d->of) < d->bound;
}

/* ---- lines ---- */

void forge_environments(unsigned of, FILE *out)
{
    for (int k = 0, any = 0; k < WORLD_K; k++)
        if (of >> k & 1) fprintf(out, any++ ? ",%d" : "%d", k);
}

void forge_names_open(forge_names *n, const truth *x, FILE *out)
{
    *n = (forge_names){x, out, malloc((size_t)x->tree.places * sizeof *n->number), 0};
    if (!n->number) abort();
    for (int i = 0; i < x->tree.places; i++) n->number[i] = -1;
}

void forge_names_close(forge_names *n) { free(n->number); }

int forge_name(forge_names *n, int place)
{
    const world_place *p = &n->x->tree.place[place];
    if (n->number[place] >= 0) return n->number[place];
    int before = p->t > n->x->L ? forge_name(n, p->boundary) : 0;
    n->number[place] = n->named++;
    fprintf(n->out, "node %d %d %d ", n->number[place], p->t, p->s);
    if (p->t > n->x->L)
        fprintf(n->out, "%d", before);
    else {
        fputs("- ", n->out);
        forge_environments(p->known, n->out);
    }
    fputc('\n', n->out);
    return n->number[place];
}

static int name(draft *d, int place) { return forge_name(&d->names, place); }

/* Weights of regrets: one environment, all equal, or mixed; sums have none, but for the excess over the cap. */
static void write_multipliers(draft *d, bool regrets)
{
    const world *w = &d->x->w;
    int count = w->K, left = 8;
    if (regrets && (!is_sum(d) || (d->subject == SUBJECT_TOTAL && chance(d->r, 0.5)))) {
        int one = chance(d->r, 0.5) ? draw(d->r, count) : -1;
        double eighth = chance(d->r, 0.75) ? 1 / 8.0 : ldexp(1, draw(d->r, 5) - 3); /* seldom they do not sum to 1 */
        for (int k = 0; k < count; k++) {
            int part = one >= 0 ? (k == one ? 8 : 0) : k + 1 == count ? left : draw(d->r, left + 1);
            left -= part;
            if (part > 0) fprintf(d->out, " %d=%g", k, part * eighth);
        }
    }
    if (regrets) fputs(" ;", d->out);
    for (int i = 0; i < count * w->J; i++)
        if (!chance(d->r, regrets ? 0.8 : 0.4)) fprintf(d->out, " %d=%g", i, ldexp(1 + draw(d->r, 7), draw(d->r, 7) - 3));
}

static void write_pairs(draft *d, int id, int row)
{
    static const int sizes[] = {2, 3, 16, 64, 512};
    fprintf(d->out, "pairs %d ", id);
    if (row < 0)
        fprintf(d->out, "* %d", sizes[draw(d->r, 5)]);
    else
        fprintf(d->out, "%d %d", row, sizes[draw(d->r, 5)]);
    if (chance(d->r, 0.5))
        fputs(" -", d->out);
    else
        fprintf(d->out, " %.17g", d->bound);
    fputc('\n', d->out);
}

/* A policy that misses a mean: by the prior. */
static void write_mean(const draft *d, int id, const world_gain *g)
{
    const world *w = &d->x->w;
    world one = *w;
    for (int j = 0; j < w->J; j++) {
        for (int i = 0; i < w->J; i++) one.average[i] = w->average[i] && i == j;
        if (world_misses_means(&one, g) <= 1e-9) continue;
        fprintf(d->out, "empty %d", id);
        for (int k = 0; k < w->K; k++)
            if (w->prior[k] > 0) fprintf(d->out, " %d=%.17g", k * w->J + j, w->prior[k]);
        fputc('\n', d->out);
        return;
    }
}

/* A complete policy: by the promise that it breaks, or by the environment that falls short most. */
static void close_policy(draft *d, int id, const world_gain *g)
{
    const world *w = &d->x->w;
    int row = 0, broken = -1;
    double most = -INFINITY;
    for (int k = 0; k < w->K; k++) {
        if (!(d->of >> k & 1)) continue;
        double less = (d->subject >= SUBJECT_LEAST ? 0 : d->x->high[k]) - g->u[k]; /* high: a proof takes all that is kept */
        for (int j = 0; j < w->J; j++)
            if (!w->average[j] && g->pr[j][k] < w->p[j][k] - 1e-9) broken = k * w->J + j;
        if (less > most) row = k * w->J;
        most = fmax(most, less);
    }
    if (broken < 0 && of_all(w, d->of) && world_misses_means(w, g) > 1e-9)
        write_mean(d, id, g);
    else if (is_sum(d))
        fprintf(d->out, "pairs %d * 512\n", id);
    else
        fprintf(d->out, "pairs %d %d 512\n", id, broken >= 0 ? broken : row);
    d->last = id;
}

/* ---- the tree ---- */

static void write_case(draft *d, int item, int id);

/* Children of the actions for which `leave` does not hold. */
static void write_children(draft *d, int item, int id, bool leave_good)
{
    const world_case *c = &d->x->tree.item[item];
    int made[WORLD_A];
    fprintf(d->out, "branch %d %d\n", id, name(d, c->place));
    for (int a = 0; a < d->x->w.A; a++) {
        made[a] = leave_good && d->good[c->child[a]] ? 0 : ++d->cases;
        if (made[a]) fprintf(d->out, "child %d %d %d\n", made[a], id, a);
    }
    for (int a = 0; a < d->x->w.A; a++)
        if (made[a]) write_case(d, c->child[a], made[a]);
}

/* Of each good policy of the case one of its decisions below is given up. */
static void write_given(draft *d, int item, int id)
{
    const world_tree *t = &d->x->tree;
    bool *taken = calloc((size_t)t->places * WORLD_A, sizeof *taken);
    if (!taken) abort();
    for (int c = item; c < t->cases; c++) {
        int above = c, places[64], actions[64], count = 0;
        bool gone = false;
        if (t->item[c].place >= 0 || !d->good[c]) continue;
        for (; above > 0 && above != item && count < 64; above = t->item[above].parent, count++) {
            places[count] = t->item[t->item[above].parent].place;
            actions[count] = t->item[above].action;
            gone = gone || taken[places[count] * WORLD_A + actions[count]];
        }
        int which = above == item && count > 0 ? draw(d->r, count) : -1;
        if (which < 0 || gone) continue;
        taken[places[which] * WORLD_A + actions[which]] = true;
        (void)name(d, places[which]);
    }
    fprintf(d->out, "give %d %.17g", id, chance(d->r, 0.5) ? d->bound : d->bound + 1);
    write_multipliers(d, true);
    fputs(" ;", d->out);
    for (int i = 0; i < t->places * WORLD_A; i++)
        if (taken[i]) fprintf(d->out, " %d=%d", name(d, i / WORLD_A), i % WORLD_A);
    fputc('\n', d->out);
    free(taken);
}

static void forge_here(draft *d, int item, int id)
{
    const world_case *c = &d->x->tree.item[item];
    int rows = d->x->w.K * d->x->w.J;
    d->done = true;
    switch (d->how) {
    case FORGE_GIVE:
        if (c->place >= 0) write_given(d, item, id);
        break;
    case FORGE_CHILD:
    case FORGE_DROP:
        if (c->place >= 0) {
            write_children(d, item, id, true);
            return;
        }
        break;
    case FORGE_EMPTY:
        fprintf(d->out, "empty %d", id);
        write_multipliers(d, false);
        fputc('\n', d->out);
        return;
    case FORGE_LEAF:
        fprintf(d->out, "leaf %d", id);
        write_multipliers(d, true);
        fputc('\n', d->out);
        return;
    case FORGE_PAIRS:
        write_pairs(d, id, is_sum(d) ? -1 : draw(d->r, rows));
        return;
    case FORGE_VECTORS:
        fprintf(d->out, "vectors %d\n", id);
        return;
    case FORGE_OPEN:
        return;
    case FORGE_MOVED: /* closes the case before once more */
        close_policy(d, d->last, &c->gain);
        return;
    case FORGE_BRANCH:
        fprintf(d->out, "branch %d %d\n", id, draw(d->r, d->names.named + 1));
        return;
    default:
        break;
    }
    if (c->place < 0)
        close_policy(d, id, &c->gain);
    else
        write_children(d, item, id, false);
}

static void write_case(draft *d, int item, int id)
{
    const world_case *c = &d->x->tree.item[item];
    bool forge = d->good[item] && d->how != FORGE_NOTHING && (d->how != FORGE_GIVE || !d->done);
    if (forge && (c->place < 0 || chance(d->r, item == 0 ? 0.3 : 0.4)))
        forge_here(d, item, id);
    else if (c->place < 0)
        close_policy(d, id, &c->gain);
    else
        write_children(d, item, id, false);
}

static void write_tree(draft *d)
{
    const char *const subject[] = {"regret", "total", "value", "value"};
    int T = d->x->w.T;
    fprintf(d->out, "tree %s %d", subject[d->subject], 1 + draw(d->r, T + 1));
    if (d->subject == SUBJECT_TOTAL) fprintf(d->out, " %.17g", d->cap);
    if (!is_sum(d) && (d->how == FORGE_FEW || (d->how == FORGE_DROP))) {
        fputc(' ', d->out);
        if (d->how == FORGE_FEW)
            forge_environments(d->of, d->out);
        else
            fputc('*', d->out);
        if (d->how == FORGE_DROP || chance(d->r, 0.3)) fputs(" drop", d->out);
    }
    fputc('\n', d->out);
    write_case(d, 0, d->cases = 1);
}

/* ---- head and claims ---- */

void forge_policy(forge_names *n, int item)
{
    for (const world_case *all = n->x->tree.item; item > 0; item = all[item].parent) {
        int number = forge_name(n, all[all[item].parent].place);
        fprintf(n->out, "do %d %d\n", number, all[item].action);
    }
}

void forge_claim(int subject, double value, double bound, FILE *out)
{
    static const char *const words[] = {"regret", "total", "value", "value"};
    double sign = subject >= SUBJECT_LEAST ? -1 : 1;
    fprintf(out, "claim %s %.17g %.17g\n", words[subject], sign * value, sign * bound);
}

static void write_claims(draft *d, int item)
{
    const world_gain *g = &d->x->tree.item[item].gain;
    double too_little = d->how == FORGE_POLICY ? 0.01 + draw(d->r, 4) : -FORGE_ROUNDING;
    double value = forge_score(d->x, d->subject, g, d->x->high, ~0u) - too_little;
    double regret = forge_score(d->x, SUBJECT_REGRET, g, d->x->high, ~0u) + FORGE_ROUNDING;
    if (d->subject == SUBJECT_TOTAL) forge_claim(SUBJECT_REGRET, regret, 0, d->out);
    forge_claim(d->subject, value, d->bound, d->out);
}

void forge_head(const truth *x, const char *method, int subject, FILE *out)
{
    fprintf(out, "plan %s %d %d %.17g 1e-09", method, x->L, x->w.T, x->p);
    if (subject == SUBJECT_LEAST) fputs(" max-min", out);
    if (subject == SUBJECT_WEIGHTED) fputs(" weighted", out);
    for (int k = 0; k < x->w.K && subject == SUBJECT_WEIGHTED; k++) fprintf(out, " %d=%g", k, x->weight[k]);
    fputc('\n', out);
}

int forge_best(const truth *x, int subject, double *score)
{
    int best = -1;
    *score = INFINITY;
    for (int i = 0; i < x->tree.cases; i++) {
        double here = x->tree.item[i].place >= 0 ? INFINITY : forge_score(x, subject, &x->tree.item[i].gain, x->high, ~0u);
        if (here < *score) best = i;
        *score = fmin(*score, here);
    }
    return best;
}

int forge_above(const truth *x, int subject, double bound, int item, rng *r)
{
    const int first = item;
    for (int i = 0; i < x->tree.cases; i++) {
        double here = x->tree.item[i].place >= 0 ? INFINITY : forge_score(x, subject, &x->tree.item[i].gain, x->high, ~0u);
        if (here >= bound && !isinf(here) && (i < item || item == first || chance(r, 0.3))) item = i;
    }
    return item;
}

void forge_write(const truth *x, forgery how, int subject, double bound, int item, rng *r, FILE *out)
{
    const world_tree *t = &x->tree;
    unsigned all = (1u << x->w.K) - 1;
    draft d = {.x = x, .how = how, .subject = subject, .bound = bound, .of = all, .r = r, .out = out, .last = 1};
    d.good = calloc((size_t)t->cases, sizeof *d.good);
    if (!d.good) abort();
    forge_names_open(&d.names, x, out);
    if (how == FORGE_FEW && x->w.K > 1)
        while (d.of == all) d.of = 1 + (unsigned)draw(r, (int)all);
    d.cap = item >= 0 ? forge_score(x, SUBJECT_REGRET, &t->item[item].gain, x->high, all) + FORGE_ROUNDING : 0;
    if (how == FORGE_CAP) d.cap = fmax(0, d.cap - 0.25 * (1 + draw(r, 8)));
    for (int c = t->cases - 1; c >= 0; c--) {
        if (t->item[c].place < 0) d.good[c] = below(&d, &t->item[c].gain);
        if (c > 0 && d.good[c]) d.good[t->item[c].parent] = true;
    }
    forge_head(x, "milp-ccl", subject, out);
    write_tree(&d);
    if (item >= 0) {
        forge_policy(&d.names, item);
        write_claims(&d, item);
    } else
        fputs("claim infeasible\n", out);
    free(d.good);
    forge_names_close(&d.names);
}
