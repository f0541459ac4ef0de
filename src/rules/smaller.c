/* rules/smaller.c - a policy of few rules and little regret; see rules.h.
 *
 * Local search starts at three trees: the exact one, of which inner nodes become leaves one after the other, each time the one
 * whose policy is best of those that change the least reach; one grown where the weighted entropy decreases most; and a single
 * leaf. A move changes the decision of a leaf or the test of an inner node, or splits a leaf. Every policy is propagated through
 * all environments: shortfall of promises first, then the maximum regret, then the total regret. A tree decides everywhere, so the
 * policy may reach places that the given one does not. */

#include "rules/rules.h"

enum { TRIES = 8, OTHERS = 4 };
static const double EFFORT = 1.5e8;                       /* node visits for all policies propagated */
static const double WHOLE_GRAPH = 0.01;                   /* of the effort for one policy at most, on the graph of all policies */
static const double BUILDING = 8;                         /* effort of a graph, compared with a propagation */
static const long long REACHED = 200000, LINKS = 4000000; /* nodes and edges of a graph of what a policy reaches, at most */

typedef struct rule_reducer {
    vouch_decision_tree *t;
    escape *e;
    vouch_model rows;
    policy_space space;
    double *given; /* prob of the given policy, owned */
    double *prob;  /* owned, of the policy at hand */
    figures now;
    int *set;    /* [sets] of the graph: number in the features */
    intern seen; /* sets of environments, */
    int *number; /* [seen] and their numbers in the features */
    size_t number_capacity;
    double effort, each, most; /* spent; of one propagation; limit */
    rule_tree *judged;         /* the tree at hand, for want */
    bool failed, classes;      /* classes: of a history policy, else nodes */
    bool guided;               /* nodes: of a graph of what the policy reaches */
} rule_reducer;

/* ---- places of the search space -------------------------------------------------------------------------------------------- */

static tree_place node_place(const rule_reducer *x, int node, int time)
{
    const know_graph *g = x->space.g;
    int boundary = g->boundary[node], owner = boundary < 0 ? node : boundary;
    return (tree_place){time, g->state[node], boundary < 0 || x->t->f.L == 0 ? -1 : g->state[boundary], x->set[g->set[owner]], -1,
                        NULL};
}

/* The number of a set of rows, as bits, in the features. */
static int number_set(rule_reducer *x, const uint64_t bits[])
{
    bool fresh;
    int id = must_count(x->e, intern_add(&x->seen, bits, &fresh)), group = x->rows.group, count = 0;
    if (!fresh) return x->number[id];
    int *member = escape_new(x->e, (size_t)x->t->f.K, sizeof *member);
    for (int k = 0; k < x->t->f.K; k++)
        if (bits_has(bits, k * group)) member[count++] = k;
    escape_grow(x->e, (void **)&x->number, &x->number_capacity, (size_t)id, sizeof *x->number);
    x->number[id] = features_set(&x->t->f, member, count);
    escape_free(x->e, member);
    return x->number[id];
}

static void number_sets(rule_reducer *x)
{
    const know_graph *g = x->space.g;
    escape_free(x->e, x->set);
    x->set = escape_new(x->e, (size_t)g->sets.count, sizeof *x->set);
    for (int i = 0; i < g->sets.count; i++) x->set[i] = number_set(x, intern_key(&g->sets, i));
}

/* Replaces the graph, which pays as the one before. */
static void take_graph(rule_reducer *x, know_graph *g)
{
    double *given = x->space.g->reward;
    x->space.g->reward = g->reward;
    g->reward = given;
    know_graph_free(x->space.g);
    x->space.g = g;
    mem_free(x->prob);
    if (!(x->prob = MEM_NEW(double, g->choices))) escape_memory(x->e);
    number_sets(x);
    x->each = ((double)g->nodes + g->edges) * (8 + x->rows.K) * (x->guided ? BUILDING : 1);
}

/* ---- the policy of a tree -------------------------------------------------------------------------------------------------- */

/* The decision of the tree at a place; -1: memory, as want must not escape. */
static const leaf_decision *decide(const rule_reducer *x, const tree_place *p)
{
    int leaf = tree_leaf(&x->t->f, x->judged, p);
    return &x->t->decision[tree_choose(x->t, x->judged, leaf, p->state)];
}

