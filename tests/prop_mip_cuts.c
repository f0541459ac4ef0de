/* Every separator on random programs: no cut may lose a feasible integer point with any continuous part. For each setting of the
 * integer columns the left side of the cut is maximised over the others by LP. VOUCH_TEST_ROUNDS sets the number of programs. */
#include "lp_aid.h"

#include <vouch/mip.h>

#include "mip/search.h"
#include "oracle/mips.h"

static bool accept_nothing(void *context, const double *x, double *value)
{
    (void)context;
    (void)x;
    (void)value;
    return false;
}

/* Largest value of the cut's left side with the integer columns as in x; -INFINITY when there is no such
 * point. */
static double largest(const mips *p, const mip_cut *c, const double *x)
{
    vouch_lp *lp;
    vouch_lp_result r;
    assert_int_equal(vouch_lp_clone(&lp, p->lp), VOUCH_OK);
    for (int j = 0; j < p->n; j++) {
        vouch_lp_set_cost(lp, j, 0);
        if (p->integer[j]) vouch_lp_set_col_bounds(lp, j, x[j], x[j]);
    }
    for (int k = 0; k < c->count; k++) vouch_lp_set_cost(lp, c->index[k], c->value[k]);
    vouch_lp_set_maximize(lp, 1);
    vouch_lp_set_offset(lp, 0);
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    double value = r.outcome == VOUCH_LP_INFEASIBLE ? -INFINITY : r.outcome == VOUCH_LP_OPTIMAL ? r.objective : INFINITY;
    vouch_lp_free(lp);
    return value;
}

static void (*const separators[])(cut_scene *c) = {separate_gomory,  separate_mir,  separate_cover,  separate_clique,
                                                   separate_implied, separate_path, separate_network};
enum { IMPLIED = 4, SEPARATORS = sizeof separators / sizeof *separators };

/* No cut found at the relaxation's point loses an integer point of p. */
static void check_cuts(const mips *p, int seed, const cut_scene *c, int which)
{
    for (size_t k = 0; k < c->found.count; k++) {
        const mip_cut *q = &c->found.item[k];
        double x[MIPS_COLS], activity = 0;
        for (int e = 0; e < q->count; e++) activity += q->value[e] * c->x[q->index[e]];
        assert_true(activity > q->upper); /* it cuts the point off */
        for (bool go = mips_first(p, x); go; go = mips_next(p, x)) {
            double most = largest(p, q, x);
            if (!(most <= q->upper + 1e-6 * (1 + fabs(q->upper))))
                fail_msg("seed %d separator %d: %.12g > %.12g", seed, which, most, q->upper);
        }
    }
}

/* Adds to found the cuts of each separator at the root's relaxation of p, which is freed. */
static void check_program(mips *p, int seed, int *found)
{
    mip_model model;
    mip_search s;
    vouch_mip_options o;
    vouch_limits none = {0};
    deadline clock = deadline_start(&none);
    mip_owner owner = {.accept = accept_nothing};
    vouch_mip_options_init(&o);
    assert_int_equal(mip_model_build(&model, p->lp), VOUCH_OK);
    assert_int_equal(mip_search_init(&s, &model, &o, &clock, &owner), VOUCH_OK);
    bool solved = relax_solve(&s.lp.relax, INFINITY, 0) == RELAX_OPTIMAL;
    if (solved) mip_search_take_point(&s);
    for (int which = 0; which < SEPARATORS && solved; which++) {
        cut_scene c;
        assert_int_equal(cut_scene_init(&c, s.model, s.lp.relax.lp, (cut_request){s.dom.lower, s.dom.upper, s.lp.x, false}),
                         VOUCH_OK);
        separators[which](&c);
        check_cuts(p, seed, &c, which);
        found[which] += (int)c.found.count;
        cut_scene_free(&c);
    }
    mip_search_free(&s);
    mip_model_free(&model);
    vouch_lp_free(p->lp);
}

static int rounds(void) { return test_count("VOUCH_TEST_ROUNDS", 250); }

static void cuts_keep_every_integer_point(void **state)
{
    (void)state;
    int found[SEPARATORS] = {0};
    for (int seed = 1; seed <= rounds(); seed++) {
        mips p = mips_make((uint64_t)seed);
        check_program(&p, seed, found);
    }
    for (int which = 0; which < IMPLIED && rounds() >= 250; which++) assert_true(found[which] > 5); /* the others: below */
}

enum { PERIODS = 3, LINKS = 2 };

static double draw(rng *r, int low, int high) { return low + (double)rng_below(r, (uint64_t)(high - low + 1)); }

/* Entry of one column in row i of the flow, at times also in another one. */
static void flow(rng *r, sample *d, const double *factor, int from, int to)
{
    for (int i = 0; i < PERIODS; i++) {
        double v = (i == to) - (i == from);
        if (v == 0 && rng_below(r, 12) == 0) v = draw(r, -1, 1);
        if (v != 0) entry(d, i, v * factor[i]);
    }
}

