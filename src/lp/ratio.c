/* lp/ratio.c - ratio tests and pricing rules; see simplex.h.
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
#include <math.h>

#include "base/check.h"
#include "lp/simplex.h"
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
        for (int k = 0; k < count; k++)
            if (s->ratio[k] <= limit) h.item[h.count++] = k;
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

/* ---- primal ----------------------------------------------------------------------------------------------------------------- */

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

/* ---- steepest edge, default of the dual: the row of largest infeasible_p / w_p ------------------------------------------------
 *
 * Weights w_p = |e_p' B^-1|^2 are exact from a slack start; a wrong weight is corrected when its row is computed, and the row
 * chosen again. Only blocks of positions that a pivot changed, and groups of such blocks, are searched: few in a million rows.
 * Source: J. J. Forrest and D. Goldfarb, Mathematical Programming 57 (1992), dual algorithm 1. */

/* Least ratio of a stored weight to the true one; below it the row is chosen again. */
static const double WEIGHT_ACCEPT = 0.25;

static void start(simplex *s)
{
    if (s->pricing.edge_valid) return;
    if (!basis_row_squares(s->factors, s->pricing.edge))
        for (int p = 0; p < s->m; p++) s->pricing.edge[p] = 1;
    s->pricing.edge_valid = true;
    pricing_all_changed(s);
}

static void set_level(pricing_level *l, int part, int best, double most)
{
    l->most[part] = most;
    l->best[part] = best;
    l->changed[part] = false;
}

static void look_at_block(simplex *s, int b)
{
    int first = b * PRICING_BLOCK, end = s->m - first < PRICING_BLOCK ? s->m : first + PRICING_BLOCK, best = -1;
    double most = 0;
    for (int p = first; p < end; p++) {
        if (s->pricing.infeasible[p] > most * s->pricing.edge[p]) {
            most = s->pricing.infeasible[p] / s->pricing.edge[p];
            best = p;
        }
    }
    set_level(&s->pricing.block, b, best, most);
}

/* The best of the parts first .. end - 1 of a level, looked at again where they changed. */
static inline int best_part(simplex *s, pricing_level *l, void (*look)(simplex *, int), int first, int end, double *most)
{
    int best = -1;
    *most = 0;
    for (int i = first; i < end; i++) {
        int said = l->changed[i] ? -2 : l->best[i];
        if (CHECKING || said == -2) look(s, i);
        CHECK(said == -2 || said == l->best[i]);
        if (l->most[i] <= *most) continue;
        *most = l->most[i];
        best = l->best[i];
    }
    return best;
}

static void look_at_group(simplex *s, int g)
{
    int first = g * PRICING_BLOCK, blocks = pricing_blocks(s->m);
    double most;
    int best = best_part(s, &s->pricing.block, look_at_block, first,
                         blocks - first < PRICING_BLOCK ? blocks : first + PRICING_BLOCK, &most);
    set_level(&s->pricing.group, g, best, most);
}

static int choose(simplex *s)
{
    double most;
    return best_part(s, &s->pricing.group, look_at_group, 0, pricing_groups(s->m), &most);
}

static bool accept(simplex *s, int p)
{
    double weight = vector_square(&s->row), stored = s->pricing.edge[p];
    s->pricing.edge[p] = larger(weight, WEIGHT_LEAST);
    pricing_changed(s, p);
    return !(stored < WEIGHT_ACCEPT * weight);
}

static void update(simplex *s, int p)
{
    double pivot = s->col.value[p], old = s->pricing.edge[p];
    CHECK(pivot != 0);
    CHECK_COMPARE(old, >=, WEIGHT_LEAST);
    vector_copy(&s->tau, &s->row);
    simplex_ftran(s, &s->tau, LU_EDGE, false);
    for (int k = 0; k < s->col.count; k++) {
        int i = s->col.index[k];
        if (i == p) continue;
        double part = s->col.value[i] / pivot;
        double weight = s->pricing.edge[i] + part * (part * old - 2 * s->tau.value[i]);
        s->pricing.edge[i] = larger(weight, WEIGHT_LEAST);
        pricing_changed(s, i);
    }
    s->pricing.edge[p] = larger(old / (pivot * pivot), WEIGHT_LEAST);
    pricing_changed(s, p);
}

