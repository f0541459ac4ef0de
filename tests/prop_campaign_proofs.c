/* A short campaign of false proofs and true ones against vouch-check (make campaign PART=proofs is the long one).
 *
 * VOUCH_CASES: how many; one that is judged wrongly is shown by: make campaign PART=proofs SEED=1 FIRST=(number) N=1.
 */
#include "campaign/change.h"
#include "campaign/corners.h"
#include "campaign/parts.h"
#include "test.h"

enum { ALL_KINDS = 480, SHARE = 80 }; /* runs that draw every kind, each at least in one of SHARE (of long runs: 50) */

static void test_proofs(void **state)
{
    (void)state;
    campaign c = {.seed = 1, .part = "proofs", .count = test_count("VOUCH_CASES", ALL_KINDS)};
    campaign_proofs(&c);
    assert_int_equal(campaign_report(&c), 0);
    if (c.runs < ALL_KINDS) return;
    assert_int_equal(c.kinds,
                     FORGERIES - 1 + CHANGES + CORNER_FORGERIES - 1 + PARTS_FORGERIES - 1); /* the first of each is honest */
    assert_true(c.fewest >= c.runs / SHARE);
}

/* A small tree once wrote the lines of the plan's vectors from other classes. */
static void test_vectors(void **state)
{
    static const long long found[] = {87, 116, 123};
    (void)state;
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        campaign c = {.seed = 401, .first = found[i], .part = "proofs", .count = 1};
        campaign_proofs(&c);
        assert_int_equal(campaign_report(&c), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_proofs), cmocka_unit_test(test_vectors)};
    return run_tests(tests);
}
