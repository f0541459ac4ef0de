/* mdp/generate.c - see vouch/generate.h, which names the sources.
 *
 * The drawing of the T-Maze is lost; this follows its text, with every number a parameter. Random models have probabilities of
 * three decimals and small integer rewards, so that files are readable; environments differ in some rows only, so that there is
 * something to learn, but not everything at once.
 *
 * Random numbers are drawn from one stream of the seed, in the order of environments, states, actions, successors, so that a seed
 * gives the same model on every machine with the same rounding of log and sqrt. Dirichlet rows are quotients of gamma variates (G.
 * Marsaglia, W. W. Tsang, ACM TOMS 26, 2000). */
#include <math.h>
#include <vouch/generate.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "mdp/dp.h"

/* Collects the statuses of many calls that can only fail by memory. */
static void note(vouch_status *all, vouch_status one)
{
    if (*all == VOUCH_OK) *all = one;
}

/* Finishes, or frees and reports. */
static vouch_status hand_over(vouch_model **model, vouch_status status, vouch_error *error)
{
    if (status == VOUCH_OK)
        status = vouch_model_finish(*model, NULL, error);
    else
        error_set(error, status, "%s", vouch_status_text(status));
    if (status != VOUCH_OK) {
        vouch_model_free(*model);
        *model = NULL;
    }
    return status;
}

vouch_status vouch_generate_twin_states(vouch_model **model, int horizon, vouch_error *error)
{
    if (!model) return error_null(error);
    *model = NULL;
    if (horizon < 1) return error_set(error, VOUCH_ERROR_ARGUMENT, "twin-states: the horizon must be at least 1");
    vouch_status status = vouch_model_new(model, 2, 3, 9, horizon);
    if (status) return error_memory(error);
    vouch_model *m = *model;
    note(&status, vouch_model_set_name(m, "twin-states"));
    note(&status, vouch_model_set_state_name(m, 0, "A"));
    note(&status, vouch_model_set_state_name(m, 1, "B"));
    note(&status, vouch_model_set_commitment(m, 0, 1));
    note(&status, vouch_model_set_probability(m, 1));
    for (int k = 0; k < 9; k++) {
        char name[32];
        double in_a = 1 + 2 * (k / 3), in_b = 2 * (k % 3);
        format_text(name, sizeof name, "A%gB%g", in_a, in_b);
        note(&status, vouch_model_set_environment_name(m, k, name));
        for (int s = 0; s < 2; s++) {
            note(&status, vouch_model_add(m, k, s, 0, 1 - s, 1, 0));
            note(&status, vouch_model_add(m, k, s, 1, s, 1, 2 + s));
            note(&status, vouch_model_add(m, k, s, 2, s, 1, s == 0 ? in_a : in_b));
        }
    }
    return hand_over(model, status, error);
}

vouch_status vouch_generate_lookahead(vouch_model **model, vouch_error *error)
{
    if (!model) return error_null(error);
    vouch_status status = vouch_model_new(model, 4, 2, 2, 3);
    if (status) return error_memory(error);
    vouch_model *m = *model;
    note(&status, vouch_model_set_name(m, "lookahead"));
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 2; a++) {
            note(&status, vouch_model_add(m, k, 0, a, 1, k == 0 ? 0.9 : 0.1, 0));
            note(&status, vouch_model_add(m, k, 0, a, 2, k == 0 ? 0.1 : 0.9, 0));
            note(&status, vouch_model_add(m, k, 1, a, 3, 1, 0));
            note(&status, vouch_model_add(m, k, 2, a, 3, 1, 0));
            note(&status, vouch_model_add(m, k, 3, a, 3, 1, a == k ? 1 : 0));
        }
    return hand_over(model, status, error);
}

/* ---- the T-Maze ---------------------------------------------------------------------------------------------- */

enum { NORTH, SOUTH, EAST, WEST, MOVES };

/* Cells: corridor 0..h, then up 1..u, then down 1..d. */
static int maze_move(const vouch_maze_shape *z, int cell, int move)
{
    int h = z->corridor, first_up = h + 1, last_up = h + z->up, first_down = last_up + 1, last_down = last_up + z->down;
    if (cell < h) return move == EAST ? cell + 1 : move == WEST && cell > 0 ? cell - 1 : cell;
    if (cell == h) return move == NORTH ? first_up : move == SOUTH ? first_down : move == WEST ? h - 1 : h;
    bool up = cell <= last_up;
    int away = up ? NORTH : SOUTH, back = up ? SOUTH : NORTH, first = up ? first_up : first_down, last = up ? last_up : last_down;
    if (move == away) return cell < last ? cell + 1 : cell;
    if (move == back) return cell > first ? cell - 1 : h;
    return cell;
}

