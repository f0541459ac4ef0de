/* plan/groups/partition.c - see groups.h.
 *
 *     least over partitions of max_g rho(g),   rho(g) the least maximum regret of the environments of g
 *
 * rho grows with g: a policy for g is a policy for each part of g, since all groups use the knowledge of the whole model. (If they
 * only saw which of their own environments are consistent, this would fail: two histories may differ in the other environments
 * only, and policies of L updates for the part could not distinguish them.) So a set with rho above v cannot be a group in a
 * partition of value v: it is forbidden at v. A few groups are made first, each split by its policy's regrets (begin_groups), so
 * that there is an answer before all pairs are planned. Then there are two kinds of rounds:
 *
 *     spread:   the least v at which the environments can be coloured without a forbidden set (colour_groups) is a lower
 * bound. The groups of this colouring are planned, which gives first partitions.
 *     improve:  v is slightly below the best partition. For each group of a colouring only one question is planned: is there a
 * policy of regret v? Such a plan ends with the first answer (vouch_plan_options.enough and .cutoff). If all groups have one, the
 * partition is better; if nothing can be coloured, the best one is optimal.
 *
 * In both a forbidden group is reduced to a small set that is still forbidden (J. W. Chinneck and E. W. Dravnieks, ORSA Journal on
 * Computing 3, 1991), which the next colouring avoids. Work is counted, so the answer does not depend on threads. The problem: "k
 * adaptive policy selection", arXiv 2608.02509; there without promises and bounds.
 *
 * Invariant: bound <= value of every partition. Termination: each round raises a bound of a set, or closes the gap.
 */
#include "base/bits.h"
#include "plan/groups/groups.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

enum { PAIRS_MOST = 2500 }; /* pairs planned before anything else */

/* Work limits in inductions: of a first pair; of a group before pairs; of a group that needs a good policy; of a group with one
 * environment more or less; of a set to reduce. */
static const long long PAIR_WORK = 1000, BEGIN_WORK = 4000, GROUP_WORK = 40000, MOVE_WORK = 2000, BLAME_WORK = 80000;
/* Shares of the gap: gap of a single plan; required improvement of a better partition; distance from it at which a set is
 * forbidden. */
static const double PLAN_SHARE = 0.25, BETTER_SHARE = 0.5, FORBIDDEN_SHARE = 0.9;

/* ---- colouring a hypergraph ----
 *
 * Depth first: the environment with the fewest open groups is next (D. Brelaz, New methods to color the vertices of a graph,
 * Communications of the ACM 22, 1979), first into the group whose pairs with it have least regret; of empty groups only the first
 * is tried. A forbidden set closes a group to its last environment when the others are in. Cost: O(K sets) a node. */
static const long long MOST_NODES = 200000;

typedef struct painter {
    const subsets *s;
    int K, policies, words;
    int *forbidden, count; /* numbers of the minimal forbidden sets */
    double *pair;          /* [K * K] least rho known of two together */
    uint64_t *in;          /* [policies * words] members of each group */
    int *colour;
    int used;
    long long nodes;
    bool *needed; /* [sets] NULL: not wanted */
    arena memory;
} painter;

/* The forbidden set that environment k would complete in group g, which is used then; -1: none. */
static int closing(const painter *p, int k, int g)
{
    const uint64_t *in = p->in + (size_t)g * (size_t)p->words;
    for (int i = 0; i < p->count; i++) {
        const uint64_t *set = intern_key(&p->s->sets, p->forbidden[i]);
        if (!bits_has(set, k)) continue;
        bool others = true;
        for (int w = 0; w < p->words && others; w++) {
            uint64_t rest = set[w];
            if (w == k / 64) rest &= ~(UINT64_C(1) << (k % 64));
            others = !(rest & ~in[w]);
        }
        if (others) return p->forbidden[i];
    }
    return -1;
}

/* Notes why group g is closed to environment k, if it is. */
static bool note_closed(const painter *p, int k, int g)
{
    int set = closing(p, k, g);
    if (set >= 0 && p->needed) p->needed[set] = true;
    return set >= 0;
}

/* Groups that are worth trying: those in use, and one empty one. */
static int groups_open(const painter *p) { return p->used < p->policies ? p->used + 1 : p->policies; }

