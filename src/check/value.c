/* check/value.c - U*_c(k), and what a policy is worth: exactly, while numbers are of a bearable length.
 *
 * U*_c(k) = max { U : Pr >= p } over the policies of environment k alone is the least over mu >= 0 of max (U + mu Pr) - mu p. Of the upper hull of all (Pr, U)
 * the edge across p is sought: an induction for the slope between two of its points finds a point above their line, or shows that there is none. A mixture of
 * two policies attains the optimum from below, the induction bounds it from above; where nothing was rounded the two are equal.
 */
#include "check/check.h"

#include <stdlib.h>

/* Rationals of more bits are rounded outwards to so many binary places. Decimals of a model need some hundred bits. */
enum { MOST_BITS = 1500, PLACES = 256 };

void check_span_init(check_span *x) { mpq_inits(x->low, x->high, NULL); }
void check_span_clear(check_span *x) { mpq_clears(x->low, x->high, NULL); }

static void shorten(mpq_t x, bool up)
{
    if (mpz_sizeinbase(mpq_denref(x), 2) <= MOST_BITS) return;
    mpz_mul_2exp(mpq_numref(x), mpq_numref(x), PLACES);
    if (up)
        mpz_cdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    else
        mpz_fdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    mpz_set_ui(mpq_denref(x), 1);
    mpz_mul_2exp(mpq_denref(x), mpq_denref(x), PLACES);
    mpq_canonicalize(x);
}

/* x += factor * y, factor >= 0; scratch. */
static void add_part(check_span *x, const mpq_t factor, const check_span *y, mpq_t scratch)
{
    mpq_mul(scratch, factor, y->low);
    mpq_add(x->low, x->low, scratch);
    mpq_mul(scratch, factor, y->high);
    mpq_add(x->high, x->high, scratch);
}

static void settle(check_span *x)
{
    shorten(x->low, false);
    shorten(x->high, true);
}

static void set(check_span *x, const check_span *y)
{
    mpq_set(x->low, y->low);
    mpq_set(x->high, y->high);
}

static void set_both(check_span *x, const mpq_t y)
{
    mpq_set(x->low, y);
    mpq_set(x->high, y);
}

/* ---- one environment alone ---- */

/* A policy's U and q = Pr, and an upper bound v on U + mu q of all. */
typedef struct check_point {
    check_span u, q, v;
} check_point;

static void point_init(check_point *x)
{
    check_span_init(&x->u);
    check_span_init(&x->q);
    check_span_init(&x->v);
}

static void point_clear(check_point *x)
{
    check_span_clear(&x->u);
    check_span_clear(&x->q);
    check_span_clear(&x->v);
}

static void point_swap(check_point *x, check_point *y)
{
    check_point keep = *x;
    *x = *y;
    *y = keep;
}

typedef struct check_alone {
    const check_model *m;
    int k;
    bool *comes;               /* [(T + 1) * S] can the environment be there? */
    check_point *here, *after; /* [S] */
    check_point option;
    mpq_t mu, x, y;
} check_alone;

static void find_coming(check_alone *e)
{
    const check_model *m = e->m;
    size_t S = (size_t)m->S;
    e->comes[m->s0] = true;
    for (int t = 0; t < m->T; t++)
        for (int s = 0; s < m->S; s++) {
            if (!e->comes[(size_t)t * S + (size_t)s]) continue;
            for (size_t o = m->start[check_cell(m, e->k, s, 0)]; o < m->start[check_cell(m, e->k, s, m->A - 1) + 1]; o++)
                e->comes[((size_t)t + 1) * S + (size_t)m->next[o]] = true;
        }
}

