/* plan/reduce/dominance.c - see dominance.h. One backward sweep: least and most of a node range over its remaining choices. Cost:
 * an induction over the policy nodes whose options changed since the last call and the nodes above, O(edges K), and O(A^2 K)
 * comparisons a node; the result depends on the allowed options alone. Comparisons use rounded sums, which space->rounding and
 * accepted allow for. Source: action elimination by bounds on both sides, J. MacQueen, Operations Research 15 (1967); the version
 * by environment is our own.
 */
#include "plan/reduce/dominance.h"

#include "base/memory.h"
#include "base/transpose.h"

/* Memory limit. */
static const size_t STORE_BYTES = (size_t)64 << 20;

/* Relative differences treated as equal in proofs, per step and in all: a quarter and a half of the checker's tolerances
 * (src/check/bound.c). */
static const double NEAR_A_STEP = 0x1p-50, NEAR_MOST = 0x1p-41;

struct dominance {
    const policy_space *space;
    bool *comes;                      /* [nodes * K] can the environment reach the node? NULL: the node's set */
    double *least, *most;             /* [nodes * 2K] U(k), then Pr(k); valid for environments of the node */
    double *least_after, *most_after; /* [A * 2K] after the choices of one node */
    double *before;                   /* [4K] scratch: previous values of a node */
    double *highest;                  /* [2K] largest `least` over the choices of one node */
    unsigned char *was, *left;        /* [options] allowed in the last call, before and after */
    unsigned char *stale;             /* [nodes] options changed since, here or below */
    int64_t *above_start;             /* [nodes + 1] the choices that lead to a node */
    int *above, *node;                /* [edges] these choices; [choices] their nodes */
    const deadline *limit;            /* of the first call; NULL: none */
    arena memory;
};

void dominance_free(dominance *d) { ARENA_FREE(d); }

/* Twins count once. */
static bool is_considered(const know_graph *g, const unsigned char allowed[], int choice)
{
    return allowed[choice] && g->choice_twin[choice] == choice;
}

static void bound_choice(const dominance *d, int n, int choice, double least[], double most[])
{
    const know_graph *g = d->space->g;
    size_t K = (size_t)g->K;
    const double *r = g->reward + (size_t)g->choice_pair[choice] * K;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
        size_t k = (size_t)g->member[i];
        least[k] = most[k] = r[k];
        least[K + k] = most[K + k] = 0;
    }
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        const double *p = g->successor_prob + (size_t)g->edge_row[e] * K;
        const double *low = d->least + (size_t)g->edge_child[e] * 2 * K, *high = d->most + (size_t)g->edge_child[e] * 2 * K;
        int set = g->set[g->edge_child[e]];
        for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++) {
            size_t k = (size_t)g->member[i];
            if (p[k] <= 0) continue;
            least[k] += p[k] * low[k];
            most[k] += p[k] * high[k];
            least[K + k] += p[k] * low[K + k];
            most[K + k] += p[k] * high[K + k];
        }
    }
}

/* Do the least values of one choice reach the most values of another in all environments of node n? */
static bool never_worse(const dominance *d, int n, const double least[], const double most[])
{
    const know_graph *g = d->space->g;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
        int k = g->member[i];
        bool promised = space_promised(d->space, k);
        if (d->comes && !d->comes[(size_t)n * (size_t)g->K + (size_t)k]) continue;
        double near = d->comes ? 1 - fmin(NEAR_MOST, NEAR_A_STEP * (d->space->m->T + 2)) : 1;
        if (!(least[k] >= near * most[k]) || (promised && !(least[g->K + k] >= near * most[g->K + k]))) return false;
    }
    return true;
}

