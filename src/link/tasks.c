/* link/tasks.c - which task is where: a ring of `window` places, and how many tasks each worker has.
 *
 * A worker has two tasks or more, so that it finds the next one at hand when it has answered: as many as it works out while the
 * processor of this process, busy with others, makes it wait. Of a worker that is lost the tasks wait again. Cost of a task beside its work: its message is copied three times at most, and O(workers) to find who has least to
 * do, whatever the window.
 */
#include "link/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/memory.h"
#include "link/group.h"
#include "link/journal.h"

/* Tasks of a worker, at least: one in hand, one in the post. */
enum { AT_HAND = 2 };
/* Work for so many seconds is in the post where tasks are short. Some are over before their messages are read, and who shares a
 * processor may get it back after milliseconds only. */
static const double AHEAD_SECONDS = 0.01;
/* This share of the window at most is with workers, which cannot give back what another one would have time for. */
static const double POSTED = 0.5;
/* Workers that a task may end before it is given up. Far more than chance does to one task. */
enum { MOST_LOST = 20 };
/* Between two looks whether the limit has been reached. */
static const double LOOK_SECONDS = 0.1;

typedef enum task_state { TASK_WAITS, TASK_GIVEN, TASK_ANSWERED } task_state;

typedef struct task_place {
    task_state state;
    message task, answer;
    vouch_status status;
    int worker, lost;
    uint64_t sum;    /* of the task, where there is a journal */
    long long knows; /* answers that had been taken when it was given */
    double worked;   /* seconds, of a task worked out here */
} task_place;

/* Of all its answers. */
typedef struct worker_record {
    int busy; /* tasks given */
    long long answered;
    worker_times spent;
} worker_record;

struct tasks {
    const task_work *work;
    const deadline *limit;
    vouch_journal *journal;
    transport *workers;    /* NULL: none */
    void *own;             /* of tasks that are worked out here */
    bool opened;           /* own is there */
    worker_record *record; /* [workers] */
    task_place *place;     /* [window] of task number % window */
    long long first, next; /* numbers: the first whose answer has not been taken, that of the next task */
    long long waiting;     /* number before which none waits */
    int given;             /* tasks that workers have */
    int window;
    FILE *times;  /* what VOUCH_TASKS names; NULL: nothing */
    double taken; /* when the last answer was */
};

/* ---- measurements: a line for each task, read by bench/scale.py ---------------------------------------------------------- */

/* Of the processor, which others that run on it do not change. */
static double times_now(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) ? 0 : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Times of tasks are added to the file that the environment variable VOUCH_TASKS names. */
static void times_open(tasks *t)
{
    const char *path = getenv("VOUCH_TASKS");
    if (path && *path) t->times = fopen(path, "a");
    if (t->times)
        fprintf(t->times, "# number knows task_bytes answer_bytes work_seconds merge_seconds rest_seconds; window %d\n", t->window);
    t->taken = times_now();
}

/* The last answer is merged: what follows is the next one's. began: when its answer was asked for, ended: when it was there. */
static void times_line(tasks *t, const task_place *p, double began, double ended)
{
    if (!t->times) return;
    fprintf(t->times, "%lld %lld %zu %zu %.9f %.9f %.9f\n", t->first, p->knows, p->task.length, p->answer.length, p->worked,
            began - t->taken, ended - began - p->worked);
    t->taken = ended;
}

vouch_status tasks_new(tasks **out, const task_work *work, const task_places *places, const deadline *limit)
{
    *out = NULL;
    tasks *t = MEM_ZERO(tasks, 1);
    CHECK_COMPARE(places->window, >=, 1);
    if (!t) return VOUCH_ERROR_MEMORY;
    *t = (tasks){.work = work, .limit = limit, .window = places->window, .journal = places->journal};
    bool group = places->workers > 0 && group_workers() > 0;
    int workers = places->workers > 0 ? places->workers : places->threads > 1 ? places->threads : 0;
    if (workers > t->window) workers = t->window;
    if (group) workers = group_workers();
    t->place = MEM_ZERO(task_place, t->window);
    t->record = MEM_ZERO(worker_record, workers);
    if (t->place && t->record && workers > 0)
        t->workers = group                 ? group_connect(places->kind)
                     : places->workers > 0 ? transport_processes(workers, work)
                                           : transport_threads(workers, work);
    times_open(t);
    if (!t->place || !t->record || (workers > 0 && !t->workers)) {
        tasks_free(t);
        return VOUCH_ERROR_MEMORY;
    }
    *out = t;
    return VOUCH_OK;
}

void tasks_free(tasks *t)
{
    if (!t) return;
    if (t->workers) t->workers->close(t->workers);
    if (t->opened) t->work->close(t->own);
    for (int i = 0; i < t->window && t->place; i++) {
        message_free(&t->place[i].task);
        message_free(&t->place[i].answer);
    }
    if (t->times) fclose(t->times);
    mem_free(t->place);
    mem_free(t->record);
    mem_free(t);
}

static task_place *place_of(const tasks *t, long long number) { return &t->place[number % t->window]; }

int tasks_under_way(const tasks *t) { return (int)(t->next - t->first); }
bool tasks_room(const tasks *t) { return tasks_under_way(t) < t->window; }

message *tasks_next_task(tasks *t)
{
    CHECK(tasks_room(t));
    task_place *p = place_of(t, t->next);
    p->state = TASK_WAITS;
    p->status = VOUCH_OK;
    p->lost = 0;
    p->knows = t->first;
    p->worked = 0;
    message_clear(&p->task);
    message_clear(&p->answer);
    return &p->task;
}

