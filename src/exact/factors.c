/* exact/factors.c - the factors of a basis modulo a prime p, and rational solutions lifted from them.
 *
 * Factorisation: left-looking, a column at a time (J. R. Gilbert and T. Peierls, SIAM J. Sci. Stat. Comput. 9, 1988), with the
 * order and the pivot rows of the factors in doubles (la/lu.h); another row is used if a residue there is 0. Independent columns
 * are dependent modulo p with probability about 2^-61.
 *
 *     r_0 = b,   d_k = B^-1 r_k mod p,   r_k+1 = (r_k - B d_k) / p,   x = d_0 + d_1 p + d_2 p^2 + ..  (mod p^steps)
 *
 * Lifting: J. D. Dixon, Numer. Math. 40 (1982); residuals stay as small as the entries of B. At intervals the fractions with these
 * residues are reconstructed (P. S. Wang, 1981), all with one divisor, and tested in B x = b: fractions that pass are the solution,
 * so no bound on its size is needed. Others were small by chance, as all 1 / 2^k are modulo a prime next to a power of two. Digits
 * are between -p/2 and p/2, so that integer solutions end with r = 0. W. Cook and D. E. Steffy (INFORMS J. Computing 23, 2011)
 * found this the fastest method for bases of linear programs. */
#include "exact/factors.h"

#include "base/check.h"
#include "base/memory.h"
#include "la/lu.h"

/* The prime 2^61 - 1 (Mersenne), by which a shift reduces a product. */
enum { PRIME_BITS = 61 };
#define PRIME ((UINT64_C(1) << PRIME_BITS) - 1)

__extension__ typedef unsigned __int128 wide;

static inline uint64_t modular_times(uint64_t a, uint64_t b)
{
    wide t = (wide)a * b;
    uint64_t s = (uint64_t)(t & PRIME) + (uint64_t)(t >> PRIME_BITS);
    return s >= PRIME ? s - PRIME : s;
}
static inline uint64_t modular_minus(uint64_t a, uint64_t b) { return a >= b ? a - b : a + PRIME - b; }

/* Columns of L or U by steps; they grow at the end. */
typedef struct modular_lists {
    int64_t *begin; /* [m + 1] */
    int *index;     /* L: rows; U: steps */
    uint64_t *value;
    size_t capacity;
} modular_lists;

struct exact_factors {
    int m;
    const exact_matrix *a;
    const sparse *doubles;
    exact_memory *memory;
    exact_effort *effort;
    lu *order;       /* of the pivots: sparse in doubles, hence sparse in residues */
    int *head;       /* [m] variable of each place */
    int64_t entries; /* of the basis */
    modular_lists l, u;
    uint64_t *pivot;                        /* [m] by steps, inverted */
    int *row, *place;                       /* [m] of each step */
    int *step_of_row;                       /* [m] -1: none yet */
    uint64_t *work;                         /* [m] zero between calls */
    uint64_t *half;                         /* [m] */
    char *mark;                             /* [m] zero between calls */
    int *stack, *found, *wanted, *sequence; /* [m] */
    int64_t *next;                          /* [m] */
    int64_t *digit;                         /* [steps][m] of the lifted solution */
    size_t digits;                          /* capacity */
    mpz_t *residual;                        /* [m] */
    mpz_t *rest;                            /* [m] of the tested equations; in the same block */
    mpz_t power, bound, a0, a1, s0, s1, q, t;
};

/* Work of an entry of the factors, of a product with one word, and of each further word. */
enum { WORK_RESIDUE = 4, WORK_PRODUCT = 12, WORK_WORD = 2 };

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

/* Counts work; jumps out at the limit. */
static void factors_spend(exact_factors *f, long long work)
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

/* Work of a column and of an entry of the basis, without fill-in. */
enum { WORK_COLUMN = 400, WORK_FACTOR = 60 };

/* ---- factorisation --------------------------------------------------------------------------------------------------------- */

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

/* The rows reachable from row i through L, to found [top ..] in topological order. Returns the new top. */
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

/* work := column v; the rows reachable from its entries to found [top ..]. */
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

/* Eliminates column v with its pivot in row `wanted` if possible (-1: any). False: it depends on earlier columns. */
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

