/* tests/campaign/proofs.c - false and true proofs given to vouch-check.
 *
 * Small worlds with one or two promises and a list of all policies (oracle/worlds.h). Forgeries are trees of all policies with one
 * case closed by a line that cannot prove it (forge.h), and changed proofs of the planner (change.c); each claims more than is
 * true. Verdicts of vouch-check are compared with the list. Columns: accepted and true; refuted; accepted and false is WRONG.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/bench.h"
#include "campaign/change.h"
#include "campaign/corners.h"
#include "campaign/forge.h"
#include "campaign/parts.h"

enum {
    CASES = 700,     /* most of the tree of a world's policies */
    FEW_CASES = 200, /* likewise where many trees are written */
    KINDS = 2,       /* kinds of changes tried for one case, */
    CHANGED = 9,     /* each so often */
    CAPS = 4,        /* of these, as most models allow none */
    CLASSES = 2,     /* likewise */
    TRIES = 400      /* of worlds, until one is of the kind that is sought */
};

/* ---- worlds ---- */

/* whole: of its parts; those of 8 are no matter of rounding. */
static void draw_row(rng *r, const world *w, double prob[], bool sure, int whole)
{
    int left = whole, next = draw(r, w->S);
    for (int n = 0; n < w->S; n++) prob[n] = 0;
    while (left > 0) {
        int part = sure || chance(r, 0.3) ? left : 1 + draw(r, left);
        prob[next] += part / (double)whole;
        left -= part;
        next = (next + 1 + draw(r, w->S)) % w->S;
    }
}

static void draw_pay(rng *r, const world *w, double pay[], int by_next)
{
    double one = 0.5 * (draw(r, 9) - 2);
    for (int n = 0; n < w->S; n++) pay[n] = by_next ? 0.5 * (draw(r, 5) - 1) : one;
}

void bench_draw(rng *r, world *w, bool large)
{
    *w = (world){
        .S = 2 + draw(r, WORLD_S - 1), .A = chance(r, 0.8) ? 2 : WORLD_A, .K = 1 + draw(r, 5) / 2, .J = chance(r, 0.3) ? 2 : 1};
    w->T = 1 + draw(r, w->S == 2 ? WORLD_T : 3);
    if (large) w->S = WORLD_S, w->K = 2 + draw(r, WORLD_K - 1), w->T = 2 + draw(r, WORLD_T - 1);
    int whole = chance(r, 0.8) ? 8 : 7;
    bool sure = chance(r, 0.4), start = chance(r, 0.2), alike = chance(r, 0.3), twins = chance(r, 0.15);
    for (int s = 0; s < w->S; s++)
        for (int a = 0; a < w->A; a++)
            for (int k = 0; k < w->K; k++) {
                double *prob = w->prob[k][s][a], *pay = w->pay[k][s][a];
                if (k > 0 && (alike || chance(r, 0.3)))
                    memcpy(prob, w->prob[0][s][a], sizeof w->prob[0][s][a]);
                else
                    draw_row(r, w, prob, sure, whole);
                if (start && s == 0)
                    memcpy(prob, w->prob[0][0][0], sizeof w->prob[0][0][0]); /* first states, as joined models have them */
                if (k > 0 && chance(r, 0.4))
                    memcpy(pay, w->pay[0][s][a], sizeof w->pay[0][s][a]);
                else
                    draw_pay(r, w, pay, chance(r, 0.1));
                if (twins && a == 1) memcpy(prob, w->prob[k][s][0], sizeof w->prob[k][s][0]);
                if (twins && a == 1 && chance(r, 0.8)) memcpy(pay, w->pay[k][s][0], sizeof w->pay[k][s][0]);
            }
    for (int j = 0; j < w->J; j++) {
        static const double ps[] = {0, 0, 0.125, 0.25, 0.375, 0.5, 0.75, 1};
        double p = ps[draw(r, 8)];
        bool own = w->J > 1 && chance(r, 0.3);
        for (int k = 0; k < w->K; k++) {
            w->p[j][k] = own ? ps[draw(r, 8)] : p;
            for (int s = 0; s < w->S; s++) w->kept[j][k][s] = k > 0 && !own ? w->kept[j][0][s] : chance(r, 0.5);
        }
    }
}

void bench_draw_averages(rng *r, world *w, double often)
{
    static const double priors[] = {0, 1, 1, 2, 0.5, 0.01};
    double sum = 0;
    for (int j = 0; j < w->J; j++) w->average[j] = chance(r, often);
    for (int k = 0; k < w->K; k++) sum += w->prior[k] = priors[draw(r, 6)];
    if (!(sum > 0)) w->prior[0] = 1;
    for (int j = 0; j < w->J; j++)
        for (int k = 1; k < w->K && w->average[j]; k++) w->p[j][k] = w->p[j][0];
}

