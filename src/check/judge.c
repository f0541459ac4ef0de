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

void stop(int status, const char *form, ...)
{
    FILE *to = status == REFUTED ? stdout : stderr;
    va_list list;
    va_start(list, form);
    if (status == REFUTED)
        fprintf(to, "refuted: line %ld: ", ctx.line);
    else
        fputs("vouch-check: ", to);
    vfprintf(to, form, list);
    va_end(list);
    fputc('\n', to);
    ctx.status = status;
    longjmp(ctx.escape, 1);
}

judge ctx;

void judge_begin(void)
{
    ctx = (judge){.rationals = VALUES, .most_work = UINT64_MAX};
    mpq_inits(ctx.product, ctx.back, NULL);
}

void judge_end(void)
{
    (void)fesetround(FE_TONEAREST);
    json_object_put(ctx.json);
    release(NULL);
    for (; ctx.temps_made > 0; free(ctx.temp[ctx.temps_made])) mpq_clear(ctx.temp[--ctx.temps_made]);
    free(ctx.temp);
    mpq_clears(ctx.product, ctx.back, NULL);
}

void *given(void *block)
{
    static const char text[] = "vouch-check: out of memory\n";
    if (block) return block;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(LIMIT);
    _exit(LIMIT);
}

/* Enters a block, which may have moved, into the list. */
static void *linked(struct block *b)
{
    if (b->older) b->older->newer = b;
    *(b->newer ? &b->newer->older : &ctx.newest) = b;
    return b + 1;
}

void *zeroed(size_t count, size_t size)
{
    struct block *b = given(count > SIZE_MAX / 2 / size ? NULL : calloc(1, sizeof *b + count * size));
    b->older = ctx.newest;
    return linked(b);
}

void *resized(void *block, size_t bytes)
{
    if (!block) return zeroed(bytes, 1);
    return linked(given(bytes > SIZE_MAX / 2 ? NULL : realloc((struct block *)block - 1, sizeof(struct block) + bytes)));
}

void *grown(void *block, size_t count, size_t size)
{
    size_t room = count < 16 ? 16 : 2 * count;
    if (count < 16 ? count : count & (count - 1)) return block; /* rooms are powers of 2 */
    return resized(block, room > SIZE_MAX / 2 / size ? SIZE_MAX : room * size);
}

void drop(void *block)
{
    if (!block) return;
    struct block *b = (struct block *)block - 1;
    for (mpq_t *x = block; b->rationals > 0; b->rationals--) mpq_clear(*x++);
    *(b->newer ? &b->newer->older : &ctx.newest) = b->older;
    if (b->older) b->older->newer = b->newer;
    free(b);
}

void release(void *mark)
{
    while (ctx.newest && ctx.newest + 1 != (struct block *)mark) drop(ctx.newest + 1);
    drop(mark);
}

mpq_t *rationals_grown(mpq_t *x, size_t count)
{
    x = grown(x, count, sizeof *x);
    mpq_init(x[count]);
    ((struct block *)x - 1)->rationals = count + 1;
    return x;
}

mpq_t *rationals_new(size_t count)
{
    mpq_t *x = zeroed(count, sizeof *x);
    for (size_t i = 0; i < count; i++) mpq_init(x[i]);
    ((struct block *)x - 1)->rationals = count;
    return x;
}

mpq_ptr temp(void)
{
    if (ctx.temps == ctx.temps_made) {
        ctx.temp = given(realloc(ctx.temp, (ctx.temps_made + 1) * sizeof *ctx.temp));
        mpq_init(ctx.temp[ctx.temps_made++] = given(malloc(sizeof(mpq_t))));
    }
    mpq_ptr x = ctx.temp[ctx.temps++];
    mpq_set_ui(x, 0, 1);
    return x;
}

uint64_t hash_of(const void *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return h;
}

struct key {
    uint64_t hash;
    size_t bytes;
    void *of;
};

int key_number(key_table *t, const void *of, size_t bytes, bool add)
{
    uint64_t hash = hash_of(of, bytes);
    if (2 * t->count >= t->slots) { /* at most half of them are used */
        t->slots = t->slots ? 2 * t->slots : 64;
        drop(t->slot);
        t->slot = zeroed(t->slots, sizeof *t->slot);
        for (size_t i = 0, at; i < t->count; t->slot[at] = (int)++i)
            for (at = t->key[i].hash & (t->slots - 1); t->slot[at];) at = (at + 1) & (t->slots - 1);
    }
    size_t at = hash & (t->slots - 1);
    for (; t->slot[at]; at = (at + 1) & (t->slots - 1)) {
        const struct key *y = &t->key[t->slot[at] - 1];
        if (y->hash == hash && y->bytes == bytes && memcmp(y->of, of, bytes) == 0) return t->slot[at] - 1;
    }
    if (!add) return (int)t->count;
    if (t->count == INT_MAX - 1) stop(LIMIT, "too large for this program");
    t->key = grown(t->key, t->count, sizeof *t->key);
    t->key[t->count] = (struct key){hash, bytes, memcpy(zeroed(bytes + 1, 1), of, bytes)};
    t->slot[at] = (int)++t->count;
    return t->slot[at] - 1;
}

