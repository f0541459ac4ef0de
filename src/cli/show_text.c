/* cli/show_text.c - policies as tables, trees, CSV and JSON; see show.h. */
#include "cli/show.h"

/* DEEPEST_INDENT: limits the indentation of a deep tree, whose size would otherwise grow with the square of its depth. */
enum { REACH_COLUMNS = 6, DEEPEST_INDENT = 60 };

static vouch_rule get_rule(const shown *s, int i)
{
    vouch_rule rule;
    vouch_policy_get_rule(s->p, i, &rule);
    return rule;
}

/* Lines of a table: the reachable nodes, or without a model the rules. */
static int lines(const shown *s) { return s->f ? s->f->nodes : vouch_policy_rules(s->p); }
/* The rule of a line, -1 at T; its state. */
static int rule_of(const shown *s, int line) { return s->f ? s->f->node[line].rule : line; }
static int state_of(const shown *s, int line) { return s->f ? s->f->node[line].state : get_rule(s, line).state; }

/* "0.25", or "0.1 .. 0.9" over the environments that can reach it. */
static void add_range(const double *v, int K, text *t)
{
    double low = INFINITY, high = 0;
    for (int k = 0; k < K; k++) {
        if (v[k] <= 0) continue;
        low = fmin(low, v[k]);
        high = fmax(high, v[k]);
    }
    if (low >= high)
        text_add(t, "%.4g", high);
    else
        text_add(t, "%.4g .. %.4g", low, high);
}

/* Explains @STATE, if L is less than T. */
static void add_after(const shown *s, text *t)
{
    if (s->L < 1 || s->L >= s->T) return;
    text_add(t,
             "after step %d it depends on the state, but learns nothing more about the environment; @ names the state at step %d\n",
             s->L + s->first, s->L + s->first);
}

void show_table(const shown *s)
{
    const char *headers[REACH_COLUMNS + 7] = {"time", "<state", s->L > 0 ? "<knows" : "<environments", "<do"};
    size_t column = 4;
    int K = s->K;
    bool each = s->f && K <= REACH_COLUMNS;
    for (int k = 0; each && k < K; k++) headers[column++] = vouch_model_environment_name(s->m, k);
    if (s->f && !each) headers[column++] = "<reached with probability";
    double *lost = s->f && vouch_model_has_error(s->m) ? CLI_NEW(double, s->f->nodes) : NULL;
    if (lost) headers[column++] = "lost at worst";
    double *worst = CLI_NEW(double, K *vouch_model_promises(s->m));
    int kept;
    if (lost) cli_try(vouch_policy_worst(s->p, s->m, worst, lost, &kept, &cli_error));
    headers[column] = NULL;
    table *t = table_new(headers);
    if (each) table_names(t, 4, (size_t)K);
    for (int i = 0; i < lines(s); i++) {
        int rule = rule_of(s, i);
        table_cell(t, "%d", (rule >= 0 ? get_rule(s, rule).time : s->T) + s->first);
        table_cell(t, "%s", vouch_model_state_name(s->m, state_of(s, i)));
        text known = {0}; /* one text at a time: an escape frees only what is owned */
        if (rule >= 0) show_knowledge(s, rule, &known);
        table_cell(t, "%s", cli_string(&known));
        text action = {0};
        if (rule >= 0) show_action(s, rule, &action);
        table_cell(t, "%s", cli_string(&action));
        for (int k = 0; each && k < K; k++) table_number(t, s->f->reach[(size_t)i * (size_t)K + (size_t)k]);
        if (s->f && !each) {
            text range = {0};
            add_range(s->f->reach + (size_t)i * (size_t)K, K, &range);
            table_cell(t, "%s", cli_string(&range));
        }
        if (lost) table_number(t, lost[i]);
    }
    table_print(t, stdout);
    text behind = {0};
    if (each) text_add(&behind, "%s: probability of being there\n", K == 1 && !lost ? "last column" : "columns of environments");
    if (lost) text_add(&behind, "lost at worst: the most that a promise loses by nature's reply there\n");
    add_after(s, &behind);
    if (behind.data) putchar('\n');
    cli_print(&behind);
}

