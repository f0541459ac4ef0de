/* exact/modular.c - the factors of a basis modulo a prime.
 *
 * Left-looking, a column at a time (J. R. Gilbert and T. Peierls, SIAM J. Sci. Stat. Comput. 9, 1988), in the order and with the
 * pivot rows that the factors in doubles (lu.h) had; where a residue there is 0, another row takes its place. Integers that are
 * dependent by the prime alone are as good as never met: 2^-61.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/factors_private.h"
#include "la/lu.h"

/* ---- life -------------------------------------------------------------------------------------------------------- */

exact_factors *exact_factors_new(const exact_matrix *a, const sparse *doubles, exact_memory *memory, exact_effort *effort)
{
    exact_factors *f = MEM_ZERO(exact_factors, 1);
    if (!f) return NULL;
    size_t m = (size_t)a->m + 1;
    *f = (exact_factors){.m = a->m, .a = a, .doubles = doubles, .memory = memory, .effort = effort};
    int **ints[] = {&f->head, &f->row, &f->place, &f->step_of_row, &f->stack, &f->found, &f->wanted, &f->sequence};
    bool whole = true;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) whole = (*ints[i] = MEM_ZERO(int, m)) && whole;
    uint64_t **words[] = {&f->pivot, &f->work, &f->half};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) whole = (*words[i] = MEM_ZERO(uint64_t, m)) && whole;
    int64_t **places[] = {&f->l.begin, &f->u.begin, &f->next};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) whole = (*places[i] = MEM_ZERO(int64_t, m)) && whole;
    whole = (f->mark = MEM_ZERO(char, m)) && (f->order = lu_new(a->m)) && whole;
    if (whole) return f;
    exact_factors_free(f);
    return NULL;
}

void exact_factors_free(exact_factors *f)
{
    if (!f) return;
    void *blocks[] = {f->head,     f->row,   f->place,   f->step_of_row, f->stack,   f->found,   f->wanted,
                      f->sequence, f->pivot, f->work,    f->half,        f->l.begin, f->u.begin, f->next,
                      f->mark,     f->digit, f->l.index, f->l.value,     f->u.index, f->u.value, f->residual};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    lu_free(f->order);
    mem_free(f);
}

void factors_spend(exact_factors *f, long long work)
{
    f->effort->work += work;
    if (f->effort->work > f->effort->most || deadline_expired(f->effort->limit)) longjmp(f->memory->escape, ESCAPE_LIMIT);
}

void exact_residues(exact_matrix *a)
{
    int64_t entries = a->start[a->n];
    for (int64_t k = 0; k < entries; k++) a->residue[k] = mpz_fdiv_ui(a->value[k], PRIME);
    for (int i = 0; i < a->m; i++) a->residue[entries + i] = mpz_fdiv_ui(a->unit[i], PRIME);
}

/* Work of a column, and of an entry, of the basis, before there is fill. */
enum { WORK_COLUMN = 400, WORK_FACTOR = 60 };

/* ---- factorisation ----------------------------------------------------------------------------------------------- */

static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t power = PRIME - 2; power; power >>= 1) {
        if (power & 1) result = modular_times(result, a);
        a = modular_times(a, a);
    }
    return result;
}

static void append(exact_factors *f, modular_lists *list, int64_t at, int index, uint64_t value)
{
    if ((size_t)at >= list->capacity) {
        size_t capacity = (size_t)at + (size_t)at / 2 + 1024;
        if (MEM_RESIZE(&list->index, capacity) || MEM_RESIZE(&list->value, capacity)) longjmp(f->memory->escape, ESCAPE_MEMORY);
        list->capacity = capacity;
    }
    list->index[at] = index;
    list->value[at] = value;
}

