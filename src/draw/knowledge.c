/* draw/knowledge.c - what a policy knows and does at a rule, in words; see policy.h. */
#include "draw/policy.h"

enum { NAMED_ENVIRONMENTS = 6 };

static vouch_rule rule_of(const shown *s, int i)
{
    vouch_rule rule;
    vouch_policy_get_rule(s->p, i, &rule);
    return rule;
}

void show_possible(const shown *s, int rule, text *t)
{
    const vouch_rule given = rule_of(s, rule), *r = &given;
    bool weighted = r->kind == VOUCH_RULE_LIKELIHOOD;
    int K = s->K, n = 0;
    if (r->kind == VOUCH_RULE_PLAN) { /* which depends on the state only */
        text_add(t, "plan %d", r->plan);
        return;
    }
    bool *in = MEM_ZERO(bool, K);
    t->failed |= !in;
    if (!in) return;
    for (int i = 0; i < (weighted ? K : r->environments); i++)
        in[weighted ? i : r->environment[i]] = !weighted || r->likelihood[i] > 0;
    for (int k = 0; k < K; k++) n += in[k];
    bool named = n <= NAMED_ENVIRONMENTS || K - n > NAMED_ENVIRONMENTS;
    const char *before = n == K ? "all" : named ? "" : "not ";
    text_add(t, "%s", before);
    before = "";
    for (int k = 0; k < K && n < K; k++) {
        if (in[k] != named) continue;
        text_add(t, "%s", before);
        text_add_plain(t, vouch_model_environment_name(s->m, k));
        before = " ";
    }
    mem_free(in);
}

void show_behind(const shown *s, int rule, text *t)
{
    const vouch_rule given = rule_of(s, rule), *r = &given;
    if (r->kind == VOUCH_RULE_LIKELIHOOD) {
        for (int k = 0; k < s->K; k++) text_add(t, "%s%.4g", k ? "," : "w=(", r->likelihood[k]);
        text_add(t, ")");
    }
    if (r->kind == VOUCH_RULE_BOUNDARY && s->L > 0) {
        text_add(t, "@");
        text_add_plain(t, vouch_model_state_name(s->m, r->boundary_state));
    }
}

void show_knowledge(const shown *s, int rule, text *t)
{
    bool weighted = rule_of(s, rule).kind == VOUCH_RULE_LIKELIHOOD;
    text behind = {0};
    show_behind(s, rule, &behind);
    if (!weighted) show_possible(s, rule, t);
    if (behind.data) text_add(t, "%s%s", weighted ? "" : " ", behind.data);
    t->failed |= behind.failed;
    text_free(&behind);
}

static const double ROUNDING = 1e-9; /* smaller probabilities are not printed: numerical noise of solvers */

void show_action(const shown *s, int rule, text *t)
{
    const vouch_rule given = rule_of(s, rule), *r = &given;
    int told = 0, before = 0;
    for (int i = 0; i < r->actions; i++) told += r->probability[i] >= ROUNDING;
    for (int i = 0; i < r->actions; i++) {
        if (r->probability[i] < ROUNDING) continue;
        text_add(t, "%s", before++ ? ", " : "");
        text_add_plain(t, vouch_model_action_name(s->m, r->action[i]));
        if (told > 1) text_add(t, " %.4g", r->probability[i]);
        if (r->follow) text_add(t, " (plan %d)", r->follow[i]);
    }
}
