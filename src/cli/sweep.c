/* cli/sweep.c - vouch sweep: a grid over L, T, p and methods, as CSV, table and picture.
 *
 * Every cell is one plan or one exact evaluation of CCIL. The CSV file is written anew after each cell, so that an interrupted sweep has lost
 * nothing and --resume takes up where it stopped; a cell that fails is a row that says so, and the others go on.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/gnuplot.h"
#include "cli/load.h"
#include "cli/report.h"
#include "cli/table.h"
#include "io/file.h"
#include "io/json.h"
#include "mdp/model.h"

typedef struct sweep_args {
    cli_common common;
    model_args model;
    cli_list vary;
    const char *method, *csv, *plot, *resume;
    long long program_limit;
} sweep_args;

#define AT(field) offsetof(sweep_args, field)
static const cli_option options[] = {
    {CLI_LIST, 0, "vary", "NAME=VALUES", AT(vary), NULL, .help = "values of L, T or p: lo:hi, lo:hi:step or v1,v2; may be given for each"},
    {CLI_TEXT, 'm', "method", "M,..", AT(method), "milp-ccl",
     .help = "milp-ccl, exact-ccl, history, greedy, mdps-best, milp-ccil, exact-ccil, guarded-ccil"},
    {CLI_FILE, 0, "csv", "F.csv", AT(csv), NULL, .help = "write the cells"},
    {CLI_FILE, 0, "resume", "F.csv", AT(resume), NULL, .help = "keep the finished cells of this file, and write it"},
    {CLI_FILE, 0, "plot", "F.svg", AT(plot), NULL, .help = "draw the maximum regret (needs gnuplot)"},
    {CLI_LONG, 0, "program-limit", "N", AT(program_limit), "100000", 0, 9e18, .help = "CCIL: most plans of a cell; 0: no limit"},
    MODEL_OPTIONS(sweep_args),
    {0},
};
#undef AT

enum { MOST_VALUES = 10000 };
enum { AXIS_L, AXIS_T, AXIS_P, AXES };
static const char *const axis_names[AXES] = {"L", "T", "p"};

typedef enum inner_kind { PLAIN, ITERATED, GUARDED } inner_kind;
typedef struct sweep_method {
    const char *name;
    vouch_method method;
    inner_kind kind;
    bool looks_ahead; /* depends on L */
} sweep_method;
static const sweep_method methods[] = {
    {"milp-ccl", VOUCH_METHOD_MILP_CCL, PLAIN, true},      {"exact-ccl", VOUCH_METHOD_EXACT_CCL, PLAIN, true},
    {"history", VOUCH_METHOD_HISTORY, PLAIN, false},       {"greedy", VOUCH_METHOD_GREEDY, PLAIN, false},
    {"mdps-best", VOUCH_METHOD_MDPS_BEST, PLAIN, false},   {"milp-ccil", VOUCH_METHOD_MILP_CCL, ITERATED, true},
    {"exact-ccil", VOUCH_METHOD_EXACT_CCL, ITERATED, true}, {"guarded-ccil", VOUCH_METHOD_MILP_CCL, GUARDED, true},
};
enum { METHODS = (int)(sizeof methods / sizeof *methods) };

typedef struct cell {
    int method, L, T;
    double p;
    char status[24]; /* "" : not done */
    double regret, total, bound, commitment, seconds;
} cell;

typedef struct axis {
    double *value;
    size_t count, capacity;
} axis;

typedef struct sweep {
    const sweep_args *args;
    vouch_model *m;
    axis axes[AXES];
    cell *cells;
    size_t count, capacity;
    int failed, limited;
} sweep;

static int add_value(axis *a, double x)
{
    if (a->count >= MOST_VALUES || mem_reserve((void **)&a->value, &a->capacity, a->count, sizeof *a->value)) return -1;
    a->value[a->count++] = x;
    return 0;
}

