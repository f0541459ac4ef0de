/* check/input.c - files, words and numbers, and how this program ends: messages name the line of the proof that was read last. */
#include "check/check.h"

#include <errno.h>
#include <fenv.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

/* Limits that no honest number comes near: digits, and powers of 10 and 2. */
enum { DIGITS = 20000, EXPONENT = 4000, BITS = 1000 };
/* Rationals of more bits are rounded to so many binary places. Decimals of a model need some hundred bits. */
enum { MOST_BITS = 1500, PLACES = 256 };

static char *text, *rest; /* of the proof, what has not been read; of its line */
long at_line;
uint64_t work, most_work = UINT64_MAX;

static const char *whole; /* of the proof, and how long it is */
static size_t whole_length;
static bool place_told; /* how far it is read */

/* How far the proof is read, once a second, on a terminal. */
static void tell_place(void)
{
    static time_t last;
    time_t now = time(NULL);
    if (!last) last = now;
    if (now == last || !isatty(STDERR_FILENO)) return;
    last = now;
    place_told = true;
    fprintf(stderr, "\rvouch-check: %.0f %% of the proof, line %ld", 100 * (double)(text - whole) / (double)whole_length, at_line);
}

void place_clear(void)
{
    if (place_told) fputs("\r\033[K", stderr);
    place_told = false;
}

void stop(int status, const char *form, ...)
{
    FILE *to = status == REFUTED ? stdout : stderr;
    va_list list;
    place_clear();
    va_start(list, form);
    if (status == REFUTED)
        fprintf(to, "refuted: line %ld: ", at_line);
    else
        fputs("vouch-check: ", to);
    vfprintf(to, form, list);
    va_end(list);
    fputc('\n', to);
    (void)fflush(NULL); /* ferror says whether it failed */
    _exit(status == REFUTED && ferror(to) ? UNREADABLE : status);
}

void *given(void *block)
{
    static const char told[] = "vouch-check: out of memory\n";
    if (block) return block;
    if (write(STDERR_FILENO, told, sizeof told - 1) < 0) _exit(LIMIT);
    _exit(LIMIT);
}

void *zeroed(size_t count, size_t size) { return given(calloc(count ? count : 1, size)); }

void *resized(void *block, size_t bytes) { return given(realloc(block, bytes)); }

void *grown(void *block, size_t count, size_t size)
{
    size_t room = count < 16 ? 16 : 2 * count;
    if (count < 16 ? count : count & (count - 1)) return block; /* rooms are powers of 2 */
    return resized(block, room > SIZE_MAX / 2 / size ? SIZE_MAX : room * size);
}

/* Fowler, Noll, Vo. */
uint64_t hash_of(const void *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return h;
}

typedef struct key {
    size_t bytes;
    unsigned char of[];
} key;

static unsigned long hash_of_key(const void *x) { return hash_of(((const key *)x)->of, ((const key *)x)->bytes); }

static int same_key(const void *x, const void *y)
{
    return ((const key *)x)->bytes == ((const key *)y)->bytes && memcmp(x, y, sizeof(key) + ((const key *)x)->bytes) == 0;
}

static void free_key(struct lh_entry *e) { free(lh_entry_k(e)); }

int key_number(struct lh_table **t, const void *of, size_t bytes, bool add)
{
    enum { FEW = 64 };
    if (!*t) *t = lh_table_new(FEW, free_key, hash_of_key, same_key);
    key *x = zeroed(1, sizeof *x + bytes);
    x->bytes = bytes;
    memcpy(x->of, of, bytes);
    const struct lh_entry *found = lh_table_lookup_entry(*t, x);
    int number = found ? (int)(intptr_t)lh_entry_v(found) : lh_table_length(*t);
    if (found || !add)
        free(x);
    else
        (void)given(lh_table_insert(*t, x, (const void *)(intptr_t)number) == 0 ? x : NULL);
    return number;
}

