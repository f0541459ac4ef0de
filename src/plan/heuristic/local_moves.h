/* plan/heuristic/local_moves.h - what passes over a policy's nodes from the horizon backwards are made of, for
 * plan/heuristic/local_search.c and plan/heuristic/threshold_accepting.c.
 *
 * The policy is inc->pick, its figures inc->now. At each node in turn: local_enter, then local_change of choices that might be
 * taken, then local_take of one. While a pass is at node n values below are fresh and probabilities of coming hold above it.
 * O(edges K) a pass.
 */
#ifndef PLAN_HEURISTIC_LOCAL_MOVES_H
#define PLAN_HEURISTIC_LOCAL_MOVES_H

#include "plan/heuristic/incumbent.h"

/* Figures and probabilities of coming, of inc->pick. */
void local_evaluate(incumbent *inc);
/* A pass begins; after local_evaluate. */
void local_begin(incumbent *inc);
/* It is at node n: its values under its pick, which is guessed where nothing is decided. Is it come to? */
bool local_enter(incumbent *inc, int n);
/* What choice c instead of the pick of node n changes: dU [K], and dPr [K] after it. */
void local_change(const incumbent *inc, int n, int c, double d[]);
/* Takes c, which changes so much. */
void local_take(incumbent *inc, int n, int c, const double d[]);

#endif
