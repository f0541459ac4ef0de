/* lp/follow.h - copies of a program that solve repeatedly from one state of the original, and the work on exact confirmation. */
#ifndef LP_FOLLOW_H
#define LP_FOLLOW_H

#include <vouch/lp.h>

/* After a solve of lp, whose basis may have been set since: factorises the basis if needed and computes the vectors at the start of
 * a solve, once for all copies. ERROR_MEMORY: the basis remains. */
vouch_status lp_make_ready(vouch_lp *lp);
/* copy, a clone of lp with the same rows and columns, gets its bounds of columns, basis, factors and all other state of a solve: it
 * gives the same result to the last bit, independently of its own past. ERROR_MEMORY: copy may be freed or follow again. */
vouch_status lp_follow(vouch_lp *copy, const vouch_lp *lp);
/* Exact work spent on lp; a copy starts with that of the original. */
long long lp_exact_work(const vouch_lp *lp);
void lp_count_exact_work(vouch_lp *lp, long long work); /* adds the work of copies */

/* For callers that solve thousands of programs and accept the tolerances of the certificate: after `work` (exact/exact.h; default
 * EXACT_WORK_CONFIRM_ALL) only claims that doubles leave open are settled exactly. The numbers of lp count as computed: a
 * contradiction smaller than rounding proves nothing, however few digits they have. */
void lp_limit_confirmation(vouch_lp *lp, long long work);

#endif
