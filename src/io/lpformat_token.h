/* io/lpformat_token.h - the words of the CPLEX LP format, one at a time.
 *
 * A number is the longest decimal; a name is a run of the letters the format allows, brackets inside it included, not starting with
 * a digit, a period or what reads as an exponent. A keyword counts only at the start of a line, and the rest of the line may show
 * that it is a row's or column's name instead: see lpformat_token.c.
 */
#ifndef IO_LPFORMAT_TOKEN_H
#define IO_LPFORMAT_TOKEN_H

#include <vouch/lp_io.h>

#include "io/escape.h"
#include "io/names.h"
#include "io/scan.h"

typedef enum token {
    T_END_OF_FILE,
    T_NUMBER,
    T_NAME,
    T_PLUS,
    T_MINUS,
    T_LESS,
    T_GREATER,
    T_EQUAL,
    T_COLON,
    T_COLONS,
    T_ARROW,
    /* section keywords from here on */
    T_MIN,
    T_MAX,
    T_SUBJECT,
    T_BOUNDS,
    T_GENERALS,
    T_BINARIES,
    T_SEMI,
    T_SOS,
    T_GUROBI, /* sections of its own */
    T_END,
    T_OTHER
} token;

typedef struct lpformat_scanner {
    const char *file;
    const char *begin, *at, *end;
    long line, token_line;
    bool line_start;    /* nothing but blanks before at in its line */
    bool first_token;   /* of the token now: the first in its line */
    token section;      /* the last keyword, T_OTHER before the first */
    size_t indent;      /* blanks before the first keyword */
    const names *known; /* columns until now */
    token now;
    span text; /* of the token now */
    double number;
    escape *e;
} lpformat_scanner;

enum { LPFORMAT_NAME = 255 }; /* longest name */
/* Can this be the name of a row or column in the format? */
bool lpformat_usable(const char *name);
/* Goes to the next token. Escapes if it is none, or is not supported. */
void lpformat_advance(lpformat_scanner *in);
/* Escapes with file and line of the token now before the text. */
#define lpformat_fail(in, ...) escape_at((in)->e, (in)->file, (in)->token_line, __VA_ARGS__)

#endif
