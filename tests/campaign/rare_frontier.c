/* tests/campaign/rare_frontier.c - `vouch plan --frontier` on models with rare failures: the points, and the bands of the least
 * maximum regret between them. The judge is the list of policies (oracle/worlds.h) at each probability. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/rare.h"
#include "io/json.h"

static const double GAP = 1e-6, NEAR = 2e-6; /* of the search; error of the lines of a band */
enum { PROBES = 3, CORNERS = 64, LINE = 700 };

typedef struct band_edge {
    int count;
    double x[CORNERS], y[CORNERS];
} band_edge;

typedef struct point {
    double p, regret, bound;
    bool optimal;
    band_edge most, least; /* since the point before */
} point;

static double number_or_none(const js_doc *d, uint32_t at) { return js_kind_of(d, at) == JS_NUMBER ? js_number(d, at) : NAN; }

static void read_edge(const js_doc *d, uint32_t at, band_edge *e)
{
    e->count = 0;
    for (uint32_t c = at + 1; c < js_end(d, at) && e->count < CORNERS; c = js_end(d, c), e->count++) {
        e->x[e->count] = js_number(d, c + 1);
        e->y[e->count] = js_number(d, c + 2);
    }
}

/* The least and most value at x of the lines between consecutive corners. */
static void between(const band_edge *e, double x, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i + 1 < e->count; i++) {
        double a = e->x[i], b = e->x[i + 1];
        if (x < fmin(a, b) - 1e-15 || x > fmax(a, b) + 1e-15) continue;
        double share = b == a ? 0 : (x - a) / (b - a), y = e->y[i] + share * (e->y[i + 1] - e->y[i]);
        *low = fmin(*low, b == a ? fmin(e->y[i], e->y[i + 1]) : y);
        *high = fmax(*high, b == a ? fmax(e->y[i], e->y[i + 1]) : y);
    }
}

/* The truth for probability p. */
static bool settle_at(rare *x, int promise, double p)
{
    for (int k = 0; k < x->w.K; k++) x->w.p[promise][k] = p;
    return rare_settle(x);
}

/* A point in itself; truth: at its probability. */
static void check_point(campaign *c, const js_doc *d, const rare *truth, const point *a, uint32_t environments)
{
    static const js_field fields[] = {{"name", 1 << JS_STRING, true},
                                      {"optimal_value", 1 << JS_NUMBER | 1 << JS_NULL, true},
                                      {"value", 1 << JS_NUMBER | 1 << JS_NULL, true}};
    double most = -INFINITY;
    int k = 0;
    for (uint32_t e = environments + 1; e < js_end(d, environments); e = js_end(d, e), k++) {
        uint32_t value[3];
        js_fields(d, e, fields, 3, value);
        double best = number_or_none(d, value[1]), own = number_or_none(d, value[2]);
        rare_check_optimum(c, truth, k, best, truth->rounding);
        if (isnan(own)) continue;
        if (!(best - own >= -truth->rounding)) campaign_fault(c, "frontier: regret(%d) = %.17g at %.17g", k, best - own, a->p);
        most = fmax(most, best - own);
    }
    if (isnan(a->regret)) {
        if (a->optimal) campaign_fault(c, "frontier: optimal without a policy at %.17g", a->p);
        return;
    }
    if (!(fabs(most - a->regret) <= truth->rounding))
        campaign_fault(c, "frontier: %.17g of figures that give %.17g", a->regret, most);
    if (!(a->bound <= fmin(a->regret, truth->highest) + truth->rounding))
        campaign_fault(c, "frontier: bound %.17g at %.17g, but %.17g is attained", a->bound, a->p, fmin(a->regret, truth->highest));
    if (!(a->regret >= truth->lowest - truth->rounding))
        campaign_fault(c, "frontier: %.17g at %.17g is below the least %.17g", a->regret, a->p, truth->lowest);
    if (a->optimal && !(a->regret <= truth->highest + GAP + truth->rounding))
        campaign_fault(c, "frontier: optimal %.17g at %.17g, but %.17g is attained", a->regret, a->p, truth->highest);
}

