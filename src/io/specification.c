/* io/specification.c - see formats.h. */
#include "io/formats.h"

static const char *behind_spaces(const char *from, const char *to)
{
    while (from < to && ascii_space(*from)) from++;
    return from;
}

static char *copy_of(escape *e, const char *from, const char *to)
{
    from = behind_spaces(from, to);
    while (to > from && ascii_space(to[-1])) to--;
    return escape_bytes(e, from, (size_t)(to - from));
}

/* "label" without its quotation marks, where it is one. */
static char *unquoted(char *what)
{
    size_t n = strlen(what);
    if (n > 2 && what[0] == '"' && strchr(what + 1, '"') == what + n - 1) {
        memmove(what, what + 1, n - 2);
        what[n - 2] = '\0';
    }
    return what;
}

/* A name that no promise has, for one about `what`: its first letters, and which of them it is. */
static char *make_name(specifications *list, const char *what)
{
    char made[96];
    format_text(made, sizeof made, "%.60s", what);
    int about = must_count(list->e, names_add(&list->made, made));
    ESCAPE_GROW(list->e, &list->made_of, &list->made_capacity, about);
    if (about == list->made_count) list->made_of[list->made_count++] = 0;
    do {
        int i = ++list->made_of[about];
        format_text(made, sizeof made, i > 1 ? "%.60s#%d" : "%.60s", what, i);
    } while (names_find(&list->taken, made) >= 0);
    return escape_string(list->e, made);
}

/* name NULL: made from the promise. */
static void append(specifications *list, specification w, char *name)
{
    w.name = name ? name : make_name(list, w.what);
    if (name && names_find(&list->taken, name) >= 0)
        escape_fail(list->e, VOUCH_ERROR_INPUT, "%s: the promise \"%.100s\" is made twice", w.place, name);
    must_count(list->e, names_add(&list->taken, w.name));
    ESCAPE_PUSH(list->e, list, item, w);
}

/* A number, or a fraction of two, as 1/10; *end behind it, or where it should be. */
static double fraction_read(const char *c, const char **end)
{
    char *behind;
    double x = number_read(c, &behind);
    *end = behind;
    if (behind == c) return NAN;
    while (*behind == ' ') behind++;
    if (*behind != '/' || behind[1] == '/') return x;
    const char *below = behind + 1;
    while (*below == ' ') below++;
    double y = number_read(below, &behind);
    *end = behind > below ? behind : c;
    return x / y;
}

