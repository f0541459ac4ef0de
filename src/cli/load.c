/* cli/load.c - see load.h. */
#include "cli/load.h"

int load_model(const model_args *args, const char *path, vouch_model **model)
{
    vouch_error error = {0};
    vouch_source source;
    vouch_source_init(&source);
    source.horizon = args->horizon;
    source.probability = args->probability;
    source.commit = args->commit;
    source.reward = args->reward;
    source.time_to = args->time_to;
    source.constants = args->constants.item;
    source.constant_count = args->constants.count;
    source.fix_deadlocks = args->fix_deadlocks;
    source.merge_actions = args->merge_actions;
    if (vouch_model_import(model, path, &source, &error)) return cli_failed(&error);
    vouch_model_set_reward_tolerance(*model, args->reward_tolerance);
    return CLI_SOLVED;
}
