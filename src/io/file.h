/* io/file.h - the private header of the readers and writers: whole files in, whole files out, a text that grows by printf, and what
 * readers share. */
#ifndef IO_FILE_H
#define IO_FILE_H

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* The largest file that is read, after decompression. A small packed file may claim less. */
#define FILE_CAP ((size_t)2 << 30)

/* Reads path ("-": standard input), plain, gzip, xz or the one file of a tar archive, into *text (for mem_free; NULL after an
 * error), with a zero byte that *length does not count. Errors: IO, SIZE (more than cap bytes), MEMORY; the message starts with the
 * path. */
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

/* Writes length bytes to path whole or not at all, compressed if the name ends in .gz. */
vouch_status file_write(const char *path, const char *text, size_t length, vouch_error *error);

/* Is there a regular file of this name, which file_write would replace? No descriptor, as /dev/stdout is. */
bool file_there(const char *path);
/* Removes it, so that nobody takes it for what was to be written; was there one? */
bool file_remove(const char *path);

/* Where a text goes while it grows (io/output.c): it is written if it is long enough; after an error it has failed. */
typedef struct text_sink text_sink;
struct text;
void text_pass_on(struct text *t);
void text_sink_free(text_sink *sink); /* NULL is fine */

/* A growing text. A failed allocation is remembered, so that a writer checks once, at the end. Start from {0}. */
typedef struct text {
    char *data; /* owned; NULL or ends in a zero byte */
    size_t length, capacity;
    bool failed;
    text_sink *sink; /* owned; NULL: it stays here */
} text;

/* From now on a text {0} is written to the file piece by piece until text_write(path). On failure it is {0}. */
vouch_status text_stream(text *t, const char *path, vouch_error *error);

void text_add(text *t, const char *format, ...) VOUCH_PRINTF(2, 3);
void text_add_bytes(text *t, const char *bytes, size_t count);
void text_add_plain(text *t, const char *name);   /* as people are shown it (base/text.h) */
void text_add_comment(text *t, const char *name); /* in a comment that ends with its line */
void text_add_quoted(text *t, const char *word);  /* for a shell; for bash and zsh if it has characters that are not shown */
void text_free(text *t);
/* file_write of the text, which is freed; ERROR_MEMORY if any addition failed. */
vouch_status text_write(text *t, const char *path, vouch_error *error);

/* The shortest decimal text that reads back as exactly the same double ("3", "0.1", "inf"); out: [32]. */
const char *text_number(double value, char out[32]);

/* ---- pieces of text as (start, length), for the readers of problem files. ---- */

typedef struct span {
    const char *at;
    size_t length;
} span;

/* For printf's %.*s: at most 60 bytes, so that no message is swamped by a name. */
#define SPAN_ARG(s) (int)((s).length < 60 ? (s).length : 60), (s).at

bool span_is(span s, const char *word);      /* byte by byte */
bool span_is_word(span s, const char *word); /* ASCII letters in either case; word is in lower case */
span span_trim(span s);                      /* without blanks, TABs and CRs at both ends */
/* The line at *at, without its end, which *at steps over; false: *at is at the end. */
bool span_line(const char **at, const char *end, span *line);
/* Splits at blanks and TABs into at most `most` pieces; the number of pieces there are, which may be most + 1 for "more". */
int span_split(span s, span piece[], int most);
/* The whole of s as a decimal number, Fortran's D exponents included, or "inf" / "infinity" with a sign. Not NaN. */
bool span_number(span s, double *value);

/* ---- from names to their numbers 0, 1, 2, .. in the order they were added. The table owns its copies. ---- */

typedef struct names_slot {
    uint64_t key;    /* the bytes of a name of at most eight, else its hash */
    uint32_t number; /* of the name, + 1; 0: free */
    uint32_t length; /* of the name, modulo 2^32 */
} names_slot;

typedef struct names {
    char *text;       /* owned: the names, each ended by a zero byte */
    size_t *offset;   /* owned: [count], where each begins */
    names_slot *slot; /* owned: [slots]; slots is a power of two, at most half of them taken */
    size_t text_length, text_capacity, offset_capacity, slots;
    int count;
    int numbered, first; /* names 0 .. numbered - 1 are in no slot: they are one prefix and the numbers first, first + 1, .. */
    size_t prefix;       /* its length */
} names;

