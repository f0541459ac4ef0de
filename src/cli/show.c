/* cli/show.c - vouch show: prints, draws and exports a policy. */

#include "cli/show.h"

enum { INDUCED_DRN, INDUCED_PRISM };

typedef struct show_args {
    cli_common common;
    model_args model;
    int words, tree, dot, svg, storm, csv, induced;
    double least_probability;
    int page;
    const char *rules, *grid, *output, *environment;
    int height;
} show_args;

#define AT(field) offsetof(show_args, field)
static const cli_option options[] = {
    {CLI_FLAG, 0, "words", NULL, AT(words), .help = "describe the policy in sentences"},
    {CLI_MAYBE, 0, "rules", "N", AT(rules), .most = 1000000,
     .help =
         "the policy as a decision tree over time, state variables and what is known: exact, or of the best policy found with at "
         "most N rules, with its regret. Text, or with --svg, --dot, --json; -o FILE.md: Markdown, -o FILE.policy: the policy"},
    {CLI_FLAG, 0, "tree", NULL, AT(tree),
     .help = "list the decisions in order of time, with the probability of reaching each in each environment"},
    {CLI_FLAG, 0, "svg", NULL, AT(svg), .help = "draw the policy graph as SVG"},
    {CLI_FLAG, 0, "dot", NULL, AT(dot), .help = "write the policy graph for graphviz"},
    {CLI_PAIR, 0, "grid", "[X,Y]", AT(grid), "x,y",
     .help = "draw the moves of each time step on a map, as SVG, by the variables X (rightward) and Y (upward) of the states"},
    {CLI_REAL, 0, "least-probability", "P", AT(least_probability), "0", 0, 1,
     .help = "--svg, --dot, --grid: leave out decisions less likely than P in every environment"},
    {CLI_INT, 0, "width", "PIXELS", AT(page), "1264", 320, 100000,
     .help = "--svg, --grid: maximum width of the picture; 400 fits a telephone"},
    {CLI_INT, 0, "height", "PIXELS", AT(height), "1600", 320, 1000000,
     .help =
         "--svg, --grid: maximum height of the picture; a higher graph is drawn as rules, a higher grid without its rare moves"},
    {CLI_FLAG, 0, "csv", NULL, AT(csv), .help = "write a flat table as CSV"},
    {CLI_FLAG, 0, "storm", NULL, AT(storm),
     .help = "write Storm's scheduler JSON; a memory id encodes time, knowledge, memory of promises and possible plans"},
    {CLI_WORD, 0, "induced", "F", AT(induced), .words = "drn|prism",
     .help = "write the Markov chain of the policy for model checkers: as DRN, a file for each environment in the directory OUT/ "
             "of -o, or as PRISM, where the environment is an open constant"},
    {CLI_OUTPUT, 'o', "output", "FILE", AT(output), "-",
     .help = "output file, - for standard output; the suffix .svg, .dot or .csv selects that form"},
    {CLI_TEXT, 0, "environment", "NAME", AT(environment), NULL,
     .help = "in a file of several policies, the policy for this environment"},
    CLI_OPTION(CLI_REAL, 0, "within", "EPS", AT(model.within), NULL, 0, 1,
               .help = "the table has a column of what promises lose at each place if probabilities are off by up to EPS"),
    MODEL_OPTIONS(show_args),
    {0},
};
#undef AT

/* ---- a policy without its model ------------------------------------------------------------------------------ */

typedef struct used_pair {
    int state, action;
} used_pair;

/* The names in the rules of a policy. */
typedef struct rule_names {
    names states, actions;
    used_pair *pair; /* owned: [count], actions with their states */
    size_t count, capacity;
    bool spread; /* is there a rule at time -1, whose state draws the first one? */
} rule_names;

/* The value of a field, 0: none. The document is parsed, but not checked. */
static uint32_t field_of(const js_doc *doc, uint32_t at, const char *name, js_kind kind)
{
    if (js_kind_of(doc, at) != JS_OBJECT) return 0;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1))
        if (strcmp(js_string(doc, c), name) == 0 && js_kind_of(doc, c + 1) == kind) return c + 1;
    return 0;
}

