/* cli/plan_groups.c - see plan_groups.h. */
#include "cli/plan_groups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/figures.h"
#include "cli/report.h"
#include "cli/table.h"
#include "io/groups_json.h"
#include "io/json.h"

/* search: as of a single plan, a baseline claims nothing that a limit could have left open. */
static int exit_status(vouch_plan_outcome outcome, bool search)
{
    if (outcome == VOUCH_PLAN_OPTIMAL || (outcome == VOUCH_PLAN_FEASIBLE && !search)) return CLI_SOLVED;
    if (outcome == VOUCH_PLAN_INFEASIBLE) return CLI_INFEASIBLE;
    return report_interrupted() ? CLI_INTERRUPTED : CLI_LIMIT;
}

double group_least_kept(const vouch_group *g)
{
    vouch_plan_result r;
    double least = 1;
    vouch_policy_get_result(g->policy, &r);
    for (int i = 0; i < g->environments; i++)
        least = fmin(least, r.figures[g->whole ? g->environment[i] : i].commitment_probability);
    return least;
}

static int print_table(const vouch_model *m, const vouch_groups *groups)
{
    vouch_groups_result r;
    vouch_groups_get_result(groups, &r);
    static const char *const headers[] = {"policy", "<environments", "<in common", "regret", "bound", "least kept", NULL};
    table *t = table_new(headers);
    for (int i = 0; i < r.groups; i++) {
        vouch_group g;
        text names = {0}, common = {0};
        vouch_groups_get(groups, i, &g);
        for (int j = 0; j < g.environments; j++)
            text_add(&names, "%s%s", j ? " " : "", cli_shown(vouch_model_environment_name(m, g.environment[j])));
        group_common_add(m, g.environment, g.environments, &common);
        table_cell(t, "%d", i);
        table_cell(t, "%s", names.data ? names.data : "");
        table_cell(t, "%s", common.data ? cli_shown(common.data) : "-");
        table_number(t, g.max_regret);
        table_number(t, g.bound);
        table_number(t, group_least_kept(&g));
        text_free(&names);
        text_free(&common);
    }
    return table_print(t, stdout);
}

static int print_plain(const vouch_model *m, const vouch_groups *groups, const group_request *w)
{
    vouch_groups_result r;
    vouch_groups_get_result(groups, &r);
    figures_print_model(m);
    if (r.groups) {
        if (print_table(m, groups)) return cli_wrong("out of memory");
        printf("maximum regret  %.10g  (%sproved optimal, bound %.10g)\n", table_shown(r.max_regret),
               r.outcome == VOUCH_PLAN_OPTIMAL ? "" : "not ", table_shown(r.bound));
    } else if (r.outcome == VOUCH_PLAN_INFEASIBLE) {
        printf("infeasible (proved): no %d policies keep the promises\n", w->policies);
    } else {
        printf("a limit was reached before policies were found; bound on the maximum regret %.10g\n", table_shown(r.bound));
    }
    printf("%lld sets of environments planned for, nodes %lld, iterations %lld, %.2f s\n", r.subsets, r.nodes, r.iterations,
           r.seconds);
    return 0;
}

/* more: further fields. */
static int print_json(const vouch_model *m, const vouch_groups *groups, const group_request *w, const text *more)
{
    vouch_groups_result r;
    text t = {0};
    vouch_groups_get_result(groups, &r);
    text_add(&t, "{ \"status\": \"%s\", \"policies\": %d, \"promises\": \"%s\"", vouch_plan_outcome_text(r.outcome), w->policies,
             w->promises == VOUCH_PROMISES_OWN ? "own" : "all");
    js_add_number(&t, ", \"max_regret\": ", r.max_regret);
    js_add_number(&t, ", \"bound\": ", r.bound);
    text_add(&t, ", \"subsets\": %lld, \"nodes\": %lld, \"iterations\": %lld", r.subsets, r.nodes, r.iterations);
    js_add_number(&t, ", \"seconds\": ", r.seconds);
    text_add(&t, ",\n  \"groups\": ");
    group_list_add(groups, m, &t);
    text_add(&t, "%s }\n", more->data ? more->data : "");
    cli_print(&t);
    return 0;
}

/* Hands the lines of a proof on, and notes whether anything is claimed of all groups: parts have claims of their own. */
typedef struct group_claims {
    const vouch_plan_options *to;
    bool any;
} group_claims;

static void hand_on(void *context, const char *more)
{
    group_claims *c = context;
    c->any |= strncmp(more, "claim ", strlen("claim ")) == 0;
    c->to->proof(c->to->proof_context, more);
}

/* Ends the proof and has it checked. */
static vouch_status end_proof(const vouch_model *m, const vouch_groups_result *r, bool claimed, const group_request *w,
                              vouch_error *error)
{
    const vouch_plan_result result = {.iterations = r->iterations, .nodes = r->nodes};
    if (!claimed) w->proof->claims = 0;
    vouch_status status = prove_end(w->proof, m, &result, "nothing was proved about the groups", error);
    if (!status) prove_check(w->proof, w->read, w->check_work);
    return status;
}

int plan_groups(const vouch_model *m, const vouch_plan_options *options, const group_request *w)
{
    vouch_groups *groups;
    vouch_groups_result r;
    vouch_error error = {0};
    vouch_plan_options o = *options;
    group_claims claims = {options, false};
    text more = {0};
    if (w->proof) o.proof = hand_on, o.proof_context = &claims;
    vouch_status status = vouch_plan_groups(&groups, m, &o, w->policies, (vouch_group_promises)w->promises, &error);
    report_clear();
    if (status) return cli_failed(&error);
    vouch_groups_get_result(groups, &r);
    int code = exit_status(r.outcome, vouch_method_describe(o.method)->proves), proved = CLI_SOLVED;
    if (!w->json) proved = print_plain(m, groups, w);
    if (w->proof && end_proof(m, &r, claims.any, w, &error)) proved = cli_failed(&error);
    if (w->proof && !proved) code = prove_tell(w->proof, w->prove_asked, w->json, code);
    if (w->proof && w->json) prove_json(w->proof, &more);
    if (w->json) print_json(m, groups, w, &more);
    text_free(&more);
    if (proved) code = proved;
    if (w->output && r.groups && group_file_write(groups, m, (vouch_group_promises)w->promises, w->output, &error))
        code = cli_failed(&error);
    vouch_groups_free(groups);
    return code;
}
