/* know/pareto.c - builds the Pareto sets from the horizon backwards.
 *
 * V(n) = Pareto filter of the union over choices c of
 *     { R(c) + sum over edges e of P_e * v_e : v_e in V(child of e) },
 * where the sum is over environments that follow e. A policy that uses a vector fails the commitment in k with probability at least
 * Pr(n | k) (1 - Pr(k)), where Pr(n | k) is at least the probability of the rarest path: if that breaks the commitment the vector
 * is dropped. (All environments of the set of n reach it: before and at L since they are consistent with the history, and below a
 * node at L that has a set since each choice leads to one successor.) Almost all pairs of vectors do not dominate each other; two
 * words each (steps) detect most of these. */
#include "know/graph.h"

#include <math.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"

/* Between two reads of the clock. */
static const int NODES_PER_CHECK = 64, COMBINATIONS_PER_CHECK = 1024;

/* The steps of its values that a vector reaches, and those that every vector dominating it reaches. */
typedef struct steps {
    uint64_t reached, passed;
} steps;
enum { STEP_BITS = 64, STEPS_FIRST = 32, STEPS_AGAIN = 4 }; /* steps are recomputed at 32, 128, 512, .. candidates */

typedef struct pareto_maker {
    arena memory; /* of the fixed arrays */
    const know_graph *g;
    pareto_sets *f;
    int cap;
    const deadline *limit;  /* NULL: none */
    long long combined;     /* combinations tried */
    const double *accepted; /* [K] or NULL */
    double *least;          /* [nodes * K] probability of the rarest path to the node, INFINITY: none; NULL if accepted is */
    int dim;                /* 2K */
    double same;            /* rounding of U(k) in a step */
    size_t value_capacity, choice_capacity, child_start_capacity, child_capacity;
    int children;
    steps *step;     /* [candidates] */
    double *edge;    /* [STEP_BITS] */
    int next_steps;  /* number of candidates at which they are recomputed */
    int steps_a_row; /* for each environment; 0: there are none yet */
    size_t step_capacity;
    double *candidate;                       /* [cap candidates * dim] */
    int *candidate_choice, *candidate_child; /* child: [candidates * widest] */
    size_t candidate_capacity, candidate_choice_capacity, candidate_child_capacity;
    int candidates;
    int widest;  /* largest number of edges of a choice */
    bool *exact; /* [nodes] transitions from here on are deterministic and do not meet again */
} pareto_maker;

/* True if every choice sends each environment of the node's set to one successor. */
static bool node_deterministic(const know_graph *g, int n)
{
    bool after = g->boundary[n] >= 0;
    const int *env = g->member + g->member_start[g->set[n]];
    int count = know_set_size(g, g->set[n]);
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (after && g->edge_start[c + 1] - g->edge_start[c] != 1) return false;
        for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
            for (int i = 0; i < count; i++) {
                double p = g->successor_prob[(size_t)g->edge_row[e] * (size_t)g->K + (size_t)env[i]];
                if (p != 0 && p != 1) return false;
            }
    }
    return true;
}

static vouch_status mark_exact(pareto_maker *mk)
{
    const know_graph *g = mk->g;
    mk->exact = ARENA_NEW(&mk->memory, bool, g->nodes);
    if (!mk->exact) return VOUCH_ERROR_MEMORY;
    bool model_deterministic = true;
    for (int n = g->nodes - 1; n >= 0; n--) {
        bool exact = node_deterministic(g, n);
        if (!exact) model_deterministic = false;
        for (int c = g->choice_start[n]; exact && c < g->choice_start[n + 1]; c++)
            for (int e = g->edge_start[c]; exact && e < g->edge_start[c + 1]; e++) exact = mk->exact[g->edge_child[e]];
        mk->exact[n] = exact;
        int edges = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (g->edge_start[c + 1] - g->edge_start[c] > edges) edges = g->edge_start[c + 1] - g->edge_start[c];
        if (edges > mk->widest) mk->widest = edges;
    }
    if (!model_deterministic) /* nodes before L may be shared by parents that disagree */
        for (int n = 0; n < g->time_start[g->L]; n++) mk->exact[n] = false;
    return VOUCH_OK;
}

static bool out_of_time(const pareto_maker *mk) { return mk->limit && deadline_expired(mk->limit); }

