/* check/line.h - the words of a proof, line by line, plain or gzip. */
#ifndef CHECK_LINE_H
#define CHECK_LINE_H

#include "check/check.h"

typedef struct check_lines {
    void *file; /* of zlib */
    char *text; /* the line */
    size_t room;
    char *rest; /* of it */
    long number;
} check_lines;

void lines_open(check_lines *l, const char *path);
void lines_close(check_lines *l);
/* The next line; false: there is none. */
bool lines_next(check_lines *l);

/* The next word of the line; refuted, or NULL, where there is none. */
char *line_word(check_lines *l);
char *line_more(check_lines *l);
void line_end(check_lines *l);
int line_int(const char *word, int least, int most);
void line_number(const char *word, mpq_t x);
/* The next word as a number. */
int line_next_int(check_lines *l, int least, int most);
/* Reads  k=number ..  up to ";" or the end of the line into x [K]; what is not named is 0. Negative numbers are refuted. */
void line_numbers(check_lines *l, int K, mpq_t x[]);

/* A whole file, decompressed where need be, and a zero byte behind it. */
char *file_bytes(const char *path, size_t *length);

#endif
