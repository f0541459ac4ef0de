/* policy/evaluate.c - exact figures of a policy from the model and its rules alone, as reported by every planner: one forward pass,
 * O(edges K), for the given rewards (THEORY.md, section 8). */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "exact/number.h"
#include "policy/space.h"

/* ---- precise figures: O(arcs) numbers an environment --------------------------------------------------------------------------
 */

static const double MOST_ARCS = 1e6; /* over all environments, and times of losses */

bool precise_fits(const vouch_model *rows, const know_graph *g, const know_classes *c, double arcs)
{
    if (c && (c->f || c->cut <= g->T)) return false;
    for (int k = 0; k < vouch_model_promises(rows); k++)
        if (vouch_model_promise_is_average(rows, k)) return false;
    return (double)(c ? c->arcs : g->edges) * (rows->K / rows->group) <= arcs;
}

bool precise_is_read(const vouch_model *rows)
{
    bool read = rows->short_numbers;
    for (int r = 0; r < rows->K && read; r++) {
        const mdp *e = &rows->env[r];
        read = exact_is_read(e->p);
        for (int o = 0; o < e->start[rows->pairs] && read; o++) read = exact_is_read(e->prob[o]);
    }
    return read;
}

/* The outcome of row r that an arc of choice `choice` to a node is; -1: it has none. weights: of the class reached (NULL: none). */
static int outcome_of(const vouch_model *rows, const know_graph *g, int r, int choice, int child, const double weights[])
{
    if (!know_in_set(g, g->set[child], r) || (weights && !(weights[r] > 0))) return -1;
    return mdp_outcome(&rows->env[r], g->choice_pair[choice], g->state[child]);
}

/* The process of one environment. */
static exact_process *make_process(const precise_model *x, const know_graph *g, const know_classes *c, int k)
{
    const vouch_model *m = x->rows;
    int r = k * x->J, nodes = c ? c->classes : g->nodes, options = c ? c->slots : g->choices, most = c ? c->arcs : g->edges,
        used = 0;
    const int *from_start = c ? c->arc_start : g->edge_start, *from_to = c ? c->arc_child : g->edge_child;
    int *arc_start = EXACT_NEW(int, options + 1), *arc_to = EXACT_NEW(int, most), *outcome = EXACT_NEW(int, most);
    const double **kept = EXACT_NEW(const double *, x->J);
    for (int o = 0; o < options; o++) {
        arc_start[o] = used;
        for (int a = from_start[o]; a < from_start[o + 1]; a++) {
            int to = from_to[a], node = c ? c->node[to] : to;
            int i = outcome_of(m, g, r, c ? c->slot_option[o] : o, node, c ? know_class_weights(c, to) : NULL);
            if (i < 0) continue;
            arc_to[used] = to;
            outcome[used++] = i;
        }
    }
    arc_start[options] = used;
    for (int j = 0; j < x->J; j++) {
        double *of_node = EXACT_NEW(double, nodes);
        for (int n = 0; n < nodes; n++) of_node[n] = m->env[r + j].terminal[g->state[c ? c->node[n] : n]];
        kept[j] = of_node;
    }
    exact_layers *layers = EXACT_NEW(exact_layers, 1);
    *layers = (exact_layers){nodes,
                             m->env[r].start[m->pairs],
                             c ? c->slot_start : g->choice_start,
                             arc_start,
                             arc_to,
                             outcome,
                             m->env[r].prob,
                             m->env[r].reward,
                             x->J,
                             kept,
                             m->env[r].decimal};
    return exact_process_new(layers);
}

precise_model *precise_new(const vouch_model *rows, const know_graph *g, const know_classes *c, const double p[], double tolerance)
{
    precise_model *x = EXACT_NEW(precise_model, 1);
    int J = rows->group, K = rows->K / J;
    *x = (precise_model){.rows = rows,
                         .K = K,
                         .J = J,
                         .width = 1 + J,
                         .env = EXACT_NEW(exact_process *, K),
                         .least = exact_numbers(K * J),
                         .optimum = exact_numbers(K),
                         .price = exact_numbers(K * J),
                         .feasible = true};
    mpf_t keep;
    mpf_init2(keep, EXACT_BITS);
    mpf_set_d(keep, commitment_threshold(0, tolerance, rows->T));
    for (int k = 0; k < K; k++) {
        mpf_t *least = x->least + k * J;
        x->env[k] = make_process(x, g, NULL, k);
        for (int j = 0; j < J; j++) {
            const mdp *e = &rows->env[k * J + j];
            exact_required(least[j], p ? p[k * J + j] : e->p, p ? 0 : e->p_rest);
            mpf_add(least[j], least[j], keep);
        }
        if (!exact_process_optimum(x->env[k], least, x->optimum[k], x->price + k * J)) x->feasible = false;
        if (c) x->env[k] = make_process(x, g, c, k);
    }
    return x;
}

