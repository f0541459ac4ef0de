/* What reductions make of programs, to the last number: each step of presolve and the way back from it, for bases that no simplex
 * method ends with, too; the bounds that propagation implies and takes back; the integer program that is left. See work_aid.h. */
#include <vouch/mip.h>

#include "lp/presolve.h"
#include "lp/presolve_private.h"
#include "lp_aid.h"
#include "mip/presolve.h"
#include "oracle/mips.h"
#include "work_aid.h"

/* ---- linear programs ---- */
static void add_step(digest *d, const presolve *p, const presolve_record *s)
{
    const double all[] = {s->kind, s->row,   s->col,   s->other,       s->a,           s->b,         s->value,     s->cost,
                          s->side, s->lower, s->upper, s->other_lower, s->other_upper, s->new_lower, s->new_upper, s->other_cost};
    add_all(d, 16, all);
    for (int e = s->begin; e < s->end; e++) add(d, p->kept_index[e]), add(d, p->kept_value[e]);
    add(d, s->middle - s->begin);
}

static void add_problem(digest *d, const vouch_lp_data *lp)
{
    const double size[] = {lp->rows, lp->cols, lp->offset, lp->maximize};
    add_all(d, 4, size);
    for (int j = 0; j < lp->cols; j++) {
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) add(d, lp->index[e]), add(d, lp->value[e]);
        const double column[] = {lp->cost[j], lp->col_lower[j], lp->col_upper[j]};
        add_all(d, 3, column);
    }
    add_all(d, lp->rows, lp->row_lower);
    add_all(d, lp->rows, lp->row_upper);
}

/* Any status that the bounds allow; where it stands there. */
static unsigned char resting(rng *r, double lower, double upper, double *x)
{
    *x = pick(r, 9) - 4;
    if (pick(r, 2)) return VOUCH_BASIC;
    if (isinf(lower) && isinf(upper)) return VOUCH_NONBASIC_FREE;
    if (lower == upper) return *x = lower, VOUCH_NONBASIC_FIXED;
    bool low = isinf(upper) || (!isinf(lower) && pick(r, 2));
    *x = low ? lower : upper;
    return low ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
}

static void go_back(rng *r, const presolve *p, const vouch_lp_data *full, digest *d)
{
    const vouch_lp_data *small = presolve_problem(p);
    int m = small->rows, n = small->cols, all = full->rows + full->cols;
    unsigned char *status = calloc((size_t)(m + n) + 1, 1), *back = calloc((size_t)all + 1, 1);
    double *x = calloc((size_t)n + 1, sizeof *x), *y = calloc((size_t)m + 1, sizeof *y), unused;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < m; i++) {
            status[i] = resting(r, small->row_lower[i], small->row_upper[i], &unused);
            y[i] = status[i] == VOUCH_BASIC ? 0 : pick(r, 7) - 3;
        }
        for (int j = 0; j < n; j++) status[m + j] = resting(r, small->col_lower[j], small->col_upper[j], &x[j]);
        add(d, presolve_undo(p, status, x, y, back));
        add_bytes(d, (const char *)back, (size_t)all);
    }
    free(status);
    free(back);
    free(x);
    free(y);
}

static void reduce(rng *r, const sample *s, work *w)
{
    static const char *const end_name[] = {"reduced", "nothing", "hopeless", "limit", "memory"};
    vouch_lp_data data = sample_data(s);
    presolve *p;
    presolve_end end = presolve_run(&data, false, &(deadline){0}, &p);
    outcome(w, end_name[end]);
    w->nodes += (long long)p->step_count;
    for (size_t t = 0; t < p->step_count; t++) add_step(&w->all, p, &p->steps[t]);
    if (end == PRESOLVE_REDUCED) {
        w->iterations += presolve_problem(p)->rows + presolve_problem(p)->cols;
        add_problem(&w->all, presolve_problem(p));
        go_back(r, p, &data, &w->all);
    }
    if (end == PRESOLVE_HOPELESS) {
        double *y = calloc((size_t)data.rows + 1, sizeof *y);
        int none = presolve_ray(p, y);
        add(&w->all, none);
        if (!none) add_all(&w->all, data.rows, y);
        free(y);
    }
    presolve_free(p);
}

