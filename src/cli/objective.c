/* cli/objective.c - see objective.h. */
#include "cli/objective.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/file.h"

void objective_words(const objective_args *args, text *t)
{
    if (args->objective == VOUCH_OBJECTIVE_REGRET) return;
    text_add(t, " --objective %s", vouch_objective_text((vouch_objective)args->objective));
    if (args->weights) text_add(t, " --weights ");
    if (args->weights) text_add_quoted(t, args->weights);
}

vouch_status objective_take(const objective_args *args, int K, vouch_plan_options *options, double **weights, vouch_error *error)
{
    int k = 0;
    options->objective = (vouch_objective)args->objective;
    *weights = NULL;
    if (!args->weights) return VOUCH_OK;
    if (options->objective != VOUCH_OBJECTIVE_WEIGHTED)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "--weights has no effect without --objective weighted");
    options->weights = *weights = MEM_ZERO(double, K);
    if (!*weights) return error_memory(error);
    double sum = 0;
    for (const char *at = args->weights;; k++) {
        char *end;
        double w = number_read(at, &end);
        if (end == at || (*end && *end != ',') || !(w >= 0 && isfinite(w)))
            return error_set(error, VOUCH_ERROR_ARGUMENT,
                             "--weights: \"%s\" is not a list of %d nonnegative numbers separated by commas", args->weights, K);
        if (k < K) sum += (*weights)[k] = w;
        if (!*end) break;
        at = end + 1;
    }
    if (k + 1 != K) return error_set(error, VOUCH_ERROR_ARGUMENT, "--weights: %d weights for %d environments", k + 1, K);
    return sum > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_ARGUMENT, "--weights: all are 0; at least one must be positive");
}

int objective_set(const objective_args *args, const vouch_model *m, vouch_plan_options *options, double **weights)
{
    vouch_error error = {0};
    return objective_take(args, vouch_model_environments(m), options, weights, &error) ? cli_wrong("%s", error.text) : 0;
}

const char *objective_noun(vouch_objective objective)
{
    return objective == VOUCH_OBJECTIVE_WEIGHTED ? "weighted value" : "least value";
}
