/* The work of planning: every method, engine, part of the search, tie-break, certified stochastic policies, replanning, simulation,
 * largest commitments. See work_aid.h. */
#include <vouch/ccil.h>
#include <vouch/journal.h>

#include "base/clock.h"
#include "base/rng.h"
#include "oracle/wild.h"
#include <vouch/explain.h>
#include "plan_aid.h"
#include "work_aid.h"

#include "evaluate_aid.h"

/* ---- models: a number each ---- */
static vouch_model *random_model(int number, int states, int actions, int horizon, double p)
{
    vouch_model *m;
    vouch_random_shape shape = {states,
                                actions,
                                .environments = 3,
                                .horizon = horizon,
                                .probability = p,
                                .branching = 2 + number % 2,
                                .shared_transitions = number % 4 == 3,
                                .seed = (uint64_t)number};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    return m;
}

static vouch_model *wide(int number) { return random_model(number, 5, 3, 5, 0.4); }
static vouch_model *slim(int number) { return random_model(number, 4, 2, 4, 0.4); }
/* The search for the least total regret is long enough for threads and workers. */
static vouch_model *tied(int number) { return wide(48 + number); }
static vouch_model *strict(int number) { return random_model(number, 4, 2, 4, 0.75); }
/* Each environment alone can keep it, perhaps; all together not. */
static vouch_model *hopeless(int number)
{
    vouch_model *m = random_model(number, 4, 2, 3, 0.5);
    wild_probability(m, 4);
    return m;
}

static vouch_model *wild(int number) { return wild_model((uint64_t)number); }

