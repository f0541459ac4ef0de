/* cli/replan.h - the options of every command that plans again while acting. */
#ifndef CLI_REPLAN_H
#define CLI_REPLAN_H

#include <vouch/vouch.h>

#include "cli/cli.h"
#include "cli/method.h"
#include "cli/objective.h"

typedef struct replan_args {
    objective_args objective;
    int lookahead, inner, tie_break, guarded, restarts;
    double gap;
    long long tie_break_work;
} replan_args;

/* The lines of an option table for a struct `type` with a field `replan`. */
#define REPLAN_OPTIONS(type)                                                                                                       \
    CLI_OPTION(CLI_INT, 'L', "lookahead", "N", offsetof(type, replan.lookahead), "1", 1, 2147483647,                               \
               .help = "replan every N steps, 1 to T"),                                                                            \
        CLI_OPTION(CLI_WORD, 0, "inner", "M", offsetof(type, replan.inner), "milp-ccl", .list = method_words_replanned,            \
                   .help = "method of each plan: deterministic or stochastic policies"),                                           \
        CLI_OPTION(CLI_FLAG, 0, "guarded", NULL, offsetof(type, replan.guarded),                                                   \
                   .help = "require a new plan to earn at least U(k) of the policy in force in every environment still possible"), \
        CLI_OPTION(CLI_WORD, 0, "tie-break", "W", offsetof(type, replan.tie_break), "total", .words = "total|none",                \
                   .help = "prefer the least total regret among policies of least maximum regret"),                                \
        CLI_OPTION(CLI_LONG, 0, "tie-break-work", "N", offsetof(type, replan.tie_break_work), "20000", 0, 9e18,                    \
                   .help = "work limit, in backward inductions, of the proof of least total regret in each plan; 0: no limit"),    \
        CLI_OPTION(CLI_WORD, 0, "objective", "O", offsetof(type, replan.objective.objective), "regret",                            \
                   .words = "regret|weighted|max-min",                                                                             \
                   .help = "objective of each plan, as in vouch plan; weighted: weights are updated by Bayes' rule"),              \
        CLI_OPTION(                                                                                                                \
            CLI_TEXT, 0, "weights", "W1,W2,..", offsetof(type, replan.objective.weights), NULL,                                    \
            .help = "--objective weighted: a weight for each environment, in order; default: the prior of the model, or 1 each"),  \
        CLI_OPTION(CLI_REAL, 0, "gap", "G", offsetof(type, replan.gap), NULL, 0, 1e300,                                            \
                   .help = "accept a plan whose maximum regret and bound differ by at most G; default: the gap of the method"),    \
        CLI_OPTION(CLI_INT, 0, "restarts", "N", offsetof(type, replan.restarts), "0", 0, 2147483647,                               \
                   .help = "exact-ccl: random starts of local search in each plan; 0: the default, 48")

/* 0, or the exit status after a message where an option would do nothing. */
int replan_refuse_idle(const replan_args *args);
/* *weights: owned by the caller, who frees it after all plans. 0, or the exit status after a message. */
int replan_options(const replan_args *args, const cli_common *common, const vouch_model *m, vouch_ccil_options *options,
                   double **weights);

#endif
