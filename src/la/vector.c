/* la/vector.c - see vector.h. Lists pay while under about a third of the entries are nonzero. */
#include "la/vector.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

void vector_init(vector *v, arena *a, int n)
{
    CHECK_COMPARE(n, >=, 0);
    *v = (vector){n, 0, ARENA_NEW(a, int, n), ARENA_ZERO(a, double, n)};
}

#ifdef VOUCH_DEBUG
/* The list names every nonzero, each once: as many as there are, none of them 0. */
static void vector_check(const vector *v)
{
    int nonzero = 0;
    for (int i = 0; i < v->n; i++) nonzero += v->value[i] != 0;
    CHECK_COMPARE(v->count, ==, nonzero);
    for (int k = 0; k < v->count; k++) CHECK(v->value[v->index[k]] != 0);
}
#endif

void vector_clear(vector *v)
{
    CHECK_COMPARE(v->count, <=, v->n);
    if (v->count < 0 || v->count > v->n / 3) {
        memset(v->value, 0, (size_t)v->n * sizeof *v->value);
    } else {
        for (int k = 0; k < v->count; k++) v->value[v->index[k]] = 0;
    }
    v->count = 0;
}

void vector_pack(vector *v, double tiny)
{
    int kept = 0;
    if (v->count < 0) {
        for (int i = 0; i < v->n; i++) { /* no branches: which entries are kept is hard to foretell */
            double value = v->value[i];
            bool keep = fabs(value) > tiny;
            v->index[kept] = i;
            kept += keep;
            v->value[i] = keep ? value : 0;
        }
    } else {
        for (int k = 0; k < v->count; k++) {
            int i = v->index[k];
            if (fabs(v->value[i]) > tiny)
                v->index[kept++] = i;
            else
                v->value[i] = 0;
        }
    }
    v->count = kept;
#ifdef VOUCH_DEBUG
    vector_check(v);
#endif
}

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* Looking at every value is faster than sorting a list of more than about a sixteenth of them. */
void vector_sort(vector *v)
{
    if (v->count > v->n / 16) v->count = VECTOR_UNLISTED;
    if (v->count < 0)
        vector_pack(v, 0);
    else
        qsort(v->index, (size_t)v->count, sizeof *v->index, ascending);
}

void vector_copy(vector *to, const vector *from)
{
    CHECK_COMPARE(to->n, ==, from->n);
    vector_clear(to);
    if (from->count < 0) {
        memcpy(to->value, from->value, (size_t)from->n * sizeof *to->value);
    } else {
        for (int k = 0; k < from->count; k++) {
            int i = from->index[k];
            to->index[k] = i;
            to->value[i] = from->value[i];
        }
    }
    to->count = from->count;
}

double vector_square(const vector *v)
{
    double sum = 0;
    if (v->count < 0) {
        for (int i = 0; i < v->n; i++) sum += v->value[i] * v->value[i];
    } else {
        for (int k = 0; k < v->count; k++) sum += v->value[v->index[k]] * v->value[v->index[k]];
    }
    return sum;
}