/* Lot sizing: x_t <= M y_t made in period t, stock s_t kept for the next; rows of any scale and sign, switches that are on at 0,
 * lower bounds, and links from any period to any other. Columns: x, y, s, links; rows: balances, switches. */
static mips lots(uint64_t seed)
{
    rng r = rng_seed(seed);
    mips p = {.n = 3 * PERIODS + LINKS, .m = 2 * PERIODS};
    sample d = sample_new(p.m, p.n);
    static const double factors[] = {1, -1, 2, -0.5};
    double factor[PERIODS], most[PERIODS];
    bool inverse[PERIODS];
    d.start[p.n] = 0;
    for (int j = 0; j < p.n; j++) {
        int t = j % PERIODS, kind = j / PERIODS;
        if (kind == 0) {
            factor[t] = factors[rng_below(&r, 4)];
            most[t] = draw(&r, 8, 40);
            inverse[t] = rng_below(&r, 4) == 0;
            double demand = factor[t] * draw(&r, rng_below(&r, 4) ? 1 : -5, 15);
            d.rl[t] = factor[t] < 0 && rng_below(&r, 4) == 0 ? -INFINITY : demand;
            d.ru[t] = factor[t] > 0 && rng_below(&r, 4) == 0 ? INFINITY : demand;
            d.rl[PERIODS + t] = -INFINITY;
            d.ru[PERIODS + t] = inverse[t] ? most[t] : 0;
            flow(&r, &d, factor, -1, t);
            entry(&d, PERIODS + t, 1);
        } else if (kind == 1) {
            entry(&d, PERIODS + t, inverse[t] ? most[t] : -most[t]);
        } else if (kind == 2) {
            flow(&r, &d, factor, t, t + 1);
        } else {
            flow(&r, &d, factor, (int)rng_below(&r, PERIODS + 1), (int)rng_below(&r, PERIODS + 1));
        }
        close_column(&d, j);
        p.integer[j] = kind == 1;
        p.upper[j] = d.cu[j] = kind == 1 ? 1 : rng_below(&r, 3) ? 60 : 20;
        p.lower[j] = d.cl[j] = kind == 2 && rng_below(&r, 4) == 0 ? draw(&r, -3, 3) : 0;
        d.cost[j] = kind == 1 ? draw(&r, 5, 30) * (inverse[t] ? -1 : 1) : kind == 3 ? draw(&r, 3, 9) : draw(&r, 0, 3);
    }
    p.lp = sample_load(&d);
    for (int j = 0; j < p.n; j++) vouch_lp_set_integer(p.lp, j, p.integer[j]);
    sample_free(&d);
    return p;
}

static void cuts_of_lots_keep_every_integer_point(void **state)
{
    (void)state;
    int found[SEPARATORS] = {0};
    for (int seed = 1; seed <= rounds(); seed++) {
        mips p = lots((uint64_t)seed);
        check_program(&p, seed, found);
    }
    if (rounds() >= 250) assert_true(found[SEPARATORS - 2] > 100);
}

enum { NODES = 4, ARCS = 6 };

/* Arcs x_a <= M_a y_a between nodes, or from and to the outside, that meet demands; now and then a switch, or an arc, has an entry
 * in another node's row, arcs share capacities, or add to them, and have lower bounds. Columns: x, y; rows: nodes, switches. */
static mips networks(uint64_t seed)
{
    rng r = rng_seed(seed);
    mips p = {.n = 2 * ARCS, .m = NODES + ARCS};
    sample d = sample_new(p.m, p.n);
    double most[ARCS], sign = rng_below(&r, 2) ? 1 : -1;
    d.start[p.n] = 0;
    for (int i = 0; i < NODES; i++) {
        double demand = sign * draw(&r, i == 0 ? -25 : 0, i == 0 ? -5 : 9);
        d.rl[i] = sign < 0 && rng_below(&r, 3) == 0 ? -INFINITY : demand;
        d.ru[i] = sign > 0 && rng_below(&r, 3) == 0 ? INFINITY : demand;
    }
    for (int j = 0; j < p.n; j++) {
        int a = j % ARCS, tail = (int)rng_below(&r, NODES + (j % 3 == 0)), head = (int)rng_below(&r, NODES);
        bool is_switch = j >= ARCS;
        for (int i = 0; i < NODES; i++) {
            double v = is_switch ? 0 : (i == head) - (i == tail);
            if (rng_below(&r, is_switch ? 8 : 20) == 0) v += draw(&r, -2, 4);
            if (v != 0) entry(&d, i, sign * v);
        }
        if (!is_switch) most[a] = rng_below(&r, 2) ? 30 : draw(&r, 3, 12);
        d.rl[NODES + a] = -INFINITY;
        d.ru[NODES + a] = 0;
        bool shares = !is_switch && a > 0 && rng_below(&r, 4) == 0; /* the capacity of the arc before */
        entry(&d, NODES + a - shares, is_switch ? -most[a] : shares && rng_below(&r, 3) == 0 ? -1 : 1);
        close_column(&d, j);
        p.integer[j] = is_switch;
        p.upper[j] = d.cu[j] = is_switch ? 1 : rng_below(&r, 3) ? 40 : INFINITY;
        p.lower[j] = d.cl[j] = !is_switch && rng_below(&r, 6) == 0 ? -3 : 0;
        d.cost[j] = is_switch ? draw(&r, 5, 30) : draw(&r, 0, 3);
    }
    p.lp = sample_load(&d);
    for (int j = 0; j < p.n; j++) vouch_lp_set_integer(p.lp, j, p.integer[j]);
    sample_free(&d);
    return p;
}

