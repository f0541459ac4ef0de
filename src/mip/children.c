/* mip/children.c - the children of a node: how its domain is divided once the column or set is known.
 *
 * x_j <= floor(v) or x_j >= floor(v) + 1; of a SOS1 set, members after a place are 0 or those up to it are. Every child holds
 * its changes, its parent, and the basis of its parent's relaxation.
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/branch.h"

static mip_node *child(mip_search *s, mip_node *parent, bound_change *change, int changes, packed_basis *basis)
{
    if (!change) {
        s->end.memory = true;
        return NULL;
    }
    s->tree.ids += s->tree.id_step;
    mip_node *c = node_new(parent, s->tree.ids, change, changes);
    if (!c)
        s->end.memory = true;
    else
        c->basis = packed_basis_share(basis);
    return c;
}

static bool may_differ(const domain *d, int j) { return d->lower[j] < 0 || d->upper[j] > 0; }

/* The members after place `split` are 0, or those up to it are. */
void branch_split_set(mip_search *s, mip_node *n, int set, int split, mip_node *out[2])
{
    const mip_model *p = s->model;
    int from = p->set_start[set], to = p->set_start[set + 1];
    CHECK(from <= split && split + 1 < to);
    packed_basis *basis = relax_basis(&s->lp.relax);
    for (int side = 0; side < 2; side++) {
        int a = side == 0 ? split + 1 : from, b = side == 0 ? to : split + 1;
        bound_change *c = MEM_NEW(bound_change, b - a);
        for (int k = a; c && k < b; k++)
            c[k - a] = (bound_change){p->set_col[k], fmax(s->dom.lower[p->set_col[k]], 0), fmin(s->dom.upper[p->set_col[k]], 0)};
        out[side] = child(s, n, c, b - a, basis);
    }
    packed_basis_free(basis);
}

/* Splits a violated SOS1 set at the weighted middle of its nonzeros: the right part is 0, or the left part is. */
void branch_on_set(mip_search *s, mip_node *n, int set, mip_node *out[2])
{
    const mip_model *p = s->model;
    int from = p->set_start[set], to = p->set_start[set + 1];
    double mass = 0, moment = 0;
    int first = -1, last = -1;
    for (int k = from; k < to; k++) {
        double v = fabs(s->lp.x[p->set_col[k]]);
        if (v <= s->options->integrality_tol) continue;
        if (first < 0) first = k;
        last = k;
        mass += v;
        moment += v * k;
    }
    CHECK_COMPARE(first, <, last); /* the set is violated */
    int split = (int)floor(moment / mass);
    if (split >= last) split = last - 1;
    if (split < first) split = first;
    branch_split_set(s, n, set, split, out);
}

/* The first SOS1 set of which more than one member may still differ from 0; *split: the place in its middle. -1: there is none. */
int branch_undecided_set(const mip_search *s, int *split)
{
    const mip_model *p = s->model;
    for (int q = 0; q < p->sets; q++) {
        int open = 0, seen = 0;
        for (int k = p->set_start[q]; k < p->set_start[q + 1]; k++) open += may_differ(&s->dom, p->set_col[k]);
        if (open < 2) continue;
        for (*split = p->set_start[q];; ++*split) {
            seen += may_differ(&s->dom, p->set_col[*split]);
            if (seen == open / 2) return q;
        }
    }
    return -1;
}

void branch_on_column(mip_search *s, mip_node *n, int j, double x, bool up_first, mip_node *out[2])
{
    CHECK(s->model->integer[j]);
    CHECK(floor(x) < s->dom.upper[j] && floor(x) + 1 > s->dom.lower[j]); /* each child has less than its parent */
    packed_basis *basis = relax_basis(&s->lp.relax);
    for (int k = 0; k < 2; k++) {
        bool up = (k == 0) == up_first;
        bound_change *c = MEM_NEW(bound_change, 1);
        if (c) *c = (bound_change){j, up ? floor(x) + 1 : s->dom.lower[j], up ? s->dom.upper[j] : floor(x)};
        out[k] = child(s, n, c, 1, basis);
        if (out[k]) {
            out[k]->branch_col = j;
            out[k]->branch_value = x;
            out[k]->up = up;
        }
    }
    packed_basis_free(basis);
}

/* Without a point of the relaxation (it could not be solved): halves the widest integer column. False: none is left. */
bool branch_blindly(mip_search *s, mip_node *n, mip_node *out[2])
{
    int best = -1;
    double widest = 0;
    for (int j = 0; j < s->model->n; j++) {
        double width = fmin(s->dom.upper[j] - s->dom.lower[j], 1e6);
        if (s->model->integer[j] && width > widest) widest = width, best = j;
    }
    if (best < 0) return false;
    double lower = s->dom.lower[best], upper = s->dom.upper[best];
    double middle = isfinite(lower) && isfinite(upper) ? floor(0.5 * (lower + upper))
                    : isfinite(lower)                  ? lower
                    : isfinite(upper)                  ? upper - 1
                                                       : 0;
    branch_on_column(s, n, best, middle + 0.5, false, out);
    if (out[0]) out[0]->branch_col = -1;
    if (out[1]) out[1]->branch_col = -1;
    return true;
}

int branch_least_integral(const mip_search *s, double *x)
{
    int worst = -1, open = -1;
    double furthest = 0;
    for (int j = 0; j < s->model->n; j++) {
        double lower = s->dom.lower[j], upper = s->dom.upper[j];
        if (!s->model->integer[j] || !(lower < upper)) continue;
        /* within the bounds, so that both sides of *x are tighter than they */
        double at = fmin(fmax(s->lp.x[j], lower), upper), moved = fabs(at - round(at));
        if (moved > furthest) furthest = moved, worst = j, *x = at;
        if (open < 0) open = j;
    }
    if (worst >= 0 || open < 0) return worst;
    double at = fmin(fmax(s->lp.x[open], s->dom.lower[open]), s->dom.upper[open]);
    *x = at < s->dom.upper[open] ? at + 0.5 : at - 0.5;
    return open;
}
