/* plan/groups/subsets.h - sets of environments, with bounds of the least maximum regret of each. */
#ifndef PLAN_GROUPS_SUBSETS_H
#define PLAN_GROUPS_SUBSETS_H

#include <stdbool.h>
#include <vouch/groups.h>

#include "base/clock.h"
#include "base/intern.h"

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
vouch_status subsets_ask(subsets *s, int number);
/* Plans all scheduled sets, on the threads. */
vouch_status subsets_run(subsets *s);
/* Is the time or node limit reached, or was it interrupted? */
bool subsets_over(const subsets *s);
/* A new copy of the model of a set. */
vouch_status subsets_model(const subsets *s, int number, vouch_model **part, vouch_error *error);
/* Regrets of the set's policy, by its environments in order, into regret; requires a policy. */
void subset_regrets(const subsets *s, int number, double regret[]);

#endif
