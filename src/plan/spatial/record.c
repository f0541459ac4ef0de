/* plan/spatial/record.c - see record.h. */
#include "plan/spatial/box.h"

#include "policy/record.h"

/* Masses of a mixture: policy nodes listed at most, of the box of all policies and of others. */
enum { ROOT_PLACES = 400, PLACES = 40 };

/* The policy node whose choice this is. */
static int node_of(const know_graph *g, int choice)
{
    int low = 0, high = g->nodes;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (g->choice_start[middle] <= choice)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void record_box(vouch_trace *t, const policy_space *space, const box_origin *origin, const box_record *box)
{
    static const trace_tally tally[] = {[VOUCH_NODE_BRANCHED] = TALLY_divided,
                                        [VOUCH_NODE_BOUND] = TALLY_by_bound,
                                        [VOUCH_NODE_INFEASIBLE] = TALLY_empty,
                                        [VOUCH_NODE_INTEGER] = TALLY_solved,
                                        [VOUCH_NODE_LIMIT] = TALLY_unfinished};
    trace_count(t, box->pruned ? TALLY_unseen : tally[box->end], 1);
    if (!trace_open(t, TRACE_NODE, 0, "node")) return;
    trace_int(t, "id", box->id);
    trace_int(t, "up", origin->up);
    if (origin->choice >= 0) {
        int node = node_of(space->g, origin->choice);
        record_place(t, "at", space->g, node);
        trace_int(t, "do", record_option(space, node, origin->choice));
        trace_real(t, origin->upper ? "least" : "most", origin->at);
    }
    trace_real(t, "b", box->bound);
    trace_real(t, "mix", box->bound);
    trace_real(t, "inc", box->best);
    trace_int(t, "end", box->end);
    if (box->pruned) trace_int(t, "unseen", 1);
    if (box->given_up) trace_int(t, "given_up", box->given_up);
    trace_close(t);
}

void record_box_mixture(vouch_trace *t, const box_bound *b, long long id, double mass[])
{
    const know_graph *g = b->space->g;
    int K = b->space->K;
    const multipliers *best = &b->kept[0];
    trace_count(t, TALLY_mixtures_asked, 1);
    if (!trace_open(t, TRACE_DETAIL, id - 1, "mixture")) return;
    for (int c = 0; c < g->choices; c++) {
        mass[c] = 0;
        for (int k = 0; k < K; k++) mass[c] += b->mix[(size_t)c * (size_t)K + (size_t)k] / K;
    }
    trace_int(t, "id", id);
    trace_reals(t, "weight", best->value, K);
    trace_reals(t, "mu", best->value + K, K);
    trace_real(t, "bound", b->bound);
    trace_real(t, "value", b->mixture);
    record_masses(t, b->space, mass, id > 1 ? PLACES : ROOT_PLACES);
    trace_close(t);
}

void record_box_moment(vouch_trace *t, long long boxes, long long inductions, double bound, double best)
{
    if (!trace_open(t, TRACE_MOMENT, boxes, "moment")) return;
    trace_int(t, "n", boxes);
    trace_int(t, "w", inductions);
    trace_real(t, "b", bound);
    trace_real(t, "inc", best);
    trace_close(t);
}
