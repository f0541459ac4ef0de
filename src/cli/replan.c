/* cli/replan.c - see replan.h. */
#include "cli/replan.h"

#include "cli/report.h"

int replan_options(const replan_args *args, const cli_common *common, const vouch_model *model, vouch_ccil_options *options)
{
    if (args->lookahead > vouch_model_horizon(model))
        return cli_wrong("-L: %d is outside 1 .. %d, the horizon", args->lookahead, vouch_model_horizon(model));
    vouch_ccil_options_init(options);
    options->guarded = args->guarded > 0;
    options->plan.method = args->inner == 0 ? VOUCH_METHOD_MILP_CCL : VOUCH_METHOD_EXACT_CCL;
    options->plan.lookahead = args->lookahead;
    options->plan.least_total_regret = args->tie_break == 0;
    options->plan.tie_break_work = args->tie_break_work;
    options->plan.gap = args->gap;
    options->plan.restarts = args->restarts;
    options->plan.threads = common->threads;
    options->plan.seed = common->seed;
    options->plan.limits = cli_limits(common);
    options->plan.log = report_log();
    return 0;
}
