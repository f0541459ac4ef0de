/* policy/policy.c - see policy.h. Maximum and total regret are always derived from the figures. Invariant (rule_check): the actions
 * of a rule ascend, with positive probabilities that sum to 1; environments ascend; likelihoods are at most 1. */
#include "policy/policy.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "know/induction.h"

/* ---- arguments -----------------------------------------------------------------------------------------------------------------
 *
 * Checks at the public interface, and the tables of methods and parts. Behind it a model is finished, 0 <= L
 * <= T, enums are in range, limits are not negative. Messages name the field and the values expected. */

static const double WEIGHT_MOST = 1e100; /* keeps sums of weights times values finite */

vouch_status check_model(const vouch_model *m, vouch_error *error)
{
    if (!m) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no model");
    if (!m->finished) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model is not finished");
    return VOUCH_OK;
}

vouch_status check_policy(const vouch_policy *p, const vouch_model *m, vouch_error *error)
{
    if (p->K * m->group != m->K)
        return error_set(error, VOUCH_ERROR_INPUT, "the policy is for %d environments, the model has %d", p->K, m->K / m->group);
    if (p->T != m->T) return error_set(error, VOUCH_ERROR_INPUT, "the policy is for horizon %d, the model has %d", p->T, m->T);
    return p->rule_count > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_INPUT, "the policy has no rules");
}

vouch_status check_limits(const vouch_limits *l, vouch_error *error)
{
    if (!(l->seconds >= 0))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "the time limit is %g; expected seconds, or 0: no limit", l->seconds);
    if (l->iterations < 0 || l->nodes < 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "a limit of work is negative; expected a number, or 0: no limit");
    return VOUCH_OK;
}

vouch_status check_threads(int threads, vouch_error *error)
{
    return threads >= 1 ? VOUCH_OK
                        : error_set(error, VOUCH_ERROR_ARGUMENT, "the number of threads is %d; expected at least 1", threads);
}

vouch_status check_lookahead(int L, int least, const vouch_model *m, vouch_error *error)
{
    if (L >= least && L <= m->T) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_ARGUMENT, "L is %d; expected %d .. %d (the horizon)", L, least, m->T);
}

vouch_status check_objective(const vouch_plan_options *o, const vouch_model *m, vouch_error *error)
{
    int number = (int)o->objective;
    double sum = 0;
    if (number < 0 || number >= VOUCH_OBJECTIVES)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no objective %d; expected 0 .. %d", number, VOUCH_OBJECTIVES - 1);
    if (o->objective != VOUCH_OBJECTIVE_WEIGHTED || !o->weights) return VOUCH_OK;
    for (int k = 0; k < m->K; k++) {
        if (!(o->weights[k] >= 0 && o->weights[k] <= WEIGHT_MOST))
            return error_set(error, VOUCH_ERROR_ARGUMENT, "the weight %g of environment %s is none; expected 0 .. %g",
                             o->weights[k], m->env_name[k], WEIGHT_MOST);
        sum += o->weights[k];
    }
    return sum > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_ARGUMENT, "all weights are 0; expected one above it");
}

vouch_status check_plan_options(vouch_plan_options *o, vouch_error *error)
{
    const vouch_method_description *about = vouch_method_describe(o->method);
    int engine = (int)o->engine;
    if (!about)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no method %d; expected 0 .. %d", (int)o->method,
                         VOUCH_METHOD_COUNT - 1);
    if (engine < VOUCH_ENGINE_AUTO || engine > VOUCH_ENGINE_LP)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no engine %d; expected %d .. %d", engine, VOUCH_ENGINE_AUTO,
                         VOUCH_ENGINE_LP);
    if (isnan(o->gap)) o->gap = about->gap;
    if (o->gap < 0) return error_set(error, VOUCH_ERROR_ARGUMENT, "the gap is negative");
    if (!(o->enough >= 0) || !(o->cutoff >= 0))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "enough and cutoff must not be negative");
    if (o->restarts < 0 || o->tie_break_work < 0 || o->class_limit < 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "restarts, tie_break_work and class_limit must not be negative");
    search_parts without;
    vouch_status status = parts_named(o->without, &without, error);
    if (!status) status = check_threads(o->threads, error);
    return status ? status : check_limits(&o->limits, error);
}

/* ---- the tables of methods (vouch/method.h) and of the parts of a search (vouch/search.h) ---------------------------- */

#define METHOD(name, function, ...) {__VA_ARGS__},
static const vouch_method_description METHODS[] = {VOUCH_METHODS(METHOD)};
#undef METHOD

const vouch_method_description *vouch_method_describe(vouch_method method)
{
    int number = (int)method;
    return number >= 0 && number < VOUCH_METHOD_COUNT ? &METHODS[number] : NULL;
}

const char *vouch_method_text(vouch_method method)
{
    const vouch_method_description *about = vouch_method_describe(method);
    return about ? about->word : "unknown";
}

int vouch_method_find(const char *word)
{
    if (!word) return -1;
    for (int i = 0; i < VOUCH_METHOD_COUNT; i++)
        if (strcmp(METHODS[i].word, word) == 0) return i;
    return -1;
}