static vouch_model *maze(int number)
{
    vouch_model *m;
    vouch_maze_shape shape = {3 + number % 2, 2, 2, 2 + number % 2, 9 + number, 0.7, 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    return m;
}

/* A binding promise, so that there are many boxes, whose ranges are halved. */
static vouch_model *binding(int number)
{
    vouch_model *m;
    vouch_maze_shape shape = {3, 2, 2, 2, 7, 0.4 + 0.1 * number, 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    return m;
}

static vouch_model *twins(int number)
{
    vouch_model *m;
    assert_int_equal(number ? vouch_generate_twin_states(&m, 2 + number, NULL) : vouch_generate_lookahead(&m, NULL), VOUCH_OK);
    return m;
}

/* Every action of every environment may lead to every state: likelihood classes multiply with each step, and coarse ones race with
 * fine ones. */
static vouch_model *dense(int number)
{
    enum { S = 3, A = 3, T = 5 };
    vouch_model *m;
    int K = 2 + number % 2;
    rng r = rng_seed((uint64_t)number);
    assert_int_equal(vouch_model_new(&m, S, A, K, T), VOUCH_OK);
    for (int row = 0; row < K * S * A; row++) {
        int weight[S], sum = 0;
        double reward = 10 * rng_unit(&r);
        for (int n = 0; n < S; n++) sum += weight[n] = 1 + (int)rng_below(&r, 20);
        for (int n = 0; n < S; n++)
            assert_int_equal(vouch_model_add(m, row / (S * A), row / A % S, row % A, n, (double)weight[n] / sum, reward), VOUCH_OK);
    }
    assert_int_equal(vouch_model_set_commitment(m, 0, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 0.3), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

/* Large enough to be branched on for long. */
static vouch_model *large(int number) { return random_model(100 + number, 9, 4, 8, 0.5); }

/* ---- digests ---- */
static void add_rules(digest *d, const vouch_policy *p)
{
    for (size_t i = 0; i < p->rule_count; i++) {
        const policy_rule *r = &p->rules[i];
        const double place[] = {r->kind, r->time, r->state, r->boundary_time, r->boundary_state};
        add_all(d, 5, place);
        for (int k = 0; k < r->env_count; k++) add(d, r->env[k]);
        if (r->likelihood) add_all(d, p->K, r->likelihood);
        for (int a = 0; a < r->do_count; a++) add(d, r->action[a]), add(d, r->prob[a]);
    }
}

static void add_figures(digest *d, int K, const vouch_environment_figures figures[])
{
    for (int k = 0; k < K; k++) {
        const double all[] = {figures[k].optimal_value, figures[k].value, figures[k].regret, figures[k].commitment_probability};
        add_all(d, 4, all);
    }
}

static void plan_node(void *context, const vouch_search_node *n)
{
    const double all[] = {(double)n->id, (double)n->parent, n->depth,     n->time,       n->state,
                          n->action,     n->bound,          n->incumbent, (double)n->end};
    add_all(context, 9, all);
}

static void plan_restart(void *context, const vouch_restart *r)
{
    const double all[] = {r->number, r->start[0], r->regret, r->shortfall, (double)r->work, r->optimum};
    add_all(context, 6, all);
}

/* Told by counts, where other stages tell by time. */
static void plan_told(void *context, const vouch_plan_progress *p)
{
    if (strcmp(p->stage, "certificate") != 0) return;
    const double all[] = {p->incumbent, p->bound, (double)p->nodes, (double)p->open_nodes};
    add_all(context, 4, all);
}

static vouch_policy *plan_noted(const vouch_model *m, const vouch_plan_options *o, work *w)
{
    vouch_plan_result r;
    vouch_policy *p = plan_by(m, o);
    vouch_policy_get_result(p, &r);
    outcome(w, vouch_plan_outcome_text(r.outcome));
    w->nodes += r.nodes;
    w->iterations += r.iterations;
    const double figures[] = {r.max_regret, r.total_regret, r.bound, r.total_bound, r.nearest_probability};
    add_all(&w->all, 5, figures);
    add_figures(&w->all, r.environments, r.figures);
    if (r.largest_probability) add_all(&w->all, r.environments, r.largest_probability);
    add_rules(&w->all, p);
    return p;
}

static void add_samples(digest *d, int K, const vouch_sample sample[])
{
    for (int k = 0; k < K; k++) {
        const double all[] = {(double)sample[k].episodes, sample[k].mean,     sample[k].half_width, sample[k].kept,
                              sample[k].kept_low,         sample[k].kept_high};
        add_all(d, 6, all);
    }
}

/* Evaluated and simulated. */
static void check_again(const vouch_model *m, vouch_policy *p, digest *d)
{
    int kept;
    vouch_sample sample[16];
    vouch_simulation_options s;
    assert_int_equal(evaluate_again(p, m, &kept, NULL), VOUCH_OK);
    add(d, kept);
    add_figures(d, p->K, p->figures);
    assert_true(p->K <= 16);
    vouch_simulation_options_init(&s);
    s.episodes = 25;
    assert_int_equal(vouch_simulate(p, m, &s, sample, NULL), VOUCH_OK);
    add_samples(d, p->K, sample);
}

/* ---- plans ---- */
typedef struct item {
    const char *name;
    vouch_model *(*make)(int number);
    int count;
    vouch_plan_options change; /* members that are not 0 are set */
} item;

static const item items[] = {
    {"wide", wide, 12, {.lookahead = 0}},
    {"wide, frontiers off", wide, 4, {.without = "pareto-vectors"}},
    {"wide, probing off", wide, 4, {.without = "child-bounds"}},
    {"wide, inheritance off", wide, 4, {.without = "inheritance"}},
    {"wide, slices off", wide, 4, {.without = "local-search,threshold-accepting"}},
    {"wide, plunging off", wide, 4, {.without = "plunging"}},
    {"wide, fixing off", wide, 4, {.without = "fixing,option-probing"}},
    {"wide, pairs off", wide, 4, {.without = "pareto"}},
    {"wide, levels off", wide, 4, {.without = "levels"}},
    {"wide, traced", wide, 3, {.lookahead = 0}},
    {"wild, traced", wild, 12, {.least_total_regret = 1}},
    {"large, traced", large, 1, {.limits = {.nodes = 150}}},
    {"wide, two threads", wide, 3, {.threads = 2}},
    {"wide, gap", wide, 4, {.gap = 0.02}},
    {"wide, tie-break", wide, 4, {.least_total_regret = 1}},
    {"tied, two threads", tied, 2, {.least_total_regret = 1, .tie_break_work = 2000, .threads = 2}},
    {"tied, two workers", tied, 2, {.least_total_regret = 1, .tie_break_work = 2000, .workers = 2}},
    {"wide, nodes", wide, 4, {.limits = {.nodes = 20}}},
    {"wild", wild, 30, {.least_total_regret = 1}},
    {"dense", dense, 2, {.limits = {.iterations = 6000}}},
    {"large", large, 1, {.limits = {.nodes = 220}}},
    {"large, pairs and frontiers off", large, 1, {.without = "pareto,pareto-vectors", .limits = {.nodes = 200}}},
    {"large, iterations", large, 1, {.limits = {.iterations = 300}}},
    {"large, tie-break", large, 1, {.least_total_regret = 1, .limits = {.nodes = 200}}},
    {"wild, class limit", wild, 12, {.class_limit = 3, .limits = {.nodes = 200}}},
    {"maze", maze, 3, {.least_total_regret = 1}},
    {"twins", twins, 3, {.least_total_regret = 1}},
    {"slim, program", slim, 4, {.engine = VOUCH_ENGINE_LP}},
    {"wild, program", wild, 12, {.engine = VOUCH_ENGINE_LP, .least_total_regret = 1}},
    {"slim, exact", slim, 3, {.method = VOUCH_METHOD_EXACT_CCL, .restarts = 3}},
    {"slim, certified", slim, 2, {.method = VOUCH_METHOD_EXACT_CCL, .certify = 1, .restarts = 2, .gap = 0.05}},
    {"wild, certified", wild, 12, {.method = VOUCH_METHOD_EXACT_CCL, .certify = 1, .restarts = 2, .limits = {.nodes = 15}}},
    {"binding, certified", binding, 2, {.method = VOUCH_METHOD_EXACT_CCL, .certify = 1, .restarts = 1, .gap = 0.02}},
    {"hopeless", hopeless, 3, {.lookahead = 0}},
    {"hopeless, exact", hopeless, 2, {.method = VOUCH_METHOD_EXACT_CCL, .restarts = 1}},
    {"strict, history", strict, 4, {.method = VOUCH_METHOD_HISTORY}},
    {"wild, history", wild, 12, {.method = VOUCH_METHOD_HISTORY, .least_total_regret = 1}},
    {"wide, greedy", wide, 12, {.method = VOUCH_METHOD_GREEDY}},
    {"wide, mdps-best", wide, 12, {.method = VOUCH_METHOD_MDPS_BEST}},
    {"wild, greedy", wild, 20, {.method = VOUCH_METHOD_GREEDY}},
    {"wild, mdps-best", wild, 20, {.method = VOUCH_METHOD_MDPS_BEST}},
};

static void run_plans(const item *it)
{
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < it->count; number++) {
        vouch_model *m = it->make(number);
        const vouch_plan_options *c = &it->change;
        vouch_plan_options o;
        vouch_plan_options_init(&o);
        o.method = c->method;
        o.engine = c->engine;
        o.lookahead = c->method == VOUCH_METHOD_MILP_CCL || c->method == VOUCH_METHOD_EXACT_CCL ? number % 3 % (m->T + 1) : 0;
        o.without = c->without;
        o.certify = c->certify;
        o.limits = c->limits;
        o.least_total_regret = c->least_total_regret;
        o.tie_break_work = c->tie_break_work ? c->tie_break_work : 500;
        if (c->gap > 0) o.gap = c->gap;
        if (c->class_limit) o.class_limit = c->class_limit;
        if (c->restarts) o.restarts = c->restarts;
        if (c->threads) o.threads = c->threads;
        o.workers = c->workers;
        o.on_node = plan_node;
        o.restart = plan_restart;
        o.progress = plan_told;
        o.on_node_context = o.restart_context = o.progress_context = &w.all;
        bool traced = strstr(it->name, "traced");
        if (traced) assert_int_equal(vouch_trace_new(&o.trace, 1), VOUCH_OK);
        vouch_policy *p = plan_noted(m, &o, &w);
        if (traced) add_trace(&w.all, o.trace);
        vouch_trace_free(o.trace);
        o.trace = NULL;
        if (p->has_policy) check_again(m, p, &w.all);
        if (p->has_policy && c->method == VOUCH_METHOD_MILP_CCL) { /* and again from there */
            o.start = p;
            vouch_policy_free(plan_noted(m, &o, &w));
        }
        vouch_policy_free(p);
        vouch_model_free(m);
    }
    note(it->name, &w);
}

/* ---- planning again while acting ---- */
static void run_ccil(const char *name, vouch_model *(*make)(int number), int count, const vouch_ccil_options *options)
{
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < count; number++) {
        vouch_model *m = make(number);
        vouch_ccil_options o = *options;
        vouch_ccil *c;
        vouch_ccil_result r;
        vouch_sample sample[8];
        vouch_simulation_options s;
        vouch_simulation_options_init(&s);
        s.episodes = 40;
        o.plan.lookahead = 1 + number % 2 % m->T;
        assert_int_equal(vouch_ccil_new(&c, m, &o, NULL), VOUCH_OK);
        assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
        vouch_ccil_get_result(c, &r);
        outcome(&w, vouch_plan_outcome_text(r.outcome));
        w.nodes += r.programs;
        w.iterations += r.reused;
        const double figures[] = {r.max_regret,      r.total_regret,     r.first_max_regret, r.first_bound,
                                  (double)r.kept_on, (double)r.unproved, (double)r.missing,  r.missing_probability};
        add_all(&w.all, 8, figures);
        add_figures(&w.all, r.environments, r.figures);
        if (r.has_policy && r.environments <= 8) {
            assert_int_equal(vouch_simulate_ccil(c, &s, sample, NULL), VOUCH_OK);
            add_samples(&w.all, r.environments, sample);
        }
        vouch_ccil_free(c);
        vouch_model_free(m);
    }
    note(name, &w);
}

/* Plans that other processes make, and that a journal keeps: written, and read again. */
static void run_ccil_tasks(void)
{
    char path[] = "/tmp/vouch_work_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int method = 0; method < 2; method++) {
        for (int way = 0; way < 3; way++) {
            static const char *const way_name[] = {"workers", "journal", "journal again"};
            vouch_ccil_options o;
            vouch_journal_options kept = {.mark = "work", .resume = way == 2};
            char name[40];
            vouch_ccil_options_init(&o);
            o.plan.method = method ? VOUCH_METHOD_EXACT_CCL : VOUCH_METHOD_MILP_CCL;
            o.plan.restarts = method;
            if (way == 0) o.plan.workers = 2;
            if (way == 1) assert_int_equal(truncate(path, 0), 0);
            if (way > 0) assert_int_equal(vouch_journal_open(&o.plan.journal, path, &kept, NULL), VOUCH_OK);
            snprintf(name, sizeof name, "ccil %s, %s", method ? "exact" : "slim", way_name[way]);
            run_ccil(name, method ? wild : slim, method ? 12 : 4, &o);
            if (way == 2) assert_true(vouch_journal_records(o.plan.journal) > 0);
            vouch_journal_free(o.plan.journal);
        }
    }
    unlink(path);
}

/* Acts in environment 0, and watches the promises. */
static void run_executor(void)
{
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < 12; number++) {
        vouch_model *m = number % 2 ? wild(number) : slim(number);
        vouch_ccil_options o;
        vouch_executor *e;
        rng r = rng_seed((uint64_t)number);
        double promise[8];
        vouch_ccil_options_init(&o);
        o.plan.lookahead = 1;
        o.plan.seed = (uint64_t)number;
        if (vouch_executor_new(&e, m, &o, NULL) == VOUCH_OK) {
            while (!vouch_executor_done(e)) {
                vouch_decision d;
                vouch_executor_decision(e, &d);
                w.nodes++;
                w.iterations += d.planned;
                add(&w.all, d.sampled);
                for (int a = 0; a < d.actions; a++) add(&w.all, d.action[a]), add(&w.all, d.probability[a]);
                vouch_executor_promise(e, promise);
                for (int k = 0; k < m->K; k++) add(&w.all, isnan(promise[k]) ? -1 : promise[k]);
                int k = d.environment[0], q = model_pair(m, d.state, d.sampled), at = m->env[k].start[q];
                double left = rng_unit(&r);
                while (at + 1 < m->env[k].start[q + 1] && (left -= m->env[k].prob[at]) > 0) at++;
                assert_int_equal(vouch_executor_observe(e, -1, m->env[k].reward[at], m->env[k].next[at], NULL), VOUCH_OK);
            }
            outcome(&w, vouch_executor_kept(e) ? "kept" : "broken");
            vouch_executor_free(e);
        } else {
            outcome(&w, "none");
        }
        vouch_model_free(m);
    }
    note("executor", &w);
}