static vouch_status name_maze(vouch_model *m, const vouch_maze_shape *z)
{
    static const char *const move_names[MOVES] = {"north", "south", "east", "west"};
    vouch_status status = vouch_model_set_name(m, "t-maze");
    int h = z->corridor, cells = h + 1 + z->up + z->down;
    for (int a = 0; a < MOVES; a++) note(&status, vouch_model_set_action_name(m, a, move_names[a]));
    for (int s = 0; s < cells; s++) {
        char name[32];
        if (s == h - 1)
            format_text(name, sizeof name, "s");
        else if (s <= h)
            format_text(name, sizeof name, "x%d", s);
        else if (s == h + z->up)
            format_text(name, sizeof name, "r");
        else if (s == cells - 1)
            format_text(name, sizeof name, "c");
        else if (s < h + z->up)
            format_text(name, sizeof name, "u%d", s - h);
        else
            format_text(name, sizeof name, "d%d", s - h - z->up);
        note(&status, vouch_model_set_state_name(m, s, name));
    }
    return status;
}

vouch_status vouch_generate_t_maze(vouch_model **model, const vouch_maze_shape *z, vouch_error *error)
{
    if (model) *model = NULL;
    if (!model || !z) return error_null(error);
    int h = z->corridor;
    if (h < 1 || z->up < 1 || z->down < 1 || z->environments < 1 || z->horizon < 1)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "t-maze: corridor, up, down, environments and horizon must be at least 1");
    if (h > 1000000 || z->up > 1000000 || z->down > 1000000)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "t-maze: at most a million cells in each arm");
    if (z->environments > h)
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "t-maze: %d environments need as many cells before the junction, the corridor has %d", z->environments, h);
    if (!(z->grip > 0 && z->grip <= 1) || !(z->probability >= 0 && z->probability <= 1))
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "t-maze: probabilities must lie in [0, 1], and slippery moves must succeed with more than 0");
    int cells = h + 1 + z->up + z->down, reward_cell = h + z->up;
    vouch_status status = vouch_model_new(model, cells, MOVES, z->environments, z->horizon);
    if (status) return error_memory(error);
    vouch_model *m = *model;
    note(&status, name_maze(m, z));
    note(&status, vouch_model_set_commitment(m, cells - 1, 1));
    note(&status, vouch_model_set_probability(m, z->probability));
    for (int k = 0; k < z->environments && !status; k++)
        for (int s = 0; s < cells; s++)
            for (int a = 0; a < MOVES; a++) {
                int next = maze_move(z, s, a);
                bool slippery = s <= h - 1 && s >= h - 1 - k && next != s && z->grip < 1;
                double reward = s == reward_cell;
                note(&status, vouch_model_add(m, k, s, a, next, slippery ? z->grip : 1, reward));
                if (slippery) note(&status, vouch_model_add(m, k, s, a, s, 1 - z->grip, reward));
            }
    return hand_over(model, status, error);
}

/* ---- random models ------------------------------------------------------------------------------------------- */

enum { PARTS = 1000, MOST_REWARD = 5, DRAWS = 1000 };
/* After PAIRS_DRAWN pairs of models with an infeasible promise, WALKS other states are promised in each of WALKED_MODELS models. */
enum { PAIRS_DRAWN = 2000000, WALKS = 16, WALKED_MODELS = 4 };

typedef struct distribution {
    int count;
    int *next; /* [branching] */
    int *part; /* [branching] thousandths, each >= 1, summing to PARTS */
} distribution;

static void draw_parts(rng *r, distribution *d)
{
    int left = PARTS - d->count;
    for (int i = 0; i < d->count; i++) {
        int more = i + 1 < d->count ? (int)rng_below(r, (uint64_t)left + 1) : left;
        d->part[i] = 1 + more;
        left -= more;
    }
}

