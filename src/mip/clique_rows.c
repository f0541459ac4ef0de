/* mip/clique_rows.c - rows of pairwise exclusive literals, extended by literals that exclude all of theirs.
 *
 * A literal is a binary y = x or its complement y = 1 - x; a clique row says  sum of its literals <= 1. Edges of a graph, one row
 * each, bound the relaxation less than its cliques: where rows lie within one clique, the first is extended to it and the others
 * are removed. No point is lost, since some row excludes each pair of literals of the clique. Source: T. Achterberg,
 * R. E. Bixby, Z. Gu, E. Rothberg, D. Weninger, Presolve reductions in mixed integer programming, INFORMS Journal on Computing 32
 * (2020), section 3.6 (clique merging). */
#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/transpose.h"
#include "mip/presolve.h"

enum { WORK = 50 /* times the nonzeros, plus a constant */ };

typedef struct clique_rows {
    mip_model *p;
    int64_t *row, *of;      /* [m + 1], [2 n + 1] literals of each row that is a clique, rows of each literal */
    int *literal, *in;      /* 2 j: x_j, 2 j + 1: its complement */
    bool *drops, *grown;    /* [m] */
    int *extra, *extra_row; /* literals that rows are extended by, row by row */
    int extras;
    int *count, *seen; /* [2 n] literals of the clique that exclude this one, the last of them to do so + 1 */
    int *hits;         /* [m] literals of the clique at hand in this row */
    int *clique, *near, *rows;
    long long work, limit;
    int64_t entries; /* of the model, as extended */
} clique_rows;

static bool is_binary(const mip_model *p, int j) { return p->integer[j] && p->lower[j] == 0 && p->upper[j] == 1; }

/* The sign of  sign * row <= b  if it says that at most one of its literals holds; 0: it does not. */
static int clique_sign(const mip_model *p, int i)
{
    double size = fabs(p->row_value[p->row_start[i]]);
    for (int sign = 1; sign >= -1; sign -= 2) {
        double b = sign > 0 ? p->row_upper[i] : -p->row_lower[i];
        bool fits = isfinite(b) && p->row_start[i + 1] - p->row_start[i] >= 2;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1] && fits; k++) {
            fits = is_binary(p, p->row_col[k]) && fabs(p->row_value[k]) == size;
            if (sign * p->row_value[k] < 0) b += size;
        }
        if (fits && b == size) return sign;
    }
    return 0;
}

static bool has_two_sides(const mip_model *p, int i) { return isfinite(p->row_lower[i]) && isfinite(p->row_upper[i]); }

static void list_literals(clique_rows *c)
{
    const mip_model *p = c->p;
    int64_t at = 0;
    for (int i = 0; i < p->m; i++) {
        int sign = clique_sign(p, i);
        c->row[i] = at;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1] && sign != 0; k++)
            c->literal[at++] = 2 * p->row_col[k] + (sign * p->row_value[k] < 0);
    }
    c->row[p->m] = at;
    transpose(&(line_matrix){p->m, c->row, c->literal, NULL}, 2 * p->n, c->of, c->in, NULL);
}

/* Literal l joins the clique; the literals it excludes are counted and listed in near, whose new length is returned. */
static int join(clique_rows *c, int l, int size, int near)
{
    c->clique[size] = l;
    for (int64_t q = c->of[l]; q < c->of[l + 1]; q++) {
        int i = c->in[q];
        c->work += c->row[i + 1] - c->row[i];
        for (int64_t k = c->row[i]; k < c->row[i + 1]; k++) {
            int other = c->literal[k];
            if (other == l || c->seen[other] == l + 1) continue;
            c->seen[other] = l + 1;
            if (c->count[other]++ == 0) c->near[near++] = other;
        }
    }
    return near;
}

/* Rows of one side that lie within the clique [size], but for row i: into c->rows. Their entries are added to *freed. */
static int rows_within(clique_rows *c, int i, int size, int64_t *freed)
{
    int count = 0, found = 0;
    for (int k = 0; k < size; k++) {
        int l = c->clique[k];
        c->work += c->of[l + 1] - c->of[l];
        for (int64_t q = c->of[l]; q < c->of[l + 1]; q++)
            if (c->hits[c->in[q]]++ == 0) c->rows[count++] = c->in[q];
    }
    for (int k = 0; k < count; k++) {
        int other = c->rows[k];
        int64_t length = c->row[other + 1] - c->row[other];
        bool within = c->hits[other] == length && other != i && !c->drops[other] && !c->grown[other] && !has_two_sides(c->p, other);
        c->hits[other] = 0;
        if (!within) continue;
        *freed += length;
        c->rows[found++] = other;
    }
    return found;
}

