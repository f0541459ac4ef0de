/* base/plain.c - see plain.h. Marks: Unicode's Bidi_Control, line and paragraph separators. */
#include "base/plain.h"

#include <stdbool.h>

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
