/* Promises of all kinds, with sets and probabilities by environment and initial distributions, against what their definitions say
 * (promise_aid.h). VOUCH_PROMISES: number of models. */
#include "plan_aid.h"

#include <vouch/ccil.h>
#include <vouch/vouch.h>

#include "base/rng.h"
#include "mdp/model.h"

enum { MOST_S = 3, A = 2, MOST_T = 3, MOST_K = 2, MOST_J = 3, MOST_NODES = 11 };
#define KEPT 1e-9

typedef struct drawn {
    int S, T, K, J;
    double P[MOST_K][MOST_S][A][MOST_S], R[MOST_K][MOST_S][A], first[MOST_S];
    bool spread; /* an initial distribution */
    struct {
        vouch_promise_kind kind;
        int from, to;
        bool in[MOST_K][MOST_S];
        double p[MOST_K];
    } promise[MOST_J];
    int nodes;
    struct {
        int t, s;
        char decided[MOST_J][MOST_K]; /* '?', 'y', 'n' */
    } node[64];
} drawn;

static rng random_now;
static double unit(void) { return rng_unit(&random_now); }
static int below(int n) { return (int)(rng_next(&random_now) % (uint64_t)n); }

/* Promise j in environment k after the states s[0 .. t]: 'y' kept, 'n' broken for good, '?' open. At the horizon the last state
 * decides an open one. */
static char judge(const drawn *d, int j, int k, const int s[], int t)
{
    int to = d->promise[j].to, from = d->promise[j].from;
    const bool *in = d->promise[j].in[k];
    vouch_promise_kind kind = d->promise[j].kind;
    if (kind == VOUCH_PROMISE_AT) return to == d->T || t < to ? '?' : in[s[to]] ? 'y' : 'n';
    if (kind == VOUCH_PROMISE_BY) {
        for (int i = 0; i <= t && i <= to; i++)
            if (in[s[i]]) return 'y';
        return t >= to && to < d->T ? 'n' : '?';
    }
    for (int i = from; i <= t && i <= to; i++)
        if (in[s[i]] == (kind == VOUCH_PROMISE_AVOID)) return 'n';
    return t >= to && to < d->T ? 'y' : '?';
}

static bool holds_at_end(const drawn *d, int j, int k, const int s[])
{
    char c = judge(d, j, k, s, d->T);
    if (c != '?') return c == 'y';
    if (d->promise[j].kind == VOUCH_PROMISE_AT) return d->promise[j].in[k][s[d->T]];
    return d->promise[j].kind != VOUCH_PROMISE_BY;
}

/* The node of a history; -1: they are too many. */
static int node_of(drawn *d, const int s[], int t)
{
    char decided[MOST_J][MOST_K] = {{0}};
    for (int j = 0; j < d->J; j++)
        for (int k = 0; k < d->K; k++) decided[j][k] = judge(d, j, k, s, t);
    for (int n = 0; n < d->nodes; n++)
        if (d->node[n].t == t && d->node[n].s == s[t] && memcmp(decided, d->node[n].decided, sizeof decided) == 0) return n;
    if (d->nodes == 64) return -1;
    d->node[d->nodes].t = t;
    d->node[d->nodes].s = s[t];
    memcpy(d->node[d->nodes].decided, decided, sizeof decided);
    return d->nodes++;
}

typedef struct worth {
    double U, Pr[MOST_J];
} worth;

static void follow(drawn *d, int k, unsigned policy, int s[], int t, double reach, worth *w)
{
    if (t == d->T) {
        for (int j = 0; j < d->J; j++) w->Pr[j] += holds_at_end(d, j, k, s) ? reach : 0;
        return;
    }
    int a = (int)(policy >> node_of(d, s, t) & 1U);
    w->U += reach * d->R[k][s[t]][a];
    for (s[t + 1] = 0; s[t + 1] < d->S; s[t + 1]++) {
        double p = d->P[k][s[t]][a][s[t + 1]];
        int next = s[t + 1];
        if (p > 0) follow(d, k, policy, s, t + 1, reach * p, w);
        s[t + 1] = next;
    }
}

static worth value(drawn *d, int k, unsigned policy)
{
    worth w = {0};
    int s[MOST_T + 1];
    for (s[0] = 0; s[0] < d->S; s[0]++)
        if (d->first[s[0]] > 0) {
            int first = s[0];
            follow(d, k, policy, s, 0, d->first[first], &w);
            s[0] = first;
        }
    return w;
}

