/* lp/ratio.c - ratio tests; see simplex.h.
 *
 * Dual. As the dual step t grows, reduced cost j (with the sign that makes d >= 0 feasible) falls as d_j - t a_j. It may pass its
 * breakpoint d_j / a_j if j is boxed: j flips to its other bound, and the slope of the dual objective drops by range_j a_j.
 * Breakpoints are popped from a heap in groups: Harris' bound of a group is the least (d_j + tol) / a_j of its members, and the
 * group contains all with an exact ratio up to it. The first group after which the slope is not positive contains the entering
 * variable, the one of largest a_j; if its entries are small relative to earlier ones, an earlier group is used. A slope within
 * rounding of 0 is 0: the next group would gain nothing, and its positive dual step would look like progress while the method
 * cycles. Sources: P. M. J. Harris, Mathematical Programming 5 (1973); R. Fourer, Notes on the dual simplex method (1994); A.
 * Koberstein, dissertation, Paderborn (2005), section 6.2.2.
 *
 * Primal, phase 2: Harris' two passes. Phase 1: the sum of infeasibilities is convex and piecewise linear along the step;
 * breakpoints are passed in order until its slope changes sign. */
#include "lp/simplex.h"

#include <math.h>

#include "base/check.h"
#include "lp/tolerance.h"

/* ---- a binary heap of candidates, the least key on top ----------------------------------------------------------------------- */

typedef struct ratio_heap {
    int count;
    int *item; /* positions into key */
    const double *key;
} ratio_heap;

static void sift(ratio_heap *h, int at)
{
    int moving = h->item[at];
    double key = h->key[moving];
    for (int child; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count) {
            double left = h->key[h->item[child]], right = h->key[h->item[child + 1]];
            if (right < left || (right == left && h->item[child + 1] < h->item[child])) child++;
        }
        double below = h->key[h->item[child]];
        if (key < below || (key == below && moving < h->item[child])) break;
        h->item[at] = h->item[child];
    }
    h->item[at] = moving;
}

static void heapify(ratio_heap *h)
{
    for (int at = h->count / 2 - 1; at >= 0; at--) sift(h, at);
}

/* Moves the top behind the shrunken heap: popped items are in item[] from its end, in order. */
static int pop(ratio_heap *h)
{
    CHECK_COMPARE(h->count, >, 0);
    int top = h->item[0];
    h->item[0] = h->item[--h->count];
    h->item[h->count] = top;
    if (h->count) sift(h, 0);
    return top;
}

static double pivot_least(const simplex *s) { return basis_updates(s->factors) < 10 ? TOL_PIVOT : TOL_PIVOT_AGED; }

/* ---- dual -------------------------------------------------------------------------------------------------------------------- */

static double range_of(const simplex *s, int v) { return s->work.upper[v] - s->work.lower[v]; }

/* Lists variables that may block in s->candidate, a_j in s->breakpoint and d_j / a_j in s->ratio, up to *limit, the least step of a
 * variable with only one bound. Returns their number. */
static int list_candidates(simplex *s, double sign, double least, double *limit)
{
    const vector *row = &s->pivot_row;
    double *entry = s->breakpoint, *ratio = s->ratio, tol = s->optimality_tol;
    int count = 0;
    *limit = INFINITY;
    for (int k = 0; k < row->count; k++) {
        int v = row->index[k], move = s->move[v];
        double a = sign * row->value[v], d = s->reduced[v];
        if (move) {
            a *= move;
            d *= move;
        } else if (s->work.lower[v] == s->work.upper[v]) {
            continue;
        } else if (a < 0) {
            a = -a;
            d = -d;
        }
        if (a <= least || d > *limit * a) continue;
        s->candidate[count] = v;
        entry[count] = a;
        ratio[count++] = d;
        if (d + tol < *limit * a && isinf(range_of(s, v))) *limit = larger(d + tol, 0) / a;
    }
    for (int k = 0; k < count; k++) ratio[k] /= entry[k];
    return count;
}

