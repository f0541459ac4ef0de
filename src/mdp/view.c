/* mdp/view.c - the rest of a model after some steps: T := steps, s0 := state, environments those that are still possible.
 *
 * A view owns its list of environments and their names and shares everything else. Cost: O(environments).
 */
#include "mdp/view.h"

#include "base/check.h"
#include "base/memory.h"

vouch_status model_view(const vouch_model *m, int state, int steps, const int env[], int count, vouch_model *view)
{
    CHECK(state >= 0 && state < m->S && steps >= 0 && count > 0);
    *view = *m;
    view->T = steps;
    view->s0 = state;
    view->K = count;
    view->rows = NULL;
    view->env = MEM_NEW(mdp, count);
    view->env_name = MEM_NEW(char *, count);
    if (!view->env || !view->env_name) {
        model_view_free(view);
        return VOUCH_ERROR_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        CHECK(env[i] >= 0 && env[i] < m->K && (i == 0 || env[i] > env[i - 1]));
        view->env[i] = m->env[env[i]];
        view->env[i].optimum_known = false; /* from another state, for another promise */
        view->env_name[i] = m->env_name[env[i]];
    }
    return VOUCH_OK;
}

void model_view_free(vouch_model *view)
{
    mem_free(view->env);
    mem_free(view->env_name);
    *view = (vouch_model){0};
}
