/* plan/relax/belief_policy.c - see belief_policy.h.
 *
 * What a history is in is which policy of the mixture is played or, once it has come to a leaf, which plan. All histories of a
 * class have the same likelihoods but for a factor, so that the probability to be in each of these *modes* is one number a class,
 * the same in every environment,
 *
 *     mass(child, mode) += mass(class, mode) Pr(choice | mode) factor,      Pr(choice | class) = sum over modes mass Pr(choice |
 * mode) / sum of mass,
 *
 * and choosing by the latter leaves every occupancy as it is (H. Kuhn, Contributions to the Theory of Games II, 1953). Cost: modes
 * a class and arc. Invariant: the classes of a time are asked for in order, when those of the time before have their arcs.
 */
#include "plan/relax/belief_policy.h"

#include <limits.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "know/classes.h"

/* Shares of a choice below this are rounding of a mixture's weights. */
static const double SHARE_ROUNDING = 1e-12;

/* Of the classes of one time. */
typedef struct mode_layer {
    double *mass; /* [classes of the time * modes] */
    int *grown;   /* [classes of the time] the grown class that each is, or -1 */
    size_t mass_capacity, grown_capacity;
} mode_layer;

typedef struct mode_guide {
    const grown_mixture *x;
    int modes, time, first; /* first class of the time at hand */
    mode_layer here, next;
    double *prob; /* [slots] in their order */
    size_t slots, prob_capacity;
    class_plans *plans; /* owned: what leaves follow, start of all classes so far; NULL: they go on */
    size_t entries, start_capacity, plan_capacity, share_capacity;
    bool failed;
} mode_guide;

static int clear_layer(mode_layer *l, size_t classes, size_t modes)
{
    if (MEM_RESERVE(&l->grown, &l->grown_capacity, classes) || MEM_RESERVE(&l->mass, &l->mass_capacity, classes * modes)) return -1;
    memset(l->mass, 0, classes * modes * sizeof *l->mass);
    for (size_t i = 0; i < classes; i++) l->grown[i] = -1;
    return 0;
}

/* Pr(choice | mode) at a class of this node that is grown class `grown`, or none. */
static double takes(const mode_guide *r, int mode, int grown, int choice)
{
    const grown_mixture *x = r->x;
    if (mode < x->columns) return grown >= 0 && x->pick[(size_t)mode * (size_t)x->count + (size_t)grown] == choice;
    return x->c->plans->prob[(size_t)(mode - x->columns) * (size_t)x->c->g->choices + (size_t)choice];
}

/* What comes from class i of the time at hand along one of its slots. */
static void send_modes(mode_guide *r, const know_classes *made, int i, int slot, int next_first)
{
    const grown_classes *c = r->x->c;
    const double *mass = r->here.mass + (size_t)(i - r->first) * (size_t)r->modes;
    int grown = r->here.grown[i - r->first], choice = made->slot_option[slot];
    int arc = grown >= 0 && c->arc_start[grown] >= 0 ? grown_arc(c, grown, choice) : -1;
    for (int a = made->arc_start[slot]; a < made->arc_start[slot + 1]; a++) {
        int child = made->arc_child[a] - next_first;
        double *there = r->next.mass + (size_t)child * (size_t)r->modes;
        for (int mode = 0; mode < r->modes; mode++)
            if (mass[mode] > 0) there[mode] += mass[mode] * takes(r, mode, grown, choice) * made->arc_factor[a];
        if (arc < 0) continue;
        while (c->arc_child[arc] < 0) arc++; /* edges that cannot be have no arc there */
        r->next.grown[child] = c->arc_child[arc++];
    }
}

/* The layer of the classes first .. made->classes - 1, once all before are expanded. */
static int advance(mode_guide *r, const know_classes *made, int first)
{
    if (clear_layer(&r->next, (size_t)(made->classes - first), (size_t)r->modes)) return -1;
    for (int i = r->first; i < first; i++)
        for (int slot = made->slot_start[i]; slot < made->slot_start[i + 1]; slot++) send_modes(r, made, i, slot, first);
    mode_layer done = r->here;
    r->here = r->next;
    r->next = done;
    r->first = first;
    r->time++;
    return 0;
}

/* Policies that come to a leaf follow its plan from now on. */
static void begin_plans(const mode_guide *r, int grown, double mass[])
{
    const grown_mixture *x = r->x;
    if (grown < 0 || x->c->arc_start[grown] >= 0) return;
    for (int i = 0; i < x->columns; i++) {
        mass[x->columns + x->pick[(size_t)i * (size_t)x->count + (size_t)grown]] += mass[i];
        mass[i] = 0;
    }
}

