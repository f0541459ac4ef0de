/* The work of planning again while acting, under options drawn at random: evaluations, episodes, agents. See work_aid.h. */
#include <vouch/ccil.h>

#include "options_aid.h"

static void add_samples(digest *d, int rows, const vouch_sample sample[])
{
    for (int i = 0; i < rows; i++) {
        const double all[] = {(double)sample[i].episodes, sample[i].mean,     sample[i].half_width, sample[i].kept,
                              sample[i].kept_low,         sample[i].kept_high};
        add_all(d, 6, all);
    }
}

static void act(const vouch_model *m, const vouch_ccil_options *o, rng *r, digest *d)
{
    vouch_executor *e = NULL;
    vouch_error error = {0};
    double promise[32];
    int rows = vouch_model_environments(m) * vouch_model_promises(m);
    vouch_status status = vouch_executor_new(&e, m, o, &error);
    add_error(d, status, &error);
    for (uint64_t seed = 1; seed <= 3 && !status; seed++) {
        for (bool going = true; going;) {
            vouch_decision at;
            vouch_executor_decision(e, &at);
            const double place[] = {at.time, at.state, at.sampled, at.planned, at.environments, vouch_executor_kept(e)};
            add_all(d, 6, place);
            for (int a = 0; a < at.actions; a++) add(d, at.action[a]), add(d, at.probability[a]);
            vouch_executor_promise(e, promise);
            for (int i = 0; i < rows; i++) add(d, isnan(promise[i]) ? -1 : promise[i]);
            if (vouch_executor_done(e)) break;
            int q = model_pair(m, at.state, at.sampled);
            const mdp *env = &m->env[at.environment[pick(r, at.environments)]];
            int o_at = env->start[q] + pick(r, env->start[q + 1] - env->start[q]);
            add_error(d, vouch_executor_observe(e, -1, 1e6, env->next[o_at], &error), &error);
            going = env->prob[o_at] > 0;
            if (!going) break;
            status = vouch_executor_observe(e, -1, env->reward[o_at], env->next[o_at], &error);
            add_error(d, status, &error);
            going = !status;
        }
        vouch_executor_restart(e, seed);
    }
    vouch_executor_free(e);
}

static void run_again(vouch_method method, int count)
{
    work w = {.all = DIGEST_NEW};
    char name[60];
    for (int number = 0; number < count; number++) {
        rng r = rng_seed(3002 + 500 * (uint64_t)method + (uint64_t)number);
        vouch_model *m = model_of_family(&r);
        vouch_ccil_options o;
        vouch_ccil *c = NULL;
        vouch_error error = {0};
        vouch_ccil_options_init(&o);
        o.plan = drawn(&r, m, method);
        if (o.plan.lookahead == 0 && number % 7) o.plan.lookahead = 1;
        o.plan.certify = 0;
        o.plan.workers = 0;
        o.plan.limits.nodes = pick(&r, 3) ? 0 : 40;
        o.plan.limits.iterations = pick(&r, 3) ? 0 : 200 + pick(&r, 3000);
        o.plan.trace = NULL;
        o.guarded = method == VOUCH_METHOD_MILP_CCL && pick(&r, 3) == 0;
        o.program_limit = pick(&r, 3) ? 0 : number == 10 ? -1 : 1 + pick(&r, 4);
        if (pick(&r, 2)) assert_int_equal(vouch_trace_new(&o.plan.trace, 1), VOUCH_OK);
        vouch_status status = vouch_ccil_new(&c, m, &o, &error);
        add_error(&w.all, status, &error);
        outcome(&w, status ? "refused" : "made");
        if (!status) {
            vouch_ccil_result result;
            vouch_sample sample[32];
            vouch_simulation_options s;
            add_error(&w.all, vouch_ccil_evaluate(c, &error), &error);
            vouch_ccil_get_result(c, &result);
            w.nodes += result.programs;
            w.iterations += result.reused;
            const double all[] = {result.outcome,
                                  result.has_policy,
                                  result.max_regret,
                                  result.total_regret,
                                  result.value,
                                  result.first_max_regret,
                                  result.first_bound,
                                  (double)result.kept_on,
                                  (double)result.unproved,
                                  (double)result.missing,
                                  result.missing_probability};
            add_all(&w.all, 11, all);
            for (int k = 0; k < result.environments; k++)
                add(&w.all, result.figures[k].value), add(&w.all, result.figures[k].regret);
            if (result.has_policy) add_all(&w.all, result.environments * vouch_model_promises(m), result.commitments);
            vouch_simulation_options_init(&s);
            s.episodes = 15;
            s.threads = 1 + number % 2;
            status = vouch_simulate_ccil(c, &s, sample, &error);
            add_error(&w.all, status, &error);
            if (!status) add_samples(&w.all, result.environments * vouch_model_promises(m), sample);
            o.plan.limits.iterations = 0;
        }
        if (o.plan.trace) add_trace(&w.all, o.plan.trace);
        vouch_ccil_free(c);
        vouch_trace_free(o.plan.trace);
        o.plan.trace = NULL;
        if (number % 3 == 0 && o.program_limit >= 0) act(m, &o, &r, &w.all);
        vouch_model_free(m);
    }
    (void)snprintf(name, sizeof name, "planned again by %s", vouch_method_text(method));
    note(name, &w);
}

static void test_planning_again(void **state)
{
    (void)state;
    run_again(VOUCH_METHOD_MILP_CCL, 40);
    run_again(VOUCH_METHOD_EXACT_CCL, 10);
    run_again(VOUCH_METHOD_GREEDY, 1);
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "again", test_planning_again); }
