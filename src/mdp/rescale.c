/* mdp/rescale.c - rewards of a model mapped to [0, 1] so that their units change no digit of a plan.
 *
 * Fractions of least denominator by continued fractions (A. Y. Khinchin, Continued Fractions, 1964). Invariant: no expected reward
 * changes by more than scale.error, for which gaps and bounds account. Cost: O(transitions), a few divisions each. */

#include <math.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "mdp/dp.h"

/* ---- views ---------------------------------------------------------------------------------------------------------------------
 *
 * See views.h. A view owns its list of environments and their names. The rows of a finished model are normalised, so
 * a copy has the same bits; `seen` is copied too, since indistinguishable rewards stay so if a reward between them is removed. */

/* A view of m with room for `count` environments. */
static vouch_status begin(const vouch_model *m, int count, vouch_model *view)
{
    *view = *m;
    view->K = count;
    view->rows = NULL;
    view->env = MEM_NEW(mdp, count);
    view->env_name = MEM_NEW(char *, count);
    if (view->env && view->env_name) return VOUCH_OK;
    model_view_free(view);
    return VOUCH_ERROR_MEMORY;
}

vouch_status model_view(const vouch_model *m, int state, int steps, const int env[], int count, vouch_model *view)
{
    CHECK(state >= 0 && state < m->S && steps >= 0 && count > 0);
    if (begin(m, count, view)) return VOUCH_ERROR_MEMORY;
    view->T = steps;
    view->s0 = state;
    for (int i = 0; i < count; i++) {
        CHECK(env[i] >= 0 && env[i] < m->K && (i == 0 || env[i] > env[i - 1]));
        view->env[i] = m->env[env[i]];
        view->env[i].optimum_known = false; /* from another state, for another promise */
        view->env_name[i] = m->env_name[env[i]];
    }
    return VOUCH_OK;
}

void model_view_free(vouch_model *view)
{
    MEM_FREE_ALL(view->env, view->env_name);
    *view = (vouch_model){0};
}

vouch_status model_rows(const vouch_model *m, vouch_model *out)
{
    const vouch_model *user = model_user(m);
    int J = m->J;
    CHECK(m->finished && m->group == 1);
    if (begin(m, m->K * J, out)) return VOUCH_ERROR_MEMORY;
    out->group = J;
    for (int r = 0; r < out->K; r++) {
        out->env[r] = m->env[r / J];
        out->env_name[r] = m->env_name[r / J];
        if (!m->weight) continue;
        out->env[r].terminal = m->weight[r];
        out->env[r].p = promise_alone(&user->promise[r % J], r / J);
        out->env[r].p_rest = promise_rest(&user->promise[r % J], r / J);
    }
    return VOUCH_OK;
}

/* The environments with rewards. */
typedef struct subset_members {
    const bool *in; /* [K] */
    bool own;       /* the others have no promises */
} subset_members;

static vouch_status release_others(const subset_members *of, vouch_model *c)
{
    vouch_status status = of->own ? promise_list(c) : VOUCH_OK;
    for (int j = 0; of->own && !status && j < c->promises; j++)
        for (int k = 0; k < c->K; k++)
            if (!of->in[k]) c->promise[j].p[k] = 0;
    return status;
}

