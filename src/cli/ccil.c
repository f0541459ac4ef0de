/* cli/ccil.c - vouch ccil: evaluates replanning every L steps, exactly or by simulation. */
#include "cli/cli.h"

typedef struct ccil_args {
    cli_common common;
    spread_args spread;
    model_args model;
    replan_args replan;
    long long episodes, program_limit;
    int stats;
} ccil_args;

static const cli_option options[] = {
    REPLAN_OPTIONS(ccil_args),
    {CLI_LONG, 0, "episodes", "N", offsetof(ccil_args, episodes), "0", 0, 1e12,
     .help = "simulate N episodes in each environment; 0: evaluate exactly"},
    {CLI_LONG, 0, "program-limit", "N", offsetof(ccil_args, program_limit), "100000", 0, 9e18,
     .help = "maximum number of plans in the exact evaluation; 0: no limit"},
    {CLI_FLAG, 0, "stats", NULL, offsetof(ccil_args, stats),
     .help = "print counters and timers on standard error, as a line of JSON; plans on one thread"},
    SPREAD_OPTIONS(ccil_args),
    RESUME_OPTION(ccil_args),
    MODEL_OPTIONS(ccil_args),
    {0},
};

static void show_progress(void *context, double seconds, long long done, long long known, const char *stage)
{
    (void)context;
    report_live("%.1f s  %s: %lld of the %lld knowledge states reached", seconds, stage, done, known);
}

static void print_json(const vouch_model *m, const vouch_ccil_result *r, const vouch_sample sample[])
{
    text t = {0};
    text_add(&t, "{ \"status\": \"%s\"", vouch_plan_outcome_text(r->outcome));
    if (r->objective != VOUCH_OBJECTIVE_REGRET)
        js_add(&t, ", \"objective\": \"%s\", \"value\": %g", vouch_objective_text(r->objective), r->value);
    js_add(&t, ", \"max_regret\": %g, \"total_regret\": %g, \"first_max_regret\": %g", r->max_regret, r->total_regret,
           r->first_max_regret);
    /* of the first plan alone: replanning may do better, so it does not bound max_regret */
    js_add(&t,
           ", \"first_bound\": %g,\n  \"nodes\": %lld, \"iterations\": %lld, \"programs\": %lld, \"reused\": %lld, \"kept_on\": "
           "%lld, \"unproved\": %lld, \"missing\": %lld, \"missing_probability\": %g, \"seconds\": %g, \"sense\": \"%s\"",
           r->first_bound, r->programs, r->programs, r->programs, r->reused, r->kept_on, r->unproved, r->missing,
           r->missing_probability, r->seconds, vouch_sense_text(vouch_model_sense(m)));
    if (r->has_policy && !sample) figures_add_averages(&t, "averages", m, r->figures, r->commitments);
    text_add(&t, ",\n  \"environments\": ");
    figures_add_json(&t, m, r->figures, r->commitments);
    if (sample) {
        text_add(&t, ",\n  \"samples\": ");
        sampling_add_json(&t, m, sample);
        sampling_add_averages(&t, m, sample);
    }
    text_add(&t, " }\n");
    cli_print(&t);
}

/* The JSON object for a model too large for any plan. -1: memory */
static int print_nothing(const vouch_model *m)
{
    vouch_environment_figures *figures = MEM_NEW(vouch_environment_figures, vouch_model_environments(m));
    if (!figures) return -1;
    for (int k = 0; k < vouch_model_environments(m); k++) figures[k] = (vouch_environment_figures){NAN, NAN, NAN, NAN};
    vouch_ccil_result r = {.outcome = VOUCH_PLAN_LIMIT,
                           .environments = vouch_model_environments(m),
                           .figures = figures,
                           .max_regret = NAN,
                           .total_regret = NAN,
                           .first_max_regret = NAN,
                           .first_bound = 0};
    print_json(m, &r, NULL);
    mem_free(figures);
    return 0;
}

