/* cli/explain.c - plan --max-commitment, and why a commitment cannot be kept. */
#include "cli/cli.h"

enum { STAGE = 128 }; /* bytes of the words of a stage */

void explain_report(void *words, const vouch_plan_progress *p)
{
    if (isnan(p->bound))
        report_live("%.1f s  %s, nodes %lld", p->seconds, (const char *)words, p->nodes);
    else
        report_live("%.1f s  %s: at least %.6g, at most %.6g, nodes %lld", p->seconds, (const char *)words, fmax(0, p->incumbent),
                    p->bound, p->nodes);
}

/* A stage begins: its progress is reported after these words. */
static void begin_stage(vouch_plan_options *o, char words[STAGE], const char *what, const char *of)
{
    snprintf(words, STAGE, "%s%s", what, of);
    o->progress = explain_report;
    o->progress_context = words;
    report_live("%s", words);
}

/* ---- several promises: the largest probability of each alone and with the others, and conflicts ---- */

typedef struct levels {
    int only;           /* the promise of interest, -1: all */
    double *alone;      /* owned, [K * J] */
    vouch_range *level; /* owned, [J] given the others */
    vouch_conflict conflict;
} levels;

static vouch_status find_levels(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, levels *x,
                                vouch_error *error)
{
    int K = vouch_model_environments(m), J = vouch_model_promises(m);
    char words[STAGE], name[STAGE / 2];
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
        snprintf(name, sizeof name, "promise %d of %d with the others, ", j + 1, J);
        one.method = VOUCH_METHOD_HISTORY; /* all policies bound those of the method */
        begin_stage(&one, words, name, "any policy");
        one.limits = deadline_left(limit);
        if (!vouch_model_has_error(m)) status = vouch_explain_level(m, j, &one, upper, &x->level[j], error);
        if (!status && !vouch_model_has_error(m) && o->method != VOUCH_METHOD_HISTORY) upper = x->level[j].bound;
        if (status == VOUCH_ERROR_SIZE && o->method != VOUCH_METHOD_HISTORY) status = VOUCH_OK; /* too many histories */
        one = *o;
        one.limits = deadline_left(limit);
        begin_stage(&one, words, name, vouch_method_text(o->method));
        if (!status && o->method != VOUCH_METHOD_HISTORY && upper >= 0)
            status = vouch_explain_level(m, j, &one, upper, &x->level[j], error);
        together = together && x->level[j].bound >= asked - VOUCH_EXPLAIN_GAP;
    }
    if (status || !each || together) return status;
    vouch_plan_options one = *o;
    one.limits = deadline_left(limit);
    begin_stage(&one, words, "promises in conflict", "");
    return vouch_explain_conflict(m, &one, &x->conflict, error);
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
        printf("  %s%s: alone %s", cli_shown(promise_name(m, j)), vouch_model_promise_is_average(m, j) ? ", on average" : "",
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
            printf("  %s on average\n", cli_shown(promise_name(m, r % J)));
        else
            printf("  %s in %s\n", cli_shown(promise_name(m, r % J)), cli_shown(vouch_model_environment_name(m, r / J)));
    }
    if (x->conflict.smallest) printf("(a smallest such set)\n");
}

static void print_levels_json(const vouch_model *m, const levels *x)
{
    int K = vouch_model_environments(m), J = vouch_model_promises(m);
    text t = {0};
    text_add(&t, "{ \"promises\": {");
    for (int j = 0; j < J; j++) {
        if (x->only >= 0 && j != x->only) continue;
        js_add(&t, "%s\"%s\": { \"reached\": %g, \"bound\": %g, \"proved\": %s, \"alone\": {", j && x->only < 0 ? ",\n  " : "\n  ",
               promise_name(m, j), x->level[j].reached, x->level[j].bound, x->level[j].proved ? "true" : "false");
        for (int k = 0; k < K; k++)
            js_add(&t, "%s\"%s\": %g", k ? ", " : " ", vouch_model_environment_name(m, k), x->alone[k * J + j]);
        text_add(&t, " } }");
    }
    text_add(&t, " },\n  \"conflict\": [");
    for (int i = 0; i < x->conflict.count; i++) {
        int r = x->conflict.environment[i];
        js_add(&t, "%s\"%s\"", i ? ", { \"promise\": " : " { \"promise\": ", promise_name(m, r % J));
        if (!vouch_model_promise_is_average(m, r % J))
            js_add(&t, ", \"environment\": \"%s\"", vouch_model_environment_name(m, r / J));
        text_add(&t, " }");
    }
    text_add(&t, "], \"smallest\": %s }\n", x->conflict.count && x->conflict.smallest ? "true" : "false");
    cli_print(&t);
}

