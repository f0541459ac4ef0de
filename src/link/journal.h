/* link/journal.h - answers of tasks as they were merged, in a file that only grows.
 *
 * A journal is a head, which names the run, and one frame (link/frame.h) for each answer: the sum of the head, the key of the task
 * and the answer's bytes. The answer of a task depends on the task and its session alone, so that a run that is begun again finds
 * every answer that was kept, in whatever order and whichever others are missing. Damaged records are found by their sums; all
 * others count. Answers are written as they are merged and synced at least once a second. Where nothing more can be written the run
 * goes on without, and the log says so.
 */
#ifndef LINK_JOURNAL_H
#define LINK_JOURNAL_H

#include <stdbool.h>
#include <vouch/journal.h>

#include "link/message.h"

/* Which task an answer is of. */
typedef struct journal_key {
    uint64_t task, session; /* sums of the task's bytes, the second one beginning with the session */
} journal_key;

/* The next session of the run: a search or a part of it, whose tasks have equal answers if they have equal bytes. */
uint64_t journal_session(vouch_journal *j, uint64_t kind);
journal_key journal_key_of(uint64_t session, const message *task);
/* Has the journal had the answer of this task since it was opened? */
bool journal_find(vouch_journal *j, const journal_key *key, message *answer);
/* Writes an answer that the journal does not have. */
void journal_keep(vouch_journal *j, const journal_key *key, const message *answer);

#endif
