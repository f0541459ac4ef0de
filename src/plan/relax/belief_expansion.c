/* plan/relax/belief_expansion.c - see belief_expansion.h: column generation over expanded classes.
 *
 * At given multipliers one pass over the classes (know/classes.h) gives a bound on every history policy, and a policy,
 *
 *     constant(lambda, mu) - high(root)  <=  least maximum regret  <=  master program over the policies found,
 *
 * then the leaves that contribute most to the distance are expanded. Policies found with fewer classes remain policies, so columns
 * stay. The multipliers are the mean of the master program's and the best bound's, since with few columns the program's
 * alone jump between corners (P. Wentges, Int. Trans. Oper. Res. 4, 1997).
 *
 * At the end the classes are fixed, columns are recomputed at the multipliers of the mixture, and the best mixture of these is
 * written as one behaviour, with plans at its leaves if it reaches too many classes. Cost of a round: arcs, and (choices or plans)
 * K a class. Invariant: the bound comes from inductions alone.
 */
#include "plan/relax/belief_expansion.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/colgen/colgen.h"
#include "policy/parameters.h"

/* History policies that act as if the environment were revealed after the next step:
 *
 *     choice(n, w) = argmax over a of  sum_k w_k q_k(n, a),
 *     q_k(n, a) = lambda_k R(s,a;k) + sum over n' P(n'|n,a;k) max over a' of q_k(n', a'),    mu_k [s in Phi] at T,
 *
 * the optimal values of single environments weighted by the likelihoods of the history. Such a policy reaches a small part of all
 * classes, since it has one choice at each; only these are built (know_classes_guided), and it is evaluated exactly. Until one
 * keeps the promises, regrets and probabilities are columns of the master program; the mean of its multipliers and the last ones
 * gives the next policy. Then multiplicative weights favour environments of large regret (Arora, Hazan, Kale, Theory of Computing
 * 8, 2012): the policies are not optimal for their multipliers, so the program could repeat the same; it returns when weights no
 * longer help. A heuristic without bounds.
 *
 * Source: the rule is QMDP (Littman, Cassandra, Kaelbling, ICML 1995), which does not value information. Cost of a round: edges K
 * for q, and K times the classes reached.
 */

static const double LEAST_REGRET = 1e-9;

typedef struct env_guide {
    const know_graph *g;
    double *q, *v;       /* [choices * K], [nodes * K] */
    double *lambda, *mu; /* [K] */
} env_guide;

static void want_best(void *context, const know_classes *made, int i, unsigned char want[])
{
    const env_guide *x = context;
    const double *w = know_class_weights(made, i);
    int node = made->node[i];
    const know_graph *g = x->g;
    double most = -INFINITY;
    int best = g->choice_start[node];
    for (int c = best; c < g->choice_start[node + 1]; c++) {
        if (g->choice_twin[c] != c) continue;
        const double *q = x->q + (size_t)c * (size_t)g->K;
        double sum = 0;
        for (int k = 0; k < g->K; k++)
            if (w[k] > 0) sum += w[k] * q[k];
        if (sum <= most) continue;
        most = sum;
        best = c;
    }
    want[best - g->choice_start[node]] = 1;
}

typedef struct guided_rounds {
    const plan_call *call;
    const policy_space *space;
    env_guide x;
    generation mix;
    double *U, *Pr, *regret; /* [K] */
    int steps;               /* by weights */
} guided_rounds;

/* The policy of the current multipliers, with figures in U, Pr and regret; replaces *out if better. */
static vouch_status try_policy(guided_rounds *r, const deadline *limit, guided_policy *out)
{
    const policy_space *space = r->space;
    class_guide by = {&r->x, want_best};
    guided_policy now = {0};
    double missing;
    induction_informed(r->x.g, r->x.lambda, r->x.mu, r->x.q, r->x.v);
    long long most = r->call->options->class_limit > 0 ? r->call->options->class_limit : HISTORY_CLASSES;
    vouch_status status = know_classes_guided(space->g, &by, most, limit, &now.c, r->call->error);
    if (status) return status;
    double *reach = MEM_NEW(double, now.c->classes);
    now.prob = MEM_NEW(double, now.c->slots);
    if (!reach || !now.prob) {
        mem_free(reach);
        guided_free(&now);
        return VOUCH_ERROR_MEMORY;
    }
    for (int slot = 0; slot < now.c->slots; slot++) now.prob[slot] = 1;
    int bare = induction_evaluate(now.c, now.prob, NULL, reach, r->U, r->Pr);
    CHECK_COMPARE(bare, <, 0);
    (void)bare;
    mem_free(reach);
    for (int k = 0; k < space->K; k++) r->regret[k] = space->optimal[k] - r->U[k];
    now.regret = space_objective(space, r->regret);
    bool better = space_kept(space, r->Pr, &missing) && (!out->c || now.regret < out->regret);
    log_line(&r->call->options->log, VOUCH_LOG_DETAIL,
             "a policy that looks one step ahead: %d likelihood classes, maximum regret %.10g%s", now.c->classes,
             r->call->m->scale.spread * now.regret, better ? ", the best so far" : "");
    if (better) {
        guided_policy worse = *out;
        *out = now;
        now = worse;
    }
    guided_free(&now);
    return VOUCH_OK;
}

