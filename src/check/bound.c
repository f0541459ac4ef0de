/* check/bound.c - what multipliers, paths and pairs prove.
 *
 * All that is added up is not negative (rewards are counted from the least of them), so that rounding every operation upwards gives no less than the exact
 * result. Paths and pairs are always computed in doubles; under --exact multipliers are not.
 */
#include "check/check.h"

/* Pairs that are closer than this in one coordinate, relative to 1 or to the largest pay, are made one (outwards): they differ by rounding. */
static const double SAME = 0x1p-50;
/* The area that a group of pairs may lose is sought between that of the set and 2^-(HALVINGS) of it, in PARTS of a power. */
enum { HALVINGS = 64, PARTS = 4, MOST_PAIRS = 512 };

void bound_make(bound *b, node_graph *g, int reveal, bool boxes)
{
    size_t cells = (size_t)g->m->K * (size_t)g->m->S * (size_t)g->m->A;
    *b = (bound){.g = g, .scaled = numbers_new(cells + 1)};
    rung_make(&b->mixed, g, -1, reveal);
    b->allowed = zeroed(g->options, sizeof *b->allowed);
    b->givable = zeroed(g->options, sizeof *b->givable);
    b->value = numbers_new(b->mixed.classes + 1);
    b->dead = zeroed(b->mixed.classes, sizeof *b->dead);
    b->heavy = zeroed((size_t)g->m->K, sizeof *b->heavy);
    b->loss = zeroed(b->mixed.classes, sizeof *b->loss);
    b->least = zeroed(b->mixed.classes, sizeof *b->least);
    if (!boxes) return;
    b->low = zeroed(g->options, sizeof *b->low);
    b->high = zeroed(g->options, sizeof *b->high);
    b->price_of = zeroed(g->options, sizeof *b->price_of);
}

/* What option i of class c is worth, to value `at`; false: it is not allowed, or nothing is left after it. */
static bool slot_value(const bound *b, size_t c, int i, size_t at)
{
    const rung *r = &b->mixed;
    const node *n = &b->g->node[r->node[c]];
    size_t o = n->option + (size_t)i, slot = r->slot[c] + (size_t)i;
    if (!b->allowed[o]) return false;
    zero(b->value, at);
    for (size_t w = r->weight_start[c]; w < r->weight_start[c + 1]; w++) {
        int k = r->env[w];
        if (b->heavy[k]) add(b->value, at, r->weight, w, b->scaled, cell(b->g->m, k, n->s, b->g->action[o]));
        if (b->boxed) b->value.end[UP][at] += r->weight.end[UP][w] * (b->shift - boxes_price_of(b, o, k, DOWN)); /* not negative */
    }
    for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) {
        if (b->dead[r->arc[arc]]) return false;
        add(b->value, at, r->factor, arc, b->value, (size_t)r->arc[arc]);
    }
    return true;
}

/* What every policy was paid for the shift, an environment and step, comes off; what prices give back comes on. */
static void give_back(const bound *b, double back, mpq_t most)
{
    mpq_t part, times;
    mpq_inits(part, times, NULL);
    if (!isfinite(back) || !isfinite(b->shift)) refuted("numbers too large");
    mpq_set_d(part, -b->shift);
    mpq_set_si(times, (long)b->g->m->T * b->g->m->K, 1);
    plus(most, part, times);
    mpq_set_d(part, back);
    mpq_add(most, most, part);
    mpq_clears(part, times, NULL);
}

bool bound_most(bound *b, int what, numbers weight, numbers price, mpq_t most)
{
    const rung *r = &b->mixed;
    const model *m = b->g->m;
    size_t cells = (size_t)m->S * (size_t)m->A;
    arithmetic(what, UP);
    for (size_t k = 0; k < (size_t)m->K; k++) {
        zero(b->scaled, (size_t)m->K * cells);
        b->heavy[k] = compare(weight, k, b->scaled, (size_t)m->K * cells) > 0;
        for (size_t i = k * cells; b->heavy[k] && i < (k + 1) * cells; i++) {
            zero(b->scaled, i);
            add(b->scaled, i, weight, k, m->pay, i);
        }
    }
    for (size_t c = r->classes, now = c; c-- > 0;) {
        const node *n = &b->g->node[r->node[c]];
        double worth[ACTIONS]; /* of a box, where all options are left */
        zero(b->value, c);
        b->dead[c] = n->t < m->T;
        for (size_t i = r->weight_start[c]; n->t == m->T && i < r->weight_start[c + 1]; i++)
            for (int row = r->env[i] * m->J; row < (r->env[i] + 1) * m->J; row++)
                if (keeps(m, row, n->s)) add(b->value, c, price, (size_t)row, r->weight, i);
        for (int i = 0; i < n->options; i++) {
            if (!slot_value(b, c, i, now)) continue;
            if (compare(b->value, now, b->value, c) > 0) set(b->value, c, b->value, now);
            worth[i] = b->value.end[UP][now];
            b->dead[c] = false;
        }
        if (b->boxed && n->options > 0) b->value.end[UP][c] = boxes_most(b, n, worth);
    }
    double back = b->boxed ? boxes_back(b) : 0;
    get(b->value, 0, most);
    arithmetic_end();
    if (back == -INFINITY) return false;
    if (b->boxed) give_back(b, back, most);
    return !b->dead[0];
}