#define ENTRY(name, ...) {__VA_ARGS__},
static const vouch_part_description PARTS[] = {VOUCH_PARTS(ENTRY)};
#undef ENTRY

_Static_assert(VOUCH_PART_COUNT <= 8 * sizeof(search_parts), "one bit a part");

const vouch_part_description *vouch_part_describe(vouch_part part)
{
    int number = (int)part;
    return number >= 0 && number < VOUCH_PART_COUNT ? &PARTS[number] : NULL;
}

static bool same_word(const char *a, size_t length, const char *word)
{
    return word && strlen(word) == length && memcmp(a, word, length) == 0;
}

/* Words of removed parts, for one version each. */
static const char *const GONE[] = {"stagnation-restart"};

static int find_part(const char *word, size_t length, int *old)
{
    for (int i = 0; i < VOUCH_PART_COUNT; i++)
        if (same_word(word, length, PARTS[i].word)) return i;
    for (int i = 0; i < VOUCH_PART_COUNT && old; i++)
        if (same_word(word, length, PARTS[i].was)) {
            *old = 1;
            return i;
        }
    for (size_t i = 0; i < sizeof GONE / sizeof *GONE && old; i++) *old |= same_word(word, length, GONE[i]);
    return -1;
}

int vouch_part_find(const char *word, int *old)
{
    if (!word) return -1;
    if (old) *old = 0;
    return find_part(word, strlen(word), old);
}

const char *vouch_part_kind_text(vouch_part_kind kind)
{
    static const char *const words[] = {"stage", "bound", "reduction", "heuristic", "tree", "spatial"};
    int number = (int)kind;
    return number >= 0 && number < (int)(sizeof words / sizeof *words) ? words[number] : "unknown";
}

search_parts parts_unproved(void)
{
    search_parts set = 0;
    for (int i = 0; i < VOUCH_PART_COUNT; i++)
        if (!PARTS[i].proved) set |= part_set((vouch_part)i);
    return set;
}

vouch_status parts_named(const char *list, search_parts *without, vouch_error *error)
{
    *without = 0;
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        int old = 0, part = find_part(at, length, &old);
        if (part < 0 && !old) {
            char words[512];
            size_t n = 0;
            for (int i = 0; i < VOUCH_PART_COUNT && n < sizeof words; i++)
                n += (size_t)format_text(words + n, sizeof words - n, "%s%s", i ? ", " : "", PARTS[i].word);
            return error_set(error, VOUCH_ERROR_ARGUMENT, "without: \"%.*s\" is no part of the search; expected one of %s",
                             (int)length, at, words);
        }
        if (part >= 0) *without |= part_set((vouch_part)part);
        at += length + (at[length] == ',');
    }
    return VOUCH_OK;
}

/* ---- see policy.h. Maximum and total regret are always derived from the figures. Invariant (rule_check) --------------------- */

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
    ARENA_FREE(policy);
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

void policy_sum_regrets(vouch_policy *policy)
{
    policy->max_regret = -INFINITY;
    policy->total_regret = 0;
    for (int k = 0; k < policy->K; k++) {
        policy->max_regret = fmax(policy->max_regret, policy->figures[k].regret);
        policy->total_regret += policy->figures[k].regret;
    }
}

void vouch_policy_set_figures(vouch_policy *policy, const vouch_environment_figures figures[])
{
    if (!policy || !figures) return;
    if (are_of_another(policy, figures)) {
        policy->outcome = VOUCH_PLAN_FEASIBLE;
        policy->bound = policy->total_bound = NAN;
    }
    policy->late = false;
    MEM_COPY(policy->figures, figures, policy->K);
    policy_sum_regrets(policy);
    for (int k = 0; k < policy->K; k++)
        if (isinf(figures[k].optimal_value)) policy->max_regret = NAN;
}

/* *own [K * promises]: a copy. */
static vouch_status set_probabilities(vouch_policy *policy, int promises, const double given[], double **own)
{
    if (!*own) *own = ARENA_NEW(&policy->memory, double, policy->K *promises);
    if (!*own) return VOUCH_ERROR_MEMORY;
    MEM_COPY(*own, given, policy->K * promises);
    return VOUCH_OK;
}

vouch_status vouch_policy_set_commitments(vouch_policy *policy, int promises, const double commitments[])
{
    if (!policy || !commitments || promises != policy->promises) return VOUCH_ERROR_ARGUMENT;
    return promises == 1 ? VOUCH_OK : set_probabilities(policy, promises, commitments, &policy->commitments);
}