/* The number of a name or of bytes[0 .. length), none of them zero. add: made if new, -1 when memory is out; find: or -1. From {0}.
 */
int names_add(names *n, const char *name);
int names_find(const names *n, const char *name);
int names_add_bytes(names *n, const char *bytes, size_t length);
int names_find_bytes(const names *n, const char *bytes, size_t length);
const char *names_text(const names *n, int number); /* valid until the next addition */
void names_free(names *n);

/* ---- one way out of a reading that fails, and the memory of the reading.
 *
 *     escape e = {.error = error};
 *     vouch_status status = escape_try(&e, read_all, &reader);     -- read_all(&reader) returns, or anything it calls escapes
 *     escape_end(&e);                                              -- frees every block of the reading
 *
 * A failure jumps to the innermost escape_try of its own escape, so that no function in between tests for it or frees anything.
 * Each reading has an escape of its own: readings may nest and run in several threads. No jump crosses a public call. Objects with
 * a free function of their own are either made here (escape_text, escape_names) or freed by the caller of escape_try. ---- */

struct names;

typedef struct escape {
    vouch_error *error;         /* takes the message; NULL: none is wanted */
    struct escape_way *way;     /* out of the innermost escape_try */
    struct escape_block *block; /* the newest */
    struct escape_block *spare; /* see escape_reserve */
    arena strings;
} escape;

/* Calls body(object). Returns VOUCH_OK if it returns, else the status with which it escaped; blocks stay. May nest. */
vouch_status escape_try(escape *e, void (*body)(void *object), void *object);
vouch_status escape_quietly(escape *e, void (*body)(void *object), void *object); /* the same without a message */
void escape_end(escape *e);
vouch_status escape_run(escape *e, void (*body)(void *object), void *object); /* escape_try, then escape_end */

/* Escapes with a status whose message has been written; with a message; with "FILE:LINE: message"; because memory is out. */
_Noreturn void escape_by(const escape *e, vouch_status status);
_Noreturn void escape_fail(const escape *e, vouch_status status, const char *format, ...) VOUCH_PRINTF(3, 4);
_Noreturn void escape_at(const escape *e, const char *file, long line, const char *format, ...) VOUCH_PRINTF(4, 5);
_Noreturn void escape_found(const escape *e, const char *file, long line, const char *what, const char *found); /* error_found */
_Noreturn void escape_memory(const escape *e);

/* Escapes unless the call succeeded: by its status, which has its message; by a number, negative where memory is out. */
static inline void must(const escape *e, vouch_status status)
{
    if (status) escape_by(e, status);
}
static inline int must_count(const escape *e, int number)
{
    if (number < 0) escape_memory(e);
    return number;
}

/* n * size bytes, all of them zero or not. */
void *escape_new(escape *e, size_t n, size_t size);
void *escape_zero(escape *e, size_t n, size_t size);
/* A copy with a zero byte behind it, which no escape_free frees. take: the text is freed. */
char *escape_bytes(escape *e, const char *bytes, size_t length);
char *escape_string(escape *e, const char *string);
char *escape_take(escape *e, text *t);
/* Room for one more in a growing array, as mem_reserve: *block is NULL or a block of e. trim: gives back room beyond count items.
 */
void escape_grow(escape *e, void **block, size_t *capacity, size_t count, size_t size);
void escape_trim(escape *e, void **block, size_t *capacity, size_t count, size_t size);
void escape_free(escape *e, void *block); /* early; NULL is fine */
/* escape_end calls end(object), whose struct still exists then; where memory is out it is called at once. A block of mem_alloc; a
 * table of names; a new, empty text. */
void escape_keep(escape *e, void (*end)(void *object), void *object);
/* Room for the next `count` calls of escape_keep, which then cannot fail: a call may return several objects. */
void escape_reserve(escape *e, int count);
void escape_own(escape *e, void *block);
void escape_names(escape *e, struct names *n);
text *escape_text(escape *e);
file_content *escape_load(escape *e, const char *path); /* until escape_end */

