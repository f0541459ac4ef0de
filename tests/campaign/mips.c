/* tests/campaign/mips.c - mixed-integer programs against all settings of the integer columns, the rest solved
 * in rational arithmetic. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vouch/mip.h>

#include "campaign/thin.h"
#include "oracle/exact_lp.h"

static const double VIOLATION = 1e-6;   /* of a row, relative to 1 + its largest term */
static const double INTEGRALITY = 1e-6; /* as the solver's option */
static const double GAP = 1e-6;         /* likewise, relative to max(1, |objective|) */
static const double OBJECTIVE = 1e-9;   /* relative to 1 + sum |c_j x_j| */
static const double BAND = 1e-9;        /* of a row, relative to 1 + its side */
enum { NODES = 20000, ITERATIONS = 200000, POINTS = 400 };

static double whole(rng *r, int least, int most) { return least + draw(r, most - least + 1); }

static void integer(problem *p, int j, int least, int most)
{
    p->integer[j] = true;
    p->cl[j] = p->least[j] = least;
    p->cu[j] = p->most[j] = most;
}

static void fill_row(rng *r, problem *p, int i, int least, int most)
{
    for (int j = 0; j < p->n; j++)
        if (chance(r, 0.7)) p->a[i][j] = whole(r, least, most);
}

static void side(rng *r, problem *p, int i, int size)
{
    double b = whole(r, -size, size);
    int kind = draw(r, 5);
    if (kind == 0)
        p->rl[i] = p->ru[i] = b;
    else if (kind == 1)
        p->rl[i] = b;
    else if (kind == 2)
        p->rl[i] = b, p->ru[i] = b + draw(r, 6);
    else
        p->ru[i] = fabs(b);
}

/* Continuous columns without one or both bounds; integer ones whose bounds are said by a row only. */
static problem *free_columns(rng *r)
{
    int integers = 1 + draw(r, 3), rows = 1 + draw(r, 3);
    problem *p = problem_new(rows + integers, integers + 1 + draw(r, 3));
    for (int i = 0; i < rows; i++) {
        fill_row(r, p, i, -6, 6);
        side(r, p, i, 12);
    }
    for (int j = 0; j < p->n; j++) {
        int kind = draw(r, 4);
        p->cost[j] = whole(r, -5, 5);
        if (j < integers) {
            integer(p, j, (int)whole(r, -3, 1), (int)whole(r, 1, 3));
            if (kind > 1) { /* bounds in a row */
                p->a[rows + j][j] = 2;
                p->rl[rows + j] = 2 * p->least[j] - draw(r, 2);
                p->ru[rows + j] = 2 * p->most[j] + draw(r, 2);
                p->cl[j] = kind == 2 ? -INFINITY : p->cl[j];
                p->cu[j] = INFINITY;
            }
            continue;
        }
        if (kind < 2) p->cl[j] = -INFINITY;
        if (kind == 1) p->cu[j] = whole(r, -3, 5);
        if (kind == 2) p->cl[j] = whole(r, -3, 3);
        if (kind == 3) p->cu[j] = whole(r, 0, 9);
        if (chance(r, 0.6)) p->cost[j] = 0;
        if (chance(r, 0.1))
            for (int i = 0; i < rows; i++) p->a[i][j] = 0;
    }
    p->maximize = draw(r, 2);
    return p;
}

static problem *fixed_charge(rng *r)
{
    int pairs = 2 + draw(r, 4), exponent = 2 + draw(r, 8);
    problem *p = problem_new(pairs + 1 + draw(r, 2), 2 * pairs);
    for (int i = 0; i < pairs; i++) { /* x_i <= M y_i */
        p->a[i][i] = 1;
        p->a[i][pairs + i] = -pow(10, exponent);
        p->ru[i] = 0;
        p->cost[i] = whole(r, 0, 9);
        p->cost[pairs + i] = whole(r, 1, 50);
        integer(p, pairs + i, 0, 1);
        if (chance(r, 0.4)) p->cu[i] = whole(r, 3, 30);
    }
    for (int i = pairs; i < p->m; i++) {
        for (int j = 0; j < pairs; j++) p->a[i][j] = whole(r, 0, 3);
        p->rl[i] = whole(r, 1, 40);
        if (chance(r, 0.2)) p->ru[i] = p->rl[i];
    }
    return p;
}