/* of: NULL: all environments have rewards and promises. */
static vouch_status fill(const vouch_model *m, const int *env, const subset_members *of, vouch_model *c)
{
    vouch_status status = vouch_model_set_name(c, m->name);
    MEM_COPY(c->terminal, m->terminal, m->S);
    for (int s = 0; s < m->S && !status; s++) status = vouch_model_set_state_name(c, s, m->state_name[s]);
    for (int a = 0; a < m->A && !status; a++) status = vouch_model_set_action_name(c, a, m->action_name[a]);
    if (!status) status = vouch_model_set_initial(c, m->s0);
    if (!status) status = m->promises > 0 ? promise_copy(m, env, c) : vouch_model_set_probability(c, m->p);
    if (!status && of) status = release_others(of, c);
    if (!status) status = prior_copy(m, env, c);
    if (!status) status = label_copy(m, env, c);
    if (!status) status = vouch_model_set_reward_tolerance(c, m->reward_tolerance);
    if (!status) status = vouch_model_set_observed(c, m->observed);
    c->within = m->within;
    if (!status) status = vouch_model_set_sense(c, m->sense);
    for (int k = 0; k < c->K && !status; k++) {
        int from = env ? env[k] : k;
        const mdp *e = &m->env[from];
        status = vouch_model_set_environment_name(c, k, m->env_name[from]);
        for (int s = 0; s < m->S && !status; s++)
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1] && !status; q++)
                for (int o = e->start[q]; o < e->start[q + 1] && !status; o++) {
                    double reward = !of || of->in[from] ? model_given(m, e->reward[o]) : 0;
                    prob_limits x = limits_given(e, o);
                    vouch_row row = {k, s, m->pair_action[q], e->next[o], x.high, reward};
                    status = vouch_model_add_interval(c, &row, x.low);
                }
    }
    return status;
}

static vouch_status copy_model(vouch_model **copy, const vouch_model *m, const int *env, int K, const subset_members *of,
                               vouch_error *error)
{
    vouch_model *c;
    if (vouch_model_new(&c, m->S, m->A, K, m->T)) return error_memory(error);
    vouch_status status = fill(m, env, of, c);
    if (status == VOUCH_ERROR_INPUT)
        error_set(error, status, "promises are on average over a prior that is 0 in all environments asked for");
    else if (status)
        error_set(error, status, "%s", vouch_status_text(status));
    else
        status = vouch_model_finish(c, NULL, error);
    vouch_model *user = !status && c->join ? c->join->user : c;
    for (int k = 0; !status && k < user->K; k++)
        MEM_COPY(user->env[k].seen, m->env[env ? env[k] : k].seen, user->env[k].start[user->pairs]);
    if (!status && c->join) status = model_join(c, error);
    if (status)
        vouch_model_free(c);
    else
        *copy = c;
    return status;
}

static vouch_status check(vouch_model **copy, const vouch_model *m, const int env[], int count, vouch_error *error)
{
    if (!copy) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the copy");
    *copy = NULL;
    if (!m || !m->finished) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model is not finished");
    for (int i = 0; env && i < count; i++)
        if (env[i] < (i ? env[i - 1] + 1 : 0) || env[i] >= m->K)
            return error_set(error, VOUCH_ERROR_ARGUMENT, "the environments are not ascending numbers from 0 to %d", m->K - 1);
    return env && count < 1 ? error_set(error, VOUCH_ERROR_ARGUMENT, "a model has at least one environment") : VOUCH_OK;
}

vouch_status vouch_model_restrict(vouch_model **copy, const vouch_model *m, const int env[], int count, vouch_error *error)
{
    vouch_status status = check(copy, m, env, count, error);
    return status ? status : copy_model(copy, model_user(m), env, env ? count : m->K, NULL, error);
}

vouch_status model_paying(vouch_model **copy, const vouch_model *m, const int env[], int count, bool own, vouch_error *error)
{
    vouch_status status = check(copy, m, env, count, error);
    if (status) return status;
    bool *in = MEM_ZERO(bool, m->K);
    if (!in) return error_memory(error);
    for (int i = 0; i < count; i++) in[env[i]] = true;
    status = copy_model(copy, model_user(m), NULL, m->K, &(subset_members){in, own}, error);
    mem_free(in);
    return status;
}

/* ---- rewards of a model mapped to [0, 1] so that their units change no digit of a plan -------------------------------------- */

/* Largest denominator: quotients of rewards of six digits. It is smaller for less precise rewards, so that at most one fraction
 * lies within the precision of a quotient. */
static const double MOST_DENOMINATOR = 0x1p20, APART = 0.1;
/* Smaller changes of an expected reward are rounding. */
static const double MOVED = 0x1p-50;

/* Spread of rewards up to which rounding of values is below ROUNDING, at least SPREAD_LEAST; smaller for proofs, whose claims leave
 * room relative to the spread (plan/search/proof_words.c). */
