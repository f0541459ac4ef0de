/* link/journal.c - see journal.h.
 *
 *     head:    "vouch journal 2\
 * ", the mark of the run, the sum of both;      record: frame_head, sum of the head, key, answer
 *
 * Records are found by their keys, in any order. After a damaged record the next one is found by the mark of its frame; a
 * recomputed record fills the gap. A damaged head is rewritten if a record shows that the journal belongs to this run. Cost: one
 * pass over the file and one read per used record; only keys and places of records are in memory.
 */
#define _GNU_SOURCE /* fdatasync, ftruncate, memmem */
#include "link/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "link/transport.h"

static const double SYNC_SECONDS = 1; /* between two syncs */
enum { TITLE = 16, MARK = 64, TITLE_WORDS = 14, PORTION = 1 << 16 };
/* The first TITLE_WORDS characters are the same in all versions. */
static const char TITLE_TEXT[TITLE + 1] = "vouch journal 2\n";

typedef struct journal_head {
    char title[TITLE], mark[MARK];
    uint64_t sum; /* of both */
} journal_head;

/* The beginning of a record, after its frame. */
typedef struct record_head {
    uint64_t run; /* sum of the journal's head */
    journal_key key;
} record_head;

typedef struct record_place {
    journal_key key;
    off_t at;
} record_place;

/* Bytes between good records. */
typedef struct gap {
    off_t at, end;
} gap;

