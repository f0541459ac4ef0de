/* io/explicit.c - explicit models of PRISM, as `prism -exportmodel M.all` and the older switches write them, one environment; see
 * drn_read.h.
 *
 *   M.tra          "STATES CHOICES TRANSITIONS", then "STATE CHOICE SUCCESSOR PROBABILITY [ACTION]" (mdp); without choices: dtmc
 *   M.lab          0="init" 1="deadlock" 2="goal", then "STATE: LABEL LABEL .."; without this file state 0 begins
 *   M.sta          (x,y), then "STATE:(VALUE,VALUE)": the names of the states
 *   M.srew, M.rews rewards of states: "STATES REWARDS", then "STATE REWARD"
 *   M.trew, M.rewt rewards of transitions, in lines as in M.tra
 *   M.rew          one of the two, as its lines say
 *
 * Of several reward structures each has a file: M1.srew, M2.srew. A comment names it, or its number does. Any file may be packed.
 * Format: the PRISM manual, appendix "Explicit Model Files".
 */
#include "io/drn_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "io/disk.h"
#include "io/json.h"
#include "io/scan.h"

enum { PIECES = 5, NUMBER_CAP = 100000000, STRUCTURE_CAP = 64, NAME_CAP = 250 };

typedef struct rows_file { /* a file, line by line */
    const file_content *file;
    escape *e;
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
    ESCAPE_ARRAY(line, item);
    int states;
    bool chain; /* no choices */
} matrix;

static _Noreturn void fail(const rows_file *t, const char *what, const char *found)
{
    escape_found(t->e, t->file->name, t->line, what, found);
}

/* The next line that is not blank, nor (unless `comments`) begins with #. */
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

static int whole_number(const rows_file *t, span s, int below, const char *what)
{
    double x;
    char text_found[64], expected[128];
    if (span_number(s, &x) && x >= 0 && x < below && x == floor(x)) return (int)x;
    format_text(text_found, sizeof text_found, "%.*s", SPAN_ARG(s));
    format_text(expected, sizeof expected, "expected %s, a whole number from 0 to %d", what, below - 1);
    fail(t, expected, text_found);
}

static double real_number(const rows_file *t, span s, const char *what)
{
    double value;
    char text_found[64];
    if (span_number(s, &value) && isfinite(value)) return value;
    format_text(text_found, sizeof text_found, "%.*s", SPAN_ARG(s));
    fail(t, what, text_found);
}

/* ---- lines of transitions ------------------------------------------------------------------------------------- */

