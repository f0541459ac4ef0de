/* Twins against every pair of choices compared, on random models in which many actions have the same effect. */
#include "test.h"

#include "base/rng.h"
#include "know/graph.h"

enum { MODELS = 200, MOST_ACTIONS = 40 };

/* Actions 0 .. A-1 from few templates of successors, probabilities and rewards; a few members of a set may have other rewards. */
static vouch_model *alike_model(uint64_t seed)
{
    rng r = rng_seed(seed);
    int S = 2 + (int)rng_below(&r, 3), A = 1 + (int)rng_below(&r, MOST_ACTIONS), K = 1 + (int)rng_below(&r, 70);
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, S, A, K, 1 + (int)rng_below(&r, 3)), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(m, 0), VOUCH_OK);
    for (int s = 0; s < S; s++)
        for (int a = 0; a < A; a++) {
            int next = (int)rng_below(&r, 2), wild = rng_below(&r, 4) == 0 ? (int)rng_below(&r, (uint64_t)K) : -1;
            double p = rng_below(&r, 2) ? 0.5 : 1, pays = (double)rng_below(&r, 2) * (rng_below(&r, 2) ? 1 : -1);
            for (int k = 0; k < K; k++) {
                double here = k == wild && p < 1 ? 0.25 : p, paid = k == wild && p == 1 ? 2 : pays;
                assert_int_equal(vouch_model_add(m, k, s, a, next, here, paid), VOUCH_OK);
                if (here < 1) assert_int_equal(vouch_model_add(m, k, s, a, 1 - next, 1 - here, paid), VOUCH_OK);
            }
        }
    vouch_error error;
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

static bool same(const know_graph *g, int set, int c, int d)
{
    size_t K = (size_t)g->K;
    int n = g->edge_start[c + 1] - g->edge_start[c];
    if (n != g->edge_start[d + 1] - g->edge_start[d]) return false;
    for (int k = 0; k < g->K; k++) {
        if (!know_in_set(g, set, k)) continue;
        if (g->reward[(size_t)g->choice_pair[c] * K + (size_t)k] != g->reward[(size_t)g->choice_pair[d] * K + (size_t)k])
            return false;
        for (int i = 0; i < n; i++) {
            int x = g->edge_start[c] + i, y = g->edge_start[d] + i;
            if (g->edge_child[x] != g->edge_child[y] || g->successor_prob[(size_t)g->edge_row[x] * K + (size_t)k] !=
                                                            g->successor_prob[(size_t)g->edge_row[y] * K + (size_t)k])
                return false;
        }
    }
    return true;
}

static void test_every_pair(void **state)
{
    (void)state;
    int twins = 0, wide = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        vouch_model *m = alike_model(seed);
        know_graph *g;
        assert_int_equal(know_graph_new(m, (int)(seed % 2), NULL, &g, NULL), VOUCH_OK);
        for (int n = 0; n < g->nodes; n++)
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                int first = g->choice_start[n];
                while (first < c && !same(g, g->set[n], first, c)) first++;
                assert_int_equal(g->choice_twin[c], first);
                twins += first < c;
                wide += first < c && g->choice_start[n + 1] - g->choice_start[n] > 8;
            }
        know_graph_free(g);
        vouch_model_free(m);
    }
    assert_true(twins > wide && wide > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair)};
    return run_tests(tests);
}
