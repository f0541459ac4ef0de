/* mip/scene.c - the scene of the separators: rows of the relaxation with activities, variable bounds, and the door through
 * which a cut is found. Cost of the scene: O(nonzeros) a round. */
#include "mip/scene.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

cut_recipe *cut_recipe_new(int rows, int uppers)
{
    cut_recipe *r = MEM_ZERO(cut_recipe, 1);
    if (!r) return NULL;
    r->row = MEM_NEW(int, rows + 1);
    r->factor = MEM_NEW(double, rows + 1);
    r->side = MEM_NEW(signed char, rows + 1);
    r->upper = MEM_NEW(int, uppers + 1);
    if (r->row && r->factor && r->side && r->upper) return r;
    cut_recipe_free(r);
    return NULL;
}

void cut_recipe_free(cut_recipe *r)
{
    if (!r) return;
    mem_free(r->row);
    mem_free(r->factor);
    mem_free(r->side);
    mem_free(r->upper);
    mem_free(r);
}

void cut_free(mip_cut *c)
{
    mem_free(c->index);
    mem_free(c->value);
    cut_recipe_free(c->recipe);
}

void cut_list_free(cut_list *l)
{
    for (size_t k = 0; k < l->count; k++) cut_free(&l->item[k]);
    mem_free(l->item);
    *l = (cut_list){0};
}

/* ---- choice ---------------------------------------------------------------------------------------------------- */

static double parallelism(const mip_cut *a, const mip_cut *b)
{
    double dot = 0;
    for (int p = 0, q = 0; p < a->count && q < b->count;) {
        if (a->index[p] < b->index[q])
            p++;
        else if (a->index[p] > b->index[q])
            q++;
        else
            dot += a->value[p++] * b->value[q++];
    }
    CHECK(a->norm > 0 && b->norm > 0);
    return fabs(dot) / (a->norm * b->norm);
}

static int by_efficacy(const void *a, const void *b)
{
    const mip_cut *x = a, *y = b;
    if (x->efficacy != y->efficacy) return x->efficacy > y->efficacy ? -1 : 1;
    if (x->count != y->count) return x->count - y->count;
    for (int k = 0; k < x->count; k++)
        if (x->index[k] != y->index[k]) return x->index[k] - y->index[k];
    return (x->upper > y->upper) - (x->upper < y->upper);
}

size_t cut_list_choose(cut_list *l, size_t most)
{
    if (l->count > 1) qsort(l->item, l->count, sizeof *l->item, by_efficacy); /* item may be NULL */
    size_t taken = 0;
    for (size_t k = 0; k < l->count && taken < most; k++) {
        bool apart = true;
        for (size_t q = 0; q < taken && apart; q++) apart = parallelism(&l->item[q], &l->item[k]) <= CUT_PARALLELISM;
        if (!apart) continue;
        mip_cut held = l->item[k];
        l->item[k] = l->item[taken];
        l->item[taken++] = held;
    }
    CHECK_COMPARE(taken, <=, most);
    return taken;
}

/* ---- the scene ------------------------------------------------------------------------------------------------- */

/* Exactly: what a coefficient lacks of a whole number grows with its column. */
static bool is_whole(double x) { return x == round(x) && fabs(x) <= LARGEST_WHOLE; }

static void note_variable_bounds(cut_scene *c, int i)
{
    const mip_model *p = c->model;
    if (c->start[i + 1] - c->start[i] != 2) return;
    for (int q = 0; q < 2; q++) {
        int64_t k = c->start[i] + q, other = c->start[i] + 1 - q;
        int x = c->index[k], z = c->index[other];
        if (p->integer[x] || !p->integer[z] || c->lower[x] == c->upper[x]) continue;
        double a = c->value[k], b = c->value[other];
        for (int side = 0; side < 2; side++) {
            double limit = side ? c->row_upper[i] : c->row_lower[i];
            if (isinf(limit)) continue;
            /* a x + b z <= limit (side 1) bounds x from above when a > 0 */
            bool above = (side == 1) == (a > 0);
            variable_bound v = {.z = z, .factor = -b / a, .constant = limit / a, .row = i, .side = side ? 1 : -1, .coefficient = a};
            if (fabs(v.factor) > LARGEST_FACTOR || fabs(v.constant) > LARGEST_FACTOR) continue;
            variable_bound *place = above ? &c->above[x] : &c->below[x];
            double now = v.factor * c->x[z] + v.constant;
            double old = place->z >= 0 ? place->factor * c->x[place->z] + place->constant : above ? INFINITY : -INFINITY;
            if (above ? now < old : now > old) *place = v;
        }
    }
}

/* Rows from the relaxation's columns, and their activities. */
static void take_rows(cut_scene *c, const vouch_lp_data *d)
{
    transpose(&(line_matrix){c->n, d->start, d->index, d->value}, c->m, c->start, c->index, c->value);
    for (int j = 0; j < c->n; j++) {
        c->above[j].z = c->below[j].z = -1;
        for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) c->activity[d->index[k]] += d->value[k] * c->x[j];
    }
}

static bool slack_is_whole(const cut_scene *c, int i)
{
    double lower = c->row_lower[i], upper = c->row_upper[i];
    bool whole = (isinf(lower) || is_whole(lower)) && (isinf(upper) || is_whole(upper));
    for (int64_t k = c->start[i]; k < c->start[i + 1] && whole; k++)
        whole = c->model->integer[c->index[k]] && is_whole(c->value[k]);
    return whole;
}

