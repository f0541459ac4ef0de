/* plan/heuristic/knowledge.h - a policy of few actions a node, chosen by what the agent knows: where L-updates policies are too
 * many to be searched, and where nothing else finds one that keeps the promises.
 *
 * Promises with probability 1 are looked ahead to the end (know/sure.h), the rest goes by splitting and greed
 * (plan/heuristic/splitting.h). Their actions make a graph that is small however many knowledge states L has; its policies are
 * L-updates policies as any other, measured exactly and improved by local search.
 */
#ifndef PLAN_HEURISTIC_KNOWLEDGE_H
#define PLAN_HEURISTIC_KNOWLEDGE_H

#include "plan/heuristic/incumbent.h"

typedef struct knowledge_policy {
    policy_space space; /* of the small graph */
    incumbent *inc;     /* over it; NULL, or nothing found: no policy */
    bool impossible;    /* no policy keeps the promises, whatever it remembers */
} knowledge_policy;

/* Is some promise looked ahead for: nearly sure, or of an environment without chance? */
bool knowledge_looks_ahead(const vouch_model *m);

/* like: a space of the same model, promises and objective, of any L. What is found does not depend on the limit, unless it passes.
 * ERROR_MEMORY leaves *out empty. L = 0: only what is impossible is looked for. */
vouch_status knowledge_find(const policy_space *like, int L, const deadline *limit, knowledge_policy *out);
void knowledge_free(knowledge_policy *found); /* an empty one is fine */

#endif
