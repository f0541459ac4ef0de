/* tests/campaign/lps.c - linear programs against rational arithmetic.
 *
 * An exactly infeasible program may be called optimal when the point returned misses its rows by less than
 * VIOLATION: that is what tolerances are for, and it is counted apart. Nothing else may differ: "infeasible"
 * and "unbounded" are proofs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/thin.h"
#include "oracle/exact_lp.h"

static const double VIOLATION = 1e-6;      /* of a row, relative to 1 + its largest term */
static const double OBJECTIVE = 1e-9;      /* relative to 1 + sum |c_j x_j|, in addition to the effect of the violation */
static const double BAND = 1e-9;           /* of a row, relative to 1 + its side and its largest entry */
static const long double CANCELS = 1e-12L; /* of a sum, relative to its largest term: is it 0? */
static const long double RAY = 1e-9L;      /* of a row along a ray, likewise */
enum { COVERINGS = 2, /* of the families, the first ones */ ITERATIONS = 20000, COVERING_FACTOR = 50 };

static double whole(rng *r, int least, int most) { return least + draw(r, most - least + 1); }
static double decade(rng *r, int least, int most) { return pow(10, least + draw(r, most - least + 1)); }

/* Powers of two keep exactly parallel or redundant rows so: rounding would make a problem without an answer in doubles. */
static double octave(rng *r, int least, int most) { return ldexp(1, least + draw(r, most - least + 1)); }

static void fill(rng *r, problem *p, double density, int least, int most)
{
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->n; j++)
            if (chance(r, density)) p->a[i][j] = whole(r, least, most);
}

static void costs(rng *r, problem *p, int least, int most)
{
    bool equal = chance(r, 0.2);
    for (int j = 0; j < p->n; j++) p->cost[j] = equal ? 1 : whole(r, least, most);
}

static problem *covering(rng *r)
{
    problem *p = problem_new(3 + draw(r, 14), 4 + draw(r, 26));
    int most = 1 + draw(r, 4);
    fill(r, p, 0.15 + 0.5 * rng_unit(r), 1, most);
    costs(r, p, 1, 9);
    int demand = 1 + draw(r, 6);
    for (int i = 0; i < p->m; i++) {
        p->a[i][draw(r, p->n)] = 1;
        p->rl[i] = whole(r, 1, demand);
    }
    if (chance(r, 0.3))
        for (int j = 0; j < p->n; j++) p->cu[j] = 1 + draw(r, 4);
    return p;
}

/* Relaxed set covering: everything ties. */
static problem *set_covering(rng *r)
{
    problem *p = problem_new(3 + draw(r, 10), 6 + draw(r, 30));
    fill(r, p, 0.1 + 0.3 * rng_unit(r), 1, 1);
    costs(r, p, 1, 1 + draw(r, 4));
    for (int i = 0; i < p->m; i++) {
        p->a[i][draw(r, p->n)] = 1;
        p->rl[i] = 1;
    }
    for (int j = 0; j < p->n; j++)
        if (chance(r, 0.7)) p->cu[j] = 1;
    return p;
}

static void random_columns(rng *r, problem *p, double free_part)
{
    for (int j = 0; j < p->n; j++) {
        if (chance(r, free_part)) {
            int kind = draw(r, 3);
            p->cl[j] = -INFINITY;
            if (kind == 1) p->cu[j] = whole(r, -4, 4);
            if (kind == 2) p->cl[j] = whole(r, -4, 0);
        } else if (chance(r, 0.4)) {
            p->cl[j] = whole(r, -3, 3);
            p->cu[j] = p->cl[j] + draw(r, 8);
        }
    }
}

static void random_rows(rng *r, problem *p, double range_part, int size)
{
    for (int i = 0; i < p->m; i++) {
        double b = whole(r, -size, size);
        int kind = draw(r, 4);
        if (chance(r, range_part))
            p->rl[i] = b, p->ru[i] = b + draw(r, 6);
        else if (kind == 0)
            p->rl[i] = p->ru[i] = b;
        else if (kind == 1)
            p->rl[i] = b;
        else
            p->ru[i] = fabs(b);
    }
}

