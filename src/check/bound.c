/* check/bound.c - what multipliers and pairs prove, in doubles that are rounded towards the weaker statement.
 *
 * All that is added up is not negative (rewards are counted from the least of them), so that rounding every operation upwards gives no less than the exact
 * result. A wrong rounding mode would make a proof worthless: check_bound_make tries it.
 */
#include "check/check.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs that are closer than this in one coordinate, relative to 1 or to the largest pay, are made one (outwards): they differ by rounding. */
static const double SAME = 0x1p-50;
/* The area that a group of pairs may lose is sought between that of the set and 2^-(HALVINGS) of it, in PARTS of a power. */
enum { HALVINGS = 64, PARTS = 4, MOST_PAIRS = 1024 };

static void upwards(void)
{
    if (fesetround(FE_UPWARD) != 0) unreadable("this machine does not round upwards");
}

void check_bound_make(check_bound *b, const check_graph *g, int reveal)
{
    size_t cells = (size_t)g->m->K * (size_t)g->m->S * (size_t)g->m->A;
    *b = (check_bound){.g = g};
    check_rung_make(&b->rung, g, reveal);
    b->allowed = zeroed(g->nodes, sizeof *b->allowed);
    b->givable = zeroed(g->nodes, sizeof *b->givable);
    b->pay = zeroed(cells, sizeof *b->pay);
    for (size_t c = 0; c < cells; c++) b->pay[c] = above(g->m->pay[c]);
    b->value = zeroed(b->rung.classes, sizeof *b->value);
    b->loss = zeroed(b->rung.classes, sizeof *b->loss);
    b->least = zeroed(b->rung.classes, sizeof *b->least);
    upwards();
    volatile double one = 1, tiny = 0x1p-80;
    if (!(one + tiny > one)) unreadable("this machine does not round upwards");
    (void)fesetround(FE_TONEAREST);
}

/* What the option of `slot`, action a, is worth at class c; upwards. */
static double slot_value(const check_bound *b, const double weight[], size_t c, size_t slot, int a)
{
    const check_rung *r = &b->rung;
    const check_model *m = b->g->m;
    double sum = 0;
    for (size_t i = r->weight_start[c]; i < r->weight_start[c + 1]; i++) {
        int k = r->env[i];
        if (weight[k] > 0) sum += weight[k] * r->weight_above[i] * b->pay[check_cell(m, k, b->g->node[r->node[c]].s, a)];
    }
    for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) sum += r->factor_above[arc] * b->value[r->arc[arc]];
    return sum;
}

double check_bound_most(check_bound *b, const double weight[], const double price[])
{
    const check_rung *r = &b->rung;
    const check_model *m = b->g->m;
    upwards();
    for (size_t c = r->classes; c-- > 0;) {
        const check_node *n = &b->g->node[r->node[c]];
        double best = -INFINITY;
        if (n->t == m->T) {
            best = 0;
            for (size_t i = r->weight_start[c]; m->phi[n->s] && i < r->weight_start[c + 1]; i++)
                best += price[r->env[i]] * r->weight_above[i];
        } else {
            uint64_t options = n->options, allowed = b->allowed[r->node[c]];
            for (size_t slot = r->slot[c]; options; options &= options - 1, slot++) {
                int a = __builtin_ctzll(options);
                if (allowed >> a & 1) best = fmax(best, slot_value(b, weight, c, slot, a));
            }
        }
        b->value[c] = best;
    }
    double sum = 0;
    for (int c = 0; c < r->roots; c++) sum += b->value[c];
    (void)fesetround(FE_TONEAREST);
    return sum;
}

/* Whoever uses an option somewhere came there by a path of classes, is in each of them with at least the probability of that path, and loses there what its
 * option is short of the value: for any function of the classes that is no less than what each allowed slot makes of it, and value is one. Paths that lose
 * `room` already need not be followed. */
int check_bound_short(check_bound *b, const double weight[], double room, int count, const int node[], const int action[])
{
    const check_rung *r = &b->rung;
    int kept = -1;
    for (size_t c = 0; c < r->classes; c++) b->loss[c] = b->least[c] = INFINITY;
    for (int c = 0; c < r->roots; c++) {
        b->loss[c] = 0;
        b->least[c] = 1;
    }
    for (int i = 0; i < count; i++) b->givable[node[i]] |= UINT64_C(1) << action[i];
    for (size_t c = 0; c < (size_t)r->layer[b->g->m->T]; c++) {
        const check_node *n = &b->g->node[r->node[c]];
        uint64_t options = n->options;
        if (!(b->loss[c] < room) || !(b->value[c] > -INFINITY)) continue;
        for (size_t slot = r->slot[c]; options; options &= options - 1, slot++) {
            int a = __builtin_ctzll(options);
            if (!(b->allowed[r->node[c]] >> a & 1)) continue;
            upwards();
            double worth = slot_value(b, weight, c, slot, a);
            (void)fesetround(FE_DOWNWARD);
            double loss = b->loss[c] + b->least[c] * fmax(0, b->value[c] - worth);
            if (!(loss < room)) continue;
            for (int i = 0; i < count && (b->givable[r->node[c]] >> a & 1) && kept < 0; i++)
                if (node[i] == r->node[c] && action[i] == a) kept = i;
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) {
                int to = r->arc[arc];
                b->loss[to] = fmin(b->loss[to], loss);
                b->least[to] = fmin(b->least[to], b->least[c] * r->factor_below[arc]);
            }
        }
    }
    (void)fesetround(FE_TONEAREST);
    for (int i = 0; i < count; i++) b->givable[node[i]] = 0;
    return kept;
}

