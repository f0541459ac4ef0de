/* plan/spatial/multistart.c - the least max_k U*(k) - U(k; pi) over the ends of many descents (nlp/minimax.h), each from a start
 * of its own.
 *
 * Random starts cycle through three kinds: distributions drawn uniformly from the simplex of each node; deterministic policies
 * drawn uniformly, moved a little inside so that every node is reached; and the best policy with a few nodes redrawn. Two ends are
 * the same local optimum when they have the same U and Pr in every environment to within SAME.
 */
#include "plan/spatial/box.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/rng.h"
#include "program/bilinear.h"

static const double SAME = 1e-6;   /* of figures: the digits reported */
static const double INSIDE = 0.05; /* weight of the uniform policy in a start: a node that is not reached has no derivative */
static const double REDRAW = 0.25; /* part of the nodes that a disturbance redraws */
static const double SUM = 1e-9;    /* rounding of a block's sum */
static const double DEARER = 50;   /* growth of the price of the commitment from one attempt to the next */
enum { BATCH = 8 };

typedef struct runner { /* one a thread */
    bilinear *program;
    minimax_descent *descent;
} runner;

typedef struct job {    /* one descent of a batch */
    double *x, *origin; /* [n] where it is, where it began */
    double *figure;     /* [2 promises] of x: regret and probability in each environment, each with something for the averages */
    bool kept;          /* x counts as keeping the commitment */
    start_kind start;
    minimax_value value;
    long long work;
    vouch_status status;
    bool done;
} job;

struct multistart {
    const policy_space *space;
    const bilinear *program; /* of the first runner */
    arena memory;            /* of the arrays of fixed size */
    int threads;
    runner *runners; /* [threads] */
    pool *pool;
    job jobs[BATCH];
    uint64_t seed;
    int drawn; /* random starts made */
    multistart_result result;
    double *best_x, *base; /* [n]; base: the best as the batch began */
    double *best;          /* [choices] */
    minimax_value value;
    descent_record *records; /* [result.descents] */
    size_t capacity;
    double *optimum; /* [result.optima * 2 promises] figures of the distinct ends */
    size_t optimum_capacity;
    double *aim;        /* [promises] */
    vouch_trace *trace; /* NULL: none */
};

static const char *const START_NAMES[] = {"history", "deterministic", "alone", "given", "random", "vertex", "disturbed"};

const char *start_kind_text(start_kind start) { return START_NAMES[start]; }

