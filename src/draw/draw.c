/* draw/draw.c - names in XML, HTML and Graphviz, and text in SVG; see draw.h. */
#include "draw/draw.h"

enum { LEAST_DOTTED = 4 }; /* letters */

/* U+FFFE and U+FFFF, excluded in XML 1.0 as are control characters. */
static bool excluded(const char *s) { return memcmp(s, "\xEF\xBF\xBE", 3) == 0 || memcmp(s, "\xEF\xBF\xBF", 3) == 0; }

void xml_add(text *t, const char *s)
{
    for (int n; *s; s += n < 0 ? -n : n) {
        n = plain_length(s);
        if (*s == '<')
            text_add(t, "&lt;");
        else if (*s == '>')
            text_add(t, "&gt;");
        else if (*s == '&')
            text_add(t, "&amp;");
        else if (*s == '"')
            text_add(t, "&quot;");
        else if (*s == '\n' || *s == '\t')
            text_add(t, "&#%d;", *s);
        else if (n < 0 || (n == 3 && excluded(s)))
            text_add(t, "\xEF\xBF\xBD");
        else
            text_add_bytes(t, s, (size_t)n);
    }
}

void dot_add(text *t, const char *s)
{
    for (int n; *s; s += n < 0 ? -n : n) {
        n = plain_length(s);
        if (*s == '"' || *s == '\\') text_add(t, "\\");
        text_add_bytes(t, n < 0 ? " " : s, n < 0 ? 1 : (size_t)n);
    }
}

void draw_begin(text *t, double wide, double high)
{
    text_add(t,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" font-family=\"DejaVu Sans "
             "Mono, monospace\" font-size=\"11\">\n",
             wide, high, wide, high);
    text_add(t, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
}

int draw_words(text *t, const draw_block *b, const char *words)
{
    size_t most = (size_t)fmax(8, b->wide / b->letter);
    int lines = 0;
    for (; *words; lines++) {
        size_t n = strlen(words), bytes = 0, letters = 0;
        for (; bytes < n && letters <= most; bytes++) letters += ((unsigned char)words[bytes] & 0xC0) != 0x80;
        if (letters > most) {
            n = bytes - 1;
            for (size_t blank = n; blank > 0; blank--)
                if (words[blank] == ' ' && words[blank - 1] != '=' && words[blank + 1] != '=') { /* L = 2 stays whole */
                    n = blank;
                    break;
                }
        }
        if (t) {
            text line = {0};
            text_add_bytes(&line, words, n);
            text_add(t, "<text x=\"%g\" y=\"%g\" %s>", b->x, b->y + DRAW_LINE * lines, b->style ? b->style : "fill=\"#333\"");
            xml_add(t, line.data ? line.data : "");
            text_add(t, "</text>\n");
            t->failed = t->failed || line.failed;
            text_free(&line);
        }
        words += n;
        while (*words == ' ') words++;
    }
    return lines;
}

size_t draw_letters(const char *s)
{
    size_t n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

/* The number of bytes of the first n letters. */
static size_t bytes_of(const char *s, size_t n)
{
    size_t bytes = 0;
    for (; n > 0 && s[bytes]; n--) do
            bytes++;
        while (((unsigned char)s[bytes] & 0xC0) == 0x80);
    return bytes;
}

static bool is_of_name(char c) { return c == '_' || ascii_alnum(c) || (unsigned char)c >= 0x80; }

/* Copies `from`, with names before = cut to `cap` letters: water_in_the_tank=2 becomes water..=2. */
static void shorten_names(char *to, const char *from, size_t cap)
{
    while (*from) {
        size_t run = 0, kept = 0;
        while (is_of_name(from[run])) run++;
        kept = bytes_of(from, cap);
        bool dots = cap >= LEAST_DOTTED && from[run] == '=' && kept < run;
        if (dots) kept = bytes_of(from, cap - 2);
        if (from[run] != '=' || kept > run) kept = run;
        memcpy(to, from, kept);
        to += kept;
        if (dots) *to++ = '.', *to++ = '.';
        from += run;
        if (*from) *to++ = *from++;
    }
    *to = '\0';
}

/* Cuts the end, except a final number if that is to stay. */
static void shorten_tail(char *s, size_t most, bool number)
{
    size_t length = strlen(s), digits = 0;
    if (draw_letters(s) <= most) return;
    while (number && digits < length && ascii_digit(s[length - 1 - digits])) digits++;
    if (digits + 2 >= most) digits = 0;
    size_t kept = bytes_of(s, most - 2 - digits);
    memmove(s + kept + 2, s + length - digits, digits + 1);
    memcpy(s + kept, "..", 2);
}

/* Rounds numbers with a point to this number of digits; 0: two, without a 0 before the point. */
static void round_numbers(char *s, int digits)
{
    for (char *at = s, *end; *at; at = end) {
        char shorter[32];
        double x = ascii_digit(*at) && (at == s || at[-1] == ' ') ? number_read(at, &end) : NAN;
        if (isnan(x) || !memchr(at, '.', (size_t)(end - at))) {
            end = at + 1;
            continue;
        }
        size_t length = (size_t)format_text(shorter, sizeof shorter, "%.*g", digits ? digits : 2, x), zero = !digits && x < 1;
        length -= zero;
        if (length >= (size_t)(end - at)) continue;
        memmove(at + length, end, strlen(end) + 1);
        memcpy(at, shorter + zero, length);
        end = at + length;
    }
}

void draw_shorten_action(char *s, size_t most)
{
    static const int digits[] = {3, 2, 0};
    for (int i = 0; i < 3 && draw_letters(s) > most; i++) round_numbers(s, digits[i]);
    shorten_tail(s, most, false);
}

void draw_shorten(char *s, size_t most)
{
    char *whole = draw_letters(s) > most && strchr(s, '=') ? mem_string(s) : NULL;
    for (size_t cap = whole ? draw_letters(s) : 0; cap > 0 && draw_letters(s) > most; cap--) shorten_names(s, whole, cap);
    mem_free(whole);
    shorten_tail(s, most, true);
}
