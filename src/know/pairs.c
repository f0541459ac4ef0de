/* know/pairs.c - see pairs.h. Items are stored by time, children after their parents. A pair of a slot with one or two arcs, as in
 * mazes, is named by its parts, so that tracing needs no sums. */
#include "know/pairs.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

/* ---- front ---------------------------------------------------------------------------------------------------------------------
 *
 * The sum of two sets is a union of shifted copies of the larger, one for each point of the smaller. Copies are united two by two,
 * level by level, so that dominated sums are removed early. Merging uses the least bound on the area lost by a group for which few
 * enough groups remain; groups are made greedily from one end, which is optimal for a bound on each. */

/* The bound on the area is at least 2^-HALVINGS of the area of the set, on a grid of PARTS steps per power of 2. */
static const int HALVINGS = 64, PARTS = 4;

/* Appends the points of x [n] with u > top to out. */
static int append_above(const nondominated x[], int n, double top, nondominated out[])
{
    int i = 0;
    while (i < n && !(x[i].u > top)) i++;
    memcpy(out, x + i, (size_t)(n - i) * sizeof *out);
    return n - i;
}

int front_unite(const nondominated a[], int na, const nondominated b[], int nb, nondominated out[])
{
    int i = 0, j = 0, n = 0;
    double top = -INFINITY;
    while (i < na && j < nb) {
        const nondominated *x = a[i].q > b[j].q || (a[i].q == b[j].q && a[i].u >= b[j].u) ? &a[i++] : &b[j++];
        if (!(x->u > top)) continue;
        top = x->u;
        out[n++] = *x;
    }
    return n + (i < na ? append_above(a + i, na - i, top, out + n) : append_above(b + j, nb - j, top, out + n));
}

/* The number of greedy groups that lose at most `area` each, or some number above `most`. */
static int count_groups(const pareto_front *s, const nondominated x[], int n, double area, int most)
{
    int made = 0;
    for (int first = 0, i = 1; first < n && made <= most; first = i++) {
        while (i < n && (((x[i].u - x[first].u) * (x[first].q - x[i].q) <= area) | (x[i].u - x[first].u <= s->same_u) |
                         (x[first].q - x[i].q <= s->same_q)))
            i++;
        made++;
    }
    return made;
}

/* Merges those groups in place; returns their number. */
static int merge_groups(const pareto_front *s, nondominated x[], int n, double area)
{
    int made = 0;
    for (int first = 0, i = 1; first < n; first = i++) {
        while (i < n && (x[i].u - x[first].u <= s->same_u || x[first].q - x[i].q <= s->same_q ||
                         (x[i].u - x[first].u) * (x[first].q - x[i].q) <= area))
            i++;
        nondominated merged = x[first];
        merged.u = x[i - 1].u;
        x[made++] = merged;
    }
    return made;
}

/* The least area  whole * 2^(-i / PARTS),  i < HALVINGS * PARTS,  that leaves at most s->most groups; INFINITY: none. The search
 * starts at whole / most^2, the loss of each of s->most equal groups. */
static double least_area(const pareto_front *s, const nondominated x[], int n)
{
    double whole = (x[n - 1].u - x[0].u) * (x[0].q - x[n - 1].q);
    int enough = 0, few = HALVINGS * PARTS, step = PARTS;
    for (int i = (int)(2 * PARTS * log2(s->most)); few - enough > 1; i = i > enough && i < few ? i : (enough + few) / 2) {
        bool will_do = count_groups(s, x, n, whole * exp2(-(double)i / PARTS), s->most) <= s->most;
        if (will_do)
            enough = i;
        else
            few = i;
        i += will_do ? step : -step;
        step *= 2;
    }
    return enough ? whole * exp2(-(double)enough / PARTS) : INFINITY;
}

int front_thin(const pareto_front *s, nondominated x[], int n)
{
    for (int i = 1; CHECKING && i < n; i++) CHECK(x[i].q <= x[i - 1].q && x[i].u >= x[i - 1].u);
    return merge_groups(s, x, n, n > s->most ? least_area(s, x, n) : 0);
}