static void print_exact(const vouch_model *m, const vouch_ccil_result *r)
{
    figures_print_list(m, r->figures, r->commitments, NULL);
    if (r->objective != VOUCH_OBJECTIVE_REGRET)
        printf("%-15s %.10g\n", objective_noun(r->objective, vouch_model_sense(m)), table_shown(r->value));
    printf("maximum regret  %.10g  (exact", table_shown(r->max_regret));
    if (r->outcome == VOUCH_PLAN_OPTIMAL) printf("; every plan %s optimal", cli_verdict(1, "proved"));
    printf(")\ntotal regret    %.10g\n", table_shown(r->total_regret));
    printf("first plan      %.10g if followed to the end\n", table_shown(r->first_max_regret));
    printf("%lld plans made, %lld reused", r->programs, r->reused);
    if (r->unproved) printf(", %lld %s optimal", r->unproved, cli_verdict(0, "not proved"));
    if (r->kept_on) printf(", %lld times the policy in force was better", r->kept_on);
    if (isfinite(r->seconds)) printf(", %.3f s", r->seconds);
    putchar('\n');
    if (r->missing)
        printf("%lld knowledge states have no plan of their own (probability of reaching one: up to %.4g); the policy in force "
               "continues\nthere. To evaluate them raise --program-limit or --time-limit, or sample with --episodes N.\n",
               r->missing, r->missing_probability);
}

static int exit_status(const vouch_ccil_result *r)
{
    if (report_interrupted()) return CLI_INTERRUPTED;
    if (r->outcome == VOUCH_PLAN_INFEASIBLE) return CLI_INFEASIBLE;
    if (r->outcome == VOUCH_PLAN_NUMERICAL) return CLI_NUMERICAL;
    return !r->has_policy || r->missing ? CLI_LIMIT : CLI_SOLVED;
}

/* Simulates and prints; the exit status. */
static int simulate(const ccil_args *args, const vouch_model *m, vouch_ccil *c)
{
    vouch_simulation_options so = sampling_options(&args->common, args->episodes);
    int K = vouch_model_environments(m), samples = K * vouch_model_promises(m);
    vouch_sample *sample = CLI_NEW(vouch_sample, samples);
    double *optimal = CLI_NEW(double, K);
    vouch_ccil_result r;
    cli_try(vouch_simulate_ccil(c, &so, sample, &cli_error));
    vouch_ccil_get_result(c, &r);
    if (spread_asked(&args->spread)) r.seconds = NAN;
    for (int k = 0; k < K; k++) optimal[k] = r.figures[k].optimal_value;
    report_clear();
    if (args->common.json)
        print_json(m, &r, sample);
    else {
        sampling_print(m, optimal, sample);
        printf("first plan  %.10g if followed to the end; %lld plans made for the episodes\n", r.first_max_regret, r.programs);
    }
    if (report_interrupted()) return CLI_INTERRUPTED;
    return sample[samples - 1].episodes == args->episodes ? CLI_SOLVED : CLI_LIMIT;
}

/* The journal of this model and these plans. */
static vouch_journal *open_journal(const ccil_args *args, const char *path)
{
    const replan_args *r = &args->replan;
    fingerprint f = fingerprint_start();
    char mark[FINGERPRINT];
    if (!args->spread.journal && !args->spread.resume) return NULL;
    const double numbers[] = {r->lookahead,
                              r->inner,
                              r->tie_break,
                              r->guarded,
                              r->restarts,
                              r->gap,
                              (double)r->tie_break_work,
                              (double)args->episodes,
                              (double)args->program_limit};
    fingerprint_add(&f, "ccil");
    fingerprint_add_number(&f, r->objective.objective);
    fingerprint_add(&f, r->objective.weights);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) fingerprint_add_number(&f, numbers[i]);
    spread_mark(&f, &args->common, &args->model, path);
    fingerprint_text(&f, mark);
    return spread_open(&args->spread, mark);
}

