/* cli/lp_answer.c - see lp_answer.h. */
#include "cli/lp_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "io/output.h"

/* What an outcome is to scripts and to glpsol. */
typedef struct ending {
    int code;
    glpk_state state;
} ending;

void lp_answer_take(const vouch_lp_result *r, lp_answer *a)
{
    static const ending of[] = {[VOUCH_LP_UNSOLVED] = {CLI_NUMERICAL, GLPK_UNDEFINED},
                                [VOUCH_LP_OPTIMAL] = {CLI_SOLVED, GLPK_OPTIMAL},
                                [VOUCH_LP_INFEASIBLE] = {CLI_INFEASIBLE, GLPK_INFEASIBLE},
                                [VOUCH_LP_UNBOUNDED] = {CLI_INFEASIBLE, GLPK_UNBOUNDED},
                                [VOUCH_LP_CUTOFF] = {CLI_LIMIT, GLPK_UNDEFINED},
                                [VOUCH_LP_LIMIT] = {CLI_LIMIT, GLPK_UNDEFINED},
                                [VOUCH_LP_INTERRUPTED] = {CLI_INTERRUPTED, GLPK_UNDEFINED},
                                [VOUCH_LP_NUMERICAL] = {CLI_NUMERICAL, GLPK_UNDEFINED}};
    *a = (lp_answer){.code = of[r->outcome].code,
                     .status = vouch_lp_outcome_text(r->outcome),
                     .reason = r->reason,
                     .state = of[r->outcome].state,
                     .objective = r->objective,
                     .bound = r->bound,
                     .iterations = r->iterations,
                     .seconds = r->seconds,
                     .primal_residual = fmax(r->certificate.primal_residual, r->certificate.primal_infeasibility),
                     .dual_residual = r->certificate.dual_infeasibility,
                     .x = r->x,
                     .fraction = r->exact_objective,
                     .exact_pivots = r->exact_pivots};
    if (a->state == GLPK_UNDEFINED && r->x && r->certificate.primal_infeasibility <= 1e-7) a->state = GLPK_FEASIBLE;
    if (a->state != GLPK_OPTIMAL && a->state != GLPK_FEASIBLE) a->objective = NAN;
}

void lp_answer_take_mip(const vouch_mip_result *r, lp_answer *a)
{
    static const ending of[] = {[VOUCH_MIP_UNSOLVED] = {CLI_NUMERICAL, GLPK_UNDEFINED},
                                [VOUCH_MIP_OPTIMAL] = {CLI_SOLVED, GLPK_OPTIMAL},
                                [VOUCH_MIP_INFEASIBLE] = {CLI_INFEASIBLE, GLPK_INFEASIBLE},
                                [VOUCH_MIP_UNBOUNDED] = {CLI_INFEASIBLE, GLPK_UNBOUNDED},
                                [VOUCH_MIP_LIMIT] = {CLI_LIMIT, GLPK_UNDEFINED},
                                [VOUCH_MIP_INTERRUPTED] = {CLI_INTERRUPTED, GLPK_UNDEFINED},
                                [VOUCH_MIP_NUMERICAL] = {CLI_NUMERICAL, GLPK_UNDEFINED}};
    *a = (lp_answer){.mip = true,
                     .code = of[r->outcome].code,
                     .status = vouch_mip_outcome_text(r->outcome),
                     .reason = r->reason,
                     .state = of[r->outcome].state,
                     .objective = r->objective,
                     .bound = r->bound,
                     .iterations = r->iterations,
                     .nodes = r->nodes,
                     .seconds = r->seconds,
                     .x = r->x};
    for (int f = 0; f < VOUCH_MIP_FAMILIES; f++) a->cut_rows[f] = r->cut_rows[f];
    if (a->state == GLPK_UNDEFINED && r->has_incumbent) a->state = GLPK_FEASIBLE;
    if (a->state == GLPK_UNBOUNDED) a->objective = NAN;
}

static void print_number(const char *name, double value)
{
    char digits[32];
    printf(",\"%s\":%s", name, isfinite(value) ? text_number(value, digits) : "null");
}

#define FAMILY_WORD(family) #family,
static const char *const family_word[] = {VOUCH_MIP_CUTS(FAMILY_WORD)};
#undef FAMILY_WORD

static void print_cuts(const lp_answer *a, bool json, FILE *out)
{
    if (!a->cuts_asked) return;
    fprintf(out, json ? ",\"cuts\":{" : "%-11s", "cuts");
    for (int f = 0; f < VOUCH_MIP_FAMILIES; f++)
        fprintf(out, json ? "%s\"%s\":%lld" : "%s %s %lld", f ? "," : "", family_word[f], a->cut_rows[f]);
    fprintf(out, json ? "}" : "\n");
}

