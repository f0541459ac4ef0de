/* plan/spatial/box_bound.c - the bound of a box by column generation, with rows  y(n,a;k) <= pi(a) y_k  where the mixture breaks
 * them:
 *
 *     bound(lambda, mu, beta) = sum_k lambda_k U*(k) + mu_k p(k) - V - sum_n M(n)
 *
 * V by one induction (know/box.h), M(n) by looking at all vertices of up to MOST_CORNERS choices, else at each environment apart.
 * Source: THEORY.md, 6.1; G. McCormick, Mathematical Programming 10 (1976). Cost: an induction a column, 2^choices K at a node
 * with beta. Invariant: b->bound is the best of what inductions gave, never the master's value; multipliers kept are those of this
 * box.
 */
#include "plan/spatial/box_bound.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "know/box.h"

/* Price of a unit of missing commitment in the master: boxes that cannot keep it are cut off by it. The bound does not depend on
 * it. */
static const double PENALTY = 1e4;
/* Mixture and bound have met when closer than this, relative to 1 + value. */
static const double MEET = 1e-8;
/* Rows broken by less are left out: an occupancy. */
static const double BROKEN = 1e-6;
static const int MOST_COLUMNS = 400; /* of one box; only numerical trouble gets here */
static const int ROWS_A_ROUND = 12;
static const int MOST_CORNERS = 5; /* choices of a node up to which all corners of its box are looked at */
/* Sums of low and high may pass 1 by what halving and clamping them round. */
static const double EMPTY = 1e-9;
/* Rounding of the sum of a corner's sides. */
static const double SIDES = 1e-12;
/* Visits after which the policy whose classes agree is no longer looked for; how many times as long as that has taken bounds do
 * without it at most: not at all at first, once if it is so again, then twice as long each time. */
static const double AGREE_VISITS = 30000, MOST_REST = 16;
/* A visit takes as long as so many slots of an induction. */
static const double VISIT_SLOTS = 12;

vouch_status box_bound_new(const policy_space *space, bool agree, box_bound **out)
{
    box_bound *b = MEM_ZERO(box_bound, 1);
    if (!b) return VOUCH_ERROR_MEMORY;
    const know_graph *g = space->g;
    const know_classes *c = space->c;
    size_t K = (size_t)space->K, choices = (size_t)g->choices, nodes = (size_t)g->nodes;
    arena *a = &b->memory;
    b->space = space;
    b->dim = 2 * K + choices * K;
    for (int i = 0; i < BOX_MEMORY; i++) b->kept[i].value = ARENA_NEW(a, double, b->dim);
    b->low = ARENA_NEW(a, double, 2 * choices);
    b->least = ARENA_NEW(a, double, nodes *K);
    b->most = ARENA_NEW(a, double, nodes *K);
    b->ranged = ARENA_ZERO(a, unsigned char, nodes);
    b->now = ARENA_NEW(a, double, b->dim);
    b->reward = ARENA_NEW(a, double, choices *K);
    b->y = ARENA_NEW(a, double, choices *K);
    b->mix = ARENA_NEW(a, double, choices *K);
    b->value = ARENA_NEW(a, double, c->classes);
    b->reach = ARENA_NEW(a, double, c->classes);
    b->prob = ARENA_NEW(a, double, c->slots);
    b->regret = ARENA_NEW(a, double, K);
    b->pr = ARENA_NEW(a, double, K);
    b->scratch = ARENA_NEW(a, double, nodes + 2 * (size_t)g->m->A);
    b->choice = ARENA_NEW(a, int, g->m->A);
    b->single = ARENA_NEW(a, double, choices);
    if (a->failed || box_master_new(g, &b->program) || (agree && box_agree_new(g, &b->agree))) {
        box_bound_free(b);
        return VOUCH_ERROR_MEMORY;
    }
    b->high = b->low + choices;
    for (size_t i = 0; i < choices; i++) {
        b->low[i] = 0;
        b->high[i] = g->choice_twin[i] == (int)i;
    }
    box_bound_enter(b);
    *out = b;
    return VOUCH_OK;
}

/* Contract: a box that is not empty, twins out of it. */
static void box_check(const box_bound *b)
{
#ifdef VOUCH_DEBUG
    const know_graph *g = b->space->g;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double least = 0, most = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            CHECK(b->low[c] >= 0 && b->low[c] <= b->high[c]);
            CHECK(g->choice_twin[c] == c || b->high[c] == 0);
            least += b->low[c];
            most += b->high[c];
        }
        CHECK_COMPARE(least, <=, 1 + EMPTY);
        CHECK_COMPARE(most, >=, 1 - EMPTY);
    }
