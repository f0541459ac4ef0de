/* know/front.h - nondominated sets of points (u, q) of bounded size.
 *
 * A set is an array sorted by q descending and u ascending, both strictly: a front. It covers the points dominated by one of its
 * own. Every operation is *outward*: covered points stay covered. To limit the size, neighbours are replaced by their componentwise
 * maximum.
 */
#ifndef KNOW_FRONT_H
#define KNOW_FRONT_H

enum { STAIRS_MOST = 128 }; /* points of a set that is summed */

typedef struct nondominated {
    double u, q;
    int from, to; /* origin, defined by the caller; a merged point has that of its part of largest q */
} nondominated;

typedef struct pareto_front {
    int most;              /* points of a set, at most STAIRS_MOST */
    double same_u, same_q; /* points closer than this in one coordinate are rounding duplicates, and merged */
    nondominated *rows[2]; /* [2 * most * most] scratch */
    long long work;        /* sums of two points so far */
} pareto_front;

/* The sums of a point of a [na] and factor times one of b [nb] into out [most]; out.from, out.to: their indices. na, nb in 1 ..
 * most, factor > 0. Returns their number. */
int front_sum(pareto_front *s, const nondominated a[], int na, const nondominated b[], int nb, double factor, nondominated out[]);

/* The union of a [na] and b [nb] into out [na + nb], which must not overlap them. Returns the number of points. */
int front_unite(const nondominated a[], int na, const nondominated b[], int nb, nondominated out[]);

/* Merges neighbours of x [n] in place until at most s->most remain, first those with the least area between the merged point and
 * its parts. Returns the number left. */
int front_thin(const pareto_front *s, nondominated x[], int n);

#endif
