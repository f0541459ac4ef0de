/* cli/reproduce.c - vouch reproduce: the paper's tables, computed here beside what is printed there.
 *
 * Numbers of the paper: Zhang, Singh, Durfee, ICAPS 2017 (Twin-States table, proof of Theorem Lgeneral). The paper's T-Maze drawing is not
 * available; its reference column holds values found for the default maze of `vouch generate t-maze` by independent solvers.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"
#include "mdp/generate.h"

typedef struct reproduce_args {
    cli_common common;
    int engine;
} reproduce_args;

static const cli_option options[] = {
    {CLI_WORD, 0, "engine", "E", offsetof(reproduce_args, engine), "auto", .words = "auto|policy|lp",
     .help = "branch and bound on policies, or on the linear program"},
    {0},
};

/* A reproduced value agrees with its reference within this: both are rounded to six decimals or exact. */
static const double AGREES = 1e-6;

typedef struct session {
    const reproduce_args *args;
    deadline limit;
    int cells, agreeing, proved, wrong; /* cells with a reference; wrong: exit status of a failed call */
    bool first;                         /* JSON: no comma yet */
} session;

/* Maximum regret of one plan; NAN after a message. *optimal: proved. */
static double regret(session *s, const vouch_model *m, vouch_method method, int L, bool *optimal)
{
    vouch_plan_options o;
    vouch_policy *policy = NULL;
    vouch_error error = {0};
    vouch_plan_options_init(&o);
    o.method = method;
    o.engine = (vouch_engine)s->args->engine;
    o.lookahead = L;
    o.threads = s->args->common.threads;
    o.seed = s->args->common.seed;
    o.limits = deadline_left(&s->limit);
    o.log = report_log();
    *optimal = false;
    report_progress("%s, T = %d, L = %d", vouch_method_text(method), vouch_model_horizon(m), L);
    if (vouch_plan(m, &o, &policy, &error)) {
        s->wrong = cli_failed(&error);
        return NAN;
    }
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    double value = r.outcome == VOUCH_PLAN_OPTIMAL || r.outcome == VOUCH_PLAN_FEASIBLE ? r.max_regret : NAN;
    *optimal = r.outcome == VOUCH_PLAN_OPTIMAL;
    vouch_policy_free(policy);
    return value;
}

/* Counts a cell and prints it as JSON if asked for. reference NAN: the paper has none. */
static void record(session *s, const char *experiment, const char *method, int T, int L, double value, double reference, bool proved, bool heuristic)
{
    if (!isnan(reference)) {
        s->cells++;
        s->agreeing += fabs(value - reference) <= AGREES;
    }
    if (!proved && !heuristic) s->proved = 0;
    if (!s->args->common.json) return;
    printf("%s\n    { \"experiment\": \"%s\", \"method\": \"%s\", \"T\": %d, \"L\": %d, \"max_regret\": ", s->first ? "" : ",", experiment, method, T, L);
    if (isnan(value)) printf("null");
    else printf("%.17g", value);
    if (!isnan(reference)) printf(", \"reference\": %.17g", reference);
    printf(", \"proved\": %s }", proved ? "true" : "false");
    s->first = false;
}

/* "19", or "19 (paper 13)" where they differ. */
static void compared_cell(session *s, table *t, double value, double reference)
{
    if (s->args->common.json) return;
    if (isnan(value)) table_cell(t, "-");
    else if (isnan(reference) || fabs(value - reference) <= AGREES) table_cell(t, "%.7g", value);
    else table_cell(t, "%.7g (%.7g)", value, reference);
}