/* The first group, in s->order, if the slope ends in it: without sorting, as the group is large if many reduced costs are 0. The
 * least bound of all candidates is that of the group. Returns its size; 0: the slope does not end. *largest: of its entries. */
static int take_first_group(simplex *s, int count, double limit, double slope, double *largest)
{
    const double *entry = s->breakpoint, *ratio = s->ratio;
    double flat = TOL_SLOPE_FLAT * slope, bound = limit;
    int size = 0;
    *largest = 0;
    for (int k = 0; k < count; k++) bound = smaller(bound, larger(ratio[k] + s->optimality_tol / entry[k], 0));
    for (int k = 0; k < count; k++) {
        if (ratio[k] > bound) continue;
        s->order[size++] = k;
        *largest = larger(*largest, entry[k]);
        slope -= range_of(s, s->candidate[k]) * entry[k];
    }
    return slope > flat ? 0 : size;
}

/* Pops breakpoints in groups until the slope ends; s->group: number popped at the end of each group. Returns the number of groups.
 * *largest: of their entries. */
static int pop_groups(simplex *s, ratio_heap *h, double slope, double *largest)
{
    const double *entry = s->breakpoint, *ratio = s->ratio;
    double flat = TOL_SLOPE_FLAT * slope, tol = s->optimality_tol;
    int groups = 0, popped = 0;
    *largest = 0;
    while (h->count && (groups == 0 || slope > flat)) {
        double bound = INFINITY;
        while (h->count && ratio[h->item[0]] <= bound) {
            int k = pop(h);
            popped++;
            bound = smaller(bound, larger(ratio[k] + tol / entry[k], 0));
            *largest = larger(*largest, entry[k]);
            slope -= range_of(s, s->candidate[k]) * entry[k];
        }
        s->group[groups++] = popped;
    }
    return groups;
}

/* From the last group back, the candidate of largest entry, until it is `good`; last [-t]: the t-th popped. */
static int choose_entering(const simplex *s, int groups, const int *last, double good, int *chosen_group)
{
    const double *entry = s->breakpoint;
    const int *list = s->candidate, *group_end = s->group;
    int chosen = -1;
    double chosen_size = 0;
    *chosen_group = 0;
    for (int g = groups - 1; g >= 0; g--) {
        int best = -1;
        for (int t = g ? group_end[g - 1] : 0; t < group_end[g]; t++) {
            int k = last[-t];
            if (best < 0 || entry[k] > entry[best] || (entry[k] == entry[best] && list[k] < list[best])) best = k;
        }
        if (entry[best] > chosen_size) {
            chosen = best;
            *chosen_group = g;
            chosen_size = entry[best];
        }
        if (chosen_size >= good) break;
    }
    return chosen;
}

int ratio_dual(simplex *s, double slope, double sign, double length, int *flips)
{
    CHECK_COMPARE(slope, >, 0);
    CHECK(sign == 1 || sign == -1);
    int *list = s->candidate;
    double limit, largest;
    *flips = 0;
    int count = list_candidates(s, sign, larger(pivot_least(s), TOL_PIVOT_NOISE * length), &limit);
    if (count == 0) return -1;
    int chosen_group, groups = 1, first = take_first_group(s, count, limit, slope, &largest);
    const int *last = s->order + first - 1;
    s->group[0] = first;
    if (first == 0) {
        ratio_heap h = {0, s->order, s->ratio};
        for (int k = 0; k < count; k++) {
            if (s->ratio[k] <= limit) h.item[h.count++] = k;
        }
        last = s->order + h.count - 1;
        heapify(&h);
        groups = pop_groups(s, &h, slope, &largest);
    }
    int chosen = choose_entering(s, groups, last, smaller(RATIO_GOOD_PART * largest, 1.0), &chosen_group);
    CHECK(chosen >= 0);
    int entering = list[chosen], passed = chosen_group ? s->group[chosen_group - 1] : 0;
    for (int t = 0; t < passed; t++) s->group[t] = list[last[-t]];
    for (int t = 0; t < passed; t++) list[t] = s->group[t];
    *flips = passed;
    return entering;
}