/* Tasks that the worker may have. Only who waits depends on it. */
static int most_at_hand(const tasks *t, int worker)
{
    const worker_record *r = &t->record[worker];
    double share = POSTED * t->window / t->workers->workers;
    double each = r->answered > 0 ? r->spent.worked / (double)r->answered : AHEAD_SECONDS;
    if (share * each > AHEAD_SECONDS) share = AHEAD_SECONDS / each;
    return share > AT_HAND ? (int)share : AT_HAND;
}

/* Sends tasks that wait to workers that have room, the first to those with least to do. */
static void hand_out(tasks *t)
{
    if (!t->workers) return;
    if (t->waiting < t->first) t->waiting = t->first;
    for (; t->waiting < t->next; t->waiting++) {
        task_place *p = place_of(t, t->waiting);
        int least = -1;
        if (p->state != TASK_WAITS) continue;
        for (int w = 0; w < t->workers->workers; w++)
            if (t->workers->ready(t->workers, w) && (least < 0 || t->record[w].busy < t->record[least].busy)) least = w;
        if (least < 0 || t->record[least].busy >= most_at_hand(t, least)) return;
        parcel parcel_out = {.number = t->waiting};
        message_copy(&parcel_out.content, &p->task);
        bool sent = !parcel_out.content.failed && t->workers->send(t->workers, least, &parcel_out);
        message_free(&parcel_out.content);
        if (!sent) return; /* worked out here when its answer is asked for, if no worker comes back */
        p->state = TASK_GIVEN;
        p->worker = least;
        t->record[least].busy++;
        t->given++;
    }
}

vouch_status tasks_give(tasks *t)
{
    task_place *p = place_of(t, t->next);
    if (p->task.failed) return VOUCH_ERROR_MEMORY;
    if (t->journal) {
        p->sum = message_sum(p->task.data, p->task.length);
        if (journal_find(t->journal, p->sum, &p->answer)) p->state = TASK_ANSWERED;
    }
    t->next++;
    hand_out(t);
    return VOUCH_OK;
}

static void work_here(tasks *t, task_place *p)
{
    double began = times_now();
    if (!t->opened) p->status = t->work->open(t->work->shared, &t->own);
    t->opened = true;
    if (!p->status) p->status = t->work->run(t->own, &p->task, &p->answer);
    if (!p->status && p->answer.failed) p->status = VOUCH_ERROR_MEMORY;
    p->worked = times_now() - began;
    p->state = TASK_ANSWERED;
}

static void take_answer(tasks *t, int worker, parcel *answer)
{
    task_place *p = place_of(t, answer->number);
    worker_record *r = &t->record[worker];
    r->busy--;
    t->given--;
    r->answered++;
    r->spent.waited += answer->spent.waited;
    r->spent.worked += answer->spent.worked;
    if (answer->spent.peak > r->spent.peak) r->spent.peak = answer->spent.peak;
    if (answer->number < t->first) return; /* nobody waits for it any more */
    CHECK(answer->number < t->next && p->state == TASK_GIVEN && p->worker == worker);
    message other = p->answer;
    p->answer = answer->content;
    answer->content = other;
    p->status = answer->status;
    p->state = TASK_ANSWERED;
}

/* What the worker had waits again. */
static void take_back(tasks *t, int worker)
{
    t->given -= t->record[worker].busy;
    t->record[worker].busy = 0;
    t->waiting = t->first;
    for (long long i = t->first; i < t->next; i++) {
        task_place *p = place_of(t, i);
        if (p->state != TASK_GIVEN || p->worker != worker) continue;
        p->state = TASK_WAITS;
        if (++p->lost < MOST_LOST) continue;
        p->state = TASK_ANSWERED;
        p->status = VOUCH_ERROR_IO;
    }
}

vouch_status tasks_take(tasks *t, message **answer)
{
    task_place *p = place_of(t, t->first);
    parcel heard = {0};
    CHECK(tasks_under_way(t) > 0);
    double began = times_now();
    *answer = NULL;
    while (p->state != TASK_ANSWERED) {
        int worker = 0;
        hand_out(t);
        bool idle = t->given == 0;
        if (idle && !t->workers) {
            work_here(t, p);
            break;
        }
        switch (t->workers->receive(t->workers, idle ? 0 : LOOK_SECONDS, &worker, &heard)) {
        case TRANSPORT_NOTHING: /* unless a worker has come meanwhile, there is none */
            hand_out(t);
            if (idle && t->given == 0) work_here(t, p);
            break;
        case TRANSPORT_ANSWER:
            take_answer(t, worker, &heard);
            break;
        case TRANSPORT_LOST:
            take_back(t, worker);
            break;
        }
        if (p->state != TASK_ANSWERED && t->limit && deadline_interrupted(t->limit)) break;
    }
    message_free(&heard.content);
    times_line(t, p, began, times_now());
    t->first++;
    hand_out(t);
    if (p->state == TASK_ANSWERED) *answer = &p->answer;
    return p->state == TASK_ANSWERED ? p->status : VOUCH_OK;
}

void tasks_log(const tasks *t, const vouch_log *log)
{
    for (int w = 0; t->workers && w < t->workers->workers; w++) {
        const worker_record *r = &t->record[w];
        double all = r->spent.waited + r->spent.worked, share = all > 0 ? 100 * r->spent.waited / all : 0;
        char memory[48] = "";
        if (r->spent.peak > 0) snprintf(memory, sizeof memory, ", %.1f MB at most", (double)r->spent.peak / (1 << 20));
        log_line(log, VOUCH_LOG_INFO, "worker %d: %lld tasks in %.3f s, of which it waited %.1f %%%s", w + 1, r->answered, all,
                 share, memory);
    }
}

void tasks_keep(tasks *t)
{
    task_place *p = place_of(t, t->first - 1);
    if (t->journal) journal_keep(t->journal, p->sum, &p->answer);
}
