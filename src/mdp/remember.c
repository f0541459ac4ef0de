/* mdp/remember.c - see remember.h. */
#include "mdp/remember.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

const vouch_model *model_user(const vouch_model *m) { return m->join ? m->join->user : m; }

int promise_end(const vouch_model *user, int j) { return user->promise[j].to < 0 ? user->T : user->promise[j].to; }

int promise_begin(const promise_data *p) { return p->from < 0 ? 0 : p->from; }

/* The last time at which the rule of promise j changes; 0: it never does. */
int promise_last_change(const vouch_model *u, int j)
{
    int end = promise_end(u, j);
    if (end < u->T) return end;
    return vouch_promise_kind_is_window(u->promise[j].kind) ? promise_begin(&u->promise[j]) : 0;
}

bool promise_remembers(const vouch_model *u, int j) { return u->promise[j].kind != VOUCH_PROMISE_AT || promise_end(u, j) < u->T; }

bool promise_is_in(const vouch_model *u, int j, int k, int s) { return u->promise[j].in[(size_t)k * (size_t)u->S + (size_t)s]; }

/* What is remembered after being in s at time t of the user. */
memory_value promise_remember(const vouch_model *u, const automaton *a, memory_value before, int t, int s)
{
    const promise_data *p = &u->promise[a->promise];
    int end = promise_end(u, a->promise);
    bool in = promise_is_in(u, a->promise, a->env, s) != (p->kind == VOUCH_PROMISE_AVOID);
    if (before != MEMORY_OPEN) return before;
    if (p->kind == VOUCH_PROMISE_AT) return t < end ? MEMORY_OPEN : in ? MEMORY_KEPT : MEMORY_BROKEN;
    bool astray = p->through && !p->through[(size_t)a->env * (size_t)u->S + (size_t)s];
    if (p->kind == VOUCH_PROMISE_BY) return in ? MEMORY_KEPT : astray || (t >= end && end < u->T) ? MEMORY_BROKEN : MEMORY_OPEN;
    if (t < promise_begin(p)) return MEMORY_OPEN;
    if (!in) return MEMORY_BROKEN;
    return t >= end && end < u->T ? MEMORY_KEPT : MEMORY_OPEN;
}

double joined_weight(const vouch_model *u, const joined_model *j, int promise, int k, int s)
{
    int a = j->watcher[(size_t)promise * (size_t)u->K + (size_t)k];
    if (j->base[s] < 0) return 0;
    if (a < 0) return promise_is_in(u, promise, k, j->base[s]);
    memory_value value = (memory_value)j->value[(size_t)s * (size_t)j->automata + (size_t)a];
    return value == MEMORY_KEPT || (value == MEMORY_OPEN && vouch_promise_kind_is_window(u->promise[promise].kind));
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

typedef struct words {
    char *data;
    size_t used, capacity;
    bool failed;
} words;

static void say(words *w, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i <= length && !w->failed; i++) {
        w->failed = mem_reserve((void **)&w->data, &w->capacity, w->used + i, 1) != 0;
        if (!w->failed) w->data[w->used + i] = text[i];
    }
    w->used += length;
}

static memory_value value_in(const vouch_model *u, const joined_model *j, int state, int promise, int k)
{
    int a = j->watcher[(size_t)promise * (size_t)u->K + (size_t)k];
    return a < 0 ? MEMORY_OPEN : (memory_value)j->value[(size_t)state * (size_t)j->automata + (size_t)a];
}

char *joined_state_name(const vouch_model *u, const joined_model *j, int state)
{
    static const char *const word[] = {"", " kept", " broken"};
    words w = {0};
    const char *before = " [";
    say(&w, u->state_name[j->base[state]]);
    for (int p = 0; p < u->promises; p++)
        for (memory_value value = MEMORY_KEPT; value <= MEMORY_BROKEN; value++) {
            int count = 0;
            for (int k = 0; k < u->K; k++) count += value_in(u, j, state, p, k) == value;
            if (count == 0) continue;
            say(&w, before);
            say(&w, u->promise[p].name);
            say(&w, word[value]);
            for (int k = 0, seen = 0; k < u->K && count < u->K; k++) {
                if (value_in(u, j, state, p, k) != value) continue;
                say(&w, seen++ ? "," : " in ");
                say(&w, u->env_name[k]);
            }
            before = ", ";
        }
    if (before[0] == ',') say(&w, "]");
    if (!w.failed) return w.data;
    mem_free(w.data);
    return NULL;
}
