/* cli/explain_promises.c - what several promises allow: each alone, each beside the others, and which of them conflict. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/report.h"
#include "cli/table.h"
#include "io/json.h"

typedef struct levels {
    int only;           /* the promise asked about, -1: all */
    double *alone;      /* owned, [K * J] */
    vouch_range *level; /* owned, [J] given the others */
    vouch_conflict conflict;
} levels;

static vouch_status find_levels(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, levels *x,
                                vouch_error *error)
{
    int K = vouch_model_environments(m), J = vouch_model_promises(m);
    bool each = true, together = true;
    x->alone = MEM_NEW(double, K *J);
    x->level = MEM_ZERO(vouch_range, J);
    x->conflict.environment = MEM_NEW(int, K *J);
    if (!x->alone || !x->level || !x->conflict.environment) return error_memory(error);
    vouch_status status = vouch_explain_alone(m, x->alone, error);
    for (int r = 0; r < K * J && !status; r++) each = each && vouch_model_promise_kept(m, r % J, r / J, x->alone[r]);
    for (int j = 0; j < J && !status; j++) {
        vouch_plan_options one = *o;
        double upper = vouch_explain_upper(m, j, x->alone), asked = 0;
        for (int k = 0; k < K; k++) asked = fmax(asked, vouch_model_promise_probability(m, j, k));
        if (vouch_model_promise_is_average(m, j)) each = each && vouch_model_mean_kept(m, j, upper);
        if (x->only >= 0 && j != x->only) continue;
        one.limits = deadline_left(limit);
        report_progress("promise %d of %d with the others", j + 1, J);
        status = vouch_explain_level(m, j, &one, upper, &x->level[j], error);
        together = together && x->level[j].bound >= asked - VOUCH_EXPLAIN_GAP;
    }
    if (status || !each || together) return status;
    vouch_plan_options one = *o;
    one.limits = deadline_left(limit);
    report_progress("promises in conflict");
    return vouch_explain_conflict(m, &one, &x->conflict, error);
}

static const char *name_of(const vouch_model *m, int j)
{
    vouch_promise p;
    vouch_model_get_promise(m, j, &p);
    return p.name;
}

static void print_levels(const vouch_model *m, const levels *x)
{
    int K = vouch_model_environments(m), J = vouch_model_promises(m);
    printf("largest probability of each promise\n");
    for (int j = 0; j < J; j++) {
        if (x->only >= 0 && j != x->only) continue;
        char word[32];
        double alone = vouch_explain_upper(m, j, x->alone), promised = INFINITY;
        for (int k = 0; k < K; k++) promised = fmin(promised, vouch_model_promise_probability(m, j, k));
        printf("  %s%s: alone %s", cli_shown(name_of(m, j)), vouch_model_promise_is_average(m, j) ? ", on average" : "",
               table_below(alone, promised, 10, word));
        if (alone < promised) printf(", promised %.10g", promised);
        printf("; ");
        if (x->level[j].bound < 0)
            printf(J == 2 ? "the other cannot be kept\n" : "the others cannot be kept together\n");
        else if (x->level[j].proved)
            printf("with the others %.10g\n", x->level[j].reached);
        else
            printf("with the others at least %.10g, at most %.10g\n", x->level[j].reached, x->level[j].bound);
    }
    if (x->conflict.count == 0) return;
    printf("\nno policy of this class keeps together\n");
    for (int i = 0; i < x->conflict.count; i++) {
        int r = x->conflict.environment[i];
        if (vouch_model_promise_is_average(m, r % J))
            printf("  %s on average\n", cli_shown(name_of(m, r % J)));
        else
            printf("  %s in %s\n", cli_shown(name_of(m, r % J)), cli_shown(vouch_model_environment_name(m, r / J)));
    }
    if (x->conflict.smallest) printf("(a smallest such set)\n");
}

static void print_json(const vouch_model *m, const levels *x)
{
    int K = vouch_model_environments(m), J = vouch_model_promises(m);
    text t = {0};
    text_add(&t, "{ \"promises\": {");
    for (int j = 0; j < J; j++) {
        if (x->only >= 0 && j != x->only) continue;
        text_add(&t, j && x->only < 0 ? ",\n  " : "\n  ");
        js_add_string(&t, name_of(m, j));
        js_add_number(&t, ": { \"reached\": ", x->level[j].reached);
        js_add_number(&t, ", \"bound\": ", x->level[j].bound);
        text_add(&t, ", \"proved\": %s, \"alone\": {", x->level[j].proved ? "true" : "false");
        for (int k = 0; k < K; k++) {
            text_add(&t, k ? ", " : " ");
            js_add_string(&t, vouch_model_environment_name(m, k));
            js_add_number(&t, ": ", x->alone[k * J + j]);
        }
        text_add(&t, " } }");
    }
    text_add(&t, " },\n  \"conflict\": [");
    for (int i = 0; i < x->conflict.count; i++) {
        int r = x->conflict.environment[i];
        text_add(&t, i ? ", { \"promise\": " : " { \"promise\": ");
        js_add_string(&t, name_of(m, r % J));
        if (!vouch_model_promise_is_average(m, r % J)) {
            text_add(&t, ", \"environment\": ");
            js_add_string(&t, vouch_model_environment_name(m, r / J));
        }
        text_add(&t, " }");
    }
    text_add(&t, "], \"smallest\": %s }\n", x->conflict.count && x->conflict.smallest ? "true" : "false");
    cli_print(&t);
}

int explain_promises(const vouch_model *m, int promise, const vouch_plan_options *o, const deadline *limit, bool as_json)
{
    levels x = {.only = promise};
    vouch_error error = {0};
    int code = CLI_SOLVED;
    if (find_levels(m, o, limit, &x, &error)) {
        code = cli_failed(&error);
    } else {
        report_clear();
        if (as_json)
            print_json(m, &x);
        else
            print_levels(m, &x);
        for (int j = 0; j < vouch_model_promises(m); j++)
            if ((promise < 0 || j == promise) && !x.level[j].proved) code = report_interrupted() ? CLI_INTERRUPTED : CLI_LIMIT;
    }
    mem_free(x.alone);
    mem_free(x.level);
    mem_free(x.conflict.environment);
    return code;
}
