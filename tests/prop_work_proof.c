/* Plans of every objective: their proofs to the letter, their files, and where they lead. See work_aid.h. */
#include "base/rng.h"
#include "oracle/wild.h"
#include "plan_aid.h"
#include "work_aid.h"

static void put_proof(void *context, const char *line) { add_words(context, line, strlen(line)); }

static void add_graph(digest *d, const vouch_policy *p, const vouch_model *m)
{
    vouch_policy_graph *graph;
    vouch_policy_graph_data g;
    assert_int_equal(vouch_policy_graph_new(&graph, p, m, NULL), VOUCH_OK);
    vouch_policy_graph_view(graph, &g);
    for (int i = 0; i < g.nodes; i++) {
        const double all[] = {g.node[i].time, g.node[i].state, g.node[i].rule, g.node[i].first_edge, g.node[i].edges};
        add_all(d, 5, all);
    }
    for (int e = 0; e < g.edges; e++) {
        const double all[] = {g.edge[e].from, g.edge[e].to, g.edge[e].choice, g.edge[e].reward};
        add_all(d, 4, all);
    }
    add_all(d, g.nodes * g.environments, g.reach);
    add_all(d, g.edges * g.environments, g.probability);
    vouch_policy_graph_free(graph);
}

/* Its figures worked out anew, and the file that then has them. */
static void add_evaluation(digest *d, vouch_policy *p, const vouch_model *m)
{
    enum { MOST = 64 };
    vouch_environment_figures figures[MOST];
    double commitments[MOST];
    int K = vouch_policy_environments(p), J = vouch_model_promises(m), kept;
    assert_true(K * J <= MOST);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(vouch_policy_evaluate_promises(p, m, figures, commitments, &kept, NULL), VOUCH_OK);
        add(d, kept);
        add_all(d, K * J, commitments);
        vouch_policy_set_figures(p, figures);
        if (p->promises == J) assert_int_equal(vouch_policy_set_commitments(p, J, commitments), VOUCH_OK);
        text t = policy_bytes(p, m);
        add_words(d, t.data, t.length);
        text_free(&t);
    }
}

/* A plan, the proof of it, its file, the file read again, and where it leads. */
static void plan_and_prove(const vouch_model *m, const vouch_plan_options *o, work *w)
{
    vouch_plan_result r;
    vouch_policy *p, *back = NULL;
    vouch_error error = {0};
    vouch_status status = vouch_plan(&p, m, o, &error);
    add(&w->all, status);
    if (status) {
        add_bytes(&w->all, error.text, strlen(error.text));
        outcome(w, "no");
        return;
    }
    vouch_policy_get_result(p, &r);
    outcome(w, vouch_plan_outcome_text(r.outcome));
    w->nodes += r.nodes;
    w->iterations += r.iterations;
    const double figures[] = {r.max_regret, r.total_regret, r.bound, r.total_bound, r.has_policy, r.optima_bounded};
    add_all(&w->all, 6, figures);
    if (r.regret_of_determinism) add_all(&w->all, r.environments, r.regret_of_determinism);
    text t = policy_bytes(p, m);
    add_words(&w->all, t.data, t.length);
    if (r.has_policy) {
        char *copy = mem_alloc(t.length + 1, 1);
        assert_non_null(copy);
        memcpy(copy, t.data, t.length + 1);
        assert_int_equal(policy_json_parse(&back, m, "back", copy, t.length, &error), VOUCH_OK);
        text again = policy_bytes(back, m);
        add_words(&w->all, again.data, again.length);
        text_free(&again);
        add_evaluation(&w->all, back, m);
        add_graph(&w->all, back, m);
    }
    text_free(&t);
    vouch_policy_free(back);
    vouch_policy_free(p);
}

static vouch_model *wild(int number) { return wild_model(300 + (uint64_t)number); }

