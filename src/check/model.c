/* check/model.c - a JSON model in exact rationals. Numbers are read from the text as it stands, which json-c keeps; 0.1 is 1/10. */
#include "check/check.h"

#include <json-c/json.h>

enum { COUNT = 1000000, PROMISES = 100 }; /* most of anything, of promises */
/* Whole numbers that json-c can hold. */
static const int64_t WHOLE = INT64_C(1) << 53;
/* Rewards closer than this, relative to the larger, are one observation, and those joined by a chain of such neighbours. */
static const double SAME_REWARD = 1e-9;
/* A distribution must sum to 1 within this, and is then normalised. */
static const char SUM[] = "1e-6";

enum { REWARD, PROBABILITY };

/* What the file says of (s, a, next); of a reward, next -1: whatever follows. Rewards add up. */
typedef struct said_row {
    int s, a, next, what;
    mpq_t value;
} said_row;

typedef struct rows {
    said_row *item;
    size_t count;
} rows;

typedef struct model_reward {
    int next;
    size_t outcome;
} model_reward;

static json_object *states, *actions; /* name to number */
static mpq_t *reward;                 /* [outcomes] */
static size_t outcomes;

static json_object *field(json_object *of, const char *name, json_type type, bool needed)
{
    json_object *found = NULL;
    if (!json_object_object_get_ex(of, name, &found)) {
        if (needed) unreadable("the model has no \"%s\"", name);
        return NULL;
    }
    if (json_object_get_type(found) != type) unreadable("the model's \"%s\" is of another kind", name);
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

static size_t fields_in(json_object *of)
{
    size_t count = 0;
    for (size_t i = 0; json_object_is_type(of, json_type_array) && i < json_object_array_length(of); i++)
        count += fields_in(json_object_array_get_idx(of, i));
    if (!json_object_is_type(of, json_type_object)) return count;
    json_object_object_foreach(of, name, value)
    {
        (void)name;
        count += 1 + fields_in(value);
    }
    return count;
}

/* Of fields given twice json-c keeps the last, another reader perhaps the first: the text has more of them than what became of it. */
static void no_field_twice(json_object *top, const char *bytes)
{
    size_t colons = 0;
    for (bool quoted = false; *bytes; bytes++) {
        quoted ^= *bytes == '"';
        colons += *bytes == ':' && !quoted;
        bytes += *bytes == '\\';
    }
    if (colons != fields_in(top)) unreadable("a field of the model is given twice");
}

static void number(json_object *of, mpq_t x)
{
    if (json_object_is_type(of, json_type_int)) {
        int64_t whole = json_object_get_int64(of);
        if (whole > WHOLE || whole < -WHOLE) unreadable("the whole number %lld is too large", (long long)whole);
        mpq_set_si(x, (long)whole, 1);
    } else if (!json_object_is_type(of, json_type_double) || !read_number(json_object_get_string(of), x)) {
        unreadable("expected a number, found %.40s", json_object_to_json_string(of));
    }
}

static int count_of(json_object *of, const char *what)
{
    int64_t n = json_object_is_type(of, json_type_int) ? json_object_get_int64(of) : -1;
    if (n < 1 || n > COUNT) unreadable("\"%s\" is no number from 1 to %d", what, COUNT);
    return (int)n;
}

/* Names, or a count that stands for prefix0, prefix1, .. */
static json_object *names_of(json_object *top, const char *what, int *count)
{
    json_object *list = NULL, *numbers_of = json_object_new_object();
    bool named = json_object_object_get_ex(top, what, &list) && json_object_is_type(list, json_type_array);
    *count = named ? (int)json_object_array_length(list) : count_of(list, what);
    for (int i = 0; i < *count; i++) {
        char made[16];
        snprintf(made, sizeof made, "%c%d", what[0], i);
        json_object *name = named ? json_object_array_get_idx(list, (size_t)i) : NULL;
        if (named && !json_object_is_type(name, json_type_string)) unreadable("a name among \"%s\" is none", what);
        const char *key = named ? json_object_get_string(name) : made;
        if (json_object_object_get_ex(numbers_of, key, NULL)) unreadable("\"%.80s\" is named twice", key);
        json_object_object_add(numbers_of, key, json_object_new_int(i));
    }
    if (*count < 1) unreadable("\"%s\" is empty", what);
    return numbers_of;
}

static int find(json_object *numbers_of, json_object *name)
{
    json_object *found = NULL;
    if (!json_object_is_type(name, json_type_string) ||
        !json_object_object_get_ex(numbers_of, json_object_get_string(name), &found))
        unreadable("%.80s is neither state nor action", json_object_to_json_string(name));
    return json_object_get_int(found);
}

static int by_place(const void *x, const void *y)
{
    const said_row *a = x, *b = y;
    if (a->s != b->s) return a->s < b->s ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->next != b->next ? (a->next < b->next ? -1 : 1) : (a->what > b->what) - (a->what < b->what);
}

/* The rows of a list, but for those of pairs in `skip`; pairs that are met are put into `own`. */
static void read_rows(const model *m, json_object *of, int what, const bool *skip, bool *own, rows *out)
{
    json_object *list = field(of, what == REWARD ? "rewards" : "transitions", json_type_array, false);
    size_t count = list ? json_object_array_length(list) : 0;
    for (size_t i = 0; i < count; i++) {
        json_object *at = json_object_array_get_idx(list, i);
        size_t width = json_object_is_type(at, json_type_array) ? json_object_array_length(at) : 0;
        if (width != 4 && !(what == REWARD && width == 3)) unreadable("a row is %.80s", json_object_to_json_string(at));
        int s = find(states, json_object_array_get_idx(at, 0)), a = find(actions, json_object_array_get_idx(at, 1));
        if (own) own[s * m->A + a] = true;
        if (skip && skip[s * m->A + a]) continue;
        out->item = grown(out->item, out->count, sizeof *out->item);
        said_row *r = &out->item[out->count++];
        r->s = s;
        r->a = a;
        r->next = width == 4 ? find(states, json_object_array_get_idx(at, 2)) : -1;
        r->what = what;
        mpq_init(r->value);
        number(json_object_array_get_idx(at, width - 1), r->value);
        if (what == PROBABILITY && (mpq_sgn(r->value) < 0 || mpq_cmp_si(r->value, 1, 1) > 0))
            unreadable("a probability is not within 0 and 1");
    }
}

/* The outcomes of (s, a), from rows [count] in order. */
static void add_outcomes(model *m, const said_row *at, size_t count)
{
    size_t first = outcomes, general = 0;
    mpq_t sum, pay, off;
    mpq_inits(sum, pay, off, NULL);
    for (; general < count && at[general].next < 0; general++) mpq_add(pay, pay, at[general].value);
    for (size_t i = general, j; i < count; i = j) {
        m->next = grown(m->next, outcomes, sizeof *m->next);
        reward = grown(reward, outcomes, sizeof *reward);
        m->prob.q = grown(m->prob.q, outcomes, sizeof *m->prob.q);
        mpq_inits(m->prob.q[outcomes], reward[outcomes], NULL);
        mpq_set(reward[outcomes], pay);
        for (j = i; j < count && at[j].next == at[i].next; j++) {
            if (at[j].what == REWARD)
                mpq_add(reward[outcomes], reward[outcomes], at[j].value);
            else
                mpq_add(m->prob.q[outcomes], m->prob.q[outcomes], at[j].value);
        }
        mpq_add(sum, sum, m->prob.q[outcomes]);
        m->next[outcomes] = at[i].next;
        if (mpq_sgn(m->prob.q[outcomes]) > 0) outcomes++;
    }
    if (mpq_sgn(sum) != 0) {
        mpq_set_ui(off, 1, 1);
        mpq_sub(off, sum, off);
        mpq_abs(off, off);
        read_number(SUM, pay);
        if (mpq_cmp(off, pay) > 0) unreadable("the probabilities of state %d, action %d do not sum to 1", at->s, at->a);
    }
    for (size_t o = first; o < outcomes; o++) mpq_div(m->prob.q[o], m->prob.q[o], sum);
    mpq_clears(sum, pay, off, NULL);
}

static void read_environment(model *m, int k, json_object *top, json_object *environment)
{
    rows all = {NULL, 0};
    only_fields(environment, " name transitions rewards ");
    for (int what = REWARD; what <= PROBABILITY; what++) {
        bool *own = zeroed((size_t)m->S * (size_t)m->A, sizeof *own);
        read_rows(m, environment, what, NULL, own, &all);
        read_rows(m, top, what, own, NULL, &all);
        free(own);
    }
    if (all.count > 1) qsort(all.item, all.count, sizeof *all.item, by_place);
    size_t at = 0;
    for (int s = 0; s < m->S; s++)
        for (int a = 0; a < m->A; a++) {
            size_t c = cell(m, k, s, a), first = cell(m, 0, s, a), from = at;
            while (at < all.count && all.item[at].s == s && all.item[at].a == a) at++;
            m->start[c] = outcomes;
            if (at > from) add_outcomes(m, all.item + from, at - from);
            m->start[c + 1] = outcomes;
            if ((outcomes > m->start[c]) != (m->start[first + 1] > m->start[first]))
                unreadable("action %d is available in state %d in some environments only", a, s);
        }
    for (size_t i = 0; i < all.count; i++) mpq_clear(all.item[i].value);
    free(all.item);
}

/* ---- what is observed and paid ---- */

static int by_reward(const void *x, const void *y)
{
    const model_reward *a = x, *b = y;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return mpq_cmp(reward[a->outcome], reward[b->outcome]);
}

/* The nearest double, of two the even one: what an observer is told. */
static double nearest(const mpq_t q)
{
    double low = mpq_get_d(q), high = nextafter(low, mpq_sgn(q) * HUGE_VAL); /* low is the nearer to 0 */
    mpq_t sum, other;
    if (mpq_sgn(q) == 0 || !isfinite(high)) return low;
    mpq_inits(sum, other, NULL);
    mpq_set_d(sum, low);
    mpq_set_d(other, high);
    mpq_add(sum, sum, other);
    mpq_mul_2exp(other, q, 1);
    int side = mpq_cmp(other, sum) * mpq_sgn(q);
    mpq_clears(sum, other, NULL);
    return side > 0 || (side == 0 && fmod(low / (high - low), 2) != 0) ? high : low;
}

/* Are they one observation? As doubles: what is just as far apart as the tolerance is no matter of digits that nobody sees. */
static bool close_rewards(const mpq_t p, const mpq_t q)
{
    double a = nearest(p), b = nearest(q);
    return fabs(a - b) <= SAME_REWARD * fmax(fabs(a), fabs(b));
}

static void observe(model *m)
{
    model_reward *list = zeroed(outcomes, sizeof *list);
    m->seen = zeroed(outcomes, sizeof *m->seen);
    for (int s = 0; s < m->S; s++)
        for (int a = 0; a < m->A; a++) {
            size_t count = 0;
            for (int k = 0; k < m->K; k++)
                for (size_t o = m->start[cell(m, k, s, a)]; o < m->start[cell(m, k, s, a) + 1]; o++)
                    list[count++] = (model_reward){m->next[o], o};
            if (count > 1) qsort(list, count, sizeof *list, by_reward);
            for (size_t i = 1; i < count; i++) {
                size_t now = list[i].outcome, before = list[i - 1].outcome;
                bool other = list[i].next != list[i - 1].next || !close_rewards(reward[before], reward[now]);
                m->seen[now] = m->seen[before] + other;
            }
        }
    free(list);
}

static void expect_pay(model *m)
{
    size_t cells = (size_t)m->K * (size_t)m->S * (size_t)m->A, least = 0;
    mpq_t part, *pay = zeroed(cells, sizeof *pay), *one = zeroed(1, sizeof *one);
    mpq_inits(part, *one, NULL);
    for (size_t o = 1; o < outcomes; o++)
        if (mpq_cmp(reward[o], reward[least]) < 0) least = o;
    for (size_t c = 0; c < cells; c++) {
        mpq_init(pay[c]);
        for (size_t o = m->start[c]; o < m->start[c + 1]; o++) {
            mpq_sub(part, reward[o], reward[least]);
            plus(pay[c], part, m->prob.q[o]);
        }
    }
    mpq_init(m->least);
    mpq_set(m->least, reward[least]);
    mpq_set_ui(*one, 1, 1);
    m->prob = numbers_of(m->prob.q, outcomes);
    m->pay = numbers_of(pay, cells);
    m->one = numbers_of(one, 1);
    mpq_clear(part);
}

/* ---- promises ---- */

/* What a promise has for environment k: the same in all (environments NULL: always) or one of an object by name. */
static json_object *of_environment(json_object *of, json_object *environments, int k)
{
    json_object *found = NULL;
    if (!environments || !json_object_is_type(of, json_type_object)) return of;
    if (json_object_object_length(of) != (int)json_object_array_length(environments))
        unreadable("a promise names some environments only");
    json_object *environment = json_object_array_get_idx(environments, (size_t)k);
    if (!json_object_is_type(environment, json_type_object)) unreadable("an environment is no object");
    const char *name = json_object_get_string(field(environment, "name", json_type_string, true));
    if (!json_object_object_get_ex(of, name, &found)) unreadable("a promise does not name environment \"%.80s\"", name);
    return found;
}

static void read_promise(model *m, json_object *of, int j, json_object *environments)
{
    json_object *p = NULL, *in = NULL, *time = NULL;
    if (!json_object_object_get_ex(of, "probability", &p)) unreadable("a promise has no \"probability\"");
    if (!json_object_object_get_ex(of, "states", &in)) unreadable("a promise has no \"states\"");
    if (json_object_object_get_ex(of, "time", &time)) {
        if (count_of(time, "time") != m->T)
            unreadable("a promise of another time than the horizon; vouch convert --joined makes it one");
        m->at_T = true;
    }
    for (int k = 0; k < m->K; k++) {
        json_object *list = of_environment(in, environments, k);
        int row = k * m->J + j;
        if (!json_object_is_type(list, json_type_array)) unreadable("the states of a promise are no list");
        for (size_t i = 0; i < json_object_array_length(list); i++)
            m->phi[(size_t)row * (size_t)m->S + (size_t)find(states, json_object_array_get_idx(list, i))] = true;
        number(of_environment(p, environments, k), m->p[row]);
        m->one_p = m->one_p && mpq_equal(m->p[row], m->p[0]);
    }
}

/* "commitment", or a list of those of kind at that are about the horizon. */
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
    if (one) only_fields(one, " states probability ");
    if (one) (void)field(one, "states", json_type_array, true);
    for (int j = 0; j < m->J; j++) {
        json_object *of = list ? json_object_array_get_idx(list, (size_t)j) : one;
        if (list) only_fields(of, " name kind states time probability ");
        if (list && strcmp(json_object_get_string(field(of, "kind", json_type_string, true)), "at") != 0)
            unreadable("a promise of another kind than \"at\"; vouch convert --joined makes it one");
        read_promise(m, of, j, list ? environments : NULL);
    }
}