vouch_status vouch_policy_set_worst(vouch_policy *policy, int promises, const double worst[])
{
    if (!policy || !worst || promises != policy->promises) return VOUCH_ERROR_ARGUMENT;
    return set_probabilities(policy, promises, worst, &policy->worst);
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

void figures_finish(const vouch_model *m, vouch_environment_figures figures[], int K)
{
    for (int k = 0; k < K; k++) {
        figures[k].optimal_value = model_given(m, figures[k].optimal_value);
        figures[k].value = model_given(m, figures[k].value);
    }
}

void policy_finish(vouch_policy *policy, const vouch_model *m)
{
    policy->sense = m->sense;
    figures_finish(m, policy->figures, policy->K);
    if (policy->objective != VOUCH_OBJECTIVE_REGRET) policy->bound = model_given(m, policy->bound);
}

double policy_value(const vouch_policy *policy)
{
    bool costs = policy->sense == VOUCH_MINIMISE;
    double sum = 0, least = costs ? -INFINITY : INFINITY;
    if (!policy->has_policy) return NAN;
    for (int k = 0; k < policy->K; k++) {
        least = costs ? fmax(least, policy->figures[k].value) : fmin(least, policy->figures[k].value);
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
        .sense = policy->sense,
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
        .worst = policy->worst,
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

/* ---- plans: a plan depends on (time, state) only, so it is propagated over them, in each environment:
 *
 *     mass(t, s; k) = sum over classes of (t, s) that begin it of reach share w_k  +  inflow from time t - 1.
 *
 * Cost: T S K and the reachable outcomes per plan, and the classes ---- */

void class_plans_free(class_plans *p)
{
    if (!p) return;
    MEM_FREE_ALL(p->table, p->start, p->plan, p->share, p);
}

/* Adds to mass [S * K] the inflow into plan j from the classes of time t. */
static void begin(const class_plans *p, const know_classes *c, int j, int t, const double reach[], double mass[])
{
    for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            if (p->plan[e] != j || !(reach[i] > 0)) continue;
            const double *w = know_class_weights(c, i);
            double *here = mass + (size_t)c->g->state[c->node[i]] * (size_t)c->K, part = reach[i] * p->share[e];
            for (int k = 0; k < c->K; k++) here[k] += part * w[k];
        }
}

/* One step from mass to next [S * K] by row [pairs]; returns a reached state without action, or -1. */
static int step(const know_graph *g, const double row[], const double mass[], double next[], double U[], bool seen[])
{
    const vouch_model *m = g->m;
    const size_t K = (size_t)g->K;
    int bare = -1;
    for (int s = 0; s < m->S; s++) {
        const double *here = mass + (size_t)s * K;
        bool any = false, acts = false;
        for (size_t k = 0; k < K; k++) any |= here[k] > 0;
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1] && any; q++) {
            if (!(row[q] > 0)) continue;
            acts = true;
            for (size_t k = 0; k < K; k++) {
                const mdp *env = &m->env[k];
                double part = here[k] * row[q];
                if (!(part > 0)) continue;
                if (U) U[k] += part * g->reward[(size_t)q * K + k];
                for (int o = env->start[q]; o < env->start[q + 1]; o++) next[(size_t)env->next[o] * K + k] += part * env->prob[o];
            }
        }
        if (any && seen) seen[s] = true;
        if (any && !acts && bare < 0) bare = s;
    }
    return bare;
}

/* Follows plan j from each class, with reach [classes] times its share: adds to U, Pr [K] (or NULL), sets seen [T * S] (or NULL) at
 * the places reached. *bare: time * S + state of a place reached without a rule, or -1. ERROR_MEMORY. */
static vouch_status plans_follow(const class_plans *p, const know_classes *c, int j, const double reach[], double U[], double Pr[],
                                 bool seen[], int *bare)
{
    const know_graph *g = c->g;
    const vouch_model *m = g->m;
    size_t numbers = (size_t)m->S * (size_t)c->K;
    double *mass = MEM_ZERO(double, 2 * numbers), *next = mass ? mass + numbers : NULL;
    *bare = -1;
    if (!mass) return VOUCH_ERROR_MEMORY;
    double *both = mass;
    for (int t = 0; t < g->T && *bare < 0; t++) {
        begin(p, c, j, t, reach, mass);
        memset(next, 0, numbers * sizeof *next);
        int s = step(g, p->table + ((size_t)j * (size_t)g->T + (size_t)t) * (size_t)m->pairs, mass, next, U,
                     seen ? seen + (size_t)t * (size_t)m->S : NULL);
        if (s >= 0) *bare = t * m->S + s;
        double *done = mass;
        mass = next;
        next = done;
    }
    for (int s = 0; s < m->S && Pr && *bare < 0; s++)
        for (int k = 0; k < c->K; k++) Pr[k] += mass[(size_t)s * (size_t)c->K + (size_t)k] * m->env[k].terminal[s];
    mem_free(both);
    return VOUCH_OK;
}

int plans_node(const know_graph *g, int t, int s)
{
    int n = g->time_start[t];
    while (n + 1 < g->time_start[t + 1] && g->state[n] != s) n++;
    return n;
}

double *plans_propagate(const know_classes *c, const double prob[], const class_plans *p, double U[], double Pr[], int *bare)
{
    double *reach = MEM_NEW(double, c->classes);
    if (!reach) return NULL;
    *bare = induction_evaluate(c, prob, p ? p->start : NULL, reach, U, Pr);
    if (*bare >= 0) *bare = c->node[*bare];
    for (int j = 0; p && j < p->count && *bare < 0; j++) {
        int place;
        if (plans_follow(p, c, j, reach, U, Pr, NULL, &place)) {
            mem_free(reach);
            return NULL;
        }
        if (place >= 0) *bare = plans_node(c->g, place / c->g->m->S, place % c->g->m->S);
    }
    return reach;
}

