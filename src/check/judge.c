/* check/judge.c - the state of one reading: memory, and the one way out. A list of all blocks frees the memory of a part of a
 * proof, and everything in the end. */
#include "check/check.h"

#include <errno.h>
#include <fenv.h>
#include <stdarg.h>
#include <unistd.h>
#include <zlib.h>

#if defined(__GNUC__) && !defined(__clang__) /* whose analyzer does not follow the list */
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

struct block {
    struct block *older, *newer;
    size_t rationals, unused; /* how many begin the block; and what keeps it aligned */
};

void print_verdict(const char *words)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    int verdict = (int)strcspn(words, ":");
    bool plain = (none && *none) || (terminal && strcmp(terminal, "dumb") == 0) || !words[verdict] || !isatty(STDOUT_FILENO);
    if (!plain) printf(*words == 'v' ? "\033[32m%.*s\033[0m" : "\033[31m%.*s\033[0m", verdict, words);
    printf("%s", plain ? words : words + verdict);
}

void stop(judge *ctx, int status, const char *form, ...)
{
    FILE *to = status == REFUTED ? stdout : stderr;
    va_list list;
    va_start(list, form);
    if (status == REFUTED) print_verdict("refuted: ");
    fprintf(to, status == REFUTED ? "line %ld: " : "vouch-check: ", ctx->line);
    vfprintf(to, form, list);
    va_end(list);
    fputc('\n', to);
    ctx->status = status;
    longjmp(ctx->escape, 1);
}

void judge_end(judge *ctx)
{
    (void)fesetround(FE_TONEAREST);
    json_object_put(ctx->json);
    release(ctx, NULL);
    for (int i = 0; i < TEMPS; i++) mpq_clear(ctx->temp[i]);
}

void *given(void *block)
{
    static const char text[] = "vouch-check: out of memory\n";
    if (block) return block;
    (void)!write(STDERR_FILENO, text, sizeof text - 1); /* whether or not it can be said */
    _exit(LIMIT);
}

void *resized(judge *ctx, void *block, size_t bytes)
{
    struct block *b = block ? (struct block *)block - 1 : NULL;
    b = given(bytes > SIZE_MAX / 2 ? NULL : realloc(b, sizeof *b + bytes));
    if (!block) *b = (struct block){.older = ctx->newest};
    if (b->older) b->older->newer = b;
    *(b->newer ? &b->newer->older : &ctx->newest) = b;
    return b + 1;
}

void *zeroed(judge *ctx, size_t count, size_t size)
{
    size_t bytes = count > SIZE_MAX / 2 / size ? SIZE_MAX : count * size;
    return memset(resized(ctx, NULL, bytes), 0, bytes);
}

void *grown(judge *ctx, void *block, size_t count, size_t size)
{
    size_t room = count < 16 ? 16 : 2 * count;
    if (count < 16 ? count : count & (count - 1)) return block; /* rooms are powers of 2 */
    return resized(ctx, block, room > SIZE_MAX / 2 / size ? SIZE_MAX : room * size);
}

void drop(judge *ctx, void *block)
{
    if (!block) return;
    struct block *b = (struct block *)block - 1;
    for (mpq_t *x = block; b->rationals > 0; b->rationals--) mpq_clear(*x++);
    *(b->newer ? &b->newer->older : &ctx->newest) = b->older;
    if (b->older) b->older->newer = b->newer;
    free(b);
}

void release(judge *ctx, void *mark)
{
    while (ctx->newest && ctx->newest + 1 != (struct block *)mark) drop(ctx, ctx->newest + 1);
    drop(ctx, mark);
}

mpq_t *rationals_grown(judge *ctx, mpq_t *x, size_t count)
{
    x = grown(ctx, x, count, sizeof *x);
    mpq_init(x[count]);
    ((struct block *)x - 1)->rationals = count + 1;
    return x;
}

