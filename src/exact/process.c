/* exact/process.c - see process.h. A policy takes O(arcs * width); U* a policy for each column of its linear program (Dantzig and
 * Wolfe 1960), whose duals are the prices of the promises. Column generation takes O(rows^2) a pivot without the pricer; an
 * artificial variable that stays in the basis at 0 leaves it when an entering column has an entry in its row. */
#include "exact/process.h"

#include <math.h>

#include "base/check.h"
#include "exact/number.h"

mpf_t *exact_numbers(int count)
{
    mpf_t *x = EXACT_NEW(mpf_t, count);
    for (int i = 0; i < count; i++) mpf_init2(x[i], EXACT_BITS);
    return x;
}

/* text: of more digits than `from` has; NULL: it has all. */
static void read_decimal(mpf_t to, double from, const char *text)
{
    mpq_t decimal;
    mpq_init(decimal);
    if (text)
        exact_text(decimal, text);
    else
        exact_number(decimal, from, EXACT_DECIMAL);
    mpf_set_q(to, decimal);
    mpq_clear(decimal);
}

void exact_decimal(mpf_t to, double from) { read_decimal(to, from, NULL); }

void exact_required(mpf_t to, double p, double rest)
{
    mpf_t more;
    if (rest == 0) {
        exact_decimal(to, p);
        return;
    }
    mpf_init2(more, EXACT_BITS);
    mpf_set_d(to, p);
    mpf_set_d(more, rest);
    mpf_add(to, to, more);
    mpf_clear(more);
}

/* to += a b */
static void add_product(exact_process *p, mpf_t to, const mpf_t a, const mpf_t b)
{
    mpf_mul(p->part, a, b);
    mpf_add(to, to, p->part);
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
                read_decimal(paid[i], g->reward[i], g->decimal ? g->decimal[i] : NULL);
                mpf_abs(p->part, paid[i]);
                if (mpf_cmp(p->part, p->size) > 0) mpf_set(p->size, p->part);
            }
            mpf_set_ui(p->best, 0); /* probabilities that sum to 1, and the expected reward */
            for (int a = g->arc_start[o]; a < g->arc_start[o + 1]; a++) mpf_add(p->best, p->best, of_outcome[g->arc_outcome[a]]);
            for (int a = g->arc_start[o]; a < g->arc_start[o + 1]; a++) {
                mpf_div(p->prob[a], of_outcome[g->arc_outcome[a]], p->best);
                add_product(p, p->reward[o], p->prob[a], paid[g->arc_outcome[a]]);
            }
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

/* p->option := value of option o from the values of later nodes */
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

/* Is the option that scores `score` better than the best one of node n? */
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
    /* p->tie := differences of weighted sums up to this are rounding. */
    mpf_abs(p->tie, weight[0]);
    for (int i = 1; i < p->width; i++) {
        mpf_abs(p->part, weight[i]);
        mpf_add(p->tie, p->tie, p->part);
    }
    mpf_mul(p->tie, p->tie, p->size);
    mpf_div_2exp(p->tie, p->tie, EXACT_EQUAL_BITS);
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

static bool run_losses(const exact_layers *g, const exact_promises *promised, exact_memory *memory, double loss[],
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
        exact_required(least[j], promised->p[j], promised->rest ? promised->rest[j] : 0);
        mpf_set_d(x->part, promised->keep);
        mpf_sub(least[j], least[j], x->part);
    }
    if (!exact_process_optimum(x, least, weight[0], price)) return true;
    value->promised = mpf_get_d(weight[0]);
    mpf_sub(best[0], best[0], weight[0]);
    value->forgone = mpf_get_d(best[0]);
    return true;
}

