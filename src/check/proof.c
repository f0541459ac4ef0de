/* check/proof.c - the lines of a proof, each checked against the lines before; its claims, and the verdict. */
#include "check/check.h"

static const double LEAST_KEEP = 9e-13, MOST_KEEP = 1e-9; /* tolerances within which a promise may be kept */
enum { VERSION = 2 }; /* of the format: before 2 a line of pairs did not hold the bound that it shows */

int named_node(const proof *x, const char *from)
{
    int n = integer(x->ctx, from, 0, INT_MAX);
    if (n >= x->named) refuted(x->ctx, "there is no node %d", n);
    return x->node[n];
}

size_t named_option(const proof *x, int n, const char *from)
{
    size_t option = graph_option(&x->g, &x->g.node[n], integer(x->ctx, from, 0, x->m.A - 1));
    if (option == x->g.options) refuted(x->ctx, "action %s is not available there", from);
    return option;
}

uint64_t *environments(judge *ctx, const model *m, char *from)
{
    uint64_t *set_of = zeroed(ctx, ((size_t)m->K + 63) / 64, sizeof *set_of);
    bool all = strcmp(from, "*") == 0;
    char *rest = NULL;
    for (int k = 0; k < m->K && all; k++) include(set_of, k);
    for (char *at = all ? NULL : strtok_r(from, ",", &rest); at; at = strtok_r(NULL, ",", &rest))
        include(set_of, integer(ctx, at, 0, m->K - 1));
    if (*from == ',') refuted(ctx, "no environment");
    return set_of;
}

static void read_node(proof *x)
{
    judge *ctx = x->ctx;
    int number = integer(ctx, word(ctx), 0, INT_MAX), t = integer(ctx, word(ctx), 0, x->m.T - 1);
    int s = integer(ctx, word(ctx), 0, x->m.S - 1);
    char *of = word(ctx);
    uint64_t *set_of = NULL;
    if (number != x->named) refuted(ctx, "node %d; expected %d", number, x->named);
    if ((t <= x->g.L) != (strcmp(of, "-") == 0)) refuted(ctx, "up to L nodes have environments, after it a boundary");
    if (t <= x->g.L) set_of = environments(ctx, &x->m, word(ctx));
    int n = graph_find(&x->g, t, s, t <= x->g.L ? -1 : named_node(x, of), set_of);
    drop(ctx, set_of);
    if (n < 0) refuted(ctx, "no policy reaches this node");
    x->node = grown(ctx, x->node, (size_t)x->named, sizeof *x->node);
    x->node[x->named++] = n;
}

/* The objective, and the value from which regrets are counted. fewest: nodes of L = 0, enough for an environment alone. */
static void read_objective(proof *x, node_graph *fewest)
{
    const char *of = word_or_none(x->ctx);
    model_pay(&x->m, NULL);
    x->objective = !of ? REGRET : strcmp(of, "max-min") == 0 ? LEAST : WEIGHTED;
    if (x->objective == WEIGHTED && strcmp(of, "weighted") != 0) refuted(x->ctx, "there is no objective %.40s", of);
    if (x->objective == WEIGHTED) multipliers(x->ctx, x->m.K, x->worth, false);
    for (int k = 0; k < x->m.K; k++) {
        mpq_ptr low = x->optimum[DOWN][k], high = x->optimum[UP][k];
        if (x->objective != WEIGHTED) mpq_set_ui(x->worth[k], 1, 1);
        if (x->objective == REGRET) {
            optimum(fewest, k, x->enough, low, high);
        } else { /* 0, as all rewards are counted from the least */
            mpq_set_si(low, -x->m.T, 1);
            mpq_mul(low, low, x->m.least);
            mpq_set(high, low);
        }
    }
}

static void read_floor(proof *x)
{
    mpq_ptr floor = temp(x->ctx);
    rational(x->ctx, word(x->ctx), floor);
    model_pay(&x->m, floor);
}

static void read_exact(proof *x) { x->ctx->rationals |= x->ctx->rationals ? BOUNDS : 0; /* not under --interval */ }

