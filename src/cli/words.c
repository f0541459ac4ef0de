/* cli/words.c - vouch show --words: a policy in sentences.
 *
 * Nodes with the same future decisions are one plan: an action and, if it is the same after every observation, the next plan, else
 * a plan for each observation. Plans are numbered from the end of time backwards, so that runs of one action fold into "east, 3
 * steps" and only relevant differences appear.
 */
#include "cli/show.h"

enum { INDENT = 3, NAMED = 4 };

typedef struct teller {
    const shown *s;
    names plans; /* action and successors as text: equal plans have one number */
    int *plan;   /* [nodes]; -1: at T */
    int *told;   /* [plans]: number of a plan printed with its observations; 0: not yet */
    int numbers;
    text *t;
} teller;

/* The common plan after all edges of a node, or -2. */
static int common_plan(const teller *w, const vouch_policy_node *n)
{
    int plan = w->plan[w->s->f->edge[n->first_edge].to];
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++)
        if (w->plan[w->s->f->edge[e].to] != plan) return -2;
    return plan;
}

static int make_plan(teller *w, int node)
{
    const vouch_policy_graph_data *f = w->s->f;
    const vouch_policy_node *n = &f->node[node];
    text key = {0};
    if (n->rule < 0) return -1;
    show_action(w->s, n->rule, &key);
    int next = common_plan(w, n);
    if (next > -2) {
        text_add(&key, "\n%d", next);
    } else {
        for (int e = n->first_edge; e < n->first_edge + n->edges; e++)
            text_add(&key, "\n%d %d %.17g %d", f->edge[e].choice, f->node[f->edge[e].to].state, f->edge[e].reward,
                     w->plan[f->edge[e].to]);
    }
    int plan = names_add(&w->plans, cli_string(&key));
    if (plan < 0) cli_die("out of memory");
    return plan;
}

static void add_action(const teller *w, int node)
{
    vouch_rule rule;
    vouch_policy_get_rule(w->s->p, w->s->f->node[node].rule, &rule);
    if (rule.actions > 1) text_add(w->t, "draw one of ");
    show_action(w->s, w->s->f->node[node].rule, w->t);
}

/* Does the state identify this successor's plan? Else its reward is printed too. */
static bool state_tells(const teller *w, const vouch_policy_node *n, int edge)
{
    const vouch_policy_graph_data *f = w->s->f;
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++)
        if (f->node[f->edge[e].to].state == f->node[f->edge[edge].to].state && w->plan[f->edge[e].to] != w->plan[f->edge[edge].to])
            return false;
    return true;
}

/* "if in x1 or x2 with reward 3 (0.8 .. 0.9)" */
static void add_condition(const teller *w, const vouch_policy_node *n, int plan)
{
    const vouch_policy_graph_data *f = w->s->f;
    double low = INFINITY, high = 0;
    int named = 0, more = 0, before = -1;
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++) {
        int state = f->node[f->edge[e].to].state;
        if (w->plan[f->edge[e].to] != plan) continue;
        bool alone = state_tells(w, n, e);
        if (alone && state == before) continue;
        before = state;
        if (named++ >= NAMED) {
            more++;
            continue;
        }
        text_add(w->t, "%s", named > 1 ? " or " : "if in ");
        text_add_plain(w->t, vouch_model_state_name(w->s->m, state));
        if (!alone)
            text_add(w->t, vouch_model_sense(w->s->m) == VOUCH_MINIMISE ? " with cost %.6g" : " with reward %.6g",
                     f->edge[e].reward);
    }
    if (more) text_add(w->t, " or %d others", more);
    for (int k = 0; k < w->s->K; k++) { /* Pr(plan | node, k) */
        vouch_rule rule;
        double sum = 0;
        vouch_policy_get_rule(w->s->p, n->rule, &rule);
        if (!(f->reach[(size_t)(n - f->node) * (size_t)w->s->K + (size_t)k] > 0)) continue;
        for (int e = n->first_edge; e < n->first_edge + n->edges; e++)
            if (w->plan[f->edge[e].to] == plan)
                sum += rule.probability[f->edge[e].choice] * f->probability[(size_t)e * (size_t)w->s->K + (size_t)k];
        low = fmin(low, sum);
        high = fmax(high, sum);
    }
    text_add(w->t, low < high ? " (probability %.3g to %.3g)" : " (probability %.3g)", low < high ? low : high, high);
}

