/* plan/spatial/box_column.c - see box_column.h. */
#include "plan/spatial/box_column.h"

#include <math.h>

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

static void move_node(const know_graph *g, int n, policy_box in, const double mean[], double prob[])
{
    int first = g->choice_start[n], last = g->choice_start[n + 1];
    double left = 1;
    for (int c = first; c < last; c++) left -= prob[c] = fmin(fmax(prob[c], in.low[c]), in.high[c]);
    for (int i = first; i < last && fabs(left) > BOX_ROUNDING; i++) { /* each round moves one choice to its bound */
        const double *side = left > 0 ? in.high : in.low;
        double furthest = -INFINITY;
        int at = -1;
        for (int c = first; c < last; c++) {
            double off = left > 0 ? mean[c] - prob[c] : prob[c] - mean[c];
            if (prob[c] == side[c] || off <= furthest) continue;
            furthest = off;
            at = c;
        }
        if (at < 0) return;
        double to = fmin(fmax(prob[at] + left, in.low[at]), in.high[at]);
        left -= to - prob[at];
        prob[at] = to;
    }
}

void box_column_move(const know_graph *g, policy_box in, const double mean[], double prob[])
{
    for (int n = 0; n < g->time_start[g->T]; n++) move_node(g, n, in, mean, prob);
}
