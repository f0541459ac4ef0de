/* cli/sweep_out.c - output of a sweep, reading its CSV, shards. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "cli/sweep.h"

/* ---- CSV ----------------------------------------------------------------------------------------------------------- */

static const char *sweep_value_column(vouch_objective objective)
{
    return objective == VOUCH_OBJECTIVE_WEIGHTED ? "weighted_value" : "least_value";
}

static void add_header(const grid *g, text *t)
{
    text_add(t, "method");
    for (int a = 0; a < g->axes; a++) text_add(t, ",%s", g->axis[a].name);
    text_add(t, ",status");
    if (g->objective != VOUCH_OBJECTIVE_REGRET) text_add(t, ",%s", sweep_value_column(g->objective));
    text_add(t, ",max_regret,total_regret,bound,least_commitment,seconds,run,limits");
}

enum { MOST_FIGURES = 6 };

/* The figures of a row in the order of the columns. Returns their number. */
static int figures_of(const grid *g, cell *c, double *figure[MOST_FIGURES])
{
    int n = 0;
    if (g->objective != VOUCH_OBJECTIVE_REGRET) figure[n++] = &c->value;
    figure[n++] = &c->regret;
    figure[n++] = &c->total;
    figure[n++] = &c->bound;
    figure[n++] = &c->commitment;
    figure[n++] = &c->seconds;
    return n;
}

static void add_csv_number(text *t, double x)
{
    char number[32];
    text_add(t, ",%s", isnan(x) ? "" : text_number(x, number));
}

vouch_status sweep_write_csv(const grid *g, const char *path, vouch_error *error)
{
    text t = {0};
    if (!path) return VOUCH_OK;
    add_header(g, &t);
    text_add(&t, "\n");
    for (size_t i = 0; i < g->count; i++) {
        cell *c = &g->cells[i];
        double *figure[MOST_FIGURES];
        int figures = figures_of(g, c, figure);
        if (!c->status[0]) continue;
        text_add(&t, "%s", c->method->name);
        for (int a = 0; a < g->axes; a++) add_csv_number(&t, c->at[a]);
        text_add(&t, ",%s", c->status);
        for (int j = 0; j < figures; j++) add_csv_number(&t, *figure[j]);
        text_add(&t, ",%s,%s\n", g->run, c->limits);
    }
    return text_write(&t, path, error);
}

/* The next field of a CSV line, terminated in place; NULL at the end. */
static char *next_field(char **at)
{
    char *field = *at;
    if (!field) return NULL;
    char *comma = strchr(field, ',');
    if (comma) *comma = '\0';
    *at = comma ? comma + 1 : NULL;
    return field;
}

/* 0 and the number, NAN for an empty field; -1: none. */
static int next_number(char **at, double *x)
{
    const char *field = next_field(at);
    char *end;
    *x = NAN;
    if (!field) return -1;
    if (!*field) return 0;
    *x = number_read(field, &end);
    return *end || isnan(*x) ? -1 : 0;
}

/* The same method and values? */
static bool sweep_same_cell(const grid *g, const cell *a, const cell *b)
{
    bool same = a->method == b->method;
    for (int i = 0; i < g->axes; i++) same = same && axis_same(a->at[i], b->at[i]);
    return same;
}

static cell *find_cell(grid *g, const cell *like)
{
    for (size_t i = 0; i < g->count; i++)
        if (sweep_same_cell(g, &g->cells[i], like)) return &g->cells[i];
    return NULL;
}

/* Reads one row; *run: its fingerprint, in the line. 0, or -1: not a row. */
static int read_row(const grid *g, char *line, cell *c, const char **run)
{
    const char *name = next_field(&line), *status;
    *c = (cell){.method = sweep_find_method(name, strlen(name))};
    int bad = c->method ? 0 : -1;
    for (int a = 0; a < g->axes; a++) bad |= next_number(&line, &c->at[a]) || (a != AXIS_P && isnan(c->at[a]));
    status = next_field(&line);
    if (bad || !status || !*status || strlen(status) >= sizeof c->status) return -1;
    strcpy(c->status, status);
    double *figure[MOST_FIGURES];
    int figures = figures_of(g, c, figure);
    c->value = NAN;
    for (int j = 0; j < figures; j++) bad |= next_number(&line, figure[j]);
    *run = next_field(&line);
    const char *limits = next_field(&line);
    if (bad || line || !*run || !limits || strlen(limits) >= sizeof c->limits) return -1;
    strcpy(c->limits, limits);
    return 0;
}