/* Is the option better than `best` for u + mu q (of equals: larger q), or for q (of equals: larger u)? */
static bool better(check_alone *e, const check_point *best, bool by_promise)
{
    const check_point *now = &e->option;
    int order;
    if (by_promise) {
        order = mpq_cmp(now->q.low, best->q.low);
        return order > 0 || (order == 0 && mpq_cmp(now->u.low, best->u.low) > 0);
    }
    mpq_mul(e->x, e->mu, now->q.low);
    mpq_add(e->x, e->x, now->u.low);
    mpq_mul(e->y, e->mu, best->q.low);
    mpq_add(e->y, e->y, best->u.low);
    order = mpq_cmp(e->x, e->y);
    return order > 0 || (order == 0 && mpq_cmp(now->q.low, best->q.low) > 0);
}

/* The best option at s, of those that lead to e->after. */
static void choose(check_alone *e, int s, bool by_promise)
{
    const check_model *m = e->m;
    check_point *best = &e->here[s], *now = &e->option;
    bool any = false;
    for (int a = 0; a < m->A; a++) {
        size_t cell = check_cell(m, e->k, s, a);
        if (m->start[cell] == m->start[cell + 1]) continue;
        set_both(&now->u, m->pay[cell]);
        set_both(&now->v, m->pay[cell]);
        mpq_set_ui(e->x, 0, 1);
        set_both(&now->q, e->x);
        for (size_t o = m->start[cell]; o < m->start[cell + 1]; o++) {
            const check_point *next = &e->after[m->next[o]];
            add_part(&now->u, m->prob[o], &next->u, e->x);
            add_part(&now->q, m->prob[o], &next->q, e->x);
            add_part(&now->v, m->prob[o], &next->v, e->x);
        }
        if (!any || better(e, best, by_promise)) {
            set(&best->u, &now->u);
            set(&best->q, &now->q);
        }
        if (!any || mpq_cmp(now->v.high, best->v.high) > 0) set(&best->v, &now->v);
        any = true;
    }
    settle(&best->u);
    settle(&best->q);
    settle(&best->v);
}

/* The policy of largest U + mu Pr, or (by_promise) of largest Pr; x->v bounds the former. */
static void induct(check_alone *e, bool by_promise, check_point *x)
{
    const check_model *m = e->m;
    for (int s = 0; s < m->S; s++) {
        mpq_set_ui(e->x, 0, 1);
        set_both(&e->after[s].u, e->x);
        mpq_set_ui(e->x, m->phi[s], 1);
        set_both(&e->after[s].q, e->x);
        mpq_mul(e->x, e->x, e->mu);
        set_both(&e->after[s].v, e->x);
    }
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++)
            if (e->comes[(size_t)t * (size_t)m->S + (size_t)s]) choose(e, s, by_promise);
        check_point *swap = e->here;
        e->here = e->after;
        e->after = swap;
    }
    set(&x->u, &e->after[m->s0].u);
    set(&x->q, &e->after[m->s0].q);
    set(&x->v, &e->after[m->s0].v);
}

/* optimum.low: the mixture of left and right that keeps the promise; high: the bound of mu. */
static void mix(check_alone *e, const check_point *left, const check_point *right, const check_point *top, check_span *optimum)
{
    mpq_mul(e->x, e->mu, e->m->p);
    mpq_sub(optimum->high, top->v.high, e->x);
    mpq_sub(e->x, e->m->p, left->q.low); /* share of right: (p - ql) / (qr - ql) */
    mpq_sub(e->y, right->q.low, left->q.low);
    if (mpq_sgn(e->y) <= 0 || mpq_cmp(e->x, e->y) > 0) {
        mpq_set(optimum->low, right->u.low);
        return;
    }
    mpq_div(e->x, e->x, e->y);
    mpq_sub(e->y, right->u.low, left->u.low);
    mpq_mul(e->y, e->y, e->x);
    mpq_add(optimum->low, left->u.low, e->y);
}