static const double ROUNDING = 1e-7, SPREAD_LEAST = 1e4, SPREAD_PROOF = 1e3;
/* Values above this multiple of the spread have lost digits in double; regrets have not. */
static const double LARGE = 16;
/* The first floor is that spread divided by FLOOR_FIRST (of U*) or FLOOR_SHARE (of a plan) below the largest reward; the factors by
 * which they are lowered. */
static const double FLOOR_FIRST = 0x1p14, STEP_DOWN = 64, FLOOR_SHARE = 16, FLOOR_DEEPER = 0x1p7;
/* Largest table over time and pairs for which floors are computed. */
static const double MOST_TABLE = 2e7;

/* The fraction of least denominator within `near` of x in 0 .. 1, by continued fractions; NAN if there is none. */
static double nearest_fraction(double x, double near, double most)
{
    double p0 = 0, q0 = 1, p1 = 1, q1 = 0, rest = x;
    for (int i = 0; i < 64; i++) {
        double a = floor(rest), p = a * p1 + p0, q = a * q1 + q0;
        if (q > most) return NAN;
        if (fabs(p / q - x) <= near) return p / q;
        if (rest - a <= 0) return NAN;
        rest = 1 / (rest - a);
        p0 = p1, q0 = q1, p1 = p, q1 = q;
    }
    return NAN;
}

typedef struct rounder {
    double least, spread;
    double precision; /* of a quotient */
    double most;      /* denominator */
    double room;      /* largest change of a quotient */
} rounder;

static double rounded(const rounder *r, double reward)
{
    double x = (reward - r->least) / r->spread;
    double y = nearest_fraction(x, r->precision, r->most);
    if (isnan(y)) y = nearbyint(x / TOL_GRID) * TOL_GRID;
    return fabs(y - x) <= r->room ? y : x;
}

typedef struct range {
    double least, most;
} range;

static void include(range *r, double reward)
{
    r->least = fmin(r->least, reward);
    r->most = fmax(r->most, reward);
}

static double width(const range *r) { return r->most > r->least ? r->most - r->least : 0; }

typedef struct relevance {
    bool *reached;  /* [K * pairs] */
    range expected; /* of reached pairs */
} relevance;

/* False if environment k cannot take q before the horizon and its expected reward is far from the range of reached pairs. */
static bool counts(const relevance *x, const vouch_model *m, int k, int q)
{
    double reward = m->env[k].expected[q], near = width(&x->expected);
    return x->reached[(size_t)k * (size_t)m->pairs + (size_t)q] ||
           (reward >= x->expected.least - near && reward <= x->expected.most + near);
}

/* Pairs that environment k can take before the horizon; queue [S], when [S]. */
static void mark_reached(const vouch_model *m, int k, bool reached[], int queue[], int when[])
{
    const mdp *e = &m->env[k];
    int head = 0, tail = 0;
    for (int s = 0; s < m->S; s++) when[s] = -1;
    when[m->s0] = 0;
    queue[tail++] = m->s0;
    while (head < tail) {
        int s = queue[head++];
        if (when[s] >= m->T) break;
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) reached[q] = true;
        for (int o = e->start[m->pair_start[s]]; o < e->start[m->pair_start[s + 1]]; o++)
            if (when[e->next[o]] < 0) {
                when[e->next[o]] = when[s] + 1;
                queue[tail++] = e->next[o];
            }
    }
}

