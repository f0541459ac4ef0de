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

static void count_locks(mip_search *s)
{
    const mip_model *p = s->model;
    for (int j = 0; j < p->n; j++)
        for (int64_t k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
            int i = p->col_row[k];
            bool up_hurts_upper = p->col_value[k] > 0;
            s->locks[up_hurts_upper][j] += p->row_upper[i] < INFINITY;
            s->locks[!up_hurts_upper][j] += p->row_lower[i] > -INFINITY;
        }
}

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
                      .tree = {.closed = INFINITY},
                      .root = {.value = -INFINITY}};
    vouch_status status = domain_init(&s->dom, model);
    if (status == VOUCH_OK) status = relax_init(&s->lp.relax, model, &options->lp, clock);
    if (status == VOUCH_OK) status = pseudo_init(&s->pseudo, n);
    s->best.x = MEM_NEW(double, n);
    s->lp.x = MEM_NEW(double, n);
    s->lp.reduced = MEM_NEW(double, n);
    s->point = MEM_NEW(double, n);
    s->root.reduced = MEM_NEW(double, n);
    s->root.x = MEM_NEW(double, n);
    s->lp.fractional = MEM_NEW(int, n);
    s->locks[0] = MEM_ZERO(int, n);
    s->locks[1] = MEM_ZERO(int, n);
    if (status != VOUCH_OK || !s->best.x || !s->lp.x || !s->lp.reduced || !s->point || !s->root.reduced || !s->root.x ||
        !s->lp.fractional || !s->locks[0] || !s->locks[1]) {
        mip_search_free(s);
        return VOUCH_ERROR_MEMORY;
    }
    s->best.granularity = mip_model_granularity(model);
    count_locks(s);
    return VOUCH_OK;
}

void mip_search_free(mip_search *s)
{
    domain_free(&s->dom);
    relax_free(&s->lp.relax);
    pseudo_free(&s->pseudo);
    node_queue_free(&s->tree.open);
    node_release(s->tree.hot);
    mem_free(s->best.x);
    mem_free(s->lp.x);
    mem_free(s->lp.reduced);
    mem_free(s->point);
    mem_free(s->root.reduced);
    mem_free(s->root.x);
    mem_free(s->lp.fractional);
    mem_free(s->tree.path);
    mem_free(s->locks[0]);
    mem_free(s->locks[1]);
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
    s->lp.value = s->lp.relax.result.objective;
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

enum { DRAWN_COLUMNS = 3 };

void mip_search_record_point(const mip_search *s, long long id)
{
    vouch_trace *t = s->options->trace;
    if (!trace_open(t, id > 1 ? TRACE_DETAIL : TRACE_NOTE, id - 1, "point")) return;
    trace_int(t, "id", id);
    trace_real(t, "value", s->model->negated ? -s->lp.value : s->lp.value);
    trace_int(t, "fractions", s->lp.fractions);
    if (s->model->n <= DRAWN_COLUMNS) trace_reals(t, "x", s->lp.x, s->model->n);
    trace_close(t);
}
