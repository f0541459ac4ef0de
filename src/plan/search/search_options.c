/* plan/search/search_options.c - what a search does unless it is told otherwise. O(1). */
#include <math.h>

#include "plan/search/search.h"

/* Nodes processed one by one before several are under way. A count, not seconds: the same on every machine. */
enum { ALONE = 128 };

void search_options_init(search_options *options)
{
    *options = (search_options){.gap = 1e-6,
                                .floor = -INFINITY,
                                .elsewhere = -INFINITY,
                                .patience = 0.05,
                                .perturbations = 20,
                                .seed = 1,
                                .threads = 1,
                                .first_id = 1};
    options->alone = ALONE;
}
