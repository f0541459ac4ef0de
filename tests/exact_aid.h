/* tests/exact_aid.h - a small program, a starting basis, and the result of an exact simplex method. */
#ifndef EXACT_AID_H
#define EXACT_AID_H

#include <limits.h>

#include "base/clock.h"
#include "exact/exact.h"
#include "lp_aid.h"

enum { MOST = 16 }; /* rows, and columns */

typedef struct solved {
    exact_end end;
    exact_answer a;
    double x[MOST], y[MOST], ray[MOST];
    unsigned char status[2 * MOST]; /* given: the start; found: the end */
} solved;

static inline void slack_basis(const sample *p, solved *s)
{
    for (int v = 0; v < p->m + p->n; v++) s->status[v] = v < p->m ? VOUCH_BASIC : VOUCH_AT_LOWER;
}

/* The data as doubles within this work, or (0) as decimals by factors. */
static inline void solve_exactly(const sample *p, long long work, solved *s)
{
    vouch_limits none = {0};
    deadline limit = deadline_start(&none);
    vouch_lp_data data = sample_data(p);
    s->a = (exact_answer){.x = s->x, .y = s->y, .ray = s->ray};
    s->end = work ? exact_solve(&data, s->status, EXACT_MEANT, work, &limit, &s->a)
                  : exact_solve(&data, s->status, EXACT_DECIMAL, LLONG_MAX, &limit, &s->a);
}

#endif
