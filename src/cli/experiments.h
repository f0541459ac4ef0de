/* cli/experiments.h - the paper's experiments, each printed as a table, counted against its references, and drawn on a page. */
#ifndef CLI_EXPERIMENTS_H
#define CLI_EXPERIMENTS_H

#include <stdbool.h>
#include <vouch/vouch.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/page.h"
#include "cli/paper.h"

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

void report_heading(session *s, const char *title);
void report_words(session *s, const char *words);
/* A claim, numbered, whether it holds, and the numbers that say so; counted. */
void report_check(session *s, bool passed, const char *claim, const char *format, ...) VOUCH_PRINTF(4, 5);

/* A table, printed and on the page. */
typedef struct shown_table {
    session *s;
    struct table *t; /* NULL: nothing is printed */
} shown_table;
shown_table report_table(session *s, const char *const headers[]);
void report_line(shown_table *h, const char *label);
/* "19", "19 (13)" where the reference differs, "-" for none. */
void report_value(shown_table *h, double value, double reference);
void report_table_end(shown_table *h);

void experiment_run(session *s, const paper_figure *figure);
void experiment_checks(session *s); /* what the paper observes and proves, in numbers */

#endif
