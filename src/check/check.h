/* check/check.h - vouch-check: is what a proof file says of a model true?
 *
 * Nothing here is shared with vouch: this program reads the model by itself, in exact rationals, and believes of the proof only what it has computed anew.
 * FORMAT.md tells what a proof holds and why each kind of line proves what it says.
 *
 *     model.c   the model, decimals as rationals          bound.c   what a line's multipliers or pairs prove
 *     graph.c   policy nodes                              value.c   U*_c(k), and what a policy is worth
 *     rung.c    likelihood classes over them              proof.c   the lines, and the tree that they make
 *
 * What is exact is a GMP rational. What is large is a double, rounded towards the side that makes a proof harder (-frounding-math, fesetround).
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ways to end: not a model or not a proof (1), not true (2, with the line of the proof). */
_Noreturn void unreadable(const char *form, ...);
_Noreturn void refuted(const char *form, ...);

void *zeroed(size_t count, size_t size);
/* Room for one more than `count` items; *room is what there is. */
void *grown(void *block, size_t *room, size_t count, size_t size);
/* A decimal or a fraction as it stands, exactly; false: it is none, or its exponent is beyond any use. */
bool read_number(const char *word, mpq_t x);
/* The least double that is not less than x >= 0. */
double above(const mpq_t x);

/* ---- the model ---- */

typedef struct check_model {
    int S, A, K, T, s0; /* T may be changed before check_graph_make */
    bool *phi;          /* [S] */
    mpq_t p;
    size_t *start; /* [K * S * A + 1] outcomes of (k, s, a); none: the action is not available */
    int *next;     /* [outcomes] ascending within (k, s, a) */
    mpq_t *prob;   /* [outcomes] summing to 1 */
    int *seen;     /* [outcomes] which observation the reward is: equal numbers at (s, a, next), equal observations */
    mpq_t *
        pay; /* [K * S * A] expected reward less the least of all rewards: every policy is paid T times, so regrets stay as they are */
} check_model;

/* Reads a JSON model of `length` bytes. */
void check_model_read(check_model *m, const char *bytes, size_t length);
static inline size_t check_cell(const check_model *m, int k, int s, int a)
{
    return ((size_t)k * (size_t)m->S + (size_t)s) * (size_t)m->A + (size_t)a;
}
/* P(next | s, a; k) as an outcome's number; -1: it is 0. */
ptrdiff_t check_outcome(const check_model *m, int k, int s, int a, int next);

/* ---- policy nodes: where an L-updates policy decides ---- */

enum { CHECK_ACTIONS = 64 }; /* most actions: what is allowed at a node is a word of bits */

typedef struct check_node {
    int t, s;
    int boundary;     /* the node at L that it belongs to; -1 before L */
    uint64_t *set;    /* bits of the environments that can be here */
    uint64_t options; /* bits of the actions, one for all that do the same (twins) */
    int first_choice; /* of its options, ascending; they stand together */
} check_node;

typedef struct check_graph {
    const check_model *m;
    int L, words;
    int *layer; /* [T + 2] first node of each time */
    check_node *node;
    size_t nodes, node_room;
    int *choice_edge; /* [choices + 1] first edge */
    size_t choices, choice_room;
    int *edge; /* [edges] node that follows */
    size_t edges, edge_room;
} check_graph;

void check_graph_make(check_graph *g, const check_model *m, int L);
static inline bool check_in(const uint64_t *set, int k) { return set[k / 64] >> (k % 64) & 1; }
/* The node at (t, s) with this set (t <= L) or boundary (t > L); -1: there is none. */
int check_find(const check_graph *g, int t, int s, int boundary, const uint64_t *set);
/* The option that does what action a does at node n: a itself or a twin; -1: the action is not available. */
int check_option(const check_graph *g, int n, int a);
/* Of the options of n: the number of the choice of action a. */
static inline int check_choice(const check_node *n, int a)
{
    return n->first_choice + __builtin_popcountll(n->options & ((UINT64_C(1) << a) - 1));
}

