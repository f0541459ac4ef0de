/* plan/spatial/box_bound.c - the bound of a box at given multipliers:
 *
 *     bound(lambda, mu, beta) = sum_k lambda_k U*(k) + mu_k p(k) - V - sum_n M(n)
 *
 * V by one induction (know/induction.h), M(n) by looking at all vertices of up to CORNER_CHOICES choices, else at each environment
 * apart. Source: THEORY.md, 6.1; G. McCormick, Mathematical Programming 10 (1976). Cost: an induction a column, 2^choices K at a
 * node with beta. Invariant: b->bound is the best result of inductions, never the master's value; kept multipliers belong to this
 * box.
 */
#include "plan/spatial/box.h"

#include "base/check.h"
#include "base/memory.h"

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
    b->occupied = ARENA_NEW(a, double, nodes *K);
    b->worth = ARENA_NEW(a, double, 2 * K);
    b->centre = ARENA_NEW(a, double, b->dim);
    b->aimed = ARENA_NEW(a, double, b->dim);
    if (a->failed || box_master_new(g, &space->averages, &b->program) || (agree && box_pricer_new(space, &b->pricer))) {
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

void box_bound_enter(box_bound *b)
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    memset(b->ranged, 0, (size_t)g->nodes);
    memset(b->least, 0, (size_t)g->nodes * K * sizeof *b->least);
    for (size_t i = 0; i < (size_t)g->nodes * K; i++) b->most[i] = 1;
}

/* The induction at the prices b->reward and mu [K]. */
static box_induction box_bound_induction(const box_bound *b, const double mu[])
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

/* Computes the range of node n unless known. */
static void box_bound_range(box_bound *b, int n)
{
    size_t at = (size_t)n * (size_t)b->space->K;
    if (b->ranged[n]) return;
    box_reach(b->space->g, n, (policy_box){b->low, b->high}, b->scratch, b->least + at, b->most + at);
    b->ranged[n] = 1;
}

/* Releases the columns and multipliers of the last box. */
static void box_bound_forget(box_bound *b)
{
    for (int i = 0; i < b->column_count; i++) box_column_release(b->columns[i]);
    b->column_count = b->kept_count = 0;
}

void box_bound_free(box_bound *b)
{
    if (!b) return;
    box_master_free(b->program);
    box_bound_forget(b);
    mem_free(b->columns);
    box_pricer_free(b->pricer);
    ARENA_FREE(b);
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
    if (left < b->low[c] - BOX_ROUNDING || left > b->high[c] + BOX_ROUNDING) return -INFINITY;
    for (size_t k = 0; k < K; k++) slope[k] += left * beta[(size_t)c * K + k];
    /* sum_k max over y_k in [least, most] of y_k * slope_k */
    double sum = 0;
    for (size_t k = 0; k < K; k++) sum += slope[k] * (slope[k] > 0 ? b->most : b->least)[(size_t)n * K + k];
    return sum;
}

/* Where the corners are too many: each environment for itself, with y apart from pi; never less than M(n). */
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
    box_bound_range(b, n);
    for (int c = first; c < last; c++)
        if (g->choice_twin[c] == c && b->high[c] > 0) b->choice[count++] = c;
    if (count > CORNER_CHOICES) return loose_worth(b, n, b->choice, count, beta);
    double best = -INFINITY;
    for (int loose = 0; loose < count; loose++)
        for (unsigned sides = 0; sides < 1u << count; sides++)
            if (!(sides >> loose & 1)) best = fmax(best, corner_worth(b, n, b->choice, count, (corner){loose, sides}, beta));
    return best;
}

