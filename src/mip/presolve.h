/* mip/presolve.h - an equivalent, smaller and tighter program. */
#ifndef MIP_PRESOLVE_H
#define MIP_PRESOLVE_H

#include "base/clock.h"
#include "mip/presolved.h"

/* reduce: 0 copies the program as it is. */
vouch_status mip_presolve(mip_presolved *p, const mip_model *original, bool reduce, const deadline *clock);

#endif
