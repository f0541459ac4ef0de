/* cli/experiments.c - computes any of the figures of paper.h and shows it as a table and a chart; see experiments.h. */
#include "cli/experiments.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "cli/prove.h"
#include "cli/report.h"
#include "cli/table.h"

static const double SHOWN_AS_ZERO = 1e-9; /* what is below is rounding */

/* The cell of a figure. */
typedef struct figure_cell {
    const paper_method *method;
    int T, L;
} figure_cell;

static void keep_figures(session *s, const vouch_model *m, const vouch_environment_figures f[], int K, paper_answer *a)
{
    a->environments = K < FIGURES ? K : FIGURES;
    memcpy(a->figures, f, (size_t)a->environments * sizeof *f);
    s->policies++;
    for (int k = 0; k < K; k++) {
        s->least_spare = fmin(s->least_spare, f[k].commitment_probability - vouch_model_probability(m));
        if (!vouch_model_kept(m, f[k].commitment_probability)) s->broken++;
    }
}

static vouch_plan_options plan_options(const session *s, const paper_method *r, int L)
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
    o.least_total_regret = r->course != COURSE_UNTIED;
    return o;
}

static void plan_once(session *s, const vouch_model *m, const vouch_plan_options *o, paper_answer *a)
{
    vouch_error error = {0};
    vouch_policy *policy = NULL;
    vouch_plan_result result;
    if (vouch_plan(&policy, m, o, &error)) {
        s->wrong = cli_failed(&error);
        return;
    }
    vouch_policy_get_result(policy, &result);
    a->proved = result.outcome == VOUCH_PLAN_OPTIMAL;
    if (result.has_policy) {
        a->regret = result.max_regret;
        keep_figures(s, m, result.figures, result.environments, a);
    }
    vouch_policy_free(policy);
}

paper_answer solve(session *s, const vouch_model *m, const paper_method *r, int L)
{
    paper_answer a = {.regret = NAN};
    vouch_error error = {0};
    vouch_plan_options o = plan_options(s, r, L);
    report_progress("%s, T = %d, L = %d", paper_method_name(r), vouch_model_horizon(m), L);
    if (r->course == COURSE_ONE_PLAN) {
        plan_once(s, m, &o, &a);
        return a;
    }
    vouch_ccil *c = NULL;
    vouch_ccil_options co;
    vouch_ccil_result result;
    vouch_ccil_options_init(&co);
    co.plan = o;
    co.guarded = r->course == COURSE_GUARDED;
    if (vouch_ccil_new(&c, m, &co, &error) || vouch_ccil_evaluate(c, &error)) {
        s->wrong = cli_failed(&error);
    } else {
        vouch_ccil_get_result(c, &result);
        a.proved = result.outcome == VOUCH_PLAN_OPTIMAL;
        a.regret = result.max_regret;
        if (result.has_policy) keep_figures(s, m, result.figures, result.environments, &a);
    }
    vouch_ccil_free(c);
    return a;
}

