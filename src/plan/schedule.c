/* plan/schedule.c - see schedule.h. Cost: exponential in the policy nodes at worst; an induction is O(arcs K).
 *
 * STAGES is the search; every stage is a function below it of at most a screen.
 */
#include "plan/methods.h"

#include "base/check.h"
#include "base/error.h"
#include "plan/proof.h"
#include "plan/reach/reach_search.h"
#include "plan/relax/levels.h"
#include "plan/relax/scenarios.h"
#include "plan/stage/stagewise.h"
#include "policy/parameters.h"

/* Work of the search by intervals of reach without a limit, in products: some minutes. */
static const double REACH_PROOF_GAP = 0.9; /* share of the gap; the rest is for the rounding of what is written */
static const long long MOST_REACH_WORK = 200000000000;

/* Work of the small tree if its classes are those of the search, in multiples of the usual. */
static const double WHOLE_TREE = 4;

/* Edges times environments of a graph whose tree begins even after the limit: at most a tenth of a second. */
static const double SHORT_EDGES = 1e6;

typedef struct schedule {
    plan_call *call;
    policy_space *space;
    space_options *detail;
    incumbent *inc;
    search_options so; /* of all trees */
    relaxation_levels levels;
    double known;      /* the bound of the stages before the trees */
    bool done;         /* no stage follows */
    bool intervals;    /* the search by intervals of reach applies */
    bool closed;       /* the stages before the trees have closed the gap */
    bool by_vectors;   /* a proof consists of the vectors of the root */
    bool written;      /* the proof by the stages before the trees is complete */
    const char *stage; /* for the progress line */
} schedule;

static void report(void *context, double value, double bound, long long nodes, long long open);
static vouch_status scenarios(schedule *s);
static vouch_status small_tree(schedule *s);
static vouch_status by_intervals(schedule *s);
static vouch_status stage_by_stage(schedule *s);
static vouch_status conclude_early(schedule *s);
static vouch_status classes(schedule *s);
static vouch_status trees(schedule *s);
static vouch_status conclude(schedule *s);
static vouch_status least_total_regret(schedule *s);

/* The whole search. A stage that does not apply does nothing; after one that is `done` none follows. */
static vouch_status (*const STAGES[])(schedule *s) = {scenarios, small_tree, by_intervals, stage_by_stage,    conclude_early,
                                                      classes,   trees,      conclude,     least_total_regret};

bool schedule_has_scenarios(const plan_call *call, int L)
{
    const vouch_plan_options *o = call->options;
    return call->m->K / call->m->group >= SCENARIOS_LEAST && !part_off(call->without, VOUCH_PART_SCENARIOS) && L == 0 &&
           vouch_model_averages(call->m) == 0 && o->objective != VOUCH_OBJECTIVE_WEIGHTED && o->engine != VOUCH_ENGINE_LP;
}

/* If promises bind, bounds need classes. Scenarios have their own and find a policy sooner than classes of all environments are
 * made. */
bool schedule_begins_without_classes(const plan_call *call)
{
    const vouch_plan_options *o = call->options;
    bool binds = vouch_model_averages(call->m) > 0;
    for (int k = 0; k < call->m->K; k++) binds |= (call->task ? call->task->p[k] : call->m->env[k].p) > 0;
    if (o->engine == VOUCH_ENGINE_LP) return false;
    return schedule_has_scenarios(call, o->lookahead) || (!binds && !part_off(call->without, VOUCH_PART_STAGEWISE));
}

/* ---- the stages ---------------------------------------------------------------------------------------------------- */

static vouch_status scenarios(schedule *s)
{
    if (!schedule_has_scenarios(s->call, s->space->g->L)) return VOUCH_OK;
    vouch_status status = scenarios_search(s->call, s->space, s->inc, &s->known);
    if (status || s->inc->found || s->known < INFINITY) return status;
    s->call->policy->bound = INFINITY;
    s->call->policy->outcome = VOUCH_PLAN_INFEASIBLE;
    s->done = !s->call->proof; /* a proof covers all environments */
    s->known = -INFINITY;
    return VOUCH_OK;
}

