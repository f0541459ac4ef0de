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
    FILE *lines; /* of the tree; NULL: none begun */
    const policy_space *space;
    node_solver solver;  /* its colgen is owned */
    pareto_bound *pairs; /* recomputed; NULL: none yet */
    deadline limit;
    int own;             /* rows before those of natures, of an unrolled model; 0: it is none */
    const int *row;      /* [K] rows of the model, by rows of the space; NULL: the same */
    bool total;          /* bounds on the total regret of policies of maximum regret at most cap; else on the maximum */
    double cap;          /* in the given units */
    double unit, offset; /* written value = unit * planned value - offset */
    double cutoff;       /* that nodes must reach */
    double least;        /* of the written bounds, in planned units */
    int cases, open;     /* nodes of the tree; unfinished ones */
    int named, first;    /* named policy nodes; those named before the tree */
    int *number;         /* [nodes] in the proof, -1: not named */
    double *trial;       /* [3K] multipliers as written: lambda in PROOF_UNIT, mu in given units */
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

/* Later trees bound the total regret of policies of maximum regret at most cap, in given units. named: policy nodes already named.
 */
void proof_seek_total(proof_writer *w, double cap, int named);
/* Trees are of a model whose states are the policy nodes of another one, named by their numbers; its first `own` environments are
 * that one's, and others, natures, have no regret. */
void proof_of_unrolled(proof_writer *w, int own, int nodes);
/* The next tree is of a space with these rows of the model [K] only, whole environments (NULL: all); not with a total regret. */
void proof_of_rows(proof_writer *w, const int row[]);
/* Drops references to the space of the last tree, so that it can be freed before the writer. */
void proof_leave_space(proof_writer *w);
/* Begins a tree at root and drops all earlier lines. options: of the search. */
vouch_status proof_begin(proof_writer *w, const policy_space *space, const search_options *options, tree_node *root);
/* The same, without the means of a search over likelihood classes: the caller writes the lines. */
vouch_status proof_begin_bare(proof_writer *w, const policy_space *space);
/* Node n has ended with this result under this cutoff. Its children follow by proof_child. */
void proof_node(proof_writer *w, tree_node *n, const node_result *result, double cutoff);
void proof_child(proof_writer *w, tree_node *n);
/* Node n was pruned without evaluation. */
void proof_prune(proof_writer *w, const tree_node *n, double cutoff);
/* Node n stays open: its bound limits the bound of the tree. */
void proof_leave(proof_writer *w, const tree_node *n);

/* A tree of one node: the bound of cg's last multipliers over history policies; `empty`: no policy keeps the commitment. */
vouch_status proof_single(proof_writer *w, const colgen *cg, bool empty);

/* A tree of one case, the Pareto set of the root, which must exist. */
vouch_status proof_vectors(proof_writer *w, const policy_space *space);

/* Margin between a claim of this size, in given units, and the computed figure: the checker reads rewards as decimals, vouch
 * rounded them. */
double proof_kept_off(const vouch_model *m, double regret);

/* The least of the bounds, in written units. */
double proof_least(const proof_writer *w);
/* Is every case closed by a line that holds? */
bool proof_whole(const proof_writer *w);
/* And do the bounds reach this one, in planned units, up to rounding? */
bool proof_reaches(const proof_writer *w, double bound);

/* ---- parts of lines ---- */

/* Multipliers of regrets are written in units of this, and sum to 1 exactly. */
#define PROOF_UNIT 1e-12

/* Rounding allowance of a line with multipliers w->trial; it grows with the prices of promises and of the cap. */
double proof_doubt(const proof_writer *w);
/* A planned bound as written: less the rounding allowance. */
double proof_written(const proof_writer *w, double bound);
/* The row of the model that is row k of the space. */
int proof_row(const proof_writer *w, int k);
/* The number of a policy node in the proof, named if necessary. */
int proof_number(proof_writer *w, int node);
int proof_action(const proof_writer *w, int choice);
/* Rounds m [3K] into w->trial. lambda sums to 1, except multipliers of a cap and given shares. */
void proof_round(proof_writer *w, const double m[]);
/* Writes w->trial. regrets: lambda, too. */
void proof_write_multipliers(const proof_writer *w, bool regrets);

#endif