/* Does it belong to the time before the first state? */
static bool is_early(const js_doc *doc, uint32_t at)
{
    uint32_t time = field_of(doc, at, "time", JS_NUMBER);
    return time && js_number(doc, time) < 0;
}

/* -1: memory. */
static int collect_names(const js_doc *doc, uint32_t rules, rule_names *found)
{
    for (uint32_t c = rules + 1; c < js_end(doc, rules); c = js_end(doc, c)) {
        uint32_t state = field_of(doc, c, "state", JS_STRING), choice = field_of(doc, c, "do", JS_OBJECT);
        uint32_t behind = field_of(doc, c, "boundary", JS_OBJECT), other = behind ? field_of(doc, behind, "state", JS_STRING) : 0;
        found->spread = found->spread || is_early(doc, c);
        if (is_early(doc, c)) continue;
        if (behind && is_early(doc, behind)) other = 0;
        int s = state ? names_add(&found->states, js_string(doc, state)) : 0;
        if (s < 0 || (other && names_add(&found->states, js_string(doc, other)) < 0)) return -1;
        for (uint32_t d = choice + 1; choice && d < js_end(doc, choice); d = js_end(doc, d + 1)) {
            int a = names_add(&found->actions, js_string(doc, d));
            if (a < 0 || mem_reserve((void **)&found->pair, &found->capacity, found->count, sizeof *found->pair)) return -1;
            found->pair[found->count++] = (used_pair){s, a};
        }
    }
    return 0;
}

static vouch_status build_model(const js_doc *doc, uint32_t envs, const rule_names *found, vouch_model *m)
{
    const names *states = &found->states, *actions = &found->actions;
    vouch_status status = VOUCH_OK;
    unsigned char *done = MEM_ZERO(unsigned char, (size_t)states->count *(size_t)actions->count);
    if (!done) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < states->count && !status; i++) status = vouch_model_set_state_name(m, i, names_text(states, i));
    for (int i = 0; i < actions->count && !status; i++) status = vouch_model_set_action_name(m, i, names_text(actions, i));
    int k = 0;
    for (uint32_t c = envs + 1; c < js_end(doc, envs) && !status; c = js_end(doc, c), k++) {
        uint32_t name = field_of(doc, c, "name", JS_STRING);
        if (name) status = vouch_model_set_environment_name(m, k, js_string(doc, name));
    }
    for (size_t i = 0; i < found->count && !status; i++) {
        used_pair u = found->pair[i];
        unsigned char *mark = &done[(size_t)u.state * (size_t)actions->count + (size_t)u.action];
        for (k = 0; k < vouch_model_environments(m) && !status && !*mark; k++)
            status = vouch_model_add(m, k, u.state, u.action, u.state, 1, 0);
        *mark = 1;
    }
    mem_free(done);
    for (int i = 0; i < states->count && found->spread && !status; i++)
        status = vouch_model_set_initial_probability(m, -1, i, 1.0 / states->count);
    return status ? status : vouch_model_finish(m, NULL, NULL);
}

typedef struct names_input {
    js_doc doc;
    const char *path;
    rule_names found;
    vouch_model *model;
} names_input;

static void read_names_only(void *object)
{
    names_input *in = object;
    js_doc *doc = &in->doc;
    rule_names *found = &in->found;
    js_read(doc, in->path);
    uint32_t rules = field_of(doc, 0, "rules", JS_ARRAY), envs = field_of(doc, 0, "environments", JS_ARRAY);
    uint32_t plans = field_of(doc, 0, "plans", JS_ARRAY), T = field_of(doc, 0, "T", JS_NUMBER);
    if (!field_of(doc, 0, "vouch_policy", JS_NUMBER) || !rules || !envs || !T || js_count(doc, envs) < 1 ||
        js_count(doc, rules) < 1 || !(js_number(doc, T) >= 1 && js_number(doc, T) <= 1e9))
        js_fail(doc, 0, "expected a policy with the fields vouch_policy, T, environments and rules");
    must_count(doc->e, collect_names(doc, rules, found));
    for (uint32_t c = plans + 1; plans && c < js_end(doc, plans); c = js_end(doc, c)) {
        uint32_t of_plan = field_of(doc, c, "rules", JS_ARRAY);
        if (of_plan) must_count(doc->e, collect_names(doc, of_plan, found));
    }
    if (found->states.count == 0 || found->actions.count == 0)
        js_fail(doc, rules, "expected rules with the fields time, state and do");
    vouch_status status =
        vouch_model_new(&in->model, found->states.count, found->actions.count, (int)js_count(doc, envs), (int)js_number(doc, T));
    if (!status) status = build_model(doc, envs, found, in->model);
    if (status)
        escape_fail(doc->e, status, "%.200s: %s", in->path,
                    status == VOUCH_ERROR_MEMORY ? "out of memory" : "a rule without an action");
}

