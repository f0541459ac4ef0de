/* plan/spatial/box_agree.c - see box_agree.h: a walk in depth over the corners of the nodes' boxes, time after time. Cost: a visit
 * looks at what follows a node's choices, and a corner that is taken adds to it, each O(edges K). Invariant: w is what the corners
 * picked lead to, and zero at times that nothing has come to. */
#include "plan/spatial/box_agree.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

/* More choices have too many corners, and a walk is as deep as there are nodes. */
enum { MOST_CHOICES = 5, MOST_NODES = 4000 };
/* Rounding of a sum of sides; corners nearer than SAME are one. */
static const double SIDES = 1e-12, SAME = 1e-14;

/* A box of so many choices whose sum is 1 has at most count * binomial(count - 1, (count - 1) / 2) corners. There is room for one
 * more, which rounding has made where it is come to. */
static int corners_of(int count)
{
    static const int most[MOST_CHOICES + 1] = {0, 1, 2, 6, 12, 30};
    return most[count];
}

static int choices_of(const know_graph *g, int n) { return g->choice_start[n + 1] - g->choice_start[n]; }

static bool fits(const know_graph *g)
{
    if (g->nodes > MOST_NODES) return false;
    for (int n = 0; n < g->time_start[g->T]; n++)
        if (choices_of(g, n) > MOST_CHOICES) return false;
    return true;
}

/* Nodes before L, then those of each boundary: each part by time. For L = T there is no other part than the first. */
static void make_parts(box_agree *x)
{
    const know_graph *g = x->g;
    arena *a = &x->memory;
    int first = g->time_start[g->L], others = g->L < g->T ? g->time_start[g->L + 1] - first : 0, place = 0;
    x->part = ARENA_NEW(a, agree_part, 1 + others);
    x->hope = ARENA_NEW(a, double, others);
    for (int i = 0; i <= others && !a->failed; i++) {
        int begin = i ? g->L : 0, end = i ? g->T : g->L;
        int *start = ARENA_NEW(a, int, g->T + 1);
        if (!start) return;
        for (int t = begin; t < end; t++) {
            start[t] = place;
            for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++)
                if (!i || g->boundary[n] == first + i - 1) x->list[place++] = n;
        }
        start[end] = place;
        x->part[i] = (agree_part){begin, end, start, 0};
    }
}

vouch_status box_agree_new(const know_graph *g, box_agree **out)
{
    *out = NULL;
    if (!fits(g)) return VOUCH_OK;
    box_agree *x = MEM_ZERO(box_agree, 1);
    if (!x) return VOUCH_ERROR_MEMORY;
    arena *a = &x->memory;
    size_t K = (size_t)g->K, shares = 0;
    int decided = g->time_start[g->T], corners = 0;
    x->g = g;
    x->corner_start = ARENA_NEW(a, int, decided + 1);
    x->corners = ARENA_ZERO(a, int, decided);
    x->share_start = ARENA_NEW(a, size_t, decided);
    for (int n = 0; n < decided && !a->failed; n++) {
        x->corner_start[n] = corners;
        x->share_start[n] = shares;
        corners += corners_of(choices_of(g, n)) + 1;
        shares += (size_t)((corners_of(choices_of(g, n)) + 1) * choices_of(g, n));
        x->corner_start[n + 1] = corners;
    }
    x->share = ARENA_NEW(a, double, shares);
    x->after = ARENA_NEW(a, double, (size_t)g->choices *K);
    x->alone = ARENA_NEW(a, double, (size_t)g->nodes *K);
    x->w = ARENA_ZERO(a, double, (size_t)g->nodes *K);
    x->now = ARENA_NEW(a, double, g->choices);
    x->worth = ARENA_NEW(a, double, corners);
    x->order = ARENA_NEW(a, int, corners);
    x->rest = ARENA_NEW(a, double, g->nodes + 1);
    x->saved = ARENA_NEW(a, double, (size_t)g->edges *K);
    x->pick = ARENA_ZERO(a, int, decided);
    x->part_pick = ARENA_ZERO(a, int, decided);
    x->best_pick = ARENA_ZERO(a, int, decided);
    x->open = ARENA_NEW(a, unsigned char, g->choices);
    x->list = ARENA_NEW(a, int, decided);
    if (!a->failed) make_parts(x);
    if (a->failed) {
        box_agree_free(x);
        return VOUCH_ERROR_MEMORY;
    }
    *out = x;
    return VOUCH_OK;
}

