/* mdp/feasibility.c - repeated backward inductions for a set of environments, with weights:
 *
 *     choice(t,s) = argmax over a of  sum_k weight_k Pr_k(kept | t,s,a),   ties by the larger  sum_k weight_k U_k(t,s,a),
 *
 * where later choices are fixed and evaluated in each environment separately. After a round, environments with a shortfall get more
 * weight, the one with the largest twice as much (multiplicative weights: Arora, Hazan, Kale, Theory of Computing 8, 2012; success
 * is not guaranteed, since deterministic Markov policies are not convex). After unsuccessful rounds single choices are exchanged,
 * from the horizon backwards, while the total shortfall decreases:
 *
 *     Pr_k  changes by  reach_k(t,s) (Pr_k(kept | t,s,a') - Pr_k(kept | t,s,a)),     exactly, since (t,s) is visited once.
 *
 * With many environments the set starts small; the others are evaluated, and those with the largest shortfall are added
 * (plan/relax/scenarios.h). Failure in the set ends the search. Environments are processed one after the other, so that two layers
 * stay in the cache. Cost of a round: T times the arcs of the set's environments; of a check, at most that of all. Invariant: U and
 * Pr are of the last complete choice. */
#include "mdp/dp.h"

#include <math.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"

static const double BETTER = 1e-10; /* smaller differences of a probability are ties */
#define SAME_SUM 1e-9               /* rounding of sums in another order */
enum { MOST_SETS = 16 };            /* sets of few rows, before all */
/* Limits on the rows of all rounds, and of rounds and passes, per row of the model. */
static const long long ROUND_WORK = 8, PASS_WORK = 16;
/* Sums of a short round; with more states than the cache holds each takes longer. */
static const double SHORT_ROUND = 5e7, CACHE_MISS = 8;
enum { CACHED_STATES = 1 << 15 };
/* Largest number of cells (row, time, state) for exchanges, which store their probabilities. */
static const double MOST_CELLS = 4e7;

/* To go from a state. */
typedef struct worth {
    double u, pr;
} worth;

typedef struct scratch {
    int *row;        /* [rows] of the set */
    int rows;        /* at most K */
    bool *taken;     /* [K] is in the set */
    double *weight;  /* [K] by index in row */
    worth *below;    /* [K * S] by index in row: the next layer */
    worth *layer;    /* [S] */
    worth *sum;      /* [pairs] weighted, over rows */
    double *arrive;  /* [2 * S] of an evaluation */
    double *reach;   /* [rows * T * S] under the choice, for exchanges; else NULL */
    long long spent; /* rows of all rounds and passes */
} scratch;

/* Of pair q, given the next layer below [S]. */
static worth worth_of(const mdp *e, int q, const worth below[])
{
    worth w = {e->expected[q], 0};
    for (int o = e->start[q]; o < e->start[q + 1]; o++) {
        const worth *next = &below[e->next[o]];
        w.u += e->prob[o] * next->u;
        w.pr += e->prob[o] * next->pr;
    }
    return w;
}

static worth *below_of(const vouch_model *m, const scratch *x, int i) { return x->below + (size_t)i * (size_t)m->S; }

static void add_row(const vouch_model *m, int i, scratch *x)
{
    const worth *below = below_of(m, x, i);
    double weight = x->weight[i];
    for (int q = 0; q < m->pairs; q++) {
        worth w = worth_of(&m->env[x->row[i]], q, below);
        x->sum[q].u += weight * w.u;
        x->sum[q].pr += weight * w.pr;
    }
}

/* Moves the i-th row's `below` to the current layer, with choices here [S]. */
static void evaluate_layer(const vouch_model *m, int i, const int here[], scratch *x)
{
    worth *below = below_of(m, x, i);
    for (int s = 0; s < m->S; s++) x->layer[s] = here[s] < 0 ? (worth){0, 0} : worth_of(&m->env[x->row[i]], here[s], below);
    memcpy(below, x->layer, (size_t)m->S * sizeof *below);
}

