/* The work of planning under options drawn at random, several at once: limits that bite, policies to begin with, windows, grains
 * and journals, any objective; options that are refused; episodes of the policies found, rule by rule; programs of every form and
 * aim. See work_aid.h. */
#include <vouch/explain.h>
#include <vouch/journal.h>
#include <vouch/program.h>

#include "io/lpformat.h"
#include "options_aid.h"

/* ---- what a policy says, as its users see it ---- */
static void add_rules(digest *d, const vouch_policy *p)
{
    const double head[] = {vouch_policy_lookahead(p), vouch_policy_horizon(p), vouch_policy_environments(p)};
    add_all(d, 3, head);
    for (int i = -1; i <= vouch_policy_rules(p); i++) {
        vouch_rule rule;
        vouch_policy_get_rule(p, i, &rule);
        const double place[] = {rule.kind, rule.time, rule.state, rule.boundary_time, rule.boundary_state};
        add_all(d, 5, place);
        for (int k = 0; k < rule.environments; k++) add(d, rule.environment[k]);
        if (rule.likelihood) add_all(d, vouch_policy_environments(p), rule.likelihood);
        for (int a = 0; a < rule.actions; a++) add(d, rule.action[a]), add(d, rule.probability[a]);
    }
}

/* One decision followed: what is seen is drawn in one of the environments still possible, or is none that can be. */
static bool follow(vouch_episode *e, const vouch_model *m, rng *r, digest *d)
{
    vouch_decision at;
    vouch_error error = {0};
    vouch_episode_decision(e, &at);
    const double place[] = {at.time, at.state, at.sampled, at.planned};
    add_all(d, 4, place);
    for (int k = 0; k < at.environments; k++) add(d, at.environment[k]);
    for (int a = 0; a < at.actions; a++) add(d, at.action[a]), add(d, at.probability[a]);
    add(d, vouch_episode_kept(e));
    if (vouch_episode_done(e)) {
        add_error(d, vouch_episode_observe(e, -1, 0, 0, &error), &error);
        return false;
    }
    int action = pick(r, 4) ? at.sampled : at.action[pick(r, at.actions)];
    int q = model_pair(m, at.state, action), k = at.environment[pick(r, at.environments)];
    const mdp *env = &m->env[k];
    int o = env->start[q] + pick(r, env->start[q + 1] - env->start[q]);
    add_error(d, vouch_episode_observe(e, action, env->reward[o] + 0.123, env->next[o], &error), &error);
    add_error(d, vouch_episode_observe(e, action, env->reward[o], m->S, &error), &error);
    add_error(d, vouch_episode_observe(e, m->A, env->reward[o], env->next[o], &error), &error);
    if (env->prob[o] <= 0) return false;
    vouch_status status = vouch_episode_observe(e, action == at.sampled ? -1 : action, env->reward[o], env->next[o], &error);
    add_error(d, status, &error);
    return !status;
}

static void add_episodes(digest *d, const vouch_policy *p, const vouch_model *m, rng *r)
{
    vouch_episode *e;
    vouch_error error = {0};
    vouch_status status = vouch_episode_new(&e, p, m, 7, &error);
    add_error(d, status, &error);
    for (uint64_t seed = 1; seed <= 4 && !status; seed++) {
        while (follow(e, m, r, d)) {}
        vouch_episode_restart(e, seed);
    }
    vouch_episode_free(e);
}

/* ---- options ---- */

typedef struct listening {
    digest *all;
} listening;

static void heard_proof(void *context, const char *line) { add_words(((listening *)context)->all, line, strlen(line)); }
static void heard_node(void *context, const vouch_search_node *n)
{
    const double all[] = {(double)n->id, (double)n->parent, n->depth, n->time, n->state, n->action, n->bound, (double)n->end};
    add_all(((listening *)context)->all, 8, all);
}

/* As many as there are: on an odd number of a family an option that is none. */
static void spoil(rng *r, const vouch_model *m, vouch_plan_options *o)
{
    static const double bad[] = {-1, 2, 1e300, NAN};
    int kind = pick(r, 14);
    if (kind == 0) o->lookahead = m->T + 1;
    if (kind == 1) o->lookahead = -1;
    if (kind == 2) o->method = VOUCH_METHOD_COUNT;
    if (kind == 3) o->engine = (vouch_engine)3;
    if (kind == 4) o->objective = VOUCH_OBJECTIVES;
    if (kind == 5) o->objective = VOUCH_OBJECTIVE_WEIGHTED, o->weights = bad;
    if (kind == 6) o->objective = VOUCH_OBJECTIVE_WEIGHTED, o->weights = bad + 2;
    if (kind == 7) o->limits.nodes = -1;
    if (kind == 8) o->limits.seconds = -1;
    if (kind == 9) o->restarts = -1;
    if (kind == 10) o->gap = -1;
    if (kind == 11) o->threads = -1;
    if (kind == 12) o->workers = o->window = -2;
    if (kind == 13) o->without = "pareto,no part", o->grain = -1;
}

