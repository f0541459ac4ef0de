/* plan/relax/belief_expansion.c - see belief_expansion.h: column generation over expanded classes.
 *
 * A round takes multipliers and finds, by one pass over the classes there are (know/grown.h), a bound of every history policy and a
 * policy that there is,
 *
 *     constant(lambda, mu) - high(root)  <=  least maximum regret  <=  master program over the policies found so far,
 *
 * then grows the leaves that the two owe most of their distance to. A policy found with fewer classes is a policy still, so columns
 * stay. Multipliers are those of the master program, half and half with those of the best bound, since the program's alone jump
 * from corner to corner while columns are few (P. Wentges, Int. Trans. Oper. Res. 4, 1997).
 *
 * In the end classes stay as they are, columns are made anew over them at the multipliers of those that the mixture uses, and the
 * best mixture of these is written as one behaviour (plan/relax/belief_policy.h), with plans where its classes end if those that it
 * comes to are too many. Cost of a round: arcs, and (choices or plans) K a class. Invariant: the bound rests on inductions alone.
 */
#include "plan/relax/belief_expansion.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/trace.h"
#include "know/grown.h"
#include "know/induction.h"
#include "know/propagate.h"
#include "mdp/feasibility.h"
#include "plan/colgen/generation.h"
#include "plan/relax/belief_policy.h"
#include "policy/parameters.h"

/* Mixture and multipliers have met when nothing but rounding is left between. */
static const double ROUNDING = 1e-9;

struct belief_expansion {
    plan_call *call;
    const policy_space *space;
    grown_plans plans;
    grown_classes *c;
    generation mix;
    double *lambda, *mu;     /* [K] each, one after the other: at hand */
    double *centre;          /* [2 K] of the best bound */
    double *U, *Pr, *regret; /* [K] */
    double *tried;           /* [columns * 2 K] multipliers of the columns */
    double bound;            /* of every policy */
    double low_bound;        /* of mixtures of policies over the classes there are, while these stay */
    double value;            /* of the mixture; INFINITY while none keeps the promises */
    double work, most_work;  /* numbers multiplied so far, and before it pauses; INFINITY: it does not */
    long long rounds;
    int pause; /* at so many classes */
    int idle;  /* rounds in which nothing was grown */
    bool over;
    size_t tried_capacity;
};

/* ---- plans ------------------------------------------------------------------------------------------------------------ */

/* A Markov policy more, prob [choices] being there, unless it is one of those before. */
static void keep_plan(const know_graph *g, grown_plans *plans)
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

/* A policy that keeps the promises of every environment, if one is found. */
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
        keep_plan(x->space->g, plans);
    }
    mem_free(s.choice);
    mem_free(s.U);
    return status;
}

/* What is best for single environments, evenly many of them, and what keeps all promises. */
static vouch_status make_plans(belief_expansion *x, int most)
{
    const policy_space *space = x->space;
    const know_graph *g = space->g;
    grown_plans *plans = &x->plans;
    int group = space->m->group, environments = space->K / group, alone = environments < most - 1 ? environments : most - 1;
    size_t numbers = (size_t)most * (size_t)g->nodes * (size_t)g->K, table = (size_t)space->m->T * (size_t)space->m->pairs;
    plans->table = MEM_NEW(double, (size_t)most *table);
    plans->prob = MEM_NEW(double, (size_t)most *(size_t)g->choices);
    plans->gain = MEM_NEW(double, numbers);
    plans->keep = MEM_NEW(double, numbers);
    vouch_status status = plans->table && plans->prob && plans->gain && plans->keep ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int i = 0; i < alone && !status; i++) {
        double *own = plans->table + (size_t)plans->count * table;
        status = space_alone(space, (int)((long long)i * environments / alone) * group, own);
        if (status) break;
        space_spread(g, own, plans->prob + (size_t)plans->count * (size_t)g->choices);
        keep_plan(g, plans);
    }
    if (!status && space_may_bind(space)) status = add_feasible(x, plans);
    return status;
}

/* ---- rounds ----------------------------------------------------------------------------------------------------------- */

/* Numbers that a pass multiplies. */
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
    int K = space->K, column = master_columns(x->mix.program);
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
    x->call->policy->iterations++;
    for (int k = 0; k < K; k++) x->regret[k] = space->optimal[k] - x->U[k];
    if (MEM_RESERVE(&x->tried, &x->tried_capacity, (size_t)(column + 1) * 2 * (size_t)K)) return VOUCH_ERROR_MEMORY;
    MEM_COPY(x->tried + (size_t)column * 2 * (size_t)K, x->lambda, 2 * K);
    return generation_add(&x->mix, x->regret, x->Pr);
}

/* Multipliers of the next round, and the value of the mixture. *ok: there are any. */
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

