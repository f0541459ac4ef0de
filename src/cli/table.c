/* cli/table.c - aligned tables. Cells are stored until the widths are known. Widths count UTF-8 characters. */

#include "cli/cli.h"

/* ---- table ---- */

enum { HEADER_MOST = 200 }; /* bytes of a name above a column */

static const double SHOWN_ZERO = 1e-10; /* rounding and tolerances of promises around 0; for display only */

struct table {
    const char *const *headers;
    size_t columns;
    size_t names_from, names_to; /* columns whose headers are the user's names */
    const char **cell;           /* [count], row by row */
    size_t count, room;
};

table *table_new(const char *const headers[])
{
    table *t = CLI_NEW(table, 1);
    t->headers = headers;
    while (headers[t->columns]) t->columns++;
    return t;
}

void table_names(table *t, size_t first, size_t count)
{
    t->names_from = first;
    t->names_to = first + count;
}

/* The header without its alignment sign, or a printable name. */
static const char *header_text(const table *t, size_t c, char out[HEADER_MOST])
{
    const char *header = t->headers[c];
    if (c < t->names_from || c >= t->names_to) return header + (header[0] == '<');
    snprintf(out, HEADER_MOST, "%s", header);
    plain_clean(out);
    return out;
}

static bool is_left(const table *t, size_t c) { return (c < t->names_from || c >= t->names_to) && t->headers[c][0] == '<'; }

void table_cell(table *t, const char *format, ...)
{
    text line = {0};
    char shown[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(shown, sizeof shown, format, args);
    va_end(args);
    plain_clean(shown);
    if (t->count == t->room) {
        const char **more = CLI_NEW(const char *, 2 * t->room + t->columns);
        if (t->count) memcpy(more, t->cell, t->count * sizeof *more);
        t->cell = more;
        t->room = 2 * t->room + t->columns;
    }
    text_add(&line, "%s", shown);
    t->cell[t->count++] = cli_string(&line);
}

double table_shown(double value) { return fabs(value) < SHOWN_ZERO ? 0.0 : value; }

void table_number(table *t, double value)
{
    if (isnan(value))
        table_cell(t, "-");
    else
        table_cell(t, "%.7g", table_shown(value));
}

const char *table_below(double p, double owed, int digits, char out[32])
{
    for (; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, table_shown(p));
        if (!(p < owed) || number_read(out, NULL) < owed) break;
    }
    return out;
}

void table_probability(table *t, double p, double owed, bool kept)
{
    char word[32];
    if (kept)
        table_number(t, p);
    else
        table_cell(t, "%s", table_below(p, owed, 7, word));
}

static size_t shown_width(const char *s)
{
    size_t n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

/* Prints one cell, preceded by the blanks owed since the last one, so that no line ends in blanks. */
static void print_cell(FILE *out, const char *s, size_t width, bool left, size_t *owed)
{
    size_t pad = width - shown_width(s);
    if (!left) *owed += pad;
    if (*s) {
        fprintf(out, "%*s%s", (int)*owed, "", out == stdout && strcmp(s, "not kept") == 0 ? cli_verdict(-1, s) : s);
        *owed = 0;
    }
    *owed += left ? pad + 2 : 2;
}

void table_print(const table *t, FILE *out)
{
    size_t *width = CLI_NEW(size_t, t->columns), owed = 2;
    char header[HEADER_MOST];
    for (size_t c = 0; c < t->columns; c++) width[c] = shown_width(header_text(t, c, header));
    for (size_t i = 0; i < t->count; i++) {
        size_t w = shown_width(t->cell[i]);
        if (w > width[i % t->columns]) width[i % t->columns] = w;
    }
    for (size_t c = 0; c < t->columns; c++) print_cell(out, header_text(t, c, header), width[c], is_left(t, c), &owed);
    fputc('\n', out);
    for (size_t c = 0; c < t->columns; c++) {
        if (!*header_text(t, c, header)) continue;
        fputs("  ", out);
        for (size_t i = 0; i < width[c]; i++) fputc('-', out);
    }
    for (size_t i = 0; i < t->count; i++) {
        size_t c = i % t->columns;
        if (c == 0) {
            fputc('\n', out);
            owed = 2;
        }
        print_cell(out, t->cell[i], width[c], is_left(t, c), &owed);
    }
    fputc('\n', out);
}
