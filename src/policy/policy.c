/* policy/policy.c - see policy.h. Maximum and total regret are always derived from the figures. Invariant (rule_check): the actions
 * of a rule ascend, with positive probabilities that sum to 1; environments ascend; likelihoods are at most 1.
 */
#include "policy/policy.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"
#include "mdp/model.h"
#include "mdp/tolerance.h"

const char *vouch_plan_outcome_text(vouch_plan_outcome outcome)
{
    static const char *const words[] = {
        [VOUCH_PLAN_OPTIMAL] = "optimal", [VOUCH_PLAN_FEASIBLE] = "feasible",   [VOUCH_PLAN_INFEASIBLE] = "infeasible",
        [VOUCH_PLAN_LIMIT] = "limit",     [VOUCH_PLAN_NUMERICAL] = "numerical",
    };
    size_t number = (size_t)outcome;
    return number < sizeof words / sizeof *words ? words[number] : "unknown";
}

vouch_policy *policy_new(int K)
{
    vouch_policy *policy = MEM_ZERO(vouch_policy, 1);
    if (!policy) return NULL;
    policy->K = K;
    policy->promises = 1;
    policy->figures = ARENA_NEW(&policy->memory, vouch_environment_figures, K);
    policy->env_name = ARENA_ZERO(&policy->memory, char *, K);
    if (policy->memory.failed) {
        vouch_policy_free(policy);
        return NULL;
    }
    for (int k = 0; k < K; k++) policy->figures[k] = (vouch_environment_figures){NAN, NAN, NAN, NAN};
    policy->outcome = VOUCH_PLAN_LIMIT;
    policy->nearest = policy->max_regret = policy->total_regret = policy->total_bound = NAN;
    policy->bound = 0;
    return policy;
}

static void rule_check(const vouch_policy *policy, const policy_rule *r)
{
    if (!CHECKING) return;
    double sum = 0, largest = 0;
    for (int i = 0; i < r->do_count; i++) {
        CHECK_COMPARE(r->prob[i], >, 0);
        if (i && (!r->next || r->next[i - 1] == r->next[i])) CHECK_COMPARE(r->action[i - 1], <, r->action[i]);
        sum += r->prob[i];
    }
    CHECK_COMPARE(fabs(sum - 1), <=, MODEL_SUM_TOLERANCE);
    for (int i = 0; i < r->env_count; i++) {
        CHECK(r->env[i] >= 0 && r->env[i] < policy->K);
        if (i) CHECK_COMPARE(r->env[i - 1], <, r->env[i]);
    }
    for (int k = 0; r->kind == VOUCH_RULE_LIKELIHOOD && k < policy->K; k++) {
        CHECK_COMPARE(r->likelihood[k], >=, 0);
        largest = fmax(largest, r->likelihood[k]);
    }
    if (r->kind == VOUCH_RULE_LIKELIHOOD) CHECK_COMPARE(largest, <=, 1 + MODEL_SUM_TOLERANCE);
    CHECK_COMPARE(r->time, <, policy->T);
}

void vouch_policy_free(vouch_policy *policy)
{
    if (!policy) return;
    mem_free(policy->rules);
    arena_free(&policy->memory);
    mem_free(policy);
}

policy_rule *policy_add_rule(vouch_policy *policy, vouch_rule_kind kind, int env_count, int do_count)
{
    if (mem_reserve((void **)&policy->rules, &policy->rule_capacity, policy->rule_count, sizeof *policy->rules)) return NULL;
    policy_rule *rule = &policy->rules[policy->rule_count];
    *rule = (policy_rule){
        .kind = kind, .boundary_time = -1, .boundary_state = -1, .plan = -1, .env_count = env_count, .do_count = do_count};
    rule->action = ARENA_ZERO(&policy->memory, int, do_count);
    rule->prob = ARENA_ZERO(&policy->memory, double, do_count);
    if (kind == VOUCH_RULE_LIKELIHOOD)
        rule->likelihood = ARENA_ZERO(&policy->memory, double, policy->K);
    else if (env_count > 0)
        rule->env = ARENA_ZERO(&policy->memory, int, env_count);
    if (policy->memory.failed) return NULL;
    policy->rule_count++;
    return rule;
}

