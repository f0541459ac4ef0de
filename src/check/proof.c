/* check/proof.c - the lines of a proof, each checked against the lines before; its claims, and the verdict. */
#include "check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>

static const double LEAST_KEEP = 9e-13, MOST_KEEP = 1e-9; /* tolerances within which a promise may be kept */
enum { VERSION = 2 }; /* of the format: before 2 a line of pairs did not hold the bound that it shows */

int named_node(const proof *x, const char *from)
{
    int n = integer(from, 0, INT_MAX);
    if (n >= x->named) refuted("there is no node %d", n);
    return x->node[n];
}

size_t named_option(const proof *x, int n, const char *from)
{
    size_t option = graph_option(&x->g, &x->g.node[n], integer(from, 0, x->m.A - 1));
    if (option == x->g.options) refuted("action %s is not available there", from);
    return option;
}

uint64_t *environments(const model *m, char *from)
{
    uint64_t *set_of = zeroed(((size_t)m->K + 63) / 64, sizeof *set_of);
    bool all = strcmp(from, "*") == 0;
    char *rest = NULL;
    for (int k = 0; k < m->K && all; k++) include(set_of, k);
    for (char *at = all ? NULL : strtok_r(from, ",", &rest); at; at = strtok_r(NULL, ",", &rest))
        include(set_of, integer(at, 0, m->K - 1));
    if (*from == ',') refuted("no environment");
    return set_of;
}

static void read_node(proof *x)
{
    int number = integer(word(), 0, INT_MAX), t = integer(word(), 0, x->m.T - 1);
    int s = integer(word(), 0, x->m.S - 1);
    char *of = word();
    uint64_t *set_of = NULL;
    if (number != x->named) refuted("node %d; expected %d", number, x->named);
    if ((t <= x->g.L) != (strcmp(of, "-") == 0)) refuted("up to L nodes have environments, after it a boundary");
    if (t <= x->g.L) set_of = environments(&x->m, word());
    int n = graph_find(&x->g, t, s, t <= x->g.L ? -1 : named_node(x, of), set_of);
    drop(set_of);
    if (n < 0) refuted("no policy reaches this node");
    x->node = grown(x->node, (size_t)x->named, sizeof *x->node);
    x->node[x->named++] = n;
}

/* The objective, and the value from which regrets are counted. fewest: nodes of L = 0, enough for an environment alone. */
static void read_objective(proof *x, node_graph *fewest)
{
    const char *of = word_or_none();
    model_pay(&x->m, NULL);
    x->objective = !of ? REGRET : strcmp(of, "max-min") == 0 ? LEAST : WEIGHTED;
    if (x->objective == WEIGHTED && strcmp(of, "weighted") != 0) refuted("there is no objective %.40s", of);
    if (x->objective == WEIGHTED) multipliers(x->m.K, x->worth, false);
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
    mpq_ptr floor = temp();
    rational(word(), floor);
    model_pay(&x->m, floor);
}

static void read_exact(proof *x)
{
    (void)x;
    ctx.rationals |= ctx.rationals ? BOUNDS : 0; /* not under --interval */
}

static void read_plan(proof *x)
{
    static const char *const methods[] = {"milp-ccl", "history", "exact-ccl", "greedy", "mdps-best"};
    static const int classes[] = {DETERMINISTIC, HISTORY, STOCHASTIC, STOCHASTIC, STOCHASTIC};
    size_t i = 0, count = sizeof methods / sizeof *methods;
    mpq_ptr p = temp();
    x->method = word();
    while (i < count && strcmp(methods[i], x->method) != 0) i++;
    if (i == count) refuted("there is no method %.40s", x->method);
    x->class = classes[i];
    int L = integer(word(), 0, x->m.T);
    if (x->asked_L >= 0 && L != x->asked_L) refuted("the proof is about L = %d, not %d", L, x->asked_L);
    if (x->class == HISTORY && L != x->m.T) refuted("of history policies L is the horizon");
    if (integer(word(), 1, INT_MAX) != x->m.T) refuted("the proof is about another horizon");
    const char *text = word();
    rational(text, p);
    if (fabs(mpq_get_d(p) - mpq_get_d(x->m.p[0])) > 0x1p-52) /* the line holds a double */
        refuted("the proof is about another probability than the model's: -p %s", text);
    rational(word(), x->keep);
    double keep = outward(x->keep, UP);
    if (keep < LEAST_KEEP || keep > MOST_KEEP) refuted("a tolerance that is not 9e-13 to 1e-9");
    for (int r = 0; r < x->m.P; r++) {
        if (!x->m.average[r % x->m.J]) mpq_set(x->enough[r], x->m.p[r]); /* a mean promises nothing of an environment alone */
        mpq_sub(x->enough[r], x->enough[r], x->keep);
        x->most_enough[r] = outward(x->enough[r], DOWN);
    }
    graph_make(&x->g, &x->m, L);
    x->rule_of = zeroed(x->g.nodes, sizeof *x->rule_of);
    node_graph *fewest = L > 0 ? zeroed(1, sizeof *fewest) : &x->g;
    if (L > 0) graph_make(fewest, &x->m, 0);
    read_objective(x, fewest);
    averages_owed(x, fewest);
    for (int r = 0; r < x->m.P; r++) {
        int k = r / x->m.J, j = r % x->m.J;
        bool mean = x->m.average[j] && mpq_sgn(x->m.prior[k]) > 0 && mpq_sgn(x->mean[j]) > 0;
        x->counts[r] = x->most_enough[r] > 0 || mean;
    }
    line_end();
}

