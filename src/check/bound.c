/* check/bound.c - bounds of cases: by multipliers and paths, of stochastic policies in boxes, by points of values, and which
 * options are dominated. No term is negative (rewards are counted from the least of them), so that rounding every operation upwards
 * gives no less than the exact result, and the negative of what is rounded upwards is rounded downwards. */
#include "check/check.h"

/* ---- boxes: stochastic policies whose probabilities lie between given ends (FORMAT.md, "part"): an induction charges the
 * prices, and they are given back here, node by node. */

/* Options of a node up to which all vertices are looked at; of more, each environment takes its own best. */
enum { MOST_LOOSE = 6 };
/* Corners are rounded: the case of a point holds all probabilities that are no further from it than this. */
static const double PIN = 0x1p-40;

void boxes_open(judge *ctx, bound *b)
{
    size_t options = b->g->options, K = (size_t)b->g->m->K;
    if (!b->low) {
        b->low = zeroed(ctx, options, sizeof *b->low);
        b->high = zeroed(ctx, options, sizeof *b->high);
        b->pinned = zeroed(ctx, b->g->nodes, sizeof *b->pinned);
        b->price = zeroed(ctx, options * K, sizeof *b->price);
    }
    memset(b->low, 0, options * sizeof *b->low);
    for (size_t o = 0; o < options; o++) b->high[o] = 1;
    memset(b->pinned, false, b->g->nodes * sizeof *b->pinned);
    for (; b->prices > 0; b->prices--) memset(b->price + b->priced[b->prices - 1] * K, 0, K * sizeof *b->price);
    b->shift = 0;
    b->boxed = false;
}

void boxes_cut(bound *b, size_t option, double low, double high)
{
    b->low[option] = fmax(b->low[option], low);
    b->high[option] = fmin(b->high[option], high);
    b->boxed = true;
}

void boxes_pin(bound *b, const node *n, const double point[])
{
    b->pinned[n - b->g->node] = true;
    for (int i = 0; i < n->options; i++) boxes_cut(b, n->option + (size_t)i, fmax(0, point[i] - PIN), point[i] + PIN);
}

void boxes_price(judge *ctx, bound *b, size_t option, mpq_t price[])
{
    size_t K = (size_t)b->g->m->K;
    for (size_t i = 0; i < b->prices; i++)
        if (b->priced[i] == option) refuted(ctx, "an option has two prices");
    append(ctx, b->priced, b->prices, option);
    for (size_t k = 0; k < K; k++) {
        b->price[option * K + k] = outward(ctx, price[k], UP);
        b->shift = fmax(b->shift, b->price[option * K + k]);
    }
    b->boxed = true;
}

/* At least the most of worth [options of n] in its box. */
static double boxes_most(const bound *b, const node *n, const double worth[])
{
    double most = INFINITY;
    for (int j = 0; j < n->options; j++) {
        double sum = worth[j];
        for (int i = 0; i < n->options; i++)
            sum += (worth[i] - worth[j]) * (worth[i] > worth[j] ? b->high : b->low)[n->option + (size_t)i];
        most = fmin(most, sum);
    }
    return most;
}

/* The largest probability of node n in environment k; DOWN: less than the least, times -1. */
static double reach(judge *ctx, const bound *b, size_t n, int k, int toward)
{
    const rung *r = rung_known(ctx, b->g, k);
    double worth[ACTIONS] = {0};
    bound_class *of = b->of; /* scratch */
    for (size_t c = r->layer[b->g->node[n].t + 1]; c-- > 0;) {
        size_t slot = r->slot[c];
        of[c].loss = r->node[c] != (int)n ? 0 : toward == UP ? 1 : -1;
        if (c >= r->layer[b->g->node[n].t]) continue;
        for (int i = 0; slot < r->slot[c + 1]; i++, slot++) {
            worth[i] = 0;
            spend(ctx, 1 + r->arc_start[slot + 1] - r->arc_start[slot]);
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
                worth[i] += r->factor.end[toward][arc] * of[r->arc[arc]].loss;
        }
        of[c].loss = boxes_most(b, &b->g->node[r->node[c]], worth);
    }
    return of[0].loss;
}

/* The most of slope * y, y between the ends; the lower one with its sign changed. */
static double most_times(double slope, const double ends[2]) { return slope > 0 ? slope * ends[UP] : -slope * ends[DOWN]; }

/* A vertex of the box of a node: all options but `loose` at the ends that bits choose, x [options], where that one is 0; it has the
 * rest of 1, which lies in between [2]. */
typedef struct box_vertex {
    int loose;
    unsigned bits;
    double x[ACTIONS], between[2];
} box_vertex;