static void fill_nodes(rule_reducer *x)
{
    const know_graph *g = x->space.g;
    memset(x->prob, 0, (size_t)g->choices * sizeof *x->prob);
    for (int t = 0; t < g->T; t++)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            tree_place p = node_place(x, n, t);
            const leaf_decision *d = decide(x, &p);
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                for (int a = 0; a < d->actions; a++)
                    if (g->m->pair_action[g->choice_pair[c]] == d->action[a]) x->prob[c] += d->probability[a];
        }
}

typedef struct offered {
    rule_reducer *x;
    tree_place place;
    const uint64_t *bits;
    int *pair, count;
} offered;

static void offer_one(void *object)
{
    offered *o = object;
    const vouch_model *m = &o->x->rows;
    o->place.set = number_set(o->x, o->bits);
    const leaf_decision *d = decide(o->x, &o->place);
    for (int q = m->pair_start[o->place.state]; q < m->pair_start[o->place.state + 1]; q++)
        for (int a = 0; a < d->actions; a++)
            if (m->pair_action[q] == d->action[a]) o->pair[o->count++] = q;
}

/* A know_offer. Called by the library, out of which no escape goes. */
static int offer(void *context, int time, int state, const uint64_t set[], int pair[])
{
    rule_reducer *x = context;
    offered o = {x, {time, state, -1, -1, -1, NULL}, set, pair, 0};
    if (!x->failed && escape_try(x->e, offer_one, &o)) x->failed = true;
    if (x->failed) pair[0] = x->rows.pair_start[state];
    return x->failed ? 1 : o.count;
}

/* The graph of what the tree's policy reaches; false: it is too large. */
static bool reach_nodes(rule_reducer *x)
{
    know_offer decided = {offer, x};
    know_limits limits = {.nodes = REACHED, .edges = LINKS, .offer = &decided};
    know_graph *g;
    x->failed = false;
    vouch_status status = know_graph_new(&x->rows, x->space.g->L, &limits, &g, NULL);
    if (status != VOUCH_ERROR_SIZE && (status || x->failed)) {
        know_graph_free(g);
        escape_memory(x->e);
    }
    if (!status) take_graph(x, g);
    return !status;
}

/* likelihood: [K] scratch. Classes of environments, of which rows have `group` each. */
static tree_place class_place(const rule_reducer *x, const know_classes *c, int i, double likelihood[])
{
    const double *w = know_class_weights(c, i);
    int node = c->node[i];
    for (int k = 0; k < x->t->f.K; k++) likelihood[k] = w[k * x->rows.group];
    return (tree_place){know_time(c->g, node), c->g->state[node], -1, features_likely_set(&x->t->f, likelihood), -1, likelihood};
}

typedef struct wanted {
    rule_reducer *x;
    const know_classes *made;
    int i;
    unsigned char *want;
} wanted;

static void want_one(void *object)
{
    wanted *w = object;
    const know_graph *g = w->made->g;
    double *likelihood = escape_new(w->x->e, (size_t)w->x->t->f.K, sizeof *likelihood);
    tree_place p = class_place(w->x, w->made, w->i, likelihood);
    const leaf_decision *d = decide(w->x, &p);
    int node = w->made->node[w->i];
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++)
        for (int a = 0; a < d->actions; a++)
            if (g->m->pair_action[g->choice_pair[c]] == d->action[a]) w->want[g->choice_twin[c] - g->choice_start[node]] = 1;
    escape_free(w->x->e, likelihood);
}

/* Called by the library, out of which no escape goes. */
static void want(void *context, const know_classes *made, int i, unsigned char wants[])
{
    wanted w = {context, made, i, wants};
    if (!w.x->failed && escape_try(w.x->e, want_one, &w)) w.x->failed = true;
}

