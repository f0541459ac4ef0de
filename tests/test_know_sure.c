/* Look-ahead over knowledge states against plain recursion, on random models; its actions are followed to the end in every
 * environment; counted limits end it without an answer. */
#include "test.h"

#include <vouch/generate.h>

#include "base/rng.h"
#include "know/sure.h"
#include "mdp/model.h"
#include "oracle/wild.h"

enum { MODELS = 400, MOST = 8, TABLE = 1 << 20 };

static const sure_limits ROOM = {.work = 100000000, .words = 1000000};

/* Does some policy keep the promise surely from here? set: bits of environments. */
static bool plain(const vouch_model *m, int t, int s, unsigned set)
{
    bool kept = t == m->T;
    for (int k = 0; k < m->K && kept; k++) kept = !(set >> k & 1) || m->env[k].terminal[s] >= 1;
    if (t == m->T) return kept;
    for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
        bool all = true;
        for (int k = 0; k < m->K && all; k++)
            for (int i = m->env[k].start[q]; set >> k & 1 && i < m->env[k].start[q + 1] && all; i++) {
                unsigned left = 0;
                for (int j = 0; j < m->K; j++)
                    for (int o = m->env[j].start[q]; set >> j & 1 && o < m->env[j].start[q + 1]; o++)
                        if (m->env[j].next[o] == m->env[k].next[i] && m->env[j].seen[o] == m->env[k].seen[i]) left |= 1u << j;
                all = plain(m, t + 1, m->env[k].next[i], left);
            }
        if (all) return true;
    }
    return false;
}

/* Follows the actions of the search to the horizon, by every outcome. */
static void follow(const vouch_model *m, const successor_sets *sets, const sure_search *x, int t, int s, uint64_t set)
{
    if (t == m->T) {
        for (int k = 0; k < m->K; k++) assert_true(!(set >> k & 1) || m->env[k].terminal[s] >= 1);
        return;
    }
    int q = sure_pair(x, t, s, &set);
    assert_true(q >= m->pair_start[s] && q < m->pair_start[s + 1]);
    for (int o = sets->start[q]; o < sets->start[q + 1]; o++)
        if (set & *successor_bits(sets, o)) follow(m, sets, x, t + 1, sets->next[o], set & *successor_bits(sets, o));
}

/* A wild model, or one of many environments, whose promise is to be kept surely, by a set of states that is likely to be met. */
static vouch_model *model_of(int i)
{
    vouch_model *m = i % 2 ? wild_model((uint64_t)i) : NULL;
    vouch_random_shape many = {
        .states = 3 + i % 2, .actions = 4, .environments = 3 + i % 6, .horizon = 5, .branching = 1, .seed = (uint64_t)i};
    if (!m) assert_int_equal(vouch_generate_random(&m, &many, NULL), VOUCH_OK);
    rng r = rng_seed((uint64_t)i);
    for (int s = 0; s < m->S; s++) m->terminal[s] = rng_below(&r, 3) > 0;
    return m;
}

static void answers_are_those_of_recursion(void **state)
{
    (void)state;
    int kept = 0, lost = 0;
    for (int i = 0; i < MODELS; i++) {
        vouch_model *m = model_of(i);
        successor_sets sets;
        sure_search *x;
        bool required[MOST] = {true, true, true, true, true, true, true, true};
        assert_int_equal(successor_sets_new(m, TABLE, &sets), VOUCH_OK);
        assert_int_equal(sure_search_new(m, required, &sets, &ROOM, &x), VOUCH_OK);
        bool expected = plain(m, 0, m->s0, (1u << m->K) - 1);
        assert_int_equal(sure_answer(x), expected ? SURE_KEPT : SURE_IMPOSSIBLE);
        if (expected) follow(m, &sets, x, 0, m->s0, (UINT64_C(1) << m->K) - 1);
        *(expected ? &kept : &lost) += 1;
        sure_search_free(x);
        successor_sets_free(&sets);
        vouch_model_free(m);
    }
    assert_true(kept > MODELS / 10 && lost > MODELS / 10);
}