/* Arcs with switches between nodes with demands (inflow less outflow); node 0 is the source. */
static problem *network(rng *r)
{
    int nodes = 3 + draw(r, 3), arcs = 4 + draw(r, 3);
    problem *p = problem_new(nodes + arcs, 2 * arcs);
    for (int i = 1; i < nodes; i++) p->rl[i] = p->ru[i] = chance(r, 0.5) ? whole(r, 1, 9) : 0;
    for (int j = 0; j < arcs; j++) {
        int tail = j < nodes - 1 ? draw(r, j + 1) : draw(r, nodes), head = j < nodes - 1 ? j + 1 : 1 + draw(r, nodes - 1);
        if (tail != head) p->a[tail][j] = -1;
        p->a[head][j] = 1;
        p->a[nodes + j][j] = 1;
        p->a[nodes + j][arcs + j] = chance(r, 0.7) ? -40 : whole(r, -15, -3);
        p->ru[nodes + j] = 0;
        integer(p, arcs + j, 0, 1);
        p->cost[j] = whole(r, 0, 3);
        p->cost[arcs + j] = whole(r, 1, 30);
    }
    if (chance(r, 0.3)) p->a[1][arcs + draw(r, arcs)] = whole(r, -3, 3);
    return p;
}

static problem *equality_knapsack(rng *r)
{
    problem *p = problem_new(1 + draw(r, 2), 2 + draw(r, 3));
    int b = 5 + draw(r, 60);
    p->rl[0] = p->ru[0] = b;
    for (int j = 0; j < p->n; j++) {
        p->a[0][j] = whole(r, 2, 25);
        p->cost[j] = whole(r, -4, 9);
        integer(p, j, 0, (int)(b / p->a[0][j]));
        if (chance(r, 0.6)) p->cu[j] = INFINITY;
    }
    if (p->m > 1) {
        fill_row(r, p, 1, -3, 5);
        side(r, p, 1, 15);
    }
    return p;
}

static problem *general_integer(rng *r)
{
    problem *p = problem_new(1 + draw(r, 4), 2 + draw(r, 4));
    for (int i = 0; i < p->m; i++) {
        fill_row(r, p, i, -7, 9);
        side(r, p, i, 25);
    }
    for (int j = 0; j < p->n; j++) {
        p->cost[j] = whole(r, -9, 9);
        integer(p, j, -draw(r, 3), 1 + draw(r, 4));
    }
    if (chance(r, 0.3)) p->cost[0] += 0.1 * draw(r, 10);
    p->maximize = draw(r, 2);
    p->offset = draw(r, 3);
    return p;
}

static problem *mixed(rng *r)
{
    problem *p = general_integer(r);
    for (int j = 0; j < p->n; j++)
        if (chance(r, 0.4)) {
            p->integer[j] = false;
            if (chance(r, 0.5)) p->cu[j] = INFINITY;
        }
    return p;
}

static problem *special_set(rng *r)
{
    problem *p = mixed(r);
    for (int j = 0; j < p->n; j++)
        if (p->cl[j] <= 0 && p->cu[j] >= 0 && chance(r, 0.7)) p->set[p->sos++] = j;
    if (p->sos < 2) p->sos = 0;
    return p;
}

/* x = 0 or in [l, u], by a binary and two rows each; demands on the sums. */
static problem *semi_continuous(rng *r)
{
    int pairs = 2 + draw(r, 4), extra = 1 + draw(r, 2);
    problem *p = problem_new(2 * pairs + extra, 2 * pairs);
    for (int i = 0; i < pairs; i++) {
        double l = whole(r, 1, 5), u = l + draw(r, 12);
        p->a[2 * i][i] = p->a[2 * i + 1][i] = 1;
        p->a[2 * i][pairs + i] = -l;
        p->a[2 * i + 1][pairs + i] = -u;
        p->rl[2 * i] = 0;
        p->ru[2 * i + 1] = 0;
        integer(p, pairs + i, 0, 1);
        p->cost[i] = whole(r, -3, 9);
        p->cost[pairs + i] = whole(r, 0, 20);
    }
    for (int i = 2 * pairs; i < p->m; i++) {
        for (int j = 0; j < pairs; j++) p->a[i][j] = whole(r, 0, 3);
        p->rl[i] = whole(r, 1, 30);
        if (chance(r, 0.3)) p->ru[i] = p->rl[i] + draw(r, 3);
    }
    return p;
}