/* Replaces the classes of the space by those that the tree's policy reaches, and their prob. */
static void fill_classes(rule_reducer *x)
{
    const know_graph *g = x->space.g;
    class_guide guide = {x, want};
    know_classes_free(x->space.c);
    x->space.c = NULL;
    mem_free(x->prob);
    x->prob = NULL;
    x->failed = false;
    must(x->e, know_classes_guided(g, &guide, HISTORY_CLASSES, NULL, &x->space.c, x->e->error));
    const know_classes *c = x->space.c;
    if (x->failed || !(x->prob = MEM_ZERO(double, c->slots))) escape_memory(x->e);
    double *likelihood = escape_new(x->e, (size_t)x->t->f.K, sizeof *likelihood);
    for (int i = 0; i < c->time_start[g->T]; i++) {
        tree_place p = class_place(x, c, i, likelihood);
        const leaf_decision *d = decide(x, &p);
        int node = c->node[i];
        for (int choice = g->choice_start[node]; choice < g->choice_start[node + 1]; choice++)
            for (int a = 0; a < d->actions; a++)
                for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
                    if (g->m->pair_action[g->choice_pair[choice]] == d->action[a] && c->slot_option[slot] == g->choice_twin[choice])
                        x->prob[slot] += d->probability[a];
    }
    escape_free(x->e, likelihood);
}

/* Sets x->now to the figures of the tree's policy. */
static void judge(rule_reducer *x, rule_tree *of)
{
    int bare;
    x->judged = of;
    x->effort += x->each;
    if (x->guided && !reach_nodes(x)) {
        x->now.shortfall = x->now.max_regret = x->now.total_regret = INFINITY;
        return;
    }
    x->classes ? fill_classes(x) : fill_nodes(x);
    double *reach = space_propagate(&x->space, x->prob, x->classes, x->now.U, x->now.Pr, &bare);
    if (!reach) escape_memory(x->e);
    mem_free(reach);
    figures_derive(&x->space, &x->now);
}

static bool is_better(const figures *a, const figures *b)
{
    if (fabs(a->shortfall - b->shortfall) > 1e-12) return a->shortfall < b->shortfall;
    if (fabs(a->max_regret - b->max_regret) > 1e-12 * (1 + fabs(b->max_regret))) return a->max_regret < b->max_regret;
    return a->total_regret < b->total_regret - 1e-12 * (1 + fabs(b->total_regret));
}

/* ---- trees ----------------------------------------------------------------------------------------------------------------- */

static rule_tree copy_tree(const rule_tree *from, escape *e)
{
    rule_tree to = *from;
    to.node = escape_new(e, from->nodes, sizeof *to.node);
    memcpy(to.node, from->node, from->nodes * sizeof *to.node);
    to.capacity = from->nodes;
    return to;
}

/* Weight of the samples below a node whose decision is not its first one. */
static void find_errors(const sample *s, const features *f, const rule_tree *t, double error[])
{
    for (size_t i = 0; i < t->nodes; i++) error[i] = 0;
    for (int i = 0; i < s->count; i++)
        for (int n = 0;; n = tree_test(f, &t->node[n], &s->place[i]) ? t->node[n].yes : t->node[n].no) {
            if (t->node[n].choices > 0 && t->node[n].choice[0] != s->decision[i]) error[n] += s->weight[i];
            if (t->node[n].feature < 0) break;
        }
}

/* The parents of two leaves of least error, by increasing error. */
static int find_prunable(const rule_tree *t, const double error[], int list[TRIES], int most)
{
    int count = 0;
    for (size_t i = 0; i < t->nodes; i++) {
        const rule_node *n = &t->node[i];
        if (n->feature < 0 || error[i] < 0 || t->node[n->yes].feature >= 0 || t->node[n->no].feature >= 0) continue;
        if (count == most && !(error[i] < error[list[most - 1]])) continue;
        int at = count < most ? count++ : most - 1;
        for (; at > 0 && error[i] < error[list[at - 1]]; at--) list[at] = list[at - 1];
        list[at] = (int)i;
    }
    return count;
}

/* Nodes that the root does not reach get error -1, so that they are not pruned. */
static void mark_reached(const rule_tree *t, double error[])
{
    double *seen = error + t->nodes; /* [nodes], 1: reached */
    for (size_t i = 0; i < t->nodes; i++) seen[i] = i == 0;
    for (size_t i = 0; i < t->nodes; i++) {
        const rule_node *n = &t->node[i];
        if (seen[i] > 0 && n->feature >= 0) seen[n->yes] = seen[n->no] = 1;
        if (!(seen[i] > 0)) error[i] = -1;
    }
}

