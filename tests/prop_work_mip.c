/* The work on mixed-integer programs that call for each cut, heuristic, way of branching and step of presolve, with and without
 * them. See work_aid.h. */
#include <vouch/mip.h>

#include "lp_aid.h"
#include "oracle/mips.h"
#include "work_aid.h"

static vouch_lp *integer(sample *s, int every)
{
    vouch_lp *lp = sample_load(s);
    for (int j = 0; j < s->n; j++) vouch_lp_set_integer(lp, j, j % every != every - 1);
    sample_free(s);
    return lp;
}

/* max value'x, weight'x <= half of all the weights in each row, x up to 1 or 3; some columns continuous: covers, mixed-integer
 * rounding. */
static vouch_lp *mip_knapsacks(rng *r)
{
    sample s = sample_new(3 + pick(r, 2), 20);
    s.maximize = 1;
    for (int i = 0; i < s.m; i++) s.rl[i] = -INFINITY;
    for (int j = 0; j < s.n; j++) {
        double sum = 0;
        s.cu[j] = j % 3 ? 1 : 3;
        for (int i = 0; i < s.m; i++) {
            if (pick(r, 4) == 0) continue;
            double w = 10 + pick(r, 90);
            entry(&s, i, w);
            s.ru[i] += floor(w * s.cu[j] / 2);
            sum += w;
        }
        close_column(&s, j);
        s.cost[j] = ceil(sum / s.m) + pick(r, 10);
    }
    return integer(&s, 7);
}

/* Lots: produce x_t <= 40 y_t, stock carried, y_t fixed at a cost: variable bounds and flows. */
static vouch_lp *mip_lots(rng *r)
{
    enum { T = 9 };
    sample s = sample_new(2 * T, 3 * T);
    for (int t = 0; t < T; t++) { /* y, stock, x */
        entry(&s, T + t, -40);
        close_column(&s, 3 * t);
        s.cost[3 * t] = 30 + pick(r, 30), s.cu[3 * t] = 1;
        entry(&s, t, -1);
        if (t + 1 < T) entry(&s, t + 1, 1);
        close_column(&s, 3 * t + 1);
        s.cost[3 * t + 1] = 1 + pick(r, 3), s.cu[3 * t + 1] = 50;
        entry(&s, t, 1);
        entry(&s, T + t, 1);
        close_column(&s, 3 * t + 2);
        s.cost[3 * t + 2] = 1 + pick(r, 4), s.cu[3 * t + 2] = INFINITY;
        s.rl[t] = s.ru[t] = 5 + pick(r, 20);
        s.rl[T + t] = -INFINITY;
    }
    vouch_lp *lp = sample_load(&s);
    for (int t = 0; t < T; t++) vouch_lp_set_integer(lp, 3 * t, 1);
    sample_free(&s);
    return lp;
}

/* Largest independent set of a graph: cliques, odd holes, symmetry. */
static vouch_lp *mip_packing(rng *r)
{
    enum { NODES = 32 };
    int row = 0;
    sample s = sample_new(NODES * NODES, NODES);
    static int edge[NODES][NODES];
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < i; j++) edge[i][j] = edge[j][i] = pick(r, 5) ? -1 : row++;
    for (int j = 0; j < NODES; j++) {
        for (int i = 0; i < NODES; i++)
            if (i != j && edge[i][j] >= 0) entry(&s, edge[i][j], 1);
        close_column(&s, j);
        s.cost[j] = 3 + pick(r, 3), s.cu[j] = 1;
    }
    for (int i = 0; i < row; i++) s.rl[i] = -INFINITY, s.ru[i] = 1;
    s.m = row;
    s.maximize = 1;
    return integer(&s, NODES + 1);
}

