/* vouch/trace.h - a record of a solve: events to replay, counters and timers
 *
 * A trace is given to a solver by its options (plan.h, lp.h, mip.h). It never changes a result. A traced plan works on one thread.
 */
#ifndef VOUCH_TRACE_H
#define VOUCH_TRACE_H

#include <stddef.h>
#include <vouch/status.h>

VOUCH_C_BEGIN

typedef struct vouch_trace vouch_trace;

/* events 1: events are kept, in memory of a fixed size: where a solve has more of them than fit, they are thinned out and counted.
 * 0: counters and timers only. */
VOUCH_API vouch_status vouch_trace_new(vouch_trace **trace, int events);
VOUCH_API void vouch_trace_free(vouch_trace *trace); /* NULL is fine */

/* The events as the elements of a JSON array, without its brackets: objects whose field "e" is their kind. Owned by trace. */
VOUCH_API const char *vouch_trace_events(const vouch_trace *trace, size_t *length);
/* Into text [size]: a JSON object: "counts", how nodes ended and what pivots did, and "kernels", how often each ran and for how
 * many seconds. Returns the length of the whole, as snprintf does. */
VOUCH_API size_t vouch_trace_counters(const vouch_trace *trace, char *text, size_t size);

VOUCH_C_END
#endif
