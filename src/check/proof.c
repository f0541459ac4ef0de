/* check/proof.c - the lines of a proof: head, nodes, rules, claims; each is checked as it is read, against what was read before. */
#include "check/check.h"

/* Tolerances of promises: all that is said of kept, U* included, is meant with the one of the proof. */
static const char LEAST_KEEP[] = "9e-13", MOST_KEEP[] = "1e-9";

/* Of the format. Before 2 a line of pairs did not say what it was to show. */
enum { VERSION = 2 };

int asked_L = -1;
uint64_t model_hash;
size_t model_length;

static bool claimed_infeasible;

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

uint64_t *environments(const proof *x, char *from)
{
    uint64_t *set_of = zeroed(x->g.words, sizeof *set_of);
    for (int k = 0; k < x->m.K && strcmp(from, "*") == 0; k++) include(set_of, k);
    for (char *at = strcmp(from, "*") ? strtok(from, ",") : NULL; at; at = strtok(NULL, ","))
        include(set_of, integer(at, 0, x->m.K - 1));
    if (*from == ',') refuted("no environment");
    return set_of;
}

/* node NUMBER t state - ENVIRONMENTS   or   node NUMBER t state BOUNDARY */
static void read_node(proof *x)
{
    int number = integer(word(), 0, INT_MAX), t = integer(word(), 0, x->m.T - 1), s = integer(word(), 0, x->m.S - 1);
    char *of = word();
    uint64_t *set_of = NULL;
    if (number != x->named) refuted("node %d; expected %d", number, x->named);
    if ((t <= x->g.L) != (strcmp(of, "-") == 0)) refuted("up to L nodes have environments, after it a boundary");
    if (t <= x->g.L) set_of = environments(x, word());
    int n = graph_find(&x->g, t, s, t <= x->g.L ? -1 : named_node(x, of), set_of);
    free(set_of);
    if (n < 0) refuted("no policy comes to this node");
    x->node = grown(x->node, (size_t)x->named, sizeof *x->node);
    x->node[x->named++] = n;
}

/* [max-min] [weighted k=w ..], else the maximum regret; and what regrets are counted from. fewest: nodes of L = 0: an environment
 * alone needs no more. */
static void read_objective(proof *x, node_graph *fewest)
{
    const char *of = word_or_none();
    model_pay(&x->m, NULL);
    x->objective = !of ? REGRET : strcmp(of, "max-min") == 0 ? LEAST : WEIGHTED;
    if (x->objective == WEIGHTED && strcmp(of, "weighted") != 0) refuted("there is no objective %.40s", of);
    if (x->objective == WEIGHTED) rationals(x->m.K, x->worth, false);
    for (int k = 0; k < x->m.K; k++) {
        if (x->objective != WEIGHTED) mpq_set_ui(x->worth[k], 1, 1);
        if (x->objective == REGRET) {
            optimum(fewest, k, x->enough, x->optimum[DOWN][k], x->optimum[UP][k]);
        } else {
            mpq_set_si(x->optimum[DOWN][k], -x->m.T, 1); /* as all rewards are counted from the least */
            mpq_mul(x->optimum[DOWN][k], x->optimum[DOWN][k], x->m.least);
            mpq_set(x->optimum[UP][k], x->optimum[DOWN][k]);
        }
        mpq_add(x->optimum[DOWN][k], x->optimum[DOWN][k], x->m.apart); /* bounds count as `pay` does */
    }
}

/* floor F */
static void read_floor(proof *x)
{
    mpq_t floor;
    mpq_init(floor);
    rational(word(), floor);
    for (int k = 0; k < x->m.K; k++) mpq_sub(x->optimum[DOWN][k], x->optimum[DOWN][k], x->m.apart);
    model_pay(&x->m, floor);
    for (int k = 0; k < x->m.K; k++) mpq_add(x->optimum[DOWN][k], x->optimum[DOWN][k], x->m.apart);
    mpq_clear(floor);
}

