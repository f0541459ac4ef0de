/* Stagewise search where no promise binds: bounds of frames hold for every policy with their decisions, against all deterministic
 * policies of small models; its optimum equals the search over likelihood classes and the integer program. */
#include <vouch/plan.h>

#include <vouch/generate.h>
#include "base/rng.h"
#include "know/graph.h"
#include "plan/stage/stagewise.h"
#include "plan_aid.h"

enum { MODELS = 16, MOST_POLICIES = 1 << 13 };

/* The i-th model without promises. */
static vouch_model *model_of(int i, int T)
{
    vouch_model *m;
    vouch_family_shape dense = {
        .states = 2 + i % 2, .actions = 2 + i % 2, .environments = 2 + i % 3, .horizon = T, .seed = (uint64_t)i};
    vouch_random_shape sparse = {
        .states = 3, .actions = 2, .environments = 2 + i % 3, .horizon = T, .branching = 2, .seed = (uint64_t)i};
    vouch_status status = i % 2 ? vouch_generate_random_dense(&m, &dense, NULL) : vouch_generate_random(&m, &sparse, NULL);
    if (status) return NULL;
    if (i % 2 == 0) assert_int_equal(vouch_model_set_probability(m, 0), VOUCH_OK);
    return m;
}

/* Calls visit for every deterministic policy: pick [nodes]. False: there are too many. */
typedef struct all {
    const policy_space *space;
    int *pick;
    double *prob, *reach, *U, *Pr;
    const int *decided; /* [nodes] -1: not */
    double least;       /* maximum regret of policies with these decisions */
} all;

static bool count_policies(const know_graph *g, long long *count)
{
    *count = 1;
    for (int n = 0; n < g->time_start[g->T] && *count <= MOST_POLICIES; n++) *count *= know_real_choices(g, n);
    return *count <= MOST_POLICIES;
}

static void look_at(all *x, int n)
{
    const know_graph *g = x->space->g;
    if (n == g->time_start[g->T]) {
        double most = -INFINITY;
        propagate_pick(g, x->pick, x->prob);
        assert_int_equal(propagate_forward(g, x->prob, x->reach, x->U, x->Pr), -1);
        for (int k = 0; k < g->K; k++) most = fmax(most, x->space->optimal[k] - x->U[k]);
        x->least = fmin(x->least, most);
        return;
    }
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (g->choice_twin[c] != c || (x->decided[n] >= 0 && x->decided[n] != c)) continue;
        x->pick[n] = c;
        look_at(x, n + 1);
    }
}

static double least_regret(all *x)
{
    x->least = INFINITY;
    look_at(x, 0);
    return x->least;
}

/* Decides at random down to the horizon, and takes everything back. */
static void one_way_down(stagewise_frames *f, all *x, rng *r, int decided[])
{
    const know_graph *g = f->g;
    int depth = 0, t = 0, taken[256][2], made = 0;
    f->cutoff = rng_below(r, 2) ? INFINITY : least_regret(x); /* raised as far as may be, or no further than that */
    double sum = 0;                                           /* multipliers begin anywhere */
    for (int k = 0; k < g->K; k++) sum += f->start[k] = rng_unit(r);
    for (int k = 0; k < g->K; k++) f->start[k] /= sum;
    stagewise_frame_root(f, stagewise_frame_at(f, 0));
    while (t < g->T && made < 256) {
        frame *now = stagewise_frame_at(f, depth), *next = stagewise_frame_at(f, depth + 1);
        double least = least_regret(x), before = now->bound;
        assert_true(now->bound <= least + 1e-9);
        if (now->count > 0) {
            assert_int_equal(stagewise_frame_raise(f, now, next, t), VOUCH_OK);
            assert_true(now->bound >= before && now->bound <= least + 1e-9);
        }
        if (now->count == 0) {
            if (++t < g->T) stagewise_frame_next_time(f, now, next, t - 1);
            depth++;
            continue;
        }
        int i = (int)rng_below(r, (uint64_t)now->count), n = now->open[i];
        int offers = stagewise_frame_offers(f, now, t, i), o = (int)rng_below(r, (uint64_t)offers);
        double alone = now->priced + now->offers[0].bound - now->offers[o].bound;
        decided[n] = now->offers[o].choice;
        stagewise_frame_lead(f, now, next, t, i, decided[n]);
        assert_true(alone <= least_regret(x) + 1e-9 && next->bound >= now->bound);
        taken[made][0] = n;
        taken[made++][1] = decided[n];
        depth++;
    }
    while (made-- > 0) stage_path_undo(&f->path, taken[made][0], taken[made][1]);
    for (int i = 1; i < g->nodes * g->K; i++) assert_true(i < g->K || f->path.w[i] == 0);
    for (int n = 0; n < g->nodes; n++) decided[n] = -1;
}

