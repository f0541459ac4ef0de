/* plan/search/node_task.c - see node_task.h. Structs are coded member by member, since padding is undefined; a number out of its
 * range makes the message invalid. Cost: O(path + fixed options + columns + policy nodes) bytes a task and O(new columns + fixed
 * options + policy nodes if the incumbent improved) an answer, negligible beside an induction.
 */
#include "plan/search/node_task.h"

#include "base/check.h"
#include "base/memory.h"
#include "link/journal.h"
#include "plan/search/node.h"

/* ---- parts of nodes ---------------------------------------------------------------------------------------------------- */

enum { DECISION_BYTES = 4 * sizeof(long long) + sizeof(double) };

static void code_decision(codec c, decision *d)
{
    code_int(c, &d->node);
    code_int(c, &d->option);
    code_int(c, &d->coordinate);
    code_real(c, &d->threshold);
    code_bool(c, &d->above);
}

static void code_sources(codec c, tree_node *n)
{
    code_real(c, &n->bound);
    for (source_record *s = n->source; s < n->source + SOURCES; s++) {
        code_real(c, &s->bound);
        code_real(c, &s->cost);
        code_int(c, &s->idle);
        code_real(c, &s->spent);
    }
    code_int(c, &n->pairs);
    code_int(c, &n->hardest);
    code_int(c, &n->tries.idle);
    code_int(c, &n->tries.rest);
}

/* f->shortfall is 0. */
static void code_figures(codec c, figures *f, int K)
{
    CODE(c, f->U, K);
    CODE(c, f->Pr, K);
    code_real(c, &f->max_regret);
    code_real(c, &f->total_regret);
}

/* Reads into new arrays, which the caller owns. */
static vouch_status code_fixed(codec c, tree_node *n)
{
    code_length(c, &n->fixed_count, sizeof *n->fixed);
    if (!c.put) n->fixed = n->fixed_count > 0 ? MEM_NEW(int, n->fixed_count) : NULL;
    if (n->fixed_count > 0 && !n->fixed) return VOUCH_ERROR_MEMORY;
    if (n->fixed_count > 0) CODE(c, n->fixed, n->fixed_count);
    return VOUCH_OK;
}

static vouch_status code_column(codec c, column **col, int K)
{
    int used = c.put ? (*col)->used : 0;
    code_length(c, &used, sizeof(int) + sizeof(double));
    if (!c.put && !(*col = column_new(K, used))) return VOUCH_ERROR_MEMORY;
    CODE(c, (*col)->option, used);
    CODE(c, (*col)->mass, used);
    CODE(c, (*col)->regret, K);
    CODE(c, (*col)->pr, K);
    return VOUCH_OK;
}

/* ---- answers ----------------------------------------------------------------------------------------------------------- */

/* Length of the evidence of a branched node: multipliers of each option's trial, then of the node itself. */
static size_t node_evidence(const policy_space *space) { return (size_t)(space->g->m->A + 1) * 3 * (size_t)space->K; }

/* Removes the evidence of earlier nodes. */
static void node_evidence_clear(node_result *r, const policy_space *space)
{
    size_t count = node_evidence(space);
    for (size_t i = 0; i < count && r->evidence; i++) r->evidence[i] = 0;
}

/* Reads into a result of node_result_init. */
static void code_result(codec c, node_result *r, const policy_space *space)
{
    int A = space->g->m->A, end = (int)r->end;
    code_int(c, &end);
    r->end = (vouch_node_end)end;
    code_bool(c, &r->limit);
    code_real(c, &r->cut);
    code_count(c, &r->children, 0, A > 2 ? A : 2);
    for (int i = 0; i < r->children; i++) {
        code_decision(c, &r->made[i].made);
        code_real(c, &r->made[i].bound);
    }
    code_count(c, &r->promising, -1, r->children - 1);
    code_int(c, &r->node);
    code_real(c, &r->pairs);
    code_bool(c, &r->tried);
    code_count(c, &r->pure, -1, space->K - 1);
    code_real(c, &r->pure_gain);
    code_count(c, &r->shares, 0, CANDIDATES * A);
    for (int i = 0; i < r->shares; i++) {
        code_count(c, &r->share[i].option, 0, space->g->choices - 1);
        code_count(c, &r->share[i].share, 0, SHARE_ALL);
    }
    if (r->evidence) CODE(c, r->evidence, node_evidence(space));
}

