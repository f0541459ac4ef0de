/* io/output.c - see file.h.
 *
 * The directory is synced after a rename, so that the name survives a crash.
 */
#define _GNU_SOURCE /* mkostemp */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 1 << 16, MODE_NEW = 0666, MODE_NEW_DIRECTORY = 0777, LINKS = 40, SLOTS = 1 << 16 };

/* ---- temporary files ------------------------------------------------------------------------------------------ */

static _Atomic(char *) temporary[SLOTS]; /* names, owned; NULL: free */
static atomic_uint next_slot;

static int temporary_take(char *name)
{
    for (int i = 0; i < SLOTS; i++) {
        unsigned at = atomic_fetch_add(&next_slot, 1U) % SLOTS;
        char *none = NULL;
        if (atomic_compare_exchange_strong(&temporary[at], &none, name)) return (int)at;
    }
    return -1;
}

static char *temporary_give(int slot) { return slot < 0 ? NULL : atomic_exchange(&temporary[slot], NULL); }

const char *temporary_name(int slot)
{
    CHECK(slot >= 0 && slot < SLOTS);
    return temporary[slot];
}

void output_discard(void)
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

static mode_t temporary_mode(mode_t mode)
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
    char *name = temporary_beside(path, "vouch.tmp.XXXXXX"); /* not the file's own name, which may be as long as names can be */
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

/* 0, or -1 with errno set. */
static int write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t n = write(fd, bytes, count);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) return -1;
        bytes += n;
        count -= (size_t)n;
    }
    return 0;
}

static int write_gzip(int fd, const char *bytes, size_t count)
{
    int copy = dup(fd);
    if (copy < 0) return -1;
    gzFile out = gzdopen(copy, "wb");
    if (!out) {
        close(copy);
        errno = ENOMEM;
        return -1;
    }
    errno = 0;
    int bad = 0, code = Z_OK;
    while (count > 0 && !bad) {
        unsigned n = count < CHUNK ? (unsigned)count : CHUNK;
        bad = gzwrite(out, bytes, n) != (int)n;
        bytes += n;
        count -= n;
    }
    (void)gzerror(out, &code);
    int saved = code == Z_MEM_ERROR ? ENOMEM : errno;
    if (gzclose_w(out) != Z_OK) {
        saved = saved ? saved : errno;
        bad = 1;
    }
    errno = saved ? saved : EIO;
    return bad ? -1 : 0;
}

