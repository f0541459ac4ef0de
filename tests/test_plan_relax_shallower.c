/* Plans of L > 0 with three times the nodes of Markov plans are no worse than these, on grids whose one hole is hidden. */
#include "plan_aid.h"

#include "base/rng.h"

/* An n x n grid from the first cell to the last, which is to be reached by T. A move slips to both sides with .1; environment k has
 * a hole, which cannot be left, in the middle row. The last row pays. */
static vouch_model *grid(int n, int K, int T, rng *r)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, n * n, 4, K, T), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(m, 0), VOUCH_OK);
    assert_int_equal(vouch_model_set_commitment(m, n * n - 1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 0.6), VOUCH_OK);
    int first = (int)rng_below(r, (uint64_t)n);
    for (int k = 0; k < K; k++)
        for (int s = 0; s < n * n; s++)
            for (int a = 0; a < 4; a++) {
                double reward = s / n == n - 1 ? 0.1 : 0, prob[64] = {0};
                bool stays = s == n * (n / 2) + (first + k) % n || s == n * n - 1;
                for (int side = -1; side <= 1; side++) {
                    int d = (a + side + 4) % 4, x = s % n + dx[d], y = s / n + dy[d];
                    bool out = x < 0 || x >= n || y < 0 || y >= n;
                    prob[stays || out ? s : x + n * y] += side == 0 ? 0.9 : 0.05;
                }
                for (int to = 0; to < n * n; to++)
                    if (prob[to] > 0) assert_int_equal(vouch_model_add(m, k, s, a, to, fmin(1, prob[to]), reward), VOUCH_OK);
            }
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

static vouch_policy *plan_of(const vouch_model *m, int L, long long nodes)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    o.limits.nodes = nodes;
    o.least_total_regret = 0;
    return plan_by(m, &o);
}

static void deeper_is_no_worse(void **state)
{
    (void)state;
    rng r = rng_seed(1);
    int better = 0;
    for (int i = 0; i < 6; i++) {
        vouch_model *m = grid(5, 2 + i % 3, 14, &r);
        vouch_policy *markov = plan_of(m, 0, 16), *deeper = plan_of(m, 1 + i % 2, 48);
        assert_true(markov->has_policy && deeper->has_policy);
        assert_true(deeper->max_regret <= markov->max_regret + 1e-9);
        better += deeper->max_regret < markov->max_regret;
        vouch_policy_free(deeper);
        vouch_policy_free(markov);
        vouch_model_free(m);
    }
    assert_true(better > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(deeper_is_no_worse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
