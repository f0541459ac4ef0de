/* io/mps_card.c - see mps_card.h. */
#include "io/mps_card.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"

/* ---- cards into fields --------------------------------------------------------------------------------------------- */

/* Next line that is neither empty nor a comment; false at the end. */
bool mps_next_line(mps_source *r, span *line)
{
    CHECK(r->at <= r->end);
    while (r->at < r->end) {
        const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
        size_t n = (size_t)((stop ? stop : r->end) - r->at);
        span s = {r->at, n};
        r->at += n + (stop != NULL);
        r->line++;
        while (s.length > 0 && (s.at[s.length - 1] == '\r' || s.at[s.length - 1] == ' ' || s.at[s.length - 1] == '\t')) s.length--;
        if (s.length > 0 && span_is(s, MPS_NEGATED)) r->negated = true;
        if (s.length == 0 || *s.at == '*') continue;
        *line = s;
        return true;
    }
    return false;
}

static span column_range(span line, size_t first, size_t last) /* columns counted from 1 */
{
    if (line.length < first) return (span){line.at, 0};
    size_t n = (line.length < last ? line.length : last) - (first - 1);
    return span_trim((span){line.at + first - 1, n});
}

/* Fixed fields 1 to 6, empty ones included. The gaps between the fields must be blank: that is what shows a
 * file of the other layout. */
vouch_status mps_fixed_fields(mps_source *r, span line, span f[MPS_FIELDS])
{
    static const struct {
        size_t first, last;
    } place[MPS_FIELDS] = {{2, 3}, {5, 12}, {15, 22}, {25, 36}, {40, 47}, {50, 61}};
    if (memchr(line.at, '\t', line.length)) return mps_fail(r, "a TAB, expected blanks between the fields of fixed MPS");
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
            return mps_fail(r, "\"%.*s\" between two fields of fixed MPS, expected blanks in columns %zu-%zu", SPAN_ARG(gap),
                            place[k].last + 1, gap_end);
    }
    return VOUCH_OK;
}

vouch_status mps_number(mps_source *r, span s, double *value)
{
    if (span_number(s, value)) return VOUCH_OK;
    if (s.length == 0) return mps_fail(r, "the number is missing, expected one after the name");
    return mps_fail(r, "\"%.*s\", expected a number", SPAN_ARG(s));
}

vouch_status mps_finite_number(mps_source *r, span s, double *value)
{
    vouch_status status = mps_number(r, s, value);
    if (status == VOUCH_OK && !isfinite(*value)) return mps_fail(r, "\"%.*s\", expected a finite number", SPAN_ARG(s));
    return status;
}

vouch_status mps_read_card(mps_source *r, span line, bool set_optional, mps_card *c)
{
    *c = (mps_card){.set = {"", 0}};
    if (r->fixed) {
        span f[MPS_FIELDS];
        vouch_status status = mps_fixed_fields(r, line, f);
        if (status != VOUCH_OK) return status;
        if (f[0].length > 0) return mps_fail(r, "\"%.*s\" in columns 2-3, expected blanks", SPAN_ARG(f[0]));
        c->set = f[1];
        c->pairs = f[4].length > 0 || f[5].length > 0 ? 2 : 1;
        c->name[0] = f[2], c->number[0] = f[3], c->name[1] = f[4], c->number[1] = f[5];
        return VOUCH_OK;
    }
    span f[MPS_FIELDS];
    int count = span_split(line, f, MPS_FIELDS), k = 0;
    for (int i = 0; i < count && i < MPS_FIELDS; i++)
        if (*f[i].at == '$' && i > 0) count = i;
    if (count % 2 == 1)
        c->set = f[k++];
    else if (!set_optional)
        return mps_fail(r, "%d fields, expected a column and one or two pairs of row and number", count);
    c->pairs = (count - k) / 2;
    if (count > 5 || c->pairs < 1)
        return mps_fail(r, "%s fields, expected a set name and one or two pairs of row and number",
                        count > 5 ? "too many" : "too few");
    for (int i = 0; i < c->pairs; i++) {
        c->name[i] = f[k + 2 * i];
        c->number[i] = f[k + 2 * i + 1];
    }
    return VOUCH_OK;
}
