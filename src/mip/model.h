/* mip/model.h - the program a search works on: minimised, by rows and by columns.
 *
 *     min c'x + c0   subject to   rl <= A x <= ru,   l <= x <= u,   x_j integer for j in I,
 *                    at most one nonzero in each SOS1 set */
#ifndef MIP_MODEL_H
#define MIP_MODEL_H

#include <vouch/lp.h>

#include "base/arena.h"
#include "base/trace.h"

/* ---- tolerance -----------------------------------------------------------------------------------------------------------------
 *
 * Every tolerance and weight of the tree search: name, default, reason, and the range in which it makes sense.
 * Counts and limits stand where they are used. */

/* ---- The incumbent and its bound ---- */

/* How far x may break a row or a bound, on the caller's scale. [1e-9, 1e-5] */
#define MIP_FEASIBILITY 1e-6
/* What rounding may add, relative to the largest term of the row: a solve of a basis loses some digits of the sixteen. Rows
 * of integers with whole coefficients are summed exactly and get none. [1e-13, 1e-8] */
#define MIP_RELATIVE_FEASIBILITY 1e-10
/* Sums of n terms err by about sqrt(n) 1e-16 of their magnitudes. [1e-15, 1e-12] */
#define MIP_ROUNDING 1e-14
/* Nodes whose bound comes this close to the incumbent, relative to 1 + |incumbent|, are closed, whatever gap is asked for: a
 * solve tells values apart no better. The bound reported is the one at which they were closed. [1e-12, 1e-7] */
#define MIP_CUTOFF 1e-9
/* A bound this close to the incumbent, relative to 1 + |incumbent|, differs from it by the rounding of a sum only, and is
 * reported as equal to it. [1e-15, 1e-12] */
#define MIP_SAME_VALUE 1e-14
/* A bound by multipliers this close to the relaxation's point, relative to 1 + |objective|, is that of the point. [1e-12, 1e-9] */
#define RELAX_SAME_VALUE 1e-10
/* Of a granular objective: a bound must pass the next possible value by this part of 1 + |value| to close a node. [1e-8, 1e-5] */
#define MIP_GRANULARITY 1e-6
/* Integer columns moved by more than this ask for the continuous ones again. [1e-12, 1e-7] */
#define MIP_MOVED 1e-9
/* Bound violation allowed when the continuous columns are optimised for given integers. [1e-10, 1e-7] */
#define MIP_COMPLETION 1e-9
/* A bound of an integer column this far from the next integer is rounded to it: the slack of one division. [1e-12, 1e-7] */
#define MIP_BOUND_SLACK 1e-9

/* ---- Propagation and presolve ---- */

/* An implied bound of an integer column this close to an integer is that integer. [1e-8, 1e-5] */
#define IMPLIED_SLACK 1e-6
/* Bounds that cross by more, relative, leave no point. [1e-8, 1e-5] */
#define EMPTY_TOLERANCE 1e-6
/* The same of a row, relative to the magnitudes it adds up. [1e-12, 1e-8] */
#define EMPTY_RELATIVE 1e-9
/* Least part of its width, or of its size where that is infinite, by which an integer column's bound must move: else two
 * columns of one row push each other on without end. [1e-5, 1e-1] */
#define INTEGER_GAIN 1e-3
/* Implied bounds of integer columns beyond this bound nothing in practice. [1e6, 1e12] */
#define LARGEST_INTEGER 1e9
/* Relative; sums kept as bounds move err by less: checked where checks are. [1e-9, 1e-4] */
#define KEPT_ACTIVITY 1e-6
/* An implied integer bound known no better than this is not rounded. [0.01, 0.4] */
#define WORST_ERROR 0.25
/* Least part of its width by which a continuous column's bound must move. [0.01, 0.5] */
#define CONTINUOUS_GAIN 0.1
/* Relative; given back to an implied bound of a continuous column. [1e-9, 1e-6] */
#define CONTINUOUS_MARGIN 1e-7
/* Implied continuous bounds beyond this are not worth their rounding errors. [1e5, 1e9] */
#define LARGEST_BOUND 1e7
/* Relative; smaller gains in a coefficient are not worth its rounding. [1e-7, 1e-3] */
#define LEAST_TIGHTENING 1e-5
/* Of a tightened coefficient or side, absolute. [1e-10, 1e-7] */
#define TIGHTENING_ERROR 1e-8
/* Continuous columns whose bounds are this close, relative, are fixed. [1e-14, 1e-9] */
#define FIXED_WIDTH 1e-12
/* Whole numbers beyond it would not be exact in sums. [1e9, 1e15] */
#define LARGEST_WHOLE 1e12
/* Multiplier that may turn decimal coefficients into whole ones. [1e2, 1e9] */
#define MOST_DIGITS 1e6
/* A row whose only free column has less says nothing certain about it. [1e-9, 1e-4] */
#define LEAST_PIVOT 1e-6
/* A column is solved for in an equality only if no other entry is more than this many times its own. [1, 1e4] */
#define SOLVED_RATIO 100.0
/* Relative; smaller moves of a bound that both values of a binary imply are not kept. [1e-8, 1e-3] */
#define PROBING_GAIN 1e-6

