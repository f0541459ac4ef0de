/* mip/heuristics.c - see heuristics.h.
 *
 * A dive is a walk down the tree without return: fix one fractional column by a rule, propagate, re-solve, and so on; a dead end
 * turns the last choice round once. Sources: T. Achterberg, Constraint Integer Programming (2007), chapter 9, for the rules; T.
 * Berthold, Primal heuristics for mixed integer programs (2006).
 */
#include "mip/heuristics.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

enum { LEAST_DIVE = 10 };

void heuristic_round(mip_search *s)
{
    if (s->lp.fractions == 0) return;
    double *point = MEM_NEW(double, s->model->n);
    if (!point) return;
    MEM_COPY(point, s->lp.x, s->model->n);
    bool free = true; /* of locks, in some direction */
    for (int k = 0; k < s->lp.fractions && free; k++) {
        int j = s->lp.fractional[k];
        point[j] = s->locks[0][j] == 0 ? floor(s->lp.x[j]) : ceil(s->lp.x[j]);
        free = s->locks[0][j] == 0 || s->locks[1][j] == 0;
    }
    if (free) (void)mip_search_offer(s, point);
    mem_free(point);
}

void heuristic_suggest(mip_search *s)
{
    double value;
    if (!s->owner->suggest || !s->owner->suggest(s->owner->context, s->lp.x, s->point, &value)) return;
    mip_search_adopt(s, s->point, value);
}

typedef struct dive_choice {
    int col;
    bool up;
    double rank; /* least first */
} dive_choice;

static dive_choice rank_column(const mip_search *s, dive_rule rule, int j)
{
    double f = fraction_of(s->lp.x[j]);
    dive_choice c = {.col = j, .up = f >= 0.5};
    CHECK(s->model->integer[j] && f >= 0 && f < 1);
    double distance = c.up ? 1 - f : f;
    switch (rule) {
    case DIVE_LOCKS:
        if (s->locks[0][j] != s->locks[1][j]) c.up = s->locks[1][j] < s->locks[0][j];
        distance = c.up ? 1 - f : f;
        c.rank = (c.up ? s->locks[1][j] : s->locks[0][j]) + distance;
        break;
    case DIVE_PSEUDO: {
        double down = f * pseudo_expect(&s->pseudo, j, false), up = (1 - f) * pseudo_expect(&s->pseudo, j, true);
        c.up = f > 0.7 || (f >= 0.3 && up <= down);
        c.rank = (c.up ? up - down : down - up) + DIVE_TIE * (c.up ? 1 - f : f);
        break;
    }
    case DIVE_GUIDED:
        c.up = s->best.x[j] > s->lp.x[j];
        c.rank = c.up ? 1 - f : f;
        break;
    default: /* up first: a binary at 1 decides its whole group */
        c.rank = s->model->upper[j] - s->model->lower[j] <= 1 ? 1 - f : distance;
        c.up = s->model->upper[j] - s->model->lower[j] <= 1 ? true : c.up;
        break;
    }
    return c;
}

static bool apply(mip_search *s, dive_choice c, double x)
{
    bool alive = c.up ? domain_set_lower(&s->dom, c.col, floor(x) + 1) : domain_set_upper(&s->dom, c.col, floor(x));
    return alive && domain_propagate(&s->dom);
}

/* After a fixing: bounds to the relaxation and a solve. True: s->lp.x is the new point. */
static bool resolve(mip_search *s, long long iterations)
{
    relax_set_bounds(&s->lp.relax, s->dom.lower, s->dom.upper);
    if (relax_solve(&s->lp.relax, s->best.cutoff, iterations) != RELAX_OPTIMAL) return false;
    mip_search_take_point(s);
    return true;
}

void heuristic_dive(mip_search *s, dive_rule rule, long long iteration_budget)
{
    int n = s->model->n;
    if (s->lp.fractions == 0 || (rule == DIVE_GUIDED && !s->best.found)) return;
    double *x = MEM_NEW(double, 2 * (size_t)n), value = s->lp.value;
    packed_basis *basis = relax_basis(&s->lp.relax);
    size_t mark = domain_mark(&s->dom);
    long long from = s->lp.relax.iterations;
    if (!x || !basis) goto done;
    MEM_COPY(x, s->lp.x, n);
    MEM_COPY(x + n, s->lp.reduced, n);
    for (int depth = 0; /* general integers can go on without end */
         depth < LEAST_DIVE + 2 * n && s->lp.fractions > 0 && s->lp.relax.iterations - from < iteration_budget &&
         !mip_search_must_stop(s);
         depth++) {
        dive_choice best = {.col = -1, .rank = INFINITY};
        for (int k = 0; k < s->lp.fractions; k++) {
            dive_choice c = rank_column(s, rule, s->lp.fractional[k]);
            if (c.rank < best.rank) best = c;
        }
        CHECK(best.col >= 0 && s->model->integer[best.col]);
        size_t before = domain_mark(&s->dom);
        double at = s->lp.x[best.col];
        long long each = iteration_budget;
        if (!apply(s, best, at) || !resolve(s, each)) {
            domain_undo(&s->dom, before);
            best.up = !best.up;
            if (s->end.stopped || !apply(s, best, at) || !resolve(s, each)) break;
        }
        if (s->lp.fractions == 0) {
            (void)mip_search_offer(s, s->lp.x);
            break;
        }
        if (depth % 4 == 3) heuristic_round(s);
    }
    domain_undo(&s->dom, mark);
    relax_set_bounds(&s->lp.relax, s->dom.lower, s->dom.upper);
    relax_set_basis(&s->lp.relax, basis);
    MEM_COPY(s->lp.x, x, n);
    MEM_COPY(s->lp.reduced, x + n, n);
    s->lp.value = value;
    mip_search_list_fractional(s);
done:
    s->heuristic_iterations += s->lp.relax.iterations - from;
    packed_basis_free(basis);
    mem_free(x);
}
