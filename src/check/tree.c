/* check/tree.c - a proof's tree: a distinction of cases, each bounded by itself. A policy that never comes to the node at which a
 * case is parted belongs to every child, which does no harm. What is proved is the least bound of all.
 */
#include "check/check.h"

/* By how much promises are lowered where options are dropped: by the least of these that is no less than what may be lost of them.
 */
static const double SLACK[SLACKS] = {0, 0x1p-50, 0x1p-46, 0x1p-44, MOST_LOWERED};

static void add_case(tree *t, int parent, size_t option, double low, double high)
{
    if (t->cases == INT_MAX) refuted("too many cases");
    t->item = grown(t->item, (size_t)t->cases, sizeof *t->item);
    tree_case *c = &t->item[t->cases++];
    *c = (tree_case){.parent = parent, .option = option, .low = low, .high = high, .on = -1};
    for (int i = 0; i < 2 && parent >= 0; i++) c->loss[i] = t->item[parent].loss[i];
}

/* Which options the policies of case c may use, and with which probabilities. */
static void restrict_to(proof *x, int c)
{
    tree *t = x->at;
    bound *b = &t->bound;
    double *loss = t->item[c].loss;
    if (b->low) boxes_open(b);
    spend(x->g.options);
    memcpy(b->allowed, x->at->told, x->g.options * sizeof *b->allowed);
    for (; c >= 0; c = x->at->item[c].parent) {
        const tree_case *i = &x->at->item[c];
        for (int o = i->given; o < i->given + i->givens; o++) b->allowed[x->at->given[o]] = false;
        if (i->parent < 0) continue;
        const node *n = &x->g.node[x->at->item[i->parent].on];
        for (size_t o = n->option; o < n->option + (size_t)n->options && !b->low; o++) b->allowed[o] &= o == i->option;
        if (i->pinned)
            boxes_pin(b, n, t->point + i->point);
        else if (b->low)
            boxes_cut(b, i->option, i->low, i->high);
    }
    if (t->drops) bound_drop(b, t->of, x->counts, loss);
    t->lost = fmax(t->lost, loss[0]);
    int level = 0;
    while (level < SLACKS - 1 && !(loss[1] <= SLACK[level])) level++;
    if (!(loss[1] <= SLACK[level]) || !isfinite(t->lost)) refuted("rounding loses too much");
    t->slack = SLACK[level];
    t->enough = t->lowered[level];
}

/* A bound of the case at hand. */
static void take(tree *t, const mpq_t value)
{
    if (!t->finite || mpq_cmp(value, t->least) < 0) mpq_set(t->least, value);
    t->finite = true;
}

/* [lambda of the regrets ;] mu of the promises: constant - most, where `most` is what bound_most makes of them, to x->value. lambda
 * is a mean over environments; of a sum, what is above the cap. false: no policy is left at all. */
static bool lagrangian(proof *x, bool regrets, int what)
{
    tree *t = x->at;
    mpq_t sum, off;
    mpq_inits(sum, off, NULL);
    mpq_set_ui(x->value, 0, 1);
    mpq_neg(off, t->cap);
    for (int k = 0; k < x->m.K; k++) mpq_set_ui(x->weight.q[k], 0, 1);
    if (regrets) rationals(x->m.K, x->weight.q, false);
    rationals(x->m.P, x->price.q, false);
    for (int k = 0; k < x->m.K; k++) {
        mpq_ptr l = x->weight.q[k];
        bool used = mpq_sgn(l) != 0;
        for (int r = k * x->m.J; r < (k + 1) * x->m.J; r++) used |= mpq_sgn(x->price.q[r]) != 0;
        if (used && !in(t->of, k)) refuted("the tree is not about environment %d", k);
        mpq_add(sum, sum, l);
        if (regrets && t->sum) { /* what is above the cap may be added */
            plus(x->value, l, off);
            mpq_add(l, l, x->worth[k]);
        }
        plus(x->value, l, x->optimum[DOWN][k]);
        put(x->weight, (size_t)k, l);
    }
    if (regrets && !t->sum && mpq_cmp_ui(sum, 1, 1) != 0) refuted("the multipliers of the regrets do not sum to 1");
    if (t->sum && !t->capped && mpq_sgn(sum) != 0) refuted("multipliers of regrets that have no cap");
    for (int r = 0; r < x->m.P; r++) {
        plus(x->value, x->price.q[r], x->enough[r]);
        mpq_set_d(x->of_point, -t->slack);
        plus(x->value, x->price.q[r], x->of_point);
        put(x->price, (size_t)r, x->price.q[r]);
    }
    averages_show(x, x->value);
    /* of stochastic policies: node action k=x .. ; node action k=x .. */
    for (char *at = t->bound.low ? word_or_none() : NULL; at; at = word_or_none()) {
        size_t option = named_option(x, named_node(x, at), word());
        rationals(x->m.K, x->of_option, true);
        boxes_price(&t->bound, option, x->of_option);
    }
    bool some = bound_most(&t->bound, t->bound.boxed ? 0 : what, x->weight, x->price, sum);
    if (some) mpq_sub(x->value, x->value, sum);
    mpq_clears(sum, off, NULL);
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
    if (fixed && word_or_none()) refuted("the multipliers of this case are fixed");
    if (fixed) words_again(fixed);
    if (lagrangian(x, true, BOUNDS)) take(x->at, x->value);
}

