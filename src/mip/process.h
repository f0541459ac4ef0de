/* mip/process.h - what is done with one node. */
#ifndef MIP_PROCESS_H
#define MIP_PROCESS_H

#include "mip/search.h"

/* Works on n, whose domain and basis are in place: s->dom is propagated. Its children, the preferred one first, go to
 * out (NULL: none). The reason for its end is returned. */
vouch_node_end process_node(mip_search *s, mip_node *n, mip_node *out[2]);

#endif
