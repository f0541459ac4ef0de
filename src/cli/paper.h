/* cli/paper.h - the figures of the paper as a table: models, methods, and what is printed there.
 *
 * A figure is a table of maximum regrets over T or over L, a line for each method, and a chart of some of the lines; experiments.c
 * computes and shows any of them.
 */
#ifndef CLI_PAPER_H
#define CLI_PAPER_H

#include <stdbool.h>
#include <vouch/vouch.h>

typedef enum paper_course {
    COURSE_ONE_PLAN, /* planned once */
    COURSE_REPLANNED,
    COURSE_GUARDED,   /* replanned, never to be worse than the policy in force */
    COURSE_UNTIED,    /* replanned, ties of the maximum regret left as they fall */
    COURSE_SIMULATED, /* replanned, by simulation */
    COURSE_PRINTED    /* not computed: what the paper prints */
} paper_course;

typedef struct paper_method {
    vouch_method method;
    paper_course course;
} paper_method;

/* As in JSON: the word of the method, or of CCIL with it. */
const char *paper_method_name(const paper_method *method);
/* Is it expected to be optimal? */
bool paper_method_proves(const paper_method *method);

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
    char axis; /* 'T' or 'L': what the columns are */
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

/* Slippery T-Maze 3,2,2,2 with p = 0.6 and slip 0.8. */
vouch_status paper_maze(vouch_model **model, int T, vouch_error *error);

#endif