tree *tree_of(proof *x, const char *of)
{
    bool total = strcmp(of, "total") == 0 && x->objective == REGRET;
    if (!total && strcmp(of, x->objective == REGRET ? "regret" : "value") != 0) refuted("\"%.40s\" is not the objective", of);
    return &x->tree[total];
}

static void read_claim(proof *x)
{
    const char *of = word(), *bound_of;
    if (strcmp(of, "infeasible") == 0) {
        x->infeasible = true;
        return;
    }
    tree *t = tree_of(x, of);
    if (t->claimed) refuted("a second claim of %s", of);
    t->claimed = true;
    rational(word(), t->value);
    bound_of = x->objective == REGRET ? word() : word_or_none();
    t->bounded = bound_of != NULL;
    if (bound_of) rational(bound_of, t->least_claimed);
    if (x->objective == REGRET) return;
    mpq_neg(t->value, t->value); /* a value is a regret with optimum 0 and the other sign */
    mpq_neg(t->least_claimed, t->least_claimed);
}

/* ---- the end ---- */

/* Do the lines show the claim about a tree? value: of the policy. */
static void check_claim(const proof *x, const tree *t, mpq_srcptr value)
{
    if (!t->claimed) return;
    if (mpq_cmp(value, t->value) > 0) refuted("the policy regrets more than is claimed");
    bool trivial =
        x->objective == REGRET && mpq_sgn(t->least_claimed) <= 0; /* no policy that keeps the promise earns more than U* */
    if (!t->bounded) return;
    if (!trivial && !t->grown) refuted("no search tree proves the bound");
    if (!trivial && t->finite && mpq_cmp(t->least, t->least_claimed) < 0) refuted("the tree proves less than the bound claimed");
    if (mpq_cmp(value, t->least_claimed) < 0) refuted("the policy is better than the bound claimed allows");
}

bool proof_shows(proof *x, mpq_t value[2], bool *exactly)
{
    tree *t = x->tree;
    if (x->at) tree_end(x->at);
    if (x->infeasible) {
        if (t[0].claimed || t[1].claimed) refuted("two claims that exclude each other");
        if (!t->grown || t->finite) refuted("some case may keep the promise");
        return false;
    }
    if (!t->claimed) refuted("nothing is claimed");
    *exactly = policy_weigh(x, value[0], value[1]);
    if (x->objective == WEIGHTED) mpq_swap(value[0], value[1]);
    for (int i = 0; i < 2; i++) check_claim(x, &t[i], value[i]);
    if (t[1].claimed && t[1].grown && mpq_cmp(t[1].cap, value[0]) < 0) refuted("the cap is below the policy's maximum regret");
    return true;
}

void print_rounded(const char *before, mpq_srcptr x, bool up)
{
    mpq_ptr shown = temp();
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
    const tree *t = x->tree;
    mpq_ptr bound_of = temp();
    if (x->objective != REGRET) {
        mpq_neg(value[0], value[0]);
        mpq_neg(bound_of, t->least_claimed);
        print_rounded(x->objective == LEAST ? "verified: least value >= " : "verified: weighted value >= ", value[0], false);
        if (t->bounded) print_rounded(", <= ", bound_of, true);
    }
    for (int i = 1; i >= 0 && x->objective == REGRET; i--) {
        if (!t[i].claimed) continue;
        print_rounded(i ? "verified: total regret <= " : "verified: maximum regret <= ", value[i], true);
        print_rounded(", >= ", mpq_sgn(t[i].least_claimed) > 0 ? t[i].least_claimed : bound_of, false); /* 0: none is less */
        if (i) printf(" among policies of that maximum regret\n");
    }
}

static void conclude(proof *x)
{
    bool exactly;
    mpq_t *value = rationals_new(2);
    bool some = proof_shows(x, value, &exactly);
    print_class(x);
    if (!some) {
        printf("verified: no policy of the class keeps the promise in every environment\n");
        return;
    }
    print_figures(x, value);
    int places = 0; /* of the last power of ten that is no less than the tolerance */
    mpq_ptr next = temp();
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
        const char *first = line_word();
        size_t i = 0;
        if (strcmp(first, last) == 0) return;
        while (i < sizeof kinds / sizeof *kinds && strcmp(first, kinds[i].word) != 0) i++;
        if (i < sizeof kinds / sizeof *kinds)
            kinds[i].read(x);
        else if (!tree_line(x, first))
            refuted("a line that begins with \"%.40s\"", first);
        line_end();
    }
}

void proof_open(proof *x)
{
    size_t K = (size_t)x->m.K, P = (size_t)x->m.P;
    mpq_t **const of_K[] = {&x->of_option, &x->worth, &x->optimum[DOWN], &x->optimum[UP]};
    x->keep = *rationals_new(1);
    for (tree *t = x->tree; t < x->tree + 2; t++) {
        mpq_t *q = rationals_new(4);
        t->cap = q[0], t->least = q[1], t->value = q[2], t->least_claimed = q[3];
    }
    for (size_t i = 0; i < sizeof of_K / sizeof *of_K; i++) *of_K[i] = rationals_new(K);
    x->enough = rationals_new(P);
    x->mean = rationals_new((size_t)x->m.J);
    x->counts = zeroed(P, sizeof *x->counts);
    x->most_enough = zeroed(P, sizeof *x->most_enough);
    x->weight = numbers_of(NULL, K);
    x->price = numbers_of(NULL, P);
}

