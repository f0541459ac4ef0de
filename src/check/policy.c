/* check/policy.c - the policy of a proof: its rules as they are read, and in the end its worth; promises on average; U*(k). */
#include "check/check.h"

mpq_t *read_chances(judge *ctx, const proof *x, int n)
{
    mpq_ptr sum = temp(ctx), chance = temp(ctx);
    mpq_t *of = rationals_new(ctx, (size_t)x->m.A);
    int count = 0;
    for (char *at = word(ctx); at; at = word_or_none(ctx), count++) {
        char *value = strchr(at, '=');
        if (value) *value++ = '\0';
        (void)named_option(ctx, x, n, at);
        int a = integer(ctx, at, 0, x->m.A - 1); /* which option it is depends on the node */
        rational(ctx, value ? value : "1", chance);
        if (mpq_sgn(chance) < 0) refuted(ctx, "a negative probability");
        mpq_add(of[a], of[a], chance);
        mpq_add(sum, sum, chance);
    }
    if (mpq_sgn(sum) <= 0) refuted(ctx, "a rule that does nothing");
    for (int a = 0; a < x->m.A; a++) mpq_div(of[a], of[a], sum);
    if (x->class == DETERMINISTIC && count > 1) refuted(ctx, "a deterministic policy does one thing at a node");
    return of;
}

void read_like(judge *ctx, proof *x)
{
    like of = {.t = integer(ctx, word(ctx), 0, x->m.T - 1),
               .s = integer(ctx, word(ctx), 0, x->m.S - 1),
               .weight = rationals_new(ctx, (size_t)x->m.K)};
    size_t n = x->g.layer[of.t];
    multipliers(ctx, x->m.K, of.weight, false);
    while (n < x->g.layer[of.t + 1] && x->g.node[n].s != of.s) n++;
    if (n == x->g.layer[of.t + 1] || x->class != HISTORY) refuted(ctx, "no policy of this class decides there");
    of.rule = read_chances(ctx, x, (int)n);
    append(ctx, x->likes, x->like_count, of);
}

/* Class c, of likelihoods times reach, on to the classes that follow. U from the first environment of the rung on; scratch [2]. */
static void pass_on(const rung *r, mpq_t rule[], size_t c, numbers reach, numbers U, numbers scratch)
{
    const model *m = r->g->m;
    const node *n = &r->g->node[r->node[c]];
    for (int a = 0; a < m->A; a++) {
        if (mpq_sgn(rule[a]) == 0) continue;
        size_t slot = r->slot[c] + graph_option(reach.ctx, r->g, n, a) - n->option;
        put(scratch, 0, rule[a]);
        zero(scratch, 1);
        add(scratch, 1, scratch, 0, reach, c);
        for (size_t w = r->weight_start[c]; w < r->weight_start[c + 1]; w++) {
            zero(scratch, 0);
            add(scratch, 0, scratch, 1, r->weight, w);
            add(U, (size_t)(r->env[w] - r->env[0]), scratch, 0, m->paid, cell(m, r->env[w], n->s, a));
        }
        for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
            add(reach, (size_t)r->arc[arc], scratch, 1, r->factor, arc);
    }
}

/* U(k) from below, and 1 less Pr(row) from above, of rules [classes], for the environments of the rung, the first of them at U[0]
 * and miss[0]; refuted if a rule is missing. */
static void policy_value(judge *ctx, const rung *r, mpq_t *const rule[], mpq_t U[], mpq_t miss[])
{
    const model *m = r->g->m;
    int first = r->env[0], J = m->J, envs = r->env[r->weight_start[1] - 1] - first + 1;
    const size_t size[] = {r->classes, (size_t)envs, (size_t)(envs * J), 2};
    for (int toward = UP; toward >= DOWN; toward--) {
        if (toward == DOWN && !ctx->rounded && ctx->rationals & VALUES) return; /* it would be the same */
        numbers x[4] = {{0}, {0}, {0}, {0}}, *sum = &x[1], *scratch = &x[3];
        void *mark = zeroed(ctx, 1, 1);
        arithmetic(ctx, VALUES, toward);
        for (int i = 0; i < 4; i++) numbers_room(ctx, &x[i], size[i]);
        set(x[0], 0, m->one, 0);
        for (size_t c = 0; c < r->classes; c++) {
            const node *n = &r->g->node[r->node[c]];
            zero(*scratch, 0);
            if (n->t < m->T && compare(x[0], c, *scratch, 0) > 0) {
                if (!rule[c]) refuted(ctx, "the policy reaches a node without a rule");
                pass_on(r, rule[c], c, x[0], sum[0], *scratch);
            }
            for (size_t w = r->weight_start[c]; n->t == m->T && w < r->weight_start[c + 1]; w++)
                for (int j = 0, row = r->env[w] * J; j < J; j++, row++)
                    if (!keeps(m, row, n->s)) add(sum[1], (size_t)(row - first * J), x[0], c, r->weight, w);
        }
        for (int i = 0; i < envs; i++) get(sum[0], (size_t)i, U[i]);
        for (int i = 0; i < envs * J && toward == UP; i++) {
            get(sum[1], (size_t)i, miss[i]);
            if (mpq_cmp(miss[i], m->one.q[0]) > 0) mpq_set(miss[i], m->one.q[0]);
        }
        release(ctx, mark);
        arithmetic(ctx, 0, UP);
    }
}

