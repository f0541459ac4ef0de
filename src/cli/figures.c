/* cli/figures.c - see figures.h. */
#include "cli/figures.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "io/json.h"
#include "io/policy_json.h"

void figures_print_model(const vouch_model *m)
{
    printf("%s: %d states, %d actions, %d environments, horizon %d, commitment probability %.7g\n\n",
           vouch_model_name(m)[0] ? vouch_model_name(m) : "model", vouch_model_states(m), vouch_model_actions(m),
           vouch_model_environments(m), vouch_model_horizon(m), vouch_model_probability(m));
}

void figures_print_environments(const vouch_model *m, const vouch_policy *policy)
{
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    figures_print_list(m, r.figures);
}

void figures_print_list(const vouch_model *m, const vouch_environment_figures figures[])
{
    static const char *const headers[] = {"<environment", "U*", "U", "regret", "commitment", "<", NULL};
    table *t = table_new(headers);
    for (int k = 0; k < vouch_model_environments(m); k++) {
        const vouch_environment_figures *f = &figures[k];
        table_cell(t, "%s", vouch_model_environment_name(m, k));
        table_number(t, f->optimal_value);
        table_number(t, f->value);
        table_number(t, f->regret);
        table_number(t, f->commitment_probability);
        table_cell(t, "%s", vouch_model_kept(m, f->commitment_probability) ? "" : "not kept");
    }
    if (table_print(t, stdout)) cli_wrong("out of memory");
    putchar('\n');
}

void figures_add_json(text *t, const vouch_model *m, const vouch_environment_figures figures[])
{
    for (int k = 0; k < vouch_model_environments(m); k++) {
        text_add(t, k ? "," : "[");
        json_write_environment(t, vouch_model_environment_name(m, k), &figures[k]);
        text_add(t, " }");
    }
    text_add(t, " ]");
}

void figures_print_json(const vouch_policy *policy, int kept)
{
    vouch_plan_result r;
    text t = {0};
    vouch_policy_get_result(policy, &r);
    text_add(&t, "{ \"status\": \"%s\"", vouch_plan_outcome_text(r.outcome));
    if (kept >= 0) text_add(&t, ", \"kept\": %s", kept ? "true" : "false");
    js_add_number(&t, ", \"max_regret\": ", r.max_regret);
    js_add_number(&t, ", \"bound\": ", r.bound);
    js_add_number(&t, ", \"total_regret\": ", r.total_regret);
    text_add(&t, ",\n  \"nodes\": %lld, \"iterations\": %lld", r.nodes, r.iterations);
    js_add_number(&t, ", \"seconds\": ", r.seconds);
    text_add(&t, ",\n  \"environments\": ");
    policy_json_write_environments(policy, &t);
    text_add(&t, " }\n");
    cli_print(&t);
    text_free(&t);
}

vouch_status figures_again(vouch_policy *policy, const vouch_model *model, int *kept, vouch_error *error)
{
    vouch_environment_figures *figures = MEM_NEW(vouch_environment_figures, vouch_policy_environments(policy));
    if (!figures) return error_memory(error);
    vouch_status status = vouch_policy_evaluate(policy, model, figures, kept, error);
    if (!status) vouch_policy_set_figures(policy, figures);
    mem_free(figures);
    return status;
}
