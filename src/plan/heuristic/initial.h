/* plan/heuristic/initial.h - first incumbents, before any bound: what each environment would do alone, and given policies, improved
 * by local search. */
#ifndef PLAN_HEURISTIC_INITIAL_H
#define PLAN_HEURISTIC_INITIAL_H

#include "plan/heuristic/incumbent.h"
#include "policy/policy.h"

/* What is known before the optima are. */
typedef struct initial_policy {
    double *table; /* [T * pairs] a deterministic Markov policy that keeps the promises; NULL: none was found */
    double *most;  /* [K] no policy earns more */
    double regret; /* no regret of the policy is larger */
} initial_policy;

/* A policy that a backward induction and some more find to keep the promises of `so`, into *out; it stays empty where none of
 * them keeps them before the limit has passed, which the first does not obey where it is short (mdp/feasibility.h). few: of few
 * environments first, which is soon done. Where *out has a policy, the one of a single induction takes its place if it regrets
 * less. */
vouch_status initial_first(const vouch_model *m, const space_options *so, const deadline *limit, bool few, initial_policy *out);
void initial_policy_free(initial_policy *policy); /* an empty one is fine */

/* Offers the Markov policy table [T * pairs], each state's most probable action where it is not deterministic. */
void initial_markov(incumbent *inc, const double table[]);
/* Offers a policy that keeps the promises as far as one of few backward inductions can, whatever it earns: for when time is short.
 */
void initial_feasible(incumbent *inc);
/* Environments whose own policies are offered: of many these, evenly. Each costs a local search over all. */
enum { INITIAL_ENVIRONMENTS = 128 };
/* Offers the constrained-optimal policy of each environment, of more than `most` of so many of them. */
vouch_status initial_single_environments(incumbent *inc, int most, const deadline *limit);
/* The same over Markov policies (L = 0), which are L-updates policies for every L and quick to evaluate; the best is then
 * offered to inc, whose space may be of any L. */
vouch_status initial_from_markov(incumbent *inc, const deadline *limit);

/* Offers a deterministic policy of the space's L or of fewer updates. Markov policies (L = 0) are L-updates policies for every L;
 * of others *whole says whether b_L tells all that they look at: where it does not, what is nearest to it is offered. ERROR_INPUT
 * says why a policy is none of these; whether it keeps the commitment is for vouch_policy_evaluate. */
vouch_status initial_given(incumbent *inc, const vouch_policy *start, bool *whole, vouch_error *error);

/* A policy of the space's L or a Markov one, which may be stochastic: prob [choices] written; nodes without a rule sum to 0. */
vouch_status initial_choices(const know_graph *g, const vouch_policy *start, double prob[], vouch_error *error);

#endif
