/* io/scan.c - see scan.h. */
#include "io/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

static char lower_case(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool span_is(span s, const char *word) { return strlen(word) == s.length && memcmp(s.at, word, s.length) == 0; }

bool span_is_word(span s, const char *word)
{
    if (strlen(word) != s.length) return false;
    for (size_t i = 0; i < s.length; i++)
        if (lower_case(s.at[i]) != word[i]) return false;
    return true;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

span span_trim(span s)
{
    while (s.length > 0 && blank(s.at[s.length - 1])) s.length--;
    while (s.length > 0 && blank(*s.at)) s.at++, s.length--;
    return s;
}

int span_split(span s, span piece[], int most)
{
    CHECK_COMPARE(most, >, 0);
    int count = 0;
    size_t i = 0;
    for (;;) {
        while (i < s.length && blank(s.at[i])) i++;
        if (i == s.length) return count;
        if (count == most) return most + 1;
        size_t from = i;
        while (i < s.length && !blank(s.at[i])) i++;
        CHECK(from < i && i <= s.length && count < most);
        piece[count++] = (span){s.at + from, i - from};
    }
}

bool span_number(span s, double *value)
{
    CHECK(s.at);
    char buffer[64];
    if (s.length == 0 || s.length >= sizeof buffer) return false;
    span word = s;
    double sign = 1;
    if (*word.at == '+' || *word.at == '-') {
        sign = *word.at == '-' ? -1 : 1;
        word.at++, word.length--;
    }
    if (span_is_word(word, "inf") || span_is_word(word, "infinity")) {
        *value = sign * INFINITY;
        return true;
    }
    for (size_t i = 0; i < s.length; i++) {
        char c = s.at[i];
        if (c == 'd' || c == 'D') c = 'e';
        if (!((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E')) return false;
        buffer[i] = c;
    }
    buffer[s.length] = '\0';
    char *end;
    *value = strtod(buffer, &end);
    return end == buffer + s.length;
}
