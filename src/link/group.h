/* link/group.h - processes started together, on one machine or several (link/mpi.c; without MPI none, link/alone.c).
 *
 * All run the same command. The first one decides, reads and writes. The others, its workers, serve it in *sessions* (a search or a
 * sweep); the n-th session of one process is the n-th of all. `kind` identifies it: a worker of another kind, which has diverged (a
 * file readable on one machine only, a limit of seconds), is sent away, and the rest compute its tasks.
 */
#ifndef LINK_GROUP_H
#define LINK_GROUP_H

#include "link/transport.h"

/* Is this a program with MPI? Its output is the same with and without workers. */
bool group_possible(void);
void group_start(int *argc, char ***argv);
/* Waits for all processes. */
void group_end(void);

/* Workers of the first process; 0: none, or this is a worker. */
int group_workers(void);
bool group_is_worker(void);

/* The first process broadcasts an answer, such as the content of a file, which never changes. It waits until all workers receive
 * it, so it is meant for questions before a session. */
void group_tell(const char *question, const char *answer, size_t length);
/* The answer, for which a worker waits. NULL: none, for a worker also in the future. */
const char *group_told(const char *question, size_t *length);

/* The first process: begins the session. NULL: memory. */
transport *group_connect(uint64_t kind);
/* Ends the session, begun or not, with a last message to the workers. */
void group_finish(uint64_t kind, const message *last);

/* A worker: computes tasks until the session ends. ERROR_IO: it was sent away. */
vouch_status group_serve(uint64_t kind, const task_work *work, message *last);

#endif