/* Every node up to time `last` that any policy reaches; false: too many decide. */
static bool find_nodes(drawn *d, int s[], int t, int last)
{
    int n = node_of(d, s, t), deciding = 0;
    for (int i = 0; i < d->nodes; i++) deciding += d->node[i].t < d->T;
    if (n < 0 || deciding > MOST_NODES || n >= 60) return false;
    if (t == last) return true;
    for (int next = 0; next < d->S; next++) {
        bool possible = false;
        for (int k = 0; k < d->K; k++)
            for (int a = 0; a < A; a++) possible |= d->P[k][s[t]][a][next] > 0;
        s[t + 1] = next;
        if (possible && !find_nodes(d, s, t + 1, last)) return false;
    }
    return true;
}

static void draw_row(const drawn *d, double row[])
{
    double sum = 0;
    for (int s = 0; s < d->S; s++) sum += row[s] = unit() < 0.6 ? 0.05 + unit() : 0;
    if (!(sum > 0)) sum = row[below(d->S)] = 1;
    for (int s = 0; s < d->S; s++) row[s] /= sum;
}

static bool draw(drawn *d, int J)
{
    *d = (drawn){.S = 2 + below(2), .T = 2 + below(2), .K = 1 + below(2), .J = J};
    bool shared = below(2);
    for (int k = 0; k < d->K; k++)
        for (int s = 0; s < d->S; s++)
            for (int a = 0; a < A; a++) {
                draw_row(d, d->P[k][s][a]);
                d->R[k][s][a] = below(4);
                if (k && shared) memcpy(d->P[k][s][a], d->P[0][s][a], sizeof d->P[k][s][a]);
            }
    d->spread = below(3) == 0;
    if (d->spread)
        draw_row(d, d->first);
    else
        d->first[0] = 1;
    for (int j = 0; j < J; j++) {
        bool by_environment = below(2), early = below(2);
        d->promise[j].kind = (vouch_promise_kind)below(VOUCH_PROMISE_KINDS);
        d->promise[j].to = early ? below(d->T + 1) : d->T;
        d->promise[j].from = below(2) ? 0 : below(d->promise[j].to + 1);
        for (int k = 0; k < d->K; k++)
            for (int s = 0; s < d->S; s++) d->promise[j].in[k][s] = k && !by_environment ? d->promise[j].in[0][s] : below(2) == 0;
    }
    int s[MOST_T + 1];
    for (int first = 0; first < d->S; first++) {
        s[0] = first;
        if (d->first[first] > 0 && !find_nodes(d, s, 0, d->T - 1)) return false;
    }
    return true;
}

/* p so that some policy keeps all promises. */
static void draw_probabilities(drawn *d, unsigned policies)
{
    unsigned chosen = (unsigned)below((int)policies);
    for (int k = 0; k < d->K; k++) {
        worth w = value(d, k, chosen);
        for (int j = 0; j < d->J; j++) d->promise[j].p[k] = below(4) ? w.Pr[j] * (0.5 + 0.5 * unit()) : fmin(1, w.Pr[j]);
    }
}

/* Draws until the deterministic policies are few; their number. */
static unsigned draw_small(drawn *d, int J)
{
    for (;;) {
        if (!draw(d, J)) continue;
        unsigned policies = 1;
        for (int n = 0; n < d->nodes; n++)
            if (d->node[n].t < d->T) policies = 2U << n > policies ? 2U << n : policies;
        if (policies > 1U << 12) continue;
        draw_probabilities(d, policies);
        return policies;
    }
}

static vouch_model *make(const drawn *d)
{
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_model_new(&m, d->S, A, d->K, d->T), VOUCH_OK);
    for (int k = 0; k < d->K; k++)
        for (int s = 0; s < d->S; s++)
            for (int a = 0; a < A; a++)
                for (int n = 0; n < d->S; n++)
                    if (d->P[k][s][a][n] > 0)
                        assert_int_equal(vouch_model_add(m, k, s, a, n, d->P[k][s][a][n], d->R[k][s][a]), VOUCH_OK);
    for (int s = 0; s < d->S && d->spread; s++)
        assert_int_equal(vouch_model_set_initial_probability(m, -1, s, d->first[s]), VOUCH_OK);
    for (int j = 0; j < d->J; j++) {
        char name[16];
        bool window = d->promise[j].kind == VOUCH_PROMISE_STAY || d->promise[j].kind == VOUCH_PROMISE_AVOID;
        snprintf(name, sizeof name, "p%d", j);
        assert_int_equal(vouch_model_add_promise(m, name, d->promise[j].kind, window ? d->promise[j].from : -1, d->promise[j].to),
                         VOUCH_OK);
        for (int k = 0; k < d->K; k++) {
            for (int s = 0; s < d->S; s++)
                assert_int_equal(vouch_model_set_promise_state(m, j, k, s, d->promise[j].in[k][s]), VOUCH_OK);
            assert_int_equal(vouch_model_set_promise_probability(m, j, k, d->promise[j].p[k]), VOUCH_OK);
        }
    }
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

