/* io/escape.h - one way out of a reading that fails, and the memory of the reading.
 *
 *     escape e = {.error = error};
 *     vouch_status status = escape_try(&e, read_all, &reader);     -- read_all(&reader) returns, or anything it calls escapes
 *     escape_end(&e);                                              -- frees every block of the reading
 *
 * A failure jumps to the innermost escape_try of its own escape, so that no function in between tests for it or frees anything.
 * Each reading has an escape of its own: readings may nest and run in several threads. No jump crosses a public call. Objects with
 * a free function of their own are either made here (escape_text, escape_names) or freed by the caller of escape_try.
 */
#ifndef IO_ESCAPE_H
#define IO_ESCAPE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"

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
void escape_end(escape *e);

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
/* A copy with a zero byte behind it, which no escape_free frees. */
char *escape_bytes(escape *e, const char *bytes, size_t length);
char *escape_string(escape *e, const char *string);
/* A copy of a text, which is freed. */
char *escape_take(escape *e, text *t);
/* Room for one more in a growing array, as mem_reserve: *block is NULL or a block of e. */
void escape_grow(escape *e, void **block, size_t *capacity, size_t count, size_t size);
/* Gives back room beyond count items, if that can be done. */
void escape_trim(escape *e, void **block, size_t *capacity, size_t count, size_t size);
/* Frees a block early; NULL is fine. */
void escape_free(escape *e, void *block);
/* escape_end calls end(object), whose struct still exists then; where memory is out it is called at once. A block of mem_alloc; a
 * table of names; a new, empty text. */
void escape_keep(escape *e, void (*end)(void *object), void *object);
/* Room for the next `count` calls of escape_keep, which then cannot fail: a call may return several objects. */
void escape_reserve(escape *e, int count);
void escape_own(escape *e, void *block);
void escape_names(escape *e, struct names *n);
text *escape_text(escape *e);
/* Loads a file, until escape_end. */
file_content *escape_load(escape *e, const char *path);

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

#endif
