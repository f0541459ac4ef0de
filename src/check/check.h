/* check/check.h - vouch-check: is what a proof file says of a model true? Nothing here is shared with vouch: this program reads the
 * model by itself, in exact rationals, and believes of the proof only what it has computed anew. FORMAT.md tells what a proof holds
 * and why each kind of line proves what it says.
 *
 *     input.c   files, words, numbers           bound.c   what multipliers and paths prove
 *     model.c   the model in rationals          boxes.c   and of stochastic policies in a box
 *     graph.c   policy nodes, and likelihood    points.c  what all deterministic policies attain
 *               classes over them               tree.c    a tree of cases
 *     policy.c  the policy, and its worth       proof.c   the other lines, and claims
 *     value.c   U*(k)                           groups.c  proofs about several policies
 *     average.c    promises on average          main.c    the command line
 *     dominance.c  options that are not needed  pay.c     rewards that bounds count
 *
 * Memory is given back by ending.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdio.h> /* gmp.h declares what reads and writes files only after it */

#include <gmp.h>
#include <json-c/linkhash.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- input.c ---- */

/* Ways to end: not a model or not a proof, not true (with the line of the proof), or a limit. */
enum { UNREADABLE = 1, REFUTED = 2, LIMIT = 3 };
_Noreturn void stop(int status, const char *form, ...);
#define unreadable(...) stop(UNREADABLE, __VA_ARGS__)
#define refuted(...)    stop(REFUTED, __VA_ARGS__)

/* What was done and may be done, in products of two doubles or what takes as long; a product of rationals counts as many. */
enum { RATIONAL_WORK = 300 };
extern uint64_t work, most_work;
static inline void spend(size_t products)
{
    if ((work += products) > most_work) stop(LIMIT, "the limit of its work is reached (--work-limit)");
}

void *given(void *block); /* the same; NULL: memory is out, and the program ends */
void *zeroed(size_t count, size_t size);
void *resized(void *block, size_t bytes);
/* Room for one more than `count` items, where it was called for each of them. */
void *grown(void *block, size_t count, size_t size);
/* The number of a key in the order in which they were first met; how many there are: it is not there, and is added if `add`. *t:
 * NULL at first. */
int key_number(struct lh_table **t, const void *of, size_t bytes, bool add);
uint64_t hash_of(const void *bytes, size_t length);

/* A whole file, decompressed where need be, and a zero byte behind it. */
char *file_bytes(const char *path, size_t *length);
/* The proof, line by line, and the words of its line at hand. */
extern long at_line;
void lines_open(const char *path);
/* Clears the line that tells a terminal how far the proof is read. */
void place_clear(void);
bool line_next(void);
char *word_or_none(void);
const char *words_left(void);       /* a copy of the rest of the line, which ends there */
void words_again(const char *line); /* the next words are those of a copy of this line */
char *word(void);
void line_end(void);
int integer(const char *word, int least, int most);
void rational(const char *word, mpq_t x);
/* k=number .. up to ";" or the end of the line, into x [K]; what is not named is 0. Not negative unless of any sign. */
void rationals(int K, mpq_t x[], bool any_sign);
void *rationals_new(int count); /* mpq_t [count], 0 */
void rationals_free(mpq_t x[], int count);
/* A decimal or a fraction, exactly; false: it is none, or beyond any use. */
bool read_number(const char *word, mpq_t x);
/* A JSON text with ".0" behind whole numbers of 16 digits or more, of which json-c would keep the nearest that it can hold. */
char *with_points(const char *bytes, size_t *length);

/* ---- arithmetic of what is not negative: rationals or doubles ---- */

/* Each is known as a rational and as two doubles around it or, under --interval, as the doubles alone. What is computed is a
 * rational, rounded to the side at hand where it grows too long, or a double rounded to that side (-frounding-math). */
typedef struct numbers {
    mpq_t *q; /* mostly NULL under --interval */
    double *end[2];
    size_t count;
} numbers;

