/* cli/plan_print.c - what a plan is, in words and a table; see plan_print.h. */
#include "cli/plan_print.h"

#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/figures.h"
#include "cli/method.h"
#include "cli/objective.h"
#include "cli/table.h"
#include "io/file.h"

static const double TOTAL_PROVED = 2e-6; /* total regret and bound closer than this: the search's gap and rounding */

/* The largest price of determinism, over environments. */
static void print_determinism(const vouch_model *m, const vouch_plan_result *r)
{
    int most = 0;
    for (int k = 1; k < r->environments && r->regret_of_determinism; k++)
        if (r->regret_of_determinism[k] > r->regret_of_determinism[most]) most = k;
    if (!r->regret_of_determinism || !(table_shown(r->regret_of_determinism[most]) > 0)) return;
    const char *name = cli_shown(vouch_model_environment_name(m, most));
    printf("\nprice of determinism  %.10g  (in %s: a lower bound on the regret of every deterministic policy)",
           table_shown(r->regret_of_determinism[most]), name);
}

/* The value of an objective other than the regret. */
static void print_value(const vouch_plan_result *r, bool search)
{
    printf("%-15s %.10g", objective_noun(r->objective), table_shown(r->value));
    if (r->outcome == VOUCH_PLAN_OPTIMAL)
        printf("  (proved optimal, bound %.10g)", table_shown(r->bound));
    else if (search)
        printf("  (not proved optimal, bound %.10g)", table_shown(r->bound));
    putchar('\n');
}

void plan_print(const vouch_model *m, const vouch_policy *policy, bool search, bool seconds)
{
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    method_note_lookahead(vouch_policy_method(policy));
    figures_print_class(policy);
    figures_print_model(m);
    if (r.outcome == VOUCH_PLAN_INFEASIBLE) {
        if (vouch_model_has_list(m))
            printf("infeasible (proved): no policy keeps all promises\n\n");
        else
            printf("infeasible (proved): the commitment cannot be kept with probability %.7g\n\n", vouch_model_probability(m));
    } else {
        bool regret = r.objective == VOUCH_OBJECTIVE_REGRET;
        if (r.has_policy) {
            figures_print_environments(m, policy);
            if (!regret) print_value(&r, search);
            printf("maximum regret  %.10g", table_shown(r.max_regret));
            if (!regret)
                ;
            else if (r.optima_bounded)
                printf("  (upper bound, as only an upper bound of U*_c is known; bound %.10g)", table_shown(fmax(0, r.bound)));
            else if (r.outcome == VOUCH_PLAN_OPTIMAL)
                printf("  (proved optimal, bound %.10g)", table_shown(fmax(0, r.bound)));
            else if (search)
                printf("  (not proved optimal, bound %.10g)", table_shown(fmax(0, r.bound)));
            print_determinism(m, &r);
            printf("\ntotal regret    %.10g", table_shown(r.total_regret));
            if (r.total_bound >= r.total_regret - TOTAL_PROVED)
                printf("  (proved least for that %s)\n", regret ? "maximum" : "value");
            else if (!isnan(r.total_bound))
                printf("  (least found for that %s, bound %.10g; --tie-break-work 0 continues)\n", regret ? "maximum" : "value",
                       table_shown(r.total_bound));
            else
                printf("\n");
        } else if (search) {
            printf("a limit was reached before a policy was found; bound on the %s %.10g\n",
                   regret ? "maximum regret" : objective_noun(r.objective), r.bound);
            if (!isnan(r.nearest_probability))
                printf("nearest to the commitment: every environment keeps it with probability %.10g\n", r.nearest_probability);
        }
        if (r.outcome == VOUCH_PLAN_LIMIT && !search) printf("the baseline does not keep the commitment\n");
        if (r.outcome == VOUCH_PLAN_NUMERICAL) printf("numerical trouble: nothing is certified\n");
    }
    if (r.total_nodes > 0)
        printf("nodes %lld, and %lld for the total regret; ", r.nodes - r.total_nodes, r.total_nodes);
    else
        printf("nodes %lld, ", r.nodes);
    printf("iterations %lld", r.iterations);
    if (seconds) printf(", %.2f s", r.seconds);
    putchar('\n');
}

void plan_print_next(const plan_words *asked)
{
    const char *model = asked->model, *file = asked->output;
    if (file)
        printf("\nnext:  vouch show%s %s --words\n       vouch evaluate%s %s\n", model, file, model, file);
    else
        printf("\nnext:  vouch plan%s%s%s -o policy.json\n       vouch show%s policy.json --words\n", model, asked->of_class,
               asked->objective, model);
}

void plan_print_ways_out(const plan_words *asked, const vouch_model *m, bool history)
{
    bool several = vouch_model_promises(m) > 1;
    text name = {0};
    vouch_promise first;
    vouch_model_get_promise(m, 0, &first);
    if (several) text_add(&name, " ");
    if (several) text_add_quoted(&name, first.name);
    printf("\nnext:  vouch plan%s%s", asked->model, asked->of_class);
    if (several || history)
        printf(" --max-commitment\n");
    else
        printf(" --frontier --plot frontier.svg\n");
    if (history)
        printf("       vouch plan%s%s --frontier%s --plot frontier.svg\n", asked->model, asked->of_class,
               name.data ? name.data : "");
    else
        printf("       vouch plan%s --method history%s\n", asked->model, asked->objective);
    text_free(&name);
}
