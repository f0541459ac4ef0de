/* plan/spatial/box_branch.c - which choice of a box to split, and where:  argmax over candidates of  gain below * gain above *
 * spread.
 *
 * Candidates are the choices with the largest differences between policies of the mixture, one a policy node, in occupancies from
 * the mixture as one policy pi:
 *
 *     spread(a) = sum_k weight_k sum_i alpha_i |y_i(a;k) - pi(a) y_i(n;k)|
 *
 * Without the absolute values this is the distance of the mixture itself from one policy: zero where policies part at a node that
 * all of them reach alike, and positive only where they meet again, where a split has to be far narrower. Where policies are mixed,
 * the policies of the box are moved into each part and mixed anew, which needs no pricing; the gain is the rise of the mixture's
 * value. Where classes choose for themselves, both parts are bounded (strong branching), until RELIABLE trials of a candidate
 * give a mean gain in proportion to its spread (reliability branching: T. Achterberg, T. Koch, A. Martin, Operations Research
 * Letters 33, 2005). Cost: for each candidate two master programs, or two bounds with few rows while it is not yet reliable.
 * Invariant: candidates are sorted by spread, and both parts of a box together hold every policy of it.
 */
#include "plan/spatial/box.h"

#include "base/check.h"
#include "base/memory.h"

/* A node disagrees when the occupancies of its choices differ from one policy's by more than this. */
static const double DISAGREE = 1e-9;
static const int RELIABLE = 4;     /* trials of each part after which the mean is believed */
static const int TRIAL_ROUNDS = 1; /* of added rows in a trial: enough to tell candidates apart */
/* A box is split no nearer to its sides than this part of its width. */
static const double MARGIN = 0.2;
/* Lower limit of a gain, as a part of the distance to the cutoff, so that one good part does not outweigh everything. */
static const double LEAST_GAIN = 0.01;

vouch_status box_branch_new(const policy_space *space, size_t dim, box_branch **out)
{
    size_t choices = (size_t)space->g->choices;
    box_branch *r = *out = MEM_ZERO(box_branch, 1);
    if (!r) return VOUCH_ERROR_MEMORY;
    arena *a = &r->memory;
    r->space = space;
    r->prob = ARENA_ZERO(a, double, choices);
    r->gain = ARENA_ZERO(a, double, 2 * choices);
    r->trials = ARENA_ZERO(a, int, 2 * choices);
    r->spread = ARENA_NEW(a, double, choices *(size_t)space->K);
    r->low = ARENA_NEW(a, double, 2 * choices);
    for (int upper = 0; upper < 2; upper++) {
        r->chosen[upper] = ARENA_NEW(a, double, dim);
        r->trial[upper] = ARENA_NEW(a, double, dim);
    }
    r->high = a->failed ? NULL : r->low + choices;
    if (!a->failed) return VOUCH_OK;
    box_branch_free(r);
    *out = NULL;
    return VOUCH_ERROR_MEMORY;
}

void box_branch_free(box_branch *r) { ARENA_FREE(r); }

/* Insertion, the widest first; ties keep the order of nodes. */
static void insert(box_branch *r, int choice, double apart)
{
    if (r->count == BRANCH_CANDIDATES && r->apart[r->count - 1] >= apart) return;
    int at = r->count < BRANCH_CANDIDATES ? r->count++ : r->count - 1;
    for (; at > 0 && r->apart[at - 1] < apart; at--) {
        r->apart[at] = r->apart[at - 1];
        r->choice[at] = r->choice[at - 1];
    }
    r->apart[at] = apart;
    r->choice[at] = choice;
}

/* The weight of a unit of occupancy in environment k: where policies are mixed, by the multipliers of the best bound. */
static double weight_of(const box_bound *b, size_t k)
{
    const double *m = b->kept[0].value;
    return b->pricer && b->kept_count ? m[k] + m[(size_t)b->space->K + k] : 1;
}

/* Distance between the occupancies of choice c in the mixture and under its mean policy; node [K]: occupancies of its node. */
static double disagreement(const box_branch *r, const box_bound *b, int c, const double node[])
{
    size_t K = (size_t)r->space->K;
    double off = 0;
    for (size_t k = 0; k < K; k++) off += weight_of(b, k) * fabs(b->mix[(size_t)c * K + k] - r->prob[c] * node[k]);
    return off;
}

/* The differences of its policies from it. */
static double spread(const box_branch *r, const box_bound *b, int c)
{
    size_t K = (size_t)r->space->K;
    double sum = 0;
    for (size_t k = 0; k < K; k++) sum += weight_of(b, k) * r->spread[(size_t)c * K + k];
    return sum;
}

void box_branch_look(box_branch *r, box_bound *b)
{
    const know_graph *g = r->space->g;
    size_t K = (size_t)g->K;
    bool agreed = true;
    r->count = 0;
    /* The mixture as one policy: each choice's share of its node's occupancy, summed over environments. */
    for (int n = 0; n < g->time_start[g->T]; n++) {
        size_t first = (size_t)g->choice_start[n], last = (size_t)g->choice_start[n + 1];
        double sum = 0;
        for (size_t i = first * K; i < last * K; i++) sum += b->mix[i];
        for (size_t c = first; c < last; c++) {
            double mass = 0;
            for (size_t k = 0; k < K; k++) mass += b->mix[c * K + k];
            r->prob[c] = sum > 0 ? mass / sum : b->low[c];
        }
    }
    box_master_spread(b->program, r->prob, r->spread);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], last = g->choice_start[n + 1], widest = -1;
        double *here = b->pr, most = DISAGREE; /* [K] scratch */
        memset(here, 0, K * sizeof *here);
        for (int c = first; c < last; c++)
            for (size_t k = 0; k < K; k++) here[k] += b->mix[(size_t)c * K + k];
        for (int c = first; c < last; c++) {
            if (b->high[c] <= b->low[c]) continue;
            agreed = agreed && disagreement(r, b, c, here) <= DISAGREE;
            double apart = spread(r, b, c);
            if (apart <= most) continue;
            most = apart;
            widest = c;
        }
        if (widest >= 0) insert(r, widest, most);
    }
    r->agreed = agreed;
}