/* Nearest, not towards 0. */
static double nearest(const mpf_t x)
{
    double d = mpf_get_d(x);
    mpf_t rest;
    mpf_init2(rest, EXACT_BITS);
    mpf_set_d(rest, d);
    mpf_sub(rest, x, rest);
    d += mpf_get_d(rest);
    mpf_clear(rest);
    return d;
}

void precise_set_figures(const precise_model *x, int k, const mpf_t earned, vouch_environment_figures figure[])
{
    for (int r = k * x->J; r < (k + 1) * x->J; r++) {
        figure[r].optimal_value = nearest(x->optimum[k]);
        figure[r].value = nearest(earned);
        /* a - b of environment k to the nearest double, 0 where they differ by rounding alone. */
        const exact_process *p = x->env[k];
        mpf_t apart, tie;
        mpf_init2(apart, EXACT_BITS);
        mpf_init2(tie, EXACT_BITS);
        mpf_sub(apart, x->optimum[k], earned);
        mpf_abs(tie, apart);
        mpf_mul_2exp(tie, tie, EXACT_EQUAL_BITS / 2);
        double d = mpf_cmp(tie, p->size) <= 0 ? 0 : nearest(apart);
        mpf_clear(apart);
        mpf_clear(tie);
        figure[r].regret = d;
    }
}

/* all: the graph of L = 0, for U*; g may have no more than the nodes that the policy reaches. */
static bool run_figures(const know_graph *all, const know_graph *g, const know_classes *c, const double prob[],
                        exact_memory *memory, vouch_environment_figures figure[])
{
    if (setjmp(memory->escape)) return false;
    precise_model *x = precise_new(all->m, all, NULL, NULL, KEEP_TOLERANCE);
    mpf_t *value = exact_numbers(x->width);
    for (int k = 0; k < x->K && x->feasible; k++) {
        x->env[k] = make_process(x, g, c, k);
        exact_process_follow(x->env[k], prob, value);
        precise_set_figures(x, k, value[0], figure);
    }
    return true;
}

/* U*, U and regret of a policy, prob [choices], or [slots] of classes: written to figure [rows], where they are known. Outside of
 * exact memory. ERROR_MEMORY. */
static vouch_status precise_figures(const vouch_model *rows, const know_graph *g, const know_classes *c, const double prob[],
                                    vouch_environment_figures figure[])
{
    know_graph *all;
    exact_memory memory;
    if (!precise_fits(rows, g, c, MOST_ARCS)) return VOUCH_OK;
    if (know_graph_new(rows, 0, NULL, &all, NULL)) return VOUCH_ERROR_MEMORY;
    bool made = true;
    if (precise_fits(rows, all, NULL, MOST_ARCS)) {
        exact_memory_enter(&memory);
        made = run_figures(all, g, c, prob, &memory, figure);
        exact_memory_leave(&memory);
    }
    know_graph_free(all);
    return made ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

/* ---- losses: O(times * arcs) numbers of 640 bits (exact/process.h) ---------------------------------------------------- */

static const double MOST_TABLE = 2e7; /* entries over times and pairs */

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
        kept,      m->env[k].decimal};
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

/* ---- exact figures of a policy from the model and its rules alone, as reported by every planner ----------------------------- */

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
    if (!status && (wide || e.steep)) status = evaluate(policy, model, true, &e, error);
    if (!status) figures_finish(model, out, vouch_model_environments(model));
    return status;
}

/* ---- an agent that follows a policy, decision by decision -----------------------------------------------------------------------
 *
 * The state of an episode is a node of the policy's graph. An observation (action, reward, state) is matched to the outcome of
 * nearest reward in a possible environment, within the tolerance; environments with this outcome remain possible. If plans are
 * followed, the episode tracks their posterior given the actions, which is equivalent to drawing a plan (H. Kuhn 1953). A step
 * costs O(edges of the node * K) per plan. */

