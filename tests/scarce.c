/* scarce.c - a library to preload: the n-th allocation of a process is refused (SCARCE_AT=n), or all from it on (SCARCE_FROM=n).
 * SCARCE_COUNT=FILE, which is not there, gets their number. SCARCE_FORK: every one, each in a child (scarce_fork.h). It stands
 * before malloc of the system or of a sanitizer; vouch-check defines malloc itself, and asks by the names below it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scarce_fork.h"

typedef void *take_zero(size_t count, size_t size);
typedef void *take_again(void *block, size_t bytes);

static long refused_at, refused_from; /* 0: none */
static atomic_long own, *calls = &own;
static int ready;

/* The count is in a mapped file, since some programs end abruptly; only the process that made the file counts. */
__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("SCARCE_AT"), *from = getenv("SCARCE_FROM"), *told = getenv("SCARCE_COUNT");
    refused_at = at ? strtol(at, NULL, 10) : 0;
    refused_from = from ? strtol(from, NULL, 10) : 0;
    int fd = told ? open(told, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (fd >= 0 && ftruncate(fd, sizeof own) == 0) {
        void *map = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (map != MAP_FAILED) calls = map;
    }
    if (fd >= 0) close(fd);
    server_begin(getenv("SCARCE_FORK"));
    ready = 1;
}

static int refuses(void)
{
    if (!ready) return 0;
    long n = atomic_fetch_add(calls, 1) + 1;
    ready = 0; /* allocations of the server itself */
    bool forked = server_refuses(n);
    ready = !forked;
    if (!forked && n != refused_at && (refused_from == 0 || n < refused_from)) return 0;
    errno = ENOMEM;
    return 1;
}

/* dlsym allocates itself, where it looks for the first of them. */
static void *next(const char *name, void **found)
{
    static char early[4096];
    static size_t used;
    static int looking;
    if (*found) return *found;
    if (looking) {
        char *block = early + used;
        used += 1024;
        return used <= sizeof early ? block : NULL;
    }
    looking = 1;
    *found = dlsym(RTLD_NEXT, name);
    looking = 0;
    return *found;
}

#define STANDS_BEFORE(prefix)                                                                                                      \
    void *prefix##calloc(size_t count, size_t size);                                                                               \
    void *prefix##calloc(size_t count, size_t size)                                                                                \
    {                                                                                                                              \
        static void *found;                                                                                                        \
        take_zero *f;                                                                                                              \
        void *of = next(#prefix "calloc", &found);                                                                                 \
        if (!found) return of;                                                                                                     \
        memcpy(&f, &of, sizeof f);                                                                                                 \
        return refuses() ? NULL : f(count, size);                                                                                  \
    }                                                                                                                              \
    void *prefix##malloc(size_t bytes);                                                                                            \
    void *prefix##malloc(size_t bytes)                                                                                             \
    {                                                                                                                              \
        static void *found;                                                                                                        \
        void *(*f)(size_t);                                                                                                        \
        void *of = next(#prefix "malloc", &found);                                                                                 \
        if (!found) return of;                                                                                                     \
        memcpy(&f, &of, sizeof f);                                                                                                 \
        return refuses() ? NULL : f(bytes);                                                                                        \
    }                                                                                                                              \
    void *prefix##realloc(void *block, size_t bytes);                                                                              \
    void *prefix##realloc(void *block, size_t bytes)                                                                               \
    {                                                                                                                              \
        static void *found;                                                                                                        \
        take_again *f;                                                                                                             \
        void *of = next(#prefix "realloc", &found);                                                                                \
        if (!found) return of;                                                                                                     \
        memcpy(&f, &of, sizeof f);                                                                                                 \
        return refuses() ? NULL : f(block, bytes);                                                                                 \
    }

STANDS_BEFORE()
STANDS_BEFORE(__libc_)
STANDS_BEFORE(__interceptor_)