/* The multipliers of the next round; *value: of the best mixture of the policies tried, INFINITY if none keeps the promises. */
static bool guided_multipliers(guided_rounds *r, vouch_status *status, double *value)
{
    if (!generation_next(&r->mix, status)) return false;
    *value = r->mix.feasible ? r->mix.value : INFINITY;
    for (int k = 0; k < r->space->K; k++) {
        r->x.lambda[k] = (r->x.lambda[k] + r->mix.lambda[k]) / 2;
        r->x.mu[k] = (r->x.mu[k] + r->mix.mu[k]) / 2;
    }
    return true;
}

/* Multiplicative weights by regret. First every weight becomes positive. */
static void step_by_weights(guided_rounds *r, double regret)
{
    int K = r->space->K;
    double sum = 0, mean = 0;
    for (int k = 0; k < K; k++) {
        sum += r->x.lambda[k];
        mean += r->regret[k] / K;
    }
    if (r->steps++ == 0)
        for (int k = 0; k < K; k++) r->x.lambda[k] = sum > 0 ? 0.9 * r->x.lambda[k] + 0.1 * sum / K : 1.0 / K;
    double scale = RELAX.guided_step / (fmax(fabs(regret), LEAST_REGRET) * sqrt(r->steps));
    for (int k = 0; k < K; k++)
        r->x.lambda[k] *= exp(fmin(fmax(scale * (r->regret[k] - mean), -RELAX.guided_most_step), RELAX.guided_most_step));
}

static vouch_status run_rounds(guided_rounds *r, const deadline *limit, guided_policy *out)
{
    vouch_status status = VOUCH_OK;
    double last = INFINITY;
    int repeated = 0, idle = 0;
    for (int i = 0; i < RELAX.guided_rounds && !status && !deadline_expired(limit); i++) {
        double value = -INFINITY, before = out->c ? out->regret : INFINITY;
        status = try_policy(r, limit, out);
        if (status == VOUCH_ERROR_SIZE) return VOUCH_OK; /* *out stays */
        if (!status) status = generation_add(&r->mix, r->regret, r->Pr);
        idle = out->c && out->regret < before ? 0 : idle + 1;
        if (!status && out->c && idle < RELAX.guided_idle)
            step_by_weights(r, out->regret);
        else if (!guided_multipliers(r, &status, &value))
            break;
        if (out->c) plan_progress(r->call, "policies that look one step ahead", out->regret, r->call->policy->bound, 0, 0);
        if (out->c && i > 2 && out->regret - value <= RELAX.guided_enough * fabs(value)) break;
        double total = 0;
        for (int k = 0; k < r->space->K; k++) total += r->regret[k];
        repeated = total < last || total > last ? 0 : repeated + 1;
        if (repeated > RELAX.guided_patience) break;
        last = total;
    }
    return status;
}

vouch_status guided_search(const plan_call *call, const policy_space *space, const double *mu, const deadline *limit,
                           guided_policy *out)
{
    const know_graph *g = space->g;
    int K = space->K;
    if ((double)g->choices * K > RELAX.guided_values || space->floor) return VOUCH_OK;
    guided_rounds r = {.call = call, .space = space, .x = {.g = g}};
    double *all = MEM_ZERO(double, 5 * (size_t)K);
    r.x.q = MEM_NEW(double, (size_t)g->choices *(size_t)K);
    r.x.v = MEM_NEW(double, (size_t)g->nodes *(size_t)K);
    vouch_status status = generation_init(&r.mix, space, true);
    if (!all || !r.x.q || !r.x.v) status = VOUCH_ERROR_MEMORY;
    if (!status) status = generation_begin(&r.mix, MASTER_MAX_REGRET, space->p, INFINITY, NULL);
    if (!status) {
        r.x.lambda = all;
        r.x.mu = all + K;
        r.U = all + 2 * K;
        r.Pr = all + 3 * K;
        r.regret = all + 4 * K;
        r.mix.limit = limit;
        for (int k = 0; k < K; k++) {
            r.x.lambda[k] = 1.0 / K;
            r.x.mu[k] = mu ? mu[k] : 1.0 / K;
        }
        status = run_rounds(&r, limit, out);
    }
    generation_clear(&r.mix);
    MEM_FREE_ALL(all, r.x.q, r.x.v);
    return status;
}

void guided_free(guided_policy *p)
{
    know_classes_free(p->c);
    mem_free(p->prob);
    class_plans_free(p->plans);
    *p = (guided_policy){0};
}

/* Mixture and bound meet within rounding. */
static const double ROUNDING = 1e-9;

