/* mip/cuts.c - rounds of cutting planes at the root, their choice, and the scene the separators work on.
 *
 * Each round separates, keeps the most distant cuts that are not too parallel to one already taken (efficacy
 * and orthogonality, G. Andreello, A. Caprara, M. Fischetti, INFORMS Journal on Computing 19 (2007)),
 * re-solves, and takes rows out again whose slack became basic; those stay in the pool. Cuts are added at the
 * root only, so that all nodes share one set of rows.
 */
#include "mip/cuts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "mip/heuristics.h"

#define LEAST_EFFICACY 1e-4
#define MOST_PARALLEL  0.7  /* cosine between two cuts of one round */
#define DYNAMIC_RANGE  1e6  /* largest to least coefficient */
#define LARGEST_WHOLE  1e12 /* whole numbers beyond it would not be exact in sums */
#define LARGEST_FACTOR 1e6  /* of a variable bound, and its constant */
#define RELATIVE_ZERO  1e-9 /* coefficients below this part of the largest are bounded away */
#define STALL                                                                                                                      \
    1e-3                /* a round that moves the bound by less than this part of what was gained so far, or of its         \
            magnitude, counts as stalled */
#define LEAST_GAIN 1e-3 /* part of the gap that the cuts must close to be kept: rows cost time in every node */
enum { MOST_ROUNDS = 40, MOST_STALLS = 6, CUTS_A_ROUND = 60, MOST_IN_POOL = 2000 };

static void cut_free(cut *c)
{
    mem_free(c->index);
    mem_free(c->value);
}

void cut_list_free(cut_list *l)
{
    for (size_t k = 0; k < l->count; k++) cut_free(&l->item[k]);
    mem_free(l->item);
    *l = (cut_list){0};
}

/* ---- the scene
 * -------------------------------------------------------------------------------------------------- */

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
            variable_bound v = {.z = z, .factor = -b / a, .constant = limit / a};
            if (fabs(v.factor) > LARGEST_FACTOR || fabs(v.constant) > LARGEST_FACTOR) continue;
            variable_bound *place = above ? &c->above[x] : &c->below[x];
            double now = v.factor * c->x[z] + v.constant;
            double old = place->z >= 0 ? place->factor * c->x[place->z] + place->constant : above ? INFINITY : -INFINITY;
            if (above ? now < old : now > old) *place = v;
        }
    }
}

vouch_status cut_scene_init(cut_scene *c, mip_search *s)
{
    vouch_lp_data d;
    vouch_lp_view(s->relax.lp, &d);
    int m = d.rows, n = d.cols;
    *c = (cut_scene){.model = s->model,
                     .lower = s->dom.lower,
                     .upper = s->dom.upper,
                     .x = s->x,
                     .m = m,
                     .n = n,
                     .row_lower = d.row_lower,
                     .row_upper = d.row_upper};
    c->start = MEM_ZERO(int64_t, (size_t)m + 2);
    c->index = MEM_NEW(int, d.start[n]);
    c->value = MEM_NEW(double, d.start[n]);
    c->activity = MEM_ZERO(double, m);
    c->whole = MEM_NEW(bool, m);
    c->above = MEM_NEW(variable_bound, n);
    c->below = MEM_NEW(variable_bound, n);
    c->coefficient = MEM_ZERO(double, n);
    c->listed = MEM_NEW(int, n);
    c->in_list = MEM_ZERO(bool, n);
    if (!c->start || !c->index || !c->value || !c->activity || !c->whole || !c->above || !c->below || !c->coefficient ||
        !c->listed || !c->in_list) {
        cut_scene_free(c);
        return VOUCH_ERROR_MEMORY;
    }
    for (int64_t k = 0; k < d.start[n]; k++) c->start[d.index[k] + 2]++;
    for (int i = 2; i <= m + 1; i++) c->start[i] += c->start[i - 1];
    for (int j = 0; j < n; j++) {
        c->above[j].z = c->below[j].z = -1;
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) {
            int64_t at = c->start[d.index[k] + 1]++;
            c->index[at] = j;
            c->value[at] = d.value[k];
            c->activity[d.index[k]] += d.value[k] * c->x[j];
        }
    }
    for (int i = 0; i < m; i++) {
        c->whole[i] = (isinf(d.row_lower[i]) || is_whole(d.row_lower[i])) && (isinf(d.row_upper[i]) || is_whole(d.row_upper[i]));
        for (int64_t k = c->start[i]; k < c->start[i + 1] && c->whole[i]; k++)
            c->whole[i] = s->model->integer[c->index[k]] && is_whole(c->value[k]);
        note_variable_bounds(c, i);
    }
    return VOUCH_OK;
}