bool proof_read(proof *x, const char *path)
{
    char hash[17];
    lines_open(path);
    line_begins("vouch-proof");
    int version = integer(word(), 1, INT_MAX);
    if (version < VERSION)
        unreadable("a proof of version %d, whose lines meant less; \"vouch plan .. --proof\" writes it anew", version);
    if (version > VERSION) unreadable("a proof of a later version");
    line_begins("model");
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)x->hash);
    bool same = strcmp(word(), hash) == 0;
    if (!same || (size_t)integer(word(), 0, INT_MAX) != x->length)
        refuted("the proof is about another model, or the model has changed since");
    const char *first = line_word();
    if (strcmp(first, "groups") == 0) return false;
    if (strcmp(first, "plan") != 0) refuted("expected \"plan\" or \"groups\"");
    proof_body(x, "complete");
    proof_end();
    conclude(x);
    return true;
}

/* ---- tree: a proof's tree: a distinction of cases, each with a bound of its own; the least of all is the tree's. */

/* Promises are lowered by the least of these that is no less than the loss by dropped options. */
static const double SLACK[SLACKS] = {0, 0x1p-50, 0x1p-46, 0x1p-44, MOST_LOWERED};

static void add_case(proof *x, int parent, size_t option, double low, double high)
{
    tree *t = x->at;
    if (t->cases == INT_MAX) refuted("too many cases");
    t->item = grown(t->item, (size_t)t->cases, sizeof *t->item);
    tree_case *c = &t->item[t->cases++];
    *c = (tree_case){.parent = parent, .option = option, .low = low, .high = high, .on = -1, .point = -1};
    for (int i = 0; i < 2 && parent >= 0; i++) c->loss[i] = t->item[parent].loss[i];
}

/* Restricts options, and their probabilities, to case c. */
static void restrict_to(proof *x, int c)
{
    tree *t = x->at;
    bound *b = &t->bound;
    double *loss = t->item[c].loss;
    int level = 0;
    if (b->low) boxes_open(b);
    spend(x->g.options);
    memcpy(b->allowed, t->told, x->g.options * sizeof *b->allowed);
    for (; c >= 0; c = t->item[c].parent) {
        const tree_case *i = &t->item[c];
        for (int o = i->given; o < i->given + i->givens; o++) b->allowed[t->given[o]] = false;
        if (i->parent < 0) continue;
        const node *n = &x->g.node[t->item[i->parent].on];
        for (size_t o = n->option; o < n->option + (size_t)n->options && !b->low; o++) b->allowed[o] &= o == i->option;
        if (i->point >= 0)
            boxes_pin(b, n, t->point + i->point);
        else if (b->low)
            boxes_cut(b, i->option, i->low, i->high);
    }
    if (t->drops) bound_drop(b, t->of, x->counts, loss);
    t->lost = fmax(t->lost, loss[0]);
    while (level < SLACKS - 1 && !(loss[1] <= SLACK[level])) level++;
    if (!(loss[1] <= SLACK[level]) || !isfinite(t->lost)) refuted("rounding loses too much");
    t->slack = SLACK[level];
    t->enough = t->lowered[level];
}

static void bounded(tree *t, mpq_srcptr value)
{
    if (!t->finite || mpq_cmp(value, t->least) < 0) mpq_set(t->least, value);
    t->finite = true;
}

/* The multipliers of a line, [lambda of the regrets ;] mu of the promises, and to value the constant of its bound. Of a sum lambda
 * comes on top, for the cap. */
static void read_multipliers(proof *x, bool regrets, mpq_ptr value)
{
    tree *t = x->at;
    mpq_ptr sum = temp(), off = temp(), best = temp();
    mpq_neg(off, t->cap);
    for (int k = 0; k < x->m.K; k++) mpq_set_ui(x->weight.q[k], 0, 1);
    if (regrets) multipliers(x->m.K, x->weight.q, false);
    multipliers(x->m.P, x->price.q, false);
    for (int k = 0; k < x->m.K; k++) {
        mpq_ptr l = x->weight.q[k];
        bool used = mpq_sgn(l) != 0;
        for (int r = k * x->m.J; r < (k + 1) * x->m.J; r++) used |= mpq_sgn(x->price.q[r]) != 0;
        if (used && !in(t->of, k)) refuted("the tree is not about environment %d", k);
        mpq_add(sum, sum, l);
        if (regrets && t->sum) {
            plus(value, l, off);
            mpq_add(l, l, x->worth[k]);
        }
        mpq_add(best, x->optimum[DOWN][k], x->m.apart); /* as bounds count rewards */
        plus(value, l, best);
        put(x->weight, (size_t)k, l);
    }
    if (regrets && !t->sum && mpq_cmp_ui(sum, 1, 1) != 0) refuted("the multipliers of the regrets do not sum to 1");
    if (t->sum && !t->capped && mpq_sgn(sum) != 0) refuted("multipliers of regrets that have no cap");
    mpq_set_d(off, -t->slack);
    for (int r = 0; r < x->m.P; r++) {
        plus(value, x->price.q[r], x->enough[r]);
        plus(value, x->price.q[r], off);
        put(x->price, (size_t)r, x->price.q[r]);
    }
    averages_show(x, value);
}

