/* check/policy.c - the policy of a proof: its rules as they are read, and in the end its worth. */
#include "check/check.h"

/* The rest of the line as a distribution over actions of node n. */
static void read_chances(const proof *x, int n, rule *of)
{
    mpq_ptr sum = temp();
    *of = (rule){0, zeroed((size_t)x->m.A, sizeof *of->action), rationals_new((size_t)x->m.A)};
    for (char *at = word(); at; at = word_or_none()) {
        char *chance = strchr(at, '=');
        if (of->count == x->m.A) refuted("too many actions");
        if (chance) *chance++ = '\0';
        int i = of->count++;
        (void)named_option(x, n, at);
        of->action[i] = integer(at, 0, x->m.A - 1); /* which option it is depends on the node */
        rational(chance ? chance : "1", of->chance[i]);
        if (mpq_sgn(of->chance[i]) < 0) refuted("a negative probability");
        mpq_add(sum, sum, of->chance[i]);
    }
    if (mpq_sgn(sum) <= 0) refuted("a rule that does nothing");
    for (int i = 0; i < of->count; i++) mpq_div(of->chance[i], of->chance[i], sum);
    if (x->class == DETERMINISTIC && of->count > 1) refuted("a deterministic policy does one thing at a node");
}

void read_do(proof *x)
{
    int n = named_node(x, word());
    if (x->rule_of[n]) refuted("this node has a rule already");
    read_chances(x, n, x->rule_of[n] = zeroed(1, sizeof(rule)));
}

void read_like(proof *x)
{
    x->likes = grown(x->likes, x->like_count, sizeof *x->likes);
    like *of = &x->likes[x->like_count++];
    of->t = integer(word(), 0, x->m.T - 1);
    of->s = integer(word(), 0, x->m.S - 1);
    of->weight = rationals_new((size_t)x->m.K);
    multipliers(x->m.K, of->weight, false);
    size_t n = x->g.layer[of->t];
    while (n < x->g.layer[of->t + 1] && x->g.node[n].s != of->s) n++;
    if (n == x->g.layer[of->t + 1] || x->class != HISTORY) refuted("no policy of this class decides there");
    read_chances(x, (int)n, &of->rule);
}

/* Class c, of likelihoods times reach, on to the classes that follow. U from the first environment of the rung on; scratch [2]. */
static void pass_on(const rung *r, const rule *of, size_t c, numbers reach, numbers U, numbers scratch)
{
    const node_graph *g = r->g;
    const node *n = &g->node[r->node[c]];
    for (int i = 0; i < of->count; i++) {
        int a = of->action[i];
        size_t slot = r->slot[c] + graph_option(g, n, a) - n->option;
        put(scratch, 0, of->chance[i]);
        zero(scratch, 1);
        add(scratch, 1, scratch, 0, reach, c);
        for (size_t w = r->weight_start[c]; w < r->weight_start[c + 1]; w++) {
            zero(scratch, 0);
            add(scratch, 0, scratch, 1, r->weight, w);
            add(U, (size_t)(r->env[w] - r->env[0]), scratch, 0, g->m->paid, cell(g->m, r->env[w], n->s, a));
        }
        for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
            add(reach, (size_t)r->arc[arc], scratch, 1, r->factor, arc);
    }
}

static void walk(const rung *r, const rule *const of[], int toward, mpq_t U[], mpq_t miss[])
{
    const model *m = r->g->m;
    numbers x[4] = {{0}, {0}, {0}, {0}}, *sum = &x[1], *scratch = &x[3];
    int first = r->env[0], J = m->J, envs = r->env[r->weight_start[1] - 1] - first + 1;
    const size_t size[] = {r->classes, (size_t)envs, (size_t)(envs * J), 2};
    void *mark = zeroed(1, 1);
    arithmetic(VALUES, toward);
    for (int i = 0; i < 4; i++) numbers_room(&x[i], size[i]);
    set(x[0], 0, m->one, 0);
    for (size_t c = 0; c < r->classes; c++) {
        const node *n = &r->g->node[r->node[c]];
        zero(*scratch, 0);
        if (n->t < m->T && compare(x[0], c, *scratch, 0) > 0) {
            if (!of[c]) refuted("the policy reaches a node without a rule");
            pass_on(r, of[c], c, x[0], sum[0], *scratch);
        }
        for (size_t w = r->weight_start[c]; n->t == m->T && w < r->weight_start[c + 1]; w++)
            for (int j = 0; j < J; j++)
                if (!keeps(m, r->env[w] * J + j, n->s)) add(sum[1], (size_t)((r->env[w] - first) * J + j), x[0], c, r->weight, w);
    }
    for (int i = 0; i < envs; i++) get(sum[0], (size_t)i, U[i]);
    for (int i = 0; i < envs * J && toward == UP; i++) {
        get(sum[1], (size_t)i, miss[i]);
        if (mpq_cmp(miss[i], m->one.q[0]) > 0) mpq_set(miss[i], m->one.q[0]);
    }
    release(mark);
    arithmetic_end();
}

