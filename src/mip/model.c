/* mip/model.c - a program by rows and columns, minimised, and what can be said of it without solving: objective, feasibility of a
 * point, locks, and the number of which all objectives are multiples (Euclid's algorithm on costs made whole).
 *
 * Invariant: the row copy holds the entries of the column copy. Cost: O(nonzeros) each. */
#include "mip/model.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

void mip_model_free(mip_model *model)
{
    arena_free(&model->memory);
    *model = (mip_model){0};
}

static vouch_status copy_sets(mip_model *model, const vouch_lp *problem)
{
    int sets = vouch_lp_sos1_count(problem), total = 0;
    int count;
    const int *cols;
    const double *weight;
    for (int s = 0; s < sets; s++) {
        vouch_lp_sos1(problem, s, &count, &cols, &weight);
        total += count;
    }
    model->sets = sets;
    model->set_start = ARENA_ZERO(&model->memory, int, sets + 1);
    model->set_col = ARENA_NEW(&model->memory, int, total);
    if (model->memory.failed) return VOUCH_ERROR_MEMORY;
    for (int s = 0; s < sets; s++) {
        vouch_lp_sos1(problem, s, &count, &cols, &weight);
        int from = model->set_start[s];
        model->set_start[s + 1] = from + count;
        for (int k = 0; k < count; k++) { /* insertion by weight; the sets are short */
            int at = k;
            for (; at > 0 && weight; at--) {
                int before = 0;
                while (cols[before] != model->set_col[from + at - 1]) before++;
                if (weight[before] <= weight[k]) break;
                model->set_col[from + at] = model->set_col[from + at - 1];
            }
            model->set_col[from + at] = cols[k];
        }
    }
    return VOUCH_OK;
}

vouch_status mip_model_build(mip_model *model, const vouch_lp *problem)
{
    vouch_lp_data d;
    vouch_lp_view(problem, &d);
    int m = d.rows, n = d.cols;
    int64_t count = d.start[n];
    *model = (mip_model){.m = m, .n = n, .negated = d.maximize};
    arena *a = &model->memory;
    double **by_col[] = {&model->cost, &model->lower, &model->upper}, **by_row[] = {&model->row_lower, &model->row_upper};
    for (int k = 0; k < 3; k++) *by_col[k] = ARENA_NEW(a, double, n);
    for (int k = 0; k < 2; k++) *by_row[k] = ARENA_NEW(a, double, m);
    model->col_start = ARENA_NEW(a, int64_t, (size_t)n + 1);
    model->row_start = ARENA_NEW(a, int64_t, (size_t)m + 1);
    model->col_row = ARENA_NEW(a, int, count);
    model->row_col = ARENA_NEW(a, int, count);
    model->col_value = ARENA_NEW(a, double, count);
    model->row_value = ARENA_NEW(a, double, count);
    model->integer = ARENA_NEW(a, unsigned char, n);
    if (copy_sets(model, problem) != VOUCH_OK) {
        mip_model_free(model);
        return VOUCH_ERROR_MEMORY;
    }
    MEM_COPY(model->col_start, d.start, n + 1);
    MEM_COPY(model->col_row, d.index, count);
    MEM_COPY(model->col_value, d.value, count);
    MEM_COPY(model->row_lower, d.row_lower, m);
    MEM_COPY(model->row_upper, d.row_upper, m);
    double sign = d.maximize ? -1 : 1;
    model->constant = sign * d.offset;
    for (int j = 0; j < n; j++) {
        model->cost[j] = sign * d.cost[j];
        model->lower[j] = d.col_lower[j];
        model->upper[j] = d.col_upper[j];
        model->integer[j] = vouch_lp_is_integer(problem, j) != 0;
        if (model->integer[j]) {
            model->lower[j] = ceil(d.col_lower[j] - MIP_BOUND_SLACK);
            model->upper[j] = floor(d.col_upper[j] + MIP_BOUND_SLACK);
        }
        if (model->lower[j] != model->upper[j]) continue;
        model->constant += model->cost[j] * model->lower[j];
        model->cost[j] = 0;
    }
    transpose(&(line_matrix){n, model->col_start, model->col_row, model->col_value}, m, model->row_start, model->row_col,
              model->row_value);
    return VOUCH_OK;
}