/* The bound of the multipliers and (of stochastic policies) prices of a line, to value: constant - V. false: no policy is left. */
static bool lagrangian(proof *x, bool regrets, int what, mpq_ptr value)
{
    tree *t = x->at;
    mpq_ptr most = temp();
    mpq_set_ui(value, 0, 1);
    read_multipliers(x, regrets, value);
    for (char *at = t->bound.low ? word_or_none() : NULL; at; at = word_or_none()) { /* node action k=x .. ; */
        size_t option = named_option(x, named_node(x, at), word());
        multipliers(x->m.K, x->of_option, true);
        boxes_price(&t->bound, option, x->of_option);
    }
    bool some = bound_most(&t->bound, t->bound.boxed ? 0 : what, x->weight, x->price, most);
    if (some) mpq_sub(value, value, most);
    return some;
}

/* The multipliers that are fixed above case c, or there; NULL: none are. */
static const char *weighed(const tree *t, const tree_case *c)
{
    while (!c->weighed && c->parent >= 0) c = &t->item[c->parent];
    return c->weighed;
}

static void read_leaf(proof *x, tree_case *c)
{
    const char *fixed = weighed(x->at, c);
    mpq_ptr value = temp();
    if (fixed && word_or_none()) refuted("the multipliers of this case are fixed");
    char *rest = ctx.rest, *copy = fixed ? strcpy(zeroed(strlen(fixed) + 1, 1), fixed) : NULL;
    if (fixed) ctx.rest = copy;
    if (lagrangian(x, true, BOUNDS, value)) bounded(x->at, value);
    line_end();
    if (fixed) ctx.rest = rest;
    drop(copy);
}

static void read_walk(proof *x, tree_case *c)
{
    enum { MOST_AHEAD = 2000 }; /* each step is a call deeper */
    bound *b = &x->at->bound;
    b->ahead = integer(word(), 0, MOST_AHEAD);
    b->boxed = b->forgets = true;
    read_leaf(x, c);
    b->forgets = false;
}

static void read_empty(proof *x, tree_case *c)
{
    (void)c;
    mpq_ptr value = temp();
    if (lagrangian(x, false, BOUNDS, value) && mpq_sgn(value) <= 0)
        refuted("the multipliers do not show that the promise cannot be kept");
}

/* Do the probabilities Pr [P] of a point reach all means, lowered as promises are? */
static bool means_left(const proof *x, const double Pr[])
{
    mpq_ptr slack = temp();
    mpq_t *most = rationals_new((size_t)x->m.P);
    mpq_set_d(slack, x->at->slack);
    for (int r = 0; r < x->m.P; r++) mpq_set_d(most[r], Pr[r]);
    bool left = averages_missed(x, most, slack, NULL) < 0;
    drop(most);
    return left;
}

/* The least regret, the largest of an environment or the sum, of the points of a promise or (row < 0) of all; false: there are
 * none. */
static bool least_of_points(proof *x, int row, int most, bool sum, mpq_ptr least)
{
    tree *t = x->at;
    const double *at;
    int first = row < 0 ? 0 : row, rows = row < 0 ? x->m.P : 1, env = first / x->m.J, envs = row < 0 ? x->m.K : 1;
    bool any = false;
    mpq_ptr loss = temp(), best = temp(), largest = temp(), total = temp(), value = sum ? total : largest;
    size_t count = bound_points(&t->bound, row, most, t->enough, &at), temps = ctx.temps;
    for (; count > 0; count--, at += rows + envs, ctx.temps = temps) {
        bool left = true;
        mpq_set_ui(total, 0, 1);
        for (int k = 0; k < envs; k++) {
            from_double(loss, at[k]);
            mpq_add(best, x->optimum[DOWN][env + k], x->m.apart);
            mpq_sub(loss, best, loss);
            if (k == 0 || mpq_cmp(loss, largest) > 0) mpq_set(largest, loss);
            plus(total, loss, x->worth[env + k]);
        }
        for (int r = 0; r < rows; r++) left = left && at[envs + r] >= t->enough[first + r];
        if (row < 0) left = left && means_left(x, at + envs);
        if (!left || (t->capped && mpq_cmp(largest, t->cap) > 0)) continue;
        if (!any || mpq_cmp(value, least) < 0) mpq_set(least, value);
        any = true;
    }
    return any;
}

/* The sum over environments of the most that the pairs of a promise show, in sets of at most `most`; false: no policy is left. */
static bool least_of_pairs(proof *x, int first, int last, int most, mpq_ptr least)
{
    tree *t = x->at;
    int J = x->m.J;
    bool some = true;
    mpq_ptr of_k = temp(), of_row = temp();
    mpq_set_ui(least, 0, 1);
    for (int r = first; r <= last && some; r++) {
        some = least_of_points(x, r, most, false, of_row);
        if (r == first || r % J == 0 || mpq_cmp(of_row, of_k) > 0) mpq_set(of_k, of_row);
        if (r == last || (r + 1) % J == 0) plus(least, of_k, t->sum ? x->worth[r / J] : x->m.one.q[0]);
    }
    return some;
}

