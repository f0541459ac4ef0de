/* policy/precise.c - see precise.h. O(arcs) numbers an environment. */
#include "policy/precise.h"

#include <math.h>

#include "base/check.h"
#include "exact/number.h"
#include "mdp/tolerance.h"

static const double MOST_ARCS = 1e6; /* over all environments, for figures */

bool precise_fits(const vouch_model *rows, const know_graph *g, const know_classes *c, double arcs)
{
    if (c && (c->f || c->cut <= g->T)) return false;
    for (int k = 0; k < vouch_model_promises(rows); k++)
        if (vouch_model_promise_is_average(rows, k)) return false;
    return (double)(c ? c->arcs : g->edges) * (rows->K / rows->group) <= arcs;
}

bool precise_is_read(const vouch_model *rows)
{
    bool read = rows->short_numbers;
    for (int r = 0; r < rows->K && read; r++) {
        const mdp *e = &rows->env[r];
        read = exact_is_read(e->p);
        for (int o = 0; o < e->start[rows->pairs] && read; o++) read = exact_is_read(e->prob[o]);
    }
    return read;
}

/* The outcome of row r that an arc of choice `choice` to a node is; -1: it has none. weights: of the class reached (NULL: none). */
static int outcome_of(const vouch_model *rows, const know_graph *g, int r, int choice, int child, const double weights[])
{
    if (!know_in_set(g, g->set[child], r) || (weights && !(weights[r] > 0))) return -1;
    return mdp_outcome(&rows->env[r], g->choice_pair[choice], g->state[child]);
}

/* The process of one environment. */
static exact_process *make_process(const precise_model *x, const know_graph *g, const know_classes *c, int k)
{
    const vouch_model *m = x->rows;
    int r = k * x->J, nodes = c ? c->classes : g->nodes, options = c ? c->slots : g->choices, most = c ? c->arcs : g->edges,
        used = 0;
    const int *from_start = c ? c->arc_start : g->edge_start, *from_to = c ? c->arc_child : g->edge_child;
    int *arc_start = EXACT_NEW(int, options + 1), *arc_to = EXACT_NEW(int, most), *outcome = EXACT_NEW(int, most);
    const double **kept = EXACT_NEW(const double *, x->J);
    for (int o = 0; o < options; o++) {
        arc_start[o] = used;
        for (int a = from_start[o]; a < from_start[o + 1]; a++) {
            int to = from_to[a], node = c ? c->node[to] : to;
            int i = outcome_of(m, g, r, c ? c->slot_option[o] : o, node, c ? know_class_weights(c, to) : NULL);
            if (i < 0) continue;
            arc_to[used] = to;
            outcome[used++] = i;
        }
    }
    arc_start[options] = used;
    for (int j = 0; j < x->J; j++) {
        double *of_node = EXACT_NEW(double, nodes);
        for (int n = 0; n < nodes; n++) of_node[n] = m->env[r + j].terminal[g->state[c ? c->node[n] : n]];
        kept[j] = of_node;
    }
    exact_layers *layers = EXACT_NEW(exact_layers, 1);
    *layers = (exact_layers){nodes,
                             m->env[r].start[m->pairs],
                             c ? c->slot_start : g->choice_start,
                             arc_start,
                             arc_to,
                             outcome,
                             m->env[r].prob,
                             m->env[r].reward,
                             x->J,
                             kept};
    return exact_process_new(layers);
}

precise_model *precise_new(const vouch_model *rows, const know_graph *g, const know_classes *c, const double p[], double tolerance)
{
    precise_model *x = EXACT_NEW(precise_model, 1);
    int J = rows->group, K = rows->K / J;
    *x = (precise_model){.rows = rows,
                         .K = K,
                         .J = J,
                         .width = 1 + J,
                         .env = EXACT_NEW(exact_process *, K),
                         .least = exact_numbers(K * J),
                         .optimum = exact_numbers(K),
                         .price = exact_numbers(K * J),
                         .feasible = true};
    mpf_t keep;
    mpf_init2(keep, EXACT_BITS);
    mpf_set_d(keep, commitment_threshold(0, tolerance, rows->T));
    for (int k = 0; k < K; k++) {
        mpf_t *least = x->least + k * J;
        x->env[k] = make_process(x, g, NULL, k);
        for (int j = 0; j < J; j++) {
            const mdp *e = &rows->env[k * J + j];
            exact_required(least[j], p ? p[k * J + j] : e->p, p ? 0 : e->p_rest);
            mpf_add(least[j], least[j], keep);
        }
        if (!exact_process_optimum(x->env[k], least, x->optimum[k], x->price + k * J)) x->feasible = false;
        if (c) x->env[k] = make_process(x, g, c, k);
    }
    return x;
}

/* Nearest, not towards 0. */
static double nearest(const mpf_t x)
{
    double d = mpf_get_d(x);
    mpf_t rest;
    mpf_init2(rest, EXACT_BITS);
    mpf_set_d(rest, d);
    mpf_sub(rest, x, rest);
    d += mpf_get_d(rest);
    mpf_clear(rest);
    return d;
}

double precise_difference(const precise_model *x, int k, const mpf_t a, const mpf_t b)
{
    const exact_process *p = x->env[k];
    mpf_t apart, tie;
    mpf_init2(apart, EXACT_BITS);
    mpf_init2(tie, EXACT_BITS);
    mpf_sub(apart, a, b);
    mpf_abs(tie, apart);
    mpf_mul_2exp(tie, tie, EXACT_EQUAL_BITS / 2);
    double d = mpf_cmp(tie, p->size) <= 0 ? 0 : nearest(apart);
    mpf_clear(apart);
    mpf_clear(tie);
    return d;
}

void precise_set_figures(const precise_model *x, int k, const mpf_t earned, vouch_environment_figures figure[])
{
    for (int r = k * x->J; r < (k + 1) * x->J; r++) {
        figure[r].optimal_value = nearest(x->optimum[k]);
        figure[r].value = nearest(earned);
        figure[r].regret = precise_difference(x, k, x->optimum[k], earned);
    }
}

static bool run_figures(const vouch_model *rows, const know_graph *g, const know_classes *c, const double prob[],
                        exact_memory *memory, vouch_environment_figures figure[])
{
    if (setjmp(memory->escape)) return false;
    precise_model *x = precise_new(rows, g, c, NULL, KEEP_TOLERANCE);
    mpf_t *value = exact_numbers(x->width);
    for (int k = 0; k < x->K && x->feasible; k++) {
        exact_process_follow(x->env[k], prob, value);
        precise_set_figures(x, k, value[0], figure);
    }
    return true;
}

vouch_status precise_figures(const vouch_model *rows, const know_graph *g, const know_classes *c, const double prob[],
                             vouch_environment_figures figure[])
{
    if (!precise_fits(rows, g, c, MOST_ARCS)) return VOUCH_OK;
    exact_memory memory;
    exact_memory_enter(&memory);
    bool made = run_figures(rows, g, c, prob, &memory, figure);
    exact_memory_leave(&memory);
    return made ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}
