/* check/model.c - a JSON model in exact rationals. Numbers are read from the text as it stands, which json-c keeps; 0.1 is 1/10. */
#include "check/check.h"

#include <json-c/json.h>
#include <json-c/json_visit.h>

/* Most of anything, and of promises; a distribution must sum to 1 within 1 / SUM, and is then normalised. */
enum { COUNT = 1000000, PROMISES = 100, SUM = 1000000 };
/* Rewards closer than this, relative to the larger, are one observation, and those joined by a chain of such neighbours. */
static const double SAME_REWARD = 1e-9;
enum { REWARD, PROBABILITY };

/* What the file says of (s, a, next), a reward or a probability; of a reward, next -1: whatever follows. Rewards add up. */
typedef struct said {
    int64_t place; /* by s, a, next, what */
    mpq_t value;
} said;

static json_object *states, *actions; /* name to number */
static said *row;                     /* of one environment */
static size_t rows, outcomes;
static mpq_t *reward; /* [outcomes] */
static const int *next_of;

static json_object *item(json_object *list, size_t i) { return json_object_array_get_idx(list, i); }

static json_object *field(json_object *of, const char *name, json_type type, bool needed)
{
    json_object *found = NULL;
    if (!json_object_object_get_ex(of, name, &found)) {
        if (needed) unreadable("the model has no \"%s\"", name);
        return NULL;
    }
    if (json_object_get_type(found) != type) unreadable("the model's \"%s\" is no %s", name, json_type_to_name(type));
    return found;
}

/* names: between blanks. */
static void only_fields(json_object *of, const char *names)
{
    if (!json_object_is_type(of, json_type_object)) unreadable("%.80s is no object", json_object_to_json_string(of));
    json_object_object_foreach(of, name, value)
    {
        char spaced[32];
        snprintf(spaced, sizeof spaced, " %.29s ", name);
        if (strchr(name, ' ') || !strstr(names, spaced)) unreadable("the model's \"%.80s\" is not known to this program", name);
        (void)value;
    }
}

static int count_field(json_object *of, int flags, json_object *above, const char *name, size_t *index, void *count)
{
    (void)of, (void)above, (void)index;
    *(size_t *)count += name && flags != JSON_C_VISIT_SECOND;
    return JSON_C_VISIT_RETURN_CONTINUE;
}

/* Of fields given twice json-c keeps the last, another reader perhaps the first: the text has more of them than what became of it.
 */
static void no_field_twice(json_object *top, const char *bytes)
{
    size_t colons = 0, fields = 0;
    for (bool quoted = false; *bytes; bytes++) {
        quoted ^= *bytes == '"';
        colons += *bytes == ':' && !quoted;
        bytes += *bytes == '\\';
    }
    if (json_c_visit(top, 0, count_field, &fields) != 0 || colons != fields) unreadable("a field of the model is given twice");
}

static void number(json_object *of, mpq_t x)
{
    bool is = json_object_is_type(of, json_type_int) || json_object_is_type(of, json_type_double);
    if (!is || !read_number(json_object_get_string(of), x))
        unreadable("expected a number, found %.40s", json_object_to_json_string(of));
}

static int count_of(json_object *of, const char *what)
{
    json_object *found = NULL;
    bool whole = json_object_object_get_ex(of, what, &found) && json_object_is_type(found, json_type_int);
    int64_t n = whole ? json_object_get_int64(found) : -1;
    if (n < 1 || n > COUNT) unreadable("\"%s\" is no number from 1 to %d", what, COUNT);
    return (int)n;
}

