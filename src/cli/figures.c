/* cli/figures.c - figures of a policy by environment, as a table and as JSON. */
#include "cli/cli.h"

const char *promise_name(const vouch_model *m, int j)
{
    vouch_promise p;
    vouch_model_get_promise(m, j, &p);
    return p.name;
}

/* "8 states, 4 actions, 1 environment, horizon 10" */
static void add_sizes(text *t, int states, int actions, int environments, int horizon)
{
    text_add(t, "%d state%s, %d action%s, %d environment%s, horizon %d", states, states == 1 ? "" : "s", actions,
             actions == 1 ? "" : "s", environments, environments == 1 ? "" : "s", horizon);
}

enum { PRIOR_SHOWN = 12 };

/* Prints the prior of promises on average. */
static void print_prior(const vouch_model *m)
{
    int K = vouch_model_environments(m);
    printf(" on average over the prior");
    for (int k = 0; k < K && k < PRIOR_SHOWN && vouch_model_has_prior(m); k++)
        printf("%s%.4g", k ? ", " : " ", vouch_model_prior(m, k));
    if (!vouch_model_has_prior(m))
        printf(", uniform");
    else if (K > PRIOR_SHOWN)
        printf(", ..");
    printf("; U* ignores it");
}

/* "home: at 7, probability 0.9" */
static void print_promise(const vouch_model *m, int j)
{
    vouch_promise p;
    double least = 1, most = 0;
    vouch_model_get_promise(m, j, &p);
    for (int k = 0; k < vouch_model_environments(m); k++) {
        least = fmin(least, vouch_model_promise_probability(m, j, k));
        most = fmax(most, vouch_model_promise_probability(m, j, k));
    }
    printf("  %s: %s ", cli_shown(p.name), vouch_promise_kind_text(p.kind));
    if (vouch_promise_kind_is_window(p.kind))
        printf("%d .. %d", p.from, p.to);
    else
        printf("%d", p.to);
    printf(", probability %.7g", least);
    if (most > least) printf(" to %.7g, by environment", most);
    if (vouch_model_promise_is_average(m, j)) print_prior(m);
    putchar('\n');
}

void figures_print_class(const vouch_policy *policy)
{
    vouch_plan_result r;
    text t = {0};
    vouch_policy_get_result(policy, &r);
    method_add_class(&t, cli_shown(vouch_policy_method(policy)), vouch_policy_lookahead(policy), r.objective, r.sense);
    text_add(&t, "\n");
    cli_print(&t);
}

void figures_print_plan_class(const vouch_model *m, const vouch_plan_options *o)
{
    text t = {0};
    method_add_class(&t, vouch_method_text(o->method), o->lookahead, o->objective, vouch_model_sense(m));
    text_add(&t, "\n");
    cli_print(&t);
}

void figures_print_model(const vouch_model *m)
{
    text sizes = {0};
    add_sizes(&sizes, vouch_model_states(m), vouch_model_actions(m), vouch_model_environments(m),
              vouch_model_horizon(m) + vouch_model_first_time(m));
    printf("%s: ", vouch_model_name(m)[0] ? cli_shown(vouch_model_name(m)) : "model");
    cli_print(&sizes);
    printf(", ");
    if (!vouch_model_has_list(m)) {
        printf("commitment probability %.7g\n\n", vouch_model_probability(m));
        return;
    }
    printf("promises\n");
    for (int j = 0; j < vouch_model_promises(m); j++) print_promise(m, j);
    putchar('\n');
}

void figures_print_written(const vouch_model *m, const char *path, int horizon, bool json)
{
    text t = {0}, reading = {0};
    int states = vouch_model_states(m), actions = vouch_model_actions(m);
    if (strcmp(path, "-") == 0) return;
    reading_add(m, path, &states, &actions, &reading);
    if (json) {
        js_add(&t, "{ \"file\": \"%s\"", path);
    } else
        text_add(&t, "%s", path);
    if (json) {
        text_add(&t, ", \"states\": %d, \"actions\": %d, \"environments\": %d, \"horizon\": %d", states, actions,
                 vouch_model_environments(m), horizon);
    } else {
        text_add(&t, ": ");
        add_sizes(&t, states, actions, vouch_model_environments(m), horizon);
        text_add(&t, "\n");
    }
    if (json && reading.data) {
        js_add(&t, ", \"reading\": \"%s\"", reading.data);
    } else if (reading.data) {
        text_add(&t, "%s", reading.data);
    }
    text_add(&t, json ? " }\n" : "");
    text_free(&reading);
    cli_print(&t);
}

