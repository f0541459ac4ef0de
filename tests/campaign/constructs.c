/* tests/campaign/constructs.c - programs with SOS1 and SOS2 sets, indicators, semicontinuous and semi-integer columns, as files of
 * two formats, against all ways to choose, each solved in rational arithmetic. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vouch/lp_io.h>
#include <vouch/mip.h>

#include "campaign/campaign.h"
#include "oracle/logic.h"

static const double VIOLATION = 3e-6; /* of a point: the tolerance of a row that models a set or an indicator */
static const double OBJECTIVE = 1e-5; /* relative to 1 + |optimum| */
enum { NODES = 20000, ITERATIONS = 200000, FEW_NODES = 3 };

static const struct setting {
    const char *name;
    int presolve, cuts, heuristics;
    long long nodes;
} settings[] = {{"default", 1, 1, 1, NODES},
                {"presolve off", 0, 1, 1, NODES},
                {"cuts off", 1, 0, 1, NODES},
                {"bare", 0, 0, 0, NODES},
                {"few nodes", 1, 1, 1, FEW_NODES}};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void check_point(campaign *c, const logic_program *p, double least, const vouch_mip_result *a)
{
    double off = logic_violation(p, a->x), size = 1 + fabs(a->objective);
    if (!(off <= VIOLATION)) campaign_fault(c, "the point misses something by %.3g", off);
    if (!(fabs(logic_cost(p, a->x) - a->objective) <= OBJECTIVE * size))
        campaign_fault(c, "objective %.17g is not that of the point", a->objective);
    if (!(a->objective >= least - OBJECTIVE * size))
        campaign_fault(c, "value %.17g better than the best %.17g", a->objective, least);
}

static verdict check(campaign *c, const logic_program *p, double least, const vouch_mip_result *a)
{
    if (a->has_incumbent && a->outcome != VOUCH_MIP_UNBOUNDED) check_point(c, p, least, a);
    switch (a->outcome) {
    case VOUCH_MIP_OPTIMAL:
        if (!(fabs(a->objective - least) <= OBJECTIVE * (1 + fabs(least))))
            campaign_fault(c, "optimal %.17g, truly %.17g", a->objective, least);
        return VERDICT_OPTIMAL;
    case VOUCH_MIP_INFEASIBLE:
        if (least < INFINITY) campaign_fault(c, "infeasible, truly %.17g", least);
        return VERDICT_NONE;
    case VOUCH_MIP_UNBOUNDED:
        if (least > -INFINITY) campaign_fault(c, "unbounded, truly %.17g", least);
        return VERDICT_NONE;
    case VOUCH_MIP_LIMIT:
        if (a->bound > least && !(a->bound <= least + OBJECTIVE * (1 + fabs(least))))
            campaign_fault(c, "bound %.17g beyond %.17g", a->bound, least);
        return VERDICT_LIMIT;
    default:
        return VERDICT_NUMERICAL;
    }
}

static void write_file(const campaign *c, const char *ending, const text *t)
{
    const char *path = campaign_file(c, ending);
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f) return;
    fwrite(t->data, 1, t->length, f);
    fclose(f);
}

static void solve(campaign *c, const logic_program *p, double least, bool mps, const struct setting *s)
{
    vouch_error error = {0};
    vouch_mip_options o;
    vouch_mip_result a;
    vouch_mip *mip = NULL;
    vouch_lp *lp;
    verdict v = VERDICT_NUMERICAL;
    text t = {0};
    (mps ? logic_write_mps : logic_write_lp)(&t, p);
    vouch_mip_options_init(&o);
    o.presolve = s->presolve;
    o.cuts = s->cuts;
    o.heuristics = s->heuristics;
    o.limits = (vouch_limits){.nodes = s->nodes, .iterations = ITERATIONS};
    if (vouch_lp_read_text(&lp, t.data, t.length, mps ? "f.mps" : "f.lp", VOUCH_FORMAT_AUTO, NULL, &error))
        campaign_fault(c, "not read: %s", error.text);
    else if (vouch_mip_new(&mip, lp) || vouch_mip_solve(mip, &o))
        campaign_fault(c, "the call fails");
    else {
        vouch_mip_get_result(mip, &a);
        v = check(c, p, least, &a);
    }
    if (c->reason[0]) {
        write_file(c, mps ? ".mps" : ".lp", &t);
        t.length = 0;
        text_add(&t, "%s: %s\n", s->name, c->reason);
        write_file(c, ".txt", &t);
    }
    campaign_count(c, v, mps ? "MPS" : "LP", s->name, (const char *)NULL);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
    text_free(&t);
}

void campaign_constructs(campaign *c)
{
    for (long long i = c->first; i < c->first + c->count; i++) {
        rng r = campaign_case(c, i);
        logic_program p = logic_random(&r);
        double least = logic_least(&p);
        for (int mps = 0; mps < 2; mps++) solve(c, &p, least, mps, &settings[draw(&r, SETTINGS)]);
    }
}