static void print_class(const ccil_args *args, vouch_objective objective, vouch_sense sense)
{
    text t = {0};
    method_add_replanned(&t, method_replanned(args->replan.inner), args->replan.guarded, args->replan.lookahead, objective, sense);
    text_add(&t, "\n");
    cli_print(&t);
}

/* Needed at the end of a run, after success and failure. */
typedef struct ccil_run {
    const ccil_args *args;
    vouch_ccil *ccil; /* NULL: not made */
    vouch_trace *trace;
} ccil_run;

static void end_run(void *object)
{
    const ccil_run *w = object;
    vouch_ccil_result r;
    if (w->ccil) vouch_ccil_get_result(w->ccil, &r);
    summary_ccil(w->trace, w->args->stats, method_replanned(w->args->replan.inner), w->ccil ? &r : NULL);
    vouch_ccil_free(w->ccil);
}

static int run(void *arguments, char **operand)
{
    const ccil_args *args = arguments;
    static char first_plan[] = "first plan";
    vouch_ccil_options o;
    vouch_ccil_result r;
    replan_refuse_idle(&args->replan);
    vouch_model *model = load_model(&args->model, operand[0]);
    replan_options(&args->replan, &args->common, model, &o);
    o.plan.journal = open_journal(args, operand[0]);
    o.plan.workers = spread_workers(&args->spread);
    o.program_limit = args->program_limit;
    o.progress = show_progress;
    o.first_plan = plan_report;
    o.first_plan_context = first_plan;
    ccil_run *w = CLI_NEW(ccil_run, 1);
    w->args = args;
    cli_own(end_run, w);
    w->trace = o.plan.trace = summary_trace(args->stats, spread_asked(&args->spread) ? HAPPENED_SHARED : args->common.threads);
    if (vouch_ccil_new(&w->ccil, model, &o, &cli_error)) {
        int code = cli_failed(&cli_error);
        if (args->common.json && cli_error.status == VOUCH_ERROR_SIZE) print_nothing(model);
        return code;
    }
    vouch_ccil_get_result(w->ccil, &r);
    if (!args->common.json) {
        print_class(args, o.plan.objective, vouch_model_sense(model));
        figures_print_model(model);
    }
    if (r.has_policy && args->episodes > 0) return simulate(args, model, w->ccil);
    cli_try(vouch_ccil_evaluate(w->ccil, &cli_error));
    vouch_ccil_get_result(w->ccil, &r);
    if (spread_asked(&args->spread)) r.seconds = NAN;
    report_clear();
    if (args->common.json)
        print_json(model, &r, NULL);
    else if (r.has_policy)
        print_exact(model, &r);
    else if (r.outcome == VOUCH_PLAN_INFEASIBLE)
        printf("%s: the commitment cannot be kept; see vouch plan\n", cli_verdict(-1, "infeasible (proved)"));
    else
        printf("no policy found within the limits\n");
    return exit_status(&r);
}

const cli_command cli_ccil = {
    .name = "ccil",
    .operands = "MODEL",
    .least_operands = 1,
    .summary = "evaluate replanning every L steps (CCIL), exactly or by simulation",
    .text =
        "Commitment-constrained iterative lookahead: the agent follows the policy of vouch plan for L steps, replans from the "
        "knowledge state it has reached, and repeats. In each environment a new plan keeps the promise with at least the "
        "probability that the previous policy had from there. The evaluation is exact: it visits every knowledge state at which a "
        "plan is made. With --guarded a new plan earns at least as much as the policy in force, in every environment still "
        "possible. For a promise on average, a new plan keeps the mean over the posterior of these environments.\n\nPlans of the "
        "same time step are divided among --workers and stored in a --journal, from which a stopped run resumes. Output is "
        "byte-identical for any number of workers; running times are omitted with these options.",
    .examples = "vouch ccil maze.json -L 1\n"
                "vouch ccil maze.json -L 1 --episodes 1000\n",
    .options = options,
    .size = sizeof(ccil_args),
    .run = run,
};