/* Exact covers by binaries, often none or by few. */
static problem *partition(rng *r)
{
    problem *p = problem_new(3 + draw(r, 4), 4 + draw(r, 5));
    for (int j = 0; j < p->n; j++) {
        integer(p, j, 0, 1);
        p->cost[j] = whole(r, -2, 6);
        for (int i = 0; i < p->m; i++) p->a[i][j] = chance(r, 0.35);
    }
    for (int i = 0; i < p->m; i++) p->rl[i] = p->ru[i] = 1 + (draw(r, 6) == 0);
    p->maximize = draw(r, 2);
    return p;
}

/* Rows whose entries share a divisor that their side need not have; columns without bounds of their own. */
static problem *divisors(rng *r)
{
    int n = 2 + draw(r, 2);
    problem *p = problem_new(1 + n, n);
    int divisor = 2 + draw(r, 5);
    for (int j = 0; j < n; j++) {
        integer(p, j, -draw(r, 5), 1 + draw(r, 5));
        p->a[0][j] = divisor * whole(r, -4, 5);
        p->a[1 + j][j] = whole(r, 1, 3);
        p->rl[1 + j] = p->a[1 + j][j] * p->least[j];
        p->ru[1 + j] = p->a[1 + j][j] * p->most[j];
        if (chance(r, 0.7)) p->cl[j] = -INFINITY;
        if (chance(r, 0.7)) p->cu[j] = INFINITY;
        p->cost[j] = whole(r, -9, 9);
    }
    p->rl[0] = whole(r, -20, 20);
    p->ru[0] = chance(r, 0.6) ? p->rl[0] : p->rl[0] + draw(r, 4);
    p->maximize = draw(r, 2);
    return p;
}

/* The same program in other units, row by row and in the continuous columns. */
static problem *scaled(rng *r)
{
    problem *p = mixed(r);
    for (int i = 0; i < p->m; i++) {
        double f = ldexp(1, draw(r, 31) - 15);
        for (int j = 0; j < p->n; j++) p->a[i][j] *= f;
        p->rl[i] *= f;
        p->ru[i] *= f;
    }
    for (int j = 0; j < p->n; j++) {
        double f = ldexp(1, draw(r, 21) - 10);
        if (p->integer[j]) continue;
        for (int i = 0; i < p->m; i++) p->a[i][j] *= f;
        p->cost[j] *= f;
        p->cl[j] /= f;
        p->cu[j] /= f;
    }
    return p;
}

/* Blocks of columns that may change places: rows of each block, and rows over all of them. */
static problem *alike(rng *r)
{
    int blocks = 2 + draw(r, 3), width = 1 + draw(r, 3), own = draw(r, 3), shared = 1 + draw(r, 2);
    problem *p = problem_new(blocks * own + shared, blocks * width);
    for (int j = 0; j < width; j++) {
        double cost = whole(r, -6, 9);
        int most = 1 + (draw(r, 4) == 0), continuous = j > 0 && chance(r, 0.3);
        for (int b = 0; b < blocks; b++) {
            p->cost[b * width + j] = cost;
            p->cu[b * width + j] = most;
            if (!continuous) integer(p, b * width + j, 0, most);
        }
    }
    for (int i = 0; i < p->m; i++) {
        bool over_all = i >= blocks * own;
        if (!over_all && i >= own) { /* as in the first block */
            int block = i / own, like = i % own;
            for (int j = 0; j < width; j++) p->a[i][block * width + j] = p->a[like][j];
            p->rl[i] = p->rl[like];
            p->ru[i] = p->ru[like];
            continue;
        }
        for (int j = 0; j < width; j++) {
            double value = whole(r, -3, 6);
            for (int b = 0; b < (over_all ? blocks : 1); b++) p->a[i][b * width + j] = value;
        }
        side(r, p, i, over_all ? 9 : 4);
    }
    p->maximize = draw(r, 2);
    return p;
}

