/* link/group.h - processes that were started together, on one machine or several (link/mpi.c; in a program without MPI,
 * link/alone.c, there are none).
 *
 * All run the same command. The first one decides, reads and writes; the others, its workers, come to the same places of the
 * program and serve there: in what follows a *session* is such a place, a search or a sweep, and the n-th of one process is
 * the n-th of all. `kind` says what it is, so that processes which have come apart (a file that only some can read, a limit of
 * seconds) are found out: a worker whose kind is another one is sent away, and its tasks are worked out by the rest.
 */
#ifndef LINK_GROUP_H
#define LINK_GROUP_H

#include "link/transport.h"

/* Is this a program with MPI? Even alone it writes what it would write in company. */
bool group_possible(void);
void group_start(int *argc, char ***argv);
/* Waits until all have come here. */
void group_end(void);

/* Workers beside the first process; 0: it is alone, or this is a worker. */
int group_workers(void);
bool group_is_worker(void);

/* What the first process has found out for all, such as what is in a file: a question, whose answer is the same from then on and to
 * the end. It goes to every worker by a broadcast, which waits until they have time for it: for what is asked before a session. */
void group_tell(const char *question, const char *answer, size_t length);
/* The answer. The first process: what it has told before. A worker waits until it is told. NULL: it has not been told, and for a
 * worker will not be. */
const char *group_told(const char *question, size_t *length);

/* The first process: begins the session. NULL: memory. */
transport *group_connect(uint64_t kind);
/* Ends it, whether it was begun or not: what workers are to know of it. */
void group_finish(uint64_t kind, const message *last);

/* A worker: works tasks out until the session has ended. ERROR_IO: it was sent away. */
vouch_status group_serve(uint64_t kind, const task_work *work, message *last);

#endif
