/* check/tree.c - a proof's tree: a distinction of cases, each bounded by itself.
 *
 *     branch CASE NODE         every policy of the case that comes to NODE uses one of the options left there: `child` lines make a case of each
 *     give CASE l ; m ; ..     no policy better than the bound uses these options: what it would lose, by the multipliers l and m, is computed anew
 *     part CASE NODE a x       of stochastic policies: two cases, of those that do a at NODE with a probability of at most, and of at least x
 *     leaf, pairs, vectors     bound the case;  empty: nothing in it keeps the promise
 *
 * A policy that never comes to NODE belongs to every child, which does no harm. What is proved is the least bound of all.
 */
#include "check/check.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF, PAIRS, EMPTY, GIVE, VECTORS, BRANCH, PART, KINDS };

static void add_case(tree *t, int parent, int node_of, int action, double low, double high)
{
    if (t->cases == INT_MAX) refuted("too many cases");
    t->item = grown(t->item, (size_t)t->cases, sizeof *t->item);
    t->item[t->cases] = (tree_case){.parent = parent, .node = node_of, .action = action, .low = low, .high = high, .on = -1};
    t->cases++;
}

static size_t option_of(const proof *x, int n, int a) { return x->g.node[n].choice + rank(&x->g.node[n], a); }

/* Which options the policies of case c may use, and with which probabilities. */
static void restrict_to(proof *x, int c)
{
    tree *t = x->at;
    uint64_t *allowed = t->bound.allowed;
    if (t->bound.low) boxes_open(&t->bound);
    for (size_t n = 0; n < x->g.nodes; n++) allowed[n] = x->g.node[n].options;
    for (; c >= 0; c = t->item[c].parent) {
        const tree_case *i = &t->item[c];
        for (int o = i->given; o < i->given + i->givens; o++) allowed[t->given[0][o]] &= ~(UINT64_C(1) << t->given[1][o]);
        if (i->node < 0) continue;
        if (!t->bound.low) {
            allowed[i->node] &= UINT64_C(1) << i->action;
            continue;
        }
        size_t o = option_of(x, i->node, i->action);
        t->bound.boxed = true;
        t->bound.low[o] = fmax(t->bound.low[o], i->low);
        t->bound.high[o] = fmin(t->bound.high[o], i->high);
    }
}

/* A bound of the case at hand. */
static void take(tree *t, const mpq_t value)
{
    if (!t->finite || mpq_cmp(value, t->least) < 0) mpq_set(t->least, value);
    t->finite = true;
}

/* constant - most, where `most` is what bound_most makes of the multipliers: lambda of the regrets (not used if the case is to be empty), mu of the promises.
 * false: no policy is left at all. */
static bool lagrangian(proof *x, bool regrets, int what, mpq_t value)
{
    tree *t = x->at;
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(value, 0, 1);
    for (int k = 0; k < x->m.K; k++) {
        mpq_ptr l = x->lambda[k];
        if (!regrets) mpq_set_ui(l, 0, 1);
        if (regrets && t->sum) { /* what is above the cap may be added */
            mpq_mul(part, l, t->cap);
            mpq_sub(value, value, part);
            mpq_add(l, l, x->worth[k]);
        }
        mpq_mul(part, l, x->optimum[DOWN][k]);
        mpq_add(value, value, part);
        put(x->weight, (size_t)k, l);
    }
    for (int r = 0; r < x->m.P; r++) {
        mpq_mul(part, x->mu[r], x->enough[r]);
        mpq_add(value, value, part);
        put(x->price, (size_t)r, x->mu[r]);
    }
    bool some = bound_most(&t->bound, t->bound.boxed ? 0 : what, x->weight, x->price, part);
    if (some) mpq_sub(value, value, part);
    mpq_clear(part);
    return some;
}

/* lambda of the maximum regret: a mean over environments; of a sum, of what is above the cap. */
static void read_multipliers(proof *x)
{
    mpq_t sum;
    mpq_init(sum);
    rationals(x->m.K, x->lambda, false);
    rationals(x->m.P, x->mu, false);
    for (int k = 0; k < x->m.K; k++) mpq_add(sum, sum, x->lambda[k]);
    if (!x->at->sum && mpq_cmp_ui(sum, 1, 1) != 0) refuted("the multipliers of the regrets do not sum to 1");
    if (x->at->sum && !x->at->capped && mpq_sgn(sum) != 0) refuted("multipliers of regrets that have no cap");
    mpq_clear(sum);
}

