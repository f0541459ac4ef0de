/* mip/scene.h - cutting planes: rows sum_j v_j x_j <= upper that every integer point keeps and the relaxation's point
 * breaks; what their separators see, and where they put what they find. */
#ifndef MIP_SCENE_H
#define MIP_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <vouch/mip.h>

#include "mip/model.h"

/* How a cut was made by mixed-integer rounding, for who derives it again: the sum of these rows, times these factors, with the
 * columns listed complemented or measured from their upper bounds, the others from their lower ones, and divisor 1. */
typedef struct cut_recipe {
    int rows, uppers;
    int *row;          /* owned: [rows] */
    double *factor;    /* owned: [rows] */
    signed char *side; /* owned: [rows] 1: the row's upper side, -1: its lower, 0: an equation */
    int *upper;        /* owned: [uppers] */
} cut_recipe;

typedef struct mip_cut {
    int count;
    int *index;    /* owned: [count], ascending */
    double *value; /* owned: [count] */
    double upper;
    double norm;        /* Euclidean, of value */
    double efficacy;    /* distance of the point from it */
    int family;         /* that found it: its place in VOUCH_MIP_CUTS */
    cut_recipe *recipe; /* owned; NULL: none was wanted, or it was not made by rounding */
} mip_cut;

typedef struct cut_list {
    mip_cut *item; /* owned: [count] */
    size_t count, capacity;
} cut_list;

void cut_free(mip_cut *c); /* what it owns */
/* With room for so many; NULL: memory. */
cut_recipe *cut_recipe_new(int rows, int uppers);
void cut_recipe_free(cut_recipe *r);
void cut_list_free(cut_list *l);
/* Moves the most distant cuts that are not too parallel to one another to the front; their number, at most `most`. */
size_t cut_list_choose(cut_list *l, size_t most);

/* x <= factor * z + constant (or >=) with z integer, implied by a row of two columns. */
typedef struct variable_bound {
    int z; /* -1: none */
    double factor, constant;
    int row, side;      /* that implies it: its upper side (1) or its lower */
    double coefficient; /* of x in that row */
} variable_bound;

/* What a separator sees: the relaxation with its rows, its point and the bounds that hold everywhere. */
typedef struct cut_scene {
    arena memory; /* of the arrays below and of the separators' aggregates */
    const mip_model *model;
    const vouch_lp *lp;              /* the relaxation, just solved */
    const double *lower, *upper, *x; /* [n] */
    int m, n;
    int64_t *start; /* rows of the relaxation, added cuts included */
    int *index;
    double *value;
    const double *row_lower, *row_upper; /* [m] */
    double *activity;                    /* [m] */
    bool *whole;                         /* [m] the slack takes integer values only */
    variable_bound *above, *below;       /* [n] of the continuous columns: those tightest at x */
    cut_list found;
    int family;   /* that is at work */
    bool recipes; /* are kept */
    /* scratch of the separators, zero between calls */
    double *coefficient; /* [n] */
    int *listed;         /* [n] */
    bool *in_list;       /* [n] */
} cut_scene;

/* lp: the relaxation of model and rows that were added; x: [n], its point. */
vouch_status cut_scene_init(cut_scene *c, const mip_model *model, const vouch_lp *lp, const double *lower, const double *upper,
                            const double *x);
void cut_scene_free(cut_scene *c);

/* Adds v to the coefficient of j in the row being made, of *count entries so far. */
void cut_scene_add(cut_scene *c, int *count, int j, double v);
/* Takes the dense row coefficient[listed[0 .. count)] <= upper, clears it, and adds it to found if it is
 * violated, short enough and numerically sane. */
void cut_scene_offer(cut_scene *c, int count, double upper);

/* A combination  sum_j col_j x_j + sum_i slack_i s_i = right  of rows, each with a slack s_i >= 0:
 * row_upper = a x + s (side +1) or row_lower = a x - s (side -1); rows with equal bounds have none (side 0). */
typedef struct aggregate {
    double *col, *slack; /* [n], [m] */
    int *cols, *slacks;  /* where they are nonzero */
    int col_count, slack_count;
    bool *col_in, *slack_in;
    signed char *side;  /* [m] */
    double right, size; /* size: largest term that was added to right */
    int *rows;          /* those added */
    double *factor;     /* [m] of them */
    bool *row_in;       /* [m] */
    int row_count;
} aggregate;

/* Empty; its arrays live as long as the scene. */
vouch_status aggregate_init(aggregate *a, cut_scene *c);
void aggregate_clear(aggregate *a);
/* Adds factor times the row, on the side given (0 is chosen for equations by itself). */
void aggregate_add(aggregate *a, const cut_scene *c, int row, double factor, int side);

/* Mixed-integer rounding of the combination; offers what it finds. gomory: also with divisor 1 and the bounds
 * at which the columns are. True: a cut was offered. */
bool mir_separate(cut_scene *c, const aggregate *a, bool gomory);

/* The separators, one of each family: they offer what they find to the scene; nothing when memory is out. */
#define DECLARE_SEPARATOR(family) void separate_##family(cut_scene *c);
VOUCH_MIP_CUTS(DECLARE_SEPARATOR)
#undef DECLARE_SEPARATOR
/* Of the family of paths: those of sets of nodes. */
void separate_network(cut_scene *c);

#endif