/* "L=0:6", "p=0.5,0.6". 0, or CLI_WRONG after a message. */
static int read_axis(sweep *s, const char *given)
{
    int which = given[0] == 'L' ? AXIS_L : given[0] == 'T' ? AXIS_T : given[0] == 'p' ? AXIS_P : -1;
    if (which < 0 || given[1] != '=') return cli_wrong("--vary: expected L=, T= or p= and values, found \"%.100s\"", given);
    axis *a = &s->axes[which];
    if (a->count) return cli_wrong("--vary: %s is given twice", axis_names[which]);
    double part[3];
    int parts = 0;
    const char *at = given + 2;
    bool range = strchr(at, ':') != NULL;
    for (;;) {
        char *end;
        double x = strtod(at, &end);
        if (end == at || !isfinite(x) || (*end && *end != (range ? ':' : ','))) return cli_wrong("--vary: \"%.100s\" is no list of numbers and no range lo:hi or lo:hi:step", given);
        if (range && parts == 3) return cli_wrong("--vary: \"%.100s\" has too many colons", given);
        if (range) part[parts++] = x;
        else if (add_value(a, x)) return cli_wrong("--vary: too many values");
        if (!*end) break;
        at = end + 1;
    }
    if (range) {
        double step = parts == 3 ? part[2] : 1;
        if (!(step > 0) || part[1] < part[0]) return cli_wrong("--vary: \"%.100s\" is an empty range", given);
        if ((part[1] - part[0]) / step > MOST_VALUES) return cli_wrong("--vary: too many values");
        for (int i = 0; part[0] + i * step <= part[1] + 1e-9 * step; i++)
            if (add_value(a, part[0] + i * step)) return cli_wrong("--vary: too many values");
    }
    for (size_t i = 0; i < a->count; i++) {
        double x = a->value[i];
        bool fine = which == AXIS_P ? x >= 0 && x <= 1 : x == floor(x) && x >= (which == AXIS_T) && x <= 1e9;
        if (!fine) return cli_wrong("--vary: %g is no value for %s", x, axis_names[which]);
    }
    return 0;
}

static int find_method(const char *name, size_t length)
{
    for (int i = 0; i < METHODS; i++)
        if (strlen(methods[i].name) == length && strncmp(methods[i].name, name, length) == 0) return i;
    return -1;
}

/* The cells, method by method; what cannot be (L > T, CCIL with L = 0) is left out. */
static int make_cells(sweep *s)
{
    for (const char *at = s->args->method; *at;) {
        size_t length = strcspn(at, ",");
        int method = find_method(at, length);
        if (method < 0) return cli_wrong("--method: there is no method \"%.*s\"", (int)length, at);
        for (size_t t = 0; t < s->axes[AXIS_T].count; t++)
            for (size_t p = 0; p < s->axes[AXIS_P].count; p++)
                for (size_t l = 0; l < s->axes[AXIS_L].count; l++) {
                    int L = (int)s->axes[AXIS_L].value[l], T = (int)s->axes[AXIS_T].value[t];
                    if (L > T || (methods[method].kind != PLAIN && L == 0)) continue;
                    if (mem_reserve((void **)&s->cells, &s->capacity, s->count, sizeof *s->cells)) return cli_wrong("out of memory");
                    s->cells[s->count++] = (cell){.method = method, .L = L, .T = T, .p = s->axes[AXIS_P].value[p], .regret = NAN, .total = NAN,
                                                  .bound = NAN, .commitment = NAN};
                }
        at += length;
        if (*at == ',') at++;
    }
    return s->count ? 0 : cli_wrong("the sweep has no cell: no L is between 0 (CCIL: 1) and T");
}

static void add_csv_number(text *t, double x)
{
    char number[32];
    text_add(t, ",%s", isnan(x) ? "" : text_number(x, number));
}

static vouch_status write_csv(const sweep *s, vouch_error *error)
{
    const char *path = s->args->resume ? s->args->resume : s->args->csv;
    text t = {0};
    if (!path) return VOUCH_OK;
    text_add(&t, "method,L,T,p,status,max_regret,total_regret,bound,least_commitment,seconds\n");
    for (size_t i = 0; i < s->count; i++) {
        const cell *c = &s->cells[i];
        char number[32];
        if (!c->status[0]) continue;
        text_add(&t, "%s,%d,%d,%s,%s", methods[c->method].name, c->L, c->T, text_number(c->p, number), c->status);
        add_csv_number(&t, c->regret);
        add_csv_number(&t, c->total);
        add_csv_number(&t, c->bound);
        add_csv_number(&t, c->commitment);
        add_csv_number(&t, c->seconds);
        text_add(&t, "\n");
    }
    vouch_status status = text_write(&t, path, error);
    text_free(&t);
    return status;
}

