/* rules/words.c - conditions, decisions and titles of decision trees in words; see rules.h. */
#include "draw/draw.h"
#include "rules/rules.h"

enum { NAMED = 6 }; /* environments of a set */

/* ---- words ----------------------------------------------------------------------------------------------------------------- */

/* "k1 k3", "not k2", "all" */
static void add_set(const features *f, int set, text *out)
{
    const bool *possible = f->possible + (size_t)set * (size_t)f->K;
    int count = 0, added = 0;
    for (int k = 0; k < f->K; k++) count += possible[k];
    bool named = count <= NAMED || f->K - count > NAMED;
    text_add(out, "%s", count == f->K ? "all" : named ? "" : "all but ");
    for (int k = 0; k < f->K && count < f->K; k++) {
        if (possible[k] != named) continue;
        text_add(out, "%s", added++ ? " " : "");
        text_add_plain(out, vouch_model_environment_name(f->m, k));
    }
}

static void add_value(const features *f, const feature *x, int value, text *out)
{
    const char *name, *memory;
    if (x->number)
        text_add(out, "%d", value);
    else if (x->kind == FEATURE_SET)
        add_set(f, value, out);
    else if (x->values)
        text_add_plain(out, names_text(x->values, value)[0] ? names_text(x->values, value) : "none");
    else if (x->kind == FEATURE_STATE && vouch_model_look(f->m, value, &name, &memory) >= 0)
        text_add_plain(out, name);
    else
        text_add_plain(out, vouch_model_state_name(f->m, value));
}

static void add_members(const features *f, const rule_node *n, bool yes, text *out)
{
    const feature *x = &f->list[n->feature];
    bool two = x->values && x->kind != FEATURE_SET && x->values->count == 2;
    if (n->members == 1) {
        text_add(out, "%s", yes || two ? " = " : " is not ");
        add_value(f, x, !yes && two ? 1 - n->member[0] : n->member[0], out);
        return;
    }
    text_add(out, yes ? " is " : " is not ");
    for (int i = 0, run; i < n->members; i += run) { /* three whole numbers or more in a row are "5 to 7" */
        run = 1;
        while (x->number && i + run < n->members && n->member[i + run] == n->member[i] + run) run++;
        if (run == 2) run = 1;
        text_add(out, "%s", i == 0 ? "" : i + run < n->members ? ", " : " or ");
        add_value(f, x, n->member[i], out);
        if (run > 1) text_add(out, " to %d", n->member[i + run - 1]);
    }
}

void rules_add_condition(const vouch_decision_tree *t, const rule_node *n, bool yes, text *out)
{
    text_add_plain(out, t->f.list[n->feature].name);
    rules_add_relation(t, n, yes, out);
}

void rules_add_relation(const vouch_decision_tree *t, const rule_node *n, bool yes, text *out)
{
    const feature *x = &t->f.list[n->feature];
    char number[32];
    bool lowest = x->whole && n->threshold <= x->low, highest = x->whole && n->threshold + 1 >= x->high;
    if (x->kind == FEATURE_POSSIBLE) {
        text_add(out, yes ? " ruled out" : " possible");
        return;
    }
    if (x->kind == FEATURE_PLAN && n->threshold < 0) {
        text_add(out, yes ? ": none is followed" : ": one is followed");
        return;
    }
    if (n->test == TEST_AMONG) {
        add_members(&t->f, n, yes, out);
        return;
    }
    const char *sign = n->test == TEST_EQUALS ? (yes ? " = " : " is not ")
                       : yes                  ? (lowest ? " = " : " <= ")
                       : highest              ? " = "
                                              : " > ";
    text_add(out, "%s%s", sign, text_number(n->test == TEST_AT_MOST && !yes && highest ? x->high : n->threshold, number));
}

static void add_actions(const vouch_decision_tree *t, const leaf_decision *d, text *out)
{
    for (int i = 0; i < d->actions; i++) {
        text_add(out, "%s", i ? ", " : "");
        text_add_plain(out, vouch_model_action_name(t->model, d->action[i]));
        if (d->actions > 1) text_add(out, " %.4g", d->probability[i]);
        if (d->follow) text_add(out, " (plan %d)", d->follow[i]);
    }
}

