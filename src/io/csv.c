/* io/csv.c - multi-model CSV: one row (state, action, model, next state, probability, reward), numbers for names.
 *
 *   "idstatefrom","idaction","idoutcome","idstateto","probability","reward"
 *
 * The columns may be in any order, quoted or not; idoutcome is the number of the model (environment), and without it there is
 * one; without reward all rewards are 0. Rewards may depend on the next state. This is the format of CRAAM and CADP for
 * "multi-model MDPs". The initial state is in a companion file, "idstate","probability"; vouch plans from one state, so one row
 * must hold all probability. Without companion state 0 begins.
 *
 * Numbers may have gaps: the file has only the states, actions and models that it names, in ascending order, and their numbers are
 * their names.
 */

#include "io/formats.h"
#include "mdp/model.h"

enum { FROM, ACTION, MODEL, TO, PROBABILITY, REWARD, COLUMNS };
static const char *const column_name[COLUMNS] = {"idstatefrom", "idaction", "idoutcome", "idstateto", "probability", "reward"};
enum { INITIAL_STATE, INITIAL_PROBABILITY, INITIAL_COLUMNS };
static const char *const initial_name[INITIAL_COLUMNS] = {"idstate", "probability"};
enum { FIELD_CAP = 64, FIELD_LETTERS = 64, NUMBER_CAP = 10000000 };

typedef struct table {
    const char *name;
    escape *e;
    const char *at, *end;
    int line;
    int column[COLUMNS]; /* where it stands, -1: nowhere */
    int width;
} table;

static _Noreturn void fail(const table *t, const char *what, const char *found)
{
    escape_found(t->e, t->name, t->line, what, found);
}

