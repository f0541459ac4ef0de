/* plan/groups/groups.c - the best partition of the environments into at most k groups, a policy for each.
 *
 *   least over partitions of max_g rho(g),   rho(g) the least maximum regret of the environments of g
 *
 * rho grows with g: a policy for g is one for each part of g, since all groups know by the whole model. (Did they only see which
 * environments of their own are consistent, it would not: two histories may differ in what they say of the others, and policies of
 * L updates for the part could not tell them apart.) So a set whose rho is above v may not stand together in a partition of value
 * v. What is known of sets makes a relaxation: the least v at which the environments can be coloured without a forbidden set
 * (plan/groups/colour.h). Its groups are planned for. Where all are worth v, within the gap, nothing is better; else each group
 * that is not is cut down to a small set that is to blame, as long as what is left still is worth more than v (J. W. Chinneck and
 * E. W. Dravnieks, ORSA Journal on Computing 3, 1991), and the next colouring knows better. All single environments and, if there
 * are not too many, all pairs are planned first. The question: "k adaptive policy selection", arXiv 2608.02509; there without
 * promises and bounds. Invariant: bound <= value of every partition. It ends: each round makes a set known that was not, or closes
 * the gap.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/groups/colour.h"
#include "plan/groups/subsets.h"
#include "policy/arguments.h"

enum { PAIRS_MOST = 2500, SHRINK_MOST = 12 }; /* pairs planned before anything else; members of a set that is cut down one by one */
static const long long TRY_NODES = 64;        /* of a plan that need not be finished: its bound is what it is for */
static const double SHARE = 0.5;              /* of the gap for each plan, the rest for the partition */

struct vouch_groups {
    subsets s;
    vouch_groups_result result;
    int *colour, *try;   /* owned, [K] of the best partition, and of the one at hand */
    int *env;            /* owned, [K]: lists of groups, one after the other */
    int *number;         /* owned, [K] which set each group of the best partition is */
    vouch_model **model; /* owned, [groups] what each is planned for */
    int policies;
    double gap;
    uint64_t *set;  /* owned, [words] scratch */
    double *regret; /* owned, [K] scratch */
    int *list;      /* owned, [K] scratch */
};

void vouch_groups_free(vouch_groups *g)
{
    if (!g) return;
    for (int c = 0; g->model && c < g->result.groups; c++) vouch_model_free(g->model[c]);
    mem_free(g->model);
    subsets_free(&g->s);
    mem_free(g->colour);
    mem_free(g->try);
    mem_free(g->env);
    mem_free(g->number);
    mem_free(g->set);
    mem_free(g->regret);
    mem_free(g->list);
    mem_free(g);
}

static vouch_status ask(vouch_groups *g) { return subsets_ask(&g->s, subsets_number(&g->s, g->set)); }

static void clear(vouch_groups *g) { memset(g->set, 0, (size_t)g->s.words * sizeof *g->set); }

