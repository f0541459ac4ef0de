/* check/main.c - vouch-check MODEL PROOF: exit 0 verified, 2 refuted, 1 not to be read. */
#include "check/check.h"

#include <locale.h>

#include <errno.h>

static const char usage[] =
    "usage: vouch-check [--exact | --interval] [-L N] [-T N] [-p P] [--work-limit N] MODEL.json PROOF.vproof[.gz]\n"
    "Is what the proof says of the model true? Ends with \"verified: ..\" (exit status 0) or \"refuted: line N: ..\" (2); 1: not\n"
    "to be read; 3: a limit was reached, so that nothing is said. The proof must be about the model's horizon and probability, or "
    "those of -T and -p; with -L, about this L. Either file may be packed by gzip; - is standard input.\n"
    "Regrets and probabilities are computed in rationals and bounds of cases in doubles that are rounded outwards; --exact: both\n"
    "in rationals; --interval: both in doubles, for large models. --work-limit: most work that is done, counted in products\n"
    "of two doubles, some 1e9 a second; it is the same on any machine.\n";

static int asked(const char *option, const char *value, int least)
{
    enum { MOST = 1000000 };
    char *end;
    long n = strtol(value, &end, 10);
    if (end == value || *end || n < least || n > MOST)
        unreadable("%s %s: expected a number from %d to %d", option, value, least, MOST);
    return (int)n;
}

static uint64_t asked_work(const char *value)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (end == value || *end || errno || *value == '-') unreadable("--work-limit %s: expected a number", value);
    return n;
}

int main(int argc, char **argv)
{
    const char *path[2] = {NULL, NULL}, *L = NULL, *T = NULL, *p = NULL, *limit = NULL;
    int paths = 0;
    static proof x;
    (void)setlocale(LC_ALL, "C"); /* as it is, unless a library that was loaded has set the user's */
    for (int i = 1; i < argc; i++) {
        const char *at = argv[i], **value = strcmp(at, "-L") == 0             ? &L
                                            : strcmp(at, "-T") == 0           ? &T
                                            : strcmp(at, "-p") == 0           ? &p
                                            : strcmp(at, "--work-limit") == 0 ? &limit
                                                                              : NULL;
        if (strcmp(at, "--help") == 0) return fputs(usage, stdout) < 0;
        if (strcmp(at, "--exact") == 0 || strcmp(at, "--interval") == 0)
            in_rationals = at[2] == 'e' ? VALUES | BOUNDS : 0;
        else if (value && i + 1 < argc)
            *value = argv[++i];
        else if (value || (at[0] == '-' && at[1]) || paths >= 2)
            paths = 3;
        else
            path[paths++] = at;
    }
    if (paths != 2) unreadable("expected MODEL.json PROOF.vproof; vouch-check --help lists the options");
    if (limit) most_work = asked_work(limit);
    char *bytes = file_bytes(path[0], &model_length);
    model_hash = hash_of(bytes, model_length);
    model_read(&x.m, bytes, model_length, T ? asked("-T", T, 1) : 0);
    free(bytes);
    if (L) asked_L = asked("-L", L, 0);
    if (p && (x.m.J > 1 || !read_number(p, x.m.p[0]) || mpq_sgn(x.m.p[0]) < 0)) unreadable("-p %s", p);
    for (int r = 1; r < x.m.P && p; r++) mpq_set(x.m.p[r], x.m.p[0]);
    x.m.one_p = x.m.one_p || p;
    if (proof_read(&x, path[1])) groups_read(&x);
    place_clear();
    if (fflush(stdout) != 0 || ferror(stdout)) unreadable("standard output: cannot write");
    exit(0); /* what main holds is given back by ending */
}
