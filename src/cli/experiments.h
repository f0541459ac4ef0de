/* cli/experiments.h - the paper's experiments, each printed as a table, counted against its references, and drawn on a page. */
#ifndef CLI_EXPERIMENTS_H
#define CLI_EXPERIMENTS_H

#include <stdbool.h>
#include <vouch/vouch.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/page.h"

typedef struct session {
    const cli_common *common;
    vouch_engine engine;
    long long episodes; /* of simulations, in each environment */
    deadline limit;
    page *page;                  /* NULL: none */
    int cells, agreeing, proved; /* cells with a reference; proved: every optimum was */
    int checks, holding;
    int wrong;          /* exit status of a failed call */
    bool first;         /* JSON: no comma yet */
    double least_spare; /* least Pr(S_T in Phi | k) - p of all policies computed */
    long long policies;
} session;

void experiment_short_horizon(session *s); /* Twin-States, T = 2, L = 0..2 */
void experiment_twin_states(session *s);
void experiment_t_maze(session *s);
void experiment_lookahead(session *s);
void experiment_checks(session *s); /* what the paper observes and proves, in numbers */

#endif
