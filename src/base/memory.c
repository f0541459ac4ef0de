/* base/memory.c - see memory.h. Counters are relaxed atomics; bytes are counted as malloc_usable_size. With VOUCH_DEBUG (and no
 * sanitizer) a mark at the end of a block detects overflows when the block is freed or resized. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/check.h"
#include "base/text.h"

static atomic_long live_blocks;
static atomic_long calls;
static _Thread_local long calls_here;
static atomic_long fail_at = -1;         /* value of `calls` at which allocations begin to fail; negative: never */
static atomic_long fail_most = LONG_MAX; /* number of failures */

static atomic_size_t used, limit_bytes = MEM_SHARE_OF_MACHINE; /* 0: no limit */
static atomic_size_t kept;                                     /* its reserve; 0: the usual share */
static atomic_long met;
static const double MACHINE_SHARE = 0.75;          /* the rest is for other programs and malloc itself */
static const size_t ASKED_FROM = (size_t)32 << 20; /* bytes; see MEM_SHARE_OF_MACHINE */
enum { KEPT_PART = 8 };                            /* reserve: 1 / KEPT_PART of the limit */

#if defined(VOUCH_DEBUG) && !defined(__SANITIZE_ADDRESS__)
static const uint64_t END = UINT64_C(0x656e64206f662069); /* unlikely in data */
enum { MARK = sizeof END + sizeof(size_t) };

static void *mark_end(void *p, size_t bytes)
{
    if (!p) return NULL;
    char *at = p;
    memcpy(at + bytes, &END, sizeof END);
    memcpy(at + malloc_usable_size(p) - sizeof bytes, &bytes, sizeof bytes);
    return p;
}

static void end_check(void *p)
{
    char *at = p;
    size_t bytes, usable = malloc_usable_size(p);
    memcpy(&bytes, at + usable - sizeof bytes, sizeof bytes);
    CHECK(usable >= MARK && bytes <= usable - MARK && memcmp(at + bytes, &END, sizeof END) == 0);
}
#else
enum { MARK = 0 };
static void *mark_end(void *p, size_t bytes) { return (void)bytes, p; }
static void end_check(void *p) { (void)p; }
#endif

static atomic_long failures;

static void *noted(void *p)
{
    if (!p) atomic_fetch_add_explicit(&failures, 1, memory_order_relaxed);
    return p;
}

/* The limit for a request of `bytes`; 0: none. */
static size_t limit_with(size_t bytes)
{
    size_t limit = atomic_load_explicit(&limit_bytes, memory_order_relaxed);
    if (limit != MEM_SHARE_OF_MACHINE) return limit;
    if (bytes < ASKED_FROM && mem_used() < ASKED_FROM - bytes) return 0;
    limit = (size_t)(MACHINE_SHARE * (double)mem_of_machine());
    atomic_store(&limit_bytes, limit);
    return limit;
}

static bool beyond_limit(size_t bytes)
{
    size_t limit = limit_with(bytes);
    if (limit == 0 || (bytes <= limit && mem_used() <= limit - bytes)) return false;
    atomic_fetch_add_explicit(&met, 1, memory_order_relaxed);
    return true;
}

static bool refused(size_t bytes)
{
    calls_here++;
    if (beyond_limit(bytes)) return true;
    long now = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    long at = atomic_load_explicit(&fail_at, memory_order_relaxed);
    return at >= 0 && now >= at && now - at < atomic_load_explicit(&fail_most, memory_order_relaxed);
}

static void *counted(void *p)
{
    if (!p) return NULL;
    atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&used, malloc_usable_size(p), memory_order_relaxed);
    return p;
}

static void *allocate(size_t n, size_t size, void *(*get)(size_t))
{
    if (size != 0 && n > SIZE_MAX / 2 / size) return NULL;
    size_t bytes = n && size ? n * size : 1;
    if (refused(bytes)) return noted(NULL);
    return counted(mark_end(noted(get(bytes + MARK)), bytes));
}

static void *zeroed(size_t bytes) { return calloc(bytes, 1); }

void *mem_alloc(size_t n, size_t size) { return allocate(n, size, malloc); }

void *mem_zero(size_t n, size_t size) { return allocate(n, size, zeroed); }

void *mem_resize(void *p, size_t n, size_t size)
{
    if (!p) return mem_alloc(n, size);
    if (size != 0 && n > SIZE_MAX / 2 / size) return NULL;
    size_t bytes = n && size ? n * size : 1, before = malloc_usable_size(p);
    if (refused(bytes > before ? bytes - before : 0)) return noted(NULL);
    end_check(p);
    void *moved = noted(realloc(p, bytes + MARK));
    if (moved) atomic_fetch_add_explicit(&used, malloc_usable_size(moved) - before, memory_order_relaxed);
    return mark_end(moved, bytes);
}

