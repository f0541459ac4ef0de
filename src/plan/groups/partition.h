/* plan/groups/partition.h - the search for the best partition of the environments into at most k groups. */
#ifndef PLAN_GROUPS_PARTITION_H
#define PLAN_GROUPS_PARTITION_H

#include "plan/groups/subsets.h"

typedef struct grouping {
    subsets s;
    int policies;
    double gap;
    /* the best partition */
    int groups;      /* 0: none */
    int *colour;     /* owned, [K] group of each environment */
    int *number;     /* owned, [K] set of each group */
    double value;    /* INFINITY: none */
    double bound;    /* lower bound of every partition */
    bool infeasible; /* proved: no policies keep the promises */
    /* scratch, owned */
    int *try, *list; /* [K] the current partition; environments of a set */
    int *at_hand;    /* [K] its sets */
    uint64_t *set;   /* [words] */
    double *regret;  /* [K] */
} grouping;

/* s.m, .options, .promises, .apart, .limit, .threads, .error, policies and gap are set, all else 0. On failure partition_free too.
 */
vouch_status partition_init(grouping *p);
/* Finds the best partition, or the best within the limits. */
vouch_status partition_search(grouping *p);
void partition_free(grouping *p);

static inline bool partition_closed(const grouping *p) { return p->groups > 0 && p->value - p->bound <= p->gap; }

#endif
