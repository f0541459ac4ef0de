/* tests/campaign/bench.h - where small worlds and proofs about them are tried: files in a folder of their own, and vouch-check, a
 * process. */
#ifndef CAMPAIGN_BENCH_H
#define CAMPAIGN_BENCH_H

#include "campaign/campaign.h"
#include "oracle/worlds.h"

typedef struct bench {
    char folder[64], model[96], proof[96], said[96], program[256], head[96];
} bench;

typedef enum bench_answer { VERIFIED, UNREADABLE, REFUTED, DIED } bench_answer;

void bench_open(bench *b);
void bench_close(bench *b);
/* Of any shape; large: of the largest. */
void bench_draw(rng *r, world *w, bool large);
/* Makes promises means over a prior, each with probability `often`. */
void bench_draw_averages(rng *r, world *w, double often);
/* The model that is asked about from now on. */
void bench_write(bench *b, const world *w);
/* Runs vouch-check on a proof with these lines between `model` and `complete`; its output goes to the file `said`. arithmetic: an
 * option of it; NULL: none. */
bench_answer bench_check(const bench *b, const char *lines, const char *arithmetic);
/* Counts the run as wrong, with the output of vouch-check as the reason. */
void bench_fault(campaign *c, const bench *b, const char *arithmetic, const char *expected);
/* Model, proof and reason of a wrong answer, to files of the campaign. */
void bench_keep(const campaign *c, const bench *b, const char *arithmetic);

#endif