/* All single environments, then all pairs where some have to stand together. */
static vouch_status plan_small(vouch_groups *g)
{
    int K = g->s.K;
    vouch_status status = VOUCH_OK;
    if (g->policies == 1) return VOUCH_OK;
    for (int k = 0; k < K && !status; k++) {
        clear(g);
        subset_add(g->set, k);
        status = ask(g);
    }
    if (!status) status = subsets_run(&g->s);
    if (status || g->policies >= K || K * (K - 1) / 2 > PAIRS_MOST) return status;
    g->s.most_nodes = TRY_NODES;
    for (int i = 0; i < K && !status; i++) { /* row by row, so that limits are heeded */
        for (int j = 0; j < i && !status; j++) {
            clear(g);
            subset_add(g->set, i);
            subset_add(g->set, j);
            status = ask(g);
        }
        if (subsets_over(&g->s)) g->s.tasks = 0;
        if (!status) status = subsets_run(&g->s);
    }
    g->s.most_nodes = 0;
    return status;
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Values that the partition may have, ascending, from the bound on; their number, -1: no memory. */
static int levels(const vouch_groups *g, double **level)
{
    int n = 0, kept = 0;
    double *list = *level = MEM_NEW(double, g->s.sets.count + 1);
    if (!list) return -1;
    list[n++] = g->result.bound;
    for (int i = 0; i < g->s.sets.count; i++)
        if (g->s.item[i].low > g->result.bound) list[n++] = g->s.item[i].low;
    qsort(list, (size_t)n, sizeof *list, by_value);
    for (int i = 0; i < n; i++)
        if (i == 0 || list[i] > list[kept - 1]) list[kept++] = list[i];
    return kept;
}

/* Colours the environments at the least level at which that works, and raises the bound to the level that is shown: none below it
 * does. NOT_COLOURABLE: none that is finite does. UNKNOWN: nothing was coloured, nor shown impossible. */
static vouch_status relax(vouch_groups *g, colouring *outcome)
{
    double *level;
    int n = levels(g, &level), failed = n < 0 ? -1 : 0, finite = 0, low = 0;
    while (finite < n && level[finite] < INFINITY) finite++;
    int high = finite;
    bool shown = true;
    const double room = SHARE * g->gap;
    while (low < high && !failed) {
        int middle = (low + high) / 2;
        colouring c = colour_groups(&g->s, g->policies, level[middle] + room, g->try, &failed);
        if (c == COLOURED) {
            high = middle;
        } else {
            low = middle + 1;
            shown = shown && c == NOT_COLOURABLE;
            if (c == NOT_COLOURABLE) g->result.bound = fmax(g->result.bound, low < finite ? level[low] : INFINITY);
        }
    }
    *outcome = shown ? NOT_COLOURABLE : COLOUR_UNKNOWN;
    if (!failed && high < finite) *outcome = colour_groups(&g->s, g->policies, level[high] + room, g->try, &failed);
    mem_free(level);
    return failed ? error_memory(g->s.error) : VOUCH_OK;
}

/* The set of group c of the partition at hand, in g->set; false: it is empty. */
static bool group_set(vouch_groups *g, int c)
{
    bool any = false;
    clear(g);
    for (int k = 0; k < g->s.K; k++)
        if (g->try[k] == c) {
            subset_add(g->set, k);
            any = true;
        }
    return any;
}

/* Plans the groups of the partition at hand, and takes it if it is the best. number [groups] */
static vouch_status judge(vouch_groups *g, int number[], int *groups)
{
    vouch_status status = VOUCH_OK;
    *groups = 0;
    for (int c = 0; c < g->s.K && group_set(g, c) && !status; c++) {
        number[(*groups)++] = subsets_number(&g->s, g->set);
        status = subsets_ask(&g->s, number[c]);
    }
    if (!status) status = subsets_run(&g->s);
    double value = 0;
    for (int c = 0; c < *groups && !status; c++) value = fmax(value, g->s.item[number[c]].high);
    if (status || !(value < (g->result.groups ? g->result.max_regret : INFINITY))) return status;
    g->result.groups = *groups;
    g->result.max_regret = value;
    MEM_COPY(g->colour, g->try, g->s.K);
    MEM_COPY(g->number, number, *groups);
    return VOUCH_OK;
}

/* Plans for g->set; *low: what is known of it. */
static vouch_status plan_set(vouch_groups *g, double *low, int *number)
{
    *number = subsets_number(&g->s, g->set);
    vouch_status status = subsets_ask(&g->s, *number);
    if (!status) status = subsets_run(&g->s);
    *low = status ? 0 : g->s.item[*number].low;
    return status;
}

/* The environments of a set that its policy regrets above `most`, into g->set; false: all of them, or fewer than two. */
static bool regretted(vouch_groups *g, int number, double most)
{
    const subset *of = &g->s.item[number];
    if (!of->policy || !(of->high < INFINITY)) return false;
    int n = subset_list(intern_key(&g->s.sets, number), g->s.K, g->list), kept = 0;
    subset_regrets(&g->s, number, g->regret);
    clear(g);
    for (int i = 0; i < n; i++)
        if (g->regret[i] > most) {
            subset_add(g->set, g->list[i]);
            kept++;
        }
    return kept >= 2 && kept < n;
}

/* A set of rho above `most` is cut down as long as rho stays there. */
static vouch_status blame(vouch_groups *g, int number, double most)
{
    double low;
    int part;
    vouch_status status = VOUCH_OK;
    while (!status && !subsets_over(&g->s) && regretted(g, number, most)) {
        status = plan_set(g, &low, &part);
        if (!(low > most)) break;
        number = part;
    }
    int n = subset_list(intern_key(&g->s.sets, number), g->s.K, g->list);
    if (n > SHRINK_MOST) return status;
    for (int i = n - 1; i >= 0 && n > 2 && !status && !subsets_over(&g->s); i--) {
        MEM_COPY(g->set, intern_key(&g->s.sets, number), g->s.words);
        subset_drop(g->set, g->list[i]);
        status = plan_set(g, &low, &part);
        if (!(low > most)) continue;
        number = part;
        n--;
    }
    return status;
}

static bool closed(const vouch_groups *g) { return g->result.groups && g->result.max_regret - g->result.bound <= g->gap; }

/* One round; *on: there is more to do. */
static vouch_status round_of(vouch_groups *g, int number[], bool *on)
{
    colouring c;
    int groups;
    vouch_status status = relax(g, &c);
    *on = false;
    if (!status && c == NOT_COLOURABLE) g->result.outcome = VOUCH_PLAN_INFEASIBLE;
    if (status || c != COLOURED) return status;
    long long planned = g->s.planned;
    double most = g->result.bound + SHARE * g->gap;
    status = judge(g, number, &groups);
    if (g->policies == 1 && !status) g->result.bound = fmax(g->result.bound, g->s.item[number[0]].low);
    g->s.most_nodes = TRY_NODES;
    for (int i = 0; i < groups && !status && g->policies > 1; i++)
        if (g->s.item[number[i]].low > most) status = blame(g, number[i], most);
    g->s.most_nodes = 0;
    *on = g->s.planned > planned && !closed(g) && !subsets_over(&g->s);
    return status;
}

static vouch_status search(vouch_groups *g)
{
    int *number = MEM_NEW(int, g->s.K);
    if (!number) return error_memory(g->s.error);
    bool on = true;
    vouch_status status = plan_small(g);
    while (on && !status) status = round_of(g, number, &on);
    mem_free(number);
    vouch_groups_result *r = &g->result;
    if (r->groups && r->bound > r->max_regret) r->bound = r->max_regret;
    if (r->outcome != VOUCH_PLAN_INFEASIBLE)
        r->outcome = closed(g) ? VOUCH_PLAN_OPTIMAL : r->groups ? VOUCH_PLAN_FEASIBLE : VOUCH_PLAN_LIMIT;
    if (!r->groups) r->max_regret = NAN;
    return status;
}

/* The lists of the groups of the best partition, and their models. */
static vouch_status list_groups(vouch_groups *g)
{
    vouch_status status = VOUCH_OK;
    g->model = MEM_ZERO(vouch_model *, g->s.K);
    if (!g->model) return error_memory(g->s.error);
    for (int c = 0, n = 0; c < g->result.groups && !status; c++) {
        for (int k = 0; k < g->s.K; k++)
            if (g->colour[k] == c) g->env[n++] = k;
        status = subsets_model(&g->s, g->number[c], &g->model[c], g->s.error);
    }
    return status;
}

/* Does what policies know depend on no other environments, and no promise on them? Markov policies know nothing, histories all. */
static bool may_stand_apart(const vouch_plan_options *o, vouch_group_promises promises)
{
    bool updates = vouch_method_describe(o->method)->lookahead == VOUCH_LOOKAHEAD_ASKED && o->lookahead > 0;
    return promises == VOUCH_PROMISES_OWN && !updates;
}

static vouch_status check_asked(const vouch_model *m, vouch_plan_options *o, int policies, vouch_group_promises promises,
                                vouch_error *error)
{
    vouch_status status = check_model(m, error);
    if (!status) status = check_plan_options(o, error);
    if (!status && o->method != VOUCH_METHOD_GREEDY) status = check_lookahead(o->lookahead, 0, m, error);
    if (status) return status;
    if (policies < 1) return error_set(error, VOUCH_ERROR_ARGUMENT, "%d policies; expected at least 1", policies);
    if ((int)promises < 0 || promises >= VOUCH_GROUP_PROMISES)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there are no such promises of groups");
    if (o->objective != VOUCH_OBJECTIVE_REGRET)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "groups are about the maximum regret, not another objective");
    if (o->start || o->journal || o->proof || o->on_node || o->restart || o->workers > 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "a start, a journal, a proof, workers and logs of nodes are of one plan, not of groups");
    return VOUCH_OK;
}

