/* plan/ccil/ccil.c - the table of plans, and the exact evaluation of CCIL.
 *
 * With V(b,p;k) = expected reward and commitment probability of the adaptive behaviour from knowledge state b owing p,
 *
 *     V(b,p;k) = reward of the segment's steps + sum over its exits b' of Pr(b' | b,k) V(b',p';k),
 *     p'(k) = Pr(S_T in Phi | b',k) in force, and what is promised on average as owed_behind has it,
 *
 * a recursion over the knowledge states at the replanning times. It runs layer by layer: all segments of one depth are planned (in
 * parallel: they do not depend on each other), their exits looked up by (b', p'), and when the last layer is done values are
 * summed backwards. Nothing is sampled. Where a budget ends the planning, the policy in force goes on and its value stands in.
 * Definition of CCIL: Zhang, Singh, Durfee, ICAPS 2017; floors (guarded) and the recursion are our own: THEORY.md, section 7.
 * Cost: one plan a segment, O(exits K) to sum. Invariant: one depth begins at one time, an exit's child is one deeper.
 */
#include "plan/ccil/ccil.h"

#include "base/check.h"
#include "base/memory.h"
#include "link/group.h"
#include "link/tasks.h"
#include "plan/methods.h"

/* ---- what is owed -----------------------------------------------------------------------------------------------------
 *
 * A promise on average is  sum_k w(k) Pr(k) >= p  over the prior w. Behind exit b' of a plan that is followed, the posterior is
 * w'(k) ~ w(k) Pr(b' | k), and what is owed there is the posterior mean of the policy in force:
 *
 *     sum_k w'(k) Pr'(k) >= sum_k w'(k) Pr(S_T in Phi | b', k).
 *
 * These sums, weighted by the probability of coming to b', add up to the mean of the plan, so the promise is kept by construction.
 * The weights of an average sum to 1 but for rounding. */

static double mean_of(const segment *seg, int a) { return average_mean(&seg->averages, a, seg->count, seg->Pr); }

/* Is row i promised in its environment, not on average? */
static bool owed_alone(const segment *seg, int i)
{
    for (int a = 0; a < seg->averages.count; a++)
        if (i % seg->view.group == seg->averages.row[a]) return false;
    return true;
}

/* Weights [environments of the exit] behind an exit: those before times the probability of coming there, the largest 1. Where none
 * that counts comes, all count. */
static void owed_weights(const segment *seg, const segment_exit *x, double weight[])
{
    const know_graph *g = seg->g;
    int first = g->member_start[g->set[x->node]], count = know_set_size(g, g->set[x->node]);
    double most = 0;
    for (int j = 0; j < count; j++) {
        weight[j] = seg->weight[g->member[first + j]] * x->reach[g->member[first + j]];
        most = fmax(most, weight[j]);
    }
    for (int j = 0; j < count; j++) weight[j] = most > 0 ? weight[j] / most : 1;
}

/* What is owed on average behind an exit, into behind, which has room for the averages of seg; with p 0 where none that counts
 * comes. */
static void owed_behind(const segment *seg, const segment_exit *x, promise_averages *behind)
{
    const know_graph *g = seg->g;
    const int *member = g->member + g->member_start[g->set[x->node]];
    int count = know_set_size(g, g->set[x->node]);
    CHECK_COMPARE(behind->count, ==, seg->averages.count);
    for (int a = 0; a < behind->count; a++) {
        const double *before = seg->averages.weight + (size_t)a * (size_t)seg->count;
        double *after = behind->weight + (size_t)a * (size_t)count, sum = 0, mean = 0;
        for (int j = 0; j < count; j++) sum += after[j] = before[member[j]] * x->reach[member[j]];
        for (int j = 0; j < count; j++) {
            after[j] = sum > 0 ? after[j] / sum : 0;
            mean += after[j] * x->Pr[member[j]];
        }
        behind->row[a] = seg->averages.row[a];
        behind->p[a] = fmin(1, fmax(0, mean));
    }
}

