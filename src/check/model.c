/* check/model.c - a JSON model in exact rationals, from the text of its numbers, which json-c keeps: 0.1 is 1/10. Then rewards as
 * observations, as expected rewards, and as bounds count them. */
#include "check/check.h"

/* Most of anything, and of promises; a distribution must sum to 1 within 1 / SUM, and is then normalised. */
enum { COUNT = 1000000, PROMISES = 100, SUM = 1000000 };
/* Rewards closer than this, relative to the larger, are one observation, and so are chains of such neighbours. */
static const double SAME_REWARD = 1e-9;
enum { REWARD, LOW, HIGH };

typedef struct row {
    int64_t place; /* by s, a, next (0: a reward of any successor), kind; rewards of one place add up */
    json_object *value;
} row;

typedef struct reading {
    model *m;
    json_object *top, *environments;
    key_table states, actions;      /* name to number */
    row *row;                       /* of one environment */
    size_t rows, outcomes, limited; /* limited: how many outcomes have a place in m->limit, while others need none */
    mpq_t *reward;                  /* [outcomes] */
} reading;

static json_object *item(json_object *list, size_t i) { return json_object_array_get_idx(list, i); }

static json_object *field(judge *ctx, json_object *of, const char *name, json_type type, bool needed)
{
    json_object *found = NULL;
    bool there = json_object_object_get_ex(of, name, &found);
    if (!there && needed) unreadable(ctx, "the model has no \"%s\"", name);
    if (there && json_object_get_type(found) != type) unreadable(ctx, "the model's \"%s\" is no %s", name, json_type_to_name(type));
    return found;
}

/* names: between blanks. */
static void only_fields(judge *ctx, json_object *of, const char *names)
{
    if (!json_object_is_type(of, json_type_object)) unreadable(ctx, "%.80s is no object", json_object_to_json_string(of));
    json_object_object_foreach(of, name, value)
    {
        char spaced[32];
        snprintf(spaced, sizeof spaced, " %.29s ", name);
        if (strchr(name, ' ') || !strstr(names, spaced))
            unreadable(ctx, "the model's \"%.80s\" is not known to this program", name);
        (void)value;
    }
}

/* Of a field given twice json-c keeps the last, another reader perhaps the first: colons of the text outside its strings. */
static size_t fields_of(const char *text)
{
    size_t colons = 0;
    for (bool quoted = false; *text; text += 1 + (*text == '\\' && text[1])) {
        quoted ^= *text == '"';
        colons += *text == ':' && !quoted;
    }
    return colons;
}

/* A copy of the text with ".0" behind whole numbers of 16 digits or more, which json-c would round to its largest integer. */
static char *with_points(judge *ctx, const char *at, size_t *length)
{
    enum { LONG = 16 };
    char *copy = zeroed(ctx, *length + *length / LONG * 2 + 3, 1), *to = copy;
    for (bool quoted = false; *at;) {
        size_t number = quoted ? 0 : strspn(at, "+-.0123456789eE"), whole = number && *at == '-';
        if (number) whole += strspn(at + whole, "0123456789");
        size_t copied = number ? number : *at == '\\' && at[1] ? 2 : 1;
        quoted ^= *at == '"';
        memcpy(to, at, copied);
        to += copied;
        at += copied;
        if (whole >= LONG && whole == number) to = stpcpy(to, ".0");
    }
    *length = (size_t)(to - copy);
    return copy;
}

static void number(judge *ctx, json_object *of, mpq_ptr x)
{
    bool is = json_object_is_type(of, json_type_int) || json_object_is_type(of, json_type_double);
    if (!is || !read_number(json_object_get_string(of), x))
        unreadable(ctx, "expected a number, found %.40s", json_object_to_json_string(of));
}

static int count_of(judge *ctx, json_object *of, const char *what)
{
    json_object *found = NULL;
    bool whole = json_object_object_get_ex(of, what, &found) && json_object_is_type(found, json_type_int);
    int64_t n = whole ? json_object_get_int64(found) : -1;
    if (n < 1 || n > COUNT) unreadable(ctx, "\"%s\" is no number from 1 to %d", what, COUNT);
    return (int)n;
}

