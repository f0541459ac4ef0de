/* mdp/occupancy.c - see occupancy.h. */
#include "mdp/occupancy.h"

#include <string.h>

#include "base/check.h"

void occupancy_add(const vouch_model *m, int k, const int choice[], double weight, double x[], double y[])
{
    const mdp *e = &m->env[k];
    double *now = y, *next = y + m->S;
    memset(y, 0, 2 * (size_t)m->S * sizeof *y);
    now[m->s0] = weight;
    for (int t = 0; t < m->T; t++) {
        for (int s = 0; s < m->S; s++) {
            if (now[s] == 0) continue;
            int q = choice[(size_t)t * (size_t)m->S + (size_t)s];
            x[(size_t)t * (size_t)m->pairs + (size_t)q] += now[s];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) next[e->next[o]] += now[s] * e->prob[o];
            now[s] = 0;
        }
        double *swap = now;
        now = next, next = swap;
    }
}

void occupancy_to_policy(const vouch_model *m, const int fallback[], double x[])
{
    for (int t = 0; t < m->T; t++)
        for (int s = 0; s < m->S; s++) {
            double *row = x + (size_t)t * (size_t)m->pairs;
            double all = 0;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) all += row[q];
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                row[q] = all > 0 ? row[q] / all : (q == fallback[(size_t)t * (size_t)m->S + (size_t)s]);
            CHECK(all >= 0 && all <= 1 + MODEL_SUM_TOLERANCE);
        }
}
