/* check/proof.c - the lines of a proof, each checked against the lines before; its tree of cases, each with a bound of its own;
 * proofs about several policies; the claims, and the verdict; main. */
#include "check/check.h"

#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>

static const double LEAST_KEEP = 9e-13, MOST_KEEP = 1e-9; /* tolerances within which a promise may be kept */
/* Versions of the format: before 2 a line of pairs did not hold the bound that it shows; 3 has lines of reach and of nature. */
enum { OLDEST = 2, NEWEST = 3 };
/* Promises are lowered by the least of these that is no less than the loss by dropped options. */
static const double SLACK[] = {0, 0x1p-50, 0x1p-46, 0x1p-44, MOST_LOWERED};

int named_node(judge *ctx, const proof *x, const char *from)
{
    int n = integer(ctx, from, 0, INT_MAX);
    if (n >= x->own->named) refuted(ctx, "there is no node %d", n);
    return x->unrolled ? x->unrolled[x->own->node[n]] : x->node[n];
}

size_t named_option(judge *ctx, const proof *x, int n, const char *from)
{
    size_t option = graph_option(ctx, &x->g, &x->g.node[n], integer(ctx, from, 0, x->m.A - 1));
    if (option == x->g.options) refuted(ctx, "action %s is not available there", from);
    return option;
}

static uint64_t *environments(judge *ctx, const model *m, char *from)
{
    uint64_t *set_of = zeroed(ctx, ((size_t)m->K + 63) / 64, sizeof *set_of);
    bool all = strcmp(from, "*") == 0;
    if (*from == ',') refuted(ctx, "no environment");
    for (int k = 0; k < m->K && all; k++) include(set_of, k);
    for (char *at = all ? NULL : strtok_r(from, ",", &from); at; at = strtok_r(NULL, ",", &from))
        include(set_of, integer(ctx, at, 0, m->K - 1));
    return set_of;
}

static void read_node(judge *ctx, proof *x)
{
    int number = integer(ctx, word(ctx), 0, INT_MAX), t = integer(ctx, word(ctx), 0, x->m.T - 1),
        s = integer(ctx, word(ctx), 0, x->m.S - 1);
    char *of = word(ctx);
    bool early = t <= x->g.L;
    if (number != x->named) refuted(ctx, "node %d; expected %d", number, x->named);
    if (early != (strcmp(of, "-") == 0)) refuted(ctx, "up to L nodes have environments, after it a boundary");
    uint64_t *set_of = early ? environments(ctx, &x->m, word(ctx)) : NULL;
    int n = graph_place(ctx, &x->g, &(node){.t = t, .s = s, .boundary = early ? -1 : named_node(ctx, x, of), .set = set_of}, false);
    drop(ctx, set_of);
    if (n >= (int)x->g.nodes) refuted(ctx, "no policy reaches this node");
    append(ctx, x->node, x->named, n);
}

static void read_do(judge *ctx, proof *x)
{
    int n = named_node(ctx, x, word(ctx));
    if (x->rule_of[n]) refuted(ctx, "this node has a rule already");
    x->rule_of[n] = read_chances(ctx, x, n);
}

static void read_floor(judge *ctx, proof *x)
{
    mpq_ptr floor = temp(ctx);
    rational(ctx, word(ctx), floor);
    graph_pay(ctx, &x->g, &x->m, floor);
}

static void read_exact(judge *ctx, proof *x)
{
    (void)x;
    ctx->rationals |= ctx->rationals ? BOUNDS : 0; /* not under --interval */
}

void owe(judge *ctx, proof *x)
{
    for (int r = 0; r < x->m.P; r++) {
        if (!x->m.average[r % x->m.J]) mpq_set(x->enough[r], x->m.p[r]); /* a mean promises nothing of an environment alone */
        mpq_sub(x->enough[r], x->enough[r], x->keep);
        x->most_enough[r] = outward(ctx, x->enough[r], DOWN);
    }
}

void owe_means(judge *ctx, proof *x, node_graph *fewest)
{
    const model *m = &x->m;
    averages_owed(ctx, x, fewest);
    for (int r = 0; r < m->P; r++) {
        bool mean = m->average[r % m->J] && mpq_sgn(m->prior[r / m->J]) > 0 && mpq_sgn(x->mean[r % m->J]) > 0;
        x->counts[r] = x->most_enough[r] > 0 || mean;
    }
}

static void read_plan(judge *ctx, proof *x)
{
    static const struct {
        const char *word;
        int class;
    } methods[] = {{"milp-ccl", DETERMINISTIC},
                   {"history", HISTORY},
                   {"exact-ccl", STOCHASTIC},
                   {"greedy", STOCHASTIC},
                   {"mdps-best", STOCHASTIC}};
    const model *m = &x->m;
    size_t i = 0, count = sizeof methods / sizeof *methods;
    mpq_ptr p = temp(ctx);
    x->method = word(ctx);
    while (i < count && strcmp(methods[i].word, x->method) != 0) i++;
    if (i == count) refuted(ctx, "there is no method %.40s", x->method);
    x->class = methods[i].class;
    int L = integer(ctx, word(ctx), 0, m->T);
    if (x->asked_L >= 0 && L != x->asked_L) refuted(ctx, "the proof is about L = %d, not %d", L, x->asked_L);
    if (x->class == HISTORY && L != m->T) refuted(ctx, "of history policies L is the horizon");
    if (integer(ctx, word(ctx), 1, INT_MAX) != m->T) refuted(ctx, "the proof is about another horizon");
    const char *text = word(ctx);
    rational(ctx, text, p);
    if (fabs(mpq_get_d(p) - mpq_get_d(m->p[0])) > 0x1p-52) /* the line holds a double */
        refuted(ctx, "the proof is about another probability than the model's: -p %s", text);
    rational(ctx, word(ctx), x->keep);
    double keep = outward(ctx, x->keep, UP);
    if (keep < LEAST_KEEP || keep > MOST_KEEP) refuted(ctx, "a tolerance that is not 9e-13 to 1e-9");
    owe(ctx, x);
    graph_make(ctx, &x->g, m, L);
    x->rule_of = zeroed(ctx, x->g.nodes, sizeof *x->rule_of);
    node_graph *fewest = L > 0 ? zeroed(ctx, 1, sizeof *fewest) : &x->g; /* nodes of L = 0, enough for an environment alone */
    if (L > 0) graph_make(ctx, fewest, m, 0);
    const char *of = word_or_none(ctx); /* the objective, and the value from which regrets are counted */
    graph_pay(ctx, fewest, &x->m, NULL);
    x->objective = !of ? REGRET : strcmp(of, "max-min") == 0 ? LEAST : WEIGHTED;
    if (x->objective == WEIGHTED && strcmp(of, "weighted") != 0) refuted(ctx, "there is no objective %.40s", of);
    if (x->objective == WEIGHTED) multipliers(ctx, m->K, x->worth, false);
    for (int k = 0; k < m->K; k++) {
        mpq_ptr low = x->optimum[DOWN][k], high = x->optimum[UP][k];
        if (x->objective != WEIGHTED) mpq_set_ui(x->worth[k], 1, 1);
        mpq_set_si(low, -m->T, 1); /* of values 0, as all rewards are counted from the least */
        mpq_mul(low, low, m->least);
        mpq_set(high, low);
        if (x->objective == REGRET) optimum(ctx, fewest, k, x->enough, low, high);
    }
    owe_means(ctx, x, fewest);
    line_end(ctx);
    if (!errs(m)) return;
    line_begins(ctx, "within");
    rational(ctx, word(ctx), p);
    if (fabs(mpq_get_d(p) - mpq_get_d(m->within)) > 0x1p-52)
        refuted(ctx, "the proof is about another error than the model's: --within %.17g", mpq_get_d(p));
    line_end(ctx);
}

