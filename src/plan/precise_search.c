/* plan/precise_search.c - depth-first branch and bound over policy nodes in numbers of 640 bits (policy/policy.h).
 *
 * The first node that the decisions made lead to, and that is not decided, is branched on. In each environment alone the policies
 * that make these decisions earn at most
 *
 *     min { V(k), max over policies of U + sum_j price_kj (Pr_j - least_kj) },
 *
 * with the prices of U*_c(k); what is minimised, of these values, is the bound. Where nothing is left to decide the values are
 * those of the policy. A second pass minimises the total regret among policies of the least maximum. O(arcs K) an option tried.
 */

#include <errno.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/text.h"
#include "exact/number.h"
#include "plan/proof.h"

/* Most arcs of the graph over all environments, most arcs summed up in a search, and most nodes of the second pass. */
static const double MOST_ARCS = 2e4, MOST_WORK = 4e6;

/* Digits of numbers in a proof, and room for them. Values that agree to 2^-EXACT_EQUAL_BITS / 2 are equal; the checker may round
 * the sums of a claim more coarsely, by a factor of 2^CHECKER_ROUNDING. */
enum { EXACT_DIGITS = 60, EXACT_TEXT = 100, CHECKER_ROUNDING = 20 };

typedef struct level {
    mpf_t *bound; /* [options] of the node branched on */
} level;

typedef struct precise_search {
    const plan_call *call;
    const know_graph *g;
    precise_model *x;
    bool total;          /* the second pass */
    int *pick, *best;    /* [nodes] choice, -1: none; of the best policy */
    bool *reached;       /* [nodes] scratch */
    level *level;        /* [nodes] */
    mpf_t *U;            /* [K] at most, or of a policy */
    mpf_t *weight, *sum; /* [width] scratch */
    mpf_t *weights;      /* [K] of the objective */
    mpf_t value, lowest, cap, tie, part, most;
    mpf_t above; /* all values */
    double work, work_limit;
    proof_writer *proof; /* of the first pass; NULL: none */
    bool *priced;        /* [K] is the bound of U[k] by prices? */
    int worst, missing;  /* environment whose bound counts, row that cannot keep its promise */
    bool found;          /* best has a policy, of this value */
    bool limit;          /* met */
} precise_search;

/* The first node that is come to and not decided; -1: there is none. */
static int find_open(precise_search *s)
{
    const know_graph *g = s->g;
    int last = g->time_start[g->T];
    for (int n = 0; n < g->nodes; n++) s->reached[n] = n == 0;
    for (int n = 0; n < last; n++) {
        if (!s->reached[n]) continue;
        if (s->pick[n] < 0) return n;
        for (int k = 0; k < s->x->K; k++) {
            const exact_layers *l = s->x->env[k]->g;
            for (int a = l->arc_start[s->pick[n]]; a < l->arc_start[s->pick[n] + 1]; a++) s->reached[l->arc_to[a]] = true;
        }
    }
    return -1;
}

/* s->sum := the policy of largest weight . value in environment k. */
static void find_best(precise_search *s, int k)
{
    exact_process_best(s->x->env[k], s->pick, s->weight, NULL, NULL, s->sum);
    s->work += s->x->env[k]->g->arc_start[s->g->choices];
}

static void set_weight(precise_search *s, unsigned reward)
{
    for (int i = 0; i < s->x->width; i++) mpf_set_ui(s->weight[i], 0);
    mpf_set_ui(s->weight[0], reward);
}

/* s->U[k] := no policy left that keeps the promises earns more. false: none keeps them. */
static bool bound_environment(precise_search *s, int k)
{
    precise_model *x = s->x;
    bool kept = true, priced = s->priced[k] = false;
    set_weight(s, 1);
    find_best(s, k);
    mpf_set(s->U[k], s->sum[0]);
    for (int j = 0; j < x->J; j++) {
        kept = kept && mpf_cmp(s->sum[1 + j], x->least[k * x->J + j]) >= 0;
        priced |= mpf_sgn(x->price[k * x->J + j]) > 0;
    }
    for (int j = 0; j < x->J && !kept; j++) {
        set_weight(s, 0);
        mpf_set_ui(s->weight[1 + j], 1);
        find_best(s, k);
        s->missing = k * x->J + j;
        if (mpf_cmp(s->sum[1 + j], x->least[k * x->J + j]) < 0) return false;
    }
    if (kept || !priced) return true;
    set_weight(s, 1);
    for (int j = 0; j < x->J; j++) mpf_set(s->weight[1 + j], x->price[k * x->J + j]);
    find_best(s, k);
    for (int j = 0; j < x->J; j++) {
        mpf_sub(s->part, s->sum[1 + j], x->least[k * x->J + j]);
        mpf_mul(s->part, s->part, s->weight[1 + j]);
        mpf_add(s->sum[0], s->sum[0], s->part);
    }
    s->priced[k] = mpf_cmp(s->sum[0], s->U[k]) < 0;
    if (s->priced[k]) mpf_set(s->U[k], s->sum[0]);
    return true;
}