static int by_plan(const void *x, const void *y)
{
    const policy_rule *a = x, *b = y;
    if (a->plan != b->plan) return a->plan < b->plan ? -1 : 1;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->state > b->state) - (a->state < b->state);
}

int plans_rule(const vouch_policy *policy, int plan, int time, int state)
{
    const policy_rule wanted = {.plan = plan, .time = time, .state = state};
    size_t count = policy->rule_count - policy->plan_rules;
    const policy_rule *found =
        count > 0 ? bsearch(&wanted, policy->rules + policy->plan_rules, count, sizeof wanted, by_plan) : NULL;
    return found ? (int)(found - policy->rules) : -1;
}

/* Fills the actions of rule r from the plans it follows. False: out of memory. *lost: a plan without a rule here, or -1. */
static bool link_rule(vouch_policy *policy, policy_rule *r, int *lost)
{
    int count = 0;
    *lost = -1;
    for (int i = 0; i < r->follow_count; i++) {
        int at = plans_rule(policy, r->follow[i], r->time, r->state);
        if (at < 0) {
            *lost = r->follow[i];
            return true;
        }
        count += policy->rules[at].do_count;
    }
    r->action = ARENA_NEW(&policy->memory, int, count);
    r->next = ARENA_NEW(&policy->memory, int, count);
    r->prob = ARENA_NEW(&policy->memory, double, count);
    if (policy->memory.failed) return false;
    r->do_count = 0;
    for (int i = 0; i < r->follow_count; i++) {
        const policy_rule *plan = &policy->rules[plans_rule(policy, r->follow[i], r->time, r->state)];
        for (int a = 0; a < plan->do_count; a++) {
            r->action[r->do_count] = plan->action[a];
            r->next[r->do_count] = r->follow[i];
            r->prob[r->do_count++] = r->share[i] * plan->prob[a];
        }
    }
    return true;
}

vouch_status plans_link(vouch_policy *policy, size_t *lost, int *plan)
{
    policy->plan_rules = 0;
    while (policy->plan_rules < policy->rule_count && policy->rules[policy->plan_rules].kind != VOUCH_RULE_PLAN)
        policy->plan_rules++;
    size_t count = policy->rule_count - policy->plan_rules;
    if (count > 1) qsort(policy->rules + policy->plan_rules, count, sizeof *policy->rules, by_plan);
    for (size_t i = 0; i < policy->plan_rules; i++) {
        if (policy->rules[i].follow_count == 0) continue;
        if (!link_rule(policy, &policy->rules[i], plan)) return VOUCH_ERROR_MEMORY;
        *lost = i;
        if (*plan >= 0) return VOUCH_ERROR_INPUT;
    }
    return VOUCH_OK;
}

/* ---- rule <-> row of an array: prob[choices of node n] or prob[slots of class i] ------------------------------------------------
 *
 * A rule identifies its node by (t, s, environments), from L on by (t, s | boundary), its class by the nearest likelihood vector
 * within a tolerance (THEORY.md, sections 2 and 4). Rules are written for reached nodes and positive probabilities only; each row
 * sums to 1. */

static const double PROBABILITY_TOLERANCE = 1e-7;
static const double ROW_SUM_TOLERANCE = 1e-6; /* of a row from a solver or a file */

static int positive(const double prob[], int first, int last)
{
    int count = 0;
    for (int i = first; i < last; i++) count += prob[i] > 0;
    return count;
}

static void row_check(const double prob[], int first, int last)
{
    if (!CHECKING) return;
    double sum = 0;
    for (int i = first; i < last; i++) {
        CHECK_COMPARE(prob[i], >=, 0);
        sum += prob[i];
    }
    CHECK_COMPARE(fabs(sum - 1), <=, ROW_SUM_TOLERANCE);
}

int rules_from_nodes(const know_graph *g, const double prob[], const double reach[], vouch_policy *policy)
{
    for (int t = 0; t < g->T; t++)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            double most = 0;
            for (int k = 0; k < g->K; k++) most = fmax(most, reach[(size_t)n * (size_t)g->K + (size_t)k]);
            if (most <= 0) continue;
            int first = g->choice_start[n], last = g->choice_start[n + 1], boundary = g->boundary[n];
            int owner = boundary < 0 ? n : boundary;
            policy_rule *rule = policy_add_rule(policy, boundary < 0 ? VOUCH_RULE_KNOWLEDGE : VOUCH_RULE_BOUNDARY,
                                                know_set_size(g, g->set[owner]), positive(prob, first, last));
            if (!rule) return -1;
            rule->time = t;
            rule->state = g->state[n];
            memcpy(rule->env, g->member + g->member_start[g->set[owner]], (size_t)rule->env_count * sizeof(int));
            if (boundary >= 0) {
                rule->boundary_time = g->L;
                rule->boundary_state = g->state[boundary];
            }
            for (int c = first, i = 0; c < last; c++)
                if (prob[c] > 0) {
                    rule->action[i] = g->m->pair_action[g->choice_pair[c]];
                    rule->prob[i++] = prob[c];
                }
            row_check(prob, first, last);
        }
    return 0;
}

