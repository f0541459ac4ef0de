/* policy/space.c - see space.h.
 *
 *     threshold(k) = p(k) - tolerance - rounding/2,  optimal(k) = U*_c(k; threshold),  accepted(k) = p(k) - tolerance - rounding
 *
 * So no accepted policy has negative regret, and bounds are valid for every policy whose Pr(k), summed in doubles, is at least
 * accepted(k) (THEORY.md, section 8). The optimal policy for one environment alone is planned for p itself. Invariant: accepted <
 * threshold < p; late implies neither classes nor Pareto sets. */
#include "policy/space.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

static const long long MOST_NODES = 2000000, MOST_EDGES = 40000000; /* limits of a graph, for memory */
static const double MOST_EDGE_CHOICES = 5e7;                        /* stored for U*_c, 4 bytes each */
static const double STEEP_LEAST = 0x1p-48;     /* accuracy of the change of U*_c from p to its threshold, scaled rewards */
static const double EVALUATION_SECONDS = 3e-8; /* per node and environment, at most, in untouched memory */
enum { EVALUATIONS = 4 };                      /* after classes: a first policy in three arrays, and the final one */
static const double MASS_ROUNDING = 1e-12;     /* smaller action probabilities are rounding of a mixture's weights */

space_options space_options_for(int L)
{
    return (space_options){.L = L, .class_limit = SPACE_CLASSES, .classes = 1, .tolerance = KEEP_TOLERANCE};
}

/* share: the normalised weight of each environment, at the first of its rows. */
static void share_weights(const vouch_model *m, const double weights[], double share[])
{
    double sum = 0;
    for (int k = 0; k < m->K; k += m->group) sum += share[k] = weights ? weights[k / m->group] : 1;
    for (int k = 0; k < m->K; k += m->group) share[k] /= sum;
}

/* U*_c of row k at p and at the threshold. */
static vouch_status find_optimum(policy_space *space, int k, const deadline *limit, dp_optima *found)
{
    const double *low = space->low, *p = low + space->K;
    if (!space->edge || (limit && deadline_expired(limit))) return dp_optima_within(space->m, k, p, low, limit, found);
    dp_promise c = {.p = p[k], .low = low[k], .limit = limit, .keep = &space->edge[k]};
    return dp_constrained_within(space->m, k, c, found);
}

/* The fall of U*_c of row k if the thresholds of its environment rise by one rounding. U*_c is concave in them, so this bounds its
 * rise if they fall as much. (The fall up to p is no substitute: p may be infeasible.) */
static vouch_status find_steep(const policy_space *space, int k, const dp_optima *found, double *steep)
{
    const vouch_model *m = space->m;
    *steep = fmax(0, found->at_low - found->value);
    if (found->at_low >= found->value && *steep <= STEEP_LEAST) return VOUCH_OK; /* else p is infeasible */
    double *high = MEM_NEW(double, m->K);
    dp_optima higher;
    if (!high) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < m->K; i++) high[i] = space->low[i] + commitment_rounding(m->T);
    vouch_status status = dp_optima_within(m, k, high, high, NULL, &higher);
    mem_free(high);
    if (!status && isfinite(higher.value)) *steep = fmax(0, found->at_low - higher.value);
    return status;
}

static vouch_status find_optima(policy_space *space, const space_options *options)
{
    const vouch_model *m = space->m;
    const deadline *limit = options->optima;
    const double *most = options->most;
    double since = clock_seconds();
    for (int k = 0; k < m->K; k++) {
        if (k % m->group > 0) { /* of the same environment as the row before */
            space->optimal[k] = space->optimal[k - 1];
        } else {
            dp_optima found = {.value = most ? most[k] : 0, .known = false};
            bool exact = m->env[k].optimum_known && !options->p;
            bool over = most && limit && deadline_expired(limit);
            vouch_status status = over ? VOUCH_OK : find_optimum(space, k, limit, &found);
            if (status) return status;
            if (options->on_optimum && found.known) options->on_optimum(options->context, k / m->group + 1);
            space->optimal[k] = found.known && isfinite(found.value) ? found.at_low : found.value; /* bounds hold for both */
            space->late |= !found.known;
            double steep = 0;
            if (found.known && isfinite(found.value)) status = find_steep(space, k, &found, &steep);
            if (status) return status;
            space->steep = fmax(space->steep, steep);
            if (exact) space->optimal[k] = (m->env[k].optimum - m->T * m->scale.least) / m->scale.spread;
        }
        CHECK(space->accepted[k] < space->p[k] && space->low[k] < space->p[k] + space->tolerance);
        if (space->objective == VOUCH_OBJECTIVE_MAX_MIN && isfinite(space->optimal[k]))
            space->optimal[k] = m->T; /* rewards are at most 1 */
    }
    space->seconds = clock_seconds() - since;
    return VOUCH_OK;
}

static void take_optima(policy_space *space, const policy_space *from)
{
    CHECK(space->K == from->K && space->objective == from->objective);
    MEM_COPY(space->optimal, from->optimal, space->K);
    space->steep = from->steep;
    space->late = from->late;
    space->known_edge = from->known_edge;
}

