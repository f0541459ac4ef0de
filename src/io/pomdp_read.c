/* io/pomdp_read.c - reading a POMDP in Cassandra's format.
 *
 *   discount: 1   values: reward|cost   states: N|names   actions: ..   observations: ..   start: ..
 *   T: action : state : state' p        T: action : state  row        T: action  matrix
 *   O: action : state' : observation p  ..                            R: action : state : state' : observation value  ..
 *
 * An asterisk means all; later lines replace earlier ones; rows and matrices may be "uniform", and in T "identity" or "reset".
 * Source: A. R. Cassandra, "Input POMDP file format", and the grammar of pomdp-solve (parser.y).
 */
#include "io/pomdp_read.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/locale.h"

enum { WORD = 256, MOST_NAMES = 1000000, MOST_ENTRIES = 50000000, ANY = -1 };

typedef struct reader {
    pomdp *p;
    const char *at;
    int line;
    char word[WORD]; /* the next word, ":" or "*"; "" at the end */
    int word_line;
    bool cost;
    size_t order;
    long long most_states; /* as many observations, which become states */
} reader;

static _Noreturn void fail(const reader *r, const char *what)
{
    escape_found(r->p->e, r->p->name, r->word_line, what, r->word[0] ? r->word : "the end of the file");
}

/* ---- words ---------------------------------------------------------------------------------------------------- */

static void advance(reader *r)
{
    size_t n = 0;
    for (;; r->at++) {
        if (*r->at == '#') r->at += strcspn(r->at, "\n");
        if (*r->at == '\n') r->line++;
        if (!ascii_space(*r->at)) break;
    }
    r->word_line = r->line;
    if (*r->at == ':' || *r->at == '*')
        n = 1;
    else
        n = strcspn(r->at, ":*# \t\r\n\f\v");
    if (n >= WORD) escape_at(r->p->e, r->p->name, r->line, "a word is too long");
    memcpy(r->word, r->at, n);
    r->word[n] = '\0';
    r->at += n;
}

static bool is(const reader *r, const char *word) { return ascii_same(r->word, word, SIZE_MAX); }

static void take(reader *r, const char *word)
{
    char expected[32];
    format_text(expected, sizeof expected, "expected \"%s\"", word);
    if (!is(r, word)) fail(r, expected);
    advance(r);
}

static bool is_number(const reader *r, double *value)
{
    char *end;
    if (!strchr("+-.0123456789", r->word[0]) || !r->word[0]) return false;
    *value = number_read(r->word, &end);
    return *end == '\0' && *value >= -1e300 && *value <= 1e300;
}

static double take_number(reader *r)
{
    double value = 0;
    if (!is_number(r, &value)) fail(r, "expected a number");
    advance(r);
    return value;
}

static double take_probability(reader *r)
{
    double value = 0;
    if (!is_number(r, &value) || !(value >= 0 && value <= 1 + 1e-6)) fail(r, "expected a probability");
    advance(r);
    return value;
}

/* Does a new part of the file begin here, or does it end? */
static bool at_part(const reader *r)
{
    static const char *const part[] = {"discount", "values", "states", "actions", "observations", "start", "T", "O", "R", ""};
    const char *behind = r->at + strspn(r->at, " \t\r\n");
    bool known = false;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) known = known || strcmp(r->word, part[i]) == 0;
    return known && (r->word[0] == '\0' || *behind == ':' || is(r, "start"));
}

/* Names one of them, by name or number, or all of them, ANY. */
static int take_one_of(reader *r, const names *known, const char *what)
{
    char expected[64];
    double number;
    int which = names_find(known, r->word);
    if (is(r, "*"))
        which = ANY;
    else if (which < 0 && is_number(r, &number) && number >= 0 && number < known->count && number == (int)number)
        which = (int)number;
    else if (which < 0) {
        format_text(expected, sizeof expected, "expected %s that is declared", what);
        fail(r, expected);
    }
    advance(r);
    return which;
}

/* ---- the head ------------------------------------------------------------------------------------------------- */

/* No list may grow beyond the caller's limit on states. */
static _Noreturn void too_many(const reader *r, const char *what)
{
    escape_fail(r->p->e, VOUCH_ERROR_SIZE, "%s:%d: more than %lld %s", r->p->name, r->word_line, r->most_states, what);
}