/* Requirements of some environments are weaker than of all. */
static void required_ones_count(void **state)
{
    (void)state;
    int differ = 0;
    for (int i = 0; i < MODELS; i++) {
        vouch_model *m = model_of(i);
        successor_sets sets;
        sure_search *x;
        bool required[MOST] = {true};
        assert_int_equal(successor_sets_new(m, TABLE, &sets), VOUCH_OK);
        assert_int_equal(sure_search_new(m, required, &sets, &ROOM, &x), VOUCH_OK);
        bool one = plain(m, 0, m->s0, 1);
        assert_int_equal(sure_answer(x), one ? SURE_KEPT : SURE_IMPOSSIBLE);
        differ += one != plain(m, 0, m->s0, (1u << m->K) - 1);
        sure_search_free(x);
        successor_sets_free(&sets);
        vouch_model_free(m);
    }
    assert_true(differ > 0);
}

static void limits_end_it(void **state)
{
    (void)state;
    vouch_model *m = model_of(1);
    successor_sets sets;
    sure_search *x;
    bool required[MOST] = {true, true, true, true, true, true, true, true};
    sure_limits none = {.work = 0, .words = 1000000}, small = {.work = 1000000, .words = 1};
    assert_int_equal(successor_sets_new(m, TABLE, &sets), VOUCH_OK);
    assert_int_equal(sure_search_new(m, required, &sets, &none, &x), VOUCH_OK);
    assert_int_equal(sure_answer(x), SURE_UNKNOWN);
    sure_search_free(x);
    assert_int_equal(sure_search_new(m, required, &sets, &small, &x), VOUCH_OK);
    assert_int_equal(sure_answer(x), SURE_UNKNOWN);
    sure_search_free(x);
    successor_sets_free(&sets);
    assert_int_equal(successor_sets_new(m, 1, &sets), VOUCH_ERROR_SIZE);
    vouch_model_free(m);
}

/* Action 0 splits better and leaves {0, 1, 2} in state 1, where nothing serves all three; action 1 leaves {0, 1} there, which is a
 * subset of the lost set. In state 1 action 0 is right for 0 and 1, action 1 for 2. */
static void part_of_the_lost_is_not_lost(void **state)
{
    (void)state;
    enum { START, SPLIT, SAFE, OTHER, GOOD, BAD, STATES };
    static const int first[2][6] = {{SPLIT, SPLIT, SPLIT, SAFE, SAFE, OTHER}, {SPLIT, SPLIT, SAFE, SAFE, SAFE, SAFE}};
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, STATES, 2, 6, 2), VOUCH_OK);
    for (int k = 0; k < 6; k++)
        for (int s = 0; s < STATES; s++)
            for (int a = 0; a < 2; a++) {
                int next = s == START ? first[a][k] : s == SPLIT && a == (k < 2) ? BAD : s == BAD ? BAD : GOOD;
                assert_int_equal(vouch_model_add(m, k, s, a, next, 1, 0), VOUCH_OK);
            }
    assert_int_equal(vouch_model_set_commitment(m, GOOD, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 1), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    successor_sets sets;
    sure_search *x;
    bool required[6] = {true, true, true, true, true, true};
    assert_int_equal(successor_sets_new(m, TABLE, &sets), VOUCH_OK);
    assert_int_equal(sure_search_new(m, required, &sets, &ROOM, &x), VOUCH_OK);
    assert_int_equal(sure_answer(x), SURE_KEPT);
    assert_int_equal(sure_pair(x, 0, START, &(uint64_t){63}), 1);
    follow(m, &sets, x, 0, START, 63);
    sure_search_free(x);
    successor_sets_free(&sets);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_recursion), cmocka_unit_test(required_ones_count),
                                       cmocka_unit_test(part_of_the_lost_is_not_lost), cmocka_unit_test(limits_end_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