double box_bound_base(box_bound *b, const double value[])
{
    const policy_space *space = b->space;
    const know_graph *g = space->g;
    size_t K = (size_t)g->K;
    const double *lambda = value, *mu = value + K, *beta = value + 2 * K;
    double bound = 0, shares = 0;
    for (size_t k = 0; k < K; k++) shares += lambda[k];
    for (size_t k = 0; k < K; k++) bound += (space->share ? shares * space->share[k] : lambda[k]) * space->optimal[k];
    bound += space_worth(space, mu, space->accepted);
    for (int c = 0; c < g->choices; c++)
        for (size_t k = 0; k < K; k++)
            b->reward[(size_t)c * K + k] =
                (space->share ? shares * space->share[k] : lambda[k]) * g->reward[(size_t)g->choice_pair[c] * K + k] -
                beta[(size_t)c * K + k];
    for (int n = 0; n < g->time_start[g->T]; n++) bound -= local_worth(b, n, beta);
    return bound;
}

double box_bound_price(box_bound *b, const double value[])
{
    double base = box_bound_base(b, value);
    box_induction best = box_bound_induction(b, value + b->space->K);
    b->inductions++;
    return base - box_backward(&best);
}

double box_bound_worked(const box_bound *b) { return (double)b->inductions + (b->pricer ? b->pricer->work : 0); }

void box_bound_outlook(box_bound *b, const double value[], double bound, const double low2[], const double high2[], double limit[])
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    const double *beta = value + 2 * K;
    box_induction best = box_bound_induction(b, value + K);
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

/* ---- columns ---- */

box_column *box_column_hold(box_column *c)
{
    c->refs++;
    return c;
}

void box_column_release(box_column *c)
{
    if (c && --c->refs == 0) mem_free(c);
}

static bool box_column_within(const box_column *c, int choices, policy_box in)
{
    for (int i = 0; i < choices; i++)
        if (c->prob[i] < in.low[i] - BOX_ROUNDING || c->prob[i] > in.high[i] + BOX_ROUNDING) return false;
    return true;
}

static void move_node(const know_graph *g, int n, policy_box in, const double mean[], double prob[])
{
    int first = g->choice_start[n], last = g->choice_start[n + 1];
    double left = 1;
    for (int c = first; c < last; c++) left -= prob[c] = fmin(fmax(prob[c], in.low[c]), in.high[c]);
    for (int i = first; i < last && fabs(left) > BOX_ROUNDING; i++) { /* each round moves one choice to its bound */
        const double *side = left > 0 ? in.high : in.low;
        double furthest = -INFINITY;
        int at = -1;
        for (int c = first; c < last; c++) {
            double off = left > 0 ? mean[c] - prob[c] : prob[c] - mean[c];
            if (prob[c] == side[c] || off <= furthest) continue;
            furthest = off;
            at = c;
        }
        if (at < 0) return;
        double to = fmin(fmax(prob[at] + left, in.low[at]), in.high[at]);
        left -= to - prob[at];
        prob[at] = to;
    }
}

void box_column_move(const know_graph *g, policy_box in, const double mean[], double prob[])
{
    for (int n = 0; n < g->time_start[g->T]; n++) move_node(g, n, in, mean, prob);
}

/* ---- column generation, with rows  y(n,a;k) <= pi(a) y_k  where the mixture breaks
 * them: master, pricing, column.
 *
 * Prices come from the master or, where policies are priced, from a step towards it from the multipliers of the best bound (P.
 * Wentges, Int. Trans. Oper. Res. 4, 1997). Policies of the parent box are mixed from the start, moved into this box if need be,
 * and its best multipliers need no pricing: their bound holds here, too. Cost: a pricing a column. Invariant: b->bound is the best
 * of the pricings and of task->known, never the master's value; kept multipliers belong to this box.
 */

/* Price of a unit of missing commitment in the master: boxes that cannot keep it are cut off by it. The bound does not depend on
 * it. */
static const double PENALTY = 1e4;
/* Mixture and bound have met when closer than this, relative to 1 + value. */
static const double MEET = 1e-8;
/* Rows broken by less are left out: an occupancy. */
static const double BROKEN = 1e-6;
static const int MOST_COLUMNS = 400; /* of one box; only numerical trouble gets here */
static const int ROWS_A_ROUND = 12;
/* Sums of low and high may pass 1 by rounding when they are halved and clamped. */
static const double EMPTY = 1e-9;
/* Step from the best multipliers towards the master's. */
static const double STEP = 0.6;
/* A pricing may leave this part of the distance of mixture and bound open. */
static const double NEAR = 0.05;
/* The mixture stands still while its value falls by no more than this, relative to 1 + value. */
static const double GAINED = 1e-10;

