/* exact/vipr.c - proofs: the program as text, bounds, constraints that close nodes, cuts, the file. See exact/vipr.h. */
#include <math.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"
#include "base/text.h"
#include "exact/exact.h"
#include "exact/vipr.h"

typedef struct vipr_assumption {
    int col, number, number_before;
    bool upper;
    double before;
} vipr_assumption;

/* Row i: value[entry[k]] in column col[k], start[i] <= k < start[i + 1]. */
typedef struct vipr_row_lists {
    int64_t *start; /* [m + 1] */
    int *col;
    int64_t *entry;
} vipr_row_lists;

struct vipr {
    const vouch_lp *lp; /* the caller's */
    vouch_lp_data data; /* with own bounds; cuts follow the rows of the program */
    exact_memory memory;
    arena arrays, row_arrays, rows_before, cut_arrays; /* the last two while rows change, and while a cut is derived */
    double *low, *high;                                /* [n] under the assumptions */
    int *low_at, *high_at;     /* [m + n] numbers of the constraints that bound rows and columns; -1: none */
    mpq_t *cost, *d;           /* [n] of a minimum, [n] */
    mpq_t *value, *y;          /* [entries], [m] */
    mpq_t *row_low, *row_high; /* [m] */
    vipr_row_lists by_row;
    int64_t entries; /* of value */
    mpq_t grid;      /* of which the objective is a multiple; 0: any value */
    mpq_t best;      /* of the solution, as a minimum, without offset */
    mpq_t q, sum;
    char **fraction; /* [m + n] from the exact simplex method */
    char *solution;  /* its line; NULL: none */
    char *text;      /* derived constraints, without their last numbers */
    size_t length, capacity;
    size_t *line_end; /* [derived] */
    int *last;        /* [derived] */
    size_t line_capacity, last_capacity;
    int given, bounds, derived;
    vipr_assumption *held;
    size_t held_count, held_capacity;
    char *used; /* [held_count] */
    size_t used_capacity;
    char *head; /* the program */
    size_t head_length;
};

/* Are the claims of nodes about the objective, not its quotient by the grid? */
static bool vipr_by_objective(const vipr *p) { return mpq_sgn(p->grid) == 0 || mpq_cmp_ui(p->grid, 1, 1) == 0; }

/* ---- text; all functions jump to memory.escape when memory is exhausted
 * ---------------------------------------------------------------------------------------------------------- */

static void vipr_out_of_memory(vipr *p) { longjmp(p->memory.escape, ESCAPE_MEMORY); }

static void vipr_add_bytes(vipr *p, const char *bytes, size_t count)
{
    if (p->length + count + 1 > p->capacity) {
        size_t capacity = p->capacity + p->capacity / 2 + count + 4096;
        if (MEM_RESIZE(&p->text, capacity)) vipr_out_of_memory(p);
        p->capacity = capacity;
    }
    memcpy(p->text + p->length, bytes, count);
    p->length += count;
    p->text[p->length] = '\0';
}

