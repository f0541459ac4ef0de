/* lp/presolve_same.c - rows and columns that are multiples of each other, found by hashing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "la/sparse.h"
#include "lp/presolve_private.h"
#include "lp/tolerance.h"

/* Equal hashes are multiples as a rule: a list is compared with so many that follow, for those that are only close. */
enum { COMPARED_MOST = 100 };

typedef struct signature {
    uint64_t hash;
    int item, count;
} signature;

static int compare_signatures(const void *a, const void *b)
{
    const signature *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    if (x->count != y->count) return x->count - y->count;
    return x->item - y->item;
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ (x >> 29);
}

static uint64_t hash_ratio(int at, double value, double base)
{
    float ratio = (float)(value / base);
    uint32_t bits;
    memcpy(&bits, &ratio, sizeof bits);
    return mixed(((uint64_t)(uint32_t)at << 32) ^ ((bits + 8) >> 4));
}

/* Pattern and magnitudes relative to the entry of least index, rounded so that multiples get equal hashes. The cost of a column is
 * an entry like others: a million columns of one row and different costs are not compared in pairs. */
static uint64_t hash_list(const presolve *p, int item, int side)
{
    int first = p->chain[side][item].first;
    int least = -1;
    double base = 1;
    for (int k = first; k >= 0; k = p->nodes[k].next[side]) {
        int at = p->nodes[k].at[!side];
        if (least < 0 || at < least) least = at, base = p->nodes[k].value;
    }
    uint64_t sum = side == COL && p->cost[item] != 0 ? hash_ratio(-1, p->cost[item], base) : 0;
    for (int k = first; k >= 0; k = p->nodes[k].next[side]) sum += hash_ratio(p->nodes[k].at[!side], p->nodes[k].value, base);
    return sum;
}

/* Is list b a multiple of list a? work [max(m, n)]: zero, restored. Returns the factor or 0. */
static double multiple(const presolve *p, int a, int b, int side, double work[])
{
    for (int k = a; k >= 0; k = p->nodes[k].next[side]) {
        work[p->nodes[k].at[!side]] = p->nodes[k].value;
    }
    double factor = 0;
    for (int k = b; k >= 0; k = p->nodes[k].next[side]) {
        double at = work[p->nodes[k].at[!side]], v = p->nodes[k].value;
        if (at == 0)
            factor = NAN;
        else if (factor == 0)
            factor = v / at;
        else if (!(fabs(v - factor * at) <= TOL_DROP * fabs(v)))
            factor = NAN;
    }
    for (int k = a; k >= 0; k = p->nodes[k].next[side]) {
        work[p->nodes[k].at[!side]] = 0;
    }
    return isnan(factor) ? 0 : factor;
}

/* row_r = factor * row_i: the bounds of r become bounds of i. */
static void same_row(presolve *p, int i, int r, double factor)
{
    double l = factor > 0 ? p->rl[r] / factor : p->ru[r] / factor, u = factor > 0 ? p->ru[r] / factor : p->rl[r] / factor;
    double tol = presolve_slack(larger(isinf(l) ? 0 : fabs(l), isinf(u) ? 0 : fabs(u)));
    if (l > p->ru[i] + tol || u < p->rl[i] - tol) {
        double sign = l > p->ru[i] + tol ? 1 : -1;
        presolve_contradiction(p, i, -sign);
        presolve_contradiction(p, r, sign / factor);
        return;
    }
    presolve_record *s = presolve_step(p, STEP_SAME_ROW, r, -1);
    s->other = i;
    s->a = factor;
    s->other_lower = p->rl[i], s->other_upper = p->ru[i];
    if (l > p->rl[i]) p->rl[i] = smaller(l, p->ru[i]);
    if (u < p->ru[i]) p->ru[i] = larger(u, p->rl[i]);
    s->new_lower = p->rl[i], s->new_upper = p->ru[i];
    presolve_remove_row(p, r);
    presolve_wake(p, ROW, i);
}

/* col_k = factor * col_j and so do the costs: x_j stands for x_j + factor x_k. */
static void same_col(presolve *p, int j, int k, double factor)
{
    presolve_record *s = presolve_step(p, STEP_SAME_COL, -1, j);
    s->other = k;
    s->a = factor;
    s->lower = p->cl[j], s->upper = p->cu[j];
    s->other_lower = p->cl[k], s->other_upper = p->cu[k];
    double l = factor > 0 ? factor * p->cl[k] : factor * p->cu[k], u = factor > 0 ? factor * p->cu[k] : factor * p->cl[k];
    p->cl[j] += l;
    p->cu[j] += u;
    s->new_lower = p->cl[j], s->new_upper = p->cu[j];
    presolve_wake_met(p, COL, k);
    presolve_clear(p, COL, k);
    presolve_wake(p, COL, j);
}

static void look_for_multiples(presolve *p, int side, signature list[], double work[])
{
    int count = 0, limit = side == ROW ? p->m : p->n, least = side == ROW ? 2 : 1;
    const chain *lists = p->chain[side];
    const bool *gone = p->gone[side];
    for (int i = 0; i < limit && !presolve_over(p); i++) {
        if (gone[i] || lists[i].count < least) continue;
        list[count++] = (signature){hash_list(p, i, side), i, lists[i].count};
    }
    qsort(list, (size_t)count, sizeof *list, compare_signatures);
    for (int a = 0; a < count && !presolve_over(p); a++) {
        int i = list[a].item;
        if (gone[i]) continue;
        int most = a + COMPARED_MOST < count ? a + COMPARED_MOST : count;
        for (int b = a + 1; b < most && list[b].hash == list[a].hash && list[b].count == list[a].count; b++) {
            int r = list[b].item;
            if (gone[r]) continue;
            if (presolve_over(p)) return;
            double factor = multiple(p, lists[i].first, lists[r].first, side, work);
            if (factor == 0) continue;
            if (side == ROW)
                same_row(p, i, r, factor);
            else if (fabs(p->cost[r] - factor * p->cost[i]) <= TOL_DROP * fabs(p->cost[r]))
                same_col(p, i, r, factor);
            if (presolve_over(p)) return;
        }
    }
}

void presolve_look_for_multiples(presolve *p)
{
    size_t longest = (size_t)(p->m > p->n ? p->m : p->n) + 1;
    double *work = MEM_ZERO(double, longest);
    signature *list = MEM_NEW(signature, longest);
    if (work && list) {
        look_for_multiples(p, ROW, list, work);
        if (!presolve_over(p)) look_for_multiples(p, COL, list, work);
    } else {
        p->out_of_memory = true;
    }
    mem_free(work);
    mem_free(list);
}
