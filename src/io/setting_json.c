/* io/setting_json.c - see setting_json.h. */
#include "io/setting_json.h"

#include "base/error.h"

vouch_status read_observed_json(const js_doc *doc, uint32_t at, vouch_model *m, vouch_error *error)
{
    if (!at) return VOUCH_OK;
    int observed = vouch_observed_find(js_string(doc, at));
    if (observed < 0) return js_fail(doc, at, error, "expected \"rewards\" or \"states\", found \"%.100s\"", js_string(doc, at));
    return vouch_model_set_observed(m, (vouch_observed)observed) ? error_memory(error) : VOUCH_OK;
}

void add_observed_json(const vouch_model *m, text *t)
{
    if (m->observed == VOUCH_OBSERVE_STATES) text_add(t, "\"observe\": \"states\",\n  ");
}