/* The next one, of a node with at most MOST_LOOSE options; begins with bits = -1. false: there is none left. */
static bool vertex_next(const bound *b, const node *n, box_vertex *v)
{
    const double *low = b->low + n->option, *high = b->high + n->option;
    for (;;) {
        double used = 0, spared = 0;
        if (++v->bits == 1u << n->options) v->bits = 0, v->loose++;
        if (v->loose >= n->options) return false;
        if (v->bits >> v->loose & 1) continue;
        for (int i = 0; i < n->options; i++) {
            v->x[i] = i == v->loose ? 0 : (v->bits >> i & 1 ? high : low)[i];
            used += v->x[i];
            spared -= v->x[i];
        }
        v->between[DOWN] = -(used - 1);
        v->between[UP] = 1 + spared;
        if (v->between[UP] >= low[v->loose] && v->between[DOWN] <= high[v->loose]) return true;
    }
}

/* A vertex is nearly a point if it is within half of PIN; the other half leaves room for rounding. */
bool boxes_cornered(const bound *b, const node *n, const double point[], size_t count)
{
    bool all = n->options <= MOST_LOOSE;
    for (box_vertex v = {.bits = UINT_MAX}; all && vertex_next(b, n, &v);) {
        all = false;
        for (const double *at = point; at < point + count * (size_t)n->options && !all; at += n->options) {
            all = true;
            for (int i = 0; i < n->options; i++)
                all = all && (i == v.loose ? v.between[DOWN] >= at[i] - PIN / 2 && v.between[UP] <= at[i] + PIN / 2
                                           : fabs(v.x[i] - at[i]) <= PIN / 2);
        }
    }
    return all;
}

/* Writes points whose hull contains the box of node n: [number * options of n], at most ACTIONS squared. Returns their number.
 * Corners that are nearly the same are one, the larger of them. */
static size_t boxes_corners(const bound *b, const node *n, double corner[])
{
    const double *high = b->high + n->option;
    size_t options = (size_t)n->options, count = 0;
    bool pinned = b->pinned[n - b->g->node], few = options <= MOST_LOOSE;
    box_vertex v = {.bits = UINT_MAX};
    for (size_t i = 0; pinned ? i < 1 : few ? vertex_next(b, n, &v) : i < options; i++) {
        double *of = corner, apart = INFINITY;
        if (!few) v.x[i > 0 ? i - 1 : 0] = 0;
        if (!few) v.x[i] = 1;
        if (few && !pinned) v.x[v.loose] = fmin(fmax(v.between[UP], 0), high[v.loose]);
        const double *x = pinned ? high : v.x;
        for (; of < corner + count * options; of += options) {
            apart = 0;
            for (size_t o = 0; o < options; o++) apart = fmax(apart, fabs(of[o] - x[o]));
            if (apart <= PIN) break;
        }
        count += of == corner + count * options;
        for (size_t o = 0; o < options; o++) of[o] = apart <= PIN ? fmax(of[o], x[o]) : x[o];
    }
    return count;
}

/* At least the sum of M(n), FORMAT.md, over the nodes; -INFINITY: the box is empty. */
static double boxes_back(judge *ctx, const bound *b)
{
    size_t K = (size_t)b->g->m->K;
    double *ends = zeroed(ctx, 2 * K, sizeof *ends), total = 0, price[ACTIONS];
    for (size_t at = 0; at < b->g->nodes && b->prices > 0; at++) {
        const node *n = &b->g->node[at];
        double best = -INFINITY, apart = 0;
        bool any = false;
        for (size_t i = 0; i < b->prices; i++) any |= b->priced[i] - n->option < (size_t)n->options; /* unsigned */
        for (size_t k = 0; k < K && any; k++) {
            for (int i = DOWN; i <= UP; i++) ends[2 * k + (size_t)i] = in(n->set, (int)k) ? reach(ctx, b, at, (int)k, i) : 0;
            for (int i = 0; i < n->options; i++) price[i] = b->price[(n->option + (size_t)i) * K + k];
            apart += most_times(boxes_most(b, n, price), ends + 2 * k);
        }
        for (box_vertex v = {.bits = UINT_MAX}; any && n->options <= MOST_LOOSE && vertex_next(b, n, &v);) {
            double sum = 0; /* of slope_k y_k */
            spend(ctx, K * (size_t)n->options);
            for (size_t k = 0; k < K; k++) {
                double last = b->price[(n->option + (size_t)v.loose) * K + k], slope = last * v.between[last > 0 ? UP : DOWN];
                for (int i = 0; i < n->options; i++) slope += v.x[i] * b->price[(n->option + (size_t)i) * K + k];
                sum += most_times(slope, ends + 2 * k);
            }
            best = fmax(best, sum);
        }
        if (any) total += n->options > MOST_LOOSE ? apart : best;
    }
    drop(ctx, ends);
    return total;
}

/* ---- walk: a bound that forgets as policies do (FORMAT.md, "walk"). Doubles rounded upwards; nothing is negative. */

