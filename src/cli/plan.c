/* cli/plan.c - vouch plan: computes, prints and writes a policy. */
#include <unistd.h>

#include "cli/cli.h"

/* Context of --log-tree. */
typedef struct node_log {
    const vouch_model *m;
    text out;
} node_log;

void plan_report(void *words, const vouch_plan_progress *p)
{
    char incumbent[32] = "none", bound[32] = "none";
    if (isfinite(p->incumbent)) snprintf(incumbent, sizeof incumbent, "%.6g", p->incumbent);
    if (isfinite(p->bound)) snprintf(bound, sizeof bound, "%.6g", p->bound);
    if (words) {
        report_live("%s: regret %s, at least %s, nodes %lld", (const char *)words, incumbent, bound, p->nodes);
        return;
    }
    void (*show)(const char *, ...) =
        isfinite(p->incumbent) && !isfinite(p->bound) ? report_news : report_progress; /* a first policy */
    show("%.1f s  %s  regret %s  bound %s  nodes %lld (%lld open)", p->seconds, p->stage ? p->stage : "", incumbent, bound,
         p->nodes, p->open_nodes);
}

/* One line of --log-restarts. */
static void plan_log_restart(void *context, const vouch_restart *r)
{
    text *log = context;
    js_add(log, "{\"restart\":%d,\"start\":\"%s\",\"regret\":%g,\"shortfall\":%g,\"work\":%lld,\"optimum\":%d}\n", r->number,
           r->start, r->regret, r->shortfall, r->work, r->optimum);
}

/* One line of --log-tree. */
static void plan_log_node(void *context, const vouch_search_node *n)
{
    node_log *log = context;
    char branch[512];
    snprintf(branch, sizeof branch, "t=%d s=%.200s %s%.200s", n->time, n->state < 0 ? "" : vouch_model_state_name(log->m, n->state),
             n->action < 0 ? "split" : "a=", n->action < 0 ? "" : vouch_model_action_name(log->m, n->action));
    tree_add_line(&log->out, &(tree_entry){.id = n->id,
                                           .parent = n->parent,
                                           .depth = n->depth,
                                           .branch = n->parent ? branch : NULL,
                                           .bound = n->bound,
                                           .incumbent = n->incumbent,
                                           .end = n->end});
}

/* ---- the answer as words and a table ---- */

static const double TOTAL_PROVED = 2e-6; /* total regret and bound closer than this: the search's gap and rounding */

/* The largest price of determinism, over environments. */
static void print_determinism(const vouch_model *m, const vouch_plan_result *r)
{
    int most = 0;
    for (int k = 1; k < r->environments && r->regret_of_determinism; k++)
        if (r->regret_of_determinism[k] > r->regret_of_determinism[most]) most = k;
    if (!r->regret_of_determinism || !(table_shown(r->regret_of_determinism[most]) > 0)) return;
    const char *name = cli_shown(vouch_model_environment_name(m, most));
    printf("\nprice of determinism  %.10g  (in %s: a lower bound on the regret of every deterministic policy)",
           table_shown(r->regret_of_determinism[most]), name);
}

/* search: the method proves bounds. */
static void print_bound(vouch_plan_outcome outcome, bool search, double bound)
{
    bool proved = outcome == VOUCH_PLAN_OPTIMAL;
    if (proved || search)
        printf("  (%s optimal, bound %.10g)", cli_verdict(proved, proved ? "proved" : "not proved"), table_shown(bound));
}

