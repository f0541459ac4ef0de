/* check/groups.c - proofs about several policies (FORMAT.md), of parts about some of the environments with models of their own. */
#include "check/check.h"

/* The results of a part. */
typedef struct group_part {
    uint64_t *set;
    bool valued, exactly; /* a policy is worth `value`, promises kept exactly; else there is none at all */
    mpq_ptr value, bound;
} group_part;

typedef struct groups {
    proof *x;
    int policies, words;
    bool own, apart;
    const char *method; /* of all parts */
    int L;
    group_part *part;
    int parts;
    bool claimed;
    int *used, uses;      /* parts whose policies are in the portfolio */
    mpq_ptr value, bound; /* claimed; of sets that are forbidden */
    mpq_ptr most;         /* the largest regret of the portfolio */
    bool exactly;         /* it keeps promises exactly */
    bool *forbidden;      /* [parts] */
    bool infinite;        /* only that no policies keep the promises is claimed */
    int *colour;          /* [K] */
    uint64_t *in;         /* [policies * words] */
} groups;

/* ---- parts ---- */

/* The model of a part: of its environments alone (apart), or of all, where the others pay the same for every action and, if
 * promises are the part's own, promise nothing. */
static void part_model(const groups *g, const uint64_t *set, model *m)
{
    const model *all = &g->x->m;
    judge *ctx = all->ctx;
    size_t S = (size_t)all->S, pairs = S * (size_t)all->A, J = (size_t)all->J, i = 0;
    mpq_ptr most = temp(ctx); /* no less than a floor */
    mpq_sub(most, all->most, all->least);
    *m = *all;
    m->K = 0;
    for (int k = 0; k < all->K; k++) m->K += !g->apart || in(set, k);
    m->P = m->K * m->J;
    size_t cells = cell(m, m->K, 0, 0);
    m->start = zeroed(ctx, cells, sizeof *m->start);
    m->paid = numbers_of(ctx, NULL, cells);
    m->pay = numbers_of(ctx, NULL, cells);
    m->phi = zeroed(ctx, (size_t)m->P * S, sizeof *m->phi);
    m->p = rationals_new(ctx, (size_t)m->P);
    m->apart = *rationals_new(ctx, 1);
    for (int k = 0; k < all->K; k++) {
        bool inside = in(set, k);
        if (g->apart && !inside) continue;
        size_t from = cell(all, k, 0, 0), to = cell(m, (int)i, 0, 0), row = (size_t)k * J;
        memcpy(m->start + to, all->start + from, (pairs + 1) * sizeof *m->start);
        for (size_t c = 0; c < pairs; c++) put(m->paid, to + c, inside ? all->paid.q[from + c] : most);
        memcpy(m->phi + i * J * S, all->phi + row * S, J * S * sizeof *m->phi);
        for (size_t j = 0; j < J; j++)
            if (inside || !g->own) mpq_set(m->p[i * J + j], all->p[row + j]);
        i++;
    }
}

static void read_part(groups *g)
{
    judge *ctx = g->x->ctx;
    g->part = grown(ctx, g->part, (size_t)g->parts, sizeof *g->part);
    group_part *p = &g->part[g->parts++];
    *p = (group_part){.set = environments(ctx, &g->x->m, word(ctx))};
    p->value = *rationals_new(ctx, 1), p->bound = *rationals_new(ctx, 1);
    line_end(ctx);
    void *mark = zeroed(ctx, 1, 1);
    proof x = {.asked_L = g->x->asked_L};
    part_model(g, p->set, &x.m);
    proof_open(&x);
    ctx->rounded = false;
    line_begins(ctx, "plan");
    proof_body(&x, "end");
    if (g->apart && x.class != HISTORY && x.g.L > 0) refuted(ctx, "with L above 0 groups know by all environments");
    if (x.objective != REGRET) refuted(ctx, "groups are about the maximum regret");
    if (x.tree[1].claimed) refuted(ctx, "expected one claim, of the maximum regret");
    mpq_t *value = rationals_new(ctx, 2);
    p->valued = proof_shows(&x, value, &p->exactly);
    mpq_set(p->value, value[0]);
    if (p->valued && x.tree->bounded && mpq_sgn(x.tree->least_claimed) > 0) mpq_set(p->bound, x.tree->least_claimed);
    line_end(ctx);
    if (g->parts > 1 && (strcmp(x.method, g->method) != 0 || x.g.L != g->L)) refuted(ctx, "parts are about other policies");
    if (g->parts > 1 && !mpq_equal(x.keep, g->x->keep)) refuted(ctx, "parts have different tolerances");
    mpq_set(g->x->keep, x.keep);
    g->method = x.method;
    g->L = x.g.L;
    release(ctx, mark);
}