/* plan METHOD L T p keep [objective] */
static void read_plan(proof *x)
{
    static const char *const methods[] = {"milp-ccl", "history", "exact-ccl", "greedy", "mdps-best"};
    static const int classes[] = {DETERMINISTIC, HISTORY, STOCHASTIC, STOCHASTIC, STOCHASTIC};
    static node_graph fewest;
    size_t i = 0, count = sizeof methods / sizeof *methods;
    mpq_t p, most;
    mpq_inits(p, most, NULL);
    x->method = word();
    while (i < count && strcmp(methods[i], x->method) != 0) i++;
    if (i == count) refuted("there is no method %.40s", x->method);
    x->class = classes[i];
    int L = integer(word(), 0, x->m.T);
    if (asked_L >= 0 && L != asked_L) refuted("the proof is about L = %d, not %d", L, asked_L);
    if (x->class == HISTORY && L != x->m.T) refuted("of history policies L is the horizon");
    if (integer(word(), 1, INT_MAX) != x->m.T) refuted("the proof is about another horizon");
    const char *said = word();
    rational(said, p);
    mpq_sub(p, p, x->m.p[0]);
    mpq_abs(p, p);
    mpq_set_d(most, 0x1p-52); /* the line holds the model's probability as a double */
    if (mpq_cmp(p, most) > 0) refuted("the proof is about another probability than the model's: -p %s", said);
    rational(word(), x->keep);
    rational(LEAST_KEEP, p);
    rational(MOST_KEEP, most);
    if (mpq_cmp(x->keep, p) < 0 || mpq_cmp(x->keep, most) > 0) refuted("a tolerance that is not 9e-13 to 1e-9");
    for (int r = 0; r < x->m.P; r++) {
        if (!x->m.average[r % x->m.J]) mpq_set(x->enough[r], x->m.p[r]); /* a mean asks nothing of an environment alone */
        mpq_sub(x->enough[r], x->enough[r], x->keep);
        x->most_enough[r] = outward(x->enough[r], DOWN);
    }
    mpq_clears(p, most, NULL);
    graph_make(&x->g, &x->m, L);
    if (L > 0) graph_make(&fewest, &x->m, 0);
    read_objective(x, L > 0 ? &fewest : &x->g);
    averages_owed(x, L > 0 ? &fewest : &x->g);
    for (int r = 0; r < x->m.P; r++) {
        int k = r / x->m.J, j = r % x->m.J;
        bool mean = x->m.average[j] && mpq_sgn(x->m.prior[k]) > 0 && mpq_sgn(x->mean[j]) > 0;
        x->counts[r] = x->most_enough[r] > 0 || mean;
    }
}

tree *tree_of(proof *x, const char *of)
{
    bool total = strcmp(of, "total") == 0 && x->objective == REGRET;
    if (!total && strcmp(of, x->objective == REGRET ? "regret" : "value") != 0) refuted("\"%.40s\" is not what is optimised", of);
    return &x->tree[total];
}

