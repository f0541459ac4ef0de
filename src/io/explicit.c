/* io/explicit.c - see explicit.h. Format: the PRISM manual, appendix "Explicit Model Files". */
#include "io/explicit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/disk.h"
#include "io/json.h"
#include "io/scan.h"

enum { PIECES = 5, NUMBER_CAP = 100000000, STRUCTURE_CAP = 64, NAME_CAP = 250 };

typedef struct rows_file { /* a file, line by line */
    const file_content *file;
    vouch_error *error;
    const char *at;
    int line;
    span piece[PIECES];
    int count; /* of pieces; -1: the file has ended */
} rows_file;

typedef struct line { /* of transitions or their rewards */
    int state, choice, next, number;
    double value;
    span action;
} line;

typedef struct matrix {
    line *item; /* owned, [count] */
    size_t count, capacity;
    int states;
    bool chain; /* no choices */
} matrix;

static vouch_status fail(const rows_file *t, const char *what, const char *found)
{
    return error_found(t->error, t->file->name, t->line, what, found);
}

/* The next line that is not blank, nor begins with # unless comments are asked for. */
static bool next_raw(rows_file *t, span *whole, bool comments)
{
    const char *end = t->file->bytes + t->file->length;
    while (t->at < end) {
        const char *stop = memchr(t->at, '\n', (size_t)(end - t->at));
        if (!stop) stop = end;
        *whole = span_trim((span){t->at, (size_t)(stop - t->at)});
        t->at = stop < end ? stop + 1 : end;
        t->line++;
        if (whole->length > 0 && (comments || whole->at[0] != '#')) return true;
    }
    return false;
}

static void next_line(rows_file *t)
{
    span whole;
    t->count = next_raw(t, &whole, false) ? span_split(whole, t->piece, PIECES) : -1;
}

static vouch_status whole_number(const rows_file *t, span s, int below, const char *what, int *value)
{
    double x;
    char text_found[64], expected[128];
    if (span_number(s, &x) && x >= 0 && x < below && x == floor(x)) {
        *value = (int)x;
        return VOUCH_OK;
    }
    format_text(text_found, sizeof text_found, "%.*s", SPAN_ARG(s));
    format_text(expected, sizeof expected, "expected %s, a whole number from 0 to %d", what, below - 1);
    return fail(t, expected, text_found);
}

static vouch_status real_number(const rows_file *t, span s, const char *what, double *value)
{
    char text_found[64];
    if (span_number(s, value) && isfinite(*value)) return VOUCH_OK;
    format_text(text_found, sizeof text_found, "%.*s", SPAN_ARG(s));
    return fail(t, what, text_found);
}

/* ---- lines of transitions ------------------------------------------------------------------------------------- */

/* "STATE [CHOICE] SUCCESSOR VALUE [ACTION]"; rewards: "STATE CHOICE VALUE" too, for all successors (next -1). */
static vouch_status read_line(const rows_file *t, matrix *m, bool rewards)
{
    int numbers = m->chain ? 2 : 3, places[3] = {0};
    bool short_one = rewards && t->count == 3 && !m->chain;
    if (short_one) numbers = 2;
    if (t->count < numbers + 1 || t->count > numbers + 2)
        return fail(t, m->chain ? "expected STATE SUCCESSOR NUMBER" : "expected STATE CHOICE SUCCESSOR NUMBER", NULL);
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < numbers && !status; i++) {
        bool choice = i == 1 && !m->chain;
        status = whole_number(t, t->piece[i], choice ? NUMBER_CAP : m->states, choice ? "a choice" : "a state", &places[i]);
    }
    line l = {.state = places[0], .number = t->line, .action = t->count > numbers + 1 ? t->piece[numbers + 1] : (span){"", 0}};
    l.choice = m->chain ? 0 : places[1];
    l.next = short_one ? -1 : places[numbers - 1];
    if (!status) status = real_number(t, t->piece[numbers], rewards ? "expected a reward" : "expected a probability", &l.value);
    if (!status && !rewards && !(l.value >= 0 && l.value <= 1 + 1e-6))
        return fail(t, "a probability must lie between 0 and 1 (rates of continuous time cannot be planned for)", NULL);
    if (status) return status;
    if (MEM_RESERVE(&m->item, &m->capacity, m->count)) return error_memory(t->error);
    m->item[m->count++] = l;
    return VOUCH_OK;
}

static int by_place(const void *x, const void *y)
{
    const line *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->choice != b->choice) return a->choice < b->choice ? -1 : 1;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Sorted by state, choice and successor. */
