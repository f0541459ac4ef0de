/* cli/run_summary.c - summary of a solve for -v, and counters for --stats. */
#include "base/trace.h"
#include "cli/cli.h"

/* Shares of the time above which a kernel is mentioned, and above which useless work is. */
static const double WORTH_A_WORD = 0.05, DEAR = 0.2;
static const long long MANY_NODES = 1000, MANY_PLANS = 20;
static const double LONG = 1; /* seconds worth saving */

static bool spoken(void) { return report_log().level >= VOUCH_LOG_INFO; }

vouch_trace *summary_trace(int stats, int threads)
{
    vouch_trace *trace = NULL;
    if (stats || (spoken() && threads <= 1)) (void)vouch_trace_new(&trace, 0);
    return trace;
}

/* Kernels that do not run inside another one of the list. */
typedef struct kernel_words {
    trace_kernel kernel;
    const char *words;
} kernel_words;
static const kernel_words OF_PLANS[] = {{KERNEL_space, "policy nodes and classes"},
                                        {KERNEL_induction, "backward inductions"},
                                        {KERNEL_master, "master programs"},
                                        {KERNEL_probe, "bounds of children"},
                                        {KERNEL_fixing, "fixing"},
                                        {KERNEL_pairs, "pairs"},
                                        {KERNEL_local_search, "local search"},
                                        {KERNEL_descent, "descents"},
                                        {KERNEL_boxes, "boxes"},
                                        {KERNEL_strong_branching, "trials of divisions"},
                                        {KERNEL_program, "linear and integer programs"}};
static const kernel_words OF_LPS[] = {
    {KERNEL_presolve, "presolve"},        {KERNEL_factor, "factorising"},    {KERNEL_update, "updates of the factors"},
    {KERNEL_ftran, "solves for columns"}, {KERNEL_btran, "solves for rows"}, {KERNEL_price, "pivot rows"},
    {KERNEL_ratio, "ratio tests"},        {KERNEL_judge, "certificates"}};
static const kernel_words OF_MIPS[] = {{KERNEL_presolve, "presolve"},
                                       {KERNEL_relaxation, "relaxations"},
                                       {KERNEL_cuts, "separation of cuts"},
                                       {KERNEL_strong_branching, "trials of branchings"},
                                       {KERNEL_heuristics, "heuristics"}};
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* Shares of all seconds, largest first. */
static void print_times(const vouch_trace *t, const kernel_words list[], int count, double seconds)
{
    double below = INFINITY;
    const char *comma = ":";
    fprintf(stderr, "time: %.3f s", seconds);
    for (;;) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (t->seconds[list[i].kernel] < below && (next < 0 || t->seconds[list[i].kernel] > t->seconds[list[next].kernel]))
                next = i;
        if (next < 0 || !(t->seconds[list[next].kernel] > WORTH_A_WORD * seconds)) break;
        below = t->seconds[list[next].kernel];
        fprintf(stderr, "%s %s %.0f %% (%lld)", comma, list[next].words, 100 * below / seconds, t->calls[list[next].kernel]);
        comma = ",";
    }
    fprintf(stderr, "\n");
}

/* A list of nonzero counts: "3 divided, 2 ended by their bound". */
typedef struct counted {
    long long count;
    const char *words;
} counted;

static void print_counted(const counted list[], int count)
{
    const char *comma = "";
    for (int i = 0; i < count; i++) {
        if (list[i].count == 0) continue;
        fprintf(stderr, "%s%lld %s", comma, list[i].count, list[i].words);
        comma = ", ";
    }
}

static const char *plural(long long count) { return count == 1 ? "" : "s"; }

/* Prints the counters for --stats, and frees the trace. */
static void end_trace(vouch_trace *t, int stats)
{
    char line[8192];
    if (stats) (void)vouch_trace_counters(t, line, sizeof line);
    if (stats) fprintf(stderr, "%s\n", line);
    vouch_trace_free(t);
}

