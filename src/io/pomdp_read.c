/* io/pomdp_read.c - reading a POMDP in Cassandra's format.
 *
 *   discount: 1   values: reward|cost   states: N|names   actions: ..   observations: ..   start: ..
 *   T: action : state : state' p        T: action : state  row        T: action  matrix
 *   O: action : state' : observation p  ..                            R: action : state : state' : observation value  ..
 *
 * An asterisk stands for all; what comes later replaces what came before; rows and matrices may be "uniform", those of T "identity"
 * or "reset". Source: A. R. Cassandra, "Input POMDP file format", and the grammar of pomdp-solve (parser.y).
 */
#include "io/pomdp_read.h"

#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"

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

static vouch_status fail(const reader *r, const char *what)
{
    return error_found(r->p->error, r->p->name, r->word_line, what, r->word[0] ? r->word : "the end of the file");
}

/* ---- words ---------------------------------------------------------------------------------------------------- */

static vouch_status advance(reader *r)
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
    if (n >= WORD) return error_at(r->p->error, r->p->name, r->line, "a word is too long");
    memcpy(r->word, r->at, n);
    r->word[n] = '\0';
    r->at += n;
    return VOUCH_OK;
}

static bool is(const reader *r, const char *word) { return ascii_same(r->word, word, SIZE_MAX); }

static vouch_status take(reader *r, const char *word)
{
    char expected[32];
    format_text(expected, sizeof expected, "expected \"%s\"", word);
    return is(r, word) ? advance(r) : fail(r, expected);
}

static bool is_number(const reader *r, double *value)
{
    char *end;
    if (!strchr("+-.0123456789", r->word[0]) || !r->word[0]) return false;
    *value = number_read(r->word, &end);
    return *end == '\0' && *value >= -1e300 && *value <= 1e300;
}

static vouch_status take_number(reader *r, double *value)
{
    return is_number(r, value) ? advance(r) : fail(r, "expected a number");
}