static problem *general(rng *r)
{
    problem *p = problem_new(1 + draw(r, 8), 1 + draw(r, 12));
    fill(r, p, 0.2 + 0.8 * rng_unit(r), -9, 9);
    costs(r, p, -9, 9);
    random_columns(r, p, 0.2);
    random_rows(r, p, 0.2, 20);
    p->maximize = draw(r, 2);
    p->offset = chance(r, 0.3) ? whole(r, -5, 5) : 0;
    return p;
}

static problem *free_columns(rng *r)
{
    problem *p = general(r);
    random_columns(r, p, 0.8);
    if (chance(r, 0.3)) {
        int j = draw(r, p->n); /* a column in no row */
        for (int i = 0; i < p->m; i++) p->a[i][j] = 0;
        if (chance(r, 0.7)) p->cost[j] = 0;
    }
    return p;
}

static problem *ranges(rng *r)
{
    problem *p = general(r);
    random_rows(r, p, 1, 12);
    return p;
}

static problem *degenerate(rng *r)
{
    problem *p = problem_new(2 + draw(r, 9), 2 + draw(r, 14));
    fill(r, p, 0.5, -2, 2);
    costs(r, p, -3, 6);
    for (int i = 0; i < p->m; i++) {
        p->ru[i] = chance(r, 0.8) ? 0 : whole(r, 1, 4);
        if (chance(r, 0.2)) p->rl[i] = p->ru[i];
        if (i > 0 && chance(r, 0.1)) memcpy(p->a[i], p->a[draw(r, i)], sizeof p->a[i]);
    }
    if (chance(r, 0.6))
        for (int j = 0; j < p->n; j++) p->cu[j] = 1;
    return p;
}

static problem *scaled(rng *r)
{
    problem *p = general(r);
    int spread = 6 + draw(r, 15);
    for (int i = 0; i < p->m; i++) {
        double f = octave(r, -spread, spread);
        for (int j = 0; j < p->n; j++) p->a[i][j] *= f;
        p->rl[i] *= f;
        p->ru[i] *= f;
    }
    for (int j = 0; j < p->n; j++) {
        double f = chance(r, 0.5) ? octave(r, -10, 10) : 1;
        for (int i = 0; i < p->m; i++) p->a[i][j] *= f;
        p->cost[j] *= f;
    }
    return p;
}

static problem *parallel(rng *r)
{
    problem *p = general(r);
    if (p->m < 2) return p;
    int i = 1 + draw(r, p->m - 1), of = draw(r, i);
    double off = octave(r, -32, -10), times = octave(r, -1, 2);
    for (int j = 0; j < p->n; j++) p->a[i][j] = times * p->a[of][j] * (chance(r, 0.5) ? 1 + off : 1);
    p->rl[i] = times * p->rl[of];
    p->ru[i] = times * p->ru[of];
    if (chance(r, 0.4)) p->rl[i] = p->ru[i] = isfinite(p->ru[i]) ? p->ru[i] : p->rl[i];
    if (chance(r, 0.3)) p->rl[i] += off, p->ru[i] += off;
    return p;
}

static problem *big_m(rng *r)
{
    int pairs = 2 + draw(r, 6);
    double M = decade(r, 2, 9);
    problem *p = problem_new(pairs + 1 + draw(r, 2), 2 * pairs);
    for (int i = 0; i < pairs; i++) { /* x_i <= M y_i, y_i <= 1 */
        p->a[i][i] = 1;
        p->a[i][pairs + i] = -M;
        p->ru[i] = 0;
        p->cu[pairs + i] = 1;
        p->cost[i] = whole(r, 0, 9);
        p->cost[pairs + i] = whole(r, 1, 50);
    }
    for (int i = pairs; i < p->m; i++) {
        for (int j = 0; j < pairs; j++) p->a[i][j] = whole(r, 0, 3);
        p->rl[i] = whole(r, 1, 40);
    }
    return p;
}

static problem *contradictory(rng *r)
{
    problem *p = general(r);
    int i = draw(r, p->m), j = draw(r, p->m); /* a multiple of one row with another side */
    double b = whole(r, -9, 9);
    for (int c = 0; c < p->n; c++) p->a[i][c] = 2 * p->a[j][c];
    p->rl[i] = b + (i == j ? 0 : 1 + draw(r, 3));
    p->ru[i] = INFINITY;
    if (i != j) p->ru[j] = b / 2, p->rl[j] = fmin(p->rl[j], p->ru[j]);
    return p;
}