/* Takes a row over into the grid, unless it is to be computed again. Returns the number of cells, 0 or 1. */
static int keep_row(grid *g, const cell *row)
{
    bool again = !g->every_row && (strcmp(row->status, "failed") == 0 || strcmp(row->status, "interrupted") == 0 ||
                                   (g->retry_limits && cell_at_limit(row)));
    if (again) return 0;
    cell *c = find_cell(g, row);
    if (!c) c = grid_add(g, row->method, row->at);
    if (c->status[0]) return 0;
    *c = *row;
    return 1;
}

int sweep_read_csv(grid *g, const char *path)
{
    char *all = NULL;
    size_t length;
    vouch_error error = {0};
    if (access(path, F_OK) != 0 && errno == ENOENT) return 0;
    cli_try(file_read(path, FILE_CAP, &all, &length, &error), &error);
    cli_own_block(all);
    text *header = cli_text();
    add_header(g, header);
    if (header->failed) cli_die("out of memory");
    int line = 0, kept = 0;
    for (char *at = all; at && *at;) {
        char *end = strchr(at, '\n'), *next = end ? end + 1 : NULL;
        cell row;
        const char *run = NULL;
        if (end) *end = '\0';
        if (++line == 1 && strcmp(at, header->data) != 0)
            cli_die("%s:1: the columns differ from this sweep's, %s", path, header->data);
        if (line > 1) {
            if (read_row(g, at, &row, &run)) cli_die("%s:%d: not a row that vouch sweep writes", path, line);
            if (strcmp(run, g->run) != 0)
                cli_die("%s:%d: made with another model, seed, options or version of vouch (run %s, here %s); resume with the "
                        "original ones, or write a new file with --csv",
                        path, line, run, g->run);
            if (!g->retry_limits && cell_at_limit(&row) && strcmp(row.limits, g->limits) != 0)
                cli_die("%s:%d: ended at a limit other than this sweep's (%s, here %s); --retry limit recomputes such rows", path,
                        line, row.limits, g->limits);
            kept += keep_row(g, &row);
        }
        at = next;
    }
    return kept;
}

/* ---- table and JSON -------------------------------------------------------------------------------------------------- */

/* Prints objective and class of each method, one a line. */
static void print_classes(const grid *g)
{
    text t = {0};
    for (size_t i = 0; i < g->count; i++) {
        const sweep_method *method = g->cells[i].method;
        bool told = !g->cells[i].status[0];
        for (size_t j = 0; j < i && !told; j++) told = g->cells[j].status[0] && g->cells[j].method == method;
        if (told) continue;
        if (method->kind == PLAIN)
            method_add_class(&t, method->name, METHOD_ANY_LOOKAHEAD, g->objective);
        else
            method_add_replanned(&t, method->method, method->kind == GUARDED, METHOD_ANY_LOOKAHEAD, g->objective);
        text_add(&t, "\n");
    }
    text_add(&t, "\n");
    cli_print(&t);
}

/* Do two cells differ only in L? */
static bool same_but_lookahead(const grid *g, const cell *a, const cell *b)
{
    for (int i = 0; i < g->axes; i++)
        if (i != AXIS_L && !axis_same(a->at[i], b->at[i])) return false;
    return a->method == b->method;
}

static const double SMALLER_IS_BETTER = 1e-6; /* relative; closer regrets are the same */

/* Why a smaller L of `best` has less regret than c: from step L on a policy remembers its knowledge at step L, not before, so more
 * observations may be worse. This is the reason only if the bound of c shows that every policy of its L is worse. */
static const char *reason(const cell *c, const cell *best)
{
    if (cell_at_limit(c)) return ", as a limit ended the search";
    return c->bound > best->regret ? ", as a policy remembers its knowledge at step L but no later observation" : "";
}

static void note_smaller(const grid *g)
{
    for (size_t i = 0; i < g->count && g->objective == VOUCH_OBJECTIVE_REGRET; i++) {
        const cell *c = &g->cells[i], *best = NULL;
        if (!c->status[0] || isnan(c->regret) || !c->method->looks_ahead) continue;
        for (size_t j = 0; j < g->count; j++) {
            const cell *d = &g->cells[j];
            if (!d->status[0] || !same_but_lookahead(g, c, d) || !(d->at[AXIS_L] < c->at[AXIS_L])) continue;
            if (c->regret - d->regret > SMALLER_IS_BETTER * fmax(1, fabs(c->regret)) && (!best || d->regret < best->regret))
                best = d;
        }
        if (best)
            printf("%s, L = %g: a smaller L is better here: %.7g at L = %g%s\n", c->method->name, c->at[AXIS_L],
                   table_shown(best->regret), best->at[AXIS_L], reason(c, best));
    }
}