void box_agree_free(box_agree *x)
{
    if (!x) return;
    arena_free(&x->memory);
    mem_free(x);
}

static double *corner(const box_agree *x, int n, int i) { return x->share + x->share_start[n] + (size_t)(i * choices_of(x->g, n)); }

/* The corner of node n with all choices but `loose` at the sides given by bits (1: high), the loose one having the rest; counted
 * unless it is none or there. */
static void add_corner(box_agree *x, int n, int loose, unsigned sides, policy_box in)
{
    int count = choices_of(x->g, n), first = x->g->choice_start[n];
    double *share = corner(x, n, x->corners[n]), left = 1;
    for (int i = 0; i < count; i++)
        if (i != loose) left -= share[i] = (sides >> i & 1 ? in.high : in.low)[first + i];
    if (left < in.low[first + loose] - SIDES || left > in.high[first + loose] + SIDES) return;
    share[loose] = fmax(0, left);
    for (int j = 0; j < x->corners[n]; j++) {
        double off = 0;
        for (int i = 0; i < count; i++) off = fmax(off, fabs(corner(x, n, j)[i] - share[i]));
        if (off <= SAME) return;
    }
    x->corners[n]++;
}

void box_agree_enter(box_agree *x, policy_box in)
{
    const know_graph *g = x->g;
    x->known = x->blurred = false;
    memset(x->pick, 0, (size_t)g->time_start[g->T] * sizeof *x->pick); /* where nothing comes to */
    memset(x->part_pick, 0, (size_t)g->time_start[g->T] * sizeof *x->part_pick);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int count = choices_of(g, n), first = g->choice_start[n];
        unsigned narrow = 0; /* choices whose sides are one */
        for (int i = 0; i < count; i++) narrow |= (unsigned)(in.low[first + i] == in.high[first + i]) << i;
        x->corners[n] = 0;
        for (int i = 0; i < count; i++) x->open[first + i] = in.high[first + i] > 0;
        for (int loose = 0; loose < count; loose++)
            for (unsigned sides = 0; sides < 1u << count; sides++)
                if (!(sides & (narrow | 1u << loose)) && x->corners[n] <= corners_of(count)) add_corner(x, n, loose, sides, in);
        CHECK(x->corners[n] > 0);
        if (x->corners[n] > corners_of(count)) x->blurred = true;
    }
}

/* What each environment alone makes from each node and choice on. */
static void price_alone(box_agree *x, const double mu[])
{
    const know_graph *g = x->g;
    size_t K = (size_t)g->K;
    memset(x->alone, 0, (size_t)g->nodes * K * sizeof *x->alone);
    for (int n = g->time_start[g->T]; n < g->nodes; n++)
        for (size_t k = 0; k < K; k++) x->alone[(size_t)n * K + k] = mu[k] * know_terminal(g, n, (int)k);
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) {
        int first = g->choice_start[n], count = choices_of(g, n);
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            size_t k = (size_t)g->member[i];
            double best = -INFINITY;
            for (int c = first; c < first + count; c++) {
                double sum = x->reward[(size_t)c * K + k];
                for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
                    if (know_in_set(g, g->set[g->edge_child[e]], (int)k))
                        sum += g->successor_prob[(size_t)g->edge_row[e] * K + k] * x->alone[(size_t)g->edge_child[e] * K + k];
                x->after[(size_t)c * K + k] = sum;
            }
            for (int j = 0; j < x->corners[n]; j++) {
                const double *share = corner(x, n, j);
                double sum = 0;
                for (int c = 0; c < count; c++) sum += share[c] * x->after[(size_t)(first + c) * K + k];
                best = fmax(best, sum);
            }
            x->alone[(size_t)n * K + k] = best;
        }
    }
}

static bool comes(const box_agree *x, int n)
{
    size_t K = (size_t)x->g->K;
    for (size_t k = 0; k < K; k++)
        if (x->w[(size_t)n * K + k] > 0) return true;
    return false;
}

/* The next place of the list from i on, before `end`, whose node is come to; end: none. */
static int next_place(const box_agree *x, int i, int end)
{
    while (i < end && !comes(x, x->list[i])) i++;
    return i;
}

