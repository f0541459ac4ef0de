/* check/value.c - U*(k).
 *
 * U*(k) = max { U : Pr_j >= q_j for all j } over the policies of environment k alone, of which mixtures are policies, too: a linear
 * program of a row for each promise, q_j = p_j - keep, and one for what is mixed. The simplex method in rationals, with the inverse
 * of its basis, asks an induction (bound.c) for the policies that enter: first what is missing to the promises is made least, one
 * column that fills all rows alike, then the reward most. The mixture attains the optimum from below; its prices mu bound it from
 * above, U + sum mu_j (Pr_j - q_j) of all policies; in rationals that were not rounded the two are equal. What is carried along of
 * Pr is its complement, of which nothing stays nothing however it is rounded.
 */
#include "check/check.h"

typedef struct alone {
    int k, n;                         /* n: J + 1 rows, the last of what is mixed */
    bound best;                       /* over the classes of environment k */
    numbers weight, price;            /* [K], [P] of the induction */
    const rule **does;                /* [classes] what the policy found last does */
    rule *pure;                       /* [A] */
    mpq_t *U, *miss;                  /* [K], [P] of that policy */
    bool paid;                        /* does U count? */
    int missing;                      /* where in the basis what is missing stands; -1: nothing is */
    mpq_t *row;                       /* [(n + 1) * (n + 1)] inverse of the basis, weights of its columns; last prices, objective */
    mpq_t *worth;                     /* [n] U of the policies of the basis */
    mpq_t *most;                      /* [n] right sides: 1 - q_j, and 1 */
    mpq_t *column, *turned, *scratch; /* [n] that which enters; [n + 1] in terms of the basis, and less its gain; [5] */
} alone;

/* The best policy at the prices: its column, U of it from below, and what bounds that of all policies that keep the promises. */
static void find(alone *e, mpq_t worth, mpq_t high)
{
    enum { LONG = 1500 };
    const model *m = e->best.g->m;
    const rung *r = e->best.mixed;
    int J = m->J;
    mpq_ptr mu = e->scratch[0], part = e->scratch[1], sum = e->scratch[2];
    mpq_set_ui(sum, 0, 1);
    for (int j = 0; j < J; j++) {
        mpq_set(mu, e->row[e->n * (e->n + 1) + j]);
        if (!(in_rationals & VALUES) || mpz_sizeinbase(mpq_denref(mu), 2) > LONG) mpq_set_d(mu, outward(mu, UP));
        put(e->price, (size_t)(e->k * J + j), mu);
        mpq_sub(part, e->most[j], m->one.q[0]);
        plus(sum, part, mu);
    }
    mpq_set_ui(part, e->paid, 1);
    put(e->weight, (size_t)e->k, part);
    (void)bound_most(&e->best, VALUES, e->weight, e->price, high);
    mpq_add(high, high, sum);
    for (size_t c = 0; c < r->layer[m->T]; c++)
        e->does[c] = &e->pure[e->best.g->action[e->best.g->node[r->node[c]].option + (size_t)e->best.of[c].best]];
    policy_value(r, e->does, e->U, e->miss);
    for (int j = 0; j < J; j++) mpq_set(e->column[j], e->miss[e->k * J + j]);
    mpq_set(worth, e->U[e->k]);
    mpq_set_ui(e->column[J], 1, 1);
}

/* row[to] += factor * row[from] */
static void add_row(alone *e, int to, const mpq_t factor, int from)
{
    for (int c = 0; c <= e->n && mpq_sgn(factor) != 0; c++)
        plus(e->row[to * (e->n + 1) + c], factor, e->row[from * (e->n + 1) + c]);
}

/* e->column, of this worth, in terms of the basis. */
static void turn(alone *e, const mpq_t worth)
{
    for (int i = 0; i <= e->n; i++) {
        mpq_set_ui(e->turned[i], 0, 1);
        for (int r = 0; r < e->n; r++) plus(e->turned[i], e->row[i * (e->n + 1) + r], e->column[r]);
    }
    if (e->paid) mpq_sub(e->turned[e->n], e->turned[e->n], worth);
}

