/* cli/frontier.h - plan --frontier: what a promise costs, by its probability. */
#ifndef CLI_FRONTIER_H
#define CLI_FRONTIER_H

#include <vouch/vouch.h>

#include "base/clock.h"

typedef struct frontier_range {
    int promise; /* -1: the only one */
    int points;
} frontier_range;
/* The least maximum regret for so many probabilities of a promise from 0 to the largest possible beside the others, and for some
 * more where least is known in between, as a table, JSON, and a plot (NULL: none). */
int frontier_print(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, const frontier_range *range,
                   bool as_json, const char *picture);

#endif
