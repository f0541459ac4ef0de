/* draw/draw.h - pieces of pictures and pages. */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include "io/file.h"

/* Append s with <, >, & and " as entities; for a quoted string of Graphviz. Control characters and invalid UTF-8 are replaced. */
void xml_add(text *t, const char *s);
void dot_add(text *t, const char *s);

/* Lengths in pixels. A letter of the font is at most DRAW_LETTER wide. */
enum { DRAW_LETTER = 7, DRAW_LINE = 15, DRAW_MARGIN = 16, DRAW_HEAD = 28 };

void draw_begin(text *t, double wide, double high); /* a white picture of that size */
/* A block of text: left end and baseline of its first line, width of the lines and of a letter; style: attributes, NULL: dark
 * grey. */
typedef struct draw_block {
    double x, y, wide, letter;
    const char *style;
} draw_block;
#define DRAW_WEIGHS "w: likelihood of the observations in each environment, scaled to a largest value of 1"
#define DRAW_TITLE  "font-size=\"14\""
/* Draws words in lines, DRAW_LINE apart, broken at blanks. Returns the number of lines. t NULL: nothing is drawn. */
int draw_words(text *t, const draw_block *block, const char *words);
size_t draw_letters(const char *s); /* in UTF-8 */
/* Shortens s to at most `most` letters (at least 2) with two dots in place of the omitted ones: first inside names of variables,
 * then at the end, except a final number. */
void draw_shorten(char *s, size_t most);
/* The same for actions, whose probabilities are first rounded to two digits. */
void draw_shorten_action(char *s, size_t most);

#endif