/* Where a node is reached with less than this, in all environments together, nothing is followed. */
static const double HARDLY = 0x1p-30;

typedef struct walker {
    const bound *b;
    numbers price;                 /* [P] */
    size_t *corner, *branch;       /* [nodes + 1], [corners + 1] where corners of a node, branches of a corner begin */
    size_t *to, corners, branches; /* [branches] nodes that a corner leads to, each once */
    double *follow;                /* [branches * K] probabilities */
    double *earn, *after;          /* [corners * K] pay of a corner, at the last time with the price of promises kept after it; and
                                    * the most with all that is earned afterwards in k alone */
    double *known;                 /* [nodes * K] the most to be earned from a node on in environment k, if it is known */
    size_t *at;                    /* [nodes] scratch: 1 + the branch that leads there */
    double *x;                     /* [(T + 1) * K] scratch, a row for each time: the probabilities of reaching a node */
} walker;

static double product(judge *ctx, const walker *w, const double x[], const double y[])
{
    size_t K = (size_t)w->b->g->m->K;
    double sum = 0;
    spend(ctx, K);
    for (size_t k = 0; k < K; k++) sum += x[k] * y[k];
    return sum;
}

/* The value of node n at x, the probabilities of reaching n [K]: the most of its corners. Each history decides for itself in
 * `ahead` steps, the first at n, and then learns the environment. Corners are not followed where they make no more even when told
 * at once. */
static double most_of(judge *ctx, const walker *w, size_t n, const double x[], int ahead)
{
    size_t K = (size_t)w->b->g->m->K, first = w->corner[n], count = w->corner[n + 1] - first, best = first;
    double told = product(ctx, w, x, w->known + n * K), worth = 0, sum = 0, *next = w->x + (size_t)w->b->g->node[n].t * K;
    for (size_t k = 0; k < K; k++) sum += x[k];
    if (ahead == 0 || sum < HARDLY || count == 0) return told;
    for (size_t c = first; c < first + count; c++) {
        double all = product(ctx, w, x, w->after + c * K);
        if (all > worth) best = c;
        worth = fmax(worth, all);
    }
    worth = 0;
    for (size_t i = 0; i <= count; i++) { /* the best one, then the others */
        size_t c = i == 0 ? best : first + i - 1;
        if (i > 0 && (c == best || product(ctx, w, x, w->after + c * K) <= worth)) continue;
        sum = product(ctx, w, x, w->earn + c * K);
        for (size_t to = w->branch[c]; to < w->branch[c + 1]; to++) {
            for (size_t k = 0; k < K; k++) next[k] = x[k] * w->follow[to * K + k];
            sum += most_of(ctx, w, w->to[to], next, ahead - 1);
        }
        worth = fmax(worth, sum);
    }
    return worth;
}

/* Adds pay and successors of option o of node n, used with a probability of `share`, to the corner at hand. */
static void add_option(judge *ctx, walker *w, const node *n, size_t o, double share)
{
    const bound *b = w->b;
    const node_graph *g = b->g;
    const model *m = g->m;
    size_t K = (size_t)m->K, J = (size_t)m->J;
    double *earn = w->earn + w->corners * K;
    bool last = n->t + 1 == m->T;
    spend(ctx, K * (1 + g->edge_start[o + 1] - g->edge_start[o]));
    for (size_t k = 0; k < K; k++) {
        double paid = b->heavy[k] ? b->scaled.end[UP][cell(m, (int)k, n->s, g->action[o])] : 0;
        earn[k] += share * (paid + (b->shift - b->price[o * K + k])); /* not negative */
    }
    for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
        size_t to = (size_t)g->edge[e];
        const node *next = &g->node[to];
        if (!last && w->at[to] <= w->branch[w->corners]) { /* a new branch of this corner */
            w->follow = grown(ctx, w->follow, w->branches, K * sizeof *w->follow);
            memset(w->follow + w->branches * K, 0, K * sizeof *w->follow);
            append(ctx, w->to, w->branches, to);
            w->at[to] = w->branches;
        }
        for (size_t k = 0; k < K; k++) {
            ptrdiff_t at = in(n->set, (int)k) && in(next->set, (int)k) ? outcome(ctx, m, (int)k, n->s, g->action[o], next->s) : -1;
            double part = at < 0 ? 0 : share * m->prob.end[UP][at];
            if (!last) w->follow[(w->at[to] - 1) * K + k] += part;
            for (size_t row = k * J; last && row < (k + 1) * J; row++)
                if (keeps(m, (int)row, next->s)) earn[k] += part * w->price.end[UP][row];
        }
    }
}

