/* Several policies against all partitions of the environments and all deterministic policies of small random models, with
 * promises in a group's own environments and in all; files; threads. Knowledge comes from the whole model: if policies only saw
 * which environments of their group are consistent, some groups would have more regret (counted). Every third model is planned with
 * gap 0. VOUCH_GROUPED: number of models.
 */
#include "plan_aid.h"

#include <stdlib.h>
#include <unistd.h>

#include <vouch/groups.h>

#include "base/rng.h"
#include "io/json.h"
#include "mdp/dp.h"
#include "oracle/brute.h"

enum { MODELS = 300, MOST_K = 4 };
static const double NEAR = 4e-6;
static const long long BRUTE_STEPS = 300000;

static vouch_model *drawn_model(uint64_t seed)
{
    vouch_model *m;
    rng r = rng_seed(seed);
    bool meeting = seed % 2; /* histories that meet again may differ in whether the last environment can have had them */
    int S = meeting ? 3 : 2 + (int)(rng_next(&r) % 2), K = meeting ? 3 : 3 + (int)(rng_next(&r) % 2), T = 2 + (seed % 4 > 0);
    assert_int_equal(vouch_model_new(&m, S, 2, K, T), VOUCH_OK);
    for (int k = 0; k < K; k++)
        for (int q = 0; q < 2 * S; q++) {
            int first = (int)(rng_next(&r) % (uint64_t)S), second = (int)(rng_next(&r) % (uint64_t)S);
            if (meeting) second = (first + 1) % S;
            bool sure = meeting ? k == K - 1 : rng_next(&r) % 2;
            double p = sure ? 1 : 0.1 + 0.8 * rng_unit(&r), reward = floor(4 * rng_unit(&r));
            assert_int_equal(vouch_model_add(m, k, q / 2, q % 2, first, p, reward), VOUCH_OK);
            if (p < 1) assert_int_equal(vouch_model_add(m, k, q / 2, q % 2, second, 1 - p, reward), VOUCH_OK);
        }
    assert_int_equal(vouch_model_set_commitment(m, 0, 1), VOUCH_OK);
    double p = rng_next(&r) % 2 ? 0.4 * rng_unit(&r) : 0;
    assert_int_equal(vouch_model_set_probability(m, p), VOUCH_OK);
    assert_int_equal(vouch_model_set_observed(m, seed % 3 && !meeting ? VOUCH_OBSERVE_REWARDS : VOUCH_OBSERVE_STATES), VOUCH_OK);
    vouch_error error = {0};
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

/* rho of every set, by all policies; INFINITY: none keeps the promises. false: that takes too long. */
static bool try_sets(const vouch_model *m, int L, vouch_group_promises promises, double rho[])
{
    double optimal[MOST_K];
    unsigned all = (1u << m->K) - 1;
    bool complete = true;
    for (int k = 0; k < m->K; k++) assert_int_equal(dp_constrained(m, k, m->p, &optimal[k], NULL), VOUCH_OK);
    for (unsigned set = 1; set <= all && complete; set++) {
        brute b;
        brute_solve_for(m, L, optimal, set, promises == VOUCH_PROMISES_OWN ? set : all, BRUTE_STEPS, &b);
        complete = b.complete;
        rho[set] = b.found ? b.max_regret : INFINITY;
        brute_free(&b);
    }
    return complete;
}

static int forgetful, more_regret; /* sets tried with less knowledge, and those whose regret is larger then */

/* The same where policies only see which environments of the set are consistent: never less. */
static void try_forgetful(const vouch_model *m, int L, const double rho[])
{
    for (unsigned set = 1; set < (1u << m->K) - 1; set++) {
        int env[MOST_K], n = 0;
        double optimal[MOST_K];
        vouch_model *part;
        vouch_error error = {0};
        brute b;
        for (int k = 0; k < m->K; k++)
            if (set >> k & 1) env[n++] = k;
        if (vouch_model_restrict(&part, m, env, n, &error)) fail_msg("%s", error.text);
        for (int k = 0; k < n; k++) assert_int_equal(dp_constrained(part, k, part->p, &optimal[k], NULL), VOUCH_OK);
        brute_solve(part, L, optimal, BRUTE_STEPS, &b);
        if (b.complete) {
            double value = b.found ? b.max_regret : INFINITY;
            assert_true(value >= rho[set] - 1e-9);
            forgetful++;
            more_regret += value > rho[set] + NEAR;
        }
        brute_free(&b);
        vouch_model_free(part);
    }
}

/* The best value of partitions of the environments `rest` into at most k groups. */
static double partitioned(const double rho[], unsigned rest, int k)
{
    if (!rest) return 0;
    if (k == 0) return INFINITY;
    double best = INFINITY;
    unsigned first = rest & (~rest + 1);
    for (unsigned with = rest ^ first, part = with;; part = (part - 1) & with) {
        unsigned group = part | first;
        best = fmin(best, fmax(rho[group], partitioned(rho, rest ^ group, k - 1)));
        if (!part) break;
    }
    return best;
}

/* The file's figures of the groups equal those of its policies. */
static void read_again(const vouch_groups *g, const vouch_model *m, vouch_group_promises promises)
{
    vouch_groups_result r;
    group_file f;
    vouch_error error = {0};
    char path[] = "/tmp/vouch_groups_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    vouch_groups_get_result(g, &r);
    if (group_file_write(g, m, promises, path, &error) || group_file_read(&f, m, path, &error)) fail_msg("%s", error.text);
    remove(path);
    assert_true(f.several);
    assert_int_equal(f.count, r.groups);
    double most = 0;
    for (int i = 0; i < f.count; i++) {
        vouch_environment_figures figures[MOST_K];
        const vouch_model *of = f.item[i].model ? f.item[i].model : m;
        int kept;
        if (vouch_policy_evaluate(f.item[i].policy, of, figures, &kept, &error)) fail_msg("%s", error.text);
        assert_true(kept);
        for (int j = 0; j < f.item[i].environments; j++) most = fmax(most, figures[group_policy_place(&f.item[i], j)].regret);
    }
    assert_near(most, r.max_regret, 1e-9);
    group_file_free(&f);
}

static int infeasible;

/* threads: of a second run, which must be the same. false: too large to be tried. */
static bool check(const vouch_model *m, int L, vouch_group_promises promises, double gap, int threads)
{
    double rho[1 << MOST_K];
    if (!try_sets(m, L, promises, rho)) return false;
    if (promises == VOUCH_PROMISES_OWN && L > 0) try_forgetful(m, L, rho);
    for (int k = 1; k <= m->K; k++) {
        double best = partitioned(rho, (1u << m->K) - 1, k);
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
        vouch_groups *g, *again;
        vouch_groups_result r, s;
        vouch_error error = {0};
        o.threads = 1;
        o.gap = gap;
        if (vouch_plan_groups(&g, m, &o, k, promises, &error)) fail_msg("%s", error.text);
        o.threads = threads;
        if (vouch_plan_groups(&again, m, &o, k, promises, &error)) fail_msg("%s", error.text);
        vouch_groups_get_result(g, &r);
        vouch_groups_get_result(again, &s);
        assert_int_equal(r.outcome, s.outcome);
        assert_int_equal(r.nodes, s.nodes);
        assert_true(r.groups == 0 || r.max_regret == s.max_regret);
        assert_int_equal(r.outcome, isinf(best) ? VOUCH_PLAN_INFEASIBLE : VOUCH_PLAN_OPTIMAL);
        infeasible += isinf(best);
        if (!isinf(best)) {
            assert_near(r.max_regret, best, NEAR);
            assert_true(r.bound <= best + NEAR && r.max_regret - r.bound <= o.gap + 1e-9 && r.groups <= k);
            read_again(g, m, promises);
        }
        vouch_groups_free(g);
        vouch_groups_free(again);
    }
    return true;
}

static void test_partitions(void **state)
{
    (void)state;
    int models = test_share("VOUCH_GROUPED", test_part(MODELS / 3, MODELS)), done = 0;
    for (int i = 0; done < models; i++) {
        vouch_model *m = drawn_model((uint64_t)i);
        int L = i % 2 ? 2 + i / 2 % 2 : i / 2 % (m->T + 1);
        double gap = i % 3 ? GAP : 0;
        bool tried = check(m, L, VOUCH_PROMISES_OWN, gap, i % 10 ? 1 : 3) && check(m, L, VOUCH_PROMISES_ALL, gap, i % 10 ? 1 : 3);
        done += tried;
        vouch_model_free(m);
    }
    assert_true(models < MODELS / 12 || more_regret > 0);
    print_message("%d models, every number of policies; infeasible %d times; of %d groups %d would regret more if they knew less\n",
                  done, infeasible, forgetful, more_regret);
}

static void test_refused(void **state)
{
    (void)state;
    vouch_model *m = drawn_model(1);
    vouch_groups *g = NULL;
    vouch_error error = {0};
    assert_int_equal(vouch_plan_groups(&g, m, NULL, 0, VOUCH_PROMISES_OWN, &error), VOUCH_ERROR_ARGUMENT);
    assert_string_equal(error.text, "0 policies; expected at least 1");
    assert_null(g);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_partitions), cmocka_unit_test(test_refused)};
    return run_tests(tests);
}
