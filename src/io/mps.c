/* io/mps.c - reads MPS, the problem format of 1960s punched cards that is still the common tongue of LP
 * solvers.
 *
 * A file is a row of sections; a section starts with a word in column 1, its cards start with a blank. Two
 * layouts are in use: *fixed* (fields in columns 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, so names may hold
 * blanks) and *free* (fields separated by blanks or TABs). No mark tells them apart, so a file is read as
 * free first, and as fixed when that fails: a name with a blank, or a blank set name where it matters, always
 * gives a free card the wrong number of fields. When both fail, the error reported is the one further down in
 * the file.
 *
 * Source: the format's description in B. A. Murtagh, Advanced Linear Programming (1981), chapter 9, and the
 * habits of CPLEX and its successors where that is silent: see the notes at vouch_lp_read in vouch/lp_io.h.
 */
#include "io/mps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "io/mps_card.h"
#include "io/problem.h"
#include "io/scan.h"

enum { OBJECTIVE = -1, UNKNOWN = -2 };

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
    S_ENDATA
} section;

typedef struct mps_row {
    char kind;         /* N, L, G, E */
    double rhs, range; /* NAN: not given */
    int last_col;      /* last column with an entry here, so that doubles show */
} mps_row;

typedef struct set_choice { /* the one set of RHS, RANGES or BOUNDS that is used */
    span name;
    bool chosen, others;
} set_choice;

typedef struct reader {
    mps_source in;
    problem p;
    mps_row *row; /* owned: [p.row_names.count] */
    size_t row_capacity;
    bool *bounded, *semi; /* owned: [columns], from BOUNDS on */
    bool has_objective;
    int objective_last_col;
    double objective_rhs;
    bool integer; /* between markers */
    int col;      /* column being read, -1 none */
    set_choice rhs, ranges, bounds;
    bool negative_upper, text_after_end;
} reader;

static int find_row(const reader *r, span name)
{
    if (r->has_objective && span_is(name, r->p.objective_name)) return OBJECTIVE;
    int i = nametable_find(&r->p.row_names, name.at, name.length);
    return i >= 0 ? i : UNKNOWN;
}

static vouch_status unknown_row(reader *r, span name)
{
    return mps_fail(&r->in, "row \"%.*s\" is unknown, expected a name of the ROWS section", SPAN_ARG(name));
}

/* ---- sections
 * --------------------------------------------------------------------------------------------------- */

static char *copy_span(span s)
{
    char *copy = mem_alloc(s.length + 1, 1);
    if (copy) {
        memcpy(copy, s.at, s.length);
        copy[s.length] = '\0';
    }
    return copy;
}

static vouch_status read_row(reader *r, span line)
{
    span f[MPS_FIELDS];
    if (r->in.fixed) {
        vouch_status status = mps_fixed_fields(&r->in, line, f);
        if (status != VOUCH_OK) return status;
    } else {
        int count = span_split(line, f, MPS_FIELDS);
        if (count < 2 || (count > 2 && *f[2].at != '$'))
            return mps_fail(&r->in, "%d fields, expected a row type and a name", count);
    }
    span kind = f[0], name = f[1];
    if (kind.length != 1 || !strchr("NLGEnlge", *kind.at))
        return mps_fail(&r->in, "row type \"%.*s\", expected N, L, G or E", SPAN_ARG(kind));
    if (name.length == 0) return mps_fail(&r->in, "the row's name is missing");
    char letter = *kind.at >= 'a' ? (char)(*kind.at - 'a' + 'A') : *kind.at;
    if (find_row(r, name) != UNKNOWN) return mps_fail(&r->in, "row \"%.*s\" appears a second time", SPAN_ARG(name));
    bool wanted = !r->p.objective_name || span_is(name, r->p.objective_name);
    if (letter == 'N' && !r->has_objective && wanted) {
        if (!r->p.objective_name && !(r->p.objective_name = copy_span(name))) return error_memory(r->in.error);
        r->has_objective = true;
        return VOUCH_OK;
    }
    if (mem_reserve((void **)&r->row, &r->row_capacity, (size_t)r->p.row_names.count, sizeof *r->row) != 0)
        return error_memory(r->in.error);
    int i = problem_add_row(&r->p, name.at, name.length);
    if (i < 0) return error_memory(r->in.error);
    r->row[i] = (mps_row){.kind = letter, .rhs = NAN, .range = NAN, .last_col = -1};
    return VOUCH_OK;
}