/* search: the method proves bounds; seconds: print running times. */
static void plan_print(const vouch_model *m, const vouch_policy *policy, bool search, bool seconds)
{
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    method_note_lookahead(vouch_policy_method(policy));
    figures_print_class(policy);
    figures_print_model(m);
    if (r.outcome == VOUCH_PLAN_INFEASIBLE) {
        const char *worst = vouch_model_has_error(m) ? " under the worst error" : "";
        printf("%s: ", cli_verdict(-1, "infeasible (proved)"));
        if (vouch_model_has_list(m))
            printf("no policy keeps all promises%s\n\n", worst);
        else
            printf("the commitment cannot be kept with probability %.7g%s\n\n", vouch_model_probability(m), worst);
    } else {
        bool regret = r.objective == VOUCH_OBJECTIVE_REGRET;
        if (r.has_policy) {
            figures_print_environments(m, policy);
            if (!regret) {
                printf("%-15s %.10g", objective_noun(r.objective, r.sense), table_shown(r.value));
                print_bound(r.outcome, search, r.bound);
                putchar('\n');
            }
            printf("maximum regret  %.10g", table_shown(r.max_regret));
            if (!regret)
                ;
            else if (r.optima_bounded)
                printf("  (upper bound, as only an upper bound of U*_c is known; bound %.10g)", table_shown(fmax(0, r.bound)));
            else
                print_bound(r.outcome, search, fmax(0, r.bound));
            print_determinism(m, &r);
            printf("\ntotal regret    %.10g", table_shown(r.total_regret));
            if (r.total_bound >= r.total_regret - TOTAL_PROVED)
                printf("  (%s least for that %s)\n", cli_verdict(1, "proved"), regret ? "maximum" : "value");
            else if (!isnan(r.total_bound))
                printf("  (least found for that %s, bound %.10g; --tie-break-work 0 continues)\n", regret ? "maximum" : "value",
                       table_shown(r.total_bound));
            else
                printf("\n");
        } else if (search) {
            printf("a limit was reached before a policy was found; bound on the %s %.10g\n",
                   regret ? "maximum regret" : objective_noun(r.objective, r.sense), r.bound);
            if (!isnan(r.nearest_probability))
                printf("nearest to the commitment: every environment keeps it with probability %.10g\n", r.nearest_probability);
        }
        if (r.outcome == VOUCH_PLAN_LIMIT && !search) printf("the baseline does not keep the commitment\n");
        if (r.outcome == VOUCH_PLAN_NUMERICAL) printf("numerical trouble: nothing is certified\n");
    }
    if (r.total_nodes > 0)
        printf("nodes %lld, and %lld for the total regret; ", r.nodes - r.total_nodes, r.total_nodes);
    else
        printf("nodes %lld, ", r.nodes);
    printf("iterations %lld", r.iterations);
    if (seconds) printf(", %.2f s", r.seconds);
    putchar('\n');
}

/* Prints two commands to continue with. model, of_class, objective: parts of the command line, each with a blank before it; file:
 * of the policy, NULL: none was written. */
static void plan_print_next(const char *model, const char *of_class, const char *objective, const char *file)
{
    if (file)
        printf("\nnext:  vouch show%s %s --words\n       vouch evaluate%s %s\n", model, file, model, file);
    else
        printf("\nnext:  vouch plan%s%s%s -o policy.json\n       vouch show%s policy.json --words\n", model, of_class, objective,
               model);
}

/* The same if no policy keeps the promises; history: over all policies. */
static void plan_print_ways_out(const char *model, const char *of_class, const char *objective, const vouch_model *m, bool history)
{
    bool several = vouch_model_promises(m) > 1;
    text name = {0};
    if (several) text_add(&name, " ");
    if (several) text_add_quoted(&name, promise_name(m, 0));
    printf("\nnext:  vouch plan%s%s", model, of_class);
    if (several || history)
        printf(" --max-commitment\n");
    else
        printf(" --frontier --plot frontier.svg\n");
    if (history)
        printf("       vouch plan%s%s --frontier%s --plot frontier.svg\n", model, of_class, name.data ? name.data : "");
    else
        printf("       vouch plan%s --method history%s\n", model, objective);
    text_free(&name);
}

/* ---- plan ---- */

typedef struct plan_args {
    cli_common common;
    spread_args spread;
    model_args model;
    objective_args objective;
    int method, engine, lookahead, tie_break, restarts, certify, points, prove, parts, stats, window, grain, policies, promises;
    const char *max_commitment, *frontier; /* NULL: not given; else the promise's name, or "" */
    double gap;
    long long tie_break_work, nodes, check_work;
    const char *output, *log_restarts, *log_tree, *without, *plot, *start, *proof;
} plan_args;

enum { TIE_TOTAL, TIE_NONE };
static const double EXPLAIN_SECONDS = 20; /* for the explanation if there is no time limit */