/* Does the mixture nearly reach what mixtures over the classes there are can? */
static bool settled(const belief_expansion *x)
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

/* Until bound and mixture meet, or no more classes may be made and what there are say no more, or no mixture keeps the promises;
 * or work or time are over. */
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
        x->over = status || plan_worked_enough(x->call);
        x->over |= x->idle > 0 && (settled(x) || x->idle > RELAX.settle_rounds || x->c->count >= most_classes);
        if (x->idle > 0 && x->over) break;
        if (done > 0) x->low_bound = -INFINITY;
        log_line(&x->call->options->log, VOUCH_LOG_DETAIL, "%d likelihood classes, %d of them grown: bound %.10g, mixture %.10g",
                 x->c->count, x->c->grown, x->call->m->scale.spread * x->bound, x->call->m->scale.spread * x->value);
        if (!(x->most_work < INFINITY)) /* else the searches that it is for tell */
            plan_progress(x->call, "likelihood classes that matter", x->value, x->bound, 0, 0);
    }
    return status;
}

/* Columns anew, of the policies over the classes there are now, until their best mixture is found. Those of the mixture so far
 * are made when the time is over, too, or what was found would be lost: one pass each, and there are hardly more than
 * environments. */
static vouch_status settle(belief_expansion *x, const deadline *limit)
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
        if (i >= kept - 1 && (settled(x) || closed(x))) break;
    }
    mem_free(before);
    return status;
}

/* The regret of *out by exact propagation; what does not keep the promises is dropped. */
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

/* Is the policy along all its classes, where rounding adds up, as good for the gap asked for as the one that ends at leaves? (20
 * environments, T = 50: 496 000 classes with a regret of .2701949528, 73 000 of .2701946211.) */
static bool as_good(const belief_expansion *x, const guided_policy *whole, const guided_policy *ends)
{
    double gap = x->call->options->gap, enough = x->call->policy->bound + gap;
    return !ends->c || (whole->regret <= ends->regret + gap && (whole->regret <= enough || ends->regret > enough));
}

/* The mixture as one behaviour: along all the classes that it comes to where these may be written and there is time for it, and
 * else with plans where its classes end, which are no more than there are. */
static vouch_status write_behaviour(belief_expansion *x, const grown_mixture *mix, guided_policy *out)
{
    const plan_call *call = x->call;
    long long most = call->options->class_limit > 0 ? call->options->class_limit : HISTORY_CLASSES;
    guided_policy whole = {0};
    vouch_status status = expansion_policy(mix, true, most, NULL, out, call->error);
    if (!status) status = evaluate(x, out);
    if (status == VOUCH_ERROR_SIZE) status = VOUCH_OK; /* more classes than may be written */
    if (status || (out->c && deadline_interrupted(&call->limit))) return status;
    status = expansion_policy(mix, false, most, deadline_interrupted(&call->limit) ? NULL : &call->limit, &whole, call->error);
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

/* The mixture that the master program ended with. */
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
    deadline growing = deadline_share(limit, RELAX.grow_time), settling = deadline_share(limit, RELAX.settle_time);
    vouch_status status = grow(x, most, &growing);
    if (x->bound > x->call->policy->bound) x->call->policy->bound = x->bound;
    log_line(&o->log, VOUCH_LOG_INFO, "%d likelihood classes that matter, %d of them grown: bound %.10g, mixture %.10g",
             x->c->count, x->c->grown, x->call->m->scale.spread * x->bound, x->call->m->scale.spread * x->value);
    if (status || !(x->value < INFINITY)) return status;
    status = settle(x, &settling);
    if (x->bound > x->call->policy->bound) x->call->policy->bound = x->bound;
    log_line(&o->log, VOUCH_LOG_INFO, "mixtures of %d policies of these classes: %.10g", master_columns(x->mix.program),
             x->call->m->scale.spread * x->value);
    if (status || !(x->value < INFINITY)) return status;
    return write_mixture(x, out);
}

/* Markov policies that there is room for. */
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
    x->lambda = MEM_ZERO(double, 7 * K);
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
    mem_free(x->plans.table);
    mem_free(x->plans.prob);
    mem_free(x->plans.gain);
    mem_free(x->plans.keep);
    mem_free(x->tried);
    mem_free(x->lambda);
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

vouch_status expansion_go_on(belief_expansion *x, double work, int classes, const deadline *limit)
{
    const vouch_plan_options *o = x->call->options;
    double most = fmin(o->class_limit > 0 ? (double)o->class_limit : HISTORY_CLASSES, RELAX.most_likelihoods / x->space->K);
    x->most_work = x->work + work;
    x->pause = classes > 0 ? classes : INT_MAX;
    return grow(x, (long long)most, limit);
}