/* Allocates the arrays of the program's size. */
static vouch_status new_arrays(multistart *s)
{
    arena *a = &s->memory;
    s->program = s->runners[0].program;
    int n = s->program->problem.n, F = s->program->problem.K;
    for (int i = 0; i < BATCH; i++) {
        s->jobs[i].x = ARENA_NEW(a, double, n);
        s->jobs[i].origin = ARENA_NEW(a, double, n);
        s->jobs[i].figure = ARENA_NEW(a, double, 2 * F);
    }
    s->best_x = ARENA_ZERO(a, double, n);
    s->base = ARENA_NEW(a, double, n);
    s->result.best = s->best = ARENA_ZERO(a, double, s->space->g->choices);
    return a->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

vouch_status multistart_new(const policy_space *space, uint64_t seed, int threads, multistart **out)
{
    *out = NULL;
    multistart *s = MEM_ZERO(multistart, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    s->space = space;
    s->seed = seed;
    s->value = (minimax_value){INFINITY, INFINITY};
    s->result = (multistart_result){.regret = INFINITY, .nearest = NAN};
    s->threads = threads < 1 ? 1 : threads > BATCH ? BATCH : threads;
    s->runners = ARENA_ZERO(&s->memory, runner, s->threads);
    s->aim = ARENA_NEW(&s->memory, double, space->promises);
    s->pool = pool_new(s->threads);
    bool failed = s->memory.failed || !s->pool;
    if (!failed) multistart_aim(s, space->p);
    for (int i = 0; i < s->threads && !failed; i++)
        failed = bilinear_new(space->g, &(bilinear_aim){space->optimal, s->aim, &space->averages, space->share},
                              &s->runners[i].program) ||
                 minimax_descent_new(&s->runners[i].program->problem, &s->runners[i].descent);
    if (failed || new_arrays(s)) {
        multistart_free(s);
        return VOUCH_ERROR_MEMORY;
    }
    *out = s;
    return VOUCH_OK;
}

void multistart_free(multistart *s)
{
    if (!s) return;
    pool_free(s->pool);
    for (int i = 0; i < s->threads && s->runners; i++) {
        minimax_descent_free(s->runners[i].descent);
        bilinear_free(s->runners[i].program);
    }
    mem_free(s->records);
    mem_free(s->optimum);
    ARENA_FREE(s);
}

void multistart_watch(multistart *s, vouch_trace *trace) { s->trace = trace; }

void multistart_aim(multistart *s, const double aim[]) { MEM_COPY(s->aim, aim, s->space->promises); }

/* The number of the local optimum with figures [2 promises]; new ones are added. -1: memory. */
static int recognise(multistart *s, const double figure[])
{
    size_t dim = 2 * (size_t)s->space->promises;
    for (int i = 0; i < s->result.optima; i++) {
        double apart = 0;
        for (size_t k = 0; k < dim; k++)
            apart = fmax(apart, fabs(s->optimum[(size_t)i * dim + k] - figure[k]) / (1 + fabs(figure[k])));
        if (apart <= SAME) return i;
    }
    if (mem_reserve((void **)&s->optimum, &s->optimum_capacity, (size_t)s->result.optima, dim * sizeof(double))) return -1;
    memcpy(s->optimum + (size_t)s->result.optima * dim, figure, dim * sizeof(double));
    return s->result.optima++;
}

static bool better(const multistart *s, const job *j)
{
    if (j->kept != s->result.found) return j->kept;
    return j->kept ? j->value.most < s->value.most : j->value.shortfall < s->value.shortfall;
}

/* Figures of x. */
static void weigh(const multistart *s, const runner *r, job *j)
{
    const minimax *p = &r->program->problem;
    p->evaluate(p->context, j->x, j->figure, j->figure + p->K);
    j->value = minimax_measure(p, j->figure, j->figure + p->K);
    j->kept = space_kept(s->space, j->figure + p->K, NULL);
}

/* A cheap commitment is given up for reward where it cannot be found again: then from the same start with a dearer one. */
static void descend(const multistart *s, const runner *r, job *j, double good_enough, const deadline *limit)
{
    const minimax *p = &r->program->problem;
    minimax_options o;
    long long work = minimax_descent_work(r->descent);
    minimax_options_init(&o);
    o.good_enough = good_enough;
    o.limit = limit;
    memcpy(j->origin, j->x, (size_t)p->n * sizeof(double));
    double since = trace_start(s->trace);
    for (;; o.penalty *= DEARER) {
        j->status = minimax_descend(r->descent, &o, j->x, &j->value);
        if (!j->status) weigh(s, r, j);
        if (j->status || j->kept || o.penalty >= o.penalty_most || deadline_expired(limit)) break;
        memcpy(j->x, j->origin, (size_t)p->n * sizeof(double));
    }
    trace_stop(s->trace, KERNEL_descent, since);
    if (!j->status && !j->kept) { /* the start itself, if it was nearer */
        double end = j->value.shortfall, *x = j->x;
        j->x = j->origin;
        j->origin = x;
        weigh(s, r, j);
        if (end <= j->value.shortfall) {
            j->origin = j->x;
            j->x = x;
            weigh(s, r, j);
        }
    }
    j->work = minimax_descent_work(r->descent) - work;
    j->done = true;
}

static void adopt_better(multistart *s, const job *j)
{
    if (!better(s, j)) return;
    CHECK(!s->result.found || (j->kept && j->value.most <= s->value.most));
    s->value = j->value;
    double nearest = INFINITY;
    for (int k = 0; k < s->space->K; k++) nearest = fmin(nearest, j->figure[s->space->promises + k]);
    s->result.found = j->kept;
    s->result.regret = j->kept ? j->value.most : INFINITY;
    s->result.nearest = nearest;
    memcpy(s->best_x, j->x, (size_t)s->program->problem.n * sizeof(double));
    bilinear_unpack(s->program, j->x, s->best);
}

/* Contract: x is a policy, nothing negative and each block summing to 1. */
static void policy_check(const bilinear *b, const double x[])
{
    if (!CHECKING) return;
    for (int i = 0; i < b->problem.blocks; i++) {
        double sum = 0;
        for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) {
            CHECK_COMPARE(x[j], >=, 0);
            sum += x[j];
        }
        CHECK_COMPARE(fabs(sum - 1), <=, SUM);
    }
}

static void trace_descent(const multistart *s, const descent_record *r)
{
    vouch_trace *t = s->trace;
    if (!trace_open(t, TRACE_COLUMN, s->result.descents - 1, "descent")) return;
    trace_word(t, "start", start_kind_text(r->start));
    trace_real(t, "regret", r->regret);
    trace_real(t, "short", r->shortfall);
    trace_int(t, "work", r->work);
    trace_int(t, "optimum", r->optimum);
    trace_real(t, "inc", s->result.regret);
    trace_close(t);
}

/* Records where a descent ended, and keeps it if it is the best. */
static vouch_status accept(multistart *s, const job *j)
{
    if (j->status) return j->status;
    int optimum = recognise(s, j->figure);
    if (optimum < 0 || mem_reserve((void **)&s->records, &s->capacity, (size_t)s->result.descents, sizeof *s->records))
        return VOUCH_ERROR_MEMORY;
    s->result.record = s->records;
    s->records[s->result.descents++] = (descent_record){j->start, j->value.most, j->value.shortfall, j->work, optimum};
    s->result.work += j->work;
    adopt_better(s, j);
    trace_descent(s, &s->records[s->result.descents - 1]);
    return VOUCH_OK;
}

vouch_status multistart_offer(multistart *s, start_kind start, const double prob[], double good_enough, const deadline *limit)
{
    const bilinear *b = s->program;
    job *first = &s->jobs[0];
    double *x = first->x;
    bilinear_pack(b, prob, x);
    for (int i = 0; i < b->problem.blocks; i++) {
        double sum = 0, size = b->block_start[i + 1] - b->block_start[i];
        for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) sum += x[j];
        for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) x[j] = sum > 0 ? x[j] / sum : 1 / size;
    }
    first->start = start;
    policy_check(b, x);
    weigh(s, &s->runners[0], first);
    adopt_better(s, first);
    descend(s, &s->runners[0], first, good_enough, limit);
    return accept(s, first);
}