/* From the unconstrained and the safest policy inwards. */
static void close_in(check_alone *e, check_point *left, check_point *right, check_span *optimum)
{
    check_point top;
    point_init(&top);
    for (;;) {
        mpq_sub(e->x, left->u.low, right->u.low);
        mpq_sub(e->y, right->q.low, left->q.low);
        if (mpq_sgn(e->x) < 0) mpq_set_ui(e->x, 0, 1);
        mpq_div(e->mu, e->x, e->y); /* left has less of q than p, right has no less */
        shorten(e->mu, true);
        induct(e, false, &top);
        mpq_mul(e->x, e->mu, left->q.low);
        mpq_add(e->x, e->x, left->u.low);
        mpq_mul(e->y, e->mu, top.q.low);
        mpq_add(e->y, e->y, top.u.low);
        mpq_sub(e->y, e->y, e->x);
        mpq_set_ui(e->x, 1, 1);
        mpq_div_2exp(e->x, e->x, PLACES / 2); /* what is rounded may seem to rise by its rounding */
        if (mpq_cmp(e->y, e->x) <= 0) break;
        point_swap(mpq_cmp(top.q.low, e->m->p) >= 0 ? right : left, &top);
    }
    mix(e, left, right, &top, optimum);
    point_clear(&top);
}

bool check_optimum(const check_model *m, int k, const mpq_t keep, check_span *optimum, check_span *most)
{
    check_alone e = {.m = m, .k = k};
    check_point left, right;
    size_t S = (size_t)m->S;
    e.comes = zeroed(((size_t)m->T + 1) * S, sizeof *e.comes);
    e.here = zeroed(S, sizeof *e.here);
    e.after = zeroed(S, sizeof *e.after);
    for (size_t s = 0; s < S; s++) {
        point_init(&e.here[s]);
        point_init(&e.after[s]);
    }
    point_init(&e.option);
    point_init(&left);
    point_init(&right);
    mpq_inits(e.mu, e.x, e.y, NULL);
    find_coming(&e);
    induct(&e, true, &right);
    set(most, &right.q);
    mpq_sub(e.x, m->p, keep);
    bool can = mpq_cmp(right.q.high, e.x) >= 0;
    if (mpq_cmp(right.q.low, m->p) < 0) { /* within the tolerance at best: the regret is measured against the safest policy */
        set(optimum, &right.u);
    } else {
        mpq_set_ui(e.mu, 0, 1);
        induct(&e, false, &left);
        mpq_set(optimum->low, left.u.low);
        mpq_set(optimum->high, left.v.high);
        if (mpq_cmp(left.q.low, m->p) < 0) close_in(&e, &left, &right, optimum);
    }
    for (size_t s = 0; s < S; s++) {
        point_clear(&e.here[s]);
        point_clear(&e.after[s]);
    }
    free(e.here);
    free(e.after);
    free(e.comes);
    point_clear(&e.option);
    point_clear(&left);
    point_clear(&right);
    mpq_clears(e.mu, e.x, e.y, NULL);
    return can;
}

/* ---- a policy ---- */

/* Environment k from node n on to the nodes that follow, reach [nodes] their probability so far. */
static void pass_on(const check_graph *g, const check_rule *rule, int n, int k, check_span reach[], bool reached[], check_span *U)
{
    const check_model *m = g->m;
    const check_node *x = &g->node[n];
    mpq_t scratch, share;
    mpq_inits(scratch, share, NULL);
    for (int i = 0; i < rule->count; i++) {
        int a = rule->action[i], choice = check_choice(x, check_option(g, n, a));
        size_t cell = check_cell(m, k, x->s, a);
        mpq_mul(share, rule->chance[i], m->pay[cell]);
        add_part(U, share, &reach[n], scratch);
        for (int e = g->choice_edge[choice]; e < g->choice_edge[choice + 1]; e++) {
            const check_node *to = &g->node[g->edge[e]];
            ptrdiff_t o = check_in(to->set, k) ? check_outcome(m, k, x->s, a, to->s) : -1;
            if (o < 0) continue;
            if (!reached[g->edge[e]]) check_span_init(&reach[g->edge[e]]);
            reached[g->edge[e]] = true;
            mpq_mul(share, rule->chance[i], m->prob[o]);
            add_part(&reach[g->edge[e]], share, &reach[n], scratch);
        }
    }
    mpq_clears(scratch, share, NULL);
}

