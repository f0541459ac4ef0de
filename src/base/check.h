/* base/check.h - assertions: preconditions, postconditions and invariants.
 *
 * CHECK_COMPARE(a, <=, b) prints both values on failure. Assertions are for programming errors only; invalid input is an error with
 * a message. They are active with -DVOUCH_DEBUG (tests, sanitizers) and cost nothing otherwise. Loops that only check are in
 * functions named .._check, which begin with `if (!CHECKING) return;`.
 */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#ifdef VOUCH_DEBUG

#include <stdio.h>
#include <stdlib.h>

#define CHECKING 1

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

#define CHECKING                      0
/* Never evaluated, but compiled, so that variables used only here cause no warning. */
#define CHECK(condition)              ((void)(0 && (condition)))
#define CHECK_COMPARE(a, relation, b) ((void)(0 && ((a)relation(b))))

#endif
#endif
