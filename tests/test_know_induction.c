/* Reachable classes, and inductions over them, against a plain recursion over all classes, in any order of calls. */
#include "plan_aid.h"

#include "base/rng.h"
#include "know/classes.h"
#include "know/induction.h"
#include "oracle/wild.h"

typedef struct plain {
    const know_classes *c;
    const unsigned char *allowed;
    double lambda[4], mu[4];
    double *value;       /* [classes] reached */
    unsigned char *come; /* [classes] */
} plain;

/* V of class i by recursion over reachable classes. */
static double look(plain *x, int i)
{
    const know_classes *c = x->c;
    if (x->come[i]) return x->value[i];
    x->come[i] = 1;
    double best = i < c->time_start[c->g->T] ? -INFINITY : know_class_end(c, i, x->mu);
    for (int slot = c->slot_start[i]; i < c->time_start[c->g->T] && slot < c->slot_start[i + 1]; slot++) {
        if (!x->allowed[c->slot_option[slot]]) continue;
        for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) look(x, c->arc_child[a]);
        best = fmax(best, induction_slot_value(c, i, slot, x->lambda, x->mu, x->value));
    }
    return x->value[i] = best;
}

/* All of one model. Returns how many classes were left out. */
static int compare(const know_classes *c, rng *r)
{
    arena memory = {0};
    reachable_classes l;
    unsigned char *allowed = malloc((size_t)c->options), *come = malloc((size_t)c->classes);
    double *value = malloc((size_t)c->classes * sizeof *value), *mine = malloc((size_t)c->classes * sizeof *mine);
    int *best = malloc((size_t)c->classes * sizeof *best), out = 0;
    reachable_init(&l, c, &memory);
    assert_true(!memory.failed && allowed && come && value && mine && best);
    for (int round = 0; round < 8; round++) {
        plain x = {.c = c, .allowed = allowed, .value = value, .come = come};
        for (int o = 0; o < c->options && round % 3 != 1; o++) allowed[o] = round == 0 || rng_below(r, 4) > 0;
        for (int k = 0; k < c->K; k++) {
            x.lambda[k] = rng_unit(r);
            x.mu[k] = round % 2 ? rng_unit(r) : 0;
        }
        memset(come, 0, (size_t)c->classes);
        look(&x, 0);
        for (int half = 1; half >= 0; half--) { /* first times alone, from given later values; then all */
            int times = half ? (c->g->T + 1) / 2 : c->g->T + 1, end = c->time_start[times], n = 0;
            if (times == 0) continue;
            memcpy(mine, value, (size_t)c->classes * sizeof *mine);
            for (int i = 0; i < end; i++) mine[i] = NAN;
            reachable_find(&l, allowed, times);
            assert_true(induction_backward(&l, x.lambda, x.mu, times, mine, best) == value[0]);
            for (int i = 0; i < end; i++) {
                assert_true(come[i] ? n < l.before[times] && l.item[n] == i : true);
                n += come[i];
                out += !come[i];
                assert_true(come[i] ? mine[i] == value[i] : isnan(mine[i]));
            }
            assert_int_equal(n, l.before[times]);
        }
    }
    void *blocks[] = {allowed, come, value, mine, best};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    arena_free(&memory);
    return out;
}

static void what_is_come_to_is_valued_as_by_recursion(void **state)
{
    (void)state;
    int out = 0;
    for (int number = 0; number < 100; number++) {
        vouch_model *m = wild_model((uint64_t)number);
        know_graph *g;
        know_classes *c;
        pareto_sets *f = NULL;
        rng r = rng_seed((uint64_t)number);
        assert_int_equal(know_graph_new(m, number % (m->T + 1), NULL, &g, NULL), VOUCH_OK);
        if (number % 2) assert_int_equal(pareto_new(g, 50, NULL, false, NULL, &f), VOUCH_OK);
        assert_int_equal(know_classes_new(g, f, &(class_limits){.classes = number % 3 ? 100000 : 5}, &c, NULL), VOUCH_OK);
        out += compare(c, &r);
        know_classes_free(c);
        pareto_free(f);
        know_graph_free(g);
        vouch_model_free(m);
    }
    assert_true(out > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_come_to_is_valued_as_by_recursion),
    };
    return run_tests(tests);
}