/* A number that ends at `to`. */
static bool whole_real(const char *from, const char *to, double *value)
{
    const char *end;
    from = behind_spaces(from, to);
    if (from == to || !(ascii_digit(*from) || *from == '.' || *from == '-' || *from == '+')) return false;
    *value = fraction_read(from, &end);
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
    return *behind != '.' || behind[1] == '.';
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

static _Noreturn void bad(const specifications *list, const char *given, const char *what)
{
    escape_fail(list->e, VOUCH_ERROR_INPUT, "--commit \"%.100s\": %s", given, what);
}

static void read_commit(specifications *list, const char *given)
{
    specification w = {.from = -1, .to = -1, .p = NAN, .place = "--commit"};
    size_t name_length;
    const char *rest = given, *end = given + strlen(given), *at = end;
    int kind = split_kind(given, &name_length, &rest);
    if (kind < 0)
        bad(list, given,
            "expected [NAME:]KIND:WHAT[@TIME]>=P with KIND " VOUCH_PROMISE_WORDS "; only a single --commit may be states "
            "alone, with -p");
    w.kind = (vouch_promise_kind)kind;
    w.average = end - rest > 6 && strcmp(end - 6, "~prior") == 0;
    if (w.average) at = end -= 6;
    bool window = vouch_promise_kind_is_window(w.kind);
    for (const char *c = end; c-- > rest + 1;) { /* the last >= with a number behind it */
        if (c[0] == '=' && c[-1] == '>' && whole_real(c + 1, end, &w.p)) {
            end = at = c - 1;
            break;
        }
    }
    if (!isnan(w.p) && !(w.p >= 0 && w.p <= 1)) bad(list, given, "a probability must lie between 0 and 1");
    for (const char *c = end; c-- > rest;) {
        if (*c != '@') continue;
        const char *dots = strstr(c, ".."), *behind = c;
        bool two = dots && dots < end;
        if (memchr(c, '>', (size_t)(end - c)) || memchr(c, '<', (size_t)(end - c)))
            bad(list, given, "expected >= and a probability from 0 to 1 at the end");
        bool good = (!two || (window && read_time(c + 1, &w.from, &behind) && behind == dots)) &&
                    read_time(two ? dots + 2 : c + 1, &w.to, &behind) && behind == end;
        if (!good) bad(list, given, window ? "expected a time or a window, @8 or @2..8" : "expected a time, @8");
        if (w.from > w.to) bad(list, given, "the window ends before it begins");
        at = c;
        break;
    }
    w.what = unquoted(copy_of(list->e, rest, at));
    if (!*w.what) bad(list, given, "the states of the promise are missing");
    append(list, w, name_length ? copy_of(list->e, given, given + name_length) : NULL);
}

typedef struct property_constant { /* const NAME = value; */
    char *name;
    double value;
} property_constant;

typedef struct property_reader {
    specifications *list;
    const char *file, *at;
    int line;
    ESCAPE_ARRAY(property_constant, constant);
} property_reader;

/* what: what cannot be had, and what to do. */
static _Noreturn void deny(const property_reader *r, const char *what) { escape_at(r->list->e, r->file, r->line, "%s", what); }

static _Noreturn void refuse(const property_reader *r, const char *what)
{
    escape_at(r->list->e, r->file, r->line,
              "%s; expected properties such as P>=0.9 [ F<=8 \"goal\" ], P>=0.95 [ G !\"bad\" ] or "
              "P>=0.9 [ \"safe\" U<=8 \"goal\" ]",
              what);
}

/* P>p is planned as P>=p + STRICT, which a policy that counts as keeping it exceeds p by. */
static const double STRICT = 1e-9;

/* Words of PRISM's properties that promise nothing here, and what to do. */
static const struct other {
    const char *begins, *says;
} others[] = {{"Pmax=?", "Pmax=? asks for a value, which vouch plan --max-commitment computes"},
              {"Pmin=?", "Pmin=? asks for a value; promise a bound, P<=p"},
              {"P=?", "P=? asks for a value, which vouch plan --max-commitment computes"},
              {"R", "R bounds expected rewards; vouch optimises them (--reward, --minimise) and promises probabilities"},
              {"S", "S is about the long run; vouch plans for a horizon"},
              {"multi", "give each property of multi(..) a line of its own: all of them are kept"},
              {"filter", "filter(..) is about several states; give the property alone"},
              {"E", "E asks for a path; P>0 [ .. ] promises a probability"},
              {"A", "A is about all paths; P>=1 [ .. ] promises probability 1"},
              {"label", "labels belong to the model file; here write the expression, or a label of the model"},
              {"<<", "games are not supported; give the property P.. alone"}};

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

/* Is c one of F, G, X, U, W, R as a word, outside of quotation marks? */
static bool begins_path(const char *from, const char *c, const char *to)
{
    bool quoted = false;
    if (!strchr("FGXUWR", *c) || (c > from && (ascii_alnum(c[-1]) || strchr("_'", c[-1])))) return false;
    for (const char *b = from; b < c; b++) quoted ^= *b == '"';
    return !quoted && !(c + 1 < to && (ascii_alnum(c[1]) || c[1] == '_'));
}

/* U, W or R on the outermost level of from .. to; NULL: none. */
static const char *find_until(const char *from, const char *to)
{
    int nest = 0;
    bool quoted = false;
    for (const char *c = from; c < to; c++) {
        if (*c == '"') quoted = !quoted;
        if (quoted) continue;
        nest += (*c == '(') - (*c == ')');
        if (strchr("UWR", *c) && nest == 0 && begins_path(from, c, to)) return c;
    }
    return NULL;
}

/* The constant of the file that begins here, *end behind it; NULL: none. */
static const property_constant *find_constant(const property_reader *r, const char *c, const char **end)
{
    size_t n = 0;
    while (ascii_alnum(c[n]) || c[n] == '_') n++;
    *end = c + n;
    for (size_t i = 0; i < r->constant_count; i++)
        if (strlen(r->constant[i].name) == n && strncmp(r->constant[i].name, c, n) == 0) return &r->constant[i];
    return NULL;
}

/* A time: digits, a constant of the file, or T, the horizon (-1). */
static bool property_time(property_reader *r, const char *c, const char *to, int *time, const char **behind)
{
    if (read_time(c, time, behind)) return true;
    c = behind_spaces(c, to);
    if (!ascii_alpha(*c) && *c != '_') return false;
    const property_constant *k = find_constant(r, c, behind);
    bool horizon = !k && *behind == c + 1 && *c == 'T';
    if (!k && !horizon)
        escape_at(r->list->e, r->file, r->line,
                  "there is no constant \"%.*s\"; write the time, T for the horizon, or const int %.*s = 8;", (int)(*behind - c), c,
                  (int)(*behind - c), c);
    if (k && !(k->value >= 0 && k->value < INT_MAX && k->value == floor(k->value)))
        refuse(r, "a time is a whole number of at least 0");
    *time = horizon ? r->list->horizon : (int)k->value;
    *behind = behind_spaces(*behind, to);
    return true;
}

/* "<=8", "<9", "[2,8]", "=3" or nothing, behind an operator; *behind: where the formula goes on. false: it is none of them. */
static bool read_bound(property_reader *r, const char *c, const char *to, specification *w, const char **behind)
{
    *behind = c = behind_spaces(c, to);
    w->unbounded = c == to || !strchr("<>=[", *c);
    if (w->unbounded) return true;
    bool below = *c == '<' && c[1] != '=';
    if (*c == '>') {
        bool good = property_time(r, c + 1 + (c[1] == '='), to, &w->from, behind) && *behind < to;
        w->from += c[1] != '=';
        return good;
    }
    if (*c == '<') {
        if (!property_time(r, c + 1 + !below, to, &w->to, behind) || *behind >= to) return false;
        if (below && w->to-- == 0) refuse(r, "no time is below 0");
        return true;
    }
    if (*c == '=') {
        bool good = property_time(r, c + 1, to, &w->to, behind) && *behind < to;
        w->from = w->to;
        return good;
    }
    if (!property_time(r, c + 1, to, &w->from, behind) || **behind != ',' || !property_time(r, *behind + 1, to, &w->to, behind))
        return false;
    return *(*behind)++ == ']';
}

/* "!"bad"" as "bad"; NULL: no such negation. */
static char *without_negation(escape *e, const char *from, const char *to)
{
    from = behind_spaces(from, to);
    if (from == to || *from != '!') return NULL;
    from = behind_spaces(from + 1, to);
    const char *close = from < to && *from == '"' ? memchr(from + 1, '"', (size_t)(to - from - 1)) : NULL;
    if (close) return behind_spaces(close + 1, to) == to ? copy_of(e, from, to) : NULL;
    if (*from != '(') return NULL;
    int nest = 0;
    for (const char *c = from; c < to; c++) {
        nest += (*c == '(') - (*c == ')');
        if (nest <= 0) return behind_spaces(c + 1, to) == to ? copy_of(e, from, to) : NULL;
    }
    return NULL;
}

/* The promise of F phi, G phi, phi U psi or X phi with its bound; at_most: with at most this probability. */
static void read_path(property_reader *r, const char *from, const char *to, bool at_most, specification *w)
{
    const char *behind = NULL, *until = find_until(from, to);
    from = behind_spaces(from, to);
    char path = until ? *until : from < to ? *from : ' ';
    if (until && strncmp(from, "true", 4) == 0 && behind_spaces(from + 4, to) == until) { /* true U is F */
        from = until;
        until = NULL;
        path = 'F';
    }
    if (until && at_most) deny(r, "at most a probability of U is not supported; P<=p [ F .. ] and P<=p [ G .. ] are");
    if (path == 'W' || path == 'R') deny(r, "W and R are not supported; G and U are");
    for (const char *c = from + (path == '('); path == '(' && c < to; c++)
        if (begins_path(from, c, to))
            deny(r, "one of F, G, X, U in a property: write each part as a property of its own; all are kept");
    if (!strchr("FGUX", path) || (!until && from + 1 < to && (ascii_alnum(from[1]) || from[1] == '_')))
        refuse(r, "the path formula is none of F, G, U, X");
    if (!read_bound(r, until ? until + 1 : from + 1, to, w, &behind)) refuse(r, "a time bound that is not <=T, <T, =T or [T1,T2]");
    if (path == 'X') {
        if (!w->unbounded) refuse(r, "X has no time bound");
        w->from = w->to = 1;
        w->unbounded = false;
    }
    if (w->to >= 0 && w->from > w->to) refuse(r, "the window ends before it begins");
    for (const char *c = behind; c < to; c++)
        if (begins_path(behind, c, to))
            deny(r, "one of F, G, X, U in a property: write each part as a property of its own; all are kept");
    bool once = !until && w->from >= 0 && w->from == w->to; /* at one time F, G and X are the same */
    /* at most p of F is at least 1 - p of G not, and the other way round */
    bool always = once ? at_most : (path == 'G') != at_most, negated = at_most;
    if (until) w->through = unquoted(copy_of(r->list->e, from, until));
    char *inner = always ? without_negation(r->list->e, behind, to) : NULL;
    if (inner) negated = !negated;
    w->what = inner ? inner : copy_of(r->list->e, behind, to);
    if (always || !negated) w->what = unquoted(w->what);
    if (always) {
        w->kind = negated ? VOUCH_PROMISE_AVOID : VOUCH_PROMISE_STAY;
        return;
    }
    if (!once && w->from > 0) deny(r, "F and U from a later time on are not supported; G[2,8] and F=8 are");
    w->from = -1;
    w->kind = once ? VOUCH_PROMISE_AT : VOUCH_PROMISE_BY;
    if (negated) {
        size_t n = strlen(w->what) + 4;
        char *outside = escape_new(r->list->e, n, 1);
        format_text(outside, n, "!(%s)", w->what);
        w->what = outside;
    }
}

/* "const int N = 8;" */
static bool read_constant(property_reader *r)
{
    static const char *const types[] = {"int", "double", "bool"};
    char *end;
    const char *c = r->at + strlen("const"), *line_end = c + strcspn(c, "\n;"), *behind;
    if (strncmp(r->at, "const", strlen("const")) != 0 || !ascii_space(*c)) return false;
    c = behind_spaces(c, line_end);
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(types[i]);
        if (strncmp(c, types[i], n) == 0 && ascii_space(c[n])) c = behind_spaces(c + n, line_end);
    }
    property_constant k = {.value = NAN};
    (void)find_constant(r, c, &behind);
    k.name = copy_of(r->list->e, c, behind);
    c = behind_spaces(behind, line_end);
    if (*c != '=')
        escape_at(r->list->e, r->file, r->line, "the constant \"%.100s\" is open; give it a value here: const int %.100s = 8;",
                  k.name, k.name);
    c = behind_spaces(c + 1, line_end);
    k.value = number_read(c, &end);
    if (end == c || behind_spaces(end, line_end) != line_end) refuse(r, "the value of a constant is a number");
    ESCAPE_PUSH(r->list->e, r, constant, k);
    r->at = line_end;
    return true;
}