/* U and Pr(row) of the policy of the proof. The first promise that it misses, as a row, on average its first; -1: none is.
 * *exactly: is every p reached? */
static int missed(judge *ctx, proof *x, mpq_t U[], mpq_t Pr[], bool *exactly)
{
    const model *m = &x->m;
    rung all;
    int found = -1;
    mpq_ptr none = temp(ctx);
    if (x->like_count) rung_make(ctx, &all, &x->g, x->g.node->set, m->T + 1);
    for (int k = 0; k < (x->like_count ? 1 : m->K); k++) {
        const rung *r = x->like_count ? &all : rung_known(ctx, &x->g, k);
        mpq_t **rule = zeroed(ctx, r->classes, sizeof *rule);
        for (size_t c = 0; c < r->layer[m->T]; c++) { /* its node's, or the one of the nearest likelihoods, at any distance */
            const node *n = &x->g.node[r->node[c]];
            double nearest = 2;
            rule[c] = x->rule_of[r->node[c]];
            for (const like *of = x->likes; of && of < x->likes + x->like_count; of++) {
                double apart = 0;
                size_t w = r->weight_start[c];
                if (of->t != n->t || of->s != n->s) continue;
                for (int i = 0; i < m->K; i++) {
                    bool here = w < r->weight_start[c + 1] && r->env[w] == i;
                    apart = fmax(apart, fabs((here ? r->weight.end[UP][w++] : 0) - mpq_get_d(of->weight[i])));
                }
                if (apart < nearest) rule[c] = of->rule;
                nearest = fmin(nearest, apart);
            }
        }
        policy_value(ctx, r, rule, U + k, Pr + k * m->J);
        drop(ctx, rule);
    }
    *exactly = true;
    for (int row = m->P - 1; row >= 0; row--) {
        mpq_sub(Pr[row], m->one.q[0], Pr[row]);
        if (errs(m)) worst_kept(ctx, x, row, Pr[row]);
        if (m->average[row % m->J]) continue;
        if (mpq_cmp(Pr[row], x->enough[row]) < 0) found = row;
        *exactly &= mpq_cmp(Pr[row], m->p[row]) >= 0;
    }
    return found < 0 ? averages_missed(ctx, x, Pr, none, exactly) : found;
}

bool policy_weigh(judge *ctx, proof *x, mpq_ptr maximum, mpq_ptr total)
{
    int K = x->m.K, J = x->m.J;
    bool exactly;
    mpq_t *U = rationals_new(ctx, (size_t)K), *Pr = rationals_new(ctx, (size_t)x->m.P);
    mpq_ptr regret = temp(ctx);
    int row = missed(ctx, x, U, Pr, &exactly);
    if (row >= 0 && !(ctx->rationals & VALUES)) { /* mixed to keep it just so: doubles cannot decide */
        ctx->rationals |= VALUES;
        row = missed(ctx, x, U, Pr, &exactly);
        ctx->rationals &= ~VALUES;
    }
    if (row >= 0 && x->m.average[row % J]) refuted(ctx, "the policy does not keep promise %d on average", row % J);
    if (row >= 0) refuted(ctx, "the policy does not keep promise %d in environment %d", row % J, row / J);
    for (int k = 0; k < K; k++) {
        mpq_sub(regret, x->optimum[UP][k], U[k]);
        if (k == 0 || mpq_cmp(regret, maximum) > 0) mpq_set(maximum, regret);
        plus(ctx, total, regret, x->worth[k]);
    }
    return exactly;
}

/* ---- promises on average: sum_k w(k) Pr_j(k) >= p_j over the prior w of the model (FORMAT.md) ---- */