static vouch_status rule_error(vouch_error *error, size_t index, const char *what)
{
    return error_set(error, VOUCH_ERROR_INPUT, "rules[%zu]: %s", index, what);
}

vouch_status rules_missing(const vouch_model *m, int time, int state, vouch_error *error)
{
    return error_set(error, VOUCH_ERROR_INPUT, "no rule for time %d, state \"%.200s\", which the policy reaches", time,
                     m->state_name[state]);
}

/* Writes the rule's probabilities over the pairs of its state: out[i] belongs to pair pair_start + i. */
static vouch_status place_actions(const policy_rule *rule, size_t index, const vouch_model *m, double out[], vouch_error *error)
{
    double sum = 0;
    CHECK(rule->state >= 0 && rule->state < m->S);
    int first = m->pair_start[rule->state];
    for (int i = first; i < m->pair_start[rule->state + 1]; i++) out[i - first] = 0;
    for (int i = 0; i < rule->do_count; i++) {
        int q = model_pair(m, rule->state, rule->action[i]);
        if (q < 0) return rule_error(error, index, "an action that is not available in this state");
        if (!(rule->prob[i] >= 0 && rule->prob[i] <= 1 + PROBABILITY_TOLERANCE))
            return rule_error(error, index, "a probability outside 0 .. 1");
        out[q - first] += rule->prob[i];
        sum += rule->prob[i];
    }
    if (!(fabs(sum - 1) <= ROW_SUM_TOLERANCE)) return rule_error(error, index, "the probabilities of \"do\" do not sum to 1");
    for (int i = first; i < m->pair_start[rule->state + 1]; i++) out[i - first] /= sum;
    return VOUCH_OK;
}

/* ERROR_INPUT: rule `index` does not belong to a history policy of m or a plan, or its actions are unavailable or do not sum to 1.
 */
static vouch_status rules_check_actions(const policy_rule *rule, size_t index, const vouch_model *m, vouch_error *error)
{
    bool known = rule->kind == VOUCH_RULE_LIKELIHOOD || rule->kind == VOUCH_RULE_PLAN;
    if (!known || rule->time < 0 || rule->time >= m->T || rule->state < 0 || rule->state >= m->S)
        return rule_error(error, index, "a time or state that the model does not have, or no likelihood");
    if (rule->next) return VOUCH_OK; /* the rules of its plans are checked themselves */
    double *row = MEM_NEW(double, m->A);
    vouch_status status = row ? place_actions(rule, index, m, row, error) : error_memory(error);
    mem_free(row);
    return status;
}

/* The environments of a rule as promise rows of a graph, `group` for each. */
static int expand_members(const vouch_policy *policy, const policy_rule *rule, int K, int env[])
{
    int group = K / policy->K, count = 0;
    for (int i = 0; i < rule->env_count; i++)
        for (int j = 0; j < group; j++) env[count++] = rule->env[i] * group + j;
    return count;
}

typedef struct rule_placing {
    int *env;    /* [K of the graph] */
    double *row; /* [A] */
} rule_placing;

/* The node of a rule; -1: the graph has none. */
static int rule_node_of(const vouch_policy *policy, const policy_rule *rule, const know_graph *g, int env[])
{
    int count = expand_members(policy, rule, g->K, env);
    if (rule->kind == VOUCH_RULE_KNOWLEDGE && rule->time < g->L) return know_find_state(g, rule->time, rule->state, env, count);
    if (rule->kind != VOUCH_RULE_BOUNDARY || rule->time < g->L || rule->boundary_time != g->L) return -1;
    int boundary = know_find_state(g, g->L, rule->boundary_state, env, count);
    return boundary >= 0 ? know_find_boundary(g, rule->time, rule->state, boundary) : -1;
}

static vouch_status place_rules(const vouch_policy *policy, const know_graph *g, const rule_placing *x, double prob[],
                                vouch_error *error)
{
    memset(prob, 0, (size_t)g->choices * sizeof *prob);
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        if (rule->time < 0 || rule->time >= g->T || rule->state < 0 || rule->state >= g->m->S)
            return rule_error(error, i, "a time or state that the model does not have");
        int n = rule_node_of(policy, rule, g, x->env);
        if (n < 0) return rule_error(error, i, "no policy node of this model has this time, state and knowledge");
        CHECK(n < g->nodes && g->state[n] == rule->state);
        vouch_status status = place_actions(rule, i, g->m, x->row, error);
        if (status) return status;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            prob[c] = x->row[g->choice_pair[c] - g->m->pair_start[rule->state]];
    }
    return VOUCH_OK;
}

vouch_status rules_to_nodes(const vouch_policy *policy, const know_graph *g, double prob[], vouch_error *error)
{
    rule_placing x = {MEM_NEW(int, g->K), MEM_NEW(double, g->m->A)};
    vouch_status status = x.env && x.row ? place_rules(policy, g, &x, prob, error) : error_memory(error);
    MEM_FREE_ALL(x.env, x.row);
    return status;
}

