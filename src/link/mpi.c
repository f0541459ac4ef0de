/* link/mpi.c - the group of vouch-mpi: see group.h.
 *
 * Only point-to-point messages and broadcasts are used. A worker that reaches a session sends HELLO with the number of its previous
 * sessions; it receives tasks, and END after the session, which may be over before the worker arrives. A broadcast is announced to
 * each worker by TELL with its length; a worker joins it wherever it waits. After the last broadcast the workers receive TOLD_ALL,
 * and at their end send BYE. Waiting alternates between polling and sleeping, as there may be more processes than processors. The
 * state is one per process, as MPI's is.
 */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "link/group.h"

/* Limits of a sleep between two polls in nanoseconds; each is an eighth of the total. */
enum { SHORTEST = 10000, LONGEST = 1000000 };
/* Bytes of one broadcast, whose count is an int. */
static const size_t MOST_BROADCAST = (size_t)1 << 30;

enum { TAG_TASK = 1, TAG_ANSWER, TAG_HELLO, TAG_END, TAG_AWAY, TAG_BYE, TAG_TELL, TAG_TOLD_ALL };

typedef struct letter_head {
    int64_t session, number, status;
    uint64_t kind;
    worker_times spent;
} letter_head;

/* A message that MPI has not yet accepted. */
typedef struct posted {
    struct posted *next;
    MPI_Request request;
    message letter;
} posted;

typedef struct finished {
    uint64_t kind;
    message last;
} finished;

typedef struct peer {
    bool waits; /* after HELLO, before END */
    bool gone;
    int64_t session; /* it waits in */
    uint64_t kind;
} peer;

static struct {
    int rank, size;
    posted *outbox;
    message *told; /* [told_count] a question, and its answer behind it */
    size_t told_count, told_room;
    /* of the first process */
    peer *peers; /* [size], 0 is itself */
    finished *past;
    size_t sessions, past_room;
    bool connected;
    uint64_t kind;
    transport face;
    message inbox;
    /* of a worker */
    int64_t served;
    bool told_all; /* no further broadcast */
} group;

static void rest(long long *slept)
{
    long long part = *slept / 8;
    struct timespec t = {0, (long)(part < SHORTEST ? SHORTEST : part < LONGEST ? part : LONGEST)};
    nanosleep(&t, NULL);
    *slept += t.tv_nsec;
}

