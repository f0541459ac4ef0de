/* plan/ccil/record.c - see record.h. */
#include "plan/ccil/record.h"

#include <math.h>
#include <vouch/plan.h>

/* Exits of a plan that are listed. */
enum { EXITS = 60 };

void record_segment(vouch_trace *t, const segment *seg, int id)
{
    if (!t) return;
    t->part = id;
    if (!trace_open(t, TRACE_NOTE, id, "segment")) return;
    trace_int(t, "id", id);
    trace_int(t, "time", seg->time);
    trace_int(t, "state", seg->state);
    trace_int(t, "depth", seg->depth);
    trace_ints(t, "env", seg->env, seg->count);
    trace_reals(t, "owed", seg->p, seg->count);
    trace_close(t);
}

/* [its plan, the largest probability of coming there] */
static void add_exits(vouch_trace *t, const segment *seg)
{
    trace_list(t, "exits");
    for (int i = 0; i < seg->exits && i < EXITS; i++) {
        double most = 0;
        for (int k = 0; k < seg->count; k++) most = fmax(most, seg->exit[i].reach[k]);
        trace_list(t, NULL);
        trace_int(t, NULL, seg->exit[i].child);
        trace_real(t, NULL, most);
        trace_list_end(t);
    }
    trace_list_end(t);
}

void record_planned(vouch_trace *t, const segment *seg, int id)
{
    if (!trace_open(t, TRACE_NOTE, id, "planned")) return;
    trace_int(t, "id", id);
    trace_word(t, "status", vouch_plan_outcome_text(seg->outcome));
    trace_int(t, "steps", seg->steps);
    trace_int(t, "kept_on", seg->kept_on);
    trace_real(t, "spread", seg->view.scale.spread);
    trace_real(t, "least", seg->view.scale.least);
    if (seg->g) {
        trace_reals(t, "optimal", seg->optimal, seg->count);
        trace_reals(t, "U", seg->U, seg->count);
        trace_reals(t, "promise", seg->Pr, seg->count);
        add_exits(t, seg);
    }
    trace_close(t);
}
