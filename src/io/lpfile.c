/* io/lpfile.c - problem files of every format: which reader, which writer. See vouch/lp_io.h. */

#include "io/lpfile.h"

static bool ends_with(const char *name, size_t length, const char *tail)
{
    size_t n = strlen(tail);
    return length >= n && ascii_same(name + length - n, tail, n);
}

/* The formats by their number; AUTO is the first whose ending the name has, or else MPS. */
typedef struct lp_file_format {
    const char *ending; /* with or without .gz; NULL: chosen by number only */
    vouch_status (*read)(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp, vouch_error *error);
    vouch_status (*write)(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);
} lp_file_format;

static const lp_file_format formats[] = {
    [VOUCH_FORMAT_MPS] = {NULL, mps_read, mps_write},
    [VOUCH_FORMAT_MPS_FIXED] = {NULL, mps_read, mps_write},
    [VOUCH_FORMAT_MPS_FREE] = {NULL, mps_read, mps_write},
    [VOUCH_FORMAT_LP] = {".lp", lpformat_read, lpformat_write},
    [VOUCH_FORMAT_GLP] = {".glp", glpformat_read, glpformat_write},
};
enum { FORMATS = (int)(sizeof formats / sizeof *formats) };

/* NULL after an error: an enum may hold anything. */
static const lp_file_format *format_of(const char *name, vouch_lp_format format, vouch_error *error)
{
    int number = (int)format;
    size_t n = strlen(name);
    if (ends_with(name, n, ".gz")) n -= 3;
    if (number == VOUCH_FORMAT_AUTO) {
        for (int i = VOUCH_FORMAT_MPS; i < FORMATS; i++)
            if (formats[i].ending && ends_with(name, n, formats[i].ending)) return &formats[i];
        return &formats[VOUCH_FORMAT_MPS];
    }
    if (number > VOUCH_FORMAT_AUTO && number < FORMATS) return &formats[number];
    error_set(error, VOUCH_ERROR_ARGUMENT, "%s: there is no format %d; expected %d .. %d", name, number, VOUCH_FORMAT_AUTO,
              FORMATS - 1);
    return NULL;
}

/* For names without an ending, such as standard input. */
static const lp_file_format *format_of_content(const file_content *file)
{
    file_kind kind = recognise(file);
    return &formats[kind == FILE_LP ? VOUCH_FORMAT_LP : kind == FILE_GLP ? VOUCH_FORMAT_GLP : VOUCH_FORMAT_MPS];
}

/* What to do with a file that is no program. */
static const char *const other_kind[FILE_KINDS] = {
    [FILE_MODEL] = "vouch plan plans for it", [FILE_PRISM] = "vouch plan plans for it", [FILE_DRN] = "vouch plan plans for it",
    [FILE_CSV] = "vouch plan plans for it",   [FILE_POLICY] = "vouch show shows it",    [FILE_TREE] = "vouch tree draws it",
    [FILE_JANI] = "vouch plan plans for it",
};

vouch_status vouch_lp_read_text(vouch_lp **lp, const char *bytes, size_t length, const char *name, vouch_lp_format format,
                                const vouch_log *log, vouch_error *error)
{
    if (lp) *lp = NULL;
    if (!lp || !bytes || !name) return error_null(error);
    const lp_file_format *f = format_of(name, format, error);
    bool mark = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0; /* of UTF-8 */
    const file_content file = {name, mark ? bytes + 3 : bytes, mark ? length - 3 : length};
    if (!f) return VOUCH_ERROR_ARGUMENT;
    if (format == VOUCH_FORMAT_AUTO && f == &formats[VOUCH_FORMAT_MPS]) f = format_of_content(&file);
    vouch_status status = f->read(&file, (vouch_lp_format)(f - formats), log, lp, error);
    file_kind kind = status == VOUCH_ERROR_INPUT && error ? recognise(&file) : FILE_UNKNOWN;
    if (kind == FILE_LP_SOLVE)
        error_set(
            error, status,
            "%.300s: this is lp_solve's format, expected CPLEX LP or MPS; lp_solve -S1 -parse -wfmps F.mps FILE writes it as MPS",
            name);
    if (kind == FILE_MATHPROG) recognised_refuse_mathprog(name, error);
    if (other_kind[kind]) error_set(error, status, "%.300s: this looks like %s; %s", name, recognised_text(kind), other_kind[kind]);
    return status;
}

vouch_status vouch_lp_read(vouch_lp **lp, const char *path, vouch_lp_format format, const vouch_log *log, vouch_error *error)
{
    if (lp) *lp = NULL;
    if (!lp || !path) return error_null(error);
    file_content file;
    vouch_status status = file_load(&file, path, error);
    if (status == VOUCH_OK) status = vouch_lp_read_text(lp, file.bytes, file.length, path, format, log, error);
    file_unload(&file);
    return status;
}

vouch_status vouch_lp_write(const vouch_lp *lp, const char *path, vouch_lp_format format, vouch_error *error)
{
    if (!lp || !path) return error_null(error);
    text out = {0};
    const lp_file_format *f = format_of(path, format, error);
    vouch_status status = f ? f->write(lp, (vouch_lp_format)(f - formats), &out, error) : VOUCH_ERROR_ARGUMENT;
    if (status == VOUCH_OK) status = text_write(&out, path, error);
    text_free(&out);
    return status;
}

vouch_status vouch_lp_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, const char *path,
                                     vouch_error *error)
{
    if (!lp || (!product && count > 0) || !path) return error_null(error);
    text out = {0};
    vouch_status status = lpformat_write_products(lp, product, count, &out, error);
    if (status == VOUCH_OK) status = text_write(&out, path, error);
    text_free(&out);
    return status;
}
