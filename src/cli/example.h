/* cli/example.h - the models of `vouch generate`, by kind and by named parameters. */
#ifndef CLI_EXAMPLE_H
#define CLI_EXAMPLE_H

#include <vouch/model.h>

#include <vouch/generate.h>

#define EXAMPLE_KINDS "twin-states|t-maze|lookahead|random|random-dense|machine-repair|adaptive|corridor"

typedef enum example_kind {
    EXAMPLE_NONE,
    EXAMPLE_TWIN_STATES,
    EXAMPLE_T_MAZE,
    EXAMPLE_LOOKAHEAD,
    EXAMPLE_RANDOM,
    EXAMPLE_RANDOM_DENSE,
    EXAMPLE_MACHINE_REPAIR,
    EXAMPLE_ADAPTIVE,
    EXAMPLE_CORRIDOR,
    EXAMPLE_KIND_COUNT
} example_kind;

typedef struct example {
    example_kind kind;
    int horizon;        /* T */
    double probability; /* p */
    vouch_maze_shape maze;
    vouch_random_shape random;
    vouch_family_shape family; /* of random-dense, machine-repair, adaptive */
} example;

/* EXAMPLE_NONE where the word names no kind. */
example_kind example_find(const char *word);
/* Everything as `vouch generate` has it without options. */
example example_start(example_kind kind);

/* Parameters besides T and p: h, u, d, K, slip of t-maze; S, A, K, B, shared (0 or 1), seed of random; S, A, K, seed of
 * random-dense; K, C, seed of machine-repair; A, K, seed of adaptive. ERROR_ARGUMENT: no such parameter, or a value outside its
 * range. */
vouch_status example_set(example *e, const char *name, double value, vouch_error *error);
vouch_status example_make(const example *e, vouch_model **model, vouch_error *error);

#endif
