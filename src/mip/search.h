/* mip/search.h - the state of one branch and bound: tree, relaxation of the node at hand, incumbent, and why it ends; shared by
 * its loop (tree.c), what is done with a node (process.c), its branching rule and its heuristics. */
#ifndef MIP_SEARCH_H
#define MIP_SEARCH_H

#include <vouch/mip.h>

#include "base/clock.h"
#include "mip/model.h"
#include "mip/node.h"
#include "mip/propagate.h"
#include "mip/pseudo.h"
#include "mip/relax.h"
#include "mip/symmetry.h"
#include "mip/tolerance.h"

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
    /* A root whose reduced costs fix much may be given up for a smaller program (restart.h). */
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
    double elsewhere;     /* least bound of the nodes of other searches on this tree (parallel.h) */
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
    bool restart;   /* stopped at the root, for a smaller program (restart.h) */
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
    struct trial_rooms *rooms; /* of the trials of branchings; not owned (trials.h) */
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

#endif