/* What comes by an edge from w, valued as if the environment were known after one more step. */
static double look(const box_agree *x, const double w[], int edge)
{
    const know_graph *g = x->g;
    size_t K = (size_t)g->K;
    int child = g->edge_child[edge], set = g->set[child], count = choices_of(g, child), size = know_set_size(g, set);
    const int *member = g->member + g->member_start[set];
    const double *p = g->successor_prob + (size_t)g->edge_row[edge] * K, *share = corner(x, child, 0);
    double worth[MOST_CHOICES], best = -INFINITY;
    bool any = false;
    for (int c = 0; c < count; c++) worth[c] = 0;
    for (int i = 0; i < size; i++) {
        int k = member[i];
        double flow = w[k] * p[k];
        if (flow == 0) continue;
        any = true;
        const double *after = x->after + (size_t)g->choice_start[child] * K + (size_t)k;
        for (int c = 0; c < count; c++) worth[c] += flow * after[(size_t)c * K];
    }
    if (!any) return 0;
    for (int j = 0; j < x->corners[child]; j++) {
        double sum = 0;
        for (int c = 0; c < count; c++) sum += *share++ * worth[c];
        if (sum > best) best = sum;
    }
    return best;
}

/* Worth and order of the corners of node n at the present w; the most. */
static double price_node(box_agree *x, int n)
{
    const know_graph *g = x->g;
    size_t K = (size_t)g->K;
    const double *w = x->w + (size_t)n * K;
    const int *member = g->member + g->member_start[g->set[n]];
    int first = g->choice_start[n], count = choices_of(g, n), size = know_set_size(g, g->set[n]),
        *order = x->order + x->corner_start[n];
    double *worth = x->worth + x->corner_start[n], later[MOST_CHOICES];
    for (int c = 0; c < count; c++) {
        const double *r = x->reward + (size_t)(first + c) * K, *after = x->after + (size_t)(first + c) * K;
        double sum = 0, all = 0;
        for (int i = 0; i < size; i++) {
            sum += w[member[i]] * r[member[i]];
            all += w[member[i]] * after[member[i]];
        }
        x->now[first + c] = sum;
        later[c] = all;
    }
    if (n < g->time_start[g->T - 1])
        for (int c = 0; c < count; c++) {
            if (!x->open[first + c]) continue;
            later[c] = x->now[first + c];
            for (int e = g->edge_start[first + c]; e < g->edge_start[first + c + 1]; e++) later[c] += look(x, w, e);
        }
    for (int j = 0; j < x->corners[n]; j++) {
        const double *share = corner(x, n, j);
        int at = j;
        worth[j] = 0;
        for (int c = 0; c < count; c++) worth[j] += share[c] * later[c];
        for (; at > 0 && worth[order[at - 1]] < worth[j]; at--) order[at] = order[at - 1];
        order[at] = j;
    }
    x->visits++;
    return worth[order[0]];
}

/* Adds what comes from node n by corner j to the nodes after it, of which `saved` keeps what was there; returns its rewards. */
static double lead(box_agree *x, int n, int j)
{
    const know_graph *g = x->g;
    size_t K = (size_t)g->K;
    const double *share = corner(x, n, j), *w = x->w + (size_t)n * K;
    int first = g->choice_start[n], last = g->choice_start[n + 1];
    double earned = 0;
    for (int e = g->edge_start[first]; e < g->edge_start[last]; e++)
        memcpy(x->saved + (size_t)e * K, x->w + (size_t)g->edge_child[e] * K, K * sizeof *w);
    for (int c = first; c < last; c++) {
        double part = share[c - first];
        if (part == 0) continue;
        earned += part * x->now[c];
        for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
            int child = g->edge_child[e], set = g->set[child];
            const double *p = g->successor_prob + (size_t)g->edge_row[e] * K;
            for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++)
                x->w[(size_t)child * K + (size_t)g->member[i]] += part * w[g->member[i]] * p[g->member[i]];
        }
    }
    return earned;
}

static void undo(box_agree *x, int n)
{
    const know_graph *g = x->g;
    size_t K = (size_t)g->K;
    for (int e = g->edge_start[g->choice_start[n]]; e < g->edge_start[g->choice_start[n + 1]]; e++)
        memcpy(x->w + (size_t)g->edge_child[e] * K, x->saved + (size_t)e * K, K * sizeof *x->w);
}

static void walk_time(box_agree *x, agree_part *part, int t, double earned);

/* The node at place i of the list, of time t, and those after it. earned: before and at those of t already decided; hoped: all that
 * is decided, as it was worth when time t began. */
