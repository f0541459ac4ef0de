/* cli/plot.h - plots of lines as SVG, one or several below each other. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "io/file.h"

typedef struct plot_line {
    const char *name;
    int count;
    const double *x, *y; /* [count], finite, x ascending */
    const double
        *bound; /* [count] what is proved of y from below, or NULL: all is proved. Where it is less the mark is hollow and a
                            band goes down to it */
} plot_line;

typedef struct plot {
    const char *x_label, *y_label;
    const plot_line *line;
    int lines;
} plot;

/* Axes with round ticks, whole ones where all abscissas are whole, and a legend where there is more than one line or a hollow mark.
 * Appends a whole SVG document. */
void plot_svg(text *t, const char *title, const plot panel[], int panels);

#endif