/* Splits the next line that is not blank; *count fields, -1 at the end of the file. */
static void next_line(table *t, char field[FIELD_CAP][FIELD_LETTERS], int *count)
{
    *count = -1;
    CHECK(t->at <= t->end);
    while (t->at < t->end) {
        const char *stop = memchr(t->at, '\n', (size_t)(t->end - t->at)), *s = t->at;
        if (!stop) stop = t->end;
        t->line++;
        t->at = stop < t->end ? stop + 1 : t->end;
        while (stop > s && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t')) stop--;
        if (s == stop || *s == '#') continue;
        for (*count = 0; s <= stop; ++*count) {
            const char *comma = memchr(s, ',', (size_t)(stop - s)), *last = comma ? comma : stop, *next = last + 1;
            while (s < last && (*s == ' ' || *s == '\t')) s++;
            while (last > s && (last[-1] == ' ' || last[-1] == '\t')) last--;
            if (last - s >= 2 && *s == '"' && last[-1] == '"') {
                s++;
                last--;
            }
            if (*count >= FIELD_CAP) fail(t, "too many columns", NULL);
            if (last - s >= FIELD_LETTERS) fail(t, "a field is too long", NULL);
            memcpy(field[*count], s, (size_t)(last - s));
            field[*count][last - s] = '\0';
            s = next;
        }
        return;
    }
}

/* Finds out where each of `columns` columns stands. */
static void read_head(table *t, int columns, const char *const known[], const char *expected)
{
    char field[FIELD_CAP][FIELD_LETTERS];
    next_line(t, field, &t->width);
    if (t->width < 0) {
        t->line = 1;
        fail(t, "the file is empty; expected a line of column names", NULL);
    }
    for (int c = 0; c < columns; c++) t->column[c] = -1;
    for (int i = 0; i < t->width; i++) {
        int c = 0;
        while (c < columns && strcmp(field[i], known[c]) != 0) c++;
        if (c == columns) fail(t, expected, field[i]);
        if (t->column[c] >= 0) fail(t, "the column is given twice", field[i]);
        t->column[c] = i;
    }
}

static void read_model_head(table *t)
{
    static const int needed[] = {FROM, ACTION, TO, PROBABILITY};
    read_head(t, COLUMNS, column_name,
              "expected the names of columns idstatefrom, idaction, idoutcome, idstateto, probability, reward");
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (t->column[needed[i]] < 0)
            fail(t, "a column is missing: expected idstatefrom, idaction, idstateto and probability", NULL);
}

static int read_number(const table *t, const char *field, const char *what)
{
    char *end;
    double x = number_read(field, &end);
    char expected[96];
    format_text(expected, sizeof expected, "%s: expected a whole number from 0 to %d", what, NUMBER_CAP);
    if (end == field || *end || !(x >= 0 && x <= NUMBER_CAP) || x != floor(x)) fail(t, expected, field);
    return (int)x;
}

static double read_real(const table *t, const char *field, const char *what, double low, double high)
{
    char *end;
    double value = number_read(field, &end);
    if (end == field || *end || !(value >= low && value <= high)) fail(t, what, field);
    return value;
}

static double read_probability(const table *t, const char *field)
{
    return read_real(t, field, "probability: expected a number between 0 and 1", 0, 1 + MODEL_SUM_TOLERANCE);
}

/* ---- numbers with gaps ---------------------------------------------------------------------------------------- */

typedef struct number_set {
    ESCAPE_ARRAY(int, item); /* ascending and each once after sort_once */
} number_set;

typedef struct csv_numbers {
    number_set states, actions, models;
} csv_numbers;

/* Neighbouring rows mostly name the same. */
static void add_number(escape *e, number_set *s, int number)
{
    if (s->item_count == 0 || s->item[s->item_count - 1] != number) ESCAPE_PUSH(e, s, item, number);
}

static void sort_once(number_set *s)
{
    size_t kept = 0;
    if (s->item_count > 1) qsort(s->item, s->item_count, sizeof *s->item, ascending_ints);
    for (size_t i = 0; i < s->item_count; i++)
        if (i == 0 || s->item[i] != s->item[i - 1]) s->item[kept++] = s->item[i];
    s->item_count = kept;
}

/* Its place among the numbers; -1: it is none of them. */
static int place_of(const number_set *s, int number)
{
    const int *found = s->item_count ? bsearch(&number, s->item, s->item_count, sizeof number, ascending_ints) : NULL;
    return found ? (int)(found - s->item) : -1;
}

static void name_all(mdp_family *f, const csv_numbers *n)
{
    char name[32];
    f->state_name = ESCAPE_ZERO(f->e, char *, f->S);
    f->env_name = ESCAPE_ZERO(f->e, char *, f->K);
    for (int s = 0; s < f->S; s++) {
        format_text(name, sizeof name, "%d", n->states.item[s]);
        f->state_name[s] = escape_string(f->e, name);
    }
    for (int k = 0; k < f->K; k++) {
        format_text(name, sizeof name, "model%d", n->models.item[k]);
        f->env_name[k] = escape_string(f->e, name);
    }
    for (size_t a = 0; a < n->actions.item_count; a++) {
        format_text(name, sizeof name, "%d", n->actions.item[a]);
        family_action(f, name);
    }
}

/* The rows speak of places from now on. */
static void close_gaps(mdp_family *f, csv_numbers *n)
{
    sort_once(&n->states);
    sort_once(&n->actions);
    sort_once(&n->models);
    for (size_t i = 0; i < f->row_count; i++) {
        model_row *r = &f->rows[i];
        r->env = place_of(&n->models, r->env);
        r->state = place_of(&n->states, r->state);
        r->action = place_of(&n->actions, r->action);
        r->next = place_of(&n->states, r->next);
    }
    f->S = (int)n->states.item_count;
    f->K = (int)n->models.item_count;
}

/* The next line with as many fields as the first; false: there is none. */
static bool next_row(table *t, char field[FIELD_CAP][FIELD_LETTERS])
{
    int width;
    next_line(t, field, &width);
    if (width >= 0 && width != t->width) fail(t, "this line has not as many fields as the first", NULL);
    return width >= 0;
}

static void read_rows(table *t, mdp_family *f, csv_numbers *n)
{
    char field[FIELD_CAP][FIELD_LETTERS];
    const int *at = t->column;
    while (next_row(t, field)) {
        int from = read_number(t, field[at[FROM]], "idstatefrom"), action = read_number(t, field[at[ACTION]], "idaction");
        int to = read_number(t, field[at[TO]], "idstateto");
        int model = at[MODEL] >= 0 ? read_number(t, field[at[MODEL]], "idoutcome") : 0;
        double p = read_probability(t, field[at[PROBABILITY]]);
        double reward = at[REWARD] >= 0 ? read_real(t, field[at[REWARD]], "reward: expected a number", -1e300, 1e300) : 0;
        add_number(f->e, &n->states, from);
        add_number(f->e, &n->states, to);
        add_number(f->e, &n->actions, action);
        add_number(f->e, &n->models, model);
        family_add_row(f, (model_row){model, from, action, to, p, reward, 0});
    }
}

/* The companion that names it, initial.csv or initial.csv.gz beside the file `path`; empty when there is none. */
static void csv_initial_path(const char *path, text *found)
{
    static const char *const companion[] = {"initial.csv", "initial.csv.gz"};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof companion / sizeof *companion; i++) {
        found->length = 0;
        if (slash) text_add_bytes(found, path, (size_t)(slash + 1 - path));
        text_add(found, "%s", companion[i]);
        if (found->failed || disk_kind_of(found->data) != DISK_NOTHING) return;
    }
    found->length = 0;
}

