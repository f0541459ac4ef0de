/* plan/spatial/box.h - bounds of stochastic policies in a box of action probabilities: corners, pricing, columns, bounds, splits.
 *
 * For multipliers lambda, mu >= 0 [K] with sum of lambda <= 1 and any prices beta(n,a;k), every policy pi in the box that keeps
 * the commitment has
 *
 *     max regret >= sum_k lambda_k U*(k) + sum_k p(k) mu_k - V - sum_n M(n)
 *     V    = max over class policies in the box of  sum_k lambda_k U(k) + mu_k Pr(k) - sum beta(n,a;k) y(n,a;k)
 *     M(n) = max of  sum_{a,k} beta(n,a;k) pi(a) y_k  over pi in the box of n and y_k between the least and the most Pr(n|k)
 *
 * because the two terms with beta cancel for a policy that does not depend on the class. V is one backward induction
 * (know/induction.h); M(n) is convex in pi, so largest at a vertex (src/THEORY.md, 6.1; the rows behind beta: G. McCormick,
 * Mathematical Programming 10, 1976). Good multipliers come from program/program.h by column generation; with beta = 0 this is the
 * bound of plan/colgen/colgen.h with boxes for fixed choices, whose error shrinks like the width of the box, with beta like its
 * square. Where no node has more than CORNER_CHOICES choices, V is the maximum over single policies (box_pricer below), which is
 * never more.
 */
#ifndef PLAN_SPATIAL_BOX_H
#define PLAN_SPATIAL_BOX_H

#include "base/heap.h"
#include "know/induction.h"
#include "plan/heuristic/incumbent.h"
#include "program/program.h"

/* ---- corners (box_pricer.c) ----
 *
 * Sums of U(k) and Pr(k) are linear in pi(.|n) while other nodes stay, so that the maximum over a box is attained where every node
 * is at a corner of its box: all choices but one at a side and that one with the rest. So a box is a planning problem whose choices
 * at n are corners. Cost: 2^choices at a node. Invariant: corners of a node differ, and each is a distribution within the box, to
 * rounding. */

/* More choices have too many corners. */
enum { CORNER_CHOICES = 5 };

typedef struct box_corners {
    const know_graph *g;
    int *start;          /* [nodes before T, + 1] room for a node's corners, numbered over all nodes */
    int *count;          /* [nodes before T] of its box */
    size_t *share_start; /* [nodes before T] first index of the node in share */
    double *share;       /* pi(.|n), corner by corner */
    unsigned char *open; /* [choices] the box allows it */
    bool blurred;        /* corners of this box are not told apart */
} box_corners;

static inline int box_choices(const know_graph *g, int n) { return g->choice_start[n + 1] - g->choice_start[n]; }
/* Corner i of node n: pi(.|n), [choices of n]. */
static inline double *box_corner(const box_corners *x, int n, int i)
{
    return x->share + x->share_start[n] + (size_t)(i * box_choices(x->g, n));
}

/* The policies of a box as deterministic policies: choice j of node n is corner x,
 *
 *     P(n'|n,j;k) = sum_a x_a P(n'|n,a;k),      R(n,j;k) = K (sum_a x_a reward(n,a;k) + the pay at the horizon)
 *
 * so that searches over deterministic policies where no promise binds (plan/stage/stagewise.h) find the value of a policy of the
 * box: with weights 1/K, sum_k (1/K) U(k). Nodes, sets and boundaries are shared with the graph of the model. Invariant: only g's
 * own arrays change. */
typedef struct box_graph {
    const box_corners *at;
    know_graph g; /* edges are numbered as their rows; g.choices is the room there is until a box is entered */
    int *edge_at; /* [nodes] the edge of the corner at hand that leads there */
} box_graph;

/* Choices and edges become the corners' [O(edges of each corner)]. */
void box_graph_enter(box_graph *x);
/* Sets rewards from reward [choices of the model's graph * K] and from mu [K] at the horizon. */
void box_graph_price(box_graph *x, const double reward[], const double mu[]);

/* ---- the best policy at given prices ----
 *
 *     most = max over pi in the box of  sum over (n,a,k) of y(n,a;k) reward(n,a;k)  +  sum over k of mu_k Pr(k),   y its occupancy
 *
 * by two searches over corners. */

