/* mip/presolve.c - see presolve.h.
 *
 * Repeated until nothing changes: propagation of bounds; sides of rows that bounds imply are dropped; rows of
 * one column become bounds; rows of integers are divided by their common divisor and their sides rounded;
 * coefficients of integer columns are tightened: a'x <= b, greatest activity A > b:   a_j > 0 and d = b - (A
 * - a_j) > 0   =>   a_j -= d, b -= d u_j (and mirrored), which cuts off points of the relaxation only;
 * columns that the objective and every row push the same way are fixed there; columns of one equality are solved
 * for (substitute.h); binaries are probed. Bounds found stay as bounds, so that the row they came from may go. Source: Savelsbergh
 * (1994), as in propagate.c. Nothing needs undoing but the fixing of columns and the solving for them.
 */
#include "mip/presolve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"
#include "mip/propagate.h"
#include "mip/substitute.h"

enum { MOST_PASSES = 12, PROBE_WORK = 100 /* times the nonzeros, plus a constant */ };

typedef struct reducer {
    mip_presolved *out;
    mip_model *p; /* out->model, worked on by rows; its column copy follows from pass to pass */
    domain dom;
    int *locks[2]; /* [n] */
    bool changed, out_of_memory;
    int tightened;
} reducer;

/* ---- rows ------------------------------------------------------------------------------------------------------ */

typedef struct row_activity {
    double least, greatest;
    double least_size, greatest_size; /* largest term of each */
    int open_least, open_greatest;    /* infinite terms */
    int free;                         /* columns not fixed */
} row_activity;

static row_activity activity_of(const reducer *r, int i)
{
    const mip_model *p = r->p;
    row_activity a = {0};
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double v = p->row_value[k];
        int j = p->row_col[k];
        if (v == 0) continue;
        double low = v > 0 ? r->dom.lower[j] : r->dom.upper[j], high = v > 0 ? r->dom.upper[j] : r->dom.lower[j];
        if (isinf(low))
            a.open_least++;
        else
            a.least += v * low, a.least_size = fmax(a.least_size, fabs(v * low));
        if (isinf(high))
            a.open_greatest++;
        else
            a.greatest += v * high, a.greatest_size = fmax(a.greatest_size, fabs(v * high));
        a.free += r->dom.lower[j] < r->dom.upper[j];
    }
    return a;
}

/* Is v a whole number when multiplied by q, but for the rounding of v itself? */
static bool whole_times(double v, double q)
{
    return fabs(q * v) <= LARGEST_WHOLE && fabs(q * v - round(q * v)) <= MIP_ROUNDING * fabs(q * v);
}

/* The power of ten that makes the coefficients of the row's free columns whole; 0: none, or one of the columns
 * is continuous. divisor: of the products. shift: what the fixed columns add, of magnitudes up to size. */
static double common_divisor(const reducer *r, int i, double *divisor, double *shift, double *size)
{
    const mip_model *p = r->p;
    double q = 1;
    *divisor = *shift = *size = 0;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double v = p->row_value[k];
        int j = p->row_col[k];
        if (v == 0) continue;
        if (r->dom.lower[j] == r->dom.upper[j]) {
            *shift += v * r->dom.lower[j];
            *size = fmax(*size, fabs(v * r->dom.lower[j]));
            continue;
        }
        if (!p->integer[j]) return 0;
        while (!whole_times(v, q))
            if ((q *= 10) > MOST_DIGITS) return 0;
    }
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double v = fabs(round(q * p->row_value[k]));
        int j = p->row_col[k];
        if (v == 0 || r->dom.lower[j] == r->dom.upper[j]) continue;
        if (!whole_times(p->row_value[k], q)) return 0;
        *divisor = mip_gcd(fmax(v, *divisor), fmin(v, *divisor));
    }
    return *divisor >= 1 ? q : 0;
}

/* Rows of integer columns with whole or decimal coefficients take multiples of their divisor only. A side is
 * rounded to the next one within it, where a point that misses the side by MIP_FEASIBILITY does not count as
 * outside. False: no multiple lies between the sides. */
