/* check/points.c - values of deterministic policies (FORMAT.md, "pairs" and "vectors"): sets of points of U(k) and Pr(row) for each
 * node, in doubles rounded upwards. */
#include "check/check.h"

enum { MOST = 20000, SUMS = 1000000 }; /* most points of a set that is not merged, and sums that are tried at once */
static const double SAME = 0x1p-46;    /* coordinates closer than this, relatively, differ by rounding */
/* The area that merged pairs may lose is sought between the area of the set and 2^-(HALVINGS) of it, in PARTS of a power. */
enum { HALVINGS = 64, PARTS = 4 };

typedef struct points {
    size_t count;
    double *x; /* [count * width] */
} points;

/* F(n) of all nodes, as it was made for the case before. */
struct point_sets {
    judge *ctx;
    struct point_sets *other; /* of the same rows and another size */
    int most, *env, *row;     /* of a set, 0: it is not merged; [width] of each coordinate, row -1: U */
    bool alone;               /* of one environment */
    size_t width;
    double *p;            /* [width] scratch */
    const double *enough; /* the promises at that time */
    points *of;           /* [nodes] */
    unsigned char *was;   /* [options] allowed when it was made */
    bool *changed;        /* [nodes] */
};
typedef struct point_sets sets;

/* Both, by descending first coordinate, without points that another one dominates: of pairs only the last can. Of two that differ
 * by rounding the larger coordinates stay. */
static points unite(const sets *s, points a, points b)
{
    size_t width = s->width, kept = 0, v = 0, w = 0, y, i;
    if (a.count == 0 || b.count == 0) return drop(s->ctx, a.count ? b.x : a.x), a.count ? a : b;
    double *x = zeroed(s->ctx, (a.count + b.count) * width, sizeof *x);
    spend(s->ctx, (a.count + b.count) * width);
    while (v < a.count || w < b.count) {
        const double *next = a.x + v * width, *other = b.x + w * width;
        for (i = 0; v < a.count && w < b.count && i + 1 < width && next[i] == other[i];) i++;
        if (w == b.count || (v < a.count && next[i] >= other[i]))
            v++;
        else
            next = b.x + w++ * width;
        y = width == 2 && kept ? kept - 1 : 0;
        spend(s->ctx, kept - y);
        for (i = 0; y < kept && i < width; y += i < width)
            for (i = 0, other = x + y * width; i < width && next[i] <= other[i] + SAME * other[i];) i++;
        for (i = 0; i < width; i++)
            if (y == kept || next[i] > x[y * width + i]) x[y * width + i] = next[i];
        kept += y == kept;
    }
    if (kept > MOST && s->most == 0) refuted(s->ctx, "too many vectors");
    drop(s->ctx, a.x);
    drop(s->ctx, b.x);
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

static void thin(const sets *s, points *f)
{
    if (s->most == 0 || f->count <= (size_t)s->most) return;
    double whole = (f->x[0] - f->x[2 * f->count - 2]) * (f->x[2 * f->count - 1] - f->x[1]);
    int enough = 0, few = HALVINGS * PARTS;
    while (few - enough > 1) {
        int half = (enough + few) / 2;
        spend(s->ctx, f->count);
        *(groups(f, whole * exp2(-(double)half / PARTS), false) <= s->most ? &enough : &few) = half;
    }
    (void)groups(f, enough ? whole * exp2(-(double)enough / PARTS) : INFINITY, true);
}

/* The sums of a point, one of `count` from x on, and p times one of `more`. */
static points sums(const sets *s, const double x[], size_t count, const points *more)
{
    size_t width = s->width, half = count / 2;
    if (count > 1 && more->count > 1) return unite(s, sums(s, x, half, more), sums(s, x + half * width, count - half, more));
    points f = {count * more->count, zeroed(s->ctx, count * more->count * width, sizeof *f.x)};
    for (size_t v = 0, to = 0; v < f.count; v++)
        for (size_t i = 0; i < width; i++, to++) f.x[to] = x[count > 1 ? to : i] + s->p[i] * more->x[more->count > 1 ? to : i];
    return f;
}

/* Does a policy that reaches node n do so in environment k? A set about one environment counts only policies that do. */
static bool comes(const sets *s, const node *n, int k) { return in(s->alone ? n->set : n->sure, k); }

/* Does a policy that reaches node n, and has x from there, break a promise? */
static bool breaks(const sets *s, const node *n, const double x[])
{
    bool broken = false;
    for (size_t i = 0; i < s->width; i++)
        if (s->row[i] >= 0 && comes(s, n, s->env[i])) broken |= 1 + n->rarest[s->env[i]] * fmin(0, x[i] - 1) < s->enough[s->row[i]];
    return broken;
}

/* The points of option o at node n. Where a successor has none, the option has none, unless it may not be reached (FORMAT.md). */
static points of_option(const sets *s, const node_graph *g, const node *n, size_t o)
{
    points f = {1, zeroed(s->ctx, s->width, sizeof *f.x)};
    for (size_t i = 0; i < s->width; i++)
        if (s->row[i] < 0 && in(n->set, s->env[i])) f.x[i] = g->m->pay.end[UP][cell(g->m, s->env[i], n->s, g->action[o])];
    for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
        const points part = f, *more = &s->of[g->edge[e]];
        const node *next = &g->node[g->edge[e]];
        bool any = false, sure = false;
        for (size_t i = 0; i < s->width; i++) {
            bool both = in(n->set, s->env[i]) && in(next->set, s->env[i]);
            ptrdiff_t to = both ? outcome(g->m, s->env[i], n->s, g->action[o], next->s) : -1;
            s->p[i] = to < 0 ? 0 : g->m->prob.end[UP][to];
            any = any || to >= 0;
            sure = sure || (to >= 0 && comes(s, n, s->env[i]));
        }
        if (s->most == 0 && part.count * more->count > SUMS) refuted(s->ctx, "too many vectors");
        if (!any || (more->count == 0 && !sure)) continue;
        f = sums(s, part.x, part.count, more);
        drop(s->ctx, part.x);
        thin(s, &f);
    }
    return f;
}

