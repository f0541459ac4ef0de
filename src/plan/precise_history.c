/* plan/precise_history.c - column generation over the policies of likelihood classes in numbers of 640 bits (policy/policy.h).
 *
 * Every mixture of policies is one behaviour policy (Kuhn 1953), so that the least value of all history-dependent policies is that
 * of
 *
 *     min z :  sum_q x_q (o_k - U_k(q)) <= z for all k,   sum_q x_q Pr_kj(q) >= least_kj,   sum_q x_q = 1,   x >= 0,
 *
 * with o_k = U*(k) for the regret and 0 for the least value; of a weighted value the objective is linear. The pricer is one
 * backward induction over classes, with the likelihoods of a history of each. O(arcs K) a column. The optimum is the bound; the
 * policy is the mixture for promises that are kept however they are summed up.
 */
#include "plan/methods.h"

#include "base/memory.h"
#include "exact/number.h"

/* Most classes, and arcs of them over all environments. */
static const double MOST_ARCS = 5000;
enum { MOST_CLASSES = 1000 };

typedef struct history_lp {
    const plan_call *call;
    const know_classes *c;
    precise_model *x;
    vouch_objective objective;
    int rows;       /* of the program */
    mpf_t *reach;   /* [classes * K] of a history of the class, where every choice is made */
    mpf_t *weights; /* [K] of the objective */
    mpf_t *weight;  /* [K * width] of U and Pr in the induction */
    mpf_t *option;  /* [K * width] */
    mpf_t part, score, best, size;
    int *pick;     /* [classes] slot of the policy priced last */
    int *of_row;   /* [rows * classes] of the policy in a row of the basis */
    double *share; /* [rows] of it in the mixture; 0: no policy */
} history_lp;

static mpf_t *value_at(const history_lp *h, int k, int n) { return h->x->env[k]->value + (size_t)n * (size_t)h->x->width; }

/* Likelihoods of the first history that leads to each class. */
static void find_reach(history_lp *h)
{
    int K = h->x->K;
    bool *known = EXACT_NEW(bool, h->c->classes);
    known[0] = true;
    for (int k = 0; k < K; k++) mpf_set_ui(h->reach[k], 1);
    for (int n = 0; n < h->c->classes; n++)
        for (int o = h->c->slot_start[n]; o < h->c->slot_start[n + 1]; o++)
            for (int a = h->c->arc_start[o]; a < h->c->arc_start[o + 1]; a++) {
                int to = h->c->arc_child[a];
                if (known[to]) continue;
                known[to] = true;
                for (int k = 0; k < K; k++) {
                    const exact_process *p = h->x->env[k];
                    for (int b = p->g->arc_start[o]; b < p->g->arc_start[o + 1]; b++)
                        if (p->g->arc_to[b] == to) mpf_mul(h->reach[to * K + k], h->reach[n * K + k], p->prob[b]);
                }
            }
}

/* h->option := the vectors of slot o of class n, h->score := their weighted sum. */
static void find_option(history_lp *h, int n, int o)
{
    int K = h->x->K, width = h->x->width;
    mpf_set_ui(h->score, 0);
    for (int k = 0; k < K; k++) {
        const exact_process *p = h->x->env[k];
        mpf_t *of_k = h->option + k * width;
        for (int i = 0; i < width; i++) mpf_set_ui(of_k[i], 0);
        if (mpf_sgn(h->reach[n * K + k]) == 0) continue;
        mpf_set(of_k[0], p->reward[o]);
        for (int a = p->g->arc_start[o]; a < p->g->arc_start[o + 1]; a++)
            for (int i = 0; i < width; i++) {
                mpf_mul(h->part, p->prob[a], value_at(h, k, p->g->arc_to[a])[i]);
                mpf_add(of_k[i], of_k[i], h->part);
            }
        for (int i = 0; i < width; i++) {
            if (mpf_sgn(h->weight[k * width + i]) == 0) continue;
            mpf_mul(h->part, h->weight[k * width + i], of_k[i]);
            mpf_mul(h->part, h->part, h->reach[n * K + k]);
            mpf_add(h->score, h->score, h->part);
        }
    }
}