/* Unites, two by two, the copies of b shifted by the points of a, in rows of `width` places. */
static int unite_rows(nondominated *rows, nondominated *spare, int count[], int made, size_t width, nondominated **united)
{
    for (; made > 1; made = (made + 1) / 2, width *= 2) {
        for (int i = 0; 2 * i < made; i++) {
            size_t at = 2 * (size_t)i * width;
            count[i] = front_unite(rows + at, count[2 * i], rows + at + width, 2 * i + 1 < made ? count[2 * i + 1] : 0, spare + at);
        }
        nondominated *swap = rows;
        rows = spare;
        spare = swap;
    }
    *united = rows;
    return count[0];
}

int front_sum(pareto_front *s, const nondominated a[], int na, const nondominated b[], int nb, double factor, nondominated out[])
{
    int count[STAIRS_MOST];
    bool by_a = na <= nb; /* a row for each point of the smaller */
    int rows = by_a ? na : nb, width = by_a ? nb : na;
    CHECK(na > 0 && nb > 0 && na <= s->most && nb <= s->most && s->most <= STAIRS_MOST);
    for (int r = 0; r < rows; r++) {
        nondominated *row = rows > 1 ? s->rows[0] + (size_t)r * (size_t)width : out;
        count[r] = width;
        for (int i = 0; i < width; i++) {
            int from = by_a ? r : i, to = by_a ? i : r;
            row[i] = (nondominated){a[from].u + factor * b[to].u, a[from].q + factor * b[to].q, from, to};
        }
    }
    s->work += (long long)rows * width;
    if (rows == 1) return front_thin(s, out, width);
    nondominated *united;
    int n = unite_rows(s->rows[0], s->rows[1], count, rows, (size_t)width, &united);
    n = front_thin(s, united, n);
    memcpy(out, united, (size_t)n * sizeof *out);
    return n;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------------------ */

/* The owner of an item's set: p, or the base of a trial that has not made the set. */
static const know_pairs *holder(const know_pairs *p, int item) { return p->base && !p->own[item] ? p->base : p; }

static const nondominated *set_of(const know_pairs *p, int item)
{
    return holder(p, item)->set + (size_t)item * (size_t)p->pareto_front.most;
}

/* Computes the set of one slot, sum after sum; empty if a child's set is. The links hold the parts of each sum. */
static nondominated *slot_set(know_pairs *p, int slot, int *count)
{
    nondominated *now = p->sum[0], *next = p->sum[1];
    now[0] = (nondominated){p->pay_u[slot], p->pay_q[slot], 0, 0};
    *count = 1;
    for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) {
        int child = p->arc_child[a], *link = p->link + 2 * (size_t)(a - p->arc_start[slot]) * (size_t)p->pareto_front.most;
        const int below = holder(p, child)->count[child];
        if (below == 0) {
            *count = 0;
            return now;
        }
        *count = front_sum(&p->pareto_front, now, *count, set_of(p, child), below, p->arc_factor[a], next);
        for (int i = 0; i < *count; i++) {
            link[2 * i] = next[i].from;
            link[2 * i + 1] = next[i].to;
        }
        nondominated *swap = now;
        now = next;
        next = swap;
    }
    return now;
}

/* Arcs of a slot whose links a pair holds by itself. */
enum { HELD = 2 };

static int arcs_of(const know_pairs *p, int slot) { return p->arc_start[slot + 1] - p->arc_start[slot]; }

/* The name of pair i of a slot's own set: its parts if they fit, otherwise its number. */
static int name_pair(const know_pairs *p, int slot, int i)
{
    const int *link = p->link;
    int most = p->pareto_front.most, arcs = arcs_of(p, slot);
    if (arcs > HELD || arcs == 0) return i;
    if (arcs == 1) return link[2 * i + 1];
    const int *last = link + 2 * most + 2 * i;
    return link[2 * last[0] + 1] * most + last[1];
}

