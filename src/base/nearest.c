/* base/nearest.c - see nearest.h. Restricted edit distance of F. Damerau (Communications of the ACM 7, 1964), ignoring case. A word
 * is near within a third of its letters, or if it is a prefix of the other.
 */
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/locale.h"

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
