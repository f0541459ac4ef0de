/* check/value.c - U*(k) = max { U : Pr_j >= q_j for all j } over the policies of environment k alone, mixtures included: a linear
 * program with a row for each promise, q_j = p_j - keep, and one for the weights. The simplex method in rationals, with the inverse
 * of its basis, gets entering policies from an induction (bound.c): phase one minimises the shortfall of the promises, one column
 * that fills all rows alike, phase two maximises the reward. The mixture attains the optimum from below; its prices mu bound it
 * from above, U + sum mu_j (Pr_j - q_j) of all policies; in rationals that were not rounded the two are equal. Columns hold 1 - Pr,
 * since 0 stays 0 under rounding. */
#include "check/check.h"

typedef struct alone {
    judge *ctx;
    int k, n;              /* n: J + 1 rows, the last of the weights */
    bound *best;           /* over the classes of environment k */
    numbers weight, price; /* [K], [P] of its inductions */
    const rule **does;     /* [classes] the actions of the policy found last */
    rule *pure;            /* [A] */
    mpq_t *U, *miss;       /* [1], [J] of that policy */
    bool paid;             /* does U count? */
    int missing;           /* row of the basis with the shortfall; -1: none has it */
    mpq_t *row;            /* [(n + 1) * (n + 1)] inverse of the basis, weights of its columns; last prices, objective */
    mpq_t *worth, *most;   /* [n] U of the policies of the basis; right sides: 1 - q_j, and 1 */
    mpq_t *column;         /* [n] the entering one */
    mpq_t *turned;         /* [n + 1] the same in terms of the basis, and less its gain */
} alone;

static mpq_ptr entry(const alone *e, int i, int c) { return e->row[i * (e->n + 1) + c]; }

/* The best policy at the prices: its column, U of it from below, and a bound on U of all policies that keep the promises. */
static void find(alone *e, mpq_ptr worth, mpq_ptr high)
{
    enum { LONG = 1500 };
    const model *m = e->best->g->m;
    const rung *r = e->best->mixed;
    int J = m->J;
    mpq_ptr mu = temp(e->ctx), part = temp(e->ctx), sum = temp(e->ctx);
    for (int j = 0; j < J; j++) {
        mpq_set(mu, entry(e, e->n, j));
        if (!(e->ctx->rationals & VALUES) || mpz_sizeinbase(mpq_denref(mu), 2) > LONG) mpq_set_d(mu, outward(e->ctx, mu, UP));
        put(e->price, (size_t)(e->k * J + j), mu);
        mpq_sub(part, e->most[j], m->one.q[0]);
        plus(e->ctx, sum, part, mu);
    }
    mpq_set_ui(part, e->paid, 1);
    put(e->weight, (size_t)e->k, part);
    (void)bound_most(e->best, VALUES, e->weight, e->price, high);
    mpq_add(high, high, sum);
    for (size_t c = 0; c < r->layer[m->T]; c++)
        e->does[c] = &e->pure[e->best->g->action[e->best->g->node[r->node[c]].option + (size_t)e->best->of[c].best]];
    policy_value(r, e->does, e->U, e->miss);
    for (int j = 0; j < J; j++) mpq_set(e->column[j], e->miss[j]);
    mpq_set(worth, e->U[0]);
    mpq_set_ui(e->column[J], 1, 1);
}

/* row[to] += factor * row[from] */
static void add_row(alone *e, int to, mpq_srcptr factor, int from)
{
    for (int c = 0; c <= e->n && mpq_sgn(factor) != 0; c++) plus(e->ctx, entry(e, to, c), factor, entry(e, from, c));
}

/* e->column, of this worth, in terms of the basis. */
static void turn(alone *e, mpq_srcptr worth)
{
    for (int i = 0; i <= e->n; i++) {
        mpq_set_ui(e->turned[i], 0, 1);
        for (int r = 0; r < e->n; r++) plus(e->ctx, e->turned[i], entry(e, i, r), e->column[r]);
    }
    if (e->paid) mpq_sub(e->turned[e->n], e->turned[e->n], worth);
}