void box_part(const know_graph *g, double low[], double high[], int choice, double at, bool upper)
{
    double least = 0, most = 0;
    int n = know_owner(g, choice);
    CHECK(g->choice_start[n] <= choice && choice < g->choice_start[n + 1]);
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

/* Shrinks the box to a part. */
static void enter_part(const box_branch *r, box_bound *b, const box_split *split, int upper)
{
    MEM_COPY(b->low, r->low, 2 * r->space->g->choices); /* with high */
    box_part(r->space->g, b->low, b->high, split->choice, split->at, upper);
}

/* Bounds both parts of candidate i and counts the gains. */
static vouch_status try_parts(box_branch *r, box_bound *b, const box_task *task, int i, box_split *split)
{
    box_options few = *task->options;
    box_task trial = *task;
    few.rounds = few.rounds < TRIAL_ROUNDS ? few.rounds : TRIAL_ROUNDS;
    trial.options = &few;
    for (int upper = 0; upper < 2; upper++) {
        box_end end;
        int at = 2 * split->choice + upper;
        enter_part(r, b, split, upper);
        vouch_status status = box_bound_solve(b, &trial, &end);
        if (status) return status;
        split->bound[upper] = b->bound;
        if (b->kept_count) memcpy(r->trial[upper], b->kept[0].value, b->dim * sizeof(double));
        r->gain[at] += fmax(0, fmin(b->bound, task->cutoff) - task->known) / r->apart[i];
        r->trials[at]++;
    }
    return VOUCH_OK;
}

/* The gains of both parts of candidate i, by trial or as the mean of earlier trials. */
static vouch_status gain_by_trial(box_branch *r, box_bound *b, const box_task *task, int i, box_split *split, double gain[2])
{
    int at = 2 * split->choice;
    bool reliable = r->trials[at] >= RELIABLE && r->trials[at + 1] >= RELIABLE;
    vouch_status status = reliable ? VOUCH_OK : try_parts(r, b, task, i, split);
    for (int upper = 0; upper < 2; upper++)
        gain[upper] = reliable ? r->gain[at + upper] / r->trials[at + upper] * r->apart[i] : split->bound[upper] - task->known;
    return status;
}

/* The same where policies are mixed: their mixtures in the parts need no pricing. whole: the value of that in both parts together.
 * A split that leaves the mixture as it is gains nothing, however far the bound is below it. */
static vouch_status gain_by_mixtures(box_branch *r, box_bound *b, const box_task *task, const box_split *split, double whole,
                                     double gain[2])
{
    vouch_status status = VOUCH_OK;
    for (int upper = 0; upper < 2 && !status; upper++) {
        enter_part(r, b, split, upper);
        status = box_bound_estimate(b, task, &gain[upper]);
        gain[upper] -= whole;
    }
    return status;
}

static void adopt(box_branch *r, const box_split *best, box_split *split)
{
    *split = *best;
    for (int upper = 0; upper < 2; upper++) {
        double *swap = r->chosen[upper];
        r->chosen[upper] = r->trial[upper];
        r->trial[upper] = swap;
    }
}

vouch_status box_branch_choose(box_branch *r, box_bound *b, const box_task *task, box_split *split)
{
    bool mixed = b->pricer && task->column_count > 0;
    int sides = 2 * r->space->g->choices, count = mixed || r->count < BRANCH_TRIED ? r->count : BRANCH_TRIED;
    double from = mixed ? b->mixture : task->known, missing = isfinite(task->cutoff) ? fmax(0, task->cutoff - from) : 1;
    double least = LEAST_GAIN * missing, best = -INFINITY;
    vouch_status status = VOUCH_OK;
    CHECK(r->count > 0 && r->count <= BRANCH_CANDIDATES);
    MEM_COPY(r->low, b->low, sides); /* with high */
    for (int i = 0; i < count && !status; i++) {
        int c = r->choice[i];
        double edge = MARGIN * (r->high[c] - r->low[c]), gain[2] = {0, 0};
        box_split s = {c, fmin(fmax(r->prob[c], r->low[c] + edge), r->high[c] - edge), {-INFINITY, -INFINITY}};
        CHECK(r->apart[i] > 0 && (i == 0 || r->apart[i] <= r->apart[i - 1]));
        if (count > 1 && !deadline_expired(task->limit))
            status = mixed ? gain_by_mixtures(r, b, task, &s, from, gain) : gain_by_trial(r, b, task, i, &s, gain);
        for (int upper = 0; upper < 2; upper++) gain[upper] = fmax(least, fmin(gain[upper], missing));
        double score = gain[0] * gain[1] * r->apart[i]; /* of two that lift the bound alike, the one with more to settle */
        if (score > best) adopt(r, &s, split);
        best = fmax(best, score);
    }
    MEM_COPY(b->low, r->low, sides);
    box_bound_enter(b);
    return status;
}
