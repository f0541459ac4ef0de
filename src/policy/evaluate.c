/* policy/evaluate.c - exact figures of a policy from the model and its rules alone, as reported by every planner: one forward pass,
 * O(edges K), for the given rewards (THEORY.md, section 8).
 */
#include "base/error.h"
#include "base/memory.h"
#include "mdp/rescale.h"
#include "mdp/views.h"
#include "policy/policy.h"
#include "policy/precise.h"
#include "policy/space.h"

vouch_status vouch_policy_evaluate(const vouch_policy *policy, const vouch_model *model, vouch_environment_figures out[], int *kept,
                                   vouch_error *error)
{
    return vouch_policy_evaluate_promises(policy, model, out, NULL, kept, error);
}

typedef struct evaluation {
    vouch_environment_figures *figures; /* [environments] */
    double *commitments;                /* as in vouch_policy_evaluate_promises */
    int kept;
    bool steep; /* the rounding of a promise's probability is visible in U* */
} evaluation;

/* precise: in 640 bits if the model fits, on policy nodes for the given rewards, since rescaled ones may make twins of choices. */
static vouch_status evaluate(const vouch_policy *policy, const vouch_model *model, bool precise, evaluation *out,
                             vouch_error *error)
{
    vouch_model rescaled;
    vouch_status status;
    if (precise ? model_rows(model, &rescaled) : model_rescaled(model, &(rescale_options){0}, &rescaled))
        return error_memory(error);
    const vouch_model *m = &rescaled;
    policy_space space;
    int bare;
    vouch_environment_figures *row = MEM_NEW(vouch_environment_figures, m->K);
    double *prob, *reach = NULL, *U = MEM_NEW(double, 2 * m->K), *Pr = U ? U + m->K : NULL;
    status = space_of_policy(m, policy, &space, &prob, error);
    if (!status &&
        (!U || !row || space_use_given(&space) || !(reach = space_propagate(&space, prob, space.c != NULL, U, Pr, &bare))))
        status = error_memory(error);
    if (!status && bare >= 0) status = rules_missing(m, know_time(space.g, bare), space.g->state[bare], error);
    if (!status) {
        figures_of_model(m, space.optimal, U, Pr, row);
        if (precise && !space.plans && precise_figures(m, space.g, space.c, prob, row)) status = error_memory(error);
    }
    if (!status) {
        figures_merge(m, row, out->figures, out->commitments);
        out->kept = space_kept(&space, Pr, NULL);
        out->steep = space.steep * m->scale.spread > UNSEEN_LEAST;
    }
    MEM_FREE_ALL(U, row, prob, reach);
    space_free(&space);
    if (precise)
        model_view_free(&rescaled);
    else
        model_rescaled_free(&rescaled);
    return status;
}

vouch_status policy_precise_figures(const vouch_policy *policy, const vouch_model *model, vouch_environment_figures out[],
                                    vouch_error *error)
{
    return evaluate(policy, model, true, &(evaluation){.figures = out}, error);
}

vouch_status vouch_policy_evaluate_promises(const vouch_policy *policy, const vouch_model *model, vouch_environment_figures out[],
                                            double commitments[], int *kept, vouch_error *error)
{
    if (!policy || !out || !kept) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no policy, or no place for the answer");
    *kept = 0;
    bool wide = false;
    evaluation e = {.figures = out, .commitments = commitments};
    vouch_status status = check_model(model, error);
    if (!status) status = evaluate(policy, model, false, &e, error);
    *kept = !status && e.kept;
    if (!status && model_is_wide(model, false, &wide)) return error_memory(error);
    return status || !(wide || e.steep) ? status : evaluate(policy, model, true, &e, error);
}
