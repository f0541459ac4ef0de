/* plan/search/node_trials.c - see node_trials.h. Cost of the end: O(bytes of the answer), next to nothing beside an induction. */
#include "plan/search/node_trials.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"

void node_trials_write(message *m, size_t inductions_at, const node_solver *s)
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

vouch_status node_trials_read(const message *m, const policy_space *space, node_trials *list)
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

void node_trial_write(message *m, const node_solver *s, const branching_outcome *tried, double score, long long inductions)
{
    message_put_int(m, inductions);
    message_put_real(m, score);
    MESSAGE_PUT(m, s->share, tried->choices);
    MESSAGE_PUT(m, s->trial, tried->choices);
    if (s->multipliers) MESSAGE_PUT(m, s->multipliers, s->colgen->space->g->m->A * 3 * s->colgen->space->K);
}

/* The trial that wins over those before it; *inductions: those of all are added. What each has gained goes into result; share:
 * scratch [A]. */
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

/* result: of the node as it was begun. */
static vouch_status end(message *begun, message *trial[], int trials, const policy_space *space, node_result *result,
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
    node_result_take(begun, result, space);
    size_t behind = begun->at;
    begun->at = list.inductions_at;
    long long inductions = message_take_int(begun);
    int best = choose(trial, trials, &list, share, result, &inductions);
    message *of = trial[best];
    MESSAGE_TAKE(of, bound, list.candidate[best].choices);
    if (result->evidence) MESSAGE_TAKE(of, result->evidence, space->g->m->A * 3 * space->K);
    branching_tried(&list.candidate[best], bound, result);
    node_result_put(answer, result, space);
    bool whole = !begun->failed && !of->failed && behind <= list.inductions_at;
    if (whole) message_put(answer, begun->data + behind, list.inductions_at - behind);
    message_put_int(answer, inductions);
    if (whole) message_put(answer, begun->data + begun->at, list.length - begun->at);
    mem_free(bound);
    mem_free(share);
    return whole ? VOUCH_OK : VOUCH_ERROR_IO;
}

vouch_status node_trials_end(message *begun, message *trial[], int trials, const policy_space *space, const search_options *options,
                             message *answer)
{
    node_result result;
    CHECK_COMPARE(trials, >, 0);
    vouch_status status = node_result_init(&result, space, options);
    node_result_begin(&result, VOUCH_OK);
    if (!status) status = end(begun, trial, trials, space, &result, answer);
    node_result_clear(&result);
    return status;
}
