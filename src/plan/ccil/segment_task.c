/* plan/ccil/segment_task.c - see segment_task.h. */
#include "plan/ccil/segment_task.h"

#include "base/check.h"
#include "base/memory.h"
#include "link/group.h"
#include "link/tasks.h"

/* ---- tasks ------------------------------------------------------------------------------------------------------------- */

static vouch_status open_batch(void *shared, void **own)
{
    *own = shared;
    return VOUCH_OK;
}

static void close_batch(void *own) { (void)own; }
static bool batch_late(const void *shared) { return deadline_expired(((const segment_batch *)shared)->limit); }

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
    segment_batch *b = own;
    vouch_error unsaid = {0};
    int i = (int)message_take_count(task, 0, b->count - 1);
    segment *copy = task->failed ? NULL : copy_of(b->segment[b->which[i]]);
    if (!copy) return task->failed ? VOUCH_ERROR_IO : VOUCH_ERROR_MEMORY;
    vouch_status status = b->plan(b->context, i, copy, NULL, answer, &unsaid);
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

static uint64_t kind_of(const segment_batch *b)
{
    const int numbers[] = {b->known, b->count, b->which[0]};
    return message_sum(numbers, sizeof numbers);
}

/* All answers as what a group is to know. */
static void put_answers(message *last, const message answer[], int count)
{
    for (int i = 0; i < count; i++) {
        message_put_int(last, (long long)answer[i].length);
        message_put(last, answer[i].data, answer[i].length);
    }
}

static vouch_status serve(const segment_batch *b, const task_work *work, message answer[])
{
    message last = {0};
    vouch_status status = group_serve(kind_of(b), work, &last);
    for (int i = 0; i < b->count && !status; i++) {
        size_t length = (size_t)message_take_length(&last, 1);
        message_put(&answer[i], last.data + last.at, length);
        last.at += length;
        if (last.failed || answer[i].failed) status = VOUCH_ERROR_IO;
    }
    message_free(&last);
    return status;
}

vouch_status segment_tasks_run(segment_batch *b, message answer[])
{
    const vouch_plan_options *o = b->options;
    task_work work = {.shared = b, .open = open_batch, .run = plan_segment, .close = close_batch, .late = batch_late};
    task_places places = {.workers = o->workers, .threads = 1, .window = b->count, .journal = o->journal, .kind = kind_of(b)};
    message last = {0}, *m;
    tasks *t;
    if (o->workers > 0 && group_is_worker()) return serve(b, &work, answer);
    vouch_status status = tasks_new(&t, &work, &places, b->limit);
    for (int i = 0; i < b->count && !status; i++) {
        write_task(tasks_next_task(t), i, b->segment[b->which[i]]);
        status = tasks_give(t);
    }
    for (int i = 0; i < b->count && !status; i++) {
        status = tasks_take(t, &m);
        if (status || !m) continue;
        message_copy(&answer[i], m);
        if (answer[i].failed) status = VOUCH_ERROR_MEMORY;
        tasks_keep(t);
    }
    tasks_free(t);
    if (o->workers > 0) {
        put_answers(&last, answer, b->count);
        group_finish(places.kind, &last);
        message_free(&last);
    }
    return status;
}
