/* cli/sweep.c - vouch sweep: a grid over L, T, p, methods and parameters of the model, as CSV, table and picture.
 *
 * Every cell is one plan or one exact evaluation of CCIL. The CSV file is rewritten as cells are finished, so that
 * --resume continues an interrupted sweep; a failed cell is a row with its error, and the others continue. --merge joins the files
 * of shards.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "cli/cli.h"
#include "link/tasks.h"

/* Axes 0 .. 2 are L, T and p; the others are parameters of the model in the order given, or AXIS_POLICIES. */
enum { AXIS_L, AXIS_T, AXIS_P, MODEL_AXES, MOST_AXES = 16 };

typedef enum inner_kind { PLAIN, ITERATED, GUARDED } inner_kind;
typedef struct sweep_method {
    const char *name;
    vouch_method method;
    inner_kind kind;
    bool looks_ahead; /* depends on L */
    bool proves;      /* proves bounds: no baseline */
} sweep_method;

enum { SWEEP_LIMITS = 64 };

typedef struct axis {
    char name[64];
    double *value; /* owned, [count] */
    size_t count, capacity;
} axis;

/* The axes for the size of a portfolio (vouch/groups.h) and for the error of probabilities. */
#define AXIS_POLICIES "policies"
#define AXIS_WITHIN   "within"

/* Equal values of an axis? NAN: p of a model with several promises. */
static inline bool axis_same(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

typedef struct cell {
    const sweep_method *method;
    double at[MOST_AXES];
    char status[24];                                  /* "" : not done */
    char limits[SWEEP_LIMITS];                        /* limits of its computation */
    double regret, total, bound, commitment, seconds; /* NAN: none */
    double value;                                     /* of an objective other than the regret; NAN: none */
} cell;

typedef struct grid {
    char run[FINGERPRINT];     /* fingerprint of model, seed and options */
    char limits[SWEEP_LIMITS]; /* of this run, in words */
    bool retry_limits;         /* recompute cells of earlier runs that ended at a limit */
    bool every_row;            /* recompute none: rows are merged */
    vouch_objective objective; /* of all cells */
    vouch_sense sense;
    axis axis[MOST_AXES];
    int axes;
    int along;   /* the first axis given with more than one value; L if there is none */
    cell *cells; /* owned, [count] */
    size_t count, capacity;
} grid;

/* ---- a sweep, and the model of a cell: parameters of `vouch generate`, or open constants of a PRISM file, make a model for each
 * combination ---- */

typedef struct sweep_args {
    cli_common common;
    spread_args spread;
    model_args model;
    objective_args objective;
    cli_list vary;
    const char *method, *csv, *plot, *shard, *merge;
    int retry, promises, lookahead;
    long long program_limit;
} sweep_args;

typedef struct sweep {
    const sweep_args *args;
    const char *operand;
    spread_args spread; /* resume: only a journal, not a CSV file */
    example_kind kind;  /* EXAMPLE_NONE: operand is a file */
    grid g;
    bool timeless;             /* without seconds: output must be reproducible */
    vouch_model *m;            /* of the last cell; NULL: none */
    double made_of[MOST_AXES]; /* the parameters of m */
    size_t at;                 /* number of the cell at hand */
} sweep;

/* ---- axes and cells of a sweep ---- */

enum { MOST_VALUES = 10000, MOST_CELLS = 1000000 };

/* The methods of the library's table, then replanned, then guarded ones. */
static const sweep_method *methods(size_t *count)
{
    static sweep_method all[3 * VOUCH_METHOD_COUNT];
    static size_t known;
    for (int kind = known ? GUARDED + 1 : PLAIN; kind <= GUARDED; kind++)
        for (int i = 0; i < VOUCH_METHOD_COUNT; i++) {
            const vouch_method_description *about = vouch_method_describe((vouch_method)i);
            const char *name = kind == PLAIN ? about->word : kind == ITERATED ? about->replanned : about->guarded;
            if (name)
                all[known++] = (sweep_method){name, (vouch_method)i, (inner_kind)kind, about->lookahead == VOUCH_LOOKAHEAD_ASKED,
                                              about->proves};
        }
    *count = known;
    return all;
}

/* NULL for an unknown method. */
static const sweep_method *sweep_find_method(const char *name, size_t length)
{
    size_t count;
    const sweep_method *all = methods(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(all[i].name) == length && strncmp(all[i].name, name, length) == 0) return &all[i];
    return NULL;
}

/* "milp-ccl|..|milp-ccil|..". */
static const char *sweep_method_words(void)
{
    static char words[512];
    size_t count, n = 0;
    const sweep_method *all = methods(&count);
    for (size_t i = 0; i < count && n < sizeof words; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? "|" : "", all[i].name);
    return words;
}

/* Did the search end at a limit before its answer was proved? */
static bool cell_at_limit(const cell *c)
{
    return c->method->proves && (strcmp(c->status, "limit") == 0 || strcmp(c->status, "feasible") == 0);
}

static void grid_init(grid *g)
{
    *g = (grid){.axes = MODEL_AXES, .along = -1};
    strcpy(g->axis[AXIS_L].name, "L");
    strcpy(g->axis[AXIS_T].name, "T");
    strcpy(g->axis[AXIS_P].name, "p");
}

static void grid_free(grid *g)
{
    for (int a = 0; a < g->axes; a++) mem_free(g->axis[a].value);
    mem_free(g->cells);
}

/* Is `which` the axis of the number of policies? */
static bool grid_is_policies(const grid *g, int which) { return strcmp(g->axis[which].name, AXIS_POLICIES) == 0; }

static bool grid_is_within(const grid *g, int which) { return strcmp(g->axis[which].name, AXIS_WITHIN) == 0; }

/* No parameter that makes a model? */
static bool grid_is_own(const grid *g, int which) { return grid_is_policies(g, which) || grid_is_within(g, which); }

static void add_value(axis *a, double x)
{
    if (a->count >= MOST_VALUES) cli_die("--vary: more than %d values", MOST_VALUES);
    if (mem_reserve((void **)&a->value, &a->capacity, a->count, sizeof *a->value)) cli_die("out of memory");
    a->value[a->count++] = x;
}

/* Sets the value of an axis without values. */
static void grid_default(grid *g, int which, double value)
{
    if (!g->axis[which].count) add_value(&g->axis[which], value);
}

/* The axis with the name that ends at `end`, added if new. */
static axis *find_axis(grid *g, const char *given, const char *end)
{
    size_t length = end ? (size_t)(end - given) : 0;
    bool named = length > 0 && length < sizeof g->axis[0].name && !ascii_digit(given[0]);
    bool promise = length > 2 && strncmp(given, "p.", 2) == 0; /* its name: any that a CSV row can hold */
    for (size_t i = 0; i < length && !promise; i++) named = named && (ascii_alnum(given[i]) || given[i] == '_' || given[i] == ':');
    for (size_t i = 0; i < length && promise; i++)
        named = named && given[i] != ',' && given[i] != '"' && (unsigned char)given[i] >= ' ';
    if (!named) cli_die("--vary: expected NAME=VALUES, such as L=0:6, found \"%.100s\"", given);
    axis *a = NULL;
    for (int i = 0; i < g->axes && !a; i++)
        if (strncmp(g->axis[i].name, given, length) == 0 && g->axis[i].name[length] == '\0') a = &g->axis[i];
    if (a && a->count) cli_die("--vary: %s is given twice", a->name);
    if (!a && g->axes == MOST_AXES) cli_die("--vary: at most %d parameters of the model", MOST_AXES - MODEL_AXES);
    if (!a) {
        a = &g->axis[g->axes++];
        memcpy(a->name, given, length);
    }
    return a;
}

/* Rounds 0.2 + 2 * 0.2 = 0.6000000000000001 to 0.6. */
static double as_decimal(double x)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.15g", x);
    return number_read(digits, NULL);
}