/* The bound of bound_most, with histories added up that meet at a node after pinned ones. price: [P] */
static double walk_most(judge *ctx, const bound *b, numbers price)
{
    const node_graph *g = b->g;
    size_t K = (size_t)g->m->K, nodes = g->layer[g->m->T];
    void *mark = zeroed(ctx, 1, 1);
    double *share = zeroed(ctx, ACTIONS * ACTIONS, sizeof *share);
    double *here = zeroed(ctx, g->nodes * K, sizeof *here), most = 0; /* probabilities of reaching a node */
    walker w = {.b = b, .price = price};
    w.corner = zeroed(ctx, g->nodes + 1, sizeof *w.corner);
    w.at = zeroed(ctx, g->nodes, sizeof *w.at);
    w.x = zeroed(ctx, ((size_t)g->m->T + 1) * K, sizeof *w.x);
    w.branch = zeroed(ctx, 16, sizeof *w.branch); /* as `grown` begins */
    for (size_t at = 0; at < nodes; at++) {
        const node *n = &g->node[at];
        size_t count = boxes_corners(b, n, share), options = (size_t)n->options;
        for (size_t j = 0; j < count; j++) {
            w.earn = grown(ctx, w.earn, w.corners, K * sizeof *w.earn);
            memset(w.earn + w.corners * K, 0, K * sizeof *w.earn);
            for (size_t i = 0; i < options; i++)
                if (share[j * options + i] > 0) add_option(ctx, &w, n, n->option + i, share[j * options + i]);
            w.corners++;
            put_at(ctx, w.branch, w.corners, w.branches);
        }
        w.corner[at + 1] = w.corners;
    }
    w.known = zeroed(ctx, g->nodes * K, sizeof *w.known);
    w.after = zeroed(ctx, w.corners * K, sizeof *w.after);
    spend(ctx, (w.corners + w.branches) * K);
    for (size_t n = nodes; n-- > 0;) /* backward induction in each environment alone */
        for (size_t c = w.corner[n]; c < w.corner[n + 1]; c++)
            for (size_t k = 0; k < K; k++) {
                double worth = w.earn[c * K + k];
                for (size_t i = w.branch[c]; i < w.branch[c + 1]; i++) worth += w.follow[i * K + k] * w.known[w.to[i] * K + k];
                w.after[c * K + k] = worth;
                w.known[n * K + k] = fmax(w.known[n * K + k], worth);
            }
    for (size_t k = 0; k < K; k++) here[k] = in(g->node->set, (int)k);
    for (size_t n = 0; n < nodes; n++) {
        const double *x = here + n * K;
        double sum = 0;
        for (size_t k = 0; k < K; k++) sum += x[k];
        bool leads = b->pinned[n] && sum >= HARDLY; /* the policy is known: its successors are reached */
        most += leads ? product(ctx, &w, x, w.earn + w.corner[n] * K) : most_of(ctx, &w, n, x, b->ahead);
        for (size_t i = w.branch[w.corner[n]]; leads && i < w.branch[w.corner[n] + 1]; i++)
            for (size_t k = 0; k < K; k++) here[w.to[i] * K + k] += x[k] * w.follow[i * K + k];
    }
    release(ctx, mark);
    return most;
}

void bound_over(judge *ctx, bound *b, node_graph *g, const rung *r)
{
    if (!b->g) {
        b->allowed = zeroed(ctx, g->options, sizeof *b->allowed);
        b->givable = zeroed(ctx, g->options, sizeof *b->givable);
        b->heavy = zeroed(ctx, (size_t)g->m->K, sizeof *b->heavy);
        numbers_room(ctx, &b->scaled, cell(g->m, g->m->K, 0, 0));
        memset(b->allowed, true, g->options * sizeof *b->allowed);
    }
    drop(ctx, b->of);
    b->of = zeroed(ctx, r->classes, sizeof *b->of);
    numbers_room(ctx, &b->value, r->classes + 1);
    b->g = g;
    b->mixed = r;
}

bound *bound_alone(judge *ctx, node_graph *g, int k)
{
    bound **b = &g->alone[(ctx->rationals & VALUES) != 0];
    if (!*b) *b = zeroed(ctx, 1, sizeof **b);
    bound_over(ctx, *b, g, rung_known(ctx, g, k));
    return *b;
}

/* The value of option i of class c, to value `at`; false: it is not allowed, or no policy is left after it. */
static bool slot_value(judge *ctx, const bound *b, size_t c, int i, size_t at)
{
    const rung *r = b->mixed;
    const node *n = &b->g->node[r->node[c]];
    size_t o = n->option + (size_t)i, slot = r->slot[c] + (size_t)i, K = (size_t)b->g->m->K;
    if (!b->allowed[o]) return false;
    spend(ctx, r->weight_start[c + 1] - r->weight_start[c] + r->arc_start[slot + 1] - r->arc_start[slot]);
    zero(b->value, at);
    for (size_t w = r->weight_start[c]; w < r->weight_start[c + 1]; w++) {
        int k = r->env[w];
        if (b->heavy[k]) add(b->value, at, r->weight, w, b->scaled, cell(b->g->m, k, n->s, b->g->action[o]));
        if (b->boxed) b->value.end[UP][at] += r->weight.end[UP][w] * (b->shift - b->price[o * K + (size_t)k]); /* not negative */
    }
    for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) {
        if (b->of[r->arc[arc]].dead) return false;
        add(b->value, at, r->factor, arc, b->value, (size_t)r->arc[arc]);
    }
    return true;
}