static vouch_status read_matrix(rows_file *t, matrix *m, bool rewards)
{
    next_line(t);
    m->chain = t->count == 2;
    if (t->count != 2 && t->count != 3)
        return fail(t, "expected how many STATES CHOICES TRANSITIONS there are, or (dtmc) STATES TRANSITIONS", NULL);
    int states = 0;
    vouch_status status = whole_number(t, t->piece[0], NUMBER_CAP, "the number of states", &states);
    if (!status && rewards && states != m->states) return fail(t, "the file is about another number of states than the .tra", NULL);
    m->states = states;
    if (!status && states == 0)
        return fail(t, "there is no state; this line says how many STATES CHOICES TRANSITIONS there are", NULL);
    for (next_line(t); !status && t->count >= 0; next_line(t)) status = read_line(t, m, rewards);
    if (!status && m->count > 1) qsort(m->item, m->count, sizeof *m->item, by_place);
    return status;
}

/* ---- transitions ---------------------------------------------------------------------------------------------- */

static vouch_status add_choice(drn *d, const line *l)
{
    char name[NAME_CAP + 1];
    if (l->action.length > NAME_CAP) return error_at(d->error, d->name, l->number, "the name of the action is too long");
    format_text(name, sizeof name, "%.*s", (int)l->action.length, l->action.at);
    if (!js_utf8(name)) return error_at(d->error, d->name, l->number, "expected UTF-8");
    return drn_add_action(d, *name ? name : NULL, 0);
}

/* Lines with the same state, choice and successor become one step. */
static vouch_status add_steps(drn *d, const matrix *m)
{
    size_t at = 0;
    vouch_status status = VOUCH_OK;
    for (int s = 0; s < m->states && !status; s++) {
        status = drn_add_state(d);
        for (int choice = -1; !status && at < m->count && m->item[at].state == s; at++) {
            const line *l = &m->item[at];
            if (l->choice > choice + 1)
                return error_at(d->error, d->name, l->number, "the choices of a state are numbered 0, 1, ..: there is no %d",
                                choice + 1);
            if (l->choice != choice) status = add_choice(d, l);
            bool again = l->choice == choice && at > 0 && l[-1].state == s && l[-1].next == l->next;
            choice = l->choice;
            if (again)
                d->step[d->step_count - 1].probability += l->value;
            else if (!status)
                status = drn_add_step(d, (drn_step){l->next, l->value, 0});
        }
    }
    return status;
}

/* ---- labels and names ----------------------------------------------------------------------------------------- */

/* 0="init" 2="goal" */
static vouch_status read_label_names(const rows_file *t, span head, names *label, drn *d)
{
    const char *s = head.at, *end = head.at + head.length;
    while (s < end) {
        char *number_end;
        long number = strtol(s, &number_end, 10);
        const char *open = number_end + 1, *close = open < end ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
        if (number_end == s || number != label->count || *number_end != '=' || !close || *open != '"' || close == open + 1)
            return fail(t, "expected labels as 0=\"init\" 1=\"deadlock\" ..", NULL);
        int at = names_add_bytes(label, open + 1, (size_t)(close - open - 1));
        if (at < 0) return error_memory(t->error);
        if (at != number) return fail(t, "the label is given twice", names_text(label, at));
        if (!js_utf8(names_text(label, at))) return fail(t, "expected UTF-8", NULL);
        if (names_add(&d->declared, names_text(label, at)) < 0) return error_memory(t->error);
        s = close + 1;
        while (s < end && (*s == ' ' || *s == '\t')) s++;
    }
    return VOUCH_OK;
}

static vouch_status read_labels(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .error = d->error, .at = file->bytes};
    names label = {0};
    span whole;
    vouch_status status = next_raw(&t, &whole, false) ? read_label_names(&t, whole, &label, d) : VOUCH_OK;
    while (!status && next_raw(&t, &whole, false)) {
        const char *colon = memchr(whole.at, ':', whole.length), *end = whole.at + whole.length;
        int state = 0, number = 0;
        if (!colon) status = fail(&t, "expected STATE: LABEL LABEL ..", NULL);
        if (!status)
            status =
                whole_number(&t, span_trim((span){whole.at, (size_t)(colon - whole.at)}), (int)d->state_count, "a state", &state);
        for (const char *s = colon ? colon + 1 : end; !status && s < end;) {
            size_t n = 0;
            while (s < end && (*s == ' ' || *s == '\t')) s++;
            while (s + n < end && s[n] != ' ' && s[n] != '\t') n++;
            status = whole_number(&t, (span){s, n}, label.count, "the number of a label", &number);
            if (!status) status = drn_add_label(d, &d->state[state], names_text(&label, number));
            s += n;
        }
    }
    names_free(&label);
    return status;
}