/* The entering column takes the place of the one of row `leave`. */
static void pivot(alone *e, int leave, mpq_srcptr worth)
{
    for (int c = 0; c <= e->n; c++) mpq_div(entry(e, leave, c), entry(e, leave, c), e->turned[leave]);
    for (int i = 0; i <= e->n; i++) {
        mpq_neg(e->turned[i], e->turned[i]);
        if (i != leave) add_row(e, i, e->turned[i], leave);
    }
    mpq_set(e->worth[leave], worth);
    if (leave == e->missing) e->missing = -1;
}

/* The row whose column is the first to weigh nothing. The shortfall goes before others and, where it was left at 0, may not grow.
 * Weights sum to 1, so that there is one. */
static int leaving(const alone *e)
{
    int leave = -1;
    mpq_ptr here = temp(e->ctx), least = temp(e->ctx);
    if (e->paid && e->missing >= 0 && mpq_sgn(e->turned[e->missing]) != 0) return e->missing;
    for (int i = 0; i < e->n; i++) {
        if (mpq_sgn(e->turned[i]) <= 0) continue;
        mpq_div(here, entry(e, i, e->n), e->turned[i]);
        int order = leave < 0 ? -1 : mpq_cmp(here, least);
        if (order > 0 || (order == 0 && i != e->missing)) continue;
        mpq_set(least, here);
        leave = i;
    }
    return leave;
}

/* The shortfall, or the reward, to its optimum; false: this takes too long. */
static bool improve(alone *e, mpq_ptr high)
{
    enum { TURNS = 1000, PLACES = 128, DOUBLE_PLACES = 44 };
    int n = e->n, turns = 0, spare = -1;
    bool doubles = !(e->ctx->rationals & VALUES);
    mpq_ptr worth = temp(e->ctx), least = temp(e->ctx);
    size_t temps = e->ctx->temps;
    for (int c = 0; c <= n; c++) mpq_set_ui(entry(e, n, c), 0, 1);
    mpq_set_si(least, -1, 1);
    for (int i = 0; i < n; i++)
        if (e->paid || i == e->missing) add_row(e, n, e->paid ? e->worth[i] : least, i);
    for (; turns < TURNS && (e->paid || e->missing >= 0); turns++, e->ctx->temps = temps) {
        for (int r = n - 1; r >= 0; r--) {
            mpq_set_ui(e->column[r], 0, 1);
            if (r == n - 1 || mpq_sgn(entry(e, n, r)) < 0) spare = r;
        }
        mpq_set_ui(worth, 0, 1);
        mpq_set_ui(e->column[spare], 1, 1);
        if (spare == n - 1) find(e, worth, high);
        turn(e, worth);
        mpq_div_2exp(least, doubles ? worth : e->best->g->m->one.q[0], doubles ? DOUBLE_PLACES : PLACES);
        mpq_neg(least, least);
        if (!e->paid) mpq_set_ui(least, 0, 1); /* that a promise is out of reach must be true */
        if (spare == n - 1 && mpq_cmp(e->turned[n], least) >= 0) break;
        pivot(e, leaving(e), worth);
    }
    return turns < TURNS;
}

/* The basis of the policy of most reward and of the surplus of each promise; the shortfall enters at the row that misses most. */
static void begin(alone *e, mpq_ptr high)
{
    int n = e->n, worst = 0;
    mpq_ptr worth = temp(e->ctx);
    for (int i = 0; i <= n; i++)
        for (int c = 0; c <= n; c++) mpq_set_ui(entry(e, i, c), i == c && i < n, 1);
    for (int i = 0; i < n; i++) mpq_set_ui(e->worth[i], 0, 1);
    for (int i = 0; i < n; i++) mpq_set(entry(e, i, n), e->most[i]);
    e->paid = true;
    e->missing = -1;
    find(e, worth, high);
    turn(e, worth);
    pivot(e, n - 1, worth);
    for (int i = 1; i < n; i++)
        if (mpq_cmp(entry(e, i, n), entry(e, worst, n)) < 0) worst = i;
    if (mpq_sgn(entry(e, worst, n)) < 0) {
        for (int r = 0; r < n; r++) mpq_set_si(e->column[r], r < n - 1 ? -1 : 0, 1);
        mpq_set_ui(worth, 0, 1);
        turn(e, worth);
        pivot(e, worst, worth);
        e->missing = worst;
    }
}