/* ">=0.9", ">9/10", "<p" behind P: the least probability of the promise, or (at_most) of its opposite. */
static void read_probability(property_reader *r, specification *w, bool *at_most)
{
    const char *c = r->at, *end;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(c, others[i].begins, strlen(others[i].begins)) == 0) deny(r, others[i].says);
    if (*c != 'P') refuse(r, "a property that does not begin with P");
    c += strncmp(c, "Pmin", 4) == 0 || strncmp(c, "Pmax", 4) == 0 ? 4 : 1;
    while (*c == ' ' || *c == '\t') c++;
    if (*c != '<' && *c != '>') refuse(r, "expected a bound behind P: >=, >, <= or <");
    *at_most = *c == '<';
    bool strict = c[1] != '=';
    c += strict ? 1 : 2;
    while (*c == ' ' || *c == '\t') c++;
    const property_constant *k = find_constant(r, c, &end);
    if (!k && end > c && (ascii_alpha(*c) || *c == '_'))
        escape_at(r->list->e, r->file, r->line, "there is no constant \"%.*s\"; write the probability, or const double %.*s = 0.9;",
                  (int)(end - c), c, (int)(end - c), c);
    if (k)
        w->p = k->value;
    else
        w->p = fraction_read(c, &end);
    if (end == c || !(w->p >= 0 && w->p <= 1)) refuse(r, "a probability must be a number between 0 and 1");
    if (strict && w->p == (*at_most ? 0 : 1)) refuse(r, *at_most ? "no probability is below 0" : "no probability is above 1");
    if (*at_most) w->p = 1 - w->p;
    w->strict = strict;
    if (strict) w->p = fmin(1, w->p + STRICT);
    r->at = end;
}

