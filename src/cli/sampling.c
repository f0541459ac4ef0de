/* cli/sampling.c - results of simulations, and their progress bar. */
#include "cli/cli.h"

static void show_bar(void *context, double seconds, long long done, long long all)
{
    (void)context;
    char bar[21];
    int full = (int)(20 * done / all);
    for (int i = 0; i < 20; i++) bar[i] = i < full ? '#' : '.';
    bar[20] = '\0';
    report_progress("[%s] %lld of %lld episodes, %.0f s left", bar, done, all, seconds * (double)(all - done) / (double)done);
}

vouch_simulation_options sampling_options(const cli_common *common, long long episodes)
{
    vouch_simulation_options o;
    vouch_simulation_options_init(&o);
    o.episodes = episodes;
    o.seed = common->seed;
    o.threads = common->threads;
    o.limits = cli_limits(common);
    o.progress = show_bar;
    return o;
}

/* Adds the row of one sample, after its name. optimum: of U; NULL: none. */
static void add_row(table *t, vouch_sense sense, const double *optimum, const vouch_sample *s)
{
    table_cell(t, "%lld", s->episodes);
    if (optimum) table_number(t, *optimum);
    table_number(t, s->mean);
    table_number(t, s->half_width);
    if (optimum) table_number(t, sense == VOUCH_MINIMISE ? s->mean - *optimum : *optimum - s->mean);
    table_number(t, s->kept);
    table_number(t, s->kept_low);
    table_number(t, s->kept_high);
}

void sampling_print(const vouch_model *m, const double optimal[], const vouch_sample sample[])
{
    static const char *const with[] = {"<environment", "episodes", "U*", "U", "+-", "regret", "kept", "95 % low", "high", NULL};
    static const char *const without[] = {"<environment", "episodes", "U", "+-", "kept", "95 % low", "high", NULL};
    table *t = table_new(optimal ? with : without);
    int J = vouch_model_promises(m);
    for (int i = 0; i < vouch_model_environments(m) * J; i++) {
        int k = i / J;
        table_cell(t, vouch_model_has_list(m) ? "%s, %s" : "%s", vouch_model_environment_name(m, k), promise_name(m, i % J));
        add_row(t, vouch_model_sense(m), optimal ? &optimal[k] : NULL, &sample[i]);
    }
    for (int j = 0; j < J; j++) {
        if (!vouch_model_promise_is_average(m, j)) continue;
        vouch_sample mean = vouch_sample_average(m, j, sample);
        double optimum = 0;
        for (int k = 0; k < vouch_model_environments(m) && optimal; k++) optimum += vouch_model_prior(m, k) * optimal[k];
        table_cell(t, "on average, %s", promise_name(m, j));
        add_row(t, vouch_model_sense(m), optimal ? &optimum : NULL, &mean);
    }
    table_print(t, stdout);
    putchar('\n');
}

void sampling_add_json(text *t, const vouch_model *m, const vouch_sample sample[])
{
    text_add(t, "[");
    int J = vouch_model_promises(m);
    for (int k = 0; k < vouch_model_environments(m); k++) {
        const vouch_sample *s = &sample[k * J];
        js_add(t,
               "%s\n    { \"name\": \"%s\", \"episodes\": %lld, \"mean\": %g, \"half_width\": %g, \"kept\": %g, \"kept_low\": %g, "
               "\"kept_high\": %g",
               k ? "," : "", vouch_model_environment_name(m, k), s->episodes, s->mean, s->half_width, s->kept, s->kept_low,
               s->kept_high);
        for (int j = 0; j < J && vouch_model_has_list(m); j++)
            js_add(t, "%s\"%s\": { \"kept\": %g, \"kept_low\": %g, \"kept_high\": %g%s", j ? ", " : ", \"commitments\": { ",
                   promise_name(m, j), s[j].kept, s[j].kept_low, s[j].kept_high, j + 1 < J ? " }" : " } }");
        text_add(t, " }");
    }
    text_add(t, " ]");
}

void sampling_add_averages(text *t, const vouch_model *m, const vouch_sample sample[])
{
    const char *before = ",\n  \"averages\": { ";
    for (int j = 0; j < vouch_model_promises(m); j++) {
        if (!vouch_model_promise_is_average(m, j)) continue;
        vouch_sample s = vouch_sample_average(m, j, sample);
        js_add(t, "%s\"%s\": { \"kept\": %g, \"kept_low\": %g, \"kept_high\": %g }", before, promise_name(m, j), s.kept, s.kept_low,
               s.kept_high);
        before = ", ";
    }
    if (vouch_model_averages(m) > 0) text_add(t, " }");
}
