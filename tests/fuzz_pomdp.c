/* Fuzzing the reader of POMDPs: any bytes give a model or a message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_source source = fuzz_source();
    vouch_error error;
    vouch_model *m = NULL;
    const char *constant;
    char *copy = fuzz_copy(data, size), *content = fuzz_options(copy, &source, &constant);
    vouch_status status = pomdp_model_parse(&m, &(file_content){"fuzz", content, size - (size_t)(content - copy)}, &source, &error);
    if (status && error.text[0] == '\0') abort();
    mem_free(copy);
    fuzz_finish(m);
    return 0;
}
