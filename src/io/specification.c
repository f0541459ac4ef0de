/* io/specification.c - see specification.h. */
#include "io/specification.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"

void specifications_free(specifications *list)
{
    for (size_t i = 0; i < list->count; i++) {
        mem_free(list->item[i].name);
        mem_free(list->item[i].what);
        mem_free(list->item[i].through);
    }
    names_free(&list->taken);
    names_free(&list->made);
    mem_free(list->made_of);
    mem_free(list->item);
    mem_free_strings(list->place, list->places);
    *list = (specifications){0};
}

static const char *behind_spaces(const char *from, const char *to)
{
    while (from < to && ascii_space(*from)) from++;
    return from;
}

static char *copy_of(const char *from, const char *to)
{
    from = behind_spaces(from, to);
    while (to > from && ascii_space(to[-1])) to--;
    char *copy = mem_alloc((size_t)(to - from) + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, from, (size_t)(to - from));
    copy[to - from] = '\0';
    return copy;
}

/* "label" without its quotation marks, where it is one. */
static char *unquoted(char *what)
{
    size_t n = what ? strlen(what) : 0;
    if (n > 2 && what[0] == '"' && strchr(what + 1, '"') == what + n - 1) {
        memmove(what, what + 1, n - 2);
        what[n - 2] = '\0';
    }
    return what;
}

/* A name that no promise has, for one about `what`: its first letters, and which of them it is. NULL: memory. */
static char *make_name(specifications *list, const char *what)
{
    char made[96];
    format_text(made, sizeof made, "%.60s", what);
    int about = names_add(&list->made, made);
    if (about < 0 || MEM_RESERVE(&list->made_of, &list->made_capacity, about)) return NULL;
    if (about == list->made_count) list->made_of[list->made_count++] = 0;
    do {
        int i = ++list->made_of[about];
        format_text(made, sizeof made, i > 1 ? "%.60s#%d" : "%.60s", what, i);
    } while (names_find(&list->taken, made) >= 0);
    return mem_string(made);
}

/* Takes over name (NULL: made from what it is about) and the texts of w; which may be NULL where memory was out. */
static vouch_status append(specifications *list, specification w, char *name, vouch_error *error)
{
    bool own = name != NULL;
    w.name = name || !w.what ? name : make_name(list, w.what);
    vouch_status status = VOUCH_OK;
    if (!w.name || !w.what || mem_reserve((void **)&list->item, &list->capacity, list->count, sizeof *list->item))
        status = error_memory(error);
    else if (own && names_find(&list->taken, name) >= 0)
        status = error_set(error, VOUCH_ERROR_INPUT, "%s: the promise \"%.100s\" is made twice", w.place, name);
    else if (names_add(&list->taken, w.name) < 0)
        status = error_memory(error);
    if (status) {
        mem_free(w.name);
        mem_free(w.what);
        mem_free(w.through);
        return status;
    }
    list->item[list->count++] = w;
    return VOUCH_OK;
}

static const char *remember_place(specifications *list, const char *place)
{
    char *copy = mem_string(place);
    if (!copy || mem_reserve((void **)&list->place, &list->place_capacity, list->places, sizeof *list->place)) {
        mem_free(copy);
        return "";
    }
    return list->place[list->places++] = copy;
}

/* A number that ends at `to`. */
static bool whole_real(const char *from, const char *to, double *value)
{
    char *end;
    from = behind_spaces(from, to);
    if (from == to || !(ascii_digit(*from) || *from == '.' || *from == '-' || *from == '+')) return false;
    *value = number_read(from, &end);
    return end <= to && behind_spaces(end, to) == to;
}

/* A time, in digits; *end behind them. false: there is none, or it is beyond all horizons. */
static bool read_time(const char *c, int *time, const char **end)
{
    char *behind;
    while (ascii_space(*c)) c++;
    long value = ascii_digit(*c) ? strtol(c, &behind, 10) : -1;
    if (value < 0 || value > INT_MAX) return false;
    *time = (int)value;
    for (*end = behind; ascii_space(**end);) ++*end;
    return true;
}

bool specification_probability(const char *given, const char **name, size_t *length, double *p)
{
    const char *equals = strrchr(given, '=');
    *name = given;
    *length = equals ? (size_t)(equals - given) : 0;
    return whole_real(equals ? equals + 1 : given, given + strlen(given), p) && *p >= 0 && *p <= 1;
}

/* ---- [NAME:]KIND:WHAT[@TIME][>=P] -------------------------------------------------------------------------------- */