/* Writes the proof: the tree begins with case `root`. */
typedef struct corner_witness {
    void *context;
    int root;
    int (*split)(void *context, int number, int node); /* the number of the first corner's case; the others follow */
    void (*leaf)(void *context, int number);           /* the induction shows no more than task->least */
} corner_witness;

typedef struct corner_task {
    const double *reward, *mu; /* [choices * K], [K] */
    double least;              /* a maximum below this does not matter */
    double near;               /* by this much the bound may exceed the value found */
    const deadline *limit;
    const corner_witness *witness; /* NULL: none; else no policy may be worth more than `least` */
} corner_task;

/* A policy of corners, improved node by node. With w(n;k) the probability of reaching n and J(n;k) the value from
 * n on, the choice at one node adds sum_k w(n;k) sum_a x_a (reward(n,a;k) + sum over n' of P(n'|n,a;k) J(n';k)), so the best corner
 * of a node is known while others stay. Backwards in time w(n) stays, and all nodes are improved in one sweep: O(edges K) forwards,
 * and corners times that backwards. */
typedef struct corner_slices {
    const box_corners *at;
    double *w, *rest; /* [nodes * K]: w; J */
    double *after;    /* [choices * K] the value from a choice on */
} corner_slices;

/* Branch and bound over corners by likelihood classes (corner_search.c). */
typedef struct corner_search {
    const know_graph *g;
    const know_classes *c;
    const box_corners *at;
    double *earned; /* [slots] pay of a slot */
    double *made;   /* [slots] with the value after it */
    double *value;  /* [classes] */
    double *reach;  /* [classes] of pick */
    int *decided;   /* [nodes before T] corner, or -1: open */
    double *cost;   /* [corners] of agreement */
    int *pick;      /* [nodes before T] a policy tried */
    corner_slices slices;
    const corner_task *task;
    heap open; /* of struct corner_node */
    arena nodes;
    long long ids;
    bool known;        /* best holds a policy of this box */
    int *best;         /* [nodes before T] */
    double found;      /* its value at these prices */
    double cut;        /* the largest bound of pruned or decided nodes */
    double inductions; /* in all */
} corner_search;

/* c without Pareto sets; at: of the boxes searched. Both stay the caller's, and arrays are in the arena. x is zero before. */
void corner_search_make(corner_search *x, const know_classes *c, const box_corners *at, arena *a);
void corner_search_free(corner_search *x); /* frees its open nodes */
/* The corners are those of another box. */
void corner_search_enter(corner_search *x);
/* Begins a tree, of prices that stay the caller's until it is ended, with the policy that was best before. */
vouch_status corner_search_begin(corner_search *x, const corner_task *task);
/* Continues it for at most `inductions`. *done: no open node matters. */
vouch_status corner_search_run(corner_search *x, double inductions, bool *done);
/* Writes the open leaves of a tree that is done to the witness. */
void corner_search_leaves(corner_search *x);
/* An upper bound on all policies of the box, or on task->least if that is more. */
double corner_search_upper(const corner_search *x);
/* Improves a policy of corners pick [nodes before T] and keeps it if it is the best. */
void corner_search_offer(corner_search *x, const int pick[]);

/* A proof that no policy of a box exceeds a value, stage by stage. */
typedef struct corner_stages {
    bool done;    /* false: the work was used up, or the nodes are too many */
    double upper; /* no policy of the box has a larger value, or larger than task->least */
    int ahead;    /* steps that V looks ahead, the environment being revealed there */
} corner_stages;

/* graph: entered and priced; `near` of the task is 0. work: most visits of nodes that a reader of the proof needs, who computes
 * every V of each case anew. */
vouch_status corner_stages_run(const box_graph *graph, const corner_task *task, double work, corner_stages *result);

/* The faster of the two searches (box_pricer.c; src/THEORY.md, 6). Work is counted, so that answers repeat, but for the limit. */
typedef struct box_pricer {
    const policy_space *space;
    arena memory; /* of the arrays below */
    box_corners at;
    corner_search tree;
    box_graph graph;
    policy_space view;    /* policies over graph */
    incumbent *inc;       /* likewise */
    bool entered;         /* graph is of the box */
    bool stages_first;    /* the search by stages ended last time */
    double first;         /* visits of the one that ended then */
    double visit;         /* inductions in place of a visit of a search by stages */
    double *zero, *share; /* [K] */
    int *pick;            /* [nodes] */
    /* after box_pricer_most */
    double upper; /* of all policies of the box, or no more than task->least */
    bool known;   /* prob holds a policy */
    double found; /* its value */
    double *prob; /* [choices] */
    double work;  /* in all, in inductions */
} box_pricer;

