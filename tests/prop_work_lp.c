/* The work on linear programs: random ones, degenerate ones, boxed, free, and long enough for updates and BLAS, each in every way.
 * See work_aid.h. */
#include "lp_aid.h"
#include "work_aid.h"

static sample lp_random(rng *r) { return sample_random(r, 40, 40); }
static sample lp_chained(rng *r) { return sample_chained_of(r, 30, 40); }

/* Unit costs and entries: ties everywhere. */
static sample lp_covering(rng *r)
{
    sample s = sample_new(25 + pick(r, 10), 40);
    for (int j = 0; j < s.n; j++) {
        for (int i = 0; i < s.m; i++)
            if (pick(r, 5) == 0) entry(&s, i, 1);
        close_column(&s, j);
        s.cost[j] = 1 + pick(r, 2);
        s.cu[j] = j % 3 ? INFINITY : 1;
    }
    for (int i = 0; i < s.m; i++) s.rl[i] = 1, s.ru[i] = i % 4 ? INFINITY : 3;
    return s;
}

/* As many sources as sinks, equal amounts: each basis is degenerate. */
static sample lp_transport(rng *r)
{
    enum { SIDE = 9 };
    sample s = sample_new(2 * SIDE, SIDE * SIDE);
    for (int j = 0; j < s.n; j++) {
        entry(&s, j / SIDE, 1);
        entry(&s, SIDE + j % SIDE, 1);
        close_column(&s, j);
        s.cost[j] = pick(r, 20);
        s.cu[j] = INFINITY;
    }
    for (int i = 0; i < s.m; i++) s.rl[i] = s.ru[i] = 4;
    return s;
}

/* Two-sided rows, boxed columns, any size of entries; around a point that keeps all. */
static sample lp_boxed(rng *r)
{
    sample s = sample_new(30, 45);
    for (int j = 0; j < s.n; j++) {
        double x = pick(r, 9) - 4;
        for (int i = 0; i < s.m; i++) {
            if (pick(r, 6)) continue;
            double v = (pick(r, 2) ? 1 : -1) * exp2(pick(r, 12) - 6) * (1 + pick(r, 7));
            entry(&s, i, v);
            s.rl[i] += v * x;
        }
        close_column(&s, j);
        s.cost[j] = pick(r, 41) - 20;
        s.cl[j] = x - pick(r, 4);
        s.cu[j] = x + pick(r, 4);
    }
    for (int i = 0; i < s.m; i++) s.ru[i] = s.rl[i] + pick(r, 5), s.rl[i] -= pick(r, 5);
    s.maximize = pick(r, 2);
    return s;
}

/* Free columns, priced by rows: bounded; with every fourth problem a cost of its own: unbounded. */
static sample lp_free(rng *r)
{
    sample s = sample_new(24, 30);
    int wild = pick(r, 4) == 0;
    for (int j = 0; j < s.n; j++) {
        for (int i = 0; i < s.m; i++) {
            if (pick(r, 5)) continue;
            double v = 1 + pick(r, 5) - 6 * (j % 2);
            entry(&s, i, v);
            s.cost[j] += v * (i % 5);
        }
        close_column(&s, j);
        s.cl[j] = j % 5 == 4 ? 0 : -INFINITY;
        s.cu[j] = INFINITY;
        if (wild || j % 5 == 4) s.cost[j] += 1;
    }
    for (int i = 0; i < s.m; i++) s.rl[i] = pick(r, 30) - 10, s.ru[i] = i % 5 ? INFINITY : s.rl[i];
    return s;
}

/* A front long enough for updates, new factors, and BLAS itself. */
static sample stairs(rng *r, int steps)
{
    enum { WIDE = 6 };
    sample s = sample_new(steps * WIDE, steps * WIDE * 3 / 2);
    for (int j = 0; j < s.n; j++) {
        int step = j * steps / s.n;
        for (int i = step * WIDE; i < (step + 2) * WIDE && i < s.m; i++)
            if (i == step * WIDE + j % WIDE || pick(r, 3) == 0)
                entry(&s, i, i < (step + 1) * WIDE ? 1 + pick(r, 9) : -1 - 0.5 * pick(r, 3));
        close_column(&s, j);
        s.cost[j] = 1 + pick(r, 30) + 0.25 * step;
        s.cu[j] = pick(r, 4) ? INFINITY : 9;
    }
    for (int i = 0; i < s.m; i++) s.rl[i] = pick(r, 3), s.ru[i] = i % 7 ? INFINITY : s.rl[i] + 9;
    return s;
}