/* Sets grow until they show the bound of the line or (-) that no policy is left. */
static void read_pairs(proof *x, tree_case *c)
{
    tree *t = x->at;
    const char *which = word();
    bool all = strcmp(which, "*") == 0;
    int first = all ? 0 : integer(which, 0, x->m.P - 1), last = all ? x->m.P - 1 : first;
    int most = integer(word(), 2, MOST_PAIRS);
    const char *text = word_or_none();
    bool nothing = text && strcmp(text, "-") == 0, some = true;
    int finest = text ? FINEST_PAIRS : most;
    mpq_ptr sought = temp(), value = temp();
    (void)c;
    if (text && !nothing) rational(text, sought);
    for (int r = first; r <= last; r++)
        if (!in(t->of, r / x->m.J)) refuted("the tree is not about environment %d", r / x->m.J);
    if (t->sum != all) refuted("of a sum all environments are needed, of a maximum one");
    for (bool enough = false; some && !enough && most <= finest; most *= 2) {
        some = least_of_pairs(x, first, last, most, value);
        enough = !nothing && mpq_cmp(value, sought) >= 0;
    }
    if (some) bounded(t, value);
}

static void read_vectors(proof *x, tree_case *c)
{
    (void)c;
    mpq_ptr value = temp();
    if (x->at->of != x->g.node->set) refuted("vectors are of all environments");
    if (least_of_points(x, -1, 0, x->at->sum, value)) bounded(x->at, value);
}

static void read_give(proof *x, tree_case *c)
{
    tree *t = x->at;
    mpq_ptr of_line = temp(), value = temp();
    if (c->givens) refuted("options of this case are given up already");
    rational(word(), of_line);
    bool some = lagrangian(x, true, 0, value);
    c->given = t->givens;
    for (char *at = word_or_none(); at; at = word_or_none(), c->givens++) {
        char *action = parted(at, "option");
        t->given = grown(t->given, (size_t)t->givens, sizeof *t->given);
        t->given[t->givens] = named_option(x, named_node(x, at), action);
        t->bound.givable[t->given[t->givens]] = true;
        if (++t->givens == INT_MAX) refuted("too many options are given up");
    }
    mpq_sub(value, of_line, value);
    if (some && mpq_sgn(value) > 0 && !bound_short(&t->bound, outward(value, UP)))
        refuted("a policy below the bound may use an option of the line");
    if (some) bounded(t, of_line);
    for (int i = c->given; i < t->givens; i++) t->bound.givable[t->given[i]] = false;
}

static void read_branch(proof *x, tree_case *c)
{
    c->on = named_node(x, word());
    const node *n = &x->g.node[c->on];
    for (int i = 0; i < n->options; i++) c->uncovered |= (uint64_t)x->at->bound.allowed[n->option + (size_t)i] << i;
    if (!c->uncovered) refuted("no option is left there, and policies that do not come there would belong to no child");
}

static void read_part(proof *x, tree_case *c)
{
    int n = c->on = named_node(x, word()), parent = (int)(c - x->at->item);
    size_t option = named_option(x, n, word());
    mpq_ptr at = temp();
    rational(word(), at);
    add_case(x, parent, option, 0, outward(at, UP));
    add_case(x, parent, option, outward(at, DOWN), 1);
}

static void read_weigh(proof *x, tree_case *c)
{
    (void)x;
    c->weighed = ctx.rest;
    ctx.rest += strlen(ctx.rest);
}

/* With fixed multipliers the bound is linear in the policy at one node, so that it is least at a corner of the box there. */
static void read_corners(proof *x, tree_case *c)
{
    tree *t = x->at;
    int at = named_node(x, word()), parent = (int)(c - t->item);
    const node *n = &x->g.node[at];
    size_t first = t->points, count = 0, width = (size_t)n->options;
    mpq_ptr chance = temp();
    if (!weighed(t, c)) refuted("no weigh line fixes the multipliers of this case, so its corners prove nothing");
    c->on = at;
    for (char *next = word_or_none(); next; next = word_or_none(), count++) {
        for (size_t i = 0; i < width; i++) {
            t->point = grown(t->point, t->points, sizeof *t->point);
            t->point[t->points++] = 0;
        }
        for (; next && strcmp(next, ";") != 0; next = word_or_none()) {
            char *of = parted(next, "probability");
            rational(of, chance);
            if (mpq_sgn(chance) < 0 || mpq_cmp_ui(chance, 2, 1) > 0) refuted("\"%.40s\" is no probability", of);
            t->point[first + count * width + (named_option(x, at, next) - n->option)] = mpq_get_d(chance);
        }
    }
    if (!boxes_cornered(&t->bound, n, t->point + first, count)) refuted("a corner of the box is left out");
    for (size_t i = 0; i < count; i++) {
        add_case(x, parent, n->option, 0, 1);
        t->item[t->cases - 1].point = (ptrdiff_t)(first + i * width);
    }
}

static void read_child(proof *x)
{
    tree *t = x->at;
    int number = integer(word(), 1, INT_MAX), parent = integer(word(), 1, INT_MAX) - 1;
    if (number != t->cases + 1) refuted("case %d; expected %d", number, t->cases + 1);
    if (parent >= t->cases || t->item[parent].on < 0) refuted("case %d is not parted", parent + 1);
    size_t option = named_option(x, t->item[parent].on, word());
    t->item[parent].uncovered &= ~(UINT64_C(1) << (option - x->g.node[t->item[parent].on].option));
    add_case(x, parent, option, 1, 1);
}

