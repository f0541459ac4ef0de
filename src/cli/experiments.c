/* cli/experiments.c - see experiments.h.
 *
 * Numbers of the paper: Zhang, Singh, Durfee, ICAPS 2017 (Twin-States table, proof of Theorem Lgeneral). The paper's T-Maze drawing is not
 * available; its reference column holds values found for the default maze of `vouch generate t-maze` by independent solvers. The
 * history-optimal values are not in the paper; independent LP solvers found them.
 */
#include "cli/experiments.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report.h"
#include "cli/table.h"
#include "mdp/commitment.h"
#include "mdp/dp.h"
#include <vouch/generate.h>

/* A reproduced value agrees with its reference within this: both are rounded to six decimals or exact. */
static const double AGREES = 1e-6;
/* Two figures of different policies closer than this are equal: gaps and tolerances of the planners. */
static const double EQUAL = 1e-4;

typedef enum way { FIRST_PLAN, AGAIN, AGAIN_GUARDED, AGAIN_UNTIED } way;

typedef struct recipe {
    const char *name; /* as in JSON */
    vouch_method method;
    way how;
    bool heuristic; /* not expected to be optimal */
} recipe;

static const recipe GREEDY = {"greedy", VOUCH_METHOD_GREEDY, FIRST_PLAN, true},
                    MDPS_BEST = {"mdps-best", VOUCH_METHOD_MDPS_BEST, FIRST_PLAN, true},
                    MILP_CCL = {"milp-ccl", VOUCH_METHOD_MILP_CCL, FIRST_PLAN, false},
                    EXACT_CCL = {"exact-ccl", VOUCH_METHOD_EXACT_CCL, FIRST_PLAN, false},
                    HISTORY = {"history", VOUCH_METHOD_HISTORY, FIRST_PLAN, false},
                    MILP_CCIL = {"milp-ccil", VOUCH_METHOD_MILP_CCL, AGAIN, false},
                    GUARDED = {"guarded-ccil", VOUCH_METHOD_MILP_CCL, AGAIN_GUARDED, false},
                    UNTIED = {"milp-ccil-untied", VOUCH_METHOD_MILP_CCL, AGAIN_UNTIED, true};

typedef struct answer {
    double regret;
    bool proved;
    vouch_environment_figures figures[16]; /* of the first environments */
    int environments;
} answer;

static void keep_figures(session *s, const vouch_model *m, const vouch_environment_figures f[], int K, answer *a)
{
    a->environments = K < 16 ? K : 16;
    memcpy(a->figures, f, (size_t)a->environments * sizeof *f);
    s->policies++;
    for (int k = 0; k < K; k++) s->least_spare = fmin(s->least_spare, f[k].commitment_probability - vouch_model_probability(m));
}

static vouch_plan_options plan_options(const session *s, const recipe *r, int L)
{
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = r->method;
    o.engine = s->engine;
    o.lookahead = L;
    o.certify = 1;
    o.threads = s->common->threads;
    o.seed = s->common->seed;
    o.limits = deadline_left(&s->limit);
    o.log = report_log();
    o.least_total_regret = r->how != AGAIN_UNTIED;
    return o;
}

