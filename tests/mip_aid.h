/* tests/mip_aid.h - small mixed-integer programs from LP text, as the modules of mip see them. */
#ifndef MIP_AID_H
#define MIP_AID_H

#include "mip/model.h"
#include "oracle/lptext.h"
#include "test.h"

/* The program in LP format; minimised. */
static inline mip_model model_of(const char *text)
{
    vouch_lp *lp = lptext_read(text, "f.lp");
    mip_model model;
    assert_int_equal(mip_model_build(&model, lp), VOUCH_OK);
    vouch_lp_free(lp);
    return model;
}

#endif