enum { DOWN, UP };
enum { VALUES = 1, BOUNDS = 2 };       /* what is computed in rationals: U* and the policy, bounds of cases */
extern int in_rationals;               /* of these; no VALUES: --interval */
extern bool rounded;                   /* was a rational? */
void arithmetic(int what, int toward); /* of VALUES or BOUNDS, or (0) in doubles, from now on */
void arithmetic_end(void);

void numbers_room(numbers *x, size_t count); /* for so many at least */
numbers numbers_of(mpq_t *q, size_t count);  /* these or (NULL) 0, kept as rationals even under --interval */
void numbers_free(numbers *x);               /* with the rationals */
void put(numbers x, size_t i, const mpq_t value);
void get(numbers x, size_t i, mpq_t value);
void set(numbers x, size_t i, numbers y, size_t j);
void zero(numbers x, size_t i);
void add(numbers x, size_t i, numbers y, size_t j, numbers z, size_t k); /* x_i += y_j z_k */
int compare(numbers x, size_t i, numbers y, size_t j);
double outward(const mpq_t x, int toward);
void plus(mpq_t x, const mpq_t y, const mpq_t z); /* x += y z */

/* ---- model.c ---- */

typedef struct model {
    int S, A, K, T, s0;
    int J, P;      /* promises made in each environment, P = K * J in all: that of row k * J + j */
    bool *phi;     /* [P * S] the states that keep it at T */
    mpq_t *p;      /* [P] of a promise on average that of its mean */
    bool *average; /* [J] is the promise one of the mean over the prior? */
    mpq_t *prior;  /* [K] summing to 1 */
    bool one_p;    /* they are equal */
    size_t *start; /* [K * S * A + 1] outcomes of (k, s, a); none: the action is not available */
    int *next,
        *seen;    /* [outcomes] ascending within (k, s, a); which observation the reward is: of equal (s, a, next), equal numbers */
    numbers prob; /* [outcomes] summing to 1 */
    numbers paid; /* [K * S * A] expected reward less the least of all rewards: every policy is paid T times, so regrets stay */
    numbers pay;  /* [K * S * A] the same for bounds: less the least that counts, or raised to a floor and less that (model_pay) */
    numbers one;
    mpq_t least, most; /* of all rewards */
    mpq_t apart;       /* U by `pay` less U by `paid`, of a policy that collects nothing that was raised */
} model;

/* horizon: instead of the file's; 0: that. */
void model_read(model *m, char *bytes, size_t length, int horizon);
/* pay.c. Makes `pay` and `apart`. floor: NULL, or expected rewards below it count as floor, so that no U is smaller. */
void model_pay(model *m, const mpq_t floor);
static inline size_t cell(const model *m, int k, int s, int a)
{
    return ((size_t)k * (size_t)m->S + (size_t)s) * (size_t)m->A + (size_t)a;
}
static inline bool keeps(const model *m, int row, int s) { return m->phi[(size_t)row * (size_t)m->S + (size_t)s]; }
/* P(next | s, a; k) as an outcome's number; -1: it is 0. */
ptrdiff_t outcome(const model *m, int k, int s, int a, int next);

/* ---- graph.c ---- */

enum { ACTIONS = 64 }; /* most of them */

/* Where an L-updates policy decides. Its options stand together: ascending actions, one for all that do the same (twins); none at
 * T. */
typedef struct node {
    int t, s, boundary; /* the node at L that it belongs to; -1 before L */
    uint64_t *set;      /* bits of the environments that can be here */
    uint64_t *sure;     /* of those in which every deterministic policy comes here that does so in any */
    double *rarest;     /* [K] no more than the probability of any path to it */
    size_t option;
    int options;
} node;

typedef struct node_graph {
    const model *m;
    int L;
    size_t words, *layer; /* words of a set; [T + 2] first node of each time */
    struct lh_table *place;
    node *node;
    size_t nodes, options, edges, *edge_start; /* [options + 1] first edge */
    int *action, *edge;                        /* [options]; [edges] node that follows */
    struct rung *known[2];                     /* [K] made when asked for, under --interval and not */
} node_graph;

