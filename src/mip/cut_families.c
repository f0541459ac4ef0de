/* mip/cut_families.c - cuts of flows that have to be switched on: along paths of rows, and of sets of nodes of a network; of rows
 * of binaries; and of bounds that binaries move. */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/search.h"

/* ---- cuts of flows that have to be switched on, along paths of rows (lot sizing, fixed-charge networks) -------------------------
 *
 * Rows  in_t + s_(t-1) - s_t >= d_t,  t = 1 .. k, pass on what they do not need as s_t >= 0, and an inflow x_j <= M z_j is 0
 * unless its binary z_j is 1. With D_t = max(0, d_t + .. + d_k) every choice S of such inflows gives
 *     s_0 + sum over j not in S of x_j + sum over t, j in S into row t, of D_t z_j  >=  d_1 + .. + d_k:
 * if t is the first row with a z_j = 1, what is not in S has met d_1 + .. + d_(t-1), and D_t z_j is the rest. S takes of each
 * inflow what is less at the point. Source: I. Barany, T. J. Van Roy, L. A. Wolsey, Uncapacitated lot-sizing: the convex hull of
 * solutions, Mathematical Programming Study 22 (1984); T. J. Van Roy, L. A. Wolsey, Valid inequalities and separation for
 * uncapacitated fixed charge networks, Operations Research Letters 4 (1985). Deviation: rows may be scaled against each other, and
 * columns are measured from their lower bounds. */

enum { LONGEST_PATH = 32 };

/* Column j stays at its lower bound while z is 0, or, complemented, while z is 1. */
typedef struct on_switch {
    int z; /* -1: none */
    bool complemented;
} on_switch;

/* Row i times the factor:  sum_j factor a_ij (x_j - lower_j) >= demand. */
typedef struct path_row {
    int i;
    double factor, demand, size; /* size: largest term of demand */
} path_row;

typedef struct path {
    cut_scene *c;
    vouch_lp_data lp;
    on_switch *on; /* owned: [n] */
    bool *used;    /* owned: [m] the row is on the path */
    path_row *row; /* owned: [LONGEST_PATH] */
    double *rest;  /* owned: [LONGEST_PATH] D_t */
    int *received; /* owned: [LONGEST_PATH] the column that the row has from the one before; -1: none */
    int length;
} path;

/* Which continuous columns a row of two entries switches off. */
static void find_switches(path *p)
{
    const cut_scene *c = p->c;
    const mip_model *m = c->model;
    for (int j = 0; j < c->n; j++) p->on[j].z = -1;
    for (int i = 0; i < m->m; i++) {
        int64_t from = m->row_start[i];
        if (m->row_start[i + 1] - from != 2) continue;
        for (int q = 0; q < 2; q++) {
            int x = m->row_col[from + q], z = m->row_col[from + 1 - q];
            double a = m->row_value[from + q], b = m->row_value[from + 1 - q];
            if (m->integer[x] || !m->integer[z] || c->lower[z] < 0 || c->upper[z] > 1 || a == 0) continue;
            double limit = a > 0 ? m->row_upper[i] : m->row_lower[i];
            for (int off = 0; off < 2 && isfinite(limit); off++)
                if ((limit - b * off) / a <= c->lower[x]) p->on[x] = (on_switch){z, off == 1};
        }
    }
}

/* Appends row i times the factor, into which column `from` flows (-1: none). False: the factor asks for a side that it has not, or
 * a column without a lower bound has it. */
static bool append(path *p, int i, double factor, int from)
{
    const cut_scene *c = p->c;
    double side = factor > 0 ? c->row_lower[i] : c->row_upper[i];
    path_row r = {i, factor, factor * side, fabs(factor * side)};
    if (isinf(side) || p->used[i] || p->length == LONGEST_PATH) return false;
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        double term = factor * c->value[k] * c->lower[c->index[k]];
        if (isinf(c->lower[c->index[k]])) return false;
        r.demand -= term;
        r.size = fmax(r.size, fabs(term));
    }
    p->used[i] = true;
    p->received[p->length] = from;
    p->row[p->length++] = r;
    return true;
}

/* Another row that column j flows into when the last one lets it out with this coefficient, to cancel exactly; false: none. */
static bool follow(path *p, int j, double out)
{
    for (int64_t k = p->lp.start[j]; k < p->lp.start[j + 1]; k++) {
        int i = p->lp.index[k];
        double factor = -out / p->lp.value[k];
        if (i < p->c->model->m && !p->used[i] && factor * p->lp.value[k] == -out && append(p, i, factor, j)) return true;
    }
    return false;
}

/* The path goes on along the greatest outflow of its last row that leads somewhere. False: there is none. */
static bool extend(path *p)
{
    const cut_scene *c = p->c;
    path_row last = p->row[p->length - 1];
    int best = -1;
    double most = LEAST_SLACKNESS, out = 0;
    for (int64_t k = c->start[last.i]; k < c->start[last.i + 1]; k++) {
        int j = c->index[k];
        double a = last.factor * c->value[k], flow = -a * (c->x[j] - c->lower[j]);
        if (c->model->integer[j] || flow <= most || p->lp.start[j + 1] - p->lp.start[j] < 2) continue;
        most = flow, best = j, out = a;
    }
    return best >= 0 && follow(p, best, out);
}

/* The binary at its switched-on value, from 0 to 1. */
static double switched(const cut_scene *c, on_switch s) { return s.complemented ? 1 - c->x[s.z] : c->x[s.z]; }