static void vipr_add(vipr *p, const char *format, ...) VOUCH_PRINTF(2, 3);
static void vipr_add(vipr *p, const char *format, ...)
{
    char buffer[256];
    va_list args;
    va_start(args, format);
    int n = format_list(buffer, sizeof buffer, format, args);
    va_end(args);
    vipr_add_bytes(p, buffer, n < 0 ? 0 : (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

static void vipr_add_fraction(vipr *p, const mpq_t q)
{
    size_t room = mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3;
    char small[256], *digits = room <= sizeof small ? small : MEM_NEW(char, room);
    if (!digits) vipr_out_of_memory(p);
    mpq_get_str(digits, 10, q);
    vipr_add_bytes(p, digits, strlen(digits));
    if (digits != small) mem_free(digits);
}

static void vipr_add_decimal(vipr *p, double v)
{
    exact_number(p->q, v, EXACT_DECIMAL);
    vipr_add_fraction(p, p->q);
}

static void vipr_refer(vipr *p, int number)
{
    if (number >= p->given && p->last[number - p->given] < p->given + p->derived)
        p->last[number - p->given] = p->given + p->derived;
}

static int vipr_end_line(vipr *p)
{
    size_t at = (size_t)p->derived;
    if (MEM_RESERVE(&p->line_end, &p->line_capacity, at) || MEM_RESERVE(&p->last, &p->last_capacity, at)) vipr_out_of_memory(p);
    p->line_end[at] = p->length;
    p->last[at] = -1;
    p->derived++;
    return p->given + p->derived - 1;
}

/* ---- rows of the program and cuts, as fractions ---------------------------------------------------------------------------- */

static mpq_t *vipr_fractions(vipr *p, arena *a, int64_t count)
{
    mpq_t *q = ARENA_NEW(a, mpq_t, count + 1);
    if (!q) vipr_out_of_memory(p);
    for (int64_t i = 0; i <= count; i++) mpq_init(q[i]);
    return q;
}

static void vipr_clear_fractions(mpq_t *q, int64_t count)
{
    for (int64_t i = 0; q && i <= count; i++) mpq_clear(q[i]);
}

static void list_rows(vipr *p)
{
    const vouch_lp_data *d = &p->data;
    vipr_row_lists *rows = &p->by_row;
    rows->start = ARENA_ZERO(&p->row_arrays, int64_t, d->rows + 2);
    rows->col = ARENA_NEW(&p->row_arrays, int, d->start[d->cols] + 1);
    rows->entry = ARENA_NEW(&p->row_arrays, int64_t, d->start[d->cols] + 1);
    if (p->row_arrays.failed) vipr_out_of_memory(p);
    for (int64_t k = 0; k < d->start[d->cols]; k++) rows->start[d->index[k] + 2]++;
    for (int i = 0; i < d->rows; i++) rows->start[i + 2] += rows->start[i + 1];
    for (int j = 0; j < d->cols; j++)
        for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) {
            int64_t at = rows->start[d->index[k] + 1]++;
            rows->col[at] = j, rows->entry[at] = k;
        }
}

static void vipr_load_rows(vipr *p)
{
    const vouch_lp_data *d = &p->data;
    int64_t entries = p->entries = d->start[d->cols];
    arena *a = &p->row_arrays;
    p->low_at = ARENA_NEW(a, int, d->rows + d->cols + 1);
    p->high_at = ARENA_NEW(a, int, d->rows + d->cols + 1);
    p->fraction = ARENA_ZERO(a, char *, d->rows + d->cols + 1);
    if (a->failed) vipr_out_of_memory(p);
    for (int i = 0; i < d->rows + d->cols; i++) p->low_at[i] = p->high_at[i] = -1;
    p->value = vipr_fractions(p, a, entries);
    p->y = vipr_fractions(p, a, d->rows);
    p->row_low = vipr_fractions(p, a, d->rows), p->row_high = vipr_fractions(p, a, d->rows);
    for (int64_t k = 0; k < entries; k++) exact_number(p->value[k], d->value[k], EXACT_DECIMAL);
    for (int i = 0; i < d->rows; i++) {
        if (!isinf(d->row_lower[i])) exact_number(p->row_low[i], d->row_lower[i], EXACT_DECIMAL);
        if (!isinf(d->row_upper[i])) exact_number(p->row_high[i], d->row_upper[i], EXACT_DECIMAL);
    }
    list_rows(p);
}

static void change_rows(vipr *p, const vouch_lp *lp, const int number[])
{
    vouch_lp_data given;
    vouch_lp_view(p->lp, &given);
    int m = p->data.rows, n = p->data.cols, *low_at = p->low_at, *high_at = p->high_at;
    vipr_clear_fractions(p->value, p->entries);
    vipr_clear_fractions(p->y, m);
    vipr_clear_fractions(p->row_low, m);
    vipr_clear_fractions(p->row_high, m);
    p->rows_before = p->row_arrays;
    p->row_arrays = (arena){0};
    vouch_lp_view(lp, &p->data);
    p->data.col_lower = p->low, p->data.col_upper = p->high;
    vipr_load_rows(p);
    for (int i = 0; i < given.rows; i++) p->low_at[i] = low_at[i], p->high_at[i] = high_at[i];
    for (int i = given.rows; i < p->data.rows; i++) p->high_at[i] = number[i - given.rows];
    for (int j = 0; j < n; j++) {
        p->low_at[p->data.rows + j] = low_at[m + j];
        p->high_at[p->data.rows + j] = high_at[m + j];
    }
    arena_free(&p->rows_before);
}

vipr_end vipr_use_rows(vipr *p, const vouch_lp *lp, const int number[])
{
    volatile vipr_end end = VIPR_MEMORY;
    CHECK(p->held_count == 0);
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        change_rows(p, lp, number);
        end = VIPR_DONE;
    }
    exact_memory_pause(&p->memory);
    return end;
}

/* ---- the program ---------------------------------------------------------------------------------------------------- */

static bool plain_name(const char *name)
{
    if (!*name || strlen(name) > 100) return false;
    for (; *name; name++)
        if ((unsigned char)*name <= ' ' || *name == '%' || (unsigned char)*name >= 127) return false;
    return true;
}

/* Names if they are words, otherwise numbers; repeated names do no harm, as constraints name variables by number. */
static void write_variables(vipr *p)
{
    int integers = 0;
    if (p->data.offset != 0) {
        vipr_add(p, "%% the objective's constant has no place in this format: ");
        vipr_add_decimal(p, p->data.offset);
        vipr_add(p, " is left out\n");
    }
    vipr_add(p, "VER 1.0\nVAR %d\n", p->data.cols);
    for (int j = 0; j < p->data.cols; j++) {
        const char *name = vouch_lp_col_name(p->lp, j);
        integers += vouch_lp_is_integer(p->lp, j) != 0;
        if (plain_name(name))
            vipr_add(p, "%s\n", name);
        else
            vipr_add(p, "x%d\n", j + 1);
    }
    vipr_add(p, "INT %d\n", integers);
    for (int j = 0; j < p->data.cols; j++)
        if (vouch_lp_is_integer(p->lp, j)) vipr_add(p, "%d\n", j);
}

static void write_bound(vipr *p, int j, bool upper)
{
    double at = upper ? p->data.col_upper[j] : p->data.col_lower[j];
    int *number = (upper ? p->high_at : p->low_at) + p->data.rows + j;
    *number = -1;
    if (isinf(at)) return;
    *number = p->given++;
    vipr_add(p, "%c%d %c ", upper ? 'U' : 'L', j + 1, upper ? 'L' : 'G');
    vipr_add_decimal(p, at);
    vipr_add(p, " 1 %d 1\n", j);
}

static void write_row(vipr *p, int i, char sense)
{
    const vipr_row_lists *rows = &p->by_row;
    double at = sense == 'L' ? p->data.row_upper[i] : p->data.row_lower[i];
    if (sense != 'G') p->high_at[i] = p->given;
    if (sense != 'L') p->low_at[i] = p->given;
    p->given++;
    vipr_add(p, "R%d%s %c ", i + 1, sense == 'L' && !isinf(p->data.row_lower[i]) ? "u" : "", sense);
    vipr_add_decimal(p, at);
    vipr_add(p, " %lld", (long long)(rows->start[i + 1] - rows->start[i]));
    for (int64_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
        vipr_add(p, " %d ", rows->col[k]);
        vipr_add_fraction(p, p->value[rows->entry[k]]);
    }
    vipr_add(p, "\n");
}

static void write_constraints(vipr *p)
{
    const vouch_lp_data *d = &p->data;
    for (int j = 0; j < d->cols; j++) write_bound(p, j, false), write_bound(p, j, true);
    p->bounds = p->given;
    for (int i = 0; i < d->rows; i++) {
        if (d->row_lower[i] == d->row_upper[i]) {
            write_row(p, i, 'E');
            continue;
        }
        if (!isinf(d->row_lower[i])) write_row(p, i, 'G');
        if (!isinf(d->row_upper[i])) write_row(p, i, 'L');
    }
}

/* The largest fraction of which all costs are multiples, if only integer columns have costs. */
static void find_grid(vipr *p)
{
    mpq_set_ui(p->grid, 0, 1);
    for (int j = 0; j < p->data.cols; j++) {
        if (mpq_sgn(p->cost[j]) == 0) continue;
        if (!vouch_lp_is_integer(p->lp, j)) {
            mpq_set_ui(p->grid, 0, 1);
            return;
        }
        /* gcd of a / b and c / d: gcd(a d, c b) / (b d) */
        mpz_mul(mpq_numref(p->q), mpq_numref(p->grid), mpq_denref(p->cost[j]));
        mpz_mul(mpq_denref(p->q), mpq_numref(p->cost[j]), mpq_denref(p->grid));
        mpz_gcd(mpq_numref(p->grid), mpq_numref(p->q), mpq_denref(p->q));
        mpz_mul(mpq_denref(p->grid), mpq_denref(p->grid), mpq_denref(p->cost[j]));
        mpq_canonicalize(p->grid);
    }
    mpq_set_ui(p->q, 0, 1);
}

static void load(vipr *p)
{
    vouch_lp_data *d = &p->data;
    p->low = ARENA_NEW(&p->arrays, double, d->cols + 1);
    p->high = ARENA_NEW(&p->arrays, double, d->cols + 1);
    if (p->arrays.failed) vipr_out_of_memory(p);
    mpq_inits(p->grid, p->best, p->q, p->sum, NULL);
    p->cost = vipr_fractions(p, &p->arrays, d->cols), p->d = vipr_fractions(p, &p->arrays, d->cols);
    for (int j = 0; j < d->cols; j++) {
        p->low[j] = d->col_lower[j], p->high[j] = d->col_upper[j];
        exact_number(p->cost[j], d->maximize ? -d->cost[j] : d->cost[j], EXACT_DECIMAL);
    }
    vipr_load_rows(p);
    find_grid(p);
    write_variables(p);
    int terms = 0;
    for (int j = 0; j < p->data.cols; j++) terms += p->data.cost[j] != 0;
    vipr_add(p, "OBJ %s\n%d", p->data.maximize ? "max" : "min", terms);
    for (int j = 0; j < p->data.cols; j++) {
        if (p->data.cost[j] == 0) continue;
        vipr_add(p, " %d ", j);
        vipr_add_decimal(p, p->data.cost[j]);
    }
    vipr_add(p, "\n");
    size_t before = p->length;
    write_constraints(p);
    char *constraints = mem_string(p->text + before);
    if (!constraints) vipr_out_of_memory(p);
    p->length = before;
    vipr_add(p, "CON %d %d\n", p->given, p->bounds);
    vipr_add_bytes(p, constraints, strlen(constraints));
    mem_free(constraints);
    p->head = p->text, p->head_length = p->length;
    p->text = NULL, p->length = p->capacity = 0;
    d->col_lower = p->low, d->col_upper = p->high;
}

vipr *vipr_new(const vouch_lp *problem)
{
    vipr *p = MEM_ZERO(vipr, 1);
    if (!p) return NULL;
    p->lp = problem;
    vouch_lp_view(problem, &p->data);
    exact_memory_enter(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        load(p);
        exact_memory_pause(&p->memory);
        return p;
    }
    exact_memory_pause(&p->memory);
    vipr_free(p);
    return NULL;
}

void vipr_free(vipr *p)
{
    if (!p) return;
    exact_memory_resume(&p->memory);
    exact_memory_leave(&p->memory);
    void *blocks[] = {p->solution, p->text, p->line_end, p->last, p->held, p->used, p->head};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    arena_free(&p->arrays);
    arena_free(&p->row_arrays);
    arena_free(&p->rows_before);
    arena_free(&p->cut_arrays);
    mem_free(p);
}

/* ---- the file ----------------------------------------------------------------------------------------------------------- */

static char *write_file(vipr *p, size_t *length)
{
    char *body = p->text;
    size_t from = 0;
    p->text = NULL, p->length = p->capacity = 0;
    vipr_add_bytes(p, p->head, p->head_length);
    if (!p->solution) {
        vipr_add(p, "RTP infeas\nSOL 0\n");
    } else {
        mpq_set(p->sum, p->best);
        if (p->data.maximize) mpq_neg(p->sum, p->sum);
        vipr_add(p, "RTP range ");
        vipr_add_fraction(p, p->sum);
        vipr_add(p, " ");
        vipr_add_fraction(p, p->sum);
        vipr_add(p, "\nSOL 1\n");
        vipr_add_bytes(p, p->solution, strlen(p->solution));
    }
    vipr_add(p, "DER %d\n", p->derived);
    for (int k = 0; k < p->derived; k++) {
        vipr_add_bytes(p, body + from, p->line_end[k] - from);
        vipr_add(p, " %d\n", p->last[k]);
        from = p->line_end[k];
    }
    char *whole = p->text;
    *length = p->length;
    p->text = body;
    return whole;
}

/* Claims on the grid concern a multiple of the objective; the last line converts to the objective itself. */
static void write_last(vipr *p, int claim)
{
    if (!p->solution || vipr_by_objective(p)) return;
    mpq_set(p->sum, p->best);
    mpq_set(p->q, p->grid);
    if (p->data.maximize) mpq_neg(p->sum, p->sum);
    vipr_add(p, "D%d %c ", p->derived, p->data.maximize ? 'L' : 'G');
    vipr_add_fraction(p, p->sum);
    if (p->data.maximize) mpq_neg(p->q, p->q);
    vipr_add(p, " OBJ { lin 1 %d ", claim);
    vipr_add_fraction(p, p->q);
    vipr_add(p, " }");
    vipr_refer(p, claim);
    vipr_end_line(p);
}

char *vipr_text(vipr *p, int claim, size_t *length)
{
    char *volatile whole = NULL;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        write_last(p, claim);
        whole = write_file(p, length);
    }
    exact_memory_pause(&p->memory);
    return whole;
}