void graph_make(node_graph *g, const model *m, int L);
/* The node at (t, s) with this set (t <= L) or boundary (t > L); -1: there is none. */
int graph_find(node_graph *g, int t, int s, int boundary, const uint64_t *set);
static inline bool in(const uint64_t *set, int k) { return set[k / 64] >> (k % 64) & 1; }
static inline void include(uint64_t *set, int k) { set[k / 64] |= UINT64_C(1) << (k % 64); }
/* The option of n that does what action a does; g->options: there is none. */
size_t graph_option(const node_graph *g, const node *n, int a);

/* Classes of histories of one node whose likelihoods are proportional; largest weight 1. From time `reveal` on every class has one
 * environment. */
typedef struct rung {
    const node_graph *g;
    int reveal;
    size_t classes, weights, slots, arcs, *layer;
    int *node;              /* [classes] */
    size_t *weight_start;   /* [classes + 1] */
    int *env;               /* [weights] */
    numbers weight;         /* [weights], and the candidates' for the class that is sought */
    size_t *slot;           /* [classes + 1] first slot: one for each option of its node */
    size_t *arc_start;      /* [slots + 1] */
    int *arc;               /* [arcs] class that follows */
    numbers factor;         /* [arcs] what its weights are multiplied by */
    size_t candidates;      /* weights of the class that is sought */
    struct lh_table *known; /* of the layer that is made */
} rung;

/* Of the environments of a set. */
void rung_make(rung *r, const node_graph *g, const uint64_t *of, int reveal);
void rung_free(rung *r);
const rung *rung_known(node_graph *g, int k);

/* ---- bound.c ---- */

typedef struct bound_class {
    bool dead;          /* no policy is left */
    int best;           /* option of its node, where nothing is boxed */
    double loss, least; /* of paths to it */
} bound_class;

typedef struct bound {
    node_graph *g;
    const rung *mixed;
    bool *allowed, *givable; /* [options] that are left, and that bound_short asks for, set by the caller */
    numbers scaled, value;   /* [K * S * A], [classes] */
    bool *heavy;             /* [K] a multiplier is not 0 */
    bound_class *of;         /* [classes] */
    bool boxed;              /* the policies are stochastic ones of a box, or options have prices: */
    double *low, *high;      /* [options] of the probability of an option; NULL: none are spoken of */
    bool *pinned;            /* [nodes] whose policy is known, but for rounding */
    bool forgets;            /* histories that meet are added up (walk.c); else an induction over classes */
    int ahead;               /* steps for which walk.c follows a history; then it is told the environment */
    size_t prices, *priced;  /* [prices] options that have one */
    double *price, shift;    /* [options * K] prices, and a number that is no less than any */
} bound;

/* Inductions over these classes from now on; all options are allowed in the first. */
void bound_over(bound *b, node_graph *g, const rung *r);
/* At least the largest sum of weight_k U(k) and price_r Pr(r), r the rows of promises, of policies that use allowed options; false:
 * there are none. All >= 0: [K], [P]. */
bool bound_most(bound *b, int what, numbers weight, numbers price, mpq_t most);
/* After bound_most: do all policies fall short of it by `room` that use a givable option? */
bool bound_short(bound *b, double room);

/* ---- boxes.c ---- */

/* All policies, and no prices; room for both when first called. */
void boxes_open(bound *b);
/* Only those that use an option with a probability from low to high. */
void boxes_cut(bound *b, size_t option, double low, double high);
/* A price of the probability that a policy comes to the option's node and uses it, in each environment: [K], rounded. */
void boxes_price(bound *b, size_t option, mpq_t price[]);
/* Only those that do nearly what `point` says at node n: [options of n]. */
void boxes_pin(bound *b, const node *n, const double point[]);
/* Is every corner of the box of node n nearly one of the points [count * options of n]? */
bool boxes_cornered(const bound *b, const node *n, const double point[], size_t count);
/* The corners of the box of node n, rounded upwards, or more than those: [how many * options of n], which is no more than ACTIONS
 * squared; how many. */