/* What presolve sees: rows without entries or with one, columns without, fixed or nearly so, sides and bounds that
 * nothing reaches, rows twice. */
static problem *trivial(rng *r)
{
    problem *p = general(r);
    for (int i = 0; i < p->m; i++) {
        int kind = draw(r, 6), keep = draw(r, p->n);
        for (int j = 0; j < p->n; j++)
            if (kind == 0 || (kind == 1 && j != keep)) p->a[i][j] = 0;
        if (kind == 0 && chance(r, 0.8)) p->rl[i] = fmin(p->rl[i], 0), p->ru[i] = fmax(p->ru[i], 0);
        if (kind == 2) p->rl[i] = -1e6, p->ru[i] = 1e6;
        if (kind == 3 && i > 0)
            for (int j = 0; j < p->n; j++) p->a[i][j] = -p->a[i - 1][j];
    }
    for (int j = 0; j < p->n; j++) {
        int kind = draw(r, 8);
        if (kind == 0) p->cl[j] = p->cu[j] = whole(r, -3, 3);
        if (kind == 1) p->cl[j] = whole(r, -3, 3), p->cu[j] = p->cl[j] + octave(r, -40, -20);
        if (kind == 2) p->cl[j] = -1e9, p->cu[j] = 1e9;
        for (int i = 0; i < p->m && kind == 3; i++) p->a[i][j] = 0;
    }
    return p;
}

/* Equations that hand a value on: x_0 = b, x_(i+1) = f x_i + c, and a price on the last ones. */
static problem *chain(rng *r)
{
    int n = 3 + draw(r, 12);
    problem *p = problem_new(n, n + 1 + draw(r, 3));
    double b = whole(r, -9, 9);
    for (int i = 0; i < n; i++) {
        p->a[i][i] = 1;
        if (i > 0) p->a[i][i - 1] = -octave(r, -2, 2);
        if (chance(r, 0.3)) p->a[i][n + draw(r, p->n - n)] = whole(r, -2, 2);
        p->rl[i] = p->ru[i] = i == 0 ? b : whole(r, -2, 2);
        if (chance(r, 0.7)) p->cl[i] = -INFINITY;
        if (chance(r, 0.2)) p->cu[i] = whole(r, 0, 50);
        p->cost[i] = chance(r, 0.4) ? whole(r, -5, 5) : 0;
    }
    for (int j = n; j < p->n; j++) {
        p->cost[j] = whole(r, -3, 6);
        if (chance(r, 0.7)) p->cu[j] = whole(r, 1, 9);
    }
    p->maximize = draw(r, 2);
    return p;
}

/* Costs and bounds of very different size beside each other. */
static problem *wide_costs(rng *r)
{
    problem *p = general(r);
    for (int j = 0; j < p->n; j++) {
        double f = octave(r, -24, 30); /* above the tolerance of reduced costs */
        p->cost[j] *= f;
        if (chance(r, 0.3)) p->cu[j] = fmax(p->cl[j], octave(r, -10, 30));
    }
    return p;
}

/* Transports: every vertex degenerate, supplies that equal demands. */
static problem *transport(rng *r)
{
    int from = 2 + draw(r, 4), to = 2 + draw(r, 4), need[8] = {0};
    problem *p = problem_new(from + to, from * to);
    for (int i = 0; i < from; i++) {
        int supply = 1 + draw(r, 6);
        p->rl[i] = p->ru[i] = supply;
        for (int u = 0; u < supply; u++) need[draw(r, to)]++;
        for (int j = 0; j < to; j++) p->a[i][i * to + j] = p->a[from + j][i * to + j] = 1;
    }
    for (int j = 0; j < to; j++) p->rl[from + j] = p->ru[from + j] = need[j];
    if (chance(r, 0.2)) p->rl[from] += 1, p->ru[from] += 1;
    costs(r, p, -2, 5);
    return p;
}

/* ---- what doubles do not hold ---- */
static problem *dependent(rng *r, thin_columns columns)
{
    int m = 3 + (chance(r, 0.4) ? draw(r, 10) : draw(r, 3));
    return thin_dependent_rows(r, m, 3 + draw(r, m + 3), columns);
}

