/* All deterministic policies of a small space, one after the other, with their exact figures. */
#ifndef TESTS_POLICIES_AID_H
#define TESTS_POLICIES_AID_H

#include "plan_aid.h"

#include "know/graph.h"
#include "policy/space.h"

enum { MOST_POLICIES = 1500 };

/* The policies of allowed [choices]: U, then Pr, of each, and its choice at each node. */
typedef struct policies {
    const policy_space *space;
    const unsigned char *allowed;
    int *pick, count;
    int *picks;                   /* [MOST_POLICIES * nodes] */
    double *prob, *reach, *value; /* [choices], [nodes * K], [MOST_POLICIES * 2K] */
} policies;

static void enumerate(policies *p, int n)
{
    const know_graph *g = p->space->g;
    if (p->count == MOST_POLICIES) return;
    if (n == g->time_start[g->T]) {
        memcpy(p->picks + (size_t)p->count * (size_t)g->nodes, p->pick, (size_t)g->nodes * sizeof *p->pick);
        double *U = p->value + (size_t)p->count++ * 2 * (size_t)g->K;
        propagate_pick(g, p->pick, p->prob);
        propagate_forward(g, p->prob, p->reach, U, U + g->K);
        return;
    }
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!p->allowed[c] || g->choice_twin[c] != c) continue;
        p->pick[n] = c;
        enumerate(p, n + 1);
    }
}

static policies policies_of(const policy_space *space, const unsigned char allowed[])
{
    size_t nodes = (size_t)space->g->nodes, K = (size_t)space->K;
    policies p = {.space = space, .allowed = allowed};
    p.pick = calloc(nodes, sizeof *p.pick);
    p.prob = calloc((size_t)space->g->choices, sizeof *p.prob);
    p.reach = calloc(nodes * K, sizeof *p.reach);
    p.value = calloc((size_t)MOST_POLICIES * 2 * K, sizeof *p.value);
    p.picks = calloc((size_t)MOST_POLICIES * nodes, sizeof *p.picks);
    assert_true(p.pick && p.picks && p.prob && p.reach && p.value);
    for (size_t n = 0; n < nodes; n++) p.pick[n] = -1;
    enumerate(&p, 0);
    return p;
}

static void free_policies(policies *p)
{
    free(p->pick);
    free(p->picks);
    free(p->prob);
    free(p->reach);
    free(p->value);
}

#endif
