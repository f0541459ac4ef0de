/* io/mps_sections.c - the cards of the sections of an MPS file; see mps_reader.h. */
#include "io/mps_reader.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

int mps_find_row(const mps_reader *r, span name)
{
    if (r->has_objective && span_is(name, r->p.objective_name)) return MPS_OBJECTIVE;
    int i = names_find_bytes(&r->p.row_names, name.at, name.length);
    return i >= 0 ? i : MPS_UNKNOWN;
}

static vouch_status unknown_row(mps_reader *r, span name)
{
    return mps_fail(&r->in, "row \"%.*s\" is unknown, expected a name of the ROWS section", SPAN_ARG(name));
}

char *mps_copy(span s)
{
    char *copy = mem_alloc(s.length + 1, 1);
    if (copy) {
        memcpy(copy, s.at, s.length);
        copy[s.length] = '\0';
    }
    return copy;
}

vouch_status mps_read_row(mps_reader *r, span line)
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
    if (mps_find_row(r, name) != MPS_UNKNOWN) return mps_fail(&r->in, "row \"%.*s\" appears a second time", SPAN_ARG(name));
    bool wanted = !r->p.objective_name || span_is(name, r->p.objective_name);
    if (letter == 'N' && !r->has_objective && wanted) {
        if (!r->p.objective_name && !(r->p.objective_name = mps_copy(name))) return error_memory(r->in.error);
        r->has_objective = true;
        return VOUCH_OK;
    }
    if (mem_reserve((void **)&r->row, &r->row_capacity, (size_t)r->p.row_names.count, sizeof *r->row) != 0)
        return error_memory(r->in.error);
    int i = problem_add_row(&r->p, name.at, name.length);
    if (i < 0) return error_memory(r->in.error);
    CHECK((size_t)i < r->row_capacity);
    r->row[i] = (mps_row){.kind = letter, .rhs = NAN, .range = NAN, .last_col = -1};
    return VOUCH_OK;
}

/* A card that switches integer columns on or off; the same fields in both layouts. */
static bool is_marker(span line, span f[3]) { return span_split(line, f, 3) >= 3 && span_is(f[1], "'MARKER'"); }

vouch_status mps_read_column(mps_reader *r, span line)
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
    bool same = c.set.length == 0 && r->col >= 0; /* as glpsol reads it: the column before goes on */
    if (c.set.length == 0 && !same) return mps_fail(&r->in, "the column's name is missing");
    if (!same && (r->col < 0 || !span_is(c.set, names_text(&r->p.col_names, r->col)))) {
        if (names_find_bytes(&r->p.col_names, c.set.at, c.set.length) >= 0)
            return mps_fail(&r->in, "column \"%.*s\" appears a second time, expected its entries in one place", SPAN_ARG(c.set));
        r->col = problem_add_col(&r->p, c.set.at, c.set.length);
        if (r->col < 0) return error_memory(r->in.error);
        r->p.col[r->col].integer = r->integer;
    }
    for (int k = 0; k < c.pairs; k++) {
        double value;
        int i = mps_find_row(r, c.name[k]);
        if (i == MPS_UNKNOWN) return unknown_row(r, c.name[k]);
        if ((status = mps_finite_number(&r->in, c.number[k], &value)) != VOUCH_OK) return status;
        int *last = i == MPS_OBJECTIVE ? &r->objective_last_col : &r->row[i].last_col;
        if (*last == r->col)
            return mps_fail(&r->in, "row \"%.*s\" appears a second time in column \"%.*s\"", SPAN_ARG(c.name[k]), SPAN_ARG(c.set));
        *last = r->col;
        if (i == MPS_OBJECTIVE)
            r->p.col[r->col].cost = value;
        else if (problem_add_entry(&r->p, i, r->col, value) != 0)
            return error_memory(r->in.error);
    }
    return VOUCH_OK;
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

vouch_status mps_read_right_side(mps_reader *r, span line, bool ranges)
{
    mps_card c;
    vouch_status status = mps_read_card(&r->in, line, true, &c);
    if (status != VOUCH_OK) return status;
    if (!set_wanted(ranges ? &r->ranges : &r->rhs, c.set)) return VOUCH_OK;
    for (int k = 0; k < c.pairs; k++) {
        double value;
        int i = mps_find_row(r, c.name[k]);
        if (i == MPS_UNKNOWN) return unknown_row(r, c.name[k]);
        if ((status = mps_number(&r->in, c.number[k], &value)) != VOUCH_OK) return status;
        char kind = i == MPS_OBJECTIVE ? 'N' : r->row[i].kind;
        double *place = i == MPS_OBJECTIVE ? &r->objective_rhs : ranges ? &r->row[i].range : &r->row[i].rhs;
        if (i == MPS_OBJECTIVE && ranges) {
            r->objective_range = true;
            continue;
        }
        if (!isnan(*place)) return mps_fail(&r->in, "row \"%.*s\" appears a second time in this section", SPAN_ARG(c.name[k]));
        bool open = fabs(value) >= FILE_INFINITY;
        if (open && !ranges && !(kind == 'L' && value > 0) && !(kind == 'G' && value < 0))
            return mps_fail(&r->in, "right-hand side \"%.*s\", expected a finite number", SPAN_ARG(c.number[k]));
        *place = open ? copysign(INFINITY, value) : value;
    }
    return VOUCH_OK;
}

