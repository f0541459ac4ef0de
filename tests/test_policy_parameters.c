/* Parameters of the search: each default is within its range, and each name is unique and documented. */
#include "test.h"

#include <string.h>

#include "policy/parameters.h"

typedef struct row {
    const char *name;
    double standard, least, most;
    const char *what;
} row;

#define SEARCH_ROW(type, name, standard, least, most, what)    {"SEARCH." #name, (double)SEARCH.name, least, most, what},
#define STAGEWISE_ROW(type, name, standard, least, most, what) {"STAGEWISE." #name, (double)STAGEWISE.name, least, most, what},
#define OUTCOMES_ROW(type, name, standard, least, most, what)  {"OUTCOMES." #name, (double)OUTCOMES.name, least, most, what},
#define HEURISTIC_ROW(type, name, standard, least, most, what) {"HEURISTIC." #name, (double)HEURISTIC.name, least, most, what},
#define TIME_ROW(type, name, standard, least, most, what)      {"TIME." #name, (double)TIME.name, least, most, what},
#define RELAX_ROW(type, name, standard, least, most, what)     {"RELAX." #name, (double)RELAX.name, least, most, what},
static const row rows[] = {SEARCH_PARAMETERS(SEARCH_ROW) STAGEWISE_PARAMETERS(STAGEWISE_ROW) OUTCOMES_PARAMETERS(OUTCOMES_ROW)
                               HEURISTIC_PARAMETERS(HEURISTIC_ROW) TIME_PARAMETERS(TIME_ROW) RELAX_PARAMETERS(RELAX_ROW)};

static void defaults_are_within_their_ranges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        if (!(r->least <= r->standard && r->standard <= r->most) || strlen(r->what) < 5) fail_msg("parameter %s", r->name);
        for (size_t j = 0; j < i; j++) assert_string_not_equal(rows[j].name, r->name);
    }
}

/* Assumptions of the code. */
static void parameters_fit_together(void **state)
{
    (void)state;
    assert_true(SEARCH.least_pairs <= SEARCH.enough_pairs && SEARCH.enough_pairs <= SEARCH.most_pairs);
    assert_true(SEARCH.pure_least_pairs <= SEARCH.pure_pairs);
    assert_true(SEARCH.nearly <= SEARCH.far);
    assert_true(RELAX.least_plans <= RELAX.most_plans && TIME.growth <= TIME.mixtures);
    assert_true(OUTCOMES.coarse_pairs <= OUTCOMES.fine_pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_within_their_ranges),
        cmocka_unit_test(parameters_fit_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
