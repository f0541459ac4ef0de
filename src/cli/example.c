/* cli/example.c - the models of vouch generate, by kind and parameters. */

#include "cli/cli.h"

typedef enum parameter_type { WHOLE, REAL, SEED } parameter_type;
typedef struct parameter {
    example_kind kind;
    const char *name;
    parameter_type type;
    size_t offset; /* in example */
    double least, most;
} parameter;

#define MOST_SEED 9007199254740992.0 /* 2^53: beyond, doubles skip numbers */

static const parameter parameters[] = {
    {EXAMPLE_T_MAZE, "h", WHOLE, offsetof(example, maze.corridor), 1, 1e6},
    {EXAMPLE_T_MAZE, "u", WHOLE, offsetof(example, maze.up), 1, 1e6},
    {EXAMPLE_T_MAZE, "d", WHOLE, offsetof(example, maze.down), 1, 1e6},
    {EXAMPLE_T_MAZE, "K", WHOLE, offsetof(example, maze.environments), 1, 1e6},
    {EXAMPLE_T_MAZE, "slip", REAL, offsetof(example, maze.grip), 0, 1},
    {EXAMPLE_RANDOM, "S", WHOLE, offsetof(example, random.states), 1, 1e6},
    {EXAMPLE_RANDOM, "A", WHOLE, offsetof(example, random.actions), 1, 1e5},
    {EXAMPLE_RANDOM, "K", WHOLE, offsetof(example, random.environments), 1, 1e5},
    {EXAMPLE_RANDOM, "B", WHOLE, offsetof(example, random.branching), 1, 1000},
    {EXAMPLE_RANDOM, "shared", WHOLE, offsetof(example, random.shared_transitions), 0, 1},
    {EXAMPLE_RANDOM, "seed", SEED, offsetof(example, random.seed), 0, MOST_SEED},
    {EXAMPLE_RANDOM_DENSE, "S", WHOLE, offsetof(example, family.states), 1, 1e6},
    {EXAMPLE_RANDOM_DENSE, "A", WHOLE, offsetof(example, family.actions), 1, 1e5},
    {EXAMPLE_RANDOM_DENSE, "K", WHOLE, offsetof(example, family.environments), 1, 1e5},
    {EXAMPLE_RANDOM_DENSE, "seed", SEED, offsetof(example, family.seed), 0, MOST_SEED},
    {EXAMPLE_MACHINE_REPAIR, "K", WHOLE, offsetof(example, family.environments), 1, 1e5},
    {EXAMPLE_MACHINE_REPAIR, "C", REAL, offsetof(example, family.concentration), 1e-3, 1e6},
    {EXAMPLE_MACHINE_REPAIR, "seed", SEED, offsetof(example, family.seed), 0, MOST_SEED},
    {EXAMPLE_ADAPTIVE, "A", WHOLE, offsetof(example, family.actions), 1, 1e5},
    {EXAMPLE_ADAPTIVE, "K", WHOLE, offsetof(example, family.environments), 1, 1e5},
    {EXAMPLE_ADAPTIVE, "seed", SEED, offsetof(example, family.seed), 0, MOST_SEED},
};
enum { PARAMETERS = (int)(sizeof parameters / sizeof *parameters) };

example_kind example_find(const char *word)
{
    static const char *const word_of[] = {[EXAMPLE_TWIN_STATES] = "twin-states",   [EXAMPLE_T_MAZE] = "t-maze",
                                          [EXAMPLE_LOOKAHEAD] = "lookahead",       [EXAMPLE_RANDOM] = "random",
                                          [EXAMPLE_RANDOM_DENSE] = "random-dense", [EXAMPLE_MACHINE_REPAIR] = "machine-repair",
                                          [EXAMPLE_ADAPTIVE] = "adaptive",         [EXAMPLE_CORRIDOR] = "corridor"};
    for (int i = EXAMPLE_TWIN_STATES; i < EXAMPLE_KIND_COUNT; i++)
        if (strcmp(word, word_of[i]) == 0) return (example_kind)i;
    return EXAMPLE_NONE;
}