static sample lp_stairs(rng *r) { return stairs(r, 16); }

/* Rows listed, and results of solves with few entries. */
static sample lp_long(rng *r) { return stairs(r, 90); }

/* No zero anywhere, no two numbers alike: kernels as large as the basis, long spikes. */
static sample lp_full(rng *r)
{
    sample s = sample_new(45, 70);
    for (int j = 0; j < s.n; j++) {
        double x = pick(r, 3);
        for (int i = 0; i < s.m; i++) {
            double v = (1 + pick(r, 1 << 16)) / 4096.0 - 8;
            entry(&s, i, v);
            s.rl[i] += v * x;
        }
        close_column(&s, j);
        s.cost[j] = 1 + pick(r, 1 << 12) / 64.0;
        s.cu[j] = j % 4 ? 6 : INFINITY;
    }
    for (int i = 0; i < s.m; i++) s.ru[i] = i % 3 ? INFINITY : s.rl[i] + pick(r, 9);
    return s;
}

/* Short columns and a few long ones, short rows and a few long ones, without any order: fill-in. */
static sample irregular(rng *r, int rows)
{
    sample s = sample_new(rows, rows + rows / 3);
    for (int j = 0; j < s.n; j++) {
        int part = pick(r, 25) == 0 ? 4 : rows / (2 + pick(r, 3)), x = pick(r, 4);
        for (int i = 0; i < s.m; i++) {
            if (i != j && pick(r, i % 40 == 7 ? 5 : part)) continue;
            double v = (pick(r, 3) ? 1 : -1) * (1 + pick(r, 64) / 8.0);
            entry(&s, i, v);
            s.rl[i] += v * x;
        }
        close_column(&s, j);
        s.cost[j] = 2 + pick(r, 90) / 4.0;
        s.cu[j] = pick(r, 3) ? INFINITY : 5;
    }
    for (int i = 0; i < s.m; i++) {
        s.ru[i] = i % 5 ? INFINITY : s.rl[i];
        if (i % 7 == 3) s.ru[i] = s.rl[i] + pick(r, 20), s.rl[i] = -INFINITY;
    }
    return s;
}

static sample lp_irregular(rng *r) { return irregular(r, 70); }
static sample lp_wide(rng *r) { return irregular(r, 220); }

/* Rows and columns in units of their own, from 1e-5 to 1e5. */
static sample lp_units(rng *r)
{
    sample s = irregular(r, 40);
    double unit[64];
    for (int i = 0; i < s.m; i++) unit[i] = pow(10, pick(r, 11) - 5), s.rl[i] *= unit[i], s.ru[i] *= unit[i];
    for (int j = 0; j < s.n; j++) {
        double own = pow(10, pick(r, 7) - 3);
        for (int64_t e = s.start[j]; e < s.start[j + 1]; e++) s.value[e] *= own * unit[s.index[e]];
        s.cost[j] *= own;
        s.cl[j] /= own, s.cu[j] /= own;
    }
    return s;
}

/* Each row twice, the second shifted slightly: nearly singular bases, rows equal up to rounding. */
static sample lp_nearly(rng *r)
{
    sample s = sample_new(24, 36);
    for (int j = 0; j < s.n; j++) {
        int x = pick(r, 3);
        for (int i = 0; i < s.m; i += 2) {
            if (pick(r, 3)) continue;
            double v = 1 + pick(r, 9), moved = v * (1 + ldexp(pick(r, 5) - 2, -20 - pick(r, 20)));
            entry(&s, i, v);
            entry(&s, i + 1, moved);
            s.rl[i] += v * x, s.rl[i + 1] += moved * x;
        }
        close_column(&s, j);
        s.cost[j] = pick(r, 19) - 4;
        s.cl[j] = j % 3 ? 0 : -2;
        s.cu[j] = 4;
    }
    for (int i = 0; i < s.m; i++) s.ru[i] = i % 4 < 2 ? s.rl[i] : INFINITY;
    return s;
}