/* Options that do the same in all environments of the tree are one there, the first of them. */
static void tell_apart(const node_graph *g, tree *t)
{
    uint64_t *both = zeroed(g->words, sizeof *both);
    t->told = zeroed(g->options, sizeof *t->told);
    for (node n, *at = g->node; at < g->node + g->nodes; at++) {
        n = *at;
        n.set = both;
        for (size_t w = 0; w < g->words; w++) both[w] = at->set[w] & t->of[w];
        for (size_t o = n.option; o < n.option + (size_t)n.options; o++) t->told[o] = graph_option(g, &n, g->action[o]) == o;
    }
}

void read_tree(proof *x)
{
    if (x->at) tree_end(x->at);
    tree *t = x->at = tree_of(x, word());
    if (t->grown) refuted("a second tree of the same");
    int reveal = integer(word(), 1, x->m.T + 1);
    rung *mixed = zeroed(1, sizeof *mixed);
    t->grown = true;
    t->capped = t == &x->tree[1];
    t->sum = t->capped || x->objective == WEIGHTED;
    if (t->capped) rational(word(), t->cap);
    char *few = t->sum ? NULL : word_or_none(), *last = few ? word_or_none() : NULL;
    bool some = few && strcmp(few, "*") != 0;
    if (few && ((x->g.L > 0 && some) || x->class != DETERMINISTIC))
        refuted("a tree of few environments is one of milp-ccl and L = 0");
    if (last && strcmp(last, "drop") != 0) refuted("expected \"drop\"");
    t->drops = last != NULL;
    t->of = some ? environments(&x->m, few) : x->g.node->set;
    for (int i = 0; i < SLACKS; i++) {
        t->lowered[i] = zeroed((size_t)x->m.P, sizeof **t->lowered);
        for (int r = 0; r < x->m.P; r++)
            t->lowered[i][r] = i ? nextafter(x->most_enough[r] - SLACK[i], -INFINITY) : x->most_enough[r];
    }
    tell_apart(&x->g, t);
    rung_make(mixed, &x->g, t->of, reveal);
    bound_over(&t->bound, &x->g, mixed);
    if (x->class == STOCHASTIC) boxes_open(&t->bound);
    add_case(x, -1, 0, 0, 1);
}

void tree_end(tree *t)
{
    mpq_ptr lost = temp();
    mpq_set_d(lost, t->lost);
    mpq_sub(t->least, t->least, lost);
    for (int c = 0; c < t->cases; c++) {
        if (t->item[c].on >= 0 && t->item[c].uncovered) refuted("case %d has an option without a child", c + 1);
        if (t->item[c].on < 0 && !t->item[c].closed) refuted("case %d is not bounded", c + 1);
    }
}

bool tree_line(proof *x, const char *first)
{
    enum { D = 1 << DETERMINISTIC, S = 1 << STOCHASTIC, H = 1 << HISTORY };
    static const struct {
        const char *word;
        void (*read)(proof *x, tree_case *c);
        int classes;        /* of policies that it is about */
        bool closes, fixed; /* the case; may stand where multipliers are fixed */
    } kinds[] = {{"leaf", read_leaf, D | S | H, true, true}, {"empty", read_empty, D | S | H, true, false},
                 {"pairs", read_pairs, D, true, false},      {"vectors", read_vectors, D, true, false},
                 {"give", read_give, D, false, false},       {"branch", read_branch, D, false, false},
                 {"child", NULL, D, false, false},           {"part", read_part, S, false, false},
                 {"walk", read_walk, S, true, true},         {"weigh", read_weigh, S, false, false},
                 {"corners", read_corners, S, false, true}};
    size_t i = 0, count = sizeof kinds / sizeof *kinds;
    while (i < count && strcmp(first, kinds[i].word) != 0) i++;
    if (i == count) return false;
    if (!x->at) refuted("there is no tree yet");
    if (!(kinds[i].classes >> x->class & 1)) refuted("%s lines prove nothing of the policies that are spoken of", first);
    if (!kinds[i].read) return read_child(x), true;
    int c = integer(word(), 1, INT_MAX) - 1;
    if (c >= x->at->cases) refuted("there is no case %d", c + 1);
    if (x->at->item[c].closed || x->at->item[c].on >= 0) refuted("case %d is closed or parted", c + 1);
    if (!kinds[i].fixed && weighed(x->at, &x->at->item[c])) refuted("%s lines prove nothing where multipliers are fixed", first);
    restrict_to(x, c);
    kinds[i].read(x, &x->at->item[c]);
    x->at->item[c].closed = kinds[i].closes;
    return true;
}

/* ---- groups: proofs about several policies (FORMAT.md), of parts about some of the environments with models of their own. */

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
    size_t S = (size_t)all->S, pairs = S * (size_t)all->A, J = (size_t)all->J, i = 0;
    mpq_ptr most = temp(); /* no less than a floor */
    mpq_sub(most, all->most, all->least);
    *m = *all;
    m->K = 0;
    for (int k = 0; k < all->K; k++) m->K += !g->apart || in(set, k);
    m->P = m->K * m->J;
    size_t cells = cell(m, m->K, 0, 0);
    m->start = zeroed(cells, sizeof *m->start);
    m->paid = numbers_of(NULL, cells);
    m->pay = numbers_of(NULL, cells);
    m->phi = zeroed((size_t)m->P * S, sizeof *m->phi);
    m->p = rationals_new((size_t)m->P);
    m->apart = *rationals_new(1);
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

