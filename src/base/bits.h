/* base/bits.h - sets of small numbers, a bit each: number k is bit k % 64 of word k / 64. The caller owns the words. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline bool bits_has(const uint64_t set[], int k) { return set[k / 64] >> (k % 64) & 1; }
static inline void bits_add(uint64_t set[], int k) { set[k / 64] |= UINT64_C(1) << (k % 64); }
static inline void bits_remove(uint64_t set[], int k) { set[k / 64] &= ~(UINT64_C(1) << (k % 64)); }

/* The number of members. */
static inline int bits_count(const uint64_t set[], int words)
{
    int count = 0;
    for (int w = 0; w < words; w++)
        for (uint64_t left = set[w]; left; left &= left - 1) count++;
    return count;
}

/* Writes the members, ascending; returns their number. */
static inline int bits_list(const uint64_t set[], int words, int member[])
{
    int count = 0;
    for (int k = 0; k < 64 * words; k++)
        if (bits_has(set, k)) member[count++] = k;
    return count;
}

/* to = a & b, which may be `to` itself; true if it is not empty. */
static inline bool bits_common(const uint64_t a[], const uint64_t b[], int words, uint64_t to[])
{
    uint64_t any = 0;
    for (int w = 0; w < words; w++) any |= to[w] = a[w] & b[w];
    return any != 0;
}

static inline bool bits_meet(const uint64_t a[], const uint64_t b[], int words)
{
    for (int w = 0; w < words; w++)
        if (a[w] & b[w]) return true;
    return false;
}

/* Is every member of `part` in `whole`? */
static inline bool bits_within(const uint64_t part[], const uint64_t whole[], int words)
{
    for (int w = 0; w < words; w++)
        if (part[w] & ~whole[w]) return false;
    return true;
}

/* Is every member that a and b have in common in `whole`? */
static inline bool bits_common_within(const uint64_t a[], const uint64_t b[], const uint64_t whole[], int words)
{
    for (int w = 0; w < words; w++)
        if (a[w] & b[w] & ~whole[w]) return false;
    return true;
}

#endif