static void write_for_children(message *m, const tree_node *n, int K)
{
    const tree_node *from = tree_node_heir(n);
    int known = from ? from->count : 0;
    message_put_int(m, n->multipliers != NULL);
    if (!n->multipliers) return;
    MESSAGE_PUT(m, n->multipliers, 3 * K);
    message_put_int(m, n->count);
    for (int i = 0; i < n->count; i++) {
        int brought = 0;
        while (brought < known && from->columns[brought] != n->columns[i]) brought++;
        message_put_int(m, brought < known ? brought : -1);
        if (brought == known) (void)code_column(writing(m), &n->columns[i], K);
    }
}

static vouch_status read_for_children(message *m, tree_node *n, int K)
{
    if (!message_take_int(m)) return VOUCH_OK;
    const tree_node *from = tree_node_heir(n);
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
        else if (code_column(reading(m), &c, K))
            return VOUCH_ERROR_MEMORY;
        n->columns[n->count++] = c;
    }
    return VOUCH_OK;
}

/* The result of a node, without the parts stored in the node. */
typedef struct node_found {
    const node_result *result;
    long long inductions;    /* used */
    const incumbent *better; /* than the task's; NULL: none */
} node_found;

/* Returns the position of the number of inductions in m. */
static size_t node_answer_write(message *m, const tree_node *n, const node_found *found, const policy_space *space)
{
    node_result result = *found->result;
    tree_node own = *n;
    code_result(writing(m), &result, space);
    code_sources(writing(m), &own);
    write_for_children(m, n, space->K);
    (void)code_fixed(writing(m), &own);
    size_t at = m->length;
    message_put_int(m, found->inductions);
    message_put_int(m, found->better != NULL);
    if (found->better) {
        MESSAGE_PUT(m, found->better->best, space->g->nodes);
        figures value = found->better->value;
        code_figures(writing(m), &value, space->K);
    }
    return at;
}