/* The most of the tolerance that Pr [rows], the plan of seg, leaves unused of what seg owes. */
static double owed_slack(const segment *seg, double tolerance)
{
    double left = tolerance;
    for (int i = 0; i < seg->count; i++) left = fmin(left, seg->Pr[i] - (seg->p[i] - tolerance));
    for (int a = 0; a < seg->averages.count; a++) left = fmin(left, mean_of(seg, a) - (seg->averages.p[a] - tolerance));
    return fmax(0, left);
}

/* Exits of a plan that are listed. */
enum { EXITS = 60 };

static void record_segment(vouch_trace *t, const segment *seg, int id)
{
    if (!t) return;
    t->part = id;
    if (!trace_open(t, TRACE_NOTE, id, "segment")) return;
    trace_int(t, "id", id);
    trace_int(t, "time", seg->time);
    trace_int(t, "state", seg->state);
    trace_int(t, "depth", seg->depth);
    trace_ints(t, "env", seg->env, seg->count);
    trace_reals(t, "owed", seg->p, seg->count);
    trace_close(t);
}

static void record_planned(vouch_trace *t, const segment *seg, int id)
{
    if (!trace_open(t, TRACE_NOTE, id, "planned")) return;
    trace_int(t, "id", id);
    trace_word(t, "status", vouch_plan_outcome_text(seg->outcome));
    trace_int(t, "steps", seg->steps);
    trace_int(t, "kept_on", seg->kept_on);
    trace_real(t, "spread", seg->view.scale.spread);
    trace_real(t, "least", seg->view.scale.least);
    if (seg->g) {
        trace_reals(t, "optimal", seg->optimal, seg->count);
        trace_reals(t, "U", seg->U, seg->count);
        trace_reals(t, "promise", seg->Pr, seg->count);
        /* [its plan, the largest probability of coming there] */
        trace_list(t, "exits");
        for (int i = 0; i < seg->exits && i < EXITS; i++) {
            double most = 0;
            for (int k = 0; k < seg->count; k++) most = fmax(most, seg->exit[i].reach[k]);
            trace_list(t, NULL);
            trace_int(t, NULL, seg->exit[i].child);
            trace_real(t, NULL, most);
            trace_list_end(t);
        }
        trace_list_end(t);
    }
    trace_close(t);
}

static const double LEAST_STEP = 0x1p-60; /* of the grid: numbers of its points must fit 64 bits */
/* Relative: figures of all segments are sums of doubles. */
static const double FIGURE_ROUNDING = 1e-10;

void vouch_ccil_options_init(vouch_ccil_options *options)
{
    if (!options) return;
    *options = (vouch_ccil_options){.guarded = 0};
    vouch_plan_options_init(&options->plan);
    options->plan.lookahead = 1;
}

static uint64_t grid(double x, double step) { return (uint64_t)(int64_t)llround(x / step); }

/* The number of the segment that begins at `from`, made if new; -1: memory. */
static int find_segment(vouch_ccil *c, const segment_start *from, bool *fresh)
{
    int K = c->m->K;
    const promise_averages *of = from->averages;
    double average_step = fmax(LEAST_STEP, c->probability_step / (2 * K)); /* of K weights and of their mean */
    uint64_t *key = c->key, *average = key + c->key_words - (of->count > 0 ? K + of->count : 0);
    memset(key, 0, (size_t)c->key_words * sizeof *key);
    key[0] = (uint64_t)from->time;
    key[1] = (uint64_t)from->state;
    for (int i = 0; i < from->count; i++) {
        CHECK(from->p[i] >= 0 && from->p[i] <= 1);
        bits_add(key + 2, from->env[i]);
        key[2 + c->words + i] = grid(from->p[i], c->probability_step);
        key[2 + c->words + K + i] = from->floor ? grid(from->floor[i], c->value_step) : 0;
        if (from->weight) key[2 + c->words + 2 * K + i] = grid(from->weight[i], c->probability_step);
    }
    for (int a = 0; a < of->count; a++) {
        average[K + a] = grid(of->p[a], average_step);
        for (int i = 0; i < from->count; i++) /* a row is of one average */
            average[i] += grid(of->weight[(size_t)a * (size_t)from->count + (size_t)i], average_step);
    }
    int id = intern_add(&c->keys, key, fresh);
    if (id < 0 || !*fresh) return id;
    CHECK_COMPARE(id, ==, c->segments);
    if (mem_reserve((void **)&c->segment, &c->capacity, (size_t)id, sizeof *c->segment)) return -1;
    segment *seg = segment_new(from);
    if (!seg) return -1;
    c->segment[id] = seg;
    c->segments = id + 1;
    return id;
}