void figures_print_environments(const vouch_model *m, const vouch_policy *policy)
{
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    figures_print_list(m, r.figures, r.commitments, r.worst);
}

enum { PROMISE_COLUMNS = 16 }; /* shown of them */

double figures_mean(const vouch_model *m, int j, const vouch_environment_figures figures[], const double commitments[])
{
    if (commitments) return vouch_model_mean(m, commitments + j, vouch_model_promises(m));
    double mean = 0;
    for (int k = 0; k < vouch_model_environments(m); k++) mean += vouch_model_prior(m, k) * figures[k].commitment_probability;
    return mean;
}

/* Cells of the first promises in environment k; k < 0: on average over the prior. false: one of the promises is not kept. */
static bool add_probabilities(table *t, const vouch_model *m, int k, const double probability[])
{
    bool kept = true;
    for (int j = 0; j < vouch_model_promises(m); j++) {
        bool here = k >= 0 ? vouch_model_promise_kept(m, j, k, probability[j])
                           : !vouch_model_promise_is_average(m, j) || vouch_model_mean_kept(m, j, probability[j]);
        if (j < PROMISE_COLUMNS) table_probability(t, probability[j], vouch_model_promise_probability(m, j, k < 0 ? 0 : k), here);
        kept = kept && here;
    }
    return kept;
}

/* The row of means: of rewards, promises and their worst probabilities (NULL: none). */
static void add_means(table *t, const vouch_model *m, const vouch_environment_figures figures[], const double commitments[],
                      const double worst[])
{
    double optimal = 0, value = 0, regret = 0;
    double *mean = CLI_NEW(double, vouch_model_promises(m));
    for (int k = 0; k < vouch_model_environments(m); k++) {
        optimal += vouch_model_prior(m, k) * figures[k].optimal_value;
        value += vouch_model_prior(m, k) * figures[k].value;
        regret += vouch_model_prior(m, k) * figures[k].regret;
    }
    table_cell(t, "on average");
    table_number(t, optimal);
    table_number(t, value);
    table_number(t, regret);
    for (int j = 0; j < vouch_model_promises(m); j++) mean[j] = figures_mean(m, j, figures, commitments);
    bool kept = add_probabilities(t, m, -1, mean);
    for (int j = 0; j < vouch_model_promises(m) && worst; j++) mean[j] = figures_mean(m, j, figures, worst);
    if (worst) kept = add_probabilities(t, m, -1, mean) && kept;
    table_cell(t, "%s", kept ? "" : "not kept");
}

void figures_add_averages(text *t, const char *field, const vouch_model *m, const vouch_environment_figures figures[],
                          const double commitments[])
{
    const char *before = " ";
    if (vouch_model_averages(m) > 0) text_add(t, ",\n  \"%s\": {", field);
    for (int j = 0; j < vouch_model_promises(m); j++) {
        if (!vouch_model_promise_is_average(m, j)) continue;
        js_add(t, "%s\"%s\": %g", before, promise_name(m, j), figures_mean(m, j, figures, commitments));
        before = ", ";
    }
    if (vouch_model_averages(m) > 0) text_add(t, " }");
}

/* "worst", with the name of the promise if there are several. */
static const char *worst_header(const vouch_model *m, int j)
{
    const char *name = promise_name(m, j);
    size_t size = strlen("worst ") + strlen(name) + 1;
    char *header = CLI_NEW(char, size);
    if (vouch_model_promises(m) == 1) return "worst";
    snprintf(header, size, "worst %s", name);
    return header;
}

void figures_print_list(const vouch_model *m, const vouch_environment_figures figures[], const double commitments[],
                        const double worst[])
{
    const char *headers[2 * PROMISE_COLUMNS + 6] = {"<environment", "U*", "U", "regret"};
    int J = vouch_model_promises(m) < PROMISE_COLUMNS ? vouch_model_promises(m) : PROMISE_COLUMNS;
    for (int j = 0; j < J; j++) headers[4 + j] = promise_name(m, j);
    for (int j = 0; j < J && worst; j++) headers[4 + J + j] = worst_header(m, j);
    headers[4 + (worst ? 2 : 1) * J] = "<";
    table *t = table_new(headers);
    table_names(t, 4, (size_t)((worst ? 2 : 1) * J));
    for (int k = 0; k < vouch_model_environments(m); k++) {
        const vouch_environment_figures *f = &figures[k];
        table_cell(t, "%s", vouch_model_environment_name(m, k));
        table_number(t, isinf(f->optimal_value) ? NAN : f->optimal_value);
        table_number(t, f->value);
        table_number(t, f->regret);
        bool kept =
            add_probabilities(t, m, k, commitments ? commitments + k * vouch_model_promises(m) : &f->commitment_probability);
        if (worst) kept = add_probabilities(t, m, k, worst + k * vouch_model_promises(m)) && kept;
        table_cell(t, "%s", kept ? "" : "not kept");
    }
    if (vouch_model_averages(m) > 0) add_means(t, m, figures, commitments, worst);
    table_print(t, stdout);
    putchar('\n');
}

