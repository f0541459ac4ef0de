/* mip/cuts.c - rounds of cutting planes at the root, their choice, and the scene the separators work on.
 *
 * Each round separates, keeps the most distant cuts that are not too parallel to one already taken (efficacy and orthogonality, G.
 * Andreello, A. Caprara, M. Fischetti, INFORMS Journal on Computing 19 (2007)), re-solves, and takes rows out again whose slack
 * became basic; those stay in the pool. Cuts are added at the root only, so that all nodes share one set of rows.
 */
#include "mip/cuts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/trace.h"
#include "mip/heuristics.h"
#include "mip/scene.h"

enum { MOST_ROUNDS = 40, MOST_STALLS = 4, MOST_FLAT = 12, CUTS_A_ROUND = 60, MOST_IN_POOL = 2000 };

/* ---- the pool: cuts in the relaxation first by row, and those taken out of it ---------------------------------- */

typedef struct pool {
    cut_list in; /* row model->m + k of the relaxation is in.item[k] */
    cut_list out;
} pool;

/* Adding a family: a word in VOUCH_MIP_CUTS and a file with its separator. */
#define FAMILY(word) {#word, separate_##word},
static const struct cut_family {
    const char *name;
    void (*separate)(cut_scene *c);
} families[] = {VOUCH_MIP_CUTS(FAMILY)};
#undef FAMILY
enum { FAMILIES = sizeof families / sizeof *families };
_Static_assert(FAMILIES == VOUCH_MIP_FAMILIES, "the number of families stands in the public header");

static bool wanted(const mip_search *s, int family)
{
    unsigned chosen = s->options->cut_families;
    return chosen == 0 || (chosen >> family & 1);
}

static void append(cut_list *l, mip_cut c)
{
    if (MEM_RESERVE(&l->item, &l->capacity, l->count))
        cut_free(&c);
    else
        l->item[l->count++] = c;
}

/* A cut that is no row waits in the pool while there is room. */
static void retire(pool *p, mip_cut c)
{
    if (p->out.count < MOST_IN_POOL)
        append(&p->out, c);
    else
        cut_free(&c);
}

/* Pool cuts that the point breaks join the ones found. */
static void recall(pool *p, cut_scene *c)
{
    size_t kept = 0;
    for (size_t k = 0; k < p->out.count; k++) {
        mip_cut *q = &p->out.item[k];
        double activity = 0;
        for (int e = 0; e < q->count; e++) activity += q->value[e] * c->x[q->index[e]];
        q->efficacy = (activity - q->upper) / q->norm;
        if (q->efficacy > CUT_EFFICACY)
            append(&c->found, *q);
        else
            p->out.item[kept++] = *q;
    }
    p->out.count = kept;
}

/* A cut that takes the debug solution away while nothing as good is known is wrong. */
static void keeps_debug_check(const mip_search *s, const mip_cut *c)
{
#ifdef VOUCH_DEBUG
    if (!s->owner->debug) return;
    double sum = 0;
    for (int e = 0; e < c->count; e++) sum += c->value[e] * s->owner->debug[c->index[e]];
    CHECK(sum <= c->upper + MIP_FEASIBILITY * (1 + fabs(c->upper)) ||
          s->best.value <= mip_model_objective(s->model, s->owner->debug) + MIP_FEASIBILITY);
#else
    (void)s, (void)c;
#endif
}

/* Cuts that become rows: of few columns with their coefficients, else how many. */
enum { SHOWN_COLUMNS = 12 };
static void record_cut(const mip_search *s, const mip_cut *c, int round)
{
    vouch_trace *t = s->options->trace;
    if (!trace_open(t, TRACE_CUT, 0, "cut")) return;
    trace_int(t, "round", round + 1);
    trace_word(t, "family", families[c->family].name);
    trace_real(t, "distance", c->efficacy);
    trace_int(t, "entries", c->count);
    if (c->count <= SHOWN_COLUMNS) {
        trace_ints(t, "col", c->index, c->count);
        trace_reals(t, "value", c->value, c->count);
        trace_real(t, "upper", c->upper);
    }
    trace_close(t);
}

