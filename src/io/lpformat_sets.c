/* io/lpformat_sets.c - numbers and SOS sets of the LP format; see lpformat_reader.h. */
#include "io/lpformat_reader.h"

#include <math.h>

#include "base/error.h"

vouch_status lpformat_read_value(lpformat_reader *r, double *value, bool *there)
{
    double sign = 1;
    bool has_sign = false;
    vouch_status status;
    *there = false;
    while (r->in.now == T_PLUS || r->in.now == T_MINUS) {
        if (r->in.now == T_MINUS) sign = -sign;
        has_sign = true;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
    }
    if (r->in.now == T_NUMBER)
        *value = sign * r->in.number;
    else if (r->in.now == T_NAME && lpformat_is_infinity(r->in.text))
        *value = sign * INFINITY;
    else if (has_sign)
        return lpformat_fail(&r->in, "\"%.*s\", expected a number", SPAN_ARG(r->in.text));
    else
        return VOUCH_OK;
    *value = lpformat_widen(*value);
    *there = true;
    return lpformat_advance(&r->in);
}

/* "S1::" or Gurobi's "SOS1::" opens a set. */
static int set_type(span word)
{
    if (span_is_word(word, "s1") || span_is_word(word, "sos1")) return 1;
    return span_is_word(word, "s2") || span_is_word(word, "sos2") ? 2 : 0;
}

/* column:weight; the colon is the token now. */
static vouch_status read_member(lpformat_reader *r, span word)
{
    double weight;
    bool there;
    vouch_status status = lpformat_read_value(r, &weight, &there);
    if (status != VOUCH_OK) return status;
    if (!there || !isfinite(weight)) return lpformat_fail(&r->in, "\"%.*s\", expected a finite weight", SPAN_ARG(r->in.text));
    if (r->p.sets == 0) return lpformat_fail(&r->in, "\"%.*s\" outside of a set, expected S1:: or S2::", SPAN_ARG(word));
    int j = lpformat_column(r, word);
    if (j < 0) return error_memory(r->in.error);
    for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
        if (r->p.member[k - 1].col == j)
            return lpformat_fail(&r->in, "column \"%.*s\" appears a second time in its set", SPAN_ARG(word));
    return problem_add_member(&r->p, r->p.sets, j, weight) == 0 ? VOUCH_OK : error_memory(r->in.error);
}

/* A pair looks like a label; what follows the colon tells them apart. */
vouch_status lpformat_read_sos(lpformat_reader *r)
{
    vouch_status status = lpformat_advance(&r->in);
    while (status == VOUCH_OK && !lpformat_section_ends(r)) {
        if (r->in.now != T_NAME) return lpformat_fail(&r->in, "\"%.*s\", expected a set or column:weight", SPAN_ARG(r->in.text));
        span word = r->in.text;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        if (r->in.now == T_COLONS) {
            int type = set_type(word);
            if (type == 0) return lpformat_fail(&r->in, "set type \"%.*s\", expected S1 or S2", SPAN_ARG(word));
            if (problem_open_set(&r->p, type) != 0) return error_memory(r->in.error);
            status = lpformat_advance(&r->in);
            continue;
        }
        if (r->in.now != T_COLON) return lpformat_fail(&r->in, "\"%.*s\", expected a colon", SPAN_ARG(r->in.text));
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        if (r->in.now == T_NAME) continue; /* the word was a label; its set follows */
        status = read_member(r, word);
    }
    return status;
}
