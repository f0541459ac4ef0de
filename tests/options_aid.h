/* Models of several families and options of planning, drawn at random. */
#ifndef OPTIONS_AID_H
#define OPTIONS_AID_H

#include <stdio.h>
#include <vouch/search.h>

#include "base/rng.h"
#include "oracle/wild.h"
#include "plan_aid.h"
#include "work_aid.h"

static const double weights[] = {1, 0.25, 3, 0, 2, 1, 1, 1};

static inline int pick(rng *r, int n) { return (int)rng_below(r, (uint64_t)n); }

/* Some parts of the search, as vouch_plan_options.without takes them; the text holds until the next call. */
static inline const char *some_parts(rng *r)
{
    static char list[512];
    size_t n = 0;
    list[0] = 0;
    for (int i = 0; i < VOUCH_PART_COUNT; i++)
        if (pick(r, 3) == 0)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? "," : "", vouch_part_describe((vouch_part)i)->word);
    return list;
}

static inline vouch_model *model_of_family(rng *r)
{
    vouch_model *m = NULL;
    int family = pick(r, 4);
    vouch_random_shape shape = {.states = 3 + pick(r, 3),
                                .actions = 2 + pick(r, 2),
                                .environments = 2 + pick(r, 2),
                                .horizon = 3 + pick(r, 2),
                                .probability = 0.2 + 0.15 * pick(r, 4),
                                .branching = 2,
                                .shared_transitions = pick(r, 3) == 0,
                                .seed = (uint64_t)pick(r, 1000)};
    if (family == 0) return wild_model((uint64_t)pick(r, 1000));
    vouch_status status =
        family == 1 ? vouch_generate_corridor(&m, 5 + pick(r, 2), 0.1 * pick(r, 8), NULL) : vouch_generate_random(&m, &shape, NULL);
    return status ? wild_model(shape.seed) : m;
}

static inline void add_error(digest *d, vouch_status status, const vouch_error *error)
{
    add(d, status);
    if (status) add_words(d, error->text, strlen(error->text));
}

static inline vouch_plan_options drawn(rng *r, const vouch_model *m, vouch_method method)
{
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = method;
    o.engine = (vouch_engine)(pick(r, 3) ? VOUCH_ENGINE_AUTO : pick(r, 3));
    o.lookahead = method == VOUCH_METHOD_MILP_CCL || method == VOUCH_METHOD_EXACT_CCL ? pick(r, m->T + 1) : 0;
    if (pick(r, 3) == 0) o.gap = ldexp(1, -pick(r, 20));
    o.objective = (vouch_objective)(pick(r, 2) ? 0 : pick(r, VOUCH_OBJECTIVES));
    if (o.objective == VOUCH_OBJECTIVE_WEIGHTED && pick(r, 2)) o.weights = weights;
    o.least_total_regret = pick(r, 2);
    o.tie_break_work = pick(r, 2) ? 400 : 20;
    if (pick(r, 4) == 0) o.class_limit = 2 + pick(r, 60);
    o.threads = 1 + pick(r, 2);
    o.window = pick(r, 3) ? 0 : 1 + pick(r, 5);
    o.grain = pick(r, 3) ? 0 : 1 + pick(r, 9);
    o.workers = pick(r, 12) == 0;
    o.without = pick(r, 2) ? NULL : some_parts(r);
    o.seed = (uint64_t)pick(r, 3);
    o.restarts = method == VOUCH_METHOD_EXACT_CCL ? 1 + pick(r, 2) : 0;
    o.certify = method == VOUCH_METHOD_EXACT_CCL && pick(r, 3) == 0;
    o.limits.nodes = o.certify ? 1 + pick(r, 8) : pick(r, 3) ? 90 : 1 + pick(r, 12);
    o.limits.iterations = pick(r, 3) ? 4000 : 1 + pick(r, 150);
    return o;
}

#endif
