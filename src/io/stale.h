/* io/stale.h - temporary files whose process was killed before it could remove them.
 *
 * The name of a temporary file says whose it is: "vouch.tmp.", the machine, the process, when that began, and six letters. Who
 * writes into a directory removes what dead processes of this machine and user have left there; what it cannot be sure of stays.
 */
#ifndef IO_STALE_H
#define IO_STALE_H

enum { STALE_NAME = 96 };

/* A pattern for mkstemp: the name without a directory. */
void stale_pattern(char name[STALE_NAME]);
/* Sweeps a directory. Does nothing where it cannot be read, or was swept last. */
void stale_sweep(const char *path);

#endif
