/* mdp/rescale.c - rewards of a model brought to 0 .. 1 so that their units change no digit of a plan.
 *
 *     r = (R - least) / spread, replaced by the fraction p/q of least q within the precision of R, else by the nearest point of a
 * grid
 *
 * Source: continued fractions give the fractions of least denominator (A. Y. Khinchin, Continued Fractions, 1964). Invariant: no
 * expected reward is moved by more than scale.error, which gaps and bounds give back. Cost: O(transitions), a few divisions each.
 */
#include "mdp/rescale.h"

#include <float.h>
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mdp/rows.h"
#include "mdp/tolerance.h"

/* Denominators tried: the quotients of rewards of six digits. Fewer where the rewards are less precise, so
 * that no two fractions of such denominators are within the precision of one quotient. */
static const double MOST_DENOMINATOR = 0x1p20, APART = 0.1;
/* Below this an expected reward moved by rounding only. */
static const double MOVED = 0x1p-50;

/* The fraction of least denominator within `near` of x in 0 .. 1, by continued fractions; NAN if there is none. */
static double nearest_fraction(double x, double near, double most)
{
    double p0 = 0, q0 = 1, p1 = 1, q1 = 0, rest = x;
    for (int i = 0; i < 64; i++) {
        double a = floor(rest), p = a * p1 + p0, q = a * q1 + q0;
        if (q > most) return NAN;
        if (fabs(p / q - x) <= near) return p / q;
        if (rest - a <= 0) return NAN;
        rest = 1 / (rest - a);
        p0 = p1, q0 = q1, p1 = p, q1 = q;
    }
    return NAN;
}

typedef struct rounder {
    double least, spread;
    double precision; /* of a quotient */
    double most;      /* denominator */
    double room;      /* by which a quotient may be moved */
} rounder;

static double rounded(const rounder *r, double reward)
{
    double x = (reward - r->least) / r->spread;
    double y = nearest_fraction(x, r->precision, r->most);
    if (isnan(y)) y = nearbyint(x / TOL_GRID) * TOL_GRID;
    return fabs(y - x) <= r->room ? y : x;
}

static rounder rounder_of(const vouch_model *m, double gap)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < m->K; k++)
        for (int o = 0; o < m->env[k].start[m->pairs]; o++) {
            least = fmin(least, m->env[k].reward[o]);
            most = fmax(most, m->env[k].reward[o]);
        }
    rounder r = {.least = least, .spread = most - least};
    if (!(r.spread > 0)) r.spread = 1; /* all equal */
    r.precision = 2 * DBL_EPSILON * (1 + fmax(fabs(least), fabs(most)) / r.spread);
    r.most = fmin(MOST_DENOMINATOR, APART / sqrt(r.precision));
    r.room = fmax(MOVED / 2, TOL_GRID_SHARE * gap / r.spread / m->T);
    return r;
}

vouch_status model_rescaled(const vouch_model *m, double gap, vouch_model *out)
{
    if (model_rows(m, out)) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < out->K; k++) out->env[k].expected = out->env[k].given = NULL;
    rounder r = rounder_of(m, gap);
    CHECK_COMPARE(r.spread, >, 0);
    out->scale = (reward_scale){r.least, r.spread, 0};
    for (int k = 0; k < out->K; k++) {
        mdp *e = &out->env[k];
        if (k % out->group > 0) {
            e->expected = e[-1].expected;
            e->given = e[-1].given;
            continue;
        }
        e->expected = MEM_ZERO(double, m->pairs);
        e->given = MEM_ZERO(double, m->pairs);
        if (!e->expected || !e->given) {
            model_rescaled_free(out);
            return VOUCH_ERROR_MEMORY;
        }
        for (int q = 0; q < m->pairs; q++) {
            double first = e->reward[e->start[q]], first_rounded = rounded(&r, first);
            e->expected[q] = first_rounded; /* the rest above it: what is paid for every successor is expected exactly */
            e->given[q] = first - r.least;
            for (int o = e->start[q] + 1; o < e->start[q + 1]; o++) {
                e->expected[q] += e->prob[o] * (rounded(&r, e->reward[o]) - first_rounded);
                e->given[q] += e->prob[o] * (e->reward[o] - first);
            }
            out->scale.error = fmax(out->scale.error, fabs(e->expected[q] - e->given[q] / r.spread));
        }
    }
    return VOUCH_OK;
}

void model_rescaled_free(vouch_model *m)
{
    for (int k = 0; k < m->K && m->env; k += m->group) {
        mem_free(m->env[k].expected);
        mem_free(m->env[k].given);
    }
    model_rows_free(m);
}

/* A regret is the difference of two values. */
static double regret_error(const vouch_model *m) { return m->scale.error <= MOVED ? 0 : 2 * m->T * m->scale.error; }

double rescaled_gap(const vouch_model *m, double gap)
{
    double least = m->T * TOL_STEP;
    return fmax(least, gap / m->scale.spread - 2 * regret_error(m) - 4 * least);
}

double rescaled_tie(const vouch_model *m) { return 2 * regret_error(m); }

double rescaled_loss(const vouch_model *m) { return regret_error(m) * m->scale.spread; }

double rescaled_rounding(const vouch_model *m) { return 4 * m->T * TOL_STEP * m->scale.spread; }
