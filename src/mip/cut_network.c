/* mip/cut_network.c - cuts of fixed-charge networks: what a set of nodes needs has to come in over arcs that are switched on.
 *
 * The rows of a set S of nodes add up to  sum_j a_j (x_j - l_j) >= D,  where arcs within S cancel and those that leave it may be
 * left out. An arc that enters is 0 unless its binary z_j is 1, and at most M_j then. So for every choice T of such arcs sum over j
 * not in T of a_j (x_j - l_j) + sum over j in T of min(D, a_j M_j) z_j  >=  D. For a node t of demand d, the arcs' capacities being
 * the lesser of a_j (x_j - l_j) and min(d, a_j M_j) z_j at the point, a set S that breaks this is the side of t of a cut of less
 * than d: the flow to t is augmented along shortest paths until there is none, the rows of all nodes from which t is reached are S,
 * and the arcs into S are given capacity d, so that one flow finds nested cuts. All arcs get a little more, so that of cuts of
 * equal value one of few arcs is found. Source: M. Padberg, T. J. Van Roy, L. A. Wolsey, Valid linear inequalities for fixed charge
 * problems, Operations Research 33 (1985); nested cuts: T. Koch, A. Martin, Solving Steiner tree problems in graphs to optimality,
 * Networks 32 (1998). The flows only choose S: the cut is made of the rows' own sum.
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/scene.h"

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
static double contribution(const cut_scene *c, int j, double a, double d, bool *by_step)
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
static void offer(network *g, int count)
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
        (void)contribution(c, j, a, demand, &by_step);
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
        f->capacity = f->j < 0 ? f->a : contribution(g->c, f->j, f->a, d, &by_step) + CREEP_FLOW * d;
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
        offer(g, reached);
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
