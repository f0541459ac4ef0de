/* check/tree.c - a proof's tree: a distinction of cases, each with a bound of its own; the least of all is the tree's. */
#include "check/check.h"

/* Promises are lowered by the least of these that is no less than the loss by dropped options. */
static const double SLACK[SLACKS] = {0, 0x1p-50, 0x1p-46, 0x1p-44, MOST_LOWERED};

static void add_case(proof *x, int parent, size_t option, double low, double high)
{
    tree *t = x->at;
    if (t->cases == INT_MAX) refuted(x->ctx, "too many cases");
    t->item = grown(x->ctx, t->item, (size_t)t->cases, sizeof *t->item);
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
    spend(x->ctx, x->g.options);
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
    if (!(loss[1] <= SLACK[level]) || !isfinite(t->lost)) refuted(x->ctx, "rounding loses too much");
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
    judge *ctx = x->ctx;
    mpq_ptr sum = temp(ctx), off = temp(ctx), best = temp(ctx);
    mpq_neg(off, t->cap);
    for (int k = 0; k < x->m.K; k++) mpq_set_ui(x->weight.q[k], 0, 1);
    if (regrets) multipliers(ctx, x->m.K, x->weight.q, false);
    multipliers(ctx, x->m.P, x->price.q, false);
    for (int k = 0; k < x->m.K; k++) {
        mpq_ptr l = x->weight.q[k];
        bool used = mpq_sgn(l) != 0;
        for (int r = k * x->m.J; r < (k + 1) * x->m.J; r++) used |= mpq_sgn(x->price.q[r]) != 0;
        if (used && !in(t->of, k)) refuted(ctx, "the tree is not about environment %d", k);
        mpq_add(sum, sum, l);
        if (regrets && t->sum) {
            plus(ctx, value, l, off);
            mpq_add(l, l, x->worth[k]);
        }
        mpq_add(best, x->optimum[DOWN][k], x->m.apart); /* as bounds count rewards */
        plus(ctx, value, l, best);
        put(x->weight, (size_t)k, l);
    }
    if (regrets && !t->sum && mpq_cmp_ui(sum, 1, 1) != 0) refuted(ctx, "the multipliers of the regrets do not sum to 1");
    if (t->sum && !t->capped && mpq_sgn(sum) != 0) refuted(ctx, "multipliers of regrets that have no cap");
    mpq_set_d(off, -t->slack);
    for (int r = 0; r < x->m.P; r++) {
        plus(ctx, value, x->price.q[r], x->enough[r]);
        plus(ctx, value, x->price.q[r], off);
        put(x->price, (size_t)r, x->price.q[r]);
    }
    averages_show(x, value);
}

