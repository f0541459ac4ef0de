/* cli/plan_print.h - vouch plan: the answer in words and a table. */
#ifndef CLI_PLAN_PRINT_H
#define CLI_PLAN_PRINT_H

#include <stdbool.h>
#include <vouch/vouch.h>

/* search: the method looks for an optimum; seconds: they are told, too. */
void plan_print(const vouch_model *m, const vouch_policy *policy, bool search, bool seconds);

#endif
