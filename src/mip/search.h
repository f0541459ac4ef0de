/* mip/search.h - the state of one branch and bound: tree, relaxation of the node at hand, incumbent, and why it ends; shared by
 * its loop, what is done with a node, its branching rule and its heuristics; and what these do. */
#ifndef MIP_SEARCH_H
#define MIP_SEARCH_H

#include <vouch/mip.h>

#include "base/heap.h"
#include "base/pool.h"
#include "mip/presolve.h"

/* ---- open nodes of the search tree, and the queue they wait in ------------------------------------------------------------------
 *
 * A node is a stack of bound changes: its own, and those of its ancestors, which live as long as a descendant does. */

/* A simplex basis in two bits a variable; shared by the children of a node. */
typedef struct packed_basis packed_basis;
/* NULL when memory is out: the node then starts from whatever basis is there. */
packed_basis *packed_basis_share(packed_basis *b); /* NULL is fine */
void packed_basis_free(packed_basis *b);

typedef struct mip_node {
    long long id;
    struct mip_node *parent; /* shared */
    atomic_int references;
    int depth;
    double bound;        /* proved, of its parent's relaxation until its own is solved */
    int branch_col;      /* column branched on, -1 at the root and in SOS1 branchings */
    double branch_value; /* its value in the parent's relaxation */
    bool up;
    bound_change *change; /* owned: [changes], the branching and what followed at once */
    int changes;
    bound_change *deduced; /* owned: [deductions], what was learned here beyond propagation */
    int deductions;
    packed_basis *basis; /* shared */
} mip_node;

/* A child of parent (NULL: the root) that takes over `change`; NULL when memory is out (change is freed then). */
mip_node *node_new(mip_node *parent, long long id, bound_change *change, int changes);
void node_release(mip_node *n); /* drops one reference; NULL is fine */

/* Least bound first, then the deeper one, then the younger. Beyond `deep` (0: no such depth) the shallower one
 * comes first: between branchings of general integers the bound may stay where it is without end. */
typedef struct node_queue {
    heap nodes; /* of mip_node *, referred to */
    int deep;
} node_queue;

void node_queue_init(node_queue *q, int deep);   /* empty; it must stay where it is */
int node_queue_push(node_queue *q, mip_node *n); /* takes the reference; -1 (and keeps nothing) when memory is out */
mip_node *node_queue_pop(node_queue *q);         /* NULL when empty */
double node_queue_bound(const node_queue *q);    /* INFINITY when empty */
/* Drops the nodes whose bound is at least cutoff; their least bound, or INFINITY. */
void node_queue_free(node_queue *q);

/* ---- the linear relaxation a search re-solves again and again with other bounds --------------------------------------------- */

typedef enum relax_end {
    RELAX_OPTIMAL,
    RELAX_INFEASIBLE,
    RELAX_CUTOFF, /* proved to be at least the cutoff */
    RELAX_UNBOUNDED,
    RELAX_LIMIT,   /* the iterations asked for are used up; result.bound holds */
    RELAX_STOPPED, /* out of time, out of all iterations, or interrupted */
    RELAX_FAILED   /* numerical trouble that two fresh starts did not cure */
} relax_end;

typedef struct relax {
    arena memory; /* of the arrays [n] */
    const mip_model *model;
    vouch_lp *lp;                           /* owned */
    int m, n;                               /* m counts added rows too */
    double *lower, *upper;                  /* [n] as they are in lp */
    unsigned char *row_status, *col_status; /* scratch, room for m (owned) and n */
    int row_capacity;
    vouch_lp_options options;
    vouch_lp_result result; /* of the last solve; its arrays belong to lp */
    long long iterations, solves;
    const deadline *clock;
    bool out_of_memory; /* once: a solve may have failed for it, statuses may lack room; the search must end */
} relax;

vouch_status relax_init(relax *r, const mip_model *model, const vouch_lp_options *options, const deadline *clock);
/* r, of the same model, takes over the rows, bounds and basis of the other. ERROR_MEMORY: r may be freed, no more. */
vouch_status relax_copy(relax *r, const relax *from);
/* lp/follow.h of the two programs: r, a copy, is to begin where `from` stands, with its bounds and counts. */
vouch_status relax_make_ready(relax *r);
vouch_status relax_follow(relax *r, const relax *from);
void relax_free(relax *r);
/* Makes [lower, upper] the bounds of the relaxation's integer and fixed columns; the other columns keep the
 * model's, since bounds that rows imply anyway only make more ties. */
