/* exact/losses.c - see losses.h. A backward pass is O(arcs); U* takes one for each hull_end of the hull that is met. */
#include "exact/losses.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "exact/memory.h"
#include "exact/number.h"

/* Rewards of 1e100 and of 1e-12 are added up without loss, and rounding of products is far below either. */
enum { PRECISION = 640 };

/* Where sums of decimals are equal, 640 bits leave them apart by less than this share of the largest value met. */
enum { EQUAL_BITS = 400 };

/* A policy that is extreme in a direction: what it earns and how likely it keeps the promise. */
typedef struct hull_end {
    mpf_t u, pr;
} hull_end;

typedef struct pass {
    const exact_layers *g;
    const exact_promise *promise;
    mpf_t *prob, *reward; /* [outcomes] */
    mpf_t *u, *pr;        /* [nodes] of the policy that is made */
    mpf_t *option;        /* [most options of a node] */
    mpf_t sum, part, option_u, option_pr, score, best, tie, size;
} pass;

static void read_decimals(mpf_t to[], const double from[], int count)
{
    mpq_t decimal;
    mpq_init(decimal);
    for (int i = 0; i < count; i++) {
        exact_number(decimal, from[i], EXACT_DECIMAL);
        mpf_init2(to[i], PRECISION);
        mpf_set_q(to[i], decimal);
    }
}

/* U and Pr of option o, from what follows. */
static void worth(pass *x, int o)
{
    const exact_layers *g = x->g;
    mpf_set_ui(x->option_u, 0);
    mpf_set_ui(x->option_pr, 0);
    mpf_set_ui(x->sum, 0);
    for (int arc = g->arc_start[o]; arc < g->arc_start[o + 1]; arc++) {
        int outcome = g->arc_outcome[arc], to = g->arc_to[arc];
        mpf_add(x->part, x->reward[outcome], x->u[to]);
        mpf_mul(x->part, x->part, x->prob[outcome]);
        mpf_add(x->option_u, x->option_u, x->part);
        mpf_mul(x->part, x->pr[to], x->prob[outcome]);
        mpf_add(x->option_pr, x->option_pr, x->part);
        mpf_add(x->sum, x->sum, x->prob[outcome]);
    }
    if (mpf_cmp_ui(x->sum, 1) == 0) return;
    mpf_div(x->option_u, x->option_u, x->sum);
    mpf_div(x->option_pr, x->option_pr, x->sum);
}

/* x->size := the largest |value|, of which equal ones may differ by a share. */
static void measure(pass *x)
{
    mpf_set_ui(x->size, 1);
    for (int o = 0; o < x->g->outcomes; o++) {
        mpf_abs(x->part, x->reward[o]);
        if (mpf_cmp(x->part, x->size) > 0) mpf_set(x->size, x->part);
    }
    mpf_mul_ui(x->size, x->size, (unsigned long)x->g->nodes);
}

/* Makes the policy of largest wu U + wp Pr; of equal ones that of larger Pr, or (u_next) of larger U. loss: NULL, or of each option
 * if only U counts. */
static void induce(pass *x, unsigned wu, const mpf_t wp, bool u_next, double loss[], hull_end *out)
{
    const exact_layers *g = x->g;
    mpf_mul(x->tie, x->size, wp);
    mpf_add(x->tie, x->tie, x->size);
    mpf_div_2exp(x->tie, x->tie, EQUAL_BITS);
    for (int n = g->nodes - 1; n >= 0; n--) {
        int first = g->option_start[n], last = g->option_start[n + 1];
        mpf_set_ui(x->u[n], 0);
        mpf_set_d(x->pr[n], first == last && x->promise ? x->promise->kept[n] : 0);
        for (int o = first; o < last; o++) {
            worth(x, o);
            mpf_mul(x->score, x->option_pr, wp);
            if (wu) mpf_add(x->score, x->score, x->option_u);
            if (loss) mpf_set(x->option[o - first], x->score);
            mpf_sub(x->part, x->score, x->best);
            mpf_abs(x->sum, x->part);
            bool equal = o > first && mpf_cmp(x->sum, x->tie) <= 0;
            bool better = o == first || (equal ? u_next ? mpf_cmp(x->option_u, x->u[n]) > 0 : mpf_cmp(x->option_pr, x->pr[n]) > 0
                                               : mpf_sgn(x->part) > 0);
            if (!better) continue;
            mpf_set(x->u[n], x->option_u);
            mpf_set(x->pr[n], x->option_pr);
            mpf_set(x->best, x->score);
        }
        for (int o = first; loss && o < last; o++) {
            mpf_sub(x->part, x->best, x->option[o - first]);
            loss[o] = mpf_sgn(x->part) > 0 && mpf_cmp(x->part, x->tie) > 0 ? mpf_get_d(x->part) : 0;
        }
    }
    mpf_set(out->u, x->u[0]);
    mpf_set(out->pr, x->pr[0]);
}

static void end_init(hull_end *v)
{
    mpf_init2(v->u, PRECISION);
    mpf_init2(v->pr, PRECISION);
}

