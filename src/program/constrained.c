/* program/constrained.c - the constrained MDP of one environment as a linear program over occupancies
 *
 *   max sum R(s,a;k) x(t,s,a)
 *   sum_a x(t,s,a) - sum_{s',a'} P(s|s',a';k) x(t-1,s',a') = [t = 0, s = s0]
 *   sum P(Phi|s,a;k) x(T-1,s,a) >= p,  x >= 0
 * Source: Altman, Constrained Markov Decision Processes, 1999.
 */
#include <math.h>

#include "base/memory.h"
#include "program/assembly.h"
#include "program/program.h"

vouch_status program_constrained(const vouch_model *m, int k, double probability, program **out)
{
    *out = NULL;
    const mdp *e = &m->env[k];
    program *p = MEM_ZERO(program, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    int keep = m->T * m->S, rows = keep + 1;
    assembly a;
    p->kind = PROGRAM_CONSTRAINED;
    p->row = MEM_NEW(row_meaning, rows);
    p->column = MEM_NEW(column_meaning, (size_t)m->T * (size_t)m->pairs);
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (!p->row || !p->column) goto done;
    assembly_init(&a, rows);
    for (int t = 0; t < m->T; t++)
        for (int s = 0; s < m->S; s++) {
            double in = t == 0 && s == m->s0;
            assembly_row(&a, t * m->S + s, in, in);
            p->row[t * m->S + s] = (row_meaning){ROW_FLOW, -1, -1, t, s, -1, -1};
        }
    assembly_row(&a, keep, probability, INFINITY);
    p->row[keep] = (row_meaning){ROW_COMMITMENT, -1, -1, -1, -1, -1, k};
    for (int t = 0; t < m->T; t++)
        for (int s = 0; s < m->S; s++)
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                double kept = 0;
                int j = assembly_column(&a, e->expected[q], 0, INFINITY, false);
                p->column[j] = (column_meaning){COLUMN_OCCUPANCY, -1, -1, t, s, m->pair_action[q], -1};
                assembly_entry(&a, t * m->S + s, 1);
                for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                    if (t + 1 < m->T)
                        assembly_entry(&a, (t + 1) * m->S + e->next[o], -e->prob[o]);
                    else
                        kept += e->prob[o] * e->terminal[e->next[o]];
                }
                assembly_entry(&a, keep, kept);
            }
    status = assembly_finish(&a, 0, &p->lp);
    if (!status) status = vouch_lp_set_maximize(p->lp, 1);
done:
    if (status)
        program_free(p);
    else
        *out = p;
    return status;
}