policy_rule *policy_add_sure_rules(vouch_policy *policy, size_t count)
{
    int *env = ARENA_NEW(&policy->memory, int, policy->K), *action = ARENA_NEW(&policy->memory, int, count);
    double *sure = ARENA_NEW(&policy->memory, double, 1);
    if (policy->memory.failed || MEM_RESIZE(&policy->rules, policy->rule_count + count + 1)) return NULL;
    policy->rule_capacity = policy->rule_count + count + 1;
    for (int k = 0; k < policy->K; k++) env[k] = k;
    *sure = 1;
    policy_rule *first = &policy->rules[policy->rule_count];
    for (size_t i = 0; i < count; i++)
        first[i] = (policy_rule){.kind = VOUCH_RULE_BOUNDARY,
                                 .plan = -1,
                                 .env_count = policy->K,
                                 .env = env,
                                 .do_count = 1,
                                 .action = &action[i],
                                 .prob = sure};
    policy->rule_count += count;
    return first;
}

int policy_follow(vouch_policy *policy, policy_rule *rule, int count)
{
    rule->follow_count = count;
    rule->follow = ARENA_ZERO(&policy->memory, int, count);
    rule->share = ARENA_ZERO(&policy->memory, double, count);
    return policy->memory.failed ? -1 : 0;
}

int policy_name_promises(vouch_policy *policy, const vouch_model *m)
{
    policy->offset = -vouch_model_first_time(m);
    if (model_user(m)->promises == 0) return 0;
    policy->promises = vouch_model_promises(m);
    policy->promise_name = ARENA_ZERO(&policy->memory, char *, policy->promises);
    for (int j = 0; j < policy->promises && policy->promise_name; j++) {
        vouch_promise p;
        vouch_model_get_promise(m, j, &p);
        policy->promise_name[j] = arena_string(&policy->memory, p.name);
    }
    return policy->memory.failed ? -1 : 0;
}

int policy_describe(vouch_policy *policy, const vouch_model *m, const char *method, int L)
{
    policy->L = L;
    policy->T = m->T;
    policy->p = m->p;
    if (policy_name_promises(policy, m)) return -1;
    int group = policy->K / m->K; /* > 1: a policy of promise rows, described by the model without them */
    policy->model_name = arena_string(&policy->memory, m->name);
    policy->method = arena_string(&policy->memory, method);
    for (int k = 0; k < policy->K; k++) policy->env_name[k] = arena_string(&policy->memory, m->env_name[k / group]);
    return policy->memory.failed ? -1 : 0;
}

/* a + b, or 0 if it is within the rounding of two sums over T steps and at most MOST (a failure of probability 1e-12 that costs
 * 1e12 is a true regret). */
static double cancel(double a, double b, int T)
{
    enum { ROUNDINGS = 4 }; /* per step */
    static const double MOST = 1e-13;
    double sum = a + b, rounding = ROUNDINGS * T * DBL_EPSILON * (fabs(a) + fabs(b));
    return fabs(sum) <= fmin(rounding, MOST) ? 0 : sum;
}

void figures_of_model(const vouch_model *m, const double optimal[], const double U[], const double Pr[],
                      vouch_environment_figures out[])
{
    for (int k = 0; k < m->K; k++) {
        double paid = m->T * m->env[k].origin; /* by every policy */
        out[k] = (vouch_environment_figures){cancel(paid, optimal[k], m->T), cancel(paid, U[k], m->T),
                                             isinf(optimal[k]) ? NAN : cancel(optimal[k], -U[k], m->T), Pr[k]};
    }
}

/* True if the figures belong to another model or other promises, so that status and bound do not apply. */
static bool are_of_another(const vouch_policy *policy, const vouch_environment_figures figures[])
{
    static const double AGREE = 1e-6; /* relative; U* differs by less from one processor to the next */
    for (int k = 0; k < policy->K; k++) {
        double known = policy->figures[k].optimal_value;
        if (fabs(figures[k].optimal_value - known) > AGREE * fmax(1, fabs(known))) return true;
    }
    return false;
}

void vouch_policy_set_figures(vouch_policy *policy, const vouch_environment_figures figures[])
{
    if (!policy || !figures) return;
    if (are_of_another(policy, figures)) {
        policy->outcome = VOUCH_PLAN_FEASIBLE;
        policy->bound = policy->total_bound = NAN;
    }
    bool defined = true;
    policy->max_regret = -INFINITY;
    policy->total_regret = 0;
    policy->late = false;
    for (int k = 0; k < policy->K; k++) {
        policy->figures[k] = figures[k];
        policy->max_regret = fmax(policy->max_regret, figures[k].regret);
        policy->total_regret += figures[k].regret;
        defined = defined && !isinf(figures[k].optimal_value);
    }
    if (!defined) policy->max_regret = NAN;
}