/* NAN after a message. */
static answer solve(session *s, const vouch_model *m, const recipe *r, int L)
{
    answer a = {.regret = NAN};
    vouch_error error = {0};
    vouch_plan_options o = plan_options(s, r, L);
    report_progress("%s, T = %d, L = %d", r->name, vouch_model_horizon(m), L);
    if (r->how == FIRST_PLAN) {
        vouch_policy *policy = NULL;
        vouch_plan_result result;
        if (vouch_plan(m, &o, &policy, &error)) {
            s->wrong = cli_failed(&error);
            return a;
        }
        vouch_policy_get_result(policy, &result);
        a.proved = result.outcome == VOUCH_PLAN_OPTIMAL;
        if (result.has_policy) {
            a.regret = result.max_regret;
            keep_figures(s, m, result.figures, result.environments, &a);
        }
        vouch_policy_free(policy);
        return a;
    }
    vouch_ccil *c = NULL;
    vouch_ccil_options co;
    vouch_ccil_result result;
    vouch_ccil_options_init(&co);
    co.plan = o;
    co.guarded = r->how == AGAIN_GUARDED;
    if (vouch_ccil_new(m, &co, &c, &error) || vouch_ccil_evaluate(c, &error))
        s->wrong = cli_failed(&error);
    else {
        vouch_ccil_get_result(c, &result);
        a.proved = result.outcome == VOUCH_PLAN_OPTIMAL;
        a.regret = result.max_regret;
        if (result.has_policy) keep_figures(s, m, result.figures, result.environments, &a);
    }
    vouch_ccil_free(c);
    return a;
}

/* The largest regret in the means of simulated CCIL, and half its interval. */
static double sample(session *s, const vouch_model *m, int L, double *half)
{
    vouch_error error = {0};
    vouch_ccil *c = NULL;
    vouch_ccil_options co;
    vouch_ccil_result result;
    vouch_simulation_options so;
    vouch_sample found[16] = {{0}};
    double most = NAN;
    vouch_ccil_options_init(&co);
    co.plan = plan_options(s, &MILP_CCIL, L);
    vouch_simulation_options_init(&so);
    so.episodes = s->episodes;
    so.seed = s->common->seed;
    so.threads = s->common->threads;
    so.limits = co.plan.limits;
    *half = NAN;
    if (vouch_model_environments(m) > 16 || vouch_ccil_new(m, &co, &c, &error))
        s->wrong = cli_failed(&error);
    else if (vouch_simulate_ccil(c, &so, found, &error))
        s->wrong = cli_failed(&error);
    else {
        vouch_ccil_get_result(c, &result);
        for (int k = 0; k < result.environments; k++) {
            double regret = result.figures[k].optimal_value - found[k].mean;
            if (isnan(most) || regret > most) {
                most = regret;
                *half = found[k].half_width;
            }
        }
    }
    vouch_ccil_free(c);
    return most;
}

/* ---- one table, printed and on the page ------------------------------------------------------------------------- */

typedef struct sheet {
    session *s;
    table *t;
} sheet;

static sheet sheet_start(session *s, const char *const headers[])
{
    if (s->page) page_table_start(s->page, headers);
    return (sheet){s, s->common->json ? NULL : table_new(headers)};
}

static void sheet_row(sheet *h, const char *label)
{
    if (h->t) table_cell(h->t, "%s", label);
    if (!h->s->page) return;
    page_row(h->s->page);
    page_cell(h->s->page, NULL, "%s", label);
}

/* "19", "19 (13)" where the reference differs, "-" for none. */
static void sheet_value(sheet *h, double value, double reference)
{
    char words[64] = "-";
    const char *mark = isnan(reference) || isnan(value) ? NULL : fabs(value - reference) <= AGREES ? "good" : "bad";
    double shown = fabs(value) < 1e-9 ? 0 : value;
    if (!isnan(value) && (!mark || mark[0] == 'g'))
        snprintf(words, sizeof words, "%.7g", shown);
    else if (!isnan(value))
        snprintf(words, sizeof words, "%.7g (%.7g)", shown, reference);
    if (h->t) table_cell(h->t, "%s", words);
    if (h->s->page) page_cell(h->s->page, mark, "%s", words);
}

static void sheet_words(sheet *h, const char *words)
{
    if (h->t) table_cell(h->t, "%s", words);
    if (h->s->page) page_cell(h->s->page, "soft", "%s", words);
}

static void sheet_end(sheet *h)
{
    if (h->s->page) page_table_end(h->s->page);
    if (!h->t) return;
    report_clear();
    if (table_print(h->t, stdout)) cli_wrong("out of memory");
    printf("\n");
}