void policy_value(const rung *r, const rule *const of[], mpq_t U[], mpq_t miss[])
{
    walk(r, of, UP, U, miss);
    if (ctx.rounded || !(ctx.rationals & VALUES)) walk(r, of, DOWN, U, miss); /* else it would be the same */
}

/* The rule of class c: its node's, or the one of the nearest likelihoods; at any distance, that is a policy. */
static const rule *rule_at(const proof *x, const rung *r, size_t c)
{
    const node *n = &x->g.node[r->node[c]];
    const rule *found = x->rule_of[r->node[c]];
    double nearest = 2;
    for (size_t i = 0; i < x->like_count; i++) {
        const like *of = &x->likes[i];
        double apart = 0;
        if (of->t != n->t || of->s != n->s) continue;
        size_t w = r->weight_start[c];
        for (int k = 0; k < x->m.K; k++) {
            bool here = w < r->weight_start[c + 1] && r->env[w] == k;
            apart = fmax(apart, fabs((here ? r->weight.end[UP][w++] : 0) - mpq_get_d(of->weight[k])));
        }
        if (apart < nearest) found = &of->rule;
        nearest = fmin(nearest, apart);
    }
    return found;
}

/* U, and 1 less Pr(row), of the policy of the proof. */
static void walk_policy(proof *x, mpq_t U[], mpq_t miss[])
{
    node_graph *g = &x->g;
    rung all;
    if (x->like_count) rung_make(&all, g, g->node->set, x->m.T + 1);
    for (int k = 0; k < (x->like_count ? 1 : x->m.K); k++) {
        const rung *r = x->like_count ? &all : rung_known(g, k);
        const rule **of = zeroed(r->classes, sizeof *of);
        for (size_t c = 0; c < r->layer[x->m.T]; c++) of[c] = rule_at(x, r, c);
        policy_value(r, of, U + k, miss + k * x->m.J);
        drop(of);
    }
}

/* The first promise that is missed, as a row, on average its first; -1: none is. *exactly: is every p reached? */
static int missed(const proof *x, mpq_t miss[], bool *exactly)
{
    int found = -1;
    mpq_ptr none = temp();
    mpq_t *least = rationals_new((size_t)x->m.P);
    *exactly = true;
    for (int row = x->m.P - 1; row >= 0; row--) {
        mpq_sub(least[row], x->m.one.q[0], miss[row]);
        if (x->m.average[row % x->m.J]) continue;
        if (mpq_cmp(least[row], x->enough[row]) < 0) found = row;
        *exactly &= mpq_cmp(least[row], x->m.p[row]) >= 0;
    }
    if (found < 0) found = averages_missed(x, least, none, exactly);
    drop(least);
    return found;
}

bool policy_weigh(proof *x, mpq_ptr maximum, mpq_ptr total)
{
    size_t K = (size_t)x->m.K;
    bool exactly;
    mpq_t *U = rationals_new(K), *miss = rationals_new((size_t)x->m.P);
    mpq_ptr regret = temp();
    walk_policy(x, U, miss);
    int row = missed(x, miss, &exactly);
    if (row >= 0 && !(ctx.rationals & VALUES)) { /* mixed to keep it just so: doubles cannot decide */
        ctx.rationals |= VALUES;
        walk_policy(x, U, miss);
        ctx.rationals &= ~VALUES;
        row = missed(x, miss, &exactly);
    }
    if (row >= 0 && x->m.average[row % x->m.J]) refuted("the policy does not keep promise %d on average", row % x->m.J);
    if (row >= 0) refuted("the policy does not keep promise %d in environment %d", row % x->m.J, row / x->m.J);
    for (size_t k = 0; k < K; k++) {
        mpq_sub(regret, x->optimum[UP][k], U[k]);
        if (k == 0 || mpq_cmp(regret, maximum) > 0) mpq_set(maximum, regret);
        plus(total, regret, x->worth[k]);
    }
    drop(U);
    drop(miss);
    return exactly;
}

