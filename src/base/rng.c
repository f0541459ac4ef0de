/* base/rng.c - see rng.h. */
#include "base/rng.h"

#include "base/check.h"

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

rng rng_seed(uint64_t seed)
{
    rng r;
    for (int i = 0; i < 4; i++) r.s[i] = splitmix(&seed);
    return r;
}

uint64_t rng_next(rng *r)
{
    uint64_t *s = r->s;
    uint64_t result = rotated(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return result;
}

double rng_unit(rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }

uint64_t rng_below(rng *r, uint64_t n)
{
    CHECK_COMPARE(n, >, 0);
    uint64_t limit = UINT64_MAX - UINT64_MAX % n; /* rejection avoids bias */
    uint64_t x;
    do x = rng_next(r);
    while (x >= limit);
    return x % n;
}
