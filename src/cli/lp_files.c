/* cli/lp_files.c - the files that vouch lp writes; see lp_files.h. */
#include "cli/lp_files.h"

#include <math.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/lp_glpsol.h"
#include "cli/report.h"
#include "io/file.h"
#include "io/temporary.h"

vouch_limits lp_files_limits(const lp_args *args)
{
    vouch_limits limits = cli_limits(&args->common);
    if (args->seconds > 0 && (limits.seconds <= 0 || args->seconds < limits.seconds)) limits.seconds = args->seconds;
    return limits;
}

double lp_files_violation(const vouch_lp *lp, const double *x, double *activity)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    double worst = 0;
    for (int i = 0; i < d.rows; i++) activity[i] = 0;
    for (int j = 0; j < d.cols; j++) {
        worst = fmax(worst, fmax(d.col_lower[j] - x[j], x[j] - d.col_upper[j]));
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) activity[d.index[k]] += d.value[k] * x[j];
    }
    for (int i = 0; i < d.rows; i++) worst = fmax(worst, fmax(d.row_lower[i] - activity[i], activity[i] - d.row_upper[i]));
    return worst;
}

/* Without a basis of its own (presolve may prove infeasibility before there is one) the slack basis is the last. */
vouch_status lp_files_basis(vouch_lp *lp, const char *path, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (!vouch_lp_has_basis(lp)) {
        unsigned char *basis = MEM_NEW(unsigned char, (size_t)vouch_lp_rows(lp) + (size_t)vouch_lp_cols(lp));
        if (!basis) return VOUCH_ERROR_MEMORY;
        vouch_lp_get_basis(lp, basis, basis + vouch_lp_rows(lp));
        status = vouch_lp_set_basis(lp, basis, basis + vouch_lp_rows(lp));
        mem_free(basis);
    }
    return status ? status : vouch_lp_write_basis(lp, path, error);
}

static double objective_at(const vouch_lp *lp, const double *x)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    double sum = d.offset;
    for (int j = 0; j < d.cols; j++) sum += d.cost[j] * x[j];
    return sum;
}

static vouch_status write_ranges(const glpk_solution *s, const char *path, vouch_error *error)
{
    if (s->state != GLPK_OPTIMAL) {
        report_note("--ranges: %s is not written, as there is no optimum", path);
        return VOUCH_OK;
    }
    text out = {0};
    vouch_lp_range *range = MEM_NEW(vouch_lp_range, (size_t)vouch_lp_rows(s->lp) + (size_t)vouch_lp_cols(s->lp) + 1);
    vouch_status status = range ? vouch_lp_ranges(s->lp, range) : VOUCH_ERROR_MEMORY;
    if (status == VOUCH_ERROR_ARGUMENT) {
        *error = (vouch_error){status, "--ranges: the optimum found has no basis that could be factorised"};
    } else if (!status) {
        glpk_ranges(s, range, &out);
        status = text_write(&out, path, error);
    }
    mem_free(range);
    return status;
}

static vouch_status write_solution(const glpk_solution *s, const lp_args *args, vouch_error *error)
{
    text out = {0};
    vouch_status status = VOUCH_OK;
    if (args->report) {
        glpk_report(s, &out);
        status = text_write(&out, args->report, error);
    }
    if (!status && args->plain) {
        glpk_plain(s, &out);
        status = text_write(&out, args->plain, error);
    }
    return status || !args->ranges ? status : write_ranges(s, args->ranges, error);
}

vouch_status lp_files_solution(const vouch_lp *lp, const lp_args *args, const lp_answer *a, double *activity, vouch_error *error)
{
    glpk_state state = lp_glpsol_role() && !args->no_presolve ? lp_glpsol_state(a->state, a->mip) : a->state;
    if (!args->report && !args->plain && !args->ranges) return VOUCH_OK;
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    unsigned char *row = MEM_ZERO(unsigned char, vouch_lp_rows(lp)), *col = MEM_ZERO(unsigned char, vouch_lp_cols(lp));
    vouch_status status = row && col ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    glpk_solution s = {.lp = lp,
                       .mip = a->mip,
                       .state = state,
                       .objective = !isnan(a->objective) ? a->objective
                                    : a->x               ? objective_at(lp, a->x)
                                                         : 0,
                       .x = a->x};
    if (a->mip) {
        s.row_activity = a->x ? activity : NULL;
    } else {
        s.row_activity = r.row_activity, s.row_dual = r.row_dual, s.reduced_cost = r.reduced_cost;
        s.row_status = row, s.col_status = col;
        if (status == VOUCH_OK) vouch_lp_get_basis(lp, row, col);
    }
    if (!status) status = write_solution(&s, args, error);
    mem_free(row);
    mem_free(col);
    return status;
}