/* "(a,b)" at *s, up to end: its next part; false: there is none. */
static bool next_part(const char **s, const char *end, span *part)
{
    if (*s >= end || !strchr("(,", **s)) return false;
    const char *from = ++*s;
    while (*s < end && **s != ',' && **s != ')') ++*s;
    *part = span_trim((span){from, (size_t)(*s - from)});
    return *s < end;
}

static vouch_status read_states(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .error = d->error, .at = file->bytes};
    span head, whole, name, value;
    if (!next_raw(&t, &head, false) || head.at[0] != '(') return fail(&t, "expected the names of the variables: (x,y)", NULL);
    const char *head_end = head.at + head.length;
    vouch_status status = VOUCH_OK;
    while (!status && next_raw(&t, &whole, false)) {
        const char *colon = memchr(whole.at, ':', whole.length), *end = whole.at + whole.length, *at = head.at;
        text made = {0};
        int state = 0;
        if (!colon) return fail(&t, "expected STATE:(VALUE,VALUE)", NULL);
        status = whole_number(&t, span_trim((span){whole.at, (size_t)(colon - whole.at)}), (int)d->state_count, "a state", &state);
        if (status) return status;
        if (d->state[state].valuation) return fail(&t, "the state is given twice", NULL);
        for (const char *s = colon + 1; next_part(&at, head_end, &name);) {
            if (!next_part(&s, end, &value)) {
                text_free(&made);
                return fail(&t, "expected a value for each variable", NULL);
            }
            text_add(&made, "%s%.*s=%.*s", made.length ? "," : "", (int)name.length, name.at, (int)value.length, value.at);
        }
        if (made.failed || !made.data) status = error_memory(d->error);
        if (!status && !js_utf8(made.data)) status = fail(&t, "expected UTF-8", NULL);
        d->state[state].valuation = made.data;
    }
    return status;
}

/* ---- rewards -------------------------------------------------------------------------------------------------- */

/* The lines are in the order of the transitions. */
static vouch_status pay_steps(drn *d, const matrix *m, const file_content *file)
{
    size_t at = 0;
    int before = -1, number = -1;
    for (size_t c = 0; c < d->choice_count; c++) {
        drn_choice *choice = &d->choice[c];
        number = choice->state == before ? number + 1 : 0;
        before = choice->state;
        for (; at < m->count && m->item[at].state == choice->state && m->item[at].choice <= number; at++) {
            const line *l = &m->item[at];
            size_t i = choice->first;
            while (i < choice->first + choice->count && d->step[i].to != l->next) i++;
            bool all = l->next < 0, found = i < choice->first + choice->count;
            if (l->choice != number || (!all && !found))
                return error_at(d->error, file->name, l->number, "there is no such transition");
            if (all) choice->reward += l->value;
            if (!all) d->step[i].reward += l->value;
        }
    }
    if (at < m->count) return error_at(d->error, file->name, m->item[at].number, "there is no such transition");
    return VOUCH_OK;
}

static vouch_status pay_states(drn *d, rows_file *t)
{
    vouch_status status = VOUCH_OK;
    for (next_line(t); !status && t->count >= 0; next_line(t)) {
        int state = 0;
        double reward = 0;
        if (t->count != 2) return fail(t, "expected STATE REWARD", NULL);
        status = whole_number(t, t->piece[0], (int)d->state_count, "a state", &state);
        if (!status) status = real_number(t, t->piece[1], "expected a reward", &reward);
        if (!status) d->state[state].reward += reward;
    }
    return status;
}

/* Are the rewards of states? Then the first two lines have two numbers each; a file of transitions has more. */
static bool is_of_states(const file_content *file)
{
    rows_file t = {.file = file, .at = file->bytes};
    next_line(&t);
    if (t.count != 2) return false;
    next_line(&t);
    return t.count <= 2;
}

static vouch_status pay(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .error = d->error, .at = file->bytes};
    if (is_of_states(file)) {
        next_line(&t);
        return pay_states(d, &t);
    }
    matrix m = {.states = (int)d->state_count};
    vouch_status status = read_matrix(&t, &m, true);
    if (!status) status = pay_steps(d, &m, file);
    mem_free(m.item);
    return status;
}