void relax_set_bounds(relax *r, const double *lower, const double *upper);
void relax_set_bound(relax *r, int col, double lower, double upper);
/* Solves from the current basis. cutoff: INFINITY for none. iteration_limit: 0 for none beyond the clock's. */
relax_end relax_solve(relax *r, double cutoff, long long iteration_limit);
/* After RELAX_OPTIMAL: what the multipliers prove of every point, where that is less than the point found by more than rounding. A
 * reduced cost of the wrong sign that the linear program tolerates may be all that a column of this problem is paid for. */
double relax_value(const relax *r);
/* The basis now, or NULL (none, or memory). */
packed_basis *relax_basis(relax *r);
void relax_set_basis(relax *r, const packed_basis *b); /* NULL: leaves it as it is */
/* After rows were added to or deleted from lp. */
vouch_status relax_rows_changed(relax *r);

/* ---- pseudo-costs: what a change of a column has cost so far, for guesses at what it will ----------------------------------- */

/* Objective gain per unit of change, by column and direction (0 down, 1 up), learned from solved children. */
typedef struct pseudo_costs {
    double *sum[2]; /* [n] each */
    int *count[2];  /* [n] each */
    double total[2];
    long long totals[2];
} pseudo_costs;

/* Column moved by `distance` (> 0) in direction up, objective rose by gain (>= 0). */
void pseudo_learn(pseudo_costs *p, int col, bool up, double distance, double gain);
/* Expected rise per unit. */
double pseudo_expect(const pseudo_costs *p, int col, bool up);

/* ---- permutations of columns that leave the program as it is, and what they spare the search ------------------------------------
 *
 * Points that such a permutation turns into each other have the same objective, and a tree that looks at one of them need not look
 * at the others. */

/* Permutations of the integer columns; read only once it is made, so that searches on several threads share it. */
typedef struct symmetry {
    arena memory;   /* of the arrays, itself included */
    int columns;    /* that some permutation moves */
    int *column;    /* [columns] in the model */
    int *index;     /* [n] place in column; -1: no permutation moves it */
    int generators; /* found; all others are products of them */
    int count;      /* permutations kept */
    int *image;     /* [count][columns] places */
} symmetry;

/* Of a model without SOS1 sets. NULL: none was found within the work allowed, or memory is out. */
symmetry *symmetry_find(const mip_model *model);
void symmetry_free(symmetry *g); /* NULL is fine */

/* order: [count] the columns branched on from the root to a node, each where it comes first. Bounds of d at the node lose points
 * that have an image, greatest in that order, elsewhere in the tree; see symmetry.c. Follows with domain_propagate. False: no point
 * is left. */
bool symmetry_reduce(const symmetry *g, domain *d, const int *order, int count);

/* ---- the state of one branch and bound -------------------------------------------------------------------------------------- */

/* What the caller's rows say where the relaxation alone cannot. */
typedef enum settlement { SETTLED_UNKNOWN, SETTLED_INFEASIBLE, SETTLED_OPTIMAL, SETTLED_STOPPED } settlement;

struct mip_search;

/* What the search asks of whoever owns the caller's problem; every point and value is in the model's space and sense. */
typedef struct mip_owner {
    void *context;
    /* Checks x on the caller's data. True: it is feasible; *value is its objective there. */
    bool (*accept)(void *context, const double *x, double *value);
    /* The caller's own heuristic at the relaxation's point x. True: it gave a feasible point of objective
     * *value, written to out. NULL: there is none. */
    bool (*suggest)(void *context, const double *x, double *out, double *value);
    /* The integer columns of x stay: is there a point of the caller's problem, and the best one? When
     * SETTLED_OPTIMAL it is in out, its objective in *value. NULL: unknown. */
    settlement (*settle)(void *context, const double *x, double *out, double *value);
    /* Has the caller's problem a point within the bounds lower, upper? SETTLED_OPTIMAL: yes. NULL: unknown. */
    settlement (*inhabited)(void *context, const double *lower, const double *upper);
    /* A search of its own for better points than the incumbent, within a budget of simplex iterations. NULL: none, as in such a
     * search. */
    void (*improve)(struct mip_search *s, long long iteration_budget);
    /* A root whose reduced costs fix much may be given up for a smaller program. */
    bool restarts;
    /* A node has ended. NULL: not asked for. */
    void (*ended)(void *context, const mip_node *n, double bound, vouch_node_end end);
    /* Contexts for searches on other threads. fork: a copy that knows what context knows; NULL: memory, or no such searches.
     * exchange: both know the better point of the two, and what ended in the copy is told. release: ends the copy. */
    void *(*fork)(void *context);
    void (*exchange)(void *context, void *copy);
    void (*release)(void *copy);
    /* A feasible point in the model's space, or NULL: no node that holds it may be lost. */
    const double *debug;
} mip_owner;