/* value := what is minimised, of s->U; total: of the second pass. */
static void find_value(precise_search *s, bool total, mpf_t value)
{
    vouch_objective objective = s->call->options->objective;
    mpf_set_ui(value, 0);
    for (int k = 0; k < s->x->K; k++) {
        if (objective == VOUCH_OBJECTIVE_REGRET)
            mpf_sub(s->part, s->x->optimum[k], s->U[k]);
        else
            mpf_neg(s->part, s->U[k]);
        if (objective == VOUCH_OBJECTIVE_WEIGHTED) mpf_mul(s->part, s->part, s->weights[k]);
        if (total || objective == VOUCH_OBJECTIVE_WEIGHTED)
            mpf_add(value, value, s->part);
        else if (k == 0 || mpf_cmp(s->part, value) > 0) {
            mpf_set(value, s->part);
            s->worst = k;
        }
    }
}

/* The bound of the decisions made, or the value of the policy; false: no policy left counts. */
static bool find_bound(precise_search *s, mpf_t bound)
{
    for (int k = 0; k < s->x->K; k++)
        if (!bound_environment(s, k)) return false;
    find_value(s, s->total, bound);
    if (!s->total) return true;
    find_value(s, false, s->most);
    return mpf_cmp(s->most, s->cap) <= 0;
}

static bool is_pruned(const precise_search *s, const mpf_t bound)
{
    if (!s->found) return false;
    mpf_t with_tie;
    mpf_init2(with_tie, EXACT_BITS);
    mpf_add(with_tie, bound, s->tie);
    bool pruned = mpf_cmp(with_tie, s->value) >= 0;
    mpf_clear(with_tie);
    return pruned;
}

static void lower(precise_search *s, const mpf_t bound)
{
    if (mpf_cmp(bound, s->lowest) < 0) mpf_set(s->lowest, bound);
}

/* Does every promise of the policy decided count as kept, however its probability is summed up? */
static bool is_surely_kept(precise_search *s)
{
    precise_model *x = s->x;
    for (int k = 0; k < x->K; k++) {
        set_weight(s, 1);
        find_best(s, k);
        for (int j = 0; j < x->J; j++) {
            mpf_set_d(s->part, commitment_rounding(x->rows->T));
            mpf_add(s->part, s->part, x->least[k * x->J + j]);
            if (mpf_cmp(s->sum[1 + j], s->part) < 0) return false;
        }
    }
    return true;
}

static void offer(precise_search *s, const mpf_t value)
{
    if (is_pruned(s, value)) return;
    if (!is_surely_kept(s)) {
        lower(s, value);
        return;
    }
    s->found = true;
    mpf_set(s->value, value);
    MEM_COPY(s->best, s->pick, s->g->nodes);
}

/* ---- lines of a proof (src/check/FORMAT.md) ---- */

/* All digits that count: a price in front of a large value may lose none. */
static void write_number(const mpf_t x, char text[EXACT_TEXT])
{
    mp_exp_t exponent;
    char *digits = mpf_get_str(NULL, &exponent, 10, EXACT_DIGITS, x);
    long places = (long)strlen(digits) - (mpf_sgn(x) < 0);
    if (places > 0)
        format_text(text, EXACT_TEXT, "%se%ld", digits, (long)exponent - places);
    else
        format_text(text, EXACT_TEXT, "0");
}

static void write_multiplier(precise_search *s, int row, const mpf_t x)
{
    char text[EXACT_TEXT];
    write_number(x, text);
    format_file(s->proof->lines, " %d=%s", row, text);
}

/* Value and bound of the objective, apart by what who checks the proof may round: s->value and s->lowest. */
static void write_claims(precise_search *s, char value[EXACT_TEXT], char bound[EXACT_TEXT])
{
    bool regret = s->call->options->objective == VOUCH_OBJECTIVE_REGRET;
    mpf_mul_2exp(s->part, s->tie, CHECKER_ROUNDING);
    mpf_add(s->most, s->value, s->part);
    mpf_sub(s->part, s->lowest, s->part);
    if (regret && mpf_sgn(s->part) < 0) mpf_set_ui(s->part, 0);
    if (!regret) mpf_neg(s->most, s->most);
    if (!regret) mpf_neg(s->part, s->part);
    write_number(s->most, value);
    write_number(s->part, bound);
}