/* ---- average: promises on average: sum_k w(k) Pr_j(k) >= p_j over the prior w of the model (FORMAT.md). */

/* The error of a mean of doubles beyond the errors of its parts: of weights, products and sums. */
enum { MEAN_SUMS = 4, MEAN_PLACES = 52 };

void averages_owed(proof *x, node_graph *fewest)
{
    int K = x->m.K, J = x->m.J;
    mpq_t *most = rationals_new((size_t)K);
    numbers weight = numbers_of(NULL, (size_t)K), price = numbers_of(NULL, (size_t)x->m.P);
    mpq_ptr rest = temp(), level = temp(), none = temp();
    for (int j = 0; j < J; j++) {
        if (!x->m.average[j]) continue;
        mpq_set_d(level, ldexp(K + MEAN_SUMS, -MEAN_PLACES));
        mpq_sub(x->mean[j], x->m.p[j], x->keep);
        mpq_sub(x->mean[j], x->mean[j], level);
        mpq_set(rest, x->mean[j]);
        for (int k = 0; k < K; k++) { /* the most Pr in environment k alone, and no more than 1 */
            put(price, (size_t)(k * J + j), x->m.one.q[0]);
            (void)bound_most(bound_alone(fewest, k), VALUES, weight, price, most[k]);
            put(price, (size_t)(k * J + j), none);
            if (mpq_cmp(most[k], x->m.one.q[0]) > 0) mpq_set(most[k], x->m.one.q[0]);
            mpq_mul(level, x->m.prior[k], most[k]);
            mpq_sub(rest, rest, level);
        }
        for (int k = 0; k < K; k++) { /* the share that the others cannot reach */
            int row = k * J + j;
            if (mpq_sgn(x->m.prior[k]) == 0) continue;
            mpq_div(level, rest, x->m.prior[k]);
            mpq_add(level, level, most[k]);
            if (mpq_cmp(level, x->enough[row]) <= 0) continue;
            mpq_set(x->enough[row], level);
            x->most_enough[row] = outward(level, DOWN);
        }
    }
}

void averages_show(const proof *x, mpq_ptr shown)
{
    mpq_ptr price = temp(), gain = temp(), part = temp();
    for (int j = 0; j < x->m.J; j++) {
        bool some = false;
        if (!x->m.average[j]) continue;
        mpq_set(gain, x->mean[j]);
        for (int k = 0; k < x->m.K; k++) {
            int row = k * x->m.J + j;
            if (mpq_sgn(x->m.prior[k]) == 0) continue;
            mpq_mul(part, x->m.prior[k], x->enough[row]);
            mpq_sub(gain, gain, part);
            mpq_div(part, x->price.q[row], x->m.prior[k]);
            if (!some || mpq_cmp(part, price) < 0) mpq_set(price, part);
            some = true;
        }
        if (mpq_sgn(gain) > 0) plus(shown, price, gain);
    }
}

int averages_missed(const proof *x, mpq_t least[], mpq_srcptr slack, bool *exactly)
{
    int found = -1;
    size_t temps = ctx.temps;
    mpq_ptr mean = temp();
    for (int j = x->m.J - 1; j >= 0; j--) {
        if (!x->m.average[j]) continue;
        mpq_set(mean, slack);
        for (int k = 0; k < x->m.K; k++) plus(mean, x->m.prior[k], least[k * x->m.J + j]);
        if (mpq_cmp(mean, x->mean[j]) < 0) found = j;
        if (exactly) *exactly = *exactly && mpq_cmp(mean, x->m.p[j]) >= 0;
    }
    ctx.temps = temps;
    return found;
}

