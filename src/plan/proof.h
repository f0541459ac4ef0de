/* plan/proof.h - the proof of a plan, line by line (src/check/FORMAT.md). */
#ifndef PLAN_PROOF_H
#define PLAN_PROOF_H

#include "plan/methods.h"
#include "plan/search/proof_writer.h"

/* Makes room for trees in call->proof and call->total, where a proof is asked for and the method makes them; else NULL. */
vouch_status proof_open(plan_call *call);
void proof_close(plan_call *call);

/* The most regret, in the units given, of policies that a bound on the total regret counts with. cap: in those of m. */
double proof_cap(const vouch_model *m, double cap, double steep);

/* The value of the objective, not the regret, of a policy whose figures are by rows, `group` an environment. */
double proof_value(const vouch_policy *policy, int group);

/* Hands the text of the proof of call->policy, settled, to the options' callback: the tree in call->proof, the policy, and what is
 * claimed, which is what has been shown and no more; the figures of the policy become those claimed. alone: an environment that
 * cannot keep the commitment by itself, so that no policy can; else -1. m: planned with; with alone as given. */
vouch_status proof_tell(const plan_call *call, const vouch_model *m, int alone);
/* The same where the lines hold in rationals: tree, whose policy nodes are named; value and bound are decimals of as many digits as
 * are needed. m: rows of the model as given. */
vouch_status proof_tell_exact(const plan_call *call, const vouch_model *m, const proof_writer *tree, const char *value,
                              const char *bound);

#endif
