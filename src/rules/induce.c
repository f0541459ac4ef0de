/* rules/induce.c - few leaves: decision trees without errors, and trees of limited size; see rules.h.
 *
 * Greedy induction (CART: L. Breiman, J. Friedman, R. Olshen, C. Stone, 1984) takes the test that leaves the least impurity,
 * entropy or Gini. Of the best tests by impurity a rollout takes the one whose two greedy subtrees have the fewest leaves together;
 * a rollout of level l compares subtrees of level l - 1 (nested rollouts: T. Cazenave, IJCAI 2009). The work, counted in samples
 * times features, is limited: half of a node's share goes into its test, the rest into its subtrees. The fewest leaves are NP-hard
 * (L. Hyafil, R. Rivest, 1976): the result is an upper bound. Sums of two numbers are tested only if they save a seventh of the
 * leaves.
 *
 * Samples are an array of indices; a node is a range of it, and a test partitions the range in place. */
#include "rules/rules.h"

enum { CANDIDATES = 40, SET_CLASSES = 6, MOST_LEVELS = 3 };
static const double WORK = 6e7, SUMS_SAVE = 0.85;
static const double SAME = 1e-9; /* smaller differences of numbers separate nothing */

typedef struct candidate {
    int feature;
    test_kind test;
    int rank;                     /* of a number: the largest one with yes, or the only one */
    int members, member[MEMBERS]; /* codes with yes */
    double score;
} candidate;

typedef struct inducer {
    features *f;
    const sample *s;
    int classes, columns;
    int *column;          /* [columns] feature of each column; constant features have none */
    int *code;            /* [columns * count] rank of a number, or category */
    int *codes;           /* [columns] number of codes */
    double **low, **high; /* [columns][codes] least and largest number of a rank; NULL: categories */
    int *label;           /* [count] class */
    const double *weight; /* [count]; NULL: 1 each */
    int *index;           /* [count] */
    int *touched;         /* [count] */
    double *mass;         /* [most codes * classes], zero between calls */
    double *left, *right; /* [classes] */
    unsigned char *yes;   /* [most codes], zero between calls */
    bool gini;
    double work, budget;
    rule_tree *out;
} inducer;

/* ---- columns --------------------------------------------------------------------------------------------------------------- */

typedef struct ranked_value {
    double value;
    int sample;
} ranked_value;

static int by_value(const void *x, const void *y)
{
    const ranked_value *a = x, *b = y;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->sample > b->sample) - (a->sample < b->sample);
}

/* Fills column c with the values of a feature; false: it is constant. */
static bool fill_column(inducer *u, int c, int of, ranked_value order[])
{
    int n = u->s->count, *code = u->code + (size_t)c * (size_t)n;
    escape *e = u->f->e;
    for (int i = 0; i < n; i++) order[i] = (ranked_value){feature_value(u->f, of, &u->s->place[i]), i};
    qsort(order, (size_t)n, sizeof *order, by_value);
    if (!(order[0].value < order[n - 1].value - SAME)) return false;
    u->column[c] = of;
    u->low[c] = u->high[c] = NULL;
    if (!u->f->list[of].number) {
        u->codes[c] = (int)order[n - 1].value + 1;
        for (int i = 0; i < n; i++) code[order[i].sample] = (int)order[i].value;
        return true;
    }
    u->low[c] = escape_new(e, (size_t)n, sizeof **u->low);
    u->high[c] = escape_new(e, (size_t)n, sizeof **u->high);
    int rank = -1;
    for (int i = 0; i < n; i++) {
        double v = order[i].value;
        if (i == 0 || v > u->high[c][rank] + SAME) u->low[c][++rank] = v;
        u->high[c][rank] = v;
        code[order[i].sample] = rank;
    }
    u->codes[c] = rank + 1;
    return true;
}

