/* cli/explain.h - plan --max-commitment, and why a commitment cannot be kept. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <vouch/vouch.h>

#include "base/clock.h"

/* For each environment the largest probability it alone allows; the largest in all at once, with any policy and with policies of
 * the class asked for; when p is too much for all but not for each alone, who conflicts; and the largest p, ready to paste.
 * as_json: one object. Returns the exit status: CLI_SOLVED, or CLI_LIMIT where something is not proved. *bound: no policy of the
 * class asked for keeps more, NAN: not known; NULL: not wanted. promise: as in explain_promises. */
int explain_print(const vouch_model *m, int promise, const vouch_plan_options *o, const deadline *limit, bool as_json,
                  double *bound);
/* The same for several promises: each alone, each beside the others, and which conflict. promise: that one only; -1: all. */
int explain_promises(const vouch_model *model, int promise, const vouch_plan_options *options, const deadline *limit, bool as_json);

#endif
