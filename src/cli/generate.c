/* cli/generate.c - vouch generate: writes the example models. */

#include "cli/cli.h"

typedef struct generate_args {
    cli_common common;
    int horizon; /* 0: the default of the kind */
    double probability;
    const char *size;
    double grip, concentration;
    int states, actions, environments, branching, shared;
    const char *output, *observe;
} generate_args;

#define AT(field) offsetof(generate_args, field)
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "MODEL.json", AT(output), "-", .help = "output file; - for standard output"},
    {CLI_INT, 'T', "horizon", "N", AT(horizon), NULL, 1, INT_MAX,
     .help = "horizon (twin-states 7, t-maze and adaptive 10, random and random-dense 4, machine-repair and corridor 8)"},
    {CLI_REAL, 'p', "probability", "P", AT(probability), NULL, 0, 1,
     .help = "commitment probability (t-maze 0.6, random 0.3, corridor 0.8; random-dense, machine-repair, adaptive 0, and every "
             "state is promised then)"},
    {CLI_TEXT, 0, "size", "h,u,d,K", AT(size), "3,2,2,2",
     .help = "t-maze: cells of the corridor before the junction, cells above it, cells below it, environments"},
    {CLI_REAL, 0, "slip", "P", AT(grip), "0.8", 0, 1, .help = "t-maze: probability that a move out of a slippery cell succeeds"},
    {CLI_INT, 0, "states", "S", AT(states), NULL, 1, 1000000, .help = "random, random-dense: states (4)"},
    {CLI_INT, 0, "actions", "A", AT(actions), NULL, 1, 100000, .help = "random, random-dense, adaptive: actions (2)"},
    {CLI_INT, 0, "environments", "K", AT(environments), NULL, 1, 100000,
     .help = "random, random-dense, machine-repair, adaptive: environments (2, 2, 10, 4)"},
    {CLI_INT, 0, "branching", "B", AT(branching), "2", 1, 1000, .help = "random: maximum number of successors of an action"},
    {CLI_REAL, 0, "concentration", "C", AT(concentration), "5", 1e-3, 1e6,
     .help = "machine-repair: rows are drawn from Dirichlet(C times the nominal row); the paper uses C = 1, 5 and 9"},
    {CLI_FLAG, 0, "shared-transitions", NULL, AT(shared), .help = "random: environments differ in rewards only"},
    {CLI_TEXT, 0, "observe", "WHAT", AT(observe), "rewards",
     .help = "observations of the agent: rewards (and states), or states alone"},
    {0},
};
#undef AT

/* Refuses options of other kinds of models. */
static void refuse_idle_options(example_kind kind)
{
    bool maze = kind == EXAMPLE_T_MAZE, sparse = kind == EXAMPLE_RANDOM, repair = kind == EXAMPLE_MACHINE_REPAIR;
    bool random = sparse || kind == EXAMPLE_RANDOM_DENSE, adaptive = kind == EXAMPLE_ADAPTIVE;
    const cli_need needs[] = {
        {"size|slip", maze, "t-maze"},
        {"states", random, "random or random-dense"},
        {"actions", random || adaptive, "random, random-dense or adaptive"},
        {"environments", random || repair || adaptive, "random, random-dense, machine-repair or adaptive; t-maze has --size"},
        {"branching|shared-transitions", sparse, "random"},
        {"concentration", repair, "machine-repair"}};
    cli_refuse_idle(needs, sizeof needs / sizeof *needs);
}

static int run(void *arguments, char **operand)
{
    const generate_args *args = arguments;
    vouch_model *model = NULL;
    example e = example_start(example_find(operand[0]));
    if (e.kind == EXAMPLE_NONE) {
        const char *near = nearest_word(operand[0], EXAMPLE_KINDS);
        cli_die("there is no model \"%s\"; expected one of " EXAMPLE_KINDS "%s%s%s", operand[0], near ? "; did you mean " : "",
                near ? near : "", near ? "?" : "");
    }
    refuse_idle_options(e.kind);
    if (args->horizon) e.horizon = args->horizon;
    if (!isnan(args->probability)) e.probability = args->probability;
    char rest;
    if (scan_text(args->size, "%d,%d,%d,%d%c", &e.maze.corridor, &e.maze.up, &e.maze.down, &e.maze.environments, &rest) != 4)
        cli_die("--size: expected four whole numbers h,u,d,K, found \"%s\"", args->size);
    e.maze.grip = args->grip;
    if (args->states) e.random.states = e.family.states = args->states;
    if (args->actions) e.random.actions = e.family.actions = args->actions;
    if (args->environments) e.random.environments = e.family.environments = args->environments;
    e.random.branching = args->branching;
    e.random.shared_transitions = args->shared;
    e.family.concentration = args->concentration;
    e.random.seed = e.family.seed = args->common.seed;
    cli_try(example_make(&e, &model, &cli_error));
    cli_own_model(model);
    cli_try(model_observe(args->observe, model, &cli_error));
    cli_try(vouch_model_write(model, args->output, &cli_error));
    if (args->common.json) figures_print_written(model, args->output, vouch_model_horizon(model), true);
    return CLI_SOLVED;
}

const cli_command cli_generate = {
    .name = "generate",
    .operands = EXAMPLE_KINDS,
    .least_operands = 1,
    .summary = "write an example or random model",
    .text = "Writes a model file.\n\ntwin-states, t-maze: Twin-States and the Slippery T-Maze of Zhang, Singh and Durfee (ICAPS "
            "2017); lookahead: their example in which L = 1 regrets less than L = 0 and L = 2.\n\nrandom: a sparse random model "
            "whose commitment every environment alone can keep.\n\nrandom-dense: rewards uniform on [0, 10], rows of uniform "
            "numbers, normalised (Buchholz and Scheftelowitsch, Mathematical Methods of Operations Research 89, 2019); with -p "
            "above 0 the first third of the states is promised.\n\nmachine-repair: a machine that wears, 10 states and 4 actions, "
            "its rows drawn around nominal ones (Delage and Mannor, Operations Research 58, 2010); with -p above 0 states 1 to 7 "
            "are promised.\n\nadaptive: adaptive management, two states, environments distinguished by their transitions alone "
            "(after Chades and others, AAAI 2012); with -p above 0 the state good is promised.\n\ncorridor: a tutorial on "
            "promises: fetch a parcel by time 3, deliver it by the horizon, never fall into the ditch.",
    .examples = "vouch generate t-maze -o maze.json\n"
                "vouch generate random --states 6 --environments 3 --seed 7 -o random.json\n"
                "vouch generate random-dense --states 10 --actions 3 --environments 2 --seed 1 -o dense.json\n"
                "vouch generate machine-repair --environments 30 --concentration 1 -T 20 -o repair.json\n"
                "vouch generate corridor -o corridor.json\n",
    .options = options,
    .size = sizeof(generate_args),
    .run = run,
};