/* ---- vouch-check ---- */

/* honest: must be verified; else the claim is false and must not be. */
static void judge(campaign *c, const bench *b, rng *r, const char *kind, const char *lines, bool honest, bool is_false)
{
    static const char *const arithmetics[] = {NULL, "--exact", "--interval"};
    static const char *const names[] = {"in rationals and doubles", "--exact", "--interval"};
    int how = draw(r, 3);
    bench_answer said = bench_check(b, lines, arithmetics[how]);
    char name[40];
    snprintf(name, sizeof name, "%s: %s", honest ? "honest" : "forged", kind);
    if (said == DIED) bench_fault(c, b, arithmetics[how], "judged");
    if (honest && said != VERIFIED) bench_fault(c, b, arithmetics[how], "verified, and honest");
    if (is_false && said == VERIFIED) campaign_fault(c, "%s: verified, and false", kind);
    if (c->reason[0]) bench_keep(c, b, arithmetics[how]);
    campaign_count(c,
                   said == VERIFIED     ? VERDICT_OPTIMAL
                   : said == UNREADABLE ? VERDICT_LIMIT
                                        : VERDICT_NONE,
                   name, names[how], (const char *)NULL);
}

/* ---- cases ---- */

/* Of policies of that maximum regret. */
static double least_total(const truth *x, double regret)
{
    double least = INFINITY;
    for (int i = 0; i < x->tree.cases; i++) {
        const world_case *at = &x->tree.item[i];
        if (at->place < 0 && forge_score(x, SUBJECT_REGRET, &at->gain, x->high, ~0u) <= regret + FORGE_CLEAR)
            least = fmin(least, forge_score(x, SUBJECT_TOTAL, &at->gain, x->high, ~0u));
    }
    return least;
}

/* A claim between the best and the next value, so that all but the best policies are worse. */
static double false_bound(const truth *x, int subject, double best, rng *r)
{
    double next = INFINITY;
    int wanted = chance(r, 0.8) ? 1 : 3;
    for (double from = best; wanted-- > 0 && (isinf(next) || next < INFINITY); from = next) {
        double after = INFINITY;
        for (int i = 0; i < x->tree.cases; i++) {
            double here = x->tree.item[i].place >= 0 ? INFINITY : forge_score(x, subject, &x->tree.item[i].gain, x->high, ~0u);
            if (here > from + 2 * FORGE_CLEAR) after = fmin(after, here);
        }
        if (isinf(after)) break;
        next = after;
    }
    return isinf(next) ? best + 0.5 : best + fmax(FORGE_CLEAR, 0.9 * (next - best));
}

static void try_forgery(campaign *c, const bench *b, const truth *x, rng *r, forgery how)
{
    char *lines;
    size_t length;
    double best;
    int subject = draw(r, SUBJECTS);
    if (how == FORGE_CAP) subject = SUBJECT_TOTAL;
    if (how == FORGE_DROP || how == FORGE_FEW) subject = chance(r, 0.5) ? SUBJECT_REGRET : SUBJECT_LEAST;
    int item = forge_best(x, SUBJECT_REGRET, &best);
    if (subject != SUBJECT_TOTAL) item = forge_best(x, subject, &best);
    double total = subject == SUBJECT_TOTAL ? least_total(x, best) : best;
    if (item < 0 && subject == SUBJECT_TOTAL) subject = SUBJECT_REGRET;
    bool none = how != FORGE_NOTHING && how != FORGE_POLICY && how != FORGE_CAP && subject != SUBJECT_TOTAL && chance(r, 0.3);
    if (how == FORGE_POLICY && item < 0) return;
    if (how == FORGE_CAP && !(best > 0)) return;
    bool honest = how == FORGE_NOTHING || how == FORGE_POLICY;
    double bound = honest ? total - FORGE_CLEAR : false_bound(x, subject, total, r);
    if (item < 0 && how != FORGE_NOTHING) return;
    if (item >= 0 && !honest) item = forge_above(x, subject, bound, item, r);
    FILE *out = open_memstream(&lines, &length);
    if (!out) abort();
    forge_write(x, how, subject, item < 0 || none ? INFINITY : bound, item < 0 || none ? -1 : item, r, out);
    fclose(out);
    judge(c, b, r, forgery_names[how], lines, how == FORGE_NOTHING, how != FORGE_NOTHING);
    free(lines);
}

