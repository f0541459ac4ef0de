/* mip/cut_gomory.c - Gomory mixed-integer cuts from rows of the simplex tableau.
 *
 * For a basic integer column with a fractional value, u = B^-T e_p combines the rows into the one in which it
 * alone is basic; rounding that combination (mir.c) with divisor 1 gives the cut of R. E. Gomory, An
 * algorithm for the mixed integer problem (1960). The basis is factorised here anew from its statuses, so
 * nothing is asked of the solver's inside.
 */
#include <math.h>

#include "base/memory.h"
#include "la/sparse.h"
#include "la/vector.h"
#include "lp/lu.h"
#include "lp/tolerance.h"
#include "mip/cuts.h"

#define LEAST_MULTIPLIER 1e-9 /* smaller parts of the combination are noise */
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

void separate_gomory(cut_scene *c, mip_search *s)
{
    vouch_lp_data d;
    vouch_lp_view(s->relax.lp, &d);
    int m = c->m, replaced = 0, count = 0, basic = 0;
    if (m == 0 || !vouch_lp_has_basis(s->relax.lp)) return;
    sparse a = {0};
    vector u = {0};
    aggregate sum = {0};
    lu *factors = lu_new(m);
    int *head = MEM_NEW(int, m);
    tableau_row *rows = MEM_NEW(tableau_row, MOST_TABLEAU_ROWS);
    bool bad =
        !factors || !head || !rows || sparse_init(&a, m) != 0 || vector_init(&u, m) != 0 || aggregate_init(&sum, c) != VOUCH_OK;
    bad = bad || sparse_reserve(&a, (size_t)c->n, (size_t)d.start[c->n]) != 0;
    for (int j = 0; j < c->n && !bad; j++)
        bad = sparse_append(&a, d.start[j + 1] - d.start[j], d.index + d.start[j], d.value + d.start[j]) != 0;
    if (bad) goto done;
    unsigned char *row_status = s->relax.row_status;
    vouch_lp_get_basis(s->relax.lp, row_status, s->relax.col_status);
    for (int i = 0; i < m; i++)
        if (row_status[i] == VOUCH_BASIC) head[basic++] = i;
    for (int j = 0; j < c->n; j++)
        if (s->relax.col_status[j] == VOUCH_BASIC && basic < m) head[basic++] = m + j;
    if (basic != m || lu_factor(factors, &a, head, LU_THRESHOLD, &replaced) != 0 || replaced > 0) goto done;
    for (int p = 0; p < m; p++) {
        int j = head[p] - m;
        if (j < 0 || !s->model->integer[j]) continue;
        double f = c->x[j] - floor(c->x[j]), near = fmin(f, 1 - f);
        if (near > 0.005) insert(rows, &count, (tableau_row){p, near});
    }
    for (int k = 0; k < count; k++) {
        vector_clear(&u);
        vector_add(&u, rows[k].position, 1);
        lu_btran(factors, &u, LU_ROW, false);
        aggregate_clear(&sum);
        double largest = 0;
        for (int i = 0; i < m; i++) largest = fmax(largest, fabs(u.value[i]));
        for (int i = 0; i < m; i++) {
            double w = u.value[i];
            if (fabs(w) <= LEAST_MULTIPLIER * largest) continue;
            bool upper = row_status[i] == VOUCH_AT_UPPER ||
                         (row_status[i] != VOUCH_AT_LOWER && c->row_upper[i] - c->activity[i] < c->activity[i] - c->row_lower[i]);
            if (isinf(c->row_upper[i]) && isinf(c->row_lower[i])) { /* a free row cannot take part; its
                                                                       multiplier is 0 but for rounding */
                aggregate_clear(&sum);
                break;
            }
            aggregate_add(&sum, c, i, w, upper ? 1 : -1);
        }
        if (sum.col_count > 0) (void)mir_separate(c, &sum, true);
    }
    aggregate_clear(&sum);
done:
    lu_free(factors);
    sparse_free(&a);
    vector_free(&u);
    aggregate_free(&sum);
    mem_free(head);
    mem_free(rows);
}
