/* lp/tableau.c - see tableau.h. Markowitz factors of the basis of the statuses, independent of the engine. */
#include "lp/tableau.h"

#include "base/check.h"
#include "la/sparse.h"
#include "la/lu.h"
#include "lp/tolerance.h"

struct tableau {
    arena memory; /* of the arrays below, itself included */
    int m, n;
    sparse a; /* owned: the columns */
    lu *factors;
    vector u;                               /* [m] */
    int *head;                              /* [m] the basic variables by position */
    unsigned char *row_status, *col_status; /* [m], [n] */
};

/* False: not m independent columns. */
static bool factorise(tableau *t)
{
    int basic = 0, replaced = 0;
    for (int i = 0; i < t->m; i++)
        if (t->row_status[i] == VOUCH_BASIC) t->head[basic++] = i;
    for (int j = 0; j < t->n; j++)
        if (t->col_status[j] == VOUCH_BASIC && basic < t->m) t->head[basic++] = t->m + j;
    return basic == t->m && lu_factor(t->factors, &t->a, t->head, LU_THRESHOLD, &replaced) == 0 && replaced == 0;
}

tableau *tableau_new(const vouch_lp *lp)
{
    if (!vouch_lp_has_basis(lp) || vouch_lp_rows(lp) == 0) return NULL;
    arena a = {0};
    tableau *t = ARENA_ZERO(&a, tableau, 1);
    if (!t) return NULL;
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    t->m = d.rows;
    t->n = d.cols;
    t->head = ARENA_NEW(&a, int, t->m);
    t->row_status = ARENA_NEW(&a, unsigned char, t->m);
    t->col_status = ARENA_NEW(&a, unsigned char, t->n);
    vector_init(&t->u, &a, t->m);
    t->memory = a;
    t->factors = lu_new(t->m);
    if (!a.failed && t->factors && !sparse_load(&t->a, t->m, t->n, d.start, d.index, d.value)) {
        vouch_lp_get_basis(lp, t->row_status, t->col_status);
        if (factorise(t)) return t;
    }
    tableau_free(t);
    return NULL;
}

void tableau_free(tableau *t)
{
    if (!t) return;
    sparse_free(&t->a);
    lu_free(t->factors);
    arena_free(&t->memory);
}

int tableau_rows(const tableau *t) { return t->m; }

int tableau_basic_col(const tableau *t, int p)
{
    CHECK(p >= 0 && p < t->m);
    return t->head[p] >= t->m ? t->head[p] - t->m : -1;
}

const double *tableau_multipliers(tableau *t, int p)
{
    CHECK(p >= 0 && p < t->m);
    vector_clear(&t->u);
    vector_add(&t->u, p, 1);
    lu_btran(t->factors, &t->u, LU_ROW, false);
    return t->u.value;
}

const unsigned char *tableau_row_status(const tableau *t) { return t->row_status; }
