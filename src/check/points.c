/* check/points.c - all that deterministic policies attain (FORMAT.md, "pairs" and "vectors"): sets of points of U(k) and Pr(row)
 * for each node.
 *
 * Doubles rounded upwards, so that what is true of the points is true of all policies. Where paths meet again they need not agree,
 * which only adds points.
 */
#include "check/check.h"

/* Most points of a set that is not merged, and sums of such sets that are tried at once; coordinates closer than this, relatively,
 * differ by rounding. */
enum { MOST = 20000, SUMS = 1000000 };
static const double SAME = 0x1p-46;
/* The area that merged pairs may lose is sought between that of the set and 2^-(HALVINGS) of it, in PARTS of a power. */
enum { HALVINGS = 64, PARTS = 4 };

typedef struct points {
    size_t count;
    double *x; /* [count * width] */
} points;

/* F(n) of all nodes, as it was made for the case before. */
typedef struct point_sets {
    struct point_sets *other; /* of the same rows and another size; owned */
    int most, *env, *row;     /* of a set, 0: it is not merged; [width] of each coordinate, row -1: U */
    bool alone;               /* of one environment */
    size_t width;
    double *p;            /* [width] scratch */
    const double *enough; /* that was asked for; each tree has its own */
    points *of;           /* [nodes] */
    unsigned char *was;   /* [options] allowed when it was made */
    bool *changed;        /* [nodes] */
} point_sets;

static const point_sets *at; /* those at hand */

/* Both, from the largest first coordinate on as they are, but for what another one dominates: of pairs the last does, if any. Of
 * two that differ by rounding the larger coordinates stay. */
static points unite(points a, points b)
{
    size_t width = at->width, kept = 0, v = 0, w = 0, y, i;
    if (a.count == 0 || b.count == 0) return free(a.count ? b.x : a.x), a.count ? a : b;
    double *x = zeroed((a.count + b.count) * width, sizeof *x);
    spend((a.count + b.count) * width);
    while (v < a.count || w < b.count) {
        const double *next = a.x + v * width, *other = b.x + w * width;
        for (i = 0; v < a.count && w < b.count && i + 1 < width && next[i] == other[i];) i++;
        if (w == b.count || (v < a.count && next[i] >= other[i]))
            v++;
        else
            next = b.x + w++ * width;
        y = width == 2 && kept ? kept - 1 : 0;
        spend(kept - y);
        for (; y < kept; y++) {
            for (i = 0, other = x + y * width; i < width && next[i] <= other[i] + SAME * other[i]; i++) continue;
            if (i == width) break;
        }
        for (i = 0; i < width; i++)
            if (y == kept || next[i] > x[y * width + i]) x[y * width + i] = next[i];
        kept += y == kept;
    }
    if (kept > MOST && at->most == 0) refuted("too many vectors");
    free(a.x);
    free(b.x);
    return (points){kept, x};
}

/* Groups of neighbouring pairs that lose at most `area` each, counted or (merge) made one. */
static int groups(points *f, double area, bool merge)
{
    size_t made = 0;
    for (size_t first = 0, i; first < f->count; first = i, made++) {
        double u = f->x[2 * first], q = f->x[2 * first + 1];
        for (i = first + 1; i < f->count && (u - f->x[2 * i]) * (f->x[2 * i + 1] - q) <= area;) i++;
        if (merge) f->x[2 * made] = u;
        if (merge) f->x[2 * made + 1] = f->x[2 * i - 1];
    }
    if (merge) f->count = made;
    return (int)made;
}

static void thin(points *f)
{
    if (at->most == 0 || f->count <= (size_t)at->most) return;
    double whole = (f->x[0] - f->x[2 * f->count - 2]) * (f->x[2 * f->count - 1] - f->x[1]);
    int enough = 0, few = HALVINGS * PARTS;
    while (few - enough > 1) {
        int half = (enough + few) / 2;
        spend(f->count);
        *(groups(f, whole * exp2(-(double)half / PARTS), false) <= at->most ? &enough : &few) = half;
    }
    (void)groups(f, enough ? whole * exp2(-(double)enough / PARTS) : INFINITY, true);
}

/* The sums of a point, one of `count` from x on, and p times one of `more`. */
static points sums(const double x[], size_t count, const points *more)
{
    size_t width = at->width, half = count / 2;
    if (count > 1 && more->count > 1) return unite(sums(x, half, more), sums(x + half * width, count - half, more));
    points f = {count * more->count, zeroed(count * more->count * width, sizeof *f.x)};
    for (size_t v = 0, to = 0; v < f.count; v++)
        for (size_t i = 0; i < width; i++, to++) f.x[to] = x[count > 1 ? to : i] + at->p[i] * more->x[more->count > 1 ? to : i];
    return f;
}

/* The outcome that leads environment k from one node to another; -1: none does. */
static ptrdiff_t outcome_to(const node_graph *g, const node *from, int a, int k, const node *to)
{
    return in(from->set, k) && in(to->set, k) ? outcome(g->m, k, from->s, a, to->s) : -1;
}

/* Does whoever comes to node n come there in environment k? One that is alone is the only one spoken of. */
static bool comes(const node *n, int k) { return in(at->alone ? n->set : n->sure, k); }