/* ---- primal -------------------------------------------------------------------------------------------------------------------
 */

primal_step ratio_primal(const simplex *s, double direction, double range)
{
    const vector *col = &s->col;
    double least = pivot_least(s), tol = s->feasibility_tol, longest = INFINITY;
    for (int k = 0; k < col->count; k++) {
        int p = col->index[k];
        double a = direction * col->value[p], room;
        if (fabs(a) <= least) continue;
        room = a > 0 ? s->xb[p] - s->lb[p] : s->ub[p] - s->xb[p];
        double t = larger(room + tol, 0) / fabs(a); /* one outside must not move further */
        if (t < longest) longest = t;
    }
    primal_step step = {-1, INFINITY, false, false};
    double size = 0;
    if (!isinf(longest)) {
        for (int k = 0; k < col->count; k++) {
            int p = col->index[k];
            double a = direction * col->value[p];
            if (fabs(a) <= least) continue;
            double room = a > 0 ? s->xb[p] - s->lb[p] : s->ub[p] - s->xb[p];
            if (room > longest * fabs(a) || fabs(a) < size || (fabs(a) == size && p > step.position)) continue;
            size = fabs(a);
            step = (primal_step){p, larger(room, 0) / fabs(a), a < 0, false};
        }
    }
    CHECK_COMPARE(step.length, >=, 0);
    if (range <= step.length && !isinf(range)) return (primal_step){-1, range, false, true};
    return step;
}

primal_step ratio_infeasible(simplex *s, double direction, double range, double slope)
{
    const vector *col = &s->col;
    double least = pivot_least(s), tol = s->feasibility_tol;
    double *at = s->ratio, *entry = s->breakpoint;
    int count = 0;
    CHECK_COMPARE(slope, >, 0);
    ratio_heap h = {0, s->order, at};
    /* At most two breakpoints a basic variable: code 2 p for its lower bound, 2 p + 1 for its upper. */
    for (int k = 0; k < col->count; k++) {
        int p = col->index[k];
        double a = direction * col->value[p], x = s->xb[p];
        if (fabs(a) <= least) continue;
        bool fall = a > 0;
        double near = fall ? s->ub[p] : s->lb[p], far = fall ? s->lb[p] : s->ub[p], size = fabs(a);
        double beyond = fall ? x - near : near - x; /* > 0: outside, moving inwards */
        if (beyond > tol) {
            s->candidate[count] = 2 * p + fall;
            entry[count] = size;
            at[count++] = (beyond + tol) / size;
        }
        double room = fall ? x - far : far - x;
        if (room >= -tol && !isinf(far)) {
            s->candidate[count] = 2 * p + !fall;
            entry[count] = size;
            at[count++] = (room + tol) / size;
        }
    }
    for (int k = 0; k < count; k++) h.item[k] = k;
    h.count = count;
    heapify(&h);
    double largest = 0;
    int popped = 0;
    while (h.count && slope > 0 && at[h.item[0]] < range) {
        int k = pop(&h);
        popped++;
        slope -= entry[k];
        largest = larger(largest, entry[k]);
    }
    if (!isinf(range) && slope > 0) return (primal_step){-1, range, false, true};
    primal_step step = {-1, INFINITY, false, false};
    double size = 0;
    for (int t = popped - 1; t >= 0; t--) {
        int k = s->order[count - 1 - t];
        if (entry[k] <= size) continue;
        int p = s->candidate[k] / 2;
        bool upper = s->candidate[k] & 1;
        size = entry[k];
        step = (primal_step){p, larger(at[k] - tol / entry[k], -tol / entry[k]), upper, false};
        if (size >= RATIO_GOOD_PART * largest) break;
    }
    return step;
}
