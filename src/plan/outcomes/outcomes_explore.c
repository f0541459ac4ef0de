/* plan/outcomes/outcomes_explore.c - the tree of the search over outcomes: cases, branching, and explorers.
 *
 * Depth first. With two open cases, two explorers continue separately, each with its own cases; at intervals of work they exchange
 * better policies, and an explorer without cases gets the other's case nearest to the root. Their number is fixed, so results do
 * not depend on threads. Invariant: a case is open, was branched, or its bound is recorded (outcomes_cut), unless the search gives
 * up.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/outcomes/outcomes_state.h"
#include "policy/parameters.h"

/* A node all of whose choices run decides less than the outcomes there. */
static const double RUNNING = 1e-9;
/* Mean work of trials at a node above which threads share the trials instead of the cases: a millisecond. */
static const long long OUTCOMES_LONG = 200000;

/* Mass of a group if several of its options are used; *heaviest: the one used most. */
static double weigh(const outcomes_state *s, int first, int count, int *heaviest)
{
    double sum = 0, top = 0;
    for (int o = first; o < first + count; o++) {
        sum += s->mass[o];
        if (s->mass[o] > top) {
            top = s->mass[o];
            *heaviest = o;
        }
    }
    return sum - top > OUTCOMES_USED ? sum : 0;
}

typedef struct group {
    int first, count, heaviest;
    bool outcomes;
} group;

/* The group where environments, or arrivals of one environment, disagree most. False: none. */
static bool find_dispute(outcomes_state *s, const unsigned char allowed[], group *out)
{
    const know_graph *g = s->space->g;
    double most = 0;
    int heaviest = -1;
    for (int o = 0; o < s->e->options; o++) s->mass[o] = OUTCOMES.hardest * s->own[o];
    for (int i = 0; i < s->rows; i++)
        if (s->row[i] != s->hardest) outcomes_trace_price(s, s->row[i], allowed);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        double weight = weigh(s, s->e->first[n], s->e->count[n], &heaviest);
        if (weight > most) {
            most = weight;
            *out = (group){s->e->first[n], s->e->count[n], heaviest, true};
        }
        weight = weigh(s, first, count, &heaviest) * (outcomes_decides(s, n, allowed) ? 1 : RUNNING);
        if (weight <= most) continue;
        most = weight;
        *out = (group){first, count, heaviest, false};
    }
    return most > 0;
}

/* Can an environment of the bounds reach node n? */
static bool concerns(const outcomes_state *s, int n)
{
    const know_graph *g = s->space->g;
    for (int i = 0; i < s->rows; i++)
        if (know_in_set(g, g->set[n], s->row[i])) return true;
    return false;
}

/* The first reachable node with several allowed options: merged pairs, or exclusive outcomes, may hide the disagreement. */
static bool find_open(const outcomes_state *s, const unsigned char allowed[], group *out)
{
    const know_graph *g = s->space->g;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < g->time_start[g->T]; n++) {
            int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
            double used = 0;
            for (int o = first; o < first + count; o++) used += s->mass[o];
            for (int o = s->e->first[n]; o < s->e->first[n] + s->e->count[n]; o++) used += s->mass[o];
            if (!concerns(s, n) || (used <= OUTCOMES_USED && pass == 0) || outcomes_allowed_of(allowed, first, count) < 2) continue;
            *out = (group){first, count, first, false};
            return true;
        }
    return false;
}

/* A set of policies, by allowed options. */
typedef struct outcomes_case {
    unsigned char *allowed; /* [options] */
    double bound;
    bool left, open; /* policies below the cutoff remain; they are several, and differ at the group */
    group at;
    int depth; /* number of decisions */
    int next;  /* the first option of the group not yet tried */
} outcomes_case;

typedef struct looked_at {
    outcomes_state *s;
    outcomes_case *one; /* [count], in the lane of its number */
    int count;
} looked_at;