/* Names, or a count that stands for prefix0, prefix1, .. */
static json_object *names_of(json_object *top, const char *what, int *count)
{
    json_object *list = NULL, *numbered = json_object_new_object();
    bool named = json_object_object_get_ex(top, what, &list) && json_object_is_type(list, json_type_array);
    *count = named ? (int)json_object_array_length(list) : count_of(top, what);
    if (*count < 1) unreadable("\"%s\" is empty", what);
    for (int i = 0; i < *count; i++) {
        char made[16];
        snprintf(made, sizeof made, "%c%d", what[0], i);
        if (named && !json_object_is_type(item(list, (size_t)i), json_type_string)) unreadable("a name among \"%s\" is none", what);
        const char *name = named ? json_object_get_string(item(list, (size_t)i)) : made;
        if (json_object_object_get_ex(numbered, name, NULL)) unreadable("\"%.80s\" is named twice", name);
        json_object_object_add(numbered, name, json_object_new_int(i));
    }
    return numbered;
}

static int find(json_object *numbered, json_object *name)
{
    json_object *found = NULL;
    if (!json_object_is_type(name, json_type_string) || !json_object_object_get_ex(numbered, json_object_get_string(name), &found))
        unreadable("%.80s is neither state nor action", json_object_to_json_string(name));
    return json_object_get_int(found);
}

static int by_place(const void *x, const void *y)
{
    int64_t a = ((const said *)x)->place, b = ((const said *)y)->place;
    return (a > b) - (a < b);
}

/* The rows of a list, but for those of pairs that are marked in `skip`; pairs that are met are marked in `met`. */
static void read_rows(const model *m, json_object *of, int what, const bool *skip, bool *met)
{
    json_object *list = field(of, what == REWARD ? "rewards" : "transitions", json_type_array, false);
    for (size_t i = 0; list && i < json_object_array_length(list); i++) {
        json_object *at = item(list, i);
        size_t width = json_object_is_type(at, json_type_array) ? json_object_array_length(at) : 0;
        if (width != 4 && !(what == REWARD && width == 3)) unreadable("a row is %.80s", json_object_to_json_string(at));
        int64_t pair = (int64_t)find(states, item(at, 0)) * m->A + find(actions, item(at, 1));
        if (skip[pair]) continue;
        met[pair] = true;
        row = grown(row, rows, sizeof *row);
        said *r = &row[rows++];
        r->place = 2 * (pair * (m->S + 1) + (width == 4 ? find(states, item(at, 2)) + 1 : 0)) + what;
        mpq_init(r->value);
        number(item(at, width - 1), r->value);
        if (what == PROBABILITY && (mpq_sgn(r->value) < 0 || mpq_cmp_si(r->value, 1, 1) > 0))
            unreadable("a probability is not within 0 and 1");
    }
}

/* The outcomes of a pair of state and action, from the rows [at, end) in order. */
static void add_outcomes(model *m, const said *at, const said *end)
{
    size_t first = outcomes;
    mpq_t sum, pay;
    mpq_inits(sum, pay, NULL);
    for (; at < end && at->place / 2 % (m->S + 1) == 0; at++) mpq_add(pay, pay, at->value);
    while (at < end) {
        int64_t place = at->place / 2;
        m->next = grown(m->next, outcomes, sizeof *m->next);
        reward = grown(reward, outcomes, sizeof *reward);
        m->prob.q = grown(m->prob.q, outcomes, sizeof *m->prob.q);
        mpq_inits(m->prob.q[outcomes], reward[outcomes], NULL);
        mpq_set(reward[outcomes], pay);
        m->next[outcomes] = (int)(place % (m->S + 1)) - 1;
        for (; at < end && at->place / 2 == place; at++) {
            mpq_ptr to = at->place % 2 == REWARD ? reward[outcomes] : m->prob.q[outcomes];
            mpq_add(to, to, at->value);
        }
        mpq_add(sum, sum, m->prob.q[outcomes]);
        if (mpq_sgn(m->prob.q[outcomes]) > 0) outcomes++;
    }
    for (size_t o = first; o < outcomes; o++) mpq_div(m->prob.q[o], m->prob.q[o], sum);
    if (outcomes > first) mpq_sub(sum, sum, m->one.q[0]);
    mpq_abs(sum, sum);
    if (mpq_cmp_ui(sum, 1, SUM) > 0) unreadable("the probabilities of a state and an action do not sum to 1");
    mpq_clears(sum, pay, NULL);
}

