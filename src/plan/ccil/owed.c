/* plan/ccil/owed.c - see owed.h. O(environments * averages) a call. Invariant: the weights of an average sum to 1 but for rounding.
 */
#include "plan/ccil/owed.h"

#include <math.h>

#include "base/check.h"

static double mean_of(const segment *seg, int a) { return average_mean(&seg->averages, a, seg->count, seg->Pr); }

bool owed_alone(const segment *seg, int i)
{
    for (int a = 0; a < seg->averages.count; a++)
        if (i % seg->view.group == seg->averages.row[a]) return false;
    return true;
}

void owed_weights(const segment *seg, const segment_exit *x, double weight[])
{
    const know_graph *g = seg->g;
    int first = g->member_start[g->set[x->node]], count = know_set_size(g, g->set[x->node]);
    double most = 0;
    for (int j = 0; j < count; j++) {
        weight[j] = seg->weight[g->member[first + j]] * x->reach[g->member[first + j]];
        most = fmax(most, weight[j]);
    }
    for (int j = 0; j < count; j++) weight[j] = most > 0 ? weight[j] / most : 1;
}

void owed_behind(const segment *seg, const segment_exit *x, promise_averages *behind)
{
    const know_graph *g = seg->g;
    const int *member = g->member + g->member_start[g->set[x->node]];
    int count = know_set_size(g, g->set[x->node]);
    CHECK_COMPARE(behind->count, ==, seg->averages.count);
    for (int a = 0; a < behind->count; a++) {
        const double *before = seg->averages.weight + (size_t)a * (size_t)seg->count;
        double *after = behind->weight + (size_t)a * (size_t)count, sum = 0, mean = 0;
        for (int j = 0; j < count; j++) sum += after[j] = before[member[j]] * x->reach[member[j]];
        for (int j = 0; j < count; j++) {
            after[j] = sum > 0 ? after[j] / sum : 0;
            mean += after[j] * x->Pr[member[j]];
        }
        behind->row[a] = seg->averages.row[a];
        behind->p[a] = fmin(1, fmax(0, mean));
    }
}

double owed_slack(const segment *seg, double tolerance)
{
    double left = tolerance;
    for (int i = 0; i < seg->count; i++) left = fmin(left, seg->Pr[i] - (seg->p[i] - tolerance));
    for (int a = 0; a < seg->averages.count; a++) left = fmin(left, mean_of(seg, a) - (seg->averages.p[a] - tolerance));
    return fmax(0, left);
}