/* A card that switches integer columns on or off; the same fields in both layouts. */
static bool is_marker(span line, span f[3]) { return span_split(line, f, 3) >= 3 && span_is(f[1], "'MARKER'"); }

static vouch_status read_column(reader *r, span line)
{
    span f[3];
    if (is_marker(line, f)) {
        if (span_is(f[2], "'INTORG'"))
            r->integer = true;
        else if (span_is(f[2], "'INTEND'"))
            r->integer = false;
        else
            return mps_fail(&r->in, "marker %.*s, expected 'INTORG' or 'INTEND'", SPAN_ARG(f[2]));
        return VOUCH_OK;
    }
    mps_card c;
    vouch_status status = mps_read_card(&r->in, line, false, &c);
    if (status != VOUCH_OK) return status;
    if (c.set.length == 0) return mps_fail(&r->in, "the column's name is missing");
    if (r->col < 0 || !span_is(c.set, nametable_get(&r->p.col_names, r->col))) {
        if (nametable_find(&r->p.col_names, c.set.at, c.set.length) >= 0)
            return mps_fail(&r->in, "column \"%.*s\" appears a second time, expected its entries in one place", SPAN_ARG(c.set));
        r->col = problem_add_col(&r->p, c.set.at, c.set.length);
        if (r->col < 0) return error_memory(r->in.error);
        r->p.col[r->col].integer = r->integer;
    }
    for (int k = 0; k < c.pairs; k++) {
        double value;
        int i = find_row(r, c.name[k]);
        if (i == UNKNOWN) return unknown_row(r, c.name[k]);
        if ((status = mps_finite_number(&r->in, c.number[k], &value)) != VOUCH_OK) return status;
        int *last = i == OBJECTIVE ? &r->objective_last_col : &r->row[i].last_col;
        if (*last == r->col)
            return mps_fail(&r->in, "row \"%.*s\" appears a second time in column \"%.*s\"", SPAN_ARG(c.name[k]), SPAN_ARG(c.set));
        *last = r->col;
        if (i == OBJECTIVE)
            r->p.col[r->col].cost = value;
        else if (problem_add_entry(&r->p, i, r->col, value) != 0)
            return error_memory(r->in.error);
    }
    return VOUCH_OK;
}

static bool set_wanted(set_choice *c, span name)
{
    if (!c->chosen) {
        c->chosen = true;
        c->name = name;
    }
    bool same = c->name.length == name.length && memcmp(c->name.at, name.at, name.length) == 0;
    if (!same) c->others = true;
    return same;
}

static vouch_status read_right_side(reader *r, span line, bool ranges)
{
    mps_card c;
    vouch_status status = mps_read_card(&r->in, line, true, &c);
    if (status != VOUCH_OK) return status;
    if (!set_wanted(ranges ? &r->ranges : &r->rhs, c.set)) return VOUCH_OK;
    for (int k = 0; k < c.pairs; k++) {
        double value;
        int i = find_row(r, c.name[k]);
        if (i == UNKNOWN) return unknown_row(r, c.name[k]);
        if ((status = mps_number(&r->in, c.number[k], &value)) != VOUCH_OK) return status;
        char kind = i == OBJECTIVE ? 'N' : r->row[i].kind;
        double *place = i == OBJECTIVE ? &r->objective_rhs : ranges ? &r->row[i].range : &r->row[i].rhs;
        if (i == OBJECTIVE && ranges) continue;
        if (!isnan(*place)) return mps_fail(&r->in, "row \"%.*s\" appears a second time in this section", SPAN_ARG(c.name[k]));
        bool open = fabs(value) >= FILE_INFINITY;
        if (open && !ranges && !(kind == 'L' && value > 0) && !(kind == 'G' && value < 0))
            return mps_fail(&r->in, "right-hand side \"%.*s\", expected a finite number", SPAN_ARG(c.number[k]));
        *place = open ? copysign(INFINITY, value) : value;
    }
    return VOUCH_OK;
}

