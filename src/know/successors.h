/* know/successors.h - the possible observations after a pair, and the environments consistent with each, as sets of bits.
 *
 * An *outcome* o of a pair is a successor with an observed reward that some environment pays there. It leaves kappa & bits[o] of
 * the environments kappa: an update is one AND of words.
 */
#ifndef KNOW_SUCCESSORS_H
#define KNOW_SUCCESSORS_H

#include "mdp/model.h"

typedef struct successor_sets {
    int words;      /* of a set: 64 environments each */
    int *start;     /* [pairs + 1] outcomes of a pair */
    int *next;      /* [outcomes] successor */
    uint64_t *bits; /* [outcomes * words] the environments in which its probability is positive */
    double least;   /* least positive probability of an outcome in an environment */
} successor_sets;

/* ERROR_SIZE: more than `most` words. On failure *sets is empty. */
vouch_status successor_sets_new(const vouch_model *m, long long most, successor_sets *sets);
void successor_sets_free(successor_sets *sets); /* an empty one is fine */

static inline const uint64_t *successor_bits(const successor_sets *sets, int o)
{
    return sets->bits + (size_t)o * (size_t)sets->words;
}

#endif