/* Does the stagewise search apply: no promise binds, and the gap is open? */
static bool is_stagewise(const schedule *s)
{
    const policy_space *space = s->space;
    return !part_off(s->call->without, VOUCH_PART_STAGEWISE) && !space->floor && !space_may_bind(space) &&
           s->known < incumbent_cutoff(s->inc, s->call->options->gap) && !deadline_used_up(&s->call->limit);
}

/* No policy keeps the promises. */
static void no_policy(schedule *s)
{
    s->call->policy->bound = INFINITY;
    s->call->policy->outcome = VOUCH_PLAN_INFEASIBLE;
    s->done = true;
}

/* A tree on a coarse level for some hundredths of a second closes easy models before the searches stage by stage and by intervals.
 */
static vouch_status small_tree(schedule *s)
{
    plan_call *call = s->call;
    policy_space space = *s->space;
    colgen *cg = NULL;
    search_result result = {.bound = -INFINITY};
    bool classes = !space.c; /* made here */
    vouch_status status = VOUCH_OK;
    if (!part_off(call->without, VOUCH_PART_REACH)) status = reach_applies(&space, REACH_MOST_SPREAD, &s->intervals);
    if (status || (classes ? !is_stagewise(s) : !s->intervals || space.c->classes > RELAX.small_classes)) return status;
    if (space.share || (classes && !s->inc->found) || deadline_used_up(&call->limit) ||
        (!classes && (part_off(call->without, VOUCH_PART_LEVELS) || (space.f && call->proof))))
        return VOUCH_OK; /* where vectors are known of the whole, they are the proof */
    if (classes) {       /* of all nodes; otherwise the classes at hand go with the vectors */
        space.f = NULL;
        status = know_classes_new(space.g, NULL, &(class_limits){RELAX.small_classes, &call->limit, &call->limit}, &space.c, NULL);
    }
    if (status) return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
    search_options so = s->so;
    so.threads = 1;
    so.workers = 0;
    so.journal = NULL;
    so.determinism = classes ? NULL : s->so.determinism;
    so.proof = classes ? NULL : call->proof;
    so.first_id = call->policy->ids + 1;
    double work = RELAX.small_work * (classes ? 1 : WHOLE_TREE);
    so.most_inductions = 1 + (long long)(work / (know_induction_work(space.c) + RELAX.master_work));
    so.limit = deadline_part(&call->limit, 0, 0);
    status = colgen_new(&space, &cg);
    if (!status) status = search_run(cg, s->inc, MASTER_MAX_REGRET, &so, &result);
    deadline_use(&call->limit, result.nodes, result.inductions);
    if (result.ids > 0) call->policy->ids = result.ids;
    s->known = fmax(s->known, result.bound);
    if (result.infeasible) no_policy(s);
    colgen_free(cg);
    if (so.proof) proof_leave_space(so.proof);
    if (classes) know_classes_free(space.c);
    return status;
}