/* Rows moved so that a point within the bounds keeps them. */
static sample about_a_point(rng *r, sample s)
{
    double *at = calloc((size_t)s.m + 1, sizeof *at);
    for (int j = 0; j < s.n; j++) {
        double x = fmin(fmax(pick(r, 5) - 2, s.cl[j]), s.cu[j]);
        for (int64_t e = s.start[j]; e < s.start[j + 1]; e++) at[s.index[e]] += s.value[e] * x;
        if (isinf(s.cl[j]) && pick(r, 2)) s.cl[j] = fmin(-9, s.cu[j]);
        if (isinf(s.cu[j]) && pick(r, 2)) s.cu[j] = fmax(20, s.cl[j]);
    }
    for (int i = 0; i < s.m; i++) {
        if (s.rl[i] == s.ru[i]) {
            s.rl[i] = s.ru[i] = at[i];
        } else {
            s.rl[i] = fmin(s.rl[i], at[i]);
            s.ru[i] = fmax(s.ru[i], at[i]);
        }
    }
    free(at);
    return s;
}

static sample lp_small(rng *r) { return sample_random(r, 8, 8); }
static sample lp_random(rng *r) { return about_a_point(r, sample_random(r, 25, 30)); }
static sample lp_chained(rng *r) { return about_a_point(r, sample_chained_of(r, 14, 14)); }
static sample lp_links(rng *r) { return about_a_point(r, sample_chained_of(r, 70, 80)); }

/* Rows and columns that repeat with factors and small differences, bounds that meet and cross by rounding, entries next to nothing.
 */
static sample lp_alike(rng *r)
{
    static const double factor[] = {1, -1, 2, -0.5, 1 + 1e-12, 1 + 1e-7, 3};
    enum { M = 12, N = 14 };
    sample s = sample_new(M, N);
    double cell[M][N];
    for (int i = 0; i < M; i++) {
        double times = factor[pick(r, 7)];
        bool same = i > 0 && pick(r, 2) == 0;
        for (int j = 0; j < N; j++) cell[i][j] = same ? times * cell[i - 1][j] : pick(r, 3) ? 0 : pick(r, 9) - 4;
        s.rl[i] = pick(r, 3) ? (double)(pick(r, 9) - 6) : -INFINITY;
        s.ru[i] = pick(r, 3) ? fmax(isinf(s.rl[i]) ? -9 : s.rl[i], 0) + pick(r, 7) : INFINITY;
        if (same && pick(r, 2) && times > 0) s.rl[i] = times * s.rl[i - 1], s.ru[i] = times * s.ru[i - 1] * (1 + 1e-11);
    }
    for (int j = 0; j < N; j++) {
        double times = factor[pick(r, 7)];
        bool same = j > 0 && pick(r, 3) == 0;
        s.cost[j] = pick(r, 9) - 4;
        if (same && pick(r, 4)) s.cost[j] = times * s.cost[j - 1];
        for (int i = 0; i < M; i++) {
            if (same) cell[i][j] = times * cell[i][j - 1];
            double v = cell[i][j] + (cell[i][j] == 0 && pick(r, 200) == 0 ? 1e-13 : 0);
            if (v != 0) entry(&s, i, v);
        }
        close_column(&s, j);
        int kind = pick(r, 6);
        s.cl[j] = kind == 0 ? -INFINITY : kind == 1 ? (double)(pick(r, 5) - 4) : 0;
        s.cu[j] = kind < 2 ? INFINITY : kind == 2 ? 0 : kind == 3 ? 1e-10 : s.cl[j] + pick(r, 6);
    }
    s.maximize = pick(r, 2);
    return s;
}

