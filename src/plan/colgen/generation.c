/* plan/colgen/generation.c - see generation.h. */
#include "plan/colgen/generation.h"

#include <limits.h>
#include <math.h>

#include "base/memory.h"

vouch_status generation_init(generation *x, const policy_space *space, bool needed)
{
    size_t K = (size_t)space->K;
    *x = (generation){.rounding = commitment_rounding(space->m->T), .most = INT_MAX, .lambda = MEM_ZERO(double, 3 * K)};
    if (!x->lambda) return VOUCH_ERROR_MEMORY;
    x->nu = x->lambda + K;
    x->mu = x->nu + K;
    return needed ? master_new(space->K, space->share, &space->averages, &x->program) : VOUCH_OK;
}

void generation_clear(generation *x)
{
    master_free(x->program);
    mem_free(x->lambda);
    mem_free(x->alpha);
    *x = (generation){0};
}

vouch_status generation_begin(generation *x, master_goal goal, const double p[], double cap, const double room[])
{
    x->feasible = false;
    x->value = INFINITY;
    return master_reset(x->program, goal, p, 0, cap, room);
}

vouch_status generation_add(generation *x, const double regret[], const double pr[])
{
    int column = x->program ? master_columns(x->program) : 0;
    if (MEM_RESERVE(&x->alpha, &x->capacity, column)) return VOUCH_ERROR_MEMORY;
    x->alpha[column] = 0;
    return x->program ? master_add(x->program, regret, pr) : VOUCH_OK;
}

bool generation_next(generation *x, vouch_status *status)
{
    bool ok = !*status, again = true;
    x->limited = false;
    while (ok && again && x->rounds++ < x->most) {
        master_optimum optimum = {0, x->lambda, x->nu, x->mu, x->alpha};
        x->limited = x->limit && deadline_expired(x->limit);
        if (x->limited) return false;
        double since = trace_start(x->trace);
        *status = master_solve(x->program, x->feasible, x->limit, &ok, &optimum);
        trace_stop(x->trace, KERNEL_master, since);
        ok = ok && !*status;
        x->value = optimum.value;
        again = ok && !x->feasible && x->value <= x->rounding;
        x->feasible |= again;
    }
    if (!ok) x->limited = x->limit && deadline_expired(x->limit);
    return ok && !again;
}