/* The relaxation of the node at hand. */
typedef struct node_lp {
    relax relax;
    double *x, *reduced; /* [n] point and reduced costs */
    double value;        /* its objective */
    int *fractional;     /* [n] integer columns whose value is not whole */
    int fractions;
} node_lp;

/* The first relaxation with all cuts: what its reduced costs fix holds everywhere. */
typedef struct root_lp {
    double *x, *reduced; /* [n] */
    double value;        /* -INFINITY until solved */
    bool solved, cut;    /* cut: the rounds of cuts are done */
    long long cut_rows[VOUCH_MIP_FAMILIES];
    bool news; /* the cutoff improved: reduced costs may fix more */
} root_lp;

/* The best point so far and what it closes. Invariant: cutoff < value, or both infinite. */
typedef struct mip_incumbent {
    double *x; /* [n] */
    bool found;
    double value;       /* INFINITY without one */
    double cutoff;      /* nodes whose bound reaches it are closed */
    double granularity; /* objectives differ by multiples of it; 0 unknown */
} mip_incumbent;

typedef struct search_tree {
    node_queue open;
    mip_node *hot;         /* being worked on; not owned */
    double closed;         /* least bound of a node closed within the gap */
    const mip_node **path; /* owned: [path_capacity], scratch: a node and its ancestors by depth */
    size_t path_capacity;
    long long nodes, ids; /* ended; given out */
    int id_step;          /* between two ids */
    double elsewhere;     /* least bound of the nodes of other searches on this tree */
    double next_report;   /* seconds */
} search_tree;

/* Permutations of the columns, sought when the root has children. */
typedef struct search_symmetry {
    const symmetry *group; /* NULL: none, or none wanted */
    symmetry *own;         /* owned: the same, unless another search has it */
    bool sought;
    int *order;   /* [n] columns branched on, from the root to the node at hand */
    bool *listed; /* [n] scratch, false between uses */
} search_symmetry;

/* How the search has ended, or why it must. */
typedef struct search_end {
    bool stopped;   /* a limit, an interrupt, or there is nothing more to prove */
    bool unbounded; /* a ray that keeps the sets, and a point it starts from */
    bool unproved;  /* a node was given up without proof */
    bool memory;    /* an allocation failed */
    bool restart;   /* stopped at the root, for a smaller program */
    bool complete;  /* the tree was searched to its end */
} search_end;

typedef struct mip_search {
    arena memory; /* of the arrays [n] */
    const mip_model *model;
    const vouch_mip_options *options;
    const deadline *clock;
    const mip_owner *owner;
    domain dom; /* trail position 0: what holds everywhere */
    node_lp lp;
    root_lp root;
    search_tree tree;
    mip_incumbent best;
    search_end end;
    pseudo_costs pseudo;
    search_symmetry symmetry;
    int *locks[2]; /* [n] rows that a change down / up of the column can violate */
    double *point; /* [n] scratch of offers */
    long long strong_iterations, heuristic_iterations;
    struct trial_rooms *rooms; /* of the trials of branchings; not owned */
    int room;                  /* which of them; -1: all, on their threads */
} mip_search;

vouch_status mip_search_init(mip_search *s, const mip_model *model, const vouch_mip_options *options, const deadline *clock,
                             const mip_owner *owner);
void mip_search_free(mip_search *s);
/* Proved lower bound on the objective. */
double mip_search_bound(const mip_search *s);

/* Offers a point: integer columns are rounded and, where that breaks a row, the others are optimised for
 * them. True: it is the new incumbent. Keeps x, domain and basis; bounds of the relaxation are put back. */