static problem *dependent_free(rng *r) { return dependent(r, THIN_FREE); }
static problem *dependent_nonnegative(rng *r) { return dependent(r, THIN_NONNEGATIVE); }
static problem *dependent_boxed(rng *r) { return dependent(r, THIN_BOXED); }
static problem *dependent_mixed(rng *r) { return dependent(r, THIN_MIXED); }

static problem *dependent_large(rng *r)
{
    int m = 13 + draw(r, ROWS_MOST - 12);
    return thin_dependent_rows(r, m, 6 + draw(r, COLS_MOST - 6), (thin_columns)draw(r, 4));
}

static problem *constant(rng *r)
{
    problem *p = chance(r, 0.5) ? general(r) : covering(r);
    thin_add_constant(r, p);
    return p;
}

static const struct family {
    const char *name;
    problem *(*make)(rng *r);
    exact_reading reading; /* of its numbers, for the truth */
} families[] = {{"covering", covering, READ_DOUBLES},
                {"set covering", set_covering, READ_DOUBLES},
                {"general", general, READ_DOUBLES},
                {"free columns", free_columns, READ_DOUBLES},
                {"ranges", ranges, READ_DOUBLES},
                {"degenerate", degenerate, READ_DOUBLES},
                {"scaled", scaled, READ_DOUBLES},
                {"near parallel", parallel, READ_DOUBLES},
                {"contradictory", contradictory, READ_DOUBLES},
                {"big M", big_m, READ_DOUBLES},
                {"trivial rows and columns", trivial, READ_DOUBLES},
                {"chain", chain, READ_DOUBLES},
                {"wide costs", wide_costs, READ_DOUBLES},
                {"transport", transport, READ_DOUBLES},
                {"dependent rows, free", dependent_free, READ_DECIMALS},
                {"dependent rows, x >= 0", dependent_nonnegative, READ_DECIMALS},
                {"dependent rows, boxed", dependent_boxed, READ_DECIMALS},
                {"dependent rows, mixed", dependent_mixed, READ_DECIMALS},
                {"dependent rows, 13 to 40", dependent_large, READ_DECIMALS},
                {"parallel columns", thin_parallel_columns, READ_DECIMALS},
                {"thin rays", thin_ray, READ_DECIMALS},
                {"constant of the objective", constant, READ_DECIMALS}};
enum { FAMILIES = sizeof families / sizeof *families, THIN_FIRST = 14 };

static const struct setting {
    const char *name, *options;
    int presolve;
    vouch_lp_method method;
    vouch_lp_factor factor;
    int pricing; /* of both methods */
} settings[] = {{"default", "", 2, VOUCH_LP_AUTO, VOUCH_FACTOR_AUTO, 0},
                {"presolve off", " --nopresol", 0, VOUCH_LP_AUTO, VOUCH_FACTOR_AUTO, 0},
                {"primal", " --primal", 2, VOUCH_LP_PRIMAL, VOUCH_FACTOR_AUTO, 0},
                {"dual", " --dual", 2, VOUCH_LP_DUAL, VOUCH_FACTOR_AUTO, 0},
                {"dense", " --factor dense", 2, VOUCH_LP_AUTO, VOUCH_FACTOR_DENSE, 0},
                {"sparse, presolve off", " --factor sparse --nopresol", 0, VOUCH_LP_AUTO, VOUCH_FACTOR_SPARSE, 0},
                {"largest", " --dual-pricing largest --primal-pricing largest", 2, VOUCH_LP_AUTO, VOUCH_FACTOR_AUTO, 1}};
enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct truth {
    exact_outcome outcome;
    double value;
    exact_reading reading;
} truth;

static const char *const exact_names[] = {"optimal", "infeasible", "unbounded"};

/* Is the value attained when every row is a little wider? */
static bool within_band(const problem *p, const truth *w, double value, double slack)
{
    problem *wide = malloc(sizeof *wide);
    double best = 0, sense = p->maximize ? -1 : 1;
    if (!wide) abort();
    *wide = *p;
    for (int i = 0; i < p->m; i++) {
        double most = 1;
        for (int j = 0; j < p->n; j++) most = fmax(most, fabs(p->a[i][j]));
        if (isfinite(p->rl[i])) wide->rl[i] -= BAND * (most + fabs(p->rl[i]));
        if (isfinite(p->ru[i])) wide->ru[i] += BAND * (most + fabs(p->ru[i]));
    }
    vouch_lp_data d = problem_data(wide);
    exact_outcome o = exact_lp_solve_as(&d, NULL, w->reading, &best);
    free(wide);
    return o == EXACT_UNBOUNDED || sense * best <= sense * value + slack;
}

