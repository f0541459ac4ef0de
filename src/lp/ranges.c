/* lp/ranges.c - vouch_lp_ranges: the interval of a bound or a cost for which the optimal basis remains, and the effect beyond.
 *
 *     z_B = -B^-1 N z_N,      alpha_pj = dz_B(p) / dz_j = -e_p' B^-1 N_j,      d_N = c_N - N' B^-T c_B
 *
 * Nonbasic j: the step of z_j at which a basic variable meets a bound. Basic p: the change of its cost at which some d_j + change *
 * alpha_pj gets the wrong sign, and the value of z_p when that j enters; the bounds of z_p itself and of j are ignored, as the
 * question is about them. Everything is defined by the basis alone, in the caller's numbers: other optimal bases have other ranges.
 * Two or three solves a variable. Sources: K. G. Murty, Linear Programming (1983), chapter 8; the report is that of GLPK (reference
 * manual, post-optimal analysis). */
#include <math.h>

#include "base/check.h"
#include "lp/follow.h"
#include "lp/problem.h"
#include "lp/tolerance.h"

typedef struct ranging {
    const vouch_lp *lp;
    int m, vars;
    arena arrays;
    basis *factors;
    sparse rows;
    vector work;
    vector row;              /* [vars] alpha of one position, nonbasic variables only */
    unsigned char *status;   /* [vars] */
    int *head, *where;       /* [m]; [vars] position, -1: nonbasic */
    double *lower, *upper;   /* [vars] */
    double *value, *reduced; /* [vars] */
    double objective;
} ranging;

static double cost_of(const ranging *g, int v) { return v < g->m ? 0 : g->lp->cost[v - g->m]; }

/* work := factor * column v */
static void scatter(ranging *g, int v, double factor)
{
    const sparse *a = &g->lp->a;
    if (v < g->m)
        vector_add(&g->work, v, -factor);
    else
        for (int64_t k = a->start[v - g->m]; k < a->start[v - g->m + 1]; k++)
            vector_add(&g->work, a->index[k], factor * a->value[k]);
}

/* y' column v, y in work */
static double price(const ranging *g, int v)
{
    const sparse *a = &g->lp->a;
    double sum = 0;
    if (v < g->m) return -g->work.value[v];
    for (int64_t k = a->start[v - g->m]; k < a->start[v - g->m + 1]; k++) sum += g->work.value[a->index[k]] * a->value[k];
    return sum;
}

/* work := alpha of column v, by positions */
static void compute_column(ranging *g, int v)
{
    vector_clear(&g->work);
    scatter(g, v, -1);
    basis_ftran(g->factors, &g->work, LU_COLUMN, false);
    vector_pack(&g->work, TOL_PIVOT);
}

/* row := alpha of position p, in ascending order. Rows of the matrix are added in ascending order, too, so that each sum equals
 * that of `price`. */
static void compute_row(ranging *g, int p)
{
    const sparse *rows = &g->rows;
    vector_clear(&g->work);
    vector_clear(&g->row);
    vector_add(&g->work, p, -1);
    basis_btran(g->factors, &g->work, LU_COST, false);
    vector_sort(&g->work);
    for (int k = 0; k < g->work.count; k++) {
        int i = g->work.index[k];
        double y = g->work.value[i];
        if (g->where[i] < 0) vector_add(&g->row, i, -y);
        for (int64_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            int v = g->m + rows->index[e];
            if (g->where[v] < 0) vector_add(&g->row, v, y * rows->value[e]);
        }
    }
    vector_sort(&g->row);
}

