/* cli/frontier.c - the frontier: the least maximum regret rho(p) by the probability p of a promise.
 *
 * U*_k(p) is decreasing and concave in p, the optimum of a linear program in its right-hand side: between two points it lies above
 * the chord and below the extensions of the neighbouring chords. Between p < q with policies P and Q:
 *
 *     rho(x) <= max_k U*_k(x) - U_k(Q), as Q keeps the promise for all x <= q;
 *     rho(x) <= max_k U*_k(x) - U_k(P), for x up to the probability that P keeps, which may exceed p;
 *     rho(x) >= bound(p) - max_k (U*_k(p) - U*_k(x)), as a policy for x is also one for p.
 *
 * The picture shows these bounds as a band. Points are added where it is largest: in the middle, and just behind the probability
 * that P keeps, where another policy begins.
 */
#include "cli/cli.h"

static const double SAME_VALUE = 1e-9; /* relative to the values: difference of one policy's values in two propagations */
static const double KEPT = 0x1p-40;    /* tolerance of a kept promise */
static const double BEHIND =
    1e-3;                         /* share of the distance of the first points: step behind the end of a policy to the next point */
static const double KNOWN = 1e-3; /* share of the picture: a smaller uncertain area is accepted */
static const double PLACES = 1e10, SMALL = 1e-3; /* of planned probabilities */
enum { MORE = 2 };                               /* points added per requested point */

typedef struct frontier_point {
    double p, regret, bound; /* regret NAN: no policy was found */
    double kept;             /* the probability of the promise: its minimum over environments, or its mean */
    double *value, *optimal; /* [K] U and U* of each environment */
    double worst, worst_optimal;
    vouch_plan_outcome outcome;
    bool sought; /* just behind the end of the previous policy */
} frontier_point;

typedef struct frontier_curve {
    vouch_model *copy; /* for each probability */
    const vouch_plan_options *o;
    const deadline *limit;
    int promise, K, J, points;
    frontier_point *at; /* by p */
    int count;
    double *cut, *x, *y; /* room and results of find_band */
} frontier_curve;

/* Rounds down to ten decimal places (small p: ten digits), so that a promise that is barely possible is still printed. */
static double paste(double p)
{
    double places = p >= SMALL || p <= 0 ? PLACES : PLACES * pow(10, -ceil(log10(p)));
    return fmin(p, floor(p * places) / places);
}

/* Values are counted as rewards here: of costs, their negatives. */
static double counted(const frontier_curve *f, double x) { return vouch_model_sense(f->copy) == VOUCH_MINIMISE ? 0 - x : x; }

static double proved(const frontier_point *at) { return fmax(0, at->bound); } /* no regret is less */

/* Does point i have the policy of the point before, or an equally good one, that keeps the promise here? */
static bool same_policy(const frontier_curve *f, int i)
{
    const frontier_point *a = &f->at[i - 1], *b = &f->at[i];
    bool same = !isnan(a->regret) && !isnan(b->regret) && a->kept >= b->p - KEPT;
    for (int k = 0; k < f->K && same; k++) same = fabs(a->value[k] - b->value[k]) <= SAME_VALUE * fmax(1, fabs(a->value[k]));
    return same;
}

/* Are all U* of point i known? A limit may leave some open. */
static bool has_optimal(const frontier_curve *f, int i)
{
    bool all = i >= 0 && i < f->count;
    for (int k = 0; k < f->K && all; k++) all = isfinite(f->at[i].optimal[k]);
    return all;
}

/* The slope of U* of an environment between points i - 1 and i. */
static double slope(const frontier_curve *f, int i, int k)
{
    return fmin(0, (f->at[i].optimal[k] - f->at[i - 1].optimal[k]) / (f->at[i].p - f->at[i - 1].p));
}

/* An upper bound of U* at x between points i - 1 and i with known U*. */
static double most_optimal(const frontier_curve *f, int i, int k, double x)
{
    const frontier_point *a = &f->at[i - 1], *b = &f->at[i];
    double most = a->optimal[k] + (has_optimal(f, i - 2) ? slope(f, i - 1, k) * (x - a->p) : 0);
    if (has_optimal(f, i + 1)) most = fmin(most, b->optimal[k] - slope(f, i + 1, k) * (b->p - x));
    return fmax(most, fmin(a->optimal[k], b->optimal[k]));
}

