/* know/successors.h - what an agent may observe next, and which environments that leaves, as sets of bits.
 *
 * One *outcome* o of a pair: a successor and an observed reward that some environment pays there. The environments of kappa that
 * remain after it are kappa & bits[o]: knowledge moves by one AND of words, whatever the number of environments.
 */
#ifndef KNOW_SUCCESSORS_H
#define KNOW_SUCCESSORS_H

#include "mdp/model.h"

typedef struct successor_sets {
    int words;      /* of a set: 64 environments each */
    int *start;     /* [pairs + 1] outcomes of a pair */
    int *next;      /* [outcomes] successor */
    uint64_t *bits; /* [outcomes * words] the environments in which it has a probability above 0 */
    double least;   /* probability of an outcome in an environment, of those above 0 */
} successor_sets;

/* ERROR_SIZE: more than `most` words. On failure *sets is empty. */
vouch_status successor_sets_new(const vouch_model *m, long long most, successor_sets *sets);
void successor_sets_free(successor_sets *sets); /* an empty one is fine */

static inline const uint64_t *successor_bits(const successor_sets *sets, int o)
{
    return sets->bits + (size_t)o * (size_t)sets->words;
}

#endif
