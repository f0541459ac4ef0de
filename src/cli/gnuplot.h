/* cli/gnuplot.h - pictures by the program gnuplot, where it is installed. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

/* 0, or CLI_WRONG after a message when gnuplot is not installed. */
int gnuplot_check(void);
/* Draws into path (SVG), whole or not at all. data: blocks "$name << EOD"; plot: the plot command. 0, or CLI_WRONG after a message. */
int gnuplot_svg(const char *path, const char *x, const char *y, const char *data, const char *plot);

#endif
