/* io/prism_rewards.c - see prism_rewards.h. */
#include "io/prism_rewards.h"

#include <stdlib.h>

/* Is the command one of "3,17"? */
static bool takes_part(const char *combo, int command)
{
    char *end;
    for (const char *s = combo; *s; s = *end ? end + 1 : end)
        if (strtol(s, &end, 10) == command) return true;
    return false;
}

vouch_status prism_rewards_add(const prism_states *x, int rewards, prism_scope *scope, const prism_choice *choice, double *sum)
{
    const prism *p = x->p;
    const char *combo = choice ? names_text(&x->combos, choice->combo) : "";
    const prism_rewards *r = rewards < 0 ? &(prism_rewards){0} : &p->rewards[rewards];
    vouch_status status = VOUCH_OK;
    for (int i = r->first; i < r->first + r->count && !status; i++) {
        const prism_item *item = &p->item[i];
        bool here;
        double value = 0, drawn = 1;
        if (item->transition != (choice != NULL)) continue;
        if (item->command >= 0 ? !takes_part(combo, item->command) : choice && item->label != choice->label) continue;
        status = prism_eval_bool(scope, item->guard, &here);
        if (status || !here) continue;
        if (item->update >= 0 && p->update[item->update].probability >= 0)
            status = prism_eval_real(scope, p->update[item->update].probability, &drawn);
        if (!status && drawn > 0) status = prism_eval_real(scope, item->value, &value);
        *sum += drawn * value;
    }
    return status;
}