/* Names, or a count, which means prefix0, prefix1, .. How many there are. */
static int names_of(judge *ctx, reading *r, const char *what, key_table *numbered)
{
    json_object *list = NULL;
    bool named = json_object_object_get_ex(r->top, what, &list) && json_object_is_type(list, json_type_array);
    int count = named ? (int)json_object_array_length(list) : count_of(ctx, r->top, what);
    if (count < 1) unreadable(ctx, "\"%s\" is empty", what);
    for (int i = 0; i < count; i++) {
        char made[16];
        snprintf(made, sizeof made, "%c%d", what[0], i);
        if (named && !json_object_is_type(item(list, (size_t)i), json_type_string))
            unreadable(ctx, "a name among \"%s\" is none", what);
        const char *name = named ? json_object_get_string(item(list, (size_t)i)) : made;
        if (key_number(ctx, numbered, name, strlen(name), true) != i) unreadable(ctx, "\"%.80s\" is named twice", name);
    }
    return count;
}

static int find(judge *ctx, key_table *numbered, json_object *name)
{
    const char *text = json_object_is_type(name, json_type_string) ? json_object_get_string(name) : NULL;
    int found = text ? key_number(ctx, numbered, text, strlen(text), false) : (int)numbered->count;
    if (found == (int)numbered->count) unreadable(ctx, "%.80s is neither state nor action", json_object_to_json_string(name));
    return found;
}

static int by_place(const void *x, const void *y)
{
    int64_t a = ((const row *)x)->place, b = ((const row *)y)->place;
    return (a > b) - (a < b);
}

/* The rows of a list, without pairs that are marked in `skip`; marks the pairs in `met`. */
static void read_rows(judge *ctx, reading *r, json_object *of, int kind, const bool *skip, bool *met)
{
    const model *m = r->m;
    json_object *list = field(ctx, of, kind == REWARD ? "rewards" : "transitions", json_type_array, false);
    for (size_t i = 0; list && i < json_object_array_length(list); i++) {
        json_object *at = item(list, i);
        size_t width = json_object_is_type(at, json_type_array) ? json_object_array_length(at) : 0;
        if (width != 4 && !(kind == REWARD && width == 3)) unreadable(ctx, "a row is %.80s", json_object_to_json_string(at));
        int64_t pair = (int64_t)find(ctx, &r->states, item(at, 0)) * m->A + find(ctx, &r->actions, item(at, 1));
        int64_t next = width == 4 ? find(ctx, &r->states, item(at, 2)) + 1 : 0;
        if (skip[pair]) continue;
        met[pair] = true;
        append(ctx, r->row, r->rows, (row){2 * (pair * (m->S + 1) + next) + kind, item(at, width - 1)});
    }
}

/* m->limit up to outcome o: those that are missing are the probabilities. */
static void limits_room(judge *ctx, reading *r, size_t o)
{
    for (; r->limited <= o; r->limited++)
        for (int side = DOWN; side <= UP; side++) {
            r->m->limit[side] = rationals_grown(ctx, r->m->limit[side], r->limited);
            mpq_set(r->m->limit[side][r->limited], r->m->prob.q[r->limited]);
        }
}

/* The outcomes from `first` on have upper limits as probabilities, and lower ones if those differ: sum [UP + 1] of both. Nominal
 * are low + c (high - low), with one c, normalised as limits are. */
static void settle(judge *ctx, reading *r, size_t first, mpq_ptr sum[])
{
    model *m = r->m;
    mpq_ptr low = temp(ctx), high = temp(ctx), c = temp(ctx), one = m->one.q[0];
    size_t kept = first;
    mpq_set_ui(low, SUM + 1, SUM);
    mpq_set_ui(high, SUM - 1, SUM);
    if (r->outcomes == first) return;
    if (mpq_cmp(sum[DOWN], low) > 0 || mpq_cmp(sum[UP], high) < 0)
        unreadable(ctx, "the probabilities of a state and an action do not sum to 1");
    mpq_sub(high, sum[UP], sum[DOWN]);
    if (mpq_sgn(high) > 0) {
        mpq_sub(c, one, sum[DOWN]);
        mpq_div(c, c, high);
        if (mpq_cmp(sum[DOWN], one) < 0) mpq_set(sum[DOWN], one);
        if (mpq_cmp(sum[UP], one) > 0) mpq_set(sum[UP], one);
    }
    if (mpq_sgn(c) < 0) mpq_set_ui(c, 0, 1);
    if (mpq_cmp(c, one) > 0) mpq_set(c, one);
    for (size_t o = first; o < r->outcomes; o++) {
        mpq_div(low, o < r->limited ? m->limit[DOWN][o] : m->prob.q[o], sum[DOWN]);
        mpq_div(high, m->prob.q[o], sum[UP]);
        if (o < r->limited) {
            mpq_set(m->limit[DOWN][kept], low);
            mpq_set(m->limit[UP][kept], high);
        }
        mpq_sub(high, high, low);
        mpq_mul(high, high, c);
        mpq_add(low, low, high);
        if (mpq_sgn(low) == 0) continue; /* 0 in every row within the limits */
        m->next[kept] = m->next[o];
        mpq_set(r->reward[kept], r->reward[o]);
        mpq_set(m->prob.q[kept++], low);
    }
    r->outcomes = kept;
}

