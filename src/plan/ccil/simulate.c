/* plan/ccil/simulate.c - Monte Carlo: policies and CCIL played against each environment.
 *
 * Every episode has a random number generator of its own, seeded by (seed, environment, number), and results are added up in the
 * order of the numbers, so that nothing depends on the number of threads. CCIL episodes advance together, one segment a turn:
 * first the plans that some episode of the batch needs are made, in the order of the episodes, then all play their segment. Cost:
 * O(T outcomes) an episode, one plan a segment met. Intervals: mean by the normal approximation; frequencies by E. B. Wilson, J.
 * Amer. Statist. Assoc. 22 (1927).
 */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "plan/ccil/ccil.h"
#include "policy/parameters.h"
#include "policy/space.h"
#include "policy/within.h"

enum { BATCH = 4096, SHARE = 128 };               /* episodes run together, and by one task */
static const double QUANTILE = 1.959963984540054; /* of the normal distribution at 0.975 */

typedef struct episode {
    rng random;
    int k, segment;
    double reward;
    int end;   /* state at the horizon */
    int stuck; /* policy node without a rule, or -1 */
} episode;

typedef struct tally {
    long long episodes, kept;
    double sum, squares;
} tally;

void vouch_simulation_options_init(vouch_simulation_options *options)
{
    if (!options) return;
    *options = (vouch_simulation_options){.episodes = 10000, .seed = 1, .threads = 1};
}

static rng episode_rng(uint64_t seed, int k, long long number)
{
    rng r = rng_seed(seed + (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15));
    return rng_seed(rng_next(&r) + (uint64_t)number);
}

/* Index drawn from weights [count] that sum to 1; the last positive one when rounding leaves a rest; -1: all zero. */
static int draw(rng *r, const double weight[], int count)
{
    double u = rng_unit(r);
    int last = -1;
    for (int i = 0; i < count; i++) {
        if (weight[i] <= 0) continue;
        last = i;
        u -= weight[i];
        if (u < 0) break;
    }
    return last;
}

/* Takes pair q in environment e; adds the reward, returns the successor. */
static int take(const mdp *e, int q, rng *r, double *reward)
{
    int o = e->start[q] + draw(r, e->prob + e->start[q], e->start[q + 1] - e->start[q]);
    *reward += e->reward[o];
    return e->next[o];
}

/* From node 0 to the last layer of g; returns the node, or -2 - n where n has no rule. k: as in the graph's model. nature [edges]:
 * the rows that it plays; NULL: those of the model. */
static int walk_nodes(const know_graph *g, const double prob[], int k, const double nature[], rng *r, double *reward)
{
    int n = 0;
    while (n < g->time_start[g->T]) {
        int i = draw(r, prob + g->choice_start[n], g->choice_start[n + 1] - g->choice_start[n]);
        if (i < 0) return -2 - n;
        int c = g->choice_start[n] + i, e = g->edge_start[c];
        if (nature) {
            const mdp *own = &g->m->env[k];
            n = g->edge_child[e + draw(r, nature + e, g->edge_start[c + 1] - e)];
            *reward += own->reward[mdp_outcome(own, g->choice_pair[c], g->state[n])];
            continue;
        }
        int next = take(&g->m->env[k], g->choice_pair[c], r, reward);
        while (g->state[g->edge_child[e]] != next || !know_in_set(g, g->set[g->edge_child[e]], k)) e++;
        n = g->edge_child[e];
    }
    return n;
}

