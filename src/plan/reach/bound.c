/* plan/reach/bound.c - see reach.h. Cost: an evaluation is one pass over the edges in every environment. */

#include "base/memory.h"
#include "plan/reach/reach.h"

/* Squared lengths of a step in lambda and mu, relative to W. */
static const double STEP_LAMBDA = 3, STEP_MU = 1000;
/* Deflection, and the factor of the target's distance after a stall; least rise and distance. */
static const double DEFLECT = 1.5, LESS = 0.6, WORTH = 0.3, LEAST = 1e-3;
/* Weight of the last maximiser in the mean of all. */
static const double RECENT = 0.05;
/* Nodes reached with less than this have no potential. */
static const double NEVER = 1e-9;
/* Advantages of less are rounding. */
static const double EQUAL = 1e-12;
/* Limits are tested after as many passes. */
enum { PASSES_AT_ONCE = 16 };

static void read_edges(reach_model *r, const know_graph *g)
{
    for (int c = 0; c < g->choices; c++) {
        int first = g->edge_start[c], last = g->edge_start[c + 1];
        r->straight[c] = 1;
        for (int i = first; i < last; i++) {
            int child = g->edge_child[i];
            if (child != g->edge_child[first] + i - first) r->straight[c] = 0;
            for (int e = 0; e < r->E; e++)
                r->prob[(size_t)e * (size_t)r->edges + (size_t)i] =
                    know_in_set(g, g->set[child], e * r->J) ? g->successor_prob[g->edge_row[i] * g->K + e * r->J] : 0;
        }
    }
}

/* Advantages over the reference, its regrets and missing promises. */
static vouch_status read_reference(reach_model *r, const know_graph *g, const int reference[])
{
    const policy_space *space = r->space;
    int K = g->K;
    double *prob = MEM_NEW(double, g->choices), *to_go = MEM_NEW(double, 2 * (size_t)g->nodes * (size_t)K),
           *worth = MEM_NEW(double, 2 * K);
    vouch_status status = prob && to_go && worth ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    if (!status) {
        double *gain = to_go, *keep = to_go + (size_t)g->nodes * (size_t)K;
        propagate_pick(g, reference, prob);
        propagate_backward(g, prob, gain, keep);
        for (int n = 0; n < g->time_start[g->T]; n++)
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                propagate_worths(g, c, g->set[n], gain, keep, worth);
                for (int i = 0; i < know_set_size(g, g->set[n]); i++) {
                    int k = g->member[g->member_start[g->set[n]] + i];
                    size_t at = (size_t)n * (size_t)K + (size_t)k;
                    r->keep[(size_t)k * (size_t)g->choices + (size_t)c] = worth[K + k] - keep[at];
                    if (k % r->J == 0) r->gain[(size_t)(k / r->J) * (size_t)g->choices + (size_t)c] = worth[k] - gain[at];
                }
            }
        for (int n = 0; n < g->nodes; n++)
            for (int k = 0; k < K; k++) {
                r->kept[(size_t)k * (size_t)g->nodes + (size_t)n] = keep[(size_t)n * (size_t)K + (size_t)k];
                r->to_go[(size_t)(k / r->J) * (size_t)g->nodes + (size_t)n] = gain[(size_t)n * (size_t)K + (size_t)k];
            }
        for (int e = 0; e < r->E; e++) {
            r->regret[e] = space->optimal[e * r->J] - gain[e * r->J];
            for (int c = 0; c < g->choices; c++)
                r->regretful[e] |= fabs(r->gain[(size_t)e * (size_t)g->choices + (size_t)c]) > EQUAL;
            r->regretfuls += r->regretful[e];
        }
        if (r->regretfuls == 0) memset(r->regretful, 1, (size_t)(r->regretfuls = r->E));
        for (int k = 0; k < K; k++) r->lack[k] = space->accepted[k] - keep[k];
        for (int a = K; a < r->P; a++) r->lack[a] = space->accepted[a] - average_mean(&space->averages, a - K, K, keep);
    }
    mem_free(prob);
    mem_free(to_go);
    mem_free(worth);
    return status;
}

