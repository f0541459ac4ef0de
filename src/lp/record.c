/* lp/record.c - see simplex.h. */
#include "lp/simplex.h"

/* Most columns of a program whose points are recorded; most rows for the positions of factor entries, and for their values. */
enum { DRAWN_COLUMNS = 3, PATTERN_ROWS = 48, VALUE_ROWS = 8 };
/* In larger programs the first pivots are recorded, then one in LARGE_STRIDE, as summing infeasibilities costs part of a pivot. */
enum { FIRST_PIVOTS = 64, LARGE_STRIDE = 4 };

/* Pivots of a node of a search are recorded together or not at all. */
static long long key_of(const vouch_trace *t, long long number) { return t->owner >= 0 ? t->owner : number; }

static bool passed_over(const vouch_trace *t, const simplex *s)
{
    long long number = s->iterations - 1; /* the numbers of the trace, so that both omit the same ones */
    return t->owner < 0 && s->m > PATTERN_ROWS && number >= FIRST_PIVOTS && number % LARGE_STRIDE != 0;
}

static double value_of(const simplex *s, int v) { return s->scale[v] * (s->where[v] >= 0 ? s->xb[s->where[v]] : s->value[v]); }

static void add_point(vouch_trace *t, const simplex *s)
{
    if (s->n > DRAWN_COLUMNS) return;
    trace_list(t, "x");
    for (int j = 0; j < s->n; j++) trace_real(t, NULL, value_of(s, s->m + j));
    trace_list_end(t);
}

static void add_state(vouch_trace *t, const simplex *s)
{
    int primal_off, dual_off;
    double primal = simplex_primal_infeasibility(s, &primal_off), dual = simplex_dual_infeasibility(s, &dual_off);
    trace_int(t, "i", s->iterations);
    trace_real(t, "obj", simplex_objective(s));
    trace_real(t, "poff", primal);
    trace_int(t, "prows", primal_off);
    trace_real(t, "doff", dual);
    trace_int(t, "dcols", dual_off);
    add_point(t, s);
}

void record_run(const simplex *s, const char *method, int phase)
{
    vouch_trace *t = s->trace;
    if (!trace_tells(t) || !trace_keeps(t, TRACE_PIVOT, key_of(t, 0)) || !trace_open(t, TRACE_NOTE, 0, "start")) return;
    trace_word(t, "method", method);
    trace_int(t, "m", s->m);
    trace_int(t, "phase", phase);
    add_state(t, s);
    trace_close(t);
}

static void add_lists(vouch_trace *t, const char *name, const lu_lists *columns, int m)
{
    trace_list(t, name);
    for (int p = 0; p < m; p++)
        for (int e = columns->begin[p]; e < columns->begin[p] + columns->length[p]; e++) {
            trace_int(t, NULL, columns->index[e]);
            trace_int(t, NULL, p);
            if (m <= VALUE_ROWS) trace_real(t, NULL, columns->value[e]);
        }
    trace_list_end(t);
}

static int entries(const lu_lists *columns, int m)
{
    int sum = 0;
    for (int p = 0; p < m; p++) sum += columns->length[p];
    return sum;
}

static void record_factors(const simplex *s)
{
    vouch_trace *t = s->trace;
    if (!trace_tells(t) || t->owner > 0 || !trace_open(t, TRACE_BASIS, s->iterations, "basis")) return;
    lu_shape f = basis_shape(s->factors);
    trace_int(t, "i", s->iterations);
    trace_int(t, "updates", basis_updates(s->factors));
    long long own = 0;
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        own += v < s->m ? 1 : s->a.start[v - s->m + 1] - s->a.start[v - s->m];
    }
    trace_int(t, "B", own);
    if (f.l) {
        int apart = f.tail_rows * (f.tail_rows - 1) / 2;
        trace_int(t, "nl", entries(f.l, s->m) + apart);
        trace_int(t, "nu", entries(f.u, s->m) + apart + s->m);
        trace_int(t, "nr", f.r_entries);
    }
    if (s->m <= PATTERN_ROWS) trace_ints(t, "head", s->head, s->m);
    if (s->m <= PATTERN_ROWS && f.l) {
        trace_list(t, "order");
        for (int i = 0; i < f.u_count; i++)
            if (f.u_order[i] >= 0) trace_int(t, NULL, f.u_order[i]);
        trace_list_end(t);
        add_lists(t, "L", f.l, s->m);
        add_lists(t, "U", f.u, s->m);
        if (s->m <= VALUE_ROWS) trace_reals(t, "diagonal", f.pivot, s->m);
    }
    trace_close(t);
}

void record_pivot(const simplex *s, const pivot_record *r)
{
    vouch_trace *t = s->trace;
    trace_count(t, r->method[0] == 'p' ? TALLY_primal_pivots : TALLY_dual_pivots, 1);
    trace_count(t, TALLY_phase_one, r->phase == 1);
    trace_count(t, TALLY_degenerate, r->ratio == 0);
    if (!trace_tells(t) || passed_over(t, s) || !trace_open(t, TRACE_PIVOT, key_of(t, s->iterations - 1), "pivot")) return;
    trace_word(t, "method", r->method);
    trace_int(t, "phase", r->phase);
    trace_int(t, "in", r->in);
    trace_int(t, "out", r->out);
    trace_real(t, "pivot", r->pivot);
    trace_real(t, "step", r->step);
    trace_real(t, "ratio", r->ratio);
    add_state(t, s);
    trace_close(t);
    if (s->m <= PATTERN_ROWS && s->factored && r->in != r->out) record_factors(s);
}