static bool output_packed(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

static int output_bytes(int fd, bool packed, const char *bytes, size_t count)
{
    return packed ? write_gzip(fd, bytes, count) : write_all(fd, bytes, count);
}

static void sync_directory(const char *path)
{
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    (void)fsync(fd);
    close(fd);
}

static void sync_parent(const char *path)
{
    char *directory = temporary_beside(path, ".");
    sync_directory(directory);
    mem_free(directory);
}

typedef struct output {
    char *target;   /* owned: the path once links have been followed */
    int slot;       /* of its temporary file; -1: written in place */
    int descriptor; /* the descriptor of this process that the path means; -1: none */
} output;

/* ---- one file ------------------------------------------------------------------------------------------------- */

static void output_free(output *o)
{
    temporary_remove(&o->slot);
    mem_free(o->target);
    o->target = NULL;
}

/* The descriptor that a path like /dev/stdout means, -1: none. Such a file is never replaced: others have it open. */
static int descriptor_of(const char *path)
{
    static const char *const folder[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(folder[i]);
        char *end;
        if (strncmp(path, folder[i], n) != 0 || path[n] < '0' || path[n] > '9') continue;
        long fd = strtol(path + n, &end, 10);
        if (!*end && fd <= INT_MAX) return (int)fd;
    }
    return -1;
}

/* Follows links in the last part of o->target. -1 with errno set. */
static int follow_links(output *o)
{
    for (int i = 0; i < LINKS && (o->descriptor = descriptor_of(o->target)) < 0; i++) {
        char to[PATH_MAX];
        ssize_t n = readlink(o->target, to, sizeof to - 1);
        if (n < 0) return 0;
        to[n] = '\0';
        char *next = to[0] == '/' ? mem_string(to) : temporary_beside(o->target, to);
        if (!next) {
            errno = ENOMEM;
            return -1;
        }
        mem_free(o->target);
        o->target = next;
    }
    if (o->descriptor >= 0) return 0;
    errno = ELOOP;
    return -1;
}

/* Finds out where the bytes will go, and makes the temporary file. */
static vouch_status output_open(output *o, const char *path, vouch_error *error)
{
    struct stat about;
    *o = (output){.target = mem_string(path), .slot = -1, .descriptor = -1};
    if (!o->target) return error_memory(error);
    if (!*path) return error_set(error, VOUCH_ERROR_IO, "cannot create a file: its name is empty");
    if (follow_links(o)) return error_system(error, errno, "%s: cannot create", path);
    if (o->descriptor >= 0 && fcntl(o->descriptor, F_GETFD) < 0) return error_system(error, errno, "%s: cannot write", path);
    if (o->descriptor >= 0) return VOUCH_OK;
    bool there = stat(o->target, &about) == 0;
    if (there && S_ISDIR(about.st_mode))
        return error_set(error, VOUCH_ERROR_IO, "%s: cannot write: it is a directory, expected a file", path);
    if (there && !S_ISREG(about.st_mode)) {
        if (access(o->target, W_OK) != 0) return error_system(error, errno, "%s: cannot write", path);
        return VOUCH_OK;
    }
    bool made = temporary_make(o->target, false, &o->slot) == 0;
    if (!made && errno == ENOENT)
        return error_set(error, VOUCH_ERROR_IO, "%s: cannot create: there is no such directory to write it into", path);
    if (!made) return error_system(error, errno, "%s: cannot create", path);
    return VOUCH_OK;
}

/* A descriptor for its bytes; -1 with errno set. */
static int output_begin(output *o)
{
    struct stat about;
    if (o->slot < 0) {
        if (o->descriptor == STDOUT_FILENO && fflush(stdout) != 0) return -1;
        return o->descriptor >= 0 ? dup(o->descriptor) : open(o->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    }
    int fd = open(temporary_name(o->slot), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return -1;
    bool there = stat(o->target, &about) == 0;
    if (fchmod(fd, there ? about.st_mode & 07777 : temporary_mode(MODE_NEW)) == 0) return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* bad: something could not be written, as errno says. -1 with errno set. */
static int output_end(const output *o, int fd, bool bad)
{
    bad = bad || (o->slot >= 0 && fsync(fd) != 0);
    int why = errno;
    if (close(fd) != 0 && !bad) return -1;
    errno = why;
    return bad ? -1 : 0;
}

static vouch_status output_fill(output *o, const char *path, const char *bytes, size_t length, vouch_error *error)
{
    int fd = output_begin(o);
    bool bad = fd < 0 || output_end(o, fd, output_bytes(fd, output_packed(path), bytes, length) != 0) != 0;
    return bad ? error_system(error, errno, "%s: cannot write", path) : VOUCH_OK;
}

static vouch_status output_commit(output *o, const char *path, vouch_error *error)
{
    if (o->slot < 0) return VOUCH_OK;
    if (rename(temporary_name(o->slot), o->target) != 0) return error_system(error, errno, "%s: cannot write", path);
    mem_free(temporary_give(o->slot));
    o->slot = -1;
    sync_parent(o->target);
    return VOUCH_OK;
}

/* Where the bytes of path will go: a file, or one to be made in a folder. */
static bool find_place(output *o, const char *path, struct stat *file, struct stat *folder)
{
    *o = (output){.target = mem_string(path), .slot = -1, .descriptor = -1};
    if (!o->target || follow_links(o)) return false;
    if (o->descriptor >= 0) return fstat(o->descriptor, file) == 0;
    if (stat(o->target, file) == 0) return true;
    char *beside = temporary_beside(o->target, ".");
    bool found = beside && stat(beside, folder) == 0;
    mem_free(beside);
    file->st_ino = 0;
    return found;
}

static const char *last_part(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

bool output_same(const char *path, const char *other)
{
    output o[2];
    struct stat file[2], folder[2];
    bool found = find_place(&o[0], path, &file[0], &folder[0]);
    found = find_place(&o[1], other, &file[1], &folder[1]) && found;
    bool same = found && file[0].st_ino && file[0].st_ino == file[1].st_ino && file[0].st_dev == file[1].st_dev &&
                !S_ISCHR(file[0].st_mode);
    if (found && !file[0].st_ino && !file[1].st_ino)
        same = folder[0].st_ino == folder[1].st_ino && folder[0].st_dev == folder[1].st_dev &&
               strcmp(last_part(o[0].target), last_part(o[1].target)) == 0;
    for (int i = 0; i < 2; i++) output_free(&o[i]);
    return same;
}

/* ---- checks before the work, and whole files ------------------------------------------------------------------- */

static vouch_status check_directory(const char *path, vouch_error *error)
{
    struct stat about;
    char *whole = mem_string(path), *parent = NULL;
    if (!whole) return error_memory(error);
    for (size_t n = strlen(whole); n > 1 && whole[n - 1] == '/'; n--) whole[n - 1] = '\0';
    bool there = stat(whole, &about) == 0;
    if (!there) parent = temporary_beside(whole, ".");
    vouch_status status = VOUCH_OK;
    if (there && !S_ISDIR(about.st_mode))
        status = error_set(error, VOUCH_ERROR_IO, "%s: cannot create: there is a file of this name", path);
    else if (!there && !parent)
        status = error_memory(error);
    else if (access(there ? whole : parent, W_OK | X_OK) != 0)
        status = error_system(error, errno, "%s: cannot %s", path, there ? "write into it" : "create");
    mem_free(parent);
    mem_free(whole);
    return status;
}

vouch_status output_check(const char *path, vouch_error *error)
{
    size_t n = strlen(path);
    if (n > 0 && path[n - 1] == '/') return check_directory(path, error);
    output file;
    vouch_status status = output_open(&file, path, error);
    output_free(&file);
    return status;
}

vouch_status file_write(const char *path, const char *bytes, size_t length, vouch_error *error)
{
    output file;
    vouch_status status = output_open(&file, path, error);
    if (!status) status = output_fill(&file, path, bytes, length, error);
    if (!status) status = output_commit(&file, path, error);
    output_free(&file);
    return status;
}

bool file_there(const char *path)
{
    struct stat about;
    return descriptor_of(path) < 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool file_remove(const char *path)
{
    if (!file_there(path) || unlink(path) != 0) return false;
    sync_parent(path);
    return true;
}

/* ---- texts that are written while they grow ------------------------------------------------------------------- */

struct text_sink {
    output file;
    bool packed;
    int fd, why; /* -1: nothing is written yet; errno of a failed write */
};

/* A long text is written in pieces of this. Packed, each is a stream of its own, which follow each other. */
enum { PIECE = 1 << 22 };

vouch_status text_stream(text *t, const char *path, vouch_error *error)
{
    text_sink *sink = MEM_ZERO(text_sink, 1);
    if (!sink) return error_memory(error);
    vouch_status status = output_open(&sink->file, path, error);
    sink->packed = output_packed(path);
    sink->fd = -1;
    t->sink = sink;
    if (status) text_free(t);
    return status;
}

void text_pass_on(text *t)
{
    text_sink *sink = t->sink;
    if (t->failed || t->length < PIECE) return;
    if (sink->fd < 0) sink->fd = output_begin(&sink->file);
    if (sink->fd < 0 || output_bytes(sink->fd, sink->packed, t->data, t->length) != 0) {
        sink->why = errno;
        t->failed = true;
    }
    t->length = 0;
    t->data[0] = '\0';
}

void text_sink_free(text_sink *sink)
{
    if (!sink) return;
    if (sink->fd >= 0) close(sink->fd);
    output_free(&sink->file);
    mem_free(sink);
}

/* The rest, in the place of the file. */
static vouch_status end_stream(text *t, const char *path, vouch_error *error)
{
    text_sink *sink = t->sink;
    const char *rest = t->data ? t->data : "";
    if (sink->why) return error_system(error, sink->why, "%s: cannot write", path);
    if (t->failed) return error_memory(error);
    if (sink->fd < 0) {
        vouch_status status = output_fill(&sink->file, path, rest, t->length, error);
        return status ? status : output_commit(&sink->file, path, error);
    }
    bool bad = t->length > 0 && output_bytes(sink->fd, sink->packed, rest, t->length) != 0;
    bad = output_end(&sink->file, sink->fd, bad) != 0;
    sink->fd = -1;
    return bad ? error_system(error, errno, "%s: cannot write", path) : output_commit(&sink->file, path, error);
}

vouch_status text_write(text *t, const char *path, vouch_error *error)
{
    vouch_status status = t->sink     ? end_stream(t, path, error)
                          : t->failed ? error_memory(error)
                                      : file_write(path, t->data ? t->data : "", t->length, error);
    text_free(t);
    return status;
}

/* A file of a new directory, which nobody sees yet: the temporary file keeps its name. */
static vouch_status write_inside(output *o, const char *path, const text *content, vouch_error *error)
{
    *o = (output){.slot = -1, .descriptor = -1};
    char *name = mem_string(path);
    if (!name) return error_memory(error);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE_NEW);
    if (fd >= 0 && (o->slot = temporary_take(name)) < 0) errno = EMFILE;
    int bad = o->slot < 0 || write_all(fd, content->data ? content->data : "", content->length) || fsync(fd);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && !bad) {
        bad = 1;
        why = errno;
    }
    vouch_status status = bad ? error_system(error, why, "%s: cannot write", path) : VOUCH_OK;
    if (o->slot < 0) mem_free(name);
    return status;
}

static vouch_status write_member(output *o, const char *folder, bool fresh, const char *name, const text *content,
                                 vouch_error *error)
{
    text path = {0};
    text_add(&path, "%s/%s", folder, name);
    vouch_status status = path.failed || content->failed ? error_memory(error) : VOUCH_OK;
    if (!status && fresh)
        status = write_inside(o, path.data, content, error);
    else if (!status) {
        status = output_open(o, path.data, error);
        if (!status) status = output_fill(o, path.data, content->data ? content->data : "", content->length, error);
    }
    text_free(&path);
    return status;
}

/* All files have been written: gives them their names. */
static vouch_status commit_all(output file[], int count, const char *path, const char *folder, int *fresh, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (*fresh < 0) {
        for (int i = 0; i < count && !status; i++) status = output_commit(&file[i], file[i].target, error);
        return status;
    }
    sync_directory(temporary_name(*fresh));
    if (chmod(temporary_name(*fresh), temporary_mode(MODE_NEW_DIRECTORY)) != 0 || rename(temporary_name(*fresh), folder) != 0)
        return error_system(error, errno, "%s: cannot create", path);
    for (int i = 0; i < count; i++) {
        mem_free(temporary_give(file[i].slot));
        file[i].slot = -1;
    }
    mem_free(temporary_give(*fresh));
    *fresh = -1;
    sync_parent(folder);
    return VOUCH_OK;
}

vouch_status output_directory(const char *path, int count, output_make *make, const void *context, vouch_error *error)
{
    struct stat about;
    int fresh = -1, made = 0;
    char *folder = mem_string(path);
    output *file = MEM_ZERO(output, count);
    vouch_status status = folder && file ? VOUCH_OK : error_memory(error);
    for (size_t n = folder ? strlen(folder) : 0; n > 1 && folder[n - 1] == '/'; n--) folder[n - 1] = '\0';
    if (!status && stat(folder, &about) != 0 && temporary_make(folder, true, &fresh))
        status = error_system(error, errno, "%s: cannot create", path);
    for (; made < count && !status; made++) {
        text content = {0};
        char name[OUTPUT_NAME];
        file[made] = (output){.slot = -1, .descriptor = -1};
        status = make(context, made, name, &content, error);
        if (!status)
            status = write_member(&file[made], fresh < 0 ? folder : temporary_name(fresh), fresh >= 0, name, &content, error);
        text_free(&content);
    }
    if (!status) status = commit_all(file, count, path, folder, &fresh, error);
    for (int i = 0; i < made; i++) output_free(&file[i]);
    temporary_remove(&fresh);
    mem_free(file);
    mem_free(folder);
    return status;
}