/* Intervals of reach, where nature decides where one is. Its work is counted as inductions over policy nodes. */
static vouch_status by_intervals(schedule *s)
{
    plan_call *call = s->call;
    const know_graph *g = s->space->g;
    reach_result result;
    deadline share = deadline_share(&call->limit, TIME.intervals);
    long long pass = (long long)g->edges * (g->K / g->m->group), left = deadline_iterations_left(&call->limit, 0);
    long long nodes = deadline_nodes_left(&call->limit, 0);
    if (!s->intervals || s->known >= incumbent_cutoff(s->inc, call->options->gap) || left < 0 || nodes < 0) return VOUCH_OK;
    reach_options o = {.gap = call->options->gap,
                       .most_spread = INFINITY, /* known to be small */
                       .most_work = MOST_REACH_WORK,
                       .most_nodes = nodes,
                       .limit = &share,
                       .proof = call->proof};
    if (call->proof) o.gap *= REACH_PROOF_GAP;
    if (call->options->progress) o.progress = report, o.context = s;
    s->stage = "intervals of reach";
    if (left > 0 && left < o.most_work / pass) o.most_work = left * pass;
    vouch_status status = reach_search(s->space, s->inc, &o, &result);
    s->stage = "maximum regret";
    if (status) return status;
    deadline_use(&call->limit, result.nodes, result.work / pass);
    s->known = fmax(s->known, result.bound);
    if (result.nodes > 0)
        log_line(&call->options->log, VOUCH_LOG_INFO, "intervals of reach: maximum regret %.10g, bound %.10g: %lld nodes, %.3f s",
                 call->m->scale.spread * incumbent_value(s->inc), call->m->scale.spread * result.bound, result.nodes,
                 clock_seconds() - call->limit.start);
    if (result.infeasible) no_policy(s);
    return VOUCH_OK;
}

static vouch_status stage_by_stage(schedule *s)
{
    plan_call *call = s->call;
    const vouch_plan_options *o = call->options;
    const policy_space *space = s->space;
    vouch_policy *policy = call->policy;
    if (!is_stagewise(s)) return VOUCH_OK;
    stagewise_result result;
    deadline share = deadline_share(&call->limit, TIME.stagewise);
    stage_log log = {.space = space, .trace = o->trace, .ids = policy->ids};
    if (o->on_node) log.on_node = plan_report_node, log.on_node_context = call;
    log.most = deadline_nodes_left(&call->limit, 0);
    stagewise_options fo = {.gap = o->gap,
                            .seed = o->seed,
                            .walks = !part_off(call->without, VOUCH_PART_THRESHOLD_ACCEPTING),
                            .most_visits = deadline_iterations_left(&call->limit, 0),
                            .limit = &share,
                            .log = &log};
    vouch_status status =
        space->share ? stagewise_search(space, s->inc, &fo, &result) : stagewise_regret_search(space, s->inc, &fo, &result);
    policy->ids = log.ids;
    deadline_use(&call->limit, log.nodes, result.visits);
    s->known = fmax(s->known, result.bound);
    s->closed = space->share && !status && result.finished && s->inc->found;
    log_line(&o->log, VOUCH_LOG_INFO, "stage by stage: %s regret %.10g, bound %.10g: %lld nodes, %lld nodes of histories, %.3f s",
             space->share ? "mean" : "maximum", call->m->scale.spread * s->inc->value.max_regret,
             call->m->scale.spread * result.bound, log.nodes, result.visits, clock_seconds() - call->limit.start);
    return status;
}

/* Is the gap closed, and the proof, if any, complete? */
static bool shown(const schedule *s)
{
    double cutoff = incumbent_cutoff(s->inc, s->call->options->gap);
    return s->inc->found && s->known >= cutoff && (!s->call->proof || proof_reaches(s->call->proof, cutoff));
}

static void conclude_without_tree(schedule *s)
{
    vouch_policy *policy = s->call->policy;
    const policy_space *space = s->space;
    policy->bound = fmax(0, fmin(s->known, incumbent_value(s->inc)));
    policy->outcome = s->closed ? VOUCH_PLAN_OPTIMAL : s->inc->found ? VOUCH_PLAN_FEASIBLE : VOUCH_PLAN_LIMIT;
    for (int k = 0; k < policy->K && policy->determinism && !space->share; k++) policy->determinism[k] = 0;
}

/* Skips the trees if the gap is closed and the least total regret is not wanted, or, without classes, if a limit is reached. */
static vouch_status conclude_early(schedule *s)
{
    const policy_space *space = s->space;
    if (!space->share && !s->call->options->least_total_regret && !space_may_bind(space)) s->closed = shown(s);
    bool worked = !space->c && s->inc->found && deadline_used_up(&s->call->limit);
    bool late = (double)space->g->edges * space->K > SHORT_EDGES && deadline_expired(&s->call->limit);
    s->done = s->closed || (!s->call->proof && (worked || late));
    if (s->done) conclude_without_tree(s);
    return VOUCH_OK;
}