/* ---- the end ---- */

/* Are all environments in just one of the groups of the portfolio, which has no more policies than are claimed? */
static void check_groups(groups *g)
{
    judge *ctx = g->x->ctx;
    if (g->uses < 1 || g->uses > g->policies) refuted(ctx, "%d groups; expected 1 to %d", g->uses, g->policies);
    for (int k = 0; k < g->x->m.K; k++) {
        int of = 0;
        for (int i = 0; i < g->uses; i++) of += in(g->part[g->used[i]].set, k);
        if (of != 1) refuted(ctx, "environment %d is in %d groups", k, of);
    }
    for (int i = 0; i < g->uses; i++) {
        const group_part *p = &g->part[g->used[i]];
        if (!p->valued || mpq_cmp(p->value, g->value) > 0)
            refuted(ctx, "the policy of part %d regrets more than is claimed", g->used[i]);
        if (mpq_cmp(p->value, g->most) > 0) mpq_set(g->most, p->value);
        g->exactly &= p->exactly;
    }
    if (mpq_cmp(g->value, g->bound) < 0) refuted(ctx, "the policies are better than the bound claimed allows");
}

/* Would environment k complete a forbidden set in group c? */
static bool completes(const groups *g, int k, int c)
{
    const uint64_t *with = g->in + (size_t)c * (size_t)g->words;
    spend(g->x->ctx, (size_t)g->parts * (size_t)g->words);
    for (int i = 0; i < g->parts; i++) {
        bool all = g->forbidden[i] && in(g->part[i].set, k);
        for (int w = 0; w < g->words && all; w++) {
            uint64_t rest = g->part[i].set[w] & ~with[w];
            if (w == k / 64) rest &= ~(UINT64_C(1) << (k % 64));
            all = rest == 0;
        }
        if (all) return true;
    }
    return false;
}

/* Can every environment without a group join one so that no group holds a forbidden set? The first `begun` groups have members. The
 * next environment is the one with fewest groups open to it. */
static bool can_be_grouped(groups *g, int begun)
{
    int open = begun < g->policies ? begun + 1 : begun, least = INT_MAX, next = -1;
    for (int k = 0; k < g->x->m.K && least > 0; k++) {
        int n = 0;
        for (int c = 0; c < open && g->colour[k] < 0; c++) n += !completes(g, k, c);
        if (g->colour[k] < 0 && n < least) {
            least = n;
            next = k;
        }
    }
    if (next < 0) return true;
    for (int c = 0; c < open; c++) {
        if (completes(g, next, c)) continue;
        g->colour[next] = c;
        include(g->in + (size_t)c * (size_t)g->words, next);
        if (can_be_grouped(g, begun + (c == begun))) return true;
        g->colour[next] = -1;
        g->in[(size_t)c * (size_t)g->words + (size_t)next / 64] &= ~(UINT64_C(1) << (next % 64));
    }
    return false;
}