vouch_status cut_scene_init(cut_scene *c, const mip_model *model, const vouch_lp *lp, const double *lower, const double *upper,
                            const double *x)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    CHECK(d.cols == model->n && d.rows >= model->m);
    int m = d.rows, n = d.cols;
    *c = (cut_scene){.model = model,
                     .lp = lp,
                     .lower = lower,
                     .upper = upper,
                     .x = x,
                     .m = m,
                     .n = n,
                     .row_lower = d.row_lower,
                     .row_upper = d.row_upper};
    arena *a = &c->memory;
    c->start = ARENA_NEW(a, int64_t, (size_t)m + 1);
    c->index = ARENA_NEW(a, int, d.start[n]);
    c->value = ARENA_NEW(a, double, d.start[n]);
    c->activity = ARENA_ZERO(a, double, m);
    c->whole = ARENA_NEW(a, bool, m);
    c->above = ARENA_NEW(a, variable_bound, n);
    c->below = ARENA_NEW(a, variable_bound, n);
    c->coefficient = ARENA_ZERO(a, double, n);
    c->listed = ARENA_NEW(a, int, n);
    c->in_list = ARENA_ZERO(a, bool, n);
    if (a->failed) {
        cut_scene_free(c);
        return VOUCH_ERROR_MEMORY;
    }
    take_rows(c, &d);
    for (int i = 0; i < m; i++) {
        c->whole[i] = slack_is_whole(c, i);
        note_variable_bounds(c, i);
    }
    return VOUCH_OK;
}

void cut_scene_free(cut_scene *c)
{
    cut_list_free(&c->found);
    arena_free(&c->memory);
    *c = (cut_scene){0};
}

static int by_index(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The row at hand as a cut. */
static void keep_cut(cut_scene *c, int count, double upper, double norm, double violation)
{
    qsort(c->listed, (size_t)count, sizeof *c->listed, by_index);
    mip_cut made = {.count = count,
                    .index = MEM_NEW(int, count),
                    .value = MEM_NEW(double, count),
                    .norm = norm,
                    .efficacy = violation / norm,
                    .family = c->family,
                    .upper = upper + CUT_MARGIN * (1 + fabs(upper))};
    if (!made.index || !made.value || MEM_RESERVE(&c->found.item, &c->found.capacity, c->found.count) != 0) {
        cut_free(&made);
        return;
    }
    for (int k = 0; k < count; k++) {
        CHECK(k == 0 || c->listed[k - 1] < c->listed[k]);
        made.index[k] = c->listed[k];
        made.value[k] = c->coefficient[c->listed[k]];
    }
    c->found.item[c->found.count++] = made;
}

void cut_scene_add(cut_scene *c, int *count, int j, double v)
{
    if (!c->in_list[j]) {
        c->in_list[j] = true;
        c->listed[(*count)++] = j;
        c->coefficient[j] = 0;
    }
    c->coefficient[j] += v;
}

/* Small coefficients are bounded away: v x >= v times the bound it is least at. What remains moves to the front of
 * the list; its length, or -1 where a bound is missing. */
static int drop_small(cut_scene *c, int count, double largest, double *upper)
{
    int kept = 0;
    bool sound = true;
    for (int k = 0; k < count; k++) {
        int j = c->listed[k];
        double v = c->coefficient[j], bound = v > 0 ? c->lower[j] : c->upper[j];
        c->in_list[j] = false;
        if (v != 0 && fabs(v) > RELATIVE_ZERO * largest) {
            c->listed[kept++] = j;
            continue;
        }
        c->coefficient[j] = 0;
        if (v == 0) continue;
        if (isinf(bound))
            sound = false;
        else
            *upper -= v * bound;
    }
    for (int k = 0; !sound && k < kept; k++) c->coefficient[c->listed[k]] = 0;
    return sound ? kept : -1;
}

/* The separators' scratch is zero between cuts. */
static void scratch_check(const cut_scene *c)
{
#ifdef VOUCH_DEBUG
    for (int j = 0; j < c->n; j++) CHECK(c->coefficient[j] == 0 && !c->in_list[j]);
#else
    (void)c;
#endif
}

void cut_scene_offer(cut_scene *c, int count, double upper)
{
    CHECK(count >= 0 && count <= c->n);
    double largest = 0, least = INFINITY, activity = 0, square = 0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(c->coefficient[c->listed[k]]));
    int kept = drop_small(c, count, largest, &upper);
    for (int k = 0; k < kept; k++) {
        double v = c->coefficient[c->listed[k]];
        least = fmin(least, fabs(v));
        activity += v * c->x[c->listed[k]];
        square += v * v;
    }
    bool sound = isfinite(upper) && isfinite(largest) && kept > 0 && largest <= DYNAMIC_RANGE * least && kept <= 200 + c->n / 4;
    double norm = sqrt(square), violation = activity - upper;
    if (sound && violation > CUT_EFFICACY * norm && violation > CUT_VIOLATION * (1 + fabs(upper)))
        keep_cut(c, kept, upper, norm, violation);
    for (int k = 0; k < kept; k++) c->coefficient[c->listed[k]] = 0;
    scratch_check(c);
}