void table_drop(key_table *t)
{
    while (t->count > 0) drop(t->key[--t->count].of);
    drop(t->key);
    drop(t->slot);
    *t = (key_table){.count = 0};
}

/* ---- input: files, and the words and numbers of a proof. */

/* Limits that no honest number comes near: digits, and powers of 10 and 2. */
enum { DIGITS = 20000, EXPONENT = 4000, BITS = 1000 };

char *file_bytes(const char *path, size_t *length)
{
    /* Most bytes of an unpacked file, and how many more for each packed byte, as for vouch. */
    enum { BLOCK = 1 << 20, UNPACKED = 1 << 26, TIMES = 200 };
    gzFile file = strcmp(path, "-") == 0 ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    char *bytes = NULL;
    bool long_one = false;
    if (!file) unreadable("%s: %s", path, strerror(errno));
    *length = 0;
    int got = 1;
    for (; got > 0 && !long_one; *length += got > 0 ? (size_t)got : 0) {
        bytes = resized(bytes, *length + BLOCK); /* the last time none of that is used */
        got = gzread(file, bytes + *length, BLOCK);
        long_one = !gzdirect(file) && got > 0 && *length + (size_t)got > UNPACKED + (size_t)gzoffset(file) * TIMES;
    }
    int closed = gzclose(file);
    if (got < 0) unreadable("%s: cannot be read", path);
    if (long_one) stop(LIMIT, "%s: holds more than is read of a packed file of its length; unpack it", path);
    if (closed != Z_OK) unreadable("%s: its end is missing", path);
    bytes[*length] = '\0';
    return bytes;
}

/* ---- lines and words ---- */

void lines_open(const char *path)
{
    size_t length;
    ctx.text = file_bytes(path, &length);
    if (strlen(ctx.text) != length) refuted("a zero byte");
}

static bool line_next(void)
{
    ctx.line++;
    ctx.temps = 0;
    ctx.rest = ctx.text;
    if (!*ctx.text) return false;
    ctx.text = strchr(ctx.text, '\n');
    if (!ctx.text) refuted("the proof ends within a line");
    *ctx.text++ = '\0';
    return true;
}

char *line_word(void)
{
    if (!line_next()) refuted("the proof is not complete");
    return word();
}

void line_begins(const char *first)
{
    if (strcmp(line_word(), first) != 0) refuted("expected \"%s\"", first);
}

char *word_or_none(void) { return strtok_r(ctx.rest, " ", &ctx.rest); }

char *word(void)
{
    char *found = word_or_none();
    if (!found) refuted("the line is too short");
    return found;
}

void line_end(void)
{
    if (word_or_none()) refuted("the line is too long");
}

void proof_end(void)
{
    if (integer(word(), 1, INT_MAX) != ctx.line) refuted("lines are missing");
    line_end();
    if (line_next()) refuted("a line after the last");
}

int integer(const char *from, int least, int most)
{
    char *after;
    errno = 0;
    long n = strtol(from, &after, 10);
    if (after == from || *after || errno || n < least || n > most)
        refuted("\"%.40s\" is no number from %d to %d", from, least, most);
    return (int)n;
}

void rational(const char *from, mpq_ptr x)
{
    if (!read_number(from, x)) refuted("\"%.40s\" is no number", from);
}

char *parted(char *at, const char *what)
{
    char *value = strchr(at, '=');
    if (!value) refuted("\"%.40s\" is no %s", at, what);
    *value = '\0';
    return value + 1;
}

void multipliers(int K, mpq_t x[], bool any_sign)
{
    for (int k = 0; k < K; k++) mpq_set_ui(x[k], 0, 1);
    for (char *at = word_or_none(); at && strcmp(at, ";") != 0; at = word_or_none()) {
        char *value = parted(at, "multiplier");
        int k = integer(at, 0, K - 1);
        if (mpq_sgn(x[k]) != 0) refuted("two multipliers of environment %d", k);
        rational(value, x[k]);
        if (mpq_sgn(x[k]) < 0 && !any_sign) refuted("a negative multiplier");
    }
}

/* ---- numbers ---- */

/* A decimal, without its sign if that is +. */
static bool read_decimal(const char *from, mpq_ptr x)
{
    char digits[DIGITS + 1], *after;
    size_t used = 0;
    long power = 0;
    bool point = false;
    mpq_t ten;
    for (; *from && *from != 'e' && *from != 'E'; from++) {
        if (*from == '.' && point) return false;
        point |= *from == '.';
        if (*from == '.') continue;
        digits[used++] = *from;
        power -= point;
    }
    digits[used] = '\0';
    if (*from) {
        long shift = strtol(from + 1, &after, 10);
        if (after == from + 1 || *after || shift > EXPONENT || shift < -EXPONENT) return false;
        power += shift;
    }
    if (mpq_set_str(x, digits, 10) != 0) return false;
    mpq_init(ten);
    mpz_ui_pow_ui(mpq_numref(ten), 10, (unsigned long)labs(power));
    (power < 0 ? mpq_div : mpq_mul)(x, x, ten);
    mpq_clear(ten);
    return true;
}