#define AT(field) offsetof(plan_args, field)
static const cli_option options[] = {
    {CLI_WORD, 'm', "method", "M", AT(method), "milp-ccl", .help = "policies planned", .list = method_words,
     .details = method_details},
    {CLI_INT, 'L', "lookahead", "N", AT(lookahead), "0", 0, 2147483647,
     .help = "lookahead: steps after which the policy learns nothing more about the environment, 0 to T"},
    OBJECTIVE_OPTIONS(plan_args),
    MODEL_OPTIONS(plan_args),
    {CLI_REAL, 0, "within", "EPS", AT(model.within), NULL, 0, 1,
     .help = "keep the promises even if every probability of a row is off by up to EPS, as a model with limits of its own asks for "
             "without this option; regrets and U* are those of the given probabilities"},
    {CLI_OUTPUT, 'o', "output", "POLICY.json", AT(output), NULL, .help = "write the policy"},
    {CLI_WORD, 0, "engine", "E", AT(engine), "auto", .words = "auto|policy|lp",
     .help = "branch and bound on policies, or on the linear program"},
    {CLI_REAL, 0, "gap", "G", AT(gap), NULL, 0, 1e300,
     .help = "stop when maximum regret and bound differ by at most G; default: the gap of the method"},
    {CLI_INT, 0, "restarts", "N", AT(restarts), "0", 0, 2147483647,
     .help = "exact-ccl: random starts of local search; 0: the default, 48"},
    {CLI_FLAG, 0, "certify", NULL, AT(certify), .help = "exact-ccl: prove a bound on the optimum by branch and bound"},
    {CLI_OUTPUT, 0, "log-restarts", "F.jsonl", AT(log_restarts), NULL,
     .help = "exact-ccl: write one line for each descent of local search"},
    {CLI_OUTPUT, 0, "log-tree", "F.jsonl", AT(log_tree), NULL,
     .help = "milp-ccl: write the search tree, one JSON object for each node (see vouch tree)"},
    {CLI_OUTPUT, 0, "proof", "F.vproof", AT(proof), NULL,
     .help = "write a proof of the result (the search may take longer) and verify it with vouch-check; .gz compresses. MODEL must "
             "be JSON; with --max-commitment: a proof that no larger probability can be kept"},
    {CLI_FLAG, 0, "prove", NULL, AT(prove), .help = "verify a proof with vouch-check, written or not, and print its verdict"},
    {CLI_LONG, 0, "check-limit", "N", AT(check_work), "0", 0, 9e18,
     .help = "--proof, --prove: work limit of vouch-check, in multiplications, some 3e8 a second; 0: more than ten times the work "
             "of the plan, and 1e10"},
    {CLI_TEXT, 0, "without", "PARTS", AT(without), NULL,
     .help = "switch off parts of the search, separated by commas, to measure their effect", .details = parts_words},
    {CLI_FLAG, 0, "parts", NULL, AT(parts), .help = "list the parts of the search with their purpose, condition and source"},
    {CLI_WORD, 0, "tie-break", "W", AT(tie_break), "total", .words = "total|none",
     .help = "prefer the least total regret among policies of least maximum regret"},
    {CLI_LONG, 0, "tie-break-work", "N", AT(tie_break_work), "10000", 0, 9e18,
     .help = "work limit, in backward inductions, of the proof that the total regret is least; 0: no limit"},
    {CLI_FILE, 0, "start", "POLICY.json", AT(start), NULL, .help = "use this policy as the initial incumbent"},
    {CLI_MAYBE, 0, "max-commitment", "[NAME]", AT(max_commitment), NULL,
     .help = "only compute the largest commitment probability, and the environments that limit it; with several promises, of "
             "promise NAME while the others are kept"},
    {CLI_MAYBE, 0, "frontier", "[NAME]", AT(frontier), NULL,
     .help = "only tabulate the least maximum regret over commitment probabilities from 0 to 1; with several promises, name the "
             "one to vary"},
    {CLI_INT, 0, "points", "N", AT(points), "11", 2, 10000, .help = "points of the frontier"},
    {CLI_INT, 0, "policies", "K", AT(policies), NULL, 1, 2147483647,
     .help = "plan a portfolio of K policies; the one used is chosen when the environment is revealed"},
    {CLI_WORD, 0, "promises", "W", AT(promises), "own", .words = GROUP_PROMISE_WORDS,
     .help = "--policies: each policy keeps the promises of its own environments, or of all"},
    SPREAD_OPTIONS(plan_args),
    RESUME_OPTION(plan_args),
    {CLI_INT, 0, "window", "N", AT(window), "0", 0, 65536,
     .help = "milp-ccl: nodes solved in parallel; N changes the search, not the answer; 0: the default, 8"},
    {CLI_INT, 0, "grain", "N", AT(grain), "1", 1, 65536,
     .help = "milp-ccl: maximum number of nodes per message to a worker; N changes the search, not the answer"},
    {CLI_LONG, 0, "node-limit", "N", AT(nodes), "0", 0, 9e18,
     .help = "node limit of a search tree; unlike --time-limit reproducible on every machine; 0: no limit"},
    {CLI_FLAG, 0, "stats", NULL, AT(stats),
     .help = "print counters and timers on standard error, as a line of JSON; on one thread"},
    {CLI_OUTPUT, 0, "plot", "F.svg", AT(plot), NULL, .help = "draw the frontier"},
    {0},
};
#undef AT

