/* plan/proof.c - see proof.h. O(lines). The claimed bound is the tree's and the claimed value the policy's, each with a margin for
 * rounding, so that both hold in exact arithmetic. */
#include "plan/proof.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* A node at L that is the boundary of rules. */
typedef struct named_boundary {
    const policy_rule *rule; /* its first rule */
    int number;
} named_boundary;

typedef struct proof_teller {
    const vouch_plan_options *o;
    const vouch_policy *policy;
    int group; /* rows of an environment in the policy */
    int named;
    named_boundary *boundary; /* [boundaries] */
    size_t boundaries, room;
    bool failed;          /* out of memory */
    const vouch_model *m; /* given */
} proof_teller;

static void print(const proof_teller *w, const char *form, ...)
{
    char text[512];
    va_list list;
    va_start(list, form);
    int length = format_list(text, sizeof text, form, list);
    va_end(list);
    CHECK(length >= 0 && (size_t)length < sizeof text);
    w->o->proof(w->o->proof_context, text);
}

static void print_environments(const proof_teller *w, const policy_rule *rule)
{
    if (rule->env_count == w->policy->K) print(w, "*");
    for (int i = 0; i < rule->env_count && rule->env_count < w->policy->K; i += w->group)
        print(w, "%s%d", i ? "," : "", rule->env[i] / w->group);
    print(w, "\n");
}

/* The number of the boundary of a rule after L, named at first use. */
static int boundary_of(proof_teller *w, const policy_rule *rule)
{
    for (size_t i = 0; i < w->boundaries; i++) {
        const policy_rule *other = w->boundary[i].rule;
        if (other->boundary_state == rule->boundary_state && other->env_count == rule->env_count &&
            memcmp(other->env, rule->env, (size_t)rule->env_count * sizeof *rule->env) == 0)
            return w->boundary[i].number;
    }
    if (mem_reserve((void **)&w->boundary, &w->room, w->boundaries, sizeof *w->boundary)) {
        w->failed = true;
        return 0;
    }
    print(w, "node %d %d %d - ", w->named, rule->boundary_time, rule->boundary_state);
    print_environments(w, rule);
    w->boundary[w->boundaries++] = (named_boundary){rule, w->named};
    return w->named++;
}

static void print_actions(const proof_teller *w, const policy_rule *rule)
{
    for (int i = 0; i < rule->do_count; i++)
        if (rule->do_count == 1)
            print(w, " %d", rule->action[i]);
        else
            print(w, " %d=%.17g", rule->action[i], rule->prob[i]);
    print(w, "\n");
}

/* Is it a history policy? A Markov policy is one that ignores the likelihoods. */
static bool of_history(const proof_teller *w) { return w->o->method == VOUCH_METHOD_HISTORY; }

static void print_rule(proof_teller *w, const policy_rule *rule)
{
    CHECK(rule->kind != VOUCH_RULE_PLAN && !rule->next); /* proofs have no expanded classes (plan/history.c) */
    if (of_history(w)) {
        print(w, "like %d %d", rule->time, rule->state);
        for (int k = 0; k < w->policy->K; k += w->group) {
            double likelihood = rule->kind == VOUCH_RULE_LIKELIHOOD ? rule->likelihood[k] : 1;
            if (likelihood > 0) print(w, " %d=%.17g", k / w->group, likelihood);
        }
        print(w, " ;");
        print_actions(w, rule);
        return;
    }
    bool after = rule->kind == VOUCH_RULE_BOUNDARY && rule->time > rule->boundary_time;
    int boundary = after ? boundary_of(w, rule) : -1;
    print(w, "node %d %d %d ", w->named, rule->time, rule->state);
    if (after) {
        print(w, "%d\n", boundary);
    } else {
        print(w, "- ");
        print_environments(w, rule);
    }
    print(w, "do %d", w->named++);
    print_actions(w, rule);
}

vouch_status proof_copy(const vouch_plan_options *o, FILE *lines)
{
    char text[4096];
    bool whole = !ferror(lines) && !fflush(lines);
    rewind(lines);
    for (size_t got; (got = fread(text, 1, sizeof text - 1, lines)) > 0;) {
        text[got] = '\0';
        o->proof(o->proof_context, text);
    }
    return !whole || ferror(lines) ? VOUCH_ERROR_IO : VOUCH_OK;
}

