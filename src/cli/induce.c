/* cli/induce.c - vouch show --induced: the Markov chains of a policy, one per environment, for model checkers; see show.h.
 *
 * A state is a node of the policy graph, absorbing at T. Rewards are the expected ones of the step in the environment.
 */
#include "cli/show.h"

static bool reached(const shown *s, int node, int k) { return s->f->reach[(size_t)node * (size_t)s->K + (size_t)k] > 0; }

/* Labels of a chain: the promises, true where they are kept at the end, then the model's labels. */
static int label_count(const shown *s) { return vouch_model_promises(s->m) + vouch_model_labels(s->m); }

static bool label_holds(const shown *s, int node, int label, int k)
{
    const vouch_policy_node *n = &s->f->node[node];
    int J = vouch_model_promises(s->m);
    if (label >= J) return vouch_model_has_label(s->m, label - J, k, n->state);
    return n->rule < 0 && vouch_model_promise_holds(s->m, label, k, n->state);
}

typedef char label_text[32];
/* "commit"; with several promises their names if these are plain words, else "commit1", .. */
static const char *promise_label(const shown *s, int promise, label_text out)
{
    if (vouch_model_promises(s->m) == 1) return "commit";
    vouch_promise p;
    vouch_model_get_promise(s->m, promise, &p);
    size_t n = strspn(p.name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
    if (n > 0 && !p.name[n] && strcmp(p.name, "init") != 0 && strcmp(p.name, "deadlock") != 0) return p.name;
    snprintf(out, sizeof(label_text), "commit%d", promise + 1);
    return out;
}

/* NULL: a label of the model with the name of a promise, or without a plain name. */
static const char *label_of(const shown *s, int label, label_text out)
{
    int J = vouch_model_promises(s->m);
    if (label < J) return promise_label(s, label, out);
    const char *name = vouch_model_label_name(s->m, label - J);
    bool taken = !name[0] || name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")] ||
                 (name[0] >= '0' && name[0] <= '9') || strcmp(name, "init") == 0 || strcmp(name, "deadlock") == 0;
    for (int j = 0; j < J && !taken; j++) taken = strcmp(name, promise_label(s, j, out)) == 0;
    return taken ? NULL : name;
}

/* Adds the labels of a node, or of no node at all (node -1). Returns whether there are any. t NULL: only tests. */
static bool add_labels(const shown *s, int node, int k, text *t)
{
    label_text out;
    bool any = false;
    for (int l = 0; l < label_count(s); l++) {
        const char *name = label_of(s, l, out);
        bool here = name && (node < 0 || label_holds(s, node, l, k));
        for (int i = 0; i < s->f->nodes && here && node < 0; i++) here = !label_holds(s, i, l, k);
        any = any || here;
        if (here && t) text_add(t, " %s", name);
    }
    return any;
}

/* The heading of a file, as a comment. */
static void add_heading(const shown *s, text *t)
{
    text_add(t, "// ");
    text_add_comment(t, vouch_model_name(s->m));
    text_add(t, " under a policy of %d steps", s->T);
    for (int j = 0; j < vouch_model_promises(s->m); j++) {
        label_text out;
        const char *label = promise_label(s, j, out);
        text_add(t, "; %s: Pr(F=%d \"%s\")", label, s->T, label);
    }
    text_add(t, "\n");
}

/* The transitions of node i in environment k; edges to one node are merged. sum [nodes]: 0 before and after. */
static void add_transitions(const shown *s, int i, int k, double sum[], text *t)
{
    const vouch_policy_node *n = &s->f->node[i];
    const vouch_policy_edge *edge = s->f->edge;
    char number[32];
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++) sum[edge[e].to] += steps_probability(s, e, k);
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++) {
        if (sum[edge[e].to] > 0) text_add(t, "\t\t%d : %s\n", edge[e].to, text_number(sum[edge[e].to], number));
        sum[edge[e].to] = 0;
    }
}