/* The same over classes, to the last ones or to one that follows plans: returns the class, or -2 - class. */
static int walk_classes(const know_classes *c, const class_plans *p, const double prob[], int k, rng *r, double *reward)
{
    const know_graph *g = c->g;
    int i = 0;
    while (i < c->time_start[g->T] && !(p && p->start[i + 1] > p->start[i])) {
        int s = draw(r, prob + c->slot_start[i], c->slot_start[i + 1] - c->slot_start[i]);
        if (s < 0) return -2 - i;
        s += c->slot_start[i];
        int next = take(&g->m->env[k], g->choice_pair[c->slot_option[s]], r, reward), a = c->arc_start[s];
        while (g->state[c->node[c->arc_child[a]]] != next || !know_in_set(g, g->set[c->node[c->arc_child[a]]], k)) a++;
        i = c->arc_child[a];
    }
    return i;
}

/* From class i on by the plan that is drawn there: returns the state at T, or -2 - node where it has no rule. */
static int walk_plan(const know_classes *c, const class_plans *p, int i, int k, rng *r, double *reward)
{
    const know_graph *g = c->g;
    const vouch_model *m = g->m;
    int n = c->node[i], s = g->state[n], first = p->start[i],
        plan = p->plan[first + draw(r, p->share + first, p->start[i + 1] - first)];
    for (int t = know_time(g, n); t < g->T; t++) {
        const double *row = p->table + ((size_t)plan * (size_t)g->T + (size_t)t) * (size_t)m->pairs + m->pair_start[s];
        int q = draw(r, row, m->pair_start[s + 1] - m->pair_start[s]);
        if (q < 0) return -2 - plans_node(g, t, s);
        s = take(&m->env[k], m->pair_start[s] + q, r, reward);
    }
    return s;
}

/* What plays: a policy over nodes or classes, or ccil. */
typedef struct player {
    const know_graph *g;
    const know_classes *c;    /* NULL: over nodes */
    const class_plans *plans; /* NULL: classes follow none */
    const double *prob;
    const double *nature; /* [K * edges] of each environment of g's model, or NULL */
    vouch_ccil *ccil;     /* NULL: a policy */
    episode *episode;
    int count, depth;
} player;

static void play_segment(const player *p, episode *x)
{
    const segment *seg = p->ccil->segment[x->segment];
    if (!seg->g || seg->depth != p->depth) return;
    int k = 0;
    while (seg->env[k] != x->k) k++;
    int n = walk_nodes(seg->g, seg->prob, k, NULL, &x->random, &x->reward);
    for (int i = 0; i < seg->exits; i++)
        if (seg->exit[i].node == n && seg->exit[i].child >= 0) x->segment = seg->exit[i].child;
    x->end = seg->g->state[n];
}

static void play_policy(const player *p, episode *x)
{
    const know_classes *c = p->c;
    const double *nature = p->nature ? p->nature + (size_t)x->k * (size_t)p->g->edges : NULL;
    int at = c ? walk_classes(c, p->plans, p->prob, x->k, &x->random, &x->reward)
               : walk_nodes(p->g, p->prob, x->k, nature, &x->random, &x->reward);
    if (at < 0) {
        x->stuck = c ? c->node[-2 - at] : -2 - at;
    } else if (c && at < c->time_start[p->g->T]) {
        int end = walk_plan(c, p->plans, at, x->k, &x->random, &x->reward);
        if (end < 0)
            x->stuck = -2 - end;
        else
            x->end = end;
    } else {
        x->end = p->g->state[c ? c->node[at] : at];
    }
}

static void play_share(void *context, int i, int thread)
{
    const player *p = context;
    (void)thread;
    for (int j = i * SHARE; j < (i + 1) * SHARE && j < p->count; j++) {
        if (p->ccil)
            play_segment(p, &p->episode[j]);
        else
            play_policy(p, &p->episode[j]);
    }
}

static void play(player *p, pool *threads) { pool_run(threads, (p->count + SHARE - 1) / SHARE, play_share, p); }

