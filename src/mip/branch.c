/* mip/branch.c - reliability branching.
 *
 * score(j) = max(down, eps) * max(up, eps), the expected rises of the objective in the two children: by pseudo-costs where both
 * directions have been seen often enough, else by solving the children for a few iterations (strong branching), whose results in
 * turn are remembered. A child without a point, or beyond the cutoff, tightens the node itself. Source: T. Achterberg, T. Koch, A.
 * Martin, Branching rules revisited, Operations Research Letters 33 (2005), 42-54. Deviations: trials have a budget in simplex
 * iterations, beyond which pseudo-costs are trusted as they are; and some columns are tried at once, on several threads, so that a
 * child which is closed does not spare the trials beside it.
 */
#include "mip/branch.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/trials.h"

enum {
    RELIABLE = 8,      /* observations in each direction after which pseudo-costs are believed */
    LOOKAHEAD = 8,     /* trials without a better score that end the trials of a node */
    MOST_TRIALS = 100, /* candidates considered for trials in a node */
    TOGETHER = 5,      /* columns tried at once, whatever the others say */
    LEAST_ITERATIONS = 10,
    MOST_ITERATIONS = 300 /* of one trial */
};

static double product(double down, double up) { return fmax(down, SCORE_FLOOR) * fmax(up, SCORE_FLOOR); }

static int observations(const mip_search *s, int j)
{
    int a = s->pseudo.count[0][j], b = s->pseudo.count[1][j];
    return a < b ? a : b;
}

typedef struct scored_column {
    int col;
    double score, down, up;
} scored_column;

/* By falling score, then column. */
static int by_score(const void *a, const void *b)
{
    const scored_column *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score) : x->col - y->col;
}

/* Trials of a node: their iterations. */
typedef struct trial_budget {
    long long all, each; /* of all that there have been, and of one */
} trial_budget;

static trial_budget budget_of(const mip_search *s)
{
    const relax *r = &s->lp.relax;
    long long average = r->solves > 0 ? r->iterations / r->solves : LEAST_ITERATIONS;
    long long each = 2 * average < LEAST_ITERATIONS  ? LEAST_ITERATIONS
                     : 2 * average > MOST_ITERATIONS ? MOST_ITERATIONS
                                                     : 2 * average;
    return (trial_budget){r->iterations / 2 + 10000, each};
}

static scored_column guess(const mip_search *s, int j)
{
    double f = fraction_of(s->lp.x[j]);
    double down = f * pseudo_expect(&s->pseudo, j, false), up = (1 - f) * pseudo_expect(&s->pseudo, j, true);
    double entries = (double)(s->model->col_start[j + 1] - s->model->col_start[j]);
    /* where all gains are nil, columns near one half and in many rows come first */
    double tie = FRACTION_WEIGHT * f * (1 - f) * entries;
    return (scored_column){j, product(down, up) * (1 + ENTRIES_WEIGHT * entries / (1 + entries)) + tie, down, up};
}

static void deduce(mip_search *s, mip_node *n, int col)
{
    bound_change *more = mem_resize(n->deduced, (size_t)n->deductions + 1, sizeof *more);
    if (!more) return; /* the deduction then holds only while the node is hot */
    n->deduced = more;
    more[n->deductions++] = (bound_change){col, s->dom.lower[col], s->dom.upper[col]};
}

/* What the trials t [2] of c->col, down and up, say. BRANCH_COLUMN: c has their gains, which pseudo-costs have learned. */
static branch_end learn_from(mip_search *s, mip_node *n, const child_trial t[2], scored_column *c)
{
    int j = c->col;
    if (t[0].end == RELAX_STOPPED || t[1].end == RELAX_STOPPED) return BRANCH_STOPPED;
    bool closed[2] = {trial_closed(&t[0]), trial_closed(&t[1])};
    if (closed[0] && closed[1]) return BRANCH_INFEASIBLE;
    if (closed[0] || closed[1]) {
        bool alive = closed[0] ? domain_set_lower(&s->dom, j, t[1].lower) : domain_set_upper(&s->dom, j, t[0].upper);
        deduce(s, n, j);
        return alive ? BRANCH_TIGHTENED : BRANCH_INFEASIBLE;
    }
    double f = fraction_of(s->lp.x[j]);
    pseudo_learn(&s->pseudo, j, false, f, t[0].gain);
    pseudo_learn(&s->pseudo, j, true, 1 - f, t[1].gain);
    *c = (scored_column){j, product(t[0].gain, t[1].gain), t[0].gain, t[1].gain};
    return BRANCH_COLUMN;
}