static void add_reach(const shown *s, size_t node, text *t)
{
    int K = s->K;
    if (K > REACH_COLUMNS) {
        add_range(s->f->reach + node * (size_t)K, K, t);
        return;
    }
    for (int k = 0; k < K; k++) text_add(t, "%s%.4g", k ? " " : "", s->f->reach[node * (size_t)K + (size_t)k]);
}

/* Adds the line of a node; false: its successors are not shown, or were already. */
static bool add_node(const shown *s, int node, int indent, unsigned char *printed, text *t)
{
    const vouch_policy_node *n = &s->f->node[node];
    text_add(t, "%*st=%d ", 2 * indent, "", n->time + s->first);
    text_add_plain(t, vouch_model_state_name(s->m, n->state));
    if (n->rule >= 0) {
        text_add(t, " [");
        show_knowledge(s, n->rule, t);
        text_add(t, "]");
    }
    text_add(t, "  (");
    add_reach(s, (size_t)node, t);
    text_add(t, ")");
    if (n->rule < 0) {
        text_add(t, "%s\n", vouch_model_is_commitment(s->m, n->state) ? "  kept" : "");
        return false;
    }
    if (printed[node]) {
        text_add(t, "  as above\n");
        return false;
    }
    printed[node] = 1;
    text_add(t, "  do ");
    show_action(s, n->rule, t);
    text_add(t, "\n");
    return true;
}

/* A node whose edges are traversed. */
typedef struct branch {
    int node, next, indent; /* next: of its edges */
} branch;

/* Depth first from the root; stack [T + 1], as every edge is a time step. */
static void add_branches(const shown *s, branch *stack, unsigned char *printed, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    int depth = 0;
    if (add_node(s, 0, 0, printed, t)) stack[depth++] = (branch){0, f->node[0].first_edge, 0};
    while (depth > 0 && !t->failed) {
        branch *b = &stack[depth - 1];
        const vouch_policy_node *n = &f->node[b->node];
        if (b->next == n->first_edge + n->edges) {
            depth--;
            continue;
        }
        int e = b->next++, inner = b->indent;
        const vouch_policy_edge *edge = &f->edge[e];
        if (n->edges > 1) {
            text_add(t, "%*s", 2 * inner + 1, "");
            text_add_plain(t, vouch_model_action_name(s->m, get_rule(s, n->rule).action[edge->choice]));
            text_add(t, ": ");
            steps_add_rewards(s, e, 6, t);
            text_add(t, ", probability ");
            add_range(f->probability + (size_t)e * (size_t)s->K, s->K, t);
            text_add(t, "\n");
            if (inner < DEEPEST_INDENT) inner++;
        }
        if (add_node(s, edge->to, inner, printed, t)) stack[depth++] = (branch){edge->to, f->node[edge->to].first_edge, inner};
    }
}

void show_tree(const shown *s, text *t)
{
    unsigned char *printed = CLI_NEW(unsigned char, s->f->nodes);
    branch *stack = CLI_NEW(branch, s->T + 1);
    text_add(t, "time, state, [environments that are possible], (probability of being there in ");
    for (int k = 0; k < s->K && s->K <= REACH_COLUMNS; k++) {
        text_add(t, "%s", k ? " " : "");
        text_add_plain(t, vouch_model_environment_name(s->m, k));
    }
    text_add(t, "%s), action\n", s->K > REACH_COLUMNS ? "the environments" : "");
    add_after(s, t);
    text_add(t, "\n");
    add_branches(s, stack, printed, t);
}

/* ---- files --------------------------------------------------------------------------------------------------- */

static bool is_number(const char *value)
{
    char *end;
    (void)number_read(value, &end);
    return end > value && !*end;
}