typedef struct initial_reading {
    table t;
    const file_content *file;
    initial_list *list;
} initial_reading;

static void read_initial_states(void *object)
{
    initial_reading *r = object;
    table *t = &r->t;
    initial_list *list = r->list;
    char field[FIELD_CAP][FIELD_LETTERS];
    double found = 0;
    must(t->e, file_check_text(r->file, t->e->error));
    read_head(t, INITIAL_COLUMNS, initial_name, "expected the names of columns idstate, probability");
    if (t->width < INITIAL_COLUMNS) fail(t, "a column is missing: expected idstate and probability", NULL);
    while (next_row(t, field)) {
        int s = read_number(t, field[t->column[INITIAL_STATE]], "idstate");
        double p = read_probability(t, field[t->column[INITIAL_PROBABILITY]]);
        if (p == 0) continue;
        size_t i = 0;
        while (i < list->count && list->item[i].state != s) i++;
        must_count(t->e, MEM_RESERVE(&list->item, &list->capacity, list->count));
        if (i == list->count) list->item[list->count++] = (initial_state){s, 0, t->line};
        list->item[i].p += p;
        found += p;
    }
    if (!(fabs(found - 1) <= MODEL_SUM_TOLERANCE)) fail(t, "expected probabilities that sum to 1", NULL);
}

vouch_status csv_initial_parse(initial_list *list, const file_content *file, vouch_error *error)
{
    escape e = {.error = error};
    initial_reading r = {{.name = file->name, .e = &e, .at = file->bytes, .end = file->bytes + file->length}, file, list};
    return escape_run(&e, read_initial_states, &r);
}

static void spread_initial(mdp_family *f, const csv_numbers *n, const initial_list *initial)
{
    f->initial = place_of(&n->states, initial && initial->count > 0 ? initial->item[0].state : 0);
    if (!initial || initial->count < 2) return;
    f->first = ESCAPE_ZERO(f->e, double, (size_t)f->K *(size_t)f->S);
    for (size_t i = 0; i < initial->count; i++)
        for (int k = 0; k < f->K; k++)
            f->first[(size_t)k * (size_t)f->S + (size_t)place_of(&n->states, initial->item[i].state)] = initial->item[i].p;
}

typedef struct csv_reading {
    table t;
    mdp_family f;
    csv_numbers n;
    const file_content *file;
    const initial_list *initial;
} csv_reading;

static void check_sizes(const csv_reading *r)
{
    const mdp_family *f = &r->f;
    const initial_list *initial = r->initial;
    long long limit = f->source->state_limit;
    if (limit > 0 && (f->S > limit || f->K > limit || r->n.actions.item_count > (size_t)limit))
        escape_fail(f->e, VOUCH_ERROR_SIZE, "%s: more than %lld states, actions or models", f->path, limit);
    for (size_t i = 0; initial && i < initial->count; i++)
        if (place_of(&r->n.states, initial->item[i].state) < 0)
            escape_at(f->e, initial->file ? initial->file : f->path, initial->item[i].line,
                      "the initial state is %d, which %.200s does not name", initial->item[i].state, f->path);
}