char *file_bytes(const char *path, size_t *length)
{
    /* What is packed may hold so many bytes, and so many more for each byte it has, as for vouch. */
    enum { BLOCK = 1 << 20, UNPACKED = 1 << 26, TIMES = 200 };
    gzFile file = strcmp(path, "-") == 0 ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path, "rb");
    char *bytes = NULL;
    if (!file) unreadable("%s: %s", path, strerror(errno));
    *length = 0;
    for (int got = 1; got > 0; *length += (size_t)got) {
        bytes = resized(bytes, *length + BLOCK); /* the last time none of that is used */
        got = gzread(file, bytes + *length, BLOCK);
        if (got < 0) unreadable("%s: cannot be read", path);
        if (!gzdirect(file) && *length + (size_t)got > UNPACKED + (size_t)gzoffset(file) * TIMES)
            stop(LIMIT, "%s: holds more than is read of a packed file of its length; unpack it", path);
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

void rationals_free(mpq_t x[], int count)
{
    for (int i = 0; i < count; i++) mpq_clear(x[i]);
    free(x);
}

/* ---- lines and words ---- */

void lines_open(const char *path)
{
    whole = text = file_bytes(path, &whole_length);
    if (strlen(text) != whole_length) refuted("a zero byte");
}

bool line_next(void)
{
    at_line++;
    rest = text;
    if (!*text) return false;
    text = strchr(text, '\n');
    if (!text) refuted("the proof ends within a line");
    *text++ = '\0';
    tell_place();
    return true;
}

char *word_or_none(void) { return strtok_r(rest, " ", &rest); }

static char *copy_of(const char *line)
{
    char *copy = zeroed(strlen(line) + 1, 1);
    return strcpy(copy, line);
}

const char *words_left(void)
{
    const char *copy = copy_of(rest);
    rest += strlen(rest);
    return copy;
}

void words_again(const char *line)
{
    static char *copy;
    free(copy);
    rest = copy = copy_of(line);
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
    long power = 0;
    bool point = false;
    mpq_t ten;
    if (from[length] || length > DIGITS) return false;
    if (strchr(from, '/')) {
        if (mpq_set_str(x, from, 10) != 0 || mpz_sgn(mpq_denref(x)) <= 0) return false;
        mpq_canonicalize(x);
    } else {
        for (from += *from == '+'; *from && *from != 'e' && *from != 'E'; from++) {
            if (*from == '.' && point) return false;
            point |= *from == '.';
            if (*from == '.') continue;
            digits[used++] = *from;
            power -= point;
        }
        digits[used] = '\0';
        if (*from) {
            char *after;
            long shift = strtol(from + 1, &after, 10);
            if (after == from + 1 || *after || shift > EXPONENT || shift < -EXPONENT) return false;
            power += shift;
        }
        if (mpq_set_str(x, digits, 10) != 0) return false;
        mpq_init(ten);
        mpz_ui_pow_ui(mpq_numref(ten), 10, (unsigned long)labs(power));
        (power < 0 ? mpq_div : mpq_mul)(x, x, ten);
        mpq_clear(ten);
    }
    return (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2) < BITS;
}

char *with_points(const char *bytes, size_t *length)
{
    enum { LONG = 16 };
    char *copy = zeroed(*length + *length / LONG * 2 + 3, 1), *to = copy;
    bool quoted = false;
    for (const char *at = bytes; *at;) {
        size_t digits = quoted ? 0 : strspn(at, "0123456789"), number = quoted ? 0 : strspn(at, "+-.0123456789eE");
        bool is_whole = digits >= LONG && digits == number && (at == bytes || !strchr(".eE+", at[-1]));
        if (number == 0) {
            quoted ^= *at == '"';
            if (quoted && *at == '\\' && at[1]) *to++ = *at++;
            *to++ = *at++;
            continue;
        }
        size_t copied = *at == '-' ? 1 : number; /* the digits come next */
        memcpy(to, at, copied);
        to += copied;
        at += copied;
        if (is_whole) *to++ = '.', *to++ = '0';
    }
    *length = (size_t)(to - copy);
    return copy;
}

/* ---- arithmetic ---- */

int in_rationals = VALUES;
bool rounded;
static int side;   /* towards which is rounded */
static bool exact; /* in rationals? */

void arithmetic(int what, int toward)
{
    volatile double three = 3, third;
    exact = in_rationals & what;
    side = toward;
    bool told = fesetround(toward == UP ? FE_UPWARD : FE_DOWNWARD) == 0;
    third = 1 / three;
    if (!told || (third > 0x1.5555555555555p-2) != (toward == UP)) unreadable("this machine does not round as it is told");
}

void arithmetic_end(void) { (void)fesetround(FE_TONEAREST); }

double outward(const mpq_t x, int toward)
{
    static mpq_t back;
    double d = mpq_get_d(x); /* towards zero */
    if (!isfinite(d)) refuted("numbers too large");
    if (!mpq_denref(back)->_mp_d) mpq_init(back);
    mpq_set_d(back, d);
    int order = mpq_cmp(back, x);
    return (toward == UP ? order < 0 : order > 0) ? nextafter(d, toward == UP ? INFINITY : -INFINITY) : d;
}

static void settle(mpq_t x)
{
    if (mpz_sizeinbase(mpq_denref(x), 2) <= MOST_BITS) return;
    rounded = true;
    mpz_mul_2exp(mpq_numref(x), mpq_numref(x), PLACES);
    (side == UP ? mpz_cdiv_q : mpz_fdiv_q)(mpq_numref(x), mpq_numref(x), mpq_denref(x));
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

numbers numbers_of(mpq_t *q, size_t count)
{
    numbers x = {q ? q : rationals_new((int)count), {zeroed(count, sizeof(double)), zeroed(count, sizeof(double))}, count};
    for (size_t i = 0; i < count; i++) put(x, i, x.q[i]);
    return x;
}

void numbers_free(numbers *x)
{
    rationals_free(x->q, x->q ? (int)x->count : 0);
    for (int i = DOWN; i <= UP; i++) free(x->end[i]);
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
    spend(RATIONAL_WORK);
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
