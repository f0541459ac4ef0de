/* io/scan.c - see file.h. */
#include "io/file.h"

#include <float.h>

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

bool span_line(const char **at, const char *end, span *line)
{
    if (*at >= end) return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    *line = (span){*at, (size_t)((stop ? stop : end) - *at)};
    *at = stop ? stop + 1 : end;
    return true;
}

int span_split(span s, span piece[], int most)
{
    CHECK_COMPARE(most, >, 0);
    int count = 0;
    const char *at = s.at, *end = s.at + s.length;
    for (;;) {
        while (at < end && blank(*at)) at++;
        if (at == end) return count;
        if (count == most) return most + 1;
        const char *from = at;
        while (at < end && (*at > ' ' || !blank(*at))) at++; /* nearly all is beyond a blank */
        CHECK(from < at && at <= end && count < most);
        piece[count++] = (span){from, (size_t)(at - from)};
    }
}

/* A decimal number whose digits and power of ten are doubles without rounding: one product or quotient of them, rounded once, is
 * what strtod gives. Source: W. D. Clinger, PLDI (1990). False: it is none of these, or no number. */
static bool short_number(span s, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { DIGITS_MOST = 15, POWER_MOST = 22 };
    const char *at = s.at, *end = s.at + s.length;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    int64_t digits = 0;
    int count = 0, behind = 0, exponent = 0;
    for (; at < end && *at >= '0' && *at <= '9' && count < DIGITS_MOST; at++, count++) digits = 10 * digits + (*at - '0');
    if (at < end && *at == '.') {
        for (at++; at < end && *at >= '0' && *at <= '9' && count < DIGITS_MOST; at++, count++, behind++)
            digits = 10 * digits + (*at - '0');
    }
    if (count == 0) return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        bool down = at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        const char *from = at;
        for (; at < end && *at >= '0' && *at <= '9' && exponent <= POWER_MOST; at++) exponent = 10 * exponent + (*at - '0');
        if (at == from) return false;
        if (down) exponent = -exponent;
    }
    exponent -= behind;
    if (at != end || exponent < -POWER_MOST || exponent > POWER_MOST) return false;
    double size = exponent < 0 ? (double)digits / power[-exponent] : (double)digits * power[exponent];
    *value = negative ? -size : size;
    return true;
}

bool span_number(span s, double *value)
{
    CHECK(s.at);
    if (FLT_EVAL_METHOD == 0 && short_number(s, value)) return true;
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
    *value = number_read(buffer, &end);
    return end == buffer + s.length;
}