/* What an inflow adds at the point to the left side; *by_switch: it is in S. */
static double contribution(const path *p, int t, int j, double a, bool *by_switch)
{
    double flow = a * (p->c->x[j] - p->c->lower[j]);
    on_switch s = p->on[j];
    double fixed = s.z >= 0 ? p->rest[t] * switched(p->c, s) : INFINITY;
    *by_switch = fixed < flow;
    return *by_switch ? fixed : flow;
}

/* Offers the cut of the whole path as  -(left side) <= -(demand). */
static void offer(const path *p, double demand, double size)
{
    cut_scene *c = p->c;
    double upper = -demand + MIP_ROUNDING * size * p->length;
    int count = 0;
    for (int t = 0; t < p->length; t++)
        for (int64_t k = c->start[p->row[t].i]; k < c->start[p->row[t].i + 1]; k++) {
            int j = c->index[k];
            double a = p->row[t].factor * c->value[k];
            bool by_switch;
            if (a <= 0 || j == p->received[t]) continue;
            (void)contribution(p, t, j, a, &by_switch);
            on_switch s = p->on[j];
            if (!by_switch) {
                cut_scene_add(c, &count, j, -a);
                upper -= a * c->lower[j];
            } else {
                cut_scene_add(c, &count, s.z, s.complemented ? p->rest[t] : -p->rest[t]);
                upper += s.complemented ? p->rest[t] : 0;
            }
        }
    cut_scene_offer(c, count, upper);
}

/* Separates for the path as it is. */
static void try_path(path *p)
{
    const cut_scene *c = p->c;
    double left = 0, sum = 0, size = 0;
    for (int t = p->length - 1; t >= 0; t--) {
        sum += p->row[t].demand;
        size = fmax(size, p->row[t].size);
        p->rest[t] = fmax(sum, 0);
    }
    for (int t = 0; t < p->length && left < sum; t++)
        for (int64_t k = c->start[p->row[t].i]; k < c->start[p->row[t].i + 1]; k++) {
            double a = p->row[t].factor * c->value[k];
            bool by_switch;
            if (a > 0 && c->index[k] != p->received[t]) left += contribution(p, t, c->index[k], a, &by_switch);
        }
    if (left < sum - CUT_VIOLATION * (1 + fabs(sum))) offer(p, sum, size);
}

static void walk(path *p, int first, double factor)
{
    p->length = 0;
    if (!append(p, first, factor, -1)) return;
    do try_path(p);
    while (extend(p));
    for (int t = 0; t < p->length; t++) p->used[p->row[t].i] = false;
}

/* ---- networks ----------------------------------------------------------------------------------------------------------------
 *
 * Cuts of fixed-charge networks: what a set of nodes needs has to come in over arcs that are switched on.
 *
 * The rows of a set S of nodes add up to  sum_j a_j (x_j - l_j) >= D,  where arcs within S cancel and those that leave it may be
 * left out. An arc that enters is 0 unless its binary z_j is 1, and at most M_j then. So for every choice T of such arcs sum over j
 * not in T of a_j (x_j - l_j) + sum over j in T of min(D, a_j M_j) z_j  >=  D. For a node t of demand d, the arcs' capacities being
 * the lesser of a_j (x_j - l_j) and min(d, a_j M_j) z_j at the point, a set S that breaks this is the side of t of a cut of less
 * than d: the flow to t is augmented along shortest paths until there is none, the rows of all nodes from which t is reached are S,
 * and the arcs into S are given capacity d, so that one flow finds nested cuts. All arcs get a little more, so that of cuts of
 * equal value one of few arcs is found. Source: M. Padberg, T. J. Van Roy, L. A. Wolsey, Valid linear inequalities for fixed charge
 * problems, Operations Research 33 (1985); nested cuts: T. Koch, A. Martin, Solving Steiner tree problems in graphs to optimality,
 * Networks 32 (1998). The flows only choose S: the cut is made of the rows' own sum. */

enum {
    LEAST_ARCS = 3, /* with switches, between two nodes */
    NESTED = 40,    /* cuts for one sink */
    WORK = 40       /* of all flows: times the entries, plus a constant */
};

/* Column j flows from one node into another; from `outside`, number m, if it leaves no node. */
typedef struct arc {
    int tail, head, j;
    double a, capacity, flow;
} arc;

typedef struct network {
    cut_scene *c;
    double sign;    /* of the rows: sign * row >= demand */
    double *demand; /* [m + 1] less the lower bounds; negative: a supply; NAN: no node */
    arc *arc;       /* [n + m] */
    int arcs;
    int *col; /* [n] of a cut, with */
    double *coefficient;
    int *start, *list; /* [m + 2], [2 arcs] arcs at each node */
    int *from;         /* [m + 1] arc over which a node was reached; -1: it was not, -2: the sink */
    int *queue;        /* [m + 1] */
    long long work;
} network;

/* Is column x off, at its lower bound, where a binary is 0? */
static bool is_switched(const cut_scene *c, int j)
{
    const variable_bound *v = &c->above[j];
    return !c->model->integer[j] && v->z >= 0 && v->factor > 0 && v->constant <= c->lower[j] && c->lower[v->z] == 0 &&
           c->upper[v->z] == 1;
}

/* The most that column j, of coefficient a > 0, gives a demand of d while its switch is on, or by one unit of an integer. */
static double step_of(const cut_scene *c, int j, double a, double d)
{
    return fmin(d, c->model->integer[j] ? a : a * c->above[j].factor);
}