size_t boxes_corners(const bound *b, const node *n, double corner[]);
/* At least the most that probabilities in the box make of worth [options] at node n. */
double boxes_most(const bound *b, const node *n, const double worth[]);
/* At least the most that policies in the box are given back; -INFINITY: there are none. Rounding upwards, as boxes_most. */
double boxes_back(const bound *b);

/* ---- walk.c ---- */

/* Bounds the same as the induction of bound_most, and rounds likewise, but adds up the histories that meet at a node after pinned
 * ones; price: [P]. */
double walk_most(const bound *b, numbers price);

/* ---- points.c ---- */

/* Most pairs of a set that a line asks for, and of sets that are made finer since those show less than the line says. */
enum { MOST_PAIRS = 512, FINEST_PAIRS = 4 * MOST_PAIRS };
/* Points of U(k) and Pr(row), one of which is nowhere less than what a deterministic policy attains that uses allowed options: of
 * promise `row` and its environment, in sets of at most `most`, or (row < 0) of all, [K] and [P], where Pr >= enough [P] is needed.
 * How many, of the root; *x: one after the other. */
size_t bound_points(const bound *b, int row, int most, const double enough[], const double **x);

/* ---- dominance.c ---- */

/* Leaves options out of b->allowed of which another one left at their node is never worse, nor the rows of promises that count
 * [P], in the environments it is about. What a policy loses at most by using that, of U and of Pr, is added to loss [2].
 */
void bound_drop(bound *b, const uint64_t *about, const bool counts[], double loss[]);

/* ---- tree.c ---- */

/* A case: the policies that keep to the decisions on the path to the root, and use no option given up there. */
typedef struct tree_case {
    int parent;         /* -1: the root */
    size_t option;      /* of the node that the parent is parted at */
    double low, high;   /* of its probability; a child has 1 and 1 */
    int given, givens;  /* options given up here, in the list of all */
    int on;             /* parted at this node; -1: not */
    uint64_t uncovered; /* bits of the options there that have no child yet */
    double loss[2];     /* of U and of Pr, where options were dropped on the path */
    bool closed;
    const char *weighed; /* multipliers that are fixed from here on; NULL: none are */
    bool pinned;         /* the case of a corner of the node that the parent is parted at: */
    size_t point;        /* where that corner begins in the tree's list of points */
} tree_case;

enum { SLACKS = 5 };         /* by which promises may be lowered */
#define MOST_LOWERED 0x1p-40 /* the largest of them */

/* A tree, and what is claimed of the same: a value, and perhaps a bound. */
typedef struct tree {
    bool grown, sum;       /* sum: what is bounded is the sum of regrets, each times its worth; else the largest */
    bool capped;           /* of policies of maximum regret at most cap */
    bool finite;           /* some case has a bound, least the least of them; else all are shown to be empty */
    bool claimed, bounded; /* a value is; a bound */
    mpq_t cap, least, value, least_claimed;
    bool drops;            /* are dominated options left out? */
    double slack, *enough; /* [P] by how much promises are lowered in the case at hand, and no more than what they are lowered to */
    double *lowered[SLACKS];
    double lost;  /* the most of U that is lost in a case */
    uint64_t *of; /* environments that it is about */
    bool *told;   /* [options] which they tell apart from all options of its node before it */
    bound bound;
    tree_case *item;
    int cases, givens;
    size_t *given; /* [givens] options */
    double *point; /* [points] of corners, one after the other */
    size_t points;
} tree;

enum { REGRET, LEAST, WEIGHTED };            /* what is optimised: the maximum regret, min_k U(k), sum_k worth_k U(k) */
enum { DETERMINISTIC, STOCHASTIC, HISTORY }; /* the policies spoken of: those of L updates; those that look at all that was seen */