/* Gives the exits of segment `id` their segments. */
static vouch_status link_exits(vouch_ccil *c, int id)
{
    segment *seg = c->segment[id];
    const know_graph *g = seg->g;
    size_t count = (size_t)seg->count;
    int *env = MEM_NEW(int, count);
    double *p = MEM_NEW(double, 4 * count), *value = p + (p ? count : 0), *weight = value + (p ? count : 0),
           *in_force = weight + (p ? count : 0);
    vouch_status status = env && p ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    bool last = seg->time + seg->steps >= c->m->T;
    for (int i = 0; i < seg->exits && !status && !last; i++) {
        segment_exit *x = &seg->exit[i];
        int set = g->set[x->node], left = know_set_size(g, set);
        for (int j = 0; j < left; j++) {
            int k = g->member[g->member_start[set] + j];
            env[j] = seg->env[k];
            in_force[j] = fmin(1, fmax(0, x->Pr[k]));
            p[j] = owed_alone(seg, k) ? in_force[j] : 0;
            value[j] = x->U[k];
        }
        if (seg->weight) owed_weights(seg, x, weight);
        owed_behind(seg, x, &c->owed);
        segment_start from = {.time = seg->time + seg->steps,
                              .state = g->state[x->node],
                              .count = left,
                              .env = env,
                              .p = p,
                              .floor = c->options.guarded ? value : NULL,
                              .weight = seg->weight ? weight : NULL,
                              .averages = &c->owed};
        bool fresh;
        x->child = find_segment(c, &from, &fresh);
        if (x->child < 0) {
            status = VOUCH_ERROR_MEMORY;
            break;
        }
        if (!fresh) {
            c->reused++;
            continue;
        }
        segment *child = c->segment[x->child];
        CHECK(child->time == seg->time + seg->steps && !child->planned);
        child->depth = seg->depth + 1;
        MEM_COPY(child->in_force_U, value, left);
        MEM_COPY(child->in_force_Pr, in_force, left);
        child->in_force = x->rules;
        x->rules = (markov_rules){0};
    }
    mem_free(env);
    mem_free(p);
    return status;
}

typedef struct planning {
    vouch_ccil *c;
    const int *which; /* [count] segments, none of them planned */
    int count;
    vouch_status *status; /* [count] */
    vouch_error *error;   /* [count] */
    const deadline *limit;
    double share;
    int inner_threads;
    message *answer; /* [count] what was found elsewhere; NULL: all is found here */
} planning;

/* Plans segment number i of those that wait, or a copy of it. */
static vouch_status plan_it(planning *w, int i, segment *seg, message *given, message *kept, vouch_error *error)
{
    vouch_limits left = deadline_left(w->limit); /* planners count their own shares from the start of their deadline */
    left.seconds *= w->share;
    deadline mine = deadline_start(&left);
    const vouch_ccil *c = w->c;
    double tolerance = w->which[i] == 0 ? KEEP_TOLERANCE : c->tolerance;
    CHECK(tolerance >= 0 && tolerance <= KEEP_TOLERANCE && w->share > 0 && w->share <= 1);
    segment_options o = {&c->options.plan, c->options.plan.lookahead, w->inner_threads, tolerance, mine, !w->answer, given, kept};
    vouch_trace *trace = c->options.plan.trace;
    record_segment(trace, seg, w->which[i]);
    log_line(&c->options.plan.log, VOUCH_LOG_INFO, "plan %d, from t = %d in %.60s with %d of %d environments:", w->which[i] + 1,
             seg->time, c->m->state_name[seg->state], seg->count, c->m->K);
    double since = trace_start(trace);
    long long nodes = trace_nodes(trace);
    vouch_status status = segment_plan(c->m, seg, &o, error);
    trace_stop(trace, KERNEL_segments, since);
    trace_planned(trace, seg->time, nodes, since);
    return status;
}

