/* plan/bnb/node.c - see node.h. */
#include "plan/bnb/node.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/bnb/branching.h"
#include "plan/bnb/debug_policy.h"

/* A policy node disagrees when more than this mass of the mixture is off its heaviest option. */
static const double DISAGREE = 1e-9;
/* What a decision counts, by its mass, where no environment that may get there bears a multiplier: it cannot move the bound. */
static const double UNPRICED = 1e-6;
/* Relative to 1 + value, and at most half of the gap: what policies that are given up may be better than the incumbent. */
static const double GIVEN_UP = 2e-9, GAP_SHARE = 0.5;
/* Columns a node hands to its children: those of the mixture and the newest, in multiples of the master's rows. */
static const int INHERIT = 3;

vouch_status node_solver_init(node_solver *e, colgen *r, incumbent *inc, const search_options *options)
{
    const know_graph *g = r->space->g;
    *e = (node_solver){.r = r, .inc = inc, .options = options};
    e->pick = MEM_NEW(int, g->nodes);
    e->heaviest = MEM_NEW(int, g->nodes);
    e->was = MEM_NEW(unsigned char, g->m->A);
    e->trial = MEM_NEW(double, g->m->A);
    e->chosen = MEM_NEW(double, g->m->A);
    e->price = MEM_NEW(double, g->sets.count);
    e->fixed = MEM_NEW(int, r->space->c->options);
    return e->pick && e->heaviest && e->was && e->trial && e->chosen && e->price && e->fixed ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

void node_solver_clear(node_solver *e)
{
    mem_free(e->pick);
    mem_free(e->heaviest);
    mem_free(e->was);
    mem_free(e->trial);
    mem_free(e->chosen);
    mem_free(e->price);
    mem_free(e->fixed);
}

void node_check(const node_solver *e, double bound) { debug_policy_check(e->options->debug, e->r, bound); }

double node_cutoff(const node_solver *e) { return incumbent_value(e->inc) - e->options->gap; }

void node_restrict(node_solver *e, const tree_node *n)
{
    const know_classes *c = e->r->space->c;
    const know_graph *g = e->r->space->g;
    const frontier *f = e->r->space->f;
    unsigned char *allowed = e->r->allowed;
    memset(allowed, 1, (size_t)c->options);
    for (const tree_node *a = n; a; a = a->parent)
        for (int i = 0; i < a->fixed_count; i++) allowed[a->fixed[i]] = 0;
    for (; n && n->made.node >= 0; n = n->parent) {
        const decision *d = &n->made;
        if (d->option >= 0) {
            unsigned char was = allowed[d->option];
            memset(allowed + g->choice_start[d->node], 0, (size_t)(g->choice_start[d->node + 1] - g->choice_start[d->node]));
            allowed[d->option] = was;
            continue;
        }
        for (int v = f->start[d->node]; v < f->start[d->node] + f->count[d->node]; v++) {
            double x = f->value[(size_t)v * 2 * (size_t)g->K + (size_t)d->coordinate];
            if ((x > d->threshold) != d->above) allowed[g->choices + v] = 0;
        }
    }
}

/* Share of the multipliers that each set of environments bears. */
static void price_sets(node_solver *e)
{
    const know_graph *g = e->r->space->g;
    double all = 0;
    for (int k = 0; k < g->K; k++) all += e->r->weight[k] + e->r->mu[k];
    for (int s = 0; s < g->sets.count; s++) {
        double sum = 0;
        for (int i = g->member_start[s]; i < g->member_start[s + 1]; i++)
            sum += e->r->weight[g->member[i]] + e->r->mu[g->member[i]];
        e->price[s] = all > 0 ? UNPRICED + sum / all : 1;
    }
}

/* From the mixture's mass: the heaviest option of each policy node, and the node that disagrees most (-1: none). */
static int find_disagreement(node_solver *e)
{
    const know_graph *g = e->r->space->g;
    const frontier *f = e->r->space->f;
    colgen *r = e->r;
    colgen_mass(r);
    int worst = -1;
    double most = 0;
    price_sets(e);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], last = g->choice_start[n + 1];
        if (f && n < g->time_start[g->L + 1] && f->count[n] >= 0) {
            first = g->choices + f->start[n];
            last = first + f->count[n];
        }
        double sum = 0, top = 0;
        int heaviest = -1;
        for (int o = first; o < last; o++) {
            sum += r->mass[o];
            if (r->mass[o] > top) {
                top = r->mass[o];
                heaviest = o;
            }
        }
        e->heaviest[n] = heaviest;
        double off = (sum - top) * e->price[g->set[n]];
        if (sum - top > DISAGREE && off > most) {
            most = off;
            worst = n;
        }
    }
    return worst;
}

