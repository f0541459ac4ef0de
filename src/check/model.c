/* check/model.c - a JSON model in exact rationals. Numbers are read from the text as it stands, which json-c keeps; 0.1 is 1/10. */
#include "check/check.h"

#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* Limits that no honest number comes near: digits, size of the exponent, and whole numbers that json-c can hold. */
enum { DIGITS = 20000, EXPONENT = 4000 };
static const int64_t WHOLE = INT64_C(1) << 53;
/* Rewards closer than this, relative to the larger, are one observation, and those joined by a chain of such neighbours. */
static const char SAME_REWARD[] = "1e-9";
/* A distribution must sum to 1 within this, and is then normalised. */
static const char SUM[] = "1e-6";

typedef struct check_row {
    int s, a, next; /* next: -1 for a reward whatever follows */
    mpq_t value;
} check_row;

typedef struct check_rows {
    check_row *row;
    size_t count, room;
} check_rows;

typedef struct check_reader {
    check_model *m;
    json_object *states, *actions; /* name to number */
    check_rows shared, shared_pay;
    bool *own; /* [S * A] */
    size_t outcomes, room[3];
    mpq_t *reward; /* [outcomes] */
    size_t reward_room;
} check_reader;

bool read_number(const char *word, mpq_t x)
{
    size_t length = strlen(word);
    if (length == 0 || length > DIGITS) return false;
    const char *slash = strchr(word, '/');
    if (slash) {
        if (strspn(word, "+-0123456789/") != length || strchr(slash + 1, '/') || word[0] == '+' || slash == word) return false;
        if (mpq_set_str(x, word, 10) != 0 || mpz_sgn(mpq_denref(x)) <= 0) return false;
        mpq_canonicalize(x);
        return true;
    }
    char *digits = malloc(length + 1);
    if (!digits) unreadable("out of memory");
    size_t used = 0, i = 0;
    long scale = 0;
    bool point = false, any = false;
    if (word[i] == '+' || word[i] == '-') {
        if (word[i] == '-') digits[used++] = '-';
        i++;
    }
    for (; i < length && (word[i] == '.' || (word[i] >= '0' && word[i] <= '9')); i++) {
        if (word[i] == '.') {
            if (point) break;
            point = true;
            continue;
        }
        any = true;
        digits[used++] = word[i];
        scale -= point;
    }
    digits[used] = '\0';
    bool good = any;
    if (good && (word[i] == 'e' || word[i] == 'E')) {
        char *end;
        long exponent = strtol(word + i + 1, &end, 10);
        good = end != word + i + 1 && *end == '\0' && labs(exponent) <= EXPONENT;
        scale += exponent;
    } else if (i < length) {
        good = false;
    }
    good = good && mpz_set_str(mpq_numref(x), digits, 10) == 0;
    free(digits);
    if (!good) return false;
    mpz_set_ui(mpq_denref(x), 1);
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(scale));
    if (scale >= 0)
        mpz_mul(mpq_numref(x), mpq_numref(x), power);
    else
        mpz_set(mpq_denref(x), power);
    mpz_clear(power);
    mpq_canonicalize(x);
    return true;
}

/* ---- parts of the file ---- */

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

static void only_fields(json_object *of, const char *const names[])
{
    json_object_object_foreach(of, name, value)
    {
        (void)value;
        int i = 0;
        while (names[i] && strcmp(names[i], name) != 0) i++;
        if (!names[i]) unreadable("the model's \"%s\" is not known to this program", name);
    }
}

static void number(json_object *of, mpq_t x)
{
    json_type type = json_object_get_type(of);
    if (type == json_type_int) {
        int64_t whole = json_object_get_int64(of);
        if (whole > WHOLE || whole < -WHOLE) unreadable("the whole number %lld is too large", (long long)whole);
        mpq_set_si(x, (long)whole, 1);
    } else if (type != json_type_double || !read_number(json_object_get_string(of), x)) {
        unreadable("expected a number, found %.40s", json_object_to_json_string(of));
    }
}

static int count_of(json_object *of, int least, int most, const char *what)
{
    int64_t n = json_object_is_type(of, json_type_int) ? json_object_get_int64(of) : -1;
    if (n < least || n > most) unreadable("\"%s\" is no number from %d to %d", what, least, most);
    return (int)n;
}

