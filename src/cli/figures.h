/* cli/figures.h - the figures of a policy, environment by environment, for people and as JSON. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include <vouch/vouch.h>

#include "io/file.h"

/* What was optimised and over which policies, a line (cli/method.h). */
void figures_print_class(const vouch_policy *policy);
/* A line that says what model it is about. */
void figures_print_model(const vouch_model *model);
/* The sizes of a model that has been written, with what the file says of the horizon, as a line or as an object, and what it does
 * not say (io/reading.h); nothing where the file is standard output. */
void figures_print_written(const vouch_model *model, const char *path, int horizon, bool json);
/* Table of environments: U*, U, regret, commitment probability, marking what falls short. */
void figures_print_environments(const vouch_model *model, const vouch_policy *policy);
/* The same for figures [K]; commitments [K * promises], NULL: the figures' own, of one promise. */
/* The mean over the prior of the probabilities of keeping promise j; commitments NULL: it is the figures'. */
double figures_mean(const vouch_model *m, int j, const vouch_environment_figures figures[], const double commitments[]);
/* Adds the field "averages", the means of promises on average, with a comma before it, where there are any. */
void figures_add_averages(text *t, const vouch_model *model, const vouch_environment_figures figures[], const double commitments[]);
void figures_print_list(const vouch_model *model, const vouch_environment_figures figures[], const double commitments[]);
/* Adds the array of "environments" as policy files have it. */
void figures_add_json(text *t, const vouch_model *model, const vouch_environment_figures figures[], const double commitments[]);
/* {"home": 0.9, ..}: value [promises] by their names. */
void figures_add_promises(text *t, const vouch_model *model, const double value[]);
/* Evaluates the policy, which takes over the figures found. */
vouch_status figures_again(vouch_policy *policy, const vouch_model *model, int *kept, vouch_error *error);
/* Prints {"status", "max_regret", "bound", "total_regret", "nodes", "iterations", "seconds", "environments"}; `kept`: 1, 0, or
 * -1 to leave the field out. more: fields, each after a comma; NULL: none. */
void figures_print_json(const vouch_model *m, const vouch_policy *policy, int kept, bool timeless, const text *more);

/* A message about the first promise that the policy, whose figures are set, breaks. Returns the exit status. */
int figures_not_kept(const vouch_model *m, const vouch_policy *policy, const char *path);

#endif