/* Rounds the mixture to one choice a node and offers it. */
static void round_mixture(node_solver *e, int passes)
{
    const know_graph *g = e->r->space->g;
    for (int n = 0; n < g->nodes; n++) e->pick[n] = e->inc->found ? e->inc->best[n] : -1;
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) { /* nodes above a frontier come later: their choice stands */
        int o = e->heaviest[n];
        if (o < 0) continue;
        if (o >= g->choices)
            frontier_apply(e->r->space->f, g, o - g->choices, e->pick);
        else
            e->pick[n] = o;
    }
    incumbent_offer(e->inc, e->pick, passes);
}

/* A coordinate's spread must be greater by this share to be preferred to an earlier one. */
static const double WIDER = 1e-9;

/* How the mixture's vectors at a policy node lie in one coordinate. */
typedef struct spread {
    double least, most, mean, variance; /* mean and variance by mass */
} spread;

static spread spread_of(const node_solver *e, int node, int coordinate)
{
    const know_graph *g = e->r->space->g;
    const frontier *f = e->r->space->f;
    const double *x = f->value + coordinate, *mass = e->r->mass + g->choices;
    size_t dim = 2 * (size_t)g->K;
    spread s = {.least = INFINITY, .most = -INFINITY};
    double sum = 0;
    for (int v = f->start[node]; v < f->start[node] + f->count[node]; v++) {
        if (mass[v] <= 0) continue;
        s.least = fmin(s.least, x[(size_t)v * dim]);
        s.most = fmax(s.most, x[(size_t)v * dim]);
        s.mean += mass[v] * x[(size_t)v * dim];
        sum += mass[v];
    }
    s.mean /= sum;
    for (int v = f->start[node]; v < f->start[node] + f->count[node]; v++) {
        double off = x[(size_t)v * dim] - s.mean;
        if (mass[v] > 0) s.variance += mass[v] / sum * off * off;
    }
    if (!(s.mean < s.most)) s.mean = s.least; /* rounding: both parts must have a vector of the mixture */
    s.mean = fmax(s.mean, s.least);
    return s;
}

/* Splits the frontier of `node` where the mixture's vectors spread most (mass-weighted variance), at their mean. */
static void split_frontier(const node_solver *e, const tree_node *n, int node, node_result *o)
{
    const know_graph *g = e->r->space->g;
    const frontier *f = e->r->space->f;
    int dim = 2 * g->K, best = -1;
    double best_variance = 0, threshold = 0;
    for (int i = 0; i < dim; i++) {
        spread s = spread_of(e, node, i);
        if (!(s.most > s.least) || (best >= 0 && !(s.variance > best_variance * (1 + WIDER)))) continue;
        best_variance = s.variance;
        best = i;
        threshold = s.mean;
    }
    if (best < 0) { /* all the same: nothing to decide, and nothing is lost */
        o->cut = fmin(o->cut, n->bound);
        return;
    }
    int heavy = e->heaviest[node];
    bool heavy_above = f->value[(size_t)(heavy - g->choices) * (size_t)dim + (size_t)best] > threshold;
    decision d = {.node = node, .option = -1, .coordinate = best, .threshold = threshold};
    d.above = !heavy_above;
    o->made[o->children++] = (child){d, n->bound};
    d.above = heavy_above;
    o->promising = o->children;
    o->made[o->children++] = (child){d, n->bound};
}

/* A node where the mixture is one policy, up to DISAGREE, and that policy is not as good as the bound: rounding, or probabilities so small that
 * they matter only together, or a policy short of the commitment by less than the relaxation sees. So what is still open is decided: the node
 * that disagrees most, however little, or the heaviest one that may do more than one thing. -1: none, the policy is the only one left. */