static bool type_is(span s, const char *word) { return span_is_word(s, word); }

/* Brings a BOUNDS card into type, set, column, number; number is empty where there is none. */
static vouch_status bound_fields(reader *r, span line, span *type, span *set, int *col, span *number)
{
    span f[MPS_FIELDS];
    span name;
    const span none = {"", 0};
    if (r->in.fixed) {
        vouch_status status = mps_fixed_fields(&r->in, line, f);
        if (status != VOUCH_OK) return status;
        *type = f[0], *set = f[1], name = f[2], *number = f[3];
    } else {
        int count = span_split(line, f, MPS_FIELDS);
        if (count < 2 || count > 4)
            return mps_fail(&r->in, "%s fields, expected type, set, column and number", count < 2 ? "too few" : "too many");
        *type = f[0], *set = none, *number = none;
        bool bare = type_is(f[0], "fr") || type_is(f[0], "mi") || type_is(f[0], "pl") || type_is(f[0], "bv") || type_is(f[0], "sc");
        if (count == 4)
            *set = f[1], name = f[2], *number = f[3];
        else if (count == 2)
            name = f[1];
        else if (bare && nametable_find(&r->p.col_names, f[2].at, f[2].length) >= 0)
            *set = f[1], name = f[2];
        else
            name = f[1], *number = f[2];
    }
    *col = nametable_find(&r->p.col_names, name.at, name.length);
    if (*col < 0) return mps_fail(&r->in, "column \"%.*s\" is unknown, expected a name of the COLUMNS section", SPAN_ARG(name));
    return VOUCH_OK;
}

static vouch_status read_bound(reader *r, span line)
{
    span type = {"", 0}, set = type, number = type;
    int j = -1;
    vouch_status status = bound_fields(r, line, &type, &set, &j, &number);
    if (status != VOUCH_OK) return status;
    if (!set_wanted(&r->bounds, set)) return VOUCH_OK;
    problem_col *c = &r->p.col[j];
    r->bounded[j] = true;
    if (type_is(type, "fr"))
        c->lower = -INFINITY, c->upper = INFINITY, c->has_lower = true;
    else if (type_is(type, "mi"))
        c->lower = -INFINITY, c->has_lower = true;
    else if (type_is(type, "pl"))
        c->upper = INFINITY;
    else if (type_is(type, "bv"))
        c->lower = 0, c->upper = 1, c->integer = true, c->has_lower = true;
    else if (type_is(type, "sc") && number.length == 0)
        c->upper = INFINITY, r->semi[j] = true;
    else {
        double value;
        if ((status = mps_number(&r->in, number, &value)) != VOUCH_OK) return status;
        if (fabs(value) >= FILE_INFINITY) value = copysign(INFINITY, value);
        bool is_lower = type_is(type, "lo") || type_is(type, "li"), is_upper = type_is(type, "up") || type_is(type, "ui");
        bool is_fixed = type_is(type, "fx"), is_semi = type_is(type, "sc");
        if (!is_lower && !is_upper && !is_fixed && !is_semi)
            return mps_fail(&r->in, "bound type \"%.*s\", expected LO, UP, FX, FR, MI, PL, BV, LI, UI or SC", SPAN_ARG(type));
        if ((is_fixed && isinf(value)) || (is_lower && value > 0 && isinf(value)) || (!is_lower && value < 0 && isinf(value)))
            return mps_fail(&r->in, "bound \"%.*s\" leaves no value to the column, expected a finite number", SPAN_ARG(number));
        if (is_lower || is_fixed) c->lower = value, c->has_lower = true;
        if (!is_lower) c->upper = value;
        if (type_is(type, "li") || type_is(type, "ui")) c->integer = true;
        if (is_semi) r->semi[j] = true;
        if (is_upper && value < 0 && !c->has_lower) {
            c->lower = -INFINITY;
            r->negative_upper = true;
        }
    }
    return VOUCH_OK;
}