static void start_at_horizon(const vouch_model *m, scratch *x)
{
    for (int i = 0; i < x->rows; i++)
        for (int s = 0; s < m->S; s++) below_of(m, x, i)[s] = (worth){0, m->env[x->row[i]].terminal[s]};
}

static void choose(const vouch_model *m, const scratch *x, int choice[])
{
    for (int s = 0; s < m->S; s++) {
        worth best = {-INFINITY, -INFINITY};
        choice[s] = -1;
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
            worth w = x->sum[q];
            if (!(w.pr > best.pr + BETTER || (w.pr > best.pr - BETTER && w.u > best.u))) continue;
            best = w;
            choice[s] = q;
        }
    }
}

/* choice [T * S] by the weights. False: the limit was reached. */
static bool induce(const vouch_model *m, const deadline *limit, scratch *x, int choice[])
{
    start_at_horizon(m, x);
    x->spent += x->rows;
    for (int t = m->T - 1; t >= 0; t--) {
        int *here = choice + (size_t)t * (size_t)m->S;
        memset(x->sum, 0, (size_t)m->pairs * sizeof *x->sum);
        for (int i = 0; i < x->rows; i++) add_row(m, i, x);
        if (limit && deadline_expired(limit)) return false;
        choose(m, x, here);
        for (int i = 0; i < x->rows && t > 0; i++) evaluate_layer(m, i, here, x);
    }
    return true;
}

/* U and Pr of environment k under choice. */
static void evaluate(const vouch_model *m, int k, const int choice[], double reach[], double *U, double *Pr)
{
    const mdp *e = &m->env[k];
    double *now = reach, *next = reach + m->S;
    *U = *Pr = 0;
    memset(reach, 0, 2 * (size_t)m->S * sizeof *reach);
    now[m->s0] = 1;
    for (int t = 0; t < m->T; t++) {
        for (int s = 0; s < m->S; s++) {
            if (now[s] <= 0) continue;
            int q = choice[(size_t)t * (size_t)m->S + (size_t)s];
            CHECK_COMPARE(q, >=, 0);
            *U += now[s] * e->expected[q];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) next[e->next[o]] += now[s] * e->prob[o];
            now[s] = 0;
        }
        double *swap = now;
        now = next, next = swap;
    }
    for (int s = 0; s < m->S; s++) *Pr += now[s] * e->terminal[s];
}

static double missing(const feasibility *out, int k, double Pr)
{
    return commitment_kept_within(Pr, out->p[k], out->tolerance) ? 0 : out->p[k] - Pr;
}

/* Raises the weights of rows with a shortfall; false: there are none. */
static bool weigh(const feasibility *out, scratch *x)
{
    double most = 0;
    for (int i = 0; i < x->rows; i++) most = fmax(most, missing(out, x->row[i], out->Pr[x->row[i]]));
    if (!(most > 0)) return false;
    for (int i = 0; i < x->rows; i++) x->weight[i] *= 1 + missing(out, x->row[i], out->Pr[x->row[i]]) / most;
    return true;
}

static void evaluate_rows(const vouch_model *m, scratch *x, feasibility *out)
{
    for (int i = 0; i < x->rows; i++) evaluate(m, x->row[i], out->choice, x->arrive, &out->U[x->row[i]], &out->Pr[x->row[i]]);
}

static void reach_rows(const vouch_model *m, const scratch *x, const int choice[])
{
    size_t S = (size_t)m->S;
    for (int i = 0; i < x->rows; i++) {
        const mdp *e = &m->env[x->row[i]];
        double *now = x->reach + (size_t)i * (size_t)m->T * S;
        memset(now, 0, (size_t)m->T * S * sizeof *now);
        now[m->s0] = 1;
        for (int t = 0; t + 1 < m->T; t++, now += S)
            for (size_t s = 0; s < S; s++) {
                int q = choice[(size_t)t * S + s];
                if (now[s] <= 0) continue;
                for (int o = e->start[q]; o < e->start[q + 1]; o++) now[S + (size_t)e->next[o]] += now[s] * e->prob[o];
            }
    }
}