/* The deterministic policy of the largest weighted sum: its picks, and its vectors at class 0. */
static void find_policy(history_lp *h)
{
    int K = h->x->K, width = h->x->width;
    for (int n = h->c->classes - 1; n >= 0; n--) {
        h->pick[n] = -1;
        if (h->c->slot_start[n] == h->c->slot_start[n + 1])
            for (int k = 0; k < K; k++)
                for (int j = 0; j < h->x->J; j++) mpf_set_d(value_at(h, k, n)[1 + j], h->x->env[k]->g->kept[j][n]);
        for (int o = h->c->slot_start[n]; o < h->c->slot_start[n + 1]; o++) {
            find_option(h, n, o);
            if (h->pick[n] >= 0 && mpf_cmp(h->score, h->best) <= 0) continue;
            h->pick[n] = o;
            mpf_set(h->best, h->score);
            for (int k = 0; k < K; k++)
                for (int i = 0; i < width; i++) mpf_set(value_at(h, k, n)[i], h->option[k * width + i]);
        }
    }
}

/* Rows: regrets or values of the environments (not of a weighted value), promises, and the sum of the mixture. */
static int first_promise(const history_lp *h) { return h->objective == VOUCH_OBJECTIVE_WEIGHTED ? 0 : h->x->K; }

static void price(void *context, mpf_t dual[], bool costs, mpf_t column[])
{
    history_lp *h = context;
    const precise_model *x = h->x;
    int promises = first_promise(h), width = x->width;
    for (int k = 0; k < x->K; k++) {
        mpf_t *of_k = h->weight + k * width;
        if (promises > 0)
            mpf_neg(of_k[0], dual[k]);
        else if (costs)
            mpf_set(of_k[0], h->weights[k]);
        else
            mpf_set_ui(of_k[0], 0);
        for (int j = 0; j < x->J; j++) mpf_neg(of_k[1 + j], dual[promises + k * x->J + j]);
    }
    find_policy(h);
    mpf_set_ui(column[0], 0);
    for (int k = 0; k < x->K; k++) {
        mpf_t *value = value_at(h, k, 0);
        if (promises > 0) {
            mpf_set(column[1 + k], value[0]);
            if (h->objective == VOUCH_OBJECTIVE_REGRET) mpf_sub(column[1 + k], value[0], x->optimum[k]);
        } else {
            mpf_mul(h->part, h->weights[k], value[0]);
            mpf_add(column[0], column[0], h->part);
        }
        for (int j = 0; j < x->J; j++) mpf_set(column[1 + promises + k * x->J + j], value[1 + j]);
    }
    mpf_set_ui(column[h->rows], 1);
}

static void enter(void *context, int row, bool priced)
{
    history_lp *h = context;
    h->share[row] = priced;
    MEM_COPY(h->of_row + (size_t)row * (size_t)h->c->classes, h->pick, h->c->classes);
}

/* The least value, negated, of policies whose promises have `more` to spare; duals [rows]. h->share: of the mixture. */
static bool solve(history_lp *h, double more, mpf_t optimum, mpf_t dual[])
{
    const precise_model *x = h->x;
    int promises = first_promise(h), inequalities = h->rows - 1, width = 1 + h->rows, slacks = inequalities + (promises ? 2 : 0);
    mpf_t *side = exact_numbers(h->rows), *slack = exact_numbers(slacks * width), *share = exact_numbers(h->rows), tie;
    for (int i = 0; i < inequalities; i++) mpf_set_si(slack[i * width + 1 + i], -1);
    for (int sign = 0; sign < 2 && promises > 0; sign++) { /* of a regret z >= 0: its column twice */
        bool plus = sign && h->objective == VOUCH_OBJECTIVE_MAX_MIN;
        mpf_t *z = slack + (inequalities + sign) * width;
        mpf_set_si(z[0], plus ? 1 : -1);
        for (int k = 0; k < x->K; k++) mpf_set_si(z[1 + k], plus ? -1 : 1);
    }
    for (int i = 0; i < x->K * x->J; i++) {
        mpf_set_d(side[promises + i], more);
        mpf_add(side[promises + i], side[promises + i], x->least[i]);
        if (mpf_sgn(side[promises + i]) < 0) mpf_set_ui(side[promises + i], 0);
    }
    mpf_set_ui(side[h->rows - 1], 1);
    mpf_init2(tie, EXACT_BITS);
    mpf_div_2exp(tie, h->size, EXACT_EQUAL_BITS / 2);
    const exact_columns c = {h->rows, side, slacks, slack, price, h, &tie, enter, share};
    if (!exact_columns_maximise(&c, optimum, dual)) return false;
    for (int i = 0; i < h->rows; i++) h->share[i] = h->share[i] > 0 ? fmax(0, mpf_get_d(share[i])) : 0;
    return true;
}

