/* lp/follow.c - see follow.h. A solve depends on the program, its basis and the engine of the solve before; all of it is handed on.
 */
#include "lp/follow.h"

#include "base/check.h"
#include "base/memory.h"
#include "lp/problem.h"

vouch_status lp_make_ready(vouch_lp *lp)
{
    simplex *s = lp->engine;
    if (!s) return VOUCH_OK; /* copies begin from the basis */
    basis_be_strict(s->factors, false);
    simplex_reset_work(s);
    if (simplex_refresh(s, false) != RUN_MEMORY) return VOUCH_OK;
    lp_drop_engine(lp);
    return VOUCH_ERROR_MEMORY;
}

/* 0; -1: memory. A scaling that a limit kept from being the same: the basis has to do. */
static int take_engine(vouch_lp *copy, const vouch_lp *lp)
{
    int other = copy->engine ? simplex_take(copy->engine, lp->engine) : 1;
    if (other == 1) {
        simplex_free(copy->engine);
        vouch_lp_data data;
        vouch_lp_view(copy, &data);
        copy->engine = simplex_new(&data, lp->engine->scaled, &lp->engine->limit);
        other = copy->engine ? simplex_take(copy->engine, lp->engine) : -1;
    }
    if (other == 0) return 0;
    simplex_free(copy->engine);
    copy->engine = NULL;
    vouch_lp_get_basis(lp, copy->status, copy->status + copy->a.rows);
    return other < 0 ? -1 : 0;
}

vouch_status lp_follow(vouch_lp *copy, const vouch_lp *lp)
{
    CHECK(copy->a.rows == lp->a.rows && copy->a.cols == lp->a.cols);
    MEM_COPY(copy->col_lower, lp->col_lower, lp->a.cols);
    MEM_COPY(copy->col_upper, lp->col_upper, lp->a.cols);
    copy->exact_work = lp->exact_work;
    copy->confirm_most = lp->confirm_most;
    copy->computed = lp->computed;
    copy->has_basis = lp->has_basis;
    lp_forget_result(copy);
    if (lp->engine) return take_engine(copy, lp) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    simplex_free(copy->engine);
    copy->engine = NULL;
    vouch_lp_get_basis(lp, copy->status, copy->status + copy->a.rows);
    return VOUCH_OK;
}

long long lp_exact_work(const vouch_lp *lp) { return lp->exact_work; }
void lp_count_exact_work(vouch_lp *lp, long long work) { lp->exact_work += work; }