static const vouch_method_description *about(const plan_args *args) { return vouch_method_describe((vouch_method)args->method); }

/* search: the method proves bounds, so that a limit has an exit status of its own. */
static int exit_status(vouch_plan_outcome outcome, bool search)
{
    static const int of[] = {[VOUCH_PLAN_OPTIMAL] = CLI_SOLVED,
                             [VOUCH_PLAN_FEASIBLE] = CLI_LIMIT,
                             [VOUCH_PLAN_INFEASIBLE] = CLI_INFEASIBLE,
                             [VOUCH_PLAN_LIMIT] = CLI_LIMIT,
                             [VOUCH_PLAN_NUMERICAL] = CLI_NUMERICAL};
    if (outcome == VOUCH_PLAN_FEASIBLE && !search) return CLI_SOLVED;
    return of[outcome] == CLI_LIMIT && report_interrupted() ? CLI_INTERRUPTED : of[outcome];
}

/* The policy of --start, which must keep the commitment by propagation; NULL: none. */
static vouch_policy *load_start(const plan_args *args, const vouch_model *m)
{
    vouch_policy *start;
    int kept;
    if (!args->start) return NULL;
    if (!about(args)->starts) cli_die("--start is not for --method %s", about(args)->word);
    cli_try(vouch_policy_read(&start, m, args->start, &cli_error));
    cli_own_policy(start);
    if (figures_again(start, m, &kept, &cli_error)) cli_die("%s: %s", args->start, cli_error.text);
    if (!kept) cli_exit(figures_not_kept(m, start, args->start));
    return start;
}

/* State of the command. */
typedef struct plan_run {
    const plan_args *args;
    const char *path; /* of the model */
    vouch_model *model;
    vouch_policy *policy; /* owned; NULL: none */
    text restarts;        /* of --log-restarts */
    node_log nodes;       /* of --log-tree */
    prove proof;          /* of --proof and --prove */
    vouch_plan_options options;
} plan_run;

/* The options of the plan. */
static void set_options(plan_run *w)
{
    const plan_args *args = w->args;
    vouch_plan_options *o = &w->options;
    vouch_plan_options_init(o);
    o->method = (vouch_method)args->method;
    o->engine = (vouch_engine)args->engine;
    o->lookahead = args->lookahead;
    o->gap = args->gap;
    o->restarts = args->restarts;
    o->certify = args->certify;
    o->restart = args->log_restarts ? plan_log_restart : NULL;
    o->restart_context = &w->restarts;
    o->least_total_regret = args->tie_break == TIE_TOTAL;
    o->tie_break_work = args->tie_break_work;
    o->threads = args->common.threads;
    o->workers = spread_workers(&args->spread);
    o->window = args->window;
    o->grain = args->grain;
    o->seed = args->common.seed;
    o->limits = cli_limits(&args->common);
    o->limits.nodes = args->nodes;
    o->log = report_log();
    o->progress = plan_report;
    o->on_node = args->log_tree ? plan_log_node : NULL;
    o->on_node_context = &w->nodes;
    w->nodes.m = w->model;
    parts_check(o->without = args->without);
    objective_set(&args->objective, w->model, o);
    if (args->proof || args->prove) cli_check(prove_start(&w->proof, &args->model, w->path, args->proof, o));
    w->proof.within = args->model.within;
    o->start = load_start(args, w->model);
}