/* The next field of a CSV line, ended by a zero byte in place; NULL at the end. */
static char *next_field(char **at)
{
    char *field = *at;
    if (!field) return NULL;
    char *comma = strchr(field, ',');
    if (comma) *comma = '\0';
    *at = comma ? comma + 1 : NULL;
    return field;
}

static double field_number(char **at)
{
    const char *field = next_field(at);
    return field && *field ? strtod(field, NULL) : NAN;
}

/* Takes over the finished cells of the file, if it is there. */
static int read_csv(sweep *s)
{
    char *all = NULL;
    size_t length;
    vouch_error error = {0};
    FILE *there = fopen(s->args->resume, "rb");
    if (!there && errno == ENOENT) return 0;
    if (there) fclose(there);
    if (file_read(s->args->resume, FILE_CAP, &all, &length, &error)) return cli_failed(&error);
    int line = 0, kept = 0;
    for (char *at = all; at && *at;) {
        char *end = strchr(at, '\n'), *next = end ? end + 1 : NULL;
        if (end) *end = '\0';
        line++;
        char *rest = at, *name = next_field(&rest);
        int method = find_method(name, strlen(name));
        at = next;
        if (line == 1) continue;
        double L = field_number(&rest), T = field_number(&rest), p = field_number(&rest);
        char *status = next_field(&rest);
        if (method < 0 || isnan(L) || isnan(T) || isnan(p) || !status) {
            mem_free(all);
            return cli_wrong("%s:%d: not a row that vouch sweep writes", s->args->resume, line);
        }
        if (strcmp(status, "failed") == 0 || strcmp(status, "interrupted") == 0) continue;
        for (size_t i = 0; i < s->count; i++) {
            cell *c = &s->cells[i];
            if (c->method != method || c->L != (int)L || c->T != (int)T || c->p != p || c->status[0]) continue;
            snprintf(c->status, sizeof c->status, "%s", status);
            c->regret = field_number(&rest);
            c->total = field_number(&rest);
            c->bound = field_number(&rest);
            c->commitment = field_number(&rest);
            c->seconds = field_number(&rest);
            kept++;
            break;
        }
    }
    mem_free(all);
    if (kept && !s->args->common.quiet) fprintf(stderr, "%d finished cells kept from %s\n", kept, s->args->resume);
    return 0;
}

static void take_figures(cell *c, const vouch_environment_figures *f, int K, bool has)
{
    c->commitment = has ? INFINITY : NAN;
    for (int k = 0; k < K && has; k++) c->commitment = fmin(c->commitment, f[k].commitment_probability);
}

static vouch_status run_plan(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_policy *policy;
    vouch_plan_result r;
    vouch_status status = vouch_plan(s->m, o, &policy, error);
    if (status) return status;
    vouch_policy_get_result(policy, &r);
    bool baseline = c->method == VOUCH_METHOD_GREEDY || c->method == VOUCH_METHOD_MDPS_BEST;
    snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
    c->regret = r.has_policy ? r.max_regret : NAN;
    c->total = r.has_policy ? r.total_regret : NAN;
    c->bound = baseline || !isfinite(r.bound) ? NAN : r.bound;
    take_figures(c, r.figures, r.environments, r.has_policy);
    vouch_policy_free(policy);
    return VOUCH_OK;
}

static vouch_status run_ccil(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_ccil *ccil;
    vouch_ccil_result r;
    vouch_ccil_options co;
    vouch_ccil_options_init(&co);
    co.plan = *o;
    co.guarded = methods[c->method].kind == GUARDED;
    co.program_limit = s->args->program_limit;
    vouch_status status = vouch_ccil_new(s->m, &co, &ccil, error);
    if (status) return status;
    status = vouch_ccil_evaluate(ccil, error);
    if (!status) {
        vouch_ccil_get_result(ccil, &r);
        snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
        c->regret = r.max_regret;
        c->total = r.total_regret;
        take_figures(c, r.figures, r.environments, r.has_policy);
    }
    vouch_ccil_free(ccil);
    return status;
}