/* Does an earlier column separate the samples likewise? */
static bool is_double(const inducer *u, int c)
{
    size_t n = (size_t)u->s->count;
    for (int b = 0; b < c; b++)
        if (u->codes[b] == u->codes[c] && !u->low[b] == !u->low[c] &&
            memcmp(u->code + (size_t)b * n, u->code + (size_t)c * n, n * sizeof *u->code) == 0)
            return true;
    return false;
}

static void make_columns(inducer *u, size_t count)
{
    escape *e = u->f->e;
    size_t n = (size_t)u->s->count;
    ranked_value *order = escape_new(e, n, sizeof *order);
    int most = 1;
    u->column = escape_new(e, count, sizeof *u->column);
    u->codes = escape_new(e, count, sizeof *u->codes);
    u->low = escape_new(e, count, sizeof *u->low);
    u->high = escape_new(e, count, sizeof *u->high);
    if (count > 0 && n > SIZE_MAX / count) escape_memory(e);
    u->code = escape_new(e, n * count, sizeof *u->code);
    for (size_t i = 0; i < count; i++) {
        if (!fill_column(u, u->columns, (int)i, order) || is_double(u, u->columns)) continue;
        most = u->codes[u->columns] > most ? u->codes[u->columns] : most;
        u->columns++;
    }
    escape_free(e, order);
    u->index = escape_new(e, n, sizeof *u->index);
    u->touched = escape_new(e, n, sizeof *u->touched);
    u->mass = escape_zero(e, (size_t)most * (size_t)u->classes, sizeof *u->mass);
    u->left = escape_zero(e, (size_t)u->classes, sizeof *u->left);
    u->right = escape_zero(e, (size_t)u->classes, sizeof *u->right);
    u->yes = escape_zero(e, (size_t)most, sizeof *u->yes);
    for (size_t i = 0; i < n; i++) u->index[i] = (int)i;
}

/* ---- impurity -------------------------------------------------------------------------------------------------------------- */

static double weight_of(const inducer *u, int i) { return u->weight ? u->weight[i] : 1; }

/* Of a class of this mass: its part of the purity of a side. */
static double part(const inducer *u, double x)
{
    if (x <= 1e-12) return 0;
    return u->gini ? x * x : x * log2(x);
}

/* Impurity times mass of a side whose parts sum to `pure`. */
static double impurity(const inducer *u, double mass, double pure)
{
    if (mass <= 1e-12) return 0;
    return u->gini ? mass - pure / mass : part(u, mass) - pure;
}

/* A range of samples by class. */
typedef struct side {
    double mass, pure;
} side;

static void move(const inducer *u, side *to, double mass[], int class, double amount)
{
    to->pure += part(u, mass[class] + amount) - part(u, mass[class]);
    mass[class] += amount;
    to->mass += amount;
}

/* The best tests of a range, best first. */
typedef struct ranking {
    candidate list[CANDIDATES];
    int count, most;
} ranking;

static void offer(ranking *r, const candidate *c)
{
    if (r->count == r->most && !(c->score < r->list[r->most - 1].score)) return;
    int at = r->count < r->most ? r->count++ : r->most - 1;
    for (; at > 0 && c->score < r->list[at - 1].score; at--) r->list[at] = r->list[at - 1];
    r->list[at] = *c;
}

/* Codes of a column in a range of samples: keys code * classes + class, ascending. Returns their number; masses are in u->mass. */
static int find_keys(inducer *u, int c, int from, int to)
{
    const int *code = u->code + (size_t)c * (size_t)u->s->count;
    int keys = 0;
    for (int i = from; i < to; i++) {
        int key = code[u->index[i]] * u->classes + u->label[u->index[i]];
        if (u->mass[key] <= 0) u->touched[keys++] = key;
        u->mass[key] += weight_of(u, u->index[i]);
    }
    qsort(u->touched, (size_t)keys, sizeof *u->touched, ascending_ints);
    return keys;
}

/* Codes in the order of their share of a class, largest first; of the sets of the first two to MEMBERS the best one is a test. */
typedef struct share {
    int code;
    double share;
} share;