/* prob [slots] of the mixture: of each policy the mass that comes to a class, and is the same in every environment. */
static void mix(const history_lp *h, double mass[], double prob[])
{
    const know_classes *c = h->c;
    memset(prob, 0, (size_t)c->slots * sizeof *prob);
    for (int i = 0; i < h->rows; i++) {
        const int *pick = h->of_row + (size_t)i * (size_t)c->classes;
        if (!(h->share[i] > 0)) continue;
        memset(mass, 0, (size_t)c->classes * sizeof *mass);
        mass[0] = h->share[i];
        for (int n = 0; n < c->classes; n++) {
            if (!(mass[n] > 0) || pick[n] < 0) continue;
            prob[pick[n]] += mass[n];
            for (int a = c->arc_start[pick[n]]; a < c->arc_start[pick[n] + 1]; a++)
                mass[c->arc_child[a]] += mass[n] * c->arc_factor[a];
        }
    }
    for (int n = 0; n < c->classes; n++) {
        double sum = 0;
        for (int o = c->slot_start[n]; o < c->slot_start[n + 1]; o++) sum += prob[o];
        for (int o = c->slot_start[n]; o < c->slot_start[n + 1]; o++) prob[o] = sum > 0 ? prob[o] / sum : o == c->slot_start[n];
    }
}

/* What is minimised, of the policy prob [slots]; U [K]. false: rounding may break a promise. */
static bool evaluate(history_lp *h, const double prob[], mpf_t U[], mpf_t value)
{
    precise_model *x = h->x;
    bool kept = true;
    mpf_set_ui(value, 0);
    for (int k = 0; k < x->K; k++) {
        exact_process_follow(x->env[k], prob, h->option);
        mpf_set(U[k], h->option[0]);
        for (int j = 0; j < x->J; j++) {
            mpf_set_d(h->part, commitment_rounding(x->rows->T) / 2);
            mpf_add(h->part, h->part, x->least[k * x->J + j]);
            kept &= mpf_cmp(h->option[1 + j], h->part) >= 0;
        }
        if (h->objective == VOUCH_OBJECTIVE_REGRET)
            mpf_sub(h->part, x->optimum[k], U[k]);
        else
            mpf_neg(h->part, U[k]);
        if (h->objective == VOUCH_OBJECTIVE_WEIGHTED) {
            mpf_mul(h->part, h->part, h->weights[k]);
            mpf_add(value, value, h->part);
        } else if (k == 0 || mpf_cmp(h->part, value) > 0) {
            mpf_set(value, h->part);
        }
    }
    return kept;
}

static history_lp *lp_new(const plan_call *call, const policy_space *space)
{
    const vouch_plan_options *o = call->options;
    history_lp *h = EXACT_NEW(history_lp, 1);
    *h = (history_lp){.call = call,
                      .c = space->c,
                      .objective = o->objective,
                      .x = precise_new(space->m, space->g, space->c, NULL, KEEP_TOLERANCE)};
    int K = h->x->K;
    h->rows = first_promise(h) + K * h->x->J + 1;
    h->reach = exact_numbers(space->c->classes * K);
    h->weights = exact_numbers(K);
    h->weight = exact_numbers(K * h->x->width);
    h->option = exact_numbers(K * h->x->width);
    mpf_t *const scratch[] = {&h->part, &h->score, &h->best, &h->size};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) mpf_init2(*scratch[i], EXACT_BITS);
    h->pick = EXACT_NEW(int, space->c->classes);
    h->of_row = EXACT_NEW(int, (size_t)h->rows *(size_t)space->c->classes);
    h->share = EXACT_NEW(double, h->rows);
    for (int k = 0; k < K; k++) {
        exact_decimal(h->weights[k], o->weights ? o->weights[k] : 1);
        mpf_mul(h->part, h->x->env[k]->size, h->weights[k]);
        mpf_add(h->size, h->size, h->part);
        mpf_add(h->size, h->size, h->x->env[k]->size);
    }
    find_reach(h);
    return h;
}

