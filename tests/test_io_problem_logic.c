/* Semicontinuous columns, indicators and SOS sets in both formats: the optimum over all choices of zeros and of rows that hold, a
 * linear program each; and errors. */
#include "test.h"

#include <vouch/vouch.h>

#include "io/file.h"
#include "oracle/logic.h"
#include "oracle/lptext.h"

static void check_text(const text *t, const char *name, double truth, uint64_t seed)
{
    vouch_error error = {0};
    vouch_lp *lp;
    vouch_mip *mip;
    vouch_mip_result r;
    if (vouch_lp_read_text(&lp, t->data, t->length, name, VOUCH_FORMAT_AUTO, NULL, &error) != VOUCH_OK)
        fail_msg("seed %d: %s\n%s", (int)seed, error.text, t->data);
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    double found = r.outcome == VOUCH_MIP_OPTIMAL      ? r.objective
                   : r.outcome == VOUCH_MIP_INFEASIBLE ? INFINITY
                   : r.outcome == VOUCH_MIP_UNBOUNDED  ? -INFINITY
                                                       : NAN;
    if (!(found == truth || fabs(found - truth) <= 1e-5 * (1 + fabs(truth))))
        fail_msg("seed %d, %s: %g (%s), the truth is %g\n%s", (int)seed, name, found, vouch_mip_outcome_text(r.outcome), truth,
                 t->data);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

static void the_optimum_is_that_of_all_choices(void **state)
{
    (void)state;
    uint64_t rounds = (uint64_t)test_count("VOUCH_TEST_ROUNDS", 300);
    uint64_t finite = 0, empty = 0, unbounded = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        rng r = rng_seed(seed);
        logic_program p = logic_random(&r);
        double truth = logic_least(&p);
        (*(isfinite(truth) ? &finite : truth > 0 ? &empty : &unbounded))++;
        text t = {0};
        logic_write_lp(&t, &p);
        check_text(&t, "f.lp", truth, seed);
        t.length = 0;
        logic_write_mps(&t, &p);
        check_text(&t, "f.mps", truth, seed);
        text_free(&t);
    }
    assert_true(finite > rounds / 4 && empty > rounds / 40 && unbounded > rounds / 40);
}

#define OBJ "min\n obj: x + y\nst\n"

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } broken[] = {
        {OBJ " c: y = 1 -> x >= 2\nend\n", "f:5: column \"y\" of an indicator is not binary, expected it among the binaries"},
        {OBJ " c: y = 2 -> x >= 2\nend\n", "f:4: \"->\" after something else than COLUMN = 0 or COLUMN = 1"},
        {OBJ " c: 2 y = 1 -> x >= 2\nend\n", "f:4: \"->\" after something else than COLUMN = 0 or COLUMN = 1"},
        {OBJ " c: y >= 1 -> x >= 2\nend\n", "f:4: \"->\" after something else than COLUMN = 0 or COLUMN = 1"},
        {OBJ " c: y -> x >= 2\nend\n", "f:4: \"->\", expected <=, >= or ="},
        {OBJ " c: y = 1 -> x = 1 -> x >= 2\nend\n", "f:4: \"->\", expected a term of a row"},
        {OBJ "sos\n S3:: x:1\nend\n", "f:5: set type \"S3\", expected S1 or S2"},
        {OBJ "sos\n S2:: x:1 x:2\nend\n", "f:6: column \"x\" appears a second time in its set"},
        {"max multi-objectives\n a: x\nst\nend\n", "f:1: several objectives are not supported, expected one"},
        {OBJ "general constraints\n r = max ( x , y )\nend\n",
         "f:4: section \"general constraints\", which is Gurobi's own and not supported"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) lptext_refused(broken[k].text, VOUCH_FORMAT_LP, broken[k].message);
}

static void a_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(11);
    logic_program p = logic_random(&r);
    text t = {0};
    logic_write_lp(&t, &p);
    for (sweep w = {0};;) {
        vouch_lp *lp;
        long live = mem_live();
        sweep_refuse(&w);
        vouch_status status = vouch_lp_read_text(&lp, t.data, t.length, "f.lp", VOUCH_FORMAT_AUTO, NULL, NULL);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        assert_true(status == VOUCH_OK || status == VOUCH_ERROR_MEMORY);
        vouch_lp_free(lp);
        assert_int_equal(mem_live(), live);
        if (last) break;
    }
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_optimum_is_that_of_all_choices),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_failing_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
