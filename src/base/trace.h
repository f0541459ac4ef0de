/* base/trace.h - the recording side of vouch/trace.h.
 *
 * An event is a JSON object written between trace_open and trace_close. Each kind of event is thinned separately: all are kept
 * until they fill the room of the kind, then only even keys until they fill it again, then multiples of four, and so on; so the
 * number kept grows with log n, is spread over all events and is deterministic. A trace belongs to one thread.
 */
#ifndef BASE_TRACE_H
#define BASE_TRACE_H

#include <vouch/mip.h>

#include "base/clock.h"

typedef enum trace_kind {
    TRACE_NOTE,   /* rare events: a stage, a level, the end */
    TRACE_NODE,   /* a node of a search has ended */
    TRACE_DETAIL, /* figures of a node; the key is the node */
    TRACE_COLUMN, /* a policy added by column generation, or a descent of local search */
    TRACE_MOMENT, /* bound and incumbent */
    TRACE_PIVOT,
    TRACE_BASIS,
    TRACE_CUT,
    TRACE_KINDS
} trace_kind;

/* clang-format off */
/* Kernels, counted and timed; they may be nested. */
#define TRACE_KERNELS(X) \
    X(space) X(presolve) X(induction) X(master) X(probe) X(fixing) X(pairs) X(local_search) X(descent) X(boxes) X(program) \
    X(segments) X(branching) X(factor) X(update) X(ftran) X(btran) X(price) X(ratio) X(judge) X(relaxation) X(cuts) \
    X(propagation) X(strong_branching) X(heuristics)

/* Counters: ends of nodes and sources of bounds, pivots. */
#define TRACE_TALLIES(X) \
    X(divided) X(by_bound) X(by_pairs) X(unseen) X(empty) X(solved) X(unfinished) X(staged) X(pairs_asked) X(pairs_led) \
    X(mixtures_asked) X(given_up) X(primal_pivots) X(dual_pivots) X(phase_one) X(degenerate) X(cut_rows)
/* clang-format on */

#define TRACE_ENTRY(name) TALLY_##name,
typedef enum trace_tally { TRACE_TALLIES(TRACE_ENTRY) TALLIES } trace_tally;
#undef TRACE_ENTRY
#define TRACE_ENTRY(name) KERNEL_##name,
typedef enum trace_kernel { TRACE_KERNELS(TRACE_ENTRY) KERNELS } trace_kernel;
#undef TRACE_ENTRY

typedef struct trace_thinning {
    long long seen, kept, stride; /* multiples of stride are kept; 0: no event yet */
    size_t used;                  /* bytes since the stride last doubled */
} trace_thinning;

/* Statistics of plans that begin at one time; the last entry is for all later times. */
enum { TRACE_STAGES = 8 };
typedef struct trace_stage {
    int time;
    long long plans, nodes;
    double seconds;
} trace_stage;

struct vouch_trace {
    char *text; /* [room] elements of a JSON array; NULL: no events are kept */
    size_t length, room;
    size_t begun; /* where the event being written starts */
    trace_kind kind;
    bool comma, full; /* the next value needs a comma; the event does not fit */
    bool within;      /* linear programs solved now are subproblems: counted, but not recorded */
    long long part;   /* number of the current plan, of several; 0 for the first */
    long long owner;  /* key of recorded pivots: their node; -1: numbered */
    trace_thinning thinned[TRACE_KINDS];
    long long calls[KERNELS];
    double seconds[KERNELS];
    long long tally[TALLIES];
    trace_stage stage[TRACE_STAGES];
    int stages;
};

/* True if events are recorded; if events of linear programs are. */
static inline bool trace_on(const vouch_trace *t) { return t && t->text; }
static inline bool trace_tells(const vouch_trace *t) { return trace_on(t) && !t->within; }

/* Sets `within` and returns the old value, to be restored. */
static inline bool trace_within(vouch_trace *t, bool within)
{
    bool before = t && t->within;
    if (t) t->within = within;
    return before;
}

/* Begins an event named `what`. False: it is not kept; write no fields. */
bool trace_open(vouch_trace *t, trace_kind kind, long long key, const char *what);
/* True if an event of this kind and key would be kept. */
bool trace_keeps(const vouch_trace *t, trace_kind kind, long long key);
void trace_close(vouch_trace *t);

/* Fields of an event, or with name NULL elements of the current list. Infinite and NaN values become null. */
void trace_int(vouch_trace *t, const char *name, long long value);
void trace_real(vouch_trace *t, const char *name, double value);
/* Several fields of numbers: TRACE_NUMBERS(t, {"id", id}, {"value", x}). */
typedef struct trace_number {
    const char *name;
    double value;
} trace_number;
void trace_numbers(vouch_trace *t, const trace_number field[], size_t count);
#define TRACE_NUMBERS(t, ...)                                                                                                      \
    trace_numbers((t), (const trace_number[]){__VA_ARGS__}, sizeof((trace_number[]){__VA_ARGS__}) / sizeof(trace_number))
void trace_word(vouch_trace *t, const char *name, const char *word); /* of letters, digits and blanks */
void trace_reals(vouch_trace *t, const char *name, const double value[], int count);
void trace_ints(vouch_trace *t, const char *name, const int value[], int count);
void trace_list(vouch_trace *t, const char *name);
void trace_list_end(vouch_trace *t);

/* The counter of nodes that end so. */
static inline trace_tally trace_tally_of(vouch_node_end end)
{
    static const trace_tally tally[] = {TALLY_divided, TALLY_by_bound, TALLY_empty, TALLY_solved, TALLY_unfinished};
    return tally[end];
}

static inline void trace_count(vouch_trace *t, trace_tally tally, long long count)
{
    if (t) t->tally[tally] += count;
}

long long trace_nodes(const vouch_trace *t); /* nodes ended */
/* A plan that begins at `time` ends; nodes and since: trace_nodes and trace_start before it. Times do not fall. */
void trace_planned(vouch_trace *t, int time, long long nodes, double since);

/* A kernel runs between the two. */
static inline double trace_start(const vouch_trace *t) { return t ? clock_seconds() : 0; }
static inline void trace_stop(vouch_trace *t, trace_kernel kernel, double since)
{
    if (!t) return;
    t->calls[kernel]++;
    t->seconds[kernel] += clock_seconds() - since;
}

#endif
