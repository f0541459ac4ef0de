/* io/disk.h - what readers ask of the file system: what stands at a path, which files a directory has, what is in a file.
 *
 * Processes that work on the same files ask the same. Where they share their answers (disk_share) one of them looks, once for each
 * question, and tells the others: they need not see the files at all, and a file that is changed meanwhile stays for all of them,
 * and to the end, what it was when it was read.
 */
#ifndef IO_DISK_H
#define IO_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/status.h>

/* How answers come from one process to others. */
typedef struct disk_sharing {
    /* The answer to a question, valid to the end of the process, and its length. NULL: nobody has told it, or will. */
    const char *(*told)(const char *question, size_t *length);
    /* Tells all others. NULL: this process is one that is told. */
    void (*tell)(const char *question, const char *answer, size_t length);
} disk_sharing;

/* From now on; how->told NULL: not any more. For programs of one thread that reads. */
void disk_share(const disk_sharing *how);

/* Standard input, pipes and devices can be read once. From disk_hold to disk_drop, which nest, the thread keeps what it read of
 * them: whoever asks again is given the same bytes. From disk_keep to disk_forget all threads do, in a program whose command reads
 * a file for several purposes. */
void disk_hold(void);
void disk_drop(void);
void disk_keep(void);
void disk_forget(void);
/* Is this "-", or something there that is neither a regular file nor a directory? */
bool disk_is_stream(const char *path);

/* What was found: for mem_free, with a zero byte behind it; NULL after an error. */
typedef struct disk_bytes {
    char *bytes;
    size_t length;
} disk_bytes;

/* Looks on the disk, into *out, which is empty. cap: of a file, its bytes. */
typedef vouch_status disk_look(const char *path, size_t cap, disk_bytes *out, vouch_error *error);

/* What look finds at path, or was told of it. question: the words of what is asked, to which the path is added. */
vouch_status disk_ask(const char *question, disk_look *look, const char *path, size_t cap, disk_bytes *out, vouch_error *error);

typedef enum disk_kind { DISK_NOTHING, DISK_FILE, DISK_DIRECTORY } disk_kind;
/* What stands at path; "-", standard input, is a file. */
disk_kind disk_kind_of(const char *path);
/* The last part of a path, for names; "model" for standard input and /dev/fd/63, whose number is an accident. */
const char *disk_name(const char *path);

/* Does the path end so, with or without .gz or .xz behind? */
bool path_ends_in(const char *path, const char *ending);
bool path_is_directory(const char *path);

#endif
