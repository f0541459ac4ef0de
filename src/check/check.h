/* check/check.h - vouch-check: is the claim of a proof file about a model true? FORMAT.md defines the lines of a proof and shows
 * why each kind of line proves its claim. Nothing is shared with vouch: this program reads the model by itself, in exact rationals,
 * and computes anew every number of a proof that it relies on. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdio.h> /* gmp.h declares what reads and writes files only after it */

#include <gmp.h>
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- judge.c: the only state, memory, and the ways to end ---- */

enum { TEMPS = 256 };

typedef struct judge {
    jmp_buf escape; /* `stop` returns there, with the exit status in: */
    int status;
    struct block *newest; /* of all memory */
    json_object *json;    /* the model while it is read */
    char *text, *rest;    /* the unread part of the proof, and of the current line */
    long line;
    uint64_t work, most_work; /* in products of two doubles */
    int rationals, side;      /* VALUES, BOUNDS: computed in rationals; DOWN, UP: the direction of rounding */
    bool exact, rounded;      /* are rationals computed now? was one rounded? */
    mpq_t temp[TEMPS];        /* see temp(); the first is scratch */
    size_t temps;             /* in use */
} judge;

void judge_end(judge *ctx);

enum { UNREADABLE = 1, REFUTED = 2, LIMIT = 3 }; /* exit status: no model or no proof; not true; a limit */
/* Prints words that begin with "verified" or "refuted", on terminals that word in colour, unless NO_COLOR is set. */
void print_verdict(const char *words);
_Noreturn void stop(judge *ctx, int status, const char *form, ...);
#define unreadable(ctx, ...) stop(ctx, UNREADABLE, __VA_ARGS__)
#define refuted(ctx, ...)    stop(ctx, REFUTED, __VA_ARGS__)

enum { RATIONAL_WORK = 300 }; /* of a product of rationals */
static inline void spend(judge *ctx, size_t products)
{
    if ((ctx->work += products) > ctx->most_work) stop(ctx, LIMIT, "the limit of its work is reached (--work-limit)");
}

void *given(void *block); /* the same; NULL: memory is out, and the program ends */
void *zeroed(judge *ctx, size_t count, size_t size);
void *resized(judge *ctx, void *block, size_t bytes);
void *grown(judge *ctx, void *block, size_t count, size_t size); /* room for one more than `count`; to be called for each item */
#define put_at(ctx, list, at, ...)    ((list) = grown(ctx, list, (size_t)(at), sizeof *(list)), (void)((list)[at] = __VA_ARGS__))
#define append(ctx, list, count, ...) (put_at(ctx, list, count, __VA_ARGS__), (void)(count)++)
void drop(judge *ctx, void *block);   /* frees it, and rationals in it; or NULL */
void release(judge *ctx, void *mark); /* drops the block `mark` and all newer ones; NULL: all */
mpq_t *rationals_new(judge *ctx, size_t count);
mpq_t *rationals_grown(judge *ctx, mpq_t *x, size_t count); /* as grown, with one more of value 0 */
mpq_ptr temp(judge *ctx);                                   /* a rational 0, good until the next line or lower ctx.temps */

/* Keys of any bytes, numbered in the order in which they were first met. */
typedef struct table_key {
    uint64_t hash;
    size_t bytes;
    void *of;
} table_key;
typedef struct key_table {
    table_key *key;
    int *slot;
    size_t count, slots;
} key_table;
/* The number of a key; t->count: it is new, and `add` is not set. */
int key_number(judge *ctx, key_table *t, const void *of, size_t bytes, bool add);
void table_drop(judge *ctx, key_table *t);
uint64_t hash_of(const void *bytes, size_t length); /* Fowler, Noll, Vo */

char *file_bytes(judge *ctx, const char *path, size_t *length); /* decompressed, with a zero byte behind it */
char *line_word(judge *ctx);                                    /* the first word of the next line, which must be there */
void line_begins(judge *ctx, const char *first);                /* that is this word */
char *word_or_none(judge *ctx);                                 /* the next word of the line */
char *word(judge *ctx);
void line_end(judge *ctx);
int integer(judge *ctx, const char *word, int least, int most);
void rational(judge *ctx, const char *word, mpq_ptr x);
char *parted(judge *ctx, char *word, const char *what); /* cuts a word at its =; the part behind it */
/* k=number .. up to ";" or the end of the line, into x [K]; others are 0. Not negative unless of any sign. */
void multipliers(judge *ctx, int K, mpq_t x[], bool any_sign);
bool read_number(const char *word, mpq_ptr x); /* a decimal or a fraction, exactly; false: it is none, or beyond any use */