static vouch_status classes(schedule *s)
{
    vouch_status status = s->space->c ? VOUCH_OK : plan_space_detail(s->call, s->detail, TIME.late_detail, s->space);
    if (status || s->space->c) return status;
    s->done = true; /* the limit has passed */
    conclude_without_tree(s);
    return VOUCH_OK;
}

/* The head of the log of a search (plan/search/record.c). */
static void explain_log(const schedule *s)
{
    static const char *const lines[] = {
        "nodes        sets of policies that are settled; a line at 1, 2, 4, 8 .., where a better policy was found, and at the end",
        "open         sets of policies that wait",
        "best         maximum regret of the best policy found, bound: what no policy can be below; the search ends where they meet",
        "inductions   backward inductions over likelihood classes: the unit of work",
        "    nodes      open            best           bound  inductions  seconds"};
    const vouch_log *log = &s->call->options->log;
    if (s->inc->found)
        log_line(log, VOUCH_LOG_INFO, "policies to begin with: the best has a maximum regret of %.9g",
                 s->call->m->scale.spread * s->inc->value.max_regret);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) log_line(log, VOUCH_LOG_INFO, "%s", lines[i]);
}

/* Trees over the relaxation levels, with belief expansion beside them (plan/relax/levels.h). */
static vouch_status trees(schedule *s)
{
    plan_call *call = s->call;
    if (s->space->share || s->known >= incumbent_cutoff(s->inc, call->options->gap))
        s->so.floor = s->known; /* sufficient; otherwise levels could not be compared below it */
    s->by_vectors = call->proof && s->space->f;
    s->written = call->proof && shown(s);
    s->so.proof = s->by_vectors || s->written ? NULL : call->proof;
    if (!call->task || !call->task->start) explain_log(s); /* only once for repeated plans */
    vouch_status status = levels_search(&s->levels, call, s->space, s->inc, &s->so);
    if (!status && s->by_vectors && !s->written) status = proof_vectors(call->proof, s->space);
    return status;
}

static vouch_status conclude(schedule *s)
{
    plan_call *call = s->call;
    vouch_policy *policy = call->policy;
    const search_result *result = &s->levels.last->result;
    policy->bound = fmax(fmax(result->bound, s->levels.known), fmin(s->known, incumbent_value(s->inc)));
    log_line(&call->options->log, VOUCH_LOG_DETAIL,
             "maximum regret %.10g, bound %.10g: %lld nodes, %lld backward inductions, %.3f s",
             call->m->scale.spread * s->inc->value.max_regret, call->m->scale.spread * policy->bound, call->limit.nodes,
             call->limit.iterations, clock_seconds() - call->limit.start);
    if (result->infeasible)
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
    else if (!s->inc->found)
        policy->outcome = result->limit || policy->bound >= incumbent_cutoff(s->inc, 0) ? VOUCH_PLAN_LIMIT : VOUCH_PLAN_NUMERICAL;
    else
        policy->outcome = result->proved ? VOUCH_PLAN_OPTIMAL : VOUCH_PLAN_FEASIBLE;
    s->done = !s->inc->found || !result->proved || s->space->share || !call->options->least_total_regret ||
              deadline_used_up(&call->limit);
    return VOUCH_OK;
}

/* Parts with proof lines for the maximum regret only. */
static search_parts unproved_of_total(const plan_call *call) { return call->proof ? part_set(VOUCH_PART_DOMINANCE) : 0; }

/* Bounds of the tree of the total regret use the cap as written, whose multipliers may be large. */
static void write_total(plan_call *call, incumbent *inc)
{
    double cap = proof_cap(call->m, inc->bound_cap, call->policy->steep);
    proof_seek_total(call->total, cap, call->proof->named);
    inc->bound_cap = cap / call->m->scale.spread;
}

