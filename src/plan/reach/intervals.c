/* plan/reach/intervals.c - the least and the largest probability of reaching a policy node, in each environment alone.
 *
 * Backward from a block of nodes of one time, over the nodes before it. Cost: REACH_BLOCK products an edge before the block and an
 * environment. */
#include <stdlib.h>

#include "base/memory.h"
#include "plan/reach/reach.h"

void reach_intervals_make(const reach_model *r, reach_intervals *v)
{
    size_t room = (size_t)r->nodes * (size_t)r->E * REACH_BLOCK;
    *v = (reach_intervals){.most = LLONG_MAX};
    v->up = ARENA_NEW(&v->memory, double, room);
    v->down = ARENA_NEW(&v->memory, double, room);
    v->slot = ARENA_NEW(&v->memory, int, r->nodes);
    v->seen = ARENA_ZERO(&v->memory, int, r->nodes);
    v->before = ARENA_NEW(&v->memory, int, r->nodes);
}

/* Lists the block and the nodes before it, by falling time: numbers of nodes ascend with time. Is one of
 * them changed? */
static bool list_before(const reach_model *r, reach_intervals *v, const unsigned char changed[], int first, int last, int *count)
{
    bool any = !changed;
    v->stamp++;
    *count = 0;
    for (int n = first; n < last; n++) {
        v->seen[n] = v->stamp;
        v->slot[n] = *count;
        v->before[(*count)++] = n;
    }
    for (int i = 0; i < *count; i++)
        for (int j = r->parent_start[v->before[i]]; j < r->parent_start[v->before[i] + 1]; j++) {
            int n = r->parent[j];
            if (v->seen[n] == v->stamp) continue;
            v->seen[n] = v->stamp;
            v->slot[n] = *count;
            v->before[(*count)++] = n;
            any = any || changed[n];
        }
    return any;
}

/* sum += p * part, for all nodes of the block. */
static void add(double *sum, const double *part, double p, int width)
{
    for (int j = 0; j < width; j++) sum[j] += p * part[j];
}

/* up and down at node n in environment e, over its allowed choices. */
static void find_node(const reach_model *r, reach_intervals *v, const unsigned char allowed[], int n, int e, int width)
{
    const know_graph *g = r->space->g;
    const double *p = r->prob + (size_t)e * (size_t)r->edges;
    double *up = v->up + ((size_t)v->slot[n] * (size_t)r->E + (size_t)e) * REACH_BLOCK,
           *down = v->down + ((size_t)v->slot[n] * (size_t)r->E + (size_t)e) * REACH_BLOCK;
    for (int j = 0; j < width; j++) up[j] = 0, down[j] = 2;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!allowed[c]) continue;
        double most[REACH_BLOCK] = {0}, least[REACH_BLOCK] = {0};
        for (int i = g->edge_start[c]; i < g->edge_start[c + 1]; i++) {
            int child = g->edge_child[i];
            if (v->seen[child] != v->stamp || p[i] <= 0) continue;
            size_t at = ((size_t)v->slot[child] * (size_t)r->E + (size_t)e) * REACH_BLOCK;
            add(most, v->up + at, p[i], width);
            add(least, v->down + at, p[i], width);
        }
        for (int j = 0; j < width; j++) {
            up[j] = most[j] > up[j] ? most[j] : up[j];
            down[j] = least[j] < down[j] ? least[j] : down[j];
        }
        v->work += (2 * (long long)width + 1) * (1 + g->edge_start[c + 1] - g->edge_start[c]);
    }
}

static void find_block(const reach_model *r, reach_intervals *v, const unsigned char allowed[], int first, int count, int width)
{
    int E = r->E;
    for (int i = 0; i < width; i++)
        for (int e = 0; e < E; e++)
            for (int j = 0; j < width; j++) {
                size_t at = ((size_t)i * (size_t)E + (size_t)e) * REACH_BLOCK + (size_t)j;
                v->up[at] = v->down[at] = i == j && know_in_set(r->space->g, r->space->g->set[first + i], e * r->J);
            }
    for (int i = width; i < count; i++)
        for (int e = 0; e < E; e++) find_node(r, v, allowed, v->before[i], e, width);
}

void reach_intervals_find(const reach_model *r, reach_intervals *v, const unsigned char changed[], reach_set *x)
{
    const know_graph *g = r->space->g;
    for (int e = 0; e < r->E && !changed; e++) x->lo[(size_t)e * (size_t)g->nodes] = x->hi[(size_t)e * (size_t)g->nodes] = 1;
    for (int t = 1; t < g->T; t++)
        for (int first = g->time_start[t]; first < g->time_start[t + 1]; first += REACH_BLOCK) {
            int last = first + REACH_BLOCK < g->time_start[t + 1] ? first + REACH_BLOCK : g->time_start[t + 1], count;
            if (v->work > v->most) return;
            if (!list_before(r, v, changed, first, last, &count)) continue;
            find_block(r, v, x->allowed, first, count, last - first);
            size_t root = (size_t)v->slot[0] * (size_t)r->E * REACH_BLOCK;
            for (int e = 0; e < r->E; e++)
                for (int j = 0; j < last - first; j++) {
                    size_t i = (size_t)e * (size_t)g->nodes + (size_t)(first + j), at = root + (size_t)e * REACH_BLOCK + (size_t)j;
                    x->lo[i] = v->down[at];
                    x->hi[i] = v->up[at];
                }
        }
}

/* ---- how far nature decides ---- */

typedef struct inflow {
    double most, hi; /* largest transition probability from a node, and its hi */
} inflow;

static int by_most(const void *a, const void *b)
{
    double x = ((const inflow *)a)->most, y = ((const inflow *)b)->most;
    return (x < y) - (x > y);
}

/* Largest probability of reaching node n in environment e if the nodes before it have a total mass of 1: hi [nodes]. inflows:
 * [nodes before n].
 */
static double most_to(const reach_model *r, int n, int e, const double hi[], inflow inflows[])
{
    const double *p = r->prob + (size_t)e * (size_t)r->edges;
    int count = 0;
    double sum = 0, left = 1;
    for (int i = r->parent_start[n], last = -1; i < r->parent_start[n + 1]; i++) {
        if (r->parent[i] != last) inflows[count++] = (inflow){.hi = hi[r->parent[i]]};
        last = r->parent[i];
        inflows[count - 1].most = fmax(inflows[count - 1].most, p[r->parent_edge[i]]);
    }
    qsort(inflows, (size_t)count, sizeof *inflows, by_most);
    for (int i = 0; i < count && left > 0; i++) {
        sum += inflows[i].most * fmin(left, inflows[i].hi);
        left -= inflows[i].hi;
    }
    return sum;
}

double reach_spread(const reach_model *r, double enough)
{
    const know_graph *g = r->space->g;
    double *hi = MEM_ZERO(double, g->nodes), sum = 0;
    inflow *inflows = MEM_NEW(inflow, g->nodes);
    for (int e = 0; e < r->E && hi && inflows; e++) {
        hi[0] = 1;
        sum += 1;
        for (int n = 1; n < g->time_start[g->T] && sum <= enough * r->E * g->T; n++) sum += hi[n] = most_to(r, n, e, hi, inflows);
    }
    bool failed = !hi || !inflows;
    mem_free(hi);
    mem_free(inflows);
    return failed ? -1 : sum / (r->E * (double)g->T);
}