/* Does the least maximum regret lie in the band between two points? */
static void check_band(campaign *c, rare *truth, int promise, const point *a, const point *b, rng *r)
{
    static const double places[] = {1e-9, 1e-3, 0.5, 1 - 1e-3, 1 - 1e-9};
    if (b->most.count == 0 || b->least.count == 0) return;
    for (int i = 0; i < PROBES; i++) {
        double p = a->p + (b->p - a->p) * (chance(r, 0.3) ? rng_unit(r) : places[draw(r, 5)]), low, high, none;
        if (!(p > a->p && p < b->p) || !settle_at(truth, promise, p)) continue;
        between(&b->least, p, &low, &none);
        between(&b->most, p, &none, &high);
        if (!(truth->lowest <= high + NEAR) || !(truth->highest >= low - NEAR))
            campaign_fault(c, "frontier: %.17g at %.17g is not in the band from %.17g to %.17g", truth->highest, p, low, high);
    }
}

/* Of escape_try. */
typedef struct reading {
    campaign *c;
    rare *truth;
    int promise;
    rng *r;
    const char *path;
    escape e;
} reading;

static void read_points(void *object)
{
    reading *x = object;
    campaign *c = x->c;
    rare *truth = x->truth;
    int promise = x->promise;
    js_doc doc = {.e = &x->e}, *d = &doc;
    static const js_field fields[] = {{"p", 1 << JS_NUMBER, true},
                                      {"max_regret", 1 << JS_NUMBER | 1 << JS_NULL, true},
                                      {"bound", 1 << JS_NUMBER | 1 << JS_NULL, true},
                                      {"status", 1 << JS_STRING, true},
                                      {"value", 1 << JS_NUMBER | 1 << JS_NULL, true},
                                      {"optimal_value", 1 << JS_NUMBER | 1 << JS_NULL, true},
                                      {"environments", 1 << JS_ARRAY, true},
                                      {"same_policy", 1 << JS_TRUE | 1 << JS_FALSE, false},
                                      {"since_previous", 1 << JS_OBJECT, false}},
                          edges[] = {{"most", 1 << JS_ARRAY, false}, {"least", 1 << JS_ARRAY, false}},
                          top[] = {{"frontier", 1 << JS_ARRAY, true}, {"sense", 1 << JS_STRING, true}};
    uint32_t list, whole[2], value[9], edge[2];
    point before = {.p = -1};
    js_read(d, x->path);
    js_fields(d, 0, top, 2, whole);
    list = whole[0];
    for (uint32_t at = list + 1; at < js_end(d, list); at = js_end(d, at)) {
        js_fields(d, at, fields, 9, value);
        point a = {.p = js_number(d, value[0]), .regret = number_or_none(d, value[1]), .bound = number_or_none(d, value[2])};
        a.optimal = strcmp(js_string(d, value[3]), "optimal") == 0;
        if (value[8]) js_fields(d, value[8], edges, 2, edge);
        if (value[8] && edge[0] && edge[1]) {
            read_edge(d, edge[0], &a.most);
            read_edge(d, edge[1], &a.least);
        }
        if (!(a.p > before.p)) campaign_fault(c, "frontier: points that do not ascend");
        if (value[7] && js_kind_of(d, value[7]) == JS_TRUE && a.optimal && !(a.regret <= before.regret + NEAR))
            campaign_fault(c, "frontier: one policy, and the regret grows with what is promised");
        if (settle_at(truth, promise, a.p)) check_point(c, d, truth, &a, value[6]);
        if (before.p >= 0) check_band(c, truth, promise, &before, &a, x->r);
        before = a;
    }
}

void rare_frontier(campaign *c, const bench *b, const rare *x, rng *r)
{
    char line[LINE], name[16] = "", path[128];
    const char *build = getenv("BUILD"), *program = getenv("VOUCH");
    rare truth = *x;
    vouch_error error;
    int promise = draw(r, x->w.J);
    if (!settle_at(&truth, promise, 0) || isinf(truth.highest)) return; /* nothing keeps the others */
    if (x->w.J > 1) snprintf(name, sizeof name, " j%d", promise);
    snprintf(path, sizeof path, "%s/frontier.json", b->folder);
    snprintf(line, sizeof line, "%s%s plan %s -L %d --frontier%s --points 3 --json -q > %s",
             program ? program
             : build ? build
                     : "build",
             program ? "" : "/vouch", b->model, x->L, name, path);
    int status = system(line);
    if (status != 0) campaign_fault(c, "frontier: exit status %d", status);
    reading of = {.c = c, .truth = &truth, .promise = promise, .r = r, .path = path, .e = {.error = &error}};
    if (status == 0 && escape_try(&of.e, read_points, &of)) campaign_fault(c, "%s", error.text);
    escape_end(&of.e);
    (void)unlink(path);
}