long long vipr_derived(const vipr *p) { return p->derived; }

/* ---- constraints from multipliers of rows ----------------------------------------------------------------------------------
 *
 *     c x = sum_i y_i (A x)_i + sum_j d_j x_j,    d = c - A'y
 *
 * for any y: a constraint bounds each term, and their combination (`lin`) proves c x >= sum y_i r_i + d_j b_j; with c = 0 and a
 * positive right side this is an absurdity. The multipliers in doubles are converted to simple fractions first; if these prove too
 * little, those of the exact basis are used. An objective that is a multiple of g on integer columns is rounded up (`rnd`). */

/* By continued fractions. */
static void vipr_simple_fraction(mpq_t q, double v)
{
    static const double NEAR = 1e-9, DENOMINATOR_MOST = 1e6;
    double x = fabs(v), rest = x, p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    if (x > 1e12 || x < 1e-12) {
        mpq_set_d(q, x < 1e-12 ? 0 : v);
        return;
    }
    for (int k = 0; k < 40; k++) {
        double whole = floor(rest), p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        if (q2 > DENOMINATOR_MOST || p2 > 1e15) break;
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
        if (fabs(x - p1 / q1) <= NEAR * x) {
            mpq_set_d(q, v < 0 ? -p1 : p1);
            mpz_set_d(mpq_denref(q), q1);
            mpq_canonicalize(q);
            return;
        }
        rest = 1 / (rest - whole);
    }
    exact_number(q, v, EXACT_DECIMAL);
}

/* d and sum from y; a multiplier without the side of its row that it needs is dropped. False: a column lacks the bound it needs. */
static bool combine(vipr *p, bool absurd)
{
    const vouch_lp_data *d = &p->data;
    mpq_set_ui(p->sum, 0, 1);
    for (int i = 0; i < d->rows; i++) {
        int sign = mpq_sgn(p->y[i]);
        if (sign && (sign > 0 ? p->low_at : p->high_at)[i] < 0) mpq_set_ui(p->y[i], 0, 1), sign = 0;
        if (sign == 0) continue;
        mpq_mul(p->q, p->y[i], sign > 0 ? p->row_low[i] : p->row_high[i]);
        mpq_add(p->sum, p->sum, p->q);
    }
    for (int j = 0; j < d->cols; j++) {
        if (absurd)
            mpq_set_ui(p->d[j], 0, 1);
        else
            mpq_set(p->d[j], p->cost[j]);
        for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) {
            if (mpq_sgn(p->y[d->index[k]]) == 0) continue;
            mpq_mul(p->q, p->y[d->index[k]], p->value[k]);
            mpq_sub(p->d[j], p->d[j], p->q);
        }
        int sign = mpq_sgn(p->d[j]);
        if (sign == 0) continue;
        if ((sign > 0 ? p->low_at : p->high_at)[d->rows + j] < 0) return false;
        exact_number(p->q, sign > 0 ? p->low[j] : p->high[j], EXACT_DECIMAL);
        mpq_mul(p->q, p->q, p->d[j]);
        mpq_add(p->sum, p->sum, p->q);
    }
    return true;
}

/* Does sum close the node, after rounding up to the grid? */
static bool suffices(vipr *p, bool absurd)
{
    if (absurd) return mpq_sgn(p->sum) > 0;
    if (!p->solution) return false;
    if (mpq_sgn(p->grid) == 0) return mpq_cmp(p->sum, p->best) >= 0;
    mpq_sub(p->q, p->best, p->grid);
    return mpq_cmp(p->sum, p->q) > 0;
}

/* Begins the claim that no point is better than the solution, or, without one, that there is no point. */
static void begin_claim(vipr *p)
{
    vipr_add(p, "D%d ", p->derived);
    if (!p->solution) {
        vipr_add(p, "G 1 0 { ");
    } else if (vipr_by_objective(p)) {
        mpq_set(p->q, p->best);
        if (p->data.maximize) mpq_neg(p->q, p->q);
        vipr_add(p, "%c ", p->data.maximize ? 'L' : 'G');
        vipr_add_fraction(p, p->q);
        vipr_add(p, " OBJ { ");
    } else {
        int terms = 0;
        mpq_div(p->q, p->best, p->grid);
        vipr_add(p, "G ");
        vipr_add_fraction(p, p->q);
        for (int j = 0; j < p->data.cols; j++) terms += mpq_sgn(p->cost[j]) != 0;
        vipr_add(p, " %d", terms);
        for (int j = 0; j < p->data.cols; j++) {
            if (mpq_sgn(p->cost[j]) == 0) continue;
            mpq_div(p->q, p->cost[j], p->grid);
            vipr_add(p, " %d ", j);
            vipr_add_fraction(p, p->q);
        }
        vipr_add(p, " { ");
    }
}

/* Begins an absurdity, 0 >= sum, of this many terms. */
static void begin_absurdity(vipr *p, int terms)
{
    vipr_add(p, "D%d G ", p->derived);
    vipr_add_fraction(p, p->sum);
    vipr_add(p, " 0 { lin %d", terms);
}

/* number times q */
static void add_term(vipr *p, int number)
{
    vipr_add(p, " %d ", number);
    vipr_add_fraction(p, p->q);
    vipr_refer(p, number);
    if (number < p->given) return;
    for (size_t k = p->held_count; k-- > 0;)
        if (p->held[k].number == number) p->used[k] = 1;
}

static void add_product(vipr *p, int number, const mpq_t multiplier, const mpq_t factor)
{
    mpq_mul(p->q, multiplier, factor);
    add_term(p, number);
}

