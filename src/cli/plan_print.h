/* cli/plan_print.h - vouch plan: the answer in words and a table. */
#ifndef CLI_PLAN_PRINT_H
#define CLI_PLAN_PRINT_H

#include <stdbool.h>
#include <vouch/vouch.h>

/* search: the method looks for an optimum; seconds: they are told, too. */
void plan_print(const vouch_model *m, const vouch_policy *policy, bool search, bool seconds);

/* A command line that asked for a plan, in words for the shell, each part with a blank before it. */
typedef struct plan_words {
    const char *model;     /* " ferry.prism --commit port -T 8" */
    const char *of_class;  /* " -L 1 --method milp-ccl" */
    const char *objective; /* " --objective max-min", or "" */
    const char *output;    /* the policy file, without a blank; NULL: none was written */
} plan_words;

/* The two commands that one may want after a plan was found. */
void plan_print_next(const plan_words *asked);
/* The same where no policy keeps the promises; history: all policies were looked at. */
void plan_print_ways_out(const plan_words *asked, const vouch_model *m, bool history);

#endif
