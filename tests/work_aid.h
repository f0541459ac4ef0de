/* tests/work_aid.h - exact figures of the solvers' work.
 *
 * A broken pivot rule, bound, cut or branching order mostly still ends with the right answer, by another way: only the work shows
 * it. Each program runs a fixed list of problems and writes a table beside itself, a line NAME: OUTCOMES WORK DIGEST for each group
 * of runs. tests/data/work.expected holds one signature a program: sums of the work and a hash of the table, as in Stockfish's
 * `bench`. `make work` prints which lines of the tables changed and writes the signatures anew.
 *
 * The figures must not depend on the machine. BLAS and the mathematical library choose code by the processor and its last bits
 * differ, so the test restarts itself with the choice pinned to code that every x86-64 has, and is skipped where that fails.
 */
#ifndef WORK_AID_H
#define WORK_AID_H

#include <stdbool.h>
#include <unistd.h>
#include <vouch/status.h>
#include <vouch/trace.h>

#include "base/text.h"
#include "test.h"

#define WORK_BLAS "Prescott"                          /* OPENBLAS_CORETYPE */
#define WORK_LIBM "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4" /* GLIBC_TUNABLES */

#ifdef VOUCH_BLAS_REFERENCE
static inline const char *openblas_get_corename(void) { return vouch_blas(); }
#else
extern char *openblas_get_corename(void);
#endif

/* ---- digests: FNV-1a of numbers as text, to nine digits ---- */
typedef uint64_t digest;
#define DIGEST_NEW UINT64_C(14695981039346656037)

static inline void add(digest *d, double x)
{
    char number[32];
    int length = format_text(number, sizeof number, "%.9g,", x == 0 ? 0 : x);
    for (int i = 0; i < length; i++) *d = (*d ^ (unsigned char)number[i]) * UINT64_C(1099511628211);
}

static inline void add_bytes(digest *d, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) *d = (*d ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
}

/* x NULL: there are none, which is told from all else. */
static inline void add_all(digest *d, int n, const double x[])
{
    for (int i = 0; i < n; i++) add(d, x ? x[i] : 0.5);
}

/* A text whose numbers count to nine digits. */
static inline void add_words(digest *d, const char *at, size_t length)
{
    const char *end = at + length;
    while (at < end) {
        char *after = NULL;
        double number = ascii_digit(*at) || *at == '-' ? number_read(at, &after) : 0;
        add(d, after && after > at ? number : *at);
        at = after && after > at ? after : at + 1;
    }
}

/* The events of a trace, and how often each kernel ran. */
static inline void add_trace(digest *d, const vouch_trace *t)
{
    size_t length;
    const char *events = vouch_trace_events(t, &length);
    add_words(d, events, length);
    char counters[4000], *c = counters;
    assert_true(vouch_trace_counters(t, counters, sizeof counters) < sizeof counters);
    for (; *c; c++) {
        if (strncmp(c, "\"seconds\":", 10) == 0) (void)number_read(c + 10, &c);
        add(d, *c);
    }
}

/* The work of a group of runs. */
typedef struct work {
    long long nodes, iterations, factorizations;
    char outcomes[40]; /* the first letter of each */
    int count;
    digest all;
} work;

static inline void outcome(work *w, const char *name)
{
    if (w->count + 1 < (int)sizeof w->outcomes) w->outcomes[w->count++] = (char)(ascii_lower(*name) - 'a' + 'A');
}

/* ---- the table ---- */
#define WORK_SIGNATURES "tests/data/work.expected"

static struct {
    const char *family, *program;
    char path[300]; /* until the run ends: several may run at a time */
    FILE *file;
    work sum;
    int lines;
} work_table;

static inline void note_figures(const char *name, const char *figures)
{
    char line[300];
    int length = snprintf(line, sizeof line, "%s: %s\n", name, figures);
    assert_in_range(length, 1, sizeof line - 1);
    fputs(line, work_table.file);
    add_bytes(&work_table.sum.all, line, (size_t)length);
    work_table.lines++;
}