example example_start(example_kind kind)
{
    static const int horizon[EXAMPLE_KIND_COUNT] = {0, 7, 10, 3, 4, 4, 8, 10, 8},
                     environments[EXAMPLE_KIND_COUNT] = {
                         [EXAMPLE_RANDOM_DENSE] = 2, [EXAMPLE_MACHINE_REPAIR] = 10, [EXAMPLE_ADAPTIVE] = 4};
    static const double probability[EXAMPLE_KIND_COUNT] = {
        [EXAMPLE_TWIN_STATES] = 1, [EXAMPLE_T_MAZE] = 0.6, [EXAMPLE_RANDOM] = 0.3, [EXAMPLE_CORRIDOR] = 0.8};
    return (example){.kind = kind,
                     .horizon = horizon[kind],
                     .probability = probability[kind],
                     .maze = {.corridor = 3, .up = 2, .down = 2, .environments = 2, .grip = 0.8},
                     .random = {.states = 4, .actions = 2, .environments = 2, .branching = 2, .seed = 1},
                     .family = {.states = 4, .actions = 2, .environments = environments[kind], .concentration = 5, .seed = 1}};
}

static vouch_status no_parameter(const example *e, const char *name, vouch_error *error)
{
    char known[128] = "";
    size_t used = 0;
    for (int i = 0; i < PARAMETERS; i++)
        if (parameters[i].kind == e->kind)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", parameters[i].name);
    return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no parameter \"%.100s\"; this model has %s", name,
                     used ? known : "none besides T and p");
}

vouch_status example_set(example *e, const char *name, double value, vouch_error *error)
{
    const parameter *p = NULL;
    for (int i = 0; i < PARAMETERS; i++)
        if (parameters[i].kind == e->kind && strcmp(parameters[i].name, name) == 0) p = &parameters[i];
    if (!p) return no_parameter(e, name, error);
    bool fine = value >= p->least && value <= p->most && (p->type == REAL || value == floor(value));
    if (!fine)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "%.10g is not a value of %s; expected a %s from %.10g to %.10g", value, name,
                         p->type == REAL ? "number" : "whole number", p->least, p->most);
    char *field = (char *)e + p->offset;
    int whole = p->type == WHOLE ? (int)value : 0;
    uint64_t seed = p->type == SEED ? (uint64_t)value : 0;
    if (p->type == WHOLE)
        memcpy(field, &whole, sizeof whole);
    else if (p->type == SEED)
        memcpy(field, &seed, sizeof seed);
    else
        memcpy(field, &value, sizeof value);
    return VOUCH_OK;
}

vouch_status example_make(const example *e, vouch_model **model, vouch_error *error)
{
    vouch_maze_shape maze = e->maze;
    vouch_random_shape random = e->random;
    vouch_family_shape family = e->family;
    vouch_status status = VOUCH_ERROR_ARGUMENT;
    *model = NULL;
    maze.horizon = random.horizon = family.horizon = e->horizon;
    maze.probability = random.probability = family.probability = e->probability;
    switch (e->kind) {
    case EXAMPLE_TWIN_STATES:
        status = vouch_generate_twin_states(model, e->horizon, error);
        break;
    case EXAMPLE_T_MAZE:
        return vouch_generate_t_maze(model, &maze, error);
    case EXAMPLE_LOOKAHEAD:
        status = vouch_generate_lookahead(model, error);
        break;
    case EXAMPLE_RANDOM:
        return vouch_generate_random(model, &random, error);
    case EXAMPLE_RANDOM_DENSE:
        return vouch_generate_random_dense(model, &family, error);
    case EXAMPLE_MACHINE_REPAIR:
        return vouch_generate_machine_repair(model, &family, error);
    case EXAMPLE_ADAPTIVE:
        return vouch_generate_adaptive(model, &family, error);
    case EXAMPLE_CORRIDOR:
        return vouch_generate_corridor(model, e->horizon, e->probability, error);
    case EXAMPLE_KIND_COUNT:
    case EXAMPLE_NONE:
        break;
    }
    if (!status && (vouch_model_set_horizon(*model, e->horizon) || vouch_model_set_probability(*model, e->probability)))
        status = error_set(error, VOUCH_ERROR_ARGUMENT, "T must be at least 1 and p between 0 and 1");
    if (status) {
        vouch_model_free(*model);
        *model = NULL;
    }
    return status;
}
