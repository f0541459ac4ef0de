/* check/main.c - vouch-check MODEL PROOF: exit 0 verified, 2 refuted, 1 not to be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/proof.h"

static const char usage[] =
    "usage: vouch-check [-L N] [-T N] [-p P] MODEL.json PROOF.vproof[.gz]\n"
    "Is what the proof says of the model true? Ends with \"verified: ..\" (exit status 0) or \"refuted: line N: ..\" (2); 1: not "
    "to be\n"
    "read. The proof must be about the model's horizon and probability, or those of -T and -p; with -L, about this L.\n";

/* Fowler, Noll, Vo: 64 bits. It only tells a changed model early; nothing that is verified rests on it. */
static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return h;
}

int main(int argc, char **argv)
{
    const char *path[2] = {NULL, NULL}, *L = NULL, *T = NULL, *p = NULL;
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "-L") == 0   ? &L
                             : strcmp(argv[i], "-T") == 0 ? &T
                             : strcmp(argv[i], "-p") == 0 ? &p
                                                          : NULL;
        if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (value && i + 1 < argc)
            *value = argv[++i];
        else if (value || argv[i][0] == '-' || paths == 2)
            paths = 3;
        else
            path[paths++] = argv[i];
    }
    if (paths != 2) {
        fputs(usage, stderr);
        return 1;
    }
    check_asked asked = {.L = -1};
    static check_model m;
    char *bytes = file_bytes(path[0], &asked.length), *end = NULL;
    asked.hash = hash_of(bytes, asked.length);
    check_model_read(&m, bytes, asked.length);
    free(bytes);
    if (L) asked.L = (int)strtol(L, &end, 10);
    if (L && (*end || end == L)) unreadable("-L %s", L);
    if (T) m.T = (int)strtol(T, &end, 10);
    if (T && (*end || end == T || m.T < 1 || m.T > 1000000)) unreadable("-T %s", T);
    if (p && (!read_number(p, m.p) || mpq_sgn(m.p) < 0)) unreadable("-p %s", p);
    check_proof_read(&m, &asked, path[1]);
    return 0;
}