/* Allocates edges, for models with one promise that are not too large. */
static vouch_status make_edges(policy_space *space)
{
    const vouch_model *m = space->m;
    if (m->group > 1 || 2.0 * m->K * m->T * m->S > MOST_EDGE_CHOICES) return VOUCH_OK;
    space->known_edge = space->edge = MEM_ZERO(dp_edge, m->K);
    return space->edge ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

vouch_status space_alone(const policy_space *space, int k, double prob[])
{
    double value;
    if (space->known_edge && space->known_edge[k].right) return dp_edge_policy(space->m, k, &space->known_edge[k], prob);
    return dp_optimum(space->m, k, space->low + space->K, &value, prob);
}

static double evaluation_seconds(const policy_space *space) { return EVALUATION_SECONDS * (double)space->g->nodes * space->K; }

/* The deadline of classes, earlier by the evaluations after them. */
static deadline classes_end(const policy_space *space, const deadline *end)
{
    deadline early = *end;
    double *seconds = &early.limits.seconds;
    if (*seconds > 0) *seconds = fmax(DBL_MIN, *seconds - EVALUATIONS * evaluation_seconds(space));
    return early;
}

vouch_status space_detail(policy_space *space, const space_options *options, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    CHECK(!space->f && !space->c);
    if (options->pareto_cap > 0 && !space->late) {
        status = pareto_new(space->g, options->pareto_cap, space->accepted, options->for_root, options->detail, &space->f);
        if (status) return error_memory(error);
        if (options->for_root && space->f->count[0] < 0) {
            pareto_free(space->f);
            space->f = NULL;
        }
    }
    if (options->classes && !space->late) {
        deadline end = options->end ? classes_end(space, options->end) : (deadline){0};
        class_limits limits = {options->class_limit, options->detail, options->end ? &end : NULL};
        status = know_classes_new(space->g, space->f, &limits, &space->c, error);
    }
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
}

static vouch_status take_promises(policy_space *space, const space_options *options)
{
    const vouch_model *m = space->m;
    promise_averages *of = &space->averages;
    int K = m->K;
    vouch_status status = VOUCH_OK;
    if (options->averages)
        status = averages_copy(options->averages, K, of);
    else if (!options->p)
        status = averages_of(m, of);
    space->promises = K + of->count;
    space->p = ARENA_NEW(&space->memory, double, space->promises);
    space->accepted = ARENA_NEW(&space->memory, double, space->promises);
    space->low = ARENA_NEW(&space->memory, double, 2 * K);
    double *most = ARENA_NEW(&space->memory, double, K), rounding = commitment_rounding(m->T);
    if (status || space->memory.failed) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < K; k++) space->p[k] = options->p ? options->p[k] : m->env[k].p;
    for (int k = 0; k < K && of->count > 0 && !status; k++) {
        double best = dp_best_probability(m, k);
        if (best < 0) status = VOUCH_ERROR_MEMORY;
        most[k] = best + rounding;
    }
    for (int a = 0; a < of->count && !status; a++) {
        space->p[K + a] = of->p[a];
        for (int k = 0; k < K; k++)
            space->p[k] = fmax(space->p[k], average_implied(of, a, k, K, most, options->tolerance + rounding));
    }
    for (int i = 0; i < space->promises; i++) {
        double sum = i < K ? 0 : average_rounding(K);
        space->accepted[i] = space->p[i] - options->tolerance - rounding - sum;
    }
    for (int k = 0; k < K; k++) {
        space->low[K + k] = space_asked(space, k);
        space->low[k] = commitment_threshold(space->low[K + k], space->tolerance, m->T);
    }
    return status;
}

vouch_status space_make(const vouch_model *m, const space_options *options, policy_space *space, vouch_error *error)
{
    *space = (policy_space){0};
    vouch_status status = model_fits(m, error);
    if (status) return status;
    *space = (policy_space){
        .m = m, .K = m->K, .tolerance = options->tolerance, .objective = options->objective, .weights = options->weights};
    space->enough = options->enough;
    space->cutoff = options->cutoff;
    space->optimal = ARENA_NEW(&space->memory, double, m->K);
    if (options->floor) space->floor = ARENA_NEW(&space->memory, double, m->K);
    if (space->objective == VOUCH_OBJECTIVE_WEIGHTED) space->share = ARENA_ZERO(&space->memory, double, m->K);
    status = take_promises(space, options);
    if (!status && space->share) share_weights(m, options->weights, space->share);
    if (!status && space->floor) MEM_COPY(space->floor, options->floor, m->K);
    if (status) error_memory(error);
    know_limits limits = {.nodes = MOST_NODES, .edges = MOST_EDGES, .time = options->limit};
    if (!status) status = know_graph_new(m, options->L, options->graph ? options->graph : &limits, &space->g, error);
    if (!status && options->alike)
        take_optima(space, options->alike);
    else if (!status && ((options->keep_edges && make_edges(space)) || find_optima(space, options)))
        status = error_memory(error);
    if (!status) space->rounding = m->T * TOL_STEP * know_reward_spread(space->g);
    space->tie = rescaled_tie(m) + 2 * space->rounding;
    if (!status) space->seconds += evaluation_seconds(space);
    if (!status) status = space_detail(space, options, error);
    if (status) space_free(space);
    return status;
}