vouch_status proof_open(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    call->proof = NULL;
    if (!o->proof) return VOUCH_OK;
    if (call->m->join || (call->unrolled && call->unrolled->m->join))
        return error_set(
            call->error, VOUCH_ERROR_ARGUMENT,
            "proofs are written of models with one initial state and promises of kind \"at\"; vouch convert --joined writes "
            "such a model, to be planned for anew");
    bool bounded = o->method == VOUCH_METHOD_MILP_CCL || o->method == VOUCH_METHOD_HISTORY || o->method == VOUCH_METHOD_EXACT_CCL;
    if (bounded && proof_writer_new(&call->proof)) return error_memory(call->error);
    if (call->unrolled)
        proof_of_unrolled(call->proof, call->unrolled->m->K * call->m->J, call->unrolled->g->time_start[call->m->T]);
    bool total = o->method == VOUCH_METHOD_MILP_CCL && o->least_total_regret && o->objective == VOUCH_OBJECTIVE_REGRET;
    if (total && proof_writer_new(&call->total)) return error_memory(call->error);
    return VOUCH_OK;
}

void proof_close(plan_call *call)
{
    proof_writer_free(call->proof);
    proof_writer_free(call->total);
    call->proof = call->total = NULL;
}

/* Margin of a claimed regret. U* is known up to `steep` (policy/space.h): the checker reads probabilities as decimals, vouch
 * rounded them. */
static double regret_off(const vouch_model *m, double regret, double steep)
{
    return proof_kept_off(m, regret) + m->scale.spread * steep;
}

double proof_cap(const vouch_model *m, double cap, double steep)
{
    cap *= m->scale.spread;
    return cap + regret_off(m, cap, steep);
}

/* Returns the claimed bound. bound: -INFINITY if none is shown. */
static double claim_regret(const proof_teller *w, const char *what, double value, double bound, double off)
{
    bound = fmax(0, fmin(bound, value) - off);
    print(w, "claim %s %.17g %.17g\n", what, value + off, bound);
    return bound;
}

double proof_value(const vouch_policy *policy, int group)
{
    double sum = 0, least = INFINITY;
    for (int k = 0; k < policy->K; k += group) {
        least = fmin(least, policy->figures[k].value);
        if (policy->weights) sum += policy->weights[k / group] * policy->figures[k].value;
    }
    return policy->weights ? sum : least;
}

/* The same for the value of another objective, written as a regret against the optimum 0. bound: of that regret. */
static double claim_value(const proof_teller *w, double bound, double off)
{
    double value = proof_value(w->policy, w->group);
    bound = fmax(value, -bound) + off;
    print(w, "claim value %.17g", value - off);
    if (isfinite(bound)) print(w, " %.17g", bound);
    print(w, "\n");
    return bound;
}

/* Baselines may break promises. */
static bool kept(const vouch_policy *policy, const vouch_model *m)
{
    bool all = true;
    int J = m->group;
    for (int k = 0; k < policy->K; k++) all = all && commitment_kept(policy->figures[k].commitment_probability, m->env[k].p);
    for (int j = 0; j < J; j++) {
        double mean = 0;
        if (!vouch_model_promise_is_average(m, j)) continue;
        for (int k = 0; k < policy->K; k += J) mean += vouch_model_prior(m, k / J) * policy->figures[k + j].commitment_probability;
        all = all && vouch_model_mean_kept(m, j, mean);
    }
    return all;
}

/* The policy and, if it keeps its promises, its claims; returns the bound. */
static double print_policy(proof_teller *w, const vouch_model *m, double least)
{
    const vouch_policy *policy = w->policy;
    double weights = policy->weights ? 0 : 1;
    for (int k = 0; k < policy->K / w->group && policy->weights; k++) weights += policy->weights[k];
    bool claimed = policy->has_policy && (w->m != m || kept(policy, m));
    for (size_t i = 0; i < policy->rule_count && claimed; i++) print_rule(w, &policy->rules[i]);
    mem_free(w->boundary);
    if (!claimed) return policy->objective == VOUCH_OBJECTIVE_REGRET ? 0 : INFINITY;
    return policy->objective == VOUCH_OBJECTIVE_REGRET
               ? claim_regret(w, "regret", policy->max_regret, least, regret_off(m, policy->max_regret, policy->steep))
               : claim_value(w, least, weights * proof_kept_off(m, proof_value(policy, w->group) / weights));
}

/* The environment of row `alone` cannot keep its promises. */
static vouch_status print_conflict(const proof_teller *w, const vouch_model *m, int alone)
{
    double *p = MEM_NEW(double, m->K), *mu = MEM_ZERO(double, m->group);
    vouch_status status = p && mu ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K && !status; k++) p[k] = m->env[k].p;
    if (!status && m->group > 1) status = dp_conflict(m, alone, p, mu);
    print(w, "tree %s 1\nempty 1", proof_subject(w->policy->objective));
    if (m->group == 1) print(w, " %d=1", alone);
    for (int j = 0; j < m->group && m->group > 1 && !status; j++)
        if (mu[j] > 0) print(w, " %d=%.12g", alone - alone % m->group + j, mu[j]);
    print(w, "\nclaim infeasible\n");
    mem_free(p);
    mem_free(mu);
    return status;
}

