/* exact/process.c - see process.h. A policy takes O(arcs * width); U* a policy for each column of its linear program (Dantzig and
 * Wolfe 1960), whose duals are the prices of the promises. */
#include "exact/process.h"

#include <math.h>

#include "base/check.h"
#include "exact/memory.h"
#include "exact/number.h"

mpf_t *exact_numbers(int count)
{
    mpf_t *x = EXACT_NEW(mpf_t, count);
    for (int i = 0; i < count; i++) mpf_init2(x[i], EXACT_BITS);
    return x;
}

void exact_decimal(mpf_t to, double from)
{
    mpq_t decimal;
    mpq_init(decimal);
    exact_number(decimal, from, EXACT_DECIMAL);
    mpf_set_q(to, decimal);
    mpq_clear(decimal);
}

/* to += a b */
static void add_product(exact_process *p, mpf_t to, const mpf_t a, const mpf_t b)
{
    mpf_mul(p->part, a, b);
    mpf_add(to, to, p->part);
}

/* Probabilities that sum to 1, and the expected reward. */
static void load_option(exact_process *p, int o, mpf_t of_outcome[], mpf_t paid[])
{
    const exact_layers *g = p->g;
    mpf_set_ui(p->best, 0);
    for (int a = g->arc_start[o]; a < g->arc_start[o + 1]; a++) mpf_add(p->best, p->best, of_outcome[g->arc_outcome[a]]);
    for (int a = g->arc_start[o]; a < g->arc_start[o + 1]; a++) {
        mpf_div(p->prob[a], of_outcome[g->arc_outcome[a]], p->best);
        add_product(p, p->reward[o], p->prob[a], paid[g->arc_outcome[a]]);
    }
}

exact_process *exact_process_new(const exact_layers *g)
{
    exact_process *p = EXACT_NEW(exact_process, 1);
    int options = g->option_start[g->nodes], most = 1;
    for (int n = 0; n < g->nodes; n++)
        if (g->option_start[n + 1] - g->option_start[n] > most) most = g->option_start[n + 1] - g->option_start[n];
    *p = (exact_process){.g = g, .width = 1 + g->promises, .reached = EXACT_NEW(bool, g->nodes)};
    p->prob = exact_numbers(g->arc_start[options]);
    p->reward = exact_numbers(options);
    p->value = exact_numbers(g->nodes * p->width);
    p->option = exact_numbers(p->width);
    p->score = exact_numbers(most);
    mpf_t *const scratch[] = {&p->size, &p->part, &p->tie, &p->best};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) mpf_init2(*scratch[i], EXACT_BITS);
    mpf_t *of_outcome = exact_numbers(g->outcomes), *paid = exact_numbers(g->outcomes);
    p->reached[0] = true;
    mpf_set_ui(p->size, 1);
    for (int n = 0; n < g->nodes; n++)
        for (int o = g->option_start[n]; o < g->option_start[n + 1] && p->reached[n]; o++) {
            for (int a = g->arc_start[o]; a < g->arc_start[o + 1]; a++) {
                int i = g->arc_outcome[a];
                p->reached[g->arc_to[a]] = true;
                if (mpf_sgn(of_outcome[i]) > 0) continue;
                exact_decimal(of_outcome[i], g->prob[i]);
                exact_decimal(paid[i], g->reward[i]);
                mpf_abs(p->part, paid[i]);
                if (mpf_cmp(p->part, p->size) > 0) mpf_set(p->size, p->part);
            }
            load_option(p, o, of_outcome, paid);
        }
    mpf_mul_ui(p->size, p->size, (unsigned long)g->nodes);
    return p;
}

static mpf_t *value_of(const exact_process *p, int node) { return p->value + (size_t)node * (size_t)p->width; }

static void end_value(exact_process *p, int n)
{
    mpf_set_ui(value_of(p, n)[0], 0);
    for (int j = 0; j < p->g->promises; j++) mpf_set_d(value_of(p, n)[1 + j], p->g->kept[j][n]);
}

/* p->option := what option o is worth, from what follows. */
static void find_option(exact_process *p, int o)
{
    const exact_layers *g = p->g;
    mpf_set(p->option[0], p->reward[o]);
    for (int j = 0; j < g->promises; j++) mpf_set_ui(p->option[1 + j], 0);
    for (int a = g->arc_start[o]; a < g->arc_start[o + 1]; a++)
        for (int i = 0; i < p->width; i++) add_product(p, p->option[i], p->prob[a], value_of(p, g->arc_to[a])[i]);
}

static void weigh(exact_process *p, mpf_t weight[], mpf_t value[], mpf_t sum)
{
    mpf_set_ui(sum, 0);
    for (int i = 0; i < p->width; i++)
        if (mpf_sgn(weight[i]) != 0) add_product(p, sum, weight[i], value[i]);
}

/* p->tie := differences of weighted sums up to this are rounding. */
static void find_tie(exact_process *p, mpf_t weight[])
{
    mpf_abs(p->tie, weight[0]);
    for (int i = 1; i < p->width; i++) {
        mpf_abs(p->part, weight[i]);
        mpf_add(p->tie, p->tie, p->part);
    }
    mpf_mul(p->tie, p->tie, p->size);
    mpf_div_2exp(p->tie, p->tie, EXACT_EQUAL_BITS);
}

/* Is the option that scores `score` better than the best of node n so far? */
static bool is_better(exact_process *p, int n, const mpf_t score, mpf_t rank[])
{
    mpf_t a, b;
    mpf_sub(p->part, score, p->best);
    bool above = mpf_sgn(p->part) > 0;
    mpf_abs(p->part, p->part);
    if (mpf_cmp(p->part, p->tie) > 0) return above;
    if (!rank) return false;
    mpf_init2(a, EXACT_BITS);
    mpf_init2(b, EXACT_BITS);
    weigh(p, rank, p->option, a);
    weigh(p, rank, value_of(p, n), b);
    above = mpf_cmp(a, b) > 0;
    mpf_clear(a);
    mpf_clear(b);
    return above;
}