void sweep_print_table(const grid *g)
{
    static const char *const figures[] = {"maximum regret", "total", "bound", "least kept", "seconds"};
    enum { FIGURES = sizeof figures / sizeof *figures };
    const char *headers[1 + MOST_AXES + 2 + FIGURES + 1] = {"<method"};
    bool valued = g->objective != VOUCH_OBJECTIVE_REGRET;
    int n = 1;
    for (int a = 0; a < g->axes; a++) headers[n++] = g->axis[a].name;
    headers[n++] = "<status";
    if (valued) headers[n++] = objective_noun(g->objective);
    for (int i = 0; i < FIGURES; i++) headers[n++] = figures[i];
    print_classes(g);
    table *t = table_new(headers);
    for (size_t i = 0; i < g->count; i++) {
        const cell *c = &g->cells[i];
        if (!c->status[0]) continue;
        table_cell(t, "%s", c->method->name);
        for (int a = 0; a < g->axes; a++) table_number(t, c->at[a]);
        table_cell(t, "%s", c->status);
        if (valued) table_number(t, c->value);
        table_number(t, c->regret);
        table_number(t, c->total);
        table_number(t, c->bound);
        table_number(t, c->commitment);
        table_cell(t, isnan(c->seconds) ? "-" : "%.3f", c->seconds);
    }
    table_print(t, stdout);
    note_smaller(g);
}

void sweep_print_json(const grid *g)
{
    text t = {0};
    text_add(&t, "{ ");
    if (g->objective != VOUCH_OBJECTIVE_REGRET) text_add(&t, "\"objective\": \"%s\", ", vouch_objective_text(g->objective));
    text_add(&t, "\"cells\": [");
    const char *before = "";
    for (size_t i = 0; i < g->count; i++) {
        const cell *c = &g->cells[i];
        if (!c->status[0]) continue;
        text_add(&t, "%s\n    { \"method\": \"%s\"", before, c->method->name);
        before = ",";
        for (int a = 0; a < g->axes; a++) {
            text_add(&t, ", \"%s\": ", g->axis[a].name);
            js_add_number(&t, "", c->at[a]);
        }
        text_add(&t, ", \"status\": \"%s\"", c->status);
        if (g->objective != VOUCH_OBJECTIVE_REGRET) js_add_number(&t, ", \"value\": ", c->value);
        js_add_number(&t, ", \"max_regret\": ", c->regret);
        js_add_number(&t, ", \"total_regret\": ", c->total);
        js_add_number(&t, ", \"bound\": ", c->bound);
        js_add_number(&t, ", \"least_commitment\": ", c->commitment);
        js_add_number(&t, ", \"seconds\": ", c->seconds);
        text_add(&t, " }");
    }
    text_add(&t, " ] }\n");
    cli_print(&t);
}

/* ---- picture ------------------------------------------------------------------------------------------------------------ */

static bool varies(const grid *g, int a)
{
    for (size_t i = 1; i < g->count; i++)
        if (!axis_same(g->cells[i].at[a], g->cells[0].at[a])) return true;
    return false;
}

/* Does the axis distinguish lines of the method? L does not for a method without L. */
static bool divides(const grid *g, const sweep_method *method, int a)
{
    return a != g->along && (a != AXIS_L || method->looks_ahead);
}

/* "milp-ccl T=5 K=2": the method and the values that distinguish the line. */
static void add_name(const grid *g, const cell *c, text *t)
{
    char number[32];
    text_add(t, "%s", c->method->name);
    for (int a = 0; a < g->axes; a++)
        if (varies(g, a) && divides(g, c->method, a)) text_add(t, " %s=%s", g->axis[a].name, text_number(c->at[a], number));
}

/* The drawn value: "maximum regret", "weighted value". */
static const char *sweep_optimised(const grid *g)
{
    return g->objective == VOUCH_OBJECTIVE_REGRET ? "maximum regret" : objective_noun(g->objective);
}

