/* mip/trials.c - see trials.h. */
#include "mip/trials.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/trace.h"
#include "lp/follow.h"

struct trial_rooms {
    pool *threads; /* not owned; NULL: none but this one */
    int count;
    relax room[]; /* [count], owned; of no rows until used */
};

trial_rooms *trial_rooms_new(pool *threads, int count)
{
    trial_rooms *rooms = mem_zero(1, sizeof *rooms + (size_t)count * sizeof rooms->room[0]);
    if (!rooms) return NULL;
    rooms->threads = threads;
    rooms->count = count;
    return rooms;
}

void trial_rooms_free(trial_rooms *rooms)
{
    if (!rooms) return;
    for (int k = 0; k < rooms->count; k++) relax_free(&rooms->room[k]);
    mem_free(rooms);
}

typedef struct trial_list {
    mip_search *s;
    child_trial *list;
    long long each;
} trial_list;

static vouch_status furnish(relax *r, const mip_search *s)
{
    if (r->model == s->model && r->m == s->lp.relax.m) return VOUCH_OK;
    relax_free(r);
    vouch_status status = relax_init(r, s->model, &s->options->lp, s->clock);
    return status == VOUCH_OK ? relax_copy(r, &s->lp.relax) : status;
}

static void make_trial(void *context, int i, int thread)
{
    const trial_list *l = context;
    const mip_search *s = l->s;
    child_trial *t = &l->list[i];
    CHECK_COMPARE(s->room >= 0 ? s->room : thread, <, s->rooms->count);
    relax *r = &s->rooms->room[s->room >= 0 ? s->room : thread];
    t->end = RELAX_FAILED;
    if (furnish(r, s) != VOUCH_OK || relax_follow(r, &s->lp.relax) != VOUCH_OK) {
        r->out_of_memory = true;
        return;
    }
    double since = trace_start(s->options->trace);
    relax_set_bound(r, t->col, t->lower, t->upper);
    t->end = relax_solve(r, s->best.cutoff, l->each);
    if (t->end == RELAX_OPTIMAL) t->gain = fmax(relax_value(r) - s->lp.value, 0);
    if (t->end == RELAX_LIMIT && isfinite(r->result.bound)) t->gain = fmax(r->result.bound - s->lp.value, 0);
    trace_stop(s->options->trace, KERNEL_strong_branching, since);
    t->iterations = r->iterations - s->lp.relax.iterations;
    t->solves = r->solves - s->lp.relax.solves;
    t->exact_work = lp_exact_work(r->lp) - lp_exact_work(s->lp.relax.lp);
}

static void count(mip_search *s, const child_trial *t)
{
    s->lp.relax.iterations += t->iterations;
    s->lp.relax.solves += t->solves;
    s->strong_iterations += t->iterations;
    lp_count_exact_work(s->lp.relax.lp, t->exact_work);
    if (t->end == RELAX_CUTOFF) s->tree.closed = fmin(s->tree.closed, s->best.cutoff);
}

void trials_make(mip_search *s, child_trial *list, int number, long long each)
{
    trial_list l = {s, list, each};
    trial_rooms *rooms = s->rooms;
    long long limit = s->clock->limits.iterations, before = s->lp.relax.iterations;
    for (int i = 0; i < number; i++) list[i].gain = 0, list[i].iterations = list[i].solves = list[i].exact_work = 0;
    if (relax_make_ready(&s->lp.relax) != VOUCH_OK) {
        s->end.memory = true;
        return;
    }
    /* The limit may end some of them: they are made one after the other. Each may use what those before it have left. */
    bool near = limit > 0 && limit - before < number * each;
    if (!near && s->room < 0 && rooms->threads)
        pool_run(rooms->threads, number, make_trial, &l);
    else
        for (int i = 0; i < number && !near; i++) make_trial(&l, i, 0);
    for (int i = 0; i < number; i++) {
        if (near && s->lp.relax.iterations < limit)
            make_trial(&l, i, 0);
        else if (near)
            list[i].end = RELAX_STOPPED;
        count(s, &list[i]);
    }
    for (int k = 0; k < rooms->count; k++) s->end.memory = s->end.memory || rooms->room[k].out_of_memory;
}