/* What column j gives at the point: itself, or (*by_step) in steps. */
static double given_by(const cut_scene *c, int j, double a, double d, bool *by_step)
{
    double flow = a * (c->x[j] - c->lower[j]), steps = INFINITY;
    if (c->model->integer[j])
        steps = step_of(c, j, a, d) * (c->x[j] - c->lower[j]);
    else if (is_switched(c, j))
        steps = step_of(c, j, a, d) * c->x[c->above[j].z];
    *by_step = steps <= flow;
    return fmin(steps, flow);
}

/* Rows of two columns, one of them whole, switch the other. */
static bool is_node(const cut_scene *c, int i, double sign)
{
    const mip_model *p = c->model;
    int64_t from = c->start[i], count = c->start[i + 1] - from;
    if (isinf(sign > 0 ? c->row_lower[i] : c->row_upper[i])) return false;
    return count > 2 || (count == 2 && !p->integer[c->index[from]] && !p->integer[c->index[from + 1]]);
}

/* The demand of row i; NAN: a column has no lower bound. */
static double demand_of(const cut_scene *c, int i, double sign)
{
    double d = sign > 0 ? c->row_lower[i] : -c->row_upper[i];
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        double l = c->lower[c->index[k]];
        if (isinf(l)) return NAN;
        d -= sign * c->value[k] * l;
    }
    return d;
}

/* The arc of column j, if it enters a node. */
static void add_arc(network *g, const vouch_lp_data *lp, int j)
{
    arc e = {.tail = g->c->model->m, .head = -1, .j = j};
    for (int64_t k = lp->start[j]; k < lp->start[j + 1]; k++) {
        int i = lp->index[k];
        double a = g->sign * lp->value[k];
        if (i >= g->c->model->m || isnan(g->demand[i])) continue;
        if (a > 0 && e.head < 0)
            e.head = i, e.a = a;
        else if (a < 0 && !g->c->model->integer[j])
            e.tail = i;
    }
    if (e.head >= 0) g->arc[g->arcs++] = e;
}

/* Nodes, arcs, and the arcs at each node. False: this is no network with switches. */
static bool build(network *g, const vouch_lp_data *lp)
{
    const cut_scene *c = g->c;
    int m = c->model->m, between = 0;
    for (int i = 0; i < m; i++) g->demand[i] = is_node(c, i, g->sign) ? demand_of(c, i, g->sign) : NAN;
    g->arcs = 0;
    for (int j = 0; j < c->n; j++) {
        int before = g->arcs;
        add_arc(g, lp, j);
        between += g->arcs > before && g->arc[before].tail < m && is_switched(c, j);
    }
    if (between < LEAST_ARCS) return false;
    for (int i = 0; i < m; i++)
        if (g->demand[i] < 0) g->arc[g->arcs++] = (arc){.tail = m, .head = i, .j = -1, .a = -g->demand[i]};
    for (int v = 0; v <= m + 1; v++) g->start[v] = 0;
    for (int e = 0; e < g->arcs; e++) g->start[g->arc[e].tail + 1]++, g->start[g->arc[e].head + 1]++;
    for (int v = 0; v <= m; v++) g->start[v + 1] += g->start[v];
    for (int v = 0; v <= m; v++) g->queue[v] = g->start[v];
    for (int e = 0; e < g->arcs; e++) g->list[g->queue[g->arc[e].tail]++] = g->list[g->queue[g->arc[e].head]++] = e;
    return true;
}

/* Walks back from the sink over arcs with room. True: the outside is reached. Else queue[0 .. *reached) are S. */
static bool reach(network *g, int sink, double least, int *reached)
{
    int m = g->c->model->m, count = 1;
    for (int v = 0; v <= m; v++) g->from[v] = -1;
    g->from[sink] = -2;
    g->queue[0] = sink;
    for (int at = 0; at < count && g->from[m] == -1; at++) {
        int v = g->queue[at];
        g->work += g->start[v + 1] - g->start[v];
        for (int k = g->start[v]; k < g->start[v + 1]; k++) {
            const arc *e = &g->arc[g->list[k]];
            int to = e->head == v ? e->tail : e->head;
            double room = e->head == v ? e->capacity - e->flow : e->flow;
            if (room <= least || g->from[to] != -1) continue;
            g->from[to] = g->list[k];
            g->queue[count++] = to;
        }
    }
    *reached = count;
    return g->from[m] != -1;
}

/* Along the path just found; what it takes. */
static double augment(network *g, int sink)
{
    double most = INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (int v = g->c->model->m; v != sink;) {
            arc *e = &g->arc[g->from[v]];
            bool along = e->tail == v;
            if (pass == 0)
                most = fmin(most, along ? e->capacity - e->flow : e->flow);
            else
                e->flow += along ? most : -most;
            v = along ? e->head : e->tail;
        }
    return most;
}