static void place(ranging *g)
{
    vector_clear(&g->work);
    for (int v = 0; v < g->vars; v++) {
        if (g->where[v] >= 0) continue;
        g->value[v] = g->status[v] == VOUCH_NONBASIC_FREE ? 0 : g->status[v] == VOUCH_AT_UPPER ? g->upper[v] : g->lower[v];
        if (g->value[v] != 0) scatter(g, v, -g->value[v]);
    }
    basis_ftran(g->factors, &g->work, LU_COST, false);
    for (int p = 0; p < g->m; p++) g->value[g->head[p]] = g->work.value[p];
    g->objective = g->lp->offset;
    for (int v = g->m; v < g->vars; v++) g->objective += cost_of(g, v) * g->value[v];
}

/* ERROR_ARGUMENT: not a basis. */
static vouch_status start(ranging *g)
{
    const vouch_lp *lp = g->lp;
    size_t m = (size_t)g->m, vars = (size_t)g->vars;
    int count = 0, replaced = 0;
    vector_init(&g->work, &g->arrays, g->m);
    vector_init(&g->row, &g->arrays, g->vars);
    g->status = ARENA_NEW(&g->arrays, unsigned char, vars + 1);
    g->head = ARENA_NEW(&g->arrays, int, m + 1);
    g->where = ARENA_NEW(&g->arrays, int, vars + 1);
    double **numbers[] = {&g->lower, &g->upper, &g->value, &g->reduced};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) *numbers[k] = ARENA_ZERO(&g->arrays, double, vars + 1);
    g->factors = basis_new(g->m);
    if (g->arrays.failed || !g->factors || sparse_transpose(&lp->a, &g->rows)) return VOUCH_ERROR_MEMORY;
    vouch_lp_get_basis(lp, g->status, g->status + m);
    for (int v = 0; v < g->vars; v++) {
        g->lower[v] = v < g->m ? lp->row_lower[v] : lp->col_lower[v - g->m];
        g->upper[v] = v < g->m ? lp->row_upper[v] : lp->col_upper[v - g->m];
        g->where[v] = -1;
        if (g->status[v] != VOUCH_BASIC) continue;
        if (count == g->m) return VOUCH_ERROR_ARGUMENT;
        g->head[count++] = v;
    }
    if (count < g->m) return VOUCH_ERROR_ARGUMENT;
    if (basis_factor(g->factors, &lp->a, g->head, VOUCH_FACTOR_AUTO, &replaced)) return VOUCH_ERROR_MEMORY;
    for (int p = 0; p < g->m; p++) g->where[g->head[p]] = p;
    if (replaced > 0) return VOUCH_ERROR_ARGUMENT;
    place(g);
    vector_clear(&g->work);
    for (int p = 0; p < g->m; p++)
        if (cost_of(g, g->head[p]) != 0) vector_add(&g->work, p, cost_of(g, g->head[p]));
    basis_btran(g->factors, &g->work, LU_COST, false);
    for (int v = 0; v < g->vars; v++) g->reduced[v] = g->where[v] >= 0 ? 0 : cost_of(g, v) - price(g, v);
    return VOUCH_OK;
}

/* ---- ranges of one variable ------------------------------------------------------------------------------------------------- */

typedef struct blocked {
    double step;  /* INFINITY: none */
    int by;       /* variable; -1 */
    double entry; /* its |alpha| */
} blocked;

/* Takes the smaller step; of steps equal within rounding, the larger entry, then the lower variable. */
static void take_smaller(blocked *b, double step, double rate, int v)
{
    double near = TOL_STEP_TIE * (1 + fabs(step)), entry = fabs(rate);
    if (b->by >= 0 && step >= b->step - near) {
        if (step > b->step + near || entry < b->entry * (1 - TOL_STEP_TIE)) return;
        if (entry <= b->entry * (1 + TOL_STEP_TIE) && v > b->by) return;
    }
    *b = (blocked){b->by >= 0 && b->step < step ? b->step : step, v, entry};
}

