/* vouch/journal.h - long runs that can be taken up again
 *
 * The answers of a run's tasks (nodes of a search, cells of a sweep, plans of a CCIL) are written to a file as they are merged. A
 * run of the same input and options that is given the file uses all records that are whole and ends with the same answer.
 */
#ifndef VOUCH_JOURNAL_H
#define VOUCH_JOURNAL_H

#include <vouch/status.h>

VOUCH_C_BEGIN

typedef struct vouch_journal vouch_journal;

typedef struct vouch_journal_options {
    const char *mark; /* fingerprint of the run, at most 63 characters: a journal of another run is refused */
    int resume;       /* 1: continue an existing file; 0: begin in an empty or new file */
    vouch_log log;    /* damage and failed writes are logged at level ERROR */
} vouch_journal_options;

/* Opens or makes the file. Errors: IO (also: another run is writing it), MEMORY, INPUT (not a journal, the journal of another run,
 * or a file that exists although `resume` is 0). A refused file is left as it is. */
VOUCH_API vouch_status vouch_journal_open(vouch_journal **journal, const char *path, const vouch_journal_options *options,
                                          vouch_error *error);
VOUCH_API void vouch_journal_free(vouch_journal *journal); /* NULL is fine */
/* Records found when it was opened. */
VOUCH_API long long vouch_journal_records(const vouch_journal *journal);
/* Is this file a journal, damaged or not? */
VOUCH_API int vouch_journal_is(const char *path);

VOUCH_C_END
#endif
