/* check/line.c - see line.h. Also how this program ends: every message names the line of the proof that was read last. */
#include "check/line.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LONGEST = 1 << 28 };

static long at_line;

void unreadable(const char *form, ...)
{
    va_list list;
    va_start(list, form);
    fputs("vouch-check: ", stderr);
    vfprintf(stderr, form, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

void refuted(const char *form, ...)
{
    va_list list;
    va_start(list, form);
    printf("refuted: line %ld: ", at_line);
    vprintf(form, list);
    putchar('\n');
    va_end(list);
    exit(2);
}

void *zeroed(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) unreadable("out of memory");
    return block;
}

void *grown(void *block, size_t *room, size_t count, size_t size)
{
    if (count < *room) return block;
    size_t more = *room < 16 ? 16 : 2 * *room;
    block = more > SIZE_MAX / 2 / size ? NULL : realloc(block, more * size);
    if (!block) unreadable("out of memory");
    *room = more;
    return block;
}

void lines_open(check_lines *l, const char *path)
{
    *l = (check_lines){.file = gzopen(path, "rb")};
    if (!l->file) unreadable("%s: %s", path, strerror(errno));
}

void lines_close(check_lines *l)
{
    gzclose(l->file);
    free(l->text);
    *l = (check_lines){0};
}

bool lines_next(check_lines *l)
{
    size_t used = 0;
    at_line = ++l->number;
    for (;;) {
        l->text = grown(l->text, &l->room, used + 2, 1);
        if (!gzgets(l->file, l->text + used, (int)(l->room - used))) {
            int error = 0;
            const char *what = gzerror(l->file, &error);
            if (error != Z_OK && error != Z_STREAM_END) unreadable("the proof cannot be read: %s", what);
            if (used == 0) return false;
            refuted("the proof ends within a line");
        }
        size_t length = strlen(l->text + used);
        if (length == 0) refuted("a zero byte");
        used += length;
        if (l->text[used - 1] == '\n') break;
        if (used > LONGEST) refuted("a line of more than %d bytes", LONGEST);
        if (used + 1 < l->room && gzeof(l->file)) refuted("the proof ends within a line");
    }
    l->text[used - 1] = '\0';
    l->rest = l->text;
    return true;
}

char *line_more(check_lines *l)
{
    l->rest += strspn(l->rest, " ");
    if (!*l->rest) return NULL;
    char *word = l->rest;
    l->rest += strcspn(l->rest, " ");
    if (*l->rest) *l->rest++ = '\0';
    return word;
}

char *line_word(check_lines *l)
{
    char *word = line_more(l);
    if (!word) refuted("the line is too short");
    return word;
}

void line_end(check_lines *l)
{
    if (line_more(l)) refuted("the line is too long");
}

int line_int(const char *word, int least, int most)
{
    char *end;
    errno = 0;
    long n = strtol(word, &end, 10);
    if (end == word || *end || errno || n < least || n > most) refuted("\"%.40s\" is no number from %d to %d", word, least, most);
    return (int)n;
}

int line_next_int(check_lines *l, int least, int most) { return line_int(line_word(l), least, most); }

void line_number(const char *word, mpq_t x)
{
    if (!read_number(word, x)) refuted("\"%.40s\" is no number", word);
}

void line_numbers(check_lines *l, int K, mpq_t x[])
{
    for (int k = 0; k < K; k++) mpq_set_ui(x[k], 0, 1);
    for (char *word = line_more(l); word && strcmp(word, ";") != 0; word = line_more(l)) {
        char *value = strchr(word, '=');
        if (!value) refuted("\"%.40s\" is no multiplier", word);
        *value++ = '\0';
        int k = line_int(word, 0, K - 1);
        if (mpq_sgn(x[k]) != 0) refuted("two multipliers of environment %d", k);
        line_number(value, x[k]);
        if (mpq_sgn(x[k]) < 0) refuted("a negative multiplier");
    }
}

char *file_bytes(const char *path, size_t *length)
{
    check_lines l;
    size_t room = 0;
    char *bytes = NULL;
    *length = 0;
    lines_open(&l, path);
    for (;;) {
        bytes = grown(bytes, &room, *length + 1, 1);
        int got = gzread(l.file, bytes + *length, (unsigned)(room - *length - 1 < LONGEST ? room - *length - 1 : LONGEST));
        if (got < 0) unreadable("%s: cannot be read", path);
        if (got == 0) break;
        *length += (size_t)got;
    }
    bytes[*length] = '\0';
    lines_close(&l);
    return bytes;
}
