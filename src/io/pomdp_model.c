/* io/pomdp_model.c - a model of a POMDP whose hidden part never changes; see formats.h and pomdp_read.h.
 *
 * Environments are the states that it may begin in: which of them is true stays hidden. From there on initial state and last
 * observation must tell the state, so that the observations are the states of the model; a POMDP whose states are told by less is
 * refused. vouch's agent sees what it is paid, a POMDP's does not; the discount is not used.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/family.h"
#include "io/formats.h"
#include "io/pomdp_read.h"

enum { MOST_CELLS = 100000000 };

typedef struct pomdp_family {
    const pomdp *p;
    mdp_family f;
    int *begins;                  /* owned, [K]: the first state of each environment */
    int *emitter;                 /* owned, [K * O]: the state that an observation means, -1: it is not made */
    int *queue;                   /* owned, [X] */
    bool *seen;                   /* owned, [X]: in the environment at hand */
    const pomdp_remarks *remarks; /* NULL: none */
    int own_start;                /* the state before the first observation, where no observation is it; -1: none */
} pomdp_family;

static int *emitter_of(const pomdp_family *b, int k, int o)
{
    return &b->emitter[(size_t)k * (size_t)b->p->observations.count + (size_t)o];
}

static const char *state_text(const pomdp_family *b, int x) { return names_text(&b->p->states, x); }

/* The sum of a row, which must be about 1. */
static vouch_status row_sum(const pomdp_family *b, const pomdp_table *t, int a, int x, double *sum)
{
    int n;
    const pomdp_entry *e = pomdp_row(t, b->p, a, x, &n);
    *sum = 0;
    for (int i = 0; i < n; i++) *sum += e[i].p;
    if (*sum >= 1 - MODEL_SUM_TOLERANCE && *sum <= 1 + MODEL_SUM_TOLERANCE) return VOUCH_OK;
    return error_set(b->f.error, VOUCH_ERROR_INPUT,
                     "%s: %s: action \"%.60s\", state \"%.100s\": the probabilities sum to %.10g; expected 1", b->f.path,
                     t == &b->p->moves ? "T" : "O", names_text(&b->p->actions, a), state_text(b, x), *sum);
}

/* Coming to x by a: notes what may be observed there. */
static vouch_status arrive(pomdp_family *b, int k, int a, int x)
{
    int n;
    double sum;
    vouch_status status = row_sum(b, &b->p->sights, a, x, &sum);
    const pomdp_entry *e = pomdp_row(&b->p->sights, b->p, a, x, &n);
    for (int i = 0; i < n && !status; i++) {
        int *means = emitter_of(b, k, e[i].column);
        if (*means >= 0 && *means != x)
            return error_set(
                b->f.error, VOUCH_ERROR_INPUT,
                "%s: a POMDP proper, whose hidden part moves; vouch needs a hidden part that stays, so that where it began and "
                "what was "
                "observed last tell the state: begun in \"%.100s\", the observation \"%.100s\" may mean \"%.100s\" or \"%.100s\"",
                b->f.path, state_text(b, b->begins[k]), names_text(&b->p->observations, e[i].column), state_text(b, *means),
                state_text(b, x));
        *means = x;
    }
    return status;
}

/* All states that environment k comes to. */
static vouch_status explore(pomdp_family *b, int k)
{
    const pomdp *p = b->p;
    int count = 1;
    memset(b->seen, 0, (size_t)p->states.count * sizeof *b->seen);
    b->queue[0] = b->begins[k];
    b->seen[b->begins[k]] = true;
    for (int at = 0; at < count; at++)
        for (int a = 0; a < p->actions.count; a++) {
            int n;
            double sum;
            vouch_status status = row_sum(b, &p->moves, a, b->queue[at], &sum);
            const pomdp_entry *e = pomdp_row(&p->moves, p, a, b->queue[at], &n);
            for (int i = 0; i < n && !status; i++) {
                status = arrive(b, k, a, e[i].column);
                if (b->seen[e[i].column]) continue;
                b->seen[e[i].column] = true;
                b->queue[count++] = e[i].column;
            }
            if (status) return status;
        }
    return VOUCH_OK;
}

/* The one observation that state x makes whatever leads there; -1: there are several. */
static int only_sight(const pomdp *p, int x)
{
    int found = -1;
    for (int a = 0; a < p->actions.count; a++) {
        int n;
        const pomdp_entry *e = pomdp_row(&p->sights, p, a, x, &n);
        if (n != 1 || (found >= 0 && e->column != found)) return -1;
        found = e->column;
    }
    return found;
}

/* An observation that all first states make, and that means them, is where the model begins. */
static int common_sight(const pomdp_family *b)
{
    int o = only_sight(b->p, b->begins[0]);
    for (int k = 0; k < b->f.K && o >= 0; k++) {
        int means = *emitter_of(b, k, o);
        if (only_sight(b->p, b->begins[k]) != o || (means >= 0 && means != b->begins[k])) return -1;
    }
    return o;
}

