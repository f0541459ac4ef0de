/* cli/plan_log.h - what vouch plan says while it plans: the live line, and the lines of --log-restarts and --log-tree. */
#ifndef CLI_PLAN_LOG_H
#define CLI_PLAN_LOG_H

#include <vouch/vouch.h>

#include "io/file.h"

typedef struct node_log {
    const vouch_model *m;
    text out;
} node_log;

/* Callbacks of vouch_plan_options; context: unused, a text, a node_log. */
void plan_log_progress(void *context, const vouch_plan_progress *p);
/* One line of --log-restarts. */
void plan_log_restart(void *context, const vouch_restart *r);
/* One line of --log-tree. */
void plan_log_node(void *context, const vouch_search_node *n);

#endif