static void read_plan(proof *x)
{
    judge *ctx = x->ctx;
    static const char *const methods[] = {"milp-ccl", "history", "exact-ccl", "greedy", "mdps-best"};
    static const int classes[] = {DETERMINISTIC, HISTORY, STOCHASTIC, STOCHASTIC, STOCHASTIC};
    size_t i = 0, count = sizeof methods / sizeof *methods;
    mpq_ptr p = temp(ctx);
    x->method = word(ctx);
    while (i < count && strcmp(methods[i], x->method) != 0) i++;
    if (i == count) refuted(ctx, "there is no method %.40s", x->method);
    x->class = classes[i];
    int L = integer(ctx, word(ctx), 0, x->m.T);
    if (x->asked_L >= 0 && L != x->asked_L) refuted(ctx, "the proof is about L = %d, not %d", L, x->asked_L);
    if (x->class == HISTORY && L != x->m.T) refuted(ctx, "of history policies L is the horizon");
    if (integer(ctx, word(ctx), 1, INT_MAX) != x->m.T) refuted(ctx, "the proof is about another horizon");
    const char *text = word(ctx);
    rational(ctx, text, p);
    if (fabs(mpq_get_d(p) - mpq_get_d(x->m.p[0])) > 0x1p-52) /* the line holds a double */
        refuted(ctx, "the proof is about another probability than the model's: -p %s", text);
    rational(ctx, word(ctx), x->keep);
    double keep = outward(ctx, x->keep, UP);
    if (keep < LEAST_KEEP || keep > MOST_KEEP) refuted(ctx, "a tolerance that is not 9e-13 to 1e-9");
    for (int r = 0; r < x->m.P; r++) {
        if (!x->m.average[r % x->m.J]) mpq_set(x->enough[r], x->m.p[r]); /* a mean promises nothing of an environment alone */
        mpq_sub(x->enough[r], x->enough[r], x->keep);
        x->most_enough[r] = outward(ctx, x->enough[r], DOWN);
    }
    graph_make(&x->g, &x->m, L);
    x->rule_of = zeroed(ctx, x->g.nodes, sizeof *x->rule_of);
    node_graph *fewest = L > 0 ? zeroed(ctx, 1, sizeof *fewest) : &x->g;
    if (L > 0) graph_make(fewest, &x->m, 0);
    read_objective(x, fewest);
    averages_owed(x, fewest);
    for (int r = 0; r < x->m.P; r++) {
        int k = r / x->m.J, j = r % x->m.J;
        bool mean = x->m.average[j] && mpq_sgn(x->m.prior[k]) > 0 && mpq_sgn(x->mean[j]) > 0;
        x->counts[r] = x->most_enough[r] > 0 || mean;
    }
    line_end(ctx);
}

tree *tree_of(proof *x, const char *of)
{
    bool total = strcmp(of, "total") == 0 && x->objective == REGRET;
    if (!total && strcmp(of, x->objective == REGRET ? "regret" : "value") != 0)
        refuted(x->ctx, "\"%.40s\" is not the objective", of);
    return &x->tree[total];
}

static void read_claim(proof *x)
{
    const char *of = word(x->ctx), *bound_of;
    if (strcmp(of, "infeasible") == 0) {
        x->infeasible = true;
        return;
    }
    tree *t = tree_of(x, of);
    if (t->claimed) refuted(x->ctx, "a second claim of %s", of);
    t->claimed = true;
    rational(x->ctx, word(x->ctx), t->value);
    bound_of = x->objective == REGRET ? word(x->ctx) : word_or_none(x->ctx);
    t->bounded = bound_of != NULL;
    if (bound_of) rational(x->ctx, bound_of, t->least_claimed);
    if (x->objective == REGRET) return;
    mpq_neg(t->value, t->value); /* a value is a regret with optimum 0 and the other sign */
    mpq_neg(t->least_claimed, t->least_claimed);
}

/* ---- the end ---- */