/* walk CASE AHEAD: a leaf whose histories are bounded together where they meet. */
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
    if (lagrangian(x, false, BOUNDS) && mpq_sgn(x->value) <= 0)
        refuted("the multipliers do not show that the promise cannot be kept");
}

/* Do the probabilities Pr [P] of a point reach all means, lowered as promises are? */
static bool means_left(const proof *x, const double Pr[])
{
    mpq_t slack, *most = rationals_new(x->m.P);
    mpq_init(slack);
    mpq_set_d(slack, x->at->slack);
    for (int r = 0; r < x->m.P; r++) mpq_set_d(most[r], Pr[r]);
    bool left = averages_missed(x, most, slack, NULL) < 0;
    rationals_free(most, x->m.P);
    mpq_clear(slack);
    return left;
}

/* The least regret of the points of a promise and its environment, or (row < 0) of all: the largest of one, or the sum. false: no
 * policy is left. */
static bool least_of_points(proof *x, int row, int most, bool sum, mpq_t least)
{
    tree *t = x->at;
    const double *at;
    int first = row < 0 ? 0 : row, rows = row < 0 ? x->m.P : 1, env = first / x->m.J, envs = row < 0 ? x->m.K : 1;
    bool any = false;
    for (size_t count = bound_points(&t->bound, row, most, t->enough, &at); count > 0; count--, at += rows + envs) {
        bool left = true;
        mpq_set_ui(x->here, 0, 1);
        for (int k = 0; k < envs; k++) {
            if (!isfinite(at[k])) refuted("numbers too large");
            mpq_set_d(x->of_point, at[k]);
            mpq_sub(x->of_point, x->optimum[DOWN][env + k], x->of_point);
            if (k == 0 || mpq_cmp(x->of_point, x->part) > 0) mpq_set(x->part, x->of_point);
            plus(x->here, x->of_point, x->worth[env + k]);
        }
        for (int r = 0; r < rows; r++) left = left && at[envs + r] >= t->enough[first + r];
        if (row < 0) left = left && means_left(x, at + envs);
        if (!left || (t->capped && mpq_cmp(x->part, t->cap) > 0)) continue;
        if (!any || mpq_cmp(sum ? x->here : x->part, least) < 0) mpq_set(least, sum ? x->here : x->part);
        any = true;
    }
    return any;
}

/* The least regret of deterministic policies of the case by sets of at most `most` pairs, one promise after the other: of an
 * environment that of the promise that shows most, and of several environments the sum. false: no policy is left. */
static bool least_of_pairs(proof *x, int first, int last, int most, mpq_t least)
{
    tree *t = x->at;
    int J = x->m.J;
    bool some = true;
    mpq_t of_k, of_row;
    mpq_inits(of_k, of_row, NULL);
    mpq_set_ui(least, 0, 1);
    for (int r = first; r <= last && some; r++) {
        some = least_of_points(x, r, most, false, of_row);
        if (r == first || r % J == 0 || mpq_cmp(of_row, of_k) > 0) mpq_set(of_k, of_row);
        if (r == last || (r + 1) % J == 0) plus(least, of_k, t->sum ? x->worth[r / J] : x->m.one.q[0]);
    }
    mpq_clears(of_k, of_row, NULL);
    return some;
}

/* pairs CASE r MOST [BOUND]: what deterministic policies earn in k alone that keep promise r of it; of a sum over all k (*), of the
 * promise that shows most. Sets grow until they show BOUND or (-) that no policy is left. */
