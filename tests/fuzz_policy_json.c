/* Fuzzing the policy reader and the evaluation of its policies: any bytes give figures or a message. */
#include "fuzz_source.h"

#include "io/json.h"
#include <vouch/generate.h>

#include "evaluate_aid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_error error;
    vouch_model *m = NULL;
    vouch_policy *policy = NULL;
    int kept;
    if (vouch_generate_twin_states(&m, 3, &error) != VOUCH_OK) abort();
    if (policy_json_parse(&policy, m, "fuzz", fuzz_copy(data, size), size, &error) == VOUCH_OK) {
        text t = {0};
        if (evaluate_again(policy, m, &kept, &error) != VOUCH_OK && error.text[0] == '\0') abort();
        policy_json_write(policy, m, &t);
        text_free(&t);
    } else if (error.text[0] == '\0') {
        abort();
    }
    vouch_policy_free(policy);
    vouch_model_free(m);
    if (mem_live() != 0) abort();
    return 0;
}