/* The outcomes of a pair of state and action, from the rows [at, end) in order. */
static void add_outcomes(judge *ctx, reading *r, const row *at, const row *end)
{
    model *m = r->m;
    size_t first = r->outcomes, temps = ctx->temps;
    mpq_ptr any = temp(ctx), part = temp(ctx), sum[] = {temp(ctx), temp(ctx)}, to[] = {temp(ctx), temp(ctx), temp(ctx)};
    while (at < end) {
        int64_t place = at->place / 2, next = place % (m->S + 1);
        mpq_set(to[REWARD], any);
        for (int i = LOW; i <= HIGH; i++) mpq_set_ui(to[i], 0, 1);
        for (; at < end && at->place / 2 == place; at++) {
            bool chance = at->place % 2, two = chance && json_object_is_type(at->value, json_type_array);
            if (two && json_object_array_length(at->value) != 2) unreadable(ctx, "limits of a probability are not two");
            for (int i = chance ? LOW : REWARD; i <= (chance ? HIGH : REWARD); i++) {
                number(ctx, two ? item(at->value, (size_t)(i - LOW)) : at->value, part);
                if (chance && (mpq_sgn(part) < 0 || mpq_cmp_si(part, 1, 1) > 0))
                    unreadable(ctx, "a probability is not within 0 and 1");
                mpq_add(to[i], to[i], part);
            }
        }
        if (next == 0) mpq_set(any, to[REWARD]);
        for (int i = LOW; i <= HIGH; i++) mpq_add(sum[i - LOW], sum[i - LOW], to[i]);
        if (mpq_cmp(to[LOW], to[HIGH]) > 0) unreadable(ctx, "a lower limit of a probability is above the upper one");
        if (mpq_sgn(to[HIGH]) == 0) continue;
        put_at(ctx, m->next, r->outcomes, (int)next - 1);
        m->prob.q = rationals_grown(ctx, m->prob.q, r->outcomes);
        r->reward = rationals_grown(ctx, r->reward, r->outcomes);
        mpq_set(m->prob.q[r->outcomes], to[HIGH]);
        if (mpq_cmp(to[LOW], to[HIGH]) < 0) limits_room(ctx, r, r->outcomes);
        if (r->outcomes < r->limited) mpq_set(m->limit[DOWN][r->outcomes], to[LOW]);
        (m->costs ? mpq_neg : mpq_set)(r->reward[r->outcomes++], to[REWARD]);
    }
    settle(ctx, r, first, sum);
    ctx->temps = temps;
}

static void read_environment(judge *ctx, reading *r, int k)
{
    model *m = r->m;
    json_object *environment = item(r->environments, (size_t)k);
    size_t pairs = (size_t)m->S * (size_t)m->A, c = cell(m, k, 0, 0);
    bool *own = zeroed(ctx, pairs, 2 * sizeof *own), *common = own + pairs;
    only_fields(ctx, environment, " name transitions rewards ");
    r->rows = 0;
    for (int kind = REWARD; kind <= LOW; kind++) {
        memset(own, false, 2 * pairs * sizeof *own);
        read_rows(ctx, r, environment, kind, common, own);
        read_rows(ctx, r, r->top, kind, own, common);
    }
    drop(ctx, own);
    if (r->rows > 1) qsort(r->row, r->rows, sizeof *r->row, by_place);
    for (size_t i = 0, at = 0, from; i < pairs; i++, c++) {
        for (from = at; at < r->rows && r->row[at].place / 2 / (m->S + 1) == (int64_t)i;) at++;
        m->start[c] = r->outcomes;
        add_outcomes(ctx, r, r->row + from, r->row + at);
        m->start[c + 1] = r->outcomes;
        if ((r->outcomes > m->start[c]) != (m->start[i + 1] > m->start[i]))
            unreadable(ctx, "action %zu is available in state %zu in some environments only", i % (size_t)m->A, i / (size_t)m->A);
    }
}