/* Reads "L=0:6", "slip=0.6:0.9:0.1", "K=1,2,3". */
static void grid_read_axis(grid *g, const char *given)
{
    const char *equals = strchr(given, '=');
    axis *a = find_axis(g, given, equals);
    double part[3];
    int parts = 0;
    const char *at = equals + 1;
    bool range = strchr(at, ':') != NULL;
    for (;;) {
        char *end;
        double x = number_read(at, &end);
        if (end == at || !isfinite(x) || (*end && *end != (range ? ':' : ',')))
            cli_die("--vary: \"%.100s\" is neither a list of numbers nor a range lo:hi or lo:hi:step", given);
        if (range && parts == 3) cli_die("--vary: \"%.100s\" has too many colons", given);
        if (range)
            part[parts++] = x;
        else
            add_value(a, x);
        if (!*end) break;
        at = end + 1;
    }
    if (range) {
        double step = parts == 3 ? part[2] : 1;
        if (!(step > 0) || part[1] < part[0]) cli_die("--vary: \"%.100s\" is an empty range", given);
        for (int i = 0; part[0] + i * step <= part[1] + 1e-9 * step; i++) add_value(a, as_decimal(part[0] + i * step));
    }
    int which = (int)(a - g->axis);
    bool policies = grid_is_policies(g, which), share = which == AXIS_P || grid_is_within(g, which);
    for (size_t i = 0; i < a->count && (which < MODEL_AXES || policies || share); i++) {
        double x = a->value[i];
        bool fine = share ? x >= 0 && x <= 1 : x == floor(x) && x >= (which == AXIS_T || policies) && x <= 1e9;
        if (!fine) cli_die("--vary: %g is not a value of %s", x, a->name);
    }
    if (g->along < 0 && a->count > 1) g->along = which;
}

/* The number of policies of the cell; 0: a single plan. */
static int grid_policies(const grid *g, const cell *c)
{
    for (int a = MODEL_AXES; a < g->axes; a++)
        if (grid_is_policies(g, a)) return (int)c->at[a];
    return 0;
}

/* The number of combinations of model parameters; combination i into at[MODEL_AXES ..]. */
static size_t grid_models(const grid *g)
{
    double n = 1;
    for (int a = MODEL_AXES; a < g->axes; a++) n *= (double)g->axis[a].count;
    return n > MOST_CELLS ? MOST_CELLS + 1 : (size_t)n;
}

static void grid_model(const grid *g, size_t i, double at[])
{
    for (int a = g->axes - 1; a >= MODEL_AXES; a--) {
        at[a] = g->axis[a].value[i % g->axis[a].count];
        i /= g->axis[a].count;
    }
}

/* Adds a cell without figures. */
static cell *grid_add(grid *g, const sweep_method *method, const double at[])
{
    if (mem_reserve((void **)&g->cells, &g->capacity, g->count, sizeof *g->cells)) cli_die("out of memory");
    cell *c = &g->cells[g->count++];
    *c = (cell){.method = method, .regret = NAN, .total = NAN, .bound = NAN, .value = NAN, .commitment = NAN, .seconds = NAN};
    memcpy(c->at, at, (size_t)g->axes * sizeof *at);
    memcpy(c->limits, g->limits, sizeof c->limits);
    return c;
}

static void make_of_method(grid *g, const sweep_method *method, double at[])
{
    for (size_t t = 0; t < g->axis[AXIS_T].count; t++)
        for (size_t p = 0; p < g->axis[AXIS_P].count; p++)
            for (size_t l = 0; l < g->axis[AXIS_L].count; l++) {
                at[AXIS_L] = g->axis[AXIS_L].value[l];
                at[AXIS_T] = g->axis[AXIS_T].value[t];
                at[AXIS_P] = g->axis[AXIS_P].value[p];
                if (at[AXIS_L] > at[AXIS_T] || (method->kind != PLAIN && at[AXIS_L] == 0)) continue;
                if (g->count >= MOST_CELLS) cli_die("the sweep has more than %d cells", MOST_CELLS);
                grid_add(g, method, at);
            }
}

/* Makes the cells in order: model parameters (the last varies fastest), methods, T, p, L, without impossible ones (L > T, CCIL with
 * L = 0). */
static void grid_make(grid *g, const char *list)
{
    if (g->along < 0) g->along = AXIS_L;
    double at[MOST_AXES] = {0};
    size_t models = grid_models(g);
    bool several = false;
    for (int a = MODEL_AXES; a < g->axes; a++) several = several || grid_is_policies(g, a);
    for (size_t i = 0; i < models; i++) {
        grid_model(g, i, at);
        for (const char *word = list; *word;) {
            size_t length = strcspn(word, ",");
            const sweep_method *method = sweep_find_method(word, length);
            if (!method)
                cli_die("--method: there is no method \"%.*s\"; expected %s, or with CCIL in their place milp-ccil, guarded-ccil, "
                        "exact-ccil",
                        (int)length, word, method_words());
            if (several && (method->kind != PLAIN || !method->proves))
                cli_die("--vary " AXIS_POLICIES ": %s cannot plan for groups", method->name);
            make_of_method(g, method, at);
            word += length;
            if (*word == ',') word++;
        }
    }
    if (!g->count) cli_die("the sweep has no cell: no L is between 0 (CCIL: 1) and T");
}