void averages_owed(judge *ctx, proof *x, node_graph *fewest)
{
    /* The error of a mean of doubles beyond the errors of its parts: of weights, products and sums. */
    enum { MEAN_SUMS = 4, MEAN_PLACES = 52 };
    const model *m = &x->m;
    int K = m->K, J = m->J;
    mpq_t *most = rationals_new(ctx, (size_t)K);
    numbers weight = numbers_of(ctx, NULL, (size_t)K), price = numbers_of(ctx, NULL, (size_t)m->P);
    mpq_ptr rest = temp(ctx), level = temp(ctx), none = temp(ctx);
    for (int j = 0; j < J; j++) {
        if (!m->average[j]) continue;
        mpq_set_d(level, ldexp(K + MEAN_SUMS, -MEAN_PLACES));
        mpq_sub(x->mean[j], m->p[j], x->keep);
        mpq_sub(x->mean[j], x->mean[j], level);
        mpq_set(rest, x->mean[j]);
        for (int k = 0; k < K; k++) { /* the most Pr in environment k alone, and no more than 1 */
            put(price, (size_t)(k * J + j), m->one.q[0]);
            (void)bound_most(ctx, bound_alone(ctx, fewest, k), VALUES, weight, price, most[k]);
            put(price, (size_t)(k * J + j), none);
            if (mpq_cmp(most[k], m->one.q[0]) > 0) mpq_set(most[k], m->one.q[0]);
            mpq_mul(level, m->prior[k], most[k]);
            mpq_sub(rest, rest, level);
        }
        for (int k = 0, row = j; k < K; k++, row += J) { /* the share that the others cannot reach */
            if (mpq_sgn(m->prior[k]) == 0) continue;
            mpq_div(level, rest, m->prior[k]);
            mpq_add(level, level, most[k]);
            if (mpq_cmp(level, x->enough[row]) <= 0) continue;
            mpq_set(x->enough[row], level);
            x->most_enough[row] = outward(ctx, level, DOWN);
        }
    }
}

void averages_show(judge *ctx, const proof *x, mpq_ptr shown)
{
    const model *m = &x->m;
    mpq_ptr price = temp(ctx), gain = temp(ctx), part = temp(ctx);
    for (int j = 0; j < m->J; j++) {
        bool some = false;
        if (!m->average[j]) continue;
        mpq_set(gain, x->mean[j]);
        for (int k = 0, row = j; k < m->K; k++, row += m->J) {
            if (mpq_sgn(m->prior[k]) == 0) continue;
            mpq_mul(part, m->prior[k], x->enough[row]);
            mpq_sub(gain, gain, part);
            mpq_div(part, x->price.q[row], m->prior[k]);
            if (!some || mpq_cmp(part, price) < 0) mpq_set(price, part);
            some = true;
        }
        if (mpq_sgn(gain) > 0) plus(ctx, shown, price, gain);
    }
}

int averages_missed(judge *ctx, const proof *x, mpq_t least[], mpq_srcptr slack, bool *exactly)
{
    int found = -1;
    mpq_ptr mean = temp(ctx);
    for (int j = x->m.J - 1; j >= 0; j--) {
        if (!x->m.average[j]) continue;
        mpq_set(mean, slack);
        for (int k = 0; k < x->m.K; k++) plus(ctx, mean, x->m.prior[k], least[k * x->m.J + j]);
        if (mpq_cmp(mean, x->mean[j]) < 0) found = j;
        if (exactly) *exactly = *exactly && mpq_cmp(mean, x->m.p[j]) >= 0;
    }
    return found;
}

/* ---- U*(k) = max { U : Pr_j >= q_j for all j } over the policies of environment k alone, mixtures included: a linear program with
 * a row for each promise, q_j = p_j - keep, and one for the weights. The simplex method in rationals, with the inverse of its
 * basis, gets entering policies from an induction (bound.c): phase one minimises the weight of nobody, a column that misses no
 * promise and with which the basis begins, phase two maximises the reward. The mixture attains the optimum from below; its prices
 * mu bound it from above, U + sum mu_j (Pr_j - q_j) of all policies; in rationals that were not rounded the two are equal. Columns
 * hold 1 - Pr, since 0 stays 0 under rounding. ---- */