static bool round_row(reducer *r, int i)
{
    mip_model *p = r->p;
    double divisor, shift, size, q = common_divisor(r, i, &divisor, &shift, &size);
    if (q == 0) return true;
    double step = divisor / q, upper = p->row_upper[i], lower = p->row_lower[i];
    size = fmax(size, fmax(isfinite(upper) ? fabs(upper) : 0, isfinite(lower) ? fabs(lower) : 0));
    double slack = MIP_FEASIBILITY + MIP_ROUNDING * size;
    if (slack > 0.1 * step || size > LARGEST_WHOLE * step) return true;
    double most = floor((upper - shift + slack) / step), least = ceil((lower - shift - slack) / step);
    if (least > most) return false;
    if (shift + step * most < upper - slack) p->row_upper[i] = shift + step * most, r->changed = true;
    if (shift + step * least > lower + slack) p->row_lower[i] = shift + step * least, r->changed = true;
    return true;
}

/* One-sided rows: sign * row <= b. */
static void tighten_row(reducer *r, int i, double sign)
{
    mip_model *p = r->p;
    double b = sign > 0 ? p->row_upper[i] : -p->row_lower[i];
    row_activity a = activity_of(r, i);
    double greatest = sign > 0 ? a.greatest : -a.least;
    CHECK(isinf(sign > 0 ? p->row_lower[i] : p->row_upper[i]));
    double error = MIP_ROUNDING * fmax(sign > 0 ? a.greatest_size : a.least_size, fabs(b));
    if ((sign > 0 ? a.open_greatest : a.open_least) > 0) return;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        double v = sign * p->row_value[k], lower = r->dom.lower[j], upper = r->dom.upper[j];
        if (v == 0 || !p->integer[j] || lower == upper || !(greatest > b + LEAST_TIGHTENING * (1 + fabs(b)))) continue;
        double d = b - (greatest - fabs(v));
        if (!(d > LEAST_TIGHTENING * fmax(1, fabs(v)))) continue;
        if (d > fabs(v)) continue;                                 /* redundant rows are dropped elsewhere */
        double bound = v > 0 ? upper : lower, left = greatest - b; /* of the coefficient: |v| - d, with less rounding */
        if (error * (1 + fabs(bound)) > TIGHTENING_ERROR * fmin(1, left)) continue;
        CHECK(left > 0 && left <= fabs(v));
        v -= v > 0 ? left : -left; /* what the coefficient loses */
        p->row_value[k] = sign * (p->row_value[k] * sign > 0 ? left : -left);
        b -= v * bound;
        greatest -= v * bound;
        r->tightened++;
        r->changed = true;
    }
    if (sign > 0)
        p->row_upper[i] = b;
    else
        p->row_lower[i] = -b;
}

/* False: the row cannot be kept. */
static bool reduce_row(reducer *r, int i)
{
    mip_model *p = r->p;
    if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) return true;
    row_activity a = activity_of(r, i);
    if (a.open_greatest == 0 && a.greatest <= p->row_upper[i] + MIP_ROUNDING * a.greatest_size) p->row_upper[i] = INFINITY;
    if (a.open_least == 0 && a.least >= p->row_lower[i] - MIP_ROUNDING * a.least_size) p->row_lower[i] = -INFINITY;
    if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) {
        r->changed = true;
        return true;
    }
    if (a.free == 0) return true; /* only rounding keeps it; the search checks it */
    if (a.free == 1) {
        double shift = 0, v = 0;
        int col = -1;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            int j = p->row_col[k];
            if (p->row_value[k] == 0) continue;
            if (r->dom.lower[j] == r->dom.upper[j])
                shift += p->row_value[k] * r->dom.lower[j];
            else
                col = j, v = p->row_value[k];
        }
        if (col < 0 || fabs(v) < LEAST_PIVOT) return true;
        double low = ((v > 0 ? p->row_lower[i] : p->row_upper[i]) - shift) / v;
        double high = ((v > 0 ? p->row_upper[i] : p->row_lower[i]) - shift) / v;
        if (p->integer[col]) {
            double size = fmax(a.least_size, a.greatest_size);
            double slack = (MIP_FEASIBILITY + MIP_ROUNDING * size) / fabs(v);
            if (slack > 0.1) return true;
            low = ceil(low - slack), high = floor(high + slack);
        }
        if (!domain_set_lower(&r->dom, col, low) || !domain_set_upper(&r->dom, col, high)) return false;
        p->row_lower[i] = -INFINITY;
        p->row_upper[i] = INFINITY;
        r->changed = true;
        return true;
    }
    if (!round_row(r, i)) return false;
    if (isinf(p->row_lower[i]))
        tighten_row(r, i, 1);
    else if (isinf(p->row_upper[i]))
        tighten_row(r, i, -1);
    return true;
}

/* ---- columns --------------------------------------------------------------------------------------------------- */