/* "STATE [CHOICE] SUCCESSOR VALUE [ACTION]"; rewards: "STATE CHOICE VALUE" too, for all successors (next -1). */
static void read_line(const rows_file *t, matrix *m, bool rewards)
{
    int numbers = m->chain ? 2 : 3, places[3] = {0};
    bool short_one = rewards && t->count == 3 && !m->chain;
    if (short_one) numbers = 2;
    if (t->count < numbers + 1 || t->count > numbers + 2)
        fail(t, m->chain ? "expected STATE SUCCESSOR NUMBER" : "expected STATE CHOICE SUCCESSOR NUMBER", NULL);
    for (int i = 0; i < numbers; i++) {
        bool choice = i == 1 && !m->chain;
        places[i] = whole_number(t, t->piece[i], choice ? NUMBER_CAP : m->states, choice ? "a choice" : "a state");
    }
    line l = {.state = places[0], .number = t->line, .action = t->count > numbers + 1 ? t->piece[numbers + 1] : (span){"", 0}};
    l.choice = m->chain ? 0 : places[1];
    l.next = short_one ? -1 : places[numbers - 1];
    l.value = real_number(t, t->piece[numbers], rewards ? "expected a reward" : "expected a probability");
    if (!rewards && !(l.value >= 0 && l.value <= 1 + 1e-6))
        fail(t, "a probability must lie between 0 and 1 (rates of continuous time cannot be planned for)", NULL);
    ESCAPE_PUSH(t->e, m, item, l);
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
static void read_matrix(rows_file *t, matrix *m, bool rewards)
{
    next_line(t);
    m->chain = t->count == 2;
    if (t->count != 2 && t->count != 3)
        fail(t, "expected how many STATES CHOICES TRANSITIONS there are, or (dtmc) STATES TRANSITIONS", NULL);
    int states = whole_number(t, t->piece[0], NUMBER_CAP, "the number of states");
    if (rewards && states != m->states) fail(t, "the file is about another number of states than the .tra", NULL);
    m->states = states;
    if (states == 0) fail(t, "there is no state; expected STATES CHOICES TRANSITIONS, their numbers", NULL);
    for (next_line(t); t->count >= 0; next_line(t)) read_line(t, m, rewards);
    if (m->item_count > 1) qsort(m->item, m->item_count, sizeof *m->item, by_place);
}

/* ---- transitions ---------------------------------------------------------------------------------------------- */

static void add_choice(drn *d, const line *l)
{
    char name[NAME_CAP + 1];
    if (l->action.length > NAME_CAP) escape_at(d->e, d->name, l->number, "the name of the action is too long");
    format_text(name, sizeof name, "%.*s", (int)l->action.length, l->action.at);
    if (!js_utf8(name)) escape_at(d->e, d->name, l->number, "expected UTF-8");
    drn_add_action(d, *name ? name : NULL, 0);
}

/* Lines with the same state, choice and successor become one step. */
static void add_steps(drn *d, const matrix *m)
{
    size_t at = 0;
    for (int s = 0; s < m->states; s++) {
        drn_add_state(d);
        for (int choice = -1; at < m->item_count && m->item[at].state == s; at++) {
            const line *l = &m->item[at];
            if (l->choice > choice + 1)
                escape_at(d->e, d->name, l->number, "the choices of a state are numbered 0, 1, ..: there is no %d", choice + 1);
            if (l->choice != choice) add_choice(d, l);
            bool again = l->choice == choice && at > 0 && l[-1].state == s && l[-1].next == l->next;
            choice = l->choice;
            if (again)
                d->step[d->step_count - 1].probability += l->value;
            else
                drn_add_step(d, (drn_step){l->next, l->value, 0});
        }
    }
}

/* ---- labels and names ----------------------------------------------------------------------------------------- */

/* 0="init" 2="goal" */
static void read_label_names(const rows_file *t, span head, names *label, drn *d)
{
    const char *s = head.at, *end = head.at + head.length;
    while (s < end) {
        char *number_end;
        long number = strtol(s, &number_end, 10);
        const char *open = number_end + 1, *close = open < end ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
        if (number_end == s || number != label->count || *number_end != '=' || !close || *open != '"' || close == open + 1)
            fail(t, "expected labels as 0=\"init\" 1=\"deadlock\" ..", NULL);
        int at = must_count(d->e, names_add_bytes(label, open + 1, (size_t)(close - open - 1)));
        if (at != number) fail(t, "the label is given twice", names_text(label, at));
        if (!js_utf8(names_text(label, at))) fail(t, "expected UTF-8", NULL);
        must_count(d->e, names_add(&d->declared, names_text(label, at)));
        s = close + 1;
        while (s < end && (*s == ' ' || *s == '\t')) s++;
    }
}

static void read_labels(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    names *label = ESCAPE_ZERO(d->e, names, 1);
    span whole;
    escape_names(d->e, label);
    if (next_raw(&t, &whole, false)) read_label_names(&t, whole, label, d);
    while (next_raw(&t, &whole, false)) {
        const char *colon = memchr(whole.at, ':', whole.length), *end = whole.at + whole.length;
        if (!colon) fail(&t, "expected STATE: LABEL LABEL ..", NULL);
        int state = whole_number(&t, span_trim((span){whole.at, (size_t)(colon - whole.at)}), (int)d->state_count, "a state");
        for (const char *s = colon + 1; s < end;) {
            size_t n = 0;
            while (s < end && (*s == ' ' || *s == '\t')) s++;
            while (s + n < end && s[n] != ' ' && s[n] != '\t') n++;
            int number = whole_number(&t, (span){s, n}, label->count, "the number of a label");
            drn_add_label(d, &d->state[state], names_text(label, number));
            s += n;
        }
    }
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

static void read_states(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    span head, whole, name, value;
    text *made = escape_text(d->e);
    if (!next_raw(&t, &head, false) || head.at[0] != '(') fail(&t, "expected the names of the variables: (x,y)", NULL);
    const char *head_end = head.at + head.length;
    while (next_raw(&t, &whole, false)) {
        const char *colon = memchr(whole.at, ':', whole.length), *end = whole.at + whole.length, *at = head.at;
        made->length = 0;
        if (!colon) fail(&t, "expected STATE:(VALUE,VALUE)", NULL);
        int state = whole_number(&t, span_trim((span){whole.at, (size_t)(colon - whole.at)}), (int)d->state_count, "a state");
        if (d->state[state].valuation) fail(&t, "the state is given twice", NULL);
        for (const char *s = colon + 1; next_part(&at, head_end, &name);) {
            if (!next_part(&s, end, &value)) fail(&t, "expected a value for each variable", NULL);
            text_add(made, "%s%.*s=%.*s", made->length ? "," : "", (int)name.length, name.at, (int)value.length, value.at);
        }
        if (made->failed || !made->data) escape_memory(d->e);
        if (!js_utf8(made->data)) fail(&t, "expected UTF-8", NULL);
        d->state[state].valuation = escape_string(d->e, made->data);
    }
}

/* ---- rewards -------------------------------------------------------------------------------------------------- */

/* The lines are in the order of the transitions. */
static void pay_steps(drn *d, const matrix *m, const file_content *file)
{
    size_t at = 0;
    int before = -1, number = -1;
    for (size_t c = 0; c < d->choice_count; c++) {
        drn_choice *choice = &d->choice[c];
        number = choice->state == before ? number + 1 : 0;
        before = choice->state;
        for (; at < m->item_count && m->item[at].state == choice->state && m->item[at].choice <= number; at++) {
            const line *l = &m->item[at];
            size_t i = choice->first;
            while (i < choice->first + choice->count && d->step[i].to != l->next) i++;
            bool all = l->next < 0, found = i < choice->first + choice->count;
            if (l->choice != number || (!all && !found)) escape_at(d->e, file->name, l->number, "there is no such transition");
            if (all) choice->reward += l->value;
            if (!all) d->step[i].reward += l->value;
        }
    }
    if (at < m->item_count) escape_at(d->e, file->name, m->item[at].number, "there is no such transition");
}

static void pay_states(drn *d, rows_file *t)
{
    for (next_line(t); t->count >= 0; next_line(t)) {
        if (t->count != 2) fail(t, "expected STATE REWARD", NULL);
        int state = whole_number(t, t->piece[0], (int)d->state_count, "a state");
        d->state[state].reward += real_number(t, t->piece[1], "expected a reward");
    }
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

static void pay(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    if (is_of_states(file)) {
        next_line(&t);
        pay_states(d, &t);
        return;
    }
    matrix m = {.states = (int)d->state_count};
    read_matrix(&t, &m, true);
    pay_steps(d, &m, file);
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

/* The file beside path, checked; NULL: there is none. */
static const file_content *load_beside(drn *d, const char *path, int number, int which)
{
    text *place = escape_text(d->e);
    bool exists = find_beside(path, number, which, place);
    if (place->failed) escape_memory(d->e);
    if (!exists) return NULL;
    file_content *file = escape_load(d->e, place->data);
    must(d->e, file_check_text(file, d->e->error));
    return file;
}

/* Reads reward structure `number`; 0: that without a number. The first of its files names it. Returns whether there is one. */
static bool read_structure(drn *d, const char *path, int number)
{
    char name[NAME_CAP + 1] = "";
    bool exists = false;
    for (int i = FIRST_REWARD; i < ENDINGS; i++) {
        const file_content *file = load_beside(d, path, number, i);
        if (!file) continue;
        if (!exists) structure_name(file, number > 0 ? number : 1, name);
        exists = true;
        const char *wanted = d->source->reward;
        bool chosen = wanted ? strcmp(wanted, name) == 0 : !d->source->time_to && number == 0;
        if (chosen) d->chosen = number;
        if (chosen) pay(d, file);
    }
    return exists;
}

static void read_rewards(drn *d, const char *path)
{
    read_structure(d, path, 0);
    for (int number = 1; number <= STRUCTURE_CAP && read_structure(d, path, number);) number++;
    if (d->source->reward && d->chosen < 0)
        escape_fail(d->e, VOUCH_ERROR_INPUT, "%.200s: --reward: no reward file beside it has the name \"%.100s\"", d->name,
                    d->source->reward);
}

void explicit_read(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    matrix m = {0};
    read_matrix(&t, &m, false);
    add_steps(d, &m);
    const file_content *labels = load_beside(d, file->name, 0, LABELS);
    if (labels)
        read_labels(d, labels);
    else
        drn_add_label(d, &d->state[0], "init");
    const file_content *states = load_beside(d, file->name, 0, STATES);
    if (states) read_states(d, states);
    read_rewards(d, file->name);
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
