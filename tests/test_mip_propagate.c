/* Bounds implied by rows: valid ones, invalid ones, and chains of small steps, which must end. */
#include "mip/model.h"

#include "mip_aid.h"
#include "test.h"

typedef struct scene {
    mip_model model;
    domain dom;
    bool alive;
} scene;

static scene propagated(const char *text)
{
    scene s = {.model = model_of(text)};
    return s;
}

static void start(scene *s)
{
    assert_int_equal(domain_init(&s->dom, &s->model), VOUCH_OK);
    domain_queue_all(&s->dom);
    s->alive = domain_propagate(&s->dom);
}

static void end(scene *s)
{
    domain_free(&s->dom);
    mip_model_free(&s->model);
}

static void bounds_follow_from_activities(void **state)
{
    (void)state;
    scene s = propagated("min\n obj: x + y + z\nst\n a: 2 x + 3 y <= 12\n b: x - z >= 1\nbounds\n z <= 9\n"
                         "generals\n x y\nend\n");
    start(&s);
    assert_true(s.alive);
    assert_true(s.dom.lower[0] == 1 && s.dom.upper[0] == 6); /* from b, rounded; from a */
    assert_true(s.dom.lower[1] == 0 && s.dom.upper[1] == 3); /* (12 - 2) / 3 rounded */
    assert_near(s.dom.upper[2], 5, 1e-5);
    assert_true(s.dom.upper[2] >= 5); /* never past the implied bound */
    size_t mark = domain_mark(&s.dom);
    assert_true(domain_set_lower(&s.dom, 1, 3) && domain_propagate(&s.dom));
    assert_true(s.dom.upper[0] == 1);
    domain_undo(&s.dom, mark);
    assert_true(s.dom.upper[0] == 6 && s.dom.lower[1] == 0);
    assert_false(domain_set_lower(&s.dom, 0, 7));
    end(&s);
}

/* An infinite bound implies nothing for other columns, nor a single one for its own. */
static void free_columns_hold_nothing_back(void **state)
{
    (void)state;
    scene s = propagated("min\n obj: x\nst\n a: x + y + z <= 4\n b: x - w <= 2\n c: w <= 3\n d: x + v = 1\n"
                         "bounds\n x free\n y free\n z >= 0\n w free\n v free\n v <= 8\ngenerals\n x\nend\n");
    start(&s);
    assert_true(s.alive);
    assert_true(s.dom.lower[0] == -7 && s.dom.upper[0] == 5); /* x = 1 - v; x <= 2 + w */
    assert_true(s.dom.lower[1] == -INFINITY);
    assert_near(s.dom.upper[1], 11, 1e-5); /* one open term only: x >= -7, z >= 0 */
    assert_true(s.dom.upper[2] == INFINITY);
    end(&s);
}

/* 0.3 * 3 is not exactly 0.9: a bound is rounded within the error of its own row, no further. */
static void integer_bounds_round_by_the_error_of_the_row(void **state)
{
    (void)state;
    scene s = propagated("min\n obj: x\nst\n a: 0.3 x <= 0.9\n b: 1e-8 y + u <= 1e8\n c: 4 z <= 7.99\nbounds\n"
                         " u >= 99999999.999999\n u <= 2e8\n y <= 1000\n z <= 50\ngenerals\n x y z\nend\n");
    start(&s);
    assert_true(s.alive);
    int x = 0, y = 1, z = 3;
    assert_true(s.dom.upper[x] == 3);
    assert_true(s.dom.upper[y] >= 100); /* 1e-6 / 1e-8, known to no better than +- 100 */
    assert_true(s.dom.upper[z] == 1);
    end(&s);
}

static void contradictions_beyond_rounding_are_found(void **state)
{
    (void)state;
    scene s = propagated("min\n obj: x\nst\n a: x + y <= 1.999\nbounds\n 1 <= x <= 5\n 1 <= y <= 5\nend\n");
    start(&s);
    assert_false(s.alive);
    end(&s);
    s = propagated("min\n obj: x\nst\n a: x + y <= 1.9999999\nbounds\n 1 <= x <= 5\n 1 <= y <= 5\nend\n");
    start(&s);
    assert_true(s.alive);
    end(&s);
}

/* x and y tighten each other by one: propagation stops after little work. */
static void creeping_bounds_end(void **state)
{
    (void)state;
    scene s = propagated("min\n obj: x\nst\n a: 2 x - 2 y >= 1\n b: 2 y - 2 x >= 1\ngenerals\n x y\nend\n");
    start(&s);
    for (int again = 0; again < 1000 && s.alive; again++) {
        domain_queue_all(&s.dom);
        s.alive = domain_propagate(&s.dom);
    }
    assert_true(s.dom.lower[0] < 3000);
    end(&s);
}

static void a_nonzero_member_decides_its_set(void **state)
{
    (void)state;
    scene s = propagated("min\n obj: x + y + z\nst\n a: x + y + z >= 1\nbounds\n 1 <= x <= 3\n y <= 4\n z <= 5\nsos\n"
                         " s: S1:: x:1 y:2 z:3\nend\n");
    start(&s);
    assert_true(s.alive && s.dom.upper[1] == 0 && s.dom.upper[2] == 0 && s.dom.upper[0] == 3);
    end(&s);
    /* only the sets that contain the member; a column below 0 is not 0 either */
    s = propagated(
        "min\n obj: u + v + w + x + y + z\nst\n a: u + v + w + x + y + z >= -5\nbounds\n u <= 4\n v <= 4\n -5 <= w <= -2\n"
        " x <= 4\n y <= 4\n z <= 4\nsos\n s1: S1:: u:1 v:2\n s2: S1:: x:1 w:2\n s3: S1:: w:1 z:2\nend\n");
    start(&s);
    const double upper[6] = {4, 4, -2, 0, 4, 0};
    for (int j = 0; j < 6; j++) assert_true(s.dom.upper[j] == upper[j]);
    assert_true(s.alive && s.dom.lower[2] == -5);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_follow_from_activities),
        cmocka_unit_test(free_columns_hold_nothing_back),
        cmocka_unit_test(integer_bounds_round_by_the_error_of_the_row),
        cmocka_unit_test(contradictions_beyond_rounding_are_found),
        cmocka_unit_test(creeping_bounds_end),
        cmocka_unit_test(a_nonzero_member_decides_its_set),
    };
    return run_tests(tests);
}
