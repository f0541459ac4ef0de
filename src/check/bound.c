/* check/bound.c - the bounds of multipliers and paths. No term is negative (rewards are counted from the least of them), so that
 * rounding every operation upwards gives no less than the exact result. */
#include "check/check.h"

void bound_over(bound *b, node_graph *g, const rung *r)
{
    judge *ctx = g->ctx;
    if (!b->g) {
        b->scaled.ctx = b->value.ctx = ctx;
        b->allowed = zeroed(ctx, g->options, sizeof *b->allowed);
        b->givable = zeroed(ctx, g->options, sizeof *b->givable);
        b->heavy = zeroed(ctx, (size_t)g->m->K, sizeof *b->heavy);
        numbers_room(&b->scaled, cell(g->m, g->m->K, 0, 0));
        memset(b->allowed, true, g->options * sizeof *b->allowed);
    }
    drop(ctx, b->of);
    b->of = zeroed(ctx, r->classes, sizeof *b->of);
    numbers_room(&b->value, r->classes + 1);
    b->g = g;
    b->mixed = r;
}

bound *bound_alone(node_graph *g, int k)
{
    bound **b = &g->alone[(g->ctx->rationals & VALUES) != 0];
    if (!*b) *b = zeroed(g->ctx, 1, sizeof **b);
    bound_over(*b, g, rung_known(g, k));
    return *b;
}

/* The value of option i of class c, to value `at`; false: it is not allowed, or no policy is left after it. */
static bool slot_value(const bound *b, size_t c, int i, size_t at)
{
    const rung *r = b->mixed;
    const node *n = &b->g->node[r->node[c]];
    size_t o = n->option + (size_t)i, slot = r->slot[c] + (size_t)i, K = (size_t)b->g->m->K;
    if (!b->allowed[o]) return false;
    spend(b->g->ctx, r->weight_start[c + 1] - r->weight_start[c] + r->arc_start[slot + 1] - r->arc_start[slot]);
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

/* The induction over classes: values of all of them. */
static void induce(bound *b, numbers price)
{
    const rung *r = b->mixed;
    const model *m = b->g->m;
    for (size_t c = r->classes, now = c; c-- > 0;) {
        const node *n = &b->g->node[r->node[c]];
        double worth[ACTIONS] = {0}; /* of a box, where all options are left */
        zero(b->value, c);
        b->of[c].dead = n->t < m->T;
        for (size_t i = r->weight_start[c]; n->t == m->T && i < r->weight_start[c + 1]; i++)
            for (int row = r->env[i] * m->J; row < (r->env[i] + 1) * m->J; row++)
                if (keeps(m, row, n->s)) add(b->value, c, price, (size_t)row, r->weight, i);
        for (int i = 0; i < n->options; i++) {
            if (!slot_value(b, c, i, now)) {
                if (b->boxed) refuted(m->ctx, "a box is of all options of its nodes, and one is left out");
                continue;
            }
            if (b->of[c].dead || compare(b->value, now, b->value, c) > 0) {
                set(b->value, c, b->value, now);
                b->of[c].best = i;
            }
            worth[i] = b->value.end[UP][now];
            b->of[c].dead = false;
        }
        if (b->boxed && n->options > 0) b->value.end[UP][c] = boxes_most(b, n, worth);
    }
}

bool bound_most(bound *b, int what, numbers weight, numbers price, mpq_ptr most)
{
    const model *m = b->g->m;
    numbers pay = what == VALUES ? m->paid : m->pay;
    mpq_ptr off = temp(m->ctx);
    arithmetic(m->ctx, what, UP);
    for (int k = 0; k < m->K; k++) {
        b->heavy[k] = mpq_sgn(weight.q[k]) > 0;
        for (size_t i = cell(m, k, 0, 0); b->heavy[k] && i < cell(m, k, m->S, 0); i++) {
            zero(b->scaled, i);
            add(b->scaled, i, weight, (size_t)k, pay, i);
        }
    }
    if (b->forgets) {
        b->value.end[UP][0] = walk_most(b, price);
        b->of[0].dead = false;
    } else {
        induce(b, price);
    }
    /* the shift, which every policy was paid an environment and step, comes off; what prices give back comes on */
    double back = b->boxed ? boxes_back(b) : 0, less = b->boxed ? back + -b->shift * ((double)m->T * m->K) : 0;
    get(b->value, 0, most);
    arithmetic_end();
    if (back == -INFINITY) return false;
    from_double(m->ctx, off, less);
    mpq_add(most, most, off);
    return !b->of[0].dead;
}

/* A policy that uses an option arrives by a path of classes, is in each of them with at least the probability of the path, and
 * loses there the value less its option's. Paths that lose `room` already need not be followed. */
bool bound_short(bound *b, double room)
{
    const rung *r = b->mixed;
    bool all = true;
    arithmetic(b->g->ctx, 0, UP); /* the negative of a number that is rounded upwards is rounded downwards */
    for (size_t c = 0; c < r->classes; c++) b->of[c].loss = b->of[c].least = INFINITY;
    b->of[0].loss = 0;
    b->of[0].least = 1;
    for (size_t c = 0; c < r->layer[b->g->m->T]; c++) {
        const node *n = &b->g->node[r->node[c]];
        bound_class *of = &b->of[c];
        if (!(of->loss < room) || of->dead) continue;
        for (int a = 0; a < n->options; a++) {
            size_t slot = r->slot[c] + (size_t)a;
            if (!slot_value(b, c, a, r->classes)) continue;
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
    arithmetic_end();
    return all;
}
