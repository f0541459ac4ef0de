/* io/prism_family.c - the environments of a PRISM file: values of open constants, and samples of them; see prism.h. */
#include <errno.h>
#include <float.h>
#include <inttypes.h>

#include "base/rng.h"
#include "io/prism.h"

enum { RANGE_CAP = 1000000 };
static const double RANGE_SLACK = 1e-9; /* relative: 0:1:0.1 has eleven values although ten times 0.1 is not 1 */

/* The value as the constant takes it. */
static prism_value fitted(const prism *p, int constant, prism_value v)
{
    static const char *const type_text[] = {"int", "double", "bool"};
    static const char *const wanted[] = {"a whole number", "a number", "true or false"};
    const prism_constant *c = &p->constant[constant];
    if (c->type == TYPE_REAL && v.type == TYPE_INT) v = (prism_value){.type = TYPE_REAL, .u.d = (double)v.u.i};
    if (v.type == c->type && (v.type != TYPE_REAL || isfinite(v.u.d))) return v;
    char found[40], hint[160] = "";
    if (v.type == TYPE_BOOL)
        format_text(found, sizeof found, "%s", v.u.i ? "true" : "false");
    else
        format_text(found, sizeof found, "%.*g", DBL_DIG, v.type == TYPE_REAL ? v.u.d : (double)v.u.i);
    if (c->type == TYPE_BOOL && c->expr < 0) format_text(hint, sizeof hint, "; --const %.100s=false,true", prism_name(p, c->name));
    prism_fail(p, c->line, c->column, "the constant \"%.100s\" is declared %s: expected %s, found %s%s", prism_name(p, c->name),
               type_text[c->type], wanted[c->type], found, hint);
}

static void add_value(const prism *p, prism_range *r, prism_value v)
{
    v = fitted(p, r->constant, v);
    if (r->value_count >= RANGE_CAP)
        prism_fail(p, 1, 1, "the constant \"%.100s\" has too many values", prism_name(p, p->constant[r->constant].name));
    ESCAPE_PUSH(p->e, r, value, v);
}

/* The third value of 0.4:0.6:0.1 is the 0.6 that one would write, and not 0.4 + 2 * 0.1. */
static double rounded(double x)
{
    char word[40];
    format_text(word, sizeof word, "%.*g", DBL_DIG, x);
    return number_read(word, NULL);
}

static double as_real(const prism_value *v) { return v->type == TYPE_REAL ? v->u.d : (double)v->u.i; }

