/* mdp/generate.c - see generate.h.
 *
 * Twin-States and the T-Maze: Zhang, Singh, Durfee (ICAPS 2017); the drawing of their maze is lost, this is a reading of its
 * text with every number a parameter. Random models keep probabilities of three decimals and small whole rewards, so that their
 * files stay readable; environments differ in some rows only, by probabilities or by successors, so that there is
 * something to learn, but not everything at once.
 */
#include <vouch/generate.h>

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "base/rng.h"
#include "mdp/dp.h"
#include "mdp/generate_aid.h"
#include "mdp/model.h"

vouch_status generate_hand_over(vouch_model **model, vouch_status status, vouch_error *error)
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
    generate_note(&status, vouch_model_set_name(m, "twin-states"));
    generate_note(&status, vouch_model_set_state_name(m, 0, "A"));
    generate_note(&status, vouch_model_set_state_name(m, 1, "B"));
    generate_note(&status, vouch_model_set_commitment(m, 0, 1));
    generate_note(&status, vouch_model_set_probability(m, 1));
    for (int k = 0; k < 9; k++) {
        char name[32];
        double in_a = 1 + 2 * (k / 3), in_b = 2 * (k % 3);
        format_text(name, sizeof name, "A%gB%g", in_a, in_b);
        generate_note(&status, vouch_model_set_environment_name(m, k, name));
        for (int s = 0; s < 2; s++) {
            generate_note(&status, vouch_model_add(m, k, s, 0, 1 - s, 1, 0));
            generate_note(&status, vouch_model_add(m, k, s, 1, s, 1, 2 + s));
            generate_note(&status, vouch_model_add(m, k, s, 2, s, 1, s == 0 ? in_a : in_b));
        }
    }
    return generate_hand_over(model, status, error);
}

vouch_status vouch_generate_lookahead(vouch_model **model, vouch_error *error)
{
    if (!model) return error_null(error);
    vouch_status status = vouch_model_new(model, 4, 2, 2, 3);
    if (status) return error_memory(error);
    vouch_model *m = *model;
    generate_note(&status, vouch_model_set_name(m, "lookahead"));
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 2; a++) {
            generate_note(&status, vouch_model_add(m, k, 0, a, 1, k == 0 ? 0.9 : 0.1, 0));
            generate_note(&status, vouch_model_add(m, k, 0, a, 2, k == 0 ? 0.1 : 0.9, 0));
            generate_note(&status, vouch_model_add(m, k, 1, a, 3, 1, 0));
            generate_note(&status, vouch_model_add(m, k, 2, a, 3, 1, 0));
            generate_note(&status, vouch_model_add(m, k, 3, a, 3, 1, a == k ? 1 : 0));
        }
    return generate_hand_over(model, status, error);
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
    for (int a = 0; a < MOVES; a++) generate_note(&status, vouch_model_set_action_name(m, a, move_names[a]));
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
        generate_note(&status, vouch_model_set_state_name(m, s, name));
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
    generate_note(&status, name_maze(m, z));
    generate_note(&status, vouch_model_set_commitment(m, cells - 1, 1));
    generate_note(&status, vouch_model_set_probability(m, z->probability));
    for (int k = 0; k < z->environments && !status; k++)
        for (int s = 0; s < cells; s++)
            for (int a = 0; a < MOVES; a++) {
                int next = maze_move(z, s, a);
                bool slippery = s <= h - 1 && s >= h - 1 - k && next != s && z->grip < 1;
                double reward = s == reward_cell;
                generate_note(&status, vouch_model_add(m, k, s, a, next, slippery ? z->grip : 1, reward));
                if (slippery) generate_note(&status, vouch_model_add(m, k, s, a, s, 1 - z->grip, reward));
            }
    return generate_hand_over(model, status, error);
}

/* ---- random models ------------------------------------------------------------------------------------------- */

enum { PARTS = 1000, MOST_REWARD = 5, DRAWS = 1000 };
/* After so many pairs (state, action) of models whose promise cannot be kept, another state of the model at hand is promised; so
 * many are tried in each of so many models. */
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

/* The rows of one pair in all environments: half of the pairs differ in transitions, a third of those in their
 * successors too; half differ in rewards. */
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
            generate_note(&status, vouch_model_add(m, k, s, a, d->next[i], (double)d->part[i] / PARTS, reward));
    }
    return status;
}

static vouch_status draw_model(vouch_model **model, const vouch_random_shape *z, rng *r, distribution *d, vouch_error *error)
{
    char name[64];
    vouch_status status = vouch_model_new(model, z->states, z->actions, z->environments, z->horizon);
    if (status) return error_memory(error);
    format_text(name, sizeof name, "random-%llu", (unsigned long long)z->seed);
    generate_note(&status, vouch_model_set_name(*model, name));
    generate_note(&status, vouch_model_set_probability(*model, z->probability));
    generate_note(&status, vouch_model_set_commitment(*model, (int)rng_below(r, (uint64_t)z->states), 1));
    for (int s = 0; s < z->states && !status; s++)
        for (int a = 0; a < z->actions && !status; a++) status = draw_pair(*model, z, r, d, s, a);
    return generate_hand_over(model, status, error);
}

/* 1 yes, 0 no, -1 memory. */
static int each_alone_can(const vouch_model *m, double p)
{
    for (int k = 0; k < vouch_model_environments(m); k++) {
        double best = dp_best_probability(m, k);
        if (best < 0) return -1;
        if (!(best >= p)) return 0;
    }
    return 1;
}

/* Where one walk of random actions ends that always moves to the likeliest successor of environment 0. */
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

/* Of many states nearly all are out of reach: promises a state where a walk ends. Returns as each_alone_can. */
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
    mem_free(d.next);
    mem_free(d.part);
    return status;
}