/* Methods that do not look ahead are worked out once for all L. */
static bool known_already(sweep *s, cell *c)
{
    if (methods[c->method].looks_ahead) return false;
    for (cell *other = s->cells; other < c; other++)
        if (other->method == c->method && other->T == c->T && other->p == c->p && other->status[0]) {
            int L = c->L;
            *c = *other;
            c->L = L;
            c->seconds = 0;
            return true;
        }
    return false;
}

static void run_cell(sweep *s, cell *c)
{
    const cli_common *common = &s->args->common;
    vouch_error error = {0};
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = methods[c->method].method;
    o.lookahead = methods[c->method].looks_ahead ? c->L : 0;
    o.threads = common->threads;
    o.seed = common->seed;
    o.limits = cli_limits(common);
    o.log = report_log();
    deadline watch = deadline_start(&o.limits);
    vouch_status status = vouch_model_set_horizon(s->m, c->T);
    if (status) snprintf(error.text, sizeof error.text, "the model has a state without actions before T = %d", c->T);
    if (!status) status = vouch_model_set_probability(s->m, c->p);
    if (!status) status = methods[c->method].kind == PLAIN ? run_plan(s, c, &o, &error) : run_ccil(s, c, &o, &error);
    c->seconds = clock_seconds() - watch.start;
    if (status) {
        s->failed++;
        snprintf(c->status, sizeof c->status, "failed");
        report_clear();
        cli_wrong("%s, L = %d, T = %d, p = %g: %s", methods[c->method].name, c->L, c->T, c->p, error.text);
    } else if (report_interrupted()) snprintf(c->status, sizeof c->status, "interrupted");
    bool searched = methods[c->method].method != VOUCH_METHOD_GREEDY && methods[c->method].method != VOUCH_METHOD_MDPS_BEST;
    s->limited += searched && strcmp(c->status, "optimal") != 0 && strcmp(c->status, "infeasible") != 0;
}

static void print_table(const sweep *s)
{
    static const char *const headers[] = {"<method", "L", "T", "p", "<status", "maximum regret", "total", "bound", "least kept", "seconds", NULL};
    table *t = table_new(headers);
    for (size_t i = 0; i < s->count; i++) {
        const cell *c = &s->cells[i];
        if (!c->status[0]) continue;
        table_cell(t, "%s", methods[c->method].name);
        table_cell(t, "%d", c->L);
        table_cell(t, "%d", c->T);
        table_number(t, c->p);
        table_cell(t, "%s", c->status);
        table_number(t, c->regret);
        table_number(t, c->total);
        table_number(t, c->bound);
        table_number(t, c->commitment);
        table_cell(t, "%.3f", c->seconds);
    }
    if (table_print(t, stdout)) cli_wrong("out of memory");
}

static void print_json(const sweep *s)
{
    text t = {0};
    text_add(&t, "{ \"cells\": [");
    bool first = true;
    for (size_t i = 0; i < s->count; i++) {
        const cell *c = &s->cells[i];
        if (!c->status[0]) continue;
        text_add(&t, "%s\n    { \"method\": \"%s\", \"L\": %d, \"T\": %d, \"p\": ", first ? "" : ",", methods[c->method].name, c->L, c->T);
        js_add_number(&t, c->p);
        text_add(&t, ", \"status\": \"%s\", \"max_regret\": ", c->status);
        js_add_number(&t, c->regret);
        text_add(&t, ", \"total_regret\": ");
        js_add_number(&t, c->total);
        text_add(&t, ", \"bound\": ");
        js_add_number(&t, c->bound);
        text_add(&t, ", \"seconds\": ");
        js_add_number(&t, c->seconds);
        text_add(&t, " }");
        first = false;
    }
    text_add(&t, " ] }\n");
    if (t.failed) cli_wrong("out of memory");
    else fputs(t.data, stdout);
    text_free(&t);
}

static double coordinate(const cell *c, int axis_number) { return axis_number == AXIS_L ? c->L : axis_number == AXIS_T ? c->T : c->p; }