static void read_member(groups *g)
{
    g->part = grown(g->part, (size_t)g->parts, sizeof *g->part);
    group_part *p = &g->part[g->parts++];
    *p = (group_part){.set = environments(&g->x->m, word())};
    p->value = *rationals_new(1), p->bound = *rationals_new(1);
    line_end();
    void *mark = zeroed(1, 1);
    proof x = {.asked_L = g->x->asked_L};
    part_model(g, p->set, &x.m);
    proof_open(&x);
    ctx.rounded = false;
    line_begins("plan");
    proof_body(&x, "end");
    if (g->apart && x.class != HISTORY && x.g.L > 0) refuted("with L above 0 groups know by all environments");
    if (x.objective != REGRET) refuted("groups are about the maximum regret");
    if (x.tree[1].claimed) refuted("expected one claim, of the maximum regret");
    mpq_t *value = rationals_new(2);
    p->valued = proof_shows(&x, value, &p->exactly);
    mpq_set(p->value, value[0]);
    if (p->valued && x.tree->bounded && mpq_sgn(x.tree->least_claimed) > 0) mpq_set(p->bound, x.tree->least_claimed);
    line_end();
    if (g->parts > 1 && (strcmp(x.method, g->method) != 0 || x.g.L != g->L)) refuted("parts are about other policies");
    if (g->parts > 1 && !mpq_equal(x.keep, g->x->keep)) refuted("parts have different tolerances");
    mpq_set(g->x->keep, x.keep);
    g->method = x.method;
    g->L = x.g.L;
    release(mark);
}

/* ---- the end ---- */

/* Are all environments in just one of the groups of the portfolio, which has no more policies than are claimed? */
static void check_groups(groups *g)
{
    if (g->uses < 1 || g->uses > g->policies) refuted("%d groups; expected 1 to %d", g->uses, g->policies);
    for (int k = 0; k < g->x->m.K; k++) {
        int of = 0;
        for (int i = 0; i < g->uses; i++) of += in(g->part[g->used[i]].set, k);
        if (of != 1) refuted("environment %d is in %d groups", k, of);
    }
    for (int i = 0; i < g->uses; i++) {
        const group_part *p = &g->part[g->used[i]];
        if (!p->valued || mpq_cmp(p->value, g->value) > 0)
            refuted("the policy of part %d regrets more than is claimed", g->used[i]);
        if (mpq_cmp(p->value, g->most) > 0) mpq_set(g->most, p->value);
        g->exactly &= p->exactly;
    }
    if (mpq_cmp(g->value, g->bound) < 0) refuted("the policies are better than the bound claimed allows");
}

/* Would environment k complete a forbidden set in group c? */
static bool completes(const groups *g, int k, int c)
{
    const uint64_t *with = g->in + (size_t)c * (size_t)g->words;
    spend((size_t)g->parts * (size_t)g->words);
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
    int K = g->x->m.K;
    if (!g->infinite && mpq_sgn(g->bound) <= 0) { /* no regret is less */
        mpq_set_ui(g->bound, 0, 1);
        return;
    }
    if (g->policies > K) g->policies = K;
    g->forbidden = zeroed((size_t)g->parts + 1, sizeof *g->forbidden);
    g->colour = zeroed((size_t)K, sizeof *g->colour);
    g->in = zeroed((size_t)g->policies * (size_t)g->words, sizeof *g->in);
    for (int k = 0; k < K; k++) g->colour[k] = -1;
    for (int i = 0; i < g->parts; i++)
        g->forbidden[i] = !g->part[i].valued || (!g->infinite && mpq_cmp(g->part[i].bound, g->bound) >= 0);
    if (can_be_grouped(g, 0)) refuted("some groups may be better than the bound claimed");
}

/* The lines behind the parts. first: the first word. */
static void read_end(groups *g, const char *first)
{
    for (; strcmp(first, "complete") != 0; first = line_word()) {
        if (strcmp(first, "use") == 0) {
            g->used = grown(g->used, (size_t)g->uses, sizeof *g->used);
            g->used[g->uses++] = integer(word(), 0, g->parts - 1);
        } else if (strcmp(first, "claim") == 0) {
            const char *of = word();
            if (g->claimed) refuted("a second claim");
            g->claimed = true;
            g->infinite = strcmp(of, "infeasible") == 0;
            if (!g->infinite && strcmp(of, "groups") != 0) refuted("\"%.40s\" is not what groups are about", of);
            if (!g->infinite) rational(word(), g->value);
            if (!g->infinite) rational(word(), g->bound);
        } else {
            refuted("a line that begins with \"%.40s\"", first);
        }
        line_end();
    }
    proof_end();
    if (!g->claimed) refuted("nothing is claimed");
    if (!g->infinite) check_groups(g);
    check_bound(g);
}