/* Contract: a box that is not empty, twins out of it. */
static void box_check(const box_bound *b)
{
    if (!CHECKING) return;
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
}

/* Ranges where the mixture's occupancies differ from its mean policy's: the rows at these nodes should be tight. */
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
        if (off > BROKEN) box_bound_range(b, n);
    }
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
    if (best) memcpy(b->centre, b->now, b->dim * sizeof(double));
}

/* ---- columns -------------------------------------------------------------------------------------------------------- */

/* Adds a column of b->regret, b->pr, b->y. */
static vouch_status add_row(box_bound *b)
{
    size_t K = (size_t)b->space->K;
    if (b->space->share) {
        double mean = space_objective(b->space, b->regret);
        for (size_t k = 0; k < K; k++) b->regret[k] = mean;
    }
    return box_master_add(b->program, b->regret, b->pr, b->y);
}

/* Adds the choices of the classes as a column. */
static vouch_status add_choice_of_classes(box_bound *b)
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    box_induction best = box_bound_induction(b, NULL);
    box_forward(&best, b->y, b->pr);
    for (size_t k = 0; k < K; k++) {
        b->regret[k] = b->space->optimal[k];
        for (int c = 0; c < g->choices; c++) b->regret[k] -= b->y[(size_t)c * K + k] * g->reward[(size_t)g->choice_pair[c] * K + k];
    }
    return add_row(b);
}

/* Adds a policy that is held. */
static vouch_status add_column(box_bound *b, box_column *c)
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    if (MEM_RESERVE(&b->columns, &b->column_capacity, b->column_count)) {
        box_column_release(c);
        return VOUCH_ERROR_MEMORY;
    }
    b->columns[b->column_count++] = c;
    MEM_COPY(b->regret, c->regret, K);
    MEM_COPY(b->pr, c->pr, K);
    propagate_forward(g, c->prob, b->occupied, b->worth, b->worth + K);
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++)
            for (size_t k = 0; k < K; k++) b->y[(size_t)o * K + k] = c->prob[o] * b->occupied[(size_t)n * K + k];
    return add_row(b);
}

/* A policy, moved into the box as task says, with its figures; task NULL: it is in the box. NULL: memory. */
static box_column *column_of(box_bound *b, const double prob[], const box_task *task)
{
    const know_graph *g = b->space->g;
    policy_box in = {b->low, b->high};
    box_column *c = mem_alloc(1, sizeof *c + (2 * (size_t)g->K + (size_t)g->choices) * sizeof(double));
    if (!c) return NULL;
    double *numbers = (double *)(c + 1);
    *c = (box_column){.refs = 1, .regret = numbers, .pr = numbers + g->K, .prob = numbers + 2 * g->K};
    MEM_COPY(c->prob, prob, g->choices);
    if (task) box_column_move(g, in, task->mean, c->prob);
    CHECK(box_column_within(c, g->choices, in));
    propagate_forward(g, c->prob, b->occupied, c->regret, c->pr);
    for (int k = 0; k < g->K; k++) c->regret[k] = b->space->optimal[k] - c->regret[k];
    return c;
}

/* ---- a run ---------------------------------------------------------------------------------------------------------- */

typedef struct box_run {
    const box_task *task;
    double begun;  /* work */
    bool limit;    /* it ends here */
    double gained; /* the mixture's value when it last got better */
    bool whole;    /* the next step goes all the way */
    bool improves; /* the mixture could improve, by the last policy found, with a full step */
} box_run;