/* key: time, state, set. False: out of memory. */
static bool index_rules(rules_index *x, int K, int env[], uint64_t key[])
{
    size_t words = (size_t)(K + 63) / 64;
    for (size_t i = 0; i < x->policy->rule_count; i++) {
        const policy_rule *rule = &x->policy->rules[i];
        if (rule->kind != VOUCH_RULE_KNOWLEDGE) continue;
        int count = expand_members(x->policy, rule, K, env);
        memset(key, 0, (words + 2) * sizeof *key);
        key[0] = (uint64_t)rule->time;
        key[1] = (uint64_t)rule->state;
        for (int j = 0; j < count; j++) bits_add(key + 2, env[j]);
        int id = intern_add(&x->places, key, NULL);
        if (id < 0) return false;
        x->rule[id] = (int)i; /* the last one holds */
    }
    return true;
}

vouch_status rules_index_make(rules_index *x, const vouch_policy *policy, const vouch_model *m)
{
    *x = (rules_index){.policy = policy, .m = m};
    int words = (m->K + 63) / 64, *env = MEM_NEW(int, m->K);
    x->key = MEM_NEW(uint64_t, words + 2);
    x->rule = MEM_NEW(int, policy->rule_count);
    bool made = env && x->key && x->rule && !intern_init(&x->places, words + 2) && index_rules(x, m->K, env, x->key);
    mem_free(env);
    if (!made) rules_index_free(x);
    return made ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

void rules_index_free(rules_index *x)
{
    intern_free(&x->places);
    MEM_FREE_ALL(x->key, x->rule);
    *x = (rules_index){0};
}

int rules_offered(void *context, int time, int state, const uint64_t set[], int pair[])
{
    rules_index *x = context;
    const vouch_model *m = x->m;
    x->key[0] = (uint64_t)time;
    x->key[1] = (uint64_t)state;
    memcpy(x->key + 2, set, (size_t)(m->K + 63) / 64 * sizeof *set);
    int id = intern_find(&x->places, x->key), count = 0;
    const policy_rule *rule = id < 0 ? NULL : &x->policy->rules[x->rule[id]];
    for (int q = m->pair_start[state]; rule && q < m->pair_start[state + 1]; q++) {
        bool takes = false;
        for (int i = 0; i < rule->do_count; i++) takes = takes || (rule->action[i] == m->pair_action[q] && rule->prob[i] > 0);
        if (takes) pair[count++] = q;
    }
    if (count == 0) pair[count++] = m->pair_start[state]; /* without probability */
    return count;
}

/* Appends the rule of class i, actions not filled; NULL: out of memory. */
static policy_rule *add_class(const know_classes *c, int i, int t, int do_count, vouch_policy *policy)
{
    policy_rule *rule = policy_add_rule(policy, VOUCH_RULE_LIKELIHOOD, 0, do_count);
    if (!rule) return NULL;
    rule->time = t;
    rule->state = c->g->state[c->node[i]];
    memcpy(rule->likelihood, know_class_weights(c, i), (size_t)c->K * sizeof(double));
    return rule;
}

/* Fills the plans that class i follows; number [plans]: their numbers in the policy. */
static int add_followed(const class_plans *plans, int i, const int number[], policy_rule *rule, vouch_policy *policy)
{
    int first = plans->start[i], count = plans->start[i + 1] - first;
    if (policy_follow(policy, rule, count)) return -1;
    for (int e = 0; e < count; e++) {
        rule->follow[e] = number[plans->plan[first + e]];
        rule->share[e] = plans->share[first + e];
    }
    return 0;
}

/* Appends the rules of plan j at the places it reaches. */
static int add_plan(const know_classes *c, const class_plans *plans, int j, int number, const double reach[], vouch_policy *policy)
{
    const vouch_model *m = c->g->m;
    int bare, failed = 0;
    bool *seen = MEM_ZERO(bool, (size_t)m->T *(size_t)m->S);
    if (!seen) return -1;
    if (plans_follow(plans, c, j, reach, NULL, NULL, seen, &bare)) failed = -1;
    CHECK(failed || bare < 0);
    for (int i = 0; i < m->T * m->S && !failed; i++) {
        if (!seen[i]) continue;
        int first = m->pair_start[i % m->S], last = m->pair_start[i % m->S + 1];
        const double *row = plans->table + ((size_t)j * (size_t)m->T + (size_t)(i / m->S)) * (size_t)m->pairs;
        policy_rule *rule = policy_add_rule(policy, VOUCH_RULE_PLAN, 0, positive(row, first, last));
        if (!rule) {
            failed = -1;
            break;
        }
        rule->plan = number;
        rule->time = i / m->S;
        rule->state = i % m->S;
        for (int q = first, a = 0; q < last; q++)
            if (row[q] > 0) {
                rule->action[a] = m->pair_action[q];
                rule->prob[a++] = row[q];
            }
        row_check(row, first, last);
    }
    mem_free(seen);
    return failed;
}

/* number [plans]: consecutive numbers of the plans that reached classes follow; -1: unused. */
static int number_plans(const know_classes *c, const class_plans *plans, const double reach[], int number[])
{
    int count = 0;
    for (int j = 0; j < plans->count; j++) number[j] = -1;
    for (int i = 0; i < c->classes; i++)
        for (int e = plans->start[i]; e < plans->start[i + 1] && reach[i] > 0; e++) number[plans->plan[e]] = 0;
    for (int j = 0; j < plans->count; j++)
        if (number[j] == 0) number[j] = count++;
    return count;
}

/* Appends the rules of classes, then of plans numbered by number [plans]. */
static int add_classes(const know_classes *c, const double prob[], const class_plans *plans, const double reach[], int number[],
                       vouch_policy *policy)
{
    const know_graph *g = c->g;
    for (int t = 0; t < g->T; t++)
        for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++) {
            if (reach[i] <= 0) continue;
            int first = c->slot_start[i], last = c->slot_start[i + 1];
            policy_rule *rule = add_class(c, i, t, positive(prob, first, last), policy);
            if (!rule) return -1;
            if (plans && plans->start[i + 1] > plans->start[i]) {
                if (add_followed(plans, i, number, rule, policy)) return -1;
                continue;
            }
            for (int slot = first, j = 0; slot < last; slot++)
                if (prob[slot] > 0) {
                    rule->action[j] = g->m->pair_action[g->choice_pair[c->slot_option[slot]]];
                    rule->prob[j++] = prob[slot];
                }
            row_check(prob, first, last);
        }
    for (int j = 0; plans && j < plans->count; j++)
        if (number[j] >= 0 && add_plan(c, plans, j, number[j], reach, policy)) return -1;
    return 0;
}

