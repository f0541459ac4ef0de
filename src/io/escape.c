/* io/escape.c - see file.h. */
#include "io/file.h"

#include <setjmp.h>

typedef struct escape_way {
    jmp_buf out;
    volatile vouch_status status; /* set between setjmp and longjmp */
    struct escape_way *outer;
} escape_way;

typedef struct escape_block {
    struct escape_block *older, *newer;
    void (*end)(void *object); /* NULL: data is memory of the reading; else data holds an object that is ended so */
    max_align_t data[];
} escape_block;

vouch_status escape_try(escape *e, void (*body)(void *), void *object)
{
    escape_way way = {.outer = e->way};
    e->way = &way;
    if (setjmp(way.out) == 0) body(object);
    e->way = way.outer;
    return way.status;
}

vouch_status escape_quietly(escape *e, void (*body)(void *), void *object)
{
    vouch_error *error = e->error;
    e->error = NULL;
    vouch_status status = escape_try(e, body, object);
    e->error = error;
    return status;
}

_Noreturn void escape_by(const escape *e, vouch_status status)
{
    e->way->status = status;
    longjmp(e->way->out, 1);
}

_Noreturn void escape_memory(const escape *e) { escape_by(e, error_memory(e->error)); }

_Noreturn void escape_fail(const escape *e, vouch_status status, const char *format, ...)
{
    char what[sizeof e->error->text];
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    escape_by(e, error_set(e->error, status, "%s", what));
}

_Noreturn void escape_at(const escape *e, const char *file, long line, const char *format, ...)
{
    char what[sizeof e->error->text];
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    escape_by(e, error_at(e->error, file, line, "%s", what));
}

_Noreturn void escape_found(const escape *e, const char *file, long line, const char *what, const char *found)
{
    escape_by(e, error_found(e->error, file, line, what, found));
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

static escape_block *block_of(void *data) { return (escape_block *)(void *)((char *)data - offsetof(escape_block, data)); }

static void *link_block(escape *e, escape_block *b)
{
    if (!b) escape_memory(e);
    if (b->older) b->older->newer = b;
    *(b->newer ? &b->newer->older : &e->block) = b;
    return b->data;
}

static size_t block_bytes(const escape *e, size_t n, size_t size)
{
    if (n > (SIZE_MAX / 2 - sizeof(escape_block)) / size) escape_memory(e);
    return sizeof(escape_block) + n * size;
}

void *escape_new(escape *e, size_t n, size_t size)
{
    escape_block *b = mem_alloc(1, block_bytes(e, n, size));
    if (b) *b = (escape_block){.older = e->block};
    return link_block(e, b);
}

void *escape_zero(escape *e, size_t n, size_t size)
{
    escape_block *b = mem_zero(1, block_bytes(e, n, size));
    if (b) b->older = e->block;
    return link_block(e, b);
}

char *escape_bytes(escape *e, const char *bytes, size_t length)
{
    char *copy = arena_new(&e->strings, length + 1, 1);
    if (!copy) escape_memory(e);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *escape_string(escape *e, const char *string) { return escape_bytes(e, string, strlen(string)); }

char *escape_take(escape *e, text *t)
{
    char *copy = t->failed ? NULL : arena_string(&e->strings, t->data ? t->data : "");
    text_free(t);
    if (!copy) escape_memory(e);
    return copy;
}

void escape_grow(escape *e, void **block, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) return;
    size_t more = count + count / 2 + 8;
    escape_block *b = *block ? mem_resize(block_of(*block), 1, block_bytes(e, more, size)) : NULL;
    *block = *block ? link_block(e, b) : escape_new(e, more, size);
    *capacity = more;
}

void escape_trim(escape *e, void **block, size_t *capacity, size_t count, size_t size)
{
    escape_block *b = *block && count ? mem_resize(block_of(*block), 1, block_bytes(e, count, size)) : NULL;
    if (!b) return;
    *block = link_block(e, b);
    *capacity = count;
}

void escape_free(escape *e, void *block)
{
    if (!block) return;
    escape_block *b = block_of(block);
    if (b->older) b->older->newer = b->newer;
    *(b->newer ? &b->newer->older : &e->block) = b->older;
    if (b->end) b->end(*(void **)block);
    mem_free(b);
}

void escape_end(escape *e)
{
    while (e->block) escape_free(e, e->block->data);
    while (e->spare) {
        escape_block *b = e->spare;
        e->spare = b->older;
        mem_free(b);
    }
    arena_free(&e->strings);
}

vouch_status escape_run(escape *e, void (*body)(void *), void *object)
{
    vouch_status status = escape_try(e, body, object);
    escape_end(e);
    return status;
}

void escape_keep(escape *e, void (*end)(void *), void *object)
{
    escape_block *b = e->spare ? e->spare : mem_alloc(1, sizeof *b + sizeof object);
    if (b && b == e->spare) e->spare = b->older;
    if (!b) end(object);
    if (b) *b = (escape_block){.older = e->block, .end = end};
    *(void **)link_block(e, b) = object;
}

void escape_reserve(escape *e, int count)
{
    for (; count > 0; count--) {
        escape_block *b = mem_alloc(1, sizeof *b + sizeof(void *));
        if (!b) escape_memory(e);
        *b = (escape_block){.older = e->spare};
        e->spare = b;
    }
}

void escape_own(escape *e, void *block) { escape_keep(e, mem_free, block); }

static void end_names(void *object) { names_free(object); }
static void end_text(void *object) { text_free(object); }

void escape_names(escape *e, names *n) { escape_keep(e, end_names, n); }

text *escape_text(escape *e)
{
    text *t = escape_zero(e, 1, sizeof *t);
    escape_keep(e, end_text, t);
    return t;
}

static void end_file(void *object) { file_unload(object); }

file_content *escape_load(escape *e, const char *path)
{
    file_content *file = escape_zero(e, 1, sizeof *file);
    escape_keep(e, end_file, file);
    must(e, file_load(file, path, e->error));
    return file;
}