static void check_bound(groups *g)
{
    judge *ctx = g->x->ctx;
    int K = g->x->m.K;
    if (!g->infinite && mpq_sgn(g->bound) <= 0) { /* no regret is less */
        mpq_set_ui(g->bound, 0, 1);
        return;
    }
    if (g->policies > K) g->policies = K;
    g->forbidden = zeroed(ctx, (size_t)g->parts + 1, sizeof *g->forbidden);
    g->colour = zeroed(ctx, (size_t)K, sizeof *g->colour);
    g->in = zeroed(ctx, (size_t)g->policies * (size_t)g->words, sizeof *g->in);
    for (int k = 0; k < K; k++) g->colour[k] = -1;
    for (int i = 0; i < g->parts; i++)
        g->forbidden[i] = !g->part[i].valued || (!g->infinite && mpq_cmp(g->part[i].bound, g->bound) >= 0);
    if (can_be_grouped(g, 0)) refuted(ctx, "some groups may be better than the bound claimed");
}

/* The lines behind the parts. first: the first word. */
static void read_end(groups *g, const char *first)
{
    judge *ctx = g->x->ctx;
    for (; strcmp(first, "complete") != 0; first = line_word(ctx)) {
        if (strcmp(first, "use") == 0) {
            g->used = grown(ctx, g->used, (size_t)g->uses, sizeof *g->used);
            g->used[g->uses++] = integer(ctx, word(ctx), 0, g->parts - 1);
        } else if (strcmp(first, "claim") == 0) {
            const char *of = word(ctx);
            if (g->claimed) refuted(ctx, "a second claim");
            g->claimed = true;
            g->infinite = strcmp(of, "infeasible") == 0;
            if (!g->infinite && strcmp(of, "groups") != 0) refuted(ctx, "\"%.40s\" is not what groups are about", of);
            if (!g->infinite) rational(ctx, word(ctx), g->value);
            if (!g->infinite) rational(ctx, word(ctx), g->bound);
        } else {
            refuted(ctx, "a line that begins with \"%.40s\"", first);
        }
        line_end(ctx);
    }
    proof_end(ctx);
    if (!g->claimed) refuted(ctx, "nothing is claimed");
    if (!g->infinite) check_groups(g);
    check_bound(g);
}

static void print_groups(const groups *g)
{
    judge *ctx = g->x->ctx;
    printf("%d policies, %s, L = %d, T = %d, promises of %s, %d sets of environments\n", g->policies, g->method, g->L, g->x->m.T,
           g->own ? "each group's own environments" : "all environments", g->parts);
    if (g->infinite) {
        printf("verified: no such number of policies of the class keeps the promises\n");
        return;
    }
    print_rounded(ctx, "verified: maximum regret of each environment's own policy <= ", g->most, true);
    print_rounded(ctx, ", >= ", g->bound, false);
    printf(g->exactly ? "; every promise kept exactly\n" : "; every promise kept within the tolerance of its part\n");
}

void groups_read(proof *x)
{
    judge *ctx = x->ctx;
    mpq_t *figure = rationals_new(ctx, 3);
    groups g = {.x = x,
                .words = (x->m.K + 63) / 64,
                .method = "",
                .exactly = true,
                .value = figure[0],
                .bound = figure[1],
                .most = figure[2]};
    for (int j = 0; j < x->m.J; j++)
        if (x->m.average[j]) refuted(ctx, "a promise on average is one of a policy for all environments, not of several policies");
    g.policies = integer(ctx, word(ctx), 1, INT_MAX);
    const char *of = word(ctx);
    g.own = strcmp(of, "own") == 0;
    if (!g.own && strcmp(of, "all") != 0) refuted(ctx, "\"%.40s\"; expected own or all", of);
    of = word(ctx);
    g.apart = strcmp(of, "apart") == 0;
    if (!g.apart && strcmp(of, "whole") != 0) refuted(ctx, "\"%.40s\"; expected apart or whole", of);
    if (g.apart && !g.own) refuted(ctx, "promises of all environments need all of them");
    line_end(ctx);
    for (of = line_word(ctx); strcmp(of, "part") == 0; of = line_word(ctx)) read_part(&g);
    read_end(&g, of);
    print_groups(&g);
}