vouch_status mip_model_copy(mip_model *to, const mip_model *from)
{
    int m = from->m, n = from->n;
    int64_t count = from->col_start[n];
    int members = from->sets ? from->set_start[from->sets] : 0;
    *to = (mip_model){
        .m = m, .n = n, .offset = from->offset, .constant = from->constant, .sets = from->sets, .negated = from->negated};
#define COPY(field, size)                                                                                                          \
    ((to->field = arena_new(&to->memory, (size_t)(size), sizeof *to->field)) != NULL &&                                            \
     (MEM_COPY(to->field, from->field, size), true))
    if (COPY(col_start, n + 1) && COPY(row_start, m + 1) && COPY(col_row, count) && COPY(row_col, count) &&
        COPY(col_value, count) && COPY(row_value, count) && COPY(cost, n) && COPY(lower, n) && COPY(upper, n) &&
        COPY(row_lower, m) && COPY(row_upper, m) && COPY(integer, n) && COPY(set_start, from->sets + 1) && COPY(set_col, members))
        return VOUCH_OK;
#undef COPY
    mip_model_free(to);
    return VOUCH_ERROR_MEMORY;
}

vouch_status mip_model_to_lp(const mip_model *model, vouch_lp **lp)
{
    vouch_lp_data d = {.rows = model->m,
                       .cols = model->n,
                       .start = model->col_start,
                       .index = model->col_row,
                       .value = model->col_value,
                       .cost = model->cost,
                       .offset = model->offset,
                       .col_lower = model->lower,
                       .col_upper = model->upper,
                       .row_lower = model->row_lower,
                       .row_upper = model->row_upper};
    vouch_status status = vouch_lp_new(lp);
    if (status != VOUCH_OK) return status;
    status = vouch_lp_load(*lp, &d, NULL);
    if (status == VOUCH_OK) return VOUCH_OK;
    vouch_lp_free(*lp);
    *lp = NULL;
    return status;
}

/* Smallest multiplier in 1, 2, .. that makes x an integer but for the rounding of x itself, or 0. */
static double make_integer(double x)
{
    for (double q = 1; q <= 1000; q++)
        if (fabs(q * x - round(q * x)) <= MIP_ROUNDING * fabs(q * x)) return q;
    return 0;
}

double mip_gcd(double a, double b)
{
    while (b > 0) { /* Euclid on integers below 2^53 */
        double r = fmod(a, b);
        a = b;
        b = r;
    }
    return a;
}

double mip_model_granularity(const mip_model *model)
{
    double scale = 1, divisor = 0;
    for (int j = 0; j < model->n; j++) {
        double c = model->cost[j];
        if (c == 0 || model->lower[j] == model->upper[j]) continue;
        double q = model->integer[j] ? make_integer(c * scale) : 0;
        if (q == 0 || scale * q > 1e4) return 0;
        scale *= q;
    }
    for (int j = 0; j < model->n; j++) {
        if (model->cost[j] == 0 || model->lower[j] == model->upper[j]) continue;
        double whole = fabs(round(model->cost[j] * scale));
        if (whole > 1e9) return 0;
        divisor = mip_gcd(whole, divisor);
    }
    return divisor / scale;
}

bool mip_model_has_continuous(const mip_model *model)
{
    for (int j = 0; j < model->n; j++)
        if (!model->integer[j]) return true;
    return false;
}

void mip_model_count_locks(const mip_model *p, int *locks[2])
{
    memset(locks[0], 0, (size_t)p->n * sizeof(int));
    memset(locks[1], 0, (size_t)p->n * sizeof(int));
    for (int i = 0; i < p->m; i++)
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            double v = p->row_value[k];
            if (v == 0) continue;
            locks[v > 0][p->row_col[k]] += p->row_upper[i] < INFINITY;
            locks[v < 0][p->row_col[k]] += p->row_lower[i] > -INFINITY;
        }
}

double mip_model_tell(const mip_model *model, double objective)
{
    double value = objective + model->constant;
    return model->negated ? -value : value;
}

double mip_model_objective(const mip_model *model, const double *x)
{
    CHECK(model->n == 0 || x);
    double sum = model->offset;
    for (int j = 0; j < model->n; j++) sum += model->cost[j] * x[j];
    return sum;
}

