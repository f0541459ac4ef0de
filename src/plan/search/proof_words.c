/* plan/search/proof_words.c - units, policy nodes, actions and multipliers as a proof has them (plan/search/proof_writer.h). */
#include "base/locale.h"
#include "plan/search/proof_writer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mdp/rescale.h"

/* By what claims are kept off, relative to the spread of the rewards and to 1 + their size; lines of what they sum up by a share of
 * that. */
static const double MARGIN = 1e-11, SHARE_OF_LINES = 0.25;

double proof_kept_off(const vouch_model *m, double regret)
{
    double largest = fmax(fabs(m->scale.least), fabs(m->scale.least + m->scale.spread));
    return fmax(MARGIN * (m->scale.spread + 1 + fabs(regret)), 4 * m->T * DBL_EPSILON * largest) + rescaled_rounding(m);
}

double proof_written(const proof_writer *w, double bound)
{
    const vouch_model *m = w->space->m;
    double weights = w->space->share ? w->unit / m->scale.spread : 1, written = bound * w->unit - w->offset;
    double steep = w->space->share ? 0 : w->space->steep * m->scale.spread * (w->total ? w->space->K / m->group : 1);
    return written - SHARE_OF_LINES * weights * proof_kept_off(m, written / weights) - steep;
}

void proof_find_unit(proof_writer *w)
{
    const policy_space *space = w->space;
    const vouch_model *m = space->m;
    int group = w->total ? m->group : 1; /* rows of one environment have the same regret, which counts once */
    w->unit = m->scale.spread / group;
    w->offset = (w->total ? space->K / group : 1) * rescaled_loss(m);
    if (space->objective == VOUCH_OBJECTIVE_MAX_MIN) w->offset += m->T * (m->scale.least + m->scale.spread);
    if (!space->share) return;
    double weights = 0, best = 0;
    for (int k = 0; k < space->K; k += m->group) {
        double weight = space->weights ? space->weights[k / m->group] : 1;
        weights += weight;
        best += weight * (space->optimal[k] * m->scale.spread + m->T * m->scale.least);
    }
    w->unit *= weights;
    w->offset = w->offset * weights + best;
}

int proof_number(proof_writer *w, int node)
{
    const know_graph *g = w->space->g;
    if (w->number[node] >= 0) return w->number[node];
    int t = know_time(g, node),
        boundary = t > g->L ? proof_number(w, g->boundary[node]) : -1; /* which is no deeper than one call */
    w->number[node] = w->named++;
    format_file(w->lines, "node %d %d %d ", w->number[node], t, g->state[node]);
    if (boundary >= 0) {
        format_file(w->lines, "%d\n", boundary);
        return w->number[node];
    }
    int set = g->set[node], size = know_set_size(g, set),
        group = w->space->m->group; /* rows of an environment are never told apart */
    fputs("- ", w->lines);
    if (size == g->K) fputc('*', w->lines);
    for (int i = 0; i < size && size < g->K; i += group)
        format_file(w->lines, "%s%d", i ? "," : "", g->member[g->member_start[set] + i] / group);
    fputc('\n', w->lines);
    return w->number[node];
}

int proof_action(const proof_writer *w, int choice) { return w->space->g->m->pair_action[w->space->g->choice_pair[choice]]; }

void proof_round(proof_writer *w, const double m[])
{
    int K = w->space->K, largest = 0;
    double left = 1 / PROOF_UNIT;
    for (int k = 0; k < K; k++) {
        w->trial[k] = w->space->share ? 0 : floor(m[k] / PROOF_UNIT);
        left -= w->trial[k];
        if (m[k] > m[largest]) largest = k;
        w->trial[K + k] = 0;
        char word[32];
        format_text(word, sizeof word, "%.12g", m[2 * K + k] * w->unit);
        w->trial[2 * K + k] = number_read(word, NULL);
    }
    if (!w->total && !w->space->share) w->trial[largest] += left;
    for (int k = 0, group = w->space->m->group; k < K && w->total && group > 1; k += group) { /* what is divided by the group */
        double sum = 0;
        for (int row = k; row < k + group; row++) {
            sum += w->trial[row];
            w->trial[row] = 0;
        }
        w->trial[k] = sum - fmod(sum, group);
    }
}

void proof_write_multipliers(const proof_writer *w, bool regrets)
{
    int K = w->space->K;
    int group = w->space->m->group;
    for (int k = 0; k < K && regrets; k += group) { /* all rows of an environment have its regret */
        double lambda = 0;
        for (int row = k; row < k + group; row++) lambda += w->trial[row] / (w->total ? group : 1);
        if (lambda > 0) format_file(w->lines, " %d=%.0fe-12", proof_row(w, k) / group, lambda);
    }
    if (regrets) fputs(" ;", w->lines);
    for (int k = 0; k < K; k++)
        if (w->trial[2 * K + k] > 0) format_file(w->lines, " %d=%.12g", proof_row(w, k), w->trial[2 * K + k]);
}