/* Names, or a count that stands for prefix0, prefix1, .. */
static json_object *names_of(json_object *top, const char *what, char prefix, int *count)
{
    json_object *list = NULL, *table = json_object_new_object();
    enum { MOST = 1000000 };
    json_object_object_get_ex(top, what, &list);
    if (json_object_is_type(list, json_type_int)) {
        *count = count_of(list, 1, MOST, what);
        for (int i = 0; i < *count; i++) {
            char name[16];
            snprintf(name, sizeof name, "%c%d", prefix, i);
            json_object_object_add(table, name, json_object_new_int(i));
        }
        return table;
    }
    if (!json_object_is_type(list, json_type_array)) unreadable("the model has no \"%s\"", what);
    *count = (int)json_object_array_length(list);
    for (int i = 0; i < *count; i++) {
        json_object *name = json_object_array_get_idx(list, (size_t)i);
        if (!json_object_is_type(name, json_type_string)) unreadable("a name among \"%s\" is none", what);
        if (json_object_object_get_ex(table, json_object_get_string(name), NULL))
            unreadable("\"%s\" is named twice", json_object_get_string(name));
        json_object_object_add(table, json_object_get_string(name), json_object_new_int(i));
    }
    if (*count < 1) unreadable("\"%s\" is empty", what);
    return table;
}

static int find(json_object *table, json_object *name)
{
    json_object *number_of = NULL;
    if (!json_object_is_type(name, json_type_string) || !json_object_object_get_ex(table, json_object_get_string(name), &number_of))
        unreadable("%.80s is neither state nor action", json_object_to_json_string(name));
    return json_object_get_int(number_of);
}

static int by_place(const void *x, const void *y)
{
    const check_row *a = x, *b = y;
    if (a->s != b->s) return a->s < b->s ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->next > b->next) - (a->next < b->next);
}

static void read_rows(check_reader *r, json_object *list, bool reward, check_rows *out)
{
    size_t count = list ? json_object_array_length(list) : 0;
    for (size_t i = 0; i < count; i++) {
        json_object *at = json_object_array_get_idx(list, i);
        size_t width = json_object_is_type(at, json_type_array) ? json_object_array_length(at) : 0;
        if (width != 4 && !(reward && width == 3)) unreadable("a row is %.80s", json_object_to_json_string(at));
        out->row = grown(out->row, &out->room, out->count, sizeof *out->row);
        check_row *row = &out->row[out->count++];
        row->s = find(r->states, json_object_array_get_idx(at, 0));
        row->a = find(r->actions, json_object_array_get_idx(at, 1));
        row->next = width == 4 ? find(r->states, json_object_array_get_idx(at, 2)) : -1;
        mpq_init(row->value);
        number(json_object_array_get_idx(at, width - 1), row->value);
        if (!reward && (mpq_sgn(row->value) < 0 || mpq_cmp_si(row->value, 1, 1) > 0))
            unreadable("a probability is not within 0 and 1");
    }
}

static void rows_clear(check_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) mpq_clear(rows->row[i].value);
    free(rows->row);
    *rows = (check_rows){0};
}

/* The shared rows, but for the pairs that the environment has rows of its own for, and these; sorted by place. */
static check_rows rows_of(check_reader *r, json_object *environment, const char *what, const check_rows *shared)
{
    check_rows rows = {0};
    bool reward = what[0] == 'r';
    read_rows(r, field(environment, what, json_type_array, false), reward, &rows);
    memset(r->own, 0, (size_t)r->m->S * (size_t)r->m->A);
    for (size_t i = 0; i < rows.count; i++) r->own[rows.row[i].s * r->m->A + rows.row[i].a] = true;
    for (size_t i = 0; i < shared->count; i++) {
        const check_row *from = &shared->row[i];
        if (r->own[from->s * r->m->A + from->a]) continue;
        rows.row = grown(rows.row, &rows.room, rows.count, sizeof *rows.row);
        check_row *to = &rows.row[rows.count++];
        to->s = from->s;
        to->a = from->a;
        to->next = from->next;
        mpq_init(to->value);
        mpq_set(to->value, from->value);
    }
    if (rows.count > 1) qsort(rows.row, rows.count, sizeof *rows.row, by_place);
    return rows;
}

/* What is paid at (s, a, next): rows for whatever follows and rows for next add up. */
static void pay_of(const check_rows *pay, int s, int a, int next, mpq_t sum)
{
    const int ends[2] = {-1, next};
    mpq_set_ui(sum, 0, 1);
    for (int e = 0; e < 2; e++) {
        check_row key = {.s = s, .a = a, .next = ends[e]};
        size_t low = 0, high = pay->count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (by_place(&pay->row[middle], &key) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < pay->count && by_place(&pay->row[low], &key) == 0; low++) mpq_add(sum, sum, pay->row[low].value);
    }
}