static void read_environment(model *m, int k, json_object *top, json_object *environment)
{
    size_t pairs = (size_t)m->S * (size_t)m->A, c = cell(m, k, 0, 0);
    bool *own = zeroed(pairs, 2 * sizeof *own), *rest = own + pairs;
    only_fields(environment, " name transitions rewards ");
    for (int what = REWARD; what <= PROBABILITY; what++) {
        memset(own, false, 2 * pairs * sizeof *own);
        read_rows(m, environment, what, rest, own);
        read_rows(m, top, what, own, rest);
    }
    free(own);
    if (rows > 1) qsort(row, rows, sizeof *row, by_place);
    for (size_t i = 0, at = 0, from; i < pairs; i++, c++) {
        for (from = at; at < rows && row[at].place / 2 / (m->S + 1) == (int64_t)i;) at++;
        m->start[c] = outcomes;
        add_outcomes(m, row + from, row + at);
        m->start[c + 1] = outcomes;
        if ((outcomes > m->start[c]) != (m->start[i + 1] > m->start[i]))
            unreadable("action %zu is available in state %zu in some environments only", i % (size_t)m->A, i / (size_t)m->A);
    }
    while (rows > 0) mpq_clear(row[--rows].value);
}

/* ---- what is observed and paid ---- */

static int by_reward(const void *x, const void *y)
{
    const size_t a = *(const size_t *)x, b = *(const size_t *)y;
    return next_of[a] != next_of[b] ? (next_of[a] > next_of[b]) - (next_of[a] < next_of[b]) : mpq_cmp(reward[a], reward[b]);
}

/* The nearest double: what an observer is told. */
static double nearest(const mpq_t q)
{
    double low = mpq_get_d(q), gap = nextafter(low, mpq_sgn(q) * HUGE_VAL) - low; /* low is the nearer to 0 */
    mpq_t rest;
    if (mpq_sgn(q) == 0) return 0;
    mpq_init(rest);
    mpq_set_d(rest, low);
    mpq_sub(rest, q, rest);
    low += fabs(mpq_get_d(rest)) < fabs(gap) / 2 ? 0 : gap;
    mpq_clear(rest);
    return low;
}

/* Are they one observation? As doubles: what is just as far apart as the tolerance is no matter of digits that nobody sees. */
static bool close_rewards(const mpq_t p, const mpq_t q)
{
    double a = nearest(p), b = nearest(q);
    return fabs(a - b) <= SAME_REWARD * fmax(fabs(a), fabs(b));
}

static void observe(model *m, bool rewards_seen)
{
    size_t count, *list = zeroed(outcomes, sizeof *list);
    m->seen = zeroed(outcomes, sizeof *m->seen);
    next_of = m->next;
    for (int i = 0; i < m->S * m->A; i++) {
        count = 0;
        for (int k = 0; k < m->K; k++)
            for (size_t o = m->start[cell(m, k, 0, i)]; o < m->start[cell(m, k, 0, i) + 1]; o++) list[count++] = o;
        if (count > 1) qsort(list, count, sizeof *list, by_reward);
        for (size_t j = 1; j < count; j++) {
            size_t now = list[j], before = list[j - 1];
            m->seen[now] = m->seen[before] +
                           (next_of[now] != next_of[before] || (rewards_seen && !close_rewards(reward[before], reward[now])));
        }
    }
    free(list);
}

/* "observe": "states" says that transitions alone tell environments apart. */
static bool observes_rewards(json_object *top)
{
    json_object *given = field(top, "observe", json_type_string, false);
    const char *what = given ? json_object_get_string(given) : "rewards";
    if (strcmp(what, "rewards") != 0 && strcmp(what, "states") != 0) unreadable("\"observe\" is neither rewards nor states");
    return strcmp(what, "rewards") == 0;
}

