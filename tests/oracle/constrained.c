#include "oracle/constrained.h"

#include "test.h"

#include "mdp/model.h"
#include "program/assembly.h"

vouch_lp *constrained_program(const vouch_model *m, int k, double probability)
{
    const mdp *e = &m->env[k];
    int keep = m->T * m->S;
    assembly a;
    assembly_init(&a, keep + 1);
    for (int i = 0; i < keep; i++) assembly_row(&a, i, i == m->s0, i == m->s0);
    assembly_row(&a, keep, probability, INFINITY);
    for (int t = 0; t < m->T; t++)
        for (int s = 0; s < m->S; s++)
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                double kept = 0;
                assembly_column(&a, e->expected[q], 0, INFINITY, false);
                assembly_entry(&a, t * m->S + s, 1);
                for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                    if (t + 1 < m->T)
                        assembly_entry(&a, (t + 1) * m->S + e->next[o], -e->prob[o]);
                    else
                        kept += e->prob[o] * e->terminal[e->next[o]];
                }
                assembly_entry(&a, keep, kept);
            }
    vouch_lp *lp;
    assert_int_equal(assembly_finish(&a, 0, &lp), VOUCH_OK);
    assert_int_equal(vouch_lp_set_maximize(lp, 1), VOUCH_OK);
    return lp;
}