/* Numbers that are not negative. Each is a rational and two doubles around it or, under --interval, the doubles alone. Results are
 * rationals, rounded to the side at hand where they grow too long, or doubles rounded to that side (-frounding-math). */
typedef struct numbers {
    judge *ctx;
    mpq_t *q; /* mostly NULL under --interval */
    double *end[2];
    size_t count;
} numbers;

enum { DOWN, UP };
enum { VALUES = 1, BOUNDS = 2 };                   /* U* and the policy; bounds of cases */
void arithmetic(judge *ctx, int what, int toward); /* of VALUES or BOUNDS, from now on; all else: of 0, in doubles, UP */

void numbers_room(judge *ctx, numbers *x, size_t count); /* for at least count, of value 0 */
numbers numbers_of(judge *ctx, mpq_t *q, size_t count);  /* these or (NULL) 0, kept as rationals even under --interval */
void put(numbers x, size_t i, mpq_srcptr value);
void get(numbers x, size_t i, mpq_ptr value);
void set(numbers x, size_t i, numbers y, size_t j);
void zero(numbers x, size_t i);
void add(numbers x, size_t i, numbers y, size_t j, numbers z, size_t k); /* x_i += y_j z_k */
int compare(numbers x, size_t i, numbers y, size_t j);
double outward(judge *ctx, mpq_srcptr x, int toward);
void from_double(judge *ctx, mpq_ptr x, double d);            /* refuted if it is not finite */
void plus(judge *ctx, mpq_ptr x, mpq_srcptr y, mpq_srcptr z); /* x += y z */

/* ---- model.c ---- */

typedef struct model {
    int S, A, K, T, s0;
    int J, P;            /* promises of each environment, P = K * J in all: row k * J + j is promise j of environment k */
    bool *phi, *average; /* [P * S] the states that keep it at T; [J] is the promise one of the mean over the prior? */
    mpq_t *p, *prior;    /* [P], of a promise on average: of its mean; [K] summing to 1 */
    size_t *start;       /* [cells] first outcome of (k, s, a), the end in the next cell; none: the action is not available */
    int *next, *seen;    /* [outcomes] ascending within (k, s, a); the observation: of equal (s, a, next), equal numbers */
    numbers prob;        /* [outcomes] summing to 1; nominal, if they are known within limits */
    mpq_t *limit[2];     /* [outcomes] DOWN, UP; NULL: prob itself; then both move outwards by `within` */
    mpq_ptr within;
    numbers paid; /* [cells] expected reward minus the least one, which shifts every policy by the same T times */
    numbers pay;  /* [cells] rewards for bounds: raised to a floor, if any, minus the least one (graph_pay) */
    numbers one;
    bool costs;                 /* rewards are minus the costs in the file */
    mpq_ptr least, most, apart; /* of all rewards; U by `pay` less U by `paid`, of a policy that collects nothing that was raised */
} model;

/* horizon 0: the file's; costs: rewards are costs, as in a file with "sense": "min". */
void model_read(judge *ctx, model *m, const char *bytes, size_t length, int horizon, bool costs);
/* Empty rows, rewards and promises of a model of these K, S, A and J. */
void model_room(judge *ctx, model *m);
/* The cell of (k, s, a); each environment has one more behind its own. Of k = K: their number. */
static inline size_t cell(const model *m, int k, int s, int a)
{
    size_t A = (size_t)m->A;
    return (size_t)k * ((size_t)m->S * A + 1) + (size_t)s * A + (size_t)a;
}
static inline bool keeps(const model *m, int row, int s) { return m->phi[(size_t)row * (size_t)m->S + (size_t)s]; }
/* P(next | s, a; k) as an outcome's number; -1: it is 0. */
ptrdiff_t outcome(judge *ctx, const model *m, int k, int s, int a, int next);
/* Are probabilities known within limits only? The least (DOWN) or largest one (UP) of an outcome, to x. */
static inline bool errs(const model *m) { return m->limit[UP] || mpq_sgn(m->within) > 0; }
void limit(const model *m, size_t outcome, int side, mpq_ptr x);