static void expect_pay(model *m)
{
    size_t cells = (size_t)m->K * (size_t)m->S * (size_t)m->A;
    mpq_t part, *paid = zeroed(cells, sizeof *paid);
    mpq_inits(part, m->least, m->most, m->apart, NULL);
    for (size_t o = 0; o < outcomes; o++) {
        if (o == 0 || mpq_cmp(reward[o], m->least) < 0) mpq_set(m->least, reward[o]);
        if (o == 0 || mpq_cmp(reward[o], m->most) > 0) mpq_set(m->most, reward[o]);
    }
    for (size_t c = 0; c < cells; c++) {
        mpq_init(paid[c]);
        for (size_t o = m->start[c]; o < m->start[c + 1]; o++) {
            mpq_sub(part, reward[o], m->least);
            plus(paid[c], part, m->prob.q[o]);
        }
    }
    m->prob = numbers_of(m->prob.q, outcomes);
    m->paid = numbers_of(paid, cells);
    m->pay = numbers_of(NULL, cells);
    mpq_clear(part);
}

/* ---- promises ---- */

/* What a promise has for environment k: the same in all (environments NULL: always) or one of an object by name. */
static json_object *of_environment(json_object *of, json_object *environments, int k)
{
    json_object *found = NULL;
    if (!environments || !json_object_is_type(of, json_type_object)) return of;
    if (json_object_object_length(of) != (int)json_object_array_length(environments))
        unreadable("a promise, or the prior, names some environments only");
    json_object *environment = item(environments, (size_t)k);
    if (!json_object_is_type(environment, json_type_object)) unreadable("an environment is no object");
    const char *name = json_object_get_string(field(environment, "name", json_type_string, true));
    if (!json_object_object_get_ex(of, name, &found))
        unreadable("a promise, or the prior, does not name environment \"%.80s\"", name);
    return found;
}

static void read_promise(model *m, json_object *of, int j, json_object *environments)
{
    json_object *p = NULL, *in = NULL;
    if (!json_object_object_get_ex(of, "probability", &p)) unreadable("a promise has no \"probability\"");
    if (!json_object_object_get_ex(of, "states", &in)) unreadable("a promise has no \"states\"");
    json_object *over = field(of, "over", json_type_string, false);
    if (over && strcmp(json_object_get_string(over), "prior") != 0) unreadable("a promise over another thing than the prior");
    if (over && json_object_is_type(p, json_type_object)) unreadable("a promise over the prior with several probabilities");
    m->average[j] = over != NULL;
    if (json_object_object_get_ex(of, "time", NULL) && count_of(of, "time") != m->T)
        unreadable("a promise of another time than the horizon; vouch convert --joined makes it one");
    for (int k = 0; k < m->K; k++) {
        json_object *list = of_environment(in, environments, k);
        int r = k * m->J + j;
        if (!json_object_is_type(list, json_type_array)) unreadable("the \"states\" of a promise is no array");
        for (size_t i = 0; i < json_object_array_length(list); i++)
            m->phi[(size_t)r * (size_t)m->S + (size_t)find(states, item(list, i))] = true;
        number(of_environment(p, environments, k), m->p[r]);
        m->one_p = m->one_p && mpq_equal(m->p[r], m->p[0]);
    }
}

/* "commitment", the same in all environments, or a list of those of kind at that are about the horizon. */
static void read_promises(model *m, json_object *top, json_object *environments)
{
    json_object *one = field(top, "commitment", json_type_object, false), *list = field(top, "commitments", json_type_array, !one);
    if (one && list) unreadable("both \"commitment\" and \"commitments\"");
    m->J = list ? (int)json_object_array_length(list) : 1;
    if (m->J < 1 || m->J > PROMISES) unreadable("expected 1 to %d promises", PROMISES);
    m->P = m->K * m->J;
    m->phi = zeroed((size_t)m->P * (size_t)m->S, sizeof *m->phi);
    m->p = rationals_new(m->P);
    m->one_p = true;
    m->average = zeroed((size_t)m->J, sizeof *m->average);
    for (int j = 0; j < m->J; j++) {
        json_object *of = list ? item(list, (size_t)j) : one;
        only_fields(of, list ? " name kind states time probability over " : " states probability over ");
        if (list && strcmp(json_object_get_string(field(of, "kind", json_type_string, true)), "at") != 0)
            unreadable("a promise of another kind than \"at\"; vouch convert --joined makes it one");
        read_promise(m, of, j, list ? environments : NULL);
    }
}

