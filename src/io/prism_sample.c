/* io/prism_sample.c - a random sample, without repetition, of a family that may have more environments than fit into memory. Every
 * subset of the given size is equally likely. See prism_family.h.
 *
 * A family of at most a million is passed through once (D. E. Knuth, The Art of Computer Programming 2, algorithm S); so is any
 * family of which at least half is wanted. Of other families environments are drawn independently, and repetitions are drawn again:
 * each draw is new with a probability above 1/2.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "io/prism_family.h"

static int compare(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* drawn [count * n], the last varying fastest, of all of 0 .. all - 1. */
static void choose_some(const prism_family *f, uint32_t drawn[], int count, int all, rng *r)
{
    int chosen = 0;
    for (int k = 0; k < all && chosen < count; k++) {
        if (rng_below(r, (uint64_t)(all - k)) >= (uint64_t)(count - chosen)) continue;
        size_t rest = (size_t)k;
        for (size_t i = f->ranges; i-- > 0; rest /= f->range[i].count)
            drawn[(size_t)chosen * f->ranges + i] = (uint32_t)(rest % f->range[i].count);
        chosen++;
    }
}

typedef struct sample_order {
    const uint32_t *at;
    size_t n;
} sample_order;

static int by_value(const void *x, const void *y)
{
    const sample_order *a = x, *b = y;
    return compare(a->at, b->at, a->n);
}

/* Sorts the draws and removes repetitions; returns how many remain. */
static int settle(uint32_t drawn[], uint32_t spare[], sample_order order[], int count, size_t n)
{
    int kept = 0;
    for (int k = 0; k < count; k++) order[k] = (sample_order){drawn + (size_t)k * n, n};
    if (count > 1) qsort(order, (size_t)count, sizeof *order, by_value);
    for (int k = 0; k < count; k++)
        if (kept == 0 || compare(spare + (size_t)(kept - 1) * n, order[k].at, n) != 0)
            memcpy(spare + (size_t)kept++ * n, order[k].at, n * sizeof *spare);
    memcpy(drawn, spare, (size_t)kept * n * sizeof *spare);
    return kept;
}

static vouch_status draw_some(const prism_family *f, uint32_t drawn[], int count, rng *r)
{
    size_t n = f->ranges;
    uint32_t *spare = MEM_NEW(uint32_t, (size_t)count * n);
    sample_order *order = MEM_NEW(sample_order, count);
    for (int kept = 0; spare && order && kept < count; kept = settle(drawn, spare, order, count, n))
        for (int k = kept; k < count; k++)
            for (size_t i = 0; i < n; i++) drawn[(size_t)k * n + i] = (uint32_t)rng_below(r, f->range[i].count);
    bool failed = !spare || !order;
    mem_free(spare);
    mem_free(order);
    return failed ? error_memory(f->p->error) : VOUCH_OK;
}

vouch_status prism_family_sample(prism_family *f, double all, int count, uint64_t seed)
{
    rng r = rng_seed(seed);
    if (count >= all || f->ranges == 0) return VOUCH_OK;
    f->drawn = MEM_NEW(uint32_t, (size_t)count * f->ranges);
    if (!f->drawn) return error_memory(f->p->error);
    f->K = count;
    if (all > PRISM_ENVIRONMENT_CAP && count < all / 2) return draw_some(f, f->drawn, count, &r);
    choose_some(f, f->drawn, count, (int)all, &r);
    return VOUCH_OK;
}
