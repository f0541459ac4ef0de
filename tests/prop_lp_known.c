/* Larger problems whose optimum is known by construction, classics of cycling and degeneracy, permuted copies, and glpsol as an
 * independent judge. VOUCH_LP_KNOWN and VOUCH_LP_GLPSOL set how many. */
#include "lp_aid.h"

/* Chooses x*, y* and a basis-like pattern first, then the data that make them optimal: each row is active at a bound with a dual
 * of the right sign or inactive with dual 0, each column likewise. */
static sample known_optimum(rng *r, int m, int n, double *optimum)
{
    sample p = sample_new(m, n);
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)m, sizeof *y), *activity = calloc((size_t)m, sizeof *activity);
    int entries = 0;
    for (int i = 0; i < m; i++) y[i] = pick(r, 2) ? 4 * rng_unit(r) - 2 : 0;
    *optimum = 0;
    for (int j = 0; j < n; j++) {
        p.start[j] = entries;
        x[j] = pick(r, 2) ? 10 * rng_unit(r) - 5 : pick(r, 5);
        double reduced = 0, cost = 0;
        switch (pick(r, 4)) {
        case 0:
            p.cl[j] = x[j], p.cu[j] = INFINITY, reduced = rng_unit(r);
            break;
        case 1:
            p.cl[j] = -INFINITY, p.cu[j] = x[j], reduced = -rng_unit(r);
            break;
        case 2:
            p.cl[j] = x[j] - rng_unit(r), p.cu[j] = x[j] + pick(r, 3);
            break;
        default:
            p.cl[j] = -INFINITY, p.cu[j] = INFINITY;
        }
        if (p.cu[j] == x[j] && p.cl[j] > -INFINITY) reduced = -rng_unit(r);
        int length = 1 + pick(r, 6);
        for (int k = 0; k < length; k++) {
            int i = pick(r, m), seen = 0;
            for (int64_t e = p.start[j]; e < entries; e++) seen |= p.index[e] == i;
            if (seen) continue;
            double v = pick(r, 2) ? pick(r, 9) - 4 : exp(6 * rng_unit(r) - 3);
            if (v == 0) continue;
            p.index[entries] = i;
            p.value[entries++] = v;
            activity[i] += v * x[j];
            cost += v * y[i];
        }
        p.cost[j] = cost + reduced;
        *optimum += p.cost[j] * x[j];
    }
    p.start[n] = entries;
    for (int i = 0; i < m; i++) {
        if (y[i] > 0)
            p.rl[i] = activity[i], p.ru[i] = pick(r, 2) ? INFINITY : activity[i] + pick(r, 4);
        else if (y[i] < 0)
            p.ru[i] = activity[i], p.rl[i] = pick(r, 2) ? -INFINITY : activity[i] - pick(r, 4);
        else
            p.rl[i] = activity[i] - pick(r, 3), p.ru[i] = activity[i] + pick(r, 3); /* often degenerate */
    }
    free(x);
    free(y);
    free(activity);
    return p;
}

static void an_optimum_known_by_construction_is_found(void **state)
{
    (void)state;
    int count = test_count("VOUCH_LP_KNOWN", 24);
    rng r = rng_seed(99);
    for (int k = 0; k < count; k++) {
        double optimum;
        sample p = known_optimum(&r, 20 + pick(&r, 300), 20 + pick(&r, 500), &optimum);
        for (int way = 0; way < 6; way++) {
            vouch_lp_options options;
            vouch_lp_options_init(&options);
            options.method = way % 3 == 0 ? VOUCH_LP_AUTO : way % 3 == 1 ? VOUCH_LP_PRIMAL : VOUCH_LP_DUAL;
            options.presolve = way < 3 ? 2 : 0;
            options.factor = way == 4 ? VOUCH_FACTOR_DENSE : VOUCH_FACTOR_AUTO;
            vouch_lp *lp = sample_load(&p);
            vouch_lp_result result = solve_checked(lp, &options);
            assert_int_equal(result.outcome, VOUCH_LP_OPTIMAL);
            assert_near(result.objective, optimum, 1e-7 * (1 + fabs(optimum)));
            vouch_lp_free(lp);
        }
        sample_free(&p);
    }
}

static double solve_small(int m, int n, const double *dense, const double *cost, const double *rl, const double *ru, int maximize,
                          vouch_lp_method method, int perturb)
{
    sample p = sample_new(m, n);
    int entries = 0;
    for (int j = 0; j < n; j++) {
        p.start[j] = entries;
        for (int i = 0; i < m; i++) {
            if (dense[i * n + j] == 0) continue;
            p.index[entries] = i;
            p.value[entries++] = dense[i * n + j];
        }
        p.cost[j] = cost[j];
        p.cu[j] = INFINITY;
    }
    p.start[n] = entries;
    p.maximize = maximize;
    memcpy(p.rl, rl, (size_t)m * sizeof *rl);
    memcpy(p.ru, ru, (size_t)m * sizeof *ru);
    vouch_lp *lp = sample_load(&p);
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.method = method;
    options.presolve = 0;
    options.perturb = perturb;
    options.limits.iterations = 100000;
    vouch_lp_result r = solve_checked(lp, &options);
    assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
    vouch_lp_free(lp);
    sample_free(&p);
    return r.objective;
}

