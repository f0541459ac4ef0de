/* check/tree.c - a proof's tree: a distinction of cases, each bounded by itself.
 *
 *     branch CASE NODE         every policy of the case that comes to NODE uses one of the options left there: `child` lines make a case of each
 *     give CASE l ; m ; ..     no policy better than the bound uses these options: what it would lose, by the multipliers l and m, is computed anew
 *     leaf, pairs, empty       bound the case, or show that nothing in it keeps the promise
 *
 * A policy that never comes to NODE belongs to every child, which does no harm. What is proved is the least bound of all.
 */
#include "check/proof.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The case of a line; it must be open. */
static int open_case(check_proof *x)
{
    check_tree *tree = &x->tree[x->at];
    int c = line_next_int(&x->lines, 1, INT_MAX) - 1;
    if ((size_t)c >= tree->cases) refuted("there is no case %d", c + 1);
    if (tree->item[c].closed || tree->item[c].on >= 0) refuted("case %d is closed or parted", c + 1);
    return c;
}

static int add_case(check_tree *tree, int parent, int node, int action)
{
    tree->item = grown(tree->item, &tree->case_room, tree->cases, sizeof *tree->item);
    if (tree->cases >= INT_MAX) refuted("too many cases");
    tree->item[tree->cases] = (check_case){.parent = parent, .node = node, .action = action, .on = -1};
    return (int)tree->cases++;
}

/* Which options the policies of case c may use. */
static void restrict_to(check_proof *x, int c)
{
    check_tree *tree = &x->tree[x->at];
    uint64_t *allowed = tree->bound.allowed;
    for (size_t n = 0; n < x->g.nodes; n++) allowed[n] = x->g.node[n].options;
    for (; c >= 0; c = tree->item[c].parent) {
        const check_case *i = &tree->item[c];
        for (int o = i->given; o < i->given + i->givens; o++) allowed[tree->given[0][o]] &= ~(UINT64_C(1) << tree->given[1][o]);
        if (i->node >= 0) allowed[i->node] &= UINT64_C(1) << i->action;
    }
}

/* A bound of the case at hand. */
static void bound(check_tree *tree, const mpq_t value)
{
    if (!tree->finite || mpq_cmp(value, tree->least) < 0) mpq_set(tree->least, value);
    tree->finite = true;
}

/* constant - most, where `most` is what check_bound_most makes of the multipliers: lambda of the regrets (not used if the case is to be empty), mu of
 * the promises. false: no policy is left at all. */
static bool lagrangian(check_proof *x, bool regrets, mpq_t value)
{
    check_tree *tree = &x->tree[x->at];
    mpq_t part;
    mpq_init(part);
    mpq_set_ui(value, 0, 1);
    for (int k = 0; k < x->m->K; k++) {
        if (regrets) {
            if (tree->total) {
                mpq_mul(part, x->lambda[k], tree->cap);
                mpq_sub(value, value, part);
                mpq_set_ui(part, 1, 1);
                mpq_add(x->lambda[k], x->lambda[k], part);
            }
            mpq_mul(part, x->lambda[k], x->optimum[k].low);
            mpq_add(value, value, part);
        }
        mpq_mul(part, x->mu[k], x->enough);
        mpq_add(value, value, part);
        x->weight[k] = regrets ? above(x->lambda[k]) : 0;
        x->price[k] = above(x->mu[k]);
    }
    double most = check_bound_most(&tree->bound, x->weight, x->price);
    if (most > -INFINITY) {
        mpq_set_d(part, most);
        mpq_sub(value, value, part);
    }
    mpq_clear(part);
    return most > -INFINITY;
}

/* lambda of the maximum regret: a mean over environments. */
static void read_multipliers(check_proof *x)
{
    mpq_t sum, one;
    line_numbers(&x->lines, x->m->K, x->lambda);
    line_numbers(&x->lines, x->m->K, x->mu);
    if (x->tree[x->at].total) return;
    mpq_inits(sum, one, NULL);
    mpq_set_ui(one, 1, 1);
    for (int k = 0; k < x->m->K; k++) mpq_add(sum, sum, x->lambda[k]);
    if (mpq_cmp(sum, one) != 0) refuted("the multipliers of the regrets do not sum to 1");
    mpq_clears(sum, one, NULL);
}

static void read_leaf(check_proof *x)
{
    int c = open_case(x);
    mpq_t value;
    read_multipliers(x);
    line_end(&x->lines);
    restrict_to(x, c);
    mpq_init(value);
    if (lagrangian(x, true, value)) bound(&x->tree[x->at], value);
    mpq_clear(value);
    x->tree[x->at].item[c].closed = true;
}

static void read_empty(check_proof *x)
{
    int c = open_case(x);
    mpq_t value;
    line_numbers(&x->lines, x->m->K, x->mu);
    line_end(&x->lines);
    restrict_to(x, c);
    mpq_init(value);
    if (lagrangian(x, false, value) && mpq_sgn(value) <= 0) refuted("the multipliers do not show that the promise cannot be kept");
    mpq_clear(value);
    x->tree[x->at].item[c].closed = true;
}

