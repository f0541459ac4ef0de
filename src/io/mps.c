/* io/mps.c - reads MPS, the problem format of 1960s punched cards that is still the common tongue of LP solvers.
 *
 * A file is a row of sections; a section starts with a word in column 1, its cards start with a blank. Two layouts are in use:
 * *fixed* (fields in columns 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, so names may hold blanks) and *free* (fields separated by
 * blanks or TABs). No mark tells them apart, so a file is read as free first, and as fixed when that fails: a name with a blank,
 * or a blank set name where it matters, always gives a free card the wrong number of fields. When both fail, the error reported is
 * the one further down in the file.
 *
 * Source: the format's description in B. A. Murtagh, Advanced Linear Programming (1981), chapter 9, and the
 * habits of CPLEX and its successors where that is silent: see the notes at vouch_lp_read in vouch/lp_io.h.
 */
#include "io/mps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "io/mps_reader.h"
#include "io/problem_logic.h"

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

/* ---- sections ------------------------------------------------------------------------------------------------------ */

static vouch_status read_sense(mps_reader *r, span word)
{
    if (span_is_word(word, "max") || span_is_word(word, "maximize") || span_is_word(word, "maximise"))
        r->p.maximize = true;
    else if (span_is_word(word, "min") || span_is_word(word, "minimize") || span_is_word(word, "minimise"))
        r->p.maximize = false;
    else
        return mps_fail(&r->in, "\"%.*s\", expected MAX or MIN", SPAN_ARG(word));
    return VOUCH_OK;
}

static vouch_status read_objective_name(mps_reader *r, span word)
{
    if (r->p.objective_name) return mps_fail(&r->in, "the objective is named a second time, expected OBJNAME once and before ROWS");
    r->p.objective_name = mps_copy(word);
    return r->p.objective_name ? VOUCH_OK : error_memory(r->in.error);
}

static vouch_status unknown_section(const mps_reader *r, span word)
{
    static const char *const nonlinear[] = {"QUADOBJ", "QMATRIX", "QSECTION", "QCMATRIX", "CSECTION"}, *const gurobi[] = {
                                                                                                           "PWLOBJ", "GENCONS",
                                                                                                           "MULTIOBJ", "SCENARIOS"};
    for (size_t k = 0; k < sizeof nonlinear / sizeof *nonlinear; k++)
        if (span_is(word, nonlinear[k]))
            return mps_fail(&r->in,
                            "section %s: quadratic terms are not supported: vouch solves linear and mixed-integer linear programs",
                            nonlinear[k]);
    for (size_t k = 0; k < sizeof gurobi / sizeof *gurobi; k++)
        if (span_is(word, gurobi[k])) return mps_fail(&r->in, "section %s, which is Gurobi's own and not supported", gurobi[k]);
    return mps_fail(&r->in,
                    "section \"%.*s\", expected NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, SOS, INDICATORS or ENDATA",
                    SPAN_ARG(word));
}

/* A card that starts in column 1. */
static vouch_status open_section(mps_reader *r, span line, section *now)
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
    if (*now == S_OBJSENSE && count == 1 && (span_is_word(f[0], "max") || span_is_word(f[0], "min"))) return read_sense(r, f[0]);
    section next = S_NONE;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (span_is(f[0], known[k].word)) next = known[k].is;
    if (next == S_NONE) return unknown_section(r, f[0]);
    bool rows_read = *now >= S_ROWS, columns_read = *now >= S_COLUMNS;
    bool lazy = span_is(f[0], "LAZYCONS") || span_is(f[0], "USERCUTS"); /* rows like others, behind them */
    if (lazy && *now != S_ROWS) return mps_fail(&r->in, "section %.*s, expected behind ROWS", SPAN_ARG(f[0]));
    if (next == S_ROWS && rows_read && !lazy) return mps_fail(&r->in, "a second section ROWS");
    if (next == S_COLUMNS && columns_read) return mps_fail(&r->in, "a second section COLUMNS");
    if (next == S_COLUMNS && !rows_read) return mps_fail(&r->in, "section COLUMNS before ROWS");
    if (next > S_COLUMNS && !columns_read) return mps_fail(&r->in, "section %.*s before COLUMNS", SPAN_ARG(f[0]));
    if (next < S_ROWS && rows_read && next != S_OBJSENSE) return mps_fail(&r->in, "section %.*s after ROWS", SPAN_ARG(f[0]));
    if (next == S_NAME && r->p.name) return mps_fail(&r->in, "a second NAME");
    if (next == S_NAME && count > 1 && !(r->p.name = mps_copy(f[1]))) return error_memory(r->in.error);
    if (columns_read && !r->bounded) {
        r->bounded = MEM_ZERO(bool, r->p.col_names.count);
        if (!r->bounded) return error_memory(r->in.error);
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

static vouch_status resolve_logic(mps_reader *r)
{
    char why[LOGIC_TEXT];
    vouch_status status = problem_resolve_logic(&r->p, why);
    if (status == VOUCH_ERROR_INPUT) return mps_fail(&r->in, "%s", why);
    return status == VOUCH_OK ? VOUCH_OK : error_memory(r->in.error);
}

static vouch_status read_sections(mps_reader *r)
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
                status = mps_read_row(r, line);
                break;
            case S_COLUMNS:
                status = mps_read_column(r, line);
                break;
            case S_RHS:
                status = mps_read_right_side(r, line, false);
                break;
            case S_RANGES:
                status = mps_read_right_side(r, line, true);
                break;
            case S_BOUNDS:
                status = mps_read_bound(r, line);
                break;
            case S_SOS:
                status = mps_read_sos(r, line);
                break;
            case S_INDICATORS:
                status = mps_read_indicator(r, line);
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

/* One attempt in one layout. *line: how far it got. */
static vouch_status read_layout(const file_content *file, bool fixed, const vouch_log *log, vouch_lp **lp, long *line,
                                vouch_error *error)
{
    mps_reader r = {
        .in = {.file = file->name, .at = file->bytes, .end = file->bytes + file->length, .fixed = fixed, .error = error},
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
        status = resolve_logic(&r);
    }
    if (status == VOUCH_OK) status = problem_finish(&r.p, lp, error);
    if (status == VOUCH_OK) report(&r, log);
    *line = r.in.line;
    problem_free(&r.p);
    mem_free(r.row);
    mem_free(r.bounded);
    return status;
}

vouch_status mps_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp, vouch_error *error)
{
    long line = 0, fixed_line = 0;
    vouch_error second = {0};
    vouch_status status = VOUCH_ERROR_INPUT;
    if (format != VOUCH_FORMAT_MPS_FIXED) {
        status = read_layout(file, false, log, lp, &line, error);
        if (status != VOUCH_ERROR_INPUT || format == VOUCH_FORMAT_MPS_FREE) return status;
    }
    vouch_status fixed_status = read_layout(file, true, log, lp, &fixed_line, &second);
    if (fixed_status != VOUCH_ERROR_INPUT || fixed_line > line) {
        if (error && fixed_status != VOUCH_OK) *error = second;
        return fixed_status;
    }
    return status;
}