static void read_property(property_reader *r)
{
    char place[512], *name = NULL;
    const char *open, *close;
    format_text(place, sizeof place, "%.400s:%d", r->file, r->line);
    specification w = {.from = -1, .to = -1, .place = escape_string(r->list->e, place)};
    if (*r->at == '"') {
        const char *quote = strchr(r->at + 1, '"');
        if (!quote) refuse(r, "a name without its end");
        name = copy_of(r->list->e, r->at + 1, quote);
        r->at = quote + 1;
        skip(r);
        if (*r->at != ':') refuse(r, "expected \":\" behind the name of a property");
        r->at++;
        skip(r);
    }
    bool at_most = false;
    read_probability(r, &w, &at_most);
    skip(r);
    open = r->at;
    int nest = 0;
    for (close = open; *close && *close != '\n'; close++) {
        nest += (*close == '[') - (*close == ']');
        if (nest == 0) break;
    }
    if (*open == '[' && *close != ']') deny(r, "expected [ .. ] behind the probability: its ] is missing on this line");
    if (*open != '[' || *close != ']') refuse(r, "expected [ .. ] behind the probability");
    read_path(r, open + 1, close, at_most, &w);
    r->at = close + 1;
    append(r->list, w, name);
}

void specifications_parse_properties(specifications *list, const file_content *file)
{
    const size_t before = list->item_count;
    property_reader r = {.list = list, .file = file->name, .at = file->bytes, .line = 1};
    if (memchr(file->bytes, 0, file->length)) refuse(&r, "a zero byte");
    for (skip(&r); *r.at; skip(&r))
        if (!read_constant(&r)) read_property(&r);
    if (list->item_count == before) refuse(&r, "there is no property");
}

