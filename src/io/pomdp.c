/* io/pomdp.c - a model as a POMDP in Cassandra's format, whose hidden part is the environment; see formats.h.
 *
 * The observation is the state reached and the reward paid on the way, together an arrival. A state of the POMDP is therefore an
 * environment and an arrival, and there are K times as many states as arrivals. Format: A. R. Cassandra, "Input POMDP file format",
 * pomdp-solve.
 */

#include "io/formats.h"
#include "mdp/model.h"

/* Reading a POMDP in Cassandra's format.
 *
 *   discount: 1   values: reward|cost   states: N|names   actions: ..   observations: ..   start: ..
 *   T: action : state : state' p        T: action : state  row        T: action  matrix
 *   O: action : state' : observation p  ..                            R: action : state : state' : observation value  ..
 *
 * An asterisk means all; later lines replace earlier ones; rows and matrices may be "uniform", and in T "identity" or "reset".
 * Source: A. R. Cassandra, "Input POMDP file format", and the grammar of pomdp-solve (parser.y)
 */

enum { WORD = 256, MOST_NAMES = 1000000, MOST_ENTRIES = 50000000, ANY = -1 };

typedef struct reader {
    pomdp *p;
    const char *at;
    int line;
    char word[WORD]; /* the next word, ":" or "*"; "" at the end */
    int word_line;
    size_t order;
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

/* No list may grow beyond the caller's limit on states. */
static _Noreturn void too_many(const reader *r, const char *what)
{
    escape_fail(r->p->e, VOUCH_ERROR_SIZE, "%s:%d: more than %lld %s", r->p->name, r->word_line, r->p->most_states, what);
}

/* "states: 3" or "states: a b c"; what: the word before the colon. */
static void read_names(reader *r, names *list, const char *what)
{
    double number = 0;
    long long most = strcmp(what, "actions") == 0 ? MOST_NAMES : r->p->most_states;
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
    ESCAPE_PUSH(p->e, p, pay, (pomdp_pay){action, state, next, observation, value, *last});
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
    r->p->cost = is(r, "cost");
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

/* Into a pomdp {.file, .e, .most_states}, whose rows are then sorted. */
static void pomdp_read(void *object)
{
    pomdp *p = object;
    escape *e = p->e;
    p->name = p->file->name;
    p->discount = 1;
    escape_names(e, &p->states);
    escape_names(e, &p->actions);
    escape_names(e, &p->observations);
    reader r = {.p = p, .at = p->file->bytes, .line = 1};
    must(e, file_check_text(p->file, e->error));
    advance(&r);
    while (r.word[0]) read_part(&r);
    if (!p->moves.cleared) fail(&r, "expected transitions, T:");
    sort_rows(p, &p->moves);
    sort_rows(p, &p->sights);
}

vouch_status pomdp_open(pomdp *p, escape *e, const file_content *file)
{
    *p = (pomdp){.file = file, .e = e, .most_states = INT_MAX};
    return escape_try(e, pomdp_read, p);
}

static const pomdp_entry *pomdp_row(const pomdp_table *table, const pomdp *p, int action, int state, int *count)
{
    size_t row = row_number(p, action, state);
    CHECK(table->start);
    *count = (int)(table->start[row + 1] - table->start[row]);
    return *count ? table->entry + table->start[row] : NULL; /* a table may be empty */
}

/* The reward. */
static double pomdp_reward(const pomdp *p, int action, int state, int next, int observation)
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

/* ---- the model ----------------------------------------------------------------------------------------------------- */

/* A model of a POMDP whose hidden part never changes; see formats.h.
 *
 * Environments are the states in which it may begin, and the true one stays hidden. After that the initial state and the last
 * observation must determine the state, so that the observations are the states of the model; other POMDPs are refused. vouch's
 * agent sees its reward, the agent of a POMDP does not; the discount is not used.
 */

enum { MOST_CELLS = 100000000 };

/* The comments that pomdp.c writes: names, which this format cannot hold, and which observations are one state of the model.
 *
 *   # vouch: NAME, ..                           the first line
 *   # environment 0: NAME
 *   # action 0: NAME
 *   # arrival 0: reward 1.5, actions 0 2, state NAME
 */
typedef struct pomdp_remarks {
    names environments, actions, states;
    int *state_of; /* [O]: of an observation, a number in `states` */
    bool *acts;    /* [O * A]: the actions that are there */
} pomdp_remarks;

typedef struct pomdp_family {
    pomdp read;
    const pomdp *p; /* = &read */
    mdp_family f;
    const file_content *file;
    int *begins;            /* [K]: the first state of each environment */
    int *emitter;           /* [K * O]: the state that an observation means, -1: it is not made */
    int *queue;             /* [X] */
    bool *seen;             /* [X]: in the environment at hand */
    pomdp_remarks said;     /* by the file */
    pomdp_remarks *remarks; /* NULL: none, or they do not hold */
    int own_start;          /* the state before the first observation, where no observation is it; -1: none */
} pomdp_family;

static int *emitter_of(const pomdp_family *b, int k, int o)
{
    return &b->emitter[(size_t)k * (size_t)b->p->observations.count + (size_t)o];
}

static const char *state_text(const pomdp_family *b, int x) { return names_text(&b->p->states, x); }

/* The sum of a row, which must be about 1. */
static double row_sum(const pomdp_family *b, const pomdp_table *t, int a, int x)
{
    int n;
    const pomdp_entry *e = pomdp_row(t, b->p, a, x, &n);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += e[i].p;
    if (!(sum >= 1 - MODEL_SUM_TOLERANCE && sum <= 1 + MODEL_SUM_TOLERANCE))
        escape_fail(b->f.e, VOUCH_ERROR_INPUT,
                    "%s: %s: action \"%.60s\", state \"%.100s\": the probabilities sum to %.10g; expected 1", b->f.path,
                    t == &b->p->moves ? "T" : "O", names_text(&b->p->actions, a), state_text(b, x), sum);
    return sum;
}

/* After action a, in state x: notes the possible observations. */
static void arrive(pomdp_family *b, int k, int a, int x)
{
    int n;
    row_sum(b, &b->p->sights, a, x);
    const pomdp_entry *e = pomdp_row(&b->p->sights, b->p, a, x, &n);
    for (int i = 0; i < n; i++) {
        int *means = emitter_of(b, k, e[i].column);
        if (*means >= 0 && *means != x)
            escape_fail(
                b->f.e, VOUCH_ERROR_INPUT,
                "%s: a POMDP proper, whose hidden part moves; vouch needs a hidden part that stays, so that its first state and "
                "the last observation determine the state: begun in \"%.100s\", the observation \"%.100s\" may mean \"%.100s\" or "
                "\"%.100s\"",
                b->f.path, state_text(b, b->begins[k]), names_text(&b->p->observations, e[i].column), state_text(b, *means),
                state_text(b, x));
        *means = x;
    }
}

/* All states that environment k reaches. */
static void explore(pomdp_family *b, int k)
{
    const pomdp *p = b->p;
    int count = 1;
    memset(b->seen, 0, (size_t)p->states.count * sizeof *b->seen);
    b->queue[0] = b->begins[k];
    b->seen[b->begins[k]] = true;
    for (int at = 0; at < count; at++)
        for (int a = 0; a < p->actions.count; a++) {
            int n;
            row_sum(b, &p->moves, a, b->queue[at]);
            const pomdp_entry *e = pomdp_row(&p->moves, p, a, b->queue[at], &n);
            for (int i = 0; i < n; i++) {
                arrive(b, k, a, e[i].column);
                if (b->seen[e[i].column]) continue;
                b->seen[e[i].column] = true;
                b->queue[count++] = e[i].column;
            }
        }
}

/* The observation of state x, if it is the same after all actions; -1: there are several. */
static int only_sight(const pomdp *p, int x)
{
    int found = -1;
    for (int a = 0; a < p->actions.count; a++) {
        int n;
        const pomdp_entry *e = pomdp_row(&p->sights, p, a, x, &n);
        if (n != 1 || (found >= 0 && e->column != found)) return -1;
        found = e->column;
    }
    return found;
}

/* An observation that all first states make, and that means them, is where the model begins. */
static int common_sight(const pomdp_family *b)
{
    int o = only_sight(b->p, b->begins[0]);
    for (int k = 0; k < b->f.K && o >= 0; k++) {
        int means = *emitter_of(b, k, o);
        if (only_sight(b->p, b->begins[k]) != o || (means >= 0 && means != b->begins[k])) return -1;
    }
    return o;
}

/* ---- remarks -------------------------------------------------------------------------------------------------- */

static bool same_row(const pomdp *p, int a, int x, int b, int y)
{
    int n, m;
    const pomdp_entry *e = pomdp_row(&p->moves, p, a, x, &n), *g = pomdp_row(&p->moves, p, b, y, &m);
    if (n != m) return false;
    for (int i = 0; i < n; i++) {
        if (e[i].column != g[i].column || e[i].p != g[i].p) return false;
        int o = only_sight(p, e[i].column);
        if (o < 0 || pomdp_reward(p, a, x, e[i].column, o) != pomdp_reward(p, b, y, e[i].column, o)) return false;
    }
    return true;
}

/* Behind "# KIND N: " in this line, where N is the number expected; NULL: it says something else. */
static const char *behind(const char *line, const char *kind, int number)
{
    char start[64];
    int n = format_text(start, sizeof start, "# %s %d: ", kind, number);
    return strncmp(line, start, (size_t)n) == 0 ? line + n : NULL;
}

static size_t line_length(const char *s) { return strcspn(s, "\r\n"); }

static bool read_name(names *list, const char *name)
{
    int count = list->count;
    return line_length(name) > 0 && names_add_bytes(list, name, line_length(name)) == count;
}

/* "reward 1.5, actions 0 2, state NAME" of observation o. */
static bool read_arrival(pomdp_remarks *r, const pomdp *p, int o, const char *s)
{
    const char *actions = strstr(s, ", actions"), *end = s + line_length(s);
    int a, n;
    if (!actions || actions > end) return false;
    for (s = actions + strlen(", actions"); scan_text(s, " %d%n", &a, &n) == 1; s += n) {
        if (a < 0 || a >= p->actions.count) return false;
        r->acts[(size_t)o * (size_t)p->actions.count + (size_t)a] = true;
    }
    if (strncmp(s, ", state ", strlen(", state ")) != 0) return false;
    s += strlen(", state ");
    if (s >= end) return false;
    r->state_of[o] = names_add_bytes(&r->states, s, (size_t)(end - s));
    return r->state_of[o] >= 0;
}

/* false: the file has none, or they do not fit it. */
static bool read_remarks(pomdp_family *b)
{
    pomdp_remarks *r = &b->said;
    const char *content = b->file->bytes;
    int A = b->p->actions.count, O = b->p->observations.count, arrivals = 0;
    if (strncmp(content, "# vouch: ", strlen("# vouch: ")) != 0) return false;
    escape_names(b->f.e, &r->environments);
    escape_names(b->f.e, &r->actions);
    escape_names(b->f.e, &r->states);
    r->state_of = ESCAPE_NEW(b->f.e, int, O);
    r->acts = ESCAPE_ZERO(b->f.e, bool, (size_t)O *(size_t)A);
    bool fits = true;
    for (const char *line = content, *rest; fits && *line == '#'; line += line_length(line), line += strspn(line, "\r\n")) {
        if ((rest = behind(line, "environment", r->environments.count)))
            fits = read_name(&r->environments, rest);
        else if ((rest = behind(line, "action", r->actions.count)))
            fits = read_name(&r->actions, rest);
        else if ((rest = behind(line, "arrival", arrivals)))
            fits = arrivals < O && read_arrival(r, b->p, arrivals, rest) && ++arrivals;
    }
    return fits && arrivals == O && r->actions.count == A;
}

/* Are they true? Observations remarked as one state must behave alike, and an action remarked as missing like the first action. */
static bool remarks_hold(const pomdp_family *b, const pomdp_remarks *r, int *first_of)
{
    const pomdp *p = b->p;
    int A = p->actions.count, O = p->observations.count;
    for (int k = 0; k < b->f.K; k++) {
        for (int s = 0; s < r->states.count; s++) first_of[s] = -1;
        for (int o = 0; o < O; o++) {
            int x = *emitter_of(b, k, o), *first = &first_of[r->state_of[o]], acts = 0;
            const bool *there = r->acts + (size_t)o * (size_t)A;
            if (*first < 0) *first = o;
            if (memcmp(there, r->acts + (size_t)*first * (size_t)A, (size_t)A * sizeof *there) != 0) return false;
            if (x < 0) continue;
            while (acts < A && !there[acts]) acts++;
            int y = *emitter_of(b, k, *first);
            if (y < 0) *first = o;
            for (int a = 0; a < A; a++) {
                if (acts < A && !there[a] && !same_row(p, a, x, acts, x)) return false;
                if (acts == A && !same_row(p, a, x, 0, x)) return false;
                if (y >= 0 && !same_row(p, a, x, a, y)) return false;
            }
        }
    }
    return true;
}

/* ---- the family ----------------------------------------------------------------------------------------------- */

static int state_of(const pomdp_family *b, int o) { return b->remarks ? b->remarks->state_of[o] : o; }

static void name_all(pomdp_family *b)
{
    const pomdp *p = b->p;
    mdp_family *f = &b->f;
    const names *state = b->remarks ? &b->remarks->states : &p->observations;
    const names *action = b->remarks ? &b->remarks->actions : &p->actions;
    f->S = state->count + (b->own_start >= 0);
    f->state_name = ESCAPE_ZERO(b->f.e, char *, f->S);
    f->env_name = ESCAPE_ZERO(b->f.e, char *, f->K);
    f->reached = ESCAPE_ZERO(b->f.e, bool, (size_t)f->K *(size_t)f->S);
    for (int s = 0; s < state->count; s++) f->state_name[s] = escape_string(f->e, names_text(state, s));
    for (int i = 0; b->own_start >= 0 && !f->state_name[b->own_start]; i++) {
        char name[32] = "start";
        if (i > 0) format_text(name, sizeof name, "start%d", i);
        if (names_find(state, name) < 0) f->state_name[b->own_start] = escape_string(f->e, name);
    }
    for (int k = 0; k < f->K; k++)
        f->env_name[k] = escape_string(f->e, b->remarks ? names_text(&b->remarks->environments, k) : state_text(b, b->begins[k]));
    for (int a = 0; a < action->count; a++) family_action(f, names_text(action, a));
}

/* What environment k does in state x, as rows of state s. */
static void add_rows(pomdp_family *b, int k, int s, int x, const bool acts[])
{
    const pomdp *p = b->p;
    b->f.reached[(size_t)k * (size_t)b->f.S + (size_t)s] = true;
    for (int a = 0; a < p->actions.count; a++) {
        int n, m;
        if (acts && !acts[a]) continue;
        double moved = row_sum(b, &p->moves, a, x);
        const pomdp_entry *e = pomdp_row(&p->moves, p, a, x, &n);
        for (int i = 0; i < n; i++) {
            double seen = row_sum(b, &p->sights, a, e[i].column);
            const pomdp_entry *o = pomdp_row(&p->sights, p, a, e[i].column, &m);
            for (int j = 0; j < m; j++)
                family_add_row(&b->f, (model_row){k, s, a, state_of(b, o[j].column), e[i].p / moved * (o[j].p / seen),
                                                  pomdp_reward(p, a, x, e[i].column, o[j].column), 0});
        }
    }
}

static void fill(pomdp_family *b, int common)
{
    int O = b->p->observations.count, A = b->p->actions.count;
    name_all(b);
    b->f.initial = b->own_start >= 0 ? b->own_start : state_of(b, common);
    for (int k = 0; k < b->f.K; k++) {
        if (b->own_start >= 0) add_rows(b, k, b->own_start, b->begins[k], NULL);
        for (int o = 0; o < O; o++) {
            int s = state_of(b, o), x = *emitter_of(b, k, o);
            if (x >= 0 && !b->f.reached[(size_t)k * (size_t)b->f.S + (size_t)s])
                add_rows(b, k, s, x, b->remarks ? b->remarks->acts + (size_t)o * (size_t)A : NULL);
        }
    }
}

static void find_environments(pomdp_family *b)
{
    const pomdp *p = b->p;
    int X = p->states.count, K = 0;
    for (int x = 0; x < X; x++) K += p->first[x] > 0;
    b->f.K = K;
    if ((double)K * p->observations.count > MOST_CELLS)
        escape_fail(b->f.e, VOUCH_ERROR_SIZE, "%s: %d states to begin in with %d observations are too many", b->f.path, K,
                    p->observations.count);
    b->begins = ESCAPE_NEW(b->f.e, int, K);
    b->emitter = ESCAPE_NEW(b->f.e, int, (size_t)K *(size_t)p->observations.count);
    b->queue = ESCAPE_NEW(b->f.e, int, X);
    b->seen = ESCAPE_NEW(b->f.e, bool, X);
    K = 0;
    for (int x = 0; x < X; x++)
        if (p->first[x] > 0) b->begins[K++] = x;
    for (size_t i = 0; i < (size_t)K * (size_t)p->observations.count; i++) b->emitter[i] = -1;
    for (int k = 0; k < K; k++) explore(b, k);
}

static void build(void *object)
{
    pomdp_family *b = object;
    mdp_family *f = &b->f;
    long long limit = f->source->state_limit;
    b->read = (pomdp){.file = b->file, .e = f->e, .most_states = limit > 0 ? limit : INT_MAX};
    pomdp_read(&b->read);
    bool said = read_remarks(b);
    family_check_source(f);
    if (f->source->reward || f->source->time_to)
        escape_fail(f->e, VOUCH_ERROR_INPUT,
                    "%s: a POMDP file has neither labels nor named rewards: --reward and --time-to have no meaning", f->path);
    find_environments(b);
    int common = common_sight(b);
    for (int k = 0; k < f->K && common >= 0; k++) *emitter_of(b, k, common) = b->begins[k];
    if (said && common >= 0 && b->said.environments.count == f->K &&
        remarks_hold(b, &b->said, ESCAPE_NEW(f->e, int, b->said.states.count)))
        b->remarks = &b->said;
    b->own_start = common >= 0 ? -1 : b->p->observations.count;
    fill(b, common);
    family_promises(f, NULL);
    family_initial(f);
    family_finish(f);
    if (b->read.cost && vouch_model_set_sense(f->model, VOUCH_MINIMISE)) escape_memory(f->e);
}

vouch_status pomdp_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error)
{
    pomdp_family b = {.p = &b.read, .f = {.path = file->name, .source = source}, .file = file};
    return family_read(&b.f, build, &b, model, error);
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

typedef struct arrival {
    int state;
    double reward;
} arrival;

static int by_arrival(const void *x, const void *y)
{
    const arrival *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    return (a->reward > b->reward) - (a->reward < b->reward);
}

/* All distinct arrivals, *count of them, owned by the caller; the first one of the initial state is the start of the model. */
static arrival *find_arrivals(const vouch_model *m, int *count)
{
    size_t n = 1, kept = 0;
    for (int k = 0; k < m->K; k++) n += (size_t)m->env[k].start[m->pairs];
    n += (size_t)m->S; /* where nothing can be done one stays, for nothing */
    arrival *list = MEM_NEW(arrival, n);
    if (!list) return NULL;
    n = 0;
    list[n++] = (arrival){m->s0, 0};
    for (int s = 0; s < m->S; s++)
        if (m->pair_start[s] == m->pair_start[s + 1]) list[n++] = (arrival){s, 0};
    for (int k = 0; k < m->K; k++)
        for (int o = 0; o < m->env[k].start[m->pairs]; o++) list[n++] = (arrival){m->env[k].next[o], m->env[k].reward[o]};
    qsort(list, n, sizeof *list, by_arrival);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_arrival(&list[kept - 1], &list[i]) != 0) list[kept++] = list[i];
    *count = (int)kept;
    return list;
}

static int arrival_number(const arrival *list, int count, int state, double reward)
{
    const arrival wanted = {state, reward}, *at = bsearch(&wanted, list, (size_t)count, sizeof *list, by_arrival);
    return at ? (int)(at - list) : -1;
}

static void add_names(const vouch_model *m, const arrival *list, int count, text *t)
{
    char number[32];
    text_add(t, "# vouch: ");
    text_add_comment(t, m->name);
    text_add(t, ", horizon %d. State k * %d + i: environment k, arrival i. An action that a state lacks acts as its first.\n", m->T,
             count);
    for (int k = 0; k < m->K; k++) {
        text_add(t, "# environment %d: ", k);
        text_add_comment(t, m->env_name[k]);
        text_add(t, "\n");
    }
    for (int a = 0; a < m->A; a++) {
        text_add(t, "# action %d: ", a);
        text_add_comment(t, m->action_name[a]);
        text_add(t, "\n");
    }
    for (int i = 0; i < count; i++) {
        int s = list[i].state;
        text_add(t, "# arrival %d: reward %s, actions", i, text_number(model_given(m, list[i].reward), number));
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) text_add(t, " %d", m->pair_action[q]);
        text_add(t, ", state ");
        text_add_comment(t, m->state_name[s]);
        text_add(t, "\n");
    }
}

