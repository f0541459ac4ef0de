/* The defaults of options, as the headers name them. */
#include <vouch/ccil.h>
#include <vouch/mip.h>

#include "plan_aid.h"

static void what_is_not_asked_for_is_0(const vouch_limits *l, const vouch_log *log)
{
    assert_true(l->seconds == 0 && l->nodes == 0 && l->iterations == 0 && !l->interrupt);
    assert_null(log->write);
}

static void check_lp(const vouch_lp_options *o)
{
    assert_true(o->method == VOUCH_LP_AUTO && o->factor == VOUCH_FACTOR_AUTO);
    assert_true(o->presolve == 2 && o->scale == 1 && o->perturb == 1 && o->seed == 1);
    assert_true(o->feasibility_tol == 1e-7 && o->optimality_tol == 1e-7 && isnan(o->cutoff));
    what_is_not_asked_for_is_0(&o->limits, &o->log);
}

static void check_plan(const vouch_plan_options *o, int lookahead)
{
    assert_true(o->method == VOUCH_METHOD_MILP_CCL && o->engine == VOUCH_ENGINE_AUTO && o->lookahead == lookahead);
    assert_true(isnan(o->gap) && !o->start && o->restarts == 0 && o->certify == 0);
    assert_true(o->least_total_regret == 1 && o->tie_break_work == 10000);
    assert_true(o->class_limit == 0 && o->threads == 1 && o->without == 0 && o->seed == 1);
    assert_true(!o->on_node && !o->progress && !o->restart);
    what_is_not_asked_for_is_0(&o->limits, &o->log);
}

static void defaults_are_those_of_the_headers(void **state)
{
    (void)state;
    vouch_lp_options lp;
    vouch_mip_options mip;
    vouch_plan_options plan;
    vouch_ccil_options ccil;
    vouch_simulation_options simulation;
    memset(&lp, 0x55, sizeof lp);
    memset(&mip, 0x55, sizeof mip);
    memset(&plan, 0x55, sizeof plan);
    memset(&ccil, 0x55, sizeof ccil);
    memset(&simulation, 0x55, sizeof simulation);
    vouch_lp_options_init(&lp);
    vouch_mip_options_init(&mip);
    vouch_plan_options_init(&plan);
    vouch_ccil_options_init(&ccil);
    vouch_simulation_options_init(&simulation);
    check_lp(&lp);
    check_lp(&mip.lp);
    assert_true(mip.gap_absolute == 1e-9 && mip.gap_relative == 1e-6 && mip.integrality_tol == 1e-6);
    assert_true(mip.presolve == 1 && mip.cuts == 1 && mip.heuristics == 1 && mip.symmetry == 1 && mip.threads == 1);
    assert_true(!mip.start && !mip.heuristic && !mip.on_node && !mip.debug_solution);
    what_is_not_asked_for_is_0(&mip.limits, &mip.log);
    check_plan(&plan, 0);
    check_plan(&ccil.plan, 1);
    assert_true(ccil.guarded == 0 && ccil.program_limit == 0);
    assert_true(simulation.episodes == 10000 && simulation.seed == 1 && simulation.threads == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_are_those_of_the_headers)};
    return run_tests(tests);
}
