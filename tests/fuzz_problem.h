/* fuzz_problem.h - the property that all problem formats' fuzz targets check. */
#ifndef FUZZ_PROBLEM_H
#define FUZZ_PROBLEM_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vouch/lp_io.h>

#include "base/memory.h"
#include "io/lpfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(int holds)
{
    if (!holds) abort();
}

static inline void fuzz_problem(const char *bytes, size_t size, vouch_lp_format format)
{
    vouch_lp *lp, *back;
    vouch_error error = {0};
    vouch_status status = vouch_lp_read_text(&lp, bytes, size, "f", format, NULL, &error);
    if (status == VOUCH_OK) {
        vouch_lp_data a, b;
        text out = {0};
        vouch_lp_view(lp, &a);
        vouch_status written = format == VOUCH_FORMAT_LP    ? lpformat_write(lp, format, &out, &error)
                               : format == VOUCH_FORMAT_GLP ? glpformat_write(lp, format, &out, &error)
                                                            : mps_write(lp, VOUCH_FORMAT_MPS_FREE, &out, &error);
        if (written == VOUCH_OK) {
            fuzz_require(vouch_lp_read_text(&back, out.data, out.length, "g", format, NULL, &error) == VOUCH_OK);
            vouch_lp_view(back, &b);
            fuzz_require(a.rows == b.rows && a.cols == b.cols && a.start[a.cols] == b.start[b.cols]);
            fuzz_require(a.cols == 0 || memcmp(a.cost, b.cost, sizeof(double) * (size_t)a.cols) == 0 || format == VOUCH_FORMAT_MPS);
            vouch_lp_free(back);
        }
        text_free(&out);
    } else {
        fuzz_require(lp == NULL && error.text[0] != '\0');
    }
    vouch_lp_free(lp);
    fuzz_require(mem_live() == 0);
}

#endif