/* Do policies below the cutoff remain? Reduces the options allowed. */
static bool look(outcomes_state *s, outcomes_case *c)
{
    c->bound = INFINITY;
    bool more = outcomes_propagate(s->e, -1, c->allowed);
    if (more) c->bound = outcomes_bound(s, c->allowed);
    while (more && c->bound < s->cutoff) {
        int forbidden;
        more = outcomes_probe(s, c->bound, c->allowed, &forbidden);
        if (forbidden == 0) return true;
        c->bound = more ? outcomes_bound(s, c->allowed) : INFINITY;
    }
    outcomes_cut(s, c->bound);
    return false;
}

static void look_in(outcomes_state *lane, outcomes_case *c)
{
    lane->nodes++;
    c->left = look(lane, c);
    if (!c->left) return;
    c->open = find_dispute(lane, c->allowed, &c->at) || find_open(lane, c->allowed, &c->at);
    c->next = c->at.first;
    outcomes_offer(lane, c->allowed);
}

static void look_at(void *context, int i, int thread)
{
    const looked_at *l = context;
    (void)thread;
    look_in(&l->s->lane[i], &l->one[i]);
}

/* Threads share trials if these are long, else cases; only the time depends on it. */
static void look_at_all(looked_at *l)
{
    outcomes_state *s = l->s;
    bool apart = l->count > 1 && s->tried < OUTCOMES_LONG * s->nodes;
    for (int i = 0; i < l->count; i++) {
        outcomes_enter(s, &s->lane[i]);
        s->lane[i].threads = apart ? NULL : s->threads;
    }
    pool_run(apart ? s->threads : NULL, l->count, look_at, l);
    for (int i = 0; i < l->count; i++) outcomes_leave(s, &s->lane[i]);
}

/* The child that takes this option of the group; -1: all but the heaviest. NULL in allowed: no memory. */
static outcomes_case begin_case(const outcomes_state *s, const outcomes_case *from, int option)
{
    const group *at = &from->at;
    outcomes_case c = {.allowed = MEM_NEW(unsigned char, s->e->options), .depth = from->depth + 1};
    if (!c.allowed) return c;
    memcpy(c.allowed, from->allowed, (size_t)s->e->options);
    if (option >= 0) memset(c.allowed + at->first, 0, (size_t)at->count);
    c.allowed[option >= 0 ? option : at->heaviest] = option >= 0;
    return c;
}

/* The next children of c, at most one a lane: each choice, or one outcome and all others. Returns their number and advances
 * c->next. */
static int next_options(outcomes_case *c, int option[])
{
    const int end = c->at.first + c->at.count;
    int count = 0;
    if (c->at.outcomes) {
        option[count++] = c->at.heaviest;
        option[count++] = -1;
        c->next = end;
    }
    for (; c->next < end && count < OUTCOMES_LANES; c->next++)
        if (c->allowed[c->next]) option[count++] = c->next;
    while (c->next < end && !c->allowed[c->next]) c->next++;
    return count;
}

/* Open cases; the last is next. */
typedef struct explorer {
    outcomes_state *lane;
    outcomes_case *open;
    size_t count, capacity;
    vouch_status status;
} explorer;

static void drop(explorer *x) { mem_free(x->open[--x->count].allowed); }

/* Adds an evaluated case to the open ones, or frees it. s: the search, or a lane. */
static void keep(outcomes_state *s, explorer *x, outcomes_case *c)
{
    bool open = false;
    if (c->left && c->depth > OUTCOMES.deepest)
        s->given_up = true;
    else if (c->left && !c->open && s->rows < s->K) /* other environments may regret more */
        s->given_up = s->at_ease = true;
    else if (c->left && !c->open) /* the value of a single policy is known */
        outcomes_cut(s, s->cutoff);
    else if (c->left && MEM_RESERVE(&x->open, &x->capacity, x->count))
        x->status = VOUCH_ERROR_MEMORY;
    else
        open = c->left;
    if (open)
        x->open[x->count++] = *c;
    else
        mem_free(c->allowed);
}