/* Rows that define columns by others: integer slacks, and a continuous column that has the whole objective. */
static problem *defined(rng *r)
{
    int chosen = 2 + draw(r, 3), slacks = 1 + draw(r, 2), objective = chosen + slacks;
    problem *p = problem_new(slacks + 2, objective + 1);
    for (int j = 0; j < objective; j++) {
        integer(p, j, -draw(r, 2), 1 + draw(r, 2));
        p->cost[j] = chance(r, 0.3) ? whole(r, -5, 5) : 0;
    }
    for (int i = 0; i < slacks; i++) {
        double step = chance(r, 0.5) ? 1 : whole(r, -3, -1);
        for (int j = 0; j < chosen; j++) p->a[i][j] = chance(r, 0.7) ? step * whole(r, -2, 3) : 0;
        if (chance(r, 0.2)) p->a[i][0] += 0.5;
        p->a[i][chosen + i] = step;
        p->rl[i] = p->ru[i] = step * whole(r, -1, 3);
    }
    p->a[slacks][objective] = chance(r, 0.5) ? -1 : whole(r, 1, 4);
    for (int j = 0; j < objective; j++) p->a[slacks][j] = whole(r, -3, 6);
    p->rl[slacks] = p->ru[slacks] = whole(r, -9, 9);
    p->cost[objective] = whole(r, 1, 3);
    if (chance(r, 0.7)) p->cl[objective] = -INFINITY;
    if (chance(r, 0.2)) p->cu[objective] = whole(r, 3, 30);
    for (int j = 0; j < chosen; j++) p->a[slacks + 1][j] = whole(r, -3, 5);
    side(r, p, slacks + 1, 12);
    p->maximize = draw(r, 2);
    return p;
}

/* Some columns of a program with dependent rows are whole numbers of a few values. */
static problem *dependent(rng *r)
{
    int m = 3 + draw(r, 5), n = 3 + draw(r, 5);
    problem *p = thin_dependent_rows(r, m, n, (thin_columns)draw(r, 4));
    for (int j = 0; j < n && j < 1 + n % 3; j++)
        integer(p, j, isinf(p->cl[j]) ? -2 : (int)p->cl[j], 2 + (isinf(p->cl[j]) ? 0 : (int)p->cl[j]));
    return p;
}

static problem *constant(rng *r)
{
    problem *p = chance(r, 0.5) ? general_integer(r) : mixed(r);
    thin_add_constant(r, p);
    return p;
}

static const struct family {
    const char *name;
    problem *(*make)(rng *r);
} families[] = {{"free columns", free_columns},
                {"fixed charge, big M", fixed_charge},
                {"network", network},
                {"equality knapsack", equality_knapsack},
                {"general integer", general_integer},
                {"mixed", mixed},
                {"SOS1", special_set},
                {"semi-continuous", semi_continuous},
                {"partition", partition},
                {"divisors", divisors},
                {"scaled", scaled},
                {"alike", alike},
                {"dependent rows", dependent},
                {"defined by rows", defined},
                {"constant of the objective", constant}};
enum { FAMILIES = sizeof families / sizeof *families };

/* ---- the truth ---- */
typedef struct truth {
    exact_outcome outcome;
    double value;
} truth;

/* Bounds of integer columns that a row says are left to the rows, so points outside of the column bounds do
 * not occur. */
static void try_point(problem *p, const double *fixed, truth *w)
{
    vouch_lp_data d = problem_data(p);
    double value = NAN, sense = p->maximize ? -1 : 1;
    for (int j = 0; j < p->n; j++)
        if (!isnan(fixed[j]) && (fixed[j] < p->cl[j] || fixed[j] > p->cu[j])) return;
    exact_outcome o = exact_lp_solve_as(&d, fixed, READ_DECIMALS, &value);
    if (o == EXACT_INFEASIBLE || w->outcome == EXACT_UNBOUNDED) return;
    if (o == EXACT_UNBOUNDED)
        w->outcome = EXACT_UNBOUNDED;
    else if (w->outcome == EXACT_INFEASIBLE || sense * value < sense * w->value)
        *w = (truth){EXACT_OPTIMAL, value};
}

/* Every choice of the member of the set that may differ from 0. */
static void try_sets(problem *p, const double *fixed, truth *w)
{
    double x[COLS_MOST];
    if (p->sos == 0) {
        try_point(p, fixed, w);
        return;
    }
    for (int one = 0; one < p->sos; one++) {
        bool fits = true;
        memcpy(x, fixed, sizeof x);
        for (int i = 0; i < p->sos; i++) {
            if (i == one) continue;
            fits = fits && (isnan(x[p->set[i]]) || x[p->set[i]] == 0);
            x[p->set[i]] = 0;
        }
        if (fits) try_point(p, x, w);
    }
}

