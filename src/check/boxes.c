/* check/boxes.c - stochastic policies whose probabilities lie between given ends (FORMAT.md, "part"): an induction charges the
 * prices, and they are given back here, node by node. */
#include "check/check.h"

/* Options of a node up to which all vertices are looked at; of more, each environment takes its own best. */
enum { MOST_LOOSE = 6 };
/* Corners are rounded: the case of a point holds all probabilities that are no further from it than this. */
static const double PIN = 0x1p-40;

void boxes_open(bound *b)
{
    size_t options = b->g->options, K = (size_t)b->g->m->K;
    if (!b->low) {
        b->low = zeroed(b->g->ctx, options, sizeof *b->low);
        b->high = zeroed(b->g->ctx, options, sizeof *b->high);
        b->pinned = zeroed(b->g->ctx, b->g->nodes, sizeof *b->pinned);
        b->price = zeroed(b->g->ctx, options * K, sizeof *b->price);
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
    judge *ctx = b->g->ctx;
    size_t K = (size_t)b->g->m->K;
    for (size_t i = 0; i < b->prices; i++)
        if (b->priced[i] == option) refuted(ctx, "an option has two prices");
    b->priced = grown(ctx, b->priced, b->prices, sizeof *b->priced);
    b->priced[b->prices++] = option;
    for (size_t k = 0; k < K; k++) {
        (void)rung_known(b->g, (int)k); /* made now, as that rounds otherwise than what needs it */
        b->price[option * K + k] = outward(ctx, price[k], UP);
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
            spend(b->g->ctx, 1 + r->arc_start[slot + 1] - r->arc_start[slot]);
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
                worth[i] += r->factor.end[toward][arc] * of[r->arc[arc]].loss;
        }
        of[c].loss = boxes_most(b, &b->g->node[r->node[c]], worth);
    }
    return of[0].loss;
}

/* The most of slope * y, y between the ends; the lower one with its sign changed. */
static double most_of(double slope, const double ends[2]) { return slope > 0 ? slope * ends[UP] : -slope * ends[DOWN]; }

/* ---- vertices ---- */

/* A vertex of the box of a node: all options but `loose` at the ends that bits choose, x [options], where that one is 0; it has the
 * rest of 1, which lies in between [2]. */
typedef struct box_vertex {
    int loose;
    unsigned bits;
    double x[ACTIONS], between[2];
} box_vertex;

/* The next one, of a node with at most MOST_LOOSE options; begins with bits = -1. false: there is none left. */
static bool vertex_next(const bound *b, const node *n, box_vertex *v)
{
    const double *low = b->low + n->option, *high = b->high + n->option;
    for (;;) {
        double used = 0, spared = 0;
        if (++v->bits == 1u << n->options) v->bits = 0, v->loose++;
        if (v->loose >= n->options) return false;
        if (v->bits >> v->loose & 1) continue;
        for (int i = 0; i < n->options; i++) {
            v->x[i] = i == v->loose ? 0 : (v->bits >> i & 1 ? high : low)[i];
            used += v->x[i];
            spared -= v->x[i];
        }
        v->between[DOWN] = -(used - 1);
        v->between[UP] = 1 + spared;
        if (v->between[UP] >= low[v->loose] && v->between[DOWN] <= high[v->loose]) return true;
    }
}

/* A vertex is nearly a point if it is within half of PIN; the other half leaves room for rounding. */
bool boxes_cornered(const bound *b, const node *n, const double point[], size_t count)
{
    bool all = n->options <= MOST_LOOSE;
    arithmetic(b->g->ctx, 0, UP);
    for (box_vertex v = {.bits = UINT_MAX}; all && vertex_next(b, n, &v);) {
        all = false;
        for (const double *at = point; at < point + count * (size_t)n->options && !all; at += n->options) {
            all = true;
            for (int i = 0; i < n->options; i++)
                all = all && (i == v.loose ? v.between[DOWN] >= at[i] - PIN / 2 && v.between[UP] <= at[i] + PIN / 2
                                           : fabs(v.x[i] - at[i]) <= PIN / 2);
        }
    }
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
    const double *high = b->high + n->option;
    size_t options = (size_t)n->options, count = 0;
    if (b->pinned[n - b->g->node]) return add_corner(corner, 0, high, options);
    for (box_vertex v = {.bits = UINT_MAX}; options <= MOST_LOOSE && vertex_next(b, n, &v);) {
        v.x[v.loose] = fmin(fmax(v.between[UP], 0), high[v.loose]);
        count = add_corner(corner, count, v.x, options);
    }
    for (size_t j = 0; options > MOST_LOOSE && j < options; j++) {
        double x[ACTIONS] = {0};
        x[j] = 1;
        count = add_corner(corner, count, x, options);
    }
    return count;
}

/* The most that prices at node `at` can give back. */
static double given_back(const bound *b, size_t at)
{
    const node *n = &b->g->node[at];
    size_t K = (size_t)b->g->m->K;
    double *ends = zeroed(b->g->ctx, 2 * K, sizeof *ends), best = -INFINITY, apart = 0, price[ACTIONS];
    for (size_t k = 0; k < K; k++) {
        for (int i = DOWN; i <= UP && in(n->set, (int)k); i++) ends[2 * k + (size_t)i] = reach(b, at, (int)k, i);
        for (int i = 0; i < n->options; i++) price[i] = b->price[(n->option + (size_t)i) * K + k];
        apart += most_of(boxes_most(b, n, price), ends + 2 * k);
    }
    for (box_vertex v = {.bits = UINT_MAX}; n->options <= MOST_LOOSE && vertex_next(b, n, &v);) {
        double sum = 0; /* of slope_k y_k */
        spend(b->g->ctx, K * (size_t)n->options);
        for (size_t k = 0; k < K; k++) {
            double last = b->price[(n->option + (size_t)v.loose) * K + k], slope = last * v.between[last > 0 ? UP : DOWN];
            for (int i = 0; i < n->options; i++) slope += v.x[i] * b->price[(n->option + (size_t)i) * K + k];
            sum += most_of(slope, ends + 2 * k);
        }
        best = fmax(best, sum);
    }
    drop(b->g->ctx, ends);
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
