/* cli/sweep_cells.c - computes the cells.
 *
 * A task is the number of a cell; its answer are the cell's status, figures and message. Cells known from others are not tasks.
 */
#include "cli/sweep.h"
#include "link/tasks.h"

/* Seconds between two writes of the CSV file if cells are computed in parallel. */
static const double WRITE_SECONDS = 1;

/* The least probability of a promise, or the mean if the only promise is on average. */
static void take_figures(cell *c, const vouch_model *m, const vouch_environment_figures *f, bool has)
{
    int K = vouch_model_environments(m);
    c->commitment = has ? INFINITY : NAN;
    if (has && vouch_model_promises(m) == 1 && vouch_model_averages(m) > 0) {
        c->commitment = figures_mean(m, 0, f, NULL);
        return;
    }
    for (int k = 0; k < K && has; k++) c->commitment = fmin(c->commitment, f[k].commitment_probability);
}

static vouch_status run_plan(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_policy *policy;
    vouch_plan_result r;
    vouch_status status = vouch_plan(&policy, s->m, o, error);
    if (status) return status;
    vouch_policy_get_result(policy, &r);
    snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
    c->value = r.has_policy ? r.value : NAN;
    c->regret = r.has_policy ? r.max_regret : NAN;
    c->total = r.has_policy ? r.total_regret : NAN;
    c->bound = !c->method->proves || !isfinite(r.bound) ? NAN : r.bound;
    take_figures(c, s->m, r.figures, r.has_policy);
    vouch_policy_free(policy);
    return VOUCH_OK;
}

static vouch_status run_groups(const sweep *s, cell *c, const vouch_plan_options *o, int policies, vouch_error *error)
{
    vouch_groups *groups;
    vouch_groups_result r;
    vouch_status status = vouch_plan_groups(&groups, s->m, o, policies, (vouch_group_promises)s->args->promises, error);
    if (status) return status;
    vouch_groups_get_result(groups, &r);
    snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
    c->regret = r.max_regret;
    c->bound = isfinite(r.bound) ? r.bound : NAN;
    c->commitment = r.groups ? INFINITY : NAN;
    for (int i = 0; i < r.groups; i++) {
        vouch_group g;
        vouch_groups_get(groups, i, &g);
        c->commitment = fmin(c->commitment, group_least_kept(&g));
    }
    vouch_groups_free(groups);
    return VOUCH_OK;
}

static vouch_status run_ccil(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_ccil *ccil;
    vouch_ccil_result r;
    vouch_ccil_options co;
    vouch_ccil_options_init(&co);
    co.plan = *o;
    co.guarded = c->method->kind == GUARDED;
    co.program_limit = s->args->program_limit;
    vouch_status status = vouch_ccil_new(&ccil, s->m, &co, error);
    if (status) return status;
    status = vouch_ccil_evaluate(ccil, error);
    if (!status) {
        vouch_ccil_get_result(ccil, &r);
        snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
        c->value = r.has_policy ? r.value : NAN;
        c->regret = r.max_regret;
        c->total = r.total_regret;
        take_figures(c, s->m, r.figures, r.has_policy);
    }
    vouch_ccil_free(ccil);
    return status;
}

/* A method without lookahead is computed once for all L: returns the earlier cell equal to c, or NULL. */
static const cell *twin_of(const sweep *s, const cell *c)
{
    if (c->method->looks_ahead) return NULL;
    for (const cell *other = s->g.cells; other < c; other++) {
        bool same = other->method == c->method;
        for (int a = AXIS_T; a < s->g.axes; a++) same = same && axis_same(other->at[a], c->at[a]);
        if (same) return other;
    }
    return NULL;
}

static void take_twin(const sweep *s, cell *c, const cell *twin)
{
    double L = c->at[AXIS_L];
    *c = *twin;
    c->at[AXIS_L] = L;
    c->seconds = s->timeless ? NAN : 0;
}

/* "milp-ccl, L = 1, T = 10, p = 0.6, K = 2" */
static void describe(const grid *g, const cell *c, text *t)
{
    char number[32];
    text_add(t, "%s", c->method->name);
    for (int a = 0; a < g->axes; a++)
        if (!isnan(c->at[a])) text_add(t, ", %s = %s", g->axis[a].name, text_number(c->at[a], number));
}

/* Computes a cell in any process; its message is stored in error. */
static void run_cell(sweep *s, cell *c, vouch_error *error)
{
    const cli_common *common = &s->args->common;
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = c->method->method;
    o.lookahead = c->method->looks_ahead ? (int)c->at[AXIS_L] : 0;
    o.threads = common->threads;
    o.seed = common->seed;
    o.limits = cli_limits_each(common);
    o.log = report_log();
    deadline watch = deadline_start(&o.limits);
    double *weights = NULL;
    vouch_status status = sweep_take_model(s, c, error);
    if (!status) status = objective_take(&s->args->objective, vouch_model_environments(s->m), &o, &weights, error);
    int policies = grid_policies(&s->g, c);
    if (!status)
        status = policies                   ? run_groups(s, c, &o, policies, error)
                 : c->method->kind == PLAIN ? run_plan(s, c, &o, error)
                                            : run_ccil(s, c, &o, error);
    c->seconds = s->timeless ? NAN : clock_seconds() - watch.start;
    mem_free(weights);
    if (status)
        snprintf(c->status, sizeof c->status, "failed");
    else if (report_interrupted())
        snprintf(c->status, sizeof c->status, "interrupted");
}

/* ---- cells as tasks -------------------------------------------------------------------------------------------------------- */

enum { MOST_FIGURES = 5 };

