/* scarce_fork.h - refuses every allocation of a run, each in a forked child: one run instead of thousands.
 *
 * At each allocation the run forks a child in which it fails, continues, and later reports the child's exit status. The child works
 * in a directory of its own, a copy of the run's, with the open files there, standard output included. A fork has one thread and
 * cannot copy the content of a pipe: with more threads, or pipes, no allocation is refused, and each skipped one is reported as
 * ALONE. Processes that the run starts are not affected.
 *
 * SCARCE_FORK="SAY WHOLE FOLDER": a descriptor for pairs of long, n and the exit status of its child; the number of allocations all
 * of which are refused (beyond it each call stack's first, second, fourth, eighth .. visit); and the folder of the children's
 * directories, named by n, which the reader of the reports inspects and removes.
 */
#ifndef SCARCE_FORK_H
#define SCARCE_FORK_H

#include <dirent.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ALONE = -1, PATH = 1024, SECONDS = 60, CHILDREN = 3, FILES = 64, FRAMES = 48, STACKS = 1 << 16 };

static struct {
    pid_t process; /* 0: off */
    int say;
    long whole;
    struct {
        uint64_t sum; /* 0: none */
        long visits;
    } stack[STACKS];
    char folders[PATH], folder[PATH + 32]; /* of all children, of the next */
    int again[FILES];                      /* descriptors in it, -1: none */
    pid_t child[CHILDREN];                 /* 0: none */
    long number[CHILDREN];
    int oldest;
    struct timespec now[2]; /* time stands still, so that no limit expires while children run */
} server;

static void server_begin(const char *words)
{
    int at = 0;
    if (!words || sscanf(words, "%d %ld %n", &server.say, &server.whole, &at) != 2) return;
    snprintf(server.folders, sizeof server.folders, "%s", words + at);
    unsetenv("SCARCE_FORK");
    server.process = getpid();
}

static void server_give_up(const char *what)
{
    dprintf(2, "scarce: %s failed\n", what);
    _exit(98);
}

/* Opens the copy: at a path, or one without a name in a directory. */
static int copy_file(const char *from, const char *to, bool unnamed)
{
    char part[1 << 14];
    struct stat about;
    int in = open(from, O_RDONLY | O_CLOEXEC),
        out = open(to, unnamed ? O_RDWR | O_TMPFILE | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (in < 0 || out < 0 || fstat(in, &about)) server_give_up(from);
    for (ssize_t n; (n = read(in, part, sizeof part)) > 0;)
        if (write(out, part, (size_t)n) != n) server_give_up(to);
    if (fchmod(out, about.st_mode & 07777)) server_give_up(to);
    close(in);
    return out;
}

static void copy_directory(const char *from, const char *to)
{
    char a[PATH], b[PATH];
    struct stat about;
    DIR *all = opendir(from);
    if (mkdir(to, 0777) || !all) server_give_up(to);
    for (struct dirent *e; (e = readdir(all));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (snprintf(a, PATH, "%s/%s", from, e->d_name) >= PATH || snprintf(b, PATH, "%s/%s", to, e->d_name) >= PATH ||
            lstat(a, &about))
            server_give_up(e->d_name);
        if (S_ISDIR(about.st_mode))
            copy_directory(a, b);
        else
            close(copy_file(a, b, false));
    }
    closedir(all);
}

/* The file of a descriptor once more: its copy, if it is in the old directory, else itself with an offset of its own. */
static int open_again(int fd, const char *old)
{
    char link[64], path[PATH], there[3 * PATH];
    struct stat about;
    size_t start = strlen(old);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0 || fstat(fd, &about) || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))) return -1;
    path[n] = '\0';
    bool inside = strncmp(path, old, start) == 0 && (path[start] == '/' || !path[start]);
    snprintf(there, sizeof there, "%s%s", inside ? server.folder : "", inside ? path + start : path);
    bool unnamed = S_ISREG(about.st_mode) && about.st_nlink == 0;
    int again = unnamed ? copy_file(link, server.folders, true)
                        : open(there, (fcntl(fd, F_GETFL) & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_CLOEXEC);
    if (again >= 0 && S_ISREG(about.st_mode)) lseek(again, lseek(fd, 0, SEEK_CUR), SEEK_SET);
    return again;
}

