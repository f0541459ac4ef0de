/* link/transport.h - transport of tasks and answers: frames over sockets to processes of this machine (link/processes.c), in
 * memory to threads (link/threads.c), by MPI (link/mpi.c).
 *
 * A worker has its own context (task_work.open), keeps no state between tasks, and answers them in the order received.
 */
#ifndef LINK_TRANSPORT_H
#define LINK_TRANSPORT_H

#include <vouch/status.h>

#include "link/message.h"

/* Most parts of a task. */
enum { MOST_PARTS = 15 };

/* Functions to compute a task by several workers. The answer of `end` is byte-identical to the one of task_work.run. */
typedef struct task_parts {
    /* The beginning of run, up to *parts >= 2 independent parts, for which its answer is the input; 0: it is the whole answer. */
    vouch_status (*begin)(void *own, message *task, message *answer, int *parts);
    /* A part; task: followed by the answer of begin. *enough: later parts are not needed. */
    vouch_status (*part)(void *own, int part, message *task, message *answer, bool *enough);
    /* The answer, from the answers of begin and the parts needed. */
    vouch_status (*end)(void *shared, message *begun, message *part[], int parts, message *answer);
} task_parts;

/* The work; the same in every process. */
typedef struct task_work {
    void *shared;
    /* The context of a worker: *own, for close, which accepts NULL. */
    vouch_status (*open)(void *shared, void **own);
    /* Reads the task and writes the answer, which is cleared. */
    vouch_status (*run)(void *own, message *task, message *answer);
    void (*close)(void *own);
    const task_parts *parts; /* NULL: a task is computed by one worker */
    /* True after a limit of time, memory or an interrupt, which may affect answers; NULL: none does. */
    bool (*late)(const void *shared);
} task_work;

/* Request before a task with parts: the number of a part, or one of these. The answer is followed by the number of remaining parts,
 * or by `enough`. */
enum { ASKED_ALL = -2, ASKED_TO_BEGIN = -1 };

/* Figures of the worker of an answer, at the time of the answer. */
typedef struct worker_times {
    double waited, worked; /* seconds of the clock since its last answer: without a task at hand, and all others */
    long long peak;        /* peak memory of the process in bytes; 0: a thread */
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

/* Of a worker: the time of its last answer, and the seconds without a task since then. */
typedef struct worker_clock {
    double ready, waited;
} worker_clock;

/* A worker: the task becomes its answer, and the clock begins anew. opened: how work->open ended. */
void transport_work_out(const task_work *work, void *own, vouch_status opened, parcel *task, worker_clock *clock);

typedef enum transport_event { TRANSPORT_NOTHING, TRANSPORT_ANSWER, TRANSPORT_LOST } transport_event;

typedef struct transport transport;
struct transport {
    int workers;
    bool shared; /* a task sent to one worker may be computed by another */
    /* Is this one there? */
    bool (*ready)(const transport *t, int worker);
    /* Takes the content over, which is cleared. False: this worker cannot be had any more. */
    bool (*send)(transport *t, int worker, parcel *task);
    /* Waits for at most this time. ANSWER: *worker, *answer; LOST: *worker died with all its tasks and has been replaced. */
    transport_event (*receive)(transport *t, double seconds, int *worker, parcel *answer);
    /* Ends the workers immediately. */
    void (*close)(transport *t);
};

/* Forks processes with the present state. NULL: out of memory or processes. */
transport *transport_processes(int workers, const task_work *work);
transport *transport_threads(int workers, const task_work *work);

/* ---- frames: a parcel as bytes, a head of fixed length with length and checksum, then the content ---- */

typedef struct frame_head {
    uint64_t mark; /* FRAME_MARK */
    int64_t number;
    int64_t status;
    uint64_t length; /* of the content */
    uint64_t sum;    /* of the content and of the words above */
} frame_head;

#define FRAME_MARK UINT64_C(0x316b6e696c687576) /* "vuhlink1" in memory, where the low byte comes first */
/* More than any message: a larger length means damage. */
#define FRAME_CAP ((uint64_t)1 << 40)

frame_head frame_of(const parcel *p);
/* Is the head plausible? Then h->length bytes follow. */
bool frame_plausible(const frame_head *h);
/* Does the checksum match? */
bool frame_holds(const frame_head *h, const void *content);

#endif
