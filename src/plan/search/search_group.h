/* plan/search/search_group.h - one search by all processes of a group (link/group.h): the first one runs it, the others work its
 * nodes out and then know what has come of it, so that all go on from the same state. */
#ifndef PLAN_SEARCH_SEARCH_GROUP_H
#define PLAN_SEARCH_SEARCH_GROUP_H

#include "plan/search/search.h"

/* search_run, in a group by all. ERROR_IO in a worker: it has come apart from the others. */
vouch_status search_shared(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result);

#endif