bool bound_most(judge *ctx, bound *b, int what, numbers weight, numbers price, mpq_ptr most)
{
    const model *m = b->g->m;
    const rung *r = b->mixed;
    numbers pay = what == VALUES ? m->paid : m->pay;
    arithmetic(ctx, what, UP);
    for (int k = 0; k < m->K; k++) {
        b->heavy[k] = mpq_sgn(weight.q[k]) > 0;
        for (size_t i = cell(m, k, 0, 0); b->heavy[k] && i < cell(m, k, m->S, 0); i++) {
            zero(b->scaled, i);
            add(b->scaled, i, weight, (size_t)k, pay, i);
        }
    }
    if (b->forgets) {
        b->value.end[UP][0] = walk_most(ctx, b, price);
        b->of[0].dead = false;
    }
    for (size_t c = r->classes, now = c; c-- > 0 && !b->forgets;) { /* the induction over classes */
        const node *n = &b->g->node[r->node[c]];
        double worth[ACTIONS] = {0}; /* of a box, where all options are left */
        zero(b->value, c);
        b->of[c].dead = n->t < m->T;
        for (size_t i = r->weight_start[c]; n->t == m->T && i < r->weight_start[c + 1]; i++)
            for (int row = r->env[i] * m->J; row < (r->env[i] + 1) * m->J; row++)
                if (keeps(m, row, n->s)) add(b->value, c, price, (size_t)row, r->weight, i);
        for (int i = 0; i < n->options; i++) {
            bool some = slot_value(ctx, b, c, i, now);
            if (!some && b->boxed) refuted(ctx, "a box is of all options of its nodes, and one is left out");
            if (!some) continue;
            if (b->of[c].dead || compare(b->value, now, b->value, c) > 0) {
                set(b->value, c, b->value, now);
                b->of[c].best = i;
            }
            worth[i] = b->value.end[UP][now];
            b->of[c].dead = false;
        }
        if (b->boxed && n->options > 0) b->value.end[UP][c] = boxes_most(b, n, worth);
    }
    /* the shift, which every policy was paid an environment and step, comes off; what prices give back comes on */
    double back = b->boxed ? boxes_back(ctx, b) : 0, less = b->boxed ? back + -b->shift * ((double)m->T * m->K) : 0;
    get(b->value, 0, most);
    arithmetic(ctx, 0, UP);
    if (back == -INFINITY) return false;
    from_double(ctx, *ctx->temp, less);
    mpq_add(most, most, *ctx->temp);
    return !b->of[0].dead;
}

/* A policy that uses an option arrives by a path of classes, is in each of them with at least the probability of the path, and
 * loses there the value less its option's. Paths that lose `room` already need not be followed. */
bool bound_short(judge *ctx, bound *b, double room)
{
    const rung *r = b->mixed;
    bool all = true;
    for (size_t c = 0; c < r->classes; c++) b->of[c].loss = b->of[c].least = INFINITY;
    b->of[0].loss = 0;
    b->of[0].least = 1;
    for (size_t c = 0; c < r->layer[b->g->m->T]; c++) {
        const node *n = &b->g->node[r->node[c]];
        bound_class *of = &b->of[c];
        if (!(of->loss < room) || of->dead) continue;
        for (int a = 0; a < n->options; a++) {
            size_t slot = r->slot[c] + (size_t)a;
            if (!slot_value(ctx, b, c, a, r->classes)) continue;
            double less = -(b->value.end[UP][r->classes] - b->value.end[UP][c]), loss = -(-of->loss + -of->least * fmax(0, less));
            if (!(loss < room)) continue;
            all = all && !b->givable[n->option + (size_t)a];
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) {
                bound_class *to = &b->of[r->arc[arc]];
                to->loss = fmin(to->loss, loss);
                to->least = fmin(to->least, -(-of->least * r->factor.end[DOWN][arc]));
            }
        }
    }
    return all;
}

/* ---- points: values of deterministic policies (FORMAT.md, "pairs" and "vectors"): sets of points of U(k) and Pr(row) for each
 * node, in doubles rounded upwards. */

enum { MOST = 20000, SUMS = 1000000 }; /* most points of a set that is not merged, and sums that are tried at once */
static const double SAME = 0x1p-46;    /* coordinates closer than this, relatively, differ by rounding */
/* The area that merged pairs may lose is sought between the area of the set and 2^-(HALVINGS) of it, in PARTS of a power. */
enum { HALVINGS = 64, PARTS = 4 };

