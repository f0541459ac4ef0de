/* policy/losses.c - see losses.h. O(times * arcs) numbers of 640 bits (exact/process.h). */
#include "policy/losses.h"

#include <float.h>
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mdp/dp.h"
#include "mdp/model.h"
#include "mdp/rescale.h"
#include "mdp/tolerance.h"

/* Most arcs over all times and environments, and most entries of a table over times and pairs. */
static const double MOST_ARCS = 1e6, MOST_TABLE = 2e7;

typedef struct unrolling {
    const vouch_model *m;
    vouch_model *out;
    int *number; /* as in loss_model */
    int *layer;  /* [T + 2] first state of each time */
} unrolling;

static int *numbers_at(const unrolling *u, int t) { return u->number + (size_t)t * (size_t)u->m->S; }

/* Numbers the states that some environment reaches, ascending within each time. */
static void number_states(unrolling *u)
{
    const vouch_model *m = u->m;
    for (size_t i = 0; i < ((size_t)m->T + 1) * (size_t)m->S; i++) u->number[i] = -1;
    numbers_at(u, 0)[m->s0] = 0;
    u->out->S = 0;
    for (int t = 0; t <= m->T; t++) {
        int *now = numbers_at(u, t), *next = now + m->S;
        u->layer[t] = u->out->S;
        for (int s = 0; s < m->S; s++) {
            if (now[s] < 0) continue;
            now[s] = u->out->S++;
            if (t == m->T) continue;
            u->out->pairs += m->pair_start[s + 1] - m->pair_start[s];
            for (int k = 0; k < m->K; k++)
                for (int o = m->env[k].start[m->pair_start[s]]; o < m->env[k].start[m->pair_start[s + 1]]; o++)
                    next[m->env[k].next[o]] = 0;
        }
    }
    u->layer[m->T + 1] = u->out->S;
}

/* States, pairs and names of the view. */
static vouch_status make_states(const unrolling *u)
{
    const vouch_model *m = u->m;
    vouch_model *out = u->out;
    out->pair_start = MEM_NEW(int, out->S + 1);
    out->pair_action = MEM_NEW(int, out->pairs);
    out->of_state = MEM_NEW(int, out->S);
    out->state_name = MEM_NEW(char *, out->S);
    if (!out->pair_start || !out->pair_action || !out->of_state || !out->state_name) return VOUCH_ERROR_MEMORY;
    int used = 0;
    for (int t = 0; t <= m->T; t++)
        for (int s = 0; s < m->S; s++) {
            int number = numbers_at(u, t)[s];
            if (number < 0) continue;
            out->of_state[number] = s;
            out->state_name[number] = m->state_name[s];
            out->pair_start[number] = used;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1] && t < m->T; q++) out->pair_action[used++] = m->pair_action[q];
        }
    out->pair_start[out->S] = used;
    CHECK_COMPARE(used, ==, out->pairs);
    return VOUCH_OK;
}

/* What is paid at the horizon, by rows if m has them. */
static vouch_status make_weights(const unrolling *u)
{
    const vouch_model *m = u->m;
    vouch_model *out = u->out;
    int rows = m->weight ? m->K * m->J : 1;
    out->weights = MEM_ZERO(double, (size_t)rows *(size_t)out->S);
    out->weight = m->weight ? MEM_NEW(double *, rows) : NULL;
    if (!out->weights || (m->weight && !out->weight)) return VOUCH_ERROR_MEMORY;
    for (int r = 0; r < rows; r++) {
        double *to = out->weights + (size_t)r * (size_t)out->S;
        const double *from = m->weight ? m->weight[r] : m->terminal;
        for (int i = u->layer[m->T]; i < out->S; i++) to[i] = from[out->of_state[i]];
        if (m->weight) out->weight[r] = to;
    }
    out->terminal = out->weights;
    return VOUCH_OK;
}

/* Arcs of environment k, and outcome [arcs]: the outcome of m that each is. */
static vouch_status make_arcs(const unrolling *u, int k, int **outcome)
{
    const vouch_model *m = u->m;
    const mdp *from = &m->env[k];
    mdp *to = &u->out->env[k];
    size_t arcs = 0;
    for (int i = 0; i < u->layer[m->T]; i++) {
        int s = u->out->of_state[i];
        arcs += (size_t)(from->start[m->pair_start[s + 1]] - from->start[m->pair_start[s]]);
    }
    *to = (mdp){.start = MEM_NEW(int, u->out->pairs + 1),
                .next = MEM_NEW(int, arcs),
                .prob = MEM_NEW(double, arcs),
                .reward = MEM_NEW(double, arcs),
                .seen = MEM_NEW(int, arcs),
                .expected = MEM_ZERO(double, u->out->pairs), /* 0 where k never comes: exact_losses leaves these out */
                .earned = MEM_NEW(double, u->out->pairs),
                .terminal = m->weight ? u->out->weight[k * m->J] : u->out->terminal,
                .p = from->p};
    *outcome = MEM_NEW(int, arcs);
    if (!to->start || !to->next || !to->prob || !to->reward || !to->seen || !to->expected || !to->earned || !*outcome)
        return VOUCH_ERROR_MEMORY;
    int used = 0, pair = 0;
    for (int t = 0; t < m->T; t++)
        for (int i = u->layer[t]; i < u->layer[t + 1]; i++) {
            int s = u->out->of_state[i];
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                to->earned[pair] = from->expected[q];
                to->start[pair++] = used;
                for (int o = from->start[q]; o < from->start[q + 1]; o++, used++) {
                    to->next[used] = numbers_at(u, t + 1)[from->next[o]];
                    to->prob[used] = from->prob[o];
                    to->seen[used] = from->seen[o];
                    (*outcome)[used] = o;
                }
            }
        }
    to->start[pair] = used;
    return VOUCH_OK;
}

