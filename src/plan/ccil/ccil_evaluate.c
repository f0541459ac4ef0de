/* plan/ccil/ccil_evaluate.c - the public calls that plan and evaluate: the root, then every segment that can be reached, and the
 * figures of what is done then. Rewards are rescaled (mdp/model.h): where a plan collects one that was raised to a floor, all is
 * planned again with a lower floor. */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/ccil/ccil.h"
#include "policy/parameters.h"

/* U of the steps of a segment's plan with the rewards given, above the origin of each environment, or earned: of wide rewards
 * (mdp/model.h) those planned with have lost digits. *status: ERROR_MEMORY. */
static void sum_steps(segment *seg, bool earned, double U[], vouch_status *status)
{
    know_graph *g = seg->g;
    size_t K = (size_t)seg->count, count = (size_t)seg->view.pairs * K;
    double *planned = MEM_NEW(double, count), *reach = MEM_NEW(double, (size_t)g->nodes *K), *pr = MEM_NEW(double, K);
    if (planned && reach && pr) {
        MEM_COPY(planned, g->reward, count);
        for (size_t i = 0; i < count; i++) {
            const mdp *e = &seg->view.env[i % K];
            g->reward[i] = (earned ? e->earned : e->given)[i / K];
        }
        propagate_forward(g, seg->prob, reach, U, pr);
        MEM_COPY(g->reward, planned, count);
    } else {
        *status = VOUCH_ERROR_MEMORY;
    }
    MEM_FREE_ALL(planned, reach, pr);
}

/* V of one segment from those of its exits; place [K]: scratch, of environment k in the child. */
static void sum_segment(const vouch_ccil *c, segment *seg, int place[], vouch_status *status)
{
    const reward_scale *scale = &c->m->scale;
    int left = c->m->T - seg->time;
    for (int k = 0; k < seg->count; k++) {
        seg->adaptive_U[k] = seg->g ? seg->reward[k] : seg->in_force_U[k];
        seg->adaptive_Pr[k] = seg->g ? 0 : seg->in_force_Pr[k];
        if (c->losses.value)
            seg->adaptive_U[k] = scale->spread * seg->adaptive_U[k] + left * (scale->least - c->m->env[seg->env[k]].origin);
    }
    for (int k = 0; k < seg->count; k++) seg->adaptive_earned[k] = NAN;
    if (c->losses.value && seg->g) {
        sum_steps(seg, false, seg->adaptive_U, status);
        sum_steps(seg, true, seg->adaptive_earned, status);
    }
    for (int e = 0; e < seg->exits; e++) {
        const segment_exit *x = &seg->exit[e];
        if (x->child < 0) { /* the horizon */
            for (int k = 0; k < seg->count; k++) seg->adaptive_Pr[k] += x->reach[k] * know_terminal(seg->g, x->node, k);
            continue;
        }
        const segment *child = c->segment[x->child];
        CHECK_COMPARE(child->depth, ==, seg->depth + 1);
        for (int j = 0; j < child->count; j++) place[child->env[j]] = j;
        for (int k = 0; k < seg->count; k++) {
            if (x->reach[k] <= 0) continue;
            CHECK_COMPARE(child->env[place[seg->env[k]]], ==, seg->env[k]);
            seg->adaptive_U[k] += x->reach[k] * child->adaptive_U[place[seg->env[k]]];
            seg->adaptive_earned[k] += x->reach[k] * child->adaptive_earned[place[seg->env[k]]];
            seg->adaptive_Pr[k] += x->reach[k] * child->adaptive_Pr[place[seg->env[k]]];
        }
    }
}

/* Counts the segments without a plan, and how probable it is to come to one. arrive [segments * K]: zeros. */
static void find_missing(vouch_ccil *c, int deepest, double arrive[])
{
    size_t K = (size_t)c->m->K;
    c->missing = 0;
    c->missing_probability = 0;
    for (size_t k = 0; k < K; k++) arrive[k] = 1;
    for (int depth = 0; depth <= deepest; depth++)
        for (int i = 0; i < c->segments; i++) {
            const segment *seg = c->segment[i];
            if (seg->depth != depth) continue;
            c->missing += !seg->g;
            for (int e = 0; e < seg->exits; e++)
                for (int k = 0; k < seg->count && seg->exit[e].child >= 0; k++)
                    arrive[(size_t)seg->exit[e].child * K + (size_t)seg->env[k]] +=
                        arrive[(size_t)i * K + (size_t)seg->env[k]] * seg->exit[e].reach[k];
        }
    for (size_t k = 0; k < K; k++) {
        double sum = 0;
        for (int i = 0; i < c->segments; i++)
            if (!c->segment[i]->g) sum += arrive[(size_t)i * K + k];
        c->missing_probability = fmax(c->missing_probability, sum);
    }
}

