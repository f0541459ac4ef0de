/* plan/heuristic/knowledge.c - see initial.h. The graph has one action per node. Work, nodes and memory are counted, so the
 * policy is the same on every machine.
 */

#include "base/memory.h"
#include "know/sure.h"
#include "plan/heuristic/initial.h"
#include "plan/heuristic/local_search.h"

static const long long SURE_WORK = 1000000000, SURE_WORDS = 20000000; /* of the look-ahead: a second, 160 MB */
static const double MOST_NODE_ENVIRONMENTS = 2e7;                     /* nodes times environments of the small graph */
static const long long MOST_EDGES = 4000000;
static const double SURELY = 1e-6; /* look-ahead treats promises of at least 1 - SURELY as sure */

/* Deterministic policies keep the promise of such an environment with probability 0 or 1. */
static bool deterministic(const vouch_model *m, int k)
{
    const mdp *e = &m->env[k];
    for (int o = 0; o < e->start[m->pairs]; o++)
        if (e->prob[o] > 0 && e->prob[o] < 1) return false;
    return true;
}

bool knowledge_looks_ahead(const vouch_model *m)
{
    bool ahead = false;
    for (int k = 0; k < m->K && !ahead; k++) ahead = m->env[k].p >= 1 - SURELY || (m->env[k].p > 0 && deterministic(m, k));
    return ahead;
}

/* Looks ahead for the promises of the required rows. */
static vouch_status look_ahead_for(const policy_space *like, const bool required[], const successor_sets *sets,
                                   const deadline *limit, sure_search **sure)
{
    sure_limits most = {SURE_WORK, SURE_WORDS, limit};
    sure_search_free(*sure);
    *sure = NULL;
    return sure_search_new(like->m, required, sets, &most, sure);
}

/* Look-ahead for all promises that deterministic policies keep with probability 0 or 1, and if that fails for the nearly sure ones
 * alone. *slack: probability by which the latter may fail; INFINITY: not needed, all are kept. */
static vouch_status look_ahead(const policy_space *like, const successor_sets *sets, const deadline *limit, sure_search **sure,
                               double *slack)
{
    const vouch_model *m = like->m;
    bool *required = MEM_NEW(bool, m->K), more = false;
    vouch_status status = VOUCH_OK;
    if (!required) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K; k++) {
        bool nearly = like->accepted[k] >= 1 - SURELY;
        required[k] = nearly || (like->accepted[k] > 0 && deterministic(m, k));
        more |= required[k] && !nearly;
    }
    if (more) status = look_ahead_for(like, required, sets, limit, sure);
    *slack = INFINITY;
    if (!more || (!status && sure_answer(*sure) != SURE_KEPT)) {
        *slack = 0;
        for (int k = 0; k < m->K; k++) {
            required[k] = like->accepted[k] >= 1 - SURELY;
            if (required[k]) *slack = fmax(*slack, 1 - like->accepted[k]);
        }
        status = look_ahead_for(like, required, sets, limit, sure);
    }
    mem_free(required);
    return status;
}

/* Adds the environments of `set` that choice c leads to each child, to reached [nodes * words]. */
static void follow(const know_graph *g, int c, const uint64_t set[], uint64_t reached[])
{
    for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
        int child = g->edge_child[e];
        const double *prob = g->successor_prob + (size_t)g->edge_row[e] * (size_t)g->K;
        uint64_t *to = reached + (size_t)child * (size_t)g->sets.words;
        for (int i = g->member_start[g->set[child]]; i < g->member_start[g->set[child] + 1]; i++)
            if (prob[g->member[i]] > 0 && bits_has(set, g->member[i])) bits_add(to, g->member[i]);
    }
}

