/* Fuzzing the model reader: any bytes give a model or a message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_error error;
    vouch_model *m = NULL;
    if (model_json_parse(&m, "fuzz", fuzz_copy(data, size), size, &error) != VOUCH_OK && error.text[0] == '\0') abort();
    fuzz_finish(m);
    return 0;
}