int rules_from_classes(const know_classes *c, const double prob[], const class_plans *plans, const double reach[],
                       vouch_policy *policy)
{
    if (!plans) return add_classes(c, prob, NULL, reach, NULL, policy);
    size_t lost;
    int plan, *number = MEM_NEW(int, plans->count);
    if (!number) return -1;
    policy->plans = number_plans(c, plans, reach, number);
    int failed = add_classes(c, prob, plans, reach, number, policy);
    mem_free(number);
    return failed || plans_link(policy, &lost, &plan) ? -1 : 0;
}

/* ---- the classes that a history policy reaches: rules are sorted by (time, state, a weighted sum of the likelihoods). A class
 * finds its rule, of equal likelihoods up to rounding, by bisection over the sum and comparison of the neighbours ---- */

static const double NEAR = 1e-7;        /* tolerance of likelihoods, in the largest entry */
static const double MOST_NUMBERS = 2e8; /* limit on the table of plans, for memory */

typedef struct rule_place {
    int time, state;
    double sum;
    size_t rule;
} rule_place;

typedef struct rule_reader {
    const vouch_policy *policy;
    const know_graph *g;
    rule_place *order; /* [count] rules of classes */
    size_t count;
    int group;    /* rows of the model per environment of the policy */
    int *rule_of; /* [met] index in order of each class, or -1 */
    int met;
    size_t capacity;
    bool failed;
} rule_reader;

/* A weighted sum with golden-ratio weights, so that different vectors rarely have equal sums. */
static double weighted(const double w[], int K, int group)
{
    double sum = 0, golden = 0.5;
    for (int k = 0; k < K; k += group) {
        golden += 0.6180339887498949;
        golden -= floor(golden);
        sum += (0.5 + golden) * w[k];
    }
    return sum;
}

static int by_place(const void *x, const void *y)
{
    const rule_place *a = x, *b = y;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->sum != b->sum) return a->sum < b->sum ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* The index in order of the rule nearest to a class, or -1. */
static int find(const rule_reader *r, rule_place at, const double w[])
{
    const vouch_policy *policy = r->policy;
    double slack = 2 * NEAR * policy->K, least = NEAR;
    size_t low = 0, high = r->count;
    int best = -1;
    at.rule = 0;
    at.sum -= slack;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&r->order[middle], &at) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < r->count; low++) {
        const rule_place *p = &r->order[low];
        if (p->time != at.time || p->state != at.state || p->sum > at.sum + 2 * slack) break;
        const double *likelihood = policy->rules[p->rule].likelihood;
        double most = 0;
        for (int k = 0; k < policy->K && most <= least; k++) most = fmax(most, fabs(likelihood[k] - w[k * r->group]));
        if (most > least) continue;
        least = most;
        best = (int)low;
    }
    return best;
}

static void want(void *context, const know_classes *made, int i, unsigned char wanted[])
{
    rule_reader *r = context;
    const know_graph *g = r->g;
    const double *w = know_class_weights(made, i);
    int node = made->node[i];
    int at = find(r, (rule_place){know_time(g, node), g->state[node], weighted(w, g->K, r->group), 0}, w);
    if (MEM_RESERVE(&r->rule_of, &r->capacity, r->met)) {
        r->failed = true;
        return;
    }
    r->rule_of[r->met++] = at;
    if (at < 0) return;
    const policy_rule *rule = &r->policy->rules[r->order[at].rule];
    if (rule->follow_count > 0) return;
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++)
        for (int j = 0; j < rule->do_count; j++)
            if (rule->prob[j] > 0 && g->m->pair_action[g->choice_pair[c]] == rule->action[j])
                wanted[g->choice_twin[c] - g->choice_start[node]] = 1;
}

