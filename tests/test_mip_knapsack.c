/* Integer programs of one row against enumeration: inequalities with entries, costs and bounds of any sign, and equalities. */
#include <math.h>
#include <vouch/mip.h>

#include "lp_aid.h"
#include "mip/presolve.h"

enum { COLS_MOST = 7 };

/* The best value over all points of the box that keep the row; INFINITY: none. Unbounded columns end where the row does. */
static double enumerate(const sample *s, const int upper[], int j, double activity, double value)
{
    if (j == s->n) return activity >= s->rl[0] && activity <= s->ru[0] ? value : (double)INFINITY;
    double best = INFINITY, a = s->value[j];
    for (int x = (int)s->cl[j]; x <= upper[j]; x++)
        best = fmin(best, enumerate(s, upper, j + 1, activity + a * x, value + s->cost[j] * x));
    return best;
}

static void check(const sample *s, const int upper[], int ends[])
{
    vouch_lp *lp = sample_load(s);
    for (int j = 0; j < s->n; j++) assert_int_equal(vouch_lp_set_integer(lp, j, 1), VOUCH_OK);
    mip_model m;
    assert_int_equal(mip_model_build(&m, lp), VOUCH_OK);
    double x[COLS_MOST], best = enumerate(s, upper, 0, 0, 0);
    knapsack_end end = mip_knapsack(&m, &(deadline){0}, x);
    ends[end]++;
    if (end == KNAPSACK_INFEASIBLE) assert_true(isinf(best));
    if (end == KNAPSACK_OPTIMAL) {
        assert_true(mip_model_feasible(&m, x, 0));
        assert_near(mip_model_tell(&m, mip_model_objective(&m, x)), best, 0);
    }
    vouch_mip *mip; /* the same by the public door */
    vouch_mip_result r;
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    assert_int_equal(r.outcome, isinf(best) ? VOUCH_MIP_INFEASIBLE : VOUCH_MIP_OPTIMAL);
    if (!isinf(best)) assert_near(r.objective, best, 0);
    vouch_mip_free(mip);
    mip_model_free(&m);
    vouch_lp_free(lp);
}

static sample one_row(int n)
{
    sample s = sample_new(1, n);
    for (int j = 0; j < n; j++) {
        entry(&s, 0, 0);
        close_column(&s, j);
    }

    return s;
}

static void inequalities(void **state)
{
    (void)state;
    rng r = rng_seed(1997);
    int ends[KNAPSACK_MEMORY + 1] = {0};
    for (int number = 0; number < 3000; number++) {
        sample s = one_row(1 + pick(&r, COLS_MOST));
        int upper[COLS_MOST], kind = pick(&r, 3), size = pick(&r, 2) ? 9 : 60;
        double middle = 0;
        for (int j = 0; j < s.n; j++) {
            s.value[j] = (kind == 2 && pick(&r, 2) ? -1 : 1) * (1 + pick(&r, size));
            s.cost[j] = kind == 0 ? -s.value[j] - 3 : pick(&r, 2 * size) - size - size / 2 * (kind == 1);
            s.cl[j] = pick(&r, 3) - 1;
            upper[j] = (int)s.cl[j] + pick(&r, 4);
            s.cu[j] = upper[j];
            middle += s.value[j] * (s.cl[j] + upper[j]) / 2;
        }
        bool below = pick(&r, 2);
        double side = floor(middle) + pick(&r, 30) - 15;
        s.rl[0] = below ? -INFINITY : side;
        s.ru[0] = below ? side : INFINITY;
        check(&s, upper, ends);
        sample_free(&s);
    }
    assert_true(ends[KNAPSACK_OPTIMAL] > 2000 && ends[KNAPSACK_INFEASIBLE] > 20);
    assert_int_equal(ends[KNAPSACK_NONE] + ends[KNAPSACK_MEMORY], 0);
}

static void equalities(void **state)
{
    (void)state;
    rng r = rng_seed(2007);
    int ends[KNAPSACK_MEMORY + 1] = {0};
    for (int number = 0; number < 1500; number++) {
        sample s = one_row(2 + pick(&r, 2));
        int upper[COLS_MOST], sign = pick(&r, 2) ? 1 : -1, gcd = 1 + pick(&r, 2), most = pick(&r, 120);
        for (int j = 0; j < s.n; j++) {
            int a = gcd * (3 + pick(&r, 20));
            s.value[j] = sign * a;
            s.cost[j] = pick(&r, 9) - 4;
            upper[j] = most / a;
            s.cu[j] = INFINITY;
        }
        s.rl[0] = s.ru[0] = sign * most;
        check(&s, upper, ends);
        sample_free(&s);
    }
    assert_true(ends[KNAPSACK_INFEASIBLE] > 200 && ends[KNAPSACK_NONE] > 200);
}

/* Cornuejols, Urbaniak, Weismantel and Wolsey 1997 (cuww1), and one more than its largest number without a solution. */
static void the_frobenius_number(void **state)
{
    (void)state;
    static const double a[] = {12223, 12224, 36674, 61119, 85569};
    for (int more = 0; more < 2; more++) {
        sample s = one_row(5);
        for (int j = 0; j < 5; j++) s.value[j] = a[j], s.cu[j] = INFINITY;
        s.rl[0] = s.ru[0] = 89643481 + more;
        vouch_lp *lp = sample_load(&s);
        for (int j = 0; j < s.n; j++) assert_int_equal(vouch_lp_set_integer(lp, j, 1), VOUCH_OK);
        mip_model m;
        double x[5];
        assert_int_equal(mip_model_build(&m, lp), VOUCH_OK);
        assert_int_equal(mip_knapsack(&m, &(deadline){0}, x), more ? KNAPSACK_NONE : KNAPSACK_INFEASIBLE);
        mip_model_free(&m);
        vouch_lp_free(lp);
        sample_free(&s);
    }
}

/* Thousands of items, weakly correlated: the bound of the relaxation is met within a unit, and the point is checked by the door. */
static void many_items(void **state)
{
    (void)state;
    enum { ITEMS = 5000 };
    rng r = rng_seed(5);
    sample s = sample_new(1, ITEMS);
    double sum = 0;
    for (int j = 0; j < ITEMS; j++) {
        double a = 1 + pick(&r, 1000);
        entry(&s, 0, a);
        close_column(&s, j);
        s.cost[j] = -(a + pick(&r, 200) + 1);
        s.cu[j] = 1;
        sum += a;
    }
    s.rl[0] = -INFINITY, s.ru[0] = floor(sum / 2);
    vouch_lp *lp = sample_load(&s);
    vouch_lp_result relaxed = solve_checked(lp, NULL);
    double bound = relaxed.objective;
    for (int j = 0; j < ITEMS; j++) assert_int_equal(vouch_lp_set_integer(lp, j, 1), VOUCH_OK);
    vouch_mip *mip;
    vouch_mip_result found;
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
    vouch_mip_get_result(mip, &found);
    assert_int_equal(found.outcome, VOUCH_MIP_OPTIMAL);
    assert_int_equal(found.nodes, 1);
    assert_true(found.objective >= bound && found.objective < bound + 2);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inequalities), cmocka_unit_test(equalities),
                                       cmocka_unit_test(the_frobenius_number), cmocka_unit_test(many_items)};
    return run_tests(tests);
}
