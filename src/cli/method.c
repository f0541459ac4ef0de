/* cli/method.c - methods, parts of the search, objectives and replanning as options and text. */
#include "cli/cli.h"

/* ---- objectives ---- */

void objective_words(const objective_args *args, text *t)
{
    if (args->objective == VOUCH_OBJECTIVE_REGRET) return;
    text_add(t, " --objective %s", vouch_objective_text((vouch_objective)args->objective));
    if (args->weights) text_add(t, " --weights ");
    if (args->weights) text_add_quoted(t, args->weights);
}

vouch_status objective_take(const objective_args *args, int K, vouch_plan_options *options, double **weights, vouch_error *error)
{
    int k = 0;
    options->objective = (vouch_objective)args->objective;
    *weights = NULL;
    if (!args->weights) return VOUCH_OK;
    if (options->objective != VOUCH_OBJECTIVE_WEIGHTED)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "--weights has no effect without --objective weighted");
    options->weights = *weights = MEM_ZERO(double, K);
    if (!*weights) return error_memory(error);
    double sum = 0;
    for (const char *at = args->weights;; k++) {
        char *end;
        double w = number_read(at, &end);
        if (end == at || (*end && *end != ',') || !(w >= 0 && isfinite(w)))
            return error_set(error, VOUCH_ERROR_ARGUMENT,
                             "--weights: \"%s\" is not a list of %d nonnegative numbers separated by commas", args->weights, K);
        if (k < K) sum += (*weights)[k] = w;
        if (!*end) break;
        at = end + 1;
    }
    if (k + 1 != K) return error_set(error, VOUCH_ERROR_ARGUMENT, "--weights: %d weights for %d environments", k + 1, K);
    return sum > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_ARGUMENT, "--weights: all are 0; at least one must be positive");
}

void objective_set(const objective_args *args, const vouch_model *m, vouch_plan_options *options)
{
    vouch_error error = {0};
    double *weights;
    vouch_status status = objective_take(args, vouch_model_environments(m), options, &weights, &error);
    cli_own_block(weights);
    if (status) cli_die("%s", error.text);
}

const char *objective_noun(vouch_objective objective, vouch_sense sense)
{
    bool weighted = objective == VOUCH_OBJECTIVE_WEIGHTED;
    if (sense == VOUCH_MINIMISE) return weighted ? "weighted cost" : "largest cost";
    return weighted ? "weighted value" : "least value";
}

void replan_refuse_idle(const replan_args *args)
{
    bool exact = method_replanned(args->inner) == VOUCH_METHOD_EXACT_CCL;
    cli_refuse_idle(&(cli_need){"restarts", exact, "--inner exact-ccl"}, 1);
}

void replan_options(const replan_args *args, const cli_common *common, const vouch_model *m, vouch_ccil_options *options)
{
    vouch_ccil_options_init(options);
    options->guarded = args->guarded > 0;
    options->plan.method = method_replanned(args->inner);
    options->plan.lookahead = args->lookahead;
    options->plan.least_total_regret = args->tie_break == 0;
    options->plan.tie_break_work = args->tie_break_work;
    options->plan.gap = args->gap;
    options->plan.restarts = args->restarts;
    options->plan.threads = common->threads;
    options->plan.seed = common->seed;
    options->plan.limits = cli_limits_each(common);
    options->plan.log = report_log();
    objective_set(&args->objective, m, &options->plan);
}

enum { WORD = 64 };

