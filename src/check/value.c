/* check/value.c - U*(k).
 *
 * U*(k) = max { U : Pr >= p } over the policies of environment k alone is the least over mu >= 0 of max (U + mu Pr) - mu p. Of the upper hull of all (Pr, U)
 * the edge across p is sought: an induction for the slope between two of its points finds a point above their line, or shows that there is none. A mixture of
 * two policies attains the optimum from below, the induction bounds it from above; in rationals that were not rounded the two are equal. What is carried
 * along of Pr is its complement, of which nothing stays nothing however it is rounded.
 */
#include "check/check.h"

#include <stdlib.h>

/* Of a policy: U from below and 1 - Pr from above. */
typedef struct point {
    mpq_t u, miss;
} point;

enum { GIVEN, BEST, SAFEST }; /* the policy that was chosen last; of largest U + mu Pr; of least 1 - Pr */

typedef struct alone {
    const model *m;
    int k, *chosen;      /* [T * S] action; -1: the environment cannot be there */
    numbers v, miss, mu; /* U + mu Pr and 1 - Pr: [2 * S] of this time and the next, and of the option at hand; mu [1] */
} alone;

/* The value of the best option of s at time t, to x, from what follows at y. */
static void choose(alone *e, int t, int s, size_t x, size_t y, int how)
{
    const model *m = e->m;
    int *chosen = &e->chosen[(size_t)t * (size_t)m->S + (size_t)s];
    size_t now = 2 * (size_t)m->S;
    bool any = false;
    for (int a = how == GIVEN ? *chosen : 0; a < (how == GIVEN ? *chosen + 1 : m->A); a++) {
        size_t c = cell(m, e->k, s, a);
        if (m->start[c] == m->start[c + 1]) continue;
        set(e->v, now, m->pay, c);
        zero(e->miss, now);
        for (size_t o = m->start[c]; o < m->start[c + 1]; o++) {
            add(e->v, now, m->prob, o, e->v, y + (size_t)m->next[o]);
            add(e->miss, now, m->prob, o, e->miss, y + (size_t)m->next[o]);
        }
        int more = any ? compare(e->v, now, e->v, x) : 1, safer = any ? compare(e->miss, x, e->miss, now) : 1;
        if (how == SAFEST ? safer < 0 || (safer == 0 && more <= 0) : more < 0 || (more == 0 && safer <= 0)) continue;
        set(e->v, x, e->v, now);
        set(e->miss, x, e->miss, now);
        *chosen = a;
        any = true;
    }
}

/* One induction: U + mu Pr and 1 - Pr at the start. */
static void walk(alone *e, int toward, int how, const mpq_t mu, mpq_t v, mpq_t miss)
{
    const model *m = e->m;
    size_t S = (size_t)m->S;
    arithmetic(VALUES, toward);
    put(e->mu, 0, mu);
    for (size_t x = 0; x < 2 * S; x++) {
        zero(e->v, x);
        zero(e->miss, x);
        if ((x >= S) == m->T % 2 && keeps(m, e->k, (int)(x % S))) set(e->v, x, e->mu, 0);
        if ((x >= S) == m->T % 2 && !keeps(m, e->k, (int)(x % S))) set(e->miss, x, m->one, 0);
    }
    for (int t = m->T - 1; t >= 0; t--)
        for (size_t s = 0; s < S; s++)
            if (e->chosen[(size_t)t * S + s] >= 0) choose(e, t, (int)s, t % 2 ? S + s : s, t % 2 ? 0 : S, how);
    get(e->v, (size_t)m->s0, v);
    get(e->miss, (size_t)m->s0, miss);
    arithmetic_end();
}

/* The best policy for mu, or the safest; returns in v what bounds U + mu Pr of all. */
static void find(alone *e, int how, const mpq_t mu, mpq_t v, point *x)
{
    mpq_t nothing, unused;
    mpq_inits(nothing, unused, NULL);
    walk(e, UP, how, mu, v, x->miss);
    walk(e, DOWN, GIVEN, nothing, x->u, unused);
    walk(e, UP, GIVEN, nothing, unused, x->miss);
    mpq_clears(nothing, unused, NULL);
}

/* u - mu miss */
static void along(const point *x, const mpq_t mu, mpq_t sum)
{
    mpq_mul(sum, mu, x->miss);
    mpq_sub(sum, x->u, sum);
}