static int write_combination(vipr *p, bool absurd)
{
    const vouch_lp_data *d = &p->data;
    int terms = 0;
    for (int i = 0; i < d->rows; i++) terms += mpq_sgn(p->y[i]) != 0;
    for (int j = 0; j < d->cols; j++) terms += mpq_sgn(p->d[j]) != 0;
    mpq_t factor;
    mpq_init(factor);
    mpq_set_ui(factor, 1, 1);
    if (p->held_count) memset(p->used, 0, p->held_count);
    if (absurd) {
        begin_absurdity(p, terms);
    } else {
        begin_claim(p);
        vipr_add(p, "%s %d", mpq_sgn(p->grid) ? "rnd" : "lin", terms);
        if (!vipr_by_objective(p)) mpq_inv(factor, p->grid);
        if (vipr_by_objective(p) && d->maximize) mpq_neg(factor, factor);
    }
    for (int i = 0; i < d->rows; i++)
        if (mpq_sgn(p->y[i])) add_product(p, (mpq_sgn(p->y[i]) > 0 ? p->low_at : p->high_at)[i], p->y[i], factor);
    for (int j = 0; j < d->cols; j++)
        if (mpq_sgn(p->d[j])) add_product(p, (mpq_sgn(p->d[j]) > 0 ? p->low_at : p->high_at)[d->rows + j], p->d[j], factor);
    vipr_add(p, " }");
    mpq_clear(factor);
    return vipr_end_line(p);
}

static bool close_here(vipr *p, bool absurd, int *made)
{
    if (!combine(p, absurd) || !suffices(p, absurd)) return false;
    *made = write_combination(p, absurd);
    return true;
}

vipr_end vipr_close(vipr *p, const double y[], bool farkas, int *made)
{
    exact_memory_resume(&p->memory);
    volatile vipr_end end = VIPR_MEMORY;
    if (setjmp(p->memory.escape) == 0) {
        double sign = farkas || p->data.maximize ? -1 : 1;
        for (int i = 0; i < p->data.rows; i++) vipr_simple_fraction(p->y[i], sign * y[i]);
        end = close_here(p, farkas, made) ? VIPR_DONE : VIPR_OPEN;
    }
    exact_memory_pause(&p->memory);
    return end;
}

/* ---- by the exact simplex method ---------------------------------------------------------------------------------------- */

/* A row or column whose bounds cross needs no multipliers. */
static bool close_crossing(vipr *p, int *made)
{
    const vouch_lp_data *d = &p->data;
    for (int v = 0; v < d->rows + d->cols; v++) {
        double low = v < d->rows ? d->row_lower[v] : p->low[v - d->rows],
               high = v < d->rows ? d->row_upper[v] : p->high[v - d->rows];
        if (low <= high) continue;
        exact_number(p->sum, low, EXACT_DECIMAL);
        exact_number(p->q, high, EXACT_DECIMAL);
        mpq_sub(p->sum, p->sum, p->q);
        if (p->held_count) memset(p->used, 0, p->held_count);
        begin_absurdity(p, 2);
        mpq_set_si(p->q, 1, 1);
        add_term(p, p->low_at[v]);
        mpq_set_si(p->q, -1, 1);
        add_term(p, p->high_at[v]);
        vipr_add(p, " }");
        *made = vipr_end_line(p);
        return true;
    }
    return false;
}

static void drop_fractions(vipr *p)
{
    for (int i = 0; i < p->data.rows + p->data.cols; i++) mem_free(p->fraction[i]), p->fraction[i] = NULL;
}

vipr_end vipr_close_exactly(vipr *p, unsigned char status[], const deadline *limit, double x[], int *made)
{
    size_t m = (size_t)p->data.rows, n = (size_t)p->data.cols;
    double *block = MEM_NEW(double, m + n + 1);
    if (!block) return VIPR_MEMORY;
    exact_answer found = {.x = x, .ray = block, .y = block + n, .dual_text = p->fraction};
    exact_end solved = exact_solve(&p->data, status, EXACT_DECIMAL, LLONG_MAX, limit, &found);
    mem_free(block);
    mem_free(found.fraction);
    if (solved == EXACT_LIMIT || solved == EXACT_MEMORY || solved == EXACT_UNBOUNDED) {
        drop_fractions(p);
        return solved == EXACT_MEMORY ? VIPR_MEMORY : VIPR_LIMIT;
    }
    exact_memory_resume(&p->memory);
    volatile vipr_end end = VIPR_MEMORY;
    if (setjmp(p->memory.escape) == 0) {
        bool absurd = solved == EXACT_INFEASIBLE;
        for (int i = 0; i < p->data.rows; i++) {
            if (p->fraction[i])
                mpq_set_str(p->y[i], p->fraction[i], 10);
            else
                mpq_set_ui(p->y[i], 0, 1);
        }
        end = close_here(p, absurd, made) || (absurd && close_crossing(p, made)) ? VIPR_DONE : VIPR_OPEN;
    }
    exact_memory_pause(&p->memory);
    drop_fractions(p);
    return end;
}

/* The basis, in doubles, of the program with fixed integer columns. */
static bool fixed_basis(const vipr *p, const vouch_lp_data *fixed, const deadline *limit, unsigned char status[])
{
    vouch_lp *lp;
    vouch_lp_options options;
    bool there = false;
    if (vouch_lp_clone(&lp, p->lp)) return false;
    vouch_lp_forget_basis(lp);
    vouch_lp_options_init(&options);
    options.limits = deadline_left(limit);
    for (int j = 0; j < fixed->cols; j++) vouch_lp_set_col_bounds(lp, j, fixed->col_lower[j], fixed->col_upper[j]);
    if (vouch_lp_solve(lp, &options) == VOUCH_OK) {
        there = true;
        vouch_lp_get_basis(lp, status, status + fixed->rows);
    }
    vouch_lp_free(lp);
    return there;
}

static bool take_solution(vipr *p, const exact_answer *found)
{
    const vouch_lp_data *d = &p->data;
    mpq_t objective;
    mpq_init(objective);
    mpq_set_str(objective, found->fraction, 10);
    exact_number(p->q, d->offset, EXACT_DECIMAL);
    mpq_sub(objective, objective, p->q);
    if (d->maximize) mpq_neg(objective, objective);
    bool better = !p->solution || mpq_cmp(objective, p->best) < 0;
    if (better) {
        int terms = 0;
        mpq_set(p->best, objective);
        char *kept = p->text;
        size_t length = p->length, capacity = p->capacity;
        p->text = NULL, p->length = p->capacity = 0;
        for (int j = 0; j < d->cols; j++) terms += strcmp(p->fraction[j], "0") != 0;
        vipr_add(p, "best %d", terms);
        for (int j = 0; j < d->cols; j++) {
            if (strcmp(p->fraction[j], "0") == 0) continue;
            vipr_add(p, " %d ", j);
            vipr_add_bytes(p, p->fraction[j], strlen(p->fraction[j]));
        }
        vipr_add(p, "\n");
        mem_free(p->solution);
        p->solution = p->text;
        p->text = kept, p->length = length, p->capacity = capacity;
    }
    mpq_clear(objective);
    return better;
}

static vipr_end take_if_better(vipr *p, const exact_answer *found)
{
    volatile vipr_end end = VIPR_MEMORY;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) end = take_solution(p, found) ? VIPR_DONE : VIPR_OPEN;
    exact_memory_pause(&p->memory);
    return end;
}

vipr_end vipr_solve_fixed(vipr *p, const double x[], const deadline *limit)
{
    vouch_lp_data fixed;
    vouch_lp_view(p->lp, &fixed);
    size_t m = (size_t)fixed.rows, n = (size_t)fixed.cols;
    double *block = MEM_NEW(double, m + 5 * n + 1), *low = block + m + 3 * n, *high = low + n;
    unsigned char *status = MEM_NEW(unsigned char, m + n + 1);
    vipr_end end = block && status ? VIPR_OPEN : VIPR_MEMORY;
    if (end == VIPR_OPEN) {
        for (size_t j = 0; j < n; j++) {
            bool integer = vouch_lp_is_integer(p->lp, (int)j);
            low[j] = integer ? rint(x[j]) : fixed.col_lower[j], high[j] = integer ? rint(x[j]) : fixed.col_upper[j];
            if (low[j] < fixed.col_lower[j]) low[j] = fixed.col_lower[j];
            if (high[j] > fixed.col_upper[j]) high[j] = fixed.col_upper[j];
        }
        fixed.col_lower = low, fixed.col_upper = high;
        exact_answer found = {.x = block, .ray = block + n, .y = block + 2 * n, .point_text = p->fraction};
        exact_end solved = fixed_basis(p, &fixed, limit, status)
                               ? exact_solve(&fixed, status, EXACT_DECIMAL, LLONG_MAX, limit, &found)
                               : EXACT_MEMORY;
        end = solved == EXACT_MEMORY ? VIPR_MEMORY : solved == EXACT_LIMIT ? VIPR_LIMIT : VIPR_OPEN;
        if (solved == EXACT_OPTIMAL) end = take_if_better(p, &found);
        mem_free(found.fraction);
        drop_fractions(p);
    }
    CHECK(end != VIPR_DONE || p->held_count == 0);
    if (end == VIPR_DONE) p->length = 0, p->derived = 0; /* earlier derivations compare with the previous solution */
    mem_free(block);
    mem_free(status);
    return end;
}