/* A planner's proof of a larger world with a line for this change, and the verdict on it with the change and a false claim. */
static void try_planner(campaign *c, bench *b, rng *r, change how)
{
    planned p;
    truth drawn, *x = &drawn;
    bool made = false;
    for (int tries = 0; tries < TRIES && !made; tries++) {
        drawn = (truth){.L = 0};
        bench_draw(r, &x->w, true);
        if (chance(r, 0.3)) bench_draw_averages(r, &x->w, 0.7);
        for (int i = 0; i < WORLD_J * WORLD_K && how == CHANGE_EMPTY; i++) /* promises that some cases cannot keep */
            x->w.p[i / WORLD_K][i % WORLD_K] = fmax(x->w.p[i / WORLD_K][i % WORLD_K], 0.5);
        x->L = draw(r, x->w.T + 1);
        for (int k = 0; k < x->w.K; k++) x->weight[k] = draw(r, 4);
        bench_write(b, &x->w);
        made = change_planned(b->model, x, how, r, &p);
    }
    if (!made) return;
    bool history = p.method == VOUCH_METHOD_HISTORY, stochastic = p.method == VOUCH_METHOD_EXACT_CCL;
    judge(c, b, r, history ? "planner, history" : stochastic ? "planner, exact-ccl" : "planner, milp-ccl", p.lines, true, false);
    for (int i = 0; i < CHANGED; i++) {
        char *changed = change_lines(&p, x, how, r);
        if (changed) judge(c, b, r, change_kind_names[how], changed, false, true);
        free(changed);
    }
    change_free(&p);
}

static bool draw_truth(rng *r, truth *x)
{
    bench_draw(r, &x->w, false);
    if (chance(r, 0.3)) bench_draw_averages(r, &x->w, 0.7);
    x->L = draw(r, x->w.T + 1);
    x->p = x->w.p[0][0];
    for (int k = 0; k < x->w.K; k++) {
        x->weight[k] = draw(r, 4);
        x->low[k] = world_optimum(&x->w, k, 0);
        x->high[k] = world_optimum(&x->w, k, 1e-9);
        if (isinf(x->low[k])) return false;
        if (isnan(x->high[k])) x->high[k] = 0;        /* then no policy keeps the promises in any case */
        if (isnan(x->low[k])) x->low[k] = x->high[k]; /* only by the tolerance, of rows that sum to 1 but for rounding */
    }
    return world_tree_make(&x->w, x->L, (1u << x->w.K) - 1, CASES, &x->tree);
}

/* Honest trees of worlds, until one of them has a policy that keeps the promises: of it forged ones of every kind, too. */
static void try_tree(campaign *c, bench *b, rng *r)
{
    double score;
    bool kept = false;
    for (int tries = 0; tries < TRIES && !kept; tries++) {
        truth x = {.L = 0};
        if (!draw_truth(r, &x)) continue;
        bench_write(b, &x.w);
        try_forgery(c, b, &x, r, FORGE_NOTHING);
        kept = forge_best(&x, SUBJECT_REGRET, &score) >= 0;
        for (forgery how = FORGE_NOTHING + 1; how < FORGERIES && kept; how++) try_forgery(c, b, &x, r, how);
        for (int n = 1; n < CAPS && kept; n++) try_forgery(c, b, &x, r, FORGE_CAP);
        world_tree_free(&x.tree);
    }
}

/* Draws worlds until one has such a forgery. how: of corner_forgery, or (groups) parts_forgery. */
static void try_other(campaign *c, bench *b, rng *r, bool groups, int how)
{
    char *lines = NULL;
    bool honest = how == 0;
    for (int tries = 0; tries < TRIES && !lines; tries++) {
        truth x = {.L = 0};
        if (!draw_truth(r, &x)) continue;
        bool mean = x.w.average[0] || x.w.average[1]; /* of one policy for all */
        if (x.w.K > groups && !(groups && mean) && x.tree.cases <= FEW_CASES)
            lines = groups ? parts_write(&x, (parts_forgery)how, r) : corners_write(&x, (corner_forgery)how, r);
        if (lines) bench_write(b, &x.w);
        world_tree_free(&x.tree);
    }
    if (lines) judge(c, b, r, groups ? parts_forgery_names[how] : corner_forgery_names[how], lines, honest, !honest);
    free(lines);
}

void campaign_proofs(campaign *c)
{
    static const char *const heads[VERDICTS] = {"true", "refuted", "not read", "", "FALSE"};
    bench b;
    bench_open(&b);
    c->heads = heads;
    c->kind = "forged: ";
    for (long long i = c->first; c->runs < c->count; i++) {
        rng r = campaign_case(c, i);
        try_tree(c, &b, &r);
        for (int how = 0; how < CORNER_FORGERIES; how++) try_other(c, &b, &r, false, how);
        for (int how = 0; how < PARTS_FORGERIES; how++) try_other(c, &b, &r, true, how);
        for (int n = 1; n < CLASSES; n++) try_other(c, &b, &r, true, PARTS_CLASS);
        for (int n = 0; n < KINDS; n++) try_planner(c, &b, &r, (change)((KINDS * i + n) % CHANGES));
    }
    bench_close(&b);
}