static truth enumerate(problem *p)
{
    truth w = {EXACT_INFEASIBLE, NAN};
    double x[COLS_MOST];
    int j;
    for (int i = 0; i < COLS_MOST; i++) x[i] = i < p->n && p->integer[i] ? (double)p->least[i] : (double)NAN;
    do { /* as an odometer */
        try_sets(p, x, &w);
        for (j = 0; j < p->n; j++) {
            if (!p->integer[j]) continue;
            if (++x[j] <= p->most[j]) break;
            x[j] = p->least[j];
        }
    } while (j < p->n);
    return w;
}

static double points(const problem *p)
{
    double all = 1;
    for (int j = 0; j < p->n; j++)
        if (p->integer[j]) all *= p->most[j] - p->least[j] + 1;
    return all;
}

/* ---- the solver ---- */
static const struct setting {
    const char *name, *options;
    int presolve, cuts, heuristics;
    vouch_lp_method method;
    long long nodes; /* 0: NODES */
} settings[] = {{"default", "", 1, 1, 1, VOUCH_LP_AUTO, 0},
                {"presolve off", " --nopresol", 0, 1, 1, VOUCH_LP_AUTO, 0},
                {"cuts off", " --no-cuts", 1, 0, 1, VOUCH_LP_AUTO, 0},
                {"bare", " --nopresol --no-cuts --no-heuristics", 0, 0, 0, VOUCH_LP_AUTO, 0},
                {"primal", " --primal", 1, 1, 1, VOUCH_LP_PRIMAL, 0},
                {"dual", " --dual", 1, 1, 1, VOUCH_LP_DUAL, 0},
                {"few nodes", " (limits.nodes = 3)", 1, 1, 1, VOUCH_LP_AUTO, 3}};
enum { SETTINGS = sizeof settings / sizeof *settings };

static const char *const exact_names[] = {"optimal", "infeasible", "unbounded"};

static void check_point(campaign *c, problem *p, const truth *w, const vouch_mip_result *a)
{
    vouch_lp_data d = problem_data(p);
    double off = exact_lp_violation(&d, a->x), slack = problem_slack(p, a->x, OBJECTIVE), sense = p->maximize ? -1 : 1;
    int nonzero = 0;
    if (!(off <= VIOLATION)) campaign_fault(c, "a row or bound is missed by %.3g (relative)", off);
    for (int j = 0; j < p->n; j++)
        if (p->integer[j] && !(fabs(a->x[j] - round(a->x[j])) <= INTEGRALITY)) campaign_fault(c, "column %d has %.17g", j, a->x[j]);
    for (int i = 0; i < p->sos; i++) nonzero += fabs(a->x[p->set[i]]) > INTEGRALITY;
    if (nonzero > 1) campaign_fault(c, "%d members of the set differ from 0", nonzero);
    if (!(fabs(exact_lp_objective(&d, a->x) - a->objective) <= slack))
        campaign_fault(c, "objective %.17g is not that of the point", a->objective);
    if (w->outcome == EXACT_INFEASIBLE) campaign_fault(c, "value %.17g, but infeasible", a->objective);
    if (w->outcome == EXACT_OPTIMAL && !(sense * a->objective >= sense * w->value - problem_slack(p, a->x, GAP)))
        campaign_fault(c, "value %.17g better than the best %.17g", a->objective, w->value);
}

static verdict check(campaign *c, problem *p, const truth *w, const vouch_mip_result *a)
{
    double sense = p->maximize ? -1 : 1;
    if (a->has_incumbent) check_point(c, p, w, a);
    if (w->outcome == EXACT_OPTIMAL && a->outcome != VOUCH_MIP_INFEASIBLE &&
        !(sense * a->bound <=
          sense * w->value + (a->has_incumbent ? problem_slack(p, a->x, OBJECTIVE) : OBJECTIVE * (1 + fabs(w->value)))))
        campaign_fault(c, "bound %.17g beyond the optimum %.17g", a->bound, w->value);
    switch (a->outcome) {
    case VOUCH_MIP_OPTIMAL:
        if (!a->has_incumbent) campaign_fault(c, "optimal without a point");
        if (w->outcome != EXACT_OPTIMAL)
            campaign_fault(c, "optimal %.17g, truly %s", a->objective, exact_names[w->outcome]);
        else if (!(fabs(a->objective - w->value) <= (a->has_incumbent ? problem_slack(p, a->x, GAP) : 0)))
            campaign_fault(c, "optimal %.17g, truly %.17g", a->objective, w->value);
        return VERDICT_OPTIMAL;
    case VOUCH_MIP_INFEASIBLE:
        if (w->outcome != EXACT_INFEASIBLE) campaign_fault(c, "infeasible, truly %s %.17g", exact_names[w->outcome], w->value);
        return VERDICT_NONE;
    case VOUCH_MIP_UNBOUNDED:
        if (w->outcome != EXACT_UNBOUNDED) campaign_fault(c, "unbounded, truly %s %.17g", exact_names[w->outcome], w->value);
        return VERDICT_NONE;
    case VOUCH_MIP_LIMIT:
        return VERDICT_LIMIT;
    default:
        return VERDICT_NUMERICAL;
    }
}

