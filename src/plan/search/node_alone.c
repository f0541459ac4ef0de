/* plan/search/node_alone.c - see node_alone.h. */
#include "plan/search/node_alone.h"

#include <string.h>

#include "base/memory.h"
#include "link/journal.h"
#include "plan/search/node.h"

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

/* What the first root shows of determinism: NULL for every other node. */
static double *shown(const node_solver *s, const tree_node *n) { return n->parent ? NULL : s->options->determinism; }

static vouch_status read_answer(message *m, node_solver *s, tree_node *n, node_result *result, long long *inductions)
{
    int K = s->colgen->space->K;
    vouch_status status = node_answer_read(m, n, result, s->inc, inductions);
    MESSAGE_TAKE(m, s->colgen->mix.lambda, 3 * K); /* with nu and mu */
    if (shown(s, n)) MESSAGE_TAKE(m, shown(s, n), K);
    return !status && m->failed ? VOUCH_ERROR_IO : status;
}

static void write_answer(message *m, const node_solver *s, const tree_node *n, const node_found *found)
{
    int K = s->colgen->space->K;
    message_clear(m);
    (void)node_answer_write(m, n, found, s->colgen->space);
    MESSAGE_PUT(m, s->colgen->mix.lambda, 3 * K);
    if (shown(s, n)) MESSAGE_PUT(m, shown(s, n), K);
}

/* Into a->answer and *key, which is the node's in any case. False: the journal does not have it. */
static bool find_answer(node_alone *a, const node_solver *s, const tree_node *n, const node_task_start *start, journal_key *key)
{
    message_clear(&a->task);
    node_task_write(&a->task, n, s->inc, s->colgen->most, start);
    *key = journal_key_of(a->session, &a->task);
    return !a->task.failed && journal_find(a->journal, key, &a->answer);
}

static void keep_answer(node_alone *a, const node_solver *s, const tree_node *n, const node_found *found, const journal_key *key)
{
    if (a->task.failed || found->result->status || deadline_expired(&s->options->limit)) return;
    write_answer(&a->answer, s, n, found);
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
            result->status = read_answer(&a->answer, s, n, result, inductions);
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
    keep_answer(a, s, n, &(node_found){result, used, better ? s->inc : NULL}, &key);
}
