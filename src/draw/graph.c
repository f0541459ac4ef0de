/* draw/graph.c - common parts of pictures of policy graphs, and the graph for graphviz; see policy.h. */
#include "draw/policy.h"

/* ---- edges of the graph ---- */

static int action_of(const shown *s, int edge, double *probability)
{
    const vouch_policy_edge *e = &s->f->edge[edge];
    vouch_rule r;
    vouch_policy_get_rule(s->p, s->f->node[e->from].rule, &r);
    *probability = r.probability[e->choice];
    return r.action[e->choice];
}

bool steps_taken(const shown *s, int edge, int k) { return s->f->probability[(size_t)edge * (size_t)s->K + (size_t)k] > 0; }

double steps_probability(const shown *s, int edge, int k)
{
    double probability;
    (void)action_of(s, edge, &probability);
    return probability * s->f->probability[(size_t)edge * (size_t)s->K + (size_t)k];
}

double steps_reward(const shown *s, int edge, int k)
{
    const vouch_policy_edge *e = &s->f->edge[edge];
    double probability;
    vouch_transitions to;
    if (!steps_taken(s, edge, k)) return 0;
    vouch_model_get_transitions(s->m, k, s->f->node[e->from].state, action_of(s, edge, &probability), &to);
    int low = 0, high = to.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (to.next[middle] < s->f->node[e->to].state)
            low = middle + 1;
        else
            high = middle;
    }
    return low < to.count && to.next[low] == s->f->node[e->to].state
               ? (vouch_model_sense(s->m) == VOUCH_MINIMISE ? -1 : 1) * to.reward[low]
               : 0;
}

double steps_expected_reward(const shown *s, int node, int k)
{
    const vouch_policy_node *n = &s->f->node[node];
    double sum = 0;
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++)
        if (steps_taken(s, e, k)) sum += steps_probability(s, e, k) * steps_reward(s, e, k);
    return sum;
}

void steps_add_rewards(const shown *s, int edge, int digits, text *t)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < s->K; k++) {
        if (!steps_taken(s, edge, k)) continue;
        low = fmin(low, steps_reward(s, edge, k));
        high = fmax(high, steps_reward(s, edge, k));
    }
    text_add(t, vouch_model_sense(s->m) == VOUCH_MINIMISE ? "cost %.*g" : "reward %.*g", digits, low);
    if (low < high) text_add(t, " .. %.*g", digits, high);
}

/* Is a reward other than 0 paid on the edge? */
static bool steps_pay(const shown *s, int edge)
{
    for (int k = 0; k < s->K; k++)
        if (steps_reward(s, edge, k) != 0) return true;
    return false;
}

/* ---- draw ---- */

enum { LONGEST = 26 }; /* letters */

const char *draw_end_text(const shown *s, int node)
{
    int kept = 0, broken = 0, J = vouch_model_promises(s->m), state = s->f->node[node].state;
    for (int k = 0; k < s->K; k++)
        for (int j = 0; j < J && s->f->reach[(size_t)node * (size_t)s->K + (size_t)k] > 0; j++)
            vouch_model_promise_holds(s->m, j, k, state) ? kept++ : broken++;
    if (J == 1) return broken == 0 ? "promise kept" : kept ? "kept in some" : "not kept";
    return broken == 0 ? "promises kept" : kept ? "kept in part" : "none kept";
}

bool draw_ends_well(const shown *s, int node)
{
    const char *end = draw_end_text(s, node);
    return strcmp(end, "promise kept") == 0 || strcmp(end, "promises kept") == 0;
}

enum { LINES = 3 };