/* The rows that column entries reach through L, into found [top ..] in topological order. */
static int reach_from(exact_factors *f, int i, int top)
{
    int depth = 0;
    f->stack[0] = i;
    while (depth >= 0) {
        int row = f->stack[depth], step = f->step_of_row[row];
        if (!f->mark[row]) {
            f->mark[row] = 1;
            f->next[depth] = step < 0 ? 0 : f->l.begin[step];
        }
        int64_t end = step < 0 ? 0 : f->l.begin[step + 1], k = f->next[depth];
        while (k < end && f->mark[f->l.index[k]]) k++;
        f->next[depth] = k + 1;
        if (k < end)
            f->stack[++depth] = f->l.index[k];
        else
            depth--, f->found[--top] = row;
    }
    return top;
}

/* work := column v; its rows and those they reach into found [top ..]. */
static int scatter(exact_factors *f, int v)
{
    const exact_matrix *a = f->a;
    int top = f->m;
    if (v < f->m) {
        f->work[v] = a->residue[a->start[a->n] + v];
        return reach_from(f, v, top);
    }
    for (int64_t k = a->start[v - f->m]; k < a->start[v - f->m + 1]; k++) {
        f->work[a->index[k]] = a->residue[k];
        if (!f->mark[a->index[k]]) top = reach_from(f, a->index[k], top);
    }
    return top;
}

/* Eliminates column v; its pivot shall be in row `wanted` (-1: any). False: dependent on those before. */
static bool eliminate_column(exact_factors *f, int v, int place, int step, int wanted)
{
    int top = scatter(f, v), pivot_row = -1;
    int64_t u_end = f->u.begin[step], l_end = f->l.begin[step];
    for (int t = top; t < f->m; t++) {
        int row = f->found[t], before = f->step_of_row[row];
        uint64_t x = f->work[row];
        if (x == 0) continue;
        if (before < 0) {
            if (pivot_row < 0 || row == wanted) pivot_row = row;
            continue;
        }
        append(f, &f->u, u_end++, before, x);
        f->effort->work += WORK_RESIDUE * (f->l.begin[before + 1] - f->l.begin[before]);
        for (int64_t k = f->l.begin[before]; k < f->l.begin[before + 1]; k++)
            f->work[f->l.index[k]] = modular_minus(f->work[f->l.index[k]], modular_times(x, f->l.value[k]));
    }
    uint64_t pivot = pivot_row < 0 ? 0 : inverse(f->work[pivot_row]);
    for (int t = top; t < f->m; t++) {
        int row = f->found[t];
        if (pivot_row >= 0 && f->step_of_row[row] < 0 && row != pivot_row && f->work[row])
            append(f, &f->l, l_end++, row, modular_times(f->work[row], pivot));
        f->work[row] = 0;
        f->mark[row] = 0;
    }
    if (pivot_row < 0) return false;
    f->u.begin[step + 1] = u_end, f->l.begin[step + 1] = l_end;
    f->pivot[step] = pivot;
    f->row[step] = pivot_row, f->place[step] = place;
    f->step_of_row[pivot_row] = step;
    return true;
}

/* The places of head in the order of the pivots that doubles find, into sequence, and their rows into wanted (-1: none). */
static void find_order(exact_factors *f)
{
    int m = f->m, replaced, count = 0;
    int *place_of = f->stack, *copy = f->found;
    MEM_COPY(copy, f->head, m);
    int failed = lu_factor(f->order, f->doubles, copy, LU_THRESHOLD, &replaced);
    if (failed) longjmp(f->memory->escape, failed < 0 ? ESCAPE_MEMORY : ESCAPE_LIMIT);
    lu_shape shape = lu_look(f->order);
    /* Places of variables by a list through their rows: copy [p] is the variable that pivots in row p. */
    int *by_variable = mem_zero((size_t)m + (size_t)f->a->n + 1, sizeof(int));
    if (!by_variable) longjmp(f->memory->escape, ESCAPE_MEMORY);
    for (int place = 0; place < m; place++) by_variable[f->head[place]] = place + 1;
    for (int k = 0; k < shape.u_count; k++) {
        int row = shape.u_order[k], place = row < 0 ? 0 : by_variable[copy[row]];
        if (place == 0) continue;
        f->sequence[count] = place - 1;
        place_of[count] = row;
        count++;
        by_variable[copy[row]] = 0;
    }
    for (int k = 0; k < count; k++) f->wanted[k] = place_of[k];
    for (int place = 0; place < m; place++) { /* what doubles took for dependent comes last */
        if (by_variable[f->head[place]] == 0) continue;
        f->wanted[count] = -1;
        f->sequence[count++] = place;
    }
    mem_free(by_variable);
    CHECK_COMPARE(count, ==, m);
}