double sample(session *s, const vouch_model *m, int L, double *half)
{
    vouch_error error = {0};
    vouch_ccil *c = NULL;
    vouch_ccil_options co;
    vouch_ccil_result result;
    vouch_simulation_options so;
    vouch_sample found[FIGURES] = {{0}};
    double most = NAN;
    vouch_ccil_options_init(&co);
    co.plan = plan_options(s, &PAPER_MILP_CCIL, L);
    vouch_simulation_options_init(&so);
    so.episodes = s->episodes;
    so.seed = s->common->seed;
    so.threads = s->common->threads;
    so.limits = co.plan.limits;
    *half = NAN;
    if (vouch_model_environments(m) > FIGURES || vouch_ccil_new(&c, m, &co, &error))
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

shown_table report_table(session *s, const char *const headers[])
{
    if (s->page) page_table_start(s->page, headers);
    return (shown_table){s, s->common->json ? NULL : table_new(headers)};
}

void report_line(shown_table *h, const char *label)
{
    if (h->t) table_cell(h->t, "%s", label);
    if (!h->s->page) return;
    page_row(h->s->page);
    page_cell(h->s->page, NULL, "%s", label);
}

void report_value(shown_table *h, double value, double reference)
{
    char words[64] = "-";
    const char *mark = isnan(reference) || isnan(value) ? NULL : fabs(value - reference) <= AGREES ? "good" : "bad";
    double shown = fabs(value) < SHOWN_AS_ZERO ? 0 : value;
    if (!isnan(value) && (!mark || mark[0] == 'g'))
        snprintf(words, sizeof words, "%.7g", shown);
    else if (!isnan(value))
        snprintf(words, sizeof words, "%.7g (%.7g)", shown, reference);
    if (h->t) table_cell(h->t, "%s", words);
    if (h->s->page) page_cell(h->s->page, mark, "%s", words);
}

static void add_words(shown_table *h, const char *words)
{
    if (h->t) table_cell(h->t, "%s", words);
    if (h->s->page) page_cell(h->s->page, "soft", "%s", words);
}

void report_table_end(shown_table *h)
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

void report_check(session *s, bool passed, const char *claim, const char *format, ...)
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

void report_words(session *s, const char *words)
{
    if (!s->common->json) print_wrapped(words);
    if (s->page) page_paragraph(s->page, "%s", words);
}

void report_heading(session *s, const char *title)
{
    if (!s->common->json) printf("%s\n\n", title);
    if (s->page) page_heading(s->page, title);
}

/* Counts a cell of a figure and prints it as JSON if asked for. reference NAN: there is none. */
static void record(session *s, const char *figure, const figure_cell *at, const paper_answer *a, double reference)
{
    if (!isnan(reference)) {
        s->cells++;
        s->agreeing += fabs(a->regret - reference) <= AGREES;
    }
    if (!a->proved && paper_method_proves(at->method)) s->proved = 0;
    if (!s->common->json) return;
    printf("%s\n    { \"experiment\": \"%s\", \"method\": \"%s\", \"T\": %d, \"L\": %d, \"max_regret\": ", s->first ? "" : ",",
           figure, paper_method_name(at->method), at->T, at->L);
    if (isnan(a->regret))
        printf("null");
    else
        printf("%.17g", a->regret);
    if (!isnan(reference)) printf(", \"reference\": %.17g", reference);
    printf(", \"proved\": %s }", a->proved ? "true" : "false");
    s->first = false;
}

/* ---- a figure --------------------------------------------------------------------------------------------------- */

/* What a line of a figure is drawn from. */
typedef struct drawn_line {
    double y[PAPER_COLUMNS], half[PAPER_COLUMNS]; /* NAN: no point, no interval */
} drawn_line;

static figure_cell cell_of(const paper_figure *f, const paper_line *l, int column)
{
    int T = f->axis == 'T' ? f->column[column] : f->T;
    if (f->axis == 'L') return (figure_cell){l->method, T, l->single ? T : f->column[column]};
    return (figure_cell){l->method, T, l->L == PAPER_WHOLE ? T : l->L};
}

/* Can the method have this L? To plan again after no step is no plan. */
static bool possible(const figure_cell *at) { return at->L <= at->T && (at->L > 0 || at->method->course == COURSE_ONE_PLAN); }

/* Plans once more, with a proof, which stands beside its model in the folder, and has it checked. */
static void prove_cell(session *s, const paper_figure *f, const figure_cell *at, const vouch_model *m, bool proved)
{
    vouch_error error = {0};
    vouch_policy *policy = NULL;
    vouch_plan_result result;
    vouch_plan_options o = plan_options(s, at->method, at->L);
    prove p = {.store = NULL};
    text model = {0}, proof = {0};
    text_add(&model, "%s/%s-%s-T%d-L%d.json", s->folder, f->name, paper_method_name(at->method), at->T, at->L);
    text_add(&proof, "%s/%s-%s-T%d-L%d.vproof.gz", s->folder, f->name, paper_method_name(at->method), at->T, at->L);
    if (model.failed || proof.failed)
        s->wrong = cli_wrong("out of memory");
    else if (vouch_model_write(m, model.data, &error))
        s->wrong = cli_failed(&error);
    else
        s->wrong = prove_start(&p, NULL, model.data, proof.data, &o);
    if (!s->wrong && vouch_plan(&policy, m, &o, &error)) s->wrong = cli_failed(&error);
    if (!s->wrong) {
        vouch_policy_get_result(policy, &result);
        if (prove_end(&p, m, &result, "nothing was shown", &error)) s->wrong = cli_failed(&error);
    }
    if (!s->wrong) {
        prove_check(&p, NULL, 0);
        s->proofs++;
        s->verified += p.outcome == PROVE_VERIFIED;
        if (p.outcome != PROVE_VERIFIED) (void)prove_tell(&p, true, true, CLI_SOLVED);
        s->less += proved && result.outcome != VOUCH_PLAN_OPTIMAL;
    }
    vouch_policy_free(policy);
    prove_free(&p);
    text_free(&model);
    text_free(&proof);
}

static void run_cell(session *s, const paper_figure *f, const figure_cell *at, double reference, double *y, double *half)
{
    vouch_model *m = NULL;
    vouch_error error = {0};
    if (f->make(&m, at->T, &error)) {
        s->wrong = cli_failed(&error);
    } else if (at->method->course == COURSE_SIMULATED) {
        *y = sample(s, m, at->L, half);
    } else {
        paper_answer a = solve(s, m, at->method, at->L);
        *y = a.regret;
        record(s, f->name, at, &a, reference);
        if (s->folder && !s->wrong && at->method->course == COURSE_ONE_PLAN && !isnan(a.regret)) prove_cell(s, f, at, m, a.proved);
    }
    vouch_model_free(m);
}

static void run_line(session *s, const paper_figure *f, const paper_line *l, shown_table *h, drawn_line *d)
{
    report_line(h, l->label);
    for (int c = 0; c < f->columns && !s->wrong; c++) {
        double reference = l->reference ? l->reference[c] : NAN;
        figure_cell at = cell_of(f, l, c);
        d->y[c] = d->half[c] = NAN;
        if (l->single && c > 0) {
            d->y[c] = d->y[0];
            add_words(h, "");
        } else if (l->method->course == COURSE_PRINTED) {
            report_value(h, reference, NAN);
        } else {
            if (possible(&at)) run_cell(s, f, &at, reference, &d->y[c], &d->half[c]);
            report_value(h, d->y[c], reference);
        }
    }
}

static void draw(session *s, const paper_figure *f, const drawn_line line[])
{
    plot_line series[PAPER_LINES];
    double x[PAPER_COLUMNS];
    int drawn = 0;
    bool simulated = false;
    for (int c = 0; c < f->columns; c++) x[c] = f->column[c];
    for (int i = 0; i < f->lines; i++) {
        bool interval = f->line[i].method->course == COURSE_SIMULATED;
        simulated = simulated || interval;
        if (f->line[i].drawn)
            series[drawn++] = (plot_line){f->line[i].label, f->columns, x, line[i].y, NULL, NULL, interval ? line[i].half : NULL};
    }
    page_chart(s->page, f->caption, &(plot){(char[]){f->axis, '\0'}, "maximum regret", series, drawn});
    if (simulated)
        page_paragraph(s->page, "Simulated: %lld episodes in each environment, seed %llu; bars are 95 %% intervals.", s->episodes,
                       (unsigned long long)s->common->seed);
}

void experiment_run(session *s, const paper_figure *f)
{
    char words[PAPER_COLUMNS][16];
    const char *headers[PAPER_COLUMNS + 2] = {"<maximum regret"};
    drawn_line line[PAPER_LINES];
    CHECK(f->lines <= PAPER_LINES && f->columns <= PAPER_COLUMNS);
    for (int c = 0; c < f->columns; c++) {
        if (c == 0)
            snprintf(words[c], sizeof words[c], "%c = %d", f->axis, f->column[c]);
        else
            snprintf(words[c], sizeof words[c], "%d", f->column[c]);
        headers[c + 1] = words[c];
    }
    report_heading(s, f->title);
    shown_table h = report_table(s, headers);
    for (int i = 0; i < f->lines && !s->wrong; i++) run_line(s, f, &f->line[i], &h, &line[i]);
    report_table_end(&h);
    if (f->note) report_words(s, f->note);
    if (s->page && f->caption && !s->wrong) draw(s, f, line);
}