/* Makes leaves of inner nodes until at most `leaves` are left. */
static void prune(rule_reducer *x, const sample *s, rule_tree *t, int leaves)
{
    double *error = escape_new(x->e, 2 * t->nodes, sizeof *error);
    while (t->leaves > leaves) {
        int list[TRIES], best = -1;
        double left = fmax(EFFORT / 4 - x->effort, 0) / (x->each * (t->leaves - leaves));
        int most = left < 1 ? 1 : left > TRIES ? TRIES : (int)left;
        find_errors(s, &x->t->f, t, error);
        mark_reached(t, error);
        int count = find_prunable(t, error, list, most);
        figures least = {0};
        for (int i = 0; i < count && count > 1; i++) {
            int test = t->node[list[i]].feature;
            t->node[list[i]].feature = -1;
            judge(x, t);
            t->node[list[i]].feature = test;
            if (best >= 0 && !is_better(&x->now, &least)) continue;
            best = list[i];
            least = x->now;
        }
        t->node[best >= 0 ? best : list[0]].feature = -1;
        t->leaves--;
    }
    escape_free(x->e, error);
}

/* Adds the most frequent decisions of the policy to those of each leaf. */
static void offer_decisions(const rule_reducer *x, rule_tree *t)
{
    for (size_t i = 0; i < t->nodes; i++) {
        rule_node *n = &t->node[i];
        int own = n->choices, *list = escape_new(x->e, (size_t)(own + OTHERS), sizeof *list);
        for (int j = 0; j < own; j++) list[j] = n->choice[j];
        for (int j = 0; j < t->node[0].choices && n->choices < own + OTHERS; j++) {
            bool has = false;
            for (int a = 0; a < own; a++) has = has || list[a] == t->node[0].choice[j];
            if (!has) list[n->choices++] = t->node[0].choice[j];
        }
        n->choice = list;
    }
}

/* Keeps the change of the tree if its policy is better than *best. */
static bool is_gain(rule_reducer *x, rule_tree *t, figures *best)
{
    judge(x, t);
    if (!is_better(&x->now, best)) return false;
    *best = x->now;
    return true;
}

static bool improve_leaf(rule_reducer *x, rule_tree *t, rule_node *n, figures *best)
{
    bool changed = false;
    for (int j = 1; j < n->choices && j <= 2 * OTHERS && x->effort < x->most; j++) {
        int was = n->choice[0];
        n->choice[0] = n->choice[j];
        n->choice[j] = was;
        if (is_gain(x, t, best)) {
            changed = true;
            continue;
        }
        n->choice[j] = n->choice[0];
        n->choice[0] = was;
    }
    return changed;
}

static void copy_test(rule_node *to, const rule_node *from)
{
    to->feature = from->feature;
    to->test = from->test;
    to->threshold = from->threshold;
    to->members = from->members;
    memcpy(to->member, from->member, sizeof to->member);
}

static bool improve_test(rule_reducer *x, rule_tree *t, rule_node *n, const rule_node *tests, int count, figures *best)
{
    bool changed = false;
    for (int j = 0; j < count && x->effort < x->most; j++) {
        rule_node was = *n;
        copy_test(n, &tests[j]);
        if (is_gain(x, t, best))
            changed = true;
        else
            *n = was;
    }
    return changed;
}

/* Siblings with the same decision become one leaf. */
static void merge_leaves(const rule_reducer *x, rule_tree *t)
{
    double *reached = escape_new(x->e, 2 * t->nodes, sizeof *reached);
    for (bool merged = true; merged;) {
        merged = false;
        memset(reached, 0, t->nodes * sizeof *reached);
        mark_reached(t, reached);
        for (size_t i = 0; i < t->nodes; i++) {
            rule_node *n = &t->node[i];
            if (reached[i] < 0 || n->feature < 0) continue;
            const rule_node *yes = &t->node[n->yes], *no = &t->node[n->no];
            if (yes->feature >= 0 || no->feature >= 0 || yes->choice[0] != no->choice[0]) continue;
            n->feature = -1;
            n->choice = yes->choice;
            n->choices = yes->choices;
            t->leaves--;
            merged = true;
        }
    }
    escape_free(x->e, reached);
}