typedef struct price_task {
    const double *reward, *mu; /* [choices * K], [K] */
    double least;              /* a maximum below this does not matter */
    double near;               /* by this much upper may exceed the value found */
    double work;               /* inductions, at most, about */
    const deadline *limit;
} price_task;

/* *out is NULL, and the status OK, where a node has too many choices for corners. Needs classes without Pareto sets. */
vouch_status box_pricer_new(const policy_space *space, box_pricer **out);
void box_pricer_free(box_pricer *x); /* NULL is fine */
/* Another box, which must not be empty. */
void box_pricer_enter(box_pricer *x, policy_box in);
vouch_status box_pricer_most(box_pricer *x, const price_task *task);

/* ---- columns (box_bound.c): policies of a box's mixture. The parts of a box share them: references are counted. ---- */

typedef struct box_column {
    int refs;
    double *regret, *pr; /* [K] */
    double *prob;        /* [choices] */
} box_column;

box_column *box_column_hold(box_column *c);
void box_column_release(box_column *c); /* NULL is fine */
/* Moves a policy into a box: at each node its probabilities are clipped to the sides, and the difference to 1 is taken from or
 * given to the choices furthest from mean [choices]. */
void box_column_move(const know_graph *g, policy_box in, const double mean[], double prob[]);

/* ---- bounds (box_bound.c) ----
 *
 * Cost of a bound: an induction, O(arcs of the classes), and at each node with beta a reach per environment, O(edges), and
 * 2^choices corners. Invariants: lambda, mu >= 0, lambda sums to at most 1; low <= high, and their sums at a node lie on both sides
 * of 1. */

/* lambda [K], mu [K], beta [choices * K] in one block. */
typedef struct multipliers {
    double bound; /* found with them */
    double *value;
} multipliers;

enum { BOX_MEMORY = 6 }; /* multipliers a box hands to its parts */

typedef struct box_bound {
    const policy_space *space;
    box_master *program;
    arena memory;                 /* of all arrays */
    size_t dim;                   /* of multipliers */
    double *low, *high;           /* [choices] each in one block, set by the caller */
    double *least, *most;         /* [nodes * K] range of the reach of each node over the box; 0 and 1 until computed */
    unsigned char *ranged;        /* [nodes] least and most are computed */
    multipliers kept[BOX_MEMORY]; /* after a solve: the last ones, best bound first */
    int kept_count;
    double *now;              /* [dim] */
    double *reward, *y, *mix; /* [choices * K]; mix: of the mixture after a solve */
    double *value, *reach;    /* [classes] */
    double *prob;             /* [slots] */
    double *regret, *pr;      /* [K] */
    double *scratch;
    double *occupied, *worth; /* [nodes * K], [2K] scratch of columns */
    box_pricer *pricer;       /* NULL: classes choose for themselves */
    box_column **columns;     /* [column_count] policies of the mixture; none where classes choose for themselves */
    int column_count;
    size_t column_capacity;
    double *centre, *aimed; /* [dim] multipliers of the best bound; of the last master */
    int *choice;            /* [actions] */
    double bound;           /* after a solve: no less than task->known */
    double mixture;         /* value of the master */
    bool mixed;             /* the master was solved: mix and mixture hold */
    const deadline *limit;  /* of the task at hand */
    long long inductions;
} box_bound;

typedef enum box_end { BOX_BOUNDED, BOX_CUT, BOX_LIMIT } box_end;

typedef struct box_options {
    int rounds;      /* most rounds of added rows */
    double patience; /* the bound is good enough within this part of the distance to the cutoff */
    double worth;    /* part of that distance that a round of rows must gain for another one */
} box_options;

typedef struct box_task {
    const multipliers *from; /* [count] of a larger box, tried first; outside the box_bound */
    int count;
    box_column *const *columns; /* [column_count] of a larger box, likewise: they are mixed, moved into this one */
    int column_count;
    const double *mean; /* [choices] their mixture as one policy; NULL without columns */
    double known;       /* no policy of the box has a smaller maximum regret */
    double cutoff;      /* a bound at least this ends it */
    double work;        /* inductions, at most, about; INFINITY: any number */
    const box_options *options;
    const deadline *limit;
    void (*progress)(void *context, double bound); /* called after each pricing with the present bound; or NULL */
    void *progress_context;
} box_task;