bool vipr_has_solution(const vipr *p) { return p->solution != NULL; }

double vipr_objective(const vipr *p)
{
    double best = mpq_get_d(p->best);
    return (p->data.maximize ? -best : best) + p->data.offset;
}

double vipr_cutoff(const vipr *p)
{
    static const double SPARE = 1e-6; /* relative loss of the bound by fractions near the duals */
    if (!p->solution) return NAN;
    double grid = mpq_get_d(p->grid), best = mpq_get_d(p->best);
    double at = grid > 0 ? best - grid * 0.99 : best + SPARE * (1 + fabs(best));
    return (p->data.maximize ? -at : at) + p->data.offset;
}

/* ---- assumptions -------------------------------------------------------------------------------------------------------- */

static int write_assumption(vipr *p, int col, bool upper, double value)
{
    size_t depth = p->held_count;
    if (MEM_RESERVE(&p->held, &p->held_capacity, depth)) vipr_out_of_memory(p);
    if (p->used_capacity < p->held_capacity + 1) {
        if (MEM_RESIZE(&p->used, p->held_capacity + 1)) vipr_out_of_memory(p);
        memset(p->used, 0, p->held_capacity + 1);
        p->used_capacity = p->held_capacity + 1;
    }
    vipr_add(p, "A%d %c ", p->derived, upper ? 'L' : 'G');
    vipr_add_decimal(p, value);
    vipr_add(p, " 1 %d 1 { asm }", col);
    int number = vipr_end_line(p);
    int *at = (upper ? p->high_at : p->low_at) + p->data.rows + col;
    double *bound = (upper ? p->high : p->low) + col;
    p->held[p->held_count++] = (vipr_assumption){col, number, *at, upper, *bound};
    *at = number;
    *bound = value;
    return number;
}

int vipr_assume(vipr *p, int col, bool upper, double value)
{
    volatile int number = -1;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) number = write_assumption(p, col, upper, value);
    exact_memory_pause(&p->memory);
    return number;
}

void vipr_take_back(vipr *p)
{
    const vipr_assumption *a = &p->held[--p->held_count];
    (a->upper ? p->high_at : p->low_at)[p->data.rows + a->col] = a->number_before;
    (a->upper ? p->high : p->low)[a->col] = a->before;
}

const char *vipr_used(const vipr *p) { return p->used; }

int vipr_join(vipr *p, const int constraint[2], const int assumption[2])
{
    volatile int number = -1;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        begin_claim(p);
        vipr_add(p, "uns %d %d %d %d }", constraint[0], assumption[0], constraint[1], assumption[1]);
        for (int i = 0; i < 2; i++) vipr_refer(p, constraint[i]), vipr_refer(p, assumption[i]);
        number = vipr_end_line(p);
    }
    exact_memory_pause(&p->memory);
    return number;
}

/* ---- bounds of columns from one row ----------------------------------------------------------------------------------------
 *
 *     sum_k a_k x_k <= r  gives  x_j <= (r - sum_{k != j} a_k b_k) / a_j  for a_j > 0, b_k the lower bound of x_k where a_k > 0,
 *
 * otherwise the upper, and likewise for the other signs: one combination (`lin`), rounded for an integer column (`rnd`). Other
 * values are rounded outwards to a short decimal, which the relaxation uses, too. */

/* The constraint with the bound of the k-th entry's column that the row's upper or lower side needs; -1: none. */
static int bound_at(const vipr *p, int64_t k, bool row_upper)
{
    bool upper = (mpq_sgn(p->value[p->by_row.entry[k]]) > 0) != row_upper;
    return (upper ? p->high_at : p->low_at)[p->data.rows + p->by_row.col[k]];
}

/* sum := the bound of the column of entry `at`. False: another column lacks a bound. */
static bool bound_by_row(vipr *p, int row, bool row_upper, int64_t at)
{
    mpq_set(p->sum, row_upper ? p->row_high[row] : p->row_low[row]);
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++) {
        int j = p->by_row.col[k];
        mpq_t *a = &p->value[p->by_row.entry[k]];
        if (k == at || mpq_sgn(*a) == 0) continue;
        if (bound_at(p, k, row_upper) < 0) return false;
        exact_number(p->q, (mpq_sgn(*a) > 0) != row_upper ? p->high[j] : p->low[j], EXACT_DECIMAL);
        mpq_mul(p->q, p->q, *a);
        mpq_sub(p->sum, p->sum, p->q);
    }
    mpq_div(p->sum, p->sum, p->value[p->by_row.entry[at]]);
    return true;
}

/* A double whose decimal is slightly looser than sum; for an integer column, sum rounded. NAN: none. */
static double outwards(vipr *p, bool integer, bool upper)
{
    double exact = mpq_get_d(p->sum);
    if (integer) {
        mpz_t whole;
        mpz_init(whole);
        (upper ? mpz_fdiv_q : mpz_cdiv_q)(whole, mpq_numref(p->sum), mpq_denref(p->sum));
        exact = mpz_get_d(whole);
        mpz_clear(whole);
        return fabs(exact) <= 1e12 ? exact : NAN;
    }
    double unit = pow(10, 7 - fmax(0, ceil(log10(fmax(fabs(exact), 1)))));
    for (int k = 0; k < 3; k++) {
        double at = upper ? (ceil(exact * unit - 1e-6) + k) / unit : (floor(exact * unit + 1e-6) - k) / unit;
        exact_number(p->q, at, EXACT_DECIMAL);
        int order = mpq_cmp(p->q, p->sum);
        if (upper ? order >= 0 : order <= 0) return at;
    }
    return NAN;
}

static int write_tightened(vipr *p, int row, bool row_upper, int64_t at, bool upper, double value)
{
    int j = p->by_row.col[at], terms = 0;
    mpq_t inverse;
    mpq_init(inverse);
    mpq_inv(inverse, p->value[p->by_row.entry[at]]);
    exact_number(p->q, value, EXACT_DECIMAL);
    const char *reason = mpq_equal(p->q, p->sum) || !vouch_lp_is_integer(p->lp, j) ? "lin" : "rnd";
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++) terms += mpq_sgn(p->value[p->by_row.entry[k]]) != 0;
    vipr_add(p, "B%d %c ", p->derived, upper ? 'L' : 'G');
    vipr_add_decimal(p, value);
    int number = (row_upper ? p->high_at : p->low_at)[row];
    vipr_add(p, " 1 %d 1 { %s %d %d ", j, reason, terms, number);
    vipr_add_fraction(p, inverse);
    vipr_refer(p, number);
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++) {
        mpq_t *a = &p->value[p->by_row.entry[k]];
        if (k == at || mpq_sgn(*a) == 0) continue;
        mpq_mul(p->q, *a, inverse);
        mpq_neg(p->q, p->q);
        number = bound_at(p, k, row_upper);
        vipr_add(p, " %d ", number);
        vipr_add_fraction(p, p->q);
        vipr_refer(p, number);
    }
    vipr_add(p, " }");
    mpq_clear(inverse);
    return vipr_end_line(p);
}

