/* cli/draw.h - what the pictures of policies share. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "io/file.h"

/* Lengths in pixels. A letter of the font is at most DRAW_LETTER wide. */
enum { DRAW_LETTER = 7, DRAW_LINE = 15, DRAW_MARGIN = 16, DRAW_HEAD = 28 };

/* Begins a white picture of that size in the font of the above. */
void draw_begin(text *t, double wide, double high);
/* Where words go: the first line's left end, the width of all lines, that of a letter; style: attributes, NULL: dark grey. */
typedef struct draw_block {
    double x, y, wide, letter;
    const char *style;
} draw_block;
#define DRAW_TITLE "font-size=\"14\""
/* Words in lines below each other, DRAW_LINE apart, broken at blanks. How many lines that takes. t NULL: nothing is drawn. */
int draw_words(text *t, const draw_block *block, const char *words);
/* Letters of s in UTF-8. */
size_t draw_letters(const char *s);
/* Shortens s to at most `most` letters (at least 2), two dots in the place of what is left out: of names of variables first, so
 * that values stay, then of the end, but for a number there. */
void draw_shorten(char *s, size_t most);
/* The same of actions, whose probabilities are rounded to two digits before anything is left out. */
void draw_shorten_action(char *s, size_t most);

#endif