/* ---- integer programs ---- */
/* Wide ranges, small steps within them, rows that imply next to nothing, large numbers. */
static vouch_lp *mip_wide(rng *r)
{
    sample s = sample_random(r, 12, 14);
    if (pick(r, 4)) s = about_a_point(r, s);
    for (int j = 0; j < s.n; j++) {
        double scale = pick(r, 3) ? 1 : pow(10, pick(r, 6));
        s.cl[j] *= scale, s.cu[j] *= scale;
        if (isinf(s.cl[j]) && pick(r, 2)) s.cl[j] = -50 * scale;
        if (isinf(s.cu[j]) && pick(r, 2)) s.cu[j] = 100 * scale;
        if (pick(r, 6) == 0) s.cl[j] += 0.25, s.cu[j] += 0.5;
    }
    for (int i = 0; i < s.m; i++) {
        double scale = pick(r, 3) ? 1 : pow(10, pick(r, 5)) + 0.5;
        s.rl[i] *= scale, s.ru[i] *= scale;
    }
    vouch_lp *lp = sample_load(&s);
    for (int j = 0; j < s.n; j++)
        if (pick(r, 3)) vouch_lp_set_integer(lp, j, 1);
    for (int k = 0; k < 2 && s.n > 4; k++) {
        const int member[] = {k, 2 + k, 4};
        const double weight[] = {3, pick(r, 5), 1};
        if (pick(r, 2)) assert_int_equal(vouch_lp_add_sos1(lp, 3, member, weight), VOUCH_OK);
    }
    sample_free(&s);
    return lp;
}

/* Binaries with large coefficients in rows that are slack without them: what tightening is for. */
static vouch_lp *mip_slack(rng *r)
{
    sample s = sample_new(8, 14);
    for (int i = 0; i < s.m; i++)
        s.rl[i] = pick(r, 3) ? -INFINITY : -20.0 - pick(r, 20), s.ru[i] = pick(r, 4) ? 9.0 + pick(r, 20) : INFINITY;
    for (int j = 0; j < s.n; j++) {
        for (int i = 0; i < s.m; i++)
            if (pick(r, 3) == 0) entry(&s, i, (pick(r, 2) ? 1 : -1) * (1 + pick(r, j < 7 ? 40 : 4)));
        close_column(&s, j);
        s.cost[j] = pick(r, 5) ? pick(r, 13) - 6 : 0;
        s.cu[j] = j < 7 ? 1 : 1 + pick(r, 5);
        if (j > 10) s.cl[j] = -pick(r, 3);
    }
    s.maximize = pick(r, 2);
    vouch_lp *lp = sample_load(&s);
    for (int j = 0; j < s.n; j++)
        if (j < 7 || pick(r, 2)) vouch_lp_set_integer(lp, j, 1);
    sample_free(&s);
    return lp;
}

static vouch_lp *mip_any(rng *r) { return mips_make(rng_below(r, 1000)).lp; }

static void add_model(digest *d, const mip_model *m)
{
    const double head[] = {m->m, m->n, m->offset, m->negated, m->sets, mip_model_granularity(m), mip_model_has_continuous(m)};
    add_all(d, 7, head);
    for (int j = 0; j < m->n; j++) {
        for (int64_t e = m->col_start[j]; e < m->col_start[j + 1]; e++) add(d, m->col_row[e]), add(d, m->col_value[e]);
        const double column[] = {m->cost[j], m->lower[j], m->upper[j], m->integer[j]};
        add_all(d, 4, column);
    }
    for (int i = 0; i < m->m; i++) {
        for (int64_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) add(d, m->row_col[e]), add(d, m->row_value[e]);
        add(d, m->row_lower[i]), add(d, m->row_upper[i]);
    }
    for (int q = 0; q < m->sets; q++)
        for (int k = m->set_start[q]; k < m->set_start[q + 1]; k++) add(d, m->set_col[k]);
    int *locks[2] = {calloc((size_t)m->n + 1, sizeof(int)), calloc((size_t)m->n + 1, sizeof(int))};
    mip_model_count_locks(m, locks);
    for (int j = 0; j < m->n; j++) add(d, locks[0][j]), add(d, locks[1][j]);
    free(locks[0]);
    free(locks[1]);
}

