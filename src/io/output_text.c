/* io/output_text.c - texts that are written, at their end or piece by piece while they grow (file.h). */
#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/output_file.h"

struct text_sink {
    output file;
    bool packed;
    int fd, why; /* -1: nothing is written yet; errno of what could not be */
};

/* A long text is written in pieces of this. Packed, each is a stream of its own, which follow each other. */
enum { PIECE = 1 << 22 };

vouch_status text_stream(text *t, const char *path, vouch_error *error)
{
    text_sink *sink = MEM_ZERO(text_sink, 1);
    if (!sink) return error_memory(error);
    vouch_status status = output_take(path, &sink->file) ? VOUCH_OK : output_open(&sink->file, path, error);
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