struct belief_expansion {
    plan_call *call;
    const policy_space *space;
    grown_plans plans;
    grown_classes *c;
    generation mix;
    double *lambda, *mu;     /* [K] each in one block: current */
    double *centre;          /* [2 K] of the best bound */
    double *U, *Pr, *regret; /* [K] */
    double *tried;           /* [columns * 2 K] multipliers of the columns */
    double bound;            /* of every policy */
    double low_bound;        /* of mixtures over the current classes */
    double value;            /* of the mixture; INFINITY: none keeps the promises */
    double work, most_work;  /* multiplications done, and their limit; INFINITY: none */
    long long rounds;
    int pause; /* limit on classes */
    int idle;  /* consecutive rounds without expansion */
    bool over;
    size_t tried_capacity;
    arena memory; /* of all fixed arrays */
};

/* ---- plans ------------------------------------------------------------------------------------------------------------ */

/* Adds the Markov policy prob [choices] at the end of plans->prob, unless it is a duplicate. */
static void add_plan(const know_graph *g, grown_plans *plans)
{
    size_t choices = (size_t)g->choices, numbers = (size_t)g->nodes * (size_t)g->K;
    int j = plans->count;
    double *prob = plans->prob + (size_t)j * choices;
    for (size_t choice = 0; choice < choices; choice++) {
        size_t twin = (size_t)g->choice_twin[choice];
        if (twin == choice) continue;
        prob[twin] += prob[choice];
        prob[choice] = 0;
    }
    for (int i = 0; i < j; i++)
        if (!memcmp(plans->prob + (size_t)i * choices, prob, choices * sizeof *prob)) return;
    propagate_backward(g, prob, plans->gain + (size_t)j * numbers, plans->keep + (size_t)j * numbers);
    plans->count++;
}

/* Adds a policy that keeps all promises, if one is found. */
static vouch_status add_feasible(const belief_expansion *x, grown_plans *plans)
{
    const vouch_model *m = x->space->m;
    double *table = plans->table + (size_t)plans->count * (size_t)m->T * (size_t)m->pairs;
    feasibility s = {.p = x->space->p, .tolerance = x->space->tolerance, .limit = &x->call->limit, .rounds = 40, .passes = 2};
    s.choice = MEM_NEW(int, (size_t)m->T *(size_t)m->S);
    s.U = MEM_NEW(double, 2 * (size_t)m->K);
    vouch_status status = s.choice && s.U ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    s.Pr = s.U ? s.U + m->K : NULL;
    if (!status) status = feasible_markov(m, &s);
    memset(table, 0, (size_t)m->T * (size_t)m->pairs * sizeof *table);
    for (int i = 0; i < m->T * m->S && !status && s.kept; i++)
        if (s.choice[i] >= 0) table[(size_t)(i / m->S) * (size_t)m->pairs + (size_t)s.choice[i]] = 1;
    if (!status && s.kept) {
        space_spread(x->space->g, table, plans->prob + (size_t)plans->count * (size_t)x->space->g->choices);
        add_plan(x->space->g, plans);
    }
    mem_free(s.choice);
    mem_free(s.U);
    return status;
}

/* Optimal policies of evenly spaced environments, and one that keeps all promises. */
static vouch_status make_plans(belief_expansion *x, int most)
{
    const policy_space *space = x->space;
    const know_graph *g = space->g;
    grown_plans *plans = &x->plans;
    int group = space->m->group, environments = space->K / group, alone = environments < most - 1 ? environments : most - 1;
    size_t numbers = (size_t)most * (size_t)g->nodes * (size_t)g->K, table = (size_t)space->m->T * (size_t)space->m->pairs;
    plans->table = ARENA_NEW(&x->memory, double, (size_t)most *table);
    plans->prob = ARENA_NEW(&x->memory, double, (size_t)most *(size_t)g->choices);
    plans->gain = ARENA_NEW(&x->memory, double, numbers);
    plans->keep = ARENA_NEW(&x->memory, double, numbers);
    vouch_status status = x->memory.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    for (int i = 0; i < alone && !status; i++) {
        double *own = plans->table + (size_t)plans->count * table;
        status = space_alone(space, (int)((long long)i * environments / alone) * group, own);
        if (status) break;
        space_spread(g, own, plans->prob + (size_t)plans->count * (size_t)g->choices);
        add_plan(g, plans);
    }
    if (!status && space_may_bind(space)) status = add_feasible(x, plans);
    return status;
}

/* ---- rounds ----------------------------------------------------------------------------------------------------------- */

/* Multiplications of a pass. */
static double pass_work(const belief_expansion *x)
{
    const know_graph *g = x->space->g;
    double choices = (double)g->choices / (g->time_start[g->T] + 1);
    return x->c->arcs + x->space->K * (choices * x->c->count + (double)x->plans.count * (x->c->count - x->c->grown));
}

