/* oracle/lptext.h - problems from text, and the comparison of two problems, for the tests of readers and
 * writers. */
#ifndef ORACLE_LPTEXT_H
#define ORACLE_LPTEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <vouch/lp_io.h>

/* Reads text as a file called name; fails the test with the message when it does not parse. */
vouch_lp *lptext_read(const char *text, const char *name);
/* Asserts that text is refused with exactly this message. */
void lptext_refused(const char *text, vouch_lp_format format, const char *message);
/* Asserts that both problems are the same to the last bit: sizes, entries, bounds, costs, sense, integrality,
 * sets; and the names if asked. */
void lptext_same(const vouch_lp *a, const vouch_lp *b, bool names);
/* A random problem with every kind of row and column. Free it with vouch_lp_free. */
vouch_lp *lptext_random(uint64_t seed);

#endif
