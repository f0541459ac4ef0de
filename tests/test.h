/* tests/test.h - cmocka in the order it wants, and a group runner that asserts no block is left. */
#ifndef TEST_H
#define TEST_H

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <stdbool.h>

#include "base/memory.h"

/* A group that leaks blocks has failed, even if its tests passed (cmocka's own teardown would still exit with 0). */
static inline int no_block_left(int failed)
{
    if (mem_live() == 0) return failed;
    printf("[  FAILED  ] no_block_left\n");
    fprintf(stderr, "%ld blocks left\n", mem_live());
    return failed + 1;
}

/* The locale that a host would have set (tests/cli_locale.sh). */
__attribute__((constructor)) static void host_locale(void)
{
    const char *name = getenv("VOUCH_TEST_LOCALE");
    if (!name || setlocale(LC_ALL, name)) return;
    fprintf(stderr, "no locale %s\n", name);
    exit(1);
}

#undef run_tests /* cmocka has an old macro of that name */
#define run_tests(tests) no_block_left(cmocka_run_group_tests(tests, NULL, NULL))

/* Sizes of random tests: `normal`, or the environment variable when set. */
static inline int test_count(const char *variable, int normal)
{
    const char *given = getenv(variable);
    return given ? atoi(given) : normal;
}

/* What takes long: make check takes a part of it, make check-long (VOUCH_LONG=1) all. */
static inline int test_part(int part, int all) { return getenv("VOUCH_LONG") ? all : part; }

/* The same of the longest ones: under a sanitizer, which sees no more in many samples than in some, a quarter. */
static inline int test_share(const char *variable, int normal)
{
#ifdef __SANITIZE_ADDRESS__
    normal = (normal + 3) / 4;
#endif
    return test_count(variable, normal);
}

/* |a - b| <= tolerance, both printed when not; NaN fails. */
#define assert_near(a, b, tolerance)                                                                                               \
    do {                                                                                                                           \
        double near_a = (a), near_b = (b), near_t = (tolerance);                                                                   \
        if (!(fabs(near_a - near_b) <= near_t))                                                                                    \
            fail_msg("%s = %.17g, %s = %.17g, apart by %.3g > %.3g", #a, near_a, #b, near_b, fabs(near_a - near_b), near_t);       \
    } while (0)

/* A call again and again with memory that runs out: after k allocations for good, for each k until it works, then for one of them
 * alone. make check leaves out more of them the larger k is. */
typedef struct sweep {
    long k, all;
} sweep;

static inline void sweep_refuse(const sweep *w)
{
    if (w->all)
        mem_fail_once(w->k);
    else
        mem_fail_after(w->k);
}

/* After each call. True: that was the last. */
static inline bool sweep_ends(sweep *w, bool works)
{
    mem_fail_after(-1);
    long step = test_part(1 + (int)(w->k / 32), 1);
    if (works && !w->all) {
        w->all = w->k;
        w->k = 0;
        return w->all == 0;
    }
    w->k += step;
    return w->all && w->k >= w->all;
}

#endif
