/* io/csv.c - multi-model CSV: one row (state, action, model, next state, probability, reward), numbers for names.
 *
 *   "idstatefrom","idaction","idoutcome","idstateto","probability","reward"
 *
 * The columns may stand in any order, quoted or not; idoutcome is the number of the model (environment), and without it there is
 * one; without reward all rewards are 0. Rewards may depend on the next state. This is the format of CRAAM and CADP for
 * "multi-model MDPs". The initial state stands in a companion, "idstate","probability"; vouch plans from one state, so one row
 * must hold all probability. Without companion state 0 begins.
 *
 * Numbers may have gaps: the states, actions and models of the file are those that it names, in ascending order, under their
 * numbers as names.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/disk.h"
#include "io/family.h"
#include "mdp/join.h"
#include "io/formats.h"
#include "io/file.h"
#include "io/reading.h"

enum { FROM, ACTION, MODEL, TO, PROBABILITY, REWARD, COLUMNS };
static const char *const column_name[COLUMNS] = {"idstatefrom", "idaction", "idoutcome", "idstateto", "probability", "reward"};
enum { INITIAL_STATE, INITIAL_PROBABILITY, INITIAL_COLUMNS };
static const char *const initial_name[INITIAL_COLUMNS] = {"idstate", "probability"};
enum { FIELD_CAP = 64, FIELD_LETTERS = 64, NUMBER_CAP = 10000000 };

typedef struct table {
    const char *name;
    vouch_error *error;
    const char *at, *end;
    int line;
    int column[COLUMNS]; /* where it stands, -1: nowhere */
    int width;
} table;

static vouch_status fail(const table *t, const char *what, const char *found)
{
    return error_found(t->error, t->name, t->line, what, found);
}

/* Splits the next line that is not blank; *count fields, -1 at the end of the file. */
static vouch_status next_line(table *t, char field[FIELD_CAP][FIELD_LETTERS], int *count)
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
            if (*count >= FIELD_CAP) return fail(t, "too many columns", NULL);
            if (last - s >= FIELD_LETTERS) return fail(t, "a field is too long", NULL);
            memcpy(field[*count], s, (size_t)(last - s));
            field[*count][last - s] = '\0';
            s = next;
        }
        return VOUCH_OK;
    }
    return VOUCH_OK;
}

/* Finds out where each of `columns` columns stands. */
static vouch_status read_head(table *t, int columns, const char *const known[], const char *expected)
{
    char field[FIELD_CAP][FIELD_LETTERS];
    vouch_status status = next_line(t, field, &t->width);
    if (status) return status;
    if (t->width < 0) {
        t->line = 1;
        return fail(t, "the file is empty; expected a line of column names", NULL);
    }
    for (int c = 0; c < columns; c++) t->column[c] = -1;
    for (int i = 0; i < t->width; i++) {
        int c = 0;
        while (c < columns && strcmp(field[i], known[c]) != 0) c++;
        if (c == columns) return fail(t, expected, field[i]);
        if (t->column[c] >= 0) return fail(t, "the column is given twice", field[i]);
        t->column[c] = i;
    }
    return VOUCH_OK;
}

static vouch_status read_model_head(table *t)
{
    static const int needed[] = {FROM, ACTION, TO, PROBABILITY};
    vouch_status status = read_head(
        t, COLUMNS, column_name, "expected the names of columns idstatefrom, idaction, idoutcome, idstateto, probability, reward");
    for (size_t i = 0; i < sizeof needed / sizeof *needed && !status; i++)
        if (t->column[needed[i]] < 0)
            status = fail(t, "a column is missing: expected idstatefrom, idaction, idstateto and probability", NULL);
    return status;
}

static vouch_status read_number(const table *t, const char *field, const char *what, int *value)
{
    char *end;
    double x = number_read(field, &end);
    char expected[96];
    format_text(expected, sizeof expected, "%s: expected a whole number from 0 to %d", what, NUMBER_CAP);
    if (end == field || *end || !(x >= 0 && x <= NUMBER_CAP) || x != floor(x)) return fail(t, expected, field);
    *value = (int)x;
    return VOUCH_OK;
}

static vouch_status read_real(const table *t, const char *field, const char *what, double low, double high, double *value)
{
    char *end;
    *value = number_read(field, &end);
    if (end == field || *end || !(*value >= low && *value <= high)) return fail(t, what, field);
    return VOUCH_OK;
}

/* ---- numbers with gaps ---------------------------------------------------------------------------------------- */

typedef struct number_set {
    int *item; /* owned, [count]; ascending and each once after settle */
    size_t count, capacity;
} number_set;

typedef struct csv_numbers {
    number_set states, actions, models;
} csv_numbers;

static void numbers_free(csv_numbers *n)
{
    mem_free(n->states.item);
    mem_free(n->actions.item);
    mem_free(n->models.item);
}