/* General integers in equalities, one slack each: rounding finds nothing, the gap closes slowly. */
static vouch_lp *mip_equations(rng *r)
{
    sample s = sample_new(2, 11);
    for (int j = 0; j < s.n; j++) {
        for (int i = 0; i < s.m; i++) {
            double v = 3 + pick(r, 27);
            entry(&s, i, v);
            s.rl[i] += v * (j % 3);
        }
        close_column(&s, j);
        s.cost[j] = 5 + pick(r, 9), s.cu[j] = 6;
        if (j % 4 == 0) s.cl[j] = -2;
    }
    for (int i = 0; i < s.m; i++) s.ru[i] = s.rl[i] + i;
    return integer(&s, 11);
}

/* Jobs on one machine, either before or after each other: big M. */
static vouch_lp *mip_jobs(rng *r)
{
    enum { JOBS = 5, M = 60 };
    int row = 0, column = JOBS, duration[JOBS];
    sample s = sample_new(JOBS * (JOBS - 1), JOBS + JOBS * (JOBS - 1) / 2);
    for (int j = 0; j < JOBS; j++) duration[j] = 2 + pick(r, 8);
    for (int k = 0; k < JOBS; k++) { /* x_i + d_i <= x_j + M z, x_j + d_j <= x_i + M (1 - z) */
        row = 0;
        for (int i = 0; i < JOBS; i++)
            for (int j = 0; j < i; j++, row += 2)
                if (k == i || k == j) entry(&s, row, k == i ? 1 : -1), entry(&s, row + 1, k == i ? -1 : 1);
        close_column(&s, k);
        s.cost[k] = 1 + pick(r, 5), s.cl[k] = pick(r, 6), s.cu[k] = M;
    }
    row = 0;
    for (int i = 0; i < JOBS; i++)
        for (int j = 0; j < i; j++, row += 2, column++) {
            entry(&s, row, -M);
            entry(&s, row + 1, M);
            close_column(&s, column);
            s.cu[column] = 1;
            s.rl[row] = s.rl[row + 1] = -INFINITY;
            s.ru[row] = -duration[i], s.ru[row + 1] = M - duration[j];
        }
    vouch_lp *lp = sample_load(&s);
    for (int j = JOBS; j < s.n; j++) vouch_lp_set_integer(lp, j, 1);
    sample_free(&s);
    return lp;
}

/* A resource shared by SOS1 sets. */
static vouch_lp *mip_sets(rng *r)
{
    enum { SETS = 9, MEMBERS = 4 };
    sample s = sample_new(3, SETS * MEMBERS);
    for (int j = 0; j < s.n; j++) {
        for (int i = 0; i < s.m; i++) entry(&s, i, 1 + pick(r, 9));
        close_column(&s, j);
        s.cost[j] = 2 + pick(r, 20), s.cu[j] = 1 + pick(r, 3);
    }
    for (int i = 0; i < s.m; i++) s.rl[i] = -INFINITY, s.ru[i] = 27 + i;
    s.maximize = 1;
    vouch_lp *lp = sample_load(&s);
    for (int k = 0; k < SETS; k++) {
        int member[MEMBERS];
        for (int i = 0; i < MEMBERS; i++) member[i] = k * MEMBERS + i;
        assert_int_equal(vouch_lp_add_sos1(lp, MEMBERS, member, NULL), VOUCH_OK);
    }
    sample_free(&s);
    return lp;
}

/* Rows of every kind about a whole point: either sign, equalities, ranges, twice the same row but for its side, big numbers beside
 * small; columns with bounds of any kind, some continuous, some free. */
static vouch_lp *mip_mixed(rng *r)
{
    sample s = sample_new(14, 26);
    for (int j = 0; j < s.n; j++) {
        int kind = pick(r, 8);
        s.cl[j] = kind == 0 ? -3 : kind == 1 ? -INFINITY : 0;
        s.cu[j] = kind < 2 ? 4 : kind == 2 ? 9 : kind == 3 && j % 5 == 4 ? INFINITY : 1;
        double x = floor(fmax(s.cl[j], -2) + pick(r, 2));
        for (int i = 0; i < s.m; i++) {
            double v = i == 5 ? 40 + pick(r, 60) : pick(r, 19) - 9;
            if (v == 0 || pick(r, 3)) continue;
            entry(&s, i, v);
            s.ru[i] += v * x;
        }
        close_column(&s, j);
        s.cost[j] = pick(r, 31) - 15;
    }
    for (int i = 0; i < s.m; i++) {
        int kind = pick(r, 6);
        s.rl[i] = kind == 0 ? s.ru[i] : kind == 1 ? s.ru[i] - 4 : -INFINITY;
        if (kind == 2) s.rl[i] = s.ru[i] - 1, s.ru[i] = INFINITY;
        if (kind > 2) s.ru[i] += pick(r, 3);
    }
    return integer(&s, 5);
}