/* CCIL: all turns of the batch. */
static vouch_status play_turns(player *p, pool *threads, const deadline *limit, vouch_error *error)
{
    vouch_ccil *c = p->ccil;
    CHECK_COMPARE(c->options.plan.lookahead, >, 0);
    int turns = (c->m->T + c->options.plan.lookahead - 1) / c->options.plan.lookahead;
    vouch_status status = VOUCH_OK;
    for (p->depth = 0; p->depth < turns && !status; p->depth++) {
        int wanted = 0, *which = MEM_NEW(int, p->count);
        bool *listed = MEM_ZERO(bool, c->segments);
        if (!which || !listed) status = error_memory(error);
        for (int i = 0; i < p->count && !status; i++) {
            int seg = p->episode[i].segment;
            if (listed[seg] || c->segment[seg]->planned) continue;
            listed[seg] = true;
            which[wanted++] = seg;
        }
        if (!status) status = ccil_plan_segments(c, which, wanted, &(ccil_budget){limit, TIME.ccil, threads}, error);
        mem_free(which);
        mem_free(listed);
        if (!status) play(p, threads);
    }
    return status;
}

static void finish(const tally *t, vouch_sample *s)
{
    double n = (double)t->episodes;
    *s = (vouch_sample){.episodes = t->episodes, .mean = NAN, .half_width = NAN, .kept = NAN, .kept_low = 0, .kept_high = 1};
    if (t->episodes == 0) return;
    CHECK(t->kept >= 0 && t->kept <= t->episodes);
    double mean = t->sum / n, variance = t->episodes > 1 ? fmax(0, (t->squares - n * mean * mean) / (n - 1)) : INFINITY;
    double f = (double)t->kept / n, z2 = QUANTILE * QUANTILE / n;
    double middle = (f + z2 / 2) / (1 + z2), half = QUANTILE * sqrt(f * (1 - f) / n + z2 / (4 * n)) / (1 + z2);
    s->mean = mean;
    s->half_width = QUANTILE * sqrt(variance / n);
    s->kept = f;
    s->kept_low = t->kept == 0 ? 0 : middle - half;
    s->kept_high = t->kept == t->episodes ? 1 : middle + half;
}

static vouch_status run(const vouch_model *m, player *p, const vouch_simulation_options *o, vouch_sample sample[],
                        vouch_error *error)
{
    deadline limit = deadline_start(&o->limits);
    pool *threads = pool_new(o->threads > 1 ? o->threads : 1);
    tally *tallies = MEM_ZERO(tally, m->K);
    p->episode = MEM_NEW(episode, BATCH);
    vouch_status status = threads && tallies && p->episode ? VOUCH_OK : error_memory(error);
    long long all = o->episodes * m->K, done = 0;
    while (done < all && !status &&
           !deadline_expired(&limit)) { /* environments in turn, so that a limit leaves all with equal counts */
        p->count = (int)(all - done < BATCH ? all - done : BATCH);
        for (int i = 0; i < p->count; i++) {
            int k = (int)((done + i) % m->K);
            p->episode[i] = (episode){episode_rng(o->seed, k, (done + i) / m->K), k, 0, 0, m->s0, -1};
        }
        if (p->ccil)
            status = play_turns(p, threads, &limit, error);
        else
            play(p, threads);
        for (int i = 0; i < p->count && !status; i++) {
            const episode *x = &p->episode[i];
            tally *t = &tallies[x->k];
            if (x->stuck >= 0) status = rules_missing(m, know_time(p->g, x->stuck), p->g->state[x->stuck], error);
            t->episodes++;
            t->sum += x->reward;
            t->squares += x->reward * x->reward;
            t->kept += m->env[x->k].terminal[x->end] > 0;
        }
        done += p->count;
        if (o->progress) o->progress(o->progress_context, clock_seconds() - limit.start, done, all);
    }
    for (int k = 0; k < m->K && tallies; k++) {
        finish(&tallies[k], &sample[k]);
        sample[k].mean = model_given(m, sample[k].mean);
    }
    mem_free(p->episode);
    mem_free(tallies);
    pool_free(threads);
    return status;
}