typedef struct alone {
    int k, n;               /* n: J + 1 rows, the last of the weights */
    bound *best;            /* over the classes of environment k */
    numbers weight, price;  /* [K], [P] of its inductions */
    mpq_t **does, *pure;    /* [classes] rules of the policy found last; [2 A] 1 between zeros: all pure rules */
    bool paid;              /* does U count? */
    int nobody;             /* its row of the basis; -1: none has it */
    mpq_t *row;             /* [(n + 1) * (n + 1)] inverse of the basis, weights of its columns; last prices, objective */
    mpq_t *worth, *most;    /* [n] U of the policies of the basis; right sides: 1 - q_j, and 1 */
    mpq_t *column, *turned; /* [n] the entering one; [n + 1] the same in terms of the basis, and less its gain */
    mpq_t *gain;            /* [1] its worth */
} alone;

static mpq_ptr entry(const alone *e, int i, int c) { return e->row[i * (e->n + 1) + c]; }

/* The best policy at the prices: its column, U of it from below, and a bound on U of all policies that keep the promises. */
static void find(judge *ctx, alone *e, mpq_ptr high)
{
    enum { LONG = 1500 };
    const node_graph *g = e->best->g;
    const model *m = g->m;
    const rung *r = e->best->mixed;
    int J = m->J;
    mpq_ptr mu = temp(ctx), part = temp(ctx), sum = temp(ctx);
    for (int j = 0; j < J; j++) {
        mpq_set(mu, entry(e, e->n, j));
        if (!(ctx->rationals & VALUES) || mpz_sizeinbase(mpq_denref(mu), 2) > LONG) mpq_set_d(mu, outward(ctx, mu, UP));
        put(e->price, (size_t)(e->k * J + j), mu);
        mpq_sub(part, e->most[j], m->one.q[0]);
        plus(ctx, sum, part, mu);
    }
    mpq_set_ui(part, e->paid, 1);
    put(e->weight, (size_t)e->k, part);
    (void)bound_most(ctx, e->best, VALUES, e->weight, e->price, high);
    mpq_add(high, high, sum);
    for (size_t c = 0; c < r->layer[m->T]; c++)
        e->does[c] = e->pure + (m->A - g->action[g->node[r->node[c]].option + (size_t)e->best->of[c].best]);
    policy_value(ctx, r, e->does, e->gain, e->column);
    mpq_set_ui(e->column[J], 1, 1);
}

/* row[to] += factor * row[from] */
static void add_row(judge *ctx, alone *e, int to, mpq_srcptr factor, int from)
{
    for (int c = 0; c <= e->n && mpq_sgn(factor) != 0; c++) plus(ctx, entry(e, to, c), factor, entry(e, from, c));
}

/* The column in terms of the basis. */
static void turn(judge *ctx, alone *e)
{
    for (int i = 0; i <= e->n; i++) {
        mpq_set_ui(e->turned[i], 0, 1);
        for (int r = 0; r < e->n; r++) plus(ctx, e->turned[i], entry(e, i, r), e->column[r]);
    }
    if (e->paid) mpq_sub(e->turned[e->n], e->turned[e->n], *e->gain);
}

/* The entering column takes the place of the one of row `leave`. */
static void pivot(judge *ctx, alone *e, int leave)
{
    for (int c = 0; c <= e->n; c++) mpq_div(entry(e, leave, c), entry(e, leave, c), e->turned[leave]);
    for (int i = 0; i <= e->n; i++) {
        mpq_neg(e->turned[i], e->turned[i]);
        if (i != leave) add_row(ctx, e, i, e->turned[i], leave);
    }
    mpq_set(e->worth[leave], *e->gain);
    if (leave == e->nobody) e->nobody = -1;
}

/* The row whose column is the first to weigh nothing. Nobody goes before others and, where it was left at 0, may not grow. Weights
 * sum to 1, so that there is one. */
static int leaving(judge *ctx, const alone *e)
{
    int leave = -1;
    mpq_ptr here = temp(ctx), least = temp(ctx);
    if (e->paid && e->nobody >= 0 && mpq_sgn(e->turned[e->nobody]) != 0) return e->nobody;
    for (int i = 0; i < e->n; i++) {
        if (mpq_sgn(e->turned[i]) <= 0) continue;
        mpq_div(here, entry(e, i, e->n), e->turned[i]);
        int order = leave < 0 ? -1 : mpq_cmp(here, least);
        if (order > 0 || (order == 0 && i != e->nobody)) continue;
        mpq_set(least, here);
        leave = i;
    }
    return leave;
}

