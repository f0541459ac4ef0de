/* lp/follow.h - copies of a program that begin, again and again, where the original stands: many solves from one optimum. */
#ifndef LP_FOLLOW_H
#define LP_FOLLOW_H

#include <vouch/lp.h>

/* After a solve of lp, whose basis may have been set since: factorises the basis unless factors are there and computes the vectors
 * that solves begin with, once for all copies. ERROR_MEMORY: the basis stays. */
vouch_status lp_make_ready(vouch_lp *lp);
/* copy, once cloned from lp (vouch_lp_clone), which has had the same rows and columns since, takes over bounds of columns, basis,
 * factors and all else that the next solve depends on: it gives the same result, to the last bit, whatever copy did before.
 * ERROR_MEMORY: copy may be freed or follow again, no more. */
vouch_status lp_follow(vouch_lp *copy, const vouch_lp *lp);
/* Exact work (confirm.h) that lp has spent; a copy begins with that of the original. */
long long lp_exact_work(const vouch_lp *lp);
void lp_count_exact_work(vouch_lp *lp, long long work); /* what copies have spent counts for lp as well */

#endif
