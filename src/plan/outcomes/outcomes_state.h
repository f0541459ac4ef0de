/* plan/outcomes/outcomes_state.h - what the search by endings (plan/outcomes/outcomes_search.h) works with: bounds and what is
 * ruled out by trying (endings_bound.c), policies offered (endings_offer.c), the tree (endings_search.c). */
#ifndef PLAN_OUTCOMES_OUTCOMES_STATE_H
#define PLAN_OUTCOMES_OUTCOMES_STATE_H

#include "base/arena.h"
#include "know/endings.h"
#include "know/prices.h"
#include "plan/heuristic/incumbent.h"

/* Mass that is less is not used. */
#define ENDINGS_USED 1e-12

typedef struct endings_state {
    const policy_space *space;
    know_endings *e;
    know_pairs **of; /* [K] */
    int K, hardest;
    int *row; /* [rows] environments that bounds are of: all, or few of them, whose largest regret bounds that of all */
    int rows;
    incumbent *inc;
    double gap, target, cutoff; /* nothing below the target and incumbent_cutoff is to be left */
    double cut;                 /* least bound of what was cut off */
    long long most_work, nodes;
    const deadline *limit;
    bool given_up, at_ease; /* the second: since few environments do not show the cutoff */
    double *mu;             /* [K] best price of the promise, when last sought */
    know_prices prices;     /* of the environment last priced; its work is that of the whole search */
    double *own, *mass;     /* [options] of the hardest environment's pairs, and with those of the others' prices */
    double *raise;          /* [options] what trying it raised the bound by last, INFINITY where it was not tried */
    unsigned char *trial;   /* [options] */
    int *pick, *walk;       /* [nodes] choices offered; where a walk is */
    arena memory;
} endings_state;

/* Endings and arrays, for s->space; the rest is the caller's. endings_end whatever the outcome. */
vouch_status endings_begin(endings_state *s);
void endings_end(endings_state *s);
/* The sets of all environments, coarse but for the hardest, or s->given_up; all: what endings_allow_all allows. */
vouch_status endings_make_pairs(endings_state *s, const unsigned char all[]);

/* After endings_make_pairs: all policies, by bounds of the hardest environment and that of the others which regrets most under
 * the best policy known: often these two alone decide, and what they leave disputed is far less than what all do. *bound grows
 * to what is shown; *more: work that this took. */
vouch_status endings_explore_two(endings_state *s, const unsigned char all[], double *bound, long long *more);

/* The cutoff, of the target and the best policy known. */
void endings_set_cutoff(endings_state *s);
/* Has it taken too much? Then it gives up. */
bool endings_over(endings_state *s);
/* Notes the bound of what is cut off. */
void endings_cut(endings_state *s, double bound);

/* ---- endings_bound.c ---- */

/* What environment k loses at least by pairs, under allowed [options]. */
double endings_loss_by_pairs(endings_state *s, int k, const unsigned char allowed[]);
/* What is shown of what is allowed, as far as the cutoff. again: by the prices that were best last. */
double endings_bound(endings_state *s, const unsigned char allowed[], bool again);
/* Forbids what the hardest environment cannot afford where it comes, after endings_bound came to `bound`, and what follows from
 * that; *forbidden: how many options it could not afford. s->own is what it uses. false: no policy is left. */
bool endings_probe(endings_state *s, double bound, unsigned char allowed[], int *forbidden);
/* Adds to s->mass what the policy of the best price of environment k uses. */
void endings_trace_price(endings_state *s, int k, const unsigned char allowed[]);
/* Options allowed of first .. first + count. */
int endings_allowed_of(const unsigned char allowed[], int first, int count);
/* Does a choice of node n, of those allowed, not run? */
bool endings_decides(const endings_state *s, int n, const unsigned char allowed[]);

/* ---- endings_offer.c ---- */

/* Offers the policy that does what s->mass says is used most, which takes over the mass of endings. */
void endings_offer(endings_state *s, const unsigned char allowed[]);
/* Offers the best policy known with one ending exchanged, and what walks from it come by, until neither is better or too much is
 * taken, which is not giving up. */
void endings_exchange(endings_state *s);

#endif
