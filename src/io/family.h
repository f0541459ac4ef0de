/* io/family.h - families of MDPs from other formats than JSON: the last step of their readers.
 *
 * A reader names states, actions and environments, gives rows and says which state each environment can reach; family_finish makes
 * the actions of each state agree in all environments, or says where they do not, and builds the model.
 */
#ifndef IO_FAMILY_H
#define IO_FAMILY_H

#include <stdbool.h>
#include <vouch/model_io.h>

#include "io/specification.h"
#include "mdp/model.h"

typedef struct family_label {
    int label, env, state;
} family_label;

typedef struct mdp_family {
    escape *e;        /* of the reading, which frees all of it; the calls below escape by it */
    const char *path; /* for messages */
    const vouch_source *source;
    int S, K, initial;
    char **state_name, **env_name; /* [S], [K] */
    names actions;
    names states;            /* the first of state_name by their names, once needed */
    specifications promised; /* once family_check_source has read them */
    bool **in, **through;    /* [promised.item_count] of [K * S]: its sets; through: NULL where it has none */
    double *first;           /* [K * S] initial distribution, or NULL: initial */
    names labels;            /* of states, and where each holds */
    ESCAPE_ARRAY(family_label, label);
    bool *reached;       /* [K * S]: can environment k be in state s when there is a choice to make? NULL: yes */
    double *idle_reward; /* [K * S]: reward of a step in which nothing happens; NULL: 0 */
    model_row *rows;     /* [row_count], a block of mem_alloc that the model takes over */
    size_t row_count, row_capacity;
    vouch_model *model; /* of family_finish */
} mdp_family;

/* Calls read(object) as a reading of the family, which starts from {.path, .source} and is finished by it. */
vouch_status family_read(mdp_family *f, void (*read)(void *object), void *object, vouch_model **model, vouch_error *error);

/* The number of an action, made if new. */
int family_action(mdp_family *f, const char *name);
void family_expect_rows(mdp_family *f, size_t more); /* room for `count`, and no more */
void family_add_row(mdp_family *f, model_row row);   /* row.order is set here */
void family_add_label(mdp_family *f, const char *name, int env, int state);
/* Checks the options that such a file needs, and reads the promises. */
void family_check_source(mdp_family *f);
/* Builds the model with the horizon, probability, deadlock and merging options of source. An action missing where an environment
 * cannot be anyway is filled by a loop; where it can be, only with merge_actions. */
void family_finish(mdp_family *f);

/* The sets of the specifications, empty, once S and K are known. */
void family_make_sets(mdp_family *f);
/* Fills set [K * S] from names of states separated by commas; place: the option, for messages. family_promises: all sets. */
void family_name_states(mdp_family *f, const char *place, const char *list, bool set[]);
void family_promises(mdp_family *f);
/* If environment k cannot reach state s, the set is taken from the first environment that can. */
void family_complete_set(const mdp_family *f, bool set[]);
/* --initial in terms of the states. */
void family_initial(mdp_family *f);

/* The readers of files in memory. */
vouch_status prism_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);
vouch_status jani_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);
vouch_status pomdp_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);
/* A distribution over states by number. */
typedef struct initial_state {
    int state;
    double p;
    int line; /* of the file, where there is one */
} initial_state;
typedef struct initial_list {
    initial_state *item; /* owned, [count] */
    size_t count, capacity;
    const char *file; /* that it was read from, the caller's; NULL: none */
} initial_list;

/* initial: NULL or empty: state 0. */
vouch_status csv_model_parse(vouch_model **model, const file_content *file, const initial_list *initial, const vouch_source *source,
                             vouch_error *error);
/* Its content, into an empty list, to be freed also after an error. */
vouch_status csv_initial_parse(initial_list *list, const file_content *file, vouch_error *error);
/* count files: maybe an index (below), then one per environment. */
vouch_status drn_model_parse(vouch_model **model, const char *name, int count, const file_content file[],
                             const vouch_source *source, vouch_error *error);

#endif
