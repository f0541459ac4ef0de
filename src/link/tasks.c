/* link/tasks.c - a ring of `window` places for tasks, and a count of tasks per worker.
 *
 * A task with parts (link/transport.h) is begun alone while a worker would run out of work; its parts are given out before later
 * tasks. A worker has at least two tasks, so that the next one is ready after an answer, or the number it computes while this
 * process waits for a processor. Tasks of a lost worker are given out again. Overhead: at most three copies of a message, and
 * O(workers) to find the least busy one.
 */
#include "link/tasks.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/text.h"
#include "link/group.h"
#include "link/journal.h"

enum { AT_HAND = 2 };    /* least number of tasks of a worker: one in hand, one in the post */
enum { MOST_LOST = 20 }; /* workers that a task may kill before it fails */
/* Seconds of work sent ahead if tasks are short, since a process that shares a processor may wait many milliseconds. */
static const double AHEAD_SECONDS = 0.05;
static const double POSTED = 0.5;       /* share of the window with several workers that cannot exchange tasks */
static const double LOOK_SECONDS = 0.1; /* between two tests of the limit */

typedef enum task_state { TASK_WAITS, TASK_GIVEN, TASK_ANSWERED } task_state;

/* A unit of work for a worker: a whole task or its beginning, or a part. */
typedef struct errand {
    task_state state;
    int worker, lost;
    vouch_status status;
    message answer;
} errand;

/* Number of an errand between processes: number of the task times this, plus the errand. */
enum { ERRANDS = 1 + MOST_PARTS };

typedef struct task_place {
    message task, answer;
    bool answered;
    bool late;           /* a limit may have shaped the answer (task_work.late) */
    bool kept;           /* the answer is in the journal */
    vouch_status status; /* of the answer */
    errand *errand;      /* [count], room for [room]: the task, and behind it its parts */
    int count, room;
    journal_key key; /* of the task, where there is a journal */
} task_place;

/* Of all its answers. */
typedef struct worker_record {
    int busy;                  /* errands given */
    long long answered, parts; /* tasks, and parts of tasks */
    worker_times spent;
} worker_record;

struct tasks {
    const task_work *work;
    const deadline *limit;
    vouch_journal *journal;
    uint64_t session;      /* of the journal */
    transport *workers;    /* NULL: none */
    void *own;             /* of tasks that are worked out here */
    bool opened;           /* own is there */
    worker_record *record; /* [workers] */
    task_place *place;     /* [window] of task number % window */
    long long first, next; /* numbers of the first task whose answer is open, and of the next task */
    long long waiting;     /* number before which none waits */
    int given;             /* errands that workers have */
    int window;
};

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
    if (t->journal) t->session = journal_session(t->journal, places->kind);
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
        task_place *p = &t->place[i];
        message_free(&p->task);
        message_free(&p->answer);
        for (int e = 0; e < p->room; e++) message_free(&p->errand[e].answer);
        mem_free(p->errand);
    }
    MEM_FREE_ALL(t->place, t->record, t);
}

/* Resizes the task to `count` errands; sets those from `first` on to waiting. */
static vouch_status make_errands(task_place *p, int first, int count)
{
    if (count > p->room) {
        if (MEM_RESIZE(&p->errand, count)) return VOUCH_ERROR_MEMORY;
        for (; p->room < count; p->room++) p->errand[p->room] = (errand){.state = TASK_WAITS};
    }
    for (int i = first; i < count; i++) {
        message_clear(&p->errand[i].answer);
        p->errand[i] = (errand){.state = TASK_WAITS, .answer = p->errand[i].answer};
    }
    p->count = count;
    return VOUCH_OK;
}

static task_place *place_of(const tasks *t, long long number) { return &t->place[number % t->window]; }

int tasks_under_way(const tasks *t) { return (int)(t->next - t->first); }
bool tasks_room(const tasks *t) { return tasks_under_way(t) < t->window; }

message *tasks_next_task(tasks *t)
{
    CHECK(tasks_room(t));
    task_place *p = place_of(t, t->next);
    p->answered = p->late = p->kept = false;
    p->status = VOUCH_OK;
    p->count = 0;
    message_clear(&p->task);
    message_clear(&p->answer);
    return &p->task;
}