/* Computes the set of an item from its children's sets; true if it changed. */
static bool make_set(know_pairs *p, int item, const unsigned char allowed[])
{
    nondominated *now = p->both[0], *next = p->both[1];
    const nondominated *set = set_of(p, item);
    int n = 0;
    if (item >= p->end) {
        now[0] = (nondominated){p->end_u[item], p->end_q[item], 0, 0};
        n = 1;
    }
    for (int slot = p->slot_start[item]; item < p->end && slot < p->slot_start[item + 1]; slot++) {
        int count;
        if (!allowed[p->slot_option[slot]]) continue;
        nondominated *of_slot = slot_set(p, slot, &count);
        for (int i = 0; i < count; i++) {
            of_slot[i].from = slot;
            of_slot[i].to = name_pair(p, slot, i);
        }
        p->pareto_front.work += n + count;
        n = front_unite(now, n, of_slot, count, next);
        n = front_thin(&p->pareto_front, next, n);
        nondominated *swap = now;
        now = next;
        next = swap;
    }
    bool same = n == holder(p, item)->count[item];
    for (int i = 0; i < n && same; i++) same = now[i].u == set[i].u && now[i].q == set[i].q;
    if (p->base && same) return false;
    memcpy(p->set + (size_t)item * (size_t)p->pareto_front.most, now, (size_t)n * sizeof *set);
    p->count[item] = n;
    return !same;
}

static void find_reached(know_pairs *p, const unsigned char allowed[])
{
    memset(p->reached, 0, (size_t)p->items);
    p->reached[0] = 1;
    for (int i = 0; i < p->end; i++) {
        if (!p->reached[i]) continue;
        for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
            if (!allowed[p->slot_option[slot]]) continue;
            for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) p->reached[p->arc_child[a]] = 1;
        }
    }
}

/* Marks the items whose allowed options have changed. */
static void mark_changes(know_pairs *p, const unsigned char allowed[])
{
    const unsigned char *was = p->base ? p->base->was : p->was;
    for (int o = 0; o < p->options; o++) {
        if (allowed[o] == was[o]) continue;
        for (int64_t i = p->option_start[o]; i < p->option_start[o + 1]; i++) p->stale[p->item[p->option_slot[i]]] = 1;
    }
}

/* Marks the parents of an item. */
static void mark_above(know_pairs *p, int item, const unsigned char allowed[])
{
    for (int64_t i = p->above_start[item]; i < p->above_start[item + 1]; i++)
        if (allowed[p->slot_option[p->above[i]]]) p->stale[p->item[p->above[i]]] = 1;
}

/* The pair of the root with the largest u among q >= least; -1: none. */
static int answer(const know_pairs *p, double least)
{
    const nondominated *root = set_of(p, 0);
    int best = -1;
    for (int i = 0; i < holder(p, 0)->count[0] && root[i].q >= least - p->slack; i++) best = i;
    return best;
}

double pairs_solve(know_pairs *p, const unsigned char allowed[], double least)
{
    long long before = p->pareto_front.work;
    find_reached(p, allowed);
    if (!p->made) memset(p->stale, 1, (size_t)p->items);
    mark_changes(p, allowed);
    memcpy(p->was, allowed, (size_t)p->options);
    for (int i = p->items - 1; i >= 0; i--) {
        if (p->most_work > 0 && p->pareto_front.work - before > p->most_work) {
            p->made = false;
            return INFINITY;
        }
        if (!p->stale[i] || !p->reached[i]) continue;
        p->stale[i] = 0;
        if (make_set(p, i, allowed)) mark_above(p, i, allowed);
    }
    p->made = true;
    int best = answer(p, least);
    return best < 0 ? -INFINITY : p->set[best].u;
}