void model_read(model *m, char *bytes, size_t length)
{
    if (length > INT32_MAX - 1) unreadable("the model is too large");
    if (memchr(bytes, '\0', length)) unreadable("a zero byte in the model");
    json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object *top = json_tokener_parse_ex(tokener, bytes, (int)length + 1);
    if (!top || json_tokener_get_error(tokener) != json_tokener_success || !json_object_is_type(top, json_type_object))
        unreadable("the model is no JSON object: %s", json_tokener_error_desc(json_tokener_get_error(tokener)));
    only_fields(top, " vouch name states actions initial horizon commitment commitments labels transitions rewards environments ");
    if (count_of(field(top, "vouch", json_type_int, true), "vouch") != 1) unreadable("a model of a later version");
    no_field_twice(top, bytes);
    *m = (model){0};
    states = names_of(top, "states", &m->S);
    actions = names_of(top, "actions", &m->A);
    if (m->A > ACTIONS) unreadable("more than %d actions", ACTIONS);
    m->s0 = find(states, field(top, "initial", json_type_string, true));
    m->T = count_of(field(top, "horizon", json_type_int, true), "horizon");
    json_object *environments = field(top, "environments", json_type_array, true);
    m->K = (int)json_object_array_length(environments);
    if (m->K < 1 || m->K > COUNT) unreadable("the model has %d environments; expected 1 to %d", m->K, COUNT);
    read_promises(m, top, environments);
    m->start = zeroed((size_t)m->K * (size_t)m->S * (size_t)m->A + 1, sizeof *m->start);
    for (int k = 0; k < m->K; k++) read_environment(m, k, top, json_object_array_get_idx(environments, (size_t)k));
    if (outcomes == 0) unreadable("the model has no transitions");
    observe(m);
    expect_pay(m);
    json_object_put(top);
}

ptrdiff_t outcome(const model *m, int k, int s, int a, int next)
{
    for (size_t o = m->start[cell(m, k, s, a)]; o < m->start[cell(m, k, s, a) + 1]; o++)
        if (m->next[o] == next) return (ptrdiff_t)o;
    return -1;
}
