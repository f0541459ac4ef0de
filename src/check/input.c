/* check/input.c - files, words and numbers, and how this program ends: messages name the line of the proof that was read last. */
#include "check/check.h"

#include <errno.h>
#include <fenv.h>
#include <stdarg.h>
#include <unistd.h>
#include <zlib.h>

/* Limits that no honest number comes near: digits, and powers of 10 and 2. */
enum { DIGITS = 20000, EXPONENT = 4000, BITS = 300 };
/* Rationals of more bits are rounded to so many binary places. Decimals of a model need some hundred bits. */
enum { MOST_BITS = 1500, PLACES = 256 };

static char *text, *rest; /* of the proof; of its line */
static size_t left;       /* bytes of it that have not been read */
static long at_line;

_Noreturn static void end(FILE *to, int status, const char *form, va_list list)
{
    vfprintf(to, form, list);
    fputc('\n', to);
    fflush(NULL);
    _exit(status);
}

void unreadable(const char *form, ...)
{
    va_list list;
    va_start(list, form);
    fputs("vouch-check: ", stderr);
    end(stderr, 1, form, list);
}

void refuted(const char *form, ...)
{
    va_list list;
    va_start(list, form);
    printf("refuted: line %ld: ", at_line);
    end(stdout, 2, form, list);
}

void *zeroed(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) unreadable("out of memory");
    return block;
}

void *grown(void *block, size_t count, size_t size)
{
    size_t room = count < 16 ? 16 : 2 * count;
    if (count < 16 ? count : count & (count - 1)) return block; /* rooms are powers of 2 */
    block = room > SIZE_MAX / 2 / size ? NULL : realloc(block, room * size);
    if (!block) unreadable("out of memory");
    return block;
}

/* Fowler, Noll, Vo. */
uint64_t hash_of(const void *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return h;
}

static void keys_widen(key_table *t)
{
    free(t->slot);
    t->slots = t->slots ? 2 * t->slots : 64;
    t->slot = zeroed(t->slots, sizeof *t->slot);
    for (size_t n = 0; n < t->count; n++) {
        size_t at = (t->hash[n] ^ t->hash[n] >> 32) & (t->slots - 1);
        while (t->slot[at]) at = (at + 1) & (t->slots - 1);
        t->slot[at] = n + 1;
    }
}

size_t key_number(key_table *t, const void *key, size_t bytes, bool add)
{
    uint64_t h = hash_of(key, bytes);
    if (2 * t->count >= t->slots) keys_widen(t);
    size_t at = (h ^ h >> 32) & (t->slots - 1);
    for (; t->slot[at]; at = (at + 1) & (t->slots - 1)) {
        size_t n = t->slot[at] - 1;
        if (t->hash[n] == h && t->start[n + 1] - t->start[n] == bytes && memcmp(t->byte + t->start[n], key, bytes) == 0) return n;
    }
    if (!add) return t->count;
    t->hash = grown(t->hash, t->count, sizeof *t->hash);
    t->start = grown(t->start, t->count, sizeof *t->start);
    if (t->count == 0) t->start[0] = 0;
    t->start = grown(t->start, t->count + 1, sizeof *t->start);
    size_t from = t->start[t->count], to = from + bytes;
    if (to > t->room && !(t->byte = realloc(t->byte, t->room = 2 * to))) unreadable("out of memory");
    memcpy(t->byte + from, key, bytes);
    t->hash[t->count] = h;
    t->start[t->count + 1] = to;
    t->slot[at] = ++t->count;
    return t->count - 1;
}

char *file_bytes(const char *path, size_t *length)
{
    enum { BLOCK = 1 << 20 };
    gzFile file = gzopen(path, "rb");
    char *bytes = NULL;
    if (!file) unreadable("%s: %s", path, strerror(errno));
    *length = 0;
    for (size_t room = 0;;) {
        if (room - *length <= BLOCK && !(bytes = realloc(bytes, room = 2 * room + 2 * BLOCK))) unreadable("out of memory");
        int got = gzread(file, bytes + *length, BLOCK);
        if (got < 0) unreadable("%s: cannot be read", path);
        if (got == 0) break;
        *length += (size_t)got;
    }
    if (gzclose(file) != Z_OK) unreadable("%s: its end is missing", path);
    bytes[*length] = '\0';
    return bytes;
}