/* A copy of the decisions of a leaf with number `first` at its front. */
static void put_first(const rule_reducer *x, const rule_node *leaf, int first, rule_node *out)
{
    *out = (rule_node){.feature = -1, .places = 1, .choices = leaf->choices};
    out->choice = escape_new(x->e, (size_t)leaf->choices, sizeof *out->choice);
    memcpy(out->choice, leaf->choice, (size_t)leaf->choices * sizeof *out->choice);
    out->choice[0] = leaf->choice[first];
    out->choice[first] = leaf->choice[0];
}

typedef struct split {
    int leaf, test, decision;
    bool yes; /* the new decision is on this side */
} split;

static void set_split(rule_tree *t, const rule_node *tests, split at, rule_node same, rule_node other)
{
    rule_node *n = &t->node[at.leaf];
    copy_test(n, &tests[at.test]);
    n->yes = (int)t->nodes;
    n->no = n->yes + 1;
    t->node[n->yes] = at.yes ? other : same;
    t->node[n->no] = at.yes ? same : other;
}

/* Splits a leaf, the one that gains most; false: none gains. */
static bool split_leaf(rule_reducer *x, rule_tree *t, const rule_node *tests, int count, figures *best)
{
    split found = {.leaf = -1}, at;
    size_t nodes = t->nodes;
    double *reached = escape_new(x->e, 2 * nodes, sizeof *reached);
    while (t->capacity < nodes + 2) escape_grow(x->e, (void **)&t->node, &t->capacity, t->capacity, sizeof *t->node);
    memset(reached, 0, nodes * sizeof *reached);
    mark_reached(t, reached);
    for (at.leaf = 0; at.leaf < (int)nodes; at.leaf++) {
        rule_node was = t->node[at.leaf], same, other;
        if (reached[at.leaf] < 0 || was.feature >= 0) continue;
        put_first(x, &was, 0, &same);
        for (at.decision = 1; at.decision < was.choices && at.decision <= 2 * OTHERS; at.decision++) {
            put_first(x, &was, at.decision, &other);
            for (int side = 0; side < 2 * count && x->effort < x->most; side++) {
                at.test = side / 2;
                at.yes = side % 2;
                set_split(t, tests, at, same, other);
                if (is_gain(x, t, best)) found = at;
            }
            escape_free(x->e, other.choice);
        }
        escape_free(x->e, same.choice);
        t->node[at.leaf] = was;
    }
    escape_free(x->e, reached);
    if (found.leaf < 0) return false;
    rule_node same, other;
    put_first(x, &t->node[found.leaf], 0, &same);
    put_first(x, &t->node[found.leaf], found.decision, &other);
    set_split(t, tests, found, same, other);
    t->nodes += 2;
    t->leaves++;
    return true;
}

/* Changes decisions of leaves and tests of inner nodes while that improves the policy. */
static void improve_nodes(rule_reducer *x, rule_tree *t, const rule_node *tests, int count, figures *best)
{
    double *reached = escape_new(x->e, 2 * t->nodes, sizeof *reached);
    for (bool changed = true; changed && x->effort < x->most;) {
        changed = false;
        memset(reached, 0, t->nodes * sizeof *reached);
        mark_reached(t, reached);
        for (size_t i = 0; i < t->nodes; i++) {
            rule_node *n = &t->node[i];
            if (reached[i] < 0) continue;
            bool better = n->feature < 0 ? improve_leaf(x, t, n, best) : improve_test(x, t, n, tests, count, best);
            changed = changed || better;
        }
    }
    escape_free(x->e, reached);
}

