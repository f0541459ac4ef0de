/* tests/campaign/table.c - counting, reporting, and naming the case that hangs or dies. */
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "campaign/campaign.h"

enum { LINES = 96, FILES = 400, WATCH_SECONDS = 120, LOADED = 30 }; /* LOADED: slowdown of a busy machine */

static struct line {
    char name[40];
    long long count[VERDICTS];
} lines[LINES];
static int line_count;
static char last_words[200];
static char reasons[8][sizeof((campaign *)0)->reason + 64]; /* of the first wrong ones since the last table */
static size_t reason_count;

static double began; /* processor seconds when the case at hand did */
static int watched;  /* for so many WATCH_SECONDS */

static double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Dead, or at work for too long; a judge in a process of its own may be. */
static void give_up(int sign)
{
    if (sign == SIGALRM && ++watched < LOADED && processor_seconds() - began < WATCH_SECONDS) {
        alarm(WATCH_SECONDS);
        return;
    }
    (void)!write(STDERR_FILENO, last_words, strlen(last_words));
    signal(sign, SIG_DFL);
    raise(sign);
}

/* As often within the first ten looks as between the 100th and the 1000th. */
static void jump_somewhere(campaign *c)
{
    rng r = rng_seed(c->seed + (uint64_t)c->number);
    clock_jump_after(c->hurried ? (long)pow(10, 4 * rng_unit(&r)) : -1);
}

rng campaign_case(campaign *c, long long number)
{
    c->number = number;
    snprintf(last_words, sizeof last_words, "campaign: died or did not end: PART=%s SEED=%llu FIRST=%lld\n", c->part,
             (unsigned long long)c->seed, number);
    static const int signals[] = {SIGALRM, SIGSEGV, SIGABRT, SIGFPE, SIGBUS};
    struct sigaction act = {.sa_handler = give_up, .sa_flags = SA_RESTART}; /* waiting for a judge goes on */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) (void)sigaction(signals[i], &act, NULL);
    jump_somewhere(c);
    began = processor_seconds();
    watched = 0;
    alarm(WATCH_SECONDS);
    uint64_t part = 0;
    for (const char *p = c->part; *p; p++) part = part * 131 + (unsigned char)*p;
    rng mixed = rng_seed(c->seed ^ part * UINT64_C(0x9E3779B97F4A7C15));
    return rng_seed(rng_next(&mixed) + (uint64_t)number);
}

void campaign_fault(campaign *c, const char *format, ...)
{
    va_list arguments;
    if (c->reason[0]) return;
    va_start(arguments, format);
    vsnprintf(c->reason, sizeof c->reason, format, arguments);
    va_end(arguments);
}

static struct line *line_of(const char *name)
{
    int i = 0;
    while (i < line_count && strcmp(lines[i].name, name)) i++;
    if (i == LINES) abort();
    if (i == line_count) {
        snprintf(lines[i].name, sizeof lines[i].name, "%s", name);
        line_count++;
    }
    return &lines[i];
}

void campaign_count(campaign *c, verdict v, ...)
{
    va_list names;
    const char *name;
    bool wrong = c->reason[0] != '\0';
    if (wrong && reason_count < sizeof reasons / sizeof *reasons)
        snprintf(reasons[reason_count++], sizeof *reasons, "SEED=%llu FIRST=%lld%s: %s", (unsigned long long)c->seed, c->number,
                 c->hurried ? " HURRIED=1" : "", c->reason);
    va_start(names, v);
    while ((name = va_arg(names, const char *))) line_of(name)->count[wrong ? VERDICT_WRONG : v]++;
    va_end(names);
    c->runs++;
    c->wrong += wrong;
    c->reason[0] = '\0';
}

const char *campaign_file(const campaign *c, const char *ending)
{
    static char path[512];
    if (!c->directory || c->wrong >= FILES) return NULL;
    snprintf(path, sizeof path, "%s/%s-%llu-%lld-%lld%s", c->directory, c->part, (unsigned long long)c->seed, c->number, c->runs,
             ending);
    return path;
}

static int by_name(const void *a, const void *b) { return strcmp(((const struct line *)a)->name, ((const struct line *)b)->name); }

/* The fewest runs of a kind, and how many kinds there are. */
static void report_kinds(campaign *c)
{
    const char *rarest = "";
    c->kinds = c->fewest = 0;
    for (int i = 0; i < line_count; i++) {
        long long all = 0;
        if (strncmp(lines[i].name, c->kind, strlen(c->kind)) != 0) continue;
        for (int v = 0; v < VERDICTS; v++) all += lines[i].count[v];
        if (c->kinds++ == 0 || all < c->fewest) {
            c->fewest = all;
            rarest = lines[i].name;
        }
    }
    printf("%lld kinds, of each at least    %9lld (%s)\n", c->kinds, c->fewest, rarest);
}

long long campaign_report(campaign *c)
{
    alarm(0);
    clock_jump_after(-1);
    qsort(lines, (size_t)line_count, sizeof *lines, by_name);
    static const char *const usual[VERDICTS] = {"optimal", "none", "limit", "numerical", "WRONG"};
    printf("%-34s %9s", c->part, "runs");
    for (int v = 0; v < VERDICTS; v++) printf(" %9s", c->heads ? c->heads[v] : usual[v]);
    printf("\n");
    for (int i = 0; i < line_count; i++) {
        long long all = 0;
        for (int v = 0; v < VERDICTS; v++) all += lines[i].count[v];
        printf("%-34s %9lld", lines[i].name, all);
        for (int v = 0; v < VERDICTS; v++) printf(" %9lld", lines[i].count[v]);
        printf("\n");
    }
    if (c->kind) report_kinds(c);
    printf("%-34s %9lld runs, %lld wrong\n", c->part, c->runs, c->wrong);
    for (size_t i = 0; i < reason_count; i++) printf("WRONG PART=%s %s\n", c->part, reasons[i]);
    printf("\n");
    fflush(stdout);
    line_count = 0;
    reason_count = 0;
    memset(lines, 0, sizeof lines);
    return c->wrong;
}
