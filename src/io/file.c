/* io/file.c - see file.h.
 *
 * zlib's gzread passes plain files through unchanged, so one loop reads both kinds. A damaged or cut gzip stream shows in gzerror /
 * gzclose, and a short one as Z_BUF_ERROR. Writing is in output.c.
 */
#include "io/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 1 << 16 };
/* ---- xz and tar ------------------------------------------------------------------------------------------------
 * Storm writes .drn.gz and .drn.xz as archives of one member. liblzma decodes xz, where the system has it: vouch is built without
 * it. Sources: the manual page tar(5), and lzma/base.h. */

/* lzma_stream of liblzma 5, and of its functions and answers those used here. */
typedef struct xz_stream {
    const uint8_t *next_in;
    size_t avail_in;
    uint64_t total_in;
    uint8_t *next_out;
    size_t avail_out;
    uint64_t total_out;
    const void *allocator;
    void *internal, *reserved[4];
    uint64_t seek_pos, reserved_whole;
    size_t reserved_size[2];
    int reserved_word[2];
} xz_stream;
typedef int start_decoder(xz_stream *stream, uint64_t memory, uint32_t flags);
typedef int run_decoder(xz_stream *stream, int action);
typedef void end_decoder(xz_stream *stream);
typedef struct xz_library {
    start_decoder *start;
    run_decoder *run;
    end_decoder *end;
} xz_library;
enum { XZ_OK = 0, XZ_END = 1, XZ_OUT_OF_MEMORY = 5, XZ_FINISH = 3 };

enum { BLOCK = 512, TAR_SIZE = 124, TAR_SIZE_DIGITS = 12, TAR_KIND = 156, TAR_MAGIC = 257 };

/* A function of the library; an object pointer becomes one to a function as POSIX has it. */
static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

/* Replaces the packed bytes by the decoded ones. */
static vouch_status decode(const xz_library *xz, const char *path, size_t cap, char **bytes, size_t *length, vouch_error *error)
{
    xz_stream stream = {.next_in = (const uint8_t *)*bytes, .avail_in = *length};
    char *out = NULL;
    size_t count = 0, capacity = 0;
    int code = xz->start(&stream, UINT64_MAX, 0);
    while (code == XZ_OK && count <= cap) {
        if (mem_reserve((void **)&out, &capacity, count + CHUNK, 1)) {
            code = XZ_OUT_OF_MEMORY;
            break;
        }
        stream.next_out = (uint8_t *)out + count;
        stream.avail_out = CHUNK;
        code = xz->run(&stream, XZ_FINISH);
        count += CHUNK - stream.avail_out;
    }
    xz->end(&stream);
    mem_free(*bytes);
    *bytes = out;
    *length = count;
    if (out) out[count] = '\0';
    if (code == XZ_OUT_OF_MEMORY) return error_memory(error);
    if (count > cap)
        return error_set(error, VOUCH_ERROR_SIZE, "%s: more than %zu bytes, which is the most that is read", path, cap);
    if (code != XZ_END) return error_set(error, VOUCH_ERROR_IO, "%s: the xz data are damaged or end too early", path);
    return VOUCH_OK;
}

static vouch_status undo_xz(const char *path, size_t cap, char **bytes, size_t *length, vouch_error *error)
{
    static const char magic[] = {'\xFD', '7', 'z', 'X', 'Z', '\0'};
    if (*length < sizeof magic || memcmp(*bytes, magic, sizeof magic) != 0) return VOUCH_OK;
    void *library = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
    xz_library xz = {0};
    if (library) {
        find(library, "lzma_stream_decoder", &xz.start);
        find(library, "lzma_code", &xz.run);
        find(library, "lzma_end", &xz.end);
    }
    vouch_status status =
        xz.start && xz.run && xz.end
            ? decode(&xz, path, cap, bytes, length, error)
            : error_set(error, VOUCH_ERROR_IO, "%s: compressed with xz, and liblzma is not there; unpack it with xz -d", path);
    if (library) dlclose(library);
    return status;
}

