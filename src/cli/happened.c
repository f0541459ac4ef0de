/* cli/happened.c - see happened.h. */
#include "cli/happened.h"

#include <math.h>
#include <stdio.h>

#include "base/trace.h"
#include "cli/report.h"

/* Shares of the time that are worth a word, and in which something in vain was dear. */
static const double WORTH_A_WORD = 0.05, DEAR = 0.2;
static const long long MANY_NODES = 1000;

static bool spoken(void) { return report_log().level >= VOUCH_LOG_INFO; }

vouch_trace *happened_trace(int stats, int threads)
{
    vouch_trace *trace = NULL;
    if (stats || (spoken() && threads <= 1)) (void)vouch_trace_new(&trace, 0);
    return trace;
}

static double all_seconds(const vouch_trace *t)
{
    double sum = 0;
    for (int k = 0; k < KERNELS; k++)
        if (k != KERNEL_branching) sum += t->seconds[k]; /* which is made of inductions and master programs */
    return sum;
}

/* Kernels by their share of the time, the largest first. */
static void print_times(const vouch_trace *t)
{
    static const char *const words[KERNELS] = {
        [KERNEL_space] = "policy nodes and classes", [KERNEL_induction] = "backward inductions",
        [KERNEL_master] = "master programs",         [KERNEL_probe] = "bounds of children",
        [KERNEL_fixing] = "options given up",        [KERNEL_pairs] = "pairs",
        [KERNEL_local_search] = "local search",      [KERNEL_factor] = "factorising",
        [KERNEL_update] = "updates of the factors",  [KERNEL_ftran] = "solves for columns",
        [KERNEL_btran] = "solves for rows",          [KERNEL_price] = "pivot rows",
        [KERNEL_relaxation] = "relaxations",         [KERNEL_cuts] = "cuts",
        [KERNEL_heuristics] = "heuristics"};
    double all = all_seconds(t), below = INFINITY;
    fprintf(stderr, "time: %.3f s in what is timed", all);
    for (;;) {
        int next = -1;
        for (int k = 0; k < KERNELS; k++)
            if (words[k] && t->seconds[k] < below && (next < 0 || t->seconds[k] > t->seconds[next])) next = k;
        if (next < 0 || !(t->seconds[next] > WORTH_A_WORD * all)) break;
        below = t->seconds[next];
        fprintf(stderr, ", %s %.0f %% (%lld)", words[next], 100 * below / all, t->calls[next]);
    }
    fprintf(stderr, "\n");
}

static void print_stats(const vouch_trace *t, int stats)
{
    char text[8192];
    if (!stats) return;
    (void)vouch_trace_counters(t, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}

static const char *plan_hint(const vouch_trace *t, const vouch_plan_result *r)
{
    const long long *n = t->tally;
    bool coins = false;
    for (int k = 0; k < r->environments && r->regret_of_determinism; k++) coins = coins || r->regret_of_determinism[k] > 0;
    if (r->outcome == VOUCH_PLAN_INFEASIBLE) return "--max-commitment says how much can be promised, and who is in the way of more";
    if (r->outcome == VOUCH_PLAN_FEASIBLE) return "a smaller -L has fewer places to decide; --gap says how near is near enough";
    if (n[TALLY_pairs_asked] > 0 && n[TALLY_pairs_led] == 0 && t->seconds[KERNEL_pairs] > DEAR * all_seconds(t))
        return "pairs never led and took much of the time: --without pairs does without them";
    if (coins) return "part of the regret is owed to having no coins: --method exact-ccl may toss them";
    if (r->nodes > MANY_NODES) return "--threads N searches in parallel, with the same answer";
    return "vouch watch shows each of these nodes";
}

void happened_plan(vouch_trace *t, int stats, const vouch_plan_result *r)
{
    if (!t) return;
    report_clear();
    const long long *n = t->tally;
    if (spoken()) {
        fprintf(stderr,
                "what happened: %lld nodes: %lld divided; %lld ended by the bound of mixtures, %lld by that of pairs, %lld by the "
                "bound they were "
                "made with; %lld without a policy that keeps the promise, %lld with one policy left, %lld unfinished\n",
                r->nodes, n[TALLY_divided], n[TALLY_by_bound], n[TALLY_by_pairs], n[TALLY_unseen], n[TALLY_empty], n[TALLY_solved],
                n[TALLY_unfinished]);
        fprintf(stderr,
                "bounds: mixtures were asked at %lld nodes, pairs at %lld, of which they led at %lld and were in vain at %lld; "
                "%lld options were given "
                "up in whole subtrees\n",
                n[TALLY_mixtures_asked], n[TALLY_pairs_asked], n[TALLY_pairs_led], n[TALLY_pairs_asked] - n[TALLY_pairs_led],
                n[TALLY_given_up]);
        print_times(t);
        fprintf(stderr, "hint: %s\n", plan_hint(t, r));
    }
    print_stats(t, stats);
    vouch_trace_free(t);
}

static const char *program_hint(const vouch_trace *t, int mip)
{
    const long long *n = t->tally;
    long long pivots = n[TALLY_primal_pivots] + n[TALLY_dual_pivots];
    if (mip && t->seconds[KERNEL_heuristics] > 0.5 * all_seconds(t))
        return "heuristics took most of the time: --no-heuristics does without them";
    if (!mip && pivots == 0) return "presolve or the starting basis settled it: --nopresol solves the whole";
    if (!mip && 2 * n[TALLY_degenerate] > pivots)
        return n[TALLY_dual_pivots] > n[TALLY_primal_pivots] ? "most pivots moved nothing: --primal may find a shorter way"
                                                             : "most pivots moved nothing: --dual may find a shorter way";
    return mip ? "vouch watch shows each of these nodes" : "vouch watch shows each of these pivots";
}

void happened_program(vouch_trace *t, int stats, int mip)
{
    if (!t) return;
    report_clear();
    const long long *n = t->tally;
    if (spoken() && mip)
        fprintf(stderr,
                "what happened: %lld nodes divided, %lld ended by their bound, %lld infeasible, %lld at an integer point, %lld "
                "unfinished; %lld cuts "
                "became rows at the root\n",
                n[TALLY_divided], n[TALLY_by_bound], n[TALLY_empty], n[TALLY_solved], n[TALLY_unfinished], n[TALLY_cut_rows]);
    else if (spoken())
        fprintf(stderr,
                "what happened: %lld pivots of the dual, %lld of the primal, %lld of them in search of a start; %lld moved nothing "
                "(degenerate); the basis "
                "was factorised %lld times and updated %lld times\n",
                n[TALLY_dual_pivots], n[TALLY_primal_pivots], n[TALLY_phase_one], n[TALLY_degenerate], t->calls[KERNEL_factor],
                t->calls[KERNEL_update]);
    if (spoken()) {
        print_times(t);
        fprintf(stderr, "hint: %s\n", program_hint(t, mip));
    }
    print_stats(t, stats);
    vouch_trace_free(t);
}