/* The rarest path to each node in each environment; incomplete if out of time. */
static vouch_status find_least(pareto_maker *mk)
{
    const know_graph *g = mk->g;
    size_t K = (size_t)g->K;
    mk->least = ARENA_NEW(&mk->memory, double, (size_t)g->nodes *K);
    if (!mk->least) return VOUCH_ERROR_MEMORY;
    for (int n = 0; n < g->nodes; n++) {
        if (n % NODES_PER_CHECK == 0 && out_of_time(mk)) return VOUCH_OK;
        for (size_t k = 0; k < K; k++) mk->least[(size_t)n * K + k] = n > 0 ? INFINITY : 1;
    }
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (n % NODES_PER_CHECK == 0 && out_of_time(mk)) return VOUCH_OK;
        for (int e = g->edge_start[g->choice_start[n]]; e < g->edge_start[g->choice_start[n + 1]]; e++) {
            int child = g->edge_child[e], set = g->set[child];
            const double *here = mk->least + (size_t)n * K, *p = g->successor_prob + (size_t)g->edge_row[e] * K;
            double *there = mk->least + (size_t)child * K;
            for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++) {
                int k = g->member[i];
                if (p[k] > 0) there[k] = fmin(there[k], here[k] * p[k]);
            }
        }
    }
    return VOUCH_OK;
}

/* True if every policy that uses v at node n breaks the commitment. */
static bool breaks(const pareto_maker *mk, int n, const double *v)
{
    const know_graph *g = mk->g;
    size_t K = (size_t)g->K;
    if (!mk->accepted) return false;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
        size_t k = (size_t)g->member[i];
        double least = mk->least[(size_t)n * K + k];
        if (v[K + k] < 1 && least <= 1 && 1 - least * (1 - v[K + k]) < mk->accepted[k]) return true;
    }
    return false;
}

/* True if no coordinate of x is smaller than that of y, up to rounding. Probabilities are 0 or 1. */
static bool dominates(const pareto_maker *mk, const double *x, const double *y)
{
    int K = mk->g->K;
    for (int i = 0; i < K; i++)
        if (x[i] < y[i] - mk->same || x[K + i] < y[K + i]) return false;
    return true;
}

static steps steps_of(const pareto_maker *mk, const double *v)
{
    steps s = {0, 0};
    for (int k = 0, bit = 0; k < mk->g->K && bit + mk->steps_a_row <= STEP_BITS; k++)
        for (int i = 0; i < mk->steps_a_row; i++, bit++) {
            s.reached |= (uint64_t)(v[k] >= mk->edge[bit]) << bit;
            s.passed |= (uint64_t)(v[k] >= mk->edge[bit] + 2 * mk->same) << bit;
        }
    return s;
}

/* Steps at equal distances over the range of the candidates, in as many environments as bits allow. */
static void lay_steps(pareto_maker *mk)
{
    int K = mk->g->K;
    mk->steps_a_row = K > STEP_BITS ? 1 : STEP_BITS / K;
    for (int k = 0, bit = 0; k < K && bit + mk->steps_a_row <= STEP_BITS; k++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < mk->candidates; i++) {
            double u = mk->candidate[(size_t)i * (size_t)mk->dim + (size_t)k];
            least = fmin(least, u), most = fmax(most, u);
        }
        for (int i = 0; i < mk->steps_a_row; i++) mk->edge[bit++] = least + (i + 1) * (most - least) / (mk->steps_a_row + 1);
    }
    for (int i = 0; i < mk->candidates; i++) mk->step[i] = steps_of(mk, mk->candidate + (size_t)i * (size_t)mk->dim);
}