/* ---- graph.c: policy nodes, and classes of the histories that reach them ---- */

enum { ACTIONS = 64 }; /* most of them */

/* Where an L-updates policy decides. Its options stand together: ascending actions, one for all that do the same (twins); none at
 * T. */
typedef struct node {
    int t, s, boundary, options; /* boundary: the node at L on the way; -1 before L */
    size_t option;
    uint64_t *set, *sure; /* environments that can be here; in which a deterministic policy gets here if it does in any */
    double *rarest;       /* [K] no more than the probability of any path to it */
} node;

typedef struct node_graph {
    const model *m;
    int L;
    size_t words, *layer; /* words of a set; [T + 2] first node of each time */
    key_table place;
    uint64_t *key, *group; /* scratch */
    node *node;
    size_t nodes, options, edges, *edge_start; /* [options + 1] first edge */
    int *action, *edge;                        /* [options]; [edges] successor */
    struct rung *known[2];                     /* [K] see rung_known; under --interval and not */
    struct bound *alone[2];                    /* see bound_alone; likewise */
} node_graph;

void graph_make(judge *ctx, node_graph *g, const model *m, int L);
/* Makes m->pay and m->apart (FORMAT.md, "floor"). floor: NULL, or expected rewards below it count as floor, so that no U is
 * smaller. */
void graph_pay(judge *ctx, const node_graph *g, model *m, mpq_srcptr floor);
/* The node with this t, s and set (t <= L) or boundary (t > L); g->nodes: there is none, and `add` is not set, or it is new. */
int graph_place(judge *ctx, node_graph *g, const node *of, bool add);
static inline bool in(const uint64_t *set, int k) { return set[k / 64] >> (k % 64) & 1; }
static inline void include(uint64_t *set, int k) { set[k / 64] |= UINT64_C(1) << (k % 64); }
/* The option of n that does the same as action a; g->options: there is none. */
size_t graph_option(judge *ctx, const node_graph *g, const node *n, int a);

/* Classes of histories of one node whose likelihoods are proportional; largest weight 1. From time `reveal` on every class has one
 * environment. */
typedef struct rung {
    const node_graph *g;
    int *node, *env, *arc; /* [classes]; [weights]; [arcs] class that follows */
    size_t classes, weights, slots, arcs, *layer;
    size_t *weight_start, *slot, *arc_start; /* [classes + 1]; likewise: a slot for each option of the node; [slots + 1] */
    numbers weight, factor; /* [weights], and the candidates' for the class that is sought; [arcs] of its weights */
    size_t candidates, key_used, key_room;
    key_table known; /* while they are made */
    unsigned char *key;
} rung;

void rung_make(judge *ctx, rung *r, const node_graph *g, const uint64_t *of, int reveal); /* of the environments of a set */
const rung *rung_known(judge *ctx, node_graph *g,
                       int k); /* of environment k alone; made at the first call, under --interval and not */

/* ---- bound.c ---- */

typedef struct bound_class {
    bool dead;          /* no policy is left */
    int best;           /* option of its node, where nothing is boxed */
    double loss, least; /* of paths to it */
} bound_class;

typedef struct bound {
    node_graph *g;
    const rung *mixed;
    bool *allowed, *givable;     /* [options] left; and given up by the line, set by the caller for bound_short */
    numbers scaled, value;       /* [cells], [classes] */
    bool *heavy;                 /* [K] a multiplier is not 0 */
    bound_class *of;             /* [classes] */
    bool boxed, *pinned;         /* policies of a box, or options have prices; [nodes] whose policy is known, but for rounding */
    double *low, *high;          /* [options] of the probability of an option; NULL: of deterministic policies */
    bool forgets;                /* histories that meet are added up (walk_most); else an induction over classes */
    int ahead;                   /* steps for which a history is followed there before its environment is revealed */
    size_t prices, *priced;      /* [prices] options that have one */
    double *price, shift;        /* [options * K] prices, and a number that is no less than any */
    double *of_node, *of_option; /* of bound_drop: [2 * (K + P)] of each node, and of the options of one */
    struct point_sets **sets;    /* of points: [P + 1] */
    struct reach *reach;         /* intervals of reach; NULL: none yet */
    double slack, *enough;       /* [P] by how much promises are lowered in the case at hand, and no more than the lowered ones */
} bound;