bool mip_search_offer(mip_search *s, const double *x);
/* The same for a point already checked by the owner. */
void mip_search_adopt(mip_search *s, const double *x, double value);
/* Difference between incumbent and bound at which the search may end. */
double mip_search_gap(const mip_search *s);
/* Before a run: only points of objective below cutoff are wanted, since one of `value` is known elsewhere. */
void mip_search_require(mip_search *s, double value, double cutoff);
/* Lists the fractional columns of s->lp.x. */
void mip_search_list_fractional(mip_search *s);
/* Copies point, reduced costs and objective of the relaxation just solved, and lists the fractional columns. */
void mip_search_take_point(mip_search *s);
/* relax_solve with the cutoff at hand, at a node; its pivots are told, at the root and at nodes of which more than the end is. */
relax_end mip_search_relax(mip_search *s, long long id);
/* Tells the trace the relaxation's point at a node; the root is 1. */
void mip_search_record_point(const mip_search *s, long long id);
/* Out of time, nodes or iterations, or interrupted; sets s->stopped. */
bool mip_search_must_stop(mip_search *s);
/* First SOS1 set with two nonzeros in s->x, or -1. */
int mip_search_violated_set(const mip_search *s);

static inline double fraction_of(double x) { return x - __builtin_floor(x); }

/* Without a point of the relaxation (it could not be solved): halves the widest integer column. False: none is left. */
bool branch_blindly(mip_search *s, mip_node *n, mip_node *out[2]);
/* The first SOS1 set of which more than one member may still differ from 0; *split: the place in its middle. -1: none. */
int branch_undecided_set(const mip_search *s, int *split);
/* The integer column whose value, *x, rounding moves furthest. Where none is moved: a free one and the side of its whole value on
 * which there is something else; so all are fixed at the point in the end, or it is cut off. -1: all integer columns are fixed. */
int branch_least_integral(const mip_search *s, double *x);

/* Before the search t of the smaller program of a restart: it goes on where s ended, with its work and its bound. */
void restart_continue(mip_search *t, const mip_search *s);

/* Rounds s->x in the directions no row minds, where every fractional column has one. */
void heuristic_round(mip_search *s);
/* The owner's own heuristic. */
void heuristic_suggest(mip_search *s);
typedef enum dive_rule { DIVE_FRACTION, DIVE_LOCKS, DIVE_PSEUDO, DIVE_GUIDED, DIVE_RULES } dive_rule;
/* Fixes columns one after the other and re-solves, down to a point or a dead end. Starts from the node that is hot and leaves
 * domain, relaxation and s->x as they were. */
void heuristic_dive(mip_search *s, dive_rule rule, long long iteration_budget);
/* Local search for a point of the model, from that of the relaxation and from the bounds next to 0. True: one became the incumbent.
 * Keeps x, domain and basis. */
bool heuristic_jump(mip_search *s);

/* Searches to the end or to a limit; s->end says which. Begins with s alone and, where the owner has contexts for others, goes on
 * with three more beside it once the tree is large enough. What is done does not depend on the number of threads
 * (s->options->threads). ERROR_MEMORY: what was found so far stands. */
vouch_status mip_tree_search(mip_search *s);

/* ---- cuts ----------------------------------------------------------------------------------------------------------------------
 *
 * Rows sum_j v_j x_j <= upper that every integer point keeps and the relaxation's point breaks; what their separators see, and
 * where they put what they find. */

/* How a cut was made by mixed-integer rounding, for who derives it again: the sum of these rows, times these factors, with the
 * columns listed complemented or measured from their upper bounds, the others from their lower ones, and divisor 1. */
typedef struct cut_recipe {
    int rows, uppers;
    int *row;          /* owned: [rows] */
    double *factor;    /* owned: [rows] */
    signed char *side; /* owned: [rows] 1: the row's upper side, -1: its lower, 0: an equation */
    int *upper;        /* owned: [uppers] */
} cut_recipe;

typedef struct mip_cut {
    int count;
    int *index;    /* owned: [count], ascending */
    double *value; /* owned: [count] */
    double upper;
    double norm;        /* Euclidean, of value */
    double efficacy;    /* distance of the point from it */
    int family;         /* that found it: its place in VOUCH_MIP_CUTS */
    cut_recipe *recipe; /* owned; NULL: none was wanted, or it was not made by rounding */
} mip_cut;

