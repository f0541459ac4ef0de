/* plan/search/search_group.c - see search_group.h. */
#include "plan/search/search_group.h"

#include <math.h>

#include "base/memory.h"
#include "link/group.h"
#include "plan/search/node_task.h"

/* The first process: the search has ended. */
static void tell_group(const colgen *cg, const incumbent *inc, master_goal goal, const search_options *options,
                       const search_result *result)
{
    message last = {0};
    int K = cg->space->K, nodes = cg->space->g->nodes;
    message_put_int(&last, result->proved);
    message_put_int(&last, result->infeasible);
    message_put_int(&last, result->limit);
    message_put_real(&last, result->bound);
    message_put_int(&last, result->nodes);
    message_put_int(&last, result->inductions);
    message_put_int(&last, result->ids);
    if (options->determinism) MESSAGE_PUT(&last, options->determinism, K);
    message_put_int(&last, inc->found);
    MESSAGE_PUT(&last, inc->best, nodes);
    MESSAGE_PUT(&last, inc->value.U, K);
    MESSAGE_PUT(&last, inc->value.Pr, K);
    message_put_real(&last, inc->value.max_regret);
    message_put_real(&last, inc->value.total_regret);
    group_finish(node_work_kind(&(node_work){cg->space, goal, inc, options, NULL}), &last);
    message_free(&last);
}

static vouch_status take_end(message *last, const colgen *cg, incumbent *inc, const search_options *options, search_result *result)
{
    int K = cg->space->K, nodes = cg->space->g->nodes;
    result->proved = message_take_int(last) != 0;
    result->infeasible = message_take_int(last) != 0;
    result->limit = message_take_int(last) != 0;
    result->bound = message_take_real(last);
    result->nodes = message_take_int(last);
    result->inductions = message_take_int(last);
    result->ids = message_take_int(last);
    if (options->determinism) MESSAGE_TAKE(last, options->determinism, K);
    inc->found = message_take_int(last) != 0;
    MESSAGE_TAKE(last, inc->best, nodes);
    MESSAGE_TAKE(last, inc->value.U, K);
    MESSAGE_TAKE(last, inc->value.Pr, K);
    inc->value.max_regret = message_take_real(last);
    inc->value.total_regret = message_take_real(last);
    return last->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

/* A worker, instead of the search. */
static vouch_status serve(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    node_work shared = {cg->space, goal, inc, options, NULL};
    task_work work = node_task_work(&shared);
    message last = {0};
    *result = (search_result){.bound = -INFINITY};
    vouch_status status = group_serve(node_work_kind(&shared), &work, &last);
    if (!status) status = take_end(&last, cg, inc, options, result);
    message_free(&last);
    return status;
}

vouch_status search_run(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    tree_search *s;
    vouch_status status = search_begin(cg, inc, goal, options, result, &s);
    if (!status) status = search_go_on(s);
    search_end(s);
    return status;
}

vouch_status search_shared(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    if (options->workers > 0 && group_is_worker()) return serve(cg, inc, goal, options, result);
    vouch_status status = search_run(cg, inc, goal, options, result);
    if (options->workers > 0 && group_workers() > 0) tell_group(cg, inc, goal, options, result);
    return status;
}
