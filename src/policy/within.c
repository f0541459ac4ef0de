/* policy/within.c - see within.h. Backward induction over the nodes; the minimum over a row starts from its lower limits and gives
 * the rest to the successors of smallest V first. O(edges log successors) for each promise of each environment. Sums of nonnegative
 * products: V is off by a few units in its last place for each step. */
#include "policy/within.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct successor {
    double value, low, high;
    int edge, place;
} successor;

static int by_value(const void *x, const void *y)
{
    const successor *a = x, *b = y;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return a->place - b->place;
}

const double *reply_weight(const vouch_model *m, int row) { return m->weight ? m->weight[row] : m->terminal; }

/* V(n, a) of choice c at node n; q replaces the lower limits of its successors x [successors]. */
static double choice_worst(const reply_graph *g, int k, int n, int c, const double value[], successor x[])
{
    const mdp *e = &g->m->env[k];
    int q = g->choice_pair[c], first = e->start[q], count = e->start[q + 1] - first;
    for (int i = 0; i < count; i++) {
        prob_limits given = limits_within(g->m, e, g->state[n], q, first + i);
        x[i] = (successor){0, given.low, given.high, -1, i}; /* 0 where the policy has no node, for its reach underflows */
    }
    for (int u = g->edge_start[c]; u < g->edge_start[c + 1]; u++) {
        size_t row = (size_t)(g->row ? g->row[u] : u);
        int child = g->edge_child[u];
        bool follows = g->prob[row * (size_t)g->m->K + (size_t)k] > 0 && (!g->sets || know_in_set(g->sets, g->sets->set[child], k));
        int o = follows ? mdp_outcome(e, q, g->state[child]) : -1;
        if (o < 0) continue;
        x[o - first].value = value[child];
        x[o - first].edge = u;
    }
    /* The last takes what rounding leaves. */
    double rest = 1, mean = 0;
    for (int i = 0; i < count; i++) rest -= x[i].low;
    qsort(x, (size_t)count, sizeof *x, by_value);
    for (int i = 0; i < count; i++) {
        double more = fmax(0, i + 1 < count ? fmin(rest, x[i].high - x[i].low) : rest);
        rest -= more;
        x[i].low += more;
        mean += x[i].low * x[i].value;
    }
    return mean;
}

vouch_status reply_worst(const reply_graph *g, int row, double value[], double nature[])
{
    int k = row * g->m->group / g->m->J, most = 0;
    const mdp *e = &g->m->env[k];
    const double *weight = reply_weight(g->m, row);
    for (int q = 0; q < g->m->pairs; q++)
        if (e->start[q + 1] - e->start[q] > most) most = e->start[q + 1] - e->start[q];
    successor *x = MEM_NEW(successor, most);
    if (!x) return VOUCH_ERROR_MEMORY;
    for (int n = g->nodes - 1; n >= 0; n--) {
        double mean = 0, best = 0, taken = 0;
        int chosen = -1;
        bool here = !g->sets || know_in_set(g->sets, g->sets->set[n], k);
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && here; c++) {
            double v = choice_worst(g, k, n, c, value, x), part = g->take ? g->take[c] : 0;
            int q = g->choice_pair[c];
            mean += part * v;
            taken += part;
            if (chosen < 0 || v > best) best = v, chosen = c;
            for (int i = 0; nature && i < e->start[q + 1] - e->start[q]; i++)
                if (x[i].edge >= 0) nature[x[i].edge] = x[i].low;
        }
        if (g->best) g->best[n] = chosen;
        value[n] = g->choice_start[n] == g->choice_start[n + 1] ? weight[g->state[n]] : taken > 0 ? mean : best;
    }
    mem_free(x);
    return VOUCH_OK;
}

reply_graph reply_of_graph(const know_graph *g, const double prob[])
{
    return (reply_graph){.m = g->m,
                         .nodes = g->nodes,
                         .state = g->state,
                         .choice_start = g->choice_start,
                         .choice_pair = g->choice_pair,
                         .edge_start = g->edge_start,
                         .edge_child = g->edge_child,
                         .take = prob,
                         .prob = g->successor_prob,
                         .row = g->edge_row,
                         .sets = g};
}