static vipr_end tighten(vipr *p, int row, bool row_upper, int col, double *value)
{
    int64_t at = -1;
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++)
        if (p->by_row.col[k] == col) at = k;
    if (at < 0 || (row_upper ? p->high_at : p->low_at)[row] < 0 || mpq_sgn(p->value[p->by_row.entry[at]]) == 0) return VIPR_OPEN;
    bool upper = (mpq_sgn(p->value[p->by_row.entry[at]]) > 0) == row_upper;
    if (!bound_by_row(p, row, row_upper, at)) return VIPR_OPEN;
    *value = outwards(p, vouch_lp_is_integer(p->lp, col) != 0, upper);
    if (!(upper ? *value < p->high[col] && *value >= p->low[col] : *value > p->low[col] && *value <= p->high[col]))
        return VIPR_OPEN;
    exact_number(p->q, *value, EXACT_DECIMAL);
    /* an equation alone is not rounded */
    bool alone = p->low_at[row] == p->high_at[row] && p->by_row.start[row + 1] == p->by_row.start[row] + 1;
    if (alone && !mpq_equal(p->q, p->sum)) return VIPR_OPEN;
    int number = write_tightened(p, row, row_upper, at, upper, *value);
    (upper ? p->high : p->low)[col] = *value;
    (upper ? p->high_at : p->low_at)[p->data.rows + col] = number;
    return VIPR_DONE;
}

vipr_end vipr_tighten(vipr *p, int row, bool row_upper, int col, double *value)
{
    volatile vipr_end end = VIPR_MEMORY;
    CHECK(p->held_count == 0);
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) end = tighten(p, row, row_upper, col, value);
    exact_memory_pause(&p->memory);
    return end;
}

/* ---- derivation of cuts by mixed-integer rounding ----
 *
 * A sum of rows with slacks s >= 0, each column measured from a bound, reads sum_k a_k t_k = b with t >= 0. With f0 the fractional
 * part of b and f_k those of the integer terms, let pi_k = floor(a_k) where f_k <= f0, else ceil(a_k), and z = sum_k pi_k t_k -
 * floor(b), an integer. Then z = f0 - P + N, P = sum_{f_k <= f0} f_k t_k + sum_{a_k > 0} a_k t_k, N = sum_{f_k > f0} (1 - f_k) t_k
 * + sum_{a_k < 0} -a_k t_k, the second sums over continuous terms, and the cut is z <= N / (1 - f0): it holds where z <= 0, since N
 * >= 0, and where z >= 1, since (1 - f0) z = f0 - f0 z - P + N <= N. So it is a disjunction of two assumptions on z, each side a
 * combination (`lin`) with the bounds of the terms, and `uns`. Source: W. Cook, R. Kannan, A. Schrijver, Chvatal closures for mixed
 * integer programming problems, Mathematical Programming 47 (1990).
 *
 * The relaxation has the cut in short decimals. A bound of the column, the one nearer to the point, pays for the change of a
 * coefficient:
 *
 *     a' x = a x + (a' - a) x <= b + sum_j (a'_j - a_j) u_j,  u_j the upper bound where a'_j > a_j, else the lower. */

typedef struct derivation {
    vipr *p;
    const vipr_rounding *from;
    vipr_cut *made;
    mpq_t *factor; /* [rows used] */
    mpq_t *a;      /* [n] the sum */
    mpq_t *z;      /* [n] integer coefficients of z */
    mpq_t *alpha;  /* [n] of the cut */
    /* [m + n] multiples of lower - v <= 0 and v - upper <= 0, v a row or column, in the sides z <= 0 and z >= 1 */
    mpq_t *low[2], *high[2];
    mpq_t b, f0, scale, z_right, right, weight, pi, t, u;
    mpq_t times; /* multiple of the cut */
} derivation;

/* Fractions of the right side for which rounding pays. */
static const double LEAST_FRACTION = 1e-3, MOST_FRACTION = 0.9999;
/* Multipliers with a common denominator up to this become fractions, others multiples of a power of ten. */
enum { COMMON_MOST = 1000000 };

static void start(derivation *r, vipr *p)
{
    int m = p->data.rows, n = p->data.cols;
    arena *a = &p->cut_arrays;
    r->p = p;
    r->factor = vipr_fractions(p, a, r->from->rows);
    r->a = vipr_fractions(p, a, n), r->z = vipr_fractions(p, a, n), r->alpha = vipr_fractions(p, a, n);
    for (int s = 0; s < 2; s++) r->low[s] = vipr_fractions(p, a, m + n), r->high[s] = vipr_fractions(p, a, m + n);
    mpq_inits(r->b, r->f0, r->scale, r->z_right, r->right, r->weight, r->pi, r->t, r->u, r->times, NULL);
    mpq_set_ui(r->times, 1, 1);
}

static void finish(derivation *r)
{
    int m = r->p->data.rows, n = r->p->data.cols;
    vipr_clear_fractions(r->factor, r->from->rows);
    mpq_t *of_cols[] = {r->a, r->z, r->alpha}, *of_all[] = {r->low[0], r->low[1], r->high[0], r->high[1]};
    for (int k = 0; k < 3; k++) vipr_clear_fractions(of_cols[k], n);
    for (int k = 0; k < 4; k++) vipr_clear_fractions(of_all[k], m + n);
    mpq_clears(r->b, r->f0, r->scale, r->z_right, r->right, r->weight, r->pi, r->t, r->u, r->times, NULL);
    arena_free(&r->p->cut_arrays);
}

static void take_factors(derivation *r)
{
    mpz_t common;
    double most = 0;
    mpz_init_set_ui(common, 1);
    for (int k = 0; k < r->from->rows; k++) {
        vipr_simple_fraction(r->factor[k], r->from->factor[k]);
        most = fmax(most, fabs(r->from->factor[k]));
        if (mpz_cmp_ui(common, COMMON_MOST) <= 0) exact_common(common, r->factor[k]);
    }
    if (mpz_cmp_ui(common, COMMON_MOST) > 0) {
        mpz_ui_pow_ui(common, 10, (unsigned long)fmax(0, 12 - floor(log10(most))));
        for (int k = 0; k < r->from->rows; k++) {
            mpq_set_d(r->t, r->from->factor[k]);
            mpz_mul(mpq_numref(r->t), mpq_numref(r->t), common);
            mpz_tdiv_q(mpq_numref(r->factor[k]), mpq_numref(r->t), mpq_denref(r->t));
            mpz_set(mpq_denref(r->factor[k]), common);
            mpq_canonicalize(r->factor[k]);
        }
    }
    mpz_clear(common);
}

static bool is_equation(const vipr *p, int i) { return p->low_at[i] >= 0 && p->low_at[i] == p->high_at[i]; }

/* to += q row i */
static void add_row(derivation *r, mpq_t *to, int i, const mpq_t q)
{
    const vipr *p = r->p;
    for (int64_t k = p->by_row.start[i]; k < p->by_row.start[i + 1]; k++) {
        mpq_mul(r->t, q, p->value[p->by_row.entry[k]]);
        mpq_add(to[p->by_row.col[k]], to[p->by_row.col[k]], r->t);
    }
}

/* to += q v, a row or a column */
static void add_variable(derivation *r, mpq_t *to, int v, const mpq_t q)
{
    int j = v - r->p->data.rows;
    if (j < 0)
        add_row(r, to, v, q);
    else
        mpq_add(to[j], to[j], q);
}

/* u := the bound of row or column v */
static void bound_of(derivation *r, int v, bool upper)
{
    const vipr *p = r->p;
    int j = v - p->data.rows;
    if (j < 0)
        mpq_set(r->u, upper ? p->row_high[v] : p->row_low[v]);
    else
        exact_number(r->u, upper ? p->high[j] : p->low[j], EXACT_DECIMAL);
}

static bool whole(const mpq_t q) { return mpz_cmp_ui(mpq_denref(q), 1) == 0; }