/* ---- plans as tasks for other processes (link/tasks.h) ----
 *
 * A task names a segment, which all processes have; its answer is the policy found, or why there is none. Its graph and exits are
 * worked out by each process that needs the table. */

static vouch_status open_batch(void *shared, void **own)
{
    *own = shared;
    return VOUCH_OK;
}

static void close_batch(void *own) { (void)own; }
static bool batch_late(const void *shared) { return deadline_expired(&((const planning *)shared)->c->limit); }

/* The segment as it was when it was met. */
static segment *copy_of(const segment *seg)
{
    segment *copy =
        segment_new(&(segment_start){seg->time, seg->state, seg->count, seg->env, seg->p, seg->floor, seg->weight, &seg->averages});
    if (!copy) return NULL;
    copy->depth = seg->depth;
    MEM_COPY(copy->in_force_U, seg->in_force_U, seg->count);
    MEM_COPY(copy->in_force_Pr, seg->in_force_Pr, seg->count);
    copy->in_force.rule = MEM_NEW(markov_rule, seg->in_force.count);
    if (!copy->in_force.rule) {
        segment_free(copy);
        return NULL;
    }
    copy->in_force.count = copy->in_force.capacity = seg->in_force.count;
    MEM_COPY(copy->in_force.rule, seg->in_force.rule, seg->in_force.count);
    return copy;
}

static vouch_status plan_segment(void *own, message *task, message *answer)
{
    planning *b = own;
    vouch_error unsaid = {0};
    int i = (int)message_take_count(task, 0, b->count - 1);
    segment *copy = task->failed ? NULL : copy_of(b->c->segment[b->which[i]]);
    if (!copy) return task->failed ? VOUCH_ERROR_IO : VOUCH_ERROR_MEMORY;
    vouch_status status = plan_it(b, i, copy, NULL, answer, &unsaid);
    segment_free(copy);
    return answer->length > 0 ? VOUCH_OK : status; /* what the method says is part of the answer */
}

/* The number tells the worker; the rest tells a journal whether it is the same segment. */
static void write_task(message *m, int i, const segment *seg)
{
    message_put_int(m, i);
    message_put_int(m, seg->time);
    message_put_int(m, seg->state);
    MESSAGE_PUT(m, seg->env, seg->count);
    MESSAGE_PUT(m, seg->p, seg->count);
    if (seg->floor) MESSAGE_PUT(m, seg->floor, seg->count);
    if (seg->weight) MESSAGE_PUT(m, seg->weight, seg->count);
    const promise_averages *of = &seg->averages;
    if (of->count > 0) MESSAGE_PUT(m, of->p, of->count);
    if (of->count > 0) MESSAGE_PUT(m, of->weight, of->count * seg->count);
}

static uint64_t kind_of(const planning *b)
{
    const int numbers[] = {b->c->segments, b->count, b->which[0]};
    return message_sum(numbers, sizeof numbers);
}

static vouch_status serve(const planning *b, const task_work *work)
{
    message last = {0};
    vouch_status status = group_serve(kind_of(b), work, &last);
    for (int i = 0; i < b->count && !status; i++) {
        size_t length = (size_t)message_take_length(&last, 1);
        message_put(&b->answer[i], last.data + last.at, length);
        last.at += length;
        if (last.failed || b->answer[i].failed) status = VOUCH_ERROR_IO;
    }
    message_free(&last);
    return status;
}

