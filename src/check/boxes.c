/* check/boxes.c - bounds of stochastic policies whose probabilities lie between given ends (FORMAT.md, "part"): what an induction
 * charges at the prices is given back here, node by node. Doubles rounded upwards, signs considered.
 */
#include "check/check.h"

/* Options of a node up to which all vertices are looked at; of more, each environment takes what is best for it. */
enum { MOST_LOOSE = 6 };
/* Corners are rounded: the case of a point holds all probabilities that are no further from it than this. */
static const double PIN = 0x1p-40;

void boxes_open(bound *b)
{
    size_t options = b->g->options, K = (size_t)b->g->m->K;
    if (!b->low) {
        b->low = zeroed(options, sizeof *b->low);
        b->high = zeroed(options, sizeof *b->high);
        b->pinned = zeroed(b->g->nodes, sizeof *b->pinned);
        b->price = zeroed(options * K, sizeof *b->price);
    }
    for (size_t o = 0; o < options; o++) b->low[o] = 0;
    for (size_t o = 0; o < options; o++) b->high[o] = 1;
    memset(b->pinned, false, b->g->nodes * sizeof *b->pinned);
    for (; b->prices > 0; b->prices--) memset(b->price + b->priced[b->prices - 1] * K, 0, K * sizeof *b->price);
    b->shift = 0;
    b->boxed = false;
}

void boxes_cut(bound *b, size_t option, double low, double high)
{
    b->low[option] = fmax(b->low[option], low);
    b->high[option] = fmin(b->high[option], high);
    b->boxed = true;
}

void boxes_pin(bound *b, const node *n, const double point[])
{
    b->pinned[n - b->g->node] = true;
    for (int i = 0; i < n->options; i++) boxes_cut(b, n->option + (size_t)i, fmax(0, point[i] - PIN), point[i] + PIN);
}

void boxes_price(bound *b, size_t option, mpq_t price[])
{
    size_t K = (size_t)b->g->m->K;
    for (size_t i = 0; i < b->prices; i++)
        if (b->priced[i] == option) refuted("an option has two prices");
    b->priced = grown(b->priced, b->prices, sizeof *b->priced);
    b->priced[b->prices++] = option;
    for (size_t k = 0; k < K; k++) {
        (void)rung_known(b->g, (int)k); /* made now, as that rounds otherwise than what needs it */
        b->price[option * K + k] = outward(price[k], UP);
        b->shift = fmax(b->shift, b->price[option * K + k]);
    }
    b->boxed = true;
}

double boxes_most(const bound *b, const node *n, const double worth[])
{
    double most = INFINITY;
    for (int j = 0; j < n->options; j++) {
        double sum = worth[j];
        for (int i = 0; i < n->options; i++)
            sum += (worth[i] - worth[j]) * (worth[i] > worth[j] ? b->high : b->low)[n->option + (size_t)i];
        most = fmin(most, sum);
    }
    return most;
}

/* The largest probability of node n in environment k; DOWN: less than the least, times -1. */
static double reach(const bound *b, size_t n, int k, int toward)
{
    const rung *r = rung_known(b->g, k);
    double worth[ACTIONS] = {0};
    bound_class *of = b->of; /* scratch */
    for (size_t c = r->layer[b->g->node[n].t + 1]; c-- > 0;) {
        size_t slot = r->slot[c];
        of[c].loss = r->node[c] != (int)n ? 0 : toward == UP ? 1 : -1;
        if (c >= r->layer[b->g->node[n].t]) continue;
        for (int i = 0; slot < r->slot[c + 1]; i++, slot++) {
            worth[i] = 0;
            spend(1 + r->arc_start[slot + 1] - r->arc_start[slot]);
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
                worth[i] += r->factor.end[toward][arc] * of[r->arc[arc]].loss;
        }
        of[c].loss = boxes_most(b, &b->g->node[r->node[c]], worth);
    }
    return of[0].loss;
}

/* The most of slope * y, y between the ends; that below with its sign changed. */
static double most_of(double slope, const double ends[2]) { return slope > 0 ? slope * ends[UP] : -slope * ends[DOWN]; }

/* A vertex of the box of node n: all options but `loose` at the ends that bits tell, x [options], where that one is 0; it has what
 * is left of 1, which lies in between [2]. false: it is none. */
static bool vertex(const bound *b, const node *n, int loose, unsigned bits, double x[], double between[])
{
    double used = 0, spared = 0;
    for (int i = 0; i < n->options; i++) {
        x[i] = i == loose ? 0 : (bits >> i & 1 ? b->high : b->low)[n->option + (size_t)i];
        used += x[i];
        spared -= x[i];
    }
    between[DOWN] = -(used - 1);
    between[UP] = 1 + spared;
    return between[UP] >= b->low[n->option + (size_t)loose] && between[DOWN] <= b->high[n->option + (size_t)loose];
}