/* One to three promises of all kinds, of which some differ by environment; every fourth model begins in several states. */
static vouch_model *promised(int number)
{
    enum { S = 4, A = 2, K = 2, T = 4 };
    static const char *const name[] = {"first", "second", "third"};
    rng r = rng_seed(40 + (uint64_t)number);
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, S, A, K, T), VOUCH_OK);
    for (int row = 0; row < K * S * A; row++) {
        int one = (int)rng_below(&r, S), step = 1 + (int)rng_below(&r, S - 1);
        double p = 0.25 * (1 + (double)rng_below(&r, 3)), reward = (double)rng_below(&r, 9) - 2;
        assert_int_equal(vouch_model_add(m, row / (S * A), row / A % S, row % A, one, p, reward), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, row / (S * A), row / A % S, row % A, (one + step) % S, 1 - p, reward), VOUCH_OK);
    }
    for (int j = 0; j <= number % 3; j++) {
        bool plain = number % 2 == 0; /* proofs are made of these */
        vouch_promise_kind kind = plain ? VOUCH_PROMISE_AT : (vouch_promise_kind)((number / 2 + j) % VOUCH_PROMISE_KINDS);
        int window = vouch_promise_kind_is_window(kind), from = window ? (int)rng_below(&r, 3) : -1,
            to = number % 4 == 1 ? T - 1 : -1;
        assert_int_equal(vouch_model_add_promise(m, name[j], kind, from, to), VOUCH_OK);
        for (int k = 0; k < K; k++)
            for (int s = 0; s < S; s++)
                assert_int_equal(vouch_model_set_promise_state(m, j, k, s, (s + j + (number % 5 == 4) * k) % 3 != 1), VOUCH_OK);
        assert_int_equal(vouch_model_set_promise_probability(m, j, -1, 0.125 * (double)rng_below(&r, 5)), VOUCH_OK);
    }
    for (int s = 0; s < 2 && number % 4 == 3; s++) assert_int_equal(vouch_model_set_initial_probability(m, -1, s, 0.5), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

static vouch_model *known(int number)
{
    vouch_model *m = NULL;
    vouch_random_shape shape = {.states = 4,
                                .actions = 2 + number % 2,
                                .environments = 2 + number % 2,
                                .horizon = 4,
                                .probability = 0.4,
                                .branching = 2,
                                .seed = (uint64_t)number};
    vouch_status status = number == 0   ? vouch_generate_corridor(&m, 6, 0.4, NULL)
                          : number == 1 ? vouch_generate_lookahead(&m, NULL)
                          : number == 2 ? vouch_generate_twin_states(&m, 4, NULL)
                                        : vouch_generate_random(&m, &shape, NULL);
    assert_int_equal(status, VOUCH_OK);
    return m;
}

enum { REGRET, WEIGHTED, MAX_MIN, TOTAL, BARE, FEW_NODES, HISTORY, EXACT, INTERRUPTED, WAYS };
static const char *const way_name[WAYS] = {"regret",    "weighted", "max-min", "total",      "bare",
                                           "few nodes", "history",  "exact",   "interrupted"};

static void run_proofs(const char *name, vouch_model *(*make)(int number), int count)
{
    static const double weight[] = {1, 0.5, 2, 0, 3, 1, 1, 1};
    for (int way = 0; way < WAYS; way++) {
        work w = {.all = DIGEST_NEW};
        char line[80];
        for (int number = 0; number < count; number++) {
            vouch_model *m = make(number);
            vouch_plan_options o;
            static const volatile sig_atomic_t now = 1;
            vouch_plan_options_init(&o);
            o.method = way == HISTORY ? VOUCH_METHOD_HISTORY : way == EXACT ? VOUCH_METHOD_EXACT_CCL : VOUCH_METHOD_MILP_CCL;
            o.objective = way == WEIGHTED || (way >= BARE && number % 3 == 1)  ? VOUCH_OBJECTIVE_WEIGHTED
                          : way == MAX_MIN || (way >= BARE && number % 3 == 2) ? VOUCH_OBJECTIVE_MAX_MIN
                                                                               : VOUCH_OBJECTIVE_REGRET;
            o.weights = o.objective == VOUCH_OBJECTIVE_WEIGHTED && number % 2 ? weight : NULL;
            o.lookahead = way == HISTORY ? 0 : number % 3 % (m->T + 1);
            o.least_total_regret = way == TOTAL;
            o.tie_break_work = 500;
            o.restarts = way == EXACT ? 1 : 0;
            o.limits.nodes = way == FEW_NODES ? 3 : 0;
            if (way == BARE) o.without = "child-bounds,fixing,option-probing,pareto,pareto-vectors";
            if (way != EXACT && way != HISTORY && !(make == promised && number % 2)) o.proof = put_proof, o.proof_context = &w.all;
            if (way == INTERRUPTED) {
                o.limits.interrupt = &now;
                o.method = (vouch_method)(number % VOUCH_METHOD_COUNT);
                o.proof = NULL;
                o.objective = VOUCH_OBJECTIVE_REGRET;
                o.weights = NULL;
            }
            plan_and_prove(m, &o, &w);
            vouch_model_free(m);
        }
        (void)snprintf(line, sizeof line, "proofs of %s, %s", name, way_name[way]);
        note(line, &w);
    }
}

static void test_proofs(void **state)
{
    (void)state;
    run_proofs("wild models", wild, 60);
    run_proofs("models with promises", promised, 40);
    run_proofs("known models", known, 14);
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "proof", test_proofs); }