/* Offers the cut of the rows queue[0 .. count). */
static void offer_rows(network *g, int count)
{
    cut_scene *c = g->c;
    double demand = 0, size = 0;
    int columns = 0;
    for (int q = 0; q < count; q++) {
        int i = g->queue[q];
        double side = g->sign > 0 ? c->row_lower[i] : -c->row_upper[i];
        demand += side;
        size = fmax(size, fabs(side));
        for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) cut_scene_add(c, &columns, c->index[k], g->sign * c->value[k]);
        g->work += c->start[i + 1] - c->start[i];
    }
    for (int k = 0; k < columns; k++) {
        int j = c->listed[k];
        double a = c->coefficient[j], term = a * c->lower[j];
        g->col[k] = j;
        g->coefficient[k] = a;
        c->coefficient[j] = 0; /* a switch may have a coefficient of its own */
        demand -= term;
        size = fmax(size, fabs(term));
    }
    double upper = -demand + MIP_ROUNDING * size * (columns + count);
    for (int k = 0, rows = columns; k < rows && demand > 0; k++) {
        int j = g->col[k];
        double a = g->coefficient[k];
        bool by_step;
        if (a <= 0) continue;
        (void)given_by(c, j, a, demand, &by_step);
        double step = by_step ? step_of(c, j, a, demand) : a;
        bool by_switch = by_step && !c->model->integer[j];
        cut_scene_add(c, &columns, by_switch ? c->above[j].z : j, -step);
        if (!by_switch) upper -= step * c->lower[j];
    }
    cut_scene_offer(c, columns, demand > 0 ? upper : INFINITY);
}

/* The cuts of one sink. */
static void separate_sink(network *g, int sink, long long limit)
{
    double d = g->demand[sink], flow = 0;
    bool by_step;
    for (int e = 0; e < g->arcs; e++) {
        arc *f = &g->arc[e];
        f->flow = 0;
        f->capacity = f->j < 0 ? f->a : given_by(g->c, f->j, f->a, d, &by_step) + CREEP_FLOW * d;
    }
    g->work += g->arcs;
    for (int cuts = 0; cuts < NESTED && g->work < limit;) {
        int reached;
        if (reach(g, sink, CUT_FRACTION * d, &reached)) {
            flow += augment(g, sink);
            if (flow > (1 - CUT_CLOSED) * d) return;
            continue;
        }
        cuts++;
        offer_rows(g, reached);
        for (int e = 0; e < g->arcs; e++)
            if (g->from[g->arc[e].head] != -1 && g->from[g->arc[e].tail] == -1) g->arc[e].capacity = fmax(g->arc[e].capacity, d);
    }
}

void separate_network(cut_scene *c)
{
    arena memory = {0};
    vouch_lp_data lp;
    size_t n = (size_t)c->n, m = (size_t)c->model->m;
    network g = {.c = c,
                 .demand = ARENA_NEW(&memory, double, m + 1),
                 .arc = ARENA_NEW(&memory, arc, n + m),
                 .col = ARENA_NEW(&memory, int, n),
                 .coefficient = ARENA_NEW(&memory, double, n),
                 .start = ARENA_NEW(&memory, int, m + 2),
                 .list = ARENA_NEW(&memory, int, 2 * (n + m)),
                 .from = ARENA_NEW(&memory, int, m + 1),
                 .queue = ARENA_NEW(&memory, int, m + 1)};
    vouch_lp_view(c->lp, &lp);
    for (g.sign = 1; g.sign >= -1 && !memory.failed; g.sign -= 2) {
        if (!build(&g, &lp)) continue;
        long long limit = g.work + WORK * (c->start[m] + 5000);
        for (int i = 0; i < c->model->m && g.work < limit; i++)
            if (g.demand[i] > CUT_FRACTION) separate_sink(&g, i, limit);
    }
    arena_free(&memory);
}

void separate_path(cut_scene *c)
{
    arena memory = {0};
    path p = {.c = c,
              .on = ARENA_NEW(&memory, on_switch, c->n),
              .used = ARENA_ZERO(&memory, bool, c->m),
              .row = ARENA_NEW(&memory, path_row, LONGEST_PATH),
              .rest = ARENA_NEW(&memory, double, LONGEST_PATH),
              .received = ARENA_NEW(&memory, int, LONGEST_PATH)};
    if (!memory.failed) {
        vouch_lp_view(c->lp, &p.lp);
        find_switches(&p);
        for (int i = 0; i < c->model->m; i++)
            for (int sign = 1; sign >= -1; sign -= 2) walk(&p, i, sign);
    }
    arena_free(&memory);
    separate_network(c);
}

/* ---- cuts from rows of binaries: cliques and covers ------------------------------------------------------------------------- */

/* A binary y = x, or its complement y = 1 - x, with a weight a > 0. */
typedef struct item {
    int j;
    bool complemented, in_cover;
    double a, y; /* y at the point, 0 .. 1 */
    int node;    /* of a graph of cliques; -1: not fractional */
} item;

/* sign * row <= *b as a knapsack  sum a y <= *b,  other columns at their best bounds (for binaries with a variable bound: see
 * cuts.c). *size: largest term added to *b. Number of items; -1: a bound is missing. */
static int knapsack_of(const cut_scene *c, int i, double sign, item items[], double *b, double *size)
{
    int count = 0;
    *size = fabs(*b);
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        int j = c->index[k];
        double a = sign * c->value[k], lower = c->lower[j], upper = c->upper[j];
        bool binary = c->model->integer[j] && lower == 0 && upper == 1;
        double bound = binary ? a < 0 : a > 0 ? lower : upper;
        if (isinf(bound)) return -1;
        if (binary) {
            double y = a < 0 ? 1 - c->x[j] : c->x[j];
            items[count++] = (item){.j = j, .complemented = a < 0, .a = fabs(a), .y = fmin(fmax(y, 0), 1)};
        }
        if (binary && a >= 0) continue;
        *b -= a * bound;
        *size = fmax(*size, fabs(a * bound));
    }
    return count;
}

