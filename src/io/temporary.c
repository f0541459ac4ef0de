/* io/temporary.c - see temporary.h. */
#define _GNU_SOURCE /* mkostemp */
#include "io/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "io/stale.h"

enum { SLOTS = 1 << 16 };

static _Atomic(char *) temporary[SLOTS]; /* names, owned; NULL: free */
static atomic_uint next_slot;

int temporary_take(char *name)
{
    for (int i = 0; i < SLOTS; i++) {
        unsigned at = atomic_fetch_add(&next_slot, 1U) % SLOTS;
        char *none = NULL;
        if (atomic_compare_exchange_strong(&temporary[at], &none, name)) return (int)at;
    }
    return -1;
}

char *temporary_give(int slot) { return slot < 0 ? NULL : atomic_exchange(&temporary[slot], NULL); }

const char *temporary_name(int slot)
{
    CHECK(slot >= 0 && slot < SLOTS);
    return temporary[slot];
}

void temporary_discard(void)
{
    for (int i = 0; i < SLOTS; i++) {
        const char *name = atomic_load(&temporary[i]);
        if (name) (void)unlink(name);
    }
    for (int i = 0; i < SLOTS; i++) { /* directories, empty now */
        const char *name = atomic_exchange(&temporary[i], NULL);
        if (name) (void)rmdir(name);
    }
}

mode_t temporary_mode(mode_t mode)
{
    mode_t mask = umask(0);
    umask(mask);
    return mode & ~mask;
}

char *temporary_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t head = slash ? (size_t)(slash + 1 - path) : 0, n = strlen(name);
    char *out = mem_alloc(head + n + 1, 1);
    if (!out) return NULL;
    memcpy(out, path, head);
    memcpy(out + head, name, n + 1);
    return out;
}

int temporary_make(const char *path, bool directory, int *slot)
{
    char pattern[STALE_NAME]; /* no part of the file's own name, which may be as long as names can be */
    stale_pattern(pattern);
    char *name = temporary_beside(path, pattern), *folder = temporary_beside(path, ".");
    if (folder) stale_sweep(folder);
    mem_free(folder);
    int fd = -1;
    *slot = -1;
    if (!name) {
        errno = ENOMEM;
        return -1;
    }
    sigset_t all, before; /* no signal between the file and its note, or nobody would remove it */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool made = directory ? mkdtemp(name) != NULL : (fd = mkostemp(name, O_CLOEXEC)) >= 0;
    int why = errno;
    if (fd >= 0) close(fd);
    if (made && (*slot = temporary_take(name)) < 0) {
        why = EMFILE;
        (void)(directory ? rmdir(name) : unlink(name));
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (*slot < 0) mem_free(name);
    errno = why;
    return *slot < 0 ? -1 : 0;
}

void temporary_remove(int *slot)
{
    char *name = temporary_give(*slot);
    if (name && unlink(name) != 0) (void)rmdir(name);
    mem_free(name);
    *slot = -1;
}
