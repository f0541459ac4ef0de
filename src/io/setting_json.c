/* io/setting_json.c - see setting_json.h. */
#include "io/setting_json.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

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

vouch_status read_prior_json(const js_doc *doc, uint32_t at, vouch_model *m, vouch_error *error)
{
    if (!at) return VOUCH_OK;
    double *prior = MEM_NEW(double, m->K);
    if (!prior) return error_memory(error);
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < m->K; k++) prior[k] = NAN;
    for (uint32_t c = at + 1; c < js_end(doc, at) && !status; c = js_end(doc, c + 1)) {
        int k = 0;
        while (k < m->K && strcmp(m->env_name[k], js_string(doc, c)) != 0) k++;
        if (k == m->K)
            status = js_fail(doc, c, error, "there is no environment \"%.100s\"", js_string(doc, c));
        else if (!isnan(prior[k]))
            status = js_fail(doc, c, error, "the environment \"%.100s\" is named twice", js_string(doc, c));
        else
            status = js_expect(doc, c + 1, 1U << JS_NUMBER, error);
        if (!status && !((prior[k] = js_number(doc, c + 1)) >= 0))
            status = js_fail(doc, c + 1, error, "a prior must not be negative, found %.10g", prior[k]);
    }
    for (int k = 0; k < m->K && !status; k++)
        if (isnan(prior[k])) status = js_fail(doc, at, error, "the environment \"%.100s\" is not named", m->env_name[k]);
    if (!status) {
        status = vouch_model_set_prior(m, prior);
        if (status == VOUCH_ERROR_INPUT) status = js_fail(doc, at, error, "the prior is 0 in every environment");
        if (status == VOUCH_ERROR_MEMORY) status = error_memory(error);
    }
    mem_free(prior);
    return status;
}

void add_prior_json(const vouch_model *m, text *t)
{
    for (int k = 0; k < m->K && vouch_model_has_prior(m); k++) {
        text_add(t, k ? ", " : "\"prior\": { ");
        js_add_string(t, m->env_name[k]);
        js_add_number(t, ": ", vouch_model_prior(m, k));
    }
    if (vouch_model_has_prior(m)) text_add(t, " },\n  ");
}