/* The optimum from a known edge, whose rewards differed in the last digits. */
static vouch_status optimum_from(const vouch_model *m, int k, double p, const dp_edge *edge, double *value)
{
    dp_optima found;
    vouch_status status = dp_constrained_within(m, k, (dp_promise){.p = p, .low = p, .from = edge}, &found);
    *value = found.value;
    return status;
}

vouch_status space_use_given(policy_space *space)
{
    const vouch_model *m = space->m;
    if (!m->env[0].given) return VOUCH_OK;
    vouch_model given;
    const double *low = space->low;
    vouch_status status = rescaled_given(m, &given);
    for (int k = 0; k < m->K && !status; k++)
        for (int q = 0; q < m->pairs; q++) space->g->reward[(size_t)q * (size_t)m->K + (size_t)k] = m->env[k].given[q];
    for (int k = 0; k < m->K && !status; k++) {
        if (!space->late && !isfinite(space->optimal[k])) continue;
        if (k % m->group > 0) /* of the same environment as the row before */
            space->optimal[k] = space->optimal[k - 1];
        else if (m->env[k].optimum_known && !space->late)
            space->optimal[k] = m->env[k].optimum - m->T * m->env[k].origin;
        else if (!space->late && space->known_edge && space->known_edge[k].right)
            status = optimum_from(&given, k, low[k], &space->known_edge[k], &space->optimal[k]);
        else if (!space->late)
            status = dp_optimum(&given, k, low, &space->optimal[k], NULL);
        else if (isnan(space->optimal[k] = dp_most_value(&given, k)))
            status = VOUCH_ERROR_MEMORY;
    }
    rescaled_given_free(&given);
    return status;
}

option_range options_of(const policy_space *space, int node)
{
    const know_graph *g = space->g;
    const pareto_sets *f = space->f;
    if (!f || node >= g->time_start[g->L + 1] || f->count[node] < 0)
        return (option_range){g->choice_start[node], g->choice_start[node + 1], false};
    int first = g->choices + f->start[node];
    return (option_range){first, first + f->count[node], true};
}

void space_drop_detail(policy_space *space)
{
    know_classes_free(space->c);
    pareto_free(space->f);
    space->c = NULL;
    space->f = NULL;
}

void space_free(policy_space *space)
{
    for (int k = 0; k < space->K && space->edge; k++) dp_edge_free(&space->edge[k]);
    mem_free(space->edge);
    space_drop_detail(space);
    class_plans_free(space->plans);
    know_graph_free(space->g);
    averages_free(&space->averages);
    arena_free(&space->memory);
    *space = (policy_space){0};
}

static vouch_status space_of_rules(const vouch_model *m, const vouch_policy *policy, const space_options *options,
                                   policy_space *space, double **prob, vouch_error *error)
{
    bool history = policy->rules[0].kind == VOUCH_RULE_LIKELIHOOD;
    vouch_status status = space_make(m, options, space, error);
    if (!status && history) {
        status = rules_to_reached(policy, space->g, HISTORY_CLASSES, &space->c, prob, &space->plans, error);
        if (status == VOUCH_ERROR_SIZE)
            error_set(error, VOUCH_ERROR_SIZE, "the likelihood classes of a history policy are too many (more than %d)",
                      HISTORY_CLASSES);
    }
    if (!status && !history) {
        *prob = MEM_NEW(double, space->g->choices);
        status = *prob ? rules_to_nodes(policy, space->g, *prob, error) : error_memory(error);
    }
    if (!status) return VOUCH_OK;
    mem_free(*prob);
    *prob = NULL;
    space_free(space);
    return status;
}

/* The graph has the nodes that the policy reaches; all nodes only if a rule belongs to another one. */
vouch_status space_of_policy(const vouch_model *m, const vouch_policy *policy, policy_space *space, double **prob,
                             vouch_error *error)
{
    *space = (policy_space){0};
    *prob = NULL;
    vouch_status status = check_model(m, error);
    if (!status) status = check_policy(policy, m, error);
    if (status) return status;
    space_options options = space_options_for(policy->rules[0].kind == VOUCH_RULE_LIKELIHOOD ? m->T : policy->L);
    options.classes = 0;
    if (policy->rules[0].kind != VOUCH_RULE_LIKELIHOOD && policy->L > 0) {
        rules_index index;
        if (rules_index_make(&index, policy, m)) return error_memory(error);
        know_offer offer = {rules_offered, &index};
        know_limits reached = {.nodes = MOST_NODES, .edges = MOST_EDGES, .offer = &offer};
        options.graph = &reached;
        status = space_of_rules(m, policy, &options, space, prob, error);
        rules_index_free(&index);
        if (status != VOUCH_ERROR_INPUT) return status;
        options.graph = NULL;
    }
    return space_of_rules(m, policy, &options, space, prob, error);
}

bool space_distribution(const double mass[], double prob[], int first, int last)
{
    double sum = 0, kept = 0;
    for (int i = first; i < last; i++) sum += mass[i];
    for (int i = first; i < last; i++) {
        prob[i] = sum > 0 && mass[i] > MASS_ROUNDING * sum ? mass[i] / sum : 0;
        kept += prob[i];
    }
    for (int i = first; i < last && kept > 0; i++) prob[i] /= kept;
    CHECK(sum >= 0 && (sum == 0 || kept > 0));
    return kept > 0;
}

