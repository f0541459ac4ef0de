/* plan/ccil/ccil.h - the plans of CCIL made so far, each once.
 *
 * Segments are numbered in the order in which they are met; 0 is the root. A knowledge state that owes the same again is the same
 * segment: p(.) (and the floors) are compared on grids. Planning a segment gives its exits their segments, not yet
 * planned.
 */
#ifndef PLAN_CCIL_CCIL_H
#define PLAN_CCIL_CCIL_H

#include <vouch/ccil.h>

#include "base/intern.h"
#include "base/pool.h"
#include "mdp/model.h"
#include "policy/policy.h"
#include "plan/ccil/segment.h"

/* Step of the grid on which the owed probabilities of two meetings are compared: above the rounding of different orders
 * of summation, and so small that the sum over all replannings stays far below KEEP_TOLERANCE. */
#define CCIL_GRID 1e-12

struct vouch_ccil {
    const vouch_model *m; /* rescaled: of the one given, to which its arrays belong */
    vouch_model rescaled;
    const vouch_model *given; /* not rescaled: that of the caller, or of its losses */
    loss_model losses;        /* of the caller's model where its rewards are wide (mdp/model.h), else empty */
    int attempt;              /* rescale_options */
    vouch_ccil_options options;
    double tolerance;        /* of p(k) in each plan but the first */
    double probability_step; /* of the grid of p(k): at most CCIL_GRID */
    double value_step;       /* of the grid of floors: a few times their rounding */
    segment **segment;       /* [segments] */
    int segments;
    size_t capacity;
    intern keys;   /* (time, state, set, p, floor, weight, averages): number of the segment */
    uint64_t *key; /* [key_words] one, scratch */
    int key_words;
    int words;             /* of a set of environments */
    promise_averages owed; /* owned: what the root owes on average; scratch of its exits' */
    long long programs, reused, kept_on, unproved;
    deadline limit; /* of an evaluation, from the creation on */
    /* of the last evaluation */
    vouch_environment_figures *figures; /* [K] rows of the model, of which the first are those of its environments */
    double *commitments;                /* [K] */
    double max_regret, total_regret, missing_probability, seconds;
    double first_regret; /* maximum, of the root's plan followed to the end */
    double *weights;     /* [environments] WEIGHTED; else NULL */
    long long missing;
    bool evaluated;
};

/* What plans may take. */
typedef struct ccil_budget {
    const deadline *limit;
    double share;  /* of the seconds that are left when a plan begins: so much for this one */
    pool *threads; /* NULL: one plan after the other, with all threads inside each */
} ccil_budget;

/* Plans those of the segments which[count] that are not planned, in parallel; the outcome does not depend on the number of
 * threads. */
vouch_status ccil_plan_segments(vouch_ccil *c, const int which[], int count, const ccil_budget *budget, vouch_error *error);

/* V of every segment, the last ones first, and what is missing. ERROR_MEMORY. */
vouch_status ccil_sum_backwards(vouch_ccil *c);

/* The table with its root, not yet planned. scale: how rewards are rescaled; no gap, so that none is moved. */
vouch_status ccil_start(const vouch_model *m, const vouch_ccil_options *options, const rescale_options *scale, vouch_ccil **out,
                        vouch_error *error);

#endif