#else
    (void)b;
    (void)EMPTY;
#endif
}

void box_bound_enter(box_bound *b)
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    memset(b->ranged, 0, (size_t)g->nodes);
    memset(b->least, 0, (size_t)g->nodes * K * sizeof *b->least);
    for (size_t i = 0; i < (size_t)g->nodes * K; i++) b->most[i] = 1;
}

/* The induction at the prices in b->reward and mu [K]. */
static box_induction induction_of(const box_bound *b, const double mu[])
{
    return (box_induction){.c = b->space->c,
                           .reward = b->reward,
                           .mu = mu,
                           .in = {b->low, b->high},
                           .value = b->value,
                           .prob = b->prob,
                           .reach = b->reach,
                           .scratch = b->scratch};
}

static void range(box_bound *b, int n)
{
    size_t at = (size_t)n * (size_t)b->space->K;
    if (b->ranged[n]) return;
    box_reach(b->space->g, n, (policy_box){b->low, b->high}, b->scratch, b->least + at, b->most + at);
    b->ranged[n] = 1;
}

/* Ranges where the mixture's occupancies differ from those of its mean policy: the rows at these nodes should be tight. */
static void range_disagreeing(box_bound *b)
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double sum = 0, off = 0;
        if (b->ranged[n]) continue;
        memset(b->pr, 0, K * sizeof *b->pr);
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (size_t k = 0; k < K; k++) {
                b->pr[k] += b->mix[(size_t)c * K + k];
                sum += b->mix[(size_t)c * K + k];
            }
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && sum > 0; c++) {
            double mass = 0;
            for (size_t k = 0; k < K; k++) mass += b->mix[(size_t)c * K + k];
            for (size_t k = 0; k < K; k++) off = fmax(off, fabs(b->mix[(size_t)c * K + k] - mass / sum * b->pr[k]));
        }
        if (off > BROKEN) range(b, n);
    }
}

void box_bound_free(box_bound *b)
{
    if (!b) return;
    box_master_free(b->program);
    box_agree_free(b->agree);
    arena_free(&b->memory);
    mem_free(b);
}

/* sum_k max over y_k in [least, most] of y_k * slope_k */
static double node_worth(const box_bound *b, int n, const double slope[])
{
    size_t K = (size_t)b->space->K;
    double sum = 0;
    for (size_t k = 0; k < K; k++) sum += slope[k] * (slope[k] > 0 ? b->most : b->least)[(size_t)n * K + k];
    return sum;
}

/* A vertex of the box of a node: all choices but `loose` at the sides given by bits (1: high), the loose one takes the rest. */
typedef struct corner {
    int loose;
    unsigned sides;
} corner;

/* M(n) for one vertex over choice [count]. -INFINITY: it is none. */
static double corner_worth(box_bound *b, int n, const int choice[], int count, corner at, const double beta[])
{
    size_t K = (size_t)b->space->K;
    double left = 1, *slope = b->regret; /* [K] scratch */
    memset(slope, 0, K * sizeof *slope);
    for (int i = 0; i < count; i++) {
        if (i == at.loose) continue;
        double x = at.sides >> i & 1 ? b->high[choice[i]] : b->low[choice[i]];
        left -= x;
        for (size_t k = 0; k < K; k++) slope[k] += x * beta[(size_t)choice[i] * K + k];
    }
    int c = choice[at.loose];
    if (left < b->low[c] - SIDES || left > b->high[c] + SIDES) return -INFINITY;
    for (size_t k = 0; k < K; k++) slope[k] += left * beta[(size_t)c * K + k];
    return node_worth(b, n, slope);
}

/* Where the corners are too many: each environment for itself, with y apart from pi: never less than M(n). */
static double loose_worth(const box_bound *b, int n, const int choice[], int count, const double beta[])
{
    size_t K = (size_t)b->space->K;
    double sum = 0;
    for (size_t k = 0; k < K; k++) {
        double best = -INFINITY; /* of the choices' prices: pi's value lies below the largest */
        for (int i = 0; i < count; i++) best = fmax(best, beta[(size_t)choice[i] * K + k]);
        sum += best * (best > 0 ? b->most : b->least)[(size_t)n * K + k];
    }
    return sum;
}