/* A model with only the names in a policy file, for the reader of policies. */
static vouch_status names_only(vouch_model **model, const char *path, vouch_error *error)
{
    escape e = {.error = error};
    names_input in = {.doc = {.e = &e}, .path = path};
    vouch_status status = escape_try(&e, read_names_only, &in);
    if (status) vouch_model_free(in.model);
    *model = status ? NULL : in.model;
    names_free(&in.found.states);
    names_free(&in.found.actions);
    mem_free(in.found.pair);
    escape_end(&e);
    return status;
}

/* ---- the command --------------------------------------------------------------------------------------------- */

static void show_whole(const shown *s)
{
    figures_print_class(s->p);
    putchar('\n');
    show_table(s);
}

static void free_rules(void *rules) { vouch_decision_tree_free(rules); }

/* The form of --rules; -o FILE.policy or FILE.json without --json: the policy in the file, and text. */
static vouch_tree_form rules_form(const show_args *args)
{
    if (args->common.json) return VOUCH_TREE_JSON;
    if (args->svg) return VOUCH_TREE_SVG;
    if (args->dot) return VOUCH_TREE_DOT;
    return path_ends_in(args->output, ".md") ? VOUCH_TREE_MARKDOWN : VOUCH_TREE_TEXT;
}

static void show_rules(const show_args *args, const shown *s)
{
    vouch_decision_tree *rules;
    vouch_tree_form form = rules_form(args);
    char *words;
    text t = {0};
    bool policy = form == VOUCH_TREE_TEXT && (path_ends_in(args->output, ".policy") || path_ends_in(args->output, ".json"));
    double leaves = args->rules[0] ? number_read(args->rules, &words) : 0;
    if (args->rules[0] && (*words || !(leaves >= 1 && leaves <= 1e6) || leaves != floor(leaves)))
        cli_die("--rules: \"%s\": expected a number of rules, at least 1, or nothing for exact rules", cli_shown(args->rules));
    cli_try(vouch_decision_tree_new(&rules, s->p, s->m, (int)leaves, &cli_error));
    cli_own(free_rules, rules);
    cli_try(vouch_decision_tree_write(rules, form, args->page, args->height, &words, &cli_error));
    text_add(&t, "%s", words);
    vouch_text_free(words);
    if (policy) cli_try(vouch_policy_write(vouch_decision_tree_policy(rules), s->m, args->output, &cli_error));
    if (policy)
        cli_print(&t);
    else
        cli_try(text_write(&t, args->output, &cli_error));
}

static void draw_graph(const show_args *args, const shown *s, text *t)
{
    char *words;
    vouch_picture picture = {args->page, args->height, args->least_probability, 0};
    cli_try(vouch_policy_draw(s->p, s->m, &picture, &words, &cli_error));
    text_add(t, "%s", words);
    vouch_text_free(words);
    if (picture.as_rules)
        report_note("note: the graph would be higher than %d pixels; drawn as rules. --height allows more", args->height);
}