static vouch_policy *plan_drawn(const vouch_model *m, vouch_plan_options *o, work *w)
{
    vouch_plan_result result;
    vouch_policy *p;
    vouch_error error = {0};
    listening hear = {&w->all};
    o->on_node = heard_node;
    o->on_node_context = o->proof_context = &hear;
    if (o->seed == 2) assert_int_equal(vouch_trace_new(&o->trace, 1), VOUCH_OK);
    vouch_status status = vouch_plan(&p, m, o, &error);
    if (o->trace) add_trace(&w->all, o->trace);
    vouch_trace_free(o->trace);
    o->trace = NULL;
    add_error(&w->all, status, &error);
    if (status) {
        outcome(w, "refused");
        return NULL;
    }
    vouch_policy_get_result(p, &result);
    outcome(w, vouch_plan_outcome_text(result.outcome));
    w->nodes += result.nodes;
    w->iterations += result.iterations;
    const double all[] = {result.max_regret, result.total_regret,        result.bound,
                          result.value,      result.total_bound,         result.nearest_probability,
                          result.has_policy, (double)result.total_nodes, result.optima_bounded};
    add_all(&w->all, 9, all);
    for (int k = 0; k < result.environments; k++) {
        const vouch_environment_figures *f = &result.figures[k];
        const double figures[] = {f->optimal_value, f->value, f->regret, f->commitment_probability};
        add_all(&w->all, 4, figures);
    }
    add_all(&w->all, result.environments, result.regret_of_determinism);
    add_all(&w->all, result.environments * result.promises, result.largest_probability);
    add_all(&w->all, result.environments * result.promises, result.commitments);
    return p;
}

/* A plan; one that begins with it or with another's, of this model or of the one before; what it says. */
static void run_method(vouch_method method, int count)
{
    work w = {.all = DIGEST_NEW};
    char name[60];
    vouch_policy *other = NULL;
    for (int number = 0; number < count; number++) {
        rng r = rng_seed(1000 * (uint64_t)method + (uint64_t)number);
        vouch_model *m = model_of_family(&r);
        vouch_plan_options o = drawn(&r, m, method);
        if (number % 5 == 4) spoil(&r, m, &o);
        if (method == VOUCH_METHOD_MILP_CCL && pick(&r, 3) == 0) o.proof = heard_proof;
        vouch_policy *p = plan_drawn(m, &o, &w);
        if (p) {
            text t = policy_bytes(p, m);
            add_words(&w.all, t.data, t.length);
            text_free(&t);
            add_rules(&w.all, p);
            if (p->has_policy) add_episodes(&w.all, p, m, &r);
        }
        vouch_plan_options again = drawn(&r, m, (vouch_method)pick(&r, 2));
        again.limits.nodes = 1 + pick(&r, 30);
        again.certify = 0;
        again.start = pick(&r, 4) ? p : other;
        if (p && pick(&r, 2)) again.lookahead = p->L;
        vouch_policy *next = plan_drawn(m, &again, &w);
        vouch_policy_free(other);
        other = next;
        vouch_policy_free(p);
        vouch_model_free(m);
    }
    vouch_policy_free(other);
    (void)snprintf(name, sizeof name, "options of %s", vouch_method_text(method));
    note(name, &w);
}

/* ---- journals: broken off and gone on with ---- */
static void run_journals(void)
{
    work w = {.all = DIGEST_NEW};
    char path[] = "/tmp/vouch_options_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int number = 0; number < 6; number++) {
        rng r = rng_seed(5000 + (uint64_t)number);
        vouch_model *m = model_of_family(&r);
        vouch_plan_options o = drawn(&r, m, VOUCH_METHOD_MILP_CCL);
        o.workers = 0;
        assert_int_equal(truncate(path, 0), 0);
        for (int round = 0; round < 3; round++) {
            vouch_journal_options kept = {.mark = "options", .resume = round > 0};
            o.limits.nodes = round == 0 ? 3 : 150;
            o.limits.iterations = 0;
            assert_int_equal(vouch_journal_open(&o.journal, path, &kept, NULL), VOUCH_OK);
            add(&w.all, (double)vouch_journal_records(o.journal));
            vouch_policy_free(plan_drawn(m, &o, &w));
            vouch_journal_free(o.journal);
        }
        vouch_model_free(m);
    }
    unlink(path);
    note("journals", &w);
}

