/* io/reading.h - options for the parts of a model that a written file does not hold, to give when the file is read again. */
#ifndef IO_READING_H
#define IO_READING_H

#include <vouch/model.h>

#include "io/file.h"

enum { READING_LABEL = 32 };
/* The label of the states of promise j in DRN files: "commit" of a commitment, else the promise's name where that is a plain word
 * and no label of the model, else promise1, promise2, .. */
const char *reading_label(const vouch_model *user, int promise, char own[READING_LABEL]);
/* The number of a state in a CSV file: the initial one is 0, those before it move up by one. */
int reading_csv_state(const vouch_model *user, int state);
/* Appends, of a path in CSV, DRN or POMDP, a sentence a line: how states are numbered (CSV), and with which options the file is the
 * model again, or the part that no option can express. Nothing for other formats. *states, *actions: how many the file has. */
void reading_add(const vouch_model *model, const char *path, int *states, int *actions, text *t);

#endif
