/* cli/guarantees.c - see guarantees.h.
 *
 * The most that is earned on average over a prior w, sum_k w(k) U(k), by deterministic policies that promise p
 *
 *     in every environment, Pr(k) >= p;     on average, sum_k w(k) Pr(k) >= p;     not at all.
 *
 * Each promise implies the next, so the values can only rise: what is between the first two is the price of the guarantee. On the
 * paper's two domains; the second promise is the Bayesian setting that the paper extends. Priors of Twin-States are drawn, w(k) in
 * proportion to -log u, u uniform, which is uniform over all priors; values are means over them.
 */
#include "cli/guarantees.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/rng.h"
#include "cli/paper.h"
#include "cli/report.h"

typedef enum promise_kind { NO_PROMISE, ON_AVERAGE, IN_EVERY, PROMISE_KINDS } promise_kind;
static const char *const kind_names[PROMISE_KINDS] = {"none", "on average", "in every environment"};

enum { LEVELS = 5 };
static const double level[LEVELS] = {0.2, 0.4, 0.6, 0.8, 0.99};

typedef struct compared {
    const char *name, *title, *caption;
    vouch_status (*make)(vouch_model **model, int T, vouch_error *error);
    int T, L, priors; /* priors: drawn; 0: all environments are equally likely */
} compared;

static const compared domains[] = {
    {"twin-states", "Price of a guarantee: Twin-States, T = 5, MILP-CCL with L = 1, mean over 5 random priors",
     "Expected reward on Twin-States by the probability promised. A promise on average over the prior costs little, as the policy "
     "may break it where keeping it is costly and unlikely.",
     vouch_generate_twin_states, 5, 1, 5},
    {"t-maze", "Price of a guarantee: Slippery T-Maze 3,2,2,2, T = 10, MILP-CCL with L = 0, both environments equally likely",
     "Expected reward on the Slippery T-Maze by the probability promised.", paper_maze, 10, 0, 0},
};

static void draw_prior(vouch_model *m, rng *r, session *s)
{
    int K = vouch_model_environments(m);
    double *prior = MEM_NEW(double, K);
    for (int k = 0; k < K && prior; k++) prior[k] = -log(1 - rng_unit(r));
    if (!prior || vouch_model_set_prior(m, prior)) s->wrong = cli_wrong("out of memory");
    mem_free(prior);
}

/* The most earned on average; NAN: the promise cannot be kept. */
static double earned(session *s, const compared *d, vouch_model *m, promise_kind kind, double p)
{
    vouch_plan_options o;
    vouch_policy *policy;
    vouch_plan_result result;
    vouch_error error = {0};
    vouch_plan_options_init(&o);
    o.engine = s->engine;
    o.lookahead = d->L;
    o.threads = s->common->threads;
    o.seed = s->common->seed;
    o.limits = deadline_left(&s->limit);
    o.log = report_log();
    o.objective = VOUCH_OBJECTIVE_WEIGHTED;
    report_progress("%s, promise %s, p = %g", d->name, kind_names[kind], p);
    if (vouch_model_set_probability(m, kind == NO_PROMISE ? 0 : p) || vouch_model_set_promise_average(m, 0, kind == ON_AVERAGE)) {
        s->wrong = cli_wrong("out of memory");
        return NAN;
    }
    if (vouch_plan(&policy, m, &o, &error)) {
        s->wrong = cli_failed(&error);
        return NAN;
    }
    vouch_policy_get_result(policy, &result);
    double value = result.has_policy ? result.value : NAN;
    if (result.outcome != VOUCH_PLAN_OPTIMAL && result.outcome != VOUCH_PLAN_INFEASIBLE) s->proved = 0;
    vouch_policy_free(policy);
    return value;
}

/* Adds what is earned with one prior to value. */
static void run_prior(session *s, const compared *d, rng *r, double value[PROMISE_KINDS][LEVELS])
{
    vouch_model *m;
    vouch_error error = {0};
    if (d->make(&m, d->T, &error)) {
        s->wrong = cli_failed(&error);
        return;
    }
    double *weight = MEM_NEW(double, vouch_model_environments(m));
    for (int k = 0; k < vouch_model_environments(m) && weight; k++) weight[k] = 1;
    if (d->priors)
        draw_prior(m, r, s);
    else if (!weight || vouch_model_set_prior(m, weight))
        s->wrong = cli_wrong("out of memory");
    for (int kind = 0; kind < PROMISE_KINDS; kind++) {
        double here = NAN;
        for (int i = 0; i < LEVELS && !s->wrong; i++) {
            if (i == 0 || kind != NO_PROMISE) here = earned(s, d, m, (promise_kind)kind, level[i]);
            value[kind][i] += here;
        }
    }
    mem_free(weight);
    vouch_model_free(m);
}

static void print_json(session *s, const compared *d, double value[PROMISE_KINDS][LEVELS])
{
    for (int kind = 0; kind < PROMISE_KINDS; kind++)
        for (int i = 0; i < LEVELS; i++) {
            printf("%s\n    { \"experiment\": \"guarantees\", \"domain\": \"%s\", \"promise\": \"%s\", \"p\": %g, \"value\": ",
                   s->first ? "" : ",", d->name, kind_names[kind], level[i]);
            printf(isnan(value[kind][i]) ? "null }" : "%.17g }", value[kind][i]);
            s->first = false;
        }
}

static void run_domain(session *s, const compared *d)
{
    double value[PROMISE_KINDS][LEVELS] = {{0}};
    char word[LEVELS][16];
    const char *headers[LEVELS + 2] = {"<promise"};
    rng r = rng_seed(s->common->seed);
    plot_line line[PROMISE_KINDS];
    bool ordered = true;
    for (int i = 0; i < (d->priors ? d->priors : 1) && !s->wrong && !report_interrupted(); i++) run_prior(s, d, &r, value);
    if (s->wrong || report_interrupted()) return;
    for (int i = 0; i < LEVELS; i++) {
        snprintf(word[i], sizeof word[i], i ? "%g" : "p = %g", level[i]);
        headers[i + 1] = word[i];
    }
    report_heading(s, d->title);
    shown_table h = report_table(s, headers);
    for (int kind = PROMISE_KINDS - 1; kind >= 0; kind--) {
        report_line(&h, kind_names[kind]);
        for (int i = 0; i < LEVELS; i++) {
            value[kind][i] /= d->priors ? d->priors : 1;
            report_value(&h, value[kind][i], NAN);
            if (kind + 1 < PROMISE_KINDS) ordered = ordered && !(value[kind][i] < value[kind + 1][i] - AGREES);
        }
        line[kind] = (plot_line){kind_names[kind], LEVELS, level, value[kind], NULL, NULL, NULL};
    }
    report_table_end(&h);
    report_words(s, "Expected reward over the prior. A promise in every environment implies the promise on average; the difference "
                    "of the two lines is the price of the guarantee.");
    report_check(s, ordered, "A stronger promise never earns more.",
                 "p = %g: %.7g in every environment, %.7g on average, %.7g without", level[LEVELS - 1], value[IN_EVERY][LEVELS - 1],
                 value[ON_AVERAGE][LEVELS - 1], value[NO_PROMISE][LEVELS - 1]);
    if (s->common->json) print_json(s, d, value);
    if (s->page) page_chart(s->page, d->caption, &(plot){"p", "expected reward", line, PROMISE_KINDS});
}

void experiment_guarantees(session *s)
{
    for (size_t i = 0; i < sizeof domains / sizeof *domains && !s->wrong && !report_interrupted(); i++) run_domain(s, &domains[i]);
}
