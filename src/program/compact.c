/* program/compact.c - MILP-CCL and the history-optimal LP over likelihood classes.
 *
 *   min z (or total regret, z <= cap)
 *   sum_a sigma(c,a) - sum over arcs into c of factor * sigma(parent,a') = [c is the root]       every class before T
 *   z + sum w_k R(s,a;k) sigma(c,a) >= U*_c(k)                                                    every k
 *   sum over arcs into Phi at T of factor * w_k(child) sigma(c,a) >= p(k)                        every k
 *   sum_a Delta(n,a) <= 1,  sigma(c,a) <= M(c) Delta(n,a)                                        nodes with a choice
 *
 * M(c), an upper bound of sigma, is min(1, sum over parents of the largest factor times the parent's M). With indicators the
 * columns are the shares sigma(c,a) / M(c), and the flow row of c is divided by M(c): classes of probability 1e-8 are common, and
 * rows sigma <= 1e-8 Delta would be below a solver's tolerances. Sources: sequence form, von Stengel 1996; Koller, Megiddo, von
 * Stengel 1996; indicators as in Zhang, Singh, Durfee 2017.
 */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "program/program.h"

static const double RARE = 1e-12; /* least M, so that no quotient overflows */

typedef struct compact_layout {
    int deciding;     /* classes before T: flow rows 0 .. deciding-1 */
    int regret, keep; /* first regret, commitment row */
    int rows;
    int *one;  /* [nodes] one-choice row, or -1 */
    int *link; /* [slots] link row, or -1 */
} compact_layout;

/* most: scratch [classes], zero before and after: the largest factor from the current parent. */
static void bound_occupancy(const know_classes *c, double most[], double largest[])
{
    for (int i = 0; i < c->classes; i++) largest[i] = i == 0;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        CHECK_COMPARE(largest[i], >=, 0);
        largest[i] = fmin(1, fmax(RARE, largest[i]));
        int first = c->arc_start[c->slot_start[i]], last = c->arc_start[c->slot_start[i + 1]];
        for (int a = first; a < last; a++) {
            int child = c->arc_child[a];
            if (c->arc_factor[a] <= most[child]) continue;
            largest[child] += largest[i] * (c->arc_factor[a] - most[child]);
            most[child] = c->arc_factor[a];
        }
        for (int a = first; a < last; a++) most[c->arc_child[a]] = 0;
    }
}

static vouch_status lay_out(program *p, bool indicators, const promise_averages *averages, compact_layout *l)
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    l->deciding = c->time_start[g->T];
    l->regret = l->deciding;
    l->keep = l->regret + c->K;
    l->rows = l->keep + c->K + averages->count;
    l->one = MEM_NEW(int, g->nodes);
    l->link = MEM_NEW(int, c->slots);
    p->unit = MEM_NEW(double, c->classes);
    double *most = MEM_ZERO(double, c->classes);
    if (!l->one || !l->link || !p->unit || !most) {
        mem_free(most);
        return VOUCH_ERROR_MEMORY;
    }
    for (int n = 0; n < g->nodes; n++) l->one[n] = indicators && know_real_choices(g, n) > 1 ? l->rows++ : -1;
    for (int i = 0; i < l->deciding; i++)
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
            l->link[slot] = l->one[c->node[i]] >= 0 ? l->rows++ : -1;
    if (indicators)
        bound_occupancy(c, most, p->unit);
    else
        for (int i = 0; i < c->classes; i++) p->unit[i] = 1;
    mem_free(most);
    return VOUCH_OK;
}

static int slot_action(const know_classes *c, int slot) { return c->g->m->pair_action[c->g->choice_pair[c->slot_option[slot]]]; }

static void add_rows(program *p, assembly *a, const compact_layout *l, const program_aim *aim)
{
    const know_classes *c = p->c;
    double mean = 0;
    for (int k = 0; k < c->K && aim->share; k++) mean += aim->share[k] * aim->optimal[k];
    for (int k = 0; k < c->K; k++) {
        double least = !aim->share ? aim->optimal[k] : k == 0 ? mean : -INFINITY;
        program_row(p, a, l->regret + k, (row_meaning){ROW_REGRET, -1, -1, -1, -1, -1, k}, least, INFINITY);
    }
    program_promise_rows(p, a, l->keep, c->K, aim);
    for (int n = 0; n < c->g->nodes; n++)
        if (l->one[n] >= 0) program_row(p, a, l->one[n], (row_meaning){ROW_ONE_CHOICE, n, -1, -1, -1, -1, -1}, -INFINITY, 1);
    for (int i = 0; i < l->deciding; i++) {
        program_row(p, a, i, (row_meaning){ROW_FLOW, -1, i, -1, -1, -1, -1}, i == 0, i == 0);
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
            if (l->link[slot] >= 0)
                program_row(p, a, l->link[slot], (row_meaning){ROW_LINK, -1, i, -1, -1, slot_action(c, slot), -1}, -INFINITY, 0);
    }
}