/* E. M. L. Beale (1955); K. T. Marshall and J. W. Suurballe (1969): the textbook rule goes in circles on both. */
static void the_classics_of_cycling_end(void **state)
{
    (void)state;
    const double beale[] = {0.25, -8, -1, 9, 0.5, -12, -0.5, 3, 0, 0, 1, 0}, beale_cost[] = {0.75, -20, 0.5, -6};
    const double beale_upper[] = {0, 0, 1}, low[] = {-INFINITY, -INFINITY, -INFINITY};
    const double marshall[] = {0.5, -5.5, -2.5, 9, 0.5, -1.5, -0.5, 1, 1, 0, 0, 0}, marshall_cost[] = {10, -57, -9, -24};
    for (int method = 0; method < 3; method++) {
        for (int perturb = 0; perturb < 2; perturb++) {
            assert_near(solve_small(3, 4, beale, beale_cost, low, beale_upper, 1, (vouch_lp_method)method, perturb), 1.25, 1e-9);
            assert_near(solve_small(3, 4, marshall, marshall_cost, low, beale_upper, 1, (vouch_lp_method)method, perturb), 1, 1e-9);
        }
    }
}

/* V. Klee and G. J. Minty (1972): max sum 2^(n-j) x_j, a cube squashed so that the textbook rule visits all corners. */
static void the_cubes_of_klee_and_minty_are_solved(void **state)
{
    (void)state;
    enum { N = 12 };
    double a[N * N] = {0}, cost[N], low[N], up[N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) a[i * N + j] = ldexp(1, i - j + 1);
        a[i * N + i] = 1;
        cost[i] = ldexp(1, N - 1 - i);
        low[i] = -INFINITY;
        up[i] = pow(5, i + 1);
    }
    for (int method = 0; method < 3; method++) {
        assert_near(solve_small(N, N, a, cost, low, up, 1, (vouch_lp_method)method, 1), pow(5, N), 1e-3);
    }
}

/* Assignment: every vertex is degenerate. Costs (i + 1)(j + 1): the best pairs large with small. */
static void assignment_problems_are_solved(void **state)
{
    (void)state;
    enum { K = 14 };
    double *a = calloc(2 * K * K * K, sizeof *a), cost[K * K], b[2 * K], expected = 0;
    for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++) {
            a[i * K * K + i * K + j] = a[(K + j) * K * K + i * K + j] = 1;
            cost[i * K + j] = (i + 1) * (j + 1);
        }
        b[i] = b[K + i] = 1;
        expected += (i + 1) * (K - i);
    }
    for (int method = 0; method < 3; method++) {
        for (int perturb = 0; perturb < 2; perturb++) {
            assert_near(solve_small(2 * K, K * K, a, cost, b, b, 0, (vouch_lp_method)method, perturb), expected, 1e-7);
        }
    }
    free(a);
}

static void shuffle(rng *r, int n, int *order)
{
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = pick(r, i + 1), t = order[i];
        order[i] = order[k];
        order[k] = t;
    }
}

static void permuted_copies_have_the_same_optimum(void **state)
{
    (void)state;
    rng r = rng_seed(31);
    for (int k = 0; k < 300; k++) {
        sample p = sample_random(&r, 15, 20), q = sample_new(p.m, p.n);
        int rows[16], cols[21], entries = 0;
        shuffle(&r, p.m, rows);
        shuffle(&r, p.n, cols);
        for (int j = 0; j < p.n; j++) {
            int from = cols[j];
            q.start[j] = entries;
            q.cost[j] = p.cost[from], q.cl[j] = p.cl[from], q.cu[j] = p.cu[from];
            for (int64_t e = p.start[from + 1] - 1; e >= p.start[from]; e--) {
                q.index[entries] = rows[p.index[e]];
                q.value[entries++] = p.value[e];
            }
        }
        q.start[p.n] = entries;
        for (int i = 0; i < p.m; i++) q.rl[rows[i]] = p.rl[i], q.ru[rows[i]] = p.ru[i];
        q.maximize = p.maximize, q.offset = p.offset;
        vouch_lp *a = sample_load(&p), *b = sample_load(&q);
        vouch_lp_result first = solve_checked(a, NULL), second = solve_checked(b, NULL);
        assert_same_result(&first, &second);
        vouch_lp_free(a);
        vouch_lp_free(b);
        sample_free(&p);
        sample_free(&q);
    }
}

