/* mip/cut_path.c - cuts of flows that have to be switched on, along paths of rows (lot sizing, fixed-charge networks).
 *
 * Rows  in_t + s_(t-1) - s_t >= d_t,  t = 1 .. k, pass on what they do not need as s_t >= 0, and an inflow x_j <= M z_j is 0
 * unless its binary z_j is 1. With D_t = max(0, d_t + .. + d_k) every choice S of such inflows gives
 *     s_0 + sum over j not in S of x_j + sum over t, j in S into row t, of D_t z_j  >=  d_1 + .. + d_k:
 * if t is the first row with a z_j = 1, what is not in S has met d_1 + .. + d_(t-1), and D_t z_j is the rest. S takes of each
 * inflow what is less at the point. Source: I. Barany, T. J. Van Roy, L. A. Wolsey, Uncapacitated lot-sizing: the convex hull of
 * solutions, Mathematical Programming Study 22 (1984); T. J. Van Roy, L. A. Wolsey, Valid inequalities and separation for
 * uncapacitated fixed charge networks, Operations Research Letters 4 (1985). Deviation: rows may be scaled against each other,
 * and columns are measured from their lower bounds.
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/scene.h"

enum { LONGEST_PATH = 32 };

/* Column j stays at its lower bound while z is 0, or, complemented, while z is 1. */
typedef struct on_switch {
    int z; /* -1: none */
    bool complemented;
} on_switch;

/* Row i times the factor:  sum_j factor a_ij (x_j - lower_j) >= demand. */
typedef struct path_row {
    int i;
    double factor, demand, size; /* size: largest term of demand */
} path_row;

typedef struct path {
    cut_scene *c;
    vouch_lp_data lp;
    on_switch *on; /* owned: [n] */
    bool *used;    /* owned: [m] the row is on the path */
    path_row *row; /* owned: [LONGEST_PATH] */
    double *rest;  /* owned: [LONGEST_PATH] D_t */
    int *received; /* owned: [LONGEST_PATH] the column that the row has from the one before; -1: none */
    int length;
} path;

/* Which continuous columns a row of two entries switches off. */
static void find_switches(path *p)
{
    const cut_scene *c = p->c;
    const mip_model *m = c->model;
    for (int j = 0; j < c->n; j++) p->on[j].z = -1;
    for (int i = 0; i < m->m; i++) {
        int64_t from = m->row_start[i];
        if (m->row_start[i + 1] - from != 2) continue;
        for (int q = 0; q < 2; q++) {
            int x = m->row_col[from + q], z = m->row_col[from + 1 - q];
            double a = m->row_value[from + q], b = m->row_value[from + 1 - q];
            if (m->integer[x] || !m->integer[z] || c->lower[z] < 0 || c->upper[z] > 1 || a == 0) continue;
            double limit = a > 0 ? m->row_upper[i] : m->row_lower[i];
            for (int off = 0; off < 2 && isfinite(limit); off++)
                if ((limit - b * off) / a <= c->lower[x]) p->on[x] = (on_switch){z, off == 1};
        }
    }
}

/* Appends row i times the factor, into which column `from` flows (-1: none). False: the factor asks for a side that it has not, or
 * a column without a lower bound has it. */
static bool append(path *p, int i, double factor, int from)
{
    const cut_scene *c = p->c;
    double side = factor > 0 ? c->row_lower[i] : c->row_upper[i];
    path_row r = {i, factor, factor * side, fabs(factor * side)};
    if (isinf(side) || p->used[i] || p->length == LONGEST_PATH) return false;
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        double term = factor * c->value[k] * c->lower[c->index[k]];
        if (isinf(c->lower[c->index[k]])) return false;
        r.demand -= term;
        r.size = fmax(r.size, fabs(term));
    }
    p->used[i] = true;
    p->received[p->length] = from;
    p->row[p->length++] = r;
    return true;
}

/* Another row that column j flows into when the last one lets it out with this coefficient, to cancel exactly; false: none. */
static bool follow(path *p, int j, double out)
{
    for (int64_t k = p->lp.start[j]; k < p->lp.start[j + 1]; k++) {
        int i = p->lp.index[k];
        double factor = -out / p->lp.value[k];
        if (i < p->c->model->m && !p->used[i] && factor * p->lp.value[k] == -out && append(p, i, factor, j)) return true;
    }
    return false;
}

