/* check/number.c - arithmetic of numbers that are not negative: rationals, or doubles rounded to one side. */
#include "check/check.h"

#include <fenv.h>

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

void arithmetic_end(void) { (void)fesetround(FE_TONEAREST); }

double outward(judge *ctx, mpq_srcptr x, int toward)
{
    double d = mpq_get_d(x); /* towards zero */
    if (!isfinite(d)) refuted(ctx, "numbers too large");
    mpq_set_d(ctx->back, d);
    int order = mpq_cmp(ctx->back, x);
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
    if (!once) mpq_mul(ctx->product, y, z);
    mpq_add(x, x, once ? z : ctx->product);
}

void numbers_room(numbers *x, size_t count)
{
    for (; x->count < count; x->count++) {
        for (int i = DOWN; i <= UP; i++) {
            x->end[i] = grown(x->ctx, x->end[i], x->count, sizeof *x->end[i]);
            x->end[i][x->count] = 0;
        }
        if (x->ctx->rationals & VALUES) x->q = rationals_grown(x->ctx, x->q, x->count);
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
    if (x.ctx->exact)
        mpq_set(value, x.q[i]);
    else
        from_double(x.ctx, value, x.end[x.ctx->side][i]);
}

void zero(numbers x, size_t i)
{
    if (x.ctx->exact)
        mpq_set_ui(x.q[i], 0, 1);
    else
        x.end[x.ctx->side][i] = 0;
}

void set(numbers x, size_t i, numbers y, size_t j)
{
    if (x.ctx->exact)
        mpq_set(x.q[i], y.q[j]);
    else
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
