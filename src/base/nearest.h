/* base/nearest.h - "did you mean ..?" */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

/* Of words "this|that|..", the one that was most likely meant by a word that is none of them; NULL: none is near. Valid until the
 * next call. */
const char *nearest_word(const char *word, const char *words);

#endif
