/* io/mps.c - reads MPS, the problem format of 1960s punched cards that is still the common tongue of LP solvers.
 *
 * A file is a row of sections; a section starts with a word in column 1, its cards start with a blank. Two layouts are in use:
 * *fixed* (fields in columns 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, so names may hold blanks) and *free* (fields separated by
 * blanks or TABs). No mark distinguishes them, so a file is read as free first, and as fixed when that fails: a name with a blank,
 * or a blank set name where it matters, always gives a free card the wrong number of fields. When both fail, the error reported is
 * the one further down in the file.
 *
 * Source: the format's description in B. A. Murtagh, Advanced Linear Programming (1981), chapter 9, and the habits of CPLEX and its
 * successors where that is silent: see the notes at vouch_lp_read in vouch/lp_io.h.
 */
#include "io/lpfile.h"

enum { MPS_FIELDS = 6 };

typedef struct mps_source {
    const char *file;
    const char *at, *end; /* the rest of the text */
    long line;
    bool fixed;
    bool negated; /* the comment MPS_NEGATED was met */
    escape *e;
} mps_source;

/* A card "[set] name value [name value]" of COLUMNS (where the set is the column), RHS or RANGES. */
typedef struct mps_card {
    span set;
    int pairs;
    span name[2], number[2];
} mps_card;

enum { MPS_OBJECTIVE = -1, MPS_UNKNOWN = -2 };

typedef struct mps_row {
    char kind;         /* N, L, G, E */
    double rhs, range; /* NAN: not given */
    int last_col;      /* last column with an entry here, so that doubles show */
    bool indicated;    /* holds under a condition */
} mps_row;

typedef struct mps_set { /* the one set of RHS, RANGES or BOUNDS that is used */
    span name;
    bool chosen, others;
    bool last; /* did the last card belong to it? A card without a name goes on with the set before it */
} mps_set;

typedef struct mps_reader {
    mps_source in;
    problem p;
    mps_row *row; /* [p.row_names.count] */
    size_t row_capacity;
    bool *bounded; /* [columns], from BOUNDS on */
    bool has_objective;
    int objective_last_col;
    double objective_rhs;
    bool integer; /* between markers */
    int col;      /* column being read, -1 none */
    mps_set rhs, ranges, bounds;
    bool negative_upper, text_after_end, objective_range;
    vouch_lp *lp;
    const vouch_log *log;
} mps_reader;

/* Escapes with file and line before the text. */
#define mps_fail(r, ...) escape_at((r)->e, (r)->file, (r)->line, __VA_ARGS__)

/* ---- cards into fields --------------------------------------------------------------------------------------------- */

/* Next line that is neither empty nor a comment; false at the end. */
static bool next_line(mps_source *r, span *line)
{
    CHECK(r->at <= r->end);
    while (span_line(&r->at, r->end, line)) {
        span s = *line;
        r->line++;
        while (s.length > 0 && (s.at[s.length - 1] == '\r' || s.at[s.length - 1] == ' ' || s.at[s.length - 1] == '\t')) s.length--;
        if (s.length > 0 && span_is(s, MPS_NEGATED)) r->negated = true;
        *line = s;
        if (s.length > 0 && *s.at != '*') return true;
    }
    return false;
}

static span column_range(span line, size_t first, size_t last) /* columns counted from 1 */
{
    if (line.length < first) return (span){line.at, 0};
    size_t n = (line.length < last ? line.length : last) - (first - 1);
    return span_trim((span){line.at + first - 1, n});
}

/* Fixed fields 1 to 6, empty ones included. The gaps between the fields must be blank: that is what shows a file of the other
 * layout. */
static void fixed_fields(mps_source *r, span line, span f[MPS_FIELDS])
{
    static const struct {
        size_t first, last;
    } place[MPS_FIELDS] = {{2, 3}, {5, 12}, {15, 22}, {25, 36}, {40, 47}, {50, 61}};
    if (memchr(line.at, '\t', line.length)) mps_fail(r, "a TAB, expected blanks between the fields of fixed MPS");
    for (int k = 0; k < MPS_FIELDS; k++) {
        f[k] = column_range(line, place[k].first, place[k].last);
        if (k >= 2 && f[k].length > 0 && *f[k].at == '$' && k % 2 == 0) { /* a comment in field 3 or 5 */
            for (; k < MPS_FIELDS; k++) f[k].length = 0;
            break;
        }
        if (k + 1 == MPS_FIELDS) break; /* anything may follow the last field */
        size_t gap_end = place[k + 1].first - 1;
        span gap = column_range(line, place[k].last + 1, gap_end);
        if (gap.length > 0)
            mps_fail(r, "\"%.*s\" between two fields of fixed MPS, expected blanks in columns %zu-%zu", SPAN_ARG(gap),
                     place[k].last + 1, gap_end);
    }
}

