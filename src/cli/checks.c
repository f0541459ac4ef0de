/* cli/checks.c - what the paper observes and proves, in numbers; see experiments.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/experiments.h"
#include "cli/report.h"

/* Two figures of different policies closer than this are equal: gaps and tolerances of the planners. */
static const double EQUAL = 1e-4;
/* What is nearer to 0 is shown as 0. */
static const double ROUNDING = 1e-9;

/* From A one comes to B with 0.8 and to C with 0.2; B leads to D, C does not. Commitment: in D with 0.8, `steps` after `start`. */
static vouch_status make_branches(vouch_model **m, int start, int steps)
{
    enum { A, B, C, D, E, STATES };
    static const struct {
        int from, to;
        double probability;
    } moves[] = {{A, B, 0.8}, {A, C, 0.2}, {B, D, 1}, {C, E, 1}, {D, D, 1}, {E, E, 1}};
    vouch_status status = vouch_model_new(m, STATES, 1, 1, steps);
    if (!status) status = vouch_model_set_initial(*m, start);
    if (!status) status = vouch_model_set_commitment(*m, D, 1);
    if (!status) status = vouch_model_set_probability(*m, 0.8);
    for (size_t i = 0; i < sizeof moves / sizeof *moves && !status; i++)
        status = vouch_model_add(*m, 0, moves[i].from, 0, moves[i].to, moves[i].probability, 0);
    return status ? status : vouch_model_finish(*m, NULL, NULL);
}

static void check_replanning(session *s)
{
    enum { A = 0, C = 2 };
    vouch_model *m = NULL, *rest = NULL;
    vouch_error error = {0};
    double from_a, from_c;
    if (make_branches(&m, A, 2) || make_branches(&rest, C, 1) || vouch_explain_alone(m, &from_a, &error) ||
        vouch_explain_alone(rest, &from_c, &error)) {
        s->wrong = cli_wrong("out of memory");
    } else {
        paper_answer a = solve(s, m, &PAPER_MILP_CCIL, 1);
        double kept = a.figures[0].commitment_probability;
        report_check(s, fabs(from_a - 0.8) <= AGREES && from_c < 0.8 && fabs(kept - 0.8) <= AGREES,
                     "Replanning for the original commitment can be infeasible; for the remaining promise of the policy in force "
                     "it never is.",
                     "be in D at time 2 with 0.8: from A %.4g, from C at most %.4g; CCIL owes 0 there and keeps %.4g overall",
                     from_a, from_c, kept);
    }
    vouch_model_free(m);
    vouch_model_free(rest);
}

static void check_twin_states(session *s)
{
    vouch_model *m = NULL;
    if (vouch_generate_twin_states(&m, 7, NULL)) {
        s->wrong = cli_wrong("out of memory");
        return;
    }
    double at[5];
    static const int L[] = {0, 1, 2, 3, 7};
    for (int i = 0; i < 5; i++) at[i] = solve(s, m, &PAPER_MILP_CCL, L[i]).regret;
    report_check(s, at[0] >= at[1] && at[1] >= at[2] && at[2] >= at[3] && at[3] >= at[4],
                 "On Twin-States, whose transitions are deterministic, a larger L never raises the regret.",
                 "Twin-States, T = 7, L = 0, 1, 2, 3, 7: %g, %g, %g, %g, %g", at[0], at[1], at[2], at[3], at[4]);
    paper_answer again = solve(s, m, &PAPER_MILP_CCIL, 1), guarded = solve(s, m, &PAPER_GUARDED, 1),
                 untied = solve(s, m, &PAPER_UNTIED, 1);
    report_check(s, again.regret <= at[1] + AGREES, "Replanning lowers the regret of the first plan here.",
                 "Twin-States, T = 7, L = 1: MILP-CCL %g, MILP-CCIL %g (%g without the tie-break)", at[1], again.regret,
                 untied.regret);
    report_check(s, guarded.regret <= at[1] + AGREES, "Guarded replanning is never worse than the first plan.",
                 "Twin-States, T = 7, L = 1: MILP-CCL %g, guarded CCIL %g", at[1], guarded.regret);
    double history = solve(s, m, &PAPER_HISTORY, 7).regret;
    report_check(s, history <= fmin(again.regret, at[4]) + AGREES, "No method is below the history-optimal regret.",
                 "Twin-States, T = 7: history-optimal %.7g, MILP-CCL with L = T %g, MILP-CCIL %g", history, at[4], again.regret);
    vouch_model_free(m);
}

static void check_short(session *s)
{
    vouch_model *m = NULL;
    if (vouch_generate_twin_states(&m, 2, NULL)) {
        s->wrong = cli_wrong("out of memory");
        return;
    }
    double d0 = solve(s, m, &PAPER_MILP_CCL, 0).regret, d1 = solve(s, m, &PAPER_MILP_CCL, 1).regret,
           e0 = solve(s, m, &PAPER_EXACT_CCL, 0).regret, e1 = solve(s, m, &PAPER_EXACT_CCL, 1).regret;
    report_check(s, e0 < d0 && e1 < d1, "Stochastic policies can do better than every deterministic one.",
                 "Twin-States, T = 2: L = 0: %g against %g; L = 1: %.7g against %g", e0, d0, e1, d1);
    vouch_model_free(m);
}

static void check_lookahead(session *s)
{
    vouch_model *m = NULL;
    if (vouch_generate_lookahead(&m, NULL)) {
        s->wrong = cli_wrong("out of memory");
        return;
    }
    double one = solve(s, m, &PAPER_EXACT_CCL, 1).regret, two = solve(s, m, &PAPER_EXACT_CCL, 2).regret;
    report_check(s, one < two - EQUAL, "Theorem Lgeneral: with stochastic transitions a larger L can raise the regret.",
                 "exact CCL: L = 1: %.6g, L = 2: %.6g", one, two);
    vouch_model_free(m);
}

static void check_t_maze(session *s)
{
    vouch_model *m = NULL;
    if (paper_maze(&m, 10, NULL)) {
        s->wrong = cli_wrong("out of memory");
        return;
    }
    double half = 0, exact = solve(s, m, &PAPER_MILP_CCIL, 1).regret, drawn = sample(s, m, 1, &half);
    report_check(s, fabs(exact - drawn) <= 3 * half, "Simulated CCIL agrees with its exact evaluation.",
                 "Slippery T-Maze, L = 1: exact %.7g, simulated %.5g +- %.2g", exact, drawn, half);
    vouch_model_free(m);
}

void experiment_checks(session *s)
{
    static void (*const all[])(session *) = {check_replanning, check_short, check_twin_states, check_lookahead, check_t_maze};
    report_heading(s, "The paper's observations and theorems, in numbers");
    report_words(s, "This report numbers its checks itself; the paper numbers its observations and theorems differently.");
    for (size_t i = 0; i < sizeof all / sizeof *all && !s->wrong; i++) all[i](s);
    if (!s->wrong)
        report_check(s, s->broken == 0,
                     "Theorem CCIL: every policy keeps its commitment in every environment, with and without replanning.",
                     "of %lld policies and behaviours computed here, the least Pr(S_T in Phi | k) - p is %.3g", s->policies,
                     fabs(s->least_spare) < ROUNDING ? 0 : s->least_spare);
    if (!s->common->json) printf("\n");
}