/* ---- pairs ----
 *
 * F(c) = union over allowed options of (pay, 0) + sum over arcs of factor * F(child), without pairs (u, q) that another one dominates; at T (0, 1) in Phi and
 * (0, 0) elsewhere. A set of too many pairs is merged: neighbours become (largest u, largest q), which is above both. Sorted by q, descending. */

typedef struct check_pair {
    double u, q;
} check_pair;

typedef struct check_pairs {
    int most;
    double same_u;
    check_pair *set; /* [classes * most] */
    int *count;      /* [classes] -1: not made */
    uint64_t *was;   /* [classes] options allowed when it was made */
    bool *changed, *reached;
    int **of; /* [K] classes of environment k, last first */
    int *many;
    check_pair *rows[2], *scratch[3]; /* [MOST_PAIRS^2], [2 * MOST_PAIRS] */
} check_pairs;

static int unite(const check_pair a[], int na, const check_pair b[], int nb, check_pair out[])
{
    int i = 0, j = 0, n = 0;
    while (i < na || j < nb) {
        bool first = j == nb || (i < na && (a[i].q > b[j].q || (a[i].q == b[j].q && a[i].u >= b[j].u)));
        check_pair x = first ? a[i++] : b[j++];
        if (n == 0 || x.u > out[n - 1].u) out[n++] = x;
    }
    return n;
}

/* Groups of neighbours that lose at most `area` each, counted or (out) merged. */
static int groups(const check_pairs *p, const check_pair x[], int n, double area, check_pair out[])
{
    int made = 0;
    for (int first = 0, i = 1; first < n; first = i++) {
        for (; i < n; i++) {
            double du = x[i].u - x[first].u, dq = x[first].q - x[i].q;
            if (du > p->same_u && dq > SAME && du * dq > area) break;
        }
        if (out) out[made] = (check_pair){x[i - 1].u, x[first].q};
        made++;
    }
    return made;
}

static int thin(const check_pairs *p, check_pair x[], int n)
{
    double area = 0;
    if (n > p->most) {
        double whole = (x[n - 1].u - x[0].u) * (x[0].q - x[n - 1].q);
        int enough = 0, few = HALVINGS * PARTS;
        while (few - enough > 1) {
            int half = (enough + few) / 2;
            if (groups(p, x, n, whole * exp2(-(double)half / PARTS), NULL) <= p->most)
                enough = half;
            else
                few = half;
        }
        area = enough ? whole * exp2(-(double)enough / PARTS) : INFINITY;
    }
    return groups(p, x, n, area, x);
}

/* a + factor * b, merged, into out. */
static int sum(const check_pairs *p, const check_pair a[], int na, const check_pair b[], int nb, double factor, check_pair out[])
{
    bool by_a = na <= nb;
    int rows = by_a ? na : nb, count[MOST_PAIRS];
    size_t width = (size_t)(by_a ? nb : na);
    check_pair *now = p->rows[0], *next = p->rows[1];
    for (int r = 0; r < rows; r++) {
        count[r] = (int)width;
        for (int i = 0; i < (int)width; i++) {
            const check_pair *x = &a[by_a ? r : i], *y = &b[by_a ? i : r];
            now[(size_t)r * width + (size_t)i] = (check_pair){x->u + factor * y->u, x->q + factor * y->q};
        }
    }
    for (; rows > 1; rows = (rows + 1) / 2, width *= 2) {
        for (int i = 0; 2 * i < rows; i++) {
            check_pair *at = now + 2 * (size_t)i * width;
            count[i] = unite(at, count[2 * i], at + width, 2 * i + 1 < rows ? count[2 * i + 1] : 0, next + 2 * (size_t)i * width);
        }
        check_pair *swap = now;
        now = next;
        next = swap;
    }
    int n = thin(p, now, count[0]);
    memcpy(out, now, (size_t)n * sizeof *out);
    return n;
}