/* The policy as it is read from the file that it is written to. */
static vouch_policy *read_back(const vouch_policy *policy, const vouch_model *m)
{
    text bytes = policy_bytes(policy, m);
    vouch_policy *back;
    vouch_error error = {0};
    if (policy_json_parse(&back, m, "policy", mem_string(bytes.data), bytes.length, &error)) fail_msg("%s", error.text);
    text_free(&bytes);
    return back;
}

/* Guarded replanning with the objective of o at L = 1, which keeps the promises. For vouch_ccil_free. */
static vouch_ccil *plan_again(const drawn *d, const vouch_model *m, const vouch_plan_options *o, vouch_ccil_result *r)
{
    vouch_ccil_options co;
    vouch_ccil *c;
    vouch_error error = {0};
    vouch_ccil_options_init(&co);
    co.plan.method = VOUCH_METHOD_MILP_CCL;
    co.plan.lookahead = 1;
    co.plan.objective = o->objective;
    co.plan.weights = o->weights;
    co.guarded = 1;
    if (vouch_ccil_new(&c, m, &co, &error) || vouch_ccil_evaluate(c, &error)) fail_msg("%s", error.text);
    vouch_ccil_get_result(c, r);
    assert_true(r->has_policy);
    for (int k = 0; k < d->K; k++)
        for (int j = 0; j < d->J; j++) assert_true(r->commitments[k * d->J + j] >= d->promise[j].p[k] - KEPT);
    return c;
}

enum { MODELS = 40 };

/* U*_c(k): the best mixture of all deterministic policies, by linear programming. */
static double alone(const drawn *d, const worth *all, unsigned policies)
{
    vouch_lp *lp;
    int rows = d->J + 1, cols = (int)policies, *index = malloc((size_t)cols * (size_t)rows * sizeof *index);
    int64_t *start = malloc(((size_t)cols + 1) * sizeof *start);
    double *entry = malloc((size_t)cols * (size_t)rows * sizeof *entry), *cost = malloc((size_t)cols * sizeof *cost);
    double lower[MOST_J + 1], upper[MOST_J + 1];
    int k = (int)(all[policies].U);
    for (int c = 0; c < cols; c++) {
        start[c] = (int64_t)c * rows;
        cost[c] = all[c].U;
        for (int j = 0; j < rows; j++) {
            index[c * rows + j] = j;
            entry[c * rows + j] = j < d->J ? all[c].Pr[j] : 1;
        }
    }
    start[cols] = (int64_t)cols * rows;
    for (int j = 0; j < d->J; j++) {
        lower[j] = d->promise[j].p[k] - 1e-12;
        upper[j] = INFINITY;
    }
    lower[d->J] = upper[d->J] = 1;
    vouch_lp_data data = {rows, cols, start, index, entry, cost, 0, 1, NULL, NULL, lower, upper};
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &data, NULL), VOUCH_OK);
    vouch_lp_options o;
    vouch_lp_options_init(&o);
    assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
    vouch_lp_result found;
    vouch_lp_get_result(lp, &found);
    assert_int_equal(found.outcome, VOUCH_LP_OPTIMAL);
    double best = found.objective;
    vouch_lp_free(lp);
    free(index);
    free(start);
    free(entry);
    free(cost);
    return best;
}

