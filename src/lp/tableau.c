/* lp/tableau.c - see tableau.h. */
#include "lp/tableau.h"

#include "base/check.h"
#include "base/memory.h"
#include "la/sparse.h"
#include "la/vector.h"
#include "lp/lu.h"
#include "lp/tolerance.h"

struct tableau {
    int m, n;
    sparse a; /* owned: the columns */
    lu *factors;
    vector u;                               /* owned: [m] */
    int *head;                              /* owned: [m], the basic variables by position */
    unsigned char *row_status, *col_status; /* owned: [m], [n] */
};

/* False: memory. */
static bool make_room(tableau *t, const vouch_lp_data *d)
{
    t->factors = lu_new(t->m);
    t->head = MEM_NEW(int, t->m);
    t->row_status = MEM_NEW(unsigned char, t->m);
    t->col_status = MEM_NEW(unsigned char, t->n);
    if (!t->factors || !t->head || !t->row_status || !t->col_status) return false;
    if (sparse_init(&t->a, t->m) != 0 || vector_init(&t->u, t->m) != 0) return false;
    if (sparse_reserve(&t->a, (size_t)t->n, (size_t)d->start[t->n]) != 0) return false;
    for (int j = 0; j < t->n; j++)
        if (sparse_append(&t->a, d->start[j + 1] - d->start[j], d->index + d->start[j], d->value + d->start[j]) != 0) return false;
    return true;
}

/* False: the basis is not one of m independent columns. */
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
    tableau *t = MEM_ZERO(tableau, 1);
    if (!t) return NULL;
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    t->m = d.rows;
    t->n = d.cols;
    if (make_room(t, &d)) {
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
    vector_free(&t->u);
    mem_free(t->head);
    mem_free(t->row_status);
    mem_free(t->col_status);
    mem_free(t);
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