/* ---- rewards: as observations, and expected ---- */

typedef struct sight {
    int next;
    mpq_srcptr reward;
    size_t outcome;
} sight;

static int by_reward(const void *x, const void *y)
{
    const sight *a = x, *b = y;
    return a->next != b->next ? (a->next > b->next) - (a->next < b->next) : mpq_cmp(a->reward, b->reward);
}

/* The nearest double, which an observer sees; of two the one farther from 0. rest: scratch. */
static double nearest(mpq_srcptr q, mpq_ptr rest)
{
    double low = mpq_get_d(q), gap = nextafter(low, mpq_sgn(q) * HUGE_VAL) - low; /* low is the nearer to 0 */
    if (mpq_sgn(q) == 0) return 0;
    mpq_set_d(rest, low);
    mpq_sub(rest, q, rest);
    return fabs(mpq_get_d(rest)) < fabs(gap) / 2 ? low : low + gap;
}

/* Numbers the observations of each (s, a, next): rewards in order, a new number where neighbours differ, compared as doubles.
 * "observe": "states" means that transitions alone tell environments apart. Then expected rewards. */
static void observe(judge *ctx, reading *r)
{
    model *m = r->m;
    sight *list = zeroed(ctx, r->outcomes, sizeof *list);
    mpq_ptr rest = temp(ctx);
    size_t cells = cell(m, m->K, 0, 0);
    mpq_t *paid = rationals_new(ctx, cells);
    json_object *by = field(ctx, r->top, "observe", json_type_string, false);
    bool states = by && strcmp(json_object_get_string(by), "states") == 0;
    if (by && !states && strcmp(json_object_get_string(by), "rewards") != 0)
        unreadable(ctx, "\"observe\" is neither rewards nor states");
    m->seen = zeroed(ctx, r->outcomes, sizeof *m->seen);
    for (int i = 0; i < m->S * m->A; i++) {
        size_t count = 0;
        for (int k = 0; k < m->K; k++)
            for (size_t o = m->start[cell(m, k, 0, i)]; o < m->start[cell(m, k, 0, i) + 1]; o++)
                list[count++] = (sight){m->next[o], r->reward[o], o};
        if (count > 1) qsort(list, count, sizeof *list, by_reward);
        for (size_t j = 1; j < count; j++) {
            double a = nearest(list[j - 1].reward, rest), b = nearest(list[j].reward, rest);
            bool close_rewards = states || fabs(a - b) <= SAME_REWARD * fmax(fabs(a), fabs(b));
            bool other = list[j].next != list[j - 1].next || !close_rewards;
            m->seen[list[j].outcome] = m->seen[list[j - 1].outcome] + other;
        }
    }
    for (size_t o = 0; o < r->outcomes; o++) {
        if (o == 0 || mpq_cmp(r->reward[o], m->least) < 0) mpq_set(m->least, r->reward[o]);
        if (o == 0 || mpq_cmp(r->reward[o], m->most) > 0) mpq_set(m->most, r->reward[o]);
    }
    for (size_t c = 0; c + 1 < cells; c++)
        for (size_t o = m->start[c]; o < m->start[c + 1]; o++) {
            mpq_sub(rest, r->reward[o], m->least);
            plus(ctx, paid[c], rest, m->prob.q[o]);
        }
    m->prob = numbers_of(ctx, m->prob.q, r->outcomes);
    m->paid = numbers_of(ctx, paid, cells);
    m->pay = numbers_of(ctx, NULL, cells);
    drop(ctx, r->reward);
    drop(ctx, list);
}

/* The value for environment k: `of` itself, or (environments given) the member of an object that has the environment's name. */
static json_object *of_environment(judge *ctx, json_object *of, json_object *environments, int k)
{
    json_object *found = NULL;
    if (!environments || !json_object_is_type(of, json_type_object)) return of;
    if (json_object_object_length(of) != (int)json_object_array_length(environments))
        unreadable(ctx, "a promise, or the prior, names some environments only");
    json_object *environment = item(environments, (size_t)k);
    if (!json_object_is_type(environment, json_type_object)) unreadable(ctx, "an environment is no object");
    const char *name = json_object_get_string(field(ctx, environment, "name", json_type_string, true));
    if (!json_object_object_get_ex(of, name, &found))
        unreadable(ctx, "a promise, or the prior, does not name environment \"%.80s\"", name);
    return found;
}

