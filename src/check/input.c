/* check/input.c - files, and the words and numbers of a proof. */
#include "check/check.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

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

/* ---- lines and words ---- */

void lines_open(judge *ctx, const char *path)
{
    size_t length;
    ctx->text = file_bytes(ctx, path, &length);
    if (strlen(ctx->text) != length) refuted(ctx, "a zero byte");
}

static bool line_next(judge *ctx)
{
    ctx->line++;
    ctx->temps = 0;
    ctx->rest = ctx->text;
    if (!*ctx->text) return false;
    ctx->text = strchr(ctx->text, '\n');
    if (!ctx->text) refuted(ctx, "the proof ends within a line");
    *ctx->text++ = '\0';
    return true;
}

char *line_word(judge *ctx)
{
    if (!line_next(ctx)) refuted(ctx, "the proof is not complete");
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

void proof_end(judge *ctx)
{
    if (integer(ctx, word(ctx), 1, INT_MAX) != ctx->line) refuted(ctx, "lines are missing");
    line_end(ctx);
    if (line_next(ctx)) refuted(ctx, "a line after the last");
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