/* Is the row's slack an integer? */
static bool slack_is_whole(const derivation *r, int i, bool upper)
{
    const vipr *p = r->p;
    bool is = whole(upper ? p->row_high[i] : p->row_low[i]);
    for (int64_t k = p->by_row.start[i]; k < p->by_row.start[i + 1] && is; k++)
        is = vouch_lp_is_integer(p->lp, p->by_row.col[k]) && whole(p->value[p->by_row.entry[k]]);
    return is;
}

/* The sum of rows, a and b. False: a side is missing. */
static bool add_up(derivation *r)
{
    const vipr *p = r->p;
    for (int k = 0; k < r->from->rows; k++) {
        int i = r->from->row[k];
        bool upper = r->from->side[k] >= 0;
        if (mpq_sgn(r->factor[k]) == 0) continue;
        if ((upper ? p->high_at : p->low_at)[i] < 0 || (r->from->side[k] == 0) != is_equation(p, i)) return false;
        add_row(r, r->a, i, r->factor[k]);
        mpq_mul(r->t, r->factor[k], upper ? p->row_high[i] : p->row_low[i]);
        mpq_add(r->b, r->b, r->t);
    }
    return true;
}

/* Columns are measured from the lower bound if it exists and at_upper is not set. */
static bool measured_from_upper(const derivation *r, int j)
{
    const vipr *p = r->p;
    int v = p->data.rows + j;
    bool low = p->low_at[v] >= 0, high = p->high_at[v] >= 0;
    return high && (r->from->at_upper[j] || !low);
}

/* b := b - sum_j a_j times the bound of j. False: a free column, or an integer one with a fractional bound. */
static bool shift(derivation *r)
{
    const vipr *p = r->p;
    for (int j = 0; j < p->data.cols; j++) {
        int v = p->data.rows + j;
        if (mpq_sgn(r->a[j]) == 0) continue;
        if (p->low_at[v] < 0 && p->high_at[v] < 0) return false;
        bound_of(r, v, measured_from_upper(r, j));
        if (vouch_lp_is_integer(p->lp, j) && !whole(r->u)) return false;
        mpq_mul(r->t, r->u, r->a[j]);
        mpq_sub(r->b, r->b, r->t);
    }
    return true;
}

/* f0, scale = 1 / (1 - f0), and the constant of z. False: f0 is too close to 0 or 1. */
static bool split(derivation *r)
{
    mpz_t down;
    mpz_init(down);
    mpz_fdiv_q(down, mpq_numref(r->b), mpq_denref(r->b));
    mpq_set_z(r->z_right, down);
    mpq_sub(r->f0, r->b, r->z_right);
    mpz_clear(down);
    double f0 = mpq_get_d(r->f0);
    if (f0 < LEAST_FRACTION || f0 > MOST_FRACTION) return false;
    mpq_set_ui(r->scale, 1, 1);
    mpq_sub(r->scale, r->scale, r->f0);
    mpq_inv(r->scale, r->scale);
    return true;
}

/* pi and weight of an integer term. True: the weight is in N. */
static bool round_term(derivation *r, const mpq_t coefficient)
{
    mpz_t down;
    mpz_init(down);
    mpz_fdiv_q(down, mpq_numref(coefficient), mpq_denref(coefficient));
    mpq_set_z(r->pi, down);
    mpz_clear(down);
    mpq_sub(r->weight, coefficient, r->pi);
    if (mpq_cmp(r->weight, r->f0) <= 0) return false;
    mpq_set_ui(r->t, 1, 1);
    mpq_add(r->pi, r->pi, r->t);
    mpq_sub(r->weight, r->t, r->weight);
    return true;
}

/* The term of row or column v with its coefficient in the sum: t = bound - v from the upper bound, else v - bound. */
static void cut_term(derivation *r, int v, bool upper, bool integer, mpq_t coefficient)
{
    bool negative = true;
    mpq_set_ui(r->pi, 0, 1);
    if (integer) {
        negative = round_term(r, coefficient);
    } else {
        negative = mpq_sgn(coefficient) < 0;
        mpq_abs(r->weight, coefficient);
    }
    bound_of(r, v, upper);
    if (mpq_sgn(r->pi) != 0) { /* z gains pi t */
        mpq_mul(coefficient, r->pi, r->u);
        if (!upper) mpq_neg(coefficient, coefficient);
        mpq_sub(r->z_right, r->z_right, coefficient);
        if (upper) mpq_neg(r->pi, r->pi);
        add_variable(r, r->z, v, r->pi);
    }
    if (mpq_sgn(r->weight) == 0) return;
    mpq_mul(r->weight, r->weight, r->scale);
    mpq_t *used = (upper ? r->high : r->low)[negative ? 0 : 1];
    mpq_add(used[v], used[v], r->weight);
    if (!negative) return;
    /* the cut loses weight t */
    mpq_mul(coefficient, r->weight, r->u);
    if (!upper) mpq_neg(coefficient, coefficient);
    mpq_add(r->right, r->right, coefficient);
    if (!upper) mpq_neg(r->weight, r->weight);
    add_variable(r, r->alpha, v, r->weight);
}

static void add_terms(derivation *r)
{
    const vipr *p = r->p;
    mpq_t coefficient;
    mpq_init(coefficient);
    for (int j = 0; j < p->data.cols; j++) {
        if (mpq_sgn(r->a[j]) == 0) continue;
        bool upper = measured_from_upper(r, j);
        mpq_set(coefficient, r->a[j]);
        if (upper) mpq_neg(coefficient, coefficient);
        cut_term(r, p->data.rows + j, upper, vouch_lp_is_integer(p->lp, j) != 0, coefficient);
    }
    for (int k = 0; k < r->from->rows; k++) {
        int i = r->from->row[k];
        if (mpq_sgn(r->factor[k]) == 0) continue;
        bool upper = r->from->side[k] >= 0;
        mpq_set(coefficient, r->factor[k]);
        if (r->from->side[k] == 0) {
            mpq_mul(coefficient, coefficient, r->scale);
            mpq_add(r->high[1][i], r->high[1][i], coefficient);
            continue;
        }
        if (!upper) mpq_neg(coefficient, coefficient);
        cut_term(r, i, upper, slack_is_whole(r, i, upper), coefficient);
    }
    /* the cut: z minus its N terms */
    for (int j = 0; j < p->data.cols; j++) mpq_add(r->alpha[j], r->alpha[j], r->z[j]);
    mpq_add(r->right, r->right, r->z_right);
    mpq_clear(coefficient);
}

/* Relative precision of coefficients. */
static const double COARSENESS = 1e-9;
/* Largest coefficient times common denominator. */
static const double LARGEST_WHOLE = 1e7;
/* Least violation relative to 1 + |right side|, and to the norm. */
static const double LEAST_VIOLATION = 1e-6, LEAST_DISTANCE = 1e-4;
/* Largest ratio of two coefficients. */
static const double WIDEST = 1e7;

/* ---- short decimals --------------------------------------------------------------------------------------------------------- */

/* alpha_j becomes value, paid for by a bound of j on both sides. False: the bound is missing. */
static bool move_to(derivation *r, int j, double value)
{
    const vipr *p = r->p;
    int v = p->data.rows + j;
    exact_number(r->weight, value, EXACT_DECIMAL);
    mpq_sub(r->t, r->weight, r->alpha[j]);
    int sign = mpq_sgn(r->t);
    if (sign == 0) return true;
    if ((sign > 0 ? p->high_at : p->low_at)[v] < 0) return false;
    mpq_set(r->alpha[j], r->weight);
    bound_of(r, v, sign > 0);
    mpq_mul(r->u, r->u, r->t);
    mpq_add(r->right, r->right, r->u);
    mpq_abs(r->t, r->t);
    for (int s = 0; s < 2; s++) {
        mpq_t *used = (sign > 0 ? r->high : r->low)[s];
        mpq_add(used[v], used[v], r->t);
    }
    return true;
}

