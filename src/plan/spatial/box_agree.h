/* plan/spatial/box_agree.h - the most that policies of a box can make whose classes agree.
 *
 *     max over pi in the box of  sum over (n,a,k) of y(n,a;k) reward(n,a;k)  +  sum over k of mu_k Pr(k),     y the occupancy of pi
 *
 * V of (6.1) lets each class of a policy node choose for itself; this is what it stands for, so it is never more, and mixtures are
 * then of policies proper. The sum is linear in pi(.|n) while other nodes stay as they are, so that the most is attained at corners
 * of the nodes' boxes. They are searched in the order of time: all that comes together at a node is added up before it is valued,
 * where classes are each by themselves. What is open is valued as if the environment were known after one more step:
 *
 *     most <= earned + sum over n of time t of max over corners x of n:  sum_a x_a (reward(w(n), a) + sum over n' of look(n', w(n)
 * o P(n'|n,a))), look(n, w) = max over corners x of n:  sum_a x_a sum_k w_k (reward(n,a;k) + sum over n' of P(n'|n,a;k)
 * alone_k(n')),
 *
 * w_k(n) being the probability of coming to n in environment k, known once all before t is decided, and alone_k what k alone makes
 * of the box from a node on. Boundaries (know/graph.h) have no nodes in common, so that once all before L is decided each is
 * searched apart.
 *
 * Source: src/THEORY.md, 6. Cost: exponential at worst, so it is given up after so many visits. Invariant: what is found is
 * attained by a policy in the box, and none of the box makes more.
 */
#ifndef PLAN_SPATIAL_BOX_AGREE_H
#define PLAN_SPATIAL_BOX_AGREE_H

#include "base/arena.h"
#include "know/box.h"
#include "know/graph.h"

/* Nodes that are decided together: those before L, or those of one boundary. */
typedef struct agree_part {
    int begin, end; /* times */
    int *start;     /* [end + 1] places in the list where those of a time begin */
    double best;    /* most found so far, or that has to be surpassed */
} agree_part;

typedef struct box_agree {
    const know_graph *g;
    arena memory;                      /* of all arrays */
    int *list;                         /* [nodes before T] by part and time */
    agree_part *part;                  /* [1 + boundaries] the first: before L */
    int *corner_start;                 /* [nodes before T, + 1] where a node's corners are numbered from */
    int *corners;                      /* [nodes before T] of its box */
    size_t *share_start;               /* [nodes before T] where those of a node begin in share */
    double *share;                     /* pi(.|n), corner by corner */
    unsigned char *open;               /* [choices] the box lets it be taken */
    const double *reward;              /* [choices * K], the caller's */
    double *after, *alone;             /* [choices * K], [nodes * K] what environment k alone makes from a choice, from a node on */
    double *w;                         /* [nodes * K] probabilities of coming there, as far as it is decided how */
    double *now;                       /* [choices] reward(w(n), a) */
    double *worth;                     /* [corners] most that is made from a node on, its corner taken */
    int *order;                        /* [corners] of each node, the one worth most first */
    double *hope;                      /* [boundaries] most that is made from there on */
    double *rest;                      /* [nodes before T] most that is made from the later ones of its part and time on */
    double *saved;                     /* [edges * K] w of their children before a corner added to it */
    int *pick, *part_pick, *best_pick; /* [nodes before T] corners: decided, of the part's best, of the best */
    bool known;                        /* best_pick is of this box */
    bool blurred;                      /* corners of this box are not told apart */
    double visits, most;               /* of nodes: in this search, and after which it is given up */
} box_agree;

typedef struct agree_task {
    const double *reward, *mu; /* [choices * K], [K] */
    double least;              /* it does not matter what is made if it is no more than this */
    double visits;             /* of nodes, at most */
} agree_task;

typedef enum agree_end { AGREE_FOUND, AGREE_LESS, AGREE_GIVEN_UP } agree_end;

/* *out is NULL, and the status OK, where there are too many nodes, or choices of one. */
vouch_status box_agree_new(const know_graph *g, box_agree **out);
void box_agree_free(box_agree *x); /* NULL is fine */

/* Makes the corners of another box, which must not be empty. */
void box_agree_enter(box_agree *x, policy_box in);

/* FOUND: *value is the most that is made in the box entered last, by the policy prob [choices]; LESS: it is no more than
 * task->least. x->visits: what it took. */
agree_end box_agree_most(box_agree *x, const agree_task *task, double *value, double prob[]);

#endif