/* Columns that nothing holds back from their better bound. An infinite one is left to the search. */
static bool fix_by_locks(reducer *r)
{
    const mip_model *p = r->p;
    mip_model_count_locks(p, r->locks);
    for (int j = 0; j < p->n; j++) {
        double lower = r->dom.lower[j], upper = r->dom.upper[j];
        if (lower == upper || r->dom.set_of[j] < r->dom.set_of[j + 1]) continue;
        bool alive = true;
        if (p->cost[j] >= 0 && r->locks[0][j] == 0 && isfinite(lower))
            alive = domain_set_upper(&r->dom, j, lower);
        else if (p->cost[j] <= 0 && r->locks[1][j] == 0 && isfinite(upper))
            alive = domain_set_lower(&r->dom, j, upper);
        else
            continue;
        r->changed = true;
        if (!alive) return false;
    }
    return true;
}

typedef struct probed_column {
    int rows, col;
} probed_column;

/* Most rows first, then the column's number. */
static int by_rows(const void *a, const void *b)
{
    const probed_column *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows) : x->col - y->col;
}

/* Columns whose bounds both values of a binary move. */
typedef struct probing {
    double *lower, *upper; /* [n], of those listed */
    int *list, count;      /* [n] */
    bool *listed;          /* [n] false between uses */
    probed_column *order;  /* [n] scratch */
} probing;

/* What the first value has moved since the mark. */
static void list_moved(probing *q, const domain *d, size_t mark)
{
    q->count = 0;
    for (size_t k = mark; k < d->trail; k++) {
        int j = d->stack[k].col;
        if (!q->listed[j]) q->list[q->count++] = j;
        q->listed[j] = true;
        q->lower[j] = d->lower[j];
        q->upper[j] = d->upper[j];
    }
    for (int k = 0; k < q->count; k++) q->listed[q->list[k]] = false;
}

/* Both values of binary j leave no more than this. False: no point is left. */
static bool keep_moved(reducer *r, const probing *q, int j)
{
    domain *d = &r->dom;
    for (int k = 0; k < q->count; k++) {
        int c = q->list[k];
        double lower = q->lower[c], upper = q->upper[c];
        if (c == j || d->lower[c] == d->upper[c]) continue;
        bool up = lower > d->lower[c] + PROBING_GAIN * (1 + fabs(lower)),
             down = upper < d->upper[c] - PROBING_GAIN * (1 + fabs(upper));
        r->changed = r->changed || up || down;
        if ((up && !domain_set_lower(d, c, lower)) || (down && !domain_set_upper(d, c, upper))) return false;
    }
    return true;
}

/* Sets binary j to either value and keeps what follows from both. False: no point is left. O(what moves) */
static bool probe_column(reducer *r, probing *q, int j)
{
    domain *d = &r->dom;
    size_t mark = domain_mark(d);
    bool alive[2];
    for (int v = 0; v < 2; v++) {
        alive[v] = (v ? domain_set_lower(d, j, 1) : domain_set_upper(d, j, 0)) && domain_propagate(d);
        if (v == 0) list_moved(q, d, mark);
        for (int k = 0; v == 1 && k < q->count; k++) {
            int c = q->list[k];
            q->lower[c] = fmin(q->lower[c], d->lower[c]);
            q->upper[c] = fmax(q->upper[c], d->upper[c]);
        }
        domain_undo(d, mark);
        CHECK(d->lower[j] == 0 && d->upper[j] == 1);
    }
    if (!alive[0] && !alive[1]) return false;
    bool ok = true;
    if (alive[0] && alive[1])
        ok = keep_moved(r, q, j);
    else
        ok = alive[0] ? domain_set_upper(d, j, 0) : domain_set_lower(d, j, 1), r->changed = true;
    return ok && domain_propagate(d);
}

/* Of binaries the rows through which they do more than exclude others, those with coefficients other than 1 or with continuous
 * columns; negative for other columns. */
static void count_switched(const mip_model *p, const domain *d, int count[])
{
    for (int j = 0; j < p->n; j++) count[j] = p->integer[j] && d->lower[j] == 0 && d->upper[j] == 1 ? 0 : -p->m - 1;
    for (int i = 0; i < p->m; i++) {
        bool switches = false;
        if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) continue;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1] && !switches; k++)
            switches = p->row_value[k] != 0 && (fabs(p->row_value[k]) != 1 || !p->integer[p->row_col[k]]);
        for (int64_t k = p->row_start[i]; switches && k < p->row_start[i + 1]; k++) count[p->row_col[k]] += p->row_value[k] != 0;
    }
}