static double local_worth(box_bound *b, int n, const double beta[])
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    int count = 0, first = g->choice_start[n], last = g->choice_start[n + 1];
    bool any = false;
    for (size_t i = (size_t)first * K; i < (size_t)last * K; i++) any = any || beta[i] != 0;
    if (!any) return 0;
    range(b, n);
    for (int c = first; c < last; c++)
        if (g->choice_twin[c] == c && b->high[c] > 0) b->choice[count++] = c;
    if (count > MOST_CORNERS) return loose_worth(b, n, b->choice, count, beta);
    double best = -INFINITY;
    for (int loose = 0; loose < count; loose++)
        for (unsigned sides = 0; sides < 1u << count; sides++)
            if (!(sides >> loose & 1)) best = fmax(best, corner_worth(b, n, b->choice, count, (corner){loose, sides}, beta));
    return best;
}

double box_bound_price(box_bound *b, const double value[])
{
    const policy_space *space = b->space;
    const know_graph *g = space->g;
    size_t K = (size_t)g->K;
    const double *lambda = value, *mu = value + K, *beta = value + 2 * K;
    double bound = 0, shares = 0;
    for (size_t k = 0; k < K; k++) shares += lambda[k];
    for (size_t k = 0; k < K; k++)
        bound += (space->share ? shares * space->share[k] : lambda[k]) * space->optimal[k] + mu[k] * space->accepted[k];
    for (int c = 0; c < g->choices; c++)
        for (size_t k = 0; k < K; k++)
            b->reward[(size_t)c * K + k] =
                (space->share ? shares * space->share[k] : lambda[k]) * g->reward[(size_t)g->choice_pair[c] * K + k] -
                beta[(size_t)c * K + k];
    box_induction best = induction_of(b, mu);
    bound -= box_backward(&best);
    b->inductions++;
    for (int n = 0; n < g->time_start[g->T]; n++) bound -= local_worth(b, n, beta);
    return bound;
}

/* The policy that box_bound_price left behind becomes a column. */
static vouch_status add_policy(box_bound *b)
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    box_induction best = induction_of(b, NULL);
    box_forward(&best, b->y, b->pr);
    for (size_t k = 0; k < K; k++) {
        b->regret[k] = b->space->optimal[k];
        for (int c = 0; c < g->choices; c++) b->regret[k] -= b->y[(size_t)c * K + k] * g->reward[(size_t)g->choice_pair[c] * K + k];
    }
    if (b->space->share) {
        double mean = space_objective(b->space, b->regret);
        for (size_t k = 0; k < K; k++) b->regret[k] = mean;
    }
    return box_master_add(b->program, b->regret, b->pr, b->y);
}

/* Keeps multipliers: the best first, then the newest. */
static void keep(box_bound *b, double bound)
{
    if (b->kept_count < BOX_MEMORY) b->kept_count++;
    multipliers last = b->kept[b->kept_count - 1];
    bool best = b->kept_count == 1 || bound > b->kept[0].bound;
    int at = best ? 0 : 1;
    for (int i = b->kept_count - 1; i > at; i--) b->kept[i] = b->kept[i - 1];
    last.bound = bound;
    memcpy(last.value, b->now, b->dim * sizeof(double));
    b->kept[at] = last;
}

/* z has cost 1 and a least value, so that lambda may sum to less than 1 but not to more. */
static void clamp_multipliers(box_bound *b)
{
    double sum = 0;
    for (int k = 0; k < b->space->K; k++) {
        CHECK(b->now[k] >= 0 && b->now[b->space->K + k] >= 0);
        sum += b->now[k];
    }
    if (sum > 1)
        for (int k = 0; k < b->space->K; k++) b->now[k] /= sum;
}

/* Raises the bound just priced, where it does not reach the cutoff, by what V owes to classes that disagree: to the cutoff, if
 * there is nothing below it. prob is then that of the policy found. */
static double raise_by_agreement(box_bound *b, double bound, const double mu[], double cutoff)
{
    const know_classes *c = b->space->c;
    double V = b->value[0], most;
    if (!b->agree || bound >= cutoff) return bound;
    if (b->inductions < b->resting || deadline_expired(b->limit)) return bound;
    agree_task task = {b->reward, mu, bound + V - cutoff, AGREE_VISITS};
    agree_end end = box_agree_most(b->agree, &task, &most, b->single);
    double took = b->agree->visits * VISIT_SLOTS / c->slots;
    b->walked += took;
    b->resting = b->inductions + (end == AGREE_GIVEN_UP ? (long long)(b->rest * took) : 0);
    b->rest = end == AGREE_GIVEN_UP ? fmin(fmax(1, 2 * b->rest), MOST_REST) : 0;
    if (end == AGREE_GIVEN_UP) return bound;
    if (end == AGREE_LESS) return cutoff;
    for (int s = 0; s < c->slots; s++) b->prob[s] = b->single[c->slot_option[s]];
    return fmax(bound, bound + V - most);
}