void cut_scene_free(cut_scene *c)
{
    mem_free(c->start);
    mem_free(c->index);
    mem_free(c->value);
    mem_free(c->activity);
    mem_free(c->whole);
    mem_free(c->above);
    mem_free(c->below);
    mem_free(c->coefficient);
    mem_free(c->listed);
    mem_free(c->in_list);
    cut_list_free(&c->found);
    *c = (cut_scene){0};
}

static int by_index(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

void cut_scene_offer(cut_scene *c, int count, double upper)
{
    double largest = 0, least = INFINITY, activity = 0, square = 0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(c->coefficient[c->listed[k]]));
    int kept = 0;
    bool sound = isfinite(upper) && isfinite(largest) && largest > 0;
    for (int k = 0; k < count; k++) {
        int j = c->listed[k];
        double v = c->coefficient[j];
        c->in_list[j] = false;
        if (v == 0) continue;
        if (fabs(v) <= RELATIVE_ZERO * largest) { /* bounded away: v x >= v times the bound it is least at */
            double bound = v > 0 ? c->lower[j] : c->upper[j];
            if (isinf(bound))
                sound = false;
            else
                upper -= v * bound;
            c->coefficient[j] = 0;
            continue;
        }
        least = fmin(least, fabs(v));
        activity += v * c->x[j];
        square += v * v;
        c->listed[kept++] = j;
    }
    sound = sound && kept > 0 && largest <= DYNAMIC_RANGE * least && kept <= 200 + c->n / 4;
    double norm = sqrt(square), violation = activity - upper;
    if (sound && violation > LEAST_EFFICACY * norm && violation > 1e-6 * (1 + fabs(upper))) {
        qsort(c->listed, (size_t)kept, sizeof *c->listed, by_index);
        cut made = {
            .count = kept, .index = MEM_NEW(int, kept), .value = MEM_NEW(double, kept), .norm = norm, .efficacy = violation / norm};
        made.upper = upper + 1e-9 * (1 + fabs(upper));
        if (!made.index || !made.value ||
            mem_reserve((void **)&c->found.item, &c->found.capacity, c->found.count, sizeof(cut)) != 0) {
            cut_free(&made);
            c->failed = true;
        } else {
            for (int k = 0; k < kept; k++) {
                made.index[k] = c->listed[k];
                made.value[k] = c->coefficient[c->listed[k]];
            }
            c->found.item[c->found.count++] = made;
        }
    }
    for (int k = 0; k < kept; k++) c->coefficient[c->listed[k]] = 0;
}

/* ---- choice
 * ----------------------------------------------------------------------------------------------------- */

static double parallelism(const cut *a, const cut *b)
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
    return fabs(dot) / (a->norm * b->norm);
}

static int by_efficacy(const void *a, const void *b)
{
    const cut *x = a, *y = b;
    if (x->efficacy != y->efficacy) return x->efficacy > y->efficacy ? -1 : 1;
    if (x->count != y->count) return x->count - y->count;
    for (int k = 0; k < x->count; k++)
        if (x->index[k] != y->index[k]) return x->index[k] - y->index[k];
    return (x->upper > y->upper) - (x->upper < y->upper);
}