static void show(const show_args *args, const shown *s)
{
    if (args->rules) {
        show_rules(args, s);
        return;
    }
    text *t = cli_text();
    if (args->common.json)
        show_json(s, t);
    else if (args->words)
        show_words(s, t);
    else if (cli_given("induced") && args->induced == INDUCED_DRN)
        cli_try(induce_drn_write(s, args->output, &cli_error));
    else if (cli_given("induced"))
        induce_prism(s, t);
    else if (args->tree)
        show_tree(s, t);
    else if (args->csv)
        show_csv(s, t);
    else if (args->storm)
        cli_try(show_storm(s, t, &cli_error));
    else if (args->dot)
        draw_dot(s, t);
    else if (args->svg)
        draw_graph(args, s, t);
    else if (args->grid && draw_grid(s, t))
        cli_die("--grid: the states have no variables %s and %s (names like x=0,y=1); --grid fx,fy names others", s->across,
                s->upward);
    else if (!args->grid)
        show_whole(s);
    fflush(stdout);
    if (t->data || t->failed) cli_try(text_write(t, args->output, &cli_error));
}

/* The environments of policy number i, and the common part of their names. */
static void print_group(const vouch_model *m, const group_policy *g, int i)
{
    text t = {0}, common = {0};
    group_common_add(m, g->environment, g->environments, &common);
    text_add(&t, "policy %d, for", i);
    for (int j = 0; j < g->environments; j++)
        text_add(&t, "%s %s", j ? "," : "", cli_shown(vouch_model_environment_name(m, g->environment[j])));
    if (common.data) text_add(&t, " (%s)", cli_shown(common.data));
    text_add(&t, "\n");
    cli_print(&t);
    text_free(&common);
}

static void free_file(void *file) { group_file_free(file); }

/* Shows each policy of a file of several; false: it has one, or cannot be read. */
static bool show_groups(const vouch_model *m, const char *path)
{
    group_file *f = CLI_NEW(group_file, 1);
    vouch_status status = group_file_read(f, m, path, &cli_error);
    cli_own(free_file, f);
    for (int i = 0; i < f->count && !status && f->several; i++) {
        const group_policy *g = &f->item[i];
        const vouch_model *of = g->model ? g->model : m;
        vouch_policy_graph *graph;
        vouch_policy_graph_data data;
        cli_try(vouch_policy_graph_new(&graph, g->policy, of, &cli_error));
        vouch_policy_graph_view(graph, &data);
        print_group(m, g, i);
        show_whole(&(shown){.m = of,
                            .p = g->policy,
                            .f = &data,
                            .L = vouch_policy_lookahead(g->policy),
                            .T = vouch_policy_horizon(g->policy),
                            .K = vouch_policy_environments(g->policy),
                            .first = vouch_model_first_time(of)});
        vouch_policy_graph_free(graph);
        if (i + 1 < f->count) putchar('\n');
    }
    return !status && f->several;
}

static bool is_model(const char *path)
{
    file_kind kind;
    vouch_error none;
    if (recognise_path(path, &kind, &none)) return false;
    return kind == FILE_MODEL || kind == FILE_PRISM || kind == FILE_JANI || kind == FILE_DRN || kind == FILE_EXPLICIT ||
           kind == FILE_CSV || kind == FILE_POMDP;
}

/* Does a requested form need the model? */
static bool is_drawn(const show_args *args)
{
    return args->rules || args->words || cli_given("induced") || args->tree || args->storm || args->dot || args->svg || args->grid;
}

/* The number of requested forms. */
static int count_forms(const show_args *args)
{
    return args->words + cli_given("induced") + args->tree + args->csv + args->storm + args->dot + args->svg + (args->grid != NULL);
}

/* Without a form, the suffix of the output selects it. */
static void take_ending(show_args *args)
{
    if (count_forms(args) || args->common.json) return;
    args->svg = path_ends_in(args->output, ".svg");
    args->dot = path_ends_in(args->output, ".dot");
    args->csv = path_ends_in(args->output, ".csv");
}

