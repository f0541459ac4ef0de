/* io/pomdp_model.c - a model of a POMDP whose hidden part never changes; see formats.h and pomdp_read.h.
 *
 * Environments are the states in which it may begin, and the true one stays hidden. After that the initial state and the last
 * observation must determine the state, so that the observations are the states of the model; other POMDPs are refused. vouch's
 * agent sees its reward, the agent of a POMDP does not; the discount is not used.
 */
#include <limits.h>
#include <string.h>

#include "base/check.h"
#include "base/locale.h"
#include "io/family.h"
#include "io/formats.h"
#include "io/pomdp_read.h"

enum { MOST_CELLS = 100000000 };

/* The comments that pomdp.c writes: names, which this format cannot hold, and which observations are one state of the model.
 *
 *   # vouch: NAME, ..                           the first line
 *   # environment 0: NAME
 *   # action 0: NAME
 *   # arrival 0: reward 1.5, actions 0 2, state NAME
 */
typedef struct pomdp_remarks {
    names environments, actions, states;
    int *state_of; /* [O]: of an observation, a number in `states` */
    bool *acts;    /* [O * A]: the actions that are there */
} pomdp_remarks;

typedef struct pomdp_family {
    pomdp read;
    const pomdp *p; /* = &read */
    mdp_family f;
    const file_content *file;
    int *begins;            /* [K]: the first state of each environment */
    int *emitter;           /* [K * O]: the state that an observation means, -1: it is not made */
    int *queue;             /* [X] */
    bool *seen;             /* [X]: in the environment at hand */
    pomdp_remarks said;     /* by the file */
    pomdp_remarks *remarks; /* NULL: none, or they do not hold */
    int own_start;          /* the state before the first observation, where no observation is it; -1: none */
} pomdp_family;

static int *emitter_of(const pomdp_family *b, int k, int o)
{
    return &b->emitter[(size_t)k * (size_t)b->p->observations.count + (size_t)o];
}

static const char *state_text(const pomdp_family *b, int x) { return names_text(&b->p->states, x); }

/* The sum of a row, which must be about 1. */
static double row_sum(const pomdp_family *b, const pomdp_table *t, int a, int x)
{
    int n;
    const pomdp_entry *e = pomdp_row(t, b->p, a, x, &n);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += e[i].p;
    if (!(sum >= 1 - MODEL_SUM_TOLERANCE && sum <= 1 + MODEL_SUM_TOLERANCE))
        escape_fail(b->f.e, VOUCH_ERROR_INPUT,
                    "%s: %s: action \"%.60s\", state \"%.100s\": the probabilities sum to %.10g; expected 1", b->f.path,
                    t == &b->p->moves ? "T" : "O", names_text(&b->p->actions, a), state_text(b, x), sum);
    return sum;
}

/* After action a, in state x: notes the possible observations. */
static void arrive(pomdp_family *b, int k, int a, int x)
{
    int n;
    row_sum(b, &b->p->sights, a, x);
    const pomdp_entry *e = pomdp_row(&b->p->sights, b->p, a, x, &n);
    for (int i = 0; i < n; i++) {
        int *means = emitter_of(b, k, e[i].column);
        if (*means >= 0 && *means != x)
            escape_fail(
                b->f.e, VOUCH_ERROR_INPUT,
                "%s: a POMDP proper, whose hidden part moves; vouch needs a hidden part that stays, so that its first state and "
                "the last observation determine the state: begun in \"%.100s\", the observation \"%.100s\" may mean \"%.100s\" or "
                "\"%.100s\"",
                b->f.path, state_text(b, b->begins[k]), names_text(&b->p->observations, e[i].column), state_text(b, *means),
                state_text(b, x));
        *means = x;
    }
}

/* All states that environment k reaches. */
static void explore(pomdp_family *b, int k)
{
    const pomdp *p = b->p;
    int count = 1;
    memset(b->seen, 0, (size_t)p->states.count * sizeof *b->seen);
    b->queue[0] = b->begins[k];
    b->seen[b->begins[k]] = true;
    for (int at = 0; at < count; at++)
        for (int a = 0; a < p->actions.count; a++) {
            int n;
            row_sum(b, &p->moves, a, b->queue[at]);
            const pomdp_entry *e = pomdp_row(&p->moves, p, a, b->queue[at], &n);
            for (int i = 0; i < n; i++) {
                arrive(b, k, a, e[i].column);
                if (b->seen[e[i].column]) continue;
                b->seen[e[i].column] = true;
                b->queue[count++] = e[i].column;
            }
        }
}