static double number(const mps_source *r, span s)
{
    double value;
    if (span_number(s, &value)) return value;
    if (s.length == 0) mps_fail(r, "the number is missing, expected one after the name");
    mps_fail(r, "\"%.*s\", expected a number", SPAN_ARG(s));
}

static double finite_number(const mps_source *r, span s)
{
    double value = number(r, s);
    if (!isfinite(value)) mps_fail(r, "\"%.*s\", expected a finite number", SPAN_ARG(s));
    return value;
}

/* A card of COLUMNS, RHS or RANGES. */
static mps_card read_card(mps_source *r, span line, bool set_optional)
{
    mps_card c = {.set = {"", 0}};
    span f[MPS_FIELDS];
    if (r->fixed) {
        fixed_fields(r, line, f);
        if (f[0].length > 0) mps_fail(r, "\"%.*s\" in columns 2-3, expected blanks", SPAN_ARG(f[0]));
        c.set = f[1];
        c.pairs = f[4].length > 0 || f[5].length > 0 ? 2 : 1;
        c.name[0] = f[2], c.number[0] = f[3], c.name[1] = f[4], c.number[1] = f[5];
        return c;
    }
    int count = span_split(line, f, MPS_FIELDS), k = 0;
    for (int i = 0; i < count && i < MPS_FIELDS; i++)
        if (*f[i].at == '$' && i > 0) count = i;
    if (count % 2 == 1)
        c.set = f[k++];
    else if (!set_optional)
        mps_fail(r, "%d fields, expected a column and one or two pairs of row and number", count);
    c.pairs = (count - k) / 2;
    if (count > 5 || c.pairs < 1)
        mps_fail(r, "%s fields, expected a set name and one or two pairs of row and number", count > 5 ? "too many" : "too few");
    for (int i = 0; i < c.pairs; i++) {
        c.name[i] = f[k + 2 * i];
        c.number[i] = f[k + 2 * i + 1];
    }
    return c;
}

/* ---- cards of each section --------------------------------------------------------------------------------------- */

static int find_row(const mps_reader *r, span name)
{
    if (r->has_objective && span_is(name, r->p.objective_name)) return MPS_OBJECTIVE;
    int i = names_find_bytes(&r->p.row_names, name.at, name.length);
    return i >= 0 ? i : MPS_UNKNOWN;
}

static _Noreturn void unknown_row(mps_reader *r, span name)
{
    mps_fail(&r->in, "row \"%.*s\" is unknown, expected a name of the ROWS section", SPAN_ARG(name));
}

static int find_column(const mps_reader *r, span name)
{
    int j = names_find_bytes(&r->p.col_names, name.at, name.length);
    if (j < 0) mps_fail(&r->in, "column \"%.*s\" is unknown, expected a name of the COLUMNS section", SPAN_ARG(name));
    return j;
}

static char *copy_of(const mps_reader *r, span s) { return escape_bytes(r->p.e, s.at, s.length); }

static void read_row(mps_reader *r, span line)
{
    span f[MPS_FIELDS];
    if (r->in.fixed) {
        fixed_fields(&r->in, line, f);
    } else {
        int count = span_split(line, f, MPS_FIELDS);
        if (count < 2 || (count > 2 && *f[2].at != '$')) mps_fail(&r->in, "%d fields, expected a row type and a name", count);
    }
    span kind = f[0], name = f[1];
    if (kind.length != 1 || !strchr("NLGEnlge", *kind.at))
        mps_fail(&r->in, "row type \"%.*s\", expected N, L, G or E", SPAN_ARG(kind));
    if (name.length == 0) mps_fail(&r->in, "the row's name is missing");
    char letter = *kind.at >= 'a' ? (char)(*kind.at - 'a' + 'A') : *kind.at;
    if (find_row(r, name) != MPS_UNKNOWN) mps_fail(&r->in, "row \"%.*s\" appears a second time", SPAN_ARG(name));
    bool wanted = !r->p.objective_name || span_is(name, r->p.objective_name);
    if (letter == 'N' && !r->has_objective && wanted) {
        if (!r->p.objective_name) r->p.objective_name = copy_of(r, name);
        r->has_objective = true;
        return;
    }
    ESCAPE_GROW(r->p.e, &r->row, &r->row_capacity, r->p.row_names.count);
    int i = problem_add_row(&r->p, name.at, name.length);
    CHECK((size_t)i < r->row_capacity);
    r->row[i] = (mps_row){.kind = letter, .rhs = NAN, .range = NAN, .last_col = -1};
}

/* A card that switches integer columns on or off; the same fields in both layouts. */
static bool is_marker(span line, span f[3]) { return span_split(line, f, 3) >= 3 && span_is(f[1], "'MARKER'"); }