/* The uncoloured environment with the fewest open groups; -1: all are coloured. *open: how many it has. */
static int choose_environment(const painter *p, int *open)
{
    int best = -1;
    *open = p->policies + 1;
    for (int k = 0; k<p->K && * open> 0; k++) {
        if (p->colour[k] >= 0) continue;
        int n = 0;
        for (int g = 0; g < groups_open(p); g++) n += closing(p, k, g) < 0;
        if (n < *open) {
            *open = n;
            best = k;
        }
    }
    return best;
}

static double regret_beside(const painter *p, int k, int g)
{
    double most = 0;
    const uint64_t *in = p->in + (size_t)g * (size_t)p->words;
    for (int j = 0; j < p->K; j++)
        if (bits_has(in, j)) most = fmax(most, p->pair[(size_t)k * (size_t)p->K + (size_t)j]);
    return most;
}

static colouring paint(painter *p)
{
    int open, k = choose_environment(p, &open);
    if (k < 0) return COLOURED;
    for (int g = 0; g < groups_open(p) && open == 0; g++) note_closed(p, k, g);
    if (open == 0) return NOT_COLOURABLE;
    if (++p->nodes > MOST_NODES) return COLOUR_UNKNOWN;
    int groups = groups_open(p);
    double after = -1; /* groups are tried in the order of (regret beside, number), each after the one before */
    int last = -1;
    for (int tried = 0; tried < groups; tried++) {
        int g = -1;
        double least = INFINITY;
        for (int i = 0; i < groups; i++) {
            double r = regret_beside(p, k, i);
            bool later = r > after || (r == after && i > last);
            if (later && (g < 0 || r < least)) {
                g = i;
                least = r;
            }
        }
        if (g < 0) break;
        after = least;
        last = g;
        if (note_closed(p, k, g)) continue;
        bool fresh = g == p->used;
        uint64_t *in = p->in + (size_t)g * (size_t)p->words;
        bits_add(in, k);
        p->colour[k] = g;
        p->used += fresh;
        colouring c = paint(p);
        if (c != NOT_COLOURABLE) return c;
        bits_remove(in, k);
        p->colour[k] = -1;
        p->used -= fresh;
    }
    return NOT_COLOURABLE;
}

/* Collects the minimal forbidden sets. */
static int collect(painter *p, double least)
{
    const subsets *s = p->s;
    p->forbidden = ARENA_NEW(&p->memory, int, s->sets.count + 1);
    p->pair = ARENA_ZERO(&p->memory, double, (size_t)p->K *(size_t)p->K);
    p->in = ARENA_ZERO(&p->memory, uint64_t, (size_t)p->policies * (size_t)p->words);
    if (p->memory.failed) return -1;
    for (int i = 0; i < s->sets.count; i++) {
        const uint64_t *set = intern_key(&s->sets, i);
        int size = bits_count(set, s->words);
        if (size == 2) {
            int first = 0;
            while (!bits_has(set, first)) first++;
            int second = first + 1;
            while (!bits_has(set, second)) second++;
            p->pair[(size_t)first * (size_t)p->K + (size_t)second] = p->pair[(size_t)second * (size_t)p->K + (size_t)first] =
                s->item[i].low;
        }
        if (!(s->item[i].low >= least)) continue;
        bool minimal = true;
        for (int j = 0; j < s->sets.count && minimal && size > 2; j++) {
            if (j == i || !(s->item[j].low >= least)) continue;
            minimal = !bits_within(intern_key(&s->sets, j), set, s->words);
        }
        if (minimal) p->forbidden[p->count++] = i;
    }
    return 0;
}

/* Numbers groups by their first environment. */
static void order(painter *p, int number[])
{
    int next = 0;
    for (int g = 0; g < p->policies; g++) number[g] = -1;
    for (int k = 0; k < p->K; k++) {
        if (number[p->colour[k]] < 0) number[p->colour[k]] = next++;
        p->colour[k] = number[p->colour[k]];
    }
}