/* "states: 3" or "states: a b c"; what: the word before the colon. */
static void read_names(reader *r, names *list, const char *what)
{
    double number = 0;
    long long most = strcmp(what, "actions") == 0 ? MOST_NAMES : r->most_states;
    if (list->count > 0) fail(r, "it is declared twice");
    if (is_number(r, &number)) {
        if (!(number >= 1 && number <= MOST_NAMES) || number != (int)number) fail(r, "expected names, or how many there are");
        if (number > (double)most) too_many(r, what);
        for (int i = 0; i < (int)number; i++) {
            char name[16];
            format_text(name, sizeof name, "%d", i);
            must_count(r->p->e, names_add(list, name));
        }
        advance(r);
        return;
    }
    for (; !at_part(r); advance(r)) {
        if (is(r, ":") || is(r, "*") || is_number(r, &number)) fail(r, "expected a name");
        if (names_find(list, r->word) >= 0) fail(r, "this name is declared twice");
        if (list->count >= most) too_many(r, what);
        must_count(r->p->e, names_add(list, r->word));
    }
    if (!list->count) fail(r, "expected names, or how many there are");
}

/* Those marked are equally likely. */
static void spread(reader *r, double wanted)
{
    int n = 0, X = r->p->states.count;
    for (int x = 0; x < X; x++) n += r->p->first[x] == wanted;
    if (n == 0) fail(r, "no state is left to begin in");
    for (int x = 0; x < X; x++) r->p->first[x] = r->p->first[x] == wanted ? 1.0 / n : 0;
}

static void read_marked(reader *r, bool include)
{
    take(r, ":");
    while (!at_part(r)) {
        int x = take_one_of(r, &r->p->states, "a state");
        for (int y = 0; y < r->p->states.count; y++)
            if (x == ANY || x == y) r->p->first[y] = 1;
    }
    spread(r, include ? 1 : 0);
}

static void read_start(reader *r)
{
    int X = r->p->states.count, n = 0;
    double value = 0, sum = 0;
    if (X == 0) fail(r, "\"states:\" must come before \"start\"");
    for (int x = 0; x < X; x++) r->p->first[x] = 0;
    if (is(r, "include") || is(r, "exclude")) {
        bool include = is(r, "include");
        advance(r);
        read_marked(r, include);
        return;
    }
    take(r, ":");
    if (is(r, "uniform")) {
        advance(r);
        spread(r, 0);
        return;
    }
    if (!is_number(r, &value)) {
        n = take_one_of(r, &r->p->states, "a state");
        for (int x = 0; x < X; x++) r->p->first[x] = n == ANY ? 1.0 / X : x == n;
        return;
    }
    double alone = value;
    for (; is_number(r, &value) && n < X; n++) {
        if (value < 0) fail(r, "expected a probability");
        r->p->first[n] = value;
        sum += value;
        advance(r);
    }
    if (n == 1 && alone >= 0 && alone < X && alone == (int)alone) {
        r->p->first[0] = 0;
        r->p->first[(int)alone] = 1;
    } else if ((n < X || !(sum >= 1 - 1e-6 && sum <= 1 + 1e-6)))
        escape_at(r->p->e, r->p->name, r->word_line, "start: %d probabilities that sum to %.10g; expected %d that sum to 1", n, sum,
                  X);
}

static size_t row_number(const pomdp *p, int action, int state) { return (size_t)action * (size_t)p->states.count + (size_t)state; }

/* ---- T, O, R -------------------------------------------------------------------------------------------------- */

static void add_entry(reader *r, pomdp_table *t, int action, int state, int column, double value)
{
    if (t->entry_count >= MOST_ENTRIES) escape_fail(r->p->e, VOUCH_ERROR_SIZE, "%s: too many probabilities", r->p->name);
    ESCAPE_PUSH(r->p->e, t, entry, (pomdp_entry){action, state, column, value, r->order});
}

/* One value into the entries that action, state and column name. */
static void set_entries(reader *r, pomdp_table *t, int columns, int action, int state, int column, double value)
{
    const pomdp *p = r->p;
    r->order++;
    for (int a = action < 0 ? 0 : action; a < (action < 0 ? p->actions.count : action + 1); a++)
        for (int x = state < 0 ? 0 : state; x < (state < 0 ? p->states.count : state + 1); x++) {
            if (column == ANY) t->cleared[row_number(p, a, x)] = r->order;
            for (int c = column < 0 ? 0 : column; c < (column < 0 ? columns : column + 1); c++)
                if (value > 0 || column != ANY) add_entry(r, t, a, x, c, value);
        }
}

/* The rows that action and state name are emptied. */
static void clear(reader *r, pomdp_table *t, int action, int state) { set_entries(r, t, 1, action, state, ANY, 0); }