/* ---- remarks -------------------------------------------------------------------------------------------------- */

static bool same_row(const pomdp *p, int a, int x, int b, int y)
{
    int n, m;
    const pomdp_entry *e = pomdp_row(&p->moves, p, a, x, &n), *g = pomdp_row(&p->moves, p, b, y, &m);
    if (n != m) return false;
    for (int i = 0; i < n; i++) {
        if (e[i].column != g[i].column || e[i].p != g[i].p) return false;
        int o = only_sight(p, e[i].column);
        if (o < 0 || pomdp_reward(p, a, x, e[i].column, o) != pomdp_reward(p, b, y, e[i].column, o)) return false;
    }
    return true;
}

/* Do they tell the truth? Observations that they call one state behave alike, and what they call missing is the first action that
 * is there. */
static bool remarks_hold(const pomdp_family *b, const pomdp_remarks *r, int *first_of)
{
    const pomdp *p = b->p;
    int A = p->actions.count, O = p->observations.count;
    for (int k = 0; k < b->f.K; k++) {
        for (int s = 0; s < r->states.count; s++) first_of[s] = -1;
        for (int o = 0; o < O; o++) {
            int x = *emitter_of(b, k, o), *first = &first_of[r->state_of[o]], acts = 0;
            const bool *there = r->acts + (size_t)o * (size_t)A;
            if (*first < 0) *first = o;
            if (memcmp(there, r->acts + (size_t)*first * (size_t)A, (size_t)A * sizeof *there) != 0) return false;
            if (x < 0) continue;
            while (acts < A && !there[acts]) acts++;
            int y = *emitter_of(b, k, *first);
            if (y < 0) *first = o;
            for (int a = 0; a < A; a++) {
                if (acts < A && !there[a] && !same_row(p, a, x, acts, x)) return false;
                if (acts == A && !same_row(p, a, x, 0, x)) return false;
                if (y >= 0 && !same_row(p, a, x, a, y)) return false;
            }
        }
    }
    return true;
}

/* ---- the family ----------------------------------------------------------------------------------------------- */

static int state_of(const pomdp_family *b, int o) { return b->remarks ? b->remarks->state_of[o] : o; }

static vouch_status name_all(pomdp_family *b)
{
    const pomdp *p = b->p;
    mdp_family *f = &b->f;
    const names *state = b->remarks ? &b->remarks->states : &p->observations;
    const names *action = b->remarks ? &b->remarks->actions : &p->actions;
    f->S = state->count + (b->own_start >= 0);
    f->state_name = MEM_ZERO(char *, f->S);
    f->env_name = MEM_ZERO(char *, f->K);
    f->reached = MEM_ZERO(bool, (size_t)f->K *(size_t)f->S);
    if (!f->state_name || !f->env_name || !f->reached) return error_memory(f->error);
    for (int s = 0; s < state->count; s++)
        if (!(f->state_name[s] = mem_string(names_text(state, s)))) return error_memory(f->error);
    for (int i = 0; b->own_start >= 0 && !f->state_name[b->own_start]; i++) {
        char name[32] = "start";
        if (i > 0) format_text(name, sizeof name, "start%d", i);
        if (names_find(state, name) < 0 && !(f->state_name[b->own_start] = mem_string(name))) return error_memory(f->error);
    }
    for (int k = 0; k < f->K; k++) {
        const char *name = b->remarks ? names_text(&b->remarks->environments, k) : state_text(b, b->begins[k]);
        if (!(f->env_name[k] = mem_string(name))) return error_memory(f->error);
    }
    for (int a = 0; a < action->count; a++)
        if (family_action(f, names_text(action, a)) < 0) return error_memory(f->error);
    return VOUCH_OK;
}

/* What environment k does in state x, as rows of state s. */
static vouch_status add_rows(pomdp_family *b, int k, int s, int x, const bool acts[])
{
    const pomdp *p = b->p;
    b->f.reached[(size_t)k * (size_t)b->f.S + (size_t)s] = true;
    for (int a = 0; a < p->actions.count; a++) {
        int n, m;
        double moved, seen;
        if (acts && !acts[a]) continue;
        vouch_status status = row_sum(b, &p->moves, a, x, &moved);
        const pomdp_entry *e = pomdp_row(&p->moves, p, a, x, &n);
        for (int i = 0; i < n && !status; i++) {
            status = row_sum(b, &p->sights, a, e[i].column, &seen);
            const pomdp_entry *o = pomdp_row(&p->sights, p, a, e[i].column, &m);
            for (int j = 0; j < m && !status; j++)
                if (family_add_row(&b->f, (model_row){k, s, a, state_of(b, o[j].column), e[i].p / moved * (o[j].p / seen),
                                                      pomdp_reward(p, a, x, e[i].column, o[j].column), 0}))
                    status = error_memory(b->f.error);
        }
        if (status) return status;
    }
    return VOUCH_OK;
}

