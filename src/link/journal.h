/* link/journal.h - answers of tasks as they were merged, in a file that only grows.
 *
 * A journal is a head, which names what the run is, and one frame (link/frame.h) for each answer: its number, and in the content
 * the sum of the task and the answer's bytes. A run is determined by its input and by the answers of its tasks, so that a run that
 * is begun again and is given the answers of the journal is soon where it was. What is damaged, or cut off, is found by its sum;
 * the good records before it count, and the rest is cut off. Answers are written as they are merged and synced at least once a
 * second. Where nothing more can be written the run goes on without, and the log says so.
 */
#ifndef LINK_JOURNAL_H
#define LINK_JOURNAL_H

#include <stdbool.h>
#include <vouch/journal.h>

#include "link/message.h"

/* The answer of the next task given out, if the journal has it; task: the task's sum. Where another task stands, the rest of the
 * journal is of another run, and is dropped. */
bool journal_find(vouch_journal *j, uint64_t task, message *answer);
/* Writes the answer of the next task merged, unless it has come from the journal. */
void journal_keep(vouch_journal *j, uint64_t task, const message *answer);

#endif