static void check_args(const show_args *args, const char *path, bool modelled)
{
    bool induced = cli_given("induced");
    if (path_ends_in(args->output, ".png") || path_ends_in(args->output, ".pdf"))
        cli_die("%s: pictures are SVG: -o picture.svg; rsvg-convert or a browser converts them", cli_shown(args->output));
    if (args->rules && count_forms(args) != args->svg + args->dot)
        cli_die("--rules goes with --svg, --dot or --json, not with other forms");
    if (count_forms(args) > 1) cli_die("only one of --words, --induced, --tree, --svg, --dot, --grid, --csv and --storm");
    if (!modelled && is_model(path))
        cli_die("%s is a model: vouch plan %s -o policy.json makes a policy, vouch show %s policy.json shows it", cli_shown(path),
                cli_shown(path), cli_shown(path));
    if (!modelled && is_drawn(args)) cli_die("the model is missing: vouch show MODEL POLICY.json");
    if (!modelled) model_refuse("the model: vouch show MODEL POLICY.json");
    const cli_need needs[] = {{"least-probability", args->svg || args->dot || args->grid, "--svg, --dot or --grid"},
                              {"width", args->svg || args->grid, "--svg or --grid"},
                              {"height", args->svg || args->grid, "--svg or --grid"},
                              {"output", is_drawn(args) || args->csv || args->common.json, "--svg, --words or another form"}};
    cli_refuse_idle(needs, sizeof needs / sizeof *needs);
    if (induced && args->induced == INDUCED_DRN && args->output[strlen(args->output) - (args->output[0] != '\0')] != '/')
        cli_die("--induced drn: the environments are a file each: give a directory, -o OUT/");
}

static void free_graph(void *graph) { vouch_policy_graph_free(graph); }

static int run(void *arguments, char **operand)
{
    show_args *args = arguments;
    vouch_model *m, *part;
    vouch_policy *p = NULL;
    vouch_policy_graph *graph = NULL;
    vouch_policy_graph_data data;
    bool modelled = operand[1] != NULL; /* is the model there too? */
    const char *path = operand[modelled];
    take_ending(args);
    check_args(args, path, modelled);
    char across[64];
    const char *pair = args->grid ? args->grid : "x,y", *comma = strchr(pair, ',');
    snprintf(across, sizeof across, "%.*s", comma ? (int)(comma - pair) : 0, pair);
    if (!across[0] || !comma[1]) cli_die("--grid: \"%s\": expected two names of variables, X,Y", pair);
    if (modelled) {
        m = load_model(&args->model, operand[0]);
    } else {
        cli_try(names_only(&m, path, &cli_error));
        cli_own_model(m);
    }
    if (modelled && !args->environment && !is_drawn(args) && !args->csv && !args->common.json && show_groups(m, path))
        return CLI_SOLVED;
    vouch_status status = group_policy_read(m, path, args->environment, &part, &p, &cli_error);
    cli_own_model(part);
    cli_own_policy(p);
    if (part) m = part;
    if (!status && modelled) status = vouch_policy_graph_new(&graph, p, m, &cli_error);
    cli_own(free_graph, graph);
    if (status == VOUCH_ERROR_INPUT && !strstr(cli_error.text, path)) cli_die("%s: %s", path, cli_error.text);
    cli_try(status);
    if (graph) vouch_policy_graph_view(graph, &data);
    show(args,
         &(shown){m, p, graph ? &data : NULL, vouch_policy_lookahead(p), vouch_policy_horizon(p), vouch_policy_environments(p),
                  vouch_model_first_time(m), args->least_probability, across, comma + 1, args->page, args->height, NULL});
    return CLI_SOLVED;
}

const cli_command cli_show = {
    .name = "show",
    .operands = "[MODEL] POLICY.json",
    .least_operands = 1,
    .more_operands = 1,
    .summary = "show a policy as a table, a tree or a picture",
    .text = "Prints a policy as a table of decisions. With the model the table has the probability of each line in each "
            "environment, and the policy can be described in words (--words), listed in time (--tree), drawn (--svg, --dot, "
            "--grid) or exported (--csv, --storm, --induced).",
    .examples = "vouch show maze.json policy.json --words\n"
                "vouch show maze.json policy.json --induced prism -o chain.prism\n"
                "vouch show maze.json policy.json --induced drn -o chains/\n"
                "vouch show maze.json policy.json --svg -o policy.svg\n",
    .options = options,
    .size = sizeof(show_args),
    .run = run,
};
