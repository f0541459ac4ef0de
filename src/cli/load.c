/* cli/load.c - see load.h. */
#include "cli/load.h"

vouch_status import_model(const model_args *args, const char *path, vouch_model **model, vouch_error *error)
{
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
    source.state_limit = args->state_limit;
    vouch_status status = vouch_model_import(model, path, &source, error);
    if (!status) {
        status = vouch_model_set_reward_tolerance(*model, args->reward_tolerance);
        if (status) {
            vouch_model_free(*model);
            *model = NULL;
            error->status = status;
        }
    }
    return status;
}

int load_model(const model_args *args, const char *path, vouch_model **model)
{
    vouch_error error = {0};
    return import_model(args, path, model, &error) ? cli_failed(&error) : CLI_SOLVED;
}