static void add_transitions(const vouch_model *m, const arrival *list, int count, text *t)
{
    char number[32];
    for (int a = 0; a < m->A; a++)
        for (int k = 0; k < m->K; k++)
            for (int i = 0; i < count; i++) {
                int s = list[i].state, q = model_pair(m, s, a), from = k * count + i;
                if (q < 0) q = m->pair_start[s];
                if (m->pair_start[s] == m->pair_start[s + 1]) {
                    text_add(t, "T: %d : %d : %d 1\n", a, from, k * count + arrival_number(list, count, s, 0));
                    continue;
                }
                const mdp *e = &m->env[k];
                for (int o = e->start[q]; o < e->start[q + 1]; o++)
                    text_add(t, "T: %d : %d : %d %s\n", a, from, k * count + arrival_number(list, count, e->next[o], e->reward[o]),
                             text_number(e->prob[o], number));
            }
}

/* Such a file has some gigabytes, too many for the readers of the format. */
#define MOST_LINES 1e8

vouch_status pomdp_write(const vouch_model *m, const char *path, vouch_error *error)
{
    int count = 0;
    char number[32];
    text t = {0};
    if (m->observed == VOUCH_OBSERVE_STATES)
        return error_set(
            error, VOUCH_ERROR_INPUT,
            "%s: the observations of a POMDP file include the rewards, which this model does not observe; expected another "
            "format",
            path);
    arrival *list = find_arrivals(m, &count);
    if (!list) return error_memory(error);
    if ((double)m->K * count * m->A > MOST_LINES) {
        mem_free(list);
        return error_set(error, VOUCH_ERROR_INPUT,
                         "%s: a POMDP file has a line for each action in each state, here more than %g; expected another format",
                         path, MOST_LINES);
    }
    add_names(m, list, count, &t);
    text_add(&t, "discount: 1\nvalues: %s\nstates: %d\nactions: %d\nobservations: %d\nstart:",
             m->sense == VOUCH_MINIMISE ? "cost" : "reward", m->K * count, m->A, count);
    int first = arrival_number(list, count, m->s0, 0);
    for (int i = 0; i < m->K * count; i++) text_add(&t, " %s", i % count == first ? text_number(1.0 / m->K, number) : "0");
    text_add(&t, "\n\n");
    add_transitions(m, list, count, &t);
    for (int i = 0; i < m->K * count; i++) text_add(&t, "O: * : %d : %d 1\n", i, i % count);
    for (int i = 0; i < m->K * count; i++)
        if (list[i % count].reward != 0)
            text_add(&t, "R: * : * : %d : * %s\n", i, text_number(model_given(m, list[i % count].reward), number));
    vouch_status status = text_write(&t, path, error);
    mem_free(list);
    return status;
}
