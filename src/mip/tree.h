/* mip/tree.h - branch and bound. */
#ifndef MIP_TREE_H
#define MIP_TREE_H

#include "mip/search.h"

/* Searches to the end or to a limit; s->end says which. ERROR_MEMORY: what was found so far stands. */
vouch_status mip_tree_search(mip_search *s);

#endif
