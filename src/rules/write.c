/* rules/write.c - decision trees as text, Markdown, JSON and for Graphviz; see rules.h. */
#include "draw/policy.h"
#include "io/json.h"
#include "rules/rules.h"

/* ---- forms ----------------------------------------------------------------------------------------------------------------- */

/* A line for each branch below a node, inner nodes before their branches. */
static void add_lines(const vouch_decision_tree *t, int node, int depth, text *out)
{
    const rule_node *n = &t->t.node[node];
    for (int no = 0; no < 2 && n->feature >= 0; no++) {
        int child = no ? n->no : n->yes;
        const rule_node *below = &t->t.node[child];
        if (below->feature < 0)
            text_add(out, "%6.3g  %*s", below->steps, 2 * depth, "");
        else
            text_add(out, "%6s  %*s", "", 2 * depth, "");
        rules_add_condition(t, n, !no, out);
        if (below->feature < 0) {
            text_add(out, ": ");
            rules_add_decision(t, below, out);
        }
        text_add(out, "\n");
        add_lines(t, child, depth + 1, out);
    }
}

static void write_text(const vouch_decision_tree *t, text *out)
{
    rules_add_title(t, out);
    text_add(out, "\n");
    if (t->size.smaller) {
        rules_add_cost(t, out);
        text_add(out, "\n");
    }
    for (int i = 0; rules_add_note(t, i, out); i++) text_add(out, "\n");
    text_add(out, "\n%6s  rule\n", "steps");
    if (t->t.node[0].feature < 0) {
        text_add(out, "%6.3g  always: ", t->t.node[0].steps);
        rules_add_decision(t, &t->t.node[0], out);
        text_add(out, "\n");
    }
    add_lines(t, 0, 0, out);
}

/* As code; a backquote in a name would end it. */
static void add_code(text *part, text *out, escape *e)
{
    char *words = escape_take(e, part);
    for (char *c = words; *c; c++)
        if (*c == '`') *c = '\'';
    text_add(out, "`%s`", words);
}

static void add_items(const vouch_decision_tree *t, int node, int depth, escape *e, text *out)
{
    const rule_node *n = &t->t.node[node];
    for (int no = 0; no < 2 && n->feature >= 0; no++) {
        int child = no ? n->no : n->yes;
        const rule_node *below = &t->t.node[child];
        text *part = escape_text(e), *action = escape_text(e);
        text_add(out, "%*s- ", 2 * depth, "");
        rules_add_condition(t, n, !no, part);
        add_code(part, out, e);
        if (below->feature < 0) {
            text_add(out, ": ");
            rules_add_decision(t, below, action);
            add_code(action, out, e);
            text_add(out, " (%.3g steps)", below->steps);
        }
        text_add(out, "\n");
        add_items(t, child, depth + 1, e, out);
    }
}

static void write_markdown(const vouch_decision_tree *t, escape *e, text *out)
{
    text_add(out, "## ");
    rules_add_title(t, out);
    text_add(out, "\n\n");
    rules_add_cost(t, out);
    if (t->size.smaller) text_add(out, "\n\n");
    for (int i = 0; rules_add_note(t, i, out); i++) text_add(out, "\n");
    text_add(out, "\n");
    if (t->t.node[0].feature < 0) {
        text *action = escape_text(e);
        rules_add_decision(t, &t->t.node[0], action);
        text_add(out, "- always: ");
        add_code(action, out, e);
        text_add(out, "\n");
    }
    add_items(t, 0, 0, e, out);
}

