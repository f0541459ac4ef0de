/* plan/groups/groups.h - the search for the best partition of the environments into at most k groups: sets of environments with
 * bounds of their least maximum regret, colourings without forbidden sets, the search, and its proof. */
#ifndef PLAN_GROUPS_GROUPS_H
#define PLAN_GROUPS_GROUPS_H

#include <vouch/groups.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/intern.h"

/* ---- subsets.c ---- */

typedef struct subset {
    double low, high; /* bounds of rho; high INFINITY: no policy was found */
    long long tried;  /* largest work of an unfinished plan */
    bool planned;     /* planned to the end, or without its own limit for the aim `last` */
    struct subset_aim {
        double enough, cutoff; /* as of vouch_plan_options */
        long long work;        /* maximum number of inductions; 0: no limit */
    } last;
    vouch_policy *policy; /* owned; NULL: none */
    long long nodes, iterations;
    vouch_plan_outcome outcome;
} subset;

typedef struct subset_aim subset_aim;

typedef struct subsets {
    const vouch_model *m;
    vouch_plan_options options; /* of each plan */
    vouch_group_promises promises;
    bool apart; /* each group only considers its own environments: the model of a set has no others */
    deadline limit;
    int K, words, threads;
    subset_aim aim; /* of each plan of the next run */
    intern sets;
    subset *item; /* owned, [sets.count] */
    size_t capacity;
    int *task, tasks; /* owned: numbers of the scheduled sets */
    size_t task_capacity;
    vouch_error *errors; /* owned, [tasks] of the run */
    long long planned, nodes, iterations;
    vouch_error *error;
} subsets;

vouch_status subsets_init(subsets *s);
void subsets_free(subsets *s);

/* The number of the set, made if new; -1: no memory. Keys move when a set is made. */
int subsets_number(subsets *s, const uint64_t *set);
/* Schedules the set for subsets_run, unless the aim is reached or as much work has failed already. */
vouch_status subsets_schedule(subsets *s, int number);
/* Plans all scheduled sets, on the threads. */
vouch_status subsets_run(subsets *s);
/* Is the time or node limit reached, or was it interrupted? */
bool subsets_over(const subsets *s);
/* A new copy of the model of a set. */
vouch_status subsets_model(const subsets *s, int number, vouch_model **part, vouch_error *error);
/* Regrets of the set's policy, by its environments in order, into regret; requires a policy. */
void subset_regrets(const subsets *s, int number, double regret[]);

/* ---- partition.c ---- */

typedef enum colouring { COLOURED, NOT_COLOURABLE, COLOUR_UNKNOWN } colouring;

/* Every set whose rho is known to be `least` or more is forbidden. colour [K] (COLOURED only): groups 0 .. policies-1, numbered by
 * their first environment. UNKNOWN: the work allowed was used up.
 * used [sets], NULL or false at first (NOT_COLOURABLE only): the sets without which they could be. -1 in *failed: no memory. */
colouring colour_groups(const subsets *s, int policies, double least, int colour[], int *failed, bool used[]);

typedef struct grouping {
    subsets s;
    int policies;
    double gap;
    /* the best partition */
    int groups;      /* 0: none */
    int *colour;     /* [K] group of each environment */
    int *number;     /* [K] set of each group */
    double value;    /* INFINITY: none */
    double bound;    /* lower bound of every partition */
    bool infeasible; /* proved: no policies keep the promises */
    /* scratch */
    int *try, *list; /* [K] the current partition; environments of a set */
    int *at_hand;    /* [K] its sets */
    uint64_t *set;   /* [words] */
    double *regret;  /* [K] */
    arena memory;    /* of all arrays */
} grouping;

/* s.m, .options, .promises, .apart, .limit, .threads, .error, policies and gap are set, all else 0. On failure partition_free too.
 */
vouch_status partition_init(grouping *p);
/* Finds the best partition, or the best within the limits. */
vouch_status partition_search(grouping *p);
void partition_free(grouping *p);

static inline bool partition_closed(const grouping *p) { return p->groups > 0 && p->value - p->bound <= p->gap; }

/* ---- group_proof.c: a part for each group, and for sets that no better partition can avoid ---- */

/* Writes the proof of the result of partition_search to options.proof. The bound becomes the proved one. */
vouch_status group_proof_write(grouping *p);

#endif