/* The intersection of the two lines of most_optimal. */
static double apex(const frontier_curve *f, int i, int k)
{
    const frontier_point *a = &f->at[i - 1], *b = &f->at[i];
    double before = has_optimal(f, i - 2) ? slope(f, i - 1, k) : 0, after = has_optimal(f, i + 1) ? slope(f, i + 1, k) : 0;
    if (!has_optimal(f, i + 1) || !(before > after)) return b->p;
    double x = a->p + (b->optimal[k] - after * (b->p - a->p) - a->optimal[k]) / (before - after);
    return fmin(b->p, fmax(a->p, x));
}

/* An upper bound of the regret of a point's policy at x between points i - 1 and i. */
static double most_regret(const frontier_curve *f, int i, const frontier_point *policy, double x)
{
    double most = -INFINITY;
    for (int k = 0; k < f->K; k++) most = fmax(most, most_optimal(f, i, k, x) - policy->value[k]);
    return most;
}

static size_t band_room(const frontier_curve *f) { return 2 * ((size_t)f->K + 4); }

/* The band between points i - 1 and i, into x and y [band_room]: *above corners from the left, then the lower ones from the right.
 * Returns the number of corners, 0: no band. Between the abscissas of the upper corners all most_optimal are linear, so the
 * largest regret lies below the chord. */
static int find_band(const frontier_curve *f, int i, double x[], double y[], int *above)
{
    const frontier_point *a = &f->at[i - 1], *b = &f->at[i];
    double drop = 0, at[2 + 2], *cut = f->cut;
    int cuts = 0, n = 0;
    *above = 0;
    if (isnan(b->regret) || !has_optimal(f, i - 1) || !has_optimal(f, i)) return 0;
    cut[cuts++] = a->p;
    cut[cuts++] = b->p;
    if (!isnan(a->regret)) cut[cuts++] = fmin(fmax(a->kept, a->p), b->p);
    for (int k = 0; k < f->K; k++) {
        cut[cuts++] = apex(f, i, k);
        drop = fmax(drop, a->optimal[k] - b->optimal[k]);
    }
    qsort(cut, (size_t)cuts, sizeof *cut, ascending_reals);
    for (int c = 0; c + 1 < cuts; c++) {
        if (!(cut[c + 1] > cut[c])) continue;
        bool early = !isnan(a->regret) && cut[c + 1] <= a->kept;
        for (int e = 0; e < 2; e++) {
            at[e] = most_regret(f, i, b, cut[c + e]);
            at[2 + e] = early ? most_regret(f, i, a, cut[c + e]) : INFINITY;
        }
        bool first = at[2] + at[3] < at[0] + at[1];
        for (int e = 0; e < 2; e++, n++) {
            x[n] = cut[c + e];
            y[n] = at[e + (first ? 2 : 0)];
        }
    }
    *above = n;
    x[n] = b->p, y[n++] = fmax(0, proved(a) - drop);
    if (drop > proved(a)) x[n] = a->p + (b->p - a->p) * proved(a) / drop, y[n++] = 0;
    x[n] = a->p, y[n++] = proved(a);
    return n;
}