double pairs_try(know_pairs *trial, const unsigned char allowed[], double least)
{
    CHECK(trial->base && trial->base->made);
    find_reached(trial, allowed);
    mark_changes(trial, allowed);
    for (int i = trial->items - 1; i >= 0; i--) {
        if (!trial->stale[i] || !trial->reached[i]) continue;
        trial->own[i] = make_set(trial, i, allowed);
        if (trial->own[i]) mark_above(trial, i, allowed);
    }
    int best = answer(trial, least);
    double most = best < 0 ? -INFINITY : set_of(trial, 0)[best].u;
    memset(trial->stale, 0, (size_t)trial->items);
    memset(trial->own, 0, (size_t)trial->items);
    return most;
}

static void want_more(know_pairs *p, int arc, int pair, double want)
{
    p->want[(size_t)p->arc_child[arc] * (size_t)p->pareto_front.most + (size_t)pair] += want * p->arc_factor[arc];
}

/* Outputs of a trace; NULL: not wanted. */
typedef struct tracer {
    double *mass; /* by option, or by slot */
    bool by_slot;
    const pairs_use *use;
} tracer;

static void note_use(const pairs_use *use, int item, double want, const nondominated *pair)
{
    use->reach[item] += want;
    use->u[item] += want * pair->u;
    use->q[item] += want * pair->q;
}

/* Distributes the weights of an item's pairs over its slots and their children. */
static void trace_item(know_pairs *p, int item, const tracer *into)
{
    size_t most = (size_t)p->pareto_front.most;
    const nondominated *set = p->set + (size_t)item * most;
    double *want = p->want + (size_t)item * most;
    int made = -1;
    for (int i = 0; i < p->count[item]; i++) {
        if (want[i] <= 0) continue;
        int slot = set[i].from, at = set[i].to, first = p->arc_start[slot], arcs = arcs_of(p, slot), count;
        if (into->mass) into->mass[into->by_slot ? slot : p->slot_option[slot]] += want[i];
        if (into->use) note_use(into->use, item, want[i], &set[i]);
        if (arcs > HELD && slot != made) {
            slot_set(p, slot, &count);
            made = slot;
        }
        for (int a = arcs - 1; a >= 0 && arcs > HELD; a--) {
            const int *link = p->link + 2 * ((size_t)a * most + (size_t)at);
            want_more(p, first + a, link[1], want[i]);
            at = link[0];
        }
        if (arcs == 2) want_more(p, first, at / (int)most, want[i]);
        if (arcs == 1 || arcs == 2) want_more(p, first + arcs - 1, at % (int)most, want[i]);
        want[i] = 0;
    }
}

static void trace(know_pairs *p, double least, const tracer *into)
{
    int best = answer(p, least);
    if (best < 0) return;
    p->want[best] = 1;
    for (int i = 0; i < p->end; i++) trace_item(p, i, into);
    memset(p->want + (size_t)p->end * (size_t)p->pareto_front.most, 0,
           (size_t)(p->items - p->end) * (size_t)p->pareto_front.most * sizeof(double));
}

void pairs_trace(know_pairs *p, double least, double mass[], bool by_slot)
{
    trace(p, least, &(tracer){.mass = mass, .by_slot = by_slot});
}

void pairs_trace_items(know_pairs *p, double least, const pairs_use *use)
{
    size_t bytes = (size_t)p->items * sizeof(double);
    memset(use->reach, 0, bytes);
    memset(use->u, 0, bytes);
    memset(use->q, 0, bytes);
    trace(p, least, &(tracer){.use = use});
}

double pairs_slot_most(know_pairs *p, int slot, double least)
{
    int count;
    const nondominated *set = slot_set(p, slot, &count);
    double most = -INFINITY;
    for (int i = 0; i < count && set[i].q >= least; i++) most = set[i].u;
    return most;
}

/* ---- items, slots and arcs ------------------------------------------------------------------------------------------- */