/* The one regular file of an archive. */
static vouch_status undo_tar(const char *path, char **bytes, size_t *length, vouch_error *error)
{
    size_t at = 0, start = 0, size = 0;
    int files = 0;
    if (*length < BLOCK || memcmp(*bytes + TAR_MAGIC, "ustar", 5) != 0) return VOUCH_OK;
    while (at + BLOCK <= *length && (*bytes)[at]) {
        char digits[TAR_SIZE_DIGITS + 1] = "", *end, kind = (*bytes)[at + TAR_KIND];
        memcpy(digits, *bytes + at + TAR_SIZE, TAR_SIZE_DIGITS);
        unsigned long long own = strtoull(digits, &end, 8);
        at += BLOCK;
        if (end == digits || own > *length - at)
            return error_set(error, VOUCH_ERROR_IO, "%s: the tar archive is damaged or ends too early", path);
        if ((kind == '0' || kind == '\0') && files++ == 0) {
            start = at;
            size = (size_t)own;
        }
        size_t padded = ((size_t)own + BLOCK - 1) / BLOCK * BLOCK;
        at = padded < *length - at ? at + padded : *length;
    }
    if (files != 1) return error_set(error, VOUCH_ERROR_INPUT, "%s: an archive of %d files; expected one", path, files);
    memmove(*bytes, *bytes + start, size);
    (*bytes)[size] = '\0';
    *length = size;
    return VOUCH_OK;
}

/* Replaces the bytes of an xz or tar file by their content; others stay. NULL after an error. */
static vouch_status unpack(const char *path, size_t cap, char **bytes, size_t *length, vouch_error *error)
{
    vouch_status status = undo_xz(path, cap, bytes, length, error);
    if (!status) status = undo_tar(path, bytes, length, error);
    if (status) {
        mem_free(*bytes);
        *bytes = NULL;
        *length = 0;
    }
    return status;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* A packed file may hold UNPACKED bytes and TIMES bytes more for each of its own: models and programs become 5 to 60 times
 * smaller. */
enum { UNPACKED = 1 << 26, TIMES = 200 };

static size_t most_unpacked(size_t cap, gzFile in)
{
    z_off_t packed = gzoffset(in);
    size_t most = packed > 0 ? UNPACKED + (size_t)packed * TIMES : cap;
    return most < cap ? most : cap;
}

static vouch_status too_long(const char *path, size_t most, size_t cap, vouch_error *error)
{
    return error_set(error, VOUCH_ERROR_SIZE,
                     most < cap ? "%s: holds more than %zu bytes, the most that is read of a packed file of its length; unpack it"
                                : "%s: more than %zu bytes, which is the most that is read",
                     path, most);
}

static vouch_status look_into(const char *path, size_t cap, disk_bytes *out, vouch_error *error)
{
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && strstr(path, "://"))
        return error_set(error, VOUCH_ERROR_IO, "%s: an address, expected a file; download it first", path);
    if (fd < 0) return error_system(error, errno, "%s: cannot open", path);
    struct stat about;
    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
        close(fd);
        return error_set(error, VOUCH_ERROR_IO, "%s: is a directory, expected a file", path);
    }
    gzFile in = gzdopen(fd, "rb");
    if (!in) {
        close(fd);
        return error_memory(error);
    }
    vouch_status status = VOUCH_OK;
    char *data = NULL;
    size_t count = 0, capacity = 0, most = cap;
    for (;;) {
        if (mem_reserve((void **)&data, &capacity, count + CHUNK, 1) != 0) {
            status = error_memory(error);
            goto done;
        }
        int got = gzread(in, data + count, CHUNK);
        if (got < 0) {
            int code = 0;
            const char *why = gzerror(in, &code);
            status = code == Z_MEM_ERROR ? error_memory(error)
                     : code == Z_ERRNO   ? error_system(error, errno, "%s: cannot read", path)
                                         : error_set(error, VOUCH_ERROR_IO, "%s: cannot read: %s", path, why);
            goto done;
        }
        if (got == 0) break;
        count += (size_t)got;
        most = most_unpacked(cap, in);
        if (count > most) {
            status = too_long(path, most, cap, error);
            goto done;
        }
    }
done:;
    int closed = gzclose_r(in);
    if (status == VOUCH_OK && closed != Z_OK) status = error_set(error, VOUCH_ERROR_IO, "%s: the gzip data ends too early", path);
    if (status != VOUCH_OK) {
        mem_free(data);
        return status;
    }
    data[count] = '\0';
    *out = (disk_bytes){data, count};
    return unpack(path, most, &out->bytes, &out->length, error);
}

vouch_status file_read(const char *path, size_t cap, char **out, size_t *length, vouch_error *error)
{
    disk_bytes found;
    vouch_status status = disk_ask("what is in ", look_into, path, cap, &found, error);
    *out = found.bytes;
    *length = found.length;
    return status;
}

