/* link/journal.h - merged answers of tasks, in a file that only grows.
 *
 * A journal is a head, which identifies the run, and a frame (link/transport.h) for each answer: checksum, key of the task, answer.
 * An answer depends on task and session alone, so a resumed run may use any stored answers. Damaged records are detected by their
 * sums and ignored. Answers are synced at least once a second. After a failed write the run continues without the journal and logs
 * an error.
 */
#ifndef LINK_JOURNAL_H
#define LINK_JOURNAL_H

#include <vouch/journal.h>

#include "link/message.h"

/* Identifies the task of an answer. */
typedef struct journal_key {
    uint64_t task, session; /* sums of the task's bytes, the second one starting from the session */
} journal_key;

/* The next session of the run: a search or a part of it, in which equal tasks have equal answers. */
uint64_t journal_session(vouch_journal *j, uint64_t kind);
journal_key journal_key_of(uint64_t session, const message *task);
/* Finds the answer of a task among the records present at the beginning. */
bool journal_find(vouch_journal *j, const journal_key *key, message *answer);
/* Writes an answer that the journal does not have. */
void journal_keep(vouch_journal *j, const journal_key *key, const message *answer);

#endif