void space_spread(const know_graph *g, const double table[], double prob[])
{
    for (int t = 0; t < g->T; t++)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++)
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                prob[c] = table[(size_t)t * (size_t)g->m->pairs + (size_t)g->choice_pair[c]];
}

/* ---- violations of promises, regrets, values of promises; a shortfall is 0 exactly if the promises are kept ---------- */

static bool averaged(const policy_space *space, int k)
{
    for (int a = 0; a < space->averages.count; a++)
        if (space->averages.row[a] == k % space->m->group) return true;
    return false;
}

double space_asked(const policy_space *space, int k) { return averaged(space, k) ? 0 : space->p[k]; }

void space_aim(const policy_space *space, double margin, double aim[])
{
    for (int k = 0; k < space->promises; k++) aim[k] = fmin(space->p[k], space->accepted[k] + margin);
}

/* Violation of average a under Pr + d; 0: kept. */
static double lacks_on_average(const policy_space *space, int a, const double Pr[], const double d[])
{
    double p = space->p[space->K + a], mean = average_mean(&space->averages, a, space->K, Pr);
    if (d) mean += average_mean(&space->averages, a, space->K, d);
    return commitment_kept_within(mean, p, space->tolerance) ? 0 : p - mean;
}

bool space_kept(const policy_space *space, const double Pr[], double *missing)
{
    bool all = true;
    if (missing) *missing = 0;
    for (int k = 0; k < space->K; k++) {
        if (commitment_kept_within(Pr[k], space_asked(space, k), space->tolerance)) continue;
        if (missing) *missing = fmax(*missing, space_asked(space, k) - space->tolerance - Pr[k]);
        all = false;
    }
    for (int a = 0; a < space->averages.count; a++) {
        double lacks = lacks_on_average(space, a, Pr, NULL);
        if (missing) *missing = fmax(*missing, lacks - space->tolerance);
        all = all && lacks <= 0;
    }
    return all;
}

double space_missing_on_average(const policy_space *space, const double Pr[], const double d[])
{
    double sum = 0;
    for (int a = 0; a < space->averages.count; a++) sum += lacks_on_average(space, a, Pr, d);
    return sum;
}

double space_missing(const policy_space *space, int k, double U, double Pr)
{
    double sum = commitment_kept_within(Pr, space_asked(space, k), space->tolerance) ? 0 : space_asked(space, k) - Pr;
    if (!space->floor) return sum;
    double low = space->floor[k];
    return low - U > floor_tolerance(space->m->T) ? sum + low - U : sum;
}

double space_objective(const policy_space *space, const double regret[])
{
    double most = -INFINITY, mean = 0;
    for (int k = 0; k < space->K; k++) {
        most = fmax(most, regret[k]);
        if (space->share) mean += space->share[k] * regret[k];
    }
    return space->share ? mean : most;
}

bool space_promised(const policy_space *space, int k)
{
    bool promised = space->accepted[k] > 0;
    for (int a = 0; a < space->averages.count && !promised; a++)
        promised = space->averages.weight[(size_t)a * (size_t)space->K + (size_t)k] > 0 && space->accepted[space->K + a] > 0;
    return promised;
}

double space_price(const policy_space *space, int k)
{
    double price = averaged(space, k) ? 0 : 1;
    for (int a = 0; a < space->averages.count; a++)
        price += space->averages.weight[(size_t)a * (size_t)space->K + (size_t)k] * space->K / space->m->group;
    return price;
}

bool space_may_bind(const policy_space *space)
{
    for (int k = 0; k < space->promises; k++)
        if (space->accepted[k] > 0) return true;
    return false;
}

double space_worth(const policy_space *space, const double mu[], const double level[])
{
    int K = space->K;
    double sum = 0;
    for (int k = 0; k < K; k++) sum += mu[k] * level[k];
    for (int a = 0; a < space->averages.count; a++) {
        const double *w = space->averages.weight + (size_t)a * (size_t)K;
        double gain = level[K + a], price = INFINITY;
        for (int k = 0; k < K; k++) {
            if (!(w[k] > 0)) continue;
            gain -= w[k] * level[k];
            price = fmin(price, mu[k] / w[k]);
        }
        if (gain > 0 && price < INFINITY) sum += gain * price;
    }
    return sum;
}

void figures_derive(const policy_space *space, figures *f)
{
    f->shortfall = 0;
    f->max_regret = space->share ? 0 : -INFINITY;
    f->total_regret = 0;
    for (int k = 0; k < space->K; k++) {
        double regret = space->optimal[k] - f->U[k];
        f->max_regret = space->share ? f->max_regret + space->share[k] * regret : fmax(f->max_regret, regret);
        f->total_regret += regret;
        f->shortfall += space_missing(space, k, f->U[k], f->Pr[k]);
    }
    f->shortfall += space_missing_on_average(space, f->Pr, NULL);
}

/* ---- from probabilities to rules with exact figures; O(edges K) ------------------------------------------------------ */