/* The column that was turned takes the place of that of row `leave`. */
static void pivot(alone *e, int leave, const mpq_t worth)
{
    for (int c = 0; c <= e->n; c++) mpq_div(e->row[leave * (e->n + 1) + c], e->row[leave * (e->n + 1) + c], e->turned[leave]);
    for (int i = 0; i <= e->n; i++) {
        mpq_neg(e->turned[i], e->turned[i]);
        if (i != leave) add_row(e, i, e->turned[i], leave);
    }
    mpq_set(e->worth[leave], worth);
    if (leave == e->missing) e->missing = -1;
}

/* Which column of the basis is the first to weigh nothing where that which was turned comes in? What is missing goes before others
 * and, where it was left at 0, may not grow. Weights sum to 1, so that there is one. */
static int leaving(const alone *e)
{
    int leave = -1;
    mpq_ptr here = e->scratch[0], least = e->scratch[1];
    if (e->paid && e->missing >= 0 && mpq_sgn(e->turned[e->missing]) != 0) return e->missing;
    for (int i = 0; i < e->n; i++) {
        if (mpq_sgn(e->turned[i]) <= 0) continue;
        mpq_div(here, e->row[i * (e->n + 1) + e->n], e->turned[i]);
        int order = leave < 0 ? -1 : mpq_cmp(here, least);
        if (order > 0 || (order == 0 && i != e->missing)) continue;
        mpq_set(least, here);
        leave = i;
    }
    return leave;
}

/* What is missing, or the reward, to its optimum; false: this takes too long. */
static bool improve(alone *e, mpq_t high)
{
    enum { TURNS = 1000, PLACES = 128, DOUBLE_PLACES = 44 };
    int n = e->n, turns = 0, spare = -1;
    mpq_ptr worth = e->scratch[3], least = e->scratch[4];
    for (int c = 0; c <= n; c++) mpq_set_ui(e->row[n * (n + 1) + c], 0, 1);
    mpq_set_si(least, -1, 1);
    for (int i = 0; i < n; i++)
        if (e->paid || i == e->missing) add_row(e, n, e->paid ? e->worth[i] : least, i);
    for (; turns < TURNS && (e->paid || e->missing >= 0); turns++) {
        for (int r = n - 1; r >= 0; r--) {
            mpq_set_ui(e->column[r], 0, 1);
            if (r == n - 1 || mpq_sgn(e->row[n * (n + 1) + r]) < 0) spare = r;
        }
        mpq_set_ui(worth, 0, 1);
        mpq_set_ui(e->column[spare], 1, 1);
        if (spare == n - 1) find(e, worth, high);
        turn(e, worth);
        bool doubles = !(in_rationals & VALUES);
        mpq_div_2exp(least, doubles ? worth : e->best.g->m->one.q[0], doubles ? DOUBLE_PLACES : PLACES);
        mpq_neg(least, least);
        if (!e->paid) mpq_set_ui(least, 0, 1); /* that a promise is out of reach must be true */
        if (spare == n - 1 && mpq_cmp(e->turned[n], least) >= 0) break;
        pivot(e, leaving(e), worth);
    }
    return turns < TURNS;
}

/* The basis of the policy of most reward and of what is spare of each promise; what is missing comes in for the row that misses
 * most. */
static void begin(alone *e, mpq_t high)
{
    int n = e->n, worst = 0;
    mpq_ptr worth = e->scratch[3];
    for (int i = 0; i <= n; i++)
        for (int c = 0; c <= n; c++) mpq_set_ui(e->row[i * (n + 1) + c], i == c && i < n, 1);
    for (int i = 0; i < n; i++) mpq_set_ui(e->worth[i], 0, 1);
    for (int i = 0; i < n; i++) mpq_set(e->row[i * (n + 1) + n], e->most[i]);
    e->paid = true;
    e->missing = -1;
    find(e, worth, high);
    turn(e, worth);
    pivot(e, n - 1, worth);
    for (int i = 1; i < n; i++)
        if (mpq_cmp(e->row[i * (n + 1) + n], e->row[worst * (n + 1) + n]) < 0) worst = i;
    if (mpq_sgn(e->row[worst * (n + 1) + n]) < 0) {
        for (int r = 0; r < n; r++) mpq_set_si(e->column[r], r < n - 1 ? -1 : 0, 1);
        mpq_set_ui(worth, 0, 1);
        turn(e, worth);
        pivot(e, worst, worth);
        e->missing = worst;
    }
}