static vouch_status read_sos(reader *r, span line)
{
    span f[4];
    int count = span_split(line, f, 4);
    if (span_is_word(f[0], "s2")) return mps_fail(&r->in, "a set of type S2, expected S1 (the only type known here)");
    if (span_is_word(f[0], "s1")) {
        r->p.sets++;
        return VOUCH_OK;
    }
    if (r->p.sets == 0) return mps_fail(&r->in, "\"%.*s\", expected a card S1 that opens a set", SPAN_ARG(f[0]));
    if (count < 2 || count > 3) return mps_fail(&r->in, "%d fields, expected a column and its weight", count > 3 ? 4 : count);
    span name = f[count - 2];
    double weight;
    int j = nametable_find(&r->p.col_names, name.at, name.length);
    if (j < 0) return mps_fail(&r->in, "column \"%.*s\" is unknown, expected a name of the COLUMNS section", SPAN_ARG(name));
    for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
        if (r->p.member[k - 1].col == j)
            return mps_fail(&r->in, "column \"%.*s\" appears a second time in its set", SPAN_ARG(name));
    vouch_status status = mps_finite_number(&r->in, f[count - 1], &weight);
    if (status != VOUCH_OK) return status;
    return problem_add_member(&r->p, r->p.sets, j, weight) == 0 ? VOUCH_OK : error_memory(r->in.error);
}

static vouch_status read_sense(reader *r, span word)
{
    if (span_is_word(word, "max") || span_is_word(word, "maximize") || span_is_word(word, "maximise"))
        r->p.maximize = true;
    else if (span_is_word(word, "min") || span_is_word(word, "minimize") || span_is_word(word, "minimise"))
        r->p.maximize = false;
    else
        return mps_fail(&r->in, "\"%.*s\", expected MAX or MIN", SPAN_ARG(word));
    return VOUCH_OK;
}

static vouch_status read_objective_name(reader *r, span word)
{
    if (r->p.objective_name) return mps_fail(&r->in, "the objective is named a second time, expected OBJNAME once and before ROWS");
    r->p.objective_name = copy_span(word);
    return r->p.objective_name ? VOUCH_OK : error_memory(r->in.error);
}

/* A card that starts in column 1. */
static vouch_status open_section(reader *r, span line, section *now)
{
    static const struct {
        const char *word;
        section is;
    } known[] = {{"NAME", S_NAME},       {"OBJSENSE", S_OBJSENSE}, {"OBJSENSEMAX", S_OBJSENSE},
                 {"OBJNAME", S_OBJNAME}, {"ROWS", S_ROWS},         {"COLUMNS", S_COLUMNS},
                 {"RHS", S_RHS},         {"RANGES", S_RANGES},     {"BOUNDS", S_BOUNDS},
                 {"SOS", S_SOS},         {"SOS1", S_SOS},          {"ENDATA", S_ENDATA}};
    span f[3];
    int count = span_split(line, f, 2);
    if (*now == S_OBJSENSE && count == 1 && (span_is_word(f[0], "max") || span_is_word(f[0], "min"))) return read_sense(r, f[0]);
    section next = S_NONE;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (span_is(f[0], known[k].word)) next = known[k].is;
    if (next == S_NONE)
        return mps_fail(&r->in, "section \"%.*s\", expected NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, SOS or ENDATA",
                        SPAN_ARG(f[0]));
    bool rows_read = *now >= S_ROWS, columns_read = *now >= S_COLUMNS;
    if (next == S_ROWS && rows_read) return mps_fail(&r->in, "a second section ROWS");
    if (next == S_COLUMNS && columns_read) return mps_fail(&r->in, "a second section COLUMNS");
    if (next == S_COLUMNS && !rows_read) return mps_fail(&r->in, "section COLUMNS before ROWS");
    if (next > S_COLUMNS && !columns_read) return mps_fail(&r->in, "section %.*s before COLUMNS", SPAN_ARG(f[0]));
    if (next < S_ROWS && rows_read && next != S_OBJSENSE) return mps_fail(&r->in, "section %.*s after ROWS", SPAN_ARG(f[0]));
    if (next == S_NAME && r->p.name) return mps_fail(&r->in, "a second NAME");
    if (next == S_NAME && count > 1 && !(r->p.name = copy_span(f[1]))) return error_memory(r->in.error);
    if (columns_read && !r->bounded) {
        r->bounded = MEM_ZERO(bool, r->p.col_names.count);
        r->semi = MEM_ZERO(bool, r->p.col_names.count);
        if (!r->bounded || !r->semi) return error_memory(r->in.error);
    }
    if (next == S_OBJSENSE && span_is(f[0], "OBJSENSEMAX")) r->p.maximize = true;
    if (next == S_OBJSENSE && count > 1) {
        vouch_status status = read_sense(r, f[1]);
        if (status != VOUCH_OK) return status;
    }
    if (next != S_OBJSENSE || !rows_read)
        *now = next; /* a late OBJSENSE takes its cards below */
    else if (count == 1 && !span_is(f[0], "OBJSENSEMAX")) {
        span sense;
        if (!mps_next_line(&r->in, &sense)) return mps_fail(&r->in, "the file ends, expected MAX or MIN");
        return read_sense(r, span_trim(sense));
    }
    return VOUCH_OK;
}