/* Change of the i-th row's Pr if the choice in cell `at` becomes q. */
static double moved_by(const vouch_model *m, size_t at, int q, int i, const scratch *x, const feasibility *out)
{
    const mdp *e = &m->env[x->row[i]];
    const worth *below = below_of(m, x, i);
    double reached = x->reach[(size_t)i * (size_t)m->T * (size_t)m->S + at];
    return reached > 0 ? reached * (worth_of(e, q, below).pr - worth_of(e, out->choice[at], below).pr) : 0;
}

/* Minimises the total shortfall over the choice at (time, state) of cell `at`; true if it changes. */
static bool exchange(const vouch_model *m, size_t at, const scratch *x, feasibility *out)
{
    int s = (int)(at % (size_t)m->S), was = out->choice[at], best = was;
    double least = -BETTER;
    for (int i = 0; i < x->rows; i++) least += missing(out, x->row[i], out->Pr[x->row[i]]);
    for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
        double sum = 0;
        for (int i = 0; i < x->rows && q != was; i++)
            sum += missing(out, x->row[i], out->Pr[x->row[i]] + moved_by(m, at, q, i, x, out));
        if (q == was || !(sum < least)) continue;
        least = sum;
        best = q;
    }
    for (int i = 0; i < x->rows && best != was; i++) out->Pr[x->row[i]] += moved_by(m, at, best, i, x, out);
    out->choice[at] = best;
    return best != was;
}

static double sum_kept(const scratch *x, const feasibility *out)
{
    double sum = 0;
    for (int i = 0; i < x->rows; i++) sum += out->Pr[x->row[i]];
    return sum;
}

/* Exchange passes while they improve. The figures of the rows are exact before and after. True: all promises are kept. */
static bool exchange_all(const vouch_model *m, const deadline *limit, scratch *x, feasibility *out)
{
    size_t S = (size_t)m->S, cells = (size_t)m->T * S;
    for (int pass = 0; pass < out->passes && x->spent < PASS_WORK * m->K; pass++) {
        bool any = false, all = true;
        reach_rows(m, x, out->choice);
        start_at_horizon(m, x);
        x->spent += x->rows;
        for (int t = m->T - 1; t >= 0; t--) {
            for (size_t s = 0; s < S; s++) {
                double most = 0;
                for (int i = 0; i < x->rows; i++) most = fmax(most, x->reach[(size_t)i * cells + (size_t)t * S + s]);
                if (most > 0) any |= exchange(m, (size_t)t * S + s, x, out);
            }
            for (int i = 0; i < x->rows && t > 0; i++) evaluate_layer(m, i, out->choice + (size_t)t * S, x);
        }
        double moved = sum_kept(x, out);
        evaluate_rows(m, x, out);
        CHECK_COMPARE(fabs(sum_kept(x, out) - moved), <=, SAME_SUM * x->rows);
        for (int i = 0; i < x->rows; i++) all &= missing(out, x->row[i], out->Pr[x->row[i]]) <= 0;
        if (all) return true;
        if (!any || (limit && deadline_expired(limit))) break;
    }
    return false;
}

static void take(scratch *x, int k)
{
    x->taken[k] = true;
    x->row[x->rows++] = k;
}

/* Starts with the first row, then doubles the set by the rows of largest shortfall. False: there is no shortfall. */
static bool take_more(const vouch_model *m, int set, const feasibility *out, scratch *x)
{
    if (set == 0) take(x, 0);
    for (int k = 0; k < m->K && (!out->few || set == MOST_SETS); k++)
        if (!x->taken[k]) take(x, k);
    int before = x->rows;
    for (int i = 0; i < before && set > 0; i++) {
        int worst = -1;
        for (int k = 0; k < m->K; k++)
            if (!x->taken[k] && missing(out, k, out->Pr[k]) > (worst < 0 ? 0 : missing(out, worst, out->Pr[worst]))) worst = k;
        if (worst < 0) return i > 0;
        take(x, worst);
    }
    return true;
}