static void read_pairs(proof *x, tree_case *c)
{
    tree *t = x->at;
    const char *which = word();
    bool all = strcmp(which, "*") == 0;
    int first = all ? 0 : integer(which, 0, x->m.P - 1), last = all ? x->m.P - 1 : first, most = integer(word(), 2, MOST_PAIRS);
    const char *said = word_or_none();
    bool nothing = said && strcmp(said, "-") == 0, some = true;
    int finest = said ? FINEST_PAIRS : most;
    mpq_t sought;
    (void)c;
    mpq_init(sought);
    if (said && !nothing) rational(said, sought);
    for (int r = first; r <= last; r++)
        if (!in(t->of, r / x->m.J)) refuted("the tree is not about environment %d", r / x->m.J);
    if (t->sum != all) refuted("of a sum all environments are needed, of a maximum one");
    for (bool enough = false; some && !enough && most <= finest; most *= 2) {
        some = least_of_pairs(x, first, last, most, x->value);
        enough = !nothing && mpq_cmp(x->value, sought) >= 0;
    }
    mpq_clear(sought);
    if (some) take(t, x->value); /* else nothing is left in the case */
}

/* vectors CASE: the least regret of the points that policies of the case attain in all environments. */
static void read_vectors(proof *x, tree_case *c)
{
    (void)c;
    if (x->at->of != x->g.node->set) refuted("vectors are of all environments");
    if (least_of_points(x, -1, 0, x->at->sum, x->value)) take(x->at, x->value);
}

/* give CASE BOUND lambda ; mu ; node=action .. */
static void read_give(proof *x, tree_case *c)
{
    tree *t = x->at;
    if (c->givens) refuted("options of this case are given up already");
    rational(word(), x->here);
    bool some = lagrangian(x, true, 0);
    c->given = t->givens;
    for (char *at = word_or_none(); at; at = word_or_none(), c->givens++) {
        char *of = strchr(at, '=');
        if (!of) refuted("\"%.40s\" is no option", at);
        *of++ = '\0';
        t->given = grown(t->given, (size_t)t->givens, sizeof *t->given);
        t->given[t->givens] = named_option(x, named_node(x, at), of);
        t->bound.givable[t->given[t->givens]] = true;
        if (++t->givens == INT_MAX) refuted("too many options are given up");
    }
    mpq_sub(x->value, x->here, x->value);
    if (some && mpq_sgn(x->value) > 0 && !bound_short(&t->bound, outward(x->value, UP)))
        refuted("a policy below the bound may use an option of the line");
    if (some) take(t, x->here);
    for (int i = c->given; i < t->givens; i++) t->bound.givable[t->given[i]] = false;
}

static void read_branch(proof *x, tree_case *c)
{
    c->on = named_node(x, word());
    const node *n = &x->g.node[c->on];
    for (int i = 0; i < n->options; i++) c->uncovered |= (uint64_t)x->at->bound.allowed[n->option + (size_t)i] << i;
    if (!c->uncovered) refuted("no option is left there, and policies that do not come there would belong to no child");
}

/* Its two cases have the next numbers. */
static void read_part(proof *x, tree_case *c)
{
    tree *t = x->at;
    int n = c->on = named_node(x, word()), parent = (int)(c - t->item);
    size_t option = named_option(x, n, word());
    rational(word(), x->here);
    add_case(t, parent, option, 0, outward(x->here, UP));
    add_case(t, parent, option, outward(x->here, DOWN), 1);
}

/* weigh CASE lambda ; mu ; prices: from here on the case is bounded by these multipliers. */
static void read_weigh(proof *x, tree_case *c)
{
    (void)x;
    c->weighed = words_left();
}

/* corners CASE NODE option=x .. ; option=x .. : with fixed multipliers the bound is linear in the policy at one node, so that it is
 * least at a corner of the box there. The cases of the corners have the next numbers. */
static void read_corners(proof *x, tree_case *c)
{
    tree *t = x->at;
    int at = named_node(x, word()), parent = (int)(c - t->item);
    const node *n = &x->g.node[at];
    size_t first = t->points, count = 0, width = (size_t)n->options;
    if (!weighed(t, c)) refuted("no weigh line fixes the multipliers of this case, so its corners prove nothing");
    c->on = at;
    for (char *next = word_or_none(); next; next = word_or_none()) {
        for (size_t i = 0; i < width; i++) {
            t->point = grown(t->point, t->points, sizeof *t->point);
            t->point[t->points++] = 0;
        }
        for (; next && strcmp(next, ";") != 0; next = word_or_none()) {
            char *of = strchr(next, '=');
            if (!of) refuted("\"%.40s\" is no probability", next);
            *of++ = '\0';
            rational(of, x->here);
            if (mpq_sgn(x->here) < 0 || mpq_cmp_ui(x->here, 2, 1) > 0) refuted("\"%.40s\" is no probability", of);
            t->point[first + count * width + (named_option(x, at, next) - n->option)] = mpq_get_d(x->here);
        }
        count++;
    }
    if (!boxes_cornered(&t->bound, n, t->point + first, count)) refuted("a corner of the box is left out");
    for (size_t i = 0; i < count; i++) {
        add_case(t, parent, n->option, 0, 1);
        t->item[t->cases - 1].pinned = true;
        t->item[t->cases - 1].point = first + i * width;
    }
}