/* Block i of x: uniform from the simplex, by exponentials. */
static void draw_inside(const bilinear *b, int i, rng *r, double x[])
{
    double sum = 0;
    for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) sum += x[j] = -log(1 - rng_unit(r)) + 1e-12;
    for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) x[j] /= sum;
}

static void draw_vertex(const bilinear *b, int i, rng *r, double x[])
{
    int first = b->block_start[i], size = b->block_start[i + 1] - first;
    for (int j = 0; j < size; j++) x[first + j] = INSIDE / size;
    x[first + (int)rng_below(r, (uint64_t)size)] += 1 - INSIDE;
}

static start_kind draw(const multistart *s, int number, double x[])
{
    static const start_kind kinds[] = {START_RANDOM, START_DISTURBED, START_VERTEX, START_DISTURBED};
    const bilinear *b = s->program;
    rng r = rng_seed(s->seed * 1000003u + (uint64_t)number);
    start_kind kind = kinds[number % 4];
    if (kind == START_DISTURBED && s->result.descents == 0) kind = START_RANDOM;
    for (int i = 0; i < b->problem.blocks; i++) {
        if (kind == START_RANDOM)
            draw_inside(b, i, &r, x);
        else if (kind == START_VERTEX)
            draw_vertex(b, i, &r, x);
        else if (rng_unit(&r) < REDRAW)
            draw_inside(b, i, &r, x);
        else {
            double size = b->block_start[i + 1] - b->block_start[i];
            for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) x[j] = (1 - INSIDE) * s->base[j] + INSIDE / size;
        }
    }
    return kind;
}

typedef struct batch {
    multistart *s;
    int first; /* number of the first start */
    double good_enough;
    const deadline *limit;
    atomic_int enough; /* the lowest descent that was good enough: those after it will not be looked at */
} batch;

static void run_job(void *context, int i, int thread)
{
    batch *b = context;
    multistart *s = b->s;
    job *j = &s->jobs[i];
    j->done = false;
    if (i > atomic_load(&b->enough) || deadline_expired(b->limit)) return;
    j->start = draw(s, b->first + i, j->x);
    policy_check(s->program, j->x);
    descend(s, &s->runners[thread], j, b->good_enough, b->limit);
    if (j->status || !j->kept || j->value.most > b->good_enough) return;
    int seen = atomic_load(&b->enough);
    while (i < seen && !atomic_compare_exchange_weak(&b->enough, &seen, i)) continue;
}

vouch_status multistart_restart(multistart *s, int count, double good_enough, const deadline *limit)
{
    vouch_status status = VOUCH_OK;
    for (int left = count; left > 0 && !status && !deadline_expired(limit);) {
        if (s->result.regret <= good_enough) break;
        int size = left < BATCH ? left : BATCH;
        batch b = {.s = s, .first = s->drawn, .good_enough = good_enough, .limit = limit};
        atomic_init(&b.enough, BATCH);
        memcpy(s->base, s->best_x, (size_t)s->program->problem.n * sizeof(double));
        pool_run(s->pool, size, run_job, &b);
        for (int i = 0; i < size && i <= atomic_load(&b.enough) && !status; i++)
            if (s->jobs[i].done) status = accept(s, &s->jobs[i]);
        s->drawn += size;
        left -= size;
    }
    return status;
}

const multistart_result *multistart_result_of(const multistart *s) { return &s->result; }
