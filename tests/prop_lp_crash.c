/* Programs that start near the optimum (lp/drive.c): the optimum of the plain start, after a part of its pivots; infeasible and
 * unbounded programs are recognised; a failing allocation is reported. */
#include "lp_aid.h"

enum { ROWS = 520 };

/* Set covering, four to twelve unit entries a column. */
static sample covering(rng *r)
{
    sample p = sample_new(ROWS, 3 * ROWS);
    for (int j = 0; j < p.n; j++) {
        int wanted = 4 + pick(r, 9), at = j < p.m ? j : pick(r, p.m);
        for (int k = 0; k < wanted; k++, at = (at + 1 + pick(r, 40)) % ROWS) entry(&p, at, 1);
        close_column(&p, j);
        p.cost[j] = wanted + pick(r, 9);
        p.cu[j] = j % 7 ? INFINITY : 1;
    }
    for (int i = 0; i < p.m; i++) p.rl[i] = 1, p.ru[i] = INFINITY;
    return p;
}

/* Rows of a quadratic assignment by Adams and Johnson, n facilities: x[i,j], then y[i,j,k,l] for i < k, j != l. */
static sample assignment(rng *r)
{
    enum { N = 8, CELLS = N * N, PAIRED = CELLS * N };
    sample p = sample_new(2 * N + 2 * PAIRED, CELLS + CELLS * CELLS / 2);
    int flow[N][N], far[N][N];
    for (int i = 0; i < CELLS; i++) flow[i / N][i % N] = pick(r, 10), far[i / N][i % N] = pick(r, 10);
    int j = 0, by_place = 2 * N + PAIRED;
    p.n = CELLS + N * (N - 1) / 2 * N * (N - 1);
    for (int cell = 0; cell < CELLS; cell++, close_column(&p, j++)) {
        entry(&p, cell / N, 1), entry(&p, N + cell % N, 1);
        for (int k = 0; k < N; k++)
            if (k != cell / N) entry(&p, 2 * N + cell * N + k, -1);
        for (int k = 0; k < N; k++)
            if (k != cell % N) entry(&p, by_place + cell * N + k, -1);
        p.cost[j] = pick(r, 10);
    }
    for (int one = 0; one < CELLS; one++) {
        for (int two = 0; two < CELLS; two++) {
            if (one / N >= two / N || one % N == two % N) continue;
            entry(&p, 2 * N + one * N + two / N, 1), entry(&p, 2 * N + two * N + one / N, 1);
            entry(&p, by_place + one * N + two % N, 1), entry(&p, by_place + two * N + one % N, 1);
            p.cost[j] = flow[one / N][two / N] * far[one % N][two % N] + flow[two / N][one / N] * far[two % N][one % N];
            close_column(&p, j++);
        }
    }
    for (int i = 0; i < 2 * N; i++) p.rl[i] = p.ru[i] = 1;
    for (int k = 0; k < p.n; k++) p.cu[k] = INFINITY;
    return p;
}

/* Entries of both signs around a point that keeps all rows, in one cell of rarity(i, j), or none where that is 0; costs priced from
 * below. */
static sample priced(rng *r, int columns, int (*rarity)(int i, int j))
{
    sample p = sample_new(ROWS, columns);
    double price[ROWS];
    for (int i = 0; i < p.m; i++) price[i] = pick(r, 2) ? rng_unit(r) : 0, p.ru[i] = INFINITY;
    for (int j = 0; j < p.n; j++) {
        double x = pick(r, 2) ? rng_unit(r) : 0;
        p.cost[j] = pick(r, 10) ? rng_unit(r) : 0;
        for (int i = 0; i < p.m; i++) {
            int rare = rarity(i, j);
            if (rare == 0 || pick(r, rare)) continue;
            double v = (pick(r, 2) ? 1 : -1) * (0.1 + 9 * rng_unit(r));
            entry(&p, i, v);
            p.rl[i] += v * x;
            p.cost[j] += price[i] * v;
        }
        close_column(&p, j);
        p.cu[j] = INFINITY;
    }
    return p;
}

static int anywhere(int i, int j)
{
    (void)i, (void)j;
    return 30;
}

static sample filled(rng *r) { return priced(r, 3 * ROWS / 2, anywhere); }

/* Periods of rows; a column has entries in its own and in the next. */
static int in_two_periods(int i, int j)
{
    enum { PERIOD = 20 };
    int first = j / (2 * PERIOD) * PERIOD;
    if (i < first || i >= first + 2 * PERIOD) return 0;
    return i < first + PERIOD ? 3 : 10;
}

static sample front(rng *r) { return priced(r, 2 * ROWS, in_two_periods); }

static void the_optimum_is_that_of_the_plain_start_in_fewer_pivots(void **state)
{
    (void)state;
    sample (*const kinds[])(rng *) = {covering, assignment, filled, front};
    rng r = rng_seed(2020);
    for (int k = 0; k < 4; k++) {
        sample p = kinds[k](&r);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        vouch_lp_result near = solve_checked(lp, &options);
        long long iterations = near.iterations;
        double optimum = near.objective;
        assert_int_equal(near.outcome, VOUCH_LP_OPTIMAL);
        vouch_lp_forget_basis(lp);
        options.method = VOUCH_LP_DUAL; /* by option: from the slack basis */
        vouch_lp_result plain = solve_checked(lp, &options);
        assert_int_equal(plain.outcome, VOUCH_LP_OPTIMAL);
        assert_near(optimum, plain.objective, 1e-9 * (1 + fabs(optimum)));
        if (2 * iterations > plain.iterations)
            fail_msg("kind %d: %lld iterations from near the optimum, %lld from the slack basis", k, iterations, plain.iterations);
        vouch_lp_free(lp);
        sample_free(&p);
    }
}

