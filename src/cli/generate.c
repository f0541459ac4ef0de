/* cli/generate.c - vouch generate: writes the example models. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/vouch.h>

#include "cli/commands.h"
#include "cli/example.h"
#include "io/json.h"

typedef struct generate_args {
    cli_common common;
    int horizon; /* 0: the default of the kind */
    double probability;
    const char *size;
    double grip;
    int states, actions, environments, branching, shared;
    const char *output;
} generate_args;

#define AT(field) offsetof(generate_args, field)
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "MODEL.json", AT(output), "-", .help = "where the model goes; - is standard output"},
    {CLI_INT, 'T', "horizon", "N", AT(horizon), NULL, 1, INT_MAX, .help = "horizon (twin-states 7, t-maze 10, random 4)"},
    {CLI_REAL, 'p', "probability", "P", AT(probability), NULL, 0, 1, .help = "commitment probability (t-maze 0.6, random 0.3)"},
    {CLI_TEXT, 0, "size", "h,u,d,K", AT(size), "3,2,2,2",
     .help = "t-maze: cells of the corridor before the junction, cells above it, cells below it, environments"},
    {CLI_REAL, 0, "slip", "P", AT(grip), "0.8", 0, 1, .help = "t-maze: probability that a move out of a slippery cell succeeds"},
    {CLI_INT, 0, "states", "S", AT(states), "4", 1, 1000000, .help = "random: states"},
    {CLI_INT, 0, "actions", "A", AT(actions), "2", 1, 100000, .help = "random: actions"},
    {CLI_INT, 0, "environments", "K", AT(environments), "2", 1, 100000, .help = "random: environments"},
    {CLI_INT, 0, "branching", "B", AT(branching), "2", 1, 1000, .help = "random: most successors of an action"},
    {CLI_FLAG, 0, "shared-transitions", NULL, AT(shared), .help = "random: environments differ in rewards only"},
    {0},
};
#undef AT

static int run(void *arguments, char **operand, int operands)
{
    const generate_args *args = arguments;
    (void)operands;
    vouch_model *model = NULL;
    vouch_error error = {0};
    example e = example_start(example_find(operand[0]));
    if (e.kind == EXAMPLE_NONE)
        return cli_wrong("there is no model \"%s\"; expected twin-states, t-maze, lookahead or random", operand[0]);
    if (args->horizon) e.horizon = args->horizon;
    if (!isnan(args->probability)) e.probability = args->probability;
    char rest;
    if (sscanf(args->size, "%d,%d,%d,%d%c", &e.maze.corridor, &e.maze.up, &e.maze.down, &e.maze.environments, &rest) != 4)
        return cli_wrong("--size: expected four whole numbers h,u,d,K, found \"%s\"", args->size);
    e.maze.grip = args->grip;
    e.random = (vouch_random_shape){.states = args->states,
                                    .actions = args->actions,
                                    .environments = args->environments,
                                    .branching = args->branching,
                                    .shared_transitions = args->shared,
                                    .seed = args->common.seed};
    vouch_status status = example_make(&e, &model, &error);
    if (!status) status = vouch_model_write(model, args->output, &error);
    if (!status && args->common.json && strcmp(args->output, "-") != 0) {
        text t = {0};
        text_add(&t, "{ \"file\": ");
        js_add_string(&t, args->output);
        text_add(&t, ", \"states\": %d, \"actions\": %d, \"environments\": %d, \"horizon\": %d }\n", vouch_model_states(model),
                 vouch_model_actions(model), vouch_model_environments(model), vouch_model_horizon(model));
        cli_print(&t);
        text_free(&t);
    }
    vouch_model_free(model);
    return status ? cli_failed(&error) : CLI_SOLVED;
}

const cli_command cli_generate = {
    .name = "generate",
    .operands = EXAMPLE_KINDS,
    .least_operands = 1,
    .summary = "write an example or random model",
    .text =
        "Writes a model file: the Twin-States and Slippery T-Maze of Zhang, Singh and Durfee (ICAPS 2017), their example in which "
        "looking further ahead hurts, or a random model whose commitment every environment alone can keep.",
    .examples = "vouch generate t-maze -o maze.json\n"
                "vouch generate random --states 6 --environments 3 --seed 7 -o random.json\n",
    .options = options,
    .size = sizeof(generate_args),
    .run = run,
};
