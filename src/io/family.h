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
#include "mdp/model.h"

typedef struct mdp_family {
    const char *path; /* for messages */
    vouch_error *error;
    int S, K, initial;
    char **state_name, **env_name; /* owned, [S], [K] */
    names actions;
    bool *phi;           /* owned, [S] */
    bool *reached;       /* owned, [K * S]: can environment k be in state s when there is a choice to make? NULL: yes */
    double *idle_reward; /* owned, [K * S]: reward of a step in which nothing happens; NULL: 0 */
    model_row *rows;     /* owned */
    size_t row_count, row_capacity;
} mdp_family;

/* The number of an action, made if new; -1 when memory is out. */
int family_action(mdp_family *f, const char *name);
int family_add_row(mdp_family *f, model_row row); /* 0, or -1: memory. row.order is set here */
/* Is everything given that such a file leaves open? family_finish asks too; a reader that works long asks first. */
vouch_status family_check_source(const mdp_family *f, const vouch_source *source);
/* Builds the model with the horizon, probability, deadlock and merging options of source. An action missing
 * where an environment cannot be anyway is filled by a loop; where it can be, only with merge_actions. */
vouch_status family_finish(mdp_family *f, const vouch_source *source, vouch_model **model);
void family_free(mdp_family *f);

/* Phi from names of states separated by commas. */
vouch_status family_commit_states(mdp_family *f, const char *list);

/* The readers of files in memory. */
vouch_status prism_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);
/* initial: number of the initial state, from 0. */
vouch_status csv_model_parse(vouch_model **model, const file_content *file, int initial, const vouch_source *source,
                             vouch_error *error);
/* The companion that names it, initial.csv or initial.csv.gz beside the file `path`; empty when there is none. */
void csv_initial_path(const char *path, text *found);
/* Its content: *state has probability 1 there. */
vouch_status csv_initial_parse(int *state, const file_content *file, vouch_error *error);
/* count files, one per environment. */
vouch_status drn_model_parse(vouch_model **model, const char *name, int count, const file_content file[],
                             const vouch_source *source, vouch_error *error);

#endif
