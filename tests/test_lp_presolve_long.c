/* Presolve on rows and columns of hundreds of entries: the same answers with and without it, and lists that grow no faster than the
 * problem. */
#include "lp_aid.h"

#include "lp/presolve.h"

enum { PROGRAMS = 60 };

typedef struct drawing {
    sample s;
    rng *r;
    int sparse_rows, long_rows, singleton_rows;
} drawing;

/* The sides of row i around the activity that the drawn point has there, so that there is a feasible point; now and then not. */
static void draw_sides(drawing *d, int i, double activity)
{
    int kind = pick(d->r, 4), gap = pick(d->r, 6);
    if (pick(d->r, 4000) == 0) activity += 500;
    d->s.rl[i] = kind == 1 ? -INFINITY : kind == 0 ? activity : activity - gap;
    d->s.ru[i] = kind == 2 ? INFINITY : kind == 0 ? activity : activity + gap;
}

/* Long rows over many columns, most of them singletons; a few columns have hundreds of rows of their own, or one entry in each of
 * hundreds of short rows; many columns repeat others. */
static sample draw_long(rng *r)
{
    int cols = 300 + pick(r, 400), hubs = 1 + pick(r, 2);
    drawing d = {.r = r, .sparse_rows = pick(r, 300), .long_rows = 1 + pick(r, 2), .singleton_rows = pick(r, 400)};
    int m = d.sparse_rows + d.long_rows + d.singleton_rows;
    d.s = sample_new(m, cols);
    double *activity = calloc((size_t)m, sizeof *activity);
    for (int j = 0; j < cols; j++) {
        int x = pick(r, 5), only = pick(r, 3);
        bool hub = j < hubs;
        d.s.cost[j] = pick(r, 9) - (pick(r, 2) ? 2 : 0);
        bool free_to_fall = pick(r, 6) == 0 && (d.s.cost[j] <= 0 || pick(r, 200) == 0); /* seldom unbounded */
        d.s.cl[j] = free_to_fall ? -INFINITY : 0;
        d.s.cu[j] = pick(r, 3) || d.s.cost[j] < 0 ? 4 + pick(r, 4) : (double)INFINITY;
        for (int i = 0; i < m; i++) {
            bool is_long = i >= d.sparse_rows && i < d.sparse_rows + d.long_rows;
            bool own = i < d.sparse_rows ? (hub || (only == 0 && i == j % d.sparse_rows))
                       : is_long         ? only > 0 || pick(r, 3)
                                         : hub && i % hubs == j;
            if (!own) continue;
            double a = (pick(r, 3) ? 1 : -1) * (1 + pick(r, 3));
            entry(&d.s, i, a);
            activity[i] += a * x;
        }
        close_column(&d.s, j);
    }
    for (int i = 0; i < m; i++) draw_sides(&d, i, activity[i]);
    free(activity);
    return d.s;
}

static void the_same_answers(void **state)
{
    (void)state;
    rng r = rng_seed(20);
    int optimal = 0;
    for (int number = 0; number < PROGRAMS; number++) {
        sample s = draw_long(&r);
        vouch_lp *lp = sample_load(&s);
        vouch_lp_outcome outcome = VOUCH_LP_UNSOLVED;
        double optimum = 0;
        for (int level = 0; level <= 2; level++) {
            vouch_lp_options options;
            vouch_lp_options_init(&options);
            options.presolve = level;
            vouch_lp_forget_basis(lp);
            vouch_lp_result found = solve_checked(lp, &options);
            if (level == 0) outcome = found.outcome, optimum = found.objective;
            assert_int_equal(found.outcome, outcome);
            if (outcome == VOUCH_LP_OPTIMAL) assert_near(found.objective, optimum, 1e-8 * (1 + fabs(optimum)));
        }
        optimal += outcome == VOUCH_LP_OPTIMAL;
        vouch_lp_free(lp);
        sample_free(&s);
    }
    if (optimal <= PROGRAMS / 3 || optimal == PROGRAMS) fail_msg("%d optimal", optimal);
}

/* What presolve keeps for the way back, as a multiple of the entries; all of the problem is presolved away. */
static double kept_part(const sample *s)
{
    vouch_lp_data data = sample_data(s);
    presolve *p;
    assert_int_equal(presolve_run(&data, true, &(deadline){0}, &p), PRESOLVE_REDUCED);
    assert_int_equal(presolve_problem(p)->rows, 0);
    double part = (double)p->kept_count / (double)s->start[s->n];
    presolve_free(p);
    return part;
}

/* Each of n observations is the mean plus a deviation, the deviations sum up to 0: n equalities share a column, which each of
 * n doubletons keeps. */
static sample mean(int n)
{
    sample s = sample_new(n + 1, n + 1);
    for (int j = 0; j <= n; j++) {
        for (int i = 0; i < n && j == n; i++) entry(&s, i, 1);
        if (j < n) entry(&s, j, 1), entry(&s, n, 1);
        close_column(&s, j);
        s.cl[j] = -INFINITY, s.cu[j] = INFINITY;
    }
    for (int i = 0; i < n; i++) s.rl[i] = s.ru[i] = i % 17;
    return s;
}

/* n bounds on one column by rows, each tighter than the one before. */
static sample bounds(int n)
{
    sample s = sample_new(n, 1);
    for (int i = 0; i < n; i++) entry(&s, i, 1), s.rl[i] = i, s.ru[i] = INFINITY;
    close_column(&s, 0);
    s.cost[0] = 1, s.cu[0] = INFINITY;
    return s;
}

/* x_{i+1} >= x_i + d_i: only the first column is held from one side alone, until it is fixed; then the next. Some are turned over.
 */
static sample ladder(int n)
{
    sample s = sample_new(n, n + 1);
    for (int j = 0; j <= n; j++) {
        double sign = j % 5 == 3 ? -1 : 1;
        if (j > 0) entry(&s, j - 1, sign);
        if (j < n) entry(&s, j, -sign);
        close_column(&s, j);
        s.cost[j] = sign * ((j + 1) % 7);
        s.cl[j] = sign > 0 ? 0 : -INFINITY;
        s.cu[j] = sign > 0 ? INFINITY : 0;
    }
    for (int i = 0; i < n; i++) s.rl[i] = i % 11 - 4, s.ru[i] = INFINITY;
    return s;
}

static void lists_do_not_outgrow_the_problem(void **state)
{
    (void)state;
    sample (*const kinds[])(int) = {mean, bounds, ladder};
    for (int kind = 0; kind < 3; kind++) {
        sample s = kinds[kind](2000);
        assert_true(kept_part(&s) <= 4);
        vouch_lp *lp = sample_load(&s);
        vouch_lp_result found = solve_checked(lp, NULL);
        assert_int_equal(found.outcome, VOUCH_LP_OPTIMAL);
        assert_int_equal(found.iterations, 0);
        vouch_lp_free(lp);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_answers), cmocka_unit_test(lists_do_not_outgrow_the_problem)};
    return run_tests(tests);
}
