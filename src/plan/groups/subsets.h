/* plan/groups/subsets.h - sets of environments, and what is known of the least maximum regret of each. */
#ifndef PLAN_GROUPS_SUBSETS_H
#define PLAN_GROUPS_SUBSETS_H

#include <stdbool.h>
#include <vouch/groups.h>

#include "base/clock.h"
#include "base/intern.h"

typedef struct subset {
    double low, high; /* rho lies between; high INFINITY: no policy was found */
    long long tried;  /* the most work of a plan that was not finished */
    bool planned;     /* to the end, or without a limit of its own for the aim `last` */
    struct subset_aim {
        double enough, cutoff; /* as of vouch_plan_options */
        long long work;        /* most inductions; 0: any */
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
    bool apart; /* each group knows of its own environments alone: the model of a set has no others */
    deadline limit;
    int K, words, threads;
    subset_aim aim; /* of each plan of the next run */
    intern sets;
    subset *item; /* owned, [sets.count] */
    size_t capacity;
    int *task, tasks; /* owned: numbers of those to be planned next */
    size_t task_capacity;
    vouch_error *errors; /* owned, [tasks] of the run */
    long long planned, nodes, iterations;
    vouch_error *error;
} subsets;

vouch_status subsets_init(subsets *s);
void subsets_free(subsets *s);

/* The number of the set, made if new; -1: no memory. Keys move when a set is made. */
int subsets_number(subsets *s, const uint64_t *set);
/* The set is to be planned by subsets_run, unless all that the aim asks for is known, or as much work has been done in vain. */
vouch_status subsets_ask(subsets *s, int number);
/* Plans all that were asked for, on the threads. */
vouch_status subsets_run(subsets *s);
/* No time, no nodes left, or interrupted. */
bool subsets_over(const subsets *s);
/* The model that a set is planned for, made anew. */
vouch_status subsets_model(const subsets *s, int number, vouch_model **part, vouch_error *error);
/* Regrets of the set's policy, by its environments in order, into regret; requires a policy. */
void subset_regrets(const subsets *s, int number, double regret[]);

#endif