static int by_share(const void *x, const void *y)
{
    const share *a = x, *b = y;
    if (a->share != b->share) return a->share > b->share ? -1 : 1;
    return (a->code > b->code) - (a->code < b->code);
}

static void offer_sets(inducer *u, int c, int count, const side *all, int class, ranking *r)
{
    int groups = 0;
    const int *keys = u->touched;
    share *order = escape_new(u->f->e, (size_t)count, sizeof *order);
    for (int i = 0, n; i < count; i += n) {
        double mass = 0;
        int code = keys[i] / u->classes;
        for (n = 0; i + n < count && keys[i + n] / u->classes == code; n++) mass += u->mass[keys[i + n]];
        order[groups++] = (share){code, u->mass[(size_t)code * (size_t)u->classes + (size_t) class] / mass};
    }
    qsort(order, (size_t)groups, sizeof *order, by_share);
    candidate x = {.feature = c, .test = TEST_AMONG}, best = {.score = INFINITY};
    side yes = {0}, no = *all;
    double *left = u->left, *right = u->right;
    for (int g = 0; g < groups - 1 && g < MEMBERS && order[g].share > 0; g++) {
        x.member[x.members++] = order[g].code;
        for (int k = 0; k < u->classes; k++) {
            double amount = u->mass[(size_t)order[g].code * (size_t)u->classes + (size_t)k];
            if (amount <= 0) continue;
            move(u, &yes, left, k, amount);
            move(u, &no, right, k, -amount);
        }
        x.score = impurity(u, yes.mass, yes.pure) + impurity(u, no.mass, no.pure);
        if (g > 0 && x.score < best.score) best = x; /* one alone is offered already */
    }
    if (best.members) offer(r, &best);
    for (int k = 0; k < u->classes; k++) {
        right[k] += left[k];
        left[k] = 0;
    }
    escape_free(u->f->e, order);
}

/* Is a set of values a test? Of states, and of numbers that are whole and not too large. */
static bool is_grouped(const feature *x)
{
    if (x->number) return x->whole && x->kind <= FEATURE_VARIABLE && fmax(-x->low, x->high) < INT_MAX;
    return x->kind == FEATURE_STATE || x->kind == FEATURE_BEHIND_STATE;
}

/* Offers the tests of a column. right [classes]: masses of the range, `all`. */
static void offer_column(inducer *u, int c, int from, int to, const side *all, ranking *r)
{
    const feature *x = &u->f->list[u->column[c]];
    int keys = find_keys(u, c, from, to), first = keys ? u->touched[0] / u->classes : 0;
    int last = keys ? u->touched[keys - 1] / u->classes : 0;
    double *left = u->left, *right = u->right, *mass = u->mass;
    side low = {0}, high = *all;
    for (int i = 0, n; i < keys && first < last; i += n) {
        int code = u->touched[i] / u->classes;
        side one = {0}, rest = *all;
        bool equals = !x->number || (code > first && code < last && x->kind != FEATURE_LIKELIHOOD);
        for (n = 0; i + n < keys && u->touched[i + n] / u->classes == code; n++) {
            int k = u->touched[i + n] % u->classes;
            double m = mass[u->touched[i + n]], before = left[k] + right[k];
            one.pure += part(u, m);
            one.mass += m;
            rest.pure += part(u, before - m) - part(u, before);
            move(u, &low, left, k, m);
            move(u, &high, right, k, -m);
        }
        rest.mass -= one.mass;
        candidate t = {.feature = c, .test = x->number ? TEST_EQUALS : TEST_AMONG, .rank = code, .members = 1, .member = {code}};
        t.score = impurity(u, one.mass, one.pure) + impurity(u, rest.mass, rest.pure);
        if (x->number && code < last) {
            candidate at_most = t;
            at_most.test = TEST_AT_MOST;
            at_most.score = impurity(u, low.mass, low.pure) + impurity(u, high.mass, high.pure);
            offer(r, &at_most);
        }
        if (equals) offer(r, &t);
    }
    for (int k = 0; k < u->classes; k++) {
        right[k] += left[k];
        left[k] = 0;
    }
    if (is_grouped(x) && first < last) {
        for (int k = 0, tried = 0; k < u->classes && tried < SET_CLASSES; k++)
            if (right[k] > 0) {
                offer_sets(u, c, keys, all, k, r);
                tried++;
            }
    }
    for (int i = 0; i < keys; i++) mass[u->touched[i]] = 0;
}