/* Optima of each environment, and the least maximum regret of deterministic policies. */
static double enumerate(drawn *d, unsigned policies, double optimal[])
{
    double best = INFINITY;
    worth *all[MOST_K];
    for (int k = 0; k < d->K; k++) {
        all[k] = malloc((policies + 1) * sizeof **all);
        for (unsigned i = 0; i < policies; i++) all[k][i] = value(d, k, i);
        all[k][policies].U = k;
        optimal[k] = alone(d, all[k], policies);
    }
    for (unsigned i = 0; i < policies; i++) {
        double most = -INFINITY;
        for (int k = 0; k < d->K; k++) {
            most = fmax(most, optimal[k] - all[k][i].U);
            for (int j = 0; j < d->J; j++)
                if (all[k][i].Pr[j] < d->promise[j].p[k] - KEPT) most = INFINITY;
        }
        best = fmin(best, most);
    }
    for (int k = 0; k < d->K; k++) free(all[k]);
    return best;
}

/* The policy's figures, by following its rules along histories, equal those of planning and evaluation. */
static void assert_policy(const drawn *d, const vouch_model *m, const vouch_policy *policy)
{
    vouch_environment_figures figures[MOST_K];
    double commitments[MOST_K * MOST_J];
    vouch_plan_result r;
    vouch_error error = {0};
    int kept;
    vouch_policy_get_result(policy, &r);
    assert_int_equal(r.promises, d->J);
    if (vouch_policy_evaluate_promises(policy, m, figures, commitments, &kept, &error)) fail_msg("%s", error.text);
    assert_true(kept);
    for (int k = 0; k < d->K; k++) {
        assert_near(figures[k].value, r.figures[k].value, 1e-12);
        for (int j = 0; j < d->J; j++) {
            double p = commitments[k * d->J + j];
            assert_near(p, r.commitments ? r.commitments[k * d->J + j] : r.figures[k].commitment_probability, 1e-12);
            assert_true(p >= d->promise[j].p[k] - KEPT);
            assert_true(vouch_model_promise_kept(m, j, k, p));
        }
    }
    vouch_policy *back = read_back(policy, m);
    double again[MOST_K * MOST_J];
    if (vouch_policy_evaluate_promises(back, m, figures, again, &kept, &error)) fail_msg("%s", error.text);
    for (int i = 0; i < d->K * d->J; i++) assert_near(again[i], commitments[i], 1e-12);
    vouch_policy_free(back);
}

static int follow_plans; /* policies whose likelihood classes end */

static void check(drawn *d, unsigned policies)
{
    double optimal[MOST_K], best = enumerate(d, policies, optimal), L1;
    vouch_model *m = make(d);
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
    vouch_policy *policy = plan_by(m, &o);
    assert_int_equal(policy->outcome, VOUCH_PLAN_OPTIMAL);
    for (int k = 0; k < d->K; k++) assert_near(policy->figures[k].optimal_value, optimal[k], 1e-6);
    assert_near(policy->max_regret, best, 2e-6);
    assert_policy(d, m, policy);
    vouch_policy_free(policy);
    o.engine = VOUCH_ENGINE_LP;
    o.least_total_regret = 0;
    policy = plan_by(m, &o);
    assert_near(policy->max_regret, best, 1e-5);
    assert_policy(d, m, policy);
    vouch_policy_free(policy);
    o = plan_options(VOUCH_METHOD_MILP_CCL, 1);
    policy = plan_by(m, &o);
    L1 = policy->max_regret;
    assert_int_equal(policy->outcome, VOUCH_PLAN_OPTIMAL);
    assert_policy(d, m, policy);
    vouch_policy_free(policy);
    o = plan_options(VOUCH_METHOD_HISTORY, 0);
    policy = plan_by(m, &o);
    assert_int_equal(policy->outcome, VOUCH_PLAN_OPTIMAL);
    assert_true(policy->max_regret <= fmin(best, L1) + 2e-6);
    assert_policy(d, m, policy);
    double least = policy->max_regret;
    vouch_policy_free(policy);
    o.class_limit = 3;
    policy = plan_by(m, &o);
    assert_true(policy->bound <= least + 2e-6);
    if (policy->has_policy) assert_true(policy->max_regret >= least - 2e-6);
    if (policy->has_policy) assert_policy(d, m, policy);
    follow_plans += policy->plans > 0;
    vouch_policy_free(policy);
    vouch_ccil_result r;
    vouch_ccil *again = plan_again(d, m, &o, &r);
    assert_near(r.first_max_regret, L1, 1e-6);
    assert_true(r.max_regret <= L1 + 1e-6);
    vouch_ccil_free(again);
    vouch_model_free(m);
}