static bool within(double value, double lower, double upper, double slack)
{
    return value >= lower - slack && value <= upper + slack; /* false for NaN */
}

static bool row_kept(const mip_model *model, int i, const double *x)
{
    double sum = 0, largest = 0;
    bool whole = true;
    for (int64_t k = model->row_start[i]; k < model->row_start[i + 1]; k++) {
        int j = model->row_col[k];
        double v = model->row_value[k], term = v * x[j];
        sum += term;
        largest = fmax(largest, fabs(term));
        whole = whole && model->integer[j] && v == round(v);
    }
    double slack = MIP_FEASIBILITY + (whole ? 0 : MIP_RELATIVE_FEASIBILITY * largest);
    return within(sum, model->row_lower[i], model->row_upper[i], slack);
}

bool mip_model_feasible(const mip_model *model, const double *x, double integrality)
{
    for (int j = 0; j < model->n; j++) {
        double slack = MIP_FEASIBILITY + (model->integer[j] ? 0 : MIP_RELATIVE_FEASIBILITY * fabs(x[j]));
        if (!isfinite(x[j]) || !within(x[j], model->lower[j], model->upper[j], slack)) return false;
        if (model->integer[j] && !(fabs(x[j] - round(x[j])) <= integrality)) return false;
    }
    for (int i = 0; i < model->m; i++)
        if (!row_kept(model, i, x)) return false;
    for (int s = 0; s < model->sets; s++) {
        int nonzero = 0;
        for (int k = model->set_start[s]; k < model->set_start[s + 1]; k++) nonzero += fabs(x[model->set_col[k]]) > integrality;
        if (nonzero > 1) return false;
    }
    return true;
}

/* ---- propagate -----------------------------------------------------------------------------------------------------------------
 *
 * A row is queued only where its activity, kept as bounds move, lets something follow, so that a change costs the entries of its
 * column.
 *
 * Source: M. W. P. Savelsbergh, Preprocessing and probing techniques for mixed integer programming problems, ORSA Journal on
 * Computing 6 (1994). Deviations: bounds of continuous columns are only tightened by a good part of their width, since chains of
 * small steps need not end; and by a margin less than implied, so that a vertex of the relaxation stays inside. */

enum { WORK_LIMIT_FACTOR = 20 }; /* times the nonzeros: entries looked at in one call */

static void measure_row(domain *d, int i);

vouch_status domain_init(domain *d, const mip_model *model)
{
    *d = (domain){.model = model, .objective_bound = INFINITY};
    int n = model->n, m = model->m;
    d->lower = ARENA_NEW(&d->memory, double, n);
    d->upper = ARENA_NEW(&d->memory, double, n);
    d->room = ARENA_ZERO(&d->memory, row_room, m);
    d->row_queue = ARENA_NEW(&d->memory, int, m);
    d->queued = ARENA_ZERO(&d->memory, bool, m);
    int members = model->sets ? model->set_start[model->sets] : 0;
    d->set_of = ARENA_ZERO(&d->memory, int, n + 2);
    d->set_list = ARENA_NEW(&d->memory, int, members);
    d->cost_col = ARENA_NEW(&d->memory, int, n);
    d->cost_value = ARENA_NEW(&d->memory, double, n);
    if (d->memory.failed) {
        domain_free(d);
        return VOUCH_ERROR_MEMORY;
    }
    MEM_COPY(d->lower, model->lower, n);
    MEM_COPY(d->upper, model->upper, n);
    for (int j = 0; j < n; j++)
        if (model->cost[j] != 0) d->cost_col[d->cost_count] = j, d->cost_value[d->cost_count++] = model->cost[j];
    for (int k = 0; k < members; k++) d->set_of[model->set_col[k] + 2]++;
    for (int j = 2; j <= n + 1; j++) d->set_of[j] += d->set_of[j - 1];
    for (int s = 0; s < model->sets; s++)
        for (int k = model->set_start[s]; k < model->set_start[s + 1]; k++) d->set_list[d->set_of[model->set_col[k] + 1]++] = s;
    for (int i = 0; i < m; i++) measure_row(d, i);
    return VOUCH_OK;
}

