/* mdp/rows.c - see rows.h. */
#include "mdp/rows.h"

#include "base/check.h"
#include "base/memory.h"
#include "mdp/join.h"

vouch_status model_rows(const vouch_model *m, vouch_model *out)
{
    const vouch_model *user = model_user(m);
    int J = m->J;
    CHECK(m->finished && m->group == 1);
    *out = *m;
    out->rows = NULL;
    out->K = m->K * J;
    out->group = J;
    out->env = MEM_NEW(mdp, out->K);
    out->env_name = MEM_NEW(char *, out->K);
    if (!out->env || !out->env_name) {
        model_rows_free(out);
        return VOUCH_ERROR_MEMORY;
    }
    for (int r = 0; r < out->K; r++) {
        out->env[r] = m->env[r / J];
        out->env_name[r] = m->env_name[r / J];
        if (!m->weight) continue;
        out->env[r].terminal = m->weight[r];
        out->env[r].p = promise_alone(&user->promise[r % J], r / J);
    }
    return VOUCH_OK;
}

void model_rows_free(vouch_model *m)
{
    mem_free(m->env);
    mem_free(m->env_name);
    *m = (vouch_model){0};
}
