/* cli/mistyped.h - options that were not typed as they are called, and which were meant. */
#ifndef CLI_MISTYPED_H
#define CLI_MISTYPED_H

#include "cli/cli.h"
#include "io/file.h"

/* Appends what is wrong with the option before argv[optind], which getopt_long has refused: that its value is missing, or that
 * there is no such option, and the nearest. all: [count], the options that there are. */
void mistyped_option(bool valueless, char **argv, const cli_option *const all[], int count, text *said);
/* Is a word like -L2 no option with its value, but -name or -L=2? Appends what was meant. */
bool mistyped_letter(const char *word, const cli_option *o, const cli_option *const all[], int count, text *said);

#endif