/* One round at lambda, mu: bounds, and a column. */
static vouch_status try_multipliers(belief_expansion *x)
{
    const policy_space *space = x->space;
    int K = space->K, number = master_columns(x->mix.program);
    double high, low, constant = 0, aimed = 0;
    double since = trace_start(x->call->options->trace);
    grown_value(x->c, x->lambda, x->mu, &high, &low);
    grown_forward(x->c, x->U, x->Pr);
    trace_stop(x->call->options->trace, KERNEL_induction, since);
    x->work += pass_work(x);
    for (int k = 0; k < K; k++) {
        constant += x->lambda[k] * space->optimal[k];
        aimed += x->lambda[k] * space->optimal[k];
    }
    constant += space_worth(space, x->mu, space->accepted);
    aimed += space_worth(space, x->mu, space->p);
    if (constant - high > x->bound) {
        x->bound = constant - high;
        MEM_COPY(x->centre, x->lambda, 2 * K);
    }
    x->low_bound = fmax(x->low_bound, aimed - low);
    deadline_use(&x->call->limit, 0, 1);
    for (int k = 0; k < K; k++) x->regret[k] = space->optimal[k] - x->U[k];
    if (MEM_RESERVE(&x->tried, &x->tried_capacity, (size_t)(number + 1) * 2 * (size_t)K)) return VOUCH_ERROR_MEMORY;
    MEM_COPY(x->tried + (size_t)number * 2 * (size_t)K, x->lambda, 2 * K);
    return generation_add(&x->mix, x->regret, x->Pr);
}

/* Multipliers of the next round, and the value of the mixture. *ok: there are multipliers. */
static vouch_status next_multipliers(belief_expansion *x, const deadline *limit, bool *ok)
{
    int K = x->space->K;
    vouch_status status = VOUCH_OK;
    x->mix.limit = limit;
    double since = trace_start(x->call->options->trace);
    *ok = generation_next(&x->mix, &status);
    trace_stop(x->call->options->trace, KERNEL_master, since);
    if (!*ok) return status;
    if (x->mix.feasible) x->value = x->mix.value;
    double sum = 0;
    const double *other = x->mix.feasible ? x->centre : x->lambda;
    for (int k = 0; k < K; k++) {
        x->lambda[k] = x->space->share ? x->space->share[k] : (other[k] + x->mix.lambda[k]) / 2;
        x->mu[k] = (other[K + k] + x->mix.mu[k]) / 2;
        sum += x->lambda[k];
    }
    for (int k = 0; k < 2 * K && sum > 0; k++) x->lambda[k] /= sum;
    *ok = sum > 0;
    return VOUCH_OK;
}

/* Is the mixture nearly optimal over the current classes? */
static bool converged(const belief_expansion *x)
{
    if (!(x->value < INFINITY)) return false;
    return x->value - x->low_bound <= fmax(RELAX.met * (x->value - x->bound), ROUNDING * fabs(x->value));
}

static bool closed(const belief_expansion *x)
{
    if (!(x->value < INFINITY)) return false;
    double gap = x->call->options->gap;
    if (x->most_work < INFINITY) gap = fmin(gap, RELAX.near_mixture * fabs(x->value));
    return x->value - x->bound <= fmax(gap / 2, ROUNDING * fabs(x->value));
}

/* Runs until bound and mixture meet, the classes are exhausted, no mixture keeps the promises, or a limit is reached. */
static vouch_status grow(belief_expansion *x, long long most_classes, const deadline *limit)
{
    vouch_status status = VOUCH_OK;
    bool ok = true;
    while (!x->over && x->work < x->most_work && x->c->count < x->pause && !deadline_expired(limit)) {
        int done = 0;
        status = try_multipliers(x);
        if (!status) status = next_multipliers(x, limit, &ok);
        x->over = status || !ok || closed(x) || (x->rounds++ >= RELAX.feasible_rounds && !(x->value < INFINITY));
        if (x->over) break;
        if (x->c->count < most_classes)
            status = grown_grow(x->c, RELAX.growth_share, RELAX.least_growth + (int)(RELAX.growth_part * x->c->count), most_classes,
                                &done);
        x->idle = done > 0 ? 0 : x->idle + 1;
        x->over = status || deadline_used_up(&x->call->limit);
        x->over |= x->idle > 0 && (converged(x) || x->idle > RELAX.settle_rounds || x->c->count >= most_classes);
        if (x->idle > 0 && x->over) break;
        if (done > 0) x->low_bound = -INFINITY;
        log_line(&x->call->options->log, VOUCH_LOG_DETAIL, "%d likelihood classes, %d of them grown: bound %.10g, mixture %.10g",
                 x->c->count, x->c->grown, x->call->m->scale.spread * x->bound, x->call->m->scale.spread * x->value);
        if (!(x->most_work < INFINITY)) /* else the trees report */
            plan_progress(x->call, "likelihood classes that matter", x->value, x->bound, 0, 0);
    }
    return status;
}

