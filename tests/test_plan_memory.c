/* Memory that runs out at every allocation, one after the other: the call fails cleanly or gives the right answer, and leaves
 * nothing behind. */
#include "plan_aid.h"

#include <unistd.h>
#include <vouch/ccil.h>
#include <vouch/journal.h>

#include "evaluate_aid.h"

static vouch_model *small_model(void)
{
    vouch_model *m;
    vouch_random_shape z = {
        .states = 3, .actions = 2, .environments = 2, .horizon = 3, .probability = 0.2, .branching = 2, .seed = 5};
    assert_int_equal(vouch_generate_random(&m, &z, NULL), VOUCH_OK);
    return m;
}

/* Plans with the first k allocations only, for every k until it works; sparse: in growing steps. */
static void sweep_by(const vouch_model *m, const vouch_plan_options *o, void (*refuse)(long), bool sparse)
{
    vouch_policy *right = plan_by(m, o);
    long before = mem_live(), failures = 0;
    for (long k = 0;; k += sparse ? 1 + k / 32 : 1) {
        vouch_policy *p = NULL;
        vouch_error error = {0};
        refuse(k);
        vouch_status status = vouch_plan(&p, m, o, &error);
        mem_fail_after(-1);
        if (status == VOUCH_OK) {
            assert_int_equal(p->outcome, right->outcome);
            if (p->has_policy) assert_near(p->max_regret, right->max_regret, 2e-6);
            vouch_policy_free(p);
            assert_int_equal(mem_live(), before);
            long used = mem_calls();
            p = plan_by(m, o);
            used = mem_calls() - used;
            vouch_policy_free(p);
            if (k >= used) break; /* nothing was refused any more */
            continue;
        }
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
        assert_int_equal(error.status, VOUCH_ERROR_MEMORY);
        assert_null(p);
        assert_int_equal(mem_live(), before);
        failures++;
    }
    assert_true(failures > 20);
    vouch_policy_free(right);
}

static void sweep_plan(const vouch_model *m, const vouch_plan_options *o)
{
    sweep_by(m, o, mem_fail_after, test_part(1, 0));
    sweep_by(m, o, mem_fail_once, test_part(1, 0));
}

static void the_policy_engine_survives_failing_allocations(void **state)
{
    (void)state;
    vouch_model *m = small_model();
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 1);
    o.engine = VOUCH_ENGINE_POLICY;
    sweep_plan(m, &o);
    o.class_limit = 2;
    o.lookahead = 0;
    sweep_plan(m, &o);
    vouch_model_free(m);
    assert_int_equal(vouch_generate_twin_states(&m, 3, NULL), VOUCH_OK); /* with Pareto sets */
    o.class_limit = 0;
    sweep_plan(m, &o);
    vouch_model_free(m);
}

static void count_letters(void *context, const char *line) { *(size_t *)context += strlen(line); }

static void proofs_survive_failing_allocations(void **state)
{
    (void)state;
    vouch_model *m = small_model();
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 1);
    size_t letters = 0;
    o.proof = count_letters;
    o.proof_context = &letters;
    o.least_total_regret = 1;
    sweep_plan(m, &o);
    o.least_total_regret = 0;
    o.objective = VOUCH_OBJECTIVE_MAX_MIN;
    o.without = "child-bounds,fixing,option-probing";
    sweep_plan(m, &o);
    assert_true(letters > 1000);
    vouch_model_free(m);
    vouch_random_shape shape = {
        .states = 4, .actions = 2, .environments = 2, .horizon = 3, .probability = 0.3, .branching = 2, .seed = 7};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    o = plan_options(VOUCH_METHOD_EXACT_CCL, 0); /* boxes */
    o.proof = count_letters;
    o.proof_context = &letters;
    o.certify = o.restarts = 1;
    o.limits.nodes = 2;
    sweep_by(m, &o, mem_fail_after, true);
    sweep_by(m, &o, mem_fail_once, true);
    vouch_model_free(m);
}

