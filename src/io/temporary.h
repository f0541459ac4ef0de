/* io/temporary.h - temporary files and directories beside the path they are for; for output.c.
 *
 * Their names stand in an array that a signal handler may read at any moment, in any thread: an entry belongs to whoever
 * exchanges it for NULL.
 */
#ifndef IO_TEMPORARY_H
#define IO_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes an empty temporary file or directory beside path; *slot is its place in the array. -1 with errno set. */
int temporary_make(const char *path, bool directory, int *slot);
/* Removes it, and *slot becomes -1 (where it may be already). */
void temporary_remove(int *slot);
const char *temporary_name(int slot);
/* Takes over name. -1: no slot is free. */
int temporary_take(char *name);
/* The name is the caller's again; NULL if a signal handler has it. */
char *temporary_give(int slot);
/* "DIRECTORY OF PATH/name"; NULL: memory. */
char *temporary_beside(const char *path, const char *name);
/* Removes all of them; for signal handlers. */
void temporary_discard(void);
/* A mode less the bits of umask. */
mode_t temporary_mode(mode_t mode);

#endif