/* The first `count` found cuts become rows; the others wait in the pool as far as there is room. */
static vouch_status add_rows(mip_search *s, pool *p, cut_list *found, size_t count)
{
    size_t entries = 0;
    for (size_t k = 0; k < count; k++) entries += (size_t)found->item[k].count;
    arena a = {0};
    int64_t *start = ARENA_ZERO(&a, int64_t, count + 1);
    int *index = ARENA_NEW(&a, int, entries);
    double *value = ARENA_NEW(&a, double, entries), *upper = ARENA_NEW(&a, double, count), *lower = ARENA_NEW(&a, double, count);
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    for (size_t k = 0; status == VOUCH_OK && k < count; k++) {
        const mip_cut *c = &found->item[k];
        start[k + 1] = start[k] + c->count;
        MEM_COPY(index + start[k], c->index, c->count);
        MEM_COPY(value + start[k], c->value, c->count);
        upper[k] = c->upper;
        lower[k] = -INFINITY;
        keeps_debug_check(s, c);
    }
    if (status == VOUCH_OK && MEM_RESERVE(&p->in.item, &p->in.capacity, p->in.count + count) != 0) status = VOUCH_ERROR_MEMORY;
    if (status == VOUCH_OK) status = vouch_lp_add_rows(s->lp.relax.lp, (int)count, start, index, value, lower, upper);
    if (status == VOUCH_OK) {
        for (size_t k = 0; k < count; k++) p->in.item[p->in.count++] = found->item[k];
        for (size_t k = count; k < found->count; k++) retire(p, found->item[k]);
        found->count = 0;
        status = relax_rows_changed(&s->lp.relax);
    }
    arena_free(&a);
    return status;
}

/* Takes rows with basic slacks out of the relaxation; the optimum stays what it is. */
static vouch_status drop_slack_rows(mip_search *s, pool *p)
{
    int m = s->model->m, dropped = 0;
    int *rows = MEM_NEW(int, p->in.count);
    if (!rows || !vouch_lp_has_basis(s->lp.relax.lp)) {
        mem_free(rows);
        return VOUCH_OK;
    }
    vouch_lp_get_basis(s->lp.relax.lp, s->lp.relax.row_status, s->lp.relax.col_status);
    size_t kept = 0;
    for (size_t k = 0; k < p->in.count; k++) {
        if (s->lp.relax.row_status[(size_t)m + k] != VOUCH_BASIC) {
            p->in.item[kept++] = p->in.item[k];
            continue;
        }
        rows[dropped++] = m + (int)k;
        retire(p, p->in.item[k]);
    }
    p->in.count = kept;
    vouch_status status = vouch_lp_delete_rows(s->lp.relax.lp, dropped, rows);
    mem_free(rows);
    return status == VOUCH_OK ? relax_rows_changed(&s->lp.relax) : status;
}

/* What the rounds have done so far. */
typedef struct rounds {
    pool pool;
    double first, last; /* bound before the first round, after the last */
    int count, stalls;
    size_t added[FAMILIES], total; /* cuts that became rows, by family */
} rounds;

static void tally(rounds *r, const cut_list *found, size_t count)
{
    r->total += count;
    for (size_t k = 0; k < count; k++) r->added[found->item[k].family]++;
}

/* Separates and adds the best cuts. False: there are none. */
static bool separate_round(mip_search *s, rounds *r)
{
    cut_scene c;
    double since = trace_start(s->options->trace);
    if (cut_scene_init(&c, s->model, s->lp.relax.lp, s->dom.lower, s->dom.upper, s->lp.x) != VOUCH_OK) return false;
    recall(&r->pool, &c);
    for (c.family = 0; c.family < FAMILIES; c.family++)
        if (wanted(s, c.family)) families[c.family].separate(&c);
    size_t count = cut_list_choose(&c.found, CUTS_A_ROUND + (size_t)s->model->m / 4);
    tally(r, &c.found, count);
    trace_stop(s->options->trace, KERNEL_cuts, since);
    trace_count(s->options->trace, TALLY_cut_rows, (long long)count);
    for (size_t k = 0; k < count && trace_on(s->options->trace); k++) record_cut(s, &c.found.item[k], r->count);
    bool more = count > 0 && add_rows(s, &r->pool, &c.found, count) == VOUCH_OK;
    cut_scene_free(&c);
    return more;
}