/* ---- Cuts ---- */

/* Least distance of the point from a cut. [1e-6, 1e-2] */
#define CUT_EFFICACY 1e-4
/* Least violation, relative to 1 + |right side|: less is within the tolerance of the relaxation. [1e-8, 1e-4] */
#define CUT_VIOLATION 1e-6
/* Given back to the right side of a cut, relative to 1 + it, for the rounding of its coefficients. [1e-12, 1e-7] */
#define CUT_MARGIN 1e-9
/* Largest cosine between two cuts of one round. [0.1, 0.95] */
#define CUT_PARALLELISM 0.7
/* A round that moves the bound by less than this part of what was gained so far counts as stalled. Of shared/mip: 1e-3 has twice
 * the rounds for as many nodes, 5e-2 loses bounds that more rounds gain. [1e-4, 1e-1] */
#define CUT_STALL 2e-2
/* Less than this part of the bound's magnitude does not count as gained so far. [1e-6, 1e-2] */
#define CUT_WORTH 1e-3
/* Largest to least coefficient of a cut. [1e3, 1e8] */
#define DYNAMIC_RANGE 1e6
/* Of a variable bound, and its constant. [1e4, 1e8] */
#define LARGEST_FACTOR 1e6
/* The coefficients of a cut, multiplied to be whole, are this close to it. [1e-9, 1e-6] */
#define WHOLE_COEFFICIENT 1e-7
/* Then the right side may be a whole number that it misses by this much, for its rounding error. [1e-6, 1e-3] */
#define WHOLE_SIDE 1e-5
/* Then the largest coefficient. [1e2, 1e6] */
#define LARGEST_MULTIPLE 1e3
/* Coefficients below this part of the largest are bounded away. [1e-12, 1e-7] */
#define RELATIVE_ZERO 1e-9
/* A value at least this far from a bound or whole number is fractional to a separator. [1e-9, 1e-4] */
#define CUT_FRACTION 1e-6
/* A cover, or two items that exclude each other, must pass the capacity b by this part of 1 + |b|. [1e-9, 1e-5] */
#define KNAPSACK_SLACK 1e-6
/* Items fit that pass the room left by this, relative. [1e-12, 1e-7] */
#define KNAPSACK_FIT 1e-9
/* Rounding error of the knapsack's size, relative to 1 + size, up to which covers are believed. [1e-9, 1e-6] */
#define KNAPSACK_ERROR 1e-7
/* Weight beyond 1 that makes a clique worth a cut. [1e-6, 1e-2] */
#define CLIQUE_VIOLATION 1e-4
/* Of the demand: capacity of an arc beyond what it has at the point. p200x1188c's root: 13 385 without, 15 078 with. [0, 1e-2] */
#define CREEP_FLOW 1e-4
/* A flow this close to the demand, relative, leaves no cut worth having. [1e-6, 1e-2] */
#define CUT_CLOSED 1e-3
/* Of the right side in rounding: less gains nothing. [1e-4, 0.1] */
#define LEAST_FRACTION 0.001
/* Likewise: near 1 coefficients, and errors, are multiplied by 1 / (1 - fraction). [0.9, 0.999] */
#define MOST_FRACTION 0.98
/* Of a row to be rounded: noise of the sum. [1e-15, 1e-9] */
#define ZERO_COEFFICIENT 1e-12
/* Rounding error of the right side, in units of the divisor, up to which its fraction is known. Beyond it, as with the huge
 * coefficients of switching rows, no cut is made. [1e-9, 1e-4] */