/* Closes a case by the multipliers of its bound, of the decisions made. */
static void write_leaf(precise_search *s, int number)
{
    precise_model *x = s->x;
    bool weighted = s->call->options->objective == VOUCH_OBJECTIVE_WEIGHTED;
    if (!find_bound(s, s->most)) {
        format_file(s->proof->lines, "empty %d %d=1\n", number, s->missing);
        return;
    }
    format_file(s->proof->lines, "leaf %d", number);
    if (!weighted) format_file(s->proof->lines, " %d=1", s->worst);
    fputs(" ;", s->proof->lines);
    for (int k = 0; k < x->K; k++)
        for (int j = 0; j < x->J && s->priced[k] && (weighted || k == s->worst); j++) {
            mpf_set(s->part, x->price[k * x->J + j]);
            if (weighted) mpf_mul(s->part, s->part, s->weights[k]);
            if (mpf_sgn(s->part) > 0) write_multiplier(s, k * x->J + j, s->part);
        }
    fputc('\n', s->proof->lines);
}

/* The number of a case of these decisions, one of which is the choice, below case `of`. */
static int write_child(precise_search *s, int of, int choice)
{
    format_file(s->proof->lines, "child %d %d %d\n", ++s->proof->cases, of, proof_action(s->proof, choice));
    return s->proof->cases;
}

/* ---- the search ---- */

/* The options of node n that may hold a better policy, from the least bound on. number: of the case in a proof. */
static void explore(precise_search *s, int depth, const mpf_t bound, int number)
{
    int n = find_open(s);
    proof_writer *proof = s->total ? NULL : s->proof;
    if (n < 0) {
        if (proof) write_leaf(s, number);
        offer(s, bound);
        return;
    }
    if (s->limit || s->work > s->work_limit || deadline_expired(&s->call->limit)) {
        s->limit = true;
        lower(s, bound);
        return;
    }
    int first = s->g->choice_start[n], count = s->g->choice_start[n + 1] - first;
    level *l = &s->level[depth];
    if (!l->bound) l->bound = exact_numbers(s->g->m->A);
    bool *left = EXACT_NEW(bool, count);
    for (int i = 0; i < count; i++) {
        s->pick[n] = first + i;
        left[i] = find_bound(s, l->bound[i]);
    }
    if (proof) {
        int named = proof_number(proof, n);
        format_file(proof->lines, "branch %d %d\n", number, named);
    }
    for (int i = 0; i < count && proof; i++) {
        s->pick[n] = first + i;
        if (!left[i]) write_leaf(s, write_child(s, number, first + i));
    }
    for (int tried = 0; tried < count; tried++) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (left[i] && (next < 0 || mpf_cmp(l->bound[i], l->bound[next]) < 0)) next = i;
        if (next < 0) break;
        left[next] = false;
        s->pick[n] = first + next;
        int below = proof ? write_child(s, number, first + next) : 0;
        if (!is_pruned(s, l->bound[next])) {
            explore(s, depth + 1, l->bound[next], below);
            continue;
        }
        lower(s, l->bound[next]);
        if (proof) write_leaf(s, below);
    }
    s->pick[n] = -1;
}

/* One pass, from the best policy known. Afterwards no policy left has a value below s->lowest. */
static void run_pass(precise_search *s, bool total, double work)
{
    mpf_t bound;
    mpf_init2(bound, EXACT_BITS);
    s->total = total;
    s->work = 0;
    s->work_limit = work;
    s->limit = false;
    for (int n = 0; n < s->g->nodes; n++) s->pick[n] = -1;
    mpf_set(s->lowest, s->above);
    if (find_bound(s, bound)) explore(s, 0, bound, 1);
    if (s->found && mpf_cmp(s->value, s->lowest) < 0) mpf_set(s->lowest, s->value);
}