/* Step of variable v, with its column in work, to the first bound of a basic variable other than `but`. */
static blocked ratio(const ranging *g, double direction, int but)
{
    blocked b = {INFINITY, -1, 0};
    for (int k = 0; k < g->work.count; k++) {
        int p = g->work.index[k], v = g->head[p];
        double rate = direction * g->work.value[p], bound = rate > 0 ? g->upper[v] : g->lower[v];
        if (p == but || isinf(bound)) continue;
        take_smaller(&b, fmax((bound - g->value[v]) / rate, 0), rate, v);
    }
    return b;
}

static double times(double infinite, double x) { return x == 0 ? 0 : infinite * x; }

static void range_nonbasic(ranging *g, int v, vouch_lp_range *r)
{
    double d = g->reduced[v], cost = cost_of(g, v);
    int status = g->status[v];
    bool open_above = (status == VOUCH_AT_LOWER) != (bool)g->lp->maximize;
    compute_column(g, v);
    for (int up = 0; up < 2; up++) {
        double direction = up ? 1 : -1;
        blocked b = ratio(g, direction, -1);
        r->limiting[up] = b.by;
        r->value[up] = g->value[v] + direction * b.step;
        r->objective[up] = g->objective + times(direction * b.step, fabs(d) <= TOL_PIVOT ? 0 : d);
        bool open = status == VOUCH_NONBASIC_FIXED || (status != VOUCH_NONBASIC_FREE && open_above == (up == 1));
        r->cost[up] = open ? direction * INFINITY : cost - d;
    }
}

/* The first nonbasic variable whose reduced cost changes sign as the cost of the variable with this row changes in the direction.
 */
static blocked ratio_cost(const ranging *g, double direction)
{
    blocked b = {INFINITY, -1, 0};
    double sense = g->lp->maximize ? -1 : 1;
    for (int k = 0; k < g->row.count; k++) {
        int v = g->row.index[k], status = g->status[v];
        double rate = sense * direction * g->row.value[v], d = sense * g->reduced[v];
        if (status == VOUCH_NONBASIC_FIXED || fabs(rate) <= TOL_PIVOT) continue;
        if ((status == VOUCH_AT_LOWER && rate > 0) || (status == VOUCH_AT_UPPER && rate < 0)) continue;
        take_smaller(&b, status == VOUCH_NONBASIC_FREE ? 0 : fmax(-d / rate, 0), rate, v);
    }
    return b;
}

static void range_basic(ranging *g, int v, vouch_lp_range *r)
{
    int p = g->where[v];
    double cost = cost_of(g, v);
    compute_row(g, p);
    for (int up = 0; up < 2; up++) {
        double direction = up ? 1 : -1, rises = g->lp->maximize ? direction : -direction;
        blocked b = ratio_cost(g, direction);
        r->limiting[up] = b.by;
        r->cost[up] = cost + direction * b.step;
        r->objective[up] = g->objective + times(direction * b.step, g->value[v]);
        r->value[up] = g->value[v];
        if (b.by < 0) continue;
        compute_column(g, b.by);
        double step = ratio(g, g->row.value[b.by] > 0 ? rises : -rises, p).step;
        r->value[up] += rises * fabs(g->row.value[b.by]) * step;
    }
}

vouch_status vouch_lp_ranges(const vouch_lp *lp, vouch_lp_range range[])
{
    if (!lp || !range) return VOUCH_ERROR_ARGUMENT;
    if (lp->result.outcome != VOUCH_LP_OPTIMAL || !lp->has_basis) return VOUCH_ERROR_ARGUMENT;
    ranging g = {.lp = lp, .m = lp->a.rows, .vars = lp->a.rows + lp->a.cols};
    vouch_status status = start(&g);
    for (int v = 0; !status && v < g.vars; v++)
        if (g.where[v] >= 0)
            range_basic(&g, v, &range[v]);
        else
            range_nonbasic(&g, v, &range[v]);
    basis_free(g.factors);
    sparse_free(&g.rows);
    arena_free(&g.arrays);
    return status;
}

/* ---- the tableau: Markowitz factors of the basis of the statuses, independent of the engine ---------------------------------- */

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
