/* link/transport.h - how tasks come to workers and answers back: frames over sockets to processes of this machine
 * (link/processes.c), in memory to threads (link/threads.c), by MPI (link/mpi.c).
 *
 * A worker has a context of its own (task_work.open) and keeps nothing from one task to the next. It answers its tasks one after
 * the other, in the order in which it got them.
 */
#ifndef LINK_TRANSPORT_H
#define LINK_TRANSPORT_H

#include <vouch/status.h>

#include "link/message.h"

/* Most parts of a task. */
enum { MOST_PARTS = 15 };

/* How a task is worked out by several workers at once. What `end` answers is to the byte what task_work.run would: who works out
 * what is a matter of time alone. */
typedef struct task_parts {
    /* As run, as far as to where others can help: then there are *parts, 2 or more, and the answer is what these and the end start
     * from. 0: it is the whole answer. */
    vouch_status (*begin)(void *own, message *task, message *answer, int *parts);
    /* The part of this number. The task has behind it what begin has answered. *enough: the parts behind this one are not needed.
     */
    vouch_status (*part)(void *own, int part, message *task, message *answer, bool *enough);
    /* The answer: of what begin and the parts that were needed have answered. */
    vouch_status (*end)(void *shared, message *begun, message *part[], int parts, message *answer);
} task_parts;

/* What workers do; the same in every process. */
typedef struct task_work {
    void *shared;
    /* What one worker needs of its own: *own, for close, which takes NULL too. */
    vouch_status (*open)(void *shared, void **own);
    /* Reads the task and writes the answer, which is cleared. */
    vouch_status (*run)(void *own, message *task, message *answer);
    void (*close)(void *own);
    const task_parts *parts; /* NULL: a task is worked out by one */
    /* Has a limit of time, memory or an interrupt passed, which may shape answers from now on? NULL: none does. */
    bool (*late)(const void *shared);
} task_work;

/* What is asked of a worker where a task may have parts: the number of one, or one of these. It stands before the task; behind the
 * answer stands how many parts are left, or whether a part was enough. */
enum { ASKED_ALL = -2, ASKED_TO_BEGIN = -1 };

/* What the worker of an answer says of itself, and of the moment when it had it. */
typedef struct worker_times {
    double waited, worked; /* seconds of the clock since its last answer: without a task at hand, and all others */
    long long peak;        /* bytes: most memory of the process so far; 0: it has none of its own */
    long met;              /* how often it met the memory limit meanwhile; of a thread 0, whose process counts it */
    long late;             /* 1: task_work.late */
} worker_times;

/* A task or an answer on its way. */
typedef struct parcel {
    long long number;    /* of the task */
    vouch_status status; /* of an answer: how the worker's call ended */
    message content;
    int by;             /* of an answer: the worker that has worked it out */
    worker_times spent; /* of an answer: that worker's */
} parcel;

/* Of a worker: the moment of its last answer, and the seconds since then in which it had no task. What it cannot do with a task at
 * hand, for want of a processor that others have, is not waiting. */
typedef struct worker_clock {
    double ready, waited;
} worker_clock;

/* A worker: the task becomes its answer, and the clock begins anew. opened: how work->open ended. */
void transport_work_out(const task_work *work, void *own, vouch_status opened, parcel *task, worker_clock *clock);

typedef enum transport_event { TRANSPORT_NOTHING, TRANSPORT_ANSWER, TRANSPORT_LOST } transport_event;

typedef struct transport transport;
struct transport {
    int workers;
    bool shared; /* what is sent to one may be worked out by another that is free */
    /* Is this one there? */
    bool (*ready)(const transport *t, int worker);
    /* Takes the content over, which is cleared. False: this worker cannot be had any more. */
    bool (*send)(transport *t, int worker, parcel *task);
    /* Waits for at most so many seconds. ANSWER: *worker, *answer; LOST: *worker has died with all that it was given, and another
     * one is in its place. */
    transport_event (*receive)(transport *t, double seconds, int *worker, parcel *answer);
    /* Ends the workers, whatever they do. */
    void (*close)(transport *t);
};

/* Processes forked from this one: they have what it has at this moment. NULL: out of memory or processes. */
transport *transport_processes(int workers, const task_work *work);
transport *transport_threads(int workers, const task_work *work);

#endif