static void pairs_make(check_bound *b, int most)
{
    const check_model *m = b->g->m;
    if (!b->pairs) check_rung_make(&b->known, b->g, 0);
    size_t classes = b->known.classes, cells = (size_t)m->K * (size_t)m->S * (size_t)m->A;
    check_pairs *p = b->pairs;
    if (p && p->most == most) return;
    if (!p) {
        p = b->pairs = zeroed(1, sizeof *p);
        p->count = zeroed(classes, sizeof *p->count);
        p->was = zeroed(classes, sizeof *p->was);
        p->changed = zeroed(classes, sizeof *p->changed);
        p->reached = zeroed(classes, sizeof *p->reached);
        p->of = zeroed((size_t)m->K, sizeof *p->of);
        p->many = zeroed((size_t)m->K, sizeof *p->many);
        for (int k = 0; k < m->K; k++) p->of[k] = zeroed(classes, sizeof **p->of);
        for (size_t c = classes; c-- > 0;) {
            int k = b->known.env[b->known.weight_start[c]];
            p->of[k][p->many[k]++] = (int)c;
        }
        for (size_t c = 0; c < cells; c++) p->same_u = fmax(p->same_u, SAME * b->pay[c]);
    }
    free(p->set);
    p->most = most;
    p->set = zeroed(classes * (size_t)most, sizeof *p->set);
    for (size_t c = 0; c < classes; c++) p->count[c] = -1;
    for (int i = 0; i < 3; i++) {
        free(p->scratch[i]);
        p->scratch[i] = zeroed(2 * (size_t)most, sizeof *p->scratch[i]);
    }
    for (int i = 0; i < 2; i++) {
        free(p->rows[i]);
        p->rows[i] = zeroed(2 * (size_t)most * (size_t)most, sizeof *p->rows[i]);
    }
}

/* The set of class c; did it change? */
static bool make_set(const check_bound *b, size_t c)
{
    check_pairs *p = b->pairs;
    const check_rung *r = &b->known;
    const check_node *n = &b->g->node[r->node[c]];
    const check_model *m = b->g->m;
    check_pair *all = p->scratch[0], *one = p->scratch[1], *set = p->set + c * (size_t)p->most;
    int many = 0, k = r->env[r->weight_start[c]];
    uint64_t options = n->options;
    if (n->t == m->T) {
        all[0] = (check_pair){0, m->phi[n->s]};
        many = 1;
        options = 0;
    }
    for (size_t slot = n->t == m->T ? 0 : r->slot[c]; options; options &= options - 1, slot++) {
        int a = __builtin_ctzll(options), count = 1;
        if (!(b->allowed[r->node[c]] >> a & 1)) continue;
        one[0] = (check_pair){b->pay[check_cell(m, k, n->s, a)], 0};
        for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1] && count > 0; arc++) {
            int child = r->arc[arc];
            count = p->count[child] > 0
                        ? sum(p, one, count, p->set + (size_t)child * (size_t)p->most, p->count[child], r->factor_above[arc], one)
                        : 0;
        }
        many = unite(all, many, one, count, p->scratch[2]);
        many = thin(p, p->scratch[2], many);
        memcpy(all, p->scratch[2], (size_t)many * sizeof *all);
    }
    bool same = many == p->count[c] && memcmp(set, all, (size_t)many * sizeof *set) == 0;
    memcpy(set, all, (size_t)many * sizeof *set);
    p->count[c] = many;
    p->was[c] = b->allowed[r->node[c]];
    return !same;
}

static void find_reached(const check_bound *b, int k)
{
    check_pairs *p = b->pairs;
    const check_rung *r = &b->known;
    for (int i = 0; i < p->many[k]; i++) p->reached[p->of[k][i]] = false;
    p->reached[k] = true;
    for (int i = p->many[k]; i-- > 0;) {
        size_t c = (size_t)p->of[k][i];
        const check_node *n = &b->g->node[r->node[c]];
        uint64_t options = p->reached[c] && n->t < b->g->m->T ? n->options : 0;
        for (size_t slot = options ? r->slot[c] : 0; options; options &= options - 1, slot++) {
            if (!(b->allowed[r->node[c]] >> __builtin_ctzll(options) & 1)) continue;
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) p->reached[r->arc[arc]] = true;
        }
    }
}

double check_bound_pairs(check_bound *b, int k, int most, double least)
{
    if (most < 2 || most > MOST_PAIRS) refuted("sets of %d pairs; expected 2 to %d", most, MOST_PAIRS);
    pairs_make(b, most);
    check_pairs *p = b->pairs;
    const check_rung *r = &b->known;
    upwards();
    find_reached(b, k);
    for (int i = 0; i < p->many[k]; i++) {
        size_t c = (size_t)p->of[k][i];
        const check_node *n = &b->g->node[r->node[c]];
        bool old = p->count[c] < 0 || (n->t < b->g->m->T && p->was[c] != b->allowed[r->node[c]]);
        for (size_t arc = n->t < b->g->m->T ? r->arc_start[r->slot[c]] : 0;
             !old && n->t < b->g->m->T && arc < r->arc_start[r->slot[c + 1]]; arc++)
            old = p->changed[r->arc[arc]];
        p->changed[c] = old;
        if (old && p->reached[c])
            p->changed[c] = make_set(b, c);
        else if (old)
            p->count[c] = -1; /* nothing comes here; made when something does */
    }
    double best = -INFINITY;
    for (int i = 0; i < p->count[k] && p->set[(size_t)k * (size_t)p->most + (size_t)i].q >= least; i++)
        best = p->set[(size_t)k * (size_t)p->most + (size_t)i].u;
    (void)fesetround(FE_TONEAREST);
    return best;
}
