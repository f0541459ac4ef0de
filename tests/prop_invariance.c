/* Adding a constant to all rewards, or multiplying them by one, changes neither policies nor status; regrets and bounds scale.
 *
 * VOUCH_MODELS sets how many models are tried, VOUCH_FIRST the first. The tolerance of observed rewards is 0, since by definition
 * it is relative to their size.
 */
#include <vouch/search.h>

#include "plan_aid.h"

#include <vouch/ccil.h>

#include "mdp/model.h"
#include "oracle/wild.h"

typedef struct transformation {
    const char *name;
    double factor, shift;
} transformation;

static const transformation TRANSFORMATIONS[] = {
    {"+ 1e8", 1, 1e8}, {"* 1e-8", 1e-8, 0}, {"* 1e8", 1e8, 0}, {"- 1e8", 1, -1e8}, {"* 3e5", 3e5, 0}};
enum { FIXED = 3, ALL = 5 }; /* the first three always, the others in turn */
enum { ONE_REWARD = 557 };   /* a model with an environment in which all rewards are equal */

static const double SAME_SHARE = 1e-7; /* of the probabilities of a rule */

static int number;
static struct {
    int models, compared, merged, closed, ccil, differ;
} tally;

static int say_where(void **state)
{
    (void)state;
    if (number >= 0) print_message("last model: %d\n", number);
    return 0;
}

/* ---- models -------------------------------------------------------------------------------------------------- */

/* Whole numbers and quarters as they come, tenths, or numbers without a short form. */
static double kind_of_reward(double r, int kind)
{
    double whole = round(4 * r), x = sin(12.9898 * whole + 1) * 43758.5453;
    return kind == 0 ? r : kind == 1 ? whole / 10 : x - floor(x);
}

static vouch_model *changed(const vouch_model *m, int kind, const transformation *t)
{
    vouch_model *out;
    assert_int_equal(vouch_model_new(&out, m->S, m->A, m->K, m->T), VOUCH_OK);
    vouch_model_set_initial(out, m->s0);
    vouch_model_set_probability(out, m->p);
    vouch_model_set_reward_tolerance(out, 0);
    for (int s = 0; s < m->S; s++) vouch_model_set_commitment(out, s, m->terminal[s] > 0);
    for (int k = 0; k < m->K; k++)
        for (int s = 0; s < m->S; s++)
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) {
                    double r = kind_of_reward(m->env[k].reward[o], kind);
                    assert_int_equal(vouch_model_add(out, k, s, m->pair_action[q], m->env[k].next[o], m->env[k].prob[o],
                                                     r * t->factor + t->shift),
                                     VOUCH_OK);
                }
    assert_int_equal(vouch_model_finish(out, NULL, NULL), VOUCH_OK);
    return out;
}

static vouch_model *base_model(void)
{
    vouch_model *m;
    vouch_error error = {0};
    int size = number / 4;
    if (number % 4 == 0) return wild_model((uint64_t)number);
    if (number % 16 == 1) {
        assert_int_equal(vouch_generate_twin_states(&m, 2 + size / 4 % 5, &error), VOUCH_OK);
        return m;
    }
    if (number % 16 == 5) {
        vouch_maze_shape z = {
            .corridor = 2 + size / 4 % 2, .up = 1, .down = 1, .environments = 2, .horizon = 6, .probability = 0.5, .grip = 0.4};
        assert_int_equal(vouch_generate_t_maze(&m, &z, &error), VOUCH_OK);
        return m;
    }
    vouch_random_shape z = {.states = 3 + size % 3,
                            .actions = 2 + size / 3 % 2,
                            .environments = 2 + size / 6 % 3,
                            .horizon = 3 + size / 18 % 3,
                            .probability = 0,
                            .branching = 1 + size % 3,
                            .shared_transitions = size / 5 % 2,
                            .seed = (uint64_t)number};
    if (vouch_generate_random(&m, &z, &error)) fail_msg("%s", error.text);
    wild_probability(m, number % 5);
    return m;
}