/* "commitment", the same in all environments, or a list of commitments of kind "at" that are about the horizon; and "prior": a
 * number for each environment, up to a common factor; without it the environments are equally likely. */
static void read_promises(judge *ctx, reading *r)
{
    model *m = r->m;
    json_object *one = field(ctx, r->top, "commitment", json_type_object, false);
    json_object *list = field(ctx, r->top, "commitments", json_type_array, !one), *among = list ? r->environments : NULL;
    if (one && list) unreadable(ctx, "both \"commitment\" and \"commitments\"");
    m->J = list ? (int)json_object_array_length(list) : 1;
    if (m->J < 1 || m->J > PROMISES) unreadable(ctx, "expected 1 to %d promises", PROMISES);
    m->P = m->K * m->J;
    m->phi = zeroed(ctx, (size_t)m->P * (size_t)m->S, sizeof *m->phi);
    m->p = rationals_new(ctx, (size_t)m->P);
    m->average = zeroed(ctx, (size_t)m->J, sizeof *m->average);
    for (int j = 0; j < m->J; j++) {
        json_object *of = list ? item(list, (size_t)j) : one, *p = NULL, *in = NULL;
        only_fields(ctx, of, list ? " name kind states time probability over " : " states probability over ");
        if (list && strcmp(json_object_get_string(field(ctx, of, "kind", json_type_string, true)), "at") != 0)
            unreadable(ctx, "a promise of another kind than \"at\"; vouch convert --joined makes it one");
        if (!json_object_object_get_ex(of, "probability", &p)) unreadable(ctx, "a promise has no \"probability\"");
        if (!json_object_object_get_ex(of, "states", &in)) unreadable(ctx, "a promise has no \"states\"");
        json_object *over = field(ctx, of, "over", json_type_string, false);
        if (over && strcmp(json_object_get_string(over), "prior") != 0)
            unreadable(ctx, "a promise over another thing than the prior");
        if (over && json_object_is_type(p, json_type_object))
            unreadable(ctx, "a promise over the prior with several probabilities");
        m->average[j] = over != NULL;
        if (json_object_object_get_ex(of, "time", NULL) && count_of(ctx, of, "time") != m->T)
            unreadable(ctx, "a promise of another time than the horizon; vouch convert --joined makes it one");
        for (int k = 0, at = j; k < m->K; k++, at += m->J) {
            json_object *states = of_environment(ctx, in, among, k);
            if (!json_object_is_type(states, json_type_array)) unreadable(ctx, "the \"states\" of a promise is no array");
            for (size_t i = 0; i < json_object_array_length(states); i++)
                m->phi[(size_t)at * (size_t)m->S + (size_t)find(ctx, &r->states, item(states, i))] = true;
            number(ctx, of_environment(ctx, p, among, k), m->p[at]);
        }
    }
    json_object *given_as = field(ctx, r->top, "prior", json_type_object, false);
    mpq_ptr sum = temp(ctx);
    m->prior = rationals_new(ctx, (size_t)m->K);
    for (int k = 0; k < m->K; k++) {
        mpq_set_ui(m->prior[k], 1, 1);
        if (given_as) number(ctx, of_environment(ctx, given_as, r->environments, k), m->prior[k]);
        if (mpq_sgn(m->prior[k]) < 0) unreadable(ctx, "a prior that is negative");
        mpq_add(sum, sum, m->prior[k]);
    }
    if (mpq_sgn(sum) == 0) unreadable(ctx, "the prior is 0 in every environment");
    for (int k = 0; k < m->K; k++) mpq_div(m->prior[k], m->prior[k], sum);
}