vouch_status vouch_plan_groups(vouch_groups **groups, const vouch_model *m, const vouch_plan_options *options, int policies,
                               vouch_group_promises promises, vouch_error *error)
{
    vouch_plan_options o;
    if (!groups) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the groups");
    *groups = NULL;
    if (options)
        o = *options;
    else
        vouch_plan_options_init(&o);
    vouch_status status = check_asked(m, &o, policies, promises, error);
    if (status) return status;
    vouch_groups *g = mem_zero(1, sizeof *g);
    if (!g) return error_memory(error);
    g->s = (subsets){.m = m, .options = o, .promises = promises, .limit = deadline_start(&o.limits), .error = error};
    g->s.threads = o.threads > 0 ? o.threads : 1;
    g->s.apart = may_stand_apart(&o, promises);
    g->policies = policies;
    g->gap = o.gap;
    g->s.options.gap = SHARE * o.gap;
    g->s.options.least_total_regret = 0;
    g->s.options.progress = NULL;
    status = subsets_init(&g->s);
    size_t K = (size_t)g->s.K;
    g->colour = MEM_NEW(int, K);
    g->try = MEM_NEW(int, K);
    g->env = MEM_NEW(int, K);
    g->number = MEM_NEW(int, K);
    g->list = MEM_NEW(int, K);
    g->regret = MEM_NEW(double, K);
    g->set = MEM_NEW(uint64_t, g->s.words);
    bool room = g->colour && g->try && g->env && g->number && g->list && g->regret && g->set;
    if (!status && !room) status = error_memory(error);
    if (!status) status = search(g);
    if (!status) status = list_groups(g);
    if (status) {
        vouch_groups_free(g);
        return status;
    }
    g->result.subsets = g->s.planned;
    g->result.nodes = g->s.nodes;
    g->result.iterations = g->s.iterations;
    g->result.seconds = clock_seconds() - g->s.limit.start;
    g->s.m = NULL;
    *groups = g;
    return VOUCH_OK;
}

void vouch_groups_get_result(const vouch_groups *g, vouch_groups_result *result)
{
    if (result) *result = g ? g->result : (vouch_groups_result){0};
}

void vouch_groups_get(const vouch_groups *g, int group, vouch_group *out)
{
    if (out) *out = (vouch_group){0};
    if (!g || !out) return;
    int first = 0, count = 0;
    for (int k = 0; k < g->s.K; k++) {
        first += g->colour[k] < group;
        count += g->colour[k] == group;
    }
    const subset *of = &g->s.item[g->number[group]];
    *out = (vouch_group){count, g->env + first, of->high, of->low, of->policy, g->model[group], !g->s.apart};
}