/* Adds the candidate at node n unless dominated or dropped; removes those it dominates. 0 fine, 1 over the cap, -1 memory. */
static int offer(pareto_maker *mk, int node, const double *v, int choice, const int *children, int edges)
{
    CHECK_COMPARE(edges, <=, mk->widest);
    if (breaks(mk, node, v)) return 0;
    const steps s = steps_of(mk, v);
    for (int i = 0; i < mk->candidates; i++)
        if (!(s.passed & ~mk->step[i].reached) && dominates(mk, mk->candidate + (size_t)i * (size_t)mk->dim, v)) return 0;
    int kept = 0;
    for (int i = 0; i < mk->candidates; i++) {
        if (!(mk->step[i].passed & ~s.reached) && dominates(mk, v, mk->candidate + (size_t)i * (size_t)mk->dim)) continue;
        if (kept != i) {
            memmove(mk->candidate + (size_t)kept * (size_t)mk->dim, mk->candidate + (size_t)i * (size_t)mk->dim,
                    (size_t)mk->dim * sizeof(double));
            memmove(mk->candidate_child + (size_t)kept * (size_t)mk->widest, mk->candidate_child + (size_t)i * (size_t)mk->widest,
                    (size_t)mk->widest * sizeof(int));
            mk->candidate_choice[kept] = mk->candidate_choice[i];
            mk->step[kept] = mk->step[i];
        }
        kept++;
    }
    mk->candidates = kept;
    size_t n = (size_t)kept;
    if (mem_reserve((void **)&mk->candidate, &mk->candidate_capacity, n, (size_t)mk->dim * sizeof(double)) ||
        MEM_RESERVE(&mk->candidate_choice, &mk->candidate_choice_capacity, n) || MEM_RESERVE(&mk->step, &mk->step_capacity, n) ||
        mem_reserve((void **)&mk->candidate_child, &mk->candidate_child_capacity, n, (size_t)mk->widest * sizeof(int)))
        return -1;
    memcpy(mk->candidate + n * (size_t)mk->dim, v, (size_t)mk->dim * sizeof(double));
    memcpy(mk->candidate_child + n * (size_t)mk->widest, children, (size_t)edges * sizeof(int));
    mk->candidate_choice[n] = choice;
    mk->step[n] = s;
    mk->candidates++;
    if (mk->candidates == mk->next_steps) lay_steps(mk), mk->next_steps *= STEPS_AGAIN;
    return mk->candidates > mk->cap ? 1 : 0;
}

/* All combinations of child vectors of choice c. 0 done, 1 over the cap, -1 memory. combo, v: scratch. */
static int combine(pareto_maker *mk, int n, int c, int *combo, double *v)
{
    const know_graph *g = mk->g;
    const pareto_sets *f = mk->f;
    int K = g->K, first = g->edge_start[c], edges = g->edge_start[c + 1] - first;
    double combinations = 1;
    for (int e = 0; e < edges; e++) {
        combo[e] = 0;
        combinations *= f->count[g->edge_child[first + e]];
    }
    if (combinations == 0) return 0; /* a child that cannot keep the commitment */
    if (combinations > 64.0 * mk->cap) return 1;
    const int *env = g->member + g->member_start[g->set[n]];
    int count = know_set_size(g, g->set[n]);
    for (;;) {
        memset(v, 0, (size_t)mk->dim * sizeof *v);
        for (int i = 0; i < count; i++) v[env[i]] = g->reward[(size_t)g->choice_pair[c] * (size_t)K + (size_t)env[i]];
        int *picked = combo + mk->widest;
        for (int e = 0; e < edges; e++) {
            int child = g->edge_child[first + e];
            CHECK_COMPARE(combo[e], <, f->count[child]);
            picked[e] = f->start[child] + combo[e];
            const double *x = f->value + (size_t)picked[e] * (size_t)mk->dim;
            const double *prob = g->successor_prob + (size_t)g->edge_row[first + e] * (size_t)K;
            for (int i = 0; i < count; i++) {
                int k = env[i];
                if (!know_in_set(g, g->set[child], k)) continue;
                v[k] += prob[k] * x[k];
                v[K + k] += prob[k] * x[K + k];
            }
        }
        if (++mk->combined % COMBINATIONS_PER_CHECK == 0 && out_of_time(mk)) return 1;
        int outcome = offer(mk, n, v, c, picked, edges);
        if (outcome) return outcome;
        int e = 0;
        while (e < edges && ++combo[e] == f->count[g->edge_child[first + e]]) combo[e++] = 0;
        if (e == edges) return 0;
    }
}

static int store(pareto_maker *mk, int n)
{
    pareto_sets *f = mk->f;
    const know_graph *g = mk->g;
    CHECK_COMPARE(mk->candidates, <=, mk->cap);
    f->start[n] = f->vectors;
    for (int i = 0; i < mk->candidates; i++) {
        size_t v = (size_t)f->vectors;
        int c = mk->candidate_choice[i], edges = c < 0 ? 0 : g->edge_start[c + 1] - g->edge_start[c];
        if (mem_reserve((void **)&f->value, &mk->value_capacity, v, (size_t)mk->dim * sizeof(double)) ||
            MEM_RESERVE(&f->choice, &mk->choice_capacity, v) || MEM_RESERVE(&f->child_start, &mk->child_start_capacity, v) ||
            MEM_RESERVE(&f->child_vector, &mk->child_capacity, mk->children + edges))
            return -1;
        memcpy(f->value + v * (size_t)mk->dim, mk->candidate + (size_t)i * (size_t)mk->dim, (size_t)mk->dim * sizeof(double));
        f->choice[v] = c;
        f->child_start[v] = mk->children;
        memcpy(f->child_vector + mk->children, mk->candidate_child + (size_t)i * (size_t)mk->widest, (size_t)edges * sizeof(int));
        mk->children += edges;
        f->vectors++;
    }
    f->count[n] = mk->candidates;
    return 0;
}

