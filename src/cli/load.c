/* cli/load.c - the MODEL operand and its options. */
#include <inttypes.h>

#include "cli/cli.h"

static void add_word(text *t, const char *option, const char *word)
{
    if (!word) return;
    text_add(t, " %s ", option);
    text_add_quoted(t, word);
}

void model_words(const model_args *args, const char *path, text *t)
{
    char number[32];
    text_add(t, " ");
    text_add_quoted(t, path);
    for (size_t i = 0; i < args->constants.count; i++) add_word(t, "--const", args->constants.item[i]);
    for (size_t i = 0; i < args->commits.count; i++) add_word(t, "--commit", args->commits.item[i]);
    add_word(t, "--prop", args->properties);
    for (size_t i = 0; i < args->initial.count; i++) add_word(t, "--initial", args->initial.item[i]);
    add_word(t, "--reward", args->reward);
    add_word(t, "--time-to", args->time_to);
    if (args->minimise) text_add(t, " --minimise");
    if (args->sample) text_add(t, " --sample %d --seed %" PRIu64, args->sample, cli_seed());
    if (args->fix_deadlocks) text_add(t, " --fix-deadlocks");
    if (args->merge_actions) text_add(t, " --merge-actions");
    if (cli_given("horizon")) text_add(t, " -T %d", args->horizon);
    for (size_t i = 0; i < args->probabilities.count; i++) add_word(t, "-p", args->probabilities.item[i]);
    if (cli_given("reward-tolerance")) text_add(t, " --reward-tolerance %s", text_number(args->reward_tolerance, number));
    add_word(t, "--observe", args->observe);
    add_word(t, "--prior", args->prior);
    if (cli_given("state-limit")) text_add(t, " --state-limit %lld", args->state_limit);
}

void model_refuse(const char *needs)
{
    static const char options[] =
        "horizon|probability|reward-tolerance|commit|prop|initial|reward|time-to|minimise|const|fix-deadlocks|"
        "merge-actions|sample|state-limit|observe|prior";
    cli_refuse_idle(&(cli_need){options, false, needs}, 1);
}

const char *model_probability(const model_args *args, double *p)
{
    *p = args->probability ? *args->probability : NAN;
    for (size_t i = 0; i < args->probabilities.count && !args->probability; i++) {
        const char *given = args->probabilities.item[i], *name;
        size_t n;
        double x;
        if (!specification_probability(given, &name, &n, &x)) return given;
        if (n == 0) *p = x;
    }
    return NULL;
}

/* Notes properties without a time bound, and strict ones. */
static void tell_bounds(const vouch_model *m, const model_args *args, const vouch_source *source)
{
    specifications list;
    escape e = {0};
    vouch_source given = *source;
    given.horizon = vouch_model_horizon(m);
    size_t count = specifications_open(&list, &e, &given, args->properties) ? 0 : list.item_count;
    for (size_t i = 0; i < count; i++)
        if (list.item[i].strict)
            report_note("note: %s: the strict bound of \"%s\" is planned as a probability of at least %.10g", list.item[i].place,
                        list.item[i].name, list.item[i].p);
    escape_end(&e);
    for (int j = (int)args->commits.count; j < vouch_model_promises(m); j++) {
        vouch_promise p;
        vouch_model_get_promise(m, j, &p);
        if (!vouch_model_promise_has_end(m, j))
            report_note("%s: \"%s\" has no time bound; the horizon %d bounds it", args->properties, p.name, p.to);
    }
}

vouch_status model_observe(const char *observe, vouch_model *m, vouch_error *error)
{
    int observed = observe ? vouch_observed_find(observe) : (int)vouch_model_observed(m);
    if (observed < 0)
        return error_set(error, VOUCH_ERROR_INPUT, "--observe: expected rewards or states, found \"%.100s\"", observe);
    vouch_status status = vouch_model_set_observed(m, (vouch_observed)observed);
    return status ? error_memory(error) : VOUCH_OK;
}

vouch_status model_set_prior(const char *prior, vouch_model *m, vouch_error *error)
{
    int K = vouch_model_environments(m), count = 0;
    double *number = prior ? MEM_NEW(double, K) : NULL;
    if (!prior) return VOUCH_OK;
    if (!number) return error_memory(error);
    vouch_status status = VOUCH_OK;
    for (const char *c = prior, *from = c; !status; from = ++c) {
        char *end;
        double x = number_read(from, &end);
        c = end;
        if (end == from || (*end && *end != ',') || !isfinite(x) || x < 0)
            status =
                error_set(error, VOUCH_ERROR_INPUT, "--prior: expected nonnegative numbers such as 1,2,1, found \"%.100s\"", prior);
        else if (count < K)
            number[count] = x;
        count++;
        if (status || !*end) break;
    }
    if (!status && count != K)
        status = error_set(error, VOUCH_ERROR_INPUT, "--prior: %d number%s for %d environments", count, count == 1 ? "" : "s", K);
    if (!status) {
        status = vouch_model_set_prior(m, number);
        if (status == VOUCH_ERROR_INPUT) error_set(error, status, "--prior: it is 0 in every environment");
        if (status == VOUCH_ERROR_MEMORY) error_memory(error);
    }
    mem_free(number);
    return status;
}

/* Also true if looking would take long. */
static bool pays(const vouch_model *m)
{
    const double most = 2e7; /* pairs of a state and an action, in all environments */
    double pairs = 0;
    for (int k = 0; k < vouch_model_environments(m); k++)
        for (int s = 0; s < vouch_model_states(m); s++)
            for (int a = 0; a < vouch_model_actions(m); a++) {
                vouch_transitions t;
                if (++pairs > most) return true;
                vouch_model_get_transitions(m, k, s, a, &t);
                for (int i = 0; i < t.count; i++)
                    if (t.reward[i] > 0) return true;
            }
    return false;
}

