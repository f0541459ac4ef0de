/* plan/search/stagnation.h - is a search to start again, since its bound stands still near the cutoff?
 *
 * Near the cutoff a node is either cut off at once or has the bound of its parent, so that the order of decisions alone says how
 * many nodes there are: trees of one model differ in size by more than 10 times. What decisions have gained
 * (plan/branch/branching_record.h) is known better after some nodes than before them, and a tree begun then decides first what cuts
 * off. Source: restarts of C. Gomes, B. Selman, H. Kautz (1998), each run twice as long as the one before, so that no more than
 * about as much again is lost where they do not help.
 */
#ifndef PLAN_SEARCH_STAGNATION_H
#define PLAN_SEARCH_STAGNATION_H

#include <stdbool.h>

/* {0} before the tree begins that is the first to be restarted so. */
typedef struct stagnation {
    double stood;    /* the bound proved when it last moved or was far from the cutoff */
    long long since; /* nodes of the search then */
    int restarts;    /* so far for want of that */
} stagnation;

/* A tree begins with this bound, after so many nodes in all. */
void stagnation_begin(stagnation *s, double bound, long long nodes);
/* Notes the bound proved after so many nodes; cutoff: where the search would end, INFINITY: no policy is known. Is it to start
 * again? */
bool stagnation_note(stagnation *s, double bound, double cutoff, long long nodes);

#endif