/* Recomputes columns over the current classes until their best mixture is found. Those of the current mixture, about as many as
 * environments at one pass each, ignore the limit, or the result would be lost. */
static vouch_status finish_mixture(belief_expansion *x, const deadline *limit)
{
    const policy_space *space = x->space;
    int K = space->K, count = master_columns(x->mix.program);
    double *before = MEM_NEW(double, (size_t)count * 2 * (size_t)K);
    if (!before) return VOUCH_ERROR_MEMORY;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (x->mix.alpha[i] > 0) MEM_COPY(before + (size_t)kept++ * 2 * (size_t)K, x->tried + (size_t)i * 2 * (size_t)K, 2 * K);
    x->value = INFINITY;
    x->low_bound = -INFINITY;
    bool ok = true;
    vouch_status status = generation_begin(&x->mix, MASTER_MAX_REGRET, space->p, INFINITY, NULL);
    for (int i = 0; i < kept + RELAX.settle_rounds && !status && ok; i++) {
        if (i >= kept && deadline_expired(limit)) break;
        if (i < kept) MEM_COPY(x->lambda, before + (size_t)i * 2 * (size_t)K, 2 * K);
        status = try_multipliers(x);
        if (!status && i >= kept - 1) status = next_multipliers(x, i < kept ? NULL : limit, &ok);
        if (i >= kept - 1 && (converged(x) || closed(x))) break;
    }
    mem_free(before);
    return status;
}

/* ---- a mixture of policies of expanded classes as one history policy ----------------------------------------------------
 *
 * The mode of a history is the policy of the mixture that is followed or, after a leaf, the plan. All histories of a class have the
 * same likelihoods up to a factor, so the probability of each mode is one number per class, the same in every environment,
 *
 *     mass(child, mode) += mass(class, mode) Pr(choice | mode) factor,
 *     Pr(choice | class) = sum over modes of mass Pr(choice | mode) / sum of mass,
 *
 * and choosing by the latter preserves every occupancy (H. Kuhn, Contributions to the Theory of Games II, 1953). Cost: modes a
 * class and arc. Invariant: classes of a time are requested in order, after the classes of the time before have their arcs. */

/* Policies that choose pick [columns * count] at the classes of c, a plan at leaves (grown_classes.low_best), each with probability
 * alpha [columns] > 0. */
typedef struct grown_mixture {
    const grown_classes *c;
    int columns, count;
    int *pick;
    double *alpha;
} grown_mixture;

/* Smaller shares of a choice are rounding of a mixture's weights. */
static const double SHARE_ROUNDING = 1e-12;

typedef struct mode_layer {
    double *mass; /* [classes of the time * modes] */
    int *grown;   /* [classes of the time] its expanded class, or -1 */
    size_t mass_capacity, grown_capacity;
} mode_layer;

typedef struct mode_guide {
    const grown_mixture *x;
    int modes, time, first; /* first class of the current time */
    mode_layer here, next;
    double *prob; /* [slots] in their order */
    size_t slots, prob_capacity;
    class_plans *plans; /* owned: the plans after leaves; NULL: classes continue to the horizon */
    size_t entries, start_capacity, plan_capacity, share_capacity;
    bool failed;
} mode_guide;

static int clear_layer(mode_layer *l, size_t classes, size_t modes)
{
    if (MEM_RESERVE(&l->grown, &l->grown_capacity, classes) || MEM_RESERVE(&l->mass, &l->mass_capacity, classes * modes)) return -1;
    memset(l->mass, 0, classes * modes * sizeof *l->mass);
    for (size_t i = 0; i < classes; i++) l->grown[i] = -1;
    return 0;
}

/* Pr(choice | mode) at a class of this node; grown: its expanded class, or -1. */
static double choice_prob(const mode_guide *r, int mode, int grown, int choice)
{
    const grown_mixture *x = r->x;
    if (mode < x->columns) return grown >= 0 && x->pick[(size_t)mode * (size_t)x->count + (size_t)grown] == choice;
    return x->c->plans->prob[(size_t)(mode - x->columns) * (size_t)x->c->g->choices + (size_t)choice];
}

/* Passes the modes of class i along one of its slots. */
static void send_modes(mode_guide *r, const know_classes *made, int i, int slot, int next_first)
{
    const grown_classes *c = r->x->c;
    const double *mass = r->here.mass + (size_t)(i - r->first) * (size_t)r->modes;
    int grown = r->here.grown[i - r->first], choice = made->slot_option[slot];
    int arc = grown >= 0 && c->arc_start[grown] >= 0 ? grown_arc(c, grown, choice) : -1;
    for (int a = made->arc_start[slot]; a < made->arc_start[slot + 1]; a++) {
        int child = made->arc_child[a] - next_first;
        double *there = r->next.mass + (size_t)child * (size_t)r->modes;
        for (int mode = 0; mode < r->modes; mode++)
            if (mass[mode] > 0) there[mode] += mass[mode] * choice_prob(r, mode, grown, choice) * made->arc_factor[a];
        if (arc < 0) continue;
        while (c->arc_child[arc] < 0) arc++; /* impossible edges have no arc there */
        r->next.grown[child] = c->arc_child[arc++];
    }
}

