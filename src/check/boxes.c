/* check/boxes.c - bounds of stochastic policies whose probabilities lie between given ends.
 *
 * A box holds the policies that do option o with a probability from low[o] to high[o]. What probabilities can make of worths is a linear program in one row, so that any
 * threshold bounds it: the best one is one of the worths. With prices beta(o, k) of y(o, k) = Pr(n | k) pi(o), what the induction is charged for a policy it is given back
 * here, node by node: a convex function of pi, largest at a vertex of the box. All in doubles that are rounded upwards, signs considered.
 */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Options of a node up to which all vertices are looked at; of more, each environment takes what is best for it. */
enum { MOST_LOOSE = 6 };

void boxes_make(bound *b)
{
    b->low = zeroed(b->g->choices, sizeof *b->low);
    b->high = zeroed(b->g->choices, sizeof *b->high);
    b->price_of = zeroed(b->g->choices, sizeof *b->price_of);
}

void boxes_open(bound *b)
{
    for (size_t o = 0; o < b->g->choices; o++) {
        b->low[o] = 0;
        b->high[o] = 1;
    }
    for (int i = 0; i < b->prices; i++) b->price_of[b->priced[i].option] = 0;
    b->prices = 0;
    b->shift = 0;
    b->boxed = false;
}

void boxes_price(bound *b, int n, size_t option, mpq_t price[])
{
    size_t K = (size_t)b->g->m->K;
    if (b->price_of[option]) refuted("an option has two prices");
    b->priced = grown(b->priced, (size_t)b->prices, sizeof *b->priced);
    b->priced[b->prices++] = (priced_option){n, option};
    b->price_of[option] = b->prices;
    for (size_t k = 0, at = (size_t)(b->prices - 1) * K; k < K; k++, at++) {
        (void)rung_known(b->g, (int)k); /* made now, as that rounds otherwise than what needs it */
        for (int i = DOWN; i <= UP; i++) {
            b->beta[i] = grown(b->beta[i], at, sizeof *b->beta[i]);
            b->beta[i][at] = outward(price[k], i);
        }
        b->shift = fmax(b->shift, b->beta[UP][at]);
    }
    b->boxed = true;
}

double boxes_most(const bound *b, size_t first, int options, const double worth[])
{
    double most = INFINITY;
    for (int j = 0; j < options; j++) {
        double sum = worth[j];
        for (int i = 0; i < options; i++)
            sum += (worth[i] - worth[j]) * (worth[i] > worth[j] ? b->high : b->low)[first + (size_t)i];
        most = fmin(most, sum);
    }
    return most;
}

/* The largest probability of node n in environment k; DOWN: less than the least, times -1. */
static double reach(const bound *b, int n, int k, int toward)
{
    const rung *r = rung_known(b->g, k);
    size_t now = r->layer[b->g->node[n].t];
    double *hit = b->loss, worth[ACTIONS]; /* scratch */
    for (size_t c = r->layer[b->g->node[n].t + 1]; c-- > 0;) {
        int options = 0;
        hit[c] = r->node[c] != n ? 0 : toward == UP ? 1 : -1;
        if (c >= now) continue;
        for (size_t slot = r->slot[c]; slot < r->slot[c + 1]; slot++) {
            worth[options] = 0;
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
                worth[options] += r->factor.end[toward][arc] * hit[r->arc[arc]];
            options++;
        }
        hit[c] = boxes_most(b, b->g->node[r->node[c]].choice, options, worth);
    }
    return hit[0];
}

/* What one end of the prices is in environment k, of the options of node n. */
static void prices_of(const bound *b, const node *n, int options, int k, double price[])
{
    for (int i = 0; i < options; i++) {
        int row = b->price_of[n->choice + (size_t)i];
        price[i] = row ? b->beta[UP][(size_t)(row - 1) * (size_t)b->g->m->K + (size_t)k] : 0;
    }
}

/* sum_k slope_k y_k at a vertex: all options but `loose` at the ends that bits tell, that one what is left of 1. -INFINITY: it is none. */
static double vertex(const bound *b, const node *n, int options, int loose, unsigned bits, const double ends[])
{
    int K = b->g->m->K;
    double sum = 0, used = 0, spared = 0, price[ACTIONS];
    for (int i = 0; i < options; i++) {
        if (i == loose) continue;
        double x = (bits >> i & 1 ? b->high : b->low)[n->choice + (size_t)i];
        used += x;
        spared -= x;
    }
    double least = -(used - 1), most = 1 + spared; /* of what is left */
    if (most < b->low[n->choice + (size_t)loose] || least > b->high[n->choice + (size_t)loose]) return -INFINITY;
    for (int k = 0; k < K; k++) {
        prices_of(b, n, options, k, price);
        double slope = price[loose] * (price[loose] > 0 ? most : least);
        for (int i = 0; i < options; i++)
            if (i != loose) slope += price[i] * (bits >> i & 1 ? b->high : b->low)[n->choice + (size_t)i];
        sum += slope > 0 ? slope * ends[2 * k + UP] : -slope * ends[2 * k + DOWN];
    }
    return sum;
}

/* The most that prices at node n can give back. */
static double given_back(const bound *b, int at)
{
    const node *n = &b->g->node[at];
    int K = b->g->m->K, options = __builtin_popcountll(n->options);
    double *ends = zeroed(2 * (size_t)K, sizeof *ends), best = -INFINITY, price[ACTIONS];
    for (int k = 0; k < K; k++)
        for (int i = DOWN; i <= UP && in(n->set, k); i++) ends[2 * k + i] = reach(b, at, k, i);
    for (int loose = 0; loose < options && options <= MOST_LOOSE; loose++)
        for (unsigned bits = 0; bits < 1u << options; bits++)
            if (!(bits >> loose & 1)) best = fmax(best, vertex(b, n, options, loose, bits, ends));
    if (options > MOST_LOOSE) best = 0;
    for (int k = 0; k < K && options > MOST_LOOSE; k++) {
        prices_of(b, n, options, k, price);
        double slope = boxes_most(b, n->choice, options, price);
        best += slope > 0 ? slope * ends[2 * k + UP] : -slope * ends[2 * k + DOWN];
    }
    free(ends);
    return best;
}

double boxes_back(const bound *b)
{
    double sum = 0;
    for (int i = 0; i < b->prices; i++) {
        bool first = true;
        for (int j = 0; j < i && first; j++) first = b->priced[j].node != b->priced[i].node;
        if (first) sum += given_back(b, b->priced[i].node);
    }
    return sum;
}
