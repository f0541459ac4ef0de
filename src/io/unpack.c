/* io/unpack.c - see unpack.h.
 *
 * Storm writes .drn.gz and .drn.xz as archives of one member. xz is decoded by liblzma where the system has it, found when it is
 * needed: it is no library that vouch is built with. Sources: the manual page tar(5), and lzma/base.h.
 */
#include "io/unpack.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* lzma_stream of liblzma 5, and of its functions and answers those used here. */
typedef struct xz_stream {
    const uint8_t *next_in;
    size_t avail_in;
    uint64_t total_in;
    uint8_t *next_out;
    size_t avail_out;
    uint64_t total_out;
    const void *allocator;
    void *internal, *reserved[4];
    uint64_t seek_pos, reserved_whole;
    size_t reserved_size[2];
    int reserved_word[2];
} xz_stream;
typedef int start_decoder(xz_stream *stream, uint64_t memory, uint32_t flags);
typedef int run_decoder(xz_stream *stream, int action);
typedef void end_decoder(xz_stream *stream);
typedef struct xz_library {
    start_decoder *start;
    run_decoder *run;
    end_decoder *end;
} xz_library;
enum { XZ_OK = 0, XZ_END = 1, XZ_OUT_OF_MEMORY = 5, XZ_FINISH = 3 };

enum { CHUNK = 1 << 16, BLOCK = 512, TAR_SIZE = 124, TAR_SIZE_DIGITS = 12, TAR_KIND = 156, TAR_MAGIC = 257 };

/* A function of the library; an object pointer becomes one to a function as POSIX has it. */
static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

/* Both ways: packed [*length], and what was in it instead. */
static vouch_status decode(const xz_library *xz, const char *path, size_t cap, char **bytes, size_t *length, vouch_error *error)
{
    xz_stream stream = {.next_in = (const uint8_t *)*bytes, .avail_in = *length};
    char *out = NULL;
    size_t count = 0, capacity = 0;
    int code = xz->start(&stream, UINT64_MAX, 0);
    while (code == XZ_OK && count <= cap) {
        if (mem_reserve((void **)&out, &capacity, count + CHUNK, 1)) {
            code = XZ_OUT_OF_MEMORY;
            break;
        }
        stream.next_out = (uint8_t *)out + count;
        stream.avail_out = CHUNK;
        code = xz->run(&stream, XZ_FINISH);
        count += CHUNK - stream.avail_out;
    }
    xz->end(&stream);
    mem_free(*bytes);
    *bytes = out;
    *length = count;
    if (out) out[count] = '\0';
    if (code == XZ_OUT_OF_MEMORY) return error_memory(error);
    if (count > cap)
        return error_set(error, VOUCH_ERROR_SIZE, "%s: more than %zu bytes, which is the most that is read", path, cap);
    if (code != XZ_END) return error_set(error, VOUCH_ERROR_IO, "%s: the xz data are damaged or end too early", path);
    return VOUCH_OK;
}

static vouch_status undo_xz(const char *path, size_t cap, char **bytes, size_t *length, vouch_error *error)
{
    static const char magic[] = {'\xFD', '7', 'z', 'X', 'Z', '\0'};
    if (*length < sizeof magic || memcmp(*bytes, magic, sizeof magic) != 0) return VOUCH_OK;
    void *library = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
    xz_library xz = {0};
    if (library) {
        find(library, "lzma_stream_decoder", &xz.start);
        find(library, "lzma_code", &xz.run);
        find(library, "lzma_end", &xz.end);
    }
    vouch_status status =
        xz.start && xz.run && xz.end
            ? decode(&xz, path, cap, bytes, length, error)
            : error_set(error, VOUCH_ERROR_IO, "%s: compressed with xz, and liblzma is not there; unpack it with xz -d", path);
    if (library) dlclose(library);
    return status;
}

/* The one regular file of an archive. */
static vouch_status undo_tar(const char *path, char **bytes, size_t *length, vouch_error *error)
{
    size_t at = 0, start = 0, size = 0;
    int files = 0;
    if (*length < BLOCK || memcmp(*bytes + TAR_MAGIC, "ustar", 5) != 0) return VOUCH_OK;
    while (at + BLOCK <= *length && (*bytes)[at]) {
        char digits[TAR_SIZE_DIGITS + 1] = "", *end, kind = (*bytes)[at + TAR_KIND];
        memcpy(digits, *bytes + at + TAR_SIZE, TAR_SIZE_DIGITS);
        unsigned long long own = strtoull(digits, &end, 8);
        at += BLOCK;
        if (end == digits || own > *length - at)
            return error_set(error, VOUCH_ERROR_IO, "%s: the tar archive is damaged or ends too early", path);
        if ((kind == '0' || kind == '\0') && files++ == 0) {
            start = at;
            size = (size_t)own;
        }
        size_t padded = ((size_t)own + BLOCK - 1) / BLOCK * BLOCK;
        at = padded < *length - at ? at + padded : *length;
    }
    if (files != 1) return error_set(error, VOUCH_ERROR_INPUT, "%s: an archive of %d files; expected one", path, files);
    memmove(*bytes, *bytes + start, size);
    (*bytes)[size] = '\0';
    *length = size;
    return VOUCH_OK;
}

vouch_status unpack(const char *path, size_t cap, char **bytes, size_t *length, vouch_error *error)
{
    vouch_status status = undo_xz(path, cap, bytes, length, error);
    if (!status) status = undo_tar(path, bytes, length, error);
    if (status) {
        mem_free(*bytes);
        *bytes = NULL;
        *length = 0;
    }
    return status;
}
