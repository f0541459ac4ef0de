/* cli/run_summary.h - after a solve: where time and nodes went, what was tried in vain, and a hint; and the counters of --stats. */
#ifndef CLI_RUN_SUMMARY_H
#define CLI_RUN_SUMMARY_H

#include <stdbool.h>
#include <vouch/vouch.h>

/* A trace of counters and timers, if --stats or, of a solve on one thread, -v asks for one; NULL else, and where memory is out. */
enum { HAPPENED_SHARED = 2 }; /* threads, where work goes to others */
vouch_trace *summary_trace(int stats, int threads);

/* To standard error: with --stats the counters as a line of JSON; with -v what happened, in sentences. Frees the trace. */
void summary_plan(vouch_trace *trace, int stats, vouch_method method, const vouch_plan_result *result);

/* The same of plans made again; result NULL: there is none. */
void summary_ccil(vouch_trace *trace, int stats, vouch_method method, const vouch_ccil_result *result);

typedef struct solved_program {
    bool mip, limited; /* limited: it ended at a limit */
    double seconds;
} solved_program;

void summary_program(vouch_trace *trace, int stats, const solved_program *end);

#endif
