/* cli/sweep_model.c - the model of a cell. */
#include "cli/sweep.h"

static vouch_status generate(const sweep *s, const double at[], vouch_model **m, vouch_error *error)
{
    example e = example_start(s->kind);
    vouch_status status = VOUCH_OK;
    e.horizon = (int)at[AXIS_T];
    e.probability = at[AXIS_P];
    e.random.seed = e.family.seed = s->args->common.seed;
    for (int a = MODEL_AXES; a < s->g.axes && !status; a++)
        if (!grid_is_policies(&s->g, a)) status = example_set(&e, s->g.axis[a].name, at[a], error);
    if (!status) status = example_make(&e, m, error);
    if (!status) status = error->status = vouch_model_set_reward_tolerance(*m, s->args->model.reward_tolerance);
    if (!status) status = model_observe(s->args->model.observe, *m, error);
    if (!status) status = model_set_prior(s->args->model.prior, *m, error);
    return status;
}

/* Adds parameters to the given constants. T = 0, p = NAN: as on the command line. */
static vouch_status import(const sweep *s, const double at[], vouch_model **m, vouch_error *error)
{
    static const char mark[] = "const:", promise[] = "p.";
    model_args own = s->args->model;
    size_t given = own.constants.count, all = given + (size_t)(s->g.axes - MODEL_AXES), constants = given;
    size_t probabilities = own.probabilities.count;
    const char **item = MEM_NEW(const char *, all), **p = MEM_NEW(const char *, all + probabilities);
    text *constant = MEM_ZERO(text, all);
    bool failed = !item || !p || !constant;
    for (size_t i = 0; i < probabilities && !failed; i++) p[i] = own.probabilities.item[i];
    for (size_t i = 0; i < all && !failed; i++) {
        if (i < given) {
            item[i] = own.constants.item[i];
            continue;
        }
        int a = MODEL_AXES + (int)(i - given);
        if (grid_is_policies(&s->g, a)) continue;
        const char *name = s->g.axis[a].name;
        char number[32];
        bool of_promise = strncmp(name, promise, sizeof promise - 1) == 0;
        size_t behind = of_promise ? sizeof promise - 1 : strncmp(name, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
        text_add(&constant[i], "%s=%s", name + behind, text_number(at[a], number));
        failed = constant[i].failed;
        if (of_promise)
            p[probabilities++] = constant[i].data;
        else
            item[constants++] = constant[i].data;
    }
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (failed)
        snprintf(error->text, sizeof error->text, "out of memory");
    else {
        own.constants = (cli_list){.item = item, .count = constants};
        own.probabilities = (cli_list){.item = p, .count = probabilities};
        if (at[AXIS_T] > 0) own.horizon = (int)at[AXIS_T];
        if (!isnan(at[AXIS_P])) own.probability = &at[AXIS_P];
        status = import_model(&own, s->operand, m, error);
    }
    for (size_t i = given; i < all && constant; i++) text_free(&constant[i]);
    MEM_FREE_ALL(constant, item, p);
    return status;
}

/* T as given: with a random first state, steps count from its draw. */
static int given_horizon(const vouch_model *m) { return vouch_model_horizon(m) + vouch_model_first_time(m); }

static vouch_status make_model(sweep *s, const double at[], vouch_error *error)
{
    vouch_model_free(s->m);
    s->m = NULL;
    memcpy(s->made_of, at, sizeof s->made_of);
    vouch_status status = s->kind ? generate(s, at, &s->m, error) : import(s, at, &s->m, error);
    if (!status) s->made_of[AXIS_T] = given_horizon(s->m);
    return status;
}

/* Makes s->m the model of the cell. A file is read again only if a parameter changes or the horizon, which limits the exploration
 * of a PRISM file. */
vouch_status sweep_take_model(sweep *s, const cell *c, vouch_error *error)
{
    bool same = s->m != NULL;
    for (int a = AXIS_T; a < s->g.axes; a++)
        if ((s->kind || a != AXIS_P) && !grid_is_policies(&s->g, a)) same = same && axis_same(c->at[a], s->made_of[a]);
    vouch_status status = same ? VOUCH_OK : make_model(s, c->at, error);
    if (status || s->kind || vouch_model_promises(s->m) > 1) return status;
    status = vouch_model_set_horizon(s->m, (int)c->at[AXIS_T]);
    if (status) snprintf(error->text, sizeof error->text, "the model has a state without actions before T = %.0f", c->at[AXIS_T]);
    return status || isnan(c->at[AXIS_P]) ? status : vouch_model_set_probability(s->m, c->at[AXIS_P]);
}

/* The model of one cell, for T and p if they do not vary. An error of every cell is an input error. */
static void first_model(sweep *s)
{
    grid *g = &s->g;
    double at[MOST_AXES] = {0};
    vouch_error error = {0};
    const axis *T = &g->axis[AXIS_T], *p = &g->axis[AXIS_P];
    size_t models = grid_models(g);
    for (size_t i = 0; i < models; i++)
        for (size_t t = 0; t <= T->count; t++) { /* first as on the command line: a JSON file gives the rest */
            grid_model(g, i, at);
            at[AXIS_T] = t ? T->value[t - 1] : 0;
            at[AXIS_P] = t && p->count ? p->value[0] : NAN;
            vouch_status status = make_model(s, at, &error);
            if (!status) return;
            if (status == VOUCH_ERROR_MEMORY || report_interrupted()) cli_fail(&error);
        }
    if (g->axes > MODEL_AXES) cli_die("--vary: %s", error.text);
    cli_fail(&error);
}

/* Checks a generated model before it is made, and sets T and p. */
static void start_example(sweep *s)
{
    const model_args *m = &s->args->model;
    vouch_error error = {0};
    example e = example_start(s->kind);
    double p;
    const char *wrong = model_probability(m, &p);
    if (wrong) cli_die("--probability: \"%s\" is not a number between 0 and 1", wrong);
    if (m->commits.count || m->properties || m->initial.count || m->reward || m->time_to || m->constants.count ||
        m->fix_deadlocks || m->merge_actions || m->sample || m->state_limit)
        cli_die("--commit, --prop, --initial, --reward, --time-to, --const, --fix-deadlocks, --merge-actions, --sample "
                "and --state-limit are for files; a file of this name is ./%s",
                s->operand);
    for (int a = MODEL_AXES; a < s->g.axes; a++)
        for (size_t i = 0; i < s->g.axis[a].count && !grid_is_policies(&s->g, a); i++)
            if (example_set(&e, s->g.axis[a].name, s->g.axis[a].value[i], &error)) cli_die("--vary: %s", error.text);
    grid_default(&s->g, AXIS_T, m->horizon ? m->horizon : e.horizon);
    grid_default(&s->g, AXIS_P, isnan(p) ? e.probability : p);
}

/* The common p in all environments; NAN: p varies, or there are several promises. */
static double one_probability(const vouch_model *m)
{
    double p = vouch_model_promise_probability(m, 0, 0);
    for (int k = 1; k < vouch_model_environments(m); k++)
        if (vouch_model_promise_probability(m, 0, k) != p) return NAN;
    return vouch_model_promises(m) > 1 ? NAN : p;
}

void sweep_start(sweep *s)
{
    if (s->kind) {
        start_example(s);
        return;
    }
    first_model(s);
    if (vouch_model_promises(s->m) > 1 && s->g.axis[AXIS_P].count)
        cli_die("--vary p: the model has several promises; expected p.NAME");
    grid_default(&s->g, AXIS_T, given_horizon(s->m));
    grid_default(&s->g, AXIS_P, one_probability(s->m));
}
