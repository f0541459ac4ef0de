/* io/labels.c - see labels.h. All or none are replaced: a made name could meet an own one. */
#include "io/labels.h"

#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "io/names.h"

#include "base/check.h"

vouch_status labels_choose(const vouch_lp *lp, bool of_rows, bool (*usable)(const char *name), const char *reserved, labels *out)
{
    int count = of_rows ? vouch_lp_rows(lp) : vouch_lp_cols(lp);
    names seen = {0};
    vouch_status status = VOUCH_OK;
    *out = (labels){.lp = lp, .of_rows = of_rows, .own = true};
    for (int k = 0; k < count && out->own && status == VOUCH_OK; k++) {
        const char *name = of_rows ? vouch_lp_row_name(lp, k) : vouch_lp_col_name(lp, k);
        if (!usable(name) || names_find(&seen, name) >= 0 || (reserved && strcmp(name, reserved) == 0))
            out->own = false;
        else if (names_add(&seen, name) < 0)
            status = VOUCH_ERROR_MEMORY;
    }
    names_free(&seen);
    return status;
}

const char *labels_get(const labels *l, int index, label_buffer buffer)
{
    CHECK(index >= 0 && index < (l->of_rows ? vouch_lp_rows(l->lp) : vouch_lp_cols(l->lp)));
    if (l->own) return l->of_rows ? vouch_lp_row_name(l->lp, index) : vouch_lp_col_name(l->lp, index);
    format_text(buffer, sizeof(label_buffer), "%c%d", l->of_rows ? 'R' : 'C', index + 1);
    return buffer;
}
