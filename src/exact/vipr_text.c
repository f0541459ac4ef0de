/* exact/vipr_text.c - a proof as a text: the program, the lines derived, the file. See exact/vipr.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/locale.h"
#include "base/memory.h"
#include "exact/number.h"
#include "exact/vipr_private.h"

/* ---- text ---------------------------------------------------------------------------------------------------------- */

void vipr_out_of_memory(vipr *p) { longjmp(p->memory.escape, ESCAPE_MEMORY); }

void vipr_add_bytes(vipr *p, const char *bytes, size_t count)
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

void vipr_add(vipr *p, const char *format, ...)
{
    char buffer[256];
    va_list args;
    va_start(args, format);
    int n = format_list(buffer, sizeof buffer, format, args);
    va_end(args);
    vipr_add_bytes(p, buffer, n < 0 ? 0 : (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
}

void vipr_add_fraction(vipr *p, const mpq_t q)
{
    size_t room = mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3;
    char small[256], *digits = room <= sizeof small ? small : MEM_NEW(char, room);
    if (!digits) vipr_out_of_memory(p);
    mpq_get_str(digits, 10, q);
    vipr_add_bytes(p, digits, strlen(digits));
    if (digits != small) mem_free(digits);
}

void vipr_add_decimal(vipr *p, double v)
{
    exact_number(p->q, v, EXACT_DECIMAL);
    vipr_add_fraction(p, p->q);
}

void vipr_refer(vipr *p, int number)
{
    if (number >= p->given && p->last[number - p->given] < p->given + p->derived)
        p->last[number - p->given] = p->given + p->derived;
}

/* Ends a derived line; its number. */
int vipr_end_line(vipr *p)
{
    size_t at = (size_t)p->derived;
    if (MEM_RESERVE(&p->line_end, &p->line_capacity, at) || MEM_RESERVE(&p->last, &p->last_capacity, at)) vipr_out_of_memory(p);
    p->line_end[at] = p->length;
    p->last[at] = -1;
    p->derived++;
    return p->given + p->derived - 1;
}

/* ---- the program ---------------------------------------------------------------------------------------------------- */

static bool plain_name(const char *name)
{
    if (!*name || strlen(name) > 100) return false;
    for (; *name; name++)
        if ((unsigned char)*name <= ' ' || *name == '%' || (unsigned char)*name >= 127) return false;
    return true;
}

/* Names of their own where these are words, or else numbers; doubled names do no harm, as constraints name variables by number. */
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

static void write_objective(vipr *p)
{
    int terms = 0;
    for (int j = 0; j < p->data.cols; j++) terms += p->data.cost[j] != 0;
    vipr_add(p, "OBJ %s\n%d", p->data.maximize ? "max" : "min", terms);
    for (int j = 0; j < p->data.cols; j++) {
        if (p->data.cost[j] == 0) continue;
        vipr_add(p, " %d ", j);
        vipr_add_decimal(p, p->data.cost[j]);
    }
    vipr_add(p, "\n");
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

/* The largest fraction of which all costs are multiples, if only integer columns have any. */
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
    write_objective(p);
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

/* Claims on the grid are about a multiple of the objective: the last line says it of the objective itself. */
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
