/* io/prism_family.c - see prism_family.h. */
#include "io/prism_family.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/file.h"

enum { RANGE_CAP = 1000000 };
static const double RANGE_SLACK = 1e-9; /* relative: 0:1:0.1 has eleven values although ten times 0.1 is not 1 */

static vouch_status fits(const prism *p, int constant, prism_value *v)
{
    static const char *const type_text[] = {"int", "double", "bool"};
    static const char *const wanted[] = {"a whole number", "a number", "true or false"};
    const prism_constant *c = &p->constant[constant];
    if (c->type == TYPE_REAL && v->type == TYPE_INT) *v = (prism_value){.type = TYPE_REAL, .u.d = (double)v->u.i};
    if (v->type == c->type && (v->type != TYPE_REAL || isfinite(v->u.d))) return VOUCH_OK;
    char found[40], hint[160] = "";
    if (v->type == TYPE_BOOL)
        format_text(found, sizeof found, "%s", v->u.i ? "true" : "false");
    else
        format_text(found, sizeof found, "%.*g", DBL_DIG, v->type == TYPE_REAL ? v->u.d : (double)v->u.i);
    if (c->type == TYPE_BOOL && c->expr < 0) format_text(hint, sizeof hint, "; --const %.100s=false,true", prism_name(p, c->name));
    return prism_fail(p, c->line, c->column, "the constant \"%.100s\" is declared %s: expected %s, found %s%s",
                      prism_name(p, c->name), type_text[c->type], wanted[c->type], found, hint);
}

static vouch_status add_value(const prism *p, prism_range *r, prism_value v)
{
    vouch_status status = fits(p, r->constant, &v);
    if (status) return status;
    if (r->count >= RANGE_CAP)
        return prism_fail(p, 1, 1, "the constant \"%.100s\" has too many values", prism_name(p, p->constant[r->constant].name));
    if (mem_reserve((void **)&r->value, &r->capacity, r->count, sizeof *r->value)) return error_memory(p->error);
    r->value[r->count++] = v;
    return VOUCH_OK;
}

/* The third value of 0.4:0.6:0.1 is the 0.6 that one would write, and not 0.4 + 2 * 0.1. */
static double rounded(double x)
{
    char word[40];
    format_text(word, sizeof word, "%.*g", DBL_DIG, x);
    return number_read(word, NULL);
}

static vouch_status add_range(const prism *p, prism_range *r, const prism_value *low, const prism_value *high,
                              const prism_value *step, const char *what)
{
    bool whole = low->type == TYPE_INT && high->type == TYPE_INT && step->type == TYPE_INT;
    double l = low->type == TYPE_REAL ? low->u.d : (double)low->u.i, h = high->type == TYPE_REAL ? high->u.d : (double)high->u.i;
    double s = step->type == TYPE_REAL ? step->u.d : (double)step->u.i;
    if (low->type == TYPE_BOOL || high->type == TYPE_BOOL || step->type == TYPE_BOOL || !(s > 0) || !(h >= l))
        return prism_fail(p, p->constant[r->constant].line, p->constant[r->constant].column,
                          "%s: a range needs lo <= hi and a positive step", what);
    vouch_status status = VOUCH_OK;
    for (int64_t x = low->u.i; whole && !status;) {
        status = add_value(p, r, (prism_value){.type = TYPE_INT, .u.i = x});
        if (__builtin_add_overflow(x, step->u.i, &x) || x > high->u.i) return status;
    }
    for (long i = 0; l + s * (double)i <= h + RANGE_SLACK * fmax(1, fabs(h)) && !status; i++)
        status = add_value(p, r, (prism_value){.type = TYPE_REAL, .u.d = rounded(l + s * (double)i)});
    return status;
}

/* ---- values from the command line ---------------------------------------------------------------------------- */