static void read_row(reader *r, pomdp_table *t, int columns, int action, int state)
{
    bool moves = t == &r->p->moves;
    clear(r, t, action, state);
    if (is(r, "uniform")) {
        set_entries(r, t, columns, action, state, ANY, 1.0 / columns);
        advance(r);
        return;
    }
    bool reset = moves && is(r, "reset");
    for (int c = 0; c < columns; c++) {
        double value = reset ? r->p->first[c] : take_probability(r);
        if (value > 0) set_entries(r, t, columns, action, state, c, value);
    }
    if (reset) advance(r);
}

static void read_matrix(reader *r, pomdp_table *t, int columns, int action)
{
    bool identity = t == &r->p->moves && is(r, "identity");
    if (is(r, "uniform") || is(r, "reset")) {
        read_row(r, t, columns, action, ANY);
        return;
    }
    for (int x = 0; x < r->p->states.count; x++)
        if (!identity)
            read_row(r, t, columns, action, x);
        else {
            clear(r, t, action, x);
            set_entries(r, t, columns, action, x, x, 1);
        }
    if (identity) advance(r);
}

/* The rest of a line after "T:" or "O:". */
static void read_probabilities(reader *r, pomdp_table *t, const names *columns, const char *what)
{
    int action = take_one_of(r, &r->p->actions, "an action");
    if (!is(r, ":")) {
        read_matrix(r, t, columns->count, action);
        return;
    }
    advance(r);
    int state = take_one_of(r, &r->p->states, "a state");
    if (!is(r, ":")) {
        read_row(r, t, columns->count, action, state);
        return;
    }
    advance(r);
    int column = take_one_of(r, columns, what);
    set_entries(r, t, columns->count, action, state, column, take_probability(r));
}

static void add_pay(reader *r, int action, int state, int next, int observation)
{
    pomdp *p = r->p;
    double value = take_number(r);
    if (p->pay_count >= MOST_ENTRIES) escape_fail(r->p->e, VOUCH_ERROR_SIZE, "%s: too many rewards", p->name);
    int *last = next >= 0 ? &p->last_of_next[next] : &p->last_of_state[state >= 0 ? state : p->states.count];
    ESCAPE_PUSH(p->e, p, pay, (pomdp_pay){action, state, next, observation, r->cost ? -value : value, *last});
    *last = (int)p->pay_count - 1;
}

static void read_rewards(reader *r)
{
    const pomdp *p = r->p;
    int action = take_one_of(r, &p->actions, "an action"), next = ANY;
    take(r, ":");
    int state = take_one_of(r, &p->states, "a state");
    bool each_next = !is(r, ":");
    if (!each_next) {
        advance(r);
        next = take_one_of(r, &p->states, "a state");
    }
    if (!each_next && is(r, ":")) {
        advance(r);
        int observation = take_one_of(r, &p->observations, "an observation");
        add_pay(r, action, state, next, observation);
        return;
    }
    for (int y = each_next ? 0 : next; y < (each_next ? p->states.count : next + 1); y++)
        for (int o = 0; o < p->observations.count; o++) add_pay(r, action, state, y, o);
}

