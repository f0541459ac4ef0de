/* A short campaign (make campaign is the long one): random problems against judges that share no code with the program.
 *
 * VOUCH_CASES: how many plans; a wrong answer is shown by: make campaign PART=.. SEED=.. FIRST=(number) N=1.
 */
#include <stdio.h>

#include "campaign/campaign.h"
#include "test.h"

static const uint64_t SEED = 1;

static void judge(campaign c, void (*cases)(campaign *c), int share)
{
    c.count = test_share("VOUCH_CASES", 800) / share;
    cases(&c);
    assert_int_equal(campaign_report(&c), 0);
}

static void run(const char *part, void (*cases)(campaign *c), int share)
{
    judge((campaign){.seed = SEED, .part = part}, cases, share);
}

static void test_plans(void **state)
{
    (void)state;
    run("plans", campaign_plans, 1);
}

static void test_constructs(void **state)
{
    (void)state;
    run("constructs", campaign_constructs, 4);
}

static void test_rare(void **state)
{
    (void)state;
    run("rare", campaign_rare, 4);
    /* cases that were wrong once: of one seed, by number */
    static const struct {
        uint64_t seed;
        long long number;
    } cases[] = {{1, 275}, {5, 16}, {5, 95}, {5, 100}, {5, 161}, {5, 531}, {7, 3510}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        campaign c = {.seed = cases[i].seed, .part = "rare", .first = cases[i].number, .count = 1};
        campaign_rare(&c);
        assert_int_equal(campaign_report(&c), 0);
    }
}

/* Time runs out at every moment once. */
static void test_hurried(void **state)
{
    (void)state;
    static const struct {
        const char *part;
        void (*cases)(campaign *c);
    } parts[] = {{"plans", campaign_plans},           {"rare", campaign_rare}, {"questions", campaign_questions},
                 {"stochastic", campaign_stochastic}, {"mips", campaign_mips}, {"lps", campaign_lps}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        judge((campaign){.seed = SEED, .part = parts[i].part, .hurried = true}, parts[i].cases, 8);
}

static void test_questions(void **state)
{
    (void)state;
    run("questions", campaign_questions, 1);
}

static void test_stochastic(void **state)
{
    (void)state;
    run("stochastic", campaign_stochastic, 4);
}

static void test_mips(void **state)
{
    (void)state;
    run("mips", campaign_mips, 1);
}

static void test_lps(void **state)
{
    (void)state;
    run("lps", campaign_lps, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plans),      cmocka_unit_test(test_rare),
                                       cmocka_unit_test(test_constructs), cmocka_unit_test(test_questions),
                                       cmocka_unit_test(test_stochastic), cmocka_unit_test(test_hurried),
                                       cmocka_unit_test(test_mips),       cmocka_unit_test(test_lps)};
    return run_tests(tests);
}