mpq_t *rationals_new(judge *ctx, size_t count)
{
    mpq_t *x = zeroed(ctx, count, sizeof *x);
    for (size_t i = 0; i < count; i++) mpq_init(x[i]);
    ((struct block *)x - 1)->rationals = count;
    return x;
}

mpq_ptr temp(judge *ctx)
{
    if (ctx->temps == TEMPS) stop(ctx, LIMIT, "too many rationals at once");
    mpq_set_ui(ctx->temp[ctx->temps], 0, 1);
    return ctx->temp[ctx->temps++];
}

uint64_t hash_of(const void *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return h;
}

int key_number(judge *ctx, key_table *t, const void *of, size_t bytes, bool add)
{
    uint64_t hash = hash_of(of, bytes);
    if (2 * t->count >= t->slots) { /* at most half of them are used */
        t->slots = t->slots ? 2 * t->slots : 64;
        drop(ctx, t->slot);
        t->slot = zeroed(ctx, t->slots, sizeof *t->slot);
        for (size_t i = 0, at; i < t->count; t->slot[at] = (int)++i)
            for (at = t->key[i].hash & (t->slots - 1); t->slot[at];) at = (at + 1) & (t->slots - 1);
    }
    size_t at = hash & (t->slots - 1);
    for (; t->slot[at]; at = (at + 1) & (t->slots - 1)) {
        const table_key *y = &t->key[t->slot[at] - 1];
        if (y->hash == hash && y->bytes == bytes && memcmp(y->of, of, bytes) == 0) return t->slot[at] - 1;
    }
    if (!add) return (int)t->count;
    if (t->count == INT_MAX - 1) stop(ctx, LIMIT, "too large for this program");
    append(ctx, t->key, t->count, (table_key){hash, bytes, memcpy(zeroed(ctx, bytes + 1, 1), of, bytes)});
    t->slot[at] = (int)t->count;
    return t->slot[at] - 1;
}

void table_drop(judge *ctx, key_table *t)
{
    while (t->count > 0) drop(ctx, t->key[--t->count].of);
    drop(ctx, t->key);
    drop(ctx, t->slot);
    *t = (key_table){.count = 0};
}

/* ---- files, and the words and numbers of a proof ---- */

/* Limits that no honest number comes near: digits, and powers of 10 and 2. */
enum { DIGITS = 20000, EXPONENT = 4000, BITS = 1000 };

char *file_bytes(judge *ctx, const char *path, size_t *length)
{
    /* Most bytes of an unpacked file, and how many more for each packed byte, as for vouch. */
    enum { BLOCK = 1 << 20, UNPACKED = 1 << 26, TIMES = 200 };
    gzFile file = strcmp(path, "-") == 0 ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    char *bytes = NULL;
    bool long_one = false;
    if (!file) unreadable(ctx, "%s: %s", path, strerror(errno));
    *length = 0;
    int got = 1;
    for (; got > 0 && !long_one; *length += got > 0 ? (size_t)got : 0) {
        bytes = resized(ctx, bytes, *length + BLOCK); /* the last time none of that is used */
        got = gzread(file, bytes + *length, BLOCK);
        long_one = !gzdirect(file) && got > 0 && *length + (size_t)got > UNPACKED + (size_t)gzoffset(file) * TIMES;
    }
    int closed = gzclose(file);
    if (got < 0) unreadable(ctx, "%s: cannot be read", path);
    if (long_one) stop(ctx, LIMIT, "%s: holds more than is read of a packed file of its length; unpack it", path);
    if (closed != Z_OK) unreadable(ctx, "%s: its end is missing", path);
    bytes[*length] = '\0';
    return bytes;
}

char *line_word(judge *ctx)
{
    ctx->line++;
    ctx->temps = 1;
    ctx->rest = ctx->text;
    if (!*ctx->text) refuted(ctx, "the proof is not complete");
    ctx->text = strchr(ctx->text, '\n');
    if (!ctx->text) refuted(ctx, "the proof ends within a line");
    *ctx->text++ = '\0';
    return word(ctx);
}