static void draw_successors(rng *r, const vouch_random_shape *z, distribution *d)
{
    int most = z->branching < z->states ? z->branching : z->states;
    d->count = 1 + (int)rng_below(r, (uint64_t)most);
    for (int i = 0; i < d->count; i++) {
        bool fresh;
        do {
            d->next[i] = (int)rng_below(r, (uint64_t)z->states);
            fresh = true;
            for (int j = 0; j < i; j++) fresh = fresh && d->next[j] != d->next[i];
        } while (!fresh);
    }
}

static double draw_reward(rng *r) { return rng_below(r, 2) ? (double)(1 + rng_below(r, MOST_REWARD)) : 0; }

/* The rows of one pair in all environments: half of the pairs differ in transitions, of these a third in successors; half differ in
 * rewards. */
static vouch_status draw_pair(vouch_model *m, const vouch_random_shape *z, rng *r, distribution *d, int s, int a)
{
    vouch_status status = VOUCH_OK;
    bool differ = !z->shared_transitions && rng_below(r, 2), differ_successors = differ && rng_below(r, 3) == 0;
    bool differ_reward = rng_below(r, 2);
    double reward = draw_reward(r);
    draw_successors(r, z, d);
    draw_parts(r, d);
    for (int k = 0; k < z->environments; k++) {
        if (k > 0 && differ_successors) draw_successors(r, z, d);
        if (k > 0 && differ) draw_parts(r, d);
        if (k > 0 && differ_reward) reward = draw_reward(r);
        for (int i = 0; i < d->count; i++)
            note(&status, vouch_model_add(m, k, s, a, d->next[i], (double)d->part[i] / PARTS, reward));
    }
    return status;
}

static vouch_status draw_model(vouch_model **model, const vouch_random_shape *z, rng *r, distribution *d, vouch_error *error)
{
    char name[64];
    vouch_status status = vouch_model_new(model, z->states, z->actions, z->environments, z->horizon);
    if (status) return error_memory(error);
    format_text(name, sizeof name, "random-%llu", (unsigned long long)z->seed);
    note(&status, vouch_model_set_name(*model, name));
    note(&status, vouch_model_set_probability(*model, z->probability));
    note(&status, vouch_model_set_commitment(*model, (int)rng_below(r, (uint64_t)z->states), 1));
    for (int s = 0; s < z->states && !status; s++)
        for (int a = 0; a < z->actions && !status; a++) status = draw_pair(*model, z, r, d, s, a);
    return hand_over(model, status, error);
}

/* 1: the promise is feasible in each environment alone, 0: it is not, -1: out of memory. */
static int each_alone_can(const vouch_model *m, double p)
{
    for (int k = 0; k < vouch_model_environments(m); k++) {
        double best = dp_best_probability(m, k);
        if (best < 0) return -1;
        if (!(best >= p)) return 0;
    }
    return 1;
}

/* The last state of a path of random actions and likeliest successors in environment 0. */
static int walk(const vouch_model *m, rng *r)
{
    int s = m->s0;
    for (int t = 0; t < m->T; t++) {
        int q = m->pair_start[s] + (int)rng_below(r, (uint64_t)(m->pair_start[s + 1] - m->pair_start[s]));
        const mdp *e = &m->env[0];
        int likeliest = e->start[q];
        for (int o = e->start[q]; o < e->start[q + 1]; o++)
            if (e->prob[o] > e->prob[likeliest]) likeliest = o;
        s = e->next[likeliest];
    }
    return s;
}

/* Promises the last state of a path, since in large models nearly all states are unreachable. Returns as each_alone_can. */
static int promise_near(vouch_model *m, double p, rng *r)
{
    int found = 0;
    for (int i = 0; i < WALKS && found == 0; i++) {
        int s = walk(m, r);
        memset(m->terminal, 0, (size_t)m->S * sizeof *m->terminal);
        if (vouch_model_set_commitment(m, s, 1)) return -1;
        found = each_alone_can(m, p);
    }
    return found;
}