/* Forbids the dominated choices of node n and returns their number. The last dominating choice is tried first. */
static int forbid_at(dominance *d, int n, unsigned char allowed[])
{
    const know_graph *g = d->space->g;
    size_t width = 2 * (size_t)g->K;
    int first = g->choice_start[n], choices = g->choice_start[n + 1] - first, likely = 0, count = 0;
    /* Bounds of all choices of node n, and their highest `least`: only a choice with `most` below it can be dominated. */
    for (size_t i = 0; i < width; i++) d->highest[i] = -INFINITY;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        double *least = d->least_after + (size_t)(c - g->choice_start[n]) * width;
        if (!is_considered(g, allowed, c)) continue;
        bound_choice(d, n, c, least, d->most_after + (size_t)(c - g->choice_start[n]) * width);
        for (size_t i = 0; i < width; i++) d->highest[i] = fmax(d->highest[i], least[i]);
    }
    for (int c = 0; c < choices; c++) {
        const double *most = d->most_after + (size_t)c * width;
        if (!is_considered(g, allowed, first + c) || !never_worse(d, n, d->highest, most)) continue;
        for (int i = 0; i < choices; i++) {
            int o = likely + i < choices ? likely + i : likely + i - choices;
            if (o == c || !is_considered(g, allowed, first + o)) continue;
            if (!never_worse(d, n, d->least_after + (size_t)o * width, most)) continue;
            likely = o;
            allowed[first + c] = 0;
            count++;
            break;
        }
    }
    return count;
}

/* Extends the range of node n by an option's. */
static void extend(dominance *d, int n, const double least[], const double most[], bool first)
{
    size_t width = 2 * (size_t)d->space->g->K;
    double *low = d->least + (size_t)n * width, *high = d->most + (size_t)n * width;
    for (size_t i = 0; i < width; i++) {
        low[i] = first ? least[i] : fmin(low[i], least[i]);
        high[i] = first ? most[i] : fmax(high[i], most[i]);
    }
}

/* The range of node n; empty, -INFINITY, without options. */
static void bound_node(dominance *d, int n, const unsigned char allowed[])
{
    const know_graph *g = d->space->g;
    size_t width = 2 * (size_t)g->K;
    option_range at = options_of(d->space, n);
    bool first = true;
    for (size_t i = 0; i < width; i++) d->least[(size_t)n * width + i] = d->most[(size_t)n * width + i] = -INFINITY;
    for (int o = at.first; o < at.last; o++) {
        if (at.vectors ? !allowed[o] : !is_considered(g, allowed, o)) continue;
        const double *vector = at.vectors ? d->space->f->value + (size_t)(o - g->choices) * width : NULL;
        size_t choice = at.vectors ? 0 : (size_t)(o - at.first) * width;
        extend(d, n, vector ? vector : d->least_after + choice, vector ? vector : d->most_after + choice, first);
        first = false;
    }
}

/* Recomputes node n and marks the nodes above if its range changed. Returns the number of forbidden choices. */
static int update_node(dominance *d, int n, unsigned char allowed[])
{
    size_t bytes = 2 * (size_t)d->space->g->K * sizeof(double), at = (size_t)n * 2 * (size_t)d->space->g->K;
    double *low = d->before, *high = d->before + bytes / sizeof(double);
    memcpy(low, d->least + at, bytes);
    memcpy(high, d->most + at, bytes);
    int count = options_of(d->space, n).vectors ? 0 : forbid_at(d, n, allowed);
    bound_node(d, n, allowed);
    d->stale[n] = 0;
    if (memcmp(low, d->least + at, bytes) != 0 || memcmp(high, d->most + at, bytes) != 0)
        for (int64_t i = d->above_start[n]; i < d->above_start[n + 1]; i++) d->stale[d->node[d->above[i]]] = 1;
    return count;
}

static bool is_late(const dominance *d) { return d->limit && deadline_expired(d->limit); }

int dominance_forbid(dominance *d, unsigned char allowed[])
{
    const know_graph *g = d->space->g;
    int count = 0;
    for (int n = g->time_start[g->T] - 1; n >= 0 && !is_late(d); n--) {
        option_range at = options_of(d->space, n);
        size_t options = (size_t)(at.last - at.first);
        unsigned char *now = allowed + at.first, *was = d->was + at.first, *left = d->left + at.first;
        if (d->stale[n] || memcmp(now, was, options) != 0) {
            memcpy(was, now, options);
            count += update_node(d, n, allowed);
            memcpy(left, now, options);
        } else
            for (size_t o = 0; o < options; o++) {
                count += now[o] != left[o];
                now[o] = left[o];
            }
    }
    return count;
}