void *rationals_new(int count)
{
    mpq_t *x = zeroed((size_t)count, sizeof *x);
    for (int i = 0; i < count; i++) mpq_init(x[i]);
    return x;
}

/* ---- lines and words ---- */

void lines_open(const char *path) { text = file_bytes(path, &left); }

bool line_next(void)
{
    at_line++;
    if (left == 0) return false;
    char *newline = memchr(text, '\n', left);
    if (!newline) refuted("the proof ends within a line");
    if (memchr(text, '\0', (size_t)(newline - text))) refuted("a zero byte");
    *newline = '\0';
    rest = text;
    left -= (size_t)(newline + 1 - text);
    text = newline + 1;
    return true;
}

long line_number(void) { return at_line; }

char *word_or_none(void)
{
    rest += strspn(rest, " ");
    char *found = rest;
    rest += strcspn(rest, " ");
    if (*rest) *rest++ = '\0';
    return *found ? found : NULL;
}

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

int integer(const char *from, int least, int most)
{
    char *after;
    errno = 0;
    long n = strtol(from, &after, 10);
    if (after == from || *after || errno || n < least || n > most)
        refuted("\"%.40s\" is no number from %d to %d", from, least, most);
    return (int)n;
}

void rational(const char *from, mpq_t x)
{
    if (!read_number(from, x)) refuted("\"%.40s\" is no number", from);
}

void rationals(int K, mpq_t x[], bool any_sign)
{
    for (int k = 0; k < K; k++) mpq_set_ui(x[k], 0, 1);
    for (char *at = word_or_none(); at && strcmp(at, ";") != 0; at = word_or_none()) {
        char *value = strchr(at, '=');
        if (!value) refuted("\"%.40s\" is no multiplier", at);
        *value++ = '\0';
        int k = integer(at, 0, K - 1);
        if (mpq_sgn(x[k]) != 0) refuted("two multipliers of environment %d", k);
        rational(value, x[k]);
        if (mpq_sgn(x[k]) < 0 && !any_sign) refuted("a negative multiplier");
    }
}

bool read_number(const char *from, mpq_t x)
{
    static char digits[DIGITS + 1];
    size_t length = strspn(from, "+-.0123456789eE/"), used = 0;
    long scale = 0, power = 0;
    bool point = false;
    mpz_t ten;
    if (from[length] || length > DIGITS) return false;
    if (strchr(from, '/')) {
        if (mpq_set_str(x, from, 10) != 0 || mpz_sgn(mpq_denref(x)) <= 0) return false;
    } else {
        for (from += *from == '+'; *from && *from != 'e' && *from != 'E'; from++) {
            if (*from == '.' && point) return false;
            scale += point;
            if (*from == '.')
                point = true;
            else
                digits[used++] = *from;
        }
        digits[used] = '\0';
        if (*from) {
            char *after;
            power = strtol(from + 1, &after, 10);
            if (after == from + 1 || *after || power > EXPONENT || power < -EXPONENT) return false;
        }
        if (mpz_set_str(mpq_numref(x), digits, 10) != 0) return false;
        power -= scale;
        mpz_init(ten);
        mpz_ui_pow_ui(ten, 10, (unsigned long)labs(power));
        mpz_set_ui(mpq_denref(x), 1);
        mpz_mul(power < 0 ? mpq_denref(x) : mpq_numref(x), power < 0 ? mpq_denref(x) : mpq_numref(x), ten);
        mpz_clear(ten);
    }
    mpq_canonicalize(x);
    return (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2) < BITS;
}

/* ---- arithmetic ---- */

int in_rationals = VALUES, side;
bool exact, rounded;

