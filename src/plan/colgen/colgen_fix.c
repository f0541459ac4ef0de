/* plan/colgen/colgen_fix.c - options that no policy below the cutoff uses, by the last induction of column generation (colgen.h).
 *
 *     loss(option) >= least reach of its class * (V(class) - value of the slot)
 *
 * Cost: the arcs once. Invariant: an option is forbidden only where every policy that uses it anywhere is no better than the
 * cutoff.
 */
#include "plan/colgen/colgen.h"

#include <math.h>

#include "know/induction.h"

/* A bound must pass the cutoff by this, relative to 1 + its size, before it forbids an option: the rounding of an induction. */
static const double PASSES = 1e-9;

/* What a policy that uses an option must lose against the last induction: it gets there by some path of classes, is in each of
 * them with at least the probability of that path, and loses there that times what its slot is short of the best. This is reduced
 * cost fixing (Dantzig, Fulkerson, Johnson 1954) with the reach of a decision taken into account. */
int colgen_fix(colgen *cg, double cutoff, int option[])
{
    const know_classes *c = cg->space->c;
    double base = cg->constant - cg->value[0], room = cutoff + PASSES * (1 + fabs(cutoff)) - base;
    if (!cg->priced || !isfinite(room)) return 0;
    for (int o = 0; o < c->options; o++) cg->option_loss[o] = 0; /* choices behind a Pareto set have no slot, and stay */
    for (int slot = 0; slot < c->slots; slot++) cg->option_loss[c->slot_option[slot]] = INFINITY;
    for (int i = 0; i < c->classes; i++) cg->loss[i] = cg->least[i] = INFINITY;
    cg->loss[0] = 0;
    cg->least[0] = 1;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        if (!(cg->loss[i] < room) || cg->value[i] == -INFINITY) continue;
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            int o = c->slot_option[slot];
            if (!cg->allowed[o]) continue;
            double short_of = cg->value[i] - induction_slot_value(c, i, slot, cg->weight, cg->mix.mu, cg->value);
            double loss = cg->loss[i] + cg->least[i] * fmax(0, short_of);
            cg->option_loss[o] = fmin(cg->option_loss[o], loss);
            if (!(loss < room)) continue;
            for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) {
                int child = c->arc_child[a];
                cg->loss[child] = fmin(cg->loss[child], loss);
                cg->least[child] = fmin(cg->least[child], cg->least[i] * c->arc_factor[a]);
            }
        }
    }
    int count = 0;
    for (int o = 0; o < c->options; o++)
        if (cg->allowed[o] && !(cg->option_loss[o] < room)) {
            cg->allowed[o] = 0;
            option[count++] = o;
        }
    return count;
}