void figures_add_json(text *t, const vouch_model *m, const vouch_environment_figures figures[], const double commitments[])
{
    int J = vouch_model_promises(m);
    for (int k = 0; k < vouch_model_environments(m); k++) {
        text_add(t, k ? "," : "[");
        json_write_environment(t, vouch_model_environment_name(m, k), &figures[k]);
        const double *value = commitments ? commitments + (size_t)k * (size_t)J : &figures[k].commitment_probability;
        for (int j = 0; j < J && vouch_model_has_list(m); j++)
            js_add(t, "%s\"%s\": %g", j ? ", " : ", \"commitments\": { ", promise_name(m, j), value[j]);
        text_add(t, vouch_model_has_list(m) ? " } }" : " }");
    }
    text_add(t, " ]");
}

void figures_print_json(const vouch_model *m, const vouch_policy *policy, int kept, bool timeless, const text *more)
{
    vouch_plan_result r;
    text t = {0};
    vouch_policy_get_result(policy, &r);
    js_add(&t, "{ \"status\": \"%s\", \"method\": \"%s\", \"lookahead\": %d", vouch_plan_outcome_text(r.outcome),
           vouch_policy_method(policy), vouch_policy_lookahead(policy));
    if (kept >= 0) text_add(&t, ", \"kept\": %s", kept ? "true" : "false");
    policy_json_write_objective(policy, &t);
    js_add(&t, ", \"max_regret\": %g, \"bound\": %g, \"total_regret\": %g", r.max_regret, r.bound, r.total_regret);
    policy_json_write_bounded(policy, &t);
    js_add(&t, ",\n  \"nodes\": %lld, \"iterations\": %lld, \"seconds\": %g, \"sense\": \"%s\"", r.nodes, r.iterations,
           timeless ? NAN : r.seconds, vouch_sense_text(r.sense));
    if (r.has_policy) figures_add_averages(&t, "averages", m, r.figures, r.commitments);
    if (r.has_policy && r.worst) figures_add_averages(&t, "worst_averages", m, r.figures, r.worst);
    if (more && more->data) text_add_bytes(&t, more->data, more->length);
    text_add(&t, ",\n  \"environments\": ");
    policy_json_write_environments(policy, &t);
    text_add(&t, " }\n");
    cli_print(&t);
}

vouch_status figures_again(vouch_policy *policy, const vouch_model *model, int *kept, vouch_error *error)
{
    vouch_environment_figures *figures = CLI_NEW(vouch_environment_figures, vouch_policy_environments(policy));
    double *commitments = CLI_NEW(double, vouch_policy_environments(policy) * vouch_model_promises(model));
    vouch_status status = vouch_policy_evaluate_promises(policy, model, figures, commitments, kept, error);
    if (!status) vouch_policy_set_figures(policy, figures);
    if (!status && vouch_policy_set_commitments(policy, vouch_model_promises(model), commitments)) status = error_memory(error);
    return status;
}

int figures_not_kept(const vouch_model *m, const vouch_policy *policy, const char *path)
{
    vouch_plan_result r;
    vouch_promise promise;
    char word[32];
    vouch_policy_get_result(policy, &r);
    int J = vouch_model_promises(m);
    for (int i = 0; i < J * r.environments; i++) {
        int k = i / J, j = i % J;
        double pr = r.commitments ? r.commitments[i] : r.figures[k].commitment_probability,
               owed = vouch_model_promise_probability(m, j, k);
        if (vouch_model_promise_kept(m, j, k, pr)) continue;
        vouch_model_get_promise(m, j, &promise);
        bool named = vouch_model_has_list(m);
        return cli_wrong("%s: the policy does not keep the %s%s: probability %s in environment %s, which needs %.10g", path,
                         named ? "promise " : "commitment", named ? promise.name : "", table_below(pr, owed, 10, word),
                         vouch_model_environment_name(m, k), owed);
    }
    return cli_wrong("%s: the policy does not keep the promise on average", path);
}