/* ---- the whole
 * ------------------------------------------------------------------------------------------------- */

static void set_row_bounds(reader *r)
{
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

/* x = 0 or l <= x <= u with l > 0 becomes l b <= x <= u b with a binary b. With l <= 0 the semicontinuity
 * says nothing that the bounds 0 and u do not. */
static vouch_status resolve_semicontinuous(reader *r)
{
    int n = r->p.col_names.count;
    for (int j = 0; j < n; j++) {
        if (!r->semi || !r->semi[j] || !(r->p.col[j].lower > 0)) continue;
        const char *name = nametable_get(&r->p.col_names, j);
        if (isinf(r->p.col[j].upper))
            return mps_fail(&r->in, "semicontinuous column \"%.60s\" without upper bound, expected one in BOUNDS", name);
        char label[128];
        int row[2], k = -1;
        for (int side = 0; side < 2; side++) {
            snprintf(label, sizeof label, "%.100s.%s", name, side ? "on" : "off");
            if (find_row(r, (span){label, strlen(label)}) != UNKNOWN)
                return mps_fail(&r->in, "row \"%s\", a name needed for a semicontinuous column", label);
            row[side] = problem_add_row(&r->p, label, strlen(label));
        }
        snprintf(label, sizeof label, "%.100s.semi", name);
        if (nametable_find(&r->p.col_names, label, strlen(label)) < 0)
            k = problem_add_col(&r->p, label, strlen(label));
        else
            return mps_fail(&r->in, "column \"%s\", a name needed for a semicontinuous column", label);
        if (row[0] < 0 || row[1] < 0 || k < 0) return error_memory(r->in.error);
        problem_col *c = &r->p.col[j];
        r->p.col[k].upper = 1;
        r->p.col[k].integer = true;
        r->p.row[row[0]].upper = 0; /* x - u b <= 0 */
        r->p.row[row[1]].lower = 0; /* x - l b >= 0 */
        int bad = problem_add_entry(&r->p, row[0], j, 1) | problem_add_entry(&r->p, row[0], k, -c->upper);
        bad |= problem_add_entry(&r->p, row[1], j, 1) | problem_add_entry(&r->p, row[1], k, -c->lower);
        if (bad) return error_memory(r->in.error);
        c->lower = 0;
    }
    return VOUCH_OK;
}

static vouch_status read_sections(reader *r)
{
    section now = S_NONE;
    span line;
    while (mps_next_line(&r->in, &line)) {
        vouch_status status = VOUCH_OK;
        if (memchr(line.at, '\0', line.length)) return mps_fail(&r->in, "a zero byte, expected text");
        if (*line.at != ' ' && *line.at != '\t') {
            status = open_section(r, line, &now);
            if (now == S_ENDATA && status == VOUCH_OK) break;
        } else {
            switch (now) {
            case S_OBJSENSE:
                status = read_sense(r, span_trim(line));
                break;
            case S_OBJNAME:
                status = read_objective_name(r, span_trim(line));
                break;
            case S_ROWS:
                status = read_row(r, line);
                break;
            case S_COLUMNS:
                status = read_column(r, line);
                break;
            case S_RHS:
                status = read_right_side(r, line, false);
                break;
            case S_RANGES:
                status = read_right_side(r, line, true);
                break;
            case S_BOUNDS:
                status = read_bound(r, line);
                break;
            case S_SOS:
                status = read_sos(r, line);
                break;
            default:
                status = mps_fail(&r->in, "a card outside of any section, expected a section's name in column 1");
            }
        }
        if (status != VOUCH_OK) return status;
    }
    if (now != S_ENDATA) return mps_fail(&r->in, "the file ends in the middle, expected ENDATA");
    if (r->p.objective_name && !r->has_objective)
        return mps_fail(&r->in, "objective \"%.60s\" is not among the rows of type N", r->p.objective_name);
    for (; r->in.at < r->in.end; r->in.at++)
        if (!memchr(" \t\r\n", *r->in.at, 4)) {
            r->text_after_end = true;
            break;
        }
    return VOUCH_OK;
}

static void report(const reader *r, const vouch_log *log)
{
    static const char *section_name[] = {"RHS", "RANGES", "BOUNDS"};
    const set_choice *choice[] = {&r->rhs, &r->ranges, &r->bounds};
    log_line(log, VOUCH_LOG_INFO, "%s: %s MPS, %d rows, %d columns", r->in.file, r->in.fixed ? "fixed" : "free",
             r->p.row_names.count, r->p.col_names.count);
    for (int k = 0; k < 3; k++)
        if (choice[k]->others)
            log_line(log, VOUCH_LOG_INFO, "%s: several %s sets; the first, \"%.*s\", is used", r->in.file, section_name[k],
                     SPAN_ARG(choice[k]->name));
    if (r->negative_upper)
        log_line(log, VOUCH_LOG_INFO, "%s: negative upper bounds without lower bound: the lower bound is -infinity", r->in.file);
    if (r->text_after_end) log_line(log, VOUCH_LOG_INFO, "%s: text after ENDATA is ignored", r->in.file);
}

static void turn_objective(problem *p)
{
    for (int j = 0; j < p->col_names.count; j++) p->col[j].cost = -p->col[j].cost + 0.0; /* no -0 */
    p->offset = -p->offset + 0.0;
    p->maximize = !p->maximize;
}

/* One attempt in one layout. *line: how far it got. */
static vouch_status read_layout(const char *bytes, size_t length, const char *file, bool fixed, const vouch_log *log, vouch_lp **lp,
                                long *line, vouch_error *error)
{
    reader r = {.in = {.file = file, .at = bytes, .end = bytes + length, .fixed = fixed, .error = error},
                .col = -1,
                .objective_last_col = -1,
                .objective_rhs = NAN};
    vouch_status status = read_sections(&r);
    if (status == VOUCH_OK) {
        set_row_bounds(&r);
        for (int j = 0; j < r.p.col_names.count; j++)
            if (r.p.col[j].integer && !(r.bounded && r.bounded[j])) r.p.col[j].upper = 1;
        if (!isnan(r.objective_rhs)) r.p.offset = -r.objective_rhs;
        if (r.in.negated) turn_objective(&r.p);
        status = resolve_semicontinuous(&r);
    }
    if (status == VOUCH_OK) status = problem_finish(&r.p, lp, error);
    if (status == VOUCH_OK) report(&r, log);
    *line = r.in.line;
    problem_free(&r.p);
    mem_free(r.row);
    mem_free(r.bounded);
    mem_free(r.semi);
    return status;
}

vouch_status mps_read(const char *bytes, size_t length, const char *file, vouch_lp_format format, const vouch_log *log,
                      vouch_lp **lp, vouch_error *error)
{
    long line = 0, fixed_line = 0;
    *lp = NULL;
    vouch_error second = {0};
    vouch_status status = VOUCH_ERROR_INPUT;
    if (format != VOUCH_FORMAT_MPS_FIXED) {
        status = read_layout(bytes, length, file, false, log, lp, &line, error);
        if (status != VOUCH_ERROR_INPUT || format == VOUCH_FORMAT_MPS_FREE) return status;
    }
    vouch_status fixed_status = read_layout(bytes, length, file, true, log, lp, &fixed_line, &second);
    if (fixed_status != VOUCH_ERROR_INPUT || fixed_line > line) {
        if (error && fixed_status != VOUCH_OK) *error = second;
        return fixed_status;
    }
    return status;
}