static void make_arrays(know_pairs *p)
{
    arena *a = &p->memory;
    p->slot_start = ARENA_NEW(a, int, p->items + 1);
    p->slot_option = ARENA_NEW(a, int, p->slots);
    p->arc_start = ARENA_NEW(a, int, p->slots + 1);
    p->arc_child = ARENA_NEW(a, int, p->arcs);
    p->arc_factor = ARENA_NEW(a, double, p->arcs);
    p->pay_u = ARENA_NEW(a, double, p->slots);
    p->pay_q = ARENA_NEW(a, double, p->slots);
    p->end_u = ARENA_ZERO(a, double, p->items);
    p->end_q = ARENA_ZERO(a, double, p->items);
}

/* The slots of each option, and those with an arc to each item. */
static void make_ways_back(know_pairs *p)
{
    arena *a = &p->memory;
    for (int s = 0; s < p->slots; s++)
        if (p->slot_option[s] >= p->options) p->options = p->slot_option[s] + 1;
    int64_t *each = ARENA_NEW(a, int64_t, p->slots + 1), *arcs = ARENA_NEW(a, int64_t, p->slots + 1);
    p->item = ARENA_NEW(a, int, p->slots);
    p->option_start = ARENA_NEW(a, int64_t, p->options + 1);
    p->option_slot = ARENA_NEW(a, int, p->slots);
    p->above_start = ARENA_NEW(a, int64_t, p->items + 1);
    p->above = ARENA_NEW(a, int, p->arcs);
    if (a->failed) return;
    for (int s = 0; s <= p->slots; s++) {
        each[s] = s;
        arcs[s] = p->arc_start[s];
    }
    for (int i = 0; i < p->items; i++)
        for (int s = p->slot_start[i]; s < p->slot_start[i + 1]; s++) p->item[s] = i;
    transpose(&(line_matrix){p->slots, each, p->slot_option, NULL}, p->options, p->option_start, p->option_slot, NULL);
    transpose(&(line_matrix){p->slots, arcs, p->arc_child, NULL}, p->items, p->above_start, p->above, NULL);
}

static void make_room(know_pairs *p)
{
    arena *a = &p->memory;
    size_t most = (size_t)p->pareto_front.most, items = (size_t)p->items;
    p->set = ARENA_NEW(a, nondominated, items * most);
    p->count = ARENA_ZERO(a, int, items);
    p->stale = ARENA_ZERO(a, unsigned char, items);
    p->reached = ARENA_ZERO(a, unsigned char, items);
    p->link = ARENA_NEW(a, int, (size_t)p->widest *most * 2);
    for (int i = 0; i < 2; i++) {
        p->sum[i] = ARENA_NEW(a, nondominated, most);
        p->both[i] = ARENA_NEW(a, nondominated, 2 * most);
        p->pareto_front.rows[i] = ARENA_NEW(a, nondominated, 2 * most * most);
    }
}

static void make_sets(know_pairs *p, int T)
{
    arena *a = &p->memory;
    size_t most = (size_t)p->pareto_front.most, items = (size_t)p->items;
    for (int s = 0; s < p->slots; s++) {
        int arcs = p->arc_start[s + 1] - p->arc_start[s];
        if (arcs > p->widest) p->widest = arcs;
    }
    make_ways_back(p);
    p->pareto_front.same_q = TOL_STEP;
    p->slack = T * (p->widest + 1) * DBL_EPSILON;
    p->was = ARENA_ZERO(a, unsigned char, p->options);
    p->want = ARENA_ZERO(a, double, items *most);
    make_room(p);
}

/* Moves p to *out, or frees it if out of memory. */
static vouch_status finish(know_pairs *p, know_pairs **out)
{
    *out = p->memory.failed ? NULL : p;
    if (*out) return VOUCH_OK;
    pairs_free(p);
    return VOUCH_ERROR_MEMORY;
}

/* A copy that shares items, slots and arcs, without sets. NULL: out of memory. */
static know_pairs *borrow(const know_pairs *from)
{
    know_pairs *p = MEM_NEW(know_pairs, 1);
    if (!p) return NULL;
    *p = *from;
    p->memory = (arena){0};
    p->pareto_front.work = p->most_work = 0;
    make_room(p);
    return p;
}

