/* know/front.c - see front.h.
 *
 * The sum of two sets is a union of shifted copies of the larger, one for each point of the smaller. Copies are united two by two,
 * level by level, so that dominated sums are removed early. Merging uses the least bound on the area lost by a group for which few
 * enough groups remain; groups are made greedily from one end, which is optimal for a bound on each.
 */
#include "know/front.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/check.h"

/* The bound on the area is at least 2^-HALVINGS of the area of the set, on a grid of PARTS steps per power of 2. */
static const int HALVINGS = 64, PARTS = 4;

static void front_check(const nondominated x[], int n)
{
    for (int i = 1; i < n; i++) CHECK(x[i].q <= x[i - 1].q && x[i].u >= x[i - 1].u);
}

/* Appends the points of x [n] with u > top to out. */
static int append_above(const nondominated x[], int n, double top, nondominated out[])
{
    int i = 0;
    while (i < n && !(x[i].u > top)) i++;
    memcpy(out, x + i, (size_t)(n - i) * sizeof *out);
    return n - i;
}

int front_unite(const nondominated a[], int na, const nondominated b[], int nb, nondominated out[])
{
    int i = 0, j = 0, n = 0;
    double top = -INFINITY;
    while (i < na && j < nb) {
        const nondominated *x = a[i].q > b[j].q || (a[i].q == b[j].q && a[i].u >= b[j].u) ? &a[i++] : &b[j++];
        if (!(x->u > top)) continue;
        top = x->u;
        out[n++] = *x;
    }
    return n + (i < na ? append_above(a + i, na - i, top, out + n) : append_above(b + j, nb - j, top, out + n));
}

/* The number of greedy groups that lose at most `area` each, or some number above `most`. */
static int count_groups(const pareto_front *s, const nondominated x[], int n, double area, int most)
{
    int made = 0;
    for (int first = 0, i = 1; first < n && made <= most; first = i++) {
        while (i < n && (((x[i].u - x[first].u) * (x[first].q - x[i].q) <= area) | (x[i].u - x[first].u <= s->same_u) |
                         (x[first].q - x[i].q <= s->same_q)))
            i++;
        made++;
    }
    return made;
}

/* Merges those groups in place; returns their number. */
static int merge_groups(const pareto_front *s, nondominated x[], int n, double area)
{
    int made = 0;
    for (int first = 0, i = 1; first < n; first = i++) {
        while (i < n && (x[i].u - x[first].u <= s->same_u || x[first].q - x[i].q <= s->same_q ||
                         (x[i].u - x[first].u) * (x[first].q - x[i].q) <= area))
            i++;
        nondominated merged = x[first];
        merged.u = x[i - 1].u;
        x[made++] = merged;
    }
    return made;
}

/* The least area  whole * 2^(-i / PARTS),  i < HALVINGS * PARTS,  that leaves at most s->most groups; INFINITY: none. The search
 * starts at whole / most^2, the loss of each of s->most equal groups. */
static double least_area(const pareto_front *s, const nondominated x[], int n)
{
    double whole = (x[n - 1].u - x[0].u) * (x[0].q - x[n - 1].q);
    int enough = 0, few = HALVINGS * PARTS, step = PARTS;
    for (int i = (int)(2 * PARTS * log2(s->most)); few - enough > 1; i = i > enough && i < few ? i : (enough + few) / 2) {
        bool will_do = count_groups(s, x, n, whole * exp2(-(double)i / PARTS), s->most) <= s->most;
        if (will_do)
            enough = i;
        else
            few = i;
        i += will_do ? step : -step;
        step *= 2;
    }
    return enough ? whole * exp2(-(double)enough / PARTS) : INFINITY;
}

int front_thin(const pareto_front *s, nondominated x[], int n)
{
    front_check(x, n);
    return merge_groups(s, x, n, n > s->most ? least_area(s, x, n) : 0);
}

/* Unites, two by two, the copies of b shifted by the points of a, in rows of `width` places. */
static int unite_rows(nondominated *rows, nondominated *spare, int count[], int made, size_t width, nondominated **united)
{
    for (; made > 1; made = (made + 1) / 2, width *= 2) {
        for (int i = 0; 2 * i < made; i++) {
            size_t at = 2 * (size_t)i * width;
            count[i] = front_unite(rows + at, count[2 * i], rows + at + width, 2 * i + 1 < made ? count[2 * i + 1] : 0, spare + at);
        }
        nondominated *swap = rows;
        rows = spare;
        spare = swap;
    }
    *united = rows;
    return count[0];
}

int front_sum(pareto_front *s, const nondominated a[], int na, const nondominated b[], int nb, double factor, nondominated out[])
{
    int count[STAIRS_MOST];
    bool by_a = na <= nb; /* a row for each point of the smaller */
    int rows = by_a ? na : nb, width = by_a ? nb : na;
    CHECK(na > 0 && nb > 0 && na <= s->most && nb <= s->most && s->most <= STAIRS_MOST);
    for (int r = 0; r < rows; r++) {
        nondominated *row = rows > 1 ? s->rows[0] + (size_t)r * (size_t)width : out;
        count[r] = width;
        for (int i = 0; i < width; i++) {
            int from = by_a ? r : i, to = by_a ? i : r;
            row[i] = (nondominated){a[from].u + factor * b[to].u, a[from].q + factor * b[to].q, from, to};
        }
    }
    s->work += (long long)rows * width;
    if (rows == 1) return front_thin(s, out, width);
    nondominated *united;
    int n = unite_rows(s->rows[0], s->rows[1], count, rows, (size_t)width, &united);
    n = front_thin(s, united, n);
    memcpy(out, united, (size_t)n * sizeof *out);
    return n;
}