/* U* from best, the policy of most U: the hull of (Pr, U) is walked from both sides to the promise, as in mdp/dp.c. false: it
 * cannot be kept. */
static bool walk_hull(pass *x, const hull_end *best, mpf_t promised)
{
    mpq_t decimal;
    mpf_t least, mu;
    hull_end left, right, fresh;
    mpq_init(decimal);
    mpf_init2(least, PRECISION);
    mpf_init2(mu, PRECISION);
    end_init(&left);
    end_init(&right);
    end_init(&fresh);
    exact_number(decimal, x->promise->p, EXACT_DECIMAL);
    mpf_set_q(least, decimal);
    mpf_set_d(x->part, x->promise->keep);
    mpf_sub(least, least, x->part);
    mpf_set(promised, best->u);
    if (mpf_cmp(best->pr, least) >= 0) return true;
    mpf_set(left.u, best->u);
    mpf_set(left.pr, best->pr);
    mpf_set_ui(mu, 1);
    induce(x, 0, mu, true, NULL, &right);
    if (mpf_cmp(right.pr, least) < 0) return false;
    for (;;) {
        mpf_sub(mu, left.u, right.u);
        mpf_sub(x->part, right.pr, left.pr);
        mpf_div(mu, mu, x->part);
        if (mpf_sgn(mu) <= 0) break;
        induce(x, 1, mu, true, NULL, &fresh);
        mpf_sub(x->part, fresh.pr, left.pr);
        mpf_mul(x->part, x->part, mu);
        mpf_add(x->part, x->part, fresh.u);
        mpf_sub(x->part, x->part, left.u); /* above the segment */
        mpf_mul_ui(x->tie, x->tie, (unsigned long)x->g->nodes);
        if (mpf_cmp(x->part, x->tie) <= 0) break;
        hull_end *end = mpf_cmp(fresh.pr, least) >= 0 ? &right : &left;
        mpf_set(end->u, fresh.u);
        mpf_set(end->pr, fresh.pr);
    }
    mpf_sub(x->part, right.pr, left.pr);
    mpf_sub(promised, right.pr, least);
    mpf_div(promised, promised, x->part); /* weight of left */
    mpf_sub(x->part, left.u, right.u);
    mpf_mul(promised, promised, x->part);
    mpf_add(promised, promised, right.u);
    return true;
}

static bool run(pass *x, int most, exact_memory *memory, double loss[], exact_values *value)
{
    if (setjmp(memory->escape)) return false;
    mpf_t *const of_pass[] = {&x->sum, &x->part, &x->option_u, &x->option_pr, &x->score, &x->best, &x->tie, &x->size};
    for (size_t i = 0; i < sizeof of_pass / sizeof *of_pass; i++) mpf_init2(*of_pass[i], PRECISION);
    for (int n = 0; n < x->g->nodes; n++) mpf_init2(x->u[n], PRECISION);
    for (int n = 0; n < x->g->nodes; n++) mpf_init2(x->pr[n], PRECISION);
    for (int o = 0; o < most; o++) mpf_init2(x->option[o], PRECISION);
    read_decimals(x->prob, x->g->prob, x->g->outcomes);
    read_decimals(x->reward, x->g->reward, x->g->outcomes);
    measure(x);
    hull_end best;
    mpf_t promised, nothing;
    end_init(&best);
    mpf_init2(promised, PRECISION);
    mpf_init2(nothing, PRECISION);
    induce(x, 1, nothing, false, loss, &best);
    *value = (exact_values){mpf_get_d(best.u), NAN, NAN};
    if (!x->promise) return true;
    *value = (exact_values){mpf_get_d(best.u), -INFINITY, INFINITY};
    if (!walk_hull(x, &best, promised)) return true;
    value->promised = mpf_get_d(promised);
    mpf_sub(promised, best.u, promised);
    value->forgone = mpf_get_d(promised);
    return true;
}

vouch_status exact_losses(const exact_layers *g, const exact_promise *promise, double loss[], exact_values *value)
{
    int most = 0;
    for (int n = 0; n < g->nodes; n++)
        if (g->option_start[n + 1] - g->option_start[n] > most) most = g->option_start[n + 1] - g->option_start[n];
    pass x = {.g = g,
              .promise = promise,
              .prob = MEM_NEW(mpf_t, g->outcomes),
              .reward = MEM_NEW(mpf_t, g->outcomes),
              .u = MEM_NEW(mpf_t, g->nodes),
              .pr = MEM_NEW(mpf_t, g->nodes),
              .option = MEM_NEW(mpf_t, most)};
    bool made = x.prob && x.reward && x.u && x.pr && x.option;
    exact_memory memory;
    if (made) {
        exact_memory_enter(&memory);
        made = run(&x, most, &memory, loss, value);
        exact_memory_leave(&memory);
    }
    mem_free(x.prob);
    mem_free(x.reward);
    mem_free(x.u);
    mem_free(x.pr);
    mem_free(x.option);
    return made ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}