/* Splits off [NAME:]KIND:, *rest is behind it; -1: there is none. */
static int split_kind(const char *given, size_t *name_length, const char **rest)
{
    const char *begin = given;
    *name_length = 0;
    for (int part = 0; part < 2; part++) {
        char word[8];
        size_t n = strcspn(begin, ":");
        if (!begin[n]) return -1;
        if (n < sizeof word) {
            memcpy(word, begin, n);
            word[n] = '\0';
            int kind = vouch_promise_kind_find(word);
            *rest = begin + n + 1;
            if (kind >= 0) return kind;
        }
        *name_length = n;
        begin += n + 1;
    }
    return -1;
}

bool specification_is_plain(const char *given)
{
    size_t length;
    double p;
    const char *rest, *end = given + strlen(given), *colon = strchr(given, ':'), *equals = strrchr(given, '=');
    /* WORD:WHAT>=P, neither an expression nor a name: the kind is unknown */
    bool unknown = colon && equals > colon && equals[-1] == '>' && !strchr(given, '?') && whole_real(equals + 1, end, &p);
    return !unknown && split_kind(given, &length, &rest) < 0;
}

static vouch_status bad(const specification *w, const char *given, const char *what, vouch_error *error)
{
    return error_set(error, VOUCH_ERROR_INPUT, "%s \"%.100s\": %s", w->place, given, what);
}

static vouch_status read_commit(specifications *list, const char *given, vouch_error *error)
{
    specification w = {.from = -1, .to = -1, .p = NAN, .place = remember_place(list, "--commit")};
    size_t name_length;
    const char *rest = given, *end = given + strlen(given), *at = end;
    int kind = split_kind(given, &name_length, &rest);
    if (kind < 0)
        return bad(&w, given,
                   "expected [NAME:]KIND:WHAT[@TIME]>=P with KIND " VOUCH_PROMISE_WORDS "; only a single --commit may be states "
                   "alone, with -p",
                   error);
    w.kind = (vouch_promise_kind)kind;
    w.average = end - rest > 6 && strcmp(end - 6, "~prior") == 0;
    if (w.average) at = end -= 6;
    bool window = vouch_promise_kind_is_window(w.kind);
    for (const char *c = end; c-- > rest + 1;) /* the last >= with a number behind it */
        if (c[0] == '=' && c[-1] == '>' && whole_real(c + 1, end, &w.p)) {
            end = at = c - 1;
            break;
        }
    if (!isnan(w.p) && !(w.p >= 0 && w.p <= 1)) return bad(&w, given, "a probability must lie between 0 and 1", error);
    for (const char *c = end; c-- > rest;) {
        if (*c != '@') continue;
        const char *dots = strstr(c, ".."), *behind = c;
        bool two = dots && dots < end;
        if (memchr(c, '>', (size_t)(end - c)) || memchr(c, '<', (size_t)(end - c)))
            return bad(&w, given, "expected >= and a probability from 0 to 1 at the end", error);
        bool good = (!two || (window && read_time(c + 1, &w.from, &behind) && behind == dots)) &&
                    read_time(two ? dots + 2 : c + 1, &w.to, &behind) && behind == end;
        if (!good) return bad(&w, given, window ? "expected a time or a window, @8 or @2..8" : "expected a time, @8", error);
        if (w.from > w.to) return bad(&w, given, "the window ends before it begins", error);
        at = c;
        break;
    }
    w.what = unquoted(copy_of(rest, at));
    if (w.what && !*w.what) {
        mem_free(w.what);
        return bad(&w, given, "what the promise is about is missing", error);
    }
    char *name = name_length ? copy_of(given, given + name_length) : NULL;
    return append(list, w, name, error);
}

typedef struct property_reader {
    specifications *list;
    const char *file, *at;
    int line;
    vouch_error *error;
} property_reader;

static vouch_status refuse(const property_reader *r, const char *what)
{
    return error_at(r->error, r->file, r->line,
                    "%s; expected properties such as P>=0.9 [ F<=8 \"goal\" ], P>=0.95 [ G !\"bad\" ] or "
                    "P>=0.9 [ \"safe\" U<=8 \"goal\" ]",
                    what);
}

static void skip(property_reader *r)
{
    for (;;) {
        if (r->at[0] == '/' && r->at[1] == '/')
            while (*r->at && *r->at != '\n') r->at++;
        if (*r->at == '\n') r->line++;
        if (!*r->at || !(ascii_space(*r->at) || *r->at == ';')) return;
        r->at++;
    }
}

