/* cli/load.c - see load.h. */
#include "cli/load.h"

#include <math.h>

int load_model(const model_args *args, const char *path, vouch_model **model)
{
    vouch_error error = {0};
    if (vouch_model_read(model, path, &error)) return cli_failed(&error);
    if (args->horizon > 0 && vouch_model_set_horizon(*model, args->horizon)) {
        vouch_model_free(*model);
        *model = NULL;
        return cli_wrong("-T %d: a state without actions can be reached before that time in %s", args->horizon, path);
    }
    if (!isnan(args->probability)) vouch_model_set_probability(*model, args->probability);
    vouch_model_set_reward_tolerance(*model, args->reward_tolerance);
    return CLI_SOLVED;
}