static void tell(teller *w, int node, int depth);

/* A line for each possible next plan. */
static void tell_branches(teller *w, int node, int depth)
{
    const vouch_policy_graph_data *f = w->s->f;
    const vouch_policy_node *n = &f->node[node];
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++) {
        int to = f->edge[e].to, plan = w->plan[to];
        bool first = true;
        for (int b = n->first_edge; b < e && first; b++) first = w->plan[f->edge[b].to] != plan;
        if (!first) continue;
        text_add(w->t, "%*s- ", INDENT * depth, "");
        add_condition(w, n, plan);
        text_add(w->t, ": ");
        if (plan < 0)
            text_add(w->t, "the end\n");
        else
            tell(w, to, depth + 1);
    }
}

/* Ends the current line and adds the observations it depends on below. */
static void tell(teller *w, int node, int depth)
{
    const vouch_policy_graph_data *f = w->s->f;
    for (bool begun = false;; begun = true) {
        int steps = 1, next = common_plan(w, &f->node[node]), first = node;
        while (next >= 0) { /* while the action is the same */
            int to = f->edge[f->node[node].first_edge].to;
            text a = {0}, b = {0};
            show_action(w->s, f->node[node].rule, &a);
            show_action(w->s, f->node[to].rule, &b);
            bool same = a.data && b.data && strcmp(a.data, b.data) == 0;
            text_free(&a);
            text_free(&b);
            if (!same) break;
            node = to;
            steps++;
            next = common_plan(w, &f->node[node]);
        }
        if (begun) text_add(w->t, ", then ");
        if (next == -2 && w->told[w->plan[node]]) {
            if (steps > 1) {
                add_action(w, first);
                text_add(w->t, steps > 2 ? ", %d steps, then " : ", then ", steps - 1);
            }
            text_add(w->t, "as in [%d]\n", w->told[w->plan[node]]);
            return;
        }
        add_action(w, first);
        if (steps > 1) text_add(w->t, ", %d steps", steps);
        if (next == -2) {
            w->told[w->plan[node]] = ++w->numbers;
            text_add(w->t, ", and then [%d]\n", w->numbers);
            tell_branches(w, node, depth);
            return;
        }
        if (next < 0) {
            text_add(w->t, ", to the end\n");
            return;
        }
        node = f->edge[f->node[node].first_edge].to;
    }
}

static void free_names(void *n) { names_free(n); }

void show_words(const shown *s, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    teller *w = CLI_NEW(teller, 1);
    cli_own(free_names, &w->plans);
    *w = (teller){.s = s, .plan = CLI_NEW(int, f->nodes), .t = t};
    for (int i = f->nodes - 1; i >= 0; i--) w->plan[i] = make_plan(w, i);
    w->told = CLI_NEW(int, w->plans.count);
    text_add_plain(t, vouch_model_name(s->m)[0] ? vouch_model_name(s->m) : "model");
    text_add(t, ": a policy of %d steps%s", s->T + s->first,
             vouch_model_sense(s->m) == VOUCH_MINIMISE ? " that minimises costs" : "");
    if (s->L > 0 && s->L < s->T)
        text_add(t, "; after step %d it depends on the state, but learns nothing more about the environment", s->L + s->first);
    text_add(t, "\n\nFrom ");
    text_add_plain(t, vouch_model_state_name(s->m, f->node[0].state));
    text_add(t, ": ");
    tell(w, 0, 0);
}