/* Whoever uses an option somewhere came there by a path of classes, is in each of them with at least the probability of that path, and loses there what its
 * option is short of the value: for any function of the classes that is no less than what each allowed slot makes of it, and value is one. Paths that lose
 * `room` already need not be followed. */
int bound_short(bound *b, double room, int count, const size_t option[])
{
    const rung *r = &b->mixed;
    int kept = -1;
    arithmetic(0, UP); /* the negative of what is rounded upwards is rounded downwards */
    for (size_t c = 0; c < r->classes; c++) b->loss[c] = b->least[c] = INFINITY;
    b->loss[0] = 0;
    b->least[0] = 1;
    for (int i = 0; i < count; i++) b->givable[option[i]] = true;
    for (size_t c = 0; c < r->layer[b->g->m->T]; c++) {
        const node *n = &b->g->node[r->node[c]];
        if (!(b->loss[c] < room) || b->dead[c]) continue;
        for (int a = 0; a < n->options; a++) {
            size_t slot = r->slot[c] + (size_t)a;
            if (!slot_value(b, c, a, r->classes)) continue;
            double less = -(b->value.end[UP][r->classes] - b->value.end[UP][c]),
                   loss = -(-b->loss[c] - b->least[c] * fmax(0, less));
            if (!(loss < room)) continue;
            for (int i = 0; i < count && b->givable[n->option + (size_t)a] && kept < 0; i++)
                if (option[i] == n->option + (size_t)a) kept = i;
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) {
                int to = r->arc[arc];
                b->loss[to] = fmin(b->loss[to], loss);
                b->least[to] = fmin(b->least[to], -(-b->least[c] * r->factor.end[DOWN][arc]));
            }
        }
    }
    arithmetic_end();
    for (int i = 0; i < count; i++) b->givable[option[i]] = false;
    return kept;
}

/* ---- pairs: FORMAT.md, "pairs"; sets are sorted by q, descending ---- */

typedef struct pair {
    double u, q;
} pair;

/* Of one promise. */
typedef struct pair_sets {
    int most, *count; /* [classes] -1: not made */
    pair *set;        /* [classes * most] */
    bool *was;        /* [options] allowed when it was made */
    bool *changed, *reached;
} pair_sets;

static double same_u; /* SAME of the largest pay */
static pair rows[3][MOST_PAIRS * MOST_PAIRS], scratch[3][2 * MOST_PAIRS];

static int unite(const pair a[], int na, const pair b[], int nb, pair out[])
{
    int i = 0, j = 0, n = 0;
    while (i < na || j < nb) {
        bool first = j == nb || (i < na && (a[i].q > b[j].q || (a[i].q == b[j].q && a[i].u >= b[j].u)));
        pair x = first ? a[i++] : b[j++];
        if (n == 0 || x.u > out[n - 1].u) out[n++] = x;
    }
    return n;
}

/* Groups of neighbours that lose at most `area` each, counted or (out) merged. */
static int groups(const pair x[], int n, double area, pair out[])
{
    int made = 0;
    for (int first = 0, i = 1; first < n; first = i++) {
        for (; i < n; i++) {
            double du = x[i].u - x[first].u, dq = x[first].q - x[i].q;
            if (du > same_u && dq > SAME && du * dq > area) break;
        }
        if (out) out[made] = (pair){x[i - 1].u, x[first].q};
        made++;
    }
    return made;
}

static int thin(int most, pair x[], int n)
{
    double whole = n > most ? (x[n - 1].u - x[0].u) * (x[0].q - x[n - 1].q) : 0;
    int enough = 0, few = HALVINGS * PARTS;
    while (n > most && few - enough > 1) {
        int half = (enough + few) / 2;
        if (groups(x, n, whole * exp2(-(double)half / PARTS), NULL) <= most)
            enough = half;
        else
            few = half;
    }
    return groups(x, n, n <= most ? 0 : enough ? whole * exp2(-(double)enough / PARTS) : INFINITY, x);
}

/* a + factor * b, merged, into out: row by row. */
static int sum(int most, const pair a[], int na, const pair b[], int nb, double factor, pair out[])
{
    pair *all = rows[0], *next = rows[1], *row_of = rows[2];
    bool by_a = na <= nb;
    int n = 0;
    for (int r = 0; r < (by_a ? na : nb); r++) {
        for (int i = 0; i < (by_a ? nb : na); i++) {
            const pair *x = &a[by_a ? r : i], *y = &b[by_a ? i : r];
            row_of[i] = (pair){x->u + factor * y->u, x->q + factor * y->q};
        }
        n = unite(all, n, row_of, by_a ? nb : na, next);
        pair *swap = all;
        all = next;
        next = swap;
    }
    n = thin(most, all, n);
    memcpy(out, all, (size_t)n * sizeof *out);
    return n;
}