bool feasibility_is_short(const vouch_model *m)
{
    double sums = 0;
    for (int k = 0; k < m->K; k++) sums += (double)m->env[k].start[m->pairs] * m->T;
    return sums * (m->S > CACHED_STATES ? CACHE_MISS : 1) <= SHORT_ROUND;
}

static const deadline *limit_of(const vouch_model *m, const scratch *x, const feasibility *out, const deadline *interrupt)
{
    return x->spent < m->K && feasibility_is_short(m) ? interrupt : out->limit;
}

/* Searches for a choice that keeps the promises of the set; *over: a limit was reached before a choice was complete. Short work, up
 * to one round of all rows, ends only at an interrupt. */
static vouch_status search_set(const vouch_model *m, scratch *x, int fresh[], feasibility *out, bool *over)
{
    size_t cells = (size_t)m->T * (size_t)m->S;
    deadline interrupt = {0};
    if (out->limit) interrupt.limits.interrupt = out->limit->limits.interrupt;
    const bool exchanged = out->passes > 0 && (double)cells * x->rows <= MOST_CELLS;
    x->reach = exchanged ? MEM_NEW(double, cells *(size_t)x->rows) : NULL;
    if (exchanged && !x->reach) return VOUCH_ERROR_MEMORY;
    out->kept = false;
    *over = false;
    if (exchanged && x->rows > 1 && x->rows < m->K) out->kept = exchange_all(m, limit_of(m, x, out, &interrupt), x, out);
    for (int i = 0; i < x->rows; i++) x->weight[i] = 1;
    for (int round = 0; round < out->rounds && x->spent < ROUND_WORK * m->K && !out->kept; round++) {
        *over = !induce(m, limit_of(m, x, out, &interrupt), x, fresh);
        if (*over) break;
        memcpy(out->choice, fresh, cells * sizeof *fresh);
        evaluate_rows(m, x, out);
        out->kept = !weigh(out, x);
    }
    if (exchanged && !out->kept && !*over) out->kept = exchange_all(m, out->limit, x, out);
    mem_free(x->reach);
    return VOUCH_OK;
}

vouch_status feasible_markov(const vouch_model *m, feasibility *out)
{
    size_t K = (size_t)m->K;
    arena a = {0};
    scratch x = {.row = ARENA_NEW(&a, int, K), .taken = ARENA_ZERO(&a, bool, K), .weight = ARENA_NEW(&a, double, K)};
    x.below = ARENA_NEW(&a, worth, K * (size_t)m->S);
    x.layer = ARENA_NEW(&a, worth, m->S);
    x.sum = ARENA_NEW(&a, worth, m->pairs);
    x.arrive = ARENA_NEW(&a, double, 2 * m->S);
    int *fresh = ARENA_NEW(&a, int, (size_t)m->T *(size_t)m->S);
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    bool over = false;
    CHECK(m->finished && out->rounds > 0 && out->passes >= 0);
    out->kept = false;
    for (int set = 0; !status && !over && take_more(m, set, out, &x); set++) {
        status = search_set(m, &x, fresh, out, &over);
        bool whole = !status && !(over && set == 0), all = out->kept;
        for (int k = 0; k < m->K && whole; k++) {
            if (!x.taken[k]) evaluate(m, k, out->choice, x.arrive, &out->U[k], &out->Pr[k]);
            all &= missing(out, k, out->Pr[k]) <= 0;
        }
        over |= !out->kept || all;
        out->kept = all;
    }
    arena_free(&a);
    return status;
}
