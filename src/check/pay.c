/* check/pay.c - expected rewards as bounds count them: without rewards that no policy collects, and raised to a floor (FORMAT.md,
 * "floor"). O(outcomes). */
#include "check/check.h"

/* Marks the states that environment k can be in before the horizon. queue, when: [S] */
static void mark_reached(const model *m, int k, int queue[], int when[])
{
    int head = 0, tail = 0;
    for (int s = 0; s < m->S; s++) when[s] = -1;
    when[queue[tail++] = m->s0] = 0;
    while (head < tail && when[queue[head]] + 1 < m->T) {
        int s = queue[head++];
        for (size_t o = m->start[cell(m, k, s, 0)]; o < m->start[cell(m, k, s, m->A - 1) + 1]; o++)
            if (when[m->next[o]] < 0) when[queue[tail++] = m->next[o]] = when[s] + 1;
    }
}

void model_pay(model *m, mpq_srcptr floor)
{
    size_t pairs = (size_t)m->S * (size_t)m->A, cells = (size_t)m->K * pairs;
    bool *reached = zeroed(m->ctx, cells, sizeof *reached), any = false;
    int *queue = zeroed(m->ctx, 2 * (size_t)m->S, sizeof *queue), *when = queue + m->S;
    mpq_ptr low = temp(m->ctx), high = temp(m->ctx), base = temp(m->ctx);
    for (size_t c = 0; c < cells; c++) {
        if (c % pairs == 0) mark_reached(m, (int)(c / pairs), queue, when);
        reached[c] = when[c % pairs / (size_t)m->A] >= 0 && m->start[c + 1] > m->start[c];
        if (!reached[c]) continue;
        if (!any || mpq_cmp(m->paid.q[c], low) < 0) mpq_set(low, m->paid.q[c]);
        if (!any || mpq_cmp(m->paid.q[c], high) > 0) mpq_set(high, m->paid.q[c]);
        any = true;
    }
    /* A reward that no policy collects counts only if it is no further from the collected ones than these are from each other. */
    mpq_sub(base, high, low);
    mpq_add(high, high, base);
    mpq_sub(low, low, base);
    mpq_set(base, high);
    for (size_t c = 0; c < cells; c++) {
        reached[c] |= m->start[c + 1] > m->start[c] && mpq_cmp(m->paid.q[c], low) >= 0 && mpq_cmp(m->paid.q[c], high) <= 0;
        if (reached[c] && mpq_cmp(m->paid.q[c], base) < 0) mpq_set(base, m->paid.q[c]);
    }
    if (floor) mpq_sub(base, floor, m->least);
    for (size_t c = 0; c < cells; c++) {
        mpq_set(low, base);
        if (reached[c] && mpq_cmp(m->paid.q[c], base) > 0) mpq_set(low, m->paid.q[c]);
        mpq_sub(low, low, base);
        put(m->pay, c, low);
    }
    mpq_set_si(m->apart, -m->T, 1);
    mpq_mul(m->apart, m->apart, base);
    drop(m->ctx, reached);
    drop(m->ctx, queue);
}