/* Room, and the right sides, for environment k. */
static void alone_open(alone *e, bound *best, int k, mpq_t enough[])
{
    const node_graph *g = best->g;
    const model *m = g->m;
    int n = m->J + 1;
    *e = (alone){.ctx = g->ctx, .k = k, .n = n, .best = best};
    e->weight = numbers_of(g->ctx, NULL, (size_t)m->K);
    e->price = numbers_of(g->ctx, NULL, (size_t)m->P);
    mpq_t **const room[] = {&e->worth, &e->most, &e->column, &e->turned, &e->row, &e->U, &e->miss};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) *room[i] = rationals_new(g->ctx, (size_t)((n + 1) * (n + 1)));
    e->pure = zeroed(g->ctx, (size_t)m->A, sizeof *e->pure);
    for (int a = 0; a < m->A; a++) {
        e->pure[a] = (rule){1, zeroed(g->ctx, 1, sizeof(int)), m->one.q};
        e->pure[a].action[0] = a;
    }
    e->does = zeroed(g->ctx, e->best->mixed->classes, sizeof *e->does);
    for (int j = 0; j < m->J; j++) mpq_sub(e->most[j], m->one.q[0], enough[k * m->J + j]);
    mpq_set_ui(e->most[m->J], 1, 1);
}

/* false: doubles leave much in doubt. */
static bool between(alone *e, mpq_ptr low, mpq_ptr high)
{
    enum { ROOM_PLACES = 42 }; /* of U*: doubt that the claims of a proof leave room for */
    bool doubles = !(e->ctx->rationals & VALUES);
    mpq_ptr apart = temp(e->ctx), room = temp(e->ctx);
    begin(e, high);
    e->paid = false;
    bool done = improve(e, low);
    mpq_ptr missing = entry(e, e->missing < 0 ? 0 : e->missing, e->n);
    if (e->missing >= 0 && doubles) return false;
    if (!done || (e->missing >= 0 && e->ctx->rounded)) { /* rounded numbers leave open whether the promises can be kept */
        begin(e, high); /* U* lies between the least that all policies earn, rewards being counted from the least, and the most */
        mpq_set_ui(low, 0, 1);
        return true;
    }
    for (int j = 0; j < e->n - 1 && e->missing >= 0; j++) mpq_add(e->most[j], e->most[j], missing);
    if (e->missing >= 0) mpq_set_ui(missing, 0, 1); /* nothing keeps them: all are lowered by the least that is enough */
    e->paid = true;
    (void)improve(e, high);
    mpq_set(low, entry(e, e->n, e->n));
    mpq_sub(apart, high, low);
    mpq_div_2exp(room, high, ROOM_PLACES);
    return !doubles || mpq_cmp(apart, room) <= 0;
}

void optimum(node_graph *g, int k, mpq_t enough[], mpq_ptr low, mpq_ptr high)
{
    alone e;
    bound *best = bound_alone(g, k); /* stays when the rest is released */
    void *mark = zeroed(g->ctx, 1, 1);
    size_t temps = g->ctx->temps;
    alone_open(&e, best, k, enough);
    bool sure = between(&e, low, high);
    release(g->ctx, mark);
    g->ctx->temps = temps;
    if (sure) return;
    g->ctx->rationals |= VALUES; /* as where failures are rare: they cost much reward, and doubles near 1 cannot resolve them */
    optimum(g, k, enough, low, high);
    g->ctx->rationals &= ~VALUES;
}