/* The journal; its mark has the model and all options that change its answers. */
static void open_journal(plan_run *w)
{
    const plan_args *args = w->args;
    fingerprint f = fingerprint_start();
    char mark[FINGERPRINT];
    if (!args->spread.journal && !args->spread.resume) return;
    const double numbers[] = {args->method, args->engine,    args->lookahead,
                              args->gap,    args->tie_break, (double)args->tie_break_work,
                              args->window, args->grain,     args->proof || args->prove};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) fingerprint_add_number(&f, numbers[i]);
    fingerprint_add(&f, vouch_objective_text(w->options.objective));
    fingerprint_add(&f, args->objective.weights);
    fingerprint_add(&f, args->without);
    fingerprint_add(&f, args->start);
    spread_mark(&f, &args->common, &args->model, w->path);
    fingerprint_text(&f, mark);
    w->options.journal = spread_open(&args->spread, mark);
}

/* On a terminal: prints two commands to continue with. */
static void print_next(const plan_run *w, vouch_plan_outcome outcome, bool has_policy)
{
    const plan_args *args = w->args;
    text model = {0}, objective = {0}, output = {0};
    char of_class[64];
    if (args->common.json || args->common.quiet || spread_asked(&args->spread) || !isatty(STDOUT_FILENO)) return;
    model_words(&args->model, w->path, &model);
    snprintf(of_class, sizeof of_class, " -L %d --method %s", args->lookahead, about(args)->word);
    objective_words(&args->objective, &objective);
    if (args->output && strcmp(args->output, "-") != 0) text_add_quoted(&output, args->output);
    const char *aim = objective.data ? objective.data : "";
    bool failed = model.failed || objective.failed || output.failed;
    if (!failed && outcome == VOUCH_PLAN_INFEASIBLE)
        plan_print_ways_out(model.data, of_class, aim, w->model, args->method == VOUCH_METHOD_HISTORY);
    else if (!failed && has_policy)
        plan_print_next(model.data, of_class, aim, output.data);
    text_free(&model);
    text_free(&objective);
    text_free(&output);
}

/* Why a result without claims has no proof. */
static const char *unproved(const vouch_plan_result *r, bool search)
{
    if (r->has_policy) return search ? "nothing was shown" : "the policy does not keep its promises";
    return "no policy was found, and infeasibility was not proved";
}

/* Prints the answer and the verdict on its proof. Returns the exit status. */
static int show_answer(plan_run *w, const vouch_plan_result *result, bool written)
{
    const plan_args *args = w->args;
    bool search = about(args)->proves, asked = written && (args->proof || args->prove), json = args->common.json;
    int code = exit_status(result->outcome, search);
    text more = {0};
    if (!json) plan_print(w->model, w->policy, search, !spread_asked(&args->spread));
    if (asked) {
        prove_tell_less(&w->proof, result, search);
        prove_check(&w->proof, &args->model, args->check_work);
        code = prove_tell(&w->proof, args->prove, json, code);
        prove_json(&w->proof, &more);
    }
    if (json) figures_print_json(w->model, w->policy, -1, spread_asked(&args->spread), &more);
    text_free(&more);
    return code;
}

/* Shows and writes the policy; the exit status. A failed write does not suppress the answer. */
static int show_policy(plan_run *w, deadline *limit)
{
    const plan_args *args = w->args;
    vouch_plan_result result;
    vouch_status written = VOUCH_OK;
    if (args->output) written = vouch_policy_write(w->policy, w->model, args->output, &cli_error);
    bool lost = written != VOUCH_OK;
    if (!written && args->log_restarts) written = text_write(&w->restarts, args->log_restarts, &cli_error);
    vouch_policy_get_result(w->policy, &result);
    if (!written && (args->proof || args->prove))
        written = prove_end(&w->proof, w->model, &result, unproved(&result, about(args)->proves), &cli_error);
    if (!written && args->log_tree) written = text_write(&w->nodes.out, args->log_tree, &cli_error);
    int code = show_answer(w, &result, !written);
    if (result.outcome == VOUCH_PLAN_INFEASIBLE && !args->common.json) {
        if (w->options.limits.seconds <= 0) limit->limits.seconds = clock_seconds() - limit->start + EXPLAIN_SECONDS;
        putchar('\n');
        (void)explain_print(w->model, -1, &w->options, limit, false, NULL);
    }
    if (lost && !args->common.json) {
        vouch_error again;
        (void)vouch_policy_write(w->policy, w->model, "-", &again);
    }
    print_next(w, result.outcome, result.has_policy);
    return written ? cli_failed(&cli_error) : code;
}

/* ---- several policies ---- */