void model_read(judge *ctx, model *m, const char *bytes, size_t length, int horizon, bool costs)
{
    if (length > INT32_MAX - 1) unreadable(ctx, "the model is too large");
    if (memchr(bytes, '\0', length)) unreadable(ctx, "a zero byte in the model");
    if (strncmp(bytes, "vouch-proof", strlen("vouch-proof")) == 0)
        unreadable(ctx, "the first file is a proof; the model comes first: vouch-check MODEL.json PROOF.vproof");
    char *text = with_points(ctx, bytes, &length);
    json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object *top = ctx->json = json_tokener_parse_ex(tokener, text, (int)length + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    json_tokener_free(tokener);
    drop(ctx, text);
    const char *why = error != json_tokener_success ? json_tokener_error_desc(error) : "";
    if (*why || !json_object_is_type(top, json_type_object))
        unreadable(ctx, "the model is no JSON object (vouch convert writes one)%s%s", *why ? ": " : "", why);
    reading r = {.m = m, .top = top};
    only_fields(ctx, top,
                " vouch name states actions initial horizon observe sense within prior commitment commitments labels transitions "
                "rewards environments ");
    if (count_of(ctx, top, "vouch") != 1) unreadable(ctx, "a model of a later version");
    if (fields_of(bytes) != fields_of(json_object_to_json_string(top))) unreadable(ctx, "a field of the model is given twice");
    json_object *sense = field(ctx, top, "sense", json_type_string, false);
    const char *aim = sense ? json_object_get_string(sense) : "max";
    if (strcmp(aim, "max") != 0 && strcmp(aim, "min") != 0) unreadable(ctx, "\"sense\" is neither max nor min");
    *m = (model){.one = numbers_of(ctx, NULL, 1), .costs = costs || strcmp(aim, "min") == 0, .within = *rationals_new(ctx, 1)};
    json_object *within = NULL;
    if (json_object_object_get_ex(top, "within", &within)) number(ctx, within, m->within);
    if (mpq_sgn(m->within) < 0 || mpq_cmp_ui(m->within, 1, 1) > 0) unreadable(ctx, "\"within\" is no number from 0 to 1");
    m->least = *rationals_new(ctx, 1), m->most = *rationals_new(ctx, 1), m->apart = *rationals_new(ctx, 1);
    mpq_set_ui(m->one.q[0], 1, 1);
    put(m->one, 0, m->one.q[0]);
    m->S = names_of(ctx, &r, "states", &r.states);
    m->A = names_of(ctx, &r, "actions", &r.actions);
    if (m->A > ACTIONS) unreadable(ctx, "more than %d actions", ACTIONS);
    m->s0 = find(ctx, &r.states, field(ctx, top, "initial", json_type_string, true));
    m->T = count_of(ctx, top, "horizon");
    if (horizon > 0) m->T = horizon;
    r.environments = field(ctx, top, "environments", json_type_array, true);
    m->K = (int)json_object_array_length(r.environments);
    if (m->K < 1 || m->K > COUNT) unreadable(ctx, "the model has %d environments; expected 1 to %d", m->K, COUNT);
    read_promises(ctx, &r);
    m->start = zeroed(ctx, cell(m, m->K, 0, 0), sizeof *m->start);
    for (int k = 0; k < m->K; k++) read_environment(ctx, &r, k);
    if (r.outcomes == 0) unreadable(ctx, "the model has no transitions");
    if (r.limited) limits_room(ctx, &r, r.outcomes - 1);
    observe(ctx, &r);
    json_object_put(top);
    ctx->json = NULL;
}

void model_room(judge *ctx, model *m)
{
    size_t cells = cell(m, m->K, 0, 0);
    m->P = m->K * m->J;
    m->start = zeroed(ctx, cells, sizeof *m->start);
    m->paid = numbers_of(ctx, NULL, cells);
    m->pay = numbers_of(ctx, NULL, cells);
    m->phi = zeroed(ctx, (size_t)m->P * (size_t)m->S, sizeof *m->phi);
    m->p = rationals_new(ctx, (size_t)m->P);
    m->apart = *rationals_new(ctx, 1);
}

void limit(const model *m, size_t o, int side, mpq_ptr x)
{
    (side == UP ? mpq_add : mpq_sub)(x, m->limit[side] ? m->limit[side][o] : m->prob.q[o], m->within);
    if (mpq_sgn(x) < 0) mpq_set_ui(x, 0, 1);
    if (mpq_cmp(x, m->one.q[0]) > 0) mpq_set(x, m->one.q[0]);
}

ptrdiff_t outcome(judge *ctx, const model *m, int k, int s, int a, int next)
{
    spend(ctx, 1);
    for (size_t o = m->start[cell(m, k, s, a)]; o < m->start[cell(m, k, s, a) + 1]; o++)
        if (m->next[o] == next) return (ptrdiff_t)o;
    return -1;
}