void exact_process_best(exact_process *p, const int pick[], mpf_t weight[], mpf_t rank[], double loss[], mpf_t value[])
{
    const exact_layers *g = p->g;
    find_tie(p, weight);
    for (int n = g->nodes - 1; n >= 0; n--) {
        int first = g->option_start[n], last = g->option_start[n + 1];
        if (!p->reached[n]) continue;
        if (first == last) end_value(p, n);
        if (pick && pick[n] >= 0) first = pick[n], last = first + 1;
        for (int o = first; o < last; o++) {
            mpf_t *score = &p->score[o - first];
            find_option(p, o);
            weigh(p, weight, p->option, *score);
            if (o > first && !is_better(p, n, *score, rank)) continue;
            for (int i = 0; i < p->width; i++) mpf_set(value_of(p, n)[i], p->option[i]);
            mpf_set(p->best, *score);
        }
        for (int o = first; loss && o < last; o++) {
            mpf_sub(p->part, p->best, p->score[o - first]);
            loss[o] = mpf_sgn(p->part) > 0 && mpf_cmp(p->part, p->tie) > 0 ? mpf_get_d(p->part) : 0;
        }
    }
    for (int i = 0; i < p->width; i++) mpf_set(value[i], p->value[i]);
}

void exact_process_follow(exact_process *p, const double prob[], mpf_t value[])
{
    const exact_layers *g = p->g;
    mpf_t share, sum;
    mpf_init2(share, EXACT_BITS);
    mpf_init2(sum, EXACT_BITS);
    for (int n = g->nodes - 1; n >= 0; n--) {
        mpf_t *here = value_of(p, n);
        if (!p->reached[n]) continue;
        end_value(p, n);
        mpf_set_ui(sum, 0);
        for (int o = g->option_start[n]; o < g->option_start[n + 1]; o++) {
            if (o == g->option_start[n])
                for (int i = 0; i < p->width; i++) mpf_set_ui(here[i], 0);
            if (!(prob[o] > 0)) continue;
            exact_decimal(share, prob[o]);
            mpf_add(sum, sum, share);
            find_option(p, o);
            for (int i = 0; i < p->width; i++) add_product(p, here[i], share, p->option[i]);
        }
        for (int i = 0; i < p->width && mpf_sgn(sum) > 0; i++) mpf_div(here[i], here[i], sum);
    }
    mpf_clear(share);
    mpf_clear(sum);
    for (int i = 0; i < p->width; i++) mpf_set(value[i], p->value[i]);
}

/* A column of U* under promises: a policy, which counts for 1 in the last row. */
static void price_policy(void *context, mpf_t dual[], bool costs, mpf_t column[])
{
    exact_process *p = context;
    mpf_t *weight = exact_numbers(p->width), *rank = exact_numbers(p->width);
    mpf_set_ui(weight[0], costs);
    mpf_set_ui(rank[0], !costs);
    for (int j = 0; j < p->g->promises; j++) {
        mpf_neg(weight[1 + j], dual[j]);
        mpf_set_ui(rank[1 + j], costs);
    }
    exact_process_best(p, NULL, weight, rank, NULL, column);
    mpf_set_ui(column[p->width], 1);
}

bool exact_process_optimum(exact_process *p, mpf_t least[], mpf_t optimum, mpf_t price[])
{
    int J = p->g->promises, width = 2 + J;
    mpf_t *side = exact_numbers(1 + J), *slack = exact_numbers(J * width), *dual = exact_numbers(1 + J), tie;
    for (int j = 0; j < J; j++) {
        if (mpf_sgn(least[j]) > 0) mpf_set(side[j], least[j]);
        mpf_set_si(slack[j * width + 1 + j], -1);
    }
    mpf_set_ui(side[J], 1);
    mpf_init2(tie, EXACT_BITS);
    mpf_div_2exp(tie, p->size, EXACT_EQUAL_BITS / 2);
    const exact_columns c = {1 + J, side, J, slack, price_policy, p, &tie, NULL, NULL};
    if (!exact_columns_maximise(&c, optimum, dual)) return false;
    for (int j = 0; j < J; j++) mpf_neg(price[j], dual[j]);
    return true;
}

static bool run_losses(const exact_layers *g, const double p[], double keep, exact_memory *memory, double loss[],
                       exact_values *value)
{
    if (setjmp(memory->escape)) return false;
    exact_process *x = exact_process_new(g);
    mpf_t *weight = exact_numbers(x->width), *best = exact_numbers(x->width), *least = exact_numbers(x->width),
          *price = exact_numbers(x->width);
    mpf_set_ui(weight[0], 1);
    exact_process_best(x, NULL, weight, NULL, loss, best);
    *value = (exact_values){mpf_get_d(best[0]), -INFINITY, INFINITY};
    for (int j = 0; j < g->promises; j++) {
        exact_decimal(least[j], p[j]);
        mpf_set_d(x->part, keep);
        mpf_sub(least[j], least[j], x->part);
    }
    if (!exact_process_optimum(x, least, weight[0], price)) return true;
    value->promised = mpf_get_d(weight[0]);
    mpf_sub(best[0], best[0], weight[0]);
    value->forgone = mpf_get_d(best[0]);
    return true;
}

vouch_status exact_losses(const exact_layers *g, const double p[], double keep, double loss[], exact_values *value)
{
    exact_memory memory;
    exact_memory_enter(&memory);
    bool made = run_losses(g, p, keep, &memory, loss, value);
    exact_memory_leave(&memory);
    return made ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}