/* The observation of state x, if it is the same after all actions; -1: there are several. */
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

/* Behind "# KIND N: " in this line, where N is the number expected; NULL: it says something else. */
static const char *behind(const char *line, const char *kind, int number)
{
    char start[64];
    int n = format_text(start, sizeof start, "# %s %d: ", kind, number);
    return strncmp(line, start, (size_t)n) == 0 ? line + n : NULL;
}

static size_t line_length(const char *s) { return strcspn(s, "\r\n"); }

static bool read_name(names *list, const char *name)
{
    int count = list->count;
    return line_length(name) > 0 && names_add_bytes(list, name, line_length(name)) == count;
}

/* "reward 1.5, actions 0 2, state NAME" of observation o. */
static bool read_arrival(pomdp_remarks *r, const pomdp *p, int o, const char *s)
{
    const char *actions = strstr(s, ", actions"), *end = s + line_length(s);
    int a, n;
    if (!actions || actions > end) return false;
    for (s = actions + strlen(", actions"); scan_text(s, " %d%n", &a, &n) == 1; s += n) {
        if (a < 0 || a >= p->actions.count) return false;
        r->acts[(size_t)o * (size_t)p->actions.count + (size_t)a] = true;
    }
    if (strncmp(s, ", state ", strlen(", state ")) != 0) return false;
    s += strlen(", state ");
    if (s >= end) return false;
    r->state_of[o] = names_add_bytes(&r->states, s, (size_t)(end - s));
    return r->state_of[o] >= 0;
}

/* false: the file has none, or they do not fit it. */
static bool read_remarks(pomdp_family *b)
{
    pomdp_remarks *r = &b->said;
    const char *content = b->file->bytes;
    int A = b->p->actions.count, O = b->p->observations.count, arrivals = 0;
    if (strncmp(content, "# vouch: ", strlen("# vouch: ")) != 0) return false;
    escape_names(b->f.e, &r->environments);
    escape_names(b->f.e, &r->actions);
    escape_names(b->f.e, &r->states);
    r->state_of = ESCAPE_NEW(b->f.e, int, O);
    r->acts = ESCAPE_ZERO(b->f.e, bool, (size_t)O *(size_t)A);
    bool fits = true;
    for (const char *line = content, *rest; fits && *line == '#'; line += line_length(line), line += strspn(line, "\r\n")) {
        if ((rest = behind(line, "environment", r->environments.count)))
            fits = read_name(&r->environments, rest);
        else if ((rest = behind(line, "action", r->actions.count)))
            fits = read_name(&r->actions, rest);
        else if ((rest = behind(line, "arrival", arrivals)))
            fits = arrivals < O && read_arrival(r, b->p, arrivals, rest) && ++arrivals;
    }
    return fits && arrivals == O && r->actions.count == A;
}

/* Are they true? Observations remarked as one state must behave alike, and an action remarked as missing like the first action. */
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

static void name_all(pomdp_family *b)
{
    const pomdp *p = b->p;
    mdp_family *f = &b->f;
    const names *state = b->remarks ? &b->remarks->states : &p->observations;
    const names *action = b->remarks ? &b->remarks->actions : &p->actions;
    f->S = state->count + (b->own_start >= 0);
    f->state_name = ESCAPE_ZERO(b->f.e, char *, f->S);
    f->env_name = ESCAPE_ZERO(b->f.e, char *, f->K);
    f->reached = ESCAPE_ZERO(b->f.e, bool, (size_t)f->K *(size_t)f->S);
    for (int s = 0; s < state->count; s++) f->state_name[s] = escape_string(f->e, names_text(state, s));
    for (int i = 0; b->own_start >= 0 && !f->state_name[b->own_start]; i++) {
        char name[32] = "start";
        if (i > 0) format_text(name, sizeof name, "start%d", i);
        if (names_find(state, name) < 0) f->state_name[b->own_start] = escape_string(f->e, name);
    }
    for (int k = 0; k < f->K; k++) {
        f->env_name[k] = escape_string(f->e, b->remarks ? names_text(&b->remarks->environments, k) : state_text(b, b->begins[k]));
    }
    for (int a = 0; a < action->count; a++) family_action(f, names_text(action, a));
}