static const char *plan_hint(const vouch_trace *t, vouch_method method, const vouch_plan_result *r)
{
    const long long *n = t->tally;
    bool coins = false;
    for (int k = 0; k < r->environments && r->regret_of_determinism; k++) coins = coins || r->regret_of_determinism[k] > 0;
    if (r->outcome == VOUCH_PLAN_INFEASIBLE)
        return "--max-commitment computes the largest possible promise and the environments that limit it";
    if (!vouch_method_describe(method)->proves) return "--method milp-ccl searches for the best deterministic policy, with a bound";
    if (r->outcome != VOUCH_PLAN_OPTIMAL && method == VOUCH_METHOD_EXACT_CCL)
        return "--certify continues until the bound is proved; --gap sets the accepted gap";
    if (r->outcome != VOUCH_PLAN_OPTIMAL)
        return "use a smaller -L (fewer decisions), a larger --gap, or more time, nodes or memory";
    if (n[TALLY_pairs_asked] > 0 && n[TALLY_pairs_led] == 0 && t->seconds[KERNEL_pairs] > DEAR * r->seconds)
        return "pairs never gave the larger bound and took much of the time: --without pareto switches them off";
    if (coins) return "part of the regret is the price of determinism: --method exact-ccl randomises";
    if (r->nodes > MANY_NODES && r->seconds > LONG) return "--threads N searches in parallel, with the same answer";
    return "vouch watch shows each step on a page";
}

/* How nodes ended, and which bound closed most of them. */
static void print_nodes(const vouch_trace *t, const char *what)
{
    const long long *n = t->tally;
    const counted ends[] = {{n[TALLY_divided], "divided"},
                            {n[TALLY_by_bound], "ended by the bound of mixtures"},
                            {n[TALLY_by_pairs], "ended by the bound of pairs"},
                            {n[TALLY_unseen], "ended by their inherited bound"},
                            {n[TALLY_empty], "without a policy that keeps the promise"},
                            {n[TALLY_solved], "with one policy left"},
                            {n[TALLY_unfinished], "unfinished"}};
    long long most = 0, nodes = 0;
    const char *closed = NULL;
    for (int i = 0; i < COUNT(ends); i++) nodes += ends[i].count;
    for (int i = 1; i <= 3; i++)
        if (ends[i].count > most) most = ends[i].count, closed = ends[i].words;
    fprintf(stderr, "%lld %s%s: ", nodes, what, plural(nodes));
    print_counted(ends, COUNT(ends));
    if (closed) fprintf(stderr, "; most nodes closed by a bound %s", closed);
}

/* Evaluated bounds and their success. */
static void print_bounds(const vouch_trace *t)
{
    const long long *n = t->tally;
    long long asked = n[TALLY_pairs_asked], led = n[TALLY_pairs_led];
    fprintf(stderr, "bounds: mixtures at %lld node%s", n[TALLY_mixtures_asked], plural(n[TALLY_mixtures_asked]));
    if (asked)
        fprintf(stderr, ", pairs at %lld (the larger bound at %lld, not at %lld)", asked, led, asked - led);
    else
        fprintf(stderr, ", pairs at none");
    if (n[TALLY_given_up]) fprintf(stderr, "; %lld options fixed in whole subtrees", n[TALLY_given_up]);
    fprintf(stderr, "\n");
}

/* Summarises one or several searches of this method. */
static void print_search(const vouch_trace *t, vouch_method method)
{
    const long long *n = t->tally;
    if (method == VOUCH_METHOD_EXACT_CCL) {
        fprintf(stderr, "%lld backward inductions of history-dependent policies, %lld descents of local search",
                t->calls[KERNEL_induction], t->calls[KERNEL_descent]);
        if (t->calls[KERNEL_boxes]) {
            fprintf(stderr, "; ");
            print_nodes(t, "boxes and node");
        }
        fprintf(stderr, "\n");
    } else if (t->calls[KERNEL_program]) {
        fprintf(stderr, "it was solved as an integer program: %lld relaxations, %lld cuts, %lld infeasible parts\n",
                t->calls[KERNEL_relaxation], n[TALLY_cut_rows], n[TALLY_empty]);
    } else {
        print_nodes(t, "node");
        fprintf(stderr, "\n");
        print_bounds(t);
    }
}