/* ---- value: U*(k) = max { U : Pr_j >= q_j for all j } over the policies of environment k alone, mixtures included: a linear
 * program with a row for each promise, q_j = p_j - keep, and one for the weights. The simplex method in rationals, with the inverse
 * of its basis, gets entering policies from an induction (bound.c): phase one minimises the shortfall of the promises, one column
 * that fills all rows alike, phase two maximises the reward. The mixture attains the optimum from below; its prices mu bound it
 * from above, U + sum mu_j (Pr_j - q_j) of all policies; in rationals that were not rounded the two are equal. Columns hold 1 - Pr,
 * since 0 stays 0 under rounding. */

typedef struct alone {
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
    mpq_ptr mu = temp(), part = temp(), sum = temp();
    for (int j = 0; j < J; j++) {
        mpq_set(mu, entry(e, e->n, j));
        if (!(ctx.rationals & VALUES) || mpz_sizeinbase(mpq_denref(mu), 2) > LONG) mpq_set_d(mu, outward(mu, UP));
        put(e->price, (size_t)(e->k * J + j), mu);
        mpq_sub(part, e->most[j], m->one.q[0]);
        plus(sum, part, mu);
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
    for (int c = 0; c <= e->n && mpq_sgn(factor) != 0; c++) plus(entry(e, to, c), factor, entry(e, from, c));
}

/* e->column, of this worth, in terms of the basis. */
static void turn(alone *e, mpq_srcptr worth)
{
    for (int i = 0; i <= e->n; i++) {
        mpq_set_ui(e->turned[i], 0, 1);
        for (int r = 0; r < e->n; r++) plus(e->turned[i], entry(e, i, r), e->column[r]);
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
    mpq_ptr here = temp(), least = temp();
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
    bool doubles = !(ctx.rationals & VALUES);
    mpq_ptr worth = temp(), least = temp();
    size_t temps = ctx.temps;
    for (int c = 0; c <= n; c++) mpq_set_ui(entry(e, n, c), 0, 1);
    mpq_set_si(least, -1, 1);
    for (int i = 0; i < n; i++)
        if (e->paid || i == e->missing) add_row(e, n, e->paid ? e->worth[i] : least, i);
    for (; turns < TURNS && (e->paid || e->missing >= 0); turns++, ctx.temps = temps) {
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
    mpq_ptr worth = temp();
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
    *e = (alone){.k = k, .n = n, .best = best};
    e->weight = numbers_of(NULL, (size_t)m->K);
    e->price = numbers_of(NULL, (size_t)m->P);
    mpq_t **const room[] = {&e->worth, &e->most, &e->column, &e->turned, &e->row, &e->U, &e->miss};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) *room[i] = rationals_new((size_t)((n + 1) * (n + 1)));
    e->pure = zeroed((size_t)m->A, sizeof *e->pure);
    for (int a = 0; a < m->A; a++) {
        e->pure[a] = (rule){1, zeroed(1, sizeof(int)), m->one.q};
        e->pure[a].action[0] = a;
    }
    e->does = zeroed(e->best->mixed->classes, sizeof *e->does);
    for (int j = 0; j < m->J; j++) mpq_sub(e->most[j], m->one.q[0], enough[k * m->J + j]);
    mpq_set_ui(e->most[m->J], 1, 1);
}

/* false: doubles leave much in doubt. */
static bool between(alone *e, mpq_ptr low, mpq_ptr high)
{
    enum { ROOM_PLACES = 42 }; /* of U*: doubt that the claims of a proof leave room for */
    bool doubles = !(ctx.rationals & VALUES);
    mpq_ptr apart = temp(), room = temp();
    begin(e, high);
    e->paid = false;
    bool done = improve(e, low);
    mpq_ptr missing = entry(e, e->missing < 0 ? 0 : e->missing, e->n);
    if (e->missing >= 0 && doubles) return false;
    if (!done || (e->missing >= 0 && ctx.rounded)) { /* rounded numbers leave open whether the promises can be kept */
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
    void *mark = zeroed(1, 1);
    size_t temps = ctx.temps;
    alone_open(&e, best, k, enough);
    bool sure = between(&e, low, high);
    release(mark);
    ctx.temps = temps;
    if (sure) return;
    ctx.rationals |= VALUES; /* as where failures are rare: they cost much reward, and doubles near 1 cannot resolve them */
    optimum(g, k, enough, low, high);
    ctx.rationals &= ~VALUES;
}