vouch_status vouch_policy_set_commitments(vouch_policy *policy, int promises, const double commitments[])
{
    if (!policy || !commitments) return VOUCH_ERROR_ARGUMENT;
    if (promises != policy->promises) return VOUCH_ERROR_ARGUMENT;
    if (promises == 1) return VOUCH_OK;
    if (!policy->commitments) policy->commitments = ARENA_NEW(&policy->memory, double, policy->K *promises);
    if (!policy->commitments) return VOUCH_ERROR_MEMORY;
    MEM_COPY(policy->commitments, commitments, policy->K * promises);
    return VOUCH_OK;
}

void figures_merge(const vouch_model *rows, const vouch_environment_figures row[], vouch_environment_figures out[],
                   double commitments[])
{
    int group = rows->group;
    for (int k = 0; k < rows->K / group; k++) {
        vouch_environment_figures f = row[k * group];
        double margin = INFINITY;
        for (int r = k * group; r < (k + 1) * group; r++) {
            double here = row[r].commitment_probability;
            if (commitments) commitments[r] = here;
            if (here - rows->env[r].p >= margin) continue;
            margin = here - rows->env[r].p;
            f.commitment_probability = here;
        }
        out[k] = f;
    }
}

static void merge_rule(policy_rule *r, int K, int group)
{
    int count = 0;
    for (int i = 0; i < r->env_count; i++)
        if (r->env[i] % group == 0) r->env[count++] = r->env[i] / group;
    CHECK(r->env_count == count * group);
    r->env_count = count;
    for (int k = 0; r->likelihood && k < K; k++) r->likelihood[k] = r->likelihood[k * group];
}

int policy_merge(vouch_policy *policy, const vouch_model *rows)
{
    int group = rows->group, K = rows->K / group;
    CHECK_COMPARE(policy->K, ==, rows->K);
    if (group == 1) return 0;
    policy->commitments = ARENA_NEW(&policy->memory, double, rows->K);
    if (!policy->commitments) return -1;
    figures_merge(rows, policy->figures, policy->figures, policy->commitments);
    for (size_t i = 0; i < policy->rule_count; i++) {
        policy_rule *r = &policy->rules[i];
        if (i > 0 && r->env && r->env == r[-1].env)
            r->env_count = r[-1].env_count; /* shared set, merged before */
        else
            merge_rule(r, K, group);
    }
    for (int r = 0; r < rows->K; r++) {
        if (r % group == 0) policy->env_name[r / group] = policy->env_name[r];
        if (policy->determinism && r % group == 0) policy->determinism[r / group] = policy->determinism[r];
        if (policy->determinism) policy->determinism[r / group] = fmax(policy->determinism[r / group], policy->determinism[r]);
    }
    policy->K = K;
    policy->total_regret /= group;
    policy->total_bound /= group;
    return 0;
}

int policy_merged_copy(const vouch_policy *policy, const vouch_model *rows, vouch_policy *out)
{
    *out = *policy;
    out->memory = (arena){0};
    out->determinism = NULL;
    out->rules = MEM_NEW(policy_rule, policy->rule_count);
    out->figures = ARENA_NEW(&out->memory, vouch_environment_figures, policy->K);
    out->env_name = ARENA_NEW(&out->memory, char *, policy->K);
    if (!out->rules || out->memory.failed) return -1;
    MEM_COPY(out->figures, policy->figures, policy->K);
    MEM_COPY(out->env_name, policy->env_name, policy->K);
    for (size_t i = 0; i < policy->rule_count; i++) {
        policy_rule *r = &out->rules[i];
        *r = policy->rules[i];
        if (i > 0 && r->env && r->env == policy->rules[i - 1].env) {
            r->env = r[-1].env;
            continue;
        }
        if (r->env) r->env = ARENA_NEW(&out->memory, int, r->env_count);
        if (r->likelihood) r->likelihood = ARENA_NEW(&out->memory, double, policy->K);
        if (out->memory.failed) return -1;
        if (r->env) MEM_COPY(r->env, policy->rules[i].env, r->env_count);
        if (r->likelihood) MEM_COPY(r->likelihood, policy->rules[i].likelihood, policy->K);
    }
    return policy_merge(out, rows);
}