/* ---- clique cuts: of pairwise exclusive literals at most one holds --------------------------------------------------------------
 *
 * A literal is a binary y = x or its complement y = 1 - x. Two exclude each other when a row says so: in sum a_k y_k <= b (a > 0)
 * those with a_i + a_j > b; and a column excludes its complement. The graph is kept for the literals that are fractional at the
 * point only, and cliques in it of weight above 1 are grown greedily. Source: A. Atamturk, G. Nemhauser, M. Savelsbergh, Conflict
 * graphs in solving integer programming problems (2000). */

enum { MOST_LITERALS = 600 };

typedef struct graph {
    item *node;     /* [count] by falling y */
    int *of_col[2]; /* [n] node of x and of 1 - x; -1: none */
    bool *edge;     /* [count * count] */
    int count;
} graph;

static int by_weight(const void *p, const void *q)
{
    const item *x = p, *y = q;
    if (x->a != y->a) return x->a > y->a ? -1 : 1;
    return x->node - y->node;
}

static int by_y(const void *p, const void *q)
{
    const item *x = p, *y = q;
    if (x->y != y->y) return x->y > y->y ? -1 : 1;
    if (x->j != y->j) return x->j - y->j;
    return x->complemented - y->complemented;
}

static void connect(graph *g, int u, int v)
{
    CHECK(u >= 0 && u < g->count && v >= 0 && v < g->count);
    g->edge[(size_t)u * (size_t)g->count + (size_t)v] = true;
    g->edge[(size_t)v * (size_t)g->count + (size_t)u] = true;
}

/* Edges of sign * row <= limit. terms: [n] scratch. */
static void add_row(const cut_scene *c, graph *g, int i, double sign, double limit, item *terms)
{
    double b = limit, size;
    int count = knapsack_of(c, i, sign, terms, &b, &size);
    if (count < 2) return;
    for (int k = 0; k < count; k++) terms[k].node = g->of_col[terms[k].complemented][terms[k].j];
    qsort(terms, (size_t)count, sizeof *terms, by_weight);
    double need = b + KNAPSACK_SLACK * (1 + fabs(b)) + MIP_ROUNDING * size;
    for (int p = 0; p + 1 < count && terms[p].a + terms[p + 1].a > need; p++) {
        if (terms[p].node < 0) continue;
        for (int q = p + 1; q < count && terms[p].a + terms[q].a > need; q++)
            if (terms[q].node >= 0) connect(g, terms[p].node, terms[q].node);
    }
}

static void grow(cut_scene *c, const graph *g, int from, int *clique)
{
    int size = 0;
    double weight = 0;
    for (int turn = 0; turn < g->count; turn++) {
        int v = turn == 0 ? from : turn <= from ? turn - 1 : turn;
        bool fits = true;
        for (int k = 0; k < size && fits; k++) fits = g->edge[(size_t)v * (size_t)g->count + (size_t)clique[k]];
        if (!fits) continue;
        clique[size++] = v;
        weight += g->node[v].y;
    }
    if (size < 3 || weight <= 1 + CLIQUE_VIOLATION) return;
    CHECK_COMPARE(size, <=, g->count);
    double upper = 1;
    int listed = 0;
    for (int k = 0; k < size; k++) {
        const item *l = &g->node[clique[k]];
        cut_scene_add(c, &listed, l->j, l->complemented ? -1 : 1);
        if (l->complemented) upper -= 1;
    }
    cut_scene_offer(c, listed, upper);
}

void separate_clique(cut_scene *c)
{
    arena a = {0};
    graph g = {.node = ARENA_NEW(&a, item, 2 * (size_t)c->n), .of_col = {ARENA_NEW(&a, int, c->n), ARENA_NEW(&a, int, c->n)}};
    item *terms = ARENA_NEW(&a, item, c->n);
    if (a.failed) goto done;
    for (int j = 0; j < c->n; j++) {
        double x = c->x[j];
        g.of_col[0][j] = g.of_col[1][j] = -1;
        if (!c->model->integer[j] || c->lower[j] != 0 || c->upper[j] != 1 || x < CUT_FRACTION || x > 1 - CUT_FRACTION) continue;
        g.node[g.count++] = (item){.j = j, .y = x};
        g.node[g.count++] = (item){.j = j, .complemented = true, .y = 1 - x};
    }
    qsort(g.node, (size_t)g.count, sizeof *g.node, by_y);
    if (g.count > MOST_LITERALS) g.count = MOST_LITERALS;
    for (int k = 0; k < g.count; k++) g.of_col[g.node[k].complemented][g.node[k].j] = k;
    g.edge = ARENA_ZERO(&a, bool, (size_t)g.count *(size_t)g.count);
    int *clique = ARENA_NEW(&a, int, g.count);
    if (a.failed || g.count < 3) goto done;
    for (int i = 0; i < c->model->m; i++) {
        if (c->start[i + 1] - c->start[i] < 2) continue;
        if (c->row_upper[i] < INFINITY) add_row(c, &g, i, 1, c->row_upper[i], terms);
        if (c->row_lower[i] > -INFINITY) add_row(c, &g, i, -1, -c->row_lower[i], terms);
    }
    for (int k = 0; k < g.count; k++) {
        int other = g.of_col[!g.node[k].complemented][g.node[k].j];
        if (other >= 0) connect(&g, k, other);
    }
    for (int k = 0; k < g.count; k++) grow(c, &g, k, clique);
done:
    arena_free(&a);
}

