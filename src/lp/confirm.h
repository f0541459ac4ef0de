/* lp/confirm.h - how much exact work a program may take to confirm what doubles say of it. */
#ifndef LP_CONFIRM_H
#define LP_CONFIRM_H

#include <vouch/lp.h>

/* For who solves thousands of programs and lives with the tolerances of the certificate: of all later solves of lp only claims that
 * doubles leave open are settled exactly once `work` (exact/exact.h) is spent. Default: EXACT_WORK_CONFIRM_ALL. Its numbers count
 * as computed: a contradiction smaller than rounding proves nothing, as few digits as they may have. */
void lp_limit_confirmation(vouch_lp *lp, long long work);

#endif
