/* cli/simulate.c - vouch simulate: simulates a policy file in every environment. */
#include "cli/cli.h"

typedef struct simulate_args {
    cli_common common;
    model_args model;
    long long episodes;
    const char *environment;
} simulate_args;

static const cli_option options[] = {
    {CLI_LONG, 0, "episodes", "N", offsetof(simulate_args, episodes), "10000", 1, 1e12, .help = "episodes in each environment"},
    {CLI_TEXT, 0, "environment", "NAME", offsetof(simulate_args, environment), NULL,
     .help = "in a file of several policies, the policy for this environment"},
    CLI_OPTION(CLI_REAL, 0, "within", "EPS", offsetof(simulate_args, model.within), NULL, 0, 1,
               .help = "nature plays the rows within EPS that are worst for the promise, as a model with limits of its own has it "
                       "without this option"),
    MODEL_OPTIONS(simulate_args),
    {0},
};

static void print_json(const vouch_model *m, const vouch_sample sample[])
{
    text t = {0};
    text_add(&t, "{ \"environments\": ");
    sampling_add_json(&t, m, sample);
    sampling_add_averages(&t, m, sample);
    text_add(&t, ",\n  \"sense\": \"%s\" }\n", vouch_sense_text(vouch_model_sense(m)));
    cli_print(&t);
}

static int run(void *arguments, char **operand)
{
    const simulate_args *args = arguments;
    vouch_model *model = load_model(&args->model, operand[0]), *part;
    vouch_policy *policy = NULL;
    vouch_simulation_options o = sampling_options(&args->common, args->episodes);
    vouch_status status = group_policy_read(model, operand[1], args->environment, &part, &policy, &cli_error);
    cli_own_model(part);
    cli_own_policy(policy);
    cli_try(status);
    if (part) model = part;
    int samples = vouch_model_environments(model) * vouch_model_promises(model);
    vouch_sample *sample = CLI_NEW(vouch_sample, samples);
    if (vouch_simulate(policy, model, &o, sample, &cli_error)) cli_die("%s: %s", operand[1], cli_error.text);
    report_clear();
    if (args->common.json)
        print_json(model, sample);
    else {
        figures_print_class(policy);
        figures_print_model(model);
        sampling_print(model, NULL, sample);
    }
    if (report_interrupted()) return CLI_INTERRUPTED;
    return sample[samples - 1].episodes < args->episodes ? CLI_LIMIT : CLI_SOLVED;
}

const cli_command cli_simulate = {
    .name = "simulate",
    .operands = "MODEL POLICY.json",
    .least_operands = 2,
    .summary = "play a policy in every environment, with 95 % intervals",
    .text = "Plays the policy N times in every environment and prints the mean reward and how often the commitment was kept, each "
            "with its 95 % "
            "interval; under the error of probabilities each promise has episodes of its own, against its worst reply. The same "
            "seed gives the same numbers with any number of threads. vouch evaluate computes the exact figures.",
    .examples = "vouch simulate maze.json policy.json --episodes 10000\n",
    .options = options,
    .size = sizeof(simulate_args),
    .run = run,
};
