/* plan/node/node_solver.h - what processing a tree node works with, and what comes out.
 *
 * A node solver owns everything a node needs, so that several may work at once; what it finds is left in a node_result and merged
 * by the search (plan/search/search.c), in an order that does not depend on who found it when.
 */
#ifndef PLAN_NODE_NODE_SOLVER_H
#define PLAN_NODE_NODE_SOLVER_H

#include "base/arena.h"
#include "plan/reduce/dominance.h"
#include "plan/heuristic/incumbent.h"
#include "plan/node/options.h"
#include "plan/bound/pareto_bound.h"
#include "plan/node/tree.h"

typedef struct child {
    decision made;
    double bound;
} child;

/* What the trial of one child has gained (plan/branch/branching.h): of what was missing to the cutoff, in SHARE_ALL ths, all of it
 * where it was cut off or empty. SHARE_UNKNOWN: there is no child, or no cutoff. */
typedef struct trial_share {
    int option, share;
} trial_share;
enum { SHARE_ALL = 254, SHARE_UNKNOWN = 255 };

typedef struct node_result {
    vouch_node_end end;
    bool limit; /* left unfinished: its bound stands for what is below it */
    double cut; /* least bound among what was cut off here, INFINITY: nothing */
    int children;
    child *made;   /* [children]; capacity A or 2 */
    int promising; /* child to take next, -1: none */
    int node;      /* BRANCHED: at which policy node */
    double pairs;  /* what they have shown here, of the options here; -INFINITY: they were not asked */
    bool tried;    /* children were bounded in trials */
    double
        *evidence; /* [A + 1][3K] where a proof is written, else NULL: multipliers of each child's trial, and of the node itself */
    int pure;      /* environment by whose promise mixtures of pure policies were asked, -1: not asked */
    double pure_gain; /* the share of what was missing to the cutoff that they gained */
    int shares;
    trial_share *share; /* [shares] of all trials here, whether they were chosen or not; capacity CANDIDATES * A */
    vouch_status status;
} node_result;

/* Policy nodes tried before a node is branched on, at most. */
enum { CANDIDATES = 8 };

typedef struct branching_candidate {
    int node;
    double off; /* mass off its heaviest option, priced */
} branching_candidate;

typedef struct node_solver {
    colgen *colgen; /* its `allowed` are the options of the node at hand, whatever bounds it */
    incumbent *inc; /* own copy; synchronised before each node */
    const search_options *options;
    struct debug_policy *known; /* debug builds: scratch, the incumbent as no node may lose it */
    pareto_bound *pairs;        /* made when first asked; NULL before */
    know_pairs *pure;           /* over the classes; likewise */
    dominance *dominance;       /* NULL: nothing is dominated, or it is not to be looked for */
    bool coarse;                /* there is no memory for these */
    const double *pure_gain;    /* [K] the search's: what they gained of late by each promise */
    const unsigned char
        *closed; /* [choices] the search's: what deciding on each gained (plan/branch/branching_record.h); NULL: not yet known */
    const unsigned char *foreseen; /* [choices] the search's: the mean share that trials of each gained, SHARE_UNKNOWN: too few;
                                      NULL: not yet known */
    bool asked[SOURCES];           /* at the node at hand */
    bool strong;                   /* choose where to branch by trying (plan/branch/branching.h) */
    bool apart;                    /* leave the trials of several candidates to others */
    int left;                      /* candidates whose trials were left; 0: none were */
    branching_candidate candidate[CANDIDATES];
    arena memory;           /* of the arrays below */
    int *pick;              /* [nodes] scratch of rounding */
    int *heaviest;          /* [nodes] option with most of the mixture's mass, -1: the mixture does not come here */
    unsigned char *was;     /* [A] scratch of branching */
    double *trial, *chosen; /* [A] bounds of children in trials */
    unsigned char *share;   /* [A] what these have gained (trial_share) */
    double *multipliers;    /* [A * 3K] theirs, where a proof is written; else NULL */
    int *fixed;             /* [options] */
    double *price;          /* [sets] what disagreement counts at a policy node with this set of environments */
} node_solver;

/* Room for the children of a node and, where a proof is written, for what shows their bounds. */
vouch_status node_result_init(node_result *r, const policy_space *space, const search_options *options);
void node_result_clear(node_result *r);
/* Nothing has come out yet; the arrays stay. */
void node_result_begin(node_result *r, vouch_status status);
/* Which of made[] is the i-th child: the promising one comes last. */
int node_result_child(const node_result *r, int i);

vouch_status node_solver_init(node_solver *s, colgen *cg, incumbent *inc, const search_options *options);
void node_solver_clear(node_solver *s); /* colgen and inc stay */

/* Does the search try candidates before it branches? (plan/branch/branching.h) */
bool node_tries(const node_solver *s);
/* The bound at which a node ends: nothing below it is better than the incumbent by more than the gap. INFINITY without an
 * incumbent. */
double node_cutoff(const node_solver *s);
/* No policy that is better than the incumbent uses an option whose policies are all worth this or more: it is given up. */
double node_fixed(const node_solver *s);
/* Gives up s->fixed [count] at n and below. */
vouch_status node_fix(const node_solver *s, tree_node *n, int count, node_result *result);
/* The options allowed at n, all but what each decision and each option given up from n to the root forbids, and what others
 * dominate then, into s->colgen->allowed. */
void node_restrict(node_solver *s, const tree_node *n);
/* Contract: no policy that is known, to the incumbent or to a test, is lost by claiming `bound` for what is allowed now. */
void node_check(const node_solver *s, double bound);

#endif