/* At most one of a few, of x or of 1 - x, and of two groups with a member in common. */
static vouch_lp *mip_literals(rng *r)
{
    sample s = sample_new(60, 24);
    s.maximize = 1;
    double at[60] = {0};
    for (int j = 0; j < s.n; j++) {
        int usual = j % 4 ? 1 : -1;
        for (int i = 0; i < s.m; i++) {
            if (pick(r, s.n) > 3) continue;
            int sign = pick(r, 15) ? usual : -usual;
            entry(&s, i, sign);
            s.ru[i] -= sign < 0;
            at[i] += usual < 0 ? sign : 0; /* at the point where all usual literals are false */
        }
        close_column(&s, j);
        s.cost[j] = usual * (5 + pick(r, 9)), s.cu[j] = 1;
    }
    for (int i = 0; i < s.m; i++) s.rl[i] = -INFINITY, s.ru[i] = fmax(1 + s.ru[i], at[i]);
    return integer(&s, s.n + 1);
}

/* Each task to one of the machines, which have room for a few: equalities of sets with knapsacks. */
static vouch_lp *mip_assign(rng *r)
{
    enum { TASKS = 8, MACHINES = 3 };
    sample s = sample_new(TASKS + MACHINES, TASKS * MACHINES);
    for (int j = 0; j < s.n; j++) {
        int w = 5 + pick(r, 20);
        entry(&s, j / MACHINES, 1);
        entry(&s, TASKS + j % MACHINES, w);
        close_column(&s, j);
        s.cost[j] = 40 - w + pick(r, 9), s.cu[j] = 1;
    }
    for (int i = 0; i < TASKS; i++) s.rl[i] = s.ru[i] = 1;
    for (int i = TASKS; i < s.m; i++) s.rl[i] = -INFINITY, s.ru[i] = 44;
    return integer(&s, s.n + 1);
}

/* Covers with weights of either sign, some above the capacity; the lightest have the best objective. */
static vouch_lp *mip_covers(rng *r)
{
    sample s = sample_new(5, 22);
    s.maximize = 1;
    for (int i = 0; i < s.m; i++) s.rl[i] = -INFINITY;
    for (int j = 0; j < s.n; j++) {
        double sum = 0;
        for (int i = 0; i < s.m; i++) {
            double w = 3 + pick(r, 12) + (pick(r, 9) == 0 ? 30 : 0);
            if (pick(r, 5) == 0) w = -w;
            entry(&s, i, w);
            s.ru[i] += w / 3;
            sum += fabs(w);
        }
        close_column(&s, j);
        s.cost[j] = sum / 4 + pick(r, 5), s.cu[j] = 1;
    }
    for (int i = 0; i < s.m; i++) s.ru[i] = floor(s.ru[i]);
    return integer(&s, s.n + 1);
}

/* Steps x_t <= x_(t+1) of whole numbers up to 20, few of them taken: bounds that move through the rows. */
static vouch_lp *mip_steps(rng *r)
{
    enum { T = 14 };
    sample s = sample_new(T + 2, T);
    for (int t = 0; t < T; t++) {
        if (t > 0) entry(&s, t - 1, -1);
        if (t + 1 < T) entry(&s, t, 1);
        entry(&s, T, 3 + pick(r, 5));
        entry(&s, T + 1, 1 + pick(r, 3));
        close_column(&s, t);
        s.cost[t] = pick(r, 21) - 8, s.cu[t] = 20;
    }
    for (int i = 0; i + 1 < T; i++) s.rl[i] = -INFINITY, s.ru[i] = i % 4 == 3 ? -1 : 0;
    s.rl[T - 1] = -INFINITY, s.ru[T - 1] = INFINITY;
    s.rl[T] = 130 + pick(r, 90), s.ru[T] = s.rl[T] + 1;
    s.rl[T + 1] = -INFINITY, s.ru[T + 1] = 90;
    return integer(&s, T + 1);
}