/* Words broken into lines of at most 110 characters. */
static void print_wrapped(const char *words)
{
    enum { LINE = 110 };
    while (strlen(words) > LINE) {
        int n = LINE;
        while (n > 1 && words[n] != ' ') n--;
        printf("%.*s\n", n, words);
        words += n + 1;
    }
    printf("%s\n\n", words);
}

static void say(session *s, const char *words)
{
    if (!s->common->json) print_wrapped(words);
    if (s->page) page_paragraph(s->page, "%s", words);
}

static void start_experiment(session *s, const char *title)
{
    if (!s->common->json) printf("%s\n\n", title);
    if (s->page) page_heading(s->page, title);
}

/* Counts a cell and prints it as JSON if asked for. reference NAN: there is none. */
static void record(session *s, const char *experiment, const recipe *r, int T, int L, const answer *a, double reference)
{
    if (!isnan(reference)) {
        s->cells++;
        s->agreeing += fabs(a->regret - reference) <= AGREES;
    }
    if (!a->proved && !r->heuristic) s->proved = 0;
    if (!s->common->json) return;
    printf("%s\n    { \"experiment\": \"%s\", \"method\": \"%s\", \"T\": %d, \"L\": %d, \"max_regret\": ", s->first ? "" : ",",
           experiment, r->name, T, L);
    if (isnan(a->regret))
        printf("null");
    else
        printf("%.17g", a->regret);
    if (!isnan(reference)) printf(", \"reference\": %.17g", reference);
    printf(", \"proved\": %s }", a->proved ? "true" : "false");
    s->first = false;
}

/* ---- Twin-States ------------------------------------------------------------------------------------------------- */

void experiment_short_horizon(session *s)
{
    static const char *const headers[] = {"<maximum regret", "L = 0", "1", "2", NULL};
    static const struct {
        const char *label;
        const recipe *recipe;
        double reference[3];
    } lines[] = {{"exact CCL", &EXACT_CCL, {1.5, 6.0 / 7, 6.0 / 7}},
                 {"MILP-CCL", &MILP_CCL, {2, 1, 1}},
                 {"MILP-CCIL", &MILP_CCIL, {NAN, NAN, NAN}}};
    double x[3] = {0, 1, 2}, y[3][3];
    vouch_model *m = NULL;
    vouch_error error = {0};
    start_experiment(s, "Short horizon: Twin-States, T = 2");
    sheet h = sheet_start(s, headers);
    if (vouch_generate_twin_states(&m, 2, &error)) s->wrong = cli_failed(&error);
    for (int i = 0; i < 3 && !s->wrong; i++) {
        sheet_row(&h, lines[i].label);
        for (int L = 0; L <= 2 && !s->wrong; L++) {
            y[i][L] = NAN;
            if (L > 0 || lines[i].recipe->how == FIRST_PLAN) {
                answer a = solve(s, m, lines[i].recipe, L);
                y[i][L] = a.regret;
                record(s, "short-horizon", lines[i].recipe, 2, L, &a, lines[i].reference[L]);
            }
            sheet_value(&h, y[i][L], lines[i].reference[L]);
        }
    }
    sheet_end(&h);
    vouch_model_free(m);
    if (!s->page || s->wrong) return;
    chart_series series[3];
    for (int i = 0; i < 3; i++) series[i] = (chart_series){lines[i].label, 3, x, y[i], NULL};
    page_chart(s->page, "Maximum regret on Twin-States with T = 2: stochastic policies lose less, and one observation is enough.",
               "L", "maximum regret", series, 3);
}

