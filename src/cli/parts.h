/* cli/parts.h - the parts of the search (vouch/search.h) as words and as a table. */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

/* "pareto-vectors, scenarios, ..", in the order of the list. */
const char *parts_words(void);
/* Is every word of a list "word,word" a part (NULL: there is no list)? 0, or the exit status after a message. A note on standard
 * error for each word of version 0.1, which says the new one. */
int parts_check(const char *list);
/* vouch plan --parts: the table, or one JSON object. Returns the exit status. */
int parts_print(int json);

#endif