/* Lets the plans be worked out by workers, from a journal or here; an answer that stays empty is to be planned here. */
static vouch_status run_tasks(planning *b)
{
    const vouch_plan_options *o = &b->c->options.plan;
    task_work work = {.shared = b, .open = open_batch, .run = plan_segment, .close = close_batch, .late = batch_late};
    task_places places = {.workers = o->workers, .threads = 1, .window = b->count, .journal = o->journal, .kind = kind_of(b)};
    message last = {0}, *m;
    tasks *t;
    if (o->workers > 0 && group_is_worker()) return serve(b, &work);
    vouch_status status = tasks_new(&t, &work, &places, &b->c->limit);
    for (int i = 0; i < b->count && !status; i++) {
        write_task(tasks_next_task(t), i, b->c->segment[b->which[i]]);
        status = tasks_give(t);
    }
    for (int i = 0; i < b->count && !status; i++) {
        status = tasks_take(t, &m);
        if (status || !m) continue;
        message_copy(&b->answer[i], m);
        if (b->answer[i].failed) status = VOUCH_ERROR_MEMORY;
        tasks_keep(t);
    }
    tasks_free(t);
    if (o->workers > 0) {
        /* All answers as what a group is to know. */
        for (int i = 0; i < b->count; i++) {
            message_put_int(&last, (long long)b->answer[i].length);
            message_put(&last, b->answer[i].data, b->answer[i].length);
        }
        group_finish(places.kind, &last);
        message_free(&last);
    }
    return status;
}

static void plan_one(void *context, int i, int thread)
{
    planning *w = context;
    (void)thread;
    bool found = w->answer && w->answer[i].length > 0;
    w->status[i] = plan_it(w, i, w->c->segment[w->which[i]], found ? &w->answer[i] : NULL, NULL, &w->error[i]);
}

/* Where several plans are to be made: finds their policies elsewhere, or in a journal. */
static vouch_status share_plans(planning *w)
{
    const vouch_plan_options *o = &w->c->options.plan;
    if (w->count <= 1 || o->trace || (o->workers <= 0 && !o->journal)) return VOUCH_OK;
    w->inner_threads = 1;
    if (!(w->answer = MEM_ZERO(message, w->count))) return VOUCH_ERROR_MEMORY;
    return run_tasks(w);
}

/* The first plan is held to the commitment as every plan is. What it leaves of the tolerance is for those that replace parts of
 * it, whose shortfalls add up: one half in equal shares, the other for the grid and for rounding. */
static void share_tolerance(vouch_ccil *c)
{
    int L = c->options.plan.lookahead, replannings = (c->m->T + L - 1) / L;
    c->tolerance = owed_slack(c->segment[0], KEEP_TOLERANCE) / (2 * replannings);
    c->probability_step = fmax(LEAST_STEP, fmin(CCIL_GRID, c->tolerance));
    CHECK_COMPARE(replannings * c->tolerance, <=, KEEP_TOLERANCE / 2);
}

