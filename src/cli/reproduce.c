/* cli/reproduce.c - vouch reproduce: the paper's tables and figures beside our values.
 *
 * A figure is data: a table of maximum regrets over T or over L, one line per method, with the printed values, and a chart of some
 * lines.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "base/rng.h"

enum { PATH_ROOM = 4096 };

/* PROGRAM'S DIRECTORY/place/NAME.html, if this file exists. */
static bool find_page(const char *place, const char *name, char path[PATH_ROOM])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_ROOM - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    char *end = strrchr(path, '/');
    if (!end) return false;
    size_t room = PATH_ROOM - (size_t)(end + 1 - path);
    return snprintf(end + 1, room, "%s/%s.html", place, name) < (int)room && access(path, R_OK) == 0;
}

/* Characters that are not escaped in the path of a URL. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-._~/", c));
}

/* Appends the name of a page of the guide as HTML; a link if `make install` (relative to the program's directory) or `make guide`
 * (in it) has written that page. */
static void guide_link(text *t, const char *name)
{
    char path[PATH_ROOM];
    if (!find_page("../share/doc/vouch", name, path) && !find_page("guide", name, path)) {
        xml_add(t, name);
        return;
    }
    text_add(t, "<a href=\"file://");
    for (const char *c = path; *c; c++) text_add(t, is_plain(*c) ? "%c" : "%%%02X", (unsigned char)*c);
    text_add(t, "\">");
    xml_add(t, name);
    text_add(t, "</a>");
}

/* ---- page ---- */

static const char *const head = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                                "content=\"width=device-width, initial-scale=1\">\n"
                                "<title>";
extern const char page_style[]; /* cli/page.css, made a string by the Makefile */