static void read_column(mps_reader *r, span line)
{
    span f[3];
    if (is_marker(line, f)) {
        if (span_is(f[2], "'INTORG'"))
            r->integer = true;
        else if (span_is(f[2], "'INTEND'"))
            r->integer = false;
        else
            mps_fail(&r->in, "marker %.*s, expected 'INTORG' or 'INTEND'", SPAN_ARG(f[2]));
        return;
    }
    const mps_card c = read_card(&r->in, line, false);
    bool same = c.set.length == 0 && r->col >= 0; /* as glpsol reads it: the column before goes on */
    if (c.set.length == 0 && !same) mps_fail(&r->in, "the column's name is missing");
    if (!same && (r->col < 0 || !span_is(c.set, names_text(&r->p.col_names, r->col)))) {
        if (names_find_bytes(&r->p.col_names, c.set.at, c.set.length) >= 0)
            mps_fail(&r->in, "column \"%.*s\" appears a second time, expected its entries in one place", SPAN_ARG(c.set));
        r->col = problem_add_col(&r->p, c.set.at, c.set.length);
        r->p.col[r->col].integer = r->integer;
    }
    for (int k = 0; k < c.pairs; k++) {
        int i = find_row(r, c.name[k]);
        if (i == MPS_UNKNOWN) unknown_row(r, c.name[k]);
        double value = finite_number(&r->in, c.number[k]);
        int *last = i == MPS_OBJECTIVE ? &r->objective_last_col : &r->row[i].last_col;
        if (*last == r->col)
            mps_fail(&r->in, "row \"%.*s\" appears a second time in column \"%.*s\"", SPAN_ARG(c.name[k]), SPAN_ARG(c.set));
        *last = r->col;
        if (i == MPS_OBJECTIVE)
            r->p.col[r->col].cost = value;
        else
            problem_add_entry(&r->p, i, r->col, value);
    }
}

static bool set_wanted(mps_set *c, span name)
{
    if (!c->chosen) {
        c->chosen = true;
        c->name = name;
    } else if (name.length == 0)
        return c->last;
    c->last = c->name.length == name.length && memcmp(c->name.at, name.at, name.length) == 0;
    if (!c->last) c->others = true;
    return c->last;
}

static void read_right_side(mps_reader *r, span line, bool ranges)
{
    const mps_card c = read_card(&r->in, line, true);
    if (!set_wanted(ranges ? &r->ranges : &r->rhs, c.set)) return;
    for (int k = 0; k < c.pairs; k++) {
        int i = find_row(r, c.name[k]);
        if (i == MPS_UNKNOWN) unknown_row(r, c.name[k]);
        double value = number(&r->in, c.number[k]);
        char kind = i == MPS_OBJECTIVE ? 'N' : r->row[i].kind;
        double *place = i == MPS_OBJECTIVE ? &r->objective_rhs : ranges ? &r->row[i].range : &r->row[i].rhs;
        if (i == MPS_OBJECTIVE && ranges) {
            r->objective_range = true;
            continue;
        }
        if (!isnan(*place)) mps_fail(&r->in, "row \"%.*s\" appears a second time in this section", SPAN_ARG(c.name[k]));
        bool open = fabs(value) >= FILE_INFINITY;
        if (open && !ranges && !(kind == 'L' && value > 0) && !(kind == 'G' && value < 0))
            mps_fail(&r->in, "right-hand side \"%.*s\", expected a finite number", SPAN_ARG(c.number[k]));
        *place = open ? copysign(INFINITY, value) : value;
    }
}

static void read_rhs(mps_reader *r, span line) { read_right_side(r, line, false); }
static void read_ranges(mps_reader *r, span line) { read_right_side(r, line, true); }

/* Semicontinuous, semi-integer. */
static bool is_semi(span s) { return span_is_word(s, "sc") || span_is_word(s, "si"); }

typedef struct bound_card {
    span type, set, number; /* number: empty where there is none */
    int col;
} bound_card;

static bound_card read_bound_card(mps_reader *r, span line)
{
    span f[MPS_FIELDS], name;
    bound_card b = {.type = {"", 0}, .set = {"", 0}, .number = {"", 0}};
    if (r->in.fixed) {
        fixed_fields(&r->in, line, f);
        b.set = f[1], name = f[2], b.number = f[3];
    } else {
        int count = span_split(line, f, MPS_FIELDS);
        if (count < 2 || count > 4)
            mps_fail(&r->in, "%s fields, expected type, set, column and number", count < 2 ? "too few" : "too many");
        bool bare = span_is_word(f[0], "fr") || span_is_word(f[0], "mi") || span_is_word(f[0], "pl") || span_is_word(f[0], "bv") ||
                    is_semi(f[0]);
        if (count == 4)
            b.set = f[1], name = f[2], b.number = f[3];
        else if (count == 2)
            name = f[1];
        else if (bare && names_find_bytes(&r->p.col_names, f[2].at, f[2].length) >= 0)
            b.set = f[1], name = f[2];
        else
            name = f[1], b.number = f[2];
    }
    b.type = f[0];
    b.col = find_column(r, name);
    return b;
}

