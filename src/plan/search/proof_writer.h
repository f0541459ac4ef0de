/* plan/search/proof_writer.h - the proof lines of a search over policies (src/check/FORMAT.md), written while it runs.
 *
 * For each node the writer records its children, fixed options and end, with the evidence: multipliers rounded to decimals and
 * evaluated again, or pairs. If the evidence at hand misses the cutoff, the node is bounded anew or branched further, so every
 * written line holds, or proof_whole is false. Lines go to a temporary file. They do not depend on the number of threads, because
 * answers are merged in order.
 */
#ifndef PLAN_SEARCH_PROOF_WRITER_H
#define PLAN_SEARCH_PROOF_WRITER_H

#include <stdio.h>

#include "plan/node/node_solver.h"

typedef struct proof_writer {
    FILE *lines; /* of the tree; NULL: none was begun */
    const policy_space *space;
    node_solver solver;  /* its colgen is owned */
    pareto_bound *pairs; /* of nodes that are bounded anew; NULL: none yet */
    deadline limit;
    const int *row;      /* [K] rows of the model, by rows of the space; NULL: the same */
    bool total;          /* of the total regret of policies of maximum regret at most cap; else of the maximum */
    double cap;          /* in the units of the model given */
    double unit, offset; /* written value = unit * planned value - offset */
    double cutoff;       /* that nodes must reach at present */
    double least;        /* of the bounds written, in the units planned in */
    int cases, open;     /* nodes of the tree, and how many of them have not ended */
    int named, first;    /* policy nodes, and how many of them before the tree */
    int *number;         /* [nodes] of the proof, -1: not named yet */
    int *owner;          /* [choices] policy node */
    double *trial;       /* [3K] multipliers as written */
    int *pick;           /* [nodes] */
    bool failed;         /* a node's bound could not be shown */
    vouch_status status; /* of writing */
} proof_writer;

vouch_status proof_writer_new(proof_writer **out);
void proof_writer_free(proof_writer *w); /* NULL is fine */

static inline const char *proof_subject(vouch_objective objective)
{
    return objective == VOUCH_OBJECTIVE_REGRET ? "regret" : "value";
}

/* The trees to come are of the total regret of policies of maximum regret at most cap, in the units of the model given; named:
 * policy nodes named already. */
void proof_seek_total(proof_writer *w, double cap, int named);
/* The tree to come is of a space that has only these rows of the model [K], whole environments; not with a total regret. NULL: of
 * all. */
void proof_of_rows(proof_writer *w, const int row[]);
/* Lets go of the space of the tree that was written, which ends before the writer. */
void proof_leave_space(proof_writer *w);
/* Begins a tree at root and drops all earlier lines. options: of the search. */
vouch_status proof_begin(proof_writer *w, const policy_space *space, const search_options *options, tree_node *root);
/* Node n has ended as the result says, under this cutoff. Its children are told by proof_child, after that. */
void proof_node(proof_writer *w, tree_node *n, const node_result *result, double cutoff);
void proof_child(proof_writer *w, tree_node *n);
/* Node n, not looked at, is no better than the cutoff. */
void proof_prune(proof_writer *w, const tree_node *n, double cutoff);
/* Node n stays open: its bound limits the bound of the tree. */
void proof_leave(proof_writer *w, const tree_node *n);

/* A tree of one node: the bound of cg's last multipliers over history policies; `empty`: no policy keeps the commitment. */
vouch_status proof_single(proof_writer *w, const colgen *cg, bool empty);

/* A tree of one case: the root's Pareto set, which there is. */
vouch_status proof_vectors(proof_writer *w, const policy_space *space);

/* Margin between a claim of this size, in the units given, and the computed figure: the checker reads rewards as decimals, vouch
 * rounded them. */
double proof_kept_off(const vouch_model *m, double regret);

/* The least of the bounds, in the units written. */
double proof_least(const proof_writer *w);

/* Is every case of the tree closed by a line that holds? */
bool proof_whole(const proof_writer *w);

/* And do they reach this one, in the units planned in, but for rounding? */
bool proof_reaches(const proof_writer *w, double bound);

/* ---- proof_words.c: what lines are made of ---- */

/* Multipliers of regrets are written in units of this, and sum to 1 exactly. */
#define PROOF_UNIT 1e-12

/* Sets w->unit and w->offset: regrets are written in the rewards given, less the rounding of rescaling; values as regrets against
 * an optimum of 0. */
void proof_find_unit(proof_writer *w);
/* Rounding allowance of a line with multipliers w->trial; it grows with the prices of promises and of the cap. */
double proof_doubt(const proof_writer *w);
/* A planned bound as written: reduced by the rounding allowance. */
double proof_written(const proof_writer *w, double bound);
/* The row of the model that is row k of the space. */
static inline int proof_row(const proof_writer *w, int k) { return w->row ? w->row[k] : k; }
/* The proof's number of a policy node, which is named if it is not yet. */
int proof_number(proof_writer *w, int node);
int proof_action(const proof_writer *w, int choice);
/* m [3K] as written into w->trial: lambda in units of PROOF_UNIT that sum to 1, unless they are of the cap or given by shares, mu
 * in the units that are written. */
void proof_round(proof_writer *w, const double m[]);
/* Those of w->trial. regrets: lambda, too. */
void proof_write_multipliers(const proof_writer *w, bool regrets);

#endif