void line_begins(judge *ctx, const char *first)
{
    if (strcmp(line_word(ctx), first) != 0) refuted(ctx, "expected \"%s\"", first);
}

char *word_or_none(judge *ctx) { return strtok_r(ctx->rest, " ", &ctx->rest); }

char *word(judge *ctx)
{
    char *found = word_or_none(ctx);
    if (!found) refuted(ctx, "the line is too short");
    return found;
}

void line_end(judge *ctx)
{
    if (word_or_none(ctx)) refuted(ctx, "the line is too long");
}

int integer(judge *ctx, const char *from, int least, int most)
{
    char *after;
    errno = 0;
    long n = strtol(from, &after, 10);
    if (after == from || *after || errno || n < least || n > most)
        refuted(ctx, "\"%.40s\" is no number from %d to %d", from, least, most);
    return (int)n;
}

void rational(judge *ctx, const char *from, mpq_ptr x)
{
    if (!read_number(from, x)) refuted(ctx, "\"%.40s\" is no number", from);
}

char *parted(judge *ctx, char *at, const char *what)
{
    char *value = strchr(at, '=');
    if (!value) refuted(ctx, "\"%.40s\" is no %s", at, what);
    *value = '\0';
    return value + 1;
}

void multipliers(judge *ctx, int K, mpq_t x[], bool any_sign)
{
    for (int k = 0; k < K; k++) mpq_set_ui(x[k], 0, 1);
    for (char *at = word_or_none(ctx); at && strcmp(at, ";") != 0; at = word_or_none(ctx)) {
        char *value = parted(ctx, at, "multiplier");
        int k = integer(ctx, at, 0, K - 1);
        if (mpq_sgn(x[k]) != 0) refuted(ctx, "two multipliers of environment %d", k);
        rational(ctx, value, x[k]);
        if (mpq_sgn(x[k]) < 0 && !any_sign) refuted(ctx, "a negative multiplier");
    }
}

bool read_number(const char *from, mpq_ptr x)
{
    char text[2 * DIGITS + EXPONENT + 3], *to = text, *after; /* a fraction of whole numbers */
    size_t length = strspn(from, "+-.0123456789eE/");
    long power = 0;
    bool fraction = strchr(from, '/') != NULL, point = false;
    if (from[length] || length > DIGITS) return false;
    for (from += *from == '+' && !fraction; *from && (fraction || (*from != 'e' && *from != 'E')); from++) {
        if (*from == '.' && (point || fraction)) return false;
        point |= *from == '.';
        if (*from == '.') continue;
        *to++ = *from;
        power -= point;
    }
    if (to == text || to[-1] < '0') return false;
    if (*from) {
        long shift = strtol(from + 1, &after, 10);
        if (after == from + 1 || *after || shift > EXPONENT || shift < -EXPONENT) return false;
        power += shift;
    }
    if (power < 0) to = stpcpy(to, "/1");
    for (power = labs(power); power > 0; power--) *to++ = '0';
    *to = '\0';
    if (mpq_set_str(x, text, 10) != 0 || mpz_sgn(mpq_denref(x)) <= 0) return false;
    mpq_canonicalize(x);
    return (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2) < BITS;
}

/* ---- numbers that are not negative: rationals, or doubles rounded to one side ---- */

/* Rationals with more than MOST_BITS are rounded to PLACES binary places. Decimals of a model need some hundred bits. */
enum { MOST_BITS = 1500, PLACES = 256 };

void arithmetic(judge *ctx, int what, int toward)
{
    volatile double three = 3, third;
    ctx->exact = ctx->rationals & what;
    ctx->side = toward;
    bool set = fesetround(toward == UP ? FE_UPWARD : FE_DOWNWARD) == 0;
    third = 1 / three;
    if (!set || (third > 0x1.5555555555555p-2) != (toward == UP)) unreadable(ctx, "this machine does not round as it is told");
}