static void read_bound(mps_reader *r, span line)
{
    const bound_card card = read_bound_card(r, line);
    const span type = card.type;
    if (!set_wanted(&r->bounds, card.set)) return;
    problem_col *c = &r->p.col[card.col];
    r->bounded[card.col] = true;
    if (span_is_word(type, "fr"))
        c->lower = -INFINITY, c->upper = INFINITY, c->has_lower = true;
    else if (span_is_word(type, "mi"))
        c->lower = -INFINITY, c->has_lower = true;
    else if (span_is_word(type, "pl"))
        c->upper = INFINITY;
    else if (span_is_word(type, "bv"))
        c->lower = 0, c->upper = 1, c->integer = true, c->has_lower = true;
    else if (is_semi(type) && card.number.length == 0)
        c->upper = INFINITY, c->semi = true, c->integer = c->integer || span_is_word(type, "si");
    else {
        double value = number(&r->in, card.number);
        if (fabs(value) >= FILE_INFINITY) value = copysign(INFINITY, value);
        bool is_lower = span_is_word(type, "lo") || span_is_word(type, "li"),
             is_upper = span_is_word(type, "up") || span_is_word(type, "ui");
        bool is_fixed = span_is_word(type, "fx"), semi = is_semi(type);
        if (!is_lower && !is_upper && !is_fixed && !semi)
            mps_fail(&r->in, "bound type \"%.*s\", expected LO, UP, FX, FR, MI, PL, BV, LI, UI, SC or SI", SPAN_ARG(type));
        if ((is_fixed && isinf(value)) || (is_lower && value > 0 && isinf(value)) || (!is_lower && value < 0 && isinf(value)))
            mps_fail(&r->in, "bound \"%.*s\" leaves no value to the column, expected a finite number", SPAN_ARG(card.number));
        if (is_lower || is_fixed) c->lower = value, c->has_lower = true;
        if (!is_lower) c->upper = value;
        if (span_is_word(type, "li") || span_is_word(type, "ui") || span_is_word(type, "si")) c->integer = true;
        if (semi) c->semi = true;
        if (is_upper && value < 0 && !c->has_lower) {
            c->lower = -INFINITY;
            r->negative_upper = true;
        }
    }
}

static void read_sos(mps_reader *r, span line)
{
    span f[4];
    int count = span_split(line, f, 4);
    int type = span_is_word(f[0], "s1") ? 1 : span_is_word(f[0], "s2") ? 2 : 0;
    if (type) {
        problem_open_set(&r->p, type);
        return;
    }
    if (r->p.sets == 0) mps_fail(&r->in, "\"%.*s\", expected a card S1 or S2 that opens a set", SPAN_ARG(f[0]));
    if (count < 2 || count > 3) mps_fail(&r->in, "%d fields, expected a column and its weight", count > 3 ? 4 : count);
    span name = f[count - 2];
    int j = find_column(r, name);
    for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
        if (r->p.member[k - 1].col == j) mps_fail(&r->in, "column \"%.*s\" appears a second time in its set", SPAN_ARG(name));
    problem_add_member(&r->p, r->p.sets, j, finite_number(&r->in, f[count - 1]));
}

/* IF row column 0|1 */
static void read_indicator(mps_reader *r, span line)
{
    span f[4];
    int count = span_split(line, f, 4);
    if (count != 4 || !span_is_word(f[0], "if")) mps_fail(&r->in, "expected IF, a row, a column, and 0 or 1");
    int i = find_row(r, f[1]);
    if (i < 0) unknown_row(r, f[1]);
    int j = find_column(r, f[2]);
    if (r->row[i].indicated) mps_fail(&r->in, "row \"%.*s\" has two indicators, expected one", SPAN_ARG(f[1]));
    r->row[i].indicated = true;
    double value = number(&r->in, f[3]);
    if (value != 0 && value != 1) mps_fail(&r->in, "\"%.*s\", expected 0 or 1", SPAN_ARG(f[3]));
    problem_add_indicator(&r->p, i, j, value == 1);
}

typedef enum section {
    S_NONE,
    S_NAME,
    S_OBJSENSE,
    S_OBJNAME,
    S_ROWS,
    S_COLUMNS,
    S_RHS,
    S_RANGES,
    S_BOUNDS,
    S_SOS,
    S_INDICATORS,
    S_ENDATA
} section;

static void read_sense(mps_reader *r, span word)
{
    if (span_is_word(word, "max") || span_is_word(word, "maximize") || span_is_word(word, "maximise"))
        r->p.maximize = true;
    else if (span_is_word(word, "min") || span_is_word(word, "minimize") || span_is_word(word, "minimise"))
        r->p.maximize = false;
    else
        mps_fail(&r->in, "\"%.*s\", expected MAX or MIN", SPAN_ARG(word));
}

static void read_objective_name(mps_reader *r, span word)
{
    if (r->p.objective_name) mps_fail(&r->in, "the objective is named a second time, expected OBJNAME once and before ROWS");
    r->p.objective_name = copy_of(r, word);
}