/* Figures, bound and outcome, if the gap is closed. */
static bool write_answer(history_lp *h, mpf_t U[], const mpf_t value, const mpf_t least)
{
    vouch_policy *policy = h->call->policy;
    bool regret = h->objective == VOUCH_OBJECTIVE_REGRET;
    mpf_sub(h->part, value, least);
    exact_decimal(h->best, h->call->options->gap);
    mpf_div_2exp(h->score, h->size, EXACT_EQUAL_BITS / 2 - 8);
    mpf_add(h->best, h->best, h->score);
    if (mpf_cmp(h->part, h->best) > 0) return false;
    for (int k = 0; k < h->x->K; k++) precise_set_figures(h->x, k, U[k], policy->figures);
    policy_sum_regrets(policy);
    policy->outcome = VOUCH_PLAN_OPTIMAL;
    double bound = mpf_get_d(least), shown = plan_objective(h->x->rows, policy);
    policy->bound = mpf_cmp(h->part, h->score) <= 0 ? shown : regret ? fmin(bound, shown) : fmax(-bound, shown);
    if (regret) policy->bound = fmax(0, policy->bound);
    policy->total_bound = 0;
    policy->determinism = NULL;
    return true;
}

/* Memory of doubles, and what is found. */
typedef struct found_mixture {
    double *mass; /* [classes] scratch */
    double *prob; /* [slots] */
    double bound; /* as in plan_precise_history */
    bool optimal;
} found_mixture;

/* false: memory is out. */
static bool run(plan_call *call, const policy_space *space, exact_memory *memory, found_mixture *f)
{
    if (setjmp(memory->escape)) return false;
    history_lp *h = lp_new(call, space);
    if (!h->x->feasible) return true;
    mpf_t *U = exact_numbers(h->x->K), *dual = exact_numbers(h->rows), value, least;
    mpf_init2(value, EXACT_BITS);
    mpf_init2(least, EXACT_BITS);
    if (!solve(h, 0, least, dual)) return true;
    mpf_neg(least, least);
    f->bound = mpf_get_d(least);
    /* policies that keep p itself, or else count as keeping it however they are summed up */
    const double margins[] = {-commitment_threshold(0, KEEP_TOLERANCE, space->m->T), commitment_rounding(space->m->T)};
    for (int i = 0; i < 2 && !f->optimal && solve(h, margins[i], value, dual); i++) {
        mix(h, f->mass, f->prob);
        f->optimal = evaluate(h, f->prob, U, value) && write_answer(h, U, value, least);
    }
    return true;
}

/* Rules of prob [slots], by classes, for the figures that are known. */
static vouch_status write_rules(const policy_space *space, const double prob[], vouch_policy *policy)
{
    int bare;
    double *U = MEM_NEW(double, 2 * space->K), *reach = U ? space_propagate(space, prob, true, U, U + space->K, &bare) : NULL;
    policy->rule_count = 0;
    policy->plans = 0;
    policy->has_policy = 1;
    bool written = reach && rules_from_classes(space->c, prob, NULL, reach, policy) == 0;
    for (int r = 0; r < space->K && written; r++) policy->figures[r].commitment_probability = U[space->K + r];
    mem_free(U);
    mem_free(reach);
    return written ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

vouch_status plan_precise_history(plan_call *call, const vouch_model *rows, double *bound, bool *done)
{
    policy_space space = {0};
    space_options options = space_options_for(rows->T);
    *done = false;
    *bound = -INFINITY;
    options.class_limit = MOST_CLASSES;
    if (!isfinite(call->options->gap)) return VOUCH_OK;
    vouch_status status = space_make(rows, &options, &space, call->error);
    if (status == VOUCH_ERROR_SIZE) return VOUCH_OK;
    if (!status && space.c && precise_fits(rows, space.g, space.c, MOST_ARCS)) {
        exact_memory memory;
        found_mixture f = {MEM_NEW(double, space.c->classes), MEM_NEW(double, space.c->slots), -INFINITY, false};
        exact_memory_enter(&memory);
        bool made = f.mass && f.prob && run(call, &space, &memory, &f);
        exact_memory_leave(&memory);
        status = made ? VOUCH_OK : VOUCH_ERROR_MEMORY;
        *bound = f.bound;
        *done = made && f.optimal;
        if (*done) status = write_rules(&space, f.prob, call->policy);
        mem_free(f.mass);
        mem_free(f.prob);
    }
    space_free(&space);
    return status;
}