static tree *tree_of(judge *ctx, proof *x, const char *of)
{
    bool total = strcmp(of, "total") == 0 && x->objective == REGRET;
    if (!total && strcmp(of, x->objective == REGRET ? "regret" : "value") != 0) refuted(ctx, "\"%.40s\" is not the objective", of);
    return &x->tree[total];
}

static void read_claim(judge *ctx, proof *x)
{
    const char *of = word(ctx);
    if (strcmp(of, "infeasible") == 0) {
        x->infeasible = true;
        return;
    }
    tree *t = tree_of(ctx, x, of);
    if (t->claimed) refuted(ctx, "a second claim of %s", of);
    t->claimed = true;
    rational(ctx, word(ctx), t->value);
    const char *bound_of = x->objective == REGRET ? word(ctx) : word_or_none(ctx);
    t->bounded = bound_of != NULL;
    if (bound_of) rational(ctx, bound_of, t->least_claimed);
    if (x->objective == REGRET) return;
    mpq_neg(t->value, t->value); /* a value is a regret with optimum 0 and the other sign */
    mpq_neg(t->least_claimed, t->least_claimed);
}

/* ---- cases ---- */

static void add_case(judge *ctx, proof *x, int parent, size_t option, double low, double high)
{
    tree *t = x->at;
    if (t->cases == INT_MAX) refuted(ctx, "too many cases");
    tree_case c = {.parent = parent, .option = option, .low = low, .high = high, .on = -1, .point = -1};
    for (int i = 0; i < 2 && parent >= 0; i++) c.loss[i] = t->item[parent].loss[i];
    append(ctx, t->item, t->cases, c);
    x->now = NULL; /* which may have moved */
}

static void restrict_to(judge *ctx, proof *x, int c)
{
    tree *t = x->at;
    bound *b = &t->bound;
    double *loss = t->item[c].loss;
    int level = 0;
    if (b->low) boxes_open(ctx, b);
    spend(ctx, x->g.options);
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
    if (t->drops) bound_drop(ctx, b, t->of, x->counts, loss);
    t->lost = fmax(t->lost, loss[0]);
    while (SLACK[level] < MOST_LOWERED && !(loss[1] <= SLACK[level])) level++;
    if (!(loss[1] <= SLACK[level]) || !isfinite(t->lost)) refuted(ctx, "rounding loses too much");
    b->slack = SLACK[level];
    for (int r = 0; r < x->m.P; r++) b->enough[r] = level ? nextafter(x->most_enough[r] - b->slack, -INFINITY) : x->most_enough[r];
}

void bounded(tree *t, mpq_srcptr value)
{
    if (!t->finite || mpq_cmp(value, t->least) < 0) mpq_set(t->least, value);
    t->finite = true;
}