/* Thirds of 15 digits, and rows multiplied by powers of two and written in 16, contradict each other by 1e-15: a point that keeps
 * rows a little wider, and none of these is better; or these have no end. */
static void forgive_within(campaign *c, const problem *p, const truth *w, const vouch_mip_result *a)
{
    problem *wide = malloc(sizeof *wide);
    if (!wide) abort();
    *wide = *p;
    for (int i = 0; i < p->m; i++) {
        wide->rl[i] -= BAND * (1 + fabs(p->rl[i]));
        wide->ru[i] += BAND * (1 + fabs(p->ru[i]));
        if (!isfinite(p->rl[i])) wide->rl[i] = -INFINITY;
        if (!isfinite(p->ru[i])) wide->ru[i] = INFINITY;
    }
    truth around = enumerate(wide);
    double sense = p->maximize ? -1 : 1, slack = a->has_incumbent ? problem_slack(p, a->x, GAP) : 0;
    bool not_worse =
        w->outcome == EXACT_INFEASIBLE || (w->outcome == EXACT_OPTIMAL && sense * a->objective <= sense * w->value + slack);
    bool as_around = around.outcome == EXACT_UNBOUNDED ? w->outcome == EXACT_INFEASIBLE && a->outcome != VOUCH_MIP_OPTIMAL
                                                       : around.outcome == EXACT_OPTIMAL && a->has_incumbent &&
                                                             sense * a->objective >= sense * around.value - slack;
    if (not_worse && as_around) c->reason[0] = '\0';
    free(wide);
}

static void solve(campaign *c, problem *p, const truth *w, int family, int setting)
{
    const struct setting *s = &settings[setting];
    vouch_mip_options o;
    vouch_mip_result a;
    vouch_mip *mip;
    vouch_lp *lp = problem_lp(p);
    verdict v = VERDICT_NUMERICAL;
    vouch_mip_options_init(&o);
    o.presolve = s->presolve;
    o.cuts = s->cuts;
    o.heuristics = s->heuristics;
    o.lp.method = s->method;
    if (families[family].make == constant) o.gap_relative = o.gap_absolute = 0;
    o.limits = (vouch_limits){.nodes = s->nodes > 0 ? s->nodes : NODES, .iterations = ITERATIONS, .seconds = 20};
    if (vouch_mip_new(&mip, lp)) abort();
    vouch_status status = vouch_mip_solve(mip, &o);
    if (status)
        campaign_fault(c, "the call fails: %s", vouch_status_text(status));
    else {
        vouch_mip_get_result(mip, &a);
        v = check(c, p, w, &a);
        if (c->reason[0] && a.outcome != VOUCH_MIP_INFEASIBLE &&
            (families[family].make == dependent || families[family].make == scaled))
            forgive_within(c, p, w, &a);
    }
    if (c->reason[0]) problem_write(c, lp, families[family].name, s->options);
    campaign_count(c, v, families[family].name, s->name, (const char *)NULL);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

void campaign_mips(campaign *c)
{
    for (long long i = c->first; i < c->first + c->count; i++) {
        rng r = campaign_case(c, i);
        int family = draw(&r, FAMILIES);
        problem *p = families[family].make(&r);
        while (points(p) > POINTS) {
            free(p);
            p = families[family].make(&r);
        }
        if (chance(&r, 0.5) && families[family].make != equality_knapsack && families[family].make != dependent)
            problem_anchor(&r, p);
        truth w = enumerate(p);
        solve(c, p, &w, family, 0);
        solve(c, p, &w, family, 1 + draw(&r, SETTINGS - 1));
        free(p);
    }
}