static void frames_bound_what_decides_so(void **state)
{
    (void)state;
    rng r = rng_seed(7);
    const deadline none = {0};
    int checked = 0;
    for (int i = 0; i < test_share("VOUCH_FORWARD", MODELS); i++) {
        vouch_model *m = model_of(i, 3);
        policy_space space;
        long long count;
        if (!m) continue;
        space_options so = space_options_for(i % 3);
        so.classes = 0;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        const know_graph *g = space.g;
        arena a = {0};
        if (count_policies(g, &count)) {
            all x = {.space = &space, .pick = ARENA_ZERO(&a, int, g->nodes), .prob = ARENA_ZERO(&a, double, g->choices)};
            x.reach = ARENA_ZERO(&a, double, (size_t)g->nodes *(size_t)g->K);
            x.U = ARENA_ZERO(&a, double, g->K);
            x.Pr = ARENA_ZERO(&a, double, g->K);
            int *decided = ARENA_NEW(&a, int, g->nodes);
            for (int n = 0; n < g->nodes; n++) x.pick[n] = decided[n] = -1;
            x.decided = decided;
            stagewise_frames f;
            assert_int_equal(stagewise_frames_make(&f, &space, &none, &a), VOUCH_OK);
            f.path.most = 1e9;
            static const double MOST[] = {0, 4, 1e5}; /* visits: the environment is revealed soon, later, never */
            for (int way = 0; way < 6; way++) {
                stagewise_values_reach(&f.path.values, MOST[way % 3]);
                assert_true(way % 3 < 2 || f.path.values.full);
                one_way_down(&f, &x, &r, decided);
            }
            generation_clear(&f.mix);
            checked++;
        }
        arena_free(&a);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(checked >= test_share("VOUCH_FORWARD", MODELS) / 4);
}

static void least_regret_is_that_of_other_ways(void **state)
{
    (void)state;
    for (int i = 0; i < test_share("VOUCH_FORWARD", MODELS); i++) {
        vouch_model *m = model_of(i, 3);
        double value[3];
        if (!m) continue;
        for (int way = 0; way < 3; way++) {
            vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, i % 3);
            vouch_plan_result r;
            o.objective = i % 5 == 4 ? VOUCH_OBJECTIVE_MAX_MIN : VOUCH_OBJECTIVE_REGRET;
            o.least_total_regret = i % 2;
            o.without = way == 1 ? "stagewise" : NULL;
            o.engine = way == 2 ? VOUCH_ENGINE_LP : VOUCH_ENGINE_AUTO;
            vouch_policy *policy = plan_by(m, &o);
            vouch_policy_get_result(policy, &r);
            assert_int_equal(r.outcome, VOUCH_PLAN_OPTIMAL);
            value[way] = r.objective == VOUCH_OBJECTIVE_MAX_MIN ? r.value : r.max_regret;
            vouch_policy_free(policy);
        }
        assert_near(value[0], value[1], 5e-5); /* the gap, in units of the spread of rewards */
        assert_near(value[0], value[2], 5e-5);
        vouch_model_free(m);
    }
}

/* Models that the first search leaves open: their optima, as proved by searches with multipliers at every node. */
static void longer_searches_keep_their_multipliers(void **state)
{
    (void)state;
    static const struct {
        int states, actions;
        uint64_t seed;
        double regret;
    } known[] = {{10, 4, 1, 4.969782206}, {10, 4, 2, 7.575771106}, {12, 3, 1, 5.122545134}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        vouch_model *m;
        vouch_family_shape dense = {
            .states = known[i].states, .actions = known[i].actions, .environments = 3, .horizon = 4, .seed = known[i].seed};
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
        vouch_plan_result r;
        assert_int_equal(vouch_generate_random_dense(&m, &dense, NULL), VOUCH_OK);
        o.least_total_regret = false;
        vouch_policy *policy = plan_by(m, &o);
        vouch_policy_get_result(policy, &r);
        assert_int_equal(r.outcome, VOUCH_PLAN_OPTIMAL);
        assert_near(r.max_regret, known[i].regret, 1e-5);
        assert_true(r.bound <= r.max_regret + 1e-9 && r.bound >= r.max_regret - 1e-5);
        vouch_policy_free(policy);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_bound_what_decides_so),
                                       cmocka_unit_test(least_regret_is_that_of_other_ways),
                                       cmocka_unit_test(longer_searches_keep_their_multipliers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
