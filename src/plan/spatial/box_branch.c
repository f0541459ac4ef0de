/* plan/spatial/box_branch.c - see box_branch.h. */
#include "plan/spatial/box_branch.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* A node disagrees when the occupancies of its choices differ from those of one policy by more than this. */
static const double DISAGREE = 1e-9;
static const int RELIABLE = 4;     /* trials of each part after which the mean is believed */
static const int TRIAL_ROUNDS = 1; /* of added rows in a trial: enough to tell candidates apart */
/* Gains below this part of what is missing to the cutoff count as that, so that one good part does not outweigh everything. */
static const double LEAST_GAIN = 0.01;

vouch_status box_branch_new(const policy_space *space, box_branch **out)
{
    size_t choices = (size_t)space->g->choices;
    box_branch *r = *out = MEM_ZERO(box_branch, 1);
    if (!r) return VOUCH_ERROR_MEMORY;
    r->space = space;
    r->prob = MEM_ZERO(double, choices);
    r->gain = MEM_ZERO(double, 2 * choices);
    r->trials = MEM_ZERO(int, 2 * choices);
    r->low = MEM_NEW(double, choices);
    r->high = MEM_NEW(double, choices);
    if (r->prob && r->gain && r->trials && r->low && r->high) return VOUCH_OK;
    box_branch_free(r);
    *out = NULL;
    return VOUCH_ERROR_MEMORY;
}

void box_branch_free(box_branch *r)
{
    if (!r) return;
    mem_free(r->prob);
    mem_free(r->gain);
    mem_free(r->trials);
    mem_free(r->low);
    mem_free(r->high);
    mem_free(r);
}

/* Insertion, the most disagreeing first; ties keep the order of nodes. */
static void insert(box_branch *r, int choice, double off)
{
    if (r->count == BRANCH_CANDIDATES && r->off[r->count - 1] >= off) return;
    int at = r->count < BRANCH_CANDIDATES ? r->count++ : r->count - 1;
    for (; at > 0 && r->off[at - 1] < off; at--) {
        r->off[at] = r->off[at - 1];
        r->choice[at] = r->choice[at - 1];
    }
    r->off[at] = off;
    r->choice[at] = choice;
}

void box_branch_look(box_branch *r, box_bound *b)
{
    const know_graph *g = r->space->g;
    size_t K = (size_t)g->K;
    r->count = 0;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], last = g->choice_start[n + 1], worst = -1;
        double *here = b->pr, sum = 0, most = DISAGREE; /* [K] scratch */
        memset(here, 0, K * sizeof *here);
        for (int c = first; c < last; c++)
            for (size_t k = 0; k < K; k++) here[k] += b->mix[(size_t)c * K + k];
        for (size_t k = 0; k < K; k++) sum += here[k];
        for (int c = first; c < last; c++) {
            double mass = 0, off = 0;
            for (size_t k = 0; k < K; k++) mass += b->mix[(size_t)c * K + k];
            r->prob[c] = sum > 0 ? mass / sum : b->low[c];
            for (size_t k = 0; k < K; k++) off += fabs(b->mix[(size_t)c * K + k] - r->prob[c] * here[k]);
            if (off > most && b->high[c] > b->low[c]) {
                most = off;
                worst = c;
            }
        }
        if (worst >= 0) insert(r, worst, most);
    }
}

static int node_of(const know_graph *g, int choice)
{
    int a = 0, b = g->nodes;
    while (b - a > 1) {
        int mid = (a + b) / 2;
        if (g->choice_start[mid] <= choice)
            a = mid;
        else
            b = mid;
    }
    return a;
}

void box_part(const know_graph *g, double low[], double high[], int choice, double at, bool upper)
{
    double least = 0, most = 0;
    int n = node_of(g, choice);
    *(upper ? &low[choice] : &high[choice]) = at;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        least += low[c];
        most += high[c];
    }
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        double floor = 1 - (most - high[c]), ceiling = 1 - (least - low[c]);
        low[c] = fmax(low[c], floor);
        high[c] = fmax(low[c], fmin(high[c], ceiling));
    }
}

/* Bounds both parts of candidate i and counts what was gained. */
static vouch_status try_parts(box_branch *r, box_bound *b, int i, double bound, const multipliers from[], int count, double cutoff,
                              const box_options *options, const deadline *limit, box_split *split)
{
    size_t choices = (size_t)r->space->g->choices;
    box_options o = *options;
    o.rounds = o.rounds < TRIAL_ROUNDS ? o.rounds : TRIAL_ROUNDS;
    for (int upper = 0; upper < 2; upper++) {
        box_end end;
        size_t at = 2 * (size_t)split->choice + (size_t)upper;
        memcpy(b->low, r->low, choices * sizeof *b->low);
        memcpy(b->high, r->high, choices * sizeof *b->high);
        box_part(r->space->g, b->low, b->high, split->choice, split->at, upper);
        vouch_status status = box_bound_solve(b, from, count, cutoff, &o, limit, &end);
        if (status) return status;
        split->bound[upper] = b->bound;
        r->gain[at] += fmax(0, fmin(b->bound, cutoff) - bound) / r->off[i];
        r->trials[at]++;
    }
    return VOUCH_OK;
}

vouch_status box_branch_choose(box_branch *r, box_bound *b, double bound, const multipliers from[], int count, double cutoff,
                               double margin, const box_options *options, const deadline *limit, box_split *split)
{
    size_t choices = (size_t)r->space->g->choices;
    double missing = isfinite(cutoff) ? cutoff - bound : 1, least = LEAST_GAIN * missing, best = -INFINITY;
    vouch_status status = VOUCH_OK;
    memcpy(r->low, b->low, choices * sizeof *b->low);
    memcpy(r->high, b->high, choices * sizeof *b->high);
    for (int i = 0; i < r->count && !status; i++) {
        int c = r->choice[i];
        double edge = margin * (r->high[c] - r->low[c]), gain[2];
        box_split s = {c, fmin(fmax(r->prob[c], r->low[c] + edge), r->high[c] - edge), {-INFINITY, -INFINITY}};
        const int *trials = r->trials + 2 * c;
        bool reliable = trials[0] >= RELIABLE && trials[1] >= RELIABLE, alone = r->count == 1;
        if (!reliable && !alone && !deadline_expired(limit))
            status = try_parts(r, b, i, bound, from, count, cutoff, options, limit, &s);
        for (int upper = 0; upper < 2; upper++) {
            gain[upper] = reliable && trials[upper] ? r->gain[2 * c + upper] / trials[upper] * r->off[i] : s.bound[upper] - bound;
            gain[upper] = fmax(least, fmin(gain[upper], missing));
        }
        double score = gain[0] * gain[1] * r->off[i]; /* of two that lift the bound alike, the one with more to settle */
        if (score > best) {
            best = score;
            *split = s;
        }
    }
    memcpy(b->low, r->low, choices * sizeof *b->low);
    memcpy(b->high, r->high, choices * sizeof *b->high);
    box_bound_enter(b);
    return status;
}
