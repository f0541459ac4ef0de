/* io/groups_json.h - files of several policies.
 *
 *   { "vouch_policy": 1, "model", "promises": "own"|"all", "knowledge": "own"|"all", "status", "max_regret", "bound",
 *     "groups": [{ "environments": ["k1", "k3"], "max_regret", "policy": 0 }, ..], "policies": [{ a policy file }, ..] }
 *
 * A policy of "own" promises is for the model with its group's environments only; or, where "knowledge" is "all", for the model
 * with all of them, those outside the group paying and promising nothing: its rules name the environments that it knows to be
 * possible.
 */
#ifndef IO_GROUPS_JSON_H
#define IO_GROUPS_JSON_H

#include <vouch/groups.h>

#include "io/file.h"

/* One policy of a file, and who follows it. */
typedef struct group_policy {
    vouch_model *model;             /* owned: the model of the policy; NULL: the whole model */
    bool apart;                     /* the model has the group's environments only */
    vouch_policy *policy;           /* owned */
    int *environment, environments; /* owned: of the whole model, ascending */
} group_policy;

typedef struct group_file {
    group_policy *item; /* owned, [count] */
    int count;
    bool several; /* "groups"; else a policy file like any other, for all environments */
} group_file;

/* Reads either kind; call group_file_free also after an error. */
vouch_status group_file_read(group_file *f, const vouch_model *model, const char *path, vouch_error *error);
void group_file_free(group_file *f);
/* The number of the i th environment of the group in the policy's model. */
static inline int group_policy_place(const group_policy *p, int i) { return p->apart ? i : p->environment[i]; }
/* The policy that the environment of this name follows, taken out of the file: *policy for *model (NULL: the whole one), both the
 * caller's. A file of one policy needs no name (NULL). ERROR_INPUT: there is none of this name, or one is needed. */
vouch_status group_policy_read(const vouch_model *whole, const char *path, const char *environment, vouch_model **model,
                               vouch_policy **policy, vouch_error *error);
/* Writes the groups, at least one. */
vouch_status group_file_write(const vouch_groups *groups, const vouch_model *model, vouch_group_promises promises, const char *path,
                              vouch_error *error);
/* Appends [{ "environments": [..], "max_regret": .., "policy": 0 }, ..]. */
void group_list_add(const vouch_groups *groups, const vouch_model *model, text *t);
/* Appends the parts of names like "n=1,m=2" that these environments share and not all environments have; "" if there are none. */
void group_common_add(const vouch_model *model, const int environment[], int environments, text *t);

#endif