/* Moves the chosen cuts to the front; their number. */
static size_t choose(cut_list *l, size_t most)
{
    if (l->count > 1) qsort(l->item, l->count, sizeof *l->item, by_efficacy); /* item may be NULL */
    size_t taken = 0;
    for (size_t k = 0; k < l->count && taken < most; k++) {
        bool apart = true;
        for (size_t q = 0; q < taken && apart; q++) apart = parallelism(&l->item[q], &l->item[k]) <= MOST_PARALLEL;
        if (!apart) continue;
        cut held = l->item[k];
        l->item[k] = l->item[taken];
        l->item[taken++] = held;
    }
    return taken;
}

/* ---- the pool: cuts in the relaxation first by row, and those taken out of it
 * ------------------------------------------ */

typedef struct pool {
    cut_list in; /* row model->m + k of the relaxation is in.item[k] */
    cut_list out;
} pool;

static int append(cut_list *l, cut c)
{
    if (mem_reserve((void **)&l->item, &l->capacity, l->count, sizeof c) != 0) {
        cut_free(&c);
        return -1;
    }
    l->item[l->count++] = c;
    return 0;
}

/* Pool cuts that the point breaks join the ones found. */
static void recall(pool *p, cut_scene *c)
{
    size_t kept = 0;
    for (size_t k = 0; k < p->out.count; k++) {
        cut *q = &p->out.item[k];
        double activity = 0;
        for (int e = 0; e < q->count; e++) activity += q->value[e] * c->x[q->index[e]];
        q->efficacy = (activity - q->upper) / q->norm;
        if (q->efficacy > LEAST_EFFICACY)
            (void)append(&c->found, *q);
        else
            p->out.item[kept++] = *q;
    }
    p->out.count = kept;
}

/* The first `count` found cuts become rows; the others wait in the pool as far as there is room. */
static vouch_status add_rows(mip_search *s, pool *p, cut_list *found, size_t count)
{
    size_t entries = 0;
    for (size_t k = 0; k < count; k++) entries += (size_t)found->item[k].count;
    int64_t *start = MEM_ZERO(int64_t, count + 1);
    int *index = MEM_NEW(int, entries);
    double *value = MEM_NEW(double, entries), *upper = MEM_NEW(double, count), *lower = MEM_NEW(double, count);
    vouch_status status = start && index && value && upper && lower ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (size_t k = 0; status == VOUCH_OK && k < count; k++) {
        const cut *c = &found->item[k];
        start[k + 1] = start[k] + c->count;
        MEM_COPY(index + start[k], c->index, c->count);
        MEM_COPY(value + start[k], c->value, c->count);
        upper[k] = c->upper;
        lower[k] = -INFINITY;
        if (s->owner->debug) {
            double sum = 0;
            for (int e = 0; e < c->count; e++) sum += c->value[e] * s->owner->debug[c->index[e]];
            assert(sum <= c->upper + 1e-6 * (1 + fabs(c->upper)) ||
                   s->best_value <= mip_model_objective(s->model, s->owner->debug) + 1e-6);
        }
    }
    if (status == VOUCH_OK && mem_reserve((void **)&p->in.item, &p->in.capacity, p->in.count + count, sizeof(cut)) != 0)
        status = VOUCH_ERROR_MEMORY;
    if (status == VOUCH_OK) status = vouch_lp_add_rows(s->relax.lp, (int)count, start, index, value, lower, upper);
    if (status == VOUCH_OK) {
        for (size_t k = 0; k < count; k++) p->in.item[p->in.count++] = found->item[k];
        size_t left = found->count - count;
        for (size_t k = 0; k < left; k++) {
            if (p->out.count < MOST_IN_POOL)
                (void)append(&p->out, found->item[count + k]);
            else
                cut_free(&found->item[count + k]);
        }
        found->count = 0;
        status = relax_rows_changed(&s->relax);
    }
    mem_free(start);
    mem_free(index);
    mem_free(value);
    mem_free(upper);
    mem_free(lower);
    return status;
}