vouch_status reach_model_make(const policy_space *space, const int reference[], reach_model *r)
{
    const know_graph *g = space->g;
    *r = (reach_model){.space = space, .J = space->m->group, .P = space->promises, .nodes = g->nodes, .edges = g->edges};
    arena *a = &r->memory;
    r->E = g->K / r->J;
    size_t E = (size_t)r->E;
    r->prob = ARENA_NEW(a, double, E *(size_t)g->edges);
    if (reference) {
        r->gain = ARENA_ZERO(a, double, E *(size_t)g->choices);
        r->keep = ARENA_ZERO(a, double, (size_t)g->K *(size_t)g->choices);
        r->to_go = ARENA_NEW(a, double, E *(size_t)g->nodes);
        r->kept = ARENA_NEW(a, double, (size_t)g->K *(size_t)g->nodes);
    }
    r->regret = ARENA_NEW(a, double, r->E);
    r->lack = ARENA_NEW(a, double, r->P);
    r->share = space->share ? ARENA_ZERO(a, double, r->E) : NULL;
    r->straight = ARENA_NEW(a, unsigned char, g->choices);
    r->promised = ARENA_NEW(a, unsigned char, r->P);
    r->regretful = ARENA_ZERO(a, unsigned char, r->E);
    r->parent_start = ARENA_ZERO(a, int, g->nodes + 1);
    r->parent = ARENA_NEW(a, int, g->edges);
    r->parent_edge = ARENA_NEW(a, int, g->edges);
    vouch_status status = a->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    if (!status) {
        for (int k = 0; k < g->K && r->share; k++) r->share[k / r->J] += space->share[k];
        for (int k = 0; k < r->P; k++) r->promised[k] = space->accepted[k] > 0;
        for (int i = 0; i < g->edges; i++) r->parent_start[g->edge_child[i] + 1]++;
        for (int n = 0; n < g->nodes; n++) r->parent_start[n + 1] += r->parent_start[n];
        for (int n = 0; n < g->time_start[g->T]; n++)
            for (int i = g->edge_start[g->choice_start[n]]; i < g->edge_start[g->choice_start[n + 1]]; i++) {
                int at = r->parent_start[g->edge_child[i]]++;
                r->parent[at] = n;
                r->parent_edge[at] = i;
            }
        for (int n = g->nodes; n > 0; n--) r->parent_start[n] = r->parent_start[n - 1];
        r->parent_start[0] = 0;
        read_edges(r, g);
        if (reference) status = read_reference(r, g, reference);
    }
    if (status) arena_free(&r->memory);
    return status;
}

static size_t point_size(const reach_model *r) { return (size_t)r->E * (size_t)r->nodes + (size_t)r->E + (size_t)r->P; }

static reach_point new_point(const reach_model *r, arena *a)
{
    double *W = ARENA_ZERO(a, double, point_size(r)), *lambda = W ? W + (size_t)r->E * (size_t)r->nodes : NULL;
    return (reach_point){W, lambda, W ? lambda + r->E : NULL};
}

void reach_set_make(const reach_model *r, reach_set *x, arena *a)
{
    size_t all = (size_t)r->E * (size_t)r->nodes;
    x->allowed = ARENA_NEW(a, unsigned char, r->space->g->choices);
    x->lo = ARENA_NEW(a, double, all);
    x->hi = ARENA_NEW(a, double, all);
    x->at = new_point(r, a);
    x->often = ARENA_NEW(a, double, r->space->g->choices);
}

void reach_set_all(const reach_model *r, reach_set *x, bool regrets)
{
    const know_graph *g = r->space->g;
    int promised = 0;
    for (int c = 0; c < g->choices; c++) {
        x->allowed[c] = g->choice_twin[c] == c;
        x->often[c] = 0;
    }
    for (int e = 0; e < r->E; e++) {
        for (int n = 0; n < g->nodes; n++) {
            size_t i = (size_t)e * (size_t)g->nodes + (size_t)n;
            x->lo[i] = x->at.W[i] = 0;
            x->hi[i] = know_in_set(g, g->set[n], e * r->J);
        }
        x->at.lambda[e] = !regrets ? 0 : r->share ? r->share[e] : r->regretful[e] / fmax(1, r->regretfuls);
    }
    for (int k = 0; k < r->P; k++) promised += r->promised[k];
    for (int k = 0; k < r->P; k++) x->at.mu[k] = !regrets && r->promised[k] ? 1.0 / promised : 0;
    x->bound = -INFINITY;
}