/* The weight of nobody, or the reward, to its optimum; false: this takes too long. */
static bool improve(judge *ctx, alone *e, mpq_ptr high)
{
    enum { TURNS = 1000, PLACES = 128, DOUBLE_PLACES = 44 };
    int n = e->n, turns = 0, spare = -1;
    bool doubles = !(ctx->rationals & VALUES);
    mpq_ptr least = temp(ctx);
    size_t temps = ctx->temps;
    for (int c = 0; c <= n; c++) mpq_set_ui(entry(e, n, c), 0, 1);
    mpq_set_si(least, -1, 1);
    for (int i = 0; i < n; i++)
        if (e->paid || i == e->nobody) add_row(ctx, e, n, e->paid ? e->worth[i] : least, i);
    for (; turns < TURNS && (e->paid || e->nobody >= 0); turns++, ctx->temps = temps) {
        for (int r = n - 1; r >= 0; r--) {
            mpq_set_ui(e->column[r], 0, 1);
            if (r == n - 1 || mpq_sgn(entry(e, n, r)) < 0) spare = r;
        }
        mpq_set_ui(*e->gain, 0, 1);
        mpq_set_ui(e->column[spare], 1, 1);
        if (spare == n - 1) find(ctx, e, high);
        turn(ctx, e);
        mpq_div_2exp(least, doubles ? *e->gain : e->best->g->m->one.q[0], doubles ? DOUBLE_PLACES : PLACES);
        mpq_neg(least, least);
        if (!e->paid) mpq_set_ui(least, 0, 1); /* that a promise is out of reach must be true */
        if (spare == n - 1 && mpq_cmp(e->turned[n], least) >= 0) break;
        pivot(ctx, e, leaving(ctx, e));
    }
    return turns < TURNS;
}

/* false: doubles leave much in doubt. */
static bool between(judge *ctx, alone *e, mpq_ptr low, mpq_ptr high)
{
    enum { ROOM_PLACES = 42 }; /* of U*: doubt that the claims of a proof leave room for */
    bool doubles = !(ctx->rationals & VALUES);
    mpq_ptr apart = temp(ctx), room = temp(ctx);
    int n = e->n;
    for (int i = 0; i < n; i++) {
        mpq_set_ui(entry(e, i, i), 1, 1);
        mpq_set(entry(e, i, n), e->most[i]);
    }
    e->nobody = n - 1;
    e->paid = true; /* the policy of most reward enters first */
    find(ctx, e, high);
    e->paid = false;
    turn(ctx, e);
    pivot(ctx, e, leaving(ctx, e));
    bool done = improve(ctx, e, low);
    if (e->nobody >= 0 && doubles) return false;
    mpq_set_ui(low, 0, 1); /* the least that policies earn, rewards being counted from the least; `high` is the most */
    if (!done || (e->nobody >= 0 && mpq_sgn(entry(e, e->nobody, n)) > 0))
        return true; /* nobody keeps them, or rounding hides who */
    e->paid = true;
    (void)improve(ctx, e, high);
    mpq_set(low, entry(e, n, n));
    mpq_sub(apart, high, low);
    mpq_div_2exp(room, high, ROOM_PLACES);
    return !doubles || mpq_cmp(apart, room) <= 0;
}

void optimum(judge *ctx, node_graph *g, int k, mpq_t enough[], mpq_ptr low, mpq_ptr high)
{
    const model *m = g->m;
    int n = m->J + 1;
    alone e = {.k = k, .n = n, .best = bound_alone(ctx, g, k)}; /* best stays when the rest is released */
    void *mark = zeroed(ctx, 1, 1);
    mpq_t **const room[] = {&e.worth, &e.most, &e.column, &e.turned, &e.row, &e.gain};
    size_t temps = ctx->temps;
    e.weight = numbers_of(ctx, NULL, (size_t)m->K);
    e.price = numbers_of(ctx, NULL, (size_t)m->P);
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) *room[i] = rationals_new(ctx, (size_t)((n + 1) * (n + 1)));
    e.pure = rationals_new(ctx, 2 * (size_t)m->A);
    mpq_set_ui(e.pure[m->A], 1, 1);
    e.does = zeroed(ctx, e.best->mixed->classes, sizeof *e.does);
    for (int j = 0; j < m->J; j++) mpq_sub(e.most[j], m->one.q[0], enough[k * m->J + j]);
    mpq_set_ui(e.most[m->J], 1, 1);
    bool sure = between(ctx, &e, low, high);
    release(ctx, mark);
    ctx->temps = temps;
    if (sure) return;
    ctx->rationals |= VALUES; /* as where failures are rare: they cost much reward, and doubles near 1 cannot resolve them */
    optimum(ctx, g, k, enough, low, high);
    ctx->rationals &= ~VALUES;
}