/* Does a policy that comes to node n, and has x from there, break a promise? */
static bool breaks(const node *n, const double x[], const double enough[])
{
    bool broken = false;
    for (size_t i = 0; i < at->width; i++)
        if (at->row[i] >= 0 && comes(n, at->env[i])) broken |= 1 + n->rarest[at->env[i]] * fmin(0, x[i] - 1) < enough[at->row[i]];
    return broken;
}

/* What follows of option o at node n. Where nothing is left of a node that follows, nothing is of the option, unless who does it
 * may not come there: those who do are no policies of the case, and to the others it adds nothing. */
static points of_option(const bound *b, const node *n, size_t o)
{
    const node_graph *g = b->g;
    points f = {1, zeroed(at->width, sizeof *f.x)};
    for (size_t i = 0; i < at->width; i++)
        if (at->row[i] < 0 && in(n->set, at->env[i])) f.x[i] = g->m->pay.end[UP][cell(g->m, at->env[i], n->s, g->action[o])];
    for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
        const points part = f, *more = &at->of[g->edge[e]];
        bool any = false, sure = false;
        for (size_t i = 0; i < at->width; i++) {
            ptrdiff_t to = outcome_to(g, n, g->action[o], at->env[i], &g->node[g->edge[e]]);
            at->p[i] = to < 0 ? 0 : g->m->prob.end[UP][to];
            any = any || to >= 0;
            sure = sure || (to >= 0 && comes(n, at->env[i]));
        }
        if (at->most == 0 && part.count * more->count > SUMS) refuted("too many vectors");
        if (!any || (more->count == 0 && !sure)) continue;
        f = sums(part.x, part.count, more);
        free(part.x);
        thin(&f);
    }
    return f;
}

/* F(n), from those of the nodes that follow; did it change? */
static bool make_points(const bound *b, size_t n, const double enough[])
{
    const node *from = &b->g->node[n];
    size_t width = at->width, kept = 0;
    points all = {from->options == 0, zeroed(width, sizeof *all.x)}, *old = &at->of[n];
    for (size_t i = 0; i < width && from->options == 0; i++)
        all.x[i] = at->row[i] >= 0 && in(from->set, at->env[i]) && keeps(b->g->m, at->row[i], from->s);
    for (size_t o = from->option; o < from->option + (size_t)from->options; o++) {
        at->was[o] = b->allowed[o];
        if (b->allowed[o]) all = unite(all, of_option(b, from, o));
    }
    for (size_t v = 0; v < all.count; v++)
        if (!breaks(from, all.x + v * width, enough)) memmove(all.x + kept++ * width, all.x + v * width, width * sizeof *all.x);
    all.count = kept;
    thin(&all);
    bool same = old->x && all.count == old->count && memcmp(all.x, old->x, all.count * width * sizeof *all.x) == 0;
    free(old->x);
    *old = all;
    return !same;
}

/* The sets of this size of a promise, or of all. */
static point_sets *sets_of(const bound *b, int row, int most, const double enough[])
{
    static point_sets **known; /* [P + 1] */
    const node_graph *g = b->g;
    if (!known) known = zeroed((size_t)g->m->P + 1, sizeof *known);
    point_sets *s = known[row + 1];
    while (s && s->most != most) s = s->other;
    if (!s) {
        s = zeroed(1, sizeof *s);
        s->other = known[row + 1];
        s->most = most;
        known[row + 1] = s;
        int K = row < 0 ? g->m->K : 1, P = row < 0 ? g->m->P : 1;
        s->alone = row >= 0;
        s->width = (size_t)(K + P);
        s->env = zeroed(s->width, sizeof *s->env);
        s->row = zeroed(s->width, sizeof *s->row);
        s->p = zeroed(s->width, sizeof *s->p);
        for (int i = 0; i < K + P; i++) {
            s->row[i] = i < K ? -1 : row < 0 ? i - K : row;
            s->env[i] = i < K ? (row < 0 ? i : row / g->m->J) : s->row[i] / g->m->J;
        }
        s->of = zeroed(g->nodes, sizeof *s->of);
        s->was = zeroed(g->options, sizeof *s->was);
        s->changed = zeroed(g->nodes, sizeof *s->changed);
    }
    if (s->enough != enough || !s->of[0].x) memset(s->was, UCHAR_MAX, g->options);
    s->enough = enough;
    return s;
}

size_t bound_points(const bound *b, int row, int most, const double enough[], const double **x)
{
    const node_graph *g = b->g;
    const point_sets *s = at = sets_of(b, row, most, enough);
    arithmetic(0, UP);
    for (size_t n = g->nodes; n-- > 0;) {
        const node *from = &g->node[n];
        size_t first = from->option, last = first + (size_t)from->options;
        bool old = first == last || memcmp(s->was + first, b->allowed + first, last - first) != 0;
        for (size_t e = g->edge_start[first]; !old && e < g->edge_start[last]; e++) old = s->changed[g->edge[e]];
        s->changed[n] = old && make_points(b, n, enough);
    }
    arithmetic_end();
    *x = s->of[0].x;
    return s->of[0].count;
}