colouring colour_groups(const subsets *s, int policies, double least, int colour[], int *failed, bool used[])
{
    painter p = {
        .s = s, .K = s->K, .policies = policies < s->K ? policies : s->K, .words = s->words, .colour = colour, .needed = used};
    colouring c = COLOUR_UNKNOWN;
    int *number = ARENA_NEW(&p.memory, int, p.policies);
    *failed = collect(&p, least);
    for (int k = 0; k < s->K; k++) colour[k] = -1;
    if (!*failed) c = paint(&p);
    if (c == COLOURED) order(&p, number);
    arena_free(&p.memory);
    return c;
}

/* ---- the search ---- */

vouch_status partition_init(grouping *p)
{
    p->value = INFINITY;
    p->s.options.gap = PLAN_SHARE * p->gap;
    vouch_status status = subsets_init(&p->s);
    size_t K = (size_t)p->s.K;
    arena *a = &p->memory;
    p->colour = ARENA_NEW(a, int, K);
    p->number = ARENA_NEW(a, int, K);
    p->try = ARENA_NEW(a, int, K);
    p->list = ARENA_NEW(a, int, K);
    p->at_hand = ARENA_NEW(a, int, K);
    p->regret = ARENA_NEW(a, double, K);
    p->set = ARENA_NEW(a, uint64_t, p->s.words);
    return !status && a->failed ? error_memory(p->s.error) : status;
}

void partition_free(grouping *p)
{
    subsets_free(&p->s);
    arena_free(&p->memory);
}

static vouch_status schedule_set(grouping *p) { return subsets_schedule(&p->s, subsets_number(&p->s, p->set)); }

static void clear(grouping *p) { memset(p->set, 0, (size_t)p->s.words * sizeof *p->set); }

/* Sets the aim of later plans: stop at a policy of regret `enough` or a bound of `cutoff` (0: neither), or after this work (0: no
 * limit). */
static void aim(grouping *p, double enough, double cutoff, long long work)
{
    p->s.aim = (subset_aim){fmax(0, enough), isfinite(cutoff) ? fmax(0, cutoff) : 0, work};
}

/* The least regret counted as above v; the next number if the gap is below rounding. */
static double above(const grouping *p, double v) { return fmax(v + BETTER_SHARE * p->gap, nextafter(v, INFINITY)); }

/* The value of a partition that counts as better than the best one. */
static double target(const grouping *p)
{
    return p->value < INFINITY ? fmin(p->value - BETTER_SHARE * p->gap, nextafter(p->value, -INFINITY)) : INFINITY;
}

static vouch_status plan_single(grouping *p)
{
    vouch_status status = VOUCH_OK;
    aim(p, 0, INFINITY, 0);
    for (int k = 0; k < p->s.K && !status; k++) {
        clear(p);
        bits_add(p->set, k);
        status = schedule_set(p);
    }
    return status ? status : subsets_run(&p->s);
}

static vouch_status begin_groups(grouping *p);

/* Plans all single environments, then some partitions and all pairs if groups need several environments. */
static vouch_status plan_small(grouping *p)
{
    int K = p->s.K;
    vouch_status status = plan_single(p);
    if (!status && p->policies < K) status = begin_groups(p);
    if (status || p->policies >= K || K * (K - 1) / 2 > PAIRS_MOST || partition_closed(p)) return status;
    aim(p, 0, INFINITY, PAIR_WORK);
    for (int i = 0; i < K && !status; i++) { /* row by row, so that limits are heeded */
        for (int j = 0; j < i && !status; j++) {
            clear(p);
            bits_add(p->set, i);
            bits_add(p->set, j);
            status = schedule_set(p);
        }
        if (subsets_over(&p->s)) p->s.tasks = 0;
        if (!status) status = subsets_run(&p->s);
    }
    return status;
}

/* Possible values of the partition from the bound on, ascending. Returns their number, -1: no memory. */
static int levels(const grouping *p, double **level)
{
    int n = 0, kept = 0;
    double *list = *level = MEM_NEW(double, p->s.sets.count + 1);
    if (!list) return -1;
    list[n++] = p->bound;
    for (int i = 0; i < p->s.sets.count; i++)
        if (p->s.item[i].low > p->bound) list[n++] = p->s.item[i].low;
    qsort(list, (size_t)n, sizeof *list, ascending_reals);
    for (int i = 0; i < n; i++)
        if (i == 0 || list[i] > list[kept - 1]) list[kept++] = list[i];
    return kept;
}

