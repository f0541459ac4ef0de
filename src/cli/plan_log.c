/* cli/plan_log.c - see plan_log.h. O(1) a line. */
#include "cli/plan_log.h"

#include <math.h>
#include <stdio.h>

#include "cli/report.h"
#include "io/json.h"
#include "io/tree.h"

void plan_log_progress(void *context, const vouch_plan_progress *p)
{
    (void)context;
    char incumbent[32] = "none", bound[32] = "none";
    if (isfinite(p->incumbent)) snprintf(incumbent, sizeof incumbent, "%.6g", p->incumbent);
    if (isfinite(p->bound)) snprintf(bound, sizeof bound, "%.6g", p->bound);
    void (*show)(const char *, ...) =
        isfinite(p->incumbent) && !isfinite(p->bound) ? report_news : report_progress; /* a first policy */
    show("%.1f s  %s  regret %s  bound %s  nodes %lld (%lld open)", p->seconds, p->stage ? p->stage : "", incumbent, bound,
         p->nodes, p->open_nodes);
}

void plan_log_restart(void *context, const vouch_restart *r)
{
    text *log = context;
    text_add(log, "{\"restart\":%d,\"start\":\"%s\",\"regret\":", r->number, r->start);
    js_add_number(log, "", r->regret);
    js_add_number(log, ",\"shortfall\":", r->shortfall);
    text_add(log, ",\"work\":%lld,\"optimum\":%d}\n", r->work, r->optimum);
}

void plan_log_node(void *context, const vouch_search_node *n)
{
    node_log *log = context;
    char branch[512];
    snprintf(branch, sizeof branch, "t=%d s=%.200s %s%.200s", n->time, n->state < 0 ? "" : vouch_model_state_name(log->m, n->state),
             n->action < 0 ? "split" : "a=", n->action < 0 ? "" : vouch_model_action_name(log->m, n->action));
    tree_add_line(&log->out, &(tree_entry){.id = n->id,
                                           .parent = n->parent,
                                           .depth = n->depth,
                                           .branch = n->parent ? branch : NULL,
                                           .bound = n->bound,
                                           .incumbent = n->incumbent,
                                           .end = n->end});
}