static const dual_pricing dual_pricing_steepest = {start, choose, accept, update};

/* ---- devex, default of the primal: the column of largest d_v^2 / w_v, w_v a reference weight ----------------------------------
 *
 * All weights begin at 1 and only grow, w_v := max(w_v, (a_pv / a_pq)^2 w_q), until they are too large and restart. Source: P. M.
 * J. Harris, Mathematical Programming 5 (1973). */

/* Weights above this are far from the reference framework. */
static const double DEVEX_MOST = 1e7;

static void start_devex(simplex *s)
{
    for (int v = 0; v < s->vars; v++) s->pricing.devex[v] = 1;
}

static int choose_devex(const simplex *s)
{
    int best = -1;
    double most = 0;
    for (int v = 0; v < s->vars; v++) {
        double d = pricing_attracts(s, v);
        if (d * d > most * s->pricing.devex[v]) {
            most = d * d / s->pricing.devex[v];
            best = v;
        }
    }
    return best;
}

static void update_devex(simplex *s, int p, int q)
{
    const vector *row = &s->pivot_row;
    double pivot = s->col.value[p], weight = s->pricing.devex[q] / (pivot * pivot);
    for (int k = 0; k < row->count; k++) {
        int v = row->index[k];
        double a = row->value[v], w = a * a * weight;
        if (w > s->pricing.devex[v]) s->pricing.devex[v] = w;
    }
    double out = s->pricing.devex[s->head[p]] = larger(weight, 1);
    if (out > DEVEX_MOST) start_devex(s);
}

static const primal_pricing primal_pricing_devex = {start_devex, choose_devex, update_devex};

/* ---- largest: the most infeasible row, the column of largest reduced cost -----------------------------------------------------
 *
 * Without weights iterations are cheap, but usually many more. Source: G. B. Dantzig, Linear Programming and Extensions (1963). */

static void start_rows(simplex *s) { s->pricing.edge_valid = false; }

static int choose_row(simplex *s)
{
    int best = -1;
    double most = 0;
    for (int p = 0; p < s->m; p++) {
        if (s->pricing.infeasible[p] <= most) continue;
        most = s->pricing.infeasible[p];
        best = p;
    }
    return best;
}

static bool accept_row(simplex *s, int p)
{
    (void)s, (void)p;
    return true;
}

static void update_rows(simplex *s, int p) { (void)s, (void)p; }

static void start_columns(simplex *s) { (void)s; }

static int choose_column(const simplex *s)
{
    int best = -1;
    double most = 0;
    for (int v = 0; v < s->vars; v++) {
        double d = pricing_attracts(s, v);
        if (d <= most) continue;
        most = d;
        best = v;
    }
    return best;
}

static void update_columns(simplex *s, int p, int q) { (void)s, (void)p, (void)q; }

static const dual_pricing dual_pricing_largest = {start_rows, choose_row, accept_row, update_rows};
static const primal_pricing primal_pricing_largest = {start_columns, choose_column, update_columns};

/* ---- the rules of the options ----------------------------------------------------------------------------------------------- */

#define RULE(word) &dual_pricing_##word,
static const dual_pricing *const DUAL[] = {VOUCH_LP_DUAL_PRICING(RULE)};
#undef RULE
#define RULE(word) &primal_pricing_##word,
static const primal_pricing *const PRIMAL[] = {VOUCH_LP_PRIMAL_PRICING(RULE)};
#undef RULE
enum { DUAL_RULES = sizeof DUAL / sizeof *DUAL, PRIMAL_RULES = sizeof PRIMAL / sizeof *PRIMAL };

const dual_pricing *pricing_dual(const simplex *s)
{
    CHECK(s->dual_rule >= 0 && s->dual_rule < DUAL_RULES);
    return DUAL[s->dual_rule];
}

const primal_pricing *pricing_primal(const simplex *s)
{
    CHECK(s->primal_rule >= 0 && s->primal_rule < PRIMAL_RULES);
    return PRIMAL[s->primal_rule];
}

bool pricing_known(const vouch_lp_options *options)
{
    return options->dual_pricing >= 0 && options->dual_pricing < DUAL_RULES && options->primal_pricing >= 0 &&
           options->primal_pricing < PRIMAL_RULES;
}