vouch_status ccil_plan_segments(vouch_ccil *c, const int which[], int count, const ccil_budget *budget, vouch_error *error)
{
    pool *threads = c->options.plan.trace ? NULL : budget->threads; /* a trace belongs to one thread */
    int *unplanned = MEM_NEW(int, count), waiting = 0;
    for (int i = 0; i < count && unplanned; i++)
        if (!c->segment[which[i]]->planned) unplanned[waiting++] = which[i];
    planning w = {.c = c,
                  .which = unplanned,
                  .count = waiting,
                  .status = MEM_ZERO(vouch_status, waiting),
                  .error = MEM_ZERO(vouch_error, waiting),
                  .limit = budget->limit,
                  .share = budget->share,
                  .inner_threads = threads && waiting > 1 ? 1 : c->options.plan.threads};
    vouch_status status = unplanned && w.status && w.error ? VOUCH_OK : error_memory(error);
    vouch_status shared = status ? VOUCH_OK : share_plans(&w);
    if (shared)
        status = shared == VOUCH_ERROR_MEMORY ? error_memory(error)
                                              : error_set(error, VOUCH_ERROR_IO, "plans could not be shared among processes");
    if (!status && threads && waiting > 1 && !w.answer)
        pool_run(threads, waiting, plan_one, &w);
    else
        for (int i = 0; i < waiting && !status; i++) plan_one(&w, i, 0);
    for (int i = 0; i < waiting && !status; i++) {
        segment *seg = c->segment[unplanned[i]];
        status = w.status[i];
        if (status) {
            if (error) *error = w.error[i];
            break;
        }
        c->programs++;
        c->kept_on += seg->kept_on;
        c->unproved += seg->kept_on || seg->outcome != VOUCH_PLAN_OPTIMAL;
        if (seg->g && unplanned[i] == 0) share_tolerance(c);
        if (seg->g && link_exits(c, unplanned[i])) status = error_memory(error);
        if (!status) record_planned(c->options.plan.trace, seg, unplanned[i]);
    }
    for (int i = 0; i < waiting && w.answer; i++) message_free(&w.answer[i]);
    MEM_FREE_ALL(w.answer, unplanned, w.status, w.error);
    return status;
}

vouch_status ccil_start(const vouch_model *m, const vouch_ccil_options *options, const rescale_options *scale, vouch_ccil **out,
                        vouch_error *error)
{
    vouch_ccil_options own = *options;
    vouch_status status = check_model(m, error);
    if (!status) status = check_plan_options(&own.plan, error);
    if (!status && !vouch_method_describe(own.plan.method)->replanned)
        status = error_set(error, VOUCH_ERROR_ARGUMENT, "CCIL plans with methods that take what is owed, not with %s",
                           vouch_method_text(own.plan.method));
    if (!status) status = check_objective(&own.plan, m, error);
    if (!status) status = check_lookahead(own.plan.lookahead, 1, m, error);
    if (!status && vouch_model_has_error(m))
        status = error_set(error, VOUCH_ERROR_ARGUMENT, "replanning keeps no promises under the error of probabilities");
    if (!status && own.program_limit < 0)
        status = error_set(error, VOUCH_ERROR_ARGUMENT, "the limit of plans is negative; expected a number, or 0: no limit");
    if (!status) status = model_fits(m, error);
    if (status) return status;
    vouch_ccil *c = MEM_ZERO(vouch_ccil, 1);
    if (!c) return error_memory(error);
    c->options = own;
    c->options.plan.progress = own.first_plan;
    c->options.plan.progress_context = own.first_plan_context;
    c->given = m;
    c->attempt = scale->attempt;
    /* the figures are sums of these rewards, and floors of values hold for them */
    CHECK_COMPARE(scale->gap, <=, 0);
    if (scale->floors && own.plan.objective != VOUCH_OBJECTIVE_MAX_MIN) status = loss_model_new(m, &c->losses);
    if (c->losses.value) m = &c->losses.m;
    if (status == VOUCH_ERROR_MEMORY || model_rescaled(m, scale, &c->rescaled)) {
        loss_model_free(&c->losses);
        mem_free(c);
        return error_memory(error);
    }
    c->weights = own.plan.objective == VOUCH_OBJECTIVE_WEIGHTED ? MEM_NEW(double, m->K) : NULL;
    for (int k = 0; k < m->K && c->weights; k++)
        c->weights[k] = own.plan.weights ? own.plan.weights[k] : vouch_model_has_prior(m) ? vouch_model_prior(m, k) : 1;
    m = c->m = &c->rescaled;
    c->words = (m->K + 63) / 64;
    bool weighted = own.plan.objective == VOUCH_OBJECTIVE_WEIGHTED;
    bool averaged = !averages_of(m, &c->owed);
    c->key_words = 2 + c->words + (weighted ? 3 : 2) * m->K + (c->owed.count > 0 ? m->K + c->owed.count : 0);
    c->probability_step = CCIL_GRID;
    c->value_step = 4 * floor_tolerance(m->T);
    c->key = MEM_NEW(uint64_t, c->key_words);
    c->figures = MEM_NEW(vouch_environment_figures, m->K);
    c->commitments = MEM_NEW(double, m->K);
    int *all = MEM_NEW(int, m->K);
    double *p = MEM_NEW(double, 2 * m->K), *weight = p ? p + m->K : NULL, most = 0;
    bool fresh = false;
    for (int k = 0; k < m->K && c->weights; k++) most = fmax(most, c->weights[k / m->group]);
    for (int k = 0; k < m->K && c->weights && weight; k++) weight[k] = c->weights[k / m->group] / most;
    if (averaged && c->key && c->figures && c->commitments && all && p && (c->weights || !weighted) &&
        !intern_init(&c->keys, c->key_words)) {
        for (int k = 0; k < m->K; k++) {
            all[k] = k;
            p[k] = m->env[k].p;
        }
        segment_start root = {0, m->s0, m->K, all, p, NULL, weighted ? weight : NULL, &c->owed};
        fresh = find_segment(c, &root, &fresh) == 0;
    }
    mem_free(all);
    mem_free(p);
    if (!fresh) {
        vouch_ccil_free(c);
        return error_memory(error);
    }
    *out = c;
    return VOUCH_OK;
}