/* The path goes on along the greatest outflow of its last row that leads somewhere. False: there is none. */
static bool extend(path *p)
{
    const cut_scene *c = p->c;
    path_row last = p->row[p->length - 1];
    int best = -1;
    double most = LEAST_SLACKNESS, out = 0;
    for (int64_t k = c->start[last.i]; k < c->start[last.i + 1]; k++) {
        int j = c->index[k];
        double a = last.factor * c->value[k], flow = -a * (c->x[j] - c->lower[j]);
        if (c->model->integer[j] || flow <= most || p->lp.start[j + 1] - p->lp.start[j] < 2) continue;
        most = flow, best = j, out = a;
    }
    return best >= 0 && follow(p, best, out);
}

/* The binary at its switched-on value, from 0 to 1. */
static double switched(const cut_scene *c, on_switch s) { return s.complemented ? 1 - c->x[s.z] : c->x[s.z]; }

/* What an inflow adds at the point to the left side; *by_switch: it is in S. */
static double contribution(const path *p, int t, int j, double a, bool *by_switch)
{
    double flow = a * (p->c->x[j] - p->c->lower[j]);
    on_switch s = p->on[j];
    double fixed = s.z >= 0 ? p->rest[t] * switched(p->c, s) : INFINITY;
    *by_switch = fixed < flow;
    return *by_switch ? fixed : flow;
}

/* Offers the cut of the whole path as  -(left side) <= -(demand). */
static void offer(const path *p, double demand, double size)
{
    cut_scene *c = p->c;
    double upper = -demand + MIP_ROUNDING * size * p->length;
    int count = 0;
    for (int t = 0; t < p->length; t++)
        for (int64_t k = c->start[p->row[t].i]; k < c->start[p->row[t].i + 1]; k++) {
            int j = c->index[k];
            double a = p->row[t].factor * c->value[k];
            bool by_switch;
            if (a <= 0 || j == p->received[t]) continue;
            (void)contribution(p, t, j, a, &by_switch);
            on_switch s = p->on[j];
            if (!by_switch) {
                cut_scene_add(c, &count, j, -a);
                upper -= a * c->lower[j];
            } else {
                cut_scene_add(c, &count, s.z, s.complemented ? p->rest[t] : -p->rest[t]);
                upper += s.complemented ? p->rest[t] : 0;
            }
        }
    cut_scene_offer(c, count, upper);
}

/* Separates for the path as it is. */
static void try_path(path *p)
{
    const cut_scene *c = p->c;
    double left = 0, sum = 0, size = 0;
    for (int t = p->length - 1; t >= 0; t--) {
        sum += p->row[t].demand;
        size = fmax(size, p->row[t].size);
        p->rest[t] = fmax(sum, 0);
    }
    for (int t = 0; t < p->length && left < sum; t++)
        for (int64_t k = c->start[p->row[t].i]; k < c->start[p->row[t].i + 1]; k++) {
            double a = p->row[t].factor * c->value[k];
            bool by_switch;
            if (a > 0 && c->index[k] != p->received[t]) left += contribution(p, t, c->index[k], a, &by_switch);
        }
    if (left < sum - CUT_VIOLATION * (1 + fabs(sum))) offer(p, sum, size);
}

static void walk(path *p, int first, double factor)
{
    p->length = 0;
    if (!append(p, first, factor, -1)) return;
    do try_path(p);
    while (extend(p));
    for (int t = 0; t < p->length; t++) p->used[p->row[t].i] = false;
}

void separate_path(cut_scene *c)
{
    arena memory = {0};
    path p = {.c = c,
              .on = ARENA_NEW(&memory, on_switch, c->n),
              .used = ARENA_ZERO(&memory, bool, c->m),
              .row = ARENA_NEW(&memory, path_row, LONGEST_PATH),
              .rest = ARENA_NEW(&memory, double, LONGEST_PATH),
              .received = ARENA_NEW(&memory, int, LONGEST_PATH)};
    if (!memory.failed) {
        vouch_lp_view(c->lp, &p.lp);
        find_switches(&p);
        for (int i = 0; i < c->model->m; i++)
            for (int sign = 1; sign >= -1; sign -= 2) walk(&p, i, sign);
    }
    arena_free(&memory);
    separate_network(c);
}