/* Inductions over these classes from now on; all options are allowed in the first. */
void bound_over(judge *ctx, bound *b, node_graph *g, const rung *r);
bound *bound_alone(judge *ctx, node_graph *g, int k); /* inductions over environment k alone, until the next call */
/* At least the largest sum of weight_k U(k) and price_r Pr(r), r the rows of promises, of policies that use allowed options; false:
 * there are none. All >= 0: [K], [P]. */
bool bound_most(judge *ctx, bound *b, int what, numbers weight, numbers price, mpq_ptr most);
/* After bound_most: do all policies fall short of it by `room` that use a givable option? */
bool bound_short(judge *ctx, bound *b, double room);

/* Stochastic policies in a box; doubles rounded upwards. */
void boxes_open(judge *ctx, bound *b);                                /* all policies, and no prices */
void boxes_cut(bound *b, size_t option, double low, double high);     /* of probabilities from low to high */
void boxes_price(judge *ctx, bound *b, size_t option, mpq_t price[]); /* [K] of reaching the option's node and using it */
void boxes_pin(bound *b, const node *n, const double point[]);        /* nearly `point` [options of n] at node n */
/* Is every corner of the box of node n nearly one of the points [count * options of n]? */
bool boxes_cornered(const bound *b, const node *n, const double point[], size_t count);

/* Most pairs of a set in a line, and of sets that are made finer because those show less than the line claims. */
enum { MOST_PAIRS = 512, FINEST_PAIRS = 4 * MOST_PAIRS };
/* Points of U(k) and Pr(row): for every deterministic policy of allowed options one of them is nowhere less than its values. Of
 * promise `row` and its environment, in sets of at most `most`, or (row < 0) of all, [K] and [P], where Pr >= b->enough is needed.
 * How many, of the root; *x: one after the other. */
size_t bound_points(judge *ctx, bound *b, int row, int most, const double **x);

/* Takes an option out of b->allowed if another one left at its node is never worse, for U and the rows of promises that count [P],
 * in the environments `about`. The most that a policy loses by using the other one, of U and of Pr, is added to loss [2], up to
 * MOST_LOWERED of Pr. */
#define MOST_LOWERED 0x1p-40
void bound_drop(judge *ctx, bound *b, const uint64_t *about, const bool counts[], double loss[]);

/* ---- proof.c ---- */

/* A case: the policies that keep to the decisions on the path to the root, and use no option given up there. */
typedef struct tree_case {
    int parent, on;     /* -1: the root; branches at this node, -1: not */
    size_t option;      /* of the node where the parent branches */
    double low, high;   /* of its probability; a child has 1 and 1 */
    int given, givens;  /* options given up here, in the list of all */
    uint64_t uncovered; /* bits of the options there that have no child yet */
    double loss[2];     /* of U and of Pr, where options were dropped on the path */
    bool closed;
    const char *weighed; /* multipliers that are fixed from here on; NULL: none are */
    ptrdiff_t point;     /* where its corner of the node where the parent branches begins in the tree's list; -1: it has none */
} tree_case;

/* A tree, and the claim about its subject: a value, and perhaps a bound. */
typedef struct tree {
    bool grown, sum;       /* sum: the sum of regrets is bounded, each times its worth; else the largest */
    bool capped, drops;    /* of policies of maximum regret at most cap; are dominated options left out? */
    bool finite;           /* some case has a bound, least the least of them; else all are shown to be empty */
    bool claimed, bounded; /* a value is; a bound */
    mpq_ptr cap, least, value, least_claimed;
    double lost;  /* the most of U that is lost in a case */
    uint64_t *of; /* environments that it is about */
    bool *told;   /* [options] which they tell apart from all options of its node before it */
    bound bound;
    tree_case *item;
    int cases, givens;
    size_t *given, points; /* [givens] options */
    double *point;         /* [points] of corners, one after the other */
} tree;

enum { REGRET, LEAST, WEIGHTED };            /* objective: the maximum regret, min_k U(k), sum_k worth_k U(k) */
enum { DETERMINISTIC, STOCHASTIC, HISTORY }; /* class: policies of L updates; policies that use all observations */

