/* cli/replan.c - see replan.h. */
#include "cli/replan.h"

#include "cli/method.h"
#include "cli/report.h"

int replan_refuse_idle(const replan_args *args)
{
    bool exact = method_replanned(args->inner) == VOUCH_METHOD_EXACT_CCL;
    const cli_need needs[] = {{"restarts", exact, "--inner exact-ccl"}};
    return cli_refuse_idle(needs, sizeof needs / sizeof *needs);
}

int replan_options(const replan_args *args, const cli_common *common, const vouch_model *m, vouch_ccil_options *options,
                   double **weights)
{
    vouch_ccil_options_init(options);
    options->guarded = args->guarded > 0;
    options->plan.method = method_replanned(args->inner);
    options->plan.lookahead = args->lookahead;
    options->plan.least_total_regret = args->tie_break == 0;
    options->plan.tie_break_work = args->tie_break_work;
    options->plan.gap = args->gap;
    options->plan.restarts = args->restarts;
    options->plan.threads = common->threads;
    options->plan.seed = common->seed;
    options->plan.limits = cli_limits_each(common);
    options->plan.log = report_log();
    return objective_set(&args->objective, m, &options->plan, weights);
}
