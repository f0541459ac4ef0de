/* know/pairs_net.h - the steps of making a net of pairs (know/pairs.h), for those that lay one out: know/pairs_net.c,
 * know/outcomes.c. */
#ifndef KNOW_PAIRS_NET_H
#define KNOW_PAIRS_NET_H

#include "know/pairs.h"

/* The arrays of items, slots and arcs, once these are counted. */
void pairs_make_arrays(know_pairs *p);
/* What the sets need, once the arrays are filled. */
void pairs_make_sets(know_pairs *p, int T);
/* Hands p over; frees it, and *out is NULL, where memory did not do. */
vouch_status pairs_finish(know_pairs *p, know_pairs **out);

#endif
