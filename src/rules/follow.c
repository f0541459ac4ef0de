/* rules/follow.c - the places of a policy, and where they come in a decision tree; see rules.h. */
#include "rules/rules.h"

static const double SAME = 1e-9; /* smaller differences of probabilities are rounding, as are smaller probabilities */

/* ---- following ------------------------------------------------------------------------------------------------------------- */

bool tree_test(const features *f, const rule_node *n, const tree_place *p)
{
    double v = feature_value(f, n->feature, p);
    if (n->test == TEST_AT_MOST) return v <= n->threshold + SAME;
    if (n->test == TEST_EQUALS) return fabs(v - n->threshold) <= SAME;
    for (int i = 0; i < n->members; i++)
        if ((int)v == n->member[i]) return true;
    return false;
}

int tree_leaf(const features *f, const rule_tree *t, const tree_place *p)
{
    int n = 0;
    while (t->node[n].feature >= 0) n = tree_test(f, &t->node[n], p) ? t->node[n].yes : t->node[n].no;
    return n;
}

static bool same_decision(const leaf_decision *a, const leaf_decision *b)
{
    if (a->actions != b->actions || !a->follow != !b->follow) return false;
    for (int i = 0; i < a->actions; i++)
        if (a->action[i] != b->action[i] || !(fabs(a->probability[i] - b->probability[i]) <= SAME) ||
            (a->follow && a->follow[i] != b->follow[i]))
            return false;
    return true;
}

int tree_decision(vouch_decision_tree *t, const leaf_decision *d)
{
    escape *e = &t->memory;
    for (size_t i = 0; i < t->decisions; i++)
        if (same_decision(&t->decision[i], d)) return (int)i;
    escape_grow(e, (void **)&t->decision, &t->decision_capacity, t->decisions, sizeof *t->decision);
    size_t n = (size_t)d->actions;
    leaf_decision made = {d->actions, escape_new(e, n, sizeof(int)), d->follow ? escape_new(e, n, sizeof(int)) : NULL,
                          escape_new(e, n, sizeof(double))};
    memcpy(made.action, d->action, n * sizeof *made.action);
    memcpy(made.probability, d->probability, n * sizeof *made.probability);
    if (d->follow) memcpy(made.follow, d->follow, n * sizeof *made.follow);
    t->decision[t->decisions] = made;
    return (int)t->decisions++;
}

static bool is_available(const vouch_decision_tree *t, int number, int state)
{
    const leaf_decision *d = &t->decision[number];
    for (int i = 0; i < d->actions; i++)
        if (vouch_model_pair(t->model, state, d->action[i]) < 0) return false;
    return true;
}

/* The first decision of a node that is available; -1: none. */
static int first_available(const vouch_decision_tree *t, const rule_node *n, int state)
{
    for (int i = 0; i < n->choices; i++)
        if (is_available(t, n->choice[i], state)) return n->choice[i];
    return -1;
}

int tree_choose(vouch_decision_tree *t, rule_tree *of, int leaf, int state)
{
    int found = first_available(t, &of->node[leaf], state), before = of->node[leaf].choices;
    if (found >= 0) return found;
    found = first_available(t, &of->node[0], state);
    if (found < 0) {
        const int *action;
        (void)vouch_model_available(t->model, state, &action);
        found = tree_decision(t, &(leaf_decision){1, &(int){action[0]}, NULL, &(double){1}});
    }
    int *more = escape_new(&t->memory, (size_t)before + 1, sizeof *more);
    if (before) memcpy(more, of->node[leaf].choice, (size_t)before * sizeof *more);
    more[before] = found;
    of->node[leaf].choice = more;
    of->node[leaf].choices++;
    return found;
}

/* ---- places ---------------------------------------------------------------------------------------------------------------- */

/* The decision of a rule, without actions of rounding. */
static int rule_decision(vouch_decision_tree *t, const vouch_rule *r)
{
    size_t n = (size_t)r->actions;
    int *action = escape_new(&t->memory, n, sizeof *action), *follow = escape_new(&t->memory, n, sizeof *follow);
    double *probability = escape_new(&t->memory, n, sizeof *probability);
    leaf_decision d = {0, action, r->follow ? follow : NULL, probability};
    double sum = 0;
    for (int i = 0; i < r->actions; i++) {
        if (r->probability[i] < SAME) continue;
        action[d.actions] = r->action[i];
        follow[d.actions] = r->follow ? r->follow[i] : 0;
        sum += probability[d.actions++] = r->probability[i];
    }
    for (int i = 0; i < d.actions; i++) probability[i] /= sum;
    int number = tree_decision(t, &d);
    escape_free(&t->memory, action);
    escape_free(&t->memory, follow);
    escape_free(&t->memory, probability);
    return number;
}