/* -p P and -p NAME=P. */
static void set_probabilities(specifications *list, const vouch_source *source, const char *path)
{
    for (size_t i = 0; i < source->probability_count; i++) {
        const char *name;
        size_t n, found = list->item_count;
        double p;
        if (!specification_probability(source->probabilities[i], &name, &n, &p))
            escape_fail(list->e, VOUCH_ERROR_INPUT, "-p: \"%.100s\" is not NAME=P with a number between 0 and 1",
                        source->probabilities[i]);
        for (size_t j = 0; j < list->item_count; j++)
            if (strlen(list->item[j].name) == n && strncmp(list->item[j].name, name, n) == 0) found = j;
        if (found == list->item_count)
            escape_fail(list->e, VOUCH_ERROR_INPUT, "%s: -p: there is no promise \"%.*s\"", path, (int)(n < 100 ? n : 100), name);
        list->item[found].p = p;
    }
    if (!isnan(source->probability) && list->item_count == 1) list->item[0].p = source->probability;
    if (!isnan(source->probability) && list->item_count > 1)
        escape_fail(list->e, VOUCH_ERROR_INPUT, "%s: -p: several promises are made; expected -p NAME=P", path);
    for (size_t i = 0; i < list->item_count; i++)
        if (isnan(list->item[i].p) && !list->item[i].plain)
            escape_fail(list->e, VOUCH_ERROR_INPUT, "%s: %s: the promise \"%.100s\" needs a probability: >=P, or -p %.100s=P", path,
                        list->item[i].place, list->item[i].name, list->item[i].name);
}

static void check_times(const specifications *list, int horizon)
{
    for (size_t i = 0; i < list->item_count; i++)
        if (list->item[i].to > horizon)
            escape_fail(list->e, VOUCH_ERROR_INPUT, "%s: the promise \"%.100s\": time %d is after the horizon %d",
                        list->item[i].place, list->item[i].name, list->item[i].to, horizon);
}

void specifications_start(specifications *list, escape *e)
{
    *list = (specifications){.e = e};
    escape_names(e, &list->taken);
    escape_names(e, &list->made);
}

void specifications_read(specifications *list, const vouch_source *source, const char *path)
{
    list->horizon = source->horizon;
    if (source->commit) {
        specification w = {.kind = VOUCH_PROMISE_AT, .from = -1, .to = -1, .p = NAN, .plain = true, .place = "--commit"};
        w.what = escape_string(list->e, source->commit);
        append(list, w, escape_string(list->e, "commitment"));
    }
    for (size_t i = 0; i < source->commit_count; i++) read_commit(list, source->commits[i]);
    if (source->properties) specifications_parse_properties(list, escape_load(list->e, source->properties));
    check_times(list, source->horizon);
    set_probabilities(list, source, path);
}

typedef struct specification_input {
    specifications *list;
    escape *e;
    const vouch_source *source;
    const char *path;
} specification_input;

static void read_input(void *object)
{
    specification_input *in = object;
    specifications_start(in->list, in->e);
    specifications_read(in->list, in->source, in->path);
}

vouch_status specifications_open(specifications *list, escape *e, const vouch_source *source, const char *path)
{
    *list = (specifications){0};
    return escape_try(e, read_input, &(specification_input){list, e, source, path});
}