double group_least_kept(const vouch_group *g)
{
    vouch_plan_result r;
    double least = 1;
    vouch_policy_get_result(g->policy, &r);
    for (int i = 0; i < g->environments; i++)
        least = fmin(least, r.figures[g->whole ? g->environment[i] : i].commitment_probability);
    return least;
}

static void print_table(const vouch_model *m, const vouch_groups *groups)
{
    vouch_groups_result r;
    vouch_groups_get_result(groups, &r);
    static const char *const headers[] = {"policy", "<environments", "<in common", "regret", "bound", "least kept", NULL};
    table *t = table_new(headers);
    for (int i = 0; i < r.groups; i++) {
        vouch_group g;
        text members = {0}, common = {0};
        vouch_groups_get(groups, i, &g);
        for (int j = 0; j < g.environments; j++)
            text_add(&members, "%s%s", j ? " " : "", cli_shown(vouch_model_environment_name(m, g.environment[j])));
        group_common_add(m, g.environment, g.environments, &common);
        table_cell(t, "%d", i);
        table_cell(t, "%s", cli_string(&members));
        table_cell(t, "%s", common.data ? cli_shown(common.data) : "-");
        table_number(t, g.max_regret);
        table_number(t, g.bound);
        table_number(t, group_least_kept(&g));
        text_free(&common);
    }
    table_print(t, stdout);
}

static void print_plain(const vouch_model *m, const vouch_plan_options *o, const vouch_groups *groups, int policies)
{
    vouch_groups_result r;
    vouch_groups_get_result(groups, &r);
    figures_print_plan_class(m, o);
    figures_print_model(m);
    if (r.groups) {
        print_table(m, groups);
        printf("maximum regret  %.10g", table_shown(r.max_regret));
        print_bound(r.outcome, true, r.bound);
        putchar('\n');
    } else if (r.outcome == VOUCH_PLAN_INFEASIBLE) {
        printf("%s: no %d policies keep the promises\n", cli_verdict(-1, "infeasible (proved)"), policies);
    } else {
        printf("a limit was reached before policies were found; bound on the maximum regret %.10g\n", table_shown(r.bound));
    }
    printf("%lld sets of environments planned for, nodes %lld, iterations %lld, %.2f s\n", r.subsets, r.nodes, r.iterations,
           r.seconds);
}

/* more: further fields. */
static void print_json(const vouch_model *m, const vouch_groups *groups, const plan_args *args, const text *more)
{
    vouch_groups_result r;
    text t = {0};
    vouch_groups_get_result(groups, &r);
    js_add(&t,
           "{ \"status\": \"%s\", \"policies\": %d, \"promises\": \"%s\", \"max_regret\": %g, \"bound\": %g, \"subsets\": %lld, "
           "\"nodes\": %lld, \"iterations\": %lld, \"seconds\": %g, \"sense\": \"%s\",\n  \"groups\": ",
           vouch_plan_outcome_text(r.outcome), args->policies, args->promises == VOUCH_PROMISES_OWN ? "own" : "all", r.max_regret,
           r.bound, r.subsets, r.nodes, r.iterations, r.seconds, vouch_sense_text(vouch_model_sense(m)));
    group_list_add(groups, m, &t);
    text_add(&t, "%s }\n", more->data ? more->data : "");
    cli_print(&t);
}

/* Passes on the lines of a proof, and notes claims about all groups; parts have their own claims. */
typedef struct group_claims {
    const vouch_plan_options *to;
    bool any;
} group_claims;

static void hand_on(void *context, const char *more)
{
    group_claims *c = context;
    c->any |= strncmp(more, "claim ", strlen("claim ")) == 0;
    c->to->proof(c->to->proof_context, more);
}

/* Ends the proof and has it checked. */
static vouch_status end_proof(plan_run *w, const vouch_groups_result *r, bool claimed, vouch_error *error)
{
    const vouch_plan_result result = {.iterations = r->iterations, .nodes = r->nodes};
    if (!claimed) w->proof.claims = 0;
    vouch_status status = prove_end(&w->proof, w->model, &result, "nothing was proved about the groups", error);
    if (!status) prove_check(&w->proof, &w->args->model, w->args->check_work);
    return status;
}

static void free_groups(void *groups) { vouch_groups_free(groups); }

