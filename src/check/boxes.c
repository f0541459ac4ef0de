/* check/boxes.c - bounds of stochastic policies whose probabilities lie between given ends (FORMAT.md, "part"): what an induction charges at the prices is given back here,
 * node by node. Doubles rounded upwards, signs considered.
 */
#include "check/check.h"

/* Options of a node up to which all vertices are looked at; of more, each environment takes what is best for it. */
enum { MOST_LOOSE = 6 };

void boxes_make(bound *b)
{
    b->low = zeroed(b->g->options, sizeof *b->low);
    b->high = zeroed(b->g->options, sizeof *b->high);
    b->price_of = zeroed(b->g->options, sizeof *b->price_of);
}

void boxes_open(bound *b)
{
    for (size_t o = 0; o < b->g->options; o++) {
        b->low[o] = 0;
        b->high[o] = 1;
    }
    for (int i = 0; i < b->prices; i++) b->price_of[b->priced[i].option] = 0;
    b->prices = 0;
    b->shift = 0;
    b->boxed = false;
}

void boxes_cut(bound *b, size_t option, double low, double high)
{
    b->low[option] = fmax(b->low[option], low);
    b->high[option] = fmin(b->high[option], high);
    b->boxed = true;
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

double boxes_price_of(const bound *b, size_t option, int k, int toward)
{
    int row = b->price_of[option];
    return row ? b->beta[toward][(size_t)(row - 1) * (size_t)b->g->m->K + (size_t)k] : 0;
}

double boxes_most(const bound *b, const node *n, const double worth[])
{
    double most = INFINITY;
    for (int j = 0; j < n->options; j++) {
        double sum = worth[j];
        for (int i = 0; i < n->options; i++)
            sum += (worth[i] - worth[j]) * (worth[i] > worth[j] ? b->high : b->low)[n->option + (size_t)i];
        most = fmin(most, sum);
    }
    return most;
}

/* The largest probability of node n in environment k; DOWN: less than the least, times -1. */
static double reach(const bound *b, int n, int k, int toward)
{
    const rung *r = rung_known(b->g, k);
    double worth[ACTIONS];
    bound_class *of = b->of; /* scratch */
    for (size_t c = r->layer[b->g->node[n].t + 1]; c-- > 0;) {
        size_t slot = r->slot[c];
        of[c].loss = r->node[c] != n ? 0 : toward == UP ? 1 : -1;
        if (c >= r->layer[b->g->node[n].t]) continue;
        for (int i = 0; slot < r->slot[c + 1]; i++, slot++) {
            worth[i] = 0;
            for (size_t arc = r->arc_start[slot]; arc < r->arc_start[slot + 1]; arc++)
                worth[i] += r->factor.end[toward][arc] * of[r->arc[arc]].loss;
        }
        of[c].loss = boxes_most(b, &b->g->node[r->node[c]], worth);
    }
    return of[0].loss;
}

/* The most of slope * y, y between the ends; that below with its sign changed. */
static double most_of(double slope, const double ends[2]) { return slope > 0 ? slope * ends[UP] : -slope * ends[DOWN]; }

/* sum_k slope_k y_k at a vertex: all options but `loose` at the ends that bits tell, that one what is left of 1. -INFINITY: it is none. */
static double vertex(const bound *b, const node *n, int loose, unsigned bits, const double ends[])
{
    double x[ACTIONS], sum = 0, used = 0, spared = 0;
    for (int i = 0; i < n->options; i++) {
        x[i] = i == loose ? 0 : (bits >> i & 1 ? b->high : b->low)[n->option + (size_t)i];
        used += x[i];
        spared -= x[i];
    }
    size_t last = n->option + (size_t)loose;
    double least = -(used - 1), most = 1 + spared; /* of what is left */
    if (most < b->low[last] || least > b->high[last]) return -INFINITY;
    for (int k = 0; k < b->g->m->K; k++) {
        double price = boxes_price_of(b, last, k, UP), slope = price * (price > 0 ? most : least);
        for (int i = 0; i < n->options; i++) slope += x[i] * boxes_price_of(b, n->option + (size_t)i, k, UP);
        sum += most_of(slope, ends + 2 * k);
    }
    return sum;
}

/* The most that prices at a node can give back. */
static double given_back(const bound *b, int at)
{
    const node *n = &b->g->node[at];
    int K = b->g->m->K;
    double *ends = zeroed(2 * (size_t)K, sizeof *ends), best = -INFINITY, apart = 0, price[ACTIONS];
    for (int k = 0; k < K; k++) {
        for (int i = DOWN; i <= UP && in(n->set, k); i++) ends[2 * k + i] = reach(b, at, k, i);
        for (int i = 0; i < n->options; i++) price[i] = boxes_price_of(b, n->option + (size_t)i, k, UP);
        apart += most_of(boxes_most(b, n, price), ends + 2 * k);
    }
    for (int loose = 0; loose < n->options && n->options <= MOST_LOOSE; loose++)
        for (unsigned bits = 0; bits < 1u << n->options; bits++)
            if (!(bits >> loose & 1)) best = fmax(best, vertex(b, n, loose, bits, ends));
    free(ends);
    return n->options > MOST_LOOSE ? apart : best;
}

double boxes_back(const bound *b)
{
    double sum = 0;
    for (int i = 0; i < b->prices; i++) {
        int j = 0;
        while (b->priced[j].node != b->priced[i].node) j++;
        if (j == i) sum += given_back(b, b->priced[i].node); /* once a node */
    }
    return sum;
}