/* ---- lifted cover cuts from rows that are knapsacks -----------------------------------------------------------------------------
 *
 * In  sum_j a_j y_j <= b  with binaries and a > 0 (columns complemented where a < 0) a cover C has sum_C a_j
 * > b, so that at most |C| - 1 of it can be 1. The others are lifted in one after the other: coefficient of j = |C| - 1 - max{
 * value of the cut's left side so far | weight <= b - a_j }, by a table of the least weight that reaches each value. Source: E.
 * Balas, Facets of the knapsack polytope (1975); E. Zemel, Easily computable facets of the knapsack polytope (1989), for the table.
 * Covers are found greedily by the point. */

static int by_gain(const void *p, const void *q) /* cheap to put into a violated cover first */
{
    const item *x = p, *y = q;
    double u = (1 - x->y) / x->a, v = (1 - y->y) / y->a;
    if (u != v) return u < v ? -1 : 1;
    return x->j - y->j;
}

static int by_value(const void *p, const void *q) /* to be lifted: large value, then large weight first */
{
    const item *x = p, *y = q;
    if (x->y != y->y) return x->y > y->y ? -1 : 1;
    if (x->a != y->a) return x->a > y->a ? -1 : 1;
    return x->j - y->j;
}

/* A minimal cover by the point, marked in items; its size. 0: there is none. */
static int find_cover(item *items, int count, double b)
{
    double weight = 0, need = b + KNAPSACK_SLACK * (1 + fabs(b));
    int size = 0, cover = 0;
    qsort(items, (size_t)count, sizeof *items, by_gain);
    for (; size < count && weight <= need; size++) weight += items[size].a;
    if (weight <= need) return 0;
    for (int k = 0; k < count; k++) items[k].in_cover = k < size;
    for (int k = size - 1; k >= 0; k--) /* leave out what is small at the point */
        if (weight - items[k].a > need) {
            weight -= items[k].a;
            items[k].in_cover = false;
        }
    for (int k = 0; k < count; k++) cover += items[k].in_cover;
    CHECK_COMPARE(weight, >, need);
    return cover;
}

/* The cover itself in the table, lightest items first. */
static void fill_table(const item *items, int count, int cover, double *least)
{
    double last = -1;
    int last_j = -1;
    least[0] = 0;
    for (int v = 1; v <= cover; v++) least[v] = INFINITY;
    for (int filled = 0; filled < cover; filled++) {
        int next = -1;
        for (int k = 0; k < count; k++) {
            if (!items[k].in_cover) continue;
            bool after = items[k].a > last || (items[k].a == last && items[k].j > last_j);
            if (after && (next < 0 || items[k].a < items[next].a || (items[k].a == items[next].a && items[k].j < items[next].j)))
                next = k;
        }
        if (next < 0) return;
        least[filled + 1] = least[filled] + items[next].a;
        last = items[next].a;
        last_j = items[next].j;
    }
}

/* Coefficient of an item outside the cover; it joins the table. 0: none. */
static int lift(const item *t, int cover, double b, double *least)
{
    double room = b - t->a;
    int most = cover - 1;
    while (most >= 0 && least[most] > room + KNAPSACK_FIT * (1 + fabs(room))) most--;
    int coefficient = most < 0 ? cover - 1 : cover - 1 - most;
    for (int v = cover; v >= 1 && coefficient > 0; v--) {
        double with = (v > coefficient ? least[v - coefficient] : 0) + t->a;
        if (with < least[v]) least[v] = with;
    }
    return coefficient;
}

/* Rounding the row i, divided by the largest weight of the cover, with the cover complemented, makes the cover's cut, otherwise
 * lifted. sign: as in try_side. NULL: memory. */
static cut_recipe *recipe_of(const cut_scene *c, int i, double sign, const item *items, int count)
{
    cut_recipe *made = cut_recipe_new(1, c->n);
    double most = 0;
    if (!made) return NULL;
    for (int k = 0; k < count; k++) {
        if (items[k].in_cover) most = fmax(most, items[k].a);
        if (items[k].in_cover != items[k].complemented) made->upper[made->uppers++] = items[k].j;
    }
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        int j = c->index[k];
        bool binary = c->model->integer[j] && c->lower[j] == 0 && c->upper[j] == 1;
        if (!binary && sign * c->value[k] < 0) made->upper[made->uppers++] = j;
    }
    made->rows = 1;
    made->row[0] = i, made->factor[0] = sign / most;
    made->side[0] = c->row_lower[i] == c->row_upper[i] ? 0 : (signed char)sign;
    return made;
}

/* items: a > 0, count of them, of row i, knapsack of size b. */
static void separate(cut_scene *c, int i, double sign, item *items, int count, double b)
{
    int cover = find_cover(items, count, b), listed = 0;
    if (cover < 2) return;
    double *least = MEM_NEW(double, cover + 1); /* least[v]: least weight of items in the cut with left side >= v */
    if (!least) return;
    qsort(items, (size_t)count, sizeof *items, by_value);
    fill_table(items, count, cover, least);
    double upper = cover - 1;
    for (int k = 0; k < count; k++) {
        int j = items[k].j, coefficient = items[k].in_cover ? 1 : lift(&items[k], cover, b, least);
        CHECK(coefficient >= 0 && !c->in_list[j]);
        if (coefficient == 0) continue;
        cut_scene_add(c, &listed, j, items[k].complemented ? -coefficient : coefficient);
        if (items[k].complemented) upper -= coefficient;
    }
    mem_free(least);
    size_t before = c->found.count;
    cut_scene_offer(c, listed, upper);
    if (c->recipes && c->found.count > before) c->found.item[before].recipe = recipe_of(c, i, sign, items, count);
}