/* keep: [K] scratch */
static void add_occupancies(program *p, assembly *a, const compact_layout *l, const program_aim *aim, double keep[])
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    size_t K = (size_t)c->K;
    for (int i = 0; i < l->deciding; i++)
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            int option = c->slot_option[slot];
            const double *w = know_class_weights(c, i), *r = g->reward + (size_t)g->choice_pair[option] * K;
            double total = 0, mean = 0, unit = p->unit[i];
            memset(keep, 0, K * sizeof *keep);
            for (size_t k = 0; k < K; k++) total += w[k] * r[k];
            for (size_t k = 0; k < K && aim->share; k++) mean += aim->share[k] * w[k] * r[k];
            int j = assembly_column(a, aim->goal == PROGRAM_TOTAL_REGRET ? -total * unit : 0, 0, INFINITY, false);
            p->slot_column[slot] = j;
            p->column[j] = (column_meaning){COLUMN_OCCUPANCY, -1, i, -1, -1, slot_action(c, slot), -1};
            assembly_entry(a, i, 1);
            if (aim->share) assembly_entry(a, l->regret, mean * unit);
            for (size_t k = 0; k < K && !aim->share; k++) assembly_entry(a, l->regret + (int)k, w[k] * r[k] * unit);
            for (int arc = c->arc_start[slot]; arc < c->arc_start[slot + 1]; arc++) {
                int child = c->arc_child[arc];
                if (child < l->deciding)
                    assembly_entry(a, child, -c->arc_factor[arc] * unit / p->unit[child]);
                else
                    for (size_t k = 0; k < K; k++)
                        keep[k] += c->arc_factor[arc] * know_class_weights(c, child)[k] * know_terminal(g, c->node[child], (int)k);
            }
            for (size_t k = 0; k < K; k++) assembly_entry(a, l->keep + (int)k, keep[k] * unit);
            for (int mean_of = 0; mean_of < aim->averages->count; mean_of++)
                assembly_entry(a, l->keep + c->K + mean_of, average_mean(aim->averages, mean_of, c->K, keep) * unit);
            if (l->link[slot] >= 0) assembly_entry(a, l->link[slot], 1);
        }
}

static void add_indicators(program *p, assembly *a, const compact_layout *l)
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    /* slots of each choice: classes are visited once, in a chain per choice */
    int *head = MEM_NEW(int, g->choices), *next = MEM_NEW(int, c->slots);
    if (!head || !next) {
        a->failed = true;
        goto done;
    }
    for (int o = 0; o < g->choices; o++) head[o] = -1;
    for (int i = l->deciding - 1; i >= 0; i--)
        for (int slot = c->slot_start[i + 1] - 1; slot >= c->slot_start[i]; slot--) {
            next[slot] = head[c->slot_option[slot]];
            head[c->slot_option[slot]] = slot;
        }
    for (int n = 0; n < g->nodes; n++)
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++) {
            if (l->one[n] < 0 || g->choice_twin[o] != o) continue;
            int j = p->indicator_column[o] = assembly_column(a, 0, 0, 1, true);
            p->column[j] = (column_meaning){COLUMN_INDICATOR, n, -1, -1, -1, g->m->pair_action[g->choice_pair[o]], -1};
            assembly_entry(a, l->one[n], 1);
            for (int slot = head[o]; slot >= 0; slot = next[slot]) assembly_entry(a, l->link[slot], -1);
        }
done:
    mem_free(head);
    mem_free(next);
}