void mem_free(void *p)
{
    if (!p) return;
    CHECK_COMPARE(mem_live(), >, 0);
    end_check(p);
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&used, malloc_usable_size(p), memory_order_relaxed);
    free(p);
}

void mem_free_blocks(void *const p[], size_t count)
{
    for (size_t i = 0; i < count; i++) mem_free(p[i]);
}

int ascending_ints(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

int ascending_reals(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void mem_free_strings(char **string, size_t count)
{
    for (size_t i = 0; i < count && string; i++) mem_free(string[i]);
    mem_free(string);
}

char *mem_string(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = mem_alloc(n, 1);
    if (copy) memcpy(copy, text, n);
    return copy;
}

int mem_resize_block(void **block, size_t n, size_t size)
{
    void *p = mem_resize(*block, n, size);
    if (!p) return -1;
    *block = p;
    return 0;
}

int mem_reserve(void **block, size_t *capacity, size_t count, size_t size)
{
    CHECK(size > 0);
    CHECK(*block || *capacity == 0);
    if (count < *capacity) return 0;
    size_t more = count + count / 2 + 8;
    if (mem_resize_block(block, more, size)) return -1;
    *capacity = more;
    return 0;
}

static void fail(long after, long most)
{
    atomic_store(&fail_most, most);
    atomic_store(&fail_at, after < 0 ? -1 : atomic_load(&calls) + after);
}

void mem_fail_after(long count) { fail(count, LONG_MAX); }

void mem_fail_once(long count) { fail(count, 1); }

void mem_limit(size_t bytes)
{
    atomic_store(&kept, 0);
    atomic_store(&limit_bytes, bytes);
}

void mem_limit_more(size_t bytes)
{
    mem_limit(mem_used() + bytes);
    atomic_store(&kept, bytes / KEPT_PART);
}

void vouch_set_memory_limit(size_t bytes) { mem_limit(bytes); }

size_t mem_limited(void) { return limit_with(0); }

size_t mem_share(int processes)
{
    CHECK_COMPARE(processes, >, 0);
    size_t limit = limit_with(ASKED_FROM), taken = mem_used();
    if (limit == 0) return 0;
    return limit > taken + (size_t)processes ? (limit - taken) / (size_t)processes : 1;
}

bool mem_scarce(void)
{
    size_t limit = mem_limited(), end = atomic_load_explicit(&kept, memory_order_relaxed);
    if (limit == 0 || mem_used() < limit - (end > 0 ? end : limit / KEPT_PART)) return false;
    atomic_fetch_add_explicit(&met, 1, memory_order_relaxed);
    return true;
}

void mem_limit_met_elsewhere(long times) { atomic_fetch_add(&met, times); }

long mem_limit_met(void) { return atomic_load(&met); }

size_t mem_used(void) { return atomic_load_explicit(&used, memory_order_relaxed); }

void mem_failures_settled(long before) { atomic_store(&failures, before); }

long mem_failures(void) { return atomic_load(&failures); }

long mem_live(void) { return atomic_load(&live_blocks); }

long mem_calls(void) { return atomic_load(&calls); }

long mem_calls_here(void) { return calls_here; }

/* ---- memory of the machine: the minimum of MemTotal, the limits of the control group and its ancestors (version 2: memory.max
 * along the path of /proc/self/cgroup; version 1: memory.limit_in_bytes), RLIMIT_AS and RLIMIT_DATA. Unreadable files count as no
 * limit; in a container the path may be outside it, so the root of the groups is read, too ---- */

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

/* ---- large pages, with glibc: a block is allocated and freed untouched; mallopt keeps its addresses in the heap, and madvise
 * makes the kernel back them by pages of 2 MB. A page fault costs a thousand multiplications; vouch lp on Netlib's ship08l had 1800
 * ---- */

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

/* Large pages are backed whole, so only as many as small programs need. Other blocks of OWN_PAGES bytes or more are mapped on their
 * own. */
enum { LARGEST = 32 << 20, STRETCH = 16 << 20, PAGE = 2 << 20, OWN_PAGES = 1 << 20 };

void mem_use_large_pages(void)
{
    if (!mallopt(M_MMAP_THRESHOLD, LARGEST) || !mallopt(M_TRIM_THRESHOLD, INT32_MAX)) return;
    void *block = malloc(STRETCH);
    if (!block) return;
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)block + STRETCH) / PAGE * PAGE;
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
    free(block);
    (void)mallopt(M_MMAP_THRESHOLD, OWN_PAGES);
}
#else
void mem_use_large_pages(void) {}
#endif
