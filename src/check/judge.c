/* check/judge.c - the state of one reading: memory, and the one way out. A list of all blocks frees the memory of a part of a
 * proof, and everything in the end. */
#include "check/check.h"

#include <fenv.h>
#include <stdarg.h>
#include <unistd.h>

#if defined(__GNUC__) && !defined(__clang__) /* whose analyzer does not follow the list */
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

struct block {
    struct block *older, *newer;
    size_t rationals, unused; /* how many begin the block; and what keeps it aligned */
};

void stop(judge *ctx, int status, const char *form, ...)
{
    FILE *to = status == REFUTED ? stdout : stderr;
    va_list list;
    va_start(list, form);
    if (status == REFUTED)
        fprintf(to, "refuted: line %ld: ", ctx->line);
    else
        fputs("vouch-check: ", to);
    vfprintf(to, form, list);
    va_end(list);
    fputc('\n', to);
    ctx->status = status;
    longjmp(ctx->escape, 1);
}

void judge_begin(judge *ctx)
{
    *ctx = (judge){.rationals = VALUES, .most_work = UINT64_MAX};
    mpq_inits(ctx->product, ctx->back, NULL);
}

void judge_end(judge *ctx)
{
    (void)fesetround(FE_TONEAREST);
    json_object_put(ctx->json);
    release(ctx, NULL);
    for (; ctx->temps_made > 0; free(ctx->temp[ctx->temps_made])) mpq_clear(ctx->temp[--ctx->temps_made]);
    free(ctx->temp);
    mpq_clears(ctx->product, ctx->back, NULL);
}

void *given(void *block)
{
    static const char text[] = "vouch-check: out of memory\n";
    if (block) return block;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(LIMIT);
    _exit(LIMIT);
}

/* Enters a block, which may have moved, into the list. */
static void *linked(judge *ctx, struct block *b)
{
    if (b->older) b->older->newer = b;
    *(b->newer ? &b->newer->older : &ctx->newest) = b;
    return b + 1;
}

void *zeroed(judge *ctx, size_t count, size_t size)
{
    struct block *b = given(count > SIZE_MAX / 2 / size ? NULL : calloc(1, sizeof *b + count * size));
    b->older = ctx->newest;
    return linked(ctx, b);
}

void *resized(judge *ctx, void *block, size_t bytes)
{
    if (!block) return zeroed(ctx, bytes, 1);
    return linked(ctx, given(bytes > SIZE_MAX / 2 ? NULL : realloc((struct block *)block - 1, sizeof(struct block) + bytes)));
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
    if (ctx->temps == ctx->temps_made) {
        ctx->temp = given(realloc(ctx->temp, (ctx->temps_made + 1) * sizeof *ctx->temp));
        mpq_init(ctx->temp[ctx->temps_made++] = given(malloc(sizeof(mpq_t))));
    }
    mpq_ptr x = ctx->temp[ctx->temps++];
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
        const struct key *y = &t->key[t->slot[at] - 1];
        if (y->hash == hash && y->bytes == bytes && memcmp(y->of, of, bytes) == 0) return t->slot[at] - 1;
    }
    if (!add) return (int)t->count;
    if (t->count == INT_MAX - 1) stop(ctx, LIMIT, "too large for this program");
    t->key = grown(ctx, t->key, t->count, sizeof *t->key);
    t->key[t->count] = (struct key){hash, bytes, memcpy(zeroed(ctx, bytes + 1, 1), of, bytes)};
    t->slot[at] = (int)++t->count;
    return t->slot[at] - 1;
}

void table_drop(judge *ctx, key_table *t)
{
    while (t->count > 0) drop(ctx, t->key[--t->count].of);
    drop(ctx, t->key);
    drop(ctx, t->slot);
    *t = (key_table){.count = 0};
}
