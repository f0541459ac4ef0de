/* base/trace.c - see trace.h. All memory is allocated at the start, since solvers must not allocate in inner loops. */
#include "base/trace.h"

#include <math.h>

#include "base/memory.h"
#include "base/text.h"

/* Bytes for all events (a page below 5 MB), for nodes, which are not thinned since each has a parent, and for each kind before it
 * is thinned (0: never). */
static const size_t ROOM = 4400000, ROOM_OF_NODES = 2600000,
                    ROOM_OF[TRACE_KINDS] = {[TRACE_DETAIL] = 120000, [TRACE_COLUMN] = 30000, [TRACE_MOMENT] = 50000,
                                            [TRACE_PIVOT] = 150000,  [TRACE_BASIS] = 150000, [TRACE_CUT] = 100000};
static const double WHOLE = 1e9;      /* smaller integers are written exactly */
static const size_t RESERVE = 200000; /* bytes for rare events */

vouch_status vouch_trace_new(vouch_trace **trace, int events)
{
    if (!trace) return VOUCH_ERROR_ARGUMENT;
    vouch_trace *t = *trace = MEM_ZERO(vouch_trace, 1);
    if (!t) return VOUCH_ERROR_MEMORY;
    t->owner = -1;
    if (!events) return VOUCH_OK;
    t->room = ROOM;
    t->text = MEM_NEW(char, ROOM);
    if (t->text) {
        t->text[0] = '\0';
        return VOUCH_OK;
    }
    vouch_trace_free(t);
    *trace = NULL;
    return VOUCH_ERROR_MEMORY;
}

void vouch_trace_free(vouch_trace *trace)
{
    if (!trace) return;
    mem_free(trace->text);
    mem_free(trace);
}

static void put(vouch_trace *t, const char *format, ...) VOUCH_PRINTF(2, 3);
static void put(vouch_trace *t, const char *format, ...)
{
    if (t->full) return;
    size_t left = t->room - t->length;
    va_list args;
    va_start(args, format);
    int written = format_list(t->text + t->length, left, format, args);
    va_end(args);
    t->full = written < 0 || (size_t)written >= left;
    if (!t->full) t->length += (size_t)written;
}

/* The fast path without format. */
static void put_bytes(vouch_trace *t, const char *bytes, size_t count)
{
    if (t->full) return;
    t->full = t->length + count >= t->room;
    if (t->full) return;
    MEM_COPY(t->text + t->length, bytes, count);
    t->length += count;
}

static void put_whole(vouch_trace *t, long long value)
{
    char digits[24], *at = digits + sizeof digits;
    unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    do *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) *--at = '-';
    put_bytes(t, at, (size_t)(digits + sizeof digits - at));
}

static void start_value(vouch_trace *t, const char *name)
{
    if (t->comma) put_bytes(t, ",", 1);
    t->comma = true;
    if (!name) return;
    put_bytes(t, "\"", 1);
    put_bytes(t, name, strlen(name));
    put_bytes(t, "\":", 2);
}

bool trace_keeps(const vouch_trace *t, trace_kind kind, long long key)
{
    if (!trace_on(t) || (kind != TRACE_NOTE && t->room - t->length < RESERVE)) return false;
    if (kind == TRACE_NODE && t->thinned[kind].used > ROOM_OF_NODES) return false;
    return t->thinned[kind].stride == 0 || key % t->thinned[kind].stride == 0;
}

bool trace_open(vouch_trace *t, trace_kind kind, long long key, const char *what)
{
    if (!trace_on(t)) return false;
    t->thinned[kind].seen++;
    if (!trace_keeps(t, kind, key)) return false;
    if (t->thinned[kind].stride == 0) t->thinned[kind].stride = 1;
    t->begun = t->length;
    t->kind = kind;
    t->full = false;
    put(t, "%s{\"e\":\"%s\"", t->length ? ",\n" : "", what);
    t->comma = true;
    return true;
}

void trace_close(vouch_trace *t)
{
    put(t, "}");
    if (t->full) t->length = t->begun;
    t->text[t->length] = '\0';
    trace_thinning *thin = &t->thinned[t->kind];
    thin->kept += !t->full;
    thin->used += t->length - t->begun;
    if (ROOM_OF[t->kind] == 0 || thin->used < ROOM_OF[t->kind]) return;
    thin->used = 0;
    thin->stride *= 2;
}