/* sequence: the places of head in the pivot order of doubles; wanted: their rows (-1: none). */
static void find_order(exact_factors *f)
{
    int m = f->m, replaced, count = 0;
    int *place_of = f->stack, *copy = f->found;
    MEM_COPY(copy, f->head, m);
    int failed = lu_factor(f->order, f->doubles, copy, LU_THRESHOLD, &replaced);
    if (failed) longjmp(f->memory->escape, failed < 0 ? ESCAPE_MEMORY : ESCAPE_LIMIT);
    lu_shape shape = lu_look(f->order);
    /* Places of variables through their rows: copy [p] is the variable with its pivot in row p. */
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
    for (int place = 0; place < m; place++) { /* columns dependent in doubles are last */
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

/* ---- solves modulo p ------------------------------------------------------------------------------------------------------- */

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

static void solve_rows(const exact_factors *f, uint64_t b[], uint64_t x[])
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

/* ---- lifting --------------------------------------------------------------------------------------------------------------- */

enum {
    FIRST_ATTEMPT = 2,    /* digits before the first reconstruction; half as many more before each further one */
    SPARE_BITS = 24,      /* between a fraction and the modulus: chance results are rarer than one in 2^24 */
    WORK_DIVISOR = 900,   /* of the Euclidean algorithm, for each pair of words */
    DIGITS_MOST = 1 << 26 /* in all: half a gigabyte */
};

static void start(exact_factors *f)
{
    if (f->residual) return;
    f->residual = MEM_NEW(mpz_t, 2 * (size_t)f->m + 1);
    if (!f->residual) longjmp(f->memory->escape, ESCAPE_MEMORY);
    f->rest = f->residual + f->m;
    for (int i = 0; i < 2 * f->m; i++) mpz_init(f->residual[i]);
    mpz_inits(f->power, f->bound, f->a0, f->a1, f->s0, f->s1, f->q, f->t, NULL);
}

static void subtract_times(mpz_t from, const mpz_t a, int64_t x)
{
    if (x >= 0)
        mpz_submul_ui(from, a, (unsigned long)x);
    else
        mpz_addmul_ui(from, a, (unsigned long)-x);
}

/* Computes one more digit. False: the residual is 0, the solution is integer. */
static bool next_digit(exact_factors *f, size_t steps, bool transposed)
{
    size_t m = (size_t)f->m;
    if (m == 0) return false;
    if ((steps + 1) * m > f->digits) {
        size_t room = (steps + 1) * m + steps * m / 2;
        if (room > DIGITS_MOST) longjmp(f->memory->escape, ESCAPE_LIMIT);
        if (MEM_RESIZE(&f->digit, room)) longjmp(f->memory->escape, ESCAPE_MEMORY);
        f->digits = room;
    }
    int64_t *x = f->digit + steps * m;
    uint64_t *b = f->work, *solved = (uint64_t *)x;
    bool any = false;
    for (size_t i = 0; i < m; i++) {
        b[i] = mpz_fdiv_ui(f->residual[i], PRIME);
        any = any || mpz_sgn(f->residual[i]) != 0;
    }
    if (any) (transposed ? solve_rows : solve_columns)(f, b, solved);
    for (size_t i = 0; i < m; i++) b[i] = 0;
    if (!any) return false;
    for (size_t i = 0; i < m; i++) x[i] = solved[i] > PRIME / 2 ? -(int64_t)(PRIME - solved[i]) : (int64_t)solved[i];
    /* residual -= B x or B'x */
    const exact_matrix *a = f->a;
    for (int place = 0; place < f->m; place++) {
        int v = f->head[place];
        if (!transposed && x[place] == 0) continue;
        if (v < f->m) {
            subtract_times(f->residual[transposed ? place : v], a->unit[v], x[transposed ? v : place]);
            continue;
        }
        for (int64_t k = a->start[v - f->m]; k < a->start[v - f->m + 1]; k++) {
            int row = a->index[k];
            subtract_times(f->residual[transposed ? place : row], a->value[k], x[transposed ? row : place]);
        }
    }
    for (size_t i = 0; i < m; i++) mpz_divexact_ui(f->residual[i], f->residual[i], PRIME);
    factors_spend(f, WORK_PRODUCT * (f->entries + 3 * f->m) + WORK_RESIDUE * (f->l.begin[f->m] + f->u.begin[f->m]));
    return true;
}

/* number [m] := sums of the digits */
static void add_digits(exact_factors *f, size_t steps, mpz_t number[])
{
    size_t m = (size_t)f->m;
    for (size_t i = 0; i < m; i++) {
        mpz_set_ui(number[i], 0);
        for (size_t k = steps; k-- > 0;) {
            int64_t d = f->digit[k * m + i];
            mpz_mul_ui(number[i], number[i], PRIME);
            if (d >= 0)
                mpz_add_ui(number[i], number[i], (unsigned long)d);
            else
                mpz_sub_ui(number[i], number[i], (unsigned long)-d);
        }
        factors_spend(f, (long long)steps * (WORK_PRODUCT + WORK_WORD * (long long)steps));
    }
}

/* t := t mod power, between -power/2 and power/2 */
static void centre(exact_factors *f, mpz_t t)
{
    mpz_fdiv_r(t, t, f->power);
    if (mpz_cmp(t, f->bound) > 0) mpz_sub(t, t, f->power);
}

/* The divisor s1 that makes t small modulo power. False: none. */
static bool find_divisor(exact_factors *f)
{
    size_t bits = mpz_sizeinbase(f->power, 2);
    mpz_set(f->a0, f->power);
    mpz_fdiv_r(f->a1, f->t, f->power);
    mpz_set_ui(f->s0, 0);
    mpz_set_ui(f->s1, 1);
    while (mpz_sizeinbase(f->a1, 2) > bits / 2) {
        mpz_tdiv_qr(f->q, f->a0, f->a0, f->a1);
        mpz_swap(f->a0, f->a1);
        mpz_submul(f->s0, f->q, f->s1);
        mpz_swap(f->s0, f->s1);
    }
    mpz_abs(f->s1, f->s1);
    return mpz_sgn(f->a1) != 0 && mpz_sizeinbase(f->a1, 2) + mpz_sizeinbase(f->s1, 2) + SPARE_BITS <= bits;
}

/* Converts residues in number [m] to numerators with one divisor. strictly: numerators with half the digits, which are unique;
 * otherwise any that are small relative to the modulus. False: none. */
static bool find_fractions(exact_factors *f, size_t steps, bool strictly, mpz_t number[], mpz_t divisor)
{
    mpz_ui_pow_ui(f->power, PRIME, steps);
    mpz_fdiv_q_2exp(f->bound, f->power, 1);
    size_t bits = mpz_sizeinbase(f->power, 2), most = strictly ? bits / 2 : bits;
    mpz_set_ui(divisor, 1);
    for (int i = 0; i < f->m; i++) {
        if (mpz_sgn(number[i]) == 0) continue;
        mpz_mul(f->t, number[i], divisor);
        centre(f, f->t);
        size_t size = mpz_sizeinbase(f->t, 2);
        if (size <= most && size + mpz_sizeinbase(divisor, 2) + SPARE_BITS <= bits) continue;
        factors_spend(f, (long long)(steps * steps) * WORK_DIVISOR);
        if (!find_divisor(f)) return false;
        mpz_mul(divisor, divisor, f->s1);
        if (mpz_sizeinbase(divisor, 2) + SPARE_BITS > bits) return false;
    }
    for (int i = 0; i < f->m; i++) {
        mpz_mul(number[i], number[i], divisor);
        centre(f, number[i]);
    }
    return true;
}

static bool solves(exact_factors *f, const mpz_t rhs[], bool transposed, mpz_t number[], const mpz_t divisor)
{
    const exact_matrix *a = f->a;
    mpz_t *rest = f->rest;
    factors_spend(f, (WORK_PRODUCT + WORK_WORD * (long long)mpz_size(divisor)) * (f->entries + 2 * f->m));
    for (int i = 0; i < f->m; i++) mpz_mul(rest[i], rhs[i], divisor);
    for (int place = 0; place < f->m; place++) {
        int v = f->head[place];
        if (v < f->m) {
            mpz_submul(rest[transposed ? place : v], a->unit[v], number[transposed ? v : place]);
            continue;
        }
        for (int64_t k = a->start[v - f->m]; k < a->start[v - f->m + 1]; k++) {
            int row = a->index[k];
            mpz_submul(rest[transposed ? place : row], a->value[k], number[transposed ? row : place]);
        }
    }
    for (int i = 0; i < f->m; i++)
        if (mpz_sgn(rest[i]) != 0) return false;
    return true;
}

void exact_factors_solve(exact_factors *f, const mpz_t rhs[], bool transposed, mpz_t number[], mpz_t divisor)
{
    start(f);
    for (int i = 0; i < f->m; i++) mpz_set(f->residual[i], rhs[i]);
    size_t steps = 0, attempt = FIRST_ATTEMPT;
    mpz_set_ui(divisor, 1);
    while (next_digit(f, steps, transposed)) {
        if (++steps < attempt) continue;
        attempt = steps + steps / 2;
        for (int strictly = 0; strictly < 2; strictly++) {
            add_digits(f, steps, number);
            if (!find_fractions(f, steps, strictly, number, divisor)) break;
            if (solves(f, rhs, transposed, number, divisor)) return;
        }
    }
    mpz_set_ui(divisor, 1);
    add_digits(f, steps, number);
}
