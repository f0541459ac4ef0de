/* tests/plan_aid.h - shared by the tests of planning: calls of the planner, and checks that every answer must pass. */
#ifndef PLAN_AID_H
#define PLAN_AID_H

#include <vouch/plan.h>

#include "io/json.h"
#include <vouch/generate.h>
#include "mdp/model.h"
#include "policy/policy.h"
#include "test.h"

#include "evaluate_aid.h"

#define GAP 1e-6

static inline vouch_plan_options plan_options(vouch_method method, int L)
{
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = method;
    o.lookahead = L;
    return o;
}

/* Plans; the call itself must work. */
static inline vouch_policy *plan_by(const vouch_model *m, const vouch_plan_options *o)
{
    vouch_policy *policy;
    vouch_error error = {0};
    vouch_status status = vouch_plan(&policy, m, o, &error);
    if (status) fail_msg("plan: %s", error.text);
    return policy;
}

static inline vouch_policy *plan_ccl_by(const vouch_model *m, int L, vouch_engine engine)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    o.engine = engine;
    return plan_by(m, &o);
}

static inline double max_regret_of(const vouch_model *m, vouch_method method, int L)
{
    vouch_plan_options o = plan_options(method, L);
    vouch_policy *policy = plan_by(m, &o);
    double value = policy->max_regret;
    vouch_policy_free(policy);
    return value;
}

/* The file of a policy; freed with text_free. */
static inline text policy_bytes(const vouch_policy *policy, const vouch_model *m)
{
    text t = {0};
    policy_json_write(policy, m, &t);
    assert_false(t.failed);
    return t;
}

/* One thread, again, two and four: the same bytes. */
static inline void assert_same_bytes(const vouch_model *m, vouch_plan_options o)
{
    text first = {0};
    for (int i = 0; i < test_part(3, 4); i++) {
        static const int threads[] = {1, 2, 4, 1};
        o.threads = threads[i];
        vouch_policy *p = plan_by(m, &o);
        text t = policy_bytes(p, m);
        if (i == 0)
            first = t;
        else {
            assert_string_equal(first.data, t.data);
            text_free(&t);
        }
        vouch_policy_free(p);
    }
    text_free(&first);
}

static inline void assert_same_figures(const vouch_policy *p, const vouch_policy *q, double tolerance)
{
    for (int k = 0; k < p->K; k++) {
        assert_near(p->figures[k].optimal_value, q->figures[k].optimal_value, tolerance);
        assert_near(p->figures[k].value, q->figures[k].value, tolerance);
        assert_near(p->figures[k].regret, q->figures[k].regret, tolerance);
        assert_near(p->figures[k].commitment_probability, q->figures[k].commitment_probability, tolerance);
    }
    assert_near(p->max_regret, q->max_regret, tolerance);
    assert_near(p->total_regret, q->total_regret, tolerance);
}

/* Written, read back and evaluated the policy has the same figures and keeps the commitment. */
static inline void assert_reads_back(const vouch_model *m, const vouch_policy *policy)
{
    vouch_policy *again;
    vouch_error error = {0};
    text t = policy_bytes(policy, m);
    if (policy_json_parse(&again, m, "p.json", t.data, t.length, &error)) fail_msg("%s", error.text);
    assert_same_figures(policy, again, 0);
    int kept;
    if (evaluate_again(again, m, &kept, &error)) fail_msg("evaluate: %s", error.text);
    assert_true(kept);
    assert_same_figures(policy, again, 1e-12);
    vouch_policy_free(again);
}

/* What holds of every answer: figures that fit together, a bound below the value, the commitment kept. */
/* What U* is the optimum of. */
static inline double threshold_of(const vouch_model *m) { return commitment_threshold(m->p, KEEP_TOLERANCE, m->T); }

static inline void assert_sound(const vouch_model *m, const vouch_policy *p)
{
    if (p->outcome == VOUCH_PLAN_INFEASIBLE) {
        assert_false(p->has_policy);
        assert_int_equal(p->rule_count, 0);
        assert_non_null(p->largest_probability);
        return;
    }
    if (!p->has_policy) return;
    assert_null(p->largest_probability);
    double most = -INFINITY, total = 0;
    for (int k = 0; k < p->K; k++) {
        assert_true(p->figures[k].commitment_probability >= m->p - KEEP_TOLERANCE);
        assert_near(p->figures[k].regret, p->figures[k].optimal_value - p->figures[k].value, 1e-12);
        most = fmax(most, p->figures[k].regret);
        total += p->figures[k].regret;
    }
    assert_true(p->max_regret == most);
    assert_near(p->total_regret, total, 1e-12);
    assert_true(p->bound <= p->max_regret);
    if (p->outcome == VOUCH_PLAN_OPTIMAL) assert_true(p->max_regret - p->bound <= 2 * GAP);
    assert_reads_back(m, p);
}

#endif