/* The bound of the multipliers at hand, which are kept. */
static double price_and_keep(box_bound *b, double cutoff)
{
    double bound = raise_by_agreement(b, box_bound_price(b, b->now), b->now + b->space->K, cutoff);
    b->bound = fmax(b->bound, bound);
    keep(b, bound);
    return bound;
}

/* First columns: the policies of the multipliers handed down, or of equal ones. They may reach the cutoff. */
static vouch_status add_first(box_bound *b, const box_task *task)
{
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < task->count && !status; i++) {
        MEM_COPY(b->now, task->from[i].value, b->dim);
        price_and_keep(b, task->cutoff);
        if (b->bound >= task->cutoff) return VOUCH_OK;
        status = add_policy(b);
    }
    if (task->count > 0) return status;
    memset(b->now, 0, b->dim * sizeof *b->now);
    for (int k = 0; k < b->space->K; k++) b->now[k] = 1 / (double)b->space->K;
    b->bound = raise_by_agreement(b, box_bound_price(b, b->now), b->now + b->space->K, task->cutoff);
    return add_policy(b);
}

/* Solves the master: its value into b->mixture, its mixture into b->mix, multipliers into b->now. */
static vouch_status solve_master(box_bound *b, const deadline *limit, bool *ok)
{
    size_t K = (size_t)b->space->K;
    box_master_optimum master = {0, b->now, b->now + K, b->now + 2 * K, b->mix};
    vouch_status status = box_master_solve(b->program, limit, ok, &master);
    if (status || !*ok) return status;
    clamp_multipliers(b);
    b->mixture = master.value;
    b->mixed = true;
    return VOUCH_OK;
}

vouch_status box_bound_solve(box_bound *b, const box_task *task, box_end *end)
{
    const policy_space *space = b->space;
    const box_options *o = task->options;
    double last_round = -INFINITY; /* the mixture's value when rows were added */
    int rounds = 0;
    box_check(b);
    b->limit = task->limit;
    b->kept_count = 0;
    b->bound = -INFINITY;
    b->mixed = false;
    *end = BOX_BOUNDED;
    box_bound_enter(b);
    if (b->agree) box_agree_enter(b->agree, (policy_box){b->low, b->high});
    vouch_status status =
        box_master_start(b->program, space->accepted, 0, PENALTY, (box_ranges){b->low, b->high, b->least, b->most});
    if (!status) status = add_first(b, task);
    if (!status && task->count > 0 && b->bound >= task->cutoff) *end = BOX_CUT;
    while (!status && *end == BOX_BOUNDED && box_master_columns(b->program) < MOST_COLUMNS) {
        bool ok = false;
        int added = 0;
        if (!deadline_expired(task->limit)) status = solve_master(b, task->limit, &ok);
        if (!status && !ok && deadline_expired(task->limit)) *end = BOX_LIMIT;
        if (status || !ok) break;
        double bound = price_and_keep(b, task->cutoff), missing = task->cutoff - b->mixture;
        if (b->bound >= task->cutoff) {
            *end = BOX_CUT;
        } else if (b->mixture - bound > fmax(MEET * (1 + fabs(b->mixture)), missing > 0 ? o->patience * missing : 0)) {
            status = add_policy(b);
        } else {
            if (rounds++ < o->rounds && b->mixture - last_round > o->worth * fmax(0, missing)) {
                range_disagreeing(b);
                status = box_master_tighten(b->program, b->mix, BROKEN, ROWS_A_ROUND, &added);
            }
            if (added == 0) break;
            last_round = b->mixture;
        }
    }
    return status;
}

void box_bound_outlook(box_bound *b, const double value[], double bound, const double low2[], const double high2[], double limit[])
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    const double *beta = value + 2 * K;
    box_induction best = induction_of(b, value + K);
    box_forward(&best, b->y, b->pr);
    box_loss(&best, (policy_box){low2, high2}, limit);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double before = local_worth(b, n, beta);
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++) {
            double low = b->low[o], high = b->high[o], least = before;
            b->low[o] = low2[o];
            b->high[o] = high2[o];
            if (before != 0) least = local_worth(b, n, beta);
            b->low[o] = low;
            b->high[o] = high;
            limit[o] += bound + (isfinite(least) ? before - least : 0);
        }
    }
}
