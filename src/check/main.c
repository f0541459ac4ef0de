/* check/main.c - vouch-check MODEL PROOF: exit 0 verified, 2 refuted, 1 unreadable, 3 a limit. */
#include "check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>

static const char usage[] =
    "usage: vouch-check [--exact | --interval] [-L N] [-T N] [-p P] [--work-limit N] MODEL.json PROOF.vproof[.gz]\n"
    "Checks the claims of a proof about a model. Prints \"verified: ..\" (exit status 0) or \"refuted: line N: ..\" (2); exit\n"
    "status 1: unreadable input; 3: a limit was reached, no verdict. The proof must be about the model's horizon and probability,\n"
    "or about -T and -p; with -L, about this L. Files may be packed by gzip; - is standard input. Regrets and probabilities are\n"
    "computed in rationals and bounds of cases in doubles rounded outwards; --exact: both in rationals; --interval: both in\n"
    "doubles, for large models. --work-limit: most work, in products of two doubles, about 1e9 a second; the same on any "
    "machine.\n";

static uint64_t asked(judge *ctx, const char *option, const char *value, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (end == value || *end || errno || *value == '-' || n < least || n > most)
        unreadable(ctx, "%s %s: expected a number from %" PRIu64 " to %" PRIu64, option, value, least, most);
    return n;
}

/* Reads and judges; ends by `stop` unless the proof is verified. */
static void check(judge *ctx, int argc, char **argv)
{
    static const char *const option[] = {"-L", "-T", "-p", "--work-limit"};
    enum { L, T, P, WORK, OPTIONS, MOST = 1000000 };
    const char *path[2] = {NULL, NULL}, *value[OPTIONS] = {NULL};
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        int o = 0;
        while (o < OPTIONS && strcmp(argv[i], option[o]) != 0) o++;
        if (strcmp(argv[i], "--exact") == 0 || strcmp(argv[i], "--interval") == 0)
            ctx->rationals = argv[i][2] == 'e' ? VALUES | BOUNDS : 0;
        else if (o < OPTIONS && i + 1 < argc)
            value[o] = argv[++i];
        else if (o < OPTIONS || (argv[i][0] == '-' && argv[i][1]) || paths >= 2)
            paths = 3;
        else
            path[paths++] = argv[i];
    }
    if (paths != 2) unreadable(ctx, "expected MODEL.json PROOF.vproof; vouch-check --help lists the options");
    if (value[WORK]) ctx->most_work = asked(ctx, "--work-limit", value[WORK], 0, UINT64_MAX);
    proof x = {.asked_L = value[L] ? (int)asked(ctx, "-L", value[L], 0, MOST) : -1};
    char *bytes = file_bytes(ctx, path[0], &x.length);
    x.hash = hash_of(bytes, x.length);
    model_read(ctx, &x.m, bytes, x.length, value[T] ? (int)asked(ctx, "-T", value[T], 1, MOST) : 0);
    drop(ctx, bytes);
    const char *p = value[P];
    if (p && (x.m.J > 1 || !read_number(p, x.m.p[0]) || mpq_sgn(x.m.p[0]) < 0)) unreadable(ctx, "-p %s", p);
    for (int r = 1; r < x.m.P && p; r++) mpq_set(x.m.p[r], x.m.p[0]);
    proof_open(&x);
    if (!proof_read(&x, path[1])) groups_read(&x);
}

int main(int argc, char **argv)
{
    judge ctx;
    (void)setlocale(LC_ALL, "C"); /* as it is, unless a library that was loaded has set the user's */
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) return fputs(usage, stdout) < 0;
    judge_begin(&ctx);
    if (setjmp(ctx.escape) == 0) check(&ctx, argc, argv);
    judge_end(&ctx);
    if (fflush(stdout) == 0 && !ferror(stdout)) return ctx.status;
    if (ctx.status == 0) fputs("vouch-check: standard output: cannot write\n", stderr);
    return ctx.status == 0 || ctx.status == REFUTED ? UNREADABLE : ctx.status;
}