vouch_status program_compact(const know_classes *c, const program_aim *aim, bool indicators, program **out)
{
    *out = NULL;
    program *p = MEM_ZERO(program, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    compact_layout l = {0};
    assembly a;
    double offset = 0, *keep = NULL;
    p->kind = indicators ? PROGRAM_COMPACT : PROGRAM_HISTORY;
    p->c = c;
    p->g = c->g;
    p->slot_column = MEM_NEW(int, c->slots);
    p->indicator_column = MEM_NEW(int, c->g->choices);
    vouch_status status = p->slot_column && p->indicator_column ? lay_out(p, indicators, aim->averages, &l) : VOUCH_ERROR_MEMORY;
    if (status) goto done;
    p->row = MEM_NEW(row_meaning, l.rows);
    p->column = MEM_NEW(column_meaning, 1 + (size_t)c->slots + (size_t)c->g->choices);
    keep = MEM_NEW(double, c->K);
    if (!p->row || !p->column || !keep) {
        status = VOUCH_ERROR_MEMORY;
        goto done;
    }
    assembly_init(&a, l.rows);
    add_rows(p, &a, &l, aim);
    for (int k = 0; k < c->K && aim->goal == PROGRAM_TOTAL_REGRET; k++) offset += aim->optimal[k];
    p->column[0] = (column_meaning){COLUMN_REGRET, -1, -1, -1, -1, -1, -1};
    assembly_column(&a, aim->goal == PROGRAM_MAX_REGRET, 0, aim->goal == PROGRAM_TOTAL_REGRET ? aim->cap : INFINITY, false);
    for (int k = 0; k < c->K; k++) assembly_entry(&a, l.regret + k, 1);
    add_occupancies(p, &a, &l, aim, keep);
    for (int o = 0; o < c->g->choices; o++) p->indicator_column[o] = -1;
    if (indicators) add_indicators(p, &a, &l);
    CHECK(a.failed || a.cols > l.deciding);
    status = assembly_finish(&a, offset, &p->lp);
done:
    MEM_FREE_ALL(l.one, l.link, keep);
    if (status)
        program_free(p);
    else
        *out = p;
    return status;
}

void program_promise_rows(program *p, assembly *a, int keep, int K, const program_aim *aim)
{
    for (int k = 0; k < K; k++)
        program_row(p, a, keep + k, (row_meaning){ROW_COMMITMENT, -1, -1, -1, -1, -1, k}, aim->probability[k], INFINITY);
    for (int i = 0; i < aim->averages->count; i++)
        program_row(p, a, keep + K + i, (row_meaning){ROW_AVERAGE, -1, -1, -1, -1, -1, i}, aim->probability[K + i], INFINITY);
}

void program_promise_entries(assembly *a, int keep, int K, const promise_averages *averages, int k, double probability)
{
    assembly_entry(a, keep + k, probability);
    for (int i = 0; i < averages->count; i++)
        assembly_entry(a, keep + K + i, averages->weight[(size_t)i * (size_t)K + (size_t)k] * probability);
}

void program_row(program *p, assembly *a, int i, row_meaning meaning, double lower, double upper)
{
    p->row[i] = meaning;
    assembly_row(a, i, lower, upper);
}

void program_free(program *p)
{
    if (!p) return;
    vouch_lp_free(p->lp);
    MEM_FREE_ALL(p->column, p->row, p->slot_column, p->unit, p->indicator_column, p->product, p);
}

void program_point(const program *p, const int pick[], double z, double reach[], double x[])
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    memset(x, 0, (size_t)vouch_lp_cols(p->lp) * sizeof *x);
    memset(reach, 0, (size_t)c->classes * sizeof *reach);
    x[0] = z;
    reach[0] = 1;
    for (int i = 0; i < c->time_start[g->T]; i++)
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1] && reach[i] > 0; slot++) {
            if (c->slot_option[slot] != g->choice_twin[pick[c->node[i]]]) continue;
            x[p->slot_column[slot]] = reach[i] / p->unit[i];
            for (int arc = c->arc_start[slot]; arc < c->arc_start[slot + 1]; arc++)
                reach[c->arc_child[arc]] += reach[i] * c->arc_factor[arc];
        }
    for (int n = 0; n < g->time_start[g->T]; n++) {
        CHECK(pick[n] >= g->choice_start[n] && pick[n] < g->choice_start[n + 1]);
        int j = p->indicator_column[g->choice_twin[pick[n]]];
        if (j >= 0) x[j] = 1;
    }
}

void program_slot_mass(const program *p, const double x[], double mass[])
{
    const know_classes *c = p->c;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        double sum = 0;
        for (int k = 0; k < c->K; k++) sum += know_class_weights(c, i)[k];
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
            mass[slot] = fmax(0, x[p->slot_column[slot]]) * p->unit[i] * sum / c->K;
    }
}
