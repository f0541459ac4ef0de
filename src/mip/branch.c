/* mip/branch.c - reliability branching.
 *
 * score(j) = max(down, eps) * max(up, eps), the expected rises of the objective in the two children: by pseudo-costs where both
 * directions have been seen often enough, else by solving the children for a few iterations (strong branching), whose results in
 * turn are remembered. A child without a point, or beyond the cutoff, tightens the node itself. Source: T. Achterberg, T. Koch, A.
 * Martin, Branching rules revisited, Operations Research Letters 33 (2005), 42-54. Deviation: trials have a budget in simplex
 * iterations, beyond which pseudo-costs are trusted as they are.
 */
#include "mip/branch.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/trace.h"

enum {
    RELIABLE = 8,      /* observations in each direction after which pseudo-costs are believed */
    LOOKAHEAD = 8,     /* trials without a better score that end the trials of a node */
    MOST_TRIALS = 100, /* candidates considered for trials in a node */
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

/* What the trials of a node know and have spent. */
typedef struct trials {
    packed_basis *basis; /* owned: to start each from; taken at the first */
    bool taken;
    long long budget, each; /* iterations of all that there have been, and of one */
} trials;

typedef struct bounds {
    double lower, upper;
} bounds;

/* Solves one child for a few iterations. *gain: the proved rise of the objective. True: the child is closed. */
static bool trial(mip_search *s, int col, bounds child, const trials *t, double *gain, bool *stopped)
{
    double old_lower = s->lp.relax.lower[col], old_upper = s->lp.relax.upper[col];
    long long before = s->lp.relax.iterations;
    relax_set_bound(&s->lp.relax, col, child.lower, child.upper);
    double since = trace_start(s->options->trace);
    relax_end end = relax_solve(&s->lp.relax, s->best.cutoff, t->each);
    trace_stop(s->options->trace, KERNEL_strong_branching, since);
    s->strong_iterations += s->lp.relax.iterations - before;
    bool closed = end == RELAX_INFEASIBLE || end == RELAX_CUTOFF;
    *gain = 0;
    if (end == RELAX_OPTIMAL) *gain = fmax(relax_value(&s->lp.relax) - s->lp.value, 0);
    if (end == RELAX_LIMIT && isfinite(s->lp.relax.result.bound)) *gain = fmax(s->lp.relax.result.bound - s->lp.value, 0);
    if (end == RELAX_CUTOFF) s->tree.closed = fmin(s->tree.closed, s->best.cutoff);
    *stopped = end == RELAX_STOPPED;
    relax_set_bound(&s->lp.relax, col, old_lower, old_upper);
    relax_set_basis(&s->lp.relax, t->basis);
    return closed;
}

static void deduce(mip_search *s, mip_node *n, int col)
{
    bound_change *more = mem_resize(n->deduced, (size_t)n->deductions + 1, sizeof *more);
    if (!more) return; /* the deduction then holds only while the node is hot */
    n->deduced = more;
    more[n->deductions++] = (bound_change){col, s->dom.lower[col], s->dom.upper[col]};
}

static trials trials_of(const mip_search *s)
{
    const relax *r = &s->lp.relax;
    long long average = r->solves > 0 ? r->iterations / r->solves : LEAST_ITERATIONS;
    long long each = 2 * average < LEAST_ITERATIONS  ? LEAST_ITERATIONS
                     : 2 * average > MOST_ITERATIONS ? MOST_ITERATIONS
                                                     : 2 * average;
    return (trials){.budget = r->iterations / 2 + 10000, .each = each};
}

/* Both children of c->col are tried. BRANCH_COLUMN: c has their gains, which pseudo-costs have learned; else the node is
 * done with for now. */
static branch_end try_children(mip_search *s, mip_node *n, trials *t, scored_column *c)
{
    int j = c->col;
    double f = fraction_of(s->lp.x[j]), floor_x = floor(s->lp.x[j]), gain[2];
    bool stopped[2] = {false, false}, closed[2];
    if (!t->taken) t->basis = relax_basis(&s->lp.relax);
    t->taken = true;
    closed[0] = trial(s, j, (bounds){s->dom.lower[j], floor_x}, t, &gain[0], &stopped[0]);
    closed[1] = !stopped[0] && trial(s, j, (bounds){floor_x + 1, s->dom.upper[j]}, t, &gain[1], &stopped[1]);
    if (stopped[0] || stopped[1]) return BRANCH_STOPPED;
    if (closed[0] && closed[1]) return BRANCH_INFEASIBLE;
    if (closed[0] || closed[1]) {
        bool alive = closed[0] ? domain_set_lower(&s->dom, j, floor_x + 1) : domain_set_upper(&s->dom, j, floor_x);
        deduce(s, n, j);
        return alive && domain_propagate(&s->dom) ? BRANCH_TIGHTENED : BRANCH_INFEASIBLE;
    }
    pseudo_learn(&s->pseudo, j, false, f, gain[0]);
    pseudo_learn(&s->pseudo, j, true, 1 - f, gain[1]);
    *c = (scored_column){j, product(gain[0], gain[1]), gain[0], gain[1]};
    return BRANCH_COLUMN;
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

branch_end branch_select(mip_search *s, mip_node *n, int *col, bool *up_first)
{
    CHECK_COMPARE(s->lp.fractions, >, 0);
    scored_column *c = MEM_NEW(scored_column, s->lp.fractions);
    *col = s->lp.fractional[0];
    *up_first = fraction_of(s->lp.x[*col]) > 0.5;
    if (!c) return BRANCH_COLUMN;
    for (int k = 0; k < s->lp.fractions; k++) c[k] = guess(s, s->lp.fractional[k]);
    qsort(c, (size_t)s->lp.fractions, sizeof *c, by_score);

    branch_end end = BRANCH_COLUMN;
    trials t = trials_of(s);
    int since_better = 0, best = 0;
    double best_score = -1;
    for (int k = 0; k < s->lp.fractions; k++) {
        bool tried =
            observations(s, c[k].col) < RELIABLE && k < MOST_TRIALS && since_better < LOOKAHEAD && s->strong_iterations < t.budget;
        if (tried && (end = try_children(s, n, &t, &c[k])) != BRANCH_COLUMN) break;
        if (c[k].score > best_score) {
            best_score = c[k].score;
            best = k;
            since_better = 0;
        } else if (tried) {
            since_better++;
        }
    }
    packed_basis_free(t.basis);
    *col = c[best].col;
    CHECK(s->model->integer[*col]);
    *up_first = c[best].up <= c[best].down;
    mem_free(c);
    return end;
}