double *space_propagate(const policy_space *space, const double prob[], bool by_class, double U[], double Pr[], int *bare)
{
    const know_graph *g = space->g;
    if (by_class) return plans_propagate(space->c, prob, space->plans, U, Pr, bare);
    double *reach = MEM_NEW(double, (size_t)g->nodes *(size_t)g->K);
    if (reach) *bare = propagate_forward(g, prob, reach, U, Pr);
    return reach;
}

/* True if a choice collects a raised reward (mdp/model.h) in an environment of the node. */
static bool is_raised(const policy_space *space, int node, int choice)
{
    const know_graph *g = space->g;
    for (int i = g->member_start[g->set[node]]; i < g->member_start[g->set[node] + 1]; i++) {
        const mdp *e = &space->m->env[g->member[i]];
        if (e->origin + e->given[g->choice_pair[choice]] < space->m->scale.least) return true;
    }
    return false;
}

/* Renormalises the probabilities first .. last-1 without choices of raised rewards, if any remain. option: NULL, or of a slot. */
static void remove_raised(const policy_space *space, int node, int first, int last, const int option[], double prob[])
{
    double kept = 0;
    for (int i = first; i < last; i++)
        if (!is_raised(space, node, option ? option[i] : i)) kept += prob[i];
    for (int i = first; i < last && kept > 0; i++) prob[i] = is_raised(space, node, option ? option[i] : i) ? 0 : prob[i] / kept;
}

/* A mixture may collect a raised reward with a tiny probability. Returns the policy without it if it keeps its promises, else a
 * copy; NULL: out of memory. */
static double *without_raised(const policy_space *space, const double prob[], bool by_class, double U[], double Pr[])
{
    const know_graph *g = space->g;
    const know_classes *c = space->c;
    int bare = -1, count = by_class ? c->slots : g->choices;
    double *left = MEM_NEW(double, count), *reach;
    if (!left) return NULL;
    MEM_COPY(left, prob, count);
    if (by_class)
        for (int i = 0; i < c->classes; i++)
            remove_raised(space, c->node[i], c->slot_start[i], c->slot_start[i + 1], c->slot_option, left);
    else
        for (int n = 0; n < g->time_start[g->T]; n++)
            remove_raised(space, n, g->choice_start[n], g->choice_start[n + 1], NULL, left);
    reach = space_propagate(space, left, by_class, U, Pr, &bare);
    bool keeps = reach && space_kept(space, Pr, NULL);
    mem_free(reach);
    if (!keeps) MEM_COPY(left, prob, count);
    return left;
}

vouch_status space_write_policy(policy_space *space, const double given[], bool by_class, vouch_policy *policy)
{
    int K = space->K, bare = -1;
    CHECK(policy->rule_count == 0 && policy->K == K);
    double *U = MEM_NEW(double, 2 * K), *Pr = U ? U + K : NULL, *reach = NULL;
    bool raised = space->m->scale.raised && !(by_class && space->plans);
    double *left = U && raised ? without_raised(space, given, by_class, U, Pr) : NULL;
    const double *prob = left ? left : given;
    vouch_status status = U && (left || !raised) ? space_use_given(space) : VOUCH_ERROR_MEMORY;
    if (!status) reach = space_propagate(space, prob, by_class, U, Pr, &bare);
    CHECK_COMPARE(bare, <, 0);
    if (reach) {
        figures_of_model(space->m, space->optimal, U, Pr, policy->figures);
        vouch_policy_set_figures(policy, policy->figures);
        policy->late = space->late;
        policy->has_policy = 1;
    }
    if (!reach || (by_class ? rules_from_classes(space->c, prob, space->plans, reach, policy)
                            : rules_from_nodes(space->g, prob, reach, policy)))
        status = VOUCH_ERROR_MEMORY;
    MEM_FREE_ALL(U, left, reach);
    return status;
}

/* ---- record ----------------------------------------------------------------------------------------------------------------- */

/* Sets of environments are omitted if they have more members in all, in the first plan and in others. */
enum { MOST_MEMBERS = 20000, MOST_MEMBERS_OF_PART = 1000 };
static const double SEEN = 1e-9; /* smaller masses are omitted */

void record_place(vouch_trace *t, const char *name, const know_graph *g, int node)
{
    int boundary = g->boundary[node];
    int place[] = {know_time(g, node), know_state(g, node), g->set[node], boundary < 0 ? -1 : know_state(g, boundary)};
    trace_ints(t, name, place, 4);
}

int record_option(const policy_space *space, int node, int option)
{
    option_range at = options_of(space, node);
    return at.vectors ? -1 - (option - at.first) : space->g->m->pair_action[space->g->choice_pair[option]];
}

static void add_sets(vouch_trace *t, const know_graph *g)
{
    if (g->member_start[g->sets.count] > (t->part ? MOST_MEMBERS_OF_PART : MOST_MEMBERS)) return;
    trace_list(t, "sets");
    for (int set = 0; set < g->sets.count; set++)
        trace_ints(t, NULL, g->member + g->member_start[set], g->member_start[set + 1] - g->member_start[set]);
    trace_list_end(t);
}