/* The directory of child n, and in `again` the files that are open. */
static void prepare(long n)
{
    char old[PATH];
    if (!getcwd(old, sizeof old)) server_give_up("getcwd");
    snprintf(server.folder, sizeof server.folder, "%s/%ld", server.folders, n);
    copy_directory(old, server.folder);
    for (int fd = 0; fd < FILES; fd++) server.again[fd] = -1;
    for (int fd = 0; fd < FILES; fd++) {
        bool new = fd == server.say;
        for (int i = 0; i < fd; i++) new = new || server.again[i] == fd;
        if (!new) server.again[fd] = open_again(fd, old);
    }
}

static void move_apart(void)
{
    for (int fd = 0; fd < FILES; fd++) {
        int again = server.again[fd];
        if (again >= 0 && dup3(again, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0) < 0) server_give_up("dup3");
    }
    for (int fd = 0; fd < FILES; fd++)
        if (server.again[fd] >= 0) close(server.again[fd]);
    if (chdir(server.folder)) server_give_up("chdir");
    close(server.say);
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS + 5});
    alarm(10 * SECONDS); /* whoever waits for ever */
}

static void server_say(long n, long how)
{
    long told[2] = {n, how};
    if (write(server.say, told, sizeof told) != sizeof told) server_give_up("the listener");
}

/* Frees the oldest place. */
static void server_await(void)
{
    int status = 0;
    pid_t *child = &server.child[server.oldest];
    if (*child) {
        if (waitpid(*child, &status, 0) != *child) server_give_up("waitpid");
        server_say(server.number[server.oldest], status);
    }
    *child = 0;
}

static void server_end(void)
{
    for (int i = 0; i < CHILDREN && server.process == getpid(); i++, server.oldest = (server.oldest + 1) % CHILDREN) server_await();
}

/* Is it the first, second, fourth, eighth .. visit of this call stack? */
static bool is_due(void)
{
    void *frame[FRAMES];
    uint64_t sum = UINT64_C(14695981039346656037); /* Fowler, Noll, Vo */
    int depth = backtrace(frame, FRAMES);
    for (int i = 0; i < depth; i++) sum = (sum ^ (uint64_t)(uintptr_t)frame[i]) * UINT64_C(1099511628211);
    size_t at = sum % STACKS, tried = 0;
    while (server.stack[at].sum != 0 && server.stack[at].sum != sum && ++tried < STACKS) at = (at + 1) % STACKS;
    server.stack[at].sum = sum;
    long visits = ++server.stack[at].visits;
    return (visits & (visits - 1)) == 0;
}

static bool has_company(void)
{
    struct stat about;
    if (stat("/proc/self/task", &about) || about.st_nlink != 3) return true;
    for (int fd = 0; fd < FILES; fd++)
        if (fd != server.say && fstat(fd, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode))) return true;
    return false;
}

/* Is this the child in which allocation n fails? */
static bool server_refuses(long n)
{
    if (!server.process || getpid() != server.process) return false;
    if (!is_due() && n > server.whole) return false;
    if (has_company()) {
        server_say(n, ALONE);
        return false;
    }
    server_await();
    prepare(n);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL); /* fork without what others hook to it */
    if (child < 0) server_give_up("fork");
    if (child == 0) {
        server.process = 0;
        move_apart();
        return true;
    }
    for (int fd = 0; fd < FILES; fd++)
        if (server.again[fd] >= 0) close(server.again[fd]);
    server.child[server.oldest] = child;
    server.number[server.oldest] = n;
    server.oldest = (server.oldest + 1) % CHILDREN;
    return false;
}

__attribute__((destructor)) static void end(void) { server_end(); }

/* Those who end without destructors. */
void _exit(int status)
{
    server_end();
    syscall(SYS_exit_group, status);
    for (;;) pause();
}

int clock_gettime(clockid_t clock, struct timespec *now);
int clock_gettime(clockid_t clock, struct timespec *now)
{
    bool still = server.folders[0] && (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME);
    struct timespec *first = &server.now[clock == CLOCK_MONOTONIC];
    if (still && first->tv_sec > 0) {
        *now = *first;
        return 0;
    }
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (still) *first = *now;
    return failed;
}

#endif