/* Maximum of tasks for a worker, which affects waiting only. */
static int most_at_hand(const tasks *t, int worker)
{
    const worker_record *r = &t->record[worker];
    int workers = t->workers->workers;
    double share = (workers > 1 && !t->workers->shared ? POSTED : 1) * t->window / workers;
    double each = r->answered > 0 ? r->spent.worked / (double)(r->answered + r->parts) : AHEAD_SECONDS;
    if (share * each > AHEAD_SECONDS) share = AHEAD_SECONDS / each;
    return share > AT_HAND ? (int)share : AT_HAND;
}

/* Writes the request, the task, and for a part the result of its beginning. */
static void write_errand(const tasks *t, const task_place *p, int which, bool few, message *m)
{
    long long asked = which > 0 ? which - 1 : few ? ASKED_TO_BEGIN : ASKED_ALL;
    if (t->work->parts) message_put_int(m, asked);
    message_put(m, p->task.data, p->task.length);
    if (which > 0) message_put(m, p->errand[0].answer.data, p->errand[0].answer.length);
}

/* True if some worker has fewer than AT_HAND tasks. */
static bool idle_workers(const tasks *t)
{
    int workers = t->workers->workers;
    return workers > 1 && t->given + 1 < AT_HAND * workers;
}

/* False: the worker is not available. */
static bool send_errand(tasks *t, int worker, long long number, int which)
{
    task_place *p = place_of(t, number);
    parcel out = {.number = number * ERRANDS + which};
    write_errand(t, p, which, idle_workers(t), &out.content);
    bool sent = !out.content.failed && t->workers->send(t->workers, worker, &out);
    message_free(&out.content);
    if (!sent) return false;
    p->errand[which].state = TASK_GIVEN;
    p->errand[which].worker = worker;
    t->record[worker].busy++;
    t->given++;
    return true;
}

/* Sends waiting errands to workers with room, least busy ones first. If none can be sent, the task is computed here when its
 * answer is needed. */
static void hand_out(tasks *t)
{
    if (!t->workers) return;
    if (t->waiting < t->first) t->waiting = t->first;
    for (; t->waiting < t->next; t->waiting++) {
        const task_place *p = place_of(t, t->waiting);
        for (int i = 0; i < p->count && !p->answered; i++) {
            if (p->errand[i].state != TASK_WAITS) continue;
            /* The least busy worker with room; -1: none. */
            int least = -1;
            for (int w = 0; w < t->workers->workers; w++)
                if (t->workers->ready(t->workers, w) && (least < 0 || t->record[w].busy < t->record[least].busy)) least = w;
            int worker = least >= 0 && t->record[least].busy < most_at_hand(t, least) ? least : -1;
            if (worker < 0 || !send_errand(t, worker, t->waiting, i)) return;
        }
    }
}

vouch_status tasks_give(tasks *t)
{
    task_place *p = place_of(t, t->next);
    if (p->task.failed || make_errands(p, 0, 1)) return VOUCH_ERROR_MEMORY;
    if (t->journal) {
        p->key = journal_key_of(t->session, &p->task);
        p->answered = p->kept = journal_find(t->journal, &p->key, &p->answer);
    }
    t->next++;
    hand_out(t);
    return VOUCH_OK;
}

static void answer_place(task_place *p, vouch_status status, message *answer)
{
    message other = p->answer;
    if (answer) {
        p->answer = *answer;
        *answer = other;
    }
    p->status = status;
    p->answered = true;
}

static void end_parts(const tasks *t, task_place *p)
{
    message *part[MOST_PARTS];
    message *begun = &p->errand[0].answer;
    message_clear(&p->answer);
    begun->at = 0;
    for (int i = 1; i < p->count; i++) part[i - 1] = &p->errand[i].answer;
    vouch_status status = t->work->parts->end(t->work->shared, begun, part, p->count - 1, &p->answer);
    answer_place(p, !status && p->answer.failed ? VOUCH_ERROR_MEMORY : status, NULL);
}

/* Removes the number behind an answer of a task with parts. */
static long long take_said(const tasks *t, message *answer)
{
    long long said = 0;
    if (!t->work->parts || answer->length < sizeof said) return 0;
    answer->length -= sizeof said;
    memcpy(&said, answer->data + answer->length, sizeof said);
    return said;
}