const char *parts_words(void)
{
    static char words[512];
    size_t n = 0;
    for (int i = 0; i < VOUCH_PART_COUNT && n < sizeof words; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", i ? ", " : "", vouch_part_describe((vouch_part)i)->word);
    return words;
}

void parts_check(const char *list)
{
    for (const char *at = list; at && *at;) {
        char word[WORD];
        int old = 0, length = (int)strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", length, at);
        int part = length < WORD ? vouch_part_find(word, &old) : -1;
        if (part < 0 && !old)
            cli_die("--without: \"%.*s\" is not a part of the search; expected one of %s", length, at, parts_words());
        if (part < 0)
            report_note("note: the search no longer has %s; --without %s has no effect", word, word);
        else if (old)
            report_note("note: --without %s is now --without %s", word, vouch_part_describe((vouch_part)part)->word);
        at += length + (at[length] == ',');
    }
}

static void print_json(void)
{
    printf("{\"parts\": [");
    for (int i = 0; i < VOUCH_PART_COUNT; i++) {
        const vouch_part_description *p = vouch_part_describe((vouch_part)i);
        printf("%s{\"word\": \"%s\", \"kind\": \"%s\", \"proved\": %s, \"what\": \"%s\", \"applies\": \"%s\", \"source\": \"%s\"}",
               i ? ", " : "", p->word, vouch_part_kind_text(p->kind), p->proved ? "true" : "false", p->what, p->applies, p->source);
    }
    printf("]}\n");
}

int parts_print(int json)
{
    if (json) {
        print_json();
        return CLI_SOLVED;
    }
    printf("Parts of the search, in order of use. --without WORD switches one off; answers do not change.\n");
    for (int i = 0; i < VOUCH_PART_COUNT; i++) {
        const vouch_part_description *p = vouch_part_describe((vouch_part)i);
        printf("\n%s (%s; %s)\n", p->word, vouch_part_kind_text(p->kind),
               p->proved ? "used if a proof is written" : "not used if a proof is written");
        printf("    %s\n    applies: %s\n    source: %s\n", p->what, p->applies, p->source);
    }
    return CLI_SOLVED;
}

/* ---- method ---- */

typedef char long_text[512];

static const char *join_words(long_text out, bool replanned)
{
    size_t n = 0;
    for (int i = 0; i < VOUCH_METHOD_COUNT && n < sizeof(long_text); i++) {
        const vouch_method_description *about = vouch_method_describe((vouch_method)i);
        if (!replanned || about->replanned)
            n += (size_t)snprintf(out + n, sizeof(long_text) - n, "%s%s", n ? "|" : "", about->word);
    }
    return out;
}

const char *method_words(void)
{
    static long_text words;
    return words[0] ? words : join_words(words, false);
}

/* The words of the methods that CCIL plans with; the method at a position. */
const char *method_words_replanned(void)
{
    static long_text words;
    return words[0] ? words : join_words(words, true);
}

vouch_method method_replanned(int position)
{
    int i = -1;
    while (position >= 0) position -= vouch_method_describe((vouch_method)++i)->replanned != NULL;
    return (vouch_method)i;
}

const char *method_details(void)
{
    static long_text details;
    size_t n = 0;
    for (int i = 0; i < VOUCH_METHOD_COUNT && n < sizeof details; i++) {
        const vouch_method_description *about = vouch_method_describe((vouch_method)i);
        n += (size_t)snprintf(details + n, sizeof details - n, "%s%s: %s", n ? "; " : "", about->word, about->policies);
        if (about->proves && n < sizeof details) n += (size_t)snprintf(details + n, sizeof details - n, ", gap %g", about->gap);
    }
    return details;
}

/* "deterministic policies that use 3 observations"; lookahead < 0: "the first L observations". */
static void add_policies(text *t, const char *policies, int lookahead)
{
    static const char open[] = "use the first L observations";
    const char *at = strstr(policies, open);
    if (!at || lookahead < 0) {
        text_add(t, "%s", policies);
        return;
    }
    text_add(t, "%.*s", (int)(at - policies), policies);
    if (lookahead == 0)
        text_add(t, "see only time and state");
    else if (lookahead == 1)
        text_add(t, "use 1 observation");
    else
        text_add(t, "use %d observations", lookahead);
    text_add(t, "%s", at + sizeof open - 1);
}

static void add_aim(text *t, vouch_objective objective, vouch_sense sense)
{
    if (objective == VOUCH_OBJECTIVE_REGRET)
        text_add(t, "least maximum regret of ");
    else
        text_add(t, "%s %s of ", sense == VOUCH_MINIMISE ? "least" : "largest", objective_noun(objective, sense));
}

static void add_sense(text *t, vouch_sense sense)
{
    text_add(t, sense == VOUCH_MINIMISE ? "; minimises costs" : "; maximises rewards");
}

void method_add_class(text *t, const char *word, int lookahead, vouch_objective objective, vouch_sense sense)
{
    int method = vouch_method_find(word);
    text_add(t, "%s", word);
    if (method >= 0) {
        const vouch_method_description *about = vouch_method_describe((vouch_method)method);
        if (about->lookahead == VOUCH_LOOKAHEAD_ASKED && lookahead >= 0) text_add(t, ", L = %d", lookahead);
        text_add(t, ": ");
        if (about->proves) add_aim(t, objective, sense);
        add_policies(t, about->policies, lookahead);
    }
    add_sense(t, sense);
}

void method_add_replanned(text *t, vouch_method inner, bool guarded, int steps, vouch_objective objective, vouch_sense sense)
{
    const vouch_method_description *about = vouch_method_describe(inner);
    text_add(t, "%s", guarded && about->guarded ? about->guarded : about->replanned);
    if (steps >= 0) text_add(t, ", L = %d", steps);
    text_add(t, steps == 1 ? ": replans every step" : steps < 0 ? ": replans every L steps" : ": replans every %d steps", steps);
    text_add(t, " for the ");
    add_aim(t, objective, sense);
    add_policies(t, about->policies, steps);
    add_sense(t, sense);
}

void method_note_lookahead(const char *word)
{
    int method = vouch_method_find(word);
    if (method < 0 || !cli_given("lookahead") || vouch_method_describe((vouch_method)method)->lookahead == VOUCH_LOOKAHEAD_ASKED)
        return;
    report_note("note: -L has no effect with --method %s", word);
}