bool read_number(const char *from, mpq_ptr x)
{
    size_t length = strspn(from, "+-.0123456789eE/");
    if (from[length] || length > DIGITS) return false;
    if (strchr(from, '/')) {
        if (mpq_set_str(x, from, 10) != 0 || mpz_sgn(mpq_denref(x)) <= 0) return false;
        mpq_canonicalize(x);
    } else if (!read_decimal(from + (*from == '+'), x)) {
        return false;
    }
    return (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2) < BITS;
}

/* ---- number: arithmetic of numbers that are not negative: rationals, or doubles rounded to one side. */

/* Rationals with more than MOST_BITS are rounded to PLACES binary places. Decimals of a model need some hundred bits. */
enum { MOST_BITS = 1500, PLACES = 256 };

void arithmetic(int what, int toward)
{
    volatile double three = 3, third;
    ctx.exact = ctx.rationals & what;
    ctx.side = toward;
    bool set = fesetround(toward == UP ? FE_UPWARD : FE_DOWNWARD) == 0;
    third = 1 / three;
    if (!set || (third > 0x1.5555555555555p-2) != (toward == UP)) unreadable("this machine does not round as it is told");
}

void arithmetic_end(void) { (void)fesetround(FE_TONEAREST); }

double outward(mpq_srcptr x, int toward)
{
    double d = mpq_get_d(x); /* towards zero */
    if (!isfinite(d)) refuted("numbers too large");
    mpq_set_d(ctx.back, d);
    int order = mpq_cmp(ctx.back, x);
    return (toward == UP ? order < 0 : order > 0) ? nextafter(d, toward == UP ? INFINITY : -INFINITY) : d;
}

void from_double(mpq_ptr x, double d)
{
    if (!isfinite(d)) refuted("numbers too large");
    mpq_set_d(x, d);
}

void plus(mpq_ptr x, mpq_srcptr y, mpq_srcptr z)
{
    spend(RATIONAL_WORK);
    bool once = mpq_cmp_ui(y, 1, 1) == 0; /* often, and then faster */
    if (!once) mpq_mul(ctx.product, y, z);
    mpq_add(x, x, once ? z : ctx.product);
}

void numbers_room(numbers *x, size_t count)
{
    for (; x->count < count; x->count++) {
        for (int i = DOWN; i <= UP; i++) {
            x->end[i] = grown(x->end[i], x->count, sizeof *x->end[i]);
            x->end[i][x->count] = 0;
        }
        if (ctx.rationals & VALUES) x->q = rationals_grown(x->q, x->count);
    }
}

numbers numbers_of(mpq_t *q, size_t count)
{
    numbers x = {q ? q : rationals_new(count), {zeroed(count, sizeof(double)), zeroed(count, sizeof(double))}, count};
    for (size_t i = 0; i < count; i++) put(x, i, x.q[i]);
    return x;
}

void put(numbers x, size_t i, mpq_srcptr value)
{
    if (x.q && x.q[i] != value) mpq_set(x.q[i], value);
    for (int side = DOWN; side <= UP; side++) x.end[side][i] = outward(value, side);
}

void get(numbers x, size_t i, mpq_ptr value)
{
    if (ctx.exact)
        mpq_set(value, x.q[i]);
    else
        from_double(value, x.end[ctx.side][i]);
}

void zero(numbers x, size_t i)
{
    if (ctx.exact)
        mpq_set_ui(x.q[i], 0, 1);
    else
        x.end[ctx.side][i] = 0;
}

void set(numbers x, size_t i, numbers y, size_t j)
{
    if (ctx.exact)
        mpq_set(x.q[i], y.q[j]);
    else
        x.end[ctx.side][i] = y.end[ctx.side][j];
}

void add(numbers x, size_t i, numbers y, size_t j, numbers z, size_t k)
{
    int side = ctx.side;
    if (!ctx.exact) {
        x.end[side][i] += y.end[side][j] * z.end[side][k];
        return;
    }
    plus(x.q[i], y.q[j], z.q[k]);
    if (mpz_sizeinbase(mpq_denref(x.q[i]), 2) <= MOST_BITS) return;
    ctx.rounded = true;
    mpz_mul_2exp(mpq_numref(x.q[i]), mpq_numref(x.q[i]), PLACES);
    (side == UP ? mpz_cdiv_q : mpz_fdiv_q)(mpq_numref(x.q[i]), mpq_numref(x.q[i]), mpq_denref(x.q[i]));
    mpz_set_ui(mpq_denref(x.q[i]), 1);
    mpq_div_2exp(x.q[i], x.q[i], PLACES);
}

int compare(numbers x, size_t i, numbers y, size_t j)
{
    int side = ctx.side;
    if (ctx.exact) return mpq_cmp(x.q[i], y.q[j]);
    return (x.end[side][i] > y.end[side][j]) - (x.end[side][i] < y.end[side][j]);
}