static void walk_node(box_agree *x, agree_part *part, int t, int i, double earned, double hoped)
{
    int end = part->start[t + 1], n;
    if (i == end) {
        walk_time(x, part, t + 1, earned);
        return;
    }
    n = x->list[i];
    const int *order = x->order + x->corner_start[n];
    const double *worth = x->worth + x->corner_start[n];
    for (int j = 0; j < x->corners[n] && x->visits < x->most; j++) {
        if (!(hoped + worth[order[j]] + x->rest[n] > part->best)) break;
        x->pick[n] = order[j];
        double more = lead(x, n, order[j]);
        walk_node(x, part, t, next_place(x, i + 1, end), earned + more, hoped + worth[order[j]]);
        undo(x, n);
    }
}

/* Of the nodes that are decided apart from the others once all before L are: is the best of all of them better than what is known?
 */
static void walk_parts(box_agree *x, double earned)
{
    const know_graph *g = x->g;
    int first = g->time_start[g->L], last = g->time_start[g->L + 1];
    double rest = 0;
    for (int n = first; n < last; n++)
        if (comes(x, n)) rest += x->hope[n - first] = price_node(x, n);
    for (int n = first; n < last; n++) {
        agree_part *part = x->part + 1 + n - first;
        if (!comes(x, n)) continue;
        rest -= x->hope[n - first];
        double need = x->part->best - earned - rest;
        part->best = need;
        walk_time(x, part, g->L, 0);
        if (!(part->best > need)) return;
        earned += part->best;
    }
    if (!(earned > x->part->best)) return;
    x->part->best = earned;
    memcpy(x->best_pick, x->pick, (size_t)g->time_start[g->L] * sizeof(int));
    for (int i = x->part->start[g->L]; i < g->time_start[g->T]; i++) x->best_pick[x->list[i]] = x->part_pick[x->list[i]];
}

/* All of a part from time t on. */
static void walk_time(box_agree *x, agree_part *part, int t, double earned)
{
    const know_graph *g = x->g;
    double sum = 0;
    if (t == part->end) {
        walk_parts(x, earned);
        return;
    }
    int start = part->start[t], end = part->start[t + 1], last = t + 1 == g->T;
    for (int i = end - 1; i >= start; i--) {
        int n = x->list[i];
        if (!comes(x, n)) continue;
        x->rest[n] = sum;
        sum += price_node(x, n);
        if (last) x->pick[n] = x->order[x->corner_start[n]];
    }
    if (!(earned + sum > part->best)) return;
    if (!last) {
        walk_node(x, part, t, next_place(x, start, end), earned, earned);
        return;
    }
    part->best = earned + sum;
    int *to = part == x->part ? x->best_pick : x->part_pick;
    for (int i = part->start[part->begin]; i < end; i++) to[x->list[i]] = x->pick[x->list[i]];
}

/* w [nodes * K] begins anew. */
static void begin(box_agree *x)
{
    const know_graph *g = x->g;
    size_t K = (size_t)g->K;
    memset(x->w, 0, (size_t)g->nodes * K * sizeof *x->w);
    for (size_t k = 0; k < K; k++) x->w[k] = 1;
}

/* What is made by the corners that were best of this box at other prices. */
static double worth_of_best(box_agree *x)
{
    const know_graph *g = x->g;
    size_t K = (size_t)g->K;
    double earned = 0;
    begin(x);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (!comes(x, n)) continue;
        (void)price_node(x, n);
        earned += lead(x, n, x->best_pick[n]);
    }
    for (size_t i = (size_t)g->time_start[g->T] * K; i < (size_t)g->nodes * K; i++) earned += x->w[i] * x->alone[i];
    return earned;
}

agree_end box_agree_most(box_agree *x, const agree_task *task, double *value, double prob[])
{
    const know_graph *g = x->g;
    x->reward = task->reward;
    x->visits = 0;
    if (x->blurred) return AGREE_GIVEN_UP;
    x->most = task->visits;
    price_alone(x, task->mu);
    x->part->best = x->known ? fmax(task->least, worth_of_best(x)) : task->least;
    begin(x);
    walk_time(x, x->part, 0, 0);
    if (x->visits >= x->most) return AGREE_GIVEN_UP;
    if (x->part->best <= task->least) return AGREE_LESS;
    x->known = true;
    *value = x->part->best;
    for (int n = 0; n < g->time_start[g->T]; n++)
        memcpy(prob + g->choice_start[n], corner(x, n, x->best_pick[n]), (size_t)choices_of(g, n) * sizeof *prob);
    return AGREE_FOUND;
}
