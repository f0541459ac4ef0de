/* io/output.h - files that appear whole or not at all.
 *
 * The bytes go into a temporary file in the same directory, which is synced and replaces the file by rename(2). Symbolic links are
 * followed, so that the file they name is replaced and not the link. Devices, pipes and /dev/stdout are written in place.
 */
#ifndef IO_OUTPUT_H
#define IO_OUTPUT_H

#include <stddef.h>
#include <vouch/status.h>

#include "io/file.h"

/* Checks before the work that path can be written, by creating and removing its temporary file. A path that ends in a slash is a
 * directory. Errors: IO, MEMORY. */
vouch_status output_check(const char *path, vouch_error *error);
/* Would both be written into one file, existing or not, perhaps by different names? */
bool output_same(const char *path, const char *other);
/* Removes all temporary files of the process. For signal handlers: nothing can be written afterwards. */
void output_discard(void);

/* Puts the name (at most OUTPUT_NAME bytes with its end) and content of file number i. */
enum { OUTPUT_NAME = 64 };
typedef vouch_status output_make(const void *context, int i, char name[OUTPUT_NAME], text *content, vouch_error *error);
/* Writes count files into the directory path, which is made if need be. A new directory appears with all its files or not at all;
 * in one that is there no file changes before all have been written. */
vouch_status output_directory(const char *path, int count, output_make *make, const void *context, vouch_error *error);

/* Temporary files and directories. Their names are in an array that a signal handler may read at any time, in any thread; the owner
 * of an entry is the one who exchanges it for NULL. */

/* Makes an empty temporary file or directory beside path; *slot is its place in the array. -1 with errno set. */
int temporary_make(const char *path, bool directory, int *slot);
/* Removes it, and *slot becomes -1 (where it may be already). */
void temporary_remove(int *slot);
const char *temporary_name(int slot);
/* "DIRECTORY OF PATH/name"; NULL: memory. */
char *temporary_beside(const char *path, const char *name);

#endif
