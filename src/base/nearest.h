/* base/nearest.h - "did you mean ..?" */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

/* The word of the list "this|that|.." nearest to a mistyped word; NULL: none is near. Valid until the next call. */
const char *nearest_word(const char *word, const char *words);

#endif