/* The next children one [OUTCOMES_LANES] of the last open case, which is removed after its last child; 0: it is cut off. */
static int next_cases(outcomes_state *s, explorer *x, outcomes_case one[])
{
    outcomes_case *c = &x->open[x->count - 1];
    int option[OUTCOMES_LANES], count = c->bound < s->cutoff ? next_options(c, option) : 0;
    for (int i = 0; i < count; i++) {
        one[i] = begin_case(s, c, option[i]);
        if (!one[i].allowed) x->status = VOUCH_ERROR_MEMORY;
    }
    if (count == 0) outcomes_cut(s, c->bound);
    if (count == 0 || c->next >= c->at.first + c->at.count) drop(x);
    return count;
}

static void keep_all(outcomes_state *s, explorer *x, outcomes_case one[], int count)
{
    for (int i = count - 1; i >= 0; i--) keep(s, x, &one[i]);
}

/* One case, whose children are evaluated in parallel. */
static void explore_together(outcomes_state *s, explorer *x)
{
    outcomes_case one[OUTCOMES_LANES];
    int count = next_cases(s, x, one);
    if (!x->status) look_at_all(&(looked_at){s, one, count});
    keep_all(s, x, one, count);
}

/* An explorer's own cases, for a while, in a lane. */
static void explore_alone(void *explorers, int i, int thread)
{
    explorer *x = (explorer *)explorers + i;
    outcomes_state *lane = x->lane;
    (void)thread;
    while (x->count > 0 && !x->status && !outcomes_over(lane) && outcomes_worked(lane) < lane->apart) {
        outcomes_case one[OUTCOMES_LANES];
        int count = next_cases(lane, x, one);
        for (int j = 0; j < count && !x->status; j++) look_in(lane, &one[j]);
        keep_all(lane, x, one, count);
    }
}

static void explore_apart(outcomes_state *s, explorer x[])
{
    for (int i = 0; i < OUTCOMES_LANES; i++) {
        outcomes_enter(s, x[i].lane);
        x[i].lane->threads = NULL;
    }
    pool_run(s->threads, OUTCOMES_LANES, explore_alone, x);
    for (int i = 0; i < OUTCOMES_LANES; i++) outcomes_leave(s, x[i].lane);
}

/* Moves the case nearest to the root, with the largest subtree, to an explorer without cases. */
static void give(explorer *from, explorer *to)
{
    if (from->count < 2 || to->count > 0) return;
    if (MEM_RESERVE(&to->open, &to->capacity, 0)) {
        to->status = VOUCH_ERROR_MEMORY;
        return;
    }
    to->open[to->count++] = from->open[0];
    memmove(from->open, from->open + 1, --from->count * sizeof *from->open);
}

vouch_status outcomes_explore(outcomes_state *s, const unsigned char all[])
{
    explorer x[OUTCOMES_LANES] = {{.lane = &s->lane[0]}, {.lane = &s->lane[1]}};
    outcomes_case whole = {.allowed = MEM_NEW(unsigned char, s->e->options)};
    if (!whole.allowed) return VOUCH_ERROR_MEMORY;
    memcpy(whole.allowed, all, (size_t)s->e->options);
    if (!outcomes_over(s)) look_at_all(&(looked_at){s, &whole, 1});
    keep(s, &x[0], &whole);
    while (x[0].count + x[1].count > 0 && !x[0].status && !x[1].status && !outcomes_over(s)) {
        give(&x[0], &x[1]);
        give(&x[1], &x[0]);
        if (x[0].count > 0 && x[1].count > 0)
            explore_apart(s, x);
        else
            explore_together(s, x[0].count > 0 ? &x[0] : &x[1]);
    }
    for (int i = 0; i < OUTCOMES_LANES; i++) {
        while (x[i].count > 0) drop(&x[i]);
        mem_free(x[i].open);
    }
    return x[0].status ? x[0].status : x[1].status;
}