void arithmetic(int what, int toward)
{
    volatile double three = 3, third;
    exact = in_rationals & what;
    side = toward;
    if (fesetround(toward == UP ? FE_UPWARD : FE_DOWNWARD) != 0) unreadable("this machine does not round as it is told");
    third = 1 / three;
    if (toward == UP ? !(third > 0x1.5555555555555p-2) : third != 0x1.5555555555555p-2)
        unreadable("this machine does not round as it is told");
}

void arithmetic_end(void) { (void)fesetround(FE_TONEAREST); }

double outward(const mpq_t x, int toward)
{
    double d = mpq_get_d(x); /* towards zero */
    mpq_t back;
    if (!isfinite(d)) refuted("numbers too large");
    mpq_init(back);
    mpq_set_d(back, d);
    int order = mpq_cmp(back, x);
    mpq_clear(back);
    if (toward == UP && order < 0) return nextafter(d, INFINITY);
    return toward == DOWN && order > 0 ? nextafter(d, -INFINITY) : d;
}

static void settle(mpq_t x)
{
    if (mpz_sizeinbase(mpq_denref(x), 2) <= MOST_BITS) return;
    rounded = true;
    mpz_mul_2exp(mpq_numref(x), mpq_numref(x), PLACES);
    if (side == UP)
        mpz_cdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    else
        mpz_fdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    mpz_set_ui(mpq_denref(x), 1);
    mpq_div_2exp(x, x, PLACES);
}

void numbers_room(numbers *x, size_t count)
{
    for (; x->count < count; x->count++) {
        for (int i = DOWN; i <= UP; i++) {
            x->end[i] = grown(x->end[i], x->count, sizeof *x->end[i]);
            x->end[i][x->count] = 0;
        }
        if (!(in_rationals & VALUES)) continue;
        x->q = grown(x->q, x->count, sizeof *x->q);
        mpq_init(x->q[x->count]);
    }
}

numbers numbers_new(size_t count)
{
    numbers x = {0};
    numbers_room(&x, count);
    return x;
}

numbers numbers_of(mpq_t *q, size_t count)
{
    numbers x = {q, {zeroed(count, sizeof(double)), zeroed(count, sizeof(double))}, count};
    for (size_t i = 0; i < count; i++) put(x, i, q[i]);
    return x;
}

void put(numbers x, size_t i, const mpq_t value)
{
    if (x.q && x.q[i] != value) mpq_set(x.q[i], value);
    x.end[DOWN][i] = outward(value, DOWN);
    x.end[UP][i] = outward(value, UP);
}

void get(numbers x, size_t i, mpq_t value)
{
    if (!exact && !isfinite(x.end[side][i])) refuted("numbers too large");
    if (exact)
        mpq_set(value, x.q[i]);
    else
        mpq_set_d(value, x.end[side][i]);
}

void zero(numbers x, size_t i)
{
    if (exact)
        mpq_set_ui(x.q[i], 0, 1);
    else
        x.end[side][i] = 0;
}

void set(numbers x, size_t i, numbers y, size_t j)
{
    if (exact)
        mpq_set(x.q[i], y.q[j]);
    else
        x.end[side][i] = y.end[side][j];
}

void plus(mpq_t x, const mpq_t y, const mpq_t z)
{
    static mpq_t product;
    if (!mpq_denref(product)->_mp_d) mpq_init(product);
    bool once = mpq_cmp_ui(y, 1, 1) == 0; /* often, and then faster */
    if (!once) mpq_mul(product, y, z);
    mpq_add(x, x, once ? z : product);
}

void add(numbers x, size_t i, numbers y, size_t j, numbers z, size_t k)
{
    if (!exact) {
        x.end[side][i] += y.end[side][j] * z.end[side][k];
        return;
    }
    plus(x.q[i], y.q[j], z.q[k]);
    settle(x.q[i]);
}

int compare(numbers x, size_t i, numbers y, size_t j)
{
    if (exact) return mpq_cmp(x.q[i], y.q[j]);
    return (x.end[side][i] > y.end[side][j]) - (x.end[side][i] < y.end[side][j]);
}