static void add_range(const prism *p, prism_range *r, const prism_value *low, const prism_value *high, const prism_value *step,
                      const char *what)
{
    bool whole = low->type == TYPE_INT && high->type == TYPE_INT && step->type == TYPE_INT;
    double l = as_real(low), h = as_real(high), s = as_real(step);
    if (low->type == TYPE_BOOL || high->type == TYPE_BOOL || step->type == TYPE_BOOL || !(s > 0) || !(h >= l))
        prism_fail(p, p->constant[r->constant].line, p->constant[r->constant].column,
                   "%s: a range needs lo <= hi and a positive step", what);
    for (int64_t x = low->u.i; whole;) {
        add_value(p, r, (prism_value){.type = TYPE_INT, .u.i = x});
        if (__builtin_add_overflow(x, step->u.i, &x) || x > high->u.i) return;
    }
    for (long i = 0; l + s * (double)i <= h + RANGE_SLACK * fmax(1, fabs(h)); i++)
        add_value(p, r, (prism_value){.type = TYPE_REAL, .u.d = rounded(l + s * (double)i)});
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

static _Noreturn void option_wrong(const prism *p, const char *option)
{
    escape_fail(p->e, VOUCH_ERROR_INPUT,
                "--const %.100s: expected NAME=lo:hi, NAME=lo:hi:step or NAME=v1,v2, of numbers, true and false", option);
}

/* No constant of that name is open: maybe the file gives it a value. */
static _Noreturn void not_open(const prism *p, const char *option, const char *s, size_t length)
{
    bool there = false;
    for (size_t i = 0; i < p->constant_count; i++) {
        const char *known = prism_name(p, p->constant[i].name);
        there = there || (strlen(known) == length && strncmp(known, s, length) == 0);
    }
    escape_fail(p->e, VOUCH_ERROR_INPUT, "--const %.100s: %.200s has no open constant \"%.*s\"%s", option, p->file,
                (int)(length < 100 ? length : 100), s, there ? "; the file itself gives it a value" : "");
}

/* One piece between commas: a value, lo:hi or lo:hi:step. */
static void add_piece(const prism *p, prism_range *r, const char *s, size_t n, const char *option)
{
    prism_value part[3] = {[2] = {.type = TYPE_INT, .u.i = 1}};
    int count = 0;
    const char *end = s + n;
    for (bool more = true; more && count < 3; count++) {
        size_t length = 0;
        while (s + length < end && s[length] != ':') length++;
        if (!read_value(s, length, &part[count])) option_wrong(p, option);
        more = s + length < end;
        s += length + more;
    }
    if (s != end) option_wrong(p, option);
    if (count == 1) {
        add_value(p, r, part[0]);
        return;
    }
    size_t before = r->value_count;
    add_range(p, r, &part[0], &part[1], &part[2], option);
    bool single = count == 2 && r->value_count == before + 1 && as_real(&part[0]) != as_real(&part[1]);
    if (single)
        escape_fail(p->e, VOUCH_ERROR_INPUT,
                    "--const %.100s: lo:hi has steps of 1, and here only one value; write lo:hi:step or v1,v2", option);
}

/* "A=0:2,B=1,3": a piece with = begins a further constant. */
static void read_option(prism_family *f, const char *option)
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
            if (!r) not_open(p, option, s, name);
            if (r->given)
                escape_fail(f->p->e, VOUCH_ERROR_INPUT,
                            "--const %.100s: %.*s is given twice; one option takes all its values: v1,v2", option,
                            (int)(name < 100 ? name : 100), s);
            r->given = true;
            r->value_count = 0;
            s += name + 1;
            n -= name + 1;
        }
        if (!r) option_wrong(p, option);
        add_piece(p, r, s, n, option);
        s += n + (s[n] == ',');
    }
}

/* A range, still empty, for each open constant. */
static void list_open(prism_family *f)
{
    const prism *p = f->p;
    f->range = ESCAPE_ZERO(f->p->e, prism_range, p->constant_count);
    for (size_t i = 0; i < p->constant_count; i++)
        if (p->constant[i].expr < 0 && p->constant[i].bound_of < 0) f->range[f->ranges++].constant = (int)i;
}

typedef struct option_reading {
    prism_family *f;
    const char *option;
} option_reading;

static void try_option(void *object)
{
    option_reading *r = object;
    read_option(r->f, r->option);
}

void prism_single_constants(prism *p, prism_value *value, unsigned char *known)
{
    vouch_error *error = p->e->error;
    prism_family f = {.p = p, .source = p->source};
    list_open(&f);
    for (size_t i = 0; i < p->source->constant_count; i++) {
        p->e->error = NULL; /* a wrong option is reported later */
        vouch_status status = escape_try(p->e, try_option, &(option_reading){&f, p->source->constants[i]});
        p->e->error = error;
        if (status == VOUCH_ERROR_MEMORY) escape_memory(p->e);
    }
    for (size_t i = 0; i < f.ranges; i++)
        if (f.range[i].value_count == 1) {
            value[f.range[i].constant] = f.range[i].value[0];
            known[f.range[i].constant] = 1;
        }
}

/* ---- all constants ------------------------------------------------------------------------------------------- */

/* Until nothing changes: constants may be in any order. */
void prism_close_constants(const prism *p, prism_value *value, unsigned char *known, bool all)
{
    for (bool progress = true; progress;) {
        progress = false;
        for (size_t i = 0; i < p->constant_count; i++) {
            prism_scope scope = {.p = p, .constant = value, .known = known};
            prism_value v;
            if (known[i] || p->constant[i].expr < 0 || !prism_eval_quietly(&scope, p->constant[i].expr, &v)) continue;
            value[i] = fitted(p, (int)i, v);
            known[i] = 1;
            progress = true;
        }
    }
    for (size_t i = 0; i < p->constant_count && all; i++) {
        prism_scope scope = {.p = p, .constant = value, .known = known};
        if (!known[i] && p->constant[i].expr >= 0) (void)prism_eval(&scope, p->constant[i].expr);
    }
}

