/* tests/oracle/policies.h - figures of all deterministic L-updates policies, by enumeration in extended precision.
 *
 * Written from the definitions alone: layer by layer over a policy's information, with the consistent environments as a bit mask.
 * Nothing is shared with the planner but the model.
 */
#ifndef ORACLE_POLICIES_H
#define ORACLE_POLICIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/rng.h"
#include "mdp/model.h"
#include "policy/policy.h"

enum { POLICIES_ENVIRONMENTS = 4 };

typedef struct attained { /* by one policy, for each environment */
    long double u[POLICIES_ENVIRONMENTS], pr[POLICIES_ENVIRONMENTS];
} attained;

typedef struct policies {
    attained *list;
    size_t count, most;
} policies;

/* All deterministic L-updates policies that differ where they get to. false: more than `most`, and list holds
 * none. */
bool policies_all(const vouch_model *m, int L, size_t most, policies *p);
void policies_free(policies *p);

/* Largest Pr(S_T in Phi) of environment k alone. */
long double policies_reach(const vouch_model *m, int k);
/* max U(k) subject to Pr >= p over all policies of environment k alone, by the upper hull of all (Pr, U); p is lowered to the
 * largest reachable probability. */
long double policies_constrained(const vouch_model *m, int k, long double p);

/* Figures of a policy given by its rules, by following every history. false: it reaches a place without a rule. */
bool policies_follow(const vouch_model *m, const vouch_policy *policy, attained *v);

/* Maximum regret found by local search over stochastic L-updates policies with Pr >= p; INFINITY: none found. Starts from the
 * policy `from`, NULL: a random one, and makes `changes` changes of one place each. */
double policies_climb(const vouch_model *m, int L, const double optimal[], const vouch_policy *from, int changes, rng *r);

/* Least maximum regret over all history-dependent stochastic policies with Pr >= p, in rational arithmetic;
 * INFINITY: none; NAN: more than `most` pairs of a history and an action. */
double policies_history(const vouch_model *m, const double optimal[], double p, int most);

/* Same observation? Rewards a, b of pair q with this successor: joined by a chain of the environments'
 * rewards there, neighbours within the tolerance of the file format. */
bool policies_same_reward(const vouch_model *m, int q, int next, double a, double b);
/* Do rewards of the model come so near to the tolerance that equality is in doubt? */
bool policies_doubtful(const vouch_model *m);

#endif
