/* plan/search/node_task.c - see node_task.h. Both sides write and read what is below in the same order; a number out of its range
 * is a message that is none. Cost: O(path + options given up + columns + policy nodes) bytes a task, next to nothing beside an
 * induction of the same space.
 */
#include "plan/search/node_task.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "plan/search/node.h"
#include "plan/search/node_message.h"
#include "plan/search/node_trials.h"

typedef struct node_server {
    const node_work *shared;
    colgen *colgen;
    bool borrowed; /* colgen is the caller's */
    incumbent *inc;
    node_solver solver;
    node_result result;
    tree_node *path; /* [path_room], the root first */
    size_t path_room;
    column **columns; /* [count] of the task */
    size_t count, columns_room;
    int grain;        /* nodes of the task, at most */
    tree_node **made; /* [children] of the task's nodes so far; NULL: it was one of them itself */
    size_t children, made_room;
    int *best;                        /* [nodes] the task's incumbent */
    double *pure_gain;                /* [K] the task's */
    unsigned char *closed, *foreseen; /* [choices] likewise */
} node_server;

/* ---- the task ---------------------------------------------------------------------------------------------------------- */

static void put_path(message *m, const tree_node *n)
{
    if (n->parent) put_path(m, n->parent);
    message_put_decision(m, &n->made);
    message_put_ints(m, n->fixed, n->fixed_count);
}

void node_task_write(message *m, const tree_node *n, const incumbent *inc, long long most, const node_task_start *start)
{
    const policy_space *space = inc->space;
    const tree_node *from = tree_node_heir(n);
    int K = space->K;
    message_put_int(m, n->depth);
    put_path(m, n);
    message_put_int(m, n->id);
    message_put_sources(m, n);
    message_put_int(m, most);
    message_put_int(m, start->grain);
    MESSAGE_PUT(m, from ? from->multipliers : start->lambda, 3 * K);
    MESSAGE_PUT(m, start->pure_gain, K);
    MESSAGE_PUT(m, branching_record_mean(start->record), space->g->choices);
    MESSAGE_PUT(m, branching_record_foreseen(start->record), space->g->choices);
    message_put_int(m, from ? from->count : 0);
    for (int i = 0; from && i < from->count; i++) message_put_column(m, from->columns[i], K);
    message_put_int(m, inc->found);
    message_put_int(m, inc->total);
    message_put_real(m, inc->cap);
    message_put_real(m, inc->bound_cap);
    MESSAGE_PUT(m, inc->best, space->g->nodes);
    if (inc->found) message_put_figures(m, &inc->value, K);
}

static void clear_task(node_server *s)
{
    for (size_t i = 0; i < s->children; i++) tree_node_release(s->made[i]);
    s->children = 0;
    for (size_t i = 0; i < s->path_room && s->path; i++) {
        tree_node *n = &s->path[i];
        for (int c = 0; c < n->count; c++) column_release(n->columns[c]);
        mem_free(n->columns);
        mem_free(n->multipliers);
        mem_free(n->fixed);
        *n = (tree_node){.id = 0};
    }
    for (size_t i = 0; i < s->count; i++) column_release(s->columns[i]);
    s->count = 0;
}