/* sum_k slope_k y_k at a vertex; -INFINITY: it is none. */
static double vertex_back(const bound *b, const node *n, int loose, unsigned bits, const double ends[])
{
    double x[ACTIONS], between[2], sum = 0;
    spend((size_t)b->g->m->K * (size_t)n->options);
    if (!vertex(b, n, loose, bits, x, between)) return -INFINITY;
    size_t last = n->option + (size_t)loose, K = (size_t)b->g->m->K;
    for (size_t k = 0; k < K; k++) {
        double price = b->price[last * K + k], slope = price * between[price > 0 ? UP : DOWN];
        for (int i = 0; i < n->options; i++) slope += x[i] * b->price[(n->option + (size_t)i) * K + k];
        sum += most_of(slope, ends + 2 * k);
    }
    return sum;
}

/* Is the vertex within half of PIN of a point? The other half leaves room for rounding. true: it is no vertex of the box. */
static bool vertex_pinned(const bound *b, const node *n, int loose, unsigned bits, const double point[], size_t count)
{
    double x[ACTIONS], between[2];
    if (!vertex(b, n, loose, bits, x, between)) return true;
    for (size_t p = 0; p < count; p++, point += n->options) {
        bool near = true;
        for (int i = 0; i < n->options; i++)
            near = near && (i == loose ? between[DOWN] >= point[i] - PIN / 2 && between[UP] <= point[i] + PIN / 2
                                       : fabs(x[i] - point[i]) <= PIN / 2);
        if (near) return true;
    }
    return false;
}

bool boxes_cornered(const bound *b, const node *n, const double point[], size_t count)
{
    bool all = n->options <= MOST_LOOSE;
    arithmetic(0, UP);
    for (int loose = 0; loose < n->options && all; loose++)
        for (unsigned bits = 0; bits < 1u << n->options; bits++)
            if (!(bits >> loose & 1)) all = all && vertex_pinned(b, n, loose, bits, point, count);
    arithmetic_end();
    return all;
}

/* Adds a corner, or makes the one of `count` larger that is nearly the same. */
static size_t add_corner(double corner[], size_t count, const double x[], size_t options)
{
    double *of = corner;
    for (; of < corner + count * options; of += options) {
        double apart = 0;
        for (size_t i = 0; i < options; i++) apart = fmax(apart, fabs(of[i] - x[i]));
        if (apart > PIN) continue;
        for (size_t i = 0; i < options; i++) of[i] = fmax(of[i], x[i]);
        return count;
    }
    memcpy(of, x, options * sizeof *of);
    return count + 1;
}

size_t boxes_corners(const bound *b, const node *n, double corner[])
{
    const double *low = b->low + n->option, *high = b->high + n->option;
    double x[ACTIONS], between[2];
    size_t options = (size_t)n->options, count = 0;
    bool all = options > MOST_LOOSE, part = false;
    if (b->pinned[n - b->g->node]) return add_corner(corner, 0, high, options);
    for (size_t i = 0; i < options; i++) part = part || low[i] > 0 || high[i] < 1;
    for (size_t j = 0; j < options && (all || !part); j++) {
        memset(x, 0, options * sizeof *x);
        x[j] = 1;
        count = add_corner(corner, count, x, options);
    }
    for (int loose = 0; loose < n->options && part && !all; loose++)
        for (unsigned bits = 0; bits < 1u << options; bits++) {
            if (bits >> loose & 1 || !vertex(b, n, loose, bits, x, between)) continue;
            x[loose] = fmin(fmax(between[UP], 0), high[loose]);
            count = add_corner(corner, count, x, options);
        }
    return count;
}

/* The most that prices at node `at` can give back. */
static double given_back(const bound *b, size_t at)
{
    const node *n = &b->g->node[at];
    size_t K = (size_t)b->g->m->K;
    double *ends = zeroed(2 * K, sizeof *ends), best = -INFINITY, apart = 0, price[ACTIONS];
    for (size_t k = 0; k < K; k++) {
        for (int i = DOWN; i <= UP && in(n->set, (int)k); i++) ends[2 * k + (size_t)i] = reach(b, at, (int)k, i);
        for (int i = 0; i < n->options; i++) price[i] = b->price[(n->option + (size_t)i) * K + k];
        apart += most_of(boxes_most(b, n, price), ends + 2 * k);
    }
    for (int loose = 0; loose < n->options && n->options <= MOST_LOOSE; loose++)
        for (unsigned bits = 0; bits < 1u << n->options; bits++)
            if (!(bits >> loose & 1)) best = fmax(best, vertex_back(b, n, loose, bits, ends));
    free(ends);
    return n->options > MOST_LOOSE ? apart : best;
}

double boxes_back(const bound *b)
{
    double sum = 0;
    for (size_t n = 0; n < b->g->nodes && b->prices > 0; n++) {
        const node *of = &b->g->node[n];
        bool any = false;
        for (size_t i = 0; i < b->prices; i++) any |= b->priced[i] - of->option < (size_t)of->options; /* unsigned */
        if (any) sum += given_back(b, n);
    }
    return sum;
}