/* Room, for the classes of environment k. */
static void begin_alone(alone *e, node_graph *g, int k)
{
    const model *m = g->m;
    int n = e->n = m->J + 1;
    e->k = k;
    if (!e->pure) {
        mpq_t **const room[] = {&e->worth, &e->most, &e->column, &e->turned, &e->row, &e->scratch, &e->U, &e->miss};
        for (size_t i = 0; i < sizeof room / sizeof *room; i++) *room[i] = rationals_new((n + 1) * (n + 1) + m->P);
        e->weight = numbers_of(NULL, (size_t)m->K);
        e->price = numbers_of(NULL, (size_t)m->P);
        e->pure = zeroed((size_t)m->A, sizeof *e->pure);
        for (int a = 0; a < m->A; a++) {
            e->pure[a] = (rule){1, zeroed(1, sizeof(int)), m->one.q};
            e->pure[a].action[0] = a;
        }
    }
    bound_over(&e->best, g, rung_known(g, k));
    free(e->does);
    e->does = zeroed(e->best.mixed->classes, sizeof *e->does);
}

/* Where doubles leave much in doubt, as where failures are rare: they cost much reward, and are known from 1 on alone. */
static void in_rationals_instead(node_graph *g, int k, mpq_t enough[], mpq_t low, mpq_t high)
{
    in_rationals |= VALUES;
    optimum(g, k, enough, low, high);
    in_rationals &= ~VALUES;
}

void optimum(node_graph *g, int k, mpq_t enough[], mpq_t low, mpq_t high)
{
    enum { ROOM_PLACES = 42 }; /* of U*: doubt that the claims of a proof leave room for */
    static alone kept[2];      /* room, under --interval and not */
    alone *e = &kept[(in_rationals & VALUES) != 0];
    begin_alone(e, g, k);
    for (int j = 0; j < g->m->J; j++) mpq_sub(e->most[j], g->m->one.q[0], enough[k * g->m->J + j]);
    mpq_set_ui(e->most[g->m->J], 1, 1);
    begin(e, high);
    e->paid = false;
    bool done = improve(e, low);
    mpq_ptr missing = e->row[(e->missing < 0 ? 0 : e->missing) * (e->n + 1) + e->n];
    if (e->missing >= 0 && !(in_rationals & VALUES)) { /* doubles do not tell */
        in_rationals_instead(g, k, enough, low, high);
        return;
    }
    if (!done || (e->missing >= 0 && rounded)) { /* rounded numbers do not tell whether it can keep its promises: U* lies between */
        begin(e, high); /* what all policies earn at least, rewards being counted from the least, and most */
        mpq_set_ui(low, 0, 1);
        return;
    }
    for (int j = 0; j < g->m->J && e->missing >= 0; j++) mpq_add(e->most[j], e->most[j], missing);
    if (e->missing >= 0) mpq_set_ui(missing, 0, 1); /* nothing keeps them: all are lowered by the least that is enough */
    e->paid = true;
    (void)improve(e, high);
    mpq_set(low, e->row[(e->n + 1) * (e->n + 1) - 1]);
    mpq_sub(e->scratch[0], high, low);
    mpq_div_2exp(e->scratch[1], high, ROOM_PLACES);
    if (!(in_rationals & VALUES) && mpq_cmp(e->scratch[0], e->scratch[1]) > 0) in_rationals_instead(g, k, enough, low, high);
}