/* Prices b->now where classes agree; the policy found becomes a column, unless the bound ends the box. */
static vouch_status price_policies(box_bound *b, box_run *run)
{
    const box_task *task = run->task;
    double base = box_bound_base(b, b->now), left = task->work - (box_bound_worked(b) - run->begun);
    double open = b->mixed ? fmax(0, b->mixture - b->bound) : 0;
    price_task price = {b->reward, b->now + b->space->K, base - task->cutoff, NEAR * open, left, task->limit};
    vouch_status status = box_pricer_most(b->pricer, &price);
    if (status) return status;
    double bound = b->pricer->upper <= price.least ? fmax(task->cutoff, base - b->pricer->upper) : base - b->pricer->upper;
    box_column *c = NULL;
    b->bound = fmax(b->bound, bound);
    if (b->pricer->known) {
        c = column_of(b, b->pricer->prob, NULL);
        status = c ? add_column(b, c) : VOUCH_ERROR_MEMORY;
    }
    if (!status) keep(b, bound);
    run->improves = base - b->pricer->found < b->mixture - GAINED * (1 + fabs(b->mixture));
    run->limit = !c || box_bound_worked(b) - run->begun >= task->work || deadline_expired(task->limit);
    return status;
}

/* Prices b->now where classes choose for themselves, and adds their choices as a column. */
static vouch_status price_classes(box_bound *b, box_run *run)
{
    double bound = box_bound_price(b, b->now);
    b->bound = fmax(b->bound, bound);
    keep(b, bound);
    run->limit = box_bound_worked(b) - run->begun >= run->task->work || deadline_expired(run->task->limit);
    return b->bound >= run->task->cutoff ? VOUCH_OK : add_choice_of_classes(b);
}

static vouch_status price(box_bound *b, box_run *run)
{
    const box_task *task = run->task;
    vouch_status status = b->pricer && !b->pricer->at.blurred ? price_policies(b, run) : price_classes(b, run);
    if (task->progress) task->progress(task->progress_context, b->bound);
    return status;
}

/* The policies of the parent box. */
static vouch_status add_inherited(box_bound *b, const box_task *task)
{
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < task->column_count && !status; i++) {
        box_column *c = task->columns[i];
        bool within = box_column_within(c, b->space->g->choices, (policy_box){b->low, b->high});
        c = within ? box_column_hold(c) : column_of(b, c->prob, task);
        status = c ? add_column(b, c) : VOUCH_ERROR_MEMORY;
    }
    return status;
}

/* First columns: the policies of the parent box, or the best ones at its multipliers, or at equal ones. */
static vouch_status add_first(box_bound *b, box_run *run)
{
    const box_task *task = run->task;
    vouch_status status = add_inherited(b, task);
    if (b->column_count > 0 && task->count > 0) { /* their bound holds here, too */
        memcpy(b->now, task->from[0].value, b->dim * sizeof(double));
        b->bound = fmax(b->bound, task->from[0].bound);
        keep(b, task->from[0].bound);
        return status;
    }
    for (int i = 0; i < task->count && !status && b->bound < task->cutoff && !run->limit; i++) {
        memcpy(b->now, task->from[i].value, b->dim * sizeof(double));
        status = price(b, run);
    }
    if (task->count > 0 || status) return status;
    memset(b->now, 0, b->dim * sizeof *b->now);
    for (int k = 0; k < b->space->K; k++) b->now[k] = 1 / (double)b->space->K;
    return price(b, run);
}

/* Solves the master: its value into b->mixture, its mixture into b->mix, multipliers into b->now. */
static vouch_status solve_master(box_bound *b, const deadline *limit, bool *ok)
{
    size_t K = (size_t)b->space->K;
    box_master_optimum optimum = {0, b->now, b->now + K, b->now + 2 * K, b->mix};
    vouch_status status = box_master_solve(b->program, limit, ok, &optimum);
    if (status || !*ok) return status;
    /* z has cost 1 and a least value, so that lambda may sum to less than 1 but not to more. */
    double sum = 0;
    for (int k = 0; k < b->space->K; k++) {
        CHECK(b->now[k] >= 0 && b->now[b->space->K + k] >= 0);
        sum += b->now[k];
    }
    if (sum > 1)
        for (int k = 0; k < b->space->K; k++) b->now[k] /= sum;
    b->mixture = optimum.value;
    b->mixed = true;
    return VOUCH_OK;
}

