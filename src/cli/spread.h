/* cli/spread.h - the options of commands whose work can be spread over processes, and taken up again from a journal. */
#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include <vouch/journal.h>

#include "cli/cli.h"
#include "cli/fingerprint.h"

typedef struct spread_args {
    int workers;
    const char *journal, *resume;
} spread_args;

/* The lines of an option table for a struct `type` with a field `spread`. */
#define SPREAD_OPTIONS(type)                                                                                                       \
    CLI_OPTION(CLI_INT, 0, "workers", "N", offsetof(type, spread.workers), "0", 0, 1024,                                           \
               .help = "processes that share the work; output is identical for every N and omits running times"),                  \
        CLI_OPTION(CLI_TEXT, 0, "journal", "F", offsetof(type, spread.journal), NULL,                                              \
                   .help = "record finished work in F, a new file; --resume F continues from it")
#define RESUME_OPTION(type)                                                                                                        \
    CLI_OPTION(CLI_TEXT, 0, "resume", "F", offsetof(type, spread.resume), NULL,                                                    \
               .help = "continue from the journal F of a stopped run; without F begin one")

/* Is the run one of several that have to end with the same bytes? Then what was measured, times, is left out. */
bool spread_asked(const spread_args *args);
/* For the options of the library: in a group the number says only that work is shared. */
int spread_workers(const spread_args *args);
/* In a group the first process reads, and tells the others. Before anything is read. */
void spread_files(void);
/* Adds what makes a run of this command: version, seed, the model and how it is read. */
vouch_status spread_mark(fingerprint *f, const cli_common *common, const model_args *args, const char *path, vouch_error *error);
/* Opens the journal that is asked for, to go on from it or to begin it; NULL in *journal: none is. mark: what the run is. 0, or the
 * exit status after a message. */
int spread_open(const spread_args *args, const char *mark, vouch_journal **journal);

#endif