static _Noreturn void unknown_section(const mps_reader *r, span word)
{
    static const char *const nonlinear[] = {"QUADOBJ", "QMATRIX", "QSECTION", "QCMATRIX", "CSECTION"};
    static const char *const gurobi[] = {"PWLOBJ", "GENCONS", "MULTIOBJ", "SCENARIOS"};
    for (size_t k = 0; k < sizeof nonlinear / sizeof *nonlinear; k++)
        if (span_is(word, nonlinear[k]))
            mps_fail(&r->in, "section %s: quadratic terms are not supported: vouch solves linear and mixed-integer linear programs",
                     nonlinear[k]);
    for (size_t k = 0; k < sizeof gurobi / sizeof *gurobi; k++)
        if (span_is(word, gurobi[k])) mps_fail(&r->in, "section %s, which is Gurobi's own and not supported", gurobi[k]);
    mps_fail(&r->in, "section \"%.*s\", expected NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, SOS, INDICATORS or ENDATA",
             SPAN_ARG(word));
}

/* A card that starts in column 1. */
static void open_section(mps_reader *r, span line, section *now)
{
    static const struct {
        const char *word;
        section is;
    } known[] = {{"NAME", S_NAME},       {"OBJSENSE", S_OBJSENSE}, {"OBJSENSEMAX", S_OBJSENSE},
                 {"OBJNAME", S_OBJNAME}, {"ROWS", S_ROWS},         {"COLUMNS", S_COLUMNS},
                 {"RHS", S_RHS},         {"RANGES", S_RANGES},     {"BOUNDS", S_BOUNDS},
                 {"LAZYCONS", S_ROWS},   {"USERCUTS", S_ROWS},     {"SOS", S_SOS},
                 {"SOS1", S_SOS},        {"SOS2", S_SOS},          {"INDICATORS", S_INDICATORS},
                 {"ENDATA", S_ENDATA}};
    span f[3];
    int count = span_split(line, f, 2);
    if (*now == S_OBJSENSE && count == 1 && (span_is_word(f[0], "max") || span_is_word(f[0], "min"))) {
        read_sense(r, f[0]);
        return;
    }
    section next = S_NONE;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (span_is(f[0], known[k].word)) next = known[k].is;
    if (next == S_NONE) unknown_section(r, f[0]);
    bool rows_read = *now >= S_ROWS, columns_read = *now >= S_COLUMNS;
    bool lazy = span_is(f[0], "LAZYCONS") || span_is(f[0], "USERCUTS"); /* rows like others, behind them */
    if (lazy && *now != S_ROWS) mps_fail(&r->in, "section %.*s, expected behind ROWS", SPAN_ARG(f[0]));
    if (next == S_ROWS && rows_read && !lazy) mps_fail(&r->in, "a second section ROWS");
    if (next == S_COLUMNS && columns_read) mps_fail(&r->in, "a second section COLUMNS");
    if (next == S_COLUMNS && !rows_read) mps_fail(&r->in, "section COLUMNS before ROWS");
    if (next > S_COLUMNS && !columns_read) mps_fail(&r->in, "section %.*s before COLUMNS", SPAN_ARG(f[0]));
    if (next < S_ROWS && rows_read && next != S_OBJSENSE) mps_fail(&r->in, "section %.*s after ROWS", SPAN_ARG(f[0]));
    if (next == S_NAME && r->p.name) mps_fail(&r->in, "a second NAME");
    if (next == S_NAME && count > 1) r->p.name = copy_of(r, f[1]);
    if (columns_read && !r->bounded) r->bounded = ESCAPE_ZERO(r->p.e, bool, r->p.col_names.count);
    if (next == S_OBJSENSE && span_is(f[0], "OBJSENSEMAX")) r->p.maximize = true;
    if (next == S_OBJSENSE && count > 1) read_sense(r, f[1]);
    if (next != S_OBJSENSE || !rows_read)
        *now = next; /* a late OBJSENSE takes its cards below */
    else if (count == 1 && !span_is(f[0], "OBJSENSEMAX")) {
        span sense;
        if (!next_line(&r->in, &sense)) mps_fail(&r->in, "the file ends, expected MAX or MIN");
        read_sense(r, span_trim(sense));
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static void set_row_bounds(mps_reader *r)
{
    CHECK(r->p.row_names.count == 0 || r->row);
    for (int i = 0; i < r->p.row_names.count; i++) {
        const mps_row *row = &r->row[i];
        double rhs = isnan(row->rhs) ? 0 : row->rhs, width = fabs(row->range);
        bool ranged = !isnan(row->range);
        problem_row *b = &r->p.row[i];
        switch (row->kind) {
        case 'L':
            b->upper = rhs, b->lower = ranged ? rhs - width : -INFINITY;
            break;
        case 'G':
            b->lower = rhs, b->upper = ranged ? rhs + width : INFINITY;
            break;
        case 'E':
            b->lower = ranged && row->range < 0 ? rhs - width : rhs;
            b->upper = ranged && row->range > 0 ? rhs + width : rhs;
            break;
        default:
            break;
        }
        if (isnan(b->lower)) b->lower = -INFINITY; /* an infinite range of an infinite right-hand side */
        if (isnan(b->upper)) b->upper = INFINITY;
    }
}

static void read_section_card(mps_reader *r, section now, span line)
{
    static void (*const read[])(mps_reader * r, span line) = {
        [S_ROWS] = read_row, [S_COLUMNS] = read_column,      [S_RHS] = read_rhs, [S_RANGES] = read_ranges, [S_BOUNDS] = read_bound,
        [S_SOS] = read_sos,  [S_INDICATORS] = read_indicator};
    if (now == S_OBJSENSE)
        read_sense(r, span_trim(line));
    else if (now == S_OBJNAME)
        read_objective_name(r, span_trim(line));
    else if (now >= S_ROWS)
        read[now](r, line);
    else
        mps_fail(&r->in, "a card outside of any section, expected a section's name in column 1");
}

static void read_sections(mps_reader *r)
{
    section now = S_NONE;
    span line;
    while (now != S_ENDATA && next_line(&r->in, &line)) {
        if (memchr(line.at, '\0', line.length)) mps_fail(&r->in, "a zero byte, expected text");
        if (*line.at != ' ' && *line.at != '\t')
            open_section(r, line, &now);
        else
            read_section_card(r, now, line);
    }
    if (now != S_ENDATA) mps_fail(&r->in, "the file ends in the middle, expected ENDATA");
    if (r->p.objective_name && !r->has_objective)
        mps_fail(&r->in, "objective \"%.60s\" is not among the rows of type N", r->p.objective_name);
    for (; r->in.at < r->in.end && !r->text_after_end; r->in.at++) r->text_after_end = !memchr(" \t\r\n", *r->in.at, 4);
}

static void report(const mps_reader *r, const vouch_log *log)
{
    static const char *section_name[] = {"RHS", "RANGES", "BOUNDS"};
    const mps_set *choice[] = {&r->rhs, &r->ranges, &r->bounds};
    log_line(log, VOUCH_LOG_INFO, "%s: %s MPS, %d rows, %d columns", r->in.file, r->in.fixed ? "fixed" : "free",
             r->p.row_names.count, r->p.col_names.count);
    for (int k = 0; k < 3; k++)
        if (choice[k]->others)
            log_line(log, VOUCH_LOG_ERROR, "%s: several %s sets; the first, \"%.*s\", is used", r->in.file, section_name[k],
                     SPAN_ARG(choice[k]->name));
    if (r->negative_upper)
        log_line(log, VOUCH_LOG_INFO, "%s: negative upper bounds without lower bound: the lower bound is -infinity", r->in.file);
    if (r->objective_range) log_line(log, VOUCH_LOG_ERROR, "%s: a range of the objective is ignored", r->in.file);
    if (r->text_after_end) log_line(log, VOUCH_LOG_ERROR, "%s: text after ENDATA is ignored", r->in.file);
}

static void turn_objective(problem *p)
{
    for (int j = 0; j < p->col_names.count; j++) p->col[j].cost = -p->col[j].cost + 0.0; /* no -0 */
    p->offset = -p->offset + 0.0;
    p->maximize = !p->maximize;
}

static void read_problem(void *object)
{
    mps_reader *r = object;
    char why[LOGIC_TEXT];
    problem_start(&r->p, r->in.e);
    read_sections(r);
    set_row_bounds(r);
    for (int j = 0; j < r->p.col_names.count; j++)
        if (r->p.col[j].integer && !(r->bounded && r->bounded[j])) r->p.col[j].upper = 1;
    if (!isnan(r->objective_rhs)) r->p.offset = -r->objective_rhs;
    if (r->in.negated) turn_objective(&r->p);
    if (!problem_resolve_logic(&r->p, why)) mps_fail(&r->in, "%s", why);
    must(r->p.e, problem_finish(&r->p, &r->lp, r->p.e->error));
    report(r, r->log);
}

/* One attempt in one layout. *line: how far it got. */
static vouch_status read_layout(const file_content *file, bool fixed, const vouch_log *log, vouch_lp **lp, long *line,
                                vouch_error *error)
{
    escape e = {.error = error};
    mps_reader r = {.in = {.file = file->name, .at = file->bytes, .end = file->bytes + file->length, .fixed = fixed, .e = &e},
                    .col = -1,
                    .objective_last_col = -1,
                    .objective_rhs = NAN,
                    .log = log};
    vouch_status status = escape_try(&e, read_problem, &r);
    *lp = r.lp;
    *line = r.in.line;
    escape_end(&e);
    return status;
}

vouch_status mps_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp, vouch_error *error)
{
    long line = 0, fixed_line = 0;
    vouch_error second = {0};
    vouch_status first = VOUCH_ERROR_INPUT;
    if (format != VOUCH_FORMAT_MPS_FIXED) first = read_layout(file, false, log, lp, &line, error);
    if (first != VOUCH_ERROR_INPUT || format == VOUCH_FORMAT_MPS_FREE) return first;
    vouch_status status = read_layout(file, true, log, lp, &fixed_line, &second);
    if (status == VOUCH_ERROR_INPUT && fixed_line <= line) return first;
    if (error && status) *error = second;
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

/* Writes MPS in either layout; mps.c reads the same numbers back.
 *
 * Numbers are the shortest decimals that read back exactly. In fixed layout a number has 12 columns; a problem with one that needs
 * more is refused. A maximisation says OBJSENSE MAX. Integer columns always get their bounds spelled out, because readers disagree
 * on the bounds of an integer column without any.
 */

typedef struct mps_writer {
    const vouch_lp *lp;
    vouch_lp_data data;
    bool fixed;
    labels rows, cols;
    const char *objective;
    char lost[32]; /* a number that the fixed layout has no room for; "": none */
    text *out;
} mps_writer;

static bool usable_free(const char *name)
{
    if (*name == '\0' || *name == '$' || strcmp(name, "'MARKER'") == 0) return false;
    for (; *name; name++)
        if ((unsigned char)*name <= ' ' || *name == 127) return false;
    return true;
}

static bool usable_fixed(const char *name) { return usable_free(name) && strlen(name) <= 8; }

enum { FIXED_WIDTH = 12 };

static void write_number(mps_writer *w, double value, char out[32])
{
    char full[32];
    strcpy(out, text_number(value, full));
    size_t n = strlen(out);
    if (n > 2 && n > FIXED_WIDTH && w->fixed && strncmp(out, "0.", 2) == 0) /* the digit before the point is idle */
        memmove(out, out + 1, n);
    else if (n > 3 && n > FIXED_WIDTH && w->fixed && strncmp(out, "-0.", 3) == 0)
        memmove(out + 1, out + 2, n - 1);
    if (w->fixed && strlen(out) > FIXED_WIDTH && !*w->lost) strcpy(w->lost, full);
}

/* One card: field 1, then a name, then a pair of name and number where given (NULL: none). */
static void card(mps_writer *w, const char *type, const char *first, const char *second, const double *value)
{
    char digits[32] = "";
    if (value) write_number(w, *value, digits);
    if (w->fixed) {
        text_add(w->out, " %-2s %-8s", type, first);
        if (second) text_add(w->out, "  %-8s", second);
        if (value) text_add(w->out, "  %12s", digits);
    } else {
        text_add(w->out, " %s%s%s", type, *type ? " " : "", first);
        if (second) text_add(w->out, " %s", second);
        if (value) text_add(w->out, " %s", digits);
    }
    text_add(w->out, "\n");
}

static char row_kind(double lower, double upper)
{
    if (lower == upper) return 'E';
    if (isinf(lower) && isinf(upper)) return 'N';
    return isinf(lower) ? 'L' : 'G';
}

static void write_rows(mps_writer *w)
{
    label_buffer b;
    text_add(w->out, "ROWS\n");
    card(w, "N", w->objective, NULL, NULL);
    for (int i = 0; i < w->data.rows; i++)
        card(w, (char[]){row_kind(w->data.row_lower[i], w->data.row_upper[i]), 0}, labels_get(&w->rows, i, b), NULL, NULL);
}

static void write_marker(const mps_writer *w, int count, const char *what)
{
    if (w->fixed)
        text_add(w->out, "    M%-7d  'MARKER'                 '%s'\n", count, what);
    else
        text_add(w->out, " M%d 'MARKER' '%s'\n", count, what);
}

static void write_columns(mps_writer *w)
{
    label_buffer b, rb;
    bool integer = false;
    int markers = 0;
    text_add(w->out, "COLUMNS\n");
    for (int j = 0; j < w->data.cols; j++) {
        const char *name = labels_get(&w->cols, j, b);
        if (integer != (vouch_lp_is_integer(w->lp, j) != 0)) {
            integer = !integer;
            write_marker(w, ++markers, integer ? "INTORG" : "INTEND");
        }
        double cost = w->data.cost[j] + 0.0; /* no -0 */
        if (cost != 0 || w->data.start[j] == w->data.start[j + 1]) card(w, "", name, w->objective, &cost);
        for (int64_t k = w->data.start[j]; k < w->data.start[j + 1]; k++)
            card(w, "", name, labels_get(&w->rows, w->data.index[k], rb), &w->data.value[k]);
    }
    if (integer) write_marker(w, ++markers, "INTEND");
}

static void write_right_sides(mps_writer *w)
{
    label_buffer b;
    text_add(w->out, "RHS\n");
    double constant = -w->data.offset;
    if (constant != 0) card(w, "", "RHS", w->objective, &constant);
    bool ranges = false;
    for (int i = 0; i < w->data.rows; i++) {
        double lower = w->data.row_lower[i], upper = w->data.row_upper[i];
        char kind = row_kind(lower, upper);
        double rhs = kind == 'L' ? upper : lower;
        if (kind != 'N' && rhs != 0) card(w, "", "RHS", labels_get(&w->rows, i, b), &rhs);
        ranges = ranges || (kind == 'G' && isfinite(upper));
    }
    if (!ranges) return;
    text_add(w->out, "RANGES\n");
    for (int i = 0; i < w->data.rows; i++) {
        double lower = w->data.row_lower[i], width = w->data.row_upper[i] - lower;
        if (row_kind(lower, w->data.row_upper[i]) == 'G' && isfinite(width))
            card(w, "", "RANGES", labels_get(&w->rows, i, b), &width);
    }
}

static void write_bounds(mps_writer *w)
{
    label_buffer b;
    text_add(w->out, "BOUNDS\n");
    for (int j = 0; j < w->data.cols; j++) {
        const char *name = labels_get(&w->cols, j, b);
        const double *lower = &w->data.col_lower[j], *upper = &w->data.col_upper[j];
        bool integer = vouch_lp_is_integer(w->lp, j);
        if (*lower == *upper)
            card(w, "FX", "BND", name, lower);
        else if (isinf(*lower) && isinf(*upper))
            card(w, "FR", "BND", name, NULL);
        else {
            if (isinf(*lower))
                card(w, "MI", "BND", name, NULL);
            else if (*lower != 0 || *upper < 0)
                card(w, "LO", "BND", name, lower);
            if (isfinite(*upper))
                card(w, "UP", "BND", name, upper);
            else if (integer)
                card(w, "PL", "BND", name, NULL);
        }
    }
}

static void write_sos(const mps_writer *w)
{
    label_buffer b;
    char digits[32];
    int sets = vouch_lp_sos1_count(w->lp);
    if (sets > 0) text_add(w->out, "SOS\n");
    for (int s = 0; s < sets; s++) {
        int count;
        const int *cols;
        const double *weight;
        vouch_lp_sos1(w->lp, s, &count, &cols, &weight);
        text_add(w->out, " S1 set%d\n", s + 1);
        for (int k = 0; k < count; k++)
            text_add(w->out, "    %s %s\n", labels_get(&w->cols, cols[k], b), text_number(weight ? weight[k] : k + 1, digits));
    }
}

/* A row whose width is lost in rounding (lower + (upper - lower) is not upper) cannot be said by RANGES exactly; the difference is
 * one rounding and is accepted. Crossed bounds of a row cannot be said at all. */
static vouch_status check(const vouch_lp_data *d, vouch_error *error)
{
    for (int i = 0; i < d->rows; i++)
        if (d->row_lower[i] > d->row_upper[i] || (isinf(d->row_lower[i]) && d->row_lower[i] > 0) ||
            (isinf(d->row_upper[i]) && d->row_upper[i] < 0))
            return error_set(error, VOUCH_ERROR_INPUT, "row %d has no value between its bounds, which MPS cannot say", i + 1);
    return VOUCH_OK;
}

vouch_status mps_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error)
{
    bool fixed = format == VOUCH_FORMAT_MPS_FIXED;
    mps_writer w = {.lp = lp, .fixed = fixed, .out = out};
    vouch_lp_view(lp, &w.data);
    bool (*usable)(const char *) = fixed ? usable_fixed : usable_free;
    w.objective = usable(vouch_lp_objective_name(lp)) ? vouch_lp_objective_name(lp) : "COST";
    vouch_status status = check(&w.data, error);
    if (status != VOUCH_OK) return status;
    status = labels_choose(lp, true, usable, w.objective, &w.rows);
    if (!w.rows.own) w.objective = "COST";
    if (status == VOUCH_OK) status = labels_choose(lp, false, usable, NULL, &w.cols);
    if (status != VOUCH_OK) return error_memory(error);
    const char *name = vouch_lp_name(lp);
    /* the word FREE tells CLP and CBC, which otherwise guess, and is nothing to others; it needs a name before it */
    if (usable(name) || !fixed)
        text_add(out, "NAME          %s%s\n", usable(name) ? name : "unnamed", fixed ? "" : " FREE");
    else
        text_add(out, "NAME\n");
    if (w.data.maximize) text_add(out, "OBJSENSE\n    MAX\n");
    write_rows(&w);
    write_columns(&w);
    write_right_sides(&w);
    write_bounds(&w);
    write_sos(&w);
    text_add(out, "ENDATA\n");
    if (*w.lost)
        return error_set(error, VOUCH_ERROR_INPUT,
                         "%s needs more than the %d columns of a number in fixed MPS; free MPS has room for it", w.lost,
                         FIXED_WIDTH);
    return out->failed ? error_memory(error) : VOUCH_OK;
}
