/* cli/objective.h - the options --objective and --weights of every command that plans. */
#ifndef CLI_OBJECTIVE_H
#define CLI_OBJECTIVE_H

#include <vouch/vouch.h>

#include "cli/cli.h"

typedef struct objective_args {
    int objective;
    const char *weights; /* NULL: not given */
} objective_args;

/* The lines of an option table for a struct `type` with a field `objective`. */
#define OBJECTIVE_OPTIONS(type)                                                                                                    \
    CLI_OPTION(CLI_WORD, 0, "objective", "O", offsetof(type, objective.objective), "regret", .words = "regret|weighted|max-min",   \
               .help = "objective: the least maximum regret, the largest weighted sum of expected rewards (--weights), or the "    \
                       "largest least expected reward"),                                                                           \
        CLI_OPTION(                                                                                                                \
            CLI_TEXT, 0, "weights", "W1,W2,..", offsetof(type, objective.weights), NULL,                                           \
            .help = "--objective weighted: a weight for each environment, in order; default: the prior of the model, or 1 each")

/* " --objective weighted --weights 3,1", or nothing where that is the regret. */
void objective_words(const objective_args *args, struct text *t);
/* Sets objective and weights of options for K environments; *weights is owned by the caller, also after an error. */
vouch_status objective_take(const objective_args *args, int K, vouch_plan_options *options, double **weights, vouch_error *error);
/* Sets objective and weights of the options; *weights is owned by the caller, who frees it after the plan. 0, or the exit status
 * after a message. */
int objective_set(const objective_args *args, const vouch_model *m, vouch_plan_options *options, double **weights);
/* "weighted value", "least value": what the value of an objective other than the regret is called. */
const char *objective_noun(vouch_objective objective);

#endif
