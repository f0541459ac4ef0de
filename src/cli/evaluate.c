/* cli/evaluate.c - vouch evaluate: what a policy file is worth, by propagation alone. */
#include <stdio.h>
#include <vouch/vouch.h>

#include "cli/commands.h"
#include "cli/figures.h"
#include "cli/load.h"
#include "cli/objective.h"
#include "cli/table.h"

typedef struct evaluate_args {
    cli_common common;
    model_args model;
    const char *output;
} evaluate_args;

static const cli_option options[] = {
    MODEL_OPTIONS(evaluate_args),
    {CLI_OUTPUT, 'o', "output", "POLICY.json", offsetof(evaluate_args, output), NULL,
     .help = "write the policy with its new figures"},
    {0},
};

static int run(void *arguments, char **operand)
{
    const evaluate_args *args = arguments;
    vouch_model *model = NULL;
    vouch_policy *policy = NULL;
    vouch_error error = {0};
    int kept = 0, code = load_model(&args->model, operand[0], &model);
    if (code) return code;
    vouch_status status = vouch_policy_read(&policy, model, operand[1], &error);
    if (!status && (status = figures_again(policy, model, &kept, &error)) != VOUCH_OK)
        code = cli_wrong("%s: %s", operand[1], error.text);
    else if (!status && args->output)
        status = vouch_policy_write(policy, model, args->output, &error);
    if (status) {
        if (!code) code = cli_failed(&error);
        goto done;
    }
    if (args->common.json) {
        figures_print_json(policy, kept, false, NULL);
    } else {
        vouch_plan_result r;
        vouch_policy_get_result(policy, &r);
        figures_print_class(policy);
        figures_print_model(model);
        figures_print_environments(model, policy);
        if (r.objective != VOUCH_OBJECTIVE_REGRET) printf("%-15s %.10g\n", objective_noun(r.objective), table_shown(r.value));
        printf("maximum regret  %.10g\ntotal regret    %.10g\n", table_shown(r.max_regret), table_shown(r.total_regret));
        printf(kept ? "the commitment is kept in every environment\n" : "the commitment is NOT kept\n");
    }
    code = kept ? CLI_SOLVED : CLI_INFEASIBLE;
done:
    vouch_policy_free(policy);
    vouch_model_free(model);
    return code;
}

const cli_command cli_evaluate = {
    .name = "evaluate",
    .operands = "MODEL POLICY.json",
    .least_operands = 2,
    .summary = "recompute the figures of a policy by propagation",
    .text = "Propagates the policy through every environment and prints expected reward, regret and commitment probability. Exit "
            "status "
            "0 only if the commitment is kept in every environment, 2 if not.",
    .examples = "vouch evaluate maze.json policy.json\n",
    .options = options,
    .size = sizeof(evaluate_args),
    .run = run,
};
