/* cli/plot.h - plots of lines as SVG: every picture of numbers is drawn here, alone or inside a page (cli/page.h). */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <stdbool.h>

#include "io/file.h"

/* What is known between a point and the one before it. */
typedef struct plot_gap {
    bool joined;         /* a line leads from there to here */
    int corners;         /* of the band in which the line must lie; 0: nothing is known */
    const double *x, *y; /* [corners] */
} plot_gap;

typedef struct plot_line {
    const char *name;
    int count;
    const double *x, *y; /* [count], x finite and ascending; y NAN: no point */
    const double *bound; /* [count] what is proved of y from below, or NULL: all is proved. Where it is less the mark is hollow and
                            a band goes down to it */
    const plot_gap *gap; /* [count], the first of no meaning; NULL: points are joined by lines */
    const double *error; /* [count] half lengths of intervals, or NULL */
} plot_line;

typedef struct plot {
    const char *x_label, *y_label;
    const plot_line *line;
    int lines;
} plot;

/* Axes with round ticks, whole ones where all abscissas are whole, and a legend where there is more than one line or a hollow mark;
 * panels below each other. Appends a whole SVG document. */
void plot_svg(text *t, const char *title, const plot panel[], int panels);
/* The same of one plot inside a page, as wide as that, without title and legend; its colours are those of the classes s0, s1, .. of
 * the page. */
void plot_inline(text *t, const char *title, const plot *p);
/* How line number i is drawn, for a legend. */
void plot_sample(text *t, int i);

#endif
