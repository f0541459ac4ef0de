/* rules/tree.c - decision trees of policies: making and checking them; see rules.h and vouch/decision_tree.h. */
#include "rules/rules.h"

/* The leaves have the decisions of the sample, at each place. */
static void check(vouch_decision_tree *t, const sample *s, rule_tree *of)
{
    for (int i = 0; i < s->count; i++) {
        int leaf = tree_leaf(&t->f, of, &s->place[i]);
        if (tree_choose(t, of, leaf, s->place[i].state) == s->decision[i]) continue;
        escape_fail(&t->memory, VOUCH_ERROR_INPUT,
                    "two places of the policy at time %d, state \"%.200s\" have different actions, but nothing that a rule may ask "
                    "separates them",
                    s->place[i].time + t->f.first, vouch_model_state_name(t->model, s->place[i].state));
    }
}

/* Depth and leaves below a node that is reached. */
static void measure(rule_tree *of, int node, int depth)
{
    const rule_node *n = &of->node[node];
    of->depth = depth > of->depth ? depth : of->depth;
    if (n->feature < 0) {
        of->leaves++;
        return;
    }
    measure(of, n->yes, depth + 1);
    measure(of, n->no, depth + 1);
}

/* The exact tree of a policy. */
static void fit(vouch_decision_tree *t, const vouch_policy *policy, sample *s, rule_tree *out)
{
    sample_make(t, policy, s);
    if (s->count == 0) escape_fail(&t->memory, VOUCH_ERROR_INPUT, "the policy decides nothing");
    tree_grow_exact(&t->f, s, out);
    tree_count(t, s, out);
    check(t, s, out);
}

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

/* Leaves list no decision but those taken at a place; at other leaves the first one. */
static void keep_used(vouch_decision_tree *t, const sample *s, rule_tree *of)
{
    bool *used = escape_zero(&t->memory, of->nodes * t->decisions, sizeof *used);
    for (int i = 0; i < s->count; i++) {
        int leaf = tree_leaf(&t->f, of, &s->place[i]);
        used[(size_t)leaf * t->decisions + (size_t)tree_choose(t, of, leaf, s->place[i].state)] = true;
    }
    for (size_t n = 0; n < of->nodes; n++) {
        rule_node *at = &of->node[n];
        int kept = 0;
        for (int i = 0; i < at->choices; i++)
            if (used[n * t->decisions + (size_t)at->choice[i]]) at->choice[kept++] = at->choice[i];
        at->choices = kept ? kept : at->choices > 0;
    }
    escape_free(&t->memory, used);
}

/* commitments: [K * promises] */
static void find_least(vouch_decision_tree *t, const double commitments[])
{
    int K = t->f.K, J = vouch_model_promises(t->model);
    t->least = escape_new(&t->memory, (size_t)J, sizeof *t->least);
    for (int j = 0; j < J; j++) {
        bool average = vouch_model_promise_is_average(t->model, j);
        least_kept mean = {.environment = -1, .promised = vouch_model_promise_probability(t->model, j, 0)}, *least = &t->least[j];
        for (int k = 0; k < K; k++) {
            least_kept here = {k, commitments[k * J + j], vouch_model_promise_probability(t->model, j, k)};
            mean.probability += vouch_model_prior(t->model, k) * here.probability;
            if (k == 0 || here.probability - here.promised < least->probability - least->promised) *least = here;
        }
        if (average) *least = mean;
    }
}

static void evaluate_smaller(vouch_decision_tree *t)
{
    escape *e = &t->memory;
    size_t K = (size_t)t->f.K, J = (size_t)vouch_model_promises(t->model);
    vouch_environment_figures *of = escape_new(e, K, sizeof *of);
    double *commitments = escape_new(e, K * J, sizeof *commitments), given = -INFINITY;
    int kept;
    must(e, vouch_policy_evaluate_promises(t->policy, t->model, of, commitments, &kept, e->error));
    for (size_t k = 0; k < K; k++) given = fmax(given, of[k].regret);
    must(e, vouch_policy_evaluate_promises(t->smaller, t->model, of, commitments, &t->size.kept, e->error));
    vouch_policy_set_figures(t->smaller, of);
    if (vouch_policy_set_commitments(t->smaller, (int)J, commitments) == VOUCH_ERROR_MEMORY) escape_memory(e);
    find_least(t, commitments);
    t->size.smaller = 1;
    t->size.given_max_regret = given;
    t->size.max_regret = t->smaller->max_regret;
}

static void make_smaller(vouch_decision_tree *t, const sample *s, int leaves)
{
    sample of_smaller;
    rule_tree exact;
    if (t->policy->plans > 0)
        escape_fail(&t->memory, VOUCH_ERROR_INPUT, "the policy follows plans; it has exact rules, but no smaller ones");
    rules_make_smaller(t, s, leaves);
    fit(t, t->smaller, &of_smaller, &exact);
    if (exact.leaves <= leaves) {
        t->t = exact;
    } else {
        keep_used(t, &of_smaller, &t->t);
        check(t, &of_smaller, &t->t);
    }
    evaluate_smaller(t);
    t->size.places = of_smaller.count;
}

typedef struct making {
    vouch_decision_tree *t;
    int leaves;
} making;

static void make(void *object)
{
    making *x = object;
    vouch_decision_tree *t = x->t;
    const vouch_policy *p = t->policy;
    sample s;
    must(&t->memory, check_model(t->model, t->memory.error));
    must(&t->memory, check_policy(p, t->model, t->memory.error));
    bool history = p->rules[0].kind == VOUCH_RULE_LIKELIHOOD;
    features_make(&t->f, t->model, history ? p->T : p->L, history, p->plans > 0, &t->memory);
    fit(t, p, &s, &t->t);
    t->size.places = s.count;
    if (x->leaves > 0 && t->t.leaves > x->leaves) make_smaller(t, &s, x->leaves);
    t->t.leaves = t->t.depth = 0;
    measure(&t->t, 0, 0);
    t->size.leaves = t->t.leaves;
    t->size.depth = t->t.depth;
}

vouch_status vouch_decision_tree_new(vouch_decision_tree **out, const vouch_policy *policy, const vouch_model *model, int leaves,
                                     vouch_error *error)
{
    if (!out || !policy) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no policy, or no place for its decision tree");
    *out = NULL;
    if (leaves < 0) return error_set(error, VOUCH_ERROR_ARGUMENT, "the leaves are %d; expected a number, or 0: exact", leaves);
    vouch_decision_tree *t = MEM_ZERO(vouch_decision_tree, 1);
    if (!t) return error_memory(error);
    t->memory.error = error;
    t->model = model;
    t->policy = policy;
    vouch_status status = escape_try(&t->memory, make, &(making){t, leaves});
    t->memory.error = NULL;
    if (status)
        vouch_decision_tree_free(t);
    else
        *out = t;
    return status;
}

void vouch_decision_tree_free(vouch_decision_tree *t)
{
    if (!t) return;
    escape_end(&t->memory);
    vouch_policy_free(t->smaller);
    mem_free(t);
}

void vouch_decision_tree_get_size(const vouch_decision_tree *t, vouch_decision_tree_size *size)
{
    if (size) *size = t ? t->size : (vouch_decision_tree_size){0};
}

const vouch_policy *vouch_decision_tree_policy(const vouch_decision_tree *t)
{
    return !t ? NULL : t->smaller ? t->smaller : t->policy;
}