void policy_copy_free(vouch_policy *copy)
{
    mem_free(copy->rules);
    arena_free(&copy->memory);
}

const char *vouch_policy_method(const vouch_policy *policy) { return policy ? policy->method ? policy->method : "unknown" : ""; }
int vouch_policy_lookahead(const vouch_policy *policy) { return policy ? policy->L : 0; }
int vouch_policy_horizon(const vouch_policy *policy) { return policy ? policy->T : 0; }
int vouch_policy_environments(const vouch_policy *policy) { return policy ? policy->K : 0; }
int vouch_policy_rules(const vouch_policy *policy) { return policy ? (int)policy->rule_count : 0; }

void vouch_policy_get_rule(const vouch_policy *policy, int i, vouch_rule *rule)
{
    if (rule) *rule = (vouch_rule){0};
    if (!policy || !rule) return;
    *rule = (vouch_rule){.boundary_time = -1, .boundary_state = -1, .plan = -1};
    if (i < 0 || (size_t)i >= policy->rule_count) return;
    const policy_rule *r = &policy->rules[i];
    rule_check(policy, r);
    *rule = (vouch_rule){
        .kind = r->kind,
        .time = r->time,
        .state = r->state,
        .boundary_time = r->boundary_time,
        .boundary_state = r->boundary_state,
        .environments = r->env_count,
        .environment = r->env,
        .likelihood = r->likelihood,
        .actions = r->do_count,
        .action = r->action,
        .probability = r->prob,
        .plan = r->plan,
        .follow = r->next,
    };
}

const char *vouch_objective_text(vouch_objective objective)
{
    static const char *const words[] = {"regret", "weighted", "max-min"};
    size_t number = (size_t)objective;
    return number < sizeof words / sizeof *words ? words[number] : "unknown";
}

int vouch_objective_find(const char *word)
{
    if (!word) return -1;
    for (int i = 0; i < VOUCH_OBJECTIVES; i++)
        if (strcmp(vouch_objective_text((vouch_objective)i), word) == 0) return i;
    return -1;
}

int policy_aim(vouch_policy *policy, vouch_objective objective, const double weights[], int environments)
{
    policy->objective = objective;
    policy->weights = NULL;
    if (objective != VOUCH_OBJECTIVE_WEIGHTED) return 0;
    policy->weights = ARENA_NEW(&policy->memory, double, environments);
    for (int k = 0; k < environments && policy->weights; k++) policy->weights[k] = weights ? weights[k] : 1;
    return policy->weights ? 0 : -1;
}

double policy_value(const vouch_policy *policy)
{
    double sum = 0, least = INFINITY;
    if (!policy->has_policy) return NAN;
    for (int k = 0; k < policy->K; k++) {
        least = fmin(least, policy->figures[k].value);
        if (policy->weights) sum += policy->weights[k] * policy->figures[k].value;
    }
    return policy->objective == VOUCH_OBJECTIVE_REGRET    ? policy->max_regret
           : policy->objective == VOUCH_OBJECTIVE_MAX_MIN ? least
                                                          : sum;
}

void vouch_policy_get_result(const vouch_policy *policy, vouch_plan_result *result)
{
    if (result) *result = (vouch_plan_result){0};
    if (!policy || !result) return;
    *result = (vouch_plan_result){
        .outcome = policy->outcome,
        .has_policy = policy->has_policy,
        .environments = policy->K,
        .figures = policy->figures,
        .promises = policy->promises,
        .commitments = policy->commitments,
        .largest_probability = policy->largest_probability,
        .max_regret = policy->max_regret,
        .total_regret = policy->total_regret,
        .bound = policy->bound,
        .objective = policy->objective,
        .weights = policy->weights,
        .value = policy_value(policy),
        .nearest_probability = policy->nearest,
        .optima_bounded = policy->late,
        .total_bound = policy->total_bound,
        .nodes = policy->nodes,
        .total_nodes = policy->total_nodes,
        .iterations = policy->iterations,
        .seconds = policy->seconds,
        .regret_of_determinism = policy->determinism,
    };
}

/* ---- a Markov policy as a table, written as rules without policy nodes, one environment after the other, over reachable states
 * only:
 *
 *     reach_k(t+1, s') = sum over s of reach_k(t, s) P(s'|s, table(t,s); k),   U(k) = sum reach_k R,   Pr(k) = sum at T of terminal
 * ---- */

