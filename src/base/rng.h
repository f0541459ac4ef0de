/* base/rng.h - xoshiro256** by D. Blackman and S. Vigna (ACM TOMS 47, 2021), seeded by splitmix64: reproducible on every machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

typedef struct rng {
    uint64_t s[4];
} rng;

rng rng_seed(uint64_t seed);
uint64_t rng_next(rng *r);
double rng_unit(rng *r);                /* uniform in [0, 1), 53 bits */
uint64_t rng_below(rng *r, uint64_t n); /* uniform in 0 .. n-1; n > 0 */

#endif