/* V of every segment, the last ones first, and what is missing. ERROR_MEMORY. */
static vouch_status ccil_sum_backwards(vouch_ccil *c)
{
    int deepest = 0, K = c->m->K;
    for (int i = 0; i < c->segments; i++)
        if (c->segment[i]->depth > deepest) deepest = c->segment[i]->depth;
    int *place = MEM_NEW(int, K);
    double *arrive = MEM_ZERO(double, (size_t)c->segments *(size_t)K);
    vouch_status status = place && arrive ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int depth = deepest; depth >= 0 && !status; depth--)
        for (int i = 0; i < c->segments; i++)
            if (c->segment[i]->depth == depth) sum_segment(c, c->segment[i], place, &status);
    if (!status) find_missing(c, deepest, arrive);
    mem_free(place);
    mem_free(arrive);
    return status;
}

enum { BATCH = 64 }; /* segments planned between two looks at the budget */

static vouch_status segment_collects_raised(const segment *seg, bool *collects)
{
    const know_graph *g = seg->g;
    size_t K = (size_t)seg->count;
    double *reach = MEM_NEW(double, (size_t)g->nodes *K), *U = MEM_NEW(double, 2 * K);
    vouch_status status = reach && U ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    if (!status) propagate_forward(g, seg->prob, reach, U, U + K);
    for (int n = 0; n < g->time_start[g->T] && !status && !*collects; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (size_t k = 0; k < K && seg->prob[c] > 0; k++) {
                const mdp *e = &seg->view.env[k];
                *collects |= reach[(size_t)n * K + k] > 0 && e->origin + e->given[g->choice_pair[c]] < seg->view.scale.least;
            }
    mem_free(reach);
    mem_free(U);
    return status;
}

static vouch_status collects_raised(const vouch_ccil *c, bool *collects)
{
    vouch_status status = VOUCH_OK;
    *collects = false;
    for (int i = 0; i < c->segments && c->rescaled.scale.raised && !status && !*collects; i++)
        if (c->segment[i]->g) status = segment_collects_raised(c->segment[i], collects);
    return status;
}

/* given: U is above the origin of each environment, of the rewards given; else of those planned with. earned: as of the root. */
static void set_figures(vouch_ccil *c, bool given, const double U[], const double Pr[], const double earned[])
{
    const segment *root = c->segment[0];
    double spread = c->m->scale.spread, paid = c->m->T * c->m->scale.least;
    c->max_regret = c->total_regret = NAN;
    if (root->g) {
        c->max_regret = -INFINITY;
        c->total_regret = 0;
    }
    for (int k = 0; k < c->m->K; k++) {
        double regret = spread * (root->optimal[k] - U[k]),
               value = given ? c->m->T * c->m->env[k].origin + U[k] : paid + spread * U[k];
        CHECK(!root->g || (isfinite(U[k]) && Pr[k] >= 0));
        c->figures[k] = (vouch_environment_figures){paid + spread * root->optimal[k], value, regret, Pr[k]};
        if (!root->g) continue;
        if (c->losses.value) {
            const vouch_environment_figures by_loss = c->figures[k];
            int of = k / c->m->group;
            c->figures[k].value = earned[k];
            loss_model_figures(&c->losses, of, &by_loss, &c->figures[k]);
        }
        c->max_regret = fmax(c->max_regret, c->figures[k].regret);
        if (k % c->m->group == 0) c->total_regret += c->figures[k].regret;
    }
    figures_merge(c->m, c->figures, c->figures, c->commitments);
    figures_finish(c->m, c->figures, c->m->K / c->m->group);
}

static vouch_status begin(const vouch_model *m, const vouch_ccil_options *options, int attempt, vouch_ccil **out,
                          vouch_error *error)
{
    vouch_ccil *c = NULL;
    bool again = true;
    vouch_status status = VOUCH_OK;
    for (; !status && again; attempt++) {
        vouch_ccil_free(c);
        status = ccil_start(m, options, &(rescale_options){.floors = attempt >= 0, .attempt = attempt}, &c, error);
        if (status) return status;
        c->limit = deadline_start(&options->plan.limits);
        status = ccil_plan_segments(c, (int[]){0}, 1, &(ccil_budget){&c->limit, TIME.ccil_root, NULL}, error);
        again = false;
        if (!status && collects_raised(c, &again)) status = error_memory(error);
    }
    if (status) {
        vouch_ccil_free(c);
        return status;
    }
    const segment *root = c->segment[0];
    bool given = c->losses.value && c->m->env[0].given;
    set_figures(c, given, given ? root->given_U : root->U, root->Pr, root->earned);
    c->first_regret = c->max_regret;
    *out = c;
    return VOUCH_OK;
}

/* *c begun again with a lower floor. */
static vouch_status begin_lower(vouch_ccil *c, vouch_error *error)
{
    vouch_ccil *fresh = NULL;
    vouch_status status = begin(c->given, &c->options, c->attempt + 1, &fresh, error);
    if (status) return status;
    vouch_ccil old = *c;
    *c = *fresh;
    c->m = &c->rescaled;
    c->limit = old.limit;
    *fresh = old;
    vouch_ccil_free(fresh);
    return VOUCH_OK;
}

/* May rounding show in the figures, which were summed without floors? */
static vouch_status shows_rounding(const vouch_ccil *c, bool *shows)
{
    *shows = false;
    if (c->attempt >= 0 || !c->segment[0]->g) return VOUCH_OK;
    vouch_status status = model_is_wide(c->given, false, shows);
    *shows |= c->segment[0]->steep * c->m->scale.spread > UNSEEN_LEAST;
    return status;
}

vouch_status vouch_ccil_new(vouch_ccil **out, const vouch_model *m, const vouch_ccil_options *options, vouch_error *error)
{
    vouch_ccil_options own;
    if (!out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the result");
    *out = NULL;
    if (!options) {
        vouch_ccil_options_init(&own);
        options = &own;
    }
    double began = clock_seconds();
    vouch_ccil *c;
    bool shows = true;
    vouch_status status = begin(m, options, -1, &c, error);
    if (status) return status;
    while (shows && !status) {
        if (shows_rounding(c, &shows)) status = error_memory(error);
        if (shows && !status) status = begin_lower(c, error);
    }
    if (status) {
        vouch_ccil_free(c);
        return status;
    }
    *out = c;
    (*out)->seconds = clock_seconds() - began;
    return VOUCH_OK;
}

static void report(const vouch_ccil *c)
{
    if (c->options.progress)
        c->options.progress(c->options.progress_context, clock_seconds() - c->limit.start, c->programs, c->segments,
                            "planning again");
}

static vouch_status evaluate(vouch_ccil *c, vouch_error *error)
{
    int which[BATCH], most = (c->m->T + c->options.plan.lookahead - 1) / c->options.plan.lookahead;
    long long budget = c->options.program_limit;
    pool *threads = c->options.plan.threads > 1 ? pool_new(c->options.plan.threads) : NULL;
    vouch_status status = VOUCH_OK;
    bool over = false;
    for (int depth = 0; depth < most && !status && !over; depth++)
        for (int i = 0; i < c->segments && !status && !over;) {
            int count = 0;
            while (i < c->segments && count < BATCH && (budget <= 0 || c->programs + count < budget)) {
                if (c->segment[i]->depth == depth && !c->segment[i]->planned) which[count++] = i;
                i++;
            }
            over = deadline_expired(&c->limit) || (budget > 0 && c->programs + count >= budget && i < c->segments);
            if (count && !deadline_expired(&c->limit))
                status = ccil_plan_segments(c, which, count, &(ccil_budget){&c->limit, TIME.ccil, threads}, error);
            report(c);
        }
    pool_free(threads);
    if (!status && ccil_sum_backwards(c)) status = error_memory(error);
    return status;
}

vouch_status vouch_ccil_evaluate(vouch_ccil *c, vouch_error *error)
{
    if (!c) return error_null(error);
    if (!c->segment[0]->g) return VOUCH_OK;
    double began = clock_seconds();
    vouch_status status = VOUCH_OK;
    for (bool again = true; !status && again;) {
        status = evaluate(c, error);
        if (status) break;
        const segment *root = c->segment[0];
        set_figures(c, c->losses.value != NULL, root->adaptive_U, root->adaptive_Pr, root->adaptive_earned);
        if (collects_raised(c, &again) || (!again && shows_rounding(c, &again))) status = error_memory(error);
        if (!status && again) status = begin_lower(c, error);
    }
    if (status) return status;
    c->evaluated = true;
    c->seconds += clock_seconds() - began;
    return VOUCH_OK;
}