static inline void note(const char *name, const work *w)
{
    char figures[150];
    (void)snprintf(figures, sizeof figures, "%s %lld nodes %lld iterations %lld factorizations %016llx", w->outcomes, w->nodes,
                   w->iterations, w->factorizations, (unsigned long long)w->all);
    note_figures(name, figures);
    work_table.sum.nodes += w->nodes;
    work_table.sum.iterations += w->iterations;
    work_table.sum.factorizations += w->factorizations;
}

static inline bool work_begin(const char *program, const char *family)
{
    work_table.family = family;
    work_table.program = program;
    work_table.sum.all = DIGEST_NEW;
    (void)snprintf(work_table.path, sizeof work_table.path, "%s.work.%ld", program, (long)getpid());
    work_table.file = fopen(work_table.path, "w");
    if (!work_table.file) perror(work_table.path);
    return work_table.file != NULL;
}

static inline bool signature_expected(const char *signature)
{
    char line[300];
    bool found = false;
    FILE *file = fopen(WORK_SIGNATURES, "r");
    assert_non_null(file);
    while (!found && fgets(line, sizeof line, file)) found = strcmp(line, signature) == 0;
    fclose(file);
    return found;
}

/* The last test of the group. The table is kept as PROGRAM.work where the signature is as expected, else as PROGRAM.work.now.
 * VOUCH_WORK (make work) names a file: the signature is appended to it, not compared. */
static inline void test_signature(void **state)
{
    (void)state;
    char signature[300], kept[300];
    const work *sum = &work_table.sum;
    const char *accepted = getenv("VOUCH_WORK");
    (void)snprintf(signature, sizeof signature, "%s: %d lines %lld nodes %lld iterations %lld factorizations %016llx\n",
                   work_table.family, work_table.lines, sum->nodes, sum->iterations, sum->factorizations,
                   (unsigned long long)sum->all);
    assert_int_equal(fclose(work_table.file), 0);
    bool expected = !accepted && signature_expected(signature);
    (void)snprintf(kept, sizeof kept, expected ? "%s.work" : "%s.work.now", work_table.program);
    assert_int_equal(rename(work_table.path, kept), 0);
    if (accepted) {
        FILE *file = fopen(accepted, "a");
        assert_non_null(file);
        fputs(signature, file);
        assert_int_equal(fclose(file), 0);
    } else if (!expected) {
        fail_msg("%snot in " WORK_SIGNATURES "; make work shows the difference and accepts it", signature);
    }
}

static inline void test_skipped(void **state)
{
    (void)state;
    print_message("skipped: BLAS is %s, cannot be pinned to " WORK_BLAS "\n", openblas_get_corename());
    skip();
}

/* Starts the program again with its kernels pinned. False: they cannot be. */
static inline bool work_pinned(char *argv[])
{
    const char *now = getenv("OPENBLAS_CORETYPE"), *libm = getenv("GLIBC_TUNABLES");
    if (!now || strcmp(now, WORK_BLAS) != 0 || !libm || strcmp(libm, WORK_LIBM) != 0) {
        if (setenv("OPENBLAS_CORETYPE", WORK_BLAS, 1) || setenv("GLIBC_TUNABLES", WORK_LIBM, 1)) return false;
        (void)execv("/proc/self/exe", argv);
        return false;
    }
    return strcmp(openblas_get_corename(), WORK_BLAS) == 0;
}

/* main of a program: its runs, then their signature. */
static inline int work_main(char *argv[], const char *family, CMUnitTestFunction runs)
{
    const struct CMUnitTest skipped[] = {cmocka_unit_test(test_skipped)};
    const struct CMUnitTest tests[] = {{"test_runs", runs, NULL, NULL, NULL}, cmocka_unit_test(test_signature)};
    if (!work_pinned(argv)) return run_tests(skipped);
    return work_begin(argv[0], family) ? run_tests(tests) : 1;
}

#endif