/* Colours the environments at the least feasible level, and raises the bound to the level that is proved. NOT_COLOURABLE: no
 * finite level is feasible. UNKNOWN: neither was shown. */
static vouch_status relax(grouping *p, colouring *outcome)
{
    double *level;
    int n = levels(p, &level), failed = n < 0 ? -1 : 0, finite = 0, low = 0;
    while (finite < n && level[finite] < INFINITY) finite++;
    int high = finite;
    bool shown = true;
    while (low < high && !failed) {
        int middle = (low + high) / 2;
        colouring c = colour_groups(&p->s, p->policies, above(p, level[middle]), p->try, &failed, NULL);
        if (c == COLOURED) {
            high = middle;
        } else {
            low = middle + 1;
            shown = shown && c == NOT_COLOURABLE;
            if (c == NOT_COLOURABLE) p->bound = fmax(p->bound, low < finite ? level[low] : INFINITY);
        }
    }
    *outcome = shown ? NOT_COLOURABLE : COLOUR_UNKNOWN;
    if (!failed && high < finite) *outcome = colour_groups(&p->s, p->policies, above(p, level[high]), p->try, &failed, NULL);
    mem_free(level);
    return failed ? error_memory(p->s.error) : VOUCH_OK;
}

/* The set of group c of the current partition, in p->set; false: empty. */
static bool group_set(grouping *p, int c)
{
    bool any = false;
    clear(p);
    for (int k = 0; k < p->s.K; k++)
        if (p->try[k] == c) {
            bits_add(p->set, k);
            any = true;
        }
    return any;
}

static vouch_status plan_at_hand(grouping *p, int groups)
{
    vouch_status status = VOUCH_OK;
    for (int c = 0; c < groups && !status; c++) status = subsets_schedule(&p->s, p->at_hand[c]);
    return status ? status : subsets_run(&p->s);
}

/* Plans policies for the groups of the current partition, with this much work. */
static vouch_status plan_groups(grouping *p, long long work, int *groups)
{
    vouch_status status = VOUCH_OK;
    *groups = 0;
    for (int c = 0; c < p->s.K && group_set(p, c) && !status; c++) {
        p->at_hand[(*groups)++] = subsets_number(&p->s, p->set);
        if (p->at_hand[c] < 0) status = error_memory(p->s.error);
    }
    aim(p, p->bound, target(p), work);
    return status ? status : plan_at_hand(p, *groups);
}

/* Stores the current partition if it is better than the best; else false. */
static bool adopt(grouping *p, int groups)
{
    double value = 0;
    for (int c = 0; c < groups; c++) value = fmax(value, p->s.item[p->at_hand[c]].high);
    if (!(value < p->value)) return false;
    p->groups = groups;
    p->value = value;
    MEM_COPY(p->colour, p->try, p->s.K);
    MEM_COPY(p->number, p->at_hand, groups);
    return true;
}

static vouch_status descend(grouping *p);

/* Plans the groups of the current partition: policies with limited work, then, unless `quick`, whether they attain v. Stores the
 * partition if it is the best. */
static vouch_status judge(grouping *p, double v, bool quick, int *groups)
{
    vouch_status status = plan_groups(p, GROUP_WORK, groups);
    aim(p, v, v, 0);
    if (!status && !quick) status = plan_at_hand(p, *groups);
    return !status && adopt(p, *groups) ? descend(p) : status;
}

/* First partitions, before the possibly many pairs are planned: repeatedly splits the group of the largest regret into
 * environments above and below half of it. */