/* A front whose last rows exceed the others. */
static sample lp_short(rng *r)
{
    sample s = stairs(r, 8);
    for (int j = 0; j < s.n; j++) s.cu[j] = 1 + pick(r, 4);
    s.rl[s.m - 1 - pick(r, 6)] = 90;
    return s;
}

/* Long chains of rows of two entries, of multiples, of implied bounds, about a point within them. */
static sample lp_links(rng *r)
{
    sample s = sample_chained_of(r, 110, 130);
    double *at = calloc((size_t)s.m + 1, sizeof *at);
    for (int j = 0; j < s.n; j++) {
        double x = fmin(fmax(pick(r, 5) - 2, s.cl[j]), s.cu[j]);
        for (int64_t e = s.start[j]; e < s.start[j + 1]; e++) at[s.index[e]] += s.value[e] * x;
        if (isinf(s.cl[j]) && pick(r, 2)) s.cl[j] = -9;
        if (isinf(s.cu[j]) && pick(r, 2)) s.cu[j] = 20;
    }
    for (int i = 0; i < s.m; i++) {
        if (s.rl[i] == s.ru[i])
            s.rl[i] = s.ru[i] = at[i];
        else
            s.rl[i] = fmin(s.rl[i], at[i]), s.ru[i] = fmax(s.ru[i], at[i]);
    }
    free(at);
    return s;
}

enum {
    DUAL,
    PRIMAL,
    PRESOLVE,
    DENSE,
    SPARSE,
    UNSCALED,
    UNPERTURBED,
    CUTOFF,
    LIMIT,
    CHANGED,
    PRIMAL_SPARSE,
    PRIMAL_DENSE,
    PRIMAL_LIMIT,
    PRESOLVE_PRIMAL,
    CHANGED_SPARSE,
    TRACED,
    WAYS
};
static const char *const way_name[WAYS] = {
    "dual",  "primal",  "presolve",      "dense",        "sparse",       "unscaled",        "unperturbed",    "cutoff",
    "limit", "changed", "primal sparse", "primal dense", "primal limit", "presolve primal", "changed sparse", "traced"};
static bool among(int way, int a, int b, int c, int d) { return way == a || way == b || way == c || way == d; }

static vouch_lp_options lp_way(int way)
{
    vouch_lp_options o;
    vouch_lp_options_init(&o);
    o.presolve = way == PRESOLVE ? 2 : way == PRESOLVE_PRIMAL;
    o.method = way == PRESOLVE ? VOUCH_LP_AUTO : VOUCH_LP_DUAL;
    if (way == PRESOLVE_PRIMAL || among(way, PRIMAL, PRIMAL_SPARSE, PRIMAL_DENSE, PRIMAL_LIMIT)) o.method = VOUCH_LP_PRIMAL;
    o.factor = way == DENSE || way == PRIMAL_DENSE                     ? VOUCH_FACTOR_DENSE
               : among(way, SPARSE, PRIMAL_SPARSE, CHANGED_SPARSE, -1) ? VOUCH_FACTOR_SPARSE
                                                                       : VOUCH_FACTOR_AUTO;
    if (way == UNSCALED) o.scale = 0;
    if (way == UNPERTURBED) o.perturb = 0;
    if (way == CUTOFF) o.cutoff = 10;
    if (way == LIMIT || way == PRIMAL_LIMIT) o.limits.iterations = 15;
    return o;
}