tree_place place_of_rule(features *f, const vouch_rule *r, int everything)
{
    tree_place p = {r->time, r->state, f->L > 0 ? r->boundary_state : -1, everything, r->plan, r->likelihood};
    if (r->environments > 0) p.set = features_set(f, r->environment, r->environments);
    if (r->likelihood) p.set = features_likely_set(f, r->likelihood);
    return p;
}

static void free_graph(void *graph) { vouch_policy_graph_free(graph); }

void sample_make(vouch_decision_tree *t, const vouch_policy *policy, sample *out)
{
    escape *e = &t->memory;
    vouch_policy_graph *graph;
    vouch_policy_graph_data g;
    size_t K = (size_t)t->f.K;
    const char *name, *memory;
    must(e, vouch_policy_graph_new(&graph, policy, t->model, e->error));
    escape_keep(e, free_graph, graph);
    vouch_policy_graph_view(graph, &g);
    size_t n = (size_t)g.nodes;
    *out = (sample){0, escape_new(e, n, sizeof *out->place), escape_new(e, n, sizeof(int)), escape_new(e, n * K, sizeof(double)),
                    escape_new(e, n, sizeof(double))};
    int *all = escape_new(e, K, sizeof *all);
    for (int k = 0; k < t->f.K; k++) all[k] = k;
    int everything = features_set(&t->f, all, t->f.K);
    for (int i = 0; i < g.nodes; i++) {
        vouch_rule r;
        if (g.node[i].rule < 0 || vouch_model_look(t->model, g.node[i].state, &name, &memory) < 0) continue;
        vouch_policy_get_rule(policy, g.node[i].rule, &r);
        int at = out->count++;
        out->place[at] = place_of_rule(&t->f, &r, everything);
        out->decision[at] = rule_decision(t, &r);
        out->weight[at] = 1e-6;
        memcpy(out->reach + (size_t)at * K, g.reach + (size_t)i * K, K * sizeof *out->reach);
        for (size_t k = 0; k < K; k++) out->weight[at] = fmax(out->weight[at], out->reach[(size_t)at * K + k]);
    }
    escape_free(e, all);
}

/* ---- counting and checking ------------------------------------------------------------------------------------------------- */

typedef struct weighed {
    double weight;
    int decision;
} weighed;

static int by_weight(const void *x, const void *y)
{
    const weighed *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return (a->decision > b->decision) - (a->decision < b->decision);
}

/* The decisions of a node by decreasing weight; of: [decisions]. */
static void order_choices(const vouch_decision_tree *t, rule_node *n, const double of[], weighed order[], escape *e)
{
    int count = 0;
    for (size_t i = 0; i < t->decisions; i++)
        if (of[i] > 0) order[count++] = (weighed){of[i], (int)i};
    qsort(order, (size_t)count, sizeof *order, by_weight);
    n->choice = escape_new(e, (size_t)count, sizeof *n->choice);
    n->choices = count;
    for (int i = 0; i < count; i++) n->choice[i] = order[i].decision;
}

void tree_count(const vouch_decision_tree *t, const sample *s, rule_tree *of)
{
    escape *e = t->f.e;
    size_t K = (size_t)t->f.K, D = t->decisions;
    double *steps = escape_zero(e, of->nodes * K, sizeof *steps), *weight = escape_zero(e, of->nodes * D, sizeof *weight);
    weighed *order = escape_new(e, D, sizeof *order);
    for (size_t n = 0; n < of->nodes; n++) of->node[n].places = 0;
    for (int i = 0; i < s->count; i++)
        for (int n = 0;;) {
            rule_node *at = &of->node[n];
            at->places++;
            weight[(size_t)n * D + (size_t)s->decision[i]] += s->weight[i];
            for (size_t k = 0; k < K; k++) steps[(size_t)n * K + k] += s->reach[(size_t)i * K + k];
            if (at->feature < 0) break;
            n = tree_test(&t->f, at, &s->place[i]) ? at->yes : at->no;
        }
    for (size_t n = 0; n < of->nodes; n++) {
        of->node[n].steps = 0;
        for (size_t k = 0; k < K; k++) of->node[n].steps = fmax(of->node[n].steps, steps[n * K + k]);
        order_choices(t, &of->node[n], weight + n * D, order, e);
    }
    escape_free(e, steps);
    escape_free(e, weight);
    escape_free(e, order);
}
