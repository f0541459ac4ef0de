/* base/memory_machine.c - see memory.h. The minimum of MemTotal, the limits of the control group and its ancestors (version 2:
 * memory.max along the path of /proc/self/cgroup; version 1: memory.limit_in_bytes), RLIMIT_AS and RLIMIT_DATA. Unreadable files
 * count as no limit; in a container the path may be outside it, so the root of the groups is read, too.
 */
#include "base/locale.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { LONGEST_PATH = 4096 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static FILE *open_at(const char *root, const char *folder, const char *path, const char *name)
{
    char whole[LONGEST_PATH];
    int n = format_text(whole, sizeof whole, "%s%s%s%s", root, folder, path, name);
    return n > 0 && n < (int)sizeof whole ? fopen(whole, "re") : NULL;
}

/* The number in a file; SIZE_MAX: none ("max"), or no file. */
static size_t number_of(FILE *file)
{
    unsigned long long x = 0;
    char line[64];
    bool read = file && fgets(line, sizeof line, file) && scan_text(line, "%llu", &x) == 1;
    if (file) (void)fclose(file);
    return read && x < SIZE_MAX ? (size_t)x : SIZE_MAX;
}

static size_t total_memory(const char *root)
{
    char line[256];
    size_t total = SIZE_MAX;
    FILE *file = open_at(root, "/proc/meminfo", "", "");
    while (file && total == SIZE_MAX && fgets(line, sizeof line, file)) {
        unsigned long long kilobytes;
        if (scan_text(line, "MemTotal: %llu", &kilobytes) == 1) total = (size_t)kilobytes << 10;
    }
    if (file) (void)fclose(file);
    return total;
}

/* Minimum over the group `path` and its ancestors; path is overwritten. */
static size_t group_memory(const char *root, const char *folder, char *path, const char *name)
{
    size_t most = SIZE_MAX;
    for (size_t n = strlen(path);; n--) {
        if (n > 0 && path[n] != '\0' && path[n] != '/') continue;
        path[n] = '\0';
        most = least(most, number_of(open_at(root, folder, path, name)));
        if (n == 0) return most;
    }
}

static size_t groups_memory(const char *root)
{
    char line[LONGEST_PATH];
    size_t most = SIZE_MAX;
    FILE *file = open_at(root, "/proc/self/cgroup", "", "");
    while (file && fgets(line, sizeof line, file)) { /* NUMBER:CONTROLLERS:PATH */
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path) continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        if (controllers[1] == '\0') most = least(most, group_memory(root, "/sys/fs/cgroup", path, "/memory.max"));
        if (strstr(controllers + 1, "memory"))
            most = least(most, group_memory(root, "/sys/fs/cgroup/memory", path, "/memory.limit_in_bytes"));
    }
    if (file) (void)fclose(file);
    return most;
}

static size_t resource_memory(void)
{
    size_t most = SIZE_MAX;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) most = least(most, (size_t)limit.rlim_cur);
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) most = least(most, (size_t)limit.rlim_cur);
    return most;
}

static size_t known(size_t most) { return most == SIZE_MAX ? 0 : most; }

static size_t files_memory(const char *root) { return least(total_memory(root), groups_memory(root)); }

size_t mem_of_machine_at(const char *root) { return known(files_memory(root)); }

size_t mem_of_machine(void) { return known(least(files_memory(""), resource_memory())); }