static vouch_status find_relevance(const vouch_model *m, relevance *x)
{
    int *queue = MEM_NEW(int, 2 * m->S);
    x->reached = MEM_ZERO(bool, (size_t)m->K *(size_t)m->pairs);
    x->expected = (range){INFINITY, -INFINITY};
    for (int k = 0; k < m->K && queue && x->reached; k++) {
        bool *reached = x->reached + (size_t)k * (size_t)m->pairs;
        mark_reached(m, k, reached, queue, queue + m->S);
        for (int q = 0; q < m->pairs; q++)
            if (reached[q]) include(&x->expected, m->env[k].expected[q]);
    }
    mem_free(queue);
    return queue && x->reached ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

/* Largest spread of rewards at which no claim loses a printed digit. */
static double spread_enough(const vouch_model *m, bool proof)
{
    double enough = fmax(SPREAD_LEAST, ROUNDING / (4 * m->T * TOL_STEP));
    return proof ? fmin(enough, SPREAD_PROOF) : enough;
}

/* The largest reward below floor collected by policy prob [T * pairs] in environment k; -INFINITY: none. here [2 * S] */
static double largest_below(const vouch_model *m, int k, double floor, const double prob[], bool here[])
{
    const mdp *e = &m->env[k];
    bool *now = here, *next = here + m->S;
    double most = -INFINITY;
    memset(here, 0, 2 * (size_t)m->S * sizeof *here);
    now[m->s0] = true;
    for (int t = 0; t < m->T; t++) {
        for (int q = 0, s = 0; q < m->pairs; q++) {
            while (q >= m->pair_start[s + 1]) now[s++] = false;
            if (!now[s] || !(prob[(size_t)t * (size_t)m->pairs + (size_t)q] > 0)) continue;
            if (e->expected[q] < floor) most = fmax(most, e->expected[q]);
            for (int o = e->start[q]; o < e->start[q + 1]; o++) next[e->next[o]] = true;
        }
        memset(now, 0, (size_t)m->S * sizeof *now);
        bool *swap = now;
        now = next, next = swap;
    }
    return most;
}

typedef struct floor_search {
    const vouch_model *m; /* rows */
    double *expected;     /* [pairs] raised to the floor */
    double *low;          /* [K] thresholds */
    double *prob;         /* [T * pairs] */
    bool *here;           /* [2 * S] */
} floor_search;

/* The largest floor tried, the first `least` below the largest reward, that leaves U*_k unchanged. */
static vouch_status find_floor(const floor_search *f, const relevance *x, int k, double least, double *floor)
{
    const vouch_model *m = f->m;
    vouch_model raised = *m;
    mdp *env = MEM_NEW(mdp, m->K);
    vouch_status status = env ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    range own = {INFINITY, -INFINITY};
    for (int q = 0; q < m->pairs; q++)
        if (x->reached[(size_t)k * (size_t)m->pairs + (size_t)q]) include(&own, m->env[k].expected[q]);
    for (int i = 0; i < m->K && env; i++) env[i] = m->env[i];
    raised.env = env;
    double value;
    *floor = own.most;
    for (double below = least; !status && (*floor = own.most - below) > own.least; below *= STEP_DOWN) {
        for (int q = 0; q < m->pairs; q++) f->expected[q] = fmin(own.most, fmax(*floor, m->env[k].expected[q]));
        for (int i = k; i < k + m->group; i++) env[i].expected = f->expected;
        status = dp_optimum(&raised, k, f->low, &value, f->prob);
        if (status || !isfinite(value)) break;
        double used = largest_below(m, k, *floor, f->prob, f->here);
        if (isinf(used)) break;
    }
    *floor = fmax(*floor, own.least);
    mem_free(env);
    return status;
}

/* floor [K]: for each environment. */
static vouch_status find_floors(const vouch_model *m, const relevance *x, double least, double floor[])
{
    arena a = {0};
    floor_search f = {m, ARENA_NEW(&a, double, m->pairs), ARENA_NEW(&a, double, m->K),
                      ARENA_NEW(&a, double, (size_t)m->T *(size_t)m->pairs), ARENA_NEW(&a, bool, 2 * m->S)};
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    for (int k = 0; k < m->K && !status; k++) f.low[k] = commitment_threshold(m->env[k].p, KEEP_TOLERANCE, m->T);
    for (int k = 0; k < m->K && !status; k++)
        if (k % m->group > 0)
            floor[k] = floor[k - 1];
        else
            status = find_floor(&f, x, k, least, &floor[k]);
    arena_free(&a);
    return status;
}

/* The range of relevant rewards of outcomes. */
static range range_of(const vouch_model *m, const relevance *x)
{
    range all = {INFINITY, -INFINITY};
    for (int k = 0; k < m->K; k += m->group)
        for (int q = 0; q < m->pairs; q++)
            for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1] && counts(x, m, k, q); o++)
                include(&all, m->env[k].reward[o]);
    return all;
}

