/* tests/work_aid.h - exact figures of the solvers' work: a table of lines NAME: OUTCOMES, WORK, DIGEST.
 *
 * A pivot rule, bound, cut, order of branching or heuristic that is broken mostly still ends with the truth, by another way; only
 * here does it show. In the spirit of the signature of Stockfish's `bench`: tests/data/work_*.expected hold a line for each item; a
 * change that means to leave the work alone leaves them alone, one that changes it writes them anew (make work) and says in its
 * commit what became less or more.
 *
 * The figures must not depend on the machine. BLAS and the mathematical library choose code by the processor and its last bits
 * differ, so the test starts itself again with the choice pinned to what every x86-64 has, and skips itself where that cannot be
 * had.
 */
#ifndef WORK_AID_H
#define WORK_AID_H

#include <stdbool.h>
#include <unistd.h>
#include <vouch/status.h>
#include <vouch/trace.h>

#include "base/locale.h"
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

/* What a group of runs did. */
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
enum { WORK_TABLE = 1 << 16 };
static char work_expected[WORK_TABLE]; /* "" while it is written */
static FILE *work_written;
static int work_lines, work_differences;

static inline void note_figures(const char *name, const char *figures)
{
    char line[200];
    int length = snprintf(line, sizeof line, "%s: ", name);
    (void)snprintf(line + length, sizeof line - (size_t)length, "%s", figures);
    work_lines++;
    if (work_written) {
        fprintf(work_written, "%s\n", line);
        return;
    }
    const char *at = work_expected;
    while (at && strncmp(at, line, (size_t)length) != 0) at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    size_t end = at ? strcspn(at, "\n") : 0;
    if (end == strlen(line) && strncmp(at, line, end) == 0) return;
    printf("- %.*s\n+ %s\n", (int)end, at ? at : "", line);
    work_differences++;
}

static inline void note(const char *name, const work *w)
{
    char figures[150];
    (void)snprintf(figures, sizeof figures, "%s %lld nodes %lld iterations %lld factorizations %016llx", w->outcomes, w->nodes,
                   w->iterations, w->factorizations, (unsigned long long)w->all);
    note_figures(name, figures);
}

static inline int work_begin(const char *table)
{
    FILE *file = fopen(table, getenv("VOUCH_WORK") ? "w" : "r");
    if (!file) return perror(table), -1;
    if (getenv("VOUCH_WORK")) return work_written = file, 0;
    size_t length = fread(work_expected, 1, WORK_TABLE - 1, file);
    fclose(file);
    return length > 0 && length < WORK_TABLE - 1 ? 0 : -1;
}

/* The last test of the group. */
static inline void test_work_is_as_written_down(void **state)
{
    (void)state;
    if (work_written) {
        assert_int_equal(fclose(work_written), 0);
        return;
    }
    int there = 0;
    for (const char *c = work_expected; *c; c++) there += *c == '\n';
    if (work_differences) fail_msg("%d lines differ from the table; if that is meant: make work", work_differences);
    if (there != work_lines) fail_msg("the table has %d lines, %d were made", there, work_lines);
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

/* main: the one test of a table. */
static inline int work_main(char *argv[], const char *table, CMUnitTestFunction runs)
{
    const struct CMUnitTest skipped[] = {cmocka_unit_test(test_skipped)};
    const struct CMUnitTest tests[] = {{"test_runs", runs, NULL, NULL, NULL}, cmocka_unit_test(test_work_is_as_written_down)};
    if (!work_pinned(argv)) return run_tests(skipped);
    return work_begin(table) ? 1 : run_tests(tests);
}

#endif