int check_value(const check_graph *g, const check_rule *const rule[], check_span U[], check_span Pr[])
{
    const check_model *m = g->m;
    check_span *reach = zeroed(g->nodes, sizeof *reach);
    bool *reached = zeroed(g->nodes, sizeof *reached);
    int bare = -1;
    mpq_t one, scratch;
    mpq_inits(one, scratch, NULL);
    mpq_set_ui(one, 1, 1);
    for (int k = 0; k < m->K; k++) {
        check_span_init(&reach[0]);
        set_both(&reach[0], one);
        reached[0] = true;
        for (int n = 0; n < (int)g->nodes; n++) {
            if (!reached[n]) continue;
            settle(&reach[n]);
            if (g->node[n].t < m->T && !rule[n]) bare = n;
            if (g->node[n].t < m->T && rule[n]) {
                pass_on(g, rule[n], n, k, reach, reached, &U[k]);
                settle(&U[k]);
            } else if (m->phi[g->node[n].s]) {
                add_part(&Pr[k], one, &reach[n], scratch);
            }
            check_span_clear(&reach[n]);
            reached[n] = false;
        }
        settle(&Pr[k]);
    }
    mpq_clears(one, scratch, NULL);
    free(reach);
    free(reached);
    return bare;
}

/* Class c on to the classes that follow: reach [classes] is what likelihoods are multiplied by. */
static void pass_class(const check_rung *r, const check_rule *rule, size_t c, check_span reach[], check_span U[])
{
    const check_graph *g = r->g;
    const check_node *x = &g->node[r->node[c]];
    mpq_t scratch, share;
    mpq_inits(scratch, share, NULL);
    for (int i = 0; i < rule->count; i++) {
        int a = rule->action[i];
        size_t slot = r->slot[c] + (size_t)(check_choice(x, check_option(g, r->node[c], a)) - x->first_choice);
        for (size_t w = r->weight_start[c]; w < r->weight_start[c + 1]; w++) {
            mpq_mul(share, rule->chance[i], g->m->pay[check_cell(g->m, r->env[w], x->s, a)]);
            mpq_mul(share, share, r->weight[w]);
            add_part(&U[r->env[w]], share, &reach[c], scratch);
        }
        for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++) {
            mpq_mul(share, rule->chance[i], r->factor[arc]);
            add_part(&reach[r->arc[arc]], share, &reach[c], scratch);
        }
    }
    mpq_clears(scratch, share, NULL);
}

int check_class_value(const check_rung *r, const check_rule *const rule[], check_span U[], check_span Pr[])
{
    const check_model *m = r->g->m;
    check_span *reach = zeroed(r->classes, sizeof *reach);
    int bare = -1;
    mpq_t scratch;
    mpq_init(scratch);
    for (size_t c = 0; c < r->classes; c++) check_span_init(&reach[c]);
    mpq_set_ui(reach[0].low, 1, 1);
    mpq_set_ui(reach[0].high, 1, 1);
    for (size_t c = 0; c < r->classes; c++) {
        const check_node *x = &r->g->node[r->node[c]];
        settle(&reach[c]);
        if (mpq_sgn(reach[c].high) > 0 && x->t < m->T) {
            if (rule[c])
                pass_class(r, rule[c], c, reach, U);
            else
                bare = (int)c;
        }
        for (size_t w = r->weight_start[c]; x->t == m->T && m->phi[x->s] && w < r->weight_start[c + 1]; w++)
            add_part(&Pr[r->env[w]], r->weight[w], &reach[c], scratch);
        check_span_clear(&reach[c]);
    }
    for (int k = 0; k < m->K; k++) {
        settle(&U[k]);
        settle(&Pr[k]);
    }
    mpq_clear(scratch);
    free(reach);
    return bare;
}
