/* plan/search/stagnation.c - see stagnation.h. O(1). Invariant: it follows from bounds and counts of nodes that were merged alone.
 */
#include "plan/search/stagnation.h"

#include <math.h>

/* Near: as a share of the cutoff, as far as what decisions have gained is trusted (plan/branch/branching.c). What a bound must gain
 * of what is missing to have moved. */
static const double NEAR = 0.3, MOVED = 0.1;
/* How many nodes a search may stand still for at first; with twice as many two of three mazes took 40 to 70 % more nodes
 * (bench/NOTES.md). */
enum { STILL_NODES = 1000, MOST_DOUBLINGS = 40 };

void stagnation_begin(stagnation *s, double bound, long long nodes)
{
    s->stood = bound;
    s->since = nodes;
}

bool stagnation_note(stagnation *s, double bound, double cutoff, long long nodes)
{
    double missing = cutoff - bound;
    bool near = isfinite(missing) && missing < NEAR * fabs(cutoff);
    if (!near || bound > s->stood + MOVED * missing) stagnation_begin(s, bound, nodes);
    int doublings = s->restarts < MOST_DOUBLINGS ? s->restarts : MOST_DOUBLINGS;
    return (nodes - s->since) >> doublings >= STILL_NODES;
}
