/* cli/lanes.h - where the places of a policy graph stand in a picture of it.
 *
 * Time goes to the right, a column a step; each thing that can be known has a lane of its own below the others, in the order met.
 * Places that one comes through one after the other, doing the same in each and nowhere else to go, are one run, as long as its
 * columns, which are wide enough for what is said of it. Where the columns are too many for the width of a page they go on in a
 * further band below, which begins with the last column of the band before.
 */
#ifndef CLI_LANES_H
#define CLI_LANES_H

#include <stdbool.h>

#include "cli/show.h"
#include "io/names.h"

/* Pixels; lines of text in a box, and which of them is the action. */
enum { LANES_PAD = 6, LANES_GAP_X = 44, LANES_GAP_Y = 10, LANES_LINES = 3, LANES_ACTION = 2 };

typedef struct lane_run {
    int first, last;         /* nodes */
    int begin, end;          /* times */
    int lane, slot;          /* lane -1: the end, which has a column without lanes */
    char *line[LANES_LINES]; /* owned; NULL: empty */
} lane_run;

typedef struct lane_band {
    int first, last; /* times */
    double top, bottom;
    double *lane_top; /* owned, [lanes + 1]: where each begins; the same as the next where none is there */
} lane_band;

typedef struct lanes {
    names lane;       /* what is known */
    lane_run *run;    /* owned, [runs] */
    lane_band *band;  /* owned, [bands] */
    double *x, *wide; /* owned, [T + 1]: columns, from the first on */
    int *run_of;      /* owned, [nodes]; -1: left out */
    int runs, bands;
    double width, height;
} lanes;

/* From `top` on. false: memory is out; to be freed all the same. */
bool lanes_make(lanes *l, const shown *s, double top);
void lanes_free(lanes *l);
double lanes_box_height(void);
/* Where a column begins in a band, and the place of a run there. */
double lanes_column(const lanes *l, const lane_band *b, int time);
typedef struct lane_box {
    double x, y, width;
} lane_box;
lane_box lanes_place(const lanes *l, const lane_band *b, const lane_run *r);
/* Is some of the run in the band? */
bool lanes_in_band(const lane_band *b, const lane_run *r);

#endif