vouch_status pairs_new_copy(const know_pairs *from, know_pairs **out)
{
    know_pairs *p = *out = borrow(from);
    size_t items = (size_t)from->items, most = (size_t)from->pareto_front.most;
    if (!p) return VOUCH_ERROR_MEMORY;
    CHECK(!from->base);
    p->was = ARENA_NEW(&p->memory, unsigned char, p->options);
    p->want = ARENA_ZERO(&p->memory, double, items *most);
    for (size_t i = 0; i < items && !p->memory.failed; i++) {
        memcpy(p->set + i * most, from->set + i * most, (size_t)from->count[i] * sizeof *p->set);
        p->count[i] = from->count[i];
        p->stale[i] = from->stale[i];
    }
    if (!p->memory.failed) memcpy(p->was, from->was, (size_t)p->options);
    return finish(p, out);
}

vouch_status pairs_new_trial(const know_pairs *base, know_pairs **out)
{
    know_pairs *p = *out = borrow(base);
    if (!p) return VOUCH_ERROR_MEMORY;
    p->base = base;
    p->was = NULL;
    p->want = NULL;
    p->own = ARENA_ZERO(&p->memory, unsigned char, p->items);
    return finish(p, out);
}

void pairs_free(know_pairs *p) { ARENA_FREE(p); }

/* ---- one environment --------------------------------------------------------------------------------------------------------- */

double layout_probability(const pairs_layout *l, int edge)
{
    const know_graph *g = l->g;
    bool there = know_in_set(g, g->set[g->edge_child[edge]], (int)l->k);
    return there ? g->successor_prob[(size_t)g->edge_row[edge] * (size_t)g->K + l->k] : 0;
}

void layout_item(pairs_layout *l, int item)
{
    if (l->write) l->p->slot_start[item] = l->p->slots;
}

void layout_slot(pairs_layout *l, int option, double u, double q)
{
    know_pairs *p = l->p;
    if (l->write) {
        p->slot_option[p->slots] = option;
        p->arc_start[p->slots] = p->arcs;
        p->pay_u[p->slots] = u;
        p->pay_q[p->slots] = q;
    }
    p->slots++;
}

void layout_arc(pairs_layout *l, int item, double factor)
{
    know_pairs *p = l->p;
    if (l->write) {
        p->arc_child[p->arcs] = item;
        p->arc_factor[p->arcs] = factor;
    }
    p->arcs++;
}

vouch_status pairs_lay_out(pairs_layout *l, int most, void (*lay)(void *context), void *context, know_pairs **out)
{
    know_pairs *p = l->p;
    p->pareto_front.most = most;
    p->pareto_front.same_u = TOL_STEP * know_reward_spread(l->g);
    lay(context);
    make_arrays(p);
    if (!p->memory.failed) {
        l->write = true;
        p->slots = p->arcs = 0;
        lay(context);
        p->slot_start[p->items] = p->slots;
        p->arc_start[p->slots] = p->arcs;
        make_sets(p, l->g->T);
    }
    return finish(p, out);
}

typedef struct net_maker {
    pairs_layout l;
    const pareto_sets *f;
    int *item; /* [nodes] -1: not reached */
} net_maker;

static bool ends_in_vectors(const net_maker *mk, int n)
{
    return mk->f && n < mk->l.g->time_start[mk->l.g->L + 1] && mk->f->count[n] >= 0;
}

/* Numbers the nodes that the environment reaches, by time. */
static void number_nodes(net_maker *mk)
{
    const know_graph *g = mk->l.g;
    int items = 0;
    for (int n = 0; n < g->nodes; n++) mk->item[n] = n == 0 ? 0 : -1;
    for (int n = 0; n < g->nodes; n++) {
        if (mk->item[n] < 0) continue;
        if (n < g->time_start[g->T]) mk->l.p->end = items + 1;
        mk->item[n] = items++;
        if (n >= g->time_start[g->T] || ends_in_vectors(mk, n)) continue;
        for (int e = g->edge_start[g->choice_start[n]]; e < g->edge_start[g->choice_start[n + 1]]; e++)
            if (layout_probability(&mk->l, e) > 0) mk->item[g->edge_child[e]] = 0; /* its number follows */
    }
    mk->l.p->items = items;
}

