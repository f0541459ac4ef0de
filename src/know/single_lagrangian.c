/* know/single_lagrangian.c - see single_lagrangian.h. Items are stored by time, so a sweep from last to first is an induction. */
#include "know/single_lagrangian.h"

#include <math.h>
#include <string.h>

void prices_make(know_lagrangian *x, int items, arena *a)
{
    *x = (know_lagrangian){.value = ARENA_ZERO(a, double, items),
                           .keep = ARENA_ZERO(a, double, items),
                           .reach = ARENA_ZERO(a, double, items),
                           .trial = ARENA_ZERO(a, double, items),
                           .best = ARENA_ZERO(a, int, items)};
}

double prices_slot(const know_lagrangian *x, const know_pairs *p, int slot, double mu)
{
    double value = p->pay_u[slot] + mu * p->pay_q[slot];
    for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) value += p->arc_factor[a] * x->value[p->arc_child[a]];
    return value;
}

double prices_solve(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu)
{
    x->work += p->slots;
    for (int i = p->items - 1; i >= p->end; i--) {
        x->value[i] = p->end_u[i] + mu * p->end_q[i];
        x->best[i] = -1;
    }
    for (int i = p->end - 1; i >= 0; i--) {
        double best = -INFINITY;
        int by = -1;
        for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
            if (!allowed[p->slot_option[slot]]) continue;
            double value = prices_slot(x, p, slot, mu);
            if (!(value > best)) continue;
            best = value;
            by = slot;
        }
        x->value[i] = best;
        x->best[i] = by;
    }
    return x->value[0];
}

double prices_keep(know_lagrangian *x, const know_pairs *p)
{
    for (int i = p->items - 1; i >= 0; i--) {
        int slot = x->best[i];
        x->keep[i] = i >= p->end ? p->end_q[i] : 0;
        if (slot < 0) continue;
        double keep = p->pay_q[slot];
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) keep += p->arc_factor[a] * x->keep[p->arc_child[a]];
        x->keep[i] = keep;
    }
    return x->keep[0];
}

void prices_trace(know_lagrangian *x, const know_pairs *p)
{
    memset(x->reach, 0, (size_t)p->items * sizeof *x->reach);
    x->reach[0] = 1;
    for (int i = 0; i < p->end; i++) {
        int slot = x->best[i];
        if (x->reach[i] <= 0 || slot < 0) continue;
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++)
            x->reach[p->arc_child[a]] += x->reach[i] * p->arc_factor[a];
    }
}

/* V of item i < item; x->trial holds it for i + 1 .. item. */
static double value_before(const know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu, int i, int item)
{
    double best = -INFINITY;
    for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
        if (!allowed[p->slot_option[slot]]) continue;
        double value = p->pay_u[slot] + mu * p->pay_q[slot];
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) {
            int child = p->arc_child[a];
            value += p->arc_factor[a] * (child <= item ? x->trial : x->value)[child];
        }
        best = fmax(best, value);
    }
    return best;
}

double prices_with(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu, int item, double gain)
{
    x->work += p->slot_start[item];
    x->trial[item] = gain;
    for (int i = item - 1; i >= 0; i--) x->trial[i] = value_before(x, p, allowed, mu, i, item);
    return x->trial[0];
}
