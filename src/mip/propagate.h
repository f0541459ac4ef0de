/* mip/propagate.h - bounds implied by bounds: what a row's activity leaves to its columns.
 *
 * For a row  rl <= sum_k a_k x_k <= ru  with least activity A (each term at its least) every column obeys
 *     a_j x_j <= ru - (A - least of a_j x_j),        and the mirror image for rl and the greatest activity.
 * Integer columns round. A row sum_a x_a <= 1 of binaries fixes the others as soon as one is 1.
 */
#ifndef MIP_PROPAGATE_H
#define MIP_PROPAGATE_H

#include <stdbool.h>

#include "base/trace.h"
#include "mip/model.h"

typedef struct bound_change {
    int col;
    double lower, upper;
} bound_change;

/* What the bounds leave to a row, kept as they move: whether a look at its columns can show anything. A look sums it anew. */
typedef struct row_room {
    double least, greatest; /* activities without their infinite terms */
    int open_least, open_greatest;
    double reach; /* largest |a| (u - l) since every row was last queued */
} row_room;

/* Bounds in force and the record of their changes, so that they can be taken back. */
typedef struct domain {
    arena memory; /* of the arrays that do not grow */
    const mip_model *model;
    double *lower, *upper; /* [n] */
    row_room *room;        /* [m] */
    int *row_queue;        /* [m] rows to look at; a ring */
    bool *queued;          /* [m] */
    int queue_head, queue_count;
    bound_change *stack; /* owned: trail of changes, with the bounds before each */
    size_t trail, capacity;
    bool look_at_sets;
    bool failed;            /* an allocation failed; results may be weaker but stay valid */
    int *set_of, *set_list; /* SOS1 sets of each column: set_list[set_of[j] .. set_of[j+1]) */
    int *cost_col;          /* [cost_count], the objective as a row */
    double *cost_value;     /* [cost_count] */
    int cost_count;
    double objective_bound; /* c'x (without offset) must not exceed this; INFINITY: no matter */
    long long work;         /* entries looked at, and those of columns that moved */
    vouch_trace *trace;     /* NULL: none */
} domain;

vouch_status domain_init(domain *d, const mip_model *model);
void domain_free(domain *d);

/* Tightens one bound (never loosens) and queues the rows of the column. False: the domain is empty now. */
bool domain_set_lower(domain *d, int col, double value);
bool domain_set_upper(domain *d, int col, double value);
/* Looks at queued rows until nothing changes or the work limit is reached. False: no point is left. */
bool domain_propagate(domain *d);
/* Queues every row, and every SOS1 set whose bounds decide it already. Needed after changes of the model or of the bounds that were
 * not made by domain_set_lower or domain_set_upper. */
void domain_queue_all(domain *d);

/* domain_mark gives a place to which domain_undo returns; the queue is emptied. */
size_t domain_mark(const domain *d);
void domain_undo(domain *d, size_t mark);

#endif
