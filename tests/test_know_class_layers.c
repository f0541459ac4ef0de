/* Classes cut to save memory: weights of many environments, arcs to classes of one environment. Cut classes value no policy lower
 * than all classes do. */
#include "plan_aid.h"

#include <vouch/generate.h>
#include "base/rng.h"
#include "know/classes.h"
#include "know/induction.h"

/* Per class of the limit, as know/class_layers.c has them. */
enum { MODELS = 14, WEIGHTS = 128, REVEALED = 256 };

static vouch_model *model_of(int i)
{
    vouch_model *m = NULL;
    vouch_random_shape sparse = {
        .states = 4, .actions = 3, .environments = 20 + 8 * i, .horizon = 4, .branching = 3, .seed = (uint64_t)i};
    vouch_family_shape machines = {.environments = 30 + 15 * i, .horizon = 4, .concentration = 1 + i % 9, .seed = (uint64_t)i};
    if (i % 3 == 0) return vouch_generate_random(&m, &sparse, NULL) ? NULL : m;
    return vouch_generate_machine_repair(&m, &machines, NULL) ? NULL : m;
}

static double value_of(const know_classes *c, const double lambda[], const double mu[])
{
    arena memory = {0};
    reachable_classes l;
    double *value = ARENA_NEW(&memory, double, c->classes);
    unsigned char *allowed = ARENA_NEW(&memory, unsigned char, c->options);
    reachable_init(&l, c, &memory);
    assert_false(memory.failed);
    memset(allowed, 1, (size_t)c->options);
    reachable_find(&l, allowed, c->g->T + 1);
    double best = induction_backward(&l, lambda, mu, c->g->T + 1, value, NULL);
    arena_free(&memory);
    return best;
}

/* Arcs from the time before the environment is told. */
static long long revealing(const know_classes *c)
{
    int from = c->time_start[c->cut - 1], to = c->time_start[c->cut];
    return c->arc_start[c->slot_start[to]] - c->arc_start[c->slot_start[from]];
}

static long long told_apart(const know_classes *c)
{
    long long classes = 0;
    for (int i = 0; i < c->classes; i++) classes += c->only[i] < 0;
    return classes;
}

static void cut_classes_are_small_and_bound_all(void **state)
{
    (void)state;
    int early = 0, narrow = 0;
    for (int i = 0; i < MODELS; i++) {
        vouch_model *m = model_of(i);
        know_graph *g;
        know_classes *all;
        rng r = rng_seed((uint64_t)i);
        if (!m) continue;
        assert_int_equal(know_graph_new(m, i % 2, NULL, &g, NULL), VOUCH_OK);
        assert_int_equal(know_classes_new(g, NULL, &(class_limits){.classes = 1000000}, &all, NULL), VOUCH_OK);
        double *lambda = malloc((size_t)m->K * sizeof *lambda), *mu = malloc((size_t)m->K * sizeof *mu);
        assert_true(lambda && mu);
        for (int k = 0; k < m->K; k++) lambda[k] = rng_unit(&r), mu[k] = i % 4 ? 0 : rng_unit(&r);
        double whole = value_of(all, lambda, mu), before = INFINITY;
        for (int round = 0, power = 3; round < 8; round++, power *= 3) {
            int limit = round < 7 ? power : all->classes; /* which all would fit, but for their weights */
            know_classes *c;
            assert_int_equal(know_classes_new(g, NULL, &(class_limits){.classes = limit}, &c, NULL), VOUCH_OK);
            double value = value_of(c, lambda, mu);
            assert_true(value >= whole - 1e-9 * fabs(whole));
            if (round < 7) assert_true(value <= before + 1e-9 * fabs(before)); /* finer classes bound no worse */
            before = value;
            long long told = told_apart(c);
            assert_true(told == 1 || told * c->K <= (long long)WEIGHTS * limit);
            if (c->cut <= g->T) {
                assert_true(c->cut == 1 || revealing(c) <= (long long)REVEALED * limit);
                narrow += all->time_start[c->cut + 1] * (long long)c->K > (long long)WEIGHTS * limit &&
                          all->time_start[c->cut + 1] <= limit;
                early += all->time_start[c->cut + 1] <= limit;
            } else
                assert_int_equal(c->classes, all->classes);
            know_classes_free(c);
        }
        free(lambda);
        free(mu);
        know_classes_free(all);
        know_graph_free(g);
        vouch_model_free(m);
    }
    print_message("cut earlier than by the number of classes %d times, by weights %d\n", early, narrow);
    assert_true(early > MODELS / 4 && narrow > 0 && early > narrow);
}

static void a_passed_end_leaves_none(void **state)
{
    (void)state;
    const vouch_limits none_left = {.seconds = 1e-9}, hours = {.seconds = 1e5};
    const deadline passed = deadline_start(&none_left), far = deadline_start(&hours);
    for (int i = 0; i < 10; i++) {
        vouch_model *m = model_of(i);
        know_graph *g;
        know_classes *c;
        if (!m) continue;
        assert_int_equal(know_graph_new(m, i % 2, NULL, &g, NULL), VOUCH_OK);
        for (int limit = 1; limit < 1000000; limit *= 1000) { /* whether they reveal the environment or not */
            assert_int_equal(know_classes_new(g, NULL, &(class_limits){limit, NULL, &passed}, &c, NULL), VOUCH_ERROR_SIZE);
            assert_null(c);
            assert_int_equal(know_classes_new(g, NULL, &(class_limits){limit, NULL, &far}, &c, NULL), VOUCH_OK);
            know_classes_free(c);
        }
        know_graph_free(g);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_classes_are_small_and_bound_all),
                                       cmocka_unit_test(a_passed_end_leaves_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