static vouch_status take_probability(reader *r, double *value)
{
    if (!is_number(r, value) || !(*value >= 0 && *value <= 1 + 1e-6)) return fail(r, "expected a probability");
    return advance(r);
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
static vouch_status take_one_of(reader *r, const names *known, const char *what, int *which)
{
    char expected[64];
    double number;
    *which = names_find(known, r->word);
    if (is(r, "*"))
        *which = ANY;
    else if (*which < 0 && is_number(r, &number) && number >= 0 && number < known->count && number == (int)number)
        *which = (int)number;
    else if (*which < 0) {
        format_text(expected, sizeof expected, "expected %s that is declared", what);
        return fail(r, expected);
    }
    return advance(r);
}

/* ---- the head ------------------------------------------------------------------------------------------------- */

/* No list may grow beyond what the caller allows of states. */
static vouch_status too_many(const reader *r, const char *what)
{
    return error_set(r->p->error, VOUCH_ERROR_SIZE, "%s:%d: more than %lld %s", r->p->name, r->word_line, r->most_states, what);
}

/* "states: 3" or "states: a b c"; what: the word before the colon. */
static vouch_status read_names(reader *r, names *list, const char *what)
{
    double number = 0;
    long long most = strcmp(what, "actions") == 0 ? MOST_NAMES : r->most_states;
    if (list->count > 0) return fail(r, "it is declared twice");
    if (is_number(r, &number)) {
        if (!(number >= 1 && number <= MOST_NAMES) || number != (int)number)
            return fail(r, "expected names, or how many there are");
        if (number > (double)most) return too_many(r, what);
        for (int i = 0; i < (int)number; i++) {
            char name[16];
            format_text(name, sizeof name, "%d", i);
            if (names_add(list, name) < 0) return error_memory(r->p->error);
        }
        return advance(r);
    }
    for (vouch_status status = VOUCH_OK; !at_part(r); status = advance(r)) {
        if (status) return status;
        if (is(r, ":") || is(r, "*") || is_number(r, &number)) return fail(r, "expected a name");
        if (names_find(list, r->word) >= 0) return fail(r, "this name is declared twice");
        if (list->count >= most) return too_many(r, what);
        if (names_add(list, r->word) < 0) return error_memory(r->p->error);
    }
    return list->count ? VOUCH_OK : fail(r, "expected names, or how many there are");
}

/* Those marked are equally likely. */
static vouch_status spread(reader *r, double wanted)
{
    int n = 0, X = r->p->states.count;
    for (int x = 0; x < X; x++) n += r->p->first[x] == wanted;
    if (n == 0) return fail(r, "no state is left to begin in");
    for (int x = 0; x < X; x++) r->p->first[x] = r->p->first[x] == wanted ? 1.0 / n : 0;
    return VOUCH_OK;
}

static vouch_status read_marked(reader *r, bool include)
{
    vouch_status status = take(r, ":");
    while (!status && !at_part(r)) {
        int x = 0;
        status = take_one_of(r, &r->p->states, "a state", &x);
        for (int y = 0; y < r->p->states.count && !status; y++)
            if (x == ANY || x == y) r->p->first[y] = 1;
    }
    return status ? status : spread(r, include ? 1 : 0);
}

static vouch_status read_start(reader *r)
{
    int X = r->p->states.count, n = 0;
    double value = 0, sum = 0;
    if (X == 0) return fail(r, "\"states:\" must come before \"start\"");
    for (int x = 0; x < X; x++) r->p->first[x] = 0;
    if (is(r, "include") || is(r, "exclude")) {
        bool include = is(r, "include");
        vouch_status status = advance(r);
        return status ? status : read_marked(r, include);
    }
    vouch_status status = take(r, ":");
    if (!status && is(r, "uniform")) {
        status = advance(r);
        return status ? status : spread(r, 0);
    }
    if (!status && !is_number(r, &value)) {
        status = take_one_of(r, &r->p->states, "a state", &n);
        for (int x = 0; x < X && !status; x++) r->p->first[x] = n == ANY ? 1.0 / X : x == n;
        return status;
    }
    double alone = value;
    for (; !status && is_number(r, &value) && n < X; n++) {
        if (value < 0) return fail(r, "expected a probability");
        r->p->first[n] = value;
        sum += value;
        status = advance(r);
    }
    if (!status && n == 1 && alone >= 0 && alone < X && alone == (int)alone) {
        r->p->first[0] = 0;
        r->p->first[(int)alone] = 1;
    } else if (!status && (n < X || !(sum >= 1 - 1e-6 && sum <= 1 + 1e-6))) {
        return error_at(r->p->error, r->p->name, r->word_line,
                        "start: %d probabilities that sum to %.10g; expected %d that sum to 1", n, sum, X);
    }
    return status;
}

/* ---- T, O, R -------------------------------------------------------------------------------------------------- */

static vouch_status add_entry(reader *r, pomdp_table *t, int action, int state, int column, double value)
{
    if (t->count >= MOST_ENTRIES) return error_set(r->p->error, VOUCH_ERROR_SIZE, "%s: too many probabilities", r->p->name);
    if (MEM_RESERVE(&t->entry, &t->capacity, t->count)) return error_memory(r->p->error);
    t->entry[t->count++] = (pomdp_entry){action, state, column, value, r->order};
    return VOUCH_OK;
}

/* One value into the entries that action, state and column name. */
static vouch_status set_entries(reader *r, pomdp_table *t, int columns, int action, int state, int column, double value)
{
    const pomdp *p = r->p;
    vouch_status status = VOUCH_OK;
    r->order++;
    for (int a = action < 0 ? 0 : action; a < (action < 0 ? p->actions.count : action + 1); a++)
        for (int x = state < 0 ? 0 : state; x < (state < 0 ? p->states.count : state + 1); x++) {
            if (column == ANY) t->cleared[pomdp_row_number(p, a, x)] = r->order;
            for (int c = column < 0 ? 0 : column; c < (column < 0 ? columns : column + 1) && !status; c++)
                if (value > 0 || column != ANY) status = add_entry(r, t, a, x, c, value);
            if (status) return status;
        }
    return status;
}

/* The rows that action and state name are emptied. */
static vouch_status clear(reader *r, pomdp_table *t, int action, int state) { return set_entries(r, t, 1, action, state, ANY, 0); }

static vouch_status read_row(reader *r, pomdp_table *t, int columns, int action, int state)
{
    double value = 0;
    bool moves = t == &r->p->moves;
    vouch_status status = clear(r, t, action, state);
    if (status) return status;
    if (is(r, "uniform")) {
        status = set_entries(r, t, columns, action, state, ANY, 1.0 / columns);
        return status ? status : advance(r);
    }
    bool reset = moves && is(r, "reset");
    for (int c = 0; c < columns && !status; c++) {
        if (reset)
            value = r->p->first[c];
        else
            status = take_probability(r, &value);
        if (!status && value > 0) status = set_entries(r, t, columns, action, state, c, value);
    }
    return status || !reset ? status : advance(r);
}

static vouch_status read_matrix(reader *r, pomdp_table *t, int columns, int action)
{
    vouch_status status = VOUCH_OK;
    bool identity = t == &r->p->moves && is(r, "identity");
    if (is(r, "uniform") || is(r, "reset")) return read_row(r, t, columns, action, ANY);
    for (int x = 0; x < r->p->states.count && !status; x++) {
        if (!identity)
            status = read_row(r, t, columns, action, x);
        else if (!(status = clear(r, t, action, x)))
            status = set_entries(r, t, columns, action, x, x, 1);
    }
    return status || !identity ? status : advance(r);
}

/* What stands behind "T:" and "O:". */
static vouch_status read_probabilities(reader *r, pomdp_table *t, const names *columns, const char *what)
{
    int action = 0, state = 0, column = 0;
    double value = 0;
    vouch_status status = take_one_of(r, &r->p->actions, "an action", &action);
    if (status || !is(r, ":")) return status ? status : read_matrix(r, t, columns->count, action);
    status = advance(r);
    if (!status) status = take_one_of(r, &r->p->states, "a state", &state);
    if (status || !is(r, ":")) return status ? status : read_row(r, t, columns->count, action, state);
    status = advance(r);
    if (!status) status = take_one_of(r, columns, what, &column);
    if (!status) status = take_probability(r, &value);
    return status ? status : set_entries(r, t, columns->count, action, state, column, value);
}

static vouch_status add_pay(reader *r, int action, int state, int next, int observation)
{
    pomdp *p = r->p;
    double value = 0;
    vouch_status status = take_number(r, &value);
    if (status) return status;
    if (p->pay_count >= MOST_ENTRIES) return error_set(p->error, VOUCH_ERROR_SIZE, "%s: too many rewards", p->name);
    if (MEM_RESERVE(&p->pay, &p->pay_capacity, p->pay_count)) return error_memory(p->error);
    int *last = next >= 0 ? &p->last_of_next[next] : &p->last_of_state[state >= 0 ? state : p->states.count];
    p->pay[p->pay_count] = (pomdp_pay){action, state, next, observation, r->cost ? -value : value, *last};
    *last = (int)p->pay_count++;
    return VOUCH_OK;
}

static vouch_status read_rewards(reader *r)
{
    int action = 0, state = 0, next = 0, observation = 0;
    const pomdp *p = r->p;
    vouch_status status = take_one_of(r, &p->actions, "an action", &action);
    if (!status) status = take(r, ":");
    if (!status) status = take_one_of(r, &p->states, "a state", &state);
    if (!status && !is(r, ":")) {
        for (int y = 0; y < p->states.count; y++)
            for (int o = 0; o < p->observations.count && !status; o++) status = add_pay(r, action, state, y, o);
        return status;
    }
    if (!status) status = advance(r);
    if (!status) status = take_one_of(r, &p->states, "a state", &next);
    if (!status && !is(r, ":")) {
        for (int o = 0; o < p->observations.count && !status; o++) status = add_pay(r, action, state, next, o);
        return status;
    }
    if (!status) status = advance(r);
    if (!status) status = take_one_of(r, &p->observations, "an observation", &observation);
    return status ? status : add_pay(r, action, state, next, observation);
}

/* ---- the file ------------------------------------------------------------------------------------------------- */

/* Room for what is counted by states, actions and observations, once all three are declared. */
static vouch_status make_room(pomdp *p)
{
    size_t X = (size_t)p->states.count, rows = X * (size_t)p->actions.count;
    if (rows > MOST_ENTRIES) return error_set(p->error, VOUCH_ERROR_SIZE, "%s: too many states and actions", p->name);
    p->moves.cleared = MEM_ZERO(size_t, rows);
    p->sights.cleared = MEM_ZERO(size_t, rows);
    p->last_of_next = MEM_NEW(int, X);
    p->last_of_state = MEM_NEW(int, X + 1);
    if (!p->moves.cleared || !p->sights.cleared || !p->last_of_next || !p->last_of_state) return error_memory(p->error);
    for (size_t x = 0; x <= X; x++) p->last_of_state[x] = -1;
    for (size_t x = 0; x < X; x++) p->last_of_next[x] = -1;
    return VOUCH_OK;
}

static vouch_status read_values(reader *r)
{
    if (!is(r, "reward") && !is(r, "cost")) return fail(r, "expected reward or cost");
    r->cost = is(r, "cost");
    return advance(r);
}

/* "states:" and so on; part: the word behind which the file stands now. */
static vouch_status read_head_part(reader *r, const char *part)
{
    pomdp *p = r->p;
    names *list = strcmp(part, "states") == 0 ? &p->states : strcmp(part, "actions") == 0 ? &p->actions : &p->observations;
    if (strcmp(part, "discount") == 0) return take_number(r, &p->discount);
    if (strcmp(part, "values") == 0) return read_values(r);
    vouch_status status = read_names(r, list, part);
    if (status || list != &p->states) return status;
    p->first = MEM_NEW(double, p->states.count);
    if (!p->first) return error_memory(p->error);
    for (int x = 0; x < p->states.count; x++) p->first[x] = 1.0 / p->states.count;
    return VOUCH_OK;
}

static vouch_status read_part(reader *r)
{
    pomdp *p = r->p;
    char part[WORD];
    bool start = is(r, "start");
    if (!at_part(r)) return fail(r, "expected discount, values, states, actions, observations, start, T, O or R and a colon");
    memcpy(part, r->word, sizeof part);
    vouch_status status = advance(r);
    if (status || start) return status ? status : read_start(r);
    bool head = strlen(part) > 1;
    if (!head && (p->states.count == 0 || p->actions.count == 0 || p->observations.count == 0))
        return fail(r, "states, actions and observations must be declared before");
    if (!head && !p->moves.cleared) status = make_room(p);
    if (!status) status = take(r, ":");
    if (status || head) return status ? status : read_head_part(r, part);
    if (part[0] == 'T') return read_probabilities(r, &p->moves, &p->states, "a state");
    if (part[0] == 'O') return read_probabilities(r, &p->sights, &p->observations, "an observation");
    return read_rewards(r);
}

vouch_status pomdp_read(pomdp *p, const file_content *file, long long most_states, vouch_error *error)
{
    *p = (pomdp){.name = file->name, .error = error, .discount = 1};
    reader r = {.p = p, .at = file->bytes, .line = 1, .most_states = most_states};
    vouch_status status = file_check_text(file, error);
    if (!status) status = advance(&r);
    while (!status && r.word[0]) status = read_part(&r);
    if (!status && !p->moves.cleared) status = fail(&r, "expected transitions, T:");
    if (!status) status = pomdp_settle(p, &p->moves);
    return status ? status : pomdp_settle(p, &p->sights);
}
