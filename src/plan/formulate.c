/* plan/formulate.c - the programs of vouch/program.h from a model alone (THEORY.md, sections 3 and 4).
 *
 * First policy nodes, U*_c(k) and, for forms over them, classes, then the rows and columns of program/program.h. Cost: the graph, K
 * constrained optima, and O(edges K) or O(slots K) entries. Invariant: the program refers to its space, which lives as long.
 */
#include <vouch/program.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/methods.h"
#include "program/program.h"

struct vouch_program {
    vouch_model rows;   /* one environment for each promise */
    policy_space space; /* of the program's columns */
    program *p;
};

/* The program of regrets from `optimal` [K]. */
static vouch_status build(vouch_program *f, vouch_program_form form, const double optimal[])
{
    const policy_space *s = &f->space;
    for (int k = 0; k < s->K; k++) s->p[k] = space_asked(s, k); /* without consequences of the averages */
    program_aim aim = {optimal, s->p, &s->averages, PROGRAM_MAX_REGRET, 0, NULL};
    if (form == VOUCH_PROGRAM_PAPER) return program_paper(s->g, &aim, &f->p);
    if (form == VOUCH_PROGRAM_BILINEAR) return program_bilinear(s->g, &aim, &f->p);
    return program_compact(s->c, &aim, form == VOUCH_PROGRAM_COMPACT, &f->p);
}

/* The program of values. The first row of an environment carries its weight. */
static vouch_status build_value(vouch_program *f, vouch_program_form form, const vouch_program_aim *aim)
{
    const vouch_model *m = &f->rows;
    double *optimal = MEM_ZERO(double, m->K), *weight = MEM_ZERO(double, m->K);
    vouch_status status = optimal && weight ? build(f, form, optimal) : VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K && !status; k += m->group) weight[k] = aim->weights ? aim->weights[k / m->group] : 1;
    if (!status) status = program_value(f->p, aim->objective == VOUCH_OBJECTIVE_WEIGHTED ? weight : NULL);
    mem_free(optimal);
    mem_free(weight);
    return status;
}

static vouch_status make(vouch_program *f, const vouch_model *m, vouch_program_form form, int L, const vouch_program_aim *aim,
                         vouch_error *error)
{
    space_options o = space_options_for(form == VOUCH_PROGRAM_HISTORY ? m->T : L);
    o.classes = form == VOUCH_PROGRAM_COMPACT || form == VOUCH_PROGRAM_HISTORY;
    if (model_rows(m, &f->rows)) return error_memory(error);
    m = &f->rows;
    vouch_status status = space_make(m, &o, &f->space, error);
    for (int k = 0; !status && k < m->K; k++)
        if (!isfinite(f->space.optimal[k]))
            return error_set(
                error, VOUCH_ERROR_INPUT,
                "infeasible: environment \"%.200s\" alone cannot keep the commitment, so its optimal value does not exist",
                m->env_name[k]);
    if (status) return status;
    bool regret = aim->objective == VOUCH_OBJECTIVE_REGRET;
    status = regret ? build(f, form, f->space.optimal) : build_value(f, form, aim);
    if (!status) status = program_set_names(f->p);
    return status ? error_set(error, status, "%s", vouch_status_text(status)) : VOUCH_OK;
}

vouch_status vouch_program_new(vouch_program **out, const vouch_model *m, vouch_program_form form, int lookahead,
                               vouch_error *error)
{
    return vouch_program_new_for(out, m, form, lookahead, NULL, error);
}

vouch_status vouch_program_new_for(vouch_program **out, const vouch_model *m, vouch_program_form form, int lookahead,
                                   const vouch_program_aim *aim, vouch_error *error)
{
    int number = (int)form; /* an enum may hold anything */
    if (!out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the program");
    *out = NULL;
    vouch_status status = check_model(m, error);
    if (status) return status;
    if (number < VOUCH_PROGRAM_PAPER || number > VOUCH_PROGRAM_BILINEAR)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no form %d; expected %d .. %d", number, VOUCH_PROGRAM_PAPER,
                         VOUCH_PROGRAM_BILINEAR);
    status = check_lookahead(lookahead, 0, m, error);
    vouch_plan_options o = {.objective = aim ? aim->objective : VOUCH_OBJECTIVE_REGRET, .weights = aim ? aim->weights : NULL};
    if (!status) status = check_objective(&o, m, error);
    if (status) return status;
    double *prior = NULL;
    vouch_program *f = MEM_ZERO(vouch_program, 1);
    if (!f || plan_prior_weights(m, &o, &prior)) {
        vouch_program_free(f);
        return error_memory(error);
    }
    status = make(f, m, form, lookahead, &(vouch_program_aim){o.objective, o.weights}, error);
    mem_free(prior);
    if (status)
        vouch_program_free(f);
    else
        *out = f;
    return status;
}

void vouch_program_free(vouch_program *f)
{
    if (!f) return;
    program_free(f->p);
    space_free(&f->space);
    model_view_free(&f->rows);
    mem_free(f);
}

const vouch_lp *vouch_program_lp(const vouch_program *f) { return f ? f->p->lp : NULL; }

int vouch_program_products(const vouch_program *f, const vouch_lp_product **product)
{
    if (!f || !product) return 0;
    CHECK(f->p->kind == PROGRAM_BILINEAR || f->p->products == 0);
    for (int i = 1; i < f->p->products; i++) CHECK_COMPARE(f->p->product[i - 1].row, <=, f->p->product[i].row);
    *product = f->p->product;
    return f->p->products;
}