/* False: the rounds are over. */
static bool cut_once(mip_search *s, rounds *r, relax_end *end)
{
    if (!separate_round(s, r)) return false;
    *end = mip_search_relax(s, 1);
    if (*end != RELAX_OPTIMAL) return false;
    mip_search_take_point(s);
    mip_search_record_point(s, 1);
    bool stalled = s->lp.value - r->last <= CUT_STALL * fmax(s->lp.value - r->first, CUT_WORTH * (1 + fabs(s->lp.value)));
    /* the optima are a face that is cut off piece by piece: the bound moves when all of it is gone */
    bool flat = r->count < MOST_FLAT && s->lp.value - r->first <= CUT_STALL * CUT_WORTH * (1 + fabs(s->lp.value));
    r->stalls = stalled && !flat ? r->stalls + 1 : 0;
    r->last = s->lp.value;
    if (s->options->heuristics) heuristic_round(s);
    return drop_slack_rows(s, &r->pool) == VOUCH_OK;
}

static void solve_again(mip_search *s, relax_end *end)
{
    *end = mip_search_relax(s, 1);
    if (*end == RELAX_OPTIMAL) mip_search_take_point(s);
}

/* Takes all cuts out of the relaxation. forget: its basis too. */
static void remove_cuts(mip_search *s, rounds *r, bool forget, relax_end *end)
{
    int rows = vouch_lp_rows(s->lp.relax.lp) - s->model->m;
    int *list = MEM_NEW(int, rows);
    for (int k = 0; list && k < rows; k++) list[k] = s->model->m + k;
    if (list && vouch_lp_delete_rows(s->lp.relax.lp, rows, list) == VOUCH_OK && relax_rows_changed(&s->lp.relax) == VOUCH_OK) {
        if (forget) vouch_lp_forget_basis(s->lp.relax.lp);
        while (r->pool.in.count > 0) cut_free(&r->pool.in.item[--r->pool.in.count]);
        solve_again(s, end);
    }
    mem_free(list);
}

static void log_rounds(const mip_search *s, const rounds *r)
{
    char by_family[FAMILIES * 24] = "";
    if (!log_wants(&s->options->log, VOUCH_LOG_INFO)) return;
    for (int f = 0, used = 0; f < FAMILIES; f++)
        used += format_text(by_family + used, sizeof by_family - (size_t)used, " %s %zu", families[f].name, r->added[f]);
    log_line(&s->options->log, VOUCH_LOG_INFO, "cuts: %d rounds, %zu added (%s), %zu kept, bound %.10g from %.10g", r->count,
             r->total, by_family + 1, r->pool.in.count, s->lp.value, r->first);
}

bool cut_root(mip_search *s, relax_end *end)
{
    rounds r = {.first = s->lp.value, .last = s->lp.value};
    *end = RELAX_OPTIMAL;
    while (r.count < MOST_ROUNDS && r.stalls < MOST_STALLS && s->lp.fractions > 0 && !mip_search_must_stop(s)) {
        if (!cut_once(s, &r, end)) break;
        r.count++;
    }
    /* rows may have gone: the point must be that of the rows that stay */
    if (r.count > 0 && *end == RELAX_OPTIMAL) solve_again(s, end);
    double gained = s->lp.value - r.first, wanted = s->best.found ? s->best.value - r.first : fabs(r.first);
    bool worthless = r.count > 0 && *end == RELAX_OPTIMAL && s->lp.fractions > 0 && gained <= CUT_GAIN * wanted + CUT_LEAST_GAIN;
    if (worthless || *end == RELAX_FAILED || *end == RELAX_UNBOUNDED) remove_cuts(s, &r, !worthless, end);
    log_rounds(s, &r);
    for (int f = 0; f < FAMILIES; f++) s->root.cut_rows[f] += (long long)r.added[f];
    cut_list_free(&r.pool.in);
    cut_list_free(&r.pool.out);
    return *end == RELAX_OPTIMAL;
}
