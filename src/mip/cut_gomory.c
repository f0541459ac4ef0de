/* mip/cut_gomory.c - Gomory mixed-integer cuts from rows of the simplex tableau.
 *
 * For a basic integer column with a fractional value, u = B^-T e_p combines the rows into the one in which it
 * alone is basic; rounding that combination (mir.c) with divisor 1 gives the cut of R. E. Gomory, An
 * algorithm for the mixed integer problem (1960).
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/tableau.h"
#include "mip/scene.h"

enum { MOST_TABLEAU_ROWS = 150 };

typedef struct tableau_row {
    int position;
    double score;
} tableau_row;

/* Rows whose value is nearest to one half come first. */
static void insert(tableau_row *list, int *count, tableau_row r)
{
    int at = *count < MOST_TABLEAU_ROWS ? (*count)++ : MOST_TABLEAU_ROWS;
    if (at == MOST_TABLEAU_ROWS) {
        if (list[at - 1].score >= r.score) return;
        at--;
    }
    for (; at > 0 && list[at - 1].score < r.score; at--) list[at] = list[at - 1];
    list[at] = r;
}

/* The combination of rows with multipliers u, each on the side it is at. A free row cannot take part: its multiplier is
 * 0 but for rounding, and the sum is left empty. */
static void combine_rows(const cut_scene *c, const double *u, const unsigned char *row_status, aggregate *sum)
{
    double largest = 0;
    aggregate_clear(sum);
    for (int i = 0; i < c->m; i++) largest = fmax(largest, fabs(u[i]));
    for (int i = 0; i < c->m; i++) {
        if (fabs(u[i]) <= LEAST_MULTIPLIER * largest) continue;
        double above = c->row_upper[i] - c->activity[i], below = c->activity[i] - c->row_lower[i];
        bool upper = row_status[i] == VOUCH_AT_UPPER || (row_status[i] != VOUCH_AT_LOWER && above < below);
        if (isinf(c->row_upper[i]) && isinf(c->row_lower[i])) {
            aggregate_clear(sum);
            return;
        }
        aggregate_add(sum, c, i, u[i], upper ? 1 : -1);
    }
}

void separate_gomory(cut_scene *c)
{
    int count = 0;
    aggregate sum = {0};
    tableau_row *rows = MEM_NEW(tableau_row, MOST_TABLEAU_ROWS);
    tableau *t = tableau_new(c->lp);
    if (!t || !rows || aggregate_init(&sum, c) != VOUCH_OK) goto done;
    CHECK_COMPARE(tableau_rows(t), ==, c->m);
    for (int p = 0; p < c->m; p++) {
        int j = tableau_basic_col(t, p);
        if (j < 0 || !c->model->integer[j]) continue;
        double f = c->x[j] - floor(c->x[j]), near = fmin(f, 1 - f);
        if (near > LEAST_DISTANCE) insert(rows, &count, (tableau_row){p, near});
    }
    for (int k = 0; k < count; k++) {
        combine_rows(c, tableau_multipliers(t, rows[k].position), tableau_row_status(t), &sum);
        if (sum.col_count > 0) (void)mir_separate(c, &sum, true);
    }
done:
    tableau_free(t);
    mem_free(rows);
}
