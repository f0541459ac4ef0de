/* plan/ccil/ccil_sum.c - the values of segments once all are planned: see ccil.c. */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "know/graph.h"
#include "plan/ccil/ccil.h"

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

vouch_status ccil_sum_backwards(vouch_ccil *c)
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