/* The figures in an answer. Returns their number. */
static int figures_of(const grid *g, cell *c, double *place[MOST_FIGURES])
{
    place[0] = &c->regret;
    place[1] = &c->total;
    place[2] = &c->bound;
    place[3] = &c->commitment;
    place[4] = &c->value;
    return g->objective == VOUCH_OBJECTIVE_REGRET ? 4 : MOST_FIGURES;
}

static vouch_status open_cells(void *shared, void **own)
{
    *own = shared;
    return VOUCH_OK;
}

static void close_cells(void *own) { (void)own; }

static vouch_status work_out(void *own, message *task, message *answer)
{
    sweep *s = own;
    vouch_error error = {0};
    double *place[MOST_FIGURES];
    cell c = s->g.cells[message_take_count(task, 0, (long long)s->g.count - 1)];
    run_cell(s, &c, &error);
    message_put_text(answer, c.status);
    int figures = figures_of(&s->g, &c, place);
    for (int i = 0; i < figures; i++) message_put_real(answer, *place[i]);
    message_put_real(answer, c.seconds);
    message_put_text(answer, error.text);
    return VOUCH_OK;
}

static void take_answer(sweep *s, cell *c, message *answer)
{
    double *place[MOST_FIGURES];
    int figures = figures_of(&s->g, c, place);
    char wrong[sizeof((vouch_error *)0)->text];
    message_take_text(answer, c->status, sizeof c->status);
    for (int i = 0; i < figures; i++) *place[i] = message_take_real(answer);
    c->seconds = message_take_real(answer);
    message_take_text(answer, wrong, sizeof wrong);
    if (strcmp(c->status, "failed") != 0) return;
    text name = {0};
    describe(&s->g, c, &name);
    report_clear();
    cli_wrong("%s: %s", name.failed ? "a cell" : name.data, wrong);
    text_free(&name);
}

/* A run over the cells. */
typedef struct cell_run {
    sweep *s;
    tasks *t;
    const char *csv;
    size_t next; /* cell to be given */
    double written;
    bool lost; /* the file cannot be written, which has been reported */
} cell_run;

/* Gives out cells while there is room. */
static vouch_status give_cells(cell_run *r)
{
    const grid *g = &r->s->g;
    vouch_status status = VOUCH_OK;
    for (; r->next < g->count && tasks_room(r->t) && !status && !report_interrupted(); r->next++) {
        const cell *c = &g->cells[r->next];
        if (c->status[0] || twin_of(r->s, c)) continue;
        message *m = tasks_next_task(r->t);
        message_put_int(m, (long long)r->next);
        status = tasks_give(r->t);
    }
    return status;
}

static vouch_status finish_cell(cell_run *r, size_t i)
{
    sweep *s = r->s;
    cell *c = &s->g.cells[i];
    const cell *twin = twin_of(s, c);
    vouch_error error = {0};
    message *answer;
    text name = {0};
    describe(&s->g, c, &name);
    if (!name.failed) report_progress("cell %zu of %zu: %s", i + 1, s->g.count, name.data);
    text_free(&name);
    if (twin)
        take_twin(s, c, twin);
    else {
        vouch_status status = tasks_take(r->t, &answer);
        if (status == VOUCH_ERROR_MEMORY || (!status && !answer)) return status;
        message ended = {0};
        if (status) { /* it killed its workers repeatedly */
            message_put_text(&ended, "failed");
            double *place[MOST_FIGURES];
            int reals = figures_of(&s->g, c, place) + 1; /* with the seconds */
            for (int j = 0; j < reals; j++) message_put_real(&ended, NAN);
            message_put_text(&ended, "every process that computed it died");
            answer = &ended;
        }
        take_answer(s, c, answer);
        if (!status && strcmp(c->status, "interrupted") != 0) tasks_keep(r->t);
        message_free(&ended);
    }
    double now = clock_seconds();
    if (r->lost || (s->timeless && now - r->written < WRITE_SECONDS)) return VOUCH_OK;
    r->written = now;
    r->lost = sweep_write_csv(&s->g, r->csv, &error) != VOUCH_OK;
    if (r->lost) (void)cli_failed(&error);
    return VOUCH_OK;
}

int sweep_run_cells(sweep *s, const char *csv, struct vouch_journal *journal)
{
    static const task_work kind = {.open = open_cells, .run = work_out, .close = close_cells};
    int workers = group_workers() > 0 ? group_workers() : s->args->spread.workers;
    task_work work = kind;
    task_places places = {.workers = workers, .window = workers > 0 ? 2 * workers : 1, .journal = journal};
    vouch_limits limits = cli_limits_each(&s->args->common);
    limits.seconds = 0;
    deadline limit = deadline_start(&limits);
    vouch_error error = {0};
    cell_run r = {.s = s, .csv = csv};
    message last = {0};
    work.shared = s;
    places.kind = message_sum(s->g.run, strlen(s->g.run));
    if (group_is_worker()) {
        (void)group_serve(places.kind, &work, &last);
        message_free(&last);
        return CLI_SOLVED;
    }
    vouch_status status = tasks_new(&r.t, &work, &places, &limit);
    for (size_t i = 0; i < s->g.count && !status && !report_interrupted(); i++) {
        if (s->g.cells[i].status[0]) continue;
        status = give_cells(&r);
        if (!status && !report_interrupted()) status = finish_cell(&r, i);
    }
    vouch_log log = report_log();
    if (r.t) tasks_log(r.t, &log);
    tasks_free(r.t);
    group_finish(places.kind, &last);
    report_clear();
    if (status) return cli_wrong("out of memory");
    return sweep_write_csv(&s->g, csv, &error) ? cli_failed(&error) : 0; /* once more: there may be room again */
}