void reach_set_copy(const reach_model *r, reach_set *to, const reach_set *from)
{
    size_t all = (size_t)r->E * (size_t)r->nodes;
    MEM_COPY(to->allowed, from->allowed, r->space->g->choices);
    MEM_COPY(to->often, from->often, r->space->g->choices);
    MEM_COPY(to->lo, from->lo, all);
    MEM_COPY(to->hi, from->hi, all);
    MEM_COPY(to->at.W, from->at.W, point_size(r));
    to->bound = from->bound;
}

void reach_bound_make(const reach_model *r, reach_bound *b)
{
    *b = (reach_bound){0};
    arena *a = &b->memory;
    b->A = ARENA_NEW(a, double, (size_t)r->E *(size_t)r->space->g->choices);
    b->price = ARENA_NEW(a, double, r->space->K);
    b->at = new_point(r, a);
    b->gradient = new_point(r, a);
    b->direction = new_point(r, a);
    b->scale = new_point(r, a);
    b->scratch = ARENA_NEW(a, double, r->E + r->P);
    b->top = ARENA_NEW(a, double, r->nodes);
    b->best = ARENA_NEW(a, int, r->nodes);
}

/* ---- one evaluation ---- */

static double product(const double *p, const double *w, int n)
{
    double sum[8] = {0};
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int j = 0; j < 8; j++) sum[j] += p[i + j] * w[i + j];
    for (; i < n; i++) sum[i % 8] += p[i] * w[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* What W adds at the children of choice c in one environment: p [edges], w [nodes]. */
static double below(const reach_model *r, int c, const double *p, const double *w)
{
    const know_graph *g = r->space->g;
    int first = g->edge_start[c], last = g->edge_start[c + 1];
    if (first == last) return 0;
    if (r->straight[c]) return product(p + first, w + g->edge_child[first], last - first);
    double sum = 0;
    for (int i = first; i < last; i++) sum += p[i] * w[g->edge_child[i]];
    return sum;
}

static double term(double a, double lo, double hi) { return a * (a > 0 ? hi : lo); }

/* A of the choices of environment e at these multipliers. */
static void find_advantages(const reach_model *r, reach_bound *b, const unsigned char allowed[], const reach_point *at, int e)
{
    const know_graph *g = r->space->g;
    const double *p = r->prob + (size_t)e * (size_t)r->edges, *w = at->W + (size_t)e * (size_t)r->nodes,
                 *gain = r->gain + (size_t)e * (size_t)g->choices;
    double *A = b->A + (size_t)e * (size_t)g->choices;
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (!allowed[c]) continue;
            A[c] = at->lambda[e] * gain[c] - w[n];
            if (n < g->time_start[g->T - 1]) A[c] += below(r, c, p, w); /* W is 0 at T */
            for (int k = e * r->J; k < (e + 1) * r->J; k++)
                if (b->price[k] > 0) A[c] += b->price[k] * r->keep[(size_t)k * (size_t)g->choices + (size_t)c];
        }
}

static double evaluate(const reach_model *r, reach_bound *b, const reach_set *x, const reach_point *at)
{
    const know_graph *g = r->space->g;
    int K = r->space->K;
    size_t N = (size_t)r->nodes, C = (size_t)g->choices;
    double bound = 0;
    for (int k = 0; k < K; k++) b->price[k] = at->mu[k];
    for (int a = K; a < r->P; a++)
        if (at->mu[a] > 0) average_spread(&r->space->averages, a - K, K, at->mu[a], b->price);
    for (int k = 0; k < r->P; k++) bound += at->mu[k] * r->lack[k];
    for (int e = 0; e < r->E; e++) {
        bound += at->lambda[e] * r->regret[e] - at->W[(size_t)e * N];
        find_advantages(r, b, x->allowed, at, e);
    }
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double top = -INFINITY;
        b->best[n] = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (!x->allowed[c]) continue;
            double sum = 0;
            for (int e = 0; e < r->E; e++)
                sum += term(b->A[(size_t)e * C + (size_t)c], x->lo[(size_t)e * N + (size_t)n], x->hi[(size_t)e * N + (size_t)n]);
            if (sum <= top) continue;
            top = sum;
            b->best[n] = c;
        }
        b->top[n] = top;
        bound -= top;
    }
    b->work += (long long)r->E * (g->edges + 4 * (long long)g->choices);
    return bound;
}

