/* plan/spatial/certify.h - how good is a stochastic policy? Branch and bound over boxes of action probabilities.
 *
 * The root box holds all policies; a box is bounded by box_bound_solve (box.h) and, unless that shows that nothing in it is
 * better than the best policy known by more than the gap, split where the policies of its mixture differ most. Best bound first:
 *
 *     bound = min over open boxes B of  bound(B),      cutoff = regret of the best policy - gap.
 *
 * Source: J. Falk, R. Soland, Management Science 15 (1969). Cost: a bound a box and the trials of box_branch.c.
 * Invariant: every policy that keeps the commitment is in an open box or in one closed with a bound that it attains at best.
 */
#ifndef PLAN_SPATIAL_CERTIFY_H
#define PLAN_SPATIAL_CERTIFY_H

#include "plan/spatial/box.h"
#include "plan/spatial/multistart.h"

/* Writes the proof, case by case: the root box is case 1. */
typedef struct box_witness {
    void *context;
    /* The case is divided at a choice: the number of the lower part; the upper one has the next. */
    int (*part)(void *context, int id, int choice, double at);
    /* Do these multipliers bound the case, whose box is in b, by `goal`? If so it is closed. */
    bool (*close)(void *context, int id, box_bound *b, const multipliers *m, double goal);
} box_witness;

typedef struct certify_options {
    double gap;           /* absolute */
    double floor;         /* a bound already proved */
    double ceiling;       /* no policy's maximum regret exceeds it: boxes bounded above it hold none that keeps the commitment */
    long long inductions; /* most backward inductions; 0: no limit */
    bool agree;           /* bounds of policies whose classes agree */
    deadline limit;       /* nodes, seconds, interrupt */
    vouch_trace *trace;   /* NULL: none */
    const box_witness *witness; /* NULL: none */
    void (*progress)(void *context, double incumbent, double bound, long long nodes, long long open);
    void *progress_context;
} certify_options;

typedef struct certify_result {
    bool infeasible; /* proved: no policy keeps the commitment */
    double bound;
    long long nodes, inductions;
} certify_result;

/* Works with or without a policy in s; better ones met on the way go to s. Classes without Pareto sets. */
vouch_status certify_run(const policy_space *space, multistart *s, const certify_options *options, certify_result *result);

#endif