vouch_status file_load(file_content *file, const char *path, vouch_error *error)
{
    char *bytes;
    vouch_status status = file_read(path, FILE_CAP, &bytes, &file->length, error);
    file->name = path;
    file->bytes = bytes;
    return status;
}

void file_unload(file_content *file) { mem_free((char *)file->bytes); }

const char *file_lend(lent *l, const char *path, vouch_error *error)
{
    file_content file;
    *l = (lent){0};
    if (!disk_is_stream(path)) return path;
    if (file_load(&file, path, error)) return NULL;
    l->copy = tmpfile();
    if (!l->copy || fwrite(file.bytes, 1, file.length, l->copy) != file.length || fflush(l->copy) != 0) {
        error_system(error, errno, "%s: no temporary copy can be made", path);
        file_lend_end(l);
    }
    file_unload(&file);
    if (l->copy) format_text(l->name, sizeof l->name, "/dev/fd/%d", fileno(l->copy));
    return l->copy ? l->name : NULL;
}

void file_lend_end(lent *l)
{
    if (l->copy) fclose(l->copy);
    l->copy = NULL;
}

vouch_status file_check_text(const file_content *file, vouch_error *error)
{
    const char *zero = memchr(file->bytes, '\0', file->length);
    long line = 1;
    if (!zero) return VOUCH_OK;
    for (const char *at = file->bytes; (at = memchr(at, '\n', (size_t)(zero - at))); at++) line++;
    return error_at(error, file->name, line, "a zero byte, expected text");
}

void text_add_bytes(text *t, const char *bytes, size_t count)
{
    CHECK(t->length == 0 || t->data[t->length] == '\0');
    CHECK(t->length == 0 || t->length < t->capacity);
    if (t->failed) return;
    if (mem_reserve((void **)&t->data, &t->capacity, t->length + count + 1, 1) != 0) {
        t->failed = true;
        return;
    }
    memcpy(t->data + t->length, bytes, count);
    t->length += count;
    t->data[t->length] = '\0';
    if (t->sink) text_pass_on(t);
}

void text_add_plain(text *t, const char *name)
{
    size_t before = t->length;
    CHECK(!t->sink); /* which might take away the name before it is cleaned */
    text_add(t, "%s", name);
    if (t->failed) return;
    plain_clean(t->data + before);
    t->length = before + strlen(t->data + before);
}

void text_add_comment(text *t, const char *name)
{
    for (; *name; name++) text_add_bytes(t, (unsigned char)*name < ' ' ? " " : name, 1);
}

void text_add_quoted(text *t, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=+-@%";
    if (word[0] && word[strspn(word, plain)] == '\0') {
        text_add(t, "%s", word);
        return;
    }
    const char *at = word;
    while (*at && plain_length(at) > 0) at += plain_length(at);
    bool acts = *at != '\0'; /* then bytes are written as $'\033' */
    text_add(t, acts ? "$'" : "'");
    for (int n; *word; word += abs(n)) {
        n = plain_length(word);
        if (n < 0)
            for (int i = 0; i < -n; i++) text_add(t, "\\%03o", (unsigned)(unsigned char)word[i]);
        else if (*word == '\'')
            text_add(t, acts ? "\\'" : "'\\''");
        else if (*word == '\\' && acts)
            text_add(t, "\\\\");
        else
            text_add_bytes(t, word, (size_t)n);
    }
    text_add(t, "'");
}

void text_add(text *t, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int n = format_list(line, sizeof line, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof line) {
        text_add_bytes(t, line, (size_t)n);
        return;
    }
    t->failed = t->failed || n < 0 || mem_reserve((void **)&t->data, &t->capacity, t->length + (size_t)n + 1, 1) != 0;
    if (t->failed) return;
    va_start(args, format);
    format_list(t->data + t->length, (size_t)n + 1, format, args);
    va_end(args);
    t->length += (size_t)n;
}

void text_free(text *t)
{
    text_sink_free(t->sink);
    mem_free(t->data);
    *t = (text){0};
}

const char *text_number(double value, char out[32])
{
    if (fabs(value) < 1e15 && value == rint(value)) { /* 10, not 1e+01 */
        format_text(out, 32, "%.0f", value);
        return out;
    }
    /* Where 15 digits suffice, %g leaves out the zeros behind those needed; numbers below DBL_MIN are farther apart. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
        format_text(out, 32, "%.*g", digits, value);
        if (number_read(out, NULL) == value) break;
    }
    return out;
}