/* Notes the plans that class i follows, which is a leaf or none, in proportion to mass [modes]. */
static int note_plans(mode_guide *r, int i, const double mass[])
{
    class_plans *p = r->plans;
    double total = 0, kept = 0;
    size_t begun = r->entries;
    for (int j = 0; j < p->count; j++) total += mass[r->x->columns + j];
    for (int j = 0; j < p->count; j++) {
        double share = mass[r->x->columns + j];
        if (!(share > SHARE_ROUNDING * total)) continue;
        if (MEM_RESERVE(&p->plan, &r->plan_capacity, r->entries) || MEM_RESERVE(&p->share, &r->share_capacity, r->entries))
            return -1;
        p->plan[r->entries] = j;
        p->share[r->entries++] = share;
        kept += share;
    }
    for (size_t e = begun; e < r->entries; e++) p->share[e] /= kept;
    if (r->entries > INT_MAX || MEM_RESERVE(&p->start, &r->start_capacity, i + 1)) return -1;
    p->start[i + 1] = (int)r->entries;
    return 0;
}

static void want_mixture(void *context, const know_classes *made, int i, unsigned char want[])
{
    mode_guide *r = context;
    const know_graph *g = made->g;
    if (r->failed) return;
    if (i > 0 && i == made->time_start[r->time + 1] && (r->failed = advance(r, made, i))) return;
    int grown = r->here.grown[i - r->first], from = g->choice_start[made->node[i]], to = g->choice_start[made->node[i] + 1];
    double *mass = r->here.mass + (size_t)(i - r->first) * (size_t)r->modes, total = 0;
    size_t begun = r->slots;
    begin_plans(r, grown, mass);
    if (r->plans) {
        r->failed = note_plans(r, i, mass);
        if (r->failed || r->plans->start[i + 1] > r->plans->start[i]) return;
    }
    for (int mode = 0; mode < r->modes; mode++) total += mass[mode];
    for (int choice = from; choice < to; choice++) {
        double share = 0;
        for (int mode = 0; mode < r->modes; mode++)
            if (mass[mode] > 0) share += mass[mode] * takes(r, mode, grown, choice);
        if (!(share > SHARE_ROUNDING * total)) continue;
        CHECK(g->choice_twin[choice] == choice);
        if ((r->failed = MEM_RESERVE(&r->prob, &r->prob_capacity, r->slots))) return;
        want[choice - from] = 1;
        r->prob[r->slots++] = share;
    }
    double kept = 0;
    for (size_t slot = begun; slot < r->slots; slot++) kept += r->prob[slot];
    for (size_t slot = begun; slot < r->slots; slot++) r->prob[slot] /= kept;
}

/* Room for what leaves follow, and the plans themselves. */
static int begin_ends(mode_guide *r)
{
    const know_graph *g = r->x->c->g;
    const grown_plans *plans = r->x->c->plans;
    class_plans *p = r->plans = MEM_ZERO(class_plans, 1);
    if (!p) return -1;
    size_t numbers = (size_t)plans->count * (size_t)g->T * (size_t)g->m->pairs;
    p->count = plans->count;
    p->table = MEM_NEW(double, numbers);
    if (!p->table || MEM_RESERVE(&p->start, &r->start_capacity, 1)) return -1;
    MEM_COPY(p->table, plans->table, numbers);
    p->start[0] = 0;
    return 0;
}

/* Classes at the horizon follow nothing. */
static int finish_ends(mode_guide *r, const know_classes *c)
{
    if (MEM_RESERVE(&r->plans->start, &r->start_capacity, c->classes)) return -1;
    for (int i = c->time_start[c->g->T]; i < c->classes; i++) r->plans->start[i + 1] = (int)r->entries;
    return 0;
}

vouch_status expansion_policy(const grown_mixture *x, bool ends, long long limit, const deadline *time, guided_policy *out,
                              vouch_error *error)
{
    mode_guide r = {.x = x, .modes = x->columns + x->c->plans->count};
    class_guide guide = {&r, want_mixture};
    vouch_status status = VOUCH_ERROR_MEMORY;
    CHECK(x->columns > 0 && x->count == x->c->count);
    if (!clear_layer(&r.here, 1, (size_t)r.modes) && (!ends || !begin_ends(&r))) {
        MEM_COPY(r.here.mass, x->alpha, x->columns);
        r.here.grown[0] = 0;
        status = know_classes_guided(x->c->g, &guide, limit, time, &out->c, error);
    }
    if (!status && (r.failed || (ends && finish_ends(&r, out->c)))) status = VOUCH_ERROR_MEMORY;
    if (!status) {
        CHECK_COMPARE((size_t)out->c->slots, ==, r.slots);
        out->prob = r.prob;
        out->plans = r.plans;
        r.prob = NULL;
        r.plans = NULL;
    } else {
        guided_free(out);
    }
    mem_free(r.here.mass);
    mem_free(r.here.grown);
    mem_free(r.next.mass);
    mem_free(r.next.grown);
    mem_free(r.prob);
    class_plans_free(r.plans);
    return status;
}
