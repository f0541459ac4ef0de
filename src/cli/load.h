/* cli/load.h - the MODEL operand, with the options that go with it, for every command that takes one. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <vouch/vouch.h>

#include "cli/cli.h"

typedef struct model_args {
    int horizon;        /* 0: as in the model */
    double probability; /* NAN: as in the model */
    double reward_tolerance;
} model_args;

/* The lines of an option table for a struct `type` with a field `model`. */
#define MODEL_OPTIONS(type)                                                                                              \
    {CLI_INT, 'T', "horizon", "N", offsetof(type, model.horizon), NULL, 1, 2147483647,                                   \
     .help = "horizon, instead of the model's"},                                                                         \
    {CLI_REAL, 'p', "probability", "P", offsetof(type, model.probability), NULL, 0, 1,                                   \
     .help = "commitment probability, instead of the model's"},                                                          \
    {CLI_REAL, 0, "reward-tolerance", "R", offsetof(type, model.reward_tolerance), "1e-9", 0, 0.5,                       \
     .help = "rewards closer than this, relatively, are the same observation"}

/* Reads the model and applies the options. 0 and a model to free, or the exit status after a message. */
int load_model(const model_args *args, const char *path, vouch_model **model);

#endif