/* Is the feature defined at all places of the range? Before step L there is no state at step L; a plan looks at nothing else. */
static bool is_defined(const inducer *u, const feature *x, int from, int to)
{
    bool behind = x->kind == FEATURE_BEHIND_VARIABLE || x->kind == FEATURE_BEHIND_STATE;
    bool known = x->kind == FEATURE_SET || (x->kind >= FEATURE_POSSIBLE && x->kind <= FEATURE_LIKELIHOOD);
    for (int i = from; i < to && (behind || known); i++) {
        const tree_place *p = &u->s->place[u->index[i]];
        if (behind ? p->behind < 0 : p->plan >= 0) return false;
    }
    return true;
}

/* The best tests of a range, best first; 0: it cannot be separated. */
static int find_tests(inducer *u, int from, int to, ranking *r)
{
    r->count = 0;
    side all = {0};
    memset(u->right, 0, (size_t)u->classes * sizeof *u->right);
    for (int i = from; i < to; i++) move(u, &all, u->right, u->label[u->index[i]], weight_of(u, u->index[i]));
    for (int resort = 0; resort < 2 && r->count == 0; resort++)
        for (int c = 0; c < u->columns; c++) {
            const feature *x = &u->f->list[u->column[c]];
            if (x->last_resort == resort && is_defined(u, x, from, to)) offer_column(u, c, from, to, &all, r);
        }
    u->work += (double)(to - from) * u->columns;
    return r->count;
}

/* ---- search ---------------------------------------------------------------------------------------------------------------- */

/* Moves the samples with yes to the front of the range; returns the first one with no. */
static int divide(inducer *u, const candidate *x, int from, int to)
{
    const int *code = u->code + (size_t)x->feature * (size_t)u->s->count;
    int at = from;
    for (int i = 0; i < x->members; i++) u->yes[x->member[i]] = 1;
    for (int i = from; i < to; i++) {
        int v = code[u->index[i]], moved = u->index[i];
        bool yes = x->test == TEST_AT_MOST ? v <= x->rank : x->test == TEST_EQUALS ? v == x->rank : u->yes[v];
        if (!yes) continue;
        u->index[i] = u->index[at];
        u->index[at++] = moved;
    }
    for (int i = 0; i < x->members; i++) u->yes[x->member[i]] = 0;
    return at;
}

static bool is_pure(const inducer *u, int from, int to)
{
    for (int i = from + 1; i < to; i++)
        if (u->label[u->index[i]] != u->label[u->index[from]]) return false;
    return true;
}

static int search_leaves(inducer *u, int from, int to, int level, int most);

/* The test whose subtrees of a level have the fewest leaves; false: none. Sums over `most` leaves are not followed. */
static bool choose_test(inducer *u, int from, int to, int level, candidate *best)
{
    if (u->work >= u->budget) level = 0;
    ranking found = {.most = level > 0 ? CANDIDATES : 1};
    int count = find_tests(u, from, to, &found), fewest = INT_MAX;
    const candidate *list = found.list;
    if (count == 0) return false;
    *best = list[0];
    for (int i = 0; i < count && level > 0 && (i == 0 || u->work < u->budget); i++) {
        int middle = divide(u, &list[i], from, to);
        int yes = search_leaves(u, from, middle, level - 1, fewest - 1);
        int no = yes < fewest ? search_leaves(u, middle, to, level - 1, fewest - yes) : 0;
        if (yes + no >= fewest || yes >= fewest) continue;
        fewest = yes + no;
        *best = list[i];
        if (fewest == 2) break;
    }
    return true;
}