/* agree: V is over policies whose classes agree (box_pricer), unless a node has too many choices. */
vouch_status box_bound_new(const policy_space *space, bool agree, box_bound **out);
void box_bound_free(box_bound *b); /* NULL is fine */

/* Bounds the box in low, high, which must not be empty. */
vouch_status box_bound_solve(box_bound *b, const box_task *task, box_end *end);
/* *value: the least maximum regret of mixtures of the task's policies, moved into the box in low, high. Column generation without
 * rows ends at this value or below. Columns and multipliers of the last box are released. */
vouch_status box_bound_estimate(box_bound *b, const box_task *task, double *value);
/* The bound of multipliers `value` before V is taken off; b->reward are then the prices of V. */
double box_bound_base(box_bound *b, const double value[]);
/* Inductions done, with the work of searches for policies whose classes agree. */
double box_bound_worked(const box_bound *b);
/* Forgets the ranges of the last box; to be called when low or high change outside box_bound_solve. */
void box_bound_enter(box_bound *b);
/* The bound of given multipliers for the box in low, high. Leaves the policy that attains V in prob. */
double box_bound_price(box_bound *b, const double value[]);
/* For every choice o: an upper limit on the bound that the last multipliers priced would give if o alone had the range low2[o] ..
 * high2[o] (inside low .. high): limit [choices]. Requires the last call to have been box_bound_price(b, value), which returned
 * `bound`. */
void box_bound_outlook(box_bound *b, const double value[], double bound, const double low2[], const double high2[], double limit[]);

/* ---- splits (box_branch.c) ---- */

/* Candidates, and how many of them are tried where classes choose for themselves. */
enum { BRANCH_CANDIDATES = 24, BRANCH_TRIED = 8 };

typedef struct box_branch {
    const policy_space *space;
    arena memory;       /* of all arrays */
    double *prob;       /* [choices] the mixture as one policy, after box_branch_look */
    double *gain;       /* [2 * choices] per choice, its part below and its part above: gains in proportion to spread, summed */
    int *trials;        /* [2 * choices] */
    double *spread;     /* [choices * K] distance of the policies of the mixture from it */
    double *low, *high; /* [choices] each in one block: the box before the split */
    double *chosen[2];  /* [dim] multipliers of the bounds of the split chosen */
    double *trial[2];   /* likewise of the candidate at hand */
    bool agreed;        /* the last look: the mixture is one policy for all environments */
    int count;          /* its candidates, the widest first */
    int choice[BRANCH_CANDIDATES];
    double apart[BRANCH_CANDIDATES]; /* their spreads */
} box_branch;

typedef struct box_split {
    int choice;
    double at;
    double bound[2]; /* proved for the part below and the part above; -INFINITY: nothing */
} box_split;

/* dim: of multipliers. */
vouch_status box_branch_new(const policy_space *space, size_t dim, box_branch **out);
void box_branch_free(box_branch *r); /* NULL is fine */
/* Finds candidates in the mixture, that is after box_bound_solve. None: it is one policy by its figures. */
void box_branch_look(box_branch *r, box_bound *b);
/* Chooses among the candidates of the last look at the box in b->low, b->high. task: of its parts, which have the bound of the box;
 * b->mixture is the value of its mixture. b->low and b->high are as before afterwards, everything else in b belongs to other boxes.
 * Requires r->count > 0. */
vouch_status box_branch_choose(box_branch *r, box_bound *b, const box_task *task, box_split *split);
/* low, high [choices] become the part in which pi(choice) is at most (upper: at least) `at`, with the consequences for the other
 * choices of the node. */
void box_part(const know_graph *g, double low[], double high[], int choice, double at, bool upper);

/* Stochastic L-updates policies: local search from many starts.
 *
 *     min max over k of U*(k) - U(k; pi)   subject to   Pr(k; pi) >= p(k),     U and Pr multilinear in pi (src/THEORY.md, 6).
 *
 * Each start is a policy improved by nlp/minimax.h; the best that keeps the commitment is held. Starts are made in batches, and
 * starts near the best one use the best of when the batch began, so that the order within a batch does not matter.
 *
 * Cost of a descent: some dozens of linear programs of the policy's size. Invariant: the best policy's figures are computed
 * by propagation, and it never gets worse.
 */

