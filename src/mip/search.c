/* mip/search.c - the state of a search: see search.h.
 *
 * Rooms are made once, before the first node; nothing here searches. tree.c has the loop over nodes, process.c what is
 * done with one.
 */
#include "mip/search.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/trace.h"

vouch_status mip_search_init(mip_search *s, const mip_model *model, const vouch_mip_options *options, const deadline *clock,
                             const mip_owner *owner)
{
    int n = model->n;
    CHECK(owner->accept && options && clock);
    *s = (mip_search){.model = model,
                      .options = options,
                      .clock = clock,
                      .owner = owner,
                      .best = {.value = INFINITY, .cutoff = INFINITY},
                      .tree = {.closed = INFINITY, .elsewhere = INFINITY, .id_step = 1},
                      .root = {.value = -INFINITY},
                      .room = -1};
    vouch_status status = domain_init(&s->dom, model);
    if (status == VOUCH_OK) status = relax_init(&s->lp.relax, model, &options->lp, clock);
    s->dom.trace = options->trace;
    double **points[] = {&s->best.x, &s->lp.x, &s->lp.reduced, &s->point, &s->root.x, &s->root.reduced};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) *points[k] = ARENA_NEW(&s->memory, double, n);
    s->lp.fractional = ARENA_NEW(&s->memory, int, n);
    s->symmetry.order = ARENA_NEW(&s->memory, int, n);
    s->symmetry.listed = ARENA_ZERO(&s->memory, bool, n);
    for (int d = 0; d < 2; d++) {
        s->locks[d] = ARENA_NEW(&s->memory, int, n);
        s->pseudo.sum[d] = ARENA_ZERO(&s->memory, double, n);
        s->pseudo.count[d] = ARENA_ZERO(&s->memory, int, n);
    }
    if (status != VOUCH_OK || s->memory.failed) {
        mip_search_free(s);
        return VOUCH_ERROR_MEMORY;
    }
    s->best.granularity = mip_model_granularity(model);
    mip_model_count_locks(model, s->locks);
    return VOUCH_OK;
}

void mip_search_free(mip_search *s)
{
    domain_free(&s->dom);
    relax_free(&s->lp.relax);
    node_queue_free(&s->tree.open);
    node_release(s->tree.hot);
    mem_free(s->tree.path);
    symmetry_free(s->symmetry.own);
    arena_free(&s->memory);
    *s = (mip_search){0};
}

bool mip_search_must_stop(mip_search *s)
{
    const vouch_limits *l = &s->clock->limits;
    if (deadline_expired(s->clock) || (s->options->limits.nodes > 0 && s->tree.nodes >= s->options->limits.nodes) ||
        (l->iterations > 0 && s->lp.relax.iterations >= l->iterations))
        s->end.stopped = true;
    return s->end.stopped;
}

void mip_search_list_fractional(mip_search *s)
{
    node_lp *l = &s->lp;
    l->fractions = 0;
    for (int j = 0; j < s->model->n; j++)
        if (s->model->integer[j] && fabs(l->x[j] - round(l->x[j])) > s->options->integrality_tol) l->fractional[l->fractions++] = j;
}

void mip_search_take_point(mip_search *s)
{
    int n = s->model->n;
    MEM_COPY(s->lp.x, s->lp.relax.result.x, n);
    MEM_COPY(s->lp.reduced, s->lp.relax.result.reduced_cost, n);
    s->lp.value = relax_value(&s->lp.relax);
    CHECK(!isnan(s->lp.value));
    mip_search_list_fractional(s);
}

int mip_search_violated_set(const mip_search *s)
{
    const mip_model *p = s->model;
    for (int q = 0; q < p->sets; q++) {
        int nonzero = 0;
        for (int k = p->set_start[q]; k < p->set_start[q + 1]; k++)
            nonzero += fabs(s->lp.x[p->set_col[k]]) > s->options->integrality_tol;
        if (nonzero > 1) return q;
    }
    return -1;
}

relax_end mip_search_relax(mip_search *s, long long id)
{
    vouch_trace *t = s->options->trace;
    bool told = trace_keeps(t, TRACE_PIVOT, id - 1), before = t && t->within;
    if (told) {
        t->owner = id > 1 ? id - 1 : -1;
        t->within = false;
    }
    double since = trace_start(t);
    relax_end end = relax_solve(&s->lp.relax, s->best.cutoff, 0);
    trace_stop(t, KERNEL_relaxation, since);
    if (told) t->within = before;
    return end;
}

enum { DRAWN_COLUMNS = 3 };

void mip_search_record_point(const mip_search *s, long long id)
{
    vouch_trace *t = s->options->trace;
    if (!trace_open(t, id > 1 ? TRACE_DETAIL : TRACE_NOTE, id - 1, "point")) return;
    trace_int(t, "id", id);
    trace_real(t, "value", mip_model_tell(s->model, s->lp.value));
    trace_int(t, "fractions", s->lp.fractions);
    if (s->model->n <= DRAWN_COLUMNS) trace_reals(t, "x", s->lp.x, s->model->n);
    trace_close(t);
}
