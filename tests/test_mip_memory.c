/* Failing allocations in a search, once or for good: an error or the same result as without failures, and no leak. */
#include <vouch/mip.h>

#include "oracle/lptext.h"
#include "test.h"

static const char *const programs[] = {
    /* covers, mixed-integer rounding, tableau rows; a continuous column */
    "max\n obj: 9 a + 11 b + 13 c + 15 d + 8 e + 4 f + y\nst\n r: 13 a + 17 b + 19 c + 23 d + 11 e + 5 f <= 41.5\n"
    " s: 7 a + 5 b + 9 c - 4 d + 6 e + 2 y <= 13.7\n t: y - 3 f <= 0.4\nbounds\n e <= 3\n y <= 2.6\nbinaries\n a b c d "
    "f\ngenerals\n e\nend\n",
    /* cliques of x and 1 - x, sets */
    "max\n obj: 3 a + 3 b + 3 c + 3 d + 3 e + 2 f\nst\n r: a + b <= 1\n s: b + c <= 1\n t: a + c <= 1\n u: c + d <= 1\n v: d + e "
    "<= 1\n w: a + e <= 1\n"
    " x: b - f <= 0\n y: e - f <= 0\n z: 4 a + 5 d + 6 f <= 11\nbinaries\n a b c d e f\nsos\n q: S1:: a:1 d:2 f:3\nend\n",
    /* no relaxation has an optimum */
    "min\n obj: - x - z\nst\n r: 2 x - 2 y + 3 z = 3\n s: x - y <= 4\nbounds\n z <= 5\ngenerals\n x y z\nend\n",
    "min\n obj: - x\nst\n r: 3 x - 2 y <= 4\n s: 2 y - 3 x <= 5\n t: x + w >= 0.5\nbounds\n w <= 3\ngenerals\n x y\nend\n"};

static void run_out(const vouch_lp *lp, const vouch_mip_options *o, void (*refuse)(long))
{
    vouch_mip *mip;
    vouch_mip_result r;
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, o), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    vouch_mip_outcome right = r.outcome;
    int has = r.has_incumbent;
    double objective = r.objective;
    vouch_mip_free(mip);
    long before = mem_live(), failures = 0;
    for (long k = 0;; k += 1 + k / 150) {
        long start = mem_calls();
        refuse(k);
        vouch_status status = vouch_mip_new(&mip, lp);
        if (!status) status = vouch_mip_solve(mip, o);
        mem_fail_after(-1);
        if (status) {
            assert_int_equal(status, VOUCH_ERROR_MEMORY);
            failures++;
        } else {
            vouch_mip_get_result(mip, &r);
            assert_int_equal(r.outcome, right);
            assert_int_equal(r.has_incumbent, has);
            if (has && right == VOUCH_MIP_OPTIMAL) assert_near(r.objective, objective, 1e-5);
        }
        vouch_mip_free(mip);
        assert_int_equal(mem_live(), before);
        if (!status && mem_calls() - start <= k) break; /* nothing was refused any more */
    }
    assert_true(failures > 30);
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        vouch_lp *lp = lptext_read(programs[i], "f.lp");
        for (int presolve = 0; presolve < 2; presolve++) {
            vouch_mip_options o;
            vouch_mip_options_init(&o);
            o.presolve = presolve;
            o.cuts = presolve || i < 2;
            run_out(lp, &o, mem_fail_after);
            run_out(lp, &o, mem_fail_once);
        }
        vouch_lp_free(lp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_that_runs_out_is_told)};
    return run_tests(tests);
}
