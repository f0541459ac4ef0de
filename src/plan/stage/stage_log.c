/* plan/stage/stage_log.c - see stage_log.h. O(1) a node. */
#include "plan/stage/stage_log.h"

#include "policy/record.h"

void stage_log_tree(stage_log *log, bool total, const char *why)
{
    record_tree(log->trace, log->space, &(tree_record){"search", total, why, log->ids + 1});
}

static void tell_trace(const stage_log *log, const stage_step *step, const stage_state *state)
{
    vouch_trace *t = log->trace;
    trace_count(t, TALLY_staged, 1);
    if (!trace_open(t, TRACE_NODE, 0, "node")) return;
    trace_int(t, "id", log->ids);
    trace_int(t, "up", step->above);
    if (step->node >= 0) {
        record_place(t, "at", log->space->g, step->node);
        trace_int(t, "do", record_option(log->space, step->node, step->choice));
    }
    trace_real(t, "b", state->bound);
    trace_real(t, "mix", state->bound);
    trace_real(t, "inc", state->best);
    trace_int(t, "end", state->ended ? VOUCH_NODE_BOUND : VOUCH_NODE_BRANCHED);
    trace_int(t, "w", state->work);
    trace_close(t);
}

static void tell_caller(const stage_log *log, const stage_step *step, const stage_state *state)
{
    const know_graph *g = log->space->g;
    vouch_search_node out = {.id = log->ids,
                             .parent = step->above,
                             .depth = step->depth,
                             .bound = state->bound,
                             .incumbent = state->best,
                             .end = state->ended ? VOUCH_NODE_BOUND : VOUCH_NODE_BRANCHED,
                             .time = -1,
                             .state = -1,
                             .action = -1};
    if (step->node >= 0) {
        out.time = know_time(g, step->node);
        out.state = g->state[step->node];
        out.action = g->m->pair_action[g->choice_pair[step->choice]];
    }
    log->on_node(log->on_node_context, &out);
}

stage_step stage_log_node(stage_log *log, const stage_step *step, const stage_state *state)
{
    log->ids++;
    log->nodes++;
    tell_trace(log, step, state);
    if (log->on_node) tell_caller(log, step, state);
    return (stage_step){log->ids, step->depth + 1, -1, -1};
}
