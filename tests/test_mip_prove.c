/* Proofs of integer programs: every outcome of small programs is proved, or an allocation failed; tests/cli_proof_lp.sh checks the
 * files. */
#include <vouch/mip.h>

#include "base/memory.h"
#include "lp_aid.h"

/* Boxed columns, integer ones but for the last two. */
static vouch_lp *random_program(rng *r)
{
    sample p = sample_random(r, 5, 7);
    for (int j = 0; j < p.n; j++) {
        if (isinf(p.cl[j])) p.cl[j] = -4;
        if (isinf(p.cu[j])) p.cu[j] = p.cl[j] + 5;
        if (p.cl[j] > p.cu[j]) p.cu[j] = p.cl[j];
    }
    vouch_lp *lp = sample_load(&p);
    for (int j = 0; j < p.n - 2; j++) vouch_lp_set_integer(lp, j, 1);
    sample_free(&p);
    return lp;
}

static vouch_mip_outcome solve(vouch_lp *lp, vouch_mip **mip, vouch_mip_result *r)
{
    assert_int_equal(vouch_mip_new(mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(*mip, NULL), VOUCH_OK);
    vouch_mip_get_result(*mip, r);
    return r->outcome;
}

static void every_verdict_is_proved(void **state)
{
    (void)state;
    rng r = rng_seed(8);
    int optimal = 0, infeasible = 0;
    for (int k = 0; k < test_count("VOUCH_PROVE", 150); k++) {
        vouch_lp *lp = random_program(&r);
        vouch_mip *mip;
        vouch_mip_result found;
        vouch_proof proof;
        vouch_limits none = {0};
        solve(lp, &mip, &found);
        assert_int_equal(vouch_lp_prove(lp, found.has_incumbent ? found.x : NULL, &none, &proof), VOUCH_OK);
        if (!proof.proved) fail_msg("program %d: %s", k, proof.why);
        assert_int_equal(proof.feasible, found.has_incumbent);
        if (proof.feasible) assert_true(fabs(proof.objective - found.objective) <= 1e-6 * (1 + fabs(found.objective)));
        optimal += proof.feasible, infeasible += !proof.feasible;
        vouch_proof_free(&proof);
        vouch_mip_free(mip);
        vouch_lp_free(lp);
    }
    assert_true(optimal > 20 && infeasible > 20);
}

static void a_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(9);
    int failures = 0;
    for (int k = 0; k < 6; k++) {
        vouch_lp *lp = random_program(&r);
        vouch_mip *mip;
        vouch_mip_result found;
        vouch_limits none = {0};
        solve(lp, &mip, &found);
        for (long allowed = 0;; allowed += 1 + allowed / 8) {
            vouch_proof proof;
            long calls = mem_calls();
            mem_fail_after(allowed);
            vouch_status status = vouch_lp_prove(lp, found.has_incumbent ? found.x : NULL, &none, &proof);
            mem_fail_after(-1);
            bool failed = mem_calls() - calls > allowed;
            assert_true(failed ? status == VOUCH_ERROR_MEMORY || !proof.proved : status == VOUCH_OK && proof.proved);
            vouch_proof_free(&proof);
            failures += failed;
            if (!failed) break;
        }
        vouch_mip_free(mip);
        vouch_lp_free(lp);
    }
    assert_true(failures > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_verdict_is_proved),
                                       cmocka_unit_test(a_failing_allocation_leaves_nothing)};
    return run_tests(tests);
}
