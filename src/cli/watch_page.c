/* cli/watch_page.c - see watch_page.h. */
#include "cli/watch_page.h"

#include <math.h>
#include <string.h>

#include "cli/xml.h"
#include "io/json.h"

/* Made by the Makefile from cli/watch/. */
extern const char watch_script[], watch_style[];

/* Transitions and coefficients beyond which a model or a program is not drawn. */
enum { DRAWN_TRANSITIONS = 6000, DRAWN_ENTRIES = 4000, DRAWN_COLUMNS = 3, DRAWN_ROWS = 48 };

static void add_text(text *t, const char *name, const char *value)
{
    text_add(t, "\"%s\":", name);
    js_add_string(t, value);
    text_add(t, ",");
}

static void add_real(text *t, const char *name, double value)
{
    text_add(t, "\"%s\"", name);
    js_add_number(t, ":", value);
    text_add(t, ",");
}

static void add_reals(text *t, const char *name, const double *value, long long count)
{
    text_add(t, "\"%s\":[", name);
    for (long long i = 0; i < count; i++) js_add_number(t, i ? "," : "", value[i]);
    text_add(t, "],");
}

static void add_names(text *t, const char *name, int count, const char *(*of)(const vouch_model *, int), const vouch_model *m)
{
    text_add(t, "\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i) text_add(t, ",");
        js_add_string(t, of(m, i));
    }
    text_add(t, "],");
}

/* [state, action, successor] as some environment has it. */
static void add_moves(text *t, const vouch_model *m)
{
    int K = vouch_model_environments(m), count = 0;
    text_add(t, "\"moves\":[");
    for (int s = 0; s < vouch_model_states(m); s++) {
        const int *action;
        int actions = vouch_model_available(m, s, &action);
        for (int i = 0; i < actions; i++)
            for (int k = 0; k < K; k++) {
                vouch_transitions to;
                vouch_model_get_transitions(m, k, s, action[i], &to);
                for (int e = 0; e < to.count && count < DRAWN_TRANSITIONS; e++)
                    text_add(t, "%s[%d,%d,%d,%d]", count++ ? "," : "", s, action[i], to.next[e], k);
            }
    }
    text_add(t, "],");
}

void watch_add_model(text *t, const vouch_model *m)
{
    add_text(t, "name", vouch_model_name(m));
    add_names(t, "states", vouch_model_states(m), vouch_model_state_name, m);
    add_names(t, "actions", vouch_model_actions(m), vouch_model_action_name, m);
    add_names(t, "environments", vouch_model_environments(m), vouch_model_environment_name, m);
    text_add(t, "\"initial\":%d,\"horizon\":%d,", vouch_model_initial(m), vouch_model_horizon(m));
    add_real(t, "probability", vouch_model_probability(m));
    text_add(t, "\"kept\":[");
    for (int s = 0, first = 1; s < vouch_model_states(m); s++)
        if (vouch_model_is_commitment(m, s)) {
            text_add(t, "%s%d", first ? "" : ",", s);
            first = 0;
        }
    text_add(t, "],");
    add_moves(t, m);
}

/* largest: [environments], or NULL */
static void add_figures(text *t, const vouch_model *m, const vouch_environment_figures *figures, bool found, const double *largest)
{
    text_add(t, "\"figures\":[");
    for (int k = 0; k < vouch_model_environments(m); k++) {
        const vouch_environment_figures *f = &figures[k];
        text_add(t, "%s{", k ? "," : "");
        if (found) {
            add_real(t, "value", f->value);
            add_real(t, "regret", f->regret);
            add_real(t, "kept", f->commitment_probability);
        }
        if (largest) add_real(t, "largest", largest[k]);
        js_add_number(t, "\"optimal\":", f->optimal_value);
        text_add(t, "}");
    }
    text_add(t, "],");
}

void watch_add_ccil(text *t, const vouch_model *m, const vouch_ccil_result *r)
{
    add_text(t, "method", "ccil");
    text_add(t, "\"status\":\"%s\",\"plans\":%lld,\"reused\":%lld,\"missing\":%lld,\"nodes\":0,\"iterations\":0,",
             vouch_plan_outcome_text(r->outcome), r->programs, r->reused, r->missing);
    add_real(t, "value", r->max_regret);
    add_real(t, "first", r->first_max_regret);
    add_real(t, "total", r->total_regret);
    add_figures(t, m, r->figures, r->has_policy, NULL);
}