/* Number of leaves of the subtree of a level over a range; at least `most` if it is not below. */
static int search_leaves(inducer *u, int from, int to, int level, int most)
{
    candidate best;
    if (is_pure(u, from, to)) return 1;
    if (most <= 2) return 2; /* two or more */
    if (!choose_test(u, from, to, level, &best)) return 1;
    int middle = divide(u, &best, from, to), yes = search_leaves(u, from, middle, level, most - 1);
    if (yes >= most) return most;
    return yes + search_leaves(u, middle, to, level, most - yes);
}

/* The shortest decimal in [a, b), or a if it is whole. */
static double between(double a, double b)
{
    char word[40];
    if (a == floor(a)) return a;
    for (int digits = 1; digits < 17; digits++) {
        format_text(word, sizeof word, "%.*g", digits, a + (b - a) / 2);
        double x = number_read(word, &(char *){NULL});
        if (x >= a && x < b) return x;
    }
    return a;
}

static int add_node(inducer *u, int from, int to)
{
    rule_tree *out = u->out;
    escape_grow(u->f->e, (void **)&out->node, &out->capacity, out->nodes, sizeof *out->node);
    rule_node *n = &out->node[out->nodes++];
    *n = (rule_node){.feature = -1, .places = to - from};
    return (int)out->nodes - 1;
}

static void set_test(inducer *u, int node, const candidate *x, int from, int to)
{
    int c = x->feature;
    rule_node *n = &u->out->node[node];
    n->feature = u->column[c];
    n->test = x->test;
    if (x->test == TEST_AMONG) {
        n->members = x->members;
        for (int i = 0; i < x->members; i++) n->member[i] = u->high[c] ? (int)u->high[c][x->member[i]] : x->member[i];
        qsort(n->member, (size_t)n->members, sizeof *n->member, ascending_ints);
    } else if (x->test == TEST_EQUALS) {
        n->threshold = u->high[c][x->rank];
    } else {
        const int *code = u->code + (size_t)c * (size_t)u->s->count;
        int next = u->codes[c] - 1; /* of the ranks here above x->rank the least one */
        for (int i = from; i < to; i++)
            if (code[u->index[i]] > x->rank && code[u->index[i]] < next) next = code[u->index[i]];
        n->threshold = between(u->high[c][x->rank], u->low[c][next]);
    }
}

/* Half of the work may go into the test, the rest into the subtrees by their size. */
static int build(inducer *u, int from, int to, int level, int depth, double work)
{
    candidate best;
    double end = u->work + work;
    u->budget = u->work + work / 2;
    int node = add_node(u, from, to);
    u->out->depth = depth > u->out->depth ? depth : u->out->depth;
    if (is_pure(u, from, to) || !choose_test(u, from, to, level, &best)) {
        u->out->leaves++;
        return node;
    }
    set_test(u, node, &best, from, to);
    int middle = divide(u, &best, from, to);
    int yes = build(u, from, middle, level, depth + 1, (end - u->work) * (middle - from) / (to - from));
    int no = build(u, middle, to, level, depth + 1, end - u->work);
    u->out->node[node].yes = yes;
    u->out->node[node].no = no;
    return node;
}

/* With the first `count` features. */
static void inducer_make(inducer *u, features *f, size_t count, const sample *s)
{
    *u = (inducer){.f = f, .s = s, .label = s->decision};
    for (int i = 0; i < s->count; i++) u->classes = s->decision[i] >= u->classes ? s->decision[i] + 1 : u->classes;
    make_columns(u, count);
}

/* Replaces *best by the tree of fewest leaves over both impurities and rising levels. */
static void improve(inducer *u, rule_tree *best)
{
    for (int level = 0; level < MOST_LEVELS; level++)
        for (int gini = 0; gini < 2; gini++) {
            rule_tree made = {0};
            u->gini = gini;
            u->work = 0;
            u->out = &made;
            build(u, 0, u->s->count, level, 0, WORK / 4);
            if (best->leaves == 0 || made.leaves < best->leaves) *best = made;
        }
}