typedef struct proof {
    model m;
    int objective;
    mpq_t *worth; /* [K] 1 unless WEIGHTED */
    node_graph g;
    const char *method;
    int class;
    mpq_t keep, *enough;   /* [P] p - keep: who reaches that keeps the promise; U*, values and bounds are of all policies that do.
                              On average: what each of these has */
    mpq_t *mean;           /* [J] on average: whose mean reaches that keeps the promise */
    double *most_enough;   /* [P] no more than that, for probabilities that were rounded upwards */
    bool *counts;          /* [P] may a policy of smaller Pr(row) break a promise that others keep? */
    mpq_t *optimum[2];     /* [K] what regrets are counted from: U*(k), from below and above, or 0 where values are optimised */
    int *node, named;      /* [named] of the proof's numbers */
    tree tree[2], *at;     /* of the maximum and of the total regret; the one that is being read */
    numbers weight, price; /* [K], [P] multipliers of a line */
    mpq_t *of_option;      /* [K] */
    mpq_t value, part, here, of_point; /* scratch */
} proof;

/* A line of a tree; false: it is none of these. */
bool tree_line(proof *x, const char *word);
/* Is every case closed and every option covered? */
void tree_end(tree *t);

/* ---- policy.c ---- */

/* A distribution over actions, chances summing to 1. */
typedef struct rule {
    int count, *action;
    mpq_t *chance;
} rule;

/* U(k) from below, and from above what all Pr(row) are less than 1, of rules [classes], for the environments of the rung; refuted
 * if one is missing. */
void policy_value(const rung *r, const rule *const of[], mpq_t U[], mpq_t miss[]);
/* A line of the policy; false: it is none. */
bool policy_line(proof *x, const char *word);
/* The maximum regret of the policy that was read, and the sum of all times their worth, from above. Is every promise kept exactly?
 */
bool policy_weigh(proof *x, mpq_t maximum, mpq_t total);

/* ---- value.c ---- */

/* U*(k) under all promises of environment k, from below and above. */
void optimum(node_graph *g, int k, mpq_t enough[], mpq_t low, mpq_t high);

/* ---- proof.c ---- */

/* Environments: k,k,..  or, all, * */
uint64_t *environments(const proof *x, char *word);
/* A node that the proof names, and the option of it that an action is. */
int named_node(const proof *x, const char *word);
size_t named_option(const proof *x, int node, const char *word);
/* What the caller takes the proof to be about (-1: any L), and whether it is about this model. */
extern int asked_L;
extern uint64_t model_hash;
extern size_t model_length;
/* Reads a proof about x->m and says what it shows. true: it is about several policies, and read up to the word "groups". */
bool proof_read(proof *x, const char *path);
/* The lines of a proof about x->m from "plan" to the one that begins with `last`, and what they show: are there policies that keep
 * the promises? value: of the one given, if one is; least: no regret is less. */
void proof_body(proof *x, const char *last);
bool proof_shows(proof *x, bool *valued, mpq_t value, mpq_t least, bool *exactly);
/* In 12 digits, not less (up) or not more than x. */
void print_rounded(const char *before, const mpq_t x, bool up);
/* The tree, and the claim, of the total regret or of what is optimised. */
tree *tree_of(proof *x, const char *word);

/* ---- average.c ---- */

/* Makes x->mean, and raises x->enough of rows of means to what policies that reach these have in each environment. fewest: the
 * nodes of L = 0. */
void averages_owed(proof *x, node_graph *fewest);
/* Adds to `shown`, a sum of x->price times x->enough, what means show beyond that. */
void averages_show(const proof *x, mpq_t shown);
/* The first promise whose mean under least [P] and `slack` does not reach x->mean; -1: none. *exactly (or NULL) stays true where
 * all reach p. */
int averages_missed(const proof *x, mpq_t least[], const mpq_t slack, bool *exactly);

/* ---- groups.c ---- */

/* The rest of a proof about several policies, behind the first word "groups", and what it shows. */
void groups_read(proof *x);

#endif
