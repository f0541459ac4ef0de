/* lp/refine.h - iterative refinement of what a basis determines: residuals in long double, corrections through the factors. */
#ifndef LP_REFINE_H
#define LP_REFINE_H

#include "lp/simplex.h"

/* Basic values and reduced costs for the true bounds and costs; both methods must have given their shifts back. */
void refine_primal(simplex *s);
void refine_dual(simplex *s);
/* s->ray_dual: B'y is integral for either method (a unit vector, or the costs of phase 1). s->ray_primal: A r = 0. */
void refine_ray_dual(simplex *s);
void refine_ray_primal(simplex *s);

#endif