/* Begins with the policy of the call, if it has one: prob [choices] of its rules. */
static void begin_with(precise_search *s, const double prob[])
{
    const know_graph *g = s->g;
    for (int n = 0; n < g->nodes; n++) {
        s->pick[n] = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (prob[c] > 0) s->pick[n] = c;
    }
    if (find_open(s) >= 0) return;
    s->total = false;
    for (int k = 0; k < s->x->K; k++) {
        set_weight(s, 1);
        find_best(s, k);
        mpf_set(s->U[k], s->sum[0]);
    }
    find_value(s, false, s->value);
    s->found = true;
    MEM_COPY(s->best, s->pick, g->nodes);
}

static precise_search *search_new(const plan_call *call, const vouch_model *rows, const know_graph *g)
{
    const vouch_plan_options *o = call->options;
    const plan_task *task = call->task;
    precise_search *s = EXACT_NEW(precise_search, 1);
    *s = (precise_search){.call = call, .g = g};
    s->x = precise_new(rows, g, NULL, task ? task->p : NULL, task ? task->tolerance : KEEP_TOLERANCE);
    s->pick = EXACT_NEW(int, g->nodes);
    s->best = EXACT_NEW(int, g->nodes);
    s->reached = EXACT_NEW(bool, g->nodes);
    s->level = EXACT_NEW(level, g->nodes + 1);
    s->priced = EXACT_NEW(bool, s->x->K);
    s->U = exact_numbers(s->x->K);
    s->weights = exact_numbers(s->x->K);
    s->weight = exact_numbers(s->x->width);
    s->sum = exact_numbers(s->x->width);
    mpf_t *const scratch[] = {&s->value, &s->lowest, &s->cap, &s->tie, &s->part, &s->most, &s->above};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) mpf_init2(*scratch[i], EXACT_BITS);
    for (int k = 0; k < s->x->K; k++) {
        exact_decimal(s->weights[k], o->weights ? o->weights[k] : 1);
        mpf_mul(s->part, s->x->env[k]->size, s->weights[k]);
        mpf_add(s->tie, s->tie, s->part);
        mpf_add(s->tie, s->tie, s->x->env[k]->size);
    }
    mpf_mul_2exp(s->above, s->tie, 1);
    mpf_div_2exp(s->tie, s->tie, EXACT_EQUAL_BITS / 2);
    return s;
}

