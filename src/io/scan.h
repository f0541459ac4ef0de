/* io/scan.h - pieces of text as (start, length), for the readers of problem files. */
#ifndef IO_SCAN_H
#define IO_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct span {
    const char *at;
    size_t length;
} span;

/* For printf's %.*s: at most 60 bytes, so that no message is swamped by a name. */
#define SPAN_ARG(s) (int)((s).length < 60 ? (s).length : 60), (s).at

bool span_is(span s, const char *word);      /* byte by byte */
bool span_is_word(span s, const char *word); /* ASCII letters in either case; word is in lower case */
span span_trim(span s);                      /* without blanks, TABs and CRs at both ends */
/* The line at *at, without its end, which *at steps over; false: *at is at the end. */
bool span_line(const char **at, const char *end, span *line);
/* Splits at blanks and TABs into at most `most` pieces; the number of pieces there are, which may be most + 1 for "more". */
int span_split(span s, span piece[], int most);
/* The whole of s as a decimal number, Fortran's D exponents included, or "inf" / "infinity" with a sign. Not NaN. */
bool span_number(span s, double *value);

#endif