vouch_status vouch_generate_random(vouch_model **model, const vouch_random_shape *z, vouch_error *error)
{
    if (model) *model = NULL;
    if (!model || !z) return error_null(error);
    if (z->states < 1 || z->actions < 1 || z->environments < 1 || z->horizon < 1 || z->branching < 1 || z->branching > PARTS ||
        !(z->probability >= 0 && z->probability <= 1))
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "random: states, actions, environments, horizon and branching must be at least 1, p in [0, 1]");
    int most = z->branching < z->states ? z->branching : z->states;
    distribution d = {.next = MEM_NEW(int, most), .part = MEM_NEW(int, most)};
    rng r = rng_seed(z->seed);
    vouch_status status = d.next && d.part ? VOUCH_OK : error_memory(error);
    const double pairs = (double)z->states * z->actions * z->environments;
    int found = 0, draw = 0;
    for (int walked = 0; draw < DRAWS && walked < WALKED_MODELS && !status && !found; draw++) {
        status = draw_model(model, z, &r, &d, error);
        if (status) break;
        status = model_fits(*model, error);
        found = status ? 0 : each_alone_can(*model, z->probability);
        if (!status && !found && pairs * (draw + 1) > PAIRS_DRAWN) {
            walked++;
            found = promise_near(*model, z->probability, &r);
        }
        if (found == 1) break;
        vouch_model_free(*model);
        *model = NULL;
        if (found < 0) status = error_memory(error);
    }
    if (!status && !found)
        status = error_set(error, VOUCH_ERROR_INPUT,
                           "random: in %d draws no model was found whose commitment with p = %.10g each environment alone can keep",
                           draw, z->probability);
    MEM_FREE_ALL(d.next, d.part);
    return status;
}

/* ---- families of the literature ------------------------------------------------------------------------------- */

static const double MOST_PAY = 10;       /* rewards are uniform below it */
static const double LEAST_CHANCE = 1e-9; /* of a drawn successor; less would be lost in rounding */
static const double MOST_CONCENTRATION = 1e6;

static vouch_status check(const char *kind, const vouch_family_shape *z, bool states, bool actions, vouch_error *error)
{
    if ((states && z->states < 1) || (actions && z->actions < 1) || z->environments < 1 || z->horizon < 1 ||
        !(z->probability >= 0 && z->probability <= 1))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "%s: %s%senvironments and horizon must be at least 1, p in [0, 1]", kind,
                         states ? "states, " : "", actions ? "actions, " : "");
    return VOUCH_OK;
}

static vouch_status begin(vouch_model **model, const char *kind, const vouch_family_shape *z, int states, int actions,
                          vouch_error *error)
{
    char name[64];
    vouch_status status = vouch_model_new(model, states, actions, z->environments, z->horizon);
    if (status) return error_memory(error);
    format_text(name, sizeof name, "%s-%llu", kind, (unsigned long long)z->seed);
    note(&status, vouch_model_set_name(*model, name));
    note(&status, vouch_model_set_probability(*model, z->probability));
    return status;
}

/* All states are promised with p = 0, else those 0 .. count - 1. */
static void promise_first(vouch_model *m, vouch_status *status, const vouch_family_shape *z, int states, int count)
{
    for (int s = 0; s < (z->probability > 0 ? count : states); s++) note(status, vouch_model_set_commitment(m, s, 1));
}

vouch_status vouch_generate_random_dense(vouch_model **model, const vouch_family_shape *z, vouch_error *error)
{
    if (model) *model = NULL;
    if (!model || !z) return error_null(error);
    vouch_status status = check("random-dense", z, true, true, error);
    if (!status) status = begin(model, "random-dense", z, z->states, z->actions, error);
    if (status) return status;
    double *row = MEM_NEW(double, z->states);
    rng r = rng_seed(z->seed);
    if (!row) status = VOUCH_ERROR_MEMORY;
    for (int k = 0; k < z->environments && !status; k++)
        for (int s = 0; s < z->states; s++)
            for (int a = 0; a < z->actions; a++) {
                double sum = 0, reward = MOST_PAY * rng_unit(&r);
                for (int n = 0; n < z->states; n++) sum += row[n] = 1 - rng_unit(&r); /* not 0 */
                for (int n = 0; n < z->states; n++) note(&status, vouch_model_add(*model, k, s, a, n, row[n] / sum, reward));
            }
    promise_first(*model, &status, z, z->states, z->states < 3 ? 1 : z->states / 3);
    mem_free(row);
    return hand_over(model, status, error);
}

/* ---- machine repair ---------------------------------------------------------------------------------------------- */

enum { MACHINE_STATES = 10, MACHINE_ACTIONS = 4, WORN = 7, REPAIRED = 8, BROKEN = 9 };