/* The best policy found, as rules and figures. */
static vouch_status write_policy(precise_search *s, double prob[], double reach[], double U[])
{
    vouch_policy *policy = s->call->policy;
    const know_graph *g = s->g;
    for (int n = 0; n < g->nodes; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) prob[c] = s->best[n] == c;
    for (int n = 0; n < g->nodes; n++) s->pick[n] = s->best[n];
    int bare = propagate_forward(g, prob, reach, U, U + g->K);
    CHECK_COMPARE(bare, <, 0);
    policy->rule_count = 0;
    policy->plans = 0;
    policy->determinism = NULL;
    policy->late = false;
    policy->has_policy = 1;
    for (int k = 0; k < s->x->K; k++) {
        set_weight(s, 1);
        find_best(s, k);
        precise_set_figures(s->x, k, s->sum[0], policy->figures);
    }
    for (int r = 0; r < g->K; r++) policy->figures[r].commitment_probability = U[g->K + r];
    return rules_from_nodes(g, prob, reach, policy) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* Bound and outcome, after the first pass. */
static void set_bound(precise_search *s)
{
    vouch_policy *policy = s->call->policy;
    bool regret = s->call->options->objective == VOUCH_OBJECTIVE_REGRET;
    mpf_t gap;
    mpf_init2(gap, EXACT_BITS);
    exact_decimal(gap, s->call->options->gap);
    mpf_add(gap, gap, s->tie);
    mpf_sub(s->part, s->value, s->lowest);
    policy->outcome = mpf_cmp(s->part, gap) <= 0 ? VOUCH_PLAN_OPTIMAL : VOUCH_PLAN_FEASIBLE;
    double bound = mpf_get_d(s->lowest), value = plan_objective(s->x->rows, policy);
    policy->bound = mpf_cmp(s->part, s->tie) <= 0 ? value : regret ? fmin(bound, value) : fmax(-bound, value);
    if (regret) policy->bound = fmax(0, policy->bound);
    mpf_clear(gap);
}

static void find_total(precise_search *s)
{
    const vouch_plan_options *o = s->call->options;
    vouch_policy *policy = s->call->policy;
    policy->total_bound = 0;
    policy->total_nodes = 0;
    if (o->objective != VOUCH_OBJECTIVE_REGRET || !o->least_total_regret) return;
    mpf_add(s->cap, s->value, s->tie);
    for (int n = 0; n < s->g->nodes; n++) s->pick[n] = s->best[n];
    find_bound(s, s->value);
    find_value(s, true, s->value);
    run_pass(s, true, MOST_WORK);
    policy->total_bound = fmax(0, mpf_get_d(s->lowest)) * s->x->J;
}

/* Memory of doubles that the search reads and writes. */
typedef struct arrays {
    double *prob;  /* [choices] of the policy to begin with, if `begin`; scratch */
    double *reach; /* [nodes * rows] */
    double *U;     /* [2 * rows] */
    bool begin;
    proof_writer *proof;                       /* NULL: none is written */
    char value[EXACT_TEXT], bound[EXACT_TEXT]; /* claimed */
} arrays;

/* false: memory is out. */
static bool run_search(plan_call *call, const vouch_model *rows, const know_graph *g, arrays *d, exact_memory *memory, bool *done)
{
    if (setjmp(memory->escape)) return false;
    vouch_policy *policy = call->policy;
    precise_search *s = search_new(call, rows, g);
    s->proof = d->proof;
    if (!s->x->feasible) return true;
    if (d->begin) begin_with(s, d->prob);
    run_pass(s, false, MOST_WORK);
    if (s->limit) return true;
    if (!s->found) { /* a policy that may count as kept has lowered the bound */
        bool regret = call->options->objective == VOUCH_OBJECTIVE_REGRET;
        if (mpf_cmp(s->lowest, s->above) < 0 || d->proof) return true;
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
        policy->bound = regret ? INFINITY : -INFINITY;
        *done = true;
        return true;
    }
    mpf_t least, lowest;
    mpf_init2(least, EXACT_BITS);
    mpf_init2(lowest, EXACT_BITS);
    mpf_set(least, s->value);
    mpf_set(lowest, s->lowest);
    find_total(s);
    if (write_policy(s, d->prob, d->reach, d->U)) return false;
    policy_sum_regrets(policy);
    mpf_set(s->value, least);
    mpf_set(s->lowest, lowest);
    set_bound(s);
    write_claims(s, d->value, d->bound);
    *done = true;
    return true;
}

vouch_status plan_precise_search(plan_call *call, const vouch_model *rows, bool *done)
{
    *done = false;
    if (!isfinite(call->options->gap)) return VOUCH_OK;                  /* any plan will do */
    if (call->options->proof && !precise_is_read(rows)) return VOUCH_OK; /* the checker sees other numbers */
    if (call->task && (call->task->floor || call->task->averages->count > 0)) return VOUCH_OK;
    know_graph *g = NULL;
    know_limits limits = {.nodes = (long long)MOST_ARCS, .edges = (long long)MOST_ARCS, .time = &call->limit};
    vouch_status status = know_graph_new(rows, plan_lookahead(call), &limits, &g, call->error);
    if (status || !precise_fits(rows, g, NULL, MOST_ARCS)) {
        know_graph_free(g);
        return status == VOUCH_ERROR_MEMORY ? status : VOUCH_OK;
    }
    arrays d = {MEM_ZERO(double, g->choices),
                MEM_NEW(double, (size_t)g->nodes *(size_t)g->K),
                MEM_NEW(double, 2 * g->K),
                false,
                NULL,
                "",
                ""};
    bool made = d.prob && d.reach && d.U;
    const policy_space space = {.m = rows, .K = rows->K, .g = g};
    proof_writer proof = {.space = &space, .cases = 1, .number = MEM_NEW(int, g->nodes)};
    made = made && proof.number;
    for (int n = 0; n < g->nodes && made; n++) proof.number[n] = -1;
    if (made && call->options->proof) {
        d.proof = &proof;
        proof.lines = tmpfile();
        if (!proof.lines)
            status = errno == ENOMEM ? VOUCH_ERROR_MEMORY : VOUCH_ERROR_IO;
        else
            format_file(proof.lines, "tree %s 1\n", proof_subject(call->options->objective));
    }
    d.begin = made && call->policy->has_policy && !rules_to_nodes(call->policy, g, d.prob, call->error);
    if (made && !status) {
        exact_memory memory;
        exact_memory_enter(&memory);
        made = run_search(call, rows, g, &d, &memory, done);
        exact_memory_leave(&memory);
    }
    if (made && *done && d.proof) status = proof_tell_exact(call, rows, d.proof, d.value, d.bound);
    if (proof.lines) fclose(proof.lines);
    MEM_FREE_ALL(proof.number, d.prob, d.reach, d.U);
    know_graph_free(g);
    return made ? status : VOUCH_ERROR_MEMORY;
}
