/* base/clock.c - see clock.h. */
#include "base/clock.h"

#include <time.h>

#include "base/check.h"
#include "base/memory.h"

static const double LEAST_SECONDS = 1e-3; /* 0 would be no limit */
static const long long WORK_PER_LOOK = 100000;

static const double JUMP = 1e6;
static atomic_long reads, jump_at = -1; /* reads since clock_jump_after; number of correct ones, negative: all */

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    long at = atomic_load_explicit(&jump_at, memory_order_relaxed);
    return at >= 0 && atomic_fetch_add(&reads, 1) >= at ? seconds + JUMP : seconds;
}

void clock_jump_after(long correct)
{
    atomic_store(&reads, 0);
    atomic_store(&jump_at, correct);
}

deadline deadline_start(const vouch_limits *limits)
{
    deadline d = {.start = clock_seconds(), .limits = *limits};
    return d;
}

bool deadline_interrupted(const deadline *d)
{
    return (d->limits.interrupt && *d->limits.interrupt) ||
           (d->given_up && atomic_load_explicit(d->given_up, memory_order_relaxed));
}

bool deadline_out_of_time(const deadline *d) { return d->limits.seconds > 0 && clock_seconds() - d->start >= d->limits.seconds; }

bool deadline_expired(const deadline *d) { return deadline_interrupted(d) || mem_scarce() || deadline_out_of_time(d); }

bool clock_late(work_clock *c, long long work)
{
    c->work += work;
    if (!c->limit || c->work < c->next) return false;
    c->next = c->work + WORK_PER_LOOK;
    return deadline_expired(c->limit);
}

deadline deadline_share(const deadline *d, double share)
{
    CHECK(share > 0 && share <= 1);
    deadline part = *d;
    part.limits.seconds *= share;
    return part;
}

vouch_limits deadline_left(const deadline *d)
{
    vouch_limits left = d->limits;
    if (left.seconds > 0) {
        left.seconds -= clock_seconds() - d->start;
        if (left.seconds < LEAST_SECONDS) left.seconds = LEAST_SECONDS;
    }
    return left;
}

vouch_limits deadline_time_left(const deadline *d)
{
    if (!d) return (vouch_limits){0};
    vouch_limits left = deadline_left(d);
    return (vouch_limits){.seconds = left.seconds, .interrupt = left.interrupt};
}

static long long left_of(long long limit, long long used)
{
    if (limit <= 0) return 0;
    return used < limit ? limit - used : -1;
}

long long deadline_nodes_left(const deadline *d, long long more) { return left_of(d->limits.nodes, d->nodes + more); }

long long deadline_iterations_left(const deadline *d, long long more)
{
    return left_of(d->limits.iterations, d->iterations + more);
}

bool deadline_used_up(const deadline *d) { return deadline_nodes_left(d, 0) < 0 || deadline_iterations_left(d, 0) < 0; }

void deadline_use(deadline *d, long long nodes, long long iterations)
{
    d->nodes += nodes;
    d->iterations += iterations;
}

static long long part_of(long long left, long long most)
{
    if (left < 0) return 1;
    return most > 0 && (left == 0 || most < left) ? most : left;
}

deadline deadline_part(const deadline *d, long long nodes, long long iterations)
{
    deadline part = *d;
    part.limits.nodes = part_of(deadline_nodes_left(d, 0), nodes);
    part.limits.iterations = part_of(deadline_iterations_left(d, 0), iterations);
    part.nodes = part.iterations = 0;
    return part;
}