static bool read_value(const char *s, size_t n, prism_value *v)
{
    char word[64], *end;
    if (n == 0 || n >= sizeof word) return false;
    memcpy(word, s, n);
    word[n] = '\0';
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
        *v = (prism_value){.type = TYPE_BOOL, .u.i = word[0] == 't'};
        return true;
    }
    errno = 0;
    long long i = strtoll(word, &end, 10);
    if (*end == '\0' && !errno) {
        *v = (prism_value){.type = TYPE_INT, .u.i = i};
        return true;
    }
    v->type = TYPE_REAL;
    v->u.d = number_read(word, &end);
    return *end == '\0' && isfinite(v->u.d);
}

static vouch_status option_wrong(const prism *p, const char *option)
{
    return error_set(p->error, VOUCH_ERROR_INPUT,
                     "--const %.100s: expected NAME=lo:hi, NAME=lo:hi:step or NAME=v1,v2, of numbers, true and false", option);
}

/* No constant of that name is open: maybe the file gives it a value. */
static vouch_status not_open(const prism *p, const char *option, const char *s, size_t length)
{
    bool there = false;
    for (size_t i = 0; i < p->constant_count; i++) {
        const char *known = prism_name(p, p->constant[i].name);
        there = there || (strlen(known) == length && strncmp(known, s, length) == 0);
    }
    return error_set(p->error, VOUCH_ERROR_INPUT, "--const %.100s: %.200s has no open constant \"%.*s\"%s", option, p->file,
                     (int)(length < 100 ? length : 100), s, there ? "; the file itself gives it a value" : "");
}

static double as_real(const prism_value *v) { return v->type == TYPE_REAL ? v->u.d : (double)v->u.i; }

/* One piece between commas: a value, lo:hi or lo:hi:step. */
static vouch_status add_piece(const prism *p, prism_range *r, const char *s, size_t n, const char *option)
{
    prism_value part[3] = {[2] = {.type = TYPE_INT, .u.i = 1}};
    int count = 0;
    const char *end = s + n;
    for (bool more = true; more && count < 3; count++) {
        size_t length = 0;
        while (s + length < end && s[length] != ':') length++;
        if (!read_value(s, length, &part[count])) return option_wrong(p, option);
        more = s + length < end;
        s += length + more;
    }
    if (s != end) return option_wrong(p, option);
    if (count == 1) return add_value(p, r, part[0]);
    size_t before = r->count;
    vouch_status status = add_range(p, r, &part[0], &part[1], &part[2], option);
    bool single = !status && count == 2 && r->count == before + 1 && as_real(&part[0]) != as_real(&part[1]);
    return !single
               ? status
               : error_set(p->error, VOUCH_ERROR_INPUT,
                           "--const %.100s: lo:hi goes by steps of 1, which gives its first value alone; write lo:hi:step or v1,v2",
                           option);
}

/* "A=0:2,B=1,3": a piece with = begins a further constant. */
static vouch_status read_option(prism_family *f, const char *option)
{
    const prism *p = f->p;
    prism_range *r = NULL;
    for (const char *s = option; *s;) {
        size_t n = strcspn(s, ","), name = strcspn(s, "=");
        if (name < n) {
            r = NULL;
            for (size_t i = 0; i < f->ranges; i++) {
                const char *known = prism_name(p, p->constant[f->range[i].constant].name);
                if (strlen(known) == name && strncmp(known, s, name) == 0) r = &f->range[i];
            }
            if (!r) return not_open(p, option, s, name);
            if (r->given)
                return error_set(p->error, VOUCH_ERROR_INPUT,
                                 "--const %.100s: %.*s is given twice; one option takes all its values: v1,v2", option,
                                 (int)(name < 100 ? name : 100), s);
            r->given = true;
            r->count = 0;
            s += name + 1;
            n -= name + 1;
        }
        if (!r) return option_wrong(p, option);
        vouch_status status = add_piece(p, r, s, n, option);
        if (status) return status;
        s += n + (s[n] == ',');
    }
    return VOUCH_OK;
}

/* A range, still empty, for each open constant. */
static vouch_status list_open(prism_family *f)
{
    const prism *p = f->p;
    f->range = MEM_ZERO(prism_range, p->constant_count);
    if (!f->range) return error_memory(p->error);
    for (size_t i = 0; i < p->constant_count; i++)
        if (p->constant[i].expr < 0 && p->constant[i].bound_of < 0) f->range[f->ranges++].constant = (int)i;
    return VOUCH_OK;
}