void experiment_twin_states(session *s)
{
    enum { HORIZONS = 7 };
    static const int horizon[HORIZONS] = {2, 3, 5, 7, 9, 11, 13};
    typedef struct line {
        const char *label;
        const recipe *recipe;
        int L; /* -1: T */
        bool drawn;
        double reference[HORIZONS];
    } line;
    static const line lines[] = {
        {"Greedy", &GREEDY, -1, true, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
        {"MDPs-Best", &MDPS_BEST, 0, true, {NAN, 3, 7, 13, 19, 25, 31}},
        {"MILP-CCL, L = 0", &MILP_CCL, 0, true, {2, 3, 6, 10, 15, 19, 22}},
        {"MILP-CCL, L = 1", &MILP_CCL, 1, true, {1, 1, 3, 6, 8, 9, 11}},
        {"MILP-CCL, L = 2", &MILP_CCL, 2, false, {1, 1, 3, 6, 8, 9, 11}},
        {"MILP-CCL, L = 3", &MILP_CCL, 3, true, {NAN, 1, 3, 5, 5, 5, 5}},
        {"MILP-CCL, L = T", &MILP_CCL, -1, false, {1, 1, 3, 5, 5, 5, 5}},
        {"MILP-CCIL, L = 1", &MILP_CCIL, 1, true, {NAN, 1, 3, 5, 5, 5, 5}},
        {"guarded CCIL, L = 1", &GUARDED, 1, false, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
        {"history-optimal", &HISTORY, -1, true, {6.0 / 7, 0.9, 2.5, 3.747191011, 3.988636364, 4.150273224, 4.266528926}},
    };
    enum { LINES = sizeof lines / sizeof *lines };
    static const double greedy_of_paper[HORIZONS] = {NAN, 5, 5, 9, 13, 17, 21};
    static const char *const headers[] = {"<maximum regret", "T = 2", "3", "5", "7", "9", "11", "13", NULL};
    double x[HORIZONS], y[LINES][HORIZONS];
    start_experiment(s, "Twin-States: in A at time T for certain, K = 9");
    sheet h = sheet_start(s, headers);
    for (int i = 0; i < LINES && !s->wrong; i++) {
        const line *l = &lines[i];
        sheet_row(&h, l->label);
        for (int t = 0; t < HORIZONS && !s->wrong; t++) {
            vouch_model *m = NULL;
            vouch_error error = {0};
            int L = l->L < 0 ? horizon[t] : l->L;
            x[t] = horizon[t];
            y[i][t] = NAN;
            if (L <= horizon[t]) {
                if (vouch_generate_twin_states(&m, horizon[t], &error))
                    s->wrong = cli_failed(&error);
                else {
                    answer a = solve(s, m, l->recipe, L);
                    y[i][t] = a.regret;
                    record(s, "twin-states", l->recipe, horizon[t], L, &a, l->reference[t]);
                }
            }
            sheet_value(&h, y[i][t], l->reference[t]);
            vouch_model_free(m);
        }
        if (i == 0) {
            sheet_row(&h, "Greedy, as printed *");
            for (int t = 0; t < HORIZONS; t++) sheet_value(&h, greedy_of_paper[t], NAN);
        }
    }
    sheet_end(&h);
    say(s, "* Greedy as the paper defines it gives our row; the paper's printed row is what one gets when the reward of the last "
           "action is left "
           "out for Greedy alone. A value in parentheses is the paper's where ours differs.");
    if (!s->page || s->wrong) return;
    chart_series series[LINES];
    int drawn = 0;
    for (int i = 0; i < LINES; i++)
        if (lines[i].drawn) series[drawn++] = (chart_series){lines[i].label, HORIZONS, x, y[i], NULL};
    page_chart(s->page,
               "Maximum regret on Twin-States. Planning again after every step (MILP-CCIL, L = 1) does as well as three "
               "observations planned ahead.",
               "T", "maximum regret", series, drawn);
}

/* ---- Slippery T-Maze ---------------------------------------------------------------------------------------------- */

void experiment_t_maze(session *s)
{
    enum { HORIZON = 10, POINTS = HORIZON + 1, LINES = 6 };
    static const double milp[POINTS] = {0.776128, 0.776128, 0.776128, 0.609728, 0.609728, 0.609728, 0.769728, NAN, NAN, NAN, NAN};
    static const double again[POINTS] = {NAN, 0.609728, 0.609728, 0.609728, NAN, NAN, 0.769728, NAN, NAN, NAN, NAN};
    static const double exact[POINTS] = {0, NAN, NAN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    static const struct {
        const char *label;
        const recipe *recipe;
        const double *reference;
    } lines[] = {{"MILP-CCL", &MILP_CCL, milp},
                 {"MILP-CCIL", &MILP_CCIL, again},
                 {"guarded CCIL", &GUARDED, NULL},
                 {"exact CCL", &EXACT_CCL, exact}};
    static const char *const headers[] = {"<maximum regret", "L = 0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", NULL};
    const vouch_maze_shape shape = {3, 2, 2, 2, HORIZON, 0.6, 0.8};
    double x[POINTS], y[LINES][POINTS], half[POINTS];
    vouch_model *m = NULL;
    vouch_error error = {0};
    start_experiment(s, "Slippery T-Maze 3,2,2,2: in c at time 10 with probability 0.6, K = 2");
    sheet h = sheet_start(s, headers);
    if (vouch_generate_t_maze(&m, &shape, &error)) s->wrong = cli_failed(&error);
    for (int i = 0; i < 4 && !s->wrong; i++) {
        sheet_row(&h, lines[i].label);
        for (int L = 0; L < POINTS && !s->wrong; L++) {
            double reference = lines[i].reference ? lines[i].reference[L] : NAN;
            x[L] = L;
            y[i][L] = NAN;
            if (L > 0 || lines[i].recipe->how == FIRST_PLAN) {
                answer a = solve(s, m, lines[i].recipe, L);
                y[i][L] = a.regret;
                record(s, "t-maze", lines[i].recipe, HORIZON, L, &a, reference);
            }
            sheet_value(&h, y[i][L], reference);
        }
    }
    if (!s->wrong) {
        sheet_row(&h, "MILP-CCIL, simulated");
        for (int L = 0; L < POINTS && !s->wrong; L++) {
            y[4][L] = L ? sample(s, m, L, &half[L]) : NAN;
            sheet_value(&h, y[4][L], NAN);
        }
        answer a = solve(s, m, &HISTORY, HORIZON);
        record(s, "t-maze", &HISTORY, HORIZON, HORIZON, &a, 0);
        sheet_row(&h, "history-optimal");
        for (int L = 0; L < POINTS; L++) {
            y[5][L] = a.regret;
            if (L == 0)
                sheet_value(&h, a.regret, 0);
            else
                sheet_words(&h, "");
        }
    }
    sheet_end(&h);
    vouch_model_free(m);
    if (s->wrong) return;
    if (s->page) {
        chart_series series[LINES];
        for (int i = 0; i < 4; i++) series[i] = (chart_series){lines[i].label, POINTS, x, y[i], NULL};
        half[0] = NAN;
        series[4] = (chart_series){"MILP-CCIL, simulated", POINTS, x, y[4], half};
        series[5] = (chart_series){"history-optimal", POINTS, x, y[5], NULL};
        page_chart(s->page,
                   "Maximum regret on the Slippery T-Maze. Knowing for longer is not always better for deterministic policies; "
                   "planning again after a few steps makes up for it.",
                   "L", "maximum regret", series, LINES);
        page_paragraph(s->page, "Simulated: %lld episodes in each environment, seed %llu; bars are 95 %% intervals.", s->episodes,
                       (unsigned long long)s->common->seed);
    }
}

/* ---- looking further ahead can hurt --------------------------------------------------------------------------------- */

void experiment_lookahead(session *s)
{
    static const double milp[] = {1, 0.1, 1, 1}, exact[] = {NAN, 0.1, 0.5, NAN};
    static const char *const headers[] = {"<maximum regret", "L = 0", "1", "2", "3", NULL};
    vouch_model *m = NULL;
    vouch_error error = {0};
    start_experiment(s, "Lookahead can hurt: the example in the proof of Theorem Lgeneral, T = 3");
    sheet h = sheet_start(s, headers);
    if (vouch_generate_lookahead(&m, &error)) s->wrong = cli_failed(&error);
    for (int i = 0; i < 2 && !s->wrong; i++) {
        const recipe *r = i ? &EXACT_CCL : &MILP_CCL;
        sheet_row(&h, i ? "exact CCL" : "MILP-CCL");
        for (int L = 0; L <= 3 && !s->wrong; L++) {
            answer a = solve(s, m, r, L);
            double reference = i ? exact[L] : milp[L];
            record(s, "lookahead", r, 3, L, &a, reference);
            sheet_value(&h, a.regret, reference);
        }
    }
    if (!s->wrong) {
        answer a = solve(s, m, &HISTORY, 3);
        record(s, "lookahead", &HISTORY, 3, 3, &a, 0.1);
        sheet_row(&h, "history-optimal");
        sheet_value(&h, a.regret, 0.1);
        for (int i = 0; i < 3; i++) sheet_words(&h, "");
    }
    sheet_end(&h);
    vouch_model_free(m);
}

/* ---- checks ------------------------------------------------------------------------------------------------------------- */

static void check(session *s, bool passed, const char *claim, const char *format, ...) VOUCH_PRINTF(4, 5);
static void check(session *s, bool passed, const char *claim, const char *format, ...)
{
    char numbers[512];
    va_list args;
    va_start(args, format);
    vsnprintf(numbers, sizeof numbers, format, args);
    va_end(args);
    s->checks++;
    s->holding += passed;
    report_clear();
    if (!s->common->json) printf("  %2d. %s  %s\n            %s\n", s->checks, passed ? "holds" : "FAILS", claim, numbers);
    if (s->page) page_check(s->page, s->checks, passed, claim, numbers);
}

/* From A one comes to B with 0.8 and to C with 0.2; B leads to D, C does not. Commitment: in D at time 2 with 0.8. */
static vouch_status make_branches(vouch_model **m)
{
    static const char *const names[] = {"A", "B", "C", "D", "E"};
    vouch_status status = vouch_model_new(m, 5, 1, 1, 2);
    for (int i = 0; i < 5 && !status; i++) status = vouch_model_set_state_name(*m, i, names[i]);
    if (!status) status = vouch_model_set_commitment(*m, 3, 1);
    if (!status) status = vouch_model_set_probability(*m, 0.8);
    if (!status) status = vouch_model_add(*m, 0, 0, 0, 1, 0.8, 0);
    if (!status) status = vouch_model_add(*m, 0, 0, 0, 2, 0.2, 0);
    if (!status) status = vouch_model_add(*m, 0, 1, 0, 3, 1, 0);
    if (!status) status = vouch_model_add(*m, 0, 2, 0, 4, 1, 0);
    if (!status) status = vouch_model_add(*m, 0, 3, 0, 3, 1, 0);
    if (!status) status = vouch_model_add(*m, 0, 4, 0, 4, 1, 0);
    return status ? status : vouch_model_finish(*m, NULL, NULL);
}

static void check_replanning(session *s)
{
    vouch_model *m = NULL;
    double reach[3 * 5];
    if (make_branches(&m)) {
        vouch_model_free(m);
        s->wrong = cli_wrong("out of memory");
        return;
    }
    dp_reachable_probability(m, 0, reach);
    answer a = solve(s, m, &MILP_CCIL, 1);
    double from_a = reach[0], from_c = reach[5 + 2], kept = a.figures[0].commitment_probability;
    check(s, fabs(from_a - 0.8) <= AGREES && from_c < 0.8 && fabs(kept - 0.8) <= AGREES,
          "Planning again for the commitment as first made can be impossible; for what the policy in force still promises it never "
          "is.",
          "be in D at time 2 with 0.8: from A %.4g, after coming to C at most %.4g; CCIL owes 0 there and keeps %.4g in all",
          from_a, from_c, kept);
    vouch_model_free(m);
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
    for (int i = 0; i < 5; i++) at[i] = solve(s, m, &MILP_CCL, L[i]).regret;
    check(s, at[0] >= at[1] && at[1] >= at[2] && at[2] >= at[3] && at[3] >= at[4],
          "On Twin-States, whose transitions are deterministic, longer knowledge never raises the regret.",
          "Twin-States, T = 7, L = 0, 1, 2, 3, 7: %g, %g, %g, %g, %g", at[0], at[1], at[2], at[3], at[4]);
    answer again = solve(s, m, &MILP_CCIL, 1), guarded = solve(s, m, &GUARDED, 1), untied = solve(s, m, &UNTIED, 1);
    check(s, again.regret <= at[1] + AGREES, "Planning again lowers the regret of the first plan here.",
          "Twin-States, T = 7, L = 1: MILP-CCL %g, MILP-CCIL %g (%g without the tie-break)", at[1], again.regret, untied.regret);
    check(s, guarded.regret <= at[1] + AGREES, "Guarded planning never falls behind the first plan.",
          "Twin-States, T = 7, L = 1: MILP-CCL %g, guarded CCIL %g", at[1], guarded.regret);
    double history = solve(s, m, &HISTORY, 7).regret;
    check(s, history <= fmin(again.regret, at[4]) + AGREES, "No method is below the history-optimal regret.",
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
    double d0 = solve(s, m, &MILP_CCL, 0).regret, d1 = solve(s, m, &MILP_CCL, 1).regret, e0 = solve(s, m, &EXACT_CCL, 0).regret,
           e1 = solve(s, m, &EXACT_CCL, 1).regret;
    check(s, e0 < d0 && e1 < d1, "Stochastic policies can do better than every deterministic one.",
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
    double one = solve(s, m, &EXACT_CCL, 1).regret, two = solve(s, m, &EXACT_CCL, 2).regret;
    check(s, one < two - EQUAL, "Theorem Lgeneral: with stochastic transitions a larger L can raise the regret.",
          "exact CCL: L = 1: %.6g, L = 2: %.6g", one, two);
    vouch_model_free(m);
}

static void check_t_maze(session *s)
{
    vouch_model *m = NULL;
    const vouch_maze_shape shape = {3, 2, 2, 2, 10, 0.6, 0.8};
    if (vouch_generate_t_maze(&m, &shape, NULL)) {
        s->wrong = cli_wrong("out of memory");
        return;
    }
    double half = 0, exact = solve(s, m, &MILP_CCIL, 1).regret, drawn = sample(s, m, 1, &half);
    check(s, fabs(exact - drawn) <= 3 * half, "Simulated CCIL agrees with its exact evaluation.",
          "Slippery T-Maze, L = 1: exact %.7g, simulated %.5g +- %.2g", exact, drawn, half);
    vouch_model_free(m);
}

void experiment_checks(session *s)
{
    static void (*const all[])(session *) = {check_replanning, check_short, check_twin_states, check_lookahead, check_t_maze};
    start_experiment(s, "What the paper observes and proves, in numbers");
    say(s, "The order and the numbers of these checks are this report's own, not those of the paper's observations and theorems.");
    for (size_t i = 0; i < sizeof all / sizeof *all && !s->wrong; i++) all[i](s);
    if (!s->wrong)
        check(s, s->least_spare >= -KEEP_TOLERANCE,
              "Theorem CCIL: every policy keeps its commitment in every environment, planned again or not.",
              "of %lld policies and behaviours computed here, the least Pr(S_T in Phi | k) - p is %.3g", s->policies,
              s->least_spare);
    if (!s->common->json) printf("\n");
}