static void page_paragraph(text *p, const char *format, ...)
{
    char words[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    text_add(p, "<p>");
    xml_add(p, words);
    text_add(p, "</p>\n");
}

/* mark: NULL, or the class of the cell: "good", "bad". */
static void page_cell(text *p, const char *mark, const char *format, ...)
{
    char words[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (mark)
        text_add(p, "<td class=\"%s\">", mark);
    else
        text_add(p, "<td>");
    xml_add(p, words);
    text_add(p, "</td>");
}

/* title: also the alternative text of the chart. */
static void page_chart(text *t, const char *title, const plot *chart)
{
    text_add(t, "<figure>\n");
    plot_inline(t, title, chart);
    text_add(t, "<ul class=\"legend\">\n");
    for (int i = 0; i < chart->lines; i++) {
        const plot_line *l = &chart->line[i];
        text_add(t, "<li>");
        plot_sample(t, i);
        xml_add(t, l->name);
        double most = 0;
        for (int j = 0; j < l->count && l->error; j++)
            if (!isnan(l->y[j])) most = fmax(most, l->error[j]);
        if (l->error) text_add(t, ", intervals of at most &#177; %.2g", most);
        text_add(t, "</li>\n");
    }
    text_add(t, "</ul>\n<figcaption>");
    xml_add(t, title);
    text_add(t, "</figcaption>\n</figure>\n");
}

/* names: NULL-ended, of pages of the guide to read on. */
static void page_guide(text *p, const char *const pages[])
{
    text_add(p, "<p class=\"soft\">Read on in the guide: ");
    for (int i = 0; pages[i]; i++) {
        if (i) text_add(p, ", ");
        guide_link(p, pages[i]);
    }
    text_add(p, ".</p>\n");
}

static void page_write(text *p, const char *title, const char *path)
{
    text *whole = cli_text();
    text_add(whole, "%s", head);
    xml_add(whole, title);
    text_add(whole, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", page_style);
    xml_add(whole, title);
    text_add(whole, "</h1>\n");
    if (p->data) text_add_bytes(whole, p->data, p->length);
    text_add(whole, "</body>\n</html>\n");
    whole->failed = whole->failed || p->failed;
    cli_try(text_write(whole, path, &cli_error));
}

typedef enum paper_course {
    COURSE_ONE_PLAN, /* planned once */
    COURSE_REPLANNED,
    COURSE_GUARDED,   /* replanned, never to be worse than the policy in force */
    COURSE_UNTIED,    /* replanned, without minimising the total regret */
    COURSE_SIMULATED, /* replanned, by simulation */
    COURSE_PRINTED    /* not computed: the printed values */
} paper_course;

typedef struct paper_method {
    vouch_method method;
    paper_course course;
} paper_method;

typedef struct paper_line {
    const char *label;
    const paper_method *method;
    int L;                   /* of figures over T; PAPER_WHOLE: T */
    const double *reference; /* [columns], NAN: none; NULL: none at all */
    bool drawn;
    bool single; /* of figures over L: one value for all of them, with L = T */
} paper_line;

enum { PAPER_COLUMNS = 11, PAPER_LINES = 11, PAPER_WHOLE = -1 };

typedef struct paper_figure {
    const char *name, *title;
    vouch_status (*make)(vouch_model **model, int T, vouch_error *error);
    char axis; /* columns: 'T' or 'L' */
    int T;     /* of figures over L */
    int columns, column[PAPER_COLUMNS];
    const paper_line *line;
    int lines;
    const char *note;    /* below the table; NULL: none */
    const char *caption; /* of the chart; NULL: none is drawn */
} paper_figure;

/* What `vouch reproduce` accepts: the figures, what guarantees cost, and the checks. */
#define PAPER_NAMES "short-horizon|twin-states|t-maze|lookahead|guarantees|checks|all"

/* ---- the data of the figures.
 *
 * Numbers of the paper: Zhang, Singh, Durfee, ICAPS 2017 (Twin-States table, and the example for their theorem on L and
 * stochastic transitions). The paper's T-Maze
 * drawing is not available; its references are values found for the default maze of `vouch generate t-maze` by independent
 * solvers. The history-optimal values are not in the paper; independent LP solvers found them. ---- */

static const paper_method PAPER_GREEDY = {VOUCH_METHOD_GREEDY, COURSE_ONE_PLAN};
static const paper_method PAPER_MDPS_BEST = {VOUCH_METHOD_MDPS_BEST, COURSE_ONE_PLAN};
static const paper_method PAPER_MILP_CCL = {VOUCH_METHOD_MILP_CCL, COURSE_ONE_PLAN};
static const paper_method PAPER_EXACT_CCL = {VOUCH_METHOD_EXACT_CCL, COURSE_ONE_PLAN};
static const paper_method PAPER_HISTORY = {VOUCH_METHOD_HISTORY, COURSE_ONE_PLAN};
static const paper_method PAPER_MILP_CCIL = {VOUCH_METHOD_MILP_CCL, COURSE_REPLANNED};
static const paper_method PAPER_GUARDED = {VOUCH_METHOD_MILP_CCL, COURSE_GUARDED};
static const paper_method PAPER_UNTIED = {VOUCH_METHOD_MILP_CCL, COURSE_UNTIED};
static const paper_method SIMULATED = {VOUCH_METHOD_MILP_CCL, COURSE_SIMULATED};
static const paper_method PRINTED = {VOUCH_METHOD_GREEDY, COURSE_PRINTED};

/* As in JSON: the word of the method, or of CCIL with it. */
static const char *paper_method_name(const paper_method *r)
{
    const vouch_method_description *about = vouch_method_describe(r->method);
    bool once = r->course == COURSE_ONE_PLAN || r->course == COURSE_PRINTED;
    return once ? about->word : r->course == COURSE_GUARDED ? about->guarded : about->replanned;
}

/* Is it expected to be optimal? */
static bool paper_method_proves(const paper_method *r)
{
    return r->course != COURSE_UNTIED && vouch_method_describe(r->method)->proves;
}

#define VALUES(...) ((const double[]){__VA_ARGS__})
#define LINES(list) (int)(sizeof(list) / sizeof *(list))

static vouch_status make_lookahead(vouch_model **model, int T, vouch_error *error)
{
    (void)T;
    return vouch_generate_lookahead(model, error);
}

/* Slippery T-Maze 3,2,2,2 with p = 0.6 and slip 0.8. */
static vouch_status paper_maze(vouch_model **model, int T, vouch_error *error)
{
    return vouch_generate_t_maze(model, &(vouch_maze_shape){3, 2, 2, 2, T, 0.6, 0.8}, error);
}

static const paper_line short_horizon[] = {
    {"exact CCL", &PAPER_EXACT_CCL, 0, VALUES(1.5, 6.0 / 7, 6.0 / 7), .drawn = true},
    {"MILP-CCL", &PAPER_MILP_CCL, 0, VALUES(2, 1, 1), .drawn = true},
    {"MILP-CCIL", &PAPER_MILP_CCIL, 0, NULL, .drawn = true},
};

static const paper_line twin_states[] = {
    {"Greedy", &PAPER_GREEDY, PAPER_WHOLE, NULL, .drawn = true},
    {"Greedy, as printed *", &PRINTED, PAPER_WHOLE, VALUES(NAN, 5, 5, 9, 13, 17, 21), .drawn = false},
    {"MDPs-Best", &PAPER_MDPS_BEST, 0, VALUES(NAN, 3, 7, 13, 19, 25, 31), .drawn = true},
    {"MILP-CCL, L = 0", &PAPER_MILP_CCL, 0, VALUES(2, 3, 6, 10, 15, 19, 22), .drawn = true},
    {"MILP-CCL, L = 1", &PAPER_MILP_CCL, 1, VALUES(1, 1, 3, 6, 8, 9, 11), .drawn = true},
    {"MILP-CCL, L = 2", &PAPER_MILP_CCL, 2, VALUES(1, 1, 3, 6, 8, 9, 11), .drawn = false},
    {"MILP-CCL, L = 3", &PAPER_MILP_CCL, 3, VALUES(NAN, 1, 3, 5, 5, 5, 5), .drawn = true},
    {"MILP-CCL, L = T", &PAPER_MILP_CCL, PAPER_WHOLE, VALUES(1, 1, 3, 5, 5, 5, 5), .drawn = false},
    {"MILP-CCIL, L = 1", &PAPER_MILP_CCIL, 1, VALUES(NAN, 1, 3, 5, 5, 5, 5), .drawn = true},
    {"guarded CCIL, L = 1", &PAPER_GUARDED, 1, NULL, .drawn = false},
    {"history-optimal", &PAPER_HISTORY, PAPER_WHOLE, VALUES(6.0 / 7, 0.9, 2.5, 3.747191011, 3.988636364, 4.150273224, 4.266528926),
     .drawn = true},
};

static const paper_line t_maze[] = {
    {"MILP-CCL", &PAPER_MILP_CCL, 0,
     VALUES(0.776128, 0.776128, 0.776128, 0.609728, 0.609728, 0.609728, 0.769728, NAN, NAN, NAN, NAN), .drawn = true},
    {"MILP-CCIL", &PAPER_MILP_CCIL, 0, VALUES(NAN, 0.609728, 0.609728, 0.609728, NAN, NAN, 0.769728, NAN, NAN, NAN, NAN),
     .drawn = true},
    {"guarded CCIL", &PAPER_GUARDED, 0, NULL, .drawn = true},
    {"exact CCL", &PAPER_EXACT_CCL, 0, VALUES(0, NAN, NAN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN), .drawn = true},
    {"MILP-CCIL, simulated", &SIMULATED, 0, NULL, .drawn = true},
    {"history-optimal", &PAPER_HISTORY, 0, VALUES(0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN), .drawn = true,
     .single = true},
};

static const paper_line lookahead[] = {
    {"MILP-CCL", &PAPER_MILP_CCL, 0, VALUES(1, 0.1, 1, 1), .drawn = false},
    {"exact CCL", &PAPER_EXACT_CCL, 0, VALUES(NAN, 0.1, 0.5, NAN), .drawn = false},
    {"history-optimal", &PAPER_HISTORY, 0, VALUES(0.1, NAN, NAN, NAN), .drawn = false, .single = true},
};

static const paper_figure paper_figures[] = {
    {.name = "short-horizon",
     .title = "Short horizon: Twin-States, T = 2",
     .make = vouch_generate_twin_states,
     .axis = 'L',
     .T = 2,
     .columns = 3,
     .column = {0, 1, 2},
     .line = short_horizon,
     .lines = LINES(short_horizon),
     .caption = "Maximum regret on Twin-States with T = 2: stochastic policies have less regret, and one observation suffices."},
    {.name = "twin-states",
     .title = "Twin-States: in A at time T with probability 1, K = 9",
     .make = vouch_generate_twin_states,
     .axis = 'T',
     .columns = 7,
     .column = {2, 3, 5, 7, 9, 11, 13},
     .line = twin_states,
     .lines = LINES(twin_states),
     .note = "* Greedy as the paper defines it gives our row; the paper's printed row results if the reward of the last action is "
             "left out for Greedy alone. A value in parentheses is the paper's where ours differs.",
     .caption = "Maximum regret on Twin-States. Replanning after every step (MILP-CCIL, L = 1) does as well as planning with three "
                "observations."},
    {.name = "t-maze",
     .title = "Slippery T-Maze 3,2,2,2: in c at time 10 with probability 0.6, K = 2",
     .make = paper_maze,
     .axis = 'L',
     .T = 10,
     .columns = 11,
     .column = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
     .line = t_maze,
     .lines = LINES(t_maze),
     .caption = "Maximum regret on the Slippery T-Maze. A larger L is not always better for deterministic policies; replanning "
                "after a few steps compensates."},
    {.name = "lookahead",
     .title = "Lookahead can hurt: an example with stochastic transitions, T = 3",
     .make = make_lookahead,
     .axis = 'L',
     .T = 3,
     .columns = 4,
     .column = {0, 1, 2, 3},
     .line = lookahead,
     .lines = LINES(lookahead)},
};
static const int paper_figure_count = LINES(paper_figures);

typedef struct session {
    const cli_common *common;
    vouch_engine engine;
    long long episodes; /* of simulations, in each environment */
    deadline limit;
    text *page;                  /* NULL: none */
    int cells, agreeing, proved; /* cells with a reference; proved: every optimum was */
    int checks, holding;
    vouch_model *model;         /* of the cell; owned */
    vouch_ccil *ccil;           /* of the cell; owned */
    bool first;                 /* JSON: no comma yet */
    double least_spare;         /* least Pr(S_T in Phi | k) - p of all policies computed */
    long long policies, broken; /* broken: violated commitments */
    const char *folder;         /* of proofs; NULL: none are written */
    int proofs, verified, less; /* less: proofs that show less than the method claims */
} session;

/* Tolerance of reproduced values: references are exact or rounded to six decimals. */
#define AGREES 1e-6

enum { FIGURES = 16 }; /* environments whose figures are kept */
typedef struct paper_answer {
    double regret;
    bool proved;
    vouch_environment_figures figures[FIGURES]; /* of the first environments */
    int environments;
} paper_answer;

/* A table in print and on the page. */
typedef struct shown_table {
    session *s;
    struct table *t; /* NULL: nothing is printed */
    int rows;
} shown_table;

/* ---- cells ---- */

static const double SHOWN_AS_ZERO = 1e-9; /* smaller values are rounding */

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
    vouch_policy *policy = NULL;
    vouch_plan_result result;
    cli_try(vouch_plan(&policy, m, o, &cli_error));
    vouch_policy_get_result(policy, &result);
    a->proved = result.outcome == VOUCH_PLAN_OPTIMAL;
    if (result.has_policy) {
        a->regret = result.max_regret;
        keep_figures(s, m, result.figures, result.environments, a);
    }
    vouch_policy_free(policy);
}

/* CCIL on the model, freed with the session. */
static void plan_again(session *s, const vouch_model *m, const vouch_ccil_options *o)
{
    vouch_ccil_free(s->ccil);
    cli_try(vouch_ccil_new(&s->ccil, m, o, &cli_error));
}

/* Maximum regret of a method, planned once, or with replanning evaluated exactly. */
static paper_answer solve(session *s, const vouch_model *m, const paper_method *r, int L)
{
    paper_answer a = {.regret = NAN};
    vouch_plan_options o = plan_options(s, r, L);
    report_progress("%s, T = %d, L = %d", paper_method_name(r), vouch_model_horizon(m), L);
    if (r->course == COURSE_ONE_PLAN) {
        plan_once(s, m, &o, &a);
        return a;
    }
    vouch_ccil_options co;
    vouch_ccil_result result;
    vouch_ccil_options_init(&co);
    co.plan = o;
    co.guarded = r->course == COURSE_GUARDED;
    plan_again(s, m, &co);
    cli_try(vouch_ccil_evaluate(s->ccil, &cli_error));
    vouch_ccil_get_result(s->ccil, &result);
    a.proved = result.outcome == VOUCH_PLAN_OPTIMAL;
    a.regret = result.max_regret;
    if (result.has_policy) keep_figures(s, m, result.figures, result.environments, &a);
    return a;
}

/* The largest regret in the means of simulated CCIL, and half its interval. */
static double sample(session *s, const vouch_model *m, int L, double *half)
{
    vouch_ccil_options co;
    vouch_ccil_result result;
    vouch_simulation_options so;
    vouch_sample found[FIGURES] = {{0}};
    double most = NAN;
    CHECK(vouch_model_environments(m) <= FIGURES);
    vouch_ccil_options_init(&co);
    co.plan = plan_options(s, &PAPER_MILP_CCIL, L);
    vouch_simulation_options_init(&so);
    so.episodes = s->episodes;
    so.seed = s->common->seed;
    so.threads = s->common->threads;
    so.limits = co.plan.limits;
    *half = NAN;
    plan_again(s, m, &co);
    cli_try(vouch_simulate_ccil(s->ccil, &so, found, &cli_error));
    vouch_ccil_get_result(s->ccil, &result);
    for (int k = 0; k < result.environments; k++) {
        double regret = result.figures[k].optimal_value - found[k].mean;
        if (isnan(most) || regret > most) {
            most = regret;
            *half = found[k].half_width;
        }
    }
    return most;
}

/* ---- one table, printed and on the page ------------------------------------------------------------------------- */

/* headers: NULL-ended; a leading '<' is skipped on the page. */
static shown_table report_table(session *s, const char *const headers[])
{
    text *body = s->page;
    if (body) text_add(body, "<div class=\"scrolls\"><table>\n<tr>");
    for (int i = 0; body && headers[i]; i++) {
        text_add(body, "<th>");
        xml_add(body, headers[i] + (headers[i][0] == '<'));
        text_add(body, "</th>");
    }
    if (body) text_add(body, "</tr>\n");
    return (shown_table){s, s->common->json ? NULL : table_new(headers), 0};
}

static void report_line(shown_table *h, const char *label)
{
    if (h->t) table_cell(h->t, "%s", label);
    if (!h->s->page) return;
    text_add(h->s->page, h->rows++ ? "</tr>\n<tr>" : "<tr>");
    page_cell(h->s->page, NULL, "%s", label);
}

/* "19", "19 (13)" where the reference differs, "-" for none. */
static void report_value(shown_table *h, double value, double reference)
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

static void report_table_end(shown_table *h)
{
    if (h->s->page) text_add(h->s->page, "%s</table></div>\n", h->rows ? "</tr>\n" : "");
    if (!h->t) return;
    report_clear();
    table_print(h->t, stdout);
    printf("\n");
}

/* Breaks words into lines of at most 110 characters. */
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

/* Prints and counts a numbered claim, whether it holds, and its numbers. */
static void report_check(session *s, bool passed, const char *claim, const char *format, ...)
{
    char numbers[512];
    va_list args;
    va_start(args, format);
    vsnprintf(numbers, sizeof numbers, format, args);
    va_end(args);
    s->checks++;
    s->holding += passed;
    report_clear();
    const char *verdict = passed ? "holds" : "FAILS";
    if (!s->common->json) printf("  %2d. %s  %s\n            %s\n", s->checks, verdict, claim, numbers);
    if (!s->page) return;
    text *body = s->page;
    text_add(body, "<div class=\"check\"><p>%d.</p><div><p><span class=\"%s\">%s</span> ", s->checks, passed ? "good" : "bad",
             verdict);
    xml_add(body, claim);
    text_add(body, "</p><p class=\"soft\">");
    xml_add(body, numbers);
    text_add(body, "</p></div></div>\n");
}

static void report_words(session *s, const char *words)
{
    if (!s->common->json) print_wrapped(words);
    if (s->page) page_paragraph(s->page, "%s", words);
}

static void report_heading(session *s, const char *title)
{
    if (!s->common->json) printf("%s\n\n", title);
    if (!s->page) return;
    text_add(s->page, "<h2>");
    xml_add(s->page, title);
    text_add(s->page, "</h2>\n");
}

/* Counts a cell of a figure and prints it as JSON if requested. reference NAN: none. */
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

/* The data of a drawn line. */
typedef struct drawn_line {
    double y[PAPER_COLUMNS], half[PAPER_COLUMNS]; /* NAN: no point, no interval */
} drawn_line;

static figure_cell cell_of(const paper_figure *f, const paper_line *l, int column)
{
    int T = f->axis == 'T' ? f->column[column] : f->T;
    if (f->axis == 'L') return (figure_cell){l->method, T, l->single ? T : f->column[column]};
    return (figure_cell){l->method, T, l->L == PAPER_WHOLE ? T : l->L};
}

/* Is L possible for the method? Replanning needs at least one step. */
static bool possible(const figure_cell *at) { return at->L <= at->T && (at->L > 0 || at->method->course == COURSE_ONE_PLAN); }

static void free_proof(void *p) { prove_free(p); }

/* Plans again with a proof, written beside its model into the folder, and checks it. */
static void prove_cell(session *s, const paper_figure *f, const figure_cell *at, const vouch_model *m, bool proved)
{
    vouch_policy *policy;
    vouch_plan_result result;
    vouch_plan_options o = plan_options(s, at->method, at->L);
    prove *p = CLI_NEW(prove, 1);
    text name = {0}, proof = {0};
    text_add(&name, "%s/%s-%s-T%d-L%d.json", s->folder, f->name, paper_method_name(at->method), at->T, at->L);
    text_add(&proof, "%s/%s-%s-T%d-L%d.vproof.gz", s->folder, f->name, paper_method_name(at->method), at->T, at->L);
    const char *model = cli_string(&name);
    cli_try(vouch_model_write(m, model, &cli_error));
    cli_own(free_proof, p);
    cli_check(prove_start(p, NULL, model, cli_string(&proof), &o));
    cli_try(vouch_plan(&policy, m, &o, &cli_error));
    cli_own_policy(policy);
    vouch_policy_get_result(policy, &result);
    cli_try(prove_end(p, m, &result, "nothing was shown", &cli_error));
    prove_check(p, NULL, 0);
    s->proofs++;
    s->verified += p->outcome == PROVE_VERIFIED;
    if (p->outcome != PROVE_VERIFIED) (void)prove_tell(p, true, true, CLI_SOLVED);
    s->less += proved && result.outcome != VOUCH_PLAN_OPTIMAL;
}

/* The model of a cell, freed with the next one. */
static vouch_model *take_model(session *s, vouch_status (*make)(vouch_model **model, int T, vouch_error *error), int T)
{
    vouch_model_free(s->model);
    s->model = NULL;
    cli_try(make(&s->model, T, &cli_error));
    return s->model;
}

static void run_cell(session *s, const paper_figure *f, const figure_cell *at, double reference, double *y, double *half)
{
    vouch_model *m = take_model(s, f->make, at->T);
    if (at->method->course == COURSE_SIMULATED) {
        *y = sample(s, m, at->L, half);
        return;
    }
    paper_answer a = solve(s, m, at->method, at->L);
    *y = a.regret;
    record(s, f->name, at, &a, reference);
    if (s->folder && at->method->course == COURSE_ONE_PLAN && !isnan(a.regret)) prove_cell(s, f, at, m, a.proved);
}

static void run_line(session *s, const paper_figure *f, const paper_line *l, shown_table *h, drawn_line *d)
{
    report_line(h, l->label);
    for (int c = 0; c < f->columns; c++) {
        double reference = l->reference ? l->reference[c] : NAN;
        figure_cell at = cell_of(f, l, c);
        d->y[c] = d->half[c] = NAN;
        if (l->single && c > 0) {
            d->y[c] = d->y[0];
            if (h->t) table_cell(h->t, "%s", "");
            if (h->s->page) page_cell(h->s->page, "soft", "%s", "");
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

static void experiment_run(session *s, const paper_figure *f)
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
    for (int i = 0; i < f->lines; i++) run_line(s, f, &f->line[i], &h, &line[i]);
    report_table_end(&h);
    if (f->note) report_words(s, f->note);
    if (s->page && f->caption) draw(s, f, line);
}

/* ---- the paper's observations and theorems ---- */

/* Values of different policies closer than this are equal: gaps and tolerances of the planner. */
static const double EQUAL = 1e-4;

/* A leads to B with 0.8 and to C with 0.2; B leads to D, C does not. Commitment: in D with 0.8, `steps` after `start`. */
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

static vouch_status make_from_a(vouch_model **m, int T, vouch_error *error)
{
    (void)error;
    return make_branches(m, 0, T);
}

static void check_replanning(session *s)
{
    enum { C = 2 };
    vouch_model *m = take_model(s, make_from_a, 2), *rest;
    double from_a, from_c, kept = solve(s, m, &PAPER_MILP_CCIL, 1).figures[0].commitment_probability;
    cli_try(make_branches(&rest, C, 1));
    cli_own_model(rest);
    cli_try(vouch_explain_alone(m, &from_a, &cli_error));
    cli_try(vouch_explain_alone(rest, &from_c, &cli_error));
    report_check(s, fabs(from_a - 0.8) <= AGREES && from_c < 0.8 && fabs(kept - 0.8) <= AGREES,
                 "Replanning for the original commitment can be infeasible; for the remaining promise of the policy in force it "
                 "never is.",
                 "be in D at time 2 with 0.8: from A %.4g, from C at most %.4g; CCIL owes 0 there and keeps %.4g overall", from_a,
                 from_c, kept);
}

static void check_twin_states(session *s)
{
    const vouch_model *m = take_model(s, vouch_generate_twin_states, 7);
    double at[5];
    static const int L[] = {0, 1, 2, 3, 7};
    for (int i = 0; i < 5; i++) at[i] = solve(s, m, &PAPER_MILP_CCL, L[i]).regret;
    report_check(s, at[0] >= at[1] && at[1] >= at[2] && at[2] >= at[3] && at[3] >= at[4],
                 "On Twin-States, whose transitions are deterministic, a larger L never raises the regret.",
                 "Twin-States, T = 7, L = 0, 1, 2, 3, 7: %g, %g, %g, %g, %g", at[0], at[1], at[2], at[3], at[4]);
    double again = solve(s, m, &PAPER_MILP_CCIL, 1).regret, guarded = solve(s, m, &PAPER_GUARDED, 1).regret,
           untied = solve(s, m, &PAPER_UNTIED, 1).regret, history = solve(s, m, &PAPER_HISTORY, 7).regret;
    report_check(s, again <= at[1] + AGREES, "Replanning lowers the regret of the first plan here.",
                 "Twin-States, T = 7, L = 1: MILP-CCL %g, MILP-CCIL %g (%g without the tie-break)", at[1], again, untied);
    report_check(s, guarded <= at[1] + AGREES, "Guarded replanning is never worse than the first plan.",
                 "Twin-States, T = 7, L = 1: MILP-CCL %g, guarded CCIL %g", at[1], guarded);
    report_check(s, history <= fmin(again, at[4]) + AGREES, "No method is below the history-optimal regret.",
                 "Twin-States, T = 7: history-optimal %.7g, MILP-CCL with L = T %g, MILP-CCIL %g", history, at[4], again);
}

static void check_short(session *s)
{
    const vouch_model *m = take_model(s, vouch_generate_twin_states, 2);
    double d0 = solve(s, m, &PAPER_MILP_CCL, 0).regret, d1 = solve(s, m, &PAPER_MILP_CCL, 1).regret,
           e0 = solve(s, m, &PAPER_EXACT_CCL, 0).regret, e1 = solve(s, m, &PAPER_EXACT_CCL, 1).regret;
    report_check(s, e0 < d0 && e1 < d1, "Stochastic policies can do better than every deterministic one.",
                 "Twin-States, T = 2: L = 0: %g against %g; L = 1: %.7g against %g", e0, d0, e1, d1);
}

static void check_lookahead(session *s)
{
    const vouch_model *m = take_model(s, make_lookahead, 3);
    double one = solve(s, m, &PAPER_EXACT_CCL, 1).regret, two = solve(s, m, &PAPER_EXACT_CCL, 2).regret;
    report_check(s, one < two - EQUAL, "With stochastic transitions a larger L can raise the regret.",
                 "exact CCL: L = 1: %.6g, L = 2: %.6g", one, two);
}

static void check_t_maze(session *s)
{
    const vouch_model *m = take_model(s, paper_maze, 10);
    double half = 0, exact = solve(s, m, &PAPER_MILP_CCIL, 1).regret, drawn = sample(s, m, 1, &half);
    report_check(s, fabs(exact - drawn) <= 3 * half, "Simulated CCIL agrees with its exact evaluation.",
                 "Slippery T-Maze, L = 1: exact %.7g, simulated %.5g +- %.2g", exact, drawn, half);
}

static void experiment_checks(session *s)
{
    static void (*const all[])(session *) = {check_replanning, check_short, check_twin_states, check_lookahead, check_t_maze};
    report_heading(s, "The paper's observations and theorems, in numbers");
    report_words(s, "This report numbers its checks itself; the paper numbers its observations and theorems differently.");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) all[i](s);
    report_check(s, s->broken == 0,
                 "Theorem CCIL: every policy keeps its commitment in every environment, with and without replanning.",
                 "of %lld policies and behaviours computed here, the least Pr(S_T in Phi | k) - p is %.3g", s->policies,
                 fabs(s->least_spare) < SHOWN_AS_ZERO ? 0 : s->least_spare);
    if (!s->common->json) printf("\n");
}

/* ---- price of a guarantee
 *
 * The largest mean reward over a prior w, sum_k w(k) U(k), of deterministic policies that promise p in every environment, Pr(k) >=
 * p; on average, sum_k w(k) Pr(k) >= p; or nothing. Each promise implies the next, so the values are ascending; the difference of
 * the first two is the price of the guarantee. On the paper's two domains. Priors of Twin-States are uniform over all priors: w(k)
 * in proportion to -log u, u uniform; values are means over them. ----
 */

typedef enum promise_kind { NO_PROMISE, ON_AVERAGE, IN_EVERY, PROMISE_KINDS } promise_kind;
static const char *const kind_names[PROMISE_KINDS] = {"none", "on average", "in every environment"};

enum { LEVELS = 5 };
static const double level[LEVELS] = {0.2, 0.4, 0.6, 0.8, 0.99};

typedef struct compared {
    const char *name, *title, *caption;
    vouch_status (*make)(vouch_model **model, int T, vouch_error *error);
    int T, L, priors; /* number of random priors; 0: a uniform prior */
} compared;

static const compared domains[] = {
    {"twin-states", "Price of a guarantee: Twin-States, T = 5, MILP-CCL with L = 1, mean over 5 random priors",
     "Expected reward on Twin-States by the probability promised. A promise on average over the prior costs little, as the policy "
     "may break it where keeping it is costly and unlikely.",
     vouch_generate_twin_states, 5, 1, 5},
    {"t-maze", "Price of a guarantee: Slippery T-Maze 3,2,2,2, T = 10, MILP-CCL with L = 0, both environments equally likely",
     "Expected reward on the Slippery T-Maze by the probability promised.", paper_maze, 10, 0, 0},
};

/* The largest mean reward; NAN: the promise is infeasible. */
static double earned(session *s, const compared *d, vouch_model *m, promise_kind kind, double p)
{
    vouch_plan_options o = plan_options(s, &PAPER_MILP_CCL, d->L);
    vouch_policy *policy;
    vouch_plan_result result;
    o.objective = VOUCH_OBJECTIVE_WEIGHTED;
    report_progress("%s, promise %s, p = %g", d->name, kind_names[kind], p);
    cli_try(vouch_model_set_probability(m, kind == NO_PROMISE ? 0 : p));
    cli_try(vouch_model_set_promise_average(m, 0, kind == ON_AVERAGE));
    cli_try(vouch_plan(&policy, m, &o, &cli_error));
    vouch_policy_get_result(policy, &result);
    double value = result.has_policy ? result.value : NAN;
    if (result.outcome != VOUCH_PLAN_OPTIMAL && result.outcome != VOUCH_PLAN_INFEASIBLE) s->proved = 0;
    vouch_policy_free(policy);
    return value;
}

/* Adds the values for one prior, drawn or uniform. */
static void run_prior(session *s, const compared *d, rng *r, double value[PROMISE_KINDS][LEVELS])
{
    vouch_model *m = take_model(s, d->make, d->T);
    double *prior = CLI_NEW(double, vouch_model_environments(m));
    for (int k = 0; k < vouch_model_environments(m); k++) prior[k] = d->priors ? -log(1 - rng_unit(r)) : 1;
    cli_try(vouch_model_set_prior(m, prior));
    for (int kind = 0; kind < PROMISE_KINDS; kind++) {
        double here = NAN;
        for (int i = 0; i < LEVELS; i++) {
            if (i == 0 || kind != NO_PROMISE) here = earned(s, d, m, (promise_kind)kind, level[i]);
            value[kind][i] += here;
        }
    }
}

static void print_json(session *s, const compared *d, double value[PROMISE_KINDS][LEVELS])
{
    for (int kind = 0; kind < PROMISE_KINDS; kind++)
        for (int i = 0; i < LEVELS; i++) {
            printf("%s\n    { \"experiment\": \"guarantees\", \"domain\": \"%s\", \"promise\": \"%s\", \"p\": %g, \"value\": ",
                   s->first ? "" : ",", d->name, kind_names[kind], level[i]);
            printf(isnan(value[kind][i]) ? "null }" : "%.17g }", value[kind][i]);
            s->first = false;
        }
}

static void run_domain(session *s, const compared *d)
{
    double value[PROMISE_KINDS][LEVELS] = {{0}};
    char word[LEVELS][16];
    const char *headers[LEVELS + 2] = {"<promise"};
    rng r = rng_seed(s->common->seed);
    plot_line line[PROMISE_KINDS];
    bool ordered = true;
    for (int i = 0; i < (d->priors ? d->priors : 1) && !report_interrupted(); i++) run_prior(s, d, &r, value);
    if (report_interrupted()) return;
    for (int i = 0; i < LEVELS; i++) {
        snprintf(word[i], sizeof word[i], i ? "%g" : "p = %g", level[i]);
        headers[i + 1] = word[i];
    }
    report_heading(s, d->title);
    shown_table h = report_table(s, headers);
    for (int kind = PROMISE_KINDS - 1; kind >= 0; kind--) {
        report_line(&h, kind_names[kind]);
        for (int i = 0; i < LEVELS; i++) {
            value[kind][i] /= d->priors ? d->priors : 1;
            report_value(&h, value[kind][i], NAN);
            if (kind + 1 < PROMISE_KINDS) ordered = ordered && !(value[kind][i] < value[kind + 1][i] - AGREES);
        }
        line[kind] = (plot_line){kind_names[kind], LEVELS, level, value[kind], NULL, NULL, NULL};
    }
    report_table_end(&h);
    report_words(s, "Expected reward over the prior. A promise in every environment implies the promise on average; the difference "
                    "of the two lines is the price of the guarantee.");
    report_check(s, ordered, "A stronger promise never earns more.",
                 "p = %g: %.7g in every environment, %.7g on average, %.7g without", level[LEVELS - 1], value[IN_EVERY][LEVELS - 1],
                 value[ON_AVERAGE][LEVELS - 1], value[NO_PROMISE][LEVELS - 1]);
    if (s->common->json) print_json(s, d, value);
    if (s->page) page_chart(s->page, d->caption, &(plot){"p", "expected reward", line, PROMISE_KINDS});
}

static void experiment_guarantees(session *s)
{
    for (size_t i = 0; i < sizeof domains / sizeof *domains && !report_interrupted(); i++) run_domain(s, &domains[i]);
}

typedef struct reproduce_args {
    cli_common common;
    int engine;
    long long episodes;
    const char *output, *proofs;
} reproduce_args;

static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "REPORT.html", offsetof(reproduce_args, output), NULL,
     .help = "write tables, figures and checks as an HTML page"},
    {CLI_TEXT, 0, "proofs", "DIR", offsetof(reproduce_args, proofs), NULL,
     .help = "write a model and a proof of each plan into a directory, and have vouch-check verify them"},
    {CLI_WORD, 0, "engine", "E", offsetof(reproduce_args, engine), "auto", .words = "auto|policy|lp",
     .help = "branch and bound on policies, or on the linear program"},
    {CLI_LONG, 0, "episodes", "N", offsetof(reproduce_args, episodes), "10000", 1, 1e9,
     .help = "of simulations, in each environment"},
    {0},
};

#define PREFACE                                                                                                                    \
    "Zhang, Singh, Durfee, Minimizing Maximum Regret in Commitment Constrained Sequential Decision Making, ICAPS 2017, "           \
    "recomputed by vouch %s. All regrets are computed from finished policies, propagated through every environment; for CCIL "     \
    "they are exact, without sampling, unless noted. A tick: the value agrees with its reference. Where marks of several lines "   \
    "coincide, the earlier line has the larger one."

/* Prints the last line, and ends the page. */
static void finish(session *s, const reproduce_args *args)
{
    double seconds = clock_seconds() - s->limit.start;
    char values[96], checks[64] = "", proofs[128] = "", summary[384];
    if (s->checks) snprintf(checks, sizeof checks, "; %d of %d checks hold", s->holding, s->checks);
    if (s->folder)
        snprintf(proofs, sizeof proofs, "; %d of %d proofs verified, %d show less than is said here", s->verified, s->proofs,
                 s->less);
    if (s->cells)
        snprintf(values, sizeof values, "%d of %d values agree with the reference to 1e-6", s->agreeing, s->cells);
    else
        snprintf(values, sizeof values, "no value has a reference");
    snprintf(summary, sizeof summary, "%s%s%s%s; %.2f s", values, s->proved ? ", all proved optimal" : "", checks, proofs, seconds);
    if (!args->common.json)
        printf("%s\n", summary);
    else
        printf(" ],\n  \"compared\": %d, \"agreeing\": %d, \"checks\": %d, \"holding\": %d, \"seconds\": %.3f }\n", s->cells,
               s->agreeing, s->checks, s->holding, seconds);
    if (!s->page || report_interrupted()) return;
    page_paragraph(s->page, "%s.", summary);
    page_guide(s->page, (const char *const[]){"sweeps", "planning-again", "promises", NULL});
    page_write(s->page, "Commitments kept with least regret", args->output);
}

static void free_session(void *object)
{
    session *s = object;
    vouch_ccil_free(s->ccil);
    vouch_model_free(s->model);
}

static int run(void *arguments, char **operand)
{
    const reproduce_args *args = arguments;
    const char *which = operand[0] ? operand[0] : "all";
    vouch_limits limits = cli_limits(&args->common);
    bool all = strcmp(which, "all") == 0, checks_too = all || strcmp(which, "checks") == 0;
    bool guarantees = all || strcmp(which, "guarantees") == 0, found = checks_too || guarantees;
    for (int i = 0; i < paper_figure_count; i++) found |= strcmp(which, paper_figures[i].name) == 0;
    if (!found) {
        const char *near = nearest_word(which, PAPER_NAMES);
        cli_die("there is no experiment \"%s\"; expected one of " PAPER_NAMES "%s%s%s", which, near ? "; did you mean " : "",
                near ? near : "", near ? "?" : "");
    }
    if (args->proofs && mkdir(args->proofs, 0777) != 0 && errno != EEXIST) cli_die("%s: %s", args->proofs, system_text(errno));
    session *s = CLI_NEW(session, 1);
    *s = (session){.common = &args->common,
                   .engine = (vouch_engine)args->engine,
                   .episodes = args->episodes,
                   .limit = deadline_start(&limits),
                   .page = args->output ? cli_text() : NULL,
                   .proved = 1,
                   .first = true,
                   .folder = args->proofs,
                   .least_spare = INFINITY};
    cli_own(free_session, s);
    if (args->common.json) printf("{ \"cells\": [");
    if (s->page) page_paragraph(s->page, PREFACE, vouch_version());
    for (int i = 0; i < paper_figure_count && !report_interrupted(); i++)
        if (all || strcmp(which, paper_figures[i].name) == 0) experiment_run(s, &paper_figures[i]);
    if (guarantees && !report_interrupted()) experiment_guarantees(s);
    if (checks_too && !report_interrupted()) experiment_checks(s);
    finish(s, args);
    if (report_interrupted()) return CLI_INTERRUPTED;
    if (s->agreeing == s->cells && s->holding == s->checks && s->verified == s->proofs) return CLI_SOLVED;
    return s->proved ? CLI_NUMERICAL : CLI_LIMIT;
}

const cli_command cli_reproduce = {
    .name = "reproduce",
    .operands = "[" PAPER_NAMES "]",
    .more_operands = 1,
    .summary = "compute the paper's tables and figures, ours beside the paper's",
    .text = "Computes the short-horizon figure, the Twin-States table, the Slippery T-Maze figure and the example in which a "
            "larger lookahead hurts (Zhang, Singh, Durfee, ICAPS 2017), compares each number with its reference, and checks the "
            "paper's observations and theorems. guarantees: the price of a promise in every environment, compared to a promise on "
            "average over a prior and to none.",
    .examples = "vouch reproduce twin-states\n",
    .options = options,
    .size = sizeof(reproduce_args),
    .run = run,
};