static bool same_observations(const vouch_model *a, const vouch_model *b)
{
    for (int k = 0; k < a->K; k++)
        for (int o = 0; o < a->env[k].start[a->pairs]; o++)
            for (int j = 0; j < a->K; j++)
                for (int u = 0; u < a->env[j].start[a->pairs]; u++)
                    if ((a->env[k].reward[o] == a->env[j].reward[u]) != (b->env[k].reward[o] == b->env[j].reward[u])) return false;
    return true;
}

/* ---- comparison ------------------------------------------------------------------------------------------------ */

static double spread_of(const vouch_model *m)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < m->K; k++)
        for (int o = 0; o < m->env[k].start[m->pairs]; o++) {
            least = fmin(least, m->env[k].reward[o]);
            most = fmax(most, m->env[k].reward[o]);
        }
    return most > least ? most - least : 1;
}

static double share_of(const policy_rule *r, int action)
{
    for (int j = 0; j < r->do_count; j++)
        if (r->action[j] == action) return r->prob[j];
    return 0;
}

static bool same_rules(const vouch_policy *a, const vouch_policy *b)
{
    if (a->L != b->L || a->rule_count != b->rule_count) return false;
    for (size_t i = 0; i < a->rule_count; i++) {
        const policy_rule *x = &a->rules[i], *y = &b->rules[i];
        if (x->time != y->time || x->state != y->state || x->env_count != y->env_count) return false;
        for (int j = 0; j < x->do_count; j++)
            if (!(fabs(x->prob[j] - share_of(y, x->action[j])) <= SAME_SHARE)) return false;
        for (int j = 0; j < y->do_count; j++)
            if (!(fabs(y->prob[j] - share_of(x, y->action[j])) <= SAME_SHARE)) return false;
    }
    return true;
}

/* Effect on a regret of rounding a shifted reward. */
static double noise_of(const vouch_model *m, const transformation *t) { return 2 * m->T * 0x1p-52 * fabs(t->shift); }

static void compare(const vouch_model *m, const vouch_model *n, const transformation *t, vouch_plan_options o)
{
    vouch_policy *a = plan_by(m, &o), *b;
    o.gap *= t->factor;
    b = plan_by(n, &o);
    double near = 1e-9 * spread_of(m) + noise_of(m, t);
    tally.compared++;
    tally.closed += a->outcome == VOUCH_PLAN_OPTIMAL || a->outcome == VOUCH_PLAN_INFEASIBLE;
    /* a shift rounds numbers without a short form; which of the mixtures with the same maximum is found is not continuous in them
     */
    bool shows = 4 * m->T * TOL_STEP * spread_of(n) > UNSEEN_LEAST; /* then losses are planned for where regrets are near 0 */
    bool rounded = (t->shift != 0 && number % 3 == 2) || shows,
         stochastic = o.method == VOUCH_METHOD_HISTORY || o.method == VOUCH_METHOD_EXACT_CCL;
    double off = a->has_policy && b->has_policy ? fabs(a->max_regret - b->max_regret / t->factor) : 0;
    for (int k = 0; k < m->K && a->has_policy && b->has_policy && !(rounded && stochastic); k++)
        off = fmax(off, fabs(a->figures[k].regret - b->figures[k].regret / t->factor));
    bool same =
        a->outcome == b->outcome && a->has_policy == b->has_policy && off <= near && (same_rules(a, b) || (rounded && stochastic));
    if (!same) {
        tally.differ++;
        print_message("model %d, %s, %s, engine %d, without %s, L = %d: %s %.12g, bound %.12g; %s %.12g, bound %.12g; regrets "
                      "apart by %.3g\n",
                      number, t->name, a->method, o.engine, o.without ? o.without : "nothing", a->L,
                      vouch_plan_outcome_text(a->outcome), a->max_regret, a->bound, vouch_plan_outcome_text(b->outcome),
                      b->max_regret / t->factor, b->bound / t->factor, off);
    }
    vouch_policy_free(a);
    vouch_policy_free(b);
}