static int find_open(const node_solver *e)
{
    const know_graph *g = e->r->space->g;
    const frontier *f = e->r->space->f;
    const colgen *r = e->r;
    int worst = -1;
    double most = 0, most_off = 0;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        bool vectors = f && n < g->time_start[g->L + 1] && f->count[n] >= 0;
        int first = vectors ? g->choices + f->start[n] : g->choice_start[n],
            last = vectors ? first + f->count[n] : g->choice_start[n + 1];
        double sum = 0, top = 0;
        int ways = 0;
        for (int o = first; o < last; o++) {
            ways += r->allowed[o] && (vectors || g->choice_twin[o] == o);
            sum += r->mass[o];
            top = fmax(top, r->mass[o]);
        }
        double off = sum - top;
        if (sum <= 0 || ways < 2 || off < most_off || (off == most_off && sum <= most)) continue;
        worst = n;
        most = sum;
        most_off = off;
    }
    return worst;
}

/* Splits the vectors still allowed at `node` in the middle of the coordinate in which they differ most. */
static void halve_frontier(const node_solver *e, const tree_node *n, int node, node_result *o)
{
    const know_graph *g = e->r->space->g;
    const frontier *f = e->r->space->f;
    int dim = 2 * g->K, best = -1;
    double width = 0, threshold = 0;
    for (int i = 0; i < dim; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int v = f->start[node]; v < f->start[node] + f->count[node]; v++) {
            if (!e->r->allowed[g->choices + v]) continue;
            low = fmin(low, f->value[(size_t)v * (size_t)dim + (size_t)i]);
            high = fmax(high, f->value[(size_t)v * (size_t)dim + (size_t)i]);
        }
        if (high - low <= width) continue;
        width = high - low;
        best = i;
        threshold = low + 0.5 * width < high ? low + 0.5 * width : low;
    }
    for (int above = 0; above < 2 && best >= 0; above++)
        o->made[o->children++] =
            (child){{.node = node, .option = -1, .coordinate = best, .threshold = threshold, .above = above == 1}, n->bound};
    o->promising = best >= 0 ? o->children - 1 : -1;
}

/* One child an action at policy node n, each with the Lagrangian bound of one probing induction; those at the cutoff are not
 * made. The most promising is taken next. (Choosing n by the gain of such probes instead of by mass was tried and makes much
 * larger trees: small gains at late nodes win over the early decisions that matter.) */
static void branch(node_solver *e, const tree_node *n, int node, node_result *o)
{
    const know_graph *g = e->r->space->g;
    unsigned char *allowed = e->r->allowed;
    int first = g->choice_start[node], count = g->choice_start[node + 1] - first, time = know_time(g, node);
    double limit = node_cutoff(e);
    memcpy(e->was, allowed + first, (size_t)count);
    memset(allowed + first, 0, (size_t)count);
    for (int i = 0; i < count; i++) {
        if (!e->was[i] || g->choice_twin[first + i] != first + i) continue;
        double bound = n->bound;
        if (!(e->options->without & VOUCH_WITHOUT_PROBING)) {
            allowed[first + i] = 1;
            bound = fmax(bound, colgen_probe(e->r, time));
            node_check(e, bound);
            allowed[first + i] = 0;
        }
        if (bound >= limit) {
            o->cut = fmin(o->cut, bound);
            continue;
        }
        bool best = o->promising < 0 || bound < o->made[o->promising].bound ||
                    (bound == o->made[o->promising].bound && first + i == e->heaviest[node]);
        if (best) o->promising = o->children;
        o->made[o->children++] = (child){{.node = node, .option = first + i}, bound};
    }
}

/* Keeps for the children the columns of the mixture and the newest ones, and the multipliers. */
static vouch_status bequeath(node_solver *e, tree_node *n)
{
    colgen *r = e->r;
    int K = r->space->K, most = INHERIT * (2 * K + 1);
    bool keep = !(e->options->without & VOUCH_WITHOUT_INHERITANCE);
    n->columns = MEM_NEW(column *, r->count);
    n->multipliers = MEM_NEW(double, 3 * K);
    if (!n->columns || !n->multipliers) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < r->count; i++)
        if (keep && (r->alpha[i] > 0 || i >= r->count - most)) {
            atomic_fetch_add(&r->columns[i]->refs, 1);
            n->columns[n->count++] = r->columns[i];
        }
    memcpy(n->multipliers, r->lambda, 3 * (size_t)K * sizeof(double)); /* with nu and mu */
    return VOUCH_OK;
}