/* child CASE parent action */
static void read_child(proof *x)
{
    tree *t = x->at;
    int number = integer(word(), 1, INT_MAX), parent = integer(word(), 1, INT_MAX) - 1;
    if (number != t->cases + 1) refuted("case %d; expected %d", number, t->cases + 1);
    if (parent >= t->cases || t->item[parent].on < 0) refuted("case %d is not parted", parent + 1);
    size_t option = named_option(x, t->item[parent].on, word());
    t->item[parent].uncovered &= ~(UINT64_C(1) << (option - x->g.node[t->item[parent].on].option));
    add_case(t, parent, option, 1, 1);
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
    free(both);
}

/* tree regret REVEAL [ENVIRONMENTS [drop]], tree value REVEAL [ENVIRONMENTS [drop]]   or   tree total REVEAL CAP */
static void read_tree(proof *x)
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
    char *few = t->sum ? NULL : word_or_none(), *drop = few ? word_or_none() : NULL;
    bool some = few && strcmp(few, "*") != 0;
    if (few && ((x->g.L > 0 && some) || x->class != DETERMINISTIC))
        refuted("a tree of few environments is one of milp-ccl and L = 0");
    if (drop && strcmp(drop, "drop") != 0) refuted("expected \"drop\"");
    t->drops = drop != NULL;
    t->of = some ? environments(x, few) : x->g.node->set;
    for (int i = 0; i < SLACKS; i++) {
        t->lowered[i] = zeroed((size_t)x->m.P, sizeof **t->lowered);
        for (int r = 0; r < x->m.P; r++)
            t->lowered[i][r] = i ? nextafter(x->most_enough[r] - SLACK[i], -INFINITY) : x->most_enough[r];
    }
    tell_apart(&x->g, t);
    rung_make(mixed, &x->g, t->of, reveal);
    bound_over(&t->bound, &x->g, mixed);
    if (x->class == STOCHASTIC) boxes_open(&t->bound);
    add_case(t, -1, 0, 0, 1);
}

void tree_end(tree *t)
{
    mpq_t lost;
    mpq_init(lost);
    mpq_set_d(lost, t->lost);
    mpq_sub(t->least, t->least, lost);
    mpq_clear(lost);
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
        int classes; /* of policies that it is about */
        bool closes;
    } kinds[] = {{"leaf", read_leaf, D | S | H, true},
                 {"empty", read_empty, D | S | H, true},
                 {"pairs", read_pairs, D, true},
                 {"vectors", read_vectors, D, true},
                 {"give", read_give, D, false},
                 {"branch", read_branch, D, false},
                 {"child", NULL, D, false},
                 {"part", read_part, S, false},
                 {"walk", read_walk, S, true},
                 {"weigh", read_weigh, S, false},
                 {"corners", read_corners, S, false}};
    size_t i = 0, count = sizeof kinds / sizeof *kinds;
    if (strcmp(first, "tree") == 0) return read_tree(x), true;
    while (i < count && strcmp(first, kinds[i].word) != 0) i++;
    if (i == count) return false;
    if (!x->at) refuted("there is no tree yet");
    if (!(kinds[i].classes >> x->class & 1)) refuted("%s lines prove nothing of the policies that are spoken of", first);
    if (!kinds[i].read) return read_child(x), true;
    int c = integer(word(), 1, INT_MAX) - 1;
    if (c >= x->at->cases) refuted("there is no case %d", c + 1);
    if (x->at->item[c].closed || x->at->item[c].on >= 0) refuted("case %d is closed or parted", c + 1);
    bool any = kinds[i].read != read_leaf && kinds[i].read != read_walk && kinds[i].read != read_corners;
    if (any && weighed(x->at, &x->at->item[c])) refuted("%s lines say nothing where multipliers are fixed", first);
    restrict_to(x, c);
    kinds[i].read(x, &x->at->item[c]);
    x->at->item[c].closed = kinds[i].closes;
    return true;
}
