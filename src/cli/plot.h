/* cli/plot.h - line plots as SVG. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "io/file.h"

typedef struct plot_line {
    const char *name;
    int count;
    const double *x, *y; /* [count], finite, x ascending */
} plot_line;

/* Axes with round ticks, a legend when there are several lines. Appends a whole SVG document. */
void plot_svg(text *t, const char *title, const char *x_label, const char *y_label, const plot_line *line, int lines);

#endif
