/* campaign [-n N] [-s SEED] [-f FIRST] [-d DIRECTORY] [-j] [plans|rare|stochastic|questions|mips|constructs|lps|proofs ..]: N
 * plans, N / 4 of stochastic policies, N / 2 questions, N / 4 mixed-integer programs, N / 4 with sets and indicators, N / 2 linear
 * programs, N proofs. -j: the clock jumps beyond every limit somewhere in each case. Exit status 1: something was wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/campaign.h"

static const struct part {
    const char *name;
    void (*run)(campaign *c);
    int share; /* cases: N / share */
} parts[] = {{"plans", campaign_plans, 1},
             {"rare", campaign_rare, 4},
             {"stochastic", campaign_stochastic, 4},
             {"questions", campaign_questions, 2},
             {"mips", campaign_mips, 4},
             {"constructs", campaign_constructs, 4},
             {"lps", campaign_lps, 2},
             {"proofs", campaign_proofs, 1}};

static bool asked(const char *name, int count, char *const names[])
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return count == 0;
}

int main(int argc, char *argv[])
{
    campaign base = {.seed = 1};
    long long n = 1000, wrong = 0;
    int option;
    while ((option = getopt(argc, argv, "n:s:f:d:j")) != -1) {
        if (option == 'n')
            n = atoll(optarg);
        else if (option == 's')
            base.seed = strtoull(optarg, NULL, 10);
        else if (option == 'f')
            base.first = atoll(optarg);
        else if (option == 'd')
            base.directory = optarg;
        else if (option == 'j')
            base.hurried = true;
        else
            return 2;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!asked(parts[i].name, argc - optind, argv + optind)) continue;
        campaign c = base;
        c.part = parts[i].name;
        c.count = n / parts[i].share > 0 ? n / parts[i].share : 1;
        parts[i].run(&c);
        wrong += campaign_report(&c);
    }
    return wrong > 0;
}
