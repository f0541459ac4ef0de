/* Feasibility jump: it finds points of programs with many, and stops on infeasible ones. */
#include "mip/search.h"

#include "base/rng.h"
#include "mip_aid.h"
#include "test.h"

static bool accept(void *context, const double *x, double *value)
{
    const mip_model *p = context;
    if (!mip_model_feasible(p, x, 1e-6)) return false;
    *value = mip_model_objective(p, x);
    return true;
}

/* Did the walks find a point of the program? */
static bool jumps(const char *text)
{
    mip_model model = model_of(text);
    vouch_mip_options options;
    vouch_mip_options_init(&options);
    deadline clock = deadline_start(&options.limits);
    mip_owner owner = {.context = &model, .accept = accept};
    mip_search s;
    assert_int_equal(mip_search_init(&s, &model, &options, &clock, &owner), VOUCH_OK);
    bool solved = mip_search_relax(&s, 1) == RELAX_OPTIMAL, found = false;
    if (solved) {
        mip_search_take_point(&s);
        found = heuristic_jump(&s);
        assert_true(found == s.best.found);
        if (found) assert_true(mip_model_feasible(&model, s.best.x, 1e-6));
    }
    mip_search_free(&s);
    mip_model_free(&model);
    return found;
}

static void columns_of_every_kind_jump(void **state)
{
    (void)state;
    /* two of three, an order of at least 7 that a switch allows, and an equality with a free column */
    assert_true(jumps("min\n obj: 2 a + 3 b + 2 c + 9 s + y + z\nst\n r1: a + b + c = 2\n r2: y - 20 s <= 0\n r3: y + z >= 7.5\n"
                      " r4: f + 3 k - y = 2\n r5: z <= 4\nbounds\n f free\n k <= 9\nbinary\n a b c s\ngeneral\n k\nend\n"));
    assert_false(jumps("min\n obj: a\nst\n r: 2 a + 2 b + 2 c = 3\nbinary\n a b c\nend\n"));
}

/* Partitions of a set by subsets drawn around a hidden one. */
static void hidden_points_are_found(void **state)
{
    (void)state;
    enum { ITEMS = 12, SETS = 40, TEXT = 20000, TRIALS = 20 };
    rng r = rng_seed(7);
    int found = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        static char text[TEXT];
        bool member[ITEMS][SETS] = {{false}};
        for (int i = 0; i < ITEMS; i++) {
            member[i][i / 3] = true; /* the hidden partition: sets 0 to 3 */
            for (int c = ITEMS / 3; c < SETS; c++) member[i][c] = rng_below(&r, 4) == 0;
        }
        int at = snprintf(text, TEXT, "min\n obj: x0");
        for (int c = 1; c < SETS; c++) at += snprintf(text + at, (size_t)(TEXT - at), " + %d x%d", c % 7, c);
        at += snprintf(text + at, (size_t)(TEXT - at), "\nst\n");
        for (int i = 0; i < ITEMS; i++) {
            for (int c = 0, first = 1; c < SETS; c++)
                if (member[i][c]) at += snprintf(text + at, (size_t)(TEXT - at), "%s x%d", first ? "" : " +", c), first = 0;
            at += snprintf(text + at, (size_t)(TEXT - at), " = 1\n");
        }
        at += snprintf(text + at, (size_t)(TEXT - at), "binary\n");
        for (int c = 0; c < SETS; c++) at += snprintf(text + at, (size_t)(TEXT - at), " x%d", c);
        snprintf(text + at, (size_t)(TEXT - at), "\nend\n");
        found += jumps(text);
    }
    assert_in_range(found, TRIALS / 2, TRIALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_of_every_kind_jump), cmocka_unit_test(hidden_points_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