static void run_explain(const char *name, vouch_method method, int count)
{
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < count; number++) {
        vouch_model *m = slim(number);
        vouch_plan_options o = plan_options(method, 1);
        vouch_range range;
        assert_int_equal(vouch_explain_largest(m, &o, 1, &range, NULL), VOUCH_OK);
        outcome(&w, range.proved ? "proved" : "open");
        add(&w.all, range.reached);
        add(&w.all, range.bound);
        if (range.bound < 0.99) {
            int env[8];
            vouch_conflict c = {.environment = env};
            vouch_model_set_probability(m, range.bound + 0.01);
            assert_int_equal(vouch_explain_conflict(m, &o, &c, NULL), VOUCH_OK);
            for (int k = 0; k < c.count; k++) add(&w.all, env[k]);
            w.nodes += c.count;
            w.iterations += c.smallest;
        }
        vouch_model_free(m);
    }
    note(name, &w);
}

static void test_plans(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) run_plans(&items[i]);
    vouch_ccil_options o;
    vouch_ccil_options_init(&o);
    run_ccil("ccil slim", slim, 4, &o);
    run_ccil("ccil wild", wild, 16, &o);
    o.guarded = 1;
    run_ccil("ccil slim, guarded", slim, 4, &o);
    run_ccil("ccil wild, guarded", wild, 16, &o);
    o.guarded = 0;
    o.program_limit = 3;
    run_ccil("ccil slim, three programs", slim, 4, &o);
    o.program_limit = 0;
    o.plan.method = VOUCH_METHOD_EXACT_CCL;
    o.plan.restarts = 2;
    run_ccil("ccil exact", wild, 8, &o);
    static const volatile sig_atomic_t now = 1;
    o.plan.limits.interrupt = &now;
    run_ccil("ccil exact, interrupted", wild, 8, &o);
    o.plan.method = VOUCH_METHOD_MILP_CCL;
    run_ccil("ccil wild, interrupted", wild, 16, &o);
    run_ccil_tasks();
    run_executor();
    run_explain("explain", VOUCH_METHOD_MILP_CCL, 6);
    run_explain("explain, history", VOUCH_METHOD_HISTORY, 3);
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "plan", test_plans); }