/* pairs CASE k MOST: U*_c(k) less what deterministic policies earn in k alone; of the total regret the sum over all k (*). */
static void read_pairs(check_proof *x)
{
    check_tree *tree = &x->tree[x->at];
    int c = open_case(x), K = x->m->K;
    const char *word = line_word(&x->lines);
    bool all = strcmp(word, "*") == 0, some = true;
    int k = all ? 0 : line_int(word, 0, K - 1), most = line_next_int(&x->lines, 0, INT_MAX);
    line_end(&x->lines);
    if (!x->deterministic) refuted("pairs bound deterministic policies only");
    restrict_to(x, c);
    mpq_t sum, part, worst;
    mpq_inits(sum, part, worst, NULL);
    for (int i = all ? 0 : k; i < (all ? K : k + 1) && some; i++) {
        double u = check_bound_pairs(&tree->bound, i, most, mpq_get_d(x->enough) - ldexp(1, -52));
        some = u > -INFINITY;
        if (!some) break;
        mpq_set_d(part, u);
        mpq_sub(part, x->optimum[i].low, part);
        mpq_add(sum, sum, part);
        if (i == (all ? 0 : k) || mpq_cmp(part, worst) > 0) mpq_set(worst, part);
    }
    if (some && !(tree->total && mpq_cmp(worst, tree->cap) > 0)) bound(tree, tree->total ? sum : worst);
    if (tree->total && !all && some) refuted("of the total regret all environments are needed");
    mpq_clears(sum, part, worst, NULL);
    tree->item[c].closed = true;
}

/* The rest of a `give` line: node=action .. , appended to the list of options given up. */
static void read_options(check_proof *x, check_tree *tree)
{
    for (char *word = line_more(&x->lines); word; word = line_more(&x->lines)) {
        char *of = strchr(word, '=');
        if (!of) refuted("\"%.40s\" is no option", word);
        *of++ = '\0';
        tree->given[0] = grown(tree->given[0], &tree->given_room[0], tree->givens, sizeof **tree->given);
        tree->given[1] = grown(tree->given[1], &tree->given_room[1], tree->givens, sizeof **tree->given);
        tree->given[0][tree->givens] = check_named_node(x, word);
        tree->given[1][tree->givens] = check_named_action(x, tree->given[0][tree->givens], of);
        if (++tree->givens >= INT_MAX) refuted("too many options are given up");
    }
}

/* give CASE BOUND lambda ; mu ; node=action .. */
static void read_give(check_proof *x)
{
    check_tree *tree = &x->tree[x->at];
    int c = open_case(x), first = (int)tree->givens;
    mpq_t target, value;
    mpq_inits(target, value, NULL);
    if (!x->deterministic) refuted("options are given up for deterministic policies only");
    if (tree->item[c].givens) refuted("options of this case are given up already");
    line_number(line_word(&x->lines), target);
    read_multipliers(x);
    read_options(x, tree);
    restrict_to(x, c);
    if (lagrangian(x, true, value)) {
        mpq_sub(value, target, value);
        int kept = mpq_sgn(value) > 0 ? check_bound_short(&tree->bound, x->weight, above(value), (int)tree->givens - first,
                                                          tree->given[0] + first, tree->given[1] + first)
                                      : -1;
        if (kept >= 0) refuted("a policy below the bound may use option %d of the line", kept + 1);
        bound(tree, target);
    }
    tree->item[c].given = first;
    tree->item[c].givens = (int)tree->givens - first;
    mpq_clears(target, value, NULL);
}

static void read_branch(check_proof *x)
{
    check_tree *tree = &x->tree[x->at];
    int c = open_case(x), n = check_named_node(x, line_word(&x->lines));
    line_end(&x->lines);
    if (!x->deterministic) refuted("cases are parted for deterministic policies only");
    restrict_to(x, c);
    tree->item[c].on = n;
    tree->item[c].uncovered = tree->bound.allowed[n];
}

/* child CASE parent action */
static void read_child(check_proof *x)
{
    check_tree *tree = &x->tree[x->at];
    int number = line_next_int(&x->lines, 1, INT_MAX), parent = line_next_int(&x->lines, 1, INT_MAX) - 1;
    if ((size_t)number != tree->cases + 1) refuted("case %d; expected %zu", number, tree->cases + 1);
    if ((size_t)parent >= tree->cases || tree->item[parent].on < 0) refuted("case %d is not parted", parent + 1);
    int n = tree->item[parent].on, a = check_named_action(x, n, line_word(&x->lines));
    line_end(&x->lines);
    tree->item[parent].uncovered &= ~(UINT64_C(1) << a);
    (void)add_case(tree, parent, n, a);
}

/* tree regret REVEAL   or   tree total REVEAL CAP */
void check_tree_start(check_proof *x)
{
    const char *word = line_word(&x->lines);
    bool total = strcmp(word, "total") == 0;
    if (!total && strcmp(word, "regret") != 0) refuted("a tree of %s", word);
    if (x->at >= 0) check_tree_end(&x->tree[x->at]);
    x->at = total;
    check_tree *tree = &x->tree[total];
    if (x->grown[total]) refuted("a second tree of %s", word);
    x->grown[total] = true;
    int reveal = line_next_int(&x->lines, 1, x->m->T + 1);
    mpq_inits(tree->cap, tree->least, NULL);
    if (total) line_number(line_word(&x->lines), tree->cap);
    line_end(&x->lines);
    tree->total = total;
    check_bound_make(&tree->bound, &x->g, reveal);
    (void)add_case(tree, -1, -1, -1);
}

void check_tree_end(const check_tree *tree)
{
    for (size_t c = 0; c < tree->cases; c++) {
        if (tree->item[c].on >= 0 ? tree->item[c].uncovered != 0 : !tree->item[c].closed)
            refuted(tree->item[c].on >= 0 ? "case %zu has an option without a child" : "case %zu is not bounded", c + 1);
    }
}

bool check_tree_line(check_proof *x, const char *word)
{
    static const struct {
        const char *word;
        void (*read)(check_proof *x);
    } lines[] = {{"leaf", read_leaf}, {"pairs", read_pairs},   {"empty", read_empty},
                 {"give", read_give}, {"branch", read_branch}, {"child", read_child}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (strcmp(lines[i].word, word) != 0) continue;
        if (x->at < 0) refuted("there is no tree yet");
        lines[i].read(x);
        return true;
    }
    return false;
}