void domain_free(domain *d)
{
    mem_free(d->stack);
    arena_free(&d->memory);
    *d = (domain){0};
}

/* May a side of the row imply a bound, or be beyond what the row can reach? */
static bool may_imply(const domain *d, int i, bool upper)
{
    const row_room *r = &d->room[i];
    double limit = upper ? d->model->row_upper[i] : d->model->row_lower[i];
    int open = upper ? r->open_least : r->open_greatest;
    return isfinite(limit) && (open == 1 || (open == 0 && !((upper ? limit - r->least : r->greatest - limit) >= r->reach)));
}

static void add_term(double *sum, int *open, double a, double bound, int times)
{
    if (isinf(bound))
        *open += times;
    else
        *sum += times * a * bound;
}

static void measure_row(domain *d, int i)
{
    const mip_model *p = d->model;
    row_room r = {0};
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double a = p->row_value[k], lower = d->lower[p->row_col[k]], upper = d->upper[p->row_col[k]];
        if (a == 0) continue;
        add_term(&r.least, &r.open_least, a, a > 0 ? lower : upper, 1);
        add_term(&r.greatest, &r.open_greatest, a, a > 0 ? upper : lower, 1);
        r.reach = fmax(r.reach, fabs(a) * (upper - lower));
    }
    d->room[i] = r;
}

static void enqueue(domain *d, int row)
{
    if (d->queued[row]) return;
    CHECK_COMPARE(d->queue_count, <, d->model->m);
    d->queued[row] = true;
    int at = d->queue_head + d->queue_count++;
    d->row_queue[at < d->model->m ? at : at - d->model->m] = row;
}

void domain_queue_all(domain *d)
{
    for (int i = 0; i < d->model->m; i++) {
        measure_row(d, i);
        enqueue(d, i);
    }
    d->look_at_sets = d->model->sets > 0;
}

/* Every queued row is in the ring once; the trail only says of each column that its bounds were wider before; the activities kept
 * are those of the bounds (of one row, in turn). */
static void domain_check(domain *d)
{
    if (!CHECKING) return;
    int queued = 0, m = d->model->m;
    for (int i = 0; i < m; i++) queued += d->queued[i];
    CHECK_COMPARE(queued, ==, d->queue_count);
    for (int k = 0; k < d->queue_count; k++) CHECK(d->queued[d->row_queue[(d->queue_head + k) % m]]);
    for (size_t k = 0; k < d->trail; k++) {
        const bound_change *c = &d->stack[k];
        CHECK(c->col >= 0 && c->col < d->model->n);
        CHECK(c->lower <= d->lower[c->col] && c->upper >= d->upper[c->col]);
    }
    if (m == 0) return;
    row_room *r = &d->room[d->work % m], kept = *r;
    measure_row(d, (int)(d->work % m));
    double slack = KEPT_ACTIVITY * (1 + kept.reach + fabs(r->least) + fabs(r->greatest));
    CHECK(kept.open_least == r->open_least && kept.open_greatest == r->open_greatest);
    CHECK(!(fabs(kept.least - r->least) > slack) && !(fabs(kept.greatest - r->greatest) > slack) && r->reach <= kept.reach + slack);
    *r = kept;
}

static void clear_queue(domain *d)
{
    while (d->queue_count > 0) {
        d->queued[d->row_queue[d->queue_head]] = false;
        d->queue_head = d->queue_head + 1 < d->model->m ? d->queue_head + 1 : 0;
        d->queue_count--;
    }
}

/* A bound of column `col` moves: the activities of its rows. look: queues those which it lets imply something. */
static void move_activities(domain *d, int col, bool is_lower, double from, double to, bool look)
{
    const mip_model *p = d->model;
    if (from == to) return;
    for (int64_t k = p->col_start[col]; k < p->col_start[col + 1]; k++) {
        int i = p->col_row[k];
        double a = p->col_value[k];
        row_room *r = &d->room[i];
        bool least = is_lower == (a > 0);
        if (a == 0) continue;
        add_term(least ? &r->least : &r->greatest, least ? &r->open_least : &r->open_greatest, a, from, -1);
        add_term(least ? &r->least : &r->greatest, least ? &r->open_least : &r->open_greatest, a, to, 1);
        if (look && may_imply(d, i, least)) enqueue(d, i);
        if (!look)
            r->reach = fmax(r->reach, fabs(a) * (is_lower ? d->upper[col] - to : to - d->lower[col])); /* it is wider again */
    }
    d->work += p->col_start[col + 1] - p->col_start[col];
}