vouch_status prism_single_constants(const prism *p, const vouch_source *source, prism_value *value, unsigned char *known)
{
    prism quiet = *p;
    quiet.error = NULL;
    prism_family f = {.p = &quiet, .source = source};
    vouch_status status = list_open(&f) ? error_memory(p->error) : VOUCH_OK;
    for (size_t i = 0; i < source->constant_count && !status; i++)
        if (read_option(&f, source->constants[i]) == VOUCH_ERROR_MEMORY) status = error_memory(p->error);
    for (size_t i = 0; i < f.ranges && !status; i++)
        if (f.range[i].count == 1) {
            value[f.range[i].constant] = f.range[i].value[0];
            known[f.range[i].constant] = 1;
        }
    prism_family_free(&f);
    return status;
}

/* ---- all constants ------------------------------------------------------------------------------------------- */

/* Again and again: constants may stand in any order. */
vouch_status prism_close_constants(const prism *p, prism_value *value, unsigned char *known, bool all)
{
    vouch_status status = VOUCH_OK;
    for (bool progress = true; progress && !status;) {
        progress = false;
        for (size_t i = 0; i < p->constant_count && !status; i++) {
            prism_scope scope = {.p = p, .constant = value, .known = known, .quiet = true};
            prism_value v;
            if (known[i] || p->constant[i].expr < 0 || prism_eval(&scope, p->constant[i].expr, &v)) continue;
            status = fits(p, (int)i, &v);
            value[i] = v;
            known[i] = 1;
            progress = true;
        }
    }
    for (size_t i = 0; i < p->constant_count && !status && all; i++) {
        prism_scope scope = {.p = p, .constant = value, .known = known};
        prism_value v;
        if (!known[i] && p->constant[i].expr >= 0) status = prism_eval(&scope, p->constant[i].expr, &v);
    }
    return status;
}

static vouch_status read_hole(prism_family *f, prism_range *r)
{
    const prism *p = f->p;
    const prism_constant *c = &p->constant[r->constant];
    prism_scope scope = {.p = p, .constant = f->base, .known = f->known};
    prism_value v[3] = {[2] = {.type = TYPE_INT, .u.i = 1}};
    vouch_status status = VOUCH_OK;
    if (c->count < 0) {
        for (int i = 0; i < 3 && !status; i++)
            if (p->hole_value[c->first + i] >= 0) status = prism_eval(&scope, p->hole_value[c->first + i], &v[i]);
        return status ? status : add_range(p, r, &v[0], &v[1], &v[2], "hole");
    }
    for (int i = 0; i < c->count && !status; i++) {
        status = prism_eval(&scope, p->hole_value[c->first + i], &v[0]);
        if (!status) status = add_value(p, r, v[0]);
    }
    return status;
}

vouch_status prism_family_make(prism_family *f)
{
    const prism *p = f->p;
    size_t n = p->constant_count;
    f->base = MEM_ZERO(prism_value, n);
    f->known = MEM_ZERO(unsigned char, n);
    if (!f->base || !f->known) return error_memory(p->error);
    vouch_status status = prism_close_constants(p, f->base, f->known, false);
    if (!status) status = list_open(f);
    for (size_t i = 0; i < f->ranges && !status; i++)
        if (p->constant[f->range[i].constant].hole) status = read_hole(f, &f->range[i]);
    for (size_t i = 0; i < f->source->constant_count && !status; i++) status = read_option(f, f->source->constants[i]);
    double product = 1;
    for (size_t i = 0; i < f->ranges && !status; i++) {
        const prism_constant *c = &p->constant[f->range[i].constant];
        if (f->range[i].count == 0)
            status = prism_fail(p, c->line, c->column,
                                "the constant \"%.100s\" has no value: give --const %.100s=lo:hi or a list of values",
                                prism_name(p, c->name), prism_name(p, c->name));
        product *= (double)f->range[i].count;
    }
    int sample = f->source->sample;
    if (!status && product > PRISM_ENVIRONMENT_CAP && (sample < 1 || sample > PRISM_ENVIRONMENT_CAP))
        status = error_set(
            p->error, VOUCH_ERROR_SIZE,
            "%s: %.6g environments, more than a million; --sample N plans for N of them, --const NAME=V gives a hole one value",
            p->file, product);
    f->K = product <= PRISM_ENVIRONMENT_CAP ? (int)product : 0;
    if (!status && sample > 0) status = prism_family_sample(f, product, sample, f->source->sample_seed);
    for (size_t i = 0; i < n && !status; i++) {
        const prism_constant *c = &p->constant[i];
        if (c->bound_of < 0) continue;
        for (size_t j = 0; j < f->ranges; j++)
            for (size_t v = 0; f->range[j].constant == c->bound_of && v < f->range[j].count; v++) {
                double x = as_real(&f->range[j].value[v]), best = as_real(&f->base[i]);
                if (v == 0 || (c->is_max ? x > best : x < best)) f->base[i] = f->range[j].value[v];
            }
        f->known[i] = 1;
    }
    return status;
}

