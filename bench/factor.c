/* factor.c - where is the dense inverse faster than sparse factors? Random sparse programs of m rows, 2 m columns and a few entries
 * a column, each solved from scratch and then again and again after a change of one bound, as nodes of a search are; processor
 * microseconds a solve with each way of factorising, the least of five measurements. DENSE_ROWS in src/lp/basis.c is the last m
 * with a ratio below 1 for columns of 4 entries.
 *
 * usage: factor [entries of a column, default 4]        cc -O2 -Iinclude bench/factor.c build/libvouch.a $(make -s ask-LDLIBS)
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vouch/lp.h>

#define MEASUREMENTS 5
#define WARM_SOLVES  40

static unsigned long long state = 88172645463325252ULL;

static double unit(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static vouch_lp *program(int m, int per_column)
{
    int n = 2 * m, entries = 0;
    int64_t *start = calloc((size_t)n + 1, sizeof *start);
    int *index = malloc((size_t)(n * per_column) * sizeof *index);
    double *value = malloc((size_t)(n * per_column) * sizeof *value), *cost = malloc((size_t)n * sizeof *cost);
    double *upper = malloc((size_t)n * sizeof *upper), *row_lower = malloc((size_t)m * sizeof *row_lower);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < per_column; k++) {
            int i = (int)(unit() * m), seen = 0;
            for (int e = (int)start[j]; e < entries; e++) seen |= index[e] == i;
            if (seen) continue;
            index[entries] = i;
            value[entries++] = 1 + (int)(9 * unit());
        }
        start[j + 1] = entries;
        cost[j] = 1 + 9 * unit();
        upper[j] = 1 + (int)(5 * unit());
    }
    for (int i = 0; i < m; i++) row_lower[i] = 0;
    for (int j = 0; j < n; j++) {
        for (int64_t e = start[j]; e < start[j + 1]; e++) row_lower[index[e]] += 0.4 * value[e] * upper[j];
    }
    vouch_lp *lp;
    vouch_lp_data data = {.rows = m,
                          .cols = n,
                          .start = start,
                          .index = index,
                          .value = value,
                          .cost = cost,
                          .col_upper = upper,
                          .row_lower = row_lower};
    if (vouch_lp_new(&lp) || vouch_lp_load(lp, &data, NULL)) exit(1);
    free(start), free(index), free(value), free(cost), free(upper), free(row_lower);
    return lp;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double solve(vouch_lp *lp, vouch_lp_factor factor)
{
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.factor = factor;
    options.presolve = 0;
    double begin = seconds();
    if (vouch_lp_solve(lp, &options)) exit(1);
    return seconds() - begin;
}

/* Seconds of one solve from scratch, and of one after a change, means over `problems` programs. */
static void measure(int m, int per_column, int problems, vouch_lp_factor factor, double *cold, double *warm)
{
    *cold = *warm = 0;
    state = 1000ULL + (unsigned long long)m;
    for (int k = 0; k < problems; k++) {
        vouch_lp *lp = program(m, per_column);
        *cold += solve(lp, factor) / problems;
        for (int t = 0; t < WARM_SOLVES; t++) {
            int j = (int)(unit() * 2 * m);
            vouch_lp_set_col_bounds(lp, j, 0, t % 2 ? 3 : 1);
            *warm += solve(lp, factor) / problems / WARM_SOLVES;
        }
        vouch_lp_free(lp);
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {5, 10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200, 300};
    int per_column = argc > 1 ? atoi(argv[1]) : 4;
    printf("%5s %12s %12s %6s %12s %12s %6s\n", "rows", "cold dense", "sparse", "ratio", "warm dense", "sparse", "ratio");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int m = sizes[k], problems = m < 50 ? 40 : m < 150 ? 10 : 3;
        double best[2][2] = {{1e9, 1e9}, {1e9, 1e9}};
        for (int t = 0; t < MEASUREMENTS; t++) {
            for (int way = 0; way < 2; way++) {
                double cold, warm;
                measure(m, per_column, problems, way ? VOUCH_FACTOR_SPARSE : VOUCH_FACTOR_DENSE, &cold, &warm);
                if (cold < best[way][0]) best[way][0] = cold;
                if (warm < best[way][1]) best[way][1] = warm;
            }
        }
        printf("%5d %12.1f %12.1f %6.2f %12.1f %12.1f %6.2f\n", m, 1e6 * best[0][0], 1e6 * best[1][0], best[0][0] / best[1][0],
               1e6 * best[0][1], 1e6 * best[1][1], best[0][1] / best[1][1]);
        fflush(stdout);
    }
    return 0;
}