/* Multiplies fractions with a small common denominator to integers. False: it is too large. */
static bool make_whole(derivation *r, double most)
{
    const vipr *p = r->p;
    int all = p->data.rows + p->data.cols;
    mpz_t common;
    mpz_init_set_ui(common, 1);
    for (int j = 0; j < p->data.cols && mpz_get_d(common) * most <= LARGEST_WHOLE; j++) exact_common(common, r->alpha[j]);
    bool is = mpz_get_d(common) * most <= LARGEST_WHOLE;
    if (is) {
        mpz_mul(mpq_numref(r->times), mpq_numref(r->times), common);
        for (int j = 0; j < p->data.cols; j++) mpq_mul(r->alpha[j], r->alpha[j], r->times);
        for (int s = 0; s < 2; s++)
            for (int v = 0; v < all; v++) {
                if (mpq_sgn(r->low[s][v])) mpq_mul(r->low[s][v], r->low[s][v], r->times);
                if (mpq_sgn(r->high[s][v])) mpq_mul(r->high[s][v], r->high[s][v], r->times);
            }
        mpq_mul(r->right, r->right, r->times);
    }
    mpz_clear(common);
    return is;
}

static bool shorten(derivation *r)
{
    const vipr *p = r->p;
    double most = 0;
    for (int j = 0; j < p->data.cols; j++) most = fmax(most, fabs(mpq_get_d(r->alpha[j])));
    if (!(most > 0) || !isfinite(most)) return false;
    double unit = fmax(1, pow(10, -ceil(log10(most * COARSENESS))));
    if (make_whole(r, most)) return true;
    for (int j = 0; j < p->data.cols; j++) {
        if (mpq_sgn(r->alpha[j]) == 0) continue;
        double v = mpq_get_d(r->alpha[j]), x = r->from->x ? r->from->x[j] : p->low[j];
        bool low = !isinf(p->low[j]), high = !isinf(p->high[j]);
        if (!low && !high) return false;
        if (fabs(v) * WIDEST < most) { /* dropped, if the bound exists */
            if (!move_to(r, j, 0)) return false;
            continue;
        }
        bool up = !low || (high && p->high[j] - x < x - p->low[j]);
        double value = rint(v * unit) / unit;
        exact_number(r->t, value, EXACT_DECIMAL);
        if (!mpq_equal(r->t, r->alpha[j])) value = (up ? ceil(v * unit) : floor(v * unit)) / unit;
        if (!move_to(r, j, value)) return false;
    }
    return true;
}

/* The row in doubles equal to the written decimals. False: it violates too little or its coefficients vary too much. */
static bool in_doubles(derivation *r)
{
    vipr_cut *c = r->made;
    double activity = 0, square = 0, most = 0, least = INFINITY;
    c->count = 0;
    for (int j = 0; j < r->p->data.cols; j++) {
        if (mpq_sgn(r->alpha[j]) == 0) continue;
        double v = mpq_get_d(r->alpha[j]);
        for (int k = 0; k < 3; k++) { /* the double with this decimal */
            exact_number(r->t, v, EXACT_DECIMAL);
            if (mpq_equal(r->t, r->alpha[j])) break;
            v = nextafter(v, mpq_cmp(r->t, r->alpha[j]) < 0 ? INFINITY : -INFINITY);
        }
        if (!mpq_equal(r->t, r->alpha[j])) return false;
        c->index[c->count] = j, c->value[c->count++] = v;
        activity += v * (r->from->x ? r->from->x[j] : 0), square += v * v;
        most = fmax(most, fabs(v)), least = fmin(least, fabs(v));
    }
    c->upper = mpq_get_d(r->right);
    double step = fmax(fabs(c->upper), 1) * 1e-15, at = c->upper;
    /* a short decimal just above it, if any */
    c->upper = ceil(at * 1e9 - 1e-3) / 1e9;
    exact_number(r->t, c->upper, EXACT_DECIMAL);
    for (; mpq_cmp(r->t, r->right) < 0; step *= 2) {
        c->upper = at + step;
        exact_number(r->t, c->upper, EXACT_DECIMAL);
    }
    mpq_set(r->right, r->t);
    double violation = r->from->x ? activity - c->upper : INFINITY;
    return most <= WIDEST * least && violation > LEAST_VIOLATION * (1 + fabs(c->upper)) &&
           violation > LEAST_DISTANCE * sqrt(square);
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

static void write_vector(derivation *r, mpq_t *q)
{
    vipr *p = r->p;
    int count = 0;
    for (int j = 0; j < p->data.cols; j++) count += mpq_sgn(q[j]) != 0;
    vipr_add(p, "%d", count);
    for (int j = 0; j < p->data.cols; j++) {
        if (mpq_sgn(q[j]) == 0) continue;
        vipr_add(p, " %d ", j);
        vipr_add_fraction(p, q[j]);
    }
}

static int cut_assumption(derivation *r, bool upper)
{
    vipr *p = r->p;
    mpq_set_ui(r->t, upper ? 0 : 1, 1);
    mpq_add(r->t, r->t, r->z_right);
    vipr_add(p, "S%d %c ", p->derived, upper ? 'L' : 'G');
    vipr_add_fraction(p, r->t);
    vipr_add(p, " ");
    write_vector(r, r->z);
    vipr_add(p, " { asm }");
    return vipr_end_line(p);
}

static void begin_cut(derivation *r)
{
    vipr *p = r->p;
    vipr_add(p, "C%d L ", p->derived);
    vipr_add_fraction(p, r->right);
    vipr_add(p, " ");
    write_vector(r, r->alpha);
    vipr_add(p, " { ");
}

static void use(derivation *r, int number, const mpq_t factor, bool negate)
{
    vipr *p = r->p;
    CHECK(number >= 0);
    mpq_set(r->t, factor);
    if (negate) mpq_neg(r->t, r->t);
    vipr_add(p, " %d ", number);
    vipr_add_fraction(p, r->t);
    vipr_refer(p, number);
}

/* The cut on one side of the disjunction. */
static int write_side(derivation *r, int side, int assumption)
{
    vipr *p = r->p;
    int count = 1, all = p->data.rows + p->data.cols;
    for (int v = 0; v < all; v++) count += (mpq_sgn(r->low[side][v]) != 0) + (mpq_sgn(r->high[side][v]) != 0);
    begin_cut(r);
    vipr_add(p, "lin %d", count);
    if (side == 0)
        mpq_set_ui(r->u, 1, 1);
    else
        mpq_mul(r->u, r->f0, r->scale);
    mpq_mul(r->u, r->u, r->times);
    use(r, assumption, r->u, side == 1);
    for (int v = 0; v < all; v++) {
        if (mpq_sgn(r->low[side][v]) != 0) use(r, p->low_at[v], r->low[side][v], true);
        if (mpq_sgn(r->high[side][v]) != 0) use(r, p->high_at[v], r->high[side][v], false);
    }
    vipr_add(p, " }");
    return vipr_end_line(p);
}

static void write_cut(derivation *r)
{
    vipr *p = r->p;
    int below = cut_assumption(r, true), above = cut_assumption(r, false);
    int first = write_side(r, 0, below), second = write_side(r, 1, above);
    begin_cut(r);
    vipr_add(p, "uns %d %d %d %d }", first, below, second, above);
    int referred[] = {first, below, second, above};
    for (int k = 0; k < 4; k++) vipr_refer(p, referred[k]);
    r->made->number = vipr_end_line(p);
}

vipr_end vipr_round(vipr *p, const vipr_rounding *from, vipr_cut *made)
{
    volatile vipr_end end = VIPR_MEMORY;
    derivation *r = MEM_ZERO(derivation, 1);
    if (!r) return VIPR_MEMORY;
    CHECK(p->held_count == 0);
    r->from = from, r->made = made;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        start(r, p);
        take_factors(r);
        end = VIPR_OPEN;
        if (add_up(r) && shift(r) && split(r)) {
            add_terms(r);
            if (shorten(r) && in_doubles(r)) {
                write_cut(r);
                end = VIPR_DONE;
            }
        }
        finish(r);
    } else {
        end = VIPR_MEMORY;
    }
    exact_memory_pause(&p->memory);
    mem_free(r);
    return end;
}