#define ROUNDING_ERROR 1e-7
/* Distances of a point from two bounds, or of two cuts from it, that differ by less are equal. [1e-12, 1e-6] */
#define SAME_DISTANCE 1e-9
/* Of a row to be rounded: a smaller one makes large coefficients. [1e-6, 1e-2] */
#define LEAST_DIVISOR 1e-4
/* Relative. [1e-12, 1e-6] */
#define SAME_DIVISOR 1e-9
/* Coefficient by which a column is eliminated from a sum of rows. [1e-9, 1e-3] */
#define LEAST_ELIMINATION 1e-6
/* Distance of a continuous column from its bounds from which it is worth eliminating. [1e-9, 1e-3] */
#define LEAST_SLACKNESS 1e-6
/* Coefficient of a sum of rows that counts as eliminated. [1e-12, 1e-7] */
#define SUM_ZERO 1e-9
/* Slack, relative to 1 + |activity|, up to which a row is used. [0.01, 1] */
#define NEARLY_TIGHT 0.1
/* Slack that an entry of a row is worth when a partner is chosen: short rows first. [0, 1e-2] */
#define LENGTH_PRICE 1e-4
/* Smaller parts of a combination of rows, relative to the largest, are noise. [1e-12, 1e-7] */
#define LEAST_MULTIPLIER 1e-9
/* Of a basic column from a whole number: nearer ones make weak cuts. [1e-4, 0.1] */
#define LEAST_DISTANCE 0.005

/* ---- Branching and reduced costs ---- */

/* Keeps a one-sided gain from scoring zero. [1e-9, 1e-4] */
#define SCORE_FLOOR 1e-6
/* Part of its score that a column in many rows gains: breaks near ties. [0, 1e-2] */
#define ENTRIES_WEIGHT 1e-3
/* Score of a column near one half and in many rows where all gains are nil. Below the square of SCORE_FLOOR. [1e-20, 1e-13] */
#define FRACTION_WEIGHT 1e-16
/* A column must have moved this far for a cost a unit to be learned. [1e-9, 1e-4] */
#define LEAST_STEP 1e-6
/* Part of the gap that a plunge may give away before it ends. [0, 1] */
#define PLUNGE_PART 0.25
/* Smaller ones are zero to the solver. [1e-9, 1e-5] */
#define LEAST_REDUCED_COST 1e-7
/* A number of steps this close to the next whole one is that: the reduced cost is rounded. [1e-9, 1e-4] */
#define STEP_SLACK 1e-6
/* A column this close to its bound is at it. [1e-12, 1e-7] */
#define AT_BOUND 1e-9
/* Weighted violation by which a jump must lower it to gain. [1e-12, 1e-6] */
#define LEAST_JUMP_GAIN 1e-9
/* Weight of the distance where a dive ranks by costs. [0, 1e-1] */
#define DIVE_TIE 1e-3

/* ---- the program a search works on ------------------------------------------------------------------------------------------ */

typedef struct mip_model {
    arena memory; /* of the arrays */
    int m, n;
    int64_t *col_start, *row_start; /* [n+1], [m+1] */
    int *col_row, *row_col;         /* [nonzeros] */
    double *col_value, *row_value;  /* [nonzeros] */
    double *cost, *lower, *upper;   /* [n] */
    double *row_lower, *row_upper;  /* [m] */
    double offset;                  /* c0: of columns that presolve fixed */
    double constant;                /* what is added to the objective for the caller only, so that no tolerance is relative to it */
    unsigned char *integer;         /* [n] */
    int sets;
    int *set_start, *set_col; /* [sets+1], [set_start[sets]] in the order of their weights */
    bool negated;             /* the caller maximises: his objective is minus ours */
} mip_model;

void mip_model_free(mip_model *model);
/* Takes the problem over, its constant and the costs of fixed columns apart; bounds of integer columns are rounded inwards.
 * ERROR_MEMORY: model is empty. */
vouch_status mip_model_build(mip_model *model, const vouch_lp *problem);
vouch_status mip_model_copy(mip_model *to, const mip_model *from);
/* A vouch_lp with the same rows, columns and cost, minimised. */
vouch_status mip_model_to_lp(const mip_model *model, vouch_lp **lp);

/* The largest g found such that every feasible point's objective is offset + a multiple of g; 0 if none was found. */
double mip_model_granularity(const mip_model *model);

/* Greatest common divisor of whole numbers, a and b >= 0. */
double mip_gcd(double a, double b);
bool mip_model_has_continuous(const mip_model *model);
/* locks [n] each: rows that a change down / up of the column can violate. */
void mip_model_count_locks(const mip_model *model, int *locks[2]);

/* Objective of x, offset included. */
double mip_model_objective(const mip_model *model, const double *x);
/* An objective or bound in the caller's terms. */
double mip_model_tell(const mip_model *model, double objective);

/* Are all bounds, rows, sets and (within integrality) integer requirements kept? */
bool mip_model_feasible(const mip_model *model, const double *x, double integrality);

/* ---- bounds implied by bounds: what a row's activity leaves to its columns ------------------------------------------------------
 *
 * For a row  rl <= sum_k a_k x_k <= ru  with least activity A (each term at its least) every column obeys
 *     a_j x_j <= ru - (A - least of a_j x_j),        and the mirror image for rl and the greatest activity.
 * Integer columns round. A row sum_a x_a <= 1 of binaries fixes the others as soon as one is 1. */

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