/* The name in the comment that begins # Reward structure "NAME"; else the number of the file. */
static void structure_name(const file_content *file, int number, char name[NAME_CAP + 1])
{
    rows_file t = {.file = file, .at = file->bytes};
    span whole;
    format_text(name, NAME_CAP + 1, "%d", number);
    while (next_raw(&t, &whole, true) && whole.at[0] == '#') {
        const char *open = memchr(whole.at, '"', whole.length), *end = whole.at + whole.length;
        const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
        if (close && close > open + 1) format_text(name, NAME_CAP + 1, "%.*s", (int)(close - open - 1), open + 1);
        if (close) return;
    }
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

static const char *const ending[] = {"lab", "sta", "srew", "rews", "trew", "rewt", "rew"};
enum { LABELS, STATES, FIRST_REWARD, ENDINGS = sizeof ending / sizeof *ending };

/* BASE[NUMBER].ending[which], plain or packed, if there is such a file. */
static bool find_beside(const char *path, int number, int which, text *found)
{
    static const char *const packed[] = {"", ".gz", ".xz"};
    size_t n = strlen(path);
    if (n > 3 && (strcmp(path + n - 3, ".gz") == 0 || strcmp(path + n - 3, ".xz") == 0)) n -= 3;
    if (n < 4 || strncmp(path + n - 4, ".tra", 4) != 0) return false;
    for (int i = 0; i < 3; i++) {
        found->length = 0;
        text_add_bytes(found, path, n - 4);
        if (number > 0) text_add(found, "%d", number);
        text_add(found, ".%s%s", ending[which], packed[i]);
        if (found->failed || disk_kind_of(found->data) != DISK_NOTHING) return !found->failed;
    }
    return false;
}

static vouch_status load_text(file_content *file, const char *path, vouch_error *error)
{
    vouch_status status = file_load(file, path, error);
    return status ? status : file_check_text(file, error);
}

/* Reads reward structure `number`; 0: that without a number. The first of its files names it. */
static vouch_status read_structure(drn *d, const char *path, int number, bool *exists)
{
    char name[NAME_CAP + 1] = "";
    text place = {0};
    vouch_status status = VOUCH_OK;
    *exists = false;
    for (int i = FIRST_REWARD; i < ENDINGS && !status; i++) {
        file_content file = {0};
        if (!find_beside(path, number, i, &place)) continue;
        status = load_text(&file, place.data, d->error);
        if (!status && !*exists) structure_name(&file, number > 0 ? number : 1, name);
        *exists = true;
        const char *wanted = d->source->reward;
        bool chosen = wanted ? strcmp(wanted, name) == 0 : !d->source->time_to && number == 0;
        if (chosen) d->chosen = number;
        if (!status && chosen) status = pay(d, &file);
        file_unload(&file);
    }
    if (place.failed && !status) status = error_memory(d->error);
    text_free(&place);
    return status;
}

static vouch_status read_rewards(drn *d, const char *path)
{
    bool exists = true;
    vouch_status status = read_structure(d, path, 0, &exists);
    for (int number = 1; number <= STRUCTURE_CAP && !status && (number == 1 || exists); number++)
        status = read_structure(d, path, number, &exists);
    if (!status && d->source->reward && d->chosen < 0)
        return error_set(d->error, VOUCH_ERROR_INPUT, "%.200s: --reward: no reward file beside it has the name \"%.100s\"", d->name,
                         d->source->reward);
    return status;
}

static vouch_status read_beside(drn *d, const char *path, int which, vouch_status (*read)(drn *d, const file_content *file),
                                bool *exists)
{
    text place = {0};
    file_content file = {0};
    *exists = find_beside(path, 0, which, &place);
    vouch_status status = place.failed ? error_memory(d->error) : VOUCH_OK;
    if (!status && *exists) status = load_text(&file, place.data, d->error);
    if (!status && *exists) status = read(d, &file);
    file_unload(&file);
    text_free(&place);
    return status;
}

vouch_status explicit_read(drn *d, const file_content *file, const vouch_source *source, vouch_error *error)
{
    rows_file t = {.file = file, .error = error, .at = file->bytes};
    matrix m = {0};
    bool labelled = false, valued;
    *d = (drn){.name = file->name, .source = source, .error = error, .chosen = -1, .states = -1};
    vouch_status status = file_check_text(file, error);
    if (!status) status = read_matrix(&t, &m, false);
    if (!status) status = add_steps(d, &m);
    mem_free(m.item);
    if (!status) status = read_beside(d, file->name, LABELS, read_labels, &labelled);
    if (!status && !labelled) status = drn_add_label(d, &d->state[0], "init");
    if (!status) status = read_beside(d, file->name, STATES, read_states, &valued);
    return status ? status : read_rewards(d, file->name);
}

vouch_status explicit_companions(names *list, const char *path, vouch_error *error)
{
    text place = {0};
    bool failed = false, any = true;
    for (int number = 0; number <= STRUCTURE_CAP && !failed && (number < 2 || any); number++) {
        any = false;
        for (int i = number == 0 ? 0 : FIRST_REWARD; i < ENDINGS && !failed; i++) {
            if (!find_beside(path, number, i, &place)) continue;
            any = true;
            failed = names_add(list, place.data) < 0;
        }
    }
    failed = failed || place.failed;
    text_free(&place);
    return failed ? error_memory(error) : VOUCH_OK;
}
