/* oracle/mips.h - random small mixed-integer programs and the enumeration of their integer points. */
#ifndef ORACLE_MIPS_H
#define ORACLE_MIPS_H

#include <stdbool.h>
#include <stdint.h>
#include <vouch/lp.h>

enum { MIPS_COLS = 12, MIPS_ROWS = 8 };

typedef struct mips {
    vouch_lp *lp; /* to be freed by the test */
    int n, m;
    double lower[MIPS_COLS], upper[MIPS_COLS];
    bool integer[MIPS_COLS];
} mips;

/* Binaries or small general integers, at times a few continuous columns, packing rows, an SOS1 set. */
mips mips_make(uint64_t seed);

/* Runs through all settings of the integer columns within their bounds. */
bool mips_first(const mips *p, double *x);
bool mips_next(const mips *p, double *x);

bool mips_keeps_sets(const vouch_lp *lp, const double *x);
/* Best objective with the integer columns as in x; x gets the continuous ones. NAN: no feasible point. */
double mips_complete(const mips *p, double *x);

#endif
