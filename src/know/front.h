/* know/front.h - sets of points (u, q) none of which dominates another, kept small.
 *
 * A set is an array sorted by q descending and u ascending, both strictly: a front. It stands for all points that are at most
 * one of its own in both coordinates. Every operation is *outward*: what stood for a point before stands for it after. Where there
 * are more points than are wanted, neighbours are replaced by their componentwise maximum.
 */
#ifndef KNOW_FRONT_H
#define KNOW_FRONT_H

enum { STAIRS_MOST = 128 }; /* points of a set at most, wherever one is summed */

typedef struct nondominated {
    double u, q;
    int from, to; /* what the point was made of; the meaning is the caller's. A merged point keeps that of its part of largest q */
} nondominated;

/* How sums are made. */
typedef struct pareto_front {
    int most;              /* points of a set, at most STAIRS_MOST */
    double same_u, same_q; /* points closer than this in one coordinate are merged, whatever the other is: their rounding would
                              multiply them */
    nondominated *rows[2]; /* [2 * most * most] scratch */
    long long work;        /* sums of two points, in all */
} pareto_front;

/* The sums of a point of a [na] and factor times one of b [nb] into out [most]; out.from, out.to: their indices. na, nb in 1 ..
 * most, factor > 0. Returns how many there are. */
int front_sum(pareto_front *s, const nondominated a[], int na, const nondominated b[], int nb, double factor, nondominated out[]);

/* The union of a [na] and b [nb] into out [na + nb], which must not overlap them. Returns how many points are left. */
int front_unite(const nondominated a[], int na, const nondominated b[], int nb, nondominated out[]);

/* Merges neighbours of x [n] in place until there are at most s->most, those first that lose least: the area between the merged
 * point and its parts. Returns how many are left. */
int front_thin(const pareto_front *s, nondominated x[], int n);

#endif
