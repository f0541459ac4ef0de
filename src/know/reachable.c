/* know/reachable.c - see reachable.h. One pass in order of time, O(slots and arcs of what is come to) and a byte for each other
 * class. Invariant: the lists follow from the options allowed alone. */
#include "know/reachable.h"

#include <stdint.h>
#include <string.h>

#include "base/check.h"

void reachable_init(reachable_classes *l, const know_classes *c, arena *memory)
{
    *l = (reachable_classes){.c = c};
    l->before = ARENA_NEW(memory, int, c->g->T + 2);
    l->item = ARENA_NEW(memory, int, c->classes);
    l->slot_start = ARENA_NEW(memory, int, c->classes + 1);
    l->slot = ARENA_NEW(memory, int, c->slots);
    l->was = ARENA_ZERO(memory, unsigned char, c->options);
    l->come = ARENA_ZERO(memory, unsigned char, c->classes);
}

/* The next class that is come to from i on; end: none. */
static int next_come(const unsigned char come[], int i, int end)
{
    const unsigned char *at = i < end ? memchr(come + i, 1, (size_t)(end - i)) : NULL;
    return at ? (int)(at - come) : end;
}

void reachable_find(reachable_classes *l, const unsigned char allowed[], int end)
{
    const know_classes *c = l->c;
    CHECK(end > 0 && end <= c->g->T + 1);
    if (l->end >= end && memcmp(l->was, allowed, (size_t)c->options) == 0) return;
    int slots = 0, count = 0;
    memcpy(l->was, allowed, (size_t)c->options);
    memset(l->come, 0, (size_t)c->classes);
    l->come[0] = 1;
    for (int t = 0; t < end; t++) {
        int last = c->time_start[t + 1];
        l->before[t] = count;
        for (int i = next_come(l->come, c->time_start[t], last); i < last; i = next_come(l->come, i + 1, last)) {
            l->slot_start[count] = slots;
            l->item[count++] = i;
            for (int slot = c->slot_start[i]; t < c->g->T && slot < c->slot_start[i + 1]; slot++) {
                if (!allowed[c->slot_option[slot]]) continue;
                l->slot[slots++] = slot;
                for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) l->come[c->arc_child[a]] = 1;
            }
        }
    }
    l->before[end] = count;
    l->slot_start[count] = slots;
    l->end = end;
}
