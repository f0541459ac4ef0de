/* Fuzzing the JANI reader: any bytes give a model or a message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    vouch_model *m = NULL;
    fuzz_begin(&in, data, size);
    vouch_status status = jani_model_parse(&m, &(file_content){"fuzz", in.content, in.length}, &in.source, &in.error);
    return fuzz_end(&in, status, m);
}
