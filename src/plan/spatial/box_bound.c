/* plan/spatial/box_bound.c - see box_bound.h. */
#include "plan/spatial/box_bound.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "know/box.h"

/* Price of a unit of missing commitment in the master: boxes that cannot keep it are cut off by it. The bound does not depend on it. */
static const double PENALTY = 1e4;
/* Mixture and bound have met when closer than this, relative to 1 + value. */
static const double MEET = 1e-8;
/* Rows broken by less are left out: an occupancy. */
static const double BROKEN = 1e-6;
static const int MOST_COLUMNS = 400; /* of one box; only numerical trouble gets here */
static const int ROWS_A_ROUND = 12;
static const int MOST_CORNERS = 5; /* choices of a node up to which all corners of its box are looked at */

vouch_status box_bound_new(const policy_space *space, box_bound **out)
{
    *out = NULL;
    box_bound *b = MEM_ZERO(box_bound, 1);
    if (!b) return VOUCH_ERROR_MEMORY;
    const know_graph *g = space->g;
    const know_classes *c = space->c;
    size_t K = (size_t)space->K, choices = (size_t)g->choices, nodes = (size_t)g->nodes;
    bool failed = false;
    b->space = space;
    b->dim = 2 * K + choices * K;
    for (int i = 0; i < BOX_MEMORY; i++) failed |= !(b->kept[i].value = MEM_NEW(double, b->dim));
    b->low = MEM_NEW(double, choices);
    b->high = MEM_NEW(double, choices);
    b->least = MEM_NEW(double, nodes *K);
    b->most = MEM_NEW(double, nodes *K);
    b->ranged = MEM_ZERO(unsigned char, nodes);
    b->now = MEM_NEW(double, b->dim);
    b->reward = MEM_NEW(double, choices *K);
    b->y = MEM_NEW(double, choices *K);
    b->mix = MEM_NEW(double, choices *K);
    b->value = MEM_NEW(double, c->classes);
    b->reach = MEM_NEW(double, c->classes);
    b->prob = MEM_NEW(double, c->slots);
    b->regret = MEM_NEW(double, K);
    b->pr = MEM_NEW(double, K);
    b->scratch = MEM_NEW(double, nodes + 2 * (size_t)g->m->A);
    b->choice = MEM_NEW(int, g->m->A);
    if (failed || !b->choice || !b->low || !b->high || !b->least || !b->most || !b->ranged || !b->now || !b->reward || !b->y ||
        !b->mix || !b->value || !b->reach || !b->prob || !b->regret || !b->pr || !b->scratch || box_master_new(g, &b->program)) {
        box_bound_free(b);
        return VOUCH_ERROR_MEMORY;
    }
    for (size_t i = 0; i < choices; i++) {
        b->low[i] = 0;
        b->high[i] = g->choice_twin[i] == (int)i;
    }
    box_bound_enter(b);
    *out = b;
    return VOUCH_OK;
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
    box_reach(b->space->g, n, (box){b->low, b->high}, b->scratch, b->least + at, b->most + at);
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
    for (int i = 0; i < BOX_MEMORY; i++) mem_free(b->kept[i].value);
    mem_free(b->low);
    mem_free(b->high);
    mem_free(b->least);
    mem_free(b->most);
    mem_free(b->ranged);
    mem_free(b->now);
    mem_free(b->reward);
    mem_free(b->y);
    mem_free(b->mix);
    mem_free(b->value);
    mem_free(b->reach);
    mem_free(b->prob);
    mem_free(b->regret);
    mem_free(b->pr);
    mem_free(b->scratch);
    mem_free(b->choice);
    box_master_free(b->program);
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

/* M(n) for one vertex: all choices but `free` at the sides given by bits, the free one takes the rest. -INFINITY: no vertex. */
static double corner_worth(const box_bound *b, int n, const int choice[], int count, int loose, unsigned sides, const double beta[],
                           double slope[])
{
    size_t K = (size_t)b->space->K;
    double left = 1;
    memset(slope, 0, K * sizeof *slope);
    for (int i = 0; i < count; i++) {
        if (i == loose) continue;
        double x = sides >> i & 1 ? b->high[choice[i]] : b->low[choice[i]];
        left -= x;
        for (size_t k = 0; k < K; k++) slope[k] += x * beta[(size_t)choice[i] * K + k];
    }
    int c = choice[loose];
    const double slack = 1e-12; /* rounding of the sides' sum */
    if (left < b->low[c] - slack || left > b->high[c] + slack) return -INFINITY;
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
    int choice[MOST_CORNERS], count = 0, first = g->choice_start[n], last = g->choice_start[n + 1];
    bool any = false;
    for (size_t i = (size_t)first * K; i < (size_t)last * K; i++) any = any || beta[i] != 0;
    if (!any) return 0;
    range(b, n);
    for (int c = first; c < last; c++)
        if (g->choice_twin[c] == c && b->high[c] > 0) {
            if (count == MOST_CORNERS) {
                for (count = 0, c = first; c < last; c++)
                    if (g->choice_twin[c] == c && b->high[c] > 0) b->choice[count++] = c;
                return loose_worth(b, n, b->choice, count, beta);
            }
            choice[count++] = c;
        }
    double best = -INFINITY;
    for (int loose = 0; loose < count; loose++)
        for (unsigned sides = 0; sides < 1u << count; sides++)
            if (!(sides >> loose & 1)) best = fmax(best, corner_worth(b, n, choice, count, loose, sides, beta, b->regret));
    return best;
}

double box_bound_price(box_bound *b, const double value[])
{
    const policy_space *space = b->space;
    const know_graph *g = space->g;
    size_t K = (size_t)g->K;
    const double *lambda = value, *mu = value + K, *beta = value + 2 * K;
    double bound = 0, shares = 0;
    for (size_t k = 0; k < K; k++) {
        bound += lambda[k] * space->optimal[k] + mu[k] * space->accepted[k];
        shares += lambda[k];
    }
    bound += fmax(0, 1 - shares) * space->lowest;
    for (int c = 0; c < g->choices; c++)
        for (size_t k = 0; k < K; k++)
            b->reward[(size_t)c * K + k] = lambda[k] * g->reward[(size_t)g->choice_pair[c] * K + k] - beta[(size_t)c * K + k];
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
static void clamp(box_bound *b)
{
    double sum = 0;
    for (int k = 0; k < b->space->K; k++) sum += b->now[k];
    if (sum > 1)
        for (int k = 0; k < b->space->K; k++) b->now[k] /= sum;
}

vouch_status box_bound_solve(box_bound *b, const multipliers from[], int count, double cutoff, const box_options *o,
                             const deadline *limit, box_end *end)
{
    const policy_space *space = b->space;
    size_t K = (size_t)space->K;
    double *lambda = b->now, before_round = -INFINITY;
    box_master_optimum master = {0, b->now, b->now + K, b->now + 2 * K, b->mix};
    int rounds = 0;
    b->kept_count = 0;
    b->bound = -INFINITY;
    b->mixed = false;
    *end = BOX_BOUNDED;
    box_bound_enter(b);
    vouch_status status =
        box_master_start(b->program, space->accepted, space->lowest, PENALTY, (box_ranges){b->low, b->high, b->least, b->most});
    for (int i = 0; i < count && !status; i++) {
        memcpy(b->now, from[i].value, b->dim * sizeof *b->now);
        double bound = box_bound_price(b, b->now);
        b->bound = fmax(b->bound, bound);
        keep(b, bound);
        if (b->bound >= cutoff) {
            *end = BOX_CUT;
            return VOUCH_OK;
        }
        status = add_policy(b);
    }
    if (count == 0 && !status) {
        memset(b->now, 0, b->dim * sizeof *b->now);
        for (size_t k = 0; k < K; k++) lambda[k] = 1 / (double)K;
        b->bound = box_bound_price(b, b->now);
        status = add_policy(b);
    }
    while (!status && box_master_columns(b->program) < MOST_COLUMNS) {
        bool ok;
        if (deadline_expired(limit)) {
            *end = BOX_LIMIT;
            return VOUCH_OK;
        }
        status = box_master_solve(b->program, limit, &ok, &master);
        if (!status && !ok && deadline_expired(limit)) *end = BOX_LIMIT;
        if (status || !ok) break;
        clamp(b);
        double value = master.value;
        b->mixture = value;
        b->mixed = true;
        double bound = box_bound_price(b, b->now);
        b->bound = fmax(b->bound, bound);
        keep(b, bound);
        if (b->bound >= cutoff) {
            *end = BOX_CUT;
            return VOUCH_OK;
        }
        double near = fmax(MEET * (1 + fabs(value)), value < cutoff ? o->patience * (cutoff - value) : 0);
        if (value - bound > near) {
            status = add_policy(b);
            continue;
        }
        int added = 0;
        if (rounds++ < o->rounds && value - before_round > o->worth * fmax(0, cutoff - value)) {
            range_disagreeing(b);
            status = box_master_tighten(b->program, b->mix, BROKEN, ROWS_A_ROUND, &added);
        }
        if (added == 0) break;
        before_round = value;
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
    box_loss(&best, (box){low2, high2}, limit);
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