/* ---- glpsol ---------------------------------------------------------------------------------------------------- */

static void write_free_mps(const sample *p, const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    double sense = p->maximize ? -1 : 1; /* glpsol minimises */
    fprintf(f, "NAME t\nROWS\n N obj\n");
    for (int i = 0; i < p->m; i++) {
        int low = !isinf(p->rl[i]), high = !isinf(p->ru[i]);
        fprintf(f, " %c r%d\n", low && p->rl[i] == p->ru[i] ? 'E' : high ? 'L' : low ? 'G' : 'N', i);
    }
    fprintf(f, "COLUMNS\n");
    for (int j = 0; j < p->n; j++) {
        fprintf(f, " c%d obj %.17g\n", j, sense * p->cost[j]);
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) fprintf(f, " c%d r%d %.17g\n", j, p->index[e], p->value[e]);
    }
    fprintf(f, "RHS\n");
    for (int i = 0; i < p->m; i++) {
        if (!isinf(p->ru[i]))
            fprintf(f, " b r%d %.17g\n", i, p->ru[i]);
        else if (!isinf(p->rl[i]))
            fprintf(f, " b r%d %.17g\n", i, p->rl[i]);
    }
    fprintf(f, "RANGES\n");
    for (int i = 0; i < p->m; i++) {
        if (!isinf(p->ru[i]) && !isinf(p->rl[i]) && p->ru[i] != p->rl[i]) fprintf(f, " g r%d %.17g\n", i, p->ru[i] - p->rl[i]);
    }
    fprintf(f, "BOUNDS\n");
    for (int j = 0; j < p->n; j++) {
        if (p->cl[j] == p->cu[j])
            fprintf(f, " FX d c%d %.17g\n", j, p->cl[j]);
        else if (isinf(p->cl[j]) && isinf(p->cu[j]))
            fprintf(f, " FR d c%d\n", j);
        else {
            if (isinf(p->cl[j]))
                fprintf(f, " MI d c%d\n", j);
            else
                fprintf(f, " LO d c%d %.17g\n", j, p->cl[j]);
            if (!isinf(p->cu[j])) fprintf(f, " UP d c%d %.17g\n", j, p->cu[j]);
        }
    }
    fprintf(f, "ENDATA\n");
    fclose(f);
}

static void glpsol_finds_the_same(void **state)
{
    (void)state;
    if (system("command -v glpsol > /dev/null")) skip();
    int count = test_count("VOUCH_LP_GLPSOL", 120), compared = 0;
    char path[] = "/tmp/vouch_lp_XXXXXX", command[128], line[256];
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    snprintf(command, sizeof command, "glpsol --freemps %s --nopresol --xcheck 2>&1", path);
    rng r = rng_seed(7);
    for (int k = 0; k < count; k++) {
        sample p = sample_random(&r, 10, 12);
        if (p.m == 0 || p.n == 0) { /* glpsol answers these without a verdict */
            sample_free(&p);
            continue;
        }
        p.offset = 0;
        vouch_lp *lp = sample_load(&p);
        vouch_lp_result mine = solve_checked(lp, NULL);
        write_free_mps(&p, path);
        FILE *peer = popen(command, "r");
        assert_non_null(peer);
        vouch_lp_outcome outcome = VOUCH_LP_UNSOLVED;
        double objective = NAN;
        while (fgets(line, sizeof line, peer)) {
            char *at = strstr(line, "obj =");
            if (at) sscanf(at + 5, "%lf", &objective);
            if (strstr(line, "OPTIMAL")) outcome = VOUCH_LP_OPTIMAL;
            if (strstr(line, "NO PRIMAL FEASIBLE") || strstr(line, "NO FEASIBLE")) outcome = VOUCH_LP_INFEASIBLE;
            if (strstr(line, "UNBOUNDED") || strstr(line, "NO DUAL FEASIBLE")) outcome = VOUCH_LP_UNBOUNDED;
        }
        pclose(peer);
        assert_string_equal(vouch_lp_outcome_text(mine.outcome), vouch_lp_outcome_text(outcome));
        if (outcome == VOUCH_LP_OPTIMAL) {
            double value = p.maximize ? -objective : objective;
            assert_near(mine.objective, value, 1e-6 * (1 + fabs(value)));
            compared++;
        }
        vouch_lp_free(lp);
        sample_free(&p);
    }
    remove(path);
    assert_true(compared > count / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_optimum_known_by_construction_is_found), cmocka_unit_test(the_classics_of_cycling_end),
        cmocka_unit_test(the_cubes_of_klee_and_minty_are_solved),    cmocka_unit_test(assignment_problems_are_solved),
        cmocka_unit_test(permuted_copies_have_the_same_optimum),     cmocka_unit_test(glpsol_finds_the_same),
    };
    return run_tests(tests);
}