/* Returns whether it is right only within tolerances. */
static bool check_optimal(campaign *c, problem *p, const truth *w, const vouch_lp_result *a)
{
    vouch_lp_data d = problem_data(p);
    double off = exact_lp_violation(&d, a->x), sense = p->maximize ? -1 : 1, slack = problem_slack(p, a->x, OBJECTIVE);
    if (!(off <= VIOLATION)) campaign_fault(c, "optimal, but a row or bound is missed by %.3g (relative)", off);
    double value = exact_lp_objective(&d, a->x);
    if (!(fabs(value - a->objective) <= slack)) campaign_fault(c, "objective %.17g of a point that has %.17g", a->objective, value);
    if (w->outcome == EXACT_INFEASIBLE) return true;
    if (w->outcome == EXACT_OPTIMAL && sense * a->objective > sense * w->value + slack)
        campaign_fault(c, "optimal %.17g, truly %.17g", a->objective, w->value);
    if (w->outcome == EXACT_UNBOUNDED) campaign_fault(c, "optimal %.17g, but unbounded", a->objective);
    bool better = w->outcome == EXACT_OPTIMAL && sense * a->objective < sense * w->value - slack;
    if (better && !within_band(p, w, a->objective, slack)) campaign_fault(c, "optimal %.17g, truly %.17g", a->objective, w->value);
    if (w->outcome == EXACT_OPTIMAL && !(sense * a->bound <= sense * w->value + slack))
        campaign_fault(c, "bound %.17g beyond the optimum %.17g", a->bound, w->value);
    return better;
}

/* The least and the largest that row y'A can be within the bounds of the columns, and the largest that y'r can be, in
 * extended precision: y proves that there is no point if the first is above the last. */
static void check_farkas(campaign *c, const problem *p, const double *y)
{
    long double least = 0, most = 0, size = 0;
    for (int j = 0; j < p->n; j++)
        if (p->cl[j] > p->cu[j]) return; /* nothing to prove */
    if (!y) {
        campaign_fault(c, "infeasible without a proof");
        return;
    }
    for (int i = 0; i < p->m; i++) {
        if (y[i] == 0) continue;
        most += (long double)y[i] * (y[i] > 0 ? p->ru[i] : p->rl[i]);
        size = fmaxl(size, fabsl((long double)y[i] * (y[i] > 0 ? p->ru[i] : p->rl[i])));
    }
    for (int j = 0; j < p->n; j++) {
        long double d = 0, terms = 0;
        for (int i = 0; i < p->m; i++) {
            d += (long double)y[i] * p->a[i][j];
            terms = fmaxl(terms, fabsl((long double)y[i] * p->a[i][j]));
        }
        if (fabsl(d) <= CANCELS * terms) continue; /* nothing but rounding of y */
        least += d * (d > 0 ? p->cl[j] : p->cu[j]);
        size = fmaxl(size, fabsl(d * (d > 0 ? p->cl[j] : p->cu[j])));
    }
    if (!(least > most - CANCELS * size)) campaign_fault(c, "a proof of infeasibility that proves nothing: %Lg, %Lg", least, most);
}

/* A feasible improving direction; its gain may vanish by rounding to doubles, and then only the verdict of rational arithmetic
 * confirms it. */