/* Local search from a tree with at most `leaves` leaves; x->now: figures of its policy. */
static void improve(rule_reducer *x, const rule_node *tests, int count, int leaves, rule_tree *t)
{
    x->most = x->effort + EFFORT / 4;
    offer_decisions(x, t);
    judge(x, t);
    figures best = x->now;
    for (bool changed = true; changed && x->effort < x->most;) {
        improve_nodes(x, t, tests, count, &best);
        merge_leaves(x, t);
        changed = false;
        while (t->leaves < leaves && x->effort < x->most && split_leaf(x, t, tests, count, &best)) changed = true;
    }
    judge(x, t);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------- */

/* Classes write one action for all of the same effect; the rules have the one that the tree names. */
static void name_actions(const rule_reducer *x, vouch_policy *p)
{
    for (size_t i = 0; i < p->rule_count; i++) {
        vouch_rule r;
        policy_rule *rule = &p->rules[i];
        vouch_policy_get_rule(p, (int)i, &r);
        tree_place at = place_of_rule(&x->t->f, &r, 0);
        const leaf_decision *d = decide(x, &at);
        rule->do_count = d->actions;
        rule->action = ARENA_NEW(&p->memory, int, d->actions);
        rule->prob = ARENA_NEW(&p->memory, double, d->actions);
        if (p->memory.failed) escape_memory(x->e);
        MEM_COPY(rule->action, d->action, d->actions);
        MEM_COPY(rule->prob, d->probability, d->actions);
    }
}

static void write_policy(rule_reducer *x, rule_tree *t)
{
    const vouch_policy *given = x->t->policy;
    vouch_policy *p = policy_new(x->rows.K);
    if (!p) escape_memory(x->e);
    x->t->smaller = p; /* freed with the tree */
    judge(x, t);
    if (policy_describe(p, &x->rows, given->method ? given->method : "", given->L)) escape_memory(x->e);
    must(x->e, space_write_policy(&x->space, x->prob, x->classes, p));
    if (policy_merge(p, &x->rows)) escape_memory(x->e);
    if (x->classes) name_actions(x, p);
    p->outcome = VOUCH_PLAN_FEASIBLE;
    p->bound = -INFINITY;
}

typedef struct call {
    rule_reducer *x;
    const sample *s;
    int leaves;
} call;

/* The graph of all policies, if it is small. */
static void use_graph(rule_reducer *x)
{
    long long most = (long long)(WHOLE_GRAPH * EFFORT / (8 + x->rows.K));
    know_graph *g;
    vouch_status status = know_graph_new(&x->rows, x->space.g->L, &(know_limits){.nodes = most, .edges = most}, &g, NULL);
    x->guided = status == VOUCH_ERROR_SIZE;
    if (x->guided) {
        x->each = ((double)x->space.g->nodes + x->space.g->edges) * (8 + x->rows.K) * BUILDING;
        return;
    }
    if (status) escape_memory(x->e);
    take_graph(x, g);
}

static void reduce(void *object)
{
    call *c = object;
    rule_reducer *x = c->x;
    must(x->e, space_of_policy(&x->rows, x->t->policy, &x->space, &x->given, x->e->error));
    must(x->e, space_use_given(&x->space));
    x->now.U = escape_new(x->e, 2 * (size_t)x->rows.K, sizeof(double));
    x->now.Pr = x->now.U + x->rows.K;
    x->classes = x->space.c != NULL;
    mem_free(x->given);
    x->given = NULL;
    if (intern_init(&x->seen, (x->rows.K + 63) / 64)) escape_memory(x->e);
    if (x->classes) {
        number_sets(x);
        x->each = ((double)x->space.c->classes + x->space.c->arcs) * (8 + x->rows.K);
    } else {
        use_graph(x);
    }
    rule_tree start[3], best = {0};
    rule_node *tests;
    int count = tree_tests(&x->t->f, c->s, &tests);
    start[0] = copy_tree(&x->t->t, x->e);
    prune(x, c->s, &start[0], c->leaves);
    tree_grow_weighted(&x->t->f, c->s, c->leaves, &start[1]);
    tree_grow_weighted(&x->t->f, c->s, 1, &start[2]);
    figures least = {0};
    for (int i = 0; i < 3; i++) {
        if (i > 0) tree_count(x->t, c->s, &start[i]);
        improve(x, tests, count, c->leaves, &start[i]);
        if (best.nodes > 0 && !is_better(&x->now, &least)) continue;
        best = start[i];
        least = x->now;
    }
    x->t->t = best;
    write_policy(x, &x->t->t);
}

void rules_make_smaller(vouch_decision_tree *t, const sample *s, int leaves)
{
    rule_reducer x = {.t = t, .e = &t->memory};
    must(x.e, model_rescaled(t->model, &(rescale_options){0}, &x.rows) ? error_memory(x.e->error) : VOUCH_OK);
    vouch_status status = escape_try(x.e, reduce, &(call){&x, s, leaves});
    space_free(&x.space);
    intern_free(&x.seen);
    MEM_FREE_ALL(x.given, x.prob);
    model_rescaled_free(&x.rows);
    must(x.e, status);
}