void tree_grow_exact(features *f, const sample *s, rule_tree *out)
{
    inducer u;
    *out = (rule_tree){0};
    inducer_make(&u, f, f->plain, s);
    improve(&u, out);
    if (f->count == f->plain || out->leaves < 4) return;
    rule_tree oblique = {0};
    inducer_make(&u, f, f->count, s);
    improve(&u, &oblique);
    if (oblique.leaves <= SUMS_SAVE * out->leaves) *out = oblique;
}

/* ---- trees of limited size ------------------------------------------------------------------------------------------------- */

typedef struct growing_leaf {
    int node, from, to;
    candidate test;
    double gain; /* of the weighted impurity; 0: none */
} growing_leaf;

static void look_ahead(inducer *u, growing_leaf *leaf)
{
    side all = {0};
    memset(u->left, 0, (size_t)u->classes * sizeof *u->left);
    for (int i = leaf->from; i < leaf->to; i++) move(u, &all, u->left, u->label[u->index[i]], weight_of(u, u->index[i]));
    memset(u->left, 0, (size_t)u->classes * sizeof *u->left);
    leaf->gain = 0;
    ranking found = {.most = 1};
    if (is_pure(u, leaf->from, leaf->to) || find_tests(u, leaf->from, leaf->to, &found) == 0) return;
    leaf->test = found.list[0];
    leaf->gain = fmax(impurity(u, all.mass, all.pure) - leaf->test.score, 1e-12);
}

void tree_grow_weighted(features *f, const sample *s, int leaves, rule_tree *out)
{
    inducer u;
    *out = (rule_tree){0};
    inducer_make(&u, f, f->plain, s);
    u.weight = s->weight;
    u.out = out;
    growing_leaf *leaf = escape_new(f->e, (size_t)leaves, sizeof *leaf);
    leaf[0] = (growing_leaf){.node = add_node(&u, 0, s->count), .to = s->count};
    look_ahead(&u, &leaf[0]);
    for (out->leaves = 1; out->leaves < leaves; out->leaves++) {
        int best = 0;
        for (int i = 1; i < out->leaves; i++)
            if (leaf[i].gain > leaf[best].gain) best = i;
        if (!(leaf[best].gain > 0)) break;
        growing_leaf was = leaf[best];
        set_test(&u, was.node, &was.test, was.from, was.to);
        int middle = divide(&u, &was.test, was.from, was.to), yes = add_node(&u, was.from, middle),
            no = add_node(&u, middle, was.to);
        out->node[was.node].yes = yes;
        out->node[was.node].no = no;
        leaf[best] = (growing_leaf){.node = yes, .from = was.from, .to = middle};
        leaf[out->leaves] = (growing_leaf){.node = no, .from = middle, .to = was.to};
        look_ahead(&u, &leaf[best]);
        look_ahead(&u, &leaf[out->leaves]);
    }
}

enum { THRESHOLDS = 12 }; /* of a number, as tests to try */

int tree_tests(features *f, const sample *s, rule_node **list)
{
    inducer u;
    size_t capacity = 0;
    int count = 0;
    *list = NULL;
    inducer_make(&u, f, f->plain, s);
    for (int c = 0; c < u.columns; c++) {
        const feature *x = &f->list[u.column[c]];
        int last = u.codes[c] - (x->number ? 1 : 0), step = x->number ? 1 + last / THRESHOLDS : 1;
        for (int i = 0; i < last && !x->last_resort && x->kind <= FEATURE_LIKELIHOOD; i += step) {
            escape_grow(f->e, (void **)list, &capacity, (size_t)count, sizeof **list);
            rule_node *n = &(*list)[count++];
            *n = (rule_node){.feature = u.column[c], .test = x->number ? TEST_AT_MOST : TEST_AMONG, .members = 1, .member = {i}};
            if (x->number) n->threshold = between(u.high[c][i], u.low[c][i + 1]);
        }
    }
    return count;
}