static void test_brute_force(void **state)
{
    (void)state;
    int wanted = test_count("VOUCH_PROMISES", MODELS), done = 0;
    random_now = rng_seed(15);
    while (done < wanted) {
        drawn d;
        unsigned policies = draw_small(&d, 1 + done % MOST_J);
        check(&d, policies);
        done++;
    }
    assert_true(follow_plans > wanted / 10);
}

/* One promise: the joined model and a plain one whose states are (time, state, decided), written down by this test. */
static vouch_model *augment(drawn *d)
{
    vouch_model *m;
    vouch_error error = {0};
    int n = d->nodes;
    assert_int_equal(vouch_model_new(&m, n + 1, A + 1, d->K, d->T + 1), VOUCH_OK);
    for (int k = 0; k < d->K; k++)
        for (int from = 0; from < n; from++)
            for (int a = 0; a < A && d->node[from].t < d->T; a++)
                for (int to = 0; to < n; to++) {
                    int s = d->node[from].s, next = d->node[to].s, t = d->node[to].t;
                    if (t != d->node[from].t + 1 || !(d->P[k][s][a][next] > 0)) continue;
                    char before = d->node[from].decided[0][0], after = d->node[to].decided[0][0];
                    int path[MOST_T + 1];
                    for (int i = 0; i <= t; i++) path[i] = next; /* only the last state can decide what was open */
                    char now = '?';
                    if (before != '?')
                        now = before;
                    else {
                        drawn one = *d; /* a window that begins at t, or later */
                        if (one.promise[0].from < t) one.promise[0].from = t;
                        now = judge(&one, 0, 0, path, t);
                    }
                    if (now != after) continue;
                    assert_int_equal(vouch_model_add(m, k, from, a, to, d->P[k][s][a][next], d->R[k][s][a]), VOUCH_OK);
                }
    for (int k = 0; k < d->K; k++)
        for (int to = 0; to < n; to++)
            if (d->node[to].t == 0 && d->first[d->node[to].s] > 0)
                assert_int_equal(vouch_model_add(m, k, n, A, to, d->first[d->node[to].s], 0), VOUCH_OK);
    for (int i = 0; i < n; i++) {
        int s[MOST_T + 1];
        char c = d->node[i].decided[0][0];
        for (int t = 0; t <= MOST_T; t++) s[t] = d->node[i].s;
        bool in = c == 'y' || (c == '?' && (d->promise[0].kind == VOUCH_PROMISE_AT ? d->promise[0].in[0][s[0]]
                                                                                   : d->promise[0].kind != VOUCH_PROMISE_BY));
        vouch_model_set_commitment(m, i, in);
    }
    vouch_model_set_initial(m, n);
    vouch_model_set_probability(m, d->promise[0].p[0]);
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

static void test_augmented(void **state)
{
    (void)state;
    int wanted = test_count("VOUCH_PROMISES", MODELS), done = 0;
    random_now = rng_seed(16);
    while (done < wanted) {
        drawn d;
        if (!draw(&d, 1)) continue;
        for (int k = 1; k < d.K; k++) memcpy(d.promise[0].in[k], d.promise[0].in[0], sizeof d.promise[0].in[0]);
        d.nodes = 0;
        int s[MOST_T + 1];
        bool fits = true;
        for (int first = 0; first < d.S; first++) {
            s[0] = first;
            if (d.first[first] > 0) fits = fits && find_nodes(&d, s, 0, d.T);
        }
        if (!fits) continue;
        draw_probabilities(&d, 1U << MOST_NODES);
        for (int k = 1; k < d.K; k++) d.promise[0].p[0] = d.promise[0].p[k] = fmin(d.promise[0].p[0], d.promise[0].p[k]);
        vouch_model *joined = make(&d), *plain = augment(&d);
        int shift = vouch_model_horizon(plain) - vouch_model_horizon(joined);
        for (int L = 0; L <= 2; L++) {
            /* without an initial distribution the plain model has one step more, in which nothing is learnt */
            double a = max_regret_of(joined, VOUCH_METHOD_MILP_CCL, L),
                   b = max_regret_of(plain, VOUCH_METHOD_MILP_CCL, L && shift ? L + 1 : L);
            assert_near(a, b, 2e-6);
        }
        assert_near(max_regret_of(joined, VOUCH_METHOD_HISTORY, 0), max_regret_of(plain, VOUCH_METHOD_HISTORY, 0), 2e-6);
        vouch_model_free(joined);
        vouch_model_free(plain);
        done++;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brute_force), cmocka_unit_test(test_augmented)};
    return run_tests(tests);
}
