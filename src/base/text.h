/* base/text.h - text: parsing and formatting in the C locale, independent of the locale of the host process. The library uses these
 * functions only: tests/links.sh refuses objects that call printf, scanf, strtod, <ctype.h>, strcasecmp or strerror. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __GNUC__
#define FORMATTED(function, text, first) __attribute__((format(function, text, first)))
#else
#define FORMATTED(function, text, first)
#endif

/* As strtod, snprintf, vsnprintf, fprintf and sscanf. */
double number_read(const char *s, char **end);
/* What the decimal at s is more than its double x, to eleven more bits. */
double number_rest(const char *s, double x);
int format_text(char *out, size_t size, const char *format, ...) FORMATTED(printf, 3, 4);
int format_list(char *out, size_t size, const char *format, va_list list) FORMATTED(printf, 3, 0);
int format_file(FILE *file, const char *format, ...) FORMATTED(printf, 2, 3);
int scan_text(const char *s, const char *format, ...) FORMATTED(scanf, 2, 3);
/* The message of an errno, in English; valid until the thread's next call. */
const char *system_text(int why);

/* ASCII only. */
static inline bool ascii_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }
static inline bool ascii_alpha(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }
static inline bool ascii_alnum(char c) { return ascii_alpha(c) || ascii_digit(c); }
/* Are the first n characters the same but for case? A shorter word ends at its zero byte. */
bool ascii_same(const char *a, const char *b, size_t n);

/* Names from files made safe for terminals, messages and tables (files store them unchanged, escaped by their format): replaces
 * each control character, direction or line mark, and byte of invalid UTF-8 by a question mark, in place. */
void plain_clean(char *text);
/* Number of bytes of the character at *s (not zero); negative: to be replaced. */
int plain_length(const char *s);

/* The word of the list "this|that|.." nearest to a mistyped word; NULL: none is near. Valid until the next call. */
const char *nearest_word(const char *word, const char *words);

#endif