/* The path U on the outermost level of from .. to; NULL: none. */
static const char *find_until(const char *from, const char *to)
{
    int nest = 0;
    bool quoted = false;
    for (const char *c = from; c < to; c++) {
        if (*c == '"') quoted = !quoted;
        if (quoted) continue;
        nest += (*c == '(') - (*c == ')');
        bool alone = (c == from || !(ascii_alnum(c[-1]) || c[-1] == '_')) && !(c + 1 < to && (ascii_alnum(c[1]) || c[1] == '_'));
        if (*c == 'U' && nest == 0 && alone) return c;
    }
    return NULL;
}

/* "<=8", "[2,8]", "=3" or nothing, behind an operator; *behind: where the formula goes on. false: it is none of them. */
static bool read_bound(const char *c, const char *to, specification *w, const char **behind)
{
    *behind = c = behind_spaces(c, to);
    w->unbounded = c == to || !strchr("<>=[", *c);
    if (w->unbounded) return true;
    if (c[0] == '<' && c[1] == '=') return read_time(c + 2, &w->to, behind) && *behind < to;
    if (*c == '=') {
        bool good = read_time(c + 1, &w->to, behind) && *behind < to;
        w->from = w->to;
        return good;
    }
    if (*c != '[' || !read_time(c + 1, &w->from, behind) || **behind != ',' || !read_time(*behind + 1, &w->to, behind))
        return false;
    return *(*behind)++ == ']';
}

/* "!"bad"" as "bad"; NULL: no such negation. */
static char *without_negation(const char *from, const char *to)
{
    from = behind_spaces(from, to);
    if (from == to || *from != '!') return NULL;
    from = behind_spaces(from + 1, to);
    const char *close = from < to && *from == '"' ? memchr(from + 1, '"', (size_t)(to - from - 1)) : NULL;
    if (close) return behind_spaces(close + 1, to) == to ? copy_of(from, to) : NULL;
    if (*from != '(') return NULL;
    int nest = 0;
    for (const char *c = from; c < to; c++) {
        nest += (*c == '(') - (*c == ')');
        if (nest <= 0) return behind_spaces(c + 1, to) == to ? copy_of(from, to) : NULL;
    }
    return NULL;
}

/* What F phi, G phi, phi U psi, X phi with its bound asks for; at_most: with at most this probability. */
static vouch_status read_path(property_reader *r, const char *from, const char *to, bool at_most, specification *w)
{
    const char *behind = NULL, *until = find_until(from, to);
    from = behind_spaces(from, to);
    char path = until ? 'U' : from < to ? *from : ' ';
    if (until && at_most) return refuse(r, "at most a probability of U is no promise of a kind that vouch has");
    if (!strchr("FGUX", path)) return refuse(r, "the path formula is none of F, G, U, X");
    if (!read_bound(until ? until + 1 : from + 1, to, w, &behind)) return refuse(r, "a time bound that is not <=T, =T or [T1,T2]");
    if (path == 'X') {
        if (!w->unbounded) return refuse(r, "X has no time bound");
        w->from = w->to = 1;
        w->unbounded = false;
    }
    if (w->from > w->to) return refuse(r, "the window ends before it begins");
    bool once = !until && w->from >= 0 && w->from == w->to; /* at one time F, G and X are the same */
    /* at most p of F is at least 1 - p of G not, and the other way round */
    bool always = once ? at_most : (path == 'G') != at_most, negated = at_most;
    if (until) w->through = unquoted(copy_of(from, until));
    char *inner = always ? without_negation(behind, to) : NULL;
    if (inner) negated = !negated;
    w->what = inner ? inner : copy_of(behind, to);
    if (always || !negated) w->what = unquoted(w->what);
    if (always) {
        w->kind = negated ? VOUCH_PROMISE_AVOID : VOUCH_PROMISE_STAY;
        return VOUCH_OK;
    }
    if (!once && w->from > 0) return refuse(r, "F and U from a later time on are no promise of a kind that vouch has");
    w->from = -1;
    w->kind = once ? VOUCH_PROMISE_AT : VOUCH_PROMISE_BY;
    if (negated && w->what) {
        size_t n = strlen(w->what) + 4;
        char *outside = mem_alloc(n, 1);
        if (outside) format_text(outside, n, "!(%s)", w->what);
        mem_free(w->what);
        w->what = outside;
    }
    return VOUCH_OK;
}

