/* cli/reproduce.h - the private header of vouch reproduce. */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include "cli/cli.h"

/* ---- the figures of the paper as data: a figure is a table of maximum regrets over T or over L, one line per method, with the
 * printed values, and a chart of some lines ---- */

typedef enum paper_course {
    COURSE_ONE_PLAN, /* planned once */
    COURSE_REPLANNED,
    COURSE_GUARDED,   /* replanned, never to be worse than the policy in force */
    COURSE_UNTIED,    /* replanned, ties of the maximum regret left as they fall */
    COURSE_SIMULATED, /* replanned, by simulation */
    COURSE_PRINTED    /* not computed: the printed values */
} paper_course;

typedef struct paper_method {
    vouch_method method;
    paper_course course;
} paper_method;

extern const paper_method PAPER_GREEDY, PAPER_MDPS_BEST, PAPER_MILP_CCL, PAPER_EXACT_CCL, PAPER_HISTORY, PAPER_MILP_CCIL,
    PAPER_GUARDED, PAPER_UNTIED;

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

extern const paper_figure paper_figures[];
extern const int paper_figure_count;

/* What `vouch reproduce` accepts: the figures, what guarantees cost, and the checks. */
#define PAPER_NAMES "short-horizon|twin-states|t-maze|lookahead|guarantees|checks|all"

/* ---- one self-contained HTML page: text, tables and line charts (inline SVG), readable in light and dark, on
 * screen and on paper.
 *
 * Nothing is loaded from anywhere: no script, no font, no picture. Colours of series are told apart by people with colour-blindness
 * (M. Okabe, K. Ito, Color Universal Design, 2008) and doubled by the shape of the marks. ---- */

typedef struct page {
    text body;
    bool first_cell; /* a row of a table is open */
} page;

void page_heading(page *p, const char *title);
void page_paragraph(page *p, const char *format, ...) VOUCH_PRINTF(2, 3);
/* headers: NULL-ended; a leading '<' is skipped. */
void page_table_start(page *p, const char *const headers[]);
void page_row(page *p);
/* mark: NULL, or the class of the cell: "good", "bad". */
void page_cell(page *p, const char *mark, const char *format, ...) VOUCH_PRINTF(3, 4);
void page_table_end(page *p);

/* title: also the alternative text of the chart. */
void page_chart(page *p, const char *title, const plot *chart);
/* A numbered check. */
void page_check(page *p, int number, bool passed, const char *claim, const char *numbers);

/* names: NULL-ended, of pages of the guide to read on. */
void page_guide(page *p, const char *const names[]);

/* Writes the page whole. */
vouch_status page_write(page *p, const char *title, const char *path, vouch_error *error);
void page_free(page *p);

/* ---- where the HTML pages of the guide lie on this machine. ---- */

/* ---- the paper's experiments, each printed as a table, counted against its references, and drawn on a page. ---- */

typedef struct session {
    const cli_common *common;
    vouch_engine engine;
    long long episodes; /* of simulations, in each environment */
    deadline limit;
    page *page;                  /* NULL: none */
    int cells, agreeing, proved; /* cells with a reference; proved: every optimum was */
    int checks, holding;
    int wrong;                  /* exit status of a failed call */
    bool first;                 /* JSON: no comma yet */
    double least_spare;         /* least Pr(S_T in Phi | k) - p of all policies computed */
    long long policies, broken; /* broken: commitments that do not count as kept */
    const char *folder;         /* of proofs; NULL: none are written */
    int proofs, verified, less; /* of these, less: show less than the method does */
} session;

/* A reproduced value agrees with its reference within this: both are rounded to six decimals or exact. */
#define AGREES 1e-6

enum { FIGURES = 16 }; /* environments whose figures are kept */
typedef struct paper_answer {
    double regret;
    bool proved;
    vouch_environment_figures figures[FIGURES]; /* of the first environments */
    int environments;
} paper_answer;

/* Maximum regret of a method, planned once or replanned and evaluated exactly; NAN after a message. */
paper_answer solve(session *s, const vouch_model *m, const paper_method *method, int L);
/* The largest regret in the means of simulated CCIL, and half its interval. */
double sample(session *s, const vouch_model *m, int L, double *half);

/* A table, printed and on the page. */
typedef struct shown_table {
    session *s;
    struct table *t; /* NULL: nothing is printed */
} shown_table;
/* "19", "19 (13)" where the reference differs, "-" for none. */

void experiment_run(session *s, const paper_figure *figure);
void experiment_checks(session *s); /* the paper's observations and theorems, checked */

/* ---- price of a guarantee ---- */

/* Tables, pictures, and a check that each promise costs no less than the weaker one. Sets s->wrong where a call fails. */
void experiment_guarantees(session *s);

#endif