static vouch_status begin_groups(grouping *p)
{
    int groups;
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < p->s.K; k++) p->try[k] = 0;
    for (int made = 1; made <= p->policies && !status && !subsets_over(&p->s); made++) {
        status = plan_groups(p, BEGIN_WORK, &groups);
        if (status) break;
        (void)adopt(p, groups);
        int worst = 0;
        for (int c = 1; c < groups; c++)
            if (p->s.item[p->at_hand[c]].high > p->s.item[p->at_hand[worst]].high) worst = c;
        const subset *of = &p->s.item[p->at_hand[worst]];
        int n = bits_list(intern_key(&p->s.sets, p->at_hand[worst]), p->s.words, p->list);
        if (!of->policy || !(of->high < INFINITY) || n < 2) break;
        subset_regrets(&p->s, p->at_hand[worst], p->regret);
        double most = -INFINITY, least = INFINITY;
        for (int i = 0; i < n; i++) most = fmax(most, p->regret[i]);
        for (int i = 0; i < n; i++) least = fmin(least, p->regret[i]);
        if (!(least < most)) break;
        for (int i = 0; i < n; i++)
            if (p->regret[i] > (least + most) / 2) p->try[p->list[i]] = groups;
    }
    return status;
}

/* The set of the best partition's group c, with (or without) environment k. -1: no memory. */
static int changed_set(grouping *p, int c, int k, bool with)
{
    MEM_COPY(p->set, intern_key(&p->s.sets, p->number[c]), p->s.words);
    if (with)
        bits_add(p->set, k);
    else
        bits_remove(p->set, k);
    return subsets_number(&p->s, p->set);
}

/* Moves environment k into group c of the best partition if limited work finds it better. */
static vouch_status move(grouping *p, int k, int c, bool *better)
{
    int from = p->colour[k], more = changed_set(p, c, k, true), less = changed_set(p, from, k, false);
    vouch_status status = more < 0 || less < 0 ? error_memory(p->s.error) : VOUCH_OK;
    aim(p, 0, target(p), MOVE_WORK);
    if (!status) status = subsets_schedule(&p->s, more);
    if (!status) status = subsets_schedule(&p->s, less);
    if (!status) status = subsets_run(&p->s);
    double value = status ? INFINITY : fmax(p->s.item[more].high, p->s.item[less].high);
    for (int g = 0; g < p->groups; g++)
        if (g != c && g != from) value = fmax(value, p->s.item[p->number[g]].high);
    *better = value < target(p);
    if (!*better) return status;
    p->value = value;
    p->number[c] = more;
    p->number[from] = less;
    p->colour[k] = c;
    return VOUCH_OK;
}

/* Moves environments out of the group of the largest regret while this improves the best partition. */
static vouch_status descend(grouping *p)
{
    vouch_status status = VOUCH_OK;
    bool better = p->groups > 1;
    while (better && !status && !subsets_over(&p->s)) {
        int worst = 0;
        for (int c = 1; c < p->groups; c++)
            if (p->s.item[p->number[c]].high > p->s.item[p->number[worst]].high) worst = c;
        better = false;
        if (bits_count(intern_key(&p->s.sets, p->number[worst]), p->s.words) < 2) break;
        for (int k = 0; k < p->s.K && !better && !status; k++)
            for (int c = 0; c < p->groups && p->colour[k] == worst && !better && !status; c++)
                if (c != worst) status = move(p, k, c, &better);
    }
    return status;
}

/* Plans for p->set; *low: its lower bound. */
static vouch_status plan_set(grouping *p, double *low, int *number)
{
    *number = subsets_number(&p->s, p->set);
    vouch_status status = subsets_schedule(&p->s, *number);
    if (!status) status = subsets_run(&p->s);
    *low = status ? 0 : p->s.item[*number].low;
    return status;
}

/* The environments of a set whose regret under its policy is above v, into p->set; false: all of them, or fewer than two. */
static bool regretted(grouping *p, int number, double v)
{
    const subset *of = &p->s.item[number];
    if (!of->policy || !(of->high < INFINITY)) return false;
    int n = bits_list(intern_key(&p->s.sets, number), p->s.words, p->list), kept = 0;
    subset_regrets(&p->s, number, p->regret);
    clear(p);
    for (int i = 0; i < n; i++)
        if (p->regret[i] >= v) {
            bits_add(p->set, p->list[i]);
            kept++;
        }
    return kept >= 2 && kept < n;
}

/* Reduces a set of rho >= v while limited work still proves that for the rest (aiming at the best partition's value): to the
 * environments with large regret, by halves, then one by one. */
