/* base/clock.h - monotonic time, and limits counted from a start. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <vouch/status.h>

/* Seconds of the monotonic clock. */
double clock_seconds(void);
/* For tests: so many more looks at the clock, of all threads, are right; then it is a million seconds ahead, and every time limit
 * that began before has passed. Negative: all are right again. */
void clock_jump_after(long right);

/* limits with the moment from which its seconds count; pass a pointer down, so that nested solves share it. */
typedef struct deadline {
    double start;
    vouch_limits limits;
    const atomic_bool *given_up; /* of work aside (base/aside.h) that is not wanted any more, which is interrupted; NULL */
} deadline;

deadline deadline_start(const vouch_limits *limits);
bool deadline_interrupted(const deadline *d);
bool deadline_out_of_time(const deadline *d); /* seconds used up; reads the clock */
/* Either of the two, or memory is scarce (base/memory.h): the one question an inner loop asks. */
bool deadline_expired(const deadline *d);
/* Asks a limit only now and then: for loops whose steps are shorter than a look at the clock. Zeroed but for the limit, which may
 * be NULL: no limit. */
typedef struct work_clock {
    const deadline *limit;
    long long work, next; /* done so far, in steps of some nanoseconds; when the limit is asked again */
} work_clock;
/* Has the limit passed, after so much more work? */
bool clock_late(work_clock *c, long long work);
/* The limits with only a share of the seconds there are, counted from the start. */
deadline deadline_share(const deadline *d, double share);
/* Of the iterations allowed what is left after `done` of them: 0: no limit; none left: -1. */
long long deadline_iterations_left(const deadline *d, long long done);
/* The same limits for a nested call, seconds reduced to what is left (at least 1e-3 when limited). */
vouch_limits deadline_left(const deadline *d);
/* What is left of the seconds, and the interrupt, for a nested solve whose work is not what the limits count. NULL: no limits. */
vouch_limits deadline_time_left(const deadline *d);

#endif
