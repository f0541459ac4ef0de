/* base/text.c - see text.h. The locale of the calling thread is switched during a call (uselocale, POSIX 2008); setlocale would
 * affect other threads, too. */
#include "base/text.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static locale_t neutral; /* never freed; (locale_t)0 if out of memory: no switch */

static void make(void) { neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static locale_t enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make);
    return uselocale(neutral);
}

static void leave(locale_t before) { (void)uselocale(before); }

double number_read(const char *s, char **end)
{
    locale_t before = enter();
    double x = strtod(s, end);
    leave(before);
    return x;
}

double number_rest(const char *s, double x)
{
    locale_t before = enter();
    long double rest = strtold(s, NULL) - (long double)x;
    leave(before);
    return (double)rest;
}

int format_list(char *out, size_t size, const char *format, va_list list)
{
    locale_t before = enter();
    int n = vsnprintf(out, size, format, list);
    leave(before);
    return n;
}

int format_text(char *out, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = format_list(out, size, format, list);
    va_end(list);
    return n;
}

int format_file(FILE *file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    locale_t before = enter();
    int n = vfprintf(file, format, list);
    leave(before);
    va_end(list);
    return n;
}

int scan_text(const char *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    locale_t before = enter();
    int n = vsscanf(s, format, list);
    leave(before);
    va_end(list);
    return n;
}

const char *system_text(int why)
{
    locale_t before = enter();
    const char *text = strerror(why);
    leave(before);
    return text;
}

bool ascii_same(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (ascii_lower(a[i]) != ascii_lower(b[i])) return false;
        if (!a[i]) return true;
    }
    return true;
}

/* ---- names made safe -------------------------------------------------------------------------------------------- */

/* Length of the character *c at s; 0: invalid (also overlong forms and surrogates). */
static int decode(const unsigned char *s, unsigned long *c)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = *s < 0x80 ? 1 : *s >= 0xC2 && *s < 0xE0 ? 2 : (*s & 0xF0) == 0xE0 ? 3 : *s >= 0xF0 && *s < 0xF5 ? 4 : 0;
    *c = n < 2 ? *s : n == 2 ? *s & 0x1FU : n == 3 ? *s & 0x0FU : *s & 0x07U;
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0;
        *c = *c << 6 | (s[i] & 0x3FU);
    }
    return n && *c >= least[n] && *c <= 0x10FFFF && (*c < 0xD800 || *c > 0xDFFF) ? n : 0;
}

static bool acts(unsigned long c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

int plain_length(const char *s)
{
    unsigned long c;
    int n = decode((const unsigned char *)s, &c);
    return n == 0 ? -1 : acts(c) ? -n : n;
}

void plain_clean(char *text)
{
    const char *from = text;
    char *to = text;
    while (*from) {
        int n = plain_length(from);
        if (n < 0) {
            *to++ = '?';
            from -= n;
            continue;
        }
        while (n-- > 0) *to++ = *from++;
    }
    *to = '\0';
}

/* ---- "did you mean": restricted edit distance of F. Damerau (Communications of the ACM 7, 1964), ignoring case; a word is near
 * within a third of its letters, or if it is a prefix of the other ---- */

enum { LONGEST = 48, FREE_LETTERS = 3 /* letters per edit */ };

static int least(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, size_t n, const char *b, size_t m)
{
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) d[i][0] = (int)i;
    for (size_t j = 0; j <= m; j++) d[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            int x = ascii_lower(a[i - 1]), y = ascii_lower(b[j - 1]);
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (x != y));
            if (i > 1 && j > 1 && x == ascii_lower(b[j - 2]) && y == ascii_lower(a[i - 2]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *nearest_word(const char *word, const char *words)
{
    static char found[LONGEST + 1];
    size_t n = strlen(word);
    int best = LONGEST;
    found[0] = '\0';
    if (n < 2 || n > LONGEST) return NULL;
    for (const char *at = words; *at; at += *at == '|') {
        size_t m = strcspn(at, "|");
        if (m > 0 && m <= LONGEST) {
            size_t common = n < m ? n : m, longer = n > m ? n : m;
            int edits = distance(word, n, at, m);
            if (common > FREE_LETTERS && strncmp(word, at, common) == 0 && edits > 2) edits = 2; /* prefix */
            if (edits < best && edits <= (int)(longer + 1) / FREE_LETTERS) {
                best = edits;
                format_text(found, sizeof found, "%.*s", (int)m, at);
            }
        }
        at += m;
    }
    return found[0] ? found : NULL;
}
