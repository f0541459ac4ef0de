/* cli/explain.h - plan --max-commitment and --frontier, and why a commitment cannot be kept. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <vouch/vouch.h>

#include "base/clock.h"

/* For each environment the largest probability it alone allows; the largest in all at once, with any policy and with policies of
 * the class asked for; when p is too much for all but not for each alone, who conflicts; and the largest p, ready to paste.
 * as_json: one object. Returns the exit status: CLI_SOLVED, or CLI_LIMIT where something is not proved. */
int explain_print(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, bool as_json);
/* The same for several promises: each alone, each beside the others, and which conflict. */
int explain_promises(const vouch_model *model, const vouch_plan_options *options, const deadline *limit, bool as_json);

/* The least maximum regret for `points` probabilities from 0 to the largest possible, as a table, JSON, and a plot (NULL: none). */
int frontier_print(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, int points, bool as_json,
                   const char *picture);

#endif
