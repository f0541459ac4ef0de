/* plan/spatial/box_corners.c - see box_corners.h. */
#include "plan/spatial/box_corners.h"

#include <math.h>

#include "base/check.h"

/* Corners nearer than this are one. */
static const double SAME = 1e-14;

/* A box of so many choices whose sum is 1 has at most count * binomial(count - 1, (count - 1) / 2) corners. There is room for one
 * more, which rounding has made where it is come to. */
static int corners_of(int count)
{
    static const int most[CORNER_CHOICES + 1] = {0, 1, 2, 6, 12, 30};
    return most[count];
}

bool box_corners_fit(const know_graph *g)
{
    for (int n = 0; n < g->time_start[g->T]; n++)
        if (box_choices(g, n) > CORNER_CHOICES) return false;
    return true;
}

vouch_status box_corners_make(box_corners *x, const know_graph *g, arena *a)
{
    size_t shares = 0;
    int decided = g->time_start[g->T], corners = 0;
    CHECK(box_corners_fit(g));
    *x = (box_corners){.g = g};
    x->start = ARENA_NEW(a, int, decided + 1);
    x->count = ARENA_ZERO(a, int, decided);
    x->share_start = ARENA_NEW(a, size_t, decided);
    x->open = ARENA_NEW(a, unsigned char, g->choices);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    x->start[0] = 0;
    for (int n = 0; n < decided; n++) {
        int room = corners_of(box_choices(g, n)) + 1;
        x->share_start[n] = shares;
        shares += (size_t)(room * box_choices(g, n));
        corners += room;
        x->start[n + 1] = corners;
    }
    x->share = ARENA_NEW(a, double, shares);
    return a->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* The corner of node n with all choices but `loose` at the sides given by bits (1: high), the loose one having the rest; counted
 * unless it is none or there. */
static void add_corner(box_corners *x, int n, int loose, unsigned sides, policy_box in)
{
    int count = box_choices(x->g, n), first = x->g->choice_start[n];
    double *share = box_corner(x, n, x->count[n]), left = 1;
    for (int i = 0; i < count; i++)
        if (i != loose) left -= share[i] = (sides >> i & 1 ? in.high : in.low)[first + i];
    if (left < in.low[first + loose] - BOX_ROUNDING || left > in.high[first + loose] + BOX_ROUNDING) return;
    share[loose] = fmax(0, left);
    for (int j = 0; j < x->count[n]; j++) {
        double off = 0;
        for (int i = 0; i < count; i++) off = fmax(off, fabs(box_corner(x, n, j)[i] - share[i]));
        if (off <= SAME) return;
    }
    x->count[n]++;
}

void box_corners_enter(box_corners *x, policy_box in)
{
    const know_graph *g = x->g;
    x->blurred = false;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int count = box_choices(g, n), first = g->choice_start[n];
        unsigned narrow = 0; /* choices whose sides are one */
        for (int i = 0; i < count; i++) narrow |= (unsigned)(in.low[first + i] == in.high[first + i]) << i;
        x->count[n] = 0;
        for (int i = 0; i < count; i++) x->open[first + i] = in.high[first + i] > 0;
        for (int loose = 0; loose < count; loose++)
            for (unsigned sides = 0; sides < 1u << count; sides++)
                if (!(sides & (narrow | 1u << loose)) && x->count[n] <= corners_of(count)) add_corner(x, n, loose, sides, in);
        CHECK(x->count[n] > 0);
        if (x->count[n] > corners_of(count)) x->blurred = true;
    }
}