static void add_domain(digest *d, const domain *dom, bool alive)
{
    add(d, alive);
    if (alive) {
        add_all(d, dom->model->n, dom->lower);
        add_all(d, dom->model->n, dom->upper);
    }
    add(d, (double)dom->work);
    add(d, (double)dom->trail);
}

/* Branches at random, with what follows, and back. */
static void branch(rng *r, domain *dom, digest *d)
{
    int n = dom->model->n;
    for (int round = 0; round < 8 && n > 0; round++) {
        size_t mark = domain_mark(dom);
        bool alive = true;
        for (int step = 0; step < 3 && alive; step++) {
            int j = pick(r, n);
            double low = fmax(dom->lower[j], -30), high = fmin(dom->upper[j], 30), at = floor(low + (high - low) * rng_unit(r));
            if (pick(r, 8) == 0) at += 0.5 * (high - low) + 1;
            alive = pick(r, 2) ? domain_set_lower(dom, j, at) : domain_set_upper(dom, j, at);
            if (round % 4 == 3) domain_queue_all(dom);
            if (alive) alive = domain_propagate(dom);
            add_domain(d, dom, alive);
        }
        if (round % 3 == 2 || !alive) domain_undo(dom, mark);
        if (round == 5) dom->objective_bound = 4 * rng_unit(r);
    }
}

static void reduce_integers(rng *r, const vouch_lp *lp, work *w)
{
    mip_model model;
    domain dom;
    mip_presolved p;
    deadline none = {0};
    assert_int_equal(mip_model_build(&model, lp), VOUCH_OK);
    add_model(&w->all, &model);
    assert_int_equal(domain_init(&dom, &model), VOUCH_OK);
    domain_queue_all(&dom);
    bool alive = domain_propagate(&dom);
    add_domain(&w->all, &dom, alive);
    if (alive) branch(r, &dom, &w->all);
    w->nodes += dom.work;
    domain_free(&dom);
    for (int whole = 0; whole < 2; whole++) {
        assert_int_equal(mip_presolve(&p, &model, !whole, &none), VOUCH_OK);
        const double counts[] = {p.infeasible, p.rows_before, p.cols_before, p.rows_tightened};
        add_all(&w->all, 4, counts);
        if (!whole) outcome(w, p.infeasible ? "none" : "reduced");
        if (!p.infeasible) {
            w->iterations += p.model.m + p.model.n;
            add_model(&w->all, &p.model);
            double *x = calloc((size_t)model.n + 1, sizeof *x), *back = calloc((size_t)model.n + 1, sizeof *x);
            for (int j = 0; j < p.model.n; j++) add(&w->all, p.col_of[j]), x[j] = pick(r, 7) - 3;
            mip_presolved_expand(&p, x, back);
            add_all(&w->all, model.n, back);
            mip_presolved_restrict(&p, back, x);
            add_all(&w->all, p.model.n, x);
            add(&w->all, mip_model_feasible(&model, back, 1e-6));
            add(&w->all, mip_model_objective(&model, back));
            free(x);
            free(back);
        }
        mip_presolved_free(&p);
    }
    mip_model_free(&model);
}

/* ---- options of the search, drawn at random ---- */
static void heard(void *context, const vouch_mip_node *n)
{
    const double figures[] = {(double)n->id, (double)n->parent, n->depth, n->column, n->lower, n->upper, n->bound, (double)n->end};
    add_all(context, 8, figures);
}

