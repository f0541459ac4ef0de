/* io/tree.h - search trees as JSON lines: one object for each ended node, in the order in which they ended.
 *
 *     {"id":2,"parent":1,"depth":1,"branch":"t=0 s=A a=a1","bound":3.5,"incumbent":5,"end":"branched"}
 *
 * The root has id 1 and parent 0; branch is the node's own condition (null at the root); bound and incumbent
 * are null where there is none.
 */
#ifndef IO_TREE_H
#define IO_TREE_H

#include <vouch/mip.h>

#include "io/file.h"

typedef struct tree_entry {
    long long id, parent;
    int depth;
    char *branch;            /* "" at the root; owned by a logged_tree */
    double bound, incumbent; /* NAN: none */
    vouch_node_end end;
    int above;    /* position of the parent, -1 at the root */
    int children; /* entries whose parent this is */
} tree_entry;

typedef struct logged_tree {
    tree_entry *node; /* [count] */
    int count;
} logged_tree;

/* Appends the line of a node (above and children do not matter; branch NULL: the root). */
void tree_add_line(text *out, const tree_entry *n);

/* Reads a log; parents that never ended (a limit was reached) are allowed to be missing and count as roots. Start from {0}; free it
 * also after an error. */
vouch_status logged_tree_read(logged_tree *tree, const char *path, vouch_error *error);
void logged_tree_free(logged_tree *tree);

const char *node_end_text(vouch_node_end end);

#endif