/* Probes the binaries, those in most switching rows first. False: no point is left. */
static bool probe(reducer *r, probing *q, const deadline *clock)
{
    const mip_model *p = r->p;
    domain *d = &r->dom;
    int count = 0;
    long long limit = d->work + PROBE_WORK * ((long long)p->row_start[p->m] + 10000);
    count_switched(p, d, r->locks[0]);
    for (int j = 0; j < p->n; j++)
        if (r->locks[0][j] >= 0) q->order[count++] = (probed_column){r->locks[0][j], j};
    qsort(q->order, (size_t)count, sizeof *q->order, by_rows);
    for (int k = 0; k < count && d->work < limit && !deadline_expired(clock); k++) {
        int j = q->order[k].col;
        if (d->lower[j] == 0 && d->upper[j] == 1 && !probe_column(r, q, j)) return false;
    }
    return true;
}

/* Every row, in the coefficients that it has now. False: no point is left. */
static bool propagate_anew(reducer *r)
{
    mip_model *p = r->p;
    transpose(&(line_matrix){p->m, p->row_start, p->row_col, p->row_value}, p->n, p->col_start, p->col_row, p->col_value);
    domain_queue_all(&r->dom);
    return domain_propagate(&r->dom);
}

static bool reduce(reducer *r, probing *scratch, const deadline *clock)
{
    mip_model *p = r->p;
    bool probed = false;
    for (int pass = 0; pass < MOST_PASSES && !deadline_expired(clock); pass++) {
        r->changed = false;
        if (!propagate_anew(r)) return false;
        for (int i = 0; i < p->m; i++)
            if (!reduce_row(r, i)) return false;
        if (!fix_by_locks(r)) return false;
        if (!r->changed) {
            bool infeasible;
            int merged = merge_columns(r->out, &r->dom, &infeasible);
            if (infeasible) return false;
            r->changed = merged > 0;
            r->out_of_memory = r->out_of_memory || merged < 0;
        }
        if (!r->changed) {
            int solved = solve_for_columns(r->out, &r->dom, r->locks[0]);
            r->changed = solved > 0;
            r->out_of_memory = r->out_of_memory || solved < 0;
        }
        if (!r->changed && !probed) {
            probed = true;
            r->dom.trail = 0;
            if (!probe(r, scratch, clock)) return false;
        }
        if (!r->changed) break;
    }
    return propagate_anew(r);
}

vouch_status mip_presolve(mip_presolved *out, const mip_model *original, bool reduce_it, const deadline *clock)
{
    int n = original->n;
    *out = (mip_presolved){.original_cols = n, .rows_before = original->m, .cols_before = n};
    reducer r = {.out = out, .p = &out->model};
    arena memory = {0};
    probing scratch = {.lower = ARENA_NEW(&memory, double, n),
                       .upper = ARENA_NEW(&memory, double, n),
                       .list = ARENA_NEW(&memory, int, n),
                       .listed = ARENA_ZERO(&memory, bool, n),
                       .order = ARENA_NEW(&memory, probed_column, n)};
    out->col_of = MEM_NEW(int, n);
    out->fixed = MEM_ZERO(double, n);
    r.locks[0] = ARENA_NEW(&memory, int, n);
    r.locks[1] = ARENA_NEW(&memory, int, n);
    bool made = out->col_of && out->fixed && !memory.failed;
    vouch_status status = made ? mip_model_copy(&out->model, original) : VOUCH_ERROR_MEMORY;
    if (status != VOUCH_OK) goto done;
    for (int j = 0; j < n; j++) /* bounds that cross from the start */
        out->infeasible = out->infeasible || original->lower[j] > original->upper[j];
    if (!reduce_it || out->infeasible) {
        for (int j = 0; j < n; j++) out->col_of[j] = j;
        goto done;
    }
    if ((status = domain_init(&r.dom, &out->model)) != VOUCH_OK) goto done;
    out->infeasible = !reduce(&r, &scratch, clock);
    out->rows_tightened = r.tightened;
    status = r.dom.failed || r.out_of_memory ? VOUCH_ERROR_MEMORY : mip_presolved_compress(out, &r.dom);
done:
    domain_free(&r.dom);
    arena_free(&memory);
    if (status != VOUCH_OK) mip_presolved_free(out);
    return status;
}
