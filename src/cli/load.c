/* cli/load.c - see load.h. */
#include "cli/load.h"

static void add_word(text *t, const char *option, const char *word)
{
    if (!word) return;
    text_add(t, " %s ", option);
    cli_quote(t, word);
}

void model_words(const model_args *args, const char *path, text *t)
{
    char number[32];
    text_add(t, " ");
    cli_quote(t, path);
    for (size_t i = 0; i < args->constants.count; i++) add_word(t, "--const", args->constants.item[i]);
    add_word(t, "--commit", args->commit);
    add_word(t, "--reward", args->reward);
    add_word(t, "--time-to", args->time_to);
    if (args->fix_deadlocks) text_add(t, " --fix-deadlocks");
    if (args->merge_actions) text_add(t, " --merge-actions");
    if (cli_given("horizon")) text_add(t, " -T %d", args->horizon);
    if (cli_given("probability")) text_add(t, " -p %s", text_number(args->probability, number));
    if (cli_given("reward-tolerance")) text_add(t, " --reward-tolerance %s", text_number(args->reward_tolerance, number));
    if (cli_given("state-limit")) text_add(t, " --state-limit %lld", args->state_limit);
}

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