#define ESCAPE_NEW(e, type, n)  ((type *)escape_new((e), (size_t)(n), sizeof(type)))
#define ESCAPE_ZERO(e, type, n) ((type *)escape_zero((e), (size_t)(n), sizeof(type)))
/* Of an array by the address of its pointer. */
#define ESCAPE_GROW(e, block, capacity, count) escape_grow((e), (void **)(block), (capacity), (size_t)(count), sizeof **(block))
#define ESCAPE_TRIM(e, block, capacity, count) escape_trim((e), (void **)(block), (capacity), (size_t)(count), sizeof **(block))
/* A growing array as a member of a struct, with what_count and what_capacity. Zero is an empty one. */
#define ESCAPE_ARRAY(type, what)                                                                                                   \
    type *what;                                                                                                                    \
    size_t what##_count, what##_capacity
/* Appends an item to to->what: unset, its index; with a value. */
#define ESCAPE_ADD(e, to, what)                                                                                                    \
    (ESCAPE_GROW((e), &(to)->what, &(to)->what##_capacity, (to)->what##_count), (int)(to)->what##_count++)
#define ESCAPE_PUSH(e, to, what, ...) (ESCAPE_ADD(e, to, what), (void)((to)->what[(to)->what##_count - 1] = __VA_ARGS__))

/* ---- the questions of readers to the file system: the kind of a path, the files of a directory, the bytes of a file.
 *
 * Processes that work on the same files have the same questions. If they share the answers (disk_share), one of them reads each
 * file, once, and sends it to the others. So the others need no access to the files, and all processes see the same content even if
 * a file changes meanwhile. ---- */

/* How answers come from one process to others. */
typedef struct disk_sharing {
    /* The answer to a question, valid to the end of the process, and its length. NULL: there is none, and there will be none. */
    const char *(*told)(const char *question, size_t *length);
    /* Sends to all other processes. NULL: this process receives. */
    void (*tell)(const char *question, const char *answer, size_t length);
} disk_sharing;

/* From now on; how->told NULL: not any more. For programs of one thread that reads. */
void disk_share(const disk_sharing *how);

/* Standard input, pipes and devices can be read once. From disk_hold to disk_drop, which nest, the thread keeps their bytes for
 * further readings, from disk_keep to disk_forget all threads do. */
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

/* ---- files that appear whole or not at all.
 *
 * The bytes go into a temporary file in the same directory, which is synced and replaces the file by rename(2). Symbolic links are
 * followed, so that the file they name is replaced and not the link. Devices, pipes and /dev/stdout are written in place. ---- */

/* Checks before the work that path, a directory if it ends in a slash, can be written, by creating and removing its temporary file.
 */
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

/* Temporary files and directories beside path, empty. Their names are in an array that a signal handler may read at any time, in
 * any thread; the owner of an entry, number *slot, is the one who exchanges it for NULL. make: -1 with errno set; remove: *slot,
 * which may be -1, becomes -1. */
int temporary_make(const char *path, bool directory, int *slot);
void temporary_remove(int *slot);
const char *temporary_name(int slot);
char *temporary_beside(const char *path, const char *name); /* "DIRECTORY OF PATH/name"; NULL: memory */

/* ---- the kind of a file by the beginning of its content, not by its name. ---- */

typedef enum file_kind {
    FILE_UNKNOWN,
    FILE_EMPTY,
    FILE_MODEL, /* vouch's own */
    FILE_POLICY,
    FILE_JSON,  /* of another kind */
    FILE_TREE,  /* of --log-tree */
    FILE_PROOF, /* of --proof */
    FILE_PAGE,  /* a picture, or a page */
    FILE_PRISM,
    FILE_JANI,
    FILE_EXPLICIT,
    FILE_BESIDE, /* what lies beside FILE_EXPLICIT: labels, states, rewards */
    FILE_DRN,
    FILE_CSV, /* a multi-model */
    FILE_POMDP,
    FILE_PPDDL,
    FILE_RDDL,
    FILE_MATHPROG,
    FILE_LP,
    FILE_LP_SOLVE, /* lp_solve's format, which is called LP too */
    FILE_MPS,
    FILE_GLP,
    FILE_KINDS
} file_kind;

file_kind recognise(const file_content *file);
/* "a DRN file, as Storm writes them" */
const char *recognised_text(file_kind kind);
/* Appends the command that makes program.mps of the MathProg model `name`, "-": of standard input, to be typed as it stands. */
void recognised_mathprog(text *t, const char *name);
/* The error that such a model is no file to be read here, with that command; ERROR_INPUT. */
void recognised_refuse_mathprog(const char *name, vouch_error *error);

#endif
