/* plan/bnb/node_task.c - see node_task.h. Both sides write and read what is below in the same order; a number out of its range is a
 * message that is none. Cost: O(path + options given up + columns + policy nodes) bytes a task, next to nothing beside an
 * induction of the same space.
 */
#include "plan/bnb/node_task.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "plan/bnb/node.h"
#include "plan/bnb/node_message.h"

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
    int *best;         /* [nodes] the task's incumbent */
    double *pure_gain; /* [K] the task's */
} node_server;

/* The nearest ancestor that has left something for mixtures; NULL: none has. */
static const tree_node *heir_of(const tree_node *n)
{
    const tree_node *from = n->parent;
    while (from && !from->multipliers) from = from->parent;
    return from;
}

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
    const tree_node *from = heir_of(n);
    int K = space->K;
    message_put_int(m, n->depth);
    put_path(m, n);
    message_put_int(m, n->id);
    message_put_sources(m, n);
    message_put_int(m, most);
    message_put_int(m, start->grain);
    MESSAGE_PUT(m, from ? from->multipliers : start->lambda, 3 * K);
    MESSAGE_PUT(m, start->pure_gain, K);
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
    MESSAGE_TAKE(m, s->colgen->lambda, 3 * K); /* with nu and mu */
    MESSAGE_TAKE(m, s->pure_gain, K);
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
    MEM_COPY(parent->multipliers, s->colgen->lambda, 3 * K);
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

/* ---- the answer -------------------------------------------------------------------------------------------------------- */

/* Numbers of the multipliers that show the bounds of the options of a node that was parted, and behind them of the node itself. */
static size_t evidence_of(const policy_space *space) { return (size_t)(space->g->m->A + 1) * 3 * (size_t)space->K; }

static void put_result(message *m, const node_result *r, const policy_space *space)
{
    message_put_int(m, r->end);
    message_put_int(m, r->limit);
    message_put_real(m, r->cut);
    message_put_int(m, r->children);
    for (int i = 0; i < r->children; i++) {
        message_put_decision(m, &r->made[i].made);
        message_put_real(m, r->made[i].bound);
    }
    message_put_int(m, r->promising);
    message_put_int(m, r->node);
    message_put_real(m, r->pairs);
    message_put_int(m, r->tried);
    message_put_int(m, r->pure);
    message_put_real(m, r->pure_gain);
    if (r->evidence) MESSAGE_PUT(m, r->evidence, evidence_of(space));
}

static void take_result(message *m, node_result *r, const policy_space *space)
{
    int A = space->g->m->A;
    r->end = (vouch_node_end)message_take_int(m);
    r->limit = message_take_int(m) != 0;
    r->cut = message_take_real(m);
    r->children = (int)message_take_count(m, 0, A > 2 ? A : 2);
    for (int i = 0; i < r->children; i++) {
        r->made[i].made = message_take_decision(m);
        r->made[i].bound = message_take_real(m);
    }
    r->promising = (int)message_take_count(m, -1, r->children - 1);
    r->node = (int)message_take_int(m);
    r->pairs = message_take_real(m);
    r->tried = message_take_int(m) != 0;
    r->pure = (int)message_take_count(m, -1, space->K - 1);
    r->pure_gain = message_take_real(m);
    if (r->evidence) MESSAGE_TAKE(m, r->evidence, evidence_of(space));
}

static void put_for_children(message *m, const tree_node *n, int K)
{
    const tree_node *from = heir_of(n);
    int known = from ? from->count : 0;
    message_put_int(m, n->multipliers != NULL);
    if (!n->multipliers) return;
    MESSAGE_PUT(m, n->multipliers, 3 * K);
    message_put_int(m, n->count);
    for (int i = 0; i < n->count; i++) {
        int brought = 0;
        while (brought < known && from->columns[brought] != n->columns[i]) brought++;
        message_put_int(m, brought < known ? brought : -1);
        if (brought == known) message_put_column(m, n->columns[i], K);
    }
}