size_t domain_mark(const domain *d) { return d->trail; }

void domain_undo(domain *d, size_t mark)
{
    CHECK_COMPARE(mark, <=, d->trail);
    while (d->trail > mark) {
        const bound_change *c = &d->stack[--d->trail];
        move_activities(d, c->col, true, d->lower[c->col], c->lower, false);
        d->lower[c->col] = c->lower;
        move_activities(d, c->col, false, d->upper[c->col], c->upper, false);
        d->upper[c->col] = c->upper;
    }
    clear_queue(d);
}

/* Room for one more record; without it the change is not made, which is always allowed for an implied one. */
static bool record(domain *d, int col)
{
    if (MEM_RESERVE(&d->stack, &d->capacity, d->trail)) {
        d->failed = true;
        return false;
    }
    d->stack[d->trail++] = (bound_change){col, d->lower[col], d->upper[col]};
    return true;
}

static bool decide_sets(domain *d, int col);

/* How far bounds may cross before no point is left. */
static double crossing(const domain *d, int col, double value)
{
    return d->model->integer[col] ? 0.5 : EMPTY_TOLERANCE * (1 + fabs(value));
}

bool domain_set_lower(domain *d, int col, double value)
{
    CHECK(col >= 0 && col < d->model->n);
    if (value <= d->lower[col]) return true;
    if (value > d->upper[col]) {
        if (value > d->upper[col] + crossing(d, col, value)) return false;
        value = d->upper[col];
        if (value <= d->lower[col]) return true;
    }
    if (!record(d, col)) return true;
    move_activities(d, col, true, d->lower[col], value, true);
    d->lower[col] = value;
    return decide_sets(d, col);
}

bool domain_set_upper(domain *d, int col, double value)
{
    CHECK(col >= 0 && col < d->model->n);
    if (value >= d->upper[col]) return true;
    if (value < d->lower[col]) {
        if (value < d->lower[col] - crossing(d, col, value)) return false;
        value = d->lower[col];
        if (value >= d->upper[col]) return true;
    }
    if (!record(d, col)) return true;
    move_activities(d, col, false, d->upper[col], value, true);
    d->upper[col] = value;
    return decide_sets(d, col);
}

/* A column that cannot be 0 fixes its SOS1 companions to 0. */
static bool decide_sets(domain *d, int col)
{
    const mip_model *p = d->model;
    if (d->lower[col] <= 0 && d->upper[col] >= 0) return true;
    for (int q = d->set_of[col]; q < d->set_of[col + 1]; q++) {
        int s = d->set_list[q];
        for (int k = p->set_start[s]; k < p->set_start[s + 1]; k++) {
            int other = p->set_col[k];
            if (other != col && (!domain_set_lower(d, other, 0) || !domain_set_upper(d, other, 0))) return false;
        }
    }
    return true;
}

static bool imply_integer(domain *d, int j, bool is_lower, double value, double error)
{
    double lower = d->lower[j], upper = d->upper[j], width = upper - lower;
    if (error > WORST_ERROR || !(fabs(value) < LARGEST_INTEGER)) return true;
    double slack = IMPLIED_SLACK + error;
    value = is_lower ? ceil(value - slack) : floor(value + slack);
    double cross = is_lower ? value - upper : lower - value, gain = is_lower ? value - lower : upper - value;
    if (!(cross > 0) && gain < INTEGER_GAIN * (isfinite(width) ? width : fabs(value))) return true;
    return is_lower ? domain_set_lower(d, j, value) : domain_set_upper(d, j, value);
}