static void solve(vouch_lp *lp, const vouch_lp_options *o, work *w)
{
    vouch_lp_result r;
    unsigned char row[1024], col[1024];
    int m = vouch_lp_rows(lp), n = vouch_lp_cols(lp);
    assert_true(m <= 1024 && n <= 1024);
    assert_int_equal(vouch_lp_solve(lp, o), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    w->iterations += r.iterations;
    w->factorizations += r.factorizations;
    outcome(w, vouch_lp_outcome_text(r.outcome));
    add(&w->all, r.objective);
    add(&w->all, r.bound);
    add(&w->all, r.used_dense);
    add_all(&w->all, n, r.x);
    add_all(&w->all, m, r.row_dual);
    add_all(&w->all, m, r.farkas);
    add_all(&w->all, n, r.ray);
    if (!vouch_lp_has_basis(lp)) return;
    vouch_lp_get_basis(lp, row, col);
    for (int i = 0; i < m; i++) add(&w->all, row[i]);
    for (int j = 0; j < n; j++) add(&w->all, col[j]);
}

/* What branch and bound does to a program: bounds move, rows and columns come and go, and it is solved from where it stood. */
static void change(vouch_lp *lp, const vouch_lp_options *o, work *w)
{
    vouch_lp_data d;
    for (int round = 0; round < 6; round++) {
        vouch_lp_result r;
        vouch_lp_get_result(lp, &r);
        vouch_lp_view(lp, &d);
        int j = (7 * round + 3) % d.cols;
        double x = r.outcome == VOUCH_LP_OPTIMAL ? r.x[j] : 0, value[3] = {1, 1, -1}, one = 1, zero = 0, far = INFINITY;
        int index[3] = {j, (j + 1) % d.cols, (j + 2) % d.cols}, place[1] = {d.rows / 2};
        int64_t start[2] = {0, 3};
        if (round == 2) {
            assert_int_equal(vouch_lp_add_rows(lp, 1, start, index, value, &zero, &one), VOUCH_OK);
        } else if (round == 3) {
            start[1] = 1;
            assert_int_equal(vouch_lp_add_cols(lp, 1, start, place, &one, &one, &zero, &far), VOUCH_OK);
        } else if (round == 4) {
            assert_int_equal(vouch_lp_delete_rows(lp, 1, place), VOUCH_OK);
        } else if (round == 5) {
            assert_int_equal(vouch_lp_set_cost(lp, j, d.cost[j] + 3), VOUCH_OK);
        } else {
            assert_int_equal(vouch_lp_set_col_bounds(lp, j, d.col_lower[j], fmin(d.col_upper[j], fmax(d.col_lower[j], x - 0.5))),
                             VOUCH_OK);
        }
        solve(lp, o, w);
    }
}

static void test_linear_programs(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        sample (*make)(rng *r);
        int count;
    } families[] = {{"random", lp_random, 30},      {"chained", lp_chained, 30}, {"covering", lp_covering, 6},
                    {"transport", lp_transport, 4}, {"boxed", lp_boxed, 6},      {"free", lp_free, 8},
                    {"stairs", lp_stairs, 3},       {"long", lp_long, 1},        {"full", lp_full, 2},
                    {"irregular", lp_irregular, 3}, {"wide", lp_wide, 1},        {"units", lp_units, 6},
                    {"nearly", lp_nearly, 6},       {"short", lp_short, 4},      {"links", lp_links, 8}};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (int way = 0; way < WAYS; way++) {
            rng r = rng_seed(100 + f);
            work w = {.all = DIGEST_NEW};
            char name[64];
            vouch_lp_options o = lp_way(way);
            for (int number = 0; number < families[f].count; number++) {
                sample s = families[f].make(&r);
                vouch_lp *lp = sample_load(&s);
                vouch_trace *trace = NULL;
                if (way == TRACED) assert_int_equal(vouch_trace_new(&trace, 1), VOUCH_OK);
                o.trace = trace;
                solve(lp, &o, &w);
                if (trace) add_trace(&w.all, trace);
                vouch_trace_free(trace);
                o.trace = NULL;
                if ((way == CHANGED || way == CHANGED_SPARSE) && s.n > 2 && s.m > 0) change(lp, &o, &w);
                vouch_lp_free(lp);
                sample_free(&s);
            }
            snprintf(name, sizeof name, "lp %s, %s", families[f].name, way_name[way]);
            note(name, &w);
        }
    }
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "lp", test_linear_programs); }
