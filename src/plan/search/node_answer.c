/* plan/search/node_answer.c - see node_answer.h. Cost: O(columns that are new + options given up + policy nodes, if there is a
 * better policy) bytes.
 */
#include "plan/search/node_answer.h"

#include "base/check.h"
#include "base/memory.h"
#include "plan/search/node_message.h"

size_t node_evidence(const policy_space *space) { return (size_t)(space->g->m->A + 1) * 3 * (size_t)space->K; }

void node_evidence_clear(node_result *r, const policy_space *space)
{
    size_t count = node_evidence(space);
    for (size_t i = 0; i < count && r->evidence; i++) r->evidence[i] = 0;
}

void node_result_put(message *m, const node_result *r, const policy_space *space)
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
    message_put_int(m, r->shares);
    for (int i = 0; i < r->shares; i++) {
        message_put_int(m, r->share[i].option);
        message_put_int(m, r->share[i].share);
    }
    if (r->evidence) MESSAGE_PUT(m, r->evidence, node_evidence(space));
}

void node_result_take(message *m, node_result *r, const policy_space *space)
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
    r->shares = (int)message_take_count(m, 0, CANDIDATES * A);
    for (int i = 0; i < r->shares; i++) {
        r->share[i].option = (int)message_take_count(m, 0, space->g->choices - 1);
        r->share[i].share = (int)message_take_count(m, 0, SHARE_ALL);
    }
    if (r->evidence) MESSAGE_TAKE(m, r->evidence, node_evidence(space));
}

static void put_for_children(message *m, const tree_node *n, int K)
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
        if (brought == known) message_put_column(m, n->columns[i], K);
    }
}

static vouch_status take_for_children(message *m, tree_node *n, int K)
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
        else if (message_take_column(m, K, &c))
            return VOUCH_ERROR_MEMORY;
        n->columns[n->count++] = c;
    }
    return VOUCH_OK;
}

size_t node_answer_write(message *m, const tree_node *n, const node_found *found, const policy_space *space)
{
    node_result_put(m, found->result, space);
    message_put_sources(m, n);
    put_for_children(m, n, space->K);
    message_put_ints(m, n->fixed, n->fixed_count);
    size_t at = m->length;
    message_put_int(m, found->inductions);
    message_put_int(m, found->better != NULL);
    if (found->better) {
        MESSAGE_PUT(m, found->better->best, space->g->nodes);
        message_put_figures(m, &found->better->value, space->K);
    }
    return at;
}

vouch_status node_answer_read(message *m, tree_node *n, node_result *result, incumbent *found, long long *inductions)
{
    const policy_space *space = found->space;
    CHECK(n->count == 0 && !n->columns && !n->multipliers && n->fixed_count == 0);
    node_result_begin(result, VOUCH_OK);
    node_result_take(m, result, space);
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