/* ---- the model of a cell ---- */

static vouch_status generate(const sweep *s, const double at[], vouch_model **m, vouch_error *error)
{
    example e = example_start(s->kind);
    vouch_status status = VOUCH_OK;
    e.horizon = (int)at[AXIS_T];
    e.probability = at[AXIS_P];
    e.random.seed = e.family.seed = s->args->common.seed;
    for (int a = MODEL_AXES; a < s->g.axes && !status; a++)
        if (!grid_is_own(&s->g, a)) status = example_set(&e, s->g.axis[a].name, at[a], error);
    if (!status) status = example_make(&e, m, error);
    if (!status) status = error->status = vouch_model_set_reward_tolerance(*m, s->args->model.reward_tolerance);
    if (!status) status = model_observe(s->args->model.observe, *m, error);
    if (!status) status = model_set_prior(s->args->model.prior, *m, error);
    return status;
}

/* Adds parameters to the given constants. T = 0, p = NAN: as on the command line. */
static vouch_status import(const sweep *s, const double at[], vouch_model **m, vouch_error *error)
{
    static const char mark[] = "const:", promise[] = "p.";
    model_args own = s->args->model;
    size_t given = own.constants.count, all = given + (size_t)(s->g.axes - MODEL_AXES), constants = given;
    size_t probabilities = own.probabilities.count;
    const char **item = MEM_NEW(const char *, all), **p = MEM_NEW(const char *, all + probabilities);
    text *constant = MEM_ZERO(text, all);
    bool failed = !item || !p || !constant;
    for (size_t i = 0; i < probabilities && !failed; i++) p[i] = own.probabilities.item[i];
    for (size_t i = 0; i < all && !failed; i++) {
        if (i < given) {
            item[i] = own.constants.item[i];
            continue;
        }
        int a = MODEL_AXES + (int)(i - given);
        if (grid_is_own(&s->g, a)) continue;
        const char *name = s->g.axis[a].name;
        char number[32];
        bool of_promise = strncmp(name, promise, sizeof promise - 1) == 0;
        size_t behind = of_promise ? sizeof promise - 1 : strncmp(name, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
        text_add(&constant[i], "%s=%s", name + behind, text_number(at[a], number));
        failed = constant[i].failed;
        if (of_promise)
            p[probabilities++] = constant[i].data;
        else
            item[constants++] = constant[i].data;
    }
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (failed)
        snprintf(error->text, sizeof error->text, "out of memory");
    else {
        own.constants = (cli_list){.item = item, .count = constants};
        own.probabilities = (cli_list){.item = p, .count = probabilities};
        if (at[AXIS_T] > 0) own.horizon = (int)at[AXIS_T];
        if (!isnan(at[AXIS_P])) own.probability = &at[AXIS_P];
        status = import_model(&own, s->operand, m, error);
    }
    for (size_t i = given; i < all && constant; i++) text_free(&constant[i]);
    MEM_FREE_ALL(constant, item, p);
    return status;
}

/* T as given: with a random first state, steps count from its draw. */
static int given_horizon(const vouch_model *m) { return vouch_model_horizon(m) + vouch_model_first_time(m); }

static vouch_status make_model(sweep *s, const double at[], vouch_error *error)
{
    vouch_model_free(s->m);
    s->m = NULL;
    memcpy(s->made_of, at, sizeof s->made_of);
    vouch_status status = s->kind ? generate(s, at, &s->m, error) : import(s, at, &s->m, error);
    if (!status) s->made_of[AXIS_T] = given_horizon(s->m);
    return status;
}

/* Makes s->m the model of the cell. A file is read again only if a parameter changes or the horizon, which limits the exploration
 * of a PRISM file. */
static vouch_status sweep_take_model(sweep *s, const cell *c, vouch_error *error)
{
    bool same = s->m != NULL;
    for (int a = AXIS_T; a < s->g.axes; a++)
        if ((s->kind || a != AXIS_P) && !grid_is_own(&s->g, a)) same = same && axis_same(c->at[a], s->made_of[a]);
    vouch_status status = same ? VOUCH_OK : make_model(s, c->at, error);
    for (int a = MODEL_AXES; a < s->g.axes && !status; a++)
        if (grid_is_within(&s->g, a)) status = vouch_model_set_within(s->m, c->at[a]);
    if (status || s->kind || vouch_model_promises(s->m) > 1) return status;
    status = vouch_model_set_horizon(s->m, (int)c->at[AXIS_T]);
    if (status) snprintf(error->text, sizeof error->text, "the model has a state without actions before T = %.0f", c->at[AXIS_T]);
    return status || isnan(c->at[AXIS_P]) ? status : vouch_model_set_probability(s->m, c->at[AXIS_P]);
}

/* The model of one cell, for T and p if they do not vary. An error of every cell is an input error. */
static void first_model(sweep *s)
{
    grid *g = &s->g;
    double at[MOST_AXES] = {0};
    const axis *T = &g->axis[AXIS_T], *p = &g->axis[AXIS_P];
    size_t models = grid_models(g);
    for (size_t i = 0; i < models; i++)
        for (size_t t = 0; t <= T->count; t++) { /* first as on the command line: a JSON file gives the rest */
            grid_model(g, i, at);
            at[AXIS_T] = t ? T->value[t - 1] : 0;
            at[AXIS_P] = t && p->count ? p->value[0] : NAN;
            vouch_status status = make_model(s, at, &cli_error);
            if (!status) return;
            if (status == VOUCH_ERROR_MEMORY || report_interrupted()) cli_fail(&cli_error);
        }
    if (g->axes > MODEL_AXES) cli_die("--vary: %s", cli_error.text);
    cli_fail(&cli_error);
}

/* Checks a generated model before it is made, and sets T and p. */
static void start_example(sweep *s)
{
    const model_args *m = &s->args->model;
    vouch_error error = {0};
    example e = example_start(s->kind);
    double p;
    const char *wrong = model_probability(m, &p);
    if (wrong) cli_die("--probability: \"%s\" is not a number between 0 and 1", wrong);
    if (m->commits.count || m->properties || m->initial.count || m->reward || m->time_to || m->minimise || m->constants.count ||
        m->fix_deadlocks || m->merge_actions || m->sample || m->state_limit)
        cli_die("--commit, --prop, --initial, --reward, --time-to, --minimise, --const, --fix-deadlocks, --merge-actions, --sample "
                "and --state-limit are for files; a file of this name is ./%s",
                s->operand);
    for (int a = MODEL_AXES; a < s->g.axes; a++)
        for (size_t i = 0; i < s->g.axis[a].count && !grid_is_own(&s->g, a); i++)
            if (example_set(&e, s->g.axis[a].name, s->g.axis[a].value[i], &error)) cli_die("--vary: %s", error.text);
    grid_default(&s->g, AXIS_T, m->horizon ? m->horizon : e.horizon);
    grid_default(&s->g, AXIS_P, isnan(p) ? e.probability : p);
}

/* The common p in all environments; NAN: p varies, or there are several promises. */
static double one_probability(const vouch_model *m)
{
    double p = vouch_model_promise_probability(m, 0, 0);
    for (int k = 1; k < vouch_model_environments(m); k++)
        if (vouch_model_promise_probability(m, 0, k) != p) return NAN;
    return vouch_model_promises(m) > 1 ? NAN : p;
}

/* Checks the options before any cell is computed, and sets T and p. 0, or the exit status after a message. */
static void sweep_start(sweep *s)
{
    if (s->kind) {
        start_example(s);
        return;
    }
    first_model(s);
    s->g.sense = vouch_model_sense(s->m);
    if (vouch_model_promises(s->m) > 1 && s->g.axis[AXIS_P].count)
        cli_die("--vary p: the model has several promises; expected p.NAME");
    grid_default(&s->g, AXIS_T, given_horizon(s->m));
    grid_default(&s->g, AXIS_P, one_probability(s->m));
}

/* ---- CSV ----------------------------------------------------------------------------------------------------------- */

static const char *sweep_value_column(vouch_objective objective, vouch_sense sense)
{
    bool weighted = objective == VOUCH_OBJECTIVE_WEIGHTED;
    if (sense == VOUCH_MINIMISE) return weighted ? "weighted_cost" : "largest_cost";
    return weighted ? "weighted_value" : "least_value";
}

static const char of_costs[] = ",sense\n"; /* the last column, "min" in each row */

static void add_header(const grid *g, text *t)
{
    text_add(t, "method");
    for (int a = 0; a < g->axes; a++) text_add(t, ",%s", g->axis[a].name);
    text_add(t, ",status");
    if (g->objective != VOUCH_OBJECTIVE_REGRET) text_add(t, ",%s", sweep_value_column(g->objective, g->sense));
    text_add(t, ",max_regret,total_regret,bound,least_commitment,seconds,run,limits%.*s", g->sense == VOUCH_MINIMISE ? 6 : 0,
             of_costs);
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

/* Writes the finished cells. NULL path: nothing. */
static vouch_status sweep_write_csv(const grid *g, const char *path, vouch_error *error)
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
        text_add(&t, ",%s,%s%s\n", g->run, c->limits, g->sense == VOUCH_MINIMISE ? ",min" : "");
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
    const char *limits = next_field(&line), *sense = g->sense == VOUCH_MINIMISE ? next_field(&line) : "min";
    bad |= !sense || strcmp(sense, "min") != 0;
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

/* Takes over the finished cells of the file, if it exists, and adds rows that are not in the grid. Returns the number of cells. */
static int sweep_read_csv(grid *g, const char *path)
{
    char *all = NULL;
    size_t length;
    if (access(path, F_OK) != 0 && errno == ENOENT) return 0;
    cli_try(file_read(path, FILE_CAP, &all, &length, &cli_error));
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
            method_add_class(&t, method->name, METHOD_ANY_LOOKAHEAD, g->objective, g->sense);
        else
            method_add_replanned(&t, method->method, method->kind == GUARDED, METHOD_ANY_LOOKAHEAD, g->objective, g->sense);
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

static void sweep_print_table(const grid *g)
{
    static const char *const figures[] = {"maximum regret", "total", "bound", "least kept", "seconds"};
    enum { FIGURES = sizeof figures / sizeof *figures };
    const char *headers[1 + MOST_AXES + 2 + FIGURES + 1] = {"<method"};
    bool valued = g->objective != VOUCH_OBJECTIVE_REGRET;
    int n = 1;
    for (int a = 0; a < g->axes; a++) headers[n++] = g->axis[a].name;
    headers[n++] = "<status";
    if (valued) headers[n++] = objective_noun(g->objective, g->sense);
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

static void sweep_print_json(const grid *g)
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
        for (int a = 0; a < g->axes; a++) js_add(&t, ", \"%s\": %g", g->axis[a].name, c->at[a]);
        text_add(&t, ", \"status\": \"%s\"", c->status);
        if (g->objective != VOUCH_OBJECTIVE_REGRET) js_add(&t, ", \"value\": %g", c->value);
        js_add(&t, ", \"max_regret\": %g, \"total_regret\": %g, \"bound\": %g, \"least_commitment\": %g, \"seconds\": %g }",
               c->regret, c->total, c->bound, c->commitment, c->seconds);
    }
    text_add(&t, " ], \"sense\": \"%s\" }\n", vouch_sense_text(g->sense));
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
    return g->objective == VOUCH_OBJECTIVE_REGRET ? "maximum regret" : objective_noun(g->objective, g->sense);
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
    qsort(point, (size_t)n, sizeof *point, ascending_reals);
    for (int i = 0; i < n; i++) {
        value[i] = point[i][0];
        value[n + i] = point[i][1];
        value[2 * n + i] = point[i][2];
    }
    *line = (plot_line){.count = n, .x = value, .y = value + n, .bound = value + 2 * n};
}

/* Draws one line for each method and combination of the other axes, along g->along; the title names the model and the fixed values.
 */
static void sweep_plot(const grid *g, const char *model, const char *path)
{
    char *done = CLI_NEW(char, g->count);
    double(*point)[3] = cli_new(g->count, sizeof *point);
    double *value = CLI_NEW(double, 3 * g->count), *next = value;
    plot_line *line = CLI_NEW(plot_line, g->count);
    text *label = CLI_NEW(text, g->count), *title = cli_text(), *t = cli_text();
    int lines = 0;
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
    cli_try(text_write(t, path, &cli_error));
}

/* ---- shards ---- */

/* Keeps only the cells of shard I of N ("I/N"): every N-th, from the I-th on, with I from 1 or from 0. */
static void sweep_take_shard(grid *g, const char *shard)
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

/* Is this a CSV file of vouch sweep? */
static bool sweep_is_table(const char *path)
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
    cli_try(file_read(path, FILE_CAP, &all, &length, &cli_error));
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
    const char *costs = strstr(all, of_costs);
    g->sense = costs && costs < strchr(all, '\n') ? VOUCH_MINIMISE : VOUCH_MAXIMISE;
    for (int o = VOUCH_OBJECTIVE_REGRET + 1; o < VOUCH_OBJECTIVES; o++) {
        const char *column = sweep_value_column((vouch_objective)o, g->sense), *behind = end + strlen(",status,");
        size_t n = strlen(column);
        if (strncmp(behind, column, n) == 0 && behind[n] == ',') g->objective = (vouch_objective)o;
    }
    char *row = strchr(end, '\n'), *row_end = row ? strchr(row + 1, '\n') : NULL;
    if (row_end) { /* run and limits end a row */
        *row_end = '\0';
        if (g->sense == VOUCH_MINIMISE && strrchr(row + 1, ',')) *strrchr(row + 1, ',') = '\0';
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

/* Reads the rows of the files. A grid without cells gets one row from each file in turn, the order of the undivided sweep if the
 * files are its shards in order. *missing: cells of the grid without a row. */
static void sweep_merge(grid *g, const char *const file[], size_t files, size_t *missing)
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

/* ---- computes the cells.
 *
 * A task is the number of a cell; its answer are the cell's status, figures and message. Cells known from others are not tasks.
 * ----
 */

/* Seconds between two writes of the CSV file if cells are computed in parallel. */
static const double WRITE_SECONDS = 1;

/* The least probability of a promise, or the mean if the only promise is on average. worst [K * promises]: under the worst error;
 * NULL: there is none. */
static void take_figures(cell *c, const vouch_model *m, const vouch_environment_figures *f, const double worst[], bool has)
{
    int K = vouch_model_environments(m);
    c->commitment = has ? INFINITY : NAN;
    if (has && vouch_model_promises(m) == 1 && vouch_model_averages(m) > 0) {
        c->commitment = figures_mean(m, 0, f, worst);
        return;
    }
    for (int i = 0; i < K * vouch_model_promises(m) && has && worst; i++) c->commitment = fmin(c->commitment, worst[i]);
    for (int k = 0; k < K && has && !worst; k++) c->commitment = fmin(c->commitment, f[k].commitment_probability);
}

static vouch_status run_plan(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_policy *policy;
    vouch_plan_result r;
    vouch_status status = vouch_plan(&policy, s->m, o, error);
    if (status) return status;
    vouch_policy_get_result(policy, &r);
    snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
    c->value = r.has_policy ? r.value : NAN;
    c->regret = r.has_policy ? r.max_regret : NAN;
    c->total = r.has_policy ? r.total_regret : NAN;
    c->bound = !c->method->proves || !isfinite(r.bound) ? NAN : r.bound;
    take_figures(c, s->m, r.figures, r.worst, r.has_policy);
    vouch_policy_free(policy);
    return VOUCH_OK;
}

static vouch_status run_groups(const sweep *s, cell *c, const vouch_plan_options *o, int policies, vouch_error *error)
{
    vouch_groups *groups;
    vouch_groups_result r;
    vouch_status status = vouch_plan_groups(&groups, s->m, o, policies, (vouch_group_promises)s->args->promises, error);
    if (status) return status;
    vouch_groups_get_result(groups, &r);
    snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
    c->regret = r.max_regret;
    c->bound = isfinite(r.bound) ? r.bound : NAN;
    c->commitment = r.groups ? INFINITY : NAN;
    for (int i = 0; i < r.groups; i++) {
        vouch_group g;
        vouch_groups_get(groups, i, &g);
        c->commitment = fmin(c->commitment, group_least_kept(&g));
    }
    vouch_groups_free(groups);
    return VOUCH_OK;
}

static vouch_status run_ccil(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_ccil *ccil;
    vouch_ccil_result r;
    vouch_ccil_options co;
    vouch_ccil_options_init(&co);
    co.plan = *o;
    co.guarded = c->method->kind == GUARDED;
    co.program_limit = s->args->program_limit;
    vouch_status status = vouch_ccil_new(&ccil, s->m, &co, error);
    if (status) return status;
    status = vouch_ccil_evaluate(ccil, error);
    if (!status) {
        vouch_ccil_get_result(ccil, &r);
        snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
        c->value = r.has_policy ? r.value : NAN;
        c->regret = r.max_regret;
        c->total = r.total_regret;
        take_figures(c, s->m, r.figures, NULL, r.has_policy);
    }
    vouch_ccil_free(ccil);
    return status;
}

/* A method without lookahead is computed once for all L: returns the earlier cell equal to c, or NULL. */
static const cell *twin_of(const sweep *s, const cell *c)
{
    if (c->method->looks_ahead) return NULL;
    for (const cell *other = s->g.cells; other < c; other++) {
        bool same = other->method == c->method;
        for (int a = AXIS_T; a < s->g.axes; a++) same = same && axis_same(other->at[a], c->at[a]);
        if (same) return other;
    }
    return NULL;
}

static void take_twin(const sweep *s, cell *c, const cell *twin)
{
    double L = c->at[AXIS_L];
    *c = *twin;
    c->at[AXIS_L] = L;
    c->seconds = s->timeless ? NAN : 0;
}

/* "milp-ccl, L = 1, T = 10, p = 0.6, K = 2" */
static void describe(const grid *g, const cell *c, text *t)
{
    char number[32];
    text_add(t, "%s", c->method->name);
    for (int a = 0; a < g->axes; a++)
        if (!isnan(c->at[a])) text_add(t, ", %s = %s", g->axis[a].name, text_number(c->at[a], number));
}

/* Computes a cell in any process; its message is stored in error. */
static void run_cell(sweep *s, cell *c, vouch_error *error)
{
    const cli_common *common = &s->args->common;
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = c->method->method;
    o.lookahead = c->method->looks_ahead ? (int)c->at[AXIS_L] : 0;
    o.threads = common->threads;
    o.seed = common->seed;
    o.limits = cli_limits_each(common);
    o.log = report_log();
    char words[192];
    text name = {0};
    describe(&s->g, c, &name);
    snprintf(words, sizeof words, "cell %zu of %zu (%zu %%), %.120s", s->at + 1, s->g.count, 100 * s->at / s->g.count,
             name.data ? name.data : "");
    text_free(&name);
    if (!spread_asked(&s->args->spread)) o.progress = plan_report, o.progress_context = words;
    deadline watch = deadline_start(&o.limits);
    double *weights = NULL;
    vouch_status status = sweep_take_model(s, c, error);
    if (!status) status = objective_take(&s->args->objective, vouch_model_environments(s->m), &o, &weights, error);
    int policies = grid_policies(&s->g, c);
    if (!status)
        status = policies                   ? run_groups(s, c, &o, policies, error)
                 : c->method->kind == PLAIN ? run_plan(s, c, &o, error)
                                            : run_ccil(s, c, &o, error);
    c->seconds = s->timeless ? NAN : clock_seconds() - watch.start;
    mem_free(weights);
    if (status)
        snprintf(c->status, sizeof c->status, "failed");
    else if (report_interrupted())
        snprintf(c->status, sizeof c->status, "interrupted");
}

/* ---- cells as tasks -------------------------------------------------------------------------------------------------------- */

enum { ANSWER_FIGURES = 5 };

/* The figures in an answer. Returns their number. */
static int answer_figures(const grid *g, cell *c, double *place[ANSWER_FIGURES])
{
    place[0] = &c->regret;
    place[1] = &c->total;
    place[2] = &c->bound;
    place[3] = &c->commitment;
    place[4] = &c->value;
    return g->objective == VOUCH_OBJECTIVE_REGRET ? 4 : ANSWER_FIGURES;
}

static vouch_status open_cells(void *shared, void **own)
{
    *own = shared;
    return VOUCH_OK;
}

static void close_cells(void *own) { (void)own; }

static vouch_status work_out(void *own, message *task, message *answer)
{
    sweep *s = own;
    vouch_error error = {0};
    double *place[ANSWER_FIGURES];
    cell c = s->g.cells[message_take_count(task, 0, (long long)s->g.count - 1)];
    run_cell(s, &c, &error);
    message_put_text(answer, c.status);
    int figures = answer_figures(&s->g, &c, place);
    for (int i = 0; i < figures; i++) message_put_real(answer, *place[i]);
    message_put_real(answer, c.seconds);
    message_put_text(answer, error.text);
    return VOUCH_OK;
}

static void take_answer(sweep *s, cell *c, message *answer)
{
    double *place[ANSWER_FIGURES];
    int figures = answer_figures(&s->g, c, place);
    char wrong[sizeof((vouch_error *)0)->text];
    message_take_text(answer, c->status, sizeof c->status);
    for (int i = 0; i < figures; i++) *place[i] = message_take_real(answer);
    c->seconds = message_take_real(answer);
    message_take_text(answer, wrong, sizeof wrong);
    if (strcmp(c->status, "failed") != 0) return;
    text name = {0};
    describe(&s->g, c, &name);
    report_clear();
    cli_wrong("%s: %s", name.failed ? "a cell" : name.data, wrong);
    text_free(&name);
}

/* A run over the cells. */
typedef struct cell_run {
    sweep *s;
    tasks *t;
    const char *csv;
    size_t next; /* cell to be given */
    double written;
    bool lost; /* the file cannot be written, which has been reported */
} cell_run;

/* Gives out cells while there is room. */
static vouch_status give_cells(cell_run *r)
{
    const grid *g = &r->s->g;
    vouch_status status = VOUCH_OK;
    for (; r->next < g->count && tasks_room(r->t) && !status && !report_interrupted(); r->next++) {
        const cell *c = &g->cells[r->next];
        if (c->status[0] || twin_of(r->s, c)) continue;
        message *m = tasks_next_task(r->t);
        message_put_int(m, (long long)r->next);
        status = tasks_give(r->t);
    }
    return status;
}

static vouch_status finish_cell(cell_run *r, size_t i)
{
    sweep *s = r->s;
    cell *c = &s->g.cells[i];
    const cell *twin = twin_of(s, c);
    vouch_error error = {0};
    message *answer;
    text name = {0};
    s->at = i;
    describe(&s->g, c, &name);
    if (!name.failed) report_live("cell %zu of %zu (%zu %%): %s", i + 1, s->g.count, 100 * i / s->g.count, name.data);
    text_free(&name);
    if (twin)
        take_twin(s, c, twin);
    else {
        vouch_status status = tasks_take(r->t, &answer);
        if (status == VOUCH_ERROR_MEMORY || (!status && !answer)) return status;
        message ended = {0};
        if (status) { /* it killed its workers repeatedly */
            message_put_text(&ended, "failed");
            double *place[ANSWER_FIGURES];
            int reals = answer_figures(&s->g, c, place) + 1; /* with the seconds */
            for (int j = 0; j < reals; j++) message_put_real(&ended, NAN);
            message_put_text(&ended, "every process that computed it died");
            answer = &ended;
        }
        take_answer(s, c, answer);
        if (!status && strcmp(c->status, "interrupted") != 0) tasks_keep(r->t);
        message_free(&ended);
    }
    double now = clock_seconds();
    if (r->lost || (s->timeless && now - r->written < WRITE_SECONDS)) return VOUCH_OK;
    r->written = now;
    r->lost = sweep_write_csv(&s->g, r->csv, &error) != VOUCH_OK;
    if (r->lost) (void)cli_failed(&error);
    return VOUCH_OK;
}

/* Computes the remaining cells. 0, or the exit status after a message; if the CSV file can no longer be written, the other cells
 * are still computed, for the table. */
static int sweep_run_cells(sweep *s, const char *csv, struct vouch_journal *journal)
{
    static const task_work kind = {.open = open_cells, .run = work_out, .close = close_cells};
    int workers = group_workers() > 0 ? group_workers() : s->args->spread.workers;
    task_work work = kind;
    task_places places = {.workers = workers, .window = workers > 0 ? 2 * workers : 1, .journal = journal};
    vouch_limits limits = cli_limits_each(&s->args->common);
    limits.seconds = 0;
    deadline limit = deadline_start(&limits);
    vouch_error error = {0};
    cell_run r = {.s = s, .csv = csv};
    message last = {0};
    work.shared = s;
    places.kind = message_sum(s->g.run, strlen(s->g.run));
    if (group_is_worker()) {
        (void)group_serve(places.kind, &work, &last);
        message_free(&last);
        return CLI_SOLVED;
    }
    vouch_status status = tasks_new(&r.t, &work, &places, &limit);
    for (size_t i = 0; i < s->g.count && !status && !report_interrupted(); i++) {
        if (s->g.cells[i].status[0]) continue;
        status = give_cells(&r);
        if (!status && !report_interrupted()) status = finish_cell(&r, i);
    }
    vouch_log log = report_log();
    if (r.t) tasks_log(r.t, &log);
    tasks_free(r.t);
    group_finish(places.kind, &last);
    report_clear();
    if (status) return cli_wrong("out of memory");
    return sweep_write_csv(&s->g, csv, &error) ? cli_failed(&error) : 0; /* once more: there may be room again */
}

#define AT(field) offsetof(sweep_args, field)
static const cli_option options[] = {
    {CLI_LIST, 0, "vary", "NAME=VALUES", AT(vary), NULL,
     .help =
         "values of L, T, p, policies (size of the portfolio), within (error of probabilities) or a parameter of the model: lo:hi, "
         "lo:hi:step or v1,v2; repeatable"},
    {CLI_INT, 'L', "lookahead", "N", AT(lookahead), "0", 0, INT_MAX,
     .help = "lookahead: steps after which the policy learns nothing more about the environment, 0 to T, where --vary has no L"},
    {CLI_TEXT, 'm', "method", "M,..", AT(method), "milp-ccl", .help = "methods, with or without replanning",
     .list = sweep_method_words},
    {CLI_WORD, 0, "promises", "WHOSE", AT(promises), "own", .words = GROUP_PROMISE_WORDS,
     .help = "--vary policies: each policy keeps the promises of its own environments, or of all"},
    OBJECTIVE_OPTIONS(sweep_args),
    {CLI_OUTPUT, 0, "csv", "F.csv", AT(csv), NULL, .help = "write the cells"},
    {CLI_OUTPUT, 0, "resume", "F.csv", AT(spread.resume), NULL,
     .help = "reuse the finished cells of this file, and write it; or continue from a journal"},
    {CLI_WORD, 0, "retry", "W", AT(retry), "none", .words = "none|limit", .help = "--resume: recompute rows that ended at a limit"},
    {CLI_OUTPUT, 0, "plot", "F.svg", AT(plot), NULL, .help = "draw the maximum regret, or the value of the objective"},
    {CLI_LONG, 0, "program-limit", "N", AT(program_limit), "100000", 0, 9e18,
     .help = "CCIL: maximum number of plans of a cell; 0: no limit"},
    SPREAD_OPTIONS(sweep_args),
    {CLI_TEXT, 0, "shard", "I/N", AT(shard), NULL, .help = "compute only every N-th cell, from the I-th on"},
    {CLI_FILE, 0, "merge", "F.csv", AT(merge), NULL, .help = "compute nothing; merge this file and the operands"},
    MODEL_OPTIONS(sweep_args),
    {0},
};
#undef AT

/* Is every cell, including those of earlier runs, proved, or of a method without bounds? */
static bool all_settled(const grid *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const cell *c = &g->cells[i];
        bool settled = strcmp(c->status, "optimal") == 0 || strcmp(c->status, "infeasible") == 0;
        if (!settled && (c->method->proves || strcmp(c->status, "failed") == 0)) return false;
    }
    return true;
}

/* Fingerprints of the rows and of the limits. Limits are separate, as they change only the rows that end at them. */
static void mark_grid(sweep *s)
{
    const sweep_args *args = s->args;
    fingerprint f = fingerprint_start();
    char seed[32], seconds[32];
    snprintf(seed, sizeof seed, "%" PRIu64, args->common.seed);
    fingerprint_add(&f, vouch_version());
    fingerprint_add(&f, seed);
    fingerprint_add_number(&f, args->model.reward_tolerance);
    if (args->promises) fingerprint_add_number(&f, args->promises);
    if (s->g.objective != VOUCH_OBJECTIVE_REGRET) {
        fingerprint_add(&f, vouch_objective_text(s->g.objective));
        fingerprint_add(&f, args->objective.weights);
    }
    if (s->kind)
        fingerprint_add(&f, s->operand);
    else
        cli_try(fingerprint_add_model(&f, &args->model, s->operand, &cli_error));
    fingerprint_text(&f, s->g.run);
    snprintf(s->g.limits, sizeof s->g.limits, "seconds=%s plans=%lld", text_number(args->common.time_limit, seconds),
             args->program_limit);
    s->g.retry_limits = args->retry;
}

/* The mark of the journal: the grid, cell by cell. */
static void mark_journal(const sweep *s, char out[FINGERPRINT])
{
    fingerprint f = fingerprint_start();
    fingerprint_add(&f, "sweep");
    fingerprint_add(&f, s->g.run);
    fingerprint_add(&f, s->g.limits);
    for (size_t i = 0; i < s->g.count; i++) {
        fingerprint_add(&f, s->g.cells[i].method->name);
        for (int a = 0; a < s->g.axes; a++) fingerprint_add_number(&f, s->g.cells[i].at[a]);
    }
    fingerprint_text(&f, out);
}

/* Refuses a single value if the axis has values. */
static void refuse_idle_values(const sweep *s)
{
    double p;
    bool named = !model_probability(&s->args->model, &p) && isnan(p); /* -p NAME=P alone is given */
    bool several = false;
    for (int a = MODEL_AXES; a < s->g.axes; a++) several = several || grid_is_policies(&s->g, a);
    const cli_need needs[] = {{"promises", several, "--vary policies"},
                              {"lookahead", s->g.axis[AXIS_L].count == 0, "beside --vary L: leave one of them out"},
                              {"horizon", s->g.axis[AXIS_T].count == 0, "beside --vary T: leave one of them out"},
                              {"probability", named || s->g.axis[AXIS_P].count == 0, "beside --vary p: leave one of them out"}};
    cli_refuse_idle(needs, sizeof needs / sizeof *needs);
}

/* The cells of the grid, or of the files that are merged. */
static void make_cells(sweep *s, const char *const file[], size_t files, size_t *missing)
{
    const sweep_args *args = s->args;
    for (size_t i = 0; i < args->vary.count; i++) grid_read_axis(&s->g, args->vary.item[i]);
    refuse_idle_values(s);
    if (s->operand) {
        sweep_start(s);
        if (s->m) objective_set(&args->objective, s->m, &(vouch_plan_options){0}); /* only to check the weights */
        grid_default(&s->g, AXIS_L, args->lookahead);
        mark_grid(s);
        grid_make(&s->g, args->method);
    } else if (args->vary.count) {
        cli_die("--merge: --vary needs the model of the cells, whose order it gives");
    } else if (cli_given("objective")) {
        cli_die("--merge: the files contain their --objective");
    }
    if (args->shard) sweep_take_shard(&s->g, args->shard);
    if (files) sweep_merge(&s->g, file, files, missing);
}

/* Reads the file or journal of --resume. *csv: the file to write. */
static vouch_journal *take_up(sweep *s, const char **csv)
{
    const sweep_args *args = s->args;
    const char *resume = s->spread.resume ? NULL : args->spread.resume;
    char mark[FINGERPRINT];
    int kept = resume && !group_is_worker() ? sweep_read_csv(&s->g, resume) : 0; /* the first process chooses the cells */
    if (kept && !args->common.quiet) fprintf(stderr, "%d finished cells reused from %s\n", kept, resume);
    mark_journal(s, mark);
    *csv = resume ? resume : args->csv;
    return spread_open(&s->spread, mark);
}

/* Refuses contradictory options. */
static void check_options(const sweep_args *args, int operands)
{
    const char *resume = args->spread.resume;
    if (!args->merge && operands != 1)
        cli_die("%s: expected %s; see vouch sweep --help", operands < 1 ? "something is missing" : "too many arguments",
                cli_sweep.operands);
    if (args->retry && !resume) cli_die("--retry needs --resume");
    if (args->objective.weights && args->objective.objective != VOUCH_OBJECTIVE_WEIGHTED)
        cli_die("--weights has no effect without --objective weighted");
    if (args->csv && resume && access(resume, F_OK) == 0 && sweep_is_table(resume)) cli_die("--csv and --resume: give one file");
    if (args->merge && (args->shard || resume || args->spread.journal || cli_given("workers")))
        cli_die("--merge computes nothing: --shard, --workers, --journal and --resume have no effect");
}

/* The files to merge and the model among the operands. */
static const char **name_files(sweep *s, char **operand, int operands, size_t *files)
{
    const char **file = CLI_NEW(const char *, operands + 1);
    bool model = operands > 0 && !(s->args->merge && sweep_is_table(operand[0]));
    if (model) s->operand = operand[0];
    if (model) s->kind = example_find(operand[0]);
    if (s->args->merge) file[(*files)++] = s->args->merge;
    for (int i = model; i < operands; i++) file[(*files)++] = operand[i];
    return file;
}

static void show(const sweep *s)
{
    const sweep_args *args = s->args;
    if (args->common.json)
        sweep_print_json(&s->g);
    else
        sweep_print_table(&s->g);
    if (!args->plot) return;
    const char *name = s->m && !s->kind ? vouch_model_name(s->m) : s->operand;
    sweep_plot(&s->g, name && name[0] ? name : "sweep", args->plot);
}

static void free_sweep(void *object)
{
    sweep *s = object;
    grid_free(&s->g);
    vouch_model_free(s->m);
}

static int run(void *arguments, char **operand)
{
    const sweep_args *args = arguments;
    int operands = 0, code = CLI_SOLVED;
    while (operand[operands]) operands++;
    sweep *s = CLI_NEW(sweep, 1);
    s->args = args;
    s->spread = args->spread;
    if (!args->csv && s->spread.resume && !vouch_journal_is(s->spread.resume)) s->spread.resume = NULL; /* a file of rows */
    s->timeless = spread_asked(&s->spread) || args->shard;
    grid_init(&s->g);
    cli_own(free_sweep, s);
    s->g.objective = (vouch_objective)args->objective.objective;
    size_t files = 0, missing = 0;
    vouch_error error = {0};
    const char *csv = args->csv, **file = name_files(s, operand, operands, &files);
    check_options(args, operands);
    make_cells(s, file, files, &missing);
    if (files) {
        if (sweep_write_csv(&s->g, csv, &error)) code = cli_failed(&error);
    } else {
        vouch_journal *journal = take_up(s, &csv);
        code = sweep_run_cells(s, csv, journal);
    }
    if (!group_is_worker()) show(s);
    if (missing) report_note("%zu cells are in none of the files", missing);
    if (code) return code;
    return report_interrupted() ? CLI_INTERRUPTED : all_settled(&s->g) ? CLI_SOLVED : CLI_LIMIT;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .operands = "MODEL|" EXAMPLE_KINDS,
    .more_operands = INT_MAX,
    .summary = "a table and picture over L, T, p, methods and parameters of the model",
    .text = "Each combination of values is a cell: a plan, or the exact evaluation of replanning (CCIL). --time-limit applies to "
            "each cell. The CSV file is written as cells are finished; --resume reuses the finished cells of a file made with the "
            "same model, seed and options. Exit status 3 if a cell failed or was not proved optimal.\n\n--workers N shares the "
            "cells among N processes of this machine. Alternatively each --shard I/N is a separate run, on any machine, and "
            "--merge F1 F2 .. joins the CSV files of all shards: in the order of the grid if MODEL and --vary are given, else one "
            "row from each file in turn. The output is byte-identical to a run with --workers 0; seconds are omitted. A worker "
            "that dies is replaced. --resume also accepts a journal (--journal).\n\nParameters of the model: if MODEL names a kind "
            "of vouch generate, --vary accepts h, u, d, K and slip of t-maze; S, A, K, B, shared and seed of random; S, A, K and "
            "seed of random-dense; K, C and seed of machine-repair; A, K and seed of adaptive. p.NAME is the probability of "
            "promise NAME of a file. For a PRISM file or sketch it accepts each open constant by name (const:NAME if the name is "
            "L, T or p), with a model for every value; constants given with --const span the environments. The horizontal axis of "
            "the picture is the first --vary with several values.",
    .examples = "vouch sweep maze.json --vary L=0:3 --method milp-ccl,history --plot L.svg\n"
                "vouch sweep t-maze --vary slip=0.5:0.9:0.1 --vary K=1,2 --csv slip.csv\n"
                "vouch sweep corridor.json --vary p.safe=0.5:0.9:0.2 --plot safe.svg\n"
                "vouch sweep maze.json --vary p=0.1:0.5:0.1 --shard 1/2 --csv 1.csv\n"
                "vouch sweep maze.json --vary p=0.1:0.5:0.1 --shard 2/2 --csv 2.csv\n"
                "vouch sweep --merge 1.csv 2.csv --csv all.csv\n",
    .options = options,
    .size = sizeof(sweep_args),
    .run = run,
};
