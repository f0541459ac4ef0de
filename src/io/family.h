/* io/family.h - what a family of MDPs in another format becomes: the common last step of those readers.
 *
 * A reader names states, actions and environments, gives rows and says which state each environment can reach;
 * family_finish makes the actions of each state agree in all environments, or says where they do not, and builds the model.
 */
#ifndef IO_FAMILY_H
#define IO_FAMILY_H

#include <stdbool.h>
#include <vouch/model_io.h>

#include "io/file.h"
#include "io/names.h"
#include "io/specification.h"
#include "mdp/model.h"

typedef struct family_label {
    int label, env, state;
} family_label;

typedef struct mdp_family {
    const char *path; /* for messages */
    vouch_error *error;
    int S, K, initial;
    char **state_name, **env_name; /* owned, [S], [K] */
    names actions;
    names states;            /* the first of state_name by their names, once asked for */
    specifications promised; /* what is promised */
    bool **in, **through;    /* owned, [promised.count] of [K * S]: its sets; through: NULL where it has none */
    double *first;           /* owned, [K * S] initial distribution, or NULL: initial */
    names labels;            /* of states, and where each holds */
    family_label *label;
    size_t label_count, label_capacity;
    bool *reached;       /* owned, [K * S]: can environment k be in state s when there is a choice to make? NULL: yes */
    double *idle_reward; /* owned, [K * S]: reward of a step in which nothing happens; NULL: 0 */
    model_row *rows;     /* owned */
    size_t row_count, row_capacity;
} mdp_family;

/* The number of an action, made if new; -1 when memory is out. */
int family_action(mdp_family *f, const char *name);
int family_expect_rows(mdp_family *f, size_t more); /* room for so many, and no more; 0, or -1: memory */
int family_add_row(mdp_family *f, model_row row);   /* 0, or -1: memory. row.order is set here */
/* The label holds there; 0, or -1: memory. */
int family_add_label(mdp_family *f, const char *name, int env, int state);
/* Is everything given that such a file leaves open? family_finish asks too; a reader that works long asks first. */
vouch_status family_check_source(mdp_family *f, const vouch_source *source);
/* Builds the model with the horizon, probability, deadlock and merging options of source. An action missing
 * where an environment cannot be anyway is filled by a loop; where it can be, only with merge_actions. */
vouch_status family_finish(mdp_family *f, const vouch_source *source, vouch_model **model);
void family_free(mdp_family *f);

/* The sets of the specifications, empty, once S and K are known. */
vouch_status family_make_sets(mdp_family *f);
/* Fills set [K * S] from names of states separated by commas; place: who asked, for messages. */
vouch_status family_name_states(mdp_family *f, const char *place, const char *list, bool set[]);
/* Where environment k is never in state s, the set is that of the first environment that is. */
void family_complete_set(const mdp_family *f, bool set[]);
/* --initial in terms of the states. */
vouch_status family_initial(mdp_family *f, const vouch_source *source);

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
/* The companion that names it, initial.csv or initial.csv.gz beside the file `path`; empty when there is none. */
void csv_initial_path(const char *path, text *found);
/* Its content, into an empty list, to be freed whatever the outcome. */
vouch_status csv_initial_parse(initial_list *list, const file_content *file, vouch_error *error);
/* count files: maybe an index (drn_index.h), then one per environment. */
vouch_status drn_model_parse(vouch_model **model, const char *name, int count, const file_content file[],
                             const vouch_source *source, vouch_error *error);

#endif