static vouch_status check_options(const vouch_simulation_options *o, const vouch_sample sample[], vouch_error *error)
{
    if (!o || !sample) return error_set(error, VOUCH_ERROR_ARGUMENT, "there are no options, or there is no place for the samples");
    if (o->episodes < 1) return error_set(error, VOUCH_ERROR_ARGUMENT, "the number of episodes must be at least 1");
    vouch_status status = check_threads(o->threads, error);
    return status ? status : check_limits(&o->limits, error);
}

vouch_status vouch_simulate_ccil(vouch_ccil *c, const vouch_simulation_options *o, vouch_sample sample[], vouch_error *error)
{
    if (!c || !c->segment[0]->g) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no first plan to simulate");
    vouch_status status = check_options(o, sample, error);
    if (status) return status;
    player p = {.ccil = c};
    return run(c->m, &p, o, sample, error);
}

/* *nature [K * edges], owned by the caller: the worst reply to the promise of each row. */
static vouch_status find_nature(const policy_space *space, const double prob[], double **nature, vouch_error *error)
{
    const know_graph *g = space->g;
    reply_graph reply = reply_of_graph(g, prob);
    if (space->c)
        return error_set(error, VOUCH_ERROR_ARGUMENT,
                         "policies of the whole history are not simulated under the error of probabilities");
    double *value = MEM_NEW(double, g->nodes);
    bool failed = !(*nature = MEM_ZERO(double, (size_t)g->K *(size_t)g->edges)) || !value;
    for (int r = 0; r < g->K && !failed; r++)
        failed = reply_worst(&reply, r, value, *nature + (size_t)r * (size_t)g->edges) != VOUCH_OK;
    mem_free(value);
    return failed ? error_memory(error) : VOUCH_OK;
}

vouch_status vouch_simulate(const vouch_policy *policy, const vouch_model *m, const vouch_simulation_options *o,
                            vouch_sample sample[], vouch_error *error)
{
    vouch_status status = check_options(o, sample, error);
    if (!status && !policy) status = error_set(error, VOUCH_ERROR_ARGUMENT, "there is no policy");
    if (status) return status;
    policy_space space;
    double *prob;
    vouch_model rows;
    status = check_model(m, error);
    if (status) return status;
    if (model_rows(m, &rows)) return error_memory(error);
    m = &rows;
    status = space_of_policy(m, policy, &space, &prob, error);
    if (status) {
        model_view_free(&rows);
        return status;
    }
    double *nature = NULL;
    if (vouch_model_has_error(m)) status = find_nature(&space, prob, &nature, error);
    player p = {.g = space.g, .c = space.c, .plans = space.plans, .prob = prob, .nature = nature};
    if (!status) status = run(m, &p, o, sample, error);
    MEM_FREE_ALL(prob, nature);
    space_free(&space);
    model_view_free(&rows);
    return status;
}

vouch_sample vouch_sample_average(const vouch_model *m, int promise, const vouch_sample sample[])
{
    vouch_sample mean = {0};
    double low = 0, high = 0, half = 0;
    if (!m || !sample || promise < 0 || promise >= vouch_model_promises(m)) return mean;
    for (int k = 0; k < m->K; k++) {
        const vouch_sample *s = &sample[k * vouch_model_promises(m) + promise];
        double w = vouch_model_prior(m, k);
        mean.episodes += s->episodes;
        if (!(w > 0)) continue; /* what was never sampled there counts for nothing */
        mean.mean += w * s->mean;
        mean.kept += w * s->kept;
        half += w * w * s->half_width * s->half_width;
        low += w * w * (s->kept - s->kept_low) * (s->kept - s->kept_low);
        high += w * w * (s->kept_high - s->kept) * (s->kept_high - s->kept);
    }
    mean.half_width = sqrt(half);
    mean.kept_low = fmax(0, mean.kept - sqrt(low));
    mean.kept_high = fmin(1, mean.kept + sqrt(high));
    return mean;
}