/* Do the lines show the claim about a tree? value: of the policy. */
static void check_claim(const proof *x, const tree *t, mpq_srcptr value)
{
    if (!t->claimed) return;
    if (mpq_cmp(value, t->value) > 0) refuted(x->ctx, "the policy regrets more than is claimed");
    bool trivial =
        x->objective == REGRET && mpq_sgn(t->least_claimed) <= 0; /* no policy that keeps the promise earns more than U* */
    if (!t->bounded) return;
    if (!trivial && !t->grown) refuted(x->ctx, "no search tree proves the bound");
    if (!trivial && t->finite && mpq_cmp(t->least, t->least_claimed) < 0)
        refuted(x->ctx, "the tree proves less than the bound claimed");
    if (mpq_cmp(value, t->least_claimed) < 0) refuted(x->ctx, "the policy is better than the bound claimed allows");
}

bool proof_shows(proof *x, mpq_t value[2], bool *exactly)
{
    tree *t = x->tree;
    if (x->at) tree_end(x->ctx, x->at);
    if (x->infeasible) {
        if (t[0].claimed || t[1].claimed) refuted(x->ctx, "two claims that exclude each other");
        if (!t->grown || t->finite) refuted(x->ctx, "some case may keep the promise");
        return false;
    }
    if (!t->claimed) refuted(x->ctx, "nothing is claimed");
    *exactly = policy_weigh(x, value[0], value[1]);
    if (x->objective == WEIGHTED) mpq_swap(value[0], value[1]);
    for (int i = 0; i < 2; i++) check_claim(x, &t[i], value[i]);
    if (t[1].claimed && t[1].grown && mpq_cmp(t[1].cap, value[0]) < 0)
        refuted(x->ctx, "the cap is below the policy's maximum regret");
    return true;
}

void print_rounded(judge *ctx, const char *before, mpq_srcptr x, bool up)
{
    mpq_ptr shown = temp(ctx);
    char digits[64];
    double d = mpq_get_d(x), step = 0;
    do {
        snprintf(digits, sizeof digits, "%.12g", up ? d + step : d - step);
        step = step > 0 ? 2 * step : fabs(d) * 1e-12 + 1e-300;
    } while (read_number(digits, shown) && (up ? mpq_cmp(shown, x) < 0 : mpq_cmp(shown, x) > 0));
    printf("%s%s", before, digits);
}

/* The class, for a reader who has not given it by -L. */
static void print_class(const proof *x)
{
    bool one_p = true;
    printf("%s policies, L = %d, T = %d", x->method, x->g.L, x->m.T);
    for (int r = 1; r < x->m.P; r++) one_p = one_p && mpq_equal(x->m.p[r], x->m.p[0]);
    for (int r = 0; r < (one_p ? 1 : x->m.P); r++) printf(r ? " %.12g" : ", p = %.12g", mpq_get_d(x->m.p[r]));
    for (int j = 0; j < x->m.J; j++)
        if (x->m.average[j]) printf(x->m.J > 1 ? ", promise %d on average" : " on average", j);
    for (int k = 0; x->objective == WEIGHTED && k < x->m.K; k++) printf(k ? " %.12g" : ", weights %.12g", mpq_get_d(x->worth[k]));
    printf("\n");
}

static void print_figures(const proof *x, mpq_t value[2])
{
    judge *ctx = x->ctx;
    const tree *t = x->tree;
    mpq_ptr bound_of = temp(ctx);
    if (x->objective != REGRET) {
        mpq_neg(value[0], value[0]);
        mpq_neg(bound_of, t->least_claimed);
        print_rounded(ctx, x->objective == LEAST ? "verified: least value >= " : "verified: weighted value >= ", value[0], false);
        if (t->bounded) print_rounded(ctx, ", <= ", bound_of, true);
    }
    for (int i = 1; i >= 0 && x->objective == REGRET; i--) {
        if (!t[i].claimed) continue;
        print_rounded(ctx, i ? "verified: total regret <= " : "verified: maximum regret <= ", value[i], true);
        print_rounded(ctx, ", >= ", mpq_sgn(t[i].least_claimed) > 0 ? t[i].least_claimed : bound_of, false); /* 0: none is less */
        if (i) printf(" among policies of that maximum regret\n");
    }
}

