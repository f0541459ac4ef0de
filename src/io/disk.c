/* io/disk.c - see file.h. An answer that is sent is one line, with the status and the error message, and then the bytes. */
#include "io/file.h"

#include <pthread.h>
#include <sys/stat.h>

/* One for the process, as its working directory is. */
static disk_sharing sharing;

void disk_share(const disk_sharing *how) { sharing = *how; }

/* A text with `count` bytes behind it and a zero byte. */
static vouch_status join(const char *before, const char *from, size_t count, disk_bytes *out, vouch_error *error)
{
    size_t first = strlen(before);
    char *all = mem_alloc(first + count + 1, 1);
    if (!all) {
        error_memory(error);
        return VOUCH_ERROR_MEMORY; /* said outright for the analyzer */
    }
    memcpy(all, before, first);
    if (count > 0) memcpy(all + first, from, count);
    all[first + count] = '\0';
    *out = (disk_bytes){all, first + count};
    return VOUCH_OK;
}

static vouch_status take(const char *answer, size_t count, disk_bytes *out, vouch_error *error)
{
    char *words;
    vouch_status status = (vouch_status)strtol(answer, &words, 10);
    const char *end = memchr(words, '\n', count - (size_t)(words - answer));
    if (!end) return error_set(error, VOUCH_ERROR_IO, "the answer about a file is damaged");
    if (status) return error_set(error, status, "%.*s", (int)(end - words - 1), words + 1);
    return join("", end + 1, count - (size_t)(end + 1 - answer), out, error);
}

/* Sends the status and the bytes. If there is no memory for it, nothing is sent, and this process goes on alone. */
static void tell(const char *question, vouch_status status, const char *wrong, const disk_bytes *found)
{
    char line[sizeof((vouch_error *)0)->text + 16];
    disk_bytes answer = {NULL, 0};
    format_text(line, sizeof line, "%d %s\n", (int)status, wrong);
    if (join(line, found->bytes, found->length, &answer, NULL)) return;
    sharing.tell(question, answer.bytes, answer.length);
    mem_free(answer.bytes);
}

/* ---- streams, which can be read once ------------------------------------------------------------------------------------- */

typedef struct kept {
    struct kept *next;
    disk_bytes question, answer; /* owned */
    vouch_status status;
    vouch_error error;
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool keeping; /* for the whole program; else for the thread that holds */
static kept *of_program;
static _Thread_local kept *of_thread;
static _Thread_local int holds;

bool disk_is_stream(const char *path)
{
    struct stat about;
    return strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

static void forget(kept **list)
{
    while (*list) {
        kept *first = *list;
        *list = first->next;
        MEM_FREE_ALL(first->question.bytes, first->answer.bytes, first);
    }
}

void disk_hold(void) { holds++; }

void disk_drop(void)
{
    if (--holds == 0) forget(&of_thread);
}

void disk_keep(void) { keeping = true; }

void disk_forget(void)
{
    keeping = false;
    forget(&of_program);
}

/* Looks, and keeps what came of it: what failed, a read that was interrupted say, is not begun again. NULL: memory. */
static const kept *look_and_keep(kept **list, const char *question, disk_look *look, const char *path, size_t cap)
{
    kept *k = MEM_ZERO(kept, 1);
    if (!k) return NULL;
    if (join(question, NULL, 0, &k->question, NULL)) {
        mem_free(k);
        return NULL;
    }
    k->status = look(path, cap, &k->answer, &k->error);
    k->next = *list;
    *list = k;
    return k;
}

static vouch_status look_once(const char *question, disk_look *look, const char *path, size_t cap, disk_bytes *out,
                              vouch_error *error)
{
    kept **list = keeping ? &of_program : &of_thread;
    if ((!keeping && holds == 0) || !disk_is_stream(path)) return look(path, cap, out, error);
    if (keeping) pthread_mutex_lock(&lock); /* also while it is read: two threads share the bytes */
    const kept *k = *list;
    while (k && strcmp(k->question.bytes, question) != 0) k = k->next;
    if (!k) k = look_and_keep(list, question, look, path, cap);
    vouch_status status = !k          ? error_memory(error)
                          : k->status ? error_set(error, k->status, "%s", k->error.text)
                                      : join("", k->answer.bytes, k->answer.length, out, error);
    if (keeping) pthread_mutex_unlock(&lock);
    return status;
}

vouch_status disk_ask(const char *question, disk_look *look, const char *path, size_t cap, disk_bytes *out, vouch_error *error)
{
    vouch_error own = {VOUCH_OK, ""};
    disk_bytes asked = {NULL, 0};
    size_t count;
    *out = (disk_bytes){NULL, 0};
    vouch_status status = join(question, path, strlen(path), &asked, error);
    if (status) return status;
    const char *told = sharing.told ? sharing.told(asked.bytes, &count) : NULL;
    if (!sharing.told)
        status = look_once(asked.bytes, look, path, cap, out, error);
    else if (told)
        status = take(told, count, out, error);
    else if (!sharing.tell)
        status = error_set(error, VOUCH_ERROR_IO, "%s: the first process has not read it", path);
    else {
        status = look(path, cap, out, &own);
        if (status) error_set(error, status, "%s", own.text);
        tell(asked.bytes, status, own.text, out);
    }
    mem_free(asked.bytes);
    return status;
}

static vouch_status look_at_kind(const char *path, size_t cap, disk_bytes *out, vouch_error *error)
{
    struct stat about;
    (void)cap;
    return join(stat(path, &about) ? "" : S_ISDIR(about.st_mode) ? "directory" : "file", NULL, 0, out, error);
}

disk_kind disk_kind_of(const char *path)
{
    disk_bytes kind = {NULL, 0};
    if (strcmp(path, "-") == 0) return DISK_FILE;
    bool there = !disk_ask("what is ", look_at_kind, path, 0, &kind, NULL) && kind.length > 0;
    bool directory = there && kind.bytes[0] == 'd';
    mem_free(kind.bytes);
    return directory ? DISK_DIRECTORY : there ? DISK_FILE : DISK_NOTHING;
}

const char *disk_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) return "model";
    return slash && slash[1] ? slash + 1 : path;
}

bool path_ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    if (n > 3 && (strcmp(path + n - 3, ".gz") == 0 || strcmp(path + n - 3, ".xz") == 0)) n -= 3;
    return n >= m && strncmp(path + n - m, ending, m) == 0;
}

bool path_is_directory(const char *path) { return disk_kind_of(path) == DISK_DIRECTORY; }
