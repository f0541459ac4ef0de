/* mip/pseudo.c - see pseudo.h.
 *
 *     expected rise of the objective = distance * mean of (rise / distance) over the children of that column and direction,
 * and of all columns where there are none. Source: M. Benichou et al., Experiments in mixed-integer linear programming,
 * Mathematical Programming 1 (1971).
 */
#include "mip/pseudo.h"

#include <math.h>

#include "base/check.h"
#include "mip/tolerance.h"

void pseudo_learn(pseudo_costs *p, int col, bool up, double distance, double gain)
{
    if (!(distance > LEAST_STEP) || !(gain < INFINITY)) return;
    double rate = fmax(gain, 0) / distance;
    CHECK(col >= 0 && rate >= 0);
    p->sum[up][col] += rate;
    p->count[up][col]++;
    p->total[up] += rate;
    p->totals[up]++;
}

double pseudo_expect(const pseudo_costs *p, int col, bool up)
{
    CHECK(col >= 0 && p->sum[up][col] >= 0 && p->count[up][col] <= p->totals[up]);
    if (p->count[up][col] > 0) return p->sum[up][col] / p->count[up][col];
    return p->totals[up] > 0 ? p->total[up] / (double)p->totals[up] : 1;
}