static void read_hole(prism_family *f, prism_range *r)
{
    const prism *p = f->p;
    const prism_constant *c = &p->constant[r->constant];
    prism_scope scope = {.p = p, .constant = f->base, .known = f->known};
    prism_value v[3] = {[2] = {.type = TYPE_INT, .u.i = 1}};
    if (c->count < 0) {
        for (int i = 0; i < 3; i++)
            if (p->hole_value[c->first + i] >= 0) v[i] = prism_eval(&scope, p->hole_value[c->first + i]);
        add_range(p, r, &v[0], &v[1], &v[2], "hole");
        return;
    }
    for (int i = 0; i < c->count; i++) add_value(p, r, prism_eval(&scope, p->hole_value[c->first + i]));
}

void prism_family_make(prism_family *f)
{
    const prism *p = f->p;
    size_t n = p->constant_count;
    f->base = ESCAPE_ZERO(f->p->e, prism_value, n);
    f->known = ESCAPE_ZERO(f->p->e, unsigned char, n);
    prism_close_constants(p, f->base, f->known, false);
    list_open(f);
    for (size_t i = 0; i < f->ranges; i++)
        if (p->constant[f->range[i].constant].hole) read_hole(f, &f->range[i]);
    for (size_t i = 0; i < f->source->constant_count; i++) read_option(f, f->source->constants[i]);
    double product = 1;
    for (size_t i = 0; i < f->ranges; i++) {
        const prism_constant *c = &p->constant[f->range[i].constant];
        if (f->range[i].value_count == 0)
            prism_fail(p, c->line, c->column, "the constant \"%.100s\" has no value: give --const %.100s=lo:hi or a list of values",
                       prism_name(p, c->name), prism_name(p, c->name));
        product *= (double)f->range[i].value_count;
    }
    int sample = f->source->sample;
    if (product > PRISM_ENVIRONMENT_CAP && (sample < 1 || sample > PRISM_ENVIRONMENT_CAP))
        escape_fail(
            f->p->e, VOUCH_ERROR_SIZE,
            "%s: %.6g environments, more than a million; --sample N plans for N of them, --const NAME=V gives a hole one value",
            p->file, product);
    f->K = product <= PRISM_ENVIRONMENT_CAP ? (int)product : 0;
    if (sample > 0) prism_family_sample(f, product, sample, f->source->sample_seed);
    for (size_t i = 0; i < n; i++) {
        const prism_constant *c = &p->constant[i];
        if (c->bound_of < 0) continue;
        for (size_t j = 0; j < f->ranges; j++)
            for (size_t v = 0; f->range[j].constant == c->bound_of && v < f->range[j].value_count; v++) {
                double x = as_real(&f->range[j].value[v]), best = as_real(&f->base[i]);
                if (v == 0 || (c->is_max ? x > best : x < best)) f->base[i] = f->range[j].value[v];
            }
        f->known[i] = 1;
    }
}

/* Which of its values constant number i of the open ones has in environment k. */
static const prism_value *value_in(const prism_family *f, int k, size_t i)
{
    size_t rest = (size_t)k;
    if (f->drawn) return &f->range[i].value[f->drawn[rest * f->ranges + i]];
    for (size_t j = f->ranges; --j > i;) rest /= f->range[j].value_count;
    return &f->range[i].value[rest % f->range[i].value_count];
}

/* sign * value >= sign * bound, an expression; -1: there is none */
static void check_bound(prism_scope *scope, const prism_constant *c, const prism_value *value, int bound, int sign)
{
    const prism *p = scope->p;
    if (bound < 0) return;
    prism_value limit = prism_eval(scope, bound);
    if (sign * as_real(value) >= sign * as_real(&limit)) return;
    prism_fail(p, c->line, c->column, "the constant \"%.100s\" is %.*g; expected at %s %.*g", prism_name(p, c->name), DBL_DIG,
               as_real(value), sign > 0 ? "least" : "most", DBL_DIG, as_real(&limit));
}

