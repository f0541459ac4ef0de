/* cli/method.h - the table of methods (vouch/method.h) as words and help of options. */
#ifndef CLI_METHOD_H
#define CLI_METHOD_H

#include <vouch/method.h>

/* "milp-ccl|exact-ccl|..", in the order of the table. */
const char *method_words(void);
/* Those that CCIL plans with, and which is the one at a position. */
const char *method_words_replanned(void);
vouch_method method_replanned(int position);
/* "milp-ccl: what it plans; ..", with the gaps. */
const char *method_details(void);

#endif
