/* plan/bnb/branching.c - see branching.h.
 *
 * The bound of each child is found by column generation from the parent's policies. Probing at the parent's multipliers cannot tell
 * children apart here: both actions that a mixture uses are best at those multipliers. A branching is judged by the size of the
 * tree it promises, the sum over children of exp(-SHARPNESS * gain / room), room being what is missing to the cutoff; so a child cut off
 * costs nothing and one whose bound stays costs one. Near ties go to the node with more mass off its heaviest action.
 * Source of the idea: Applegate, Bixby, Chvatal, Cook (1995); the score follows the tree-size view of Le Bodic and Nemhauser (2017).
 */
#include "plan/bnb/branching.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 8 };
static const double SHARPNESS = 8;
static const double CLEARLY = 0.98;  /* a score must be below this share of the best to displace a heavier node */
static const double PATIENCE = 0.1;  /* of the column generation in a trial: bounds need not be exact */
static const double DISAGREE = 1e-9; /* as in node.c */

typedef struct candidate {
    int node;
    double off;
} candidate;

static int collect(const node_solver *e, candidate list[CANDIDATES])
{
    const know_graph *g = e->r->space->g;
    int count = 0;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (e->heaviest[n] < 0 || e->heaviest[n] >= g->choices) continue;
        double off = -e->r->mass[e->heaviest[n]];
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++) off += e->r->mass[o];
        if (off <= DISAGREE) continue;
        off *= e->price[g->set[n]];
        if (count == CANDIDATES && off <= list[count - 1].off) continue;
        int at = count < CANDIDATES ? count++ : CANDIDATES - 1;
        for (; at > 0 && list[at - 1].off < off; at--) list[at] = list[at - 1];
        list[at] = (candidate){n, off};
    }
    return count;
}

/* Bounds of the children at one policy node into bound [choices of the node]; NAN where there is no child. */
static double try_node(node_solver *e, const tree_node *n, int node, double bound[], node_result *o)
{
    colgen *r = e->r;
    const know_graph *g = r->space->g;
    int first = g->choice_start[node], count = g->choice_start[node + 1] - first;
    double limit = node_cutoff(e), room = isfinite(limit) ? limit - n->bound : 1 + fabs(n->bound), score = 0;
    node_restrict(e, n);
    memcpy(e->was, r->allowed + first, (size_t)count);
    memset(r->allowed + first, 0, (size_t)count);
    for (int i = 0; i < count; i++) {
        colgen_end end;
        bound[i] = NAN;
        if (!e->was[i] || g->choice_twin[first + i] != first + i) continue;
        r->allowed[first + i] = 1;
        memcpy(r->lambda, n->multipliers, 3 * (size_t)r->space->K * sizeof(double));
        o->status = colgen_start(r, n->columns, n->count);
        if (!o->status) o->status = colgen_solve(r, limit, PATIENCE, &e->options->limit, &end);
        if (o->status) return score;
        bound[i] = end == COLGEN_INFEASIBLE ? INFINITY : fmax(n->bound, r->bound);
        node_check(e, bound[i]);
        r->allowed[first + i] = 0;
        if (bound[i] < limit) score += exp(-SHARPNESS * (bound[i] - n->bound) / room);
    }
    return score;
}

bool branching_strong(node_solver *e, const tree_node *n, node_result *o)
{
    const know_graph *g = e->r->space->g;
    candidate list[CANDIDATES];
    int count = collect(e, list), best = -1;
    double best_score = INFINITY, limit = node_cutoff(e);
    if (count == 0) return false;
    for (int c = 0; c < count && best_score > 0; c++) {
        if (best >= 0 && deadline_expired(&e->options->limit)) break;
        double score = try_node(e, n, list[c].node, e->trial, o);
        if (o->status) return true;
        if (best >= 0 && score >= CLEARLY * best_score) continue;
        best = list[c].node;
        best_score = score;
        memcpy(e->chosen, e->trial, (size_t)(g->choice_start[best + 1] - g->choice_start[best]) * sizeof(double));
    }
    int first = g->choice_start[best];
    for (int i = 0; i < g->choice_start[best + 1] - first; i++) {
        if (isnan(e->chosen[i])) continue;
        if (e->chosen[i] >= limit) {
            o->cut = fmin(o->cut, e->chosen[i]);
            continue;
        }
        bool promising = o->promising < 0 || e->chosen[i] < o->made[o->promising].bound ||
                         (e->chosen[i] == o->made[o->promising].bound && first + i == e->heaviest[best]);
        if (promising) o->promising = o->children;
        o->made[o->children++] = (child){{.node = best, .option = first + i}, e->chosen[i]};
    }
    return true;
}