/* Nominal row of state s (0 .. 9 for 1 .. 10) and action a. */
static void nominal_row(int s, int a, double row[MACHINE_STATES])
{
    static const double repaired[] = {0.6, 0.576, 0.6286}, broken[] = {0.1, 0.124, 0.0714};
    for (int n = 0; n < MACHINE_STATES; n++) row[n] = 0;
    if (a == 0 && s < WORN) {
        row[s] = 0.2;
        row[s + 1] = 0.8;
    } else if (a == 0 && s == REPAIRED) {
        row[0] = 0.8;
        row[REPAIRED] = 0.2;
    } else if (a == 0 || s == REPAIRED) {
        row[s] = 1;
    } else if (s == BROKEN) {
        row[REPAIRED] = repaired[a - 1];
        row[BROKEN] = 1 - repaired[a - 1];
    } else {
        row[s < WORN ? s + 1 : WORN] = 0.3;
        row[REPAIRED] = repaired[a - 1];
        row[BROKEN] = broken[a - 1];
    }
}

static double draw_normal(rng *r)
{
    for (;;) { /* the polar method */
        double x = 2 * rng_unit(r) - 1, y = 2 * rng_unit(r) - 1, q = x * x + y * y;
        if (q > 0 && q < 1) return x * sqrt(-2 * log(q) / q);
    }
}

/* Of shape a > 0 and scale 1. */
static double draw_gamma(rng *r, double a)
{
    double boost = 1;
    if (a < 1) {
        boost = pow(1 - rng_unit(r), 1 / a);
        a += 1;
    }
    double d = a - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = draw_normal(r), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(1 - rng_unit(r)) < 0.5 * x * x + d - d * v + d * log(v)) return boost * d * v;
    }
}

/* Replaces row by a draw from Dirichlet(concentration * row), with probabilities of at least LEAST_CHANCE. */
static void draw_dirichlet(rng *r, double concentration, double row[MACHINE_STATES])
{
    double sum = 0;
    for (int n = 0; n < MACHINE_STATES; n++)
        if (row[n] > 0) sum += row[n] = draw_gamma(r, concentration * row[n]) + DBL_MIN;
    double again = 0;
    for (int n = 0; n < MACHINE_STATES; n++)
        if (row[n] > 0) again += row[n] = fmax(row[n] / sum, LEAST_CHANCE);
    for (int n = 0; n < MACHINE_STATES; n++) row[n] /= again;
}

vouch_status vouch_generate_machine_repair(vouch_model **model, const vouch_family_shape *z, vouch_error *error)
{
    if (model) *model = NULL;
    if (!model || !z) return error_null(error);
    static const double pay[MACHINE_STATES] = {[WORN] = -10, [REPAIRED] = -2, [BROKEN] = -20};
    vouch_status status = check("machine-repair", z, false, false, error);
    if (!status && !(z->concentration > 0 && z->concentration <= MOST_CONCENTRATION))
        status = error_set(error, VOUCH_ERROR_ARGUMENT, "machine-repair: the concentration must be above 0 and at most %g",
                           MOST_CONCENTRATION);
    if (!status) status = begin(model, "machine-repair", z, MACHINE_STATES, MACHINE_ACTIONS, error);
    if (status) return status;
    vouch_model *m = *model;
    rng r = rng_seed(z->seed);
    for (int s = 0; s < MACHINE_STATES; s++) {
        char name[16];
        format_text(name, sizeof name, "%d", s + 1);
        note(&status, vouch_model_set_state_name(m, s, s == REPAIRED ? "repair" : s == BROKEN ? "broken" : name));
    }
    static const char *const action[MACHINE_ACTIONS] = {"run", "repair1", "repair2", "repair3"};
    for (int a = 0; a < MACHINE_ACTIONS; a++) note(&status, vouch_model_set_action_name(m, a, action[a]));
    for (int k = 0; k < z->environments && !status; k++)
        for (int s = 0; s < MACHINE_STATES; s++)
            for (int a = 0; a < MACHINE_ACTIONS; a++) {
                double row[MACHINE_STATES];
                nominal_row(s, a, row);
                draw_dirichlet(&r, z->concentration, row);
                for (int n = 0; n < MACHINE_STATES; n++)
                    if (row[n] > 0) note(&status, vouch_model_add(m, k, s, a, n, row[n], pay[s]));
            }
    promise_first(m, &status, z, MACHINE_STATES, WORN);
    return hand_over(model, status, error);
}

/* ---- adaptive management, and the corridor ------------------------------------------------------------------------- */

