/* cli/report.h - what a running command says on standard error, and the flag that SIGINT sets. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdio.h>

#include "cli/cli.h"

/* Remembers -q and -v, looks whether standard error is a terminal, and takes over SIGINT: the first one sets the flag
 * of cli_limits, so that the search ends with what it has; the second one kills. Signals that kill remove temporary files first. */
void report_start(const cli_common *common);

/* From now on a file is read, and there is nothing yet to be told of it: SIGINT ends the program at once, by a message and status
 * CLI_INTERRUPTED, and so does the time limit .1 s and 5 % after it, by CLI_LIMIT. Temporary files are removed. NULL: it has been
 * read. */
void report_reading(const char *path);

/* The state of a running search. On a terminal one line, rewritten at most ten times a second; otherwise a plain line now
 * and then, the first after some seconds, so that short runs in scripts stay silent. Nothing with -q. */
void report_progress(const char *format, ...) VOUCH_PRINTF(1, 2);
/* The same, but at once. */
void report_news(const char *format, ...) VOUCH_PRINTF(1, 2);
/* Wipes the live line, if there is one, before something else is printed. */
void report_clear(void);
/* A line on standard error that is worth reading once; not with -q. */
void report_note(const char *format, ...) VOUCH_PRINTF(1, 2);

/* Errors always; lines of level INFO with -v, DETAIL with -v -v. */
vouch_log report_log(void);

bool report_interrupted(void);

/* From now on notes, logs and messages also go to the file of that name, which is closed at the end of the program; nonzero: it
 * cannot be opened. report_copied: that file, NULL: none. */
int report_copy(const char *path);
FILE *report_copied(void);

#endif