/* Of a sum lambda comes on top, for the cap. */
void read_multipliers(judge *ctx, proof *x, bool regrets, mpq_ptr value)
{
    tree *t = x->at;
    int J = x->m.J;
    mpq_ptr sum = temp(ctx), off = temp(ctx), best = temp(ctx);
    mpq_set_ui(value, 0, 1);
    mpq_neg(off, t->cap);
    for (int k = 0; k < x->m.K; k++) mpq_set_ui(x->weight.q[k], 0, 1);
    if (regrets) multipliers(ctx, x->m.K, x->weight.q, false);
    multipliers(ctx, x->m.P, x->price.q, false);
    for (int k = 0; k < x->m.K; k++) {
        mpq_ptr l = x->weight.q[k];
        bool used = mpq_sgn(l) != 0;
        for (int r = k * J; r < (k + 1) * J; r++) used |= mpq_sgn(x->price.q[r]) != 0;
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
    mpq_set_d(off, -t->bound.slack);
    for (int r = 0; r < x->m.P; r++) {
        plus(ctx, value, x->price.q[r], x->enough[r]);
        plus(ctx, value, x->price.q[r], off);
        put(x->price, (size_t)r, x->price.q[r]);
    }
    averages_show(ctx, x, value);
}

/* The bound of the multipliers of a line and (of stochastic policies) its prices, to value: constant - V. false: no policy is left.
 */
static bool lagrangian(judge *ctx, proof *x, bool regrets, int what, mpq_ptr value)
{
    tree *t = x->at;
    mpq_ptr most = temp(ctx);
    read_multipliers(ctx, x, regrets, value);
    for (char *at = t->bound.low ? word_or_none(ctx) : NULL; at; at = word_or_none(ctx)) { /* node action k=x .. ; */
        size_t option = named_option(ctx, x, named_node(ctx, x, at), word(ctx));
        multipliers(ctx, x->m.K, x->of_option, true);
        boxes_price(ctx, &t->bound, option, x->of_option);
    }
    bool some = bound_most(ctx, &t->bound, t->bound.boxed ? 0 : what, x->weight, x->price, most);
    if (some) mpq_sub(value, value, most);
    return some;
}

/* The multipliers that are fixed above case c, or there; NULL: none are. */
static const char *weighed(const tree *t, const tree_case *c)
{
    while (!c->weighed && c->parent >= 0) c = &t->item[c->parent];
    return c->weighed;
}

static void read_leaf(judge *ctx, proof *x)
{
    const char *fixed = weighed(x->at, x->now);
    mpq_ptr value = temp(ctx);
    if (fixed && word_or_none(ctx)) refuted(ctx, "the multipliers of this case are fixed");
    char *rest = ctx->rest, *copy = fixed ? strcpy(zeroed(ctx, strlen(fixed) + 1, 1), fixed) : NULL;
    if (fixed) ctx->rest = copy;
    if (lagrangian(ctx, x, true, BOUNDS, value)) bounded(x->at, value);
    line_end(ctx);
    if (fixed) ctx->rest = rest;
    drop(ctx, copy);
}

static void read_walk(judge *ctx, proof *x)
{
    enum { MOST_AHEAD = 2000 }; /* each step is a call deeper */
    bound *b = &x->at->bound;
    b->ahead = integer(ctx, word(ctx), 0, MOST_AHEAD);
    b->boxed = b->forgets = true;
    read_leaf(ctx, x);
    b->forgets = false;
}

static void read_empty(judge *ctx, proof *x)
{
    mpq_ptr value = temp(ctx);
    if (lagrangian(ctx, x, false, BOUNDS, value) && mpq_sgn(value) <= 0)
        refuted(ctx, "the multipliers do not show that the promise cannot be kept");
}

/* The minimum over points of the regret (`sum`: of all environments; else the largest), less the slack. row: only points of this
 * promise; negative: points that keep all promises and means. False: there is no such point. */
static bool least_of_points(judge *ctx, proof *x, int row, int most, bool sum, mpq_ptr least)
{
    tree *t = x->at;
    const double *at;
    int first = row < 0 ? 0 : row, rows = row < 0 ? x->m.P : 1, env = first / x->m.J, envs = row < 0 ? x->m.K : 1;
    bool any = false;
    mpq_t *Pr = rationals_new(ctx, (size_t)rows);
    mpq_ptr loss = temp(ctx), best = temp(ctx), largest = temp(ctx), total = temp(ctx), slack = temp(ctx),
            value = sum ? total : largest;
    mpq_set_d(slack, t->bound.slack);
    for (size_t count = bound_points(ctx, &t->bound, row, most, &at), temps = ctx->temps; count > 0; count--, at += rows + envs) {
        bool left = true;
        ctx->temps = temps;
        mpq_set_ui(total, 0, 1);
        for (int k = 0; k < envs; k++) {
            from_double(ctx, loss, at[k]);
            mpq_add(best, x->optimum[DOWN][env + k], x->m.apart);
            mpq_sub(loss, best, loss);
            if (k == 0 || mpq_cmp(loss, largest) > 0) mpq_set(largest, loss);
            plus(ctx, total, loss, x->worth[env + k]);
        }
        for (int r = 0; r < rows; r++) {
            left = left && at[envs + r] >= t->bound.enough[first + r];
            mpq_set_d(Pr[r], at[envs + r]);
        }
        if (!left || (row < 0 && averages_missed(ctx, x, Pr, slack, NULL) >= 0) || (t->capped && mpq_cmp(largest, t->cap) > 0))
            continue;
        if (!any || mpq_cmp(value, least) < 0) mpq_set(least, value);
        any = true;
    }
    drop(ctx, Pr);
    return any;
}

/* Sets of pairs grow until they show the bound of the line or (-) that no policy is left. They show the sum over environments of
 * the most that a promise shows. */
static void read_pairs(judge *ctx, proof *x)
{
    tree *t = x->at;
    const char *which = word(ctx);
    bool all = strcmp(which, "*") == 0;
    int J = x->m.J, first = all ? 0 : integer(ctx, which, 0, x->m.P - 1), last = all ? x->m.P - 1 : first;
    int most = integer(ctx, word(ctx), 2, MOST_PAIRS);
    const char *text = word_or_none(ctx);
    bool nothing = text && strcmp(text, "-") == 0, some = true;
    int finest = text ? FINEST_PAIRS : most;
    mpq_ptr sought = temp(ctx), value = temp(ctx), of_k = temp(ctx), of_row = temp(ctx);
    size_t temps = ctx->temps;
    if (text && !nothing) rational(ctx, text, sought);
    for (int r = first; r <= last; r++)
        if (!in(t->of, r / J)) refuted(ctx, "the tree is not about environment %d", r / J);
    if (t->sum != all) refuted(ctx, "of a sum all environments are needed, of a maximum one");
    for (bool enough = false; some && !enough && most <= finest; most *= 2) {
        mpq_set_ui(value, 0, 1);
        for (int r = first; r <= last && some; r++, ctx->temps = temps) {
            some = least_of_points(ctx, x, r, most, false, of_row);
            if (r == first || r % J == 0 || mpq_cmp(of_row, of_k) > 0) mpq_set(of_k, of_row);
            if (r == last || (r + 1) % J == 0) plus(ctx, value, of_k, t->sum ? x->worth[r / J] : x->m.one.q[0]);
        }
        enough = !nothing && mpq_cmp(value, sought) >= 0;
    }
    if (some) bounded(t, value);
}

static void read_vectors(judge *ctx, proof *x)
{
    mpq_ptr value = temp(ctx);
    if (x->at->of != x->g.node->set) refuted(ctx, "vectors are of all environments");
    if (least_of_points(ctx, x, -1, 0, x->at->sum, value)) bounded(x->at, value);
}

static void read_give(judge *ctx, proof *x)
{
    tree *t = x->at;
    tree_case *c = x->now;
    mpq_ptr of_line = temp(ctx), value = temp(ctx);
    if (c->givens) refuted(ctx, "options of this case are given up already");
    rational(ctx, word(ctx), of_line);
    bool some = lagrangian(ctx, x, true, 0, value);
    c->given = t->givens;
    for (char *at = word_or_none(ctx); at; at = word_or_none(ctx), c->givens++) {
        char *action = parted(ctx, at, "option");
        size_t option = named_option(ctx, x, named_node(ctx, x, at), action);
        append(ctx, t->given, t->givens, option);
        t->bound.givable[option] = true;
        if (t->givens == INT_MAX) refuted(ctx, "too many options are given up");
    }
    mpq_sub(value, of_line, value);
    if (some && mpq_sgn(value) > 0 && !bound_short(ctx, &t->bound, outward(ctx, value, UP)))
        refuted(ctx, "a policy below the bound may use an option of the line");
    if (some) bounded(t, of_line);
    for (int i = c->given; i < t->givens; i++) t->bound.givable[t->given[i]] = false;
}

static void read_branch(judge *ctx, proof *x)
{
    tree_case *c = x->now;
    c->on = named_node(ctx, x, word(ctx));
    const node *n = &x->g.node[c->on];
    for (int i = 0; i < n->options; i++) c->uncovered |= (uint64_t)x->at->bound.allowed[n->option + (size_t)i] << i;
    if (!c->uncovered) refuted(ctx, "no option is left there, and policies that do not come there would belong to no child");
}

static void read_child(judge *ctx, proof *x)
{
    tree *t = x->at;
    int number = integer(ctx, word(ctx), 1, INT_MAX), parent = integer(ctx, word(ctx), 1, INT_MAX) - 1;
    if (number != t->cases + 1) refuted(ctx, "case %d; expected %d", number, t->cases + 1);
    if (parent >= t->cases || t->item[parent].on < 0) refuted(ctx, "case %d is not parted", parent + 1);
    size_t option = named_option(ctx, x, t->item[parent].on, word(ctx));
    t->item[parent].uncovered &= ~(UINT64_C(1) << (option - x->g.node[t->item[parent].on].option));
    add_case(ctx, x, parent, option, 1, 1);
}

static void read_part(judge *ctx, proof *x)
{
    int n = x->now->on = named_node(ctx, x, word(ctx)), parent = (int)(x->now - x->at->item);
    size_t option = named_option(ctx, x, n, word(ctx));
    mpq_ptr at = temp(ctx);
    rational(ctx, word(ctx), at);
    add_case(ctx, x, parent, option, 0, outward(ctx, at, UP));
    add_case(ctx, x, parent, option, outward(ctx, at, DOWN), 1);
}

static void read_weigh(judge *ctx, proof *x)
{
    x->now->weighed = ctx->rest;
    ctx->rest += strlen(ctx->rest);
}

/* With fixed multipliers the bound is linear in the policy at one node, so that it is least at a corner of the box there. */
static void read_corners(judge *ctx, proof *x)
{
    tree *t = x->at;
    int at = named_node(ctx, x, word(ctx)), parent = (int)(x->now - t->item);
    const node *n = &x->g.node[at];
    size_t first = t->points, count = 0, width = (size_t)n->options;
    mpq_ptr chance = temp(ctx);
    if (!weighed(t, x->now)) refuted(ctx, "no weigh line fixes the multipliers of this case, so its corners prove nothing");
    x->now->on = at;
    for (char *next = word_or_none(ctx); next; next = word_or_none(ctx), count++) {
        for (size_t i = 0; i < width; i++) append(ctx, t->point, t->points, 0);
        for (; next && strcmp(next, ";") != 0; next = word_or_none(ctx)) {
            char *of = parted(ctx, next, "probability");
            rational(ctx, of, chance);
            if (mpq_sgn(chance) < 0 || mpq_cmp_ui(chance, 2, 1) > 0) refuted(ctx, "\"%.40s\" is no probability", of);
            t->point[first + count * width + (named_option(ctx, x, at, next) - n->option)] = mpq_get_d(chance);
        }
    }
    if (!boxes_cornered(&t->bound, n, t->point + first, count)) refuted(ctx, "a corner of the box is left out");
    for (size_t i = 0; i < count; i++) {
        add_case(ctx, x, parent, n->option, 0, 1);
        t->item[t->cases - 1].point = (ptrdiff_t)(first + i * width);
    }
}

static void tree_end(judge *ctx, tree *t)
{
    mpq_ptr lost = temp(ctx);
    mpq_set_d(lost, t->lost);
    mpq_sub(t->least, t->least, lost);
    for (int c = 0; c < t->cases; c++) {
        if (t->item[c].on >= 0 && t->item[c].uncovered) refuted(ctx, "case %d has an option without a child", c + 1);
        if (t->item[c].on < 0 && !t->item[c].closed) refuted(ctx, "case %d is not bounded", c + 1);
    }
}

static void read_tree(judge *ctx, proof *x)
{
    const node_graph *g = &x->g;
    if (x->at) tree_end(ctx, x->at);
    tree *t = x->at = tree_of(ctx, x, word(ctx));
    if (t->grown) refuted(ctx, "a second tree of the same");
    int reveal = integer(ctx, word(ctx), 1, x->m.T + 1);
    rung *mixed = zeroed(ctx, 1, sizeof *mixed);
    t->grown = true;
    t->capped = t == &x->tree[1];
    t->sum = t->capped || x->objective == WEIGHTED;
    if (t->capped) rational(ctx, word(ctx), t->cap);
    char *few = t->sum ? NULL : word_or_none(ctx), *last = few ? word_or_none(ctx) : NULL;
    bool some = few && strcmp(few, "*") != 0;
    if (few && ((g->L > 0 && some) || x->class != DETERMINISTIC))
        refuted(ctx, "a tree of few environments is one of milp-ccl and L = 0");
    if (last && strcmp(last, "drop") != 0) refuted(ctx, "expected \"drop\"");
    t->drops = last != NULL;
    t->of = some ? environments(ctx, &x->m, few) : g->node->set;
    t->bound.enough = zeroed(ctx, (size_t)x->m.P, sizeof *t->bound.enough);
    uint64_t *both = zeroed(ctx, g->words, sizeof *both);
    t->told = zeroed(ctx, g->options, sizeof *t->told);
    for (const node *at = g->node; at < g->node + g->nodes;
         at++) { /* options that do the same in all of t->of are one, the first */
        node n = *at;
        n.set = both;
        for (size_t w = 0; w < g->words; w++) both[w] = at->set[w] & t->of[w];
        for (size_t o = n.option; o < n.option + (size_t)n.options; o++) t->told[o] = graph_option(ctx, g, &n, g->action[o]) == o;
    }
    rung_make(ctx, mixed, g, t->of, reveal);
    bound_over(ctx, &t->bound, &x->g, mixed);
    if (x->class == STOCHASTIC) boxes_open(ctx, &t->bound);
    add_case(ctx, x, -1, 0, 0, 1);
}

/* The lines after "plan" up to the first word `last` of a line. */
static void proof_body(judge *ctx, proof *x, const char *last)
{
    enum { D = 1 << DETERMINISTIC, S = 1 << STOCHASTIC, ANY = D | S | 1 << HISTORY, CASE = 1, CLOSES = 2, FIXED = 4, FIRST = 8 };
    static const struct {
        const char *word;
        void (*read)(judge *ctx, proof *x);
        int classes, flags; /* of policies that it is about; it is about a case, closes it, may stand where multipliers are fixed,
                             * or is about the model's own nodes */
    } kinds[] = {{"node", read_node, 0, FIRST},
                 {"do", read_do, 0, FIRST},
                 {"like", read_like, 0, FIRST},
                 {"nature", read_nature, 0, FIRST},
                 {"tree", read_tree, 0, 0},
                 {"floor", read_floor, 0, 0},
                 {"exact", read_exact, 0, 0},
                 {"claim", read_claim, 0, 0},
                 {"child", read_child, D, 0},
                 {"pairs", read_pairs, D, CASE | CLOSES},
                 {"vectors", read_vectors, D, CASE | CLOSES},
                 {"give", read_give, D, CASE},
                 {"remove", read_remove, D, CASE},
                 {"reach", read_reach, D, CASE | CLOSES},
                 {"unkept", read_unkept, D, CASE | CLOSES},
                 {"branch", read_branch, D, CASE},
                 {"part", read_part, S, CASE},
                 {"weigh", read_weigh, S, CASE},
                 {"corners", read_corners, S, CASE | FIXED},
                 {"walk", read_walk, S, CASE | CLOSES | FIXED},
                 {"leaf", read_leaf, ANY, CASE | CLOSES | FIXED},
                 {"empty", read_empty, ANY, CASE | CLOSES}};
    proof *own = x;
    read_plan(ctx, x);
    for (const char *first = line_word(ctx); strcmp(first, last) != 0; line_end(ctx), first = line_word(ctx)) {
        size_t i = 0, count = sizeof kinds / sizeof *kinds;
        while (i < count && strcmp(first, kinds[i].word) != 0) i++;
        if (i == count) refuted(ctx, "a line that begins with \"%.40s\"", first);
        if (!(kinds[i].flags & FIRST) && own->natures && own->cases == own) unroll(ctx, own);
        x = kinds[i].flags & FIRST ? own : own->cases;
        if (kinds[i].classes && !x->at) refuted(ctx, "there is no tree yet");
        if (kinds[i].classes && !(kinds[i].classes >> x->class & 1))
            refuted(ctx, "%s lines prove nothing of the policies that are spoken of", first);
        if (!(kinds[i].flags & CASE)) {
            kinds[i].read(ctx, x);
            continue;
        }
        int c = integer(ctx, word(ctx), 1, INT_MAX) - 1;
        if (c >= x->at->cases) refuted(ctx, "there is no case %d", c + 1);
        x->now = &x->at->item[c];
        if (x->now->closed || x->now->on >= 0) refuted(ctx, "case %d is closed or parted", c + 1);
        if (!(kinds[i].flags & FIXED) && weighed(x->at, x->now))
            refuted(ctx, "%s lines prove nothing where multipliers are fixed", first);
        restrict_to(ctx, x, c);
        kinds[i].read(ctx, x);
        x->at->item[c].closed = kinds[i].flags & CLOSES;
    }
}

/* After proof_body: true if the policy keeps the promises. value: its maximum and total regret, or its value; *exactly: without
 * tolerance. */
static bool proof_shows(judge *ctx, proof *x, mpq_t value[2], bool *exactly)
{
    proof *of = x->cases;
    tree *t = of->tree;
    bool early = mpq_get_d(x->keep) > 9.99e-10 && mpq_get_d(x->keep) < 1e-9; /* that tolerance was of then */
    if (of->at) tree_end(ctx, of->at);
    if (of->infeasible && (t[0].claimed || t[1].claimed)) refuted(ctx, "two claims that exclude each other");
    if (of->infeasible && (!t->grown || t->finite)) refuted(ctx, "some case may keep the promise");
    if (of->infeasible) return false;
    if (!t->claimed) refuted(ctx, "nothing is claimed");
    *exactly = policy_weigh(ctx, x, value[0], value[1]);
    if (x->objective == WEIGHTED) mpq_swap(value[0], value[1]);
    for (int i = 0; i < 2; i++, t++) {
        /* no policy that keeps the promise earns more than U* */
        bool trivial = x->objective == REGRET && mpq_sgn(t->least_claimed) <= 0;
        if (t->claimed && mpq_cmp(value[i], t->value) > 0)
            refuted(ctx, "the policy regrets more than is claimed%s",
                    early ? "; before the release of 0.2.0 U* had no tolerance" : "");
        if (!t->claimed || !t->bounded) continue;
        if (!trivial && !t->grown) refuted(ctx, "no search tree proves the bound");
        if (!trivial && t->finite && mpq_cmp(t->least, t->least_claimed) < 0)
            refuted(ctx, "the tree proves less than the bound claimed");
        if (mpq_cmp(value[i], t->least_claimed) < 0) refuted(ctx, "the policy is better than the bound claimed allows");
        if (i == 1 && t->grown && mpq_cmp(t->cap, value[0]) < 0) refuted(ctx, "the cap is below the policy's maximum regret");
    }
    return true;
}

/* The rest of the last line, and nothing behind it. */
static void proof_end(judge *ctx)
{
    if (integer(ctx, word(ctx), 1, INT_MAX) != ctx->line) refuted(ctx, "lines are missing");
    line_end(ctx);
    ctx->line++;
    if (*ctx->text) refuted(ctx, "a line after the last");
}

/* In 12 digits, rounded up or down. */
static void print_rounded(judge *ctx, const char *before, mpq_srcptr x, bool up)
{
    mpq_ptr shown = temp(ctx);
    char digits[64];
    double d = mpq_get_d(x), step = 0;
    do {
        snprintf(digits, sizeof digits, "%.12g", up ? d + step : d - step);
        step = step > 0 ? 2 * step : fabs(d) * 1e-12 + 1e-300;
    } while (read_number(digits, shown) && (up ? mpq_cmp(shown, x) < 0 : mpq_cmp(shown, x) > 0));
    print_verdict(before);
    printf("%s", digits);
}

/* The class, for a reader who has not given it by -L, and the verdict. */
static void conclude(judge *ctx, proof *x)
{
    const tree *t = x->cases->tree;
    const model *m = &x->m;
    mpq_t *value = rationals_new(ctx, 2);
    mpq_ptr bound_of = temp(ctx), next = temp(ctx);
    bool exactly, one_p = true, some = proof_shows(ctx, x, value, &exactly);
    (void)fesetround(FE_TONEAREST); /* of what is printed */
    int places = 0;                 /* of the last power of ten that is no less than the tolerance */
    printf("%s policies, L = %d, T = %d", x->method, x->g.L, m->T);
    for (int r = 1; r < m->P; r++) one_p = one_p && mpq_equal(m->p[r], m->p[0]);
    for (int r = 0; r < (one_p ? 1 : m->P); r++) printf(r ? " %.12g" : ", p = %.12g", mpq_get_d(m->p[r]));
    for (int j = 0; j < m->J; j++)
        if (m->average[j]) printf(m->J > 1 ? ", promise %d on average" : " on average", j);
    for (int k = 0; x->objective == WEIGHTED && k < m->K; k++) printf(k ? " %.12g" : ", weights %.12g", mpq_get_d(x->worth[k]));
    if (m->limit[UP]) printf(", within limits");
    if (mpq_sgn(m->within) > 0) printf(m->limit[UP] ? " and %.12g" : ", within %.12g", mpq_get_d(m->within));
    printf(m->costs ? "; minimises costs\n" : "\n");
    if (!some) {
        print_verdict("verified: no policy of the class keeps the promise in every environment\n");
        return;
    }
    if (x->objective != REGRET && m->costs) {
        print_rounded(ctx, x->objective == LEAST ? "verified: largest cost <= " : "verified: weighted cost <= ", value[0], true);
        if (t->bounded) print_rounded(ctx, ", >= ", t->least_claimed, false);
    } else if (x->objective != REGRET) {
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
    for (mpq_set_ui(next, 1, 10); mpq_cmp(next, x->keep) >= 0; places++) mpz_mul_ui(mpq_denref(next), mpq_denref(next), 10);
    printf(exactly ? "; every promise kept exactly\n" : "; every promise kept within 1e-%d\n", places);
}

void proof_open(judge *ctx, proof *x)
{
    x->cases = x->own = x;
    size_t K = (size_t)x->m.K, P = (size_t)x->m.P;
    arithmetic(ctx, 0, UP);
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

/* ---- proofs about several policies (FORMAT.md), of parts about some of the environments with models of their own ---- */

typedef struct group_part {
    uint64_t *set;
    bool valued, exactly; /* a policy is worth `value`, promises kept exactly; else there is none at all */
    bool forbidden;       /* no group holds it */
    mpq_ptr value, bound;
} group_part;

typedef struct groups {
    proof *x; /* method, g.L and keep: of all parts */
    int policies, words;
    bool own, apart;
    group_part *part;
    int parts;
    int *used, uses;            /* parts whose policies are in the portfolio */
    mpq_ptr value, bound, most; /* claimed; of sets that are forbidden; the largest regret of the portfolio */
    int *colour;                /* [K] */
    uint64_t *in;               /* [policies * words] */
} groups;

/* The model of a part: of its environments alone (apart), or of all, where the others pay the same for every action and, if
 * promises are the part's own, promise nothing. */
static void part_model(judge *ctx, const groups *g, const uint64_t *set, model *m)
{
    const model *all = &g->x->m;
    size_t S = (size_t)all->S, pairs = S * (size_t)all->A, J = (size_t)all->J, i = 0;
    mpq_ptr most = temp(ctx); /* no less than a floor */
    mpq_sub(most, all->most, all->least);
    *m = *all;
    m->K = 0;
    for (int k = 0; k < all->K; k++) m->K += !g->apart || in(set, k);
    model_room(ctx, m);
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

static void read_member(judge *ctx, groups *g)
{
    group_part p = {
        .set = environments(ctx, &g->x->m, word(ctx)), .value = *rationals_new(ctx, 1), .bound = *rationals_new(ctx, 1)};
    line_end(ctx);
    void *mark = zeroed(ctx, 1, 1);
    proof x = {.asked_L = g->x->asked_L};
    part_model(ctx, g, p.set, &x.m);
    proof_open(ctx, &x);
    ctx->rounded = false;
    line_begins(ctx, "plan");
    proof_body(ctx, &x, "end");
    if (g->apart && x.class != HISTORY && x.g.L > 0) refuted(ctx, "with L above 0 groups know by all environments");
    if (x.objective != REGRET) refuted(ctx, "groups are about the maximum regret");
    const tree *t = x.cases->tree;
    if (t[1].claimed) refuted(ctx, "expected one claim, of the maximum regret");
    mpq_t *value = rationals_new(ctx, 2);
    p.valued = proof_shows(ctx, &x, value, &p.exactly);
    mpq_set(p.value, value[0]);
    if (p.valued && t->bounded && mpq_sgn(t->least_claimed) > 0) mpq_set(p.bound, t->least_claimed);
    if (g->parts && (strcmp(x.method, g->x->method) != 0 || x.g.L != g->x->g.L)) refuted(ctx, "parts are about other policies");
    if (g->parts && !mpq_equal(x.keep, g->x->keep)) refuted(ctx, "parts have different tolerances");
    mpq_set(g->x->keep, x.keep);
    g->x->method = x.method;
    g->x->g.L = x.g.L;
    release(ctx, mark);
    append(ctx, g->part, g->parts, p);
}

/* Are all environments in just one of the groups of the portfolio, which has no more policies than are claimed? Does it keep
 * promises exactly? */
static bool check_groups(judge *ctx, groups *g)
{
    bool exactly = true;
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
        exactly &= p->exactly;
    }
    if (mpq_cmp(g->value, g->bound) < 0) refuted(ctx, "the policies are better than the bound claimed allows");
    return exactly;
}

/* Would environment k complete a forbidden set in group c? */
static bool completes(judge *ctx, const groups *g, int k, int c)
{
    const uint64_t *with = g->in + (size_t)c * (size_t)g->words;
    spend(ctx, (size_t)g->parts * (size_t)g->words);
    for (const group_part *p = g->part; p && p < g->part + g->parts; p++) {
        bool all = p->forbidden && in(p->set, k);
        for (int w = 0; w < g->words && all; w++) {
            uint64_t rest = p->set[w] & ~with[w];
            if (w == k / 64) rest &= ~(UINT64_C(1) << (k % 64));
            all = rest == 0;
        }
        if (all) return true;
    }
    return false;
}

/* Can every environment without a group join one so that no group holds a forbidden set? The first `begun` groups have members. The
 * next environment is the one with fewest groups open to it. */
static bool can_be_grouped(judge *ctx, groups *g, int begun)
{
    int open = begun < g->policies ? begun + 1 : begun, least = INT_MAX, next = -1;
    for (int k = 0; k < g->x->m.K && least > 0; k++) {
        int n = 0;
        for (int c = 0; c < open && g->colour[k] < 0; c++) n += !completes(ctx, g, k, c);
        if (g->colour[k] >= 0 || n >= least) continue;
        least = n;
        next = k;
    }
    if (next < 0) return true;
    for (int c = 0; c < open; c++) {
        uint64_t *of = g->in + (size_t)c * (size_t)g->words;
        if (completes(ctx, g, next, c)) continue;
        g->colour[next] = c;
        include(of, next);
        if (can_be_grouped(ctx, g, begun + (c == begun))) return true;
        g->colour[next] = -1;
        of[next / 64] &= ~(UINT64_C(1) << (next % 64));
    }
    return false;
}

/* infinite: only that no policies keep the promises is claimed. */
static void check_bound(judge *ctx, groups *g, bool infinite)
{
    size_t K = (size_t)g->x->m.K;
    if (!infinite && mpq_sgn(g->bound) <= 0) mpq_set_ui(g->bound, 0, 1); /* no regret is less */
    if (!infinite && mpq_sgn(g->bound) <= 0) return;
    if (g->policies > (int)K) g->policies = (int)K;
    g->colour = zeroed(ctx, K, sizeof *g->colour);
    g->in = zeroed(ctx, (size_t)g->policies * (size_t)g->words, sizeof *g->in);
    for (size_t k = 0; k < K; k++) g->colour[k] = -1;
    for (group_part *p = g->part; p && p < g->part + g->parts; p++)
        p->forbidden = !p->valued || (!infinite && mpq_cmp(p->bound, g->bound) >= 0);
    if (can_be_grouped(ctx, g, 0)) refuted(ctx, "some groups may be better than the bound claimed");
}

/* Is a word the first of these two, or the other one? */
static bool first_of(judge *ctx, const char *of, const char *one, const char *other)
{
    if (strcmp(of, one) != 0 && strcmp(of, other) != 0) refuted(ctx, "\"%.40s\"; expected %s or %s", of, one, other);
    return strcmp(of, one) == 0;
}

/* The rest of a proof about several policies, behind the first word "groups", and its verdict. */
static void groups_read(judge *ctx, proof *x)
{
    mpq_t *figure = rationals_new(ctx, 3);
    groups g = {.x = x, .words = (x->m.K + 63) / 64, .value = figure[0], .bound = figure[1], .most = figure[2]};
    bool claimed = false, infinite = false, exactly = true;
    for (int j = 0; j < x->m.J; j++)
        if (x->m.average[j]) refuted(ctx, "a promise on average is one of a policy for all environments, not of several policies");
    g.policies = integer(ctx, word(ctx), 1, INT_MAX);
    g.own = first_of(ctx, word(ctx), "own", "all");
    g.apart = first_of(ctx, word(ctx), "apart", "whole");
    if (g.apart && !g.own) refuted(ctx, "promises of all environments need all of them");
    line_end(ctx);
    for (const char *of = line_word(ctx); strcmp(of, "complete") != 0; line_end(ctx), of = line_word(ctx)) {
        if (strcmp(of, "part") == 0) {
            read_member(ctx, &g);
        } else if (strcmp(of, "use") == 0) {
            append(ctx, g.used, g.uses, integer(ctx, word(ctx), 0, g.parts - 1));
        } else if (strcmp(of, "claim") == 0) {
            if (claimed) refuted(ctx, "a second claim");
            claimed = true;
            infinite = !first_of(ctx, word(ctx), "groups", "infeasible");
            if (!infinite) rational(ctx, word(ctx), g.value);
            if (!infinite) rational(ctx, word(ctx), g.bound);
        } else {
            refuted(ctx, "a line that begins with \"%.40s\"", of);
        }
    }
    proof_end(ctx);
    if (!claimed) refuted(ctx, "nothing is claimed");
    if (!infinite) exactly = check_groups(ctx, &g);
    check_bound(ctx, &g, infinite);
    (void)fesetround(FE_TONEAREST);
    printf("%d policies, %s, L = %d, T = %d, promises of %s, %d sets of environments\n", g.policies, x->method, x->g.L, x->m.T,
           g.own ? "each group's own environments" : "all environments", g.parts);
    if (infinite) {
        print_verdict("verified: no such number of policies of the class keeps the promises\n");
        return;
    }
    print_rounded(ctx, "verified: maximum regret of each environment's own policy <= ", g.most, true);
    print_rounded(ctx, ", >= ", g.bound, false);
    printf(exactly ? "; every promise kept exactly\n" : "; every promise kept within the tolerance of its part\n");
}

/* ---- the program: vouch-check MODEL PROOF; exit 0 verified, 2 refuted, 1 unreadable, 3 a limit ---- */

static void proof_read(judge *ctx, proof *x, const char *path)
{
    char hash[17];
    size_t length;
    ctx->text = file_bytes(ctx, path, &length);
    if (strlen(ctx->text) != length) refuted(ctx, "a zero byte");
    line_begins(ctx, "vouch-proof");
    int version = integer(ctx, word(ctx), 1, INT_MAX);
    if (version < OLDEST)
        unreadable(ctx, "a proof of version %d, whose lines meant less; \"vouch plan .. --proof\" writes it anew", version);
    if (version > NEWEST) unreadable(ctx, "a proof of a later version");
    line_begins(ctx, "model");
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)x->hash);
    bool same = strcmp(word(ctx), hash) == 0;
    if (!same || (size_t)integer(ctx, word(ctx), 0, INT_MAX) != x->length)
        refuted(ctx, "the proof is about another model, or the model has changed since");
    if (first_of(ctx, line_word(ctx), "groups", "plan")) {
        groups_read(ctx, x);
        return;
    }
    proof_body(ctx, x, "complete");
    proof_end(ctx);
    conclude(ctx, x);
}

static const char usage[] =
    "usage: vouch-check [--exact | --interval] [-L N] [-T N] [-p P] [--within E] [--minimise] [--work-limit N] MODEL.json "
    "PROOF.vproof[.gz]\n"
    "Checks the claims of a proof about a model. Prints \"verified: ..\" (exit status 0) or \"refuted: line N: ..\" (2); exit\n"
    "status 1: unreadable input; 3: a limit was reached, no verdict. The proof must be about the model's horizon and probability,\n"
    "or about -T and -p; with -L, about this L; --within: the error of probabilities; --minimise: rewards are costs. Files may be "
    "packed by gzip; - is standard input. "
    "Regrets and probabilities are\n"
    "computed in rationals and bounds of cases in doubles rounded outwards; --exact: both in rationals; --interval: both in\n"
    "doubles, for large models. --work-limit: most work, in products of two doubles, about 1e9 a second; the same on any "
    "machine.\n";

static void check(judge *ctx, int argc, char **argv)
{
    enum { L, T, WORK, P, WITHIN, OPTIONS, MOST = 1000000 };
    static const char *const option[] = {"-L", "-T", "--work-limit", "-p", "--within"};
    const uint64_t least[] = {0, 1, 0}, most[] = {MOST, MOST, UINT64_MAX};
    uint64_t number[] = {0, 0, UINT64_MAX};
    const char *path[2] = {NULL, NULL}, *value[OPTIONS] = {NULL};
    int paths = 0;
    bool costs = false;
    for (int i = 1; i < argc; i++) {
        int o = 0;
        while (o < OPTIONS && strcmp(argv[i], option[o]) != 0) o++;
        if (strcmp(argv[i], "--exact") == 0 || strcmp(argv[i], "--interval") == 0)
            ctx->rationals = argv[i][2] == 'e' ? VALUES | BOUNDS : 0;
        else if (strcmp(argv[i], "--minimise") == 0)
            costs = true;
        else if (o < OPTIONS && i + 1 < argc)
            value[o] = argv[++i];
        else if (o < OPTIONS || (argv[i][0] == '-' && argv[i][1]) || paths >= 2)
            paths = 3;
        else
            path[paths++] = argv[i];
    }
    if (paths != 2) unreadable(ctx, "expected MODEL.json PROOF.vproof; vouch-check --help lists the options");
    for (int o = L; o < P; o++) {
        char *end = NULL;
        errno = 0;
        if (value[o]) number[o] = strtoull(value[o], &end, 10);
        if (value[o] && (end == value[o] || *end || errno || *value[o] == '-' || number[o] < least[o] || number[o] > most[o]))
            unreadable(ctx, "%s %s: expected a number from %" PRIu64 " to %" PRIu64, option[o], value[o], least[o], most[o]);
    }
    ctx->most_work = number[WORK];
    proof x = {.asked_L = value[L] ? (int)number[L] : -1};
    char *bytes = file_bytes(ctx, path[0], &x.length);
    x.hash = hash_of(bytes, x.length);
    model_read(ctx, &x.m, bytes, x.length, (int)number[T], costs);
    drop(ctx, bytes);
    const char *p = value[P], *within = value[WITHIN];
    if (within && (!read_number(within, x.m.within) || mpq_sgn(x.m.within) < 0 || mpq_cmp_ui(x.m.within, 1, 1) > 0))
        unreadable(ctx, "--within %s: expected a number from 0 to 1", within);
    if (p && (x.m.J > 1 || !read_number(p, x.m.p[0]) || mpq_sgn(x.m.p[0]) < 0)) unreadable(ctx, "-p %s", p);
    for (int r = 1; r < x.m.P && p; r++) mpq_set(x.m.p[r], x.m.p[0]);
    proof_open(ctx, &x);
    proof_read(ctx, &x, path[1]);
}

int main(int argc, char **argv)
{
    (void)setlocale(LC_ALL, "C"); /* as it is, unless a library that was loaded has set the user's */
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) return fputs(usage, stdout) < 0;
    judge ctx = {.rationals = VALUES, .most_work = UINT64_MAX, .temps = 1};
    for (int i = 0; i < TEMPS; i++) mpq_init(ctx.temp[i]);
    if (setjmp(ctx.escape) == 0) check(&ctx, argc, argv);
    judge_end(&ctx);
    if (fflush(stdout) == 0 && !ferror(stdout)) return ctx.status;
    if (ctx.status == 0) fputs("vouch-check: standard output: cannot write\n", stderr);
    return ctx.status == 0 || ctx.status == REFUTED ? UNREADABLE : ctx.status;
}