static vouch_status least_total_regret(schedule *s)
{
    plan_call *call = s->call;
    vouch_policy *policy = call->policy;
    search_options *so = &s->so;
    search_result result;
    s->stage = "total regret";
    s->levels.known = -INFINITY;
    incumbent_seek_total(s->inc, call->options->gap - (s->inc->value.max_regret - policy->bound));
    so->limit = deadline_part(&call->limit, 0, 0);
    so->most_inductions = call->options->tie_break_work;
    so->first_id = 1;
    so->determinism = NULL;
    so->floor = so->elsewhere = -INFINITY;
    so->on_node = NULL;
    so->proof = s->by_vectors ? NULL : call->total;
    so->without |= unproved_of_total(call);
    if (call->total) write_total(call, s->inc);
    log_line(&call->options->log, VOUCH_LOG_INFO,
             "the least total regret among policies of that maximum is sought: best and bound are total regrets now");
    vouch_status status = search_shared(s->levels.last->r, s->inc, MASTER_TOTAL_REGRET, so, &result);
    policy->total_nodes = result.nodes;
    deadline_use(&call->limit, result.nodes, result.inductions);
    CHECK_COMPARE(s->inc->value.max_regret, <=, s->inc->cap + s->space->rounding); /* as merits are compared */
    policy->total_bound = fmin(result.bound, s->inc->value.total_regret);
    if (!status && s->by_vectors && call->total) status = proof_vectors(call->total, s->space);
    return status;
}

/* ---- common to all stages ----------------------------------------------------------------------------------------- */

static void report(void *context, double value, double bound, long long nodes, long long open)
{
    const schedule *s = context;
    plan_progress(s->call, s->stage, value, fmax(bound, s->levels.known), nodes, open);
}

static void set_options(schedule *s)
{
    plan_call *call = s->call;
    const vouch_plan_options *o = call->options;
    search_options *so = &s->so;
    levels_options(so, call);
    so->determinism = call->policy->determinism;
    so->workers = o->workers;
    so->journal = o->journal;
    if (s->space->share) so->without |= unproved_of_total(call);
    so->log = o->log;
    so->progress = o->progress ? report : NULL;
    so->progress_context = s;
}

/* Allocates the prices of determinism, NAN until computed. */
static vouch_status make_determinism(const plan_call *call)
{
    vouch_policy *policy = call->policy;
    if (call->task || call->options->method != VOUCH_METHOD_MILP_CCL) return VOUCH_OK;
    if (call->options->objective == VOUCH_OBJECTIVE_MAX_MIN) return VOUCH_OK; /* no U* */
    policy->determinism = ARENA_NEW(&policy->memory, double, policy->K);
    if (!policy->determinism) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < policy->K; k++) policy->determinism[k] = NAN;
    return VOUCH_OK;
}

vouch_status schedule_run(plan_call *call, policy_space *space, space_options *detail, incumbent *inc)
{
    schedule s = {.call = call, .space = space, .detail = detail, .inc = inc, .known = -INFINITY, .stage = "maximum regret"};
    vouch_status status = make_determinism(call);
    if (status) return status;
    set_options(&s);
    for (size_t i = 0; i < sizeof STAGES / sizeof *STAGES && !status && !s.done; i++) status = STAGES[i](&s);
    /* Drops the prices of determinism unless all are known. */
    for (int k = 0; k < call->policy->K && call->policy->determinism; k++)
        if (!isfinite(call->policy->determinism[k])) call->policy->determinism = NULL;
    levels_clear(&s.levels);
    if (!plan_memory_over(status) || !inc->found) return status;
    call->policy->bound = fmax(0, fmin(s.known, incumbent_value(inc)));
    call->policy->outcome = VOUCH_PLAN_FEASIBLE;
    return VOUCH_OK;
}
