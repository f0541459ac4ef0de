/* cli/sweep_grid.c - axes and cells of a sweep. */
#include "cli/sweep.h"

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

const sweep_method *sweep_find_method(const char *name, size_t length)
{
    size_t count;
    const sweep_method *all = methods(&count);
    for (size_t i = 0; i < count; i++)
        if (strlen(all[i].name) == length && strncmp(all[i].name, name, length) == 0) return &all[i];
    return NULL;
}

const char *sweep_method_words(void)
{
    static char words[512];
    size_t count, n = 0;
    const sweep_method *all = methods(&count);
    for (size_t i = 0; i < count && n < sizeof words; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? "|" : "", all[i].name);
    return words;
}

bool cell_at_limit(const cell *c)
{
    return c->method->proves && (strcmp(c->status, "limit") == 0 || strcmp(c->status, "feasible") == 0);
}

void grid_init(grid *g)
{
    *g = (grid){.axes = MODEL_AXES, .along = -1};
    strcpy(g->axis[AXIS_L].name, "L");
    strcpy(g->axis[AXIS_T].name, "T");
    strcpy(g->axis[AXIS_P].name, "p");
}

void grid_free(grid *g)
{
    for (int a = 0; a < g->axes; a++) mem_free(g->axis[a].value);
    mem_free(g->cells);
}

static void add_value(axis *a, double x)
{
    if (a->count >= MOST_VALUES) cli_die("--vary: more than %d values", MOST_VALUES);
    if (mem_reserve((void **)&a->value, &a->capacity, a->count, sizeof *a->value)) cli_die("out of memory");
    a->value[a->count++] = x;
}

void grid_default(grid *g, int which, double value)
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

void grid_read_axis(grid *g, const char *given)
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
    bool policies = grid_is_policies(g, which);
    for (size_t i = 0; i < a->count && (which < MODEL_AXES || policies); i++) {
        double x = a->value[i];
        bool fine = which == AXIS_P ? x >= 0 && x <= 1 : x == floor(x) && x >= (which == AXIS_T || policies) && x <= 1e9;
        if (!fine) cli_die("--vary: %g is not a value of %s", x, a->name);
    }
    if (g->along < 0 && a->count > 1) g->along = which;
}

bool grid_is_policies(const grid *g, int which) { return strcmp(g->axis[which].name, AXIS_POLICIES) == 0; }

int grid_policies(const grid *g, const cell *c)
{
    for (int a = MODEL_AXES; a < g->axes; a++)
        if (grid_is_policies(g, a)) return (int)c->at[a];
    return 0;
}

size_t grid_models(const grid *g)
{
    double n = 1;
    for (int a = MODEL_AXES; a < g->axes; a++) n *= (double)g->axis[a].count;
    return n > MOST_CELLS ? MOST_CELLS + 1 : (size_t)n;
}

void grid_model(const grid *g, size_t i, double at[])
{
    for (int a = g->axes - 1; a >= MODEL_AXES; a--) {
        at[a] = g->axis[a].value[i % g->axis[a].count];
        i /= g->axis[a].count;
    }
}

cell *grid_add(grid *g, const sweep_method *method, const double at[])
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

void grid_make(grid *g, const char *list)
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