static void search(rng *r, const vouch_lp *lp, work *w)
{
    vouch_mip *mip;
    vouch_mip_result result;
    vouch_mip_options o;
    double *known = NULL;
    int n = vouch_lp_cols(lp);
    for (int round = 0; round < 2; round++) {
        vouch_mip_options_init(&o);
        o.presolve = pick(r, 3) > 0, o.cuts = pick(r, 3) > 0, o.heuristics = pick(r, 3) > 0;
        o.cut_families = pick(r, 2) ? 0 : 1U << pick(r, VOUCH_MIP_FAMILIES);
        o.seed = (uint64_t)pick(r, 3);
        o.gap_absolute = pick(r, 3) ? 1e-9 : 1.5;
        o.gap_relative = pick(r, 3) ? 1e-6 : 0.1;
        o.integrality_tol = pick(r, 3) ? 1e-6 : 1e-4;
        o.lp.perturb = pick(r, 2), o.lp.scale = pick(r, 2);
        o.limits.nodes = pick(r, 3) ? 200 : 1 + pick(r, 8);
        o.limits.iterations = pick(r, 3) ? 0 : 1 + pick(r, 90);
        o.on_node = heard;
        o.on_node_context = &w->all;
        if (round == 1)
            o.start = known,
            o.debug_solution = result.outcome == VOUCH_MIP_OPTIMAL && o.gap_absolute < 1 && o.gap_relative < 0.01 ? known : NULL;
        assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
        assert_int_equal(vouch_mip_solve(mip, &o), VOUCH_OK);
        vouch_mip_get_result(mip, &result);
        outcome(w, vouch_mip_outcome_text(result.outcome));
        w->nodes += result.nodes;
        w->iterations += result.iterations;
        add(&w->all, result.bound);
        add(&w->all, result.has_incumbent ? result.objective : 0.5);
        if (result.has_incumbent) add_all(&w->all, n, result.x);
        if (round == 0 && result.has_incumbent && o.gap_absolute < 1 && o.gap_relative < 0.01) {
            known = malloc(((size_t)n + 1) * sizeof *known);
            memcpy(known, result.x, (size_t)n * sizeof *known);
        }
        vouch_mip_free(mip);
    }
    free(known);
}

static void test_reductions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        sample (*make)(rng *r);
        int count;
    } linear[] = {{"small", lp_small, 1200},
                  {"random", lp_random, 300},
                  {"chained", lp_chained, 1500},
                  {"links", lp_links, 60},
                  {"alike", lp_alike, 800}};
    static const struct {
        const char *name;
        vouch_lp *(*make)(rng *r);
        int count;
    } integer[] = {{"wide", mip_wide, 600}, {"slack", mip_slack, 200}, {"any", mip_any, 200}};
    for (size_t f = 0; f < sizeof linear / sizeof *linear; f++) {
        work w = {.all = DIGEST_NEW};
        char name[64];
        rng r = rng_seed(300 + f);
        for (int number = 0; number < linear[f].count; number++) {
            sample s = linear[f].make(&r);
            reduce(&r, &s, &w);
            sample_free(&s);
        }
        (void)snprintf(name, sizeof name, "linear %s", linear[f].name);
        note(name, &w);
    }
    for (size_t f = 0; f < sizeof integer / sizeof *integer; f++) {
        work w = {.all = DIGEST_NEW}, s = {.all = DIGEST_NEW};
        char name[64];
        rng r = rng_seed(400 + f);
        for (int number = 0; number < integer[f].count; number++) {
            vouch_lp *lp = integer[f].make(&r);
            reduce_integers(&r, lp, &w);
            if (number < 120) search(&r, lp, &s);
            vouch_lp_free(lp);
        }
        (void)snprintf(name, sizeof name, "integer %s", integer[f].name);
        note(name, &w);
        (void)snprintf(name, sizeof name, "searches of %s", integer[f].name);
        note(name, &s);
    }
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "reductions", test_reductions); }
