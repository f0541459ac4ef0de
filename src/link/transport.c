/* link/transport.c - what workers do with a task, wherever they are. */
#include "link/transport.h"

#include <sys/resource.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"

/* Linux and the BSDs count in units of 1024 bytes. */
enum { PEAK_UNIT = 1024 };

static long long peak_memory(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) ? 0 : (long long)used.ru_maxrss * PEAK_UNIT;
}

static vouch_status work_out(const task_work *work, void *own, message *task, message *answer)
{
    if (!work->parts) return work->run(own, task, answer);
    int asked = (int)message_take_count(task, ASKED_ALL, MOST_PARTS - 1), parts = 0;
    bool enough = false;
    vouch_status status = task->failed              ? VOUCH_ERROR_IO
                          : asked == ASKED_ALL      ? work->run(own, task, answer)
                          : asked == ASKED_TO_BEGIN ? work->parts->begin(own, task, answer, &parts)
                                                    : work->parts->part(own, asked, task, answer, &enough);
    CHECK_COMPARE(parts, <=, MOST_PARTS);
    message_put_int(answer, asked < 0 ? parts : enough);
    return status;
}

void transport_work_out(const task_work *work, void *own, vouch_status opened, parcel *task, worker_clock *clock)
{
    message answer = {0};
    const long met = mem_limit_met();
    task->status = opened ? opened : work_out(work, own, &task->content, &answer);
    if (!task->status && answer.failed) task->status = VOUCH_ERROR_MEMORY;
    if (task->status) message_clear(&answer);
    message_free(&task->content);
    task->content = answer;
    double now = clock_seconds();
    long late = work->late && work->late(work->shared);
    task->spent = (worker_times){clock->waited, now - clock->ready - clock->waited, peak_memory(), mem_limit_met() - met, late};
    *clock = (worker_clock){.ready = now};
}

static uint64_t sum_of(const frame_head *h, const void *content)
{
    return message_sum(h, offsetof(frame_head, sum)) ^ (message_sum(content, (size_t)h->length) << 1);
}

frame_head frame_of(const parcel *p)
{
    frame_head h = {.mark = FRAME_MARK, .number = p->number, .status = p->status, .length = p->content.length};
    h.sum = sum_of(&h, p->content.data);
    return h;
}

bool frame_plausible(const frame_head *h) { return h->mark == FRAME_MARK && h->number >= 0 && h->length < FRAME_CAP; }

bool frame_holds(const frame_head *h, const void *content) { return frame_plausible(h) && h->sum == sum_of(h, content); }