static void write_dot(const vouch_decision_tree *t, escape *e, text *out)
{
    text *title = escape_text(e);
    rules_add_title(t, title);
    text_add(out, "digraph rules {\n  labelloc=t;\n  label=\"");
    dot_add(out, escape_take(e, title));
    text_add(out,
             "\";\n  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=9];\n");
    bool *seen = escape_zero(e, t->t.nodes, sizeof *seen);
    seen[0] = true;
    for (size_t i = 0; i < t->t.nodes; i++) {
        const rule_node *n = &t->t.node[i];
        if (!seen[i]) continue;
        text *label = escape_text(e);
        if (n->feature < 0)
            rules_add_decision(t, n, label);
        else
            rules_add_condition(t, n, true, label);
        text_add(out, "  n%zu [label=\"", i);
        dot_add(out, escape_take(e, label));
        text_add(out, "\"%s];\n", n->feature < 0 ? ", style=\"rounded,filled\", fillcolor=\"#d8e6f3\"" : "");
        if (n->feature < 0) continue;
        seen[n->yes] = seen[n->no] = true;
        text_add(out, "  n%zu -> n%d [label=\"yes\"];\n  n%zu -> n%d [label=\"no\"];\n", i, n->yes, i, n->no);
    }
    text_add(out, "}\n");
}

static void add_object(const vouch_decision_tree *t, int node, int depth, escape *e, text *out)
{
    const rule_node *n = &t->t.node[node];
    if (n->feature < 0) {
        text_add(out, "{ \"do\": [");
        for (int c = 0; c < n->choices && (c == 0 || t->size.smaller); c++) {
            const leaf_decision *d = &t->decision[n->choice[c]];
            text_add(out, c ? ", {" : "{");
            for (int i = 0; i < d->actions; i++) {
                js_add(out, "%s \"%s", i ? "," : "", vouch_model_action_name(t->model, d->action[i]));
                if (d->follow) text_add(out, " (plan %d)", d->follow[i]);
                js_add(out, "\": %G", d->probability[i]);
            }
            text_add(out, " }");
        }
        js_add(out, "], \"places\": %d, \"steps\": %G }", n->places, n->steps);
        return;
    }
    text *yes = escape_text(e), *no = escape_text(e);
    rules_add_condition(t, n, true, yes);
    rules_add_condition(t, n, false, no);
    js_add(out, "{ \"test\": \"%s\", \"otherwise\": \"%s\"", escape_take(e, yes), escape_take(e, no));
    text_add(out, ",\n%*s\"yes\": ", depth, "");
    add_object(t, n->yes, depth + 2, e, out);
    text_add(out, ",\n%*s\"no\": ", depth, "");
    add_object(t, n->no, depth + 2, e, out);
    text_add(out, " }");
}

static void add_kept(const vouch_decision_tree *t, text *out)
{
    text_add(out, " \"kept\": %s, \"promises\": [", t->size.kept ? "true" : "false");
    for (int j = 0; j < vouch_model_promises(t->model); j++) {
        const least_kept *least = &t->least[j];
        vouch_promise promise;
        vouch_model_get_promise(t->model, j, &promise);
        js_add(out, j ? ", { \"name\": \"%s\"" : "{ \"name\": \"%s\"",
               vouch_model_has_list(t->model) ? promise.name : "commitment");
        if (least->environment >= 0)
            js_add(out, ", \"environment\": \"%s\"", vouch_model_environment_name(t->model, least->environment));
        js_add(out, ", \"probability\": %G, \"promised\": %G }", least->probability, least->promised);
    }
    text_add(out, "],");
}

static void write_json(const vouch_decision_tree *t, escape *e, text *out)
{
    const vouch_decision_tree_size *z = &t->size;
    text_add(out, "{ \"rules\": %d, \"depth\": %d, \"places\": %d, \"exact\": %s,", z->leaves, z->depth, z->places,
             z->smaller ? "false" : "true");
    if (z->smaller) js_add(out, " \"max_regret\": %g, \"given_max_regret\": %g,", z->max_regret, z->given_max_regret);
    if (z->smaller) add_kept(t, out);
    text_add(out, "\n  \"tree\": ");
    add_object(t, 0, 4, e, out);
    text_add(out, " }\n");
}

