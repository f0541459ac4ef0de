/* know/outcomes_propagate.c - what is ruled out by  outcome(n) = reward + outcome(next node),  see outcomes.h. Nodes wait in a
 * queue to be looked at, those again of which something was forbidden and those that run there, until nothing changes: what is left
 * does not depend on their order. */
#include "know/outcomes.h"

/* A walk through the queue. */
typedef struct wave {
    know_outcomes *e;
    unsigned char *allowed;
    int from, count; /* of the queue: the next one, how many there are */
} wave;

static void add(wave *w, int n)
{
    know_outcomes *e = w->e;
    if (e->queued[n]) return;
    e->queued[n] = 1;
    e->queue[(w->from + w->count++) % e->g->nodes] = n;
}

/* Something of node n was forbidden: it and those that run there have to be looked at. */
static void add_changed(wave *w, int n)
{
    const know_outcomes *e = w->e;
    if (n < e->g->time_start[e->g->T]) add(w, n);
    for (int i = e->above_start[n]; i < e->above_start[n + 1]; i++) add(w, e->above[i]);
}

/* Marks which outcomes of its node a choice may lead to; is there any? */
static bool supports(const know_outcomes *e, int n, int c, const unsigned char allowed[], unsigned char found[])
{
    int m = e->next[c];
    if (m < 0) {
        found[0] |= allowed[e->first[n]];
        return allowed[e->first[n]];
    }
    bool any = false;
    for (int i = 0; i < e->count[m]; i++) {
        int o = allowed[e->first[m] + i] ? e->link[(size_t)c * OUTCOMES_MOST + (size_t)i] : -1;
        if (o < 0 || !allowed[o]) continue;
        found[o - e->first[n]] = 1;
        any = true;
    }
    return any;
}

/* Choices without an outcome, and outcomes without a choice. false: no choice is left. */
static bool look_at(wave *w, int n)
{
    const know_outcomes *e = w->e;
    const know_graph *g = e->g;
    unsigned char found[OUTCOMES_MOST] = {0};
    bool left = false, changed = false;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!w->allowed[c]) continue;
        if (e->count[n] == 0 || supports(e, n, c, w->allowed, found)) {
            left = true;
            continue;
        }
        w->allowed[c] = 0;
        changed = true;
    }
    for (int i = 0; i < e->count[n]; i++) {
        unsigned char *a = &w->allowed[e->first[n] + i];
        if (!*a || found[i]) continue;
        *a = 0;
        changed = true;
    }
    if (changed) add_changed(w, n);
    return left;
}

/* Where one choice is left and runs, what the next node may end with. */
static void look_below(wave *w, int n)
{
    const know_outcomes *e = w->e;
    const know_graph *g = e->g;
    int only = -1, left = 0;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!w->allowed[c]) continue;
        left++;
        only = c;
    }
    int m = left == 1 && e->count[n] > 0 ? e->next[only] : -1;
    bool changed = false;
    for (int i = 0; m >= 0 && i < e->count[m]; i++) {
        unsigned char *a = &w->allowed[e->first[m] + i];
        if (!*a || w->allowed[e->link[(size_t)only * OUTCOMES_MOST + (size_t)i]]) continue;
        *a = 0;
        changed = true;
    }
    if (changed) add_changed(w, m);
}

bool outcomes_propagate(know_outcomes *e, int at, unsigned char allowed[])
{
    const know_graph *g = e->g;
    wave w = {e, allowed, 0, 0};
    if (at >= 0) add_changed(&w, at);
    for (int n = g->time_start[g->T] - 1; at < 0 && n >= 0; n--) add(&w, n);
    bool left = true;
    while (w.count > 0) {
        int n = e->queue[w.from];
        w.from = (w.from + 1) % g->nodes;
        w.count--;
        e->queued[n] = 0;
        if (!left) continue;
        left = look_at(&w, n);
        if (left) look_below(&w, n);
    }
    return left;
}
