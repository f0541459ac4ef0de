/* A short campaign of false proofs and true ones against vouch-check (make campaign PART=proofs is the long one).
 *
 * VOUCH_CASES: how many; one that is judged wrongly is shown by: make campaign PART=proofs SEED=1 FIRST=(number) N=1.
 */
#include "campaign/campaign.h"
#include "test.h"

static void test_proofs(void **state)
{
    (void)state;
    campaign c = {.seed = 1, .part = "proofs", .count = test_count("VOUCH_CASES", 400)};
    campaign_proofs(&c);
    assert_int_equal(campaign_report(&c), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_proofs)};
    return run_tests(tests);
}
