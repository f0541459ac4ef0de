/* plan/outcomes/outcomes_state.h - what the search by outcomes (plan/outcomes/outcomes_search.h) works with: bounds
 * (outcomes_bound.c), what is ruled out by trying (outcomes_probe.c), policies offered (outcomes_offer.c), the tree
 * (outcomes_explore.c), the whole (outcomes_search.c). Options are tried, and policies improved, some at once in rooms of their own
 * (outcomes_rooms.c). */
#ifndef PLAN_OUTCOMES_OUTCOMES_STATE_H
#define PLAN_OUTCOMES_OUTCOMES_STATE_H

#include "base/arena.h"
#include "base/pool.h"
#include "know/outcomes.h"
#include "know/single_lagrangian.h"
#include "plan/heuristic/incumbent.h"

/* Mass that is less is not used. */
#define OUTCOMES_USED 1e-12
/* Options tried at once, and policies improved at once, none of which knows of the others: a count, so that the answer is the same
 * for any number of threads. */
enum { OUTCOMES_TOGETHER = 8 };
/* Cases that are looked at at once, and explorers: a count, too. */
enum { OUTCOMES_LANES = 2 };

/* What a thread tries options with, and improves policies in. */
typedef struct outcomes_room {
    know_outcomes e;        /* the search's, but for the queue */
    know_pairs *trial;      /* beside the sets of the hardest environment */
    know_lagrangian prices; /* work: of the trials so far */
    unsigned char *allowed; /* [options] */
    incumbent *inc;
} outcomes_room;

/* A policy that is offered, and what it has become. */
typedef struct outcomes_policy {
    int *pick; /* [nodes] */
    double shortfall, regret;
    bool better; /* than the best known */
} outcomes_policy;

typedef struct outcomes_state {
    const policy_space *space;
    know_outcomes *e;
    know_pairs **of; /* [K] */
    int K, hardest;
    int *row; /* [rows] environments that bounds are of: all, or few of them, whose largest regret bounds that of all */
    int rows;
    incumbent *inc;
    double gap, target, cutoff;        /* nothing below the target and incumbent_cutoff is to be left */
    double cut;                        /* least bound of what was cut off */
    long long most_work, nodes, tried; /* the last: work of trials */
    long long apart;                   /* work after which explorers tell each other */
    const deadline *limit;
    pool *threads;       /* NULL: none but this one */
    outcomes_room *room; /* [rooms] a thread's */
    int rooms;
    outcomes_policy *offer;      /* [OUTCOMES_TOGETHER] */
    struct outcomes_state *lane; /* [OUTCOMES_LANES] what cases are looked at with: sets of the hardest environment, prices and
                                    a policy known of their own; NULL in a lane */
    bool given_up, at_ease;      /* the second: since few environments do not show the cutoff */
    double *mu;                  /* [K] best price of the promise, when last sought */
    know_lagrangian prices;      /* of the environment last priced; its work is that of the whole search, or lane */
    double *own, *mass;          /* [options] of the hardest environment's pairs, and with those of the others' prices */
    double *raise;               /* [options] what trying it raised the bound by last, INFINITY where it was not tried */
    int *pick, *walk;            /* [nodes] choices offered; where a walk is */
    arena memory;
} outcomes_state;

/* Outcomes and arrays, for s->space; the rest is the caller's. outcomes_end whatever the outcome. */
vouch_status outcomes_begin(outcomes_state *s);
void outcomes_end(outcomes_state *s);
/* The sets of all environments, coarse but for the hardest, or s->given_up; all: what outcomes_allow_all allows. */
vouch_status outcomes_make_pairs(outcomes_state *s, const unsigned char all[]);

/* After outcomes_make_pairs: all policies, by bounds of the hardest environment and that of the others which regrets most under
 * the best policy known: often these two alone decide, and what they leave disputed is far less than what all do. *bound grows
 * to what is shown; *more: work that this took. */
vouch_status outcomes_explore_two(outcomes_state *s, const unsigned char all[], double *bound, long long *more);

/* The cutoff, of the target and the best policy known. */
void outcomes_set_cutoff(outcomes_state *s);
/* All work so far. */
long long outcomes_worked(const outcomes_state *s);
/* Has it taken too much? Then it gives up. */
bool outcomes_over(outcomes_state *s);
/* Notes the bound of what is cut off. */
void outcomes_cut(outcomes_state *s, double bound);

/* ---- outcomes_explore.c ---- */

/* Looks for what is below the cutoff in `all` [options], and notes bounds of the rest (outcomes_cut), unless it gives up. */
vouch_status outcomes_explore(outcomes_state *s, const unsigned char all[]);

/* ---- outcomes_bound.c ---- */

/* What environment k loses at least by pairs, under allowed [options]. */
double outcomes_loss_by_pairs(outcomes_state *s, int k, const unsigned char allowed[]);
/* What is shown of what is allowed, as far as the cutoff. */
double outcomes_bound(outcomes_state *s, const unsigned char allowed[]);
/* Adds to s->mass what the policy of the best price of environment k uses. */
void outcomes_trace_price(outcomes_state *s, int k, const unsigned char allowed[]);
/* Options allowed of first .. first + count. */
int outcomes_allowed_of(const unsigned char allowed[], int first, int count);
/* Does a choice of node n, of those allowed, not run? */
bool outcomes_decides(const outcomes_state *s, int n, const unsigned char allowed[]);

/* ---- outcomes_rooms.c ---- */

/* What a state or a lane has of its own. */
vouch_status outcomes_make_arrays(outcomes_state *s);
/* Rooms and lanes, once there are the sets of the hardest environment. outcomes_end frees them. */
vouch_status outcomes_make_rooms(outcomes_state *s);
void outcomes_free_rooms(outcomes_state *s);
/* Makes a lane begin where s stands, and lets s know what has come of it. */
void outcomes_enter(const outcomes_state *s, outcomes_state *lane);
void outcomes_leave(outcomes_state *s, outcomes_state *lane);

/* ---- outcomes_probe.c ---- */

/* What is shown of what is allowed in a room, by the prices that were best last: no option but those of the last call of
 * outcomes_bound. */
double outcomes_bound_of_trial(const outcomes_state *s, outcomes_room *room);
/* Forbids what the hardest environment cannot afford where it comes, after outcomes_bound came to `bound`, and what follows from
 * that; *forbidden: how many options it could not afford. s->own is what it uses. false: no policy is left. */
bool outcomes_probe(outcomes_state *s, double bound, unsigned char allowed[], int *forbidden);

/* ---- outcomes_offer.c ---- */

/* Offers the policy that does what s->mass says is used most, which takes over the mass of outcomes. */
void outcomes_offer(outcomes_state *s, const unsigned char allowed[]);
/* Offers the best policy known with one outcome exchanged, and what walks from it come by, until neither is better or too much is
 * taken, which is not giving up. */
void outcomes_exchange(outcomes_state *s);

#endif