static void done(tasks *t, task_place *p, long long number, int which)
{
    errand *e = &p->errand[which];
    e->state = TASK_ANSWERED;
    long long said = e->status ? 0 : take_said(t, &e->answer);
    if (e->status || (which == 0 && said == 0)) {
        answer_place(p, e->status, &e->answer);
        return;
    }
    if (which == 0) {
        bool some = said > 0 && said <= MOST_PARTS;
        if (!some || make_errands(p, 1, 1 + (int)said)) answer_place(p, some ? VOUCH_ERROR_MEMORY : VOUCH_ERROR_IO, NULL);
        if (t->waiting > number) t->waiting = number;
        return;
    }
    if (said) p->count = which + 1;
    for (int i = 1; i < p->count; i++)
        if (p->errand[i].state != TASK_ANSWERED) return;
    end_parts(t, p);
}

static void work_here(tasks *t, task_place *p)
{
    vouch_status status = t->opened ? VOUCH_OK : t->work->open(t->work->shared, &t->own);
    t->opened = true;
    message_clear(&p->answer);
    if (!status) status = t->work->run(t->own, &p->task, &p->answer);
    p->late = t->work->late && t->work->late(t->work->shared);
    answer_place(p, !status && p->answer.failed ? VOUCH_ERROR_MEMORY : status, NULL);
}

static void take_answer(tasks *t, int worker, parcel *answer)
{
    long long number = answer->number / ERRANDS;
    int which = (int)(answer->number % ERRANDS);
    task_place *p = place_of(t, number);
    worker_record *r = &t->record[answer->by];
    t->record[worker].busy--;
    t->given--;
    r->answered += which == 0;
    r->parts += which > 0;
    r->spent.waited += answer->spent.waited;
    r->spent.worked += answer->spent.worked;
    if (answer->spent.peak > r->spent.peak) r->spent.peak = answer->spent.peak;
    mem_limit_met_elsewhere(answer->spent.met);
    if (number < t->first || p->answered || which >= p->count) return; /* nobody waits for it any more */
    errand *e = &p->errand[which];
    CHECK(number < t->next && e->state == TASK_GIVEN && e->worker == worker);
    message other = e->answer;
    e->answer = answer->content;
    answer->content = other;
    e->status = answer->status;
    p->late |= answer->spent.late != 0;
    done(t, p, number, which);
}

/* The errands of a lost worker wait again. */
static void take_back(tasks *t, int worker)
{
    t->given -= t->record[worker].busy;
    t->record[worker].busy = 0;
    t->waiting = t->first;
    for (long long i = t->first; i < t->next; i++) {
        task_place *p = place_of(t, i);
        for (int j = 0; j < p->count && !p->answered; j++) {
            errand *e = &p->errand[j];
            if (e->state != TASK_GIVEN || e->worker != worker) continue;
            e->state = TASK_WAITS;
            if (++e->lost >= MOST_LOST) answer_place(p, VOUCH_ERROR_IO, NULL);
        }
    }
}

vouch_status tasks_take(tasks *t, message **answer)
{
    task_place *p = place_of(t, t->first);
    parcel heard = {0};
    CHECK(tasks_under_way(t) > 0);
    *answer = NULL;
    while (!p->answered) {
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
        if (!p->answered && t->limit && deadline_interrupted(t->limit)) break;
    }
    message_free(&heard.content);
    t->first++;
    hand_out(t);
    if (p->answered) *answer = &p->answer;
    return p->answered ? p->status : VOUCH_OK;
}

void tasks_log(const tasks *t, const vouch_log *log)
{
    for (int w = 0; t->workers && w < t->workers->workers; w++) {
        const worker_record *r = &t->record[w];
        double all = r->spent.waited + r->spent.worked, share = all > 0 ? 100 * r->spent.waited / all : 0;
        char memory[48] = "", parts[48] = "";
        if (r->parts > 0) format_text(parts, sizeof parts, " and %lld parts", r->parts);
        if (r->spent.peak > 0) format_text(memory, sizeof memory, ", %.1f MB at most", (double)r->spent.peak / (1 << 20));
        log_line(log, VOUCH_LOG_INFO, "worker %d: %lld tasks%s in %.3f s, %.1f %% waiting%s", w + 1, r->answered, parts, all, share,
                 memory);
    }
}

void tasks_keep(tasks *t)
{
    task_place *p = place_of(t, t->first - 1);
    if (t->journal && !p->kept && !p->late) journal_keep(t->journal, &p->key, &p->answer);
}