void exact_factors_make(exact_factors *f, int head[])
{
    int m = f->m, step = 0, left_out = 0;
    MEM_COPY(f->head, head, m);
    f->entries = 0;
    for (int place = 0; place < m; place++)
        f->entries += head[place] < m ? 1 : f->a->start[head[place] - m + 1] - f->a->start[head[place] - m];
    factors_spend(f, WORK_COLUMN * m + WORK_FACTOR * f->entries);
    find_order(f);
    for (int i = 0; i < m; i++) f->step_of_row[i] = -1;
    f->l.begin[0] = f->u.begin[0] = 0;
    for (int k = 0; k < m; k++) {
        int place = f->sequence[k];
        if (k % 64 == 63) factors_spend(f, 0);
        if (eliminate_column(f, f->head[place], place, step, f->wanted[k]))
            step++;
        else
            f->sequence[left_out++] = place;
    }
    for (int row = 0; left_out > 0; row++) {
        if (f->step_of_row[row] >= 0) continue;
        int place = f->sequence[--left_out];
        head[place] = f->head[place] = row;
        bool independent = eliminate_column(f, row, place, step++, row);
        CHECK(independent);
        (void)independent;
    }
    CHECK_COMPARE(step, ==, m);
}

/* ---- solves -------------------------------------------------------------------------------------------------------- */

static void solve_columns(const exact_factors *f, uint64_t b[], uint64_t x[])
{
    for (int step = 0; step < f->m; step++) {
        uint64_t t = b[f->row[step]];
        if (t == 0) continue;
        for (int64_t k = f->l.begin[step]; k < f->l.begin[step + 1]; k++)
            b[f->l.index[k]] = modular_minus(b[f->l.index[k]], modular_times(t, f->l.value[k]));
    }
    for (int step = f->m - 1; step >= 0; step--) {
        uint64_t t = modular_times(b[f->row[step]], f->pivot[step]);
        x[f->place[step]] = t;
        if (t == 0) continue;
        for (int64_t k = f->u.begin[step]; k < f->u.begin[step + 1]; k++) {
            int row = f->row[f->u.index[k]];
            b[row] = modular_minus(b[row], modular_times(t, f->u.value[k]));
        }
    }
}

static void solve_rows(const exact_factors *f, const uint64_t b[], uint64_t x[])
{
    uint64_t *z = f->half;
    for (int step = 0; step < f->m; step++) {
        uint64_t t = b[f->place[step]];
        for (int64_t k = f->u.begin[step]; k < f->u.begin[step + 1]; k++)
            t = modular_minus(t, modular_times(f->u.value[k], z[f->u.index[k]]));
        z[step] = modular_times(t, f->pivot[step]);
    }
    for (int step = f->m - 1; step >= 0; step--) {
        uint64_t t = z[step];
        for (int64_t k = f->l.begin[step]; k < f->l.begin[step + 1]; k++)
            t = modular_minus(t, modular_times(f->l.value[k], x[f->l.index[k]]));
        x[f->row[step]] = t;
    }
}

void modular_solve(exact_factors *f, uint64_t b[], bool transposed, uint64_t x[])
{
    if (transposed)
        solve_rows(f, b, x);
    else
        solve_columns(f, b, x);
}
