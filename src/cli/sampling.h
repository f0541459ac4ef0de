/* cli/sampling.h - what simulations found, for people and as JSON, and their progress bar. */
#ifndef CLI_SAMPLING_H
#define CLI_SAMPLING_H

#include <vouch/vouch.h>

#include "cli/cli.h"
#include "io/file.h"

/* Options of a simulation of `episodes` from the common ones, with a progress bar that tells the time left. */
vouch_simulation_options sampling_options(const cli_common *common, long long episodes);
/* Table of environments. optimal [K]: U*(k), or NULL. */
void sampling_print(const vouch_model *model, const double optimal[], const vouch_sample sample[]);
/* Adds an array with one object an environment. */
void sampling_add_json(text *t, const vouch_model *model, const vouch_sample sample[]);
/* Adds the field "averages", with a comma before it, where promises are on average. */
void sampling_add_averages(text *t, const vouch_model *model, const vouch_sample sample[]);

#endif