void record_tree(vouch_trace *t, const policy_space *space, const tree_record *tree)
{
    const know_graph *g = space->g;
    if (!trace_open(t, TRACE_NOTE, 0, "tree")) return;
    trace_word(t, "kind", tree->kind);
    trace_word(t, "goal", tree->total ? "total" : "maximum");
    trace_word(t, "why", tree->why);
    trace_int(t, "first", tree->first);
    TRACE_NUMBERS(t, {"L", g->L}, {"places", g->time_start[g->T]}, {"choices", g->choices});
    if (space->c) trace_int(t, "classes", space->c->classes);
    TRACE_NUMBERS(t, {"exact", !space->c || space->c->cut > g->T}, {"spread", g->m->scale.spread}, {"least", g->m->scale.least});
    trace_reals(t, "optimal", space->optimal, space->K);
    trace_reals(t, "accepted", space->accepted, space->K);
    add_sets(t, g);
    trace_close(t);
}

/* Writes a policy node that the mixture uses with more than one option (split) or with exactly one. */
static bool add_masses(vouch_trace *t, const policy_space *space, const double mass[], int node, bool split)
{
    option_range at = options_of(space, node);
    int used = 0;
    for (int o = at.first; o < at.last; o++) used += mass[o] > SEEN;
    if (used == 0 || (used > 1) != split) return false;
    trace_list(t, NULL);
    record_place(t, NULL, space->g, node);
    for (int o = at.first; o < at.last; o++) {
        if (mass[o] <= SEEN) continue;
        trace_int(t, NULL, record_option(space, node, o));
        trace_real(t, NULL, mass[o]);
    }
    trace_list_end(t);
    return true;
}

void record_masses(vouch_trace *t, const policy_space *space, const double mass[], int most)
{
    trace_list(t, "mass");
    for (int split = 1; split >= 0; split--)
        for (int node = 0; node < space->g->time_start[space->g->T] && most > 0; node++)
            most -= add_masses(t, space, mass, node, split);
    trace_list_end(t);
}

/* ---- the graph of a policy: reachable nodes with their probabilities in each environment, and edges -----------------------------
 *
 * Nodes are rules and, at T, states (THEORY.md, section 2). Before L, and in history policies, the outcomes (s', reward) of an
 * action are distinguished and update the set of possible environments; from L on only s' counts, since the boundary is fixed. If a
 * history policy follows plans, the node of its rule has an action for each plan, and its successors are (time, state, plan). Cost:
 * O(outcomes K) and a binary search per edge. Invariant (graph_check): edges are stored by node and lead one step on. */

static const double SAME_LIKELIHOOD = 1e-6; /* tolerance of entries of a likelihood vector; files have 17 digits */

typedef struct graph_maker {
    vouch_policy_graph *f;
    const vouch_model *m;
    const vouch_policy *p;
    vouch_error *error;
    arena memory;               /* of the arrays */
    const policy_rule **sorted; /* [rule_count] by time, state and kind */
    int *node_of_rule;          /* [rule_count], -1: not reached yet */
    int *node_of_state;         /* [S]: at T */
    int *env;                   /* [K] environments with the outcome at hand */
    int env_count;
    double *prob;       /* [K] its probability */
    double *likelihood; /* [K] after the outcome */
} graph_maker;

static int by_place(const void *x, const void *y)
{
    const policy_rule *a = *(const policy_rule *const *)x, *b = *(const policy_rule *const *)y;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->state > b->state) - (a->state < b->state);
}

static bool same_set(const policy_rule *r, const int *env, int count)
{
    return r->env_count == count && memcmp(r->env, env, (size_t)count * sizeof *env) == 0;
}

