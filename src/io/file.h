/* io/file.h - whole files in, whole files out, and a text that grows by printf. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <vouch/status.h>

/* The largest file that is read, after decompression. A small packed file may claim less. */
#define FILE_CAP ((size_t)2 << 30)

/* Reads all of path, plain, gzip or xz, and the one file of a tar archive (told apart by content; "-" is standard input), into
 * *text, followed by one zero byte that *length does not count. *text is for mem_free; NULL after an error. Errors: IO (cannot
 * open, read, or damaged gzip), SIZE (more than cap bytes), MEMORY; the message starts with the path. */
vouch_status file_read(const char *path, size_t cap, char **text, size_t *length, vouch_error *error);

/* A whole file, with a zero byte at its end. */
typedef struct file_content {
    const char *name; /* for messages */
    const char *bytes;
    size_t length;
} file_content;

/* file_read of at most FILE_CAP bytes. Call file_unload also after an error. */
vouch_status file_load(file_content *file, const char *path, vouch_error *error);
void file_unload(file_content *file);
/* A file for another program, which opens it by itself. */
typedef struct lent {
    FILE *copy; /* owned: a copy, without a name, of a stream; NULL: none */
    char name[32];
} lent;
/* The name to give that program, until file_lend_end: path, or the name of the copy; NULL after an error. */
const char *file_lend(lent *l, const char *path, vouch_error *error);
void file_lend_end(lent *l);

/* Error INPUT, with the line, if there is a zero byte in it; for readers that use C strings. */
vouch_status file_check_text(const file_content *file, vouch_error *error);

/* Writes length bytes to path whole or not at all (see output.h, and there for directories). A name that ends in .gz is compressed.
 * "-", /dev/stdout and existing paths that are no regular files (devices, pipes) are written in place. */
vouch_status file_write(const char *path, const char *text, size_t length, vouch_error *error);

/* Is there a regular file of this name, which file_write replaced or would replace? Not if it means a descriptor, as /dev/stdout
 * does. */
bool file_there(const char *path);
/* Removes it, so that nobody takes it for what was to be written; was there one? */
bool file_remove(const char *path);

/* Where a text goes while it grows (io/output.c). */
typedef struct text_sink text_sink;
struct text;
/* Writes the text if it is long enough; after an error the text has failed. */
void text_pass_on(struct text *t);
void text_sink_free(text_sink *sink); /* NULL is fine */

/* A growing text. A failed allocation is remembered, so that a writer checks once, at the end. Start from {0}. */
typedef struct text {
    char *data; /* owned; NULL or ends in a zero byte */
    size_t length, capacity;
    bool failed;
    text_sink *sink; /* owned; NULL: it stays here */
} text;

/* From now on a text, which is {0}, is written to the file piece by piece until text_write(path); data holds the rest. On failure
 * the text is {0}. */
vouch_status text_stream(text *t, const char *path, vouch_error *error);

void text_add(text *t, const char *format, ...) VOUCH_PRINTF(2, 3);
void text_add_bytes(text *t, const char *bytes, size_t count);
/* Appends a name as people are shown it (base/text.h). */
void text_add_plain(text *t, const char *name);
/* Appends a word with quotation marks for a shell; for bash and zsh if it has characters that are not shown (base/text.h). */
void text_add_quoted(text *t, const char *word);
void text_free(text *t);
/* file_write of the text, which is freed; ERROR_MEMORY if any addition failed. */
vouch_status text_write(text *t, const char *path, vouch_error *error);

/* The shortest decimal text that reads back as exactly the same double ("3", "0.1", "inf"); out: [32]. */
const char *text_number(double value, char out[32]);

#endif