vouch_status node_answer_read(message *m, tree_node *n, node_result *result, incumbent *found, long long *inductions)
{
    const policy_space *space = found->space;
    CHECK(n->count == 0 && !n->columns && !n->multipliers && n->fixed_count == 0);
    node_result_begin(result, VOUCH_OK);
    code_result(reading(m), result, space);
    code_sources(reading(m), n);
    vouch_status status = read_for_children(m, n, space->K);
    if (!status) status = code_fixed(reading(m), n);
    *inductions += message_take_int(m);
    if (!status && message_take_int(m)) {
        MESSAGE_TAKE(m, found->pick, space->g->nodes);
        found->now.shortfall = 0;
        code_figures(reading(m), &found->now, space->K);
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

/* ---- trials of strong branching as parts of a task --------------------------------------------------------------------- */

/* The candidates of strong branching at a node, and their place in its answer. */
typedef struct node_trials {
    int count;
    branching_outcome candidate[CANDIDATES];
    size_t inductions_at; /* position of the number of inductions in the answer */
    size_t length;        /* of the answer before the list */
} node_trials;

/* Appends the list of s->candidate [s->left] to the answer m. */
static void node_trials_write(message *m, size_t inductions_at, const node_solver *s)
{
    size_t length = m->length;
    for (int c = 0; c < s->left; c++) {
        message_put_int(m, s->candidate[c].node);
        message_put_int(m, s->heaviest[s->candidate[c].node]);
    }
    message_put_real(m, node_cutoff(s));
    message_put_int(m, (long long)inductions_at);
    message_put_int(m, (long long)length);
}

/* Reads the list at the end of m. ERROR_IO: none. */
static vouch_status node_trials_read(const message *m, const policy_space *space, node_trials *list)
{
    enum { BEHIND = 2 * sizeof(long long) + sizeof(double), EACH = 2 * sizeof(long long) };
    const int *start = space->g->choice_start;
    message from = *m;
    *list = (node_trials){0};
    if (m->failed || m->length < BEHIND) return VOUCH_ERROR_IO;
    from.at = m->length - BEHIND;
    double cutoff = message_take_real(&from);
    size_t most = m->length - BEHIND;
    list->inductions_at = (size_t)message_take_count(&from, 0, (long long)most);
    list->length = (size_t)message_take_count(&from, 0, (long long)most);
    list->count = (int)((most - list->length) / EACH);
    bool fits = !from.failed && list->inductions_at + sizeof(long long) <= list->length && list->count <= CANDIDATES;
    from.at = list->length;
    for (int c = 0; fits && c < list->count; c++) {
        int node = (int)message_take_count(&from, 0, space->g->time_start[space->g->T] - 1);
        int heaviest = (int)message_take_count(&from, start[node], start[node + 1] - 1);
        list->candidate[c] = (branching_outcome){node, heaviest, start[node], start[node + 1] - start[node], cutoff};
    }
    return fits && !from.failed ? VOUCH_OK : VOUCH_ERROR_IO;
}

/* The answer of one trial (branching_try). */
static void node_trial_write(message *m, const node_solver *s, const branching_outcome *tried, double score, long long inductions)
{
    message_put_int(m, inductions);
    message_put_real(m, score);
    MESSAGE_PUT(m, s->share, tried->choices);
    MESSAGE_PUT(m, s->trial, tried->choices);
    if (s->multipliers) MESSAGE_PUT(m, s->multipliers, s->colgen->space->g->m->A * 3 * s->colgen->space->K);
}

/* The winning trial. Adds the inductions of all to *inductions and their gains to result; share: scratch [A]. */
static int choose(message *trial[], int trials, const node_trials *list, unsigned char share[], node_result *result,
                  long long *inductions)
{
    int best = 0;
    double best_score = INFINITY;
    for (int c = 0; c < trials; c++) {
        *inductions += message_take_int(trial[c]);
        double score = message_take_real(trial[c]);
        MESSAGE_TAKE(trial[c], share, list->candidate[c].choices);
        branching_note_shares(&list->candidate[c], share, result);
        if (!branching_wins(score, best_score)) continue;
        best = c;
        best_score = score;
    }
    return best;
}

/* result: from the beginning of the node. */
static vouch_status end_trials(message *begun, message *trial[], int trials, const policy_space *space, node_result *result,
                               message *answer)
{
    node_trials list;
    vouch_status status = node_trials_read(begun, space, &list);
    double *bound = MEM_NEW(double, space->g->m->A);
    unsigned char *share = MEM_NEW(unsigned char, space->g->m->A);
    if (!bound || !share || status || trials > list.count) {
        bool memory = !status && (!bound || !share);
        mem_free(bound);
        mem_free(share);
        return memory ? VOUCH_ERROR_MEMORY : VOUCH_ERROR_IO;
    }
    code_result(reading(begun), result, space);
    size_t behind = begun->at;
    begun->at = list.inductions_at;
    long long inductions = message_take_int(begun);
    int best = choose(trial, trials, &list, share, result, &inductions);
    message *of = trial[best];
    MESSAGE_TAKE(of, bound, list.candidate[best].choices);
    if (result->evidence) MESSAGE_TAKE(of, result->evidence, space->g->m->A * 3 * space->K);
    branching_tried(&list.candidate[best], bound, result);
    code_result(writing(answer), result, space);
    bool whole = !begun->failed && !of->failed && behind <= list.inductions_at;
    if (whole) message_put(answer, begun->data + behind, list.inductions_at - behind);
    message_put_int(answer, inductions);
    if (whole) message_put(answer, begun->data + begun->at, list.length - begun->at);
    mem_free(bound);
    mem_free(share);
    return whole ? VOUCH_OK : VOUCH_ERROR_IO;
}

/* ---- tasks, and the worker that processes them ------------------------------------------------------------------------- */

typedef struct node_server {
    const node_work *shared;
    colgen *colgen;
    bool borrowed; /* the caller owns colgen */
    incumbent *inc;
    node_solver solver;
    node_result result;
    tree_node *path; /* [path_room], the root first */
    size_t path_room;
    column **columns; /* [count] of the task */
    size_t count, columns_room;
    int grain;        /* limit on the nodes of the task */
    tree_node **made; /* [children] of processed nodes; NULL: processed in this task */
    size_t children, made_room;
    int *best;                        /* [nodes] the task's incumbent */
    double *pure_gain;                /* [K] */
    unsigned char *closed, *foreseen; /* [choices] */
    arena memory;                     /* of the four arrays above */
} node_server;

static void code_incumbent(codec c, incumbent *inc)
{
    code_bool(c, &inc->found);
    code_bool(c, &inc->total);
    code_real(c, &inc->cap);
    code_real(c, &inc->bound_cap);
    CODE(c, inc->best, inc->space->g->nodes);
    if (inc->found) code_figures(c, &inc->value, inc->space->K);
}

static void write_path(message *m, const tree_node *n)
{
    if (n->parent) write_path(m, n->parent);
    tree_node own = *n;
    code_decision(writing(m), &own.made);
    (void)code_fixed(writing(m), &own);
}

void node_task_write(message *m, const tree_node *n, const incumbent *inc, long long most, const node_task_start *start)
{
    const policy_space *space = inc->space;
    const tree_node *from = tree_node_heir(n);
    int K = space->K;
    message_put_int(m, n->depth);
    write_path(m, n);
    message_put_int(m, n->id);
    tree_node own = *n;
    code_sources(writing(m), &own);
    message_put_int(m, most);
    message_put_int(m, start->grain);
    MESSAGE_PUT(m, from ? from->multipliers : start->lambda, 3 * K);
    MESSAGE_PUT(m, start->pure_gain, K);
    MESSAGE_PUT(m, branching_record_mean(start->record), space->g->choices);
    MESSAGE_PUT(m, branching_record_foreseen(start->record), space->g->choices);
    message_put_int(m, from ? from->count : 0);
    for (int i = 0; from && i < from->count; i++) (void)code_column(writing(m), &from->columns[i], K);
    incumbent best = *inc;
    code_incumbent(writing(m), &best);
}

static void clear_task(node_server *s)
{
    for (size_t i = 0; i < s->children; i++) tree_node_release(s->made[i]);
    s->children = 0;
    for (size_t i = 0; i < s->path_room && s->path; i++) {
        tree_node *n = &s->path[i];
        for (int c = 0; c < n->count; c++) column_release(n->columns[c]);
        MEM_FREE_ALL(n->columns, n->multipliers, n->fixed);
        *n = (tree_node){.id = 0};
    }
    for (size_t i = 0; i < s->count; i++) column_release(s->columns[i]);
    s->count = 0;
}

static vouch_status read_path(node_server *s, message *m, tree_node **out)
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
        /* the last node counts a child, too, or releasing its children would free it */
        *n = (tree_node){.id = 1, .pure = -1, .depth = (int)i, .parent = i > 0 ? n - 1 : NULL, .children = 1};
        code_decision(reading(m), &n->made);
        vouch_status status = code_fixed(reading(m), n);
        if (status) return status;
    }
    *out = &s->path[length - 1];
    return m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

/* Multipliers and columns, stored at the parent. */
static vouch_status read_inherited(node_server *s, message *m, tree_node *parent)
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
        if (code_column(reading(m), &c, K)) return VOUCH_ERROR_MEMORY;
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

static vouch_status read_task(node_server *s, message *m, tree_node **out)
{
    vouch_status status = read_path(s, m, out);
    if (status) return status;
    tree_node *n = *out;
    n->id = message_take_int(m);
    code_sources(reading(m), n);
    s->colgen->most = message_take_int(m);
    s->grain = (int)message_take_count(m, 1, INT32_MAX);
    status = read_inherited(s, m, n->parent);
    if (status) return status;
    code_incumbent(reading(m), s->inc);
    MEM_COPY(s->best, s->inc->best, s->shared->space->g->nodes);
    return m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

static void server_close(void *own)
{
    node_server *s = own;
    if (!s) return;
    clear_task(s);
    if (s->solver.colgen) node_solver_clear(&s->solver);
    node_result_clear(&s->result);
    incumbent_free(s->inc);
    if (!s->borrowed) colgen_free(s->colgen);
    MEM_FREE_ALL(s->path, s->made, s->columns);
    ARENA_FREE(s);
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
    s->best = ARENA_NEW(&s->memory, int, w->space->g->nodes);
    s->pure_gain = ARENA_NEW(&s->memory, double, w->space->K);
    s->closed = ARENA_NEW(&s->memory, unsigned char, w->space->g->choices);
    s->foreseen = ARENA_NEW(&s->memory, unsigned char, w->space->g->choices);
    if (s->memory.failed) return VOUCH_ERROR_MEMORY;
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

/* Processes one node and appends its answer. Returns the position of its number of inductions there. */
static size_t process_node(node_server *s, tree_node *n, message *answer)
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

static vouch_status add_children(node_server *s, tree_node *n)
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

/* The next node of the task: the promising child of the last node, else the child that the search would select. -1: all are cut
 * off. */
static long long next_child(const node_server *s)
{
    long long least = s->result.promising >= 0 ? (long long)s->children - 1 : -1;
    for (size_t i = 0; i < s->children && s->result.promising < 0; i++)
        if (s->made[i] && (least < 0 || tree_node_before(NULL, s->made[i], s->made[least]))) least = (long long)i;
    return least >= 0 && s->made[least]->bound >= node_cutoff(&s->solver) ? -1 : least;
}

/* Processes the nodes of a task, n first. */
static vouch_status process_nodes(node_server *s, tree_node *n, message *answer)
{
    const tree_node *first = n;
    vouch_status status = VOUCH_OK;
    for (int left = s->grain - 1; !status && n; left--) {
        long long next = -1;
        (void)process_node(s, n, answer);
        status = s->result.status;
        bool more = !status && left > 0 && !s->result.limit && s->colgen->most >= 0;
        if (more) status = add_children(s, n);
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
    vouch_status status = read_task(s, task, &n);
    if (!status) status = process_nodes(s, n, answer);
    clear_task(s);
    return status;
}

/* ---- a node whose trials are parts of its task ------------------------------------------------------------------------- */

static vouch_status server_begin(void *own, message *task, message *answer, int *parts)
{
    node_server *s = own;
    tree_node *n = NULL;
    vouch_status status = read_task(s, task, &n);
    s->solver.apart = s->grain == 1;
    if (!status && s->solver.apart) {
        size_t inductions_at = process_node(s, n, answer);
        status = s->result.status;
        *parts = s->solver.left;
        message_put_int(answer, -1); /* no other node follows */
        if (*parts > 0) node_trials_write(answer, inductions_at, &s->solver);
    } else if (!status)
        status = process_nodes(s, n, answer);
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
    vouch_status status = read_task(s, task, &n);
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
    /* The answer of a node from its beginning, with the list behind it, and from the trials. */
    node_result result;
    CHECK_COMPARE(parts, >, 0);
    vouch_status status = node_result_init(&result, w->space, w->options);
    node_result_begin(&result, VOUCH_OK);
    if (!status) status = end_trials(begun, part, parts, w->space, &result, answer);
    node_result_clear(&result);
    return status;
}

static bool server_late(const void *shared) { return deadline_expired(&((const node_work *)shared)->options->limit); }

task_work node_task_work(node_work *shared)
{
    static const task_parts trials = {server_begin, server_part, server_end};
    return (task_work){
        .shared = shared, .open = server_open, .run = server_run, .close = server_close, .parts = &trials, .late = server_late};
}

/* ---- a node in the calling thread, by the journal ---------------------------------------------------------------------- */

vouch_status node_alone_init(node_alone *a, const node_work *work)
{
    *a = (node_alone){.journal = work->options->journal};
    if (!a->journal) return VOUCH_OK;
    a->session = journal_session(a->journal, node_work_kind(work));
    a->best = MEM_NEW(int, work->space->g->nodes);
    return a->best ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

void node_alone_clear(node_alone *a)
{
    message_free(&a->task);
    message_free(&a->answer);
    mem_free(a->best);
}

/* Price of determinism, written by the first root; NULL at other nodes. */
static double *determinism_of(const node_solver *s, const tree_node *n) { return n->parent ? NULL : s->options->determinism; }

static vouch_status read_alone(message *m, node_solver *s, tree_node *n, node_result *result, long long *inductions)
{
    int K = s->colgen->space->K;
    vouch_status status = node_answer_read(m, n, result, s->inc, inductions);
    MESSAGE_TAKE(m, s->colgen->mix.lambda, 3 * K); /* with nu and mu */
    if (determinism_of(s, n)) MESSAGE_TAKE(m, determinism_of(s, n), K);
    return !status && m->failed ? VOUCH_ERROR_IO : status;
}

/* Computes *key and reads a->answer. False: not in the journal. */
static bool find_answer(node_alone *a, const node_solver *s, const tree_node *n, const node_task_start *start, journal_key *key)
{
    message_clear(&a->task);
    node_task_write(&a->task, n, s->inc, s->colgen->most, start);
    *key = journal_key_of(a->session, &a->task);
    return !a->task.failed && journal_find(a->journal, key, &a->answer);
}

static void store_answer(node_alone *a, const node_solver *s, const tree_node *n, const node_found *found, const journal_key *key)
{
    if (a->task.failed || found->result->status || deadline_expired(&s->options->limit)) return;
    int K = s->colgen->space->K;
    message_clear(&a->answer);
    (void)node_answer_write(&a->answer, n, found, s->colgen->space);
    MESSAGE_PUT(&a->answer, s->colgen->mix.lambda, 3 * K);
    if (determinism_of(s, n)) MESSAGE_PUT(&a->answer, determinism_of(s, n), K);
    if (!a->answer.failed) journal_keep(a->journal, key, &a->answer);
}

void node_alone_process(node_alone *a, node_solver *s, tree_node *n, rng *random, const node_task_start *start, node_result *result,
                        long long *inductions)
{
    const policy_space *space = s->colgen->space;
    long long before = s->colgen->inductions;
    bool had = s->inc->found;
    journal_key key;
    if (a->journal) {
        if (find_answer(a, s, n, start, &key)) {
            result->status = read_alone(&a->answer, s, n, result, inductions);
            return;
        }
        MEM_COPY(a->best, s->inc->best, space->g->nodes);
        node_evidence_clear(result, space);
    }
    node_process(s, n, random, result);
    long long used = s->colgen->inductions - before;
    *inductions += used;
    if (!a->journal) return;
    bool better = s->inc->found && (!had || memcmp(a->best, s->inc->best, (size_t)space->g->nodes * sizeof *a->best) != 0);
    store_answer(a, s, n, &(node_found){result, used, better ? s->inc : NULL}, &key);
}