/* Plans, prints and writes; the exit status. */
static int plan_groups(plan_run *w)
{
    const plan_args *args = w->args;
    vouch_groups *groups;
    vouch_groups_result r;
    vouch_plan_options o = w->options;
    group_claims claims = {&w->options, false};
    vouch_group_promises promises = (vouch_group_promises)args->promises;
    bool json = args->common.json, asked = args->proof || args->prove;
    if (asked) o.proof = hand_on, o.proof_context = &claims;
    vouch_status status = vouch_plan_groups(&groups, w->model, &o, args->policies, promises, &cli_error);
    report_clear();
    cli_try(status);
    cli_own(free_groups, groups);
    vouch_groups_get_result(groups, &r);
    int code = exit_status(r.outcome, about(args)->proves), failed = 0;
    text *more = cli_text();
    if (!json) print_plain(w->model, &w->options, groups, args->policies);
    if (asked && end_proof(w, &r, claims.any, &cli_error)) failed = cli_failed(&cli_error);
    if (asked && !failed) code = prove_tell(&w->proof, args->prove, json, code);
    if (asked && json) prove_json(&w->proof, more);
    if (json) print_json(w->model, groups, args, more);
    if (args->output && r.groups) cli_try(group_file_write(groups, w->model, promises, args->output, &cli_error));
    return failed ? failed : code;
}

/* --max-commitment, and a proof that no larger probability can be kept. */
static int plan_largest(plan_run *w, int promise, deadline *limit)
{
    const plan_args *args = w->args;
    vouch_plan_options o = w->options;
    double bound;
    char number[32];
    const bool asked = args->proof || args->prove;
    o.proof = NULL;
    if (asked) cli_check(prove_refuse_largest(w->model));
    int code = explain_print(w->model, promise, &o, limit, args->common.json, &bound);
    if (!asked || code == CLI_WRONG) return code;
    o.proof = w->options.proof;
    o.limits = deadline_left(limit);
    if (code != CLI_SOLVED)
        prove_none(&w->proof, "the largest probability is unknown");
    else
        cli_check(prove_largest(&w->proof, w->model, &o, bound));
    prove_check(&w->proof, &args->model, args->check_work);
    if (w->proof.outcome == PROVE_VERIFIED)
        fprintf(stderr, "proof: no policy of this class keeps p = %s\n", text_number(w->proof.p, number));
    return prove_tell(&w->proof, args->prove, args->common.json, code);
}

/* Reports a failed plan. A requested proof is then missing, and an older file is removed, unless the input is wrong. Returns the
 * exit status. */
static int tell_failure(plan_run *w, const vouch_error *error)
{
    int code = cli_failed(error);
    if (code == CLI_WRONG || (!w->args->proof && !w->args->prove)) return code;
    prove_none(&w->proof, "there is no plan");
    return prove_tell(&w->proof, w->args->prove, true, code);
}

static int plan(plan_run *w)
{
    const plan_args *args = w->args;
    vouch_error error = {0};
    set_options(w);
    open_journal(w);
    deadline limit = deadline_start(&w->options.limits);
    int promise = -1;
    if (args->frontier) promise = model_promise(w->model, "frontier", args->frontier, true);
    if (args->max_commitment) promise = model_promise(w->model, "max-commitment", args->max_commitment, false);
    if (cli_given("policies")) return plan_groups(w);
    if (group_is_worker() && (args->frontier || args->max_commitment)) return CLI_SOLVED;
    if (args->frontier)
        return frontier_print(w->model, &w->options, &limit, &(frontier_range){promise, args->points}, args->common.json,
                              args->plot);
    if (args->max_commitment) return plan_largest(w, promise, &limit);
    vouch_trace *trace = w->options.trace =
        summary_trace(args->stats, spread_asked(&args->spread) ? HAPPENED_SHARED : args->common.threads);
    vouch_status status = vouch_plan(&w->policy, w->model, &w->options, &error);
    report_clear();
    w->options.trace = NULL;
    if (group_is_worker()) {
        vouch_trace_free(trace);
        return CLI_SOLVED;
    }
    if (!status) {
        vouch_plan_result result;
        vouch_policy_get_result(w->policy, &result);
        summary_plan(trace, args->stats, (vouch_method)args->method, &result);
    } else {
        vouch_trace_free(trace);
    }
    return status ? tell_failure(w, &error) : show_policy(w, &limit);
}

/* Refuses options without effect. Accepted always: -L, --gap and --tie-break, as a method may give more; limits; and --engine,
 * which stays when --method changes. */