/* The Pareto set of one node. 0 stored, 1 over the cap (or a child was), -1 memory. known[child]: the child has a set. */
static int make_node(pareto_maker *mk, int n, const bool *known, int *combo, double *v)
{
    const know_graph *g = mk->g;
    mk->candidates = mk->steps_a_row = 0;
    mk->next_steps = STEPS_FIRST;
    if (n >= g->time_start[g->T]) {
        memset(v, 0, (size_t)mk->dim * sizeof *v);
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++)
            v[g->K + g->member[i]] = know_terminal(g, n, g->member[i]);
        int outcome = offer(mk, n, v, -1, combo, 0);
        return outcome ? outcome : store(mk, n);
    }
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (g->choice_twin[c] != c) continue;
        for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
            if (!known[g->edge_child[e]]) return 1;
        int outcome = combine(mk, n, c, combo, v);
        if (outcome) return outcome;
    }
    return store(mk, n);
}

void pareto_free(pareto_sets *f)
{
    if (!f) return;
    MEM_FREE_ALL(f->start, f->count, f->value, f->choice, f->child_start, f->child_vector, f);
}

vouch_status pareto_new(const know_graph *g, int cap, const double accepted[], bool for_root, const deadline *limit,
                        pareto_sets **out)
{
    *out = NULL;
    vouch_status status = VOUCH_ERROR_MEMORY;
    pareto_maker mk = {.g = g, .cap = cap, .dim = 2 * g->K, .widest = 1, .accepted = accepted, .limit = limit};
    mk.same = TOL_STEP * know_reward_spread(g);
    mk.f = MEM_ZERO(pareto_sets, 1);
    bool *known = ARENA_ZERO(&mk.memory, bool, g->nodes);
    double *v = ARENA_NEW(&mk.memory, double, mk.dim);
    mk.edge = ARENA_NEW(&mk.memory, double, STEP_BITS);
    if (!mk.f || mk.memory.failed || mark_exact(&mk) || (accepted && find_least(&mk))) goto done;
    mk.f->start = MEM_ZERO(int, g->nodes);
    mk.f->count = MEM_ZERO(int, g->nodes);
    int *combo = ARENA_NEW(&mk.memory, int, 2 * mk.widest);
    if (!mk.f->start || !mk.f->count || !combo) goto done;
    status = VOUCH_OK;
    for (int n = g->nodes - 1; n >= 0; n--) {
        if ((g->nodes - 1 - n) % NODES_PER_CHECK == 0 && out_of_time(&mk)) break;
        if (!mk.exact[n] && for_root) break;
        if (!mk.exact[n]) continue;
        int outcome = make_node(&mk, n, known, combo, v);
        if (outcome < 0) {
            status = VOUCH_ERROR_MEMORY;
            break;
        }
        known[n] = outcome == 0;
        if (!known[n] && for_root) break;
    }
    for (int n = 0; n < g->nodes; n++)
        if (!known[n]) mk.f->count[n] = -1;
done:
    arena_free(&mk.memory);
    MEM_FREE_ALL(mk.candidate, mk.candidate_choice, mk.step, mk.candidate_child);
    if (status)
        pareto_free(mk.f);
    else
        *out = mk.f;
    return status;
}

/* Recursion only where a choice separates environments, hence less than K deep. */
void pareto_apply(const pareto_sets *f, const know_graph *g, int vector, int pick[])
{
    for (int c = f->choice[vector]; c >= 0; c = f->choice[vector]) {
        int last = g->edge_start[c + 1] - g->edge_start[c] - 1;
        const int *child = f->child_vector + f->child_start[vector];
        CHECK(c < g->choices && g->choice_twin[c] == c);
        pick[know_owner(g, c)] = c;
        if (last < 0) return;
        for (int e = 0; e < last; e++) pareto_apply(f, g, child[e], pick);
        vector = child[last];
    }
}
