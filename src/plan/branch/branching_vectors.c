/* plan/branch/branching_vectors.c - the coordinate x of largest spread over a Pareto set's vectors, and where it is cut:
 *
 *     BRANCHING_MEAN    argmax_x sum_v mass(v) (x(v) - mean)^2, at the mean
 *     BRANCHING_MIDDLE  argmax_x max x - min x over those allowed, half way
 *
 * O(2K vectors of the node). Invariant: both children keep a vector, of the mixture or of those allowed, since the threshold is
 * below the largest of them.
 */
#include "plan/branch/branching_vectors.h"

#include <math.h>

#include "base/check.h"

/* A coordinate's spread must be greater by this share to be preferred to an earlier one. */
static const double WIDER = 1e-9;

/* How the mixture's vectors at a policy node lie in one coordinate. */
typedef struct spread {
    double least, most, mean, variance; /* mean and variance by mass */
} spread;

/* Where the vectors are parted; coordinate -1: they are all the same. */
typedef struct vector_split {
    int coordinate;
    double threshold;
} vector_split;

/* Coordinate i of the value vector that is option o. */
static double coordinate_of(const policy_space *space, int o, int i)
{
    return space->f->value[(size_t)(o - space->g->choices) * 2 * (size_t)space->K + (size_t)i];
}

static spread spread_of(const node_solver *s, option_range at, int coordinate)
{
    const policy_space *space = s->colgen->space;
    const double *mass = s->colgen->mass;
    spread p = {.least = INFINITY, .most = -INFINITY};
    double sum = 0;
    for (int o = at.first; o < at.last; o++) {
        if (mass[o] <= 0) continue;
        double x = coordinate_of(space, o, coordinate);
        p.least = fmin(p.least, x);
        p.most = fmax(p.most, x);
        p.mean += mass[o] * x;
        sum += mass[o];
    }
    p.mean /= sum;
    for (int o = at.first; o < at.last; o++) {
        double off = coordinate_of(space, o, coordinate) - p.mean;
        if (mass[o] > 0) p.variance += mass[o] / sum * off * off;
    }
    if (!(p.mean < p.most)) p.mean = p.least; /* rounding: both parts must have a vector of the mixture */
    p.mean = fmax(p.mean, p.least);
    return p;
}

/* Where the mixture's vectors spread most (mass-weighted variance), at their mean. */
static vector_split at_mean(const node_solver *s, option_range at)
{
    vector_split split = {.coordinate = -1};
    double best_variance = 0;
    for (int i = 0; i < 2 * s->colgen->space->K; i++) {
        spread p = spread_of(s, at, i);
        if (!(p.most > p.least) || (split.coordinate >= 0 && !(p.variance > best_variance * (1 + WIDER)))) continue;
        best_variance = p.variance;
        split = (vector_split){i, p.mean};
    }
    return split;
}

/* In the middle of the coordinate in which the vectors still allowed differ most. */
static vector_split at_middle(const node_solver *s, option_range at)
{
    vector_split split = {.coordinate = -1};
    double width = 0;
    for (int i = 0; i < 2 * s->colgen->space->K; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int o = at.first; o < at.last; o++) {
            if (!s->colgen->allowed[o]) continue;
            double x = coordinate_of(s->colgen->space, o, i);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low <= width) continue;
        width = high - low;
        split = (vector_split){i, low + 0.5 * width < high ? low + 0.5 * width : low};
    }
    return split;
}

void branching_vectors(const node_solver *s, const tree_node *n, int node, branching_point point, node_result *result)
{
    const policy_space *space = s->colgen->space;
    option_range at = options_of(space, node);
    CHECK(at.vectors);
    vector_split split = point == BRANCHING_MEAN ? at_mean(s, at) : at_middle(s, at);
    if (split.coordinate < 0) { /* nothing to decide, and nothing is lost */
        result->cut = fmin(result->cut, n->bound);
        return;
    }
    /* the part with the heaviest vector, or the upper one, is taken next */
    bool next = point == BRANCHING_MIDDLE || coordinate_of(space, s->heaviest[node], split.coordinate) > split.threshold;
    for (int i = 0; i < 2; i++) {
        decision d = {.node = node, .option = -1, .coordinate = split.coordinate, .threshold = split.threshold};
        d.above = i == 1 ? next : !next;
        result->made[result->children++] = (child){d, n->bound};
    }
    result->promising = result->children - 1;
}