static void check_ray(campaign *c, const problem *p, const double *ray)
{
    long double gain = 0, size = 0;
    if (!ray) {
        campaign_fault(c, "unbounded without a ray");
        return;
    }
    for (int j = 0; j < p->n; j++) {
        gain += (p->maximize ? -1 : 1) * (long double)p->cost[j] * ray[j];
        size = fmaxl(size, fabsl((long double)p->cost[j] * ray[j]));
        if ((ray[j] > 0 && isfinite(p->cu[j])) || (ray[j] < 0 && isfinite(p->cl[j])))
            campaign_fault(c, "a ray that leaves the bounds of column %d", j);
    }
    if (!(gain < CANCELS * size)) campaign_fault(c, "a ray that gains %Lg of %Lg", gain, size);
    for (int i = 0; i < p->m; i++) {
        long double move = 0, terms = 0;
        for (int j = 0; j < p->n; j++) {
            move += (long double)p->a[i][j] * ray[j];
            terms = fmaxl(terms, fabsl((long double)p->a[i][j] * ray[j]));
        }
        if ((move > RAY * terms && isfinite(p->ru[i])) || (move < -RAY * terms && isfinite(p->rl[i])))
            campaign_fault(c, "a ray that leaves row %d", i);
    }
}

static verdict check(campaign *c, problem *p, const truth *w, const vouch_lp_result *a, bool *within)
{
    switch (a->outcome) {
    case VOUCH_LP_OPTIMAL:
        *within = check_optimal(c, p, w, a);
        return VERDICT_OPTIMAL;
    case VOUCH_LP_INFEASIBLE:
        if (w->outcome != EXACT_INFEASIBLE) campaign_fault(c, "infeasible, truly %s %.17g", exact_names[w->outcome], w->value);
        check_farkas(c, p, a->farkas);
        return VERDICT_NONE;
    case VOUCH_LP_UNBOUNDED:
        if (w->outcome != EXACT_UNBOUNDED) campaign_fault(c, "unbounded, truly %s %.17g", exact_names[w->outcome], w->value);
        check_ray(c, p, a->ray);
        return VERDICT_NONE;
    case VOUCH_LP_LIMIT:
        return VERDICT_LIMIT;
    default:
        return VERDICT_NUMERICAL;
    }
}

/* Sums of powers of two may be taken for the decimals that they are written as: then these are to be right. */
static verdict check_as_decimals(campaign *c, problem *p, const vouch_lp_result *a, bool *within)
{
    vouch_lp_data d = problem_data(p);
    truth w = {.value = NAN, .reading = READ_DECIMALS};
    w.outcome = exact_lp_solve_as(&d, NULL, w.reading, &w.value);
    c->reason[0] = '\0';
    return check(c, p, &w, a, within);
}

static void solve(campaign *c, problem *p, const truth *w, int family, int setting)
{
    const struct setting *s = &settings[setting];
    vouch_lp_options o;
    vouch_lp_result a;
    vouch_lp *lp = problem_lp(p);
    verdict v = VERDICT_NUMERICAL;
    bool within = false;
    vouch_lp_options_init(&o);
    o.presolve = s->presolve;
    o.method = s->method;
    o.factor = s->factor;
    o.dual_pricing = o.primal_pricing = s->pricing;
    o.limits.iterations = ITERATIONS;
    if (vouch_lp_solve(lp, &o))
        campaign_fault(c, "the call fails");
    else {
        vouch_lp_get_result(lp, &a);
        v = check(c, p, w, &a, &within);
        if (c->reason[0] && w->reading == READ_DOUBLES) v = check_as_decimals(c, p, &a, &within);
        if (family < COVERINGS && a.iterations > COVERING_FACTOR * (p->m + p->n))
            campaign_fault(c, "%lld iterations for a covering problem of %d rows, %d columns", a.iterations, p->m, p->n);
    }
    if (c->reason[0]) problem_write(c, lp, families[family].name, s->options);
    campaign_count(c, v, families[family].name, s->name, within ? "right only within tolerance" : (const char *)NULL,
                   (const char *)NULL);
    vouch_lp_free(lp);
}

void campaign_lps(campaign *c)
{
    for (long long i = c->first; i < c->first + c->count; i++) {
        rng r = campaign_case(c, i);
        int family = draw(&r, chance(&r, 0.2) ? COVERINGS : FAMILIES);
        problem *p = families[family].make(&r);
        if (family < THIN_FIRST && chance(&r, 0.6) && families[family].make != contradictory) problem_anchor(&r, p);
        vouch_lp_data d = problem_data(p);
        truth w = {.value = NAN, .reading = families[family].reading};
        w.outcome = exact_lp_solve_as(&d, NULL, w.reading, &w.value);
        solve(c, p, &w, family, 0);
        solve(c, p, &w, family, 1 + draw(&r, SETTINGS - 1));
        free(p);
    }
}