/* Steps from the best multipliers towards the master's. */
static void step(box_bound *b, const box_run *run)
{
    if (!b->pricer || run->whole || b->kept_count == 0) return;
    for (size_t i = 0; i < b->dim; i++) b->now[i] = b->centre[i] + STEP * (b->now[i] - b->centre[i]);
}

/* Adds rows where the mixture breaks them, if they are worth it. *added: how many. */
static vouch_status tighten(box_bound *b, const box_task *task, int *rounds, double *last_round, int *added)
{
    const box_options *o = task->options;
    *added = 0;
    if ((*rounds)++ >= o->rounds || !(b->mixture - *last_round > o->worth * fmax(0, task->cutoff - b->mixture))) return VOUCH_OK;
    range_disagreeing(b);
    *last_round = b->mixture;
    return box_master_tighten(b->program, b->mix, BROKEN, ROWS_A_ROUND, added);
}

/* Has the mixture stood still? A step is followed by a whole one then; after that nothing is left to find. */
static bool stagnates(box_bound *b, box_run *run)
{
    bool still = b->mixture > run->gained - GAINED * (1 + fabs(b->mixture));
    if (!still) run->gained = b->mixture;
    bool end = still && (!b->pricer || (run->whole && !run->improves));
    run->whole = still;
    return end;
}

/* No columns; the box in low, high. */
static vouch_status begin(box_bound *b, const box_task *task)
{
    box_bound_forget(b);
    b->limit = task->limit;
    b->bound = task->known;
    b->mixed = false;
    box_bound_enter(b);
    return box_master_start(b->program, b->space->accepted, 0, PENALTY, (box_ranges){b->low, b->high, b->least, b->most});
}

vouch_status box_bound_estimate(box_bound *b, const box_task *task, double *value)
{
    bool ok = false;
    vouch_status status = begin(b, task);
    if (!status) status = add_inherited(b, task);
    if (!status && b->column_count > 0) status = solve_master(b, task->limit, &ok);
    *value = ok ? b->mixture : task->known;
    return status;
}

vouch_status box_bound_solve(box_bound *b, const box_task *task, box_end *end)
{
    const box_options *o = task->options;
    double last_round = -INFINITY; /* the mixture's value when rows were added */
    int rounds = 0;
    box_run run = {.task = task, .begun = box_bound_worked(b), .gained = INFINITY};
    box_check(b);
    *end = BOX_BOUNDED;
    vouch_status status = begin(b, task);
    if (b->pricer) box_pricer_enter(b->pricer, (policy_box){b->low, b->high});
    if (!status) status = add_first(b, &run);
    while (!status && *end == BOX_BOUNDED && box_master_columns(b->program) < MOST_COLUMNS) {
        bool ok = false;
        int added = 0;
        if (b->bound >= task->cutoff) *end = BOX_CUT;
        if (*end == BOX_BOUNDED && run.limit) *end = BOX_LIMIT;
        if (*end != BOX_BOUNDED) break;
        status = solve_master(b, task->limit, &ok);
        if (!status && !ok && deadline_expired(task->limit)) *end = BOX_LIMIT;
        if (status || !ok) break;
        double missing = task->cutoff - b->mixture, open = b->mixture - b->bound;
        bool met = open <= fmax(MEET * (1 + fabs(b->mixture)), missing > 0 ? o->patience * missing : 0);
        if (met || stagnates(b, &run)) {
            status = tighten(b, task, &rounds, &last_round, &added);
            if (status || added == 0) break;
            run.gained = INFINITY;
            run.whole = false;
            continue;
        }
        step(b, &run);
        status = price(b, &run);
    }
    return status;
}
