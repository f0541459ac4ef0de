/* cli/generate.c - vouch generate: writes the example models. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/vouch.h>

#include "cli/commands.h"
#include "io/json.h"
#include "mdp/generate.h"

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
    {CLI_FILE, 'o', "output", "MODEL.json", AT(output), "-", .help = "where the model goes; - is standard output"},
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
    vouch_status status;
    if (strcmp(operand[0], "twin-states") == 0) {
        status = generate_twin_states(&model, args->horizon ? args->horizon : 7, &error);
        if (!status && !isnan(args->probability)) vouch_model_set_probability(model, args->probability);
    } else if (strcmp(operand[0], "lookahead") == 0) {
        status = generate_lookahead(&model, &error);
        if (!status && args->horizon) vouch_model_set_horizon(model, args->horizon);
        if (!status && !isnan(args->probability)) vouch_model_set_probability(model, args->probability);
    } else if (strcmp(operand[0], "t-maze") == 0) {
        maze_shape shape = {.horizon = args->horizon ? args->horizon : 10,
                            .probability = isnan(args->probability) ? 0.6 : args->probability,
                            .grip = args->grip};
        char rest;
        if (sscanf(args->size, "%d,%d,%d,%d%c", &shape.corridor, &shape.up, &shape.down, &shape.environments, &rest) != 4)
            return cli_wrong("--size: expected four whole numbers h,u,d,K, found \"%s\"", args->size);
        status = generate_t_maze(&model, &shape, &error);
    } else if (strcmp(operand[0], "random") == 0) {
        random_shape shape = {args->states, args->actions, args->environments, args->horizon ? args->horizon : 4,
                              isnan(args->probability) ? 0.3 : args->probability, args->branching, args->shared, args->common.seed};
        status = generate_random(&model, &shape, &error);
    } else {
        return cli_wrong("there is no model \"%s\"; expected twin-states, t-maze, lookahead or random", operand[0]);
    }
    if (!status) status = vouch_model_write(model, args->output, &error);
    if (!status && args->common.json && strcmp(args->output, "-") != 0) {
        text t = {0};
        js_add_string(&t, args->output);
        printf("{ \"file\": %s, \"states\": %d, \"actions\": %d, \"environments\": %d, \"horizon\": %d }\n", t.data ? t.data : "null",
               vouch_model_states(model), vouch_model_actions(model), vouch_model_environments(model), vouch_model_horizon(model));
        text_free(&t);
    }
    vouch_model_free(model);
    return status ? cli_failed(&error) : CLI_SOLVED;
}

const cli_command cli_generate = {
    .name = "generate",
    .operands = "twin-states|t-maze|lookahead|random",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "write an example or random model",
    .text = "Writes a model file: the Twin-States and Slippery T-Maze of Zhang, Singh and Durfee (ICAPS 2017), their example in which "
            "looking further ahead hurts, or a random model whose commitment every environment alone can keep.",
    .options = options,
    .size = sizeof(generate_args),
    .run = run,
};