/* explain_print for several promises. promise: only this one; -1: all. */
static int explain_promises(const vouch_model *m, int promise, const vouch_plan_options *o, const deadline *limit, bool as_json)
{
    levels x = {.only = promise};
    int code = CLI_SOLVED;
    if (find_levels(m, o, limit, &x, &cli_error)) {
        code = cli_failed(&cli_error);
    } else {
        report_clear();
        if (as_json)
            print_levels_json(m, &x);
        else
            print_levels(m, &x);
        for (int j = 0; j < vouch_model_promises(m); j++)
            if ((promise < 0 || j == promise) && !x.level[j].proved) code = report_interrupted() ? CLI_INTERRUPTED : CLI_LIMIT;
    }
    MEM_FREE_ALL(x.alone, x.level, x.conflict.environment);
    return code;
}

/* ---- explain ---- */

typedef struct explanation {
    double *alone;      /* owned, [K] */
    double least_alone; /* on average: their mean */
    vouch_range history, chosen;
    vouch_range other[VOUCH_METHOD_COUNT]; /* bound 0: not asked */
    vouch_conflict conflict;               /* environment: owned */
} explanation;

static const double OTHER_SECONDS = 2; /* for a hint only, after the answer */

/* The largest promises of the other methods that prove bounds. */
static vouch_status explain_others(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, explanation *x,
                                   vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    char words[STAGE];
    for (int i = 0; i < VOUCH_METHOD_COUNT && !status; i++) {
        vouch_plan_options other = *o;
        other.method = (vouch_method)i;
        if (i == (int)o->method || i == VOUCH_METHOD_HISTORY || !vouch_method_describe(other.method)->proves) continue;
        other.start = NULL;
        other.limits = deadline_left(limit);
        other.limits.seconds = other.limits.seconds > 0 ? fmin(other.limits.seconds, OTHER_SECONDS) : OTHER_SECONDS;
        begin_stage(&other, words, "largest probability possible with ", vouch_method_text(other.method));
        status = vouch_explain_largest(m, &other, x->history.bound, &x->other[i], error);
        if (status == VOUCH_ERROR_SIZE) {
            x->other[i] = (vouch_range){0};
            status = VOUCH_OK;
        } else if (i == VOUCH_METHOD_EXACT_CCL && o->method == VOUCH_METHOD_MILP_CCL) { /* its policies contain those */
            x->other[i].reached = fmax(x->other[i].reached, x->chosen.reached);
        }
    }
    return status;
}

static vouch_status explain(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, explanation *x,
                            vouch_error *error)
{
    int K = vouch_model_environments(m);
    char words[STAGE];
    x->alone = MEM_NEW(double, K);
    x->conflict.environment = MEM_NEW(int, K);
    if (!x->alone || !x->conflict.environment) return error->status = VOUCH_ERROR_MEMORY;
    vouch_status status = vouch_explain_alone(m, x->alone, error);
    if (status) return status;
    x->least_alone = vouch_explain_upper(m, 0, x->alone);
    vouch_plan_options all = *o, same = *o;
    all.method = VOUCH_METHOD_HISTORY;
    all.limits = deadline_left(limit);
    begin_stage(&all, words, "largest probability possible with ", "any policy");
    bool planned = !vouch_model_has_error(m); /* for */
    if (planned) status = vouch_explain_largest(m, &all, x->least_alone, &x->history, error);
    if (!planned || status == VOUCH_ERROR_SIZE) { /* too many histories: the environments alone give the upper bound */
        x->history = (vouch_range){0, x->least_alone, 0};
        status = VOUCH_OK;
    }
    begin_stage(&same, words, "largest probability possible with ", vouch_method_text(o->method));
    x->chosen = x->history;
    same.limits = deadline_left(limit);
    if (!status && o->method != VOUCH_METHOD_HISTORY) status = vouch_explain_largest(m, &same, x->history.bound, &x->chosen, error);
    if (!planned)
        x->history = (vouch_range){x->chosen.reached, x->least_alone, x->least_alone - x->chosen.reached <= VOUCH_EXPLAIN_GAP};
    bool average = vouch_model_promise_is_average(m, 0); /* a single promise has no conflict with others */
    if (!status && !average && vouch_model_kept(m, x->least_alone) && !vouch_model_kept(m, x->chosen.bound)) {
        begin_stage(&same, words, "environments in conflict", "");
        same.limits = deadline_left(limit);
        status = vouch_explain_conflict(m, &same, &x->conflict, error);
    }
    return status || !planned ? status : explain_others(m, o, limit, x, error);
}

/* p rounded down, so that the printed number is possible. */
static double paste(double p) { return floor(p * 1e10) / 1e10; }

static void print_range(const char *what, const vouch_range *r)
{
    if (r->proved)
        printf("%-42s %.10g\n", what, paste(r->reached));
    else
        printf("%-42s at least %.10g, at most %.10g\n", what, paste(r->reached), r->bound);
}

/* The methods that could keep the promise if the chosen one cannot. */
static void print_keepers(const vouch_model *m, const vouch_plan_options *o, const explanation *x)
{
    const char *before = "\nkept by: ";
    if (vouch_model_kept(m, x->chosen.bound)) return;
    for (int i = 0; i < VOUCH_METHOD_COUNT; i++) {
        double reached = i == VOUCH_METHOD_HISTORY ? x->history.reached : x->other[i].reached;
        if (i == (int)o->method || !(reached > 0) || !vouch_model_kept(m, reached)) continue;
        printf("%s--method %s", before, vouch_method_text((vouch_method)i));
        before = ", ";
    }
    if (before[0] == ',') putchar('\n');
}