/* The outcomes of (k, s, a), those of the rows from *at on; each distribution normalised. */
static void add_outcomes(check_reader *r, const check_rows *rows, const check_rows *pay, int s, int a, size_t *at)
{
    check_model *m = r->m;
    size_t first = r->outcomes;
    mpq_t sum, off, most;
    mpq_inits(sum, off, most, NULL);
    for (; *at < rows->count && rows->row[*at].s == s && rows->row[*at].a == a; ++*at) {
        const check_row *row = &rows->row[*at];
        mpq_add(sum, sum, row->value);
        if (mpq_sgn(row->value) == 0) continue;
        if (r->outcomes > first && m->next[r->outcomes - 1] == row->next) {
            mpq_add(m->prob[r->outcomes - 1], m->prob[r->outcomes - 1], row->value);
            continue;
        }
        size_t n = r->outcomes;
        m->next = grown(m->next, &r->room[0], n, sizeof *m->next);
        m->prob = grown(m->prob, &r->room[1], n, sizeof *m->prob);
        m->seen = grown(m->seen, &r->room[2], n, sizeof *m->seen);
        r->reward = grown(r->reward, &r->reward_room, n, sizeof *r->reward);
        m->next[n] = row->next;
        m->seen[n] = 0;
        mpq_init(m->prob[n]);
        mpq_set(m->prob[n], row->value);
        mpq_init(r->reward[n]);
        pay_of(pay, s, a, row->next, r->reward[n]);
        r->outcomes++;
    }
    if (mpq_sgn(sum) != 0) {
        mpq_set_ui(off, 1, 1);
        mpq_sub(off, sum, off);
        mpq_abs(off, off);
        read_number(SUM, most);
        if (mpq_cmp(off, most) > 0) unreadable("the probabilities of state %d, action %d do not sum to 1", s, a);
        for (size_t o = first; o < r->outcomes; o++) mpq_div(m->prob[o], m->prob[o], sum);
    }
    mpq_clears(sum, off, most, NULL);
}

static void read_environment(check_reader *r, int k, json_object *environment)
{
    static const char *const names[] = {"name", "transitions", "rewards", NULL};
    check_model *m = r->m;
    if (!json_object_is_type(environment, json_type_object)) unreadable("an environment is none");
    only_fields(environment, names);
    check_rows rows = rows_of(r, environment, "transitions", &r->shared), pay = rows_of(r, environment, "rewards", &r->shared_pay);
    size_t at = 0;
    for (int s = 0; s < m->S; s++)
        for (int a = 0; a < m->A; a++) {
            size_t cell = check_cell(m, k, s, a);
            m->start[cell] = r->outcomes;
            add_outcomes(r, &rows, &pay, s, a, &at);
            bool there = r->outcomes > m->start[cell],
                 first = k == 0 || m->start[check_cell(m, 0, s, a) + 1] > m->start[check_cell(m, 0, s, a)];
            if (k > 0 && there != first) unreadable("action %d is available in state %d in some environments only", a, s);
        }
    m->start[check_cell(m, k, m->S - 1, m->A - 1) + 1] = r->outcomes;
    rows_clear(&rows);
    rows_clear(&pay);
}

/* ---- what is observed ---- */

typedef struct check_paid {
    int next;
    size_t outcome;
} check_paid;

static const mpq_t *paid_reward; /* for qsort */

static int by_reward(const void *x, const void *y)
{
    const check_paid *a = x, *b = y;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return mpq_cmp(paid_reward[a->outcome], paid_reward[b->outcome]);
}

/* Is the distance of a <= b at most the tolerance times the larger in size? */
static bool close_rewards(const mpq_t a, const mpq_t b, const mpq_t tolerance)
{
    mpq_t apart, size, other;
    mpq_inits(apart, size, other, NULL);
    mpq_sub(apart, b, a);
    mpq_abs(size, a);
    mpq_abs(other, b);
    if (mpq_cmp(other, size) > 0) mpq_swap(size, other);
    mpq_mul(size, size, tolerance);
    bool near = mpq_cmp(apart, size) <= 0;
    mpq_clears(apart, size, other, NULL);
    return near;
}

static void observe(check_reader *r)
{
    check_model *m = r->m;
    mpq_t tolerance;
    mpq_init(tolerance);
    read_number(SAME_REWARD, tolerance);
    paid_reward = (const mpq_t *)r->reward;
    check_paid *list = NULL;
    size_t room = 0;
    for (int s = 0; s < m->S; s++)
        for (int a = 0; a < m->A; a++) {
            size_t count = 0;
            for (int k = 0; k < m->K; k++)
                for (size_t o = m->start[check_cell(m, k, s, a)]; o < m->start[check_cell(m, k, s, a) + 1]; o++) {
                    list = grown(list, &room, count, sizeof *list);
                    list[count++] = (check_paid){m->next[o], o};
                }
            if (count > 1) qsort(list, count, sizeof *list, by_reward);
            for (size_t i = 1; i < count; i++) {
                bool other = list[i].next != list[i - 1].next ||
                             !close_rewards(r->reward[list[i - 1].outcome], r->reward[list[i].outcome], tolerance);
                m->seen[list[i].outcome] = m->seen[list[i - 1].outcome] + other;
            }
        }
    free(list);
    mpq_clear(tolerance);
}