typedef struct points {
    size_t count;
    double *x; /* [count * width] */
} points;

/* F(n) of all nodes, as it was made for the case before. */
struct point_sets {
    struct point_sets *other; /* of the same rows and another size */
    int most, *env, *row;     /* of a set, 0: it is not merged; [width] of each coordinate, row -1: U */
    bool alone;               /* of one environment */
    size_t width;
    double *p;          /* [width] scratch */
    double slack;       /* of promises at that time */
    points *of;         /* [nodes] */
    unsigned char *was; /* [options] allowed when it was made */
    bool *changed;      /* [nodes] */
};
typedef struct point_sets sets;

/* Both, by descending first coordinate, without points that another one dominates: of pairs only the last can. Of two that differ
 * by rounding the larger coordinates stay. */
static points unite(judge *ctx, const sets *s, points a, points b)
{
    size_t width = s->width, kept = 0, v = 0, w = 0, y, i;
    if (a.count == 0 || b.count == 0) return drop(ctx, a.count ? b.x : a.x), a.count ? a : b;
    double *x = zeroed(ctx, (a.count + b.count) * width, sizeof *x);
    spend(ctx, (a.count + b.count) * width);
    while (v < a.count || w < b.count) {
        const double *next = a.x + v * width, *other = b.x + w * width;
        for (i = 0; v < a.count && w < b.count && i + 1 < width && next[i] == other[i];) i++;
        if (w == b.count || (v < a.count && next[i] >= other[i]))
            v++;
        else
            next = b.x + w++ * width;
        y = width == 2 && kept ? kept - 1 : 0;
        spend(ctx, kept - y);
        for (i = 0; y < kept && i < width; y += i < width)
            for (i = 0, other = x + y * width; i < width && next[i] <= other[i] + SAME * other[i];) i++;
        for (i = 0; i < width; i++)
            if (y == kept || next[i] > x[y * width + i]) x[y * width + i] = next[i];
        kept += y == kept;
    }
    if (kept > MOST && s->most == 0) refuted(ctx, "too many vectors");
    drop(ctx, a.x);
    drop(ctx, b.x);
    return (points){kept, x};
}

/* Groups of neighbouring pairs that lose at most `area` each, counted or (merge) made one. */
static int groups(points *f, double area, bool merge)
{
    size_t made = 0;
    for (size_t first = 0, i; first < f->count; first = i, made++) {
        double u = f->x[2 * first], q = f->x[2 * first + 1];
        for (i = first + 1; i < f->count && (u - f->x[2 * i]) * (f->x[2 * i + 1] - q) <= area;) i++;
        if (merge) f->x[2 * made] = u;
        if (merge) f->x[2 * made + 1] = f->x[2 * i - 1];
    }
    if (merge) f->count = made;
    return (int)made;
}

static void thin(judge *ctx, const sets *s, points *f)
{
    if (s->most == 0 || f->count <= (size_t)s->most) return;
    double whole = (f->x[0] - f->x[2 * f->count - 2]) * (f->x[2 * f->count - 1] - f->x[1]);
    int enough = 0, few = HALVINGS * PARTS;
    while (few - enough > 1) {
        int half = (enough + few) / 2;
        spend(ctx, f->count);
        *(groups(f, whole * exp2(-(double)half / PARTS), false) <= s->most ? &enough : &few) = half;
    }
    (void)groups(f, enough ? whole * exp2(-(double)enough / PARTS) : INFINITY, true);
}

/* The sums of a point, one of `count` from x on, and p times one of `more`. */
static points sums(judge *ctx, const sets *s, const double x[], size_t count, const points *more)
{
    size_t width = s->width, half = count / 2;
    if (count > 1 && more->count > 1)
        return unite(ctx, s, sums(ctx, s, x, half, more), sums(ctx, s, x + half * width, count - half, more));
    points f = {count * more->count, zeroed(ctx, count * more->count * width, sizeof *f.x)};
    for (size_t v = 0, to = 0; v < f.count; v++)
        for (size_t i = 0; i < width; i++, to++) f.x[to] = x[count > 1 ? to : i] + s->p[i] * more->x[more->count > 1 ? to : i];
    return f;
}

/* Does a policy that reaches node n do so in environment k? A set about one environment counts only policies that do. */
static bool comes(const sets *s, const node *n, int k) { return in(s->alone ? n->set : n->sure, k); }