/* Bound implied for column j: x_j >= value (is_lower) or x_j <= value, which is known up to error. */
static bool imply(domain *d, int j, bool is_lower, double value, double error)
{
    if (d->model->integer[j]) return imply_integer(d, j, is_lower, value, error);
    double lower = d->lower[j], upper = d->upper[j], margin = CONTINUOUS_MARGIN * (1 + fabs(value)) + error;
    double gain = is_lower ? value - lower : upper - value;
    if (!(fabs(value) < LARGEST_BOUND) || !(gain > 0)) return true;
    double width = upper - lower;
    if (isfinite(width) && gain < CONTINUOUS_GAIN * width) return true;
    if (gain < 1e3 * margin) return true;
    value += is_lower ? -margin : margin;
    /* whether the row can be kept at all was decided by its activity */
    return is_lower ? domain_set_lower(d, j, fmin(value, upper)) : domain_set_upper(d, j, fmax(value, lower));
}

/* sum_k value[k] x_col[k], of a row or of the objective. */
typedef struct linear_form {
    const int *col;
    const double *value; /* [count] */
    int64_t count;
} linear_form;

/* One side of a row: sign * form <= limit. kept: its activity, summed anew here; NULL: none. */
static bool propagate_side(domain *d, linear_form form, double sign, double limit, double *kept)
{
    const int *cols = form.col;
    double least = 0, size = fabs(limit);
    int open = 0, open_col = -1; /* columns that make the least activity infinite */
    for (int64_t k = 0; k < form.count; k++) {
        double a = sign * form.value[k];
        if (a == 0) continue;
        double bound = a > 0 ? d->lower[cols[k]] : d->upper[cols[k]];
        if (isinf(bound)) {
            open_col = cols[k];
            if (++open > 1) return true;
        } else {
            least += a * bound;
            size += fabs(a * bound);
        }
    }
    if (kept) *kept = sign * least;
    double room = limit - least, error = MIP_ROUNDING * size;
    if (open == 0 && room < -(2 * MIP_FEASIBILITY + EMPTY_RELATIVE * size)) return false;
    for (int64_t k = 0; k < form.count; k++) {
        int j = cols[k];
        if (open == 1 && j != open_col) continue;
        double a = sign * form.value[k];
        double lower = d->lower[j], upper = d->upper[j];
        if (a == 0) continue;
        if (open == 0 && fabs(a) * (upper - lower) <= room) continue; /* the usual case: nothing follows */
        double base = open == 1 ? 0 : a * (a > 0 ? lower : upper);
        double bound = (room + base) / a; /* a_j x_j <= room + its own least term */
        if (!imply(d, j, a < 0, bound, error / fabs(a))) return false;
    }
    return true;
}

static bool propagate_queued(domain *d)
{
    const mip_model *p = d->model;
    domain_check(d);
    long long stop = d->work + WORK_LIMIT_FACTOR * ((long long)p->col_start[p->n] + p->n + 1);
    if (d->look_at_sets) {
        d->look_at_sets = false;
        for (int k = 0; k < p->set_start[p->sets]; k++)
            if (!decide_sets(d, p->set_col[k])) {
                clear_queue(d);
                return false;
            }
    }
    if (d->objective_bound < INFINITY && d->cost_count > 0) {
        d->work += d->cost_count;
        if (!propagate_side(d, (linear_form){d->cost_col, d->cost_value, d->cost_count}, 1, d->objective_bound, NULL)) {
            clear_queue(d);
            return false;
        }
    }
    while (d->queue_count > 0) {
        int i = d->row_queue[d->queue_head];
        d->queue_head = d->queue_head + 1 < p->m ? d->queue_head + 1 : 0;
        d->queue_count--;
        d->queued[i] = false;
        int64_t from = p->row_start[i];
        linear_form row = {p->row_col + from, p->row_value + from, p->row_start[i + 1] - from};
        bool alive = true;
        for (int upper = 1; upper >= 0 && alive; upper--) {
            if (!may_imply(d, i, upper)) continue;
            d->work += row.count;
            alive = upper ? propagate_side(d, row, 1, p->row_upper[i], &d->room[i].least)
                          : propagate_side(d, row, -1, -p->row_lower[i], &d->room[i].greatest);
        }
        if (!alive) {
            clear_queue(d);
            return false;
        }
        if (d->work > stop) break;
    }
    clear_queue(d);
    return true;
}

bool domain_propagate(domain *d)
{
    double since = trace_start(d->trace);
    bool alive = propagate_queued(d);
    trace_stop(d->trace, KERNEL_propagation, since);
    return alive;
}