/* node action k=x .. ; node action k=x .. */
static void read_prices(proof *x)
{
    mpq_t *price = NULL;
    for (char *at = x->at->bound.low ? word_or_none() : NULL; at; at = word_or_none()) {
        int n = named_node(x, at), a = named_action(x, n, word());
        if (!price) price = rationals_new(x->m.K);
        rationals(x->m.K, price, true);
        boxes_price(&x->at->bound, n, option_of(x, n, a), price);
    }
    for (int k = 0; k < x->m.K && price; k++) mpq_clear(price[k]);
    free(price);
}

static void read_leaf(proof *x, int c, mpq_t value)
{
    read_multipliers(x);
    restrict_to(x, c);
    read_prices(x);
    if (lagrangian(x, true, BOUNDS, value)) take(x->at, value);
}

static void read_empty(proof *x, int c, mpq_t value)
{
    rationals(x->m.P, x->mu, false);
    restrict_to(x, c);
    read_prices(x);
    if (lagrangian(x, false, BOUNDS, value) && mpq_sgn(value) <= 0)
        refuted("the multipliers do not show that the promise cannot be kept");
}

/* pairs CASE r MOST: U*(k) less what deterministic policies earn in k alone that keep promise r of it; of a sum that over all k (*), of the promise that shows
 * most. */
static void read_pairs(proof *x, int c, mpq_t value)
{
    tree *t = x->at;
    const char *which = word();
    bool all = strcmp(which, "*") == 0, some = true, above = false;
    int J = x->m.J, first = all ? 0 : integer(which, 0, x->m.P - 1), last = all ? x->m.P - 1 : first,
        most = integer(word(), 0, INT_MAX);
    mpq_t part, here;
    mpq_inits(part, here, NULL);
    mpq_set_ui(value, 0, 1);
    restrict_to(x, c);
    for (int r = first; r <= last && some; r++) {
        some = bound_pairs(&t->bound, r, most, x->most_enough[r], part);
        mpq_sub(part, x->optimum[DOWN][r / J], part);
        if (r == first || r % J == 0 || mpq_cmp(part, here) > 0) mpq_set(here, part);
        if (r < last && (r + 1) % J > 0) continue;
        if (t->capped && mpq_cmp(here, t->cap) > 0) above = true;
        if (t->sum) mpq_mul(here, here, x->worth[r / J]);
        mpq_add(value, value, here);
    }
    mpq_clears(part, here, NULL);
    if (!some || above) return; /* nothing is left in the case */
    if (t->sum && !all) refuted("of a sum all environments are needed");
    if (!t->sum && all) refuted("of a maximum one environment is needed");
    take(t, value);
}

/* vectors CASE: the least regret of the vectors that policies of the case attain. */
static void read_vectors(proof *x, int c, mpq_t value)
{
    tree *t = x->at;
    int K = x->m.K;
    double *vector;
    mpq_t regret, total;
    mpq_inits(regret, total, NULL);
    restrict_to(x, c);
    size_t count = bound_vectors(&t->bound, x->most_enough, &vector);
    for (size_t v = 0; v < count; v++) {
        bool left = true;
        mpq_set_ui(total, 0, 1);
        for (int k = 0; k < K; k++) {
            const double *at = vector + v * (size_t)(K + x->m.P) + k;
            if (!isfinite(*at)) refuted("numbers too large");
            mpq_set_d(regret, *at);
            mpq_sub(regret, x->optimum[DOWN][k], regret);
            if (k == 0 || mpq_cmp(regret, value) > 0) mpq_set(value, regret);
            mpq_mul(regret, regret, x->worth[k]);
            mpq_add(total, total, regret);
        }
        for (int r = 0; r < x->m.P; r++) left = left && vector[v * (size_t)(K + x->m.P) + (size_t)(K + r)] >= x->most_enough[r];
        if (left && t->capped) left = mpq_cmp(value, t->cap) <= 0;
        if (left) take(t, t->sum ? total : value);
    }
    free(vector);
    mpq_clears(regret, total, NULL);
}

/* give CASE BOUND lambda ; mu ; node=action .. */
static void read_give(proof *x, int c, mpq_t value)
{
    tree *t = x->at;
    int first = t->givens;
    mpq_t target;
    mpq_init(target);
    if (t->item[c].givens) refuted("options of this case are given up already");
    rational(word(), target);
    read_multipliers(x);
    for (char *at = word_or_none(); at; at = word_or_none()) {
        char *of = strchr(at, '=');
        if (!of) refuted("\"%.40s\" is no option", at);
        *of++ = '\0';
        for (int i = 0; i < 2; i++) t->given[i] = grown(t->given[i], (size_t)t->givens, sizeof **t->given);
        t->given[0][t->givens] = named_node(x, at);
        t->given[1][t->givens] = named_action(x, t->given[0][t->givens], of);
        if (++t->givens == INT_MAX) refuted("too many options are given up");
    }
    restrict_to(x, c);
    if (lagrangian(x, true, 0, value)) {
        mpq_sub(value, target, value);
        int kept = mpq_sgn(value) > 0
                       ? bound_short(&t->bound, outward(value, UP), t->givens - first, t->given[0] + first, t->given[1] + first)
                       : -1;
        if (kept >= 0) refuted("a policy below the bound may use option %d of the line", kept + 1);
        take(t, target);
    }
    t->item[c].given = first;
    t->item[c].givens = t->givens - first;
    mpq_clear(target);
}