static void lay_choice(net_maker *mk, int choice)
{
    const know_graph *g = mk->l.g;
    layout_slot(&mk->l, choice, g->reward[(size_t)g->choice_pair[choice] * (size_t)g->K + mk->l.k], 0);
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        double prob = layout_probability(&mk->l, e);
        if (prob > 0) layout_arc(&mk->l, mk->item[g->edge_child[e]], prob);
    }
}

static void lay_nodes(void *context)
{
    net_maker *mk = context;
    const know_graph *g = mk->l.g;
    size_t K = (size_t)g->K, k = mk->l.k;
    for (int n = 0; n < g->nodes; n++) {
        if (mk->item[n] < 0) continue;
        layout_item(&mk->l, mk->item[n]);
        if (mk->l.write && n >= g->time_start[g->T]) mk->l.p->end_q[mk->item[n]] = know_terminal(g, n, (int)k);
        if (ends_in_vectors(mk, n))
            for (int v = mk->f->start[n]; v < mk->f->start[n] + mk->f->count[n]; v++)
                layout_slot(&mk->l, g->choices + v, mk->f->value[(size_t)v * 2 * K + k], mk->f->value[(size_t)v * 2 * K + K + k]);
        else
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                if (g->choice_twin[c] == c) lay_choice(mk, c);
    }
}

vouch_status pairs_new_environment(const know_graph *g, const pareto_sets *f, int k, int most, know_pairs **out)
{
    *out = NULL;
    net_maker mk = {.l = {.p = MEM_ZERO(know_pairs, 1), .g = g, .k = (size_t)k}, .f = f, .item = MEM_NEW(int, g->nodes)};
    bool made = mk.l.p && mk.item;
    if (made)
        number_nodes(&mk);
    else
        mem_free(mk.l.p);
    vouch_status status = made ? pairs_lay_out(&mk.l, most, lay_nodes, &mk, out) : VOUCH_ERROR_MEMORY;
    mem_free(mk.item);
    return status;
}

/* ---- likelihood classes ------------------------------------------------------------------------------------------------------ */

vouch_status pairs_new_classes(const know_classes *c, int most, know_pairs **out)
{
    *out = NULL;
    know_pairs *p = MEM_ZERO(know_pairs, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    p->pareto_front.most = most;
    p->items = c->classes;
    p->slots = c->slots;
    p->arcs = c->arcs;
    p->end = c->time_start[c->g->T];
    make_arrays(p);
    if (!p->memory.failed) {
        MEM_COPY(p->slot_start, c->slot_start, c->classes + 1);
        if (c->slots > 0) MEM_COPY(p->slot_option, c->slot_option, c->slots);
        MEM_COPY(p->arc_start, c->arc_start, c->slots + 1);
        if (c->arcs > 0) MEM_COPY(p->arc_child, c->arc_child, c->arcs);
        if (c->arcs > 0) MEM_COPY(p->arc_factor, c->arc_factor, c->arcs);
        make_sets(p, c->g->T);
    }
    return finish(p, out);
}

void pairs_weigh(know_pairs *p, const know_classes *c, const double weight[], const double mu[], int k)
{
    const know_graph *g = c->g;
    size_t K = (size_t)c->K, promise = (size_t)k;
    double sum = 0;
    for (size_t j = 0; j < K; j++) sum += weight[j] * know_reward_spread(g) + (j == promise ? 0 : mu[j]);
    p->pareto_front.same_u = TOL_STEP * sum;
    for (int i = 0; i < c->classes; i++) {
        const double *w = know_class_weights(c, i);
        p->end_u[i] = 0;
        p->end_q[i] = i >= p->end ? know_terminal(g, c->node[i], k) * w[promise] : 0;
        for (size_t j = 0; j < K && i >= p->end; j++)
            p->end_u[i] += j == promise ? 0 : know_terminal(g, c->node[i], (int)j) * mu[j] * w[j];
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            int option = c->slot_option[slot];
            bool vector = know_option_is_vector(c, option), tells = know_slot_reveals(c, i, slot);
            const double *r =
                vector ? c->f->value + (size_t)(option - g->choices) * 2 * K : g->reward + (size_t)g->choice_pair[option] * K;
            double u = 0;
            for (size_t j = 0; j < K && !tells; j++)
                u += w[j] * (weight[j] * r[j] + (vector && j != promise ? mu[j] * r[K + j] : 0));
            p->pay_u[slot] = u;
            p->pay_q[slot] = vector ? w[promise] * r[K + promise] : 0;
        }
    }
    p->made = false;
}