/* The nodes of a policy. out->memory is to be freed, after an error, too. */
static vouch_status reply_of_policy(const vouch_policy *policy, const vouch_policy_graph *f, const vouch_model *m, reply_graph *out)
{
    arena *a = &out->memory;
    size_t choices = 0;
    for (size_t n = 0; n < f->nodes; n++) choices += f->node[n].rule < 0 ? 0 : (size_t)policy->rules[f->node[n].rule].do_count;
    *out = (reply_graph){.m = m, .nodes = (int)f->nodes, .prob = f->prob};
    int *state = ARENA_NEW(a, int, f->nodes), *choice_start = ARENA_NEW(a, int, f->nodes + 1), *pair = ARENA_NEW(a, int, choices),
        *edge_start = ARENA_NEW(a, int, choices + 1), *child = ARENA_NEW(a, int, f->edges);
    double *take = ARENA_NEW(a, double, choices);
    out->state = state, out->choice_start = choice_start, out->choice_pair = pair;
    out->edge_start = edge_start, out->edge_child = child, out->take = take;
    if (a->failed) return VOUCH_ERROR_MEMORY;
    int c = 0, u = 0;
    for (size_t n = 0; n < f->nodes; n++) {
        const policy_rule *r = f->node[n].rule < 0 ? NULL : &policy->rules[f->node[n].rule];
        state[n] = f->node[n].state;
        choice_start[n] = c;
        for (int i = 0; r && i < r->do_count; i++, c++) {
            pair[c] = model_pair(m, r->state, r->action[i]);
            take[c] = r->prob[i];
            edge_start[c] = u;
            for (; u < (int)f->edges && f->edge[u].from == (int)n && f->edge[u].choice == i; u++) child[u] = f->edge[u].to;
        }
    }
    choice_start[f->nodes] = c;
    edge_start[choices] = u;
    return VOUCH_OK;
}

/* To lost where it is more. */
static void find_lost(const reply_graph *g, int k, const double value[], const double reach[], double lost[])
{
    size_t K = (size_t)g->m->K;
    for (int n = 0; n < g->nodes; n++) {
        double mean = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int u = g->edge_start[c]; u < g->edge_start[c + 1]; u++)
                mean += g->take[c] * g->prob[(size_t)u * K + (size_t)k] * value[g->edge_child[u]];
        if (g->choice_start[n] < g->choice_start[n + 1])
            lost[n] = fmax(lost[n], reach[(size_t)n * K + (size_t)k] * (mean - value[n]));
    }
}

vouch_status reply_all(const reply_graph *g, double value[], double worst[], const double reach[], double lost[])
{
    const vouch_model *m = g->m;
    for (int n = 0; n < g->nodes && lost; n++) lost[n] = 0;
    for (int i = 0; i < m->K * m->J; i++) {
        if (reply_worst(g, i, value, NULL)) return VOUCH_ERROR_MEMORY;
        worst[i] = fmin(1, value[0]);
        if (lost) find_lost(g, i / m->J, value, reach, lost);
    }
    return VOUCH_OK;
}

vouch_status reply_alone(const vouch_model *m, double worst[], vouch_error *error)
{
    know_graph *graph;
    vouch_status status = know_graph_new(m, 0, NULL, &graph, error);
    if (status) return status;
    reply_graph g = reply_of_graph(graph, NULL);
    double *value = MEM_NEW(double, g.nodes);
    if (!value || reply_all(&g, value, worst, NULL, NULL)) status = error_memory(error);
    mem_free(value);
    know_graph_free(graph);
    return status;
}

bool reply_kept(const vouch_model *m, int j, const double worst[])
{
    if (vouch_model_promise_is_average(m, j)) return vouch_model_mean_kept(m, j, vouch_model_mean(m, worst + j, m->J));
    bool kept = true;
    for (int k = 0; k < m->K; k++) kept = kept && vouch_model_promise_kept(m, j, k, worst[k * m->J + j]);
    return kept;
}

vouch_status vouch_policy_worst(const vouch_policy *policy, const vouch_model *m, double worst[], double lost[], int *kept,
                                vouch_error *error)
{
    vouch_policy_graph *graph;
    reply_graph g;
    if (!worst || !kept) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the answer");
    *kept = 0;
    vouch_status status = vouch_policy_graph_new(&graph, policy, m, error);
    if (status) return status;
    double *value = MEM_NEW(double, graph->nodes);
    if (reply_of_policy(policy, graph, m, &g) || !value || reply_all(&g, value, worst, graph->reach, lost))
        status = error_memory(error);
    *kept = !status;
    for (int j = 0; j < m->J && *kept; j++) *kept = reply_kept(m, j, worst);
    arena_free(&g.memory);
    mem_free(value);
    vouch_policy_graph_free(graph);
    return status;
}