/* Fills the layer of the classes first .. made->classes - 1, after all before are expanded. */
static int advance(mode_guide *r, const know_classes *made, int first)
{
    if (clear_layer(&r->next, (size_t)(made->classes - first), (size_t)r->modes)) return -1;
    for (int i = r->first; i < first; i++)
        for (int slot = made->slot_start[i]; slot < made->slot_start[i + 1]; slot++) send_modes(r, made, i, slot, first);
    mode_layer done = r->here;
    r->here = r->next;
    r->next = done;
    r->first = first;
    r->time++;
    return 0;
}

/* Modes that reach a leaf become its plan. */
static void begin_plans(const mode_guide *r, int grown, double mass[])
{
    const grown_mixture *x = r->x;
    if (grown < 0 || x->c->arc_start[grown] >= 0) return;
    for (int i = 0; i < x->columns; i++) {
        mass[x->columns + x->pick[(size_t)i * (size_t)x->count + (size_t)grown]] += mass[i];
        mass[i] = 0;
    }
}

/* Records the plans that class i follows, with shares of mass [modes]; none if no mode is a plan. */
static int note_plans(mode_guide *r, int i, const double mass[])
{
    class_plans *p = r->plans;
    double total = 0, kept = 0;
    size_t begun = r->entries;
    for (int j = 0; j < p->count; j++) total += mass[r->x->columns + j];
    for (int j = 0; j < p->count; j++) {
        double share = mass[r->x->columns + j];
        if (!(share > SHARE_ROUNDING * total)) continue;
        if (MEM_RESERVE(&p->plan, &r->plan_capacity, r->entries) || MEM_RESERVE(&p->share, &r->share_capacity, r->entries))
            return -1;
        p->plan[r->entries] = j;
        p->share[r->entries++] = share;
        kept += share;
    }
    for (size_t e = begun; e < r->entries; e++) p->share[e] /= kept;
    if (r->entries > INT_MAX || MEM_RESERVE(&p->start, &r->start_capacity, i + 1)) return -1;
    p->start[i + 1] = (int)r->entries;
    return 0;
}

static void want_mixture(void *context, const know_classes *made, int i, unsigned char want[])
{
    mode_guide *r = context;
    const know_graph *g = made->g;
    if (r->failed) return;
    if (i > 0 && i == made->time_start[r->time + 1] && (r->failed = advance(r, made, i))) return;
    int grown = r->here.grown[i - r->first], from = g->choice_start[made->node[i]], to = g->choice_start[made->node[i] + 1];
    double *mass = r->here.mass + (size_t)(i - r->first) * (size_t)r->modes, total = 0;
    size_t begun = r->slots;
    begin_plans(r, grown, mass);
    if (r->plans) {
        r->failed = note_plans(r, i, mass);
        if (r->failed || r->plans->start[i + 1] > r->plans->start[i]) return;
    }
    for (int mode = 0; mode < r->modes; mode++) total += mass[mode];
    for (int choice = from; choice < to; choice++) {
        double share = 0;
        for (int mode = 0; mode < r->modes; mode++)
            if (mass[mode] > 0) share += mass[mode] * choice_prob(r, mode, grown, choice);
        if (!(share > SHARE_ROUNDING * total)) continue;
        CHECK(g->choice_twin[choice] == choice);
        if ((r->failed = MEM_RESERVE(&r->prob, &r->prob_capacity, r->slots))) return;
        want[choice - from] = 1;
        r->prob[r->slots++] = share;
    }
    double kept = 0;
    for (size_t slot = begun; slot < r->slots; slot++) kept += r->prob[slot];
    for (size_t slot = begun; slot < r->slots; slot++) r->prob[slot] /= kept;
}

static int begin_ends(mode_guide *r)
{
    const know_graph *g = r->x->c->g;
    const grown_plans *plans = r->x->c->plans;
    class_plans *p = r->plans = MEM_ZERO(class_plans, 1);
    if (!p) return -1;
    size_t numbers = (size_t)plans->count * (size_t)g->T * (size_t)g->m->pairs;
    p->count = plans->count;
    p->table = MEM_NEW(double, numbers);
    if (!p->table || MEM_RESERVE(&p->start, &r->start_capacity, 1)) return -1;
    MEM_COPY(p->table, plans->table, numbers);
    p->start[0] = 0;
    return 0;
}

/* Classes at the horizon follow no plan. */
static int finish_ends(mode_guide *r, const know_classes *c)
{
    if (MEM_RESERVE(&r->plans->start, &r->start_capacity, c->classes)) return -1;
    for (int i = c->time_start[c->g->T]; i < c->classes; i++) r->plans->start[i + 1] = (int)r->entries;
    return 0;
}