static void programs_without_an_optimum_say_so(void **state)
{
    (void)state;
    rng r = rng_seed(7);
    sample p = covering(&r);
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    for (int unbounded = 0; unbounded < 2; unbounded++) {
        if (unbounded) { /* one column earns without end */
            p.cost[1] = -5;
            p.cu[1] = INFINITY;
            p.ru[0] = INFINITY;
        } else { /* no column may reach the first row */
            for (int j = 0; j < p.n; j++) {
                for (int64_t e = p.start[j]; e < p.start[j + 1]; e++) p.cu[j] = p.index[e] == 0 ? 0.25 / p.n : p.cu[j];
            }
        }
        vouch_lp *lp = sample_load(&p);
        vouch_lp_result result = solve_checked(lp, &options);
        assert_int_equal(result.outcome, unbounded ? VOUCH_LP_UNBOUNDED : VOUCH_LP_INFEASIBLE);
        vouch_lp_free(lp);
        sample_free(&p);
        if (!unbounded) p = covering(&r);
    }
}

static void a_limit_or_a_failing_allocation_on_the_way_is_reported(void **state)
{
    (void)state;
    rng r = rng_seed(80);
    sample p = covering(&r);
    vouch_lp *lp = sample_load(&p);
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.limits.iterations = 3;
    vouch_lp_result result = solve_checked(lp, &options);
    assert_int_equal(result.outcome, VOUCH_LP_LIMIT);
    options.limits.iterations = 0;
    for (long k = 0;; k += 1 + k / 10) {
        vouch_lp_forget_basis(lp);
        mem_fail_after(k);
        vouch_status status = vouch_lp_solve(lp, &options);
        mem_fail_after(-1);
        if (!status) break;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
        assert_true(k < 20000);
    }
    vouch_lp_free(lp);
    sample_free(&p);
}

/* The lightest truss of a cantilever on a grid, WIDE x HIGH: forces of bars between nodes up to reach apart in equilibrium with a
 * load on each node of its end and one on each of its middle. The dual method is long on it. */
static sample cantilever(int reach, double middle)
{
    enum { WIDE = 64, HIGH = 4, NODES = WIDE * HIGH };
    sample p = sample_new(2 * (NODES - HIGH), 4 * NODES * reach * reach);
    int j = 0;
    for (int k = 0; k < NODES * (reach + 1) * (2 * HIGH - 1); k++) {
        int from = k % NODES, dx = k / NODES % (reach + 1), dy = k / NODES / (reach + 1) - HIGH + 1;
        int x = from / HIGH, y = from % HIGH, to = from + dx * HIGH + dy, common = 1;
        for (int d = 2; d <= reach; d++) common = dx % d == 0 && dy % d == 0 ? d : common;
        if (common > 1 || (dx == 0 && dy <= 0) || x + dx >= WIDE || y + dy < 0 || y + dy >= HIGH || (x == 0 && dx == 0)) continue;
        double length = sqrt(dx * dx + dy * dy);
        for (int sign = -1; sign <= 1; sign += 2, close_column(&p, j++)) {
            int ends[] = {from - HIGH, to - HIGH};
            for (int e = 0; e < 2; e++) {
                if (ends[e] < 0) continue;
                int side = e ? -sign : sign;
                if (dx) entry(&p, 2 * ends[e], side * dx / length);
                if (dy) entry(&p, 2 * ends[e] + 1, side * dy / length);
            }
            p.cost[j] = length;
            p.cu[j] = INFINITY;
        }
    }
    p.n = j;
    for (int y = 0; y < HIGH; y++) {
        int at_end = 2 * ((WIDE - 2) * HIGH + y) + 1, at_middle = WIDE * HIGH + 2 * y + 1;
        p.rl[at_end] = p.ru[at_end] = -1;
        p.rl[at_middle] = p.ru[at_middle] = -middle;
    }
    return p;
}

static void count_starts(void *context, vouch_log_level level, const char *line)
{
    int *count = context;
    (void)level;
    *count += strstr(line, "start: a") != NULL;
}

/* One that has a point near the optimum, and one that has none. */
static void a_long_run_begins_again_near_the_optimum_or_goes_on(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        sample p = k ? cantilever(4, 0.5) : cantilever(5, 8);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_options options;
        int starts = 0;
        vouch_lp_options_init(&options);
        options.log = (vouch_log){count_starts, &starts, VOUCH_LOG_INFO};
        vouch_lp_result near = solve_checked(lp, &options);
        long long iterations = near.iterations;
        double optimum = near.objective;
        assert_int_equal(near.outcome, VOUCH_LP_OPTIMAL);
        vouch_lp_forget_basis(lp);
        options.method = VOUCH_LP_DUAL;
        vouch_lp_result plain = solve_checked(lp, &options);
        assert_near(optimum, plain.objective, 1e-9 * (1 + fabs(optimum)));
        assert_true(iterations > 6LL * p.m);
        assert_int_equal(starts, k ? 0 : 2); /* a point, a basis */
        vouch_lp_free(lp);
        sample_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_optimum_is_that_of_the_plain_start_in_fewer_pivots),
                                       cmocka_unit_test(programs_without_an_optimum_say_so),
                                       cmocka_unit_test(a_long_run_begins_again_near_the_optimum_or_goes_on),
                                       cmocka_unit_test(a_limit_or_a_failing_allocation_on_the_way_is_reported)};
    return run_tests(tests);
}