struct vouch_episode {
    arena memory; /* of all arrays, itself included */
    const vouch_model *m;
    const vouch_policy *p;
    vouch_policy_graph *graph; /* owned */
    int *node, nodes;          /* [plans + 1] possible nodes, of the same time and state; one unless plans are followed */
    double *mass;              /* [plans + 1] their probabilities */
    int *next_node;            /* [plans + 1] after an observation, as the next */
    double *next_mass;
    rng random;
    int *env, count; /* env: [K]; the first count, ascending, are still possible */
    int *action, actions;
    double *prob; /* action, prob: [A]; the decision here, actions ascending */
    int sampled;
};

static const vouch_policy_node *here(const vouch_episode *e) { return &e->graph->node[e->node[0]]; }
static const policy_rule *rule_at(const vouch_episode *e, int i)
{
    const vouch_policy_node *n = &e->graph->node[e->node[i]];
    return n->rule < 0 ? NULL : &e->p->rules[n->rule];
}

static void add_action(vouch_episode *e, int action, double prob)
{
    int i = e->actions;
    while (i > 0 && e->action[i - 1] > action) i--;
    if (i > 0 && e->action[i - 1] == action) {
        e->prob[i - 1] += prob;
        return;
    }
    for (int j = e->actions++; j > i; j--) {
        e->action[j] = e->action[j - 1];
        e->prob[j] = e->prob[j - 1];
    }
    e->action[i] = action;
    e->prob[i] = prob;
}

static void decide(vouch_episode *e)
{
    e->actions = 0;
    e->sampled = -1;
    for (int n = 0; n < e->nodes; n++) {
        const policy_rule *r = rule_at(e, n);
        for (int i = 0; r && i < r->do_count; i++) add_action(e, r->action[i], e->mass[n] * r->prob[i]);
    }
    if (e->actions == 0) return;
    double u = rng_unit(&e->random);
    int i = 0;
    while (i + 1 < e->actions && u >= e->prob[i]) u -= e->prob[i++];
    e->sampled = e->action[i];
}