static vouch_status read_property(property_reader *r)
{
    char place[512], *end, *name = NULL;
    const char *open, *close;
    format_text(place, sizeof place, "%.400s:%d", r->file, r->line);
    specification w = {.from = -1, .to = -1, .place = remember_place(r->list, place)};
    if (*r->at == '"') {
        const char *quote = strchr(r->at + 1, '"');
        if (!quote) return refuse(r, "a name without its end");
        name = copy_of(r->at + 1, quote);
        r->at = quote + 1;
        skip(r);
        if (*r->at != ':') {
            mem_free(name);
            return refuse(r, "expected \":\" behind the name of a property");
        }
        r->at++;
        skip(r);
    }
    bool at_least = strncmp(r->at, "P>=", 3) == 0, at_most = strncmp(r->at, "P<=", 3) == 0;
    vouch_status status = at_least || at_most ? VOUCH_OK : refuse(r, "a property that is neither P>= nor P<=");
    if (!status) {
        w.p = number_read(r->at + 3, &end);
        if (end == r->at + 3 || !(w.p >= 0 && w.p <= 1)) status = refuse(r, "a probability must be a number between 0 and 1");
    }
    if (!status) {
        r->at = end;
        skip(r);
        open = r->at;
        int nest = 0;
        for (close = open; *close && *close != '\n'; close++) {
            nest += (*close == '[') - (*close == ']');
            if (nest == 0) break;
        }
        if (*open != '[' || *close != ']')
            status = refuse(r, "expected [ .. ] behind the probability");
        else
            status = read_path(r, open + 1, close, at_most, &w);
    }
    if (status) {
        mem_free(name);
        mem_free(w.what);
        mem_free(w.through);
        return status;
    }
    if (at_most) w.p = 1 - w.p;
    r->at = close + 1;
    return append(r->list, w, name, r->error);
}

vouch_status specifications_parse_properties(specifications *list, const file_content *file, vouch_error *error)
{
    property_reader r = {list, file->name, file->bytes, 1, error};
    vouch_status status = memchr(file->bytes, 0, file->length) ? refuse(&r, "a zero byte") : VOUCH_OK;
    for (skip(&r); !status && *r.at; skip(&r)) status = read_property(&r);
    return status;
}

static vouch_status read_properties(specifications *list, const char *path, vouch_error *error)
{
    file_content file = {0};
    vouch_status status = file_load(&file, path, error);
    if (!status) status = specifications_parse_properties(list, &file, error);
    file_unload(&file);
    return status;
}

/* -p P and -p NAME=P. */
static vouch_status set_probabilities(specifications *list, const vouch_source *source, const char *path, vouch_error *error)
{
    for (size_t i = 0; i < source->probability_count; i++) {
        const char *name;
        size_t n, found = list->count;
        double p;
        if (!specification_probability(source->probabilities[i], &name, &n, &p))
            return error_set(error, VOUCH_ERROR_INPUT, "-p: \"%.100s\" is not NAME=P with a number between 0 and 1",
                             source->probabilities[i]);
        for (size_t j = 0; j < list->count; j++)
            if (strlen(list->item[j].name) == n && strncmp(list->item[j].name, name, n) == 0) found = j;
        if (found == list->count)
            return error_set(error, VOUCH_ERROR_INPUT, "%s: -p: there is no promise \"%.*s\"", path, (int)(n < 100 ? n : 100),
                             name);
        list->item[found].p = p;
    }
    if (!isnan(source->probability) && list->count == 1) list->item[0].p = source->probability;
    if (!isnan(source->probability) && list->count > 1)
        return error_set(error, VOUCH_ERROR_INPUT, "%s: -p: several promises are made; expected -p NAME=P", path);
    for (size_t i = 0; i < list->count; i++)
        if (isnan(list->item[i].p) && !list->item[i].plain)
            return error_set(error, VOUCH_ERROR_INPUT, "%s: %s: the promise \"%.100s\" needs a probability: >=P, or -p %.100s=P",
                             path, list->item[i].place, list->item[i].name, list->item[i].name);
    return VOUCH_OK;
}

static vouch_status check_times(const specifications *list, int horizon, vouch_error *error)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].to > horizon)
            return error_set(error, VOUCH_ERROR_INPUT, "%s: the promise \"%.100s\": time %d is after the horizon %d",
                             list->item[i].place, list->item[i].name, list->item[i].to, horizon);
    return VOUCH_OK;
}

vouch_status specifications_read(specifications *list, const vouch_source *source, const char *path, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    *list = (specifications){0};
    if (source->commit) {
        specification w = {.kind = VOUCH_PROMISE_AT, .from = -1, .to = -1, .p = NAN, .plain = true, .place = "--commit"};
        w.what = mem_string(source->commit);
        status = append(list, w, mem_string("commitment"), error);
    }
    for (size_t i = 0; i < source->commit_count && !status; i++) status = read_commit(list, source->commits[i], error);
    if (!status && source->properties) status = read_properties(list, source->properties, error);
    if (!status) status = check_times(list, source->horizon, error);
    return status ? status : set_probabilities(list, source, path, error);
}
