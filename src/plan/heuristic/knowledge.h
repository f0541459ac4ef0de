/* plan/heuristic/knowledge.h - a policy with one action per knowledge state, for graphs too large to search and models where no
 * other heuristic keeps the promises.
 *
 * Actions come from look-ahead to the horizon for promises with probability 1 (know/sure.h). The resulting graph is small for every
 * L; its policy is an L-updates policy, evaluated exactly.
 */
#ifndef PLAN_HEURISTIC_KNOWLEDGE_H
#define PLAN_HEURISTIC_KNOWLEDGE_H

#include "plan/heuristic/incumbent.h"

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