/* Notes rewards above 0 that are costs by their name. */
static void note_costs(const vouch_model *m, const char *name)
{
    static const char *const costs[] = {"cost", "time", "energy", "penalty", "fuel"};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        for (const char *c = name; *c; c++)
            if (ascii_same(c, costs[i], strlen(costs[i])) && pays(m)) {
                report_note("note: rewards \"%s\" are maximised; --minimise minimises them", name);
                return;
            }
}

/* Notes a missing promise, reward structures if none was chosen, costs, and a single environment. */
static void note_model(const vouch_model *m, const model_args *args, const char *path)
{
    file_kind kind;
    vouch_error error = {0};
    text list = {0};
    bool promised = args->commits.count || args->properties || vouch_model_has_list(m) || vouch_model_probability(m) > 0;
    if (!promised && !recognise_path(path, &kind, &error) && kind != FILE_MODEL)
        report_note("note: no promise; --commit STATES -p P promises to be in one of these states at the horizon");
    bool single = args->reward || args->time_to || path_ends_in(path, ".json"); /* JSON models have one structure without a name */
    int count = single ? 0 : about_rewards(path, &list);
    const char *chosen = args->reward ? args->reward : count == 1 && list.data ? list.data : "";
    if (vouch_model_sense(m) == VOUCH_MAXIMISE) note_costs(m, chosen);
    if (count > 1 && list.data)
        report_note("note: no rewards: the file has %d reward structures; choose one: --reward %s", count, list.data);
    text_free(&list);
    if (vouch_model_environments(m) == 1)
        report_note("note: only one environment, so no model uncertainty; the regret is the loss due to the policy class");
}

vouch_status import_model(const model_args *args, const char *path, vouch_model **model, vouch_error *error)
{
    vouch_source source;
    vouch_source_init(&source);
    source.horizon = args->horizon;
    bool plain = args->commits.count == 1 && specification_is_plain(args->commits.item[0]);
    size_t named = 0;
    const char **name = MEM_NEW(const char *, args->probabilities.count);
    if (!name) return error_memory(error);
    for (size_t i = 0; i < args->probabilities.count; i++)
        if (strchr(args->probabilities.item[i], '=')) name[named++] = args->probabilities.item[i];
    const char *wrong = model_probability(args, &source.probability);
    if (wrong) {
        mem_free(name);
        return error_set(error, VOUCH_ERROR_INPUT,
                         "--probability: \"%.100s\" is not a number between 0 and 1, or NAME=P with such a number", wrong);
    }
    source.probabilities = name;
    source.probability_count = named;
    source.commit = plain ? args->commits.item[0] : NULL;
    source.commits = plain ? NULL : args->commits.item;
    source.commit_count = plain ? 0 : args->commits.count;
    source.properties = args->properties;
    source.initial = args->initial.item;
    source.initial_count = args->initial.count;
    source.reward = args->reward;
    source.time_to = args->time_to;
    source.minimise = args->minimise;
    source.unrewarded = args->unrewarded;
    source.constants = args->constants.item;
    source.constant_count = args->constants.count;
    source.sample = args->sample;
    source.sample_seed = cli_seed();
    source.fix_deadlocks = args->fix_deadlocks;
    source.merge_actions = args->merge_actions;
    source.state_limit = args->state_limit;
    vouch_status status = vouch_model_import(model, path, &source, error);
    if (!status && args->horizon < 1 && (source.commit_count || source.properties))
        report_note("-T is not given: the horizon is %d, the latest time of the promises", vouch_model_horizon(*model));
    if (!status && args->properties) tell_bounds(*model, args, &source);
    mem_free(name);
    if (!status) note_model(*model, args, path);
    if (!status && vouch_model_has_error(*model) == 2)
        report_note("note: %s: probabilities within limits; their nominal row is low + c (high - low), with one c for the row",
                    path);
    if (!status) {
        status = error->status = vouch_model_set_reward_tolerance(*model, args->reward_tolerance);
        if (!status) status = model_observe(args->observe, *model, error);
        if (!status) status = model_set_prior(args->prior, *model, error);
        if (status) {
            vouch_model_free(*model);
            *model = NULL;
        }
    }
    return status;
}

vouch_model *load_model(const model_args *args, const char *path)
{
    vouch_model *model;
    report_reading(path);
    vouch_status status = import_model(args, path, &model, &cli_error);
    report_reading(NULL);
    cli_try(status);
    cli_own_model(model);
    if (cli_given("within")) cli_try(vouch_model_set_within(model, args->within));
    return model;
}

int model_promise(const vouch_model *m, const char *option, const char *name, bool needed)
{
    enum { ROOM = 1024 };
    if (!name[0] && (!needed || vouch_model_promises(m) == 1)) return -1;
    int promise = name[0] ? vouch_model_find_promise(m, name) : -1;
    if (promise >= 0) return promise;
    char *list = CLI_NEW(char, ROOM);
    size_t n = 0;
    for (int j = 0; j < vouch_model_promises(m) && n < ROOM; j++)
        n += (size_t)snprintf(list + n, ROOM - n, "%s%s", j ? ", " : "", promise_name(m, j));
    if (name[0]) cli_die("--%s: there is no promise \"%s\"; the promises of the model are %s", option, name, list);
    cli_die("--%s: which promise? expected one of %s", option, list);
}