vouch_status vouch_generate_adaptive(vouch_model **model, const vouch_family_shape *z, vouch_error *error)
{
    if (model) *model = NULL;
    if (!model || !z) return error_null(error);
    vouch_status status = check("adaptive", z, false, true, error);
    if (!status) status = begin(model, "adaptive", z, 2, z->actions, error);
    if (status) return status;
    vouch_model *m = *model;
    double *pay = MEM_NEW(double, 2 * (size_t)z->actions);
    rng r = rng_seed(z->seed);
    if (!pay) status = VOUCH_ERROR_MEMORY;
    note(&status, vouch_model_set_state_name(m, 0, "good"));
    note(&status, vouch_model_set_state_name(m, 1, "bad"));
    for (int i = 0; i < 2 * z->actions && pay; i++) pay[i] = rng_unit(&r);
    for (int k = 0; k < z->environments && !status; k++)
        for (int s = 0; s < 2; s++)
            for (int a = 0; a < z->actions; a++) {
                double good = rng_unit(&r);
                note(&status, vouch_model_add(m, k, s, a, 0, good, pay[s * z->actions + a]));
                note(&status, vouch_model_add(m, k, s, a, 1, 1 - good, pay[s * z->actions + a]));
            }
    promise_first(m, &status, z, 2, 1);
    mem_free(pay);
    return hand_over(model, status, error);
}

vouch_status vouch_generate_corridor(vouch_model **model, int horizon, double probability, vouch_error *error)
{
    if (!model) return error_null(error);
    enum { CELLS = 7, DITCH = CELLS, WALK = 0, RUN, REST, ACTIONS, PARCEL = 3, FETCHED = 3 };
    static const double slip[] = {0.05, 0.2};
    static const char *const environment[] = {"dry", "wet"}, *const move[] = {"walk", "run", "rest"};
    *model = NULL;
    if (horizon < CELLS - 1 || !(probability >= 0 && probability <= 1))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "corridor: the horizon must be at least %d, p in [0, 1]", CELLS - 1);
    vouch_status status = vouch_model_new(model, CELLS + 1, ACTIONS, 2, horizon);
    if (status) return error_memory(error);
    vouch_model *m = *model;
    note(&status, vouch_model_set_name(m, "corridor"));
    for (int a = 0; a < ACTIONS; a++) note(&status, vouch_model_set_action_name(m, a, move[a]));
    for (int s = 0; s <= DITCH; s++) {
        char name[16];
        format_text(name, sizeof name, "x%d", s);
        note(&status, vouch_model_set_state_name(m, s,
                                                 s == PARCEL      ? "parcel"
                                                 : s == CELLS - 1 ? "desk"
                                                 : s == DITCH     ? "ditch"
                                                                  : name));
    }
    for (int k = 0; k < 2; k++) {
        note(&status, vouch_model_set_environment_name(m, k, environment[k]));
        for (int s = 0; s <= DITCH; s++)
            for (int a = 0; a < ACTIONS; a++) {
                int step = s == DITCH ? 0 : s + (a == WALK ? 1 : a == RUN ? 2 : 0), next = step < CELLS ? step : CELLS - 1;
                double falls = a == RUN && s != DITCH ? slip[k] : 0, pay = a == REST && s != DITCH;
                note(&status, vouch_model_add(m, k, s, a, next, 1 - falls, pay));
                if (falls > 0) note(&status, vouch_model_add(m, k, s, a, DITCH, falls, pay));
            }
    }
    note(&status, vouch_model_add_promise(m, "fetch", VOUCH_PROMISE_BY, -1, FETCHED));
    note(&status, vouch_model_add_promise(m, "deliver", VOUCH_PROMISE_BY, -1, -1));
    note(&status, vouch_model_add_promise(m, "safe", VOUCH_PROMISE_AVOID, -1, -1));
    note(&status, vouch_model_set_promise_state(m, 0, -1, PARCEL, 1));
    note(&status, vouch_model_set_promise_state(m, 0, -1, PARCEL + 1, 1)); /* running past it counts, too */
    note(&status, vouch_model_set_promise_state(m, 1, -1, CELLS - 1, 1));
    note(&status, vouch_model_set_promise_state(m, 2, -1, DITCH, 1));
    for (int j = 0; j < 3; j++) note(&status, vouch_model_set_promise_probability(m, j, -1, probability));
    return hand_over(model, status, error);
}