static vouch_status blame(grouping *p, int number, double v)
{
    double low;
    int part;
    vouch_status status = VOUCH_OK;
    aim(p, v, target(p), BLAME_WORK);
    while (!status && !subsets_over(&p->s) && regretted(p, number, v)) {
        status = plan_set(p, &low, &part);
        if (!(low >= v)) break;
        number = part;
    }
    int n = bits_list(intern_key(&p->s.sets, number), p->s.words, p->list);
    for (int chunk = n / 2; chunk >= 1 && !status; chunk /= 2)
        for (int last = n; last > 0 && n > 2 && !status && !subsets_over(&p->s); last -= chunk) {
            int first = last > chunk ? last - chunk : 0;
            if (n - (last - first) < 2) continue;
            MEM_COPY(p->set, intern_key(&p->s.sets, number), p->s.words);
            for (int i = first; i < last; i++) bits_remove(p->set, p->list[i]);
            status = plan_set(p, &low, &part);
            if (!(low >= v)) continue;
            number = part;
            memmove(p->list + first, p->list + last, (size_t)(n - last) * sizeof *p->list);
            n -= last - first;
        }
    return status;
}

/* Reduces the current groups of rho above v. */
static vouch_status blame_at_hand(grouping *p, int groups, double v)
{
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < groups && !status; i++)
        if (p->s.item[p->at_hand[i]].low >= v) status = blame(p, p->at_hand[i], v);
    return status;
}

/* All environments in one group. */
static vouch_status plan_one_group(grouping *p)
{
    clear(p);
    for (int k = 0; k < p->s.K; k++) bits_add(p->set, k);
    aim(p, 0, INFINITY, 0);
    vouch_status status = plan_set(p, &p->bound, p->number);
    if (status) return status;
    const subset *all = &p->s.item[*p->number];
    p->infeasible = p->bound == INFINITY;
    p->groups = all->high < INFINITY;
    p->value = all->high;
    for (int k = 0; k < p->s.K; k++) p->colour[k] = 0;
    return VOUCH_OK;
}

/* on: another round is needed. */
static vouch_status spread(grouping *p, bool *on)
{
    colouring c;
    int groups;
    vouch_status status = relax(p, &c);
    *on = false;
    if (!status && c == NOT_COLOURABLE) p->infeasible = true;
    if (status || c != COLOURED) return status;
    long long planned = p->s.planned;
    double v = above(p, p->bound);
    status = judge(p, v, p->groups > 0, &groups);
    if (!status) status = blame_at_hand(p, groups, v);
    *on = p->s.planned > planned;
    return status;
}

static vouch_status improve(grouping *p, bool *on)
{
    int failed, groups;
    double v = target(p), least = p->value - FORBIDDEN_SHARE * p->gap;
    *on = false;
    colouring c = colour_groups(&p->s, p->policies, least, p->try, &failed, NULL);
    if (failed) return error_memory(p->s.error);
    if (c == NOT_COLOURABLE) p->bound = fmax(p->bound, least);
    if (c != COLOURED) return VOUCH_OK;
    double value = p->value;
    long long planned = p->s.planned;
    vouch_status status = judge(p, v, false, &groups);
    if (!status) status = blame_at_hand(p, groups, least);
    *on = p->s.planned > planned || p->value < value;
    return status;
}

static bool over(const grouping *p) { return p->infeasible || partition_closed(p) || subsets_over(&p->s); }

/* Takes over better policies of the best groups found since. */
static void update_value(grouping *p)
{
    if (p->groups == 0) return;
    p->value = 0;
    for (int c = 0; c < p->groups; c++) p->value = fmax(p->value, p->s.item[p->number[c]].high);
    p->bound = fmin(p->bound, p->value);
}

vouch_status partition_search(grouping *p)
{
    bool on = true;
    colouring c;
    vouch_status status = p->policies == 1 ? plan_one_group(p) : plan_small(p);
    if (p->policies == 1) on = false;
    while (on && !status && !over(p)) status = spread(p, &on);
    on = p->groups > 0 && p->policies > 1;
    while (on && !status && !over(p)) status = improve(p, &on);
    if (!status && p->policies > 1 && !p->infeasible && !partition_closed(p)) status = relax(p, &c);
    update_value(p);
    return status;
}