static void expect_pay(check_reader *r)
{
    check_model *m = r->m;
    size_t cells = (size_t)m->K * (size_t)m->S * (size_t)m->A, least = 0;
    for (size_t o = 1; o < r->outcomes; o++)
        if (mpq_cmp(r->reward[o], r->reward[least]) < 0) least = o;
    m->pay = zeroed(cells, sizeof *m->pay);
    mpq_t part;
    mpq_init(part);
    for (size_t c = 0; c < cells; c++) {
        mpq_init(m->pay[c]);
        for (size_t o = m->start[c]; o < m->start[c + 1]; o++) {
            mpq_sub(part, r->reward[o], r->reward[least]);
            mpq_mul(part, part, m->prob[o]);
            mpq_add(m->pay[c], m->pay[c], part);
        }
    }
    mpq_clear(part);
    for (size_t o = 0; o < r->outcomes; o++) mpq_clear(r->reward[o]);
    free(r->reward);
}

void check_model_read(check_model *m, const char *bytes, size_t length)
{
    static const char *const top_names[] = {"vouch",      "name",        "states",  "actions",      "initial", "horizon",
                                            "commitment", "transitions", "rewards", "environments", NULL},
                             *const phi_names[] = {"states", "probability", NULL};
    check_reader r = {.m = m};
    if (length > INT32_MAX) unreadable("the model is too large");
    json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object *top = json_tokener_parse_ex(tokener, bytes, (int)length + 1);
    if (!top || json_tokener_get_error(tokener) != json_tokener_success || !json_object_is_type(top, json_type_object))
        unreadable("the model is no JSON object: %s", json_tokener_error_desc(json_tokener_get_error(tokener)));
    json_tokener_free(tokener);
    only_fields(top, top_names);
    *m = (check_model){0};
    r.states = names_of(top, "states", 's', &m->S);
    r.actions = names_of(top, "actions", 'a', &m->A);
    if (m->A > CHECK_ACTIONS) unreadable("more than %d actions", CHECK_ACTIONS);
    m->s0 = find(r.states, field(top, "initial", json_type_string, true));
    m->T = count_of(field(top, "horizon", json_type_int, true), 1, 1000000, "horizon");
    json_object *commitment = field(top, "commitment", json_type_object, true);
    only_fields(commitment, phi_names);
    json_object *phi = field(commitment, "states", json_type_array, true), *p = NULL;
    m->phi = zeroed((size_t)m->S, sizeof *m->phi);
    for (size_t i = 0; i < json_object_array_length(phi); i++) m->phi[find(r.states, json_object_array_get_idx(phi, i))] = true;
    mpq_init(m->p);
    if (!json_object_object_get_ex(commitment, "probability", &p)) unreadable("the commitment has no \"probability\"");
    number(p, m->p);
    read_rows(&r, field(top, "transitions", json_type_array, false), false, &r.shared);
    read_rows(&r, field(top, "rewards", json_type_array, false), true, &r.shared_pay);
    json_object *environments = field(top, "environments", json_type_array, true);
    m->K = (int)json_object_array_length(environments);
    if (m->K < 1) unreadable("the model has no environment");
    r.own = zeroed((size_t)m->S * (size_t)m->A, sizeof *r.own);
    m->start = zeroed((size_t)m->K * (size_t)m->S * (size_t)m->A + 1, sizeof *m->start);
    for (int k = 0; k < m->K; k++) read_environment(&r, k, json_object_array_get_idx(environments, (size_t)k));
    if (r.outcomes == 0) unreadable("the model has no transitions");
    observe(&r);
    expect_pay(&r);
    rows_clear(&r.shared);
    rows_clear(&r.shared_pay);
    free(r.own);
    json_object_put(r.states);
    json_object_put(r.actions);
    json_object_put(top);
}

ptrdiff_t check_outcome(const check_model *m, int k, int s, int a, int next)
{
    size_t cell = check_cell(m, k, s, a);
    for (size_t o = m->start[cell]; o < m->start[cell + 1]; o++)
        if (m->next[o] == next) return (ptrdiff_t)o;
    return -1;
}