/* Plans for p and inserts the point. Returns its number. Without a policy U* is the model's own. */
static int add_point(frontier_curve *f, double p, int left)
{
    vouch_plan_options one = *f->o;
    vouch_policy *policy = NULL;
    vouch_plan_result r;
    size_t K = (size_t)f->K;
    frontier_point point = {.p = p, .value = CLI_NEW(double, K), .optimal = CLI_NEW(double, K)};
    vouch_model_set_promise_probability(f->copy, f->promise, -1, p);
    one.limits = deadline_left(f->limit);
    if (one.limits.seconds > 0) one.limits.seconds /= left; /* its share of the remaining time */
    char words[64];
    int all = f->points > f->count + left ? f->points : f->count + left;
    snprintf(words, sizeof words, "p = %.4g, point %d of %d (%d %%)", p, f->count + 1, all, 100 * f->count / all);
    one.progress = plan_report;
    one.progress_context = words;
    report_live("%s", words);
    cli_try(vouch_plan(&policy, f->copy, &one, &cli_error));
    vouch_policy_get_result(policy, &r);
    point.regret = r.has_policy ? r.max_regret : NAN;
    point.bound = r.bound;
    point.outcome = r.outcome;
    point.worst = point.worst_optimal = point.kept = INFINITY;
    for (int k = 0; k < f->K; k++) point.value[k] = point.optimal[k] = NAN;
    for (int k = 0; k < r.environments; k++) {
        point.value[k] = r.has_policy ? counted(f, r.figures[k].value) : NAN;
        point.optimal[k] = counted(f, r.figures[k].optimal_value);
        point.worst = fmin(point.worst, point.value[k]);
        point.worst_optimal = fmin(point.worst_optimal, point.optimal[k]);
        point.kept = fmin(point.kept, r.commitments ? r.commitments[k * f->J + f->promise] : r.figures[k].commitment_probability);
    }
    if (vouch_model_promise_is_average(f->copy, f->promise) && r.has_policy)
        point.kept = figures_mean(f->copy, f->promise, r.figures, r.commitments);
    if (!r.has_policy) point.worst = NAN;
    vouch_policy_free(policy);
    int i = f->count++;
    for (; i > 0 && f->at[i - 1].p > p; i--) f->at[i] = f->at[i - 1];
    f->at[i] = point;
    if (!has_optimal(f, i)) f->at[i].worst_optimal = NAN;
    return i;
}

/* The area of the band before point i. */
static double doubt(const frontier_curve *f, int i)
{
    int above, n = find_band(f, i, f->x, f->y, &above);
    double area = 0;
    for (int c = 0; c < n; c++) {
        int d = (c + 1) % n;
        area += (f->x[d] - f->x[c]) * (f->y[c] + f->y[d]) / 2;
    }
    return fabs(area);
}

/* The middle, or just behind the end of the previous policy. */
static double choose_between(const frontier_curve *f, int i, double step, bool *sought)
{
    const frontier_point *a = &f->at[i - 1], *b = &f->at[i];
    double next = fmax(a->kept, a->p) + step;
    *sought = !a->sought && next < b->p - step;
    return paste(*sought ? next : (a->p + b->p) / 2);
}

static void refine(frontier_curve *f, int points)
{
    double high = 0, range = f->at[f->count - 1].p - f->at[0].p, step = BEHIND * range / (points > 1 ? points - 1 : 1);
    for (int left = MORE * points; left > 0 && !report_interrupted(); left--) {
        int best = 0;
        double most = 0;
        bool sought;
        for (int i = 0; i < f->count; i++) high = isnan(f->at[i].regret) ? high : fmax(high, f->at[i].regret);
        for (int i = 1; i < f->count; i++) {
            double area = f->at[i].p - f->at[i - 1].p > 3 * step ? doubt(f, i) : 0;
            if (area > most) {
                most = area;
                best = i;
            }
        }
        if (!best || most <= KNOWN * range * high) break;
        double p = choose_between(f, best, step, &sought);
        if (p <= f->at[best - 1].p || p >= f->at[best].p) break;
        int where = add_point(f, p, left);
        f->at[where].sought = sought;
    }
}

static void add_json(const frontier_curve *f, int i, text *t)
{
    const frontier_point *a = &f->at[i];
    js_add(t, "%s%g, \"max_regret\": %g, \"bound\": %g, \"status\": \"%s\", \"value\": %g, \"optimal_value\": %g",
           i ? ",\n  { \"p\": " : "  { \"p\": ", a->p, a->regret, a->bound, vouch_plan_outcome_text(a->outcome),
           counted(f, a->worst), counted(f, a->worst_optimal));
    for (int k = 0; k < f->K; k++) {
        js_add(t, "%s\"%s\", \"optimal_value\": %g, \"value\": %g }",
               k ? ", { \"name\": " : ",\n    \"environments\": [{ \"name\": ", vouch_model_environment_name(f->copy, k),
               counted(f, a->optimal[k]), counted(f, a->value[k]));
    }
    text_add(t, "]");
    int above, n = i > 0 ? find_band(f, i, f->x, f->y, &above) : 0;
    if (i > 0) text_add(t, ",\n    \"same_policy\": %s, \"since_previous\": { \"most\": [", same_policy(f, i) ? "true" : "false");
    for (int c = 0; c < n; c++) {
        if (c == above) text_add(t, "], \"least\": [");
        js_add(t, "%s%g, %g]", c > 0 && c != above ? ", [" : "[", f->x[c], f->y[c]);
    }
    if (i > 0) text_add(t, n ? "] }" : "], \"least\": [] }");
    text_add(t, " }");
}