/* "t-maze: maximum regret, milp-ccl, T = 10, p = 0.6": the values common to all cells; L if some method looks ahead. */
static void add_title(const grid *g, const char *model, text *t)
{
    char number[32];
    bool one_method = true, looks_ahead = false;
    for (size_t i = 0; i < g->count; i++) {
        one_method = one_method && g->cells[i].method == g->cells[0].method;
        looks_ahead = looks_ahead || g->cells[i].method->looks_ahead;
    }
    text_add(t, "%s: %s", model, sweep_optimised(g));
    if (one_method) text_add(t, ", %s", g->cells[0].method->name);
    for (int a = 0; a < g->axes; a++)
        if (a != g->along && !varies(g, a) && !isnan(g->cells[0].at[a]) && (a != AXIS_L || looks_ahead))
            text_add(t, ", %s = %s", g->axis[a].name, text_number(g->cells[0].at[a], number));
}

static bool same_line(const grid *g, const cell *c, const cell *d)
{
    bool same = c->method == d->method;
    for (int a = 0; a < g->axes; a++) same = same && (!divides(g, c->method, a) || axis_same(c->at[a], d->at[a]));
    return same;
}

static int by_abscissa(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

static double ordinate(const grid *g, const cell *c) { return g->objective == VOUCH_OBJECTIVE_REGRET ? c->regret : c->value; }

/* The points of the line of cell `first`, by abscissa, from its cells with a policy. done: [g->count]; value: room for three
 * numbers each. */
static void take_line(const grid *g, size_t first, char done[], double point[][3], double value[], plot_line *line)
{
    int n = 0;
    for (size_t j = first; j < g->count; j++) {
        const cell *c = &g->cells[j];
        if (!same_line(g, c, &g->cells[first])) continue;
        done[j] = 1;
        double y = ordinate(g, c);
        bool again = g->along != AXIS_L && !axis_same(c->at[AXIS_L], g->cells[first].at[AXIS_L]); /* the same, for another L */
        if (isnan(y) || again) continue;
        point[n][0] = c->at[g->along];
        point[n][1] = y;
        point[n++][2] = isnan(c->bound) || strcmp(c->status, "optimal") == 0 ? y : c->bound;
    }
    qsort(point, (size_t)n, sizeof *point, by_abscissa);
    for (int i = 0; i < n; i++) {
        value[i] = point[i][0];
        value[n + i] = point[i][1];
        value[2 * n + i] = point[i][2];
    }
    *line = (plot_line){.count = n, .x = value, .y = value + n, .bound = value + 2 * n};
}

void sweep_plot(const grid *g, const char *model, const char *path)
{
    char *done = CLI_NEW(char, g->count);
    double(*point)[3] = cli_new(g->count, sizeof *point);
    double *value = CLI_NEW(double, 3 * g->count), *next = value;
    plot_line *line = CLI_NEW(plot_line, g->count);
    text *label = CLI_NEW(text, g->count), *title = cli_text(), *t = cli_text();
    int lines = 0;
    vouch_error error = {0};
    for (size_t i = 0; i < g->count; i++) {
        if (done[i]) continue;
        take_line(g, i, done, point, next, &line[lines]);
        if (!line[lines].count) continue;
        next += 3 * line[lines].count;
        add_name(g, &g->cells[i], &label[lines]);
        t->failed = t->failed || label[lines].failed;
        line[lines].name = label[lines].data;
        lines++;
    }
    if (lines) add_title(g, model, title);
    if (lines && !t->failed && !title->failed)
        plot_svg(t, title->data, &(plot){g->axis[g->along].name, sweep_optimised(g), line, lines}, 1);
    for (int i = 0; i < lines; i++) text_free(&label[i]);
    if (t->failed || title->failed) cli_die("out of memory");
    if (!lines) cli_die("--plot: no cell has a policy");
    cli_try(text_write(t, path, &error), &error);
}

/* ---- shards ---- */

void sweep_take_shard(grid *g, const char *shard)
{
    char *end, *last;
    errno = 0;
    long i = strtol(shard, &end, 10), n = *end == '/' && end > shard ? strtol(end + 1, &last, 10) : 0;
    bool whole = *end == '/' && end > shard && last > end + 1 && !*last && !errno;
    if (!whole || n < 1 || i < 0 || i > n) cli_die("--shard: expected I/N with I from 1 to N, found \"%s\"", shard);
    size_t first = (size_t)((i + n - 1) % n), kept = 0; /* counted from 0, N is shard 0 */
    for (size_t c = first; c < g->count; c += (size_t)n) g->cells[kept++] = g->cells[c];
    g->count = kept;
}

bool sweep_is_table(const char *path)
{
    static const char head[] = "method,L,T,p,";
    char start[sizeof head];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, start, sizeof head - 1);
    close(fd);
    return n == sizeof head - 1 && memcmp(start, head, sizeof head - 1) == 0;
}