typedef struct writing {
    const vouch_decision_tree *t;
    vouch_tree_form form;
    int width, height;
    escape *e;
    text *out;
} writing;

static void write_form(void *object)
{
    writing *w = object;
    if (w->form == VOUCH_TREE_TEXT) write_text(w->t, w->out);
    if (w->form == VOUCH_TREE_MARKDOWN) write_markdown(w->t, w->e, w->out);
    if (w->form == VOUCH_TREE_DOT) write_dot(w->t, w->e, w->out);
    if (w->form == VOUCH_TREE_JSON) write_json(w->t, w->e, w->out);
    if (w->form == VOUCH_TREE_SVG) rules_draw(w->t, w->width, w->height, w->e, w->out);
    if (w->out->failed || !w->out->data) escape_memory(w->e);
}

vouch_status vouch_decision_tree_write(const vouch_decision_tree *t, vouch_tree_form form, int width, int height, char **out,
                                       vouch_error *error)
{
    if (!t || !out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no decision tree, or no place for its text");
    *out = NULL;
    if (form < VOUCH_TREE_TEXT || form > VOUCH_TREE_SVG)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "the form of the text is %d; expected %d .. %d", (int)form, VOUCH_TREE_TEXT,
                         VOUCH_TREE_SVG);
    if (form == VOUCH_TREE_SVG && (width < 320 || height < 320))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "a picture of %d x %d pixels; expected at least 320 x 320", width, height);
    text whole = {0};
    escape e = {.error = error};
    writing w = {t, form, width, height, &e, &whole};
    vouch_status status = escape_run(&e, write_form, &w);
    if (status)
        text_free(&whole);
    else
        *out = whole.data;
    return status;
}

typedef struct drawing {
    const vouch_policy *policy;
    const vouch_model *model;
    vouch_picture *picture;
    escape *e;
    text *out;
} drawing;

static void free_graph(void *graph) { vouch_policy_graph_free(graph); }

static void draw_form(void *object)
{
    drawing *d = object;
    vouch_policy_graph *graph;
    vouch_policy_graph_data data;
    must(d->e, vouch_policy_graph_new(&graph, d->policy, d->model, d->e->error));
    escape_keep(d->e, free_graph, graph);
    vouch_policy_graph_view(graph, &data);
    shown s = {.m = d->model,
               .p = d->policy,
               .f = &data,
               .least_probability = d->picture->least_probability,
               .page = d->picture->width,
               .height = d->picture->height,
               .e = d->e};
    s.L = vouch_policy_lookahead(d->policy);
    s.T = vouch_policy_horizon(d->policy);
    s.K = vouch_policy_environments(d->policy);
    s.first = vouch_model_first_time(d->model);
    d->picture->as_rules = !draw_svg(&s, d->out);
    if (d->out->failed) escape_memory(d->e);
}

vouch_status vouch_policy_draw(const vouch_policy *policy, const vouch_model *model, vouch_picture *p, char **out,
                               vouch_error *error)
{
    text whole = {0};
    escape e = {.error = error};
    vouch_decision_tree *rules;
    if (!out || !p) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no picture, or no place for it");
    *out = NULL;
    if (p->width < 320 || p->height < 320 || !(p->least_probability >= 0 && p->least_probability <= 1))
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "a picture of %d x %d pixels without places below %g; expected at least 320 x 320, and 0 .. 1", p->width,
                         p->height, p->least_probability);
    vouch_status status = escape_run(&e, draw_form, &(drawing){policy, model, p, &e, &whole});
    if (!status && !p->as_rules) {
        *out = whole.data;
        return VOUCH_OK;
    }
    text_free(&whole);
    if (!status) status = vouch_decision_tree_new(&rules, policy, model, 0, error);
    if (status) return status;
    status = vouch_decision_tree_write(rules, VOUCH_TREE_SVG, p->width, p->height, out, error);
    vouch_decision_tree_free(rules);
    return status;
}

void vouch_text_free(char *words) { mem_free(words); }