static int print_points(const frontier_curve *f, bool as_json)
{
    static const char *const headers[] = {"p", "maximum regret", "bound", "U", "U*", "<status", NULL};
    int code = CLI_SOLVED;
    text *t = cli_text();
    table *shown = as_json ? NULL : table_new(headers);
    text_add(t, "{ \"frontier\": [\n");
    for (int i = 0; i < f->count; i++) {
        const frontier_point *a = &f->at[i];
        if (a->outcome == VOUCH_PLAN_FEASIBLE || a->outcome == VOUCH_PLAN_LIMIT)
            code = report_interrupted() ? CLI_INTERRUPTED : CLI_LIMIT;
        if (as_json) {
            add_json(f, i, t);
        } else {
            table_number(shown, a->p);
            table_number(shown, a->regret);
            table_number(shown, proved(a));
            table_number(shown, counted(f, a->worst));
            table_number(shown, counted(f, a->worst_optimal));
            table_cell(shown, "%s", vouch_plan_outcome_text(a->outcome));
        }
    }
    if (as_json) {
        text_add(t, " ], \"sense\": \"%s\" }\n", vouch_sense_text(vouch_model_sense(f->copy)));
        cli_print(t);
    } else {
        figures_print_plan_class(f->copy, f->o);
        putchar('\n');
        table_print(shown, stdout);
        printf("U, U*: in the environment where they are %s\n", vouch_model_sense(f->copy) == VOUCH_MINIMISE ? "largest" : "least");
    }
    return code;
}

/* U* of the worst environment: above its chord, as a minimum of concave functions, and below each environment's upper bound. */
static int optimal_band(const frontier_curve *f, int i, double x[], double y[])
{
    const frontier_point *a = &f->at[i - 1], *b = &f->at[i];
    int cuts = 0, n = 0;
    f->cut[cuts++] = a->p;
    f->cut[cuts++] = b->p;
    for (int k = 0; k < f->K; k++) f->cut[cuts++] = apex(f, i, k);
    qsort(f->cut, (size_t)cuts, sizeof *f->cut, ascending_reals);
    for (int c = 0; c < cuts; c++, n++) {
        x[n] = f->cut[c];
        y[n] = INFINITY;
        for (int k = 0; k < f->K; k++) y[n] = fmin(y[n], most_optimal(f, i, k, x[n]));
    }
    x[n] = b->p, y[n++] = b->worst_optimal;
    x[n] = a->p, y[n++] = a->worst_optimal;
    for (int c = 0; c < n; c++) y[c] = counted(f, y[c]);
    return n;
}

/* Top: the least regrets with bounds at and between points. Bottom: the worst value over environments, of the policy (U) and with
 * a known environment (U*). */