/* Takes rows with basic slacks out of the relaxation; the optimum stays what it is. */
static vouch_status drop_slack_rows(mip_search *s, pool *p)
{
    int m = s->model->m, dropped = 0;
    int *rows = MEM_NEW(int, p->in.count);
    if (!rows || !vouch_lp_has_basis(s->relax.lp)) {
        mem_free(rows);
        return VOUCH_OK;
    }
    vouch_lp_get_basis(s->relax.lp, s->relax.row_status, s->relax.col_status);
    size_t kept = 0;
    for (size_t k = 0; k < p->in.count; k++) {
        if (s->relax.row_status[(size_t)m + k] != VOUCH_BASIC) {
            p->in.item[kept++] = p->in.item[k];
            continue;
        }
        rows[dropped++] = m + (int)k;
        if (p->out.count < MOST_IN_POOL)
            (void)append(&p->out, p->in.item[k]);
        else
            cut_free(&p->in.item[k]);
    }
    p->in.count = kept;
    vouch_status status = vouch_lp_delete_rows(s->relax.lp, dropped, rows);
    mem_free(rows);
    return status == VOUCH_OK ? relax_rows_changed(&s->relax) : status;
}

bool cut_root(mip_search *s, relax_end *end)
{
    pool p = {0};
    double first = s->value, last = s->value;
    int stalls = 0, rounds = 0;
    size_t total = 0;
    *end = RELAX_OPTIMAL;
    for (; rounds < MOST_ROUNDS && stalls < MOST_STALLS && s->fractions > 0 && !mip_search_must_stop(s); rounds++) {
        cut_scene c;
        if (cut_scene_init(&c, s) != VOUCH_OK) break;
        recall(&p, &c);
        separate_cliques(&c);
        separate_covers(&c);
        separate_rows(&c);
        separate_gomory(&c, s);
        size_t count = choose(&c.found, CUTS_A_ROUND + (size_t)s->model->m / 4);
        vouch_status status = count > 0 ? add_rows(s, &p, &c.found, count) : VOUCH_OK;
        cut_scene_free(&c);
        if (count == 0 || status != VOUCH_OK) break;
        total += count;
        *end = relax_solve(&s->relax, s->cutoff, 0);
        if (*end != RELAX_OPTIMAL) break;
        mip_search_take_point(s);
        if (s->value - last <= STALL * fmax(s->value - first, 1e-3 * (1 + fabs(s->value))))
            stalls++;
        else
            stalls = 0;
        last = s->value;
        if (s->options->heuristics) heuristic_round(s);
        if (drop_slack_rows(s, &p) != VOUCH_OK) break;
    }
    if (rounds > 0 && *end == RELAX_OPTIMAL) {
        /* a last solve: rows may have gone, and the point must be that of the rows that stay */
        *end = relax_solve(&s->relax, s->cutoff, 0);
        if (*end == RELAX_OPTIMAL) mip_search_take_point(s);
    }
    double gained = s->value - first, wanted = s->has_best ? s->best_value - first : fabs(first);
    bool worthless = rounds > 0 && *end == RELAX_OPTIMAL && s->fractions > 0 && gained <= LEAST_GAIN * wanted + 1e-9;
    if (worthless || *end == RELAX_FAILED || *end == RELAX_UNBOUNDED) { /* no good, or not solvable with these rows */
        int rows = vouch_lp_rows(s->relax.lp) - s->model->m;
        int *list = MEM_NEW(int, rows);
        for (int k = 0; list && k < rows; k++) list[k] = s->model->m + k;
        if (list && vouch_lp_delete_rows(s->relax.lp, rows, list) == VOUCH_OK && relax_rows_changed(&s->relax) == VOUCH_OK) {
            if (!worthless) vouch_lp_forget_basis(s->relax.lp);
            while (p.in.count > 0) cut_free(&p.in.item[--p.in.count]);
            *end = relax_solve(&s->relax, s->cutoff, 0);
            if (*end == RELAX_OPTIMAL) mip_search_take_point(s);
        }
        mem_free(list);
    }
    if (s->owner->level == 0)
        log_line(&s->options->log, VOUCH_LOG_INFO, "cuts: %d rounds, %zu added, %zu kept, bound %.10g from %.10g", rounds, total,
                 p.in.count, s->value, first);
    cut_list_free(&p.in);
    cut_list_free(&p.out);
    return *end == RELAX_OPTIMAL;
}