vouch_status vouch_episode_new(vouch_episode **out, const vouch_policy *p, const vouch_model *m, uint64_t seed, vouch_error *error)
{
    vouch_policy_graph *graph;
    arena a = {0};
    if (!out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the episode");
    *out = NULL;
    vouch_status status = vouch_policy_graph_new(&graph, p, m, error);
    if (status) return status;
    int nodes = p->plans + 1;
    vouch_episode *e = ARENA_NEW(&a, vouch_episode, 1), made = {.m = m, .p = p, .graph = graph};
    made.node = ARENA_NEW(&a, int, nodes);
    made.mass = ARENA_NEW(&a, double, nodes);
    made.next_node = ARENA_NEW(&a, int, nodes);
    made.next_mass = ARENA_NEW(&a, double, nodes);
    made.env = ARENA_NEW(&a, int, m->K);
    made.action = ARENA_NEW(&a, int, m->A);
    made.prob = ARENA_NEW(&a, double, m->A);
    made.memory = a;
    if (a.failed) {
        vouch_policy_graph_free(graph);
        arena_free(&a);
        return error_memory(error);
    }
    *e = made;
    vouch_episode_restart(e, seed);
    *out = e;
    return VOUCH_OK;
}

void vouch_episode_restart(vouch_episode *e, uint64_t seed)
{
    if (!e) return;
    e->node[0] = 0;
    e->mass[0] = e->nodes = 1;
    e->random = rng_seed(seed);
    e->count = e->m->K;
    for (int k = 0; k < e->m->K; k++) e->env[k] = k;
    decide(e);
}

void vouch_episode_free(vouch_episode *e)
{
    if (!e) return;
    vouch_policy_graph_free(e->graph);
    arena_free(&e->memory);
}

void vouch_episode_decision(const vouch_episode *e, vouch_decision *d)
{
    if (d) *d = (vouch_decision){0};
    if (!e || !d) return;
    CHECK_COMPARE(e->count, >, 0);
    CHECK((e->actions == 0) == vouch_episode_done(e));
    *d = (vouch_decision){.time = here(e)->time,
                          .state = here(e)->state,
                          .environments = e->count,
                          .environment = e->env,
                          .actions = e->actions,
                          .action = e->actions ? e->action : NULL,
                          .probability = e->actions ? e->prob : NULL,
                          .sampled = e->sampled};
}

/* The possible environment with the nearest reward; -1: none within the tolerance. */
static int nearest_environment(const vouch_episode *e, int q, double reward, int state)
{
    int best = -1;
    double distance = INFINITY;
    for (int i = 0; i < e->count && isfinite(reward); i++) {
        const mdp *env = &e->m->env[e->env[i]];
        int o = mdp_outcome(env, q, state);
        if (o < 0 || !observe_close(e->m, env->reward[o], reward) || fabs(env->reward[o] - reward) >= distance) continue;
        distance = fabs(env->reward[o] - reward);
        best = e->env[i];
    }
    return best;
}

/* The edge of a choice at node n to `state` with positive probability in environment k; -1: none. */
static int find_edge(const vouch_episode *e, const vouch_policy_node *n, int choice, int k, int state)
{
    const vouch_policy_graph *g = e->graph;
    for (int i = n->first_edge; i < n->first_edge + n->edges; i++)
        if (g->edge[i].choice == choice && g->node[g->edge[i].to].state == state &&
            g->prob[(size_t)i * (size_t)g->K + (size_t)k] > 0)
            return i;
    return -1;
}

static void add_node(int node[], double mass[], int *nodes, int fresh, double part)
{
    int i = 0;
    while (i < *nodes && node[i] != fresh) i++;
    if (i == *nodes) {
        node[(*nodes)++] = fresh;
        mass[i] = 0;
    }
    mass[i] += part;
}

/* The nodes reached in `state` by the action taken in environment k: next_node, next_mass; returns their number. */
static int find_nodes(vouch_episode *e, int taken, int k, int state)
{
    int nodes = 0, *node = e->next_node;
    double *mass = e->next_mass;
    double sum = 0;
    for (int n = 0; n < e->nodes; n++) {
        const policy_rule *r = rule_at(e, n);
        for (int choice = 0; choice < r->do_count; choice++) {
            double part = e->mass[n] * r->prob[choice];
            int edge = r->action[choice] == taken ? find_edge(e, &e->graph->node[e->node[n]], choice, k, state) : -1;
            if (edge < 0) continue;
            add_node(node, mass, &nodes, e->graph->edge[edge].to, part);
            sum += part;
        }
    }
    for (int i = 0; i < nodes; i++) mass[i] = sum > 0 ? mass[i] / sum : 1.0 / nodes;
    return nodes;
}

vouch_status vouch_episode_observe(vouch_episode *e, int action, double reward, int state, vouch_error *error)
{
    if (!e) return error_null(error);
    const vouch_model *m = e->m;
    int now = here(e)->state;
    if (e->actions == 0) return error_set(error, VOUCH_ERROR_INPUT, "the horizon has been reached");
    if (state < 0 || state >= m->S) return error_set(error, VOUCH_ERROR_INPUT, "there is no such state");
    int choice = 0, taken = action < 0 ? e->sampled : action;
    while (choice < e->actions && e->action[choice] != taken) choice++;
    if (choice == e->actions) return error_set(error, VOUCH_ERROR_INPUT, "the policy does not take this action here");
    int q = model_pair(m, now, taken), next = q < 0 ? -1 : model_successor(m, q, state);
    if (next >= 0) state = next;
    int k = nearest_environment(e, q, model_given(m, reward), state), nodes = k >= 0 ? find_nodes(e, taken, k, state) : 0;
    if (nodes == 0)
        return error_set(
            error, VOUCH_ERROR_INPUT,
            "no environment still possible leads from state \"%.100s\" by action \"%.100s\" to state \"%.100s\" with reward %.10g",
            m->state_name[now], m->action_name[taken], m->state_name[state], reward);
    /* Removes environments without the outcome of pair q in environment k with successor `state`. */
    int seen = e->m->env[k].seen[mdp_outcome(&e->m->env[k], q, state)], count = 0;
    for (int i = 0; i < e->count; i++) {
        const mdp *env = &e->m->env[e->env[i]];
        int o = mdp_outcome(env, q, state);
        if (o >= 0 && env->seen[o] == seen) e->env[count++] = e->env[i];
    }
    CHECK_COMPARE(count, >, 0);
    e->count = count;
    CHECK_COMPARE(e->graph->node[e->next_node[0]].time, ==, here(e)->time + 1);
    MEM_COPY(e->node, e->next_node, nodes);
    MEM_COPY(e->mass, e->next_mass, nodes);
    e->nodes = nodes;
    decide(e);
    return VOUCH_OK;
}

int vouch_episode_done(const vouch_episode *e) { return e && here(e)->time >= e->m->T; }
int vouch_episode_kept(const vouch_episode *e)
{
    if (!e) return 0;
    int kept = 1;
    for (int i = 0; i < e->count && vouch_episode_done(e); i++)
        for (int j = 0; j < e->m->J; j++) kept &= vouch_model_promise_holds(e->m, j, e->env[i], here(e)->state);
    return kept;
}
