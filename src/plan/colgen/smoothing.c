/* plan/colgen/smoothing.c - see smoothing.h. */
#include "plan/colgen/smoothing.h"

#include <math.h>

#include "base/memory.h"

/* First and least length of a step; factors of growth, of reduction, and of growth after a policy that is not new. */
static const double FIRST_STEP = 0.5, LEAST_STEP = 0.1, LONGER = 2, SHORTER = 0.5, FURTHER = 4;

void smoothing_begin(smoothing *s, const double lambda[], bool priced)
{
    MEM_COPY(s->centre, lambda, s->count);
    s->length = priced ? FIRST_STEP : 0;
    s->better = true;
}

void smoothing_take(smoothing *s, double lambda[])
{
    MEM_COPY(s->aimed, lambda, s->count);
    for (int j = 0; j < s->count; j++) lambda[j] = s->centre[j] + s->length * (s->aimed[j] - s->centre[j]);
}

bool smoothing_fit(smoothing *s, const double lambda[], const double slope[], bool repeated)
{
    if (repeated && s->length >= 1) return false;
    double grows = 0;
    for (int j = 0; j < s->count; j++) grows += (s->aimed[j] - s->centre[j]) * slope[j];
    if (s->length <= 0)
        s->length = FIRST_STEP;
    else if (repeated)
        s->length = fmin(1, FURTHER * s->length);
    else
        s->length = fmax(LEAST_STEP, grows > 0 ? fmin(1, LONGER * s->length) : SHORTER * s->length);
    if (s->better) MEM_COPY(s->centre, lambda, s->count);
    return true;
}