/* 0, or -1: memory. Neighbouring rows mostly name the same. */
static int add_number(number_set *s, int number)
{
    if (s->count > 0 && s->item[s->count - 1] == number) return 0;
    if (MEM_RESERVE(&s->item, &s->capacity, s->count)) return -1;
    s->item[s->count++] = number;
    return 0;
}

static int by_number(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

static void settle(number_set *s)
{
    size_t kept = 0;
    if (s->count > 1) qsort(s->item, s->count, sizeof *s->item, by_number);
    for (size_t i = 0; i < s->count; i++)
        if (i == 0 || s->item[i] != s->item[i - 1]) s->item[kept++] = s->item[i];
    s->count = kept;
}

/* Its place among the numbers; -1: it is none of them. */
static int place_of(const number_set *s, int number)
{
    const int *found = s->count ? bsearch(&number, s->item, s->count, sizeof number, by_number) : NULL;
    return found ? (int)(found - s->item) : -1;
}

static vouch_status name_all(mdp_family *f, const csv_numbers *n)
{
    char name[32];
    f->state_name = MEM_ZERO(char *, f->S);
    f->env_name = MEM_ZERO(char *, f->K);
    if (!f->state_name || !f->env_name) return error_memory(f->error);
    for (int s = 0; s < f->S; s++) {
        format_text(name, sizeof name, "%d", n->states.item[s]);
        if (!(f->state_name[s] = mem_string(name))) return error_memory(f->error);
    }
    for (int k = 0; k < f->K; k++) {
        format_text(name, sizeof name, "model%d", n->models.item[k]);
        if (!(f->env_name[k] = mem_string(name))) return error_memory(f->error);
    }
    for (size_t a = 0; a < n->actions.count; a++) {
        format_text(name, sizeof name, "%d", n->actions.item[a]);
        if (family_action(f, name) < 0) return error_memory(f->error);
    }
    return VOUCH_OK;
}

/* The rows speak of places from now on. */
static void close_gaps(mdp_family *f, csv_numbers *n)
{
    settle(&n->states);
    settle(&n->actions);
    settle(&n->models);
    for (size_t i = 0; i < f->row_count; i++) {
        model_row *r = &f->rows[i];
        r->env = place_of(&n->models, r->env);
        r->state = place_of(&n->states, r->state);
        r->action = place_of(&n->actions, r->action);
        r->next = place_of(&n->states, r->next);
    }
    f->S = (int)n->states.count;
    f->K = (int)n->models.count;
}

static vouch_status read_rows(table *t, mdp_family *f, csv_numbers *n)
{
    char field[FIELD_CAP][FIELD_LETTERS];
    for (;;) {
        int width, from = 0, action = 0, model = 0, to = 0;
        double p = 0, reward = 0;
        vouch_status status = next_line(t, field, &width);
        if (status || width < 0) return status;
        if (width != t->width) return fail(t, "this line has not as many fields as the first", NULL);
        status = read_number(t, field[t->column[FROM]], "idstatefrom", &from);
        if (!status) status = read_number(t, field[t->column[ACTION]], "idaction", &action);
        if (!status) status = read_number(t, field[t->column[TO]], "idstateto", &to);
        if (!status && t->column[MODEL] >= 0) status = read_number(t, field[t->column[MODEL]], "idoutcome", &model);
        if (!status)
            status = read_real(t, field[t->column[PROBABILITY]], "probability: expected a number between 0 and 1", 0,
                               1 + MODEL_SUM_TOLERANCE, &p);
        if (!status && t->column[REWARD] >= 0)
            status = read_real(t, field[t->column[REWARD]], "reward: expected a number", -1e300, 1e300, &reward);
        if (status) return status;
        if (add_number(&n->states, from) || add_number(&n->states, to) || add_number(&n->actions, action) ||
            add_number(&n->models, model) || family_add_row(f, (model_row){model, from, action, to, p, reward, 0}))
            return error_memory(f->error);
    }
}

void csv_initial_path(const char *path, text *found)
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

vouch_status csv_initial_parse(initial_list *list, const file_content *file, vouch_error *error)
{
    char field[FIELD_CAP][FIELD_LETTERS];
    table t = {.name = file->name, .error = error, .at = file->bytes, .end = file->bytes + file->length};
    double found = 0;
    vouch_status status = file_check_text(file, error);
    if (!status) status = read_head(&t, INITIAL_COLUMNS, initial_name, "expected the names of columns idstate, probability");
    if (!status && t.width < INITIAL_COLUMNS) status = fail(&t, "a column is missing: expected idstate and probability", NULL);
    while (!status) {
        int width, s = 0;
        double p = 0;
        status = next_line(&t, field, &width);
        if (status || width < 0) break;
        if (width != t.width) return fail(&t, "this line has not as many fields as the first", NULL);
        status = read_number(&t, field[t.column[INITIAL_STATE]], "idstate", &s);
        if (!status)
            status = read_real(&t, field[t.column[INITIAL_PROBABILITY]], "probability: expected a number between 0 and 1", 0,
                               1 + MODEL_SUM_TOLERANCE, &p);
        if (status || p == 0) continue;
        size_t i = 0;
        while (i < list->count && list->item[i].state != s) i++;
        if (mem_reserve((void **)&list->item, &list->capacity, list->count, sizeof *list->item)) return error_memory(error);
        if (i == list->count) list->item[list->count++] = (initial_state){s, 0, t.line};
        list->item[i].p += p;
        found += p;
    }
    if (!status && !(fabs(found - 1) <= MODEL_SUM_TOLERANCE)) status = fail(&t, "expected probabilities that sum to 1", NULL);
    return status;
}

static vouch_status spread_initial(mdp_family *f, const csv_numbers *n, const initial_list *initial)
{
    f->initial = place_of(&n->states, initial && initial->count > 0 ? initial->item[0].state : 0);
    if (!initial || initial->count < 2) return VOUCH_OK;
    f->first = MEM_ZERO(double, (size_t)f->K *(size_t)f->S);
    if (!f->first) return error_memory(f->error);
    for (size_t i = 0; i < initial->count; i++)
        for (int k = 0; k < f->K; k++)
            f->first[(size_t)k * (size_t)f->S + (size_t)place_of(&n->states, initial->item[i].state)] = initial->item[i].p;
    return VOUCH_OK;
}

static vouch_status check_sizes(const mdp_family *f, const csv_numbers *n, const initial_list *initial, long long limit)
{
    if (limit > 0 && (f->S > limit || f->K > limit || n->actions.count > (size_t)limit))
        return error_set(f->error, VOUCH_ERROR_SIZE, "%s: more than %lld states, actions or models", f->path, limit);
    for (size_t i = 0; initial && i < initial->count; i++)
        if (place_of(&n->states, initial->item[i].state) < 0)
            return error_at(f->error, initial->file ? initial->file : f->path, initial->item[i].line,
                            "the initial state is %d, which %.200s does not name", initial->item[i].state, f->path);
    return VOUCH_OK;
}

vouch_status csv_model_parse(vouch_model **model, const file_content *file, const initial_list *initial, const vouch_source *source,
                             vouch_error *error)
{
    *model = NULL;
    table t = {.name = file->name, .error = error, .at = file->bytes, .end = file->bytes + file->length};
    const char *name = file->name;
    mdp_family f = {.path = name, .error = error};
    csv_numbers n = {0};
    vouch_status status = file_check_text(file, error);
    if (!status) status = read_model_head(&t);
    if (!status) status = read_rows(&t, &f, &n);
    if (!status && f.row_count == 0) status = fail(&t, "there is no row", NULL);
    if (!status) close_gaps(&f, &n);
    if (!status) status = check_sizes(&f, &n, initial, source->state_limit);
    if (!status) status = name_all(&f, &n);
    if (!status && (source->reward || source->time_to))
        status = error_set(error, VOUCH_ERROR_INPUT,
                           "%s: a CSV file has neither labels nor named rewards: --reward and --time-to have no meaning", name);
    if (!status) status = family_check_source(&f, source);
    if (!status) status = family_make_sets(&f);
    for (size_t j = 0; j < f.promised.count && !status; j++) {
        const specification *w = &f.promised.item[j];
        status = family_name_states(&f, w->place, w->what, f.in[j]);
        if (!status && w->through) status = family_name_states(&f, w->place, w->through, f.through[j]);
    }
    if (!status) status = spread_initial(&f, &n, initial);
    if (!status) status = family_initial(&f, source);
    if (!status && f.initial < 0)
        status = error_set(error, VOUCH_ERROR_INPUT, "%s: there is no state 0, where a file without initial.csv begins", name);
    if (!status) status = family_finish(&f, source, model);
    numbers_free(&n);
    family_free(&f);
    return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* The initial state of a CSV model: state 0 unless a companion, *name, says otherwise. */
static vouch_status read_initial(const char *path, text *name, initial_list *initial, vouch_error *error)
{
    file_content file = {0};
    vouch_status status = VOUCH_OK;
    csv_initial_path(path, name);
    if (name->failed)
        status = error_memory(error);
    else if (name->length > 0 && !(status = file_load(&file, name->data, error)))
        status = csv_initial_parse(initial, &file, error);
    initial->file = name->data;
    file_unload(&file);
    return status;
}

vouch_status csv_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error)
{
    initial_list initial = {0};
    text companion = {0};
    file_content file = {0};
    vouch_status status = read_initial(path, &companion, &initial, error);
    if (!status) status = file_load(&file, path, error);
    if (!status) status = csv_model_parse(model, &file, &initial, source, error);
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
                             text_number(m->env[k].reward[o], r));
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
