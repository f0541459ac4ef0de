/* plan/outcomes/outcomes_state.h - state of the search over outcomes (plan/outcomes/outcomes_search.h): bounds (outcomes_bound.c),
 * probing (outcomes_probe.c), offered policies (outcomes_offer.c), the tree (outcomes_explore.c), the whole (outcomes_search.c),
 * and rooms for parallel trials and improvements (outcomes_rooms.c). */
#ifndef PLAN_OUTCOMES_OUTCOMES_STATE_H
#define PLAN_OUTCOMES_OUTCOMES_STATE_H

#include "base/arena.h"
#include "base/pool.h"
#include "know/pairs.h"
#include "plan/heuristic/incumbent.h"

/* Smaller mass is ignored. */
#define OUTCOMES_USED 1e-12
/* Parallel trials of options or improvements of policies, independent of each other; fixed, so results do not depend on threads. */
enum { OUTCOMES_TOGETHER = 8 };
/* Parallel cases, and explorers; fixed, too. */
enum { OUTCOMES_LANES = 2 };

/* Memory of a thread for trials and improvements. */
typedef struct outcomes_room {
    know_outcomes e;        /* the search's, with its own queue */
    know_pairs *trial;      /* trial sets of the hardest environment */
    know_lagrangian prices; /* work: of all trials */
    unsigned char *allowed; /* [options] */
    incumbent *inc;
} outcomes_room;

/* An offered policy, and its figures after improvement. */
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
    int *row; /* [rows] environments of the bounds: all, or a subset, whose largest regret bounds the largest of all */
    int rows;
    incumbent *inc;
    double gap, target, cutoff;        /* cutoff: the smaller of the target and incumbent_cutoff */
    double cut;                        /* least bound of the parts cut off */
    long long most_work, nodes, tried; /* the last: work of trials */
    long long apart;                   /* work between exchanges of explorers */
    const deadline *limit;
    pool *threads;       /* NULL: the caller's thread only */
    outcomes_room *room; /* [rooms] one a thread */
    int rooms;
    outcomes_policy *offer;      /* [OUTCOMES_TOGETHER] */
    struct outcomes_state *lane; /* [OUTCOMES_LANES] states for single cases, with their own sets of the hardest environment,
                                    prices and incumbent; NULL in a lane */
    bool given_up, at_ease;      /* a limit was reached; a few environments cannot show the cutoff */
    double *mu;                  /* [K] last best price of the promise */
    know_lagrangian prices;      /* of the last environment; its work is the whole search's, or lane's */
    double *own, *mass;          /* [options] by pairs of the hardest environment; with the prices of the others */
    double *raise;               /* [options] rise of the bound in its last trial; INFINITY: not tried */
    int *pick, *walk;            /* [nodes] offered choices; position of a walk */
    arena memory;
} outcomes_state;

/* Outcomes and arrays for s->space; the caller sets the rest, and calls outcomes_end even after an error. */
vouch_status outcomes_begin(outcomes_state *s);
void outcomes_end(outcomes_state *s);
/* The sets of all environments, fine for the hardest only, or s->given_up; all: from outcomes_allow_all. */
vouch_status outcomes_make_pairs(outcomes_state *s, const unsigned char all[]);

/* After outcomes_make_pairs: searches with bounds of the hardest environment and the one of largest regret under the best policy
 * among the others. Raises *bound; *more: the work used. */
vouch_status outcomes_explore_two(outcomes_state *s, const unsigned char all[], double *bound, long long *more);

void outcomes_set_cutoff(outcomes_state *s);
long long outcomes_worked(const outcomes_state *s);
/* Is a limit reached? Sets given_up. */
bool outcomes_over(outcomes_state *s);
/* Records the bound of a part that is cut off. */
void outcomes_cut(outcomes_state *s, double bound);

/* ---- outcomes_explore.c ---- */

/* Searches `all` [options] below the cutoff and records the bounds of the rest (outcomes_cut), unless it gives up. */
vouch_status outcomes_explore(outcomes_state *s, const unsigned char all[]);

/* ---- outcomes_bound.c ---- */

/* Bound on the loss of environment k by pairs, under allowed [options]. */
double outcomes_loss_by_pairs(outcomes_state *s, int k, const unsigned char allowed[]);
/* The bound under allowed [options], at least to the cutoff. */
double outcomes_bound(outcomes_state *s, const unsigned char allowed[]);
/* Adds the maximising policy of environment k at its best price to s->mass. */
void outcomes_trace_price(outcomes_state *s, int k, const unsigned char allowed[]);
/* Number of allowed options of first .. first + count. */
int outcomes_allowed_of(const unsigned char allowed[], int first, int count);
/* Is a choice allowed at node n that does not run (know/pairs.h)? */
bool outcomes_decides(const outcomes_state *s, int n, const unsigned char allowed[]);

/* ---- outcomes_rooms.c ---- */

/* Arrays of a state or a lane. */
vouch_status outcomes_make_arrays(outcomes_state *s);
/* Rooms and lanes, after the sets of the hardest environment; freed by outcomes_end. */
vouch_status outcomes_make_rooms(outcomes_state *s);
void outcomes_free_rooms(outcomes_state *s);
/* Copies the state of s to a lane, and its result back. */
void outcomes_enter(const outcomes_state *s, outcomes_state *lane);
void outcomes_leave(outcomes_state *s, outcomes_state *lane);

/* ---- outcomes_probe.c ---- */

/* The bound under the options allowed in a room, a subset of those in the last call of outcomes_bound, at its last best prices. */
double outcomes_bound_of_trial(const outcomes_state *s, outcomes_room *room);
/* After outcomes_bound returned `bound`: forbids options that the hardest environment cannot afford at nodes it reaches, and
 * consequences; *forbidden: number of the former. s->own: the options it uses. False: no policy is left. */
bool outcomes_probe(outcomes_state *s, double bound, unsigned char allowed[], int *forbidden);

/* ---- outcomes_offer.c ---- */

/* Offers the policy of the choices with most s->mass, passing the mass of outcomes on. */
void outcomes_offer(outcomes_state *s, const unsigned char allowed[]);
/* Offers the best policy with one outcome exchanged, and policies on walks from it, until neither improves or the work of offers is
 * used. */
void outcomes_exchange(outcomes_state *s);

#endif