enum { MANY = 16 }; /* a list of more than S / MANY states is slower than a scan of all */

/* The reachable states of one time. */
typedef struct front {
    double *reach; /* [S] */
    int *state;    /* [S] states with positive reach */
    int count;
} front;

typedef struct passes {
    const vouch_model *m;
    const double *table;
    front now, next;
    bool *reached; /* [T * S] by any environment */
} passes;

static int choice_of(const passes *x, int t, int s)
{
    const double *here = x->table + (size_t)t * (size_t)x->m->pairs;
    for (int q = x->m->pair_start[s]; q < x->m->pair_start[s + 1]; q++)
        if (here[q] > 0) return q;
    return -1;
}

static void arrive(front *f, int s, double mass)
{
    if (mass > 0 && f->reach[s] <= 0) f->state[f->count++] = s;
    f->reach[s] += mass;
}

/* U and Pr of environment k; true if every reachable state has a choice. */
static bool run_through(passes *x, int k, double *U, double *Pr)
{
    const vouch_model *m = x->m;
    const mdp *e = &m->env[k];
    const double *paid = e->given ? e->given : e->expected;
    bool whole = true;
    *U = *Pr = 0;
    arrive(&x->now, m->s0, 1);
    for (int t = 0; t < m->T; t++) {
        bool many = x->now.count > m->S / MANY;
        for (int i = 0; i < (many ? m->S : x->now.count); i++) {
            int s = many ? i : x->now.state[i];
            double mass = x->now.reach[s];
            if (mass <= 0) continue;
            int q = choice_of(x, t, s);
            x->now.reach[s] = 0;
            x->reached[(size_t)t * (size_t)m->S + (size_t)s] = true;
            whole = whole && q >= 0;
            if (q < 0) continue;
            *U += mass * paid[q];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) arrive(&x->next, e->next[o], mass * e->prob[o]);
        }
        x->now.count = 0;
        front swap = x->now;
        x->now = x->next;
        x->next = swap;
    }
    for (int i = 0; i < x->now.count; i++) {
        int s = x->now.state[i];
        *Pr += x->now.reach[s] * e->terminal[s];
        x->now.reach[s] = 0;
    }
    x->now.count = 0;
    return whole;
}

/* Writes a rule for each reached (time, state). */
static vouch_status write_rules(const passes *x, vouch_policy *policy)
{
    const vouch_model *m = x->m;
    size_t cells = (size_t)m->T * (size_t)m->S, count = 0;
    for (size_t i = 0; i < cells; i++) count += x->reached[i];
    policy_rule *rule = policy_add_sure_rules(policy, count);
    if (!rule) return VOUCH_ERROR_MEMORY;
    for (size_t i = 0; i < cells; i++) {
        if (!x->reached[i]) continue;
        rule->time = (int)(i / (size_t)m->S);
        rule->state = (int)(i % (size_t)m->S);
        rule->boundary_time = 0;
        rule->boundary_state = m->s0;
        rule->action[0] = m->pair_action[choice_of(x, rule->time, rule->state)];
        rule++;
    }
    return VOUCH_OK;
}

vouch_status table_policy_write(const vouch_model *m, const double table[], const double optimal[], vouch_policy *policy)
{
    arena a = {0};
    size_t S = (size_t)m->S;
    bool kept = true;
    CHECK(policy->rule_count == 0 && policy->K == m->K);
    passes x = {.m = m, .table = table, .reached = ARENA_ZERO(&a, bool, (size_t)m->T *S)};
    x.now = (front){ARENA_ZERO(&a, double, S), ARENA_NEW(&a, int, S), 0};
    x.next = (front){ARENA_ZERO(&a, double, S), ARENA_NEW(&a, int, S), 0};
    double *U = ARENA_NEW(&a, double, m->K), *Pr = ARENA_NEW(&a, double, m->K);
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    for (int k = 0; k < m->K && !status; k++)
        kept = run_through(&x, k, &U[k], &Pr[k]) && commitment_kept(Pr[k], m->env[k].p) && kept;
    if (!status && kept) status = write_rules(&x, policy);
    if (!status && kept) {
        figures_of_model(m, optimal, U, Pr, policy->figures);
        vouch_policy_set_figures(policy, policy->figures);
        policy->late = true;
        policy->has_policy = 1;
    }
    arena_free(&a);
    return status;
}
