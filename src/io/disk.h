/* io/disk.h - the questions of readers to the file system: the kind of a path, the files of a directory, the bytes of a file.
 *
 * Processes that work on the same files have the same questions. If they share the answers (disk_share), one of them reads each
 * file, once, and sends it to the others. So the others need no access to the files, and all processes see the same content even if
 * a file changes meanwhile.
 */
#ifndef IO_DISK_H
#define IO_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/status.h>

/* How answers come from one process to others. */
typedef struct disk_sharing {
    /* The answer to a question, valid to the end of the process, and its length. NULL: there is none, and there will be none. */
    const char *(*told)(const char *question, size_t *length);
    /* Tells all others. NULL: this process is one that is told. */
    void (*tell)(const char *question, const char *answer, size_t length);
} disk_sharing;

/* From now on; how->told NULL: not any more. For programs of one thread that reads. */
void disk_share(const disk_sharing *how);

/* Standard input, pipes and devices can be read once. From disk_hold to disk_drop, which nest, the thread keeps their bytes, and a
 * second reading returns the same bytes. From disk_keep to disk_forget all threads do, for a program that reads a file for several
 * purposes. */
void disk_hold(void);
void disk_drop(void);
void disk_keep(void);
void disk_forget(void);
/* Is this "-", or something there that is neither a regular file nor a directory? */
bool disk_is_stream(const char *path);

/* An answer: for mem_free, with a zero byte at the end; NULL after an error. */
typedef struct disk_bytes {
    char *bytes;
    size_t length;
} disk_bytes;

/* Looks on the disk, into *out, which is empty. cap: of a file, its bytes. */
typedef vouch_status disk_look(const char *path, size_t cap, disk_bytes *out, vouch_error *error);

/* The answer of look for this path, its own or the shared one. question: its text, to which the path is added. */
vouch_status disk_ask(const char *question, disk_look *look, const char *path, size_t cap, disk_bytes *out, vouch_error *error);

typedef enum disk_kind { DISK_NOTHING, DISK_FILE, DISK_DIRECTORY } disk_kind;
/* The kind of a path; "-", standard input, is a file. */
disk_kind disk_kind_of(const char *path);
/* The last part of a path, for names; "model" for standard input and /dev/fd/63, whose number is an accident. */
const char *disk_name(const char *path);

/* Does the path end so, with or without .gz or .xz behind? */
bool path_ends_in(const char *path, const char *ending);
bool path_is_directory(const char *path);

#endif