/* digits: of the tolerance of promises, 17, or as many as its double has. */
static void print_plan(const proof_teller *w, int digits)
{
    const vouch_policy *policy = w->policy;
    double keep = -commitment_threshold(0, KEEP_TOLERANCE, policy->T);
    print(w, "plan %s %d %d %.17g %.*g", policy->method, of_history(w) ? policy->T : policy->L, policy->T, policy->p, digits, keep);
    if (policy->objective != VOUCH_OBJECTIVE_REGRET) print(w, " %s", vouch_objective_text(policy->objective));
    for (int k = 0; k < policy->K / w->group && policy->weights; k++) print(w, " %d=%.17g", k, policy->weights[k]);
    print(w, "\n");
    if (vouch_model_has_error(w->m)) print(w, "within %.17g\n", vouch_model_within(w->m));
}

/* All policy nodes, by their own numbers, and natures. */
static void print_natures(const proof_teller *w, const proof_unrolled *x)
{
    const know_graph *g = x->g;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int t = know_time(g, n), set = g->set[n], size = know_set_size(g, set);
        print(w, t > g->L ? "node %d %d %d %d\n" : "node %d %d %d - ", n, t, g->state[n], g->boundary[n]);
        if (t > g->L) continue;
        if (size == g->K) print(w, "*");
        for (int i = 0; i < size && size < g->K; i++) print(w, "%s%d", i ? "," : "", g->member[g->member_start[set] + i]);
        print(w, "\n");
    }
    for (int i = 0; i < x->natures; i++) {
        print(w, "nature %d %d", i, x->list[i].k * x->m->J + x->list[i].j);
        for (int n = 0; n < g->time_start[g->T]; n++)
            if (x->list[i].value[n] > 0) print(w, " %d=%.17g", n, x->list[i].value[n]);
        print(w, "\n");
    }
}

vouch_status proof_tell(const plan_call *call, const vouch_model *m, int alone)
{
    const vouch_policy *policy = call->policy;
    const proof_writer *tree = call->proof, *second = call->total;
    const proof_unrolled *x = call->unrolled;
    proof_teller w = {.o = call->options, .policy = policy, .group = m->group, .m = x ? x->m : call->m};
    bool shown = tree && proof_whole(tree);
    vouch_status status = tree ? tree->status : VOUCH_OK;
    if (x) w.policy = x->policy, w.group = 1;
    print_plan(&w, 17);
    if (x) print_natures(&w, x), w.named = x->g->time_start[x->g->T];
    if (alone < 0 && m->scale.raised) print(&w, "floor %.17g\n", m->scale.least);
    if (alone >= 0) return print_conflict(&w, m, alone);
    if (shown && !status) {
        status = proof_copy(w.o, tree->lines);
        w.named = tree->named;
    }
    bool total = shown && !status && second && proof_whole(second);
    if (total) {
        status = proof_copy(w.o, second->lines);
        w.named = second->named;
    }
    if (status) return status;
    if (policy->outcome == VOUCH_PLAN_INFEASIBLE && shown && tree->least == INFINITY) {
        print(&w, "claim infeasible\n");
        return VOUCH_OK;
    }
    double bound = print_policy(&w, m, shown ? proof_least(tree) : -INFINITY), total_bound = NAN;
    if (total && policy->has_policy && kept(policy, m)) /* rows of one environment share its regret */
        total_bound = m->group * claim_regret(&w, "total", policy->total_regret / m->group, proof_least(second),
                                              policy->K * regret_off(m, policy->max_regret, policy->steep));
    if (policy->outcome == VOUCH_PLAN_INFEASIBLE) call->policy->outcome = VOUCH_PLAN_LIMIT; /* not proved */
    call->policy->bound = bound;
    call->policy->total_bound = total_bound;
    for (int k = 0; k < policy->K && policy->determinism && policy->objective == VOUCH_OBJECTIVE_REGRET; k++)
        policy->determinism[k] = fmin(policy->determinism[k], bound); /* at most the bound on the regret */
    return w.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

vouch_status proof_tell_exact(const plan_call *call, const vouch_model *m, const proof_writer *tree, const char *value,
                              const char *bound)
{
    vouch_policy *policy = call->policy;
    proof_teller w = {.o = call->options, .policy = policy, .group = m->group, .m = m};
    print_plan(&w, 100);
    print(&w, "exact\n");
    vouch_status status = proof_copy(w.o, tree->lines);
    w.named = tree->named;
    for (size_t i = 0; i < policy->rule_count && !status; i++) print_rule(&w, &policy->rules[i]);
    mem_free(w.boundary);
    print(&w, "claim %s %s %s\n", proof_subject(policy->objective), value, bound);
    policy->total_bound = NAN;
    return status ? status : w.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}