static void print_plan(const vouch_trace *t, vouch_method method, const vouch_plan_result *r)
{
    fprintf(stderr, "what happened: ");
    if (r->nodes == 0 && r->outcome == VOUCH_PLAN_INFEASIBLE) {
        fprintf(stderr, "no search was needed: in one environment no policy keeps the promise\n");
    } else if (method == VOUCH_METHOD_MILP_CCL && !t->calls[KERNEL_program] && r->nodes > 0 && trace_nodes(t) == 0) {
        fprintf(stderr, "policies were searched stage by stage: %lld nodes, %lld nodes of histories\n", r->nodes, r->iterations);
    } else if (r->outcome == VOUCH_PLAN_LIMIT && r->nodes == 0) {
        fprintf(stderr, "a limit was reached before a search began\n");
    } else if (method == VOUCH_METHOD_HISTORY) {
        fprintf(stderr, "column generation took %lld backward inductions and %lld master programs%s\n", t->calls[KERNEL_induction],
                t->calls[KERNEL_master],
                r->outcome == VOUCH_PLAN_OPTIMAL      ? ", until mixture and bound met"
                : r->outcome == VOUCH_PLAN_INFEASIBLE ? ", until the multipliers of the promises proved infeasibility"
                                                      : "");
    } else if (vouch_method_describe(method)->proves) {
        bool policies = method == VOUCH_METHOD_MILP_CCL && !t->calls[KERNEL_program];
        if (policies && r->nodes > trace_nodes(t))
            fprintf(stderr, "%lld nodes were searched stage by stage, then ", r->nodes - trace_nodes(t));
        print_search(t, method);
    } else {
        fprintf(stderr, "a baseline was followed; nothing was searched\n");
    }
    print_times(t, OF_PLANS, COUNT(OF_PLANS), r->seconds);
    fprintf(stderr, "hint: %s\n", plan_hint(t, method, r));
}

static const char *ccil_hint(const vouch_trace *t, const vouch_ccil_result *r)
{
    long long nodes = trace_nodes(t);
    if (r->outcome == VOUCH_PLAN_INFEASIBLE)
        return "vouch plan --max-commitment computes the largest possible promise and the environments that limit it";
    if (!r->has_policy) return "no first plan was found: allow more time, nodes or memory; vouch plan shows the gap";
    if (r->missing) return "a larger --program-limit or --time-limit computes the missing plans; --episodes N samples them";
    if (r->unproved > r->kept_on) return "some plans were not proved optimal: allow more time or a larger --gap";
    if (2 * r->kept_on > r->programs) return "most plans were no better than the policy in force: a larger -L replans less often";
    if (r->seconds > LONG && (r->programs > MANY_PLANS || nodes > MANY_NODES))
        return "--threads N makes plans in parallel, with the same answer";
    return "vouch watch --ccil shows each of these plans on a page";
}

/* Time and nodes by time of planning. */
static void print_stages(const vouch_trace *t)
{
    double all = 0;
    for (int i = 0; i < t->stages; i++) all += t->stage[i].seconds;
    fprintf(stderr, "replanning");
    for (int i = 0; i < t->stages; i++) {
        const trace_stage *at = &t->stage[i];
        fprintf(stderr, "%s t = %d%s: %lld plan%s, %lld node%s, %.0f %%", i ? ";" : ":", at->time,
                i == TRACE_STAGES - 1 ? " and later" : "", at->plans, plural(at->plans), at->nodes, plural(at->nodes),
                all > 0 ? 100 * at->seconds / all : 0);
    }
    fprintf(stderr, " of the time for plans\n");
}

static void print_ccil(const vouch_trace *t, vouch_method method, const vouch_ccil_result *r)
{
    fprintf(stderr,
            "what happened: %lld plan%s made, %lld knowledge state%s reached again; %lld plans were no better than the policy in "
            "force\n",
            r->programs, r->programs == 1 ? " was" : "s were", r->reused, plural(r->reused), r->kept_on);
    print_stages(t);
    fprintf(stderr, "in all: ");
    print_search(t, method);
    print_times(t, OF_PLANS, COUNT(OF_PLANS), t->seconds[KERNEL_segments]);
    fprintf(stderr, "hint: %s\n", ccil_hint(t, r));
}

