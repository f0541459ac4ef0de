/* io/lpfile.c - problem files of every format: which reader, which writer. See vouch/lp_io.h. */
#include <strings.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/lpformat.h"
#include "io/mps.h"

static bool ends_with(const char *name, size_t length, const char *tail)
{
    size_t n = strlen(tail);
    return length >= n && strncasecmp(name + length - n, tail, n) == 0;
}

static vouch_lp_format format_of(const char *name, vouch_lp_format format)
{
    if (format != VOUCH_FORMAT_AUTO) return format;
    size_t n = strlen(name);
    if (ends_with(name, n, ".gz")) n -= 3;
    return ends_with(name, n, ".lp") ? VOUCH_FORMAT_LP : VOUCH_FORMAT_MPS;
}

vouch_status vouch_lp_read_text(vouch_lp **lp, const char *bytes, size_t length, const char *name, vouch_lp_format format,
                                const vouch_log *log, vouch_error *error)
{
    format = format_of(name, format);
    const file_content file = {name, bytes, length};
    return format == VOUCH_FORMAT_LP ? lpformat_read(&file, log, lp, error) : mps_read(&file, format, log, lp, error);
}

vouch_status vouch_lp_read(vouch_lp **lp, const char *path, vouch_lp_format format, const vouch_log *log, vouch_error *error)
{
    char *bytes;
    size_t length;
    *lp = NULL;
    vouch_status status = file_read(path, FILE_CAP, &bytes, &length, error);
    if (status == VOUCH_OK) status = vouch_lp_read_text(lp, bytes, length, path, format, log, error);
    mem_free(bytes);
    return status;
}

vouch_status vouch_lp_write(const vouch_lp *lp, const char *path, vouch_lp_format format, vouch_error *error)
{
    text out = {0};
    format = format_of(path, format);
    vouch_status status =
        format == VOUCH_FORMAT_LP ? lpformat_write(lp, &out, error) : mps_write(lp, format == VOUCH_FORMAT_MPS_FIXED, &out, error);
    if (status == VOUCH_OK) status = text_write(&out, path, error);
    text_free(&out);
    return status;
}

vouch_status vouch_lp_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, const char *path,
                                     vouch_error *error)
{
    text out = {0};
    vouch_status status = lpformat_write_products(lp, product, count, &out, error);
    if (status == VOUCH_OK) status = text_write(&out, path, error);
    text_free(&out);
    return status;
}