double reach_value(const reach_model *r, reach_bound *b, const reach_set *x) { return evaluate(r, b, x, &x->at); }

/* Terms of a sum are at most hi times a few of the largest numbers, and each is rounded as often as it has children. */
double reach_doubt(const reach_model *r, const reach_set *x)
{
    double largest = 1, sum = 0;
    for (int k = 0; k < r->P; k++) largest += x->at.mu[k];
    for (size_t i = 0; i < (size_t)r->E * (size_t)r->nodes; i++) {
        largest = fmax(largest, fabs(x->at.W[i]));
        sum += x->hi[i];
    }
    return r->space->rounding + 64 * DBL_EPSILON * (1 + sum) * largest;
}

/* Adds the mass that environment e brings to n under choice c to the supergradient. */
static void flow(const reach_model *r, reach_bound *b, int e, int n, int c, double mass)
{
    const know_graph *g = r->space->g;
    int K = r->space->K, J = r->J;
    size_t C = (size_t)g->choices;
    const double *p = r->prob + (size_t)e * (size_t)r->edges;
    double *w = b->gradient.W + (size_t)e * (size_t)r->nodes;
    b->gradient.lambda[e] -= mass * r->gain[(size_t)e * C + (size_t)c];
    for (int k = e * J; k < (e + 1) * J; k++) {
        double kept = mass * r->keep[(size_t)k * C + (size_t)c];
        b->gradient.mu[k] -= kept;
        for (int a = K; a < r->P; a++)
            b->gradient.mu[a] -= kept * r->space->averages.weight[(size_t)(a - K) * (size_t)K + (size_t)k];
    }
    w[n] += mass;
    if (n >= g->time_start[g->T - 1]) return;
    if (r->straight[c]) {
        int first = g->edge_start[c], count = g->edge_start[c + 1] - first;
        double *to = w + g->edge_child[first];
        for (int i = 0; i < count; i++) to[i] -= mass * p[first + i];
        return;
    }
    for (int i = g->edge_start[c]; i < g->edge_start[c + 1]; i++) w[g->edge_child[i]] -= mass * p[i];
}

/* After an evaluation at W. Nodes at T have no W. */
static void find_gradient(const reach_model *r, reach_bound *b, const reach_set *x)
{
    const know_graph *g = r->space->g;
    size_t N = (size_t)r->nodes, C = (size_t)g->choices;
    memset(b->gradient.W, 0, (size_t)r->E * N * sizeof *b->gradient.W);
    MEM_COPY(b->gradient.lambda, r->regret, r->E);
    MEM_COPY(b->gradient.mu, r->lack, r->P);
    for (int e = 0; e < r->E; e++) {
        b->gradient.W[(size_t)e * N] -= 1;
        for (int n = 0; n < g->time_start[g->T]; n++) {
            if (b->best[n] < 0) continue;
            double a = b->A[(size_t)e * C + (size_t)b->best[n]];
            double mass = (a > 0 ? x->hi : x->lo)[(size_t)e * N + (size_t)n];
            if (mass > 0) flow(r, b, e, n, b->best[n], mass);
        }
    }
    b->work += (long long)r->E * g->edges / 2;
}

/* ---- the ascent ---- */

/* The nearest point >= 0 of sum 1; sorted: scratch [n]. Entries that may not be positive have mask 0. */
static void to_simplex(double v[], const unsigned char *mask, double sorted[], int n)
{
    double sum = 0, less = 0;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            int at = count++;
            for (; at > 0 && sorted[at - 1] < v[i]; at--) sorted[at] = sorted[at - 1];
            sorted[at] = v[i];
        }
    for (int i = 0; i < count; i++) {
        sum += sorted[i];
        if (sorted[i] > (sum - 1) / (i + 1)) less = (sum - 1) / (i + 1);
    }
    for (int i = 0; i < n; i++) v[i] = !mask[i] || v[i] <= less ? 0 : v[i] - less;
}

/* Makes a gradient one along the points allowed. */
static void centre(double v[], const unsigned char *mask, int n)
{
    double mean = 0;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (mask[i]) mean += v[i], count++;
    for (int i = 0; i < n; i++) v[i] = !mask[i] ? 0 : v[i] - mean / count;
}

