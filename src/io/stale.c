/* io/stale.c - see stale.h. The process number alone would not do: numbers are used again, and containers and other machines that
 * see the same directory have their own. So the machine is a sum over its name, its boot and the space of its process numbers, and
 * a process is known by its number and the moment it began. Without /proc that moment is 0 for all. Source: proc(5). */
#define _DEFAULT_SOURCE /* gethostname, dirfd */
#include "io/stale.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/locale.h"

static const char START[] = "vouch.tmp.", LETTERS[] = "XXXXXX";
enum { BEGAN = 20 }; /* field of /proc/PID/stat, counted from the state, which is 1 */

/* Fowler, Noll, Vo. */
static uint32_t sum_add(uint32_t sum, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) sum = (sum ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return sum;
}

/* The first bytes of a file, or none. */
static size_t start_of(const char *path, char bytes[], size_t most)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, bytes, most);
    if (fd >= 0) close(fd);
    return n > 0 ? (size_t)n : 0;
}

static uint32_t machine(void)
{
    char word[256] = "";
    uint32_t sum = UINT32_C(2166136261);
    if (gethostname(word, sizeof word - 1) == 0) sum = sum_add(sum, word, strlen(word));
    sum = sum_add(sum, word, start_of("/proc/sys/kernel/random/boot_id", word, sizeof word));
    ssize_t n = readlink("/proc/self/ns/pid", word, sizeof word);
    return n > 0 ? sum_add(sum, word, (size_t)n) : sum;
}

/* When a process began, in ticks since the machine did; 0: unknown, -1: it has ended. */
static long long began(long process)
{
    char path[64], word[1024];
    format_text(path, sizeof path, "/proc/%ld/stat", process);
    word[start_of(path, word, sizeof word - 1)] = '\0';
    const char *at = strrchr(word, ')'); /* behind the name, which may hold anything */
    if (at && (strncmp(at, ") Z", 3) == 0 || strncmp(at, ") X", 3) == 0)) return -1;
    for (int i = 0; i < BEGAN && at; i++) at = strchr(at + 1, ' ');
    return at ? strtoll(at, NULL, 10) : 0;
}

void stale_pattern(char name[STALE_NAME])
{
    long own = (long)getpid();
    format_text(name, STALE_NAME, "%s%08lx.%ld.%lld.%s", START, (unsigned long)machine(), own, began(own), LETTERS);
}

/* Is it the name of a temporary file whose process has ended? */
static bool is_stale(const char *name, uint32_t here)
{
    unsigned long where;
    long process;
    long long when;
    int length = 0;
    if (strncmp(name, START, sizeof START - 1) != 0) return false;
    name += sizeof START - 1;
    if (scan_text(name, "%8lx.%9ld.%18lld.%n", &where, &process, &when, &length) != 3 || length == 0) return false;
    if (strlen(name + length) != sizeof LETTERS - 1 || where != here || process <= 0) return false;
    if (kill((pid_t)process, 0) != 0) return errno == ESRCH;
    long long now = began(process);
    return now < 0 || (now > 0 && when > 0 && now != when);
}

/* A temporary directory holds files only. */
static void empty(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *inside = fd < 0 ? NULL : fdopendir(fd);
    if (!inside && fd >= 0) close(fd);
    for (struct dirent *e; inside && (e = readdir(inside));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) (void)unlinkat(fd, e->d_name, 0);
    if (inside) closedir(inside);
}

static void sweep(DIR *directory)
{
    int folder = dirfd(directory);
    uint32_t here = machine();
    struct stat about;
    for (struct dirent *e; (e = readdir(directory));) {
        if (!is_stale(e->d_name, here)) continue;
        if (fstatat(folder, e->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || about.st_uid != geteuid()) continue;
        if (S_ISDIR(about.st_mode))
            empty(folder, e->d_name);
        else if (!S_ISREG(about.st_mode))
            continue;
        (void)unlinkat(folder, e->d_name, S_ISDIR(about.st_mode) ? AT_REMOVEDIR : 0);
    }
}

void stale_sweep(const char *path)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct stat last; /* of the directory swept last */
    struct stat about;
    DIR *directory = opendir(path);
    if (!directory) return;
    pthread_mutex_lock(&lock);
    bool swept = fstat(dirfd(directory), &about) != 0 || (about.st_dev == last.st_dev && about.st_ino == last.st_ino);
    if (!swept) last = about;
    pthread_mutex_unlock(&lock);
    if (!swept) sweep(directory);
    closedir(directory);
}