vouch_status lp_files_read(const vouch_lp *lp, const lp_args *args, bool mip, glpk_reading *r, lp_answer *a, vouch_error *error)
{
    static const char *const said[] = {[GLPK_OPTIMAL] = "the file calls it optimal; nothing was solved or proved",
                                       [GLPK_FEASIBLE] = "the file calls it feasible; nothing was solved or proved",
                                       [GLPK_UNDEFINED] = "the file has no verdict; nothing was solved or proved",
                                       [GLPK_INFEASIBLE] = "the file calls it infeasible; nothing was solved or proved",
                                       [GLPK_UNBOUNDED] = "the file calls it unbounded; nothing was solved or proved"};
    vouch_status status = glpk_read(lp, mip, args->read, r, error);
    if (status) return status;
    *a = (lp_answer){.mip = mip,
                     .code = CLI_SOLVED,
                     .status = "read",
                     .reason = said[r->solution.state],
                     .state = r->solution.state,
                     .objective = objective_at(lp, r->x),
                     .bound = NAN,
                     .dual_residual = NAN,
                     .x = r->x};
    return write_solution(&r->solution, args, error);
}

vouch_status lp_files_display(const vouch_lp *lp, const lp_args *args, const char *path, const lp_answer *a, double *activity,
                              vouch_error *error)
{
    int slot = -1;
    text out = {0};
    lp_args only = *args;
    if (!lp_glpsol_shows(path)) return VOUCH_OK;
    vouch_status status = VOUCH_OK;
    if (!args->read) {
        status = lp_glpsol_temporary(&slot, error);
        if (status) return status;
        only.report = only.ranges = NULL;
        only.plain = temporary_name(slot);
        status = lp_files_solution(lp, &only, a, activity, error);
    }
    if (!status)
        status = lp_glpsol_show(&(lp_model){path, &args->data}, args->read ? args->read : only.plain, !a->mip, &out, error);
    if (!status && out.failed) status = VOUCH_ERROR_MEMORY;
    FILE *to[] = {args->common.json ? stderr : stdout, args->log ? report_copied() : NULL};
    for (int k = 0; k < 2; k++)
        if (to[k] && out.length) (void)fwrite(out.data, 1, out.length, to[k]);
    temporary_remove(&slot);
    text_free(&out);
    return status;
}

vouch_status lp_files_proof(const vouch_lp *lp, const lp_args *args, lp_answer *a, vouch_error *error)
{
    bool claims = a->state == GLPK_OPTIMAL || a->state == GLPK_INFEASIBLE;
    vouch_limits limits = lp_files_limits(args);
    vouch_proof proof = {.why = a->state == GLPK_UNBOUNDED ? "the format VIPR cannot state unboundedness" : "there is no verdict"};
    vouch_lp *relaxed = NULL;
    vouch_status status = VOUCH_OK;
    if (claims && args->no_mip) {
        status = vouch_lp_clone(&relaxed, lp);
        for (int j = 0; !status && j < vouch_lp_cols(lp); j++) status = vouch_lp_set_integer(relaxed, j, 0);
    }
    if (claims && !status) status = vouch_lp_prove(relaxed ? relaxed : lp, a->state == GLPK_OPTIMAL ? a->x : NULL, &limits, &proof);
    bool refuted = proof.proved && proof.feasible != (a->state == GLPK_OPTIMAL);
    bool shown = !status && proof.proved && !refuted;
    if (shown) status = file_write(args->proof, proof.text, proof.length, error);
    if (!shown && file_remove(args->proof)) report_note("nothing is proved: an older file %s is removed", args->proof);
    if (!shown && (a->code == CLI_SOLVED || a->code == CLI_INFEASIBLE)) a->code = CLI_LIMIT;
    a->proof = proof.proved && !refuted ? "proved" : "not proved";
    a->proof_why = refuted ? "in rational arithmetic there is a solution" : proof.why;
    a->proof_objective = proof.proved && proof.feasible ? proof.objective : NAN;
    a->proof_nodes = proof.nodes, a->proof_derived = proof.derived;
    vouch_proof_free(&proof);
    vouch_lp_free(relaxed);
    return status;
}

vouch_status lp_files_problem(const vouch_lp *lp, const lp_args *args, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (args->write_lp) status = vouch_lp_write(lp, args->write_lp, VOUCH_FORMAT_LP, error);
    if (!status && args->write_mps) status = vouch_lp_write(lp, args->write_mps, VOUCH_FORMAT_MPS_FIXED, error);
    if (!status && args->write_free) status = vouch_lp_write(lp, args->write_free, VOUCH_FORMAT_MPS_FREE, error);
    if (!status && args->write_glp) status = vouch_lp_write(lp, args->write_glp, VOUCH_FORMAT_GLP, error);
    return status;
}
