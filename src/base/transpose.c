/* base/transpose.c - see transpose.h. */
#include "base/transpose.h"

#include <string.h>

#include "base/check.h"

void transpose(const line_matrix *a, int across, int64_t start[], int index[], double value[])
{
    int64_t entries = a->start[a->lines];
    CHECK(a->start[0] == 0);
    CHECK(a->value || !value);
    memset(start, 0, ((size_t)across + 1) * sizeof *start);
    for (int64_t e = 0; e < entries; e++) {
        CHECK(a->index[e] >= 0 && a->index[e] < across);
        start[a->index[e] + 1]++;
    }
    for (int i = 0; i < across; i++) start[i + 1] += start[i];
    for (int l = 0; l < a->lines; l++) {
        for (int64_t e = a->start[l]; e < a->start[l + 1]; e++) {
            int64_t to = start[a->index[e]]++;
            index[to] = l;
            if (value) value[to] = a->value[e];
        }
    }
    /* Each start has moved to the end of its line, which is the start of the next one. */
    for (int i = across; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
    CHECK_COMPARE(start[across], ==, entries);
}