/* Extends row i if that makes other rows redundant. */
static void extend(clique_rows *c, int i)
{
    int size = 0, own = (int)(c->row[i + 1] - c->row[i]), near = 0;
    int64_t freed = 0;
    for (int64_t k = c->row[i]; k < c->row[i + 1] && c->work < c->limit; k++, size++) near = join(c, c->literal[k], size, near);
    for (int k = 0; k < near && c->work < c->limit;
         k++) /* near grows meanwhile, by literals that do not exclude the whole clique */
        if (c->count[c->near[k]] == size) near = join(c, c->near[k], size++, near);
    for (int k = 0; k < near; k++) c->count[c->near[k]] = c->seen[c->near[k]] = 0;
    if (size <= own) return;
    int within = rows_within(c, i, size, &freed);
    if (within == 0 || c->entries + size - own - freed > c->p->row_start[c->p->m]) return;
    c->entries += size - own - freed;
    for (int k = 0; k < within; k++) c->drops[c->rows[k]] = true;
    for (int k = own; k < size; k++, c->extras++) c->extra[c->extras] = c->clique[k], c->extra_row[c->extras] = i;
    c->grown[i] = true;
}

/* Writes the extended and the unchanged rows to the model, then its columns. */
static void rebuild(clique_rows *c, int *index, double *value)
{
    mip_model *p = c->p;
    int rows = 0, e = 0;
    int64_t at = 0;
    for (int i = 0; i < p->m; i++) {
        int64_t from = p->row_start[i], to = p->row_start[i + 1], first = at;
        if (c->drops[i]) continue;
        p->row_lower[rows] = p->row_lower[i];
        p->row_upper[rows] = p->row_upper[i];
        for (int64_t k = from; k < to && !c->grown[i]; k++) index[at] = p->row_col[k], value[at++] = p->row_value[k];
        if (c->grown[i]) {
            p->row_lower[rows] = -INFINITY;
            p->row_upper[rows] = 1;
            for (int64_t k = c->row[i]; k < c->row[i + 1]; k++) index[at++] = c->literal[k];
            while (e < c->extras && c->extra_row[e] == i) index[at++] = c->extra[e++];
            for (int64_t k = first; k < at; k++) {
                bool complemented = index[k] & 1;
                index[k] /= 2;
                value[k] = complemented ? -1 : 1;
                p->row_upper[rows] -= complemented;
            }
        }
        p->row_start[rows++] = first; /* rows <= i: what is overwritten has been read */
    }
    p->row_start[rows] = at;
    p->m = rows;
    transpose(&(line_matrix){rows, p->row_start, index, value}, p->n, p->col_start, p->col_row, p->col_value);
    transpose(&(line_matrix){p->n, p->col_start, p->col_row, p->col_value}, rows, p->row_start, p->row_col, p->row_value);
}

vouch_status mip_merge_cliques(mip_model *p)
{
    arena a = {0};
    size_t m = (size_t)p->m, literals = 2 * (size_t)p->n, entries = (size_t)p->row_start[p->m];
    clique_rows c = {.p = p, .limit = WORK * ((long long)entries + 1000), .entries = (int64_t)entries};
    c.row = ARENA_NEW(&a, int64_t, m + 1);
    c.of = ARENA_NEW(&a, int64_t, literals + 1);
    c.drops = ARENA_ZERO(&a, bool, m);
    c.grown = ARENA_ZERO(&a, bool, m);
    c.count = ARENA_ZERO(&a, int, literals);
    c.seen = ARENA_ZERO(&a, int, literals);
    c.hits = ARENA_ZERO(&a, int, m);
    c.rows = ARENA_NEW(&a, int, m);
    int **by_entry[] = {&c.literal, &c.in, &c.extra, &c.extra_row}, **by_literal[] = {&c.clique, &c.near};
    for (size_t k = 0; k < sizeof by_entry / sizeof *by_entry; k++) *by_entry[k] = ARENA_NEW(&a, int, entries);
    for (size_t k = 0; k < sizeof by_literal / sizeof *by_literal; k++) *by_literal[k] = ARENA_NEW(&a, int, literals);
    double *value = ARENA_NEW(&a, double, entries);
    if (!a.failed) {
        list_literals(&c);
        for (int i = 0; i < p->m && c.work < c.limit; i++)
            if (c.row[i] < c.row[i + 1] && !c.drops[i] && !has_two_sides(p, i)) extend(&c, i);
        if (c.extras > 0) rebuild(&c, c.in, value);
    }
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    arena_free(&a);
    return status;
}