vouch_status exact_losses(const exact_layers *g, const exact_promises *promised, double loss[], exact_values *value)
{
    exact_memory memory;
    exact_memory_enter(&memory);
    bool made = run_losses(g, promised, &memory, loss, value);
    exact_memory_leave(&memory);
    return made ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

/* ---- columns ------------------------------------------------------------------------------------------------------ */

/* column generation in numbers of 640 bits: see exact/process.h. O(rows^2) a pivot beside the pricer. Artificial
 * variables in the first phase; one that stays in the basis at 0 leaves it as soon as an entering column touches its row. */

typedef struct tableau {
    const exact_columns *c;
    int m;
    mpf_t *inverse;   /* [m * m] of the basis */
    mpf_t *x, *step;  /* [m] */
    mpf_t *basis;     /* [m * (1 + m)] cost and entries of its columns */
    bool *artificial; /* [m] */
    mpf_t *dual;      /* [m] */
    mpf_t *offered;   /* [1 + m] */
    mpf_t part, gain, best, zero;
} tableau;

static void find_duals(tableau *b, bool costs)
{
    for (int j = 0; j < b->m; j++) {
        mpf_set_ui(b->dual[j], 0);
        for (int i = 0; i < b->m; i++) {
            if (b->artificial[i]) {
                if (!costs) mpf_sub(b->dual[j], b->dual[j], b->inverse[i * b->m + j]);
            } else if (costs) {
                mpf_mul(b->part, b->basis[i * (1 + b->m)], b->inverse[i * b->m + j]);
                mpf_add(b->dual[j], b->dual[j], b->part);
            }
        }
    }
}

/* The column of largest gain beyond rounding, slack or priced; NULL: none. */
static mpf_t *choose_column(tableau *b, bool costs)
{
    const exact_columns *c = b->c;
    mpf_t *entering = NULL;
    c->price(c->context, b->dual, costs, b->offered);
    mpf_set(b->best, costs ? *c->tie : b->zero);
    for (int s = 0; s <= c->slacks; s++) {
        mpf_t *column = s < c->slacks ? c->slack + s * (1 + b->m) : b->offered;
        mpf_set_ui(b->gain, 0);
        if (costs) mpf_set(b->gain, column[0]);
        for (int i = 0; i < b->m; i++) {
            mpf_mul(b->part, b->dual[i], column[1 + i]);
            mpf_sub(b->gain, b->gain, b->part);
        }
        if (mpf_cmp(b->gain, b->best) <= 0) continue;
        mpf_set(b->best, b->gain);
        entering = column;
    }
    return entering;
}

/* Is row i before row r in the lexicographic ratio test? */
static bool leaves_before(tableau *b, int i, int r)
{
    for (int j = -1; j < b->m; j++) {
        mpf_t *of_i = j < 0 ? &b->x[i] : &b->inverse[i * b->m + j], *of_r = j < 0 ? &b->x[r] : &b->inverse[r * b->m + j];
        mpf_mul(b->part, *of_i, b->step[r]);
        mpf_mul(b->gain, *of_r, b->step[i]);
        int order = mpf_cmp(b->part, b->gain);
        if (order != 0) return order < 0;
    }
    return false;
}

/* The row of the leaving variable; -1: none. */
static int choose_row(tableau *b, mpf_t entering[], bool costs)
{
    int m = b->m, r = -1;
    for (int i = 0; i < m; i++) {
        mpf_set_ui(b->step[i], 0);
        for (int j = 0; j < m; j++) {
            mpf_mul(b->part, b->inverse[i * m + j], entering[1 + j]);
            mpf_add(b->step[i], b->step[i], b->part);
        }
        mpf_abs(b->part, b->step[i]);
        if (mpf_cmp(b->part, b->zero) <= 0) mpf_set_ui(b->step[i], 0);
    }
    for (int i = 0; i < m && costs; i++)
        if (b->artificial[i] && mpf_sgn(b->step[i]) != 0) return i;
    for (int i = 0; i < m; i++)
        if (mpf_sgn(b->step[i]) > 0 && (r < 0 || leaves_before(b, i, r))) r = i;
    return r;
}

static void pivot(tableau *b, mpf_t entering[], int r)
{
    int m = b->m;
    mpf_div(b->x[r], b->x[r], b->step[r]);
    for (int j = 0; j < m; j++) mpf_div(b->inverse[r * m + j], b->inverse[r * m + j], b->step[r]);
    for (int i = 0; i < m; i++) {
        if (i == r || mpf_sgn(b->step[i]) == 0) continue;
        mpf_mul(b->part, b->step[i], b->x[r]);
        mpf_sub(b->x[i], b->x[i], b->part);
        mpf_abs(b->part, b->x[i]);
        if (mpf_cmp(b->part, b->zero) <= 0) mpf_set_ui(b->x[i], 0);
        for (int j = 0; j < m; j++) {
            mpf_mul(b->part, b->step[i], b->inverse[r * m + j]);
            mpf_sub(b->inverse[i * m + j], b->inverse[i * m + j], b->part);
        }
    }
    for (int j = 0; j <= m; j++) mpf_set(b->basis[r * (1 + m) + j], entering[j]);
    b->artificial[r] = false;
}

static bool reach_optimum(tableau *b, bool costs)
{
    for (;;) {
        find_duals(b, costs);
        mpf_t *entering = choose_column(b, costs);
        if (!entering) break;
        int r = choose_row(b, entering, costs);
        if (r < 0) break; /* unbounded by rounding only: the program is bounded */
        pivot(b, entering, r);
        if (b->c->enter) b->c->enter(b->c->context, r, entering == b->offered);
    }
    for (int i = 0; i < b->m && !costs; i++)
        if (b->artificial[i] && mpf_cmp(b->x[i], b->zero) > 0) return false;
    return true;
}

bool exact_columns_maximise(const exact_columns *c, mpf_t optimum, mpf_t dual[])
{
    enum { ZERO_BITS = 200 };
    int m = c->rows;
    tableau b = {.c = c,
                 .m = m,
                 .inverse = exact_numbers(m * m),
                 .x = exact_numbers(m),
                 .step = exact_numbers(m),
                 .basis = exact_numbers(m * (1 + m)),
                 .artificial = EXACT_NEW(bool, m),
                 .dual = exact_numbers(m),
                 .offered = exact_numbers(1 + m)};
    mpf_init2(b.part, EXACT_BITS);
    mpf_init2(b.gain, EXACT_BITS);
    mpf_init2(b.best, EXACT_BITS);
    mpf_init2(b.zero, EXACT_BITS);
    mpf_set_ui(b.zero, 1);
    mpf_div_2exp(b.zero, b.zero, ZERO_BITS);
    for (int i = 0; i < m; i++) {
        CHECK(mpf_sgn(c->side[i]) >= 0);
        mpf_set(b.x[i], c->side[i]);
        mpf_set_ui(b.inverse[i * m + i], 1);
        b.artificial[i] = true;
    }
    if (!reach_optimum(&b, false) || !reach_optimum(&b, true)) return false;
    mpf_set_ui(optimum, 0);
    for (int i = 0; i < m; i++) {
        mpf_set(dual[i], b.dual[i]);
        if (c->value) mpf_set(c->value[i], b.x[i]);
        mpf_mul(b.part, b.x[i], b.basis[i * (1 + m)]);
        if (!b.artificial[i]) mpf_add(optimum, optimum, b.part);
    }
    return true;
}