void prism_family_free(prism_family *f)
{
    for (size_t i = 0; i < f->ranges; i++) mem_free(f->range[i].value);
    mem_free(f->range);
    mem_free(f->drawn);
    mem_free(f->base);
    mem_free(f->known);
    *f = (prism_family){0};
}

/* Which of its values constant number i of the open ones has in environment k. */
static const prism_value *value_in(const prism_family *f, int k, size_t i)
{
    size_t rest = (size_t)k;
    if (f->drawn) return &f->range[i].value[f->drawn[rest * f->ranges + i]];
    for (size_t j = f->ranges; --j > i;) rest /= f->range[j].count;
    return &f->range[i].value[rest % f->range[i].count];
}

/* sign * value >= sign * bound, an expression; -1: there is none */
static vouch_status check_bound(prism_scope *scope, const prism_constant *c, const prism_value *value, int bound, int sign)
{
    const prism *p = scope->p;
    prism_value limit;
    if (bound < 0) return VOUCH_OK;
    vouch_status status = prism_eval(scope, bound, &limit);
    if (status || sign * as_real(value) >= sign * as_real(&limit)) return status;
    return prism_fail(p, c->line, c->column, "the constant \"%.100s\" is %.*g; expected at %s %.*g", prism_name(p, c->name),
                      DBL_DIG, as_real(value), sign > 0 ? "least" : "most", DBL_DIG, as_real(&limit));
}

vouch_status prism_family_constants(const prism_family *f, int k, prism_value *constant)
{
    const prism *p = f->p;
    unsigned char *known = MEM_NEW(unsigned char, p->constant_count);
    if (!known) return error_memory(p->error);
    MEM_COPY(constant, f->base, p->constant_count);
    MEM_COPY(known, f->known, p->constant_count);
    for (size_t i = 0; i < f->ranges; i++) {
        constant[f->range[i].constant] = *value_in(f, k, i);
        known[f->range[i].constant] = 1;
    }
    vouch_status status = prism_close_constants(p, constant, known, true);
    prism_scope scope = {.p = p, .constant = constant, .known = known};
    for (size_t i = 0; i < p->constant_count && !status; i++) {
        const prism_constant *c = &p->constant[i];
        status = check_bound(&scope, c, &constant[i], c->low, 1);
        if (!status) status = check_bound(&scope, c, &constant[i], c->high, -1);
    }
    mem_free(known);
    return status;
}

char *prism_family_name(const prism_family *f, int k)
{
    text t = {0};
    char number[32];
    for (size_t i = 0; i < f->ranges; i++) {
        const prism_value *v = value_in(f, k, i);
        text_add(&t, "%s%s=", i ? "," : "", prism_name(f->p, f->p->constant[f->range[i].constant].name));
        if (v->type == TYPE_BOOL)
            text_add(&t, "%s", v->u.i ? "true" : "false");
        else if (v->type == TYPE_INT)
            text_add(&t, "%" PRId64, v->u.i);
        else
            text_add(&t, "%s", text_number(as_real(v), number));
    }
    if (f->ranges == 0) text_add(&t, "k1");
    if (t.failed) text_free(&t);
    return t.data;
}