/* The behaviour of the mixture: at most `limit` classes, and prob of their slots, into an empty *out without its regret. ends: its
 * classes end at leaves, where plans follow. ERROR_SIZE: too many classes, or time is over. */
static vouch_status behaviour_of(const grown_mixture *x, bool ends, long long limit, const deadline *time, guided_policy *out,
                                 vouch_error *error)
{
    mode_guide r = {.x = x, .modes = x->columns + x->c->plans->count};
    class_guide guide = {&r, want_mixture};
    vouch_status status = VOUCH_ERROR_MEMORY;
    CHECK(x->columns > 0 && x->count == x->c->count);
    if (!clear_layer(&r.here, 1, (size_t)r.modes) && (!ends || !begin_ends(&r))) {
        MEM_COPY(r.here.mass, x->alpha, x->columns);
        r.here.grown[0] = 0;
        status = know_classes_guided(x->c->g, &guide, limit, time, &out->c, error);
    }
    if (!status && (r.failed || (ends && finish_ends(&r, out->c)))) status = VOUCH_ERROR_MEMORY;
    if (!status) {
        CHECK_COMPARE((size_t)out->c->slots, ==, r.slots);
        out->prob = r.prob;
        out->plans = r.plans;
        r.prob = NULL;
        r.plans = NULL;
    } else {
        guided_free(out);
    }
    MEM_FREE_ALL(r.here.mass, r.here.grown, r.next.mass, r.next.grown, r.prob);
    class_plans_free(r.plans);
    return status;
}

/* ---- the result ---------------------------------------------------------------------------------------------------------- */

/* The regret of *out by exact propagation; clears *out if it breaks a promise. */
static vouch_status evaluate(belief_expansion *x, guided_policy *out)
{
    int bare;
    double *reach = plans_propagate(out->c, out->prob, out->plans, x->U, x->Pr, &bare);
    if (!reach) return VOUCH_ERROR_MEMORY;
    CHECK_COMPARE(bare, <, 0);
    mem_free(reach);
    for (int k = 0; k < x->space->K; k++) x->regret[k] = x->space->optimal[k] - x->U[k];
    out->regret = space_objective(x->space, x->regret);
    bool kept = bare < 0 && space_kept(x->space, x->Pr, NULL);
    log_line(&x->call->options->log, VOUCH_LOG_INFO, "a policy of %d likelihood classes%s, maximum regret %.10g%s", out->c->classes,
             out->plans ? ", which then follows plans" : "", x->call->m->scale.spread * out->regret,
             kept ? "" : ", that does not keep the promises");
    if (!kept) guided_free(out);
    return VOUCH_OK;
}

/* Is the policy over all its classes as good within the gap as the one with plans at leaves? Its rounding errors accumulate (20
 * environments, T = 50: 496 000 classes, regret .2701949528; 73 000, regret .2701946211). */
static bool as_good(const belief_expansion *x, const guided_policy *whole, const guided_policy *ends)
{
    double gap = x->call->options->gap, enough = x->call->policy->bound + gap;
    return !ends->c || (whole->regret <= ends->regret + gap && (whole->regret <= enough || ends->regret > enough));
}

/* The mixture as one behaviour: over all classes that it reaches, if limits and time allow, else with plans at leaves. */
static vouch_status write_behaviour(belief_expansion *x, const grown_mixture *mix, guided_policy *out)
{
    const plan_call *call = x->call;
    long long most = call->options->class_limit > 0 ? call->options->class_limit : HISTORY_CLASSES;
    guided_policy whole = {0};
    vouch_status status = behaviour_of(mix, true, most, NULL, out, call->error);
    if (!status) status = evaluate(x, out);
    if (status == VOUCH_ERROR_SIZE) status = VOUCH_OK; /* too many classes to write */
    if (status || (out->c && deadline_interrupted(&call->limit))) return status;
    status = behaviour_of(mix, false, most, deadline_interrupted(&call->limit) ? NULL : &call->limit, &whole, call->error);
    if (status == VOUCH_ERROR_SIZE) return VOUCH_OK;
    if (!status) status = evaluate(x, &whole);
    if (!status && whole.c && as_good(x, &whole, out)) {
        guided_free(out);
        *out = whole;
        return VOUCH_OK;
    }
    guided_free(&whole);
    return status;
}

static vouch_status write_mixture(belief_expansion *x, guided_policy *out)
{
    int K = x->space->K, count = master_columns(x->mix.program);
    grown_mixture mix = {.c = x->c, .count = x->c->count};
    double high, low;
    for (int i = 0; i < count; i++) mix.columns += x->mix.alpha[i] > 0;
    mix.pick = MEM_NEW(int, (size_t)mix.columns *(size_t)mix.count);
    mix.alpha = MEM_NEW(double, mix.columns);
    vouch_status status = mix.pick && mix.alpha ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int i = 0, j = 0; i < count && !status; i++) {
        if (!(x->mix.alpha[i] > 0)) continue;
        const double *tried = x->tried + (size_t)i * 2 * (size_t)K;
        grown_value(x->c, tried, tried + K, &high, &low);
        MEM_COPY(mix.pick + (size_t)j * (size_t)mix.count, x->c->low_best, mix.count);
        mix.alpha[j++] = x->mix.alpha[i];
    }
    if (!status) status = write_behaviour(x, &mix, out);
    mem_free(mix.pick);
    mem_free(mix.alpha);
    return status;
}