void prism_family_constants(const prism_family *f, int k, prism_value *constant)
{
    const prism *p = f->p;
    unsigned char *known = ESCAPE_NEW(f->p->e, unsigned char, p->constant_count);
    MEM_COPY(constant, f->base, p->constant_count);
    MEM_COPY(known, f->known, p->constant_count);
    for (size_t i = 0; i < f->ranges; i++) {
        constant[f->range[i].constant] = *value_in(f, k, i);
        known[f->range[i].constant] = 1;
    }
    prism_close_constants(p, constant, known, true);
    prism_scope scope = {.p = p, .constant = constant, .known = known};
    for (size_t i = 0; i < p->constant_count; i++) {
        const prism_constant *c = &p->constant[i];
        check_bound(&scope, c, &constant[i], c->low, 1);
        check_bound(&scope, c, &constant[i], c->high, -1);
    }
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
    return escape_take(f->p->e, &t);
}

/* A random sample, without repetition, of a family that may have more environments than fit into memory. Every subset of the given
 * size is equally likely. A family of at most a million is passed through once (D. E. Knuth, The Art of Computer Programming 2,
 * algorithm S); so is any family if at least half of it is wanted. Of other families environments are drawn independently, and
 * repetitions are drawn again: each draw is new with a probability above 1/2. */

static int compare(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* drawn [count * n], the last varying fastest, of all of 0 .. all - 1. */
static void choose_some(const prism_family *f, uint32_t drawn[], int count, int all, rng *r)
{
    int chosen = 0;
    for (int k = 0; k < all && chosen < count; k++) {
        if (rng_below(r, (uint64_t)(all - k)) >= (uint64_t)(count - chosen)) continue;
        size_t rest = (size_t)k;
        for (size_t i = f->ranges; i-- > 0; rest /= f->range[i].value_count)
            drawn[(size_t)chosen * f->ranges + i] = (uint32_t)(rest % f->range[i].value_count);
        chosen++;
    }
}

typedef struct sample_order {
    const uint32_t *at;
    size_t n;
} sample_order;

static int by_value(const void *x, const void *y)
{
    const sample_order *a = x, *b = y;
    return compare(a->at, b->at, a->n);
}

/* Sorts the draws and removes repetitions; returns how many remain. */
static int sort_once(uint32_t drawn[], uint32_t spare[], sample_order order[], int count, size_t n)
{
    int kept = 0;
    for (int k = 0; k < count; k++) order[k] = (sample_order){drawn + (size_t)k * n, n};
    if (count > 1) qsort(order, (size_t)count, sizeof *order, by_value);
    for (int k = 0; k < count; k++)
        if (kept == 0 || compare(spare + (size_t)(kept - 1) * n, order[k].at, n) != 0)
            memcpy(spare + (size_t)kept++ * n, order[k].at, n * sizeof *spare);
    memcpy(drawn, spare, (size_t)kept * n * sizeof *spare);
    return kept;
}

static void draw_some(const prism_family *f, uint32_t drawn[], int count, rng *r)
{
    size_t n = f->ranges;
    uint32_t *spare = ESCAPE_NEW(f->p->e, uint32_t, (size_t)count * n);
    sample_order *order = ESCAPE_NEW(f->p->e, sample_order, count);
    for (int kept = 0; kept < count; kept = sort_once(drawn, spare, order, count, n))
        for (int k = kept; k < count; k++)
            for (size_t i = 0; i < n; i++) drawn[(size_t)k * n + i] = (uint32_t)rng_below(r, f->range[i].value_count);
}

void prism_family_sample(prism_family *f, double all, int count, uint64_t seed)
{
    rng r = rng_seed(seed);
    if (count >= all || f->ranges == 0) return;
    f->drawn = ESCAPE_NEW(f->p->e, uint32_t, (size_t)count * f->ranges);
    f->K = count;
    if (all > PRISM_ENVIRONMENT_CAP && count < all / 2)
        draw_some(f, f->drawn, count, &r);
    else
        choose_some(f, f->drawn, count, (int)all, &r);
}
