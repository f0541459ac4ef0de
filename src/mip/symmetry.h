/* mip/symmetry.h - permutations of columns that leave the program as it is, and what they spare the search.
 *
 * Points that such a permutation turns into each other have the same objective, and a tree that looks at one of them need not look
 * at the others.
 */
#ifndef MIP_SYMMETRY_H
#define MIP_SYMMETRY_H

#include <stdint.h>

#include "mip/propagate.h"

/* Permutations of the integer columns; read only once it is made, so that searches on several threads share it. */
typedef struct symmetry {
    arena memory;   /* of the arrays, itself included */
    int columns;    /* that some permutation moves */
    int *column;    /* [columns] in the model */
    int *index;     /* [n] place in column; -1: no permutation moves it */
    int generators; /* found; all others are products of them */
    int count;      /* permutations kept */
    int *image;     /* [count][columns] places */
} symmetry;

/* Of a model without SOS1 sets. NULL: none was found within the work allowed, or memory is out. */
symmetry *symmetry_find(const mip_model *model);
void symmetry_free(symmetry *g); /* NULL is fine */

/* order: [count] the columns branched on from the root to a node, each where it comes first. Bounds of d at the node lose points
 * that have an image, greatest in that order, elsewhere in the tree; see symmetry.c. Follows with domain_propagate. False: no point
 * is left. */
bool symmetry_reduce(const symmetry *g, domain *d, const int *order, int count);

/* ---- symmetry_search.c ------------------------------------------------------------------------------------------- */

/* Permutations of all columns that leave the model as it is, at most `most`, each fixing what those before it do not need:
 * generators of a group. image [most][n]. How many; -1: memory. */
int symmetry_generators(const mip_model *model, int most, int *image);

#endif
