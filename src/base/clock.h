/* base/clock.h - monotonic time, and limits counted from a start. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <vouch/status.h>

/* Seconds of the monotonic clock. */
double clock_seconds(void);
/* Tests: after `reads` more reads, by all threads, the clock is a million seconds ahead. Negative: never. */
void clock_jump_after(long reads);

/* The budget of a solve: its limits, and what it has used of them. Nested solves share one by pointer, or get a part. */
typedef struct deadline {
    double start;
    vouch_limits limits;
    long long nodes, iterations; /* used */
    const atomic_bool *given_up; /* cancels work on another thread (base/pool.h); or NULL */
} deadline;

deadline deadline_start(const vouch_limits *limits);
bool deadline_interrupted(const deadline *d);
bool deadline_out_of_time(const deadline *d); /* reads the clock */
/* Either of the two, or memory is scarce (base/memory.h): the test for inner loops. */
bool deadline_expired(const deadline *d);
/* Tests a limit (NULL: none) at intervals, for loops with steps shorter than a read of the clock. Other fields start as 0. */
typedef struct work_clock {
    const deadline *limit;
    long long work, next; /* work done, in units of some nanoseconds; work at the next test */
} work_clock;
/* True if the limit has passed, after `work` more units. */
bool clock_late(work_clock *c, long long work);
/* The limits with a share of the seconds, counted from the start. */
deadline deadline_share(const deadline *d, double share);
/* Remaining nodes, iterations after `more` of them; 0: unlimited, -1: exhausted. */
long long deadline_nodes_left(const deadline *d, long long more);
long long deadline_iterations_left(const deadline *d, long long more);
/* Is the limit on nodes or iterations reached? */
bool deadline_used_up(const deadline *d);
void deadline_use(deadline *d, long long nodes, long long iterations);
/* A budget of the remaining nodes and iterations, of each at most this number (0: all), and at least 1 if limited. */
deadline deadline_part(const deadline *d, long long nodes, long long iterations);
/* Limits for a nested call: the remaining seconds, at least 1e-3 if limited. */
vouch_limits deadline_left(const deadline *d);
/* Remaining seconds and interrupt only, for a nested solve whose work is not counted. NULL: no limits. */
vouch_limits deadline_time_left(const deadline *d);

#endif