/* A printable name. An apostrophe in front of formula characters makes it text for spreadsheets. */
static void add_csv_field(text *t, const char *name)
{
    text plain = {0};
    text_add_plain(&plain, name);
    const char *value = plain.failed || !plain.data ? "" : plain.data;
    bool formula = *value && strchr("=+-@\t\r", *value) && !is_number(value), quote = formula || strpbrk(value, ",\"\n\r") != NULL;
    if (quote) text_add(t, formula ? "\"'" : "\"");
    for (; *value; value++) text_add(t, *value == '"' ? "\"\"" : "%c", *value);
    if (quote) text_add(t, "\"");
    t->failed = t->failed || plain.failed;
    text_free(&plain);
}

/* One line per node and action: time, state, knowledge, action, probability, reach in each environment. */
void show_csv(const shown *s, text *t)
{
    int K = s->K;
    text_add(t, "time,state,knowledge,action,probability");
    for (int k = 0; s->f && k < K; k++) {
        text reach = {0};
        text_add(&reach, "reach %s", vouch_model_environment_name(s->m, k));
        text_add(t, ",");
        if (reach.data) add_csv_field(t, reach.data);
        text_free(&reach);
    }
    text_add(t, "\n");
    for (int i = 0; i < lines(s); i++) {
        int rule = rule_of(s, i);
        if (rule < 0) continue;
        const vouch_rule given = get_rule(s, rule), *r = &given;
        text known = {0};
        show_knowledge(s, rule, &known);
        for (int a = 0; a < r->actions; a++) {
            text_add(t, "%d,", r->time + s->first);
            add_csv_field(t, vouch_model_state_name(s->m, r->state));
            text_add(t, ",");
            if (known.data) add_csv_field(t, known.data);
            text_add(t, ",");
            add_csv_field(t, vouch_model_action_name(s->m, r->action[a]));
            text_add(t, ",%.17g", r->probability[a]);
            for (int k = 0; s->f && k < K; k++) text_add(t, ",%.17g", s->f->reach[(size_t)i * (size_t)K + (size_t)k]);
            text_add(t, "\n");
        }
        text_free(&known);
    }
}

/* Each action once, then its possible plans. */
static void add_choices(const shown *s, const vouch_rule *r, text *t)
{
    const char *before = "{ ";
    for (int a = 0; a < r->actions; a++) {
        double prob = 0;
        bool first = true;
        for (int b = 0; b < r->actions; b++) {
            if (r->action[b] != r->action[a]) continue;
            first &= b >= a;
            prob += r->probability[b];
        }
        if (!first) continue;
        js_add(t, "%s\"%s\": %g", before, vouch_model_action_name(s->m, r->action[a]), prob);
        before = ", ";
    }
    text_add(t, " }");
    if (!r->follow) return;
    before = ", \"follow\": { ";
    for (int a = 0, b; a < r->actions; a = b) {
        double prob = 0;
        for (b = a; b < r->actions && r->follow[b] == r->follow[a]; b++) prob += r->probability[b];
        js_add(t, "%s\"%d\": %g", before, r->follow[a], prob);
        before = ", ";
    }
    text_add(t, " }");
}

void show_json(const shown *s, text *t)
{
    int K = s->K;
    text_add(t, "{ \"nodes\": [");
    for (int i = 0; i < lines(s); i++) {
        int rule = rule_of(s, i);
        const vouch_rule given = get_rule(s, rule), *r = &given;
        js_add(t, "%s\n    { \"time\": %d, \"state\": \"%s\"", i ? "," : "", (rule >= 0 ? r->time : s->T) + s->first,
               vouch_model_state_name(s->m, state_of(s, i)));
        if (rule >= 0) {
            text known = {0};
            show_knowledge(s, rule, &known);
            js_add(t, ", \"knowledge\": \"%s\", \"do\": ", known.data ? known.data : "");
            add_choices(s, r, t);
            t->failed = t->failed || known.failed;
            text_free(&known);
        }
        for (int k = 0; s->f && k < K; k++)
            js_add(t, "%s%g", k ? ", " : ", \"reach\": [", s->f->reach[(size_t)i * (size_t)K + (size_t)k]);
        text_add(t, s->f ? "] }" : " }");
    }
    text_add(t, "] }\n");
}