static vouch_status make_environment(const unrolling *u, int k, exact_values *value)
{
    const vouch_model *m = u->m;
    int *outcome = NULL, J = m->J;
    vouch_status status = make_arcs(u, k, &outcome);
    mdp *e = &u->out->env[k];
    double *p = MEM_NEW(double, 2 * (size_t)J), *rest = p + J;
    const double **kept = MEM_NEW(const double *, J);
    if (!p || !kept) status = VOUCH_ERROR_MEMORY;
    for (int j = 0; j < J && !status; j++) {
        p[j] = m->weight ? promise_alone(&model_user(m)->promise[j], k) : e->p;
        rest[j] = m->weight ? promise_rest(&model_user(m)->promise[j], k) : e->p_rest;
        kept[j] = m->weight ? u->out->weight[k * J + j] : e->terminal;
    }
    const exact_layers g = {
        u->out->S, m->env[k].start[m->pairs], u->out->pair_start, e->start, e->next, outcome, m->env[k].prob, m->env[k].reward, J,
        kept};
    const exact_promises promised = {p, rest, -commitment_threshold(0, KEEP_TOLERANCE, m->T)};
    if (!status) status = exact_losses(&g, &promised, e->expected, value);
    MEM_FREE_ALL(outcome, p, kept);
    if (status) return status;
    for (int q = 0; q < u->out->pairs; q++) {
        e->expected[q] = 0 - e->expected[q];
        for (int o = e->start[q]; o < e->start[q + 1]; o++) e->reward[o] = e->expected[q];
    }
    e->optimum_known = isfinite(value->forgone);
    e->optimum = isfinite(value->forgone) ? 0 - value->forgone : NAN;
    return VOUCH_OK;
}

bool loss_model_fits(const vouch_model *m)
{
    double arcs = 0;
    for (int k = 0; k < m->K; k++) arcs += (double)m->T * m->env[k].start[m->pairs];
    return arcs <= MOST_ARCS && (double)m->T * m->T * m->pairs <= MOST_TABLE;
}

vouch_status loss_model_new(const vouch_model *m, loss_model *l)
{
    CHECK(m->finished && m->group == 1);
    *l = (loss_model){0};
    if (!loss_model_fits(m)) return VOUCH_ERROR_SIZE;
    vouch_model *out = &l->m;
    l->S = m->S;
    *out = *m;
    out->rows = NULL;
    out->pairs = 0;
    out->pair_start = out->pair_action = out->of_state = NULL;
    out->state_name = NULL;
    out->weight = NULL;
    out->weights = NULL;
    out->env = MEM_ZERO(mdp, m->K);
    l->number = MEM_NEW(int, ((size_t)m->T + 1) * (size_t)m->S);
    l->value = MEM_NEW(exact_values, m->K);
    unrolling u = {m, out, l->number, MEM_NEW(int, m->T + 2)};
    vouch_status status = out->env && l->number && l->value && u.layer ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    if (!status) number_states(&u);
    if (!status) status = make_states(&u);
    if (!status) status = make_weights(&u);
    out->s0 = 0;
    for (int k = 0; k < m->K && !status; k++) status = make_environment(&u, k, &l->value[k]);
    mem_free(u.layer);
    if (status) loss_model_free(l);
    return status;
}

void loss_model_free(loss_model *l)
{
    vouch_model *m = &l->m;
    for (int k = 0; k < m->K && m->env; k++) mdp_free(&m->env[k]);
    MEM_FREE_ALL(m->env, m->pair_start, m->pair_action, m->of_state, m->state_name, m->weight, m->weights, l->number, l->value);
    *l = (loss_model){0};
}

void loss_model_figures(const loss_model *l, int k, const vouch_environment_figures *by_loss, vouch_environment_figures *out)
{
    const exact_values *v = &l->value[k];
    bool known = isfinite(v->forgone);
    double lost = -by_loss->value, least = known ? v->forgone : -by_loss->optimal_value;
    bool direct_known = known && !isnan(out->value);
    double regret = lost - least, size = lost + least, direct = fabs(v->promised) + fabs(out->value);
    if (direct_known && direct < size) {
        regret = v->promised - out->value;
        size = direct;
    }
    out->regret = fabs(regret) <= 4 * l->m.T * DBL_EPSILON * size ? 0 : regret;
    out->optimal_value = known ? v->promised : v->best - least;
    if (isnan(out->value)) out->value = v->best - lost;
}
