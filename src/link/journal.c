/* link/journal.c - see journal.h.
 *
 *     head:    "vouch journal 1\n", the mark of the run, the sum of both;      record: frame_head, sum of the task, answer
 *
 * Cost: reading is one pass over the file when it is opened, and one read a record when it is asked for; of records that are there
 * only their places are held in memory.
 */
#define _DEFAULT_SOURCE /* fdatasync, ftruncate */
#include "link/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "link/frame.h"

/* Between two syncs. */
static const double SYNC_SECONDS = 1;
/* A file whose first bytes are so nearly a journal's is a damaged one, and not some other file. */
enum { TITLE = 16, MARK = 64, TITLE_ALIKE = 12 };
static const char TITLE_TEXT[TITLE + 1] = "vouch journal 1\n";

typedef struct journal_head {
    char title[TITLE], mark[MARK];
    uint64_t sum; /* of both */
} journal_head;

struct vouch_journal {
    int file;
    char *path;
    vouch_log log;
    off_t *at;         /* [held] where records begin */
    size_t held, room; /* of `at` */
    off_t end;         /* of the last whole record */
    long long given;   /* tasks asked for */
    long long merged;  /* answers kept, or found here */
    double synced;     /* when */
    bool ended;        /* nothing more is written */
    bool scarce;       /* a record could not be read for want of memory: it may be good */
    message record;    /* scratch */
};

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static bool read_at(int file, void *to, size_t count, off_t at)
{
    for (size_t done = 0; done < count;) {
        ssize_t n = pread(file, (char *)to + done, count - done, at + (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

/* Reads the record at *at into j->record, and *at becomes where the next one begins. False: there is no whole one. */
static bool read_record(vouch_journal *j, long long number, off_t *at, off_t size)
{
    frame_head h;
    if (size - *at < (off_t)sizeof h || !read_at(j->file, &h, sizeof h, *at) || !frame_plausible(&h)) return false;
    off_t content = *at + (off_t)sizeof h;
    if (h.number != number || h.length < sizeof(uint64_t) || h.length > (uint64_t)(size - content)) return false;
    message_clear(&j->record);
    if (h.length > j->record.capacity) {
        j->scarce = MEM_RESIZE(&j->record.data, h.length) != 0;
        if (j->scarce) return false;
        j->record.capacity = (size_t)h.length;
    }
    j->record.length = (size_t)h.length;
    if (!read_at(j->file, j->record.data, j->record.length, content) || !frame_holds(&h, j->record.data)) return false;
    *at = content + (off_t)h.length;
    return true;
}

bool journal_find(vouch_journal *j, uint64_t task, message *answer)
{
    long long number = j->given++;
    if (number >= (long long)j->held) return false;
    off_t at = j->at[number];
    uint64_t recorded = 0;
    bool good = read_record(j, number, &at, j->end);
    if (good) message_take(&j->record, &recorded, sizeof recorded);
    if (good && recorded == task) {
        message_clear(answer);
        message_put(answer, j->record.data + j->record.at, j->record.length - j->record.at);
        return !answer->failed;
    }
    if (j->scarce) { /* what it holds is kept, and nothing is written behind it */
        j->ended = true;
        return false;
    }
    log_line(&j->log, VOUCH_LOG_ERROR, "%s: record %lld is not of this run: those from there on are dropped", j->path, number + 1);
    j->end = j->at[number];
    j->held = (size_t)number;
    if (ftruncate(j->file, j->end)) j->ended = true;
    return false;
}

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static bool write_whole(int file, const void *from, size_t count, off_t at)
{
    for (size_t done = 0; done < count;) {
        ssize_t n = pwrite(file, (const char *)from + done, count - done, at + (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) errno = ENOSPC;
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

void journal_keep(vouch_journal *j, uint64_t task, const message *answer)
{
    long long number = j->merged++;
    if (number < (long long)j->held || j->ended) return;
    parcel p = {.number = number, .content = j->record};
    message_clear(&p.content);
    message_put(&p.content, &(frame_head){0}, sizeof(frame_head)); /* its place */
    message_put(&p.content, &task, sizeof task);
    message_put(&p.content, answer->data, answer->length);
    j->record = p.content;
    bool written = !j->record.failed;
    if (!written) errno = ENOMEM;
    if (written) {
        p.content.data += sizeof(frame_head);
        p.content.length -= sizeof(frame_head);
        frame_head h = frame_of(&p);
        memcpy(j->record.data, &h, sizeof h);
        written = write_whole(j->file, j->record.data, j->record.length, j->end);
    }
    double now = clock_seconds();
    if (written && now - j->synced >= SYNC_SECONDS) {
        written = fdatasync(j->file) == 0 || errno == EINVAL || errno == EROFS; /* what cannot be synced: a pipe, a device */
        j->synced = now;
    }
    if (written) {
        j->end += (off_t)j->record.length;
        return;
    }
    log_line(&j->log, VOUCH_LOG_ERROR, "%s: cannot write: %s; the journal ends here with %lld records, the run goes on", j->path,
             strerror(errno), number);
    j->ended = true;
    (void)!ftruncate(j->file, j->end);
}

/* ---- opening --------------------------------------------------------------------------------------------------------- */

static journal_head head_of(const char *mark)
{
    journal_head h = {.sum = 0};
    memcpy(h.title, TITLE_TEXT, TITLE);
    strncpy(h.mark, mark, MARK - 1);
    h.sum = message_sum(&h, offsetof(journal_head, sum));
    return h;
}

/* Are the first bytes of a file those of a journal, a few of them damaged? A shorter one has to be its beginning. */
static bool title_alike(const char title[], size_t length)
{
    int alike = 0;
    if (length < TITLE) return memcmp(title, TITLE_TEXT, length) == 0;
    for (size_t i = 0; i < TITLE; i++) alike += title[i] == TITLE_TEXT[i];
    return alike >= TITLE_ALIKE;
}

int vouch_journal_is(const char *path)
{
    char title[TITLE];
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    ssize_t n = read(file, title, sizeof title);
    close(file);
    return n > 0 && title_alike(title, (size_t)n);
}

static vouch_status begin(vouch_journal *j, const char *mark, vouch_error *error)
{
    journal_head h = head_of(mark);
    j->end = sizeof h;
    j->held = 0;
    if (ftruncate(j->file, 0) == 0 && write_whole(j->file, &h, sizeof h, 0)) return VOUCH_OK;
    return error_system(error, errno, "%s: cannot write", j->path);
}

/* Never in the place of a file that holds something: it may be what hours have gone into, or the model. */
static vouch_status begin_new(vouch_journal *j, const char *mark, vouch_error *error)
{
    struct stat about;
    if (fstat(j->file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        return error_set(error, VOUCH_ERROR_INPUT, "%s: is there already: a journal is begun in a new file%s", j->path,
                         vouch_journal_is(j->path) ? ", and --resume goes on from this one" : "");
    return begin(j, mark, error);
}

/* One run alone writes it. Where files cannot be locked this is not known. */
static vouch_status lock(const vouch_journal *j, vouch_error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(j->file, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN)) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_IO, "%s: another run is writing this journal", j->path);
}

/* Finds the whole records. */
static vouch_status scan(vouch_journal *j, const char *mark, vouch_error *error)
{
    journal_head h, own = head_of(mark);
    off_t size = lseek(j->file, 0, SEEK_END), at = sizeof h;
    ssize_t n = pread(j->file, &h, sizeof h, 0);
    if (n <= 0) return begin(j, mark, error);
    if (!title_alike(h.title, (size_t)n)) return error_set(error, VOUCH_ERROR_INPUT, "%s: not a journal of vouch", j->path);
    if ((size_t)n < sizeof h || h.sum != message_sum(&h, offsetof(journal_head, sum))) {
        log_line(&j->log, VOUCH_LOG_ERROR, "%s: damaged at its beginning: the run begins anew", j->path);
        return begin(j, mark, error);
    }
    if (memcmp(&h, &own, sizeof h) != 0)
        return error_set(error, VOUCH_ERROR_INPUT,
                         "%s: made with another model, seed, options or version of vouch (run %.63s, here it is %s)", j->path,
                         h.mark, mark);
    for (;;) {
        off_t next = at;
        if (!read_record(j, (long long)j->held, &next, size)) break;
        if (MEM_RESERVE(&j->at, &j->room, j->held)) return error_memory(error);
        j->at[j->held++] = at;
        at = next;
    }
    if (j->scarce) return error_memory(error);
    j->end = at;
    if (at == size) return VOUCH_OK;
    log_line(&j->log, VOUCH_LOG_ERROR,
             "%s: damaged or cut off at byte %lld of %lld: the run goes on from the %zu records before it", j->path, (long long)at,
             (long long)size, j->held);
    if (ftruncate(j->file, at) == 0) return VOUCH_OK;
    return error_system(error, errno, "%s: cannot write", j->path);
}

vouch_status vouch_journal_open(vouch_journal **out, const char *path, const vouch_journal_options *options, vouch_error *error)
{
    if (out) *out = NULL;
    if (!out || !path || !options || !options->mark) return error_null(error);
    vouch_journal *j = MEM_ZERO(vouch_journal, 1);
    if (!j) return error_memory(error);
    j->file = -1;
    j->path = mem_string(path);
    j->log = options->log;
    j->synced = clock_seconds();
    vouch_status status = j->path ? VOUCH_OK : error_memory(error);
    if (!status) j->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (!status && j->file < 0) status = error_system(error, errno, "%s: cannot open", path);
    if (!status) status = lock(j, error);
    if (!status) status = options->resume ? scan(j, options->mark, error) : begin_new(j, options->mark, error);
    if (status)
        vouch_journal_free(j);
    else
        *out = j;
    return status;
}

void vouch_journal_free(vouch_journal *j)
{
    if (!j) return;
    if (j->file >= 0) close(j->file);
    message_free(&j->record);
    mem_free(j->at);
    mem_free(j->path);
    mem_free(j);
}

long long vouch_journal_records(const vouch_journal *j) { return j ? (long long)j->held : 0; }