static void compare_ccil(const vouch_model *m, const vouch_model *n, const transformation *t)
{
    vouch_ccil_options o;
    vouch_ccil *a, *b;
    vouch_ccil_result x, y;
    vouch_error error = {0};
    vouch_ccil_options_init(&o);
    o.plan.gap = GAP;
    o.guarded = number % 2;
    assert_int_equal(vouch_ccil_new(&a, m, &o, &error), VOUCH_OK);
    assert_int_equal(vouch_ccil_evaluate(a, &error), VOUCH_OK);
    o.plan.gap *= t->factor;
    assert_int_equal(vouch_ccil_new(&b, n, &o, &error), VOUCH_OK);
    assert_int_equal(vouch_ccil_evaluate(b, &error), VOUCH_OK);
    vouch_ccil_get_result(a, &x);
    vouch_ccil_get_result(b, &y);
    bool same = x.outcome == y.outcome && x.programs == y.programs && x.has_policy == y.has_policy;
    if (same && x.has_policy) same = fabs(x.max_regret - y.max_regret / t->factor) <= 1e-9 * spread_of(m) + noise_of(m, t);
    if (!same) {
        tally.differ++;
        print_message("model %d, %s, CCIL: %d plans, %.12g; %d plans, %.12g\n", number, t->name, (int)x.programs, x.max_regret,
                      (int)y.programs, y.max_regret / t->factor);
    }
    vouch_ccil_free(a);
    vouch_ccil_free(b);
    tally.ccil++;
}

static void check(const vouch_model *m, const vouch_model *n, const transformation *t)
{
    int L = number % (m->T < 3 ? m->T + 1 : 4);
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    o.gap = GAP;
    compare(m, n, t, o);
    o.without = vouch_part_describe((vouch_part)(number % VOUCH_PART_COUNT))->word;
    compare(m, n, t, o);
    o.without = NULL;
    for (vouch_method method = VOUCH_METHOD_HISTORY; method <= VOUCH_METHOD_MDPS_BEST; method++) {
        o.method = method;
        compare(m, n, t, o);
    }
    if (number % 3 == 0) {
        o.method = VOUCH_METHOD_EXACT_CCL;
        o.restarts = 4;
        compare(m, n, t, o);
        compare_ccil(m, n, t);
    } else if (number % 3 == 1) {
        o.method = VOUCH_METHOD_MILP_CCL;
        o.engine = VOUCH_ENGINE_LP;
        o.limits.iterations = 20000;
        compare(m, n, t, o);
        o.method = VOUCH_METHOD_HISTORY;
        compare(m, n, t, o);
    }
}

static void check_all_transformations(void)
{
    vouch_model *base = base_model(), *m = changed(base, number % 3, &(transformation){"", 1, 0});
    tally.models++;
    for (int i = 0; i < FIXED + 1; i++) {
        const transformation *t = &TRANSFORMATIONS[i < FIXED ? i : FIXED + number % (ALL - FIXED)];
        vouch_model *n = changed(base, number % 3, t);
        if (same_observations(m, n))
            check(m, n, t);
        else
            tally.merged++; /* two rewards became one by rounding */
        vouch_model_free(n);
    }
    vouch_model_free(m);
    vouch_model_free(base);
}

static void test_invariance(void **state)
{
    (void)state;
    int first = test_count("VOUCH_FIRST", 0), count = test_count("VOUCH_MODELS", 24);
    for (number = first; number < first + count; number++) check_all_transformations();
    number = ONE_REWARD;
    check_all_transformations();
    number = -1;
    print_message("%d models: %d pairs of plans, %d closed; %d pairs of CCIL; %d differ in rules, status or regrets; %d "
                  "transformations left out, as they merge rewards\n",
                  tally.models, tally.compared, tally.closed, tally.ccil, tally.differ, tally.merged);
    assert_int_equal(tally.differ, 0);
    assert_true(tally.merged < tally.models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_invariance, say_where)};
    return run_tests(tests);
}
