/* mdp/generate_literature.c - families of the literature on several models of one decision problem, and a corridor to learn
 * promises with; see vouch/generate.h, which names the sources.
 *
 * Everything is drawn from one stream of the seed, in the order of environments, states, actions, successors, so that a seed gives
 * the same model on every machine whose log and sqrt round alike. Dirichlet rows are quotients of gamma variates (G. Marsaglia, W.
 * W. Tsang, ACM TOMS 26, 2000).
 */
#include <vouch/generate.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "base/rng.h"
#include "mdp/generate_aid.h"
#include "mdp/model.h"

/* Rewards are uniform below it. */
static const double MOST_PAY = 10;
/* Least probability of a successor that is drawn: what is smaller is rounding to all that reads the model. */
static const double LEAST_CHANCE = 1e-9;
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
    generate_note(&status, vouch_model_set_name(*model, name));
    generate_note(&status, vouch_model_set_probability(*model, z->probability));
    return status;
}

/* All states are promised with p = 0, else those 0 .. count - 1. */
static void promise_first(vouch_model *m, vouch_status *status, const vouch_family_shape *z, int states, int count)
{
    for (int s = 0; s < (z->probability > 0 ? count : states); s++) generate_note(status, vouch_model_set_commitment(m, s, 1));
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
                for (int n = 0; n < z->states; n++)
                    generate_note(&status, vouch_model_add(*model, k, s, a, n, row[n] / sum, reward));
            }
    promise_first(*model, &status, z, z->states, z->states < 3 ? 1 : z->states / 3);
    mem_free(row);
    return generate_hand_over(model, status, error);
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

/* Dirichlet(concentration * row) in its place; what nature draws below LEAST_CHANCE is as good as impossible, but stays a
 * successor. */
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
        generate_note(&status, vouch_model_set_state_name(m, s, s == REPAIRED ? "repair" : s == BROKEN ? "broken" : name));
    }
    static const char *const action[MACHINE_ACTIONS] = {"run", "repair1", "repair2", "repair3"};
    for (int a = 0; a < MACHINE_ACTIONS; a++) generate_note(&status, vouch_model_set_action_name(m, a, action[a]));
    for (int k = 0; k < z->environments && !status; k++)
        for (int s = 0; s < MACHINE_STATES; s++)
            for (int a = 0; a < MACHINE_ACTIONS; a++) {
                double row[MACHINE_STATES];
                nominal_row(s, a, row);
                draw_dirichlet(&r, z->concentration, row);
                for (int n = 0; n < MACHINE_STATES; n++)
                    if (row[n] > 0) generate_note(&status, vouch_model_add(m, k, s, a, n, row[n], pay[s]));
            }
    promise_first(m, &status, z, MACHINE_STATES, WORN);
    return generate_hand_over(model, status, error);
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
    generate_note(&status, vouch_model_set_state_name(m, 0, "good"));
    generate_note(&status, vouch_model_set_state_name(m, 1, "bad"));
    for (int i = 0; i < 2 * z->actions && pay; i++) pay[i] = rng_unit(&r);
    for (int k = 0; k < z->environments && !status; k++)
        for (int s = 0; s < 2; s++)
            for (int a = 0; a < z->actions; a++) {
                double good = rng_unit(&r);
                generate_note(&status, vouch_model_add(m, k, s, a, 0, good, pay[s * z->actions + a]));
                generate_note(&status, vouch_model_add(m, k, s, a, 1, 1 - good, pay[s * z->actions + a]));
            }
    promise_first(m, &status, z, 2, 1);
    mem_free(pay);
    return generate_hand_over(model, status, error);
}

vouch_status vouch_generate_corridor(vouch_model **model, int horizon, double probability, vouch_error *error)
{
    if (!model) return error_null(error);
    enum { CELLS = 7, DITCH = CELLS, WALK = 0, RUN, REST, MOVES, PARCEL = 3, FETCHED = 3 };
    static const double slip[] = {0.05, 0.2};
    static const char *const environment[] = {"dry", "wet"}, *const move[] = {"walk", "run", "rest"};
    *model = NULL;
    if (horizon < CELLS - 1 || !(probability >= 0 && probability <= 1))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "corridor: the horizon must be at least %d, p in [0, 1]", CELLS - 1);
    vouch_status status = vouch_model_new(model, CELLS + 1, MOVES, 2, horizon);
    if (status) return error_memory(error);
    vouch_model *m = *model;
    generate_note(&status, vouch_model_set_name(m, "corridor"));
    for (int a = 0; a < MOVES; a++) generate_note(&status, vouch_model_set_action_name(m, a, move[a]));
    for (int s = 0; s <= DITCH; s++) {
        char name[16];
        format_text(name, sizeof name, "x%d", s);
        generate_note(&status, vouch_model_set_state_name(m, s,
                                                          s == PARCEL      ? "parcel"
                                                          : s == CELLS - 1 ? "desk"
                                                          : s == DITCH     ? "ditch"
                                                                           : name));
    }
    for (int k = 0; k < 2; k++) {
        generate_note(&status, vouch_model_set_environment_name(m, k, environment[k]));
        for (int s = 0; s <= DITCH; s++)
            for (int a = 0; a < MOVES; a++) {
                int step = s == DITCH ? 0 : s + (a == WALK ? 1 : a == RUN ? 2 : 0), next = step < CELLS ? step : CELLS - 1;
                double falls = a == RUN && s != DITCH ? slip[k] : 0, pay = a == REST && s != DITCH;
                generate_note(&status, vouch_model_add(m, k, s, a, next, 1 - falls, pay));
                if (falls > 0) generate_note(&status, vouch_model_add(m, k, s, a, DITCH, falls, pay));
            }
    }
    generate_note(&status, vouch_model_add_promise(m, "fetch", VOUCH_PROMISE_BY, -1, FETCHED));
    generate_note(&status, vouch_model_add_promise(m, "deliver", VOUCH_PROMISE_BY, -1, -1));
    generate_note(&status, vouch_model_add_promise(m, "safe", VOUCH_PROMISE_AVOID, -1, -1));
    generate_note(&status, vouch_model_set_promise_state(m, 0, -1, PARCEL, 1));
    generate_note(&status, vouch_model_set_promise_state(m, 0, -1, PARCEL + 1, 1)); /* who runs past it has it too */
    generate_note(&status, vouch_model_set_promise_state(m, 1, -1, CELLS - 1, 1));
    generate_note(&status, vouch_model_set_promise_state(m, 2, -1, DITCH, 1));
    for (int j = 0; j < 3; j++) generate_note(&status, vouch_model_set_promise_probability(m, j, -1, probability));
    return generate_hand_over(model, status, error);
}