/* The sets of a row of promises, of at most so many pairs, none of them made yet. */
static pair_sets *sets_of(bound *b, int row, int most)
{
    size_t K = (size_t)b->g->m->K, cells = K * (size_t)b->g->m->S * (size_t)b->g->m->A;
    if (!b->pairs) b->pairs = zeroed((size_t)b->g->m->P, sizeof *b->pairs);
    pair_sets *p = &b->pairs[row];
    if (p->most == most) return p;
    for (size_t i = 0; i < cells; i++) same_u = fmax(same_u, SAME * b->g->m->pay.end[UP][i]);
    size_t classes = rung_known(b->g, row / b->g->m->J)->classes;
    free(p->set);
    p->set = zeroed(classes * (size_t)most, sizeof *p->set);
    if (p->most == 0) {
        p->count = zeroed(classes, sizeof *p->count);
        p->was = zeroed(b->g->options, sizeof *p->was);
        p->changed = zeroed(classes, sizeof *p->changed);
        p->reached = zeroed(classes, sizeof *p->reached);
    }
    for (size_t c = 0; c < classes; c++) p->count[c] = -1;
    p->most = most;
    return p;
}

/* The set of class c; did it change? */
static bool make_set(const bound *b, pair_sets *p, const rung *r, int row, size_t c)
{
    const node *n = &b->g->node[r->node[c]];
    const model *m = b->g->m;
    pair *all = scratch[0], *one = scratch[1], *set_of = p->set + c * (size_t)p->most;
    int many = n->t == m->T;
    all[0] = (pair){0, keeps(m, row, n->s)};
    for (int i = 0; i < n->options; i++) {
        size_t o = n->option + (size_t)i, slot = r->slot[c] + (size_t)i;
        int count = 1;
        p->was[o] = b->allowed[o];
        if (!b->allowed[o]) continue;
        one[0] = (pair){m->pay.end[UP][cell(m, row / m->J, n->s, b->g->action[o])], 0};
        for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1] && count > 0; arc++) {
            int child = r->arc[arc], others = p->count[child];
            count = others > 0
                        ? sum(p->most, one, count, p->set + (size_t)child * (size_t)p->most, others, r->factor.end[UP][arc], one)
                        : 0;
        }
        many = thin(p->most, scratch[2], unite(all, many, one, count, scratch[2]));
        memcpy(all, scratch[2], (size_t)many * sizeof *all);
    }
    bool same = many == p->count[c] && memcmp(set_of, all, (size_t)many * sizeof *all) == 0;
    memcpy(set_of, all, (size_t)many * sizeof *all);
    p->count[c] = many;
    return !same;
}

static void find_reached(const bound *b, pair_sets *p, const rung *r)
{
    memset(p->reached, 0, r->classes * sizeof *p->reached);
    p->reached[0] = true;
    for (size_t c = 0; c < r->layer[b->g->m->T]; c++) {
        const node *n = &b->g->node[r->node[c]];
        for (size_t slot = r->slot[c]; slot < r->slot[c + 1]; slot++)
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
                if (p->reached[c] && b->allowed[n->option + slot - r->slot[c]]) p->reached[r->arc[arc]] = true;
    }
}

bool bound_pairs(bound *b, int row, int most, double least, mpq_t u)
{
    if (most < 2 || most > MOST_PAIRS) refuted("sets of %d pairs; expected 2 to %d", most, MOST_PAIRS);
    pair_sets *p = sets_of(b, row, most);
    const rung *r = rung_known(b->g, row / b->g->m->J);
    find_reached(b, p, r);
    arithmetic(0, UP);
    for (size_t c = r->classes; c-- > 0;) {
        const node *n = &b->g->node[r->node[c]];
        bool old = p->count[c] < 0 || memcmp(p->was + n->option, b->allowed + n->option, (size_t)n->options * sizeof *p->was) != 0;
        for (size_t arc = r->arc_start[r->slot[c]]; !old && arc < r->arc_start[r->slot[c + 1]]; arc++)
            old = p->changed[r->arc[arc]];
        p->changed[c] = old;
        if (old && p->reached[c])
            p->changed[c] = make_set(b, p, r, row, c);
        else if (old)
            p->count[c] = -1; /* nothing comes here; made when something does */
    }
    arithmetic_end();
    int best = 0;
    while (best < p->count[0] && p->set[best].q >= least) best++;
    if (best == 0) return false;
    if (!isfinite(p->set[best - 1].u)) refuted("numbers too large");
    mpq_set_d(u, p->set[best - 1].u);
    return true;
}