/* The names of the parameters and the mark of the run, from the first lines of a file. */
static void read_head(grid *g, const char *path)
{
    char *all = NULL;
    size_t length;
    vouch_error error = {0};
    cli_try(file_read(path, FILE_CAP, &all, &length, &error), &error);
    cli_own_block(all);
    char *end = strstr(all, ",status,"), *at = all + strlen("method,L,T,p");
    bool wrong = !end || end < at || strncmp(all, "method,L,T,p", strlen("method,L,T,p")) != 0;
    for (; !wrong && at < end && *at == ',' && g->axes < MOST_AXES; g->axes++) {
        size_t name = strcspn(++at, ",");
        wrong = name == 0 || name >= sizeof g->axis[0].name;
        if (!wrong) memcpy(g->axis[g->axes].name, at, name);
        at += name;
    }
    if (wrong) cli_die("%s: not a file that vouch sweep writes", path);
    for (int o = VOUCH_OBJECTIVE_REGRET + 1; o < VOUCH_OBJECTIVES; o++) {
        const char *column = sweep_value_column((vouch_objective)o), *behind = end + strlen(",status,");
        size_t n = strlen(column);
        if (strncmp(behind, column, n) == 0 && behind[n] == ',') g->objective = (vouch_objective)o;
    }
    char *row = strchr(end, '\n'), *row_end = row ? strchr(row + 1, '\n') : NULL;
    if (row_end) { /* run and limits end a row */
        *row_end = '\0';
        char *limits = strrchr(row + 1, ','), *run = NULL;
        if (limits) {
            *limits++ = '\0';
            run = strrchr(row + 1, ',');
            snprintf(g->limits, sizeof g->limits, "%s", limits);
        }
        if (run) snprintf(g->run, sizeof g->run, "%.16s", run + 1);
    }
}

/* Takes the next row of each file in turn. */
static void interleave(grid *g, const grid *part, size_t parts)
{
    bool more = true;
    for (size_t row = 0; more; row++) {
        more = false;
        for (size_t i = 0; i < parts; i++) {
            if (row >= part[i].count) continue;
            more = true;
            const cell *c = &part[i].cells[row];
            if (!find_cell(g, c)) *grid_add(g, c->method, c->at) = *c;
        }
    }
    for (int a = g->axes - 1; a >= 0; a--)
        for (size_t j = 1; j < g->count; j++)
            if (!axis_same(g->cells[j].at[a], g->cells[0].at[a])) g->along = a;
    if (g->along < 0) g->along = AXIS_L;
}

typedef struct shard_files {
    grid *part; /* [count] */
    size_t count;
} shard_files;

static void free_parts(void *object)
{
    const shard_files *files = object;
    for (size_t i = 0; i < files->count; i++) mem_free(files->part[i].cells);
}

static void merge_alone(grid *g, const char *const file[], size_t files)
{
    shard_files *all = CLI_NEW(shard_files, 1);
    all->part = CLI_NEW(grid, files);
    cli_own(free_parts, all);
    read_head(g, file[0]);
    for (; all->count < files; all->count++) {
        all->part[all->count] = *g; /* names and mark of the run */
        all->part[all->count].cells = NULL;
    }
    for (size_t i = 0; i < files; i++) (void)sweep_read_csv(&all->part[i], file[i]);
    interleave(g, all->part, files);
}

void sweep_merge(grid *g, const char *const file[], size_t files, size_t *missing)
{
    g->every_row = true;
    for (size_t i = 0; i < files; i++)
        if (!sweep_is_table(file[i])) cli_die("%s: not a file that vouch sweep writes, or not there", file[i]);
    if (g->count == 0) {
        merge_alone(g, file, files);
        return;
    }
    for (size_t i = 0; i < files; i++) (void)sweep_read_csv(g, file[i]);
    for (size_t i = 0; i < g->count; i++) *missing += !g->cells[i].status[0];
}