/* From the unconstrained policy, which misses more than `most`, and the safest one, which does not, inwards. */
static void close_in(alone *e, point *left, point *right, const mpq_t most, mpq_t low, mpq_t high)
{
    enum { TURNS = 1000, PLACES = 128, LONG = 1500, DOUBLE_PLACES = 44 };
    point top;
    mpq_t mu, apart, gain;
    mpq_inits(top.u, top.miss, mu, apart, gain, NULL);
    for (int turn = 0; turn < TURNS; turn++) {
        mpq_sub(mu, left->u, right->u);
        mpq_sub(apart, left->miss, right->miss);
        if (mpq_sgn(mu) < 0) mpq_set_ui(mu, 0, 1);
        mpq_div(mu, mu, apart);
        if (!(in_rationals & VALUES) || mpz_sizeinbase(mpq_denref(mu), 2) > LONG) mpq_set_d(mu, outward(mu, UP));
        find(e, BEST, mu, high, &top);
        along(&top, mu, gain);
        along(left, mu, apart);
        mpq_sub(gain, gain, apart);
        mpq_div_2exp(apart, in_rationals & VALUES ? e->m->one.q[0] : high, in_rationals & VALUES ? PLACES : DOUBLE_PLACES);
        if (mpq_cmp(gain, apart) <= 0) break;
        point *to = mpq_cmp(top.miss, most) <= 0 ? right : left;
        if (mpq_equal(to->u, top.u) && mpq_equal(to->miss, top.miss)) break;
        mpq_set(to->u, top.u);
        mpq_set(to->miss, top.miss);
    }
    mpq_mul(gain, mu, e->m->p[e->k]);
    mpq_sub(high, high, gain);
    mpq_sub(gain, left->miss, most); /* share of right: what left misses too much, of the distance */
    mpq_sub(apart, left->miss, right->miss);
    mpq_div(gain, gain, apart);
    mpq_sub(apart, right->u, left->u);
    mpq_mul(gain, gain, apart);
    mpq_add(low, left->u, gain);
    mpq_clears(top.u, top.miss, mu, apart, gain, NULL);
}

static void find_reached(alone *e)
{
    const model *m = e->m;
    size_t S = (size_t)m->S;
    for (size_t i = 0; i < (size_t)m->T * S; i++) e->chosen[i] = i == (size_t)m->s0 ? 0 : -1;
    for (size_t i = 0; i < (size_t)(m->T - 1) * S; i++)
        for (size_t o = m->start[cell(m, e->k, (int)(i % S), 0)];
             e->chosen[i] >= 0 && o < m->start[cell(m, e->k, (int)(i % S), m->A - 1) + 1]; o++)
            e->chosen[(i / S + 1) * S + (size_t)m->next[o]] = 0;
}

void optimum(const model *m, int k, mpq_t low, mpq_t high)
{
    size_t S = (size_t)m->S;
    alone e = {.m = m, .k = k, .chosen = zeroed((size_t)m->T * S, sizeof *e.chosen)};
    static numbers scratch[2][3];
    numbers *kept = scratch[(in_rationals & VALUES) != 0];
    for (int i = 0; i < 3 && !kept[i].end[DOWN]; i++) kept[i] = numbers_new(2 * S + 1);
    e.v = kept[0];
    e.miss = kept[1];
    e.mu = kept[2];
    point left, right;
    mpq_t mu, most;
    mpq_inits(left.u, left.miss, right.u, right.miss, mu, most, NULL);
    mpq_sub(most, m->one.q[0], m->p[k]);
    find_reached(&e);
    find(&e, SAFEST, mu, high, &right);
    mpq_set(low, right.u);
    if (mpq_cmp(right.miss, most) <= 0) { /* else within the tolerance at best: the regret is measured against the safest policy */
        find(&e, BEST, mu, high, &left);
        mpq_set(low, left.u);
        if (mpq_cmp(left.miss, most) > 0) close_in(&e, &left, &right, most, low, high);
    } else if (rounded) {
        unreadable("whether environment %d can keep the promise is not seen in rounded numbers", k);
    } else if (!(in_rationals & VALUES)) { /* doubles do not tell */
        in_rationals |= VALUES;
        optimum(m, k, low, high);
        in_rationals &= ~VALUES;
    }
    mpq_clears(left.u, left.miss, right.u, right.miss, mu, most, NULL);
    free(e.chosen);
}
