/* policy/space_figures.c - violations of promises, regrets, and the value of promises at multipliers (space_worth); see space.h.
 * O(K) per call, O(K averages) with promises on average. Invariant: a shortfall is 0 exactly if the promises are kept.
 */
#include <math.h>

#include "mdp/tolerance.h"
#include "policy/space.h"

static bool averaged(const policy_space *space, int k)
{
    for (int a = 0; a < space->averages.count; a++)
        if (space->averages.row[a] == k % space->m->group) return true;
    return false;
}

double space_asked(const policy_space *space, int k) { return averaged(space, k) ? 0 : space->p[k]; }

void space_aim(const policy_space *space, double margin, double aim[])
{
    for (int k = 0; k < space->promises; k++) aim[k] = fmin(space->p[k], space->accepted[k] + margin);
}

double space_least_margin(const policy_space *space) { return commitment_rounding(space->m->T); }

/* Violation of average a under Pr + d; 0: kept. */
static double lacks_on_average(const policy_space *space, int a, const double Pr[], const double d[])
{
    double p = space->p[space->K + a], mean = average_mean(&space->averages, a, space->K, Pr);
    if (d) mean += average_mean(&space->averages, a, space->K, d);
    return commitment_kept_within(mean, p, space->tolerance) ? 0 : p - mean;
}

bool space_kept(const policy_space *space, const double Pr[], double *missing)
{
    bool all = true;
    if (missing) *missing = 0;
    for (int k = 0; k < space->K; k++) {
        if (commitment_kept_within(Pr[k], space_asked(space, k), space->tolerance)) continue;
        if (missing) *missing = fmax(*missing, space_asked(space, k) - space->tolerance - Pr[k]);
        all = false;
    }
    for (int a = 0; a < space->averages.count; a++) {
        double lacks = lacks_on_average(space, a, Pr, NULL);
        if (missing) *missing = fmax(*missing, lacks - space->tolerance);
        all = all && lacks <= 0;
    }
    return all;
}

double space_missing_on_average(const policy_space *space, const double Pr[], const double d[])
{
    double sum = 0;
    for (int a = 0; a < space->averages.count; a++) sum += lacks_on_average(space, a, Pr, d);
    return sum;
}

double space_missing(const policy_space *space, int k, double U, double Pr)
{
    double sum = commitment_kept_within(Pr, space_asked(space, k), space->tolerance) ? 0 : space_asked(space, k) - Pr;
    if (!space->floor) return sum;
    double low = space->floor[k];
    return low - U > floor_tolerance(space->m->T) ? sum + low - U : sum;
}

double space_objective(const policy_space *space, const double regret[])
{
    double most = -INFINITY, mean = 0;
    for (int k = 0; k < space->K; k++) {
        most = fmax(most, regret[k]);
        if (space->share) mean += space->share[k] * regret[k];
    }
    return space->share ? mean : most;
}

bool space_promised(const policy_space *space, int k)
{
    bool promised = space->accepted[k] > 0;
    for (int a = 0; a < space->averages.count && !promised; a++)
        promised = space->averages.weight[(size_t)a * (size_t)space->K + (size_t)k] > 0 && space->accepted[space->K + a] > 0;
    return promised;
}

double space_price(const policy_space *space, int k)
{
    double price = averaged(space, k) ? 0 : 1;
    for (int a = 0; a < space->averages.count; a++)
        price += space->averages.weight[(size_t)a * (size_t)space->K + (size_t)k] * space->K / space->m->group;
    return price;
}

bool space_may_bind(const policy_space *space)
{
    for (int k = 0; k < space->promises; k++)
        if (space->accepted[k] > 0) return true;
    return false;
}

double space_worth(const policy_space *space, const double mu[], const double level[])
{
    int K = space->K;
    double sum = 0;
    for (int k = 0; k < K; k++) sum += mu[k] * level[k];
    for (int a = 0; a < space->averages.count; a++) {
        const double *w = space->averages.weight + (size_t)a * (size_t)K;
        double gain = level[K + a], price = INFINITY;
        for (int k = 0; k < K; k++) {
            if (!(w[k] > 0)) continue;
            gain -= w[k] * level[k];
            price = fmin(price, mu[k] / w[k]);
        }
        if (gain > 0 && price < INFINITY) sum += gain * price;
    }
    return sum;
}

void figures_derive(const policy_space *space, figures *f)
{
    f->shortfall = 0;
    f->max_regret = space->share ? 0 : -INFINITY;
    f->total_regret = 0;
    for (int k = 0; k < space->K; k++) {
        double regret = space->optimal[k] - f->U[k];
        f->max_regret = space->share ? f->max_regret + space->share[k] * regret : fmax(f->max_regret, regret);
        f->total_regret += regret;
        f->shortfall += space_missing(space, k, f->U[k], f->Pr[k]);
    }
    f->shortfall += space_missing_on_average(space, f->Pr, NULL);
}