/* u * v, by the lengths of steps: scale [n]. */
static double scaled(const double *u, const double *v, const double *scale, size_t n)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t j = 0; j < 4; j++) sum[j] += u[i + j] * v[i + j] * scale[i + j];
    for (; i < n; i++) sum[0] += u[i] * v[i] * scale[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The direction: the supergradient, turned away from the last direction where they oppose each other. Its squared length. */
static double deflect(const reach_model *r, reach_bound *b, bool again)
{
    size_t all = point_size(r);
    double turn = 0;
    if (again) {
        double along = scaled(b->gradient.W, b->direction.W, b->scale.W, all);
        double length = scaled(b->direction.W, b->direction.W, b->scale.W, all);
        if (length > 0) turn = fmax(0, -DEFLECT * along / length);
    }
    if (turn > 0)
        for (size_t i = 0; i < all; i++) b->direction.W[i] = b->gradient.W[i] + turn * b->direction.W[i];
    else
        memcpy(b->direction.W, b->gradient.W, all * sizeof *b->direction.W);
    return scaled(b->direction.W, b->direction.W, b->scale.W, all);
}

static void step(const reach_model *r, reach_bound *b, double length, bool regrets)
{
    double *at = b->at.W;
    for (size_t i = 0; i < point_size(r); i++) at[i] += length * b->scale.W[i] * b->direction.W[i];
    if (regrets && !r->share) to_simplex(b->at.lambda, r->regretful, b->scratch, r->E);
    if (!regrets) to_simplex(b->at.mu, r->promised, b->scratch, r->P);
    for (int k = 0; k < r->P && regrets; k++) b->at.mu[k] = b->at.mu[k] > 0 ? b->at.mu[k] : 0;
}

void reach_raise(const reach_model *r, reach_bound *b, const reach_ascent *how, reach_set *x)
{
    double rise = how->rise, best = -INFINITY;
    size_t all = point_size(r);
    int since = 0;
    bool again = false;
    for (size_t i = 0; i < (size_t)r->E * (size_t)r->nodes; i++) b->scale.W[i] = x->hi[i] > NEVER ? 1 / x->hi[i] : 0;
    for (int e = 0; e < r->E; e++) b->scale.lambda[e] = STEP_LAMBDA;
    for (int k = 0; k < r->P; k++) b->scale.mu[k] = how->regrets ? STEP_MU : STEP_LAMBDA;
    MEM_COPY(b->at.W, x->at.W, all);
    for (int i = 0; i < how->passes; i++) {
        double value = evaluate(r, b, x, &b->at);
        const know_graph *g = r->space->g;
        for (int c = 0; c < g->choices; c++) x->often[c] *= 1 - RECENT;
        for (int n = 0; n < g->time_start[g->T]; n++)
            if (b->best[n] >= 0) x->often[b->best[n]] += RECENT;
        if (value > best + 1e-12) {
            if (value > best + WORTH * rise) since = 0;
            best = value;
            MEM_COPY(x->at.W, b->at.W, all);
        }
        if (best >= how->enough || (i % PASSES_AT_ONCE == PASSES_AT_ONCE - 1 && deadline_expired(how->limit))) break;
        if (++since > how->patience) {
            rise *= LESS;
            since = 0;
            again = false;
            MEM_COPY(b->at.W, x->at.W, all);
            if (rise < LEAST * (how->enough - best)) break;
            continue;
        }
        find_gradient(r, b, x);
        if (how->regrets && !r->share)
            centre(b->gradient.lambda, r->regretful, r->E);
        else
            memset(b->gradient.lambda, 0, (size_t)r->E * sizeof *b->gradient.lambda);
        if (!how->regrets) centre(b->gradient.mu, r->promised, r->P);
        for (int k = 0; k < r->P && how->regrets; k++)
            if (!r->promised[k] || (b->at.mu[k] <= 0 && b->gradient.mu[k] < 0)) b->gradient.mu[k] = 0;
        double length = deflect(r, b, again);
        again = true;
        step(r, b, (rise + best - value) / fmax(length, 1e-15), how->regrets);
    }
    x->bound = fmax(x->bound, best - reach_doubt(r, x));
}