static vouch_status take_path(node_server *s, message *m, tree_node **out)
{
    size_t length = (size_t)message_take_length(m, DECISION_BYTES) + 1;
    if (m->failed) return VOUCH_ERROR_IO;
    if (length > s->path_room) {
        if (MEM_RESIZE(&s->path, length + length / 2)) return VOUCH_ERROR_MEMORY;
        memset(s->path + s->path_room, 0, (length + length / 2 - s->path_room) * sizeof *s->path);
        s->path_room = length + length / 2;
    }
    for (size_t i = 0; i < length; i++) {
        tree_node *n = &s->path[i];
        /* the last one counts a child too, so that what comes out of it does not free it */
        *n = (tree_node){.id = 1, .pure = -1, .depth = (int)i, .parent = i > 0 ? n - 1 : NULL, .children = 1};
        n->made = message_take_decision(m);
        vouch_status status = message_take_ints(m, &n->fixed, &n->fixed_count);
        if (status) return status;
    }
    *out = &s->path[length - 1];
    return m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

/* Multipliers and columns, which the parent is given as if it had left them itself. */
static vouch_status take_left(node_server *s, message *m, tree_node *parent)
{
    int K = s->shared->space->K;
    MESSAGE_TAKE(m, s->colgen->mix.lambda, 3 * K); /* with nu and mu */
    MESSAGE_TAKE(m, s->pure_gain, K);
    MESSAGE_TAKE(m, s->closed, s->shared->space->g->choices);
    MESSAGE_TAKE(m, s->foreseen, s->shared->space->g->choices);
    int count = message_take_length(m, sizeof(long long));
    for (int i = 0; i < count && !m->failed; i++) {
        column *c;
        if (MEM_RESERVE(&s->columns, &s->columns_room, s->count)) return VOUCH_ERROR_MEMORY;
        if (message_take_column(m, K, &c)) return VOUCH_ERROR_MEMORY;
        s->columns[s->count++] = c;
    }
    if (!parent || m->failed) return m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
    parent->multipliers = MEM_NEW(double, 3 * K);
    parent->columns = MEM_NEW(column *, count);
    if (!parent->multipliers || !parent->columns) return VOUCH_ERROR_MEMORY;
    MEM_COPY(parent->multipliers, s->colgen->mix.lambda, 3 * K);
    for (; parent->count < count; parent->count++) {
        column *c = s->columns[parent->count];
        atomic_fetch_add(&c->refs, 1);
        parent->columns[parent->count] = c;
    }
    return VOUCH_OK;
}

static vouch_status take_incumbent(node_server *s, message *m)
{
    incumbent *inc = s->inc;
    int nodes = s->shared->space->g->nodes;
    inc->found = message_take_int(m) != 0;
    inc->total = message_take_int(m) != 0;
    inc->cap = message_take_real(m);
    inc->bound_cap = message_take_real(m);
    MESSAGE_TAKE(m, inc->best, nodes);
    MEM_COPY(s->best, inc->best, nodes);
    if (inc->found) message_take_figures(m, &inc->value, s->shared->space->K);
    return m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

static vouch_status take_task(node_server *s, message *m, tree_node **out)
{
    vouch_status status = take_path(s, m, out);
    if (status) return status;
    tree_node *n = *out;
    n->id = message_take_int(m);
    message_take_sources(m, n);
    s->colgen->most = message_take_int(m);
    s->grain = (int)message_take_count(m, 1, INT32_MAX);
    status = take_left(s, m, n->parent);
    return status ? status : take_incumbent(s, m);
}

/* ---- the worker -------------------------------------------------------------------------------------------------------- */

static void server_close(void *own)
{
    node_server *s = own;
    if (!s) return;
    clear_task(s);
    if (s->solver.colgen) node_solver_clear(&s->solver);
    node_result_clear(&s->result);
    incumbent_free(s->inc);
    if (!s->borrowed) colgen_free(s->colgen);
    mem_free(s->path);
    mem_free(s->made);
    mem_free(s->columns);
    mem_free(s->best);
    mem_free(s->pure_gain);
    mem_free(s->closed);
    mem_free(s->foreseen);
    mem_free(s);
}

static vouch_status server_fill(node_server *s)
{
    const node_work *w = s->shared;
    s->colgen = w->colgen;
    s->borrowed = w->colgen != NULL;
    vouch_status status = s->borrowed ? VOUCH_OK : colgen_new(w->space, &s->colgen);
    if (!status) status = incumbent_new(w->space, &s->inc);
    if (status) return status;
    s->inc->limit = w->inc->limit;
    if (!s->borrowed) colgen_set_goal(s->colgen, w->goal, w->inc->bound_cap);
    s->colgen->gap = w->options->gap;
    s->best = MEM_NEW(int, w->space->g->nodes);
    s->pure_gain = MEM_NEW(double, w->space->K);
    s->closed = MEM_NEW(unsigned char, w->space->g->choices);
    s->foreseen = MEM_NEW(unsigned char, w->space->g->choices);
    if (!s->best || !s->pure_gain || !s->closed || !s->foreseen) return VOUCH_ERROR_MEMORY;
    status = node_result_init(&s->result, w->space, w->options);
    if (!status) status = node_solver_init(&s->solver, s->colgen, s->inc, w->options);
    s->solver.strong = true;
    s->solver.pure_gain = s->pure_gain;
    s->solver.closed = s->closed;
    s->solver.foreseen = s->foreseen;
    return status;
}

static vouch_status server_open(void *shared, void **own)
{
    node_server *s = *own = MEM_ZERO(node_server, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    s->shared = shared;
    vouch_status status = server_fill(s);
    if (!status) return VOUCH_OK;
    server_close(s);
    *own = NULL;
    return status;
}

/* One node, and what has come out of it. Returns where the answer has the number of its inductions. */
static size_t work_out(node_server *s, tree_node *n, message *answer)
{
    const policy_space *space = s->shared->space;
    long long before = s->colgen->inductions;
    node_evidence_clear(&s->result, space);
    s->solver.left = 0;
    node_process(&s->solver, n, NULL, &s->result);
    long long used = s->colgen->inductions - before;
    bool better = s->inc->found && memcmp(s->best, s->inc->best, (size_t)space->g->nodes * sizeof *s->best) != 0;
    if (better) MEM_COPY(s->best, s->inc->best, space->g->nodes);
    if (s->colgen->most > 0) s->colgen->most = used < s->colgen->most ? s->colgen->most - used : -1;
    return node_answer_write(answer, n, &(node_found){&s->result, used, better ? s->inc : NULL}, space);
}

static vouch_status take_children(node_server *s, tree_node *n)
{
    for (int i = 0; i < s->result.children; i++) {
        const child *c = &s->result.made[node_result_child(&s->result, i)];
        if (MEM_RESERVE(&s->made, &s->made_room, s->children)) return VOUCH_ERROR_MEMORY;
        if (tree_node_new(n, &c->made, c->bound, &s->made[s->children])) return VOUCH_ERROR_MEMORY;
        s->made[s->children]->id = (long long)s->children + 1;
        s->children++;
    }
    return VOUCH_OK;
}

/* The child to go on with: the promising one of the last node, else the one that the search would take. -1: none is worth it. */
static long long next_child(const node_server *s)
{
    long long least = s->result.promising >= 0 ? (long long)s->children - 1 : -1;
    for (size_t i = 0; i < s->children && s->result.promising < 0; i++)
        if (s->made[i] && (least < 0 || tree_node_before(NULL, s->made[i], s->made[least]))) least = (long long)i;
    return least >= 0 && s->made[least]->bound >= node_cutoff(&s->solver) ? -1 : least;
}

/* The nodes of a task that has been taken, n first. */
static vouch_status work_out_all(node_server *s, tree_node *n, message *answer)
{
    const tree_node *first = n;
    vouch_status status = VOUCH_OK;
    for (int left = s->grain - 1; !status && n; left--) {
        long long next = -1;
        (void)work_out(s, n, answer);
        status = s->result.status;
        bool more = !status && left > 0 && !s->result.limit && s->colgen->most >= 0;
        if (more) status = take_children(s, n);
        if (more && !status) next = next_child(s);
        message_put_int(answer, next);
        if (n != first && n->children == 0) tree_node_release(n);
        n = next < 0 ? NULL : s->made[next];
        if (n) s->made[next] = NULL;
    }
    return status;
}

static vouch_status server_run(void *own, message *task, message *answer)
{
    node_server *s = own;
    tree_node *n = NULL;
    vouch_status status = take_task(s, task, &n);
    if (!status) status = work_out_all(s, n, answer);
    clear_task(s);
    return status;
}

/* ---- a node whose trials are parts of its task ------------------------------------------------------------------------- */

static vouch_status server_begin(void *own, message *task, message *answer, int *parts)
{
    node_server *s = own;
    tree_node *n = NULL;
    vouch_status status = take_task(s, task, &n);
    s->solver.apart = s->grain == 1;
    if (!status && s->solver.apart) {
        size_t inductions_at = work_out(s, n, answer);
        status = s->result.status;
        *parts = s->solver.left;
        message_put_int(answer, -1); /* it goes on with no other node */
        if (*parts > 0) node_trials_write(answer, inductions_at, &s->solver);
    } else if (!status)
        status = work_out_all(s, n, answer);
    s->solver.apart = false;
    clear_task(s);
    return status;
}

static vouch_status try_candidate(node_server *s, tree_node *n, const branching_outcome *c, message *answer, bool *enough)
{
    double score;
    long long before = s->colgen->inductions;
    CHECK_COMPARE(node_cutoff(&s->solver), ==, c->cutoff);
    vouch_status status = branching_try(&s->solver, n, c->node, &score);
    if (status) return status;
    node_trial_write(answer, &s->solver, c, score, s->colgen->inductions - before);
    *enough = !(score > 0);
    return VOUCH_OK;
}

static vouch_status server_part(void *own, int part, message *task, message *answer, bool *enough)
{
    node_server *s = own;
    tree_node *n = NULL;
    node_trials list;
    long long ignored = 0;
    vouch_status status = take_task(s, task, &n);
    size_t begins = task->at;
    message begun = {.data = task->data + begins, .length = task->length - begins};
    if (!status) status = node_trials_read(&begun, s->shared->space, &list);
    if (!status && part >= list.count) status = VOUCH_ERROR_IO;
    if (!status) status = node_answer_read(&begun, n, &s->result, s->inc, &ignored);
    if (!status) status = try_candidate(s, n, &list.candidate[part], answer, enough);
    clear_task(s);
    return status;
}

static vouch_status server_end(void *shared, message *begun, message *part[], int parts, message *answer)
{
    const node_work *w = shared;
    return node_trials_end(begun, part, parts, w->space, w->options, answer);
}

static bool server_late(const void *shared) { return deadline_expired(&((const node_work *)shared)->options->limit); }

task_work node_task_work(node_work *shared)
{
    static const task_parts trials = {server_begin, server_part, server_end};
    return (task_work){
        .shared = shared, .open = server_open, .run = server_run, .close = server_close, .parts = &trials, .late = server_late};
}
