/* base/check.h - contracts that run.
 *
 * CHECK(condition) states what a function requires, ensures or keeps invariant; CHECK_COMPARE(a, <=, b) prints both values when it
 * fails. Both are for what cannot happen whatever the input is; what a caller or a file can get wrong is an error with a message.
 * They cost nothing in the release build; the tests run with them (-DVOUCH_DEBUG), and so does everything under the sanitizers.
 * Checkers too dear for that, such as a look at every entry of a scratch array, stand between #ifdef VOUCH_DEBUG lines in
 * functions named .._check.
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#ifdef VOUCH_DEBUG

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                                           \
    ((condition) ? (void)0                                                                                                         \
                 : (fprintf(stderr, "%s:%d: %s: contract broken: %s\n", __FILE__, __LINE__, __func__, #condition), abort()))

/* Numbers only; both sides are evaluated twice. NaN on either side fails. */
#define CHECK_COMPARE(a, relation, b)                                                                                              \
    (((a)relation(b)) ? (void)0                                                                                                    \
                      : (fprintf(stderr, "%s:%d: %s: contract broken: %s %s %s, but %.17g and %.17g\n", __FILE__, __LINE__,        \
                                 __func__, #a, #relation, #b, (double)(a), (double)(b)),                                           \
                         abort()))

#else

/* Never evaluated, yet seen by the compiler: what only a contract mentions is not unused. */
#define CHECK(condition)              ((void)(0 && (condition)))
#define CHECK_COMPARE(a, relation, b) ((void)(0 && ((a)relation(b))))

#endif
#endif