static bool type_is(span s, const char *word) { return span_is_word(s, word); }

/* Semicontinuous, semi-integer. */
static bool is_semi(span s) { return type_is(s, "sc") || type_is(s, "si"); }

/* Brings a BOUNDS card into type, set, column, number; number is empty where there is none. */
static vouch_status bound_fields(mps_reader *r, span line, span *type, span *set, int *col, span *number)
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
        bool bare = type_is(f[0], "fr") || type_is(f[0], "mi") || type_is(f[0], "pl") || type_is(f[0], "bv") || is_semi(f[0]);
        if (count == 4)
            *set = f[1], name = f[2], *number = f[3];
        else if (count == 2)
            name = f[1];
        else if (bare && names_find_bytes(&r->p.col_names, f[2].at, f[2].length) >= 0)
            *set = f[1], name = f[2];
        else
            name = f[1], *number = f[2];
    }
    *col = names_find_bytes(&r->p.col_names, name.at, name.length);
    if (*col < 0) return mps_fail(&r->in, "column \"%.*s\" is unknown, expected a name of the COLUMNS section", SPAN_ARG(name));
    return VOUCH_OK;
}

vouch_status mps_read_bound(mps_reader *r, span line)
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
    else if (is_semi(type) && number.length == 0)
        c->upper = INFINITY, c->semi = true, c->integer = c->integer || type_is(type, "si");
    else {
        double value;
        if ((status = mps_number(&r->in, number, &value)) != VOUCH_OK) return status;
        if (fabs(value) >= FILE_INFINITY) value = copysign(INFINITY, value);
        bool is_lower = type_is(type, "lo") || type_is(type, "li"), is_upper = type_is(type, "up") || type_is(type, "ui");
        bool is_fixed = type_is(type, "fx"), semi = is_semi(type);
        if (!is_lower && !is_upper && !is_fixed && !semi)
            return mps_fail(&r->in, "bound type \"%.*s\", expected LO, UP, FX, FR, MI, PL, BV, LI, UI, SC or SI", SPAN_ARG(type));
        if ((is_fixed && isinf(value)) || (is_lower && value > 0 && isinf(value)) || (!is_lower && value < 0 && isinf(value)))
            return mps_fail(&r->in, "bound \"%.*s\" leaves no value to the column, expected a finite number", SPAN_ARG(number));
        if (is_lower || is_fixed) c->lower = value, c->has_lower = true;
        if (!is_lower) c->upper = value;
        if (type_is(type, "li") || type_is(type, "ui") || type_is(type, "si")) c->integer = true;
        if (semi) c->semi = true;
        if (is_upper && value < 0 && !c->has_lower) {
            c->lower = -INFINITY;
            r->negative_upper = true;
        }
    }
    return VOUCH_OK;
}

vouch_status mps_read_sos(mps_reader *r, span line)
{
    span f[4];
    int count = span_split(line, f, 4);
    int type = span_is_word(f[0], "s1") ? 1 : span_is_word(f[0], "s2") ? 2 : 0;
    if (type) return problem_open_set(&r->p, type) == 0 ? VOUCH_OK : error_memory(r->in.error);
    if (r->p.sets == 0) return mps_fail(&r->in, "\"%.*s\", expected a card S1 or S2 that opens a set", SPAN_ARG(f[0]));
    if (count < 2 || count > 3) return mps_fail(&r->in, "%d fields, expected a column and its weight", count > 3 ? 4 : count);
    span name = f[count - 2];
    double weight;
    int j = names_find_bytes(&r->p.col_names, name.at, name.length);
    if (j < 0) return mps_fail(&r->in, "column \"%.*s\" is unknown, expected a name of the COLUMNS section", SPAN_ARG(name));
    for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
        if (r->p.member[k - 1].col == j)
            return mps_fail(&r->in, "column \"%.*s\" appears a second time in its set", SPAN_ARG(name));
    vouch_status status = mps_finite_number(&r->in, f[count - 1], &weight);
    if (status != VOUCH_OK) return status;
    return problem_add_member(&r->p, r->p.sets, j, weight) == 0 ? VOUCH_OK : error_memory(r->in.error);
}

vouch_status mps_read_indicator(mps_reader *r, span line)
{
    span f[4];
    double value;
    int count = span_split(line, f, 4);
    if (count != 4 || !span_is_word(f[0], "if")) return mps_fail(&r->in, "expected IF, a row, a column, and 0 or 1");
    int i = mps_find_row(r, f[1]), j = names_find_bytes(&r->p.col_names, f[2].at, f[2].length);
    if (i < 0) return unknown_row(r, f[1]);
    if (j < 0) return mps_fail(&r->in, "column \"%.*s\" is unknown, expected a name of the COLUMNS section", SPAN_ARG(f[2]));
    if (r->row[i].indicated) return mps_fail(&r->in, "row \"%.*s\" has two indicators, expected one", SPAN_ARG(f[1]));
    r->row[i].indicated = true;
    vouch_status status = mps_number(&r->in, f[3], &value);
    if (status != VOUCH_OK) return status;
    if (value != 0 && value != 1) return mps_fail(&r->in, "\"%.*s\", expected 0 or 1", SPAN_ARG(f[3]));
    return problem_add_indicator(&r->p, i, j, value == 1) == 0 ? VOUCH_OK : error_memory(r->in.error);
}