void trace_int(vouch_trace *t, const char *name, long long value)
{
    start_value(t, name);
    put_whole(t, value);
}

void trace_real(vouch_trace *t, const char *name, double value)
{
    start_value(t, name);
    if (!isfinite(value))
        put_bytes(t, "null", 4);
    else if (fabs(value) < WHOLE && value == (double)(long long)value)
        put_whole(t, (long long)value);
    else
        put(t, "%.9g", value);
}

void trace_numbers(vouch_trace *t, const trace_number field[], size_t count)
{
    for (size_t i = 0; i < count; i++) trace_real(t, field[i].name, field[i].value);
}

void trace_word(vouch_trace *t, const char *name, const char *word)
{
    start_value(t, name);
    put(t, "\"%s\"", word);
}

void trace_list(vouch_trace *t, const char *name)
{
    start_value(t, name);
    put_bytes(t, "[", 1);
    t->comma = false;
}

void trace_list_end(vouch_trace *t)
{
    put_bytes(t, "]", 1);
    t->comma = true;
}

void trace_reals(vouch_trace *t, const char *name, const double value[], int count)
{
    trace_list(t, name);
    for (int i = 0; i < count; i++) trace_real(t, NULL, value[i]);
    trace_list_end(t);
}

void trace_ints(vouch_trace *t, const char *name, const int value[], int count)
{
    trace_list(t, name);
    for (int i = 0; i < count; i++) trace_int(t, NULL, value[i]);
    trace_list_end(t);
}

const char *vouch_trace_events(const vouch_trace *trace, size_t *length)
{
    if (length) *length = trace ? trace->length : 0;
    return trace_on(trace) ? trace->text : "";
}

/* Writes at `length` of text [size] if there is room; returns the length needed. */
static size_t append(char *text, size_t size, size_t length, const char *format, ...) VOUCH_PRINTF(4, 5);
static size_t append(char *text, size_t size, size_t length, const char *format, ...)
{
    bool room = length < size;
    va_list args;
    va_start(args, format);
    int written = format_list(room ? text + length : NULL, room ? size - length : 0, format, args);
    va_end(args);
    return written > 0 ? (size_t)written : 0;
}

long long trace_nodes(const vouch_trace *t)
{
    static const trace_tally ends[] = {TALLY_divided, TALLY_by_bound, TALLY_by_pairs,  TALLY_unseen,
                                       TALLY_empty,   TALLY_solved,   TALLY_unfinished};
    long long sum = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && t; i++) sum += t->tally[ends[i]];
    return sum;
}

void trace_planned(vouch_trace *t, int time, long long nodes, double since)
{
    if (!t) return;
    int i = 0;
    while (i < t->stages && t->stage[i].time != time) i++;
    if (i >= TRACE_STAGES) i = TRACE_STAGES - 1;
    if (i == t->stages) t->stage[t->stages++].time = time;
    t->stage[i].plans++;
    t->stage[i].nodes += trace_nodes(t) - nodes;
    t->stage[i].seconds += clock_seconds() - since;
}

size_t vouch_trace_counters(const vouch_trace *trace, char *text, size_t size)
{
    if (!trace || (size && !text)) return 0;
#define TRACE_NAME(name) #name,
    static const char *const names[KERNELS] = {TRACE_KERNELS(TRACE_NAME)};
    static const char *const tallies[TALLIES] = {TRACE_TALLIES(TRACE_NAME)};
#undef TRACE_NAME
    size_t length = append(text, size, 0, "{\"counts\":{");
    const char *comma = "";
    for (int k = 0; trace && k < TALLIES; k++) {
        if (trace->tally[k] == 0) continue;
        length += append(text, size, length, "%s\"%s\":%lld", comma, tallies[k], trace->tally[k]);
        comma = ",";
    }
    length += append(text, size, length, "},\"kernels\":{");
    comma = "";
    for (int k = 0; trace && k < KERNELS; k++) {
        if (trace->calls[k] == 0) continue;
        length += append(text, size, length, "%s\"%s\":{\"calls\":%lld,\"seconds\":%.6f}", comma, names[k], trace->calls[k],
                         trace->seconds[k]);
        comma = ",";
    }
    return length + append(text, size, length, "}}");
}
