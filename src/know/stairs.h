/* know/stairs.h - sets of points (u, q) none of which dominates another, kept small.
 *
 * A set is an array sorted by q descending and u ascending, both strictly: a staircase. It stands for all points that are at most
 * one of its own in both coordinates. Every operation is *outward*: what stood for a point before stands for it after. Where there
 * are more points than are wanted, neighbours are replaced by their componentwise maximum.
 */
#ifndef KNOW_STAIRS_H
#define KNOW_STAIRS_H

enum { STAIRS_MOST = 128 }; /* points of a set at most, wherever one is summed */

typedef struct stair {
    double u, q;
    int from, to; /* what the point was made of; the meaning is the caller's. A merged point keeps that of its part of largest q */
} stair;

/* How sums are made. */
typedef struct stairs {
    int most;              /* points of a set, at most STAIRS_MOST */
    double same_u, same_q; /* points closer than this in one coordinate are merged, whatever the other is: their rounding would
                              multiply them */
    stair *rows[2];        /* [2 * most * most] scratch */
    long long work;        /* sums of two points, in all */
} stairs;

/* The sums of a point of a [na] and factor times one of b [nb] into out [most]; out.from, out.to: their indices. na, nb in 1 ..
 * most, factor > 0. Returns how many there are. */
int stairs_sum(stairs *s, const stair a[], int na, const stair b[], int nb, double factor, stair out[]);

/* The union of a [na] and b [nb] into out [na + nb], which must not overlap them. Returns how many points are left. */
int stairs_unite(const stair a[], int na, const stair b[], int nb, stair out[]);

/* Merges neighbours of x [n] in place until there are at most s->most, those first that lose least: the area between the merged
 * point and its parts. Returns how many are left. */
int stairs_thin(const stairs *s, stair x[], int n);

#endif