static void conclude(proof *x)
{
    bool exactly;
    mpq_t *value = rationals_new(x->ctx, 2);
    bool some = proof_shows(x, value, &exactly);
    print_class(x);
    if (!some) {
        printf("verified: no policy of the class keeps the promise in every environment\n");
        return;
    }
    print_figures(x, value);
    int places = 0; /* of the last power of ten that is no less than the tolerance */
    mpq_ptr next = temp(x->ctx);
    for (mpq_set_ui(next, 1, 10); mpq_cmp(next, x->keep) >= 0; places++) mpz_mul_ui(mpq_denref(next), mpq_denref(next), 10);
    if (exactly)
        printf("; every promise kept exactly\n");
    else
        printf("; every promise kept within 1e-%d\n", places);
}

void proof_body(proof *x, const char *last)
{
    static const struct {
        const char *word;
        void (*read)(proof *x);
    } kinds[] = {{"node", read_node},   {"do", read_do},       {"like", read_like},  {"tree", read_tree},
                 {"floor", read_floor}, {"exact", read_exact}, {"claim", read_claim}};
    read_plan(x);
    for (;;) {
        const char *first = line_word(x->ctx);
        size_t i = 0;
        if (strcmp(first, last) == 0) return;
        while (i < sizeof kinds / sizeof *kinds && strcmp(first, kinds[i].word) != 0) i++;
        if (i < sizeof kinds / sizeof *kinds)
            kinds[i].read(x);
        else if (!tree_line(x, first))
            refuted(x->ctx, "a line that begins with \"%.40s\"", first);
        line_end(x->ctx);
    }
}

void proof_open(proof *x)
{
    judge *ctx = x->ctx = x->m.ctx;
    size_t K = (size_t)x->m.K, P = (size_t)x->m.P;
    mpq_t **const of_K[] = {&x->of_option, &x->worth, &x->optimum[DOWN], &x->optimum[UP]};
    x->keep = *rationals_new(ctx, 1);
    for (tree *t = x->tree; t < x->tree + 2; t++) {
        mpq_t *q = rationals_new(ctx, 4);
        t->cap = q[0], t->least = q[1], t->value = q[2], t->least_claimed = q[3];
    }
    for (size_t i = 0; i < sizeof of_K / sizeof *of_K; i++) *of_K[i] = rationals_new(ctx, K);
    x->enough = rationals_new(ctx, P);
    x->mean = rationals_new(ctx, (size_t)x->m.J);
    x->counts = zeroed(ctx, P, sizeof *x->counts);
    x->most_enough = zeroed(ctx, P, sizeof *x->most_enough);
    x->weight = numbers_of(ctx, NULL, K);
    x->price = numbers_of(ctx, NULL, P);
}

bool proof_read(proof *x, const char *path)
{
    judge *ctx = x->ctx;
    char hash[17];
    lines_open(ctx, path);
    line_begins(ctx, "vouch-proof");
    int version = integer(ctx, word(ctx), 1, INT_MAX);
    if (version < VERSION)
        unreadable(ctx, "a proof of version %d, whose lines meant less; \"vouch plan .. --proof\" writes it anew", version);
    if (version > VERSION) unreadable(ctx, "a proof of a later version");
    line_begins(ctx, "model");
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)x->hash);
    bool same = strcmp(word(ctx), hash) == 0;
    if (!same || (size_t)integer(ctx, word(ctx), 0, INT_MAX) != x->length)
        refuted(ctx, "the proof is about another model, or the model has changed since");
    const char *first = line_word(ctx);
    if (strcmp(first, "groups") == 0) return false;
    if (strcmp(first, "plan") != 0) refuted(ctx, "expected \"plan\" or \"groups\"");
    proof_body(x, "complete");
    proof_end(ctx);
    conclude(x);
    return true;
}