static void bound_horizon(dominance *d)
{
    const know_graph *g = d->space->g;
    for (int n = g->time_start[g->T]; n < g->nodes; n++)
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            size_t pr = (size_t)n * 2 * (size_t)g->K + (size_t)(g->K + g->member[i]);
            d->least[pr] = d->most[pr] = know_terminal(g, n, g->member[i]);
        }
}

/* Is anything dominated while every option is allowed? all: [options] scratch */
static bool finds_any(dominance *d, unsigned char all[])
{
    memset(all, 1, (size_t)d->space->c->options);
    bool any = dominance_forbid(d, all) > 0 && !is_late(d);
    d->limit = NULL;
    return any;
}

/* The environments that can reach each node, as in the checker. */
static void find_environments(dominance *d)
{
    const know_graph *g = d->space->g;
    size_t K = (size_t)g->K;
    for (size_t k = 0; k < K; k++) d->comes[k] = true;
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int e = g->edge_start[g->choice_start[n]]; e < g->edge_start[g->choice_start[n + 1]]; e++)
            for (size_t k = 0; k < K; k++)
                if (d->comes[(size_t)n * K + k] && g->successor_prob[(size_t)g->edge_row[e] * K + k] > 0)
                    d->comes[(size_t)g->edge_child[e] * K + k] = true;
}

/* The choices that lead to each node; all nodes are stale. */
static void make_ways_back(dominance *d)
{
    const know_graph *g = d->space->g;
    arena *a = &d->memory;
    size_t options = (size_t)d->space->c->options;
    int64_t *start = ARENA_NEW(a, int64_t, g->choices + 1);
    d->was = ARENA_ZERO(a, unsigned char, options);
    d->left = ARENA_ZERO(a, unsigned char, options);
    d->stale = ARENA_NEW(a, unsigned char, g->nodes);
    d->above_start = ARENA_NEW(a, int64_t, g->nodes + 1);
    d->above = ARENA_NEW(a, int, g->edges);
    d->node = ARENA_NEW(a, int, g->choices);
    if (a->failed) return;
    memset(d->stale, 1, (size_t)g->nodes);
    for (int c = 0; c <= g->choices; c++) start[c] = g->edge_start[c];
    for (int n = 0; n < g->nodes; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) d->node[c] = n;
    transpose(&(line_matrix){g->choices, start, g->edge_child, NULL}, g->nodes, d->above_start, d->above, NULL);
}

vouch_status dominance_new(const policy_space *space, bool proved, const deadline *limit, dominance **out)
{
    const know_graph *g = space->g;
    size_t width = 2 * (size_t)g->K, nodes = (size_t)g->nodes, A = (size_t)g->m->A;
    *out = NULL;
    if (2 * (nodes + A) > STORE_BYTES / sizeof(double) / width) return VOUCH_OK;
    dominance *d = MEM_ZERO(dominance, 1);
    if (!d) return VOUCH_ERROR_MEMORY;
    arena *a = &d->memory;
    d->space = space;
    d->limit = limit;
    d->least = ARENA_ZERO(a, double, nodes *width);
    d->most = ARENA_ZERO(a, double, nodes *width);
    d->least_after = ARENA_ZERO(a, double, A *width);
    d->most_after = ARENA_ZERO(a, double, A *width);
    d->before = ARENA_NEW(a, double, 2 * width);
    d->highest = ARENA_NEW(a, double, width);
    make_ways_back(d);
    if (proved) d->comes = ARENA_ZERO(a, bool, nodes *(size_t)g->K);
    unsigned char *all = a->failed ? NULL : MEM_NEW(unsigned char, space->c->options);
    if (all) bound_horizon(d);
    if (all && proved) find_environments(d);
    if (all && finds_any(d, all))
        *out = d;
    else
        dominance_free(d);
    vouch_status status = all ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    mem_free(all);
    return status;
}