/* ---- see single_lagrangian.h. Items are stored by time, so a sweep from last to first is an induction ----------------------- */

void prices_make(know_lagrangian *x, int items, arena *a)
{
    *x = (know_lagrangian){.value = ARENA_ZERO(a, double, items),
                           .keep = ARENA_ZERO(a, double, items),
                           .reach = ARENA_ZERO(a, double, items),
                           .trial = ARENA_ZERO(a, double, items),
                           .best = ARENA_ZERO(a, int, items)};
}

double prices_slot(const know_lagrangian *x, const know_pairs *p, int slot, double mu)
{
    double value = p->pay_u[slot] + mu * p->pay_q[slot];
    for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) value += p->arc_factor[a] * x->value[p->arc_child[a]];
    return value;
}

double prices_solve(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu)
{
    x->work += p->slots;
    for (int i = p->items - 1; i >= p->end; i--) {
        x->value[i] = p->end_u[i] + mu * p->end_q[i];
        x->best[i] = -1;
    }
    for (int i = p->end - 1; i >= 0; i--) {
        double best = -INFINITY;
        int by = -1;
        for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
            if (!allowed[p->slot_option[slot]]) continue;
            double value = prices_slot(x, p, slot, mu);
            if (!(value > best)) continue;
            best = value;
            by = slot;
        }
        x->value[i] = best;
        x->best[i] = by;
    }
    return x->value[0];
}

double prices_keep(know_lagrangian *x, const know_pairs *p)
{
    for (int i = p->items - 1; i >= 0; i--) {
        int slot = x->best[i];
        x->keep[i] = i >= p->end ? p->end_q[i] : 0;
        if (slot < 0) continue;
        double keep = p->pay_q[slot];
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) keep += p->arc_factor[a] * x->keep[p->arc_child[a]];
        x->keep[i] = keep;
    }
    return x->keep[0];
}

void prices_trace(know_lagrangian *x, const know_pairs *p)
{
    memset(x->reach, 0, (size_t)p->items * sizeof *x->reach);
    x->reach[0] = 1;
    for (int i = 0; i < p->end; i++) {
        int slot = x->best[i];
        if (x->reach[i] <= 0 || slot < 0) continue;
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++)
            x->reach[p->arc_child[a]] += x->reach[i] * p->arc_factor[a];
    }
}

/* V of item i < item; x->trial holds it for i + 1 .. item. */
static double value_before(const know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu, int i, int item)
{
    double best = -INFINITY;
    for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
        if (!allowed[p->slot_option[slot]]) continue;
        double value = p->pay_u[slot] + mu * p->pay_q[slot];
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) {
            int child = p->arc_child[a];
            value += p->arc_factor[a] * (child <= item ? x->trial : x->value)[child];
        }
        best = fmax(best, value);
    }
    return best;
}

double prices_with(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu, int item, double gain)
{
    x->work += p->slot_start[item];
    x->trial[item] = gain;
    for (int i = item - 1; i >= 0; i--) x->trial[i] = value_before(x, p, allowed, mu, i, item);
    return x->trial[0];
}