static void try_side(cut_scene *c, int i, double sign, double limit, item *items)
{
    double b = limit, size;
    int count = knapsack_of(c, i, sign, items, &b, &size), fractional = 0;
    for (int k = 0; k < count; k++) fractional += items[k].y > CUT_FRACTION && items[k].y < 1 - CUT_FRACTION;
    if (count < 2 || fractional == 0 || b <= 0 || MIP_ROUNDING * size > KNAPSACK_ERROR * (1 + b)) return;
    separate(c, i, sign, items, count, b);
}

void separate_cover(cut_scene *c)
{
    item *items = MEM_NEW(item, c->n);
    if (!items) return;
    for (int i = 0; i < c->model->m; i++) {
        if (c->start[i + 1] - c->start[i] < 2) continue;
        if (c->row_upper[i] < INFINITY) try_side(c, i, 1, c->row_upper[i], items);
        if (c->row_lower[i] > -INFINITY) try_side(c, i, -1, -c->row_lower[i], items);
    }
    mem_free(items);
}

/* ---- bounds that binaries move --------------------------------------------------------------------------------------------------
 *
 * A literal y is a binary z or 1 - z. Row  sum_k a_k x_k <= b  with least activity A has at least A + e where y holds: e is what z,
 * and the columns that y excludes, add to their least terms. Then a continuous x_j with a_j > 0 is at most  l_j + (b - A - e) / a_j
 * = u_j - g , so that
 *     x_j + g y <= u_j,  and  x_j + sum over y in C of g_y y <= u_j  for a set C of literals of which a row lets one hold at most,
 * and the mirror image for a_j < 0. pg: 11 824.66 becomes 8 680.5 (optimum 8 674.34); drayage-25-23: 99 718.8 becomes 100 122.0
 * by sets, .0 by single literals. Source: M. W. P. Savelsbergh, Preprocessing and probing techniques for mixed integer programming
 * problems, ORSA Journal on Computing 6 (1994), section 3, for implied bounds. */

enum { MOST_MATES = 16 }; /* binaries of a row that are looked at for exclusion */

/* While z has the value `one`, column j is at least `gain` below its upper (above) or above its lower bound. */
typedef struct implied_bound {
    int j, z;
    bool above, one;
    double gain;
} implied_bound;

typedef struct implications {
    cut_scene *c;
    vouch_lp_data lp;
    bool *exclusive;     /* [m] at most one column of the row is not 0 */
    double *weight;      /* [m] scratch, zero between uses */
    implied_bound *item; /* owned: [count] */
    size_t count, capacity;
} implications;

static bool is_binary(const cut_scene *c, int j) { return c->model->integer[j] && c->lower[j] == 0 && c->upper[j] == 1; }

/* Is row i  sum x <= 1  of integer columns, but for a factor? */
static bool is_exclusive(const cut_scene *c, int i)
{
    int64_t from = c->start[i], to = c->start[i + 1];
    if (from == to || (c->value[from] > 0 ? c->row_upper[i] : c->row_lower[i]) != c->value[from]) return false;
    bool all = true;
    for (int64_t k = from; k < to && all; k++)
        all = c->value[k] == c->value[from] && c->model->integer[c->index[k]] && c->lower[c->index[k]] >= 0;
    return all;
}

static bool exclude_each_other(const implications *l, int a, int b)
{
    const vouch_lp_data *d = &l->lp;
    for (int64_t p = d->start[a]; p < d->start[a + 1]; p++)
        for (int64_t q = d->start[b]; l->exclusive[d->index[p]] && q < d->start[b + 1]; q++)
            if (d->index[p] == d->index[q]) return true;
    return false;
}

/* One side of a row: sign * row <= limit. */
typedef struct row_side {
    int i;
    double sign, room, error; /* room: limit less the least activity */
    double reach;             /* most by which a continuous column changes the row */
    int binaries;
} row_side;

/* False: its least activity is infinite. */
static bool measure_side(const cut_scene *c, row_side *s, double limit)
{
    double size = fabs(limit);
    s->room = limit;
    for (int64_t k = c->start[s->i]; k < c->start[s->i + 1]; k++) {
        int j = c->index[k];
        double a = s->sign * c->value[k], least = a * (a > 0 ? c->lower[j] : c->upper[j]);
        if (isinf(least)) return false;
        s->room -= least;
        size = fmax(size, fabs(least));
        s->binaries += is_binary(c, j);
        if (!c->model->integer[j]) s->reach = fmax(s->reach, fabs(a) * (c->upper[j] - c->lower[j]));
    }
    s->error = MIP_ROUNDING * size * (double)(c->start[s->i + 1] - c->start[s->i]);
    return true;
}

/* What the side leaves its continuous columns where z has a value that takes `extra` of its room. */
static void add_implied(implications *l, const row_side *s, int z, bool one, double extra)
{
    const cut_scene *c = l->c;
    double room = s->room - extra + s->error;
    if (!(extra > 0) || room < 0 || room >= s->reach) return; /* z cannot have the value, or nothing follows */
    for (int64_t k = c->start[s->i]; k < c->start[s->i + 1]; k++) {
        int j = c->index[k];
        double a = s->sign * c->value[k], gain = c->upper[j] - c->lower[j] - room / fabs(a);
        if (c->model->integer[j] || !(gain > CUT_EFFICACY) || gain > LARGEST_FACTOR ||
            MEM_RESERVE(&l->item, &l->capacity, l->count))
            continue;
        l->item[l->count++] = (implied_bound){j, z, a > 0, one, gain};
    }
}

