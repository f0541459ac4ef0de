/* plan/history_program.c - the history-optimal regret as one linear program over all classes at once (THEORY.md, section 4):
 *
 *     min z,  z >= U*_c(k) - U(k; sigma),  Pr(k; sigma) >= aim(k),  flow of sigma >= 0
 *
 * The compact form without indicators (program/program.c). Its optimum holds for policies that reach the aim; what all accepted
 * ones cannot be better than is less by the multipliers of the commitment rows times what the aim exceeds the threshold: weak
 * duality. Cost: one LP of O(slots) columns and O(classes + K) rows.
 */
#include "plan/history_program.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "program/program.h"

/* The multipliers at hand prove this much for policies that need to reach no more than what is accepted. */
static double accepted_bound(const program *p, const policy_space *space, const double aim[], double bound)
{
    vouch_lp_result result;
    vouch_lp_get_result(p->lp, &result);
    for (int i = 0; i < vouch_lp_rows(p->lp); i++) {
        int promise = p->row[i].env + (p->row[i].kind == ROW_AVERAGE ? space->K : 0);
        if (p->row[i].kind == ROW_COMMITMENT || p->row[i].kind == ROW_AVERAGE)
            bound -= fmax(0, result.row_dual[i]) * (aim[promise] - space->accepted[promise]);
    }
    return bound;
}

vouch_status history_program_solve(plan_call *call, const policy_space *space, const double aim[], double **mass, colgen_end *end)
{
    program *p = NULL;
    program_solution solution = {0};
    program_options options = {.limit = &call->limit, .trace = call->options->trace};
    *mass = NULL;
    *end = COLGEN_LIMIT;
    for (int k = 0; k < space->promises; k++) CHECK_COMPARE(aim[k], >=, space->accepted[k]);
    if (deadline_expired(&call->limit)) return VOUCH_OK;
    vouch_status status = program_compact(
        space->c, &(program_aim){space->optimal, aim, &space->averages, PROGRAM_MAX_REGRET, 0, space->share}, false, &p);
    if (!status) status = vouch_lp_set_col_bounds(p->lp, 0, -INFINITY, INFINITY); /* z */
    if (!status) status = program_solve_lp(p, &options, &solution);
    if (!status) {
        deadline_use(&call->limit, 0, solution.iterations);
        if (solution.end == PROGRAM_SOLVED) {
            call->policy->bound = fmax(call->policy->bound, accepted_bound(p, space, aim, solution.bound));
            *end = COLGEN_SOLVED;
            *mass = MEM_NEW(double, space->c->slots);
            if (*mass)
                program_slot_mass(p, solution.x, *mass);
            else
                status = VOUCH_ERROR_MEMORY;
        } else if (solution.end == PROGRAM_INFEASIBLE)
            *end = COLGEN_INFEASIBLE;
        else if (solution.end == PROGRAM_TROUBLE)
            *end = COLGEN_STALLED;
    }
    mem_free(solution.x);
    program_free(p);
    return status;
}