void rules_add_decision(const vouch_decision_tree *t, const rule_node *leaf, text *out)
{
    for (int i = 0; i < leaf->choices && (i == 0 || t->size.smaller); i++) {
        text_add(out, "%s", i ? ", else " : "");
        add_actions(t, &t->decision[leaf->choice[i]], out);
    }
}

void rules_add_title(const vouch_decision_tree *t, text *out)
{
    text_add_plain(out, vouch_model_name(t->model)[0] ? vouch_model_name(t->model) : "model");
    text_add(out,
             t->size.smaller ? ": a smaller policy of %d steps, %d rule%s for %d places"
                             : ": a policy of %d steps as %d rule%s, exact at all %d places it reaches",
             t->policy->T + t->f.first, t->size.leaves, t->size.leaves == 1 ? "" : "s", t->size.places);
}

void rules_add_cost(const vouch_decision_tree *t, text *out)
{
    const vouch_decision_tree_size *z = &t->size;
    if (!z->smaller) return;
    text_add(out, "maximum regret %.10g instead of %.10g; %s", z->max_regret, z->given_max_regret,
             z->kept ? "every promise is kept" : "NOT every promise is kept");
    for (int j = 0; j < vouch_model_promises(t->model); j++) {
        vouch_promise promise;
        vouch_model_get_promise(t->model, j, &promise);
        text_add(out, j ? "; " : ": ");
        if (vouch_model_has_list(t->model)) {
            text_add_plain(out, promise.name);
            text_add(out, " ");
        }
        text_add(out, "%.7g", t->least[j].probability);
        if (t->least[j].environment >= 0 && t->f.K > 1) {
            text_add(out, " in ");
            text_add_plain(out, vouch_model_environment_name(t->model, t->least[j].environment));
        }
        text_add(out, "%s (%.7g promised)", t->least[j].environment < 0 ? " on average" : "", t->least[j].promised);
    }
}

static bool asks(const features *f, int number, feature_kind kind)
{
    const feature *x = &f->list[number];
    return x->kind == FEATURE_SUM ? asks(f, x->at, kind) || asks(f, x->other, kind) : x->kind == kind;
}

static bool tree_asks(const vouch_decision_tree *t, feature_kind kind)
{
    bool found = false;
    for (size_t i = 0; i < t->t.nodes; i++) found = found || (t->t.node[i].feature >= 0 && asks(&t->f, t->t.node[i].feature, kind));
    return found;
}

bool rules_add_note(const vouch_decision_tree *t, int number, text *out)
{
    const features *f = &t->f;
    bool extremes = tree_asks(t, FEATURE_LEAST) || tree_asks(t, FEATURE_LARGEST);
    bool sets = extremes || tree_asks(t, FEATURE_POSSIBLE) || tree_asks(t, FEATURE_SET);
    bool behind = tree_asks(t, FEATURE_BEHIND_VARIABLE) || tree_asks(t, FEATURE_BEHIND_STATE);
    const bool shown[] = {true, tree_asks(t, FEATURE_LIKELIHOOD), sets, extremes, behind};
    for (int i = 0; i < (int)(sizeof shown / sizeof *shown); i++) {
        if (!shown[i] || number-- > 0) continue;
        if (i == 0)
            text_add(out, "t: time; steps: expected number of steps that a rule decides, in the environment where it is largest");
        if (i == 1) text_add(out, DRAW_WEIGHS);
        if (i == 2) {
            text_add(out, "possible environments: those in which everything observed");
            if (f->L < vouch_model_horizon(f->m)) text_add(out, " until step %d", f->L + f->first);
            text_add(out, " can happen; the others are ruled out");
        }
        if (i == 3) text_add(out, "least, largest possible: of the values that the variable has in possible environments");
        if (i == 4) text_add(out, "at step %d: in the state at that time, which the policy remembers", f->L + f->first);
        return true;
    }
    return false;
}
