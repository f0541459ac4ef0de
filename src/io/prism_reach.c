/* io/prism_reach.c - see prism_reach.h. */
#include "io/prism_reach.h"

#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/prism_expand.h"

typedef struct frontier { /* the states that one environment reaches */
    prism_reach *r;
    const prism *p;
    int k;
    int *queue; /* owned */
    size_t count, capacity;
    size_t at, level_end;
    int steps;        /* left before the horizon */
    const bool *open; /* [opened]: can some environment be in the state before the horizon? */
    int opened, scanned;
} frontier;

static unsigned char *flags(prism_reach *r, int k, int state) { return &r->seen[(size_t)state * (size_t)r->K + (size_t)k]; }

bool prism_reach_has(const prism_reach *r, int k, int state, int what)
{
    size_t at = (size_t)state * (size_t)r->K + (size_t)k;
    return at < r->capacity && (r->seen[at] & what);
}

static vouch_status reach(void *context, int state)
{
    frontier *f = context;
    prism_reach *r = f->r;
    size_t needed = ((size_t)state + 1) * (size_t)r->K;
    if (needed > r->capacity) {
        size_t more = needed + needed / 2;
        unsigned char *seen = mem_resize(r->seen, more, 1);
        if (!seen) return error_memory(f->p->error);
        memset(seen + r->capacity, 0, more - r->capacity);
        r->seen = seen;
        r->capacity = more;
    }
    if (*flags(r, f->k, state)) return VOUCH_OK;
    if (mem_reserve((void **)&f->queue, &f->capacity, f->count, sizeof *f->queue)) return error_memory(f->p->error);
    *flags(r, f->k, state) = PRISM_REACHED;
    f->queue[f->count++] = state;
    return VOUCH_OK;
}

/* Breadth first, a level a step. */
static int next_in_time(void *context)
{
    frontier *f = context;
    if (f->at == f->level_end) {
        f->steps--;
        f->level_end = f->count;
    }
    if (f->steps < 0 || f->at == f->count) return -1;
    int state = f->queue[f->at++];
    *flags(f->r, f->k, state) |= PRISM_EXPANDED;
    return state;
}

/* Any state that has choices elsewhere and is reached here, however late. */
static int next_late(void *context)
{
    frontier *f = context;
    while (f->at < f->count) {
        int state = f->queue[f->at++];
        if (state >= f->opened || !f->open[state]) continue;
        *flags(f->r, f->k, state) |= PRISM_EXPANDED;
        return state;
    }
    return -1;
}

/* Any state that has choices elsewhere and is never reached here. */
static int next_missed(void *context)
{
    frontier *f = context;
    while (f->scanned < f->opened) {
        int state = f->scanned++;
        if (f->open[state] && !prism_reach_has(f->r, f->k, state, PRISM_EXPANDED)) return state;
    }
    return -1;
}

static vouch_status walk_in_time(frontier *f, prism_states *x, const prism_environment env[], int horizon)
{
    prism_initials *begin = &f->r->begin[f->k];
    vouch_status status = prism_begin(x, &env[f->k], begin);
    for (int i = 0; i < begin->count && !status; i++) status = reach(f, begin->state[i]);
    if (status) return status;
    if (f->k == 0) f->r->initial = begin->state[0];
    if (begin->count != 1 || begin->state[0] != f->r->initial) f->r->initial = -1;
    f->steps = horizon;
    return prism_expand(x, &env[f->k], &(prism_walk){next_in_time, reach, f});
}

vouch_status prism_reach_find(prism_reach *r, prism_states *x, int K, const prism_environment env[], int horizon)
{
    CHECK(K > 0 && horizon > 0);
    vouch_status status = VOUCH_OK;
    frontier *f = MEM_ZERO(frontier, K);
    bool *open = NULL;
    r->K = K;
    r->begin = MEM_ZERO(prism_initials, K);
    if (!f || !r->begin) {
        mem_free(f);
        return error_memory(x->p->error);
    }
    for (int k = 0; k < K && !status; k++) {
        f[k] = (frontier){.r = r, .p = x->p, .k = k};
        status = walk_in_time(&f[k], x, env, horizon);
    }
    int opened = x->valuations.count;
    if (!status) open = MEM_ZERO(bool, opened);
    if (!status && !open) status = error_memory(x->p->error);
    for (int s = 0; s < opened && !status; s++)
        for (int k = 0; k < K && !open[s]; k++) open[s] = prism_reach_has(r, k, s, PRISM_EXPANDED);
    for (int k = 0; k < K && !status; k++) {
        f[k].open = open;
        f[k].opened = opened;
        status = prism_expand(x, &env[k], &(prism_walk){next_late, reach, &f[k]});
    }
    for (int k = 0; k < K && !status; k++) status = prism_expand(x, &env[k], &(prism_walk){next_missed, NULL, &f[k]});
    for (int k = 0; k < K; k++) mem_free(f[k].queue);
    mem_free(f);
    mem_free(open);
    return status;
}

void prism_reach_free(prism_reach *r)
{
    for (int k = 0; k < r->K && r->begin; k++) mem_free(r->begin[k].state);
    mem_free(r->begin);
    mem_free(r->seen);
    *r = (prism_reach){0};
}