/* claim regret V B | claim total V B | claim value V [B] | claim infeasible */
static void read_claim(proof *x)
{
    const char *of = word(), *bound_of;
    if (strcmp(of, "infeasible") == 0) {
        claimed_infeasible = true;
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
    mpq_neg(t->value, t->value); /* a value is a regret of which 0 is the optimum, and the other sign */
    mpq_neg(t->least_claimed, t->least_claimed);
}

/* ---- the end ---- */

/* The power of ten that is KEEP or more. */
static int keep_places(const mpq_t keep)
{
    int places = 0;
    mpq_t power, ten;
    mpq_inits(power, ten, NULL);
    mpq_set_ui(power, 1, 10);
    mpq_set_ui(ten, 10, 1);
    for (; mpq_cmp(power, keep) >= 0; places++) mpq_div(power, power, ten);
    mpq_clears(power, ten, NULL);
    return places;
}

/* In 12 digits, not less (up) or not more than x. */
void print_rounded(const char *before, const mpq_t x, bool up)
{
    mpq_t shown;
    char digits[64];
    double d = mpq_get_d(x), step = 0;
    mpq_init(shown);
    do {
        snprintf(digits, sizeof digits, "%.12g", up ? d + step : d - step);
        step = step > 0 ? 2 * step : fabs(d) * 1e-12 + 1e-300;
    } while (read_number(digits, shown) && (up ? mpq_cmp(shown, x) < 0 : mpq_cmp(shown, x) > 0));
    printf("%s%s", before, digits);
    mpq_clear(shown);
}

/* What is spoken of, for a reader who did not say it with -L. */
static void print_class(const proof *x)
{
    printf("%s policies, L = %d, T = %d", x->method, x->g.L, x->m.T);
    for (int r = 0; r < x->m.P; r++)
        if (r == 0 || !x->m.one_p) printf(r ? " %.12g" : ", p = %.12g", mpq_get_d(x->m.p[r]));
    for (int j = 0; j < x->m.J; j++)
        if (x->m.average[j]) printf(x->m.J > 1 ? ", promise %d on average" : " on average", j);
    for (int k = 0; x->objective == WEIGHTED && k < x->m.K; k++) printf(k ? " %.12g" : ", weights %.12g", mpq_get_d(x->worth[k]));
    printf("\n");
}

/* Does what was read show what is claimed of a tree? value: of the policy. */
static void check_claim(const proof *x, const tree *t, const mpq_t value)
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

/* value: of the policy; its maximum and its total regret. */
static void print_figures(const proof *x, mpq_t value[2])
{
    const tree *t = x->tree;
    mpq_t most;
    mpq_init(most);
    if (x->objective != REGRET) {
        mpq_neg(value[0], value[0]);
        mpq_neg(most, t->least_claimed);
        print_rounded(x->objective == LEAST ? "verified: least value >= " : "verified: weighted value >= ", value[0], false);
        if (t->bounded) print_rounded(", <= ", most, true);
    } else {
        if (t[1].claimed) {
            print_rounded("verified: total regret <= ", value[1], true);
            print_rounded(", >= ", mpq_sgn(t[1].least_claimed) > 0 ? t[1].least_claimed : most, false);
            printf(" among policies of that maximum regret\n");
        }
        print_rounded("verified: maximum regret <= ", value[0], true);
        print_rounded(", >= ", mpq_sgn(t->least_claimed) > 0 ? t->least_claimed : most, false); /* most: 0, no regret is less */
    }
    mpq_clear(most);
}

/* Does the proof show that no policy keeps the promises? Refuted if it claims so and does not. t: its two trees, ended. */
static bool shows_none(const tree t[2])
{
    if (!claimed_infeasible) return false;
    if (t[0].claimed || t[1].claimed) refuted("two claims that exclude each other");
    if (!t->grown || t->finite) refuted("some case may keep the promise");
    return true;
}

bool proof_shows(proof *x, bool *valued, mpq_t value, mpq_t least, bool *exactly)
{
    tree *t = x->tree;
    mpq_t total;
    if (x->objective != REGRET) refuted("groups are about the maximum regret");
    if (x->at) tree_end(x->at);
    *valued = *exactly = false;
    if (shows_none(t)) return false;
    if (!t->claimed || t[1].claimed) refuted("expected one claim, of the maximum regret");
    mpq_init(total);
    *exactly = policy_weigh(x, value, total);
    check_claim(x, t, value);
    *valued = true;
    if (t->bounded && mpq_sgn(t->least_claimed) > 0) mpq_set(least, t->least_claimed);
    mpq_clear(total);
    return true;
}

static void conclude(proof *x)
{
    tree *t = x->tree;
    mpq_t value[2];
    if (x->at) tree_end(x->at);
    if (shows_none(t)) {
        print_class(x);
        printf("verified: no policy of the class keeps the promise in every environment\n");
        return;
    }
    if (!t->claimed) refuted("nothing is claimed");
    mpq_inits(value[0], value[1], NULL);
    bool exactly = policy_weigh(x, value[0], value[1]);
    if (x->objective == WEIGHTED) mpq_swap(value[0], value[1]);
    for (int i = 0; i < 2; i++) check_claim(x, &t[i], value[i]);
    if (t[1].claimed && t[1].grown && mpq_cmp(t[1].cap, value[0]) < 0) refuted("the cap is below the policy's maximum regret");
    print_class(x);
    print_figures(x, value);
    if (exactly)
        printf("; every promise kept exactly\n");
    else
        printf("; every promise kept within 1e-%d\n", keep_places(x->keep));
    mpq_clears(value[0], value[1], NULL);
}

/* Up to the line that begins with `last`. */
static void read_body(proof *x, const char *last)
{
    for (;;) {
        if (!line_next()) refuted("the proof is not complete");
        const char *first = word();
        if (strcmp(first, last) == 0) break;
        if (strcmp(first, "node") == 0)
            read_node(x);
        else if (strcmp(first, "floor") == 0)
            read_floor(x);
        else if (strcmp(first, "claim") == 0)
            read_claim(x);
        else if (!tree_line(x, first) && !policy_line(x, first))
            refuted("a line that begins with \"%.40s\"", first);
        line_end();
    }
}

/* The next line begins with this word. */
static void expect(const char *first)
{
    if (!line_next()) refuted("the proof is not complete");
    const char *found = word_or_none();
    if (!found || strcmp(found, first) != 0) refuted("expected \"%s\"", first);
}

void proof_body(proof *x, const char *last)
{
    expect("plan");
    read_plan(x);
    line_end();
    read_body(x, last);
    line_end();
}

bool proof_read(proof *x, const char *path)
{
    char hash[17];
    mpq_inits(x->keep, x->value, x->part, x->here, x->of_point, NULL);
    for (tree *t = x->tree; t < x->tree + 2; t++) mpq_inits(t->cap, t->least, t->value, t->least_claimed, NULL);
    mpq_t **const of_K[] = {&x->of_option, &x->worth, &x->optimum[DOWN], &x->optimum[UP]};
    for (size_t i = 0; i < sizeof of_K / sizeof *of_K; i++) *of_K[i] = rationals_new(x->m.K);
    x->enough = rationals_new(x->m.P);
    x->mean = rationals_new(x->m.J);
    x->counts = zeroed((size_t)x->m.P, sizeof *x->counts);
    x->most_enough = zeroed((size_t)x->m.P, sizeof *x->most_enough);
    x->weight = numbers_of(NULL, (size_t)x->m.K);
    x->price = numbers_of(NULL, (size_t)x->m.P);
    lines_open(path);
    expect("vouch-proof");
    int version = integer(word(), 1, INT_MAX);
    if (version < VERSION)
        unreadable("a proof of version %d, whose lines meant less; \"vouch plan .. --proof\" writes it anew", version);
    if (version > VERSION) unreadable("a proof of a later version");
    expect("model");
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)model_hash);
    bool same = strcmp(word(), hash) == 0;
    if (!same || (size_t)integer(word(), 0, INT_MAX) != model_length)
        refuted("the proof is about another model, or the model has changed since");
    if (!line_next()) refuted("the proof is not complete");
    const char *first = word();
    if (strcmp(first, "groups") == 0) return true;
    if (strcmp(first, "plan") != 0) refuted("expected \"plan\" or \"groups\"");
    read_plan(x);
    line_end();
    read_body(x, "complete");
    if (integer(word(), 1, INT_MAX) != at_line) refuted("lines are missing");
    line_end();
    if (line_next()) refuted("a line after the last");
    conclude(x);
    return false;
}