static void refuse_idle_options(const plan_args *args)
{
    bool milp = args->method == VOUCH_METHOD_MILP_CCL, exact = args->method == VOUCH_METHOD_EXACT_CCL;
    bool plans = !args->frontier && !args->max_commitment, search = milp && args->engine != VOUCH_ENGINE_LP;
    static const char no_other[] = "a plan; --frontier and --max-commitment make none",
                      no_search[] = "--method milp-ccl and its search of policies";
    const bool one = !cli_given("policies"), several = plans && !one;
    const bool program = args->engine == VOUCH_ENGINE_LP && (milp || args->method == VOUCH_METHOD_HISTORY);
    static const char of_one[] = "one plan; --policies makes several",
                      no_lines[] = "the search of policies; --engine lp proves nothing";
    const char *unproved = program ? no_lines : "a plan or --max-commitment; --frontier makes neither";
    const cli_need needs[] = {
        {"policies", plans, no_other},
        {"promises", several, "--policies"},
        {"objective|start|workers|journal|resume|log-tree|log-restarts|stats", one, of_one},
        {"plot|points", args->frontier != NULL, "--frontier"},
        {"objective|weights|output|start|workers|journal|resume|log-tree|log-restarts|stats", plans, no_other},
        {"max-commitment", !args->frontier, "beside --frontier: leave one of them out"},
        {"proof|prove", !args->frontier && !program, unproved},
        {"check-limit", args->proof || args->prove, "--proof or --prove"},
        {"certify|restarts|log-restarts", exact, "--method exact-ccl"},
        {"workers|journal|resume|window|grain|log-tree", search, no_search},
        {"without", search || exact, "--method milp-ccl and its search of policies, or --method exact-ccl"}};
    cli_refuse_idle(needs, sizeof needs / sizeof *needs);
}

/* Refuses what does not keep promises under the error of the model. */
static void refuse_beside_error(const plan_args *args)
{
    static const char *const refused[] = {"log-tree", "workers", "journal", "resume", "engine"};
    if (args->method != VOUCH_METHOD_MILP_CCL)
        cli_die("--method %s keeps no promises under the error of probabilities; milp-ccl does", about(args)->word);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (cli_given(refused[i])) cli_die("--%s is not for promises that are kept under the error of probabilities", refused[i]);
    if (spread_asked(&args->spread)) cli_die("promises under the error of probabilities are planned for by one process");
}

static void free_run(void *object)
{
    plan_run *w = object;
    text_free(&w->restarts);
    text_free(&w->nodes.out);
    prove_free(&w->proof);
    vouch_policy_free(w->policy);
}

static int run(void *arguments, char **operand)
{
    const plan_args *args = arguments;
    if (args->parts) return parts_print(args->common.json);
    if (!operand[0]) cli_die("something is missing: expected MODEL; see vouch plan --help");
    refuse_idle_options(args);
    plan_run *w = CLI_NEW(plan_run, 1);
    w->args = args;
    w->path = operand[0];
    model_args reading = args->model;
    reading.unrewarded = args->max_commitment != NULL;
    w->model = load_model(&reading, w->path);
    if (vouch_model_has_error(w->model)) refuse_beside_error(args);
    cli_own(free_run, w);
    return plan(w);
}

const cli_command cli_plan = {
    .name = "plan",
    .operands = "MODEL",
    .more_operands = 1,
    .summary = "compute a policy that keeps the commitment with least maximum regret",
    .text = "Finds a policy that keeps the model's commitment in every environment with the least maximum regret. All figures are "
            "computed from the finished policy by propagation through each environment.\n\n"
            "Long searches of milp-ccl share their nodes among --threads or --workers. Output is byte-identical for any number of "
            "threads or workers, even if workers die or a journalled run is stopped and resumed. Times are therefore omitted.",
    .examples = "vouch plan maze.json -L 3 -o policy.json\n"
                "vouch plan maze.json -L 1 --method exact-ccl --certify\n"
                "vouch plan maze.json -L 2 --workers 4 --journal maze.journal\n"
                "vouch plan maze.json --max-commitment\n"
                "vouch plan maze.json --frontier --plot frontier.svg\n"
                "vouch plan ferry.prism --const current=0:2 --commit port -T 8 -p 0.9\n",
    .options = options,
    .size = sizeof(plan_args),
    .run = run,
};
