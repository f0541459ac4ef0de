/* base/plain.h - names as they are shown to people: on a terminal, in messages, logs and tables. Names come from files, and are
 * data: nothing in them moves a cursor, breaks a line or turns the direction of what stands beside it. Files keep them as they are,
 * escaped as their format has it. */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

/* Puts a question mark for each control character, each mark of direction or of line, and each byte that is no UTF-8, in place:
 * the text may become shorter. */
void plain_clean(char *text);
/* How many bytes the character at *s has, which is not the zero byte; negative: so many that are better not shown. */
int plain_length(const char *s);

#endif
