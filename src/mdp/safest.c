/* mdp/safest.c - one backward induction for all environments together, and again with other weights:
 *
 *     choice(t,s) = argmax over a of  sum_k weight_k Pr_k(kept | t,s,a),   of equals the larger  sum_k weight_k U_k(t,s,a),
 *
 * where what follows is the policy chosen already, valued in each environment apart. The environments that are short of their promise count more
 * in the next round, the one that is furthest from it twice as much (multiplicative weights: Arora, Hazan, Kale, Theory of Computing 8,
 * 2012; that no round may succeed is accepted: deterministic Markov policies are not convex). Each environment is run through by itself,
 * so that two layers of it stay in the cache. Cost of a round: arcs T K. Invariant: U and Pr are of the last whole choice.
 */
#include "mdp/safest.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "mdp/commitment.h"

/* A probability of the promise must be larger by this to count. */
static const double BETTER = 1e-10;

typedef struct scratch {
    double *weight;         /* [K] */
    double *u, *pr;         /* [K * S] to go from the layer below */
    double *layer;          /* [2 * S] */
    double *sum_u, *sum_pr; /* [pairs] over environments, by weight */
} scratch;

typedef struct worth {
    double u, pr;
} worth;

/* Of pair q in an environment, u and pr [S] to go from the states it leads to. */
static worth worth_of(const mdp *e, int q, const double u[], const double pr[])
{
    worth w = {e->expected[q], 0};
    for (int o = e->start[q]; o < e->start[q + 1]; o++) {
        w.u += e->prob[o] * u[e->next[o]];
        w.pr += e->prob[o] * pr[e->next[o]];
    }
    return w;
}

/* Adds environment k to the sums of all pairs. */
static void add_environment(const vouch_model *m, int k, scratch *x)
{
    const double *u = x->u + (size_t)k * (size_t)m->S, *pr = x->pr + (size_t)k * (size_t)m->S, weight = x->weight[k];
    for (int q = 0; q < m->pairs; q++) {
        worth w = worth_of(&m->env[k], q, u, pr);
        x->sum_u[q] += weight * w.u;
        x->sum_pr[q] += weight * w.pr;
    }
}

/* u and pr of environment k become those of the layer at hand, where here [S] is chosen. */
static void settle(const vouch_model *m, int k, const int here[], scratch *x)
{
    size_t S = (size_t)m->S;
    double *u = x->u + (size_t)k * S, *pr = x->pr + (size_t)k * S;
    for (size_t s = 0; s < S; s++) {
        worth w = here[s] < 0 ? (worth){0, 0} : worth_of(&m->env[k], here[s], u, pr);
        x->layer[s] = w.u;
        x->layer[S + s] = w.pr;
    }
    memcpy(u, x->layer, S * sizeof *u);
    memcpy(pr, x->layer + S, S * sizeof *pr);
}

static void choose(const vouch_model *m, const scratch *x, int choice[])
{
    for (int s = 0; s < m->S; s++) {
        double best_pr = -INFINITY, best_u = -INFINITY;
        choice[s] = -1;
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
            double pr = x->sum_pr[q], u = x->sum_u[q];
            if (!(pr > best_pr + BETTER || (pr > best_pr - BETTER && u > best_u))) continue;
            best_pr = pr;
            best_u = u;
            choice[s] = q;
        }
    }
}

/* choice [T * S] by the weights. False: interrupted, or out of time where there is a limit. */
static bool induce(const vouch_model *m, const deadline *limit, scratch *x, int choice[])
{
    size_t S = (size_t)m->S, pairs = (size_t)m->pairs;
    for (int k = 0; k < m->K; k++) {
        memset(x->u + (size_t)k * S, 0, S * sizeof *x->u);
        memcpy(x->pr + (size_t)k * S, m->env[k].terminal, S * sizeof *x->pr);
    }
    for (int t = m->T - 1; t >= 0; t--) {
        int *here = choice + (size_t)t * S;
        memset(x->sum_u, 0, pairs * sizeof *x->sum_u);
        memset(x->sum_pr, 0, pairs * sizeof *x->sum_pr);
        for (int k = 0; k < m->K; k++) add_environment(m, k, x);
        if (limit && deadline_expired(limit)) return false;
        choose(m, x, here);
        for (int k = 0; k < m->K && t > 0; k++) settle(m, k, here, x);
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

/* More weight for those that are short of their promise. Returns whether there are any. */
static bool weigh(const vouch_model *m, const safest *out, double weight[])
{
    double most = 0;
    for (int k = 0; k < m->K; k++)
        if (!commitment_kept_within(out->Pr[k], out->p[k], out->tolerance)) most = fmax(most, out->p[k] - out->Pr[k]);
    if (!(most > 0)) return false;
    for (int k = 0; k < m->K; k++)
        if (!commitment_kept_within(out->Pr[k], out->p[k], out->tolerance)) weight[k] *= 1 + (out->p[k] - out->Pr[k]) / most;
    return true;
}

vouch_status safest_markov(const vouch_model *m, safest *out)
{
    size_t K = (size_t)m->K, states = K * (size_t)m->S, cells = (size_t)m->T * (size_t)m->S;
    arena a = {0};
    scratch x = {.weight = ARENA_NEW(&a, double, K), .u = ARENA_NEW(&a, double, states), .pr = ARENA_NEW(&a, double, states)};
    x.layer = ARENA_NEW(&a, double, 2 * m->S);
    x.sum_u = ARENA_NEW(&a, double, m->pairs);
    x.sum_pr = ARENA_NEW(&a, double, m->pairs);
    int *choice = ARENA_NEW(&a, int, cells);
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    deadline interrupt = {0};
    if (out->limit) interrupt.limits.interrupt = out->limit->limits.interrupt;
    CHECK(m->finished && out->rounds > 0);
    out->kept = false;
    for (size_t k = 0; k < K && !status; k++) x.weight[k] = 1;
    for (int round = 0; round < out->rounds && !status && !out->kept; round++) {
        if (!induce(m, round == 0 ? &interrupt : out->limit, &x, choice)) break;
        memcpy(out->choice, choice, cells * sizeof *choice);
        for (int k = 0; k < m->K; k++) evaluate(m, k, choice, x.layer, &out->U[k], &out->Pr[k]);
        out->kept = !weigh(m, out, x.weight);
    }
    arena_free(&a);
    return status;
}
