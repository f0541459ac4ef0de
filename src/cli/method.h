/* cli/method.h - the table of methods (vouch/method.h) as words and help of options. */
#ifndef CLI_METHOD_H
#define CLI_METHOD_H

#include <stdbool.h>
#include <vouch/method.h>
#include <vouch/plan.h>

#include "io/file.h"

/* "milp-ccl|exact-ccl|..", in the order of the table. */
const char *method_words(void);
/* Those that CCIL plans with, and which is the one at a position. */
const char *method_words_replanned(void);
vouch_method method_replanned(int position);
/* "milp-ccl: what it plans; ..", with the gaps. */
const char *method_details(void);

enum { METHOD_ANY_LOOKAHEAD = -1 }; /* "milp-ccl: .. deterministic policies that use the first L observations" */

/* "milp-ccl, L = 3: least maximum regret of deterministic policies that use 3 observations": what was
 * optimised, and over which policies. A baseline optimises nothing, and says what it is. Of a method that the table does not
 * have the word alone is printed. */
void method_add_class(text *t, const char *word, int lookahead, vouch_objective objective);
/* The same of planning again every `steps` steps. */
void method_add_replanned(text *t, vouch_method inner, bool guarded, int steps, vouch_objective objective);
/* Notes on standard error where -L was given to a method that does not go by it. */
void method_note_lookahead(const char *word);

#endif