static void draw_points(const frontier_curve *f, const char *path)
{
    enum { P, REGRET, BOUND, VALUE, OPTIMAL, ROWS };
    int points = f->count, n = 0;
    const vouch_plan_options *o = f->o;
    double *r[ROWS];
    size_t room = band_room(f);
    plot_gap *gap = CLI_NEW(plot_gap, points), *level = CLI_NEW(plot_gap, points), *above = CLI_NEW(plot_gap, points);
    double *free_corner = CLI_NEW(double, 4 * room * (size_t)points);
    text *t = cli_text(), title = {0}, abscissa = {0};
    vouch_promise p = {0};
    for (int i = 0; i < ROWS; i++) r[i] = CLI_NEW(double, points);
    for (int i = 0; i < points; i++) {
        const frontier_point *a = &f->at[i];
        r[P][n] = a->p;
        r[REGRET][n] = a->regret;
        r[BOUND][n] = a->outcome == VOUCH_PLAN_OPTIMAL ? a->regret : proved(a);
        r[VALUE][n] = counted(f, a->worst);
        r[OPTIMAL][n] = counted(f, a->worst_optimal);
        for (int g = 0; i > 0 && g < 2; g++) {
            double *x = free_corner, *y = x + room;
            int above_corners;
            free_corner = y + room;
            bool known = has_optimal(f, i - 1) && has_optimal(f, i);
            *(g ? &above[n] : &gap[n]) = g ? (plot_gap){known, known ? optimal_band(f, i, x, y) : 0, x, y}
                                           : (plot_gap){same_policy(f, i), find_band(f, i, x, y, &above_corners), x, y};
        }
        level[n].joined = i > 0 && gap[n].joined;
        n++;
    }
    const plot_line regret = {vouch_method_text(o->method), n, r[P], r[REGRET], r[BOUND], gap, NULL};
    const plot_line values[] = {{"U, worst environment", n, r[P], r[VALUE], NULL, level, NULL},
                                {"U*, worst environment", n, r[P], r[OPTIMAL], NULL, above, NULL}};
    vouch_model_get_promise(f->copy, f->promise, &p);
    bool named = vouch_model_has_list(f->copy);
    text_add(&abscissa, named ? "probability of the promise %s" : "commitment probability p", p.name);
    const char *along = cli_string(&abscissa);
    const plot panel[] = {{along, "least maximum regret", &regret, 1},
                          {along, vouch_model_sense(f->copy) == VOUCH_MINIMISE ? "expected cost" : "expected reward", values, 2}};
    text_add(&title, "%s: price of a promise, %s", vouch_model_name(f->copy)[0] ? vouch_model_name(f->copy) : "model",
             vouch_method_text(o->method));
    if (vouch_method_describe(o->method)->lookahead == VOUCH_LOOKAHEAD_ASKED) text_add(&title, ", L = %d", o->lookahead);
    plot_svg(t, cli_string(&title), panel, 2);
    cli_try(text_write(t, path, &cli_error));
}

/* The largest probability of the promise while the others are kept. */
static double find_largest(const vouch_model *m, const frontier_curve *f)
{
    vouch_range range = {0};
    double *alone = CLI_NEW(double, f->K * f->J);
    static char words[] = "largest probability";
    vouch_plan_options first = *f->o;
    first.limits = deadline_left(f->limit);
    first.progress = explain_report;
    first.progress_context = words;
    cli_try(vouch_explain_alone(m, alone, &cli_error));
    double upper = vouch_explain_upper(m, f->promise, alone);
    if (first.method != VOUCH_METHOD_HISTORY && !vouch_model_has_error(m)) { /* all policies bound those of the method */
        vouch_plan_options all = first;
        all.method = VOUCH_METHOD_HISTORY;
        all.start = NULL;
        vouch_status status = vouch_explain_level(m, f->promise, &all, upper, &range, &cli_error);
        if (status != VOUCH_ERROR_SIZE) cli_try(status); /* too many histories */
        if (!status && range.bound >= 0) upper = range.bound;
        first.limits = deadline_left(f->limit);
    }
    cli_try(f->J > 1 ? vouch_explain_level(m, f->promise, &first, upper, &range, &cli_error)
                     : vouch_explain_largest(m, &first, upper, &range, &cli_error));
    if (range.bound < 0) {
        error_set(&cli_error, VOUCH_ERROR_INPUT, "--frontier: no policy keeps the other promises, even without this one");
        (void)cli_failed(&cli_error);
        cli_exit(CLI_INFEASIBLE);
    }
    return paste(range.reached);
}

int frontier_print(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, const frontier_range *asked,
                   bool as_json, const char *picture)
{
    int points = asked->points;
    frontier_curve f = {.o = o, .limit = limit, .promise = asked->promise < 0 ? 0 : asked->promise};
    f.K = vouch_model_environments(m);
    f.J = vouch_model_promises(m);
    f.at = CLI_NEW(frontier_point, points * (1 + MORE));
    size_t room = band_room(&f);
    f.cut = CLI_NEW(double, room);
    f.x = CLI_NEW(double, room);
    f.y = CLI_NEW(double, room);
    double largest = find_largest(m, &f);
    cli_try(vouch_model_restrict(&f.copy, m, NULL, 0, &cli_error));
    cli_own_model(f.copy);
    if (!(largest > 0)) points = 1;
    f.points = points;
    for (int i = 0; i < points; i++) add_point(&f, points > 1 ? largest * i / (points - 1) : largest, points - i);
    if (picture) refine(&f, points);
    report_clear();
    int code = print_points(&f, as_json);
    if (picture) draw_points(&f, picture);
    return code;
}