/* The points of option o at node n. Where a successor has none, the option has none, unless it may not be reached (FORMAT.md). */
static points of_option(judge *ctx, const sets *s, const node_graph *g, const node *n, size_t o)
{
    points f = {1, zeroed(ctx, s->width, sizeof *f.x)};
    for (size_t i = 0; i < s->width; i++)
        if (s->row[i] < 0 && in(n->set, s->env[i])) f.x[i] = g->m->pay.end[UP][cell(g->m, s->env[i], n->s, g->action[o])];
    for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
        const points part = f, *more = &s->of[g->edge[e]];
        const node *next = &g->node[g->edge[e]];
        bool any = false, sure = false;
        for (size_t i = 0; i < s->width; i++) {
            bool both = in(n->set, s->env[i]) && in(next->set, s->env[i]);
            ptrdiff_t to = both ? outcome(ctx, g->m, s->env[i], n->s, g->action[o], next->s) : -1;
            s->p[i] = to < 0 ? 0 : g->m->prob.end[UP][to];
            any = any || to >= 0;
            sure = sure || (to >= 0 && comes(s, n, s->env[i]));
        }
        if (s->most == 0 && part.count * more->count > SUMS) refuted(ctx, "too many vectors");
        if (!any || (more->count == 0 && !sure)) continue;
        f = sums(ctx, s, part.x, part.count, more);
        drop(ctx, part.x);
        thin(ctx, s, &f);
    }
    return f;
}

/* F(n), from the sets of the successors; did it change? */
static bool make_points(judge *ctx, const sets *s, const bound *b, size_t n)
{
    const node *from = &b->g->node[n];
    size_t width = s->width, kept = 0;
    points all = {from->options == 0, zeroed(ctx, width, sizeof *all.x)}, *old = &s->of[n];
    for (size_t i = 0; i < width && from->options == 0; i++)
        all.x[i] = s->row[i] >= 0 && in(from->set, s->env[i]) && keeps(b->g->m, s->row[i], from->s);
    for (size_t o = from->option; o < from->option + (size_t)from->options; o++) {
        s->was[o] = b->allowed[o];
        if (b->allowed[o]) all = unite(ctx, s, all, of_option(ctx, s, b->g, from, o));
    }
    for (size_t v = 0; v < all.count; v++) { /* without points that break a promise, whatever happens elsewhere */
        const double *x = all.x + v * width;
        bool broken = false;
        for (size_t i = 0; i < width; i++)
            if (s->row[i] >= 0 && comes(s, from, s->env[i]))
                broken |= 1 + from->rarest[s->env[i]] * fmin(0, x[i] - 1) < b->enough[s->row[i]];
        if (!broken) memmove(all.x + kept++ * width, x, width * sizeof *x);
    }
    all.count = kept;
    thin(ctx, s, &all);
    bool same = old->x && all.count == old->count && memcmp(all.x, old->x, all.count * width * sizeof *all.x) == 0;
    drop(ctx, old->x);
    *old = all;
    return !same;
}

size_t bound_points(judge *ctx, bound *b, int row, int most, const double **x)
{
    const node_graph *g = b->g;
    const model *m = g->m;
    int K = row < 0 ? m->K : 1, P = row < 0 ? m->P : 1;
    if (!b->sets) b->sets = zeroed(ctx, (size_t)m->P + 1, sizeof(sets *));
    sets *s = b->sets[row + 1];
    while (s && s->most != most) s = s->other;
    if (!s) {
        s = zeroed(ctx, 1, sizeof *s);
        *s = (sets){.other = b->sets[row + 1], .most = most, .alone = row >= 0, .width = (size_t)(K + P)};
        b->sets[row + 1] = s;
        s->env = zeroed(ctx, s->width, sizeof *s->env);
        s->row = zeroed(ctx, s->width, sizeof *s->row);
        s->p = zeroed(ctx, s->width, sizeof *s->p);
        for (int i = 0; i < K + P; i++) {
            s->row[i] = i < K ? -1 : row < 0 ? i - K : row;
            s->env[i] = i < K ? (row < 0 ? i : row / m->J) : s->row[i] / m->J;
        }
        s->of = zeroed(ctx, g->nodes, sizeof *s->of);
        s->was = zeroed(ctx, g->options, sizeof *s->was);
        s->changed = zeroed(ctx, g->nodes, sizeof *s->changed);
    }
    if (s->slack != b->slack || !s->of[0].x) memset(s->was, UCHAR_MAX, g->options);
    s->slack = b->slack;
    for (size_t n = g->nodes; n-- > 0;) {
        const node *from = &g->node[n];
        size_t first = from->option, last = first + (size_t)from->options;
        bool old = first == last || memcmp(s->was + first, b->allowed + first, last - first) != 0;
        for (size_t e = g->edge_start[first]; !old && e < g->edge_start[last]; e++) old = s->changed[g->edge[e]];
        s->changed[n] = old && make_points(ctx, s, b, n);
    }
    *x = s->of[0].x;
    return s->of[0].count;
}

/* ---- dominance: options that another one of their node is never worse than (FORMAT.md, "Dominated options"). */