/* What environment k does in state x, as rows of state s. */
static void add_rows(pomdp_family *b, int k, int s, int x, const bool acts[])
{
    const pomdp *p = b->p;
    b->f.reached[(size_t)k * (size_t)b->f.S + (size_t)s] = true;
    for (int a = 0; a < p->actions.count; a++) {
        int n, m;
        if (acts && !acts[a]) continue;
        double moved = row_sum(b, &p->moves, a, x);
        const pomdp_entry *e = pomdp_row(&p->moves, p, a, x, &n);
        for (int i = 0; i < n; i++) {
            double seen = row_sum(b, &p->sights, a, e[i].column);
            const pomdp_entry *o = pomdp_row(&p->sights, p, a, e[i].column, &m);
            for (int j = 0; j < m; j++)
                family_add_row(&b->f, (model_row){k, s, a, state_of(b, o[j].column), e[i].p / moved * (o[j].p / seen),
                                                  pomdp_reward(p, a, x, e[i].column, o[j].column), 0});
        }
    }
}

static void fill(pomdp_family *b, int common)
{
    int O = b->p->observations.count, A = b->p->actions.count;
    name_all(b);
    b->f.initial = b->own_start >= 0 ? b->own_start : state_of(b, common);
    for (int k = 0; k < b->f.K; k++) {
        if (b->own_start >= 0) add_rows(b, k, b->own_start, b->begins[k], NULL);
        for (int o = 0; o < O; o++) {
            int s = state_of(b, o), x = *emitter_of(b, k, o);
            if (x >= 0 && !b->f.reached[(size_t)k * (size_t)b->f.S + (size_t)s])
                add_rows(b, k, s, x, b->remarks ? b->remarks->acts + (size_t)o * (size_t)A : NULL);
        }
    }
}

static void find_environments(pomdp_family *b)
{
    const pomdp *p = b->p;
    int X = p->states.count, K = 0;
    for (int x = 0; x < X; x++) K += p->first[x] > 0;
    b->f.K = K;
    if ((double)K * p->observations.count > MOST_CELLS)
        escape_fail(b->f.e, VOUCH_ERROR_SIZE, "%s: %d states to begin in with %d observations are too many", b->f.path, K,
                    p->observations.count);
    b->begins = ESCAPE_NEW(b->f.e, int, K);
    b->emitter = ESCAPE_NEW(b->f.e, int, (size_t)K *(size_t)p->observations.count);
    b->queue = ESCAPE_NEW(b->f.e, int, X);
    b->seen = ESCAPE_NEW(b->f.e, bool, X);
    K = 0;
    for (int x = 0; x < X; x++)
        if (p->first[x] > 0) b->begins[K++] = x;
    for (size_t i = 0; i < (size_t)K * (size_t)p->observations.count; i++) b->emitter[i] = -1;
    for (int k = 0; k < K; k++) explore(b, k);
}

static void build(void *object)
{
    pomdp_family *b = object;
    mdp_family *f = &b->f;
    long long limit = f->source->state_limit;
    pomdp_read(&b->read, f->e, b->file, limit > 0 ? limit : INT_MAX);
    bool said = read_remarks(b);
    family_check_source(f);
    if (f->source->reward || f->source->time_to)
        escape_fail(f->e, VOUCH_ERROR_INPUT,
                    "%s: a POMDP file has neither labels nor named rewards: --reward and --time-to have no meaning", f->path);
    find_environments(b);
    int common = common_sight(b);
    for (int k = 0; k < f->K && common >= 0; k++) *emitter_of(b, k, common) = b->begins[k];
    if (said && common >= 0 && b->said.environments.count == f->K &&
        remarks_hold(b, &b->said, ESCAPE_NEW(f->e, int, b->said.states.count)))
        b->remarks = &b->said;
    b->own_start = common >= 0 ? -1 : b->p->observations.count;
    fill(b, common);
    family_promises(f);
    family_initial(f);
    family_finish(f);
}

vouch_status pomdp_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error)
{
    pomdp_family b = {.p = &b.read, .f = {.path = file->name, .source = source}, .file = file};
    return family_read(&b.f, build, &b, model, error);
}

vouch_status pomdp_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    file_content file;
    vouch_status status = file_load(&file, path, error);
    if (!status) status = pomdp_model_parse(model, &file, source, error);
    file_unload(&file);
    return status;
}
