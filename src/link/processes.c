/* link/processes.c - workers that are child processes, each connected by a socket pair.
 *
 * A child is a copy of its parent at fork(2), so files are read once and their data is shared. The parent never blocks on a child:
 * bytes that a socket does not accept wait in `out`. A child that ends, is killed or sends an invalid frame (link/transport.h) is
 * replaced, as workers keep no state between tasks. Children die with their parent. The remaining memory limit is divided equally
 * among the processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/clock.h"
#include "base/memory.h"
#include "link/transport.h"

enum { PORTION = 1 << 16 }; /* bytes read from a socket at once */

typedef struct worker_process {
    pid_t pid;   /* -1: none */
    int socket;  /* -1: none */
    bool broken; /* its data is damaged or at an end: to be killed */
    short seen;  /* by poll, and not dealt with yet */
    message out, in;
} worker_process;

typedef struct processes {
    transport face;
    const task_work *work;
    worker_process *children; /* [face.workers] */
    struct pollfd *polled;    /* [face.workers] of the live ones */
    int last;                 /* that was heard of: the others come first */
    size_t limit, room;       /* memory of this process before, and room for each process; room 0: no limit */
} processes;

/* ---- the child ------------------------------------------------------------------------------------------------------- */

static bool read_all(int fd, void *to, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t n = recv(fd, (char *)to + done, count - done, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const void *from, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t n = send(fd, (const char *)from + done, count - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

static bool read_parcel(int fd, parcel *p)
{
    frame_head head;
    message_clear(&p->content);
    if (!read_all(fd, &head, sizeof head) || !frame_plausible(&head)) return false;
    if (head.length > p->content.capacity) {
        if (MEM_RESIZE(&p->content.data, head.length)) return false;
        p->content.capacity = (size_t)head.length;
    }
    p->content.length = (size_t)head.length;
    p->number = head.number;
    return read_all(fd, p->content.data, p->content.length) && frame_holds(&head, p->content.data);
}

/* Waits for a task; returns the seconds. */
static double wait_for_task(int fd)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    if (poll(&polled, 1, 0) != 0) return 0;
    double since = clock_seconds();
    while (poll(&polled, 1, -1) < 0 && errno == EINTR)
        ;
    return clock_seconds() - since;
}

/* An answer ends with the worker_times of its worker. */
static void serve(int fd, const task_work *work)
{
    parcel p = {0};
    void *own = NULL;
    vouch_status opened = work->open(work->shared, &own);
    worker_clock clock = {.ready = clock_seconds()};
    for (;;) {
        clock.waited += wait_for_task(fd);
        if (!read_parcel(fd, &p)) break;
        transport_work_out(work, own, opened, &p, &clock);
        message_put(&p.content, &p.spent, sizeof p.spent);
        if (p.content.failed) break;
        frame_head head = frame_of(&p);
        if (!write_all(fd, &head, sizeof head) || !write_all(fd, p.content.data, p.content.length)) break;
    }
}

/* ---- the parent ------------------------------------------------------------------------------------------------------ */

static void end_child(worker_process *c)
{
    if (c->socket >= 0) close(c->socket);
    if (c->pid > 0) {
        kill(c->pid, SIGKILL);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    c->pid = c->socket = -1;
    c->broken = false;
    message_clear(&c->in);
    message_clear(&c->out);
}

/* Never returns in the child. */
static void start_child(processes *p, worker_process *c)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        if (getppid() != parent) _exit(1);
        for (int i = 0; i < p->face.workers; i++)
            if (p->children[i].socket >= 0) close(p->children[i].socket);
        close(ends[0]);
        /* Signals are for the parent, which ends its children: handlers taken over from it would remove its files. */
        static const int ended_by[] = {SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigemptyset(&action.sa_mask);
        for (size_t i = 0; i < sizeof ended_by / sizeof *ended_by; i++) sigaction(ended_by[i], &action, NULL);
        action.sa_handler = SIG_IGN;
        sigaction(SIGINT, &action, NULL);
        if (p->room > 0) mem_limit_more(p->room);
        serve(ends[1], p->work);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return;
    }
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    c->pid = pid;
    c->socket = ends[0];
}

/* Sends what waits, as far as the socket takes it. False: the child is gone. */
static bool send_waiting(worker_process *c)
{
    while (c->out.at < c->out.length) {
        ssize_t n = send(c->socket, c->out.data + c->out.at, c->out.length - c->out.at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
        if (n < 0) return false;
        c->out.at += (size_t)n;
    }
    message_clear(&c->out);
    return true;
}

static bool process_ready(const transport *t, int worker)
{
    (void)t;
    (void)worker;
    return true;
}

static bool process_send(transport *t, int worker, parcel *task)
{
    processes *p = (processes *)t;
    worker_process *c = &p->children[worker];
    frame_head head = frame_of(task);
    size_t waiting = c->out.length;
    if (c->socket < 0) start_child(p, c);
    if (c->socket < 0) return false;
    message_put(&c->out, &head, sizeof head);
    message_put(&c->out, task->content.data, task->content.length);
    if (c->out.failed) { /* bytes sent earlier continue */
        c->out.length = waiting;
        c->out.failed = false;
        return false;
    }
    (void)send_waiting(c); /* one that is gone is found gone when it is listened to */
    return true;
}

/* Does c->in have a whole answer? -1: it is damaged. */
static int take_answer(worker_process *c, parcel *answer)
{
    frame_head head;
    size_t there = c->in.length - c->in.at;
    if (there < sizeof head) return 0;
    memcpy(&head, c->in.data + c->in.at, sizeof head);
    if (!frame_plausible(&head)) return -1;
    if (there - sizeof head < head.length) return 0;
    const unsigned char *content = c->in.data + c->in.at + sizeof head;
    if (!frame_holds(&head, content) || head.length < sizeof answer->spent) return -1;
    size_t length = (size_t)head.length - sizeof answer->spent;
    message_clear(&answer->content);
    message_put(&answer->content, content, length);
    memcpy(&answer->spent, content + length, sizeof answer->spent);
    answer->number = head.number;
    answer->status = answer->content.failed ? VOUCH_ERROR_MEMORY : (vouch_status)head.status;
    c->in.at += sizeof head + (size_t)head.length;
    if (c->in.at == c->in.length) message_clear(&c->in);
    return 1;
}

/* False: the child is gone. */
static bool hear(worker_process *c)
{
    unsigned char portion[PORTION];
    for (;;) {
        ssize_t n = recv(c->socket, portion, sizeof portion, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
        if (n == 0) return false;
        message_put(&c->in, portion, (size_t)n);
        if (c->in.failed) return false;
        if ((size_t)n < sizeof portion) return true;
    }
}

static transport_event event_of(worker_process *c, parcel *answer)
{
    short seen = c->seen;
    c->seen = 0;
    if (c->socket < 0) return TRANSPORT_NOTHING;
    if (seen & POLLOUT) c->broken |= !send_waiting(c);
    if (!c->broken && (seen & (POLLIN | POLLHUP | POLLERR))) c->broken = !hear(c);
    int found = take_answer(c, answer);
    if (found > 0) return TRANSPORT_ANSWER; /* the last words of one that is gone count */
    if (found == 0 && !c->broken) return TRANSPORT_NOTHING;
    end_child(c);
    return TRANSPORT_LOST;
}

/* Waits until a live child can be read or written. Others are left out, since poll limits the number of descriptors. */
static bool wait_for_children(processes *p, double seconds)
{
    nfds_t count = 0;
    for (int i = 0; i < p->face.workers; i++) {
        const worker_process *c = &p->children[i];
        short events = c->out.at < c->out.length ? POLLIN | POLLOUT : POLLIN;
        if (c->socket >= 0) p->polled[count++] = (struct pollfd){.fd = c->socket, .events = events};
    }
    if (poll(p->polled, count, (int)(seconds * 1e3)) <= 0) return false;
    count = 0;
    for (int i = 0; i < p->face.workers; i++)
        if (p->children[i].socket >= 0) p->children[i].seen = p->polled[count++].revents;
    return true;
}

static transport_event process_receive(transport *t, double seconds, int *worker, parcel *answer)
{
    processes *p = (processes *)t;
    int n = t->workers;
    for (int pass = 0; pass < 2; pass++) { /* first data already seen, then new data */
        if (pass && !wait_for_children(p, seconds)) break;
        for (int i = 1; i <= n; i++) {
            int at = (p->last + i) % n;
            transport_event event = event_of(&p->children[at], answer);
            if (event == TRANSPORT_NOTHING) continue;
            *worker = answer->by = p->last = at;
            return event;
        }
    }
    return TRANSPORT_NOTHING;
}

static void process_close(transport *t)
{
    processes *p = (processes *)t;
    for (int i = 0; i < t->workers && p->children; i++) {
        end_child(&p->children[i]);
        message_free(&p->children[i].in);
        message_free(&p->children[i].out);
    }
    if (p->room > 0) mem_limit(p->limit);
    MEM_FREE_ALL(p->children, p->polled, p);
}

transport *transport_processes(int workers, const task_work *work)
{
    processes *p = MEM_ZERO(processes, 1);
    if (!p) return NULL;
    p->face = (transport){workers, false, process_ready, process_send, process_receive, process_close};
    p->work = work;
    p->children = MEM_ZERO(worker_process, workers);
    p->polled = MEM_ZERO(struct pollfd, workers);
    for (int i = 0; i < workers && p->children; i++) p->children[i] = (worker_process){.pid = -1, .socket = -1};
    if (!p->children || !p->polled) {
        process_close(&p->face);
        return NULL;
    }
    p->room = mem_share(workers + 1);
    p->limit = mem_limited();
    if (p->room > 0) mem_limit_more(p->room);
    for (int i = 0; i < workers; i++) start_child(p, &p->children[i]);
    return &p->face;
}