/* Offers the policy of sure actions where they exist; after L they are sure for the environments possible at the node. */
static vouch_status offer_sure(incumbent *inc, const sure_search *sure)
{
    const know_graph *g = inc->space->g;
    size_t words = (size_t)g->sets.words;
    uint64_t *reached = MEM_ZERO(uint64_t, (size_t)g->nodes * words);
    if (!reached) return VOUCH_ERROR_MEMORY;
    memcpy(reached, intern_key(&g->sets, g->set[0]), words * sizeof *reached);
    for (int n = 0; n < g->time_start[g->T]; n++) inc->pick[n] = -1;
    for (int t = 0; t < g->T; t++)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            const uint64_t *set = reached + (size_t)n * words;
            int q = bits_count(set, g->sets.words) > 0 ? sure_pair(sure, t, g->state[n], set) : -1;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && q >= 0; c++)
                if (g->choice_pair[c] == q) inc->pick[n] = g->choice_twin[c];
            if (inc->pick[n] >= 0) follow(g, inc->pick[n], set, reached);
        }
    mem_free(reached);
    local_search_offer(inc, inc->pick, OFFER_PASSES);
    return VOUCH_OK;
}

/* The small graph and its best known policy; ERROR_SIZE: the graph exceeds its limits. */
static vouch_status plan_on(const policy_space *like, int L, const know_limits *graph, const sure_search *sure,
                            const deadline *limit, knowledge_policy *out)
{
    space_options so = space_options_for(L);
    so.classes = 0;
    so.p = like->p;
    so.floor = like->floor;
    so.tolerance = like->tolerance;
    so.objective = like->objective;
    so.weights = like->weights;
    so.alike = like;
    so.graph = graph;
    vouch_status status = space_make(like->m, &so, &out->space, NULL);
    if (!status) status = incumbent_new(&out->space, &out->inc);
    if (status) return status;
    out->inc->limit = limit;
    if (sure_answer(sure) == SURE_KEPT) status = offer_sure(out->inc, sure);
    local_search_feasible(out->inc, FEASIBLE_ROUNDS, OFFER_PASSES);
    return status;
}

/* Clears *found on an error; ERROR_SIZE becomes OK. */
static vouch_status size_is_none(vouch_status status, knowledge_policy *found)
{
    if (status) knowledge_free(found);
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
}

typedef struct sure_actions {
    const vouch_model *m;
    const sure_search *sure;
} sure_actions;

static int sure_offer(void *context, int time, int state, const uint64_t set[], int pair[])
{
    const sure_actions *x = context;
    int q = sure_pair(x->sure, time, state, set);
    pair[0] = q >= 0 ? q : x->m->pair_start[state];
    return 1;
}

/* A policy that keeps the promises surely. */
static vouch_status surely(const policy_space *like, int L, const sure_search *sure, const deadline *limit, knowledge_policy *out)
{
    sure_actions actions = {like->m, sure};
    know_offer offer = {sure_offer, &actions};
    know_limits graph = {
        .nodes = (long long)(MOST_NODE_ENVIRONMENTS / like->K), .edges = MOST_EDGES, .time = limit, .offer = &offer};
    return size_is_none(plan_on(like, L, &graph, sure, limit, out), out);
}

vouch_status knowledge_find(const policy_space *like, int L, const deadline *limit, knowledge_policy *out)
{
    successor_sets sets = {0};
    sure_search *sure = NULL;
    double slack = 0;
    *out = (knowledge_policy){0};
    vouch_status status = successor_sets_new(like->m, SURE_WORDS, &sets);
    if (!status) status = look_ahead(like, &sets, limit, &sure, &slack);
    bool impossible = !status && sure_answer(sure) == SURE_IMPOSSIBLE && sure_least_failure(sure) > slack;
    if (!status && L > 0 && sure_answer(sure) == SURE_KEPT) status = surely(like, L, sure, limit, out);
    sure_search_free(sure);
    successor_sets_free(&sets);
    if (status) knowledge_free(out);
    out->impossible = impossible;
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
}

void knowledge_free(knowledge_policy *found)
{
    incumbent_free(found->inc);
    space_free(&found->space);
    *found = (knowledge_policy){0};
}