static void look_at_side(implications *l, row_side s, double limit)
{
    const cut_scene *c = l->c;
    if (isinf(limit) || !measure_side(c, &s, limit)) return;
    for (int64_t k = c->start[s.i]; s.reach > 0 && k < c->start[s.i + 1]; k++) {
        int z = c->index[k];
        double a = s.sign * c->value[k], extra = fmax(a, 0);
        if (!is_binary(c, z)) continue;
        for (int64_t q = c->start[s.i]; s.binaries <= MOST_MATES && q < c->start[s.i + 1]; q++)
            if (s.sign * c->value[q] < 0 && q != k && is_binary(c, c->index[q]) && exclude_each_other(l, z, c->index[q]))
                extra -= s.sign * c->value[q];
        add_implied(l, &s, z, true, extra);
        add_implied(l, &s, z, false, fmax(-a, 0));
    }
}

/* By column and bound, then by literal, the strongest first. */
static int by_bound(const void *p, const void *q)
{
    const implied_bound *x = p, *y = q;
    if (x->j != y->j) return x->j - y->j;
    if (x->above != y->above) return x->above - y->above;
    if (x->z != y->z) return x->z - y->z;
    if (x->one != y->one) return x->one - y->one;
    return (x->gain < y->gain) - (x->gain > y->gain);
}

static bool same_bound(const implied_bound *a, const implied_bound *b) { return a->j == b->j && a->above == b->above; }

static void sort_implications(implications *l)
{
    size_t kept = 0;
    if (l->count > 1) qsort(l->item, l->count, sizeof *l->item, by_bound);
    for (size_t k = 0; k < l->count; k++) {
        const implied_bound *a = &l->item[k], *last = &l->item[kept > 0 ? kept - 1 : 0];
        if (kept == 0 || !same_bound(a, last) || a->z != last->z || a->one != last->one) l->item[kept++] = *a;
    }
    l->count = kept;
}

/* Offers the cut of the bound of item[from .. to) with all of its binaries that row i excludes from each other; i < 0: with all. */
static void offer_implied(const implications *l, size_t from, size_t to, int i)
{
    cut_scene *c = l->c;
    const implied_bound *b = &l->item[from];
    int sign = b->above ? 1 : -1, count = 0;
    double upper = sign * (b->above ? c->upper[b->j] : c->lower[b->j]);
    cut_scene_add(c, &count, b->j, sign);
    for (; from < to; b = &l->item[++from]) {
        bool in = i < 0;
        for (int64_t q = l->lp.start[b->z]; !in && b->one && q < l->lp.start[b->z + 1]; q++) in = l->lp.index[q] == i;
        if (!in) continue;
        cut_scene_add(c, &count, b->z, b->one ? b->gain : -b->gain);
        if (!b->one) upper -= b->gain;
    }
    cut_scene_offer(c, count, upper);
}

/* Offers what the point breaks: of the single literals the best, of the sets those that are better still. */
static void separate_bound(const implications *l, size_t from, size_t to)
{
    const cut_scene *c = l->c;
    const vouch_lp_data *d = &l->lp;
    const implied_bound *b = &l->item[from];
    double most = (b->above ? c->upper[b->j] - c->x[b->j] : c->x[b->j] - c->lower[b->j]) + CUT_EFFICACY;
    size_t best = to;
    for (size_t k = from; k < to; k++) {
        b = &l->item[k];
        double moved = b->gain * (b->one ? c->x[b->z] : 1 - c->x[b->z]);
        if (moved > most) most = moved, best = k;
        for (int64_t q = d->start[b->z]; b->one && q < d->start[b->z + 1]; q++)
            if (l->exclusive[d->index[q]]) l->weight[d->index[q]] += moved;
    }
    if (best < to) offer_implied(l, best, best + 1, -1);
    for (size_t k = from; k < to; k++)
        for (int64_t q = d->start[l->item[k].z]; q < d->start[l->item[k].z + 1]; q++) {
            int i = d->index[q];
            if (l->weight[i] > most + CUT_EFFICACY) offer_implied(l, from, to, i);
            l->weight[i] = 0;
        }
}

void separate_implied(cut_scene *c)
{
    arena a = {0};
    implications l = {.c = c, .exclusive = ARENA_ZERO(&a, bool, c->m), .weight = ARENA_ZERO(&a, double, c->m)};
    vouch_lp_view(c->lp, &l.lp);
    for (int i = 0; !a.failed && i < c->model->m; i++) l.exclusive[i] = is_exclusive(c, i);
    for (int i = 0; !a.failed && i < c->model->m; i++) {
        look_at_side(&l, (row_side){.i = i, .sign = 1}, c->row_upper[i]);
        look_at_side(&l, (row_side){.i = i, .sign = -1}, -c->row_lower[i]);
    }
    sort_implications(&l);
    for (size_t from = 0, to = 0; from < l.count; from = to) {
        while (to < l.count && same_bound(&l.item[to], &l.item[from])) to++;
        separate_bound(&l, from, to);
    }
    mem_free(l.item);
    arena_free(&a);
}