void summary_ccil(vouch_trace *t, int stats, vouch_method method, const vouch_ccil_result *r)
{
    if (!t) return;
    report_clear();
    if (spoken() && r) print_ccil(t, method, r);
    end_trace(t, stats);
}

void summary_plan(vouch_trace *t, int stats, vouch_method method, const vouch_plan_result *r)
{
    if (!t) return;
    report_clear();
    if (spoken()) print_plan(t, method, r);
    end_trace(t, stats);
}

static const char *program_hint(const vouch_trace *t, const solved_program *end)
{
    const long long *n = t->tally;
    long long pivots = n[TALLY_primal_pivots] + n[TALLY_dual_pivots];
    if (end->limited) return "a limit was reached: the solution found and the bound are valid";
    if (end->mip && t->seconds[KERNEL_heuristics] > 0.5 * end->seconds && end->seconds > LONG)
        return "heuristics took most of the time: --no-heuristics switches them off";
    if (!end->mip && pivots == 0) return "presolve or the starting basis solved it: --nopresol solves the whole program";
    if (!end->mip && 2 * n[TALLY_degenerate] > pivots && end->seconds > LONG)
        return n[TALLY_dual_pivots] > n[TALLY_primal_pivots]
                   ? "most pivots were degenerate: the primal simplex method (--primal) may need fewer"
                   : "most pivots were degenerate: the dual simplex method (--dual) may need fewer";
    return end->mip ? "vouch watch shows each of these nodes" : "vouch watch shows each of these pivots";
}

static void print_mip(const vouch_trace *t)
{
    const long long *n = t->tally;
    const counted ends[] = {{n[TALLY_divided], "divided"},
                            {n[TALLY_by_bound], "ended by the bound"},
                            {n[TALLY_empty], "without a better point"},
                            {n[TALLY_solved], "at an integer point"},
                            {n[TALLY_unfinished], "unfinished"}};
    long long all = 0;
    for (int i = 0; i < COUNT(ends); i++) all += ends[i].count;
    fprintf(stderr, "what happened: %lld node%s: ", all, plural(all));
    if (all == 0) fprintf(stderr, "presolve settled it");
    print_counted(ends, COUNT(ends));
    fprintf(stderr, "; %lld cut%s added at the root\n", n[TALLY_cut_rows], n[TALLY_cut_rows] == 1 ? " was" : "s were");
}

static void print_lp(const vouch_trace *t)
{
    const long long *n = t->tally;
    const counted pivots[] = {{n[TALLY_dual_pivots], "of the dual"}, {n[TALLY_primal_pivots], "of the primal"}};
    const counted kinds[] = {{n[TALLY_phase_one], "in search of a start"}, {n[TALLY_degenerate], "were degenerate"}};
    if (n[TALLY_dual_pivots] + n[TALLY_primal_pivots] == 0) {
        fprintf(stderr, "what happened: no pivot was needed\n");
        return;
    }
    fprintf(stderr, "what happened: pivots: ");
    print_counted(pivots, COUNT(pivots));
    if (kinds[0].count + kinds[1].count) fprintf(stderr, "; of them ");
    print_counted(kinds, COUNT(kinds));
    fprintf(stderr, "; the basis was factorised %lld time%s and updated %lld time%s\n", t->calls[KERNEL_factor],
            plural(t->calls[KERNEL_factor]), t->calls[KERNEL_update], plural(t->calls[KERNEL_update]));
}

void summary_program(vouch_trace *t, int stats, const solved_program *end)
{
    if (!t) return;
    report_clear();
    if (spoken()) {
        if (end->mip)
            print_mip(t);
        else
            print_lp(t);
        if (end->mip)
            print_times(t, OF_MIPS, COUNT(OF_MIPS), end->seconds);
        else
            print_times(t, OF_LPS, COUNT(OF_LPS), end->seconds);
        fprintf(stderr, "hint: %s\n", program_hint(t, end));
    }
    end_trace(t, stats);
}