static vouch_status take_for_children(message *m, tree_node *n, int K)
{
    if (!message_take_int(m)) return VOUCH_OK;
    const tree_node *from = heir_of(n);
    n->multipliers = MEM_NEW(double, 3 * K);
    if (!n->multipliers) return VOUCH_ERROR_MEMORY;
    MESSAGE_TAKE(m, n->multipliers, 3 * K);
    int count = message_take_length(m, sizeof(long long));
    n->columns = MEM_NEW(column *, count);
    if (!n->columns) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < count && !m->failed; i++) {
        long long brought = message_take_count(m, -1, from ? from->count - 1 : -1);
        column *c = brought >= 0 ? from->columns[brought] : NULL;
        if (c)
            atomic_fetch_add(&c->refs, 1);
        else if (message_take_column(m, K, &c))
            return VOUCH_ERROR_MEMORY;
        n->columns[n->count++] = c;
    }
    return VOUCH_OK;
}

vouch_status node_answer_read(message *m, tree_node *n, node_result *result, incumbent *found, long long *inductions)
{
    const policy_space *space = found->space;
    CHECK(n->count == 0 && !n->columns && !n->multipliers && n->fixed_count == 0);
    node_result_begin(result, VOUCH_OK);
    take_result(m, result, space);
    message_take_sources(m, n);
    vouch_status status = take_for_children(m, n, space->K);
    if (!status) status = message_take_ints(m, &n->fixed, &n->fixed_count);
    *inductions += message_take_int(m);
    if (!status && message_take_int(m)) {
        MESSAGE_TAKE(m, found->pick, space->g->nodes);
        message_take_figures(m, &found->now, space->K);
        if (!m->failed) incumbent_consider(found, found->pick, &found->now);
    }
    return status ? status : m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

vouch_status node_answer_next(message *m, tree_node *made[], size_t count, tree_node **n)
{
    long long next = message_take_count(m, -1, (long long)count - 1);
    *n = NULL;
    if (m->failed || (next >= 0 && !made[next])) return VOUCH_ERROR_IO;
    if (next < 0) return VOUCH_OK;
    *n = made[next];
    made[next] = NULL;
    return VOUCH_OK;
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
    if (!s->best || !s->pure_gain) return VOUCH_ERROR_MEMORY;
    status = node_result_init(&s->result, w->space, w->options);
    if (!status) status = node_solver_init(&s->solver, s->colgen, s->inc, w->options);
    s->solver.strong = true;
    s->solver.pure_gain = s->pure_gain;
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

/* What was left there by other nodes must not come into the answer. */
static void forget_evidence(node_server *s)
{
    size_t count = evidence_of(s->shared->space), own = 3 * (size_t)s->shared->space->K;
    if (!s->result.evidence) return;
    for (size_t i = 0; i < count; i++) s->result.evidence[i] = 0;
    for (size_t i = 0; i < count - own; i++) s->solver.multipliers[i] = 0;
}

/* One node, and what has come out of it. */
static vouch_status work_out(node_server *s, tree_node *n, message *answer)
{
    const policy_space *space = s->shared->space;
    long long before = s->colgen->inductions;
    forget_evidence(s);
    node_process(&s->solver, n, NULL, &s->result);
    long long used = s->colgen->inductions - before;
    put_result(answer, &s->result, space);
    message_put_sources(answer, n);
    put_for_children(answer, n, space->K);
    message_put_ints(answer, n->fixed, n->fixed_count);
    message_put_int(answer, used);
    bool better = s->inc->found && memcmp(s->best, s->inc->best, (size_t)space->g->nodes * sizeof *s->best) != 0;
    message_put_int(answer, better);
    if (better) {
        MEM_COPY(s->best, s->inc->best, space->g->nodes);
        MESSAGE_PUT(answer, s->inc->best, space->g->nodes);
        message_put_figures(answer, &s->inc->value, space->K);
    }
    if (s->colgen->most > 0) s->colgen->most = used < s->colgen->most ? s->colgen->most - used : -1;
    return s->result.status;
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

static vouch_status server_run(void *own, message *task, message *answer)
{
    node_server *s = own;
    tree_node *n = NULL;
    vouch_status status = take_task(s, task, &n);
    const tree_node *first = n;
    for (int left = s->grain - 1; !status && n; left--) {
        long long next = -1;
        status = work_out(s, n, answer);
        bool more = !status && left > 0 && !s->result.limit && s->colgen->most >= 0;
        if (more) status = take_children(s, n);
        if (more && !status) next = next_child(s);
        message_put_int(answer, next);
        if (n != first && n->children == 0) tree_node_release(n);
        n = next < 0 ? NULL : s->made[next];
        if (n) s->made[next] = NULL;
    }
    clear_task(s);
    return status;
}

task_work node_task_work(node_work *shared)
{
    return (task_work){.shared = shared, .open = server_open, .run = server_run, .close = server_close};
}