typedef enum start_kind {
    START_HISTORY,
    START_DETERMINISTIC,
    START_ALONE,
    START_GIVEN,
    START_RANDOM,
    START_VERTEX,
    START_DISTURBED
} start_kind;

/* One descent, as logged. */
typedef struct descent_record {
    start_kind start;
    double regret, shortfall; /* where it ended */
    long long work;           /* simplex iterations */
    int optimum;              /* number of the local optimum among the distinct ones found */
} descent_record;

/* State of a multistart; until a policy keeps the commitment, best is the one of least shortfall. */
typedef struct multistart_result {
    bool found;                   /* best keeps the commitment */
    double regret;                /* INFINITY: not found */
    double nearest;               /* least Pr over environments of best */
    const double *best;           /* [choices] */
    long long work;               /* simplex iterations */
    int descents, optima;         /* and their distinct ends */
    const descent_record *record; /* [descents] */
} multistart_result;

typedef struct multistart multistart;

/* seed: of all random starts. threads: most descents at once; results do not depend on it. */
vouch_status multistart_new(const policy_space *space, uint64_t seed, int threads, multistart **out);
void multistart_free(multistart *s); /* NULL is fine */

/* Descents are told from now on: where each began and ended, and the best then. Wanted of one thread only. */
void multistart_watch(multistart *s, vouch_trace *trace);

/* What descents try to reach of Pr(k), at first p(k); the test of a kept promise stays the same. */
void multistart_aim(multistart *s, const double aim[]);

/* Takes prob if it is better than the best policy, and descends from prob [choices] (each node's summing to 1; where they sum to 0,
 * uniform) until the regret is at most good_enough. */
vouch_status multistart_offer(multistart *s, start_kind start, const double prob[], double good_enough, const deadline *limit);
/* `count` random starts. */
vouch_status multistart_restart(multistart *s, int count, double good_enough, const deadline *limit);

const multistart_result *multistart_result_of(const multistart *s);
const char *start_kind_text(start_kind start);

/* How good is a stochastic policy? Branch and bound over boxes of action probabilities.
 *
 * The root box holds all policies; a box is bounded by box_bound_solve (box.h) and, unless that shows that nothing in it is
 * better than the best policy known by more than the gap, split where the policies of its mixture differ most. Best bound first:
 *
 *     bound = min over open boxes B of  bound(B),      cutoff = regret of the best policy - gap.
 *
 * Source: J. Falk, R. Soland, Management Science 15 (1969). Cost: a bound a box and the trials of box_branch.c.
 * Invariant: every policy that keeps the commitment is in an open box or in one closed with a bound that it attains at best.
 */

/* Writes the proof, case by case: the root box is case 1. */
typedef struct box_witness {
    void *context;
    /* The case is divided at a choice: the number of the lower part; the upper one has the next. */
    int (*part)(void *context, int id, int choice, double at);
    /* Do these multipliers bound the case, whose box is in b, by `goal`? If so it is closed. */
    bool (*close)(void *context, int id, box_bound *b, const multipliers *m, double goal);
} box_witness;

typedef struct certify_options {
    double gap;           /* absolute */
    double floor;         /* a bound already proved */
    double ceiling;       /* no policy's maximum regret exceeds it: boxes bounded above it hold none that keeps the commitment */
    long long inductions; /* most backward inductions; 0: no limit */
    bool agree;           /* bounds of policies whose classes agree */
    deadline limit;       /* nodes, seconds, interrupt */
    vouch_trace *trace;   /* NULL: none */
    const box_witness *witness; /* NULL: none */
    void (*progress)(void *context, double incumbent, double bound, long long nodes, long long open);
    void *progress_context;
} certify_options;

typedef struct certify_result {
    bool infeasible; /* proved: no policy keeps the commitment */
    double bound;
    long long nodes, inductions;
} certify_result;

/* Works with or without a policy in s; better ones met on the way go to s. Classes without Pareto sets. */
vouch_status certify_run(const policy_space *space, multistart *s, const certify_options *options, certify_result *result);

#endif
