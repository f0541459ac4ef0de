/* cli/load.h - the MODEL operand, with the options that go with it, for every command that takes one. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <vouch/vouch.h>

#include "cli/cli.h"
#include "io/file.h"

typedef struct model_args {
    int horizon;               /* 0: as in the model */
    cli_list probabilities;    /* "P" or "NAME=P" */
    const double *probability; /* of a sweep, instead of a P among them; NULL: none */
    double reward_tolerance;
    const char *observe, *prior; /* NULL: as in the model */
    const char *reward, *time_to, *properties;
    cli_list constants, commits, initial;
    int fix_deadlocks, merge_actions, sample;
    long long state_limit;
} model_args;

#define KIND_BEGINS(name, word, window) word ": "
/* The lines of an option table for a struct `type` with a field `model`. */
#define MODEL_OPTIONS(type)                                                                                                        \
    CLI_OPTION(CLI_INT, 'T', "horizon", "N", offsetof(type, model.horizon), NULL, 1, 2147483647,                                   \
               .help =                                                                                                             \
                   "override the horizon; default for models without one: the latest time of the promises, if each has a time"),   \
        CLI_OPTION(CLI_LIST, 'p', "probability", "[NAME=]P", offsetof(type, model.probabilities),                                  \
                   .help = "override the commitment probability (of promise NAME)"),                                               \
        CLI_OPTION(CLI_REAL, 0, "reward-tolerance", "R", offsetof(type, model.reward_tolerance), "1e-9", 0, 0.5,                   \
                   .help = "relative tolerance within which rewards are the same observation (chained over neighbours)"),          \
        CLI_OPTION(CLI_TEXT, 0, "observe", "WHAT", offsetof(type, model.observe),                                                  \
                   .help = "override the observations of the agent: rewards (and states), or states alone"),                       \
        CLI_OPTION(CLI_TEXT, 0, "prior", "P1,P2,..", offsetof(type, model.prior),                                                  \
                   .help = "override the prior of the environments (up to a common factor), for promises on average and "          \
                           "--objective weighted"),                                                                                \
        CLI_OPTION(CLI_LIST, 0, "commit", "PROMISE", offsetof(type, model.commits), .begins = VOUCH_PROMISE_LIST(KIND_BEGINS),     \
                   .help =                                                                                                         \
                       "PRISM, DRN, CSV, POMDP: the states to be in at the horizon with the probability of -p (a label, an "       \
                       "expression, names of states); or a complete promise (repeatable): [NAME:]KIND:STATES[@TIME]>=P[~prior], "  \
                       "KIND " VOUCH_PROMISE_WORDS ", TIME 8 or 2..8, ~prior: on average over the prior: "                         \
                       "--commit 'by:port@8>=0.9' --commit 'avoid:storm>=0.95~prior'"),                                            \
        CLI_OPTION(CLI_FILE, 0, "prop", "FILE", offsetof(type, model.properties),                                                  \
                   .help = "PRISM, DRN: promise the properties in FILE, in PRISM's syntax: P>=0.9 [ F<=8 \"goal\" ]; the horizon " \
                           "is the default time bound"),                                                                           \
        CLI_OPTION(CLI_LIST, 0, "initial", "STATE[=P]", offsetof(type, model.initial),                                             \
                   .help = "PRISM, DRN, CSV: initial state, repeatable. The agent observes which one it starts in; without =P "    \
                           "they are equally likely"),                                                                             \
        CLI_OPTION(CLI_TEXT, 0, "reward", "NAME", offsetof(type, model.reward), .help = "PRISM, DRN: the reward structure"),       \
        CLI_OPTION(CLI_TEXT, 0, "time-to", "LABEL", offsetof(type, model.time_to),                                                 \
                   .help = "PRISM, DRN: instead of a reward, -1 for each step begun outside LABEL"),                               \
        CLI_OPTION(CLI_LIST, 0, "const", "NAME=VALUES", offsetof(type, model.constants),                                           \
                   .help = "PRISM: values of an open constant, lo:hi, lo:hi:step or v1,v2; one environment per combination"),      \
        CLI_OPTION(CLI_INT, 0, "sample", "N", offsetof(type, model.sample), NULL, 1, 1000000,                                      \
                   .help = "PRISM: plan for a random sample of N environments (--seed); without it a family of more than a "       \
                           "million is refused"),                                                                                  \
        CLI_OPTION(CLI_FLAG, 0, "fix-deadlocks", NULL, offsetof(type, model.fix_deadlocks),                                        \
                   .help = "PRISM, DRN, CSV: add a self-loop to deadlock states"),                                                 \
        CLI_OPTION(CLI_FLAG, 0, "merge-actions", NULL, offsetof(type, model.merge_actions),                                        \
                   .help = "PRISM, DRN, CSV: where only some environments have an action in a state, add it as a self-loop in "    \
                           "the others"),                                                                                          \
        CLI_OPTION(CLI_LONG, 0, "state-limit", "N", offsetof(type, model.state_limit), NULL, 1, 2147483647,                        \
                   .help = "PRISM, DRN, CSV, POMDP: maximum number of states (PRISM: reachable in T steps); default 10000000")

/* The operand with the options that say how it is read, as a shell takes them: " ferry.prism --commit port -T 8". */
void model_words(const model_args *args, const char *path, text *t);
/* Refuses them all where no model is read, which they then need in words. 0, or the exit status after a message. */
int model_refuse(const char *needs);
/* The P that is given alone, the last one; NAN: none. NULL, or the value that is no probability. */
const char *model_probability(const model_args *args, double *p);
/* The number of the promise that an option names, -1 where it names none; it has to if there are several and `needed`. 0, or the
 * exit status after a message. */
int model_promise(const vouch_model *model, const char *option, const char *name, bool needed, int *promise);
/* Sets what --observe and --prior say, if they are given. */
vouch_status model_observe(const char *observe, vouch_model *model, vouch_error *error);
vouch_status model_set_prior(const char *prior, vouch_model *model, vouch_error *error);
/* Reads the model and applies the options. */
vouch_status import_model(const model_args *args, const char *path, vouch_model **model, vouch_error *error);
/* The same: 0 and a model to free, or the exit status after a message. */
int load_model(const model_args *args, const char *path, vouch_model **model);

#endif