static int by_row(const void *a, const void *b)
{
    const pomdp_entry *x = a, *y = b;
    if (x->action != y->action) return x->action < y->action ? -1 : 1;
    if (x->state != y->state) return x->state < y->state ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Sorts the entries of a table; of equal places only the last one stays. */
static void sort_rows(const pomdp *p, pomdp_table *t)
{
    size_t rows = row_number(p, p->actions.count, 0), kept = 0, at = 0;
    t->start = ESCAPE_ZERO(p->e, size_t, rows + 1);
    if (t->entry_count > 1) qsort(t->entry, t->entry_count, sizeof *t->entry, by_row);
    for (size_t i = 0; i < t->entry_count; i++) {
        const pomdp_entry *e = &t->entry[i], *later = i + 1 < t->entry_count ? e + 1 : NULL;
        size_t row = row_number(p, e->action, e->state);
        for (; at <= row; at++) t->start[at] = kept;
        bool last = !later || later->action != e->action || later->state != e->state || later->column != e->column;
        if (last && e->p > 0 && e->order >= t->cleared[row]) t->entry[kept++] = *e;
    }
    for (; at <= rows; at++) t->start[at] = kept;
    t->entry_count = kept;
}

/* ---- the file ------------------------------------------------------------------------------------------------- */

/* Memory for the tables, once states, actions and observations are declared. */
static void make_room(pomdp *p)
{
    size_t X = (size_t)p->states.count, rows = X * (size_t)p->actions.count;
    if (rows > MOST_ENTRIES) escape_fail(p->e, VOUCH_ERROR_SIZE, "%s: too many states and actions", p->name);
    p->moves.cleared = ESCAPE_ZERO(p->e, size_t, rows);
    p->sights.cleared = ESCAPE_ZERO(p->e, size_t, rows);
    p->last_of_next = ESCAPE_NEW(p->e, int, X);
    p->last_of_state = ESCAPE_NEW(p->e, int, X + 1);
    for (size_t x = 0; x <= X; x++) p->last_of_state[x] = -1;
    for (size_t x = 0; x < X; x++) p->last_of_next[x] = -1;
}

static void read_values(reader *r)
{
    if (!is(r, "reward") && !is(r, "cost")) fail(r, "expected reward or cost");
    r->cost = is(r, "cost");
    advance(r);
}

/* "states:" and so on; part: the word behind which the file stands now. */
static void read_head_part(reader *r, const char *part)
{
    pomdp *p = r->p;
    names *list = strcmp(part, "states") == 0 ? &p->states : strcmp(part, "actions") == 0 ? &p->actions : &p->observations;
    if (strcmp(part, "discount") == 0) {
        p->discount = take_number(r);
        return;
    }
    if (strcmp(part, "values") == 0) {
        read_values(r);
        return;
    }
    read_names(r, list, part);
    if (list != &p->states) return;
    p->first = ESCAPE_NEW(r->p->e, double, p->states.count);
    for (int x = 0; x < p->states.count; x++) p->first[x] = 1.0 / p->states.count;
}

static void read_part(reader *r)
{
    pomdp *p = r->p;
    char part[WORD];
    bool start = is(r, "start");
    if (!at_part(r)) fail(r, "expected discount, values, states, actions, observations, start, T, O or R and a colon");
    memcpy(part, r->word, sizeof part);
    advance(r);
    if (start) {
        read_start(r);
        return;
    }
    bool head = strlen(part) > 1;
    if (!head && (p->states.count == 0 || p->actions.count == 0 || p->observations.count == 0))
        fail(r, "states, actions and observations must be declared before");
    if (!head && !p->moves.cleared) make_room(p);
    take(r, ":");
    if (head) {
        read_head_part(r, part);
        return;
    }
    if (part[0] == 'T')
        read_probabilities(r, &p->moves, &p->states, "a state");
    else if (part[0] == 'O')
        read_probabilities(r, &p->sights, &p->observations, "an observation");
    else
        read_rewards(r);
}

void pomdp_read(pomdp *p, escape *e, const file_content *file, long long most_states)
{
    *p = (pomdp){.name = file->name, .e = e, .discount = 1};
    escape_names(e, &p->states);
    escape_names(e, &p->actions);
    escape_names(e, &p->observations);
    reader r = {.p = p, .at = file->bytes, .line = 1, .most_states = most_states};
    must(e, file_check_text(file, e->error));
    advance(&r);
    while (r.word[0]) read_part(&r);
    if (!p->moves.cleared) fail(&r, "expected transitions, T:");
    sort_rows(p, &p->moves);
    sort_rows(p, &p->sights);
}

typedef struct pomdp_input {
    pomdp *p;
    escape *e;
    const file_content *file;
} pomdp_input;

static void read_input(void *object)
{
    pomdp_input *in = object;
    pomdp_read(in->p, in->e, in->file, INT_MAX);
}

vouch_status pomdp_open(pomdp *p, escape *e, const file_content *file)
{
    return escape_try(e, read_input, &(pomdp_input){p, e, file});
}

/* ---- after reading ------------------------------------------------------------------------------------------- */

const pomdp_entry *pomdp_row(const pomdp_table *table, const pomdp *p, int action, int state, int *count)
{
    size_t row = row_number(p, action, state);
    CHECK(table->start);
    *count = (int)(table->start[row + 1] - table->start[row]);
    return *count ? table->entry + table->start[row] : NULL; /* a table may be empty */
}

double pomdp_reward(const pomdp *p, int action, int state, int next, int observation)
{
    const int chain[] = {p->last_of_next[next], p->last_of_state[state], p->last_of_state[p->states.count]};
    int found = -1;
    for (size_t c = 0; c < sizeof chain / sizeof *chain; c++)
        for (int i = chain[c]; i > found; i = p->pay[i].before) {
            const pomdp_pay *pay = &p->pay[i];
            if ((pay->action < 0 || pay->action == action) && (pay->state < 0 || pay->state == state) &&
                (pay->observation < 0 || pay->observation == observation)) {
                found = i;
                break;
            }
        }
    return found < 0 ? 0 : p->pay[found].value;
}
