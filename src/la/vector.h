/* la/vector.h - a dense array of doubles together with a list of where it is nonzero. */
#ifndef LA_VECTOR_H
#define LA_VECTOR_H

#include "base/arena.h"

/* value: [n]. count >= 0: index[0 .. count-1] names every nonzero, each once, and nothing else is listed
 * (a listed entry that cancelled holds VECTOR_CANCELLED, never 0). count = VECTOR_UNLISTED: the list is unknown. */
typedef struct vector {
    int n;
    int count;
    int *index;
    double *value;
} vector;

#define VECTOR_UNLISTED (-1)
/* Stands for a cancelled entry so that membership can be read off the value; vanishes in any sum. */
#define VECTOR_CANCELLED 1e-100

/* fmax and fmin that compile to one instruction; a NaN in b comes through, one in a does not. */
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* Zero vector of length n, whose arrays are in a. */
void vector_init(vector *v, arena *a, int n);
/* Sets to zero, by the list when that is shorter. */
void vector_clear(vector *v);
/* Drops entries below `tiny` in magnitude and makes the list if it is unknown. */
void vector_pack(vector *v, double tiny);
/* Makes the list if it is unknown, and puts it in ascending order. */
void vector_sort(vector *v);
void vector_copy(vector *to, const vector *from); /* same n */
double vector_square(const vector *v);            /* sum of squares */
/* Adds `amount` at i, keeping the list when it is known. */
static inline void vector_add(vector *v, int i, double amount)
{
    double old = v->value[i], now = old + amount;
    if (v->count >= 0) {
        if (old == 0) v->index[v->count++] = i;
        if (now == 0) now = VECTOR_CANCELLED;
    }
    v->value[i] = now;
}

#endif