/* First of the sorted rules at (time, state). */
static size_t first_rule(const graph_maker *k, int time, int state)
{
    size_t low = 0, high = k->p->rule_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const policy_rule *r = k->sorted[middle];
        if (r->time < time || (r->time == time && r->state < state))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rule at (time, state) after action number `choice` of rule `from` (NULL: the first rule); -1: none. */
static int next_rule(const graph_maker *k, const policy_rule *from, int choice, int time, int state)
{
    if (from && from->kind == VOUCH_RULE_PLAN) return plans_rule(k->p, from->plan, time, state);
    if (from && from->next) return plans_rule(k->p, from->next[choice], time, state);
    bool history = k->p->rules[0].kind == VOUCH_RULE_LIKELIHOOD;
    int best = -1;
    double distance = SAME_LIKELIHOOD;
    for (size_t i = first_rule(k, time, state); i < k->p->rule_count && k->sorted[i]->time == time && k->sorted[i]->state == state;
         i++) {
        const policy_rule *r = k->sorted[i];
        int number = (int)(r - k->p->rules);
        if (history && r->kind == VOUCH_RULE_LIKELIHOOD) {
            double apart = 0;
            for (int e = 0; e < k->p->K; e++) apart = fmax(apart, fabs(r->likelihood[e] - k->likelihood[e]));
            if (apart <= distance) {
                distance = apart;
                best = number;
            }
        } else if (time < k->p->L) {
            if (r->kind == VOUCH_RULE_KNOWLEDGE && same_set(r, k->env, k->env_count)) return number;
        } else if (time == k->p->L) {
            if (r->kind == VOUCH_RULE_BOUNDARY && r->boundary_state == state && same_set(r, k->env, k->env_count)) return number;
        } else if (r->kind == VOUCH_RULE_BOUNDARY && from && r->boundary_state == from->boundary_state &&
                   same_set(r, from->env, from->env_count)) {
            return number;
        }
    }
    return best;
}

/* The node of the rule, or of the state at T; created if new. -1: out of memory. */
static int node_at(graph_maker *k, int time, int state, int rule)
{
    vouch_policy_graph *f = k->f;
    CHECK(rule < 0 ? time == k->p->T : k->p->rules[rule].time == time && k->p->rules[rule].state == state);
    int *known = rule < 0 ? &k->node_of_state[state] : &k->node_of_rule[rule];
    if (*known >= 0) return *known;
    if (mem_reserve((void **)&f->node, &f->node_capacity, f->nodes, sizeof *f->node) ||
        mem_reserve((void **)&f->reach, &f->reach_capacity, (f->nodes + 1) * (size_t)f->K, sizeof *f->reach))
        return -1;
    memset(f->reach + f->nodes * (size_t)f->K, 0, (size_t)f->K * sizeof *f->reach);
    f->node[f->nodes] = (vouch_policy_node){time, state, rule, 0, 0};
    return *known = (int)f->nodes++;
}

/* Adds the edge of an outcome with probabilities k->prob in the environments k->env. */
static vouch_status add_edge(graph_maker *k, int from, int choice, int next_state, double reward)
{
    vouch_policy_graph *f = k->f;
    const policy_rule *r = &k->p->rules[f->node[from].rule];
    const double *prob = k->prob;
    int time = f->node[from].time + 1, rule = -1;
    if (r->kind == VOUCH_RULE_LIKELIHOOD) {
        double largest = 0;
        for (int e = 0; e < f->K; e++) {
            k->likelihood[e] = r->likelihood[e] * prob[e];
            largest = fmax(largest, k->likelihood[e]);
        }
        if (!(largest > 0)) return VOUCH_OK;
        for (int e = 0; e < f->K; e++) k->likelihood[e] /= largest;
    }
    double mass = 0;
    for (int e = 0; e < f->K; e++) mass += prob[e] * f->reach[(size_t)from * (size_t)f->K + (size_t)e];
    if (!(mass > 0)) return VOUCH_OK;
    if (time < k->p->T) {
        rule = next_rule(k, r, choice, time, next_state);
        if (rule < 0) return rules_missing(k->m, time, next_state, k->error);
    }
    int to = node_at(k, time, next_state, rule);
    if (to < 0 || mem_reserve((void **)&f->edge, &f->edge_capacity, f->edges, sizeof *f->edge) ||
        mem_reserve((void **)&f->prob, &f->prob_capacity, (f->edges + 1) * (size_t)f->K, sizeof *f->prob))
        return error_memory(k->error);
    CHECK_COMPARE(f->node[to].time, ==, f->node[from].time + 1);
    CHECK_COMPARE(from, <, to);
    CHECK_COMPARE(choice, <, r->do_count);
    f->edge[f->edges] = (vouch_policy_edge){from, to, choice, reward};
    MEM_COPY(f->prob + f->edges * (size_t)f->K, prob, f->K);
    f->edges++;
    for (int e = 0; e < f->K; e++)
        f->reach[(size_t)to * (size_t)f->K + (size_t)e] +=
            f->reach[(size_t)from * (size_t)f->K + (size_t)e] * r->prob[choice] * prob[e];
    return VOUCH_OK;
}

/* True if environment e is possible at the node of the rule. */
static bool is_here(const policy_rule *r, int e)
{
    if (r->kind == VOUCH_RULE_LIKELIHOOD) return r->likelihood[e] > 0;
    if (r->kind == VOUCH_RULE_PLAN) return true;
    for (int i = 0; i < r->env_count; i++)
        if (r->env[i] == e) return true;
    return false;
}

/* Sets k->env and k->prob for outcome o of pair q in environment `lead` at the node of rule r. False: treated before, for a smaller
 * environment. */
static bool find_producers(graph_maker *k, const policy_rule *r, int q, int lead, int o)
{
    const mdp *first = &k->m->env[lead];
    bool observed = r->kind == VOUCH_RULE_LIKELIHOOD || r->kind == VOUCH_RULE_PLAN || r->time < k->p->L;
    k->env_count = 0;
    for (int e = 0; e < k->m->K; e++) {
        const mdp *env = &k->m->env[e];
        int x = is_here(r, e) ? mdp_outcome(env, q, first->next[o]) : -1;
        k->prob[e] = 0;
        if (x < 0 || (observed && env->seen[x] != first->seen[o])) continue;
        if (e < lead) return false;
        k->prob[e] = env->prob[x];
        k->env[k->env_count++] = e;
    }
    return true;
}

static vouch_status follow_action(graph_maker *k, int from, int choice)
{
    const vouch_model *m = k->m;
    const policy_rule *r = &k->p->rules[k->f->node[from].rule];
    int q = model_pair(m, r->state, r->action[choice]);
    if (q < 0) return error_set(k->error, VOUCH_ERROR_INPUT, "the action of a rule is not available in its state");
    for (int lead = 0; lead < m->K; lead++) {
        const mdp *env = &m->env[lead];
        for (int o = env->start[q]; is_here(r, lead) && o < env->start[q + 1]; o++) {
            if (!find_producers(k, r, q, lead, o)) continue;
            vouch_status status = add_edge(k, from, choice, env->next[o], model_given(m, env->reward[o]));
            if (status) return status;
        }
    }
    return VOUCH_OK;
}

static vouch_status make(graph_maker *k)
{
    vouch_policy_graph *f = k->f;
    const vouch_policy *p = k->p;
    k->env_count = p->K;
    for (int e = 0; e < p->K; e++) {
        k->env[e] = e;
        k->likelihood[e] = 1;
    }
    int rule = next_rule(k, NULL, 0, 0, k->m->s0);
    if (rule < 0) return rules_missing(k->m, 0, k->m->s0, k->error);
    if (node_at(k, 0, k->m->s0, rule) < 0) return error_memory(k->error);
    for (int e = 0; e < p->K; e++) f->reach[e] = 1;
    /* nodes are created in the order of time, so reach is complete when a node is expanded */
    for (size_t n = 0; n < f->nodes; n++) {
        CHECK(n == 0 || f->node[n - 1].time <= f->node[n].time);
        f->node[n].first_edge = (int)f->edges;
        for (int c = 0; f->node[n].rule >= 0 && c < p->rules[f->node[n].rule].do_count; c++) {
            vouch_status status = follow_action(k, (int)n, c);
            if (status) return status;
        }
        f->node[n].edges = (int)f->edges - f->node[n].first_edge;
    }
    return VOUCH_OK;
}

static vouch_status graph_make(vouch_policy_graph *f, const vouch_model *m, const vouch_policy *p, vouch_error *error)
{
    graph_maker k = {.f = f, .m = m, .p = p, .error = error};
    CHECK(p->K == m->K && p->T == m->T && p->rule_count > 0);
    f->K = p->K;
    arena *a = &k.memory;
    k.sorted = ARENA_NEW(a, const policy_rule *, p->rule_count);
    k.node_of_rule = ARENA_NEW(a, int, p->rule_count);
    k.node_of_state = ARENA_NEW(a, int, m->S);
    k.env = ARENA_NEW(a, int, p->K);
    k.prob = ARENA_NEW(a, double, p->K);
    k.likelihood = ARENA_NEW(a, double, p->K);
    vouch_status status = a->failed ? error_memory(error) : VOUCH_OK;
    if (!status) {
        for (size_t i = 0; i < p->rule_count; i++) {
            k.sorted[i] = &p->rules[i];
            k.node_of_rule[i] = -1;
        }
        for (int s = 0; s < m->S; s++) k.node_of_state[s] = -1;
        qsort(k.sorted, p->rule_count, sizeof *k.sorted, by_place);
        status = make(&k);
    }
    arena_free(a);
    return status;
}

vouch_status vouch_policy_graph_new(vouch_policy_graph **out, const vouch_policy *p, const vouch_model *m, vouch_error *error)
{
    if (!out || !p) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no policy, or no place for the graph");
    *out = NULL;
    vouch_status status = check_model(m, error);
    if (!status) status = check_policy(p, m, error);
    if (status) return status;
    vouch_policy_graph *f = MEM_ZERO(vouch_policy_graph, 1);
    if (!f) return error_memory(error);
    status = graph_make(f, m, p, error);
    if (status)
        vouch_policy_graph_free(f);
    else
        *out = f;
    return status;
}

void vouch_policy_graph_free(vouch_policy_graph *f)
{
    if (!f) return;
    MEM_FREE_ALL(f->node, f->reach, f->edge, f->prob, f);
}

static void graph_check(const vouch_policy_graph *f)
{
    if (!CHECKING) return;
    size_t K = (size_t)f->K, edges = 0;
    for (size_t n = 0; n < f->nodes; n++) {
        const vouch_policy_node *node = &f->node[n];
        CHECK_COMPARE((size_t)node->first_edge, ==, edges);
        edges += (size_t)node->edges;
        for (size_t k = 0; k < K; k++) CHECK_COMPARE(f->reach[n * K + k], <=, 1 + SAME_LIKELIHOOD);
        for (int e = node->first_edge; e < node->first_edge + node->edges; e++) {
            CHECK_COMPARE((size_t)f->edge[e].from, ==, n);
            CHECK_COMPARE((size_t)f->edge[e].to, <, f->nodes);
        }
    }
    CHECK_COMPARE(edges, ==, f->edges);
}

void vouch_policy_graph_view(const vouch_policy_graph *f, vouch_policy_graph_data *data)
{
    if (data) *data = (vouch_policy_graph_data){0};
    if (!f || !data) return;
    CHECK_COMPARE(f->nodes, >, 0);
    CHECK(f->nodes <= INT_MAX && f->edges <= INT_MAX);
    graph_check(f);
    *data = (vouch_policy_graph_data){f->K, (int)f->nodes, (int)f->edges, f->node, f->reach, f->edge, f->prob};
}
