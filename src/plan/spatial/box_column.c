/* plan/spatial/box_column.c - see box_column.h. */
#include "plan/spatial/box_column.h"

#include "base/memory.h"

box_column *box_column_new(int K, int choices)
{
    box_column *c = mem_alloc(1, sizeof *c + (2 * (size_t)K + (size_t)choices) * sizeof(double));
    if (!c) return NULL;
    double *numbers = (double *)(c + 1);
    *c = (box_column){.refs = 1, .regret = numbers, .pr = numbers + K, .prob = numbers + 2 * K};
    return c;
}

box_column *box_column_hold(box_column *c)
{
    c->refs++;
    return c;
}

void box_column_release(box_column *c)
{
    if (c && --c->refs == 0) mem_free(c);
}

bool box_column_within(const box_column *c, int choices, policy_box in)
{
    for (int i = 0; i < choices; i++)
        if (c->prob[i] < in.low[i] - BOX_ROUNDING || c->prob[i] > in.high[i] + BOX_ROUNDING) return false;
    return true;
}