/* One line a method and combination of the other axes, along the first axis that varies. */
static int plot(const sweep *s)
{
    int along = AXIS_L;
    for (int a = AXES - 1; a >= 0; a--)
        if (s->axes[a].count > 1) along = a;
    text data = {0}, lines = {0};
    char *done = mem_zero(s->count, 1);
    int line = 0;
    for (size_t i = 0; i < s->count && done; i++) {
        if (done[i]) continue;
        char title[128];
        int used = snprintf(title, sizeof title, "%s", methods[s->cells[i].method].name);
        for (int a = 0; a < AXES; a++)
            if (a != along && s->axes[a].count > 1) used += snprintf(title + used, sizeof title - (size_t)used, " %s=%g", axis_names[a], coordinate(&s->cells[i], a));
        text_add(&data, "$d%d << EOD\n", line);
        for (size_t j = i; j < s->count; j++) {
            const cell *c = &s->cells[j], *d = &s->cells[i];
            bool same = c->method == d->method;
            for (int a = 0; a < AXES; a++) same = same && (a == along || coordinate(c, a) == coordinate(d, a));
            if (!same) continue;
            done[j] = 1;
            if (!isnan(c->regret)) text_add(&data, "%.17g %.17g\n", coordinate(c, along), c->regret);
        }
        text_add(&data, "EOD\n");
        text_add(&lines, "%s$d%d using 1:2 with linespoints title '%s'", line ? ", " : "plot ", line, title);
        line++;
    }
    int code = !done || data.failed || lines.failed ? cli_wrong("out of memory") : gnuplot_svg(s->args->plot, axis_names[along], "maximum regret", data.data, lines.data);
    mem_free(done);
    text_free(&data);
    text_free(&lines);
    return code;
}

static int run(void *arguments, char **operand, int operands)
{
    const sweep_args *args = arguments;
    (void)operands;
    sweep s = {.args = args};
    vouch_error error = {0};
    int code = load_model(&args->model, operand[0], &s.m);
    for (size_t i = 0; i < args->vary.count && !code; i++) code = read_axis(&s, args->vary.item[i]);
    if (!code && args->csv && args->resume) code = cli_wrong("--csv and --resume: one file is enough");
    if (!code && args->plot) code = gnuplot_check();
    if (!code) {
        if (!s.axes[AXIS_L].count && add_value(&s.axes[AXIS_L], 0)) code = cli_wrong("out of memory");
        if (!s.axes[AXIS_T].count && add_value(&s.axes[AXIS_T], s.m->T)) code = cli_wrong("out of memory");
        if (!s.axes[AXIS_P].count && add_value(&s.axes[AXIS_P], s.m->p)) code = cli_wrong("out of memory");
    }
    if (!code) code = make_cells(&s);
    if (!code && args->resume) code = read_csv(&s);
    if (code) goto done;
    for (size_t i = 0; i < s.count && !report_interrupted(); i++) {
        cell *c = &s.cells[i];
        if (c->status[0]) continue;
        report_progress("cell %zu of %zu: %s, L = %d, T = %d, p = %g", i + 1, s.count, methods[c->method].name, c->L, c->T, c->p);
        if (!known_already(&s, c)) run_cell(&s, c);
        if (write_csv(&s, &error)) {
            code = cli_failed(&error);
            goto done;
        }
    }
    report_clear();
    if (write_csv(&s, &error)) code = cli_failed(&error);
    else if (args->common.json) print_json(&s);
    else print_table(&s);
    if (!code && args->plot) code = plot(&s);
    if (!code) code = report_interrupted() ? CLI_INTERRUPTED : s.failed || s.limited ? CLI_LIMIT : CLI_SOLVED;
done:
    for (int a = 0; a < AXES; a++) mem_free(s.axes[a].value);
    mem_free(s.cells);
    vouch_model_free(s.m);
    return code;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .operands = "MODEL",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "a table and picture over L, T, p and methods",
    .text = "Plans (or evaluates CCIL exactly) for every combination of the values given. --time-limit is that of one cell. The CSV file is "
            "written after each cell; --resume keeps what is finished in it. Exit status 3 when a cell failed or was not proved optimal.",
    .options = options,
    .size = sizeof(sweep_args),
    .run = run,
};