/* child CASE parent action */
static void read_child(proof *x)
{
    tree *t = x->at;
    int number = integer(word(), 1, INT_MAX), parent = integer(word(), 1, INT_MAX) - 1;
    if (number != t->cases + 1) refuted("case %d; expected %d", number, t->cases + 1);
    if (parent >= t->cases || t->item[parent].on < 0) refuted("case %d is not parted", parent + 1);
    int n = t->item[parent].on, a = named_action(x, n, word());
    t->item[parent].uncovered &= ~(UINT64_C(1) << a);
    add_case(t, parent, n, a, 1, 1);
}

/* part CASE node action x, CASE being at hand: its two cases have the next numbers */
static void read_part(proof *x, int c)
{
    tree *t = x->at;
    mpq_t at;
    mpq_init(at);
    int n = named_node(x, word()), a = named_action(x, n, word());
    rational(word(), at);
    t->item[c].on = n;
    add_case(t, c, n, a, 0, outward(at, UP));
    add_case(t, c, n, a, outward(at, DOWN), 1);
    mpq_clear(at);
}

/* tree regret REVEAL, tree value REVEAL   or   tree total REVEAL CAP */
static void read_tree(proof *x)
{
    const char *of = word();
    bool total = about_total(x, of);
    if (x->at) tree_end(x->at);
    tree *t = x->at = &x->tree[total];
    if (t->grown) refuted("a second tree of %s", of);
    int reveal = integer(word(), 1, x->m.T + 1);
    mpq_inits(t->cap, t->least, NULL);
    if (total) rational(word(), t->cap);
    t->grown = true;
    t->capped = total;
    t->sum = total || x->objective == WEIGHTED;
    bound_make(&t->bound, &x->g, reveal);
    add_case(t, -1, -1, -1, 0, 1);
    if (!x->deterministic && !x->whole_history) boxes_make(&t->bound);
}

void tree_end(const tree *t)
{
    for (int c = 0; c < t->cases; c++) {
        if (t->item[c].on >= 0 && t->item[c].uncovered) refuted("case %d has an option without a child", c + 1);
        if (t->item[c].on < 0 && !t->item[c].closed) refuted("case %d is not bounded", c + 1);
    }
}

bool tree_line(proof *x, const char *first)
{
    static const char *const kind[] = {"leaf", "pairs", "empty", "give", "vectors", "branch", "part"};
    int which = 0;
    mpq_t value;
    if (strcmp(first, "tree") == 0) {
        read_tree(x);
        return true;
    }
    bool child = strcmp(first, "child") == 0;
    while (which < KINDS && strcmp(first, kind[which]) != 0) which++;
    if (which == KINDS && !child) return false;
    if (!x->at) refuted("there is no tree yet");
    if (!x->deterministic && which != LEAF && which != EMPTY && (which != PART || x->whole_history))
        refuted("cases are parted so, and pairs are sets, of deterministic policies only");
    if (x->deterministic && which == PART) refuted("probabilities are those of stochastic policies");
    if (child) {
        read_child(x);
        return true;
    }
    int c = integer(word(), 1, INT_MAX) - 1;
    if (c >= x->at->cases) refuted("there is no case %d", c + 1);
    tree_case *of = &x->at->item[c];
    if (of->closed || of->on >= 0) refuted("case %d is closed or parted", c + 1);
    mpq_init(value);
    if (which == BRANCH) {
        of->on = named_node(x, word());
        restrict_to(x, c);
        of->uncovered = x->at->bound.allowed[of->on];
        if (!of->uncovered) refuted("no option is left there, and policies that do not come there would belong to no child");
    } else if (which == PART) {
        read_part(x, c);
    } else {
        static void (*const read[])(proof *, int, mpq_t) = {read_leaf, read_pairs, read_empty, read_give, read_vectors};
        read[which](x, c, value);
        of->closed = which != GIVE;
    }
    mpq_clear(value);
    return true;
}
