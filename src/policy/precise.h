/* policy/precise.h - the environments of a model over the nodes of its policies in numbers of 640 bits (exact/process.h): what a
 * policy earns, and what it could, where doubles lose the digits that claims show.
 */
#ifndef POLICY_PRECISE_H
#define POLICY_PRECISE_H

#include "exact/process.h"
#include "know/classes.h"
#include "policy/policy.h"

/* Lives in the exact memory that it was made in. */
typedef struct precise_model {
    const vouch_model *rows; /* a row for each promise of an environment */
    int K, J, width;         /* environments, promises, 1 + J */
    exact_process **env;     /* [K] */
    mpf_t *least;            /* [K * J] from which on a promise counts as kept */
    mpf_t *optimum;          /* [K] U* */
    mpf_t *price;            /* [K * J] as exact_process_optimum has it */
    bool feasible;           /* every environment can keep its promises */
} precise_model;

/* Is it small enough? Of the graph's nodes and choices or, if c is not NULL, of classes and slots. `arcs`: most of them. */
bool precise_fits(const vouch_model *rows, const know_graph *g, const know_classes *c, double arcs);
/* Are all numbers of the model decimals of few digits, so that a reader of its text sees the same ones? */
bool precise_is_read(const vouch_model *rows);
/* With U* of every environment, for promises p [rows] (NULL: the model's) that count as kept within a tolerance. Inside exact
 * memory. rows: with the rewards given, or choices that differ would be twins in c. */
precise_model *precise_new(const vouch_model *rows, const know_graph *g, const know_classes *c, const double p[], double tolerance);

/* a - b of environment k to the nearest double, 0 where they differ by rounding alone. */
double precise_difference(const precise_model *x, int k, const mpf_t a, const mpf_t b);
/* U*, U and regret of the rows of environment k. */
void precise_set_figures(const precise_model *x, int k, const mpf_t earned, vouch_environment_figures figure[]);

/* U*, U and regret of a policy, prob [choices], or [slots] of classes: written to figure [rows], where they are known. Outside of
 * exact memory. ERROR_MEMORY. */
vouch_status precise_figures(const vouch_model *rows, const know_graph *g, const know_classes *c, const double prob[],
                             vouch_environment_figures figure[]);

#endif
