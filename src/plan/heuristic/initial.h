/* plan/heuristic/initial.h - first incumbents before any bound: optimal policies of single environments, given policies, and
 * policies of other graphs of the model, improved by local search. */
#ifndef PLAN_HEURISTIC_INITIAL_H
#define PLAN_HEURISTIC_INITIAL_H

#include "plan/heuristic/incumbent.h"

/* A policy found before the optima are computed. */
typedef struct initial_policy {
    double *table; /* [T * pairs] a deterministic Markov policy that keeps the promises; NULL: none found */
    double *most;  /* [K] upper bound on the reward of every policy */
    double regret; /* upper bound on the policy's regret */
} initial_policy;

/* Searches for a policy that keeps the promises of `so` by a few backward inductions; *out stays empty on failure. A short first
 * induction ignores the limit (mdp/dp.h). few: start with few environments, which is fast. If *out has a policy, one
 * induction replaces it if that regrets less. */
vouch_status initial_first(const vouch_model *m, const space_options *so, const deadline *limit, bool few, initial_policy *out);
void initial_policy_free(initial_policy *policy); /* an empty one is fine */

/* Offers the Markov policy table [T * pairs]; in a stochastic one the most probable action of each state. */
void initial_markov(incumbent *inc, const double table[]);
/* Offers the policy of a few backward inductions that keeps the promises best, regardless of reward. */
void initial_feasible(incumbent *inc);
/* Environments whose optimal policies are offered, evenly spaced. Each costs a local search over all. */
enum { INITIAL_ENVIRONMENTS = 128 };
/* Offers the constrained-optimal policies of at most `most` environments. */
vouch_status initial_single_environments(incumbent *inc, int most, const deadline *limit);
/* The same over Markov policies (L = 0), which are L-updates policies for every L and fast to evaluate; the best is then offered
 * to inc. */
vouch_status initial_from_markov(incumbent *inc, const deadline *limit);

/* Offers a deterministic policy with the space's L or less. *whole: the space has it (always for L = 0); else a similar policy was
 * offered. ERROR_INPUT: the policy is none of these, with the reason. Promises are not checked. */
vouch_status initial_given(incumbent *inc, const vouch_policy *start, bool *whole, vouch_error *error);

/* prob [choices] of a policy with the space's L or L = 0, possibly stochastic; nodes without a rule sum to 0. */
vouch_status initial_choices(const know_graph *g, const vouch_policy *start, double prob[], vouch_error *error);

/* ---- a deterministic policy of one graph in another graph of the same model ----
 *
 * From fewer choices to more with the same L, or from L' < L to L. A policy of L' depends on (s_t, b_L') from L' on, and lifts if
 * the nodes of L determine these: they do while t <= L, where a node is the whole knowledge, and after L where all histories of b_L
 * agree on b_L'. */

/* pick [nodes of to], -1 where the policy of `from` [nodes] is not defined or `to` lacks its choice. Requires from->L <= to->L.
 * *whole: both policies behave alike; else pick is another policy. ERROR_MEMORY. */
vouch_status lift_policy(const know_graph *from, const int policy[], const know_graph *to, int pick[], bool *whole);

/* Offers the best policy of `from` to inc. */
vouch_status lift_offer(incumbent *inc, const incumbent *from);

/* A policy with one action per knowledge state, for graphs too large to search and models where no
 * other heuristic keeps the promises.
 *
 * Actions come from look-ahead to the horizon for promises with probability 1 (know/sure.h). The resulting graph is small for every
 * L; its policy is an L-updates policy, evaluated exactly.
 */

typedef struct knowledge_policy {
    policy_space space; /* of the small graph */
    incumbent *inc;     /* over it; NULL or not found: no policy */
    bool impossible;    /* no history-dependent policy keeps the promises */
} knowledge_policy;

/* Does look-ahead apply: is some promise nearly sure, or of a deterministic environment? */
bool knowledge_looks_ahead(const vouch_model *m);

/* like: a space of the same model, promises and objective, of any L. L = 0: only tests for impossibility. The result depends on the
 * limit only if it passes. ERROR_MEMORY leaves *out empty. */
vouch_status knowledge_find(const policy_space *like, int L, const deadline *limit, knowledge_policy *out);
void knowledge_free(knowledge_policy *found); /* an empty one is fine */

#endif