static void clear_outbox(bool wait)
{
    for (posted **at = &group.outbox; *at;) {
        posted *p = *at;
        int done = 0;
        if (wait) {
            MPI_Wait(&p->request, MPI_STATUS_IGNORE);
            done = 1;
        } else
            MPI_Test(&p->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        message_free(&p->letter);
        mem_free(p);
    }
}

static bool post(int to, int tag, const letter_head *head, const message *content)
{
    posted *p = MEM_ZERO(posted, 1);
    if (!p) return false;
    message_put(&p->letter, head, sizeof *head);
    if (content) message_put(&p->letter, content->data, content->length);
    if (p->letter.failed || p->letter.length > INT32_MAX ||
        MPI_Isend(p->letter.data, (int)p->letter.length, MPI_BYTE, to, tag, MPI_COMM_WORLD, &p->request) != MPI_SUCCESS) {
        message_free(&p->letter);
        mem_free(p);
        return false;
    }
    p->next = group.outbox;
    group.outbox = p;
    clear_outbox(false);
    return true;
}

/* Receives the next message within this time: returns its tag, its head, and its content after the head in group.inbox. 0: none. */
static int look(double seconds, int *from, letter_head *head)
{
    double until = clock_seconds() + seconds;
    long long slept = 0;
    for (;;) {
        int there = 0, length = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (!there) {
            clear_outbox(false);
            if (clock_seconds() >= until) return 0;
            rest(&slept);
            continue;
        }
        MPI_Get_count(&status, MPI_BYTE, &length);
        message_clear(&group.inbox);
        if ((size_t)length > group.inbox.capacity) {
            if (MEM_RESIZE(&group.inbox.data, length)) MPI_Abort(MPI_COMM_WORLD, 3); /* no memory for the message */
            group.inbox.capacity = (size_t)length;
        }
        MPI_Recv(group.inbox.data, length, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        group.inbox.length = (size_t)length;
        message_take(&group.inbox, head, sizeof *head);
        *from = status.MPI_SOURCE;
        return status.MPI_TAG;
    }
}

/* ---- broadcasts of the first process ----------------------------------------------------------------------------------- */

static void broadcast(const message *m)
{
    for (size_t at = 0; at < m->length; at += MOST_BROADCAST) {
        size_t rest = m->length - at, part = rest < MOST_BROADCAST ? rest : MOST_BROADCAST;
        MPI_Bcast(m->data + at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

/* A place for one more answer. */
static message *next_told(void)
{
    if (MEM_RESERVE(&group.told, &group.told_room, group.told_count)) MPI_Abort(MPI_COMM_WORLD, 3);
    group.told[group.told_count] = (message){0};
    return &group.told[group.told_count++];
}

void group_tell(const char *question, const char *answer, size_t length)
{
    message *m = next_told();
    message_put_text(m, question);
    message_put(m, answer, length);
    letter_head head = {.number = (int64_t)m->length};
    for (int w = 1; w < group.size && !m->failed; w++) m->failed = !post(w, TAG_TELL, &head, NULL);
    if (m->failed) MPI_Abort(MPI_COMM_WORLD, 3);
    broadcast(m);
}

/* A worker: receives a message, and any broadcast announced meanwhile. */
static int look_and_hear(double seconds, int *from, letter_head *head)
{
    int tag = look(seconds, from, head);
    if (tag == TAG_TOLD_ALL) group.told_all = true;
    if (tag != TAG_TELL) return tag;
    message *m = next_told();
    if (MEM_RESIZE(&m->data, head->number)) MPI_Abort(MPI_COMM_WORLD, 3);
    m->length = m->capacity = (size_t)head->number;
    broadcast(m);
    return tag;
}

/* NULL: the answer of another question. */
static const char *answer_to(const char *question, message *m, size_t *length)
{
    m->at = 0;
    size_t asked = (size_t)message_take_length(m, 1);
    if (asked != strlen(question) || memcmp(m->data + m->at, question, asked) != 0) return NULL;
    *length = m->length - m->at - asked;
    return (const char *)m->data + m->at + asked;
}

const char *group_told(const char *question, size_t *length)
{
    const char *answer = NULL;
    *length = 0;
    for (size_t i = 0;;) {
        letter_head head;
        int from;
        for (; i < group.told_count && !answer; i++) answer = answer_to(question, &group.told[i], length);
        if (answer || group.rank == 0 || group.told_all) return answer;
        (void)look_and_hear(1, &from, &head);
    }
}

/* ---- the first process ------------------------------------------------------------------------------------------------- */

/* Sends away a worker that waits in a finished or different session. */
static void send_on(int w)
{
    peer *p = &group.peers[w];
    letter_head head = {.session = p->session, .kind = p->kind};
    if (!p->waits || p->session > (int64_t)group.sessions) return;
    bool over = p->session < (int64_t)group.sessions;
    uint64_t kind = over ? group.past[p->session].kind : group.kind;
    if (!over && !group.connected) return;
    if (!over && kind == p->kind) return;
    p->waits = false;
    if (!post(w, over && kind == p->kind ? TAG_END : TAG_AWAY, &head, over ? &group.past[p->session].last : NULL))
        MPI_Abort(MPI_COMM_WORLD, 3);
}

/* TAG_ANSWER of the present session, or 0: another message was handled, or none came. */
static int hear(double seconds, int *worker, letter_head *head)
{
    int from, tag = look(seconds, &from, head);
    if (tag == TAG_BYE) group.peers[from].gone = true;
    if (tag == TAG_HELLO) {
        group.peers[from] = (peer){.waits = true, .session = head->session, .kind = head->kind};
        send_on(from);
    }
    *worker = from - 1;
    return tag == TAG_ANSWER && head->session == (int64_t)group.sessions ? tag : 0;
}

static bool group_ready(const transport *t, int worker)
{
    const peer *p = &group.peers[worker + 1];
    (void)t;
    return p->waits && p->session == (int64_t)group.sessions;
}

static bool group_send(transport *t, int worker, parcel *task)
{
    (void)t;
    letter_head head = {.session = (int64_t)group.sessions, .number = task->number, .kind = group.kind};
    return post(worker + 1, TAG_TASK, &head, &task->content);
}

static transport_event group_receive(transport *t, double seconds, int *worker, parcel *answer)
{
    letter_head head;
    (void)t;
    if (!hear(seconds, worker, &head)) return TRANSPORT_NOTHING;
    message_clear(&answer->content);
    message_put(&answer->content, group.inbox.data + group.inbox.at, group.inbox.length - group.inbox.at);
    answer->number = head.number;
    answer->spent = head.spent;
    answer->by = *worker;
    answer->status = answer->content.failed ? VOUCH_ERROR_MEMORY : (vouch_status)head.status;
    return TRANSPORT_ANSWER;
}

/* The workers stay for the next session; group_finish ends this one. */
static void group_close(transport *t) { (void)t; }

transport *group_connect(uint64_t kind)
{
    group.kind = kind;
    group.connected = true;
    for (int w = 1; w < group.size; w++) send_on(w);
    return &group.face;
}

void group_finish(uint64_t kind, const message *last)
{
    if (group.size <= 1 || group.rank > 0) return;
    if (MEM_RESERVE(&group.past, &group.past_room, group.sessions)) MPI_Abort(MPI_COMM_WORLD, 3);
    finished *f = &group.past[group.sessions];
    *f = (finished){.kind = kind};
    message_copy(&f->last, last);
    if (f->last.failed) MPI_Abort(MPI_COMM_WORLD, 3);
    group.sessions++;
    group.connected = false;
    for (int w = 1; w < group.size; w++) send_on(w);
}

/* ---- a worker ---------------------------------------------------------------------------------------------------------- */

static bool answer_task(void *own, vouch_status opened, const task_work *work, letter_head *head, worker_clock *clock)
{
    parcel p = {.number = head->number, .content = group.inbox};
    group.inbox = (message){0};
    transport_work_out(work, own, opened, &p, clock);
    head->status = p.status;
    head->spent = p.spent;
    bool sent = post(0, TAG_ANSWER, head, &p.content);
    message_free(&p.content);
    return sent;
}

vouch_status group_serve(uint64_t kind, const task_work *work, message *last)
{
    letter_head head = {.session = group.served++, .kind = kind};
    void *own = NULL;
    vouch_status opened = VOUCH_OK;
    bool open = false;
    worker_clock clock = {.ready = 0};
    int tag = 0, from;
    if (!post(0, TAG_HELLO, &head, NULL)) MPI_Abort(MPI_COMM_WORLD, 3);
    while (tag != TAG_END && tag != TAG_AWAY) {
        double since = clock_seconds();
        tag = look_and_hear(0, &from, &head);
        if (tag == 0) {
            tag = look_and_hear(1, &from, &head);
            clock.waited += clock_seconds() - since;
        }
        if (tag != TAG_TASK) continue;
        if (!open) {
            opened = work->open(work->shared, &own);
            clock = (worker_clock){.ready = clock_seconds()};
        }
        open = true;
        if (!answer_task(own, opened, work, &head, &clock)) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (open) work->close(own);
    message_clear(last);
    message_put(last, group.inbox.data + group.inbox.at, group.inbox.length - group.inbox.at);
    return tag == TAG_AWAY ? VOUCH_ERROR_IO : last->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------------- */

void group_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &group.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &group.size);
    group.peers = MEM_ZERO(peer, group.size);
    if (!group.peers) MPI_Abort(MPI_COMM_WORLD, 3);
    group.face = (transport){group.size - 1, false, group_ready, group_send, group_receive, group_close};
}

static bool all_gone(void)
{
    for (int w = 1; w < group.size; w++)
        if (!group.peers[w].gone) return false;
    return true;
}

void group_end(void)
{
    letter_head head = {.session = -1};
    int other;
    group.connected = true; /* a session without workers: all waiting ones are sent away */
    group.kind = 0;
    for (int w = 1; w < group.size && group.rank == 0; w++) {
        send_on(w);
        if (!post(w, TAG_TOLD_ALL, &head, NULL)) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    while (group.rank > 0 && !group.told_all) (void)look_and_hear(1, &other, &head);
    if (group.rank > 0) (void)post(0, TAG_BYE, &head, NULL);
    while (group.rank == 0 && !all_gone()) (void)hear(1, &other, &head);
    clear_outbox(true);
    MPI_Finalize();
    for (size_t i = 0; i < group.sessions; i++) message_free(&group.past[i].last);
    for (size_t i = 0; i < group.told_count; i++) message_free(&group.told[i]);
    message_free(&group.inbox);
    MEM_FREE_ALL(group.told, group.past, group.peers);
}

bool group_possible(void) { return true; }
int group_workers(void) { return group.rank == 0 ? group.size - 1 : 0; }
bool group_is_worker(void) { return group.rank > 0; }