struct vouch_journal {
    int file;
    char *path;
    vouch_log log;
    journal_head head;
    record_place *record; /* [records] found at the beginning, sorted by key */
    size_t records, record_room;
    gap *gap; /* [gaps] */
    size_t gaps, gap_room;
    off_t end;         /* of the last whole record */
    uint64_t sessions; /* begun */
    long long kept;    /* answers written */
    double synced;     /* when */
    bool ended;        /* nothing more is written */
    bool scarce;       /* memory ran out while a record was read: it may be good */
    bool foreign;      /* there is a record of another run */
    message content;   /* scratch: of a record */
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

/* Reads the record at *at into j->content and moves *at behind it. False: no whole record of this run. */
static bool read_record(vouch_journal *j, off_t *at, off_t size, record_head *found)
{
    frame_head h;
    if (size - *at < (off_t)sizeof h || !read_at(j->file, &h, sizeof h, *at) || !frame_plausible(&h)) return false;
    off_t place = *at + (off_t)sizeof h;
    if (h.length > (uint64_t)(size - place)) return false;
    message_clear(&j->content);
    if (h.length > j->content.capacity) {
        j->scarce = MEM_RESIZE(&j->content.data, h.length) != 0;
        if (j->scarce) return false;
        j->content.capacity = (size_t)h.length;
    }
    j->content.length = (size_t)h.length;
    if (!read_at(j->file, j->content.data, j->content.length, place) || !frame_holds(&h, j->content.data)) return false;
    message_take(&j->content, found, sizeof *found);
    bool own = !j->content.failed && found->run == j->head.sum;
    j->foreign |= !own;
    if (own) *at = place + (off_t)h.length;
    return own;
}

/* The first mark of a frame at or after `at`; size: none. */
static off_t find_frame(const vouch_journal *j, off_t at, off_t size)
{
    static const uint64_t mark = FRAME_MARK;
    unsigned char portion[PORTION];
    while (size - at >= (off_t)sizeof mark) {
        size_t count = size - at < PORTION ? (size_t)(size - at) : PORTION;
        if (!read_at(j->file, portion, count, at)) break;
        const unsigned char *found = memmem(portion, count, &mark, sizeof mark);
        if (found) return at + (found - portion);
        at += (off_t)(count - sizeof mark + 1);
    }
    return size;
}

/* The first whole record at or after *at. False: none. */
static bool next_record(vouch_journal *j, off_t *at, off_t *next, off_t size, record_head *found)
{
    while (*at < size && !j->scarce) {
        *next = *at;
        if (read_record(j, next, size, found)) return true;
        *at = find_frame(j, *at + 1, size);
    }
    return false;
}

static int compare_keys(const void *one, const void *other)
{
    const journal_key *a = &((const record_place *)one)->key, *b = &((const record_place *)other)->key;
    if (a->task != b->task) return a->task < b->task ? -1 : 1;
    return (a->session > b->session) - (a->session < b->session);
}

uint64_t journal_session(vouch_journal *j, uint64_t kind)
{
    const uint64_t session[] = {kind, j->sessions++};
    return message_sum(session, sizeof session);
}

journal_key journal_key_of(uint64_t session, const message *task)
{
    return (journal_key){message_sum(task->data, task->length), message_sum_from(session, task->data, task->length)};
}

bool journal_find(vouch_journal *j, const journal_key *key, message *answer)
{
    record_head found;
    const record_place wanted = {.key = *key},
                       *r = j->records ? bsearch(&wanted, j->record, j->records, sizeof *r, compare_keys) : NULL;
    if (!r) return false;
    off_t at = r->at;
    if (!read_record(j, &at, j->end, &found) || compare_keys(&(record_place){.key = found.key}, r) != 0) return false;
    message_clear(answer);
    message_put(answer, j->content.data + j->content.at, j->content.length - j->content.at);
    return !answer->failed;
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

/* The place of a record of this length: the first gap with room, else the end. */
static off_t *place_for(vouch_journal *j, size_t length)
{
    for (size_t i = 0; i < j->gaps; i++)
        if (j->gap[i].end - j->gap[i].at >= (off_t)length) return &j->gap[i].at;
    return &j->end;
}

static bool write_record(vouch_journal *j, const journal_key *key, const message *answer, off_t at)
{
    parcel p = {.content = j->content};
    const record_head head = {j->head.sum, *key};
    message_clear(&p.content);
    message_put(&p.content, &(frame_head){0}, sizeof(frame_head)); /* its place */
    message_put(&p.content, &head, sizeof head);
    message_put(&p.content, answer->data, answer->length);
    j->content = p.content;
    if (p.content.failed) {
        errno = ENOMEM;
        return false;
    }
    p.content.data += sizeof(frame_head);
    p.content.length -= sizeof(frame_head);
    frame_head h = frame_of(&p);
    memcpy(j->content.data, &h, sizeof h);
    return write_whole(j->file, j->content.data, j->content.length, at);
}

void journal_keep(vouch_journal *j, const journal_key *key, const message *answer)
{
    if (j->ended) return;
    off_t *at = place_for(j, sizeof(frame_head) + sizeof(record_head) + answer->length);
    bool written = write_record(j, key, answer, *at);
    double now = clock_seconds();
    if (written && now - j->synced >= SYNC_SECONDS) {
        written = fdatasync(j->file) == 0 || errno == EINVAL || errno == EROFS; /* files without sync: a pipe, a device */
        j->synced = now;
    }
    if (written) {
        *at += (off_t)j->content.length;
        j->kept++;
        return;
    }
    log_line(&j->log, VOUCH_LOG_ERROR, "%s: cannot write: %s; the journal ends after %lld records, the run continues", j->path,
             system_text(errno), vouch_journal_records(j) + j->kept);
    j->ended = true;
    (void)!ftruncate(j->file, j->end);
}

/* ---- opening --------------------------------------------------------------------------------------------------------- */

static bool head_whole(const journal_head *h, ssize_t length)
{
    bool titled = length == sizeof *h && memcmp(h->title, TITLE_TEXT, TITLE_WORDS) == 0;
    return titled && h->sum == message_sum(h, offsetof(journal_head, sum));
}

static vouch_status no_memory(vouch_journal *j, vouch_error *error)
{
    j->scarce = true;
    return error_memory(error);
}

/* Finds the whole records of this run and the gaps between them. */
static vouch_status find_records(vouch_journal *j, off_t size, vouch_error *error)
{
    record_head found;
    off_t next;
    j->end = sizeof(journal_head);
    for (off_t at = j->end; next_record(j, &at, &next, size, &found); j->end = at = next) {
        if (MEM_RESERVE(&j->record, &j->record_room, j->records)) return no_memory(j, error);
        j->record[j->records++] = (record_place){found.key, at};
        if (at == j->end) continue;
        if (MEM_RESERVE(&j->gap, &j->gap_room, j->gaps)) return no_memory(j, error);
        j->gap[j->gaps++] = (gap){j->end, at};
    }
    if (j->scarce) return error_memory(error);
    if (j->records) qsort(j->record, j->records, sizeof *j->record, compare_keys);
    return VOUCH_OK;
}

int vouch_journal_is(const char *path)
{
    journal_head h;
    vouch_error error;
    vouch_journal j = {.file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1};
    if (j.file < 0) return 0;
    ssize_t n = pread(j.file, &h, sizeof h, 0);
    bool is = n > 0 && head_whole(&h, n);
    if (n > 0 && !is) is = find_records(&j, lseek(j.file, 0, SEEK_END), &error) == VOUCH_OK && j.foreign; /* no run has the sum 0 */
    close(j.file);
    message_free(&j.content);
    return is;
}

static vouch_status write_head(const vouch_journal *j, vouch_error *error)
{
    if (write_whole(j->file, &j->head, sizeof j->head, 0)) return VOUCH_OK;
    return error_system(error, errno, "%s: cannot write", j->path);
}

static vouch_status begin(vouch_journal *j, vouch_error *error)
{
    j->end = sizeof j->head;
    if (ftruncate(j->file, 0) == 0) return write_head(j, error);
    return error_system(error, errno, "%s: cannot write", j->path);
}

/* Refuses a file with content: it may hold hours of work, or be the model. */
static vouch_status begin_new(vouch_journal *j, vouch_error *error)
{
    struct stat about;
    if (fstat(j->file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        return error_set(error, VOUCH_ERROR_INPUT, "%s: exists already; a journal needs a new file%s", j->path,
                         vouch_journal_is(j->path) ? ", and --resume continues from this one" : "");
    return begin(j, error);
}

/* Only one run may write. Ignored where files cannot be locked. */
static vouch_status lock(const vouch_journal *j, vouch_error *error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(j->file, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN)) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_IO, "%s: another run is writing this journal", j->path);
}

static vouch_status refuse(const vouch_journal *j, const char *mark, vouch_error *error)
{
    return error_set(error, VOUCH_ERROR_INPUT,
                     "%s: made with another model, seed, options or version of vouch (run %.63s, here %s)", j->path, mark,
                     j->head.mark);
}

/* Does a file with this head and the records found belong to this run? */
static vouch_status check_head(const vouch_journal *j, const journal_head *h, ssize_t length, vouch_error *error)
{
    bool whole = head_whole(h, length);
    if (whole && memcmp(h->title, TITLE_TEXT, TITLE) != 0)
        return error_set(error, VOUCH_ERROR_INPUT, "%s: a journal of another version of vouch (%.15s; this one reads %.15s)",
                         j->path, h->title, TITLE_TEXT);
    if (whole && memcmp(h, &j->head, sizeof *h) != 0) return refuse(j, h->mark, error);
    if (whole || j->records) return VOUCH_OK;
    if (j->foreign) return refuse(j, "unknown: damaged head", error);
    if (length >= TITLE && length < (ssize_t)sizeof *h && memcmp(h, &j->head, (size_t)length) == 0) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_INPUT, "%s: not a journal of vouch", j->path);
}

/* Continues the journal. Nothing is written before the file is known to belong to this run. */
static vouch_status take_up(vouch_journal *j, vouch_error *error)
{
    journal_head h;
    off_t size = lseek(j->file, 0, SEEK_END);
    ssize_t n = pread(j->file, &h, sizeof h, 0);
    if (n == 0) return begin(j, error);
    if (n < 0) return error_system(error, errno, "%s: cannot read", j->path);
    vouch_status status = find_records(j, size, error);
    if (!status) status = check_head(j, &h, n, error);
    if (status) return status;
    bool whole = head_whole(&h, n);
    if (whole && j->gaps == 0 && j->end == size) return VOUCH_OK;
    off_t damage = !whole ? 0 : j->gaps ? j->gap[0].at : j->end;
    log_line(&j->log, VOUCH_LOG_ERROR,
             "%s: damaged or truncated at byte %lld of %lld: the run continues from its %zu readable records", j->path,
             (long long)damage, (long long)size, j->records);
    if (!whole) status = write_head(j, error);
    if (!status && ftruncate(j->file, j->end)) status = error_system(error, errno, "%s: cannot write", j->path);
    return status;
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
    j->head = (journal_head){.sum = 0};
    memcpy(j->head.title, TITLE_TEXT, TITLE);
    strncpy(j->head.mark, options->mark, MARK - 1);
    j->head.sum = message_sum(&j->head, offsetof(journal_head, sum));
    j->synced = clock_seconds();
    vouch_status status = j->path ? VOUCH_OK : error_memory(error);
    if (!status) j->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (!status && j->file < 0) status = error_system(error, errno, "%s: cannot open", path);
    if (!status) status = lock(j, error);
    if (!status) status = options->resume ? take_up(j, error) : begin_new(j, error);
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
    message_free(&j->content);
    MEM_FREE_ALL(j->record, j->gap, j->path, j);
}

long long vouch_journal_records(const vouch_journal *j) { return j ? (long long)j->records : 0; }