static vouch_status fill(pomdp_family *b, int common)
{
    int O = b->p->observations.count, A = b->p->actions.count;
    vouch_status status = name_all(b);
    b->f.initial = b->own_start >= 0 ? b->own_start : state_of(b, common);
    for (int k = 0; k < b->f.K && !status; k++) {
        if (b->own_start >= 0) status = add_rows(b, k, b->own_start, b->begins[k], NULL);
        for (int o = 0; o < O && !status; o++) {
            int s = state_of(b, o), x = *emitter_of(b, k, o);
            if (x >= 0 && !b->f.reached[(size_t)k * (size_t)b->f.S + (size_t)s])
                status = add_rows(b, k, s, x, b->remarks ? b->remarks->acts + (size_t)o * (size_t)A : NULL);
        }
    }
    return status;
}

static vouch_status find_environments(pomdp_family *b)
{
    const pomdp *p = b->p;
    int X = p->states.count, K = 0;
    for (int x = 0; x < X; x++) K += p->first[x] > 0;
    b->f.K = K;
    if ((double)K * p->observations.count > MOST_CELLS)
        return error_set(b->f.error, VOUCH_ERROR_SIZE, "%s: %d states to begin in with %d observations are too many", b->f.path, K,
                         p->observations.count);
    b->begins = MEM_NEW(int, K);
    b->emitter = MEM_NEW(int, (size_t)K *(size_t)p->observations.count);
    b->queue = MEM_NEW(int, X);
    b->seen = MEM_NEW(bool, X);
    if (!b->begins || !b->emitter || !b->queue || !b->seen) return error_memory(b->f.error);
    K = 0;
    for (int x = 0; x < X; x++)
        if (p->first[x] > 0) b->begins[K++] = x;
    for (size_t i = 0; i < (size_t)K * (size_t)p->observations.count; i++) b->emitter[i] = -1;
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < K && !status; k++) status = explore(b, k);
    return status;
}

static vouch_status find_promises(mdp_family *f)
{
    vouch_status status = family_make_sets(f);
    for (size_t j = 0; j < f->promised.count && !status; j++) {
        const specification *w = &f->promised.item[j];
        status = family_name_states(f, w->place, w->what, f->in[j]);
        if (!status && w->through) status = family_name_states(f, w->place, w->through, f->through[j]);
    }
    return status;
}

/* remarks: NULL, or to be believed where they hold. */
static vouch_status build(pomdp_family *b, const pomdp_remarks *remarks, const vouch_source *source, vouch_model **model)
{
    vouch_status status = family_check_source(&b->f, source);
    if (!status && (source->reward || source->time_to))
        status =
            error_set(b->f.error, VOUCH_ERROR_INPUT,
                      "%s: a POMDP file has neither labels nor named rewards: --reward and --time-to have no meaning", b->f.path);
    if (!status) status = find_environments(b);
    if (status) return status;
    int common = common_sight(b);
    for (int k = 0; k < b->f.K && common >= 0; k++) *emitter_of(b, k, common) = b->begins[k];
    if (remarks && common >= 0 && remarks->environments.count == b->f.K) {
        int *first_of = MEM_NEW(int, remarks->states.count);
        if (!first_of) return error_memory(b->f.error);
        if (remarks_hold(b, remarks, first_of)) b->remarks = remarks;
        mem_free(first_of);
    }
    b->own_start = common >= 0 ? -1 : b->p->observations.count;
    status = fill(b, common);
    if (!status) status = find_promises(&b->f);
    if (!status) status = family_initial(&b->f, source);
    return status ? status : family_finish(&b->f, source, model);
}

vouch_status pomdp_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error)
{
    pomdp p;
    pomdp_remarks remarks = {0};
    pomdp_family b = {.p = &p, .f = {.path = file->name, .error = error}};
    *model = NULL;
    vouch_status status = pomdp_read(&p, file, source->state_limit > 0 ? source->state_limit : INT_MAX, error);
    if (!status) status = build(&b, pomdp_read_remarks(&remarks, &p, file->bytes) ? &remarks : NULL, source, model);
    mem_free(b.begins);
    mem_free(b.emitter);
    mem_free(b.queue);
    mem_free(b.seen);
    family_free(&b.f);
    pomdp_free_remarks(&remarks);
    pomdp_free(&p);
    return status;
}

vouch_status pomdp_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    file_content file;
    vouch_status status = file_load(&file, path, error);
    if (!status) status = pomdp_model_parse(model, &file, source, error);
    file_unload(&file);
    return status;
}
