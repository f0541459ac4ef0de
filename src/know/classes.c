/* know/classes.c - see classes.h. */
#include "know/classes.h"

#include "base/memory.h"

void know_classes_free(know_classes *c)
{
    if (!c) return;
    mem_free(c->time_start);
    mem_free(c->node);
    mem_free(c->w);
    mem_free(c->w_start);
    mem_free(c->only);
    mem_free(c->slot_start);
    mem_free(c->slot_option);
    mem_free(c->slot_pair);
    mem_free(c->arc_start);
    mem_free(c->arc_child);
    mem_free(c->arc_factor);
    mem_free(c);
}

double know_induction_work(const know_classes *c)
{
    return c->arcs + (double)c->K * (c->slots + c->classes - c->time_start[c->g->T]);
}
