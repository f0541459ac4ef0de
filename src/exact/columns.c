/* exact/columns.c - column generation in numbers of 640 bits: see exact/process.h. O(rows^2) a pivot beside the pricer. Artificial
 * variables in the first phase; one that stays in the basis at 0 leaves it as soon as an entering column touches its row. */
#include "exact/process.h"

#include "base/check.h"
#include "exact/memory.h"

typedef struct tableau {
    const exact_columns *c;
    int m;
    mpf_t *inverse;   /* [m * m] of the basis */
    mpf_t *x, *step;  /* [m] */
    mpf_t *basis;     /* [m * (1 + m)] cost and entries of its columns */
    bool *artificial; /* [m] */
    mpf_t *dual;      /* [m] */
    mpf_t *offered;   /* [1 + m] */
    mpf_t part, gain, best, zero;
} tableau;

static void find_duals(tableau *b, bool costs)
{
    for (int j = 0; j < b->m; j++) {
        mpf_set_ui(b->dual[j], 0);
        for (int i = 0; i < b->m; i++) {
            if (b->artificial[i]) {
                if (!costs) mpf_sub(b->dual[j], b->dual[j], b->inverse[i * b->m + j]);
            } else if (costs) {
                mpf_mul(b->part, b->basis[i * (1 + b->m)], b->inverse[i * b->m + j]);
                mpf_add(b->dual[j], b->dual[j], b->part);
            }
        }
    }
}

/* b->gain := what a column gains on the duals. */
static void find_gain(tableau *b, mpf_t column[], bool costs)
{
    mpf_set_ui(b->gain, 0);
    if (costs) mpf_set(b->gain, column[0]);
    for (int i = 0; i < b->m; i++) {
        mpf_mul(b->part, b->dual[i], column[1 + i]);
        mpf_sub(b->gain, b->gain, b->part);
    }
}

/* The column of largest gain, slack or offered by the pricer, beyond rounding; NULL: none. */
static mpf_t *choose_column(tableau *b, bool costs)
{
    const exact_columns *c = b->c;
    mpf_t *entering = NULL;
    c->price(c->context, b->dual, costs, b->offered);
    mpf_set(b->best, costs ? *c->tie : b->zero);
    for (int s = 0; s <= c->slacks; s++) {
        mpf_t *column = s < c->slacks ? c->slack + s * (1 + b->m) : b->offered;
        find_gain(b, column, costs);
        if (mpf_cmp(b->gain, b->best) <= 0) continue;
        mpf_set(b->best, b->gain);
        entering = column;
    }
    return entering;
}

/* Is row i before row r in the lexicographic ratio test? */
static bool leaves_before(tableau *b, int i, int r)
{
    for (int j = -1; j < b->m; j++) {
        mpf_t *of_i = j < 0 ? &b->x[i] : &b->inverse[i * b->m + j], *of_r = j < 0 ? &b->x[r] : &b->inverse[r * b->m + j];
        mpf_mul(b->part, *of_i, b->step[r]);
        mpf_mul(b->gain, *of_r, b->step[i]);
        int order = mpf_cmp(b->part, b->gain);
        if (order != 0) return order < 0;
    }
    return false;
}

/* The row that an entering column replaces; -1: none does. */
static int choose_row(tableau *b, mpf_t entering[], bool costs)
{
    int m = b->m, r = -1;
    for (int i = 0; i < m; i++) {
        mpf_set_ui(b->step[i], 0);
        for (int j = 0; j < m; j++) {
            mpf_mul(b->part, b->inverse[i * m + j], entering[1 + j]);
            mpf_add(b->step[i], b->step[i], b->part);
        }
        mpf_abs(b->part, b->step[i]);
        if (mpf_cmp(b->part, b->zero) <= 0) mpf_set_ui(b->step[i], 0);
    }
    for (int i = 0; i < m && costs; i++)
        if (b->artificial[i] && mpf_sgn(b->step[i]) != 0) return i;
    for (int i = 0; i < m; i++)
        if (mpf_sgn(b->step[i]) > 0 && (r < 0 || leaves_before(b, i, r))) r = i;
    return r;
}

static void pivot(tableau *b, mpf_t entering[], int r)
{
    int m = b->m;
    mpf_div(b->x[r], b->x[r], b->step[r]);
    for (int j = 0; j < m; j++) mpf_div(b->inverse[r * m + j], b->inverse[r * m + j], b->step[r]);
    for (int i = 0; i < m; i++) {
        if (i == r || mpf_sgn(b->step[i]) == 0) continue;
        mpf_mul(b->part, b->step[i], b->x[r]);
        mpf_sub(b->x[i], b->x[i], b->part);
        mpf_abs(b->part, b->x[i]);
        if (mpf_cmp(b->part, b->zero) <= 0) mpf_set_ui(b->x[i], 0);
        for (int j = 0; j < m; j++) {
            mpf_mul(b->part, b->step[i], b->inverse[r * m + j]);
            mpf_sub(b->inverse[i * m + j], b->inverse[i * m + j], b->part);
        }
    }
    for (int j = 0; j <= m; j++) mpf_set(b->basis[r * (1 + m) + j], entering[j]);
    b->artificial[r] = false;
}

static bool reach_optimum(tableau *b, bool costs)
{
    for (;;) {
        find_duals(b, costs);
        mpf_t *entering = choose_column(b, costs);
        if (!entering) break;
        int r = choose_row(b, entering, costs);
        if (r < 0) break; /* unbounded by rounding alone: the program is bounded */
        pivot(b, entering, r);
        if (b->c->enter) b->c->enter(b->c->context, r, entering == b->offered);
    }
    for (int i = 0; i < b->m && !costs; i++)
        if (b->artificial[i] && mpf_cmp(b->x[i], b->zero) > 0) return false;
    return true;
}

bool exact_columns_maximise(const exact_columns *c, mpf_t optimum, mpf_t dual[])
{
    enum { ZERO_BITS = 200 };
    int m = c->rows;
    tableau b = {.c = c,
                 .m = m,
                 .inverse = exact_numbers(m * m),
                 .x = exact_numbers(m),
                 .step = exact_numbers(m),
                 .basis = exact_numbers(m * (1 + m)),
                 .artificial = EXACT_NEW(bool, m),
                 .dual = exact_numbers(m),
                 .offered = exact_numbers(1 + m)};
    mpf_init2(b.part, EXACT_BITS);
    mpf_init2(b.gain, EXACT_BITS);
    mpf_init2(b.best, EXACT_BITS);
    mpf_init2(b.zero, EXACT_BITS);
    mpf_set_ui(b.zero, 1);
    mpf_div_2exp(b.zero, b.zero, ZERO_BITS);
    for (int i = 0; i < m; i++) {
        CHECK(mpf_sgn(c->side[i]) >= 0);
        mpf_set(b.x[i], c->side[i]);
        mpf_set_ui(b.inverse[i * m + i], 1);
        b.artificial[i] = true;
    }
    if (!reach_optimum(&b, false) || !reach_optimum(&b, true)) return false;
    mpf_set_ui(optimum, 0);
    for (int i = 0; i < m; i++) {
        mpf_set(dual[i], b.dual[i]);
        if (c->value) mpf_set(c->value[i], b.x[i]);
        mpf_mul(b.part, b.x[i], b.basis[i * (1 + m)]);
        if (!b.artificial[i]) mpf_add(optimum, optimum, b.part);
    }
    return true;
}