/* State, knowledge and action of a node, owned; NULL: none. */
static void box_lines(const shown *s, int node, char *line[LINES])
{
    text known = {0}, action = {0};
    const vouch_policy_node *n = &s->f->node[node];
    line[0] = mem_string(vouch_model_state_name(s->m, n->state));
    if (n->rule >= 0) {
        show_knowledge(s, n->rule, &known);
        show_action(s, n->rule, &action);
    }
    if (n->rule < 0) text_add(&known, "%s", draw_end_text(s, node));
    line[1] = known.data;
    line[2] = action.data;
    for (int i = 0; i < LINES; i++)
        if (line[i]) (i == LINES - 1 ? draw_shorten_action : draw_shorten)(line[i], LONGEST);
}

double draw_likeliest(const shown *s, int i)
{
    double most = 0;
    for (int k = 0; k < s->K; k++)
        most = fmax(most, s->f->reach[(size_t)s->f->edge[i].from * (size_t)s->K + (size_t)k] * steps_probability(s, i, k));
    return most;
}

bool draw_left_out(const shown *s, int node)
{
    double most = 0;
    for (int k = 0; k < s->K; k++) most = fmax(most, s->f->reach[(size_t)node * (size_t)s->K + (size_t)k]);
    return most < s->least_probability;
}

static int count_left_out(const shown *s)
{
    int count = 0;
    for (int i = 0; i < s->f->nodes; i++) count += draw_left_out(s, i);
    return count;
}

bool draw_weighs(const shown *s)
{
    vouch_rule r;
    for (int i = 0; i < s->f->nodes; i++)
        if (s->f->node[i].rule >= 0 && (vouch_policy_get_rule(s->p, s->f->node[i].rule, &r), r.kind == VOUCH_RULE_LIKELIHOOD))
            return true;
    return false;
}

void draw_memory(const shown *s, text *t)
{
    if (draw_weighs(s))
        text_add(t, "using the whole history");
    else
        text_add(t, "L = %d", s->L);
}

void draw_name(const shown *s, void (*add)(text *, const char *), text *t)
{
    add(t, vouch_model_name(s->m)[0] ? vouch_model_name(s->m) : "model");
    text_add(t, ": a policy of %d steps, ", s->T + s->first);
    draw_memory(s, t);
    if (count_left_out(s) > 0)
        text_add(t, "; %d of %d places left out, each less likely than %g", count_left_out(s), s->f->nodes, s->least_probability);
}

void draw_dot(const shown *s, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    text_add(t, "digraph policy {\n  rankdir=LR;\n  labelloc=t;\n  fontname=\"sans-serif\";\n  node [shape=box, "
                "fontname=\"sans-serif\", fontsize=11];\n  edge "
                "[fontname=\"sans-serif\", fontsize=9];\n  label=\"");
    draw_name(s, dot_add, t);
    text_add(t, "\\nedges: probability where it is largest\";\n");
    for (int i = 0; i < f->nodes; i++) {
        char *line[LINES];
        if (draw_left_out(s, i)) continue;
        box_lines(s, i, line);
        text_add(t, "  n%d [label=\"", i);
        for (int l = 0; l < LINES; l++) {
            if (!line[l]) continue;
            if (l) text_add(t, "\\n");
            dot_add(t, line[l]);
        }
        text_add(t, "\"%s];\n",
                 f->node[i].rule < 0 && draw_ends_well(s, i) ? ", penwidth=2, style=filled, fillcolor=\"#d8efd8\"" : "");
        for (int l = 0; l < LINES; l++) mem_free(line[l]);
    }
    for (int i = 0; i < f->edges; i++) {
        const vouch_policy_edge *e = &f->edge[i];
        if (draw_left_out(s, e->from) || draw_left_out(s, e->to)) continue;
        text_add(t, "  n%d -> n%d [label=\"%.4g", e->from, e->to, draw_likeliest(s, i));
        if (steps_pay(s, i)) {
            text_add(t, ", ");
            steps_add_rewards(s, i, 4, t);
        }
        text_add(t, "\", penwidth=%.2f];\n", 0.5 + 2.5 * draw_likeliest(s, i));
    }
    text_add(t, "}\n");
}
