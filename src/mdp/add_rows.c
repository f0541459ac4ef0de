/* mdp/add_rows.c - many rows of a model at once, for callers that hold them as arrays. */
#include "base/error.h"
#include "mdp/model.h"

static vouch_status say(const vouch_row *r, size_t i, const vouch_model *m, vouch_status status, vouch_error *error)
{
    if (status == VOUCH_ERROR_MEMORY) return error_memory(error);
    if (m->finished) return error_set(error, status, "the model is finished: rows cannot be added");
    const struct {
        const char *what;
        int number, count;
    } place[] = {{"environment", r->environment, m->K},
                 {"state", r->state, m->S},
                 {"action", r->action, m->A},
                 {"next state", r->next, m->S}};
    for (size_t j = 0; j < sizeof place / sizeof *place; j++)
        if (place[j].number < 0 || place[j].number >= place[j].count)
            return error_set(error, status, "row %zu: %s %d; expected 0 to %d", i, place[j].what, place[j].number,
                             place[j].count - 1);
    const char *environment = m->env_name[r->environment], *state = m->state_name[r->state], *action = m->action_name[r->action];
    bool probable = r->probability >= 0 && r->probability <= 1;
    return error_set(error, status, "environment \"%.100s\", state \"%.100s\", action \"%.100s\": %s, found %.10g", environment,
                     state, action, probable ? "a reward must be a finite number" : "a probability must lie between 0 and 1",
                     probable ? r->reward : r->probability);
}

vouch_status vouch_model_add_rows(vouch_model *m, const vouch_row row[], size_t count, vouch_error *error)
{
    if (!m || (!row && count)) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no model, or no rows");
    for (size_t i = 0; i < count; i++) {
        const vouch_row *r = &row[i];
        vouch_status status = vouch_model_add(m, r->environment, r->state, r->action, r->next, r->probability, r->reward);
        if (status) return say(r, i, m, status, error);
    }
    return VOUCH_OK;
}
