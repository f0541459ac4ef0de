/* check/proof.h - a proof as it is read. */
#ifndef CHECK_PROOF_H
#define CHECK_PROOF_H

#include "check/line.h"

/* What the caller takes the proof to be about. */
typedef struct check_asked {
    int L;         /* -1: any */
    uint64_t hash; /* of the model's bytes */
    size_t length; /* their number */
} check_asked;

/* A rule for histories at (t, s) of about these likelihoods. */
typedef struct check_like_rule {
    int t, s;
    double *weight; /* [K] */
    check_rule rule;
} check_like_rule;

/* A case: the policies that keep to the decisions on the path to the root, and use no option given up there. */
typedef struct check_case {
    int parent;         /* -1: the root */
    int node, action;   /* the decision; node -1: none */
    int given, givens;  /* options given up here, in the list of all */
    int on;             /* parted at this node; -1: not */
    uint64_t uncovered; /* options there that have no child yet */
    bool closed;
} check_case;

/* A tree of cases, all of which are bounded in the end. */
typedef struct check_tree {
    bool total;       /* what is bounded: the total regret of policies of maximum regret at most cap; else the maximum */
    mpq_t cap, least; /* least: of the bounds so far */
    bool finite;      /* some case has a bound; else all are shown to be empty */
    check_bound bound;
    check_case *item;
    size_t cases, case_room;
    int *given[2]; /* [givens] node, action */
    size_t givens, given_room[2];
} check_tree;

typedef struct check_proof {
    const check_model *m;
    check_lines lines;
    check_graph g;
    bool deterministic;  /* the policies spoken of; else stochastic ones, too */
    mpq_t keep, enough;  /* enough = p - keep: bounds hold for all policies that keep that */
    check_span *optimum; /* [K] U*_c(k) */
    int *node;           /* [named] of the proof's numbers */
    size_t named, named_room;
    check_rule **rule; /* [nodes] NULL: none */
    bool ruled;
    check_like_rule *like; /* [likes] of a policy of the whole history */
    size_t likes, like_room;
    check_tree tree[2]; /* of the maximum and of the total regret */
    bool grown[2];
    int at;                 /* the tree that is being read; -1: none */
    mpq_t *lambda, *mu;     /* [K] of a line */
    double *weight, *price; /* [K] */
} check_proof;

/* tree.c: lines of a tree, by their first word; false: it is none of these. */
bool check_tree_line(check_proof *x, const char *word);
void check_tree_start(check_proof *x);
/* At the end: is every case closed and every option covered? */
void check_tree_end(const check_tree *tree);
/* A node, or an available action of it, that the proof names. */
int check_named_node(check_proof *x, const char *word);
int check_named_action(check_proof *x, int node, const char *word);

/* Reads and checks the proof, and prints what it has verified. Does not return where it is refuted. m: its T and p are those asked for. */
void check_proof_read(const check_model *m, const check_asked *asked, const char *path);

#endif