/* The bound of the multipliers and (of stochastic policies) prices of a line, to value: constant - V. false: no policy is left. */
static bool lagrangian(proof *x, bool regrets, int what, mpq_ptr value)
{
    tree *t = x->at;
    mpq_ptr most = temp(x->ctx);
    mpq_set_ui(value, 0, 1);
    read_multipliers(x, regrets, value);
    for (char *at = t->bound.low ? word_or_none(x->ctx) : NULL; at; at = word_or_none(x->ctx)) { /* node action k=x .. ; */
        size_t option = named_option(x, named_node(x, at), word(x->ctx));
        multipliers(x->ctx, x->m.K, x->of_option, true);
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
    mpq_ptr value = temp(x->ctx);
    if (fixed && word_or_none(x->ctx)) refuted(x->ctx, "the multipliers of this case are fixed");
    char *rest = x->ctx->rest, *copy = fixed ? strcpy(zeroed(x->ctx, strlen(fixed) + 1, 1), fixed) : NULL;
    if (fixed) x->ctx->rest = copy;
    if (lagrangian(x, true, BOUNDS, value)) bounded(x->at, value);
    line_end(x->ctx);
    if (fixed) x->ctx->rest = rest;
    drop(x->ctx, copy);
}

static void read_walk(proof *x, tree_case *c)
{
    enum { MOST_AHEAD = 2000 }; /* each step is a call deeper */
    bound *b = &x->at->bound;
    b->ahead = integer(x->ctx, word(x->ctx), 0, MOST_AHEAD);
    b->boxed = b->forgets = true;
    read_leaf(x, c);
    b->forgets = false;
}

static void read_empty(proof *x, tree_case *c)
{
    (void)c;
    mpq_ptr value = temp(x->ctx);
    if (lagrangian(x, false, BOUNDS, value) && mpq_sgn(value) <= 0)
        refuted(x->ctx, "the multipliers do not show that the promise cannot be kept");
}

/* Do the probabilities Pr [P] of a point reach all means, lowered as promises are? */
static bool means_left(const proof *x, const double Pr[])
{
    mpq_ptr slack = temp(x->ctx);
    mpq_t *most = rationals_new(x->ctx, (size_t)x->m.P);
    mpq_set_d(slack, x->at->slack);
    for (int r = 0; r < x->m.P; r++) mpq_set_d(most[r], Pr[r]);
    bool left = averages_missed(x, most, slack, NULL) < 0;
    drop(x->ctx, most);
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
    mpq_ptr loss = temp(x->ctx), best = temp(x->ctx), largest = temp(x->ctx), total = temp(x->ctx), value = sum ? total : largest;
    size_t count = bound_points(&t->bound, row, most, t->enough, &at), temps = x->ctx->temps;
    for (; count > 0; count--, at += rows + envs, x->ctx->temps = temps) {
        bool left = true;
        mpq_set_ui(total, 0, 1);
        for (int k = 0; k < envs; k++) {
            from_double(x->ctx, loss, at[k]);
            mpq_add(best, x->optimum[DOWN][env + k], x->m.apart);
            mpq_sub(loss, best, loss);
            if (k == 0 || mpq_cmp(loss, largest) > 0) mpq_set(largest, loss);
            plus(x->ctx, total, loss, x->worth[env + k]);
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
    mpq_ptr of_k = temp(x->ctx), of_row = temp(x->ctx);
    mpq_set_ui(least, 0, 1);
    for (int r = first; r <= last && some; r++) {
        some = least_of_points(x, r, most, false, of_row);
        if (r == first || r % J == 0 || mpq_cmp(of_row, of_k) > 0) mpq_set(of_k, of_row);
        if (r == last || (r + 1) % J == 0) plus(x->ctx, least, of_k, t->sum ? x->worth[r / J] : x->m.one.q[0]);
    }
    return some;
}

/* Sets grow until they show the bound of the line or (-) that no policy is left. */
static void read_pairs(proof *x, tree_case *c)
{
    judge *ctx = x->ctx;
    tree *t = x->at;
    const char *which = word(ctx);
    bool all = strcmp(which, "*") == 0;
    int first = all ? 0 : integer(ctx, which, 0, x->m.P - 1), last = all ? x->m.P - 1 : first;
    int most = integer(ctx, word(ctx), 2, MOST_PAIRS);
    const char *text = word_or_none(ctx);
    bool nothing = text && strcmp(text, "-") == 0, some = true;
    int finest = text ? FINEST_PAIRS : most;
    mpq_ptr sought = temp(ctx), value = temp(ctx);
    (void)c;
    if (text && !nothing) rational(ctx, text, sought);
    for (int r = first; r <= last; r++)
        if (!in(t->of, r / x->m.J)) refuted(ctx, "the tree is not about environment %d", r / x->m.J);
    if (t->sum != all) refuted(ctx, "of a sum all environments are needed, of a maximum one");
    for (bool enough = false; some && !enough && most <= finest; most *= 2) {
        some = least_of_pairs(x, first, last, most, value);
        enough = !nothing && mpq_cmp(value, sought) >= 0;
    }
    if (some) bounded(t, value);
}

static void read_vectors(proof *x, tree_case *c)
{
    (void)c;
    mpq_ptr value = temp(x->ctx);
    if (x->at->of != x->g.node->set) refuted(x->ctx, "vectors are of all environments");
    if (least_of_points(x, -1, 0, x->at->sum, value)) bounded(x->at, value);
}

static void read_give(proof *x, tree_case *c)
{
    judge *ctx = x->ctx;
    tree *t = x->at;
    mpq_ptr of_line = temp(ctx), value = temp(ctx);
    if (c->givens) refuted(ctx, "options of this case are given up already");
    rational(ctx, word(ctx), of_line);
    bool some = lagrangian(x, true, 0, value);
    c->given = t->givens;
    for (char *at = word_or_none(ctx); at; at = word_or_none(ctx), c->givens++) {
        char *action = parted(ctx, at, "option");
        t->given = grown(ctx, t->given, (size_t)t->givens, sizeof *t->given);
        t->given[t->givens] = named_option(x, named_node(x, at), action);
        t->bound.givable[t->given[t->givens]] = true;
        if (++t->givens == INT_MAX) refuted(ctx, "too many options are given up");
    }
    mpq_sub(value, of_line, value);
    if (some && mpq_sgn(value) > 0 && !bound_short(&t->bound, outward(ctx, value, UP)))
        refuted(ctx, "a policy below the bound may use an option of the line");
    if (some) bounded(t, of_line);
    for (int i = c->given; i < t->givens; i++) t->bound.givable[t->given[i]] = false;
}

static void read_branch(proof *x, tree_case *c)
{
    c->on = named_node(x, word(x->ctx));
    const node *n = &x->g.node[c->on];
    for (int i = 0; i < n->options; i++) c->uncovered |= (uint64_t)x->at->bound.allowed[n->option + (size_t)i] << i;
    if (!c->uncovered) refuted(x->ctx, "no option is left there, and policies that do not come there would belong to no child");
}

static void read_part(proof *x, tree_case *c)
{
    int n = c->on = named_node(x, word(x->ctx)), parent = (int)(c - x->at->item);
    size_t option = named_option(x, n, word(x->ctx));
    mpq_ptr at = temp(x->ctx);
    rational(x->ctx, word(x->ctx), at);
    add_case(x, parent, option, 0, outward(x->ctx, at, UP));
    add_case(x, parent, option, outward(x->ctx, at, DOWN), 1);
}

static void read_weigh(proof *x, tree_case *c)
{
    c->weighed = x->ctx->rest;
    x->ctx->rest += strlen(x->ctx->rest);
}

/* With fixed multipliers the bound is linear in the policy at one node, so that it is least at a corner of the box there. */
static void read_corners(proof *x, tree_case *c)
{
    judge *ctx = x->ctx;
    tree *t = x->at;
    int at = named_node(x, word(ctx)), parent = (int)(c - t->item);
    const node *n = &x->g.node[at];
    size_t first = t->points, count = 0, width = (size_t)n->options;
    mpq_ptr chance = temp(ctx);
    if (!weighed(t, c)) refuted(ctx, "no weigh line fixes the multipliers of this case, so its corners prove nothing");
    c->on = at;
    for (char *next = word_or_none(ctx); next; next = word_or_none(ctx), count++) {
        for (size_t i = 0; i < width; i++) {
            t->point = grown(ctx, t->point, t->points, sizeof *t->point);
            t->point[t->points++] = 0;
        }
        for (; next && strcmp(next, ";") != 0; next = word_or_none(ctx)) {
            char *of = parted(ctx, next, "probability");
            rational(ctx, of, chance);
            if (mpq_sgn(chance) < 0 || mpq_cmp_ui(chance, 2, 1) > 0) refuted(ctx, "\"%.40s\" is no probability", of);
            t->point[first + count * width + (named_option(x, at, next) - n->option)] = mpq_get_d(chance);
        }
    }
    if (!boxes_cornered(&t->bound, n, t->point + first, count)) refuted(ctx, "a corner of the box is left out");
    for (size_t i = 0; i < count; i++) {
        add_case(x, parent, n->option, 0, 1);
        t->item[t->cases - 1].point = (ptrdiff_t)(first + i * width);
    }
}

static void read_child(proof *x)
{
    judge *ctx = x->ctx;
    tree *t = x->at;
    int number = integer(ctx, word(ctx), 1, INT_MAX), parent = integer(ctx, word(ctx), 1, INT_MAX) - 1;
    if (number != t->cases + 1) refuted(ctx, "case %d; expected %d", number, t->cases + 1);
    if (parent >= t->cases || t->item[parent].on < 0) refuted(ctx, "case %d is not parted", parent + 1);
    size_t option = named_option(x, t->item[parent].on, word(ctx));
    t->item[parent].uncovered &= ~(UINT64_C(1) << (option - x->g.node[t->item[parent].on].option));
    add_case(x, parent, option, 1, 1);
}

/* Options that do the same in all environments of the tree are one there, the first of them. */
static void tell_apart(const node_graph *g, tree *t)
{
    uint64_t *both = zeroed(g->ctx, g->words, sizeof *both);
    t->told = zeroed(g->ctx, g->options, sizeof *t->told);
    for (node n, *at = g->node; at < g->node + g->nodes; at++) {
        n = *at;
        n.set = both;
        for (size_t w = 0; w < g->words; w++) both[w] = at->set[w] & t->of[w];
        for (size_t o = n.option; o < n.option + (size_t)n.options; o++) t->told[o] = graph_option(g, &n, g->action[o]) == o;
    }
}

void read_tree(proof *x)
{
    judge *ctx = x->ctx;
    if (x->at) tree_end(ctx, x->at);
    tree *t = x->at = tree_of(x, word(ctx));
    if (t->grown) refuted(ctx, "a second tree of the same");
    int reveal = integer(ctx, word(ctx), 1, x->m.T + 1);
    rung *mixed = zeroed(ctx, 1, sizeof *mixed);
    t->grown = true;
    t->capped = t == &x->tree[1];
    t->sum = t->capped || x->objective == WEIGHTED;
    if (t->capped) rational(ctx, word(ctx), t->cap);
    char *few = t->sum ? NULL : word_or_none(ctx), *last = few ? word_or_none(ctx) : NULL;
    bool some = few && strcmp(few, "*") != 0;
    if (few && ((x->g.L > 0 && some) || x->class != DETERMINISTIC))
        refuted(ctx, "a tree of few environments is one of milp-ccl and L = 0");
    if (last && strcmp(last, "drop") != 0) refuted(ctx, "expected \"drop\"");
    t->drops = last != NULL;
    t->of = some ? environments(ctx, &x->m, few) : x->g.node->set;
    for (int i = 0; i < SLACKS; i++) {
        t->lowered[i] = zeroed(ctx, (size_t)x->m.P, sizeof **t->lowered);
        for (int r = 0; r < x->m.P; r++)
            t->lowered[i][r] = i ? nextafter(x->most_enough[r] - SLACK[i], -INFINITY) : x->most_enough[r];
    }
    tell_apart(&x->g, t);
    rung_make(mixed, &x->g, t->of, reveal);
    bound_over(&t->bound, &x->g, mixed);
    if (x->class == STOCHASTIC) boxes_open(&t->bound);
    add_case(x, -1, 0, 0, 1);
}

void tree_end(judge *ctx, tree *t)
{
    mpq_ptr lost = temp(ctx);
    mpq_set_d(lost, t->lost);
    mpq_sub(t->least, t->least, lost);
    for (int c = 0; c < t->cases; c++) {
        if (t->item[c].on >= 0 && t->item[c].uncovered) refuted(ctx, "case %d has an option without a child", c + 1);
        if (t->item[c].on < 0 && !t->item[c].closed) refuted(ctx, "case %d is not bounded", c + 1);
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
    if (!x->at) refuted(x->ctx, "there is no tree yet");
    if (!(kinds[i].classes >> x->class & 1)) refuted(x->ctx, "%s lines prove nothing of the policies that are spoken of", first);
    if (!kinds[i].read) return read_child(x), true;
    int c = integer(x->ctx, word(x->ctx), 1, INT_MAX) - 1;
    if (c >= x->at->cases) refuted(x->ctx, "there is no case %d", c + 1);
    if (x->at->item[c].closed || x->at->item[c].on >= 0) refuted(x->ctx, "case %d is closed or parted", c + 1);
    if (!kinds[i].fixed && weighed(x->at, &x->at->item[c]))
        refuted(x->ctx, "%s lines prove nothing where multipliers are fixed", first);
    restrict_to(x, c);
    kinds[i].read(x, &x->at->item[c]);
    x->at->item[c].closed = kinds[i].closes;
    return true;
}