typedef struct cut_list {
    mip_cut *item; /* owned: [count] */
    size_t count, capacity;
} cut_list;

void cut_free(mip_cut *c); /* what it owns */
/* With room for so many; NULL: memory. */
cut_recipe *cut_recipe_new(int rows, int uppers);
void cut_list_free(cut_list *l);
/* Moves the most distant cuts that are not too parallel to one another to the front; their number, at most `most`. */
size_t cut_list_choose(cut_list *l, size_t most);

/* x <= factor * z + constant (or >=) with z integer, implied by a row with one integer column, z. */
typedef struct variable_bound {
    int z; /* -1: none */
    double factor, constant;
    int row, side;      /* that implies it: its upper side (1) or its lower */
    double coefficient; /* of x in that row */
} variable_bound;

/* What a separator sees: the relaxation with its rows, its point and the bounds that hold everywhere. */
typedef struct cut_scene {
    arena memory; /* of the arrays below and of the separators' aggregates */
    const mip_model *model;
    const vouch_lp *lp;              /* the relaxation, just solved */
    const double *lower, *upper, *x; /* [n] */
    int m, n;
    int64_t *start; /* rows of the relaxation, added cuts included */
    int *index;
    double *value;
    const double *row_lower, *row_upper; /* [m] */
    double *activity;                    /* [m] */
    bool *whole;                         /* [m] the slack takes integer values only */
    variable_bound *above, *below;       /* [n] of the continuous columns: those tightest at x */
    cut_list found;
    int family;   /* that is at work */
    bool recipes; /* are kept */
    /* scratch of the separators, zero between calls */
    double *coefficient; /* [n] */
    int *listed;         /* [n] */
    bool *in_list;       /* [n] */
} cut_scene;

/* The bounds within which cuts must hold, the point they should cut off, and whether their recipes are kept. */
typedef struct cut_request {
    const double *lower, *upper, *x; /* [n] */
    bool recipes;
} cut_request;

/* lp: the relaxation, of optimum x, of model and rows that were added. */
vouch_status cut_scene_init(cut_scene *c, const mip_model *model, const vouch_lp *lp, cut_request request);
void cut_scene_free(cut_scene *c);

/* Adds v to the coefficient of j in the row being made, of *count entries so far. */
void cut_scene_add(cut_scene *c, int *count, int j, double v);
/* Takes the dense row coefficient[listed[0 .. count)] <= upper, clears it, and adds it to found if it is
 * violated, short enough and numerically sane. */
void cut_scene_offer(cut_scene *c, int count, double upper);

/* A combination  sum_j col_j x_j + sum_i slack_i s_i = right  of rows, each with a slack s_i >= 0:
 * row_upper = a x + s (side +1) or row_lower = a x - s (side -1); rows with equal bounds have none (side 0). */
typedef struct aggregate {
    double *col, *slack; /* [n], [m] */
    int *cols, *slacks;  /* where they are nonzero */
    int col_count, slack_count;
    bool *col_in, *slack_in;
    signed char *side;  /* [m] */
    double right, size; /* size: largest term that was added to right */
    int *rows;          /* those added */
    double *factor;     /* [m] of them */
    bool *row_in;       /* [m] */
    int row_count;
} aggregate;

/* Empty; its arrays live as long as the scene. */
vouch_status aggregate_init(aggregate *a, cut_scene *c);
void aggregate_clear(aggregate *a);
/* Adds factor times the row, on the side given (0 is chosen for equations by itself). */
void aggregate_add(aggregate *a, const cut_scene *c, int row, double factor, int side);

/* Mixed-integer rounding of the combination; offers what it finds. gomory: also with divisor 1 and the bounds
 * at which the columns are. True: a cut was offered. */
bool mir_separate(cut_scene *c, const aggregate *a, bool gomory);

/* The separators, one of each family: they offer what they find to the scene; nothing when memory is out. */
#define DECLARE_SEPARATOR(family) void separate_##family(cut_scene *c);
VOUCH_MIP_CUTS(DECLARE_SEPARATOR)
#undef DECLARE_SEPARATOR
void separate_network(cut_scene *c); /* of the family of paths: those of sets of nodes */

#endif