static void induce_drn(const shown *s, int k, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    char number[32];
    double *sum = MEM_ZERO(double, f->nodes);
    /* A label without states would be unknown to a model checker: it gets its own state. */
    bool empty = add_labels(s, -1, k, NULL);
    t->failed = t->failed || !sum;
    add_heading(s, t);
    if (empty) text_add(t, "// state %d is unreachable: its labels hold in no other\n", f->nodes);
    text_add(t, "@type: DTMC\n@parameters\n\n@reward_models\nreward\n@nr_states\n%d\n@nr_choices\n%d\n@model\n", f->nodes + empty,
             f->nodes + empty);
    for (int i = 0; i < f->nodes && sum; i++) {
        bool stays = f->node[i].rule < 0 || !reached(s, i, k);
        text_add(t, "state %d [%s]%s", i, text_number(stays ? 0 : steps_expected_reward(s, i, k), number), i == 0 ? " init" : "");
        (void)add_labels(s, i, k, t);
        text_add(t, "\n\taction 0 [0]\n");
        if (stays)
            text_add(t, "\t\t%d : 1\n", i);
        else
            add_transitions(s, i, k, sum, t);
    }
    if (empty) {
        text_add(t, "state %d [0]", f->nodes);
        (void)add_labels(s, -1, k, t);
        text_add(t, "\n\taction 0 [0]\n\t\t%d : 1\n", f->nodes);
    }
    mem_free(sum);
}

typedef struct drn_chains {
    const shown *s;
    names file;
} drn_chains;

/* The chains, then their index. */
static vouch_status make_file(const void *context, int k, char name[OUTPUT_NAME], text *t, vouch_error *error)
{
    const drn_chains *chains = context;
    (void)error;
    snprintf(name, OUTPUT_NAME, "%s", k < chains->s->K ? names_text(&chains->file, k) : DRN_INDEX);
    if (k < chains->s->K)
        induce_drn(chains->s, k, t);
    else
        drn_index_write(chains->s->m, &chains->file, t);
    return VOUCH_OK;
}

vouch_status induce_drn_write(const shown *s, const char *path, vouch_error *error)
{
    drn_chains chains = {.s = s};
    vouch_status status = drn_index_files(&chains.file, s->m, error);
    if (!status) status = output_directory(path, s->K + 1, make_file, &chains, error);
    names_free(&chains.file);
    return status;
}

/* One file for all environments, with the environment as an open constant. */
void induce_prism(const shown *s, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    char number[32];
    add_heading(s, t);
    text_add(t, "dtmc\nconst int environment; // 0 to %d\nmodule policy\n    node : [0..%d] init 0;\n", s->K - 1,
             f->nodes > 1 ? f->nodes - 1 : 1);
    for (int i = 0; i < f->nodes; i++)
        for (int k = 0; k < s->K; k++) {
            const vouch_policy_node *n = &f->node[i];
            const char *plus = "";
            if (!reached(s, i, k)) continue;
            text_add(t, "    [] environment=%d & node=%d -> ", k, i);
            if (n->rule < 0) text_add(t, "true");
            for (int e = n->first_edge; n->rule >= 0 && e < n->first_edge + n->edges; e++) {
                double p = steps_probability(s, e, k);
                if (!(p > 0)) continue;
                text_add(t, "%s%s : (node'=%d)", plus, text_number(p, number), f->edge[e].to);
                plus = " + ";
            }
            text_add(t, ";\n");
        }
    text_add(t, "endmodule\nrewards \"reward\"\n");
    for (int i = 0; i < f->nodes; i++)
        for (int k = 0; k < s->K; k++)
            if (reached(s, i, k) && f->node[i].rule >= 0)
                text_add(t, "    environment=%d & node=%d : %s;\n", k, i, text_number(steps_expected_reward(s, i, k), number));
    text_add(t, "endrewards\n");
    for (int l = 0; l < label_count(s); l++) {
        label_text out;
        const char *name = label_of(s, l, out);
        if (!name) continue;
        text_add(t, "label \"%s\" = false", name);
        for (int i = 0; i < f->nodes; i++)
            for (int k = 0; k < s->K; k++)
                if (reached(s, i, k) && label_holds(s, i, l, k)) text_add(t, " | environment=%d & node=%d", k, i);
        text_add(t, ";\n");
    }
}