/* Differences that rounding makes, relatively, for each step, and at most: a failure may have probability 1e-13. */
static const double NEAR_A_STEP = 0x1p-48, NEAR_MOST = 0x1p-40;

/* x [2 * (K + P)] of option o of node n: -U(k) and -Pr(row) at worst, U(k) and Pr(row) at best; rounded upwards. Where policies of
 * the case may not arrive in an environment, or do not, its worst or both are infinitely bad. */
static void look_after(judge *ctx, const bound *b, const node *n, size_t o, const uint64_t *about, double x[])
{
    const node_graph *g = b->g;
    const model *m = g->m;
    size_t half = (size_t)(m->K + m->P);
    memset(x, 0, 2 * half * sizeof *x);
    for (int k = 0; k < m->K; k++) {
        if (!in(n->set, k) || !in(about, k)) continue;
        x[k] = -m->pay.end[DOWN][cell(m, k, n->s, g->action[o])];
        x[half + (size_t)k] = m->pay.end[UP][cell(m, k, n->s, g->action[o])];
        for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
            const node *to = &g->node[g->edge[e]];
            const double *y = b->of_node + 2 * half * (size_t)g->edge[e];
            ptrdiff_t at = in(to->set, k) ? outcome(ctx, m, k, n->s, g->action[o], to->s) : -1;
            for (int j = -1; j < m->J && at >= 0; j++)
                for (size_t side = DOWN, i = (size_t)(j < 0 ? k : m->K + k * m->J + j); side <= UP; side++, i += half)
                    x[i] += isinf(y[i]) ? y[i] : m->prob.end[side][at] * y[i];
        }
    }
}

/* Is x, of an option, nowhere less than y, of another one, but for rounding? The difference is added to loss [2], of U and of Pr,
 * unless promises may not be lowered by it. */
static bool never_worse(const model *m, const node *n, const uint64_t *about, const bool counts[], const double *const of[2],
                        double loss[])
{
    const double *x = of[0], *y = of[1];
    int K = m->K, width = K + m->P;
    double most[2] = {0, 0}, near = fmin(NEAR_MOST, NEAR_A_STEP * (m->T + 2));
    for (int i = 0; i < width; i++) {
        int k = i < K ? i : (i - K) / m->J;
        double less = x[i] + y[width + i];
        if (!in(n->set, k) || !in(about, k) || (i >= K && !counts[i - K]) || y[width + k] == -INFINITY) continue;
        if (!(less <= near * y[width + i]) || !isfinite(less)) return false;
        most[i >= K] = fmax(most[i >= K], less);
    }
    if (loss[1] + most[1] > MOST_LOWERED) return false;
    for (int i = 0; i < 2; i++) loss[i] += most[i];
    return true;
}

void bound_drop(judge *ctx, bound *b, const uint64_t *about, const bool counts[], double loss[])
{
    const node_graph *g = b->g;
    const model *m = g->m;
    size_t half = (size_t)(m->K + m->P), width = 2 * half;
    double later[2] = {loss[0], loss[1]}; /* and of the nodes of one time the most that any of them loses */
    if (!b->of_node) {
        b->of_node = zeroed(ctx, g->nodes * width, sizeof *b->of_node);
        b->of_option = zeroed(ctx, ACTIONS * width, sizeof *b->of_option);
    }
    for (size_t n = g->nodes; n-- > 0;) {
        const node *at = &g->node[n];
        double *x = b->of_node + n * width, *y = b->of_option, here[2] = {later[0], later[1]};
        bool *left = b->allowed + at->option, some = at->options == 0;
        for (size_t i = 0; i < width; i++) x[i] = some ? 0 : -INFINITY;
        for (int row = 0; row < m->P && some; row++) {
            x[m->K + row] = -(double)keeps(m, row, at->s);
            x[half + (size_t)(m->K + row)] = keeps(m, row, at->s);
        }
        for (size_t o = 0; o < (size_t)at->options; o++)
            if (left[o]) look_after(ctx, b, at, at->option + o, about, y + o * width);
        for (size_t o = 0; o < (size_t)at->options; o++) {
            for (size_t other = 0; other < (size_t)at->options && left[o]; other++)
                if (other != o && left[other])
                    left[o] = !never_worse(m, at, about, counts, (const double *[]){y + other * width, y + o * width}, here);
            some = some || left[o];
        }
        for (size_t o = 0; o < (size_t)at->options; o++)
            for (size_t i = 0; i < width && left[o]; i++) x[i] = fmax(x[i], y[o * width + i]);
        for (size_t i = 0; i < half && !some; i++) x[i] = INFINITY;
        for (int i = 0; i < 2; i++) loss[i] = fmax(loss[i], here[i]);
        for (int i = 0; i < 2 && n == g->layer[at->t]; i++) later[i] = loss[i];
    }
}
