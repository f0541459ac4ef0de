#include <stdio.h>
#include <vouch/vouch.h>

/* Print the actions of each rule. */
static void walk(const vouch_model *model, const vouch_policy *policy)
{
    for (int i = 0; i < vouch_policy_rules(policy); i++) {
        vouch_rule rule;
        vouch_policy_get_rule(policy, i, &rule);
        printf("t = %d, %s, %d environments:", rule.time, vouch_model_state_name(model, rule.state), rule.environments);
        for (int a = 0; a < rule.actions; a++)
            printf(" %s %g", vouch_model_action_name(model, rule.action[a]), rule.probability[a]);
        printf("\n");
    }
}

/* One episode in environment 0, where every action leads to its first successor. */
static vouch_status follow(const vouch_model *model, const vouch_policy *policy, vouch_error *error)
{
    vouch_episode *episode;
    vouch_status status = vouch_episode_new(&episode, policy, model, 1, error);
    while (!status && !vouch_episode_done(episode)) {
        vouch_decision now;
        vouch_transitions outcome;
        vouch_episode_decision(episode, &now);
        vouch_model_get_transitions(model, 0, now.state, now.sampled, &outcome);
        status = vouch_episode_observe(episode, now.sampled, outcome.reward[0], outcome.next[0], error);
    }
    if (!status) printf("the promise was %s\n", vouch_episode_kept(episode) ? "kept" : "broken");
    vouch_episode_free(episode);
    return status;
}

int main(int argc, char **argv)
{
    vouch_model *model = NULL;
    vouch_policy *policy = NULL;
    vouch_plan_options options;
    vouch_plan_result result = {.outcome = VOUCH_PLAN_LIMIT};
    vouch_error error;

    if (argc != 3) return 1;
    vouch_plan_options_init(&options);
    options.lookahead = 1; /* L */
    vouch_status status = vouch_model_read(&model, argv[1], &error);
    if (!status) status = vouch_plan(&policy, model, &options, &error);
    if (!status) {
        vouch_policy_get_result(policy, &result);
        printf("maximum regret %g, bound %g\n", result.max_regret, result.bound);
        for (int k = 0; k < result.environments; k++)
            printf("environment %s: regret %g, commitment %g\n", vouch_model_environment_name(model, k), result.figures[k].regret,
                   result.figures[k].commitment_probability);
        walk(model, policy);
    }
    if (!status && result.has_policy) status = follow(model, policy, &error);
    if (!status) status = vouch_policy_write(policy, model, argv[2], &error);
    if (status) fprintf(stderr, "%s\n", error.text); /* FILE:LINE: path inside: what is wrong */
    vouch_policy_free(policy);
    vouch_model_free(model);
    return status ? 1 : result.outcome == VOUCH_PLAN_OPTIMAL ? 0 : 2;
}