static void read_csv(void *object)
{
    csv_reading *r = object;
    mdp_family *f = &r->f;
    r->t.e = f->e;
    must(f->e, file_check_text(r->file, f->e->error));
    read_model_head(&r->t);
    read_rows(&r->t, f, &r->n);
    if (f->row_count == 0) fail(&r->t, "there is no row", NULL);
    close_gaps(f, &r->n);
    check_sizes(r);
    name_all(f, &r->n);
    if (f->source->reward || f->source->time_to)
        escape_fail(f->e, VOUCH_ERROR_INPUT,
                    "%s: a CSV file has neither labels nor named rewards: --reward and --time-to have no meaning", f->path);
    family_check_source(f);
    family_promises(f, NULL);
    spread_initial(f, &r->n, r->initial);
    family_initial(f);
    if (f->initial < 0)
        escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: there is no state 0, where a file without initial.csv begins", f->path);
    family_finish(f);
}

vouch_status csv_model_parse(vouch_model **model, const file_content *file, const initial_list *initial, const vouch_source *source,
                             vouch_error *error)
{
    csv_reading r = {.t = {.name = file->name, .at = file->bytes, .end = file->bytes + file->length},
                     .f = {.path = file->name, .source = source},
                     .file = file,
                     .initial = initial};
    return family_read(&r.f, read_csv, &r, model, error);
}

vouch_status csv_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    initial_list initial = {0};
    text companion = {0};
    file_content file = {0}, first = {0};
    csv_initial_path(path, &companion);
    vouch_status status = companion.failed ? error_memory(error) : VOUCH_OK;
    if (!status && companion.length > 0 && !(status = file_load(&first, companion.data, error)))
        status = csv_initial_parse(&initial, &first, error);
    initial.file = companion.data;
    if (!status) status = file_load(&file, path, error);
    if (!status) status = csv_model_parse(model, &file, &initial, source, error);
    file_unload(&first);
    file_unload(&file);
    mem_free(initial.item);
    text_free(&companion);
    return status;
}

vouch_status csv_model_files(names *list, const char *path, vouch_error *error)
{
    text companion = {0};
    csv_initial_path(path, &companion);
    bool added = !companion.failed && names_add(list, path) >= 0 && (companion.length == 0 || names_add(list, companion.data) >= 0);
    text_free(&companion);
    return added ? VOUCH_OK : error_memory(error);
}

void csv_model_write(const vouch_model *model, text *t)
{
    const vouch_model *m = model_user(model);
    char p[32], r[32];
    text_add(t, "idstatefrom,idaction,idoutcome,idstateto,probability,reward\n");
    for (int s = 0; s < m->S; s++)
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
            for (int k = 0; k < m->K; k++)
                for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) {
                    int to = reading_csv_state(m, m->env[k].next[o]), from = reading_csv_state(m, s);
                    text_add(t, "%d,%d,%d,%d,%s,%s\n", from, m->pair_action[q], k, to, text_number(m->env[k].prob[o], p),
                             text_number(model_given(m, m->env[k].reward[o]), r));
                }
}

vouch_status csv_model_export(const vouch_model *model, const char *path, vouch_error *error)
{
    text t = {0}, companion = {0};
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    csv_initial_path(path, &companion);
    csv_model_write(model, &t);
    vouch_status status = companion.failed ? error_memory(error) : VOUCH_OK;
    if (model_user(model)->first)
        status = error_set(error, VOUCH_ERROR_INPUT,
                           "%s: this model may begin in several states, and a CSV file begins in one; JSON files hold both", path);
    else if (strncmp(base, "initial.csv", strlen("initial.csv")) == 0)
        status = error_set(error, VOUCH_ERROR_INPUT,
                           "%s: a file of this name is where the initial state of a CSV model is read from; choose another", path);
    else if (companion.length > 0)
        status = error_set(error, VOUCH_ERROR_INPUT,
                           "%s: %s lies beside it and would be read as its initial state, which is 0 in the file written", path,
                           companion.data);
    if (!status) status = text_write(&t, path, error);
    text_free(&companion);
    text_free(&t);
    return status;
}