void vouch_ccil_free(vouch_ccil *c)
{
    if (!c) return;
    for (int i = 0; i < c->segments; i++) segment_free(c->segment[i]);
    mem_free(c->segment);
    intern_free(&c->keys);
    mem_free(c->key);
    averages_free(&c->owed);
    MEM_FREE_ALL(c->figures, c->weights, c->commitments);
    model_rescaled_free(&c->rescaled);
    loss_model_free(&c->losses);
    mem_free(c);
}

void vouch_ccil_get_result(const vouch_ccil *c, vouch_ccil_result *result)
{
    if (result) *result = (vouch_ccil_result){0};
    if (!c || !result) return;
    const segment *root = c->segment[0];
    bool costs = c->m->sense == VOUCH_MINIMISE;
    double least = costs ? -INFINITY : INFINITY, sum = 0;
    for (int k = 0; k < c->m->K / c->m->group; k++) {
        least = costs ? fmax(least, c->figures[k].value) : fmin(least, c->figures[k].value);
        if (c->weights) sum += c->weights[k] * c->figures[k].value;
    }
    double apart = c->options.plan.objective == VOUCH_OBJECTIVE_REGRET && root->g ? c->first_regret - root->bound : 0;
    bool shown = !(apart > c->options.plan.gap + FIGURE_ROUNDING * fabs(c->first_regret));
    bool settled = c->evaluated && c->unproved == 0 && c->missing == 0 && shown;
    *result = (vouch_ccil_result){
        .outcome = !root->g  ? root->outcome
                   : settled ? VOUCH_PLAN_OPTIMAL
                             : VOUCH_PLAN_FEASIBLE,
        .has_policy = root->g != NULL,
        .environments = c->m->K / c->m->group,
        .figures = c->figures,
        .commitments = c->commitments,
        .objective = c->options.plan.objective,
        .value = !root->g                                               ? NAN
                 : c->options.plan.objective == VOUCH_OBJECTIVE_REGRET  ? c->max_regret
                 : c->options.plan.objective == VOUCH_OBJECTIVE_MAX_MIN ? least
                                                                        : sum,
        .max_regret = c->max_regret,
        .total_regret = c->total_regret,
        .first_max_regret = root->g ? c->first_regret : NAN,
        .first_bound = c->options.plan.objective == VOUCH_OBJECTIVE_REGRET ? root->bound : NAN,
        .programs = c->programs,
        .reused = c->reused,
        .kept_on = c->kept_on,
        .unproved = c->unproved,
        .missing = c->missing,
        .missing_probability = c->missing_probability,
        .seconds = c->seconds,
    };
}