static void print_groups(const groups *g)
{
    printf("%d policies, %s, L = %d, T = %d, promises of %s, %d sets of environments\n", g->policies, g->method, g->L, g->x->m.T,
           g->own ? "each group's own environments" : "all environments", g->parts);
    if (g->infinite) {
        printf("verified: no such number of policies of the class keeps the promises\n");
        return;
    }
    print_rounded("verified: maximum regret of each environment's own policy <= ", g->most, true);
    print_rounded(", >= ", g->bound, false);
    printf(g->exactly ? "; every promise kept exactly\n" : "; every promise kept within the tolerance of its part\n");
}

void groups_read(proof *x)
{
    mpq_t *figure = rationals_new(3);
    groups g = {.x = x,
                .words = (x->m.K + 63) / 64,
                .method = "",
                .exactly = true,
                .value = figure[0],
                .bound = figure[1],
                .most = figure[2]};
    for (int j = 0; j < x->m.J; j++)
        if (x->m.average[j]) refuted("a promise on average is one of a policy for all environments, not of several policies");
    g.policies = integer(word(), 1, INT_MAX);
    const char *of = word();
    g.own = strcmp(of, "own") == 0;
    if (!g.own && strcmp(of, "all") != 0) refuted("\"%.40s\"; expected own or all", of);
    of = word();
    g.apart = strcmp(of, "apart") == 0;
    if (!g.apart && strcmp(of, "whole") != 0) refuted("\"%.40s\"; expected apart or whole", of);
    if (g.apart && !g.own) refuted("promises of all environments need all of them");
    line_end();
    for (of = line_word(); strcmp(of, "part") == 0; of = line_word()) read_member(&g);
    read_end(&g, of);
    print_groups(&g);
}

/* ---- main: vouch-check MODEL PROOF: exit 0 verified, 2 refuted, 1 unreadable, 3 a limit. */

static const char usage[] =
    "usage: vouch-check [--exact | --interval] [-L N] [-T N] [-p P] [--work-limit N] MODEL.json PROOF.vproof[.gz]\n"
    "Checks the claims of a proof about a model. Prints \"verified: ..\" (exit status 0) or \"refuted: line N: ..\" (2); exit\n"
    "status 1: unreadable input; 3: a limit was reached, no verdict. The proof must be about the model's horizon and probability,\n"
    "or about -T and -p; with -L, about this L. Files may be packed by gzip; - is standard input. Regrets and probabilities are\n"
    "computed in rationals and bounds of cases in doubles rounded outwards; --exact: both in rationals; --interval: both in\n"
    "doubles, for large models. --work-limit: most work, in products of two doubles, about 1e9 a second; the same on any "
    "machine.\n";

static uint64_t asked(const char *option, const char *value, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (end == value || *end || errno || *value == '-' || n < least || n > most)
        unreadable("%s %s: expected a number from %" PRIu64 " to %" PRIu64, option, value, least, most);
    return n;
}

/* Reads and judges; ends by `stop` unless the proof is verified. */
static void check(int argc, char **argv)
{
    static const char *const option[] = {"-L", "-T", "-p", "--work-limit"};
    enum { L, T, P, WORK, OPTIONS, MOST = 1000000 };
    const char *path[2] = {NULL, NULL}, *value[OPTIONS] = {NULL};
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        int o = 0;
        while (o < OPTIONS && strcmp(argv[i], option[o]) != 0) o++;
        if (strcmp(argv[i], "--exact") == 0 || strcmp(argv[i], "--interval") == 0)
            ctx.rationals = argv[i][2] == 'e' ? VALUES | BOUNDS : 0;
        else if (o < OPTIONS && i + 1 < argc)
            value[o] = argv[++i];
        else if (o < OPTIONS || (argv[i][0] == '-' && argv[i][1]) || paths >= 2)
            paths = 3;
        else
            path[paths++] = argv[i];
    }
    if (paths != 2) unreadable("expected MODEL.json PROOF.vproof; vouch-check --help lists the options");
    if (value[WORK]) ctx.most_work = asked("--work-limit", value[WORK], 0, UINT64_MAX);
    proof x = {.asked_L = value[L] ? (int)asked("-L", value[L], 0, MOST) : -1};
    char *bytes = file_bytes(path[0], &x.length);
    x.hash = hash_of(bytes, x.length);
    model_read(&x.m, bytes, x.length, value[T] ? (int)asked("-T", value[T], 1, MOST) : 0);
    drop(bytes);
    const char *p = value[P];
    if (p && (x.m.J > 1 || !read_number(p, x.m.p[0]) || mpq_sgn(x.m.p[0]) < 0)) unreadable("-p %s", p);
    for (int r = 1; r < x.m.P && p; r++) mpq_set(x.m.p[r], x.m.p[0]);
    proof_open(&x);
    if (!proof_read(&x, path[1])) groups_read(&x);
}

int main(int argc, char **argv)
{

    (void)setlocale(LC_ALL, "C"); /* as it is, unless a library that was loaded has set the user's */
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) return fputs(usage, stdout) < 0;
    judge_begin();
    if (setjmp(ctx.escape) == 0) check(argc, argv);
    judge_end();
    if (fflush(stdout) == 0 && !ferror(stdout)) return ctx.status;
    if (ctx.status == 0) fputs("vouch-check: standard output: cannot write\n", stderr);
    return ctx.status == 0 || ctx.status == REFUTED ? UNREADABLE : ctx.status;
}