static void twin_states(session *s)
{
    enum { HORIZONS = 7 };
    static const int horizon[HORIZONS] = {2, 3, 5, 7, 9, 11, 13};
    typedef struct line {
        const char *label;
        vouch_method method;
        int L;
        bool heuristic;
        double paper[HORIZONS];
    } line;
    static const line lines[] = {
        {"Greedy", VOUCH_METHOD_GREEDY, -1, true, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
        {"MDPs-Best", VOUCH_METHOD_MDPS_BEST, 0, true, {NAN, 3, 7, 13, 19, 25, 31}},
        {"MILP-CCL, L = 0", VOUCH_METHOD_MILP_CCL, 0, false, {2, 3, 6, 10, 15, 19, 22}},
        {"MILP-CCL, L = 1", VOUCH_METHOD_MILP_CCL, 1, false, {1, 1, 3, 6, 8, 9, 11}},
        {"MILP-CCL, L = 2", VOUCH_METHOD_MILP_CCL, 2, false, {1, 1, 3, 6, 8, 9, 11}},
        {"MILP-CCL, L = 3", VOUCH_METHOD_MILP_CCL, 3, false, {NAN, 1, 3, 5, 5, 5, 5}},
        {"MILP-CCL, L = T", VOUCH_METHOD_MILP_CCL, -1, false, {1, 1, 3, 5, 5, 5, 5}},
        {"history-optimal", VOUCH_METHOD_HISTORY, -1, false, {6.0 / 7, 0.9, 2.5, 3.747191011, 3.988636364, 4.150273224, 4.266528926}},
    };
    static const double greedy_of_paper[HORIZONS] = {NAN, 5, 5, 9, 13, 17, 21};
    static const char *const headers[] = {"<maximum regret", "T = 2", "3", "5", "7", "9", "11", "13", NULL};
    table *t = s->args->common.json ? NULL : table_new(headers);
    if (t) printf("Twin-States: in A at time T for certain, K = 9\n\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines && !s->wrong; i++) {
        const line *l = &lines[i];
        if (t) table_cell(t, "%s", l->label);
        for (int h = 0; h < HORIZONS && !s->wrong; h++) {
            vouch_model *m = NULL;
            vouch_error error = {0};
            int L = l->L < 0 ? horizon[h] : l->L;
            bool optimal = false;
            double value = NAN;
            if (L <= horizon[h]) {
                if (generate_twin_states(&m, horizon[h], &error)) s->wrong = cli_failed(&error);
                else value = regret(s, m, l->method, L, &optimal);
                record(s, "twin-states", vouch_method_text(l->method), horizon[h], L, value, l->paper[h], optimal, l->heuristic);
            }
            compared_cell(s, t, value, l->paper[h]);
            vouch_model_free(m);
        }
        if (t && i == 0) {
            table_cell(t, "Greedy, as printed *");
            for (int h = 0; h < HORIZONS; h++) compared_cell(s, t, greedy_of_paper[h], NAN);
        }
    }
    if (!t) return;
    report_clear();
    if (table_print(t, stdout)) cli_wrong("out of memory");
    printf("\n* Greedy as the paper defines it gives our row; the paper's printed row is what one gets when the reward of the last\n"
           "  action is left out for Greedy alone. A value in parentheses is the paper's where ours differs.\n\n");
}

static void t_maze(session *s)
{
    static const double reference[] = {0.776128, 0.776128, 0.776128, 0.609728, 0.609728, 0.609728, 0.769728};
    static const char *const headers[] = {"<Slippery T-Maze 3,2,2,2", "maximum regret", "reference", "<", NULL};
    const maze_shape shape = {3, 2, 2, 2, 10, 0.6, 0.8};
    vouch_model *m = NULL;
    vouch_error error = {0};
    table *t = s->args->common.json ? NULL : table_new(headers);
    if (generate_t_maze(&m, &shape, &error)) s->wrong = cli_failed(&error);
    for (int L = 0; L <= 7 && !s->wrong; L++) {
        bool optimal;
        double value = regret(s, m, L < 7 ? VOUCH_METHOD_MILP_CCL : VOUCH_METHOD_HISTORY, L < 7 ? L : shape.horizon, &optimal);
        double expected = L < 7 ? reference[L] : 0;
        record(s, "t-maze", L < 7 ? "milp-ccl" : "history", shape.horizon, L < 7 ? L : shape.horizon, value, expected, optimal, false);
        if (!t) continue;
        if (L < 7) table_cell(t, "MILP-CCL, L = %d", L);
        else table_cell(t, "history-optimal");
        table_number(t, value);
        table_number(t, expected);
        table_cell(t, "%s", optimal ? "proved" : "not proved");
    }
    vouch_model_free(m);
    if (!t) return;
    report_clear();
    if (table_print(t, stdout)) cli_wrong("out of memory");
    printf("\n");
}

static void lookahead(session *s)
{
    static const double reference[] = {1, 0.1, 1, 1, 0.1};
    static const char *const headers[] = {"<Lookahead can hurt", "maximum regret", "reference", "<", NULL};
    vouch_model *m = NULL;
    vouch_error error = {0};
    table *t = s->args->common.json ? NULL : table_new(headers);
    if (generate_lookahead(&m, &error)) s->wrong = cli_failed(&error);
    for (int L = 0; L <= 4 && !s->wrong; L++) {
        bool optimal;
        double value = regret(s, m, L < 4 ? VOUCH_METHOD_MILP_CCL : VOUCH_METHOD_HISTORY, L < 4 ? L : 3, &optimal);
        record(s, "lookahead", L < 4 ? "milp-ccl" : "history", 3, L < 4 ? L : 3, value, reference[L], optimal, false);
        if (!t) continue;
        if (L < 4) table_cell(t, "MILP-CCL, L = %d", L);
        else table_cell(t, "history-optimal");
        table_number(t, value);
        table_number(t, reference[L]);
        table_cell(t, "%s", optimal ? "proved" : "not proved");
    }
    vouch_model_free(m);
    if (!t) return;
    report_clear();
    if (table_print(t, stdout)) cli_wrong("out of memory");
    printf("\n");
}

static int run(void *arguments, char **operand, int operands)
{
    static const struct {
        const char *name;
        void (*run)(session *);
    } experiments[] = {{"twin-states", twin_states}, {"t-maze", t_maze}, {"lookahead", lookahead}};
    const reproduce_args *args = arguments;
    const char *which = operands ? operand[0] : "all";
    vouch_limits limits = cli_limits(&args->common);
    session s = {.args = args, .limit = deadline_start(&limits), .proved = 1, .first = true};
    bool all = strcmp(which, "all") == 0, found = all;
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments; i++) found |= strcmp(which, experiments[i].name) == 0;
    if (!found) return cli_wrong("there is no experiment \"%s\"; expected twin-states, t-maze, lookahead or all", which);
    if (args->common.json) printf("{ \"cells\": [");
    for (size_t i = 0; i < sizeof experiments / sizeof *experiments && !s.wrong; i++)
        if (all || strcmp(which, experiments[i].name) == 0) experiments[i].run(&s);
    double seconds = clock_seconds() - s.limit.start;
    if (args->common.json) printf(" ],\n  \"compared\": %d, \"agreeing\": %d, \"seconds\": %.3f }\n", s.cells, s.agreeing, seconds);
    else printf("%d of %d values agree with the reference to 1e-6%s, %.2f s\n", s.agreeing, s.cells, s.proved ? ", all proved optimal" : "", seconds);
    if (s.wrong) return s.wrong;
    if (report_interrupted()) return CLI_INTERRUPTED;
    return s.agreeing == s.cells ? CLI_SOLVED : s.proved ? CLI_NUMERICAL : CLI_LIMIT;
}

const cli_command cli_reproduce = {
    .name = "reproduce",
    .operands = "[twin-states|t-maze|lookahead|all]",
    .least_operands = 0,
    .most_operands = 1,
    .summary = "compute the paper's tables, ours beside the paper's",
    .text = "Computes the Twin-States table, the Slippery T-Maze rows and the example in which looking further ahead hurts (Zhang, Singh, "
            "Durfee, ICAPS 2017), and compares each number with its reference.",
    .options = options,
    .size = sizeof(reproduce_args),
    .run = run,
};