/* No relaxation has an optimum: directions that whole numbers may or may not follow. */
static vouch_lp *mip_endless(rng *r)
{
    sample s = sample_new(3, 6);
    for (int j = 0; j < s.n; j++) {
        for (int i = 0; i < s.m; i++)
            entry(&s, i, i == 0 ? 2 * (1 + pick(r, 4)) * (j % 2 ? 1 : -1) : (j % 2 ? 1 : -1) * (1 + pick(r, 2)));
        close_column(&s, j);
        s.cost[j] = -1 - pick(r, 3), s.cu[j] = INFINITY;
    }
    s.rl[0] = s.ru[0] = 2 + pick(r, 3);
    for (int i = 1; i < s.m; i++) s.rl[i] = -9, s.ru[i] = i == 1 ? 9 : INFINITY;
    return integer(&s, 4);
}

/* Amounts that several switches bound alike, from above and below, and a room for all: ties among variable bounds, lifted cuts. */
static vouch_lp *mip_tied(rng *r)
{
    enum { AMOUNTS = 6, SWITCHES = 6, ABOVE = 2 * AMOUNTS, BELOW = AMOUNTS };
    sample s = sample_new(ABOVE + BELOW + 2, AMOUNTS + SWITCHES);
    for (int j = 0; j < s.n; j++) {
        for (int i = 0; i < AMOUNTS && j >= AMOUNTS; i++) { /* rows x_i <= 5 z_a, x_i <= 5 z_b, x_i >= z_b */
            int a = i % SWITCHES, b = (i + 1 + i % 2) % SWITCHES, z = j - AMOUNTS;
            if (z == a) entry(&s, 2 * i, -5);
            if (z == b) entry(&s, 2 * i + 1, -5), entry(&s, ABOVE + i, -1);
        }
        for (int i = 0; i < 3 && j < AMOUNTS; i++) entry(&s, i < 2 ? 2 * j + i : ABOVE + j, 1);
        entry(&s, ABOVE + BELOW, j < AMOUNTS ? 2 + pick(r, 4) : 0.5 + j % 2);
        if (j >= AMOUNTS || j % 2) entry(&s, ABOVE + BELOW + 1, 1 + pick(r, 3));
        close_column(&s, j);
        s.cost[j] = j < AMOUNTS ? -4 - pick(r, 6) : 3 + pick(r, 5);
        s.cu[j] = j < AMOUNTS ? 5 : 1;
    }
    for (int i = 0; i < s.m; i++) s.rl[i] = i >= ABOVE && i < ABOVE + BELOW ? 0 : -INFINITY, s.ru[i] = i < ABOVE ? 0 : INFINITY;
    s.ru[ABOVE + BELOW] = 31 + pick(r, 9);
    s.ru[ABOVE + BELOW + 1] = 13 + pick(r, 5);
    vouch_lp *lp = sample_load(&s);
    for (int j = AMOUNTS; j < s.n; j++) assert_int_equal(vouch_lp_set_integer(lp, j, 1), VOUCH_OK);
    sample_free(&s);
    return lp;
}

static vouch_lp *mip_any(rng *r) { return mips_make(rng_below(r, 1000)).lp; }

static void mip_node(void *context, const vouch_mip_node *n)
{
    const double figures[] = {(double)n->id, (double)n->parent, n->depth, n->column, n->lower, n->upper, n->bound, (double)n->end};
    add_all(context, 8, figures);
}

/* Log lines that appear once a solve, not by the clock. */
static void mip_told(void *context, vouch_log_level level, const char *line)
{
    if (level != VOUCH_LOG_INFO || !(strncmp(line, "cuts: ", 6) == 0 || strstr(line, "tightened") || strstr(line, " relaxations")))
        return;
    for (const char *c = line; *c; c++) add(context, *c);
}

