/* cli/evaluate.c - vouch evaluate: the figures of a policy file by propagation. */
#include "cli/cli.h"

typedef struct evaluate_args {
    cli_common common;
    model_args model;
    const char *output;
} evaluate_args;

static const cli_option options[] = {
    MODEL_OPTIONS(evaluate_args),
    {CLI_OUTPUT, 'o', "output", "POLICY.json", offsetof(evaluate_args, output), NULL,
     .help = "write the policy with its new figures"},
    CLI_OPTION(CLI_REAL, 0, "within", "EPS", offsetof(evaluate_args, model.within), NULL, 0, 1,
               .help =
                   "every probability of a row may be off by EPS: adds the column worst, the least probability of each promise if "
                   "nature chooses the rows at every visit; a model with limits of its own has it without this option"),
    {0},
};

/* Without a policy that keeps the promises there is no regret. */
static void print_regrets(const vouch_model *model, const vouch_plan_result *r)
{
    int none = 0, first = -1;
    for (int k = 0; k < vouch_model_environments(model); k++) {
        if (!isnan(r->figures[k].regret)) continue;
        first = first < 0 ? k : first;
        none++;
    }
    if (none == 0) {
        printf("maximum regret  %.10g\ntotal regret    %.10g\n", table_shown(r->max_regret), table_shown(r->total_regret));
        return;
    }
    printf("maximum regret  -  (no policy keeps the promise in %s", cli_shown(vouch_model_environment_name(model, first)));
    if (none > 1) printf(", nor in %d other%s", none - 1, none > 2 ? "s" : "");
    printf(")\n");
}

static void print_policy(const vouch_model *model, const vouch_policy *policy, int kept)
{
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    figures_print_class(policy);
    figures_print_model(model);
    figures_print_environments(model, policy);
    if (r.objective != VOUCH_OBJECTIVE_REGRET) printf("%-15s %.10g\n", objective_noun(r.objective, r.sense), table_shown(r.value));
    print_regrets(model, &r);
    bool average = vouch_model_averages(model) > 0;
    const char *verdict = !kept     ? "the commitment is NOT kept"
                          : average ? "every promise is kept, those on average over the prior"
                                    : "the commitment is kept in every environment";
    printf("%s%s\n", cli_verdict(kept ? 1 : -1, verdict), r.worst ? " under the worst error" : "");
}

/* Figures and, if the model has an error, worst probabilities. *kept: even so. */
static vouch_status evaluate(vouch_policy *policy, const vouch_model *model, int *kept, vouch_error *error)
{
    vouch_status status = figures_again(policy, model, kept, error);
    if (status || !vouch_model_has_error(model)) return status;
    int still, J = vouch_model_promises(model);
    double *worst = CLI_NEW(double, vouch_policy_environments(policy) * J);
    status = vouch_policy_worst(policy, model, worst, NULL, &still, error);
    if (!status && vouch_policy_set_worst(policy, J, worst)) status = error_memory(error);
    *kept = *kept && still;
    return status;
}

/* Several policies: each in its environments, then the largest regret of any environment under its policy. */
static void print_groups(const vouch_model *model, const group_file *f, const int kept[], double most, bool json)
{
    text t = {0};
    bool all = true;
    for (int i = 0; i < f->count; i++) all = all && kept[i];
    if (json) {
        js_add(&t, "{ \"kept\": %s, \"max_regret\": %g, \"kept_by_policy\": [", all ? "true" : "false", most);
        for (int i = 0; i < f->count; i++) text_add(&t, "%s%s", i ? ", " : "", kept[i] ? "true" : "false");
        text_add(&t, "] }\n");
        cli_print(&t);
        return;
    }
    for (int i = 0; i < f->count; i++) {
        printf("policy %d\n", i);
        print_policy(f->item[i].model ? f->item[i].model : model, f->item[i].policy, kept[i]);
        putchar('\n');
    }
    printf("maximum regret of each environment's own policy  ");
    printf(isnan(most) ? "-\n" : "%.10g\n", table_shown(most));
}

static int evaluate_groups(const vouch_model *model, const group_file *f, const char *path, bool json)
{
    double most = 0;
    int *kept = CLI_NEW(int, f->count), all = 1;
    for (int i = 0; i < f->count; i++) {
        const group_policy *g = &f->item[i];
        vouch_error error = {0};
        vouch_plan_result r;
        if (evaluate(g->policy, g->model ? g->model : model, &kept[i], &error)) cli_die("%s: policy %d: %s", path, i, error.text);
        all = all && kept[i];
        vouch_policy_get_result(g->policy, &r);
        for (int j = 0; j < g->environments; j++) {
            double regret = r.figures[group_policy_place(g, j)].regret;
            most = isnan(most) || isnan(regret) ? NAN : fmax(most, regret);
        }
    }
    print_groups(model, f, kept, most, json);
    return all ? CLI_SOLVED : CLI_INFEASIBLE;
}

static void free_file(void *file) { group_file_free(file); }

static int run(void *arguments, char **operand)
{
    const evaluate_args *args = arguments;
    vouch_model *model = load_model(&args->model, operand[0]);
    group_file *f = CLI_NEW(group_file, 1);
    int kept;
    cli_own(free_file, f);
    cli_try(group_file_read(f, model, operand[1], &cli_error));
    if (f->several) {
        if (args->output) cli_die("--output is for one policy; %s has several", operand[1]);
        return evaluate_groups(model, f, operand[1], args->common.json);
    }
    if (evaluate(f->item->policy, model, &kept, &cli_error)) cli_die("%s: %s", operand[1], cli_error.text);
    if (args->output) cli_try(vouch_policy_write(f->item->policy, model, args->output, &cli_error));
    if (args->common.json)
        figures_print_json(model, f->item->policy, kept, false, NULL);
    else
        print_policy(model, f->item->policy, kept);
    if (!kept && !args->model.probabilities.count && !vouch_model_has_error(model))
        report_note("note: -p sets the probability by which a policy planned for another one is judged");
    return kept ? CLI_SOLVED : CLI_INFEASIBLE;
}

const cli_command cli_evaluate = {
    .name = "evaluate",
    .operands = "MODEL POLICY.json",
    .least_operands = 2,
    .summary = "recompute the figures of a policy by propagation",
    .text = "Propagates the policy through every environment and prints expected reward, regret and commitment probability. Exit "
            "status 0 only if the commitment is kept in every environment, with --within even under the worst error, 2 if not. In "
            "a file of several policies (vouch plan "
            "--policies) each is evaluated in its own environments.",
    .examples = "vouch evaluate maze.json policy.json\n"
                "vouch evaluate maze.json policy.json --within .05 -p .5\n",
    .options = options,
    .size = sizeof(evaluate_args),
    .run = run,
};
