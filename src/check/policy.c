/* check/policy.c - the policy of a proof: its rules as they are read, and in the end its worth. */
#include "check/check.h"

/* The rest of the line as a distribution over actions of node n. */
static void read_chances(const proof *x, int n, rule *of)
{
    judge *ctx = x->ctx;
    mpq_ptr sum = temp(ctx);
    *of = (rule){0, zeroed(ctx, (size_t)x->m.A, sizeof *of->action), rationals_new(ctx, (size_t)x->m.A)};
    for (char *at = word(ctx); at; at = word_or_none(ctx)) {
        char *chance = strchr(at, '=');
        if (of->count == x->m.A) refuted(ctx, "too many actions");
        if (chance) *chance++ = '\0';
        int i = of->count++;
        (void)named_option(x, n, at);
        of->action[i] = integer(ctx, at, 0, x->m.A - 1); /* which option it is depends on the node */
        rational(ctx, chance ? chance : "1", of->chance[i]);
        if (mpq_sgn(of->chance[i]) < 0) refuted(ctx, "a negative probability");
        mpq_add(sum, sum, of->chance[i]);
    }
    if (mpq_sgn(sum) <= 0) refuted(ctx, "a rule that does nothing");
    for (int i = 0; i < of->count; i++) mpq_div(of->chance[i], of->chance[i], sum);
    if (x->class == DETERMINISTIC && of->count > 1) refuted(ctx, "a deterministic policy does one thing at a node");
}

void read_do(proof *x)
{
    int n = named_node(x, word(x->ctx));
    if (x->rule_of[n]) refuted(x->ctx, "this node has a rule already");
    read_chances(x, n, x->rule_of[n] = zeroed(x->ctx, 1, sizeof(rule)));
}

void read_like(proof *x)
{
    judge *ctx = x->ctx;
    x->likes = grown(ctx, x->likes, x->like_count, sizeof *x->likes);
    like *of = &x->likes[x->like_count++];
    of->t = integer(ctx, word(ctx), 0, x->m.T - 1);
    of->s = integer(ctx, word(ctx), 0, x->m.S - 1);
    of->weight = rationals_new(ctx, (size_t)x->m.K);
    multipliers(ctx, x->m.K, of->weight, false);
    size_t n = x->g.layer[of->t];
    while (n < x->g.layer[of->t + 1] && x->g.node[n].s != of->s) n++;
    if (n == x->g.layer[of->t + 1] || x->class != HISTORY) refuted(ctx, "no policy of this class decides there");
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
    numbers x[4] = {{.ctx = m->ctx}, {.ctx = m->ctx}, {.ctx = m->ctx}, {.ctx = m->ctx}}, *sum = &x[1], *scratch = &x[3];
    int first = r->env[0], J = m->J, envs = r->env[r->weight_start[1] - 1] - first + 1;
    const size_t size[] = {r->classes, (size_t)envs, (size_t)(envs * J), 2};
    void *mark = zeroed(m->ctx, 1, 1);
    arithmetic(m->ctx, VALUES, toward);
    for (int i = 0; i < 4; i++) numbers_room(&x[i], size[i]);
    set(x[0], 0, m->one, 0);
    for (size_t c = 0; c < r->classes; c++) {
        const node *n = &r->g->node[r->node[c]];
        zero(*scratch, 0);
        if (n->t < m->T && compare(x[0], c, *scratch, 0) > 0) {
            if (!of[c]) refuted(m->ctx, "the policy reaches a node without a rule");
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
    release(m->ctx, mark);
    arithmetic_end();
}

void policy_value(const rung *r, const rule *const of[], mpq_t U[], mpq_t miss[])
{
    judge *ctx = r->g->ctx;
    walk(r, of, UP, U, miss);
    if (ctx->rounded || !(ctx->rationals & VALUES)) walk(r, of, DOWN, U, miss); /* else it would be the same */
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
        const rule **of = zeroed(x->ctx, r->classes, sizeof *of);
        for (size_t c = 0; c < r->layer[x->m.T]; c++) of[c] = rule_at(x, r, c);
        policy_value(r, of, U + k, miss + k * x->m.J);
        drop(x->ctx, of);
    }
}

/* The first promise that is missed, as a row, on average its first; -1: none is. *exactly: is every p reached? */
static int missed(const proof *x, mpq_t miss[], bool *exactly)
{
    int found = -1;
    mpq_ptr none = temp(x->ctx);
    mpq_t *least = rationals_new(x->ctx, (size_t)x->m.P);
    *exactly = true;
    for (int row = x->m.P - 1; row >= 0; row--) {
        mpq_sub(least[row], x->m.one.q[0], miss[row]);
        if (x->m.average[row % x->m.J]) continue;
        if (mpq_cmp(least[row], x->enough[row]) < 0) found = row;
        *exactly &= mpq_cmp(least[row], x->m.p[row]) >= 0;
    }
    if (found < 0) found = averages_missed(x, least, none, exactly);
    drop(x->ctx, least);
    return found;
}

bool policy_weigh(proof *x, mpq_ptr maximum, mpq_ptr total)
{
    judge *ctx = x->ctx;
    size_t K = (size_t)x->m.K;
    bool exactly;
    mpq_t *U = rationals_new(ctx, K), *miss = rationals_new(ctx, (size_t)x->m.P);
    mpq_ptr regret = temp(ctx);
    walk_policy(x, U, miss);
    int row = missed(x, miss, &exactly);
    if (row >= 0 && !(ctx->rationals & VALUES)) { /* mixed to keep it just so: doubles cannot decide */
        ctx->rationals |= VALUES;
        walk_policy(x, U, miss);
        ctx->rationals &= ~VALUES;
        row = missed(x, miss, &exactly);
    }
    if (row >= 0 && x->m.average[row % x->m.J]) refuted(ctx, "the policy does not keep promise %d on average", row % x->m.J);
    if (row >= 0) refuted(ctx, "the policy does not keep promise %d in environment %d", row % x->m.J, row / x->m.J);
    for (size_t k = 0; k < K; k++) {
        mpq_sub(regret, x->optimum[UP][k], U[k]);
        if (k == 0 || mpq_cmp(regret, maximum) > 0) mpq_set(maximum, regret);
        plus(ctx, total, regret, x->worth[k]);
    }
    drop(ctx, U);
    drop(ctx, miss);
    return exactly;
}
