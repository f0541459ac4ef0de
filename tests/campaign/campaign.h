/* tests/campaign/campaign.h - differential runs: random problems against judges that share no code with the program.
 *
 * Every case depends on (part, seed, number) alone and can be repeated. An answer counts as proved, limit (a limit of work was
 * reached), numerical, or WRONG: then the problem and the command line that reproduces it are written to files.
 */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

#include <vouch/status.h>

#include "base/rng.h"

typedef enum verdict { VERDICT_OPTIMAL, VERDICT_NONE, VERDICT_LIMIT, VERDICT_NUMERICAL, VERDICT_WRONG, VERDICTS } verdict;

typedef struct campaign {
    uint64_t seed;
    long long first, count; /* cases: first .. first + count - 1 */
    bool hurried;           /* at some look at the clock within a case every time limit passes */
    const char *directory;  /* for files of wrong answers; NULL: none are written */
    const char *part;
    const char *const *heads; /* [VERDICTS] of the table; NULL: the usual ones */
    long long number;         /* of the case at hand */
    char reason[512];         /* why the run at hand is wrong; "": it is not */
    long long runs, wrong;
    const char *kind;        /* how lines of the table begin that should come about as often; NULL: none */
    long long kinds, fewest; /* set by campaign_report: how many such lines there are, and the fewest runs of one */
} campaign;

/* Each runs its cases and counts them in the table. plans: until `count` plans were made. */
void campaign_plans(campaign *c);
void campaign_rare(campaign *c);       /* plans of models with rare failures only */
void campaign_stochastic(campaign *c); /* bounds of exact-ccl beside stochastic policies; until `count` plans were made */
void campaign_mips(campaign *c);
void campaign_constructs(campaign *c); /* programs with sets, indicators, semicontinuous columns, read from text */
void campaign_lps(campaign *c);
void campaign_questions(campaign *c); /* promises on average, unseen rewards, several policies */
void campaign_proofs(campaign *c);    /* until `count` proofs were judged */

/* Starts case `number`: its random numbers; and if it dies, or does not come back within minutes of processor time, says which it
 * was. */
rng campaign_case(campaign *c, long long number);
/* Marks the run at hand as wrong; the first reason stays. */
void campaign_fault(campaign *c, const char *format, ...) VOUCH_PRINTF(2, 3);
/* Counts the run under each name up to a NULL, WRONG if there was a fault, and goes on to the next. */
void campaign_count(campaign *c, verdict v, ...);
/* Path PART-NUMBER-RUN.ending in the directory; NULL if no more files are to be written. */
const char *campaign_file(const campaign *c, const char *ending);
/* Prints the table of all cases since the last call and the reasons of the first wrong ones; returns the number of wrong ones. */
long long campaign_report(campaign *c);

static inline int draw(rng *r, int n) { return (int)rng_below(r, (uint64_t)n); }
static inline bool chance(rng *r, double p) { return rng_unit(r) < p; }

#endif