/* Rounds down, as a caller's heuristic might. */
static int round_down(void *context, const double *x, double *out)
{
    const int *n = context;
    for (int j = 0; j < *n; j++) out[j] = floor(x[j] + 1e-6);
    return 1;
}

enum { DEFAULT, BARE, NO_CUTS, NO_HEURISTICS, NO_PRESOLVE, CALLBACK, FEW_NODES, FEW_ITERATIONS, STARTED, TRACED, MIP_WAYS };
static const char *const mip_way_name[MIP_WAYS] = {"default",  "bare",      "no cuts",        "no heuristics", "no presolve",
                                                   "callback", "few nodes", "few iterations", "started",       "traced"};

static void solve_integer(const vouch_lp *lp, int way, work *w)
{
    int n = vouch_lp_cols(lp);
    vouch_mip *mip;
    vouch_mip_result r;
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    o.presolve = way != BARE && way != NO_PRESOLVE;
    o.cuts = way != BARE && way != NO_CUTS;
    o.heuristics = way != BARE && way != NO_HEURISTICS;
    o.limits.nodes = way == FEW_NODES ? 9 : 600;
    o.limits.iterations = way == FEW_ITERATIONS ? 60 : 0;
    if (way == CALLBACK) o.heuristic = round_down, o.heuristic_context = &n, o.gap_relative = 0.02;
    o.on_node = mip_node;
    o.on_node_context = &w->all;
    o.log = (vouch_log){mip_told, &w->all, VOUCH_LOG_INFO};
    if (way == TRACED) assert_int_equal(vouch_trace_new(&o.trace, 1), VOUCH_OK);
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, &o), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    if (o.trace) add_trace(&w->all, o.trace);
    vouch_trace_free(o.trace);
    if (way == STARTED && r.has_incumbent) { /* again from the incumbent, best bound first */
        double *x = malloc((size_t)n * sizeof *x);
        memcpy(x, r.x, (size_t)n * sizeof *x);
        vouch_mip_free(mip);
        o.start = x;
        o.heuristics = 0;
        assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
        assert_int_equal(vouch_mip_solve(mip, &o), VOUCH_OK);
        vouch_mip_get_result(mip, &r);
        free(x);
    }
    outcome(w, vouch_mip_outcome_text(r.outcome));
    w->nodes += r.nodes;
    w->iterations += r.iterations;
    add(&w->all, r.bound);
    for (int family = 0; family < VOUCH_MIP_FAMILIES; family++) add(&w->all, (double)r.cut_rows[family]);
    if (r.has_incumbent) add(&w->all, r.objective), add_all(&w->all, n, r.x);
    vouch_mip_free(mip);
}

static void test_integer_programs(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        vouch_lp *(*make)(rng *r);
        int count;
    } families[] = {
        {"knapsacks", mip_knapsacks, 4}, {"lots", mip_lots, 3},     {"packing", mip_packing, 1}, {"equations", mip_equations, 4},
        {"jobs", mip_jobs, 1},           {"sets", mip_sets, 3},     {"any", mip_any, 30},        {"mixed", mip_mixed, 6},
        {"literals", mip_literals, 3},   {"assign", mip_assign, 3}, {"covers", mip_covers, 3},   {"steps", mip_steps, 5},
        {"endless", mip_endless, 6},     {"tied", mip_tied, 6}};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (int way = 0; way < MIP_WAYS; way++) {
            rng r = rng_seed(200 + f);
            work w = {.all = DIGEST_NEW};
            char name[64];
            for (int number = 0; number < families[f].count; number++) {
                vouch_lp *lp = families[f].make(&r);
                solve_integer(lp, way, &w);
                vouch_lp_free(lp);
            }
            snprintf(name, sizeof name, "mip %s, %s", families[f].name, mip_way_name[way]);
            note(name, &w);
        }
    }
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "mip", test_integer_programs); }