/* ---- a rung: likelihood classes ---- */

/* Histories of one node whose likelihoods are proportional. The weights of class i are those from weight_start[i] on: environment and likelihood, the
 * largest 1. From time `reveal` on every class has one environment (an information relaxation). */
typedef struct check_rung {
    const check_graph *g;
    int reveal;
    int roots;  /* classes at time 0, from 0 on */
    int *layer; /* [T + 2] */
    size_t classes, weights, arcs;
    int *node;                           /* [classes] */
    size_t *weight_start;                /* [classes + 1] */
    int *env;                            /* [weights] */
    mpq_t *weight;                       /* [weights] */
    double *weight_above;                /* [weights] no less */
    size_t *slot;                        /* [classes before T, and 1] first slot: one for each option of its node */
    size_t *arc_start;                   /* [slots + 1] */
    int *arc;                            /* [arcs] class that follows */
    mpq_t *factor;                       /* [arcs] what its weights are multiplied by */
    double *factor_above, *factor_below; /* [arcs] no less, no more than what its weights are multiplied by */
    size_t slots, class_room[3], weight_room[3], slot_room, arc_room[4]; /* of the arrays above */
} check_rung;

void check_rung_make(check_rung *r, const check_graph *g, int reveal);

/* ---- what is proved ---- */

/* Inductions over classes and sets of pairs, in doubles rounded upwards: what they return is no less than what is true. */
typedef struct check_bound {
    const check_graph *g;
    check_rung rung;      /* of mixtures */
    check_rung known;     /* of pairs: revealed from the start; made when first asked */
    uint64_t *allowed;    /* [nodes] options that are left, set by the caller */
    uint64_t *givable;    /* [nodes] zero: scratch of check_bound_short */
    double *pay;          /* [K * S * A] */
    double *value;        /* [classes of the rung] */
    double *loss, *least; /* likewise, of check_bound_short */
    struct check_pairs *pairs;
} check_bound;

void check_bound_make(check_bound *b, const check_graph *g, int reveal);
/* At least the largest sum over k of weight_k U(k) + price_k Pr(k) of policies that use allowed options; -INFINITY: there are none. weight, price >= 0: [K]. */
double check_bound_most(check_bound *b, const double weight[], const double price[]);
/* After check_bound_most with these weights: do all policies fall short of it by `room` that use action[i] at node[i] for some i < count? Returns the first i of which
 * this is not shown; -1: none. */
int check_bound_short(check_bound *b, const double weight[], double room, int count, const int node[], const int action[]);
/* At least the largest U(k) of deterministic policies that use allowed options and have Pr(k) >= least; -INFINITY: there are none. most: pairs of a set. */
double check_bound_pairs(check_bound *b, int k, int most, double least);

/* ---- values ---- */

/* What lies between two rationals: equal, unless numbers grew so long that they were rounded outwards. */
typedef struct check_span {
    mpq_t low, high;
} check_span;

void check_span_init(check_span *x);
void check_span_clear(check_span *x);

/* U*_c(k), for the model's p; false: environment k alone cannot reach p - keep. `most`: the largest Pr(k). */
bool check_optimum(const check_model *m, int k, const mpq_t keep, check_span *optimum, check_span *most);

/* One distribution over actions for each node, as a proof says it. */
typedef struct check_rule {
    int count;
    int *action;
    mpq_t *chance; /* summing to 1 */
} check_rule;

/* U(k) and Pr(k) [K] of the policy that follows rule [nodes]; -1, or a node that it comes to and that has no rule. */
int check_value(const check_graph *g, const check_rule *const rule[], check_span U[], check_span Pr[]);

/* The same of a policy of the whole history: rule [classes of the rung]; -1, or a class without one. */
int check_class_value(const check_rung *r, const check_rule *const rule[], check_span U[], check_span Pr[]);

#endif