/* Rewards of environment k as planned, and as given above its origin. */
static void rescale_environment(const vouch_model *m, int k, const relevance *x, const rounder *r, mdp *e)
{
    for (int q = 0; q < m->pairs; q++) {
        double first = e->reward[e->start[q]], first_rounded = rounded(r, first);
        e->expected[q] = first_rounded; /* then the differences: a reward common to all successors is exact */
        e->given[q] = first - e->origin;
        for (int o = e->start[q] + 1; o < e->start[q + 1]; o++) {
            e->expected[q] += e->prob[o] * (rounded(r, e->reward[o]) - first_rounded);
            e->given[q] += e->prob[o] * (e->reward[o] - first);
        }
        if (!counts(x, m, k, q)) e->expected[q] = 0;
    }
}

/* The same for expected rewards with a floor. */
static void rescale_above_floor(const vouch_model *m, int k, const relevance *x, const rounder *r, mdp *e)
{
    for (int q = 0; q < m->pairs; q++) {
        e->given[q] = m->env[k].expected[q] - e->origin;
        e->expected[q] = counts(x, m, k, q) ? rounded(r, fmax(m->env[k].expected[q], r->least)) : 0;
    }
}

/* Allocates expected and given, shared by the rows of an environment. */
static bool make_rewards(vouch_model *out)
{
    for (int k = 0; k < out->K; k++) out->env[k].expected = out->env[k].given = NULL;
    bool made = true;
    for (int k = 0; k < out->K; k++) {
        mdp *e = &out->env[k];
        e->expected = k % out->group > 0 ? e[-1].expected : MEM_ZERO(double, out->pairs);
        e->given = k % out->group > 0 ? e[-1].given : MEM_ZERO(double, out->pairs);
        made = made && e->expected && e->given;
    }
    return made;
}

/* The range for planning: of outcomes or, if *by_expected, of expected rewards above the least floor. floor [K]: NAN: none. */
static vouch_status find_range(const vouch_model *m, const relevance *x, const rescale_options *o, double floor[], range *all,
                               bool *by_expected)
{
    *all = range_of(m, x);
    *by_expected = false;
    double enough = spread_enough(m, o->proof);
    bool wide = o->floors && width(all) > enough && (double)m->T * m->pairs <= MOST_TABLE;
    for (int k = 0; k < m->K; k++) floor[k] = NAN;
    if (!wide) return VOUCH_OK;
    vouch_status status = find_floors(m, x, enough / FLOOR_FIRST, floor);
    double least = x->expected.most - enough / FLOOR_SHARE;
    for (int k = 0; k < m->K && !status; k++) least = fmin(least, floor[k]);
    least -= o->attempt > 0 ? (x->expected.most - least) * pow(FLOOR_DEEPER, o->attempt) : 0;
    if (status || (least <= x->expected.least && width(all) <= FLOOR_SHARE * width(&x->expected))) return status;
    *all = (range){fmax(least, x->expected.least), x->expected.most};
    *by_expected = true;
    return VOUCH_OK;
}

static void rescale_rewards(const vouch_model *m, const relevance *x, const rounder *r, bool by_expected, const double floor[],
                            vouch_model *out)
{
    for (int k = 0; k < m->K; k++) {
        mdp *e = &out->env[k];
        e->floor = isnan(floor[k]) ? r->least : floor[k];
        e->origin = isnan(floor[k]) && !m->of_state ? r->least : 0; /* subtracting a large one would cost digits */
        if (k % m->group == 0 && by_expected) rescale_above_floor(m, k, x, r, e);
        if (k % m->group == 0 && !by_expected) rescale_environment(m, k, x, r, e);
        for (int q = 0; q < m->pairs; q++) {
            double given = e->given[q] + (e->origin - r->least);
            if (!counts(x, m, k, q) || (by_expected && given < 0) || !isnan(floor[k])) out->scale.clamped = true;
            if (counts(x, m, k, q) && !(by_expected && given < 0))
                out->scale.error = fmax(out->scale.error, fabs(e->expected[q] - given / r->spread));
        }
    }
}