/* Fills prob of the slots of class i from its rule. */
static void fill(const rule_reader *r, const know_classes *c, int i, double prob[])
{
    const know_graph *g = r->g;
    int node = c->node[i];
    if (r->rule_of[i] < 0) return;
    const policy_rule *rule = &r->policy->rules[r->order[r->rule_of[i]].rule];
    double sum = 0;
    if (rule->follow_count > 0) return;
    for (int j = 0; j < rule->do_count; j++) sum += rule->prob[j];
    for (int choice = g->choice_start[node]; choice < g->choice_start[node + 1]; choice++)
        for (int j = 0; j < rule->do_count; j++)
            for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
                if (g->m->pair_action[g->choice_pair[choice]] == rule->action[j] && c->slot_option[slot] == g->choice_twin[choice])
                    prob[slot] += rule->prob[j] / sum;
}

static vouch_status order_rules(rule_reader *r, vouch_error *error)
{
    const vouch_policy *policy = r->policy;
    r->order = MEM_NEW(rule_place, policy->rule_count);
    if (!r->order) return error_memory(error);
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        vouch_status status = rules_check_actions(rule, i, r->g->m, error);
        if (status) return status;
        if (rule->kind == VOUCH_RULE_LIKELIHOOD)
            r->order[r->count++] = (rule_place){rule->time, rule->state, weighted(rule->likelihood, policy->K, 1), i};
    }
    if (r->count > 1) qsort(r->order, r->count, sizeof *r->order, by_place);
    return VOUCH_OK;
}

/* The rule of class i if it follows plans, else NULL. */
static const policy_rule *followed(const rule_reader *r, const know_classes *c, int i)
{
    if (i >= c->time_start[c->g->T] || r->rule_of[i] < 0) return NULL;
    const policy_rule *rule = &r->policy->rules[r->order[r->rule_of[i]].rule];
    return rule->follow_count > 0 ? rule : NULL;
}

/* Reads the plans of the policy, and the plans of each class. */
static vouch_status read_plans(const rule_reader *r, const know_classes *c, class_plans **out, vouch_error *error)
{
    const vouch_policy *policy = r->policy;
    const vouch_model *m = c->g->m;
    size_t entries = 0, pairs = (size_t)m->pairs;
    if ((double)policy->plans * m->T * m->pairs > MOST_NUMBERS)
        return error_set(error, VOUCH_ERROR_INPUT, "the policy is a mixture of %d plans, which is too many for this model",
                         policy->plans);
    for (int i = 0; i < c->classes; i++) entries += followed(r, c, i) ? (size_t)followed(r, c, i)->follow_count : 0;
    class_plans *p = *out = MEM_ZERO(class_plans, 1);
    if (!p || entries > INT_MAX) return error_memory(error);
    p->count = policy->plans;
    p->table = MEM_ZERO(double, (size_t)p->count *(size_t)m->T *pairs);
    p->start = MEM_NEW(int, c->classes + 1);
    p->plan = MEM_NEW(int, entries);
    p->share = MEM_NEW(double, entries);
    if (!p->table || !p->start || !p->plan || !p->share) return error_memory(error);
    p->start[0] = 0;
    for (int i = 0; i < c->classes; i++) {
        const policy_rule *rule = followed(r, c, i);
        int at = p->start[i];
        for (int e = 0; rule && e < rule->follow_count; e++, at++) {
            p->plan[at] = rule->follow[e];
            p->share[at] = rule->share[e];
        }
        p->start[i + 1] = at;
    }
    for (size_t i = policy->plan_rules; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        double *row = p->table + ((size_t)rule->plan * (size_t)m->T + (size_t)rule->time) * pairs;
        for (int a = 0; a < rule->do_count; a++) row[model_pair(m, rule->state, rule->action[a])] = rule->prob[a];
    }
    return VOUCH_OK;
}

vouch_status rules_to_reached(const vouch_policy *policy, const know_graph *g, long long limit, know_classes **classes,
                              double **prob, class_plans **plans, vouch_error *error)
{
    rule_reader r = {.policy = policy, .g = g, .group = g->K / policy->K};
    class_guide guide = {&r, want};
    *classes = NULL;
    *prob = NULL;
    *plans = NULL;
    vouch_status status = order_rules(&r, error);
    if (!status) status = know_classes_guided(g, &guide, limit, NULL, classes, error);
    if (!status && (r.failed || !(*prob = MEM_ZERO(double, (*classes)->slots)))) status = error_memory(error);
    if (!status)
        for (int i = 0; i < (*classes)->time_start[g->T]; i++) fill(&r, *classes, i, *prob);
    if (!status && policy->plans > 0) status = read_plans(&r, *classes, plans, error);
    MEM_FREE_ALL(r.order, r.rule_of);
    return status;
}