void watch_add_plan(text *t, const vouch_model *m, const char *method, const vouch_policy *policy)
{
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    add_text(t, "method", method);
    text_add(t, "\"status\":\"%s\",\"nodes\":%lld,\"iterations\":%lld,", vouch_plan_outcome_text(r.outcome), r.nodes, r.iterations);
    add_real(t, "value", r.has_policy ? r.max_regret : NAN);
    add_real(t, "bound", r.outcome == VOUCH_PLAN_INFEASIBLE ? NAN : r.bound);
    add_real(t, "total", r.has_policy ? r.total_regret : NAN);
    add_figures(t, m, r.figures, r.has_policy, r.largest_probability);
}

void watch_add_program(text *t, const vouch_lp *lp)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    add_text(t, "name", vouch_lp_name(lp));
    text_add(t, "\"m\":%d,\"n\":%d,\"entries\":%lld,\"maximize\":%d,", d.rows, d.cols, (long long)d.start[d.cols], d.maximize);
    text_add(t, "\"rows\":[");
    for (int i = 0; i < d.rows; i++) {
        if (i) text_add(t, ",");
        js_add_string(t, vouch_lp_row_name(lp, i));
    }
    text_add(t, "],\"cols\":[");
    for (int j = 0; j < d.cols; j++) {
        if (j) text_add(t, ",");
        js_add_string(t, vouch_lp_col_name(lp, j));
    }
    text_add(t, "],");
    add_real(t, "offset", d.offset);
    if (d.start[d.cols] > DRAWN_ENTRIES || (d.cols > DRAWN_COLUMNS && d.rows > DRAWN_ROWS)) return; /* nothing is drawn of it */
    text_add(t, "\"start\":[");
    for (int j = 0; j <= d.cols; j++) text_add(t, "%s%lld", j ? "," : "", (long long)d.start[j]);
    text_add(t, "],\"index\":[");
    for (int64_t e = 0; e < d.start[d.cols]; e++) text_add(t, "%s%d", e ? "," : "", d.index[e]);
    text_add(t, "],");
    add_reals(t, "entry", d.value, d.start[d.cols]);
    add_reals(t, "cost", d.cost, d.cols);
    add_reals(t, "lower", d.col_lower, d.cols);
    add_reals(t, "upper", d.col_upper, d.cols);
    add_reals(t, "least", d.row_lower, d.rows);
    add_reals(t, "most", d.row_upper, d.rows);
    text_add(t, "\"integer\":[");
    for (int j = 0; j < d.cols; j++) text_add(t, "%s%d", j ? "," : "", vouch_lp_is_integer(lp, j) ? 1 : 0);
    text_add(t, "],");
}

/* JSON inside a page: a "<" can only be within a string, where it may be written so that no tag begins. */
static void add_escaped(text *page, const char *json, size_t length)
{
    for (size_t i = 0; i < length;) {
        const char *next = memchr(json + i, '<', length - i);
        size_t run = next ? (size_t)(next - json) - i : length - i;
        text_add_bytes(page, json + i, run);
        i += run;
        if (next) text_add_bytes(page, "\\u003c", 6), i++;
    }
}

vouch_status watch_write(const char *kind, const char *title, text *record, const vouch_trace *trace, const char *path,
                         vouch_error *error)
{
    text page = {0};
    size_t length;
    const char *events = vouch_trace_events(trace, &length);
    text_add(&page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    xml_add(&page, title);
    text_add(&page, " - vouch watch</title>\n<style>\n");
    text_add_bytes(&page, watch_style, strlen(watch_style));
    text_add(
        &page,
        "</style>\n</head>\n<body>\n<main id=\"page\"><noscript>This page replays a solve and needs its script to do so; nothing "
        "is "
        "loaded from anywhere.</noscript></main>\n<script type=\"application/json\" id=\"record\">\n{\"kind\":\"%s\",\"title\":",
        kind);
    text name = {0};
    js_add_string(&name, title);
    if (name.data) add_escaped(&page, name.data, name.length);
    text_add(&page, ",\n");
    if (record->data) add_escaped(&page, record->data, record->length);
    text_add(&page, "\n\"events\":[\n");
    add_escaped(&page, events, length);
    text_add(&page, "]}\n</script>\n<script>\n");
    text_add_bytes(&page, watch_script, strlen(watch_script));
    text_add(&page, "</script>\n</body>\n</html>\n");
    page.failed = page.failed || record->failed || name.failed;
    vouch_status status = text_write(&page, path, error);
    text_free(&name);
    return status;
}
