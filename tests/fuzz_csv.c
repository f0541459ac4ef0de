/* Fuzzing the CSV reader: any bytes give a model or a message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_source source = fuzz_source();
    vouch_error error;
    vouch_model *m = NULL;
    char *content = fuzz_copy(data, size);
    if (csv_model_parse(&m, "fuzz", content, size, &source, &error) != VOUCH_OK && error.text[0] == '\0') abort();
    mem_free(content);
    fuzz_finish(m);
    return 0;
}