/* Plans of a CCIL as tasks, whose answers a journal keeps. */
static void tasks_survive_failing_allocations(void **state)
{
    (void)state;
    char path[] = "/tmp/vouch_memory_XXXXXX";
    int file = mkstemp(path), failures = 0;
    assert_true(file >= 0);
    close(file);
    vouch_model *m = small_model();
    long before = mem_live();
    double right = NAN;
    for (sweep w = {0};;) {
        vouch_ccil_options o;
        vouch_ccil *c = NULL;
        vouch_ccil_result r;
        const vouch_journal_options kept = {.mark = "memory"};
        vouch_ccil_options_init(&o);
        o.plan.lookahead = 1;
        assert_int_equal(truncate(path, 0), 0);
        assert_int_equal(vouch_journal_open(&o.plan.journal, path, &kept, NULL), VOUCH_OK);
        sweep_refuse(&w);
        vouch_status status = vouch_ccil_new(&c, m, &o, NULL);
        if (!status) status = vouch_ccil_evaluate(c, NULL);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        if (status == VOUCH_OK) {
            vouch_ccil_get_result(c, &r);
            if (isnan(right)) right = r.max_regret;
            assert_near(r.max_regret, right, 1e-9);
        } else {
            assert_int_equal(status, VOUCH_ERROR_MEMORY);
            failures++;
        }
        vouch_ccil_free(c);
        vouch_journal_free(o.plan.journal);
        assert_int_equal(mem_live(), before);
        if (last) break;
    }
    assert_true(failures > 100);
    unlink(path);
    vouch_model_free(m);
}

static void the_lp_engine_survives_failing_allocations(void **state)
{
    (void)state;
    vouch_model *m = small_model();
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
    o.engine = VOUCH_ENGINE_LP;
    o.least_total_regret = 0;
    sweep_plan(m, &o);
    vouch_model_free(m);
}

static void the_other_methods_survive_failing_allocations(void **state)
{
    (void)state;
    vouch_model *m = small_model();
    for (vouch_method method = VOUCH_METHOD_HISTORY; method <= VOUCH_METHOD_MDPS_BEST; method++) {
        vouch_plan_options o = plan_options(method, 0);
        sweep_plan(m, &o);
        if (method != VOUCH_METHOD_HISTORY) continue;
        o.engine = VOUCH_ENGINE_LP;
        sweep_plan(m, &o);
    }
    vouch_model_free(m);
}

static void evaluation_survives_failing_allocations(void **state)
{
    (void)state;
    vouch_model *m = small_model();
    for (int history = 0; history < 2; history++) {
        vouch_plan_options o = plan_options(history ? VOUCH_METHOD_HISTORY : VOUCH_METHOD_MILP_CCL, 1);
        vouch_policy *p = plan_by(m, &o);
        double right = p->max_regret;
        long before = mem_live(), failures = 0;
        for (long k = 0;; k++) {
            int kept;
            mem_fail_after(k);
            vouch_status status = evaluate_again(p, m, &kept, NULL);
            mem_fail_after(-1);
            assert_int_equal(mem_live(), before);
            if (status == VOUCH_OK) {
                assert_true(kept);
                assert_near(p->max_regret, right, 1e-12);
                break;
            }
            assert_int_equal(status, VOUCH_ERROR_MEMORY);
            failures++;
        }
        assert_true(failures > 10);
        vouch_policy_free(p);
    }
    vouch_model_free(m);
}

static void the_generators_survive_failing_allocations(void **state)
{
    (void)state;
    long before = mem_live();
    for (long k = 0;; k++) {
        vouch_model *m = NULL;
        vouch_random_shape z = {
            .states = 3, .actions = 2, .environments = 2, .horizon = 3, .probability = 0.2, .branching = 2, .seed = 5};
        mem_fail_after(k);
        vouch_status status = vouch_generate_random(&m, &z, NULL);
        mem_fail_after(-1);
        vouch_model_free(m);
        assert_int_equal(mem_live(), before);
        if (status == VOUCH_OK) break;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_policy_engine_survives_failing_allocations),
        cmocka_unit_test(proofs_survive_failing_allocations),
        cmocka_unit_test(tasks_survive_failing_allocations),
        cmocka_unit_test(the_lp_engine_survives_failing_allocations),
        cmocka_unit_test(the_other_methods_survive_failing_allocations),
        cmocka_unit_test(evaluation_survives_failing_allocations),
        cmocka_unit_test(the_generators_survive_failing_allocations),
    };
    return run_tests(tests);
}