static void cuts_of_networks_keep_every_integer_point(void **state)
{
    (void)state;
    int found[SEPARATORS] = {0};
    for (int seed = 1; seed <= rounds(); seed++) {
        mips p = networks((uint64_t)seed);
        check_program(&p, seed, found);
    }
    if (rounds() >= 250) assert_true(found[SEPARATORS - 1] > 100);
}

enum { TIMES = 2, CHOICES = 6 };

/* Times t in windows, and choices y of each of which some exclude each other and move times: +-t_a +- d t_b + sum m y <= b.
 * Columns: t, y; rows: moves, exclusions of two or three choices, which are equalities at times. */
static mips schedules(uint64_t seed)
{
    rng r = rng_seed(seed);
    enum { MOVES = 6, SETS = 2 };
    mips p = {.n = TIMES + CHOICES, .m = MOVES + SETS};
    sample d = sample_new(p.m, p.n);
    double coefficient[MOVES][TIMES + CHOICES] = {{0}}, least[MOVES] = {0}, span[MOVES] = {0}, low[TIMES], high[TIMES];
    for (int t = 0; t < TIMES; t++) low[t] = draw(&r, -5, 20), high[t] = low[t] + draw(&r, 4, 20);
    for (int i = 0; i < MOVES; i++) {
        for (int t = 0; t < TIMES; t++) coefficient[i][t] = t == i % TIMES || rng_below(&r, 3) == 0 ? rng_below(&r, 2) ? 1 : -1 : 0;
        for (int k = 0; k < 3; k++) coefficient[i][TIMES + rng_below(&r, CHOICES)] = draw(&r, -12, 12);
        for (int j = 0; j < p.n; j++) {
            double a = coefficient[i][j], l = j < TIMES ? low[j] : 0, u = j < TIMES ? high[j] : 1;
            least[i] += fmin(a * l, a * u);
            span[i] += fabs(a) * (u - l);
        }
        bool below = rng_below(&r, 2);
        double part = draw(&r, 3, 9) / 10;
        d.ru[i] = below ? INFINITY : least[i] + part * span[i];
        d.rl[i] = below ? least[i] + (1 - part) * span[i] : -INFINITY;
    }
    for (int q = 0; q < SETS; q++) d.ru[MOVES + q] = 1, d.rl[MOVES + q] = rng_below(&r, 3) ? -INFINITY : 1;
    d.start[p.n] = 0;
    for (int j = 0; j < p.n; j++) {
        for (int i = 0; i < MOVES; i++)
            if (coefficient[i][j] != 0) entry(&d, i, coefficient[i][j]);
        for (int q = 0; q < SETS; q++)
            if (j >= TIMES && (j - TIMES) / 3 == q) entry(&d, MOVES + q, 1);
        close_column(&d, j);
        p.integer[j] = j >= TIMES;
        p.lower[j] = d.cl[j] = j < TIMES ? low[j] : 0;
        p.upper[j] = d.cu[j] = j < TIMES ? high[j] : 1;
        d.cost[j] = draw(&r, -9, 9);
    }
    p.lp = sample_load(&d);
    for (int j = 0; j < p.n; j++) vouch_lp_set_integer(p.lp, j, p.integer[j]);
    sample_free(&d);
    return p;
}

static void cuts_of_schedules_keep_every_integer_point(void **state)
{
    (void)state;
    int found[SEPARATORS] = {0};
    for (int seed = 1; seed <= rounds(); seed++) {
        mips p = schedules((uint64_t)seed);
        check_program(&p, seed, found);
    }
    if (rounds() >= 250) assert_true(found[IMPLIED] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_keep_every_integer_point), cmocka_unit_test(cuts_of_schedules_keep_every_integer_point),
        cmocka_unit_test(cuts_of_lots_keep_every_integer_point), cmocka_unit_test(cuts_of_networks_keep_every_integer_point)};
    return run_tests(tests);
}