double outward(judge *ctx, mpq_srcptr x, int toward)
{
    double d = mpq_get_d(x); /* towards zero */
    if (!isfinite(d)) refuted(ctx, "numbers too large");
    mpq_set_d(*ctx->temp, d);
    int order = mpq_cmp(*ctx->temp, x);
    return (toward == UP ? order < 0 : order > 0) ? nextafter(d, toward == UP ? INFINITY : -INFINITY) : d;
}

void from_double(judge *ctx, mpq_ptr x, double d)
{
    if (!isfinite(d)) refuted(ctx, "numbers too large");
    mpq_set_d(x, d);
}

void plus(judge *ctx, mpq_ptr x, mpq_srcptr y, mpq_srcptr z)
{
    spend(ctx, RATIONAL_WORK);
    bool once = mpq_cmp_ui(y, 1, 1) == 0; /* often, and then faster */
    if (!once) mpq_mul(*ctx->temp, y, z);
    mpq_add(x, x, once ? z : *ctx->temp);
}

void numbers_room(judge *ctx, numbers *x, size_t count)
{
    x->ctx = ctx;
    for (; x->count < count; x->count++) {
        for (int i = DOWN; i <= UP; i++) put_at(ctx, x->end[i], x->count, 0);
        if (ctx->rationals & VALUES) x->q = rationals_grown(ctx, x->q, x->count);
    }
}

numbers numbers_of(judge *ctx, mpq_t *q, size_t count)
{
    numbers x = {
        ctx, q ? q : rationals_new(ctx, count), {zeroed(ctx, count, sizeof(double)), zeroed(ctx, count, sizeof(double))}, count};
    for (size_t i = 0; i < count; i++) put(x, i, x.q[i]);
    return x;
}

void put(numbers x, size_t i, mpq_srcptr value)
{
    if (x.q && x.q[i] != value) mpq_set(x.q[i], value);
    for (int side = DOWN; side <= UP; side++) x.end[side][i] = outward(x.ctx, value, side);
}

void get(numbers x, size_t i, mpq_ptr value)
{
    if (x.ctx->exact) mpq_set(value, x.q[i]);
    if (!x.ctx->exact) from_double(x.ctx, value, x.end[x.ctx->side][i]);
}

void zero(numbers x, size_t i)
{
    if (x.ctx->exact) mpq_set_ui(x.q[i], 0, 1);
    x.end[x.ctx->side][i] = 0;
}

void set(numbers x, size_t i, numbers y, size_t j)
{
    if (x.ctx->exact) mpq_set(x.q[i], y.q[j]);
    x.end[x.ctx->side][i] = y.end[x.ctx->side][j];
}

void add(numbers x, size_t i, numbers y, size_t j, numbers z, size_t k)
{
    int side = x.ctx->side;
    if (!x.ctx->exact) {
        x.end[side][i] += y.end[side][j] * z.end[side][k];
        return;
    }
    plus(x.ctx, x.q[i], y.q[j], z.q[k]);
    if (mpz_sizeinbase(mpq_denref(x.q[i]), 2) <= MOST_BITS) return;
    x.ctx->rounded = true;
    mpz_mul_2exp(mpq_numref(x.q[i]), mpq_numref(x.q[i]), PLACES);
    (side == UP ? mpz_cdiv_q : mpz_fdiv_q)(mpq_numref(x.q[i]), mpq_numref(x.q[i]), mpq_denref(x.q[i]));
    mpz_set_ui(mpq_denref(x.q[i]), 1);
    mpq_div_2exp(x.q[i], x.q[i], PLACES);
}

int compare(numbers x, size_t i, numbers y, size_t j)
{
    int side = x.ctx->side;
    if (x.ctx->exact) return mpq_cmp(x.q[i], y.q[j]);
    return (x.end[side][i] > y.end[side][j]) - (x.end[side][i] < y.end[side][j]);
}