/* F(n), from the sets of the successors; did it change? */
static bool make_points(const sets *s, const bound *b, size_t n)
{
    const node *from = &b->g->node[n];
    size_t width = s->width, kept = 0;
    points all = {from->options == 0, zeroed(s->ctx, width, sizeof *all.x)}, *old = &s->of[n];
    for (size_t i = 0; i < width && from->options == 0; i++)
        all.x[i] = s->row[i] >= 0 && in(from->set, s->env[i]) && keeps(b->g->m, s->row[i], from->s);
    for (size_t o = from->option; o < from->option + (size_t)from->options; o++) {
        s->was[o] = b->allowed[o];
        if (b->allowed[o]) all = unite(s, all, of_option(s, b->g, from, o));
    }
    for (size_t v = 0; v < all.count; v++)
        if (!breaks(s, from, all.x + v * width)) memmove(all.x + kept++ * width, all.x + v * width, width * sizeof *all.x);
    all.count = kept;
    thin(s, &all);
    bool same = old->x && all.count == old->count && memcmp(all.x, old->x, all.count * width * sizeof *all.x) == 0;
    drop(s->ctx, old->x);
    *old = all;
    return !same;
}

/* The sets of this size of a promise, or of all. */
static sets *sets_of(bound *b, int row, int most, const double enough[])
{
    const model *m = b->g->m;
    int K = row < 0 ? m->K : 1, P = row < 0 ? m->P : 1;
    if (!b->sets) b->sets = zeroed(m->ctx, (size_t)m->P + 1, sizeof(sets *));
    sets *s = b->sets[row + 1];
    while (s && s->most != most) s = s->other;
    if (!s) {
        s = zeroed(m->ctx, 1, sizeof *s);
        *s = (sets){.ctx = m->ctx, .other = b->sets[row + 1], .most = most, .alone = row >= 0, .width = (size_t)(K + P)};
        b->sets[row + 1] = s;
        s->env = zeroed(m->ctx, s->width, sizeof *s->env);
        s->row = zeroed(m->ctx, s->width, sizeof *s->row);
        s->p = zeroed(m->ctx, s->width, sizeof *s->p);
        for (int i = 0; i < K + P; i++) {
            s->row[i] = i < K ? -1 : row < 0 ? i - K : row;
            s->env[i] = i < K ? (row < 0 ? i : row / m->J) : s->row[i] / m->J;
        }
        s->of = zeroed(m->ctx, b->g->nodes, sizeof *s->of);
        s->was = zeroed(m->ctx, b->g->options, sizeof *s->was);
        s->changed = zeroed(m->ctx, b->g->nodes, sizeof *s->changed);
    }
    if (s->enough != enough || !s->of[0].x) memset(s->was, UCHAR_MAX, b->g->options);
    s->enough = enough;
    return s;
}

size_t bound_points(bound *b, int row, int most, const double enough[], const double **x)
{
    const node_graph *g = b->g;
    const sets *s = sets_of(b, row, most, enough);
    arithmetic(g->ctx, 0, UP);
    for (size_t n = g->nodes; n-- > 0;) {
        const node *from = &g->node[n];
        size_t first = from->option, last = first + (size_t)from->options;
        bool old = first == last || memcmp(s->was + first, b->allowed + first, last - first) != 0;
        for (size_t e = g->edge_start[first]; !old && e < g->edge_start[last]; e++) old = s->changed[g->edge[e]];
        s->changed[n] = old && make_points(s, b, n);
    }
    arithmetic_end();
    *x = s->of[0].x;
    return s->of[0].count;
}
