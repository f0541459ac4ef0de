/* base/plain.h - names from files made safe for terminals, messages and tables: no control characters, line breaks or direction
 * marks. Files store names unchanged, escaped by their format. */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

/* Replaces each control character, direction or line mark, and byte of invalid UTF-8 by a question mark, in place. */
void plain_clean(char *text);
/* Number of bytes of the character at *s (not zero); negative: to be replaced. */
int plain_length(const char *s);

#endif