/* Takes options away that nothing better than the incumbent uses. */
static vouch_status fix(node_solver *e, tree_node *n, node_result *o)
{
    /* nothing below the incumbent itself is given up, or the proved bound would be short of it by the gap */
    double value = incumbent_value(e->inc), cutoff = value - fmin(GIVEN_UP * (1 + fabs(value)), GAP_SHARE * e->options->gap);
    bool held = debug_policy_holds(e->options->debug, e->r, cutoff);
    int count = colgen_fix(e->r, cutoff, e->fixed);
    (void)held;
    assert(!held || debug_policy_holds(e->options->debug, e->r, cutoff));
    if (count == 0) return VOUCH_OK;
    n->fixed = MEM_NEW(int, count);
    if (!n->fixed) return VOUCH_ERROR_MEMORY;
    MEM_COPY(n->fixed, e->fixed, count);
    n->fixed_count = count;
    o->cut = fmin(o->cut, cutoff);
    return VOUCH_OK;
}

/* Cut off by its bound, or given up with it. */
static void cut_off(node_result *o, const tree_node *n, vouch_node_end end)
{
    o->cut = fmin(o->cut, n->bound);
    o->end = end;
}

void node_process(node_solver *e, tree_node *n, rng *random, node_result *o)
{
    colgen *r = e->r;
    const search_options *options = e->options;
    int K = r->space->K;
    *o = (node_result){.end = VOUCH_NODE_BOUND, .cut = INFINITY, .made = o->made, .promising = -1};
    node_restrict(e, n);
    if (n->parent) {
        memcpy(r->lambda, n->parent->multipliers, 3 * (size_t)K * sizeof(double));
    }
    o->status = colgen_start(r, n->parent ? n->parent->columns : NULL, n->parent ? n->parent->count : 0);
    double patience = options->patience;
    while (!o->status) {
        colgen_end end;
        o->status = colgen_solve(r, node_cutoff(e), patience, &options->limit, &end);
        if (o->status) return;
        n->bound = fmax(n->bound, r->bound);
        node_check(e, end == COLGEN_INFEASIBLE ? INFINITY : n->bound);
        if (end == COLGEN_LIMIT) {
            o->limit = true;
            o->end = VOUCH_NODE_LIMIT;
            return;
        }
        if (end == COLGEN_INFEASIBLE) {
            o->end = VOUCH_NODE_INFEASIBLE;
            return;
        }
        if (end == COLGEN_CUT) {
            cut_off(o, n, VOUCH_NODE_BOUND);
            return;
        }
        int node = find_disagreement(e);
        bool slices = !(options->without & VOUCH_WITHOUT_SLICES);
        round_mixture(e, !slices ? 0 : n->parent ? 2 : 20);
        if (random && options->perturbations > 0 && slices && e->inc->found && incumbent_value(e->inc) - n->bound > options->gap)
            incumbent_perturb(e->inc, random, options->perturbations, 3, 10);
        if (n->bound >= node_cutoff(e)) {
            cut_off(o, n, VOUCH_NODE_BOUND);
            return;
        }
        if (node >= 0) {
            o->end = VOUCH_NODE_BRANCHED;
            o->status = bequeath(e, n);
            if (!o->status && !(options->without & VOUCH_WITHOUT_FIXING)) o->status = fix(e, n, o);
            if (o->status) return;
            if (e->strong && branching_strong(e, n, o)) return;
            if (e->heaviest[node] >= r->space->g->choices)
                split_frontier(e, n, node, o);
            else
                branch(e, n, node, o);
            return;
        }
        if (patience == 0 || end == COLGEN_SOLVED) { /* the mixture is one policy */
            if (e->heaviest[0] < 0) {                /* there is no mixture: numerics */
                cut_off(o, n, VOUCH_NODE_INTEGER);
                return;
            }
            node = find_open(e);
            if (node < 0) { /* and the only one left, whose exact value is known once it is offered */
                round_mixture(e, 0);
                o->end = VOUCH_NODE_INTEGER;
                return;
            }
            o->end = VOUCH_NODE_BRANCHED;
            o->status = bequeath(e, n);
            if (o->status) return;
            if (e->heaviest[node] >= r->space->g->choices)
                halve_frontier(e, n, node, o);
            else
                branch(e, n, node, o);
            return;
        }
        patience = 0; /* stopped early without disagreement: finish the bound */
    }
}