vouch_status model_is_wide(const vouch_model *m, bool proof, bool *wide)
{
    relevance x = {0};
    vouch_status status = find_relevance(m, &x);
    double enough = spread_enough(m, proof), size = fmax(fabs(x.expected.least), fabs(x.expected.most));
    *wide = !status && (width(&x.expected) > enough || size > LARGE * enough);
    mem_free(x.reached);
    return status;
}

vouch_status model_rescaled(const vouch_model *model, const rescale_options *o, vouch_model *out)
{
    vouch_model rows;
    relevance x = {0};
    if (model_rows(model, out)) return VOUCH_ERROR_MEMORY;
    if (model_rows(model, &rows)) {
        model_view_free(out);
        return VOUCH_ERROR_MEMORY;
    }
    range all;
    bool by_expected;
    double *floor = MEM_NEW(double, rows.K);
    vouch_status status = make_rewards(out) && floor ? find_relevance(&rows, &x) : VOUCH_ERROR_MEMORY;
    if (!status) status = find_range(&rows, &x, o, floor, &all, &by_expected);
    if (!status) {
        /* One shift and one factor for all. */
        rounder r = {.least = all.least, .spread = width(&all)};
        if (!(r.spread > 0)) r.spread = 1; /* all equal */
        r.precision = 2 * DBL_EPSILON * (1 + fmax(fabs(all.least), fabs(all.most)) / r.spread);
        r.most = fmin(MOST_DENOMINATOR, APART / sqrt(r.precision));
        r.room = fmax(MOVED / 2, TOL_GRID_SHARE * o->gap / r.spread / rows.T);
        CHECK_COMPARE(r.spread, >, 0);
        out->scale = (reward_scale){.least = r.least, .spread = r.spread, .raised = by_expected && r.least > x.expected.least};
        rescale_rewards(&rows, &x, &r, by_expected, floor, out);
    } else {
        model_rescaled_free(out);
    }
    MEM_FREE_ALL(x.reached, floor);
    model_view_free(&rows);
    return status;
}

void model_rescaled_free(vouch_model *m)
{
    for (int k = 0; k < m->K && m->env; k += m->group) MEM_FREE_ALL(m->env[k].expected, m->env[k].given);
    model_view_free(m);
}

vouch_status rescaled_given(const vouch_model *m, vouch_model *out)
{
    *out = *m;
    out->env = MEM_NEW(mdp, m->K);
    double *clamped = m->scale.clamped ? MEM_NEW(double, (size_t)m->K *(size_t)m->pairs) : NULL;
    if (!out->env || (m->scale.clamped && !clamped)) {
        MEM_FREE_ALL(out->env, clamped);
        *out = (vouch_model){0};
        return VOUCH_ERROR_MEMORY;
    }
    for (int k = 0; k < m->K; k++) {
        const mdp *e = &m->env[k];
        double least = e->floor - e->origin, most = m->scale.least + m->scale.spread - e->origin;
        out->env[k] = *e;
        out->env[k].expected = clamped ? clamped + (size_t)k * (size_t)m->pairs : e->given;
        for (int q = 0; q < m->pairs && clamped; q++) out->env[k].expected[q] = fmin(most, fmax(e->given[q], least));
    }
    return VOUCH_OK;
}

void rescaled_given_free(vouch_model *given)
{
    if (given->env && given->scale.clamped) mem_free(given->env[0].expected);
    mem_free(given->env);
    *given = (vouch_model){0};
}

/* A regret is the difference of two values. */
static double regret_error(const vouch_model *m) { return m->scale.error <= MOVED ? 0 : 2 * m->T * m->scale.error; }

double rescaled_gap(const vouch_model *m, double gap)
{
    double least = m->T * TOL_STEP;
    return fmax(least, gap / m->scale.spread - 2 * regret_error(m) - 4 * least);
}

double rescaled_tie(const vouch_model *m) { return 2 * regret_error(m); }

double rescaled_loss(const vouch_model *m) { return regret_error(m) * m->scale.spread; }

double rescaled_rounding(const vouch_model *m) { return 4 * m->T * TOL_STEP * m->scale.spread; }