/* A rule of the whole history: for histories at (t, s) of about these likelihoods. */
typedef struct like {
    int t, s;
    mpq_t *weight, *rule; /* [K], [A] */
} like;

typedef struct proof {
    int asked_L; /* the only L to be accepted; -1: any */
    uint64_t hash;
    size_t length; /* of the model's bytes */
    model m;
    node_graph g;
    const char *method;
    int objective, class;
    mpq_ptr keep;
    mpq_t *worth, *of_option; /* [K] 1 unless WEIGHTED; scratch */
    mpq_t *enough;       /* [P] p - keep, which policies reach that keep the promise; on average: the share that follows for k */
    mpq_t *mean;         /* [J] on average: policies whose mean reaches it keep the promise */
    double *most_enough; /* [P] no more than `enough`, for probabilities that were rounded upwards */
    bool *counts;        /* [P] may a policy of smaller Pr(row) break a promise that others keep? */
    mpq_t *optimum[2];   /* [K] U*(k) of `paid`, from below and above, or 0 where values are optimised */
    int *node, named;    /* [named] of the proof's numbers */
    struct nature_reply *nature; /* [natures] */
    int natures;
    struct proof *cases, *own; /* the one of lines about cases and claims; and of nodes and the policy; itself, without natures */
    int *unrolled;             /* [nodes of `own`] as nodes of this; NULL: the same */
    mpq_t **rule_of;           /* [nodes] the chance of each action [A]; NULL: none */
    like *likes;
    size_t like_count;
    tree tree[2], *at;     /* of the maximum and of the total regret; the one that is being read */
    tree_case *now;        /* the case of the line */
    bool infeasible;       /* is claimed */
    numbers weight, price; /* [K], [P] multipliers of a line */
} proof;

void proof_open(judge *ctx, proof *x);
/* What is owed for each row, and which count; the means of promises on average. fewest: nodes of L = 0. */
void owe(judge *ctx, proof *x);
void owe_means(judge *ctx, proof *x, node_graph *fewest);
int named_node(judge *ctx, const proof *x, const char *word);
size_t named_option(judge *ctx, const proof *x, int node, const char *word);
/* The multipliers of a line, [lambda of the regrets ;] mu of the promises: what they make of U*, promises and the cap, to value. */
void read_multipliers(judge *ctx, proof *x, bool regrets, mpq_ptr value);
void bounded(tree *t, mpq_srcptr value); /* of a case of the tree */

/* ---- nature.c ---- */

void read_nature(judge *ctx, proof *x);
/* x->cases from now on: policy nodes are states, and each nature is an environment behind the others. */
void unroll(judge *ctx, proof *x);
/* Pr(row) of the policy under the worst reply of nature, from below. */
void worst_kept(judge *ctx, const proof *x, int row, mpq_ptr least);

/* ---- reach.c ---- */

void read_reach(judge *ctx, proof *x);
void read_unkept(judge *ctx, proof *x);
void read_remove(judge *ctx, proof *x);

/* ---- policy.c ---- */

mpq_t *read_chances(judge *ctx, const proof *x, int n); /* the rest of the line as a distribution over actions [A] of node n */
void read_like(judge *ctx, proof *x);
/* The maximum regret of the policy that was read, and the sum of all times their worth, from above. Is every promise kept
 * exactly? */
bool policy_weigh(judge *ctx, proof *x, mpq_ptr maximum, mpq_ptr total);
/* U*(k) under all promises of environment k, from below and above. */
void optimum(judge *ctx, node_graph *g, int k, mpq_t enough[], mpq_ptr low, mpq_ptr high);
/* Makes x->mean, and raises x->enough of rows of means to the share that follows for each environment. fewest: nodes of L = 0. */
void averages_owed(judge *ctx, proof *x, node_graph *fewest);
/* Adds to `shown`, a sum of x->price times x->enough, the further effect of means. */
void averages_show(judge *ctx, const proof *x, mpq_ptr shown);
/* The first promise whose mean under least [P] and `slack` does not reach x->mean; -1: none. *exactly (or NULL) stays true where
 * all reach p. */
int averages_missed(judge *ctx, const proof *x, mpq_t least[], mpq_srcptr slack, bool *exactly);

#endif