/* glpsol's words for what rational arithmetic found. */
static const char *exact_words(const lp_answer *a)
{
    switch (a->state) {
    case GLPK_OPTIMAL:
        return "OPTIMAL SOLUTION FOUND";
    case GLPK_INFEASIBLE:
        return "PROBLEM HAS NO FEASIBLE SOLUTION";
    case GLPK_UNBOUNDED:
        return "PROBLEM HAS UNBOUNDED SOLUTION";
    default:
        return a->code == CLI_LIMIT ? "TIME LIMIT EXCEEDED; SEARCH TERMINATED" : "NOT DECIDED";
    }
}

static void print_exact(const lp_answer *a, FILE *out)
{
    enum { DIGITS_SHOWN = 200 };
    if (!a->exact) return;
    fprintf(out, "%-11s %s\n", "exact", exact_words(a));
    size_t digits = a->fraction ? strlen(a->fraction) : 0;
    if (digits > DIGITS_SHOWN)
        fprintf(out, "%-11s %.20s.. (%zu characters; --json has all)\n", "fraction", a->fraction, digits);
    else if (digits)
        fprintf(out, "%-11s %s\n", "fraction", a->fraction);
    fprintf(out, "%-11s %lld after the basis in doubles\n", "pivots", a->exact_pivots);
}

static void print_exact_json(const lp_answer *a)
{
    bool decided = a->state == GLPK_OPTIMAL || a->state == GLPK_INFEASIBLE || a->state == GLPK_UNBOUNDED;
    const char *quote = a->fraction ? "\"" : "";
    if (!a->exact) return;
    printf(",\"exact\":{\"status\":\"%s\",\"objective\":%s%s%s", decided ? a->status : "undecided", quote,
           a->fraction ? a->fraction : "null", quote);
    printf(",\"pivots\":%lld}", a->exact_pivots);
}

static void print_proof(const lp_answer *a, FILE *out)
{
    if (!a->proof) return;
    fprintf(out, "%-11s %s: ", "proof", a->proof);
    if (a->proof_why)
        fprintf(out, "%s\n", a->proof_why);
    else if (isnan(a->proof_objective))
        fprintf(out, "infeasible, %lld nodes, %lld lines\n", a->proof_nodes, a->proof_derived);
    else
        fprintf(out, "optimum %.12g, %lld nodes, %lld lines\n", a->proof_objective, a->proof_nodes, a->proof_derived);
}

static bool has_point(const lp_answer *a) { return a->x && !isnan(a->objective); }

void lp_answer_print_json(const lp_answer *a)
{
    bool point = has_point(a);
    printf("{\"status\":\"%s\"", a->status);
    if (a->reason) printf(",\"reason\":\"%s\"", a->reason);
    print_number("objective", a->objective);
    print_number("bound", a->bound);
    printf(",\"iterations\":%lld,\"nodes\":%lld", a->iterations, a->nodes);
    print_number("seconds", a->seconds);
    print_number("primal_residual", point ? a->primal_residual : NAN);
    print_number("dual_residual", point && !a->mip ? a->dual_residual : NAN);
    print_cuts(a, true, stdout);
    print_exact_json(a);
    if (a->proof) {
        printf(",\"proof\":{\"status\":\"%s\",\"nodes\":%lld,\"derived\":%lld", a->proof, a->proof_nodes, a->proof_derived);
        print_number("optimum", a->proof_objective);
        printf("}");
    }
    printf("}\n");
}

void lp_answer_print(const lp_answer *a, FILE *out)
{
    fprintf(out, "%-11s %s\n", "status", a->status);
    if (a->reason) fprintf(out, "%-11s %s\n", "reason", a->reason);
    if (!isnan(a->objective)) fprintf(out, "%-11s %.12g\n", "objective", a->objective);
    if ((a->mip || a->code == CLI_LIMIT) && !isnan(a->bound)) fprintf(out, "%-11s %.12g\n", "bound", a->bound);
    if (a->mip) fprintf(out, "%-11s %lld\n", "nodes", a->nodes);
    print_cuts(a, false, out);
    print_exact(a, out);
    fprintf(out, "%-11s %lld\n%-11s %.2f\n", "iterations", a->iterations, "seconds", a->seconds);
    print_proof(a, out);
    if (!has_point(a)) return;
    fprintf(out, "%-11s primal %.2e", "residuals", a->primal_residual);
    if (!a->mip && !isnan(a->dual_residual)) fprintf(out, ", dual %.2e", a->dual_residual);
    fprintf(out, "\n");
}
