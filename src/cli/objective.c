/* cli/objective.c - see objective.h. */
#include "cli/objective.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

int objective_set(const objective_args *args, const vouch_model *m, vouch_plan_options *options, double **weights)
{
    int K = vouch_model_environments(m), k = 0;
    options->objective = (vouch_objective)args->objective;
    *weights = NULL;
    if (!args->weights) return 0;
    if (options->objective != VOUCH_OBJECTIVE_WEIGHTED) return cli_wrong("--weights does nothing without --objective weighted");
    options->weights = *weights = MEM_ZERO(double, K);
    if (!*weights) return cli_wrong("out of memory");
    double sum = 0;
    for (const char *at = args->weights;; k++) {
        char *end;
        double w = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(w >= 0 && isfinite(w)))
            return cli_wrong("--weights: \"%s\" is no list of %d numbers of at least 0, with commas between them", args->weights,
                             K);
        if (k < K) sum += (*weights)[k] = w;
        if (!*end) break;
        at = end + 1;
    }
    if (k + 1 != K) return cli_wrong("--weights: %d weights for %d environments", k + 1, K);
    return sum > 0 ? 0 : cli_wrong("--weights: all are 0; expected one above it");
}

const char *objective_noun(vouch_objective objective)
{
    return objective == VOUCH_OBJECTIVE_WEIGHTED ? "weighted value" : "least value";
}