/* "prior": a number for each environment, up to a common factor; without it the environments are equally likely. */
static void read_prior(model *m, json_object *top, json_object *environments)
{
    json_object *given = field(top, "prior", json_type_object, false);
    mpq_t sum;
    mpq_init(sum);
    m->prior = rationals_new(m->K);
    for (int k = 0; k < m->K; k++) {
        mpq_set_ui(m->prior[k], 1, 1);
        if (given) number(of_environment(given, environments, k), m->prior[k]);
        if (mpq_sgn(m->prior[k]) < 0) unreadable("a prior that is negative");
        mpq_add(sum, sum, m->prior[k]);
    }
    if (mpq_sgn(sum) == 0) unreadable("the prior is 0 in every environment");
    for (int k = 0; k < m->K; k++) mpq_div(m->prior[k], m->prior[k], sum);
    mpq_clear(sum);
}

void model_read(model *m, char *bytes, size_t length, int horizon)
{
    if (length > INT32_MAX - 1) unreadable("the model is too large");
    if (memchr(bytes, '\0', length)) unreadable("a zero byte in the model");
    if (strncmp(bytes, "vouch-proof", strlen("vouch-proof")) == 0)
        unreadable("the first file is a proof; the model comes first: vouch-check MODEL.json PROOF.vproof");
    char *text = with_points(bytes, &length);
    json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object *top = json_tokener_parse_ex(tokener, text, (int)length + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    if (error != json_tokener_success)
        unreadable("the model is no JSON object (vouch convert writes one): %s", json_tokener_error_desc(error));
    if (!json_object_is_type(top, json_type_object)) unreadable("the model is no JSON object (vouch convert writes one)");
    only_fields(
        top,
        " vouch name states actions initial horizon observe prior commitment commitments labels transitions rewards environments ");
    if (count_of(top, "vouch") != 1) unreadable("a model of a later version");
    json_tokener_free(tokener);
    free(text);
    no_field_twice(top, bytes);
    *m = (model){.one = numbers_of(NULL, 1)};
    mpq_set_ui(m->one.q[0], 1, 1);
    put(m->one, 0, m->one.q[0]);
    states = names_of(top, "states", &m->S);
    actions = names_of(top, "actions", &m->A);
    if (m->A > ACTIONS) unreadable("more than %d actions", ACTIONS);
    m->s0 = find(states, field(top, "initial", json_type_string, true));
    m->T = count_of(top, "horizon");
    if (horizon > 0) m->T = horizon;
    json_object *environments = field(top, "environments", json_type_array, true);
    m->K = (int)json_object_array_length(environments);
    if (m->K < 1 || m->K > COUNT) unreadable("the model has %d environments; expected 1 to %d", m->K, COUNT);
    read_promises(m, top, environments);
    read_prior(m, top, environments);
    m->start = zeroed((size_t)m->K * (size_t)m->S * (size_t)m->A + 1, sizeof *m->start);
    for (int k = 0; k < m->K; k++) read_environment(m, k, top, item(environments, (size_t)k));
    if (outcomes == 0) unreadable("the model has no transitions");
    observe(m, observes_rewards(top));
    expect_pay(m);
    json_object_put(top);
}

ptrdiff_t outcome(const model *m, int k, int s, int a, int next)
{
    spend(1);
    for (size_t o = m->start[cell(m, k, s, a)]; o < m->start[cell(m, k, s, a) + 1]; o++)
        if (m->next[o] == next) return (ptrdiff_t)o;
    return -1;
}