static vouch_status search(belief_expansion *x, const deadline *limit, guided_policy *out)
{
    const vouch_plan_options *o = x->call->options;
    long long most = o->class_limit > 0 ? o->class_limit : HISTORY_CLASSES;
    deadline growing = deadline_share(limit, TIME.growth), settling = deadline_share(limit, TIME.mixtures);
    vouch_status status = grow(x, most, &growing);
    if (x->bound > x->call->policy->bound) x->call->policy->bound = x->bound;
    log_line(&o->log, VOUCH_LOG_INFO, "%d likelihood classes that matter, %d of them grown: bound %.10g, mixture %.10g",
             x->c->count, x->c->grown, x->call->m->scale.spread * x->bound, x->call->m->scale.spread * x->value);
    if (status || !(x->value < INFINITY)) return status;
    status = finish_mixture(x, &settling);
    if (x->bound > x->call->policy->bound) x->call->policy->bound = x->bound;
    log_line(&o->log, VOUCH_LOG_INFO, "mixtures of %d policies of these classes: %.10g", master_columns(x->mix.program),
             x->call->m->scale.spread * x->value);
    if (status || !(x->value < INFINITY)) return status;
    return write_mixture(x, out);
}

/* Number of Markov policies that fit in memory. */
static int room_for_plans(const policy_space *space)
{
    return (int)fmin(RELAX.most_plans, RELAX.most_numbers / ((double)space->g->nodes * space->K));
}

bool expansion_fits(const policy_space *space)
{
    return (double)space->g->choices * space->K <= RELAX.most_numbers && room_for_plans(space) >= RELAX.least_plans &&
           !space->floor;
}

vouch_status expansion_begin(plan_call *call, const policy_space *space, belief_expansion **out)
{
    size_t K = (size_t)space->K;
    CHECK(expansion_fits(space));
    belief_expansion *x = MEM_ZERO(belief_expansion, 1);
    *out = x;
    if (!x) return VOUCH_ERROR_MEMORY;
    *x = (belief_expansion){.call = call, .space = space, .bound = -INFINITY, .low_bound = -INFINITY, .value = INFINITY};
    x->most_work = INFINITY;
    x->pause = INT_MAX;
    x->lambda = ARENA_ZERO(&x->memory, double, 7 * K);
    vouch_status status = x->lambda ? make_plans(x, room_for_plans(space)) : VOUCH_ERROR_MEMORY;
    if (!status) status = grown_new(space->g, &x->plans, &x->c);
    if (!status) status = generation_init(&x->mix, space, true);
    if (!status) status = generation_begin(&x->mix, MASTER_MAX_REGRET, space->p, INFINITY, NULL);
    if (status) {
        expansion_end(x);
        *out = NULL;
        return status;
    }
    x->mu = x->lambda + K;
    x->centre = x->lambda + 2 * K;
    x->U = x->lambda + 4 * K;
    x->Pr = x->lambda + 5 * K;
    x->regret = x->lambda + 6 * K;
    for (size_t k = 0; k < K; k++) x->lambda[k] = x->centre[k] = space->share ? space->share[k] : 1.0 / (double)K;
    return VOUCH_OK;
}

void expansion_end(belief_expansion *x)
{
    if (!x) return;
    generation_clear(&x->mix);
    grown_free(x->c);
    arena_free(&x->memory);
    mem_free(x->tried);
    mem_free(x);
}

vouch_status expansion_search(plan_call *call, const policy_space *space, const deadline *limit, guided_policy *out)
{
    belief_expansion *x;
    vouch_status status = expansion_begin(call, space, &x);
    if (!status) status = search(x, limit, out);
    expansion_end(x);
    return status;
}

double expansion_work(const belief_expansion *x) { return x->work; }
double expansion_bound(const belief_expansion *x) { return x->bound; }
int expansion_classes(const belief_expansion *x) { return x->c->count; }
vouch_status expansion_level(const belief_expansion *x, know_classes **classes) { return know_classes_expanded(x->c, classes); }
bool expansion_over(const belief_expansion *x) { return x->over; }

vouch_status expansion_continue(belief_expansion *x, double work, int classes, const deadline *limit)
{
    const vouch_plan_options *o = x->call->options;
    double most = fmin(o->class_limit > 0 ? (double)o->class_limit : HISTORY_CLASSES, RELAX.most_likelihoods / x->space->K);
    x->most_work = x->work + work;
    x->pause = classes > 0 ? classes : INT_MAX;
    return grow(x, (long long)most, limit);
}