/* Columns in the order of their guesses, and how far the choice among them has come. */
typedef struct selection {
    scored_column *column; /* owned: [count] */
    int count, next;       /* looked at so far */
    int best, since_better;
    double best_score;
} selection;

static bool unreliable(const mip_search *s, const selection *y, int k)
{
    return k < MOST_TRIALS && observations(s, y->column[k].col) < RELIABLE;
}

/* The trials of the next columns that will be tried whatever these trials say: t [2 TOGETHER]; tried [TOGETHER], the columns'
 * places. Their number. */
static int list_trials(const mip_search *s, const selection *y, child_trial t[], int tried[])
{
    int count = 0, left = LOOKAHEAD - y->since_better, most = left < TOGETHER ? left : TOGETHER;
    for (int k = y->next; k < y->count && count < most; k++) {
        if (!unreliable(s, y, k)) continue;
        int j = y->column[k].col;
        double floor_x = floor(s->lp.x[j]);
        t[2 * count] = (child_trial){.col = j, .lower = s->dom.lower[j], .upper = floor_x};
        t[2 * count + 1] = (child_trial){.col = j, .lower = floor_x + 1, .upper = s->dom.upper[j]};
        tried[count++] = k;
    }
    return count;
}

static void consider(selection *y, int k, bool tried)
{
    if (y->column[k].score > y->best_score) {
        y->best_score = y->column[k].score;
        y->best = k;
        y->since_better = 0;
    } else if (tried) {
        y->since_better++;
    }
}

/* Tries some columns, if any is left to be tried, and goes past them. BRANCH_COLUMN: none was closed. */
static branch_end try_next(mip_search *s, mip_node *n, selection *y, const trial_budget *b)
{
    child_trial t[2 * TOGETHER];
    int tried[TOGETHER], count = s->strong_iterations < b->all ? list_trials(s, y, t, tried) : 0,
                         end = count ? tried[count - 1] + 1 : y->count;
    branch_end all = BRANCH_COLUMN;
    if (count) trials_make(s, t, 2 * count, b->each);
    if (s->end.memory) return BRANCH_STOPPED;
    for (int k = y->next, q = 0; k < end; k++) {
        bool now = q < count && k == tried[q];
        if (now) {
            branch_end one = learn_from(s, n, &t[2 * q++], &y->column[k]);
            if (one == BRANCH_STOPPED || one == BRANCH_INFEASIBLE) return one;
            if (one == BRANCH_TIGHTENED) all = one;
        }
        consider(y, k, now);
    }
    y->next = end;
    return all;
}

branch_end branch_select(mip_search *s, mip_node *n, int *col, bool *up_first)
{
    int count = s->lp.fractions;
    CHECK_COMPARE(count, >, 0);
    selection y = {.column = MEM_NEW(scored_column, count), .count = count, .best_score = -1};
    *col = s->lp.fractional[0];
    *up_first = fraction_of(s->lp.x[*col]) > 0.5;
    if (!y.column) return BRANCH_COLUMN;
    for (int k = 0; k < count; k++) y.column[k] = guess(s, s->lp.fractional[k]);
    qsort(y.column, (size_t)count, sizeof *y.column, by_score);

    branch_end end = BRANCH_COLUMN;
    trial_budget b = budget_of(s);
    while (y.next < count && end == BRANCH_COLUMN) end = try_next(s, n, &y, &b);
    if (end == BRANCH_TIGHTENED && !domain_propagate(&s->dom)) end = BRANCH_INFEASIBLE;
    *col = y.column[y.best].col;
    CHECK(s->model->integer[*col]);
    *up_first = y.column[y.best].up <= y.column[y.best].down;
    mem_free(y.column);
    return end;
}
