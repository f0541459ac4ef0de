/* mip/parallel.h - one tree searched by several searches, on as many threads as there are. */
#ifndef MIP_PARALLEL_H
#define MIP_PARALLEL_H

#include "mip/tree.h"

/* Searches to the end or to a limit; s->end says which. Begins with s alone and, where the owner has contexts for others, goes on
 * with three more beside it once the tree is large enough. What is done does not depend on the number of threads
 * (s->options->threads). ERROR_MEMORY: what was found so far stands. */
vouch_status mip_tree_search(mip_search *s);

#endif