static void print_text(const vouch_model *m, const vouch_plan_options *o, const explanation *x)
{
    static const char *const headers[] = {"<environment", "largest probability alone", "<", NULL};
    char what[96];
    bool average = vouch_model_promise_is_average(m, 0);
    table *t = table_new(headers);
    for (int k = 0; k < vouch_model_environments(m); k++) {
        table_cell(t, "%s", vouch_model_environment_name(m, k));
        bool enough = average || vouch_model_promise_kept(m, 0, k, x->alone[k]);
        table_probability(t, x->alone[k], vouch_model_promise_probability(m, 0, k), enough);
        table_cell(t, "%s", enough ? "" : "too small");
    }
    if (average) {
        table_cell(t, "on average");
        bool enough = vouch_model_kept(m, x->least_alone);
        table_probability(t, x->least_alone, vouch_model_probability(m), enough);
        table_cell(t, "%s", enough ? "" : "too small");
    }
    table_print(t, stdout);
    printf(average ? "\nlargest mean over the prior\n" : "\nlargest probability in all at once\n");
    print_range("  with any policy", &x->history);
    if (vouch_method_describe(o->method)->lookahead == VOUCH_LOOKAHEAD_ASKED)
        snprintf(what, sizeof what, "  with %s, L = %d", vouch_method_text(o->method), o->lookahead);
    else
        snprintf(what, sizeof what, "  with %s", vouch_method_text(o->method));
    if (o->method != VOUCH_METHOD_HISTORY) print_range(what, &x->chosen);
    for (int i = 0; i < VOUCH_METHOD_COUNT; i++) {
        if (!(x->other[i].bound > 0)) continue;
        snprintf(what, sizeof what, "  with %s, L = %d", vouch_method_text((vouch_method)i), o->lookahead);
        print_range(what, &x->other[i]);
    }
    if (x->conflict.count > 0) {
        printf("\njointly infeasible: each environment alone allows p = %.7g, but no policy of this class keeps it in all of",
               vouch_model_probability(m));
        for (int i = 0; i < x->conflict.count; i++)
            printf("%s %s", i ? "," : "", cli_shown(vouch_model_environment_name(m, x->conflict.environment[i])));
        printf("%s\n", x->conflict.smallest ? " (a smallest such set)" : "");
    }
    print_keepers(m, o, x);
    printf("\nthe largest commitment: -p %.10g%s\n", paste(x->chosen.reached), x->chosen.proved ? "" : "  (more may be possible)");
}

/* Adds a field, with `before` in front of it. */
static void add_range(text *t, const char *before, const char *name, const vouch_range *r)
{
    js_add(t, "%s \"%s\": { \"reached\": %g, \"bound\": %g, \"proved\": %s }", before, name, r->reached, r->bound,
           r->proved ? "true" : "false");
}

static void print_json(const vouch_model *m, const explanation *x)
{
    text t = {0};
    js_add(&t, "{ \"largest_commitment\": %g", paste(x->chosen.reached));
    add_range(&t, ",\n ", "any_policy", &x->history);
    add_range(&t, ",\n ", "this_class", &x->chosen);
    text_add(&t, ",\n  \"other_classes\": {");
    const char *separator = "";
    for (int i = 0; i < VOUCH_METHOD_COUNT; i++) {
        if (!(x->other[i].bound > 0)) continue;
        add_range(&t, separator, vouch_method_text((vouch_method)i), &x->other[i]);
        separator = ",";
    }
    text_add(&t, " },\n  \"alone\": {");
    for (int k = 0; k < vouch_model_environments(m); k++)
        js_add(&t, "%s\"%s\": %g", k ? ", " : " ", vouch_model_environment_name(m, k), x->alone[k]);
    text_add(&t, " },\n  \"conflict\": [");
    for (int i = 0; i < x->conflict.count; i++)
        js_add(&t, "%s\"%s\"", i ? ", " : "", vouch_model_environment_name(m, x->conflict.environment[i]));
    text_add(&t, "], \"smallest\": %s }\n", x->conflict.count && x->conflict.smallest ? "true" : "false");
    cli_print(&t);
}

int explain_print(const vouch_model *m, int promise, const vouch_plan_options *o, const deadline *limit, bool as_json,
                  double *bound)
{
    if (bound) *bound = NAN;
    if (vouch_model_promises(m) > 1) return explain_promises(m, promise, o, limit, as_json);
    explanation x = {0};
    int code = CLI_SOLVED;
    if (explain(m, o, limit, &x, &cli_error)) {
        code = cli_failed(&cli_error);
    } else {
        report_clear();
        if (bound) *bound = x.chosen.bound;
        if (as_json)
            print_json(m, &x);
        else
            print_text(m, o, &x);
        if (!x.chosen.proved) code = report_interrupted() ? CLI_INTERRUPTED : CLI_LIMIT;
    }
    mem_free(x.alone);
    mem_free(x.conflict.environment);
    return code;
}
