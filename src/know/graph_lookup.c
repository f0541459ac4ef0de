/* know/graph_lookup.c - questions about the nodes of a graph that is there: by time, by state and set, by choice.
 *
 * Nodes and choices are numbered in order, so that their time and owner are found by bisection, O(log); a node of a state and set
 * by looking through its layer, O(nodes of the layer).
 */
#include <math.h>
#include <string.h>

#include "know/graph.h"

int know_state(const know_graph *g, int node) { return g->m->of_state ? g->m->of_state[g->state[node]] : g->state[node]; }

double know_reward_spread(const know_graph *g)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < (size_t)g->m->pairs * (size_t)g->K; i++) {
        least = fmin(least, g->reward[i]);
        most = fmax(most, g->reward[i]);
    }
    return most > least ? most - least : 0;
}

/* The last of start [count], which rises, that is at most x. */
static int last_at_most(const int start[], int count, int x)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int mid = low + (high - low + 1) / 2;
        if (start[mid] <= x)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

int know_time(const know_graph *g, int node) { return last_at_most(g->time_start, g->T + 1, node); }

int know_owner(const know_graph *g, int choice) { return last_at_most(g->choice_start, g->nodes, choice); }

int know_real_choices(const know_graph *g, int node)
{
    int count = 0;
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++) count += g->choice_twin[c] == c;
    return count;
}

int know_rank(const know_graph *g, int set, int k)
{
    int i = g->member_start[set];
    while (g->member[i] != k) i++;
    return i - g->member_start[set];
}

int know_find_state(const know_graph *g, int time, int state, const int *env, int count)
{
    if (time < 0 || time > g->T) return -1;
    for (int n = g->time_start[time]; n < g->time_start[time + 1]; n++)
        if (g->state[n] == state && know_set_size(g, g->set[n]) == count &&
            memcmp(g->member + g->member_start[g->set[n]], env, (size_t)count * sizeof(int)) == 0)
            return n;
    return -1;
}

int know_find_boundary(const know_graph *g, int time, int state, int boundary)
{
    if (time < g->L || time > g->T) return -1;
    for (int n = g->time_start[time]; n < g->time_start[time + 1]; n++)
        if (g->state[n] == state && g->boundary[n] == boundary) return n;
    return -1;
}