/* ---- programs ---- */
static void run_programs(void)
{
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < 48; number++) {
        rng r = rng_seed(7000 + (uint64_t)number);
        vouch_model *m = model_of_family(&r);
        vouch_program *program;
        vouch_error error = {0};
        vouch_program_aim aim = {(vouch_objective)(number / 4 % 4), number % 3 ? weights : NULL};
        int lookahead = number == 47 ? -1 : pick(&r, m->T + (number % 9 == 8) + 1);
        vouch_program_form form = number == 46 ? (vouch_program_form)7 : (vouch_program_form)(number % 4);
        vouch_status status = vouch_program_new_for(&program, m, form, lookahead, &aim, &error);
        add_error(&w.all, status, &error);
        outcome(&w, status ? "refused" : "written");
        if (program) {
            const vouch_lp_product *product;
            text t = {0};
            int count = vouch_program_products(program, &product);
            w.nodes += vouch_lp_rows(vouch_program_lp(program));
            w.iterations += vouch_lp_cols(vouch_program_lp(program));
            assert_int_equal(lpformat_write_products(vouch_program_lp(program), product, count, &t, &error), VOUCH_OK);
            add_words(&w.all, t.data, t.length);
            text_free(&t);
        }
        vouch_program_free(program);
        vouch_model_free(m);
    }
    note("programs", &w);
}

/* ---- what can be promised ---- */
static void run_promises(void)
{
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < 10; number++) {
        enum { MOST = 32 };
        rng r = rng_seed(9000 + (uint64_t)number);
        vouch_model *m = model_of_family(&r);
        vouch_plan_options o = drawn(&r, m, number % 3 == 2 ? VOUCH_METHOD_HISTORY : VOUCH_METHOD_MILP_CCL);
        vouch_range range = {0};
        vouch_error error = {0};
        double alone[MOST];
        int rows = vouch_model_environments(m) * vouch_model_promises(m), environment[MOST];
        assert_true(rows <= MOST);
        o.lookahead = 0;
        o.engine = VOUCH_ENGINE_AUTO;
        add_error(&w.all, vouch_explain_alone(m, NULL, &error), &error);
        add_error(&w.all, vouch_explain_largest(m, NULL, 1, &range, &error), &error);
        add_error(&w.all, vouch_explain_level(m, 0, &o, 1, NULL, &error), &error);
        add_error(&w.all, vouch_explain_conflict(m, NULL, &(vouch_conflict){.environment = environment}, &error), &error);
        add_error(&w.all, vouch_explain_conflict(m, &o, NULL, &error), &error);
        add_error(&w.all, vouch_explain_alone(m, alone, &error), &error);
        add_all(&w.all, rows, alone);
        vouch_status status = vouch_explain_level(m, number % vouch_model_promises(m), &o, 1, &range, &error);
        add_error(&w.all, status, &error);
        add_error(&w.all, vouch_explain_largest(m, &o, 0.9, &range, &error), &error);
        const double found[] = {range.reached, range.bound, range.proved};
        add_all(&w.all, 3, found);
        outcome(&w, range.proved ? "proved" : "open");
        vouch_conflict c = {.environment = environment};
        for (int j = 0; j < vouch_model_promises(m); j++) vouch_model_set_promise_probability(m, j, -1, 0.95);
        if (rows < 2) { /* a conflict is of several */
            vouch_model_free(m);
            continue;
        }
        status = vouch_explain_conflict(m, &o, &c, &error);
        add_error(&w.all, status, &error);
        for (int i = 0; i < c.count && !status; i++) add(&w.all, c.environment[i]);
        w.nodes += c.count;
        w.iterations += c.smallest;
        vouch_model_free(m);
    }
    note("promises", &w);
}

static void test_options(void **state)
{
    (void)state;
    run_method(VOUCH_METHOD_MILP_CCL, 45);
    run_method(VOUCH_METHOD_EXACT_CCL, 15);
    run_method(VOUCH_METHOD_HISTORY, 25);
    run_method(VOUCH_METHOD_GREEDY, 15);
    run_method(VOUCH_METHOD_MDPS_BEST, 15);
    run_journals();
    run_programs();
    run_promises();
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "options", test_options); }
